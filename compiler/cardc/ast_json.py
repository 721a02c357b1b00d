"""The AST as JSON, and back: `.card.json` files, which anything can write that is not a text editor.

Assumes nothing of what it reads. A declaration that comes out obeys the schema, the limits of `cardc.parse` and the
forms of the grammar, so that no later pass can tell it from one that was read from text.
`python -m cardc.ast_json` writes `ast.schema.json` next to the grammar.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from card_grammar.tables import TABLES_PATH

from cardc import ast_form, json_text, nesting
from cardc import nodes as n
from cardc.ast_schema import make_schema, node_classes, shape
from cardc.findings import Finding
from cardc.json_text import Array, Object, Place
from cardc.literals import Refusal
from cardc.source import Source

if TYPE_CHECKING:
    from jsonschema import ValidationError

FORMAT = 1
SCHEMA_PATH = os.path.join(os.path.dirname(TABLES_PATH), "ast.schema.json")
MOST_FINDINGS = 50
_LONGEST_POINTER = 80


# ---- Out


def to_json(decls: Sequence[n.Decl], source: Source) -> dict[str, Any]:
    """The JSON value of the declarations of a file. It may nest deeply: `json_text.write` writes it whatever it is."""
    return {"format": FORMAT, "file": source.path, "declarations": [_node_to_json(decl) for decl in decls]}


def _node_to_json(root: n.Node) -> dict[str, Any]:
    made: dict[int, dict[str, Any]] = {}
    for node in reversed(nesting.walk(root)):
        value: dict[str, Any] = {"node": type(node).__name__}
        for field in shape(type(node)):
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


def read_json(source: Source) -> tuple[list[n.Decl], list[Finding]]:
    """The declarations of a `.card.json` file. Their spans are where they stand in it, so that findings can show it."""
    return _Reader(source, own_spans=True).read()


class _Reader:
    def __init__(self, source: Source, own_spans: bool) -> None:
        self.source = source
        self.own_spans = own_spans
        self.findings: list[Finding] = []
        self.places: dict[int, Place] = {}
        self.broken: set[int] = set()

    def read(self) -> tuple[list[n.Decl], list[Finding]]:
        try:
            value, place = json_text.read(self.source.text)
        except Refusal as refusal:
            self.find(refusal.code, refusal.start, refusal.end, refusal.message, refusal.help)
            return [], self.findings
        self.places = dict(_places(value, place))
        self.validate(value, place)
        decls: list[n.Decl] = []
        if isinstance(value, dict) and isinstance(value.get("declarations"), list):
            for i, item in enumerate(value["declarations"]):
                if i not in self.broken and (decl := self.declaration(item)) is not None:
                    decls.append(decl)
        return decls, sorted(self.findings, key=Finding.key)

    def find(self, code: str, start: int, end: int, message: str, help: str | None = None) -> None:
        self.findings.append(Finding(code, self.source, start, end, message, help))

    def refuse(self, place: Place, phrase: str, help: str | None = None) -> None:
        """An E008 at a place; the declaration that it belongs to is broken."""
        self.broken.update(place.path()[1:2] or range(_MANY))  # type: ignore[arg-type]
        self.find("E008", place.start, place.end, f"{phrase}, at `{_shown(place.pointer())}`", help)
'''+'''

def _places(value: Any, place: Place) -> Iterator[tuple[int, Place]]:
    """The place of each object and array, by `id`."""
    work = [(value, place)]
    while work:
        value, place = work.pop()
        if isinstance(value, Object | Array):
            yield id(value), place
            items = value.items() if isinstance(value, Object) else enumerate(value)
            work.extend((item, place.items[key]) for key, item in items)


def _shown(pointer: str) -> str:
    return pointer if len(pointer) <= _LONGEST_POINTER else "…" + pointer[-_LONGEST_POINTER:]
'''
)
