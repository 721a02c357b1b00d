"""Loops that ask: a pass in which there is nothing to choose counts, so no loop goes on for ever."""

from __future__ import annotations

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import result_of
from cardc import pipeline

GAME = """\
game treadmill "Treadmill" {{ version: "1"  players: 2 }}

player {{ left: 0..9 = 3 }}

kind coin {{}}

zone purse: each player list of coin, owner sees
zone spent: shared list of coin, all see

setup {{ for each p in players {{ for each c in catalog {{ copy c to p.purse }} }} }}

flow {{
  {loop} {{
    if players[0].left == 9 {{ stop }}
    {question}
  }}
  tie
}}

card penny "Penny" : coin {{}}
card dime "Dime" : coin {{}}
"""

LOOPS = {
    "loop": "loop",
    "repeat": "repeat 1000000",
    "turns": "alternate p from players[0]",
}
QUESTIONS = {
    "one": "WHO choose spend c: coin in WHO.purse { move c to spent }",
    "two": "WHO choose spend c: coin in WHO.purse { move c to spent } or save when WHO.left > 0 { WHO.left -= 1 }",
    "may": "WHO may choose spend c: coin in WHO.purse { move c to spent } else { WHO.left = 0 }",
}
ASKED = {"one": 2, "two": 5, "may": None}
"""How often one player can be asked: for two coins and three savings; declining goes on for ever while he has coins."""


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_loop_with_nothing_left_to_choose_is_stopped(tmp_path, loop, question):
    who = "p" if loop == "turns" else "players[0]"
    text = GAME.format(loop=LOOPS[loop], question=QUESTIONS[question].replace("WHO", who))
    (tmp_path / "treadmill.card").write_text(text)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    whole = game.playout_state(3)
    match, choose = game.start(3), Random(3)
    while match.decision is not None:
        match.choose(choose(match.decision))
    for m in (whole, match.state):
        found = result_of(m)
        assert found.winner is None and "more than 100000 steps without a decision" in found.reason
    assert whole.decisions == match.state.decisions
    if ASKED[question] is not None:
        assert whole.decisions == ASKED[question] * (2 if loop == "turns" else 1)


ORDERED = """\
game ranks "Ranks" { version: "1"  players: 2 }

player { trace: int = 0, score }

kind coin {}

board lanes: 4 of lane { weight: 0..9 = 0  coins: shared list of coin, all see }

value heft(l: lane): int = l.weight

flow {
  lanes[0].weight = 2
  lanes[1].weight = 1
  lanes[3].weight = 1
  for each l in lanes by heft(l) {
    lanes[1].weight = 9
    players[0].trace = players[0].trace * 10 + l.index
  }
  for each p in players by (if p == players[0] then 1 else 0) {
    players[1].trace = players[1].trace * 10 + (if p == players[0] then 1 else 2)
  }
  tie
}

card penny "Penny" : coin {}
"""


def test_a_few_things_are_gone_through_in_the_order_they_had_at_first_and_equal_ones_as_they_lie(tmp_path):
    (tmp_path / "ranks.card").write_text(ORDERED)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    assert game.playout_state(1).p_trace == game.start(1).state.p_trace == [2130, 21]
