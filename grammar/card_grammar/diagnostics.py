"""The registry of diagnostics: one code each, never reused, with a page in `pages/` (wrong, right, why).

E0xx reading, E1xx names, E2xx types, E3xx cards and decks, E4xx semantics of play, E5xx visibility, W6xx warnings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A kind of finding: its code, its short name, its severity and a one-line summary."""

    code: str
    name: str
    severity: Severity
    summary: str


_ALL = (
    Diagnostic("E001", "syntax", "error", "The text does not follow the grammar."),
    Diagnostic("E002", "unclosed", "error", "A brace, parenthesis, bracket or string is not closed."),
    Diagnostic("E003", "stray-text", "error", "Text in column 1 begins no declaration."),
    Diagnostic("E004", "encoding", "error", "The file is not UTF-8 text."),
    Diagnostic("E005", "too-deep", "error", "An expression nests more than 64 deep."),
    Diagnostic("E006", "number-too-large", "error", "A number has more than 15 digits."),
    Diagnostic("E007", "reserved-word", "error", "A reserved word is used as a name."),
)

DIAGNOSTICS: dict[str, Diagnostic] = {d.code: d for d in _ALL}
