"""Runs the tests of a suite with probes, here or shared among processes.

Results come in the order of what is asked for, and are the same for any number of processes: a test begins afresh, and
what its probes saw is kept by test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from card_runtime.errors import Overrun

from cardc.interrupts import let_go, not_inherited
from cardc.suite import Suite
from cardc.testing import Runner, TestResult

Hits: TypeAlias = dict[int, list[int]]
"""By number of a probe, how often it was false and how often true."""
Item = TypeVar("Item")
Result = TypeVar("Result")


class Probe:
    """What the probes in the code call: counts, and puts another value in the place of one, if it is told so."""

    def __init__(self) -> None:
        self.hits: Hits = {}
        self.calls = 0
        self.most: int | None = None
        self.number = -1
        self.change: Callable[[Any], Any] = bool

    def begin(self, most: int | None = None) -> None:
        """A test begins; it may call this `most` times."""
        self.hits, self.calls, self.most = {}, 0, most

    def see(self, number: int, value: Any) -> Any:
        self.calls += 1
        if self.most is not None and self.calls > self.most:
            raise Overrun("the clauses of cards are read again and again")
        if number == self.number:
            value = self.change(value)
        seen = self.hits.get(number)
        if seen is None:
            seen = self.hits[number] = [0, 0]
        seen[1 if value else 0] += 1
        return value


class Bench:
    """A suite that is loaded in this process."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        game = suite.load()
        self.probe = Probe()
        game.code["probe"] = self.probe.see
        self.runner = Runner(game, suite.owned)

    def test(self, number: int, most: int | None = None) -> TestResult:
        self.probe.begin(most)
        return self.runner.run(self.suite.tests[number])


def run_one(bench: Bench, number: int) -> tuple[TestResult, Hits]:
    """Run one test: its result, and what the probes saw."""
    result = bench.test(number)
    return result, bench.probe.hits


_bench: Bench | None = None


def each(
    suite: Suite, work: Callable[[Bench, Item], Result], items: Sequence[Item], jobs: int,
    advance: Callable[[int], None] = lambda more: None,
) -> list[Result]:
    """`work` on each item, in `jobs` processes; a function of a module, as it may be called in another process."""
    out: list[Result] = []
    if jobs <= 1 or len(items) <= 1:
        bench = Bench(suite)
        for item in items:
            out.append(work(bench, item))
            advance(1)
        return out
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(min(jobs, len(items)), get_context("spawn"), _begin, (suite,))
    try:
        size = max(1, len(items) // (jobs * 8))
        with not_inherited():
            results = pool.map(_work, [(work, item) for item in items], chunksize=size)
        for result in results:
            out.append(result)
            advance(1)
    finally:
        let_go(pool)
    return out


def _begin(suite: Suite) -> None:
    import signal

    global _bench
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that shares the work ends it.
    _bench = Bench(suite)


def _work(call: tuple[Callable[[Bench, Any], Any], Any]) -> Any:
    assert _bench is not None
    return call[0](_bench, call[1])
