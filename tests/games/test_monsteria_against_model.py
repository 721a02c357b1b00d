"""Monsteria as built from its cards against the engine written by hand: same chance, same answers, the same state at
every decision; the decks that come with the game, and decks of any cards under any options."""

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


def engine():
    spec = importlib.util.spec_from_file_location("monsteria_engine", ROOT / "benchmarks" / "engines" / "monsteria.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


monsteria = engine()


class Same:
    """Chance that depends on nothing but its seed and how often it was asked."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = []

    def shuffle(self, name, items):
        self.names.append((name, tuple(items)))
        order = list(items)
        self.random.shuffle(order)
        return order

    def pick(self, name, items):
        self.names.append((name, tuple(items)))
        return items[int(self.random.random() * len(items))]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "monsteria", tmp_path_factory.mktemp("built") / "monsteria")
    assert outcome.files is not None
    return rt.load(where)


def ours(m):
    """The state in the words of the hand-written engine."""
    name = [m.printed[d].id for d in m.d]
    zone = {z.name: z.first for z in m.game.model.zones}
    found = {
        key: list(getattr(m, f"p_{key}")) for key in ("health", "cp", "spent", "energy", "defending", "draws", "drew")
    }
    found["turns"] = m.s_turns
    for key in ("deck", "hand", "stored", "played", "belt", "banished", "stakes"):
        found[key] = [[name[c] for c in m.places[zone[key] + seat]] for seat in (0, 1)]
    return found


def draw_deck(rng):
    """A legal deck of any cards."""
    deck = []
    size = rng.randint(10, 20)
    while len(deck) < size:
        card = rng.choice(monsteria.CARDS[: monsteria.FIRST_CONSUMABLE])
        most = 1 if monsteria.COST[monsteria.NUMBER[card]] == 5 else 5
        copies = min(rng.randint(1, most), most - deck.count(card), size - len(deck))
        deck += [card] * max(0, copies)
    rng.shuffle(deck)
    if rng.random() < 0.9:
        deck.append(rng.choice(monsteria.CONSUMABLES))
    return deck


def draw_options(rng):
    """Options of the game, and what they are called in the engine."""
    options = {"max_turns": rng.choice((60, 150, 500))}
    arguments = dict(options)
    for name, values, argument, meant in (
        ("max_health", (0, 5000, 5500), "max_health", (0, 5000, 5500)),
        ("begins", ("coin", "seat_0", "seat_1"), "begins", (-1, 0, 1)),
        ("consumables", ("any_time", "own_turn"), "any_time", (True, False)),
        ("halves", ("rounded_down", "rounded_up"), "round_up", (False, True)),
        ("token", ("after_effect", "before_effect"), "token_first", (False, True)),
        ("own_damage", ("in_full", "halved"), "own_halved", (False, True)),
    ):
        i = rng.randrange(len(values)) if rng.random() < 0.5 else 0
        options[name], arguments[argument] = values[i], meant[i]
    return options, arguments


def compare(game, seed, decks, options, arguments):
    """Play one match in both; the number of decisions."""
    mine, theirs = Same(seed), Same(seed)
    numbers = [[monsteria.NUMBER[c] for c in deck] for deck in decks]
    hand = monsteria.Monsteria(random.Random(0), *numbers, chance=theirs, **arguments)
    match = game.start(seed, decks=decks, options=options, chance=mine, log_limit=0, undo_limit=0)
    choice = random.Random(seed + 1000)
    decisions = 0
    while True:
        expected, decision = hand.decision(), match.decision
        assert (expected is None) == (decision is None), (seed, decisions, expected)
        if expected is None or decision is None:
            break
        decisions += 1
        assert hand.snapshot() == ours(match.state), (seed, decisions)
        seat, kind, options_there = expected
        assert (seat, len(options_there)) == (decision.player, decision.count), (seed, decisions, expected)
        assert decision.optional == (kind == "may")
        for there, option in zip(options_there, decision.options, strict=True):
            assert option.id.split(" #")[0] == " ".join(map(str, there)), (seed, decisions)
        n = int(choice.random() * (decision.count + decision.optional))
        declined = n == decision.count
        hand.choose(-1 if declined else n)
        match.choose([] if declined else n)
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (hand.winner if hand.winner >= 0 else None, hand.result)
    # a consumable that ends the battle is not put back any more
    assert {**hand.snapshot(), "belt": None} == {**ours(match.state), "belt": None}
    assert mine.names == theirs.names
    return decisions


def test_the_engine_has_the_cards_of_the_game(game):
    cost = {"common": 1, "uncommon": 2, "rare": 3, "epic": 4, "unique": 5}
    kinds = {"damage_card": monsteria.DAMAGE, "support_card": monsteria.SUPPORT, "special_card": monsteria.SPECIAL}
    kinds["consumable"] = monsteria.CONSUMABLES
    assert {c.id for c in game.cards} == set(monsteria.CARDS)
    for card in game.cards:
        assert card.id in kinds[card.kind]
        rarity = cost[card.fields["rarity"]] if "rarity" in card.fields else 0
        assert monsteria.COST[monsteria.NUMBER[card.id]] == rarity
    for deck in game.decks:
        listed = sorted(monsteria.NUMBER[card] for count, card in deck.entries for _ in range(count))
        assert sorted(monsteria.DECKS[deck.name]) == listed


@pytest.mark.parametrize("first", ["hammer", "wall", "wheel", "thieves"])
def test_the_decks_of_the_game(game, first):
    lists = {d.name: [card for count, card in d.entries for _ in range(count)] for d in game.decks}
    for i, second in enumerate(sorted(lists)):
        for seed in range(100 if LONG else 3):
            compare(game, seed + 1000 * i, [lists[first], lists[second]], {}, {})


@pytest.mark.parametrize("part", range(8))
def test_any_decks_under_any_options(game, part):
    for seed in range(400 if LONG else 12):
        rng = random.Random(f"{part} {seed}")
        decks = [draw_deck(rng), draw_deck(rng)]
        options, arguments = draw_options(rng)
        if rng.random() < 0.3:
            options["ante"] = arguments["ante"] = True
            options["ante_counts"] = True
        compare(game, seed, decks, options, arguments)
