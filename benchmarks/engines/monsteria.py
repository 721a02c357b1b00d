"""Monsteria, written by hand: the yardstick for the speed of generated code and an independent model of the game.

A match is a `Monsteria`. While it is not over, `seat` must choose among `legal()`, which is never empty::

    match = Monsteria(Random(7), HAMMER, WALL)
    while moves := match.legal():
        match.apply(moves[0])

A move is a small integer: one of `VERBS`, or for `pay` an amount, for `stake` the place of a card in the deck;
`DECLINE` is the last move wherever it is legal. `decision` and `choose` tell the same in words and by index, `snapshot`
is the whole state as plain data. Chance comes from the given `Random`, or from a `Chance` when one is supplied, so that
a recorded match can be played again.

Seats are 0 and 1, `NOBODY` is neither. A card is its number: copies of it are alike. The spent pile of a player is what
his stack lacks to ten.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any, Final, Protocol, TypeAlias

DAMAGE: Final = (
    "triumpkin",
    "felion",
    "mudlurk",
    "needleback",
    "leechling",
    "pebblet",
    "sparkit",
    "twinfang",
    "rustbite",
    "duskrunner",
    "hexling",
    "grimhorn",
    "emberox",
    "galewing",
    "ragehorn",
    "gravegnaw",
    "voltraxis",
    "cinder_roc",
    "tidewyrm",
    "ironmaw",
)
SUPPORT: Final = (
    "extended_draw",
    "mossback",
    "hearth_imp",
    "charge_eel",
    "beacon_sprite",
    "thrift_mole",
    "ward_beetle",
    "lantern_moth",
    "pond_oracle",
    "oakheart",
    "granite_ram",
    "spring_nymph",
    "bulwark",
    "recall_wisp",
    "dynamo_ray",
    "old_willow",
)
SPECIAL: Final = (
    "multi_draw",
    "coin_imp",
    "peeper",
    "thief_gull",
    "landslide",
    "tax_crow",
    "changeling",
    "pact_bat",
    "void_maw",
    "hush_toad",
    "saboteur",
    "rally_hound",
    "phoenix_chick",
    "mirror_imp",
    "thornback",
    "seesaw_fox",
    "doom_clock",
    "world_turtle",
)
CONSUMABLES: Final = (
    "elixir",
    "war_horn",
    "smoke_bomb",
    "honey_cake",
    "thunder_jar",
    "scrying_lens",
    "frost_flask",
)
CARDS: Final = DAMAGE + SUPPORT + SPECIAL + CONSUMABLES
NUMBER: Final = {name: number for number, name in enumerate(CARDS)}
FIRST_KEEPABLE: Final = len(DAMAGE)
FIRST_CONSUMABLE: Final = FIRST_KEEPABLE + len(SUPPORT) + len(SPECIAL)

RARITIES: Final = {
    1: "triumpkin mudlurk needleback leechling pebblet mossback hearth_imp charge_eel coin_imp peeper",
    2: "sparkit twinfang rustbite duskrunner hexling beacon_sprite thrift_mole ward_beetle lantern_moth pond_oracle "
    "thief_gull landslide tax_crow changeling pact_bat",
    3: "grimhorn emberox galewing ragehorn gravegnaw extended_draw oakheart granite_ram spring_nymph void_maw "
    "hush_toad saboteur rally_hound phoenix_chick",
    4: "voltraxis cinder_roc tidewyrm bulwark recall_wisp dynamo_ray multi_draw mirror_imp thornback seesaw_fox",
    5: "felion ironmaw old_willow doom_clock world_turtle",
}
COST: Final = [0] * len(CARDS)
for _cost, _names in RARITIES.items():
    for _name in _names.split():
        COST[NUMBER[_name]] = _cost

LEECHLING: Final = NUMBER["leechling"]
VOLTRAXIS: Final = NUMBER["voltraxis"]
PHOENIX_CHICK: Final = NUMBER["phoenix_chick"]
BULWARK: Final = NUMBER["bulwark"]
LANTERN_MOTH: Final = NUMBER["lantern_moth"]
HUSH_TOAD: Final = NUMBER["hush_toad"]
MIRROR_IMP: Final = NUMBER["mirror_imp"]
THORNBACK: Final = NUMBER["thornback"]
DOOM_CLOCK: Final = NUMBER["doom_clock"]
WAR_HORN: Final = NUMBER["war_horn"]
SMOKE_BOMB: Final = NUMBER["smoke_bomb"]

VERBS: Final = (
    "draw",
    "defend",
    "unpack",
    "end",
    "play",
    "pass",
    "store",
    "consume",
    "light",
    "sink",
    "mend",
    "rest",
    "pay",
    "stake",
)
DRAW, DEFEND, UNPACK, END, PLAY, PASS, STORE, CONSUME, LIGHT, SINK, MEND, REST, PAY, STAKE = range(14)
DECLINE: Final = -1
NOBODY: Final = -1
# What is being asked, beside `PAY` and `STAKE`: the first or the second kind of action, or one of the verbs that may be
# declined; windows tell who is asked.
OVER, ACT, DECIDE, CHANGE = 20, 21, 22, 23
MINE, THEIRS, ANSWER = 30, 31, 32

# Moves by what is possible. ACTS[draw + 2 * untouched + 4 * unpack], DECISIONS[play + 2 * store + 4 * unpack].
ACTS: Final = tuple(
    ((DRAW,) if i & 1 else ()) + ((DEFEND,) if i & 2 else ()) + ((UNPACK,) if i & 4 else ()) + (() if i & 2 else (END,))
    for i in range(8)
)
DECISIONS: Final = tuple(
    ((PLAY,) if i & 1 else ()) + (PASS,) + ((STORE,) if i & 2 else ()) + ((UNPACK,) if i & 4 else ()) for i in range(8)
)
MAY_CONSUME: Final = (CONSUME, DECLINE)
MAY_LIGHT: Final = (LIGHT, DECLINE)
MAY_SINK: Final = (SINK, DECLINE)
CHANGES: Final = (MEND, REST)
PAYS: Final = tuple(tuple(range(n + 1)) for n in range(6))

Option: TypeAlias = tuple[str] | tuple[str, str] | tuple[str, int]
Bot: TypeAlias = Callable[["Monsteria"], int]
Effect: TypeAlias = Callable[["Monsteria", int, int], None]


class Chance(Protocol):
    """Where chance comes from when it is supplied: each event has a name, seats are numbers, cards have names."""

    def pick(self, name: str, items: list[int], /) -> int: ...

    def shuffle(self, name: str, items: list[str], /) -> list[str]: ...


class Monsteria:
    """The state of a match, always at a decision or over.

    What waits for its moment, by seat: `horn`, `smoke`, `mirror`, `bulwark`, `thorn`, `hush`, `moth` are there or not;
    `moles` and `rallies` are counted; `hexes`, `wards`, `rams`, `nymphs`, `taxes`, `dooms` are lists of the turns at
    whose end they are over."""

    __slots__ = (
        "any_time",
        "banished",
        "belt",
        "both",
        "bulwark",
        "chance",
        "cp",
        "deck",
        "defending",
        "dooms",
        "doubled",
        "draws",
        "drew",
        "energy",
        "frosts",
        "hand",
        "health",
        "hexes",
        "horn",
        "hush",
        "kind",
        "limit",
        "max_health",
        "mirror",
        "moles",
        "moth",
        "mover",
        "moves",
        "nymphs",
        "own_halved",
        "played",
        "rallies",
        "rams",
        "reflected",
        "result",
        "rng",
        "round_up",
        "seat",
        "smoke",
        "smoked",
        "staked",
        "stakes",
        "stored",
        "taxes",
        "thorn",
        "thorns",
        "timed",
        "token_first",
        "turns",
        "unpacked",
        "wards",
        "winner",
    )

    def __init__(
        self,
        rng: Random,
        first_deck: Sequence[int],
        second_deck: Sequence[int],
        max_turns: int = 500,
        max_health: int = 0,
        begins: int = NOBODY,
        any_time: bool = True,
        round_up: bool = False,
        token_first: bool = False,
        own_halved: bool = False,
        ante: bool = False,
        chance: Chance | None = None,
    ) -> None:
        self.rng = rng
        self.chance = chance
        self.limit = max_turns
        self.max_health = max_health
        self.any_time = any_time
        self.round_up = round_up
        self.token_first = token_first
        self.own_halved = own_halved
        decks = (first_deck, second_deck)
        self.deck = [[card for card in deck if card < FIRST_CONSUMABLE] for deck in decks]
        self.belt = [next((card for card in deck if card >= FIRST_CONSUMABLE), NOBODY) for deck in decks]
        self.hand = [NOBODY, NOBODY]
        self.stored = [NOBODY, NOBODY]
        self.played: list[list[int]] = [[], []]
        self.banished: list[list[int]] = [[], []]
        self.stakes: list[list[int]] = [[], []]
        self.health = [5000, 5000]
        self.cp = [10, 10]
        self.energy = [0, 0]
        self.defending = [False, False]
        self.draws = [1, 1]
        self.drew = [False, False]
        self.turns = 0
        self.horn = [False, False]
        self.smoke = [False, False]
        self.mirror = [False, False]
        self.bulwark = [False, False]
        self.thorn = [False, False]
        self.hush = [False, False]
        self.moth = [False, False]
        self.moles = [0, 0]
        self.rallies = [0, 0]
        self.frosts = 0
        self.timed = False  # whether any of the following lists holds anything
        self.hexes: list[list[int]] = [[], []]
        self.wards: list[list[int]] = [[], []]
        self.rams: list[list[int]] = [[], []]
        self.nymphs: list[list[int]] = [[], []]
        self.taxes: list[list[int]] = [[], []]
        self.dooms: list[list[int]] = [[], []]
        self.doubled = self.smoked = self.reflected = False  # what befalls the damage card that is being carried out
        self.both = False  # one clause is hurting both players
        self.thorns: list[tuple[int, int]] = []  # what it has set off meanwhile
        self.unpacked = False  # the card being carried out was the stored one
        self.staked = 0  # the place of what seat 0 has set aside
        self.mover = begins
        self.seat = NOBODY
        self.kind = OVER
        self.moves: Sequence[int] = ()
        self.winner = NOBODY
        self.result = ""
        if ante:
            self._ask(0, STAKE, range(len(self.deck[0])))
        else:
            self._begin()

    def copy(self) -> "Monsteria":
        """A match that goes on by itself; only the source of chance is shared."""
        new = Monsteria.__new__(Monsteria)
        for name in FLAT:
            setattr(new, name, getattr(self, name))
        for name in LISTS:
            setattr(new, name, getattr(self, name)[:])
        for name in NESTED:
            first, second = getattr(self, name)
            setattr(new, name, [first[:], second[:]])
        return new

    # Decisions

    def legal(self) -> Sequence[int]:
        """The legal moves, none when the match is over. They belong to the match: do not change them."""
        return self.moves

    def apply(self, move: int) -> None:
        """Make a legal move and go on to the next decision."""
        kind = self.kind
        seat = self.seat
        if kind == ACT:
            if move == DRAW:
                self.hand[seat] = self.deck[seat].pop()
                self.draws[seat] -= 1
                self.drew[seat] = True
                self._open()
            elif move == DEFEND:
                self.defending[seat] = True
                if self.cp[seat] < 10:
                    self.cp[seat] += 1
                self._end_turn()
            elif move == UNPACK:
                self._unpack()
            else:
                self._end_turn()
        elif kind == DECIDE:
            if move == PASS:
                self.played[seat].append(self.hand[seat])
                self.hand[seat] = NOBODY
                self.cp[seat] = min(10, self.cp[seat] + 3)
                self._decided()
            elif move == PLAY:
                card = self.hand[seat]
                self.hand[seat] = NOBODY
                self.unpacked = False
                self._play(card)
            elif move == STORE:
                self.stored[seat] = self.hand[seat]
                self.hand[seat] = NOBODY
                self._end_turn()
            else:
                self._unpack()
        elif kind >= MINE:
            used = move == CONSUME
            if used:
                self._consume(seat)
                if self.result:
                    return
            if kind == MINE:
                self._open_theirs()
            elif kind == THEIRS and used and self._charged(self.mover):
                self._ask(self.mover, ANSWER, MAY_CONSUME)
            else:
                self._ask_action()
        elif kind == LIGHT:
            if move == LIGHT:
                self.moth[seat] = False
                self.draws[seat] += 1
            self._open()
        elif kind == STAKE:
            self._stake(move)
        else:
            if kind == CHANGE:
                if move == MEND:
                    self._heal(seat, 250)
                else:
                    self._recover(seat, 2)
            elif kind == PAY:
                self.health[seat] -= 100 * move
                self._recover(seat, move)
            elif move == SINK:
                deck = self.deck[seat]
                deck.insert(0, deck.pop())
            self._put_away(CARD_OF[kind])

    def decision(self) -> tuple[int, str, list[Option]] | None:
        """Who decides, what, and the options by verbs, the names of cards and amounts, without declining."""
        if self.kind == OVER:
            return None
        seat = self.seat
        if self.kind == STAKE:
            return seat, "stake", [("stake", CARDS[card]) for card in self.deck[seat]]
        if self.kind == PAY:
            return seat, "pay", [("pay", n) for n in self.moves]
        options: list[Option] = []
        for move in self.moves:
            if move == CONSUME:
                options.append(("consume", CARDS[self.belt[seat]]))
            elif move == UNPACK:
                options.append(("unpack", CARDS[self.stored[seat]]))
            elif move == SINK:
                options.append(("sink", CARDS[self.deck[seat][-1]]))
            elif move in (PLAY, PASS, STORE):
                options.append((VERBS[move], CARDS[self.hand[seat]]))
            elif move != DECLINE:
                options.append((VERBS[move],))
        return seat, "may" if self.moves[-1] == DECLINE else "must", options

    def choose(self, index: int) -> None:
        """Take an option of `decision` by its index; -1 declines where that is legal."""
        may = self.moves[-1] == DECLINE
        if not (0 <= index < len(self.moves) - may or (may and index == DECLINE)):
            raise ValueError(f"there is no option {index}")
        self.apply(self.moves[index])

    def _ask(self, seat: int, kind: int, moves: Sequence[int]) -> None:
        self.seat = seat
        self.kind = kind
        self.moves = moves

    # The course of a match

    def _stake(self, place: int) -> None:
        if self.seat == 0:
            self.staked = place
            self._ask(1, STAKE, range(len(self.deck[1])))
            return
        self.stakes[0].append(self.deck[0].pop(self.staked))
        self.stakes[1].append(self.deck[1].pop(place))
        self._begin()

    def _begin(self) -> None:
        self._shuffle(0)
        self._shuffle(1)
        if self.mover == NOBODY:
            self.mover = self._coin("pick first")
        self._begin_turn()

    def _begin_turn(self) -> None:
        if self.turns == self.limit:
            self._finish(NOBODY, "Too many turns")
            return
        self.turns += 1
        seat = self.mover
        self.defending[seat] = False
        self.drew[seat] = False
        self.draws[seat] = 1
        if self.moth[seat]:
            self._ask(seat, LIGHT, MAY_LIGHT)
        else:
            self._open()

    def _charged(self, seat: int) -> bool:
        return self.energy[seat] == 4 and self.belt[seat] != NOBODY

    def _open(self) -> None:
        """Open the window before an action."""
        seat = self.mover
        if self.energy[seat] == 4 and self.belt[seat] != NOBODY:
            self._ask(seat, MINE, MAY_CONSUME)
        else:
            self._open_theirs()

    def _open_theirs(self) -> None:
        other = 1 - self.mover
        if self.energy[other] == 4 and self.belt[other] != NOBODY and self.any_time:
            self._ask(other, THEIRS, MAY_CONSUME)
        else:
            self._ask_action()

    def _ask_action(self) -> None:
        seat = self.seat = self.mover
        stored = self.stored[seat]
        card = self.hand[seat]
        if card == NOBODY:
            self.kind = ACT
            possible = 1 if self.draws[seat] and self.deck[seat] else 0
            if not self.drew[seat]:
                possible += 2
            if stored != NOBODY and self._cost(seat, stored) <= self.cp[seat]:
                possible += 4
            self.moves = ACTS[possible]
        else:
            self.kind = DECIDE
            possible = 1 if self._cost(seat, card) <= self.cp[seat] else 0
            if stored == NOBODY:
                if card >= FIRST_KEEPABLE:
                    possible += 2
            elif self._cost(seat, stored) <= self.cp[seat]:
                possible += 4
            self.moves = DECISIONS[possible]

    def _decided(self) -> None:
        """The drawn card was played or passed."""
        seat = self.mover
        if not self.deck[seat]:
            self._refill(seat)
        if self.draws[seat]:
            self._open()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        seat = self.mover
        if self.timed:
            self._close()
            if self.result:
                return
        self.rallies[seat] = 0
        self.frosts = 0
        for p in (seat, 1 - seat):
            if not self.deck[p]:
                self._refill(p)
        self.mover = 1 - seat
        self._begin_turn()

    def _close(self) -> None:
        """The end of a turn for what lasts some turns."""
        seat, turn = self.mover, self.turns
        if self.nymphs[seat]:
            self._heal(seat, 150 * len(self.nymphs[seat]))
        for last in self.dooms[seat]:
            if last == turn:
                self._strike(DOOM_CLOCK, seat, 900, 1 - seat)
                if self.result:
                    return
        left = False
        for lists in (self.hexes, self.wards, self.rams, self.nymphs, self.taxes, self.dooms):
            for p in (0, 1):
                if lists[p]:
                    lists[p] = [last for last in lists[p] if last > turn]
                    left = left or bool(lists[p])
        self.timed = left

    def _refill(self, seat: int) -> None:
        if self.hand[seat] == NOBODY and self.played[seat]:
            self.deck[seat], self.played[seat] = self.played[seat], self.deck[seat]
            self._shuffle(seat)

    def _finish(self, winner: int, result: str) -> None:
        self.winner = winner
        self.result = result
        self.kind = OVER
        self.seat = NOBODY
        self.moves = ()

    def _defeat(self, seat: int) -> None:
        if not self.result:
            self.stakes[1 - seat] += self.stakes[seat]
            self.stakes[seat] = []
            self._finish(1 - seat, "No health left")

    # Chance

    def _shuffle(self, seat: int) -> None:
        deck = self.deck[seat]
        if self.chance is None:
            uniform = self.rng.random
            deck.sort(key=lambda _: uniform())
        else:
            names = self.chance.shuffle(f"shuffle deck {seat}", [CARDS[card] for card in deck])
            deck[:] = [NUMBER[name] for name in names]

    def _coin(self, name: str) -> int:
        return int(self.rng.random() * 2) if self.chance is None else self.chance.pick(name, [0, 1])

    # Cards

    def _cost(self, seat: int, card: int) -> int:
        cost = COST[card]
        if self.moles[seat] or self.frosts or self.timed:
            cost += len(self.taxes[seat]) - 2 * self.moles[seat]
            if card < FIRST_KEEPABLE:
                cost += 2 * self.frosts
            return max(0, min(10, cost))
        return cost

    def _unpack(self) -> None:
        card = self.stored[self.mover]
        self.stored[self.mover] = NOBODY
        self.unpacked = True
        self._play(card)

    def _play(self, card: int) -> None:
        seat = self.mover
        self.cp[seat] -= self._cost(seat, card)
        self.moles[seat] = 0
        if card < FIRST_KEEPABLE:
            if self.token_first:
                self._charge(seat, 1)
            self._befall(seat)
            power = PLAIN[card]
            if power:
                self._strike(card, seat, power, 1 - seat)
            else:
                EFFECTS[card](self, seat, card)
            if self.result:
                return
            self.doubled = self.smoked = self.reflected = False
            if not self.token_first and self.energy[seat] < 4:
                self.energy[seat] += 1
        else:
            if card in WAITING:
                WAITING[card](self)[seat] = False
            if self.hush[1 - seat]:
                self.hush[1 - seat] = False
                self.played[seat].append(card)
                self._after()
                return
            EFFECTS[card](self, seat, card)
            if self.kind in CARD_OF or self.result:
                return  # a question is open, or the match is over
        self._put_away(card)

    def _befall(self, seat: int) -> None:
        """What was waiting for the next damage card of a seat."""
        other = 1 - seat
        if self.horn[seat]:
            self.horn[seat] = False
            self.doubled = True
        if self.smoke[other]:
            self.smoke[other] = False
            self.smoked = True
        if self.mirror[other]:
            self.mirror[other] = False
            self.reflected = True

    def _put_away(self, card: int) -> None:
        (self.banished if card == PHOENIX_CHICK else self.played)[self.mover].append(card)
        self._after()

    def _after(self) -> None:
        if self.unpacked:
            seat = self.mover
            if self.hand[seat] == NOBODY and self.drew[seat] and not self.draws[seat]:
                self._end_turn()
            else:
                self._open()
        else:
            self._decided()

    def _consume(self, seat: int) -> None:
        self.energy[seat] = 0
        EFFECTS[self.belt[seat]](self, seat, self.belt[seat])

    # Health, points, tokens

    def _strike(self, card: int, owner: int, amount: int, target: int) -> None:
        """Deal damage: strengthened and weakened, then doubled, made nothing, sent back, prevented."""
        damage = card < FIRST_KEEPABLE
        if damage:
            if self.rallies[owner] or self.timed:
                amount = max(0, amount + 200 * self.rallies[owner] - 100 * len(self.hexes[owner]))
            if self.doubled:
                amount *= 2
            if self.smoked:
                amount = 0
            if self.reflected and target != owner:
                target = owner
        if self.bulwark[target] and amount:
            self.bulwark[target] = False
            return
        if damage:
            if self.defending[target] and card != VOLTRAXIS and (target != owner or self.own_halved):
                amount = self._half(amount)
            if self.timed and target != owner:
                amount = max(0, amount - 200 * len(self.wards[target]) - 150 * len(self.rams[target]))
        self._hurt(card, owner, amount, target)

    def _hurt(self, card: int, owner: int, amount: int, target: int) -> None:
        health = self.health[target] - amount
        if health <= 0:
            self.health[target] = 0
            if not self.both:
                self._defeat(target)
                return
        else:
            self.health[target] = health
        if amount and target != owner:
            if card == LEECHLING:
                self._heal(owner, amount)
            if self.thorn[target] and card < FIRST_KEEPABLE:
                if self.both:
                    self.thorns.append((target, amount))
                else:
                    self._sting(target, amount)

    def _sting(self, seat: int, amount: int) -> None:
        if self.thorn[seat]:
            self.thorn[seat] = False
            self._strike(THORNBACK, seat, self._half(amount), 1 - seat)

    def _blast(self, card: int, owner: int, amount: int) -> None:
        """Damage to both in one clause; if both fall, the owner of the card loses."""
        self.both = True
        self._strike(card, owner, amount, 1 - owner)
        self._strike(card, owner, amount, owner)
        self.both = False
        thorns, self.thorns = self.thorns, []
        for seat in (owner, 1 - owner):
            if not self.health[seat]:
                self._defeat(seat)
                return
        for seat, done in thorns:
            self._sting(seat, done)

    def _half(self, amount: int) -> int:
        return (amount + self.round_up) // 2

    def _heal(self, seat: int, amount: int) -> None:
        if self.max_health:
            amount = max(0, min(amount, self.max_health - self.health[seat]))
        self.health[seat] += amount

    def _recover(self, seat: int, amount: int) -> None:
        self.cp[seat] = min(10, self.cp[seat] + amount)

    def _spend(self, seat: int, amount: int) -> None:
        self.cp[seat] = max(0, self.cp[seat] - amount)

    def _charge(self, seat: int, amount: int) -> None:
        self.energy[seat] = min(4, self.energy[seat] + amount)

    def _drain(self, seat: int, amount: int) -> None:
        self.energy[seat] = max(0, self.energy[seat] - amount)

    def _banish_top(self, seat: int) -> None:
        if self.played[seat]:
            self.banished[seat].append(self.played[seat].pop())

    def _last(self, lists: list[list[int]], seat: int, turns: int) -> None:
        """Something lasts to the end of the turn that comes `turns` turns after this one."""
        lists[seat].append(self.turns + turns)
        self.timed = True

    # The state as data

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data, but for what waits for its moment."""

        def named(cards: Sequence[int]) -> list[str]:
            return [CARDS[card] for card in cards if card != NOBODY]

        return {
            "health": self.health[:],
            "cp": self.cp[:],
            "spent": [10 - cp for cp in self.cp],
            "energy": self.energy[:],
            "defending": self.defending[:],
            "draws": self.draws[:],
            "drew": self.drew[:],
            "turns": self.turns,
            "deck": [named(cards) for cards in self.deck],
            "hand": [named([card]) for card in self.hand],
            "stored": [named([card]) for card in self.stored],
            "played": [named(cards) for cards in self.played],
            "belt": [named([card]) for card in self.belt],
            "banished": [named(cards) for cards in self.banished],
            "stakes": [named(cards) for cards in self.stakes],
        }


# ---- What the cards do

PLAIN: Final = [0] * len(CARDS)
for _name, _power in {
    "triumpkin": 300,
    "felion": 1000,
    "needleback": 275,
    "leechling": 200,
    "sparkit": 450,
    "grimhorn": 650,
    "voltraxis": 850,
}.items():
    PLAIN[NUMBER[_name]] = _power


def _hits(m: Monsteria, seat: int, card: int, amount: int) -> bool:
    """Deal damage to the opponent; whether the battle goes on."""
    m._strike(card, seat, amount, 1 - seat)
    return not m.result


def _nothing(m: Monsteria, seat: int, card: int) -> None:
    """Cards that only show something to a player."""


def _mudlurk(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 250):
        m._heal(seat, 100)


def _pebblet(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 150):
        m._recover(seat, 1)


def _twinfang(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 225):
        _hits(m, seat, card, 225)


def _rustbite(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 350):
        m._drain(1 - seat, 1)


def _duskrunner(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 350) and m.defending[1 - seat]:
        m._recover(seat, 2)


def _hexling(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 300):
        m._last(m.hexes, 1 - seat, 1)


def _emberox(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 750):
        m._strike(card, seat, 200, seat)


def _galewing(m: Monsteria, seat: int, card: int) -> None:
    _hits(m, seat, card, 200 * m.energy[seat])


def _ragehorn(m: Monsteria, seat: int, card: int) -> None:
    _hits(m, seat, card, 800 if m.health[seat] <= 2000 else 400)


def _gravegnaw(m: Monsteria, seat: int, card: int) -> None:
    _hits(m, seat, card, min(900, 60 * len(m.played[1 - seat])))


def _cinder_roc(m: Monsteria, seat: int, card: int) -> None:
    m._blast(card, seat, 700)


def _tidewyrm(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 700):
        m._spend(1 - seat, 2)


def _ironmaw(m: Monsteria, seat: int, card: int) -> None:
    if _hits(m, seat, card, 800):
        m._banish_top(1 - seat)


def _thunder_jar(m: Monsteria, seat: int, card: int) -> None:
    _hits(m, seat, card, 400)


def _healing(amount: int) -> Effect:
    return lambda m, seat, card: m._heal(seat, amount)


def _recovery(amount: int) -> Effect:
    return lambda m, seat, card: m._recover(seat, amount)


def _more_draws(count: int) -> Effect:
    def effect(m: Monsteria, seat: int, card: int) -> None:
        m.draws[seat] += count

    return effect


def _hearth_imp(m: Monsteria, seat: int, card: int) -> None:
    m._heal(seat, 150)
    m._recover(seat, 1)


def _charge_eel(m: Monsteria, seat: int, card: int) -> None:
    m._charge(seat, 1)


def _dynamo_ray(m: Monsteria, seat: int, card: int) -> None:
    m._charge(seat, 2)
    m._recover(seat, 2)


def _thrift_mole(m: Monsteria, seat: int, card: int) -> None:
    m.moles[seat] += 1


def _ward_beetle(m: Monsteria, seat: int, card: int) -> None:
    m._last(m.wards, seat, 1)


def _granite_ram(m: Monsteria, seat: int, card: int) -> None:
    m._last(m.rams, seat, 5)


def _spring_nymph(m: Monsteria, seat: int, card: int) -> None:
    m._last(m.nymphs, seat, 6)


def _tax_crow(m: Monsteria, seat: int, card: int) -> None:
    m._last(m.taxes, 1 - seat, 1)


def _doom_clock(m: Monsteria, seat: int, card: int) -> None:
    m._last(m.dooms, seat, 4)


def _wait(m: Monsteria, seat: int, card: int) -> None:
    """It waits for its moment; a second one takes the place of the first."""
    WAITING[card](m)[seat] = True


def _pond_oracle(m: Monsteria, seat: int, card: int) -> None:
    if m.deck[seat]:
        m._ask(seat, SINK, MAY_SINK)


def _changeling(m: Monsteria, seat: int, card: int) -> None:
    m._ask(seat, CHANGE, CHANGES)


def _pact_bat(m: Monsteria, seat: int, card: int) -> None:
    m._ask(seat, PAY, PAYS[min(5, (m.health[seat] - 1) // 100)])


def _recall_wisp(m: Monsteria, seat: int, card: int) -> None:
    if m.played[seat]:
        m.deck[seat].append(m.played[seat].pop())
        m.draws[seat] += 1


def _coin_imp(m: Monsteria, seat: int, card: int) -> None:
    m._recover(m._coin("pick lucky"), 3)


def _thief_gull(m: Monsteria, seat: int, card: int) -> None:
    m._drain(1 - seat, 1)


def _landslide(m: Monsteria, seat: int, card: int) -> None:
    deck = m.deck[1 - seat]
    for _ in range(2):
        if deck:
            m.played[1 - seat].append(deck.pop())


def _void_maw(m: Monsteria, seat: int, card: int) -> None:
    m._banish_top(1 - seat)


def _saboteur(m: Monsteria, seat: int, card: int) -> None:
    if m.stored[1 - seat] != NOBODY:
        m.played[1 - seat].append(m.stored[1 - seat])
        m.stored[1 - seat] = NOBODY


def _rally_hound(m: Monsteria, seat: int, card: int) -> None:
    m.rallies[seat] += 1


def _seesaw_fox(m: Monsteria, seat: int, card: int) -> None:
    m.cp.reverse()


def _world_turtle(m: Monsteria, seat: int, card: int) -> None:
    for p in (seat, 1 - seat):
        m.deck[p] += m.played[p]
        m.played[p] = []
        m._shuffle(p)


def _frost_flask(m: Monsteria, seat: int, card: int) -> None:
    m.frosts += 1


_BY_NAME: Final[dict[str, Effect]] = {
    "mudlurk": _mudlurk,
    "pebblet": _pebblet,
    "twinfang": _twinfang,
    "rustbite": _rustbite,
    "duskrunner": _duskrunner,
    "hexling": _hexling,
    "emberox": _emberox,
    "galewing": _galewing,
    "ragehorn": _ragehorn,
    "gravegnaw": _gravegnaw,
    "cinder_roc": _cinder_roc,
    "tidewyrm": _tidewyrm,
    "ironmaw": _ironmaw,
    "extended_draw": _more_draws(1),
    "mossback": _healing(300),
    "hearth_imp": _hearth_imp,
    "charge_eel": _charge_eel,
    "beacon_sprite": _recovery(2),
    "thrift_mole": _thrift_mole,
    "ward_beetle": _ward_beetle,
    "lantern_moth": _wait,
    "pond_oracle": _pond_oracle,
    "oakheart": _healing(700),
    "granite_ram": _granite_ram,
    "spring_nymph": _spring_nymph,
    "bulwark": _wait,
    "recall_wisp": _recall_wisp,
    "dynamo_ray": _dynamo_ray,
    "old_willow": _healing(1000),
    "multi_draw": _more_draws(2),
    "coin_imp": _coin_imp,
    "thief_gull": _thief_gull,
    "landslide": _landslide,
    "tax_crow": _tax_crow,
    "changeling": _changeling,
    "pact_bat": _pact_bat,
    "void_maw": _void_maw,
    "hush_toad": _wait,
    "saboteur": _saboteur,
    "rally_hound": _rally_hound,
    "phoenix_chick": _healing(1200),
    "mirror_imp": _wait,
    "thornback": _wait,
    "seesaw_fox": _seesaw_fox,
    "doom_clock": _doom_clock,
    "world_turtle": _world_turtle,
    "elixir": _healing(600),
    "war_horn": _wait,
    "smoke_bomb": _wait,
    "honey_cake": _recovery(5),
    "thunder_jar": _thunder_jar,
    "frost_flask": _frost_flask,
}
EFFECTS: Final = tuple(_BY_NAME.get(name, _nothing) for name in CARDS)

# What waits, by card. A second one takes the place of the first also when its text is not carried out.
WAITING: Final[dict[int, Callable[[Monsteria], list[bool]]]] = {
    BULWARK: lambda m: m.bulwark,
    LANTERN_MOTH: lambda m: m.moth,
    HUSH_TOAD: lambda m: m.hush,
    MIRROR_IMP: lambda m: m.mirror,
    THORNBACK: lambda m: m.thorn,
    WAR_HORN: lambda m: m.horn,
    SMOKE_BOMB: lambda m: m.smoke,
}
# The cards that ask something, by what they ask.
CARD_OF: Final = {SINK: NUMBER["pond_oracle"], CHANGE: NUMBER["changeling"], PAY: NUMBER["pact_bat"]}

NESTED: Final = (
    "deck",
    "played",
    "banished",
    "stakes",
    "hexes",
    "wards",
    "rams",
    "nymphs",
    "taxes",
    "dooms",
)
LISTS: Final = (
    "belt",
    "hand",
    "stored",
    "health",
    "cp",
    "energy",
    "defending",
    "draws",
    "drew",
    "horn",
    "smoke",
    "mirror",
    "bulwark",
    "thorn",
    "hush",
    "moth",
    "moles",
    "rallies",
    "thorns",
)
FLAT: Final = tuple(name for name in Monsteria.__slots__ if name not in NESTED + LISTS)


# ---- Decks and playouts


def deck(**counts: int) -> tuple[int, ...]:
    """A deck from counts by card name."""
    return tuple(NUMBER[name] for name, count in counts.items() for _ in range(count))


HAMMER: Final = deck(
    triumpkin=5, sparkit=4, grimhorn=3, twinfang=2, voltraxis=1, felion=1, rally_hound=2, beacon_sprite=2, war_horn=1
)
WALL: Final = deck(
    leechling=4,
    mudlurk=2,
    mossback=4,
    oakheart=2,
    old_willow=1,
    ward_beetle=2,
    granite_ram=2,
    bulwark=1,
    mirror_imp=1,
    thornback=1,
    elixir=1,
)
WHEEL: Final = deck(
    extended_draw=3,
    multi_draw=2,
    lantern_moth=2,
    recall_wisp=1,
    thrift_mole=2,
    hearth_imp=2,
    pebblet=3,
    galewing=2,
    charge_eel=1,
    ironmaw=1,
    doom_clock=1,
    honey_cake=1,
)
THIEVES: Final = deck(
    rustbite=2,
    duskrunner=2,
    hexling=1,
    gravegnaw=1,
    thief_gull=2,
    void_maw=1,
    landslide=1,
    tax_crow=1,
    hush_toad=1,
    saboteur=1,
    tidewyrm=1,
    smoke_bomb=1,
)
DECKS: Final = {"hammer": HAMMER, "wall": WALL, "wheel": WHEEL, "thieves": THIEVES}


def random_bot(rng: Random) -> Bot:
    """A bot that takes each legal move with the same probability."""
    uniform = rng.random

    def bot(match: Monsteria) -> int:
        moves = match.moves
        return moves[int(uniform() * len(moves))]

    return bot


def play(match: Monsteria, bots: Sequence[Bot]) -> int:
    """Play a match to its end and return the number of decisions."""
    decisions = 0
    while match.moves:
        match.apply(bots[match.seat](match))
        decisions += 1
    return decisions


def playout(seed: int, first: Sequence[int] = HAMMER, second: Sequence[int] = WALL) -> tuple[int, int]:
    """Play a match between two random bots: its winner and the number of decisions."""
    rng = Random(seed)
    match = Monsteria(rng, first, second)
    bot = random_bot(rng)
    decisions = play(match, (bot, bot))
    return match.winner, decisions


def main(matches: int = 5_000) -> None:
    """Print how fast random playouts are."""
    begin = perf_counter()
    decisions = sum(playout(seed)[1] for seed in range(matches))
    seconds = perf_counter() - begin
    print(f"{matches / seconds:,.0f} playouts/s, {decisions / seconds:,.0f} decisions/s, ", end="")
    print(f"{decisions / matches:.1f} decisions a match")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
