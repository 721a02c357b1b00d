"""Workers of this machine: this process itself, or processes of its own."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from cardc.interrupts import let_go, not_inherited
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
        with not_inherited():
            return self._pool.submit(work, seeds)

    def result(self, piece: Future[Part]) -> Part:
        try:
            return piece.result()
        except BrokenExecutor:
            raise WorkersLost from None

    def trouble(self) -> str | None:
        return None

    def close(self) -> None:
        let_go(self._pool)
