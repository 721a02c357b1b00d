"""The nodes of statements and of the lines of abilities; `cardc.nodes` has them all."""

from __future__ import annotations

from typing import TypeAlias

from cardc.terms import Call, Expr, Ident, Node, Text, TypeExpr


class Block(Node, frozen=True):
    items: tuple[Item, ...]


class Let(Node, frozen=True):
    name: Ident
    value: Expr


class Assign(Node, frozen=True):
    """`target = value`, also `+=`, `-=`; in `given` only `=`."""

    target: Expr
    op: str
    value: Expr


class CallStmt(Node, frozen=True):
    call: Call


class Move(Node, frozen=True):
    what: Expr
    to: Expr
    bottom: bool
    facing: Expr | None


class Draw(Node, frozen=True):
    count: Expr
    source: Expr
    to: Expr


class Copy(Node, frozen=True):
    what: Expr
    to: Expr


class Shuffle(Node, frozen=True):
    what: Expr


class Reveal(Node, frozen=True):
    what: Expr
    to: Expr | None


class Run(Node, frozen=True):
    slot: Expr


class If(Node, frozen=True):
    cond: Expr
    then: Block
    other: Block | None


class ForEach(Node, frozen=True):
    var: Ident
    source: Expr
    start: Expr | None
    where: Expr | None
    by: Expr | None
    body: Block


class Repeat(Node, frozen=True):
    count: Expr
    period: Ident | None
    body: Block


class Together(Node, frozen=True):
    """`together { … }`; with `var`, `together each var in source from start { … }`."""

    var: Ident | None
    source: Expr | None
    start: Expr | None
    body: Block


class Loop(Node, frozen=True):
    period: Ident | None
    body: Block


class Alternate(Node, frozen=True):
    var: Ident
    start: Expr
    period: Ident | None
    cond: Expr | None
    body: Block


class While(Node, frozen=True):
    cond: Expr
    body: Block


class Stop(Node, frozen=True):
    pass


class Finish(Node, frozen=True):
    """`win p "why"`, `lose p "why"`, `tie "why"`; `kind` is that word."""

    kind: str
    player: Expr | None
    reason: Text | None


class Pick(Node, frozen=True):
    """One part of an option: `c: unit in p.hand where …`, `n: 0..4`, `maybe boosted where …`."""

    maybe: bool
    name: Ident
    type: TypeExpr | None
    source: Expr | None
    where: Expr | None


class Alternative(Node, frozen=True):
    verb: Ident
    picks: tuple[Pick, ...]
    label: Text | None
    when: Expr | None
    body: Block


class Choose(Node, frozen=True):
    who: Expr
    may: bool
    alternatives: tuple[Alternative, ...]
    other: Block | None


class Until(Node, frozen=True):
    """`until used { lines }` (`period` is None), `until end of round { lines }`."""

    period: Ident | None
    body: Block


class Exchange(Node, frozen=True):
    """`exchange capacity, boost of a with b`."""

    slots: tuple[Ident, ...]
    first: Expr
    second: Expr


class Modifier(Node, frozen=True):
    """`number(self.lane) += 1 when … priority 1`."""

    call: Call
    op: str
    value: Expr
    when: Expr | None
    priority: int


class On(Node, frozen=True):
    """`on EVENT(…) when … priority … { … }`; with alternatives, `on EVENT(…) may …`."""

    call: Call
    when: Expr | None
    priority: int
    body: Block | None
    offers: tuple[Alternative, ...]


class Instead(Node, frozen=True):
    call: Call
    when: Expr | None
    priority: int
    body: Block


class Once(Node, frozen=True):
    period: Ident
    body: Block


Statement: TypeAlias = (
    Let | Assign | CallStmt | Move | Draw | Copy | Shuffle | Reveal | Run | If | ForEach | Repeat | Together | Loop
    | Alternate | While | Stop | Finish | Choose | Until | Exchange
)
Line: TypeAlias = Modifier | On | Instead | Once
Item: TypeAlias = Statement | Line
