"""Many random matches of Legends of Code and Magic, of both versions: what must hold at every decision, and that nobody
sees what he may not.

CARDC_LONG=1 plays 3,000 matches instead of a hundred.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import leaks, pipeline

ROOT = Path(__file__).parents[2]
MATCHES = 3000 if os.environ.get("CARDC_LONG") else 60
VARIANTS = [{}, {"version": "v1_5"}, {"triples": "open"}]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "locm", tmp_path_factory.mktemp("built") / "locm")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


class Watch:
    """Reads a state fast, place by place."""

    def __init__(self, game) -> None:
        self.zone = {z.name: z.first for z in game.model.zones}
        self.units = game.model.boards[0].parts[0].first

    def check(self, m, version: str) -> None:
        places, zone = m.places, self.zone
        lanes = [places[self.units + i] for i in range(4)]
        assert all(len(lane) <= 3 for lane in lanes)
        for card in (c for lane in lanes for c in lane):
            assert m.c_creature·life[card] > 0 and m.c_creature·power[card] >= 0
        for seat in (0, 1):
            assert len(places[zone["hand"] + seat]) <= 8
            assert m.p_rune[seat] in (0, 5, 10, 15, 20, 25)
            assert 0 <= m.p_mana[seat] <= m.p_max_mana[seat] <= 12 + m.p_bonus[seat]
            assert version == "v1_5" or m.p_rune[seat] == 0 or m.p_health[seat] > m.p_rune[seat] - 5
            assert version == "v1_2" or m.p_rune[seat] == 25
            assert version == "v1_5" or m.p_lost[seat] == 0
        if not any(places[zone["chosen"] + seat] for seat in (0, 1)) and m.turn is not None:
            cards = Counter(m.own[c] for place in places for c in place)
            copies = len(m.d) - 60
            assert sum(cards.values()) == 60 + copies and (version == "v1_5" or copies == 0)
            assert all(m.D_playable·area[m.d[c]] for c in range(60, len(m.d)))
            assert m.wait is None or m.wait[0] == m.turn
            assert all(m.p_health[seat] > 0 for seat in (0, 1)) or m.result is not None


def test_random_matches_keep_their_invariants(game):
    watch = Watch(game)
    winners = Counter()
    for seed in range(MATCHES):
        options = VARIANTS[seed % len(VARIANTS)]
        version = options.get("version", "v1_2")
        match = game.start(seed, options=options, log_limit=0, undo_limit=0)
        choose = Random(seed)
        while (decision := match.decision) is not None:
            watch.check(match.state, version)
            match.choose(choose(decision))
        watch.check(match.state, version)
        assert match.result is not None and match.result.reason == "Health"
        assert [s["points"] for s in match.result.scores] == [int(match.result.winner == seat) for seat in (0, 1)]
        winners[match.result.winner] += 1
    assert min(winners.values()) > 0


def test_playouts_end_as_stepped_matches_do(game):
    for seed in range(MATCHES // 5):
        options = VARIANTS[seed % len(VARIANTS)]
        whole = game.playout_state(seed, options=options)
        match = game.start(seed, options=options, log_limit=0, undo_limit=0)
        choose = Random(seed)
        while match.decision is not None:
            match.choose(choose(match.decision))
        assert state_hash(whole) == match.state_hash(), seed


def test_the_cards_of_a_match_may_come_with_it(game):
    cards = [
        {
            "id": f"n{i}",
            "title": f"New {i}",
            "kind": "creature",
            "fields": {"number": i, "cost": 0, "attack": 9, "defense": 1},
        }
        for i in range(15)
    ]
    for card in cards:
        card["fields"]["made"] = True
    match = game.start(3, options={"version": "v1_5"}, cards=cards)
    assert match.decision.count == 16 and match.decision.options[0].id == "take n0"
    match.choose("fill")
    match.choose("fill")
    assert {match.state.printed[d].id for d in match.state.d} == {card["id"] for card in cards}
    choose = Random(3)
    while match.decision is not None:
        match.choose(choose(match.decision))
    again = game.replay(match.record)
    assert again.state_hash() == match.state_hash() and again.result == match.result


def test_nobody_sees_what_he_may_not(game):
    report = leaks.search(game, range(MATCHES // 10))
    assert not report.faults and not report.leaks, report
    assert report.swaps > 0


def test_nobody_can_tell_a_match_from_one_in_which_all_he_cannot_see_is_other(game):
    others = 0
    for seed in range(len(VARIANTS) * (1 + MATCHES // 300)):
        match = game.start(seed, options=VARIANTS[seed % len(VARIANTS)])
        choose = Random(seed)
        while (decision := match.decision) is not None:
            for seat in (0, 1):
                guess = match.determinise(seat, seed=match.state.decisions)
                assert guess.view(seat) == match.view(seat)
                assert guess.log(seat) == match.log(seat)
                if decision.player == seat:
                    assert guess.decision.options == decision.options
                others += guess.state.d != match.state.d
            match.choose(choose(decision))
    assert others > 0
