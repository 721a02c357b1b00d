"""The AST as JSON, and back: `.card.json` files, which anything can write that is not a text editor.

Assumes nothing of what it reads. A declaration that comes out obeys the schema, the limits of `cardc.parse` and the
forms of the grammar, so that no later pass can tell it from one that was read from text.
`python -m cardc.ast_json` writes `ast.schema.json` next to the grammar.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from card_grammar.tables import TABLES_PATH

from cardc import ast_form, json_text, nesting
from cardc import nodes as n
from cardc.ast_schema import make_schema, node_classes, patterns, shapes
from cardc.findings import Finding
from cardc.json_text import Array, Object, Place
from cardc.literals import Refusal
from cardc.source import Source

if TYPE_CHECKING:
    from jsonschema import ValidationError

FORMAT = 1
SCHEMA_PATH = os.path.join(os.path.dirname(TABLES_PATH), "ast.schema.json")
MOST_FINDINGS = 50
_MOST_WORDS = 6
_LONGEST = 80


# ---- Out


def to_json(decls: Sequence[n.Decl], source: Source) -> dict[str, Any]:
    """The JSON value of the declarations of a file. It may nest deeply: `json_text.write` writes it whatever it is."""
    return {"format": FORMAT, "file": source.path, "declarations": [_node_to_json(decl) for decl in decls]}


def _node_to_json(root: n.Node) -> dict[str, Any]:
    made: dict[int, dict[str, Any]] = {}
    for node in reversed(nesting.walk(root)):
        value: dict[str, Any] = {"node": type(node).__name__}
        for field in shapes()[type(node).__name__]:
            content = getattr(node, field.name)
            if field.holds == "node" and field.many:
                content = [made[id(child)] for child in content]
            elif field.holds == "node" and content is not None:
                content = made[id(content)]
            value[field.name] = content
        value["span"] = list(node.span)
        made[id(node)] = value
    return made[id(root)]


# ---- In


def from_json(value: Any, path: str) -> tuple[list[n.Decl], list[Finding]]:
    """The declarations of a JSON value, spans as it gives them. `path` is shown in findings, which refer to the value
    as `json_text.write` writes it."""
    return _Reader(Source(path, json_text.write(value)), own_spans=False).read()


def parse_json(source: Source) -> tuple[list[n.Decl], list[Finding]]:
    """The declarations of a `.card.json` file. Their spans are where they stand in it, so that findings can show it."""
    return _Reader(source, own_spans=True).read()


class _Reader:
    def __init__(self, source: Source, own_spans: bool) -> None:
        self.source = source
        self.own_spans = own_spans
        self.findings: list[Finding] = []
        self.places: dict[int, Place] = {}
        self.broken: set[int] = set()
        self.hopeless = False

    def read(self) -> tuple[list[n.Decl], list[Finding]]:
        try:
            value, place = json_text.read(self.source.text)
        except Refusal as refusal:
            return [], [self.finding(refusal)]
        self.places = dict(_places(value, place))
        self.validate(value, place)
        decls: list[n.Decl] = []
        if not self.hopeless:
            for i, item in enumerate(value["declarations"]):
                decl = None if i in self.broken else self.declaration(item)
                if decl is not None:
                    decls.append(decl)
        return decls, sorted(self.findings, key=Finding.key)

    def finding(self, refusal: Refusal) -> Finding:
        return Finding(refusal.code, self.source, refusal.start, refusal.end, refusal.message, refusal.help)

    def refuse(self, place: Place, phrase: str, help: str | None = None) -> None:
        """An E008 at a place; the declaration that it belongs to is broken."""
        match place.path():
            case ["declarations", int(i), *_]:
                self.broken.add(i)
            case _:
                self.hopeless = True
        pointer = _shortened(place.pointer())
        message = f"{phrase}, at `{pointer}`" if pointer else f"{phrase}, at the root"
        self.findings.append(Finding("E008", self.source, place.start, place.end, message, help))

    def validate(self, value: Any, place: Place) -> None:
        """Hold a value against the schema, object by object: nothing is too deep for it."""
        from jsonschema import Draft202012Validator, validators

        schema = _schema()
        definitions = schema["$defs"]
        work: list[tuple[Any, Any, Place]] = [(value, schema, place)]

        def ref(validator: Any, name: str, instance: Any, _: Any) -> Iterator[ValidationError]:
            target = definitions[name.rpartition("/")[2]]
            if isinstance(instance, Object | Array):
                work.append((instance, target, self.places[id(instance)]))
            else:
                yield from validator.descend(instance, target)

        def all_of(validator: Any, cases: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
            # Every `allOf` of the schema tells nodes apart by `node`: only one case can apply.
            case = _cases()[id(cases)].get(_kind(instance))
            if case is not None:
                yield from validator.descend(instance, case)

        validator_class: Any = validators.extend(Draft202012Validator, {"$ref": ref, "allOf": all_of})  # type: ignore[no-untyped-call]
        known: dict[int, Any] = {}
        while work and len(self.findings) < MOST_FINDINGS:
            instance, part, place = work.pop()
            validator = known.get(id(part))
            if validator is None:
                validator = known[id(part)] = validator_class(part)
            errors: dict[tuple[str | int, ...], ValidationError] = {}
            for error in validator.iter_errors(instance):
                errors.setdefault((*error.absolute_path, str(error.validator)), error)
            for error in errors.values():
                self.schema_error(error, place)
        self.hopeless = self.hopeless or bool(work)

    def schema_error(self, error: ValidationError, place: Place) -> None:
        for key in error.absolute_path:
            place = place.items[key]
        if error.validator == "additionalProperties":
            known = error.schema["properties"] if isinstance(error.schema, Mapping) else {}
            for key in [key for key in place.items if key not in known][:3]:
                self.refuse(place.items[key], f"`{_shortened(str(key))}` is no field of {_whose(error.instance)}")
        else:
            self.refuse(place, *_phrase(error))

    def declaration(self, item: Object) -> n.Decl | None:
        """A declaration of a value that follows the schema."""
        try:
            decl = self.build(item, own_spans=True)
            if decl is not None:
                nesting.check_expressions(decl, {})
                nesting.check_blocks(decl)
        except Refusal as refusal:
            self.findings.append(self.finding(refusal))
            return None
        if decl is not None and not self.own_spans:
            decl = self.build(item, own_spans=False)
        made: n.Decl | None = decl  # type: ignore[assignment]
        return made

    def build(self, root: Object, own_spans: bool) -> n.Node | None:
        """The node of an object and of all that it holds; None, and a finding, if one has a form that no text has."""
        objects = [root]
        for value in objects:  # grows as it is walked
            for field in shapes()[value["node"]]:
                content: Any = value.get(field.name)
                if field.holds == "node" and field.many and content is not None:
                    objects.extend(content)
                elif field.holds == "node" and content is not None:
                    objects.append(content)
        made: dict[int, n.Node] = {}
        for value in reversed(objects):
            place = self.places[id(value)]
            fields: dict[str, Any] = {}
            for field in shapes()[value["node"]]:
                content = value.get(field.name)
                if field.holds == "node" and field.many:
                    fields[field.name] = tuple(made[id(child)] for child in content)
                elif field.holds == "node" and content is not None:
                    fields[field.name] = made[id(content)]
                elif field.name in value:
                    fields[field.name] = content
            span = (place.start, place.end) if own_spans else tuple(value.get("span", (0, 0)))
            node = made[id(value)] = node_classes()[value["node"]](**fields, span=span)
            fault = ast_form.fault(node)
            if fault is not None:
                self.refuse(place.items.get(fault[0], place), fault[1])
                return None
        return made[id(root)]


@cache
def _schema() -> dict[str, Any]:
    with open(SCHEMA_PATH, encoding="utf-8") as file:
        schema: dict[str, Any] = json.load(file)
    return schema


@cache
def _cases() -> dict[int, dict[str, Any]]:
    """The cases of each `allOf` of the schema, by its `id`: what holds for each kind of node."""
    unions = [part["allOf"] for part in _schema()["$defs"].values() if "allOf" in part]
    return {
        id(cases): {case["if"]["properties"]["node"]["const"]: case["then"] for case in cases} for cases in unions
    }  # fmt: skip


def _kind(instance: Any) -> str:
    kind = instance.get("node") if isinstance(instance, Object) else None
    return kind if isinstance(kind, str) else ""


# ---- Words for findings


_TYPES = {"object": "an object", "array": "a list", "string": "a string", "integer": "a whole number",
          "boolean": "`true` or `false`", "null": "`null`"}  # fmt: skip
_PATTERNS = {"name": "a name", "bare name": "a name of something", "rule": "a rule such as `V-9`",
             "chance": "the name of a chance, such as `shuffle pile`"}  # fmt: skip


def _phrase(error: ValidationError) -> tuple[str, str | None]:
    """What a schema error says, and a help."""
    instance, wanted = cast(Any, error.instance), cast(Any, error.validator_value)
    match error.validator:
        case "required":
            missing = [f"`{key}`" for key in wanted if key not in instance]
            return f"{_listed(missing)} {'is' if len(missing) == 1 else 'are'} missing in {_whose(instance)}", None
        case "enum" if error.absolute_path and error.absolute_path[-1] == "node":
            return f"{_value(instance)} may not stand here", f"expected {_listed([f'`{w}`' for w in wanted], 'or')}"
        case "enum":
            words = _listed([f"`{word}`" for word in wanted], "or")
            return f"{_value(instance)} is none of the words for it", f"expected {words}"
        case "const":
            return f"{_value(instance)} stands where `{wanted}` is needed", None
        case "type":
            return f"{_value(instance)} stands where {_TYPES.get(str(wanted), str(wanted))} is needed", None
        case "pattern":
            kinds = [_PATTERNS.get(name) for name, regex in patterns().items() if regex == wanted]
            kind = next(filter(None, kinds), None)
            phrase = f"is not {kind}" if kind else "holds a character that is not allowed in a string"
            return f"{_value(instance)} {phrase}", None
        case "minimum" | "maximum":
            return f"{instance} is too {'small' if error.validator == 'minimum' else 'large'}", None
        case "minItems" | "maxItems":
            return f"a list of {len(instance)} stands where a list of {wanted} is needed", None
        case _:
            return _shortened(error.message), None


def _whose(instance: Any) -> str:
    return f"`{_shortened(_kind(instance))}`" if _kind(instance) else "the object"


def _value(instance: Any) -> str:
    match instance:
        case Object() | Array():
            return repr(instance)
        case str():
            return f"`{_shortened(instance)}`" if instance.isprintable() else "the string"
        case _:
            return f"`{json.dumps(instance)}`"


def _listed(words: list[str], last: str = "and") -> str:
    if len(words) > _MOST_WORDS:
        words = [*words[: _MOST_WORDS - 1], "others"]
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _places(value: Any, place: Place) -> Iterator[tuple[int, Place]]:
    """The place of each object and array, by `id`."""
    work = [(value, place)]
    while work:
        value, place = work.pop()
        if isinstance(value, Object | Array):
            yield id(value), place
            items = value.items() if isinstance(value, Object) else enumerate(value)
            work.extend((item, place.items[key]) for key, item in items)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else "…" + text[-_LONGEST:]


def main() -> int:
    """Write `ast.schema.json`."""
    with open(SCHEMA_PATH, "w", encoding="utf-8", newline="\n") as file:
        file.write(json_text.write(make_schema()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
