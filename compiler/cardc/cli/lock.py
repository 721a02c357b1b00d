"""`cardc lock`."""

from __future__ import annotations

from pathlib import Path

import click

from cardc.cli.options import base_option, format_option, path_argument, quiet_option
from cardc.cli.output import Output, Target, status_of
from cardc.package import LOCK, write_file


@click.command("lock")
@path_argument()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where the file lacks what is released now.")
@base_option
@format_option
@quiet_option
def lock_command(path: Path, check: bool, base: Path | None, format_: str, quiet: bool) -> int:
    """Keep the ids of the cards and kinds in PATH for ever: write them into its file ids.lock.

    Call it with each release. From then on an id that is used for something else is a finding, for a card that is gone
    too."""
    output = Output.of(format_, quiet)
    target = Target.of(path)
    from cardc.idlock import locked, read_lock
    from cardc.pipeline import analyse, prepare
    from cardc.source import Source

    files, on = prepare(target.folder, base)
    checked = analyse(files, on)
    where = target.folder / LOCK
    if status_of(checked.findings, False):
        output.findings(checked.findings, target.root)
        output.tell("no id was released")
        return 1
    before = dict(files).get(LOCK, b"")
    old = read_lock(Source(LOCK, before.decode("utf-8-sig")))[0]
    text = locked(old, checked.units)
    new = read_lock(Source(LOCK, text))[0]
    added = [id for id in new if id not in old]
    gone = [id for id, entry in new.items() if entry.gone and not old[id].gone]
    same = text.encode() == before
    if not (check or same):
        write_file(where, text.encode())
    output.findings((), target.root, {"added": added, "gone": gone, "written": not (check or same)})
    if same:
        output.tell(f"nothing changed: {len(new)} ids in {where}")
        return 0
    say = output.say if check else output.note  # what is not up to date is what was asked for
    for id in added:
        say(f"released {new[id].text().strip()}")
    for id in gone:
        say(f"gone {old[id].text().strip()}")
    if check:
        output.say(f"{where} is not up to date: `cardc lock {target.folder}` writes it")
        return 1
    output.tell(f"wrote {len(new)} ids to {where}")
    return 0
