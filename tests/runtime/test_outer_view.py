"""Views: what is hidden is not in them, and values are shown as far as known. Questions by name, and why."""

from __future__ import annotations

import json

import pytest
from card_runtime import events
from card_runtime.errors import InputError
from card_runtime.query import find_card, get, why
from card_runtime.registry import entries_of
from card_runtime.view import Poison, Unknown, active, masked, view


@pytest.fixture
def t(table):
    table.make("plague", table.hand)
    table.make("shadow", table.hand + 1)
    table.make("cub", table.pile)
    table.make("crowd", table.pile)
    table.make("shadow", table.lanes + 1, up=False)
    table.make("crowd", table.lanes + 2)
    table.m.p_bid[1] = 2
    return table


def units(v, lane, seat):
    return v["boards"]["lanes"][lane]["parts"]["units"][seat]["cards"]


def lasting(t, card):
    events.lasting(t.m, (t.game.lines["sage·entry·2"],), ("sage·entry·2",), (card, 0, card), 0)


def test_places(t):
    v = view(t.m, 0)
    assert v["zones"]["pile"] == {"count": 2}
    assert v["zones"]["hand"][1] == {"count": 1}
    assert v["zones"]["waste"] == {"count": 0, "cards": []}
    (mine,) = v["zones"]["hand"][0]["cards"]
    assert mine == {
        "tag": "#1",
        "card": "plague",
        "name": "the Plague",
        "kind": "unit",
        "owner": 0,
        "face_up": True,
        "state": {"vigor": 3, "mood": None, "silenced": False},
    }
    assert units(v, 0, 1) == [{"tag": "#2", "hidden": True, "owner": 1}]
    assert units(v, 1, 0)[0]["card"] == "crowd"
    assert v["boards"]["lanes"][2]["fields"] == {"holder": None}
    assert v["state"] == {"face": "sun", "latest": None, "turns": 0} and v["options"] == {"length": 8}
    assert v["periods"] == {"match": 1, "turn": 0}
    assert "shadow" not in json.dumps(v).lower()
    assert json.dumps(view(t.m, None)).count('"shadow"') == 2


def test_secret_fields(t):
    t.m.c_unit·mood[5] = 1
    assert [p["fields"].get("bid") for p in view(t.m, 0)["players"]] == [1, None]
    assert "bid" not in view(t.m, 0)["players"][1]["fields"]
    assert units(view(t.m, 0), 1, 0)[0]["state"]["mood"] == "full_moon"
    assert "mood" not in units(view(t.m, 1), 1, 0)[0]["state"]
    t.m.h_bid[1] = 1
    assert view(t.m, 0)["players"][1]["fields"]["bid"] == 2


def test_shown_cards_of_a_hidden_place_are_listed(t):
    t.reveal(3, 1)
    pile = view(t.m, 0)["zones"]["pile"]
    assert pile["count"] == 2 and [c["card"] for c in pile["cards"]] == ["crowd"]
    assert view(t.m, 1)["zones"]["pile"] == {"count": 2}


def test_the_decision_is_its_choosers(t):
    t.ask([(0, 0, 1, False), (1,)])
    assert view(t.m, 1)["decision"] == {"player": 0}
    mine = view(t.m, 0)["decision"]
    assert mine["prompt"] == "Play a card / End" and mine["options"][0]["id"] == "play plague lanes 1 -"
    full = view(t.m, None)["decision"]
    (hand,) = (c for c in view(t.m, None)["zones"]["hand"][0]["cards"] if c["card"] == "plague")
    assert (mine["options"][0]["value"]["picks"]["c"], full["options"][0]["value"]["picks"]["c"]) == ("#1", hand["tag"])
    for told in mine, full:
        del told["options"][0]["value"]["picks"]["c"]
    assert full == mine


def test_values_as_far_as_known(t):
    v = view(t.m, 0)["values"]
    assert v["number"] == {"0": 1, "1": 2, "2": 3}
    assert v["power"] == {"#3": 6}
    assert v["total"] == 0
    assert v["bid_of"] == {"0": 1}
    assert "top_power" not in v
    assert v["top_card"] is None
    assert v["held"] == {"0": ["#1"], "1": [None]}
    assert v["gap"] == {seat: {"0": 1, "1": 2, "2": 3} for seat in ("0", "1")}  # of a player and an element
    full = view(t.m, None)["values"]
    assert full["top_power"] == 4 and full["bid_of"] == {"0": 1, "1": 2} and full["power"]["#4"] == 6


def test_values_by_name(t, monkeypatch):
    whole = view(t.m, 0)
    v = view(t.m, 0, ("number", "top_power"))
    assert v["values"] == {"number": {"0": 1, "1": 2, "2": 3}}  # the other one is not known
    assert {**v, "values": whole["values"]} == whole
    monkeypatch.setattr("card_runtime.view.masked", None)  # where none is worked out no masked copy is made
    assert view(t.m, 0, ()) == {**whole, "values": {}}


def test_a_hidden_modifier_makes_a_value_unknown(t):
    """Where a face-down card could change a value, it is unknown, whether this card does or not."""
    t.game.lines["plague·aura·1"].fn = lambda m, card, x, lane: 0 if lane == 0 and m.at[card] == t.lanes + 1 else x
    assert set(view(t.m, 0)["values"]["number"]) == {"1", "2"}
    t.become(4, "cub")
    assert set(view(t.m, 0)["values"]["number"]) == {"1", "2"}
    assert set(view(t.m, 1)["values"]["number"]) == {"0", "1", "2"}


def test_lasting_modifiers_are_public(t):
    lasting(t, 2)
    assert view(t.m, 0)["values"]["number"] == {"0": 2, "1": 3, "2": 4}


def test_the_view_does_not_change_with_what_is_hidden(t):
    before = json.dumps(view(t.m, 0))
    for card, printed in ((1, "potion"), (2, "shadow"), (3, "plague"), (4, "cub")):
        t.become(card, printed)
    t.m.places[t.pile].reverse()
    assert json.dumps(view(t.m, 0)) == before


def test_masked_leaves_the_match_alone(t):
    m = t.m
    before = json.dumps(m.to_data())
    c = masked(m, 0)
    assert json.dumps(m.to_data()) == before
    assert isinstance(c.d[1], Poison) and isinstance(c.p_bid[1], Poison)
    assert isinstance(c.c_unit·vigor[1], Poison)
    assert c.p_bid[0] == 1 and c.d[0] == m.d[0]
    m.places[t.pile].reverse()
    assert masked(m, 0).places == c.places
    assert [entry[1] for entry in entries_of(c.v_number)] == [4, 4]  # what could lie there, twice, and not what does
    assert not {e[2] for e in entries_of(c.v_number)} & {e[2] for e in entries_of(m.v_number)}


@pytest.mark.parametrize(
    "use",
    [
        lambda p: p == 1, lambda p: p != 1, lambda p: p < 1, lambda p: p >= 1, lambda p: p + 1, lambda p: 1 + p,
        lambda p: -p, lambda p: 1 in (2, p), lambda p: [0][p], lambda p: range(p), lambda p: bool(p), lambda p: hash(p),
        lambda p: {p: 1}, lambda p: p in (1, 2), lambda p: max(1, p), lambda p: sum([p]), lambda p: 1 << p,
        lambda p: p >> 1, lambda p: p & 1, lambda p: abs(p), lambda p: list(p), lambda p: 7 // p, lambda p: p.name,
        lambda p: not p,
    ],
)  # fmt: skip
def test_poison(use):
    with pytest.raises(Unknown):
        use(Poison())


def test_active(t):
    m, lines = t.m, t.game.lines
    assert active(lines["sage·entry·2"].fn, m, (0, 0, 0, 1), (0,))
    assert not active(lines["shadow·aura·1"].fn, m, 4, (0,))


# ---- get and why


def test_get(t):
    m = t.m
    m.p_damage[1] = 2
    m.b_lanes·holder[1] = 1
    assert get(m, "number", "lanes[2]") == get(m, "number", 2) == get(m, "number", "lane 2") == 3
    assert get(m, "damage", 1) == get(m, "damage", "opponent") == get(m, "damage", "player 1") == 2
    assert get(m, "damage", "me") == get(m, "damage", "players[0]") == 0
    assert get(m, "holder", "lanes[1]") == 1
    assert get(m, "face") == "sun" and get(m, "length") == 8 and get(m, "side", 1) == "sun"
    assert get(m, "silenced", "plague") is False and get(m, "sneaky", "shadow#1") is True
    assert get(m, "vigor", "crowd#2") == 4
    assert get(m, "hand", 0) == ["plague"] and get(m, "pile") == ["cub", "crowd#1"]
    assert get(m, "units", "lanes[0]", 1) == ["shadow#2"]
    assert get(m, "top_card") == "crowd#1"
    assert get(m, "power", "crowd#2") == 6 and get(m, ".power", "crowd#2") == 4
    assert get(m, "gap", 0, "me") == 1
    assert find_card(m, "#4") == 4


@pytest.mark.parametrize(
    ("args", "say"),
    [
        (("numbr", 0), 'no "numbr"; nearest: "number"'),
        (("number",), "takes 1 argument"),
        (("number", 3), "l of number is an element of lanes (0 to 2"),
        (("number", "lanes[3]"), "not 'lanes[3]'"),
        (("number", "lanes[2"), "not 'lanes[2'"),
        (("number", True), "not True"),
        (("damage", 2), "a player"),
        (("damage", "plague"), "a player"),
        (("silenced", "shadow"), "say shadow#1 to shadow#2"),
        (("silenced", "shadow#3"), "has shadow#1 to shadow#2"),
        (("silenced", "shado"), 'nearest: "shadow"'),
        (("silenced", "#99"), "#0 to #5"),
        (("silenced", "Shadow!"), "is no card"),
        (("silenced",), "belongs to a card"),
        (("power", 4), "a card of kind unit"),
    ],
)
def test_get_says_what_is_wrong(t, args, say):
    with pytest.raises(InputError) as e:
        get(t.m, *args)
    assert say in str(e.value) and "\n" not in str(e.value)


def test_why(t):
    m, lines = t.m, t.game.lines
    base = {"what": "base", "card": None, "file": "duel.card", "op": "base", "before": None, "after": 2}
    (step,) = why(m, "number", "lanes[1]")
    assert step == {**base, "line": step["line"]}
    plague = t.make("plague", t.lanes + 2)
    t.make("shadow", t.lanes + 3)
    lasting(t, 2)
    before = json.dumps(m.to_data())
    steps = why(m, "number", 1)
    assert [(s["what"], s["card"], s["op"], s["before"], s["after"]) for s in steps] == [
        ("base", None, "base", None, 2),
        ("the Plague", "plague#2", "=", 2, 0),
        ("the Shadow", "shadow#3", "-=", 0, -2),
        ("the Sage", "sage", "+=", -2, -1),
        ("range", None, "range", -1, 0),
    ]
    assert steps[1]["line"] == lines["plague·aura·1"].line
    assert json.dumps(m.to_data()) == before and get(m, "number", 1) == 0
    m.c_thing·silenced[plague] = True
    assert [s["what"] for s in why(m, "number", 1)] == ["base", "the Shadow", "the Sage"]
    assert [s["what"] for s in why(m, "total")] == ["base"]
    with pytest.raises(InputError, match='no value "numbr"; nearest: "number"'):
        why(m, "numbr")


ORDER = """
game heap "Heap" { version: "1"  players: 2 }
kind unit {}
zone hand: each player list of unit, owner sees
zone heap: shared list of unit, nobody sees
value whose(): player? = if heap is empty then none else heap[0].owner
value up(): bool = any(u in heap where u.face_up)
value many(): int = count(heap)
setup { for each p in players { copy cub to p.hand } }
flow {
  for each p in players { p choose lay u: unit in p.hand { move u to heap facing down  shuffle heap } }
  players[0] choose end { tie }
}
card cub "Cub" : unit {}
"""


def test_what_follows_from_a_hidden_order_is_unknown(game_of):
    """Whose the undermost card is follows from the order, but not while one player has all that lie there; that all
    lie face down is known."""
    game, owners = game_of(ORDER), set()
    for seed in range(8):
        match = game.start(seed)
        match.choose(0)
        assert [match.view(seat)["values"] for seat in (0, 1)] == [{"whose": 0, "up": False, "many": 1}] * 2
        match.choose(0)
        assert [match.view(seat)["values"] for seat in (0, 1)] == [{"up": False, "many": 2}] * 2
        owners.add(match.view(None)["values"]["whose"])
    assert owners == {0, 1}
