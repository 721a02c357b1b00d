"""Locals, and what is known of expressions at a point of the code."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct, field

from cardc import nodes as n
from cardc.ir import Place, Var, X
from cardc.nesting import walk
from cardc.searches import Key, key
from cardc.symbols import Symbols
from cardc.types import (
    BoardT,
    BoolT,
    Bound,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    ErrorT,
    IntT,
    ListT,
    LogT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    SlotT,
    TextT,
    Type,
    unplaced,
)


class Scope(Struct, frozen=True):
    """`types` narrows locals, by name, and `facts` other pure expressions, by their syntax, to what a test has shown.
    `shown` are the cards and the hidden state that were revealed, or moved into sight, with the player who sees them
    (None: all)."""

    vars: dict[str, Var] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    facts: dict[n.Expr, Type] = field(default_factory=dict)
    shown: frozenset[tuple[Key, Key | None]] = frozenset()

    def bind(self, name: str, var: Var) -> Scope:
        types, facts = self.types, self.facts
        if name in self.vars:  # hiding has its finding; what is known of the other one is not known of this one
            types = {other: t for other, t in types.items() if other != name}
            facts = {e: t for e, t in facts.items() if n.Name(name) not in walk(e)}
        return Scope({**self.vars, name: var}, types, facts, self.shown)

    def know(self, e: n.Expr, t: Type) -> Scope:
        if isinstance(e, n.Name) and e.id in self.vars:
            return Scope(self.vars, {**self.types, e.id: t}, self.facts, self.shown)
        return Scope(self.vars, self.types, {**self.facts, e: t}, self.shown)

    def known(self, e: n.Expr) -> Type | None:
        """The type to which an expression was narrowed."""
        if type(e) is n.Name and e.id in self.vars:
            return self.types.get(e.id)
        return self.facts.get(e) if self.facts else None

    def type_of(self, name: str) -> Type:
        """What is known of a local."""
        return self.types.get(name, self.vars[name].type)

    def show(self, what: Key, seat: Key | None) -> Scope:
        return Scope(self.vars, self.types, self.facts, self.shown | {(what, seat)})

    def hide(self, what: Key) -> Scope:
        return Scope(self.vars, self.types, self.facts, frozenset(x for x in self.shown if x[0] != what))

    def still_shown(self, written: Collection[str] | None = None) -> frozenset[tuple[Key, Key | None]]:
        """What is still seen after a write: a local names the same cards as before; what lies in a place may differ,
        unless nothing but state of these names was `written`."""
        return frozenset(
            x for x in self.shown if x[0][0] == "var" or (written is not None and not _follows(x, {"value", *written}))
        )

    def forget_places(self, kind: str | None, symbols: Symbols) -> Scope:
        """Forget where cards lie: all of them, or those that could be a card of `kind`."""

        def lost(t: CardT) -> bool:
            return kind is None or symbols.related(t.kind, kind)

        types = {}
        for name, var in self.vars.items():
            if (less := unplaced(self.type_of(name), lost)) is not var.type:
                types[name] = less
        return Scope(self.vars, types, {}, self.still_shown())

    def forget_tests(self, written: Collection[str] | None = None) -> Scope:
        """After a write, of state of these names or of anything: only what is known of locals stays."""
        return Scope(self.vars, self.types, {}, self.still_shown(written)) if self.facts or self.shown else self


def _follows(part: object, names: Collection[str]) -> bool:
    """Whether the key of an expression, or a part of it, has one of these words: it may be another after a write."""
    match part:
        case str():
            return part in names
        case X():
            return _follows(key(part), names)
        case Place():
            return _follows((part.element, part.seat), names)
        case tuple():
            return any(_follows(x, names) for x in part)
    return False


def join(a: Type, b: Type, s: Symbols) -> Type | None:
    """The least type that holds both, or None."""
    if a == b:
        return a
    match a, b:
        case ErrorT(), _:
            return b
        case _, ErrorT():
            return a
        case NoneT(), OptT():
            return b
        case OptT(), NoneT():
            return a
        case NoneT(), _:
            return OptT(b)
        case _, NoneT():
            return OptT(a)
        case OptT(x), OptT(y):
            inner = join(x, y, s)
            return OptT(inner) if inner else None
        case OptT(x), _:
            inner = join(x, b, s)
            return OptT(inner) if inner else None
        case _, OptT(y):
            inner = join(a, y, s)
            return OptT(inner) if inner else None
        case IntT(), IntT():
            return IntT(_lower(a.low, b.low, s), _higher(a.high, b.high, s))
        case CardT(k, w), CardT(l, v):
            kind = s.join_kinds(k, l)
            return CardT(kind, w if w == v else None) if kind else None
        case PrintedT(k), PrintedT(l):
            kind = s.join_kinds(k, l)
            return PrintedT(kind) if kind else None
        case ListT(x), ListT(y):
            inner = join(x, y, s)
            return ListT(inner) if inner else None
        case EmptyT(), ListT() | SetT():
            return b
        case ListT() | SetT(), EmptyT():
            return a
        case _:
            return None


def _lower(a: Bound, b: Bound, s: Symbols) -> Bound:
    x = s.option_bound(a, False) if isinstance(a, str) else a
    y = s.option_bound(b, False) if isinstance(b, str) else b
    return None if x is None or y is None else min(x, y)


def _higher(a: Bound, b: Bound, s: Symbols) -> Bound:
    if a == b:
        return a
    x = s.option_bound(a, True) if isinstance(a, str) else a
    y = s.option_bound(b, True) if isinstance(b, str) else b
    return None if x is None or y is None else max(x, y)


def bounds(t: Type, s: Symbols) -> tuple[int | None, int | None]:
    """The widest range of a number."""
    assert isinstance(t, IntT)
    low, high = t.low, t.high
    if type(low) is str:
        low = s.option_bound(low, False)
    if type(high) is str:
        high = s.option_bound(high, True)
    return low, high  # type: ignore[return-value]


def fits(a: Type, b: Type, s: Symbols) -> bool:
    """Whether a value of `a` may stand where `b` is wanted (a number of another range fits: it saturates)."""
    if type(a) is IntT and type(b) is IntT:
        return True
    if type(a) is CardT and type(b) is CardT:
        return s.is_kind(a.kind, b.kind) and (b.where is None or b.where == a.where)
    match a, b:
        case (ErrorT(), _) | (_, ErrorT()):
            return True
        case NoneT(), OptT():
            return True
        case OptT(x), OptT(y):
            return fits(x, y, s)
        case _, OptT(y):
            return fits(a, y, s)
        case PrintedT(k), PrintedT(l):
            return s.is_kind(k, l)
        case ListT(x), ListT(y):
            return fits(x, y, s)
        case EmptyT(), ListT() | SetT():
            return True
        case (BoolT(), BoolT()) | (PlayerT(), PlayerT()) | (TextT(), TextT()):
            return True
        case EnumT() | SetT() | ElementT() | BoardT() | LogT() | SlotT(), _:
            return a == b
        case _:
            return a == b
