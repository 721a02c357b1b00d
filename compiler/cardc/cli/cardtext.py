"""What a card says, for those who play: its declaration, with the comment above it, as its author wrote it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cardc.cli.table import spaced

_ARTICLES = ("the ", "a ", "an ")


class CardText:
    """Tells of the cards of a game, by id or title. `lines` gives the lines of a source."""

    def __init__(self, cards: Sequence[Any], lines: Callable[[str], Sequence[str]]) -> None:
        self._cards = [card for card in cards if card.base is None]
        self._lines = lines

    def __call__(self, wanted: str) -> list[str]:
        """What is told of the card that the words mean, or why none is."""
        words = wanted.lower().replace("_", " ").split()
        if not words:
            return ["Say which: card NAME."]
        found = self._found(words)
        if len(found) != 1:
            from card_runtime.errors import nearest

            if not found:
                nearby = nearest(wanted, [card.title for card in self._cards])
                return [f"No card is called {wanted}; near {'is' if len(nearby) == 1 else 'are'} {', '.join(nearby)}."]
            titles = [card.title for card in found]
            near = ", ".join(titles[:8]) + (", …" if len(titles) > 8 else "")
            return [f"Several cards are called {wanted}: there are {near}."]
        card = found[0]
        return [f"{card.title}: {spaced(card.kind)}, {card.file}:{card.line}", *self._declared(card)]

    def _found(self, words: Sequence[str]) -> list[Any]:
        """Those called exactly so; else those whose name has a word that begins with each of the words."""
        called = " ".join(words)
        names = [(card, card.id.lower().replace("_", " "), card.title.lower()) for card in self._cards]
        exact = [card for card, id, title in names if called in (id, title, _bare(title))]
        if exact:
            return exact[:1]
        return [
            card
            for card, id, title in names
            if all(any(part.startswith(word) for part in f"{id} {title}".split()) for word in words)
        ]

    def _declared(self, card: Any) -> list[str]:
        lines = self._lines(card.file)
        at = card.line - 1
        if not (0 <= at < len(lines) and lines[at].startswith("card ")):
            return []  # it came as data
        first = at
        while first > 0 and lines[first - 1].startswith("//"):
            first -= 1
        last = at + 1
        while last < len(lines) and (not lines[last] or lines[last][0] in " \t}"):
            last += 1
        return [f"  {line}" for line in "\n".join(lines[first:last]).rstrip().split("\n")]


def _bare(title: str) -> str:
    return next((title.removeprefix(article) for article in _ARTICLES if title.startswith(article)), title)
