"""Many random matches of Vughex: none ends in a fault or without an end, however it is played.

CARDC_LONG=1 plays 10,000 matches instead of 300, steps through 1,000 and saves at every decision of 200.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))
MATCHES, STEPPED, SAVED = (10_000, 1_000, 200) if LONG else (300, 40, 4)
OPTIONS = [{}, {"length": 1}, {"length": 3, "lane_order": "left_to_right"}]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "vughex", tmp_path_factory.mktemp("built") / "vughex")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def test_every_match_comes_to_its_end_by_the_rules(game):
    """A match that goes in circles would end as `stopped: …`, a fault of a card would be raised."""
    ends = Counter()
    for seed in range(MATCHES):
        result = game.playout(seed=seed, options=OPTIONS[seed % len(OPTIONS)])
        ends[result.winner, result.reason] += 1
    assert {reason for _, reason in ends} == {"Damage"}
    assert min(ends[seat, "Damage"] for seat in (0, 1)) > MATCHES / 3


def test_playouts_end_as_stepped_matches_do(game):
    for seed in range(STEPPED):
        options = OPTIONS[seed % len(OPTIONS)]
        match = game.start(seed, options=options, log_limit=0, undo_limit=0)
        choose = Random(seed)
        while (decision := match.decision) is not None:
            match.choose(choose(decision))
        assert match.state_hash() == state_hash(game.playout_state(seed, options=options)), seed


def test_a_save_at_any_decision_is_the_match(game):
    decisions = 0
    for seed in range(SAVED):
        limits = {} if seed % 10 == 0 else {"log_limit": 10, "undo_limit": 2}  # whole logs take their time
        match = game.start(seed, options=OPTIONS[seed % len(OPTIONS)], **limits)
        choose = Random(seed)
        while (decision := match.decision) is not None:
            text = match.to_json()
            again = game.restore(text)
            assert again.to_json() == text and again.state_hash() == match.state_hash()
            asked = again.decision
            assert (asked.player, asked.prompt, asked.min, asked.max) == (
                decision.player, decision.prompt, decision.min, decision.max,
            )  # fmt: skip
            assert asked.options == decision.options
            assert [again.view(seat) for seat in (0, 1)] == [match.view(seat) for seat in (0, 1)]
            decisions += 1
            match.choose(choose(decision))
    assert decisions > 15 * SAVED
