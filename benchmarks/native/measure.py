"""Prints the microseconds of a random playout: of a built game, of one whose code is in a module, or of an engine.

`python measure.py GAME [MODULE]`, `python measure.py ENGINE.py`. Run by `run.py`."""

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SAMPLES, MATCHES = 4, 1000


def with_code(game: Any, name: str) -> None:
    """Put the functions of a module in the place of those that a game runs in playouts."""
    from card_runtime.binding import line_function, slot_function

    module = vars(importlib.import_module(name))
    own = {key: value for key, value in module.items() if callable(value) and not key.startswith("__")}
    module.update({key: value for key, value in game.code.items() if key not in own and not key.startswith("__")})
    space = game.quiet()
    missing = [key for key, value in space.items() if callable(value) and key not in module]
    assert not missing, f"not in {name}: {missing}"
    space.update(own)
    for line_name, line in game.lines.items():
        line.quiet = own[line_function(line.kind, line_name)]
        line.holds = own.get(f"q_{line_name}", line.holds)
    for (card, slot_name), slot in game.slot_code.items():
        slot.quiet = own[slot_function(card, slot_name)]


def engine(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("engine", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["engine"] = module
    spec.loader.exec_module(module)
    return module


def least(playout: Callable[[int], object]) -> float:
    times = []
    for _ in range(SAMPLES):
        start = time.process_time()
        for seed in range(MATCHES):
            playout(seed)
        times.append(time.process_time() - start)
    return min(times) / MATCHES * 1e6


def main(path: Path, module: str | None) -> None:
    if path.suffix == ".py":
        print(least(engine(path).playout))
        return
    import card_runtime as rt
    from card_runtime.match import state_hash

    game = rt.load(path)
    if module is not None:
        same = [state_hash(game.playout_state(seed)) for seed in range(50)]
        with_code(game, module)
        assert [state_hash(game.playout_state(seed)) for seed in range(50)] == same, "compiled code plays otherwise"
    print(least(lambda seed: game.playout(seed=seed)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
