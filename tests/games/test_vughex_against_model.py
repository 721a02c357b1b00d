"""Vughex as built from its cards against the engine written by hand: same chance, same answers, the same state at
every decision."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path

import card_runtime as rt
import pytest
from cardc import pipeline

ROOT = Path(__file__).parents[2]


def engine():
    spec = importlib.util.spec_from_file_location("vughex_engine", ROOT / "benchmarks" / "engines" / "vughex.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Same:
    """Chance that depends on nothing but its seed and how often it was asked."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, name, items):
        order = list(items)
        self.random.shuffle(order)
        return order

    def pick(self, name, items):
        return items[int(self.random.random() * len(items))]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "vughex", tmp_path_factory.mktemp("built") / "vughex")
    assert outcome.files is not None
    return rt.load(where)


def ours(match) -> dict:
    """The state in the words of the hand-written engine."""
    m = match.state
    name = [m.printed[d].id for d in m.d]

    def ids(place):
        return [name[c] for c in m.places[place]]

    zone = {z.name: z.first for z in m.game.model.zones}
    units = m.game.model.boards[0].parts[0].first
    return {
        "sides": tuple("sun" if s == 0 else "moon" for s in m.p_side),
        "face": "sun" if m.s_face == 0 else "moon",
        "damage": tuple(m.p_damage),
        "holders": tuple(m.b_lanes·holder),
        "hands": tuple(tuple(ids(zone["hand"] + s)) for s in (0, 1)),
        "lanes": tuple(
            tuple(
                tuple((name[c], m.up[c], m.c_unit·silenced[c]) for c in m.places[units + lane * 2 + s]) for s in (0, 1)
            )
            for lane in range(3)
        ),
        "pile": tuple(ids(zone["pile"])),
        "waste": tuple(ids(zone["waste"])),
    }


def tupled(value):
    if isinstance(value, dict):
        return {k: tupled(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return tuple(tupled(v) for v in value)
    return value


@pytest.mark.parametrize("options", [{}, {"length": 1}, {"length": 3, "lane_order": "left_to_right"}], ids=str)
def test_same_state_at_every_decision(game, options):
    vughex = engine()
    decisions = 0
    for seed in range(60):
        hand = vughex.Vughex(
            random.Random(0),
            length=options.get("length", 2),
            lane_order=options.get("lane_order", "ascending"),
            chance=Same(seed),
        )
        match = game.start(seed, options=options, chance=Same(seed))
        choice = random.Random(seed + 1000)
        while True:
            theirs, mine = hand.decision(), match.decision
            assert (theirs is None) == (mine is None), (seed, decisions)
            if theirs is None or mine is None:
                break
            decisions += 1
            assert tupled(hand.snapshot()) == ours(match)
            seat, kind, options_there = theirs
            assert (seat, len(options_there)) == (mine.player, len(mine.options))
            assert mine.optional == (kind == "replace")
            assert all(o.id.startswith(kind) for o in mine.options)
            n = int(choice.random() * (len(options_there) + mine.optional))
            hand.choose(n if n < len(options_there) else -1)
            match.choose([n] if n < len(options_there) else [])
        assert match.result is not None and match.result.winner == hand.winner
        assert tuple(match.get("damage", s) for s in (0, 1)) == tuple(hand.damage)
    assert decisions > 60 * 15
