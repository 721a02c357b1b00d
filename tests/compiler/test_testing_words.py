"""What a failed expectation shows is said in the words of the test: no number of ours stands for a card."""

from pathlib import Path

import pytest
from cardc.testing import run_tests

GAME = """
game g "G" { version: "1"  players: 2 }
enum colour { red, green, blue }
player { likes: set of colour = [red, blue]  rival: player? = none }
kind unit { power: 0..9 = 1  hue: colour = green }
zone hand: each player list of unit, owner sees
board lanes: 2 of lane { units: each player list of unit, all see }
value rich(p: player): bool = count(p.hand) > 1
value friends(p: player): list of player = [q for q in players where q != p]
value hue(u: unit): colour = u.hue
value power(u: unit): int = u.power + bonus(u.owner)
value bonus(p: player): int = 0
flow { tie }
card imp "Imp" : unit {}
card bear "Bear" : unit {}
card ogre "Ogre" : unit { power: 6  hue: red }
test "t" {
  given { let i = new imp  let o = new ogre  let x = new bear  let d = new bear
    lanes[0].units[me] = [d]  d.face_up = false  me.hand = [i]  lanes[1].units[opponent] = [o]  opponent.rival = me }
  expect WHAT
}
"""


@pytest.mark.parametrize(
    ("expected", "shown"),
    [
        ("opponent.rival == opponent", ["opponent.rival is me"]),
        ("me.rival is player", ["me.rival is none"]),
        ("top(me.hand) == o", ["top(me.hand) is imp", "o is ogre"]),
        ("o.lane == lanes[0]", ["o.lane is lanes[1]"]),
        ("hue(o) == blue", ["hue(o) is red", "base: red (g.card:10)"]),
        ("me.likes has green", ["me.likes is [red, blue]"]),
        ("rich(me)", ["rich(me) is false", "base: false (g.card:8)"]),
        ("me is in friends(me)", ["friends(me) is [opponent]", "base: [opponent] (g.card:9)"]),
        ("power(o) == 7", ["power(o) is 6", "base: 6 (g.card:11)"]),
        ("count(me.hand) == 2", ["count(me.hand) is 1"]),
        ("i is in lanes", ["i is imp, in me.hand"]),
        ("o is in me.hand", ["o is ogre, in lanes[1].units[opponent]"]),
        ("opponent sees i", ["i is imp, in me.hand"]),
        ("not (me sees o)", ["o is ogre, in lanes[1].units[opponent]"]),
        ("x is in me.hand", ["x is bear#1, in no place"]),
        ("opponent sees d", ["d is bear#2, face down, in lanes[0].units[me]"]),
        ('log(me) has "Ogre"', ["log(me) is empty"]),
    ],
)
def test_in_words(expected: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME.replace("WHAT", expected))
    outcome, results = run_tests(tmp_path)
    assert not [f for f in outcome.findings if f.severity == "error"], outcome.findings
    lines = [line.strip() for line in results[0].message.splitlines()]
    assert lines[1:] == ["expected this to hold, but it does not", *shown]


def test_the_end_of_a_log_is_shown(tmp_path: Path) -> None:
    text = GAME[: GAME.index('test "t"')] + """
effect go(n: int) { repeat n { for each u in players[0].hand { reveal u } } }
test "t" {
  given { me.hand = [imp, imp, imp, imp, imp, ogre] }
  when go(2)
  expect log(me) has "Knight"
}
"""
    (tmp_path / "g.card").write_text(text)
    lines = run_tests(tmp_path)[1][0].message.splitlines()
    assert lines[2:4] == ["    log(me) has:", "      Shown: Imp"]
    (tmp_path / "g.card").write_text(text.replace("ogre]", "ogre, imp, imp, imp, imp]"))
    lines = run_tests(tmp_path)[1][0].message.splitlines()
    assert lines[2] == "    log(me) has, after 2 more:" and len(lines) == 11


def test_a_move_into_a_full_place_names_card_and_place(tmp_path: Path) -> None:
    text = GAME[: GAME.index('test "t"')].replace("list of unit, owner sees", "list of unit at most 1, owner sees")
    text += """
effect take(u: unit in lanes) { move u to players[0].hand }
test "t" {
  given { me.hand = [imp]  let o = new ogre  lanes[0].units[me] = [o] }
  when take(o)
  expect o is in lanes
}
"""
    (tmp_path / "g.card").write_text(text)
    lines = run_tests(tmp_path)[1][0].message.splitlines()
    room = "the rules are to see that there is room before they move it"
    assert lines[1:] == [f"  Ogre cannot move to player 0's hand, which is full: {room}"]
