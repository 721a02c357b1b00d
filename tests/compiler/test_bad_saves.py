"""Saves and records that are damaged, foreign, older or edited: refused in one line. CARDC_LONG: every place."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import canonical, digest
from cardc import pipeline

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))


@pytest.fixture(scope="module")
def game(package):
    return rt.load(package)


def saved(game, steps=2) -> tuple[rt.Match, dict]:
    match = game.start(seed=3)
    for _ in range(steps):
        match.choose(0)
    return match, json.loads(match.to_json())


def signed(save: dict) -> str:
    """The save with a checksum that fits, as whoever edits one by hand would make it."""
    body = {key: value for key, value in save.items() if key != "checksum"}
    return canonical({**body, "checksum": digest(body)})


def replaced(value, path, new):
    """A copy of JSON data with another value at a path."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


def paths(value, at=()):
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))


ODD_VALUES = [None, True, -1, 10**9, 2.5, "x", [], {}, [[]], {"a": 1}, [0, 0, 0], "\ud800", 10**40, [None] * 40]


def test_a_save_edited_by_hand(game):
    """Whatever is changed in a save, with a checksum that fits: it is refused, or what it says can be played."""
    _, save = saved(game)
    places = [p for p in paths(save) if p]
    rng = random.Random(6)
    chosen = places if LONG else rng.sample(places, 120)
    for path in chosen:
        for new in ODD_VALUES if LONG else rng.sample(ODD_VALUES, 5):
            text = signed(replaced(save, path, new))
            try:
                match = game.restore(text)
            except rt.SaveError as error:
                assert "\n" not in str(error)
                continue
            try:
                bots = [Random(1), Random(2)]
                for seat in (0, 1, None):
                    match.view(seat), match.log(seat)
                for _ in range(12):
                    if match.decision is None:
                        break
                    match.choose(bots[match.decision.player](match.decision))
                match.to_json(), match.record, match.state_hash()
            except rt.CardError:
                continue  # a fault with a place, or a refusal


def test_a_save_cut_or_changed_anywhere(game):
    _, save = saved(game)
    text = signed(save)
    rng = random.Random(7)
    for _ in range(3_000 if LONG else 300):
        at = rng.randrange(len(text))
        other = rng.choice(
            [text[:at], text[:at] + text[at + 1 :], text[:at] + chr(rng.randrange(32, 126)) + text[at + 1 :]]
        )
        if other == text:
            continue
        with pytest.raises(rt.SaveError) as caught:
            game.restore(other)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "3",
        "\0",
        "[" * 100_000,
        '{"format": 1, "checksum": 2}',
        "9" * 5_000,
        "NaN",
        '{"a":' * 5_000,
        b"\xff",
        None,
        3,
        '{"format":1,"checksum":"\\ud800"}',
    ],
    ids=range(15),
)
def test_what_is_no_save(game, text):
    with pytest.raises(rt.SaveError) as caught:
        game.restore(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


def test_a_record_changed_anywhere(game):
    match, _ = saved(game)
    record = match.record
    rng = random.Random(8)
    places = [p for p in paths(record)]
    for path in places:
        for new in ODD_VALUES if LONG else rng.sample(ODD_VALUES, 4):
            try:
                again = game.replay(replaced(record, path, new))
            except (rt.SaveError, rt.InputError) as error:
                assert "\n" not in str(error)
                continue
            again.view(0)


def test_saves_of_others(shell, game, tmp_path):
    match, _ = saved(game)
    text = match.to_json()
    shell.write("g/more.card", 'card three "Three" : unit {}\n')
    outcome, where = pipeline.build(shell.folder / "g", tmp_path / "other")
    assert outcome.files is not None
    other = rt.load(where)
    with pytest.raises(rt.SaveError, match="load that build"):
        other.restore(text)
    shutil.copytree(ROOT / "tests" / "runtime" / "duel", tmp_path / "duel")
    outcome, where = pipeline.build(tmp_path / "duel", tmp_path / "duel_built")
    with pytest.raises(rt.SaveError, match="duel"):
        rt.load(where).restore(text)
    with pytest.raises(rt.SaveError, match="of the game g, not of duel"):
        rt.load(where).replay(match.record)


def test_bad_saves_on_the_command_line(shell, game):
    _, save = saved(game)
    for name, content in {
        "empty": "",
        "cut": signed(save)[:300],
        "edited": json.dumps({**save, "undo_limit": 9}),
        "binary": b"\xff\x00",
        "other": signed({**save, "build": "other"}),
        "list": "[]",
        "deep": "[" * 100_000,
        "wrong": signed(replaced(save, ("state", "places"), 3)),
    }.items():
        shell.write(f"{name}.json", content)
        said = shell.refused("play", "build/g", "--resume", f"{name}.json", status=(2,))
        assert name in said
    shell.refused("play", "build/g", "--resume", "nowhere.json", status=(2,))
    shell.refused("play", "build/g", "--resume", ".", status=(2,))
