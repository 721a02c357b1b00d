"""What a match is begun with: what is of another shape is told, whatever it is."""

import json
from dataclasses import asdict

import card_runtime as rt
import pytest
from card_runtime.beginning import check
from cardc import pipeline


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"decks": 3}, "`decks` is a list of 2, one a seat, not 3"),
        ({"decks": ["a"]}, "`decks` is a list of 2, one a seat, not ['a']"),
        (
            {"decks": ["a", ["b", 1]]},
            "the deck of player 1 is a decklist's name, a list of card ids, or None, not ['b', 1]",
        ),
        ({"options": [1]}, "`options` are values by name, not [1]"),
        ({"options": {1: 2}}, "`options` are values by name, not {1: 2}"),
        ({"inputs": "x"}, "`inputs` are values by name, not 'x'"),
        ({"cards": {"a": 1}}, "`cards` is a list of printed cards as the game's schema has them, not {'a': 1}"),
        ({"cards": [3]}, "`cards` is a list of printed cards as the game's schema has them, not [3]"),
        ({"decks": 10**5000}, "`decks` is a list of 2, one a seat, not a huge int"),
        ({"decks": "x" * 100}, f"`decks` is a list of 2, one a seat, not '{'x' * 56}…"),
    ],
)
def test_of_another_shape(given, says):
    with pytest.raises(rt.InputError) as caught:
        check(**{"decks": None, "options": {}, "inputs": {}, "cards": None, **given})
    assert str(caught.value) == says


def test_what_fits():
    check(None, {}, {}, None)
    check(["red", ["cub", "cub"]], {"length": 1}, {"rank": [1, 2]}, [{"id": "cub"}])
    check((None, None), {}, {}, ())


def test_options_as_a_form_for_settings_needs_them(tmp_path):
    text = """
game g "G" { version: "1"  players: 2 }
enum hue { red, green, blue }
option length: 1..3 = 2 "How long"
option least: 0 or more = 1 "At least"
option way: { up, down } = down "Which way"
option side: hue = blue "Its hue"
option open: bool = true "Whether all see"
kind unit {}
value two(): int = (if way == up then 1 else 0) + (if side == red then 1 else 0)
value most(): int = length + least + two() + (if open then 1 else 0)
flow { players[0] choose bid n: 0..9 where n <= most() "Bid" {}  tie }
"""
    (tmp_path / "g.card").write_text(text)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    options = json.loads(json.dumps([asdict(option) for option in game.options]))
    assert [list(option.values()) for option in options] == [
        ["length", "How long", 2, None, 1, 3],
        ["least", "At least", 1, None, 0, None],
        ["way", "Which way", "down", ["up", "down"], None, None],
        ["side", "Its hue", "blue", ["red", "green", "blue"], None, None],
        ["open", "Whether all see", True, [False, True], None, None],
    ]
    said = {option.name: option.default for option in game.options}
    assert game.start(1, options=said).state_hash() == game.start(1).state_hash()
    assert all(isinstance(option, rt.GameOption) for option in game.options)
