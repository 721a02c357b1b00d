"""Makes what a card says of the cells of a row: words, numbers, lists, titles and ids.

What spreadsheets do to a cell (another kind of blank, curly quotes, a lost zero) is found here and said, never passed
on in silence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from cardc.findings import Finding, Label
from cardc.importer.mapping import COLUMN, NOTHING, Nothing, Take
from cardc.importer.tables import Cell, Row
from cardc.literals import MAX_DIGITS
from cardc.report import near
from cardc.source import Source

Constant = str | int | bool | list[str | int | bool]
"""A printed value: a word, a number, `true` or `false`, or a list of these."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_WHOLE = re.compile(r"([+-]?[0-9]+)[.,]0{1,2}")
_DIGITS = re.compile(r"[0-9]+")
_POWER = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]+")
_DATE = re.compile(r"[0-9]{1,2}[-./ ][A-Za-zÀ-ž]{3,4}\.?|[A-Za-zÀ-ž]{3,4}\.?[-./ ][0-9]{1,2}")
_ODD = {
    **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u3000\t\r\n", " "),
    **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff\u00ad", ""),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
}
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
_CALLED = {
    "\u00a0": "a no-break space",
    "\u202f": "a narrow no-break space",
    "\ufeff": "a byte order mark",
    "\t": "a tab",
    "\r": "a line end",
    "\n": "a line end",
    "\u00ad": "a soft hyphen",
    "\u200b": "an invisible space",
    "\u2212": "a minus sign that is no hyphen",
}


class Field(Struct, frozen=True):
    """A printed field of a card and the cell it comes from (None: it is the same for all); of a list, also the cells
    or parts of a cell that its members come from."""

    name: str
    value: Constant
    cell: Cell | None
    members: tuple[Cell, ...] = ()


class Card(Struct, frozen=True):
    """A card as its row says. `id_cell`, `title_cell`, `kind_cell`: where that was said, at worst the row.

    `whole`: False where a cell has an error, so that the card lacks something and may have a made-up id."""

    id: str
    title: str
    kind: str
    fields: tuple[Field, ...]
    id_cell: Cell
    title_cell: Cell
    kind_cell: Cell
    whole: bool = True


class Values(Struct):
    """Takes values from the cells of one table."""

    source: Source
    findings: list[Finding] = field(default_factory=list)

    def say(self, code: str, cell: Cell, message: str, help: str | None = None, labels: Sequence[Label] = ()) -> None:
        end = max(cell.end, min(cell.start + 1, len(self.source.text)))
        finding = Finding(code, self.source, cell.start, end, message, help, tuple(labels))
        if finding not in self.findings:
            self.findings.append(finding)

    def cell(self, row: Row, column: str) -> Cell:
        """The cell of a column; an empty one, at the beginning of the row, where a JSON row lacks it."""
        return row.cells.get(column) or Cell(None, row.start, row.start + 1)

    # ---- Text

    def plain(self, cell: Cell, *, number: bool = False, keep: bool = False) -> str:
        """The cell as text with plain blanks and quotes, and as a number with a plain minus; what was odd is said."""
        value = cell.value
        if isinstance(value, bool):
            return str(value).lower()
        if not isinstance(value, str):
            return "" if value is None else str(value)
        if keep or (value.isascii() and value.isprintable()):
            return value.strip()
        odd = _ODD | _DASHES if number else _ODD
        found = [c for c in dict.fromkeys(value) if c in odd]
        if found:
            at = value.index(found[0])
            exact = self.source.text[cell.start : cell.end] == value
            where = Cell(None, cell.start + at, cell.start + at + 1) if exact else cell
            names = ", ".join(_name(c) for c in found)
            became = dict.fromkeys(_becomes(odd[c]) for c in found)
            self.say("W751", where, f"the cell holds {names}", f"it was read as {' and '.join(became)}")
        text = "".join(odd.get(c, c) for c in value)
        return re.sub(r" {2,}", " ", text).strip() if found else text.strip()

    def title(self, take: Take, row: Row) -> tuple[str, Cell] | None:
        """A title: any text of one line."""
        text, cell = self.text(take, row)
        if take.words is not None and text in take.words:
            text = str(take.words[text])
        if not text:
            self.empty(take, cell)
            return None
        control = next((c for c in text if unicodedata.category(c) == "Cc"), None)
        if control is not None:
            self.say("E703", cell, f"the title holds the character U+{ord(control):04X}, which is no text")
            return None
        return text, cell

    def text(self, take: Take, row: Row) -> tuple[str, Cell]:
        """What a column or a text with columns says, and where."""
        if take.column is not None:
            cell = self.cell(row, take.column)
            return self.plain(cell, keep=take.keep), cell
        whole = Cell(None, row.start, row.end)
        if take.text is None:
            return str(take.value), whole
        cells = [self.cell(row, name) for name in take.columns()]
        for name, cell in zip(take.columns(), cells, strict=True):
            if not self.plain(cell):
                self.say("E704", cell, f"the cell of column `{name}` is empty, but `{take.what}` needs it")
                return "", cell
        texts = iter(cells)
        return COLUMN.sub(lambda _: self.plain(next(texts), keep=take.keep), take.text), cells[0] if cells else whole

    def empty(self, take: Take, cell: Cell) -> None:
        column = "" if take.column is None else f" of column `{take.column}`"
        self.say(
            "E704",
            cell,
            f"the cell{column} is empty, but `{take.what}` needs it",
            "fill it in, or say in the mapping what an empty one means: `empty = …`, or `optional = true`",
        )

    # ---- Values

    def field(self, take: Take, row: Row) -> Field | Nothing | None:
        """A printed field; NOTHING where it is left out, None after a finding."""
        members: list[Cell] = []
        value, cell = self.value(take, row, members)
        return value if value is None or isinstance(value, Nothing) else Field(take.what, value, cell, tuple(members))

    def value(self, take: Take, row: Row, members: list[Cell]) -> tuple[Constant | Nothing | None, Cell | None]:
        """A printed value; NOTHING where it is left out, None after a finding. And its cell; those of the members of a
        list are added to `members`."""
        if not isinstance(take.value, Nothing):
            return _given(take.value), None
        if take.text is not None:
            text, cell = self.text(take, row)
            return (self.word(take, text, cell) if text else None), cell
        assert take.column is not None
        cell = self.cell(row, take.column)
        text = "" if isinstance(cell.value, tuple) else self.plain(cell, number=True)
        if not text and not (isinstance(cell.value, tuple) and cell.value):
            if not isinstance(take.empty, Nothing):
                return _given(take.empty), cell
            if take.optional:
                return NOTHING, cell
            self.empty(take, cell)
            return None, cell
        if isinstance(cell.value, tuple):
            return self.members(take, [(self.plain(c, number=True), c) for c in cell.value], members), cell
        if take.letters is not None:
            return self.letters(take, text, cell, members), cell
        if take.split is not None:
            return self.members(take, self.parts(text, take.split, cell), members), cell
        return self.word(take, text, cell), cell

    def part(self, text: str, cell: Cell, start: int, end: int) -> Cell:
        """The part of a cell's text as a cell; the whole where the table writes the text in another way."""
        exact = self.source.text[cell.start : cell.start + len(text)] == text
        return Cell(None, cell.start + start, cell.start + end) if exact else cell

    def parts(self, text: str, separator: str, cell: Cell) -> Iterable[tuple[str, Cell]]:
        at = 0
        for part in text.split(separator):
            if word := part.strip():
                start = at + part.index(word)
                yield word, self.part(text, cell, start, start + len(word))
            at += len(part) + len(separator)

    def members(
        self, take: Take, items: Iterable[tuple[str, Cell]], cells: list[Cell]
    ) -> list[str | int | bool] | None:
        out: list[str | int | bool] = []
        bad = False
        for text, cell in items:
            one = self.word(take, text, cell)
            if one is None:
                bad = True
            elif not isinstance(one, Nothing):
                out.append(one)
                cells.append(cell)
        return None if bad else out

    def letters(self, take: Take, text: str, cell: Cell, cells: list[Cell]) -> list[str | int | bool] | None:
        assert take.letters is not None
        out: list[str | int | bool] = []
        for i, letter in enumerate(text):
            member = take.letters.get(letter)
            at = self.part(text, cell, i, i + 1)
            if member is None:
                known = ", ".join(f"`{k}`" for k in take.letters)
                self.say("E703", at, f"`{letter}` is no letter of `{take.what}`", f"the letters are {known}")
                return None
            if member:
                out.append(member)
                cells.append(at)
        return out

    def word(self, take: Take, text: str, cell: Cell) -> str | int | bool | Nothing | None:
        """A single value, translated where the mapping says so; a number where it looks like one."""
        if take.words is not None:
            if text not in take.words:
                known = "the words are " + ", ".join(f"`{k}`" for k in list(take.words)[:8])
                help = near(text, take.words) or f"{known}: add it to `words` in the mapping"
                self.say("E703", cell, f"`{text}` is no word for `{take.what}`", help)
                return None
            found: str | int | bool = take.words[text]
            return NOTHING if found == "" else found
        if isinstance(cell.value, bool):
            return cell.value
        if whole := _WHOLE.fullmatch(text):
            self.say("W751", cell, f"the cell holds `{text}`", f"it was read as {int(whole[1])}")
            text = whole[1]
        if _NUMBER.fullmatch(text):
            if len(text.lstrip("+-")) > MAX_DIGITS:
                self.say("E703", cell, f"the number has {len(text.lstrip('+-'))} digits; {MAX_DIGITS} are the most")
                return None
            return int(text)
        if NAME.fullmatch(text):
            return text in ("true", "True", "TRUE") if text.lower() in ("true", "false") else text
        self.say(
            "E703",
            cell,
            f"`{text}` is no whole number and no word",
            "a word is of letters, digits and `_`; the mapping's `words` translate others",
        )
        return None

    # ---- Ids

    def ids(self, take: Take, rows: Sequence[Row], before: Iterable[str]) -> list[tuple[str, Cell] | None]:
        """The id of each row; None after a finding. `before`: the ids that an earlier import wrote."""
        texts = [self.text(take, row) for row in rows]
        zeros = [len(t) for t, _ in texts if _DIGITS.fullmatch(t) and t.startswith("0") and len(t) > 1]
        digits = take.digits or (0 if take.pad else max(zeros, default=0))
        known = set(before)
        made = [self.id(take, text, cell, digits) for text, cell in texts]
        now = {id for id, _ in filter(None, made)}
        out: list[tuple[str, Cell] | None] = []
        first: dict[str, Cell] = {}
        for one in made:
            if one is None:
                out.append(None)
                continue
            id, cell = one
            if id in first:
                at = first[id]
                labels = [Label(self.source, at.start, max(at.end, at.start + 1), "the first one")]
                self.say("E705", cell, f"two rows have the id `{id}`", "ids tell cards apart: change one", labels)
                out.append(None)
                continue
            first[id] = cell
            lost = None if id in known else _with_zeros(id, take.prefix, known - now)
            if lost is not None:
                self.eaten(cell, str(cell.value), f"the card was `{lost}` before")
                out.append(None)
                continue
            out.append(one)
        return out

    def id(self, take: Take, text: str, cell: Cell, digits: int) -> tuple[str, Cell] | None:
        if not text:
            self.empty(take, cell)
            return None
        if _POWER.fullmatch(text) or _DATE.fullmatch(text) or _WHOLE.fullmatch(text):
            self.eaten(cell, text, "it is no id any more")
            return None
        if digits and _DIGITS.fullmatch(text) and len(text) < digits:
            if not take.pad:
                wanted = f"ids have {digits} digits" if take.digits else f"others have {digits} digits, with zeros"
                self.eaten(cell, text, wanted)
                return None
            text = text.zfill(digits)
        if take.digits and _DIGITS.fullmatch(text) and len(text) > take.digits:
            self.say("E703", cell, f"the id `{text}` has {len(text)} digits, the mapping says {take.digits}")
            return None
        id = take.prefix + (_slug(text) if take.slug else text)
        if not NAME.fullmatch(id):
            help = "an id is of letters, digits and `_`, and begins with a letter"
            if id[:1].isdigit():
                help += ": give it a `prefix` in the mapping"
            self.say("E703", cell, f"`{id}` is no id", help)
            return None
        return id, cell

    def eaten(self, cell: Cell, text: str, why: str) -> None:
        self.say(
            "E706",
            cell,
            f"a spreadsheet has changed the id `{text}`: {why}",
            "make the column's format text and write the ids again; where only zeros are lost, say `pad = true`",
        )


def _given(value: object) -> Constant:
    assert isinstance(value, str | int | list)
    return list(value) if isinstance(value, list) else value


def _name(c: str) -> str:
    if c in _CALLED:
        return f"{_CALLED[c]} (U+{ord(c):04X})"
    return f"`{c}` (U+{ord(c):04X})" if c.isprintable() and not c.isspace() else f"U+{ord(c):04X}"


def _becomes(plain: str) -> str:
    return {" ": "a blank", "": "nothing"}.get(plain, f"`{plain}`")


def _with_zeros(id: str, prefix: str, known: set[str]) -> str | None:
    """The known id that differs by zeros before its number only."""
    rest = id.removeprefix(prefix)
    if not _DIGITS.fullmatch(rest):
        return None
    return next((k for n in range(1, 9) if (k := f"{prefix}{'0' * n}{rest}") in known), None)


def _slug(text: str) -> str:
    """`Night-Owl's Nest` as `night_owls_nest`; letters lose their accents."""
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", folded.replace("'", "")).strip("_")
