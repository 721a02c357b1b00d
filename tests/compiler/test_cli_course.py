"""What happened, as it is told: from records of a log to lines."""

from typing import Any

from cardc.cli.course import as_seen, changes
from cardc.cli.table import Line
from cardc.display import width


def text(lines: list[Line]) -> str:
    return "\n".join(line for _, line in lines)


def move(name: str | None, route: str, **more: Any) -> dict[str, Any]:
    named = {"name": name} if name is not None else {"hidden": True}
    return {"kind": "move", **named, "route": route, "text": f"{name or 'A card'}: {route}", **more}


def test_what_is_alike_is_told_once_and_the_last_is_kept() -> None:
    records = [{"n": i, "text": f"event {i // 2}"} for i in range(40)] + [{"n": 41, "kind": "silent"}]
    assert text(changes(records, most=2)) == "  (18 more before: log)\n  event 18 (2 times)\n  event 19 (2 times)"
    assert changes([]) == []
    assert text(changes([{"n": 1, "text": "one two three four"}], columns=14)) == "  one two\n    three four"
    assert text(changes([{"n": 1, "text": "one two thre four"}], columns=14)) == "  one two thre\n    four"


def test_cards_that_go_the_same_way_are_told_together() -> None:
    draw = "from the pile to player 0's hand"
    records = [
        move("the Maze", draw),
        move("the Shadow", draw),
        move(None, "from the pile to player 1's hand"),
        move(None, "from the pile to player 1's hand"),
        move("the Cub", draw),
        move(None, draw, tag="#1"),
        {"kind": "make", "name": "a Cub", "route": draw, "text": "A Cub: put there"},
    ]
    assert text(changes(records, seat=0)).splitlines() == [
        "  The Maze, the Shadow: from the pile to your hand",
        "  2 cards: from the pile to player 1's hand",
        "  The Cub, 1 hidden card: from the pile to your hand",
        "  A Cub: put there",
    ]


def test_turns_and_periods_are_headings() -> None:
    records = [
        {"kind": "choice", "text": "Player 0 chooses: Play"},
        {"kind": "turn", "player": 1, "text": "Player 1's turn"},
        {"kind": "period", "period": "turn", "number": 3, "text": "Turn 3"},
        {"kind": "change", "text": "Player 0: damage 2"},
        {"kind": "turn", "player": 0, "text": "Player 0's turn"},
        {"kind": "turn", "player": 1, "text": "Player 1's turn"},
        {"kind": "period", "period": "round", "number": 2, "text": "Round 2"},
        {"kind": "period", "period": "turn", "number": 1, "text": "Turn 1"},
        {"kind": "end", "text": "Player 0 wins: Damage"},
    ]
    lines = changes(records, seat=0)
    assert text(lines).splitlines() == [
        "  You choose: Play",
        "  Turn 3: player 1",
        "    You: damage 2",
        "  Your turn",
        "  Round 2: player 1",
        "  Turn 1",
        "    You win: Damage",
    ]
    assert [style for style, _ in lines] == ["plain", "dim", "plain", "dim", "dim", "dim", "plain"]


def test_only_who_looks_is_you() -> None:
    assert as_seen("Player 0 has nothing to choose: x", 0) == "You have nothing to choose: x"
    assert as_seen("Shown to player 0: the Cub, of player 1", 0) == "Shown to you: the Cub, of player 1"
    assert as_seen("Player 1's turn", 0) == "Player 1's turn"
    assert as_seen("Lane 0: holder player 10", 1) == "Lane 0: holder player 10"
    assert as_seen("Player 0's turn", None) == "Player 0's turn"


def test_no_line_is_wider_than_the_page() -> None:
    records = [move("long name " * 9, "from here " * 20), {"kind": "turn", "player": 0, "text": "x" * 200}]
    records += [{"text": "日本" * 50}]
    for columns in (40, 57, 80):
        assert all(width(line) <= columns for _, line in changes(records, columns))
