"""Cuts a file at its column-1 declarations: the unit of recovery, of caching and of parallel work.

Assumes a decoded `Source`. Establishes chunks in file order that do not overlap, each beginning in column 1 with a
word that can begin a declaration. Text that belongs to no declaration is a finding. A declaration that goes on
although a line of it starts in column 1 keeps that line and has its finding already: its chunk is `marked`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from typing import NamedTuple

from card_grammar.tables import load_tables

from cardc.brackets import Brackets
from cardc.findings import Edit, Finding, Fix
from cardc.literals import CONTROL, character_name
from cardc.source import Source


class Chunk(NamedTuple):
    """The text of one declaration, `start` to `end`, trimmed; its keywords (`open enum`) and its name, if readable."""

    start: int
    end: int
    keyword: str
    name: str | None
    marked: bool = False


_COLUMN_1 = re.compile(r"^[^ \t\f\r\n]", re.MULTILINE)
_TEXT_LINE = re.compile(r"^[ \t\f\r]*(?!//)([^ \t\f\r\n][^\n]*)", re.MULTILINE)
_COMMENT_LINE = re.compile(r"[ \t\f\r]*//")
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|//[^\n]*|([][(){}])')
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEXT_WORD = re.compile(r"\s+([A-Za-z_][A-Za-z0-9_]*)")
_COLON = re.compile(r"\s*:")
_BLANKS = frozenset(" \t\f\r\n")
_GOING_ON = frozenset("=+-*/<>,:.(")
"""A declaration that ends so is not complete."""


_FOREIGN = {"function": "effect", "fn": "effect", "def": "effect", "class": "kind", "type": "kind", "struct": "kind"}
"""Words with which declarations begin elsewhere."""


class _Open:
    """A chunk that is being read: its brackets are counted up to `counted`. `stray`: it begins no declaration."""

    def __init__(self, start: int, keyword: str, name: str | None, stray: bool) -> None:
        self.start = self.counted = start
        self.keyword = keyword
        self.name = name
        self.stray = self.marked = stray
        self.braced = False
        self.brackets = Brackets()
        self.index = -1


def split(source: Source) -> tuple[list[Chunk], list[Finding]]:
    """Cut a file into the text of its declarations."""
    cutter = _Cutter(source)
    for match in _COLUMN_1.finditer(source.text):
        cutter.line(match.start())
    cutter.finish()
    return cutter.chunks, sorted(cutter.findings, key=Finding.key)


@cache
def _beginners() -> dict[str, frozenset[str]]:
    """The words that begin a declaration, each with the keywords that may follow it."""
    tables = load_tables()
    words = {i: t.text for i, t in enumerate(tables.terminals) if t.kind == "word"}
    found = {}
    for terminal, to in tables.states[0].shifts:
        state = tables.states[to]
        after = [t for t, _ in state.shifts] + [t for _, lookahead in state.reductions for t in lookahead]
        found[words[terminal]] = frozenset(words[t] for t in after if t in words)
    return found


@lru_cache(1024)
def _nearest(word: str) -> str | None:
    """The word that begins a declaration of which this one may be a misspelling."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:40], _beginners(), n=1)), None)


class _Cutter:
    """Goes through the lines that have something in column 1."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.chunks: list[Chunk] = []
        self.findings: list[Finding] = []
        self.current: _Open | None = None
        self.unclosed: _Open | None = None
        """The last declaration that was left open, unless a lonely `}` has met it since."""

    def line(self, start: int) -> None:
        """Go on at a line that has something in column 1."""
        text, current = self.text, self.current
        if text.startswith("//", start):
            return
        if current is None:
            self._leading(start)
        else:
            self._count(current, start)
        word = _WORD.match(text, start)
        if word is not None and word[0] in _beginners() and not _COLON.match(text, word.end()):
            self._close(start)
            self.current = self._begin(word)
        elif current is not None and (current.brackets.open or self._goes_on(current, start, word)):
            if text[start] != "}":
                self._mark(current, start)
        elif text[start] == "}" and self.unclosed is not None:
            self._meet(self.unclosed, start)
        elif current is None or not current.stray or current.braced or self._anew(start, word):
            self._close(start)
            self.current = _Open(start, "", None, stray=True)
            self._refuse(start)

    def finish(self) -> None:
        """End the last chunk; find the characters that may stand nowhere."""
        end = len(self.text)
        if self.current is None:
            self._leading(end)
        self._close(end)
        if CONTROL.search(self.text):
            self._control_characters()

    def _begin(self, word: re.Match[str]) -> _Open:
        following = _NEXT_WORD.match(self.text, word.end())
        keyword = word[0]
        if following is not None and following[1] in _beginners()[keyword]:
            keyword = f"{keyword} {following[1]}"
            following = _NEXT_WORD.match(self.text, following.end())
        return _Open(word.start(), keyword, None if following is None else following[1], stray=False)

    def _close(self, end: int) -> None:
        """The current chunk ends before `end`."""
        current = self.current
        if current is None:
            return
        if current.brackets.open:
            current.index = -1 if current.stray else len(self.chunks)
            self.unclosed = current
        if not current.stray:
            trimmed = self._trimmed(current.start, end)
            self.chunks.append(Chunk(current.start, trimmed, current.keyword, current.name, current.marked))

    def _count(self, current: _Open, end: int) -> None:
        """Count brackets up to `end`, outside strings and comments."""
        found = "".join(_BRACKET.findall(self.text, current.counted, end))
        current.braced = current.braced or "{" in found
        before = ""
        while found != before:  # what is closed at once changes nothing
            before, found = found, found.replace("()", "").replace("[]", "").replace("{}", "")
        for bracket in found:
            current.brackets.meet(bracket, 0)
        current.counted = end

    def _trimmed(self, start: int, end: int) -> int:
        """The end of a chunk without the blanks and lines of comment that it ends with."""
        text = self.text
        while True:
            while end > start and text[end - 1] in _BLANKS:
                end -= 1
            line = text.rfind("\n", start, end) + 1
            if not line or not _COMMENT_LINE.match(text, line, end):
                return end
            end = line

    def _goes_on(self, current: _Open, start: int, word: re.Match[str] | None) -> bool:
        """Whether a declaration that has no open bracket goes on here: it is not complete, or its block begins."""
        if current.stray or word is None:
            return not current.stray and not current.braced and self.text[start] == "{"
        return self.text[self._trimmed(current.start, start) - 1] in _GOING_ON

    def _anew(self, start: int, word: re.Match[str] | None) -> bool:
        """Whether stray text after stray text is another mistake: after a blank line, or as a misspelt keyword."""
        before = self.text.rfind("\n", 0, start - 1) + 1
        return not self.text[before : start - 1].strip() or (word is not None and _nearest(word[0]) is not None)

    def _meet(self, unclosed: _Open, start: int) -> None:
        """A `}` that closes nothing meets a declaration left open: what stood between may have been inside."""
        self.unclosed = None
        self._close(start)
        between = self.chunks[unclosed.index + 1 :]
        if unclosed.index >= 0 and between and all(self.text.find("{", c.start, c.end) < 0 for c in between):
            del self.chunks[unclosed.index :]
            self.current = unclosed
            self._mark(unclosed, between[0].start)
            self._count(unclosed, start)
        else:
            self.current = _Open(start, "", None, stray=True)

    def _leading(self, start: int) -> None:
        """What stands before the first line with something in column 1 must be blanks and comments."""
        match = _TEXT_LINE.search(self.text, 0, start)
        if match is not None:
            end = match.start(1) + len(match[1].rstrip())
            message = "this text belongs to no declaration"
            self._find("E003", match.start(1), end, message, "a declaration begins in column 1")

    def _mark(self, current: _Open, start: int) -> None:
        if not current.marked:
            current.marked = True
            title = current.keyword if current.name is None else f"{current.keyword} {current.name}"
            word = _WORD.match(self.text, start)
            end = start + 1 if word is None else word.end()
            fact = f"a line inside `{title}` starts in column 1"
            help = "only declarations start there"
            if self.text[start] == "{":
                help = "only declarations start there: write it at the end of the line before"
            self._find("E003", start, end, fact, help)

    def _refuse(self, start: int) -> None:
        word = _WORD.match(self.text, start)
        if word is None:
            shown = self.text[start]
            fact = "`}` closes nothing" if shown == "}" else f"{character_name(shown)} begins no declaration"
            help = "a declaration begins with a word such as `card`, `value` or `test`"
            if shown == "}":
                help = "remove it, or open what it closes"
            elif shown == "#" or self.text.startswith(("/*", "--"), start):
                help = "a comment begins with `//`"
            self._find("E003", start, start + 1, fact, help)
            return
        near = _FOREIGN.get(word[0]) or _nearest(word[0])
        help = f"the nearest word that does is `{near}`" if near else "a line inside a declaration is indented"
        fix = Fix(f"write `{near}`", (Edit(self.source, start, word.end(), near),)) if near else None
        self._find("E003", start, word.end(), f"`{word[0]}` begins no declaration", help, fix)

    def _find(
        self, code: str, start: int, end: int, message: str, help: str | None, fix: Fix | None = None
    ) -> None:
        self.findings.append(Finding(code, self.source, start, end, message, help, fix=fix))

    def _control_characters(self) -> None:
        """One finding for each chunk, and each stretch between two, that has none yet."""
        starts = [chunk.start for chunk in self.chunks]

        def stretch(place: int) -> int:
            """The number of the chunk (even) or of the stretch before it (odd)."""
            i = bisect_right(starts, place) - 1
            return 2 * i if i >= 0 and place < self.chunks[i].end else 2 * i + 1

        found = {stretch(finding.start) for finding in self.findings}
        for match in CONTROL.finditer(self.text):
            number = stretch(match.start())
            if number not in found:
                found.add(number)
                message = f"the character {character_name(match[0])} is not used in the language"
                self._find("E001", match.start(), match.end(), message, None)
                if number % 2 == 0:
                    self.chunks[number // 2] = self.chunks[number // 2]._replace(marked=True)
