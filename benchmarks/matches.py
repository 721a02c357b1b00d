"""Random matches: the built game against an engine written by hand for that game alone.

Both play the same number of whole matches in this one process, in turns; what counts is the ratio of the least times.
`python benchmarks/matches.py [GAME …]`; without names, every game.
"""

import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from card_runtime import load
from cardc.pipeline import build

HERE = Path(__file__).parent
MATCHES = {"locm": 2000, "monsteria": 600, "moonga": 10000, "moonlight": 2000, "vughex": 6000}
"""How many matches one sample has: so many that it hardly matters how long those are that chance makes of them."""
SAMPLES = 3


def engine(game: str) -> Any:
    """The engine that is written by hand; it has `playout(seed)`."""
    name = f"engine_{game}"
    spec = importlib.util.spec_from_file_location(name, HERE / "engines" / f"{game}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def cpu(playout: Callable[[int], object], matches: int) -> float:
    start = time.process_time()
    for seed in range(matches):
        playout(seed)
    return time.process_time() - start


def main(games: list[str]) -> None:
    print(f"{'game':10} {'by hand':>12} {'built':>12}   ratio")
    for name in games:
        with tempfile.TemporaryDirectory() as folder:
            by_hand = engine(name).playout
            built = load(build(HERE.parent / "cards" / name, Path(folder))[1]).playout
            n = MATCHES[name]
            cpu(by_hand, n), cpu(built, n)  # the first round warms both up
            times = [(cpu(by_hand, n), cpu(built, n)) for _ in range(SAMPLES)]
            hand, ours = min(x[0] for x in times), min(x[1] for x in times)
        print(f"{name:10} {n / hand:10.0f}/s {n / ours:10.0f}/s   {ours / hand:.2f}", flush=True)


if __name__ == "__main__":
    unknown = [x for x in sys.argv[1:] if x not in MATCHES]
    if unknown:
        sys.exit(f"no game called {unknown[0]}; there are {', '.join(MATCHES)}")
    main(sys.argv[1:] or list(MATCHES))
