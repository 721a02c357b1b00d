"""`cardc import`."""

from __future__ import annotations

from pathlib import Path

import click

from cardc.cli.options import PATH, base_option, format_option, quiet_option, strict_option
from cardc.cli.output import Output, status_of
from cardc.package import read_file, write_file


@click.command("import")
@click.argument("table", type=PATH)
@click.option(
    "--for",
    "folder",
    metavar="DIR",
    type=PATH,
    required=True,
    help="The game or expansion that gets the cards.",
)
@click.option(
    "--map",
    "mapping",
    metavar="FILE",
    type=PATH,
    required=True,
    help="What the columns mean (TOML).",
)
@click.option("--check", is_flag=True, help="Write nothing; fail if something would be written.")
@base_option
@format_option
@strict_option
@quiet_option
def import_command(
    table: Path, folder: Path, mapping: Path, check: bool, base: Path | None, format_: str, strict: bool, quiet: bool
) -> int:
    """Write cards from TABLE, which is delimited text (CSV, TSV, `;`) or JSON, into a .card file.

    The mapping says which column is what:

    \b
        [cards]
        file = "cards.card"
        id = { column = "Number", prefix = "c", digits = 3, pad = true }
        title = "Name"
        kind = { column = "Type", words = { Creature = "creature" } }
        [fields]
        cost = "Cost"
        keywords = { column = "Words", letters = { G = "guard", "-" = "" } }

    `cardc explain E701` lists all keys. The file is written whole, and only without errors. Cards whose row has not
    changed stay as they are, with all that was added by hand."""
    output = Output.of(format_, quiet)
    from cardc import pipeline
    from cardc.display import plural
    from cardc.importer.run import Given, import_table

    given = [Given(p.as_posix(), p.name, read_file(p)) for p in (table, mapping)]
    files, on = pipeline.prepare(folder, base)
    root = folder.as_posix().rstrip("/") + "/" if folder != Path() else ""
    done = import_table(given[0], given[1], files, on, root)
    path = folder / done.path
    changes = done.text is not None and done.text != done.old
    more = {"file": path.as_posix() if done.text is not None else None, "new": done.new, "changed": done.changed}
    output.findings(done.findings, "", {**more, "dropped": done.dropped})
    if done.text is None:
        output.tell("nothing was imported")
        return 1
    what = [f"{len(done.new)} new"] * bool(done.new) + [f"{len(done.changed)} changed"] * bool(done.changed)
    if done.dropped:
        shown = ", ".join(done.dropped[:5]) + (", …" if len(done.dropped) > 5 else "")
        what.append(f"{len(done.dropped)} without a row dropped ({shown})")
    if done.elsewhere:
        output.say(f"{plural(done.elsewhere, 'error')} in other files of {folder}")
    if not changes:
        output.tell(f"nothing changed: {plural(done.cards, 'card')} in {path}")
        return status_of(done.findings, strict)
    if check:
        output.say(f"{path} is not what {table} gives: {', '.join(what) or 'another order'}")
        return 1
    assert done.text is not None
    write_file(path, done.text.encode())
    output.tell(f"imported {plural(done.cards, 'card')} into {path}: {', '.join(what) or 'another order'}")
    return status_of(done.findings, strict)
