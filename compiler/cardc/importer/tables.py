"""Reads a table, delimited or JSON, into rows of cells that know where they stand.

Assumes decoded text. Establishes rows whose cells are named after distinct columns; a row that does not fit its table,
and a table that is none, has its finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cardc import json_text
from cardc.display import plural
from cardc.findings import Finding, Label
from cardc.json_text import Place
from cardc.literals import Refusal
from cardc.source import Source

SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_BLANKS = re.compile(r"[ ]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


class Cell(Struct, frozen=True):
    """A value of a table and the offsets where it stands, without quotes and blanks around it.

    A delimited table holds text only; JSON also whole numbers, floats, bools, None, and lists as tuples of cells."""

    value: str | int | float | bool | tuple[Cell, ...] | None
    start: int
    end: int


class Row(Struct, frozen=True):
    """The cells of a row by the names of their columns, and the offsets of the whole row."""

    cells: dict[str, Cell]
    start: int
    end: int


class Table(Struct, frozen=True):
    """A table: its columns with the cells that name them (None where the mapping names them), and its rows."""

    columns: dict[str, Cell | None]
    rows: list[Row]
    findings: list[Finding]


class Shape(Struct, frozen=True):
    """What the mapping says of a table's form; None and empty where it leaves that to the table."""

    separator: str | None = None
    columns: tuple[str, ...] = ()
    quotes: bool = True
    rows: str = ""


def read_delimited(source: Source, shape: Shape, wanted: Iterable[str]) -> Table:
    """Read a delimited table. `wanted`: the columns that will be used, by which its separator is found out."""
    text, begin, findings = source.text, 0, list[Finding]()
    separator = shape.separator
    if said := _SEPARATOR_LINE.match(text):  # what Excel writes for itself
        begin = said.end()
        separator = separator or said[1]
    separator = separator or _guess(source, begin, shape, set(wanted))
    records = _records(source, begin, separator, shape.quotes, findings)
    if shape.columns:
        columns: dict[str, Cell | None] = dict.fromkeys(shape.columns)
    else:
        columns = _header(source, next(records, []), findings)
    rows = []
    for record in records:
        start, end = record[0].start, record[-1].end
        while len(record) > len(columns) and record[-1].value == "":
            record.pop()
        if len(record) != len(columns):
            whole = "header" if not shape.columns else "mapping"
            message = f"the row has {plural(len(record), 'cell')}, the {whole} {plural(len(columns), 'column')}"
            advice = f"cells are separated by {SEPARATORS.get(separator, repr(separator))}; one that holds it is quoted"
            findings.append(Finding("E702", source, start, max(end, start + 1), message, advice))
            continue
        rows.append(Row(dict(zip(columns, record, strict=True)), start, end))
    return Table(columns, rows, findings)


def _guess(source: Source, begin: int, shape: Shape, wanted: set[str]) -> str:
    """The separator with which the first line has the most of the wanted columns, or as many as are said."""
    best, most = ",", (-1, -1)
    for separator in SEPARATORS:
        first = next(_records(source, begin, separator, shape.quotes, []), [])
        names = {str(cell.value) for cell in first}
        fit = int(len(first) == len(shape.columns)) if shape.columns else len(names & wanted)
        if (fit, len(first)) > most:
            best, most = separator, (fit, len(first))
    return best


def _records(source: Source, begin: int, separator: str, quotes: bool, findings: list[Finding]) -> Iterator[list[Cell]]:
    """The lines of a table, each with its cells; lines without anything are left out."""
    text = source.text
    plain = re.compile(rf"[^{re.escape(separator)}\r\n]*")
    record: list[Cell] = []
    at = begin
    while at < len(text) or record:
        found = _BLANKS.match(text, at)
        assert found is not None
        start = found.end()
        if quotes and text.startswith('"', start):
            quoted = _QUOTED.match(text, start)
            if quoted is None:
                line = _LINE_END.search(text, start)
                end = len(text) if line is None else line.start()
                findings.append(
                    Finding("E702", source, start, end, "the quote is not closed", 'a quote in a cell is written `""`')
                )
                return
            record.append(Cell(quoted[1].replace('""', '"'), quoted.start(1), quoted.end(1)))
            rest = plain.match(text, quoted.end())
            assert rest is not None
            if rest[0].strip(" "):
                message = "text follows the closing quote of the cell"
                findings.append(
                    Finding("E702", source, rest.start(), rest.end(), message, 'a quote in a cell is written `""`')
                )
            at = rest.end()
        else:
            found = plain.match(text, start)
            assert found is not None
            value = found[0].rstrip(" ")
            record.append(Cell(value, start, start + len(value)))
            at = found.end()
        if at < len(text) and text[at] == separator:
            at += 1
            if at == len(text):
                record.append(Cell("", at, at))
            continue
        if len(record) > 1 or record[0].value:
            yield record
        record = []
        line = _LINE_END.match(text, at)
        at = len(text) if line is None else line.end()


def _header(source: Source, record: list[Cell], findings: list[Finding]) -> dict[str, Cell | None]:
    columns: dict[str, Cell | None] = {}
    for cell in record:
        name = plain_blanks(str(cell.value)).strip()
        if (first := columns.get(name)) is not None:
            labels = (Label(source, first.start, first.end, "the first one"),)
            findings.append(
                Finding("E702", source, cell.start, cell.end, f"two columns are called `{name}`", None, labels)
            )
            name = f"{name} #{len(columns)}"
        columns[name] = cell
    if not columns:
        findings.append(Finding("E702", source, 0, 0, "the table is empty", "its first line names the columns"))
    return columns


def plain_blanks(text: str) -> str:
    """The text with every kind of blank as a plain one."""
    return re.sub(r"[\s\u200b\u2060\ufeff]", " ", text)


# ---- JSON


def read_json(source: Source, shape: Shape) -> Table:
    """Read a JSON table: a list of objects, the whole or where `shape.rows` says. Columns of nested objects are called
    like `stats.attack`."""
    try:
        value, place = json_text.read(source.text, floats=True)
    except Refusal as r:
        return Table({}, [], [Finding("E702", source, r.start, r.end, r.message, r.help)])
    for key in filter(None, shape.rows.split(".")):
        if not isinstance(value, dict) or key not in value:
            return Table({}, [], [Finding("E702", source, place.start, place.start + 1, f"there is no `{shape.rows}`")])
        value, place = value[key], place.items[key]
    if not isinstance(value, list):
        what = f"`{shape.rows}`" if shape.rows else "the JSON"
        advice = "say in the mapping's `rows` where the list of rows is"
        return Table({}, [], [Finding("E702", source, place.start, place.start + 1, f"{what} is no list", advice)])
    columns: dict[str, Cell | None] = {}
    rows, findings = [], []
    for i, item in enumerate(value):
        at = place.items[i]
        if not isinstance(item, dict):
            findings.append(Finding("E702", source, at.start, at.end, "a row is an object, but this is none"))
            continue
        cells = dict(_flat("", item, at))
        columns |= dict.fromkeys(cells)
        rows.append(Row(cells, at.start, at.end))
    return Table(columns, rows, findings)


def _flat(prefix: str, value: dict[str, object], place: Place) -> Iterator[tuple[str, Cell]]:
    for key, item in value.items():
        at = place.items[key]
        if isinstance(item, dict):
            yield from _flat(f"{prefix}{key}.", item, at)
        else:
            yield prefix + key, _json_cell(item, at)


def _json_cell(value: object, at: Place) -> Cell:
    if isinstance(value, str):
        return Cell(value, at.start + 1, at.end - 1)
    if isinstance(value, list):
        return Cell(tuple(_json_cell(item, at.items[i]) for i, item in enumerate(value)), at.start, at.end)
    assert value is None or isinstance(value, int | float)
    return Cell(value, at.start, at.end)
