"""L809: a title or another text that is longer than it may be."""

from __future__ import annotations

from collections.abc import Iterator

from cardc import nodes as n
from cardc.display import width
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.nesting import walk

CODE = "L809"


def find(package: Package) -> Iterator[Finding]:
    for u in package.own:
        if isinstance(u.decl, n.TestDecl | n.LintDecl):
            continue
        title = getattr(u.decl, "title", None)
        for node in walk(u.decl):
            if isinstance(node, n.Text):
                setting = "title_length" if node is title else "text_length"
                most: int = getattr(package.settings, setting)
                long = width(node.value)
                if long > most:
                    what = "title" if node is title else "text"
                    message = f"this {what} has {long} signs; the most is {most}"
                    help = f"shorten it, or say `lint {{ {setting}: {long} }}`"
                    yield finding(CODE, u.source, node, message, help)
