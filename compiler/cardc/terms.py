"""The nodes of names, types and expressions; `cardc.nodes` has them all."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias

from msgspec import Struct

Span: TypeAlias = tuple[int, int]


class _Said(dict[type["Spanned"], Callable[[Any], object]]):
    """By class, what its members say: all of their fields but the span."""

    def __missing__(self, cls: type[Spanned]) -> Callable[[Any], object]:
        names = [name for name in cls.__struct_fields__ if name != "span"]
        said = self[cls] = attrgetter(*names) if names else type
        return said


_said = _Said()


class Spanned(Struct, frozen=True):
    """Anything that has a `span` in a source. Two that say the same are equal, wherever they stand."""

    def __eq__(self, other: object) -> bool:
        cls = type(self)
        return type(other) is cls and bool(_said[cls](self) == _said[cls](other))

    def __hash__(self) -> int:
        return hash(_said[type(self)](self))


class Node(Spanned, frozen=True, kw_only=True):
    """Anything in the tree."""

    span: Span = (0, 0)


class Ident(Node, frozen=True):
    """A name where it stands."""

    text: str


# ---- Types


class NamedType(Node, frozen=True):
    """`int`, `bool`, `player`, an enum, a kind or a board element, `unit in lanes` with its place."""

    name: Ident
    place: Ident | None = None


class RangeType(Node, frozen=True):
    """`0..8`, `0 or more` (no upper bound)."""

    low: Expr
    high: Expr | None


class SetType(Node, frozen=True):
    item: TypeExpr


class ListType(Node, frozen=True):
    item: TypeExpr


class OptionalType(Node, frozen=True):
    item: TypeExpr


class WordsType(Node, frozen=True):
    """An enum written in place: `{ ascending, left_to_right }`."""

    members: tuple[Ident, ...]


TypeExpr: TypeAlias = NamedType | RangeType | SetType | ListType | OptionalType | WordsType


# ---- Expressions


class Number(Node, frozen=True):
    value: int


class Truth(Node, frozen=True):
    value: bool


class Nothing(Node, frozen=True):
    """`none`."""


class Text(Node, frozen=True):
    """A string; in expressions only tests have them."""

    value: str


class Name(Node, frozen=True):
    id: str


class Member(Node, frozen=True):
    base: Expr
    name: Ident


class Index(Node, frozen=True):
    base: Expr
    index: Expr


class Arg(Node, frozen=True):
    name: Ident | None
    value: Expr


class Call(Node, frozen=True):
    name: Ident
    args: tuple[Arg, ...]


class Method(Node, frozen=True):
    """`territory.at(0, 0)`."""

    base: Expr
    name: Ident
    args: tuple[Arg, ...]


class Aggregate(Node, frozen=True):
    """`count(x in S where c)`, `sum(e for x in S)`, also `any`, `all`; `body` is what stands before `for`."""

    op: Ident
    body: Expr | None
    var: Ident
    source: Expr
    where: Expr | None


class Listing(Node, frozen=True):
    """`[e for x in S where c]`."""

    body: Expr
    var: Ident
    source: Expr
    where: Expr | None


class ListLit(Node, frozen=True):
    items: tuple[Expr, ...]


class The(Node, frozen=True):
    """`the x in S where c`: the first one, or none."""

    var: Ident
    source: Expr
    where: Expr | None


class Unary(Node, frozen=True):
    op: str
    operand: Expr


class Binary(Node, frozen=True):
    """Arithmetic, comparison, `and`, `or`, `has`, `meets`, `sees`."""

    op: str
    left: Expr
    right: Expr


class Is(Node, frozen=True):
    """`x is none`, `x is empty`, `x is in P`, `x is KIND`; `what` is the word after `is`."""

    operand: Expr
    negated: bool
    what: Ident
    place: Expr | None = None


class IfExpr(Node, frozen=True):
    cond: Expr
    then: Expr
    other: Expr


class Random(Node, frozen=True):
    """`random from S`, `random 3 from S`."""

    count: Expr | None
    source: Expr


class New(Node, frozen=True):
    """`new oracle`, in tests."""

    name: Ident


Expr: TypeAlias = (
    Number | Truth | Nothing | Text | Name | Member | Index | Call | Method | Aggregate | Listing | ListLit | The
    | Unary | Binary | Is | IfExpr | Random | New
)
