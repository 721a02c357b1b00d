"""Many random matches of Monsteria: nothing gets lost, nobody sees what he may not, and nothing grows for ever.

CARDC_LONG=1 plays 5,000 matches instead of a hundred.
"""

from __future__ import annotations

import os
import random
import tracemalloc
from collections import Counter
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.match import state_hash
from cardc import pipeline

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))
MATCHES = 5000 if LONG else 100
NAMES = ("hammer", "wall", "wheel", "thieves")
ZONES = ("deck", "hand", "stored", "played", "belt", "stakes", "banished")
OPTIONS = {
    "max_turns": (60, 200, 500),
    "max_health": (0, 0, 5000, 5500),
    "begins": ("coin", "seat_0", "seat_1"),
    "consumables": ("any_time", "any_time", "own_turn"),
    "halves": ("rounded_down", "rounded_up"),
    "token": ("after_effect", "before_effect"),
    "own_damage": ("in_full", "halved"),
    "ante": (False, False, True),
    "ante_counts": (True,),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "monsteria", tmp_path_factory.mktemp("built") / "monsteria")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def draw_deck(game, rng):
    """A legal deck of any cards."""
    monsters = [c for c in game.cards if c.kind != "consumable"]
    deck = []
    size = rng.randint(10, 20)
    while len(deck) < size:
        card = rng.choice(monsters)
        most = 1 if card.fields["rarity"] == "unique" else 5
        deck += [card.id] * max(0, min(rng.randint(1, most), most - deck.count(card.id), size - len(deck)))
    if rng.random() < 0.9:
        deck.append(rng.choice([c.id for c in game.cards if c.kind == "consumable"]))
    assert game.check_deck(deck) == []
    return deck


def setting(game, seed):
    """Decks and options of a match: every second one has decks of any cards, under any options."""
    rng = random.Random(seed)
    if seed % 2:
        decks = [draw_deck(game, rng), draw_deck(game, rng)]
        return {"decks": decks, "options": {name: rng.choice(values) for name, values in OPTIONS.items()}}
    return {"decks": [rng.choice(NAMES), rng.choice(NAMES)], "options": {}}


class Watch:
    """What must hold at every decision of one match."""

    def __init__(self, m):
        model = m.game.model
        firsts = [next(z.first for z in model.zones if z.name == name) for name in ZONES]
        _, self.hand, self.stored, _, self.belt, _, self.banished = firsts
        self.places = [*firsts, model.boards[0].parts[0].first]
        self.damage = next(i for i, k in enumerate(model.kinds) if k.name == "damage_card")
        self.sizes = [len(deck) for deck in m.decks]
        self.energy = [0, 0]
        self.gone = [[], []]
        self.decisions = 0

    def check(self, m):
        self.decisions += 1
        for seat in (0, 1):
            cp, spent, energy = m.p_cp[seat], m.p_spent[seat], m.p_energy[seat]
            assert cp + spent == 10 and cp >= 0 and spent >= 0
            before = self.energy[seat]
            assert 0 <= energy <= 4 and (-1 <= energy - before <= 2 or (before == 4 and energy == 0))
            self.energy[seat] = energy
            assert m.p_health[seat] > 0
            assert sum([len(m.places[first + seat]) for first in self.places]) == self.sizes[seat]
            stored = m.places[self.stored + seat]
            assert len(m.places[self.hand + seat]) <= 1 and len(stored) <= 1 and len(m.places[self.belt + seat]) <= 1
            assert not stored or m.K[m.d[stored[0]]] != self.damage
            banished = m.places[self.banished + seat]
            assert banished[: len(self.gone[seat])] == self.gone[seat]
            self.gone[seat] = banished[:]
        if self.decisions % 50 == 0:
            self.check_cards(m)

    def check_cards(self, m):
        """Every card is where it says it is, once, and its owner's; the winner has both antes."""
        found = []
        for seat in (0, 1):
            places = [first + seat for first in self.places]
            cards = [card for place in places for card in m.places[place]]
            assert all(m.own[card] == seat for card in cards)
            assert all(m.at[card] == place for place in places for card in m.places[place])
            assert m.result is not None or sorted(cards) == sorted(m.decks[seat])
            found += cards
        assert sorted(found) == sorted(m.decks[0] + m.decks[1])


@pytest.mark.parametrize("part", range(10))
def test_nothing_is_lost_in_random_matches(game, part):
    reasons = Counter()
    for seed in range(part, MATCHES, 10):
        match = game.start(seed, **setting(game, seed), log_limit=0, undo_limit=0)
        watch, rng = Watch(match.state), random.Random(seed)
        while (decision := match.decision) is not None:
            watch.check(match.state)
            n = int(rng.random() * (decision.count + decision.optional))
            match.choose(n if n < decision.count else [])
        watch.check_cards(match.state)
        reasons[match.result.reason] += 1
    assert reasons.keys() <= {"No health left", "Too many turns"}, reasons
    assert reasons["No health left"] > 0


def test_playouts_end_as_stepped_matches_do(game):
    for seed in range(MATCHES // 5):
        start = setting(game, seed)
        rng, answers = random.Random(seed), []

        def ask(seat, n, rng=rng, answers=answers):
            answers.append((seat, n, int(rng.random() * n)))
            return answers[-1][2]

        whole = game.playout_state(seed, ask=ask, **start)
        match = game.start(seed, **start, log_limit=0, undo_limit=0)
        for seat, n, answer in answers:
            decision = match.decision
            assert (decision.player, decision.count + decision.optional) == (seat, n)
            match.choose(answer if answer < decision.count else [])
        assert match.decision is None
        assert state_hash(whole) == match.state_hash(), seed


def test_a_saved_match_goes_on_as_it_would_have(game):
    for seed in range(MATCHES // 10):
        match = game.start(seed, **setting(game, seed), log_limit=20, undo_limit=2)
        rng = random.Random(seed)
        copies = []
        while (decision := match.decision) is not None:
            if rng.random() < 0.02:
                copy = game.restore(match.to_json())
                assert copy.state_hash() == match.state_hash()
                assert all(copy.view(seat) == match.view(seat) for seat in (0, 1, None))
                assert all(copy.log(seat) == match.log(seat) for seat in (0, 1, None))
                assert copy.decision.options == decision.options
                copies.append(copy)
            n = int(rng.random() * (decision.count + decision.optional))
            for one in (match, *copies):
                one.choose(n if n < decision.count else [])
        assert len({one.state_hash() for one in (match, *copies)}) == 1


def test_a_match_with_an_ante_can_be_saved_while_one_player_has_locked_his(game):
    match = game.start(3, options={"ante": True, "ante_counts": True})
    match.choose(0)
    copy = game.restore(match.to_json())
    assert copy.decision.player == 1 and copy.view(0) == match.view(0) and copy.view(1) == match.view(1)
    for one in (match, copy):
        one.choose(5)
        assert [place["count"] for place in one.view(None)["zones"]["stakes"]] == [1, 1]
    assert copy.state_hash() == match.state_hash()


def test_nobody_can_tell_a_match_from_one_in_which_all_he_cannot_see_is_other(game):
    others = 0
    for seed in range(MATCHES // 20):
        match = game.start(seed, **setting(game, seed), log_limit=30, undo_limit=0)
        rng = random.Random(seed)
        while (decision := match.decision) is not None:
            for seat in (0, 1):
                view, log = match.view(seat), match.log(seat)
                guess = match.determinise(seat, seed=seed + match.state.decisions)
                assert guess.view(seat) == view
                assert guess.log(seat) == log
                if decision.player == seat:
                    assert guess.decision.prompt == decision.prompt
                    assert guess.decision.options == decision.options
                for deck in match.state.decks:
                    assert Counter(guess.state.d[c] for c in deck) == Counter(match.state.d[c] for c in deck)
                others += guess.state.d != match.state.d
            n = int(rng.random() * (decision.count + decision.optional))
            match.choose(n if n < decision.count else [])
    assert others > 0


def test_that_somebody_is_asked_for_a_consumable_follows_from_what_lies_open(game):
    for seed in range(MATCHES // 10):
        match = game.start(seed, decks=["hammer", "wheel"], log_limit=0, undo_limit=0)
        rng = random.Random(seed)
        while (decision := match.decision) is not None:
            if any(option.id.startswith("consume") for option in decision.options):
                seen = match.view(1 - decision.player)
                assert seen["players"][decision.player]["fields"]["energy"] == 4
                assert seen["zones"]["belt"][decision.player] == {"count": 1}
            n = int(rng.random() * (decision.count + decision.optional))
            match.choose(n if n < decision.count else [])


def test_a_guess_can_be_played_to_its_end(game):
    for seed in range(MATCHES // 5):
        match = game.start(seed, **setting(game, seed), log_limit=0, undo_limit=0)
        rng = random.Random(seed)
        for _ in range(rng.randrange(200)):
            if (decision := match.decision) is not None:
                match.choose(int(rng.random() * decision.count))
        guess = match.determinise(seed % 2, seed=seed)
        while (decision := guess.decision) is not None:
            Watch(guess.state).check_cards(guess.state)
            match_answer = int(rng.random() * (decision.count + decision.optional))
            guess.choose(match_answer if match_answer < decision.count else [])
        assert not guess.result.reason.startswith("stopped")


def test_a_match_without_end_keeps_its_size(game):
    """Two walls between bots that choose at random outlive everything: only the record of choices grows."""
    decisions = 100_000 if LONG else 4000
    match = game.start(3, decks=["wall", "wall"], options={"max_turns": 1_000_000}, log_limit=100, undo_limit=10)
    rng = random.Random(1)
    half = 0
    tracemalloc.start()
    try:
        for i in range(decisions):
            decision = match.decision
            assert decision is not None, match.result
            n = int(rng.random() * (decision.count + decision.optional))
            match.choose(n if n < decision.count else [])
            if i == decisions // 2:
                half = tracemalloc.get_traced_memory()[0]
        grown = tracemalloc.get_traced_memory()[0] - half
    finally:
        tracemalloc.stop()
    assert grown < 100 * (decisions // 2) + 400_000
    m = match.state
    assert len(m.d) == 42 and len(m.lasting) < 40 and len(m.used) == 0 and len(m.frames) < 10
    assert [len(match.log(seat)) for seat in (0, 1, None)] == [100, 100, 100]
    assert match.state.decisions == decisions
