"""What in-language tests give, and what they must say of it."""

from pathlib import Path

import pytest
from cardc.testing import run_tests

GAME = """
game g "G" { version: "1"  players: 2 }
kind unit {}
zone hand: each player list of unit, owner sees
board lanes: 2 of lane { units: shared list of unit, all see }
effect lift(u: unit in lanes) { move u to u.owner.hand }
setup { for each p in players { copy cub to p.hand } }
flow {
  for each p in players { p choose lay u: unit in p.hand "Lay it down" { move u to lanes[0].units } }
  for each u in lanes.units { lift(u) }
  tie
}
card cub "Cub" : unit {}

test "the owner is said" {
  given {
    let c = new cub
    lanes[0].units = [c]
    c.owner = opponent
  }
  when lift(c)
  expect c is in opponent.hand
}

test "the owner is that of the hand where it was" {
  given {
    let c = new cub
    me.hand = [c]
    lanes[0].units = [c]
  }
  when lift(c)
  expect c is in me.hand
}

test "the owner is not said" {
  given { lanes[0].units = [cub] }
  when flow
  expect tie
}
"""


@pytest.mark.parametrize("lifted", ["unit in lanes", "unit"])  # cards go by a function of their own from either
def test_a_card_that_needs_an_owner_gets_one(tmp_path: Path, lifted: str) -> None:
    (tmp_path / "g.card").write_text(GAME.replace("unit in lanes", lifted))
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings] == []
    assert [r.passed for r in results] == [True, True, False]
    assert results[2].message.startswith("g.card:37: when flow\n  g.card:6: ")
    assert results[2].message.endswith(
        "\n  line 36 puts Cub where its owner does not follow from the place: "
        "name it, `let c = new cub`, and say whose it is, `c.owner = me`"
    )
