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
