"""Monsteria, written by hand: the yardstick for the speed of generated code and an independent model of the game.

A match is a `Monsteria`. While it is not over, `seat` must choose among `legal()`, which is never empty::

    match = Monsteria(Random(7), HAMMER, WALL)
    while moves := match.legal():
        match.apply(moves[0])

A move is a small integer: one of `VERBS`, or for `pay` an amount, for `stake` the place of a card in the deck;
`DECLINE` is the last move wherever it is legal. `decision` and `choose` tell the same in words and by index, `snapshot`
is the whole state as plain data. Chance comes from the given `Random`, or from a `Chance` when one is supplied, so that
a recorded match can be played again.

Seats are 0 and 1, `NOBODY` is neither. A card is its number, `NOTHING` is none; copies of a card are alike. The spent
pile of a player is what his stack lacks to ten.
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
THORNBACK: Final = NUMBER["thornback"]
DOOM_CLOCK: Final = NUMBER["doom_clock"]

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
NOTHING: Final = -1
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
Effect: TypeAlias = Callable[["Monsteria", "Player", int], None]


class Chance(Protocol):
    """Where chance comes from when it is supplied: each event has a name, seats are numbers, cards have names."""

    def pick(self, name: str, items: list[int], /) -> int: ...

    def shuffle(self, name: str, items: list[str], /) -> list[str]: ...


class Player:
    """What belongs to one player.

    What waits for its moment: `horn`, `smoke`, `mirror`, `bulwark`, `thorn`, `hush`, `moth` are there or not; `moles`
    and `rallies` are counted; `hexes` and `taxes` (of who suffers them), `wards`, `rams`, `nymphs` and `dooms` (of who
    has them) are the turns at whose end they are over."""

    __slots__ = (
        "banished",
        "belt",
        "bulwark",
        "cp",
        "deck",
        "defending",
        "dooms",
        "draws",
        "drew",
        "energy",
        "foe",
        "hand",
        "health",
        "hexes",
        "horn",
        "hush",
        "mirror",
        "moles",
        "moth",
        "nymphs",
        "played",
        "rallies",
        "rams",
        "seat",
        "smoke",
        "stakes",
        "stored",
        "taxes",
        "thorn",
        "wards",
    )

    foe: "Player"

    def __init__(self, seat: int, cards: Sequence[int]) -> None:
        self.seat = seat
        self.deck = [card for card in cards if card < FIRST_CONSUMABLE]
        self.belt = next((card for card in cards if card >= FIRST_CONSUMABLE), NOTHING)
        self.hand = NOTHING
        self.stored = NOTHING
        self.played: list[int] = []
        self.banished: list[int] = []
        self.stakes: list[int] = []
        self.health = 5000
        self.cp = 10
        self.energy = 0
        self.defending = False
        self.draws = 1
        self.drew = False
        self.horn = self.smoke = self.mirror = self.bulwark = self.thorn = self.hush = self.moth = False
        self.moles = self.rallies = 0
        self.hexes: list[int] = []
        self.wards: list[int] = []
        self.rams: list[int] = []
        self.nymphs: list[int] = []
        self.taxes: list[int] = []
        self.dooms: list[int] = []

    def copy(self) -> "Player":
        """One that goes on by itself, as yet without a foe."""
        new = Player.__new__(Player)
        for name in FLAT:
            setattr(new, name, getattr(self, name))
        for name in LISTS:
            setattr(new, name, getattr(self, name)[:])
        return new

    def recover(self, amount: int) -> None:
        self.cp = min(10, self.cp + amount)

    def spend(self, amount: int) -> None:
        self.cp = max(0, self.cp - amount)

    def charge(self, amount: int) -> None:
        self.energy = min(4, self.energy + amount)

    def drain(self, amount: int) -> None:
        self.energy = max(0, self.energy - amount)

    def banish_top(self) -> None:
        """Banish the card that was played last."""
        if self.played:
            self.banished.append(self.played.pop())


class Monsteria:
    """The state of a match, always at a decision or over. `me` is the player whose turn it is."""

    __slots__ = (
        "any_time",
        "begins",
        "both",
        "busy",
        "chance",
        "doubled",
        "ending",
        "frosts",
        "kind",
        "limit",
        "max_health",
        "me",
        "moves",
        "own_halved",
        "players",
        "reflected",
        "result",
        "rng",
        "round_up",
        "seat",
        "smoked",
        "staked",
        "sting",
        "token_first",
        "turns",
        "unpacked",
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
        self.begins = begins
        self.any_time = any_time
        self.round_up = round_up
        self.token_first = token_first
        self.own_halved = own_halved
        first, second = self.players = (Player(0, first_deck), Player(1, second_deck))
        first.foe, second.foe = second, first
        self.me = first
        self.turns = 0
        self.frosts = 0
        self.ending = False  # whether the turn ends when the window is closed
        self.busy = False  # whether anything lasts that changes numbers
        self.doubled = self.smoked = self.reflected = False  # what befalls the damage card that is being carried out
        self.both = False  # one clause is hurting both players
        self.sting = 0  # the damage in it that a Thornback answers
        self.unpacked = False  # the card being carried out was the stored one
        self.staked = 0  # the place of what seat 0 has set aside
        self.winner = NOBODY
        self.result = ""
        if ante:
            self._ask(first, STAKE, range(len(first.deck)))
        else:
            self._begin()

    def copy(self) -> "Monsteria":
        """A match that goes on by itself; only the source of chance is shared."""
        new = Monsteria.__new__(Monsteria)
        for name in Monsteria.__slots__:
            setattr(new, name, getattr(self, name))
        first, second = new.players = (self.players[0].copy(), self.players[1].copy())
        first.foe, second.foe = second, first
        new.me = new.players[self.me.seat]
        return new

    # Decisions

    def legal(self) -> Sequence[int]:
        """The legal moves, none when the match is over. They belong to the match: do not change them."""
        return self.moves

    def apply(self, move: int) -> None:
        """Make a legal move and go on to the next decision."""
        kind = self.kind
        me = self.me
        if kind == ACT:
            if move == DRAW:
                me.hand = me.deck.pop()
                me.draws -= 1
                me.drew = True
                self._open()
            elif move == DEFEND:
                me.defending = True
                if me.cp < 10:
                    me.cp += 1
                self._end_turn()
            elif move == UNPACK:
                self._unpack()
            else:
                self._end_turn()
        elif kind == DECIDE:
            if move == PASS:
                me.played.append(me.hand)
                me.hand = NOTHING
                me.cp = me.cp + 3 if me.cp < 7 else 10
                self._decided()
            elif move == PLAY:
                card = me.hand
                me.hand = NOTHING
                self.unpacked = False
                self._play(card)
            elif move == STORE:
                me.stored = me.hand
                me.hand = NOTHING
                self._refill_both()
                self._end_turn()
            else:
                self._unpack()
        elif kind >= MINE:
            self._answer(move == CONSUME)
        elif kind == LIGHT:
            if move == LIGHT:
                me.moth = False
                me.draws += 1
            self._open()
        elif kind == STAKE:
            self._stake(move)
        else:
            if kind == CHANGE:
                if move == MEND:
                    self.heal(me, 250)
                else:
                    me.recover(2)
            elif kind == PAY:
                me.health -= 100 * move
                me.recover(move)
            elif move == SINK:
                me.deck.insert(0, me.deck.pop())
            self._put_away(ASKING[kind], me.played)

    def decision(self) -> tuple[int, str, list[Option]] | None:
        """Who decides, whether he must or may, and the options by verbs, the names of cards and amounts."""
        if self.kind == OVER:
            return None
        player = self.players[self.seat]
        if self.kind == STAKE:
            return self.seat, "must", [("stake", CARDS[card]) for card in player.deck]
        if self.kind == PAY:
            return self.seat, "must", [("pay", n) for n in self.moves]
        options: list[Option] = []
        for move in self.moves:
            if move == CONSUME:
                options.append(("consume", CARDS[player.belt]))
            elif move == UNPACK:
                options.append(("unpack", CARDS[player.stored]))
            elif move == SINK:
                options.append(("sink", CARDS[player.deck[-1]]))
            elif move in (PLAY, PASS, STORE):
                options.append((VERBS[move], CARDS[player.hand]))
            elif move != DECLINE:
                options.append((VERBS[move],))
        return self.seat, "may" if self.moves[-1] == DECLINE else "must", options

    def choose(self, index: int) -> None:
        """Take an option of `decision` by its index; -1 declines where that is legal."""
        may = self.moves[-1] == DECLINE
        if not (0 <= index < len(self.moves) - may or (may and index == DECLINE)):
            raise ValueError(f"there is no option {index}")
        self.apply(self.moves[index])

    def _ask(self, player: Player, kind: int, moves: Sequence[int]) -> None:
        self.seat = player.seat
        self.kind = kind
        self.moves = moves

    # The course of a match

    def _stake(self, place: int) -> None:
        first, second = self.players
        if self.seat == 0:
            self.staked = place
            self._ask(second, STAKE, range(len(second.deck)))
        else:
            first.stakes.append(first.deck.pop(self.staked))
            second.stakes.append(second.deck.pop(place))
            self._begin()

    def _begin(self) -> None:
        for player in self.players:
            self.shuffle(player)
        begins = self.coin("pick first") if self.begins == NOBODY else self.begins
        self.me = self.players[1 - begins]  # as if the other player's turn had come to its end
        self._turn_over()

    def _answer(self, used: bool) -> None:
        """A consumable was used or not: the other player may use his, and this one may answer that."""
        kind, me = self.kind, self.me
        foe = me.foe
        if used:
            player = self.players[self.seat]
            player.energy = 0
            EFFECTS[player.belt](self, player, player.belt)
            if self.result:
                return
        if kind == MINE and foe.energy == 4 and foe.belt != NOTHING and self.any_time:
            self._ask(foe, THEIRS, MAY_CONSUME)
        elif kind == THEIRS and used and me.energy == 4 and me.belt != NOTHING:
            self._ask(me, ANSWER, MAY_CONSUME)
        elif self.ending:
            self.ending = False
            self._turn_over()
        else:
            self._open(window=False)

    def _window(self) -> bool:
        """Ask first whose turn it is, then the other one, whether he uses his consumable; whether anybody is asked."""
        me = self.me
        foe = me.foe
        if me.energy == 4 and me.belt != NOTHING:
            self._ask(me, MINE, MAY_CONSUME)
        elif foe.energy == 4 and foe.belt != NOTHING and self.any_time:
            self._ask(foe, THEIRS, MAY_CONSUME)
        else:
            return False
        return True

    def _open(self, window: bool = True) -> None:
        """Open the window before an action, if there was none, and ask for the action."""
        me = self.me
        if window and (me.energy == 4 or me.foe.energy == 4) and self._window():
            return
        self.seat = me.seat
        card = me.hand
        stored = me.stored
        if card == NOTHING:
            self.kind = ACT
            possible = 1 if me.deck and me.draws else 0
            if not me.drew:
                possible += 2
            if stored != NOTHING and (self._cost(me, stored) if self.busy else COST[stored]) <= me.cp:
                possible += 4
            self.moves = ACTS[possible]
        else:
            self.kind = DECIDE
            possible = 1 if (self._cost(me, card) if self.busy else COST[card]) <= me.cp else 0
            if stored == NOTHING:
                if card >= FIRST_KEEPABLE:
                    possible += 2
            elif (self._cost(me, stored) if self.busy else COST[stored]) <= me.cp:
                possible += 4
            self.moves = DECISIONS[possible]

    def _decided(self) -> None:
        """After the drawn card."""
        self._refill_both()
        if self.me.draws:
            self._open()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """After the last action of a turn."""
        if (self.me.energy == 4 or self.me.foe.energy == 4) and self._window():
            self.ending = True
        else:
            self._turn_over()

    def _turn_over(self) -> None:
        """End the turn and begin the other player's."""
        me = self.me
        foe = me.foe
        if self.busy:
            self._close()
            if self.result:
                return
        self._refill_both()
        if self.turns == self.limit:
            self._finish(NOBODY, "Too many turns")
            return
        self.turns += 1
        self.me = foe
        foe.defending = foe.drew = False
        foe.draws = 1
        if foe.moth:
            self._ask(foe, LIGHT, MAY_LIGHT)
        else:
            self._open()

    def _close(self) -> None:
        """The end of a turn for what lasts some turns."""
        me, turn = self.me, self.turns
        if me.nymphs:
            self.heal(me, 150 * len(me.nymphs))
        for last in me.dooms:
            if last == turn:
                self.strike(DOOM_CLOCK, me, 900, me.foe)
                if self.result:
                    return
        me.rallies = self.frosts = 0
        left = False
        for player in self.players:
            for name in LASTING:
                lasts = getattr(player, name)
                if lasts:
                    lasts[:] = [last for last in lasts if last > turn]
                    left = left or bool(lasts)
            left = left or player.moles > 0
        self.busy = left

    def _refill_both(self) -> None:
        me = self.me
        if not me.deck and me.hand == NOTHING:
            self._refill(me)
        if not me.foe.deck:
            self._refill(me.foe)

    def _refill(self, player: Player) -> None:
        if player.played:
            player.deck, player.played = player.played, player.deck
            self.shuffle(player)

    def _finish(self, winner: int, result: str) -> None:
        self.winner = winner
        self.result = result
        self.kind = OVER
        self.seat = NOBODY
        self.moves = ()

    def _defeat(self, player: Player) -> None:
        if not self.result:
            player.foe.stakes += player.stakes
            player.stakes = []
            self._finish(player.foe.seat, "No health left")

    # Chance

    def shuffle(self, player: Player) -> None:
        """Shuffle the deck of a player."""
        deck = player.deck
        if self.chance is None:
            uniform = self.rng.random
            deck.sort(key=lambda _: uniform())
        else:
            names = self.chance.shuffle(f"shuffle deck {player.seat}", [CARDS[card] for card in deck])
            deck[:] = [NUMBER[name] for name in names]

    def coin(self, name: str) -> int:
        return int(self.rng.random() * 2) if self.chance is None else self.chance.pick(name, [0, 1])

    # Cards

    def _cost(self, player: Player, card: int) -> int:
        cost = COST[card] + len(player.taxes) - 2 * player.moles
        if card < FIRST_KEEPABLE:
            cost += 2 * self.frosts
        return max(0, min(10, cost))

    def _unpack(self) -> None:
        card = self.me.stored
        self.me.stored = NOTHING
        self.unpacked = True
        self._play(card)

    def _play(self, card: int) -> None:
        me = self.me
        if self.busy:
            me.cp -= self._cost(me, card)
            me.moles = 0
        else:
            me.cp -= COST[card]
        if card < FIRST_KEEPABLE:
            self._play_damage(card)
            if self.result:
                return
            pile = me.played
        else:
            hushed = me.foe.hush
            if hushed:  # its text is not carried out
                me.foe.hush = False
            else:
                if card in WAITING:
                    setattr(me, WAITING[card], False)
                EFFECTS[card](self, me, card)
                if self.kind in ASKING:
                    return
            pile = me.banished if card == PHOENIX_CHICK and not hushed else me.played
        self._put_away(card, pile)

    def _play_damage(self, card: int) -> None:
        """Carry out a damage card, with what was waiting for it."""
        me = self.me
        foe = me.foe
        if self.token_first:
            me.charge(1)
        if me.horn:
            me.horn = False
            self.doubled = True
        if foe.smoke:
            foe.smoke = False
            self.smoked = True
        if foe.mirror:
            foe.mirror = False
            self.reflected = True
        power = PLAIN[card]
        if power:
            self.strike(card, me, power, foe)
        else:
            EFFECTS[card](self, me, card)
        self.doubled = self.smoked = self.reflected = False
        if not self.result and not self.token_first and me.energy < 4:
            me.energy += 1

    def _put_away(self, card: int, pile: list[int]) -> None:
        """A card has been carried out: put it on a pile and go on."""
        me = self.me
        pile.append(card)
        if self.unpacked:
            if me.draws or me.hand != NOTHING or not me.drew:
                self._open()
            else:
                self._end_turn()
        else:
            self._decided()

    # What cards do

    def strike(self, card: int, owner: Player, amount: int, target: Player) -> None:
        """Deal damage: strengthened and weakened, then doubled, made nothing, sent back, prevented."""
        damage = card < FIRST_KEEPABLE
        if damage:
            if self.busy:
                amount = max(0, amount + 200 * owner.rallies - 100 * len(owner.hexes))
            if self.doubled:
                amount *= 2
            if self.smoked:
                amount = 0
            if self.reflected:
                target = owner
        if target.bulwark and amount:
            target.bulwark = False
            return
        if damage:
            if target.defending and card != VOLTRAXIS and (target is not owner or self.own_halved or self.reflected):
                amount = self.half(amount)
            if self.busy and target is not owner:
                amount = max(0, amount - 200 * len(target.wards) - 150 * len(target.rams))
        health = target.health - amount
        if health <= 0:
            target.health = 0
            if not self.both:
                self._defeat(target)
                return
        else:
            target.health = health
        if amount and target is not owner:
            if card == LEECHLING:
                self.heal(owner, amount)
            if target.thorn and damage:
                if self.both:
                    self.sting = amount
                else:
                    self._sting(target, amount)

    def _sting(self, player: Player, amount: int) -> None:
        player.thorn = False
        self.strike(THORNBACK, player, self.half(amount), player.foe)

    def blast(self, card: int, owner: Player, amount: int) -> None:
        """Damage to both in one clause; if both fall, the owner of the card loses."""
        foe = owner.foe
        self.both = True
        self.sting = 0
        self.strike(card, owner, amount, foe)
        self.strike(card, owner, amount, owner)
        self.both = False
        if not owner.health:
            self._defeat(owner)
        elif not foe.health:
            self._defeat(foe)
        elif self.sting:
            self._sting(foe, self.sting)

    def half(self, amount: int) -> int:
        return (amount + self.round_up) // 2

    def heal(self, player: Player, amount: int) -> None:
        if self.max_health:
            amount = max(0, min(amount, self.max_health - player.health))
        player.health += amount

    def last(self, lasts: list[int], turns: int) -> None:
        """Something lasts to the end of the turn that comes `turns` turns after this one."""
        lasts.append(self.turns + turns)
        self.busy = True

    # The state as data

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data, but for what waits for its moment."""

        def named(cards: Sequence[int]) -> list[str]:
            return [CARDS[card] for card in cards if card != NOTHING]

        players = self.players
        return {
            "health": [p.health for p in players],
            "cp": [p.cp for p in players],
            "spent": [10 - p.cp for p in players],
            "energy": [p.energy for p in players],
            "defending": [p.defending for p in players],
            "draws": [p.draws for p in players],
            "drew": [p.drew for p in players],
            "turns": self.turns,
            "deck": [named(p.deck) for p in players],
            "hand": [named([p.hand]) for p in players],
            "stored": [named([p.stored]) for p in players],
            "played": [named(p.played) for p in players],
            "belt": [named([p.belt]) for p in players],
            "banished": [named(p.banished) for p in players],
            "stakes": [named(p.stakes) for p in players],
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


def _hits(m: Monsteria, me: Player, card: int, amount: int) -> bool:
    """Deal damage to the opponent; whether the battle goes on."""
    m.strike(card, me, amount, me.foe)
    return not m.result


def _nothing(m: Monsteria, me: Player, card: int) -> None:
    """Cards that only show something to a player."""


def _mudlurk(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 250):
        m.heal(me, 100)


def _pebblet(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 150):
        me.recover(1)


def _twinfang(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 225):
        _hits(m, me, card, 225)


def _rustbite(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 350):
        me.foe.drain(1)


def _duskrunner(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 350) and me.foe.defending:
        me.recover(2)


def _hexling(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 300):
        m.last(me.foe.hexes, 1)


def _emberox(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 750):
        m.strike(card, me, 200, me)


def _galewing(m: Monsteria, me: Player, card: int) -> None:
    _hits(m, me, card, 200 * me.energy)


def _ragehorn(m: Monsteria, me: Player, card: int) -> None:
    _hits(m, me, card, 800 if me.health <= 2000 else 400)


def _gravegnaw(m: Monsteria, me: Player, card: int) -> None:
    _hits(m, me, card, min(900, 60 * len(me.foe.played)))


def _cinder_roc(m: Monsteria, me: Player, card: int) -> None:
    m.blast(card, me, 700)


def _tidewyrm(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 700):
        me.foe.spend(2)


def _ironmaw(m: Monsteria, me: Player, card: int) -> None:
    if _hits(m, me, card, 800):
        me.foe.banish_top()


def _thunder_jar(m: Monsteria, me: Player, card: int) -> None:
    _hits(m, me, card, 400)


def _healing(amount: int) -> Effect:
    return lambda m, me, card: m.heal(me, amount)


def _recovery(amount: int) -> Effect:
    return lambda m, me, card: me.recover(amount)


def _more_draws(count: int) -> Effect:
    def effect(m: Monsteria, me: Player, card: int) -> None:
        me.draws += count

    return effect


def _hearth_imp(m: Monsteria, me: Player, card: int) -> None:
    m.heal(me, 150)
    me.recover(1)


def _charge_eel(m: Monsteria, me: Player, card: int) -> None:
    me.charge(1)


def _dynamo_ray(m: Monsteria, me: Player, card: int) -> None:
    me.charge(2)
    me.recover(2)


def _thrift_mole(m: Monsteria, me: Player, card: int) -> None:
    me.moles += 1
    m.busy = True


def _ward_beetle(m: Monsteria, me: Player, card: int) -> None:
    m.last(me.wards, 1)


def _granite_ram(m: Monsteria, me: Player, card: int) -> None:
    m.last(me.rams, 5)


def _spring_nymph(m: Monsteria, me: Player, card: int) -> None:
    m.last(me.nymphs, 6)


def _tax_crow(m: Monsteria, me: Player, card: int) -> None:
    m.last(me.foe.taxes, 1)


def _doom_clock(m: Monsteria, me: Player, card: int) -> None:
    m.last(me.dooms, 4)


def _wait(m: Monsteria, me: Player, card: int) -> None:
    """It waits for its moment; a second one takes the place of the first."""
    setattr(me, WAITING[card], True)


def _pond_oracle(m: Monsteria, me: Player, card: int) -> None:
    if me.deck:
        m._ask(me, SINK, MAY_SINK)


def _changeling(m: Monsteria, me: Player, card: int) -> None:
    m._ask(me, CHANGE, CHANGES)


def _pact_bat(m: Monsteria, me: Player, card: int) -> None:
    m._ask(me, PAY, PAYS[min(5, (me.health - 1) // 100)])


def _recall_wisp(m: Monsteria, me: Player, card: int) -> None:
    if me.played:
        me.deck.append(me.played.pop())
        me.draws += 1


def _coin_imp(m: Monsteria, me: Player, card: int) -> None:
    m.players[m.coin("pick lucky")].recover(3)


def _thief_gull(m: Monsteria, me: Player, card: int) -> None:
    me.foe.drain(1)


def _landslide(m: Monsteria, me: Player, card: int) -> None:
    deck = me.foe.deck
    for _ in range(2):
        if deck:
            me.foe.played.append(deck.pop())


def _void_maw(m: Monsteria, me: Player, card: int) -> None:
    me.foe.banish_top()


def _saboteur(m: Monsteria, me: Player, card: int) -> None:
    if me.foe.stored != NOTHING:
        me.foe.played.append(me.foe.stored)
        me.foe.stored = NOTHING


def _rally_hound(m: Monsteria, me: Player, card: int) -> None:
    me.rallies += 1
    m.busy = True


def _seesaw_fox(m: Monsteria, me: Player, card: int) -> None:
    me.cp, me.foe.cp = me.foe.cp, me.cp


def _world_turtle(m: Monsteria, me: Player, card: int) -> None:
    for player in (me, me.foe):
        player.deck += player.played
        player.played = []
        m.shuffle(player)


def _frost_flask(m: Monsteria, me: Player, card: int) -> None:
    m.frosts += 1
    m.busy = True


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
WAITING: Final = {
    NUMBER["bulwark"]: "bulwark",
    NUMBER["lantern_moth"]: "moth",
    NUMBER["hush_toad"]: "hush",
    NUMBER["mirror_imp"]: "mirror",
    NUMBER["thornback"]: "thorn",
    NUMBER["war_horn"]: "horn",
    NUMBER["smoke_bomb"]: "smoke",
}
# The cards that ask something, by what they ask.
ASKING: Final = {SINK: NUMBER["pond_oracle"], CHANGE: NUMBER["changeling"], PAY: NUMBER["pact_bat"]}

LASTING: Final = ("hexes", "wards", "rams", "nymphs", "taxes", "dooms")
LISTS: Final = ("deck", "played", "banished", "stakes", *LASTING)
FLAT: Final = tuple(name for name in Player.__slots__ if name not in (*LISTS, "foe"))


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
    uniform, apply = rng.random, match.apply
    decisions = 0
    while moves := match.moves:
        apply(moves[int(uniform() * len(moves))])
        decisions += 1
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
