"""Secret choices in playouts: answered first, carried out after, heard as one batch, like the steps of a match."""

from __future__ import annotations

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline

GAME = """\
game duo "Duo" { version: "1"  players: 2 }

enum mood { calm, gay, grim }

player {
  moods: set of mood = []
  gold: 0..30 = 3
  score: int = 0, score
}

kind charm {
  price: 0..9 = 1
  mood: mood = calm
  slot luck: static in field
}

zone hand: each player list of charm, owner sees
zone gone: shared list of charm, all see
board field { charms: each player list of charm at most 2, all see }

effect pay(p: player, n: int) { p.gold -= n }
effect heard(p: player) { p.score += p.gold }

setup {
  for each c in catalog { for each p in players { repeat 4 { copy c to p.hand } } }
}

flow {
  repeat 12 {
    together each p in players {
      let before = p.gold
      let other = p.opponent.gold
      p may choose
        buy c: charm in p.hand where c.price <= before "Buy" when count(field.charms[p]) < 2 {
          pay(p, c.price)
          move c to field.charms[p]
          p.score += other
        }
        or drop c: charm in p.hand, n: 1..2 where n <= c.price "Drop" {
          move c to gone
          p choose again k: 0..1 "Once more" { pay(p, k + n) }
        }
        or rest "Rest" { p.gold += before }
      else { p.score -= before }
    }
    together each p in players {
      p choose take c: charm in field.charms[p] "Take back" { move c to gone }
    }
    together each p in players {
      p choose bid k: 0..2 { p.score += k }
      p.moods = [u.mood for u in p.hand]
    }
  }
  win players[0]
}

card clover "Clover" : charm { price: 2  mood: gay  luck { on pay(you.opponent, n) { heard(you) } } }
card coin "Coin" : charm { luck { on pay(you, n) when n > 0 { you.gold += 1 } } }
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("duo")
    (folder / "duo.card").write_text(GAME)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def test_a_playout_ends_as_a_stepped_match_does(game):
    scores = set()
    for seed in range(120):
        whole = game.playout_state(seed)
        match = game.start(seed)
        choose = Random(seed)
        while match.decision is not None:
            match.choose(choose(match.decision))
        assert state_hash(whole) == match.state_hash(), seed
        scores.add(tuple(whole.p_score))
    assert len(scores) > 20


def test_what_one_has_chosen_changes_nothing_that_the_other_may_choose(game):
    counts = []

    def ask(seat, n):
        counts.append((seat, n))
        return 0

    whole = game.playout_state(1, ask=ask)
    match = game.start(1)
    asked = []
    while match.decision is not None:
        asked.append((match.decision.player, match.decision.count + match.decision.optional))
        match.choose(0)
    assert asked == counts
    assert state_hash(whole) == match.state_hash()
