"""`cardc check` and `cardc build`."""

from __future__ import annotations

from pathlib import Path

import click

from cardc.cli.looking import Looking
from cardc.cli.options import (
    PATH,
    base_option,
    fix_options,
    format_option,
    path_argument,
    quiet_option,
    strict_option,
    watch_option,
)
from cardc.cli.output import Output, Target, name_of, status_of


@click.command("check")
@path_argument()
@fix_options
@watch_option
@base_option
@format_option
@strict_option
@quiet_option
def check_command(
    path: Path, fix: bool, unsafe_fixes: bool, watch: bool, base: Path | None, format_: str, strict: bool, quiet: bool
) -> int:
    """Say what is wrong with the game or expansion in the folder PATH, and write nothing but fixes asked for.

    With a file, its package is checked, and the findings of that file are shown."""
    output = Output.of(format_, quiet)
    looking = Looking(Target.of(path), base, False, fix, unsafe_fixes, strict)
    return looking.watch(output) if watch else looking.run(output)


@click.command("build")
@path_argument()
@click.option(
    "-o", "--out", metavar="DIR", type=PATH, help="Where to; build/<game id> if not said."
)
@base_option
@format_option
@strict_option
@quiet_option
def build_command(
    path: Path, out: Path | None, base: Path | None, format_: str, strict: bool, quiet: bool
) -> int:
    """Build the game or expansion in the folder PATH; it is written whole, and only without errors.

    With a file, its package is built, and the findings of that file are shown."""
    output = Output.of(format_, quiet)
    target = Target.of(path)
    from cardc import pipeline
    from cardc.display import plural

    outcome, where = pipeline.build(target.folder, out, base)
    findings = target.shown(outcome.findings)
    failed = any(f.severity == "error" for f in outcome.findings)
    output.findings(findings, target.root, {"package": None if failed else where.as_posix()})
    if failed:
        if elsewhere := target.elsewhere(outcome.findings):
            output.say(elsewhere)
        output.tell("nothing was built")
        return 1
    name = name_of(outcome, target.folder)
    if outcome.fresh:
        output.tell(f"nothing changed: {name} in {where}")
    else:
        what = f"{plural(outcome.cards, 'card')}, {plural(outcome.tests, 'test')}"
        output.tell(f"built {name}: {what} in {where}")
    return status_of(findings, strict)
