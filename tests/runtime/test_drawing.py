"""Questions that chance answers: where they are asked, as `m.ask` would, and counted alike."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest
from card_runtime.chance import FEW, MANY, SOME, numbers
from card_runtime.drawing import MOST_OPTIONS, answer
from card_runtime.driver import at_random, drawn_decisions, undrawn
from card_runtime.errors import Overrun

CODE = """
ask_ = m.ask
i_1 = ask_(1, n_1)
i_2 = m.ask(0, n_2 + 1) if n_2 else 0
"""


def rewritten(text=CODE):
    module = ast.parse(text)
    answer([module])
    return compile(ast.fix_missing_locations(module), "code", "exec")


def run(n_1, n_2, *, draw=None):
    asked = []
    m = SimpleNamespace(ask=lambda seat, n: asked.append((seat, n)) or n - 1, draw=draw, steps=7)
    space = {"m": m, "n_1": n_1, "n_2": n_2}
    exec(rewritten(), space)
    return m, asked, space["i_1"], space["i_2"]


def test_an_answer_is_drawn_for_each_question():
    drawn = iter([4007, 604, 5])
    m, asked, first, second = run(4, 5, draw=drawn)
    assert (asked, first, second, m.steps, [*drawn]) == ([], 3, 4, 0, [5])


def test_nothing_is_asked_where_there_is_nothing_to_choose():
    drawn = iter([4])
    _, asked, first, second = run(4, 0, draw=drawn)
    assert (asked, first, second) == ([], 0, 0)


def test_somebody_else_answers_as_before():
    m, asked, first, second = run(4, 5)
    assert (asked, first, second) == ([(1, 4), (0, 6)], 3, 5)
    assert m.steps == 7, "who answers counts"


@pytest.mark.parametrize(
    ("n", "most", "message"),
    [(4, 1, "its limit of 1 decisions"), (MOST_OPTIONS + 1, 10, "more than 4096 options")],
)
def test_limits_hold_and_the_question_is_not_counted(n, most, message):
    drawn = iter([5] * most)
    next(drawn)
    game = SimpleNamespace(limit=most)
    m = SimpleNamespace(ask=None, draw=drawn, left=(0, drawn), decisions=0, steps=0, game=game)
    with pytest.raises(Overrun, match=message):
        exec(rewritten("i = m.ask(0, n)"), {"m": m, "n": n, "undrawn": undrawn})
    assert m.decisions == 1


def test_other_code_stays_as_it_is():
    text = "x = f(m, 2)\ny = m.other\n"
    module = ast.parse(text)
    answer([module])
    assert ast.unparse(module) == text.strip()


@pytest.mark.parametrize("limit", [1, 2, FEW, FEW + 1, FEW + SOME, FEW + SOME + MANY, FEW + SOME + MANY + 3])
def test_a_match_has_as_many_answers_as_decisions_at_most(limit):
    m = SimpleNamespace(game=SimpleNamespace(limit=limit), left=None, draw=None, decisions=0, steps=9)
    ask = at_random(m, 5)
    assert drawn_decisions(m) == 0
    bot = numbers(5)
    for n in range(1, limit + 1):
        assert ask(0, 6) == next(bot) % 6
        assert (drawn_decisions(m), m.steps) == (n, 0)
    with pytest.raises(Overrun, match=f"its limit of {limit} decisions"):
        ask(0, 6)
    assert m.decisions == limit
