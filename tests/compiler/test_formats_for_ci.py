"""The formats that other tools read: GitHub, GitLab, SARIF, JUnit. One small set of findings, with all that can go
wrong in a text."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from cardc.findings import Finding, Label
from cardc.formats import github, gitlab, junit, sarif
from cardc.source import Source
from cardc.testing import TestResult as Result

SCHEMA = Path(__file__).parents[1] / "data" / "sarif" / "sarif-2.1.0-rtm.5.json"
TEXT = "value a(): int = b()\nvalue 𝄞c(): int = {\n  }\n"
SOURCE = Source("sub dir/a,b.card", TEXT)


def finding(start=17, end=20, code="E101", message="no value is called `b`", help="did you mean `a`?", labels=()):
    return Finding(code, SOURCE, start, end, message, help, labels)


LABELLED = finding(
    27, 29, labels=(Label(SOURCE, 6, 7, "100 % here:\nand there"),), message="50 % of\nit: wrong", help=None
)
LONG = finding(22, TEXT.index("}") + 1, code="W601", message="value `c` is not used", help=None)


def test_github():
    assert github.render([finding(), LABELLED, LONG], root="cards/x/").splitlines() == [
        "::error file=cards/x/sub dir/a%2Cb.card,line=1,col=18,endColumn=21,title=E101::"
        "no value is called `b`%0Adid you mean `a`?",
        "::error file=cards/x/sub dir/a%2Cb.card,line=2,col=7,endColumn=9,title=E101::50 %25 of%0Ait: wrong",
        "::warning file=cards/x/sub dir/a%2Cb.card,line=2,endLine=3,title=W601::value `c` is not used",
    ]


def test_github_says_what_its_cap_of_ten_hides():
    lines = github.render([finding(message=f"number {i}") for i in range(13)]).splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 10
    assert lines[10] == "::notice title=3 more errors::3 more errors are in the log of this step"
    assert lines[11:] == [f"- sub dir/a,b.card:1: E101: number {i}" for i in (10, 11, 12)]


def test_github_counts_what_tells_of_its_cap_among_the_notices():
    errors = [finding(message=f"number {i}") for i in range(11)]
    notes = [finding(code="L803", message=f"note {i}\n::error::made up") for i in range(12)]
    lines = github.render([*notes, *errors]).splitlines()
    assert [line.split()[0] for line in lines].count("::notice") == 10
    assert "::notice title=4 more notes::4 more notes are in the log of this step" in lines
    assert not any(line.startswith("::error::made up") for line in lines)
    assert lines[-1] == "- sub dir/a,b.card:1: L803: note 11%0A::error::made up"
    exactly = github.render(notes[:10]).splitlines()
    assert len(exactly) == 10 and all(line.startswith("::notice file=") for line in exactly)


def test_gitlab():
    report = json.loads(gitlab.render([finding(), finding(), LONG]))
    assert [r["severity"] for r in report] == ["major", "major", "minor"]
    assert report[0]["location"] == {
        "path": "sub dir/a,b.card",
        "positions": {"begin": {"line": 1, "column": 18}, "end": {"line": 1, "column": 21}},
    }
    assert len({r["fingerprint"] for r in report}) == 3
    moved = Finding("E101", Source(SOURCE.path, "\n\n" + TEXT), 19, 22, finding().message, finding().help)
    assert json.loads(gitlab.render([moved]))[0]["fingerprint"] == report[0]["fingerprint"]


def test_sarif_follows_its_schema():
    jsonschema = pytest.importorskip("jsonschema", reason="a dependency of the compiler")
    document = json.loads(sarif.render([finding(), LABELLED, LONG], root="cards/x/"))
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert not list(jsonschema.Draft4Validator(schema).iter_errors(document))
    (run,) = document["runs"]
    assert [r["id"] for r in run["tool"]["driver"]["rules"]] == ["E101", "W601"]
    assert [r["ruleIndex"] for r in run["results"]] == [0, 0, 1]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "cards/x/sub%20dir/a%2Cb.card"
    assert place["region"] == {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 10}  # 𝄞 is two UTF-16 units
    assert json.loads(sarif.render([]))["runs"][0]["results"] == []


def test_nothing_an_author_says_is_markup():
    """Links of SARIF, commands of GitHub, tags of XML: names, paths and texts of authors stay what they are."""
    text = "deck `d` breaks a rule: [see](https://x.test) <b>]]></b> ::set-output name=a::b\n::error::c %0A"
    odd = finding(message=text, help=text, labels=(Label(SOURCE, 0, 5, text),))
    (run,) = json.loads(sarif.render([odd]))["runs"]
    for message in (run["results"][0]["message"], run["results"][0]["relatedLocations"][0]["message"]):
        assert "\\[see\\](https://x.test) <b>" in message["text"] and "[see](" not in message["text"]
    assert github.render([odd]).count("\n") == 1 and "%25250A" not in github.render([odd])
    case = ET.fromstring(junit.render([odd])).find("testcase/failure")
    assert case is not None and text in case.text and case.get("message") == text


def test_junit():
    results = [
        Result("it holds", "t.card", 3, True, "", (), 0.25),
        Result('it "fails" <&>', "t.card", 9, False, "t.card:10: expect x\n  got \x1b[0m", (), 0.5),
    ]
    suite = ET.fromstring(junit.render([finding(), LONG], root="cards/x/", results=results))
    assert suite.attrib == {
        "name": "cardc",
        "tests": "4",
        "failures": "2",
        "errors": "0",
        "skipped": "1",
        "time": "0.750",
    }
    cases = suite.findall("testcase")
    assert [c.get("name") for c in cases][2:] == ["it holds", 'it "fails" <&>']
    assert [child.tag for c in cases for child in c] == ["failure", "skipped", "failure"]
    assert cases[3][0].text == "t.card:10: expect x\n  got \N{REPLACEMENT CHARACTER}[0m"


def test_no_findings():
    assert github.render([]) == ""
    assert json.loads(gitlab.render([])) == []
    assert ET.fromstring(junit.render([])).get("tests") == "0"
