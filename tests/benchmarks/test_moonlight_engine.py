"""The hand-written Moonlight engine against values worked out by hand, and against a second telling of the rules."""

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "engines" / "moonlight.py"
SEEDS = range(200)
VALUE = {"cub": 1, "howler": 2, "tracker": 3, "hunter": 4, "guardian": 5, "exile": 6, "moonchild": 0, "scarred": 4}
MOONS = {"howler": 2, "hunter": 1, "moonchild": 3, "scarred": 1}
PACK = Counter(cub=2, howler=2, tracker=4, hunter=2, guardian=1)
LONE = ["exile", "moonchild", "scarred"]
NAMES = {
    "s": "scarred",
    "0": "moonchild",
    "1": "cub",
    "2": "howler",
    "3": "tracker",
    "4": "hunter",
    "5": "guardian",
    "6": "exile",
}
VARIANTS: list[dict[str, Any]] = [
    {},
    {"lines": "columns", "corners": "any", "tie_break": "visible"},
    {"corners": "full", "protect_latest": True, "next_start": "winner", "replay_start": "other"},
    {"next_start": "drawn", "replay_start": "drawn", "first_start": "player_1"},
]

Snapshot = dict[str, Any]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hand_written_moonlight", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


moonlight = load()


class Stacked:
    """Chance by plan: seat 0 begins, and each seat's wolves come in the given order, the first of them first."""

    def __init__(self, *orders: str) -> None:
        self.orders = [order.split() for order in orders]

    def pick(self, name: str, items: list[int]) -> int:
        assert (name, items) == ("pick first", [0, 1])
        return 0

    def shuffle(self, name: str, items: list[str]) -> list[str]:
        rest = list(items)
        planned = []
        for wolf in self.orders[int(name.removeprefix("shuffle deck "))]:
            if wolf in rest:
                rest.remove(wolf)
                planned.append(wolf)
        return rest + planned[::-1]


ORDER = "cub howler tracker tracker hunter tracker howler tracker cub hunter guardian"


def begin(mine: str = ORDER, theirs: str = ORDER, **options: Any) -> Any:
    return moonlight.Moonlight(Random(0), chance=Stacked(mine, theirs), **options)


def take(match: Any, *option: Any) -> None:
    match.choose(match.decision()[2].index(option))


def find(match: Any, seat: int, value: str) -> int:
    """Take a wolf of that value out of a seat's deck or lair."""
    for place in (match.decks[seat], match.lairs[seat]):
        for card in place:
            if moonlight.WOLVES[card % 14] == NAMES[value]:
                place.remove(card)
                return int(card)
    raise AssertionError(f"no {NAMES[value]} is left")


def lay(match: Any, table: str, mine: str = "", theirs: str = "") -> None:
    """Lay wolves down and give hands: `A3` is a tracker of seat 0, `A1B2` a howler of seat 1 on a cub, a dot an empty
    space."""
    for seat in (0, 1):
        match.decks[seat] += match.hands[seat]
        match.hands[seat].clear()
    taken = []
    for y, row in enumerate(table.strip().splitlines(), 2):
        for x, cell in enumerate(row.split(), 2):
            for owner, value in re.findall("([AB])(.)", cell):
                seat = "AB".index(owner)
                match.stacks[8 * y + x] += (find(match, seat, value),)
            if cell != ".":
                match.packs[seat] |= 1 << 8 * y + x
                match.by_value[seat][VALUE[NAMES[value]]] |= 1 << 8 * y + x
                match.occupied |= 1 << 8 * y + x
                taken.append((x, y))
    xs, ys = zip(*taken, strict=True)
    match.box = (min(xs), max(xs), min(ys), max(ys))
    match.region = moonlight.REGIONS[match.box]
    match.hands = [[find(match, seat, value) for value in values] for seat, values in enumerate((mine, theirs))]


def give(match: Any, seat: int, power: str) -> None:
    match.powers[seat] = moonlight.POWERS.index(power)


def offered(match: Any, seat: int) -> list[tuple[Any, ...]]:
    match.seat = seat
    match._ask_place()
    words: list[tuple[Any, ...]] = match.decision()[2]
    return words


def covers(match: Any, seat: int) -> list[tuple[Any, ...]]:
    return [option[1:] for option in offered(match, seat) if option[0] == "cover"]


# The deal


def test_the_deal() -> None:
    match = begin()
    state = match.snapshot()
    assert state["hands"] == [["cub", "howler", "tracker"]] * 2
    assert [len(deck) for deck in state["decks"]] == [8, 8]
    assert state["lairs"] == [LONE, LONE] and len(state["offer"]) == 12
    assert match.decision() == (0, "place", [("place", wolf, 0, 0) for wolf in ("cub", "howler", "tracker")])


def test_a_turn_is_to_place_and_to_draw() -> None:
    match = begin()
    take(match, "place", "howler", 0, 0)
    state = match.snapshot()
    assert state["hands"][0] == ["cub", "tracker", "tracker"] and len(state["decks"][0]) == 7
    assert match.decision()[0] == 1
    take(match, "place", "cub", 1, 0)
    assert match.snapshot()["territory"] == [[[("howler", 0)], [("cub", 1)]]]
    assert match.decision()[0] == 0


def test_only_options_can_be_chosen() -> None:
    for index in (3, -1):
        with pytest.raises(ValueError):
            begin().choose(index)


# Placing


def test_neighbours_only_and_no_diagonals() -> None:
    match = begin()
    take(match, "place", "cub", 0, 0)
    places = [option[2:] for option in match.decision()[2] if option[1] == "cub"]
    assert places == [(0, -1), (-1, 0), (1, 0), (0, 1)]


def test_four_in_a_row_leave_three_lines() -> None:
    match = begin()
    lay(match, "A1 B4 A2 B3", "1")
    spaces = {option[2:] for option in offered(match, 0) if option[0] == "place"}
    assert spaces == {(x, y) for x in range(4) for y in (-1, 1)}
    match = begin()
    lay(match, "A1 B4 A2 B3\nA3 .  .  .\nB2 .  .  .", "1")
    assert {option[2:] for option in offered(match, 0) if option[0] == "place"} == {(1, 1), (2, 1), (3, 1), (1, 2)}


def test_three_by_three_may_still_grow_every_way() -> None:
    match = begin()
    lay(match, "A1 B1 A2\nB2 A3 B3\nA4 B4 A3", "1")
    spaces = {option[2:] for option in offered(match, 0) if option[0] == "place"}
    assert spaces == {(x, y) for x in range(3) for y in (-1, 3)} | {(x, y) for x in (-1, 3) for y in range(3)}


# Covering


@pytest.mark.parametrize(
    ("wolf", "under", "legal"),
    [("2", "1", True), ("3", "1", False), ("3", "3", False), ("6", "5", True), ("5", "5", False), ("1", "0", True)],
)
def test_a_cover_is_one_higher(wolf: str, under: str, legal: bool) -> None:
    match = begin()
    lay(match, f"B{under} B4 A4", wolf)
    assert ((NAMES[wolf], 0, 0) in covers(match, 0)) == legal


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("B1 A1 A4", []),  # the last visible one
        ("B1 A1 B5", [("howler", 0, 0)]),  # only the other's
        ("B1 B5A6 A1", []),  # a covered wolf is no visible one
    ],
)
def test_own_wolves_and_the_last_visible_one_are_not_covered(table: str, options: list[Any]) -> None:
    match = begin()
    lay(match, table, "2")
    assert covers(match, 0) == options


def test_a_cub_in_a_corner_is_a_one() -> None:
    match = begin()
    lay(match, "B1 B5 A3 A3\nA2 A4 .  .\nA3 .  .  .", "24")
    assert covers(match, 0) == [("howler", 0, 0)]


def test_piles_grow() -> None:
    match = begin()
    lay(match, "A1B2A3 A5 B1", "", "4")
    assert covers(match, 1) == [("hunter", 0, 0)]
    match.choose([option[0] for option in match.decision()[2]].index("cover"))
    assert match.snapshot()["territory"][0][0] == [("cub", 0), ("howler", 1), ("tracker", 0), ("hunter", 1)]


def test_the_latest_wolf_may_be_protected() -> None:
    for protect, options in ((False, [("howler", 1, 0), ("howler", 3, 0)]), (True, [("howler", 1, 0)])):
        match = begin(protect_latest=protect)
        lay(match, "A3 B1 A3 B1", "2")
        match.latest = [18, 21]
        assert covers(match, 0) == options


# The end of a round


def test_the_full_rectangle_ends_the_round_at_once() -> None:
    match = begin()
    lay(match, "A1 B4 A3 B2\nA2 A3 B5 B1\n.  A4 A2 A1", "5", "3")
    offered(match, 0)
    take(match, "place", "guardian", 0, 2)
    # Seat 0 has 6 and 6 (a tie), 5 against 6, 14 against 0: four wolves, and five moons to three
    assert (match.points, match.taken) == ([6, 2], [4, 2])
    assert match.decision()[:2] == (0, "recruit")


def test_the_last_card_of_the_first_player_leaves_one_turn() -> None:
    match = begin()
    lay(match, "A1 B4", "5", "33")
    match.decks = [[], []]
    offered(match, 0)
    match.choose(0)
    assert match.decision()[:2] == (1, "place")
    match.choose(0)
    assert match.decision()[1] == "recruit"


def test_the_last_card_of_the_second_player_ends_the_round() -> None:
    match = begin()
    lay(match, "A1 B4", "53", "3")
    match.decks = [[], []]
    offered(match, 1)
    match.choose(0)
    assert match.decision()[1] == "recruit"


# Points: rows of 6 to 6, 5 to 6 and 9 to 3, moons 5 to 3

BOARD = "A1 B4 A3 B2\nA2 A3 B5 B1\nB3 A4 A2 A1"


@pytest.mark.parametrize(
    ("options", "powers", "points", "taken"),
    [
        ({}, {}, [5, 2], [3, 2]),
        ({"lines": "columns"}, {}, [7, 0], [4, 0]),  # 5 to 3, 7 to 4 with a tracker, 5 to 5, 3 to 3
        ({}, {1: "old_claim"}, [5, 4], [3, 4]),
        ({}, {0: "old_claim"}, [8, 2], [5, 2]),  # the tied row has one more point for its tracker
        ({}, {0: "strong_breed"}, [5, 0], [3, 0]),  # 6 to 6, 6 to 6, 10 to 3
        ({}, {1: "corner_lords"}, [5, 4], [3, 4]),  # 6 to 8
        ({}, {0: "full_moon"}, [6, 2], [3, 2]),
        ({}, {1: "full_moon"}, [5, 2], [3, 2]),
    ],
)
def test_points(options: dict[str, str], powers: dict[int, str], points: list[int], taken: list[int]) -> None:
    match = begin(**options)
    lay(match, BOARD)
    for seat, power in powers.items():
        give(match, seat, power)
    match.count_points()
    assert (match.points, match.taken) == (points, taken)


@pytest.mark.parametrize(("corners", "points"), [("any", [1, 0]), ("settled", [0, 1]), ("full", [0, 1])])
def test_corners_of_an_outline_that_is_not_settled(corners: str, points: list[int]) -> None:
    match = begin(corners=corners)
    lay(match, "A1 B2")  # 3 to 2, or 1 to 2
    match.count_points()
    assert match.points == [points[0], points[1] + 2]  # the howler's moons


@pytest.mark.parametrize(("corners", "row"), [("any", 0), ("settled", 0), ("full", 1)])
def test_corners_of_a_settled_outline_that_is_not_full(corners: str, row: int) -> None:
    match = begin(corners=corners)
    lay(match, "A1 B2 .  .\n.  A4 B4 .\n.  .  B5 A5")
    match.count_points()  # 3 or 1 to 2, then two ties; moons 1 to 3
    assert match.points == ([1, 2] if row == 0 else [0, 3])


def test_a_covered_wolf_counts_for_nothing() -> None:
    match = begin()
    lay(match, "A1B2 B1A2 A4")  # 6 to 2, moons 3 to 2
    match.count_points()
    assert (match.points, match.taken) == ([4, 0], [2, 0])


def test_equal_moons_are_nobodys() -> None:
    match = begin()
    lay(match, "A2 B2 A5")
    match.count_points()
    assert match.points == [2, 0]


def test_each_three_of_a_won_row_is_a_point_more() -> None:
    match = begin()
    lay(match, "A3 As A3 B5\nB3 B1 A5")
    match.count_points()  # 10 to 5; 5 to 4, as this outline is not settled; the moon of the Scarred
    assert (match.points, match.taken) == ([3 + 3 + 1 + 2, 0], [4, 0])


# Between rounds


def to_rewards(**options: Any) -> Any:
    """Seat 0 has won the first round."""
    match = begin(**options)
    lay(match, "A4 B1")
    match._end_round()
    return match


def test_the_winner_recruits_then_the_loser_learns() -> None:
    match = to_rewards()
    assert match.wins == [1, 0]
    assert match.decision() == (0, "recruit", [("recruit", wolf) for wolf in LONE])
    match.choose(1)
    seat, kind, options = match.decision()
    assert (seat, kind, len(options)) == (1, "learn", 12)
    take(match, "learn", "guard")
    state = match.snapshot()
    assert state["lairs"][0] == ["exile", "scarred"] and len(state["offer"]) == 11
    assert state["powers"] == [None, "guard"]
    assert len(state["decks"][0]) + len(state["hands"][0]) == 12
    assert state["points"] == [0, 0] and match.decision()[:2] == (1, "place")


@pytest.mark.parametrize(("rule", "seat"), [("loser", 1), ("winner", 0), ("drawn", 0)])
def test_who_starts_the_next_round(rule: str, seat: int) -> None:
    assert begin(first_start=f"player_{seat}").decision()[0] == seat
    match = to_rewards(next_start=rule)
    match.choose(0)
    take(match, "learn", "full_moon")
    assert match.decision()[0] == seat


def test_first_howl_starts_every_round() -> None:
    match = to_rewards(next_start="winner")
    match.choose(0)
    take(match, "learn", "first_howl")
    assert match.decision()[0] == 1


@pytest.mark.parametrize(("rule", "seat"), [("same", 0), ("other", 1), ("drawn", 0)])
def test_a_round_with_equal_points_and_wolves_is_played_again(rule: str, seat: int) -> None:
    match = begin(replay_start=rule)
    lay(match, "A4 B4")
    match._end_round()
    assert match.wins == [0, 0] and match.decision()[:2] == (seat, "place")
    assert [len(deck) for deck in match.decks] == [8, 8]


@pytest.mark.parametrize(("rule", "winner"), [("taken", 1), ("visible", 0)])
def test_equal_points_are_decided_by_wolves(rule: str, winner: int) -> None:
    match = begin(tie_break=rule)
    lay(match, ".  A5 .  .\nA2 B5 B1 B1\nA2 A1 A1 B4")
    match._end_round()
    # One wolf and four moons to one; 2 to 7, three wolves; 4 to 4. Seat 0 has five wolves to see, seat 1 four.
    assert (match.points, match.taken) == ([3, 3], [1, 3])
    assert match.wins == [1 - winner, winner]


def test_two_rounds_win_the_match() -> None:
    match = to_rewards()
    match.choose(0)
    match.choose(0)
    lay(match, "A4 B1")
    match._end_round()
    assert match.winner == 0 and match.wins == [2, 0]
    assert match.decision() is None and match.legal() == []


# Alpha Powers


def with_power(power: str, table: str, mine: str, **options: Any) -> Any:
    """Seat 0 has the power; it is its turn."""
    match = begin(**options)
    lay(match, table, mine, "33")
    give(match, 0, power)
    match._begin_turn(0)
    return match


@pytest.mark.parametrize(("power", "under"), [("leap", "3"), ("ambush", "1")])
def test_a_cover_by_power_once_per_round(power: str, under: str) -> None:
    match = with_power(power, f"B{under} B{under} B5", "33")
    match.decks[0].clear()
    covering = [option for option in match.decision()[2] if option[0] == "cover"]
    assert covering == [("cover", "tracker", x, 0) for _ in range(2) for x in (0, 1)]
    take(match, "cover", "tracker", 0, 0)
    assert match.decision()[0] == 1
    assert covers(match, 0) == []
    match._deal()
    lay(match, f"B{under} B{under} B5", "33")
    assert len(covers(match, 0)) == 4


def test_powers_do_not_lift_the_other_rules_of_covering() -> None:
    match = with_power("leap", "B3 A3 A1", "3")
    assert covers(match, 0) == []
    match = with_power("ambush", "B1 A3 A1", "3")
    assert covers(match, 0) == []


def test_a_plain_cover_does_not_use_up_leap() -> None:
    match = with_power("leap", "B2 B3 B5", "33")
    match.decks[0].clear()
    take(match, "cover", "tracker", 0, 0)
    assert covers(match, 0) == [("tracker", 1, 0)]


def test_a_moonchild_covers_nothing_even_with_ambush() -> None:
    match = with_power("ambush", "B6 B5 B4", "01")
    assert covers(match, 0) == []


def test_guard() -> None:
    match = with_power("guard", "A1 B4 A2A3 A2", "5")
    assert match.decision() == (0, "guard", [("guard", 0, 0), ("guard", 2, 0), ("guard", 3, 0)])
    take(match, "guard", 0, 0)
    assert match.decision()[1] == "place"
    match.hands[1] = [find(match, 1, "2"), find(match, 1, "4")]
    assert covers(match, 1) == [("hunter", 2, 0)]
    match._begin_turn(0)
    assert match.decision()[1] == "place"  # once per round
    match._deal()
    assert match.guarded == 0


def test_an_offer_that_is_declined_is_made_again() -> None:
    match = with_power("guard", "A1 B4", "5")
    match.choose(-1)
    match._begin_turn(0)
    assert match.decision()[1] == "guard"


def test_guard_needs_a_visible_wolf() -> None:
    assert with_power("guard", "A1B2 B4", "5").decision()[1] == "place"


def test_scout() -> None:
    match = with_power("scout", "A1 B4", "5")
    match.decks[0] = [find(match, 0, value) for value in "2234"]
    assert match.decision() == (0, "scout", [("scout",)])
    match.choose(0)
    assert match.decision() == (0, "sink", [("sink", "hunter"), ("sink", "tracker")])
    match.choose(0)
    assert match.snapshot()["decks"][0] == ["hunter", "howler", "howler", "tracker"]
    assert match.decision()[1] == "place"


def test_scout_needs_two_cards() -> None:
    match = with_power("scout", "A1 B4", "5")
    match.decks[0] = match.decks[0][:1]
    match._begin_turn(0)
    assert match.decision()[1] == "place"


def test_second_wind() -> None:
    match = with_power("second_wind", "A1 B4", "532")
    match.decks[0] = [find(match, 0, value) for value in "234"]
    take(match, "place", "guardian", 0, 1)
    assert match.decision() == (0, "bury", [("bury", "tracker"), ("bury", "howler")])
    take(match, "bury", "tracker")
    state = match.snapshot()
    assert state["hands"][0] == ["howler", "hunter", "tracker"]  # one more, then the one to be drawn anyway
    assert state["decks"][0] == ["tracker", "howler"]
    assert match.decision()[0] == 1


def test_double_trot() -> None:
    match = with_power("double_trot", "A1 B4", "532")
    assert match.decision() == (0, "trot", [("trot",)])
    match.choose(0)
    take(match, "place", "guardian", 0, 1)
    assert match.decision()[:2] == (0, "place") and match.hands[0] != []
    take(match, "place", "tracker", 1, 1)
    assert match.decision()[0] == 1 and len(match.hands[0]) == 3


def test_double_trot_needs_two_cards_and_stops_at_the_full_rectangle() -> None:
    assert with_power("double_trot", "A1 B4", "5").decision()[1] == "place"
    match = with_power("double_trot", "A1 B4 A3 B2\nA2 A3 B5 B1\n.  A4 A2 A1", "53")
    match.choose(0)
    take(match, "place", "guardian", 0, 2)
    assert match.decision()[1] == "recruit"


def test_large_den() -> None:
    match = with_power("large_den", "A1 B4", "532")
    take(match, "place", "guardian", 0, 1)
    assert len(match.hands[0]) == 4
    match._deal()
    assert [len(wolves) for wolves in match.hands] == [4, 3]


# Random matches, against the rules told again by names


def matches() -> Iterator[tuple[Any, Random, dict[str, Any]]]:
    for seed in SEEDS:
        options = VARIANTS[seed % len(VARIANTS)]
        rng = Random(seed)
        yield moonlight.Moonlight(rng, **options), rng, options


def coverer(rng: Random) -> Any:
    """A bot that covers where it can, so that cards run out before the rectangle is full."""
    bot = moonlight.random_bot(rng)

    def cover(match: Any) -> int:
        covering = [move for move in match.moves if move & moonlight.COVERS] if match.kind == moonlight.PLACE else []
        return covering[0] if covering else bot(match)

    return cover


def tops(state: Snapshot) -> dict[tuple[int, int], tuple[str, int]]:
    """The visible wolves by column and row."""
    return {(x, y): pile[-1] for y, row in enumerate(state["territory"]) for x, pile in enumerate(row) if pile}


def rectangle(cells: set[tuple[int, int]]) -> tuple[int, int]:
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    return max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def allowed(cells: set[tuple[int, int]]) -> bool:
    width, height = rectangle(cells)
    return (width <= 4 and height <= 3) or (width <= 3 and height <= 4)


def placements(state: Snapshot, seat: int, options: dict[str, Any], spent: bool) -> list[tuple[Any, ...]]:
    """What may be placed, and where, from the state alone (L-12 to L-21)."""
    wolves = tops(state)
    found: list[tuple[Any, ...]] = []
    for wolf in state["hands"][seat]:
        if not wolves:
            found.append(("place", wolf, 0, 0))
        for y in range(-1, 5):
            for x in range(-1, 5):
                beside = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & set(wolves)
                if (x, y) not in wolves and beside and allowed({(x, y), *wolves}):
                    found.append(("place", wolf, x, y))
    theirs = [at for at, (_, owner) in sorted(wolves.items(), key=lambda w: w[0][::-1]) if owner != seat]
    steps = {1} if spent else {1, {"leap": 0, "ambush": 2}.get(state["powers"][seat], 1)}
    for wolf in state["hands"][seat]:
        for at in theirs:
            last = options.get("protect_latest") and state["latest"][1 - seat] == at
            free = not last and at not in state["guarded"] and len(theirs) > 1
            if free and VALUE[wolf] - VALUE[wolves[at][0]] in steps:
                found.append(("cover", wolf, *at))
    return found


def counted(state: Snapshot, options: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Points and wolves taken (L-25 to L-36)."""
    wolves = tops(state)
    width, height = rectangle(set(wolves))
    settled = {width, height} == {3, 4}
    rule = options.get("corners", "settled")
    corners = {(x, y) for x in (0, width - 1) for y in (0, height - 1)}
    if not (rule == "any" or len(wolves) == 12 or (rule == "settled" and settled)):
        corners = set()
    points, taken = [0, 0], [0, 0]

    def weight(at: tuple[int, int]) -> int:
        wolf, owner = wolves[at]
        power = state["powers"][owner]
        if wolf == "cub" and at in corners:
            return 3
        if wolf == "howler" and power == "strong_breed":
            return 3
        if wolf == "howler" and power == "corner_lords" and at in corners:
            return 4
        return VALUE[wolf]

    moons = [sum(MOONS.get(wolf, 0) for wolf, owner in wolves.values() if owner == seat) for seat in (0, 1)]
    for seat in (0, 1):
        if moons[seat] > moons[1 - seat]:
            points[seat] += 3 if state["powers"][seat] == "full_moon" else 2
    axis = 0 if options.get("lines") == "columns" else 1
    for line in range((width, height)[axis]):
        here = [[at for at, (_, owner) in wolves.items() if owner == seat and at[axis] == line] for seat in (0, 1)]
        sums = [sum(map(weight, cells)) for cells in here]
        for seat in (0, 1):
            if sums[seat] > sums[1 - seat] or (sums[0] == sums[1] and state["powers"][seat] == "old_claim"):
                taken[seat] += len(here[seat])
                points[seat] += len(here[seat])
                points[seat] += sum(wolves[at][0] in ("tracker", "scarred") for at in here[seat])
    return points, taken


def test_random_matches_keep_to_the_rules() -> None:
    """At each decision: all cards are there, the outline holds, and the options are those that the state allows."""
    for match, rng, options in matches():
        bot = coverer(rng) if rng.random() < 0.5 else moonlight.random_bot(rng)
        while (decision := match.decision()) is not None:
            seat, kind, words = decision
            state = match.snapshot()
            piles = [pile for row in state["territory"] for pile in row]
            for player in (0, 1):
                mine = [*state["decks"][player], *state["hands"][player], *state["lairs"][player]]
                mine += [wolf for pile in piles for wolf, owner in pile if owner == player]
                assert Counter(mine) == PACK + Counter(LONE)
            assert sorted([*state["offer"], *filter(None, state["powers"])]) == sorted(moonlight.POWERS)
            cells = {(x, y) for y, row in enumerate(state["territory"]) for x, pile in enumerate(row) if pile}
            assert not cells or (allowed(cells) and len(cells) <= 12)
            for pile in piles:
                for under, over in pairwise(pile):
                    assert under[1] != over[1]
                    step = VALUE[over[0]] - VALUE[under[0]]
                    assert step == {"leap": 0, "ambush": 2}.get(state["powers"][over[1]], 1) or step == 1
            for player in (0, 1):
                if any(owner == player for pile in piles for _, owner in pile):
                    assert any(pile[-1][1] == player for pile in piles if pile)
            if kind == "place":
                assert words == placements(state, seat, options, match.spent[seat])
            assert words and len(match.legal()) == len(words) + (kind in ("guard", "scout", "trot", "bury"))
            match.apply(bot(match))
        assert match.wins[match.winner] == 2 and match.wins[1 - match.winner] < 2


def test_every_end_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points, winner, reward and the next starter of each round are those of the rules."""
    original = moonlight.Moonlight._end_round
    rounds = [0, 0]

    def end_round(match: Any) -> None:
        before = match.snapshot()
        full = len(tops(before)) == 12
        assert full or [] in before["hands"]
        rounds[full] += 1
        points, taken = counted(before, settings)
        visible = [sum(owner == seat for _, owner in tops(before).values()) for seat in (0, 1)]
        kept = visible if settings.get("tie_break") == "visible" else taken
        ranks = [(points[seat], kept[seat]) for seat in (0, 1)]
        original(match)
        if ranks[0] == ranks[1]:
            assert match.wins == before["wins"] and match.snapshot()["territory"] == []
            return
        winner = ranks.index(max(ranks))
        assert (match.points, match.taken) == (points, taken)
        assert match.wins[winner] == before["wins"][winner] + 1
        if match.wins[winner] == 2:
            assert match.winner == winner
        else:
            assert match.decision()[:2] == (winner, "recruit")

    monkeypatch.setattr(moonlight.Moonlight, "_end_round", end_round)
    for match, rng, settings in matches():  # noqa: B007 - read by end_round
        bot = moonlight.random_bot(rng) if rng.random() < 0.5 else coverer(rng)
        moonlight.play(match, (bot, bot))
    assert min(rounds) > 0 and sum(rounds) > 2 * len(SEEDS)


def test_a_copy_goes_on_by_itself() -> None:
    for seed in range(20):
        match = moonlight.Moonlight(rng := Random(seed))
        bot = moonlight.random_bot(rng)
        while match.moves:
            state, copied = match.snapshot(), match.copy()
            assert copied.snapshot() == state and copied.legal() == match.legal()
            copied.apply(copied.legal()[0])
            assert match.snapshot() == state
            match.apply(bot(match))
