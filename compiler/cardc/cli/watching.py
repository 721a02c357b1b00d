"""`--watch`: a command that runs again whenever its sources change, until Ctrl-C."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from cardc.cli.output import Output, complain
from cardc.package import MANIFEST, UsageError, game_around, read_folder

PAUSE = 0.3
"""Seconds between two looks at the sources."""
SETTLED = 0.1
"""Seconds that they stay the same before a run: editors write a file in several steps."""


def watching(run: Callable[[], int], output: Output, folder: Path, base: Path | None, more: Sequence[Path] = ()) -> int:
    """Call `run` now, and again after each change of the sources in `folder`, of the game they build on, and of the
    files `more`. What cannot be read is told, and waited for. Ends by KeyboardInterrupt alone."""
    seen = _sources(folder, base, more)
    while True:
        try:
            run()
        except UsageError as error:
            complain(f"cardc: {error}")
        if not output.quiet:
            output.say(f"watching {folder}; Ctrl-C ends it")
        sys.stdout.flush()
        while (now := _sources(folder, base, more)) == seen:
            time.sleep(PAUSE)
        while now != seen:
            time.sleep(SETTLED)
            seen, now = now, _sources(folder, base, more)
        output.say("the sources changed")


def _sources(folder: Path, base: Path | None, more: Sequence[Path]) -> list[tuple[str, bytes]]:
    """What a run depends on, as digests: equal as long as no byte of it changes."""
    found = [*_package(folder), *(x for path in more for x in _file(path))]
    try:
        on = base or game_around(folder)
    except OSError:
        on = None
    if on is not None:
        found += _file(on / MANIFEST) if (on / MANIFEST).is_file() else _package(on)
    return found


def _package(folder: Path) -> list[tuple[str, bytes]]:
    try:
        return [(f"{folder}/{path}", hashlib.sha256(data).digest()) for path, data in read_folder(folder)]
    except UsageError as error:
        return [(str(error), b"")]
    except OSError:  # a folder that goes while it is read
        return []


def _file(path: Path) -> list[tuple[str, bytes]]:
    try:
        return [(str(path), hashlib.sha256(path.read_bytes()).digest())]
    except OSError:
        return []
