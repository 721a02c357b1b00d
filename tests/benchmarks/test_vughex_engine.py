"""The hand-written Vughex engine against values worked out by hand from the rules."""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "engines" / "vughex.py"
SEEDS = range(300)
PRINTED = {"sun": [2, 3, 6], "moon": [5, 4, 1]}
STEALTH = {"shadow", "eclipse", "agent", "sun_creep", "moon_creep"}

# name: (fixed, diamonds)
POWER = {
    "oracle": (2, 1),
    "reincarnation": (1, 1),
    "justice": (0, 2),
    "evil": (0, 3),
    "unstable": (0, 1),
    "watcher": (3, 1),
    "crowd": (4, 1),
    "eclipse": (0, 1),
    "maze": (4, 0),
    "plague": (3, 0),
    "titan": (7, 0),
    "agent": (2, 0),
    "shadow": (5, 0),
    "sun_creep": (1, 0),
    "moon_creep": (1, 0),
}

Snapshot = dict[str, Any]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hand_written_vughex", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


vughex = load()


class Stacked:
    """Chance by plan: seat 0 is the sun, and the first pile is dealt in the given order, first card first."""

    def __init__(self, *order: str) -> None:
        self.order = order

    def pick(self, name: str, items: list[int]) -> int:
        assert (name, items) == ("pick first", [0, 1])
        return 0

    def shuffle(self, name: str, items: list[str]) -> list[str]:
        assert name == "shuffle pile"
        planned = [unit for unit in self.order if unit in items]
        return [unit for unit in items if unit not in planned] + planned[::-1]


class Recorder:
    """Chance that is drawn, and remembered as the positions that came out."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.record: list[tuple[str, list[int]]] = []
        self.items: list[str] = []

    def pick(self, name: str, items: list[int]) -> int:
        position = self.rng.randrange(len(items))
        self.record.append((name, [position]))
        return items[position]

    def shuffle(self, name: str, items: list[str]) -> list[str]:
        order = list(range(len(items)))
        self.rng.shuffle(order)
        self.items = items
        self.record.append((name, order))
        return [items[position] for position in order]


class Player:
    """Chance as it was recorded."""

    def __init__(self, record: Sequence[tuple[str, list[int]]]) -> None:
        self.record = iter(record)

    def pick(self, name: str, items: list[int]) -> int:
        known, (position,) = next(self.record)
        assert known == name
        return items[position]

    def shuffle(self, name: str, items: list[str]) -> list[str]:
        known, order = next(self.record)
        assert known == name and sorted(order) == list(range(len(items)))
        return [items[position] for position in order]


def begin(*order: str) -> Any:
    """A match with a planned pile, in which nobody replaces a unit."""
    match = vughex.Vughex(Random(0), chance=Stacked(*order))
    for seat in (0, 1):
        assert match.decision()[:2] == (seat, "replace")
        match.choose(-1)
    return match


def take(match: Any, *option: Any) -> None:
    match.choose(match.decision()[2].index(option))


def ids(*names: str) -> list[int]:
    return [vughex.UNITS.index(name) for name in names]


def place(match: Any, lane: int, units: str, against: str, silenced: str = "") -> None:
    """Put units on a lane of an otherwise unfinished match, those with stealth face down unless silenced."""
    for seat, names in enumerate((units.split(), against.split())):
        match.units[2 * lane + seat] = ids(*names)
        for name in names:
            if name in silenced.split():
                match.silenced |= 1 << ids(name)[0]
            elif name in STEALTH:
                match.hidden |= 1 << ids(name)[0]


def matches() -> Iterator[tuple[Any, Random]]:
    for seed in SEEDS:
        rng = Random(seed)
        yield vughex.Vughex(rng, 1 + seed % 3, ("ascending", "left_to_right")[seed // 3 % 2]), rng


def names_on(snapshot: Snapshot) -> list[str]:
    return [name for lane in snapshot["lanes"] for side in lane for name, _, _ in side]


# The rules, worked out again from the checklist by names


def fight(face: str, lane: int, sides: list[list[tuple[str, bool, bool]]]) -> tuple[int, list[int], int | None]:
    """The number, the powers and the winner of a lane after its units were revealed (VX-11 to VX-13)."""
    active = {name for side in sides for name, _, silenced in side if not silenced}
    number = 0 if "plague" in active else PRINTED[face][lane]
    if "justice" in active:
        number += 1
    if "shadow" in active:
        number -= 2

    def power(name: str) -> int:
        if name == "unstable" and name in active and (number >= 6 or number <= 0):
            return 15
        fixed, diamonds = POWER[name]
        return fixed + diamonds * number

    powers = [sum(power(name) for name, _, _ in side) for side in sides]
    if powers[0] == powers[1]:
        return number, powers, None
    if "eclipse" in active and abs(powers[0] - powers[1]) >= 4:
        return number, powers, None
    higher = 0 if powers[0] > powers[1] else 1
    return number, powers, 1 - higher if "titan" in active else higher


def settle(before: Snapshot, length: int, lane_order: str) -> tuple[list[int], list[int | None], int | None]:
    """Damage, holders and winner after all lanes (V-17 to V-25, VX-14)."""
    damage, holders = list(before["damage"]), list(before["holders"])
    lanes = [0, 1, 2]
    if lane_order == "ascending":
        lanes.sort(key=lambda lane: PRINTED[before["face"]][lane])
    for lane in lanes:
        sides = before["lanes"][lane]
        winner = fight(before["face"], lane, sides)[2]
        if winner is None:
            continue
        loser = 1 - winner
        for name, seat in (("evil", loser), ("agent", winner)):
            if any(unit == name and not silenced for unit, _, silenced in sides[seat]):
                damage[loser] += 1
                if damage[loser] == length:
                    return damage, holders, winner
        if holders[lane] == winner:
            damage[loser] += 1
            if damage[loser] == length:
                return damage, holders, winner
        holders[lane] = winner
    return damage, holders, None


def offered(snapshot: Snapshot, seat: int, kind: str) -> list[tuple[Any, ...]]:
    """The options of a decision, from the state alone."""
    lanes = snapshot["lanes"]
    hand = snapshot["hands"][seat]
    if kind == "replace":
        return [(name,) for name in hand if not name.endswith("_creep")]
    if kind == "play":
        return [(name, lane) for name in hand for lane in range(3) if len(lanes[lane][seat]) < 2]
    if kind == "show":
        return [(name,) for lane in lanes for side in lane for name, up, _ in side if not up]
    asking = {"silence": "oracle", "discard": "reincarnation", "shift": "maze"}[kind]
    (here,) = [i for i, lane in enumerate(lanes) if any(name == asking for side in lane for name, _, _ in side)]
    assert lanes[here][seat][-1][0] == asking
    if kind == "silence":
        return [(name,) for side in lanes[here] for name, _, _ in side]
    if kind == "discard":
        return [(name,) for side in lanes[here] for name, up, _ in side if up]
    return [
        (name, lane)
        for owner in (0, 1)
        for name, up, _ in lanes[here][owner]
        for lane in range(3)
        if not up and lane != here and len(lanes[lane][owner]) < 2
    ]


# Combat


@pytest.mark.parametrize(
    ("face", "lane", "units", "against", "silenced", "expected"),
    [
        ("sun", 0, "crowd sun_creep", "maze agent", "", (2, 7, 6, 0)),
        ("sun", 2, "evil sun_creep", "justice titan", "titan", (7, 22, 21, 0)),
        ("sun", 1, "plague shadow", "crowd watcher", "", (-2, 8, 3, 0)),
        ("moon", 0, "justice unstable", "eclipse crowd", "eclipse", (6, 27, 16, 0)),
        ("sun", 1, "watcher sun_creep", "maze plague", "plague", (3, 7, 7, -1)),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_vectors(
    face: str, lane: int, units: str, against: str, silenced: str, expected: tuple[int, ...], seat: int
) -> None:
    match = begin()
    match.face = vughex.SIDES.index(face)
    match.holders[lane] = 1 - seat
    number, power, other, winner = expected
    if seat == 0:
        place(match, lane, units, against, silenced)
    else:
        place(match, lane, against, units, silenced)
        power, other = other, power
        winner = winner if winner == -1 else 1 - winner
    match.resolve(lane)
    assert match.combat(lane) == (number, power, other, winner)
    assert match.holders[lane] == (1 - seat if winner == -1 else seat)
    assert match.damage == [0, 0]
    assert match.hidden == 0


@pytest.mark.parametrize(
    ("units", "against", "silenced", "expected"),
    [
        # Lane 0 of the sun: the number is 2.
        ("titan crowd", "maze sun_creep", "", (2, 13, 5, 1)),  # the lower power wins
        ("titan crowd", "maze sun_creep", "titan", (2, 13, 5, 0)),
        ("titan crowd", "eclipse maze", "", (2, 13, 6, -1)),  # 7 apart: the Eclipse comes before the Titan
        ("titan sun_creep", "eclipse maze", "", (2, 8, 6, 1)),  # 2 apart: the Titan decides
        ("maze crowd", "eclipse maze", "", (2, 10, 6, -1)),  # exactly 4 apart
        ("titan maze", "titan maze", "", (2, 11, 11, -1)),
        ("unstable", "shadow", "", (0, 15, 5, 0)),
        ("unstable", "shadow", "unstable", (0, 0, 5, 1)),
        ("unstable", "crowd", "", (2, 2, 6, 1)),
        ("plague justice", "unstable", "", (1, 5, 1, 0)),  # 0 first, then 1 more
        ("plague justice", "shadow", "", (-1, 1, 5, 1)),
        ("shadow", "", "", (0, 5, 0, 0)),
        ("", "", "", (2, 0, 0, -1)),
    ],
)
def test_combat(units: str, against: str, silenced: str, expected: tuple[int, ...]) -> None:
    match = begin()
    place(match, 0, units, against, silenced)
    match.resolve(0)
    assert match.combat(0) == expected


def test_a_hidden_unit_is_not_active() -> None:
    match = begin()
    place(match, 0, "shadow", "crowd")
    assert match.combat(0)[0] == 2
    match.resolve(0)
    assert match.combat(0)[0] == 0


def test_damage_of_one_lane_adds_up() -> None:
    match = vughex.Vughex(Random(0), length=3, chance=Stacked())
    place(match, 2, "agent titan", "evil sun_creep")  # 9 against 19: the Titan lets the lower win
    match.holders[2] = 0
    match.resolve(2)
    assert (match.damage, match.holders[2], match.winner) == ([0, 3], 0, 0)


def test_the_match_ends_before_the_lane_is_turned() -> None:
    match = vughex.Vughex(Random(0), length=1, chance=Stacked())
    place(match, 2, "agent titan", "evil sun_creep")
    match.holders[2] = 1
    match.resolve(2)
    assert (match.damage, match.holders[2], match.winner) == ([0, 1], 1, 0)


@pytest.mark.parametrize(
    ("units", "against", "silenced", "damage"),
    [
        ("agent crowd", "evil", "", 2),  # 8 against 6: seat 1 loses with the Evil, seat 0 wins with the Agent
        ("agent crowd", "maze", "", 1),
        ("crowd watcher", "evil", "", 1),
        ("agent crowd", "maze", "agent", 0),
        ("crowd watcher", "evil", "evil", 0),
        ("agent", "crowd", "", 0),  # the Agent loses
        ("maze", "evil", "", 0),  # the Evil wins
        ("agent maze", "evil", "", 0),  # 6 against 6
    ],
)
def test_evil_and_agent(units: str, against: str, silenced: str, damage: int) -> None:
    match = vughex.Vughex(Random(0), length=3, chance=Stacked())
    place(match, 0, units, against, silenced)
    match.resolve(0)
    assert match.damage == [0, damage]


# Placements


def test_the_deal() -> None:
    order = [
        "crowd",
        "titan",
        "evil",
        "justice",
        "plague",
        "oracle",
        "maze",
        "watcher",
        "unstable",
        "agent",
        "shadow",
        "eclipse",
        "reincarnation",
    ]
    match = vughex.Vughex(Random(0), chance=Stacked(*order))
    start = match.snapshot()
    assert start["sides"] == ["sun", "moon"]
    assert start["hands"] == [["sun_creep", *order[:5]], ["moon_creep", *order[5:10]]]
    assert start["pile"] == ["reincarnation", "eclipse", "shadow"]
    assert match.decision() == (0, "replace", [(name,) for name in order[:5]])
    match.choose(1)
    assert match.snapshot()["hands"][0] == ["sun_creep", "crowd", "evil", "justice", "plague", "shadow"]
    assert match.snapshot()["waste"] == ["titan"]
    match.choose(-1)
    seat, kind, options = match.decision()
    assert (seat, kind, len(options)) == (0, "play", 18)
    assert options[:4] == [("sun_creep", 0), ("sun_creep", 1), ("sun_creep", 2), ("crowd", 0)]


def test_only_options_can_be_chosen() -> None:
    match = vughex.Vughex(Random(0), chance=Stacked())
    for index in (5, -2):
        with pytest.raises(ValueError):
            match.choose(index)
    match.choose(-1)
    match.choose(4)
    for index in (18, -1):
        with pytest.raises(ValueError):
            match.choose(index)


# Seat 0: reincarnation crowd titan justice evil; seat 1: plague unstable eclipse shadow agent; then the pile.
HANDS = ["reincarnation", "crowd", "titan", "justice", "evil", "plague", "unstable", "eclipse", "shadow", "agent"]


def test_reincarnation_draws_the_oracle() -> None:
    match = begin(*HANDS, "oracle")
    take(match, "reincarnation", 1)
    assert match.decision() == (0, "discard", [("reincarnation",)])
    match.choose(0)
    assert match.decision() == (0, "silence", [("oracle",)])
    state = match.snapshot()
    assert state["waste"] == ["reincarnation"]
    assert state["lanes"][1] == [[("oracle", True, False)], []]
    match.choose(0)
    assert match.snapshot()["lanes"][1] == [[("oracle", True, True)], []]
    assert match.decision()[:2] == (1, "play")


def test_the_owner_of_the_discarded_unit_decides_and_the_turn_passes() -> None:
    match = begin("crowd", "titan", "justice", "evil", "plague", "reincarnation", *HANDS[6:], "watcher")
    take(match, "sun_creep", 0)
    take(match, "agent", 1)
    take(match, "crowd", 1)
    take(match, "reincarnation", 1)
    assert match.decision() == (1, "discard", [("crowd",), ("reincarnation",)])  # the Agent lies face down
    match.choose(0)
    assert match.decision() == (0, "show", [("sun_creep",), ("agent",)])
    match.choose(1)
    state = match.snapshot()
    assert state["lanes"][0] == [[("sun_creep", False, False)], []]
    assert state["lanes"][1][0] == [("watcher", True, False)]
    assert state["lanes"][1][1] == [("agent", True, False), ("reincarnation", True, False)]
    assert match.decision()[:2] == (0, "play")


def test_reincarnation_draws_a_stealthy_unit() -> None:
    match = begin(
        "reincarnation", "crowd", "titan", "justice", "evil", "plague", "unstable", "oracle", "maze", "agent", "shadow"
    )
    take(match, "reincarnation", 0)
    match.choose(0)
    assert match.snapshot()["lanes"][0] == [[("shadow", False, False)], []]
    assert match.decision()[:2] == (1, "play")


def test_reincarnation_draws_a_reincarnation() -> None:
    match = begin(*HANDS, "oracle")
    match.pile += ids("reincarnation")  # a second one, which no match has
    take(match, "crowd", 2)
    take(match, "plague", 2)
    take(match, "reincarnation", 2)
    assert match.decision() == (0, "discard", [("crowd",), ("reincarnation",), ("plague",)])
    match.choose(1)
    assert match.decision() == (0, "discard", [("crowd",), ("reincarnation",), ("plague",)])
    match.choose(2)
    assert match.decision() == (1, "silence", [("crowd",), ("reincarnation",), ("oracle",)])
    match.choose(0)
    state = match.snapshot()
    assert state["waste"] == ["reincarnation", "plague"]
    assert state["lanes"][2] == [[("crowd", True, True), ("reincarnation", True, False)], [("oracle", True, False)]]
    assert match.decision()[:2] == (1, "play")


def test_reincarnation_without_a_pile() -> None:
    match = begin(*HANDS)
    match.pile.clear()
    take(match, "reincarnation", 0)
    match.choose(0)
    assert match.snapshot()["lanes"][0] == [[], []]
    assert match.decision()[:2] == (1, "play")


def test_a_silenced_unit_that_is_discarded_is_as_new() -> None:
    match = begin("oracle", "crowd", "titan", "justice", "evil", "reincarnation", *HANDS[6:], "plague")
    take(match, "titan", 0)
    take(match, "shadow", 1)
    take(match, "oracle", 0)
    assert match.decision() == (0, "silence", [("titan",), ("oracle",)])
    match.choose(0)
    take(match, "reincarnation", 0)
    take(match, "titan")
    assert match.silenced == 0
    assert match.snapshot()["lanes"][0][0] == [("oracle", True, False), ("plague", True, False)]


def test_the_oracle_shows_what_it_silences() -> None:
    match = begin("shadow", *HANDS[1:5], "oracle", *HANDS[6:8], "maze", "agent")
    take(match, "shadow", 0)
    take(match, "oracle", 0)
    assert match.decision() == (1, "silence", [("shadow",), ("oracle",)])
    match.choose(0)
    assert match.snapshot()["lanes"][0] == [[("shadow", True, True)], [("oracle", True, False)]]
    assert match.combat(0)[0] == 2


def test_the_maze() -> None:
    match = begin("shadow", "eclipse", "crowd", "titan", "agent", "maze", "oracle", "plague", "evil", "watcher")
    take(match, "shadow", 1)
    take(match, "moon_creep", 1)
    take(match, "eclipse", 2)
    take(match, "plague", 0)
    take(match, "agent", 2)  # no room for seat 0 on lane 2 now
    take(match, "maze", 1)
    assert match.decision() == (1, "shift", [("shadow", 0), ("moon_creep", 0), ("moon_creep", 2)])
    match.choose(0)
    lanes = match.snapshot()["lanes"]
    assert lanes[0] == [[("shadow", False, False)], [("plague", True, False)]]
    assert lanes[1] == [[], [("moon_creep", False, False), ("maze", True, False)]]
    assert match.decision() == (0, "play", [(u, n) for u in ("sun_creep", "crowd", "titan") for n in (0, 1)])


def test_the_maze_moves_to_the_end_of_a_side() -> None:
    match = begin("shadow", "eclipse", "crowd", "titan", "agent", "maze", "oracle", "plague", "evil", "watcher")
    take(match, "shadow", 1)
    take(match, "plague", 0)
    take(match, "crowd", 0)
    take(match, "maze", 1)
    match.choose(0)
    assert match.snapshot()["lanes"][0][0] == [("crowd", True, False), ("shadow", False, False)]


def test_no_target_no_question() -> None:
    match = begin("watcher", "maze", "crowd", "titan", "agent", "oracle", "plague", "evil", "justice", "unstable")
    take(match, "watcher", 0)  # nothing is hidden
    assert match.decision()[:2] == (1, "play")
    take(match, "moon_creep", 0)
    take(match, "maze", 1)  # nothing is hidden in its lane
    assert match.decision()[:2] == (1, "play")


# Rounds


@pytest.mark.parametrize(("lane_order", "winner"), [("ascending", 1), ("left_to_right", 0)])
def test_the_order_of_the_lanes(lane_order: str, winner: int) -> None:
    """In a moon round both could win: lane 2 (number 1) comes first, or lane 0 (number 5)."""
    match = vughex.Vughex(Random(0), length=1, lane_order=lane_order, chance=Stacked())
    match.face = 1
    match.holders[:] = [0, -1, 1]
    place(match, 0, "crowd titan", "oracle plague", silenced="titan plague")  # 9+7 = 16 against 7+3 = 10
    place(match, 2, "maze", "watcher evil")  # 4 against 4+3 = 7
    match._end_round()
    assert match.winner == winner
    assert match.decision() is None and match.legal() == []
    assert match.damage[winner] == 0 and match.damage[1 - winner] == 1


# Random matches


def test_random_matches_keep_to_the_rules() -> None:
    """At each decision of 300 matches: 15 units, room, faces, and the options that the state allows."""
    for match, rng in matches():
        bot = vughex.random_bot(rng)
        for _ in range(1000):
            decision = match.decision()
            if decision is None:
                break
            seat, kind, options = decision
            state = match.snapshot()
            units = [*names_on(state), *state["hands"][0], *state["hands"][1], *state["pile"], *state["waste"]]
            assert sorted(units) == sorted(POWER)
            assert options and options == offered(state, seat, kind)
            assert len(match.legal()) == len(options) + (kind == "replace")
            for lane in state["lanes"]:
                for side in lane:
                    assert len(side) <= 2
                    assert all(up or (name in STEALTH and not silenced) for name, up, silenced in side)
            for player in (0, 1):
                creep = state["sides"][player] + "_creep"
                assert creep in [*state["hands"][player], *state["waste"]] or any(
                    creep == name for lane in state["lanes"] for name, _, _ in lane[player]
                )
            match.apply(bot(match))
        assert match.winner in (0, 1)
        assert match.damage[1 - match.winner] == match.length
        assert match.damage[match.winner] < match.length


def test_every_end_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage, holders and winner of each round of 300 matches are those of the checklist."""
    original: Callable[[Any], None] = vughex.Vughex._end_round
    rounds = 0

    def end_round(match: Any) -> None:
        nonlocal rounds
        rounds += 1
        before = match.snapshot()
        assert before["hands"] == [[], []]
        assert len(names_on(before)) == 12
        for lane in range(3):
            number, powers, winner = fight(before["face"], lane, before["lanes"][lane])
            shown = match.copy()
            shown.hidden = 0
            assert shown.combat(lane) == (number, *powers, -1 if winner is None else winner)
        lane_order = "left_to_right" if match.orders == vughex.LANE_ORDERS["left_to_right"] else "ascending"
        damage, holders, winner = settle(before, match.length, lane_order)
        original(match)
        after = match.snapshot()
        assert (after["damage"], after["holders"]) == (damage, holders)
        assert match.winner == (-1 if winner is None else winner)
        assert (after["face"] == before["face"]) == (winner is not None)
        if winner is None:
            first = after["sides"].index(after["face"])
            assert match.decision()[:2] == (first, "replace")
            assert names_on(after) == after["waste"] == []
            assert [len(hand) for hand in after["hands"]] == [6, 6]

    monkeypatch.setattr(vughex.Vughex, "_end_round", end_round)
    for match, rng in matches():
        vughex.play(match, (vughex.random_bot(rng), vughex.random_bot(rng)))
    assert rounds > len(SEEDS)


def test_the_order_of_the_decisions() -> None:
    """In each round: a replacement each, then plays in turn, always from the player of the face that is up."""
    for match, rng in matches():
        bot = vughex.random_bot(rng)
        asked = 0
        while decision := match.decision():
            seat, kind, _ = decision
            if kind in ("replace", "play"):
                state = match.snapshot()
                asked %= 14
                assert (kind == "replace") == (asked < 2)
                assert seat == (state["sides"].index(state["face"]) + asked) % 2
                asked += 1
            match.apply(bot(match))
        assert asked == 14


def test_what_is_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pile, lanes, hands, waste, without the Creeps; the end of the pile is dealt first."""
    original: Callable[[Any], None] = vughex.Vughex._end_round

    def end_round(match: Any) -> None:
        before = match.snapshot()
        original(match)
        if match.winner == -1:
            items, order = match.chance.items, match.chance.record[-1][1]
            units = [*before["pile"], *names_on(before), *before["waste"]]
            assert items == [unit for unit in units if not unit.endswith("_creep")]
            pile = [items[position] for position in order]
            after = match.snapshot()
            first = match.seat
            assert after["pile"] == pile[:3]
            for seat, dealt in ((first, pile[8:]), (1 - first, pile[3:8])):
                assert after["hands"][seat] == [after["sides"][seat] + "_creep", *dealt[::-1]]

    monkeypatch.setattr(vughex.Vughex, "_end_round", end_round)
    for seed in range(50):
        rng = Random(seed)
        match = vughex.Vughex(rng, length=3, chance=Recorder(rng))
        assert match.chance.items == list(vughex.UNITS[:13])
        vughex.play(match, (vughex.random_bot(rng), vughex.random_bot(rng)))


def test_playouts_end_and_repeat() -> None:
    results = [vughex.playout(seed) for seed in SEEDS]
    assert {winner for winner, _ in results} == {0, 1}
    assert all(decisions >= 14 for _, decisions in results)
    assert results == [vughex.playout(seed) for seed in SEEDS]


def test_a_recorded_match_can_be_played_again() -> None:
    for seed in range(50):
        rng = Random(seed)
        recorder = Recorder(rng)
        match = vughex.Vughex(rng, chance=recorder)
        seen, choices = [], []
        while decision := match.decision():
            seen.append((decision, match.snapshot()))
            choices.append(rng.randrange(-1 if decision[1] == "replace" else 0, len(decision[2])))
            match.choose(choices[-1])
        end = match.snapshot()
        again = vughex.Vughex(Random(0), chance=Player(recorder.record))
        for (decision, state), choice in zip(seen, choices, strict=True):
            assert (again.decision(), again.snapshot()) == (decision, state)
            again.choose(choice)
        assert again.decision() is None
        assert (again.snapshot(), again.winner) == (end, match.winner)


def test_copies_are_independent() -> None:
    def slots(match: Any) -> dict[str, str]:
        return {name: repr(getattr(match, name)) for name in match.__slots__}

    for seed in range(30):
        rng = Random(seed)
        bot = vughex.random_bot(rng)
        match = vughex.Vughex(rng)
        while match.legal():
            before = slots(match)
            copy = match.copy()
            assert slots(copy) == before
            vughex.play(copy, (bot, bot))
            assert slots(match) == before
            left = match.copy()
            match.apply(bot(match))
            assert slots(left) == before
