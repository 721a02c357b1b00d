"""What the rules read twice, with nothing written in between, they read once."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest
from card_runtime.again import share
from card_runtime.unfold import unfold


def shared(body):
    tree = ast.parse("def flow(m):\n" + indent(body, "    "))
    count = share(tree.body[0], 5)
    ast.fix_missing_locations(tree)
    return ast.unparse(tree.body[0].body), count


def same(body):
    return ast.unparse(ast.parse(body).body)


def test_a_value_that_is_read_again_is_read_once():
    body = """\
x = v_guarded(m, e, 1 - p)
for c in x:
    if v_other(m, c):
        l.append(c)
if not v_guarded(m, e, 1 - p):
    m.s_gone = 1
"""
    assert shared(body) == (
        same("""\
again_5 = v_guarded(m, e, 1 - p)
x = again_5
for c in x:
    if v_other(m, c):
        l.append(c)
if not again_5:
    m.s_gone = 1
"""),
        6,
    )


WRITES = ["m.s_turn = 2", "m.c_word[3] = 1", "move(m, c, 3)", "x.remove(c)", "m.places.append(c)", "e = e + 1", "break"]


@pytest.mark.parametrize("between", [*WRITES, *(f"if e:\n    {w}" for w in WRITES if w != "break")])
def test_what_is_written_in_between_may_change_it(between):
    body = f"while True:\n    x = v_guarded(m, e)\n{indent(between, '    ')}\n    y = v_guarded(m, e)\n"
    assert shared(body) == (same(body), 5)


def test_blocks_share_nothing_with_those_around_them():
    body = "if e:\n    x = v_guarded(m, e)\ny = v_guarded(m, e)\n"
    assert shared(body) == (same(body), 5)


def test_readings_within_expressions_stay():
    body = "x = v_guarded(m, e) + 1\ny = v_guarded(m, e) or 2\n"
    assert shared(body) == (same(body), 5)


CODE = """
def v_guarded(m, l_l, l_p):
    x = any([m.c_word[c] > 3 for c in m.places[l_l + l_p]])
    return x

def v_targets(m, l_l, l_p):
    x = [c for c in m.places[l_l + l_p] if m.c_word[c] > 3] if v_guarded(m, l_l, l_p) else m.places[l_l + l_p]
    return x

def flow(m):
    for l_p in (0, 1):
        l_t = v_targets(m, 0, 1 - l_p)
        if not v_guarded(m, 0, 1 - l_p):
            m.told = m.told + [0]
        m.told = m.told + [*l_t]
"""


def test_what_a_value_reads_that_is_written_out_is_shared_too():
    tree = ast.parse(CODE)
    unfold([tree])
    text = ast.unparse(ast.fix_missing_locations(tree))
    flow = text[text.index("def flow") :]
    assert "v_" not in flow
    assert flow.count("> 3") == 2, "the search for a guard, and the list"

    class Match:
        def __init__(self):
            self.places, self.c_word, self.told = [[0, 1], [2, 3]], [0, 5, 1, 2], []

    told = []
    for code in (CODE, text):
        m, space = Match(), {}
        exec(code, space)
        space["flow"](m)
        told.append(m.told)
    assert told[0] == told[1] == [0, 2, 3, 1]
