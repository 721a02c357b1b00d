"""From a table and its mapping to the text of a `.card` file, checked with the package that it is for.

Nothing is read or written here. Findings of the written cards are told where the table says what is wrong.
"""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardc import nodes as n
from cardc import pipeline
from cardc.findings import Finding, Label
from cardc.importer import cardfile
from cardc.importer.cells import Card, Field, Values
from cardc.importer.mapping import Mapping, read_mapping
from cardc.importer.tables import Cell, Row, Table, read_delimited, read_json
from cardc.opening import Files
from cardc.parse import parse_file
from cardc.read import decode
from cardc.report import MOST_ALIKE, near, with_places
from cardc.source import Source

HEADER = """\
// Written by `cardc import` from {table}, as {mapping} says. What stands in the table is changed there and imported
// again; comments, and what the table does not know of a card, may be added here and stay.

"""


class Given(Struct, frozen=True):
    """A file as it was given: how it is called in findings, its own name, and what is in it."""

    shown: str
    name: str
    data: bytes


class Imported(Struct, frozen=True):
    """What an import gives: all findings, the file's path in the package and its new text (None where there is an
    error), what became of the cards, and how many errors other files of the package have."""

    findings: list[Finding]
    path: str
    text: str | None
    old: str | None
    cards: int
    new: list[str]
    changed: list[str]
    dropped: list[str]
    elsewhere: int


def import_table(
    table: Given, mapping: Given, files: Files, base: tuple[Files, dict[str, Any]] | None, root: str
) -> Imported:
    """Import a table into the package of `files`. `root` stands before the paths of the package in findings."""
    source, findings = decode(mapping.shown, mapping.data)
    how = None
    if source is not None:
        how, found = read_mapping(source)
        findings += found
    if how is None:
        return Imported(findings, "", None, None, 0, [], [], [], 0)
    source, found = _decode(table, how)
    if source is None:
        return Imported(found, how.file, None, None, 0, [], [], [], 0)
    read = _read(source, how, table.name)
    findings = [*read.findings, *_columns(source, how, read)]
    old, decls, found = _existing(files, how.file, root)
    findings += found
    cards: list[Card] = []
    if not any(f.severity == "error" and f.code != "E702" for f in findings):
        values = Values(source)
        before = [d.name.text for d in decls if isinstance(d, n.CardDecl)]
        cards = _cards(values, how, read.rows, before) if not _lacks(how, read) else []
        findings += _gathered(values.findings)
    kinds = cardfile.Kinds.of(_declared(files, base, how.file))
    header = HEADER.format(table=table.name, mapping=mapping.name)
    written = cardfile.write(cards, set(how.fields), kinds, header, old or "", decls)
    elsewhere = 0
    if cards:
        found, elsewhere = _checked(written, how.file, files, base, source, root)
        lacking = {card.id_cell.start for card in cards if not card.whole}
        findings += [f for f in found if f.source is not source or f.start not in lacking]
    findings = sorted(dict.fromkeys(findings), key=Finding.key)
    if any(f.severity == "error" for f in findings):
        return Imported(findings, how.file, None, old, 0, [], [], [], elsewhere)
    changes = (written.new, written.changed, written.dropped)
    return Imported(findings, how.file, written.text, old, len(cards), *changes, elsewhere)


def _gathered(findings: Sequence[Finding]) -> list[Finding]:
    """The findings of cells, with what many of them have in common told once: it is the mapping that lacks it."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for f in findings:
        alike.setdefault((f.code, f.message), []).append(f)
    out: list[Finding] = []
    for first, *others in alike.values():
        out += [with_places(first, others)] if len(others) >= MOST_ALIKE else [first, *others]
    return out


def _decode(table: Given, how: Mapping) -> tuple[Source | None, list[Finding]]:
    if how.encoding == "utf-8":
        return decode(table.shown, table.data)
    try:
        return Source(table.shown, codecs.decode(table.data, how.encoding)), []
    except UnicodeDecodeError as e:
        source = Source(table.shown, table.data.decode("latin-1").replace("\0", "\ufffd"))
        message = f"byte {e.start} is not {how.encoding}, as the mapping says it is"
        return None, [Finding("E004", source, e.start, e.start + 1, message, "save the table as UTF-8")]


def _read(source: Source, how: Mapping, name: str) -> Table:
    if how.json if how.json is not None else name.lower().endswith(".json"):
        return read_json(source, how.shape)
    shape = how.shape
    if shape.separator is None and name.lower().endswith(".tsv"):
        shape = replace(shape, separator="\t")
    return read_delimited(source, shape, [*(c for t in how.takes() for c in t.columns()), *how.ignore])


def _lacks(how: Mapping, table: Table) -> list[tuple[str, str]]:
    """The columns that the mapping reads and the table lacks, with what needs them."""
    return [(c, t.what) for t in how.takes() for c in t.columns() if c not in table.columns]


def _columns(source: Source, how: Mapping, table: Table) -> list[Finding]:
    """Findings about columns that are read and lacking, or there and not read."""
    out = []
    if table.findings and not table.columns:
        return []
    if not table.rows and not table.findings:
        return [Finding("E702", source, 0, min(1, len(source.text)), "the table has no rows")]
    end = max(source.text.find("\n"), 1)
    for column, what in _lacks(how, table):
        help = near(column, table.columns) or "the columns are " + ", ".join(f"`{c}`" for c in table.columns)
        if what == "kind":
            help += f'; one for all cards is `kind = {{ value = "{column}" }}`'
        out.append(
            Finding(
                "E702",
                source,
                0,
                min(end, len(source.text)),
                f"there is no column `{column}`, of which the mapping takes `{what}`",
                help,
            )
        )
    if out:
        return out  # a column that is read under another name is not passed over
    used = {c for t in how.takes() for c in t.columns()} | set(how.ignore)
    for column, cell in table.columns.items():
        if column in used:
            continue
        at = cell or next((row.cells[column] for row in table.rows if column in row.cells), None)
        if at is not None:
            help = f'take something from it, or say `ignore = ["{column}"]` in the mapping'
            out.append(
                Finding(
                    "W752",
                    source,
                    at.start,
                    max(at.end, at.start + 1),
                    f"nothing is taken from column `{column}`",
                    help,
                )
            )
    return out


def _existing(files: Files, path: str, root: str) -> tuple[str | None, Sequence[n.Decl], list[Finding]]:
    """The file as it is: its text, its declarations, and the findings of reading it."""
    data = dict(files).get(path)
    if data is None:
        return None, [], []
    source, findings = decode(root + path, data)
    if source is None:
        return None, [], findings
    decls, findings = parse_file(source)
    return source.text, decls, findings


def _declared(files: Files, base: tuple[Files, dict[str, Any]] | None, but: str) -> list[n.Decl]:
    """The declarations of all text files that declare kinds."""
    out: list[n.Decl] = []
    for path, data in [*(base[0] if base else []), *files]:
        if path.endswith(".card") and path != but and b"kind" in data:
            source, _ = decode(path, data)
            if source is not None:
                out += parse_file(source)[0]
    return out


def _cards(values: Values, how: Mapping, rows: Sequence[Row], before: Sequence[str]) -> list[Card]:
    """The cards of the rows. One that is not whole is there for the sake of the findings about the rest of it."""
    out = []
    for i, (row, id) in enumerate(zip(rows, values.ids(how.id, rows, before), strict=True)):
        whole = Cell(None, row.start, row.end)
        title = values.title(how.title, row)
        kind, kind_cell = values.value(how.kind, row, [])
        if kind is not None and not isinstance(kind, str):
            values.say("E703", kind_cell or whole, "the kind of a card is a word", "name it as the game calls it")
        fields, bad = [], id is None or title is None
        for take in how.fields.values():
            found = values.field(take, row)
            bad = bad or found is None
            if isinstance(found, Field):
                fields.append(found)
        if isinstance(kind, str):
            name, id_cell = id or (f"_row_{i}", whole)
            text, title_cell = title or ("", whole)
            out.append(Card(name, text, kind, tuple(fields), id_cell, title_cell, kind_cell or whole, not bad))
    return out


def _checked(
    written: cardfile.Written,
    path: str,
    files: Files,
    base: tuple[Files, dict[str, Any]] | None,
    table: Source,
    root: str,
) -> tuple[list[Finding], int]:
    """The errors of the package that concern the written file, told at the cells they come from; how many others
    there are."""
    package = [(p, d) for p, d in files if p != path]
    checked = pipeline.analyse(sorted([*package, (path, written.text.encode())]), base)
    starts = [start for start, _, _ in written.places]

    def place(source: Source, start: int, end: int) -> tuple[Source, int, int]:
        if source.path != path:
            return Source(root + source.path, source.text), start, end
        i = bisect_right(starts, start) - 1
        if i >= 0 and start < written.places[i][1]:
            cell = written.places[i][2]
            return table, cell.start, max(cell.end, min(cell.start + 1, len(table.text)))
        return Source(root + path, source.text), start, end

    found, elsewhere = [], 0
    for f in checked.findings:
        if f.severity != "error":
            continue
        if f.source.path != path and all(label.source.path != path for label in f.labels):
            elsewhere += 1
            continue
        labels = tuple(Label(*place(x.source, x.start, x.end), x.text) for x in f.labels)
        source, start, end = place(f.source, f.start, f.end)
        found.append(Finding(f.code, source, start, end, f.message, f.help, labels))
    return found, elsewhere
