"""Single cards that are drawn, made, taken off a board in playouts: as in a stepped match, whatever is in the way."""

from __future__ import annotations

import random

import card_runtime as rt
import pytest
from card_runtime import moves
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline

GAME = """\
game dock "Dock" { version: "1"  players: 2 }

option strong: 0..3 = 1 "How much harder each hull is"

player { won: int = 0, score }

kind thing {
  weight: int = 1
  state marks: 0 or more = self.weight
}
kind ship : thing {
  flag fast
  state hull: 0..4 = self.weight + strong
  state tired: bool = self.fast
}
kind crate : thing {}

zone pile: shared list of thing, nobody sees
zone hand: each player list of thing at most 3, owner sees
zone yard: each player list of thing, all see
zone store: shared list of crate at most 2, all see
board quay: 2 of berth { ships: each player list of ship at most 2, all see  goods: shared list of thing, all see }

effect haul(p: player) { draw 2 from pile to p.yard }
effect grab(p: player) { draw 2 from pile to p.hand }
effect fill(p: player, n: int) { draw n from pile to p.yard }
effect relieve(p: player) {
  let tired_ones = [s for s in quay.ships where s.tired]
  move [s for s in tired_ones where s.owner == p] to p.yard
}

setup {
  for each c in catalog { repeat 3 { copy c to pile } }
  shuffle pile
}

flow {
  repeat 10 {
    for each p in players {
      draw 1 from pile to p.hand
      p may choose
        moor s: ship in p.hand, b: berth in quay where count(b.ships[p]) < 2 { move s to b.ships[p] }
        or heave c: thing in p.hand, b: berth in quay { move c to b.goods }
        or hide c: thing in p.hand { reveal c to p.opponent  c.marks += 1 }
      p may choose
        work s: ship in quay.ships[p] { s.hull -= 1  s.tired = true  s.marks += 2 }
        or wreck s: ship in quay.ships[p.opponent] where s.hull < 3 { p.won += s.marks  move s to p.yard }
        or sink s: ship in quay.ships[p] where s.tired { for each o in s.owner { move s to o.yard facing down } }
        or fetch g: thing in quay.goods { move g to p.hand }
        or pack k: crate in catalog { copy k to store }
        or launch k: ship in catalog { copy k to p.yard }
        or swap t: thing in p.yard { move t to p.hand }
        or haul { haul(p) }
        or grab { grab(p) }
        or fill n: 0..3 { fill(p, n - 1) }
        or relieve { relieve(p) }
        or storm { move quay.ships to p.yard }
        or calm { move quay.goods to pile  move players.hand to pile  move p.yard to p.opponent.yard  shuffle pile }
    }
  }
  tie
}

card tug "Tug" : ship { weight: 2 }
card cutter "Cutter" : ship { fast }
card barge "Barge" : ship { weight: 9 }
card raft "Raft" : ship { weight: -9 }
card box "Box" : crate {}
card trunk "Trunk" : crate { weight: -3 }
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dock")
    (folder / "dock.card").write_text(GAME)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


@pytest.mark.parametrize("options", [{}, {"strong": 3}])
def test_a_playout_ends_as_a_stepped_match_does(game, options):
    scores = set()
    for seed in range(450):
        whole = game.playout_state(seed, options=options)
        match, choose = game.start(seed, options=options), Random(seed)
        while match.decision is not None:
            match.choose(choose(match.decision))
        assert state_hash(whole) == match.state_hash(), seed
        scores.add(tuple(whole.p_won))
    assert len(scores) > 4


def test_where_there_is_room_and_nothing_else_to_do_the_long_way_is_not_taken(game, monkeypatch):
    """Only a full hand sends a drawn card, and a full store a new one, the long way."""
    taken = []
    for name in ("move", "draw", "copy_cards"):
        was = getattr(moves, name)
        monkeypatch.setitem(game.quiet(), name, lambda m, *a, n=name, w=was: (taken.append((n, a[0], a[1])), w(m, *a)))
    game.playout_state(1, ask=lambda seat, n: n - 1)  # both decline: hands fill, and one card more is drawn each time
    assert {name for name, *_ in taken} == {"draw"}
    assert len(taken) == 2 * (10 - 3)


def table(game):
    m = game._new_state(game._options({}), None, {}, None)
    return m, game.quiet(), {z.name: z.first for z in game.model.zones}, game.model.boards[0].parts[0].first


def test_a_ship_off_its_board_is_as_new(game):
    m, code, zone, berth = table(game)
    code["new_yard"](m, game.index["tug"], zone["yard"] + 1)
    ship = 0
    assert (m.at[ship], m.own[ship], m.places[zone["yard"] + 1]) == (zone["yard"] + 1, 1, [ship])
    assert (m.c_thing·marks, m.c_ship·hull, m.c_ship·tired) == ([2], [3], [False])  # 2 and 1 for the option
    moves.move(m, ship, berth)
    m.c_thing·marks[ship], m.c_ship·hull[ship], m.c_ship·tired[ship] = 7, 0, True
    code["off_quay·yard·ship"](m, ship, zone["yard"], False)
    assert (m.c_thing·marks, m.c_ship·hull, m.c_ship·tired) == ([2], [3], [False])
    assert (m.at[ship], m.own[ship], m.up[ship], m.places[berth]) == (zone["yard"], 0, False, [])


def test_defaults_keep_to_their_ranges(game):
    m, code, zone, _ = table(game)
    for name in ("barge", "raft", "trunk"):
        code["new_pile"](m, game.index[name], zone["pile"])
    assert m.c_ship·hull == [4, 0, None]
    assert m.c_thing·marks == [9, 0, 0]


def test_what_lies_elsewhere_already_keeps_its_state(game):
    m, code, zone, _ = table(game)
    code["new_yard"](m, game.index["tug"], zone["yard"])
    m.c_ship·hull[0] = 1
    code["off_quay·yard·ship"](m, 0, zone["yard"] + 1, True)
    assert (m.c_ship·hull[0], m.places[zone["yard"]], m.places[zone["yard"] + 1]) == (1, [], [0])


@pytest.mark.parametrize("start", ["berth", "pile", "nowhere"])
def test_a_card_is_put_into_a_zone_from_wherever_it_lies(game, start):
    m, code, zone, berth = table(game)
    ship = moves.new_card(m, game.index["tug"])
    if start != "nowhere":
        moves.move(m, ship, berth if start == "berth" else zone["pile"])
    m.c_ship·hull[ship] = 1
    code["put_yard"](m, ship, zone["yard"] + 1, False)
    assert (m.at[ship], m.own[ship], m.up[ship]) == (zone["yard"] + 1, 1, False)
    assert [here for here in m.places if here] == [[ship]]
    assert m.c_ship·hull[ship] == (3 if start == "berth" else 1), "only what leaves a board is as new"


def test_whole_places_are_swept_without_the_long_way(game, monkeypatch):
    """Only goods, of kinds with different states, and what stays in its zone go the long way."""
    was, sources = moves.move_places, set()
    monkeypatch.setitem(game.quiet(), "move_places", lambda m, there, to: (sources.add(len(there)), was(m, there, to)))
    swept = 0
    for seed in range(30):
        asked = random.Random(seed).random
        m = game.playout_state(seed, ask=lambda seat, n, asked=asked: int(asked() * n))
        yard = next(z.first for z in game.model.zones if z.name == "yard")
        lying = [c for here in m.places[yard : yard + 2] for c in here]
        assert all(m.own[c] == m.at[c] - yard for c in lying)
        swept += len(lying)
    assert swept > 100
    assert sources == {1, 2}, "a yard, and the goods of two berths; ships lie in four places"


@pytest.mark.parametrize("lie", [0, 1, 2, 5])
def test_as_many_cards_are_dealt_as_there_are_the_top_one_first(game, monkeypatch, lie):
    monkeypatch.setitem(game.quiet(), "draw", None)
    m = game._new_state(game._options({}), None, {}, None)
    code, zone = game.quiet(), {z.name: z.first for z in game.model.zones}
    cards = [moves.new_card(m, game.index["box"]) for _ in range(lie)]
    for card in cards:
        moves.move(m, card, zone["pile"])
        m.known[card] = 1
    code["e_haul"](m, 1)
    dealt = cards[::-1][:2]
    assert (m.places[zone["yard"] + 1], m.places[zone["pile"]]) == (dealt, cards[: lie - len(dealt)])
    assert {(m.at[c], m.own[c], m.up[c], c in m.known) for c in dealt} <= {(zone["yard"] + 1, 1, True, False)}


@pytest.mark.parametrize(("held", "left"), [(0, 3), (1, 3), (2, 4), (3, 5)])
def test_no_more_cards_are_dealt_than_there_is_room_for(game, held, left):
    m = game._new_state(game._options({}), None, {}, None)
    zone = {z.name: z.first for z in game.model.zones}
    for place, n in ((zone["pile"], 5), (zone["hand"] + 1, held)):
        for _ in range(n):
            moves.move(m, moves.new_card(m, game.index["box"]), place)
    game.quiet()["e_grab"](m, 1)
    assert (len(m.places[zone["pile"]]), len(m.places[zone["hand"] + 1])) == (left, held + 5 - left)


@pytest.mark.parametrize("wanted", [-1, 0, 1, 2, 3])
def test_a_number_of_cards_that_varies_is_drawn_and_one_without_the_long_way(game, monkeypatch, wanted):
    taken = []
    was = moves.draw
    monkeypatch.setitem(game.quiet(), "draw", lambda m, n, *at: (taken.append(n), was(m, n, *at)))
    m, code, zone, _ = table(game)
    cards = [moves.new_card(m, game.index["box"]) for _ in range(2)]
    for card in cards:
        moves.move(m, card, zone["pile"])
    code["e_fill"](m, 1, wanted)
    assert m.places[zone["yard"] + 1] == cards[::-1][: max(wanted, 0)]
    assert taken == ([wanted] if wanted > 1 else [])


def test_cards_of_a_list_leave_their_board_without_the_long_way(game, monkeypatch):
    for name in ("move", "move_all"):
        monkeypatch.setitem(game.quiet(), name, None)
    m, code, zone, berth = table(game)
    for owner in (0, 0, 1):
        code["new_yard"](m, game.index["cutter"], zone["yard"] + owner)
    for ship in range(3):
        moves.move(m, ship, berth + m.own[ship])
        m.c_ship·hull[ship] = 0
    code["e_relieve"](m, 0)
    assert (m.places[zone["yard"]], m.places[berth], m.places[berth + 1]) == ([0, 1], [], [2])
    assert m.c_ship·hull == [2, 2, 0]
