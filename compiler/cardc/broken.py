"""What declarations that could not be read may have declared: nothing is said of these names elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardc import nodes as n
from cardc.source import Source

_WORD = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|//[^\n]*|([A-Za-z_][A-Za-z0-9_]*)')


def broken_words(source: Source, decls: Iterable[n.Decl]) -> set[str]:
    """All words of a file outside the declarations that were read; keywords too."""
    found: set[str] = set()
    at = 0
    for start, end in sorted(d.span for d in decls):
        found.update(_words(source.text[at:start]))
        at = max(at, end)
    found.update(_words(source.text[at:]))
    return found


def _words(text: str) -> Iterable[str]:
    return (match[1] for match in _WORD.finditer(text) if match[1])
