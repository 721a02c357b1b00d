"""Bots for matches that are played step by step. A bot's chance is its own and no part of the match."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from card_runtime.decision import Decision


def generator_seed(seed: int | str) -> int:
    """The seed of a bot's generator: an int, as hashing text costs more than many short matches."""
    return seed * 2 + 1 if isinstance(seed, int) else int.from_bytes(seed.encode(), "big")


class Random:
    """Chooses evenly among the options and, where that is allowed, declining. Draws as the bots of `playout` do."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(generator_seed(seed)).random

    def __call__(self, decision: Decision) -> list[int]:
        """An answer for `Match.choose`; declining is the last possibility."""
        index = int(self._random() * (decision.count + (1 if decision.optional else 0)))
        return [index] if index < decision.count else []
