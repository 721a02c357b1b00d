"""What is drawn again for a seat follows from what it knows and the seed, whatever is hidden from it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from cardc import pipeline

CARDS = Path(__file__).parents[2] / "cards"
GAMES = sorted({p.parent.name for p in CARDS.glob("*/RULES.md")} - {"moonga"})
"""All but Moonga, in which nobody hides a card."""
EVERY = 7
"""Positions are so many questions apart."""


def without_tags(value: Any) -> Any:
    """A view without the names by which cards are followed: which card is which says nothing of what it is."""
    if isinstance(value, dict):
        return {key: without_tags(x) for key, x in value.items() if key not in ("tag", "decision")}
    return [without_tags(x) for x in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", GAMES)
def test_copies_are_the_same_whatever_is_hidden(name: str, tmp_path: Path) -> None:
    _, where = pipeline.build(CARDS / name, tmp_path / "built")
    game = rt.load(where)
    positions = different = 0
    for seed in range(4):
        match, choose = game.start(seed), Random(seed)
        for asked in range(1, 60):
            if match.decision is None:
                break
            if asked % EVERY == 0:
                for seat in (0, 1):
                    other = match.determinise(seat, "other")
                    different += without_tags(other.view(None)) != without_tags(match.view(None))
                    ours, theirs = match.determinise(seat, seed), other.determinise(seat, seed)
                    assert without_tags(ours.view(None)) == without_tags(theirs.view(None)), (seed, asked, seat)
                    positions += 1
            match.choose(choose(match.decision))
    assert positions >= 8
    assert different >= positions // 2, "hardly anything is hidden in these positions"


TOP = """
game g "G" { version: "1"  players: 2 }
kind unit {}
zone hand: each player list of unit, owner sees
zone well: each player list of unit, all see top
zone pit: shared list of unit, all see top
board yard { heap: shared list of unit, all see top }
setup {
  for each p in players { for each c in catalog { copy c to p.hand }  move p.hand to pit facing down }
  for each p in players { for each c in catalog { copy c to p.hand }  move p.hand to yard.heap facing down }
  for each p in players {
    for each c in catalog { copy c to p.well }
    for each u in top(p.well) { move u to p.well facing down }
  }
}
flow { players[0] choose a {} or b {}  tie }
card cub "Cub" : unit {}
card bear "Bear" : unit {}
card elk "Elk" : unit {}
"""


def test_a_top_card_that_lies_face_down_lies_so_in_copies(game_of: Callable[[str], rt.Game]) -> None:
    match = game_of(TOP).start(1)
    for seat in (0, 1):
        assert all(match.determinise(seat, seed).view(seat) == match.view(seat) for seed in range(12))
    tops = {match.determinise(0, seed).view(None)["zones"]["well"][1]["cards"][-1]["card"] for seed in range(30)}
    assert tops == {"cub", "bear", "elk"}
    heaps = {str(match.determinise(0, seed).view(None)["boards"]["yard"]) for seed in range(30)}
    assert len(heaps) > 3
