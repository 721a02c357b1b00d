"""Decisions: ids, labels, values, and what an answer means."""

from __future__ import annotations

import pytest
from card_runtime.decision import Decision
from card_runtime.errors import CardError, IllegalChoice


@pytest.fixture
def t(table):
    table.make("plague", table.hand)
    table.make("cub", table.hand)
    table.make("cub", table.hand)
    table.make("shadow", table.hand + 1)
    table.make("shadow", table.lanes + 3, up=False)
    return table


def asked(t, options, **more):
    t.ask(options, **more)
    return Decision(t.m)


def test_ids_labels_and_values(t):
    d = asked(t, [(0, 0, 2, False), (0, 0, 2, True), (1,)])
    assert [o.id for o in d.options] == ["play plague lanes 2 -", "play plague lanes 2 boosted", "end"]
    assert [o.label for o in d.options] == [
        "Play a card: the Plague, lane 2",
        "Play a card: the Plague, lane 2, boosted",
        "End",
    ]
    assert d.options[1].value == {"verb": "play", "picks": {"c": "#1", "l": "lanes[2]", "boosted": True}}
    assert d.options[2].value == {"verb": "end", "picks": {}}
    assert (d.player, d.prompt, d.min, d.max, d.optional, d.count) == (0, "Play a card / End", 1, 1, False, 3)


def test_every_type_of_pick_and_one_alternative(t):
    d = asked(t, [(0, 0, 1, 1, 3, None), (0, 1, 0, 0, -1, 2)], site="e_mark·1", optional=True)
    assert [o.id for o in d.options] == ["mark plague player 1 full_moon 3 -", "mark cub player 0 sun -1 cub"]
    assert d.options[0].label == "Mark a card: the Plague, player 1, full moon, 3"
    assert d.options[0].value["picks"] == {"u": "#1", "p": 1, "e": "full_moon", "n": 3, "t": None}
    assert (d.prompt, d.min, d.optional) == ("Mark a card", 0, True)


def test_offers_of_several_cards_are_one_question(t):
    d = asked(t, [(0, 0, 1, 1, 3, None), (1, 0, 0, 0, 1, None)], site=("e_mark·1", "e_mark·1"), optional=True)
    assert d.prompt == "Mark a card"
    assert [o.id for o in d.options] == ["mark plague player 1 full_moon 3 -", "mark plague player 0 sun 1 -"]


def test_options_that_read_alike_are_numbered_in_order(t):
    d = asked(t, [(0, 1, 0, False), (0, 2, 0, False), (0, 2, 1, False)])
    assert [o.id for o in d.options] == ["play cub lanes 0 -", "play cub lanes 0 - #2", "play cub lanes 1 -"]
    assert d.resolve("play cub lanes 0 - #2") == 1


def test_a_hidden_card_has_no_name(t):
    d = asked(t, [(0, 4, 0, False), (0, 3, 0, False)])
    assert [o.id for o in d.options] == ["play hidden lanes 0 -", "play hidden lanes 0 - #2"]
    assert [o.label for o in d.options] == [
        "Play a card: a hidden card in lane 1, lane 0",
        "Play a card: a hidden card, lane 0",
    ]
    assert d.options[0].value["picks"]["c"].startswith("#")  # followed by eye, on a board
    assert d.options[1].value["picks"]["c"] is None
    assert "shadow" not in repr(d.options).lower()


def test_answers(t):
    d = asked(t, [(0, 0, 0, False), (0, 0, 1, False), (1,)])
    assert d.resolve(1) == 1
    assert d.resolve([1]) == 1
    assert d.resolve((2,)) == 2
    assert d.resolve("end") == 2
    assert d.resolve(["play plague lanes 1 -"]) == 1
    assert asked(t, [(1,)], optional=True).resolve([]) is None


WRONG = [True, False, -1, 3, 1.0, None, "", "play plage lanes 1 -", "End", [], [0, 1], [True], [[0]], {"a": 1}, b"end"]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_answers_say_what_is_legal_in_one_line(t, wrong):
    d = asked(t, [(0, 0, 0, False), (0, 0, 1, False), (1,)])
    with pytest.raises(IllegalChoice) as e:
        d.resolve(wrong)
    assert "legal: 0 to 2" in str(e.value) and "\n" not in str(e.value)


def test_the_nearest_id_comes_first(t):
    d = asked(t, [(0, c, lane, False) for c in (0, 1) for lane in range(3)], optional=True)
    with pytest.raises(IllegalChoice, match=r'an id \("play plague lanes 1 -".* and 2 more\), or \[\] to decline'):
        d.resolve("play plage lanes 1 -")


def test_options_are_built_late_and_not_after_the_answer(t):
    d = asked(t, [(1,)])
    d.close()
    with pytest.raises(CardError, match="before its options were read"):
        _ = d.options
    d = asked(t, [(1,)])
    built = d.options
    d.close()
    assert d.options is built
