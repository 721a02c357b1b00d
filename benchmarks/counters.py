"""What playouts and builds cost in counts, not in time: the same on every machine, whatever else runs there.

For each game, over the same seeds: the bytecodes and the calls of functions (Python's and C's) per decision of a
playout, the calls per decision of a match that is stepped without logs, the bytes a playout needs at its peak, and the
blocks that are still there after it, per match. For builds, the calls that
a card of a corpus costs and the objects that it leaves in cycles, and the calls of a build that finds nothing
changed. Counts differ between versions of Python only.

`python benchmarks/counters.py` prints them beside their ceilings in `ceilings.json`; a test fails above one. It also
prints what a match takes as a multiple of the engine written by hand: unlike times, that is the same in every run.
`--bless` writes ceilings a little above what is counted, for this version of Python: after it has become cheaper, or
when it is dearer and that is worth it.
"""

import cProfile
import gc
import json
import random
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from card_runtime import load, play
from card_runtime.bots import Random
from cardc import survey
from cardc.pipeline import build
from corpus import write
from matches import engine

HERE = Path(__file__).parent
CEILINGS = HERE / "ceilings.json"
MATCHES = {"locm": 8, "monsteria": 4, "moonga": 10, "moonlight": 4, "vughex": 25}
"""How many matches are counted: as many as take some tenths of a second."""
WARM = 8
"""So often they are played before, so that what is made once, or when it is often wanted, is there."""
CARDS = (100, 300)
"""The sizes of corpus whose difference tells what a card costs."""
MARGIN = 1.1
"""How much dearer something may become before it is to be looked at."""
MARGINS = {"unchanged": 1.5}
"""Where more may be: folders that lie deeper take more calls."""
KEPT = 4.0
"""How many blocks a match may leave: caches that are still filling, never a state."""
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"

Counts = dict[str, dict[str, float]]


def calls(function: Callable[[], object]) -> int:
    """How many functions are called, Python's and C's."""
    profile = cProfile.Profile()
    profile.runcall(function)
    return sum(entry.callcount for entry in profile.getstats())


def bytecodes(function: Callable[[], object]) -> int:
    """How many bytecodes are run."""
    return _monitored(function) if sys.version_info >= (3, 12) else _traced(function)


def _traced(function: Callable[[], object]) -> int:
    count = 0

    def inner(frame: Any, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        return inner

    def outer(frame: Any, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return inner

    before = sys.gettrace()
    sys.settrace(outer)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def _monitored(function: Callable[[], object]) -> int:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
    tool, count = 3, 0

    def instruction(code: Any, offset: int) -> None:
        nonlocal count
        count += 1

    monitoring.use_tool_id(tool, "counters")
    monitoring.register_callback(tool, monitoring.events.INSTRUCTION, instruction)
    monitoring.set_events(tool, monitoring.events.INSTRUCTION)
    try:
        function()
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
    return count


def of_game(name: str, folder: Path) -> dict[str, float]:
    """The counts of a game's matches."""
    game = load(build(HERE.parent / "cards" / name, folder / name)[1])
    seeds = range(MATCHES[name])
    for _ in range(WARM):
        decisions = sum(game.playout_state(seed).decisions for seed in seeds)

    def play() -> None:
        for seed in seeds:
            game.playout(seed=seed)

    def step() -> int:
        return sum(_stepped(game, seed) for seed in seeds)

    asked = step()
    found = {"bytecodes": bytecodes(play) / decisions, "calls": calls(play) / decisions, "stepped": calls(step) / asked}
    return {**found, "peak": float(_peak(game, seeds)), "kept": _kept(play, len(seeds))}


def _stepped(game: Any, seed: int) -> int:
    """How many questions a match has whose every question a program looks at."""
    match, bot = game.start(seed, log_limit=0, undo_limit=0), Random(seed)
    play(match, bot, bot)
    return int(match.state.decisions)


def beside_hand(name: str, folder: Path) -> dict[str, float]:
    """What a match takes, as a multiple of what it takes in the engine written by hand."""
    game, by_hand = load(build(HERE.parent / "cards" / name, folder / name)[1]), engine(name)
    seeds = range(4 * MATCHES[name])  # the chances differ, so more matches even out

    def ours() -> None:
        for seed in seeds:
            game.playout(seed=seed)

    def theirs() -> None:
        for seed in seeds:
            by_hand.playout(seed)

    ours()
    theirs()
    return {"bytecodes": bytecodes(ours) / bytecodes(theirs), "calls": calls(ours) / calls(theirs)}


def _peak(game: Any, seeds: range) -> int:
    """The most bytes that a match needs."""
    most = 0
    for seed in seeds:
        gc.collect()
        tracemalloc.start()
        try:
            game.playout(seed=seed)
            most = max(most, tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return most


def _kept(play: Callable[[], None], matches: int) -> float:
    """The blocks that a match leaves behind, in the cheapest of some rounds."""
    least = []
    for _ in range(3):
        gc.collect()
        before = sys.getallocatedblocks()
        play()
        gc.collect()
        least.append(sys.getallocatedblocks() - before)
    return max(min(least), 0) / matches


def of_builds(folder: Path) -> dict[str, float]:
    """The calls that one more card costs a build, and the objects that it leaves to the collector of cycles, which is
    off while trees grow; the calls of a build of many when nothing has changed."""
    first, cycles, again = [], [], 0
    survey.TICK = -survey.TICK  # files that were written just now count as rested: no clock has a say
    for cards in CARDS:
        source, target = folder / f"corpus{cards}", folder / f"built{cards}"
        source.mkdir()
        write(source, cards, 20)

        def make(source: Path = source, target: Path = target) -> None:
            build(source, target)

        gc.collect()
        gc.disable()
        first.append(calls(make))
        cycles.append(gc.collect())
        gc.enable()
        make()
        again = calls(make)
    survey.TICK = -survey.TICK
    more = CARDS[1] - CARDS[0]
    return {
        "a card": (first[1] - first[0]) / more,
        "cycles": max(cycles[1] - cycles[0], 0) / more,
        "unchanged": float(again),
    }


def counted() -> Counts:
    """All counts, rounded as they are kept."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        build(HERE.parent / "cards" / "vughex", folder / "warm")  # what the compiler makes once
        found = {name: of_game(name, folder) for name in MATCHES}
        found["builds"] = of_builds(folder)
    return {name: {what: round(n, 1) for what, n in counts.items()} for name, counts in found.items()}


def ceilings() -> Counts | None:
    """What may not be exceeded under this version of Python; None where nothing was blessed for it."""
    return _ceilings().get(PYTHON)


def _ceilings() -> dict[str, Counts]:
    found: dict[str, Counts] = json.loads(CEILINGS.read_text(encoding="utf-8")) if CEILINGS.exists() else {}
    return found


def above(found: Counts, most: Counts) -> list[str]:
    """Each count that is above its ceiling, or has none, in words."""
    lines = []
    for name, counts in found.items():
        for what, n in counts.items():
            ceiling = most.get(name, {}).get(what)
            if ceiling is None:
                lines.append(f"{name}: {what} has no ceiling")
            elif n > ceiling:
                lines.append(f"{name}: {what} {n:,.1f}, the ceiling is {ceiling:,.1f}")
    return lines


def bless(found: Counts) -> None:
    """Keep ceilings a little above these counts."""
    most = {
        name: {
            what: KEPT if what == "kept" else round(n * MARGINS.get(what, MARGIN) + 1, 1) for what, n in counts.items()
        }
        for name, counts in found.items()
    }
    text = json.dumps({**_ceilings(), PYTHON: most}, indent=1, sort_keys=True)
    CEILINGS.write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str]) -> None:
    random.seed(0)
    found = counted()
    if arguments == ["--json"]:
        print(json.dumps(found))
        return
    if arguments == ["--bless"]:
        bless(found)
    most = ceilings() or {}
    for name, counts in found.items():
        for what, n in counts.items():
            ceiling = most.get(name, {}).get(what)
            print(f"{name:10} {what:10} {n:12,.1f}   " + ("no ceiling" if ceiling is None else f"of {ceiling:,.1f}"))
    print("a match, as a multiple of the engine written by hand")
    with tempfile.TemporaryDirectory() as temporary:
        for name in MATCHES:
            found_there = beside_hand(name, Path(temporary))
            print(f"{name:10} {found_there['bytecodes']:.2f} bytecodes, {found_there['calls']:.2f} calls", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
