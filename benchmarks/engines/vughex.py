"""Vughex, written by hand: the yardstick for the speed of generated code and an independent model of the game.

A match is a `Vughex`. While it is not over, `seat` must choose among `legal()`, which is never empty::

    match = Vughex(Random(7))
    while moves := match.legal():
        match.apply(moves[0])

A move is a small integer: a unit (`move & 15`) and, where a lane is named too, that lane (`move >> 4`); or `DECLINE`,
the last move wherever it is legal. `decision` and `choose` tell the same in words and by index, `snapshot` is the whole
state as plain data. Chance comes from the given `Random`, or from a `Chance` when one is supplied, so that a recorded
match can be played again.

Seats are 0 and 1, `NOBODY` is neither. A unit is its index in `UNITS`; sets of units and of lanes are bits.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any, Final, Protocol, TypeAlias

UNITS: Final = (
    "oracle",
    "reincarnation",
    "maze",
    "watcher",
    "justice",
    "plague",
    "shadow",
    "unstable",
    "titan",
    "eclipse",
    "evil",
    "agent",
    "crowd",
    "sun_creep",
    "moon_creep",
)
ORACLE, REINCARNATION, MAZE, WATCHER, JUSTICE, PLAGUE, SHADOW, UNSTABLE = range(8)
TITAN, ECLIPSE, EVIL, AGENT, CROWD, SUN_CREEP, MOON_CREEP = range(8, 15)
FIXED: Final = (2, 1, 4, 3, 0, 3, 5, 0, 7, 0, 0, 2, 4, 1, 1)
DIAMONDS: Final = (1, 1, 0, 1, 2, 0, 0, 1, 0, 1, 3, 0, 1, 0, 0)
STEALTH: Final = 1 << SHADOW | 1 << ECLIPSE | 1 << AGENT | 1 << SUN_CREEP | 1 << MOON_CREEP

SIDES: Final = ("sun", "moon")
KINDS: Final = ("over", "replace", "play", "silence", "discard", "shift", "show")
OVER, REPLACE, PLAY, SILENCE, DISCARD, SHIFT, SHOW = range(7)
NOBODY: Final = -1
DECLINE: Final = -1

# The printed number of each lane, and the lanes in ascending order of it, by the face in play.
PRINTED: Final = ((2, 3, 6), (5, 4, 1))
LANE_ORDERS: Final = {"ascending": ((0, 1, 2), (2, 1, 0)), "left_to_right": ((0, 1, 2), (0, 1, 2))}

# NUMBERS[printed][active]: the number of a lane, by its active Justice (1), Plague (2) and Shadow (4).
NUMBERS: Final = tuple(
    tuple((0 if active & 2 else printed) + (active & 1) - 2 * (active >> 2) for active in range(8))
    for printed in range(7)
)
# POWERS[number]: the power of each unit; WILD_POWERS: the same, while the Unstable is active.
POWERS: Final = {n: tuple(f + d * n for f, d in zip(FIXED, DIAMONDS, strict=True)) for n in range(-2, 8)}
WILD_POWERS: Final = {
    n: (*row[:UNSTABLE], 15 if n >= 6 or n <= 0 else row[UNSTABLE], *row[UNSTABLE + 1 :]) for n, row in POWERS.items()
}

# A seat's units are counted in two bits for each lane. PLAYS[counts][unit]: the moves of a unit to a lane with room.
ONE: Final = (1, 4, 16)
FULL: Final = (2, 8, 32)
PLAYS: Final = tuple(
    tuple(tuple(unit | lane << 4 for lane in range(3) if not counts & FULL[lane]) for unit in range(15))
    for counts in range(64)
)

Option: TypeAlias = tuple[str] | tuple[str, int]
Bot: TypeAlias = Callable[["Vughex"], int]


class Chance(Protocol):
    """Where chance comes from when it is supplied: each event has a name, seats are numbers, units have names."""

    def pick(self, name: str, items: list[int], /) -> int: ...

    def shuffle(self, name: str, items: list[str], /) -> list[str]: ...


class Vughex:
    """The state of a match, always at a decision or over."""

    __slots__ = (
        "chance",
        "counts",
        "damage",
        "face",
        "hands",
        "hidden",
        "holders",
        "kind",
        "lane",
        "length",
        "mover",
        "moves",
        "orders",
        "pile",
        "rng",
        "seat",
        "silenced",
        "sun",
        "units",
        "waste",
        "winner",
    )

    def __init__(
        self, rng: Random, length: int = 2, lane_order: str = "ascending", chance: Chance | None = None
    ) -> None:
        self.rng = rng
        self.chance = chance
        self.length = length
        self.orders = LANE_ORDERS[lane_order]
        self.sun = int(rng.random() * 2) if chance is None else chance.pick("pick first", [0, 1])
        self.face = 0
        self.damage = [0, 0]
        self.holders = [NOBODY, NOBODY, NOBODY]
        self.hands = [[SUN_CREEP + self.sun], [MOON_CREEP - self.sun]]
        self.pile = list(range(SUN_CREEP))
        self.waste: list[int] = []
        self.units: list[list[int]] = [[], [], [], [], [], []]  # at 2 * lane + seat
        self.counts = [0, 0]
        self.hidden = 0  # the units on lanes that lie face down
        self.silenced = 0
        self.kind = OVER
        self.seat = NOBODY  # who decides
        self.mover = NOBODY  # whose turn it is
        self.lane = 0  # where the unit lies whose placement is being decided
        self.moves: list[int] = []
        self.winner = NOBODY
        self._deal()

    def copy(self) -> "Vughex":
        """A match that goes on by itself; only the source of chance is shared."""
        new = Vughex.__new__(Vughex)
        new.rng = self.rng
        new.chance = self.chance
        new.length = self.length
        new.orders = self.orders
        new.sun = self.sun
        new.face = self.face
        new.damage = self.damage[:]
        new.holders = self.holders[:]
        first, second = self.hands
        new.hands = [first[:], second[:]]
        new.pile = self.pile[:]
        new.waste = self.waste[:]
        a, b, c, d, e, f = self.units
        new.units = [a[:], b[:], c[:], d[:], e[:], f[:]]
        new.counts = self.counts[:]
        new.hidden = self.hidden
        new.silenced = self.silenced
        new.kind = self.kind
        new.seat = self.seat
        new.mover = self.mover
        new.lane = self.lane
        new.moves = self.moves  # replaced at each decision, never changed
        new.winner = self.winner
        return new

    # Decisions

    def legal(self) -> list[int]:
        """The legal moves, none when the match is over. The list belongs to the match: do not change it."""
        return self.moves

    def apply(self, move: int) -> None:
        """Make a legal move and go on to the next decision."""
        kind = self.kind
        if kind == PLAY:
            seat = self.seat
            unit = move & 15
            self.hands[seat].remove(unit)
            self._enter(seat, unit, move >> 4)
        elif kind == REPLACE:
            self._replace(move)
        elif kind == DISCARD:
            self._discard(move)
        else:
            if kind == SILENCE:
                self.silenced |= 1 << move
                self.hidden &= ~(1 << move)
            elif kind == SHOW:
                self.hidden &= ~(1 << move)
            else:
                self._shift(move & 15, move >> 4)
            self._next_turn()

    def decision(self) -> tuple[int, str, list[Option]] | None:
        """Who decides, what, and the options by the names of units and the indices of lanes."""
        if self.kind == OVER:
            return None
        if self.kind in (PLAY, SHIFT):
            return self.seat, KINDS[self.kind], [(UNITS[move & 15], move >> 4) for move in self.moves]
        return self.seat, KINDS[self.kind], [(UNITS[move],) for move in self.moves if move != DECLINE]

    def choose(self, index: int) -> None:
        """Take an option of `decision` by its index; -1 declines to replace a unit."""
        may_decline = self.kind == REPLACE  # by the last of the moves
        if not (0 <= index < len(self.moves) - may_decline or (may_decline and index == DECLINE)):
            raise ValueError(f"no option {index} to {KINDS[self.kind]}")
        self.apply(self.moves[index])

    # The round

    def _deal(self) -> None:
        hands, pile, waste = self.hands, self.pile, self.waste
        for place in (*self.units, *hands, waste):
            pile += place
            place.clear()
        self.counts = [0, 0]
        self.hidden = self.silenced = 0
        for unit in [unit for unit in pile if unit >= SUN_CREEP]:
            pile.remove(unit)
            hands[self.sun ^ (unit - SUN_CREEP)].append(unit)
        if self.chance is None:
            uniform = self.rng.random
            pile.sort(key=lambda _: uniform())
        else:
            names = self.chance.shuffle("shuffle pile", [UNITS[unit] for unit in pile])
            pile[:] = [UNITS.index(name) for name in names]
        first = self.sun ^ self.face
        for seat in (first, 1 - first):
            hands[seat] += pile[:-6:-1]
            del pile[-5:]
        self._ask_replace(first)

    def _ask_replace(self, seat: int) -> None:
        self.kind = REPLACE
        self.seat = seat
        self.moves = [unit for unit in self.hands[seat] if unit < SUN_CREEP]
        self.moves.append(DECLINE)

    def _replace(self, unit: int) -> None:
        seat = self.seat
        if unit != DECLINE:
            hand = self.hands[seat]
            hand.append(self.pile.pop())
            hand.remove(unit)
            self.waste.append(unit)
        if seat == self.sun ^ self.face:
            self._ask_replace(1 - seat)
        else:
            self.mover = seat
            self._next_turn()

    def _next_turn(self) -> None:
        hands = self.hands
        seat = self.mover
        while True:  # who holds a card has room for it: six places are for as many cards
            seat = 1 - seat
            plays = PLAYS[self.counts[seat]]
            moves: list[int] = []
            for unit in hands[seat]:
                moves += plays[unit]
            if moves:
                self.kind = PLAY
                self.seat = self.mover = seat
                self.moves = moves
                return
            if not hands[0] and not hands[1]:
                self._end_round()
                return

    def _end_round(self) -> None:
        for lane in self.orders[self.face]:
            self.resolve(lane)
            if self.winner != NOBODY:
                self.kind = OVER
                self.seat = NOBODY
                self.moves = []
                return
        self.face = 1 - self.face
        self._deal()

    # Units on lanes

    def _enter(self, owner: int, unit: int, lane: int) -> None:
        """Put a unit on a lane, then ask for its placement or go on with the next turn."""
        units = self.units
        units[2 * lane + owner].append(unit)
        self.counts[owner] += ONE[lane]
        if STEALTH >> unit & 1:
            self.hidden |= 1 << unit
        elif unit <= WATCHER:
            hidden = self.hidden
            if unit == ORACLE:
                kind = SILENCE
                moves = units[2 * lane] + units[2 * lane + 1]
            elif unit == REINCARNATION:
                kind = DISCARD
                moves = [u for u in units[2 * lane] + units[2 * lane + 1] if not hidden >> u & 1]
            elif unit == MAZE:
                kind = SHIFT
                moves = []
                for seat in (0, 1):
                    plays = PLAYS[self.counts[seat] | FULL[lane]]
                    for u in units[2 * lane + seat]:
                        if hidden >> u & 1:
                            moves += plays[u]
            else:
                kind = SHOW
                moves = [u for side in units for u in side if hidden >> u & 1] if hidden else []
            if moves:
                self.kind = kind
                self.seat = owner
                self.lane = lane
                self.moves = moves
                return
        self._next_turn()

    def _discard(self, unit: int) -> None:
        lane = self.lane
        owner = 0 if unit in self.units[2 * lane] else 1
        self.units[2 * lane + owner].remove(unit)
        self.counts[owner] -= ONE[lane]
        self.silenced &= ~(1 << unit)
        self.waste.append(unit)
        if self.pile:
            self._enter(owner, self.pile.pop(), lane)
        else:
            self._next_turn()

    def _shift(self, unit: int, lane: int) -> None:
        old = self.lane
        owner = 0 if unit in self.units[2 * old] else 1
        self.units[2 * old + owner].remove(unit)
        self.units[2 * lane + owner].append(unit)
        self.counts[owner] += ONE[lane] - ONE[old]

    # The end of a round

    def combat(self, lane: int) -> tuple[int, int, int, int]:
        """The number of a lane, the strength of each seat and who wins it, by the units that are face up."""
        mine, theirs = self.units[2 * lane], self.units[2 * lane + 1]
        present = 0
        for unit in mine + theirs:
            present |= 1 << unit
        active = present & ~(self.silenced | self.hidden)
        number = NUMBERS[PRINTED[self.face][lane]][active >> JUSTICE & 7]
        powers = (WILD_POWERS if active >> UNSTABLE & 1 else POWERS)[number]
        strength = against = 0
        for unit in mine:
            strength += powers[unit]
        for unit in theirs:
            against += powers[unit]
        gap = strength - against
        tied = gap == 0 or (active >> ECLIPSE & 1 and not -4 < gap < 4)
        winner = NOBODY if tied else (gap < 0) ^ (active >> TITAN & 1)
        return number, strength, against, winner

    def resolve(self, lane: int) -> None:
        """Reveal the units of a lane, then deal its damage or turn it to its winner."""
        hidden = self.hidden
        for unit in self.units[2 * lane] + self.units[2 * lane + 1]:
            hidden &= ~(1 << unit)
        self.hidden = hidden
        winner = self.combat(lane)[3]
        if winner == NOBODY:
            return
        loser = 1 - winner
        if EVIL in self.units[2 * lane + loser] and not self.silenced >> EVIL & 1:
            self._hurt(loser)
        if AGENT in self.units[2 * lane + winner] and not self.silenced >> AGENT & 1:
            self._hurt(loser)
        if self.holders[lane] == winner:
            self._hurt(loser)
        elif self.winner == NOBODY:
            self.holders[lane] = winner

    def _hurt(self, seat: int) -> None:
        if self.winner == NOBODY:
            self.damage[seat] += 1
            if self.damage[seat] == self.length:
                self.winner = 1 - seat

    # The state as data

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data: lanes hold (unit, face up, silenced) for each seat."""

        def told(units: list[int]) -> list[tuple[str, bool, bool]]:
            return [(UNITS[u], not self.hidden >> u & 1, bool(self.silenced >> u & 1)) for u in units]

        return {
            "sides": [SIDES[seat ^ self.sun] for seat in (0, 1)],
            "face": SIDES[self.face],
            "damage": self.damage[:],
            "holders": [None if holder == NOBODY else holder for holder in self.holders],
            "hands": [[UNITS[unit] for unit in hand] for hand in self.hands],
            "lanes": [[told(self.units[2 * lane + seat]) for seat in (0, 1)] for lane in range(3)],
            "pile": [UNITS[unit] for unit in self.pile],
            "waste": [UNITS[unit] for unit in self.waste],
        }


def random_bot(rng: Random) -> Bot:
    """A bot that takes each legal move with the same probability."""
    uniform = rng.random

    def bot(match: Vughex) -> int:
        moves = match.moves
        return moves[int(uniform() * len(moves))]

    return bot


def play(match: Vughex, bots: Sequence[Bot]) -> int:
    """Play a match to its end and return the number of decisions."""
    decisions = 0
    while match.moves:
        match.apply(bots[match.seat](match))
        decisions += 1
    return decisions


def playout(seed: int, length: int = 2, lane_order: str = "ascending", chance: Chance | None = None) -> tuple[int, int]:
    """Play a match between two random bots: its winner and the number of decisions."""
    rng = Random(seed)
    match = Vughex(rng, length, lane_order, chance)
    decisions = play(match, (random_bot(rng), random_bot(rng)))
    return match.winner, decisions


def main(matches: int = 20_000) -> None:
    """Print how fast random playouts are."""
    begin = perf_counter()
    decisions = sum(playout(seed)[1] for seed in range(matches))
    seconds = perf_counter() - begin
    print(f"{matches / seconds:,.0f} playouts/s, {decisions / seconds:,.0f} decisions/s, ", end="")
    print(f"{decisions / matches:.1f} decisions a match")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
