"""L811: a card that does not say whose work it is, where the game asks for it (`lint { credit: illustrator }`)."""

from __future__ import annotations

from collections.abc import Iterator

from cardc.cards import fields_of
from cardc.findings import Finding
from cardc.lint.package import Package, default, finding

CODE = "L811"


def find(package: Package) -> Iterator[Finding]:
    credit = package.settings.credit
    if credit is None:
        return
    for card in package.cards:
        field = fields_of(card.kind, package.symbols).get(credit)
        if field is not None and package.printed(card)[credit] == default(field):
            labels = ((field.source, field.ident, "its kind has a place for it"),)
            message = f"card `{card.name}` gives no `{credit}`"
            yield finding(CODE, card.source, card.ident, message, f"add `{credit}: …`", labels)
