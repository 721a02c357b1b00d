"""`card NAME` while playing: what is written on a card."""

from types import SimpleNamespace as NS

import pytest
from cardc.cli.cardtext import CardText

SOURCE = """// The units.

// It watches.
card watcher "the Watcher" : unit { power: 3 }
card night_owl "a Night Owl" : unit {
  power: 1

  combat { number(self.lane) = 0 }  // for all
}

// ---- Others
card watchdog "Watchdog" : unit {}
""".splitlines()


def card(id: str, title: str, line: int, file: str = "units.card", base: str | None = None) -> NS:
    return NS(id=id, title=title, kind="night_unit", file=file, line=line, base=base)


CARDS = [
    card("watcher", "the Watcher", 4), card("night_owl", "a Night Owl", 5), card("watchdog", "Watchdog", 12),
    card("made", "Made", 3, "made.csv"), card("watcher/2", "Watcher II", 4, base="watcher"),
]  # fmt: skip
TOLD = CardText(CARDS, lambda file: SOURCE if file == "units.card" else ())


@pytest.mark.parametrize("wanted", ["watcher", "the Watcher", "THE WATCHER"])
def test_a_card_on_one_line_with_the_comment_above_it(wanted: str) -> None:
    assert TOLD(wanted) == [
        "the Watcher: night unit, units.card:4",
        "  // It watches.",
        '  card watcher "the Watcher" : unit { power: 3 }',
    ]


@pytest.mark.parametrize("wanted", ["night_owl", "Night Owl", "owl", "ni ow"])
def test_a_card_of_several_lines(wanted: str) -> None:
    told = TOLD(wanted)
    assert told[0] == "a Night Owl: night unit, units.card:5"
    assert told[1:] == [f"  {line}" for line in SOURCE[4:9]]


def test_a_card_that_came_as_data() -> None:
    assert TOLD("made") == ["Made: night unit, made.csv:3"]


def test_none_and_several() -> None:
    assert TOLD("") == ["Say which: card NAME."]
    assert TOLD("watch") == ["Several cards are called watch: there are the Watcher, Watchdog."]
    assert TOLD("mode")[0].startswith("No card is called mode; near ")
