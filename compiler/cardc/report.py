"""Collects the findings of a pass; knows how to suggest near names.

One mistake gives one finding: nothing is said of a name that a declaration with a finding of its own may have declared
(`broken`), nor are there warnings beside errors, as what is unused may only be misspelt elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from cardc.findings import Finding, Label
from cardc.nodes import Node
from cardc.source import Source


def near(name: str, known: Iterable[str]) -> str | None:
    """`did you mean …?` with at most three names that look like `name`, or None."""
    found = get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)
    if not found:
        return None
    return "did you mean " + " or ".join(f"`{f}`" for f in found) + "?"


def listed(names: Iterable[str], most: int = 8) -> str:
    """The names in backquotes, not more than `most` of them."""
    names = list(names)
    return ", ".join(f"`{name}`" for name in names[:most]) + (" …" if len(names) > most else "")


def plural(number: int, noun: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Unsure(Exception):
    """What is known of the parts of a package does not suffice to word a finding: all of it must be looked at."""


class Report:
    """The findings so far; one at most for each place and code."""

    def __init__(self, broken: frozenset[str] = frozenset()) -> None:
        self._found: dict[tuple[str, int, int, str], Finding] = {}
        self.broken = broken
        """The words of declarations that could not be read."""

    def add(
        self,
        code: str,
        source: Source,
        node: Node,
        message: str,
        help: str | None = None,
        labels: Iterable[tuple[Source, Node, str]] = (),
    ) -> None:
        start, end = node.span
        finding = Finding(
            code,
            source,
            start,
            end,
            message,
            help,
            tuple(Label(s, at.span[0], at.span[1], text) for s, at, text in labels),
        )
        self._found.setdefault((source.path, start, end, code), finding)

    def unknown(self, code: str, source: Source, node: Node, name: str, message: str, help: str | None = None) -> None:
        """Like `add`, for a name that nothing declares; nothing is said where a broken declaration may declare it."""
        if name not in self.broken:
            self.add(code, source, node, message, help)

    def extend(self, findings: Iterable[Finding]) -> None:
        for f in findings:
            self._found.setdefault((f.source.path, f.start, f.end, f.code), f)

    @property
    def errors(self) -> bool:
        return any(f.severity == "error" for f in self._found.values())

    def findings(self) -> list[Finding]:
        """In source order; warnings only where there is no error."""
        found = sorted(self._found.values(), key=Finding.key)
        return [f for f in found if f.severity == "error"] if self.errors else found

    def __len__(self) -> int:
        return len(self._found)
