"""Building games of many cards (`corpus.py`) with `cardc build`: at first, unchanged, and after one card has changed;
and loading what was built for a first playout, with `card_runtime`: at first, again, and after one card has changed.

Each figure is the CPU time of the command with all its processes and its start, also as a multiple of the least there
is to do: to look at, read and hash the same files. `python benchmarks/builds.py 1000 10000 30000` is for so many cards.
"""

from __future__ import annotations

import hashlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from bytecode import environment
from corpus import write

TIMES = 3
BYTECODE = tempfile.TemporaryDirectory()
ENVIRONMENT = environment(BYTECODE.name)
RESTED = 2.2
"""Seconds after which a file is known by its status (`cardc.survey`)."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a command took: seconds of CPU and of the clock, and megabytes of all its processes together."""

    cpu: float
    wall: float
    memory: float


PLAYED = "import sys, card_runtime; card_runtime.load(sys.argv[1]).playout(seed=1)"


def build(source: Path, out: Path, cores: int | None = None) -> Run:
    """`cardc build`, on all processors or on some."""
    return run(["-m", "cardc", "build", str(source), "-o", str(out), "--quiet"], cores)


def load(out: Path) -> Run:
    """Load a built game, and play a match."""
    return run(["-c", PLAYED, str(out)])


def run(arguments: list[str], cores: int | None = None) -> Run:
    """A command of Python, on all processors or on some."""
    command = [sys.executable, *arguments]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(mine)[: cores or len(mine)])
    process = subprocess.Popen(command, env=ENVIRONMENT)
    os.sched_setaffinity(0, mine)
    peak = [0.0]
    watch = threading.Thread(target=_watch, args=(process.pid, peak))
    watch.start()
    assert process.wait() == 0
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.join()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, wall, peak[0])


def _watch(pid: int, peak: list[float]) -> None:
    """Note the greatest memory of a process and its children, as long as it lives."""
    page = os.sysconf("SC_PAGE_SIZE") / 2**20
    while True:
        try:
            pids = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
            pages = [int(Path(f"/proc/{p}/statm").read_text().split()[1]) for p in pids]
        except (OSError, ValueError, IndexError):
            return
        peak[0] = max(peak[0], sum(pages) * page)
        time.sleep(0.02)


def least(source: Path) -> float:
    """CPU seconds to look at, read and hash the files of a folder: the least of some runs."""
    found = []
    for _ in range(TIMES):
        start = time.process_time()
        with os.scandir(source) as entries:
            for entry in entries:
                entry.stat()
                hashlib.sha256(Path(entry.path).read_bytes()).digest()
        found.append(time.process_time() - start)
    return min(found)


def change(source: Path, number: int) -> None:
    """Change one card; another number changes another, or the same one otherwise."""
    paths = sorted(source.glob("cards_*.card"))
    path = paths[number % len(paths)]
    text = re.sub(r"power: \d+", f"power: {10 + number}", path.read_text(encoding="utf-8"), count=1)
    path.write_text(text, encoding="utf-8")


def teach(source: Path) -> None:
    """Change what a card does."""
    path = next(p for p in sorted(source.glob("cards_*.card")) if "heal(you, " in p.read_text(encoding="utf-8"))
    path.write_text(path.read_text(encoding="utf-8").replace("heal(you, ", "heal(you, 1", 1), encoding="utf-8")


def measure(folder: Path, cards: int, per_file: int) -> None:
    source, out = folder / f"{cards}_{per_file}", folder / f"{cards}_{per_file}_out"
    write(source, cards, per_file)
    time.sleep(RESTED)
    floor = least(source)
    first = build(source, out)
    again = build(source, folder / f"{cards}_{per_file}_alone", cores=1)
    same = min((build(source, out) for _ in range(TIMES)), key=lambda r: r.cpu)
    changes = []
    for number in range(TIMES):
        change(source, number)
        changes.append(build(source, out))
    one = min(changes, key=lambda r: r.cpu)
    title = "one card a file" if per_file == 1 else f"files of {per_file} cards"
    print(f"{cards} cards, {title}: to look at, read and hash the files takes {floor:.3f} s of CPU")
    named = {"at first": first, "at first, one core": again, "unchanged": same, "one card changed": one}
    if per_file > 1:
        named |= {"loaded at first": load(out), "loaded again": load(out)}
        teach(source)
        build(source, out)
        named["loaded, changed"] = load(out)
    for name, r in named.items():
        times = f"{r.cpu:6.2f} s of CPU, {r.cpu / floor:5.0f} times that"
        print(f"  {name:20} {times}; {r.wall:6.2f} s; {r.memory:4.0f} MB")
    busy = os.getloadavg()[0]
    print(f"  all cores are {again.wall / first.wall:.2f} times as fast as one, with {busy:.1f} processes at work")


def main() -> None:
    sizes = [int(x) for x in sys.argv[1:]] or [1000, 10_000]
    if min(sizes) < 100:
        sys.exit("a corpus has at least 100 cards")
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "first", 10, 1)
        build(Path(folder) / "first", Path(folder) / "first_out")
        for cards in sizes:
            for per_file in (1, 100):
                measure(Path(folder), cards, per_file)


if __name__ == "__main__":
    main()
