"""Lists of several places, and what may lie in a place for one, are joined by `+`, in both forms alike."""

from __future__ import annotations

import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc.testing import run_files

GAME = b"""
game keep "Keep" { version: "1.0.0"  players: 2 }
player { points: 0 or more = 0, score }
kind paper { worth: 0..9 }
kind deed : paper {}
kind seal : paper {}
zone hand: each player list of deed, owner sees
zone pile: each player list of deed, all see
zone seals: each player list of seal, all see
zone crown: shared one deed, all see
board desks: 2 of desk { papers: each player list of deed, all see  chief: shared one deed, all see }
state kept: list of deed = []
value deeds(p: player): list of deed = p.pile + p.hand + desks.papers[p]
value papers(p: player): list of paper = p.seals + p.hand
value chiefs(): list of deed = crown + desks[0].chief + top(players[0].pile)
value lying(p: player): list of deed in desks = desks[0].chief + desks.papers[p]
effect score(p: player, n: int) { p.points += n }
effect count_up(p: player) {
  score(p, 1000 * sum(d.worth for d in deeds(p)))
  score(p, 100 * count(papers(p)))
  score(p, 10 * sum(d.worth for d in chiefs()))
  for each d in p.hand + p.pile { move d to desks[1].papers[p] }
  for each d in lying(p) where d.desk.index == 1 { score(p, 1) }
  kept = kept + deeds(p) + crown
}
setup {
  for each p in players { copy one to p.hand  copy two to p.pile  copy three to p.seals }
  copy four to desks[0].chief
}
flow {
  for each p in players { p choose go "Go" { count_up(p) } }
  score(players[0], count(kept))
  tie
}
card one "One" : deed { worth: 1 }
card two "Two" : deed { worth: 2 }
card three "Three" : seal { worth: 3 }
card four "Four" : deed { worth: 4 }
test "what lies in several places is one list" {
  given { me.hand = [one]  me.pile = [two, two]  desks[1].papers[me] = [four]  me.seals = [three]  crown = [one] }
  expect count(deeds(me)) == 4 and sum(d.worth for d in deeds(me)) == 9
  expect count(papers(me)) == 2 and sum(d.worth for d in papers(me)) == 4
  expect sum(d.worth for d in chiefs()) == 3 and count(chiefs()) == 2
  expect count(deeds(opponent)) == 0
}
"""


@pytest.fixture(scope="module")
def played():
    outcome, game, tests = run_files([("keep.card", GAME)], None)
    assert game is not None, outcome.findings
    return game, tests


def test_places_are_joined(played):
    _, tests = played
    assert [t.message for t in tests] == [""]


def test_both_forms_join_alike(played):
    game, _ = played
    match, bot = game.start(seed=1), Random(1)
    while match.decision is not None:
        match.choose(bot(match.decision))
    # Each: 3 in deeds, a seal and a deed; the chief of 4, and for the first his own 2, on top of his pile. Then both
    # his deeds lie on desk 1, and he keeps them. In the end the first has a point for each of 4 that are kept.
    assert match.result.scores == ({"points": 3000 + 200 + 60 + 2 + 4}, {"points": 3000 + 200 + 40 + 2})
    assert game.playout(1).scores == match.result.scores
    assert state_hash(game.playout_state(1)) == match.state_hash()


SWEEP = b"""
game sweep "Sweep" { version: "1.0.0"  players: 2 }
player { points: 0 or more = 0, score }
kind unit {}
zone hand: each player list of unit, owner sees
zone gone: shared list of unit, all see
board lanes: 2 of lane { units: each player list of unit, all see }
effect within(p: player) {
  for each u in lanes[0].units[p] {
    p.points += 1
    for each v in lanes[0].units[p] where v != u { move v to lanes[1].units[p] }
  }
  for each u in p.hand {
    p.points += 10
    for each v in p.hand where v != u { move v to p.opponent.hand }
  }
}
effect out(p: player) {
  for each u in lanes[0].units[p] {
    p.points += 1
    for each v in lanes[0].units[p] where v != u { move v to p.hand }
  }
}
effect joined(p: player) {
  for each u in p.hand + lanes[0].units[p] {
    p.points += 1
    for each v in p.hand + lanes[0].units[p] { move v to gone }
  }
}
flow {
  for each p in players { within(p)  out(p)  joined(p) }
  tie
}
card cub "Cub" : unit {}
test "what lies in another part is not passed over" {
  given { lanes[0].units[me] = [cub, cub, cub]  me.hand = [cub, cub] }
  when within(me)
  expect me.points == 23
}
test "what has left is passed over" {
  given { lanes[0].units[me] = [cub, cub, cub] }
  when out(me)
  expect me.points == 1
}
test "of several places nothing is passed over" {
  given { lanes[0].units[me] = [cub, cub, cub]  me.hand = [cub, cub] }
  when joined(me)
  expect me.points == 5
}
"""


def test_what_a_loop_passes_over():
    outcome, _, tests = run_files([("sweep.card", SWEEP)], None)
    assert [t.message for t in tests] == ["", "", ""], outcome.findings
