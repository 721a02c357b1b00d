"""Cuts a declaration's text into tokens, in one pass of one regular expression.

Which terminal a token is depends on the parser's state in two cases only, and both are left to the parser: a word may
be a keyword or a name, and a state may accept a pattern that begins like another one (`V-9` after `covers`).
So the tokens are those of Lark's contextual lexer for `card.lark`.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from card_grammar.tables import Tables

_REMEMBERED = 20_000
_REMEMBERED_LENGTH = 40


class Tokens(NamedTuple):
    """The tokens of a stretch of text: terminal, text, start and end of each; the last one is the end of the text.

    Offsets count characters of the whole text. A terminal of `Lexer.stray` is a character that begins no token."""

    terminals: list[int]
    texts: list[str]
    starts: list[int]
    ends: list[int]


class _Terminals(dict[str, int]):
    """The terminal of each token text. It remembers what it has seen, within bounds."""

    def __init__(self, lexer: Lexer, fixed: dict[str, int]) -> None:
        super().__init__(fixed)
        self._lexer = lexer
        self._fixed = fixed

    def __missing__(self, text: str) -> int:
        terminal = self._lexer.classify(text)
        if len(text) <= _REMEMBERED_LENGTH:
            if len(self) > _REMEMBERED:
                self.clear()
                self.update(self._fixed)
            self[text] = terminal
        return terminal


class Lexer:
    """The lexer of a grammar's tables. `end`, `stray` and `comment` are terminals besides those of the tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.end = tables.end
        self.stray = tables.end + 1
        self.comment = tables.end + 2
        words: dict[str, int] = {}
        signs = {"": self.end}
        gap = ""
        cuts: list[str] = []
        patterns: list[tuple[int, str]] = []
        for i, terminal in enumerate(tables.terminals):
            if terminal.kind == "word":
                words[terminal.text] = i
            elif terminal.kind == "sign":
                signs[terminal.text] = i
                if len(terminal.text) > 1:  # any single character is cut off in the end
                    cuts.append(re.escape(terminal.text))
            elif i in tables.ignored and re.fullmatch(terminal.text, " "):
                gap = terminal.text
            else:
                cuts.append(terminal.text)
                patterns.append((i, terminal.text))
        blanks = re.fullmatch(r"\[([^]^]+)\]\+", gap)
        character = f"[^{blanks[1]}]" if blanks else f"(?!{gap})(?s:.)"
        self._cut = re.compile("(" + "|".join([*cuts, character]) + ")")
        self._which = re.compile("|".join(f"({regex})" for _, regex in patterns))
        self._numbers = [self.comment if i in tables.ignored else i for i, _ in patterns]
        self._terminal = _Terminals(self, signs | words).__getitem__
        self._alone: dict[int, re.Pattern[str]] = {}

    def classify(self, text: str) -> int:
        """The pattern that matches a token's text, or `stray`."""
        match = self._which.fullmatch(text)
        return self.stray if match is None else self._numbers[(match.lastindex or 0) - 1]

    def scan(self, text: str, start: int, end: int) -> Tokens:
        """Cut `text[start:end]`; comments and blanks are left out."""
        parts = self._cut.split(text[start:end])
        parts.append("")
        places = list(accumulate(map(len, parts), initial=start))
        texts, starts, ends = parts[1::2], places[1::2], places[2::2]
        terminals = list(map(self._terminal, texts))
        if self.comment in terminals:
            kept = [i for i, terminal in enumerate(terminals) if terminal != self.comment]
            return Tokens(*([column[i] for i in kept] for column in (terminals, texts, starts, ends)))  # type: ignore[arg-type]
        return Tokens(terminals, texts, starts, ends)

    def match(self, terminal: int, text: str, start: int, end: int) -> int | None:
        """Where a match of this pattern or sign at `start` ends; None if there is none."""
        pattern = self._alone.get(terminal)
        if pattern is None:
            found = self.tables.terminals[terminal]
            regex = found.text if found.kind == "pattern" else re.escape(found.text)
            pattern = self._alone[terminal] = re.compile(regex)
        match = pattern.match(text, start, end)
        return None if match is None else match.end()
