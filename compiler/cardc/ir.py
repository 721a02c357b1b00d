"""The typed core between checker and emitter.

Assumes nothing: every name is resolved, every type known, every saturation and every guard explicit.
`X` is an expression: an operation, its operands (expressions or plain data, as each operation wants), its type.
Statements are structs; a `Body` is a compilation unit (an effect, a slot, a line of an ability, a test step).
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct, field

from cardc.terms import Span, Spanned
from cardc.types import BoolT, IntT, Type


class Var(Struct, frozen=True):
    """A local: parameters, lets, loop variables, picks. `name` is unique in its body."""

    name: str
    type: Type


class X(Spanned, frozen=True):
    op: str
    args: tuple[object, ...]
    t: Type
    span: Span = (0, 0)


LOOPS = frozenset({"comp", "comp_set", "join", "the", "count", "any", "all", "sum"})
"""The operations that go through a list. They bind a variable, which the list follows; before it may stand what is made
of each, behind the list a condition."""


def gone_through(loop: X) -> X:
    """The list that one of LOOPS goes through."""
    at = next(i for i, a in enumerate(loop.args) if type(a) is Var)
    source = loop.args[at + 1]
    assert isinstance(source, X)
    return source


class Place(Struct, frozen=True):
    """A place to move to: the zone, or board and part, with the expressions that say which one."""

    owner: str
    part: str | None
    element: X | None
    seat: X | None


class SLet(Struct, frozen=True):
    var: Var
    value: X
    line: int


class SAssign(Struct, frozen=True):
    """`target` is one of the readable locations `state`, `player`, `element`, `card`; `value` is the new value,
    unsaturated."""

    target: X
    value: X
    type: Type
    line: int


class SCall(Struct, frozen=True):
    effect: str
    args: tuple[X, ...]
    line: int


class SRun(Struct, frozen=True):
    slot: str
    card: X
    line: int


class SMove(Struct, frozen=True):
    """Moves one card (`many` False) or a list; `up` is None where the face is the default, up."""

    what: X
    many: bool
    to: Place
    bottom: bool
    up: X | None
    line: int


class SDraw(Struct, frozen=True):
    count: X
    source: Place
    to: Place
    line: int


class SCopy(Struct, frozen=True):
    """Makes new cards of printed cards; `what` is a printed card, a card, or a list of them, or a decklist."""

    what: X
    many: bool
    to: Place
    line: int


class SShuffle(Struct, frozen=True):
    what: Place
    line: int


class SReveal(Struct, frozen=True):
    """Shows cards (a list) to one seat or all; `hidden` are state fields to show (`reveal players.invested`)."""

    what: X
    to: X | None
    line: int


class SIf(Struct, frozen=True):
    cond: X
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    line: int


class SFor(Struct, frozen=True):
    """`source` gives a list; `where`, `by` see `var`; `guard` is the board or zone a card must still lie on."""

    var: Var
    source: X
    where: X | None
    by: X | None
    guard: str | None
    body: tuple[Stmt, ...]
    line: int


class SRepeat(Struct, frozen=True):
    count: X
    period: int | None
    body: tuple[Stmt, ...]
    line: int


class STogether(Struct, frozen=True):
    body: tuple[Stmt, ...]
    line: int


class STogetherEach(Struct, frozen=True):
    var: Var
    source: X
    body: tuple[Stmt, ...]
    code: str
    line: int


class SLoop(Struct, frozen=True):
    """`loop` (no condition) and `while`."""

    cond: X | None
    period: int | None
    body: tuple[Stmt, ...]
    line: int


class SAlternate(Struct, frozen=True):
    var: Var
    start: X
    cond: X | None
    period: int | None
    body: tuple[Stmt, ...]
    line: int


class SStop(Struct, frozen=True):
    line: int


class SFinish(Struct, frozen=True):
    """`winner` None is a tie."""

    winner: X | None
    reason: str
    line: int


class CPick(Struct, frozen=True):
    """`source`: the domain as a list; `first`: conditions that see no other pick; `where`: the rest, which see earlier
    picks."""

    var: Var
    source: X
    free: bool
    first: X | None
    where: X | None
    maybe: bool
    type: Type


class CAlt(Struct, frozen=True):
    verb: str
    picks: tuple[CPick, ...]
    label: str | None
    when: X | None
    body: tuple[Stmt, ...]
    line: int


class SChoose(Struct, frozen=True):
    who: X
    may: bool
    alts: tuple[CAlt, ...]
    other: tuple[Stmt, ...]
    site: str
    line: int


class SUntil(Struct, frozen=True):
    """Lines that live on, by name; `captured` are the locals they read."""

    period: int | None
    lines: tuple[str, ...]
    captured: tuple[Var, ...]
    line: int


class SForm(Struct, frozen=True):
    """Gives a card a form of its printed card, or none."""

    card: X
    form: X
    line: int


class SExchange(Struct, frozen=True):
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


class Body(Struct, frozen=True):
    """A unit of code. `name` is unique in the game; `params` come after the match; `event` is the effect whose body
    this is."""

    name: str
    params: tuple[Var, ...]
    stmts: tuple[Stmt, ...]
    path: str
    line: int
    event: str | None = None


class ValueBody(Struct, frozen=True):
    name: str
    params: tuple[Var, ...]
    body: X
    type: Type
    path: str
    line: int


class Function(Struct, frozen=True):
    """A pure function of the match and `params`: a condition, a modifier's arithmetic, a deck's requirement, a test's
    expectation."""

    name: str
    params: tuple[Var, ...]
    body: X
    path: str
    line: int


class AbilityLine(Struct, frozen=True):
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


class SlotBody(Struct, frozen=True):
    """What an effect slot of a card does."""

    card: str
    slot: str
    body: Body


class Shown(Struct, frozen=True):
    """A part of an expectation that a failed test shows: its text, its type as a package has it (or "text"), its value,
    and the value called, if it is one."""

    text: str
    type: dict[str, Any]
    fn: Function
    value: tuple[str, tuple[Function, ...]] | None


class Step(Struct, frozen=True):
    """One step of a test. `kind` says what `names` and `fns` are; see `cardc.testing`."""

    kind: str
    line: int
    text: str
    names: tuple[str | None, ...] = ()
    fns: tuple[Function, ...] = ()
    shown: tuple[Shown, ...] = ()


class Test(Struct, frozen=True):
    title: str
    covers: tuple[str, ...]
    path: str
    line: int
    steps: tuple[Step, ...]


class Program(Struct, frozen=True):
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
