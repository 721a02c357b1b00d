"""Tells in one go that what a card prints is as the JSON Schema of its kind has it.

It is made from that very schema, and only ever says yes: what it does not accept is left to `jsonschema`, which says
what is wrong, or that nothing is. So most cards need no validator, which takes twenty times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Test: TypeAlias = Callable[[Any], bool]

_KNOWN = frozenset({"type", "minimum", "maximum", "enum", "items", "uniqueItems", "description"})


def acceptor(schema: Mapping[str, Any]) -> Test:
    """Whether printed fields are surely as this schema of an object wants them."""
    tests = {name: _of_value(wanted) for name, wanted in schema["properties"].items()}
    required = frozenset(schema["required"])

    def accepts(given: Any) -> bool:
        if not required <= given.keys():
            return False
        for name, value in given.items():
            test = tests.get(name)
            if test is None or not test(value):
                return False
        return True

    return accepts


def _never(value: Any) -> bool:
    return False


def _of_value(schema: Mapping[str, Any]) -> Test:
    if not schema.keys() <= _KNOWN:
        return _never
    if "enum" in schema:
        words = frozenset(x for x in schema["enum"] if x is None or isinstance(x, str))
        return lambda value: (value is None or type(value) is str) and value in words
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return _or_none(schema, kinds)
    match kinds:
        case "integer":
            low, high = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
            return lambda value: type(value) is int and low <= value <= high
        case "boolean":
            return lambda value: type(value) is bool
        case "array":
            return _of_array(_of_value(schema["items"]), bool(schema.get("uniqueItems")))
    return _never


def _or_none(schema: Mapping[str, Any], kinds: list[str]) -> Test:
    others = [kind for kind in kinds if kind != "null"]
    if len(others) != 1:
        return _never
    inner = _of_value({**schema, "type": others[0]})
    return lambda value: inner(value) or (value is None and "null" in kinds)


def _of_array(item: Test, unique: bool) -> Test:
    def accepts(value: Any) -> bool:
        if type(value) is not list or not all(map(item, value)):
            return False
        return not unique or (all(type(x) is str for x in value) and len(set(value)) == len(value))

    return accepts
