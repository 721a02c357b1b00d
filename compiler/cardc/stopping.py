"""The place where a declaration stops making sense, as what a designer meant is found by it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from cardc.findings import Edit, Fix
from cardc.report import removed
from cardc.source import Source


class Place(Struct, frozen=True):
    """Where it stops: the words and signs with their offsets, which of them it is, and what could stand there.

    `could` has words and signs by their text, and `NAME`, `STRING`, `INT`."""

    source: Source
    texts: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    at: int
    could: frozenset[str]

    @property
    def text(self) -> str:
        return self.texts[self.at] if self.at < len(self.texts) else ""

    @property
    def before(self) -> str:
        return self.texts[self.at - 1] if self.at else ""

    @property
    def after(self) -> str:
        return self.texts[self.at + 1] if self.at + 1 < len(self.texts) else ""

    @property
    def first(self) -> str:
        """The word with which the declaration begins."""
        return self.texts[0] if self.texts else ""

    def joined(self, i: int) -> bool:
        """Whether token `i` follows the one before it without a gap."""
        return self.ends[i - 1] == self.starts[i]

    def named(self) -> bool:
        """Whether it is a name, or a word that may be one."""
        return self.text[:1].isalpha() or self.text[:1] == "_"

    def is_type(self, word: str) -> bool:
        """Whether a word is known to be a type: it is one of the language, or declared in this file."""
        return word in ("bool", "int", "player") or bool(
            re.search(rf"^(?:open )?(?:kind|enum) {re.escape(word)}\b", self.source.text, re.MULTILINE)
        )

    def put(self, title: str, text: str, *, safe: bool, until: int = 0, back: int = 0) -> Fix:
        """Write `text` in place of this token, of `back` tokens before it and of `until` tokens behind it."""
        start, end = self.starts[self.at - back], self.ends[self.at + until]
        return Fix(title, (Edit(self.source, start, end, text),), safe)

    def leave_out(self, *, safe: bool = True) -> Fix:
        """Take this token away."""
        return Fix("leave it out", (removed(self.source, self.starts[self.at], self.ends[self.at]),), safe)

    def insert(self, title: str, text: str, *, safe: bool) -> Fix:
        """Write `text` behind the token before this one."""
        behind = self.ends[self.at - 1]
        return Fix(title, (Edit(self.source, behind, behind, text),), safe)


Meant = tuple[str, Fix | None]


def folded(p: Place) -> str:
    """The name of the fold whose parenthesis is open here."""
    i = opened(p, p.at)
    return p.texts[i - 1] if i and p.texts[i - 1] in ("count", "sum", "any", "all", "min", "max") else ""


def opened(p: Place, at: int) -> int:
    """The place of the parenthesis that is open before the token `at`; 0 if none is."""
    depth = 0
    for i in range(at - 1, 0, -1):
        depth += (p.texts[i] == ")") - (p.texts[i] == "(")
        if depth < 0:
            return i
    return 0


def last(p: Place, word: str) -> int:
    """The last place of a word before this one that no block follows; 0 if there is none."""
    for i in range(p.at - 1, 0, -1):
        if p.texts[i] in ("{", "}"):
            return 0
        if p.texts[i] == word:
            return i
    return 0


def innermost(texts: Iterable[str]) -> str:
    """The bracket that is open behind these words and signs."""
    stack: list[str] = []
    for text in _brackets(texts):
        if text in "([{":
            stack.append(text)
        elif stack:
            stack.pop()
    return stack[-1] if stack else ""


def _brackets(texts: Iterable[str]) -> Iterable[str]:
    return (t for t in texts if t in ("(", ")", "[", "]", "{", "}"))
