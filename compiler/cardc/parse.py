"""From the text of declarations to their trees.

Assumes a `Source`; a declaration's text stands between two offsets, as `cardc.split` cuts it.
Establishes a tree of `cardc.nodes` whose spans lie in that text, whose expressions, types and blocks nest within
`cardc.nesting`'s limits, whose numbers have at most 15 digits, and whose names are no reserved words where they would
be read as such. Every declaration that is not healthy has exactly one finding; none raises.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from card_grammar.tables import Tables, load_tables

from cardc import misparse, nesting
from cardc.automaton import ACCEPT, Automaton, Row
from cardc.build import BUILDERS, NESTING, Builder
from cardc.findings import Finding
from cardc.lexer import Lexer, Tokens
from cardc.literals import Refusal
from cardc.nodes import Decl, Ident
from cardc.source import Source
from cardc.split import split


class Parsed(NamedTuple):
    """What a parse made: the tree, and what has to be looked at again.

    `groups` counts the parentheses around a node, by its `id`; `deep`: an expression is so long that it may be too
    deep; `reserved`: the tokens that are reserved words read as names, each with the row in which it was read."""

    tree: Any
    tokens: Tokens
    groups: dict[int, int]
    deep: bool
    reserved: list[tuple[int, Row]]


class Misparse(NamedTuple):
    """Where a parse stopped: at which token, with which rows on the stack, after which reserved words read as names."""

    tokens: Tokens
    at: int
    stack: list[Row]
    reserved: list[tuple[int, Row]]


class Parser:
    """A driver of the tables with a set of builders."""

    def __init__(self, tables: Tables, builders: Mapping[str, Builder | None], nesting_rules: Iterable[str]) -> None:
        self.tables: Final = tables
        self.lexer: Final = Lexer(tables)
        self.automaton: Final = Automaton(tables, builders, frozenset(nesting_rules), nesting.MAX_DEPTH)
        self._reserved = frozenset(t for t, terminal in enumerate(tables.terminals) if terminal.text in tables.reserved)

    def parse(self, text: str, start: int, end: int) -> Parsed | Misparse:
        """Parse `text[start:end]` as one declaration. Raises what its builders raise."""
        return self.drive(text, self.lexer.scan(text, start, end))

    def drive(self, text: str, tokens: Tokens) -> Parsed | Misparse:
        """Parse tokens of a text. Changes them where the state decides what a token is."""
        terminals, texts, starts, ends = tokens
        automaton = self.automaton
        words, kept_words, name = automaton.words, automaton.kept_words, self.tables.name
        row: Row = automaton.start
        rows: list[Row] = [row]
        values: list[Any] = []
        firsts: list[int] = []
        groups: dict[int, int] = {}
        reserved: list[tuple[int, Row]] = []
        deep = False
        i = 0
        while True:
            terminal = terminals[i]
            value: Any = texts[i]
            action = row.get(terminal)
            if terminal < words or action is None:
                # A word that is a keyword somewhere: here it may be a name.
                if action is None or (texts[i + 1] == ":" and not text[ends[i] : starts[i + 1]].strip()):
                    if terminal < words:
                        if terminal in self._reserved:
                            reserved.append((i, row))
                        terminal = name
                        action = row.get(name)
                    if action is None:
                        terminal = self._rescan(text, tokens, i, row)
                        action = row.get(terminal)
                        value = Ident(texts[i], span=(starts[i], ends[i]))
                elif terminal in kept_words:
                    value = Ident(value, span=(starts[i], ends[i]))
            while type(action) is tuple:
                count, key, keep, build, limit = action
                if count == 1:
                    children: Any = (values[-1],)
                    if keep is not None:
                        children = keep(children)
                    values[-1] = build(children, (starts[firsts[-1]], ends[i - 1]))
                    row, action = rows[-2][key][terminal]
                    rows[-1] = row
                elif count:
                    children = values[-count:]
                    first = firsts[-count]
                    del values[-count:], rows[-count:], firsts[1 - count :]
                    if keep is not None:
                        children = keep(children)
                    if i - first > limit:
                        deep = True
                    if build is not None:
                        values.append(build(children, (starts[first], ends[i - 1])))
                    else:
                        values.append(children[0])
                        groups[id(children[0])] = groups.get(id(children[0]), 0) + 1
                    row, action = rows[-1][key][terminal]
                    rows.append(row)
                else:
                    values.append(build((), (starts[i], starts[i])))
                    firsts.append(i)
                    row, action = rows[-1][key][terminal]
                    rows.append(row)
            if type(action) is dict:
                row = action
                rows.append(row)
                values.append(value)
                firsts.append(i)
                i += 1
            elif action is ACCEPT:
                return Parsed(values[-1], tokens, groups, deep, reserved)
            else:
                return Misparse(tokens, i, rows, reserved)

    def _rescan(self, text: str, tokens: Tokens, i: int, row: Row) -> int:
        """Cut token `i` again as the state wants it; its terminal, or `stray` if the state accepts nothing there."""
        terminals, texts, starts, ends = tokens
        start = starts[i]
        for terminal in sorted(t for t in row if self.automaton.words <= t < self.tables.end):
            end = self.lexer.match(terminal, text, start, ends[-1])
            if end is None:
                continue
            after = i + 1
            while starts[after] < end:
                after += 1
            rest: Iterable[Any] = ((),) * 4
            if ends[after - 1] > end:  # it ends within a token: the rest must be cut again
                rest = self.lexer.scan(text, end, ends[-1])
                after = len(starts)
            for column, more in zip(tokens, rest, strict=True):
                column[i + 1 : after] = more  # type: ignore[index]
            terminals[i], texts[i], ends[i] = terminal, text[start:end], end
            return terminal
        return self.lexer.stray


@cache
def card_parser() -> Parser:
    """The parser of `.card` declarations, made on first use."""
    return Parser(load_tables(), BUILDERS, NESTING)


def parse_decl(source: Source, start: int, end: int) -> tuple[Decl | None, list[Finding]]:
    """Parse `source.text[start:end]`, one declaration. One finding at most.

    A declaration whose only fault is a reserved word used as its or another name (E007) is returned nevertheless."""
    parser = card_parser()
    try:
        parsed = parser.parse(source.text, start, end)
        if isinstance(parsed, Misparse):
            return None, [misparse.explain(parser, source, parsed)]
        if parsed.deep:
            nesting.check_expressions(parsed.tree, parsed.groups)
        if source.text.count("{", start, end) > nesting.MAX_DEPTH:
            nesting.check_blocks(parsed.tree)
    except Refusal as refusal:
        return None, [Finding(refusal.code, source, refusal.start, refusal.end, refusal.message, refusal.help)]
    tree: Decl = parsed.tree
    finding = misparse.reserved_name(parser, source, parsed) if parsed.reserved else None
    return tree, [] if finding is None else [finding]


def _left_over(f: Finding, end: int) -> bool:
    """Whether text behind a declaration, which ends at `end`, may belong to it: its `}`, or the end of its string."""
    if f.code != "E003" or f.start < end:
        return False
    line = f.source.text.find("\n", f.start)
    text = f.source.text[f.start : len(f.source.text) if line < 0 else line]
    return text[0] == "}" or text.count('"') % 2 == 1


def parse_file(source: Source) -> tuple[list[Decl], list[Finding]]:
    """Split a file and parse its declarations; the healthy ones, and the findings, both in source order."""
    chunks, findings = split(source)
    decls: list[Decl] = []
    odd: set[int] = set()
    for chunk in chunks:
        decl, found = parse_decl(source, chunk.start, chunk.end)
        if decl is not None:
            decls.append(decl)
        if found or chunk.marked:
            odd.add(chunk.start)
        if not chunk.marked:
            findings += found
    if odd:  # what is left over behind what cannot be read is no mistake of its own
        starts = [chunk.start for chunk in chunks]
        before = [chunks[bisect(starts, f.start) - 1] for f in findings]
        findings = [
            f
            for f, chunk in zip(findings, before, strict=True)
            if chunk.start not in odd or not _left_over(f, chunk.end)
        ]
    return decls, sorted(findings, key=Finding.key)
