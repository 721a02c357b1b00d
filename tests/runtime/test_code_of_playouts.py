"""What the code of playouts is made of: rewrites of expressions and statements that change nothing but their cost."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from card_runtime.fusion import filters, forget, fuse
from card_runtime.link import Facts, link
from card_runtime.peephole import find_bearers, shorten, spare
from card_runtime.unfold import unfold


def rewritten(rewrite, text):
    """The code after a rewrite. Names made by it are numbered, the module is one."""
    module = ast.parse(dedent(text))
    rewrite([module])
    ast.fix_missing_locations(module)
    compile(module, "code", "exec")
    return ast.unparse(module).strip()


def code(text):
    return ast.unparse(ast.parse(dedent(text)))


def unchanged(rewrite, text):
    return rewritten(rewrite, text) == code(text)


# ---- Conditions and modifiers


def test_the_bearer_of_an_ability_is_found_once_and_without_a_search():
    made = rewritten(
        find_bearers,
        """
        def m_oak(m, l_self, x, l_s):
            return x + 1 if m.c_a[lender(m, l_self, 'a')] or m.c_b[lender(m, l_self, 'a')] else lender(m, l_self, 'b')
        def a_oak(m, l_self):
            l_source = lender(m, l_self, 'a')
        def a_elm(m, l_self):
            l_source = lender(m, l_self, 'a')
            e_hurt(m, l_source)
        """,
    )
    assert made == code(
        """
        def m_oak(m, l_self, x, l_s):
            lender_0 = lender(m, l_self, 'a') if m.borrowed else l_self
            lender_1 = lender(m, l_self, 'b') if m.borrowed else l_self
            return x + 1 if m.c_a[lender_0] or m.c_b[lender_0] else lender_1

        def a_oak(m, l_self):
            pass

        def a_elm(m, l_self):
            l_source = lender(m, l_self, 'a')
            e_hurt(m, l_source)
        """
    )


def test_modifiers_of_playouts_are_as_they_are_without_logs():
    made = rewritten(
        shorten,
        """
        def v_power(m, l_s):
            for _, s_, fn_, _ in m.v_power.get(l_s, ()):
                x = fn_(m, s_, x, l_s)
        """,
    )
    assert made == code(
        """
        def v_power(m, l_s):
            for _, s_, _, fn_ in m.v_power.get(l_s, ()):
                fn_ = fn_.quiet
                x = fn_(m, s_, x, l_s)
        """
    )


# ---- Expressions


def test_what_may_be_none_is_tested_where_it_is_gone_through():
    made = rewritten(
        shorten,
        """
        def v_meets(m, l_s):
            x = any([m.p[l_f] > 1 for l_f in known(only(m.places[l_s]))])
            y = any([m.flag[l_f] for l_f in known(m.own[l_s])])
            z = l_s - sum([m.p[l_f] + 1 for l_f in known(m.own[l_s])])
        """,
    )
    assert made == code(
        """
        def v_meets(m, l_s):
            x = (z_1 := (z_2[0] if (z_2 := m.places[l_s]) else None)) is not None and m.p[z_1] > 1
            y = (z_3 := m.own[l_s]) is not None and bool(m.flag[z_3])
            z = l_s - (m.p[z_4] + 1 if (z_4 := m.own[l_s]) is not None else 0)
        """
    )


def test_inside_of_comprehensions_no_names_are_given():
    assert unchanged(
        shorten,
        """
        def v_all(m, l_s):
            x = [only(m.places[l_f]) for l_f in m.places[l_s]]
        """,
    )


# ---- Statements


def test_state_that_is_shown_to_all_is_noted_at_once():
    made = rewritten(
        spare,
        """
        def e_show(m, l_p):
            reveal_state(m, 'bid', (0, 1), 3)
            reveal_state(m, 'bid', (l_p,), 1 << l_p)
        """,
    )
    assert made == code(
        """
        def e_show(m, l_p):
            m.h_bid[0] = 3
            m.h_bid[1] = 3
            reveal_state(m, 'bid', (l_p,), 1 << l_p)
        """
    )


def test_from_empty_places_nothing_is_moved():
    made = rewritten(
        spare,
        """
        def e_clear(m, l_p):
            move_places(m, (m.places[4 + l_p],), l_p)
            move_places(m, m.places[4:6], l_p)
        """,
    )
    assert made == code(
        """
        def e_clear(m, l_p):
            if m.places[4 + l_p]:
                move_places(m, (m.places[4 + l_p],), l_p)
            move_places(m, m.places[4:6], l_p)
        """
    )


def test_loops_that_tell_listeners_only_are_left_out_while_nobody_listens():
    made = rewritten(
        spare,
        """
        def e_round(m):
            for l_p in SEATS_FROM[m.s_first]:
                for l_c in [*m.places[2 + l_p]]:
                    if not 2 <= m.at[l_c] < 4:
                        continue
                    if l_c in m.t_dawn:
                        fire(m, E_dawn, m.t_dawn[l_c], (l_c,))
                if m.t_noon:
                    fire(m, E_noon, m.t_noon.get(l_p) or m.t_noon.get(None, ()), (l_p,))
        """,
    )
    assert made.startswith("def e_round(m):\n    if m.t_dawn or m.t_noon:\n        for l_p in SEATS_FROM")
    assert made.count("if m.t_dawn or m.t_noon") == 1


@pytest.mark.parametrize(
    "body",
    [
        "m.p_gold[l_p] += 1",
        "fire(m, E_dawn, m.t_dusk[l_p], (l_p,))",
        "if m.s_on: fire(m, E_dawn, m.t_dawn[l_p], (l_p,))",
        "if l_p in m.t_dawn: fire(m, E_dawn, m.t_dawn[l_p], (l_p,))\n            else: m.s_on = True",
    ],
)
def test_loops_that_do_more_are_kept(body):
    assert unchanged(
        spare,
        f"""
        def e_round(m):
            for l_p in (0, 1):
                {body}
        """,
    )


def test_a_list_is_not_made_where_what_is_done_leaves_it_as_it_is():
    made = rewritten(
        spare,
        """
        def e_show(m):
            for l_p in [l_p for l_p in SEATS_FROM[m.s_first] if m.p_used[l_p]]:
                move_places(m, m.places[2:4], 8 + l_p)
            for c_ in [c_ for z_ in m.places[6:10] for c_ in z_]:
                m.up[c_] = True
        """,
    )
    assert made == code(
        """
        def e_show(m):
            for l_p in SEATS_FROM[m.s_first]:
                if m.p_used[l_p]:
                    move_places(m, m.places[2:4], 8 + l_p)
            for z_ in m.places[6:10]:
                for c_ in z_:
                    m.up[c_] = True
        """
    )


@pytest.mark.parametrize(
    ("found", "body"),
    [
        ("[c for c in m.places[2] if m.up[c]]", "m.up[c + 1] = True"),  # the test is of the next one, too
        ("[c for c in m.places[2] if c]", "move(m, c, 3)"),  # the list grows shorter
        ("[c for c in (0, 1) if m.p_used[c]]", "e_use(m, c)"),  # who knows what that does
        ("[c for c in (0, 1) if m.p_used[c]]", "m.p_used = [1, 1]"),
        ("[c for c in (0, 1) if c < l_n]", "l_n = c"),
        ("[c for z in m.places[2:4] for c in z]", "break"),  # out of all of it
        ("[c for c in (0, 1) if m.p_used[c]]", "l_list[c] = 1"),  # which may be m.p_used
    ],
)
def test_a_list_is_made_where_what_is_done_may_change_it(found, body):
    assert unchanged(
        spare,
        f"""
        def e_show(m):
            for c in {found}:
                {body}
        """,
    )


def test_what_is_kept_for_the_log_is_put_at_once():
    made = rewritten(
        spare,
        """
        def e_clear(m, l_p):
            if l_p:
                n_ = 0
                m.p_shield[l_p] = n_
            n_ = m.p_gold[l_p] - 1
            if n_ < 0:
                n_ = 0
            m.p_gold[l_p] = n_
            n_1_0 = len(m.places[0])
            l_x = n_1_0
        """,
    )
    assert made == code(
        """
        def e_clear(m, l_p):
            if l_p:
                m.p_shield[l_p] = 0
            n_ = m.p_gold[l_p] - 1
            if n_ < 0:
                n_ = 0
            m.p_gold[l_p] = n_
            n_1_0 = len(m.places[0])
            l_x = n_1_0
        """
    )


def test_options_without_picks_are_counted_where_they_are_tested():
    made = rewritten(
        spare,
        """
        def e_ask(m, l_p):
            o_1_0 = 1 if m.p_draws[l_p] > 0 else 0
            o_1_1 = [c for c in m.places[l_p]]
            o_1_2 = 1 if not m.p_drew[l_p] else 0
            o_1_3 = 1 if m.s_on else 0
            n_1_1 = o_1_0 + len(o_1_1)
            n_1_2 = n_1_1 + o_1_2
            m.s_on = n_1_2 > 0
            n_1_3 = n_1_2 + o_1_3
            if o_1_0:
                o_2_0 = 1 if m.s_off else 0
                n_2_0 = o_2_0
        """,
    )
    assert made == code(
        """
        def e_ask(m, l_p):
            o_1_0 = 1 if m.p_draws[l_p] > 0 else 0
            o_1_1 = [c for c in m.places[l_p]]
            o_1_3 = 1 if m.s_on else 0
            n_1_1 = o_1_0 + len(o_1_1)
            n_1_2 = n_1_1 + 1 if not m.p_drew[l_p] else n_1_1
            m.s_on = n_1_2 > 0
            n_1_3 = n_1_2 + o_1_3
            if o_1_0:
                n_2_0 = 1 if m.s_off else 0
        """
    )


def test_a_truth_is_made_only_where_it_is_kept():
    made = rewritten(
        spare,
        """
        def e_ask(m, l_p):
            if m.s_on and not not m.places[l_p] or not not not m.places[2]:
                m.s_any = not not m.places[l_p] and m.s_on
            l_n = 1 if not not m.places[l_p] else 0
            m.s_even = bool(m.places[l_p]) and m.s_on
            l_up = False if not not m.s_odd else True
        """,
    )
    assert made == code(
        """
        def e_ask(m, l_p):
            if m.s_on and m.places[l_p] or not m.places[2]:
                m.s_any = not not m.places[l_p] and m.s_on
            l_n = 1 if m.places[l_p] else 0
            m.s_even = not not m.places[l_p] and m.s_on
            l_up = not m.s_odd
        """
    )


def test_a_value_is_called_where_it_is_modified_and_written_out_once_elsewhere():
    made = rewritten(
        lambda modules: link(modules, Facts(frozenset({"v_cost"}), frozenset()), quiet=True),
        """
        def v_cost(m, l_c):
            x = m.D_card·cost[m.d[l_c]]
            if m.v_cost:
                for _, s_, fn_, _ in m.v_cost.get(l_c) or m.v_cost.get(None, ()):
                    x = fn_(m, s_, x, l_c)
            return x
        def v_dear(m, l_c):
            x = v_cost(m, l_c) > 3
            return x
        def e_look(m, l_c):
            m.s_on = v_dear(m, l_c)
        """,
    )
    assert made.endswith("m.s_on = (v_cost(m, l_c) if m.v_cost else m.D_card·cost[m.d[l_c]]) > 3")


def test_nothing_is_told_to_logs():
    made = rewritten(
        lambda modules: link(modules, Facts(frozenset(), frozenset()), quiet=True),
        """
        def e_set(m, l_p):
            n_ = m.p_gold[l_p] + 1
            if m.obs is not None and m.p_gold[l_p] != n_: m.obs.changes(m, ('player', 'gold', l_p), n_)
            m.p_gold[l_p] = n_
            if m.obs is not None: reveal(m, m.places[0], 3)
            else: m.s_on = True
            if m.obs is not None or l_p or m.s_off: move(m, 0, 1)
        """,
    )
    assert made == code(
        """
        def e_set(m, l_p):
            m.p_gold[l_p] = m.p_gold[l_p] + 1
            m.s_on = True
            if l_p or m.s_off:
                move(m, 0, 1)
        """
    )


# ---- Loops of values

MATES = """
def v_mates(m, l_s):
    x = [l_o for l_o in m.decks[m.own[l_s]] if m.K[l_o] == 1 and l_o != l_s]
    return x
"""


def fused(modules):
    fuse(modules, filters(modules))


def test_a_list_that_is_only_gone_through_is_not_made():
    made = rewritten(
        fused,
        MATES
        + """
def v_count(m, l_c):
    x = len([1 for l_a in v_mates(m, l_c) if m.up[l_a]])
    return x
def v_first(m, l_c):
    x = top(v_mates(m, l_c))
    return x
""",
    )
    assert made == code(
        MATES
        + """
def v_count(m, l_c):
    x = len([1 for l_a in m.decks[m.own[l_c]] if m.K[l_a] == 1 and l_a != l_c if m.up[l_a]])
    return x
def v_first(m, l_c):
    x = top(v_mates(m, l_c))
    return x
"""
    )


def test_a_list_of_another_call_is_made():
    """Its argument would be computed for each item."""
    text = MATES + "def v_count(m, l_c):\n    x = len([1 for l_a in v_mates(m, top(m.places[l_c]))])\n    return x\n"
    assert unchanged(fused, text)


MEMO = """
    k_ = m.memo
    if k_ is not None:
        i_ = l_s * 256 + 3
        if i_ in k_: return k_[i_]
    x = {value}
    if k_ is not None: k_[i_] = x
    return x
"""


def test_what_reads_no_other_values_is_not_remembered():
    value = "len([1 for l_o in m.decks[m.own[l_s]] if m.up[l_o]])"
    made = rewritten(forget, "def v_mates(m, l_s):" + MEMO.format(value=value))
    assert made == code(f"def v_mates(m, l_s):\n    x = {value}\n    return x")


@pytest.mark.parametrize("value", ["v_power(m, l_s) + 1", "lines_of(m, l_s)", "m.S_x[l_s](m)"])
def test_what_may_cost_any_amount_is_remembered(value):
    assert unchanged(forget, "def v_mates(m, l_s):" + MEMO.format(value=value))


RULE = """
def e_fight(m):
    for l_s in m.places[0]:
        m.memo = {}
        n_ = v_blow(m, l_s)
        m.memo = None
        m.c_blow[l_s] = n_
"""
BLOW = "def v_blow(m, l_s):" + MEMO.format(value="v_power(m, l_s) if m.up[l_s] else 0")
POWER = "def v_power(m, l_s):" + MEMO.format(value="lines_of(m, l_s)")


def test_what_is_read_once_is_not_remembered():
    unread = "def v_all(m, l_s):" + MEMO.format(value="v_power(m, l_s) + v_blow(m, l_s)")
    made = rewritten(forget, RULE + BLOW + POWER + unread)
    assert "m.memo" in made  # of the value that nobody reads
    assert made.count("k_ = m.memo") == 1
    made = rewritten(forget, RULE + BLOW + POWER)
    assert "memo" not in made


@pytest.mark.parametrize(
    "more",
    [
        "def m_oak(m, l_self, x, l_s):\n    return x + v_power(m, l_self)\n",  # who knows how often that is
        "def e_look(m, l_s):\n    m.s_n = v_power(m, l_s) + v_blow(m, l_s)\n",
        "def e_look(m, l_s):\n    m.memo = {}\n    for c in m.places[0]:\n        m.c_n[c] = v_most(m, l_s)\n"
        "def v_most(m, l_s):" + MEMO.format(value="v_power(m, l_s)"),
        "def e_look(m, l_s):\n    m.s_n = sum([v_most(m, c) for c in m.places[0]])\ndef v_most(m, l_s):"
        + MEMO.format(value="v_power(m, l_s)"),
    ],
)
def test_what_is_read_more_often_is_remembered(more):
    assert "k_ = m.memo" in rewritten(forget, RULE + BLOW + POWER + more).split("def v_power")[1]


@pytest.mark.parametrize(
    ("value", "loops"),
    [
        ("any([m.p[c] for c in m.l if c])", "x = False\nfor c in m.l:\n if c:\n  if m.p[c]:\n   x = True\n   break"),
        ("all([m.p[c] for c in m.l])", "x = True\nfor c in m.l:\n if not m.p[c]:\n  x = False\n  break"),
        ("len([1 for c in m.l if c])", "x = 0\nfor c in m.l:\n if c:\n  x += 1"),
        ("sum([c * 2 for z in m.l for c in z])", "x = 0\nfor z in m.l:\n for c in z:\n  x += c * 2"),
        (
            "m.a and bool(any([c for c in m.l]))",
            "x = m.a\nif x:\n x = False\n for c in m.l:\n  if c:\n   x = True\n   break",
        ),
        (
            "m.a and bool(m.b == 1 and any([c for c in m.l]))",
            "x = m.a\nif x:\n x = m.b == 1\n if x:\n  x = False\n  for c in m.l:\n   if c:\n    x = True\n    break",
        ),
    ],
)
def test_what_is_computed_from_a_list_is_a_loop(value, loops):
    head = "def v_f(m):\n"
    body = "\n".join("    " + line for line in loops.split("\n"))
    assert rewritten(unfold, f"{head}    x = {value}\n    return x") == code(f"{head}{body}\n    return x")


def test_a_truth_of_two_loops_stays_as_it_is():
    assert unchanged(unfold, "def v_f(m):\n    x = any([c for z in m.l for c in z])\n    return x")


# ---- Small savings


def test_bits_are_tested_in_place():
    made = rewritten(
        lambda modules: (shorten(modules), spare(modules)),
        """
        def e_f(m, l_c):
            l_x = m.c_a[l_c] >> 3 & 1 == 1
            if m.c_a[l_c] >> 3 & 1 == 1 and (m.c_a[l_c] & m.c_b[l_c] != 0): m.s_n = 1
            o_1 = [l_d for l_d in both(m, 4 + ELEMENT[m.at[l_c]] * 2) if m.c_a[l_d] >> 2 & 1 == 1]
            o_2 = both(m, 4 + v_n(m) * 2)
            o_3 = both(m, 4 + ELEMENT[m.at[l_c]] * 2)
        """,
    )
    assert made == code(
        """
        def e_f(m, l_c):
            l_x = m.c_a[l_c] & 8 != 0
            if m.c_a[l_c] & 8 and m.c_a[l_c] & m.c_b[l_c]:
                m.s_n = 1
            o_1 = [l_d for l_d in both(m, 4 + ELEMENT[m.at[l_c]] * 2) if m.c_a[l_d] & 4 != 0]
            o_2 = both(m, 4 + v_n(m) * 2)
            o_3 = m.places[4 + ELEMENT[m.at[l_c]] * 2] + m.places[5 + ELEMENT[m.at[l_c]] * 2]
        """
    )


def test_the_greater_of_two_numbers_needs_no_call():
    made = rewritten(shorten, "def v_f(m, l_a, l_b):\n    x = max(l_a - 1, 0) + min(3, l_b) + at_least(l_a, l_b)")
    assert made == code(
        """
        def v_f(m, l_a, l_b):
            x = (z_1 if (z_1 := (l_a - 1)) > 0 else 0) + (z_2 if (z_2 := l_b) < 3 else 3) + (
                z_3 if (z_3 := l_a) > l_b else l_b)
        """
    )


def test_the_course_of_a_match_knows_how_deep_it_is():
    """An ability that it runs is the outermost."""
    made = rewritten(
        spare,
        """
        def flow(m): run(m, a_, l_c, 'power')
        def e_f(m): run(m, a_, l_c, 'power')
        """,
    )
    assert made == code(
        """
        def flow(m):
            m.depth = 1
            m.steps = steps_ = m.steps + 1
            if steps_ > MOST_STEPS: too_deep(m, None)
            run_ = a_.quiet
            run_(m, l_c)
            m.depth = 0
        def e_f(m):
            m.depth = deep_ = m.depth + 1
            m.steps = steps_ = m.steps + 1
            if deep_ > MOST_DEPTH or steps_ > MOST_STEPS: too_deep(m, None)
            run_ = a_.quiet
            run_(m, l_c)
            m.depth = deep_ - 1
        """
    )


def test_a_number_that_is_there_only_if_is_compared_only_then():
    made = rewritten(
        spare,
        """
        def e_f(m):
            if (v_gain(m, l_p) if l_p in m.v_gain else 0) > 0: m.s_n = 1
            if (v_gain(m, l_p) if l_p in m.v_gain else 0) < 1: m.s_n = 2
            if (v_gain(m, l_p) if l_p in m.v_gain else l_q) > 0: m.s_n = 3
        """,
    )
    assert made == code(
        """
        def e_f(m):
            if l_p in m.v_gain and v_gain(m, l_p) > 0: m.s_n = 1
            if not l_p in m.v_gain or v_gain(m, l_p) < 1: m.s_n = 2
            if (v_gain(m, l_p) if l_p in m.v_gain else l_q) > 0: m.s_n = 3
        """
    )


def test_the_flow_ends_with_the_match_without_an_exception():
    made = rewritten(
        spare,
        """
        def flow(m):
            if m.s_n: finish(m, 1, 'Won')
        def e_f(m): finish(m, None, 'Tied')
        """,
    )
    assert made == code(
        """
        def flow(m):
            if m.s_n:
                m.result = (1, 'Won')
                return
        def e_f(m):
            finish(m, None, 'Tied')
        """
    )


def test_a_large_effect_is_raised_where_it_does_something():
    many = "\n".join(f"        m.s_n = {i}" for i in range(600))
    head = f"def e_f(m, l_p):\n    if m.p_n[l_p] > 2:\n{many}\n    if m.t_f: fire(m, E_f, m.t_f[None], (l_p,))\n"
    made = rewritten(unfold, head + "def e_g(m): e_f(m, 1)\ndef e_h(m): e_f(m, m.s_p)")
    assert made.endswith(code("def e_g(m):\n    if m.p_n[1] > 2 or m.t_f: e_f(m, 1)\n\ndef e_h(m):\n    e_f(m, m.s_p)"))


def test_an_effect_that_returns_early_is_written_out():
    made = rewritten(
        unfold,
        """
        def e_f(m, l_p):
            if l_p in m.i_f and replaced(m, m.i_f[l_p], (l_p,)): return
            m.p_n[l_p] = 1
        def e_g(m): e_f(m, 1)
        """,
    )
    assert made.endswith(
        code("def e_g(m):\n    if not (1 in m.i_f and replaced(m, m.i_f[1], (1,))):\n        m.p_n[1] = 1")
    )


def test_modified_values_that_an_expression_reads_are_written_out_where_it_comes_to_them():
    made = rewritten(
        unfold,
        """
        def v_power(m, l_c):
            x = m.D_c·power[m.d[l_c]]
            if m.v_power:
                for _, s_, _, fn_ in m.v_power.get(l_c) or m.v_power.get(None, ()):
                    fn_ = fn_.quiet
                    x = fn_(m, s_, x, l_c)
                if x < 0: x = 0
            return x
        def e_look(m, l_c, l_d):
            n_ = 1 if m.s_on and (v_power(m, l_c) if m.v_power else m.D_c·power[m.d[l_c]]) > m.s_n else 0
            m.s_n = n_
        """,
    )
    assert made.endswith(
        code(
            """
            def e_look(m, l_c, l_d):
                n_ = 0
                if m.s_on:
                    x·1 = m.D_c·power[m.d[l_c]]
                    if m.v_power:
                        for _·1, s_·1, _·1, fn_·1 in m.v_power.get(l_c) or m.v_power.get(None, ()):
                            fn_·1 = fn_·1.quiet
                            x·1 = fn_·1(m, s_·1, x·1, l_c)
                        if x·1 < 0: x·1 = 0
                    if x·1 > m.s_n:
                        n_ = 1
                m.s_n = n_
            """
        )
    )


def test_a_number_is_compared_with_what_is_large_before_what_is_huge():
    made = rewritten(
        spare,
        """
        def e_f(m, l_n):
            if l_n < -999999999999999: l_n = 0
            elif l_n > 999999999999999: l_n = 1
            if l_n < 999999999999999 or l_n > 8: m.s_n = 1
        """,
    )
    assert made == code(
        """
        def e_f(m, l_n):
            if l_n < -1000000000 and l_n < -999999999999999: l_n = 0
            elif l_n > 1000000000 and l_n > 999999999999999: l_n = 1
            if l_n < 999999999999999 or l_n > 8: m.s_n = 1
        """
    )
