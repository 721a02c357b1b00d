"""Legends of Code and Magic as built from its cards against the engine written by hand: same chance, same choices, the
same state and the same options at every decision of version 1.2."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import card_runtime as rt
import pytest
from cardc import pipeline

ROOT = Path(__file__).parents[2]
MATCHES = 150


def load_engine() -> ModuleType:
    spec = importlib.util.spec_from_file_location("locm_engine", ROOT / "benchmarks" / "engines" / "locm.py")
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


class Ours:
    """A match in the words of the hand-written engine."""

    def __init__(self, match: rt.Match, letters) -> None:
        self.match = match
        self.letters = letters
        m = match.state
        self.zone = {z.name: z.first for z in m.game.model.zones}
        self.units = m.game.model.boards[0].parts[0].first

    def number(self, card: int) -> int:
        m = self.match.state
        return m.D_playable·number[m.d[card]]

    def place(self, card: int) -> str:
        """Where a creature lies: seat, lane and place."""
        m = self.match.state
        at = m.at[card]
        lane, seat = divmod(at - self.units, 2)
        return f"{seat} {lane} {m.places[at].index(card)}"

    def snapshot(self) -> dict:
        m = self.match.state
        over = self.match.result is not None

        def numbers(zone: str) -> list[list[int]]:
            return [[self.number(c) for c in m.places[self.zone[zone] + seat]] for seat in (0, 1)]

        def told(seat: int, lane: int) -> list[tuple]:
            out = []
            for c in m.places[self.units + 2 * lane + seat]:
                words = m.c_creature·words[c]
                able = seat == m.turn and self.match.get("able", f"#{c}")
                out.append((self.number(c), m.c_creature·power[c], m.c_creature·life[c], self.letters(words), able))
            return out

        lanes = [] if over else [[told(seat, lane) for seat in (0, 1)] for lane in (0, 1)]
        return {
            "health": m.p_health,
            "runes": m.p_rune,
            "max_mana": m.p_max_mana,
            "mana": 0 if m.turn is None else m.p_mana[m.turn],
            "bonus": m.p_bonus[1],
            "extra": m.p_extra,
            "turns": m.p_turns,
            "chosen": numbers("chosen"),
            "hands": numbers("hand"),
            "decks": numbers("deck"),
            "lanes": lanes,
        }

    def options(self) -> list[tuple[str, ...]]:
        m = self.match.state
        seat, site, options, _ = m.wait
        verbs = [a.verb for a in m.game.sites[site].alternatives]
        hand = m.places[self.zone["hand"] + seat]
        out = []
        for alternative, *picks in options:
            verb = verbs[alternative]
            match verb:
                case "pick":
                    out.append((verb, str(m.D_playable·number[picks[0]])))
                case "summon":
                    out.append((verb, str(hand.index(picks[0])), str(picks[1])))
                case "attack" | "rush":
                    out.append((verb, *map(self.place, picks)))
                case "use" | "hex":
                    out.append(("use", str(hand.index(picks[0])), self.place(picks[1])))
                case "blast":
                    out.append((verb, str(hand.index(picks[0]))))
                case _:
                    out.append((verb,))
        return out


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "locm", tmp_path_factory.mktemp("built") / "locm")
    assert outcome.files is not None
    return rt.load(where)


def test_same_state_at_every_decision(game):
    locm = load_engine()
    decisions, verbs = 0, set()
    for seed in range(MATCHES):
        engine = locm.Locm(random.Random(0), Same(seed))
        match = game.start(seed, chance=Same(seed), log_limit=0, undo_limit=0)
        ours = Ours(match, locm.letters)
        choice = random.Random(seed + 1000)
        while match.result is None:
            theirs = engine.snapshot()
            if engine.seat == 1 and len(theirs["chosen"][0]) > len(theirs["chosen"][1]):
                theirs["chosen"][0].pop()  # it is locked, but nobody knows it yet
            assert ours.snapshot() == theirs, (seed, decisions)
            assert match.state.wait[0] == engine.seat
            by_words = {engine.words(move): move for move in engine.legal()}
            options = ours.options()
            assert sorted(options) == sorted(by_words), (seed, decisions)
            n = int(choice.random() * len(options))
            verbs.add(options[n][0])
            engine.apply(by_words[options[n]])
            match.choose(n)
            decisions += 1
        assert not engine.legal()
        assert match.result.winner == engine.winner, seed
        assert {**ours.snapshot(), "lanes": []} == {**engine.snapshot(), "lanes": []}, seed
    assert verbs == {"pick", "summon", "attack", "rush", "use", "blast", "pass"}
    assert decisions > MATCHES * 120


def test_a_copy_of_the_engine_goes_on_by_itself():
    locm = load_engine()
    for seed in range(20):
        rng = random.Random(seed)
        match = locm.Locm(rng)
        bot = locm.random_bot(rng)
        for _ in range(100):
            if match.legal():
                match.apply(bot(match))
        before = match.snapshot()
        copy = match.copy()
        assert copy.snapshot() == before and copy.legal() == match.legal()
        locm.play(copy, (bot, bot))
        assert match.snapshot() == before
        while match.legal():
            match.apply(bot(match))
        assert match.winner in (0, 1)
