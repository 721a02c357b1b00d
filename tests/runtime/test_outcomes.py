"""What a setup makes is kept by what it picks: playouts end as stepped matches do, and each outcome is as likely."""

from __future__ import annotations

from collections import Counter

import card_runtime as rt
import pytest
from card_runtime import outcomes
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline

GAME = """\
game port "Port" { version: "1"  players: 2 }

option ships: 0..3 = 2 "How many the first has"
enum weather { calm, storm, fog }
state first: player = players[0]
state sky: weather = calm
player { gold: 0..99 = 0, score }

kind ship {
  speed: int = 1
  state hull: 0..9 = self.speed
  slot presence: static in quay
}
zone pile: shared list of ship, nobody sees
zone yard: each player list of ship, all see
board quay: 2 of berth { ships: each player list of ship, all see }

effect gain(p: player, n: int) { p.gold += n }

setup { SETUP }

flow {
  repeat 3 {
    for each p in players {
      p may choose
        earn n: 1..3 "Earn" { gain(p, n) }
        or sail s: ship in p.yard, b: berth in quay "Sail" { move s to b.ships[p] }
    }
  }
  for each p in players where p.gold > p.opponent.gold { win p "Rich" }
  tie "Even"
}

card tug "Tug" : ship { speed: 2 }
card raft "Raft" : ship {}
card bell "Bell" : ship { presence { on gain(p, n) when n == 2 { p.gold += 5 } } }
"""
PLAIN = "first = random from players  sky = random from [calm, storm, fog]  repeat ships { copy tug to first.yard }"
KEPT = {
    "nothing is picked": ("for each p in players { copy raft to p.yard }", 1),
    "two picks": (PLAIN, 6),
    "a pick after some picks only": (
        "first = random from players  if first == players[1] { sky = random from [calm, storm] }",
        3,
    ),
    "a card that comes onto a board and hears": ("let b = random from quay  copy bell to b.ships[players[0]]", 2),
    "printed cards": (
        "for each p in players { let c = random from [c for c in catalog where c.speed > 1]  copy c to p.yard }",
        1,
    ),
}
LEFT = {
    "a shuffle": "for each c in catalog { repeat 3 { copy c to pile } }  shuffle pile",
    "a draw of several": "let some = random 2 from catalog  for each c in some { copy c to pile }",
    "a question": 'players[0] may choose take n: 1..3 "Take" { players[0].gold = n }',
    "what a card may hear": "copy bell to quay[0].ships[players[0]]  gain(players[0], 2)",
}


def built(folder, setup):
    (folder / "port.card").write_text(GAME.replace("SETUP", setup))
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, [f.message for f in outcome.findings]
    return rt.load(where)


def stepped(game, seed, **given):
    match, choose = game.start(seed, **given), Random(seed)
    while match.decision is not None:
        match.choose(choose(match.decision))
    return match


def kept(game):
    """What is kept of the outcomes of the only setup."""
    (prototype,) = game._prototypes.values()
    return prototype.found


def ends(game):
    return {picked: then for picked, then in kept(game).items() if isinstance(then, rt.state.State)}


@pytest.mark.parametrize("name", KEPT)
def test_a_playout_ends_as_a_stepped_match_where_outcomes_are_kept(tmp_path, name):
    setup, many = KEPT[name]
    game = built(tmp_path, setup)
    for seed in range(60):
        assert state_hash(game.playout_state(seed)) == stepped(game, seed).state_hash(), seed
    assert len(ends(game)) == many


@pytest.mark.parametrize("name", LEFT)
def test_other_setups_are_run_each_time(tmp_path, name):
    game = built(tmp_path, LEFT[name])
    for seed in range(20):
        assert state_hash(game.playout_state(seed)) == stepped(game, seed).state_hash(), seed
    assert not hasattr(game.quiet()["setup"], "only_picks")
    assert kept(game) == {}


def test_a_setup_is_run_once_for_each_outcome(tmp_path):
    game = built(tmp_path, PLAIN)
    game.playout(0)
    code, runs = game.quiet(), []
    setup = code["setup"]

    def counted(m):
        runs.append(m)
        setup(m)

    counted.only_picks = True
    code["setup"] = counted
    game._prototypes.clear()
    found = Counter((m.s_first, m.s_sky) for m in map(game.playout_state, range(600)))
    assert len(runs) == 1 + 2 + 6, "up to the first pick, to the second, and to the end"
    assert set(found) == {(first, sky) for first in (0, 1) for sky in (0, 1, 2)}
    assert all(60 < n < 140 for n in found.values())


def test_what_a_match_changes_is_not_in_what_others_begin_with(tmp_path):
    game = built(tmp_path, PLAIN)
    before = {}
    for seed in range(40):
        game.playout(seed)
        for picked, then in ends(game).items():
            assert before.setdefault(picked, state_hash(then)) == state_hash(then)


def test_options_have_outcomes_of_their_own_and_own_cards_none(tmp_path):
    game = built(tmp_path, PLAIN)
    assert game.playout_state(1, options={"ships": 3}).d != game.playout_state(1, options={"ships": 1}).d
    assert len(game._prototypes) == 2
    cards = [{"id": i, "title": i, "kind": "ship", "fields": {"speed": 4}} for i in ("tug", "raft", "bell")]
    for seed in range(10):
        theirs = game.playout_state(seed, cards=cards)
        assert state_hash(theirs) == stepped(game, seed, cards=cards).state_hash()
        assert 4 in theirs.c_ship·hull
    assert len(game._prototypes) == 2


def test_where_there_are_too_many_setups_are_run_as_before(tmp_path, monkeypatch):
    monkeypatch.setattr(outcomes, "FEW", 4)
    game = built(tmp_path, PLAIN)
    for seed in range(40):
        assert state_hash(game.playout_state(seed)) == stepped(game, seed).state_hash(), seed
    assert sum(then is not None for then in kept(game).values()) == 4


def test_a_fault_in_a_setup_is_told_in_the_match_that_meets_it(tmp_path):
    beyond = "let found = [1, 2]  if first == players[1] { first.gold = found[ships] }"
    game = built(tmp_path, f"first = random from players  {beyond}")
    told = Counter()
    for seed in range(20):
        try:
            told[game.playout(seed).reason] += 1
        except rt.CardError as error:
            assert "port.card" in str(error)
            told["fault"] += 1
    assert told["fault"] > 3
    assert sum(told.values()) - told["fault"] > 3
