"""Where cards go: what generated code calls to move, draw, copy, shuffle and show them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from card_runtime import chance
from card_runtime.errors import Overrun

if TYPE_CHECKING:
    from card_runtime.state import State

MOST_CARDS = 100_000


# ---- Static abilities come and go with their bearer


def register(m: State, card: int, home: int) -> None:
    """Enter the lines that `card` brings to `home` (a zone or a board) into the registries."""
    lines = m.statics[m.d[card]]
    if lines is not None and home in lines:
        for line in lines[home]:
            enter(m, line, card, m.age[card])


def unregister(m: State, card: int, home: int) -> None:
    lines = m.statics[m.d[card]]
    if lines is not None and home in lines:
        for line in lines[home]:
            remove(m, line, card)


def enter(m: State, line: Any, bearer: Any, age: int) -> None:
    """Insert an entry at its place: by layer, priority, age, printed order."""
    entries = list(getattr(m, line.registry))
    insort(entries, ((line.layer, line.priority, age, line.order), bearer, line.fn, line), key=lambda e: e[0])
    setattr(m, line.registry, tuple(entries))


def remove(m: State, line: Any, bearer: Any) -> None:
    entries = getattr(m, line.registry)
    setattr(m, line.registry, tuple(e for e in entries if e[3] is not line or e[1] != bearer))


# ---- Moving


def full(m: State, to: int) -> bool:
    most = m.caps[to]
    return most is not None and len(m.places[to]) >= most


def move(m: State, card: int, to: int, up: bool | None = None, bottom: bool = False) -> None:
    """Put `card` at the end (the top) of place `to`, or at its bottom. A full place takes nothing: the move fails, and the log says so.

    `up` None: face up, but a card that stays on its board keeps its face."""
    game = m.game
    source = m.at[card]
    if m.caps[to] is not None and source != to and full(m, to):
        m.failed = True
        if m.obs is not None:
            m.obs.failed(m, card, to)
        return
    obs = m.obs
    seen = obs.before(m, card) if obs is not None else 0
    home = game.home[to]
    if source >= 0:
        m.places[source].remove(card)
        if game.home[source] != home:
            if game.home[source] >= 0:
                unregister(m, card, game.home[source])
            if game.is_board[source]:
                reset(m, card)
    here = m.places[to]
    if bottom:
        here.insert(0, card)
    else:
        here.append(card)
    m.at[card] = to
    seat = game.seat[to]
    if seat is not None:
        m.own[card] = seat
    if source < 0 or game.home[source] != home:
        m.up[card] = True if up is None else up
        m.clock += 1
        m.age[card] = m.clock
        if m.statics[m.d[card]] is not None:
            register(m, card, home)
    elif up is not None:
        m.up[card] = up
    elif not game.is_board[to]:
        m.up[card] = True
    m.known[card] = 0
    if obs is not None:
        obs.moved(m, card, source, to, seen)


def leave_zone(m: State, card: int, to: int, up: bool) -> None:
    """What `move` does for a card from a zone in which no static slot works, at less cost."""
    here, most = m.places[to], m.caps[to]
    if m.obs is not None or (most is not None and len(here) >= most):
        move(m, card, to, up)
        return
    game = m.game
    source = m.at[card]
    m.places[source].remove(card)
    here.append(card)
    m.at[card] = to
    seat = game.seat[to]
    if seat is not None:
        m.own[card] = seat
    m.up[card] = up
    m.known[card] = 0
    home = game.home[to]
    if game.home[source] != home:
        m.clock += 1
        m.age[card] = m.clock
        lines = m.statics[m.d[card]]
        if lines is not None and home in lines:
            register(m, card, home)


def move_all(m: State, cards: Sequence[int], to: int, up: bool | None = None, bottom: bool = False) -> None:
    """Move each of the cards, in order."""
    if m.obs is None and m.caps[to] is None and not bottom and up is None and not m.game.is_board[to] and m.game.plain[to]:
        sweep(m, cards, to)
        return
    for card in [*cards]:
        move(m, card, to, up, bottom)


def sweep(m: State, cards: Sequence[int], to: int) -> None:
    """What `move_all` does for a zone without limit, slots and log, at less cost."""
    game, places, at, up, known, age, d = m.game, m.places, m.at, m.up, m.known, m.age, m.d
    home, is_board, statics = game.home, game.is_board, m.statics
    target, seat = home[to], game.seat[to]
    cards = [*cards]
    clock = m.clock
    for card in cards:
        source = at[card]
        if source >= 0:
            places[source].remove(card)
            if home[source] != target:
                if statics[d[card]] is not None:
                    unregister(m, card, home[source])
                if is_board[source]:
                    reset(m, card)
                clock += 1
                age[card] = clock
        else:
            clock += 1
            age[card] = clock
        at[card] = to
        up[card] = True
        known[card] = 0
        if seat is not None:
            m.own[card] = seat
        places[to].append(card)
    m.clock = clock


def reset(m: State, card: int) -> None:
    """State of a card that leaves a board for a zone returns to its defaults."""
    fn = m.game.resets[m.K[m.d[card]]]
    if fn is not None:
        fn(m, card)


def draw(m: State, count: int, source: int, to: int) -> None:
    """Move up to `count` cards from the top of one place to another."""
    here = m.places[source]
    if m.obs is None and m.caps[to] is None and m.game.bare[source] and m.game.plain[to]:
        cards = here[: -count - 1 : -1] if count > 0 else []
        if not cards:
            return
        del here[len(here) - len(cards) :]
        m.places[to].extend(cards)
        at, up, known, age = m.at, m.up, m.known, m.age
        seat, clock = m.game.seat[to], m.clock
        for card in cards:
            clock += 1
            at[card] = to
            up[card] = True
            known[card] = 0
            age[card] = clock
            if seat is not None:
                m.own[card] = seat
        m.clock = clock
        return
    for _ in range(count):
        if not here:
            return
        left = len(here)
        move(m, here[-1], to)
        if len(here) == left:
            return


# ---- Making, shuffling, showing


def new_card(m: State, printed: int, owner: int | None = None) -> int:
    """A new card that lies nowhere yet."""
    card = len(m.d)
    if card >= MOST_CARDS:
        raise Overrun(f"more than {MOST_CARDS} cards were made")
    m.d.append(printed)
    m.at.append(-1)
    m.own.append(owner)
    m.up.append(True)
    m.known.append(0)
    m.age.append(0)
    for values in m.game.card_lists(m):
        values.append(None)
    reset(m, card)
    return card


def copy_cards(m: State, printed: Sequence[int], to: int) -> None:
    """Make a card of each printed card and put it there."""
    if m.obs is None and m.caps[to] is None and m.game.plain[to]:
        _copy_plain(m, list(printed), to)
        return
    for p in printed:
        m.steps += 1
        if m.caps[to] is not None and full(m, to):
            return
        move(m, new_card(m, p), to)


def _copy_plain(m: State, printed: list[int], to: int) -> None:
    """Many new cards at once, for a zone without limit, slots and log."""
    first, n = len(m.d), len(printed)
    if first + n > MOST_CARDS:
        raise Overrun(f"more than {MOST_CARDS} cards were made")
    m.steps += n
    m.d.extend(printed)
    m.at.extend([to] * n)
    m.own.extend([m.game.seat[to]] * n)
    m.up.extend([True] * n)
    m.known.extend([0] * n)
    m.age.extend(range(m.clock + 1, m.clock + n + 1))
    m.clock += n
    for values in m.game.card_lists(m):
        values.extend([None] * n)
    cards = range(first, first + n)
    m.places[to].extend(cards)
    for card in cards:
        reset(m, card)


def shuffle(m: State, place: int) -> None:
    """Shuffle a place; who was shown its cards knows them no more."""
    here = m.places[place]
    name = "shuffle " + m.game.places[place].name
    if m.chance is None:
        here[:] = chance.shuffled(m, chance.SHUFFLE, here)
    else:
        here[:] = supplied_order(m, name, here)
    for card in here:
        m.known[card] = 0
    if m.obs is not None:
        m.obs.shuffled(m, place)


def supplied_order(m: State, name: str, cards: list[int]) -> list[int]:
    """The order that the supplied source gives to printed ids; equal ones stay in their order."""
    order = m.chance.shuffle(name, [Named(m.printed[m.d[c]].id, c) for c in cards])
    return [c.card for c in order]


class Named(str):
    """A printed id that remembers the card it stands for."""

    card: int

    def __new__(cls, name: str, card: int) -> Named:
        self = super().__new__(cls, name)
        self.card = card
        return self


def pick(m: State, stream: int, name: str, items: Sequence[Any]) -> Any:
    """One of the items at random, or None where there is none."""
    if not items:
        return None
    if m.chance is not None:
        return m.chance.pick(name, list(items))
    return items[chance.below(m, stream, len(items))]


def sample(m: State, stream: int, name: str, items: Sequence[Any], count: int) -> list[Any]:
    """`count` different items at random, fewer where there are not so many."""
    left = list(items)
    out = []
    for _ in range(min(count, len(left))):
        item = m.chance.pick(name, list(left)) if m.chance is not None else left[chance.below(m, stream, len(left))]
        left.remove(item)
        out.append(item)
    return out


def reveal(m: State, cards: Sequence[int], seats: int) -> None:
    """Show cards to the seats of a bit mask; to all: those face down on a board are turned up."""
    for card in cards:
        obs = m.obs
        seen = obs.before(m, card) if obs is not None else 0
        if seats == 3 and not m.up[card] and m.at[card] >= 0 and m.game.is_board[m.at[card]]:
            m.up[card] = True
        if m.known[card] | seats != m.known[card]:
            m.known[card] |= seats
        if obs is not None:
            obs.revealed(m, card, seats, seen)


def reveal_state(m: State, field: str, players: Sequence[int], seats: int) -> None:
    """Show hidden state of players, until it is next set."""
    for p in players:
        key = (f"p_{field}", p)
        m.shown[key] = m.shown.get(key, 0) | seats
        if m.obs is not None:
            m.obs.shown(m, ("player", field, p), getattr(m, f"p_{field}")[p])
