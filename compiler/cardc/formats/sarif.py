"""Findings as SARIF 2.1.0: what code scanning services read. Columns count UTF-16 code units, as the format says by
default."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from card_grammar.diagnostics import DIAGNOSTICS

from cardc import __version__
from cardc.findings import Finding, Fix
from cardc.source import Source

_LINK = re.compile(r"\[([^\[\]]*)\]\(")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(findings: Iterable[Finding], *, root: str = "") -> str:
    """One run of the tool `cardc`; its rules are the diagnostics that were found."""
    found = list(findings)
    codes = sorted({f.code for f in found})
    document = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "cardc", "semanticVersion": __version__, "rules": [_rule(c) for c in codes]}
                },
                "columnKind": "utf16CodeUnits",
                "results": [_result(f, codes, root) for f in found],
            }
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    d = DIAGNOSTICS[code]
    return {
        "id": code,
        "name": "".join(w.capitalize() for w in d.name.split("-")),
        "shortDescription": {"text": d.summary},
        "defaultConfiguration": {"level": d.severity},
        "help": {"text": f"cardc explain {code}"},
    }


def _result(f: Finding, codes: list[str], root: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": f.code,
        "ruleIndex": codes.index(f.code),
        "level": f.severity,
        "message": {"text": _plain(f.message if f.help is None else f"{f.message}\n{f.help}")},
        "locations": [_place(f.source, f.start, f.end, root)],
    }
    if f.labels:
        out["relatedLocations"] = [
            {**_place(x.source, x.start, x.end, root), "id": i, "message": {"text": _plain(x.text)}}
            for i, x in enumerate(f.labels)
        ]
    if f.fix is not None:
        out["fixes"] = [_fix(f.fix, root)]
    return out


def _fix(fix: Fix, root: str) -> dict[str, Any]:
    changes: dict[str, dict[str, Any]] = {}
    for e in fix.edits:
        place = _place(e.source, e.start, e.end, root)["physicalLocation"]
        change = changes.setdefault(
            e.source.path, {"artifactLocation": place["artifactLocation"], "replacements": []}
        )
        change["replacements"].append({"deletedRegion": place["region"], "insertedContent": {"text": e.text}})
    return {"description": {"text": _plain(fix.title)}, "artifactChanges": list(changes.values())}


def _plain(text: str) -> str:
    """A message in which nothing is taken for a link, as `[text](target)` would be."""
    return _LINK.sub(r"\\[\1\\](", text)


def _place(s: Source, start: int, end: int, root: str) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(s.seen_from(root))},
            "region": {
                "startLine": s.line(start),
                "startColumn": s.utf16_column(start),
                "endLine": s.line(end),
                "endColumn": s.utf16_column(end),
            },
        }
    }
