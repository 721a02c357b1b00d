"""Legends of Code and Magic 1.2, written by hand: the yardstick for the speed of generated code, and an independent
model of the game.

A match is a `Locm`. While it is not over, `seat` must choose among `legal()`, which is never empty::

    match = Locm(Random(7))
    while moves := match.legal():
        match.apply(moves[0])

A move is a tuple of a kind and up to three places; all that there are were made beforehand (`PICKS`, `PLAYS`,
`ATTACKS`). `words` tells a move in words, `snapshot` is the whole state as plain data. Chance comes from the given
`Random`, or from a `Chance` when one is supplied, so that a recorded match can be played again.

Seats are 0 and 1, lanes 0 (left) and 1. A card is its number less 1; sets of keywords, and of places in a lane, are
bits. The numbers in comments are those of cards/locm/RULES.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final, Protocol, TypeAlias

CARD_LIST: Final = Path(__file__).parents[2] / "tests" / "data" / "locm" / "cardlist.txt"
LETTERS: Final = "BCDGLW"
BREAKTHROUGH, CHARGE, DRAIN, GUARD, LETHAL, WARD = (1 << i for i in range(6))
TYPES: Final = ("creature", "itemGreen", "itemRed", "itemBlue")
CREATURE, GREEN, RED, BLUE = range(4)

_ROWS: Final = [[cell.strip() for cell in line.split(";")] for line in CARD_LIST.read_text("utf-8").splitlines()]
CARDS: Final = len(_ROWS)
TYPE: Final = tuple(TYPES.index(row[2]) for row in _ROWS)
COST: Final = tuple(int(row[3]) for row in _ROWS)
ATTACK: Final = tuple(int(row[4]) for row in _ROWS)
DEFENSE: Final = tuple(int(row[5]) for row in _ROWS)
WORDS: Final = tuple(sum(1 << LETTERS.index(c) for c in row[6] if c != "-") for row in _ROWS)
# Change of the player's health, of the other's, and extra draws.
EFFECTS: Final = tuple((int(row[7]), int(row[8]), int(row[9])) for row in _ROWS)
HAVE_EFFECTS: Final = frozenset(card for card, effects in enumerate(EFFECTS) if any(effects))

Unit: TypeAlias = list[int]
POWER, LIFE, KEYWORDS, CARD = range(4)

PICK, SUMMON, STRIKE, RUSH, USE, HEX, BLAST, PASS = range(8)
# A kind; then a place in the hand, a lane and a place in it; or, for attacks, a lane, a place, and the target's place.
Move: TypeAlias = tuple[int, int, int, int]
Bot: TypeAlias = Callable[["Locm"], Move]

NOBODY: Final = -1
HAND: Final = 8
ROOM: Final = 3
LAST_TURN: Final = 50

# ---- All moves there are

PASSES: Final[Move] = (PASS, 0, 0, 0)
PICKS: Final = tuple((PICK, card, 0, 0) for card in range(CARDS))
# What a lane's units leave open to attack (LC-35): the first 0 to 3 and the player, or, plus 3, a mask of Guards.
OPEN: Final = (*range(ROOM + 1), *(ROOM + guards for guards in range(1, 8)))
# Which units of a lane may attack, and, in the next three bits, which came this turn and have not attacked (LC-34).
ALL: Final = (0, 1, 3, 7)
NEW: Final = (8, 16, 32)
CHARGING: Final = (9, 18, 36)
ATTACKED: Final = tuple(~bits for bits in CHARGING)


# DROP[mask][place]: places in a lane when the unit at one of them is gone; DROP_READY: the same for both sets of three.
DROP: Final = tuple(tuple(mask & (1 << i) - 1 | mask >> i + 1 << i for i in range(ROOM)) for mask in range(8))
DROP_READY: Final = tuple(tuple(DROP[bits & 7][i] | DROP[bits >> 3][i] << 3 for i in range(ROOM)) for bits in range(64))
# Numbers of units in the two lanes of a seat; a pair is known by its index, left times 4 plus right.
COUNTS: Final = tuple((left, right) for left in range(ROOM + 1) for right in range(ROOM + 1))


def _uses(kind: int, counts: tuple[int, int], h: int) -> tuple[Move, ...]:
    return tuple((kind, h, lane, i) for lane in (0, 1) for i in range(counts[lane]))


def _attacks(lane: int, able: int, open_: int) -> tuple[Move, ...]:
    moves: list[Move] = []
    for i in (i for i in range(ROOM) if able >> i & 1):
        if open_ > ROOM:
            moves += ((STRIKE, lane, i, t) for t in range(ROOM) if open_ - ROOM >> t & 1)
        else:
            moves += (*((STRIKE, lane, i, t) for t in range(open_)), (RUSH, lane, i, 0))
    return tuple(moves)


_SUMMONS: Final = tuple(
    tuple(tuple((SUMMON, h, lane, 0) for lane in (0, 1) if counts[lane] < ROOM) for h in range(HAND))
    for counts in COUNTS
)
_GREENS: Final = tuple(tuple(_uses(USE, counts, h) for h in range(HAND)) for counts in COUNTS)
_REDS: Final = tuple(tuple(_uses(HEX, counts, h) for h in range(HAND)) for counts in COUNTS)
_BLUES: Final = tuple(tuple((*uses, (BLAST, h, 0, 0)) for h, uses in enumerate(reds)) for reds in _REDS)
# PLAYS[own counts][the other's][type of the card][its place in the hand] (LC-31, LC-32).
PLAYS: Final = tuple(
    tuple((_SUMMONS[own], _GREENS[own], _REDS[others], _BLUES[others]) for others in range(16)) for own in range(16)
)
# ATTACKS[lane][what is open][which units are ready] (LC-33 to LC-35).
ATTACKS: Final = tuple(
    tuple(tuple(_attacks(lane, ready & 7, open_) for ready in range(64)) for open_ in OPEN) for lane in (0, 1)
)


class Chance(Protocol):
    """Where chance comes from when it is supplied: each event has a name, and decks lie bottom first."""

    def pick(self, name: str, items: list[int], /) -> int: ...

    def shuffle(self, name: str, items: list[int], /) -> list[int]: ...


class Locm:
    """The state of a match, always at a decision or over."""

    __slots__ = (
        "bonus",
        "chance",
        "chosen",
        "counts",
        "decks",
        "extra",
        "fallen",
        "guards",
        "hands",
        "health",
        "lanes",
        "mana",
        "max_mana",
        "moves",
        "plays",
        "ready",
        "rng",
        "runes",
        "seat",
        "spent",
        "triples",
        "turns",
        "winner",
    )

    def __init__(self, rng: Random, chance: Chance | None = None, decks: Sequence[Sequence[int]] | None = None) -> None:
        """Begin with the draft; or, where the cards of both decks are given, with the battle."""
        self.rng = rng
        self.chance = chance
        self.health = [30, 30]
        self.runes = [25, 25]
        self.max_mana = [0, 0]
        self.mana = 0  # of the seat whose turn it is
        self.bonus = False  # player 1's
        self.spent = False  # player 1's last turn ended with no mana left
        self.extra = [0, 0]
        self.turns = [0, 0]
        self.triples: list[list[int]] = []  # of the draft, the next one last
        self.chosen: list[list[int]] = [[], []]
        self.hands: list[list[int]] = [[], []]
        self.decks: list[list[int]] = [[], []]  # the top is the end
        self.lanes: list[list[list[Unit]]] = [[[], []], [[], []]]  # by seat and lane
        self.counts = [0, 0]  # of a seat's units, as an index of COUNTS
        self.guards = [[0, 0], [0, 0]]  # by seat and lane, the places of the Guards
        self.ready = [0, 0]  # by lane, which units of the seat in turn may attack, or could with Charge
        self.plays: list[Move] = []  # the moves that are no attacks
        self.moves: list[Move] = []
        self.seat = 0
        self.fallen = False  # somebody has no health left
        self.winner = NOBODY
        if decks is None:
            self.triples = self._draw_triples()[::-1]
            self.moves = [PICKS[card] for card in self.triples.pop()]
        else:
            self.chosen = [list(deck) for deck in decks]
            self._deal()

    def copy(self) -> Locm:
        """A match that goes on by itself; only the source of chance is shared."""
        new = Locm.__new__(Locm)
        new.rng = self.rng
        new.chance = self.chance
        new.health = self.health[:]
        new.runes = self.runes[:]
        new.max_mana = self.max_mana[:]
        new.mana = self.mana
        new.bonus = self.bonus
        new.spent = self.spent
        new.extra = self.extra[:]
        new.turns = self.turns[:]
        new.triples = self.triples[:]
        first, second = self.chosen
        new.chosen = [first[:], second[:]]
        first, second = self.hands
        new.hands = [first[:], second[:]]
        first, second = self.decks
        new.decks = [first[:], second[:]]
        new.lanes = [[[unit[:] for unit in units] for units in lanes] for lanes in self.lanes]
        new.counts = self.counts[:]
        first, second = self.guards
        new.guards = [first[:], second[:]]
        new.ready = self.ready[:]
        new.plays = self.plays  # replaced when they change, never changed
        new.moves = self.moves
        new.seat = self.seat
        new.fallen = self.fallen
        new.winner = self.winner
        return new

    # Decisions

    def legal(self) -> list[Move]:
        """The legal moves, none when the match is over. The list belongs to the match: do not change it."""
        return self.moves

    def apply(self, move: Move) -> None:
        """Make a legal move and go on to the next decision."""
        kind, x, y, z = move
        seat = self.seat
        if kind == PASS:
            if seat:
                self.spent = self.mana == 0
            self._begin_turn(1 - seat)
        elif kind == SUMMON:
            self._summon(seat, self.hands[seat].pop(x), y)
        elif kind == STRIKE:
            self.ready[x] &= ATTACKED[y]
            if self._strike(seat, x, y, z):
                self._list_plays()
        elif kind == RUSH:
            self.ready[x] &= ATTACKED[y]
            power, _, words, _ = self.lanes[seat][x][y]
            if power:
                if words & DRAIN:
                    self.health[seat] += power
                self._lose(1 - seat, power)
        elif kind == PICK:
            self._pick(x)
            return
        else:
            card = self.hands[seat].pop(x)
            self.mana -= COST[card]
            if kind == USE:
                self._strengthen(seat, y, z, card)
            elif kind == HEX:
                self._weaken(1 - seat, y, z, card)
            else:
                mine, theirs, draws = EFFECTS[card]
                self._effects(seat, (mine, theirs + DEFENSE[card], draws))
            self._list_plays()
        if self.fallen:  # if both have, the seat whose turn it is wins (LC-62)
            self.winner = self.seat if self.health[1 - self.seat] <= 0 else 1 - self.seat
            self.moves = []
            return
        moves = self.plays[:]
        left, right = self.ready
        if left:
            other = 1 - self.seat
            guards = self.guards[other][0]
            moves += ATTACKS[0][ROOM + guards if guards else len(self.lanes[other][0])][left]
        if right:
            other = 1 - self.seat
            guards = self.guards[other][1]
            moves += ATTACKS[1][ROOM + guards if guards else len(self.lanes[other][1])][right]
        self.moves = moves

    def words(self, move: Move) -> tuple[str, ...]:
        """A legal move in words: a verb; a card's number or place in the hand; a lane; units by seat, lane, place."""
        kind, x, y, z = move
        match kind:
            case 0:  # PICK
                return "pick", str(x + 1)
            case 1:  # SUMMON
                return "summon", str(x), str(y)
            case 2:  # STRIKE
                return "attack", f"{self.seat} {x} {y}", f"{1 - self.seat} {x} {z}"
            case 3:  # RUSH
                return "rush", f"{self.seat} {x} {y}"
            case 4:  # USE
                return "use", str(x), f"{self.seat} {y} {z}"
            case 5:  # HEX
                return "use", str(x), f"{1 - self.seat} {y} {z}"
            case 6:  # BLAST
                return "blast", str(x)
        return ("pass",)

    # The draft (LC-4, LC-5, LC-7)

    def _draw_triples(self) -> list[list[int]]:
        if self.chance is not None:
            pool = self._sample("pick pool", list(range(CARDS)), 60)
            return [self._sample("pick triple", pool, 3) for _ in range(30)]
        pool = self.rng.sample(range(CARDS), 60)
        uniform = self.rng.random
        triples = []
        for _ in range(30):
            i, j, k = int(uniform() * 60), int(uniform() * 59), int(uniform() * 58)
            j += j >= i
            k += k >= min(i, j)
            k += k >= max(i, j)
            triples.append([pool[i], pool[j], pool[k]])
        return triples

    def _sample(self, name: str, items: list[int], count: int) -> list[int]:
        assert self.chance is not None
        left = items[:]
        out = []
        for _ in range(count):
            item = self.chance.pick(name, left[:])
            left.remove(item)
            out.append(item)
        return out

    def _pick(self, card: int) -> None:
        self.chosen[self.seat].append(card)
        if self.seat == 0:
            self.seat = 1
        elif self.triples:
            self.seat = 0
            self.moves = [PICKS[card] for card in self.triples.pop()]
        else:
            self._deal()

    def _deal(self) -> None:
        self.decks, self.chosen = self.chosen, [[], []]
        for seat in (0, 1):
            deck = self.decks[seat]
            if self.chance is None:
                uniform = self.rng.random
                deck.sort(key=lambda _: uniform())
            else:
                deck[:] = self.chance.shuffle(f"shuffle deck {seat}", deck[:])
            opening = 4 + seat
            self.hands[seat] = deck[: -opening - 1 : -1]
            del deck[-opening:]
        self.bonus = True
        self.max_mana[1] = 1
        self._begin_turn(0)
        self.moves = self.plays  # there are no attacks yet

    # A turn

    def _begin_turn(self, seat: int) -> None:
        """Mana, readiness and draws (LC-11 to LC-25)."""
        self.seat = seat
        self.turns[seat] += 1
        mana = self.max_mana[seat]
        bonus = seat == 1 and self.bonus
        if mana < 12 + bonus:
            mana += 1
        if bonus and self.spent:
            self.bonus = False
            mana -= 1
        self.max_mana[seat] = self.mana = mana
        left, right = self.lanes[seat]
        self.ready = [ALL[len(left)], ALL[len(right)]]
        draws = 1 + self.extra[seat]
        self.extra[seat] = 0
        deck, hand = self.decks[seat], self.hands[seat]
        for _ in range(draws):
            if not deck or self.turns[seat] > LAST_TURN:
                self._burn(seat)
            elif len(hand) < HAND:
                hand.append(deck.pop())
            else:
                break
        self._list_plays()

    def _burn(self, seat: int) -> None:
        rune = self.runes[seat]
        self.health[seat] = rune
        if rune:
            self.runes[seat] = rune - 5
        else:
            self.fallen = True

    def _list_plays(self) -> None:
        seat = self.seat
        by_type = PLAYS[self.counts[seat]][self.counts[1 - seat]]
        mana = self.mana
        plays = [PASSES]
        h = 0
        for card in self.hands[seat]:
            if COST[card] <= mana:
                plays += by_type[TYPE[card]][h]
            h += 1  # noqa: SIM113 - slower with enumerate
        self.plays = plays

    # Health (LC-20 to LC-22)

    def _lose(self, seat: int, amount: int) -> None:
        health = self.health[seat] - amount
        self.health[seat] = health
        rune = self.runes[seat]
        if health <= rune:
            while rune and health <= rune:
                rune -= 5
                self.extra[seat] += 1
            self.runes[seat] = rune
            if health <= 0:
                self.fallen = True

    def _effects(self, seat: int, effects: tuple[int, int, int]) -> None:
        mine, theirs, draws = effects
        if mine > 0:
            self.health[seat] += mine
        elif mine:
            self._lose(seat, -mine)
        if theirs < 0:
            self._lose(1 - seat, -theirs)
        elif theirs:
            self.health[1 - seat] += theirs
        self.extra[seat] += draws

    # Creatures (LC-40 to LC-49)

    def _summon(self, seat: int, card: int, lane: int) -> None:
        self.mana -= COST[card]
        words = WORDS[card]
        units = self.lanes[seat][lane]
        i = len(units)
        units.append([ATTACK[card], DEFENSE[card], words, card])
        self.counts[seat] += 1 if lane else 4
        self.ready[lane] |= CHARGING[i] if words & CHARGE else NEW[i]
        if words & GUARD:
            self.guards[seat][lane] |= 1 << i
        if card in HAVE_EFFECTS:
            self._effects(seat, EFFECTS[card])
        self._list_plays()

    def _strike(self, seat: int, lane: int, i: int, j: int) -> bool:
        """Let a unit attack another, and tell whether one has died."""
        unit, other = self.lanes[seat][lane][i], self.lanes[1 - seat][lane][j]
        power, life, words, _ = unit
        counter, defense, its_words, _ = other
        deaths = False
        if power:
            if its_words & WARD:
                other[KEYWORDS] = its_words ^ WARD
            else:
                if power >= defense or words & LETHAL:
                    deaths = True
                    self._bury(1 - seat, lane, j)
                else:
                    other[LIFE] = defense - power
                if words & DRAIN:
                    self.health[seat] += power
                if words & BREAKTHROUGH and power > defense:
                    self._lose(1 - seat, power - defense)
        if counter:
            if words & WARD:
                unit[KEYWORDS] = words ^ WARD
            elif counter >= life or its_words & LETHAL:
                deaths = True
                self._bury(seat, lane, i)
                self.ready[lane] = DROP_READY[self.ready[lane]][i]
            else:
                unit[LIFE] = life - counter
        return deaths

    def _bury(self, seat: int, lane: int, i: int) -> None:
        del self.lanes[seat][lane][i]
        self.counts[seat] -= 1 if lane else 4
        guards = self.guards[seat]
        guards[lane] = DROP[guards[lane]][i]

    # Items on creatures (LC-50 to LC-53)

    def _strengthen(self, seat: int, lane: int, i: int, card: int) -> None:
        unit = self.lanes[seat][lane][i]
        unit[POWER] += ATTACK[card]
        unit[LIFE] += DEFENSE[card]
        words = WORDS[card]
        unit[KEYWORDS] |= words
        if words & GUARD:
            self.guards[seat][lane] |= 1 << i
        if words & CHARGE:
            self.ready[lane] |= (self.ready[lane] & NEW[i]) >> 3
        self._effects(seat, EFFECTS[card])

    def _weaken(self, seat: int, lane: int, i: int, card: int) -> None:
        unit = self.lanes[seat][lane][i]
        words = unit[KEYWORDS] & ~WORDS[card]
        power = unit[POWER] + ATTACK[card]
        unit[POWER] = power if power > 0 else 0
        if not words & GUARD:
            self.guards[seat][lane] &= ~(1 << i)
        damage = -DEFENSE[card]
        if damage:
            if words & WARD:
                words ^= WARD
            elif damage >= unit[LIFE]:
                self._bury(seat, lane, i)
            else:
                unit[LIFE] -= damage
        unit[KEYWORDS] = words
        self._effects(1 - seat, EFFECTS[card])

    # The state as data

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data: cards by number; creatures with attack, defence, keywords, may they attack."""

        def numbers(cards: list[int]) -> list[int]:
            return [card + 1 for card in cards]

        def told(seat: int, lane: int) -> list[tuple[int, int, int, str, bool]]:
            able = self.ready[lane] if seat == self.seat else 0
            return [
                (card + 1, power, life, letters(words), bool(able >> i & 1))
                for i, (power, life, words, card) in enumerate(self.lanes[seat][lane])
            ]

        return {
            "health": self.health[:],
            "runes": self.runes[:],
            "max_mana": self.max_mana[:],
            "mana": self.mana,
            "bonus": self.bonus,
            "extra": self.extra[:],
            "turns": self.turns[:],
            "chosen": [numbers(cards) for cards in self.chosen],
            "hands": [numbers(cards) for cards in self.hands],
            "decks": [numbers(cards) for cards in self.decks],
            "lanes": [[told(seat, lane) for seat in (0, 1)] for lane in (0, 1)],
        }


def letters(words: int) -> str:
    """Keywords in the letters of the card list."""
    return "".join(letter if words >> i & 1 else "-" for i, letter in enumerate(LETTERS))


def random_bot(rng: Random) -> Bot:
    """A bot that takes each legal move with the same probability."""
    uniform = rng.random

    def bot(match: Locm) -> Move:
        moves = match.moves
        return moves[int(uniform() * len(moves))]

    return bot


def play(match: Locm, bots: Sequence[Bot]) -> int:
    """Play a match to its end and return the number of decisions."""
    decisions = 0
    while match.moves:
        match.apply(bots[match.seat](match))
        decisions += 1
    return decisions


def playout(seed: int, decks: Sequence[Sequence[int]] | None = None, chance: Chance | None = None) -> tuple[int, int]:
    """Play a match between two random bots: its winner and the number of decisions."""
    rng = Random(seed)
    match = Locm(rng, chance, decks)
    decisions = play(match, (random_bot(rng), random_bot(rng)))
    return match.winner, decisions


def main(matches: int = 10_000) -> None:
    """Print how fast random playouts are, with the draft and without."""
    rng = Random(0)
    decks = [[[int(rng.random() * CARDS) for _ in range(30)] for _ in (0, 1)] for _ in range(200)]
    for name in ("with the draft", "battles alone"):
        begin = perf_counter()
        decisions = 0
        for seed in range(matches):
            decisions += playout(seed, decks[seed % len(decks)] if name == "battles alone" else None)[1]
        seconds = perf_counter() - begin
        print(f"{name}: {matches / seconds:,.0f} playouts/s, {decisions / seconds:,.0f} decisions/s, ", end="")
        print(f"{decisions / matches:.1f} decisions a match")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
