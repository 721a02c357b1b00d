"""Moonlight, written by hand: the yardstick for the speed of generated code and an independent model of the game.

A match is a `Moonlight`. While it is not over, `seat` must choose among `legal()`, which is never empty::

    match = Moonlight(Random(7))
    while moves := match.legal():
        match.apply(moves[0])

A move is a small integer, by the `kind` of the decision: `PLACE` names a card and a space (`move >> 6 & 31`,
`move & 63`), with `COVERS` added where a wolf lies there; `RECRUIT`, `SINK` and `BURY` a card; `LEARN` a power; `NAME`
a space; `SCOUTING` and `TROT` nothing. `DECLINE` is the last move of an offer. `decision` and `choose` tell the same in
words and by index, `snapshot` is the whole state as plain data. Chance comes from the given `Random`, or from a
`Chance` when one is supplied, so that a recorded match can be played again.

Seats are 0 and 1, `NOBODY` is neither. A card is `14 * seat` and its index in `WOLVES`. The territory lies on a plane
of seven columns and rows on which it can grow every way from its middle; a space is `8 * y + x`, so that sets of spaces
are bits, and a column in which nothing lies keeps the rows apart. Nobody can tell where on the plane the territory is.
"""

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import Any, Final, Protocol, TypeAlias

PACK: Final = ("cub",) * 2 + ("howler",) * 2 + ("tracker",) * 4 + ("hunter",) * 2 + ("guardian",)
LONE: Final = ("exile", "moonchild", "scarred")
WOLVES: Final = PACK + LONE
MINE: Final = len(WOLVES)
VALUE: Final = (1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 0, 4) * 2
MOONS: Final = (0, 0, 2, 2, 0, 0, 0, 0, 1, 1, 0, 0, 3, 1) * 2
COUNTING: Final = tuple(WOLVES[card % MINE] in ("tracker", "scarred") for card in range(2 * MINE))
# Masks by value have two more places, always empty, where values one or two below 0 end up.
VALUES: Final = 9

POWERS: Final = (
    "full_moon",
    "old_claim",
    "large_den",
    "strong_breed",
    "corner_lords",
    "first_howl",
    "leap",
    "ambush",
    "guard",
    "scout",
    "second_wind",
    "double_trot",
)
FULL_MOON, OLD_CLAIM, LARGE_DEN, STRONG_BREED, CORNER_LORDS, FIRST_HOWL = range(6)
LEAP, AMBUSH, GUARD, SCOUT, SECOND_WIND, DOUBLE_TROT = range(6, 12)

# What each wolf counts in a line, by the power of its owner; and what it counts in a corner.
WEIGHTS: Final = {power: tuple(3 if v == 2 and power == STRONG_BREED else v for v in VALUE) for power in range(-1, 12)}
CORNERED: Final = {
    power: tuple(3 if v == 1 else 4 if v == 2 and power == CORNER_LORDS else w for v, w in zip(VALUE, row, strict=True))
    for power, row in WEIGHTS.items()
}

KINDS: Final = ("over", "place", "guard", "scout", "trot", "sink", "bury", "recruit", "learn")
OVER, PLACE, NAME, SCOUTING, TROT, SINK, BURY, RECRUIT, LEARN = range(9)
OFFERS: Final = (NAME, SCOUTING, TROT, BURY)
NOBODY: Final = -1
NONE: Final = -1
DECLINE: Final = -1
COVERS: Final = 1 << 11

SIZE: Final = 7
MIDDLE: Final = 8 * 3 + 3

Option: TypeAlias = tuple[str] | tuple[str, str] | tuple[str, int, int] | tuple[str, str, int, int]
Bot: TypeAlias = Callable[["Moonlight"], int]
Box: TypeAlias = tuple[int, int, int, int]


def fits(x0: int, x1: int, y0: int, y1: int) -> bool:
    """Whether a territory may lie between these columns and rows."""
    width, height = x1 - x0 + 1, y1 - y0 + 1
    return (width <= 4 and height <= 3) or (width <= 3 and height <= 4)


# REGIONS[box]: the spaces on which a card may lie once the territory has grown to the box.
REGIONS: Final[dict[Box, int]] = {
    (x0, x1, y0, y1): sum(
        1 << 8 * y + x for y in range(SIZE) for x in range(SIZE) if fits(min(x, x0), max(x, x1), min(y, y0), max(y, y1))
    )
    for x0 in range(SIZE)
    for x1 in range(x0, SIZE)
    for y0 in range(SIZE)
    for y1 in range(y0, SIZE)
    if fits(x0, x1, y0, y1)
}


class Chance(Protocol):
    """Where chance comes from when it is supplied: each event has a name, seats are numbers, wolves have names."""

    def pick(self, name: str, items: list[int], /) -> int: ...

    def shuffle(self, name: str, items: list[str], /) -> list[str]: ...


@lru_cache(1 << 16)
def spaces(bits: int) -> tuple[int, ...]:
    """The spaces of a set, in row-major order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


class Moonlight:
    """The state of a match, always at a decision or over."""

    __slots__ = (
        "begins",
        "box",
        "by_value",
        "chance",
        "corners",
        "decks",
        "first",
        "guarded",
        "hands",
        "kind",
        "lairs",
        "latest",
        "lines",
        "moves",
        "next_start",
        "occupied",
        "offer",
        "packs",
        "points",
        "powers",
        "protect_latest",
        "region",
        "replay_start",
        "rng",
        "seat",
        "spent",
        "stacks",
        "taken",
        "tie_break",
        "to_place",
        "winner",
        "wins",
    )

    def __init__(
        self,
        rng: Random,
        *,
        lines: str = "rows",
        corners: str = "settled",
        tie_break: str = "taken",
        protect_latest: bool = False,
        first_start: str = "drawn",
        next_start: str = "loser",
        replay_start: str = "same",
        chance: Chance | None = None,
    ) -> None:
        self.rng = rng
        self.chance = chance
        self.lines = lines
        self.corners = corners
        self.tie_break = tie_break
        self.protect_latest = protect_latest
        self.next_start = next_start
        self.replay_start = replay_start
        self.first = self._draw_first() if first_start == "drawn" else int(first_start == "player_1")
        self.begins = NOBODY  # who started this round
        self.wins = [0, 0]
        self.points = [0, 0]
        self.taken = [0, 0]
        self.decks = [list(range(len(PACK))), list(range(MINE, MINE + len(PACK)))]
        self.hands: list[list[int]] = [[], []]
        self.lairs = [list(range(seat * MINE + len(PACK), (seat + 1) * MINE)) for seat in (0, 1)]
        self.powers = [NONE, NONE]  # nobody loses two rounds and plays on
        self.spent = [False, False]
        self.offer = list(range(len(POWERS)))
        self.stacks: list[tuple[int, ...]] = [()] * (8 * SIZE)  # the visible wolf of a space is the last one
        self.occupied = 0
        self.box: Box = (SIZE, -1, SIZE, -1)
        self.region = 1 << MIDDLE
        self.packs = [0, 0]  # where each seat's visible wolves are
        self.by_value = [[0] * VALUES, [0] * VALUES]  # the same, by their value
        self.guarded = 0
        self.latest = [NONE, NONE]  # the space of the wolf each seat placed last
        self.to_place = 1
        self.kind = OVER
        self.seat = NOBODY  # who decides
        self.moves: list[int] = []
        self.winner = NOBODY
        self._deal()

    def copy(self) -> "Moonlight":
        """A match that goes on by itself; only the source of chance is shared."""
        new = Moonlight.__new__(Moonlight)
        new.rng = self.rng
        new.chance = self.chance
        new.lines = self.lines
        new.corners = self.corners
        new.tie_break = self.tie_break
        new.protect_latest = self.protect_latest
        new.next_start = self.next_start
        new.replay_start = self.replay_start
        new.first = self.first
        new.begins = self.begins
        new.wins = self.wins[:]
        new.points = self.points[:]
        new.taken = self.taken[:]
        first, second = self.decks
        new.decks = [first[:], second[:]]
        first, second = self.hands
        new.hands = [first[:], second[:]]
        first, second = self.lairs
        new.lairs = [first[:], second[:]]
        new.powers = self.powers[:]
        new.spent = self.spent[:]
        new.offer = self.offer[:]
        new.stacks = self.stacks[:]
        new.occupied = self.occupied
        new.box = self.box
        new.region = self.region
        new.packs = self.packs[:]
        first, second = self.by_value
        new.by_value = [first[:], second[:]]
        new.guarded = self.guarded
        new.latest = self.latest[:]
        new.to_place = self.to_place
        new.kind = self.kind
        new.seat = self.seat
        new.moves = self.moves  # replaced at each decision, never changed
        new.winner = self.winner
        return new

    # Decisions

    def legal(self) -> list[int]:
        """The legal moves, none when the match is over. The list belongs to the match: do not change it."""
        return self.moves

    def apply(self, move: int) -> None:
        """Make a legal move and go on to the next decision."""
        kind, seat = self.kind, self.seat
        if kind == PLACE:
            self._put(move)
            self.to_place -= 1
            if self.occupied.bit_count() == 12:
                self._end_round()
            elif self.to_place:
                self._ask_place()
            elif self.powers[seat] == SECOND_WIND:
                self._offer_bury()
            else:
                self._end_turn()
        elif kind == RECRUIT:
            self.lairs[seat].remove(move)
            self.decks[seat].append(move)
            self._ask(LEARN, 1 - seat, self.offer[:])
        elif kind == LEARN:
            self.offer.remove(move)
            self.powers[seat] = move
            self._deal()
        elif kind == BURY:
            if move != DECLINE:
                self.spent[seat] = True
                self.hands[seat].remove(move)
                self.decks[seat].insert(0, move)
                self.hands[seat].append(self.decks[seat].pop())
            self._end_turn()
        elif kind == SINK:
            self.decks[seat].remove(move)
            self.decks[seat].insert(0, move)
            self._ask_place()
        else:
            if move != DECLINE:
                self.spent[seat] = True
                if kind == SCOUTING:
                    self._ask(SINK, seat, self.decks[seat][:-3:-1])
                    return
                if kind == NAME:
                    self.guarded |= 1 << move
                else:
                    self.to_place = 2
            self._ask_place()

    def decision(self) -> tuple[int, str, list[Option]] | None:
        """Who decides, what, and the options by the names of cards and the columns and rows of the outline."""
        if self.kind == OVER:
            return None
        return self.seat, KINDS[self.kind], [self._words(move) for move in self.moves if move != DECLINE]

    def choose(self, index: int) -> None:
        """Take an option of `decision` by its index; -1 declines an offer."""
        may_decline = self.kind in OFFERS  # by the last of the moves
        if not (0 <= index < len(self.moves) - may_decline or (may_decline and index == DECLINE)):
            raise ValueError(f"no option {index} to {KINDS[self.kind]}")
        self.apply(self.moves[index])

    def _words(self, move: int) -> Option:
        kind = self.kind
        if kind == PLACE:
            card, space = move >> 6 & 31, move & 63
            if move & COVERS:
                return "cover", WOLVES[card % MINE], *self._seen(space)
            return "place", WOLVES[card % MINE], *self._seen(space)
        if kind == NAME:
            return "guard", *self._seen(move)
        if kind in (SCOUTING, TROT):
            return (KINDS[kind],)
        return KINDS[kind], POWERS[move] if kind == LEARN else WOLVES[move % MINE]

    def _seen(self, space: int) -> tuple[int, int]:
        """Column and row of a space, from the upper left corner of the outline."""
        x0, _, y0, _ = self.box if self.occupied else (SIZE // 2, 0, SIZE // 2, 0)
        return space % 8 - x0, space // 8 - y0

    def _ask(self, kind: int, seat: int, moves: list[int]) -> None:
        self.kind = kind
        self.seat = seat
        self.moves = moves

    # The turn

    def _begin_turn(self, seat: int) -> None:
        self.seat = seat
        self.to_place = 1
        power = self.powers[seat]
        if power >= GUARD and not self.spent[seat]:
            if power == GUARD and self.packs[seat]:
                self._ask(NAME, seat, [*spaces(self.packs[seat]), DECLINE])
                return
            if power == SCOUT and len(self.decks[seat]) >= 2:
                self._ask(SCOUTING, seat, [0, DECLINE])
                return
            if power == DOUBLE_TROT and len(self.hands[seat]) >= 2:
                self._ask(TROT, seat, [0, DECLINE])
                return
        self._ask_place()

    def _ask_place(self) -> None:
        seat = self.seat
        hand = self.hands[seat]
        occupied = self.occupied
        near = occupied << 1 | occupied >> 1 | occupied << 8 | occupied >> 8 if occupied else self.region
        free = spaces(near & self.region & ~occupied)
        moves = [card << 6 | space for card in hand for space in free]
        theirs = self.packs[1 - seat]
        if theirs & theirs - 1:  # more than one wolf
            if self.protect_latest:
                theirs &= ~(1 << self.latest[1 - seat])
            theirs &= ~self.guarded
            by_value = self.by_value[1 - seat]
            reach = NONE if self.spent[seat] else self.powers[seat]
            for card in hand:
                value = VALUE[card]
                targets = by_value[value - 1]
                if reach == LEAP:
                    targets |= by_value[value]
                elif reach == AMBUSH:
                    targets |= by_value[value - 2]
                if targets & theirs:
                    moves += [COVERS | card << 6 | space for space in spaces(targets & theirs)]
        self.kind = PLACE
        self.moves = moves

    def _put(self, move: int) -> None:
        seat = self.seat
        card, space = move >> 6 & 31, move & 63
        bit = 1 << space
        stack = self.stacks[space]
        value = VALUE[card]
        if move & COVERS:
            under = VALUE[stack[-1]]
            self.packs[1 - seat] ^= bit
            self.by_value[1 - seat][under] ^= bit
            if value != under + 1:
                self.spent[seat] = True
        else:
            self.occupied |= bit
            x, y = space & 7, space >> 3
            x0, x1, y0, y1 = self.box
            if x < x0 or x > x1 or y < y0 or y > y1:
                self.box = box = (min(x, x0), max(x, x1), min(y, y0), max(y, y1))
                self.region = REGIONS[box]
        self.hands[seat].remove(card)
        self.stacks[space] = (*stack, card)
        self.packs[seat] |= bit
        self.by_value[seat][value] |= bit
        self.latest[seat] = space

    def _offer_bury(self) -> None:
        seat = self.seat
        if self.spent[seat] or not self.decks[seat] or not self.hands[seat]:
            self._end_turn()
        else:
            self._ask(BURY, seat, [*self.hands[seat], DECLINE])

    def _end_turn(self) -> None:
        seat = self.seat
        hands = self.hands
        if self.decks[seat]:
            self._refill(seat)
        seat = 1 - seat
        if seat == self.begins and not (hands[0] and hands[1]):
            self._end_round()
        else:
            self._begin_turn(seat)

    def _refill(self, seat: int) -> None:
        hand, deck = self.hands[seat], self.decks[seat]
        wanted = 4 if self.powers[seat] == LARGE_DEN else 3
        while deck and len(hand) < wanted:
            hand.append(deck.pop())

    # The round

    def _draw_first(self) -> int:
        return int(self.rng.random() * 2) if self.chance is None else self.chance.pick("pick first", [0, 1])

    def _deal(self) -> None:
        wolves = [card for space in spaces(self.occupied) for card in self.stacks[space]]
        for seat in (0, 1):
            hand, deck = self.hands[seat], self.decks[seat]
            deck += [card for card in wolves if card // MINE == seat]
            deck += hand
            hand.clear()
            if self.chance is None:
                uniform = self.rng.random
                deck.sort(key=lambda _: uniform())
            else:
                self._supplied_order(seat)
            self._refill(seat)
        self.stacks = [()] * (8 * SIZE)
        self.occupied = 0
        self.box = (SIZE, -1, SIZE, -1)
        self.region = 1 << MIDDLE
        self.packs = [0, 0]
        self.by_value = [[0] * VALUES, [0] * VALUES]
        self.points = [0, 0]
        self.taken = [0, 0]
        self.spent = [False, False]
        self.guarded = 0
        self.latest = [NONE, NONE]
        self.begins = self.powers.index(FIRST_HOWL) if FIRST_HOWL in self.powers else self.first
        self._begin_turn(self.begins)

    def _supplied_order(self, seat: int) -> None:
        """Take the order that the source of chance gives; equal wolves stay in their order."""
        assert self.chance is not None
        deck = self.decks[seat]
        left = deck[:]
        deck.clear()
        for name in self.chance.shuffle(f"shuffle deck {seat}", [WOLVES[card % MINE] for card in left]):
            card = next(card for card in left if WOLVES[card % MINE] == name)
            left.remove(card)
            deck.append(card)

    def _end_round(self) -> None:
        self.count_points()
        kept = self.taken if self.tie_break == "taken" else [pack.bit_count() for pack in self.packs]
        mine, theirs = (self.points[0], kept[0]), (self.points[1], kept[1])
        if mine == theirs:
            if self.replay_start == "drawn":
                self.first = self._draw_first()
            elif self.replay_start == "other":
                self.first = 1 - self.first
            self._deal()
            return
        winner = 0 if mine > theirs else 1
        self.wins[winner] += 1
        if self.wins[winner] == 2:
            self.winner = winner
            self._ask(OVER, NOBODY, [])
            return
        if self.next_start == "drawn":
            self.first = self._draw_first()
        else:
            self.first = 1 - winner if self.next_start == "loser" else winner
        self._ask(RECRUIT, winner, self.lairs[winner][:])

    def count_points(self) -> None:
        """Count the moons, then the lines; adds to `points` and `taken`."""
        corners = self.counted_corners()
        shift = 3 if self.lines == "rows" else 0
        moons = [0, 0]
        totals, counted, extra = ([[0] * 8, [0] * 8] for _ in range(3))  # by seat and line
        for seat in (0, 1):
            power = self.powers[seat]
            plain, cornered = WEIGHTS[power], CORNERED[power]
            for space in spaces(self.packs[seat]):
                card = self.stacks[space][-1]
                line = space >> shift & 7
                moons[seat] += MOONS[card]
                totals[seat][line] += (cornered if corners >> space & 1 else plain)[card]
                counted[seat][line] += 1
                extra[seat][line] += COUNTING[card]
        points, taken = self.points, self.taken
        if moons[0] != moons[1]:
            seat = 0 if moons[0] > moons[1] else 1
            points[seat] += 3 if self.powers[seat] == FULL_MOON else 2
        claim = self.powers.index(OLD_CLAIM) if OLD_CLAIM in self.powers else NOBODY
        for line, (mine, theirs) in enumerate(zip(*totals, strict=True)):
            seat = 0 if mine > theirs else 1 if theirs > mine else claim
            if seat != NOBODY:
                taken[seat] += counted[seat][line]
                points[seat] += counted[seat][line] + extra[seat][line]

    def counted_corners(self) -> int:
        """The corners of the outline in which a wolf counts as one in a corner."""
        x0, x1, y0, y1 = self.box
        settled = x1 - x0 + y1 - y0 == 5  # four by three, either way
        if self.corners == "any" or self.occupied.bit_count() == 12 or (self.corners == "settled" and settled):
            return (1 << x0 | 1 << x1) << 8 * y0 | (1 << x0 | 1 << x1) << 8 * y1
        return 0

    # The state as data

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data: the territory holds the stacks of its outline, (wolf, owner) from below."""

        def names(cards: Sequence[int]) -> list[str]:
            return [WOLVES[card % MINE] for card in cards]

        x0, x1, y0, y1 = self.box
        return {
            "first": self.first,
            "wins": self.wins[:],
            "points": self.points[:],
            "taken": self.taken[:],
            "to_place": self.to_place,
            "decks": [names(deck) for deck in self.decks],
            "hands": [names(hand) for hand in self.hands],
            "lairs": [names(lair) for lair in self.lairs],
            "powers": [None if power == NONE else POWERS[power] for power in self.powers],
            "offer": [POWERS[power] for power in self.offer],
            "territory": [
                [[(WOLVES[card % MINE], card // MINE) for card in self.stacks[8 * y + x]] for x in range(x0, x1 + 1)]
                for y in range(y0, y1 + 1)
            ],
            "latest": [None if space == NONE else self._seen(space) for space in self.latest],
            "guarded": [self._seen(space) for space in spaces(self.guarded)],
        }


def random_bot(rng: Random) -> Bot:
    """A bot that takes each legal move with the same probability."""
    uniform = rng.random

    def bot(match: Moonlight) -> int:
        moves = match.moves
        return moves[int(uniform() * len(moves))]

    return bot


def play(match: Moonlight, bots: Sequence[Bot]) -> int:
    """Play a match to its end and return the number of decisions."""
    decisions = 0
    while match.moves:
        match.apply(bots[match.seat](match))
        decisions += 1
    return decisions


def playout(seed: int, chance: Chance | None = None, **options: Any) -> tuple[int, int]:
    """Play a match between two random bots: its winner and the number of decisions."""
    rng = Random(seed)
    match = Moonlight(rng, chance=chance, **options)
    decisions = play(match, (random_bot(rng), random_bot(rng)))
    return match.winner, decisions


def main(matches: int = 10_000) -> None:
    """Print how fast random playouts are."""
    begin = perf_counter()
    decisions = sum(playout(seed)[1] for seed in range(matches))
    seconds = perf_counter() - begin
    print(f"{matches / seconds:,.0f} playouts/s, {decisions / seconds:,.0f} decisions/s, ", end="")
    print(f"{decisions / matches:.1f} decisions a match")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
