"""The shape of the AST, read off the nodes of `cardc.nodes`, and its JSON Schema (2020-12)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from card_grammar.tables import load_tables
from msgspec import structs

from cardc import nodes as n
from cardc.literals import MAX_DIGITS

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"
_MAX_INTEGER = 10**MAX_DIGITS - 1

_VALUES = ("=", "+=", "-=", "*=")
_WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("Unary", "op"): ("-", "not"),
    ("Binary", "op"): (
        "+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "and", "or", "has", "meets", "sees",
    ),
    ("Assign", "op"): _VALUES,
    ("Modifier", "op"): _VALUES,
    ("Finish", "kind"): ("win", "lose", "tie"),
    ("ExpectEnd", "kind"): ("win", "lose", "tie", "no"),
    ("SlotDecl", "nature"): ("static", "effect"),
    ("PlaceSpec", "sight"): ("all", "top", "owner", "nobody"),
    ("WhenPart", "part"): ("setup", "flow"),
    ("Field", "marks"): ("score", "input", "owner sees", "high is better", "low is better"),
}  # fmt: skip
"""The texts that a field may hold, where they are few: what the builders of `cardc.build` put there."""

_TEXTS = {
    ("Name", "id"): "bare name",
    ("Text", "value"): "string",
    ("TestDecl", "covers"): "rule",
    ("GivenChance", "name"): "chance",
}
"""What other texts must look like, by name of a pattern; other `Ident`s are names."""


class FieldShape(NamedTuple):
    """A field of a node: what it holds (`node`, `text`, `integer` or `truth`), whether as a list, and if it may lack.

    `nodes` are the classes of the nodes it may hold, `union` the name these have together."""

    name: str
    holds: Literal["node", "text", "integer", "truth"]
    many: bool
    nullable: bool
    optional: bool
    nodes: tuple[type[n.Node], ...]
    union: str


@cache
def node_classes() -> dict[str, type[n.Node]]:
    """All kinds of node by name, in the order in which they are declared."""
    found = (value for value in vars(n).values() if isinstance(value, type) and issubclass(value, n.Node))
    return {cls.__name__: cls for cls in found if cls is not n.Node}


@cache
def unions() -> dict[str, tuple[type[n.Node], ...]]:
    """The named unions of nodes (`Expr`, `Item`, …), nested ones made flat."""
    found = {name: get_args(value) for name, value in vars(n).items() if isinstance(value, UnionType)}
    return {name: members for name, members in found.items() if all(m in node_classes().values() for m in members)}


@cache
def shapes() -> dict[str, tuple[FieldShape, ...]]:
    """The fields of each kind of node, without its span."""
    return {name: tuple(_fields(cls)) for name, cls in node_classes().items()}


def _fields(cls: type[n.Node]) -> Iterator[FieldShape]:
    hints = get_type_hints(cls)
    for field in structs.fields(cls):
        if field.name != "span":
            yield _field(field.name, hints[field.name], optional=not field.required)


def _field(name: str, hint: Any, optional: bool) -> FieldShape:
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    nullable = NoneType in members
    members = tuple(m for m in members if m is not NoneType)
    many = get_origin(members[0]) is tuple
    if many:
        item = get_args(members[0])[0]
        members = get_args(item) if get_origin(item) in (Union, UnionType) else (item,)
    simple: dict[Any, Literal["text", "integer", "truth"]] = {str: "text", int: "integer", bool: "truth"}
    if len(members) == 1 and members[0] in simple:
        return FieldShape(name, simple[members[0]], many, nullable, optional, (), "")
    if not all(isinstance(m, type) and issubclass(m, n.Node) for m in members):
        raise TypeError(f"field `{name}` has a type that JSON cannot hold: {hint}")
    union = members[0].__name__ if len(members) == 1 else "Or".join(m.__name__ for m in members)
    for known, those in unions().items():
        if set(those) == set(members):
            union = known
    return FieldShape(name, "node", many, nullable, optional, members, union)


# ---- The schema


def patterns() -> dict[str, str]:
    """The regular expressions of what names and strings may say; they hold for the whole text."""
    from cardc.misparse import expression_words

    tables = load_tables()
    found = {t.name: t.text for t in tables.terminals if t.kind == "pattern"}
    name, number, rule = found["NAME"], found["INT"], found["RULE"]
    words = "|".join(sorted(expression_words(tables)))
    end = r"(?![\s\S])"  # `$` would let a line end follow
    return {
        "name": f"^{name}{end}",
        "bare name": f"^(?!(?:{words}){end}){name}{end}",
        "rule": f"^{rule}{end}",
        "chance": f"^{name} {name}(?: {number})?{end}",
        "string": rf"^[^\x00-\x08\x0b\x0d-\x1f\x7f-\x9f]*{end}",
    }


def make_schema() -> dict[str, Any]:
    """Make the JSON Schema of a `.card.json` file. Unions are told apart by `node`, so errors land on the field."""
    definitions: dict[str, Any] = {name: _definition(name) for name in node_classes()}
    for fields in shapes().values():
        for field in fields:
            if len(field.nodes) > 1:
                definitions.setdefault(field.union, _union(field.nodes))
    definitions["Decl"] = _union(unions()["Decl"])
    offset = {"type": "integer", "minimum": 0, "maximum": _MAX_INTEGER}
    definitions["Span"] = {
        "description": "From the first character to behind the last, counted from 0 in the file it was read from.",
        "type": "array",
        "items": offset,
        "minItems": 2,
        "maxItems": 2,
    }
    return {
        "$schema": SCHEMA_ID,
        "title": "The AST of .card files",
        "description": "A .card.json file. Anything that can write it can feed the compiler.",
        "type": "object",
        "properties": {
            "$schema": {"type": "string"},
            "format": {"const": 1},
            "file": {"type": "string"},
            "declarations": {"type": "array", "items": {"$ref": "#/$defs/Decl"}},
        },
        "required": ["format", "declarations"],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }


def _definition(name: str) -> dict[str, Any]:
    properties: dict[str, Any] = {"node": {"const": name}}
    for field in shapes()[name]:
        properties[field.name] = _property(name, field)
    properties["span"] = {"$ref": "#/$defs/Span"}
    about = (node_classes()[name].__doc__ or "").strip()
    return {
        **({} if about.startswith(f"{name}(") or not about else {"description": " ".join(about.split())}),
        "type": "object",
        "properties": properties,
        "required": ["node", *(field.name for field in shapes()[name] if not field.optional)],
        "additionalProperties": False,
    }


def _property(owner: str, field: FieldShape) -> dict[str, Any]:
    words = _WORDS.get((owner, field.name))
    value: dict[str, Any]
    if field.holds == "node":
        value = {"$ref": f"#/$defs/{field.union}"}
        if words:
            value |= {"properties": {"text": {"enum": list(words)}}}
        elif field.nodes == (n.Ident,):
            value |= {"properties": {"text": {"pattern": patterns()[_TEXTS.get((owner, field.name), "name")]}}}
    elif words:
        value = {"enum": list(words)}
    elif field.holds == "integer":
        low = -_MAX_INTEGER if field.name == "priority" else 0
        value = {"type": "integer", "minimum": low, "maximum": _MAX_INTEGER}
    elif field.holds == "truth":
        value = {"type": "boolean"}
    else:
        value = {"type": "string"}
        if (owner, field.name) in _TEXTS:
            value["pattern"] = patterns()[_TEXTS[owner, field.name]]
    if field.many:
        value = {"type": "array", "items": value}
    if field.nullable:
        value = {"if": {"not": {"type": "null"}}, "then": value}
    return value


def _union(classes: tuple[type[n.Node], ...]) -> dict[str, Any]:
    names = [cls.__name__ for cls in classes]
    return {
        "type": "object",
        "properties": {"node": {"enum": names}},
        "required": ["node"],
        "allOf": [
            {"if": {"properties": {"node": {"const": name}}, "required": ["node"]}, "then": {"$ref": f"#/$defs/{name}"}}
            for name in names
        ],
    }
