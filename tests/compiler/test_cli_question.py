"""A question as it is put, and what typed words mean."""

from types import SimpleNamespace as NS
from typing import Any

import pytest
from cardc.cli.question import grouped, listed, matrix, meant, own_numbers, shown
from cardc.cli.table import Line
from cardc.display import width


def text(lines: list[Line]) -> str:
    return "\n".join(line for _, line in lines)


def decision(*labels: str, prompt: str = "Play a card") -> Any:
    ids = [f"play {label.lower().replace(', lane', ' lanes')}" for label in labels]
    options = [NS(id=id, label=f"{prompt}: {label}") for id, label in zip(ids, labels, strict=True)]
    return NS(options=options, prompt=prompt, count=len(options), optional=False)


LANES = [f"{card}, lane {lane}" for card in ("the Plague", "a Cub", "a Cub") for lane in (0, 1, 2)]


def test_options_in_columns() -> None:
    assert text(listed(["a", "b"], [1, 2])) == "  1  a\n  2  b"
    drawn = text(listed([f"option {i}" for i in range(1, 15)], list(range(1, 15)), 60)).splitlines()
    assert len(drawn) == 5
    assert drawn[0].split() == ["1", "option", "1", "6", "option", "6", "11", "option", "11"]
    assert all(width(line) <= 60 for line in drawn)
    many = text(listed(["x" * 100] * 100, list(range(1, 101)), 50)).splitlines()
    assert many[-1] == "  and 40 more: type a part of one to see those that hold it"
    assert max(map(width, many[:-1])) <= 50


def test_what_the_question_says_is_not_said_again() -> None:
    asked = decision("the Plague, lane 0", "the Plague, lane 1")
    assert text(shown(asked, [0, 1])) == "  1  the Plague, lane 0\n  2  the Plague, lane 1"
    mixed = NS(options=[NS(label="Play: x"), NS(label="End")], prompt="Play / End", count=2)
    assert text(shown(mixed, [0, 1])) == "  1  Play: x\n  2  End"


def test_numbers_are_chosen_by_themselves() -> None:
    amounts = decision("0", "1", "2", "5", "7", "8", prompt="Bid")
    assert own_numbers(amounts) == [0, 1, 2, 5, 7, 8]
    assert text(shown(amounts, range(6))) == "  0 to 2, 5, 7, 8"
    assert text(shown(decision("3"), [0])) == "  3"
    optional = decision("0", "1")
    optional.optional = True
    assert own_numbers(optional) is None  # 0 declines
    assert own_numbers(decision("2", "2")) is None
    assert own_numbers(decision("1", "a Cub")) is None


def test_cards_and_lanes_make_a_table() -> None:
    labels = LANES[:4] + LANES[5:]  # nothing for the first Cub in lane 1
    assert text(shown(decision(*labels), range(len(labels)), 60)).splitlines() == [
        "              lane 0  lane 1  lane 2",
        "  the Plague       1       2       3",
        "  a Cub            4       -       5",
        "  a Cub            6       7       8",
    ]


def test_alternatives_that_make_no_table_together_have_one_each() -> None:
    put = [f"Put: a Cub, place {i},0" for i in range(4)] + [f"Put: the Plague, place {i},0" for i in range(4)]
    cover = [f"Cover: {card}, {what} in place 2,2" for card in ("a Cub", "a Cub") for what in ("Maze", "Oracle")]
    labels = [*put, *cover, "Rest"]
    drawn = shown(NS(options=[NS(label=x) for x in labels], prompt="Put / Cover / Rest", count=13), range(13), 70)
    assert text(drawn).splitlines() == [
        "                   place 0,0  place 1,0  place 2,0  place 3,0",
        "  Put: a Cub               1          2          3          4",
        "  Put: the Plague          5          6          7          8",
        "                Maze in place 2,2  Oracle in place 2,2",
        "  Cover: a Cub                  9                   10",
        "  Cover: a Cub                 11                   12",
        "  13  Rest",
    ]
    alone = [f"Take: card {i}" for i in range(8)]
    drawn = shown(NS(options=[NS(label=x) for x in [*alone, "Rest"]], prompt="Take / Rest", count=9), range(9), 70)
    assert text(drawn) == text(listed([*alone, "Rest"], list(range(1, 10)), 70))


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (LANES, 30),
        ([f"card {i}" for i in range(9)], 80),
        ([f"card {i}, lane {i}" for i in range(9)], 80),
        ([f"card {i}, lane 0" for i in range(9)], 80),
    ],
)
def test_what_makes_no_table_is_a_list(labels: list[str], columns: int) -> None:
    assert matrix(labels, range(1, len(labels) + 1), columns) == []
    assert text(shown(decision(*labels), range(len(labels)), columns)).startswith("  1  ")


def test_many_options_are_told_by_what_they_begin_with() -> None:
    bears = [f"{card}, {n}, {t}" for card in ("the Bear", "the Cub") for n in range(5) for t in "abc"]
    labels = ["the Owl", *bears]
    assert text(shown(decision(*labels), range(31), 60)).splitlines() == [
        "   1        the Owl",
        "   2 to 16  the Bear, …",
        "  17 to 31  the Cub, …",
        "  type words to see those that hold them, such as: the bear",
    ]
    bear = meant("bear", decision(*labels))
    assert text(grouped([labels[i] for i in bear], [i + 1 for i in bear], 60)).splitlines()[:2] == [
        "   2 to 4   the Bear, 0, …",
        "   5 to 7   the Bear, 1, …",
    ]


def test_what_begins_in_no_common_way_is_listed() -> None:
    labels = [f"{'x' * 40} {i}" for i in range(20)]
    assert grouped(labels, range(1, 21), 60) == []
    assert len(shown(decision(*labels), range(20), 60)) == 20


def test_what_is_printed_on_cards_that_lie_nowhere() -> None:
    drawn = text(shown(decision("a Bear", "an Owl"), [0, 1], 30, facts=["cost 3, attack 4, defence 5", ""]))
    assert drawn.splitlines() == ["  1  a Bear (cost 3, attack 4,", "         defence 5)", "  2  an Owl"]


def test_every_number_stands_in_the_table() -> None:
    drawn = text(matrix(LANES, range(1, 10), 80)).split()
    assert [int(word) for word in drawn[6:] if word.isdigit()] == list(range(1, 10))


def test_nothing_of_the_author_steers_the_terminal() -> None:
    labels = [f"\x1b[2J{i}, \x1b{j}" for i in range(4) for j in range(3)]
    assert "\x1b" not in text(matrix(labels, range(1, 13), 80)) + text(listed(labels, range(1, 13), 80))


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("play the plague lanes 1", [1]),
        ("play the plague", [0, 1, 2]),
        ("PLAGUE  Lanes 2", [2]),
        ("plague 2", [2]),
        ("lane 0 plag", [0]),
        ("cub 1", [4, 7]),
        ("agu", [0, 1, 2]),
        ("agu 1", []),
        ("xyz", []),
    ],
)
def test_words_mean_options(typed: str, found: list[int]) -> None:
    assert meant(typed, decision(*LANES)) == found


def test_words_come_before_parts_of_words() -> None:
    asked = NS(options=[NS(id="summon defender", label="Summon: a Defender"), NS(id="pass", label="End the turn")])
    assert meant("end", asked) == [1] and meant("fend", asked) == [0]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("cub 0,1", [0]),
        ("put cub 1,0", [1]),
        ("cub space -1,0", [2]),
        ("Put a Cub: space 0,1", [0]),
        ("-1,0", [2, 3]),
        ("bear -1,0", [3]),
        ("cub 2,0", []),
        ("cub", [0, 1, 2]),
    ],
)
def test_a_space_of_a_grid_is_one_word(typed: str, found: list[int]) -> None:
    spaces = [("cub", "0,1"), ("cub", "1,0"), ("cub", "-1,0"), ("bear", "-1,0")]
    options = [NS(id=f"put {card} land {at}", label=f"Put: a {card.title()}, space {at}") for card, at in spaces]
    assert meant(typed, NS(options=options)) == found
