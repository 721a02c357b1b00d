"""The nodes of names, types and expressions; `cardc.nodes` has them all."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from cardc.records import record

Span: TypeAlias = tuple[int, int]


@record(frozen=True, slots=True)
class Node:
    """Anything in the tree."""

    span: Span = field(default=(0, 0), compare=False, repr=False, kw_only=True)


@record(frozen=True, slots=True)
class Ident(Node):
    """A name where it stands."""

    text: str


# ---- Types


@record(frozen=True, slots=True)
class NamedType(Node):
    """`int`, `bool`, `player`, an enum, a kind or a board element, `unit in lanes` with its place."""

    name: Ident
    place: Ident | None = None


@record(frozen=True, slots=True)
class RangeType(Node):
    """`0..8`, `0 or more` (no upper bound)."""

    low: Expr
    high: Expr | None


@record(frozen=True, slots=True)
class SetType(Node):
    item: TypeExpr


@record(frozen=True, slots=True)
class ListType(Node):
    item: TypeExpr


@record(frozen=True, slots=True)
class OptionalType(Node):
    item: TypeExpr


@record(frozen=True, slots=True)
class WordsType(Node):
    """An enum written in place: `{ ascending, left_to_right }`."""

    members: tuple[Ident, ...]


TypeExpr: TypeAlias = NamedType | RangeType | SetType | ListType | OptionalType | WordsType


# ---- Expressions


@record(frozen=True, slots=True)
class Number(Node):
    value: int


@record(frozen=True, slots=True)
class Truth(Node):
    value: bool


@record(frozen=True, slots=True)
class Nothing(Node):
    """`none`."""


@record(frozen=True, slots=True)
class Text(Node):
    """A string; in expressions only tests have them."""

    value: str


@record(frozen=True, slots=True)
class Name(Node):
    id: str


@record(frozen=True, slots=True)
class Member(Node):
    base: Expr
    name: Ident


@record(frozen=True, slots=True)
class Index(Node):
    base: Expr
    index: Expr


@record(frozen=True, slots=True)
class Arg(Node):
    name: Ident | None
    value: Expr


@record(frozen=True, slots=True)
class Call(Node):
    name: Ident
    args: tuple[Arg, ...]


@record(frozen=True, slots=True)
class Method(Node):
    """`territory.at(0, 0)`."""

    base: Expr
    name: Ident
    args: tuple[Arg, ...]


@record(frozen=True, slots=True)
class Aggregate(Node):
    """`count(x in S where c)`, `sum(e for x in S)`, also `any`, `all`; `body` is what stands before `for`."""

    op: Ident
    body: Expr | None
    var: Ident
    source: Expr
    where: Expr | None


@record(frozen=True, slots=True)
class Listing(Node):
    """`[e for x in S where c]`."""

    body: Expr
    var: Ident
    source: Expr
    where: Expr | None


@record(frozen=True, slots=True)
class ListLit(Node):
    items: tuple[Expr, ...]


@record(frozen=True, slots=True)
class The(Node):
    """`the x in S where c`: the first one, or none."""

    var: Ident
    source: Expr
    where: Expr | None


@record(frozen=True, slots=True)
class Unary(Node):
    op: str
    operand: Expr


@record(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic, comparison, `and`, `or`, `has`, `meets`, `sees`."""

    op: str
    left: Expr
    right: Expr


@record(frozen=True, slots=True)
class Is(Node):
    """`x is none`, `x is empty`, `x is in P`, `x is KIND`; `what` is the word after `is`."""

    operand: Expr
    negated: bool
    what: Ident
    place: Expr | None = None


@record(frozen=True, slots=True)
class IfExpr(Node):
    cond: Expr
    then: Expr
    other: Expr


@record(frozen=True, slots=True)
class Random(Node):
    """`random from S`, `random 3 from S`."""

    count: Expr | None
    source: Expr


@record(frozen=True, slots=True)
class New(Node):
    """`new oracle`, in tests."""

    name: Ident


Expr: TypeAlias = (
    Number | Truth | Nothing | Text | Name | Member | Index | Call | Method | Aggregate | Listing | ListLit | The
    | Unary | Binary | Is | IfExpr | Random | New
)
