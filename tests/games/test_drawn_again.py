"""What is drawn again for a seat follows from what it knows and the seed, whatever is hidden from it."""

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
