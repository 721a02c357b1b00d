"""L807: a card that another one beats: same kind, same abilities, as good in every field, better in one.

Which way a number is good its field says (`cost: 0..9, low is better`); all other fields must be the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardc.cards import fields_of
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.lint.twins import groups
from cardc.symbols import CardSym

CODE = "L807"


def find(package: Package) -> Iterator[Finding]:
    s = package.symbols
    signs = {
        (kind, name): 1 if "high" in f.marks else -1
        for kind in s.kinds
        for name, f in fields_of(kind, s).items()
        if {"high", "low"} & set(f.marks)
    }
    for cards in groups(package, {name for _, name in signs}):
        directed = {name: sign for (kind, name), sign in signs.items() if kind == cards[0].kind}
        worth = {card.name: _worth(package, card, directed) for card in cards}
        for card in cards:
            better = next((b for b in cards if _beats(worth[b.name], worth[card.name])), None)
            if better is not None and (card.own or better.own):
                yield _tell(package, card, better, directed)


def _worth(package: Package, card: CardSym, directed: Mapping[str, int]) -> list[int]:
    printed = package.printed(card)
    return [sign * int(str(printed[name])) for name, sign in directed.items()]


def _beats(a: list[int], b: list[int]) -> bool:
    return a != b and all(x >= y for x, y in zip(a, b, strict=True))


def _tell(package: Package, card: CardSym, better: CardSym, directed: Mapping[str, int]) -> Finding:
    mine, its = package.printed(card), package.printed(better)
    differ = [f"`{name}` {its[name]} against {mine[name]}" for name in directed if mine[name] != its[name]]
    message = f"card `{better.name}` is in nothing worse than card `{card.name}`, and better in {' and '.join(differ)}"
    # told where the package can change something
    at, other = (card, better) if card.own else (better, card)
    labels = ((other.source, other.ident, "the better one" if other is better else "the worse one"),)
    return finding(CODE, at.source, at.ident, message, "give the worse one something that the other lacks", labels)
