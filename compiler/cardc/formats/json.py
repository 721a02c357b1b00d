"""Findings and test results as JSON, for tools. One object a run; fields are only ever added, `version` counts breaks.

    version   1
    findings  in source order, each
        code, name, severity ("error", "warning" or "note"), message, help (or null)
        file        from where the command ran, with `/`
        line, column, end_line, end_column   from 1, in characters; the end is the place after the last character
        start, end  half-open offsets in characters from the beginning of the file
        labels      each with file, line, column, end_line, end_column, start, end, text
        fix         null, or title, safe, and edits, each with file, …, end and the text that is to stand there
    fixed              with `--fix`, what was mended: each with file, line, code, title
    errors, warnings, notes   counts
    package            the folder that was built, null where nothing was; `cardc build` only
    tests              `cardc test` only: each with title, file, line, passed, message, covers, seconds
    passed, failed     counts; `cardc test` only
    coverage           with `--coverage`, `--min-coverage` only: points, covered, percent, and `of`: a card or rule,
        with of, points, covered, and its clauses: file, line, column, text, condition (or null), and how often it ran
        and its condition was true and false (null where it has none)
    mutation           with `--mutate` only: survivors (a count), and mutants, each with file, line, column, of, text,
        condition, change, state ("killed", "limit", "survived" or "unreached"), tests (how many ran), by (the title)
    uncovered          {rule: its text}: rules that no test covers; with `--rules` only
    unknown_rules      rules that tests cover and the list of rules lacks; with `--rules` only
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from card_grammar.diagnostics import DIAGNOSTICS

from cardc.findings import Finding, Fix
from cardc.source import Source

if TYPE_CHECKING:
    from cardc.testing import TestResult

VERSION = 1


def render(findings: Iterable[Finding], *, root: str = "", more: Mapping[str, object] | None = None) -> str:
    """Return the object as ASCII text with a newline; `root` stands before each path, `more` are further fields."""
    found = list(findings)
    severities = [f.severity for f in found]
    document = {
        "version": VERSION,
        "findings": [_finding(f, root) for f in found],
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "notes": severities.count("note"),
        **(more or {}),
    }
    return json.dumps(document, indent=2) + "\n"


def tests(results: Sequence[TestResult], *, root: str = "") -> dict[str, object]:
    """The fields of a test run, as `more` of `render`."""
    passed = sum(r.passed for r in results)
    return {
        "tests": [
            {
                "title": r.title,
                "file": root + r.path,
                "line": r.line,
                "passed": r.passed,
                "message": r.message,
                "covers": list(r.covers),
                "seconds": round(r.seconds, 6),
            }
            for r in results
        ],
        "passed": passed,
        "failed": len(results) - passed,
    }


def _finding(finding: Finding, root: str) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": DIAGNOSTICS[finding.code].name,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        **_place(finding.source, finding.start, finding.end, root),
        "labels": [{**_place(at.source, at.start, at.end, root), "text": at.text} for at in finding.labels],
        "fix": None if finding.fix is None else _fix(finding.fix, root),
    }


def _fix(fix: Fix, root: str) -> dict[str, object]:
    edits = [{**_place(e.source, e.start, e.end, root), "text": e.text} for e in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _place(source: Source, start: int, end: int, root: str) -> dict[str, object]:
    return {
        "file": source.seen_from(root),
        "line": source.line(start),
        "column": source.column(start),
        "end_line": source.line(end),
        "end_column": source.column(end),
        "start": start,
        "end": end,
    }
