"""Decks: what a caller names, whether the rules allow it, and the cards it puts into a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from card_runtime.errors import InputError, nearest, quoted, written
from card_runtime.faults import located
from card_runtime.model import SEATS

if TYPE_CHECKING:
    from card_runtime.beginning import Deck, Decks
    from card_runtime.game import Game
    from card_runtime.state import State

MOST_IN_DECK = 2000
"""Who brings a deck may be anybody: reading and judging it must not take long."""
MOST_TOLD = 20
"""So many cards of a deck are told as unknown, each with what is near."""


def put(game: Game, m: State, decks: Decks | None, options: dict[str, Any]) -> None:
    """Put each player's deck where its cards start, None the game's own; `options` as generated code has them. Raises
    InputError."""
    if game.model.deck is None:
        if decks is not None and any(deck is not None for deck in decks):
            raise _deckless(game, "leave `decks` out")
        return
    own = None if m.printed is game.tables["printed"] else {name: getattr(m, name) for name in game.tables}
    for seat, deck in enumerate([None] * SEATS if decks is None else decks):
        ids = _ids(game, deck, seat)
        broken = _broken(game, ids, options, own)
        if broken:
            raise InputError(f"the deck of player {seat} breaks the rules: {'; '.join(broken)}")
        _put(game, m, seat, ids)


def check(game: Game, deck: Deck, options: dict[str, Any]) -> list[str]:
    """The requirements that a deck breaks, in the game's words; `options` as generated code has them. Raises
    InputError."""
    if game.model.deck is None:
        raise _deckless(game, "there is nothing to check")
    return _broken(game, _ids(game, deck, 0), options)


def _deckless(game: Game, way_out: str) -> InputError:
    return InputError(f"{game.model.game.title} has no decks: {way_out}")


def _ids(game: Game, deck: Deck | None, seat: int) -> list[str]:
    """The ids of its cards, one by one."""
    model = game.model
    lists = {d.name: d for d in model.decklists}
    if deck is None:
        if not lists:
            raise InputError("the game declares no decklist: give each seat a list of card ids")
        found = model.decklists[min(seat, len(lists) - 1)]
    elif isinstance(deck, str):
        if deck not in lists:
            raise InputError(f"no decklist is called {written(deck)}: there are {quoted(nearest(deck, lists, 9))}")
        found = lists[deck]
    elif len(deck) > MOST_IN_DECK:
        raise InputError(f"a deck has at most {MOST_IN_DECK} cards, not {len(deck)}")
    else:
        return list(deck)
    return [card for count, card in found.entries for _ in range(count)]


def _broken(game: Game, ids: Sequence[str], options: dict[str, Any], own: dict[str, Any] | None = None) -> list[str]:
    """`own`: the tables of cards that the match brings along."""
    assert game.model.deck is not None
    m = game.bare_state(options, own)
    index = _index(game, m)
    unknown = [i for i in dict.fromkeys(ids) if i not in index]
    if unknown:
        more = len(unknown) - MOST_TOLD
        told = [_unknown(game, i, index) for i in unknown[:MOST_TOLD]]
        return told + [f"no card is called as {more} more of the deck are"] * (more > 0)
    wrong = [i for i in dict.fromkeys(ids) if _zone_of(game, m, index[i]) is None]
    if wrong:
        return [f"{i} is no card for a deck" for i in wrong]
    cards = _put(game, m, 0, ids)
    try:
        return [r.message for r in game.model.deck.rules if not game.code[r.fn](m, cards)]
    except Exception as error:
        located(game, error)


def _index(game: Game, m: State) -> dict[str, int]:
    """The printed cards of a match by id."""
    if m.printed is game.tables["printed"]:
        return game.index
    return {c.id: i for i, c in reversed(list(enumerate(m.printed)))}


def _unknown(game: Game, id: str, index: dict[str, int]) -> str:
    if form := next((card for card in game.model.cards if card.id == id and card.base is not None), None):
        return f"{id} is a form of {form.base}: a deck has the card itself"
    return f"no card is called {written(id)}" + (f"; near are {quoted(nearest(id, index))}" if index else "")


def _zone_of(game: Game, m: State, printed: int) -> int | None:
    """The first place of the zone in which such a card of a deck starts."""
    assert game.model.deck is not None
    zones = {z.name: z.first for z in game.model.zones}
    into = dict(game.model.deck.into)
    found = next((into[kind.name] for kind in game.chains[m.printed[printed].kind] if kind.name in into), None)
    return None if found is None else zones[found]


def _put(game: Game, m: State, seat: int, ids: Sequence[str]) -> list[int]:
    """Put a deck where it starts; `_broken` has found that all its cards are cards for a deck."""
    new_card, move = game.code["new_card"], game.code["move"]
    index = _index(game, m)
    cards = []
    for i in ids:
        first = _zone_of(game, m, index[i])
        assert first is not None
        card = new_card(m, index[i])
        move(m, card, first + seat)
        cards.append(card)
    m.decks[seat] = cards
    return cards
