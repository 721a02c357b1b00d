"""A match that keeps no logs moves cards in other ways, many at once: all else is as with logs, tags too."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from cardc import pipeline

CARDS = Path(__file__).parents[2] / "cards"
GAMES = sorted({p.parent.name for p in CARDS.glob("*/RULES.md")} | {"locm"})
QUESTIONS = 50


def alike(game: Any, seed: int) -> int:
    """Play two matches by the same answers, one without logs, and compare all that each seat is shown; how many
    questions there were."""
    logged, silent = game.start(seed), game.start(seed, log_limit=0)
    choose = Random(seed)
    asked = 0
    while True:
        for seat in (0, 1, None):
            assert json.dumps(silent.view(seat)) == json.dumps(logged.view(seat)), (seed, asked, seat)
        assert silent.state.obs.tags.to_data() == logged.state.obs.tags.to_data()
        assert silent.state_hash() == logged.state_hash()
        assert silent.log(None) == []
        if logged.decision is None or asked == QUESTIONS:
            return asked
        answer = choose(logged.decision)
        for match in (logged, silent):
            match.choose(answer)
        asked += 1


@pytest.mark.parametrize("name", GAMES)
def test_shipped_games(name: str, tmp_path: Path) -> None:
    _, where = pipeline.build(CARDS / name, tmp_path / "built")
    game = rt.load(where)
    assert sum(alike(game, seed) for seed in range(8)) >= 60


TOPS = """
game g "G" { version: "1"  players: 2 }
kind unit { state worn: 0..9 = 0 }
zone hand: each player list of unit, owner sees
zone deck: each player list of unit, nobody sees
zone well: each player list of unit, all see top
zone pit: shared list of unit, all see top
zone out: shared list of unit, all see
board row: 2 of spot { units: each player list of unit at most 2, all see }
setup {
  for each p in players {
    for each c in catalog { copy c to p.deck  copy c to p.well  copy c to p.deck }
    shuffle p.deck
    shuffle p.well
    draw 4 from p.deck to p.hand
  }
}
flow {
  repeat 5 as round {
    for each p in players {
      p choose
        play u: unit in p.hand, s: spot in row where count(s.units[p]) < 2 "Play" { move u to s.units[p]  u.worn += 1 }
        or dig "Dig" { draw 2 from p.well to p.hand }
        or bury "Bury" { draw 3 from p.deck to pit }
        or raise "Raise" { draw 3 from pit to p.hand }
        or sink "Sink" { move p.hand to p.well }
        or stack "Stack" { move p.well to pit }
        or hide h: unit in p.hand "Hide" { move h to pit facing down }
        or show "Show" { reveal top(pit) }
        or clear "Clear" { move row.units to pit }
        or empty "Empty" { move pit to out  shuffle out  draw 2 from out to p.well }
      for each c in catalog { copy c to p.well }
    }
  }
  tie "over"
}
card ant "Ant" : unit {}
card bee "Bee" : unit {}
card cat "Cat" : unit {}
"""


def test_zones_of_which_all_see_the_top_card(game_of: Callable[[str], Any]) -> None:
    """Cards that come onto such a zone are seen one after the other, and what lay below one that goes is seen then."""
    game = game_of(TOPS)
    assert sum(alike(game, seed) for seed in range(40)) == 400
