"""The typed core between checker and emitter.

Assumes nothing: every name is resolved, every type known, every saturation and every guard explicit.
`X` is an expression: an operation, its operands (expressions or plain data, as each operation wants), its type.
Statements are dataclasses; a `Body` is a compilation unit (an effect, a slot, a line of an ability, a test step).
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, TypeAlias

from cardc.nodes import Span
from cardc.records import record
from cardc.types import BoolT, IntT, Type


@record(frozen=True, slots=True)
class Var:
    """A local: parameters, lets, loop variables, picks. `name` is unique in its body."""

    name: str
    type: Type


@record(frozen=True, slots=True)
class X:
    op: str
    args: tuple[object, ...]
    t: Type
    span: Span = field(default=(0, 0), compare=False)


@record(frozen=True, slots=True)
class Place:
    """A place to move to: the zone, or board and part, with the expressions that say which one."""

    owner: str
    part: str | None
    element: X | None
    seat: X | None


@record(frozen=True, slots=True)
class SLet:
    var: Var
    value: X
    line: int


@record(frozen=True, slots=True)
class SAssign:
    """`target` is one of the readable locations `state`, `player`, `element`, `card`; `value` is the new value,
    unsaturated."""

    target: X
    value: X
    type: Type
    line: int


@record(frozen=True, slots=True)
class SCall:
    effect: str
    args: tuple[X, ...]
    line: int


@record(frozen=True, slots=True)
class SRun:
    slot: str
    card: X
    line: int


@record(frozen=True, slots=True)
class SMove:
    """Moves one card (`many` False) or a list; `up` is None where the face is the default, up."""

    what: X
    many: bool
    to: Place
    bottom: bool
    up: X | None
    line: int


@record(frozen=True, slots=True)
class SDraw:
    count: X
    source: Place
    to: Place
    line: int


@record(frozen=True, slots=True)
class SCopy:
    """Makes new cards of printed cards; `what` is a printed card, a card, or a list of them, or a decklist."""

    what: X
    many: bool
    to: Place
    line: int


@record(frozen=True, slots=True)
class SShuffle:
    what: Place
    line: int


@record(frozen=True, slots=True)
class SReveal:
    """Shows cards (a list) to one seat or all; `hidden` are state fields to show (`reveal players.invested`)."""

    what: X
    to: X | None
    line: int


@record(frozen=True, slots=True)
class SIf:
    cond: X
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class SFor:
    """`source` gives a list; `where`, `by` see `var`; `guard` is the board or zone a card must still lie on."""

    var: Var
    source: X
    where: X | None
    by: X | None
    guard: str | None
    body: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class SRepeat:
    count: X
    period: int | None
    body: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class STogether:
    body: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class STogetherEach:
    var: Var
    source: X
    body: tuple[Stmt, ...]
    code: str
    line: int


@record(frozen=True, slots=True)
class SLoop:
    """`loop` (no condition) and `while`."""

    cond: X | None
    period: int | None
    body: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class SAlternate:
    var: Var
    start: X
    cond: X | None
    period: int | None
    body: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class SStop:
    line: int


@record(frozen=True, slots=True)
class SFinish:
    """`winner` None is a tie."""

    winner: X | None
    reason: str
    line: int


@record(frozen=True, slots=True)
class CPick:
    """`source`: the domain as a list; `first`: conditions that see no other pick; `where`: the rest, which see earlier
    picks."""

    var: Var
    source: X
    free: bool
    first: X | None
    where: X | None
    maybe: bool
    type: Type


@record(frozen=True, slots=True)
class CAlt:
    verb: str
    picks: tuple[CPick, ...]
    label: str | None
    when: X | None
    body: tuple[Stmt, ...]
    line: int


@record(frozen=True, slots=True)
class SChoose:
    who: X
    may: bool
    alts: tuple[CAlt, ...]
    other: tuple[Stmt, ...]
    site: str
    line: int


@record(frozen=True, slots=True)
class SUntil:
    """Lines that live on, by name; `captured` are the locals they read."""

    period: int | None
    lines: tuple[str, ...]
    captured: tuple[Var, ...]
    line: int


@record(frozen=True, slots=True)
class SForm:
    """Gives a card a form of its printed card, or none."""

    card: X
    form: X
    line: int


@record(frozen=True, slots=True)
class SExchange:
    """Two cards bear each other's abilities in these slots."""

    slots: tuple[str, ...]
    first: X
    second: X
    line: int


Stmt: TypeAlias = (
    SLet
    | SAssign
    | SCall
    | SRun
    | SMove
    | SDraw
    | SCopy
    | SShuffle
    | SReveal
    | SIf
    | SFor
    | SRepeat
    | STogether
    | STogetherEach
    | SLoop
    | SAlternate
    | SStop
    | SFinish
    | SChoose
    | SUntil
    | SForm
    | SExchange
)


@record(frozen=True, slots=True)
class Body:
    """A unit of code. `name` is unique in the game; `params` come after the match; `event` is the effect whose body
    this is."""

    name: str
    params: tuple[Var, ...]
    stmts: tuple[Stmt, ...]
    path: str
    line: int
    event: str | None = None


@record(frozen=True, slots=True)
class ValueBody:
    name: str
    params: tuple[Var, ...]
    body: X
    type: Type
    path: str
    line: int


@record(frozen=True, slots=True)
class Function:
    """A pure function of the match and `params`: a condition, a modifier's arithmetic, a deck's requirement, a test's
    expectation."""

    name: str
    params: tuple[Var, ...]
    body: X
    path: str
    line: int


@record(frozen=True, slots=True)
class AbilityLine:
    """One line of a card's abilities. Names of functions are those of the emitted code.

    `modifier`: `fn(m, self, x, *args)`; others: `cond(m, self, *args)` and a body or an offer's site."""

    name: str
    card: str
    slot: str
    kind: str
    of: str
    layer: int
    priority: int
    order: int
    cond: Function | None
    value: Function | None
    op: str
    body: Body | None
    offer: SChoose | None
    once: tuple[int, str] | None
    until: tuple[int | None, str] | None
    captured: tuple[Var, ...]
    path: str
    line: int


@record(frozen=True, slots=True)
class SlotBody:
    """What an effect slot of a card does."""

    card: str
    slot: str
    body: Body


@record(frozen=True, slots=True)
class Shown:
    """A part of an expectation that a failed test shows: its text, its type as a package has it (or "text"), its value,
    and the value called, if it is one."""

    text: str
    type: dict[str, Any]
    fn: Function
    value: tuple[str, tuple[Function, ...]] | None


@record(frozen=True, slots=True)
class Step:
    """One step of a test. `kind` says what `names` and `fns` are; see `cardc.testing`."""

    kind: str
    line: int
    text: str
    names: tuple[str | None, ...] = ()
    fns: tuple[Function, ...] = ()
    shown: tuple[Shown, ...] = ()


@record(frozen=True, slots=True)
class Test:
    title: str
    covers: tuple[str, ...]
    path: str
    line: int
    steps: tuple[Step, ...]


@record(frozen=True, slots=True)
class Program:
    """A checked package, ready to be emitted. Data of declarations stays in `Symbols`."""

    values: tuple[ValueBody, ...]
    bodies: tuple[Body, ...]
    slots: tuple[SlotBody, ...]
    lines: tuple[AbilityLine, ...]
    sites: tuple[tuple[SChoose, str], ...]
    rules: tuple[tuple[str, Function], ...]
    unseen: tuple[tuple[str, str, Function], ...]
    defaults: tuple[tuple[tuple[str, ...], Function], ...]
    cards: dict[str, dict[str, object]]
    tests: tuple[Test, ...]
    forms: tuple[tuple[str, str, str, object, dict[str, object], dict[str, object]], ...] = ()
    filled: dict[str, dict[str, dict[str, object]]] = field(default_factory=dict)


def const(value: object, t: Type, span: Span = (0, 0)) -> X:
    return X("const", (value,), t, span)


TRUE = const(True, BoolT())
FALSE = const(False, BoolT())


def number(n: int, span: Span = (0, 0)) -> X:
    return const(n, IntT(n, n), span)
