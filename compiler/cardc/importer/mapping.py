"""Reads the file that says how a table becomes cards (TOML); its form is told in `compiler/IMPORT.md`.

Establishes a `Mapping` in which every key is known and of its type; whatever else stands in the file is a finding.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from msgspec import Struct, field

from cardc.findings import Finding
from cardc.importer.tables import SEPARATORS, Shape
from cardc.report import near
from cardc.source import Source

ENCODINGS = ("utf-8", "utf-16", "windows-1252")
COLUMN = re.compile(r"\{([^{}]*)\}")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_FILE = re.compile(r"(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\.card")
_TABLE: Final = {
    "format": str,
    "separator": str,
    "columns": list,
    "ignore": list,
    "encoding": str,
    "rows": str,
    "quotes": bool,
}
_CARDS: Final = {"file": str, "id": object, "title": object, "kind": object}
_TAKE: Final = {
    "column": str,
    "text": str,
    "value": object,
    "words": dict,
    "letters": dict,
    "split": str,
    "empty": object,
    "optional": bool,
    "keep": bool,
}
_ID: Final = {"prefix": str, "digits": int, "pad": bool, "slug": bool}
_WORDS: Final = {str: "a text", list: "a list of texts", bool: "true or false", dict: "a table", int: "a whole number"}


class Nothing:
    """Stands where a value is not given."""


NOTHING: Final = Nothing()


class Take(Struct, frozen=True):
    """How one thing of a card, called `what`, is taken from a row.

    From `column`, from `text` (in which `{column}` stands for a cell), or it is always `value`. `words` and `letters`
    translate; `split` separates the members of a list. `empty` is what an empty cell means; `optional`: leave out what
    is empty; `keep`: odd characters stay. The rest is for ids."""

    what: str
    column: str | None = None
    text: str | None = None
    value: object = NOTHING
    words: dict[str, Any] | None = None
    letters: dict[str, str] | None = None
    split: str | None = None
    empty: object = NOTHING
    optional: bool = False
    keep: bool = False
    prefix: str = ""
    digits: int | None = None
    pad: bool = False
    slug: bool = False

    def columns(self) -> list[str]:
        """The columns it reads."""
        if self.column is not None:
            return [self.column]
        return [] if self.text is None else COLUMN.findall(self.text)


class Mapping(Struct, frozen=True):
    """How a table becomes the cards of one file."""

    source: Source
    json: bool | None
    encoding: str
    shape: Shape
    ignore: tuple[str, ...]
    file: str
    id: Take
    title: Take
    kind: Take
    fields: dict[str, Take]

    def takes(self) -> list[Take]:
        return [self.id, self.title, self.kind, *self.fields.values()]


class _Reader(Struct):
    source: Source
    findings: list[Finding] = field(default_factory=list)

    def err(self, where: str, message: str, help: str | None = None) -> None:
        """A finding at the last part of a dotted key, as far as it can be found in the text."""
        text, at = self.source.text, 0
        *sections, key = where.split(".")
        for section in sections:
            found = re.compile(rf"^\s*\[{re.escape(section)}[\].]", re.MULTILINE).search(text, at)
            found = found or re.compile(rf"^\s*{re.escape(section)}\s*=", re.MULTILINE).search(text, at)
            at = at if found is None else found.start()
        found = re.compile(rf'(?<![\w-])"?{re.escape(key)}"?(?=\s*[=.\]])').search(text, at)
        start, end = (0, 0) if found is None else found.span()
        self.findings.append(Finding("E701", self.source, start, end, message, help))

    def section(self, of: dict[str, Any], where: str, keys: dict[str, type]) -> dict[str, Any]:
        """The known keys of a table of the file; a finding for each other one, and for each of another type."""
        out = {}
        for key, value in of.items():
            place = f"{where}.{key}" if where else key
            wanted = keys.get(key)
            if wanted is None:
                help = near(key, keys) or "the keys are " + ", ".join(f"`{k}`" for k in keys)
                self.err(place, f"`{where or 'the mapping'}` has no key `{key}`", help)
            elif not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
                self.err(place, f"`{key}` is {_WORDS[wanted]}")
            elif isinstance(value, list) and wanted is list and not all(isinstance(v, str) for v in value):
                self.err(place, f"`{key}` is a list of texts")
            else:
                out[key] = value
        return out

    def take(self, what: str, where: str, value: object, *, id: bool = False) -> Take:
        if isinstance(value, str):
            return Take(what, column=value)
        if not isinstance(value, dict):
            self.err(where, f"`{what}` is the name of a column, or a table", f'write `{what} = "COLUMN"`')
            return Take(what, value=0)
        given = self.section(value, where, _TAKE | _ID if id else _TAKE)
        if sum(key in given for key in ("column", "text", "value")) != 1:
            self.err(where, f"`{what}` is taken from one of `column`, `text` and `value`")
            given = {"value": 0}
        if sum(key in given for key in ("words", "letters")) > 1:
            self.err(where, f"`{what}` has both `words` and `letters`")
        for key, member in given.get("letters", {}).items():
            if len(key) != 1 or not isinstance(member, str):
                self.err(f"{where}.letters", f"`letters` translates one letter to one word, `{key}` is not so")
        for word in given.get("words", {}).values():
            if not isinstance(word, str | int):
                self.err(f"{where}.words", "`words` translates to words, whole numbers, `true` and `false`")
        for key in ("value", "empty"):
            if key in given and not _constant(given[key]):
                self.err(f"{where}.{key}", f"`{key}` is a word, a whole number, `true`, `false`, or a list of words")
        return Take(what, **given)


def _constant(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(v, str | int) for v in value)
    return isinstance(value, str | int)


def read_mapping(source: Source) -> tuple[Mapping | None, list[Finding]]:
    """Read a mapping; None where it has findings."""
    try:
        data = tomllib.loads(source.text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as e:
        return None, [_broken(source, str(e))]
    r = _Reader(source)
    top = r.section(data, "", {"table": dict, "cards": dict, "fields": dict})
    table = r.section(top.get("table", {}), "table", _TABLE)
    cards = r.section(top.get("cards", {}), "cards", _CARDS)
    missing = [key for key in ("file", "id", "title", "kind") if key not in cards and key not in top.get("cards", {})]
    if missing:
        lacks = ", ".join(f"`{key}`" for key in missing)
        help = "`cardc explain E701` lists all keys"
        if "kind" in missing:
            help = 'a kind for all cards is `kind = { value = "…" }`; ' + help
        r.err("cards", f"`cards` lacks {lacks}", help)
    takes = {key: r.take(key, f"cards.{key}", cards.get(key, ""), id=key == "id") for key in ("id", "title", "kind")}
    fields = {name: r.take(name, f"fields.{name}", value) for name, value in top.get("fields", {}).items()}
    separator = table.get("separator")
    if separator is not None and separator not in SEPARATORS:
        r.err("table.separator", "`separator` is one of `,`, `;`, `|` and a tab")
    encoding = table.get("encoding", "utf-8")
    if encoding not in ENCODINGS:
        r.err("table.encoding", "`encoding` is one of " + ", ".join(f"`{e}`" for e in ENCODINGS))
    form = table.get("format")
    if form not in (None, "delimited", "json"):
        r.err("table.format", "`format` is `delimited` or `json`")
    file = cards.get("file", "")
    if file and not _FILE.fullmatch(file):
        r.err("cards.file", "`file` is a .card file of the package", "write its path in the folder of the game")
    columns = table.get("columns", [])
    if len(set(columns)) < len(columns):
        r.err("table.columns", "`columns` names a column twice")
    if r.findings:
        return None, r.findings
    shape = Shape(separator, tuple(columns), table.get("quotes", True), table.get("rows", ""))
    ignore = tuple(table.get("ignore", ()))
    json = None if form is None else form == "json"
    return Mapping(source, json, encoding, shape, ignore, file, **takes, fields=fields), []


def _broken(source: Source, message: str) -> Finding:
    """The finding of what is no TOML; tomllib says where in its text."""
    place = _AT.search(message)
    start = len(source.text)
    if place is not None:
        line, column = int(place[1]), int(place[2])
        starts = [0, *(i + 1 for i, c in enumerate(source.text) if c == "\n")]
        start = min(starts[min(line, len(starts)) - 1] + column - 1, len(source.text))
    said = _AT.sub("", message).replace("(at end of document)", "").strip()
    return Finding("E701", source, max(start - 1, 0), start, f"the mapping is no TOML: {said[:1].lower()}{said[1:]}")
