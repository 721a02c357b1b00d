"""Gives pieces of the seeds to workers and puts together what comes back.

The pieces go out in the order of their seeds, no more at a time than keep all workers busy, so memory does not grow
with the number of matches; they come back in any order. What a lost worker had is given to another one. A fault ends
the run, and it is always the one with the least seed: pieces before it are waited for.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from cardc.package import UsageError
from cardc.simulate.work import Part

MOST = 5000
"""The most matches in a piece."""
LEAST = 20
PATIENCE = 5.0
"""After how many seconds without news the workers are looked after."""
LOSSES = 3
"""How often the workers of one piece may be lost before it is no accident."""


class Fault(Exception):
    """A playout that ended in a fault of the game; the text names the seed and the fault."""


class WorkersLost(Exception):
    """A piece did not come back, as those who had it were lost."""


class Workers(Protocol):
    """Where pieces are played."""

    @property
    def room(self) -> int:
        """How many pieces keep all of them busy."""

    def submit(self, seeds: range) -> Future[Part]:
        """Have a piece played."""

    def result(self, piece: Future[Part]) -> Part:
        """What came of a piece that is done. Raises WorkersLost, UsageError."""

    def trouble(self) -> str | None:
        """Why nothing comes back, if something is wrong, in one line."""

    def close(self) -> None:
        """Let them go; what they still play is not waited for longer than it takes."""


def pieces_of(matches: int, jobs: int) -> int:
    """How many matches to put into a piece."""
    return min(max(matches // (jobs * 50), LEAST), MOST)


def share(
    workers: Workers,
    missing: Iterable[range],
    size: int,
    add: Callable[[Part], None],
    tell: Callable[[str], None],
) -> None:
    """Have all seeds of `missing` played in pieces of at most `size`; each part goes to `add`, and troubles to `tell`.

    Raises Fault, and UsageError where it cannot go on."""
    queue = _Queue(missing, size)
    under_way: dict[Future[Part], range] = {}
    fault: tuple[int, str] | None = None
    losses: Counter[int] = Counter()  # by the first seed of a piece
    told = None
    while True:
        while len(under_way) < workers.room and (piece := queue.next()) is not None:
            under_way[workers.submit(piece)] = piece
        if not under_way:
            break
        done, _ = wait(under_way, PATIENCE, FIRST_COMPLETED)
        if not done and (trouble := workers.trouble()) != told:
            told = trouble
            if trouble is not None:
                tell(trouble)
        for future in sorted(done, key=lambda future: under_way[future].start):
            piece = under_way.pop(future)
            try:
                part = workers.result(future)
            except WorkersLost:
                losses[piece.start] += 1
                if losses[piece.start] >= LOSSES:
                    raise UsageError(_lost(piece)) from None
                queue.put(piece)
                continue
            told = None
            del losses[piece.start]
            add(part)
            if part.fault is None:
                queue.put(range(part.seeds.stop, piece.stop))
            elif fault is None or part.seeds.stop < fault[0]:
                fault = part.seeds.stop, part.fault
        if fault is not None:
            queue.cut(fault[0])
            for future in [future for future, piece in under_way.items() if piece.start > fault[0]]:
                future.cancel()
                del under_way[future]
    if fault is not None:
        raise Fault(f"the match with seed {fault[0]}: {fault[1]}")


def _lost(piece: range) -> str:
    return (
        f"whoever plays the seeds {piece.start} to {piece.stop - 1} is ended from outside, "
        f"{LOSSES} times by now: look whether the memory suffices"
    )


class _Queue:
    """The seeds that are to be given out, least first."""

    def __init__(self, missing: Iterable[range], size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int]] = []
        for seeds in missing:
            self.put(seeds)

    def put(self, seeds: range) -> None:
        if seeds:
            heapq.heappush(self._heap, (seeds.start, seeds.stop))

    def next(self) -> range | None:
        """Take the next piece out."""
        if not self._heap:
            return None
        first, end = heapq.heappop(self._heap)
        stop = min(first + self._size, end)
        self.put(range(stop, end))
        return range(first, stop)

    def cut(self, seed: int) -> None:
        """Forget all seeds from here on."""
        kept = [(first, min(end, seed)) for first, end in self._heap if first < seed]
        heapq.heapify(kept)
        self._heap = kept
