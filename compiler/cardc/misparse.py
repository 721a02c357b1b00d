"""Says in the author's words why a declaration does not parse. Runs only when there is something to say."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, cast

from card_grammar.tables import Tables

from cardc import declared_idioms, idioms, stopping
from cardc import nodes as n
from cardc.automaton import Row
from cardc.brackets import CLOSERS, Brackets
from cardc.findings import Edit, Finding, Fix, Label
from cardc.lexer import Tokens
from cardc.literals import character_name
from cardc.nesting import walk
from cardc.source import Source

if TYPE_CHECKING:
    from cardc.parse import Misparse, Parsed, Parser

MOST_EXPECTED = 6

_PHRASES = (
    ("decl", "a declaration"),
    ("item", "a statement"),
    ("type", "a type"),
    ("expr", "an expression"),
    ("disjunction", "an expression"),
    ("sum", "an expression"),
    ("path", "an expression"),
)
"""What to call the beginning of a nonterminal; the wider first."""

_PATTERNS = {"NAME": "a name", "INT": "a number", "STRING": "a string", "RULE": "a rule such as `V-9`"}
_INFIX = frozenset({"binary", "is_", "is_word", "is_in", "member", "index"})
_FREE_AFTER = frozenset({".", "chance", "choose", "chooses", "or", "may"})
_ADVICE = {
    ";": "statements and lines need no sign between them",
    "'": 'strings stand between `"`',
    "\u201c": 'strings stand between `"`',
    "\u201d": 'strings stand between `"`',
    "\u2018": 'strings stand between `"`',
    "\u2019": 'strings stand between `"`',
    "\u00ab": 'strings stand between `"`',
    "\u00bb": 'strings stand between `"`',
    "\u2013": "the minus sign is `-`",
    "\u2212": "the minus sign is `-`",
    "\u00d7": "the sign of multiplication is `*`",
    "\u00f7": "the sign of division is `/`",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u2026": "the sign of a range is `..`",
    "!": "write `not`, or `!=`",
    "&": "write `and`",
    "|": "write `or`",
    "#": "a comment begins with `//`",
    "%": "there is no sign for what is left: of `x / 2` that is `x - x / 2 * 2`",
    "\\": 'escapes stand in strings only: `\\"`, `\\\\` and `\\n`',
}
_QUOTES = "\u201c\u201d\u00ab\u00bb"
_MEANT = {
    ";": " ", "\u2013": "-", "\u2212": "-", "\u00d7": "*", "\u00f7": "/", "\u2264": "<=", "\u2265": ">=",
    "\u2260": "!=", "\u2026": "..", "&": "and", "|": "or", "#": "//", "!": "not ",
}  # fmt: skip
"""What stands in the language for signs that only look like it, or that other languages use."""


# ---- What is expected


def accepted(tables: Tables, stack: list[Row]) -> set[int]:
    """The terminals with which the text could really go on."""
    return {t for t in stack[-1] if 0 <= t <= tables.end and _accepts(stack, t)}


def _accepts(stack: list[Row], terminal: int) -> bool:
    below = len(stack)  # the part of the stack that is still untouched
    above: list[Row] = []
    row, action = stack[-1], stack[-1].get(terminal)
    while type(action) is tuple:
        count, key = action[:2]
        fewer = min(count, len(above))
        del above[len(above) - fewer :]
        below -= count - fewer
        row, action = (above[-1] if above else stack[below - 1])[key][terminal]
        above.append(row)
    return action is not None


@cache
def _beginnings(tables: Tables) -> dict[str, frozenset[int]]:
    """The terminals with which each nonterminal begins."""
    first: dict[int, set[int]] = {~i: set() for i in range(len(tables.nonterminals))}
    empty = {~rule.origin for rule in tables.rules if not rule.symbols}
    before = -1
    while before != (before := sum(map(len, first.values()))):
        for rule in tables.rules:
            for symbol in rule.symbols:
                first[~rule.origin] |= first[symbol] if symbol < 0 else {symbol}
                if symbol not in empty:
                    break
    return {name: frozenset(first[~i]) for i, name in enumerate(tables.nonterminals)}


@cache
def _infix(tables: Tables) -> frozenset[int]:
    """The terminals that go on with an expression."""
    second = (rule.symbols[1] for rule in tables.rules if rule.name in _INFIX)
    return frozenset(symbol for symbol in second if symbol >= 0)


def _terminal_phrase(tables: Tables, terminal: int) -> str:
    if terminal == tables.end:
        return "the end of the declaration"
    found = tables.terminals[terminal]
    return f"`{found.text}`" if found.kind != "pattern" else _PATTERNS.get(found.name, f"`{_example(found.text)}`")


def _example(regex: str) -> str:
    """The first of the signs that a pattern such as `(?:\\+=|\\-=)` lists."""
    return regex.removeprefix("(?:").split("|")[0].rstrip(")").replace("\\", "")


def expected(tables: Tables, stack: list[Row]) -> str:
    """What could stand at a place, as a phrase: "a name, `(` or `{`"."""
    terminals = accepted(tables, stack)
    phrases: list[str] = []
    for nonterminal, phrase in _PHRASES:
        beginning = _beginnings(tables).get(nonterminal, frozenset())
        if len(beginning) > 2 and beginning <= terminals:
            terminals -= beginning
            phrases.append(phrase)
    infix = _infix(tables) & terminals
    if len(infix) > 2:
        terminals -= infix
    kinds = ("pattern", "word", "sign", "")
    ends = [t.kind for t in tables.terminals] + [""]
    for kind in kinds:
        phrases += sorted(_terminal_phrase(tables, t) for t in terminals if ends[t] == kind and t != tables.end)
    if len(infix) > 2:
        phrases.append("an operator")
    if tables.end in terminals:
        phrases.append("the end of the declaration")
    if len(phrases) > MOST_EXPECTED:
        phrases[MOST_EXPECTED - 1 :] = ["something else"]
    return " or ".join(filter(None, [", ".join(phrases[:-1]), phrases[-1] if phrases else "nothing"]))


# ---- Findings


def explain(parser: Parser, source: Source, misparse: Misparse) -> Finding:
    """The finding of a parse that stopped."""
    tokens, at, lexer = misparse.tokens, misparse.at, parser.lexer
    start, end, text = tokens.starts[at], tokens.ends[at], tokens.texts[at]
    if tokens.terminals[at] == lexer.stray:
        return _stray(source, text, start)
    if misparse.reserved and misparse.reserved[-1][0] == at - 1 and _begins_operand(parser, tokens, at):
        return _misread(parser, source, misparse)
    unclosed = _unclosed(source, tokens)
    if unclosed is not None and unclosed < at:
        return _left_open(source, tokens, unclosed)
    if tokens.terminals[at] == lexer.end:
        start = tokens.starts[at - 1] if at else start
        message = "the declaration ends too early" if at else "there is no declaration"
        help = declared_idioms.cut_short(_place(parser, source, tokens, at)) or _help(parser, source, tokens, at)
        return Finding("E001", source, start, end, message, help)
    message = "a string is not expected here" if text[0] == '"' else f"`{_shortened(text)}` is not expected here"
    field = at and tokens.texts[0] == "card" and stopping.innermost(tokens.texts[:at]) == "{"
    if field and _is_value(text) and _may_follow(parser, misparse, ":"):
        name, behind = tokens.texts[at - 1], tokens.ends[at - 1]
        fix = Fix(f"write `{_shortened(name)}:`", (Edit(source, behind, behind, ":"),), safe=True)
        help = f"write `{_shortened(name)}: …`"
        return Finding("E001", source, start, end, message, help, fix=fix)
    found = idioms.meant(_place(parser, source, tokens, at))
    if found is not None:
        return Finding("E001", source, start, end, message, found[0], _open_label(source, tokens, at), fix=found[1])
    if text == "=" and _compares(parser, accepted(parser.tables, misparse.stack)):
        fix = Fix("write `==`", (Edit(source, start, end, "=="),), safe=True)
        return Finding("E001", source, start, end, message, "two things are compared by `==`", fix=fix)
    fraction = at > 1 and text.isdigit() and tokens.texts[at - 1] == "." and tokens.texts[at - 2].isdigit()
    help = "numbers are whole" if fraction else _help(parser, source, tokens, at)
    return Finding("E001", source, start, end, message, help, _open_label(source, tokens, at))


def _place(parser: Parser, source: Source, tokens: Tokens, at: int) -> stopping.Place:
    could = _could(parser.tables, _stack_before(parser, source, tokens, at))
    return stopping.Place(source, tokens.texts[:-1], tokens.starts, tokens.ends, at, could)


def _could(tables: Tables, stack: list[Row]) -> frozenset[str]:
    """What could stand there: words and signs by their text, patterns by their names."""
    found = (tables.terminals[t] for t in accepted(tables, stack) if t < tables.end)
    texts = {t.name if t.kind == "pattern" and t.name in _PATTERNS else t.text for t in found}
    # a pattern of signs stands for each of them
    return frozenset(part for text in texts for part in _signs(text))


def _signs(text: str) -> list[str]:
    return text.removeprefix("(?:").removesuffix(")").replace("\\", "").split("|") if text.startswith("(?:") else [text]


def _help(parser: Parser, source: Source, tokens: Tokens, at: int) -> str:
    return f"expected {expected(parser.tables, _stack_before(parser, source, tokens, at))}"


def _misread(parser: Parser, source: Source, misparse: Misparse) -> Finding:
    """The finding of a reserved word that was read as a name, so that the next token made no sense."""
    tokens = misparse.tokens
    i, row = misparse.reserved[-1]
    word, start, end = tokens.texts[i], tokens.starts[i], tokens.ends[i]
    if _only_name(parser.tables, row):
        return _reserved(source, word, start, end)
    message = f"`{word}` is not expected here"
    help, fix = idioms.meant(_place(parser, source, tokens, i)) or (_help(parser, source, tokens, i), None)
    return Finding("E001", source, start, end, message, help, fix=fix)


def _stray(source: Source, text: str, start: int) -> Finding:
    if text == '"':
        line = source.text.find("\n", start)
        end = len(source.text) if line < 0 else line
        shown = source.text[start:end].rstrip()
        help = 'expected `"` on the same line'
        return Finding("E002", source, start, start + len(shown), "the string is not closed", help)
    message = f"the character {character_name(text)} is not used in the language"
    fix = _written(source, text, start)
    return Finding("E001", source, start, start + 1, message, _ADVICE.get(text) or _of_its_sort(text), fix=fix)


def _of_its_sort(sign: str) -> str:
    """What to do about a sign that nobody means for another."""
    if sign.isalpha():
        return "names have the letters a to z, digits and `_`; texts may have any"
    if sign.isspace():
        return "write a plain space"
    if unicodedata.category(sign) == "Cf":
        return "remove it: it cannot be seen"
    return "it may stand in texts and in comments"


def _written(source: Source, sign: str, start: int) -> Fix | None:
    """What is meant by a sign that is not used in the language."""
    text, end = source.text, start + 1
    if sign in _QUOTES:
        line = text.find("\n", end)
        closing = next((i for i in range(end, len(text) if line < 0 else line) if text[i] in _QUOTES), None)
        if closing is None or '"' in text[end:closing] or "\\" in text[end:closing]:
            return None
        return Fix('write `"`', (Edit(source, start, end, '"'), Edit(source, closing, closing + 1, '"')), safe=True)
    meant = " " if sign.isspace() else _MEANT.get(sign)
    if unicodedata.category(sign) == "Cf":
        meant = ""
    if meant is None:
        return None
    if sign == ";" and not text[end : end + 1].strip():
        meant = ""
    safe = sign not in "!#"  # `!a == b` may be meant in two ways, and what follows `#` may be no comment
    if sign in "&|":
        safe = text[end : end + 1] == sign  # one of them works on bits elsewhere
        end += safe
        before = text[start - 1 : start].strip()
        after = text[end : end + 1].strip()
        meant = f"{' ' if before else ''}{meant}{' ' if after else ''}"
    title = f"write `{meant.strip()}`" if meant.strip() else "leave it out"
    return Fix(title, (Edit(source, start, end, meant),), safe)


def _is_value(text: str) -> bool:
    return text[0].isdigit() or text in ("[", "-", "true", "false", "none")


def _may_follow(parser: Parser, misparse: Misparse, sign: str) -> bool:
    """Whether this sign could stand where the parse stopped."""
    tables = parser.tables
    return any(tables.terminals[t].text == sign for t in accepted(tables, misparse.stack) if t < tables.end)


def _compares(parser: Parser, terminals: set[int]) -> bool:
    """Whether a comparison could go on here."""
    return any(parser.tables.terminals[t].name == "COMPARE" for t in terminals if t < parser.tables.end)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _begins_operand(parser: Parser, tokens: Tokens, at: int) -> bool:
    terminal = tokens.terminals[at]
    return terminal != parser.lexer.end and (tokens.texts[at][0].isalnum() or tokens.texts[at][0] in '"_')


def _only_name(tables: Tables, row: Row) -> bool:
    return [t for t in row if t >= 0] == [tables.name]


def _stack_before(parser: Parser, source: Source, tokens: Tokens, at: int) -> list[Row]:
    """The stack of the parser before it has done anything about token `at`: all that could stand there is open."""
    place = tokens.starts[at]
    until = Tokens(
        [*tokens.terminals[:at], parser.lexer.stray, parser.lexer.end],
        [*tokens.texts[:at], "", ""],
        [*tokens.starts[:at], place, place],
        [*tokens.ends[:at], place, place],
    )
    stopped = parser.drive(source.text, until)
    return cast("Misparse", stopped).stack


# ---- Brackets


def _unclosed(source: Source, tokens: Tokens) -> int | None:
    """The bracket that is probably not closed: by the lines' indentation, or else the innermost one left open."""
    brackets = Brackets()
    pairs = [(brackets.meet(text, i), i) for i, text in enumerate(tokens.texts)]
    if not brackets.open:
        return None
    for i, closed in pairs:
        if i is None or tokens.texts[i] != "{":
            continue
        opening, closing = source.line(tokens.starts[i]), source.line(tokens.starts[closed])
        first_on_line = source.line(tokens.ends[closed - 1]) < closing
        if first_on_line and opening < closing and _indent(source, opening) != _indent(source, closing):
            return i
    return brackets.open[-1][1]


def _indent(source: Source, line: int) -> int:
    text = source.line_text(line)
    return len(text) - len(text.lstrip())


def _left_open(source: Source, tokens: Tokens, i: int) -> Finding:
    text = tokens.texts[i]
    last = tokens.ends[-2]
    label = Label(source, tokens.starts[i], tokens.ends[i], "opened here")
    closer = next(close for close, opener in CLOSERS.items() if opener == text)
    message = f"`{text}` is still open where the declaration ends"
    return Finding("E002", source, last - 1, last, message, f"`{closer}` is missing", (label,))


def _open_label(source: Source, tokens: Tokens, at: int) -> tuple[Label, ...]:
    """Where the bracket opened that a wrong closing bracket meets."""
    brackets = Brackets()
    for i in range(at):
        brackets.meet(tokens.texts[i], i)
    if tokens.texts[at] not in CLOSERS or not brackets.open or brackets.open[-1][0] == CLOSERS[tokens.texts[at]]:
        return ()
    text, i = brackets.open[-1]
    return (Label(source, tokens.starts[i], tokens.ends[i], f"`{text}` is open"),)


# ---- Reserved words


def reserved_name(parser: Parser, source: Source, parsed: Parsed) -> Finding | None:
    """The first reserved word of a healthy tree that is used as a name where it could be misread.

    That is where nothing but a name may stand, except before `:` and where such names are always written after a
    `.`, as a verb or as an operand; and there, if the word means something else where the name is later written."""
    tables, tokens = parser.tables, parsed.tokens
    nodes = walk(parsed.tree)
    operands = {name.span[0] for node in nodes for name in _always_operands(node)}
    for i, row in parsed.reserved:
        if tokens.starts[i] in operands:
            continue
        if _only_name(tables, row) and tokens.texts[i + 1] != ":" and tokens.texts[i - 1] not in _FREE_AFTER:
            return _reserved(source, tokens.texts[i], tokens.starts[i], tokens.ends[i])
    words = expression_words(tables)
    if not any(tokens.texts[i] in words or tokens.texts[i - 1] in ("state", "slot") for i, _ in parsed.reserved):
        return None
    found: list[n.Ident] = []
    for node in nodes:
        found += [name for name in _first_in_lines(node) if name.text in tables.reserved]
        found += [name for name in _first_in_expressions(node) if name.text in words]
    for name in sorted(found, key=lambda name: name.span):
        return _reserved(source, name.text, *name.span)
    return None


def _reserved(source: Source, word: str, start: int, end: int) -> Finding:
    return Finding("E007", source, start, end, f"`{word}` is a reserved word", "another name is needed here")


@cache
def expression_words(tables: Tables) -> frozenset[str]:
    """The keywords with which expressions begin."""
    begin = _beginnings(tables)["expr"]
    return frozenset(t.text for i, t in enumerate(tables.terminals) if i in begin and t.kind == "word")


def _first_in_lines(node: n.Node) -> Iterable[n.Ident]:
    """The names declared by a node with which statements or lines of cards begin."""
    match node:
        case n.StateDecl(n.Field(name)) | n.SlotDecl(name):
            return (name,)
        case _:
            return ()


def _always_operands(node: n.Node) -> Iterable[n.Ident]:
    """The names declared by a node that are written where an operand is expected, and never begin a statement."""
    match node:
        case n.EnumMember(name):
            return (name,)
        case n.WordsType(names):
            return names
        case _:
            return ()


def _first_in_expressions(node: n.Node) -> Iterable[n.Ident]:
    """The names declared by a node with which expressions begin."""
    match node:
        case n.ZoneDecl(name) | n.OptionDecl(name) | n.UnseenDecl(name) | n.BoardDecl(name) | n.Pick(_, name):
            return (name,)
        case n.ValueDecl(_, params) | n.EffectDecl(_, params):
            return [param.name for param in params]
        case _:
            return _always_operands(node)
