"""Moonga as built from its cards, with its expansion, against the engine written by hand: same chance, same answers,
the same state and the same options at every decision, in both ways to choose."""

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
MATCHES = 2000 if os.environ.get("CARDC_LONG") else 120

OPTIONS = [
    {},
    {"choice": "simultaneous"},
    {"ko": "on_damage", "double_ko": "first_attacker"},
    {"choice": "simultaneous", "change_order": "second_chooser", "stake": 30, "ko": "on_damage"},
    {"change_order": "second_chooser", "competition": False},
    {"failing": "lose_all", "boost_counts": True, "last_health": True},
    {"failing": "invest_nothing", "last_health": True, "ko": "on_damage", "choice": "simultaneous"},
]


class Same:
    """Chance that depends on nothing but its seed and how often it was asked."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, name, items):
        assert name == "pick first"
        return items[int(self.random.random() * len(items))]

    def shuffle(self, name, items):
        raise AssertionError(f"nothing is shuffled in this game: {name}")


@pytest.fixture(scope="module")
def moonga():
    spec = importlib.util.spec_from_file_location("moonga_engine", ROOT / "benchmarks" / "engines" / "moonga.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    outcome, base = pipeline.build(ROOT / "cards" / "moonga", out / "moonga")
    assert outcome.files is not None, outcome.findings
    outcome, densara = pipeline.build(ROOT / "cards" / "moonga" / "densara", out / "densara", base=base)
    assert outcome.files is not None, outcome.findings
    return rt.load(base, expansions=[densara])


def told(m, s, switched, boosted, form, n, supported):
    """A way to play a spell, in the words of the hand-written engine."""
    level = None if form is None else int(m.printed[form].id.split("/")[1])
    spell = m.printed[m.base[m.d[s]]].id
    return {
        "spell": spell, "supported": supported, "switched": switched, "boosted": boosted, "level": level, "invested": n,
    }  # fmt: skip


def ours(m):
    """The state in the words of the hand-written engine."""
    zone = {z.name: z.first for z in m.game.model.zones}
    parts = {p.name: p.first for p in m.game.model.boards[0].parts}

    def ids(place):
        return [m.printed[m.base[m.d[c]]].id for c in m.places[place]]

    def played(seat):
        cards = m.places[parts["attack"] + seat]
        if not cards:
            return None
        (c,) = cards
        state = (m.c_attack_spell·switched[c], m.c_attack_spell·boosted[c], m.c_attack_spell·evolved[c])
        return told(m, c, *state, m.p_invested[seat], m.p_supported[seat])

    return {
        "first": m.s_first,
        "health": list(m.p_health),
        "power": list(m.p_power),
        "hands": [ids(zone["hand"] + s) for s in (0, 1)],
        "sleeves": [ids(zone["sleeve"] + s) for s in (0, 1)],
        "spent": [ids(zone["spent"] + s) for s in (0, 1)],
        "arena": [played(s) for s in (0, 1)],
    }


def random_deck(moonga, rng):
    spells = [s.name for s in moonga.SPELLS]
    supports = [name for name, _ in moonga.SUPPORTS]
    if rng.random() < 0.3:  # exchangers and what evolves meet more often
        meeting = ("aodh_dark", "elder", "hollow_oak", "ice_mirror", "mirror_salamander", "mist_shaman", "sun_lancer")
        spells = [s.name for s in moonga.SPELLS if s.evolutions or s.name in meeting]
        supports = ["false_mirror", "mirror_shard", "spirit_mask", "twisted_reflection", "hush", "silence"]
    return [*rng.sample(spells, 4), rng.choice(supports)]


def collection(moonga, rng):
    """What a player owns: everything, or some of it, as pairs for the engine and as ids for the game."""
    if rng.random() < 0.5:
        return None, None
    every = [(s.name, level) for s in moonga.SPELLS for level in s.evolutions]
    some = [e for e in every if rng.random() < 0.6]
    return set(some), [f"{name}/{level}" for name, level in some]


def test_the_same_cards(moonga, game):
    printed = {c.id: c for c in game.cards}
    assert {c.id for c in game.cards if c.kind == "attack_spell" and c.base is None} == {s.name for s in moonga.SPELLS}
    assert {c.id for c in game.cards if c.kind == "support_spell"} == {name for name, _ in moonga.SUPPORTS}
    elements = ["darkness", "earth", "ether", "fire", "ice", "light", "water"]
    groups = next(e.members for e in game.model.enums if e.name == "group")
    theirs = ["beasts", "charms", "creatures", "divine", "doom", "dragons", "faerie", "humans", "mythical"]
    theirs += ["spell_creator", "shamans"]
    assert set(groups) == set(theirs)
    for spell in moonga.SPELLS:
        fields = printed[spell.name].fields
        face = spell.face
        numbers = {"attack": face.attack, "defense": face.defense, "damage": face.damage}
        assert fields.items() >= numbers.items(), spell.name
        assert fields.get("cast", 0) == spell.cast
        assert fields["element"] == elements[face.element]
        assert {g for i, g in enumerate(theirs) if face.groups >> i & 1} == set(fields["groups"])
        forms = [f for f in game.cards if f.base == spell.name]
        assert {int(f.id.split("/")[1]) for f in forms} == set(spell.evolutions)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_same_state_at_every_decision(moonga, game, options):
    decisions = 0
    seen = set()
    for seed in range(MATCHES):
        rng = random.Random(f"{seed} {options}")
        decks = [random_deck(moonga, rng) for _ in (0, 1)]
        owned = [collection(moonga, rng) for _ in (0, 1)]
        ranks = (rng.randrange(900, 1200), rng.randrange(900, 1200))
        costs = {name: value for name, value in options.items() if name in moonga.Table._fields}
        hand = moonga.Moonga(
            random.Random(0),
            tuple(moonga.Deck(deck, have, moonga.Table(**costs)) for deck, (have, _) in zip(decks, owned, strict=True)),
            rankings=ranks,
            chance=Same(seed),
            **{name: value for name, value in options.items() if name not in costs},
        )
        inputs = {"collection": [ids for _, ids in owned], "ranking": list(ranks)}
        match = game.start(seed, decks=decks, options=options, inputs=inputs, chance=Same(seed))
        lower = rng.choice((0.3, 1.0))  # often spend little, so that later rounds have something to decide
        while True:
            theirs, mine = hand.decision(), match.decision
            assert (theirs is None) == (mine is None), (seed, decisions)
            if theirs is None:
                break
            decisions += 1
            m = match.state
            assert hand.snapshot() == ours(m), (seed, decks)
            seat, offered = theirs
            assert (seat, False) == (mine.player, mine.optional)
            options_here = [told(m, s, w, b, e, n, t is not None) for _, s, w, b, e, n, t in m.wait[2]]
            assert offered == options_here, (seed, decks)
            assert len({o.id for o in mine.options}) == len(offered)
            n = int(rng.random() * len(offered))
            if rng.random() > lower:
                n = min(range(len(offered)), key=lambda i: (offered[i]["invested"], (i - n) % len(offered)))
            seen.add(tuple(offered[n].values())[1:5])
            hand.choose(n)
            match.choose(n)
        result = match.result
        winner = None if hand.winner == -1 else hand.winner
        assert (result.winner, result.reason) == (winner, hand.reason), (seed, decks)
        for name in ("xp", "coins", "points"):
            assert [s[name] for s in result.scores] == getattr(hand, name)
        assert list(match.state.p_health) == hand.health and list(match.state.p_power) == hand.power, (seed, decks)
    assert decisions > MATCHES * 5
    assert len(seen) > 10  # all ways to play came up
