"""Greedy bots in the games that ship: what each frame tells them to play for beats chance, from either seat."""

from pathlib import Path

import card_runtime as rt
import pytest
from cardc import pipeline

CARDS = Path(__file__).parents[2] / "cards"
MATCHES = {"vughex": 60, "moonga": 6, "moonlight": 3, "monsteria": 3, "locm": 3}
"""Matches from each seat."""


def test_every_game_that_ships_is_tried() -> None:
    assert sorted(MATCHES) == sorted(p.parent.name for p in CARDS.glob("*/RULES.md"))


@pytest.mark.parametrize("name", sorted(MATCHES))
def test_greedy_beats_random(name: str, tmp_path: Path) -> None:
    _, where = pipeline.build(CARDS / name, tmp_path / "built")
    game = rt.load(where)
    won = 0
    for seat in (0, 1):
        bots = ["random", "random"]
        bots[seat] = "greedy"
        for seed in range(MATCHES[name]):
            result = game.playout(seed, bots)
            assert not result.reason.startswith("stopped"), (seed, result)
            won += result.winner == seat
    assert won >= 2 * MATCHES[name] * 2 / 3, f"greedy won {won} of {2 * MATCHES[name]}"
