"""Workers of this machine: this process itself, or processes of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cardc.simulate.share import WorkersLost
from cardc.simulate.work import Part, begin, play, work


class Here:
    """This process, which plays a piece when it is given one."""

    room = 1

    def __init__(self, game: Any, call: dict[str, Any]) -> None:
        self._game, self._call = game, call

    def submit(self, seeds: range) -> Future[Part]:
        """Play a piece."""
        done: Future[Part] = Future()
        done.set_result(play(self._game, self._call, seeds))
        return done

    def result(self, piece: Future[Part]) -> Part:
        return piece.result()

    def trouble(self) -> str | None:
        return None

    def close(self) -> None:
        pass


class Processes:
    """Processes that have loaded the game. If one of them is ended from outside, all are begun anew."""

    def __init__(self, jobs: int, paths: tuple[Path, list[Path]], call: dict[str, Any]) -> None:
        self.room = 2 * jobs
        self._jobs, self._begin = jobs, (paths, call)
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, get_context("spawn"), begin, self._begin)

    def submit(self, seeds: range) -> Future[Part]:
        try:
            return self._submit(seeds)
        except BrokenExecutor:
            self._pool.shutdown()
            self._pool = self._new()
            return self._submit(seeds)

    def _submit(self, seeds: range) -> Future[Part]:
        with _no_interrupt():
            return self._pool.submit(work, seeds)

    def result(self, piece: Future[Part]) -> Part:
        try:
            return piece.result()
        except BrokenExecutor:
            raise WorkersLost from None

    def trouble(self) -> str | None:
        return None

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back while processes may be begun. They inherit that; else they would die of it, with a traceback,
    before they can look after it themselves."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
