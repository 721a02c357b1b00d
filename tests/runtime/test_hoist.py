"""What stays the same while a value goes through cards is computed once, and where a card lies is not looked up."""

from __future__ import annotations

import ast
from textwrap import dedent
from types import SimpleNamespace

import pytest
from card_runtime.hoist import element, hoist

PARTS = {4: 2, 10: 1, 13: 2}  # a part for each player and one for all of the same three lanes, and one from 13


def hoisted(text):
    module = ast.parse(dedent(text))
    for f in module.body:
        hoist(f, PARTS)
    return ast.unparse(ast.fix_missing_locations(module))


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("m.places[4 + l_l * 2 + l_p]", "l_l"),
        ("m.places[4 + l_l * 2 + (1 - l_p)]", "l_l"),
        ("m.places[5 + l_l * 2]", "l_l"),  # of player 1
        ("m.places[4 + l_l * 2]", "l_l"),
        ("m.places[10 + l_l]", "l_l"),
        ("m.places[4 + 1 * 2 + l_p]", "1"),
        ("m.places[1 + l_p]", None),  # a zone
        ("m.places[11 + l_l]", None),
        ("m.places[12 + l_l * 2 + l_p]", None),
        ("m.places[4 + l_l * 2 + l_p + l_q]", None),
        ("m.places[4 + ELEMENT[m.at[l_c]] * 2 + l_p]", None),  # cannot be written twice
        ("m.decks[4 + l_l * 2 + l_p]", None),
        ("m.places[4:10]", None),
    ],
)
def test_a_place_of_a_board_tells_its_element(place, found):
    x = element(ast.parse(place, mode="eval").body, PARTS)
    assert (None if x is None else ast.unparse(x)) == found


STRENGTH = """
def v_strength(m, l_p, l_l):
    x = 0
    for l_u in m.places[4 + l_l * 2 + l_p]:
        x += m.power[l_u] + m.diamonds[l_u] * v_number(m, ELEMENT[m.at[l_u]]) + v_bonus(m, l_u)
    return x
"""


def test_the_number_of_a_lane_is_computed_once_for_its_units():
    assert (
        "m.diamonds[l_u] * (h_0 if h_0 is not None else (h_0 := v_number(m, l_l))) + v_bonus(m, l_u)"
        in hoisted(STRENGTH)
    )


def test_it_is_computed_when_it_is_first_wanted_and_not_again():
    asked = []

    def number(m, lane):
        asked.append(lane)
        return 10

    space = {"v_number": number, "v_bonus": lambda m, u: u, "ELEMENT": [None] * 4 + [0, 0, 1, 1, 2, 2]}
    exec(hoisted(STRENGTH), space)
    m = SimpleNamespace(
        places=[[]] * 4 + [[], [], [0, 1], [2], [], []], at=[6, 6, 7], power=[1, 2, 3], diamonds=[1, 3, 5]
    )
    assert space["v_strength"](m, 0, 1) == 1 + 10 + 0 + 2 + 30 + 1
    assert asked == [1]
    assert space["v_strength"](m, 0, 0) == 0
    assert asked == [1]


def test_what_follows_from_the_card_or_an_inner_loop_is_computed_for_each():
    code = """
    def v_all(m, l_p):
        x = 0
        for l_l in (0, 1, 2):
            for l_u in m.places[4 + l_l * 2 + l_p]:
                x += v_number(m, l_l) + v_power(m, l_u) + v_total(m, l_p)
        return x
    """
    made = hoisted(code)
    assert "v_power(m, l_u)" in made
    assert made.index("h_0 = None") < made.index("for l_l in") < made.index("h_1 = None") < made.index("for l_u in")
    assert "(h_0 if h_0 is not None else (h_0 := v_total(m, l_p)))" in made
    assert "(h_1 if h_1 is not None else (h_1 := v_number(m, l_l)))" in made


def test_a_card_that_hides_another_lies_elsewhere():
    code = """
    def v_odd(m, l_p, l_l):
        x = 0
        for l_u in m.places[4 + l_l * 2 + l_p]:
            x += len([ELEMENT[m.at[l_u]] for l_u in m.places[1 + l_p]])
        return x
    """
    assert "[ELEMENT[m.at[l_u]] for l_u in m.places[1 + l_p]]" in hoisted(code)
