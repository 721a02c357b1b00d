"""`cardc lint`."""

from __future__ import annotations

from pathlib import Path

import click

from cardc.cli.options import base_option, format_option, path_argument, quiet_option, strict_option
from cardc.cli.output import Output, Target, name_of, status_of


@click.command("lint")
@path_argument()
@base_option
@format_option
@strict_option
@quiet_option
def lint_command(path: Path, base: Path | None, format_: str, strict: bool, quiet: bool) -> int:
    """Say what is wrong, and what is probably not meant, in the game or expansion in the folder PATH.

    `lint { … }` in the package says which rules hold and how they are told; `cardc explain` lists them. With a file,
    its package is looked at, and the findings of that file are shown."""
    output = Output.of(format_, quiet)
    target = Target.of(path)
    from cardc import pipeline
    from cardc.formats.text import count

    outcome = pipeline.lint(target.folder, base)
    findings = target.shown(outcome.findings)
    output.findings(findings, target.root)
    if not findings:
        what = f"{count(outcome.cards, 'card')}, {count(outcome.tests, 'test')}"
        output.tell(f"linted {target.file or name_of(outcome, target.folder)}: {what}, no findings")
    return status_of(findings, strict)
