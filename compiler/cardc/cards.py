"""Checks the printed part of cards against the JSON Schema of their kind.

Assumes collected symbols. Establishes: every card has each field of its kind exactly once or by default, in its range;
slots it fills exist. Each schema error is told at the field's span, in the words of the game.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cardc import nodes as n
from cardc.accepting import acceptor
from cardc.findings import Edit, Fix
from cardc.literals import GREATEST
from cardc.phrases import say
from cardc.report import Report, listed, near, removed, there_are
from cardc.source import Source
from cardc.symbols import CardSym, FieldSym, Symbols
from cardc.types import BoolT, EnumT, ErrorT, IntT, ListT, OptT, SetT, Type

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

PRINTABLE = (IntT, BoolT, EnumT, SetT)


def fields_of(kind: str, s: Symbols) -> dict[str, FieldSym]:
    """The printed fields of a kind, base kinds first."""
    out: dict[str, FieldSym] = {}
    for k in reversed(s.chain(kind)):
        out.update(k.fields)
    return out


def type_schema(t: Type, s: Symbols) -> dict[str, Any]:
    match t:
        case IntT(low, high):
            low = s.option_bound(low, False) if isinstance(low, str) else low
            high = s.option_bound(high, True) if isinstance(high, str) else high
            return {
                "type": "integer",
                "minimum": -GREATEST if low is None else low,
                "maximum": GREATEST if high is None else high,
            }
        case BoolT():
            return {"type": "boolean"}
        case EnumT(name):
            return {"enum": list(s.enums[name].members)}
        case SetT(item):
            return {"type": "array", "items": type_schema(item, s), "uniqueItems": True}
        case ListT(item):
            return {"type": "array", "items": type_schema(item, s)}
        case OptT(item):
            inner = type_schema(item, s)
            if "enum" in inner:
                return {"enum": [*inner["enum"], None]}
            return {**inner, "type": [inner["type"], "null"]} if "type" in inner else {}
    return {}


def kind_schema(kind: str, s: Symbols) -> dict[str, Any]:
    """The JSON Schema of the printed fields of a card of this kind."""
    properties, required = {}, []
    for name, f in fields_of(kind, s).items():
        properties[name] = type_schema(f.type, s)
        if f.help:
            properties[name]["description"] = f.help
        if f.default is None:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def schema(game: str, s: Symbols) -> dict[str, Any]:
    """The JSON Schema of a game's cards: what `start(cards=…)`, a spreadsheet or a web editor may hand in."""
    leaves = [k.name for k in s.kinds.values() if not k.children]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A card of {game}",
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
            "title": {"type": "string"},
            "kind": {"enum": leaves},
            "fields": {"type": "object"},
        },
        "required": ["id", "title", "kind", "fields"],
        "additionalProperties": False,
        "allOf": [
            {"if": {"properties": {"kind": {"const": k}}}, "then": {"properties": {"fields": {"$ref": f"#/$defs/{k}"}}}}
            for k in leaves
        ],
        "$defs": {k: kind_schema(k, s) for k in leaves},
    }


def constant(e: n.Expr) -> object:
    """The JSON value of a printed field; an expression that is no constant gives `Ellipsis`."""
    if type(e) is n.Number or type(e) is n.Truth:
        return e.value
    if type(e) is n.Name:
        return e.id
    if type(e) is n.ListLit:
        values = [constant(i) for i in e.items]
        return ... if ... in values else values
    if type(e) is n.Unary and e.op == "-" and type(e.operand) is n.Number:
        return -e.operand.value
    return None if type(e) is n.Nothing else ...


def said(value: object) -> str:
    """A printed value in the words of the language."""
    match value:
        case None:
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return f"`{value}`"
        case list():
            return "a list"
    return str(value)


class Printed:
    """What cards of a kind print: the fields, and the schema they are to fit."""

    def __init__(self, fields: dict[str, FieldSym], wanted: dict[str, Any]) -> None:
        self.fields = fields
        self.wanted = wanted
        self.accepts = acceptor(wanted)

    @cached_property
    def validator(self) -> Draft202012Validator:
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self.wanted)


class CardCheck(Struct):
    """Checks cards one by one. What is made for a kind is made once: `kinds` holds it."""

    s: Symbols
    report: Report
    kinds: dict[tuple[str, bool], Printed]

    def printed(self, kind: str, whole: bool) -> Printed:
        found = self.kinds.get((kind, whole))
        if found is None:
            wanted = kind_schema(kind, self.s)
            found = Printed(fields_of(kind, self.s), wanted if whole else {**wanted, "required": []})
            self.kinds[kind, whole] = found
        return found

    def without_colon(self, said: tuple[n.CardLine, ...], fields: dict[str, FieldSym], source: Source) -> set[int]:
        """Tell of fields whose value stands behind them without a `:` (`rarity rare`). The lines that this explains."""
        explained: set[int] = set()
        for line, value in pairwise(said):
            if type(line) is not n.CardFlag or type(value) is not n.CardFlag or id(line) in explained:
                continue
            field, word = fields.get(line.name.text), value.name.text
            if field is None or field.flag or word in fields or not self.is_word(word, field.type):
                continue
            at, (start, end) = line.name.span[1], value.name.span
            several = isinstance(field.type, SetT | ListT)
            edits = [Edit(source, at, at, ":")]
            edits += [Edit(source, start, start, "["), Edit(source, end, end, "]")] if several else []
            help = f"write `{field.name}: {f'[{word}]' if several else word}`"
            fix = Fix(help, tuple(edits), safe=True)
            self.report.add("E304", source, line.name, f"field `{field.name}` has no `:`", help, fix=fix)
            explained |= {id(line), id(value)}
        return explained

    def is_word(self, word: str, t: Type) -> bool:
        """Whether a word may be a value of a field, or one of its values."""
        return word in self.words(t) or (isinstance(t, BoolT) and word in ("true", "false"))

    def card(self, sym: CardSym) -> dict[str, object] | None:
        """The printed fields given by the card, by name, as JSON values; None after a finding about its kind."""
        s, source, decl = self.s, sym.source, sym.decl
        if sym.kind not in s.kinds:
            help = near(sym.kind, s.kinds) or there_are(s.kinds)
            self.report.unknown("E101", source, decl.kind, sym.kind, f"no kind is called `{sym.kind}`", help)
            return None
        kind = s.kinds[sym.kind]
        if kind.children:
            self.report.add(
                "E305", source, decl.kind, f"kind `{kind.name}` is extended by others, so it has no cards of its own",
                f"use one of {listed(leaf.name for leaf in s.leaves(kind.name))}, or declare another: "
                f"`kind … : {kind.name} {{}}`",
                [(kind.source, kind.ident, "declared here")],
            )  # fmt: skip
            return None
        return self.lines(sym, decl.lines, decl.name, whole=True)

    def lines(self, sym: CardSym, said: tuple[n.CardLine, ...], at: n.Ident, whole: bool) -> dict[str, object]:
        """The printed fields that these lines give; a form (`whole` False) says only those that differ."""
        source, kind = sym.source, sym.kind
        printed = self.printed(kind, whole)
        fields = printed.fields
        lines: dict[str, n.CardLine] = {}
        given: dict[str, object] = {}
        told: set[str] = set()
        values = self.without_colon(said, fields, source)
        for line in said:
            name = line.name.text
            if values and id(line) in values:
                told.add(name)
                continue
            if type(line) is n.CardForm or not self.once(line, lines, source):
                continue
            lines[name] = line
            if type(line) is n.CardSlot:
                self.slot(line, kind, fields, source)
                continue
            assert type(line) is n.CardField or type(line) is n.CardFlag
            value = self.value(line, fields.get(name), kind, source)
            if value is not ...:
                given[name] = value
            elif type(line) is n.CardFlag:  # it has its finding, so that what follows is not the second one
                del lines[name]
                told.add(name)
        if not printed.accepts(given):
            spans = {name: line for name, line in lines.items() if isinstance(line, n.CardField | n.CardFlag)}
            for error in printed.validator.iter_errors(given):
                self.tell(error, at, spans, fields, source, told)
        return {k: v for k, v in given.items() if k in fields}

    def once(self, line: n.CardLine, lines: dict[str, n.CardLine], source: Source) -> bool:
        first = lines.get(line.name.text)
        if first is None or isinstance(line, n.CardForm):
            return True
        fix = None
        if isinstance(line, n.CardSlot):
            message, help = f"slot `{line.name.text}` is filled twice", "join the two blocks"
        else:
            word = "flag" if isinstance(line, n.CardFlag) else "field"
            message, help = f"{word} `{line.name.text}` is given twice", "remove one"
            if line == first:
                fix = Fix("remove the second", (removed(source, *line.span),), safe=True)
        labels = [(source, first.name, "first given here")]
        self.report.add("E302", source, line.name, message, help, labels, fix)
        return False

    def slot(self, line: n.CardSlot, kind: str, fields: dict[str, FieldSym], source: Source) -> None:
        name = line.name.text
        if self.s.slot(kind, name) is None:
            if name in fields:
                self.report.add("E304", source, line.name, f"`{name}` is a field, not a slot", f"write `{name}: …`")
            else:
                self.unknown(line.name, kind, source, "slot")

    def value(self, line: n.CardField | n.CardFlag, field: FieldSym | None, kind: str, source: Source) -> object:
        """The JSON value of a field or flag; `Ellipsis` after a finding."""
        name = line.name.text
        if field is None:
            if self.s.slot(kind, name) is not None:
                self.report.add(
                    "E304", source, line.name, f"`{name}` is a slot, not a field", f"write `{name} {{ … }}`"
                )
            elif self.s.state(kind, name) is not None:
                help = "a match sets it; declare a field to print something"
                self.report.add("E304", source, line.name, f"`{name}` is state, which is not printed", help)
            else:
                self.unknown(line.name, kind, source, "field or flag")
            return ...
        if type(line) is n.CardFlag:
            if not field.flag:
                self.report.add("E304", source, line.name, f"field `{name}` has no value", f"write `{name}: …`")
                return ...
            return True
        assert type(line) is n.CardField
        if field.flag:
            help = f"write `{name}`, or leave it out"
            fix = None
            if isinstance(line.value, n.Truth):
                plain = Edit(source, line.name.span[1], line.span[1], "")
                fix = Fix(f"write `{name}`", (plain,), safe=True)
                if not line.value.value:
                    fix = Fix("leave it out", (removed(source, *line.span),), safe=True)
            message = f"`{name}` is a flag, which has no value"
            self.report.add("E304", source, line, message, help, fix=fix)
            return ...
        value = constant(line.value)
        if type(line.value) is n.Text:
            self.text_field(line.value, field, source)
        elif value is ...:
            help = "write a number, a word, `true`, `none` or a list of words"
            self.report.add("E201", source, line.value, "a printed field is a constant", help)
        return value

    def text_field(self, text: n.Text, field: FieldSym, source: Source) -> None:
        """The finding of a text in place of a number or a word."""
        plain = text.value if isinstance(field.type, IntT) and text.value.isdecimal() else None
        if text.value in self.words(field.type):
            plain = text.value
        help = f"write `{plain}`, without quotation marks" if plain else "fields are numbers, words, `true` or `false`"
        fix = Fix(f"write `{plain}`", (Edit(source, *text.span, plain),), safe=True) if plain else None
        label = [(field.source, field.ident, f"`{field.name}` is {say(field.type, self.s)}")]
        message = f"this is a text, but {say(field.type, self.s)} is needed"
        self.report.add("E201", source, text, message, help, label, fix)

    def unknown(self, name: n.Ident, kind: str, source: Source, what: str) -> None:
        s = self.s
        known = [*fields_of(kind, s), *(x for k in s.chain(kind) for x in k.slots)]
        help = near(name.text, known) or (f"it has {listed(known)}" if known else None)
        message = f"kind `{kind}` has no {what} `{name.text}`"
        self.report.unknown("E304", source, name, name.text, message, help)

    def tell(
        self,
        error: ValidationError,
        card: n.Ident,
        lines: dict[str, n.CardField | n.CardFlag],
        fields: dict[str, FieldSym],
        source: Source,
        told: set[str],
    ) -> None:
        """One schema error as a finding at its field; those of `told` have theirs."""
        path = list(error.absolute_path)
        if error.validator == "required":
            missing = [f for name, f in fields.items() if f.default is None and name not in lines]
            # what is misspelt has its finding
            odd = [name for name in {**lines, **dict.fromkeys(told)} if name not in fields]
            missing = [f for f in missing if f.name not in self.report.broken | told and not near(f.name, odd)]
            if missing:
                self.missing(card, missing, source)
            return
        name = str(path[0])
        line, field = lines[name], fields[name]
        at: n.Node = line.value if isinstance(line, n.CardField) else line
        if len(path) > 1 and isinstance(at, n.ListLit) and isinstance(path[1], int):
            at = at.items[path[1]]
        label = [(field.source, field.ident, f"`{name}` is {say(field.type, self.s)}")]
        match error.validator:
            case "minimum" | "maximum":
                self.report.add(
                    "E303", source, at, f"{error.instance} is outside {say(field.type, self.s)}", None, label
                )
            case "uniqueItems":
                self.report.add(
                    "E302", source, at, f"`{name}` names a member twice", "remove one", label, _once(source, at)
                )
            case "enum" if str(error.instance) in self.report.broken:
                pass
            case "enum":
                members = [m for m in self.words(field.type)]
                help = near(str(error.instance), members) or f"the words are {listed(members)}"
                message = f"{said(error.instance)} is not one of the words of `{name}`"
                self.report.add("E306", source, at, message, help, label)
            case _:
                message = f"this is {said(error.instance)}, but {say(field.type, self.s)} is needed"
                brackets = isinstance(field.type, SetT | ListT) and isinstance(error.instance, str) and len(path) == 1
                advice = f"write `{name}: [{error.instance}]`" if brackets else None
                fix = None
                if advice is not None:
                    edits = Edit(source, at.span[0], at.span[0], "["), Edit(source, at.span[1], at.span[1], "]")
                    fix = Fix(advice, edits, safe=True)
                self.report.add("E201", source, at, message, advice, label, fix)

    def missing(self, card: n.Ident, missing: list[FieldSym], source: Source) -> None:
        """One finding for all fields that a card must have and has not."""
        names = " and no ".join(f"`{f.name}`" for f in missing)
        help = "add " + " and ".join(f"`{f.name}: …` ({say(f.type, self.s)})" for f in missing)
        none = next((f for f in missing if isinstance(f.type, OptT)), None)
        if none is not None:
            help += f"; where most have none, let the kind say so: `{none.name}: … = none`"
        labels = [(f.source, f.ident, "the kind asks for it here") for f in missing]
        self.report.add("E301", source, card, f"card `{card.text}` has no {names}", help, labels)

    def words(self, t: Type) -> list[str]:
        inner = getattr(t, "item", None)
        if inner is not None:
            return self.words(inner)
        return list(self.s.enums[t.name].members) if isinstance(t, EnumT) and t.name in self.s.enums else []


def _once(source: Source, items: n.Node) -> Fix | None:
    """Take away the words of a list that stand there already."""
    if not isinstance(items, n.ListLit):
        return None
    seen: set[n.Expr] = set()
    edits = []
    for before, item in zip(items.items, items.items[1:], strict=False):
        seen.add(before)
        if item in seen:
            edits.append(Edit(source, before.span[1], item.span[1], ""))
    return Fix("name each once", tuple(edits), safe=True)


def printable(t: Type) -> bool:
    if isinstance(t, OptT | ListT):
        return printable(t.item)
    return isinstance(t, (*PRINTABLE, ErrorT))


def check_field_types(s: Symbols, report: Report) -> None:
    """Printed fields hold what can be printed."""
    for k in s.kinds.values():
        for f in k.fields.values():
            if not printable(f.type):
                help = "numbers, bools, members of enums and sets can be printed; `state` is what a match changes"
                report.add("E201", f.source, f.ident, f"a printed field cannot be {say(f.type, s)}", help)
