"""Writes cards into the text of a `.card` file, and keeps what a hand has added to it.

What the mapping names is the table's: ids, titles, kinds and those fields. Everything else in the file stays as it is:
comments, layout, other fields, abilities, other declarations. A card whose row says what the card says already is not
touched; cards of which the table has no row are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from cardc import nodes as n
from cardc.importer.cells import Card, Constant, Field
from cardc.importer.mapping import NOTHING, Nothing
from cardc.importer.tables import Cell

WIDTH = 120


class Kinds(Struct):
    """What a card need not say: the defaults of the fields of each kind, and which of its members are flags."""

    defaults: dict[str, dict[str, Constant]] = field(default_factory=dict)
    flags: dict[str, set[str]] = field(default_factory=dict)

    @staticmethod
    def of(decls: Iterable[n.Decl]) -> Kinds:
        kinds = {d.name.text: d for d in decls if isinstance(d, n.KindDecl)}
        out = Kinds()
        for name in kinds:
            chain: list[n.KindDecl] = []
            at: str | None = name
            while at in kinds and kinds[at] not in chain:
                chain.append(kinds[at])
                base = kinds[at].base
                at = None if base is None else base.text
            defaults = out.defaults[name] = {}
            for k in chain:
                for f in k.fields:
                    value = NOTHING if f.default is None else constant(f.default)
                    if not isinstance(value, Nothing):
                        defaults[f.name.text] = value
            out.flags[name] = {f.name.text for k in chain for f in k.flags}
        return out

    def written(self, card: Card) -> list[Field]:
        """The fields that the card must say."""
        defaults, flags = self.defaults.get(card.kind, {}), self.flags.get(card.kind, set())
        return [
            f
            for f in card.fields
            if not (f.name in flags and f.value is False)
            and not (f.name in defaults and same(defaults[f.name], f.value))
        ]

    def text(self, kind: str, f: Field) -> str:
        if f.value is True and f.name in self.flags.get(kind, set()):
            return f.name
        return f"{f.name}: {shown(f.value)}"


def constant(e: n.Expr) -> Constant | Nothing:
    """The value of an expression that a field may have; NOTHING for any other."""
    match e:
        case n.Number(value) | n.Truth(value):
            return value
        case n.Nothing():
            return "none"
        case n.Name(id):
            return id
        case n.Unary("-", n.Number(value)):
            return -value
        case n.ListLit(items):
            out: list[str | int | bool] = []
            for item in items:
                member = constant(item)
                if isinstance(member, Nothing | list):
                    return NOTHING
                out.append(member)
            return out
    return NOTHING


def same(a: Constant, b: Constant) -> bool:
    """Equality in which `true` is not 1."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def shown(value: Constant) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(shown, value))}]"
    return str(value)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


class Pieces(Struct):
    """Text in the making. `places`: offsets in it, and the cell that each stretch comes from."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    places: list[tuple[int, int, Cell]] = field(default_factory=list)

    def add(self, text: str, cell: Cell | None = None, f: Field | None = None) -> None:
        """Add text that comes from a cell; the members of a field that is a list from cells of their own."""
        if f is not None and isinstance(f.value, list) and len(f.members) == len(f.value) and text.endswith("]"):
            head, inner = text[: text.index("[") + 1], text[text.index("[") + 1 : -1]
            self.add(head, cell)
            for i, (word, of) in enumerate(zip(inner.split(", "), f.members, strict=False)):
                self.add(", " if i else "", cell)
                self.add(word, of)
            self.add("]", cell)
            return
        if cell is not None and text:
            self.places.append((self.length, self.length + len(text), cell))
        self.parts.append(text)
        self.length += len(text)

    def text(self) -> str:
        return "".join(self.parts)


class Written(Struct, frozen=True):
    """The new text of a file, where its stretches come from, and what became of its cards."""

    text: str
    places: list[tuple[int, int, Cell]]
    new: list[str]
    changed: list[str]
    dropped: list[str]


def write(
    cards: Sequence[Card], owned: set[str], kinds: Kinds, header: str, old: str, decls: Sequence[n.Decl]
) -> Written:
    """Write the cards, in their order, into the text `old` with its declarations. `owned`: the fields of the mapping.

    A file without text begins with `header`."""
    line_end = "\r\n" if "\r\n" in old else "\n"
    prologue, blocks, epilogue = _blocks(old, decls)
    out = Pieces()
    out.add(prologue if old.strip() else header)
    ids = {card.id for card in cards}
    kept: dict[str, _Block] = {}
    behind: dict[str, list[_Block]] = {}
    last, dropped = "", []
    for block in blocks:
        if not isinstance(block.decl, n.CardDecl):
            behind.setdefault(last, []).append(block)
        elif (id := block.decl.name.text) in ids and id not in kept:
            kept[id] = block
            last = id
        else:
            dropped.append(id)
    new, changed = [], []
    for block in behind.get("", []):
        out.add(old[block.start : block.end])
    for card in cards:
        if card.id not in kept:
            new.append(card.id)
            _fresh(out, card, kinds)
            out.add(line_end)
            continue
        block = kept[card.id]
        assert isinstance(block.decl, n.CardDecl)
        out.add(old[block.start : block.decl.span[0]])
        if _card(out, card, owned, kinds, old, block.decl):
            changed.append(card.id)
        out.add(old[block.decl.span[1] : block.end])
        for after in behind.get(card.id, []):
            out.add(old[after.start : after.end])
    out.add(epilogue)
    return Written(out.text(), out.places, new, changed, dropped)


class _Block(Struct, frozen=True):
    """A declaration with the lines before it, up to the end of its last line."""

    start: int
    end: int
    decl: n.Decl


def _blocks(text: str, decls: Sequence[n.Decl]) -> tuple[str, list[_Block], str]:
    """What stands before the first blank line or declaration, the blocks, and what stands behind the last."""
    blocks = []
    first = decls[0].span[0] if decls else len(text)
    blank = next((i for end in ("\n\n", "\r\n\r\n") if (i := text.find(end, 0, first)) >= 0), None)
    at = first if blank is None else _line_end(text, _line_end(text, blank))
    prologue = text[:at]
    for d in decls:
        end = _line_end(text, d.span[1])
        blocks.append(_Block(at, end, d))
        at = end
    return prologue, blocks, text[at:]


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


# ---- One card


def _fresh(out: Pieces, card: Card, kinds: Kinds) -> None:
    """A card as the import writes it: on one line if that is not too long."""
    out.add("card ")
    out.add(card.id, card.id_cell)
    out.add(" ")
    out.add(quoted(card.title), card.title_cell)
    out.add(" : ")
    out.add(card.kind, card.kind_cell)
    fields = [(kinds.text(card.kind, f), f) for f in kinds.written(card)]
    if not fields:
        out.add(" {}")
        return
    head = len(f"card {card.id} {quoted(card.title)} : {card.kind}")
    one_line = head + sum(len(text) + 2 for text, _ in fields) + len(" { } ") - 2 <= WIDTH
    out.add(" {")
    room = 0
    for i, (text, f) in enumerate(fields):
        if one_line:
            out.add("  " if i else " ")
        elif i and room + 2 + len(text) <= WIDTH:
            out.add("  ")
            room += 2 + len(text)
        else:
            out.add("\n  ")
            room = 2 + len(text)
        out.add(text, f.cell, f)
    out.add(" }" if one_line else "\n}")


def _card(out: Pieces, card: Card, owned: set[str], kinds: Kinds, text: str, decl: n.CardDecl) -> bool:
    """A card that is in the file already; tell whether it changes."""
    wanted = {f.name: f for f in kinds.written(card)}
    there = {line.name.text: line for line in decl.lines if isinstance(line, n.CardField | n.CardFlag)}
    equal = (
        decl.title.value == card.title
        and decl.kind.text == card.kind
        and all(name in there and same(_value(there[name]), f.value) for name, f in wanted.items())
        and all(name in wanted or name not in owned for name in there)
    )
    if not equal and _as_written(card, kinds, text, decl):
        _fresh(out, card, kinds)
        return True
    start, end = decl.span
    title = text[slice(*decl.title.span)] if decl.title.value == card.title else quoted(card.title)
    edits: list[tuple[int, int, str, Cell | None, Field | None]] = [
        (*decl.name.span, card.id, card.id_cell, None),
        (*decl.title.span, title, card.title_cell, None),
        (*decl.kind.span, card.kind, card.kind_cell, None),
    ]
    behind = text.index("{", decl.kind.span[1]) + 1
    for name, f in wanted.items():
        line = there.get(name)
        if line is None:
            edits.append((behind, behind, "  " + kinds.text(card.kind, f), f.cell, f))
            continue
        behind = line.span[1]
        if same(_value(line), f.value):
            edits.append((*line.span, text[slice(*line.span)], f.cell, None))
        else:
            edits.append((*line.span, kinds.text(card.kind, f), f.cell, f))
    for name, line in there.items():
        if name in owned and name not in wanted:
            edits.append((*_with_blanks(text, *line.span), "", None, None))
    at = start
    for first, last, new, cell, field_ in sorted(edits, key=lambda e: e[:2]):
        out.add(text[at:first])
        out.add(new, cell, field_)
        at = max(at, last)
    out.add(text[at:end])
    return not equal


def _value(line: n.CardField | n.CardFlag) -> Constant:
    if isinstance(line, n.CardFlag):
        return True
    value = constant(line.value)
    return "" if isinstance(value, Nothing) else value


def _as_written(card: Card, kinds: Kinds, text: str, decl: n.CardDecl) -> bool:
    """Whether the card stands there as an import has written it, so that it may be written anew."""
    cell = card.id_cell
    fields = []
    for line in decl.lines:
        if not isinstance(line, n.CardField | n.CardFlag):
            return False
        fields.append(Field(line.name.text, _value(line), None))
    old = Pieces()
    _fresh(old, Card(decl.name.text, decl.title.value, decl.kind.text, tuple(fields), cell, cell, cell), kinds)
    return old.text() == text[slice(*decl.span)] and {f.name for f in fields} <= {f.name for f in card.fields}


def _with_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch to be removed, with the blanks behind it; with the line, if nothing else is on it."""
    while text[end] in " \t":
        end += 1
    if text[end] in "\r\n}":
        while text[start - 1] in " \t":
            start -= 1
        if text[start - 1] == "\n" and text[end] != "}":
            end = _line_end(text, end)
        elif text[end] == "}":
            start += 1
    return start, end
