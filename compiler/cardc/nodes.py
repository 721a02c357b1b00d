"""The abstract syntax tree: frozen structs, a closed union.

Assumes nothing of meaning: names are text, types are unread. Every node ends in its `span`, the half-open
range of character offsets in its file, which takes no part in equality: two trees are equal when they say the same.
`card_grammar/ast.schema.json` is made from this module (`cardc.ast_json`).
"""

from __future__ import annotations

from typing import TypeAlias

from cardc.clauses import *  # noqa: F403 - all nodes are found here, in the order of the schema of the tree
from cardc.clauses import Assign, Block, Let
from cardc.terms import *  # noqa: F403
from cardc.terms import Arg, Call, Expr, Ident, Node, Number, Text, TypeExpr


class Setting(Node, frozen=True):
    name: Ident
    value: Number | Text


class GameDecl(Node, frozen=True):
    name: Ident
    title: Text
    settings: tuple[Setting, ...]


class ExpansionDecl(Node, frozen=True):
    name: Ident
    title: Text
    base: Ident
    settings: tuple[Setting, ...]


class OptionDecl(Node, frozen=True):
    name: Ident
    type: TypeExpr
    default: Expr
    help: Text


class Field(Node, frozen=True):
    """A named, typed member: of a player, a kind, an enum's columns, a board; also a parameter.

    `marks` are the words after commas (`score`, `input`), sight (`owner sees`), and in which direction a field is
    better (`high is better`)."""

    name: Ident
    type: TypeExpr
    default: Expr | None
    marks: tuple[Ident, ...]
    help: Text | None


class EnumMember(Node, frozen=True):
    name: Ident
    values: tuple[Expr, ...]


class EnumDecl(Node, frozen=True):
    """`enum`, `open enum`; `extend enum` with `extends`."""

    name: Ident
    open: bool
    extends: bool
    columns: tuple[Field, ...]
    members: tuple[EnumMember, ...]


class PlayerDecl(Node, frozen=True):
    fields: tuple[Field, ...]


class StateDecl(Node, frozen=True):
    field: Field


class FlagDecl(Node, frozen=True):
    name: Ident
    help: Text | None


class SlotDecl(Node, frozen=True):
    """`slot combat: static in lanes when …`; `nature` is `static` or `effect`."""

    name: Ident
    params: tuple[Field, ...]
    nature: str
    place: Ident
    when: Expr | None
    help: Text | None


class FormDecl(Node, frozen=True):
    """`form evolution(level: 2..3)`: another side of a card, of which a card may have several."""

    name: Ident
    params: tuple[Field, ...]
    help: Text | None


class KindDecl(Node, frozen=True):
    name: Ident
    base: Ident | None
    fields: tuple[Field, ...]
    flags: tuple[FlagDecl, ...]
    states: tuple[Field, ...]
    slots: tuple[SlotDecl, ...]
    forms: tuple[FormDecl, ...] = ()


class PlaceSpec(Node, frozen=True):
    """`shared list of unit at most 3, owner sees`, `each player one spell, all see`."""

    each: bool
    one: bool
    kind: Ident
    most: Expr | None
    sight: str


class ZoneDecl(Node, frozen=True):
    name: Ident
    place: PlaceSpec
    help: Text | None


class BoardPlace(Node, frozen=True):
    name: Ident
    place: PlaceSpec
    help: Text | None


class BoardDecl(Node, frozen=True):
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


class ValueDecl(Node, frozen=True):
    """`value power(u: unit): int = …`; `bot value` is what greedy bots maximise."""

    name: Ident
    params: tuple[Field, ...]
    type: TypeExpr
    body: Expr
    bot: bool = False


class EffectDecl(Node, frozen=True):
    name: Ident
    params: tuple[Field, ...]
    body: Block


class SetupDecl(Node, frozen=True):
    body: Block


class FlowDecl(Node, frozen=True):
    body: Block


class DeckInto(Node, frozen=True):
    kind: Ident
    zone: Ident


class DeckRule(Node, frozen=True):
    message: Text
    cond: Expr


class DeckDecl(Node, frozen=True):
    into: tuple[DeckInto, ...]
    rules: tuple[DeckRule, ...]


class DecklistEntry(Node, frozen=True):
    count: int
    card: Ident


class DecklistDecl(Node, frozen=True):
    name: Ident
    title: Text
    entries: tuple[DecklistEntry, ...]


class UnseenDecl(Node, frozen=True):
    """`unseen u: unit in lanes where u.stealth`: what may lie there unseen."""

    name: Ident
    kind: Ident
    place: Ident
    cond: Expr


class CardField(Node, frozen=True):
    name: Ident
    value: Expr


class CardFlag(Node, frozen=True):
    name: Ident


class CardSlot(Node, frozen=True):
    """`combat { … }`, `boost(2) { … }`."""

    name: Ident
    args: tuple[Arg, ...]
    body: Block


class CardForm(Node, frozen=True):
    """`form evolution(level: 2) { … }`: its lines take the place of the card's own."""

    name: Ident
    args: tuple[Arg, ...]
    lines: tuple[CardLine, ...]


CardLine: TypeAlias = CardField | CardFlag | CardSlot | CardForm


class CardDecl(Node, frozen=True):
    name: Ident
    title: Text
    kind: Ident
    lines: tuple[CardLine, ...]


class LintSetting(Node, frozen=True):
    """`strictly_better: off`, `title_length: 30`, `art: "art/*.png"`, `credit: illustrator`."""

    name: Ident
    value: Number | Text | Ident


class LintDecl(Node, frozen=True):
    """What `cardc lint` looks for in a package, and how it tells it."""

    settings: tuple[LintSetting, ...]


# ---- Tests


class GivenOption(Node, frozen=True):
    name: Ident
    value: Expr


class GivenChance(Node, frozen=True):
    """`chance shuffle pile = [oracle, titan]`; `name` is the event's whole name."""

    name: Ident
    value: Expr


class Given(Node, frozen=True):
    items: tuple[GivenOption | GivenChance | Let | Assign, ...]


class WhenCall(Node, frozen=True):
    call: Call


class WhenPart(Node, frozen=True):
    """`when setup`, `when flow`."""

    part: str


class Answer(Node, frozen=True):
    """`me chooses play(c, lanes[0])`; `me chooses nothing` has no verb; `negated` is `me cannot choose …`."""

    who: Expr
    negated: bool
    verb: Ident | None
    args: tuple[Arg, ...]


class Expect(Node, frozen=True):
    cond: Expr


class ExpectEnd(Node, frozen=True):
    """`expect win me "why"`, `expect tie`, `expect no result` (kind `no`)."""

    kind: str
    player: Expr | None
    reason: Text | None


TestItem: TypeAlias = Given | Let | WhenCall | WhenPart | Answer | Expect | ExpectEnd


class CaseRow(Node, frozen=True):
    values: tuple[Expr, ...]


class Cases(Node, frozen=True):
    """`given each (before, after) { (0, 1), (2, 3) }`: the test is run once for each row."""

    columns: tuple[Ident, ...]
    rows: tuple[CaseRow, ...]


class TestDecl(Node, frozen=True):
    title: Text
    covers: tuple[Ident, ...]
    items: tuple[TestItem, ...]
    cases: Cases | None = None


Decl: TypeAlias = (
    GameDecl | ExpansionDecl | OptionDecl | EnumDecl | PlayerDecl | StateDecl | KindDecl | ZoneDecl | BoardDecl
    | ValueDecl | EffectDecl | SetupDecl | FlowDecl | DeckDecl | DecklistDecl | UnseenDecl | CardDecl | TestDecl
    | LintDecl
)
