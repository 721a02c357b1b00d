"""Test results and findings as JUnit XML: what CI servers show as tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from cardc.findings import Finding

if TYPE_CHECKING:
    from cardc.testing import TestResult

# What XML 1.0 cannot hold, not even as a reference.
_REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(
    findings: Iterable[Finding], *, root: str = "", results: Sequence[TestResult] = (), name: str = "cardc"
) -> str:
    """One suite: a failed case for each error, a skipped one for each warning and note, a case for each test."""
    found = list(findings)
    suite = ElementTree.Element("testsuite", name=_text(name))
    failed = skipped = 0
    for f in found:
        place = f"{root}{f.source.path}:{f.source.line(f.start)}"
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(root + f.source.path), name=_text(f"{f.code} {place}")
        )
        tag = "failure" if f.severity == "error" else "skipped"
        failed, skipped = failed + (tag == "failure"), skipped + (tag == "skipped")
        node = ElementTree.SubElement(case, tag, message=_text(f.message))
        node.text = _text(place + (f"\n{f.help}" if f.help else ""))
    for r in results:
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(root + r.path), name=_text(r.title), time=f"{r.seconds:.3f}"
        )
        if not r.passed:
            failed += 1
            node = ElementTree.SubElement(
                case, "failure", message=_text(r.message.splitlines()[0] if r.message else "failed")
            )
            node.text = _text(r.message)
    counts = {"tests": len(found) + len(results), "failures": failed, "errors": 0, "skipped": skipped}
    for key, n in counts.items():
        suite.set(key, str(n))
    suite.set("time", f"{sum(r.seconds for r in results):.3f}")
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _text(text: str) -> str:
    return _REFUSED.sub("\N{REPLACEMENT CHARACTER}", text)
