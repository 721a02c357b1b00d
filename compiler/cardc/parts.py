"""Cuts a package into parts: runs of its files that are checked, emitted and written together.

A part is either of the frame, which holds all that cards are made of, or of cards and their tests alone. Where a part
ends is told by its own files, so that a file that comes, goes or changes leaves the parts elsewhere as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec
from card_runtime.package import SPREAD
from msgspec import Struct

if TYPE_CHECKING:
    from cardc.emit.text import Module

File = tuple[str, bytes]

ENOUGH = 16_384
"""A file of so many bytes is the last one of its part."""
ONE_IN = 64
"""Of small files, about so many make a part."""
_OF_FRAME = re.compile(rb"\n(?!card\b|test\b)[^ \t\r\n\f}/]")


class Changed(Exception):
    """A file is not any more what it was when it was looked at."""


class Lost(Exception):
    """A process that works on parts is gone, or could not be started."""


class SourceFile(Struct):
    """A file of a package: what is known of it without reading it again. `frame`: it may declare more than cards and
    tests. `kept` is its content, once it is read from `where`."""

    path: str
    size: int
    digest: bytes
    frame: bool
    where: str | None = None
    kept: bytes | None = None

    @staticmethod
    def of(path: str, content: bytes) -> SourceFile:
        return SourceFile(path, len(content), sha256(content).digest(), of_frame(path, content), None, content)

    @property
    def content(self) -> bytes:
        """What is in it. Raises Changed."""
        if self.kept is None:
            assert self.where is not None
            try:
                found = Path(self.where).read_bytes()
            except OSError as error:
                raise Changed from error
            if sha256(found).digest() != self.digest:
                raise Changed
            self.kept = found
        return self.kept


class Part(Struct, frozen=True):
    """Consecutive files of a package, in order of their paths. `frame`: they may declare more than cards and tests."""

    frame: bool
    files: tuple[SourceFile, ...]

    def contents(self) -> tuple[File, ...]:
        """Its files as they are read. Raises Changed."""
        return tuple((file.path, file.content) for file in self.files)


def of_frame(path: str, content: bytes) -> bool:
    """Whether a file may declare something other than cards and tests."""
    return path.endswith(".json") or _OF_FRAME.search(b"\n" + content) is not None


def cut(files: Iterable[SourceFile]) -> list[Part]:
    """The parts of a package, whose files come sorted by path."""
    parts: list[Part] = []
    run: list[SourceFile] = []
    for file in files:
        if run and file.frame != run[-1].frame:
            parts.append(Part(run[-1].frame, tuple(run)))
            run = []
        run.append(file)
        if file.size >= ENOUGH or crc32(file.path.encode("utf-8", "surrogateescape")) % ONE_IN == 0:
            parts.append(Part(file.frame, tuple(run)))
            run = []
    return [*parts, Part(run[-1].frame, tuple(run))] if run else parts


def paths_of(number: int) -> tuple[str, str]:
    """The paths of a part in its package: of its data, and of its code."""
    return f"parts/{number:05d}.json", f"parts/{number:05d}.py"


def part_files(
    contents: Iterable[File], modules: Mapping[str, Module], data: Mapping[str, Mapping[str, Sequence[Any]]]
) -> tuple[bytes, bytes]:
    """What a part is in the built package: its data with its sources, and its code; `modules` and `data` by path."""
    text: list[str] = []
    files: list[tuple[str, str, Sequence[int] | None]] = []
    spread: dict[str, list[Any]] = {name: [] for name in SPREAD}
    for path, content in contents:
        module = modules.get(path)
        if module is not None:
            text.append(module.text)
        files.append((path, content.decode("utf-8"), None if module is None else module.lines[:-1]))
        for name, items in data.get(path, {}).items():
            spread[name] += items
    return compact({**spread, "files": files}), "".join(text).encode("utf-8")


def compact(value: Any) -> bytes:
    """JSON on one line."""
    return msgspec.json.encode(value) + b"\n"


def content_of(files: Sequence[SourceFile]) -> Callable[[str], bytes]:
    """Gives the content of a file by its path; nothing for one that is not there. Raises Changed."""

    def content(path: str) -> bytes:
        return next((file.content for file in files if file.path == path), b"")

    return content
