"""Findings: what a pass has to say about a source. Values, never exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from card_grammar.diagnostics import DIAGNOSTICS, Severity
from msgspec import Struct, field

from cardc.source import Source


class Label(Struct, frozen=True):
    """A second place that matters, with what is to be seen there."""

    source: Source
    start: int
    end: int
    text: str


class Edit(Struct, frozen=True):
    """The text that is to stand in place of `start` to `end`."""

    source: Source
    start: int
    end: int
    text: str


class Fix(Struct, frozen=True):
    """Edits that mend a finding, and what they do, in words. A `safe` one can only say what is meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


class Finding(Struct, frozen=True):
    """One finding: a code of the registry, its place (half-open character offsets), the fact, and advice.

    `message` states a fact and stands alone; only `help` advises. Names of the author stand in backquotes."""

    code: str
    source: Source
    start: int
    end: int
    message: str
    help: str | None = None
    labels: tuple[Label, ...] = field(default=())
    level: Severity | None = None
    """What the package wants it to be, if that is not what it is by itself."""
    fix: Fix | None = None

    @property
    def severity(self) -> Severity:
        return self.level or DIAGNOSTICS[self.code].severity

    def key(self) -> tuple[str, int, int, str, str]:
        """Source order."""
        return (self.source.path, self.start, self.end, self.code, self.message)


PlainFinding: TypeAlias = tuple[Any, ...]
"""A finding as plain data, with paths in the place of sources: for other processes, and for later."""


def plain_finding(f: Finding) -> PlainFinding:
    labels = [(x.source.path, x.start, x.end, x.text) for x in f.labels]
    fix = f.fix and (f.fix.title, f.fix.safe, [(e.source.path, e.start, e.end, e.text) for e in f.fix.edits])
    return (f.code, f.source.path, f.start, f.end, f.message, f.help, labels, f.level, fix)


def findings_of(plain: Iterable[PlainFinding], source: Callable[[str], Source]) -> list[Finding]:
    """Findings again; `source` gives the sources by path."""
    out = []
    for code, path, start, end, message, help, labels, level, fixing in plain:
        fix = None
        if fixing is not None:
            fix = Fix(fixing[0], tuple(Edit(source(p), s, e, text) for p, s, e, text in fixing[2]), fixing[1])
        shown = tuple(Label(source(p), s, e, text) for p, s, e, text in labels)
        out.append(Finding(code, source(path), start, end, message, help, shown, level, fix))
    return out
