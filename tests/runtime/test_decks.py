"""Decks that players bring: where their cards start, and requirements that options bend."""

from __future__ import annotations

import card_runtime as rt
import pytest
from card_runtime import decks
from cardc import pipeline
from cardc.testing import run_tests

GAME = """
game pocket "Pocket" { version: "1.0.0"  players: 2 }

option most: 0..20 = 3 "Copies of a card in a deck"
option ante: bool = false "A card less is played with"

kind item {
  flag rare
}
kind coin : item {}
kind charm : item {}

zone deck: each player list of coin, nobody sees
zone belt: each player list of charm at most 1, owner sees

deck {
  coin into deck
  charm into belt
  require "2 to 4 coins" coins(deck) >= 2 and coins(deck) <= 4
  require "Too many copies" all(copies(c) <= (if c.rare then 1 else most) for c in deck)
}

value coins(cards: list of item): int = count(c in cards where c is coin) - (if ante then 1 else 0)

setup { for each p in players { shuffle p.deck } }

flow {
  alternate p from players[0] {
    p choose take c: coin in p.deck "Take" { win p "Done" } or pass "Pass" { tie }
  }
}

card penny "Penny" : coin {}
card crown "Crown" : coin { rare }
card luck "Luck" : charm {}

decklist plain "Plain" { 2 penny, 1 luck }
decklist rich "Rich" { 1 crown, 3 penny }

test "cards start where the deck says" {
  given { me.deck = [penny, crown] }
  expect count(me.deck) == 2
}

test "a legal deck has no flaws" {
  given { me.decklist = [penny, penny, crown, luck] }
  expect flaws(me.decklist) is empty and flaws(rich) is empty
}

test "flaws are told in the words of the requirements, under the options of the test" {
  given {
    option ante = true
    option most = 1
    me.decklist = [penny, penny]
  }
  expect flaws(me.decklist) has "2 to 4 coins" and flaws(me.decklist) has "Too many copies"
  expect not (flaws(rich) has "2 to 4 coins") and flaws(rich) has "Too many copies"
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("pocket")
    (where / "pocket.card").write_text(GAME)
    return where


@pytest.fixture(scope="module")
def game(folder):
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def test_a_zone_of_each_player_may_be_called_deck(folder):
    outcome, results = run_tests(folder)
    assert outcome.files is not None, outcome.findings
    assert [r.message for r in results] == ["", "", ""]


def test_cards_of_decks_start_in_their_zones(game):
    match = game.start(1, decks=["plain", "rich"])
    zones = match.view(None)["zones"]
    assert [z["count"] for z in zones["deck"]] == [2, 4]
    assert [z["count"] for z in zones["belt"]] == [1, 0]


@pytest.mark.parametrize(
    ("deck", "options", "broken"),
    [
        (["penny", "penny"], {}, []),
        (["penny", "penny"], {"ante": True}, ["2 to 4 coins"]),
        (["penny", "penny"], {"most": 1}, ["Too many copies"]),
        (["penny"] * 4, {}, ["Too many copies"]),
        (["penny"] * 4, {"most": 4}, []),
        (["crown", "crown"], {"most": 4}, ["Too many copies"]),
        (["penny", "penny", "luck"], {}, []),
    ],
)
def test_requirements_are_those_of_the_match(game, deck, options, broken):
    assert game.check_deck(deck, options) == broken
    if broken:
        with pytest.raises(rt.InputError, match=broken[0]):
            game.start(1, decks=[deck, deck], options=options)
    else:
        assert game.start(1, decks=[deck, deck], options=options).decision is not None


def test_default_decks_must_be_legal_under_the_options(game):
    with pytest.raises(rt.InputError, match="2 to 4 coins"):
        game.start(1, options={"ante": True})


# ---- What a match begins with


@pytest.fixture
def fresh(tmp_path):
    (tmp_path / "pocket.card").write_text(GAME)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


def test_a_deck_is_checked_and_dealt_once_for_all_matches_that_begin_alike(fresh, monkeypatch):
    dealt = []

    def ids(game, given, seat, of=decks._ids):
        dealt.append(given)
        return of(game, given, seat)

    monkeypatch.setattr(decks, "_ids", ids)
    mine = ["penny", "penny", "luck"]
    for seed in range(3):
        fresh.playout(seed)
        fresh.playout(seed, decks=[mine, "rich"])
        fresh.playout(seed, decks=(tuple(mine), "rich"), options={"most": 3 + seed})
    # the default once, the list and the name once with the usual `most` of 3 and once with each of 4 and 5
    assert dealt == [None, None, mine, "rich", tuple(mine), "rich", tuple(mine), "rich"]


def test_states_to_begin_with_are_given_up_when_there_are_many(fresh, monkeypatch):
    monkeypatch.setattr("card_runtime.game.MOST_PROTOTYPES", 2)
    for most in range(1, 7):
        fresh.playout(0, decks=[["penny"] * 2] * 2, options={"most": most + 1})
        assert len(fresh._prototypes) <= 2


def test_a_deck_that_is_told_by_letters_is_no_name(fresh):
    """A list of ids and a name of the same letters are different decks."""
    fresh.playout(0, decks=["plain", "plain"])
    with pytest.raises(rt.InputError, match="no card is called p"):
        fresh.playout(0, decks=[["p", "l", "a", "i", "n"], "plain"])


@pytest.mark.parametrize("deck", [None, 7, [1, 2], {"penny": 2}, ["penny", None]])
def test_what_is_no_deck_is_told_in_one_line(game, deck):
    with pytest.raises(rt.InputError, match="a deck is a decklist's name or a list of card ids, not"):
        game.check_deck(deck)


def test_decks_of_anybody(game):
    """What a player brings is judged at once, however much it is."""
    for deck in (["penny"] * 2001, ["x" * 10**6] * 50_000):
        for ask in (lambda deck=deck: game.check_deck(deck), lambda deck=deck: game.start(1, decks=[None, deck])):
            with pytest.raises(rt.InputError, match=rf"^a deck has at most 2000 cards, not {len(deck)}$"):
                ask()
    assert len(game.check_deck(["penny"] * 2000)) == 2
    broken = game.check_deck([f"{'x' * 1_000_000}{i}" for i in range(5)])
    assert len(broken) == 5 and all(len(text) < 200 for text in broken)
    broken = game.check_deck([f"none{i}" for i in range(1500)])
    assert broken[19].startswith("no card is called none19;") and broken[20:] == [
        "no card is called as 1480 more of the deck are"
    ]
    with pytest.raises(rt.InputError, match=r"^no decklist is called \\ud800: there are "):
        game.check_deck("\ud800")


def test_what_a_game_declares_may_be_changed(folder):
    """What a host does to cards, decklists, options and schema changes no match."""
    _, where = pipeline.build(folder, folder / "built")
    game = rt.load(where)

    def course():
        match = game.start(3, decks=["plain", "rich"], options={"most": 4})
        match.choose("take hidden")
        broken = [game.check_deck(deck) for deck in ("plain", "rich", ["penny"] * 5)]
        return match.to_json(), match.view(0), game.playout(3), broken

    before = course()
    first, deck, option = game.cards[0], game.decks[0], game.options[0]
    first.title = first.id = first.kind = "wrecked"
    first.fields["rare"] = True
    first.flags.append("wrecked")
    deck.entries[0][0] = 9
    deck.entries.append([1, "nobody"])
    option.name = option.default = "wrecked"
    option.high = 0
    game.schema["$defs"] = {}
    for given in (game.cards, game.decks, game.options, game.schema):
        given.clear()
    assert course() == before
    brought = [{"id": "penny", "title": "Penny", "kind": "wrong", "fields": {}}]
    with pytest.raises(rt.InputError, match="does not follow the game's schema"):
        game.start(1, cards=brought)
