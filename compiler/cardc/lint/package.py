"""What the rules of `cardc lint` look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from cardc import nodes as n
from cardc.cards import constant, fields_of
from cardc.check import Work
from cardc.findings import Finding, Label
from cardc.lint_settings import Settings
from cardc.source import Source
from cardc.symbols import CardSym, FieldSym, Symbols, Unit


class Package(Struct, frozen=True):
    """A package without errors: its symbols and code, with those of the game it builds on, and its settings.

    `exists` tells whether a file lies in the package's folder, by its path there."""

    symbols: Symbols
    work: Work
    settings: Settings
    exists: Callable[[str], bool]

    @property
    def own(self) -> Iterator[Unit]:
        """The declarations of the package itself."""
        return (u for u in self.symbols.units if u.own)

    @property
    def cards(self) -> Iterator[CardSym]:
        """The package's own cards."""
        return (c for c in self.symbols.cards.values() if c.own)

    def printed(self, card: CardSym) -> dict[str, object]:
        """All printed fields of a card, those that it leaves to their defaults among them."""
        given = self.work.cards.get(card.name, {})
        return {name: given.get(name, default(f)) for name, f in fields_of(card.kind, self.symbols).items()}


def default(field: FieldSym) -> object:
    return None if field.default is None else constant(field.default)


def finding(
    code: str, source: Source, node: n.Node, message: str, help: str | None = None,
    labels: tuple[tuple[Source, n.Node, str], ...] = (),
) -> Finding:  # fmt: skip
    return Finding(
        code, source, *node.span, message, help, tuple(Label(src, *at.span, text) for src, at, text in labels)
    )
