"""Functions that cards consist of are written by shapes that the template gives for stand-ins, once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cardc.emit import shapes, template
from cardc.emit.shapes import BODY, MARK
from cardc.emit.text import render
from cardc.emit.units import Unit

BODIES = [("    l_you = m.own[l_self]", 4), ("    e_hurt(m, l_you, 1)", 5)]
UNITS = [
    Unit("body", "r_fox·arrival", ["m", "l_self"], 3, BODIES),
    Unit("function", "q_fox·den·1", ["m", "e_", "l_p"], 3, BODIES, captured=["l_self", "l_you"], result="l_p == l_you"),
    Unit("modifier", "m_fox·den·1", ["m", "l_self", "x"], 3, [], result="x + 1", cond="m.up[l_self]"),
    Unit("modifier", "m_fox·den·2", ["m", "l_self", "x"], 3, [], result="x {+} '\\1'"),
    Unit("step", "s_r_fox·arrival", ["m", "f"], 3, BODIES, size=7),
]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is kept yet, and what is made is kept there."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(shapes, "cache_from_source", lambda path: str(tmp_path / f"{Path(path).stem}.bin"))
    shapes._shapes.cache_clear()
    yield tmp_path
    shapes._shapes.cache_clear()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_function_is_what_the_template_makes_of_it(fresh: Path, unit: Unit) -> None:
    body = "".join(f"{text}{MARK}{line}\n" for text, line in unit.lines)
    whole = template.template().render(u=unit, body=body).removesuffix("\n").split("\n")
    pairs = [line.rpartition(MARK) for line in whole]
    found = render("a.card", [unit], {})
    assert found.text.split("\n")[3:-1] == [text for text, _, _ in pairs]
    assert found.lines[3:-1] == tuple(int(number) for _, _, number in pairs)


def test_the_template_is_filled_once_until_it_changes(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[str] = []
    text = shapes._text
    monkeypatch.setattr(shapes, "_text", lambda shape, cond: (filled.append(shape), text(shape, cond))[1])
    first = [shapes.shape_of(unit) for unit in UNITS]
    assert {*filled} == shapes.OF_CARDS and [path.name for path in fresh.iterdir()] == ["shapes.bin"]
    filled.clear()
    shapes._shapes.cache_clear()
    assert [shapes.shape_of(unit) for unit in UNITS] == first and filled == []
    other = fresh / "code.py.j2"
    other.write_text(shapes.TEMPLATE.read_text() + "\n")
    monkeypatch.setattr(shapes, "TEMPLATE", other)
    shapes._shapes.cache_clear()
    assert [shapes.shape_of(unit) for unit in UNITS] == first and {*filled} == shapes.OF_CARDS


def test_where_nothing_can_be_kept_functions_are_written_all_the_same(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shapes, "cache_from_source", lambda path: str(fresh / "in" / "the" / "way"))
    (fresh / "in").write_text("")
    assert None in shapes.shape_of(UNITS[0]) and BODY not in "".join(render("a.card", UNITS, {}).text)
