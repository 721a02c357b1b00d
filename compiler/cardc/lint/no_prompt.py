"""L804: an alternative of a choice without a text: its player sees nothing but a word of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from cardc import nodes as n
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.nesting import walk

CODE = "L804"


def find(package: Package) -> Iterator[Finding]:
    for u in package.own:
        for node in walk(u.decl):
            if isinstance(node, n.Alternative) and node.label is None:
                message = f"whoever may `{node.verb.text}` is not told what that means"
                help = f'say it behind the picks: `{node.verb.text} … "What happens"`'
                yield finding(CODE, u.source, node.verb, message, help)
