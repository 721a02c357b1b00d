"""Answers that in-language tests give: which choice is meant where several have one verb."""

from pathlib import Path

from cardc.testing import run_tests

GAME = """
game g "G" { version: "1"  players: 2 }
enum gem { ruby, red }
enum color { red, green }
player { mana: 0..9 = 0, score }
kind unit {}
zone hand: each player list of unit, owner sees
zone gone: shared list of unit, all see
effect one(p: player) { p choose take u: unit in p.hand, n: 0..2 "Take" { p.mana = n  move u to gone } }
effect two(p: player) { p choose take other: unit in p.hand, k: 0..2 "Take" { p.mana = k + 3  move other to gone } }
effect three(p: player) { p choose take g: gem, k: 0..2 "Take" { if g == ruby { p.mana = 0 } else { p.mana = k } } }
effect four(p: player) { p choose take g: color, k: 0..2 "Take" { p.mana = if g == green then 0 else k + 5 } }
flow { one(players[0])  two(players[0])  three(players[0])  four(players[0])  tie }
card bear "Bear" : unit {}
card cub "Cub" : unit {}
"""

TESTS = """
test "each choice by its own picks" {
  given { me.hand = [bear, cub, bear, cub] }
  when one(me)
  me chooses take(bear, 1)
  expect me.mana == 1
  when two(me)
  me cannot choose take(bear, 3)
  me chooses take(bear, 2)
  expect me.mana == 5 and count(me.hand) == 2
  when two(me)
  me cannot choose take(bear, 2)
  me chooses take(k: 1, other: cub)
  expect me.mana == 4
}

test "a word means what the choice at hand takes it for" {
  when three(me)
  me cannot choose take(green, 2)
  me chooses take(red, 1)
  expect me.mana == 1
  when four(me)
  me cannot choose take(ruby, 1)
  me chooses take(red, 1)
  expect me.mana == 6
}
"""

WRONG = """
test "not what is asked" {
  given { me.hand = [bear] }
  when one(me)
  me chooses take(other: bear, k: 1)
  expect me.mana == 1
}
"""


def test_choices_that_share_a_verb(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + TESTS)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings] == []
    assert [r.message for r in results] == ["", ""]


def test_the_picks_of_another_choice_do_not_fit(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + WRONG)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings] == []
    assert [r.message.split("\n")[1] for r in results] == [
        "  this is not offered; `me` has: `take bear 0`, `take bear 1`, `take bear 2`"
    ]


DECLINED = """
test "another is asked" {
  given { me.hand = [bear] }
  when one(me)
  opponent chooses nothing
  expect me.mana == 0
}
test "he has to choose" {
  given { me.hand = [bear] }
  when one(me)
  me chooses nothing
  expect me.mana == 0
}
"""


def test_who_has_nothing_to_decline_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + DECLINED)
    _, results = run_tests(tmp_path)
    offered = "`take bear 0`, `take bear 1`, `take bear 2`"
    assert [r.message.split("\n")[1] for r in results] == [
        f"  `opponent` has nothing to decline; `me` has: {offered}",
        f"  `me` cannot decline, but has: {offered}",
    ]


ASKED = """
test "an effect asks, and nobody answers" {
  given { me.hand = [bear] }
  when three(me)
  expect me.mana == 3
}
test "the flow always asks" {
  given { me.hand = [bear] }
  when flow
  expect me.mana == 3
}
test "it is not his turn" {
  given { me.hand = [bear] }
  when one(me)
  opponent chooses take(bear, 1)
  expect me.mana == 1
}
test "another wins" {
  when flow
  expect win opponent
}
"""


def test_who_is_asked_is_called_as_in_the_test(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + ASKED)
    _, results = run_tests(tmp_path)
    of_three = "`me` has: " + ", ".join(f"`take {gem} {k}`" for gem in ("ruby", "red") for k in range(3))
    assert [r.message.split("\n")[2:] for r in results[:2]] == [
        ["    me.mana is 0", f"    what was called has not ended: {of_three}"],
        ["    me.mana is 0"],
    ]
    assert [r.message.split("\n")[1] for r in results[2:]] == [
        "  `opponent` is not asked; `me` has: `take bear 0`, `take bear 1`, `take bear 2`",
        f"  expected `opponent` to win, but the match goes on; {of_three}",
    ]


OVER = """
test "nobody is asked any more" {
  when end()
  me chooses nothing
  expect tie
}
effect end() { tie "Over" }
"""


def test_where_the_match_is_over_nobody_declines(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + OVER)
    _, results = run_tests(tmp_path)
    fact = "  `me` has nothing to decline; nobody has to choose: the match is over (Over)"
    assert [r.message.split("\n")[1] for r in results] == [fact]
