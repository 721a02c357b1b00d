"""L810: a card without its picture, where the game asks for pictures (`lint { art: "art/*.png" }`)."""

from __future__ import annotations

from collections.abc import Iterator

from cardc.findings import Finding
from cardc.lint.package import Package, finding

CODE = "L810"


def find(package: Package) -> Iterator[Finding]:
    art = package.settings.art
    if art is None:
        return
    for card in package.cards:
        path = art.replace("*", card.name)
        if not package.exists(path):
            message = f"card `{card.name}` has no picture: there is no file {path}"
            yield finding(CODE, card.source, card.ident, message, "add the file")
