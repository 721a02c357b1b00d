"""Batches of parts: in this process, or one in each of some others.

A worker is this interpreter, started anew (`python -c …`): nothing is asked of how the program that builds was started.
It gets the files of the frame and of its parts, and speaks `marshal` over its standard input and output.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from cardc.check import Checker
from cardc.facts import Facts, Others, site_of, type_of
from cardc.interrupts import not_inherited
from cardc.opening import Base, Files, Opened, open_package
from cardc.parts import File
from cardc.report import Report, Unsure
from cardc.separate import Batch, Counts, Declared, Done, Named, card_syms
from cardc.shape import Shape

ENOUGH = 1_500_000
"""From so many bytes of cards on, another process is worth its start."""
MOST_WORKERS = 8
Numbered = tuple[int, tuple[File, ...]]


class Lost(Exception):
    """A worker is gone, or could not be started."""


class Known(Struct):
    """What batches are told of the whole package before they check, as plain data."""

    cards: list[Named]
    shape: tuple[list[Any], ...]
    broken: list[str]

    def frame(self, opened: Opened) -> Checker:
        """Check the frame, with what is known of all other parts."""
        report = Report(frozenset(self.broken) | opened.parsed.broken)
        report.extend(opened.parsed.findings)
        others = Others(card_syms(self.cards), Shape(*map(dict.fromkeys, self.shape)))
        checker = Checker([*opened.base_units, *opened.parsed.units], report, others=others)
        checker.declarations()
        return checker

    def plain(self) -> tuple[Any, ...]:
        return astuple(self)


def tell_tests(frame: Checker, facts: Facts) -> None:
    """Let tests know what is drawn by chance and chosen in the whole package."""
    frame.others.chances = {name: type_of(t) for name, t in facts.chances.items()}
    frame.others.sites = [site_of(facts.alternatives)]


class Pool(Protocol):
    """Batches that work on all parts; answers come in order of the parts. Methods raise Unsure, and Lost."""

    def parse(self) -> list[tuple[int, Declared]]: ...
    def check(self, known: Known, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]: ...
    def tests(self, frame: Checker, facts: Facts) -> list[tuple[int, Done]]: ...
    def readings(self) -> set[Any]: ...
    def see(self, frame: Checker, readings: set[Any]) -> set[Any]: ...
    def counts(self) -> Counts: ...
    def close(self) -> None: ...


def pool(parts: Sequence[Numbered], opened: Opened, frame_files: Files, base: Base | None, workers: int) -> Pool:
    """Batches for these parts, in at most so many processes."""
    expands = opened.identity["kind"] == "expansion"
    if workers > 1:
        return Processes(_shares_of(parts, workers), frame_files, base, expands)
    return Here(Batch(parts, expands))


def workers_for(parts: Iterable[Numbered]) -> int:
    """In how many processes to work on these parts: as many as there are processors, if there is enough to do."""
    size = sum(len(content) for _, files in parts for _, content in files)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, MOST_WORKERS, 2 * size // ENOUGH))


def _shares_of(parts: Sequence[Numbered], workers: int) -> list[list[Numbered]]:
    """Runs of parts of about the same size, one for each worker."""
    sizes = [sum(len(content) for _, content in files) for _, files in parts]
    total, before = sum(sizes), 0
    shares: list[list[Numbered]] = [[] for _ in range(workers)]
    for part, size in zip(parts, sizes, strict=True):
        shares[min(workers - 1, before * workers // max(total, 1))].append(part)
        before += size
    return [share for share in shares if share]


class Here:
    """One batch in this process."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def parse(self) -> list[tuple[int, Declared]]:
        return self.batch.parse()

    def check(self, known: Known, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]:
        return self.batch.check(frame, shares)

    def tests(self, frame: Checker, facts: Facts) -> list[tuple[int, Done]]:
        tell_tests(frame, facts)
        return self.batch.tests(frame)

    def readings(self) -> set[Any]:
        return self.batch.readings()

    def see(self, frame: Checker, readings: set[Any]) -> set[Any]:
        return self.batch.see(frame, readings)

    def counts(self) -> Counts:
        return self.batch.counts

    def close(self) -> None:
        pass


class Processes:
    """A batch in each of some processes."""

    def __init__(self, shares: Sequence[Sequence[Numbered]], frame: Files, base: Base | None, expands: bool) -> None:
        self.workers: list[subprocess.Popen[bytes]] = []
        try:
            for _ in shares:
                self.workers.append(_start())
            for worker, share in zip(self.workers, shares, strict=True):  # while they all come up
                _send(worker, (frame, base, list(share), expands))
        except OSError as error:
            self.close()
            raise Lost from error

    def ask(self, name: str, *args: Any) -> list[Any]:
        """The answers of all workers to a call, one after the other."""
        for worker in self.workers:
            _send(worker, (name, *args))
        out: list[Any] = []
        for worker in self.workers:
            assert worker.stdout is not None
            try:
                kind, answer = _receive(worker.stdout)
            except (EOFError, OSError, ValueError, TypeError) as error:
                raise Lost from error
            if kind == "unsure":
                raise Unsure
            if kind == "bug":
                raise RuntimeError(answer)
            out += answer
        return out

    def parse(self) -> list[tuple[int, Declared]]:
        return [(number, Declared(*plain)) for number, plain in self.ask("parse")]

    def check(self, known: Known, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]:
        return [(number, _done(plain)) for number, plain in self.ask("check", known.plain(), shares)]

    def tests(self, frame: Checker, facts: Facts) -> list[tuple[int, Done]]:
        tell_tests(frame, facts)
        return [(number, _done(plain)) for number, plain in self.ask("tests", facts.plain())]

    def readings(self) -> set[Any]:
        return set(self.ask("readings"))

    def see(self, frame: Checker, readings: set[Any]) -> set[Any]:
        return set(self.ask("see", readings))

    def counts(self) -> Counts:
        found = self.ask("counts")
        return Counts(sum(found[0::3]), sum(found[1::3]), sum(found[2::3]))

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # what it did not read any more
                        pipe.close()
        self.workers = []


def _done(plain: tuple[Any, ...]) -> Done:
    facts, findings, files = plain
    return Done(Facts(*facts), findings, files)


# ---- What passes between processes


def _start() -> subprocess.Popen[bytes]:
    code = "from cardc.pool import work; work()"
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path}
    with not_inherited():
        return subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )


def _send(worker: subprocess.Popen[bytes], message: Any) -> None:
    assert worker.stdin is not None
    try:
        _write(worker.stdin, message)
    except OSError as error:
        raise Lost from error


def _write(pipe: IO[bytes], message: Any) -> None:
    data = marshal.dumps(message)
    pipe.write(len(data).to_bytes(8, "little"))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError
    size = int.from_bytes(head, "little")
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return marshal.loads(data)


def work() -> None:
    """Serve one batch until nobody asks any more."""
    import gc
    import signal

    gc.disable()  # trees hold no cycles, and this process does not live long
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    try:
        frame_files, base, parts, expands = _receive(asked)
        worker = _Worker(frame_files, base, Batch(parts, expands))
        while True:
            name, *args = _receive(asked)
            _write(answers, _answer(getattr(worker, name), args))
    except (EOFError, BrokenPipeError):
        return


def _answer(call: Callable[..., Any], args: list[Any]) -> tuple[str, Any]:
    try:
        return "done", call(*args)
    except Unsure:
        return "unsure", None
    except Exception:
        import traceback

        return "bug", traceback.format_exc()


class _Worker:
    """What a worker does when it is asked; all that goes in and out is plain data."""

    def __init__(self, frame_files: Files, base: Base | None, batch: Batch) -> None:
        self.frame_files = frame_files
        self.base = base
        self.batch = batch

    def parse(self) -> list[Any]:
        return [(number, declared.plain()) for number, declared in self.batch.parse()]

    def check(self, known: tuple[Any, ...], shares: frozenset[str]) -> list[Any]:
        self.frame = Known(*known).frame(open_package(self.frame_files, self.base))
        return [(number, done.plain()) for number, done in self.batch.check(self.frame, shares)]

    def tests(self, facts: tuple[Any, ...]) -> list[Any]:
        tell_tests(self.frame, Facts(*facts))
        return [(number, done.plain()) for number, done in self.batch.tests(self.frame)]

    def readings(self) -> list[Any]:
        return list(self.batch.readings())

    def see(self, readings: set[Any]) -> list[Any]:
        return list(self.batch.see(self.frame, readings))

    def counts(self) -> list[int]:
        counts = self.batch.counts
        return [counts.parsed, counts.checked, counts.emitted]
