"""Options of choices of several picks are tabulated: worked out once for what they follow from, and never for what a
key cannot hold."""

from __future__ import annotations

import card_runtime as rt
import pytest
from card_runtime import tabling
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline

GAME = """\
game shop "Shop" { version: "1"  players: 2 }

player { gold: 0..9 = 6  spent: 0 or more = 0  friend: player? = none }

kind ware { price: 0..9  state worn: 0..3 = 0 }

zone shelf: each player list of ware, all see
zone sold: shared list of ware, all see

value dear(w: ware, twice: bool): 0 or more = sum(x for x in [w.price, w.worn, if twice then w.price else 0])

setup { for each w in catalog { for each p in players { copy w to p.shelf } } }

flow {
  repeat 3 {
    for each p in players {
      p may choose
        buy w: ware in p.shelf, maybe twice where dear(w, true) <= p.gold, n: 0..2 where dear(w, twice) + n <= p.gold
      {
        p.gold -= dear(w, twice) + n
        p.spent += n
        w.worn += n
        if n == 2 { move w to sold }
      }
    }
  }
  for each p in players { PLEA }
  win players[0]
}

card lamp "Lamp" : ware { price: 1 }
card rug "Rug" : ware { price: 2 }
"""


def built(folder, plea):
    (folder / "shop.card").write_text(GAME.replace("PLEA", plea))
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


PLAIN = 'p choose swap w: ware in p.shelf, a: 0..1, b: 0..1 "Swap" { p.spent += a + b }'
GUARDED = """p choose give w: ware in p.shelf, a: 0..1 where p.friend is none or p.friend.gold > a, b: 0..1 where b <= a
  { p.spent += b }"""
OF_OTHERS = "p choose see w: ware in p.shelf, o: ware in sold where o.worn > w.price, b: 0..1 { p.spent += o.worn + b }"


@pytest.fixture
def game(tmp_path):
    return built(tmp_path, PLAIN)


def counted(game, calls):
    """Count how often the options of a first pick are worked out."""
    code = game.quiet()
    for name in [name for name in code if name.startswith("k_")]:

        def count(*args, of=name, fn=code[name]):
            calls.append((of, args[1:]))
            return fn(*args)

        code[name] = count
    return [name for name in code if name.startswith("k_")]


def test_options_are_worked_out_once_for_what_they_follow_from(game):
    calls = []
    assert counted(game, calls) == ["k_0"]  # the purchase; picks that do not look at each other need no table
    first = state_hash(game.playout_state(3))
    known = len(calls)
    assert known > 0
    assert state_hash(game.playout_state(3)) == first
    assert len(calls) == known


def test_playouts_with_tables_end_as_stepped_matches_do(game):
    spent = set()
    for _ in range(2):  # the second time all is known
        for seed in range(60):
            whole = game.playout_state(seed)
            match = game.start(seed)
            choose = Random(seed)
            while match.decision is not None:
                match.choose(choose(match.decision))
            assert state_hash(whole) == state_hash(match._m)
            spent.add(tuple(whole.p_spent))
    assert len(spent) > 5


def test_what_is_read_beyond_a_guard_is_enumerated_as_written(tmp_path):
    """`friend` is none: its gold is no part of a key, and no fault either."""
    game = built(tmp_path, GUARDED)
    assert counted(game, []) == ["k_0", "k_1"]
    m = game.playout_state(1)
    assert m.result is not None
    assert m.p_friend == [None, None]


def test_options_that_read_cards_among_themselves_are_left_as_they_are(tmp_path):
    game = built(tmp_path, OF_OTHERS)
    assert counted(game, []) == ["k_0"]  # the purchase; not what is seen


def test_matches_with_cards_of_their_own_have_tables_of_their_own(game):
    ours = game.playout_state(0)
    cards = [{"id": "cup", "title": "Cup", "kind": "ware", "fields": {"price": 3}}]
    theirs = game.playout_state(0, cards=cards)
    assert theirs.tables is not ours.tables
    assert game.playout_state(1).tables is ours.tables


def test_tables_begin_anew_when_they_hold_too_much(monkeypatch):
    monkeypatch.setattr(tabling, "MOST_KEPT", 7)
    tables = tabling.Tables()
    assert tables.keep("k", tables["a", 1], 0, [1, 2]) == [1, 2]  # 3 with its own entry
    assert tables.keep("k", tables["a", 1], 9, [1, 2]) == [1, 2]  # the same: only its entry is one more
    assert tables["a", 1] == {0: [1, 2], 9: [1, 2]}
    assert tables.keep("k", tables["b"], 0, [3, 4, 5]) == [3, 4, 5]  # 8 is too much
    assert len(tables) == 0
    assert len(tables.once) == 0
    assert tables["a", 1] == {}


def test_equal_options_of_a_choice_are_the_same_object():
    tables = tabling.Tables()
    one = tables.keep("k_0", tables["a"], 0, [(1, 2, None), (1, 3, None)])
    assert tables.keep("k_0", tables["b"], 7, [(1, 2, None), (1, 3, None)]) is one
    other = tables.keep("k_0", tables["b"], 8, [(1, 3, None)])
    assert other[0] is one[1]
    assert tables.keep("k_0", tables["b"], 9, []) == []
    assert tables.keep("k_1", tables["b"], 8, [(True, 3, None)])[0][0] is True, "another choice, other types"
