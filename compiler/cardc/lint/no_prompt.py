"""L804: an alternative of a choice without a text of its own: its player sees a word of the rules, or a text twice."""

from __future__ import annotations

from collections.abc import Iterator

from cardc import nodes as n
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.nesting import walk
from cardc.symbols import Unit

CODE = "L804"


def find(package: Package) -> Iterator[Finding]:
    for u in package.own:
        for node in walk(u.decl):
            match node:
                case n.Choose(alternatives=alternatives) | n.On(offers=alternatives):
                    yield from _told(u, alternatives)


def _told(u: Unit, alternatives: tuple[n.Alternative, ...]) -> Iterator[Finding]:
    seen: dict[str, n.Text] = {}
    for a in alternatives:
        if a.label is None:
            message = f"whoever may `{a.verb.text}` is not told what that means"
            help = f'say it behind the picks: `{a.verb.text} … "What happens"`'
            yield finding(CODE, u.source, a.verb, message, help)
        elif (first := seen.setdefault(a.label.value, a.label)) is not a.label:
            message = f"`{a.verb.text}` is told in the words of another alternative"
            labels = ((u.source, first, "the same words"),)
            yield finding(CODE, u.source, a.label, message, "say in what they differ", labels)
