"""A file's text and the places in it. Offsets count characters; lines and columns count from 1."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from msgspec import Struct

_DECLARATION = re.compile(r"^[a-z][a-z ]*[A-Za-z0-9_]*", re.MULTILINE)


class Source(Struct, eq=False):
    """One `.card` file: its path as shown to the author (relative to the package, with `/`) and its text. `base`: it is
    one of the game that the package builds on, and its path begins with the id of that game.

    The text has no BOM; CRLF stays as it was, so offsets are those of the file."""

    path: str
    text: str
    base: bool = False
    _starts: list[int] | None = None
    _heads: list[tuple[int, str]] | None = None

    def seen_from(self, root: str) -> str:
        """The path as seen from where the command runs; `root` stands before those of the package."""
        return self.path if self.base else root + self.path

    def _lines(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *accumulate(map((1).__add__, map(len, self.text.split("\n"))))][:-1]
        return self._starts

    def line(self, offset: int) -> int:
        return bisect_right(self._starts or self._lines(), offset)

    def column(self, offset: int) -> int:
        """In characters."""
        return offset - self._lines()[self.line(offset) - 1] + 1

    def utf16_column(self, offset: int) -> int:
        """In UTF-16 code units, as editors count."""
        start = self._lines()[self.line(offset) - 1]
        return len(self.text[start:offset].encode("utf-16-le")) // 2 + 1

    def declaration(self, offset: int) -> tuple[int, str]:
        """Where the declaration that holds an offset begins, and how: `card fox`; -1 and nothing where none does."""
        if self._heads is None:
            self._heads = [(-1, ""), *((m.start(), m[0].strip()) for m in _DECLARATION.finditer(self.text))]
        return self._heads[bisect_right(self._heads, offset, key=lambda head: head[0]) - 1]

    def line_text(self, line: int) -> str:
        starts = self._lines()
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")
