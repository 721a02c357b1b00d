"""Printed cards that a match brings along take the place of its game's, also in decks and where rules name one."""

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import card_runtime as rt
import pytest
from card_runtime.match import digest
from cardc import pipeline

DECKS = """
game g "G" { version: "1"  players: 2 }
kind unit { power: 0..9 }
kind spell {}
zone hand: each player list of unit, owner sees
zone book: each player list of spell, owner sees
deck {
  unit into hand
  spell into book
}
flow { players[0] choose go "Go" { tie } }
card cub "Cub" : unit { power: 1 }
card wolf "Wolf" : unit { power: 2 }
card howl "Howl" : spell {}
decklist pack "Pack" { 2 wolf, 1 howl }
"""

NAMED = """
game g "G" { version: "1"  players: 2 }
kind unit { power: 0..9 }
zone hand: each player list of unit, owner sees
setup { for each p in players { copy wolf to p.hand } }
flow { players[0] choose go "Go" { tie } }
card cub "Cub" : unit { power: 1 }
card wolf "Wolf" : unit { power: 2 }
"""


def built(text: str, folder: Path) -> rt.Game:
    (folder / "g.card").write_text(text)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    return built(DECKS, tmp_path_factory.mktemp("decks"))


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    return built(NAMED, tmp_path_factory.mktemp("named"))


def unit(name: str, power: Any) -> dict[str, Any]:
    return {"id": name, "title": name.title(), "kind": "unit", "fields": {"power": power}}


SPELL = {"id": "howl", "title": "Howl", "kind": "spell", "fields": {}}


def told(call: Any) -> str:
    with pytest.raises(rt.InputError) as found:
        call()
    return str(found.value)


def test_a_deck_is_of_the_cards_of_the_match(decks: rt.Game) -> None:
    mine = [SPELL, unit("wolf", 7), unit("bear", 5)]
    match = decks.start(1, [["bear", "wolf", "howl"], None], cards=mine)
    assert (match.get("hand", 0), match.get("book", 0)) == (["bear", "wolf#1"], ["howl#1"])
    assert (match.get("hand", 1), match.get("book", 1)) == (["wolf#2", "wolf#3"], ["howl#2"])
    assert (match.get("power", "bear"), match.get("power", "wolf#1")) == (5, 7)
    for played in (match, match.determinise(0, seed=3)):
        for again in (decks.replay(played.record), decks.restore(played.to_json())):
            assert again.state_hash() == played.state_hash()
            assert (again.view(0), again.get("power", "wolf#1")) == (match.view(0), 7)


def test_cards_of_the_match_are_part_of_its_state(decks: rt.Game) -> None:
    """As many as the game has, and more, and other ones."""
    hashes = set()
    for cards in (None, [unit("wolf", 7), SPELL], [unit(f"wolf{i}", i) for i in range(9)] + [unit("wolf", 2), SPELL]):
        match = decks.start(1, cards=cards) if cards is None else decks.start(1, [["wolf"], ["wolf"]], cards=cards)
        again = decks.restore(match.to_json())
        assert again.view(0) == match.view(0) and again.state_hash() == match.state_hash()
        hashes.add(match.state_hash())
    assert len(hashes) == 3
    save = json.loads(decks.start(1, [["wolf"], ["wolf"]], cards=[unit("wolf", 7), SPELL]).to_json())
    save["state"]["cards"][0]["fields"]["power"] = "much"
    del save["checksum"]
    with pytest.raises(rt.SaveError, match="does not follow the game's schema"):
        decks.restore(json.dumps({**save, "checksum": digest(save)}))




def test_a_deck_of_cards_that_the_match_lacks(decks: rt.Game) -> None:
    assert told(lambda: decks.start(1, [["cub"], ["cub"]], cards=[unit("bear", 5)])) == (
        'the deck of player 0 breaks the rules: no card is called cub; near are "bear"'
    )
    assert "no card is called wolf" in told(lambda: decks.start(1, cards=[unit("bear", 5), SPELL]))


def test_a_card_that_the_rules_name_is_at_its_place(named: rt.Game) -> None:
    match = named.start(1, cards=[unit("bear", 5), unit("wolf", 7)])
    assert match.get("power", match.get("hand", 0)[0]) == 7
    for cards in ([unit("wolf", 7)], [unit("wolf", 7), unit("cub", 1)], [unit("cub", 1), unit("bear", 1)]):
        said = "the rules name the card wolf: it must be card 1 of the match, as it is in the game"
        assert told(lambda cards=cards: named.start(1, cards=cards)) == said
        assert told(lambda cards=cards: named.playout(1, cards=cards)) == said


@pytest.mark.parametrize(
    ("power", "fact"),
    [
        (1.0, "1.0 is not of type 'integer'"),
        pytest.param(10**5000, "has a number with too many digits", id="huge"),
    ],
)
def test_numbers_are_whole(named: rt.Game, power: Any, fact: str) -> None:
    assert fact in told(lambda: named.start(1, cards=[unit("cub", power), unit("wolf", 1)]))


def test_cards_are_mappings_of_any_kind(named: rt.Game) -> None:
    cards = [
        MappingProxyType({**unit(name, power), "fields": MappingProxyType({"power": power})})
        for name, power in (("bear", 5), ("wolf", 7))
    ]
    match = named.start(1, cards=cards)
    assert match.record["cards"] == [unit("bear", 5), unit("wolf", 7)]
    assert named.replay(match.record).state_hash() == match.state_hash()


def test_there_is_a_card(decks: rt.Game) -> None:
    assert told(lambda: decks.start(1, [[], []], cards=[])).startswith("`cards` is empty")
