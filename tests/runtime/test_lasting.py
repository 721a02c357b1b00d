"""What lives on without its card: how long it lasts, what uses it up, and that it is saved with the match."""

from __future__ import annotations

import card_runtime as rt
import pytest
from cardc import pipeline
from cardc.testing import run_tests

GAME = """
game charms "Charms" { version: "1.0.0"  players: 2 }

player {
  life: int = 20
  luck: int = 0
}

kind charm {
  force: int = 1
  slot power: effect in table
}

zone hand: each player list of charm, owner sees
zone gone: each player list of charm, nobody sees
board table { cards: each player list of charm, all see }

state turns: 0 or more = 0

value bonus(p: player): int = 0

effect hurt(amount: 0 or more, p: player) { p.life -= amount + bonus(p) }
effect rise(p: player) {}

effect play(p: player, c: charm) {
  move c to table.cards[p]
  repeat 1 as carrying { if c is in table { run c.power } }
  if c is in table { move c to p.gone facing down }
}

effect day(p: player) { repeat 1 as day { rise(p) hurt(1, p) } }

flow {
  alternate p from players[0] as turn {
    if turns == 12 { tie }
    turns += 1
    rise(p)
    p choose play c: charm in p.hand "Play" { play(p, c) } or wait "Wait" { hurt(1, p) }
  }
}

// Outside the day that it speaks of: it lasts to the end of the next one.
card dawn "Dawn" : charm { power { until end of day { bonus(you) += 2 } } }

// Within the pass that runs.
card spark "Spark" : charm {
  power {
    until end of carrying { bonus(you) += 3 }
    hurt(1, you)
  }
}

card ward "Ward" : charm { power { until used { instead of hurt(amount, you) {} } } }

// Its lines make other lines, with what the event brought.
card echo "Echo" : charm {
  power {
    until used {
      on hurt(amount, you) {
        until used { on rise(you) { hurt(amount * 2, you.opponent) } }
      }
    }
  }
}

card dream "Dream" : charm { power { until used { on rise(you) may wake "Wake" { you.luck += 1 } } } }

// It reads what it is printed on when nobody sees that card any more.
card clock "Clock" : charm {
  force: 7
  power { until used { on rise(you) { hurt(self.force, you.opponent) } } }
}

test "what lasts to the end of a period that does not run lasts to the end of the next one" {
  given {
    let d = new dawn
    me.hand = [d]
  }
  when play(me, d)
  expect bonus(me) == 2 and d is in me.gone
  when day(me)
  expect me.life == 17 and bonus(me) == 0
  when day(me)
  expect me.life == 16
}

test "what lasts to the end of the running period ends with it" {
  given {
    let s = new spark
    me.hand = [s]
  }
  when play(me, s)
  expect me.life == 16 and bonus(me) == 0
}

test "a replacement uses itself up, whatever became of its card" {
  given {
    let w = new ward
    me.hand = [w]
  }
  when play(me, w)
  when hurt(5, opponent)
  when hurt(5, me)
  when hurt(2, me)
  expect me.life == 18 and opponent.life == 15
}

test "two that wait are used one by one" {
  given {
    let w = new ward
    let v = new ward
    me.hand = [w, v]
  }
  when play(me, w)
  when play(me, v)
  when hurt(5, me)
  when hurt(4, me)
  expect me.life == 20
  when hurt(3, me)
  expect me.life == 17
}

test "a line that lasts makes one that knows the event" {
  given {
    let e = new echo
    me.hand = [e]
  }
  when play(me, e)
  when hurt(3, me)
  when rise(opponent)
  expect opponent.life == 20
  when rise(me)
  when rise(me)
  expect opponent.life == 14 and me.life == 17
}

test "an offer that is declined is there again, one that is taken is not" {
  given {
    let d = new dream
    me.hand = [d]
  }
  when play(me, d)
  when rise(me)
  me chooses nothing
  when rise(opponent)
  opponent cannot choose wake
  when rise(me)
  me chooses wake
  expect me.luck == 1
  when rise(me)
  me cannot choose wake
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("charms")
    (where / "charms.card").write_text(GAME)
    return where


@pytest.fixture(scope="module")
def game(folder):
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def test_how_long_it_lasts(folder):
    outcome, results = run_tests(folder)
    assert outcome.files is not None, outcome.findings
    assert {r.title: r.message for r in results} == dict.fromkeys([r.title for r in results], "")
    assert len(results) == 6


def give(match, *cards):
    """Put cards into the hand of player 0, as if they had always been there."""
    m = match.state
    for card in cards:
        m.game.code["move"](m, m.game.code["new_card"](m, m.game.index[card]), m.game.model.zones[0].first)
    match._forget_decision()
    from card_runtime.driver import reask

    reask(m)


def test_it_is_saved_with_the_match(game):
    match = game.start(1)
    give(match, "dream", "echo", "ward")
    for card in ("dream", "echo", "ward"):
        if match.decision.options[0].id.startswith("wake"):
            match.choose([])
        match.choose(f"play {card}")
        match.choose("wait")
    copy = game.restore(match.to_json())
    assert copy.state.ends == match.state.ends == 0  # `until used` only
    assert copy.decision.options == match.decision.options
    for one in (match, copy):
        one.choose("wake")
        while (decision := one.decision) is not None:
            one.choose(decision.count - 1)
    assert copy.state_hash() == match.state_hash()
    assert copy.log(0) == match.log(0) and copy.log(1) == match.log(1)
    assert copy.get("luck", 0) == 1


def test_which_periods_end_something_is_known(game):
    match = game.start(1)
    give(match, "spark", "dawn")
    match.choose("play spark")  # its pass is over
    assert match.state.ends == 0 and match.state.lasting == []
    match.choose("wait")
    match.choose("play dawn")
    day = 1 << game.model.periods.index("day")
    assert match.state.ends == day and len(match.state.lasting) == 1
    assert game.restore(match.to_json()).state.ends == match.clone().state.ends == day


def test_drawn_again_it_still_speaks_of_the_same_card(game):
    match = game.start(1)
    give(match, "ward", "dawn", "clock", "echo")
    for card in ("ward", "dawn", "clock"):
        match.choose(f"play {card}")
        if card != "clock":
            match.choose("wait")
            if match.decision.options[0].id.startswith("wake"):
                match.choose([])
    moved = 0
    for seed in range(20):
        guess = match.determinise(1, seed)
        assert guess.view(1) == match.view(1)
        clock = guess.state.lasting[-1][2][0]
        assert guess.state.printed[guess.state.d[clock]].id == "clock"
        moved += clock != match.state.lasting[-1][2][0]
        copy = game.restore(guess.to_json())
        for one in (guess, copy):
            before = one.get("life", 1)
            one.choose("wait")
            assert before - one.get("life", 1) == 1 + 7
    assert moved > 0


def test_drawn_again_lines_that_wait_for_their_turn_speak_of_the_same_card(game):
    match = game.start(1)
    give(match, "dawn", "dream", "clock")
    for card in ("dawn", "dream"):
        match.choose(f"play {card}")
        match.choose("wait")
    match.choose([])  # the dream's offer is declined
    match.choose("play clock")
    match.choose("wait")
    assert match.decision.options[0].id.startswith("wake")  # what the clock does comes after it
    moved = 0
    for seed in range(20):
        guess = match.determinise(0, seed)
        moved += guess.state.lasting != match.state.lasting
        for one in (guess, game.restore(guess.to_json())):
            before = one.get("life", 1)
            one.choose("wake")
            assert before - one.get("life", 1) == 7 and one.get("luck", 0) == 1
            assert [names for _, names, _, _ in one.state.lasting] == [("dawn·power·2",)]
    assert moved > 0


def test_what_an_expansion_lets_live_on(tmp_path):
    """Its lines are its own, whatever the cards of its game have made before."""
    for name, text in (("game", GAME), ("more", MORE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.card").write_text(text)
    outcome, results = run_tests(tmp_path / "more", base=tmp_path / "game")
    assert [f.message for f in outcome.findings] == []
    assert [r.message for r in results] == [""]


MORE = """
expansion more "More" for charms { version: "1.0.0" }
card glow "Glow" : charm { power { until used { on rise(you) { hurt(1, you.opponent) } } } }
test "it lives on until it is used" {
  given {
    me.hand = [glow]
    let c = me.hand[0]
  }
  when play(me, c)
  when rise(me)
  when rise(me)
  expect opponent.life == 19
}
"""
