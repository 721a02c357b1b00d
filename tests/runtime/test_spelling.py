"""Searches in the midst of statements of playouts are loops before them, where that changes nothing."""

from __future__ import annotations

import ast
from textwrap import dedent
from types import SimpleNamespace

import pytest
from card_runtime.spelling import collect, spell


def rewritten(body: str) -> str:
    tree = ast.parse("def f(m):\n" + "".join(f"    {line}\n" for line in dedent(body).strip().split("\n")))
    f = tree.body[0]
    assert isinstance(f, ast.FunctionDef)
    spell(f)
    collect(f)
    return ast.unparse(ast.fix_missing_locations(tree))


def run(code: str, cards: list[int]) -> list[object]:
    """What the code tells of these cards."""
    m = SimpleNamespace(told=[], places=[cards, [7]], n=1)

    def grow(m: SimpleNamespace) -> int:
        m.places[0].append(9)
        return len(m.places[0])

    space = {"grow": grow, "v_two": lambda m: 2}
    exec(code, space)
    space["f"](m)  # type: ignore[operator]
    return [*m.told, m.n]


SPELT = [
    "m.told.append(1 + len([1 for c in m.places[0] if c > 1]))",
    "m.n += v_two(m) * sum([c for c in m.places[0]])",
    "m.n = m.n + (m.n + len([1 for c in m.places[0]]))",
    "x = max(0, sum([c for p in m.places for c in p]))\nm.told.append(x)",
    "if any([c > 2 for c in m.places[0]]) == all([c > 0 for c in m.places[0]]): m.n = 5\nelse: m.n = 6",
    "if m.n > 0 and len(m.places) > 1 and len([1 for c in m.places[0] if c > 1]) < 2: m.told.append('few')",
    "x = [*[c for c in m.places[0] if c > 1]]\nm.told.append(x)",
    "x = [*([7] if m.n > 1 else [c for c in m.places[0]])]\nm.told.append(x)",
    "x = len([1 for c in m.places[0]]) if m.n > 0 else 4\nm.told.append(x)",
]


@pytest.mark.parametrize("cards", [[], [1], [1, 2, 3], [3, 0, 4]])
@pytest.mark.parametrize("body", SPELT)
def test_what_is_searched_needs_no_function(body: str, cards: list[int]) -> None:
    plain = "def f(m):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    code = rewritten(body)
    assert run(code, cards[:]) == run(plain, cards[:])
    assert "[1 for" not in code and "for c in m.places[0]]" not in code and "[c > " not in code


@pytest.mark.parametrize(
    "body",
    [
        "m.told.append(grow(m) + len([1 for c in m.places[0]]))",  # what is called first writes
        "m.told.append(m.n > 0 or len([1 for c in m.places[0]]) > 2)",  # it may not come to that
        "m.told.append(len([1 for c in m.places[0]]) if m.n > 3 else 5)",
        "m.told.append((y := 2) + len([1 for c in m.places[0] if c > y]))",
        "m.told.append([len([1 for d in m.places[0] if d < c]) for c in m.places[0]])",
        "if m.n > 3 and len([1 for c in m.places[0]]) > 2: m.told.append(1)\nelse: m.told.append(2)",
    ],
)
def test_what_is_not_come_to_in_any_case_stays(body: str) -> None:
    plain = "def f(m):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    code = rewritten(body)
    assert code == ast.unparse(ast.parse(plain))
