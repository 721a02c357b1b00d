"""Brackets make a set where a set is needed, also one that may be none."""

from pathlib import Path

import pytest
from cardc import pipeline
from cardc.testing import run_tests

GAME = """
game g "G" { version: "1"  players: 2 }
enum hue { red, green, blue }
kind thing { hue: hue }
zone hand: each player list of thing, all see
state seen: set of hue = []
state maybe_seen: set of hue? = none
effect look(p: player) {
  seen = [c.hue for c in p.hand where c.hue != blue]
  maybe_seen = [red, green]
}
value all_seen(): bool = seen meets [red, green] and (maybe_seen is none or maybe_seen has red)
flow { if all_seen() { look(players[0]) } win players[0] "so" }
card apple "Apple" : thing { hue: red }
card leaf "Leaf" : thing { hue: green }
card sky "Sky" : thing { hue: blue }
test "a set of what is listed" {
  given { me.hand = [apple, apple, leaf, sky] }
  when look(me)
  expect seen has red and seen has green and not (seen has blue)
  expect maybe_seen is not none and maybe_seen has green and not (maybe_seen has blue)
}
"""


def test_a_listing_makes_a_set(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME)
    outcome, results = run_tests(tmp_path)
    assert not [f for f in outcome.findings if f.severity == "error"]
    assert [r.message for r in results] == [""]


@pytest.mark.parametrize("listing", ["[c for c in p.hand]", "[1 for c in p.hand]"])
def test_of_its_members_only(listing: str) -> None:
    text = GAME.replace("[c.hue for c in p.hand where c.hue != blue]", listing)
    checked = pipeline.analyse([("g.card", text.encode())], None)
    assert [f.code for f in checked.findings if f.severity == "error"][:1] == ["E201"]
