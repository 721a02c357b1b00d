"""Batches of parts: in this process, or one in each of some others.

A worker is a copy of this process where that is safe; elsewhere it is this interpreter, started anew
(`python -c …`): nothing is asked of how the program that builds was started. It has the files of the frame and of its
parts, and speaks `marshal` over two pipes. The files that it makes stay with it until it is told where to write them.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from cardc.check import Checker
from cardc.facts import Facts, Others, site_of, type_of
from cardc.interrupts import not_inherited
from cardc.opening import Base, Files, Opened, open_package
from cardc.parts import File, Lost
from cardc.report import Report, Unsure
from cardc.separate import Batch, Counts, Declared, Done, Named, card_syms
from cardc.shape import Shape

if TYPE_CHECKING:
    import subprocess

ENOUGH = 1_500_000
"""From so many bytes of cards on, another process is worth its start."""
MOST_WORKERS = 8
Numbered = tuple[int, tuple[File, ...]]


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
    def know(self, known: Known) -> None: ...
    def sample(self, frame: Checker, few: int) -> list[Facts]: ...
    def check(self, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]: ...
    def tests(self, frame: Checker, facts: Facts) -> list[tuple[int, Done]]: ...
    def readings(self) -> set[Any]: ...
    def see(self, frame: Checker, readings: set[Any]) -> set[Any]: ...
    def counts(self) -> Counts: ...
    def files(self, number: int) -> tuple[bytes, bytes]: ...
    def write(self, folder: Path, paths: dict[int, tuple[str, str]]) -> None: ...
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

    def know(self, known: Known) -> None:
        pass

    def sample(self, frame: Checker, few: int) -> list[Facts]:
        return self.batch.sample(frame, few)

    def check(self, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]:
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

    def files(self, number: int) -> tuple[bytes, bytes]:
        return self.batch.files(number)

    def write(self, folder: Path, paths: dict[int, tuple[str, str]]) -> None:
        self.batch.write(folder, paths)

    def close(self) -> None:
        pass


class Processes:
    """A batch in each of some processes, which end when nobody holds this any more."""

    def __init__(self, shares: Sequence[Sequence[Numbered]], frame: Files, base: Base | None, expands: bool) -> None:
        self.workers: list[_Copy | subprocess.Popen[bytes]] = []
        self.close = weakref.finalize(self, _end, self.workers)
        self.holders = {number: i for i, share in enumerate(shares) for number, _ in share}
        copied = _may_be_copied()
        try:
            for share in shares:
                if copied:
                    worker = _Worker(frame, base, Batch(share, expands))
                    self.workers.append(_Copy(worker, [w for w in self.workers if isinstance(w, _Copy)]))
                else:
                    self.workers.append(_start())
            if not copied:
                for i, share in enumerate(shares):  # while they all come up
                    self.tell((frame, base, list(share), expands), [i])
        except OSError as error:
            self.close()
            raise Lost from error

    def tell(self, message: Any, whom: Iterable[int] | None = None) -> None:
        """Send a message to these workers, or to all."""
        data = marshal.dumps(message)
        for i in range(len(self.workers)) if whom is None else whom:
            pipe = self.workers[i].stdin
            assert pipe is not None
            try:
                _write(pipe, data)
            except OSError as error:
                raise Lost from error

    def answers(self, whom: Iterable[int] | None = None) -> Iterator[Any]:
        """What these workers answer to a call, one after the other."""
        for i in range(len(self.workers)) if whom is None else whom:
            pipe = self.workers[i].stdout
            assert pipe is not None
            try:
                kind, answer = _receive(pipe)
            except (EOFError, OSError, ValueError, TypeError) as error:
                raise Lost from error
            if kind == "unsure":
                raise Unsure
            if kind == "refused":
                raise OSError(*answer)
            if kind == "bug":
                raise RuntimeError(answer)
            yield answer

    def ask(self, name: str, *args: Any) -> list[Any]:
        """The answers of all workers to a call, in one list."""
        self.tell((name, *args))
        return [x for answer in self.answers() for x in answer]

    def parse(self) -> list[tuple[int, Declared]]:
        return [(number, Declared(*plain)) for number, plain in self.ask("parse")]

    def know(self, known: Known) -> None:
        self.tell(("know", known.plain()))

    def sample(self, frame: Checker, few: int) -> list[Facts]:
        return [Facts(*plain) for plain in self.ask("sample", -(-few // len(self.workers)))]

    def check(self, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]:
        return [(number, Done.of(*plain)) for number, plain in self.ask("check", shares)]

    def tests(self, frame: Checker, facts: Facts) -> list[tuple[int, Done]]:
        tell_tests(frame, facts)
        return [(number, Done.of(*plain)) for number, plain in self.ask("tests", facts.plain())]

    def readings(self) -> set[Any]:
        return set(self.ask("readings"))

    def see(self, frame: Checker, readings: set[Any]) -> set[Any]:
        return set(self.ask("see", readings))

    def counts(self) -> Counts:
        found = self.ask("counts")
        return Counts(sum(found[0::3]), sum(found[1::3]), sum(found[2::3]))

    def files(self, number: int) -> tuple[bytes, bytes]:
        holder = [self.holders[number]]
        self.tell(("files", number), holder)
        (found,) = self.answers(holder)
        first, second = found
        return first, second

    def write(self, folder: Path, paths: dict[int, tuple[str, str]]) -> None:
        for i in range(len(self.workers)):
            self.tell(("write", str(folder), {n: names for n, names in paths.items() if self.holders[n] == i}), [i])
        for _ in self.answers():
            pass


class HeldParts(Mapping[str, bytes]):
    """The files of these parts, under their paths in a package, which a pool has made and holds."""

    def __init__(self, holder: Pool, parts: dict[int, tuple[str, str]]) -> None:
        self.holder = holder
        self.parts = parts
        self.numbers = {name: (number, i) for number, names in parts.items() for i, name in enumerate(names)}

    def __getitem__(self, name: str) -> bytes:
        number, i = self.numbers[name]
        return self.holder.files(number)[i]

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def write(self, folder: Path) -> None:
        self.holder.write(folder, self.parts)
        self.holder.close()


# ---- What passes between processes


def _may_be_copied() -> bool:
    """Whether this process may be copied as it is: no other thread of it holds anything."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


class _Copy:
    """A copy of this process that serves a batch; `others` were made before, and their pipes are not its own."""

    def __init__(self, worker: _Worker, others: Sequence[_Copy]) -> None:
        asked, tell = os.pipe()
        hear, answers = os.pipe()
        with not_inherited():
            self.pid = os.fork()
            if self.pid == 0:
                try:
                    for pipe in (tell, hear, *(p.fileno() for other in others for p in (other.stdin, other.stdout))):
                        os.close(pipe)
                    _serve(os.fdopen(asked, "rb"), os.fdopen(answers, "wb"), worker)
                finally:
                    os._exit(0)
        os.close(asked)
        os.close(answers)
        self.stdin: IO[bytes] = os.fdopen(tell, "wb")
        self.stdout: IO[bytes] = os.fdopen(hear, "rb")

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _start() -> subprocess.Popen[bytes]:
    import subprocess  # where processes are not copied

    code = "from cardc.pool import work; work()"
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path}
    with not_inherited():
        return subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )


def _end(workers: list[_Copy | subprocess.Popen[bytes]]) -> None:
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.wait()
        for pipe in (worker.stdin, worker.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what it did not read any more
                    pipe.close()
    workers.clear()


def _write(pipe: IO[bytes], data: bytes) -> None:
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
    """Serve a batch that comes over the standard input."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    _serve(asked, answers)


def _serve(asked: IO[bytes], answers: IO[bytes], worker: _Worker | None = None) -> None:
    """Serve one batch until nobody asks any more; it comes first, where it is not here."""
    import gc

    gc.disable()  # trees hold no cycles, and this process does not live long
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    with contextlib.suppress(EOFError, BrokenPipeError):
        if worker is None:
            frame_files, base, parts, expands = _receive(asked)
            worker = _Worker(frame_files, base, Batch(parts, expands))
        while True:
            name, *args = _receive(asked)
            answer = _answer(getattr(worker, name), args)
            if name != "know":
                _write(answers, marshal.dumps(answer))


def _answer(call: Callable[..., Any], args: list[Any]) -> tuple[str, Any]:
    try:
        return "done", call(*args)
    except Unsure:
        return "unsure", None
    except OSError as error:
        return "refused", (error.errno, error.strerror, error.filename)
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

    def know(self, known: tuple[Any, ...]) -> None:
        self.frame = Known(*known).frame(open_package(self.frame_files, self.base))

    def sample(self, few: int) -> list[Any]:
        return [facts.plain() for facts in self.batch.sample(self.frame, few)]

    def check(self, shares: frozenset[str]) -> list[Any]:
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

    def files(self, number: int) -> tuple[bytes, bytes]:
        return self.batch.files(number)

    def write(self, folder: str, paths: dict[int, tuple[str, str]]) -> None:
        self.batch.write(Path(folder), paths)
