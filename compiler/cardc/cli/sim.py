"""`cardc sim`: many playouts, counted.

Playout `i` has the seed `seed + i`, so the counts depend on the seeds alone, however many processes share the work.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import click

from cardc.cli.matches import SEATS, Unbuilt, beginning, built, by_seat, load
from cardc.cli.options import base_option, format_option, match_options, path_argument, quiet_option
from cardc.cli.output import Output, complain, progress, title_of_game
from cardc.package import UsageError

# Counts by (winner, reason); winner None is a tie.
Counts: TypeAlias = Counter[tuple[int | None, str]]
_LEAST, _MOST = 20, 5000

_worker: tuple[Any, dict[str, Any]] | None = None


class Fault(Exception):
    """A playout that ended in a fault of the game; the text names the seed and the fault."""


@click.command("sim")
@path_argument()
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=1000, show_default=True, help="How many matches."
)
@click.option(
    "--jobs", type=click.IntRange(min=0), default=1, show_default=True,
    help="How many processes; 0 is one for each processor. The counts do not depend on it.",
)
@match_options
@base_option
@format_option
@quiet_option
def sim_command(
    path: Path, number: int, jobs: int, seed: int | None, options: tuple[str, ...], decks: tuple[str, ...],
    bots: tuple[str, ...], base: Path | None, format_: str, quiet: bool,
) -> int:
    """Play the game in PATH (a folder, or a built game) many times between bots, and count how the matches end.

    Match i has the seed SEED + i; the first seed is 0 if not said."""
    output = Output.of(format_, quiet)
    chosen = {**dict.fromkeys(range(SEATS), "random"), **by_seat("--bot", bots)}
    call = {"bots": tuple(chosen[s] for s in range(SEATS)), **beginning(options, decks)}
    try:
        paths = built(path, base, output)
    except Unbuilt:
        return 1
    game = load(paths)
    jobs = jobs or os.cpu_count() or 1
    first = seed or 0
    begun = perf_counter()
    try:
        with progress(number, quiet) as advance:
            counts = count(game, paths, call, range(first, first + number), jobs, advance)
    except Fault as fault:
        complain(f"cardc: {fault}")
        return 1
    seconds = perf_counter() - begun
    if format_ == "json":
        print(json.dumps(_document(counts, first, call, seconds), indent=2))
        return 0
    for line in table(counts):
        output.say(line)
    rate = f"{number / seconds:,.0f} a second"
    name = title_of_game(game)
    output.tell(f"played {name} {number} times, seeds {first} to {first + number - 1}, {rate}")
    return 0


def count(
    game: Any, paths: tuple[Path, list[Path]], call: dict[str, Any], seeds: range, jobs: int,
    advance: Callable[[int], None],
) -> Counts:
    """Play all seeds and count the results. Raises Fault; `advance` is told how many matches are new."""
    total: Counts = Counter()
    size = min(max(len(seeds) // (jobs * 50), _LEAST), _MOST)
    pieces = (seeds[i : i + size] for i in range(0, len(seeds), size))
    if jobs == 1 or len(seeds) <= size:
        for piece in pieces:
            total += _play(game, call, piece)
            advance(len(piece))
        return total
    for part in _shared(paths, call, pieces, jobs):
        total += part
        advance(part.total())
    return total


def _play(game: Any, call: dict[str, Any], seeds: range) -> Counts:
    import card_runtime as rt

    counts: Counts = Counter()
    for seed in seeds:
        try:
            result = game.playout(seed=seed, **call)
        except rt.InputError as error:
            raise UsageError(str(error)) from None
        except rt.CardError as error:
            raise Fault(f"the match with seed {seed}: {error}") from None
        counts[result.winner, result.reason] += 1
    return counts


def _shared(
    paths: tuple[Path, list[Path]], call: dict[str, Any], pieces: Iterator[range], jobs: int
) -> Iterator[Counts]:
    """Share the pieces among processes. No more than two a process are under way: memory does not grow with `-n`."""
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (paths, call))
    try:
        waiting = {pool.submit(_work, piece) for _, piece in zip(range(2 * jobs), pieces, strict=False)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                if (piece := next(pieces, None)) is not None:
                    waiting.add(pool.submit(_work, piece))
                yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(paths: tuple[Path, list[Path]], call: dict[str, Any]) -> None:
    import signal

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that shares the work ends it.
    _worker = load(paths), call


def _work(seeds: range) -> Counts:
    assert _worker is not None
    game, call = _worker
    return _play(game, call, seeds)


def ordered(counts: Counts) -> list[tuple[tuple[int | None, str], int]]:
    """The results: by seat, ties last, by number, then by reason."""
    return sorted(counts.items(), key=lambda item: (item[0][0] is None, item[0][0] or 0, -item[1], item[0][1]))


def table(counts: Counts) -> list[str]:
    """One line a winner, then one for each way to get there."""
    total = counts.total()
    lines = []
    previous: object = counts
    for (winner, reason), number in ordered(counts):
        if winner != previous:
            won = sum(n for (w, _), n in counts.items() if w == winner)
            who = "no winner" if winner is None else f"player {winner} wins"
            lines.append(_row(who, won, total))
            previous = winner
        lines.append(_row("  " + (reason or "(no reason given)"), number, total))
    return lines


def _row(name: str, number: int, total: int) -> str:
    from cardc.display import clip, pad, safe

    return f"{pad(clip(safe(name), 40), 40)} {number:9}  {100 * number / total:5.1f} %"


def _document(counts: Counts, first: int, call: dict[str, Any], seconds: float) -> dict[str, Any]:
    total = counts.total()
    return {
        "version": 1,
        "playouts": total,
        "seeds": [first, first + total - 1],
        "bots": list(call["bots"]),
        "results": [{"winner": w, "reason": reason, "count": n} for (w, reason), n in ordered(counts)],
        "seconds": round(seconds, 6),
        "playouts_per_second": round(total / seconds, 1),
    }
