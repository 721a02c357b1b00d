"""Changes one clause at a time and sees whether a test notices.

A mutant is a value in the place of a probe's (`cardc.probes`): the code is built once and nothing is written. A clause
is left out, its condition is turned round, or it counts as true always. The tests that reach it run until one fails.
A mutant that never ends comes to a limit, which counts as noticed. All of it depends on the sources alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cardc.bench import Bench, Hits, each
from cardc.display import plural
from cardc.probes import Clause
from cardc.suite import Suite

How: TypeAlias = Literal["left out", "turned round", "without condition"]
State: TypeAlias = Literal["killed", "limit", "survived", "unreached"]

_CHANGES: dict[How, Callable[[Any], bool]] = {
    "left out": lambda value: False,
    "turned round": lambda value: not value,
    "without condition": lambda value: True,
}
_FREE, _TIMES = 10_000, 20
"""How often a test may come to probes while a mutant is at work: so often, and so many times as often as without."""


class Mutant(Struct, frozen=True):
    """`clause` is a number; `probe` the number of the probe whose value is another."""

    clause: int
    how: How

    @property
    def probe(self) -> int:
        return 2 * self.clause + (self.how != "left out")


class Verdict(Struct, frozen=True):
    """What became of a mutant; `tests` ran, and `by` is the one that noticed."""

    mutant: Mutant
    state: State
    tests: int
    by: str | None

    @property
    def noticed(self) -> bool:
        return self.state in ("killed", "limit")


def mutants(clauses: Sequence[Clause]) -> list[Mutant]:
    """All mutants, in the order of the files."""
    out: list[Mutant] = []
    for i in sorted(range(len(clauses)), key=lambda i: (clauses[i].path, clauses[i].line, clauses[i].column)):
        if clauses[i].whole:
            out.append(Mutant(i, "left out"))
        if clauses[i].condition is not None:
            out += [Mutant(i, "turned round"), Mutant(i, "without condition")]
    return out


def reaching(mutant: Mutant, hits: Sequence[tuple[int, Hits]]) -> list[tuple[int, int]]:
    """The tests that a mutant can change, by number, each with how often it may come to probes."""
    out = []
    for number, seen in hits:
        no, yes = seen.get(mutant.probe, (0, 0))
        if no or (yes and mutant.how != "without condition"):
            out.append((number, _FREE + _TIMES * sum(map(sum, seen.values()))))
    return out


def judge(bench: Bench, task: tuple[Mutant, list[tuple[int, int]]]) -> Verdict:
    """Run the tests that reach a mutant until one notices."""
    mutant, tests = task
    probe = bench.probe
    probe.number, probe.change = mutant.probe, _CHANGES[mutant.how]
    try:
        for ran, (number, most) in enumerate(tests, 1):
            title = bench.suite.tests[number].title
            try:
                result = bench.test(number, most)
            except Exception:  # what no game does that was checked, a mutant may
                return Verdict(mutant, "killed", ran, title)
            if not result.passed:
                return Verdict(mutant, "limit" if bench.runner.stopped else "killed", ran, title)
    finally:
        probe.number = -1
    return Verdict(mutant, "survived" if tests else "unreached", len(tests), None)


def mutate(
    suite: Suite, hits: Sequence[tuple[int, Hits]], jobs: int, advance: Callable[[int], None] = lambda more: None
) -> list[Verdict]:
    """Judge all mutants; `hits` has what the probes saw in each test that is to notice them, by its number."""
    tasks = [(m, reaching(m, hits)) for m in mutants(suite.clauses)]
    return each(suite, judge, tasks, jobs, advance)


def lines(clauses: Sequence[Clause], verdicts: Sequence[Verdict], root: str) -> list[str]:
    """A line for each mutant that no test notices, and one with the counts."""
    out = []
    for v in verdicts:
        if not v.noticed:
            c = clauses[v.mutant.clause]
            out.append(f"{root}{c.path}:{c.line}: {survival(c, v)}")
    counts = [(sum(v.state == s for v in verdicts), word) for s, word in _WORDS.items()]
    return [*out, f"{plural(len(verdicts), 'mutant')}: {', '.join(f'{n} {word}' for n, word in counts if n) or 'none'}"]


_WORDS: dict[State, str] = {
    "killed": "noticed by a test", "limit": "came to a limit", "survived": "noticed by none",
    "unreached": "reached by none",
}  # fmt: skip


def survival(clause: Clause, verdict: Verdict) -> str:
    """What a mutant did and that it went unnoticed, in words."""
    text = clause.text if verdict.mutant.how == "left out" else clause.condition
    did = {
        "left out": "can be left out", "turned round": "can be turned round",
        "without condition": "can be taken as true",
    }[verdict.mutant.how]  # fmt: skip
    if not verdict.tests:
        why = "where it is false" if verdict.mutant.how == "without condition" else "it"
        return f"`{text}` {did}: no test reaches {why}"
    return f"`{text}` {did}: none of {plural(verdict.tests, 'test')} notices"


def data(clauses: Sequence[Clause], verdicts: Sequence[Verdict], root: str) -> dict[str, object]:
    """The same for tools, with all mutants."""
    rows = []
    for v in verdicts:
        c = clauses[v.mutant.clause]
        rows.append(
            {
                "file": root + c.path, "line": c.line, "column": c.column, "of": c.of,
                "text": c.text, "condition": c.condition, "change": v.mutant.how, "state": v.state,
                "tests": v.tests, "by": v.by,
            }
        )  # fmt: skip
    return {"mutants": rows, "survivors": sum(not v.noticed for v in verdicts)}
