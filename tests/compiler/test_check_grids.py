"""What the checker finds about grids."""

import pytest
from cardc import pipeline

FRAME = """
game g "G" { version: "1"  players: 2 }
kind wolf { value: 0..9 }
zone pile: shared list of wolf, nobody sees
board fixed: grid 3 by 2 of cell { wolves: shared list of wolf, all see top }
board land: floating grid 3 by 2 of space { wolves: shared list of wolf, all see top }
setup { for each c in catalog { copy c to pile } }
flow { loop { players[0] choose go { win players[0] "so" } } }
card cub "Cub" : wolf { value: 1 }
"""
TEST = 'test "t" { given { PUT.wolves = [cub] } expect count(land.wolves) == 1 }'


def errors(text: str) -> list[tuple[str, str]]:
    checked = pipeline.analyse([("g.card", (FRAME + text).encode())], None)
    return [(f.code, f.message) for f in checked.findings if f.severity == "error"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("value b(): bool = fixed.at(3, 0) is none", "E206", "this column is the number 3, but `fixed` has 0 to 2"),
        ("value b(): bool = fixed.at(0, -1) is none", "E206", "this row is the number -1, but `fixed` has 0 to 1"),
        (TEST.replace("PUT", "land.at(3, 0)"), "E206", "this column is the number 3, but `land` has -2 to 2"),
        (TEST.replace("PUT", "land.at(0, 2)"), "E206", "this row is the number 2, but `land` has -1 to 1"),
        ("value b(l: line): bool = fixed.full", "E201", "there is more than one grid"),
        ("value b(l: line in lant): bool = fixed.full", "E101", "no grid is called `lant`"),
        ("value b(): int = count(pile.rows)", "E105", "`wolf` has no member `rows`"),
        ("value b(): bool = land.at(0, 0) is none", "E204", None),
        ("value b(c: cell): bool = c.row == land.rows[0]", "E201", None),
        ("value b(c: cell): bool = c.rows is empty", "E105", "`cell` has no member `rows`"),
        ("board more: floating grid 3 by 2 of spot { row: shared list of wolf, all see }", "E103", None),
    ],
)
def test_a_finding(text: str, code: str, message: str | None) -> None:
    found, said = errors(text)[0]
    assert (found, said if message is None else message) == (code, said)


@pytest.mark.parametrize(
    "text",
    [
        "value b(c: cell): bool = fixed.at(2, 1) is not none and c.row == fixed.rows[0]",
        "value b(l: line in land): int = count(w in land.wolves where w.space is in l or w.space.column == l)",
        TEST.replace("PUT", "land.at(-2, 1)"),
        'test "t" { expect land.at(9, 9) is none }',
    ],
)
def test_no_finding(text: str) -> None:
    assert errors(text) == []
