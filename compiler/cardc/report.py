"""Collects the findings of a pass; knows how to suggest near names."""

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


class Report:
    """The findings so far; one at most for each place and code."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, int, str], Finding] = {}

    def add(
        self, code: str, source: Source, node: Node, message: str, help: str | None = None,
        labels: Iterable[tuple[Source, Node, str]] = (),
    ) -> None:
        start, end = node.span
        finding = Finding(
            code, source, start, end, message, help,
            tuple(Label(s, at.span[0], at.span[1], text) for s, at, text in labels),
        )
        self._found.setdefault((source.path, start, end, code), finding)

    def extend(self, findings: Iterable[Finding]) -> None:
        for f in findings:
            self._found.setdefault((f.source.path, f.start, f.end, f.code), f)

    def findings(self) -> list[Finding]:
        return sorted(self._found.values(), key=Finding.key)

    def __len__(self) -> int:
        return len(self._found)
