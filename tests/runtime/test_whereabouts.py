"""What the code of playouts shows of where cards lie and whose they are, and what it leaves out because of it."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from card_runtime.never import deeds, omit
from card_runtime.unfold import repeat
from card_runtime.whereabouts import locate

HOMES = ((0, 2, 2), (2, 4, 2), (4, 5, 1), (5, 9, 2))
"""A hand and a pile of each player, what is gone, and two lanes with a part for each player."""


def rewritten(text, rewrite=lambda modules: locate(modules, HOMES)):
    module = ast.parse(dedent(text))
    rewrite([module])
    ast.fix_missing_locations(module)
    compile(module, "code", "exec")
    return ast.unparse(module.body[0].body)


def code(text):
    return ast.unparse(ast.parse(dedent(text)))


def body(lines, rewrite=lambda modules: locate(modules, HOMES)):
    return rewritten("def e_f(m, l_p, l_q, l_c, l_d):\n" + indent(dedent(lines), "    "), rewrite)


def unchanged(lines):
    return body(lines) == code(lines)


def test_a_card_of_a_place_lies_there_and_belongs_to_its_player():
    made = body("""
        for l_x in [*m.places[2 + l_p]]:
            m.p_n[m.own[l_x]] = 0
            if not 2 <= m.at[l_x] < 4: continue
            if 5 <= m.at[l_x] < 9: m.s_n = 1
            m.places[m.at[l_x]].remove(l_x)
        """)
    assert made == code("""
        for l_x in [*m.places[2 + l_p]]:
            m.p_n[l_p] = 0
            m.places[2 + l_p].remove(l_x)
        """)


def test_what_is_picked_from_a_list_of_cards_lies_where_they_lie():
    made = body("""
        o_1 = []
        for l_x in m.places[l_p]:
            if m.p_n[l_x]: o_1.append(l_x)
        l_y = o_1[m.ask(l_p, len(o_1))]
        to = 4 + l_q * 2 + m.own[l_y] + 1
        m.places[m.at[l_y]].remove(l_y)
        m.at[l_y] = to
        m.own[l_y] = SEAT[to]
        if 5 <= m.at[l_y] < 9: m.s_n = 1
        """)
    assert made == code("""
        o_1 = []
        for l_x in m.places[l_p]:
            if m.p_n[l_x]: o_1.append(l_x)
        l_y = o_1[m.ask(l_p, len(o_1))]
        to = 4 + l_q * 2 + l_p + 1
        m.places[l_p].remove(l_y)
        m.at[l_y] = to
        m.s_n = 1
        """)


def test_pairs_of_picks():
    made = body("""
        o_1 = []
        for l_x in m.places[5 + l_q * 2 + l_p]:
            for l_y in m.places[l_p]: o_1.append((l_x, l_y))
        l_x, l_y = o_1[0]
        m.s_n = m.own[l_x] + ELEMENT[m.at[l_x]]
        m.s_k = m.own[l_y]
        """)
    assert made.endswith("m.s_n = l_p + ELEMENT[m.at[l_x]]\nm.s_k = l_p")


@pytest.mark.parametrize(
    "between",
    [
        "e_any(m, l_x)",
        "fire(m, E_any, m.t_any[None], ())",
        "m.at[l_d] = l_q",  # it may be the same card
        "move(m, l_d, 4, True)",
        "l_x = l_d",
        "l_p = 1 - l_p",
        "if replaced(m, m.i_any, ()): m.s_n = 1",
        "for l_z in m.places[2]: m.at[l_z] = 4",
        "while m.s_n: e_any(m, l_x)",
        "l_z = (l_x := l_d)",
        "l_p, l_z = m.pair",
    ],
)
def test_what_may_have_changed_is_looked_up(between):
    assert unchanged(f"""
        l_x = m.places[2 + l_p][0] if m.s_no else m.places[2 + l_p][m.s_n]
        l_y = m.places[2 + l_p]
        l_x = l_y[0]
        {between}
        m.s_n = m.own[l_x]
        """)


def test_a_card_of_another_home_is_not_the_same_card():
    made = body("""
        l_y = m.places[2 + l_p]
        l_x = l_y[0]
        l_z = m.places[5 + l_q]
        l_d = l_z[0]
        m.at[l_d] = 4
        m.s_n = m.own[l_x]
        """)
    assert made.endswith("m.s_n = l_p")


def test_after_a_branch_only_what_both_ways_know_is_known():
    assert unchanged("""
        l_y = m.places[2 + l_p]
        l_x = l_y[0]
        if m.s_n:
            l_x = l_d
        else:
            m.s_n = 1
        m.s_n = m.own[l_x]
        """)
    made = body("""
        l_y = m.places[2 + l_p]
        l_x = l_y[0]
        if m.s_n:
            e_any(m, l_x)
            return
        m.s_n = m.own[l_x]
        """)
    assert made.endswith("m.s_n = l_p")


def test_a_list_that_grows_in_a_loop_is_known_behind_it_only():
    assert unchanged("""
        o_1 = []
        for l_e in (0, 1):
            for l_x in m.places[5 + l_e * 2 + l_p]:
                o_1.append(l_x)
            l_y = o_1[0]
            m.s_n = m.places[m.at[l_y]]
        l_y = o_1[0]
        m.s_n = m.places[m.at[l_y]]
        """)
    assert unchanged("""
        o_1 = []
        for l_x in m.places[2 + l_p]: o_1.append(l_x)
        for l_x in m.places[l_q]: o_1.append(l_x)
        l_y = o_1[0]
        m.s_n = m.own[l_y]
        """)
    assert unchanged("""
        o_1 = []
        for l_x in m.places[2 + l_p]:
            if l_x == l_c:
                o_1.append(l_d)
                continue
            o_1.append(l_x)
        l_y = o_1[0]
        m.s_n = m.own[l_y]
        """)


def test_a_number_of_a_place_is_no_seat():
    assert unchanged("""
        here = m.places[to]
        m.own[l_c] = SEAT[to]
        """)


def test_an_owner_is_written_where_it_is_another_one():
    made = body("""
        for l_x in [*m.places[2 + l_p]]:
            m.at[l_x] = 2 + l_q
            m.s_n = m.own[l_x]
            m.own[l_x] = SEAT[2 + l_q]
            m.s_n = m.own[l_x]
        """)
    assert made == code("""
        for l_x in [*m.places[2 + l_p]]:
            m.at[l_x] = 2 + l_q
            m.s_n = l_p
            m.own[l_x] = l_q
            m.s_n = l_q
        """)


def test_what_was_tested_is_not_tested_again_until_something_is_written():
    made = body("""
        if m.p_n[l_p] > 1:
            l_x = 1 if not m.p_n[l_p] > 1 else 2
            m.s_n = l_x
            if m.p_n[l_p] > 1: m.s_n = 2
        """)
    assert made == code("""
        if m.p_n[l_p] > 1:
            l_x = 2
            m.s_n = l_x
            if m.p_n[l_p] > 1: m.s_n = 2
        """)
    assert unchanged("""
        if not m.places[2 + l_p]:
            m.s_n = 1
        else:
            l_x = m.places[2 + l_p].pop()
            if not m.places[2 + l_p]: m.s_n = 2
        """)
    assert unchanged("""
        if m.places[2 + l_p]:
            l_x = m.places[2 + l_p]
        """)


def test_small_loops_over_both_players_are_written_twice():
    made = body("for l_x in (0, 1): m.p_n[l_x] = m.places[5 + l_x * 2]", repeat)
    assert made == code("m.p_n[0] = m.places[5 + 0 * 2]\nm.p_n[1] = m.places[5 + 1 * 2]")
    loop = code("for l_x in (0, 1):\n    if m.p_n[l_x]: break")
    assert body(loop, repeat) == loop
    inner = "for l_c in m.places[{}]:\n    if m.p_n[l_c]: break\n"
    looped = "for l_x in (0, 1):\n" + indent(inner.format("l_x"), "    ")
    assert body(looped, repeat) == code(inner.format(0) + inner.format(1)), "the break leaves another loop"
    left = code(looped + "    else:\n        break")
    assert body(left, repeat) == left


def test_answers_of_both_players_are_carried_out_one_after_the_other():
    answers = "for l_p, l_c in zip((0, 1), a_1):\n    if l_c is not None: m.p_n[l_p] = l_c\n"
    assert body(answers, repeat) == code("""
        l_c = a_1[0]
        if l_c is not None: m.p_n[0] = l_c
        l_c = a_1[1]
        if l_c is not None: m.p_n[1] = l_c
        """)
    for left in (answers + "    else: break\n", answers.replace("(0, 1)", "SEATS_FROM[m.s_first]")):
        assert body(left, repeat) == code(left)


TWO_PLACES = """
for l_x in m.places[2] + m.places[3]:
    if m.p_n[m.own[l_x]]: BODY
"""


def test_loops_over_two_places_are_written_twice_where_it_matters_whose_the_cards_are():
    twice = TWO_PLACES.replace("BODY", "m.c_n[l_x] = v_n(m, l_x)")
    assert body(twice, lambda modules: (repeat(modules), locate(modules, HOMES))) == code("""
        for l_x in m.places[2]:
            if m.p_n[0]: m.c_n[l_x] = v_n(m, l_x)
        for l_x in m.places[3]:
            if m.p_n[1]: m.c_n[l_x] = v_n(m, l_x)
        """)
    other = twice.replace("m.own[l_x]", "l_x")
    assert "m.places[2] + m.places[3]" not in body(other, repeat), "nor is a list worth a small loop"
    once = other.replace("l_x)", "max(l_x, 1, 2, 3, 4, 5, 6, 7, 8, 9))")
    assert body(once, repeat) == code(once)


@pytest.mark.parametrize(
    "moves",
    [
        "e_hurt(m, l_x)",
        "move(m, l_x, 4, True)",
        "m.places[2].remove(l_x)",
        "here.append(l_x)",
        "m.places[4] += [l_x]",
        "break",
        "continue",
        "del m.places[3][0]",
        "here[0] = l_x",
    ],
)
def test_but_not_where_anything_may_move_or_the_loop_is_left(moves):
    text = TWO_PLACES.replace("BODY", moves)
    assert body(text, repeat) == code(text)


# ---- What no code does


def omitted(*functions):
    module = ast.parse("\n".join(dedent(f) for f in functions))
    omit([module], deeds(module))
    compile(ast.fix_missing_locations(module), "code", "exec")
    return ast.unparse(module.body[0])


MOVER = """
def to_hand(m, card, to, up):
    m.at[card] = to
    m.up[card] = up
    if m.known: m.known.pop(card, None)
"""


def test_nothing_ends_with_a_period_where_nothing_lasts():
    turn = "def e_turn(m):\n    m.s_n = 1\n    if m.ends & 2: end_period(m, 1)"
    assert omitted(turn) == code("def e_turn(m): m.s_n = 1")
    assert omitted(turn, "def a_x(m, l_self): lasting(m, (L_x,), ('x',), (l_self,), 1)") == code(turn)


def test_cards_that_nothing_turns_down_are_not_turned_up():
    bare = code("def to_hand(m, card, to, up):\n    m.at[card] = to")
    kept = code(MOVER)
    up, down = "def e_f(m, l_c): to_hand(m, l_c, 1, True)", "def s_f(m, f): to_hand(m, f[2], 1, m.s_up)"
    assert omitted(MOVER, up) == bare
    assert "m.up[card] = up" in omitted(MOVER, up, down)
    assert "known" not in omitted(MOVER, up, "def e_g(m):\n    if m.obs is not None: reveal(m, m.places[0], 3)")
    assert "known" in omitted(MOVER, up, "def e_g(m): reveal(m, m.places[0], 1 << m.s_p)")
    assert omitted(MOVER, down, "def e_g(m): reveal(m, m.places[0], 3)") == kept
    assert omitted("def q_x(m, l_c): return m.up[l_c] and m.s_n", up) == code("def q_x(m, l_c): return True and m.s_n")
    assert omitted("def e_g(m):\n    for c_ in m.places[0]: m.up[c_] = True", up) == code("def e_g(m): pass")
