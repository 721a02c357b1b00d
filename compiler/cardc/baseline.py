"""A baseline: what lint finds in a package today and is not to be told again, for taking up lint late.

Only rules of lint and warnings stand in it, never errors of the language. An entry knows its finding by its file, its
declaration, its code and its text, so that it stays the same where lines move. Pure: text in, text out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from card_grammar.diagnostics import RULES

from cardc.findings import Finding
from cardc.lint_settings import Settings
from cardc.package import UsageError
from cardc.source import Source

VERSION = 1
STALE = "W607"

_NEVER = frozenset({"W605", "W606", STALE})
_CODES = frozenset(RULES.values()) - _NEVER
_FIELDS = ("file", "in", "code", "message")
_Key: TypeAlias = tuple[str, str, str, str]


def belongs(f: Finding) -> bool:
    """Whether a finding may stand in a baseline."""
    return f.code in _CODES


def written(findings: Iterable[Finding]) -> str:
    """The baseline of these findings: one line each, so that a diff says what has come and gone."""
    counts = Counter(_key(f) for f in findings if belongs(f))
    lines = [
        json.dumps(dict(zip(_FIELDS, key, strict=True)) | ({"count": n} if n > 1 else {}), ensure_ascii=False)
        for key, n in sorted(counts.items())
    ]
    body = "".join(f"\n  {line}" + "," * (i < len(lines)) for i, line in enumerate(lines, 1))
    return f'{{"version": {VERSION}, "findings": [{body}{chr(10) if lines else ""}]}}\n'


class Baseline:
    """A baseline that was read. `source` is its file, from the folder of the package. Raises UsageError."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.counts: Counter[_Key] = Counter()
        try:
            document = json.loads(source.text)
            if document["version"] != VERSION:
                raise UsageError(f"{source.path} is a baseline of another version: write it again")
            for entry in document["findings"]:
                key = tuple(entry[field] for field in _FIELDS)
                if not all(isinstance(part, str) for part in key):
                    raise ValueError
                self.counts[key] += _count(entry)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise UsageError(f"{source.path} is no baseline: `cardc lint --write-baseline` writes one") from None

    def apply(self, findings: Sequence[Finding], settings: Settings | None) -> list[Finding]:
        """The findings that are new, and one for each entry that finds less than it says, as the package wants it."""
        left = Counter(self.counts)
        out: list[Finding] = []
        for f in sorted(findings, key=Finding.key):
            key = _key(f)
            if belongs(f) and left[key] > 0:
                left[key] -= 1
            else:
                out.append(f)
        stale = [self._stale(key, n) for key, n in left.items() if n > 0]
        return [*out, *(stale if settings is None else settings.told(stale))]

    def _stale(self, key: _Key, number: int) -> Finding:
        file, _, code, message = key
        text = self.source.text
        said = json.dumps(dict(zip(_FIELDS, key, strict=True)), ensure_ascii=False)[:-1]
        start = max(text.find(said), 0)
        end = start + len(said) if text.startswith(said, start) else start + 1
        times = "" if number == 1 else f" {number} times"
        fact = f"the baseline expects {code} in {file}{times}, and it is found no more: {message}"
        help = "write the baseline again, so that it cannot hide a new one"
        return Finding(STALE, self.source, start, end, fact, help)


def _count(entry: dict[str, object]) -> int:
    count = entry.get("count", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ValueError
    return count


def _key(f: Finding) -> _Key:
    return f.source.path, f.source.declaration(f.start)[1], f.code, f.message
