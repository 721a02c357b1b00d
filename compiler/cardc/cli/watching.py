"""`--watch`: a command that runs again whenever its sources change, until Ctrl-C."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cardc.cli.output import Output, complain
from cardc.package import LOCK, MANIFEST, UsageError, game_around, read_folder

PAUSE = 0.3
"""Seconds between two looks at the sources."""
SETTLED = 0.1
"""Seconds that they stay the same before a run: editors write a file in several steps."""
SHARE = 5
"""A look that takes longer is followed by a pause so many times as long: watching takes little of a processor."""


def watching(run: Callable[[], int], output: Output, folder: Path, base: Path | None, more: Sequence[Path] = ()) -> int:
    """Call `run` now, and again after each change of the sources in `folder`, of the game they build on, and of the
    files `more`. What cannot be read is told, and waited for. Ends by KeyboardInterrupt alone."""
    watch = Watch(folder, base, more)
    while True:
        try:
            run()
        except UsageError as error:
            complain(f"cardc: {error}")
        if not output.quiet:
            output.say(f"watching {folder}; Ctrl-C ends it")
        sys.stdout.flush()
        watch.wait()
        output.say("the sources changed")


class Watch:
    """The sources as they were last. Times and sizes are looked at; the bytes only where one of those is another."""

    def __init__(self, folder: Path, base: Path | None, more: Sequence[Path]) -> None:
        self.folder, self.base, self.more = folder, base, more
        self.stamps = self.look()
        self.bytes = self.read()

    def wait(self) -> None:
        """Return when a byte of the sources is another than before, and has stayed so for a moment."""
        while True:
            started = time.monotonic()
            stamps = self.look()
            if stamps == self.stamps:
                time.sleep(max(PAUSE, SHARE * (time.monotonic() - started)))
                continue
            while True:
                self.stamps = stamps
                time.sleep(SETTLED)
                if (stamps := self.look()) == self.stamps:
                    break
            now = self.read()
            if now != self.bytes:
                self.bytes = now
                return

    def places(self) -> list[Path]:
        """The folders and files that a run depends on."""
        try:
            on = self.base or game_around(self.folder)
        except OSError:
            on = None
        return [self.folder, *([] if on is None else [on]), *self.more]

    def look(self) -> list[tuple[str, int, int]]:
        """The path, time and size of each source, and of each folder that may hold one."""
        return sorted(set(x for place in self.places() for x in _stamps(place)))

    def read(self) -> list[tuple[str, bytes]]:
        return [x for place in self.places() for x in _contents(place)]


def _stamps(root: Path) -> Iterator[tuple[str, int, int]]:
    seen: set[str] = set()
    todo = [os.fspath(root)]
    while todo:
        path = todo.pop()
        try:
            status = os.stat(path)
            if os.path.isdir(path):
                real = os.path.realpath(path)
                if real in seen:
                    continue
                seen.add(real)
                yield path, 0, 0
                with os.scandir(path) as entries:
                    todo += [e.path for e in entries if not e.name.startswith(".") and (_source(e.name) or e.is_dir())]
            else:
                yield path, status.st_mtime_ns, status.st_size
        except OSError:
            continue  # it has gone since


def _source(name: str) -> bool:
    return name.endswith((".card", ".card.json")) or name in (LOCK, MANIFEST)


def _contents(place: Path) -> list[tuple[str, bytes]]:
    """What a run reads there, as digests."""
    try:
        if place.is_dir() and not (place / MANIFEST).is_file():
            return [(f"{place}/{path}", hashlib.sha256(data).digest()) for path, data in read_folder(place)]
        file = place / MANIFEST if place.is_dir() else place
        return [(str(file), hashlib.sha256(file.read_bytes()).digest())]
    except UsageError as error:
        return [(str(error), b"")]
    except OSError:
        return []
