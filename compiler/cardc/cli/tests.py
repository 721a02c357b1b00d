"""`cardc test`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct, field

from cardc.cli.options import (
    PATH,
    base_option,
    format_option,
    path_argument,
    quiet_option,
    strict_option,
    watch_option,
)
from cardc.cli.output import Output, Target, progress, status_of

if TYPE_CHECKING:
    from cardc.opening import Files
    from cardc.pipeline import Outcome
    from cardc.testing import TestResult


class Wanted(Struct, frozen=True):
    """What a call of the command asks for."""

    filter: str | None
    rules: Path | None
    jobs: int
    coverage: bool
    min_coverage: int | None
    mutate: bool
    max_survivors: int
    leaks: bool
    seeds: range
    base: Path | None
    strict: bool

    @property
    def probing(self) -> bool:
        return self.coverage or self.min_coverage is not None or self.mutate


class Ran(Struct):
    """What a run gave: the `results` of all tests asked for by title, `more` fields of the JSON, `lines` to stand below
    the failures, and whether something besides tests is `bad`."""

    outcome: Outcome
    results: list[TestResult]
    more: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    bad: bool = False


_FAULTS = 5
"""How many matches of --leaks that cannot go on are told."""


@click.command("test")
@path_argument()
@click.option("--filter", "filter_", metavar="TEXT", help="Only tests whose title holds TEXT.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
    help="How many processes; 0 is one for each processor. The results do not depend on it.",
)
@click.option("--coverage", is_flag=True, help="Also say which clauses of cards and rules no test reaches.")
@click.option(
    "--min-coverage", type=click.IntRange(0, 100), metavar="N", help="The same, and fail where less than N % are."
)
@click.option("--mutate", is_flag=True, help="Also change one clause at a time, and say which changes no test notices.")
@click.option(
    "--max-survivors", type=click.IntRange(min=0), metavar="N", default=0, show_default=True,
    help="How many changes --mutate lets go unnoticed before it fails.",
)
@click.option(
    "--rules", metavar="RULES.md", type=PATH,
    help="Fail on each rule listed there that no test covers.",
)
@click.option(
    "--leaks", is_flag=True,
    help="Also play random matches, and see at every decision that no player is told what is hidden.",
)
@click.option(
    "--matches", type=click.IntRange(min=1), metavar="N", default=20, show_default=True,
    help="How many matches --leaks plays.",
)
@click.option("--seed", type=int, metavar="N", default=0, help="The seed of the first of them; each has the next one.")
@watch_option
@base_option
@format_option
@strict_option
@quiet_option
def test_command(
    path: Path, filter_: str | None, jobs: int, coverage: bool, min_coverage: int | None, mutate: bool,
    max_survivors: int, rules: Path | None, leaks: bool, matches: int, seed: int, watch: bool, base: Path | None,
    format_: str, strict: bool, quiet: bool,
) -> int:
    """Run the tests of the game or expansion in the folder PATH; with a file, the tests of that file.

    A run without any test fails: it would have shown nothing."""
    output = Output.of(format_, quiet)
    target = Target.of(path)
    wanted = Wanted(
        filter_, rules, jobs, coverage, min_coverage, mutate, max_survivors, leaks, range(seed, seed + matches), base,
        strict,
    )  # fmt: skip
    if not watch:
        return _run(wanted, target, output)
    from cardc.cli.watching import watching

    more = [] if rules is None else [rules]
    return watching(lambda: _run(wanted, target, output), output, target.folder, base, more)


def _run(wanted: Wanted, target: Target, output: Output) -> int:
    from cardc import rules as rulebook
    from cardc import testing
    from cardc.display import safe

    listed = rulebook.rules_of(wanted.rules) if wanted.rules is not None else None
    if wanted.probing or wanted.leaks or wanted.jobs != 1:
        ran = _at_length(wanted, target, output)
    else:
        ran = Ran(*testing.run_tests(target.folder, wanted.base, wanted.filter))
    outcome = ran.outcome
    own = [r for r in ran.results if target.file is None or r.path == target.file]
    findings = target.shown(outcome.findings)
    broken = any(f.severity == "error" for f in outcome.findings)
    if output.format == "json":
        from cardc.formats import json as format_json

        ran.more |= format_json.tests(own, root=target.root)
    bad = status_of(findings, wanted.strict) or broken or not own or any(not r.passed for r in own) or ran.bad
    if listed is not None and not broken:
        covered = {rule for r in ran.results for rule in r.covers}
        missing, unknown = rulebook.uncovered(listed, covered), rulebook.unknown(listed, covered)
        ran.more |= {"uncovered": missing, "unknown_rules": unknown}
        ran.lines += [f"{wanted.rules}: no test covers {rule}: {text}" for rule, text in missing.items()]
        ran.lines += [f"{wanted.rules}: lacks {rule}, which a test covers" for rule in unknown]
        bad = bad or bool(missing or unknown)

    output.findings(findings, target.root, ran.more, own)
    if output.format in ("text", "github"):  # what GitHub does not read as a command stands in its log
        if output.format == "text":
            _print_failures(own, target.root)
        for line in ran.lines:
            print(safe(line))
        if broken:
            print(safe(f"no test was run: {target} has errors"))
        elif not own:
            print(safe(_nothing_ran(outcome.tests, wanted.filter, target)))
        passed = sum(r.passed for r in own)
        print(f"{passed} passed, {len(own) - passed} failed")
    return int(bad)


# ---- Runs that share the work, look at clauses, or play matches


def _at_length(wanted: Wanted, target: Target, output: Output) -> Ran:
    import os

    from cardc.bench import each, run_one
    from cardc.pipeline import prepare
    from cardc.probes import Probes
    from cardc.suite import suite_of

    files, on = prepare(target.folder, wanted.base)
    outcome, suite = suite_of(files, on, Probes() if wanted.probing else None)
    ran = Ran(outcome, [])
    if suite is None:
        return ran
    jobs = wanted.jobs or os.cpu_count() or 1
    quiet = output.quiet or output.format != "text"
    numbers = suite.numbers(wanted.filter)
    with progress(len(numbers), quiet, "tests") as advance:
        seen = each(suite, run_one, numbers, jobs, advance)
    ran.results = [result for result, _ in seen]
    mine = [
        (i, hits)
        for i, (result, hits) in zip(numbers, seen, strict=True)
        if target.file is None or result.path == target.file
    ]
    if wanted.coverage or wanted.min_coverage is not None:
        _cover(ran, wanted, suite, [hits for _, hits in mine], target.root)
    if wanted.mutate:
        _mutate(ran, wanted, suite, mine, jobs, target.root, quiet)
    if wanted.leaks:
        plain = suite_of(files, on)[1] if wanted.probing else suite  # played as it is built, without probes
        assert plain is not None
        report, result = _search(plain.load(), wanted.seeds, quiet, files)
        ran.results.append(result)
        ran.more["leaks"] = report
        if result.passed:
            ran.lines.append(f"{result.title}: nobody is told what is hidden")
    return ran


def _cover(ran: Ran, wanted: Wanted, suite: Any, hits: Sequence[Any], root: str) -> None:
    from cardc import coverage

    found = coverage.coverage(suite.clauses, hits)
    ran.more["coverage"] = coverage.data(found, root)
    ran.lines += coverage.lines(found, root)
    least = wanted.min_coverage
    if least is not None and found.percent < least:
        ran.lines.append(f"that is less than the {least} % asked for")
        ran.bad = True


def _mutate(
    ran: Ran, wanted: Wanted, suite: Any, hits: Sequence[tuple[int, Any]], jobs: int, root: str, quiet: bool
) -> None:
    from cardc import mutation

    if not all(r.passed for r in ran.results):
        ran.lines.append("no clause was changed: tests fail without that")
        ran.bad = True
        return
    with progress(len(mutation.mutants(suite.clauses)), quiet, "mutants") as advance:
        verdicts = mutation.mutate(suite, hits, jobs, advance)
    found = mutation.data(suite.clauses, verdicts, root)
    ran.more["mutation"] = found
    ran.lines += mutation.lines(suite.clauses, verdicts, root)
    survivors = sum(not v.noticed for v in verdicts)
    if survivors > wanted.max_survivors:
        if wanted.max_survivors:
            ran.lines.append(f"that is more than the {wanted.max_survivors} allowed")
        ran.bad = True


def _search(
    game: Any, seeds: range, quiet: bool, files: Files
) -> tuple[dict[str, Any], TestResult]:
    """The swap test (`cardc.leaks`) as data, and as one test, which stands where the package is declared."""
    from time import perf_counter

    from msgspec import to_builtins

    from cardc import leaks
    from cardc.package import UsageError, declared_at
    from cardc.testing import TestResult

    if game.model.deck is not None and not game.model.decklists:
        raise UsageError("--leaks plays with the decks of the game, and it has none: declare a `decklist`")
    started = perf_counter()
    with progress(len(seeds), quiet) as advance:
        report = leaks.search(game, seeds, advance=advance)
    lines = [line for leak in report.leaks for line in leak.lines()]
    lines += [f"the match cannot go on: {fault}" for fault in report.faults[:_FAULTS]]
    if len(report.faults) > _FAULTS:
        lines.append(f"and {len(report.faults) - _FAULTS} more cannot go on")
    path, line = declared_at(files)
    counts = (report.matches, "match", "es"), (report.decisions, "decision", "s"), (report.swaps, "exchange", "s")
    result = TestResult(
        "hidden information: " + ", ".join(f"{n} {word}{'' if n == 1 else s}" for n, word, s in counts),
        path, line, not lines, "\n".join(lines), (), perf_counter() - started,
    )  # fmt: skip
    return to_builtins(report), result


def _nothing_ran(tests: int, filter_: str | None, target: Target) -> str:
    where = target.file or target
    if filter_ is not None and tests:
        return f"no test was run: no title in {where} holds `{filter_}`"
    return f"no test was run: {where} has none, so nothing is shown to work"


def _print_failures(results: Sequence[TestResult], root: str) -> None:
    from cardc.display import safe

    for result in results:
        if not result.passed:
            print(f"failed: {safe(result.title)}")
            print(f"  --> {safe(root + result.path)}:{result.line}")
            place = f"{result.path}:"
            for i, line in enumerate(result.message.splitlines()):
                before = root if i == 0 and line.startswith(place) else ""  # the step, seen from where this runs
                print(f"  {safe(before + line)}".rstrip())
            print()
    sys.stdout.flush()
