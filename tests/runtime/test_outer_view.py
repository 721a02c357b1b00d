"""Views: what is hidden is not in them, and values are shown as far as known."""

from __future__ import annotations

import json

import pytest
from card_runtime.errors import InputError
from card_runtime.query import find_card, get, why
from card_runtime.view import Poison, Unknown, active, masked, view


@pytest.fixture
def m(fake):
    m = fake.table()
    m.make(fake.PLAGUE, fake.HAND, own=0)
    m.make(fake.SHADOW, fake.HAND + 1, own=1)
    m.make(fake.CUB, fake.PILE)
    m.make(fake.CROWD, fake.PILE)
    m.make(fake.SHADOW, fake.LANES + 1, up=False, own=1)
    m.make(fake.CROWD, fake.LANES + 2, own=0)
    return m


def test_places(fake, m):
    v = view(m, 0)
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
    lanes = v["boards"]["lanes"]
    assert lanes[0]["parts"]["units"][1]["cards"] == [{"tag": "#2", "hidden": True, "owner": 1}]
    assert lanes[1]["parts"]["units"][0]["cards"][0]["card"] == "crowd"
    assert lanes[2]["fields"] == {"holder": None}
    assert v["state"] == {"face": "sun", "latest": None} and v["options"] == {"length": 2}
    assert v["periods"] == {"match": 0, "round": 1}
    assert "shadow" not in json.dumps(v).lower()
    assert json.dumps(view(m, None)).count('"shadow"') == 2


def test_secret_fields(fake, m):
    m.c_unit_mood[5] = 1
    assert [p["fields"].get("bid") for p in view(m, 0)["players"]] == [1, None]
    assert "bid" not in view(m, 0)["players"][1]["fields"]
    assert view(m, 0)["boards"]["lanes"][1]["parts"]["units"][0]["cards"][0]["state"]["mood"] == "full_moon"
    assert "mood" not in view(m, 1)["boards"]["lanes"][1]["parts"]["units"][0]["cards"][0]["state"]
    m.k_p_bid[1] = 1
    assert view(m, 0)["players"][1]["fields"]["bid"] == 2


def test_shown_cards_of_a_hidden_place_are_listed(fake, m):
    m.reveal(3, 1)
    pile = view(m, 0)["zones"]["pile"]
    assert pile["count"] == 2 and [c["card"] for c in pile["cards"]] == ["crowd"]
    assert view(m, 1)["zones"]["pile"] == {"count": 2}


def test_the_decision_is_its_choosers(fake, m):
    m.wait = (0, 0, [(0, 0, 1, False), (1,)], False)
    assert view(m, 1)["decision"] == {"player": 0}
    mine = view(m, 0)["decision"]
    assert mine["prompt"] == "Play a card / End" and mine["options"][0]["id"] == "play plague lanes 1 -"
    assert view(m, None)["decision"] == mine


def test_values_as_far_as_known(fake, m):
    v = view(m, 0)["values"]
    assert v["number"] == {"0": 1, "1": 2, "2": 3}
    assert v["power"] == {"#3": 6}
    assert v["total"] == 0
    assert v["bid_of"] == {"0": 1}
    assert "top_power" not in v
    assert v["top_card"] is None
    assert v["held"] == {"0": ["#1"], "1": [None]}
    assert "gap" not in v
    full = view(m, None)["values"]
    assert full["top_power"] == 4 and full["bid_of"] == {"0": 1, "1": 2} and full["power"]["#4"] == 6


def test_a_hidden_modifier_makes_a_value_unknown(fake, m):
    """Where a face-down card could change a value, it is unknown, whether this card does or not."""

    def always(m, card, x, lane):
        return 0 if lane == fake.lane_of(m, card) else x

    m.game.code["m_plague"] = always
    assert set(view(m, 0)["values"]["number"]) == {"1", "2"}
    m.d[4] = fake.CUB
    m.rebuild()
    assert set(view(m, 0)["values"]["number"]) == {"1", "2"}
    assert set(view(m, 1)["values"]["number"]) == {"0", "1", "2"}


def test_lasting_modifiers_are_public(fake, m):
    m.lasting = [2]
    m.rebuild()
    assert view(m, 0)["values"]["number"] == {"0": 2, "1": 3, "2": 4}


def test_the_view_does_not_change_with_what_is_hidden(fake, m):
    before = json.dumps(view(m, 0))
    m.d[1], m.d[2], m.d[3], m.d[4] = m.d[3], m.d[1], m.d[4], m.d[2]
    for card in (1, 2, 3, 4):
        m.reset(card)
    m.places[fake.PILE].reverse()
    m.rebuild()
    assert json.dumps(view(m, 0)) == before


def test_masked_leaves_the_match_alone(fake, m):
    before = m.to_data()
    c = masked(m, 0)
    assert m.to_data() == before and len(m.K) == len(fake.CARDS)
    assert isinstance(c.K[c.d[1]], Poison) and isinstance(c.p_bid[1], Poison)
    assert c.p_bid[0] == 1 and c.d[0] == fake.PLAGUE
    m.places[fake.PILE].reverse()
    assert masked(m, 0).places == c.places
    assert [entry[1] for entry in c.v_number] == [4, 4]  # what could lie there, twice, and not what does
    assert not {entry[2] for entry in c.v_number} & {entry[2] for entry in m.v_number}


@pytest.mark.parametrize(
    "use",
    [
        lambda p: p == 1, lambda p: p != 1, lambda p: p < 1, lambda p: p >= 1, lambda p: p + 1, lambda p: 1 + p,
        lambda p: -p, lambda p: 1 in (2, p),
        lambda p: [0][p], lambda p: range(p), lambda p: bool(p), lambda p: hash(p), lambda p: {p: 1},
        lambda p: p in (1, 2),
        lambda p: max(1, p), lambda p: sum([p]), lambda p: 1 << p, lambda p: p >> 1, lambda p: p & 1, lambda p: abs(p),
        lambda p: list(p), lambda p: 7 // p, lambda p: p.name, lambda p: not p,
    ],
)  # fmt: skip
def test_poison(use):
    with pytest.raises(Unknown):
        use(Poison())


def test_active(fake, m):
    assert active(fake.m_potion, m, 0, (0,))
    assert not active(fake.m_shadow, m, 4, (0,))


# ---- get and why


def test_get(fake, m):
    m.p_damage[1] = 2
    m.b_lanes_holder[1] = 1
    assert get(m, "number", "lanes[2]") == get(m, "number", 2) == get(m, "number", "lane 2") == 3
    assert get(m, "damage", 1) == get(m, "damage", "opponent") == get(m, "damage", "player 1") == 2
    assert get(m, "damage", "me") == get(m, "damage", "players[0]") == 0
    assert get(m, "holder", "lanes[1]") == 1
    assert get(m, "face") == "sun" and get(m, "length") == 2 and get(m, "side", 1) == "full_moon"
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
        (("number",), "takes 1 arguments"),
        (("number", 3), "l of number is an element of lanes (0 to 2"),
        (("number", "lanes[3]"), "not 'lanes[3]'"),
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
def test_get_says_what_is_wrong(fake, m, args, say):
    with pytest.raises(InputError) as e:
        get(m, *args)
    assert say in str(e.value) and "\n" not in str(e.value)


def test_why(fake, m):
    assert why(m, "number", "lanes[1]") == [
        {"what": "base", "card": None, "file": "values.card", "line": 3, "op": "base", "before": None, "after": 2}
    ]
    plague = m.make(fake.PLAGUE, fake.LANES + 2, own=0)
    m.make(fake.SHADOW, fake.LANES + 3, own=1)
    before = m.to_data()
    steps = why(m, "number", 1)
    assert [(s["what"], s["card"], s["line"], s["op"], s["before"], s["after"]) for s in steps] == [
        ("base", None, 3, "base", None, 2),
        ("the Plague", "plague#2", 10, "=", 2, 0),
        ("the Shadow", "shadow#3", 11, "-=", 0, -2),
        ("range", None, 3, "range", -2, 0),
    ]
    assert m.to_data() == before and get(m, "number", 1) == 0
    m.c_thing_silenced[plague] = True
    assert [s["what"] for s in why(m, "number", 1)] == ["base", "the Shadow"]
    assert [s["what"] for s in why(m, "total")] == ["base"]
    with pytest.raises(InputError, match='no value "numbr"; nearest: "number"'):
        why(m, "numbr")
