"""From folders of `.card` files to checked and built packages: chains the passes for the command line, tests and
editors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from card_runtime.collector import paused
from msgspec import Struct

from cardc.findings import Finding
from cardc.package import (
    MANIFEST,
    UsageError,
    declares_game,
    game_around,
    manifest,
    read_tree,
    without_cards,
    write_file,
)

if TYPE_CHECKING:
    from cardc.check import Work
    from cardc.fixing import Fixed
    from cardc.ir import Program
    from cardc.lint_settings import Settings
    from cardc.opening import Base, Files
    from cardc.package import Tree
    from cardc.probes import Probes
    from cardc.suppress import Suppression
    from cardc.symbols import Symbols, Unit


InMemory: TypeAlias = tuple[dict[str, Any], dict[str, bytes], Path]
"""A package as `Game` takes it: its identity, its files, and where they lie."""


class Outcome(Struct, frozen=True):
    """What a run over a package gave: its findings in source order, its files if there was no error, and counts."""

    findings: tuple[Finding, ...]
    files: Mapping[str, bytes] | None
    sources: int
    cards: int
    tests: int
    fresh: bool
    title: str = ""
    version: str = ""
    settings: Settings | None = None


class Checked(Struct, frozen=True):
    """A package after its passes; `program` is None where an error stands in the way.

    `work` is all elaborated code, that of the game it builds on too; `settings` are those of `lint { … }`,
    `suppressions` those of `// lint off`."""

    findings: tuple[Finding, ...]
    symbols: Symbols | None
    program: Program | None
    units: list[Unit]
    identity: dict[str, Any]
    work: Work | None = None
    settings: Settings | None = None
    suppressions: tuple[Suppression, ...] = ()


def _read(folder: Path) -> Files:
    return read_sources(folder)[0]


def read_sources(folder: Path) -> tuple[Files, Tree]:
    """The files of a package, and how they lie on disk. Raises UsageError."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder" if folder.exists() else f"{folder} does not exist")
    files, tree = read_tree(folder)
    if not files:
        raise without_cards(folder)
    return files, tree


def unbuilt(package: Path) -> Base:
    """The sources that a built package holds, and its identity. Raises UsageError."""
    from card_runtime import LoadError
    from card_runtime.package import read_package, sources

    try:
        found, files = read_package(package)
    except LoadError as e:
        raise UsageError(str(e)) from None
    return sources(files), found


def base_of(base: Path) -> Base:
    """The sources of the game that an expansion builds on, from a built package or a folder of sources."""
    if (base / MANIFEST).is_file():
        return unbuilt(base)
    files_ = _read(base)
    checked = analyse(files_, None)
    if checked.program is None or checked.symbols is None:
        raise UsageError(f"the base game in {base} has errors: check it first")
    built = json.loads(package_files(files_, checked)[MANIFEST])
    return files_, {**built["identity"], "build": build_digest(built["files"])}


def build_digest(files: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def analyse(files: Files, base: Base | None, probes: Probes | None = None) -> Checked:
    """Run all passes over the files of a package; with `probes`, the code is for a run of tests that looks at its
    clauses. Nothing is read or written."""
    from card_runtime.depth import deep

    from cardc.check import Checker
    from cardc.opening import check_released, open_package
    from cardc.report import Report
    from cardc.suppress import hidden, read_suppressions

    opened = open_package(files, base)
    units = opened.parsed.units
    if opened.stopped:
        return Checked(tuple(opened.parsed.findings), None, None, units, opened.identity)
    report = Report(frozenset(opened.parsed.broken))
    report.extend(opened.parsed.findings)
    check_released(files, units, report)
    with deep():
        checker = Checker([*opened.base_units, *units], report, probes)
        program: Program | None = checker.run()
    found = report.findings()
    suppressions: tuple[Suppression, ...] = ()
    if not any(f.severity == "error" for f in found):
        held, wrong = read_suppressions(dict.fromkeys(u.source for u in units))
        suppressions = tuple(held)
        found = [*hidden(found, held, lambda code: code.startswith("W")), *wrong]
    found = sorted(checker.settings.told(found), key=Finding.key)
    errors = any(f.severity == "error" for f in found)
    program = None if errors and not probes else program
    identity = opened.identity
    return Checked(tuple(found), checker.s, program, units, identity, checker.work, checker.settings, suppressions)


def package_files(files: Files, checked: Checked) -> dict[str, bytes]:
    """The files of the built package: the same bytes from the same sources."""
    from card_runtime.depth import deep

    with deep():
        return _package_files(files, checked)


def _package_files(files: Files, checked: Checked) -> dict[str, bytes]:
    from cardc.emit.module import emit
    from cardc.model_data import frame_files, spread_data
    from cardc.opening import head_of
    from cardc.parts import SourceFile, cut, part_files, paths_of

    assert checked.symbols is not None and checked.program is not None
    out: dict[str, bytes] = {}
    modules = {module.path: module for module in emit(checked.symbols, checked.program)}
    data = spread_data(checked.symbols, checked.program)
    for i, part in enumerate(cut(SourceFile.of(path, content) for path, content in files)):
        out.update(zip(paths_of(i), part_files(part.contents(), modules, data), strict=True))
    out |= frame_files(checked.symbols, checked.program, checked.identity["title"], head_of(checked.units))
    out[MANIFEST] = manifest(out, checked.identity)
    return out


def _count(checked: Checked, kind: type) -> int:
    return sum(isinstance(u.decl, kind) for u in checked.units)


def _tests(checked: Checked) -> int:
    from cardc import nodes as n
    from cardc.opening import rows

    return sum(rows(u.decl) for u in checked.units if isinstance(u.decl, n.TestDecl))


def outcome_of(files: Files, checked: Checked, built: Mapping[str, bytes] | None) -> Outcome:
    from cardc import nodes as n

    return Outcome(
        checked.findings,
        built,
        len(files),
        _count(checked, n.CardDecl),
        _tests(checked),
        False,
        checked.identity.get("title", ""),
        checked.identity.get("version", ""),
        checked.settings,
    )


def prepare(folder: Path, base: Path | None) -> tuple[Files, Base | None]:
    """The files of the package and of the game it builds on."""
    files = _read(folder)
    return files, base_for(folder, files, base)


def base_for(folder: Path, files: Files, base: Path | None) -> Base | None:
    """The sources and the identity of the game that an expansion builds on, None for a game."""
    game = declares_game(files)
    if base is None and not game:
        base = game_around(folder)
    elif base is not None and game:
        raise UsageError(f"{folder} is a game: --base is for expansions")
    return None if base is None else base_of(base)


def in_memory(built: Mapping[str, bytes], on: Base | None) -> list[InMemory]:
    """A package as `Game` takes it, without a folder; after the game that it builds on, if it does."""
    packages = [_in_memory(built)]
    if on is not None:
        files, identity = on
        base, content, where = _in_memory(package_files(files, analyse(files, None)))
        packages.insert(0, ({**base, "build": identity["build"]}, content, where))
    return packages


def _in_memory(built: Mapping[str, bytes]) -> InMemory:
    doc = json.loads(built[MANIFEST])
    return {**doc["identity"], "build": build_digest(doc["files"])}, dict(built), Path("/nonexistent")


def built_whole(files: Files, on: Base | None) -> tuple[Checked, dict[str, bytes]]:
    """Check a package and build it as one: its files too, if there is no error."""
    checked = analyse(files, on)
    if checked.program is None:
        return checked, {}
    built = package_files(files, checked)
    return decks_kept(checked, built, on), built


def decks_kept(checked: Checked, built: Mapping[str, bytes], on: Base | None = None) -> Checked:
    """Run each decklist of the package against the requirements of its game; one that breaks them is a finding."""
    from card_runtime.game import Game
    from msgspec.structs import replace

    if not has_decks(checked):
        return checked
    assert checked.symbols is not None
    found = list(checked.findings)
    game = Game(Path("."), in_memory(built, on))
    for d in (d for d in checked.symbols.decklists.values() if d.own):
        for message in game.check_deck(d.name):
            start, end = d.ident.span
            found.append(
                Finding(
                    "E307",
                    d.source,
                    start,
                    end,
                    f"deck `{d.name}` breaks a rule: {message}",
                    "change the list" if on is not None else "change the list, or the requirement",
                )
            )
    if len(found) == len(checked.findings):
        return checked
    return replace(checked, findings=tuple(sorted(found, key=Finding.key)), program=None)


def has_decks(checked: Checked) -> bool:
    """Whether a package without errors has decks that may break the rules of its game."""
    s = checked.symbols
    if checked.program is None or s is None or s.deck is None:
        return False
    return any(d.own for d in s.decklists.values())


def check(folder: Path, base: Path | None = None) -> Outcome:
    """Check a package, as a build does and by what the last one left; nothing is written. Raises UsageError."""
    from cardc.building import check_package

    return check_package(folder, base)


@paused()
def lint(folder: Path, base: Path | None = None) -> Outcome:
    """Check a package, and look for what the rules of lint find where it has no errors. Raises UsageError."""
    files, on = prepare(folder, base)
    return outcome_of(files, _looked(folder, files, on, True), None)


@paused()
def mend(
    folder: Path, base: Path | None, rules: bool, unsafe: bool, wanted: Callable[[Finding], bool]
) -> tuple[Outcome, tuple[Fixed, ...]]:
    """Like `check`, or `lint` with `rules`, after fixing what can be fixed of the wanted findings, in the files on
    disk. Without `unsafe` only what is safe. Raises UsageError."""
    from cardc import fixing

    files, on = prepare(folder, base)
    mended = fixing.mend(files, lambda some: _looked(folder, some, on, rules).findings, unsafe, wanted)
    for path, data in mended.changed(files):
        write_file(folder / path, data)
    checked = _looked(folder, mended.files, on, rules)
    return outcome_of(mended.files, checked, None), mended.fixed


def _looked(folder: Path, files: Files, on: Base | None, rules: bool) -> Checked:
    """All that is to be said of these files; with `rules`, by lint too."""
    checked = analyse(files, on)
    if has_decks(checked):
        checked = decks_kept(checked, package_files(files, checked), on)
    return linted(checked, lambda path: (folder / path).is_file()) if rules else checked


def linted(checked: Checked, exists: Callable[[str], bool]) -> Checked:
    """What was checked, with what the rules of lint find; as it was where it has errors.

    `exists` tells whether a file lies in the package's folder."""
    from msgspec.structs import replace

    from cardc import lint as rules
    from cardc.lint.package import Package
    from cardc.suppress import hidden

    if checked.program is None or checked.symbols is None or checked.work is None or checked.settings is None:
        return checked
    found = rules.find(Package(checked.symbols, checked.work, checked.settings, exists))
    found = hidden(found, checked.suppressions, lambda code: code.startswith("L"))
    found = [*checked.findings, *checked.settings.told(found)]
    return replace(checked, findings=tuple(sorted(found, key=Finding.key)))


def build(folder: Path, out: Path | None = None, base: Path | None = None) -> tuple[Outcome, Path]:
    """Build a package into `out` (default `build/<id>`), unless it is there already. Raises UsageError."""
    from cardc.building import build_package

    return build_package(folder, out, base)
