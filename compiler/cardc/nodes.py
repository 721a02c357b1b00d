"""The abstract syntax tree: frozen slotted dataclasses, a closed union.

Assumes nothing of meaning: names are text, types are unread. Every node ends in its `span`, the half-open
range of character offsets in its file, which takes no part in equality: two trees are equal when they say the same.
`card_grammar/ast.schema.json` is made from this module (`cardc.ast_json`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Node:
    """Anything in the tree."""

    span: Span = field(default=(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Ident(Node):
    """A name where it stands."""

    text: str


# ---- Types


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """`int`, `bool`, `player`, an enum, a kind or a board element, `unit in lanes` with its place."""

    name: Ident
    place: Ident | None = None


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    """`0..8`, `0 or more` (no upper bound)."""

    low: Expr
    high: Expr | None


@dataclass(frozen=True, slots=True)
class SetType(Node):
    item: TypeExpr


@dataclass(frozen=True, slots=True)
class ListType(Node):
    item: TypeExpr


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    item: TypeExpr


@dataclass(frozen=True, slots=True)
class WordsType(Node):
    """An enum written in place: `{ ascending, left_to_right }`."""

    members: tuple[Ident, ...]


TypeExpr: TypeAlias = NamedType | RangeType | SetType | ListType | OptionalType | WordsType


# ---- Expressions


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`none`."""


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string; in expressions only tests have them."""

    value: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True)
class Member(Node):
    base: Expr
    name: Ident


@dataclass(frozen=True, slots=True)
class Index(Node):
    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Arg(Node):
    name: Ident | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: Ident
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count(x in S where c)`, `sum(e for x in S)`, also `any`, `all`, `min`, `max`; `body` is what stands before `for`."""

    op: Ident
    body: Expr | None
    var: Ident
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Listing(Node):
    """`[e for x in S where c]`."""

    body: Expr
    var: Ident
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class ListLit(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class The(Node):
    """`the x in S where c`: the first one, or none."""

    var: Ident
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Unary(Node):
    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic, comparison, `and`, `or`, `has`, `meets`, `sees`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`x is none`, `x is empty`, `x is in P`, `x is KIND`; `what` is the word after `is`."""

    operand: Expr
    negated: bool
    what: Ident
    place: Expr | None = None


@dataclass(frozen=True, slots=True)
class IfExpr(Node):
    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Random(Node):
    """`random from S`, `random 3 from S`."""

    count: Expr | None
    source: Expr


@dataclass(frozen=True, slots=True)
class New(Node):
    """`new oracle`, in tests."""

    name: Ident


Expr: TypeAlias = (
    Number | Truth | Nothing | Text | Name | Member | Index | Call | Aggregate | Listing | ListLit | The | Unary
    | Binary | Is | IfExpr | Random | New
)


# ---- Statements and ability lines


@dataclass(frozen=True, slots=True)
class Block(Node):
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`target = value`, also `+=`, `-=`; in `given` only `=`."""

    target: Expr
    op: str
    value: Expr


@dataclass(frozen=True, slots=True)
class CallStmt(Node):
    call: Call


@dataclass(frozen=True, slots=True)
class Move(Node):
    what: Expr
    to: Expr
    bottom: bool
    facing: Expr | None


@dataclass(frozen=True, slots=True)
class Draw(Node):
    count: Expr
    source: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Copy(Node):
    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    what: Expr


@dataclass(frozen=True, slots=True)
class Reveal(Node):
    what: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Run(Node):
    slot: Expr


@dataclass(frozen=True, slots=True)
class If(Node):
    cond: Expr
    then: Block
    other: Block | None


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    var: Ident
    source: Expr
    start: Expr | None
    where: Expr | None
    by: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    count: Expr
    period: Ident | None
    body: Block


@dataclass(frozen=True, slots=True)
class Together(Node):
    """`together { … }`; with `var`, `together each var in source from start { … }`."""

    var: Ident | None
    source: Expr | None
    start: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Loop(Node):
    period: Ident | None
    body: Block


@dataclass(frozen=True, slots=True)
class Alternate(Node):
    var: Ident
    start: Expr
    period: Ident | None
    cond: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class While(Node):
    cond: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Stop(Node):
    pass


@dataclass(frozen=True, slots=True)
class Finish(Node):
    """`win p "why"`, `lose p "why"`, `tie "why"`; `kind` is that word."""

    kind: str
    player: Expr | None
    reason: Text | None


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """One part of an option: `c: unit in p.hand where …`, `n: 0..4`, `maybe boosted where …`."""

    maybe: bool
    name: Ident
    type: TypeExpr | None
    source: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Alternative(Node):
    verb: Ident
    picks: tuple[Pick, ...]
    label: Text | None
    when: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Choose(Node):
    who: Expr
    may: bool
    alternatives: tuple[Alternative, ...]
    other: Block | None


@dataclass(frozen=True, slots=True)
class Until(Node):
    """`until used { lines }` (`period` is None), `until end of round { lines }`."""

    period: Ident | None
    body: Block


@dataclass(frozen=True, slots=True)
class Modifier(Node):
    """`number(self.lane) += 1 when … priority 1`."""

    call: Call
    op: str
    value: Expr
    when: Expr | None
    priority: int


@dataclass(frozen=True, slots=True)
class On(Node):
    """`on EVENT(…) when … priority … { … }`; with alternatives, `on EVENT(…) may …`."""

    call: Call
    when: Expr | None
    priority: int
    body: Block | None
    offers: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Instead(Node):
    call: Call
    when: Expr | None
    priority: int
    body: Block


@dataclass(frozen=True, slots=True)
class Once(Node):
    period: Ident
    body: Block


Statement: TypeAlias = (
    Let | Assign | CallStmt | Move | Draw | Copy | Shuffle | Reveal | Run | If | ForEach | Repeat | Together | Loop
    | Alternate | While | Stop | Finish | Choose | Until
)
Line: TypeAlias = Modifier | On | Instead | Once
Item: TypeAlias = Statement | Line


# ---- Declarations


@dataclass(frozen=True, slots=True)
class Setting(Node):
    name: Ident
    value: Number | Text


@dataclass(frozen=True, slots=True)
class GameDecl(Node):
    name: Ident
    title: Text
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class ExpansionDecl(Node):
    name: Ident
    title: Text
    base: Ident
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class OptionDecl(Node):
    name: Ident
    type: TypeExpr
    default: Expr
    help: Text


@dataclass(frozen=True, slots=True)
class Field(Node):
    """A named, typed member: of a player, a kind, an enum's columns, a board; also a parameter.

    `marks` are the words after commas (`score`, `input`) and sight (`owner sees`)."""

    name: Ident
    type: TypeExpr
    default: Expr | None
    marks: tuple[Ident, ...]
    help: Text | None


@dataclass(frozen=True, slots=True)
class EnumMember(Node):
    name: Ident
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class EnumDecl(Node):
    """`enum`, `open enum`; `extend enum` with `extends`."""

    name: Ident
    open: bool
    extends: bool
    columns: tuple[Field, ...]
    members: tuple[EnumMember, ...]


@dataclass(frozen=True, slots=True)
class PlayerDecl(Node):
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class StateDecl(Node):
    field: Field


@dataclass(frozen=True, slots=True)
class FlagDecl(Node):
    name: Ident
    help: Text | None


@dataclass(frozen=True, slots=True)
class SlotDecl(Node):
    """`slot combat: static in lanes when …`; `nature` is `static` or `effect`."""

    name: Ident
    nature: str
    place: Ident
    when: Expr | None
    help: Text | None


@dataclass(frozen=True, slots=True)
class KindDecl(Node):
    name: Ident
    base: Ident | None
    fields: tuple[Field, ...]
    flags: tuple[FlagDecl, ...]
    states: tuple[Field, ...]
    slots: tuple[SlotDecl, ...]


@dataclass(frozen=True, slots=True)
class PlaceSpec(Node):
    """`shared list of unit at most 3, owner sees`, `each player one spell, all see`."""

    each: bool
    one: bool
    kind: Ident
    most: Expr | None
    sight: str


@dataclass(frozen=True, slots=True)
class ZoneDecl(Node):
    name: Ident
    place: PlaceSpec
    help: Text | None


@dataclass(frozen=True, slots=True)
class BoardPlace(Node):
    name: Ident
    place: PlaceSpec
    help: Text | None


@dataclass(frozen=True, slots=True)
class BoardDecl(Node):
    """`board lanes: 3 of lane { … }`; one place when `size` is None."""

    name: Ident
    size: int | None
    element: Ident | None
    fields: tuple[Field, ...]
    places: tuple[BoardPlace, ...]


@dataclass(frozen=True, slots=True)
class ValueDecl(Node):
    name: Ident
    params: tuple[Field, ...]
    type: TypeExpr
    body: Expr


@dataclass(frozen=True, slots=True)
class EffectDecl(Node):
    name: Ident
    params: tuple[Field, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class SetupDecl(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class FlowDecl(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class DeckInto(Node):
    kind: Ident
    zone: Ident


@dataclass(frozen=True, slots=True)
class DeckRule(Node):
    message: Text
    cond: Expr


@dataclass(frozen=True, slots=True)
class DeckDecl(Node):
    into: tuple[DeckInto, ...]
    rules: tuple[DeckRule, ...]


@dataclass(frozen=True, slots=True)
class DecklistEntry(Node):
    count: int
    card: Ident


@dataclass(frozen=True, slots=True)
class DecklistDecl(Node):
    name: Ident
    title: Text
    entries: tuple[DecklistEntry, ...]


@dataclass(frozen=True, slots=True)
class UnseenDecl(Node):
    """`unseen u: unit in lanes where u.stealth`: what may lie there unseen."""

    name: Ident
    kind: Ident
    place: Ident
    cond: Expr


@dataclass(frozen=True, slots=True)
class CardField(Node):
    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True)
class CardFlag(Node):
    name: Ident


@dataclass(frozen=True, slots=True)
class CardSlot(Node):
    name: Ident
    body: Block


@dataclass(frozen=True, slots=True)
class CardDecl(Node):
    name: Ident
    title: Text
    kind: Ident
    lines: tuple[CardField | CardFlag | CardSlot, ...]


# ---- Tests


@dataclass(frozen=True, slots=True)
class GivenOption(Node):
    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True)
class GivenChance(Node):
    """`chance shuffle pile = [oracle, titan]`; `name` is the event's whole name."""

    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True)
class Given(Node):
    items: tuple[GivenOption | GivenChance | Let | Assign, ...]


@dataclass(frozen=True, slots=True)
class WhenCall(Node):
    call: Call


@dataclass(frozen=True, slots=True)
class WhenPart(Node):
    """`when setup`, `when flow`."""

    part: str


@dataclass(frozen=True, slots=True)
class Answer(Node):
    """`me chooses play(c, lanes[0])`; `me chooses nothing` has no verb; `negated` is `me cannot choose …`."""

    who: Expr
    negated: bool
    verb: Ident | None
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Expect(Node):
    cond: Expr


@dataclass(frozen=True, slots=True)
class ExpectEnd(Node):
    """`expect win me "why"`, `expect tie`, `expect no result` (kind `no`)."""

    kind: str
    player: Expr | None
    reason: Text | None


TestItem: TypeAlias = Given | Let | WhenCall | WhenPart | Answer | Expect | ExpectEnd


@dataclass(frozen=True, slots=True)
class TestDecl(Node):
    title: Text
    covers: tuple[Ident, ...]
    items: tuple[TestItem, ...]


Decl: TypeAlias = (
    GameDecl | ExpansionDecl | OptionDecl | EnumDecl | PlayerDecl | StateDecl | KindDecl | ZoneDecl | BoardDecl
    | ValueDecl | EffectDecl | SetupDecl | FlowDecl | DeckDecl | DecklistDecl | UnseenDecl | CardDecl | TestDecl
)
