"""Findings as a code quality report of GitLab: a JSON array; a fingerprint stays the same while a finding's file, code
and text do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

from cardc.findings import Finding

SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(findings: Iterable[Finding], *, root: str = "") -> str:
    """The report; `root` stands before each path. Equal findings of a file are told apart by their order."""
    seen: dict[str, int] = {}
    out = []
    for f in findings:
        s = f.source
        path = root + s.path
        key = "\0".join([path, f.code, f.message])
        seen[key] = seen.get(key, 0) + 1
        out.append(
            {
                "description": f.message if f.help is None else f"{f.message} ({f.help})",
                "check_name": f.code,
                "fingerprint": sha256(f"{key}\0{seen[key]}".encode()).hexdigest(),
                "severity": SEVERITIES[f.severity],
                "location": {
                    "path": path,
                    "positions": {
                        "begin": {"line": s.line(f.start), "column": s.column(f.start)},
                        "end": {"line": s.line(f.end), "column": s.column(f.end)},
                    },
                },
            }
        )
    return json.dumps(out, indent=2) + "\n"
