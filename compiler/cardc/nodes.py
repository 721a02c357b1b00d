"""The abstract syntax tree: frozen slotted dataclasses, a closed union.

Assumes nothing of meaning: names are text, types are unread. Every node ends in its `span`, the half-open
range of character offsets in its file, which takes no part in equality: two trees are equal when they say the same.
`card_grammar/ast.schema.json` is made from this module (`cardc.ast_json`).
"""

from __future__ import annotations

from typing import TypeAlias

from cardc.clauses import *  # noqa: F403 - all nodes are found here, in the order of the schema of the tree
from cardc.clauses import Assign, Block, Let
from cardc.records import record
from cardc.terms import *  # noqa: F403
from cardc.terms import Arg, Call, Expr, Ident, Node, Number, Text, TypeExpr


@record(frozen=True, slots=True)
class Setting(Node):
    name: Ident
    value: Number | Text


@record(frozen=True, slots=True)
class GameDecl(Node):
    name: Ident
    title: Text
    settings: tuple[Setting, ...]


@record(frozen=True, slots=True)
class ExpansionDecl(Node):
    name: Ident
    title: Text
    base: Ident
    settings: tuple[Setting, ...]


@record(frozen=True, slots=True)
class OptionDecl(Node):
    name: Ident
    type: TypeExpr
    default: Expr
    help: Text


@record(frozen=True, slots=True)
class Field(Node):
    """A named, typed member: of a player, a kind, an enum's columns, a board; also a parameter.

    `marks` are the words after commas (`score`, `input`), sight (`owner sees`), and in which direction a field is
    better (`high is better`)."""

    name: Ident
    type: TypeExpr
    default: Expr | None
    marks: tuple[Ident, ...]
    help: Text | None


@record(frozen=True, slots=True)
class EnumMember(Node):
    name: Ident
    values: tuple[Expr, ...]


@record(frozen=True, slots=True)
class EnumDecl(Node):
    """`enum`, `open enum`; `extend enum` with `extends`."""

    name: Ident
    open: bool
    extends: bool
    columns: tuple[Field, ...]
    members: tuple[EnumMember, ...]


@record(frozen=True, slots=True)
class PlayerDecl(Node):
    fields: tuple[Field, ...]


@record(frozen=True, slots=True)
class StateDecl(Node):
    field: Field


@record(frozen=True, slots=True)
class FlagDecl(Node):
    name: Ident
    help: Text | None


@record(frozen=True, slots=True)
class SlotDecl(Node):
    """`slot combat: static in lanes when …`; `nature` is `static` or `effect`."""

    name: Ident
    params: tuple[Field, ...]
    nature: str
    place: Ident
    when: Expr | None
    help: Text | None


@record(frozen=True, slots=True)
class FormDecl(Node):
    """`form evolution(level: 2..3)`: another side of a card, of which a card may have several."""

    name: Ident
    params: tuple[Field, ...]
    help: Text | None


@record(frozen=True, slots=True)
class KindDecl(Node):
    name: Ident
    base: Ident | None
    fields: tuple[Field, ...]
    flags: tuple[FlagDecl, ...]
    states: tuple[Field, ...]
    slots: tuple[SlotDecl, ...]
    forms: tuple[FormDecl, ...] = ()


@record(frozen=True, slots=True)
class PlaceSpec(Node):
    """`shared list of unit at most 3, owner sees`, `each player one spell, all see`."""

    each: bool
    one: bool
    kind: Ident
    most: Expr | None
    sight: str


@record(frozen=True, slots=True)
class ZoneDecl(Node):
    name: Ident
    place: PlaceSpec
    help: Text | None


@record(frozen=True, slots=True)
class BoardPlace(Node):
    name: Ident
    place: PlaceSpec
    help: Text | None


@record(frozen=True, slots=True)
class BoardDecl(Node):
    """`board lanes: 3 of lane { … }`; one place when `size` is None.

    With `height` it is a grid of `size` by `height`.
    A `floating` one has no fixed outline, and may fit `either` way."""

    name: Ident
    size: int | None
    height: int | None
    floating: bool
    either: bool
    element: Ident | None
    fields: tuple[Field, ...]
    places: tuple[BoardPlace, ...]


@record(frozen=True, slots=True)
class ValueDecl(Node):
    """`value power(u: unit): int = …`; `bot value` is what greedy bots maximise."""

    name: Ident
    params: tuple[Field, ...]
    type: TypeExpr
    body: Expr
    bot: bool = False


@record(frozen=True, slots=True)
class EffectDecl(Node):
    name: Ident
    params: tuple[Field, ...]
    body: Block


@record(frozen=True, slots=True)
class SetupDecl(Node):
    body: Block


@record(frozen=True, slots=True)
class FlowDecl(Node):
    body: Block


@record(frozen=True, slots=True)
class DeckInto(Node):
    kind: Ident
    zone: Ident


@record(frozen=True, slots=True)
class DeckRule(Node):
    message: Text
    cond: Expr


@record(frozen=True, slots=True)
class DeckDecl(Node):
    into: tuple[DeckInto, ...]
    rules: tuple[DeckRule, ...]


@record(frozen=True, slots=True)
class DecklistEntry(Node):
    count: int
    card: Ident


@record(frozen=True, slots=True)
class DecklistDecl(Node):
    name: Ident
    title: Text
    entries: tuple[DecklistEntry, ...]


@record(frozen=True, slots=True)
class UnseenDecl(Node):
    """`unseen u: unit in lanes where u.stealth`: what may lie there unseen."""

    name: Ident
    kind: Ident
    place: Ident
    cond: Expr


@record(frozen=True, slots=True)
class CardField(Node):
    name: Ident
    value: Expr


@record(frozen=True, slots=True)
class CardFlag(Node):
    name: Ident


@record(frozen=True, slots=True)
class CardSlot(Node):
    """`combat { … }`, `boost(2) { … }`."""

    name: Ident
    args: tuple[Arg, ...]
    body: Block


@record(frozen=True, slots=True)
class CardForm(Node):
    """`form evolution(level: 2) { … }`: its lines take the place of the card's own."""

    name: Ident
    args: tuple[Arg, ...]
    lines: tuple[CardLine, ...]


CardLine: TypeAlias = CardField | CardFlag | CardSlot | CardForm


@record(frozen=True, slots=True)
class CardDecl(Node):
    name: Ident
    title: Text
    kind: Ident
    lines: tuple[CardLine, ...]


@record(frozen=True, slots=True)
class LintSetting(Node):
    """`strictly_better: off`, `title_length: 30`, `art: "art/*.png"`, `credit: illustrator`."""

    name: Ident
    value: Number | Text | Ident


@record(frozen=True, slots=True)
class LintDecl(Node):
    """What `cardc lint` looks for in a package, and how it tells it."""

    settings: tuple[LintSetting, ...]


# ---- Tests


@record(frozen=True, slots=True)
class GivenOption(Node):
    name: Ident
    value: Expr


@record(frozen=True, slots=True)
class GivenChance(Node):
    """`chance shuffle pile = [oracle, titan]`; `name` is the event's whole name."""

    name: Ident
    value: Expr


@record(frozen=True, slots=True)
class Given(Node):
    items: tuple[GivenOption | GivenChance | Let | Assign, ...]


@record(frozen=True, slots=True)
class WhenCall(Node):
    call: Call


@record(frozen=True, slots=True)
class WhenPart(Node):
    """`when setup`, `when flow`."""

    part: str


@record(frozen=True, slots=True)
class Answer(Node):
    """`me chooses play(c, lanes[0])`; `me chooses nothing` has no verb; `negated` is `me cannot choose …`."""

    who: Expr
    negated: bool
    verb: Ident | None
    args: tuple[Arg, ...]


@record(frozen=True, slots=True)
class Expect(Node):
    cond: Expr


@record(frozen=True, slots=True)
class ExpectEnd(Node):
    """`expect win me "why"`, `expect tie`, `expect no result` (kind `no`)."""

    kind: str
    player: Expr | None
    reason: Text | None


TestItem: TypeAlias = Given | Let | WhenCall | WhenPart | Answer | Expect | ExpectEnd


@record(frozen=True, slots=True)
class CaseRow(Node):
    values: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Cases(Node):
    """`given each (before, after) { (0, 1), (2, 3) }`: the test is run once for each row."""

    columns: tuple[Ident, ...]
    rows: tuple[CaseRow, ...]


@record(frozen=True, slots=True)
class TestDecl(Node):
    title: Text
    covers: tuple[Ident, ...]
    items: tuple[TestItem, ...]
    cases: Cases | None = None


Decl: TypeAlias = (
    GameDecl | ExpansionDecl | OptionDecl | EnumDecl | PlayerDecl | StateDecl | KindDecl | ZoneDecl | BoardDecl
    | ValueDecl | EffectDecl | SetupDecl | FlowDecl | DeckDecl | DecklistDecl | UnseenDecl | CardDecl | TestDecl
    | LintDecl
)
