"""What a worker does: play the matches of some seeds, for a while."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from card_runtime.digests import runtime_digest

from cardc import __version__
from cardc.package import UsageError

Counts: TypeAlias = Counter[tuple[int | None, str]]
"""How many matches ended so, by (winner, reason); winner None is a tie."""

SLICE = 0.5
"""For how many seconds a worker plays before it reports, so that a stop loses little in a slow game, too."""

_own: tuple[Any, dict[str, Any]] | None = None


class Part(NamedTuple):
    """What came of a piece of work: the seeds that were played, which may be only its first ones."""

    seeds: range
    counts: Counts
    fault: str | None
    """Why the seed after these cannot be played: a fault of the game."""


def player() -> str:
    """Who plays: this version, with a digest of the runtime, as seeds lead to other matches in another."""
    return f"{__version__} ({runtime_digest()[:12]})"


def play(game: Any, call: dict[str, Any], seeds: range) -> Part:
    """Play the first of the seeds, at least one, until SLICE is over. Raises UsageError where the game takes no such
    call."""
    import card_runtime as rt

    counts: Counts = Counter()
    end = perf_counter() + SLICE
    played, fault = seeds, None
    for i, seed in enumerate(seeds):
        try:
            result = game.playout(seed=seed, **call)
        except rt.InputError as error:
            raise UsageError(str(error)) from None
        except rt.CardError as error:
            played, fault = seeds[:i], str(error)
            break
        counts[result.winner, result.reason] += 1
        if perf_counter() >= end:
            played = seeds[: i + 1]
            break
    game.keep()  # a worker may be ended at any time
    return Part(played, counts, fault)


def begin(paths: tuple[Path, list[Path]], call: dict[str, Any]) -> None:
    """Make this process a worker for the built game of `paths`."""
    import signal

    from cardc.cli.matches import load

    global _own
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that shares the work ends it.
    _own = load(paths), call


def work(seeds: range) -> Part:
    """Play in a process that has begun."""
    assert _own is not None
    game, call = _own
    return play(game, call, seeds)
