"""The counts of a run, with the seeds they are of; and the file that keeps them over a stop."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from cardc.display import clip
from cardc.interrupts import held
from cardc.package import UsageError, write_file
from cardc.simulate.work import Counts, Part

FORMAT = 1
EVERY = 1.0
"""How many seconds of work a kill may cost."""


class Tally:
    """Counts, and which seeds are in them: ranges without overlaps, sorted, as few as can be."""

    def __init__(self, counts: Counts | None = None, done: list[range] | None = None) -> None:
        self.counts: Counts = Counter() if counts is None else counts
        self.done: list[range] = [] if done is None else done

    @property
    def total(self) -> int:
        return sum(len(seeds) for seeds in self.done)

    def add(self, part: Part) -> None:
        """Count a part; none of its seeds was counted before."""
        self.counts.update(part.counts)
        if not part.seeds:
            return
        merged: list[range] = []
        for seeds in sorted([*self.done, part.seeds], key=lambda seeds: seeds.start):
            if merged and merged[-1].stop == seeds.start:
                merged[-1] = range(merged[-1].start, seeds.stop)
            else:
                merged.append(seeds)
        self.done = merged

    def missing(self, seeds: range) -> Iterator[range]:
        """The ranges of `seeds` that are not counted, in order."""
        at = seeds.start
        for done in self.done:
            if at < done.start:
                yield range(at, done.start)
            at = done.stop
        if at < seeds.stop:
            yield range(at, seeds.stop)


class Kept:
    """A tally with its file, if it is to have one. `about` says of which matches it is."""

    def __init__(self, path: Path | None, tally: Tally, about: Mapping[str, Any]) -> None:
        self.path = path
        self.tally = tally
        self._about = about
        self._written = monotonic()

    def add(self, part: Part) -> None:
        """Count a part, and write the file if it has become old."""
        with held():  # Counts without their seeds would be counted twice.
            self.tally.add(part)
        if monotonic() - self._written >= EVERY:
            self.write()

    def write(self) -> None:
        """Write the file, whole or not at all: whatever ends this process, the last one or this one is there.

        Raises UsageError."""
        if self.path is None:
            return
        document = {
            "version": FORMAT,
            **self._about,
            "done": [[seeds.start, seeds.stop] for seeds in self.tally.done],
            "results": results(self.tally.counts),
        }
        with held():
            write_file(self.path, (json.dumps(document, indent=1) + "\n").encode())
        self._written = monotonic()


def take_up(path: Path | None, about: Mapping[str, Any], seeds: range) -> Kept:
    """Go on with what a file keeps, or begin one. Raises UsageError where it is of other matches than these, or cannot
    be read or written."""
    if path is None:
        return Kept(None, Tally(), about)
    if path.exists() and not path.is_file():  # a device may have no end
        raise UsageError(f"cannot read {path}: not a regular file")
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        kept = Kept(path, Tally(), about)
        kept.write()  # What cannot be written is told now, not after an hour.
        return kept
    except OSError as error:
        raise UsageError(f"cannot read {path}: {(error.strerror or type(error).__name__).lower()}") from None
    try:
        document = json.loads(text)
        tally = _read(document)
    except (ValueError, TypeError, LookupError, RecursionError):
        raise UsageError(f"{path} holds no results of `cardc sim`: name another file") from None
    other = _other(document, about)
    done = tally.done
    if other is None and done and not (seeds.start <= done[0].start and done[-1].stop <= seeds.stop):
        other = f"the seeds {done[0].start} to {done[-1].stop - 1}, not only of {seeds.start} to {seeds.stop - 1}"
    if other is not None:
        raise UsageError(f"{path} holds results of {other}: name another file, or remove it to begin again")
    kept = Kept(path, tally, about)
    kept.write()
    return kept


def results(counts: Counts) -> list[dict[str, Any]]:
    """The counts as data: by seat, ties last, by number, then by reason."""
    return [{"winner": w, "reason": reason, "count": n} for (w, reason), n in ordered(counts)]


def ordered(counts: Counts) -> list[tuple[tuple[int | None, str], int]]:
    """The results: by seat, ties last, by number, then by reason."""
    return sorted(counts.items(), key=lambda item: (item[0][0] is None, item[0][0] or 0, -item[1], item[0][1]))


def _read(document: Any) -> Tally:
    """The tally of a file. Raises ValueError, TypeError or LookupError where it is none."""
    if document["version"] != FORMAT:
        raise ValueError
    counts: Counts = Counter()
    for entry in document["results"]:
        winner, reason, number = entry["winner"], entry["reason"], entry["count"]
        if not (winner is None or _whole(winner)) or not isinstance(reason, str) or not _whole(number) or number < 1:
            raise ValueError
        counts[winner, reason] += number
    done: list[range] = []
    for first, end in document["done"]:
        if not (_whole(first) and _whole(end) and first < end) or (done and first <= done[-1].stop):
            raise ValueError
        done.append(range(first, end))
    tally = Tally(counts, done)
    if tally.total != counts.total():
        raise ValueError
    return tally


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _other(document: Mapping[str, Any], about: Mapping[str, Any]) -> str | None:
    """Of what a file is instead, in words, or None."""
    if document.get("game") != about["game"]:
        return f"another game ({document.get('title')})"
    if document.get("build") != about["build"]:
        return f"another build of {about['title']}"
    if document.get("cardc") != about["cardc"]:
        return f"cardc {document.get('cardc')}, and this is {about['cardc']}"
    settings = document.get("settings")
    for name, value in about["settings"].items():
        found = settings.get(name) if isinstance(settings, dict) else None
        if found != value:
            there, here = (clip(json.dumps(setting), 60) for setting in (found, value))
            return f"matches with other {name} ({there}, not {here})"
    return None
