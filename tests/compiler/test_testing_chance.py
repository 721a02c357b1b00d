"""Chance as in-language tests give it."""

from pathlib import Path

from cardc.testing import run_tests

GAME = """
game g "G" { version: "1"  players: 2 }
kind wolf { value: 0..9 }
zone pile: each player list of wolf, nobody sees
effect mix(p: player) { shuffle p.pile }
setup { for each p in players { copy cub to p.pile } mix(players[0]) }
flow { loop { players[0] choose go { win players[0] "so" } } }
card cub "Cub" : wolf { value: 1 }

test "cards that are alike are told apart" {
  given {
    let a = new cub
    let b = new cub
    let c = new cub
    me.pile = [a, b, c]
    chance shuffle pile 0 = [b, c, a]
  }
  when mix(me)
  expect top(me.pile) == b
}
"""


def test_alike_cards_are_given_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME.replace("  expect top(me.pile, 2) == top(me.pile, 2)\n", ""))
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings if f.severity == "error"] == []
    assert [(r.passed, r.message) for r in results] == [(True, "")]


def test_chance_that_is_not_drawn_fails(tmp_path: Path) -> None:
    twice = "    chance shuffle pile 0 = [b, c, a]\n"
    (tmp_path / "g.card").write_text(GAME.replace(twice, twice + twice))
    _, results = run_tests(tmp_path)
    assert [r.passed for r in results] == [False]
    assert "chance is given for `shuffle pile 0`, but it is not drawn so often" in results[0].message


def test_chance_that_cannot_be_names_the_card(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME.replace("me.pile = [a, b, c]", "me.pile = [a, b]"))
    lines = run_tests(tmp_path)[1][0].message.splitlines()
    assert lines[-1] == "  Cub is given for the top, and is not among the cards of `chance shuffle pile 0`"


PICKS = """
game g "G" { version: "1"  players: 2 }
player { points: 0 or more = 0, score }
kind wolf { value: 0..9 }
zone hand: each player list of wolf, owner sees
effect one(p: player) { let x = random from p.hand  for each w in x { p.points += w.value } }
effect two(p: player) { let y = random 2 from p.hand  for each w in y { p.points += 10 * w.value } }
effect any_of_all(p: player) { let z = random from catalog  for each k in z { p.points += 100 * k.value } }
effect who() { let q = random from players  q.points += 1000 }
flow { for each p in players { one(p)  two(p)  any_of_all(p)  who() }  tie }
card cub "Cub" : wolf { value: 1 }
card bear "Bear" : wolf { value: 2 }
card elk "Elk" : wolf { value: 3 }

test "by a bare id" {
  given { me.hand = [elk, bear, cub]  chance pick x = cub }
  when one(me)
  expect me.points == 1
}
test "by a name" {
  given { let e = new elk  me.hand = [bear, cub, e]  chance pick x = e }
  when one(me)
  expect me.points == 3
}
test "one after the other" {
  given { me.hand = [elk, bear, bear, cub]  chance pick y = bear  chance pick y = bear }
  when two(me)
  expect me.points == 40
}
test "a printed card, and a player" {
  given { chance pick z = bear  chance pick q = opponent }
  when any_of_all(me)
  when who()
  expect me.points == 200 and opponent.points == 1000
}
test "it is not there" {
  given { me.hand = [elk, bear]  chance pick x = cub }
  when one(me)
  expect me.points == 1
}
"""


def test_a_bare_id_picks_a_card_that_it_is_printed_on(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(PICKS)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings if f.severity == "error"] == []
    assert [r.message.split("\n")[1:] for r in results[:-1]] == [[]] * 4
    assert results[-1].message.split("\n")[1:] == ["  what `chance pick x` gives cannot be picked here"]
