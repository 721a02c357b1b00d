"""`build`: decides what there is to do, and does no more.

In the cache of a package lie `sources.bin`, which tells what it was built from, and `build.bin`, which tells of its
parts (`cardc.incremental`). Nothing is imported that an unchanged package does not need.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from card_runtime.collector import paused

from cardc import store
from cardc.findings import findings_of, plain_finding
from cardc.package import CACHE, MANIFEST, OF_BUILDS, compiler_digest, write_package
from cardc.pipeline import Outcome, prepare
from cardc.read import Sources

if TYPE_CHECKING:
    from cardc.incremental import Built, State
    from cardc.opening import Base, Files

SOURCES, PARTS = OF_BUILDS


@dataclass(slots=True)
class Kept:
    """What a package was built from: the digests of its sources and of the game it builds on, of its manifest, and of
    the status of its files (size and time of change), by path; and what was said of it."""

    sources: dict[str, bytes]
    base: str
    manifest: bytes
    status: dict[str, tuple[int, int]]
    findings: list[Any]
    counts: tuple[int, int, int]
    title: str
    version: str

    def plain(self) -> tuple[Any, ...]:
        return (self.sources, self.base, self.manifest, self.status, self.findings, self.counts, self.title,
                self.version)  # fmt: skip


def read_kept(out: Path) -> Kept | None:
    """What the package in `out` was built from; None if that is not known, or if the package is not whole."""
    plain = store.read(out / CACHE / SOURCES, compiler_digest())
    try:
        kept = Kept(*plain)
        data = (out / MANIFEST).read_bytes()
        if hashlib.sha256(data).digest() != kept.manifest:
            return None
        for path, digest in json.loads(data)["files"].items():
            if _status(out / path) != kept.status.get(path) and _digest(out / path) != digest:
                return None
    except (TypeError, ValueError, OSError, KeyError, AttributeError):
        return None
    return kept


def _status(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@paused()
def build_package(folder: Path, out: Path | None, base: Path | None) -> tuple[Outcome, Path]:
    """See `cardc.pipeline.build`."""
    files, on = prepare(folder, base)
    digests = {path: hashlib.sha256(content).digest() for path, content in files}
    build = "" if on is None else str(on[1]["build"])
    where = out or Path("build") / (_declared(files) or folder.name)
    kept = read_kept(where)
    if kept is not None and kept.sources == digests and kept.base == build:
        findings = tuple(findings_of(kept.findings, Sources(files, on, {})))
        return Outcome(findings, {}, *kept.counts, True, kept.title, kept.version), where
    outcome, id, state = _built(files, on, None if kept is None else where)
    where = out or Path("build") / (id or folder.name)
    if outcome.files is None:
        return outcome, where
    links = getattr(outcome.files, "kept", {})
    made = {path: outcome.files[path] for path in outcome.files if path not in links}
    write_package(where, made, links)
    if links:
        outcome.files.kept = {path: where / path for path in links}  # type: ignore[attr-defined]
    data = json.loads(made[MANIFEST])["files"]
    status = {path: _status(where / path) for path in data}
    now = Kept(digests, build, hashlib.sha256(made[MANIFEST]).digest(), status, [*map(plain_finding, outcome.findings)],
               (outcome.sources, outcome.cards, outcome.tests), outcome.title, outcome.version)  # fmt: skip
    store.write(where / CACHE / SOURCES, compiler_digest(), now.plain())
    if state is not None:
        store.write(where / CACHE / PARTS, compiler_digest(), (now.manifest, state.plain()))
    return outcome, where


def _built(files: Files, on: Base | None, old: Path | None) -> tuple[Outcome, str | None, State | None]:
    """Build a package by its parts, with what is left in `old`; as one where that does not suffice. Its id, too."""
    from cardc import pipeline
    from cardc.incremental import build_parts
    from cardc.package import UsageError
    from cardc.pool import Lost
    from cardc.report import Unsure

    try:
        built = build_parts(files, on, _state(old), old or Path("."))
    except (Unsure, UsageError, Lost):
        checked = pipeline.analyse(files, on)
        id = checked.identity.get("id")
        if checked.program is None:
            return pipeline.outcome_of(files, checked, None), id, None
        whole = pipeline.package_files(files, checked, None)
        checked = pipeline.decks_kept(files, checked, whole, on)
        return pipeline.outcome_of(files, checked, None if checked.program is None else whole), id, None
    return _outcome(files, on, built), built.identity["id"], built.state


def _state(old: Path | None) -> State:
    """What the last build has left for this one."""
    from cardc.incremental import State

    if old is None:
        return State()
    found = store.read(old / CACHE / PARTS, compiler_digest())
    try:
        digest, plain = found
    except (TypeError, ValueError):
        return State()
    same = digest == hashlib.sha256((old / MANIFEST).read_bytes()).digest()
    return State.of(plain) if same else State()


def _outcome(files: Files, on: Base | None, built: Built) -> Outcome:
    """The outcome of a build by parts, whose decks must keep the rules of the game."""
    from cardc import pipeline

    identity = built.identity
    checked = pipeline.Checked(built.findings, built.frame.s, built.program, [], identity)
    found: Any = built.files
    if found is not None:
        checked = pipeline.decks_kept(files, checked, found, on)
    return Outcome(
        checked.findings, None if checked.program is None else found, len(files), built.cards, built.tests, False,
        identity["title"], identity["version"],
    )  # fmt: skip


def _declared(files: Files) -> str | None:
    """The id of the package, read without parsing."""
    for _, data in files:
        for line in data.splitlines():
            line = line.removeprefix(b"\xef\xbb\xbf")
            if line.startswith((b"game ", b"expansion ")):
                return line.split()[1].decode("utf-8", "replace")
    return None
