"""What a match is begun with: what is of another shape is told, whatever it is."""

import card_runtime as rt
import pytest
from card_runtime.beginning import check


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
