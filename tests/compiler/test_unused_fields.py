"""A printed field or a column that no rule reads is a warning, unless a test says what it is: it may be there to be
looked at."""

from cardc import pipeline

GAME = """
game g "G" { version: "1"  players: 2 }
enum colour { white, gold }
kind thing { colour: colour }
zone pile: shared list of thing, all see
setup { for each c in catalog { copy c to pile } }
flow { win players[0] "so" }
card ring "Ring" : thing { colour: gold }
"""


def codes(text: str) -> list[str]:
    return [f.code for f in pipeline.analyse([("g.card", text.encode())], None).findings]


def test_a_field_that_nothing_reads() -> None:
    assert codes(GAME) == ["W601"]


def test_a_field_that_a_test_reads() -> None:
    assert codes(GAME + 'test "gold" { expect ring.colour == gold }\n') == []


def test_a_column_of_an_enum() -> None:
    told = GAME.replace("enum colour { white, gold }", "enum colour (price: 0..9) { white(1), gold(2) }")
    assert codes(told) == ["W601", "W601"]
    assert codes(told + 'test "two" { expect ring.colour.price == 2 }\n') == []
