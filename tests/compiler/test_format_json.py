"""Findings and results as JSON: the fields that tools rely on."""

import json
from types import SimpleNamespace

from cardc.findings import Finding, Label
from cardc.formats import json as format_json
from cardc.source import Source


def test_a_document_in_full() -> None:
    source = Source("units/a.card", "one\n\u202etwo \U0001d54f three\n")
    finding = Finding("E002", source, 8, 11, "no", "do", (Label(source, 0, 5, "from here"),))
    text = format_json.render([finding], root="g/")
    assert text.isascii()
    assert json.loads(text) == {
        "version": 1,
        "findings": [
            {
                "code": "E002",
                "name": "unclosed",
                "severity": "error",
                "message": "no",
                "help": "do",
                "file": "g/units/a.card",
                "line": 2,
                "column": 5,
                "end_line": 2,
                "end_column": 8,
                "start": 8,
                "end": 11,
                "labels": [
                    {
                        "file": "g/units/a.card",
                        "line": 1,
                        "column": 1,
                        "end_line": 2,
                        "end_column": 2,
                        "start": 0,
                        "end": 5,
                        "text": "from here",
                    }
                ],
                "fix": None,
            }
        ],
        "errors": 1,
        "warnings": 0,
        "notes": 0,
    }


def test_nothing_found() -> None:
    assert json.loads(format_json.render([])) == {"version": 1, "findings": [], "errors": 0, "warnings": 0, "notes": 0}


def test_results_of_tests() -> None:
    good = SimpleNamespace(
        title="a", path="t.card", line=3, passed=True, message="", covers=("V-1",), seconds=0.0000123456
    )
    bad = SimpleNamespace(
        title="b", path="t.card", line=9, passed=False, message="got 1\nexpected 2", covers=(), seconds=0.5
    )
    assert format_json.tests([good, bad], root="g/") == {  # type: ignore[list-item]
        "tests": [
            {
                "title": "a",
                "file": "g/t.card",
                "line": 3,
                "passed": True,
                "message": "",
                "covers": ["V-1"],
                "seconds": 1.2e-05,
            },
            {
                "title": "b",
                "file": "g/t.card",
                "line": 9,
                "passed": False,
                "message": "got 1\nexpected 2",
                "covers": [],
                "seconds": 0.5,
            },
        ],
        "passed": 1,
        "failed": 1,
    }
