"""`cardc diff`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardc.cli.options import base_option
from cardc.package import MANIFEST, UsageError, read_folder

if TYPE_CHECKING:
    from cardc.differ import Side

Files = list[tuple[str, bytes]]


@click.command("diff")
@click.argument("old")
@click.argument("new", default=".")
@base_option
@click.option("--tests/--no-tests", default=True, show_default=True, help="Run the tests of both versions and compare.")
@click.option(
    "--breaking",
    "breaking",
    metavar="LEVELS",
    is_flag=False,
    flag_value="decks,expansions",
    help="Exit 1 where something breaks; LEVELS are some of saves,decks,expansions (decks,expansions if not said).",
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def diff_command(old: str, new: str, base: Path | None, tests: bool, breaking: str | None, format_: str) -> int:
    """Say what changed from OLD to NEW, and what that breaks.

    Each is a folder of .card files, a built package, or git:REF: the folder of the other one as it was at that
    commit."""
    from cardc.differ import LEVELS, compare

    levels = [x.strip() for x in (breaking or "").split(",") if x.strip()]
    if wrong := [x for x in levels if x not in LEVELS]:
        raise UsageError(f"--breaking takes {', '.join(LEVELS)}, not {wrong[0]}")
    if old.startswith("git:") and new.startswith("git:"):
        raise UsageError("one of the two is a folder: `cardc diff git:v1 my_game`")
    sides = [_side(x, other, base, tests) for x, other in ((old, new), (new, old))]
    changes = compare(*sides)
    broken = [c for c in changes if any(b in levels for b in c.breaks)]
    if format_ == "json":
        rows = [{"kind": c.kind, "what": c.what, "text": c.text, "breaks": list(c.breaks)} for c in changes]
        print(json.dumps({"version": 1, "changes": rows, "breaking": len(broken)}, indent=2))
    else:
        from cardc.display import safe

        for c in changes:
            print(safe(c.line()))
        counts = {kind: sum(c.kind == kind for c in changes) for kind in ("added", "removed", "changed", "outcome")}
        said = ", ".join(f"{n} {'outcomes' if k == 'outcome' else k}" for k, n in counts.items() if n)
        print(said or "nothing changed")
        if levels and broken:
            print(f"{len(broken)} break {' or '.join(levels)}")
    return int(bool(broken))


def _side(spec: str, other: str, base: Path | None, tests: bool) -> Side:
    from cardc.differ import read

    files, folder = _files(spec, other)
    side = read(files)
    if tests:
        _run(side, files, folder, base)
    return side


def _files(spec: str, other: str) -> tuple[Files, Path]:
    if spec.startswith("git:"):
        return _at_commit(spec.removeprefix("git:"), Path(other)), Path(other)
    folder = Path(spec)
    if not folder.is_dir():
        raise UsageError(f"no such folder: {spec}; OLD and NEW are folders, built packages or git:REF")
    if (folder / MANIFEST).is_file():
        return _built(folder), folder
    files = read_folder(folder)
    if not files:
        raise UsageError(f"{folder} holds no .card file")
    return files, folder


def _built(folder: Path) -> Files:
    from card_runtime import LoadError
    from card_runtime.package import read_package, sources

    try:
        return sources(read_package(folder)[1])
    except LoadError as e:
        raise UsageError(str(e)) from None


def _at_commit(ref: str, folder: Path) -> Files:
    def git(*args: str) -> bytes:
        try:
            run = subprocess.run(["git", "-C", str(folder), *args], capture_output=True, check=False)
        except OSError:
            raise UsageError("git is not installed, so git:REF cannot be read") from None
        if run.returncode:
            said = run.stderr.decode("utf-8", "replace").strip().splitlines()
            raise UsageError(f"git:{ref} cannot be read: {said[-1] if said else 'git failed'}")
        return run.stdout

    if not folder.is_dir():
        raise UsageError(f"no such folder: {folder}")
    if ref.startswith("-"):
        raise UsageError(f"git:{ref} is no commit")
    names = git("ls-tree", "-r", "-z", "--name-only", ref, "--", ".").decode("utf-8", "replace").split("\0")
    files = [(x, git("show", f"{ref}:./{x}")) for x in names if x.endswith((".card", ".card.json"))]
    if not files:
        raise UsageError(f"git:{ref} has no .card file in {folder}")
    return files


def _run(side: Side, files: Files, folder: Path, base: Path | None) -> None:
    """Run the tests of a version, and its decks against its rules; a version that does not check has no tests to
    run."""
    from cardc import pipeline, testing

    outcome, _, results = testing.run_files(files, pipeline.base_for(folder, files, base))
    side.tests = {r.title: r.passed for r in results}
    for f in outcome.findings:
        if f.code == "E307":
            name = f.source.text[f.start : f.end]
            side.illegal.setdefault(name, []).append(f.message.split(": ", 1)[-1])
