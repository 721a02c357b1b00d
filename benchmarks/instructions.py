"""Random matches counted by the processor's work: instructions, and how often its nearest cache lacks what is read.

The built game beside the engine written by hand, as in `matches.py`, under valgrind's cachegrind, so it takes some
minutes, and gives nearly the same on a busy machine. `python benchmarks/instructions.py [GAME …]`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from card_runtime import load
from cardc.pipeline import build
from matches import HERE, MATCHES, engine

WARM = 60
"""How many matches are played first; what they count is taken away."""
COUNTED = {"I refs": "instructions", "D1 misses": "misses of data"}


def run(name: str, package: Path | None, matches: int) -> None:
    """Play, in the process that is counted."""
    playout: Callable[[int], Any] = engine(name).playout if package is None else load(package).playout
    for seed in range(WARM):
        playout(seed)
    for seed in range(matches):
        playout(seed)


def count(name: str, package: Path | None, matches: int) -> dict[str, int]:
    """What a process counts that plays so many matches."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"]
    where = [] if package is None else [str(package)]
    command = [*tool, sys.executable, __file__, "--run", name, str(matches), *where]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    lines = (re.match(r"==\d+== (\w+ +\w+): +([\d,]+)", line) for line in told.splitlines())
    found = {" ".join(line[1].split()): int(line[2].replace(",", "")) for line in lines if line is not None}
    return {label: found[name] for name, label in COUNTED.items()}


def per_match(name: str, package: Path | None) -> dict[str, float]:
    matches = MATCHES[name] // 8
    before, after = count(name, package, 0), count(name, package, matches)
    return {label: (after[label] - before[label]) / matches for label in before}


def main(games: list[str]) -> None:
    print(f"{'game':10} {'':15} {'by hand':>12} {'built':>12}   ratio")
    for name in games:
        with tempfile.TemporaryDirectory() as folder:
            package = build(HERE.parent / "cards" / name, Path(folder))[1]
            game = load(package)
            for seed in range(WARM + MATCHES[name] // 4):
                game.playout(seed=seed)
            game.keep()  # so nothing is linked where it is counted
            by_hand, built = per_match(name, None), per_match(name, package)
        for label, ours in built.items():
            hand = by_hand[label]
            print(f"{name:10} {label:15} {hand:12,.0f} {ours:12,.0f}   {ours / hand:.2f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], Path(sys.argv[4]) if len(sys.argv) > 4 else None, int(sys.argv[3]))
    elif shutil.which("valgrind") is None:
        sys.exit("valgrind was not found, so nothing is counted")
    else:
        unknown = [x for x in sys.argv[1:] if x not in MATCHES]
        if unknown:
            sys.exit(f"no game called {unknown[0]}; there are {', '.join(MATCHES)}")
        main(sys.argv[1:] or list(MATCHES))
