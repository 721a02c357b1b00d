"""The table as it is drawn: from a view to lines."""

from types import SimpleNamespace as NS
from typing import Any

import pytest
from cardc.cli.course import changes
from cardc.cli.question import listed
from cardc.cli.table import Painted, Shape, draw, places
from cardc.display import width

INT = {"t": "int"}
PLAYER = {"t": "optional", "of": {"t": "player"}}
SHAPE = Shape(
    "A Game",
    {
        "player.side": {"t": "enum", "of": "side"},
        "lanes.holder": PLAYER,
        "unit.silenced": {"t": "bool"},
        "value.best": {"t": "card", "of": "unit"},
        "value.winner": PLAYER,
        "state.words": {"t": "list", "of": {"t": "enum", "of": "word"}},
    },
    {"power": "card", "number": "lanes", "winner": "lanes", "strong": "player"},
    {"lanes": "lane"},
)


def card(tag: str, name: str, **more: Any) -> dict[str, Any]:
    return {"tag": tag, "card": name, "name": f"the {name}", "kind": "unit", "owner": 0, "face_up": True, **more}


def place(*cards: dict[str, Any], unseen: int = 0) -> dict[str, Any]:
    return {"count": len(cards) + unseen, **({"cards": list(cards)} if cards or not unseen else {})}


def lane(theirs: dict[str, Any], mine: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"fields": fields, "parts": {"units": [mine, theirs]}}


def view(**more: Any) -> dict[str, Any]:
    """What seat 0 sees: a hidden card lies in lane 1, player 1's hand and the pile are only counted."""
    plague = card("#1", "Plague", state={"silenced": True})
    return {
        "game": "g",
        "seat": 0,
        "turn": 0,
        "periods": {"match": 1, "round": 2, "turn": 0},
        "options": {"length": 2},
        "state": {"face": "sun", "words": ["open_ended", "b"], "latest": None},
        "players": [
            {"seat": 0, "fields": {"side": "full_moon", "damage": 1, "ready": True, "done": False}},
            {"seat": 1, "fields": {"side": "sun", "damage": 0}},
        ],
        "zones": {"hand": [place(card("#7", "Shadow"), card("#8", "Maze")), place(unseen=4)], "pile": place(unseen=9)},
        "boards": {
            "lanes": [
                lane(place(), place(plague), holder=None),
                lane(place({"tag": "#3", "hidden": True, "owner": 1}), place(), holder=1),
                lane(place(card("#4", "Crowd", face_up=False)), place(), holder=0),
            ]
        },
        "values": {
            "number": {"0": 2, "1": 3},
            "power": {"#1": 3, "#4": 10},
            "winner": {"0": 0, "1": None},
            "strong": {"0": True, "1": False},
            "total": 5,
            "best": "#4",
        },
        "decision": {"player": 0},
        "result": None,
        **more,
    }


def text(lines: list[tuple[Any, str]]) -> str:
    return "\n".join(line for _, line in lines)


def test_a_table_in_full() -> None:
    assert text(draw(view(), SHAPE, 76, ["human", "random"])) == (
        "A Game  round 2  your turn\n"
        "Player 1 (random): side sun, damage 0\n"
        "  hand 4\n"
        "----------------------------------------------------------------------------\n"
        "lane 0                  | lane 1                  | lane 2\n"
        "number 2                | holder player 1         | holder you\n"
        "winner you              | number 3                |\n"
        "player 1:               | player 1:               | player 1:\n"
        "  -                     |   a hidden card         |   the Crowd (power 10,\n"
        "                        |                         |     face down)\n"
        "you:                    | you:                    | you:\n"
        "  the Plague (power 3,  |   -                     |   -\n"
        "    silenced)           |                         |\n"
        "----------------------------------------------------------------------------\n"
        "face sun, words open ended, b, total 5, best the Crowd, pile 9\n"
        "You: side full moon, damage 1, ready, strong\n"
        "  hand: the Shadow, the Maze"
    )


def test_a_narrow_page_stacks_the_lanes() -> None:
    drawn = text(draw(view(), SHAPE, 44, ["human", "random"]))
    assert "lane 0               | lane 1\n" in drawn
    assert "\nlane 2\n" in drawn
    assert "-" * 44 in drawn


@pytest.mark.parametrize("columns", [40, 57, 80, 120])
def test_no_line_is_wider_than_the_page(columns: int) -> None:
    seen = view()
    seen["boards"]["lanes"][0]["parts"]["units"][0] = place(card("#1", "日本" * 30), card("#2", "x" * 90))
    seen["zones"]["hand"][0] = place(*[card(f"#{i}", "long name " * 3) for i in range(20)])
    for _, line in draw(seen, SHAPE, columns):
        assert width(line) <= columns


def test_who_looks_sits_below() -> None:
    lines = text(draw(view(seat=1, turn=1), SHAPE, 76)).splitlines()
    assert lines[0].endswith("your turn")
    assert lines[1].startswith("Player 0: ") and lines[-2].startswith("You: ")
    everything = text(draw(view(seat=None), SHAPE, 76))
    assert "Player 0: " in everything and "Player 1: " in everything and "ou" not in everything.split("hand")[-1]


def test_one_place_and_shared_places() -> None:
    arena = {
        "fields": {"heat": 3},
        "parts": {"attack": [place(card("#1", "Cub")), place()], "items": place(unseen=2), "field": place()},
    }
    assert text(draw(view(boards={"arena": arena}), Shape("A Game"), 76)).splitlines()[4:14] == [
        "arena",
        "heat 3",
        "player 1, attack:",
        "  -",
        "you, attack:",
        "  the Cub",
        "items:",
        "  2 cards",
        "field:",
        "  -",
    ]


def test_a_grid_of_many_places_is_in_even_rows() -> None:
    space = {"fields": {}, "parts": {"wolves": place(card("#1", "Wolf"))}}
    drawn = text(draw(view(boards={"grid": [space] * 8}), Shape("A Game", elements={"grid": "space"}), 80)).splitlines()
    heads = [line.split() for line in drawn if line.startswith("space ")]
    numbers = [[word for word in head if word.isdigit()] for head in heads]
    assert numbers == [["0", "1", "2"], ["3", "4", "5"], ["6", "7"]]


def test_nothing_of_the_author_steers_the_terminal() -> None:
    seen = view(state={"na\x1bme": "\x1b[2J\u202e"})
    seen["players"][0]["fields"]["\x07"] = ["\x1b", True, {"a": "\x1b"}]
    seen["zones"]["hand"][0] = place(card("#7", "\x1b[31m[bold]"))
    seen["zones"]["\x1b"] = place(unseen=1)
    drawn = text(draw(seen, Shape("\x1b]0;title\x07", elements={"lanes": "\x1b"}), 80, ["human", "\x1b"]))
    assert not {"\x1b", "\x07", "\u202e"} & set(drawn)
    assert "[bold]" in drawn
    told = text(changes([{"n": 1, "text": "\x1b[2J"}])) + text(listed(["\x1b"], [1]))
    assert "\x1b" not in told


def test_places_come_in_one_order() -> None:
    whole = view(seat=None, zones={"hand": [place(), place(card("#9", "Z"))], "pile": place()})
    assert len(list(places(view()))) == len(list(places(whole))) == 9


def test_the_shape_of_a_model() -> None:
    def of(name: str, t: dict[str, Any], **more: Any) -> NS:
        return NS(name=name, type=t, **more)

    lanes = {"t": "element", "of": "lanes"}
    model = NS(
        game=NS(title="A Game"),
        player=[of("damage", INT)],
        state=[of("face", INT)],
        boards=[
            NS(name="lanes", element="lane", fields=[of("holder", PLAYER)]),
            NS(name="arena", element=None, fields=[]),
        ],
        kinds=[
            NS(name="unit", base=None, fields=[of("power", INT)], states=[of("silenced", INT)]),
            NS(name="chief", base="unit", fields=[], states=[]),
        ],
        cards=[NS(id="crowd", title="the Crowd", kind="unit", fields={"power": 4}, flags=["creep"])],
        values=[
            of("number", INT, params=[of("l", lanes)]),
            of("power", INT, params=[of("u", {"t": "card", "of": "unit"})]),
            of("gap", INT, params=[of("l", lanes), of("p", PLAYER)]),
            of("total", INT, params=[], alias="gap"),
            of("ahead", INT, params=[], bots=True),
            of("length", INT, params=[of("l", {"t": "line", "of": "lanes"})], plain=3),
            of("share", INT, params=[of("l", {"t": "line", "of": "lanes"}), of("p", {"t": "player"})]),
            of("gift", INT, params=[of("p", PLAYER), of("q", PLAYER)]),
        ],
    )
    shape = Shape.of(model)
    assert shape.aliases == {"gap": "total"} and shape.unshown == {"ahead"}
    assert shape.over == {
        "number": "lanes", "power": "card", "length": "line of lanes", "share": "player in line of lanes",
    }  # fmt: skip
    assert shape.plain == {"length": 3}
    assert shape.cards == {"crowd": ("the Crowd", "unit")}
    assert shape.elements == {"lanes": "lane", "arena": "arena"}
    assert shape.printed == {"crowd": {"power": 4, "creep": True}}
    assert set(shape.types) - {"value.ahead"} == {
        "player.damage", "state.face", "lanes.holder",
        "unit.power", "unit.silenced", "chief.power", "chief.silenced",
        "value.number", "value.power", "value.gap", "value.total", "value.length", "value.share", "value.gift",
    }  # fmt: skip


# Grids


GRID = Shape(
    "A Game",
    {"value.free": {"t": "list", "of": {"t": "element", "of": "field"}}},
    {"weight": "card", "corner": "field"},
    {"field": "space"},
)


def grid(width: int, height: int, spaces: dict[tuple[int, int], list[dict[str, Any]]], **fields: Any) -> dict[str, Any]:
    return {
        "width": width,
        "height": height,
        "spaces": [
            {"x": x, "y": y, "fields": fields, "parts": {"wolves": place(*spaces.get((x, y), ()))}}
            for y in range(height)
            for x in range(width)
        ],
    }


def field_view(board: dict[str, Any], **more: Any) -> dict[str, Any]:
    values = {"weight": {"#1": 3, "#2": 4}, "corner": {"0,0": True, "1,0": False, "1,1": True}, "free": ["field[0,1]"]}
    return view(boards={"field": board}, values=values, zones={}, state={}, **more)


PILE = [card("#3", "Cub", owner=1), card("#1", "Tracker")]
HIDDEN = {"tag": "#4", "hidden": True, "owner": 1}


def test_a_grid_is_drawn_as_a_board() -> None:
    spaces = {(0, 0): PILE, (1, 0): [card("#2", "Hunter", owner=1, face_up=False)], (1, 1): [HIDDEN]}
    drawn = draw(field_view(grid(2, 2, spaces)), GRID, 60)
    assert text(drawn).splitlines()[3:-2] == [
        "field",
        "    0                        1",
        "  +------------------------+------------------------+",
        "0 | the Tracker            | the Hunter             |",
        "  | you, weight 3          | player 1, weight 4     |",
        "  | + the Cub              | face down              |",
        "  | corner                 |                        |",
        "  +------------------------+------------------------+",
        "1 | 0,1                    | a hidden card          |",
        "  |                        | player 1               |",
        "  |                        | corner                 |",
        "  +------------------------+------------------------+",
    ]
    styles = {
        piece.strip(): style
        for _, line in drawn
        if isinstance(line, Painted)
        for style, piece in line.pieces
        if piece.strip()
    }
    assert styles["the Tracker"] == styles["you, weight 3"] == "you"
    assert styles["the Hunter"] == styles["a hidden card"] == "them"
    assert styles["+ the Cub"] == styles["0,1"] == styles["|"] == "dim"


def test_rows_of_a_grid_are_told_below_them_and_columns_below_it() -> None:
    over = {"total": "player in line of field", "lead": "line of field", "length": "line of field"}
    shape = Shape("A Game", {"value.lead": PLAYER}, over, {"field": "space"})
    values = {
        "total": {
            "0": {"row 0": 3, "row 1": 0, "column 0": 0, "column 1": 0},
            "1": {"row 0": 4, "row 1": 0, "column 0": 0, "column 1": 2},
        },
        "lead": {"row 0": 1, "row 1": None, "column 0": None, "column 1": None},
    }
    seen = {**field_view(grid(2, 2, {(0, 0): PILE})), "values": values}
    drawn = draw(seen, shape, 66)
    assert text(drawn).splitlines()[3:-2] == [
        "field",
        "    0                        1",
        "  +------------------------+------------------------+",
        "0 | the Tracker            | 1,0                    |",
        "  | you                    |                        |",
        "  | + the Cub              |                        |",
        "  +- player 1 total 4; you total 3; lead player 1 --+",
        "1 | 0,1                    | 1,1                    |",
        "  +------------------------+------------------------+",
        "column 1: player 1 total 2; you total 0",
    ]
    (line,) = [line for _, line in drawn if "lead" in line]
    assert isinstance(line, Painted)
    assert [style for style, _ in line.pieces] == ["dim", "them", "plain", "you", "plain", "plain", "dim"]
    assert "  +- player 1 total 4; you total 3; lead player 1" in [line for _, line in draw(seen, shape, 50)]
    assert "  +- player 1 total 4; you to..." in [line for _, line in draw(seen, shape, 32)]
    for columns in (20, 24, 32, 40, 51, 53, 80, 120):
        assert max(width(line) for _, line in draw(seen, shape, columns)) <= columns


def test_boards_may_stand_last() -> None:
    usual, last = (text(draw(view(), SHAPE, 76, ["human", "random"], low)) for low in (False, True))
    assert sorted(usual.splitlines()) == sorted(last.splitlines())
    assert last.endswith("-" * 76) and last.index("hand: the Shadow") < last.index("lane 0")


def test_an_empty_grid_has_no_outline() -> None:
    assert "\nfield: empty\n" in text(draw(field_view(grid(0, 0, {})), GRID, 60))


def test_a_grid_of_several_parts_names_them() -> None:
    board = grid(1, 1, {(0, 0): PILE}, heat=2)
    board["spaces"][0]["parts"] |= {"traps": place(unseen=2), "camp": [place(), place(card("#2", "Hunter", owner=1))]}
    assert text(draw(field_view(board), GRID, 60)).splitlines()[6:-3] == [
        "0 | wolves:                |",
        "  | the Tracker            |",
        "  | you, weight 3          |",
        "  | + the Cub              |",
        "  | traps:                 |",
        "  | + 2 cards              |",
        "  | camp:                  |",
        "  | the Hunter             |",
        "  | player 1, weight 4     |",
        "  | heat 2, corner         |",
    ]


@pytest.mark.parametrize("columns", [40, 57, 80, 200])
def test_a_grid_keeps_to_the_page(columns: int) -> None:
    spaces = {(x, y): [card("#1", "日本" * 9), card("#2", "x" * 50)] for x in range(4) for y in range(3)}
    board = grid(4, 3, spaces)
    lines = [line for _, line in draw(field_view(board), GRID, columns)]
    assert max(map(width, lines)) <= columns
    borders = [line for line in lines if line.lstrip().startswith("+")]
    assert len(borders) == 4 and len(set(borders)) == 1
    edges = {tuple(i for i, c in enumerate(line) if c == "|") for line in lines if "|" in line and line.isascii()}
    assert len(edges) == 1


def test_lists_of_what_the_table_shows_are_left_out() -> None:
    assert "free" not in text(draw(field_view(grid(1, 1, {(0, 0): PILE})), GRID, 60))


def test_places_of_a_grid() -> None:
    assert sum(p["count"] for p in places(field_view(grid(2, 1, {(0, 0): PILE})))) == 2


def test_lanes_have_colours_by_owner() -> None:
    drawn = [line for _, line in draw(view(), SHAPE, 76) if isinstance(line, Painted)]
    styles = {piece.strip(): style for line in drawn for style, piece in line.pieces}
    assert styles["you:"] == "you" and styles["player 1:"] == styles["the Crowd (power 10,"] == "them"
    assert all("".join(piece for _, piece in line.pieces) == line for line in drawn)


def test_what_is_printed_on_the_own_cards_is_told() -> None:
    printed = {"Shadow": {"cost": 3, "extra": 0, "stealth": True}, "Maze": {}}
    lines = text(draw(view(), Shape("A Game", printed=printed), 76)).splitlines()
    assert lines[-1] == "  hand: the Shadow (cost 3, stealth), the Maze"


def test_a_value_that_only_repeats_another_is_drawn_once() -> None:
    over = {**SHAPE.over, "printed": "lanes"}
    shape = Shape("A Game", over=over, elements=SHAPE.elements, aliases={"printed": "number"})
    drawn = text(draw(view(values={"printed": {"0": 2, "1": 3}, "number": {"0": 2, "1": 0}}), shape, 76))
    assert drawn.count("printed") == 1 and "printed 3" in drawn and "number 2" in drawn and "number 0" in drawn


def test_what_is_as_the_rules_have_it_for_all_is_not_told() -> None:
    types = {"value.size": INT, "value.limit": INT, "value.starter": PLAYER, "state.first": PLAYER}
    shape = Shape("A Game", types, {"size": "player"}, aliases={"first": "starter"}, plain={"size": 3, "limit": 7})

    def drawn(size: int, limit: int, starter: int) -> str:
        values = {"size": {"0": size, "1": 3}, "limit": limit, "starter": starter}
        return text(draw(view(boards={}, zones={}, state={"first": 1}, values=values), shape, 76))

    usual = drawn(3, 7, 1)
    assert "size" not in usual and "limit" not in usual and "\nstarter player 1\n" in usual
    changed = drawn(4, 8, 0)
    assert changed.count("size 4") == 1 and "size 3" not in changed
    assert "\nfirst player 1, limit 8, starter you\n" in changed


def test_what_only_bots_and_rules_read_is_not_drawn() -> None:
    shape = Shape(
        "A Game", {"value.steps": {"t": "list", "of": INT}}, over={"ahead": "player"}, unshown=frozenset({"ahead"})
    )
    drawn = text(draw(view(values={"ahead": {"0": 7, "1": -7}, "steps": [1, 2]}), shape, 76))
    assert "ahead" not in drawn and "steps" not in drawn


def test_a_card_in_the_hand_is_not_broken_at_the_end_of_a_line() -> None:
    seen = view()
    cards = [card(f"#{i}", f"Card {i}") for i in range(9)]
    seen["zones"]["hand"][0] = place(*cards)
    shape = Shape("A Game", printed={f"Card {i}": {"power": 3, "stealth": True} for i in range(9)})
    lines = text(draw(seen, shape, 60)).splitlines()
    hand = lines[next(i for i, line in enumerate(lines) if line.startswith("  hand: ")) :]
    assert len(hand) > 3 and all(line.count("(") == line.count(")") == line.count("the Card") for line in hand)


def test_the_side_of_a_player_in_a_lane_has_its_values() -> None:
    types = {"value.open": {"t": "bool"}}
    shape = Shape("A Game", types, {"strength": "player in lanes", "open": "player in lanes"}, {"lanes": "lane"})
    strength = {"0": {"0": 3, "1": 0, "2": 0}, "1": {"0": 0, "2": 10}}  # what lies hidden in lane 1 is not known
    drawn = text(draw(view(values={"strength": strength, "open": {"0": {"0": True}}}), shape, 76))
    assert "player 1: strength 0    | player 1:               | player 1: strength 10" in drawn
    assert "you: strength 3         | you: strength 0         | you: strength 0" in drawn
    assert "open" not in drawn.split("face sun")[0]


def test_a_card_is_not_told_of_itself_nor_a_thing_twice() -> None:
    values = {"power": {"#1": 3}, "mine": {"#1": "#1"}, "foe": {"#1": "#4"}}
    types = {"value.mine": {"t": "optional", "of": {"t": "card"}}, "value.foe": {"t": "card"}}
    shape = Shape("A Game", types, dict.fromkeys(("power", "mine", "foe"), "card"), {"lanes": "lane"})
    shown = view(values=values)
    shown["boards"]["lanes"][0] = lane(place(), place(card("#1", "Plague", state={"power": 3})), holder=None)
    drawn = text(draw(shown, shape, 120))
    assert "  the Plague (power 3, foe the Crowd)" in drawn


def test_cards_with_much_on_them_stand_in_lines_of_their_own() -> None:
    facts = {"Shadow": {f"number_{i}": i for i in range(1, 6)}, "Maze": {}}  # 67 and 8 cells: more than half of 60
    drawn = text(draw(view(), Shape("A Game", elements={"lanes": "lane"}, printed=facts), 60)).splitlines()
    at = drawn.index("  hand:")
    assert drawn[at + 1 : at + 4] == [
        "    the Shadow (number 1 1, number 2 2, number 3 3, number 4",
        "        4, number 5 5)",
        "    the Maze",
    ]


def test_the_one_element_of_a_board_keeps_to_the_page() -> None:
    long = card("#1", "Plague", state={f"state_{i}": i for i in range(1, 9)})
    board = {"arena": {"fields": {}, "parts": {"units": [place(long), place()]}}}
    assert max(width(line) for _, line in draw(view(boards=board), SHAPE, 60)) <= 60


def test_what_is_printed_stands_where_nobody_can_know_what_it_is_now() -> None:
    shape = Shape(
        "A Game",
        over={"attack": "card", "damage": "card"},
        types={"value.attack": INT, "value.damage": INT, "unit.blow": INT},
        printed={"Cub": {"attack": 6, "damage": 3, "cost": 2, "color": "red"}},
        begins={"unit.blow": 0, "unit.wait": 2},
    )
    cub = card("#1", "Cub", owner=1, state={"blow": 0, "wait": 2})
    hit = card("#2", "Cub", owner=1, state={"blow": 4, "wait": 0})
    seen = view(zones={"hand": [place(), place(cub, hit)]}, boards={}, values={"attack": {}, "damage": {"#2": 5}})
    assert "  hand: the Cub (attack 6, damage 3), the Cub (attack 6, damage 5, blow 4, wait 0)" in text(
        draw(seen, shape, 100)
    )


def test_cards_that_look_alike_are_counted() -> None:
    """Those in a row; what is told of a card is part of how it looks."""
    cubs = [card("#21", "Cub"), card("#22", "Cub"), card("#23", "Wolf")]
    more = [card("#24", "Cub", face_up=False), card("#25", "Cub"), *(card(f"#3{i}", "Elk") for i in range(10))]
    seen = view()
    seen["zones"]["hand"][0] = place(*cubs, unseen=2)
    seen["boards"]["lanes"][0] = lane(place(), place(*cubs, *more), holder=None)
    drawn = [line for _, line in draw(seen, SHAPE, 60)]
    assert "  hand: 2 \u00d7 the Cub, the Wolf, 2 more" in drawn
    drawn = [line for _, line in draw(seen, SHAPE, 30)]
    mine = drawn.index("  2 \u00d7 the Cub")
    assert drawn[mine : mine + 5] == [
        "  2 \u00d7 the Cub", "  the Wolf", "  the Cub (face down)", "  the Cub", "  10 \u00d7 the Elk",
    ]  # fmt: skip
