"""Code that is written out for playouts does the same with fewer calls and lists."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest
from card_runtime.unfold import settle, settle_cards, unfold

CODE = """\
def v_guarded(m, l_l):
    x = any([m.c_word[l_c] > 3 for l_c in m.places[l_l]])
    return x

def v_all_awake(m, l_l):
    x = all([m.c_word[l_c] for l_c in m.places[l_l] if l_c != 2])
    return x

def v_number(m, l_l):
    x = len([1 for l_c in m.places[l_l] if m.c_word[l_c] > 1])
    return x

def v_total(m):
    x = sum([m.c_word[l_c] for l_l in (0, 1, 2) for l_c in m.places[l_l]])
    return x

def v_targets(m, l_l):
    x = [l_c for l_c in m.places[l_l] if m.c_word[l_c] > 3] if v_guarded(m, l_l) else m.places[l_l]
    return x

def v_early(m, l_l):
    if l_l == 1:
        return 7
    x = l_l
    return x

def e_look(m, l_l):
    m.told.append(v_early(m, l_l))
    l_t = v_targets(m, l_l)
    if not v_guarded(m, 2 - l_l):
        m.told.append([*l_t])
    elif v_all_awake(m, l_l):
        m.told.append(v_number(m, l_l))
    else:
        m.told.append('asleep')
    n_ = len([1 for l_c in l_t if l_c > 0])
    m.told.append(n_)

def flow(m):
    for l_l in (0, 1, 2):
        e_look(m, l_l)
    m.told.append(v_total(m))
"""


def match():
    return SimpleNamespace(places=[[0, 1], [2, 3, 4], []], c_word=[0, 5, 0, 2, 3], told=[])


def after(code):
    tree = ast.parse(code)
    unfold([tree])
    return ast.unparse(ast.fix_missing_locations(tree))


def told(code, m, run="flow"):
    space = {}
    exec(code, space)
    space[run](m)
    return m.told


def test_the_same_is_told():
    assert told(after(CODE), match()) == told(CODE, match()) == [0, [1], 1, 7, [2, 3, 4], 3, 2, 0, 0, 10]


@pytest.mark.parametrize("words", [[0] * 5, [4] * 5, [2, 0, 9, 1, 4]])
def test_the_same_is_told_whatever_the_cards_hold(words):
    a, b = match(), match()
    a.c_word, b.c_word = words, words[:]
    assert told(after(CODE), a) == told(CODE, b)


def test_no_list_is_made_to_be_looked_at_once_and_small_values_are_no_calls():
    flow = after(CODE).split("def flow(m):")[1]
    for call in ("e_look(", "v_guarded(", "v_targets(", "v_all_awake(", "any(", "all(", "len(", "sum("):
        assert call not in flow, call
    assert "v_number(" in flow and "v_total(" in flow, "within an expression a value is called"
    assert "v_early(" in flow, "what returns in its midst stays a function"


def deep(loops, body):
    head = "".join(f"{'    ' * (i + 1)}for i_{i} in (1,):\n" for i in range(loops))
    return head + "    " * (loops + 1) + body + "\n"


@pytest.mark.parametrize("around", [2, 12, 17])
def test_no_more_loops_stand_inside_each_other_than_python_takes(around):
    code = f"def e_deep(m):\n{deep(6, 'm.told.append(1)')}\ndef flow(m):\n{deep(around, 'e_deep(m)')}"
    out = after(code)
    assert ("e_deep(m)" in out.split("def flow")[1]) == (around > 10)
    assert told(out, match()) == [1]


LISTS = """\
def flow(m):
    for l_p in [l_p for l_p in (0, 1) if m.c_word[l_p] != m.c_word[3]]:
        l_t = [l_c * 2 for l_l in (1, 0) for l_c in m.places[l_l] if l_c != l_p]
        m.told.append((l_p, l_t))
"""


def test_lists_of_the_rules_are_loops_without_functions_of_their_own():
    tree = ast.parse(LISTS)
    settle([tree])
    text = ast.unparse(ast.fix_missing_locations(tree))
    assert told(text, match()) == told(LISTS, match()) == [(0, [4, 6, 8, 2]), (1, [4, 6, 8, 0])]
    space = {}
    exec(text, space)
    assert space["flow"].__code__.co_cellvars == ()


REMEMBERED = """\
def v_sum(m, l_p):
    k_ = m.memo
    if k_ is not None:
        if l_p in k_: return k_[l_p]
    x = 0
    for l_c in m.places[2 * l_p]:
        x += m.c_n[l_c] * m.c_n[l_c]
    return x
"""


def test_what_stays_the_same_is_read_into_locals_where_it_is_wanted_first():
    tree = ast.parse(REMEMBERED)
    settle([tree])
    assert ast.unparse(tree) == ast.unparse(
        ast.parse(
            REMEMBERED.replace("    for", "    m·c_n = m.c_n\n    for", 1)
            .replace("m.c_n[l_c] * m.c_n[l_c]", "m·c_n[l_c] * m·c_n[l_c]")
        )
    )


LANES = """\
def flow(m):
    o_1 = [l_l for l_l in (0, 1, 2) if m.c_word[l_l] > 1]
    if o_1:
        m.told.append((len(o_1), o_1[0], [l_l * 2 for l_l in o_1]))
"""


@pytest.mark.parametrize("words", [[a, b, c, 9, 9] for a in (0, 5) for b in (1, 2) for c in (0, 3)])
def test_which_of_three_are_meant_is_decided_without_a_list(words):
    tree = ast.parse(LANES)
    settle([tree])
    text = ast.unparse(ast.fix_missing_locations(tree))
    assert "append(0)" not in text and "o_1 = (0, 2)" in text
    found = [i for i in range(3) if words[i] > 1]
    expected = [(len(found), found[0], [2 * i for i in found])] if found else []
    m = match()
    m.c_word = words
    assert told(text, m) == expected


@pytest.mark.parametrize("use", ["o_1.remove(1)", "o_1 += [7]", "o_1[0] = 7", "m.told.append(o_1)", "m.got = o_1[1:]"])
def test_a_list_that_is_put_to_another_use_stays_one(use):
    tree = ast.parse(LANES + f"        {use}\n")
    settle([tree])
    assert "o_1 = []" in ast.unparse(tree)


CARDS = """\
def r_oak(m, l_self):
    o_1 = [l_l for l_l in (0, 1) if l_l != ELEMENT[m.at[l_self]]]
    for l_c in m.places[3]:
        if m.c_a[l_c] > 1:
            e_hurt(m, l_c, len(o_1))
def r_elm(m, l_self):
    m.c_a[l_self] = 1
"""
SETTLED = """\
def r_oak(m, l_self):
    m·at = m.at
    if 0 != (same_0 := ELEMENT[m·at[l_self]]):
        if 1 != same_0:
            o_1 = (0, 1)
        else:
            o_1 = (0,)
    elif 1 != same_0:
        o_1 = (1,)
    else:
        o_1 = ()
    m·c_a = m.c_a
    for l_c in m.places[3]:
        if m·c_a[l_c] > 1:
            e_hurt(m, l_c, len(o_1))

def r_elm(m, l_self):
    m.c_a[l_self] = 1
"""


def test_what_a_card_goes_through_needs_no_function_and_is_read_once():
    tree = ast.parse(CARDS)
    settle_cards(tree)
    assert ast.unparse(ast.fix_missing_locations(tree)) == ast.unparse(ast.parse(SETTLED))
