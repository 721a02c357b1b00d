"""`cardc ast`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardc.cli.options import PATH
from cardc.cli.output import in_colour, page_width
from cardc.package import UsageError, read_file


@click.command("ast")
@click.argument("file", type=PATH)
def ast_command(file: Path) -> int:
    """Write the syntax tree of a .card file as JSON, as card_grammar/ast.schema.json describes it.

    What cannot be read is left out of the tree, and told on standard error."""
    from cardc.ast_json import to_json
    from cardc.formats import text
    from cardc.json_text import write
    from cardc.parse import parse_file
    from cardc.read import decode

    if file.is_dir():
        raise UsageError(f"{file} is a folder: name a .card file")
    source, findings = decode(file.as_posix(), read_file(file))
    if source is not None:
        declarations, more = parse_file(source)
        findings = [*findings, *more]
        tree = to_json(declarations, source)
        print(write(tree))
    if findings:
        sys.stderr.write(text.render(findings, colour=in_colour() and sys.stderr.isatty(), columns=page_width()))
        print(text.summary(findings), file=sys.stderr)
    return int(any(f.severity == "error" for f in findings))
