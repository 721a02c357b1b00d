"""What is written out: it is not asked whether it is none, of which Python would warn who loads the game; and elements
of a row are written out where a match begins with them."""

from __future__ import annotations

import ast
import warnings

import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash
from card_runtime.trees import decided
from cardc.testing import run_files

GAME = b"""
game inks "Inks" { version: "1.0.0"  players: 2 }
enum color (worth: 0..3) { red(0), green(1), blue(3) }
player { points: 0 or more = 0, score  pal: player? = none }
state sky: color? = none
kind unit {}
board lanes: 2 of lane { hue: color? = none  units: each player list of unit, all see }
value worth_of(c: color?): int = if c is color then c.worth else 0
value mate(p: player?): int = if p is player then count(lanes.units[p.opponent]) + 1 else 0
effect score(p: player, n: int) { p.points += n }
effect take(a: color?, b: player?) {
  if a is none { score(players[0], 100) } else { score(players[0], a.worth) }
  if b is player { score(b, 10) }
  for each k in b { score(k, 20) }
}
setup { for each p in players { for each c in catalog { copy c to lanes[0].units[p] } } }
flow {
  repeat 2 {
    for each p in players { p choose go "Go" {
      take(blue, none)
      take(none, players[1])
      take(green, p.opponent)
      lanes[1].hue = green
      if lanes[1].hue is color { score(p, lanes[1].hue.worth) }
      sky = none
      if sky is color { score(p, 1000) }
      players[1].pal = players[0]
      if players[1].pal is player { score(players[1].pal, 1) }
      score(p, worth_of(none) + worth_of(blue) + mate(none) + mate(players[1]))
    } }
  }
  tie
}
card dot "Dot" : unit {}
"""


@pytest.fixture(scope="module")
def game():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome, game, _ = run_files([("inks.card", GAME)], None)
        assert game is not None, outcome.findings
        game.playout(0)
    return game


def test_both_forms_do_the_same(game):
    match, bot = game.start(seed=1), Random(1)
    while match.decision is not None:
        match.choose(bot(match.decision))
    # Each of the two goes of the first player: 3 + 100 + 1 + 1 + 1 + 3 + 2 for himself, 10 + 20 twice for the other.
    # Each of the second: 3 + 100 + 1 + 1 for the first, and 10 + 20 as the other; 10 + 20 + 1 + 3 + 2 for himself.
    assert match.result.scores == ({"points": 2 * (111 + 135)}, {"points": 2 * (60 + 36)})
    assert game.playout(1).scores == match.result.scores
    assert state_hash(game.playout_state(1)) == match.state_hash()


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("2 is None", "False"),
        ("0 is not None", "True"),
        ("None is None", "True"),
        ("None is not None", "False"),
        ("True is None", "False"),
        ("1 - 0 is None", "False"),
        ("-1 is not None", "True"),
        ("x if (1 - 1 is None or x) else 2", "x if False or x else 2"),
        ("x is None", None),
        ("1 - x is not None", None),
        ("2 == 2", None),
        ("y(2 if 3 is not None else z)", "y(2 if True else z)"),
    ],
)
def test_what_is_written_out_is_not_asked(asked, answer):
    tree = decided(ast.parse(asked))
    assert ast.unparse(tree) == (asked if answer is None else answer)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(tree, "code", "exec")


ROWS = b"""
game rows "Rows" { version: "1.0.0"  players: 2 }
player { points: 0 or more = 0, score  post: lane = lanes[2] }
kind unit { state home: lane = lanes[1]  state rows: int = count(lanes) }
zone hand: each player list of unit, owner sees
board lanes: 3 of lane { next: lane = lanes[0]  units: each player list of unit, all see }
state here: lane = lanes[1]
state ends: list of lane = [lanes[0], lanes[2]]
effect go(p: player, l: lane = lanes[1]) {
  here = l.next
  p.points += 10 * l.index + here.index + sum(e.index for e in ends)
}
setup { for each p in players { copy dot to p.hand } }
flow {
  for each p in players {
    p choose stay "Stay" { go(p) } or post "Post" { go(p, p.post) }
    for each u in p.hand { p.points += 100 * u.home.index + 1000 * u.rows }
  }
  tie
}
card dot "Dot" : unit {}
test "what a match begins with" {
  given { let u = new dot  me.hand = [u] }
  expect here == lanes[1] and me.post == lanes[2] and u.home == lanes[1] and lanes[2].next == lanes[0]
  expect u.rows == 3 and count(ends) == 2
}
"""


def test_an_element_of_a_row_is_a_default():
    outcome, game, tests = run_files([("rows.card", ROWS)], None)
    assert game is not None, outcome.findings
    assert [t.message for t in tests] == [""]
    match = game.start(seed=1)
    assert (match.get("here"), match.get("post", 1)) == ("lanes[1]", "lanes[2]")
    match.choose("stay")
    match.choose("post")
    # The first goes to lane 1: 10; the second to his post: 20; the ends are worth 2, all homes 100, all rows 3000.
    assert match.result.scores == ({"points": 3112}, {"points": 3122})
    for seed in range(4):
        match, bot = game.start(seed), Random(seed)
        while match.decision is not None:
            match.choose(bot(match.decision))
        assert state_hash(game.playout_state(seed)) == match.state_hash()
