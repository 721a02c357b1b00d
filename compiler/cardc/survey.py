"""The sources of a package as the last build saw them: what has kept its status since is not read again.

A file is taken to be what it was if size, times and number are the same, and if it had rested when it was read: a file
may be changed twice in one tick of its clock, so one that was changed within `TICK` before it was read is read again
(as git does it). A folder is looked at whole: what comes or goes is seen. Where folders come or go, or links lead to
some, everything is read anew (`cardc.package.read_folder`).
"""

from __future__ import annotations

import os
import stat
import time
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from cardc.package import LOCK, Tree, declares_package, holds_built, is_fit, printable
from cardc.parts import SourceFile

TICK = 2_000_000_000
"""In nanoseconds: no file system in use tells times less finely."""
Status: TypeAlias = tuple[int, int, int, int]
"""Size, times of change of the content and of the file, number."""


@dataclass(slots=True)
class Survey:
    """What was seen in the folder `root`: its files by path, with their names on disk where those differ; the folders
    below it, and those left out with the file that says why (none: they hold a built game). Columns of plain data."""

    root: str = ""
    started: int = 0
    paths: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    frames: list[bool] = field(default_factory=list)
    folders: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, str | None] = field(default_factory=dict)

    def rested(self) -> int:
        """How many files had rested when they were seen."""
        before = self.started - TICK
        return sum(max(status[1], status[2]) < before for status in self.statuses)

    def plain(self) -> tuple[Any, ...]:
        return tuple(getattr(self, f.name) for f in fields(self))


def survey(folder: Path, files: list[SourceFile], tree: Tree, started: int) -> Survey:
    """What was seen when `files` were read, from `started` on. Where links lead to folders it has no root."""
    names = {path: name for path, (name, _) in tree.files.items() if name != path}
    statuses = [_status(tree.files[file.path][1]) for file in files]
    root = "" if tree.links else os.path.abspath(folder)
    return Survey(
        root, started, [f.path for f in files], names, statuses, [f.digest for f in files],
        [f.frame for f in files], tree.folders, tree.left,
    )  # fmt: skip


def look(before: Survey, folder: Path) -> tuple[list[SourceFile], Survey] | None:
    """The files of the package now, as far as possible without reading them, and what was seen; None where all of it
    has to be read."""
    started = time.time_ns()
    known = dict(zip(before.paths, zip(before.statuses, before.digests, before.frames, strict=True), strict=True))
    found: list[SourceFile] = []
    statuses: dict[str, Status] = {}
    names: dict[str, str] = {}
    for prefix, below in before.folders.items():
        seen = _folder(folder, prefix, below)
        if seen is None:
            return None
        for name, status in seen:
            path = prefix + name
            shown = path if path.isascii() else printable(path)
            if shown not in known and not is_fit(path):
                return None
            if shown != path:
                names[shown] = path
            was = known.get(shown)
            if was is not None and was[0] == status and max(status[1], status[2]) < before.started - TICK:
                file = SourceFile(shown, status[0], was[1], was[2], folder / path)
            else:
                new = _read(folder / path, shown)
                if new is None or (prefix and declares_package(shown, new.content)):
                    return None
                file, status = new, status
            found.append(file)
            statuses[shown] = status
    for prefix, why in before.left.items():
        if not _still_left(folder / prefix, why):
            return None
    found.sort(key=lambda file: file.path)
    now = Survey(
        before.root, started, [f.path for f in found], names, [statuses[f.path] for f in found],
        [f.digest for f in found], [f.frame for f in found], before.folders, before.left,
    )  # fmt: skip
    return found, now


def _folder(root: Path, prefix: str, below: list[str]) -> list[tuple[str, Status]] | None:
    """The sources right in a folder, with their status; None where the folders in it are not those that were there."""
    found: list[tuple[str, Status]] = []
    folders: list[str] = []
    try:
        with os.scandir(root / prefix) as entries:
            for entry in entries:
                name = entry.name
                if name.startswith("."):
                    continue
                source = name.endswith((".card", ".card.json")) or (name == LOCK and not prefix)
                if not source:
                    if entry.is_symlink():
                        return None
                    if entry.is_dir():
                        folders.append(name)
                    continue
                status = entry.stat()
                if not stat.S_ISREG(status.st_mode):
                    return None
                found.append((name, _status(status)))
    except OSError:
        return None
    return found if sorted(folders) == below else None


def _status(status: os.stat_result) -> Status:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _read(path: Path, shown: str) -> SourceFile | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    file = SourceFile.of(shown, content)
    file.where = path
    return file


def _still_left(folder: Path, why: str | None) -> bool:
    """Whether a folder is still no part of the package, for the reason that was noted."""
    if why is None:
        return holds_built(folder)
    try:
        return declares_package(why, (folder / why).read_bytes())
    except OSError:
        return False
