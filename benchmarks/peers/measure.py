"""The cost of one random decision: here, and in other libraries. Run by `run.py` in an environment of its own.

A decision is a question to a player, with all that belongs to it: listing what may be chosen, drawing one of it evenly,
carrying it out, with the chance that follows; the beginning of a match is shared out among its decisions. Each row is
the best of some samples.
"""

import importlib.util
import platform
import random
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

SAMPLES = 5
SECONDS = 0.6
"""How long a sample takes, about."""
CARD_LIST = Path(__file__).parents[2] / "tests" / "data" / "locm" / "cardlist.txt"

Playout = Callable[[int], int]
"""Plays one match to its end and returns how many decisions it had."""


def row(name: str, playout: Playout) -> float:
    """Print what a match and a decision take, and return the microseconds of a match."""
    sample(playout, matches := 1)  # what is made once is not measured
    while (taken := sample(playout, matches)[0]) < SECONDS / 3:
        matches = max(matches * 2, int(matches * SECONDS / max(taken, 1e-6) / 2))
    best, decisions = min(sample(playout, matches) for _ in range(SAMPLES))
    a_match, a_decision = best / matches * 1e6, best / decisions * 1e6
    each = f"{decisions / matches:10.1f} {a_match:12,.0f} {a_decision:10.2f}"
    print(f"{name:48} {each}", flush=True)
    return a_match


def sample(playout: Playout, matches: int) -> tuple[float, int]:
    """The seconds of CPU and the decisions of so many matches, always the same."""
    random.seed(1)
    start = time.process_time()
    decisions = sum(playout(seed) for seed in range(matches))
    return time.process_time() - start, decisions


# ---- This library


def built(folder: Path) -> Any:
    import card_runtime as rt

    return rt.load(folder)


def whole(game: Any) -> Playout:
    return lambda seed: int(game.playout_state(seed).decisions)


def stepped(game: Any) -> Playout:
    """A match as a program drives it that looks at each decision."""
    draw = random.random

    def playout(seed: int) -> int:
        match = game.start(seed, log_limit=0, undo_limit=0)
        n = 0
        while (decision := match.decision) is not None:
            i = int(draw() * (decision.count + decision.optional))
            match.choose([i] if i < decision.count else [])
            n += 1
        return n

    return playout


def by_hand() -> Playout:
    path = Path(__file__).parents[1] / "engines" / "locm.py"
    spec = importlib.util.spec_from_file_location("engine_locm", path)
    assert spec is not None and spec.loader is not None
    engine = importlib.util.module_from_spec(spec)
    sys.modules["engine_locm"] = engine
    spec.loader.exec_module(engine)

    def playout(seed: int) -> int:
        match = engine.Locm(random.Random(seed))
        draw = random.random
        n = 0
        while moves := match.legal():
            match.apply(moves[int(draw() * len(moves))])
            n += 1
        return n

    return playout


# ---- gym-locm: the same game


def gym_locm() -> Playout:
    resources = Path(str(import_module("gym_locm").__file__)).parent / "engine" / "resources"
    resources.mkdir(exist_ok=True)
    shutil.copy(CARD_LIST, resources)  # its wheel lacks it
    engine = import_module("gym_locm.engine")
    draw, ended = random.random, engine.Phase.ENDED

    def playout(seed: int) -> int:
        state = engine.State(seed=seed, version="1.2")
        n = 0
        while state.phase != ended:
            actions = state.available_actions
            state.act(actions[int(draw() * len(actions))])
            n += 1
        return n

    return playout


# ---- OpenSpiel and RLCard: other games of cards


def open_spiel(name: str) -> Playout:
    game = import_module("pyspiel").load_game(name)
    draw = random.random

    def playout(seed: int) -> int:
        state = game.new_initial_state()
        n = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, chances)[0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                n += 1
        return n

    return playout


def rlcard(name: str) -> Playout:
    env = import_module("rlcard").make(name, config={"seed": 1})
    draw = random.random

    def playout(seed: int) -> int:
        state, _ = env.reset()
        n = 0
        while not env.is_over():
            actions = list(state["legal_actions"])
            state, _ = env.step(actions[int(draw() * len(actions))])
            n += 1
        return n

    return playout


def named(package: str) -> str | None:
    """A package with its version, or None where it is not installed."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return None


def main(folder: Path) -> None:
    warnings.simplefilter("ignore")
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print(f"{'':48} {'decisions':>10} {'µs a match':>12} {'a decision':>10}")
    locm, vughex = built(folder / "locm"), built(folder / "vughex")
    print("Legends of Code and Magic 1.2, whole matches with the draft")
    ours = row("cardc: playout", whole(locm))
    row("cardc: step by step", stepped(locm))
    row("the engine written by hand", by_hand())
    if library := named("gym-locm"):
        theirs = row(library, gym_locm())
        print(f"{'':4}a match there takes {theirs / ours:.1f} times as long as a playout here")
    else:
        print("gym-locm is not installed here, so it is not measured")
    print("Other games of cards")
    row("cardc: Vughex, playout", whole(vughex))
    row("cardc: Vughex, step by step", stepped(vughex))
    peers: list[tuple[str, Callable[[str], Playout], tuple[str, ...]]] = [
        ("open-spiel", open_spiel, ("leduc_poker", "gin_rummy", "dou_dizhu", "crazy_eights")),
        ("rlcard", rlcard, ("leduc-holdem", "gin-rummy", "doudizhu", "uno")),
    ]
    for package, playout, games in peers:
        if library := named(package):
            for game in games:
                row(f"{library}: {game}", playout(game))
        else:
            print(f"{package} is not installed here, so it is not measured")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
