"""One canonical form of a `.card` file: its spaces and indentation; where lines end is the author's.

Assumes a file that parses. Establishes: the same tree, comments where they were, and that formatting again changes
nothing. What is
set: one space between words and around operators, two between members on one line, two a level of indentation, a blank
line at most.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from msgspec import Struct

from cardc import nodes as n
from cardc.findings import Finding
from cardc.nesting import walk
from cardc.parse import parse_file
from cardc.source import Source

_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*)|(?P<text>"(?:[^"\\\n]|\\[^\n])*")|(?P<rule>(?<![A-Za-z0-9_])[A-Z]+-[0-9]+[a-z]?(?![A-Za-z0-9_]))'
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>[0-9]+)|(?P<sign>\.\.|[=!<>+\-*]=|[^\s\w])"
)
_ITEMS = (
    n.Field, n.FlagDecl, n.SlotDecl, n.FormDecl, n.BoardPlace, n.Setting, n.LintSetting, n.CardField, n.CardFlag,
    n.CardSlot, n.CardForm,
    n.Let, n.Assign, n.CallStmt, n.Move, n.Draw, n.Copy, n.Shuffle, n.Reveal, n.Run, n.If, n.ForEach, n.Repeat,
    n.Together,
    n.Loop, n.Alternate, n.While, n.Stop, n.Finish, n.Choose, n.Until, n.Exchange, n.Modifier, n.On, n.Instead, n.Once,
    n.DeckInto, n.DeckRule, n.Cases, n.Given, n.GivenOption, n.GivenChance, n.WhenCall, n.WhenPart, n.Answer, n.Expect,
    n.ExpectEnd,
)  # fmt: skip
# After these words a `-` is a sign of the number that follows, not an operator.
_BEFORE_VALUES = frozenset(
    [
        "and",
        "or",
        "not",
        "if",
        "then",
        "else",
        "is",
        "in",
        "has",
        "meets",
        "sees",
        "from",
        "to",
        "where",
        "when",
        "by",
        "priority",
        "expect",
        "run",
        "move",
        "draw",
        "shuffle",
        "reveal",
        "copy",
        "repeat",
        "while",
        "win",
        "lose",
        "for",
        "with",
        "of",
        "most",
    ]
)


class Token(Struct, frozen=True):
    """A token or a comment; `breaks` is how many line ends stand before it."""

    kind: str
    text: str
    start: int
    breaks: int


class Shape:
    """What the tree says of a file's offsets: where members and alternatives begin, and which words are rules."""

    def __init__(self, text: str, decls: list[n.Decl]) -> None:
        self.starts = {d.span[0] for d in decls}
        self.helps: set[int] = set()
        self.columns: set[int] = set()
        self.items: dict[int, int] = {}
        self.alternatives: dict[int, int] = {}
        self.headers: list[tuple[int, int]] = []
        self.covers: list[tuple[int, int]] = []
        params: set[int] = set()
        for d in decls:
            self.items[d.span[0]] = d.span[1]
            if isinstance(d, n.CardDecl | n.KindDecl):
                self.headers.append(d.span)
            if isinstance(d, n.TestDecl) and d.covers:
                self.covers.append((d.covers[0].span[0], d.covers[-1].span[1]))
            if isinstance(d, n.TestDecl) and d.cases is not None:
                self.columns.add(text.rindex("(", 0, d.cases.columns[0].span[0]))
            if isinstance(d, n.EnumDecl) and d.columns:
                self.columns.add(text.index("(", d.name.span[1]))
            for node in walk(d):
                help = getattr(node, "help", None)
                if isinstance(help, n.Text):
                    self.helps.add(help.span[0])
                if isinstance(node, n.ValueDecl | n.EffectDecl | n.SlotDecl | n.FormDecl):
                    params.update(p.span[0] for p in node.params)
                elif isinstance(node, n.EnumDecl):
                    params.update(c.span[0] for c in node.columns)
                elif isinstance(node, n.Alternative):
                    self.alternatives[node.span[0]] = node.span[1]
            for node in walk(d):
                if (
                    isinstance(node, _ITEMS)
                    and node.span[0] not in params
                    and not isinstance(d, n.StateDecl | n.ValueDecl)
                ):
                    self.items[node.span[0]] = max(node.span[1], self.items.get(node.span[0], 0))
            if isinstance(d, n.StateDecl):
                self.items.pop(d.field.span[0], None)
                self.items[d.span[0]] = d.span[1]
            if isinstance(d, n.KindDecl):
                for f in d.states:  # a state's field begins behind the word `state`
                    end = self.items.pop(f.span[0])
                    self.items[text.rindex("state", 0, f.span[0])] = end

    def rule(self, at: int) -> bool:
        return any(a <= at < b for a, b in self.covers)

    def header(self, at: int) -> bool:
        i = bisect_right(self.headers, (at, at)) - 1
        return i >= 0 and self.headers[i][0] <= at < self.headers[i][1]


def tokens(text: str, shape: Shape) -> list[Token]:
    out: list[Token] = []
    at = 0
    end = 0
    while (found := _TOKEN.search(text, at)) is not None:
        kind, word, start = found.lastgroup or "", found.group(), found.start()
        at = found.end()
        if kind == "rule" and not shape.rule(start):
            word = re.match(r"[A-Z]+", word).group()  # type: ignore[union-attr]
            kind, at = "word", start + len(word)
        if kind == "comment":
            word = word.rstrip()
        out.append(Token(kind, word, start, text.count("\n", end, start)))
        end = at
    return out


class Writer:
    """Writes the tokens of a file, keeping track of what is open."""

    def __init__(self, text: str, shape: Shape) -> None:
        self.shape = shape
        self.tokens = tokens(text, shape)
        self.lines: list[str] = []
        self.out: list[str] = []
        self.tail: int | None = None
        self.tails: list[int | None] = []
        self.indent = 0
        self.opened: list[tuple[str, int]] = []
        self.anchors: list[tuple[int, int]] = []

    def run(self) -> str:
        for i, t in enumerate(self.tokens):
            self.leave(t)
            before = self.tokens[i - 1] if i else None
            fresh = before is None or t.breaks > 0 or before.kind == "comment"
            if fresh:
                self.line(i, t, before)
            elif before is not None:
                if self.tail is None and (t.kind == "comment" or t.start in self.shape.helps):
                    self.tail = len("".join(self.out))
                self.out.append(self.gap(i, before, t))
            self.out.append(t.text)
            self.enter(t)
        self.end_line()
        return "".join(line + "\n" for line in self.aligned())

    def end_line(self) -> None:
        if self.out:
            self.lines.append("".join(self.out))
            self.tails.append(self.tail)
        self.out, self.tail = [], None

    def aligned(self) -> list[str]:
        """The lines, with the help texts and comments of neighbouring lines under each other."""
        out = self.lines[:]
        i = 0
        while i < len(out):
            j = i
            while j < len(out) and self.tails[j] is not None:
                j += 1
            column = max((t for t in self.tails[i:j] if t is not None), default=0)
            for k in range(i, j):
                tail = self.tails[k]
                assert tail is not None
                out[k] = out[k][:tail] + " " * (column - tail) + out[k][tail:]
            i = max(j, i + 1)
        return out

    def leave(self, t: Token) -> None:
        while self.anchors and t.start >= self.anchors[-1][0]:
            self.anchors.pop()

    def enter(self, t: Token) -> None:
        for table in (self.shape.items, self.shape.alternatives):
            if t.start in table and t.kind != "comment":
                self.anchors.append((table[t.start], self.indent))
        if t.text in "{([" and t.kind == "sign":
            self.opened.append((t.text, self.indent))
        elif t.text in "})]" and t.kind == "sign" and self.opened:
            self.opened.pop()

    def line(self, i: int, t: Token, before: Token | None) -> None:
        """Begin a line: a blank one in front where the author had one, and its indentation."""
        if before is not None:
            self.end_line()
            if t.breaks > 1 and before.text != "{" and t.text != "}":
                self.lines.append("")
                self.tails.append(None)
        self.indent = self.depth(i, t)
        if t.kind != "comment" and t.text != "}" and t.start not in self.shape.starts:
            self.indent = max(self.indent, 2)  # in column 1 stand declarations and their closing braces alone
        self.out.append(" " * self.indent)

    def depth(self, i: int, t: Token) -> int:
        if t.kind == "comment":
            at = i + 1
            while at < len(self.tokens) and self.tokens[at].kind == "comment":
                at += 1
            if at == len(self.tokens):
                return self.inside()
            following = self.tokens[at]
            if following.text in "})]" and following.kind == "sign":
                return self.inside()
            return self.depth(at, following)
        if t.text in "})]" and t.kind == "sign":
            return self.opened[-1][1] if self.opened else 0
        if t.start in self.shape.alternatives or t.text == "or":
            ends = [a for a in self.anchors if t.start < a[0]]
            if t.start in self.shape.alternatives or self.before_alternative(i):
                inner = self.statement(ends)
                return inner + 2
        if t.start in self.shape.items:
            return self.inside()
        if t.text == "else" and i > 0 and self.previous(i).text == "}":
            return self.statement([a for a in self.anchors if t.start < a[0]])
        ends = [a for a in self.anchors if t.start < a[0]]
        floor = self.inside()
        return max(floor, ends[-1][1] + 2) if ends else floor

    def previous(self, i: int) -> Token:
        """The token before, comments left out."""
        at = i - 1
        while at >= 0 and self.tokens[at].kind == "comment":
            at -= 1
        return self.tokens[at] if at >= 0 else self.tokens[i]

    def before_alternative(self, i: int) -> bool:
        return i + 1 < len(self.tokens) and self.tokens[i + 1].start in self.shape.alternatives

    def statement(self, ends: list[tuple[int, int]]) -> int:
        return ends[-1][1] if ends else self.inside()

    def inside(self) -> int:
        braces = [indent for sign, indent in self.opened if sign == "{"]
        return braces[-1] + 2 if braces else 0

    def gap(self, i: int, a: Token, b: Token) -> str:
        """What stands between two tokens of one line."""
        if b.kind == "comment":
            return "  "
        if a.text == "{" and a.kind == "sign":
            return "" if b.text == "}" else " "
        if b.text == "}" and b.kind == "sign":
            return " "
        if b.start in self.shape.helps:
            return "  "
        if b.start in self.shape.items and not (a.text == "else" and a.kind == "word"):
            return "  " if self.opened and self.opened[-1][0] == "{" else " "
        if a.kind == "sign" and a.text in ("(", "[", ".", ".."):
            return ""
        if b.kind == "sign" and b.text in (")", "]", ",", ".", "..", "?"):
            return ""
        if b.text == ":" and b.kind == "sign":
            return " " if self.shape.header(b.start) and not self.opened else ""
        if b.text == "(" and b.kind == "sign":
            if b.start in self.shape.columns:
                return " "
            return "" if a.kind == "word" and self.called(i) else " "
        if b.text == "[" and b.kind == "sign":
            return "" if (a.kind == "word" and a.text not in _BEFORE_VALUES) or a.text in (")", "]") else " "
        if a.text == "-" and a.kind == "sign" and self.unary(i - 1):
            return ""
        return " "

    def called(self, i: int) -> bool:
        """Whether the `(` at `i` follows a name that is called, as its author wrote it without a space or not."""
        word = self.tokens[i - 1].text
        return word not in _BEFORE_VALUES and not (word == "facing" or word == "choose")

    def unary(self, i: int) -> bool:
        before = self.tokens[i - 1] if i else None
        if before is None or before.kind in ("comment", "text"):
            return True
        if before.kind == "word":
            return before.text in _BEFORE_VALUES
        return before.kind == "sign" and before.text not in (")", "]")


def format_text(source: Source) -> tuple[str | None, list[Finding]]:
    """The canonical text of a file, with the file's own line ends; None, and why, where it does not parse."""
    decls, findings = parse_file(source)
    if any(f.severity == "error" for f in findings):
        return None, findings
    text = Writer(source.text, Shape(source.text, decls)).run()
    again, found = parse_file(Source(source.path, text))
    assert not found and again == decls, f"formatting would change what {source.path} says"
    if "\r\n" in source.text:
        text = text.replace("\n", "\r\n")
    return text, []


def format_lines(source: Source, first: int, last: int) -> tuple[str | None, list[Finding]]:
    """The file with only those declarations formatted that touch the lines `first` to `last`, for editors."""
    whole, findings = format_text(source)
    if whole is None:
        return None, findings
    old, _ = parse_file(source)
    new_source = Source(source.path, whole)
    new, _ = parse_file(new_source)
    out: list[str] = []
    at = 0
    for a, b in zip(old, new, strict=True):
        touched = source.line(a.span[0]) <= last and source.line(max(a.span[1] - 1, a.span[0])) >= first
        out.append(source.text[at : a.span[0]])
        out.append(whole[b.span[0] : b.span[1]] if touched else source.text[a.span[0] : a.span[1]])
        at = a.span[1]
    out.append(source.text[at:])
    return "".join(out), []
