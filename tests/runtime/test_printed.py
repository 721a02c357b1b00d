"""Lists that follow from what is printed are made once a game."""

from __future__ import annotations

import ast

import pytest
from card_runtime.printed import keep
from card_runtime.tabling import Tables


def rewritten(text):
    module = ast.parse(text)
    keep([module])
    return ast.unparse(ast.fix_missing_locations(module))


KEPT = "[l_c for l_c in m.catalog if not m.D_unit·creep[l_c] and m.K[l_c] in (1, 2)]"


def test_what_is_printed_is_looked_at_once():
    code = compile(rewritten(f"found = {KEPT}"), "code", "exec")

    class Match:
        catalog = (0, 1, 2, 3)
        K = (1, 2, 3, 1)
        D_unit·creep = (False, True, False, False)
        tables = Tables()

    space = {"m": Match}
    exec(code, space)
    assert space["found"] == [0, 3]
    first = space["found"]
    Match.catalog = None  # is not gone through again
    exec(code, space)
    assert space["found"] is first
    other = type("Match", (Match,), {"catalog": (3, 2), "tables": Tables()})  # with cards of its own
    exec(code, {"m": other})
    assert [*other.tables.values()] == [{0: [3]}]


@pytest.mark.parametrize(
    "text",
    [
        "[l_c for l_c in m.catalog]",
        "[l_c for l_c in m.catalog if m.D_unit·power[l_c] > l_n]",
        "[l_c for l_c in m.catalog if m.D_unit·power[l_c] > m.s_round]",
        "[l_c for l_c in m.catalog if m.D_unit·power[l_c] > m.o_least]",
        "[l_c for l_c in m.catalog if v_good(m, l_c)]",
        "[l_c for l_c in m.places[3] if m.D_unit·creep[l_c]]",
        "[m.K[l_c] for l_c in m.catalog if m.D_unit·creep[l_c]]",
    ],
)
def test_what_follows_from_more_is_made_each_time(text):
    assert rewritten(text) == text
