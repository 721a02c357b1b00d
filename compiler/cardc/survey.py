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
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import astuple

from cardc.package import LOCK, Tree, declares_package, holds_built, is_fit, printable
from cardc.parts import SourceFile

TICK = 2_000_000_000
"""In nanoseconds: no file system in use tells times less finely."""
Status: TypeAlias = tuple[int, int, int, int]
"""Size, times of change of the content and of the file, number."""


class Survey(Struct):
    """What was seen in the folder `root`, and how many files had rested then: its files by path, with their names on
    disk where those differ; the folders below it, and those left out with the file that says why (none: they hold a
    built game). Columns of plain data."""

    root: str = ""
    started: int = 0
    resting: int = 0
    paths: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    frames: list[bool] = field(default_factory=list)
    folders: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, str | None] = field(default_factory=dict)

    def plain(self) -> tuple[Any, ...]:
        return astuple(self)


def survey(folder: Path, files: list[SourceFile], tree: Tree, started: int) -> Survey:
    """What was seen when `files` were read, from `started` on. Where links lead to folders it has no root."""
    root = "" if tree.links else os.path.abspath(folder)
    seen = {path: _status(status) for path, (_, status) in tree.files.items()}
    names = {path: name for path, (name, _) in tree.files.items() if name != path}
    return _seen(root, files, names, seen, started, tree.folders, tree.left)


def _seen(
    root: str,
    files: list[SourceFile],
    names: dict[str, str],
    statuses: dict[str, Status],
    started: int,
    folders: dict[str, list[str]],
    left: dict[str, str | None],
) -> Survey:
    found = [statuses[file.path] for file in files]
    rested = sum(max(modified, changed) < started - TICK for _, modified, changed, _ in found)
    return Survey(
        root, started, rested, [f.path for f in files], names, found, [f.digest for f in files],
        [f.frame for f in files], folders, left,
    )  # fmt: skip


class Look(Struct):
    """What a look at the sources has shown. `same`: nothing has changed, for certain; the files are then those of
    `before`."""

    root: str
    before: Survey
    now: Survey
    found: list[SourceFile] | None = None
    same: bool = False

    @property
    def files(self) -> list[SourceFile]:
        if self.found is None:
            of = zip(self.now.paths, self.now.statuses, self.now.digests, self.now.frames, strict=True)
            self.found = [
                SourceFile(path, status[0], digest, frame, os.path.join(self.root, self.now.names.get(path, path)))
                for path, status, digest, frame in of
            ]
        return self.found


def look(before: Survey, folder: Path) -> Look | None:
    """See what has changed, as far as possible without reading anything; None where all has to be read."""
    started = time.time_ns()
    root = os.fspath(folder)
    known = dict(zip(before.paths, before.statuses, strict=True))
    plain = known if not before.names else {path: was for path, was in known.items() if path not in before.names}
    seen: dict[str, Status] = {}
    names: dict[str, str] = {}
    for prefix, below in before.folders.items():
        if not _folder(root, prefix, below, plain, seen, names):
            return None
    for prefix, why in before.left.items():
        if not _still_left(folder / prefix, why):
            return None
    if before.resting == len(seen) and seen == known:
        return Look(root, before, before, same=True)
    numbers = dict(zip(before.paths, range(len(known)), strict=True))
    found: list[SourceFile] = []
    rested = before.started - TICK
    for path in before.paths if seen.keys() == known.keys() else sorted(seen):
        status = seen[path]
        where = f"{root}/{names.get(path, path)}"
        if status == known.get(path) and max(status[1], status[2]) < rested:
            number = numbers[path]
            found.append(SourceFile(path, status[0], before.digests[number], before.frames[number], where))
            continue
        new = _read(where, path)
        if new is None or ("/" in path and declares_package(path, new.content)):
            return None
        found.append(new)
    return Look(root, before, _seen(before.root, found, names, seen, started, before.folders, before.left), found)


def _folder(
    root: str, prefix: str, below: list[str], known: dict[str, Status], seen: dict[str, Status], names: dict[str, str]
) -> bool:
    """Note the status of the sources right in a folder; False where the folders in it are not those that were there.

    `known`: sources that were there, by their names on disk."""
    folders: list[str] = []
    try:
        with os.scandir(os.path.join(root, prefix)) as entries:
            for entry in entries:
                path = prefix + entry.name
                was = known.get(path)
                if was is not None and _status(entry.stat()) == was:
                    seen[path] = was
                elif not _new(entry, path, folders, seen, names):
                    return False
    except OSError:
        return False
    return sorted(folders) == below


def _new(
    entry: os.DirEntry[str], path: str, folders: list[str], seen: dict[str, Status], names: dict[str, str]
) -> bool:
    """Note what was not there, or was another; False where it may be anything but a file or a folder."""
    name = entry.name
    if name.startswith("."):
        return True
    if not name.endswith((".card", ".card.json")) and path != LOCK:
        if entry.is_symlink():
            return False
        if entry.is_dir():
            folders.append(name)
        return True
    status = entry.stat()
    if not stat.S_ISREG(status.st_mode) or not is_fit(path):
        return False
    shown = path if path.isascii() else printable(path)
    if shown != path:
        names[shown] = path
    seen[shown] = _status(status)
    return True


def _status(status: os.stat_result) -> Status:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _read(where: str, path: str) -> SourceFile | None:
    try:
        content = Path(where).read_bytes()
    except OSError:
        return None
    file = SourceFile.of(path, content)
    file.where = where
    return file


def _still_left(folder: Path, why: str | None) -> bool:
    """Whether a folder is still no part of the package, for the reason that was noted."""
    if why is None:
        return holds_built(folder)
    try:
        return declares_package(why, (folder / why).read_bytes())
    except OSError:
        return False
