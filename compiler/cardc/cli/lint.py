"""`cardc lint`."""

from __future__ import annotations

from pathlib import Path

import click

from cardc.cli.looking import Looking
from cardc.cli.options import base_option, fix_options, format_option, path_argument, quiet_option, strict_option
from cardc.cli.output import Output, Target


@click.command("lint")
@path_argument()
@fix_options
@base_option
@format_option
@strict_option
@quiet_option
def lint_command(
    path: Path, fix: bool, unsafe_fixes: bool, base: Path | None, format_: str, strict: bool, quiet: bool
) -> int:
    """Say what is wrong, and what is probably not meant, in the game or expansion in the folder PATH.

    `lint { … }` in the package says which rules hold and how they are told; `cardc explain` lists them. With a file,
    its package is looked at, and the findings of that file are shown."""
    output = Output.of(format_, quiet)
    return Looking(Target.of(path), base, True, fix, unsafe_fixes, strict).run(output)
