"""Hidden state of a card that all see: only its owner knows it until the card is revealed."""

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


def test_what_stays_the_same_is_not_told(tmp_path: Path) -> None:
    """Of three rounds the second sets everything to what it is, and of mana the third goes beyond its range."""
    (tmp_path / "g.card").write_text(AGAIN)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    match = rt.load(where).start(1)
    told = [(record["field"], record["value"]) for record in match.log(0) if record["kind"] == "change"]
    assert told == [
        ("mana", 5), ("mana", 5), ("charge", 1), ("order", ["lanes[0]"]),
        ("mana", 9), ("mana", 9), ("charge", 2), ("wet", True), ("wet", True), ("order", ["lanes[1]"]),
    ]  # fmt: skip
