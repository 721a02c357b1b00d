"""Tests over a table: each row is the test with its values in the place of the columns' names.

Assumes collected symbols. Establishes: every row has a value for each column, no two say the same, every column is read
and hides no other name. What is wrong with a value is found where it is written, in its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cardc import nodes as n
from cardc.display import plural
from cardc.nesting import walk
from cardc.report import Report
from cardc.source import Source
from cardc.symbols import BUILT_IN_NAMES, Symbols

_Node = TypeVar("_Node", bound=n.Node)


class Case(Struct, frozen=True):
    """A test as one row makes it; `title` has the values, and it stands where the row does."""

    decl: n.TestDecl
    title: str
    at: n.Node


def cases(decl: n.TestDecl, source: Source, s: Symbols, report: Report) -> list[Case]:
    """The tests that a declaration stands for: itself, or one a row of its table."""
    if decl.cases is None:
        return [Case(decl, decl.title.value, decl)]
    columns = decl.cases.columns
    if not columns or not decl.cases.rows:  # a tree from elsewhere; the grammar wants one of each
        report.add("E301", source, decl.cases, "this table has no row or no column", "give one, or leave the table out")
        return []
    before = len(report)
    _check_columns(decl, columns, source, s, report)
    if report.errors and len(report) > before:
        return []
    out: list[Case] = []
    seen: dict[tuple[n.Expr, ...], n.CaseRow] = {}
    for row in decl.cases.rows:
        if len(row.values) != len(columns):
            names = ", ".join(c.text for c in columns)
            message = f"this row has {plural(len(row.values), 'value')}, and there are {plural(len(columns), 'column')}"
            report.add("E202", source, row, message, f"give one for each of {names}")
            continue
        if row.values in seen:
            report.add(
                "E302", source, row, "this row says what another says", "remove it",
                [(source, seen[row.values], "the other one")],
            )  # fmt: skip
            continue
        seen[row.values] = row
        values = dict(zip([c.text for c in columns], row.values, strict=True))
        _check_cards(decl, values, source, report)
        said = ", ".join(f"{name}: {_words(source, value)}" for name, value in values.items())
        out.append(Case(_put(replace(decl, cases=None), values), f"{decl.title.value} ({said})", row))
    return out


def _check_columns(
    decl: n.TestDecl, columns: tuple[n.Ident, ...], source: Source, s: Symbols, report: Report
) -> None:
    read = {name for item in decl.items for node in walk(item) if (name := _read(node)) is not None}
    first: dict[str, n.Ident] = {}
    for column in columns:
        name = column.text
        if name in BUILT_IN_NAMES:
            report.add("E103", source, column, f"`{name}` is a built-in name", "choose another name")
        elif other := s.hidden(name, source):
            report.add(
                "E104", source, column, f"column `{name}` hides another name", "choose another name",
                [(other.source, other.ident, "this one")],
            )  # fmt: skip
        elif name in first:
            report.add(
                "E302", source, column, f"column `{name}` is given twice", "choose another name",
                [(source, first[name], "the other one")],
            )  # fmt: skip
        elif name not in read:
            report.add("W601", source, column, f"column `{name}` is not used", "remove it, and its values")
        first.setdefault(name, column)


def _check_cards(decl: n.TestDecl, values: Mapping[str, n.Expr], source: Source, report: Report) -> None:
    """`new COLUMN` and `is COLUMN` want the name of a card in every row."""
    for item in decl.items:
        for node in walk(item):
            value = values.get(_named(node) or "")
            if value is not None and not isinstance(value, n.Name):
                word = "new" if isinstance(node, n.New) else "is"
                report.add("E201", source, value, f"`{word} …` wants the name of a card, and this is none")


def _named(node: n.Node) -> str | None:
    """The name that stands in a node where no expression may."""
    match node:
        case n.New(name) | n.Is(what=name):
            return name.text if name is not None else None
    return None


def _read(node: n.Node) -> str | None:
    return node.id if isinstance(node, n.Name) else _named(node)


def _put(node: _Node, values: Mapping[str, n.Expr]) -> _Node:
    """The node with the values in the place of the names."""
    if isinstance(node, n.Name):
        return values.get(node.id, node)  # type: ignore[return-value]
    changed: dict[str, Any] = {}
    name = _named(node)
    if name is not None and isinstance(value := values.get(name), n.Name):
        changed["name" if isinstance(node, n.New) else "what"] = n.Ident(value.id, span=value.span)
    for key in node.__struct_fields__:
        old = getattr(node, key)
        if key in changed:
            continue
        if isinstance(old, n.Node):
            new: object = _put(old, values)
        elif isinstance(old, tuple) and key != "span":
            new = tuple(_put(x, values) if isinstance(x, n.Node) else x for x in old)
            if all(a is b for a, b in zip(old, new, strict=True)):
                continue
        else:
            continue
        if new is not old:
            changed[key] = new
    return replace(node, **changed) if changed else node


def _words(source: Source, node: n.Node) -> str:
    return " ".join(source.text[node.span[0] : node.span[1]].split())
