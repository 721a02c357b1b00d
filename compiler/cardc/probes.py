"""The clauses of cards and rules, each with probes in the code that is made for a run of tests.

A clause is a statement, a line of a static slot, or what has a condition: an alternative of a choice, a pick, a search,
an `if` in an expression; a value that is true or false is one itself. What only bots read is none. Its probes are
`X("probe", (number, value))`: the value goes through the runner, which counts it (`cardc.coverage`) or puts another in
its place (`cardc.mutation`). A package that is built has none: the checker makes them only where it is given `Probes`.
"""

from __future__ import annotations

from msgspec import Struct, field

from cardc import nodes as n
from cardc.ir import TRUE, SIf, Stmt, X
from cardc.source import Source
from cardc.terms import Span
from cardc.types import BOOL

_LONGEST = 72
_CONDITIONS = n.Alternative | n.Pick | n.IfExpr | n.Aggregate | n.Listing | n.The | n.ValueDecl
"""What cannot be left out, only its condition be another."""


class Clause(Struct, frozen=True):
    """A clause of a card or a rule (`of` says which: `card cub`, `effect deal`, `value power`, `flow`), in `text` as
    its author wrote it, up to its block; `condition` is the text of its condition.

    `whole`: it can run, and be left out; else only its condition matters."""

    of: str
    path: str
    line: int
    column: int
    text: str
    condition: str | None
    whole: bool


class Probes(Struct):
    """The clauses met so far. Number `2 * i` in the code says that clause `i` runs, `2 * i + 1` what its condition
    is."""

    clauses: list[Clause] = field(default_factory=list)


class Spot(Struct):
    """Whose clauses are met: those of a slot of a card, an effect, `setup` or `flow`."""

    probes: Probes
    of: str
    source: Source
    numbers: dict[tuple[Span, type], int] = field(default_factory=dict)

    def number(self, node: n.Node) -> int:
        """The number of the clause that `node` is."""
        key = node.span, type(node)
        if key not in self.numbers:
            clauses = self.probes.clauses
            self.numbers[key] = len(clauses)
            start, condition = node.span[0], condition_of(node)
            said = None if condition is None else words(self.source, condition.span)
            whole = not isinstance(node, _CONDITIONS)
            clauses.append(
                Clause(
                    self.of, self.source.path, self.source.line(start), self.source.column(start),
                    head(self.source, node), said, whole,
                )
            )  # fmt: skip
        return self.numbers[key]

    def ran(self, node: n.Node) -> X:
        """True where the clause may run."""
        return X("probe", (2 * self.number(node), TRUE), BOOL)

    def guarded(self, node: n.Node, stmts: list[Stmt]) -> list[Stmt]:
        """The statements of a clause, run where it may."""
        return [SIf(self.ran(node), tuple(stmts), (), self.source.line(node.span[0]))]

    def tested(self, node: n.Node, condition: X) -> X:
        """The condition of a clause."""
        return X("probe", (2 * self.number(node) + 1, condition), BOOL, condition.span)


def condition_of(node: n.Node) -> n.Expr | None:
    match node:
        case n.If(cond=cond):
            return cond
        case n.ForEach(where=cond) | n.Pick(where=cond):
            return cond
        case n.While(cond=cond) | n.Alternate(cond=cond) | n.IfExpr(cond=cond):
            return cond
        case n.Aggregate(where=cond) | n.Listing(where=cond) | n.The(where=cond):
            return cond
        case n.ValueDecl(body=cond):
            return cond
        case n.Modifier(when=cond) | n.On(when=cond) | n.Instead(when=cond) | n.Alternative(when=cond):
            return cond
    return None


def head(source: Source, node: n.Node) -> str:
    """A clause on one line, without what stands in its block."""
    start, end = node.span
    text = source.text[start:end]
    at = _block(text)
    return words(source, (start, end)) if at is None else words(source, (start, start + at)) + " { … }"


def _block(text: str) -> int | None:
    """Where the first brace outside a string stands."""
    quoted = False
    for i, c in enumerate(text):
        if c == '"' and (i == 0 or text[i - 1] != "\\"):
            quoted = not quoted
        elif c == "{" and not quoted:
            return i
    return None


def words(source: Source, span: Span) -> str:
    """A piece of a source on one line, cut where it gets long."""
    text = " ".join(source.text[span[0] : span[1]].split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
