"""What the code of playouts has read, and nothing has changed since, it does not look up again."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from card_runtime.readings import share

HOMES = ((0, 2, 2), (2, 6, 2), (6, 8, 1))
"""A hand of each player, two lanes with a part for each, two spaces for all."""


def rewritten(lines):
    tree = ast.parse("def flow(m, l_p, l_q, l_c, l_d):\n" + indent(dedent(lines), "    "))
    share(tree.body[0], HOMES)
    ast.fix_missing_locations(tree)
    compile(tree, "code", "exec")
    return ast.unparse(tree.body[0].body)


def code(lines):
    return ast.unparse(ast.parse(dedent(lines)))


def unchanged(lines):
    return rewritten(lines) == code(lines)


def test_what_is_read_again_is_read_once():
    assert rewritten("""
        if m·K[m·d[l_c]] == 2: m.s_n = 1
        if m·D_unit·cost[m·d[l_c]] > 3: m.s_n = 2
        m.s_n = m·D_unit·power[m·d[l_c]]
        """) == code("""
        if m·K[(same_0 := m·d[l_c])] == 2: m.s_n = 1
        if m·D_unit·cost[same_0] > 3: m.s_n = 2
        m.s_n = m·D_unit·power[same_0]
        """)


def test_it_is_named_only_where_that_is_worth_it():
    assert unchanged("""
        if m·K[m·d[l_c]] == 2: m.s_n = 1
        if m.s_n:
            if m·D_unit·cost[m·d[l_c]] > 3: m.s_n = 2
        """)


@pytest.mark.parametrize(
    "between",
    [
        "m·d[l_d] = 4",
        "m·d[l_c] += 1",
        "m.d[l_d] = 4",
        "l_c = l_d",
        "l_c += 1",
        "e_hurt(m, l_d)",
        "m.s_n = (l_c := 5)",
        "m.s_n = [l_c := 5 for x in m.decks]",
        "for l_c in m.decks: pass",
        "for x in m.decks: e_hurt(m, x)",
        "while v_more(m): e_hurt(m, 1)",
        "if m.s_n: m·d[l_d] = 4",
        "try: e_hurt(m, 1)\nexcept KeyError: pass",
        "del m.d[3]",
        "x = e_hurt(m, 1) if m.s_n else 0",
        "x = m.s_n and e_hurt(m, 1)",
        "x = 0 < (1 if m.s_n else e_hurt(m, 1)) < 3",
        "def inner(): e_hurt(m, 1)",
    ],
)
def test_nothing_may_have_written_it_in_between(between):
    once = "m.s_a = m·K[m·d[l_c]] * 2"
    assert unchanged(f"{once}\n{between}\n{once}")
    assert not unchanged(f"{once}\n{once}")


@pytest.mark.parametrize(
    "between", ["m·at[l_d] = 4", "x = len(m.decks)", "bring_(m, l_c, 3)", "x = v_cost(m, l_d)"]
)
def test_what_writes_something_else_does_not_matter(between):
    assert rewritten(f"x = m·K[m·d[l_c]] * 2\n{between}\ny = m·K[m·d[l_c]] * 3") == code(
        f"x = (same_0 := m·K[m·d[l_c]]) * 2\n{between}\ny = same_0 * 3"
    )


def test_what_was_read_in_one_way_only_is_not_known_after_it():
    assert unchanged("""
        if m.s_n: m.s_a = m·K[m·d[l_c]]
        m.s_b = m·K[m·d[l_c]]
        """)
    assert unchanged("""
        x = m.s_n and m·K[m·d[l_c]]
        m.s_b = m·K[m·d[l_c]]
        """)
    assert unchanged("""
        x = m·K[m·d[l_c]] if m.s_n else 0
        m.s_b = m·K[m·d[l_c]]
        """)
    assert unchanged("""
        for x in m.decks: m.s_a = m·K[m·d[l_c]]
        m.s_b = m·K[m·d[l_c]]
        """)


def test_what_was_read_in_both_ways_or_before_the_other_left_is_known():
    assert rewritten("""
        if m.s_n: m.s_a = m·D_unit·cost[m·d[l_c]] + 1
        else: m.s_a = m·D_unit·cost[m·d[l_c]] + 2
        m.s_b = m·D_unit·cost[m·d[l_c]]
        """) == code("""
        if m.s_n: m.s_a = (same_0 := m·D_unit·cost[m·d[l_c]]) + 1
        else: m.s_a = (same_0 := m·D_unit·cost[m·d[l_c]]) + 2
        m.s_b = same_0
        """)
    assert rewritten("""
        if m.s_n:
            e_hurt(m, l_c)
            return
        while m.s_n:
            if m·D_unit·cost[m·d[l_c]] > 2: return m·D_unit·cost[m·d[l_c]] * m·D_unit·cost[m·d[l_c]]
        """) == code("""
        if m.s_n:
            e_hurt(m, l_c)
            return
        while m.s_n:
            if (same_0 := m·D_unit·cost[m·d[l_c]]) > 2: return same_0 * same_0
        """)


def test_what_was_written_is_read_from_where_it_came():
    assert rewritten("""
        m·p_cp[l_p] = n_
        m·p_spent[l_p] = 10 - m·p_cp[l_p]
        m·p_drew[l_p] = True
        if m·p_drew[l_p]: m.s_n = 3
        """) == code("""
        m·p_cp[l_p] = n_
        m·p_spent[l_p] = 10 - n_
        m·p_drew[l_p] = True
        if True: m.s_n = 3
        """)
    assert unchanged("""
        m·p_cp[l_p] = n_
        n_ = 4
        m·p_spent[l_p] = 10 - m·p_cp[l_p]
        """)
    assert unchanged("""
        m·p_cp[l_p] = n_
        m·p_cp[l_q] = 4
        m·p_spent[l_p] = 10 - m·p_cp[l_p]
        """)
    assert rewritten("""
        m·p_cp[l_p] = n_
        m·p_cp[1 - l_p] = 4
        m·p_spent[l_p] = 10 - m·p_cp[l_p]
        """) == code("""
        m·p_cp[l_p] = n_
        m·p_cp[1 - l_p] = 4
        m·p_spent[l_p] = 10 - n_
        """)
    assert unchanged("""
        m·d[m·d[l_c]] = n_
        m.s_n = m·d[m·d[l_c]]
        """)


def test_the_list_of_a_place_stays_but_what_is_made_of_it_does_not():
    assert rewritten("""
        here = m·places[6 + l_c]
        e_hurt(m, l_c)
        m·places[6 + l_c].append(l_d)
        """) == code("""
        here = m·places[6 + l_c]
        e_hurt(m, l_c)
        here.append(l_d)
        """)
    assert unchanged("""
        x = m·places[6] + m·places[7]
        e_hurt(m, l_c)
        y = m·places[6] + m·places[7]
        """)


def test_places_of_both_players_are_put_together_where_one_of_them_is_often_found():
    assert rewritten("""
        m·places = m.places
        for l_p in l_all:
            for l_q in l_all:
                e_move(m, l_p, m·places[l_q], m·places[4 + (1 - l_p)], m·places[6 + l_q], m·places[3 + l_q])
                e_move(m, l_p, m·places[l_d], m·places[4 + l_d], m·places[6 + l_d], m·places[3 + l_d])
        """) == code("""
        m·places = m.places
        side_0 = m·places[0], m·places[1]
        side_4 = m·places[4], m·places[5]
        for l_p in l_all:
            for l_q in l_all:
                e_move(m, l_p, side_0[l_q], side_4[1 - l_p], m·places[6 + l_q], m·places[3 + l_q])
                e_move(m, l_p, side_0[l_d], side_4[l_d], m·places[6 + l_d], m·places[3 + l_d])
        """)


def test_what_stays_the_same_in_a_loop_is_named_before_it():
    assert rewritten("""
        m·p_n[l_p] = 1
        while True:
            if e_ask(m, 1 - l_p, m·places[6 + l_p]): break
        """) == code("""
        m·p_n[l_p] = 1
        same_0 = m·places[6 + l_p]
        while True:
            if e_ask(m, 1 - l_p, same_0): break
        """)


@pytest.mark.parametrize(
    ("before", "inside"), [("m·p_n[l_q] = 1", "pass"), ("m·p_n[l_p] = 1", "l_p = 1 - l_p"), ("m·c_n[l_p] = 1", "pass")]
)
def test_only_of_a_player_who_surely_is_one_and_stays(before, inside):
    assert unchanged(f"""
{before}
while True:
    {inside}
    if e_ask(m, 1 - l_p, m·places[6 + l_p]): break
""")


def test_a_period_is_counted_by_writing_what_is_read():
    assert rewritten("m·periods[2] += 1\nm·places[l_p] += 1") == code(
        "m·periods[2] = m·periods[2] + 1\nm·places[l_p] += 1"
    )


def test_a_value_is_worked_out_once_while_nothing_is_written():
    assert rewritten("""
        if len(v_pack(m, 1 - l_p)) > 1:
            for x_ in v_pack(m, 1 - l_p): o_1.append(x_)
        """) == code("""
        if len((same_0 := v_pack(m, 1 - l_p))) > 1:
            for x_ in same_0: o_1.append(x_)
        """)


@pytest.mark.parametrize(
    "between",
    [
        "m·p_n[l_q] = 1",
        "m.s_n = 1",
        "m.turn = 1",
        "here.append(l_c)",
        "m·places[l_p].remove(l_c)",
        "del here[-1:]",
        "here[0] = 3",
        "l_p = 0",
        "bring_(m, l_c, 3)",
        "e_hurt(m, l_c)",
        "m·places[l_p] += [l_c]",
        "shuffle(m, 0)",
        "for l_d in m.decks: here.clear()",
    ],
)
def test_whatever_is_written_a_value_may_have_changed(between):
    assert unchanged(f"x = v_pack(m, 1 - l_p)\n{between}\ny = v_pack(m, 1 - l_p)")


def test_what_is_remembered_within_a_computation_is_no_part_of_what_a_value_reads():
    assert not unchanged("x = len(v_pack(m, l_p))\nm.memo = {}\nm.steps = 0\ny = v_pack(m, l_p)")


INNER = """
for l_c in m·places[6 + l_p]:
    for l_d in o_1:
        if m·c_n[l_d] and m·D_unit·cost[m·d[l_c]] > m·c_n[l_d]: BODY
"""


def test_what_a_card_is_stays_the_same_while_others_are_gone_through():
    assert rewritten(INNER.replace("BODY", "o_2.append(l_d)")) == code("""
        for l_c in m·places[6 + l_p]:
            same_0 = m·D_unit·cost[m·d[l_c]]
            for l_d in o_1:
                if m·c_n[l_d] and same_0 > m·c_n[l_d]: o_2.append(l_d)
        """)


@pytest.mark.parametrize("written", ["m·d[l_d] = 3", "e_hurt(m, l_d)", "l_c = 2", "m.d[l_p] += 1"])
def test_unless_it_is_written_there(written):
    assert unchanged(INNER.replace("BODY", written))


def test_what_may_be_no_card_is_not_looked_up_beforehand():
    assert unchanged(INNER.replace("BODY", "o_2.append(l_d)").replace("m·places[6 + l_p]", "l_cards"))
    owned = INNER.replace("BODY", "o_2.append(l_d)").replace("m·D_unit·cost[m·d[l_c]]", "m·p_n[m·own[l_c]]")
    made = rewritten(owned.replace("m·c_n[l_d] and", ""))
    assert "same_0 = m·own[l_c]" in made and "m·p_n[same_0]" in made, "the owner of a card, not what he has"


def test_sums_of_numbers_are_worked_out():
    assert rewritten("here = m·places[6 + (1 - 0) * 1]\ne_f(m, m·places[7], 2 - 5)") == code(
        "here = m·places[7]\ne_f(m, here, -3)"
    )


@pytest.mark.parametrize("moved", ["move(m, l_c, 3, True)", "set_form(m, l_c, 2)", "draw(m, 2, 0, 1)"])
def test_moves_write_no_fields_of_players_and_of_the_match(moved):
    assert rewritten(f"x = m·p_n[l_p] + m·p_k[m.s_first] * 2\n{moved}\ny = m·p_n[l_p] * m·p_k[m.s_first]") == code(
        f"x = m·p_n[l_p] + (same_0 := m·p_k[m.s_first]) * 2\n{moved}\ny = m·p_n[l_p] * same_0"
    )
    assert unchanged(f"x = m·K[m·d[l_c]] + 2\n{moved}\ny = m·K[m·d[l_c]] + 3")
    assert unchanged(f"x = v_n(m, l_c) + 2\n{moved}\ny = v_n(m, l_c) + 3")


def test_what_was_asked_for_its_owner_is_a_card():
    assert rewritten("""
        for l_d in m·decks[m·own[l_c]]:
            if l_d != l_c and m·D_unit·cost[m·d[l_d]] > m·D_unit·cost[m·d[l_c]]: o_1.append(l_d)
        """) == code("""
        same_0 = m·D_unit·cost[m·d[l_c]]
        for l_d in m·decks[m·own[l_c]]:
            if l_d != l_c and m·D_unit·cost[m·d[l_d]] > same_0: o_1.append(l_d)
        """)
    assert unchanged("""
        for l_d in m·decks[m·own[l_c] if l_c is not None else 0]:
            if l_d != l_c and m·D_unit·cost[m·d[l_d]] > m·D_unit·cost[m·d[l_c]]: o_1.append(l_d)
        """)
