"""From the files of a package, and of the game it builds on, to their declarations and to what the package is.

Assumes files as `cardc.package.read_folder` gives them. Establishes one head, `game` or `expansion`, which fits the
game it is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field

from cardc import __version__
from cardc import nodes as n
from cardc.broken import broken_words
from cardc.findings import Finding
from cardc.package import LOCK, UsageError, compiler_digest
from cardc.parse import parse_file
from cardc.read import decode
from cardc.report import Report
from cardc.symbols import Unit

Files: TypeAlias = list[tuple[str, bytes]]
Base: TypeAlias = tuple[Files, dict[str, Any]]
"""The sources and the identity of the game that an expansion builds on."""


class Parsed(Struct):
    """The declarations of files, the findings, and the words of what could not be read."""

    units: list[Unit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)


class Opened(Struct):
    """A package whose declarations are read. `stopped`: the findings are all that can be said of it."""

    parsed: Parsed
    identity: dict[str, Any]
    base_units: list[Unit]
    stopped: bool = False


def parse_files(files: Iterable[tuple[str, bytes]], own: bool, prefix: str = "") -> Parsed:
    """Read all declarations of the files; `prefix` stands before their paths."""
    parsed = Parsed()
    for path, data in files:
        if path == LOCK:
            continue
        source, found = decode(prefix + path, data, base=not own)
        parsed.findings += found
        if source is None:
            continue
        if path.endswith(".json"):
            from cardc.ast_json import parse_json

            decls, found = parse_json(source)
        else:
            decls, found = parse_file(source)
        if found:
            parsed.findings += found
            parsed.broken |= broken_words(source, decls)
        parsed.units += [Unit(d, source, own) for d in decls]
    return parsed


def head_of(units: Iterable[Unit]) -> n.GameDecl | n.ExpansionDecl:
    """The declaration of a package."""
    return next(u.decl for u in units if isinstance(u.decl, n.GameDecl | n.ExpansionDecl))


def rows(decl: n.TestDecl) -> int:
    """How many tests a declaration makes: each row of a table is one."""
    return 1 if decl.cases is None else len(decl.cases.rows)


def check_released(files: Files, units: Sequence[Unit], report: Report) -> None:
    """See that no id is one that was released for something else."""
    data = dict(files).get(LOCK)
    if data is None:
        return
    from cardc.idlock import check_lock

    source, found = decode(LOCK, data)
    report.extend(found)
    if source is not None:
        check_lock(source, units, report)


def open_package(files: Iterable[tuple[str, bytes]], base: Base | None) -> Opened:
    """Read the declarations of a package and of the game it builds on. Raises UsageError."""
    parsed = parse_files(files, own=True)
    heads = [u for u in parsed.units if isinstance(u.decl, n.GameDecl | n.ExpansionDecl)]
    if not heads:
        if parsed.findings:
            parsed.findings.sort(key=Finding.key)
            return Opened(parsed, {}, [], stopped=True)
        files = list(files)
        shown = ", ".join(path for path, _ in files[:3]) + (" …" if len(files) > 3 else "")
        raise UsageError(f"no file declares a `game` or an `expansion` ({shown}); `cardc new` begins one")
    head = heads[0].decl
    assert isinstance(head, n.GameDecl | n.ExpansionDecl)
    identity: dict[str, Any] = {
        "id": head.name.text,
        "title": head.title.value,
        "version": next((str(x.value.value) for x in head.settings if x.name.text == "version"), "0"),
        "kind": "game" if isinstance(head, n.GameDecl) else "expansion",
        "cardc": __version__,
        "compiler": compiler_digest(),
    }
    if isinstance(head, n.GameDecl):
        return Opened(parsed, identity, [])
    if base is None:
        raise UsageError(f"expansion {head.name.text} builds on {head.base.text}: say where that is with `--base`")
    if base[1]["id"] != head.base.text:
        report = Report()
        report.add(
            "E111",
            heads[0].source,
            head.base,
            f"the expansion is for `{head.base.text}`, but the base game is `{base[1]['id']}`",
            "give the game it is for with `--base`",
        )
        parsed.findings = [*report.findings(), *sorted(parsed.findings, key=Finding.key)]
        return Opened(parsed, identity, [], stopped=True)
    identity["base"] = {"id": base[1]["id"], "version": base[1]["version"], "build": base[1]["build"]}
    base_units = parse_files(base[0], own=False, prefix=f"{base[1]['id']}/").units
    return Opened(parsed, identity, [u for u in base_units if not isinstance(u.decl, n.TestDecl)])
