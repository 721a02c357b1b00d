"""What a card does, told apart from what is printed on it: cards that do the same can be compared."""

from __future__ import annotations

from collections.abc import Iterable

from card_runtime.depth import deep

from cardc import nodes as n
from cardc.lint.package import Package
from cardc.symbols import CardSym


def abilities(card: CardSym) -> tuple[object, ...]:
    """The slots and forms of a card, whatever their order; two cards with equal ones do the same."""
    lines = [x for x in card.decl.lines if isinstance(x, n.CardSlot | n.CardForm)]
    return tuple(sorted(lines, key=lambda x: (x.name.text, repr(x))))


def groups(package: Package, loose: Iterable[str] = ()) -> list[list[CardSym]]:
    """The cards that have kind, abilities and all fields but the `loose` ones in common, two or more in a group."""
    loose = frozenset(loose)
    found: dict[object, list[CardSym]] = {}
    with deep():
        for card in package.symbols.cards.values():
            fields = package.printed(card)
            fixed = tuple((name, _key(fields[name])) for name in sorted(fields) if name not in loose)
            found.setdefault((card.kind, fixed, abilities(card)), []).append(card)
    return [cards for cards in found.values() if len(cards) > 1]


def _key(value: object) -> object:
    """A set is the same in any order."""
    return tuple(sorted(map(str, value))) if isinstance(value, list) else value
