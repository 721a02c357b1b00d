"""The tags by which each seat follows cards.

A tag is a number that a seat gives to a card while it sees the card or can follow it by eye (boards). A card that comes
back under a seat's eyes has a new one, from that seat's own counter; so tags tell nothing about hidden events.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from card_runtime.model import SEATS
from card_runtime.sight import eyes, sees

if TYPE_CHECKING:
    from card_runtime.state import State

_new = object.__new__
"""For clones, which are made by the million: all slots are filled in."""


class Tags:
    """The tags of all seats; brought up to date right after a card has moved, turned or been shown."""

    __slots__ = ("_next", "_of")

    def __init__(self) -> None:
        self._of: list[dict[int, int]] = [{} for _ in range(SEATS)]
        self._next = [1] * SEATS

    def tag(self, seat: int, card: int) -> int | None:
        return self._of[seat].get(card)

    def of(self, seat: int) -> dict[int, int]:
        """The tags of a seat by card, to be read."""
        return self._of[seat]

    def clone(self) -> Tags:
        copy: Tags = _new(Tags)
        copy._of = [tags.copy() for tags in self._of]
        copy._next = self._next.copy()
        return copy

    def only(self, m: State, seat: int) -> Tags:
        """A clone for `m`, that holds nothing but what `seat` gave: the others begin anew, their counters go on."""
        copy: Tags = _new(Tags)
        copy._of = [tags.copy() if viewer == seat else {} for viewer, tags in enumerate(self._of)]
        copy._next = self._next.copy()
        copy.watch(m)
        return copy

    def to_data(self) -> dict[str, Any]:
        return {
            "tags": [[[card, number] for card, number in tags.items()] for tags in self._of],
            "next": list(self._next),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Tags:
        """Tags read back. Raises ValueError and others where they are unsound."""
        numbers = [*data["next"], *(number for pairs in data["tags"] for pair in pairs for number in pair)]
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("what the tags are counted by are no numbers")
        if [len(data["tags"]), len(data["next"])] != [SEATS, SEATS]:
            raise ValueError("the tags are not those of all seats")
        found = cls()
        found._of = [dict(map(tuple, pairs)) for pairs in data["tags"]]
        found._next = list(data["next"])
        return found

    # ---- Keeping up

    def watch(self, m: State) -> None:
        """Give tags to all that is under a seat's eyes and has none, place by place; take the others away."""
        for cards in m.places:
            self.update(m, cards)

    def update(self, m: State, cards: Iterable[int]) -> None:
        """Give each of the cards the tags that it should have now, in this order; enough where they have moved between
        places of which it does not count what lies on top."""
        for card in cards:
            at = m.at[card]
            follows = -1 if at >= 0 and m.game.followed[at] else eyes(m, card)
            for seat, tags in enumerate(self._of):
                if not follows >> seat & 1:
                    tags.pop(card, None)
                elif card not in tags:
                    tags[card] = self._next[seat]
                    self._next[seat] += 1

    def moved(self, m: State, card: int, source: int, target: int) -> None:
        """A card has moved between places; `source` -1: it was made."""
        self.update(m, (card,))
        topped = m.game.topped
        if source >= 0 and topped[source]:
            self.update(m, m.places[source])
        if topped[target]:
            self.update(m, m.places[target])

    def shuffled(self, m: State, place: int) -> None:
        """The cards of a place were mixed: a seat that does not see all of them has lost them from sight."""
        cards = m.places[place]
        for seat, tags in enumerate(self._of):
            if not all(sees(m, seat, card) for card in cards):
                for card in cards:
                    tags.pop(card, None)
        self.update(m, cards)
