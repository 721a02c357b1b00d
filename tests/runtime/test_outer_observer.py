"""What seats are told of what happened, and the tags by which they follow cards."""

from __future__ import annotations

import json
from types import SimpleNamespace as NS

import pytest
from card_runtime.observer import Observer
from card_runtime.sight import card_name, place_data, place_name, sees, tracked


def texts(m, seat):
    return [r["text"] for r in m.obs.log(seat)]


@pytest.fixture
def m(fake):
    return fake.table()


def test_who_sees_a_card(fake, m):
    mine = m.make(fake.PLAGUE, fake.HAND)
    pile = m.make(fake.CUB, fake.PILE)
    low, top = m.make(fake.CUB, fake.STACK), m.make(fake.CROWD, fake.STACK)
    down = m.make(fake.SHADOW, fake.LANES, up=False)
    assert [[sees(m, s, c) for c in (mine, pile, low, top, down)] for s in (0, 1, None)] == [
        [True, False, False, True, True],
        [False, False, False, True, False],
        [True] * 5,
    ]
    m.known[pile] = 2
    assert sees(m, 1, pile) and not sees(m, 0, pile)
    assert tracked(m, down) and not tracked(m, mine)
    assert (card_name(m, 0, down), card_name(m, 1, down)) == ("the Shadow", "a hidden card")


def test_a_move_is_told_as_each_seat_knows_it(fake, m):
    c = m.make(fake.SHADOW, fake.HAND)
    m.move(c, fake.LANES + 2, up=False, own=0)
    assert texts(m, 0)[-1] == "The Shadow moves from player 0's hand to lane 1, face down"
    assert texts(m, 1) == [
        "A card is put into player 0's hand",
        "A hidden card moves from player 0's hand to lane 1, face down",
    ]
    record = m.obs.log(1)[-1]
    assert record["from"] == {"zone": "hand", "player": 0}
    assert record["to"] == {"board": "lanes", "element": 1, "part": "units", "player": 0}
    assert "card" not in record and record["hidden"] and record["tag"] == "#1"
    assert m.obs.log(0)[-1]["card"] == "shadow"
    json.dumps(m.obs.log(None))


def test_a_move_out_of_sight_is_a_count(fake, m):
    c = m.make(fake.SHADOW, fake.HAND + 1)
    m.move(c, fake.PILE)
    assert texts(m, 0)[-1] == "A card moves from player 1's hand to the pile"
    assert texts(m, 1)[-1] == "The Shadow moves from player 1's hand to the pile"
    assert "tag" not in m.obs.log(0)[-1] and m.obs.log(1)[-1]["tag"] == "#1"


def test_a_card_seen_before_the_move_is_known(fake, m):
    c = m.make(fake.PLAGUE, fake.LANES)
    m.move(c, fake.PILE)
    assert texts(m, 1)[-1] == "The Plague moves from lane 0 to the pile"


def test_records_a_seat_may_not_know_leave_no_gap(fake, m):
    m.obs.changed(m, ("player", "bid", 0), 3)
    m.obs.skipped(m, 0, 0)
    m.obs.turn(m, 1)
    assert [(r["n"], r["text"]) for r in m.obs.log(1)] == [(1, "Player 1's turn")]
    assert [r["n"] for r in m.obs.log(0)] == [1, 2, 3]
    assert texts(m, 0)[:2] == ["Player 0's bid is now 3", "Player 0 has nothing to choose: Play a card / End"]
    assert len(m.obs.log(None)) == 3


def test_hidden_state_is_told_when_it_is_shown(fake, m):
    m.k_p_bid[0] = 2
    m.obs.shown(m, ("player", "bid", 0), 3)
    assert texts(m, 1) == ["Player 0's bid is 3"]


def test_state_of_cards_elements_and_the_match(fake, m):
    down = m.make(fake.SHADOW, fake.LANES, up=False, own=0)
    m.obs.changed(m, ("card", "thing", "silenced", down), True)
    m.obs.changed(m, ("element", "lanes", "holder", 2), 1)
    m.obs.changed(m, ("state", "face"), 1)
    m.obs.changed(m, ("state", "latest"), down)
    assert texts(m, 0)[1:] == [
        "The Shadow's silenced is now true",
        "Lane 2's holder is now player 1",
        "Face is now full moon",
        "Latest is now the Shadow",
    ]
    assert texts(m, 1)[1:] == [
        "Lane 2's holder is now player 1",
        "Face is now full moon",
        "Latest is now a hidden card",
    ]
    assert m.obs.log(1)[-1]["value"] == "#1"


def test_secret_state_of_a_seen_card_is_its_owners(fake, m):
    c = m.make(fake.PLAGUE, fake.LANES, own=0)
    m.obs.changed(m, ("card", "unit", "mood", c), 1)
    assert texts(m, 0)[-1] == "The Plague's mood is now full moon"
    assert len(m.obs.log(1)) == 1


def test_abilities_and_slots_are_told_to_who_sees_the_card(fake, m):
    c = m.make(fake.CROWD, fake.LANES, up=False, own=0)
    m.obs.ability(m, c, 3)
    m.obs.ran(m, c, "entry")
    assert texts(m, 0)[1:] == ["The Crowd: on resolved", "The Crowd: entry"]
    assert len(m.obs.log(1)) == 1
    spent = m.make(fake.POTION, fake.PILE)
    m.obs.ability(m, spent, 4)  # it lasts without its card, and is public
    assert texts(m, 1)[-1] == "The Potion: instead of hurt"


def test_reveal_and_failed_moves(fake, m):
    c = m.make(fake.SHADOW, fake.HAND + 1)
    m.reveal(c, 1)
    assert texts(m, 0)[-1] == "The Shadow is shown to player 0"
    d = m.make(fake.CUB, fake.PILE)
    m.reveal(d, 2)
    assert texts(m, 0)[-1] == "A card in the pile is shown to player 1"
    before = len(m.obs.log(0))
    m.reveal(d, 2)
    assert len(m.obs.log(0)) == before
    m.make(fake.CUB, fake.LANES)
    m.make(fake.CUB, fake.LANES)
    m.move(m.make(fake.CUB, fake.HAND), fake.LANES)
    assert texts(m, 1)[-1] == "A card cannot move to lane 0, which is full"
    assert texts(m, 0)[-1] == "A Cub cannot move to lane 0, which is full"


def test_a_tag_follows_a_card_by_eye_and_no_further(fake, m):
    c = m.make(fake.SHADOW, fake.HAND, own=0)
    assert (m.obs.tag(0, c), m.obs.tag(1, c)) == (1, None)
    m.move(c, fake.LANES, up=False)
    m.move(c, fake.LANES + 2, up=False)
    assert (m.obs.tag(0, c), m.obs.tag(1, c)) == (1, 1)
    m.move(c, fake.HAND, own=0)
    assert (m.obs.tag(0, c), m.obs.tag(1, c)) == (1, None)
    m.move(c, fake.LANES, own=0)
    assert (m.obs.tag(0, c), m.obs.tag(1, c)) == (1, 2)


def test_a_shuffle_takes_the_tags_of_unseen_cards(fake, m):
    cards = [m.make(fake.CUB, fake.PILE) for _ in range(4)]
    for card in cards:
        m.reveal(card, 1)
    assert [m.obs.tag(0, c) for c in cards] == [1, 2, 3, 4]
    fake.shuffle(m, fake.PILE)
    assert [m.obs.tag(0, c) for c in cards] == [None] * 4
    m.reveal(cards[2], 1)
    assert m.obs.tag(0, cards[2]) == 5
    board = [m.make(fake.CUB, fake.LANES, up=False, own=0), m.make(fake.SHADOW, fake.LANES, up=False, own=0)]
    tags = [m.obs.tag(1, c) for c in board]
    fake.shuffle(m, fake.LANES)
    assert not set(tags) & {m.obs.tag(1, c) for c in board}
    assert sorted(m.obs.tag(0, c) for c in board) == [6, 7]  # the owner sees them: nothing is lost


def test_the_top_of_a_stack_changes_what_is_under_the_eyes(fake, m):
    low = m.make(fake.CUB, fake.STACK)
    assert m.obs.tag(0, low) == 1
    top = m.make(fake.CROWD, fake.STACK)
    assert (m.obs.tag(0, low), m.obs.tag(0, top)) == (None, 2)
    m.move(top, fake.PILE)
    assert (m.obs.tag(0, low), m.obs.tag(0, top)) == (3, None)


def test_tags_do_not_count_hidden_events(fake):
    a, b = fake.table(), fake.table()
    for _ in range(3):
        b.move(b.make(fake.CUB, fake.PILE), fake.HAND + 1)
    assert a.obs.tag(0, a.make(fake.CUB, fake.LANES)) == b.obs.tag(0, b.make(fake.CUB, fake.LANES)) == 1


def test_limit_clone_and_data(fake, m):
    obs = m.obs = Observer(2, 3)
    for _ in range(1000):
        obs.turn(m, 0)
    assert [r["n"] for r in obs.log(0)] == [998, 999, 1000]
    copy = obs.clone()
    obs.turn(m, 1)
    copy.turn(m, 0)
    copy.turn(m, 0)
    assert [r["player"] for r in obs.log(1)] == [0, 0, 1]
    assert [(r["n"], r["player"]) for r in copy.log(1)] == [(1000, 0), (1001, 0), (1002, 0)]
    m.make(fake.CUB, fake.HAND)
    again = Observer.from_data(json.loads(json.dumps(obs.to_data())))
    assert again.to_data() == obs.to_data() and again.tag(0, 0) == 1


def test_an_observer_that_joins_late(fake, m):
    c, hidden = m.make(fake.CUB, fake.LANES), m.make(fake.CUB, fake.PILE)
    m.obs = Observer(2)
    m.obs.watch(m)
    assert (m.obs.tag(0, c), m.obs.tag(0, hidden)) == (1, None)


def test_names_of_places(fake, m):
    game = m.game
    assert place_name(game, fake.HAND + 1) == "player 1's hand" and place_name(game, fake.PILE) == "the pile"
    assert place_name(game, fake.LANES + 4) == "lane 2"
    parts = [fake.place_decl("attack", "unit", "all", each=True), fake.place_decl("shared_aid", "unit", "all")]
    arena = NS(name="arena", element=None, size=None, fields=[], parts=parts)
    model = NS(boards=[arena], zones=[])
    places = [
        NS(zone=None, board="arena", part=part, element=0, seat=seat)
        for part, seat in (("attack", 0), ("attack", 1), ("shared_aid", None))
    ]
    game = NS(model=model, places=places)
    assert [place_name(game, i) for i in range(3)] == [
        "player 0's attack in the arena",
        "player 1's attack in the arena",
        "the shared aid in the arena",
    ]
    assert place_data(game, 1) == {"board": "arena", "part": "attack", "player": 1}
