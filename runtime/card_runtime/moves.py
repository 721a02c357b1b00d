"""Where cards go: what generated code calls to move, draw, copy, shuffle and show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from card_runtime import chance
from card_runtime.errors import CardFault, Overrun
from card_runtime.grids import Outline, fade, present, wander
from card_runtime.registry import keep, lender, register, take, unregister
from card_runtime.sight import eyes, sees

if TYPE_CHECKING:
    from card_runtime.observer import Left
    from card_runtime.state import State

MOST_CARDS = 20_000


# ---- Forms and exchanged abilities


def form_of(m: State, card: int) -> int | None:
    """The form that a card has now, or None."""
    printed = m.d[card]
    return None if m.base[printed] == printed else printed


def set_form(m: State, card: int, form: int | None) -> None:
    """Give a card a form of its own printed card, or take it away."""
    base = m.base[m.d[card]]
    new = base if form is None else form
    if new == m.d[card]:
        return
    if m.base[new] != base:
        raise CardFault(f"{m.printed[new].title} is no form of {m.printed[base].title}")
    home = m.game.home[m.at[card]] if m.at[card] >= 0 else -1
    bearers = [card]
    if m.borrowed:
        bearers += [b for b, lent in m.borrowed.items() if card in lent.values() and b != card]
    for b in bearers:
        unregister(m, b, home)
    m.d[card] = new
    for b in bearers:
        register(m, b, home)
    if m.obs is not None:
        m.obs.formed(m, card)


def exchange(m: State, slots: tuple[str, ...], a: int, b: int) -> None:
    """Let two cards bear each other's abilities in these slots, until one of them leaves."""
    game = m.game
    if m.at[a] < 0 or m.at[b] < 0 or a == b or game.home[m.at[a]] != game.home[m.at[b]]:
        return
    home = game.home[m.at[a]]
    unregister(m, a, home)
    unregister(m, b, home)
    for slot in slots:
        of_a, of_b = lender(m, a, slot), lender(m, b, slot)
        _lend(m, a, slot, of_b)
        _lend(m, b, slot, of_a)
    register(m, a, home)
    register(m, b, home)
    if m.obs is not None:
        m.obs.exchanged(m, a, b, slots)


def _lend(m: State, bearer: int, slot: str, source: int) -> None:
    lent = {**m.borrowed.get(bearer, {}), slot: source}
    if source == bearer:
        del lent[slot]
    m.borrowed = {**m.borrowed, bearer: lent}
    if not lent:
        m.borrowed = {c: x for c, x in m.borrowed.items() if c != bearer}


def give_back(m: State, card: int) -> None:
    """`card` leaves: what it bears of others, and what others bear of it, is their own again."""
    touched = [b for b, lent in m.borrowed.items() if b == card or card in lent.values()]
    if not touched:
        return
    home = m.game.home[m.at[card]]
    for b in touched:
        unregister(m, b, home)
    for b in touched:
        for slot, source in list(m.borrowed.get(b, {}).items()):
            if card in (b, source):
                _lend(m, b, slot, b)
    for b in touched:
        register(m, b, home)


# ---- Moving


def full(m: State, to: int) -> bool:
    most = m.caps[to]
    return most is not None and len(m.places[to]) >= most


def move(
    m: State, card: int, to: int, up: bool | None = None, bottom: bool = False, left: Left = None
) -> None:
    """Put `card` at the end (the top) of place `to`, or at its bottom. A full place takes nothing: the move fails, and
    the log says so.

    `up` None: face up, but a card that stays on its board keeps its face. `left`: where the log says it comes from, if
    not from where it lies."""
    game, obs, at = m.game, m.obs, m.at
    source, most = at[card], m.caps[to]
    if (obs is None or obs.limit == 0) and source >= 0 and game.swift[to] and not bottom and not m.borrowed:
        m.places[source].remove(card)
        _swiftly(m, card, source, to, up is None or up)
        return
    if most is not None and source != to and len(m.places[to]) >= most:
        m.failed = True
        if obs is not None:
            obs.failed(m, card, to)
        return
    seen = 0
    if obs is not None:
        seen = eyes(m, card)
        left = left or obs.leaving(m, (card,))[0]
    home, stays = game.home[to], False
    before = _outline(m, source, to) if game.fading else None
    if source >= 0:
        old = game.home[source]
        stays = old == home
        if m.borrowed and not stays:
            give_back(m, card)
        if m.statics[old] is not None:
            unregister(m, card, old)
        m.places[source].remove(card)
        if not stays and game.is_board[source]:
            reset(m, card)
    if bottom:
        m.places[to].insert(0, card)
    else:
        m.places[to].append(card)
    at[card] = to
    if game.grids:
        m.forget_layouts()
    if game.fading:
        _fade(m, source, to)
        if before is not None:
            wander(m, game.fading[game.places[to].board], before, game.element[to])
    seat = game.seat[to]
    if seat is not None:
        m.own[card] = seat
    if up is not None:
        m.up[card] = up
    elif not stays or not game.is_board[to]:
        m.up[card] = True
    if not stays and game.ages[to]:
        m.clock += 1
        m.age[card] = m.clock
    if m.statics[home] is not None:
        register(m, card, home)
    if m.known:
        m.known.pop(card, None)
    if obs is not None:
        obs.moved(m, card, source, to, left, seen)


def move_all(m: State, cards: Sequence[int], to: int, up: bool | None = None, bottom: bool = False) -> None:
    """Move each of the cards, in order."""
    cards = [*cards]
    left = [None] * len(cards) if m.obs is None else m.obs.leaving(m, cards)
    for card, where in zip(cards, left, strict=True):
        move(m, card, to, up, bottom, where)


def move_places(m: State, sources: Sequence[list[int]], to: int) -> None:
    """Move all cards of some places of one zone or board, in order; at less cost into another zone without limit,
    slots and log."""
    game, at = m.game, m.at
    cards = sources[0] if len(sources) == 1 else [card for source in sources for card in source]
    if not cards:
        return
    first = at[cards[0]]
    at_once = game.swift[to] and not m.borrowed and game.home[first] != game.home[to]
    if not at_once or not _untold(m, to, *(at[source[0]] for source in sources if source)):
        move_all(m, cards, to)
        return
    if len(cards) == 1:
        card = cards[0]
        m.places[first].clear()
        _swiftly(m, card, first, to, True)
        return
    cards = cards.copy()
    for source in sources:
        source.clear()
    m.places[to] += cards
    up, own, seat = m.up, m.own, game.seat[to]
    for card in cards:
        at[card] = to
        up[card] = True
    if seat is not None:
        for card in cards:
            own[card] = seat
    if m.known:
        for card in cards:
            m.known.pop(card, None)
    if game.grids:
        m.forget_layouts()
    if game.fading:
        _fade(m, first, to)
    if not game.plain[first]:
        if game.is_board[first]:
            renew(m, cards, game.sole[first])
        unregister_all(m, cards)
    if m.obs is not None:
        m.obs.tags.update(m, cards)


def _untold(m: State, *places: int) -> bool:
    """Whether cards may go between these places all at once: no log tells of each by itself, and no card is seen for as
    long as no other lies on it."""
    obs = m.obs
    return obs is None or (obs.limit == 0 and not any(map(m.game.topped.__getitem__, places)))


def _swiftly(m: State, card: int, source: int, to: int, up: bool) -> None:
    """The rest of a move to a zone without limit, slots and log, of a card that was taken out of its list and bears
    nobody else's abilities."""
    game = m.game
    if not game.plain[source]:
        brought = m.statics[game.home[source]]
        if brought is not None:
            take(m, card, brought[m.d[card]])
        if game.is_board[source]:
            reset(m, card)
        if game.grids:
            m.forget_layouts()
        if game.fading:
            _fade(m, source, to)
    m.places[to].append(card)
    m.at[card] = to
    m.up[card] = up
    if (seat := game.seat[to]) is not None:
        m.own[card] = seat
    if m.known:
        m.known.pop(card, None)
    if m.obs is not None:
        m.obs.tags.moved(m, card, source, to)


def _outline(m: State, source: int, to: int) -> Outline | None:
    """The outline of a grid that floats, before a card goes from one of its spaces to another."""
    board = m.game.places[to].board
    if source < 0 or m.game.places[source].board != board or board not in m.game.fading:
        return None
    return present(m, m.game.fading[board]).outline


def _fade(m: State, *places: int) -> None:
    """Let the grids of these places forget what is out of reach there."""
    for grid in {m.game.places[place].board for place in places if place >= 0} & m.game.fading.keys():
        fade(m, m.game.fading[grid])


def unregister_all(m: State, cards: list[int]) -> None:
    """Take out what many cards have brought, which lie elsewhere already."""
    game = m.game
    if m.lasting or any(map(m.places.__getitem__, game.slotted)):
        gone = set(cards)
        for name in game.registries:
            keep(getattr(m, name), lambda e: e[1] not in gone)
    else:
        m.forget_lines()


def reset(m: State, card: int) -> None:
    """State and form of a card that leaves a board for a zone return to their defaults."""
    if m.game.has_forms:
        m.d[card] = m.base[m.d[card]]
    fn = m.game.resets[m.K[m.d[card]]]
    if fn is not None:
        fn(m, (card,))


def renew(m: State, cards: Sequence[int], sole: bool = False) -> None:
    """`reset` for many cards; `sole`: they are surely of one kind."""
    kinds, d = m.K, m.d
    if m.game.has_forms:
        for card in cards:
            d[card] = m.base[d[card]]
    kind = kinds[d[cards[0]]]
    if sole or all([kinds[d[card]] == kind for card in cards]):
        fn = m.game.resets[kind]
        if fn is not None:
            fn(m, cards)
    else:
        for card in cards:
            reset(m, card)


def draw(m: State, count: int, source: int, to: int) -> None:
    """Move up to `count` cards from the top of one place to another."""
    here, game = m.places[source], m.game
    if game.swift[to] and game.plain[source] and _untold(m, source, to):
        if count < 1 or not here:
            return
        if count == 1 or source == to:  # the first one is on top again, so nothing more happens
            card = here.pop()
            m.places[to].append(card)
            m.at[card] = to
            m.up[card] = True
            if game.seat[to] is not None:
                m.own[card] = game.seat[to]
            if m.known:
                m.known.pop(card, None)
            if m.obs is not None:
                m.obs.tags.update(m, (card,))
            return
        cards = here[: -count - 1 : -1]
        del here[-count:]
        m.places[to] += cards
        at, up, own, seat = m.at, m.up, m.own, game.seat[to]
        for card in cards:
            at[card] = to
            up[card] = True
        if seat is not None:
            for card in cards:
                own[card] = seat
        if m.known:
            for card in cards:
                m.known.pop(card, None)
        if m.obs is not None:
            m.obs.tags.update(m, cards)
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
    m.age.append(0)
    m.more_cards(1)
    reset(m, card)
    return card


def copy_cards(m: State, printed: Sequence[int], to: int) -> None:
    """Make a card of each printed card and put it there."""
    if m.game.swift[to] and _untold(m, to):
        if len(printed) == 1:
            _copy_one(m, printed[0], to)
        else:
            _copy_plain(m, list(printed), to)
        return
    if m.caps[to] is None and len(m.d) + len(printed) > MOST_CARDS:
        raise Overrun(f"more than {MOST_CARDS} cards were made")
    for p in printed:
        m.steps += 1
        if m.caps[to] is not None and full(m, to):
            return
        move(m, new_card(m, p), to)


def _copy_one(m: State, printed: int, to: int) -> None:
    """One new card, for a zone without limit, slots and log."""
    card, game = len(m.d), m.game
    if card >= MOST_CARDS:
        raise Overrun(f"more than {MOST_CARDS} cards were made")
    m.steps += 1
    m.d.append(printed)
    m.at.append(to)
    m.own.append(game.seat[to])
    m.up.append(True)
    m.age.append(0)
    m.more_cards(1)
    m.places[to].append(card)
    reset(m, card)
    if m.obs is not None:
        m.obs.tags.update(m, (card,))


def _copy_plain(m: State, printed: list[int], to: int) -> None:
    """Many new cards at once, for a zone without limit, slots and log."""
    first, n = len(m.d), len(printed)
    if not n:
        return
    if first + n > MOST_CARDS:
        raise Overrun(f"more than {MOST_CARDS} cards were made")
    m.steps += n
    m.d += printed
    m.at += [to] * n
    m.own += [m.game.seat[to]] * n
    m.up += [True] * n
    m.age += [0] * n
    m.more_cards(n)
    cards = range(first, first + n)
    m.places[to] += cards
    renew(m, cards, m.game.sole[to])
    if m.obs is not None:
        m.obs.tags.update(m, cards)


def shuffle(m: State, place: int) -> None:
    """Shuffle a place; who was shown its cards knows them no more."""
    here = m.places[place]
    if m.chance is None:
        chance.shuffle(m, chance.SHUFFLE, here)
    else:
        here[:] = supplied_order(m, "shuffle " + m.game.places[place].name, here)
    if m.known:
        for card in here:
            m.known.pop(card, None)
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


def reveal(m: State, cards: Sequence[int], seats: int) -> None:
    """Show cards, with their hidden state, to the seats of a bit mask; to all: those face down on a board turn up.
    `m.known` keeps what the place alone would not show."""
    game, obs, up, at = m.game, m.obs, m.up, m.at
    is_open, is_board = game.open, game.is_board
    for card in cards:
        place = at[card]
        seen = 0
        if obs is not None:
            seen = eyes(m, card)
        elif up[card] and place >= 0 and is_open[place] and not game.secrets[m.K[m.d[card]]]:
            continue
        if seats == 3 and place >= 0 and is_board[place]:
            up[card] = True
        secrets = game.secrets[m.K[m.d[card]]]
        told = m.known.get(card, 0) & seats == seats
        if secrets:
            m.known[card] = m.known.get(card, 0) | seats
        elif not (up[card] and place >= 0 and is_open[place]):
            for seat in (0, 1):
                if seats >> seat & 1 and not sees(m, seat, card):
                    m.known[card] = m.known.get(card, 0) | 1 << seat
        if obs is not None:
            obs.revealed(m, card, seats, seen)
            if secrets and not told:
                obs.revealed_state(m, card, secrets)


def reveal_state(m: State, field: str, players: Sequence[int], seats: int) -> None:
    """Show hidden state of players, until it is next set."""
    shown: list[int] = getattr(m, f"h_{field}")
    for p in players:
        shown[p] |= seats
        if m.obs is not None:
            m.obs.shown(m, ("player", field, p), getattr(m, f"p_{field}")[p])
