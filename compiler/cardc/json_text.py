"""JSON text whose values know where they stand; read and written with loops, so that nothing is too deep.

Reading is stricter than JSON: numbers are whole, keys are given once, and strings hold no half characters.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cardc.literals import MAX_DIGITS, Refusal, character_name

_TOKEN = re.compile(
    r"[ \t\n\r]*"
    r'(?:([\[\]{}:,])|("(?:[^"\\\x00-\x1f]|\\.)*")|(-?[0-9]+)(?![0-9.eE])|([A-Za-z]+)|(-?[0-9][0-9.eE+-]*))'
)
_BLANKS = re.compile(r"[ \t\n\r]*")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"-?0[0-9]")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_MISSING = object()
_EXPECTED = {
    "value": "a value",
    "value or ]": "a value or `]`",
    "key": "a key",
    "key or }": "a key or `}`",
    ":": "`:`",
    ", or end": "`,` or the end of the list or object",
    "nothing": "the end of the text",
}
_MOST_INDENT = 40


class Object(dict[str, Any]):
    """A JSON object. Its `repr` is short, however deep it is: a validator may put it into a message."""

    def __repr__(self) -> str:
        return "an object"


class Array(list[Any]):
    """A JSON array, with a short `repr`."""

    def __repr__(self) -> str:
        return "a list"


class Place:
    """Where a value stands: its offsets, what it stands in and as what, and the places of what it holds."""

    __slots__ = ("end", "items", "key", "parent", "start")

    def __init__(self, start: int, parent: Place | None, key: str | int) -> None:
        self.start = self.end = start
        self.parent = parent
        self.key = key
        self.items: dict[str | int, Place] = {}

    def pointer(self) -> str:
        """The JSON pointer (RFC 6901) of the value."""
        keys: list[str] = []
        place = self
        while place.parent is not None:
            keys.append(str(place.key).replace("~", "~0").replace("/", "~1"))
            place = place.parent
        return "".join("/" + key for key in reversed(keys))

    def path(self) -> list[str | int]:
        """The keys and indices that lead from the whole to the value."""
        keys: list[str | int] = []
        place = self
        while place.parent is not None:
            keys.append(place.key)
            place = place.parent
        return keys[::-1]


def read(text: str, *, floats: bool = False) -> tuple[Any, Place]:
    """Read JSON text; its value and the place of the whole. Raises a Refusal (E006 or E008) at the first fault.

    `floats`: numbers need not be whole."""
    whole: Any = _MISSING
    root = Place(0, None, "")
    containers: list[tuple[Any, Place]] = []
    key: str | None = None
    expect = "value"  # or "value or ]", "key", "key or }", ":", ", or end", "nothing"
    position = 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            start = _BLANKS.match(text, position).end()  # type: ignore[union-attr]
            if start < len(text):
                raise _refused(text, start)
            if expect == "nothing":
                return whole, root
            raise Refusal("E008", max(0, len(text) - 1), len(text), "the JSON ends too early")
        position = match.end()
        kind = match.lastindex or 0
        token = match[kind]
        start = match.start(kind)
        if kind == 1 and token not in "[{":
            if token in "]}" and containers and expect in (", or end", "value or ]" if token == "]" else "key or }"):
                container, place = containers[-1]
                if isinstance(container, list) == (token == "]"):
                    place.end = position
                    containers.pop()
                    expect = ", or end" if containers else "nothing"
                    continue
            if token == ":" and expect == ":":
                expect = "value"
                continue
            if token == "," and expect == ", or end":
                expect = "value" if isinstance(containers[-1][0], list) else "key"
                continue
            raise _unexpected(token, start, expect)
        if expect.startswith("key"):
            if kind != 2:
                raise _unexpected(token, start, expect)
            key = _string(token, start)
            if key in containers[-1][0]:
                raise Refusal("E008", start, position, f"the key `{key}` is given twice")
            expect = ":"
            continue
        if not expect.startswith("value"):
            raise _unexpected(token, start, expect)
        value: Any
        if kind == 1:
            value = Array() if token == "[" else Object()
        elif kind == 2:
            value = _string(token, start)
        elif kind == 3:
            value = _integer(token, start)
        elif kind == 4 and token in _WORDS:
            value = _WORDS[token]
        elif kind == 4:
            raise Refusal("E008", start, position, f"`{token}` is not JSON")
        elif floats and _FLOAT.fullmatch(token):
            value = float(token)
        else:
            raise Refusal("E008", start, position, f"`{token[:40]}` is not a whole number")
        if not containers:
            whole, place = value, root
            root.start = start
        else:
            container, parent = containers[-1]
            if key is None:
                place = Place(start, parent, len(container))
                container.append(value)
            else:
                place = Place(start, parent, key)
                container[key] = value
            parent.items[place.key] = place
        place.end = position
        key = None
        if kind == 1:
            containers.append((value, place))
            expect = "value or ]" if token == "[" else "key or }"
        else:
            expect = ", or end" if containers else "nothing"


def _unexpected(token: str, start: int, expected: str) -> Refusal:
    shown = "a string" if token[0] == '"' else f"`{token[:40]}`"
    message = f"{shown} is not expected in the JSON here"
    return Refusal("E008", start, start + len(token), message, f"expected {_EXPECTED[expected]}")


def _refused(text: str, start: int) -> Refusal:
    if text[start] == '"':
        line = text.find("\n", start)
        end = len(text) if line < 0 else line
        return Refusal("E008", start, end, "the JSON string is not closed, or holds a control character")
    return Refusal("E008", start, start + 1, f"the character {character_name(text[start])} is not JSON")


def _string(token: str, start: int) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        value: str = json.loads(token)
        value.encode("utf-8")
    except ValueError:
        raise Refusal("E008", start, start + len(token), "the JSON string has a wrong escape") from None
    return value


def _integer(token: str, start: int) -> int:
    digits = len(token.removeprefix("-"))
    if digits > MAX_DIGITS:
        message = f"the number has {digits} digits; {MAX_DIGITS} are the most"
        raise Refusal("E006", start, start + len(token), message)
    if _LEADING_ZERO.match(token):
        raise Refusal("E008", start, start + len(token), f"`{token}` is not a JSON number")
    return int(token)


def write(value: Any) -> str:
    """Write a JSON value with two blanks a level, a final line end, keys in their own order."""
    out: list[str] = []
    work: list[tuple[str, Any, int]] = [("", value, 0)]
    while work:
        before, item, level = work.pop()
        out.append(before)
        if item is _MISSING:
            continue
        indent = "\n" + "  " * min(level + 1, _MOST_INDENT)  # deeper, the blanks would outgrow the text
        if isinstance(item, dict) and item:
            out.append("{")
            entries = [(indent + json.dumps(key, ensure_ascii=False) + ": ", entry) for key, entry in item.items()]
            close = "}"
        elif isinstance(item, list) and item and not _flat(item):
            out.append("[")
            entries = [(indent, entry) for entry in item]
            close = "]"
        else:
            out.append(json.dumps(item, ensure_ascii=False))
            continue
        work.append(("\n" + "  " * min(level, _MOST_INDENT) + close, _MISSING, level))
        for i, (lead, entry) in reversed(list(enumerate(entries))):
            work.append((("," if i else "") + lead, entry, level + 1))
    return "".join(out) + "\n"


def _flat(items: list[Any]) -> bool:
    return all(isinstance(item, int) for item in items)
