"""`build`: decides what there is to do, and does no more.

In the cache of a package lie `sources.bin`, which tells what it was built from, and `build.bin`, which tells of its
parts (`cardc.incremental`). Nothing is imported that an unchanged package does not need.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from card_runtime.collector import paused
from msgspec import Struct
from msgspec.structs import replace

from cardc import store
from cardc.findings import Finding, findings_of, plain_finding
from cardc.package import (
    CACHE,
    MANIFEST,
    PackageFiles,
    Superseded,
    UsageError,
    compiler_digest,
    declared_id,
    declares_game,
    write_package,
)
from cardc.parts import Changed, Lost, SourceFile, content_of
from cardc.pipeline import Outcome, base_for, read_sources
from cardc.read import Sources
from cardc.survey import Look, Survey, look, survey

if TYPE_CHECKING:
    from cardc.incremental import Built, State
    from cardc.opening import Base

T = TypeVar("T")
SOURCES, PARTS = "sources.bin", "build.bin"
TRIES = 4
"""How often what is left of an earlier build is gone by; then everything is built."""


class Kept(Struct):
    """What a package was built from: its sources, the build of the game it is for, the digest of its manifest, the
    status of its files (size and time of change) by path; and what was said of it."""

    survey: Survey
    base: str
    manifest: bytes
    status: dict[str, tuple[int, int]]
    findings: list[Any]
    counts: tuple[int, int, int]
    title: str
    version: str

    def plain(self) -> tuple[Any, ...]:
        return (self.survey.plain(), self.base, self.manifest, self.status, self.findings, self.counts, self.title,
                self.version)  # fmt: skip


def read_kept(out: Path) -> Kept | None:
    """What the package in `out` was built from; None if that is not known, or if the package is not whole."""
    plain = store.read(out / CACHE / SOURCES, compiler_digest())
    try:
        seen, *rest = plain
        kept = Kept(Survey(*seen), *rest)
        data = (out / MANIFEST).read_bytes()
        if hashlib.sha256(data).digest() != kept.manifest:
            return None
        for path, digest in json.loads(data)["files"].items():
            if _status(f"{out}/{path}") != kept.status.get(path) and _digest(out / path) != digest:
                return None
    except (TypeError, ValueError, OSError, KeyError, AttributeError):
        return None
    return kept


def _status(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Job(Struct):
    """What there is to build. `look`: the files, and what is to be remembered of them."""

    folder: Path
    look: Look
    on: Base | None
    where: Path
    kept: Kept | None

    def unchanged(self) -> bool:
        """Whether the package that is there was built from just these sources."""
        kept = self.kept
        if kept is None or kept.base != _build(self.on):
            return False
        before, now = kept.survey, self.look.now
        return self.look.same or (before.digests == now.digests and before.paths == now.paths)


    def as_before(self) -> Outcome | None:
        """What the last build came to, if it was of just these sources."""
        kept = self.kept
        if kept is None or not self.unchanged():
            return None
        findings: tuple[Finding, ...] = ()
        if kept.findings:
            findings = tuple(findings_of(kept.findings, Sources(content_of(self.look.files), self.on, {})))
        return Outcome(findings, {}, *kept.counts, True, kept.title, kept.version)


@paused()
def check_package(folder: Path, base: Path | None) -> Outcome:
    """See `cardc.pipeline.check`."""
    return _tried(folder, None, base, lambda job: job.as_before() or _built(job)[0])


@paused()
def build_package(folder: Path, out: Path | None, base: Path | None) -> tuple[Outcome, Path]:
    """See `cardc.pipeline.build`."""
    return _tried(folder, out, base, lambda job: _carried_out(job, out))


def _tried(folder: Path, out: Path | None, base: Path | None, do: Callable[[Job], T]) -> T:
    """Do a job, by what the last build left; again where other builds into the same folder come in between."""
    job = (_as_before(folder, out) if base is None else None) or _anew(folder, out, base)
    for _ in range(TRIES):
        try:
            return do(job)
        except (Changed, Superseded, Lost, FileNotFoundError):
            job = _anew(folder, out, base)
    return do(replace(job, kept=None))


def _as_before(folder: Path, out: Path | None) -> Job | None:
    """The job, told by what the last build saw and what has changed since; None where that is not known."""
    root = os.path.abspath(folder)
    for where in [out] if out is not None else sorted(p.parents[1] for p in Path("build").glob(f"*/{CACHE}/{SOURCES}")):
        kept = read_kept(where)
        if kept is None or kept.survey.root != root or kept.base:
            continue
        found = look(kept.survey, folder)
        if found is None:
            continue
        if found.same or any(declares_game([(f.path, f.content)]) for f in found.of_frame()):
            return Job(folder, found, None, where, kept)
    return None


def _anew(folder: Path, out: Path | None, base: Path | None) -> Job:
    """The job, told by reading everything. Raises UsageError."""
    started = time.time_ns()
    found, tree = read_sources(folder)
    files = [SourceFile.of(path, content) for path, content in found]
    frame = [(f.path, f.content) for f in files if f.frame]
    on = base_for(folder, frame, base)
    where = out or Path("build") / (declared_id(frame) or folder.name)
    seen = survey(folder, files, tree, started)
    return Job(folder, Look(os.fspath(folder), seen, found=files), on, where, read_kept(where))


def _carried_out(job: Job, out: Path | None) -> tuple[Outcome, Path]:
    """Do what there is to do. Raises UsageError and Changed."""
    if (before := job.as_before()) is not None:
        assert job.kept is not None
        if len(job.look.now.restless) < len(job.kept.survey.restless):
            _remember(job.where, replace(job.kept, survey=job.look.now))
        return before, job.where
    outcome, id, state = _built(job)
    where = out or Path("build") / (id or job.folder.name)
    if outcome.files is None:
        return outcome, where
    if isinstance(outcome.files, PackageFiles):
        outcome.files.write(where)
    else:
        write_package(where, outcome.files)
    written = outcome.files[MANIFEST]
    status = {path: _status(f"{where}/{path}") for path in json.loads(written)["files"]}
    digest = hashlib.sha256(written).digest()
    counts = outcome.sources, outcome.cards, outcome.tests
    said = [plain_finding(f) for f in outcome.findings]
    _remember(where, Kept(job.look.now, _build(job.on), digest, status, said, counts, outcome.title, outcome.version))
    if state is not None:
        store.write(where / CACHE / PARTS, compiler_digest(), (digest, state.plain()))
    return outcome, where


def _remember(where: Path, kept: Kept) -> None:
    store.write(where / CACHE / SOURCES, compiler_digest(), kept.plain())


def _build(on: Base | None) -> str:
    return "" if on is None else str(on[1]["build"])


def _built(job: Job) -> tuple[Outcome, str | None, State | None]:
    """Build a package by its parts, with what is left of the last build; as one where that does not suffice. Its id,
    too."""
    from cardc import pipeline
    from cardc.incremental import build_parts
    from cardc.report import Unsure

    try:
        built = build_parts(job.look.files, job.on, _state(None if job.kept is None else job.where), job.where)
    except (Unsure, UsageError, Lost):
        files = [(file.path, file.content) for file in job.look.files]
        checked, whole = pipeline.built_whole(files, job.on)
        outcome = pipeline.outcome_of(files, checked, None if checked.program is None else whole)
        return outcome, checked.identity.get("id"), None
    return _outcome(job, built), built.identity["id"], built.state


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


def _outcome(job: Job, built: Built) -> Outcome:
    """The outcome of a build by parts, whose decks must keep the rules of the game."""
    from cardc import pipeline

    identity = built.identity
    checked = pipeline.Checked(built.findings, built.frame.s, built.program, [], identity)
    found: Any = built.files
    if found is not None and pipeline.has_decks(checked):
        checked = pipeline.decks_kept(checked, {name: found[name] for name in built.decks}, job.on)
    files = None if checked.program is None else found
    return Outcome(
        checked.findings, files, len(job.look.files), built.cards, built.tests, False, identity["title"],
        identity["version"],
    )  # fmt: skip
