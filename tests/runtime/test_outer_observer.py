"""What seats are told of what happened, and the tags by which they follow cards."""

from __future__ import annotations

import json
from types import SimpleNamespace as NS

import pytest
from card_runtime.observer import Observer
from card_runtime.sight import card_name, place_data, place_name, sees, tracked


@pytest.fixture
def t(table):
    return table


def texts(t, seat):
    return [r["text"] for r in t.m.obs.log(seat)]


def test_who_sees_a_card(t):
    m = t.m
    mine = t.make("plague", t.hand)
    pile = t.make("cub", t.pile)
    low, top = t.make("cub", t.stack), t.make("crowd", t.stack)
    down = t.make("shadow", t.lanes, up=False)
    assert [[sees(m, s, c) for c in (mine, pile, low, top, down)] for s in (0, 1, None)] == [
        [True, False, False, True, True],
        [False, False, False, True, False],
        [True] * 5,
    ]
    m.known[pile] = 2
    assert sees(m, 1, pile) and not sees(m, 0, pile)
    assert tracked(m, down) and not tracked(m, mine)
    assert (card_name(m, 0, down), card_name(m, 1, down)) == ("the Shadow", "a hidden card")


def test_a_move_is_told_as_each_seat_knows_it(t):
    t.move(t.make("shadow", t.hand), t.lanes + 2, up=False)
    assert texts(t, 0)[-1] == "The Shadow: from player 0's hand to lane 1, face down"
    assert texts(t, 1) == [
        "A card: put into player 0's hand",
        "A hidden card: from player 0's hand to lane 1, face down",
    ]
    record = t.m.obs.log(1)[-1]
    assert record["from"] == {"zone": "hand", "player": 0}
    assert record["to"] == {"board": "lanes", "element": 1, "part": "units", "player": 0}
    assert "card" not in record and record["hidden"] and record["tag"] == "#1"
    assert t.m.obs.log(0)[-1]["card"] == "shadow"
    json.dumps(t.m.obs.log(None))


def test_a_move_out_of_sight_is_a_count(t):
    t.move(t.make("shadow", t.hand + 1), t.pile)
    assert texts(t, 0)[-1] == "A card: from player 1's hand to the pile"
    assert texts(t, 1)[-1] == "The Shadow: from player 1's hand to the pile"
    assert "tag" not in t.m.obs.log(0)[-1] and t.m.obs.log(1)[-1]["tag"] == "#1"


def test_a_card_seen_before_the_move_is_known(t):
    t.move(t.make("plague", t.lanes), t.pile)
    assert texts(t, 1)[-1] == "The Plague: from lane 0 to the pile"


def test_records_a_seat_may_not_know_leave_no_gap(t):
    obs = t.m.obs
    obs.changes(t.m, ("player", "bid", 0), 3)
    obs.skipped(t.m, 0, "flow·1")
    obs.turn(t.m, 1)
    assert [(r["n"], r["text"]) for r in obs.log(1)] == [(1, "Player 1's turn")]
    assert [r["n"] for r in obs.log(0)] == [1, 2, 3]
    assert texts(t, 0)[:2] == ["Player 0: bid 3", "Player 0 has nothing to choose: Play a card / End"]
    assert len(obs.log(None)) == 3


def test_hidden_state_is_told_when_it_is_shown(t):
    t.m.h_bid[0] = 2
    t.m.obs.shown(t.m, ("player", "bid", 0), 3)
    assert texts(t, 1) == ["Shown: player 0: bid 3"]


def test_state_of_cards_elements_and_the_match(t):
    m, down = t.m, t.make("shadow", t.lanes, up=False)
    m.obs.changes(m, ("card", "thing", "silenced", down), True)
    m.obs.changes(m, ("element", "lanes", "holder", 2), 1)
    m.obs.changes(m, ("state", "face"), 1)
    m.obs.changes(m, ("state", "latest"), down)
    assert texts(t, 0)[1:] == [
        "The Shadow: silenced",
        "Lane 2: holder player 1",
        "Face full moon",
        "Latest the Shadow",
    ]
    assert texts(t, 1)[1:] == [
        "Lane 2: holder player 1",
        "Face full moon",
        "Latest a hidden card",
    ]
    assert m.obs.log(1)[-1]["value"] == "#1"


def test_secret_state_of_a_seen_card_is_its_owners_until_it_is_revealed(t):
    c = t.make("plague", t.lanes)
    t.m.obs.changes(t.m, ("card", "unit", "mood", c), 1)
    assert texts(t, 0)[-1] == "The Plague: mood full moon"
    assert len(t.m.obs.log(1)) == 1
    t.m.known[c] = 2
    t.m.obs.changes(t.m, ("card", "unit", "mood", c), 0)
    assert texts(t, 1)[-1] == "The Plague: mood sun"


def test_abilities_and_slots_are_told_to_who_sees_the_card(t):
    m, lines = t.m, t.game.lines
    c = t.make("crowd", t.lanes, up=False)
    m.obs.ability(m, c, lines["crowd·aura·1"])
    m.obs.ran(m, c, "entry")
    assert texts(t, 0)[1:] == ["The Crowd: on resolved", "The Crowd: entry"]
    assert len(m.obs.log(1)) == 1
    spent = t.make("sage", t.pile)
    m.obs.ability(m, spent, lines["sage·entry·4"])  # it lasts without its card, and is public
    assert texts(t, 1)[-1] == "The Sage: instead of hurt"


def test_reveal_and_failed_moves(t):
    t.reveal(t.make("shadow", t.hand + 1), 1)
    assert "Shown to player 0: the Shadow" in texts(t, 0)
    d = t.make("cub", t.pile)
    t.reveal(d, 2)
    assert texts(t, 0)[-1] == "Shown to player 1: a card in the pile"
    before = len(t.m.obs.log(0))
    t.reveal(d, 2)
    assert len(t.m.obs.log(0)) == before
    t.make("cub", t.lanes)
    t.make("cub", t.lanes)
    t.move(t.make("cub", t.hand), t.lanes)
    assert texts(t, 1)[-1] == "A card cannot move to lane 0, which is full"
    assert texts(t, 0)[-1] == "A Cub cannot move to lane 0, which is full"


def test_a_card_turned_up_is_told_to_its_owner_too(t):
    c = t.make("shadow", t.lanes, up=False)
    t.reveal(c)
    assert "Shown: the Shadow" in texts(t, 0) and "Shown: the Shadow" in texts(t, 1)


def test_a_tag_follows_a_card_by_eye_and_no_further(t):
    obs, c = t.m.obs, t.make("shadow", t.hand)
    assert (obs.tags.tag(0, c), obs.tags.tag(1, c)) == (1, None)
    t.move(c, t.lanes, up=False)
    t.move(c, t.lanes + 2, up=False)
    assert (obs.tags.tag(0, c), obs.tags.tag(1, c)) == (1, 1)
    t.move(c, t.hand)
    assert (obs.tags.tag(0, c), obs.tags.tag(1, c)) == (1, None)
    t.move(c, t.lanes)
    assert (obs.tags.tag(0, c), obs.tags.tag(1, c)) == (1, 2)


def test_a_shuffle_takes_the_tags_of_unseen_cards(t):
    obs, cards = t.m.obs, [t.make("cub", t.pile) for _ in range(4)]
    for card in cards:
        t.reveal(card, 1)
    assert [obs.tags.tag(0, c) for c in cards] == [1, 2, 3, 4]
    t.shuffle(t.pile)
    assert [obs.tags.tag(0, c) for c in cards] == [None] * 4
    t.reveal(cards[2], 1)
    assert obs.tags.tag(0, cards[2]) == 5
    board = [t.make("cub", t.lanes, up=False), t.make("shadow", t.lanes, up=False)]
    tags = [obs.tags.tag(1, c) for c in board]
    t.shuffle(t.lanes)
    assert not set(tags) & {obs.tags.tag(1, c) for c in board}
    assert sorted(obs.tags.tag(0, c) for c in board) == [6, 7]  # the owner sees them: nothing is lost


def test_the_top_of_a_stack_changes_what_is_under_the_eyes(t):
    obs, low = t.m.obs, t.make("cub", t.stack)
    assert obs.tags.tag(0, low) == 1
    top = t.make("crowd", t.stack)
    assert (obs.tags.tag(0, low), obs.tags.tag(0, top)) == (None, 2)
    t.move(top, t.pile)
    assert (obs.tags.tag(0, low), obs.tags.tag(0, top)) == (3, None)


def test_tags_do_not_count_hidden_events(t):
    for _ in range(3):
        t.move(t.make("cub", t.pile), t.hand + 1)
    assert t.m.obs.tags.tag(0, t.make("cub", t.lanes)) == 1


def test_limit_clone_and_data(t):
    m = t.m
    obs = m.obs = Observer(3)
    for _ in range(1000):
        obs.turn(m, 0)
    assert [r["n"] for r in obs.log(0)] == [998, 999, 1000]
    copy = obs.clone()
    obs.turn(m, 1)
    copy.turn(m, 0)
    copy.turn(m, 0)
    assert [r["player"] for r in obs.log(1)] == [0, 0, 1]
    assert [(r["n"], r["player"]) for r in copy.log(1)] == [(1000, 0), (1001, 0), (1002, 0)]
    t.make("cub", t.hand)
    m.obs = Observer(0)
    t.make("cub", t.hand)
    assert m.obs.log(0) == [] and m.obs.tags.tag(0, 1) == 1
    again = Observer.from_data(json.loads(json.dumps(obs.to_data())))
    assert again.to_data() == obs.to_data() and again.tags.tag(0, 0) == 1


def test_an_observer_that_joins_late(t):
    c, hidden = t.make("cub", t.lanes), t.make("cub", t.pile)
    t.m.obs = Observer()
    t.m.obs.tags.watch(t.m)
    assert (t.m.obs.tags.tag(0, c), t.m.obs.tags.tag(0, hidden)) == (1, None)


def test_lasting_abilities_tell_of_their_run(t):
    m, sage = t.m, t.make("sage", t.lanes + 1)
    t.game.code["r_sage·entry"](m, sage)
    t.move(sage, t.pile)
    t.game.code["e_hurt"](m, 1, 3)
    assert m.p_damage == [0, 0]
    assert texts(t, 0)[-1] == "The Sage: instead of hurt"


def test_names_of_places(t):
    m = NS(game=t.game)
    assert place_name(m, t.hand + 1) == "player 1's hand" and place_name(m, t.pile) == "the pile"
    assert place_name(m, t.lanes + 4) == "lane 2"
    parts = [NS(name="attack"), NS(name="shared_aid")]
    arena = NS(name="arena", element=None, size=None, parts=parts)
    places = [
        NS(zone=None, board="arena", part=part, element=None, seat=seat)
        for part, seat in (("attack", 0), ("attack", 1), ("shared_aid", None))
    ]
    m = NS(game=NS(model=NS(boards=[arena], zones=[]), places=places, grids={}, place_names={}))
    assert [place_name(m, i) for i in range(3)] == [
        "player 0's attack in the arena",
        "player 1's attack in the arena",
        "the shared aid in the arena",
    ]
    assert place_data(m, 1) == {"board": "arena", "part": "attack", "player": 1}


def test_records_that_are_not_counted_on_are_no_log(t):
    t.m.obs.turn(t.m, 0)
    t.m.obs.turn(t.m, 1)
    data = json.loads(json.dumps(t.m.obs.to_data()))
    assert Observer.from_data(data).log(0) == t.m.obs.log(0)
    data["logs"][0]["records"][0]["n"] = 7
    with pytest.raises(ValueError, match="not counted on"):
        Observer.from_data(data)
