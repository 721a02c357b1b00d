"""Shared passes over cards: the options of a playout are those of a stepped match, with less work."""

from __future__ import annotations

import re
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.bots import Random, generator_seed
from card_runtime.chance import numbers
from card_runtime.match import state_hash
from cardc import pipeline
from cardc.emit.module import emit

SOURCE = Path(__file__).parents[1] / "accept" / "scans.card"


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scans")
    (folder / "scans.card").write_bytes(SOURCE.read_bytes())
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def test_a_playout_is_asked_what_a_stepped_match_is_asked(game):
    verbs = set()
    for seed in range(150):
        counts, drawn = [], numbers(generator_seed(seed))

        def ask(seat, n, counts=counts, drawn=drawn):
            counts.append((seat, n))
            return next(drawn) % n

        whole = game.playout_state(seed, ask=ask)
        match, choose, asked = game.start(seed), Random(seed), []
        while (decision := match.decision) is not None:
            asked.append((decision.player, decision.count + decision.optional))
            verbs.update(option.value["verb"] for option in decision.options)
            match.choose(choose(decision))
        assert asked == counts, seed
        assert state_hash(whole) == match.state_hash(), seed
    assert verbs == {"play", "use", "burn", "split", "strike", "rush", "trap", "swap", "late"}


def act() -> str:
    checked = pipeline.analyse([(SOURCE.name, SOURCE.read_bytes())], None)
    text = "".join(m.text for m in emit(checked.symbols, checked.program))
    return text[text.index("def e_act(") : text.index("def s_e_act(")]


def test_the_hand_is_gone_through_once_for_all_that_ask_nothing_else():
    """One pass for play, use, burn and split; one for late, which has a condition of its own."""
    assert len(re.findall(r"in m\.places\[l_p\]:", act())) == 2
    assert act().count("cost[m.d[l_u_1]] <= r_1_0_0") == 1


def test_what_an_element_has_in_common_is_computed_once_for_it_and_only_where_it_matters():
    code = act()
    assert code.count("v_targets(") == 1
    before = code.split("v_targets(")[0]
    assert before.rstrip().split("\n")[-2].strip().startswith("if z_")
    assert "for " not in before.rsplit("if z_", 1)[1]
    assert code.count("if (not m.c_unit·tired[") == 1, "once for strike and rush"


def test_what_may_fail_is_not_tested_before_what_guards_it():
    code = act()
    guard, entry = "reach[m.d[l_u_1]] < 2)", "entry_from("
    assert code.count(entry) == 2, "split and late"
    assert code.index(guard) < code.index(entry)
    assert code.index("if (m.p_mana[l_p] < 2):") < code.rindex(entry)


def test_options_of_three_picks_stay_one_expression():
    assert re.search(r"o_1_7 = \[\(.* for l_u_\d+ in .* for l_o_\d+ in .* for l_i_\d+ in ", act())


def test_a_card_of_a_kind_is_tested_for_no_other():
    """Units are played; items that a test of their own wants come after them."""
    code = act()
    first = r"k_ = m\.K\[m\.d\[l_u_1\]\]\n +if k_ == 1:\n +o_1_0_0\.append\(l_u_1\)\n +"
    assert re.search(first + "elif k_ == 2 and ", code)
    assert "r_1_0_0 = m.p_mana[l_p]\n" in code
