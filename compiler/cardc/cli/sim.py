"""`cardc sim`: many playouts, counted.

Playout `i` has the seed `seed + i`, so the counts depend on the seeds alone, however the work is shared
(`cardc.simulate`). As JSON, one object; fields are only ever added, `version` counts breaks:

    version    1
    playouts   how many matches are counted
    complete   whether these are all: not after Ctrl-C
    resumed    how many of them a file of results held before
    seeds      the first and the last seed that were asked for
    bots       by seat
    results    each with winner (a seat, or null), reason, count: by seat, ties last, then by count
    seconds, playouts_per_second   of this run, without what was held before
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from cardc.cli.matches import SEATS, Unbuilt, asked, beginning, built, by_seat, load
from cardc.cli.options import base_option, match_options, path_argument, quiet_option
from cardc.cli.output import Output, complain, progress, title_of_game
from cardc.package import UsageError
from cardc.simulate.share import Fault, pieces_of, share
from cardc.simulate.tally import ordered, results, take_up
from cardc.simulate.work import player

if TYPE_CHECKING:
    from cardc.simulate.share import Workers
    from cardc.simulate.tally import Kept
    from cardc.simulate.work import Counts, Part

MOST_SETS = 3
"""How many sets of cards are told that were at work where a limit stopped matches."""
_STOPPED = re.compile(r"(stopped: .*?)(?: \((.*)\))?")


@click.command("sim")
@path_argument()
@click.option(
    "-n", "--number", type=click.IntRange(1, 10**12), metavar="N", default=1000, show_default="1000",
    help="How many matches.",
)
@click.option(
    "--jobs", type=click.IntRange(min=0), metavar="N",
    help="How many processes; 0 is one for each processor.  [default: 1]",
)
@click.option(
    "--cluster", metavar="ADDRESS",
    help="Play on the workers of a Dask cluster, by its scheduler's address such as tcp://10.0.0.1:8786.",
)
@click.option(
    "--resume", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the results in FILE, and go on with what it holds.",
)
@match_options
@base_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@quiet_option
def sim_command(
    path: Path, number: int, jobs: int | None, cluster: str | None, resume: Path | None, seed: int | None,
    options: tuple[str, ...], decks: tuple[str, ...], bots: tuple[str, ...], base: Path | None, format_: str,
    quiet: bool,
) -> int:
    """Play the game in PATH (a folder, or a built game) many times between bots, and count how the matches end.

    Match i has the seed SEED + i; the first seed is 0 if not said. The counts depend on the seeds alone, not on who
    plays the matches and in which order."""
    from card_runtime.bots import NAMES

    if cluster is not None and jobs is not None:
        raise UsageError("--jobs is for processes of this machine: a cluster has workers of its own")
    output = Output.of(format_, quiet)
    chosen = {**dict.fromkeys(range(SEATS), "random"), **by_seat("--bot", bots)}
    for name in chosen.values():
        if name not in NAMES:
            raise UsageError(f"no bot is called {name}: there are {', '.join(NAMES)}")
    settings = asked(options, decks)
    try:
        paths = built(path, base, output)
    except Unbuilt:
        return 1
    game = load(paths)
    call = {"bots": tuple(chosen[s] for s in range(SEATS)), **beginning(game, *settings)}
    first = seed or 0
    seeds = range(first, first + number)
    kept = take_up(resume, _about(game, call), seeds)
    before = kept.tally.total
    begun = perf_counter()
    status = 0
    try:
        with closing(_workers(game, paths, call, number - before, jobs, cluster)) as workers:
            run(workers, kept, seeds, quiet)
    except Fault as fault:
        complain(f"cardc: {fault}")
        return 1
    except UsageError as error:
        if kept.path is None or not kept.tally.total:
            raise
        raise UsageError(f"{error}; {kept.tally.total} of {number} matches are kept in {kept.path}") from None
    except KeyboardInterrupt:
        status = 130
    seconds = perf_counter() - begun
    counts, new = kept.tally.counts, kept.tally.total - before
    if format_ == "json":
        print(json.dumps(_document(counts, seeds, before, call, seconds), indent=2))
    else:
        for line in table(counts):
            output.say(line)
    if status:
        complain(_stopped(kept, number))
    elif format_ != "json":
        what = f"played {title_of_game(game)} {number} times, seeds {first} to {seeds[-1]}"
        known = f", {before} of them before" if before else ""
        rate = f", {new / seconds:,.0f} a second" if new else ""
        output.tell(what + known + rate)
    return status


def _about(game: Any, call: dict[str, Any]) -> dict[str, Any]:
    """Of which matches a file of results is."""
    settings = {"bots": list(call["bots"]), "options": call.get("options", {}), "decks": call.get("decks")}
    return {
        "cardc": player(),
        "game": game.id,
        "title": title_of_game(game),
        "build": game.build,
        "settings": settings,
    }


def _workers(
    game: Any, paths: tuple[Path, list[Path]], call: dict[str, Any], matches: int, jobs: int | None, cluster: str | None
) -> Workers:
    """Who plays."""
    if cluster is not None:
        from cardc.simulate.cluster import Cluster

        return Cluster(cluster, paths, call)
    from cardc.simulate.local import Here, Processes

    jobs = (os.cpu_count() or 1) if jobs == 0 else jobs or 1
    if jobs == 1 or matches <= pieces_of(matches, jobs):
        return Here(game, call)
    return Processes(jobs, paths, call)


def run(workers: Workers, kept: Kept, seeds: range, quiet: bool) -> None:
    """Play what is missing of the seeds; however that ends, what was played is kept. Raises Fault and UsageError."""
    before = kept.tally.total
    size = pieces_of(len(seeds) - before, max(workers.room // 2, 1))
    try:
        with progress(len(seeds), quiet, done=before) as advance:

            def add(part: Part) -> None:
                kept.add(part)
                advance(len(part.seeds))

            share(workers, kept.tally.missing(seeds), size, add, complain)
    finally:
        kept.write()


def _stopped(kept: Kept, number: int) -> str:
    line = f"cardc: stopped after {kept.tally.total} of {number} matches"
    if kept.path is None:
        return f"{line}; with --resume FILE they can be gone on with"
    return f"{line}; they are kept in {kept.path}, and the same command goes on"


def table(counts: Counts) -> list[str]:
    """One line a winner, then one for each way to get there."""
    total = counts.total()
    lines = []
    previous: object = counts
    one, at_work = _by_limit(counts)
    for (winner, reason), number in ordered(one):
        if winner != previous:
            won = sum(n for (w, _), n in counts.items() if w == winner)
            who = "no winner" if winner is None else f"player {winner} wins"
            lines += _rows(who, won, total)
            previous = winner
        lines += _rows(reason or "(no reason given)", number, total, "  ")
        for cards, n in at_work.get(reason, ()):
            lines += _rows(cards, n, total, "    ")
    return lines


def _by_limit(counts: Counts) -> tuple[Counts, dict[str, list[tuple[str, int]]]]:
    """The counts, with what a limit has stopped told once whatever cards were at work; and these, where they differ."""
    stopped = {reason: _STOPPED.fullmatch(reason) for _, reason in counts}
    cards: dict[str, Counter[str]] = {}
    for (_, reason), number in counts.items():
        if found := stopped[reason]:
            cards.setdefault(found[1], Counter())[found[2] or "no card"] += number
    several = {reason: of for reason, of in cards.items() if len(of) > 1}
    one: Counts = Counter()
    for (winner, reason), number in counts.items():
        found = stopped[reason]
        one[winner, found[1] if found and found[1] in several else reason] += number
    told: dict[str, list[tuple[str, int]]] = {}
    for reason, of in several.items():
        most = sorted(of.items(), key=lambda item: (-item[1], item[0]))
        told[reason] = [(f"with {names}", n) for names, n in most[:MOST_SETS]]
        if rest := most[MOST_SETS:]:
            told[reason].append((f"with {len(rest)} other sets of cards", sum(n for _, n in rest)))
    return one, told


def _rows(name: str, number: int, total: int, indent: str = "") -> list[str]:
    """The counts beside the first line of the name."""
    from cardc.display import clip, pad, safe, wrap

    room = 40 - len(indent)
    first, *rest = wrap(safe(name), room, room - 2)
    row = f"{pad(indent + clip(first, room), 40)} {number:9}  {100 * number / total:5.1f} %"
    return [row, *(f"{indent}  {clip(line, room - 2)}" for line in rest)]


def _document(counts: Counts, seeds: range, before: int, call: dict[str, Any], seconds: float) -> dict[str, Any]:
    total = counts.total()
    return {
        "version": 1,
        "playouts": total,
        "complete": total == len(seeds),
        "resumed": before,
        "seeds": [seeds[0], seeds[-1]],
        "bots": list(call["bots"]),
        "results": results(counts),
        "seconds": round(seconds, 6),
        "playouts_per_second": round((total - before) / seconds, 1),
    }
