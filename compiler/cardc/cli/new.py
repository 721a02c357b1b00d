"""`cardc new`."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import Any

import click

from cardc.cli.options import PATH, quiet_option
from cardc.cli.output import Output
from cardc.package import MANIFEST, UsageError


@click.command("new")
@click.argument("name")
@click.option(
    "--expansion-of", "base", metavar="PATH", type=PATH,
    help="Begin an expansion of the game in PATH (a folder, or a built game) instead of a game.",
)
@quiet_option
def new_command(name: str, base: Path | None, quiet: bool) -> int:
    """Begin a game in a new folder NAME: a small one that is whole, passes its tests and plays at once.

    NAME may hold spaces, and may be a path. Nothing that is there already is overwritten."""
    from cardc import starter

    output = Output.of(quiet=quiet)
    called = Path(os.path.abspath(name)).name if name and name.isprintable() else ""
    if not called:
        raise UsageError(f"{name!a} is no name for a game: use letters, digits and spaces")
    folder = Path(name)
    id = starter.identifier(called)
    if base is None:
        made = starter.game_files(called)
    else:
        data = _model(base)
        if data["game"]["id"] == id:
            raise UsageError(f"an expansion has a name of its own: {id} is the game it would be for")
        made = starter.expansion_files(called, data)
    _write(folder, made)
    for line in _next_steps(folder, base, made, id):
        if not output.quiet:
            output.say(line)
    return 0


def _model(base: Path) -> dict[str, Any]:
    """The data of the game in `base`. Raises UsageError."""
    from card_runtime.package import contents, read_package

    from cardc import pipeline

    files, _ = pipeline.base_of(base)
    if (base / MANIFEST).is_file():
        built = read_package(base)[1]
    else:
        built = pipeline.package_files(files, pipeline.analyse(files, None))
    model = contents(built)[0]
    if "kinds" not in model:
        raise UsageError(f"{base} is an expansion: name the game that the new one is for")
    return model


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write the files into a new or empty folder, all or none. Raises UsageError."""
    fresh = False
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} exists already: nothing was written")
        fresh = not folder.exists()
        if not fresh and any(folder.iterdir()):
            raise UsageError(f"{folder} exists already and is not empty: nothing was written")
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            with open(folder / path, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        raise UsageError(f"cannot write {folder}: {(error.strerror or type(error).__name__).lower()}") from None


def _next_steps(folder: Path, base: Path | None, files: dict[str, str], id: str) -> list[str]:
    where = shlex.quote(str(folder))
    on = "" if base is None else f" --base {shlex.quote(str(base))}"
    said = {"cards.card": "the cards", "tests.card": "their tests"}
    listed = [f"{path} ({said.get(path, 'the rules' if base is None else 'what it is for')})" for path in sorted(files)]
    what = "a game" if base is None else "an expansion"
    steps = [
        (f"cardc play {where}{on}", "play it"),
        (f"cardc check {where}{on}", "after a change: what is wrong, and where"),
        (f"cardc test {where}{on}", "whether it still does what its tests say"),
    ]
    if base is None:
        steps.append((f"cardc explain {where} banner", "what a card does, and with which rules"))
    room = max(len(step) for step, _ in steps)
    lines = [f"made {id} in {folder}, {what} that is whole: {', '.join(listed)}", "What next:"]
    return [*lines, *(f"  {step:{room}}  {why}" for step, why in steps)]
