"""Words of an enum in a list that is written out, where what they are compared with, drawn for or chosen as says
which enum they are of."""

from pathlib import Path

from cardc.testing import run_tests

GAME = """
game w "W" { version: "1"  players: 2 }
enum rank { low, spades }
enum suit { clubs, hearts, spades }
state trump: suit? = none
state dealt: list of suit = []
kind playing { suit: suit  rank: rank }
zone pile: shared list of playing, all see
card ace "A" : playing { suit: hearts  rank: spades }
value dark(s: suit?): bool = s is in [clubs, spades]
effect turn_up() { trump = random from [hearts, spades] }
effect deal() { dealt = random 2 from [clubs, spades] }
effect name(p: player) { p choose name s: suit in [hearts, spades] "Name" { trump = s } }
flow {
  turn_up()
  deal()
  name(players[0])
  if any(c in pile where c.rank is in [low] and dark(c.suit)) or hearts is in dealt or dark(trump) { win players[0] }
  tie
}
"""

TESTS = """
test "compared" {
  given { trump = spades  let a = new ace }
  expect dark(trump) and not dark(none) and not dark(hearts) and trump is in [spades] and not (a.rank is in [low])
}
test "drawn" {
  given { chance pick trump = spades }
  when turn_up()
  expect trump == spades
  when deal()
  expect count(dealt) == 2 and all(dark(s) for s in dealt)
}
test "chosen" {
  when name(me)
  me cannot choose name(clubs)
  me chooses name(hearts)
  expect trump == hearts
}
"""


def test_words_in_a_list_are_of_the_enum_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + TESTS)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings] == []
    assert [r.message for r in results] == ["", "", ""]


MEMBERS = """
game m "M" { version: "1"  players: 2 }
enum suit (count: 0..9) { clubs(2), hearts(3) }
player { size: 0..9 = 4 }
kind unit { top: 0..9 = 0  form grown(first: 1..9) }
zone hand: each player list of unit, owner sees
board land: 2 of field { last: 0..9 = 1  units: shared list of unit, all see }
card oak "Oak" : unit { top: 5  form grown(first: 7) { top: 6 } }
value counts(): list of suit = [clubs, hearts]
value all_of(p: player): int =
  sum(n for n in counts().count) + sum(n for n in players.size) + sum(n for n in p.hand.top) + sum(n for n in land.last)
  + sum(n for n in p.hand.forms.first)
flow { if all_of(players[0]) > 9 { win players[0] } tie }
test "sums" {
  given { me.hand = [oak, oak] }
  expect all_of(me) == 2 + 3 + 4 + 4 + 5 + 5 + 1 + 1 + 7 + 7
}
"""


def test_members_may_be_called_like_what_lists_have_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(MEMBERS)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings if f.severity == "error"] == []
    assert [r.message for r in results] == [""]
