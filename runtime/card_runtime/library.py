"""The small functions that generated code calls in expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from card_runtime import chance, events, grids, moves, registry
from card_runtime.driver import together, together_step, undrawn
from card_runtime.errors import CardFault, Overrun
from card_runtime.sight import sees

if TYPE_CHECKING:
    from card_runtime.state import State

SEATS_FROM = ((0, 1), (1, 0))


def only(cards: Sequence[int]) -> int | None:
    """The card of a place for one."""
    return cards[0] if cards else None


def known(value: Any) -> tuple[Any, ...]:
    """A value that may be none, as a collection of at most one."""
    return () if value == None else (value,)  # noqa: E711 - what stands for the unknown refuses `==`, nothing refuses `is`


def both(m: State, first: int) -> list[int]:
    """The cards of both seats' places from `first`."""
    return m.places[first] + m.places[first + 1]


def top(items: Sequence[Any]) -> Any:
    return items[-1] if items else None


def topmost(items: Sequence[Any], n: int) -> list[Any]:
    """The top `n`, topmost first."""
    return list(items[: -n - 1 : -1]) if n > 0 else []


def lying(m: State, card: int, first: int, end: int, where: str) -> int:
    """A card that a test takes to lie in a zone or on a board. Raises CardFault where it does not."""
    if not first <= m.at[card] < end:
        raise CardFault(f"{m.game.model.cards[m.d[card]].title} does not lie in {where}")
    return card


def entry(items: Sequence[Any], i: int) -> Any:
    """The entry at `i`, from 0. Raises CardFault outside the list."""
    if not 0 <= i < len(items):
        raise CardFault(f"there is no entry {i} in a list of {len(items)}")
    return items[i]


def entry_from(items: Sequence[Any], i: int) -> Any:
    """The entry at an index that is 0 or more. Raises CardFault beyond the list."""
    if i >= len(items):
        raise CardFault(f"there is no entry {i} in a list of {len(items)}")
    return items[i]


GREATEST = 10**15 - 1
"""Numbers have at most 15 digits: a range without an end ends here, and saturates like any other."""


def product(x: int, y: int) -> int:
    """The product, saturated, as what is multiplied again and again outgrows any memory."""
    p = x * y
    return p if -GREATEST <= p <= GREATEST else GREATEST if p > 0 else -GREATEST


def bounded(items: list[Any]) -> list[Any]:
    """A list that is stored. Raises Overrun where it has grown beyond all that a match can hold."""
    if len(items) > moves.MOST_CARDS:
        raise Overrun(f"a list has more than {moves.MOST_CARDS} entries")
    return items


def at_least(x: int, low: int) -> int:
    return low if x < low else x


def at_most(x: int, high: int) -> int:
    return high if x > high else x


def within(x: int, low: int, high: int) -> int:
    return low if x < low else high if x > high else x


def copies(m: State, card: int, deck: Sequence[int]) -> int:
    """How many cards of the deck are the same printed card."""
    return sum(m.d[c] == m.d[card] for c in deck)


def texts(m: State, seat: int) -> list[str]:
    """What the log tells a seat."""
    return [] if m.obs is None else [str(r.get("text", "")) for r in m.obs.log(seat)]


def flaws(m: State, deck: Sequence[int], printed: bool) -> list[str]:
    """The requirements that a deck of these cards breaks in this match, in the game's words."""
    rules = () if m.game.model.deck is None else m.game.model.deck.rules
    cards = [moves.new_card(m, d) for d in deck] if printed else list(deck)
    return [r.message for r in rules if not m.game.code[r.fn](m, cards)]


def told(lines: Sequence[str], text: str) -> bool:
    return any(text in line for line in lines)


GRIDS: dict[str, Any] = {
    f"grid_{f.__name__}": f
    for f in (
        grids.layout,
        grids.spaces,
        grids.occupied,
        grids.adjacent,
        grids.rows,
        grids.columns,
        grids.corners,
        grids.settled,
        grids.full,
        grids.near,
        grids.at_xy,
        grids.put_xy,
    )
}

EXPORTS: dict[str, Any] = (
    GRIDS
    | {
        f.__name__: f
        for f in (
            only,
            known,
            both,
            top,
            topmost,
            lying,
            entry,
            entry_from,
            product,
            bounded,
            at_least,
            at_most,
            within,
            copies,
            flaws,
            texts,
            told,
            sees,
            together,
            together_step,
            undrawn,
            moves.move,
            moves.move_all,
            moves.move_places,
            moves.unregister_all,
            moves.draw,
            moves.copy_cards,
            moves.new_card,
            moves.shuffle,
            moves.pick,
            chance.sample,
            moves.reveal,
            moves.reveal_state,
            moves.form_of,
            moves.set_form,
            moves.exchange,
            registry.lender,
            grids.arrived,
            grids.fade,
            events.tick,
            events.passes,
            events.unused,
            events.replaced,
            events.fire,
            events.run,
            events.hold,
            events.release,
            events.call,
            events.done,
            events.release_step,
            events.run_step,
            events.lasting,
            events.end_period,
            events.finish,
            events.skip,
        )
    }
    | {"SEATS_FROM": SEATS_FROM, "MOST_CARDS": moves.MOST_CARDS}
    | {"MOST_DEPTH": events.MOST_DEPTH, "MOST_STEPS": events.MOST_STEPS, "too_deep": events.too_much}
)
