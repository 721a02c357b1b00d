"""`cardc test`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardc.cli.options import base_option, format_option, path_argument, quiet_option, strict_option
from cardc.cli.output import Output, Target, status_of

if TYPE_CHECKING:
    from cardc.testing import TestResult


@click.command("test")
@path_argument()
@click.option("--filter", "filter_", metavar="TEXT", help="Only tests whose title holds TEXT.")
@click.option(
    "--rules", metavar="RULES.md", type=click.Path(path_type=Path),
    help="Fail on each rule listed there that no test covers.",
)
@base_option
@format_option
@strict_option
@quiet_option
def test_command(
    path: Path, filter_: str | None, rules: Path | None, base: Path | None, format_: str, strict: bool, quiet: bool
) -> int:
    """Run the tests of the game or expansion in the folder PATH; with a file, the tests of that file.

    A run without any test fails: it would have shown nothing."""
    output = Output.of(format_, quiet)
    target = Target.of(path)
    from cardc import rules as rulebook
    from cardc import testing

    listed = rulebook.rules_of(rules) if rules is not None else None
    outcome, all_results = testing.run_tests(target.folder, base, filter_)
    results = [r for r in all_results if target.file is None or r.path == target.file]
    findings = target.shown(outcome.findings)
    more: dict[str, Any] = {}
    if format_ == "json":
        from cardc.formats import json as format_json

        more = format_json.tests(results, root=target.root)
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
        if broken:
            output.say(f"no test was run: {target.folder} has errors")
        elif not results:
            output.say(_nothing_ran(outcome.tests, filter_, target))
        passed = sum(r.passed for r in results)
        print(f"{passed} passed, {len(results) - passed} failed")
    return int(bad)


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
