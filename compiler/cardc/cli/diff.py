"""`cardc diff`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardc.cli.options import base_option
from cardc.package import LOCK, MANIFEST, UsageError, find_packages, own_files, read_folder, without_cards

if TYPE_CHECKING:
    from cardc.differ import Side
    from cardc.opening import Files


@click.command("diff")
@click.argument("old")
@click.argument("new", default=".")
@base_option
@click.option("--tests/--no-tests", default=True, show_default=True, help="Run the tests of both versions and compare.")
@click.option(
    "--expansion", "expansions", metavar="DIR", type=click.Path(path_type=Path), multiple=True,
    help="An expansion to try on both versions, besides those inside the folders; may be given again.",
)
@click.option(
    "--breaking",
    "breaking",
    metavar="LEVELS",
    is_flag=False,
    flag_value="decks,expansions",
    help="Exit 1 where something breaks; LEVELS are some of saves,decks,expansions (decks,expansions if not said).",
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def diff_command(
    old: str, new: str, base: Path | None, tests: bool, expansions: tuple[Path, ...], breaking: str | None,
    format_: str,
) -> int:
    """Say what changed from OLD to NEW, and what that breaks.

    Each is a folder of .card files, a built package, or git:REF: the folder of the other one as it was at that
    commit."""
    from cardc.differ import LEVELS, compare, read, saves_break

    levels = [x.strip() for x in (breaking or "").split(",") if x.strip()]
    if wrong := [x for x in levels if x not in LEVELS]:
        raise UsageError(f"--breaking takes {', '.join(LEVELS)}, not {wrong[0]}")
    if old.startswith("git:") and new.startswith("git:"):
        raise UsageError("one of the two is a folder: `cardc diff git:v1 my_game`")
    sides: list[Side] = []
    versions = [_files(old, new), _files(new, old)]
    tried = _expansions(versions[0], expansions) or _expansions(versions[1], expansions)
    for files, folder in versions:
        side = read(files)
        if tests:
            _run(side, files, folder, base, tried)
        sides.append(side)
    changes = compare(*sides)
    saves = saves_break(*sides)
    broken = [c for c in changes if any(b in levels for b in c.breaks)]
    bad = bool(broken) or (saves and "saves" in levels)
    if format_ == "json":
        rows = [{"kind": c.kind, "what": c.what, "text": c.text, "breaks": list(c.breaks)} for c in changes]
        print(json.dumps({"version": 1, "changes": rows, "breaking": len(broken), "saves": saves}, indent=2))
        return int(bad)
    from cardc.display import plural, safe

    for c in changes:
        print(safe(c.line()))
    counts = {kind: sum(c.kind == kind for c in changes) for kind in ("added", "removed", "changed", "reused")}
    said = [f"{n} {kind}" for kind, n in counts.items() if n]
    if outcomes := sum(c.kind == "outcome" for c in changes):
        said.append(plural(outcomes, "outcome"))
    print(", ".join(said) or ("only the text changed" if saves else "nothing changed"))
    if saves:
        print("matches saved with the old version do not load in the new one")
    if broken:
        what = " or ".join(x for x in levels if x != "saves")
        print(f"1 of these breaks {what}" if len(broken) == 1 else f"{len(broken)} of these break {what}")
    return int(bad)


def _files(spec: str, other: str) -> tuple[Files, Path]:
    if spec.startswith("git:"):
        return _at_commit(spec.removeprefix("git:"), Path(other)), Path(other)
    folder = Path(spec)
    if not folder.is_dir():
        raise UsageError(f"no such folder: {spec}; OLD and NEW are folders, built packages or git:REF")
    if (folder / MANIFEST).is_file():
        from cardc.pipeline import unbuilt

        return unbuilt(folder)[0], folder
    files = read_folder(folder)
    if not files:
        raise without_cards(folder)
    return files, folder


def _at_commit(ref: str, folder: Path) -> Files:
    def git(*args: str, given: bytes = b"") -> bytes:
        try:
            run = subprocess.run(["git", "-C", str(folder), *args], input=given, capture_output=True, check=False)
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
    ids: dict[str, bytes] = {}
    for row in git("ls-tree", "-r", "-z", ref, "--", ".").split(b"\0"):
        about, _, path = row.partition(b"\t")
        name = path.decode("utf-8", "replace")
        if about.startswith(b"100") and (name.endswith((".card", ".card.json")) or name == LOCK):
            ids[name] = about.split()[2]
    files = own_files(_blobs(ids, git("cat-file", "--batch", given=b"".join(id + b"\n" for id in ids.values()))))
    if not files:
        raise UsageError(f"git:{ref} has no .card file in {folder}")
    return files


def _blobs(ids: dict[str, bytes], out: bytes) -> Files:
    """The contents of files from what `git cat-file --batch` wrote: for each a line that ends in its size, and it."""
    files: Files = []
    at = 0
    for name in ids:
        end = out.index(b"\n", at)
        size = int(out[at:end].split()[-1])
        files.append((name, out[end + 1 : end + 1 + size]))
        at = end + 1 + size + 1
    return files


def _expansions(version: tuple[Files, Path], named: Sequence[Path]) -> dict[str, Files]:
    """The expansions of a game, by id: those inside its folder, and those that are named."""
    from cardc import nodes as n
    from cardc.opening import parse_files

    files, folder = version
    heads = [u.decl for u in parse_files(files, own=True).units]
    game = next((d.name.text for d in heads if isinstance(d, n.GameDecl)), None)
    if game is None:
        return {}
    inside = [] if (folder / MANIFEST).is_file() else [x for x in find_packages(folder) if x != folder]
    found: dict[str, Files] = {}
    for path in [*inside, *named]:
        own = read_folder(path)
        decls = [u.decl for u in parse_files(own, own=True).units]
        mine = [d.name.text for d in decls if isinstance(d, n.ExpansionDecl) and d.base.text == game]
        if not mine and path in named:
            raise UsageError(f"{path} is no expansion of {game}")
        for name in mine:
            found.setdefault(name, own)
    return found


def _run(side: Side, files: Files, folder: Path, base: Path | None, expansions: dict[str, Files]) -> None:
    """Check a version, run its tests, hold its decks against its rules, and do the same for expansions on it."""
    from cardc import pipeline

    suite = _tests(side, files, pipeline.base_for(folder, files, base))
    if suite is None or not expansions:
        return
    on = files, suite.packages[0][0]
    for name, own in expansions.items():
        there = side.expansions[name] = type(side)()
        _tests(there, own, on)


def _tests(side: Side, files: Files, on: Any) -> Any:
    from cardc.bench import each, run_one
    from cardc.suite import suite_of

    outcome, suite = suite_of(files, on)
    for f in outcome.findings:
        name = f.source.text[f.start : f.end]
        if f.code == "E307":
            side.illegal.setdefault(name, []).append(f.message.split(": ", 1)[-1])
        elif f.code == "E112":
            side.reused[name] = f.message
        if f.severity == "error":
            side.errors.append(f"{f.source.path}:{f.source.line(f.start)}: {f.message}")
    if suite is not None:
        side.tests = {r.title: r.passed for r, _ in each(suite, run_one, suite.numbers(), 1)}
    return suite
