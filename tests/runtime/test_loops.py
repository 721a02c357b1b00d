"""What a loop has listed, and what has become of it since."""

from pathlib import Path

import card_runtime as rt
from cardc import pipeline

GAME = """
game g "G" { version: "1"  players: 2 }
player { passes: 0 or more = 0, score }
kind unit {}
zone home: each player list of unit, all see
board lanes: 3 of lane { units: each player one unit, all see }
state all: list of unit = []
setup { for each l in lanes { copy cub to l.units[players[0]] } }
flow {
  all = lanes.units
  for each u in all where u is in lanes {
    players[0].passes += 1
    players[1].passes += u.lane.index
    move lanes[1].units[players[0]] to players[0].home
  }
  tie
}
card cub "Cub" : unit {}
"""


def test_a_card_that_has_left_where_it_was_listed_is_passed_over(tmp_path: Path) -> None:
    """The card of lane 1 goes home in the first pass: what is left are lane 0 and lane 2."""
    (tmp_path / "g.card").write_text(GAME)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    assert game.start(1).result == game.playout(1) == rt.Result(None, "Tie", ({"passes": 2}, {"passes": 2}))
