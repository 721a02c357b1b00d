"""Games whose cards are of several kinds that have nothing in common."""

from cardc import pipeline

FRAME = """
game g "G" { version: "1"  players: 2 }
kind wolf { value: 0..9  flag red }
kind power { cost: 0..9 = 0 }
zone pile: shared list of wolf, nobody sees
zone offer: shared list of power, all see
setup { BODY }
flow { win players[0] "so" }
card cub "Cub" : wolf { value: 1  red }
card moon "Moon" : power { cost: 2 }
"""


def errors(body: str) -> list[str]:
    checked = pipeline.analyse([("g.card", FRAME.replace("BODY", body).encode())], None)
    return [f.code for f in checked.findings if f.severity == "error"]


def test_the_catalog_is_told_apart_by_kind() -> None:
    wolves = "for each c in catalog where c is wolf and c.red { copy c to pile }"
    assert errors(f"{wolves} for each c in catalog where c is power {{ copy c to offer }}") == []


def test_a_card_of_any_kind_has_no_members() -> None:
    assert errors("for each c in catalog where c.red { copy c to pile }")[0] == "E105"
