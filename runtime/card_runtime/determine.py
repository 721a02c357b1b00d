"""A match in which all that a seat cannot know is drawn again, legally: for search and for testing secrecy.

Dealt again are the printed cards of all cards that the seat does not see, among themselves, and their order in places
that are not followed by eye; chance to come is new. What lies where, how many, who owns it and how it is turned stays.
A card gets only what its place may hold, what rules that hold it can go on with (`spoken`), and what the game's
`unseen` rules allow there. Cards that came with a seat's deck stay in that deck; others keep to their owner unless the
game has a hidden place that players share. A card with state that is not its default keeps its kind and that state.

Hidden state (`owner sees`) is kept as it is: the game does not say which values would be legal. So is what rules that
are at work have read of hidden cards and still go by; the compiler warns of it. An answer that another seat has locked
in secret is drawn anew from the options that the seat then has.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from card_runtime import driver, events, sight
from card_runtime.chance import keys
from card_runtime.depth import deep
from card_runtime.errors import CardError
from card_runtime.moves import reset
from card_runtime.spoken import spoken_of

if TYPE_CHECKING:
    from card_runtime.state import Frame, State, Wait

TRIES = 20
"""How often a deal is drawn before the true one is kept: more than once only if rules read several hidden cards, or if
the other seat could not be asked what it is asked."""


def determinise(m: State, seat: int, seed: int | str = 0) -> State:
    """A clone of the match in which what `seat` does not know is drawn from `seed`.

    Its view and log for `seat` are those of `m`; the logs of others are dropped. A question to another seat is asked
    anew, as its options may depend on what was drawn, and so is an answer that it has locked in secret; where it has
    none, the cards are drawn again."""
    rng = random.Random(seed)
    hidden = _hidden(m, seat)
    secret = driver.secret(m)
    for tries in range(TRIES + 1):
        c = _drawn(m, seat, hidden if tries < TRIES else [], rng)
        if c.wait is None or (_is_asked(c) if c.wait[0] == seat and not secret else _asks_again(m, c, seat, rng)):
            break
    else:
        c = _drawn(m, seat, [], rng)
    c.obs = None if m.obs is None else m.obs.only(c, seat)
    return c


def _hidden(m: State, seat: int) -> list[int]:
    """The cards that the seat does not see, in an order that tells nothing of them: so what is drawn follows from what
    the seat knows, and the seed."""
    places = [cards if decl.tracked else sorted(cards) for cards, decl in zip(m.places, m.game.places, strict=True)]
    return [card for cards in places for card in cards if not sight.sees(m, seat, card)]


def _drawn(m: State, seat: int, hidden: list[int], rng: random.Random) -> State:
    """A clone for the seat with the hidden cards dealt and mixed anew, and other chance to come."""
    c = m.clone()
    c.obs = None
    redeal(c, hidden, rng)
    unseen = set(hidden)
    for place, decl in enumerate(m.game.places):
        if decl.tracked:
            continue
        cards, kept = c.places[place], []
        if decl.sight == "top" and cards and cards[-1] in unseen:  # no card that the seat would see on top can be there
            others = sorted(card for card in cards if card in unseen and not c.up[card] and c.own[card] != seat)
            kept = [others[int(rng.random() * len(others))]]
            cards.remove(*kept)
        _mix(cards, unseen, rng)
        cards += kept
    c.seed = int(rng.random() * 2**53)
    c.keys = keys(c.seed)
    c.chance = None
    c.rebuild()
    return c


def _is_asked(c: State) -> bool:
    """Whether the seat would be asked what it is asked: only an offer may be that of a card that it does not see, as
    cards can bear each other's abilities."""
    f = c.frames[-1]
    return f[0] != "·offer" or offered(c, f) == c.wait


def offered(m: State, f: Frame) -> Wait | None:
    """The question that a frame `·offer` asks in this state."""
    c = m.clone()
    c.wait = None
    c.frames = [[f[0], 0, *f[2:]]]
    events.KERNEL_FRAMES[f[0]](c, c.frames[0])
    return c.wait


class _Skipped(CardError):
    """A question has no option."""


class _Asking:
    """Looks on while a question is asked again: the match must not go on without it, though it may come back to it."""

    def skipped(self, m: State, seat: int, site: str) -> None:
        raise _Skipped


def _asks_again(m: State, c: State, seat: int, rng: random.Random) -> bool:
    """Ask other seats anew, and tell whether they are still asked: that they were is known to all."""
    secret = driver.secret(c)
    asking: Any = _Asking()
    c.obs = asking
    try:
        if secret:
            driver.reask_others(c, seat, rng.random)
        else:
            driver.reask(c)
    except CardError:
        return False
    finally:
        c.obs = None
    if m.wait is None or c.wait is None or c.wait[0] != m.wait[0] or len(c.frames) != len(m.frames):
        return False
    if secret and [w is None for w in c.frames[-1][4]] != [w is None for w in m.frames[-1][4]]:
        return False
    return bool(c.frames[-1][:2] == m.frames[-1][:2])


def _mix(cards: list[int], unseen: set[int], rng: random.Random) -> None:
    """Shuffle the unseen cards of a place among their positions, whatever their order was."""
    positions = [i for i, card in enumerate(cards) if card in unseen]
    for i, card in zip(positions, sorted([cards[i] for i in positions]), strict=True):
        cards[i] = card
    for last in range(len(positions) - 1, 0, -1):
        i, j = positions[int(rng.random() * (last + 1))], positions[last]
        cards[i], cards[j] = cards[j], cards[i]


# ---- Dealing


def redeal(c: State, hidden: Sequence[int], rng: random.Random) -> None:
    """Give the hidden cards each other's printed cards; none changes if no legal deal is found.

    The registries are left as they are: `rebuild` makes them fit."""
    states = States(c)
    marked = {card for card in hidden if not states.default(card)}
    before = {card: c.d[card] for card in hidden}
    needs = spoken_of(c)
    groups: dict[tuple[str, int | None], list[int]] = {}
    decks = {card: seat for seat, deck in enumerate(c.decks) for card in deck}
    for card in hidden:
        groups.setdefault(_group(c, card, decks), []).append(card)
    for cards in groups.values():
        candidates = _candidates(c, cards, marked, states, needs)
        for _ in range(TRIES):
            dealt = _match(candidates, sorted(before[card] for card in cards), rng)
            if dealt is None:
                break
            states.give(cards, dealt, marked)
            if all(_allowed(c, card) for card in cards):
                break
        else:
            dealt = None
        if dealt is None:
            states.give(cards, [before[card] for card in cards], marked)
        _follow(c, cards, before)


def _follow(c: State, cards: Sequence[int], before: Mapping[int, int]) -> None:
    """Let what lasts without its card speak of a card that is now what its card was: which one that is lies open.

    A replacement at work stays as it is: its code that runs speaks of the old card as well."""
    spoken_of = {env[i] for _, names, env, _ in c.lasting for i in c.game.lines[names[0]].cards}
    lost = [card for card in cards if card in spoken_of and c.d[card] != before[card]]
    free = [card for card in cards if card not in spoken_of or c.d[card] != before[card]]
    heirs: dict[int, int] = {}
    for card in lost:
        alike = [other for other in free if c.d[other] == before[card]]
        if alike:
            heirs[card] = next((other for other in alike if c.at[other] == c.at[card]), alike[0])
            free.remove(heirs[card])
    if not heirs:
        return
    at_work = [bearer for bearer, _ in c.using]
    new: dict[Any, tuple[Any, ...]] = {}
    for _, names, env, _ in c.lasting:
        if env not in at_work:
            which = c.game.lines[names[0]].cards
            new[events.frozen(env)] = tuple([heirs.get(x, x) if i in which else x for i, x in enumerate(env)])
    c.lasting = [(age, names, new.get(events.frozen(env), env), period) for age, names, env, period in c.lasting]
    events.rename_bearers(c.frames, new)


def _group(c: State, card: int, decks: dict[int, int]) -> tuple[str, int | None]:
    """Cards of one group may be each other, for all that anybody can know who follows the game."""
    if card in decks:
        return "deck", decks[card]
    if any(not zone.each and zone.sight != "all" for zone in c.game.model.zones):
        return "shared", None
    return "owner", c.own[card]


def _candidates(
    c: State, cards: list[int], marked: set[int], states: States, needs: Mapping[int, frozenset[str]]
) -> list[set[int]]:
    """For each card the printed cards of the group that it could be where it lies, and for what speaks of it."""
    printed = sorted({c.d[card] for card in cards})
    found = []
    ruled = {where for rule in c.game.model.unseen for where in rule.place}
    same: dict[tuple[int, int | None, frozenset[str]], set[int]] = {}
    for card in cards:
        mine = c.d[card]
        place = c.game.places[c.at[card]]
        holds = needs.get(card, frozenset()) | {place.kind}
        key = (c.at[card], c.K[mine] if card in marked else None, holds)
        free = (place.zone or place.board) not in ruled
        if free and key in same:  # cards of a place of which no rule tells may be the same
            found.append(same[key])
            continue
        legal: set[int] = set()
        same[key] = legal
        for other in printed:
            if card in marked and c.K[other] != c.K[mine]:
                continue
            if not holds <= c.game.ancestry[c.game.model.kinds[c.K[other]].name]:
                continue
            if not free:
                states.give([card], [other], marked)
            if free or _allowed(c, card):
                legal.add(other)
        if not free:
            states.give([card], [mine], marked)
        found.append(legal)
    return found


def _allowed(c: State, card: int) -> bool:
    """Whether the game's `unseen` rules hold for a hidden card."""
    place = c.game.places[c.at[card]]
    where = place.zone or place.board
    kind, c.steps = sight.kind_of(c, card), 0
    return all(
        c.game.code[rule.fn](c, card)
        for rule in c.game.model.unseen
        if where in rule.place and sight.is_kind(c.game, kind, rule.kind)
    )


def _match(candidates: list[set[int]], supply: list[int], rng: random.Random) -> list[int] | None:
    """Draw a way to give each card one of the supply that it can be, or None if there is none.

    Those with the fewest candidates draw first; one that finds nothing left makes others change (augmenting paths)."""
    wanted = set(supply)
    if all(wanted <= found for found in candidates):
        return _shuffled(list(supply), rng)
    taken: list[int | None] = [None] * len(supply)
    wishes = [_shuffled(list(range(len(supply))), rng) for _ in candidates]
    order = _shuffled(list(range(len(candidates))), rng)
    order.sort(key=lambda i: sum(d in candidates[i] for d in supply))

    def take(i: int, tried: set[int]) -> bool:
        mine = [j for j in wishes[i] if supply[j] in candidates[i]]
        for j in mine:
            if taken[j] is None:
                taken[j] = i
                return True
        for j in mine:
            if j in tried:
                continue
            tried.add(j)
            holder = taken[j]
            if holder is not None and take(holder, tried):
                taken[j] = i
                return True
        return False

    with deep():  # as deep as there are cards
        if not all(take(i, set()) for i in order):
            return None
    dealt = [0] * len(candidates)
    for j, holder in enumerate(taken):
        if holder is not None:
            dealt[holder] = supply[j]
    return dealt


def _shuffled(items: list[int], rng: random.Random) -> list[int]:
    for last in range(len(items) - 1, 0, -1):
        i = int(rng.random() * (last + 1))
        items[i], items[last] = items[last], items[i]
    return items


class States:
    """The per-card states of a match: whether a card's are the defaults, and those of a new identity."""

    def __init__(self, c: State) -> None:
        self._c = c
        self._lists: list[list[Any]] = c.game.card_lists(c)

    def default(self, card: int) -> bool:
        """Whether all states of the card are those it would have if it were new."""
        now = [values[card] for values in self._lists]
        self._renew(card)
        fresh = [values[card] for values in self._lists]
        for values, value in zip(self._lists, now, strict=True):
            values[card] = value
        return now == fresh

    def give(self, cards: list[int], dealt: list[int], marked: set[int]) -> None:
        """Make each card the printed card dealt to it, with the states of a new one unless it is marked."""
        for card, d in zip(cards, dealt, strict=True):
            if self._c.d[card] != d:
                self._c.d[card] = d
                if card not in marked:
                    self._renew(card)

    def _renew(self, card: int) -> None:
        """Give the card the states of a new one; none of those that other kinds have."""
        for values in self._lists:
            values[card] = None
        reset(self._c, card)
