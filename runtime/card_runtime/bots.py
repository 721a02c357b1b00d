"""Bots for matches that are played step by step. A bot's chance is its own and no part of the match."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from card_runtime.beginning import check_seed
from card_runtime.chance import hashed, numbers
from card_runtime.errors import InputError, quoted, shown

if TYPE_CHECKING:
    from card_runtime.decision import Decision
    from card_runtime.match import Match

Bot: TypeAlias = "Callable[[Decision], object]"

NAMES = ("random", "greedy")
"""The bots that can be asked for by name."""


def bot(name: str, match: Match, seed: int | str = 0) -> Bot:
    """The bot of that name for a match: a function from its decision to an answer for `choose`. Raises InputError where
    there is none, or the game lacks what it needs."""
    check_seed(seed, text=True)
    if name == "random":
        return Random(seed)
    if name == "greedy":
        return Greedy(match, seed)
    raise InputError(f"no bot is called {shown(name)}: there are {quoted(NAMES)}")


def generator_seed(seed: int | str) -> int:
    """The seed of a bot's generator as a whole number, which text is made to."""
    return seed if isinstance(seed, int) else hashed(seed.encode())


class Random:
    """Chooses evenly among the options and, where that is allowed, declining. Draws as the bots of `playout` do."""

    def __init__(self, seed: int | str) -> None:
        self._numbers = numbers(generator_seed(seed))

    def __call__(self, decision: Decision) -> list[int]:
        """An answer for `Match.choose`; declining is the last possibility."""
        index = next(self._numbers) % (decision.count + (1 if decision.optional else 0))
        return [index] if index < decision.count else []


class Greedy:
    """Chooses what makes the game's `bot value` of its seat greatest at the next question.

    It knows what its seat knows: each option is tried in `guesses` copies of the match in which all else is drawn
    again, and the values are averaged; a match that is won or lost in more of them goes before any value. Of more than
    `most` options only some are tried, drawn by chance. Questions to itself that follow at once, up to `deep` of them,
    are answered by chance, and so are those of others that are asked in secret at the same time. Equal options are
    chosen by chance."""

    def __init__(self, match: Match, seed: int | str, *, guesses: int = 3, most: int = 40, deep: int = 0) -> None:
        game = match.state.game
        value = game.model.bot
        if value is None:
            raise InputError(f"{game.model.game.title} has no `bot value`, so no bot can be greedy in it")
        self._match = match
        self._value: str = value
        self._rng = random.Random(generator_seed(seed))
        self._guesses = guesses
        self._most = most
        self._deep = deep

    def __call__(self, decision: Decision) -> list[int]:
        """An answer for `Match.choose`."""
        rng, seat = self._rng, decision.player
        answers: list[list[int]] = [[i] for i in range(decision.count)]
        if decision.optional:
            answers.append([])
        if len(answers) == 1:
            return answers[0]
        if len(answers) > self._most:
            answers = [answers[i] for i in sorted(rng.sample(range(len(answers)), self._most))]
        totals = [(0, 0)] * len(answers)
        for _ in range(self._guesses):
            guess = self._match.determinise(seat, seed=rng.getrandbits(32))
            chance = rng.getrandbits(32)
            for i, answer in enumerate(answers):
                ends, value = self._tried(guess.clone(), answer, seat, chance)
                totals[i] = totals[i][0] + ends, totals[i][1] + value
        best = max(totals)
        return answers[rng.choice([i for i, total in enumerate(totals) if total == best])]

    def _tried(self, match: Match, answer: Sequence[int], seat: int, chance: int) -> tuple[int, int]:
        """How the seat stands after an answer: 1 won, -1 lost, 0 otherwise; and the value."""
        match.choose(answer)
        others = Random(chance)
        left = self._deep
        while (asked := match.decision) is not None:
            if asked.player == seat:
                if left == 0:
                    break
                left -= 1
            elif not asked.secret:
                break
            match.choose(others(asked))
        won = None if match.result is None else match.result.winner
        return (0 if won is None else 1 if won == seat else -1), match.get(self._value, seat)
