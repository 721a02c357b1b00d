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


ELSEWHERE = """
game g "G" { version: "1"  players: 2 }
player { mana: 0..9 = 0, score }
kind unit { state wounds: 0..9 = 0 }
zone hand: each player list of unit, owner sees
zone gone: shared list of unit, all see
board lanes: 2 of lane { worth: 0..9 = 3  units: shared list of unit, all see }
value might(u: unit in lanes): int = u.lane.worth
effect hurt(u: unit in lanes) { u.wounds += 1 }
effect play(p: player, u: unit in hand) {
  move u to lanes[1].units
  p choose drop u2: unit in lanes[1].units "Drop" { move u2 to gone }
}
flow { for each p in players { for each u in p.hand { play(p, u)  for each v in lanes.units { hurt(v) } } }  tie }
card cub "Cub" : unit {}
test "a value of a card that lies elsewhere" { given { let c = new cub  me.hand = [c] }  expect might(c) == 3 }
test "its lane" { given { let c = new cub  gone = [c] }  expect c.lane == lanes[0] }
test "an effect on it" { given { let c = new cub  me.hand = [c] }  when hurt(c)  expect c.wounds == 1 }
test "twice from the hand" {
  given { let c = new cub  me.hand = [c] }
  when play(me, c)
  me chooses drop(c)  when play(me, c)
  expect no result
}
test "where they lie" {
  given { let c = new cub  let d = new cub  me.hand = [c]  lanes[0].units = [d] }
  expect might(d) == 3 and d.lane == lanes[0]
  when hurt(d)
  when play(me, c)
  me cannot choose drop(d)
  me chooses drop(c)
  expect d.wounds == 1 and c is in gone
}
"""


def test_a_card_that_lies_elsewhere_fails_the_test(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(ELSEWHERE)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings if f.severity == "error"] == []
    assert [r.message.split("\n")[1:] for r in results] == [
        ["  g.card:16: Cub does not lie in lanes"],
        ["  g.card:17: Cub does not lie in lanes"],
        ["  g.card:18: Cub does not lie in lanes"],
        ["  g.card:22: Cub does not lie in hand"],
        [],
    ]
