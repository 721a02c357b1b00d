"""Forms, slots with arguments, exchanged abilities and secret choices, in a small game of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from card_runtime import InputError, load
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc.pipeline import build
from cardc.testing import run_tests

HERE = Path(__file__).parent / "forms"


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = build(HERE, tmp_path_factory.mktemp("forms") / "sides")
    assert outcome.files is not None, outcome.findings
    return load(where)


def test_in_language():
    outcome, results = run_tests(HERE)
    assert not outcome.findings
    assert len(results) == 4 and all(r.passed for r in results), [r.message for r in results]


def test_stepping_equals_a_playout_and_survives_saving(game):
    for seed in range(60):
        match = game.start(seed)
        bot = Random(seed)
        while match.decision is not None:
            match = game.restore(match.to_json())
            match.choose(bot(match.decision))
        assert match.state_hash() == state_hash(game.playout_state(seed))
        assert game.replay(match.record).state_hash() == match.state_hash()


def test_what_the_first_has_locked_is_not_to_be_seen(game):
    """Both choose in secret: while the second chooses, nothing of the first answer shows."""
    before = game.start(3)
    views = []
    for option in before.decision.options:
        match = before.clone()
        match.choose(option.id)
        assert match.decision.player == 1
        views.append((match.view(1), match.log(1)))
    assert len(views) > 3
    assert all(v == views[0] for v in views)


def test_only_owned_evolutions_are_offered(game):
    both = {o.id for o in game.start(1).decision.options}
    assert {"play grown - evolution 2", "play grown - evolution 3"} <= both
    second = {o.id for o in game.start(1, inputs={"owned": [["grown/2"], None]}).decision.options}
    assert "play grown - evolution 2" in second and "play grown - evolution 3" not in second
    with pytest.raises(InputError, match="grown/2"):
        game.start(1, inputs={"owned": [["grown/9"], None]})


def test_the_catalog_has_no_forms(game):
    assert [c.id for c in game.cards if c.base is None] == ["plain", "bold", "grown"]
    assert len(game.start(0).view(None)["zones"]["hand"][0]["cards"]) == 3
