"""Many random matches of Moonlight: what must hold at every decision, and that nobody sees what he may not.

CARDC_LONG=1 plays 5,000 matches instead of a hundred.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash
from cardc import pipeline
from cardc.cli.table import Shape, draw
from cardc.display import width

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))
MATCHES = 5000 if LONG else 120
PACK = Counter(cub=2, howler=2, tracker=4, hunter=2, guardian=1, exile=1, moonchild=1, scarred=1)
VALUE = {"cub": 1, "howler": 2, "tracker": 3, "hunter": 4, "guardian": 5, "exile": 6, "moonchild": 0, "scarred": 4}
VARIANTS = [
    {},
    {"lines": "columns", "corners": "any", "tie_break": "visible"},
    {"corners": "full", "protect_latest": True, "next_start": "winner", "replay_start": "other"},
    {"next_start": "drawn", "replay_start": "drawn", "first_start": "player_1"},
]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "moonlight", tmp_path_factory.mktemp("built") / "moonlight")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


class Coverer:
    """A bot that covers where it can, so that hands run out before the rectangle is full."""

    def __init__(self, seed: int) -> None:
        self.other = Random(seed)

    def __call__(self, decision) -> list[int]:
        covers = [i for i, option in enumerate(decision.options) if option.value["verb"] == "cover"]
        return covers[:1] or self.other(decision)


def bot(seed: int):
    return Coverer(seed) if seed % 4 == 3 else Random(seed)


class Watch:
    """Reads a state fast, place by place."""

    def __init__(self, game) -> None:
        self.zone = {z.name: z.first for z in game.model.zones}
        self.grid = game.grids["territory"]
        self.first = game.model.boards[0].parts[0].first
        self.size = self.grid.columns * self.grid.rows

    def check(self, m) -> int:
        """What must hold at every decision; the number of spaces that are taken."""
        name = [m.printed[d].id for d in m.d]
        piles = {}
        for element in range(self.size):
            if m.places[self.first + element]:
                piles[element % self.grid.columns, element // self.grid.columns] = m.places[self.first + element]
        assert len(piles) <= 12
        if piles:
            width = max(x for x, _ in piles) - min(x for x, _ in piles) + 1
            height = max(y for _, y in piles) - min(y for _, y in piles) + 1
            assert (width <= 4 and height <= 3) or (width <= 3 and height <= 4)
        for (x, y), pile in piles.items():
            assert len(piles) == 1 or {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & piles.keys()
            for under, over in pairwise(pile):
                assert m.own[under] != m.own[over]
                assert VALUE[name[over]] - VALUE[name[under]] in (0, 1, 2)
        for seat in (0, 1):
            mine = [c for place in ("deck", "hand", "lair") for c in m.places[self.zone[place] + seat]]
            placed = [c for pile in piles.values() for c in pile if m.own[c] == seat]
            assert Counter(name[c] for c in mine + placed) == PACK
            assert all(m.own[c] == seat for c in mine)
            assert not placed or any(m.own[pile[-1]] == seat for pile in piles.values())
            assert len(m.places[self.zone["hand"] + seat]) <= 4
        taken = [m.places[self.zone["powers"] + seat] for seat in (0, 1)]
        assert all(len(cards) <= 1 for cards in taken)
        assert len({name[c] for cards in (*taken, m.places[self.zone["offer"]]) for c in cards}) == 12
        return len(piles)


def test_random_matches_keep_their_invariants(game):
    watch = Watch(game)
    ends = Counter()
    for seed in range(MATCHES):
        match = game.start(seed, options=VARIANTS[seed // 4 % len(VARIANTS)])
        choose = bot(seed)
        spaces, placing = 0, False
        while (decision := match.decision) is not None:
            assert decision.count > 0
            spaces = watch.check(match.state)
            assert decision.optional == (decision.options[0].value["verb"] in ("guard", "scout", "trot", "bury"))
            placing = match.state.turn is not None
            match.choose(choose(decision))
            if placing and match.state.turn is None:
                ends[spaces] += 1
        assert match.result is not None and match.result.reason == "Two rounds won"
        assert not any(record["kind"] == "skip" for record in match.log(None))  # whoever places has a place
        assert sorted(s["wins"] for s in match.result.scores) in ([0, 2], [1, 2])
        assert match.result.scores[match.result.winner]["wins"] == 2
        watch.check(match.state)
    assert ends[11] + ends[12] > 0 and any(n < 11 for n in ends)


def test_playouts_end_as_stepped_matches_do(game):
    for seed in range(MATCHES // 5):
        options = VARIANTS[seed % len(VARIANTS)]
        whole = game.playout_state(seed, options=options)
        match = game.start(seed, options=options)
        choose = Random(seed)
        while match.decision is not None:
            match.choose(choose(match.decision))
        assert state_hash(whole) == match.state_hash(), seed


def test_where_the_territory_lies_cannot_be_told(game, tmp_path, wider_planes):
    """The same matches on a plane on which each space has another number: all that is shown, told, offered and written
    down is the same."""
    wider_planes(3, 4)
    outcome, where = pipeline.build(ROOT / "cards" / "moonlight", tmp_path / "elsewhere")
    assert outcome.files is not None
    there = rt.load(where)
    assert there.grids["territory"].middle != game.grids["territory"].middle
    for seed in range(MATCHES // 20):
        options = VARIANTS[seed % len(VARIANTS)]
        one, other = game.start(seed, options=options), there.start(seed, options=options)
        choose = bot(seed)
        while (decision := one.decision) is not None:
            assert other.decision is not None and decision.options == other.decision.options
            for seat in (None, 0, 1):
                assert one.view(seat) == other.view(seat)
            choice = choose(decision)
            one.choose(choice)
            other.choose(choice)
        assert other.decision is None and one.result == other.result
        assert all(one.log(seat) == other.log(seat) for seat in (None, 0, 1))
        mine, theirs = one.record, other.record
        del mine["game"]["build"], theirs["game"]["build"]
        assert mine == theirs


def test_the_frame_knows_no_power_and_no_wolf_by_name():
    folder = ROOT / "cards" / "moonlight"
    frame = set(re.findall(r"\w+", (folder / "moonlight.card").read_text()))
    cards = "".join((folder / name).read_text() for name in ("powers.card", "wolves.card"))
    ids = re.findall(r"^card (\w+)", cards, re.M)
    assert len(ids) == 12 + 8 and not frame & set(ids)


def test_nobody_can_tell_a_match_from_one_in_which_all_he_cannot_see_is_other(game):
    others = 0
    for seed in range(MATCHES // 30):
        match = game.start(seed, options=VARIANTS[seed % len(VARIANTS)])
        choose = bot(seed)
        while (decision := match.decision) is not None:
            for seat in (0, 1):
                view, log = match.view(seat), match.log(seat)
                guess = match.determinise(seat, seed=seed + match.state.decisions)
                assert guess.view(seat) == view
                assert guess.log(seat) == log
                if decision.player == seat:
                    assert guess.decision.prompt == decision.prompt
                    assert guess.decision.options == decision.options
                others += guess.state.d != match.state.d
            match.choose(choose(decision))
    assert others > 0


def test_a_guess_can_be_played_to_its_end(game):
    for seed in range(MATCHES // 10):
        match = game.start(seed)
        rng = random.Random(seed)
        for _ in range(rng.randrange(30)):
            if match.decision is not None:
                match.choose(rng.randrange(match.decision.count))
        if match.decision is None:
            continue
        guess = match.determinise(rng.randrange(2), seed=seed)
        choose = Random(seed)
        watch = Watch(game)
        while guess.decision is not None:
            watch.check(guess.state)
            guess.choose(choose(guess.decision))
        assert guess.result.reason == "Two rounds won"


def test_the_territory_can_be_read_on_any_page(game):
    shape = Shape.of(game.model)
    for seed in range(3):
        match = game.start(seed)
        choose = bot(seed)
        columns = (40, 80, 120)[seed % 3]
        while (decision := match.decision) is not None:
            view = match.view(decision.player)
            lines = [line for _, line in draw(view, shape, columns, ("human", "random"))]
            assert max(map(width, lines)) <= columns and not any("\x1b" in line for line in lines)
            board = view["boards"]["territory"]
            rows = [line for line in lines if re.match(r"\d+ +\|", line)]
            assert len(rows) == board["height"]
            for space in board["spaces"]:
                cards = space["parts"]["wolves"]["cards"]
                told = cards[-1]["name"] if cards else f"{space['x']},{space['y']}"
                cell = rows[space["y"]].split("|")[space["x"] + 1].strip()
                assert told.startswith(cell.removesuffix("..."))
            match.choose(choose(decision))
