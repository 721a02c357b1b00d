"""What a match is begun with, as it came from a caller or a record: whether it is of the shape that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from card_runtime.errors import InputError
from card_runtime.model import SEATS


def check(decks: Any, options: Any, inputs: Any, cards: Any) -> None:
    """Raise InputError where one of them is something else than `Game.start` takes; what they hold is not looked at."""
    if decks is not None:
        if not isinstance(decks, list | tuple) or len(decks) != SEATS:
            raise InputError(f"`decks` is a list of {SEATS}, one a seat, not {_shown(decks)}")
        for seat, deck in enumerate(decks):
            if deck is not None:
                check_deck(deck, f"the deck of player {seat} is a decklist's name, a list of card ids, or None")
    for name, given in (("options", options), ("inputs", inputs)):
        if not isinstance(given, Mapping) or not _words(list(given)):
            raise InputError(f"`{name}` are values by name, not {_shown(given)}")
    if cards is not None and not (isinstance(cards, list | tuple) and all(isinstance(c, Mapping) for c in cards)):
        raise InputError(f"`cards` is a list of printed cards as the game's schema has them, not {_shown(cards)}")


def check_deck(deck: Any, rule: str = "a deck is a decklist's name or a list of card ids") -> None:
    """Raise InputError where a deck is neither."""
    if not (isinstance(deck, str) or _words(deck)):
        raise InputError(f"{rule}, not {_shown(deck)}")


def _words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an int with more digits than Python writes out
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}…"
