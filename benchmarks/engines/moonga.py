"""Moonga, written by hand: the yardstick for the speed of generated code and an independent model of the game.

A match is a `Moonga`. While it is not over, `seat` must choose among `legal()`, which is never empty::

    match = Moonga(Random(7), decks=(Deck(SEASONS), Deck(MIRRORS)))
    while moves := match.legal():
        match.apply(moves[0])

A move is a small integer: what is invested (`move & 7`), `SUPPORTED`, `SWITCHED` and `BOOSTED` as bits, the level of
the evolution (`move >> 6 & 3`, 0 for none) and the attack spell (`move >> 8`). `decision` and `choose` tell the same in
words and by index, `snapshot` is the whole state as plain data. Chance comes from the given `Random`, or from a
`Chance` when one is supplied, so that a recorded match can be played again.

Seats are 0 and 1, `NOBODY` is neither. An attack spell is its index in `SPELLS`, a support spell in `SUPPORTS`. The
cards are those of the set `core` and of the expansion `densara`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

NOBODY: Final = -1
SUPPORTED, SWITCHED, BOOSTED = 8, 16, 32

DARKNESS, EARTH, ETHER, FIRE, ICE, LIGHT, WATER = range(7)
SEASONS_REQUIRE: Final = {WATER: EARTH, FIRE: WATER, EARTH: ICE, ICE: FIRE}  # spring, summer, autumn, winter
BEASTS, CHARMS, CREATURES, DIVINE, DOOM = (1 << i for i in range(5))
DRAGONS, FAERIE, HUMANS, MYTHICAL, CREATOR, SHAMANS = (1 << i for i in range(5, 11))

# The numbers of the two fighting spells: STAT + 3 * seat.
ATTACK, DEFENSE, DAMAGE = range(3)

Act: TypeAlias = Callable[["Moonga", int], None]
"""What an ability does: the match, and the seat of the spell that bears it."""
Test: TypeAlias = Callable[["Moonga", int], bool]
Hears: TypeAlias = Callable[["Moonga", int, int, int, int, bool], None]
"""Hears of a wound: match, bearer, who was hurt, by how much, by what (an attack: its seat; a support spell: 2 + its
seat), and whether directly."""
Wound: TypeAlias = tuple[int, int, int, bool]
Bot: TypeAlias = Callable[["Moonga"], int]


class Chance(Protocol):
    """Where chance comes from when it is supplied: each event has a name, seats are numbers."""

    def pick(self, name: str, items: list[int], /) -> int: ...


# ---- Abilities: what they are made of

CHANGES, SETS, ADDS, TIMES, PREPARES, HEARS, AFTER = (1 << i for i in range(7))


@dataclass(frozen=True, slots=True)
class Ability:
    """What a capacity, a switch, a boost or a support spell does, by the phases of a round."""

    changes: Act | None = None
    sets: tuple[Act, ...] = ()
    adds: tuple[Act, ...] = ()
    times: tuple[Act, ...] = ()
    prepares: Act | None = None
    hears: Hears | None = None
    after: Act | None = None
    steadfast: bool = False  # it can be neither exchanged nor cancelled
    cloak: bool = False  # halves the first wound
    elder: bool = False  # counts as one more spirit
    phases: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        parts = (self.changes, self.sets, self.adds, self.times, self.prepares, self.hears, self.after)
        object.__setattr__(self, "phases", sum(1 << i for i, part in enumerate(parts) if part))


def elemental(m: "Moonga", me: int) -> bool:
    face = m.faces[me]
    return m.decks[me].elements[face.element] > (face.own_element == face.element)


def seasonal(m: "Moonga", me: int) -> bool:
    face = m.faces[me]
    required = face.required
    return required != NOBODY and m.decks[me].elements[required] > (face.own_element == required)


def ether(element: int) -> Test:
    def test(m: "Moonga", me: int) -> bool:
        return m.decks[me].elements[element] > (m.faces[me].own_element == element)

    return test


def group(m: "Moonga", me: int) -> int:
    """How many other attack spells of the deck share a group with the fighting one."""
    face = m.faces[me]
    groups, spell = face.groups, face.spell
    found = 0
    for card, theirs in m.decks[me].groups:
        if theirs & groups and card is not spell:
            found += 1
    return found


def always(m: "Moonga", me: int) -> bool:
    return True


def own(stat: int, amount: int, when: Test = always) -> Act:
    """Add to a number of the bearer."""

    def plain(m: "Moonga", me: int) -> None:
        m.stats[stat + 3 * me] += amount

    def tested(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.stats[stat + 3 * me] += amount

    return plain if when is always else tested


def foe(stat: int, amount: int, when: Test = always) -> Act:
    """Add to a number of the opposing spell."""

    def plain(m: "Moonga", me: int) -> None:
        m.stats[stat + 3 - 3 * me] += amount

    def tested(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.stats[stat + 3 - 3 * me] += amount

    return plain if when is always else tested


def own_by(stat: int, amount: Callable[["Moonga", int], int], factor: int = 1) -> Act:
    def act(m: "Moonga", me: int) -> None:
        m.stats[stat + 3 * me] += factor * amount(m, me)

    return act


def foe_by(stat: int, amount: Callable[["Moonga", int], int], factor: int = 1) -> Act:
    def act(m: "Moonga", me: int) -> None:
        m.stats[stat + 3 - 3 * me] += factor * amount(m, me)

    return act


def foe_is(stat: int, value: int) -> Act:
    def act(m: "Moonga", me: int) -> None:
        m.stats[stat + 3 - 3 * me] = value

    return act


def own_times(stat: int, factor: int, when: Test = always) -> Act:
    def act(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.stats[stat + 3 * me] *= factor

    return act


def invested(m: "Moonga", me: int) -> int:
    return 0 if m.failed >> me & 1 else m.plays[me] & 7


def protect(amount: int, when: Test = always) -> Act:
    def act(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.shield[me] += amount

    return act


def heal(amount: int, when: Test = always) -> Act:
    def act(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.health[me] += amount

    return act


def charge(amount: int, when: Test = always) -> Act:
    def act(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.charge(me, amount)

    return act


def strike(amount: int, when: Test = always) -> Act:
    """Direct damage to the opponent, by an attack spell."""

    def act(m: "Moonga", me: int) -> None:
        if when(m, me):
            m.hurt(1 - me, amount, me, True)

    return act


def has_dealt(m: "Moonga", me: int) -> bool:
    return m.dealt[me] > 0


def has_not_dealt(m: "Moonga", me: int) -> bool:
    return m.dealt[me] == 0


def exchanging(when: Test = always) -> Act:
    """Exchange the abilities of the fighting spells, once in a round: the ability itself may come back to the turn."""

    def act(m: "Moonga", me: int) -> None:
        source = m.bears[me]
        if not m.used[source] and when(m, me):
            m.used[source] = True
            m.exchange()

    return act


def support_exchanges(m: "Moonga", me: int) -> None:
    m.exchange()


def evolved_exchange(m: "Moonga", me: int) -> None:
    if m.plays[me] >> 6 & 3:
        m.exchange()


def cancels(m: "Moonga", me: int) -> None:
    m.cancel(1 - me)


def cancels_both(m: "Moonga", me: int) -> None:
    m.cancel(me)
    m.cancel(1 - me)


def restore(m: "Moonga", me: int) -> None:
    m.health[me] = max(m.at_start[me] - m.direct[me], 0)


def drains_when_dealing(m: "Moonga", me: int, hurt: int, amount: int, cause: int, direct: bool) -> None:
    if hurt != me and amount > 0 and cause == me and not direct:
        m.drain(1 - me, 1)


def charges_when_hurt(m: "Moonga", me: int, hurt: int, amount: int, cause: int, direct: bool) -> None:
    if hurt == me and amount > 0:
        m.charge(me, 1)


def thorns(m: "Moonga", me: int, hurt: int, amount: int, cause: int, direct: bool) -> None:
    source = m.bears[me]
    if hurt == me and amount > 0 and not direct and not m.used[source]:
        m.used[source] = True
        m.hurt(1 - me, 2, me, True)


def curse(m: "Moonga", me: int) -> None:
    m.hurt(1 - me, group(m, me), me, True)


def rain(m: "Moonga", me: int) -> None:
    m.hurt(1 - me, 2, 2 + me, True)


def tax(m: "Moonga", me: int) -> None:
    if m.dealt[me] > 0:
        m.drain(1 - me, 2)


# ---- Densara


def spirit(m: "Moonga", me: int) -> int:
    """How many attack spells of the deck are shamans, and one more with an Elder at work there."""
    return m.decks[me].shamans + sum(1 for seat, ability in m.active if seat == me and ability.elder)


def spirits(least: int) -> Test:
    def test(m: "Moonga", me: int) -> bool:
        return spirit(m, me) >= least

    return test


def no_spirits(m: "Moonga", me: int) -> bool:
    return spirit(m, me) == 0


def theirs(m: "Moonga", me: int) -> int:
    return spirit(m, 1 - me)


def spirit_heals(m: "Moonga", me: int) -> None:
    m.health[me] += spirit(m, me)


def spirit_strikes(m: "Moonga", me: int) -> None:
    m.hurt(1 - me, spirit(m, me), me, True)


def spirit_protects(m: "Moonga", me: int) -> None:
    m.shield[me] += spirit(m, me)


def spirits_cancel(m: "Moonga", me: int) -> None:
    # in the midst of the changes: the Elder's capacity is where it stands now
    source = m.bears[me]
    if m.decks[me].shamans + sum(1 for ability in m.abilities[source] if ability.elder) >= 2:
        m.cancel(1 - me)


# ---- Cards


@dataclass(frozen=True, slots=True)
class Face:
    """What a spell is, as printed or as evolved."""

    spell: "Spell"
    attack: int
    defense: int
    damage: int
    element: int
    groups: int
    own_element: int  # of the printed spell, which the deck counts
    capacity: Ability | None
    switch: Ability | None
    boost: Ability | None
    required: int = field(init=False, default=NOBODY)  # the element that its season asks for

    def __post_init__(self) -> None:
        object.__setattr__(self, "required", SEASONS_REQUIRE.get(self.element, NOBODY))


@dataclass(frozen=True, slots=True)
class Evolution:
    """A level: its cost in power points or, `pays_health`, in health, and what it changes."""

    pays_health: bool
    cost: int
    changes: Mapping[str, Any]


class Played(NamedTuple):
    """A spell with all that its player has chosen for it."""

    cast: int  # what must be there, or it fails
    power: int  # what it costs, the cast and the investment too
    health: int
    invested: int
    attack: int
    defense: int
    damage: int
    face: Face
    abilities: tuple[Ability, ...]
    phases: int  # those of its abilities


class Spell:
    """An attack spell. `played[move >> 4 & 15]` is what comes of a way to play it, without an investment."""

    __slots__ = ("boost_cost", "cast", "evolutions", "face", "name", "played", "switch_cost")

    def __init__(
        self,
        name: str,
        element: int,
        groups: int,
        numbers: tuple[int, int, int],
        capacity: Ability | None = None,
        *,
        cast: int = 0,
        switch: Ability | None = None,
        switch_cost: int = 0,
        boost: Ability | None = None,
        boost_cost: int = 0,
        evolutions: Mapping[int, Evolution] | None = None,
    ) -> None:
        self.name = name
        self.cast = cast
        self.switch_cost = switch_cost
        self.boost_cost = boost_cost
        self.evolutions = evolutions or {}
        self.face = Face(self, *numbers, element, groups, element, capacity, switch, boost)
        self.played: list[Played | None] = [None] * 16
        for level in (0, *self.evolutions):
            evolution = self.evolutions.get(level)
            face = self.face if evolution is None else _changed(self.face, evolution.changes)
            for switched in (0, 1) if face.switch else (0,):
                for boosted in (0, 1) if face.boost else (0,):
                    power = cast + switch_cost * switched + boost_cost * boosted
                    health = 0
                    if evolution is not None and evolution.pays_health:
                        health = evolution.cost
                    elif evolution is not None:
                        power += evolution.cost
                    chosen = (face.switch if switched else face.capacity, face.boost if boosted else None)
                    abilities = tuple(ability for ability in chosen if ability is not None)
                    phases = sum({1 << i for i in range(7) for a in abilities if a.phases >> i & 1})
                    self.played[switched | boosted << 1 | level << 2] = Played(
                        cast, power, health, 0, face.attack, face.defense, face.damage, face, abilities, phases
                    )

    def moves(self, index: int, power: int, health: int, supports: bool, levels: int, table: "Table") -> list[int]:
        """Its moves by switch, boost, evolution (where `levels` has it), investment and support, in this order."""
        choices = []
        for way, played in enumerate(self.played):
            if played is None:
                continue
            level = way >> 2
            if self.cast > power:
                if way == 0:
                    choices.append((0, 0 if table.failing == "invest_nothing" else min(power, 4)))
            elif played.power <= power and (
                not level or (levels >> level & 1 and (not played.health or health > played.health - table.last_health))
            ):
                most = 4 - self.boost_cost if table.boost_counts and way & 2 else 4
                choices.append((way, min(power - played.power, most)))
        choices.sort(key=lambda choice: (choice[0] & 1, choice[0] & 2, choice[0]))
        return [
            index << 8 | way << 4 | support | n
            for way, most in choices
            for n in range(most + 1)
            for support in ((0, SUPPORTED) if supports else (0,))
        ]


def _changed(face: Face, changes: Mapping[str, Any]) -> Face:
    return replace(face, **changes)


def power(cost: int, **changes: Any) -> Evolution:
    return Evolution(False, cost, changes)


def blood(cost: int, **changes: Any) -> Evolution:
    return Evolution(True, cost, changes)


EXCHANGE: Final = Ability(changes=exchanging())
CANCEL: Final = Ability(changes=cancels)

SPELLS: Final = (
    # fire
    Spell("ember_drake", FIRE, DRAGONS, (7, 4, 4), Ability(adds=(own(DAMAGE, 2, seasonal),))),
    Spell("brood_mother", FIRE, DRAGONS, (5, 5, 3), Ability(adds=(own_by(ATTACK, group),)), cast=1),
    Spell(
        "cinder_twins", FIRE, HUMANS, (6, 5, 3), Ability(adds=(own(ATTACK, 1),)),
        switch=Ability(adds=(foe(DAMAGE, -2),)),
    ),
    Spell(
        "mirror_salamander", FIRE, BEASTS, (5, 6, 3), Ability(changes=exchanging(), adds=(own(DEFENSE, -1, seasonal),))
    ),
    Spell(
        "phoenix", FIRE, DIVINE | MYTHICAL, (6, 5, 4), cast=1,
        evolutions={
            2: power(1, attack=7, capacity=Ability(after=heal(2, has_dealt))),
            3: blood(3, attack=8, defense=6, damage=6, capacity=Ability(after=strike(2))),
        },
    ),
    Spell("furnace_giant", FIRE, CREATURES, (9, 6, 7), Ability(adds=(foe(DAMAGE, -1),)), cast=5),
    Spell(
        "lava_hound", FIRE, BEASTS, (6, 4, 4), Ability(adds=(own(DAMAGE, 1, elemental),)),
        boost=Ability(adds=(own(ATTACK, 2),)), boost_cost=1,
    ),
    Spell("war_dancer", FIRE, HUMANS, (5, 4, 2), Ability(adds=(own_by(DAMAGE, invested),))),
    Spell("beast_tamer", FIRE, BEASTS | HUMANS, (5, 5, 3), Ability(adds=(foe_by(ATTACK, group, -1),))),
    # earth
    Spell("rootwarden", EARTH, CREATURES, (4, 7, 3), Ability(adds=(own(DEFENSE, 2, seasonal),))),
    Spell(
        "twin_blades", EARTH, HUMANS, (5, 5, 4), Ability(adds=(own(ATTACK, 1),)),
        switch=Ability(adds=(own(DEFENSE, 2),)),
    ),
    Spell("stone_kin", EARTH, BEASTS, (6, 6, 2), Ability(adds=(own(DAMAGE, 2, elemental),))),
    Spell(
        "hollow_oak", EARTH, CREATURES | FAERIE, (5, 6, 3), Ability(adds=(own(DEFENSE, 1, seasonal),)),
        boost=EXCHANGE, boost_cost=2,
    ),
    Spell(
        "durstor_golem", EARTH, CHARMS, (5, 8, 8), Ability(adds=(own(ATTACK, 1),)), cast=5,
        boost=Ability(adds=(own(DEFENSE, 2),)), boost_cost=1,
    ),
    Spell(
        "green_sentinel", EARTH, CREATURES, (5, 6, 3), Ability(adds=(own(DEFENSE, 1, seasonal),)),
        evolutions={
            2: power(2, defense=8, capacity=Ability(prepares=protect(2))),
            3: power(3, attack=7, defense=9, damage=4, capacity=Ability(prepares=protect(4))),
        },
    ),
    Spell("burrower", EARTH, BEASTS, (6, 5, 3), Ability(hears=drains_when_dealing)),
    Spell("wild_boar", EARTH, BEASTS, (6, 4, 5)),
    Spell("pack_leader", EARTH, BEASTS | HUMANS, (5, 5, 3), Ability(adds=(own_by(DAMAGE, group),))),
    # water
    Spell("tide_serpent", WATER, BEASTS, (6, 5, 4), Ability(adds=(own(ATTACK, 2, seasonal),))),
    Spell(
        "storm_caller", WATER, HUMANS | CREATOR, (6, 5, 4), Ability(adds=(own(ATTACK, 1),)),
        boost=Ability(adds=(own(DAMAGE, 3),)), boost_cost=2,
    ),
    Spell("guardian", WATER, CREATURES, (2, 2, 2), Ability(after=restore), cast=1),
    Spell("moon_pool", WATER, CHARMS, (4, 7, 3), Ability(changes=exchanging(), adds=(own(DAMAGE, -1, elemental),))),
    Spell(
        "river_spirit", WATER, FAERIE | MYTHICAL, (5, 6, 3), Ability(after=heal(1)), switch=Ability(prepares=protect(2))
    ),
    Spell(
        "kraken", WATER, BEASTS | MYTHICAL, (8, 7, 6), Ability(adds=(foe(ATTACK, -1),)), cast=3,
        evolutions={
            2: blood(2, attack=9),
            3: blood(4, attack=10, defense=8, damage=7, capacity=Ability(adds=(foe(ATTACK, -2),))),
        },
    ),
    Spell("spring_nymph", WATER, FAERIE, (5, 5, 3), Ability(after=charge(1, seasonal))),
    Spell("coral_knight", WATER, HUMANS, (5, 6, 3), Ability(adds=(own_by(DEFENSE, group),))),
    Spell(
        "chrysalis", WATER, FAERIE, (4, 5, 3), Ability(adds=(own(ATTACK, 1, seasonal),)),
        evolutions={
            2: power(1, element=FIRE, attack=6, capacity=Ability(adds=(own(DAMAGE, 2, seasonal),))),
            3: blood(
                3, groups=DRAGONS | FAERIE, attack=7, defense=6, damage=4,
                capacity=Ability(adds=(own_by(ATTACK, group),)),
            ),
        },
    ),
    # ice
    Spell("frost_queen", ICE, HUMANS | CREATOR, (5, 6, 4), Ability(adds=(foe(DEFENSE, -2, seasonal),))),
    Spell("glass_golem", ICE, CHARMS, (3, 9, 6), cast=4),
    Spell("ice_mirror", ICE, CHARMS, (5, 6, 3), Ability(adds=(own(ATTACK, 1),)), switch=EXCHANGE),
    Spell("snow_wolf", ICE, BEASTS, (6, 4, 3), Ability(adds=(foe_by(DEFENSE, group, -1),))),
    Spell("winter_court", ICE, DIVINE | HUMANS, (5, 5, 3), Ability(prepares=protect(2, seasonal))),
    Spell(
        "rime_drake", ICE, DIVINE | DRAGONS, (6, 5, 4), Ability(adds=(foe(ATTACK, -1),)), cast=1,
        boost=Ability(adds=(own(DEFENSE, 2),)), boost_cost=1,
        evolutions={
            2: power(1, attack=7, damage=5),
            3: power(2, attack=8, defense=6, damage=5, capacity=Ability(adds=(own(DAMAGE, 2, seasonal),))),
        },
    ),
    Spell(
        "blizzard", ICE, CHARMS, (5, 5, 4), Ability(adds=(foe(ATTACK, -1),)),
        boost=Ability(sets=(foe_is(DAMAGE, 0),)), boost_cost=3,
    ),
    Spell("frozen_knight", ICE, HUMANS, (6, 7, 2), Ability(times=(own_times(DAMAGE, 2, elemental),))),
    # ether
    Spell("mischievous_fairy", ETHER, FAERIE, (5, 5, 3), Ability(adds=(foe(ATTACK, -2, ether(WATER)),))),
    Spell(
        "void_prism", ETHER, CHARMS, (5, 5, 3),
        Ability(
            adds=(
                own(ATTACK, 1, ether(EARTH)),
                own(DEFENSE, 1, ether(WATER)),
                own(DAMAGE, 1, ether(FIRE)),
                foe(ATTACK, -1, ether(ICE)),
            )
        ),
    ),
    Spell(
        "star_gazer", ETHER, HUMANS | CREATOR, (5, 5, 3), Ability(adds=(own(DAMAGE, 2, ether(FIRE)),)),
        switch=Ability(adds=(own(DEFENSE, 3, ether(ICE)),)),
    ),
    Spell("astral_stag", ETHER, CREATURES, (6, 5, 3), Ability(adds=(own(DEFENSE, 2, ether(EARTH)),))),
    Spell(
        "comet", ETHER, CHARMS, (7, 3, 4), Ability(adds=(own(ATTACK, 1, ether(FIRE)),)),
        boost=Ability(adds=(own(DAMAGE, 2, ether(ICE)),)), boost_cost=1,
    ),
    Spell(
        "dream_weaver", ETHER, FAERIE | CREATOR, (4, 6, 3),
        Ability(changes=exchanging(ether(EARTH)), after=heal(2, ether(WATER))), cast=1,
    ),
    Spell(
        "monastia_spirit", ETHER, DIVINE, (5, 6, 3), Ability(adds=(own(ATTACK, 1, ether(ICE)),)),
        evolutions={
            2: power(1, attack=6, capacity=EXCHANGE),
            3: blood(
                2, attack=6, defense=7, capacity=Ability(changes=exchanging(), adds=(own(ATTACK, -2, ether(FIRE)),))
            ),
        },
    ),
    Spell(
        "tidal_echo", ETHER, CREATURES | MYTHICAL, (6, 4, 3), Ability(prepares=protect(1, ether(WATER))),
        boost=Ability(after=strike(2, ether(EARTH))), boost_cost=2,
    ),
    # light
    Spell(
        "aodh_light", LIGHT, DIVINE, (6, 6, 4), cast=1,
        evolutions={2: power(1, attack=7, defense=7, damage=5), 3: blood(3, attack=9, defense=7, damage=6)},
    ),
    Spell("angel_protector", LIGHT, DIVINE | MYTHICAL, (4, 8, 3), Ability(prepares=protect(2))),
    Spell("dawn_herald", LIGHT, DIVINE | HUMANS, (6, 5, 3), CANCEL),
    Spell("sun_lancer", LIGHT, HUMANS, (5, 6, 3), Ability(adds=(own(ATTACK, 1),), steadfast=True)),
    Spell("bell_ringer", LIGHT, CHARMS, (5, 6, 3), Ability(after=heal(2, elemental))),
    Spell(
        "paladin", LIGHT, DIVINE | HUMANS, (6, 5, 4), Ability(adds=(own(DEFENSE, 1),)), cast=2,
        boost=CANCEL, boost_cost=1,
    ),
    Spell(
        "inquisitor", LIGHT, HUMANS | CREATOR, (6, 5, 3), Ability(adds=(own(ATTACK, 1),)),
        switch=Ability(adds=(own(DEFENSE, 1),)),
        evolutions={
            2: power(2, capacity=CANCEL),
            3: blood(4, attack=7, damage=4, capacity=CANCEL, switch=Ability(after=strike(3))),
        },
    ),
    Spell("daryen_guard", LIGHT, HUMANS, (5, 7, 4)),
    # darkness
    Spell("aodh_dark", DARKNESS, DOOM, (7, 4, 6), EXCHANGE, cast=2),
    Spell("demon_protector", DARKNESS, BEASTS | DOOM, (8, 3, 5), Ability(after=strike(2, has_not_dealt)), cast=1),
    Spell("drain_wraith", DARKNESS, DOOM, (6, 4, 3), Ability(hears=drains_when_dealing)),
    Spell(
        "blood_priest", DARKNESS, DOOM | HUMANS, (6, 5, 3), Ability(after=heal(1, has_dealt)),
        switch=Ability(after=strike(2)), switch_cost=1,
    ),
    Spell("night_leech", DARKNESS, BEASTS, (5, 5, 4), Ability(hears=charges_when_hurt)),
    Spell("thorn_shade", DARKNESS, DOOM | FAERIE, (5, 6, 2), Ability(hears=thorns)),
    Spell("curse_monger", DARKNESS, DOOM | CREATOR, (5, 5, 3), Ability(after=curse)),
    Spell(
        "devourer", DARKNESS, BEASTS | DOOM, (9, 5, 7), Ability(adds=(own(DAMAGE, 1, elemental),)), cast=6,
        boost=Ability(adds=(own(ATTACK, 2),)), boost_cost=1,
    ),
    Spell(
        "changeling", DARKNESS, FAERIE | HUMANS, (6, 5, 3),
        Ability(changes=exchanging(), adds=(own_by(ATTACK, group, -1),)),
    ),
    # densara
    Spell("spirit_drum", EARTH, SHAMANS, (5, 4, 2), Ability(adds=(own_by(DAMAGE, spirit),))),
    Spell("ancestor_caller", WATER, HUMANS | SHAMANS, (5, 5, 3), Ability(after=spirit_heals), cast=1),
    Spell("bone_seer", DARKNESS, DOOM | SHAMANS, (5, 5, 3), Ability(after=spirit_strikes), cast=2),
    Spell("totem_guard", EARTH, CHARMS | SHAMANS, (5, 6, 3), Ability(prepares=spirit_protects)),
    Spell(
        "ember_walker", FIRE, HUMANS | SHAMANS, (5, 4, 3), Ability(adds=(own(ATTACK, 2, seasonal),)),
        boost=Ability(adds=(own_by(DAMAGE, spirit),)), boost_cost=1,
    ),
    Spell("mist_shaman", ICE, SHAMANS, (6, 6, 3), Ability(changes=exchanging(), adds=(own_by(ATTACK, spirit),))),
    Spell("ghost_wolf", ETHER, BEASTS | SHAMANS, (5, 4, 3), Ability(adds=(own_by(DEFENSE, group),))),
    Spell("star_shaman", ETHER, SHAMANS, (5, 5, 3), Ability(adds=(own(DAMAGE, 2, ether(ICE)),))),
    Spell(
        "dance_leader", LIGHT, HUMANS | SHAMANS, (5, 5, 3), Ability(adds=(own(ATTACK, 1, spirits(2)),)),
        evolutions={
            2: power(1, capacity=Ability(adds=(own_by(ATTACK, spirit),))),
            3: blood(3, damage=4, capacity=Ability(adds=(own_by(ATTACK, spirit), own_by(DEFENSE, spirit)))),
        },
    ),
    Spell("outcast", DARKNESS, HUMANS, (5, 5, 4), Ability(adds=(own(ATTACK, 2, no_spirits),))),
    Spell("drum_breaker", FIRE, BEASTS, (6, 5, 3), Ability(adds=(foe_by(DEFENSE, theirs, -1),))),
    Spell("elder", LIGHT, DIVINE | SHAMANS, (4, 6, 2), Ability(adds=(own_by(DAMAGE, spirit),), elder=True)),
)

SUPPORTS: Final = (
    ("sudden_shield", Ability(adds=(own(DEFENSE, 3),))),
    ("battle_cry", Ability(adds=(own(ATTACK, 2),))),
    ("silence", CANCEL),
    ("hush", Ability(changes=cancels_both, adds=(own(DAMAGE, 2),))),
    ("false_mirror", Ability(changes=support_exchanges)),
    ("mirror_shard", Ability(changes=support_exchanges, adds=(own(DEFENSE, 1),))),
    ("twisted_reflection", Ability(changes=evolved_exchange)),
    ("healing_spring", Ability(after=heal(3))),
    ("ember_rain", Ability(after=rain)),
    ("ward_of_light", Ability(prepares=protect(3))),
    ("dusk_cloak", Ability(cloak=True)),
    ("soul_tax", Ability(after=tax)),
    ("hidden_well", Ability(after=charge(2))),
    ("pack_call", Ability(adds=(own_by(ATTACK, group),))),
    ("season_stone", Ability(adds=(own(DEFENSE, 2, seasonal),))),
    # densara
    ("spirit_mask", Ability(changes=support_exchanges, adds=(own_by(DAMAGE, spirit),))),
    ("great_totem", Ability(adds=(own_by(DEFENSE, spirit),))),
    ("ancestral_hush", Ability(changes=spirits_cancel)),
    ("rain_dance", Ability(after=charge(2, spirits(1)))),
)

SPELL_INDEX: Final = {spell.name: i for i, spell in enumerate(SPELLS)}
SUPPORT_INDEX: Final = {name: i for i, (name, _) in enumerate(SUPPORTS)}

# What comes of a move.
PLAYED: Final = {
    i << 8 | way << 4 | supported | n: played._replace(
        power=played.power + n, invested=n, attack=played.attack + n, defense=played.defense + n
    )
    for i, spell in enumerate(SPELLS)
    for way, played in enumerate(spell.played)
    if played is not None
    for supported in (0, SUPPORTED)
    for n in range(5)
}

SEASONS: Final = ("tide_serpent", "rootwarden", "winter_court", "chrysalis", "season_stone")
PACK: Final = ("pack_leader", "snow_wolf", "burrower", "demon_protector", "pack_call")
MIRRORS: Final = ("aodh_dark", "ice_mirror", "mirror_salamander", "monastia_spirit", "mirror_shard")
SPIRITS: Final = ("spirit_drum", "totem_guard", "elder", "storm_caller", "great_totem")
ASCENT: Final = ("aodh_light", "phoenix", "green_sentinel", "inquisitor", "ward_of_light")

FAILED: Final = (0, 0, 0)

MOST_PAID: Final = 5  # more health than this pays for every evolution


class Table(NamedTuple):
    """What the table has agreed on about costs."""

    failing: str = "lose_invested"
    boost_counts: bool = False
    last_health: bool = False


USUAL: Final = Table()


@cache
def rows(spell: int, levels: int, table: Table) -> tuple[tuple[int, ...], ...]:
    """The moves of a spell by `row`; the collection holds the evolutions of `levels`, as bits."""
    return tuple(
        tuple(SPELLS[spell].moves(spell, power, health, supports, levels, table))
        for power in range(9)
        for health in range(MOST_PAID + 1)
        for supports in (False, True)
    )


def row(power: int, health: int, supports: bool) -> int:
    return (power * (MOST_PAID + 1) + (health if health < MOST_PAID else MOST_PAID)) * 2 + supports


class Deck:
    """Four attack spells and a support spell, by name, with what the owner's collection holds: pairs of a spell and a
    level; `None` is everything; with what it is played by, the same for both. Made once, used in many matches."""

    __slots__ = ("elements", "groups", "rows", "shamans", "spells", "support", "table")

    def __init__(
        self, cards: Sequence[str], collection: set[tuple[str, int]] | None = None, table: Table = USUAL
    ) -> None:
        self.table = table
        self.spells = [SPELL_INDEX[name] for name in cards if name in SPELL_INDEX]
        (self.support,) = [SUPPORT_INDEX[name] for name in cards if name in SUPPORT_INDEX]
        if len(self.spells) != 4 or len(set(self.spells)) != 4 or len(cards) != 5:
            raise ValueError("a deck is four different attack spells and a support spell")
        self.elements = [0] * 7
        for spell in self.spells:
            self.elements[SPELLS[spell].face.element] += 1
        self.groups = [(SPELLS[spell], SPELLS[spell].face.groups) for spell in self.spells]
        self.shamans = sum(1 for _, groups in self.groups if groups & SHAMANS)
        self.rows = {}
        for spell in self.spells:
            owned = {level for level in (2, 3) if collection is None or (SPELLS[spell].name, level) in collection}
            levels = sum(1 << level for level in owned if level == 2 or 2 in owned)
            self.rows[spell] = rows(spell, levels, table)


# ---- A match


class Moonga:
    """The state of a match, always at a decision or over."""

    __slots__ = (
        "abilities",
        "active",
        "at_start",
        "bears",
        "chance",
        "cloaks",
        "coins",
        "competition",
        "dealt",
        "decks",
        "direct",
        "double_tied",
        "faces",
        "failed",
        "failing_takes_all",
        "first",
        "hands",
        "health",
        "hearers",
        "ko_on_damage",
        "moves",
        "plays",
        "points",
        "power",
        "rankings",
        "reason",
        "round",
        "seat",
        "second_changes",
        "shield",
        "simultaneous",
        "sleeves",
        "spent",
        "stake",
        "stats",
        "used",
        "winner",
        "wounds",
        "xp",
    )

    # of one fight
    at_start: list[int]
    shield: list[int]
    direct: list[int]
    dealt: list[int]
    bears: list[int]  # the seat from which come the abilities that the spell of a seat bears
    abilities: list[tuple[Ability, ...]]  # by the seat they come from
    faces: list[Face]
    failed: int  # the seats whose spells have failed, as bits
    stats: list[int]
    used: list[bool]  # whether what can be done once a round has been, by the seat it comes from
    hearers: list[tuple[int, Hears]]
    active: list[tuple[int, Ability]]  # by who bears it, in the order of arrival

    def __init__(
        self,
        rng: Random,
        decks: tuple[Deck, Deck],
        *,
        choice: str = "alternate",
        change_order: str = "first_chooser",
        ko: str = "end_of_round",
        double_ko: str = "tie",
        competition: bool = True,
        stake: int = 10,
        rankings: tuple[int, int] = (1000, 1000),
        chance: Chance | None = None,
    ) -> None:
        self.chance = chance
        self.decks = decks
        self.failing_takes_all = decks[0].table.failing == "lose_all"
        self.simultaneous = choice == "simultaneous"
        self.second_changes = change_order == "second_chooser"
        self.ko_on_damage = ko == "on_damage"
        self.double_tied = double_ko == "tie"
        self.competition = competition
        self.stake = stake
        self.rankings = rankings
        self.health = [20, 20]
        self.power = [8, 8]
        self.hands = [decks[0].spells[:], decks[1].spells[:]]
        self.sleeves = [decks[0].support, decks[1].support]  # NOBODY when it has been used
        self.spent: list[list[int]] = [[], []]  # support spells inverted
        self.plays = [NOBODY, NOBODY]  # the moves of this round
        self.round = 0
        self.winner = NOBODY
        self.reason = ""
        self.xp = [0, 0]
        self.coins = [0, 0]
        self.points = [0, 0]
        self.cloaks = [False, False]
        self.wounds: list[Wound] | None = None
        self.first = int(rng.random() * 2) if chance is None else chance.pick("pick first", [0, 1])
        self._ask(self.first)

    def copy(self) -> "Moonga":
        """A match that goes on by itself; only the source of chance is shared. Nothing of a fight is copied: between
        decisions there is none."""
        new = Moonga.__new__(Moonga)
        new.chance = self.chance
        new.decks = self.decks
        new.failing_takes_all = self.failing_takes_all
        new.simultaneous = self.simultaneous
        new.second_changes = self.second_changes
        new.ko_on_damage = self.ko_on_damage
        new.double_tied = self.double_tied
        new.competition = self.competition
        new.stake = self.stake
        new.rankings = self.rankings
        new.health = self.health[:]
        new.power = self.power[:]
        mine, theirs = self.hands
        new.hands = [mine[:], theirs[:]]
        new.sleeves = self.sleeves[:]
        mine_spent, theirs_spent = self.spent
        new.spent = [mine_spent[:], theirs_spent[:]]
        new.plays = self.plays[:]
        new.round = self.round
        new.winner = self.winner
        new.reason = self.reason
        new.xp = self.xp[:]
        new.coins = self.coins[:]
        new.points = self.points[:]
        new.cloaks = [False, False]
        new.wounds = None
        new.first = self.first
        new.seat = self.seat
        new.moves = self.moves
        return new

    # Decisions

    def legal(self) -> list[int]:
        """The legal moves, none when the match is over. The list belongs to the match: do not change it."""
        return self.moves

    def apply(self, move: int) -> None:
        """Make a legal move and go on to the next decision."""
        seat = self.seat
        self.plays[seat] = move
        if seat == self.first:
            if not self.simultaneous:
                self.hands[seat].remove(move >> 8)
            self._ask(1 - seat)
            return
        self.hands[seat].remove(move >> 8)
        if self.simultaneous:
            self.hands[1 - seat].remove(self.plays[1 - seat] >> 8)
        self._fight()

    def _ask(self, seat: int) -> None:
        self.seat = seat
        health = self.health[seat]
        key = (self.power[seat] * (MOST_PAID + 1) + (health if health < MOST_PAID else MOST_PAID)) * 2
        if self.sleeves[seat] != NOBODY:
            key += 1
        table = self.decks[seat].rows
        moves: list[int] = []
        for spell in self.hands[seat]:
            moves += table[spell][key]
        self.moves = moves

    def decision(self) -> tuple[int, list[dict[str, Any]]] | None:
        """Who chooses, and the options in words."""
        return (self.seat, [told(move) for move in self.moves]) if self.moves else None

    def choose(self, index: int) -> None:
        """Take an option of `decision` by its index."""
        if not 0 <= index < len(self.moves):
            raise ValueError(f"no option {index}")
        self.apply(self.moves[index])

    def forfeit(self, seat: int) -> None:
        """A player gives up, or exceeds the time."""
        self._reward_win(1 - seat, -5)
        self._end(1 - seat, "Gave up")

    # The fight

    def _fight(self) -> None:
        first = self.first
        second = 1 - first
        plays, health, power = self.plays, self.health, self.power
        self.at_start = health[:]
        self.shield = [0, 0]
        self.direct = [0, 0]
        self.dealt = [0, 0]
        phases = self.failed = 0

        # 1 costs
        stats = self.stats = []
        abilities = self.abilities = []
        faces = self.faces = []
        for seat in (0, 1):
            played = PLAYED[plays[seat]]
            face = played.face
            if played.cast > power[seat]:
                power[seat] = 0 if self.failing_takes_all else power[seat] - played.invested
                self.failed |= 1 << seat
                faces.append(face.spell.face)
                abilities.append(())
                stats += FAILED
            else:
                power[seat] -= played.power
                health[seat] -= played.health
                faces.append(face)
                abilities.append(played.abilities)
                phases |= played.phases
                stats += (played.attack, played.defense, played.damage)
        supports: list[tuple[int, Ability]] = []
        for seat in (first, second):
            if plays[seat] & SUPPORTED:
                ability = SUPPORTS[self.sleeves[seat]][1]
                phases |= ability.phases
                self.cloaks[seat] = ability.cloak
                supports.append((seat, ability))

        # 2 exchanges and cancels
        bears = self.bears = [0, 1]
        if phases & CHANGES:
            self.used = [False, False]
            for seat in (second, first) if self.second_changes else (first, second):
                for ability in abilities[bears[seat]]:
                    if ability.changes is not None:
                        ability.changes(self, seat)
                for whose, ability in supports:
                    if whose == seat and ability.changes is not None:
                        ability.changes(self, seat)

        # 3, 4 numbers: set, then add, then multiply
        active = self.active = [(first, ability) for ability in abilities[bears[first]]]
        active += [(second, ability) for ability in abilities[bears[second]]]
        active += supports
        if phases & SETS:
            for seat, ability in active:
                for act in ability.sets:
                    act(self, seat)
        if phases & ADDS:
            for seat, ability in active:
                for act in ability.adds:
                    act(self, seat)
        if phases & TIMES:
            for seat, ability in active:
                for act in ability.times:
                    act(self, seat)

        # 5 prevention, and who listens
        self.hearers = []
        if phases & PREPARES:
            for seat, ability in active:
                if ability.prepares is not None:
                    ability.prepares(self, seat)
        if phases & HEARS:
            self.used = [False, False]
            for seat, ability in sorted(active, key=_by_seat):
                if ability.hears is not None:
                    self.hearers.append((seat, ability.hears))

        # 6, 7 both attacks
        attack_0, defense_0, damage_0, attack_1, defense_1, damage_1 = stats
        blow_0 = damage_0 if attack_0 > defense_1 and attack_0 > 0 else 0
        blow_1 = damage_1 if attack_1 > defense_0 and attack_1 > 0 else 0
        self.wounds = [] if self.hearers else None
        if blow_0 > 0:
            self.hurt(1, blow_0, 0, False)
        if blow_1 > 0:
            self.hurt(0, blow_1, 1, False)
        if self.ko_on_damage and self._out():
            return
        wounds, self.wounds = self.wounds, None
        if wounds:
            for seat, hears in self.hearers:
                for wound in wounds:
                    hears(self, seat, *wound)
        if self.ko_on_damage and self._out():
            return

        # 8 what comes after
        if phases & AFTER:
            for seat in (first, second):
                for whose, ability in active:
                    if whose == seat and ability.after is not None:
                        ability.after(self, seat)
                if self.ko_on_damage and self._out():
                    return

        # 9 the end of the round
        if (health[0] == 0 or health[1] == 0) and self._out():
            return
        self._clear()

    def _clear(self) -> None:
        for seat in (0, 1):
            move = self.plays[seat]
            self.spent[seat].append(move >> 8)
            if move & SUPPORTED:
                self.spent[seat].append(~self.sleeves[seat])
                self.sleeves[seat] = NOBODY
                self.cloaks[seat] = False
        self.plays = [NOBODY, NOBODY]
        self.round += 1
        self.first = 1 - self.first
        if self.round < 4:
            self._ask(self.first)
            return
        mine, theirs = self.health
        if mine == theirs:
            self._reward_tie()
            self._end(NOBODY, "Equal health")
        else:
            winner = 0 if mine > theirs else 1
            self._reward_win(winner, 1)
            self._end(winner, "More health")

    # What abilities do

    def exchange(self) -> None:
        """Exchange the abilities of the two fighting spells, unless one forbids it."""
        for ability in (*self.abilities[0], *self.abilities[1]):
            if ability.steadfast:
                return
        self.bears.reverse()

    def cancel(self, seat: int) -> None:
        """Cancel the abilities that the spell of a seat bears now."""
        source = self.bears[seat]
        for ability in self.abilities[source]:
            if ability.steadfast:
                return
        self.abilities[source] = ()

    def hurt(self, seat: int, amount: int, cause: int, direct: bool) -> None:
        """Take what is not prevented from a player's health, and tell of it."""
        if amount and self.cloaks[seat]:
            self.cloaks[seat] = False
            amount //= 2
        shield = self.shield[seat]
        if shield:
            taken = amount - shield if amount > shield else 0
            self.shield[seat] = shield - amount if shield > amount else 0
        else:
            taken = amount
        health = self.health[seat]
        self.health[seat] = health - taken if health > taken else 0
        if direct:
            self.direct[seat] += taken
        else:
            self.dealt[cause] += taken
        if self.wounds is not None:
            self.wounds.append((seat, taken, cause, direct))
            return
        for whose, hears in self.hearers:
            hears(self, whose, seat, taken, cause, direct)

    def charge(self, seat: int, amount: int) -> None:
        self.power[seat] = min(self.power[seat] + amount, 8)

    def drain(self, seat: int, amount: int) -> None:
        self.power[seat] = max(self.power[seat] - amount, 0)

    # Ends

    def _out(self) -> bool:
        """End the match if a player has no health left."""
        mine, theirs = self.health
        if mine and theirs:
            return False
        if mine or theirs:
            winner = 0 if mine else 1
            self._reward_win(winner, 1)
            self._end(winner, "K-O")
        elif self.double_tied:
            self._reward_tie()
            self._end(NOBODY, "Double K-O")
        else:
            self._reward_win(self.first, 1)
            self._end(self.first, "K-O")
        return True

    def _end(self, winner: int, reason: str) -> None:
        self.winner = winner
        self.reason = reason
        self.seat = NOBODY
        self.moves = []

    def _bounty(self, winner: int) -> int:
        return min(max(self.stake + int((self.rankings[1 - winner] - self.rankings[winner]) / 20), 0), 100)

    def _reward(self, seat: int, xp: int, coins: int, points: int) -> None:
        self.xp[seat] += xp
        self.coins[seat] += coins
        self.points[seat] += points

    def _reward_win(self, seat: int, xp_of_loser: int) -> None:
        moved = self._bounty(seat)
        self._reward(seat, 5, 3, moved)
        self._reward(1 - seat, xp_of_loser, 0, -moved)

    def _reward_tie(self) -> None:
        if self.competition:
            moved = int((self._bounty(0) - self._bounty(1)) / 2)
            self._reward(0, 3, 1, moved)
            self._reward(1, 3, 1, -moved)

    # The state as data

    def snapshot(self) -> dict[str, Any]:
        """The whole state at a decision as plain data; what was locked in secret is not in it."""
        return {
            "first": self.first,
            "health": self.health[:],
            "power": self.power[:],
            "hands": [[SPELLS[spell].name for spell in hand] for hand in self.hands],
            "sleeves": [[SUPPORTS[s][0]] if s != NOBODY else [] for s in self.sleeves],
            "spent": [[SPELLS[i].name if i >= 0 else SUPPORTS[~i][0] for i in spent] for spent in self.spent],
            "arena": [None if m == NOBODY or self.simultaneous else told(m) for m in self.plays],
        }


def _by_seat(entry: tuple[int, Ability]) -> int:
    return entry[0]


def told(move: int) -> dict[str, Any]:
    """A move in words."""
    return {
        "spell": SPELLS[move >> 8].name,
        "supported": bool(move & SUPPORTED),
        "switched": bool(move & SWITCHED),
        "boosted": bool(move & BOOSTED),
        "level": move >> 6 & 3 or None,
        "invested": move & 7,
    }


# ---- Bots and playouts


def random_bot(rng: Random) -> Bot:
    """A bot that takes each legal move with the same probability."""
    uniform = rng.random

    def bot(match: Moonga) -> int:
        moves = match.moves
        return moves[int(uniform() * len(moves))]

    return bot


def spender_bot(rng: Random) -> Bot:
    """A bot that mostly takes what costs most: the better of two random moves by what is invested and chosen."""
    uniform = rng.random

    def bot(match: Moonga) -> int:
        moves = match.moves
        one, other = moves[int(uniform() * len(moves))], moves[int(uniform() * len(moves))]
        return one if (one & 255) >= (other & 255) else other

    return bot


def play(match: Moonga, bots: Sequence[Bot]) -> int:
    """Play a match to its end and return the number of decisions."""
    decisions = 0
    while match.moves:
        match.apply(bots[match.seat](match))
        decisions += 1
    return decisions


BOTH: Final = (Deck(SEASONS), Deck(PACK))


def playout(seed: int, decks: tuple[Deck, Deck] = BOTH, choice: str = "alternate") -> tuple[int, int]:
    """Play a match between two random bots: its winner and the number of decisions."""
    rng = Random(seed)
    match = Moonga(rng, decks, choice=choice)
    decisions = play(match, (random_bot(rng), random_bot(rng)))
    return match.winner, decisions


def main(matches: int = 20_000) -> None:
    """Print how fast random playouts are."""
    for name, decks in (("seasons/pack", BOTH), ("mirrors/ascent", (Deck(MIRRORS), Deck(ASCENT)))):
        begin = perf_counter()
        decisions = sum(playout(seed, decks)[1] for seed in range(matches))
        seconds = perf_counter() - begin
        print(f"{name}: {matches / seconds:,.0f} playouts/s, {decisions / seconds:,.0f} decisions/s, ", end="")
        print(f"{decisions / matches:.1f} decisions a match")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
