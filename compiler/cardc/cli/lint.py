"""`cardc lint`."""

from __future__ import annotations

from pathlib import Path

import click

from cardc.cli import looking as looking_at
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
from cardc.cli.output import Output, Target
from cardc.package import UsageError


@click.command("lint")
@path_argument()
@fix_options
@click.option("--baseline", metavar="FILE", type=PATH, help="Leave out what stands in this file; tell what has gone.")
@click.option("--write-baseline", metavar="FILE", type=PATH, help="Write what is found to this file, and fail no more.")
@watch_option
@base_option
@format_option
@strict_option
@quiet_option
def lint_command(
    path: Path, fix: bool, unsafe_fixes: bool, baseline: Path | None, write_baseline: Path | None, watch: bool,
    base: Path | None, format_: str, strict: bool, quiet: bool,
) -> int:  # fmt: skip
    """Say what is wrong, and what is probably not meant, in the game or expansion in the folder PATH.

    `lint { … }` in the package says which rules hold and how they are told; `cardc explain` lists them. With a file,
    its package is looked at, and the findings of that file are shown."""
    output = Output.of(format_, quiet)
    looking = Looking(Target.of(path), base, True, fix, unsafe_fixes, strict, baseline)
    if write_baseline is None:
        return looking.watch(output) if watch else looking.run(output)
    if baseline is not None or fix or unsafe_fixes or watch:
        raise UsageError("--write-baseline stands alone: it writes all that is found")
    return looking_at.write_baseline(looking, write_baseline, output)
