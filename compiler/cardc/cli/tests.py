"""`cardc test`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardc.cli.options import base_option, format_option, path_argument, quiet_option, strict_option
from cardc.cli.output import Output, Target, progress, status_of

if TYPE_CHECKING:
    from cardc.testing import TestResult


@click.command("test")
@path_argument()
@click.option("--filter", "filter_", metavar="TEXT", help="Only tests whose title holds TEXT.")
@click.option(
    "--rules", metavar="RULES.md", type=click.Path(path_type=Path),
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
@base_option
@format_option
@strict_option
@quiet_option
def test_command(
    path: Path, filter_: str | None, rules: Path | None, leaks: bool, matches: int, seed: int, base: Path | None,
    format_: str, strict: bool, quiet: bool,
) -> int:
    """Run the tests of the game or expansion in the folder PATH; with a file, the tests of that file.

    A run without any test fails: it would have shown nothing."""
    output = Output.of(format_, quiet)
    target = Target.of(path)
    from cardc import rules as rulebook
    from cardc import testing

    listed = rulebook.rules_of(rules) if rules is not None else None
    game: Any = None
    if leaks:
        from cardc.pipeline import prepare

        files, on = prepare(target.folder, base)
        outcome, game, all_results = testing.run_files(files, on, filter_)
    else:
        outcome, all_results = testing.run_tests(target.folder, base, filter_)
    results = [r for r in all_results if target.file is None or r.path == target.file]
    findings = target.shown(outcome.findings)
    more: dict[str, Any] = {}
    if game is not None:
        report, result = _search(game, range(seed, seed + matches), output.quiet or format_ != "text", files)
        results.append(result)
        more["leaks"] = report
    if format_ == "json":
        from cardc.formats import json as format_json

        more |= format_json.tests(results, root=target.root)
    broken = any(f.severity == "error" for f in outcome.findings)
    bad = status_of(findings, strict) or broken or not results or any(not r.passed for r in results)

    missing: dict[str, str] = {}
    unknown: list[str] = []
    if listed is not None and not broken:
        covered = {rule for r in all_results for rule in r.covers}
        missing, unknown = rulebook.uncovered(listed, covered), rulebook.unknown(listed, covered)
        more |= {"uncovered": missing, "unknown_rules": unknown}
        bad = bad or bool(missing or unknown)

    output.findings(findings, target.root, more, results)
    if format_ == "text":
        _print_failures(results, target.root)
        for rule, text in missing.items():
            output.say(f"{rules}: no test covers {rule}: {text}")
        for rule in unknown:
            output.say(f"{rules}: lacks {rule}, which a test covers")
        if game is not None and results[-1].passed:
            output.say(f"{results[-1].title}: nobody is told what is hidden")
        if broken:
            output.say(f"no test was run: {target.folder} has errors")
        elif not results:
            output.say(_nothing_ran(outcome.tests, filter_, target))
        passed = sum(r.passed for r in results)
        print(f"{passed} passed, {len(results) - passed} failed")
    return int(bad)


def _search(
    game: Any, seeds: range, quiet: bool, files: Sequence[tuple[str, bytes]]
) -> tuple[dict[str, Any], TestResult]:
    """The swap test (`cardc.leaks`) as data, and as one test, which stands where the package is declared."""
    from dataclasses import asdict
    from time import perf_counter

    from cardc import leaks
    from cardc.package import declared_at
    from cardc.testing import TestResult

    started = perf_counter()
    with progress(len(seeds), quiet) as advance:
        report = leaks.search(game, seeds, advance=advance)
    lines = [line for leak in report.leaks for line in leak.lines()]
    lines += [f"the match cannot go on: {fault}" for fault in report.faults]
    path, line = declared_at(files)
    counts = (report.matches, "match", "es"), (report.decisions, "decision", "s"), (report.swaps, "exchange", "s")
    result = TestResult(
        "hidden information: " + ", ".join(f"{n} {word}{'' if n == 1 else s}" for n, word, s in counts),
        path, line, not lines, "\n".join(lines), (), perf_counter() - started,
    )  # fmt: skip
    return asdict(report), result


def _nothing_ran(tests: int, filter_: str | None, target: Target) -> str:
    where = target.file or str(target.folder)
    if filter_ is not None and tests:
        return f"no test was run: no title in {where} holds `{filter_}`"
    return f"no test was run: {where} has none, so nothing is shown to work"


def _print_failures(results: Sequence[TestResult], root: str) -> None:
    from cardc.display import safe

    for result in results:
        if not result.passed:
            print(f"failed: {safe(result.title)}")
            print(f"  --> {safe(root + result.path)}:{result.line}")
            for line in result.message.splitlines():
                print(f"  {safe(line)}".rstrip())
            print()
    sys.stdout.flush()
