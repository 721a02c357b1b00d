"""Hidden state of a card that all see: only its owner knows it until the card is revealed."""

from collections.abc import Callable
from pathlib import Path

import card_runtime as rt
from cardc import pipeline

GAME = """
game g "G" { version: "1"  players: 2 }
kind thing { state charge: 0..9 = 0, owner sees  state open: bool = false }
zone hand: each player list of thing, all see
board table { things: each player one thing, all see }
effect load(p: player) {
  p choose lay c: thing in p.hand, n: 1..3 { c.charge = n  move c to table.things[p] }
}
flow {
  for each p in players { load(p) }
  reveal table
  for each p in players { p choose wait { } }
  for each p in players { for each c in table.things[p] { if c.charge > 1 { c.open = true  win p "so" } } }
  tie "no"
}
deck { thing into hand }
card one "One" : thing {}
decklist d "D" { 1 one }
"""


def charges(match, seat):
    """What a seat knows of the charge of each card on the table."""
    parts = match.view(seat)["boards"]["table"]["parts"]["things"]
    return [card["state"].get("charge", "?") for part in parts for card in part["cards"]]


def test_hidden_state_is_shown_with_the_card(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    match = game.start(1)
    match.choose("lay one 2")
    assert charges(match, 0) == [2] and charges(match, 1) == ["?"]
    assert not any("charge" in record["text"] for record in match.log(1))
    match.choose("lay one 3")
    assert charges(match, 0) == charges(match, 1) == [2, 3]
    for seat in (0, 1):
        told = [record for record in match.log(seat) if record["kind"] == "show"]
        assert [(record["field"], record["value"]) for record in told] == [("charge", 2), ("charge", 3)]
    again = game.restore(match.to_json())
    assert charges(again, 1) == [2, 3] and again.state_hash() == match.state_hash()


AGAIN = """
game g "G" { version: "1"  players: 2 }
player { mana: 0..9 = 0 }
kind thing { state charge: 0..9 = 0 }
zone pile: shared list of thing, all see
board lanes: 2 of lane { wet: bool = false  things: shared list of thing, all see }
state order: list of lane = []
setup { copy one to pile }
flow {
  for each turn in [1, 1, 2] {
    for each p in players { p.mana = turn * 5 }
    for each c in pile { c.charge = turn }
    for each l in lanes { l.wet = turn == 2 }
    order = if turn == 2 then [lanes[1]] else [lanes[0]]
  }
  tie
}
card one "One" : thing {}
"""


def test_what_stays_the_same_is_not_told(game_of: Callable[[str], rt.Game]) -> None:
    """Of three rounds the second sets everything to what it is, and of mana the third goes beyond its range."""
    match = game_of(AGAIN).start(1)
    told = [(record["field"], record["value"]) for record in match.log(0) if record["kind"] == "change"]
    assert told == [
        ("mana", 5), ("mana", 5), ("charge", 1), ("order", ["lanes[0]"]),
        ("mana", 9), ("mana", 9), ("charge", 2), ("wet", True), ("wet", True), ("order", ["lanes[1]"]),
    ]  # fmt: skip


BIDS = """
game g "G" { version: "1"  players: 2 }
player { bid: 0..9 = 0, owner sees  ask: 0..9 = 0, owner sees }
flow {
  for each p in players { p choose bid a: 1..2, b: 1..2 { p.bid = a  p.ask = b } }
  for each p in players {
    p choose
      bids { reveal players.bid  reveal players.ask }
      or asks { reveal players.ask  reveal players.bid }
      or mine { reveal p.bid to p.opponent }
  }
  for each p in players { p choose again n: 1..2 { p.bid = n } }
  tie "no"
}
"""


def secrets(match, seat):
    """What a seat knows of the fields of both players."""
    return [(p["fields"].get("bid", "?"), p["fields"].get("ask", "?")) for p in match.view(seat)["players"]]


def test_hidden_state_of_players_is_shown_until_it_is_set_again(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(BIDS)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    one, other, third = game.start(1), game.start(1), game.start(1)
    for match in (one, other, third):
        match.choose("bid 2 1")
        match.choose("bid 1 1")
        assert secrets(match, 0) == [(2, 1), ("?", "?")]
    one.choose("bids")
    other.choose("asks")
    third.choose("mine")
    assert one.state_hash() == other.state_hash(), "the order in which they are revealed does not matter"
    for match in (one, other):
        assert secrets(match, 0) == secrets(match, 1) == [(2, 1), (1, 1)]
    assert secrets(third, 0) == [(2, 1), ("?", "?")] and secrets(third, 1) == [(2, "?"), (1, 1)]
    again = game.restore(third.to_json())
    assert secrets(again, 1) == [(2, "?"), (1, 1)] and again.state_hash() == third.state_hash()
    branch = one.clone()
    for match in (branch, third):
        match.choose("mine")
        match.choose("again 1")
        match.choose("again 2")
    assert secrets(branch, 0) == [(1, 1), ("?", 1)] and secrets(branch, 1) == [("?", 1), (2, 1)]
    assert secrets(third, 0) == [(1, 1), ("?", "?")], "what was shown is set again"
    assert secrets(one, 1) == [(2, 1), (1, 1)], "a match that goes on by itself shows nothing here"
