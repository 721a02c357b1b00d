"""Saves that were edited and signed again: refused, or played on; never an error of Python, never without end."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import canonical, digest
from cardc import pipeline

TESTS = Path(__file__).parents[1]
SOURCES = {
    "duel": TESTS / "runtime" / "duel",
    "grid": TESTS / "runtime" / "grid",
    "bids": TESTS / "accept" / "secret_bids.card",
    "lines": TESTS / "accept" / "lines_of_abilities.card",
}
ROWS = """
game rows "Rows" { version: "1"  players: 2 }
enum color { red, green }
player { bets: 0..99 = 0 }
kind unit {}
board lanes: 3 of lane {
  worth: 0..9 = 1
  units: each player list of unit, all see
}
state here: lane = lanes[1]
state colors: set of color = [red]
flow {
  loop {
    together each p in players { p may choose bet "Bet" { p.bets += here.worth } }
    if not colors has red or players[0].bets > 20 { tie }
    for each l in lanes where l.index > here.index { here = l }
    if players[1].bets > 3 { colors = colors + [green] }
  }
}
"""
LONG = bool(os.environ.get("CARDC_LONG"))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, rt.Game]:
    found = {}
    for name, source in {**SOURCES, "rows": tmp_path_factory.mktemp("source") / "rows.card"}.items():
        if name == "rows":
            source.write_text(ROWS)
        folder = tmp_path_factory.mktemp(name)
        files = [source] if source.is_file() else [*source.glob("*.card")]
        for file in files:
            (folder / file.name).write_bytes(file.read_bytes())
        outcome, where = pipeline.build(folder, folder / "built")
        assert outcome.files is not None, outcome.findings
        found[name] = rt.load(where)
    return found


def signed(save: dict[str, Any]) -> str:
    body = {key: value for key, value in save.items() if key != "checksum"}
    return canonical({**body, "checksum": digest(body)})


def played(game: rt.Game, steps: int, seed: int = 1) -> rt.Match:
    match = game.start(seed)
    bots = [Random(seed), Random(seed + 50)]
    while steps and match.decision is not None:
        match.choose(bots[match.decision.player](match.decision))
        steps -= 1
    return match


def put(save: dict[str, Any], path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    """The save with another value at a path; `-1` is the last of a list."""
    save = json.loads(json.dumps(save))
    at: Any = save
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return save


FORGED: list[tuple[str, tuple[Any, ...], Any]] = [
    # Where code goes on: it has no such block, or asks nothing there.
    ("duel", ("state", "frames", -1, 1), 99),
    ("duel", ("state", "frames", -1, 1), -1),
    ("duel", ("state", "frames", -1, 1), 0),
    ("duel", ("state", "frames", -1, 2), "text"),
    ("duel", ("state", "frames"), []),
    ("duel", ("state", "wait", 3), True),
    ("duel", ("state", "wait", 1), "mark·1"),
    ("bids", ("state", "frames", -1, 1), 1),
    ("bids", ("state", "frames", -1, 2), 1),
    ("bids", ("state", "frames", -1, 3, 0, 0, 1), 99),
    ("bids", ("state", "frames", -1, 4, 0, 0), 1),
    ("bids", ("state", "frames", -1, 5, 0), [0, 77]),
    ("bids", ("state", "frames", -1, 5, 0), True),
    ("bids", ("state", "held"), []),
    ("bids", ("state", "held"), [[["hurt", []]]]),
    # What there is.
    ("duel", ("state", "decisions"), -1),
    ("duel", ("state", "fields", "c_unit·vigor"), "none"),
    ("duel", ("state", "fields", "c_thing·silenced"), "none"),
    ("rows", ("state", "fields", "s_here"), 3),
    ("rows", ("state", "fields", "s_here"), -1),
    ("rows", ("state", "fields", "s_colors"), 4),
    ("rows", ("state", "frames", -1, 5, 0), 7),
    ("duel", ("state", "lasting"), [[1, [], [0, 0, 1], None]]),
    ("duel", ("state", "lasting"), [[1, ["sage·entry·1"], [0, 0, 1], True]]),
    ("duel", ("state", "lasting"), [[1, ["sage·entry·1"], [0, 5, 1], None]]),
    ("duel", ("state", "using"), [[0, "sage·entry·2"]]),
    # Logs and records.
    ("duel", ("observer", "limit"), True),
    ("duel", ("observer", "limit"), -1),
    ("duel", ("observer", "next"), [4]),
    ("duel", ("observer", "tags"), []),
    ("duel", ("observer", "logs", 0, "records", 0), {"n": 1}),
    ("duel", ("undo_limit",), -1),
    ("duel", ("record", "choices"), "no"),
    ("duel", ("record", "choices", 0), {}),
    ("duel", ("record", "format"), 7),
]


@pytest.mark.parametrize(("name", "path", "new"), FORGED, ids=lambda x: str(x)[:60])
def test_what_no_match_comes_to_is_refused(
    games: dict[str, rt.Game], name: str, path: tuple[Any, ...], new: Any
) -> None:
    save = json.loads(played(games[name], 1 if name == "rows" else 4).to_json())
    assert games[name].restore(signed(save)).to_json() == canonical(save)
    if new == "none":
        new = [None for _ in save["state"]["d"]]
    if new == "elements":
        model = games[name].model
        field = next(f"s_{s.name}" for s in model.state if s.type["t"] == "element")
        path, new = (*path, field), 999
    with pytest.raises(rt.SaveError) as told:
        games[name].restore(signed(put(save, path, new)))
    assert "\n" not in str(told.value)


def changed(value: Any, rng: random.Random, within: Any) -> Any:
    """Something else that could stand for a JSON value: another number, less or more of a list, a piece of `within`."""
    odd = [None, True, False, -1, 0, 1, 2, 7, 10**9, 10**400, "x", "", [], {}, [0], [[]], "\ud800"]
    how = rng.randrange(6)
    if how == 0 and type(value) is int:
        return value + rng.choice([-1, 1, 2])
    if how == 1 and isinstance(value, list) and value:
        at = rng.randrange(len(value))
        return [*value[:at], *value[at + 1 :]]
    if how == 2 and isinstance(value, list) and value:
        return [*value, rng.choice(value)]
    if how == 3 and isinstance(value, list):
        return rng.sample(value, len(value))
    if how == 4:
        return piece(within, rng)[1]
    return rng.choice(odd)


def piece(value: Any, rng: random.Random) -> tuple[tuple[Any, ...], Any]:
    """A place in JSON values, at every depth as likely, and what stands there."""
    path: tuple[Any, ...] = ()
    while isinstance(value, dict | list) and value and (len(path) < 1 or rng.random() < 0.8):
        key = rng.choice([*value]) if isinstance(value, dict) else rng.randrange(len(value))
        path, value = (*path, key), value[key]
    return path, value


def forged(save: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    for _ in range(rng.choice([1, 1, 2])):
        part = rng.choice(["state", "state", "state", "record", "observer"])
        inside = [key for key in ("frames", "wait", "held", "using", "lasting", "fields", "borrowed", "d") if key]
        start: tuple[Any, ...] = (part, rng.choice(inside)) if part == "state" and rng.random() < 0.7 else (part,)
        at: Any = save
        for key in start:
            at = at[key]
        path, value = piece(at, rng)
        save = put(save, (*start, *path), changed(value, rng, at))
    return save


def use(game: rt.Game, text: str, rng: random.Random) -> None:
    """All that a host does with a match."""
    match = game.restore(text)

    def look(match: rt.Match) -> None:
        for seat in (0, 1, None):
            match.view(seat), match.log(seat)
        if match.decision is not None:
            assert [o.id for o in match.decision.options]
        match.to_json(), match.state_hash(), match.record

    look(match)
    how = rng.randrange(5)
    if how == 0:
        match = match.determinise(rng.randrange(2), 1)
    elif how == 1:
        match = match.clone()
    elif how == 2 and match.decision is not None:
        match.timeout(rng.randrange(2))
    elif how == 3:
        match = game.replay(match.record)
    bots = [Random(1), Random(2)]
    for _ in range(20):
        if match.decision is None:
            break
        match.choose(bots[match.decision.player](match.decision))
    look(match)
    for name in [value.name for value in game.model.values if not value.params]:
        match.get(name), match.why(name)
    for _ in range(3):
        match.undo()
        look(match)


@pytest.mark.parametrize("name", SOURCES)
def test_forged_saves_are_refused_or_can_be_used(games: dict[str, rt.Game], name: str) -> None:
    game = games[name]
    saves = []
    for seed in range(4):
        match = played(game, 3 + 4 * seed, seed)
        if match.decision is not None and seed % 2:
            match = match.determinise(match.decision.player, seed)
        saves.append(json.loads(match.to_json()))
    fine = 0
    for n in range(20_000 if LONG else 250):
        rng = random.Random(n)
        try:
            text = signed(forged(rng.choice(saves), rng))
        except (KeyError, IndexError, TypeError):
            continue  # the first change has left no place for the second
        try:
            use(game, text, rng)
            fine += 1
        except rt.CardError as error:
            assert "\n" not in str(error) and len(str(error)) < 500
    assert fine > 10


def test_a_secret_answer_that_declines_is_saved(games: dict[str, rt.Game]) -> None:
    match = games["rows"].start(1)
    match.choose([])
    assert match.state.frames[-1][5][0] is True
    again = games["rows"].restore(match.to_json())
    assert again.to_json() == match.to_json() and again.state_hash() == match.state_hash()


def test_what_no_check_finds_is_told_as_a_fault_of_the_save(games: dict[str, rt.Game]) -> None:
    """What locals hold can make a field something that it is never."""
    game = games["duel"]

    def spoiled(match: rt.Match) -> rt.Match:
        match.state.p_side = [0, 57]  # type: ignore[attr-defined]
        return match

    text = played(game, 4).to_json()
    with pytest.raises(IndexError):
        spoiled(played(game, 4)).view(0)
    copies = (lambda m: m, rt.Match.clone, lambda m: m.determinise(0, 1))
    for copy in copies:
        with pytest.raises(rt.SaveError, match=r"^the saved match held a state that no match comes to") as told:
            copy(spoiled(game.restore(text))).view(0)
        assert isinstance(told.value.__cause__, IndexError)


def test_a_question_that_cannot_be_named(games: dict[str, rt.Game]) -> None:
    match = games["duel"].restore(played(games["duel"], 4).to_json())
    decision = match.decision
    assert decision is not None
    match.state.wait[2][:] = [(0, 999, 0, False)] * decision.count  # type: ignore[index]
    for ask in (lambda: decision.options, lambda: decision.option(0), lambda: match.choose("play cub lanes 0")):
        with pytest.raises(rt.SaveError, match="no match comes to"):
            ask()


def test_errors_of_the_host_stay_what_they_are_in_a_restored_match(games: dict[str, rt.Game]) -> None:
    class Source:
        fails = False

        def shuffle(self, name: str, items: list[Any]) -> list[Any]:
            if self.fails:
                raise ValueError("mine")
            return items

        def pick(self, name: str, items: list[Any]) -> Any:
            return items[0]

    source = Source()
    match = games["duel"].start(1, chance=source)
    again = games["duel"].restore(match.to_json(), chance=source)
    source.fails = True
    before = again.to_json()
    with pytest.raises(ValueError, match="mine"):
        again.choose("end")
    assert again.to_json() == before
    source.fails = False
    again.choose("end")


def test_an_undo_that_a_forged_record_does_not_allow_leaves_the_match_as_it_is(games: dict[str, rt.Game]) -> None:
    save = json.loads(played(games["duel"], 4).to_json())
    for path, new in [(("record", "choices", 0), [99]), (("record", "seed"), "x"), (("record", "decks"), 7)]:
        match = games["duel"].restore(signed(put(save, path, new)))
        before = match.to_json()
        with pytest.raises(rt.SaveError, match=r"the record of the saved match does not lead to it|does not fit"):
            match.undo()
        assert match.to_json() == before
        match.choose(0)
