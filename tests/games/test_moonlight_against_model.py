"""Moonlight as built from its cards against the engine written by hand: same chance, same answers, the same state and
the same options at every decision. CARDC_LONG=1 plays twenty times as many matches."""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from pathlib import Path

import card_runtime as rt
import pytest
from cardc import pipeline

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))
VARIANTS = [
    {},
    {"lines": "columns", "corners": "any", "tie_break": "visible"},
    {"corners": "full", "protect_latest": True, "next_start": "winner", "replay_start": "other"},
    {"next_start": "drawn", "replay_start": "drawn", "first_start": "player_1"},
]


def engine():
    spec = importlib.util.spec_from_file_location("moonlight_engine", ROOT / "benchmarks" / "engines" / "moonlight.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Same:
    """Chance that depends on nothing but its seed and how often it was asked; it remembers the names of events."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []

    def shuffle(self, name, items):
        self.names.append(name)
        order = list(items)
        self.random.shuffle(order)
        return order

    def pick(self, name, items):
        self.names.append(name)
        return items[int(self.random.random() * len(items))]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "moonlight", tmp_path_factory.mktemp("built") / "moonlight")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


class Reader:
    """Reads the state of a match in the words of the hand-written engine."""

    def __init__(self, game) -> None:
        self.zone = {z.name: z.first for z in game.model.zones}
        self.grid = game.grids["territory"]
        self.first = game.model.boards[0].parts[0].first

    def stacks(self, m):
        """The stacks of the outline by column and row from its upper left corner, and the place of that corner."""
        found = {}
        for element in range(self.grid.columns * self.grid.rows):
            if m.places[self.first + element]:
                found[element % self.grid.columns, element // self.grid.columns] = m.places[self.first + element]
        if not found:
            return {}, (self.grid.columns // 2, self.grid.rows // 2)
        x0, y0 = min(x for x, _ in found), min(y for _, y in found)
        return {(x - x0, y - y0): stack for (x, y), stack in found.items()}, (x0, y0)

    def snapshot(self, match):
        m = match.state
        name = [m.printed[d].id for d in m.d]
        stacks, _ = self.stacks(m)
        width = max((x for x, _ in stacks), default=-1) + 1
        height = max((y for _, y in stacks), default=-1) + 1
        where = {card: at for at, stack in stacks.items() for card in stack}

        def ids(zone, seat=0):
            return [name[c] for c in m.places[self.zone[zone] + seat]]

        def first(items):
            return items[0] if items else None

        tops = [stack[-1] for _, stack in sorted(stacks.items(), key=lambda s: (s[0][1], s[0][0]))]
        return {
            "first": m.s_first,
            "wins": m.p_wins,
            "points": m.p_points,
            "taken": m.p_taken,
            "decks": [ids("deck", s) for s in (0, 1)],
            "hands": [ids("hand", s) for s in (0, 1)],
            "lairs": [ids("lair", s) for s in (0, 1)],
            "powers": [first(ids("powers", s)) for s in (0, 1)],
            "offer": ids("offer"),
            "territory": [
                [[(name[c], m.own[c]) for c in stacks.get((x, y), [])] for x in range(width)] for y in range(height)
            ],
            "latest": [None if card is None else where[card] for card in m.p_latest],
            "safe": [where[card] for card in tops if m.game.code["v_safe"](m, card)],
        }

    def options(self, match):
        m = match.state
        stacks, (x0, y0) = self.stacks(m)
        where = {card: at for at, stack in stacks.items() for card in stack}
        columns = self.grid.columns
        found = []
        for option, (_, *picked) in zip(match.decision.options, m.wait[2], strict=True):
            verb = option.value["verb"]
            words = [verb]
            for value, pick in zip(picked, option.value["picks"], strict=True):
                if pick == "s":
                    words += [value % columns - x0, value // columns - y0]
                elif value in where:
                    words += where[value]
                else:
                    words.append(m.printed[m.d[value]].id)
            found.append(tuple(words))
        return found


def expected(hand, protect_latest: bool):
    """What the engine's state is in those words."""
    state = hand.snapshot()
    stacks = {(x, y): stack for y, row in enumerate(state["territory"]) for x, stack in enumerate(row) if stack}
    safe = set(state.pop("guarded"))
    del state["to_place"]
    if protect_latest:
        safe |= {at for seat, at in enumerate(state["latest"]) if at is not None and stacks[at][-1][1] == seat}
    state["safe"] = sorted(safe, key=lambda at: (at[1], at[0]))
    if not protect_latest:
        state["latest"] = [None, None]  # the frame does not keep what no rule asks for
    return state


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_same_state_and_options_at_every_decision(game, options):
    moonlight = engine()
    reader = Reader(game)
    decisions = 0
    kinds, ends = set(), set()
    for seed in range(600 if LONG else 60):
        chances = Same(seed), Same(seed)
        hand = moonlight.Moonlight(random.Random(0), chance=chances[0], **options)
        match = game.start(seed, options=options, chance=chances[1])
        choice = random.Random(seed + 1000)
        while True:
            theirs, mine = hand.decision(), match.decision
            assert (theirs is None) == (mine is None), (seed, decisions)
            if theirs is None or mine is None:
                break
            decisions += 1
            assert reader.snapshot(match) == expected(hand, options.get("protect_latest", False))
            seat, kind, words = theirs
            kinds.add(kind)
            assert (seat, words) == (mine.player, reader.options(match))
            assert mine.optional == (kind in ("guard", "scout", "trot", "bury"))
            n = int(choice.random() * (len(words) + mine.optional))
            covers = [i for i, words_of in enumerate(words) if words_of[0] == "cover"]
            if covers and seed % 2:  # many covers: hands run out before the rectangle is full
                n = covers[n % len(covers)]
            full = hand.occupied.bit_count()
            hand.choose(n if n < len(words) else -1)
            match.choose([n] if n < len(words) else [])
            if kind == "place" and hand.kind in (0, moonlight.RECRUIT):
                ends.add(full)
        assert match.result is not None and match.result.winner == hand.winner
        assert [s["wins"] for s in match.result.scores] == hand.wins
        assert chances[0].names == chances[1].names
    assert decisions > 60 * 20
    assert 11 in ends and len(ends) > 1
    assert kinds == {"place", "recruit", "learn", "guard", "scout", "sink", "trot", "bury"}
