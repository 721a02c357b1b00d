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
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import compress
from operator import attrgetter, itemgetter
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
    """What was seen in the folder `root`: the files that had not rested when they were read; all files by path, with
    their names on disk where those differ; the folders below it, and those left out with the file that says why (none:
    they hold a built game). Columns of plain data."""

    root: str = ""
    restless: list[str] = field(default_factory=list)
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
    names = {path: name for path, (name, _) in tree.files.items() if name != path}
    statuses = [_status(tree.files[f.path][1]) for f in files]
    restless = [f.path for f, status in zip(files, statuses, strict=True) if not _rested(status, started)]
    return Survey(
        root, restless, [f.path for f in files], names, statuses, [f.digest for f in files], [f.frame for f in files],
        tree.folders, tree.left,
    )  # fmt: skip


def _rested(status: Status, started: int) -> bool:
    return max(status[1], status[2]) < started - TICK


class Look(Struct):
    """What a look at the sources has shown: what is to be remembered of them, and those that were `read`. `same`:
    nothing has changed, for certain."""

    root: str
    now: Survey
    read: dict[str, SourceFile] = field(default_factory=dict)
    same: bool = False
    found: list[SourceFile] | None = None

    @property
    def files(self) -> list[SourceFile]:
        if self.found is None:
            now = self.now
            sizes = map(itemgetter(0), now.statuses)
            names = [now.names.get(path, path) for path in now.paths] if now.names else now.paths
            places = map(f"{self.root}/".__add__, names)
            self.found = list(map(SourceFile, now.paths, sizes, now.digests, now.frames, places))
            for path, file in self.read.items():
                self.found[bisect_left(now.paths, path)] = file
        return self.found

    def of_frame(self) -> Iterable[SourceFile]:
        """The files that may declare more than cards and tests."""
        return compress(self.files, self.now.frames)


def look(before: Survey, folder: Path) -> Look | None:
    """See what has changed, as far as possible without reading anything; None where all has to be read."""
    started = time.time_ns()
    root = os.fspath(folder)
    known = dict(zip(before.paths, before.statuses, strict=True))
    plain = known if not before.names else {path: was for path, was in known.items() if path not in before.names}
    seen: dict[str, Status] = {}
    new: dict[str, Status] = {}
    names: dict[str, str] = {}
    for prefix, below in before.folders.items():
        if not _folder(root, prefix, below, plain, seen, new, names):
            return None
    for prefix, why in before.left.items():
        if not _still_left(folder / prefix, why):
            return None
    seen |= new
    changed = {path for path, status in new.items() if known.get(path) != status} | (seen.keys() & before.restless)
    if not changed and len(seen) == len(known):
        return Look(root, before, same=True)
    if seen.keys() == known.keys():
        paths, digests, frames = before.paths, [*before.digests], [*before.frames]
    else:
        paths = sorted(seen)
        numbers = dict(zip(before.paths, range(len(known)), strict=True))
        was = [numbers.get(path) for path in paths]
        digests = [b"" if n is None else before.digests[n] for n in was]
        frames = [n is not None and before.frames[n] for n in was]
    statuses = list(map(seen.__getitem__, paths))
    read: dict[str, SourceFile] = {}
    for path in sorted(changed):
        i = bisect_left(paths, path)
        file = _read(f"{root}/{names.get(path, path)}", path)
        if file is None or ("/" in path and declares_package(path, file.content)):
            return None
        read[path] = file
        digests[i], frames[i] = file.digest, file.frame
    restless_now = [path for path in read if not _rested(seen[path], started)]
    now = Survey(
        before.root, restless_now, paths, names, statuses, digests, frames, before.folders, before.left
    )  # fmt: skip
    return Look(root, now, read)


def _folder(
    root: str,
    prefix: str,
    below: list[str],
    known: dict[str, Status],
    seen: dict[str, Status],
    new: dict[str, Status],
    names: dict[str, str],
) -> bool:
    """Note the status of the sources right in a folder: those `seen` as they were `known`, by their names on disk, and
    what is `new`. False where the folders in it are not those that were there."""
    folders: list[str] = []
    try:
        with _opened(os.path.join(root, prefix)) as folder, os.scandir(folder) as entries:
            for entry in entries:
                path = prefix + entry.name
                was = known.get(path)
                if was is not None and _told(entry.stat()) == was:
                    seen[path] = was
                elif not _new(entry, path, folders, new, names):
                    return False
    except OSError:
        return False
    return sorted(folders) == below


@contextmanager
def _opened(folder: str) -> Iterator[int | str]:
    """A folder to look through: where its files are then found by their names alone, that is quicker."""
    if os.scandir not in os.supports_fd:
        yield folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)


def _new(
    entry: os.DirEntry[str], path: str, folders: list[str], new: dict[str, Status], names: dict[str, str]
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
    new[shown] = _status(status)
    return True


_told = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")


def _status(status: os.stat_result) -> Status:
    found: Status = _told(status)
    return found


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
