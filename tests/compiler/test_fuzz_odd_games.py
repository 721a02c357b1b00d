"""Programs of `odd_games` play alike in every way in which a match can be played.

Each program is built once and goes through all properties. `CARDC_FUZZ=long` tries many more.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from card_runtime.bots import Random
from card_runtime.game import Game
from card_runtime.match import Match, play
from odd_games import Program, made_up

LONG = os.environ.get("CARDC_FUZZ") == "long"
BATCHES = 30 if LONG else 2
SIZE = 5
"""Programs of a batch."""
FEWEST_ACCEPTED = 3
MATCHES = 3 if LONG else 2
"""Of a program, for each property."""
OFTEN = 0.15
"""At which share of the decisions something costly is tried."""
FEWEST_DECISIONS = 10
"""Decisions that a match has on average."""
FEWEST_ABILITIES = 5
"""Abilities that run in the matches of a batch."""
MOST_INPUTS = 120
"""A match may go on for as long as its players are timed out."""

SEATS = (0, 1)
WATCHERS = (None, *SEATS)

CONSTRUCTS = (
    "instead of ", "once per ", "on hit(", "on shift(", "until ", "presence {", "drum(", "aura {", "form evo",
    ".form = ", "together {", "together each ", " may choose ", " maybe ", "exchange ", "copy ", "draw ", "reveal ",
    "shuffle ", "random from ", "facing ", "bottom of ", "repeat ", "for each ", "let ", ".neighbors", "catalog",
    "any(", "all(", "sum(", "top(", "(the ", "stop", ".ring", "yard.beds", ".lies", ".well", ".pit", "attic", "kept",
    "priority ", "where ",
)  # fmt: skip
"""What the programs of a batch hold beside their frame, among them, but for some that chance leaves out:"""
MOST_MISSING = 8

Check = Callable[[Game, int], int]
"""Plays a match by its seed; how many decisions were made."""


@pytest.fixture(scope="module", params=range(BATCHES))
def programs(request: pytest.FixtureRequest) -> list[Program]:
    """The accepted programs of a batch. Tests are run by batches, so that each is built once."""
    first = request.param * SIZE
    return [program for seed in range(first, first + SIZE) if (program := made_up(seed)) is not None]


def test_programs_are_accepted_and_hold_all_constructs(programs: list[Program]) -> None:
    assert len(programs) >= FEWEST_ACCEPTED
    drawn = "\n".join(program.text.split("\nvalue ", 1)[-1] for program in programs)
    missing = [construct for construct in CONSTRUCTS if construct not in drawn]
    assert len(missing) <= MOST_MISSING, missing


def test_much_happens_in_matches(programs: list[Program]) -> None:
    """Programs may hold what never comes about."""
    happened: Counter[str] = Counter()
    for program in programs:
        for seed in range(MATCHES):
            happened.update(record["kind"] for record in finished(program.game, seed).log(None))
    assert happened["ability"] >= FEWEST_ABILITIES and happened["run"] and happened["change"], happened


def test_playouts_end_as_matches_in_steps(programs: list[Program]) -> None:
    every(programs, ends_alike)


def test_matches_drawn_again_keep_what_a_seat_knows(programs: list[Program]) -> None:
    every(programs, keeps_what_is_known)


def test_saved_copied_undone_and_replayed_matches_are_the_same(programs: list[Program]) -> None:
    every(programs, comes_to_the_same)


def test_matches_without_logs_show_the_same(programs: list[Program]) -> None:
    every(programs, shows_the_same)


def every(programs: list[Program], check: Check) -> None:
    """Check matches of each program, and that there was something to check."""
    decisions = 0
    for program in programs:
        for seed in range(MATCHES):
            with told(program, seed):
                decisions += check(program.game, seed)
    assert decisions >= FEWEST_DECISIONS * MATCHES * len(programs)


@contextmanager
def told(program: Program, seed: int) -> Iterator[None]:
    """What fails within is told with the program, so that it can be tried again."""
    try:
        yield
    except Exception as e:
        raise AssertionError(f"{type(e).__name__}: {e}\nmatch {seed}, {options(seed)}, of\n{program.text}") from e


def options(seed: int) -> dict[str, Any]:
    """The options of a match: as the program has them in the first."""
    draw = random.Random(seed)
    some = {
        "cap": draw.randint(1, 4), "goal": draw.randint(2, 9), "tempo": draw.choice(("slow", "fast")),
        "wild": draw.random() < 0.5,
    }  # fmt: skip
    return some if seed else {}


def finished(game: Game, seed: int) -> Match:
    """A match that was stepped to its end."""
    match, bot = game.start(seed, options=options(seed)), Random(seed)
    play(match, bot, bot)
    return match


# ---- Playouts


def ends_alike(game: Game, seed: int) -> int:
    match = finished(game, seed)
    assert stored(game.playout_state(seed, options=options(seed))) == stored(match.state)
    return int(match.state.decisions)


def stored(state: Any) -> dict[str, Any]:
    """A state as data, without who was shown cards that lie open: a playout does not keep what nobody can ask for, as
    all see these cards anyway, and a card forgets what was shown of it when it is moved."""
    data: dict[str, Any] = state.to_data()
    return {**data, "known": [entry for entry in data["known"] if not state.game.open[data["at"][entry[0]]]]}


# ---- Drawn again


def keeps_what_is_known(game: Game, seed: int) -> int:
    match, bot, draw, decisions = game.start(seed, options=options(seed)), Random(seed), random.Random(seed), 0
    while (decision := match.decision) is not None:
        if draw.random() < OFTEN:
            before = match.to_json()
            for seat in SEATS:
                again = match.determinise(seat, decisions)
                assert known(again, seat) == known(match, seat), f"what seat {seat} knows"
                assert match.determinise(seat, decisions).to_json() == again.to_json(), "the same seed"
                goes_on(again, draw)
            assert match.to_json() == before, "the match itself"
        match.choose(bot(decision))
        decisions += 1
    return decisions


def goes_on(match: Match, draw: random.Random) -> None:
    """A match that was drawn again is played like any other, and undone, saved and replayed."""
    before = unnumbered(match)
    made = some_inputs(match, draw)
    after = match.to_json()
    assert match.state.game.restore(after).to_json() == after, "drawn again and restored"
    assert match.state.game.replay(match.record).state_hash() == match.state_hash(), "drawn again and replayed"
    for _ in range(made):
        match.undo()
    assert unnumbered(match) == before, "drawn again and undone"


def unnumbered(match: Match) -> dict[str, Any]:
    """A saved match without the number of its question, which is another one where a choice was taken back."""
    saved: dict[str, Any] = json.loads(match.to_json())
    del saved["number"], saved["checksum"]
    return saved


def known(match: Match, seat: int) -> tuple[Any, ...]:
    """What a seat knows of a match: its view, its log, who is asked, and its own question."""
    decision = match.decision
    if decision is None:
        return match.view(seat), match.log(seat), None
    own = (decision.prompt, offered(match)) if decision.player == seat else None
    return match.view(seat), match.log(seat), (decision.player, own)


def offered(match: Match) -> list[tuple[Any, ...]]:
    decision = match.decision
    return [] if decision is None else [(o.id, o.label, json.dumps(o.value)) for o in decision.options]


# ---- Saved, copied, undone, replayed


class Dice:
    """Chance that comes from outside."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def shuffle(self, name: str, items: list[Any]) -> list[Any]:
        self.rng.shuffle(items)
        return items

    def pick(self, name: str, items: list[Any]) -> Any:
        return self.rng.choice(items)


def comes_to_the_same(game: Game, seed: int) -> int:
    draw = random.Random(seed)
    dice = Dice(seed) if seed % 2 == 1 else None
    match, inputs = game.start(seed, options=options(seed), chance=dice), 0
    while match.decision is not None and inputs < MOST_INPUTS:
        if draw.random() < OFTEN:
            match = restored(match, dice)
        if draw.random() < OFTEN:
            goes_back(match, draw)
        if draw.random() < OFTEN:
            match = copied(match, draw)
        some_input(match, draw)
        inputs += 1
    record = json.loads(json.dumps(match.record))
    assert unnumbered(game.replay(record)) == unnumbered(match), "replayed"
    return inputs


def restored(match: Match, dice: Dice | None) -> Match:
    text = match.to_json()
    again = match.state.game.restore(text, chance=dice)
    assert again.to_json() == text, "restored"
    assert again.state.depth == match.state.depth, "how deep abilities are"
    for seat in WATCHERS:
        assert (again.view(seat), again.log(seat)) == (match.view(seat), match.log(seat)), f"restored, from {seat}"
    assert offered(again) == offered(match), "options restored"
    return again


def copied(match: Match, draw: random.Random) -> Match:
    """A copy, after the match itself was played; which the play of a copy does not touch either."""
    copy, before = match.clone(), match.to_json()
    some_inputs(copy, draw)
    assert match.to_json() == before, "a match whose copy was played"
    copy = match.clone()
    some_inputs(match, draw)
    assert copy.to_json() == before, "the copy of a match that was played"
    return copy


def goes_back(match: Match, draw: random.Random) -> None:
    before, seen = unnumbered(match), [known(match, seat) for seat in SEATS]
    for _ in range(some_inputs(match, draw)):
        match.undo()
    assert unnumbered(match) == before, "undone"
    assert [known(match, seat) for seat in SEATS] == seen, "what seats know when all is undone"


def some_inputs(match: Match, draw: random.Random) -> int:
    """Up to three inputs; how many."""
    for made in range(draw.randint(1, 3)):
        if match.decision is None:
            return made
        some_input(match, draw)
    return made + 1


def some_input(match: Match, draw: random.Random) -> None:
    """An answer, or in some cases that a player is timed out or gives up."""
    assert match.decision is not None
    match draw.randrange(12):
        case 0:
            match.timeout(draw.randrange(2))
        case 1:
            match.forfeit(draw.randrange(2))
        case _:
            match.choose(draw.randrange(match.decision.count))


# ---- Without logs


def shows_the_same(game: Game, seed: int) -> int:
    logged = game.start(seed, options=options(seed))
    silent = game.start(seed, options=options(seed), log_limit=0, undo_limit=0)
    bot, decisions = Random(seed), 0
    while True:
        for seat in WATCHERS:
            assert silent.view(seat) == logged.view(seat), f"what {seat} sees at decision {decisions}"
        assert tags(silent) == tags(logged), f"tags at decision {decisions}"
        assert silent.state_hash() == logged.state_hash(), f"states at decision {decisions}"
        assert offered(silent) == offered(logged), f"options at decision {decisions}"
        if logged.decision is None:
            return decisions
        answer = bot(logged.decision)
        logged.choose(answer)
        silent.choose(answer)
        decisions += 1


def tags(match: Match) -> Any:
    """By which seats tell apart cards that they have seen."""
    assert match.state.obs is not None
    return match.state.obs.tags.to_data()
