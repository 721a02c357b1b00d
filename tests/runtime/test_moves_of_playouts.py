"""Moves in playouts, which cost less than those of a match that is stepped, do the same."""

from __future__ import annotations

import card_runtime as rt
import pytest
from card_runtime import moves
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline

GAME = """\
game ring "Ring" { version: "1"  players: 2 }

player { won: int = 0, score }

kind fighter {
  strength: 0..9
  state hurt: 0..9 = 0
  slot knack: static in ring
}

zone bench: each player list of fighter, all see
zone out: shared list of fighter, all see
zone gate: each player list of fighter, all see
board ring { stand: each player one fighter, all see  crowd: each player list of fighter, all see }

value power(f: fighter): 0 or more = f.strength + f.hurt

effect trade(a: fighter in ring, b: fighter in ring) { exchange knack of a with b }
effect bell(f: fighter in ring) {}
effect cheer(p: player) {}

setup { for each f in catalog { for each p in players { copy f to p.bench } } }

flow {
  repeat 6 as bout {
    for each p in players {
      p may choose step f: fighter in p.bench { move f to ring.stand[p] }
      p may choose wait f: fighter in p.bench { move f to p.gate }
      p may choose let_in when p.gate is not empty { move p.gate to ring.crowd[p] }
      p may choose watch f: fighter in p.bench { move f to ring.crowd[p] }
      p choose
        swap a: fighter in ring.crowd[p], b: fighter in ring.crowd[p.opponent] { trade(a, b) }
        or rest { p.won += 1 }
    }
    for each p in players {
      for each f in ring.stand[p] {
        for each g in ring.stand[p.opponent] where power(f) > power(g) { g.hurt += 1  p.won += 1 }
        if f is in ring { bell(f) }
      }
    }
    for each p in players {
      cheer(p)
      p may choose trade_in when ring.stand[p] is not empty and ring.stand[p.opponent] is not empty {
        for each f in ring.stand[p] { for each g in ring.stand[p.opponent] where f is in ring { trade(f, g) } }
      }
    }
    for each p in players {
      move ring.stand[p] to p.bench
      p may choose throw f: fighter in ring.crowd[p] { move f to out }
    }
  }
  win players[0]
}

card ox "Ox" : fighter { strength: 3  knack { power(self) += 2 } }
card fox "Fox" : fighter { strength: 2  knack { power(f) -= 1 when f.owner != you } }
card owl "Owl" : fighter { strength: 2  knack { on cheer(you) { you.won += 1 } } }
card jay "Jay" : fighter { strength: 2  knack { on cheer(you) { you.won += 3 } } }
card cat "Cat" : fighter { strength: 1  knack { on bell(self) { you.won += 2 } } }
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ring")
    (folder / "ring.card").write_text(GAME)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def stepped(game, seed):
    match = game.start(seed)
    choose = Random(seed)
    while match.decision is not None:
        match.choose(choose(match.decision))
    return match._m


def registries(m):
    """What every registry holds, without the order in which its keys came."""
    return {name: {k: [e[:2] for e in es] for k, es in getattr(m, name).items()} for name in m.game.registries}


def test_all_moves_end_as_in_stepped_matches(game):
    lent = 0
    for seed in range(150):
        whole, other = game.playout_state(seed), stepped(game, seed)
        assert state_hash(whole) == state_hash(other)
        assert registries(whole) == registries(other)
        lent += bool(whole.borrowed)
        whole.rebuild()
        assert registries(whole) == registries(other)
    assert 5 < lent < 100  # cards that bear what is another's, and others that gave it back


def test_cards_that_bear_their_own_leave_without_the_long_way(game, monkeypatch):
    monkeypatch.setitem(game.quiet(), "exchange", lambda *_: None)
    monkeypatch.setattr(moves, "unregister", None)
    monkeypatch.setitem(game.quiet(), "move", None)
    monkeypatch.setitem(game.quiet(), "move_places", None)
    left = 0
    for seed in range(20):
        m = game.playout_state(seed)
        left += len(m.places[game.model.zones[1].first])
    assert left > 20


def test_lines_are_those_without_logs(game, monkeypatch):
    """In playouts modifiers, conditions and blocks of lines are of the code that tells nothing to logs."""
    game.quiet()

    def told(*_):
        raise AssertionError("the code of matches with logs")

    for line in game.lines.values():
        monkeypatch.setattr(line, "cond", told)
        line_fn = line.fn

        def fn(m, *args, of=line_fn):
            assert m.obs is not None
            return of(m, *args)

        monkeypatch.setattr(line, "fn", fn)
    for seed in range(30):
        assert game.playout_state(seed).result is not None
