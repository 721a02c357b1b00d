"""Findings and failed tests as workflow commands of GitHub: annotations on a pull request.

GitHub shows ten annotations of a kind and step and drops the rest without a word, so beyond ten a notice says how many
more there are, and they stand in the log after it. Such a notice is one of the ten notices. It refuses columns where a
range has several lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardc.findings import Finding

if TYPE_CHECKING:
    from cardc.testing import TestResult

SHOWN = 10
KINDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(findings: Iterable[Finding], *, root: str = "", results: Sequence[TestResult] = ()) -> str:
    """A line for each finding and failed test, errors first; `root` stands before each path."""
    rows = [(f.severity, _line(f, root), f"{f.source.path}:{f.source.line(f.start)}: {f.code}: {f.message}")
            for f in findings]  # fmt: skip
    rows += [("error", _failed(r, root), f"{r.path}:{r.line}: failed: {r.title}") for r in results if not r.passed]
    out: list[str] = []
    notices = 0
    for kind in KINDS:
        of_kind = [(line, short) for severity, line, short in rows if severity == kind]
        shown = SHOWN
        if kind == "note" and len(of_kind) > (shown := SHOWN - notices):
            shown -= 1  # the notice that tells of the rest
        out += [line for line, _ in of_kind[:shown]]
        rest = of_kind[shown:]
        if rest:
            notices += 1
            out.append(f"::notice title={len(rest)} more {kind}s::{len(rest)} more {kind}s are in the log of this step")
            # what begins a line could be read as a command: the dash keeps names and texts of authors from that
            out += [_data(f"- {root}{short}") for _, short in rest]
    return "".join(line + "\n" for line in out)


def _line(f: Finding, root: str) -> str:
    s = f.source
    first, last = s.line(f.start), s.line(max(f.end - 1, f.start))
    place = f"file={_property(root + s.path)},line={first}"
    if first == last:
        place += f",col={s.column(f.start)},endColumn={s.column(f.start) + max(f.end - f.start, 1)}"
    else:
        place += f",endLine={last}"
    text = f.message if f.help is None else f"{f.message}\n{f.help}"
    return f"::{KINDS[f.severity]} {place},title={_property(f.code)}::{_data(text)}"


def _failed(r: TestResult, root: str) -> str:
    place = f"file={_property(root + r.path)},line={r.line}"
    return f"::error {place},title={_property(f'failed: {r.title}')}::{_data(r.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
