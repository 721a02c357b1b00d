"""L806: two cards that differ in nothing but id and title."""

from __future__ import annotations

from collections.abc import Iterator

from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.lint.twins import groups

CODE = "L806"


def find(package: Package) -> Iterator[Finding]:
    for first, *others in groups(package):
        for card in others:
            if card.own:
                message = f"card `{card.name}` is the same as card `{first.name}`"
                labels = ((first.source, first.ident, "this one"),)
                yield finding(CODE, card.source, card.ident, message, "let them differ, or remove one", labels)
