"""The nodes of statements and of the lines of abilities; `cardc.nodes` has them all."""

from __future__ import annotations

from typing import TypeAlias

from cardc.records import record
from cardc.terms import Call, Expr, Ident, Node, Text, TypeExpr


@record(frozen=True, slots=True)
class Block(Node):
    items: tuple[Item, ...]


@record(frozen=True, slots=True)
class Let(Node):
    name: Ident
    value: Expr


@record(frozen=True, slots=True)
class Assign(Node):
    """`target = value`, also `+=`, `-=`; in `given` only `=`."""

    target: Expr
    op: str
    value: Expr


@record(frozen=True, slots=True)
class CallStmt(Node):
    call: Call


@record(frozen=True, slots=True)
class Move(Node):
    what: Expr
    to: Expr
    bottom: bool
    facing: Expr | None


@record(frozen=True, slots=True)
class Draw(Node):
    count: Expr
    source: Expr
    to: Expr


@record(frozen=True, slots=True)
class Copy(Node):
    what: Expr
    to: Expr


@record(frozen=True, slots=True)
class Shuffle(Node):
    what: Expr


@record(frozen=True, slots=True)
class Reveal(Node):
    what: Expr
    to: Expr | None


@record(frozen=True, slots=True)
class Run(Node):
    slot: Expr


@record(frozen=True, slots=True)
class If(Node):
    cond: Expr
    then: Block
    other: Block | None


@record(frozen=True, slots=True)
class ForEach(Node):
    var: Ident
    source: Expr
    start: Expr | None
    where: Expr | None
    by: Expr | None
    body: Block


@record(frozen=True, slots=True)
class Repeat(Node):
    count: Expr
    period: Ident | None
    body: Block


@record(frozen=True, slots=True)
class Together(Node):
    """`together { … }`; with `var`, `together each var in source from start { … }`."""

    var: Ident | None
    source: Expr | None
    start: Expr | None
    body: Block


@record(frozen=True, slots=True)
class Loop(Node):
    period: Ident | None
    body: Block


@record(frozen=True, slots=True)
class Alternate(Node):
    var: Ident
    start: Expr
    period: Ident | None
    cond: Expr | None
    body: Block


@record(frozen=True, slots=True)
class While(Node):
    cond: Expr
    body: Block


@record(frozen=True, slots=True)
class Stop(Node):
    pass


@record(frozen=True, slots=True)
class Finish(Node):
    """`win p "why"`, `lose p "why"`, `tie "why"`; `kind` is that word."""

    kind: str
    player: Expr | None
    reason: Text | None


@record(frozen=True, slots=True)
class Pick(Node):
    """One part of an option: `c: unit in p.hand where …`, `n: 0..4`, `maybe boosted where …`."""

    maybe: bool
    name: Ident
    type: TypeExpr | None
    source: Expr | None
    where: Expr | None


@record(frozen=True, slots=True)
class Alternative(Node):
    verb: Ident
    picks: tuple[Pick, ...]
    label: Text | None
    when: Expr | None
    body: Block


@record(frozen=True, slots=True)
class Choose(Node):
    who: Expr
    may: bool
    alternatives: tuple[Alternative, ...]
    other: Block | None


@record(frozen=True, slots=True)
class Until(Node):
    """`until used { lines }` (`period` is None), `until end of round { lines }`."""

    period: Ident | None
    body: Block


@record(frozen=True, slots=True)
class Exchange(Node):
    """`exchange capacity, boost of a with b`."""

    slots: tuple[Ident, ...]
    first: Expr
    second: Expr


@record(frozen=True, slots=True)
class Modifier(Node):
    """`number(self.lane) += 1 when … priority 1`."""

    call: Call
    op: str
    value: Expr
    when: Expr | None
    priority: int


@record(frozen=True, slots=True)
class On(Node):
    """`on EVENT(…) when … priority … { … }`; with alternatives, `on EVENT(…) may …`."""

    call: Call
    when: Expr | None
    priority: int
    body: Block | None
    offers: tuple[Alternative, ...]


@record(frozen=True, slots=True)
class Instead(Node):
    call: Call
    when: Expr | None
    priority: int
    body: Block


@record(frozen=True, slots=True)
class Once(Node):
    period: Ident
    body: Block


Statement: TypeAlias = (
    Let | Assign | CallStmt | Move | Draw | Copy | Shuffle | Reveal | Run | If | ForEach | Repeat | Together | Loop
    | Alternate | While | Stop | Finish | Choose | Until | Exchange
)
Line: TypeAlias = Modifier | On | Instead | Once
Item: TypeAlias = Statement | Line
