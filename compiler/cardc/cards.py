"""Checks the printed part of cards against the JSON Schema of their kind.

Assumes collected symbols. Establishes: every card has each field of its kind exactly once or by default, in its range; slots it fills
exist. Each schema error is told at the field's span, in the words of the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardc import nodes as n
from cardc.report import Report, near
from cardc.source import Source
from cardc.symbols import CardSym, FieldSym, Symbols
from cardc.types import BoolT, EnumT, ErrorT, IntT, ListT, OptT, SetT, Type, show

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

PRINTABLE = (IntT, BoolT, EnumT, SetT)


def fields_of(kind: str, s: Symbols) -> dict[str, FieldSym]:
    """The printed fields of a kind, base kinds first."""
    out: dict[str, FieldSym] = {}
    for k in reversed(list(s.chain(kind))):
        out.update(k.fields)
    return out


def type_schema(t: Type, s: Symbols) -> dict[str, Any]:
    match t:
        case IntT(low, high):
            out: dict[str, Any] = {"type": "integer"}
            low = s.option_bound(low, False) if isinstance(low, str) else low
            high = s.option_bound(high, True) if isinstance(high, str) else high
            if low is not None:
                out["minimum"] = low
            if high is not None:
                out["maximum"] = high
            return out
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
            return {**inner, "type": [inner["type"], "null"]}
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


@dataclass(slots=True)
class CardCheck:
    """Checks cards one by one; a validator a kind is built once."""

    s: Symbols
    report: Report
    validators: dict[str, Draft202012Validator]

    def validator(self, kind: str, whole: bool) -> Draft202012Validator:
        key = kind if whole else f"{kind}·"
        if key not in self.validators:
            from jsonschema import Draft202012Validator

            wanted = kind_schema(kind, self.s)
            self.validators[key] = Draft202012Validator(wanted if whole else {**wanted, "required": []})
        return self.validators[key]

    def constant(self, e: n.Expr) -> object:
        """The JSON value of a printed field; None with `...` is kept apart: an expression that is no constant gives `Ellipsis`."""
        match e:
            case n.Number(value) | n.Truth(value):
                return value
            case n.Nothing():
                return None
            case n.Name(id):
                return id
            case n.Unary("-", n.Number(value)):
                return -value
            case n.ListLit(items):
                values = [self.constant(i) for i in items]
                return ... if ... in values else values
        return ...

    def card(self, sym: CardSym) -> dict[str, object] | None:
        """The printed fields given by the card, by name, as JSON values; None after a finding about its kind."""
        s, source, decl = self.s, sym.source, sym.decl
        if sym.kind not in s.kinds:
            self.report.add("E101", source, decl.kind, f"no kind is called `{sym.kind}`", near(sym.kind, s.kinds))
            return None
        kind = s.kinds[sym.kind]
        if kind.children:
            self.report.add(
                "E305", source, decl.kind, f"kind `{kind.name}` is extended by others, so it has no cards of its own",
                "use one of " + ", ".join(f"`{leaf.name}`" for leaf in s.leaves(kind.name)),
                [(kind.source, kind.ident, "declared here")],
            )
            return None
        return self.lines(sym, decl.lines, decl.name, whole=True)

    def lines(self, sym: CardSym, lines: tuple[n.CardLine, ...], at: n.Ident, whole: bool) -> dict[str, object]:
        """The printed fields that these lines give; of a form (`whole` False) only those that differ are said."""
        s, source, kind = self.s, sym.source, self.s.kinds[sym.kind]
        fields = fields_of(kind.name, s)
        given: dict[str, object] = {}
        spans: dict[str, n.Node] = {}
        for line in lines:
            if isinstance(line, n.CardForm):
                continue
            if isinstance(line, n.CardSlot):
                if s.slot(kind.name, line.name.text) is None:
                    self.unknown(line.name, kind.name, source, "slot")
                continue
            name = line.name.text
            if name in spans:
                self.report.add("E302", source, line.name, f"field `{name}` is given twice", "remove one", [(source, spans[name], "first given here")])
                continue
            spans[name] = line
            if isinstance(line, n.CardFlag):
                found = fields.get(name)
                if found is not None and not found.flag:
                    self.report.add("E304", source, line.name, f"field `{name}` has no value", f"write `{name}: …`")
                    continue
                given[name] = True
                continue
            value = self.constant(line.value)
            if value is ...:
                self.report.add("E201", source, line.value, "a printed field is a constant", "write a number, a word, `true`, `none` or a list of words")
                continue
            given[name] = value
        self.twice(lines, source)
        wrong = {f for f in given if f not in fields}
        for error in self.validator(kind.name, whole).iter_errors({k: v for k, v in given.items() if v is not ...}):
            self.tell(error, at, spans, fields, kind.name, source)
        return {k: v for k, v in given.items() if k not in wrong}

    def twice(self, lines: tuple[n.CardLine, ...], source: Source) -> None:
        seen: dict[str, n.Node] = {}
        for line in lines:
            if isinstance(line, n.CardSlot):
                if line.name.text in seen:
                    self.report.add("E302", source, line.name, f"slot `{line.name.text}` is filled twice", "join the two blocks", [(source, seen[line.name.text], "first filled here")])
                seen.setdefault(line.name.text, line.name)

    def unknown(self, name: n.Ident, kind: str, source: Source, what: str) -> None:
        s = self.s
        known: Iterable[str] = [*fields_of(kind, s), *(x for k in s.chain(kind) for x in k.slots)]
        help = near(name.text, known) or "it has " + ", ".join(f"`{k}`" for k in list(known)[:8])
        self.report.add("E304", source, name, f"kind `{kind}` has no {what} `{name.text}`", help)

    def tell(
        self, error: ValidationError, card: n.Ident, spans: dict[str, n.Node], fields: dict[str, FieldSym], kind: str, source: Source
    ) -> None:
        """One schema error as a finding at its field."""
        path = list(error.absolute_path)
        if error.validator == "required":
            for name in fields:
                if fields[name].default is None and name not in spans:
                    field = fields[name]
                    self.report.add(
                        "E301", source, card, f"card `{card.text}` has no `{name}`", f"add `{name}: …` ({show(field.type)})",
                        [(field.source, field.ident, "the kind asks for it here")],
                    )
            return
        if error.validator == "additionalProperties":
            for name, node in spans.items():
                if name not in fields and isinstance(node, n.CardField | n.CardFlag):
                    self.unknown(node.name, kind, source, "field or flag")
            return
        name = str(path[0])
        node = spans[name]
        t = fields[name].type
        at: n.Node = node.value if isinstance(node, n.CardField) else node
        if len(path) > 1 and isinstance(at, n.ListLit) and isinstance(path[1], int):
            at = at.items[path[1]]
        field = fields[name]
        label = [(field.source, field.ident, f"`{name}` is {show(t)}")]
        match error.validator:
            case "minimum" | "maximum":
                self.report.add("E303", source, at, f"{error.instance} is outside {show(t)}", None, label)
            case "uniqueItems":
                self.report.add("E302", source, at, f"`{name}` names a member twice", "remove one", label)
            case "enum":
                members = [str(m) for m in error.validator_value if m is not None]
                said = f"`{error.instance}`" if isinstance(error.instance, str) else str(error.instance)
                self.report.add("E306", source, at, f"{said} is not one of the words of `{name}`", near(str(error.instance), members) or "the words are " + ", ".join(f"`{m}`" for m in members[:8]), label)
            case _:
                said = f"`{error.instance}`" if isinstance(error.instance, str) else "none" if error.instance is None else str(error.instance).lower()
                self.report.add("E201", source, at, f"this is {said}, but {show(t)} is needed", None, label)


def check_field_types(s: Symbols, report: Report) -> None:
    """Printed fields hold what can be printed."""
    for k in s.kinds.values():
        for f in k.fields.values():
            t = f.type.item if isinstance(f.type, OptT | ListT) else f.type
            if not isinstance(t, (*PRINTABLE, ErrorT)):
                report.add("E201", f.source, f.ident, f"a printed field cannot be {show(f.type)}", "numbers, bools, members of enums and sets can be printed; use `state` for what a match changes")
