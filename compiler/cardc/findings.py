"""Findings: what a pass has to say about a source. Values, never exceptions."""

from __future__ import annotations

from dataclasses import dataclass, field

from card_grammar.diagnostics import DIAGNOSTICS, Severity

from cardc.source import Source


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that matters, with what is to be seen there."""

    source: Source
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """The text that is to stand in place of `start` to `end`."""

    source: Source
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that mend a finding, and what they do, in words. A `safe` one can only say what is meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
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
