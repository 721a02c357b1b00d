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
