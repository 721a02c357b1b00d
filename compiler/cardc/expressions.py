"""Checks expressions and elaborates them into `cardc.ir.X`.

Assumes collected symbols. Establishes: every name resolved, every type known, optionals tested, places known where they are
read, enum members found by the expected type. Illegal from here on: an `X` of type `ErrorT` that has no finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from cardc import nodes as n
from cardc.ir import Place, Var, X, const, number
from cardc.report import Report, near
from cardc.scope import Scope, bounds, fits, join
from cardc.source import Source
from cardc.symbols import FieldSym, Symbols
from cardc.types import (
    BOOL,
    ERROR,
    FACE,
    INT,
    NONE,
    PLAYER,
    BoardT,
    BoolT,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    FormT,
    ErrorT,
    IntT,
    LineT,
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
    show,
    strip,
)


@dataclass(slots=True)
class Uses:
    """What code reads, sets and calls: keys such as `("player", "damage")`, `("value", "power")`."""

    reads: set[tuple[str, ...]] = field(default_factory=set)
    writes: set[tuple[str, ...]] = field(default_factory=set)


@dataclass(slots=True)
class Site:
    """Where code stands: what it may do."""

    words: str
    chance: bool = False
    test: bool = False
    deck: bool = False


GRID_MEMBERS = ("rows", "columns", "corners", "adjacent", "settled", "full")


class Expressions:
    """Elaborates the expressions of one declaration. `site` says where the code stands."""

    def __init__(self, symbols: Symbols, report: Report, source: Source, uses: Uses, site: Site) -> None:
        self.s = symbols
        self.report = report
        self.source = source
        self.uses = uses
        self.site = site
        self.counter = 0
        self.used: set[str] = set()
        self.chance_ok = False

    # ---- Findings

    def err(
        self, code: str, node: n.Node, message: str, help: str | None = None,
        labels: Iterable[tuple[Source, n.Node, str]] = (), span: tuple[int, int] | None = None,
    ) -> X:
        self.report.add(code, self.source, node, message, help, labels)
        return X("error", (), ERROR, node.span)

    def line(self, node: n.Node) -> int:
        return self.source.line(node.span[0])

    def fresh(self, name: str, t: Type) -> Var:
        self.counter += 1
        return Var(f"{name}_{self.counter}", t)

    def local(self, ident: n.Ident, t: Type, sc: Scope) -> tuple[Var, Scope]:
        """Bind a new local; nothing in scope may have its name."""
        s, name = self.s, ident.text
        taken = (
            name in sc.vars or name in s.states or name in s.kinds or name in s.cards or name in s.zones or name in s.boards
            or name in s.options or name in s.elements or name in s.decklists
            or name in ("players", "catalog", "self", "source", "you", "me", "opponent")
        )
        if taken:
            self.err("E104", ident, f"local `{name}` hides another name", "choose another name")
        var = self.fresh(name, t)
        return var, sc.bind(name, var)

    # ---- Entry points

    def need(self, e: n.Expr, sc: Scope, want: Type) -> X:
        """Elaborate `e` where a `want` is needed."""
        return self.coerce(self.expr(e, sc, want), want, e)

    def coerce(self, x: X, want: Type, node: n.Node) -> X:
        s = self.s
        if isinstance(x.t, BoardT) and not isinstance(want, BoardT):
            x = self.as_list(x, node) or x
        if fits(x.t, want, s):
            if isinstance(want, IntT) and isinstance(x.t, IntT):
                return self.saturated(x, want)
            if isinstance(x.t, EmptyT) and isinstance(want, SetT):
                return const(0, want, x.span)
            if isinstance(want, OptT) and isinstance(want.item, IntT) and isinstance(x.t, IntT):
                return self.saturated(x, want.item)
            return x
        if isinstance(x.t, OptT) and fits(x.t.item, want, s):
            return self.err(
                "E203", node, f"this may be none, but {show(want)} is needed",
                "test it first: `if x is not none { … }`, or go through it with `for each`",
            )
        if isinstance(x.t, CardT) and isinstance(want, CardT) and s.is_kind(x.t.kind, want.kind):
            if self.site.test:
                return x  # a test knows what it has placed
            return self.err(
                "E205", node, f"it is not known that this card lies on `{want.where}`",
                f"test it: `if … is in {want.where} {{ … }}`, or read what you need before a statement that may move it",
            )
        return self.err("E201", node, f"this is {show(x.t)}, but {show(want)} is needed")

    def saturated(self, x: X, want: IntT) -> X:
        """`x` brought into the range of `want`, where it might leave it."""
        low, high = bounds(x.t, self.s)
        wlow, whigh = bounds(want, self.s)
        clip_low = want.low if want.low is not None and (low is None or wlow is None or low < wlow or isinstance(want.low, str)) else None
        clip_high = want.high if want.high is not None and (
            high is None or whigh is None or high > whigh or isinstance(want.high, str)
        ) else None
        if isinstance(x.t, IntT) and (x.t.low, x.t.high) == (want.low, want.high):
            return x
        if clip_low is None and clip_high is None:
            return x
        return X("clamp", (x, clip_low, clip_high), want, x.span)

    def cond(self, e: n.Expr, sc: Scope, dead: bool = True) -> tuple[X, Scope, Scope]:
        """Elaborate a condition; give also what is known where it holds and where it does not."""
        x, yes, no = self.test(e, sc)
        x = self.coerce(x, BOOL, e)
        if dead and x.op == "const" and x.t == BOOL:
            word = "always" if x.args[0] else "never"
            self.err("E209", e, f"this condition {word} holds", "remove it, or what it guards")
        return x, yes, no

    # ---- Conditions

    def test(self, e: n.Expr, sc: Scope) -> tuple[X, Scope, Scope]:
        match e:
            case n.Unary("not", inner):
                x, yes, no = self.test(inner, sc)
                x = self.coerce(x, BOOL, inner)
                if x.op == "const" and x.t == BOOL:
                    return const(not x.args[0], BOOL, e.span), no, yes
                return X("not", (x,), BOOL, e.span), no, yes
            case n.Binary("and" | "or"):
                return self.joined(e, sc)
            case n.Is():
                return self.is_test(e, sc)
            case n.Binary("has", left, n.Name(slot)):
                x = self.expr(e, sc, BOOL)
                if x.op == "fills":
                    kind, name = str(x.args[0]), str(x.args[1])
                    known = n.Member(left, n.Ident(slot, span=e.right.span), span=e.span)
                    return x, sc.know(known, SlotT(kind, name, True)), sc
                return x, sc, sc
        return self.expr(e, sc, BOOL), sc, sc

    def joined(self, e: n.Binary, sc: Scope) -> tuple[X, Scope, Scope]:
        """A chain of `and` or of `or`, without recursion along it: each operand is read where those before it held (or did not)."""
        spine: list[n.Binary] = []
        first: n.Expr = e
        while isinstance(first, n.Binary) and first.op == e.op:
            spine.append(first)
            first = first.left
        x, yes, no = self.test(first, sc)
        x = self.coerce(x, BOOL, first)
        self.no_const(x, first)
        for node in reversed(spine):
            b, more, neither = self.test(node.right, yes if e.op == "and" else no)
            b = self.coerce(b, BOOL, node.right)
            self.no_const(b, node.right)
            x = X(e.op, (x, b), BOOL, node.span)
            yes, no = (more, sc) if e.op == "and" else (sc, neither)
        return x, yes, no

    def no_const(self, x: X, e: n.Expr) -> None:
        if x.op == "const" and x.t == BOOL:
            word = "always" if x.args[0] else "never"
            self.err("E209", e, f"this part of the condition {word} holds", "remove it")

    def is_test(self, e: n.Is, sc: Scope) -> tuple[X, Scope, Scope]:
        s = self.s
        x = self.expr(e.operand, sc)
        yes = no = sc

        def done(result: X, yes: Scope = sc, no: Scope = sc) -> tuple[X, Scope, Scope]:
            if e.negated:
                if result.op == "const":
                    return const(not result.args[0], BOOL, e.span), no, yes
                return X("not", (result,), BOOL, e.span), no, yes
            return result, yes, no

        if isinstance(x.t, ErrorT):
            return x, sc, sc
        word = e.what.text
        if e.place is not None:
            return self.in_test(e, x, sc, done)
        match word:
            case "none":
                if isinstance(x.t, OptT):
                    return done(X("isnone", (x,), BOOL, e.span), yes, sc.know(e.operand, x.t.item))
                if isinstance(x.t, NoneT):
                    return done(const(True, BOOL, e.span))
                return done(self.err("E209", e, f"{show(x.t)} is never none", "remove the test"))
            case "empty":
                items = x if isinstance(x.t, LogT) else self.as_list(x, e.operand)
                if items is None:
                    return done(self.err("E201", e.operand, f"this is {show(x.t)}, but a list or a zone is needed"))
                return done(X("empty", (items,), BOOL, e.span))
            case "player":
                if isinstance(x.t, OptT) and isinstance(x.t.item, PlayerT):
                    known = sc.know(e.operand, PLAYER)
                    return done(X("notnone", (x,), BOOL, e.span), known, sc)
                return done(self.err("E201", e.operand, f"this is {show(x.t)}, but player? is needed"))
        inner = strip(x.t)
        if word in s.enums and isinstance(inner, EnumT) and isinstance(x.t, OptT):
            return done(X("notnone", (x,), BOOL, e.span), sc.know(e.operand, inner), sc)
        if word in s.elements and isinstance(x.t, OptT) and inner == ElementT(s.elements[word]):
            return done(X("notnone", (x,), BOOL, e.span), sc.know(e.operand, inner), sc)
        if word in s.forms and inner == FormT(word) and isinstance(x.t, OptT):
            return done(X("notnone", (x,), BOOL, e.span), sc.know(e.operand, inner), sc)
        if word in s.cards and isinstance(inner, CardT | PrintedT):
            card = s.cards[word]
            self.uses.reads.add(("card", word))
            return done(X("iscard", (x, card.index, isinstance(inner, CardT), isinstance(x.t, OptT)), BOOL, e.span))
        if word not in s.kinds:
            known_words = ["none", "empty", "player", *s.kinds]
            return done(self.err("E101", e.what, f"no kind is called `{word}`", near(word, known_words)))
        if not isinstance(inner, CardT | PrintedT):
            return done(self.err("E201", e.operand, f"this is {show(x.t)}, but a card is needed"))
        joined = s.is_kind(inner.kind, word)
        if not joined and not s.is_kind(word, inner.kind):
            return done(self.err("E209", e, f"a `{inner.kind}` is never a `{word}`", "test for another kind"))
        narrowed: Type = inner if joined else replace(inner, kind=word)
        if joined and not isinstance(x.t, OptT):
            return done(self.err("E209", e, f"a `{inner.kind}` always is a `{word}`", "remove the test"))
        known = sc.know(e.operand, narrowed)
        if joined:
            return done(X("notnone", (x,), BOOL, e.span), known, sc)
        kinds = tuple(k.index for k in s.leaves(word))
        return done(X("iskind", (x, kinds, isinstance(inner, CardT), isinstance(x.t, OptT)), BOOL, e.span), known, sc)

    def in_test(self, e: n.Is, x: X, sc: Scope, done) -> tuple[X, Scope, Scope]:  # type: ignore[no-untyped-def]
        s, place = self.s, e.place
        assert place is not None
        if isinstance(place, n.Name) and place.id not in sc.vars and (place.id in s.boards or place.id in s.zones):
            if not isinstance(x.t, CardT):
                return done(self.coerce(x, CardT(s.kind_in(place.id)[0]), e.operand))
            if not any(s.is_kind(k, x.t.kind) or s.is_kind(x.t.kind, k) for k in s.kind_in(place.id)):
                return done(self.err("E209", e, f"a `{x.t.kind}` never lies in `{place.id}`"))
            known = sc.know(e.operand, replace(x.t, where=place.id))
            low, high = self.place_range(place.id)
            return done(X("inplaces", (x, low, high), BOOL, e.span), known, sc)
        p = self.expr(place, sc)
        if p.op in ("place", "one") and isinstance(x.t, CardT):
            target = p.args[0]
            assert isinstance(target, Place)
            known = sc.know(e.operand, replace(x.t, where=target.owner))
            return done(X("inplace", (x, target), BOOL, e.span), known, sc)
        if isinstance(p.t, LineT):
            if x.t != ElementT(p.t.board):
                return done(self.err("E201", e.operand, f"this is {show(x.t)}, but a space of `{p.t.board}` is needed"))
            return done(X("in_line", (p.t.board, x, p), BOOL, e.span))
        items = self.as_list(p, place)
        if items is None:
            return done(self.err("E201", place, f"this is {show(p.t)}, but a zone or a list is needed"))
        item = self.item(items.t)
        if not fits(x.t, item, s) and not fits(item, x.t, s):
            return done(self.err("E201", e.operand, f"this is {show(x.t)}, but the list holds {show(item)}"))
        known = sc
        if isinstance(item, CardT) and isinstance(x.t, CardT) and item.where:
            known = sc.know(e.operand, replace(x.t, where=item.where))
        return done(X("inlist", (x, items), BOOL, e.span), known, sc)

    def place_range(self, where: str) -> tuple[int, int]:
        s = self.s
        if where in s.boards:
            return s.boards[where].low, s.boards[where].high
        z = s.zones[where].place
        return z.first, z.first + (2 if z.each else 1)

    # ---- Lists

    def item(self, t: Type) -> Type:
        match t:
            case ListT(item) | OptT(item):
                return item
            case BoardT(name):
                return ElementT(name)
        return ERROR

    def as_list(self, x: X, node: n.Node) -> X | None:
        """`x` as a list, or None if it is no collection."""
        match x.t:
            case ListT() | EmptyT():
                return x
            case OptT(item):
                if x.op == "one":
                    return X("place", x.args, ListT(item), x.span)
                return X("optlist", (x,), ListT(item), x.span)
            case BoardT(name) if self.s.boards[name].grid is not None:
                return X("spaces", (name,), ListT(ElementT(name)), x.span)
            case BoardT(name):
                return X("elements", (name, self.s.boards[name].count), ListT(ElementT(name)), x.span)
        return None

    def collection(self, e: n.Expr, sc: Scope) -> X:
        """Elaborate `e` where something to go through is needed."""
        x = self.expr(e, sc)
        if isinstance(x.t, ErrorT):
            return x
        items = self.as_list(x, e)
        if items is None:
            return self.err("E201", e, f"this is {show(x.t)}, but a list, a zone or a board is needed")
        return items

    @contextmanager
    def each(self, var: n.Ident, source: n.Expr, sc: Scope) -> Iterator[tuple[Var, X, Scope]]:
        src = self.collection(source, sc)
        v, inner = self.local(var, self.item(src.t), sc)
        yield v, src, inner
        self.unused(var, v, "loop variable")

    def unused(self, ident: n.Ident, var: Var, what: str) -> None:
        if var.name not in self.used and not ident.text.startswith("_"):
            self.report.add("W601", self.source, ident, f"{what} `{ident.text}` is not used", "remove it, or begin its name with `_`")

    # ---- Expressions

    def expr(self, e: n.Expr, sc: Scope, want: Type | None = None) -> X:
        x = self.plain(e, sc, want)
        if sc.facts and isinstance(e, n.Name | n.Member | n.Index | n.Call) and e in sc.facts and not isinstance(x.t, ErrorT):
            known = sc.facts[e]
            return replace(x, t=known) if not isinstance(known, ErrorT) else x
        return x

    def plain(self, e: n.Expr, sc: Scope, want: Type | None) -> X:
        match e:
            case n.Number(value):
                return number(value, e.span)
            case n.Truth(value):
                return const(value, BOOL, e.span)
            case n.Nothing():
                return const(None, want if isinstance(want, OptT) else NONE, e.span)
            case n.Text(value):
                if not self.site.test:
                    return self.err("E204", e, "a text has no meaning here", "texts stand in labels, reasons, help and tests")
                return const(value, TextT(), e.span)
            case n.Name():
                return self.name(e, sc, want)
            case n.Member():
                return self.member(e, sc)
            case n.Index():
                return self.index(e, sc)
            case n.Call():
                return self.call(e, sc)
            case n.Method():
                return self.method(e, sc, put=self.site.test and isinstance(want, ElementT))
            case n.Aggregate():
                return self.aggregate(e, sc)
            case n.Listing(body, var, source, where):
                with self.each(var, source, sc) as (v, src, inner):
                    w, inner = self.where(where, inner)
                    kind = strip(want) if want is not None else None
                    if isinstance(kind, SetT):
                        b = self.need(body, inner, kind.item)
                        return X("comp_set", (b, v, src, w), ERROR if isinstance(b.t, ErrorT) else kind, e.span)
                    wanted = kind.item if isinstance(kind, ListT) else None
                    b = self.expr(body, inner, wanted)
                    return X("comp", (b, v, src, w), ListT(b.t), e.span)
            case n.The(var, source, where):
                with self.each(var, source, sc) as (v, src, inner):
                    w, inner = self.where(where, inner)
                    self.used.add(v.name)
                    t = inner.facts.get(n.Name(var.text), v.type)
                    return X("the", (v, src, w), OptT(t), e.span)
            case n.ListLit(items):
                return self.list_lit(e, items, sc, want)
            case n.Unary("-", inner):
                a = self.need(inner, sc, INT)
                if isinstance(a.t, ErrorT):
                    return a
                low, high = bounds(a.t, self.s)
                t = IntT(None if high is None else -high, None if low is None else -low)
                if a.op == "const":
                    assert isinstance(a.args[0], int)
                    return const(-a.args[0], t, e.span)
                return X("neg", (a,), t, e.span)
            case n.Unary() | n.Is():
                return self.test(e, sc)[0]
            case n.Binary("and" | "or"):
                return self.test(e, sc)[0]
            case n.Binary():
                return self.binary(e, sc)
            case n.IfExpr(cond, then, other):
                c, yes, no = self.cond(cond, sc)
                a, b = self.expr(then, yes, want), self.expr(other, no, want)
                joined = join(a.t, b.t, self.s)
                if joined is None:
                    return self.err("E201", other, f"this is {show(b.t)}, but the other branch is {show(a.t)}")
                return X("if", (c, a, b), joined, e.span)
            case n.Random(count, source):
                return self.random(e, count, source, sc)
            case n.New(ident):
                return self.new(ident, e)
        raise AssertionError(e)

    def where(self, e: n.Expr | None, sc: Scope) -> tuple[X | None, Scope]:
        if e is None:
            return None, sc
        x, yes, _ = self.cond(e, sc)
        return x, yes

    # ---- Names

    def name(self, e: n.Name, sc: Scope, want: Type | None) -> X:
        s, name = self.s, e.id
        if name in sc.vars:
            var = sc.vars[name]
            self.used.add(var.name)
            return X("var", (var,), var.type, e.span)
        wanted = strip(want) if want is not None else None
        if isinstance(wanted, EnumT) and wanted.name in s.enums and name in s.enums[wanted.name].members:
            return const(s.enums[wanted.name].members.index(name), wanted, e.span)
        if wanted == FACE or (name in ("up", "down") and wanted is None):
            if name in ("up", "down"):
                return const(name == "up", FACE, e.span)
        if name == "players":
            return X("players", (), ListT(PLAYER), e.span)
        if name == "catalog" and not self.site.deck:
            root = self.root_kind()
            return X("catalog", (), ListT(PrintedT(root)), e.span)
        if self.site.test and name in ("me", "opponent"):
            return const(0 if name == "me" else 1, PLAYER, e.span)
        if name in s.states:
            self.uses.reads.add(("state", name))
            return X("state", (name,), s.states[name].type, e.span)
        if name in s.options:
            self.uses.reads.add(("option", name))
            return X("option", (name,), s.options[name].type, e.span)
        if name in s.boards:
            self.uses.reads.add(("board", name))
            if s.boards[name].size is None:
                return X("one_board", (name,), BoardT(name), e.span)
            return X("board", (name,), BoardT(name), e.span)
        if name in s.zones:
            self.uses.reads.add(("zone", name))
            zone = s.zones[name].place
            if zone.each:
                return self.err("E201", e, f"each player has a `{name}` of his own", f"say whose: `p.{name}`, or `players.{name}` for both")
            return self.place_value(Place(name, None, None, None), e)
        if name in s.cards:
            self.uses.reads.add(("card", name))
            return X("printed", (s.cards[name].index,), PrintedT(s.cards[name].kind), e.span)
        if name in s.decklists:
            self.uses.reads.add(("decklist", name))
            return X("decklist", (name,), ListT(PrintedT(self.root_kind())), e.span)
        return self.unknown(e, sc, want)

    def unknown(self, e: n.Name, sc: Scope, want: Type | None) -> X:
        s, name = self.s, e.id
        enums = [x.name for x in s.enums.values() if name in x.members]
        if enums:
            if want is not None and not isinstance(strip(want), ErrorT):
                return self.err("E201", e, f"`{name}` is a member of {enums[0]}, but {show(want)} is needed")
            return self.err("E101", e, f"`{name}` is a member of {enums[0]}, which is not expected here", "members are found by the type that is expected")
        if name in s.values or name in s.effects:
            return self.err("E107", e, f"`{name}` is called with parentheses", f"write `{name}(…)`")
        if name in ("self", "source", "you"):
            return self.err("E204", e, f"`{name}` has a meaning in abilities only", "a frame names cards and players by its locals")
        if name in s.kinds or name in s.elements or name in s.enums:
            return self.err("E107", e, f"`{name}` is a type, not a value")
        known: list[str] = [*sc.vars, *s.states, *s.options, *s.boards, *s.zones, *s.cards, *s.decklists, "players", "catalog"]
        if isinstance(want, EnumT) or (isinstance(want, OptT) and isinstance(want.item, EnumT)):
            enum = strip(want)
            assert isinstance(enum, EnumT)
            known = [*s.enums[enum.name].members, *sc.vars]
        return self.err("E101", e, f"nothing is called `{name}` here", near(name, known))

    def root_kind(self) -> str:
        """The kind all cards are of, or the first one where there is none such (its members are then all that can be read)."""
        roots = [k.name for k in self.s.kinds.values() if k.base is None]
        return roots[0] if len(roots) == 1 else "" if not roots else "*"

    def new(self, ident: n.Ident, e: n.Expr) -> X:
        if not self.site.test:
            return self.err("E204", e, "`new` is for tests", "a frame makes cards with `copy … to …`")
        card = self.s.cards.get(ident.text)
        if card is None:
            return self.err("E101", ident, f"no card is called `{ident.text}`", near(ident.text, self.s.cards))
        self.uses.reads.add(("card", ident.text))
        return X("new", (card.index,), CardT(card.kind), e.span)

    def place_value(self, place: Place, e: n.Node) -> X:
        sym = self.s.place(place.owner, place.part)
        t = CardT(sym.kind, place.owner)
        if sym.one:
            return X("one", (place,), OptT(t), e.span)
        return X("place", (place,), ListT(t), e.span)

    # ---- Members

    def member(self, e: n.Member, sc: Scope) -> X:
        if self.site.test and isinstance(e.base, n.Method):
            return self.member_of(self.method(e.base, sc, put=True), e.name, e)
        base = self.expr(e.base, sc)
        return self.member_of(base, e.name, e)

    def member_of(self, base: X, name: n.Ident, e: n.Node) -> X:
        match base.t:
            case ErrorT():
                return base
            case PlayerT():
                return self.player_member(base, name, e)
            case CardT():
                return self.card_member(base, base.t, name, e)
            case PrintedT(kind):
                return self.printed_member(base, kind, name, e)
            case FormT(form):
                params = self.s.forms[form].params
                if name.text in params:
                    self.uses.reads.add(("form", form, name.text))
                    return X("dfield", (form, name.text, base), params[name.text].type, e.span)
                return self.no_member(name, f"form `{form}`", params)
            case SlotT():
                return self.slot_member(base, base.t, name, e)
            case ElementT(board):
                return self.element_member(base, board, name, e)
            case EnumT(enum):
                columns = self.s.enums[enum].columns
                if name.text in columns:
                    return X("column", (enum, name.text, base), columns[name.text], e.span)
                return self.no_member(name, f"`{enum}`", columns)
            case BoardT(board) if self.s.boards[board].grid is not None and name.text in GRID_MEMBERS:
                return self.grid_member(board, name.text, e)
            case BoardT(board) if base.op == "one_board":
                return self.element_member(number(0, base.span), board, name, e)
            case BoardT() | ListT():
                return self.dotted(base, name, e)
            case OptT(item):
                if base.op == "one":
                    return self.dotted(base, name, e)
                return self.err(
                    "E203", e, f"this may be none, so it has no `{name.text}` for certain",
                    f"test it first: `if … is not none {{ … }}` (its type is {show(base.t)}, {show(item)} is needed)",
                )
        return self.err("E105", name, f"{show(base.t)} has no members")

    def no_member(self, name: n.Ident, what: str, known: Iterable[str]) -> X:
        known = list(known)
        help = near(name.text, known)
        if help is None and known:
            help = "it has " + ", ".join(f"`{k}`" for k in known[:8]) + (" …" if len(known) > 8 else "")
        return self.err("E105", name, f"{what} has no member `{name.text}`", help)

    def slot_member(self, base: X, t: SlotT, name: n.Ident, e: n.Node) -> X:
        """`s.boost.cost`, once it is known that `s` fills the slot; `s.capacity.source`, the card whose ability it bears."""
        card = base.args[2]
        assert isinstance(card, X)
        slot = self.s.kinds[t.kind].slots[t.name]
        if name.text == "source" and isinstance(card.t, CardT):
            if t.name not in self.s.exchanged:
                return replace(card, span=e.span)
            return X("lender", (card, t.name), replace(card.t, where=slot.board), e.span)
        if name.text not in slot.params:
            return self.no_member(name, f"slot `{t.name}`", [*slot.params, "source"])
        if not t.filled:
            return self.err(
                "E203", e, f"it is not known that this card has `{t.name}`, so it has no `{name.text}` for certain",
                f"test it first: `if … has {t.name} then … else …`",
            )
        self.uses.reads.add(("slotarg", t.kind, t.name, name.text))
        of = f"{t.kind}·{t.name}"
        if isinstance(card.t, CardT):
            return X("field", (of, name.text, card), slot.params[name.text].type, e.span)
        return X("dfield", (of, name.text, card), slot.params[name.text].type, e.span)

    def player_member(self, base: X, name: n.Ident, e: n.Node) -> X:
        s, text = self.s, name.text
        if text in s.player:
            self.uses.reads.add(("player", text))
            return X("player", (text, base), s.player[text].type, e.span)
        if text in s.zones and s.zones[text].place.each:
            self.uses.reads.add(("zone", text))
            return self.place_value(Place(text, None, None, base), e)
        if text == "opponent":
            if base.op == "const" and isinstance(base.args[0], int):
                return const(1 - base.args[0], PLAYER, e.span)
            return X("opponent", (base,), PLAYER, e.span)
        if text == "decklist":
            return X("own_decklist", (base,), ListT(CardT(self.root_kind())), e.span)
        known = [*s.player, *(z for z, sym in s.zones.items() if sym.place.each), "opponent", "decklist"]
        if text in s.zones:
            return self.err("E105", name, f"`{text}` is shared: no player has one of his own", f"write `{text}`")
        return self.no_member(name, "player", known)

    def kind_parts(self, kind: str) -> list[str]:
        s = self.s
        return [x for k in s.chain(kind) for x in [*k.fields, *k.states, *k.slots]]

    def card_member(self, base: X, t: CardT, name: n.Ident, e: n.Node) -> X:
        s, text = self.s, name.text
        if found := s.field(t.kind, text):
            kind, field = found
            self.uses.reads.add(("field", kind.name, text))
            return X("field", (kind.name, text, base), field.type, e.span)
        if found := s.state(t.kind, text):
            kind, field = found
            self.uses.reads.add(("cardstate", kind.name, text))
            return X("card", (kind.name, text, base), field.type, e.span)
        if slot := s.slot(t.kind, text):
            return X("slot", (slot[0].name, text, base), SlotT(slot[0].name, text), e.span)
        form = s.form(t.kind)
        if form is not None and text == "forms":
            return X("forms", (base,), ListT(FormT(form.name)), e.span)
        if form is not None and text == "form":
            return X("form", (base,), OptT(FormT(form.name)), e.span)
        match text:
            case "owner":
                return X("owner", (base,), PLAYER if s.owned(t) else OptT(PLAYER), e.span)
            case "face_up":
                return X("face_up", (base,), BOOL, e.span)
            case "face_down":
                return X("not", (X("face_up", (base,), BOOL, e.span),), BOOL, e.span)
        if text in s.elements:
            board = s.elements[text]
            if t.where == board or self.site.test:
                return X("element_of", (board, base), ElementT(board), e.span)
            return self.err(
                "E205", e, f"it is not known that this card lies on `{board}`, so it has no `{text}` for certain",
                f"test it: `if … is in {board} {{ … }}`, or read `{text}` before a statement that may move it",
            )
        known = [*self.kind_parts(t.kind), "owner", "face_up", "face_down", *s.elements]
        return self.no_member(name, f"kind `{t.kind}`", known)

    def printed_member(self, base: X, kind: str, name: n.Ident, e: n.Node) -> X:
        s = self.s
        found = s.field(kind, name.text)
        if found is None and (slot := s.slot(kind, name.text)) is not None:
            return X("slot", (slot[0].name, name.text, base), SlotT(slot[0].name, name.text), e.span)
        if found is None:
            if s.state(kind, name.text) or name.text in ("owner", "face_up", "face_down"):
                return self.err("E105", name, f"a printed card has no `{name.text}`", "only a card in a match has state, owner and face")
            return self.no_member(name, f"kind `{kind}`", [f for k in s.chain(kind) for f in k.fields])
        self.uses.reads.add(("field", found[0].name, name.text))
        return X("dfield", (found[0].name, name.text, base), found[1].type, e.span)

    def element_member(self, base: X, board: str, name: n.Ident, e: n.Node) -> X:
        sym, text = self.s.boards[board], name.text
        if text in sym.fields:
            self.uses.reads.add(("element", board, text))
            return X("element", (board, text, base), sym.fields[text].type, e.span)
        if text in sym.parts:
            self.uses.reads.add(("board", board))
            part = sym.parts[text]
            if part.each:
                return X("parts", (board, text, base), ListT(CardT(part.kind, board)), e.span)
            return self.place_value(Place(board, text, base, None), e)
        if text == "neighbors" and sym.grid is not None:
            return X("near", (board, base), ListT(ElementT(board)), e.span)
        if text == "index" and sym.grid is None:
            return X("index_of", (base,), IntT(0, sym.count - 1), e.span)
        more = "index" if sym.grid is None else "neighbors"
        return self.no_member(name, f"`{sym.element or board}`", [*sym.fields, *sym.parts, more])

    def grid_member(self, board: str, name: str, e: n.Node) -> X:
        t: Type = BOOL
        if name in ("rows", "columns"):
            t = ListT(LineT(board))
        elif name in ("corners", "adjacent"):
            t = ListT(ElementT(board))
        return X("grid", (name, board), t, e.span)

    def method(self, e: n.Method, sc: Scope, put: bool = False) -> X:
        """`territory.at(x, y)`; with `put` the space where a test puts something, which need not be one yet."""
        base = self.expr(e.base, sc)
        if isinstance(base.t, ErrorT):
            return base
        if not isinstance(base.t, BoardT) or e.name.text != "at" or self.s.boards[base.t.name].grid is None:
            return self.err("E105", e.name, f"{show(base.t)} has nothing to call named `{e.name.text}`", "a grid has `at(x, y)`")
        board = base.t.name
        grid = self.s.boards[board].grid
        if grid is not None and grid[2] and not self.site.test:
            return self.err(
                "E204", e, f"`{board}` floats: where it begins is not fixed, so `at` has no meaning in {self.site.words}",
                "place things relative to each other: `neighbors`, `rows`, `corners`",
            )
        xs = self.plain_args(n.Call(e.name, e.args, span=e.span), 2, 2)
        if xs is None:
            return X("error", (), ERROR, e.span)
        x, y = (self.need(a, sc, INT) for a in xs)
        if isinstance(x.t, ErrorT) or isinstance(y.t, ErrorT):
            return X("error", (), ERROR, e.span)
        if put:
            return X("put_xy", (board, x, y), ElementT(board), e.span)
        return X("at_xy", (board, x, y), OptT(ElementT(board)), e.span)

    def dotted(self, base: X, name: n.Ident, e: n.Node) -> X:
        """A dot on a collection maps and joins in order."""
        items = self.as_list(base, e)
        assert items is not None
        item = self.item(items.t)
        if isinstance(item, ErrorT):
            return items
        if isinstance(item, ElementT) and items.op == "elements":
            part = self.s.boards[item.board].parts.get(name.text)
            if part is not None:
                self.uses.reads.add(("board", item.board))
                return X("parts", (item.board, name.text, None), ListT(CardT(part.kind, item.board)), e.span)
        v = self.fresh("it", item)
        inner = self.member_of(X("var", (v,), item, base.span), name, e)
        if isinstance(inner.t, ErrorT):
            return inner
        as_list = self.as_list(inner, e)
        if as_list is not None:
            return X("join", (as_list, v, items), ListT(self.item(as_list.t)), e.span)
        return X("comp", (inner, v, items, None), ListT(inner.t), e.span)

    def index(self, e: n.Index, sc: Scope) -> X:
        base = self.expr(e.base, sc)
        match base.t:
            case ErrorT():
                return base
            case BoardT(board) if self.s.boards[board].grid is not None:
                return self.err("E206", e, f"`{board}` is a grid: its spaces have no numbers", "write `" + board + ".at(x, y)`")
            case BoardT(board) if base.op == "board":
                i = self.need(e.index, sc, INT)
                size = self.s.boards[board].count
                return self.bounded(i, size, ElementT(board), board, e)
            case ListT(item) if base.op == "parts":
                seat = self.need(e.index, sc, PLAYER)
                board, part, element = base.args
                assert isinstance(board, str) and isinstance(part, str)
                if not self.s.boards[board].parts[part].each:
                    return self.err("E206", e.index, f"`{part}` is shared, so it has no part for each player")
                if isinstance(seat.t, ErrorT):
                    return seat
                if element is None:
                    return X("parts_of", (board, part, seat), ListT(item), e.span)
                assert isinstance(element, X)
                return self.place_value(Place(board, part, element, seat), e)
            case ListT(item) if base.op == "players":
                return self.bounded(self.need(e.index, sc, INT), 2, PLAYER, "players", e)
            case ListT(item):
                i = self.need(e.index, sc, INT)
                if isinstance(i.t, ErrorT):
                    return i
                low, _ = bounds(i.t, self.s)
                if i.op == "const" and low is not None and low < 0:
                    return self.err("E206", e.index, f"there is no entry {low}; indices count from 0")
                return X("at", (base, i, self.line(e)), item, e.span)
        return self.err("E201", e.base, f"this is {show(base.t)}, which has no entries")

    def bounded(self, i: X, size: int, t: Type, what: str, e: n.Index) -> X:
        """An index whose range must lie within `size`."""
        if isinstance(i.t, ErrorT):
            return i
        low, high = bounds(i.t, self.s)
        if low is None or high is None or low < 0 or high >= size:
            return self.err(
                "E206", e.index, f"this index may lie outside `{what}`, which has 0 to {size - 1}",
                "indices count from 0; use a number or a type with that range",
            )
        if i.op == "const":
            return const(i.args[0], t, e.span)
        return replace(i, t=t, span=e.span)

    def list_lit(self, e: n.ListLit, items: tuple[n.Expr, ...], sc: Scope, want: Type | None) -> X:
        want = strip(want) if want is not None else None
        if not items:
            if isinstance(want, SetT):
                return const(0, want, e.span)
            return X("list", ((),), want if isinstance(want, ListT) else EmptyT(), e.span)
        if isinstance(want, SetT):
            members = [self.need(i, sc, want.item) for i in items]
            if any(isinstance(m.t, ErrorT) for m in members):
                return X("error", (), ERROR, e.span)
            if all(m.op == "const" for m in members):
                mask = 0
                for i, m in zip(items, members, strict=True):
                    assert isinstance(m.args[0], int)
                    if mask >> m.args[0] & 1:
                        self.err("E302", i, "this member is in the set already", "remove it")
                    mask |= 1 << m.args[0]
                return const(mask, want, e.span)
            return X("set", (tuple(members),), want, e.span)
        wanted = want.item if isinstance(want, ListT) else None
        xs = [self.expr(i, sc, wanted) for i in items]
        t: Type = xs[0].t
        for i, x in zip(items[1:], xs[1:], strict=True):
            joined = join(t, x.t, self.s)
            if joined is None:
                return self.err("E201", i, f"this is {show(x.t)}, but the list began with {show(t)}")
            t = joined
        return X("list", (tuple(xs),), ListT(t), e.span)

    # ---- Operators

    def binary(self, e: n.Binary, sc: Scope) -> X:
        match e.op:
            case "==" | "!=":
                return self.equality(e, sc)
            case "<" | "<=" | ">" | ">=":
                a, b = self.need(e.left, sc, INT), self.need(e.right, sc, INT)
                return self.compare(e, a, b)
            case "has":
                return self.has(e, sc)
            case "meets":
                a = self.expr(e.left, sc)
                if not isinstance(a.t, SetT):
                    return self.coerced_set(a, e.left)
                b = self.need(e.right, sc, a.t)
                return X("meets", (a, b), BOOL, e.span)
            case "sees":
                if not self.site.test:
                    return self.err("E204", e, "`sees` is for tests", "who sees a card is a matter of its zone and its face")
                who = self.need(e.left, sc, PLAYER)
                card = self.expr(e.right, sc)
                if not isinstance(card.t, CardT | ErrorT):
                    return self.err("E201", e.right, f"this is {show(card.t)}, but a card is needed")
                return X("sees", (who, card), BOOL, e.span)
        if e.op in ("+", "-"):
            spine: list[n.Binary] = []
            first: n.Expr = e
            while isinstance(first, n.Binary) and first.op in ("+", "-"):
                spine.append(first)
                first = first.left
            a = self.expr(first, sc)
            for node in reversed(spine):
                a = self.plus(node, a, sc)
            return a
        return self.arithmetic(e, self.need(e.left, sc, INT), self.need(e.right, sc, INT))

    def plus(self, e: n.Binary, a: X, sc: Scope) -> X:
        if isinstance(a.t, SetT):
            return X("union" if e.op == "+" else "minus", (a, self.need(e.right, sc, a.t)), a.t, e.span)
        if isinstance(a.t, ListT) and e.op == "+":
            return X("concat", (a, self.need(e.right, sc, a.t)), a.t, e.span)
        return self.arithmetic(e, self.coerce(a, INT, e.left), self.need(e.right, sc, INT))

    def coerced_set(self, a: X, node: n.Node) -> X:
        if isinstance(a.t, ErrorT):
            return a
        return self.err("E201", node, f"this is {show(a.t)}, but a set is needed")

    def arithmetic(self, e: n.Binary, a: X, b: X) -> X:
        if isinstance(a.t, ErrorT) or isinstance(b.t, ErrorT):
            return X("error", (), ERROR, e.span)
        if e.op == "/":
            if b.op != "const" or not isinstance(b.args[0], int) or b.args[0] < 1:
                return self.err("E201", e.right, "division takes a positive number written out", "`x / 2` rounds down")
        al, ah = bounds(a.t, self.s)
        bl, bh = bounds(b.t, self.s)
        t = INT
        match e.op:
            case "+":
                t = IntT(None if al is None or bl is None else al + bl, None if ah is None or bh is None else ah + bh)
            case "-":
                t = IntT(None if al is None or bh is None else al - bh, None if ah is None or bl is None else ah - bl)
            case "*":
                if None not in (al, ah, bl, bh):
                    ends = [x * y for x in (al, ah) for y in (bl, bh) if x is not None and y is not None]
                    t = IntT(min(ends), max(ends))
                elif al is not None and bl is not None and al >= 0 and bl >= 0:
                    t = IntT(al * bl, None)
            case "/":
                assert bl is not None
                t = IntT(None if al is None else al // bl, None if ah is None else ah // bl)
        return X({"+": "add", "-": "sub", "*": "mul", "/": "div"}[e.op], (a, b), t, e.span)

    def compare(self, e: n.Binary, a: X, b: X) -> X:
        if isinstance(a.t, ErrorT) or isinstance(b.t, ErrorT):
            return X("error", (), ERROR, e.span)
        al, ah = bounds(a.t, self.s)
        bl, bh = bounds(b.t, self.s)
        surely: bool | None = None
        inf = float("inf")
        lo_a, hi_a = (-inf if al is None else al), (inf if ah is None else ah)
        lo_b, hi_b = (-inf if bl is None else bl), (inf if bh is None else bh)
        match e.op:
            case "<":
                surely = True if hi_a < lo_b else False if lo_a >= hi_b else None
            case "<=":
                surely = True if hi_a <= lo_b else False if lo_a > hi_b else None
            case ">":
                surely = True if lo_a > hi_b else False if hi_a <= lo_b else None
            case ">=":
                surely = True if lo_a >= hi_b else False if hi_a < lo_b else None
            case "==":
                surely = False if hi_a < lo_b or lo_a > hi_b else True if lo_a == hi_a == lo_b == hi_b else None
            case "!=":
                surely = True if hi_a < lo_b or lo_a > hi_b else False if lo_a == hi_a == lo_b == hi_b else None
        if surely is not None and not self.site.test:
            return const(surely, BOOL, e.span)
        return X("cmp", (e.op, a, b), BOOL, e.span)

    def equality(self, e: n.Binary, sc: Scope) -> X:
        left_enum = isinstance(e.left, n.Name) and self.only_member(e.left.id, sc)
        if left_enum:
            b = self.expr(e.right, sc)
            a = self.expr(e.left, sc, b.t)
        else:
            a = self.expr(e.left, sc)
            b = self.expr(e.right, sc, strip(a.t) if isinstance(strip(a.t), EnumT | FaceTypes | SetT) else None)
        if isinstance(a.t, ErrorT) or isinstance(b.t, ErrorT):
            return X("error", (), ERROR, e.span)
        at, bt = strip(a.t), strip(b.t)
        if isinstance(at, IntT) and isinstance(bt, IntT):
            if isinstance(a.t, OptT) or isinstance(b.t, OptT):
                return X("cmp", (e.op, a, b), BOOL, e.span)
            return self.compare(e, a, b)
        if isinstance(at, NoneT) or isinstance(bt, NoneT):
            return self.err("E209", e, "a comparison with none", "write `is none` or `is not none`")
        if isinstance(at, CardT) and isinstance(bt, PrintedT):
            return self.err("E201", e.right, "a card of the match is never the printed card itself", "write `is " + (e.right.id if isinstance(e.right, n.Name) else "…") + "`")
        if join(at, bt, self.s) is None or isinstance(at, ListT | BoardT | SlotT):
            return self.err("E201", e.right, f"this is {show(b.t)}, which is never equal to {show(a.t)}")
        return X("cmp", (e.op, a, b), BOOL, e.span)

    def only_member(self, name: str, sc: Scope) -> bool:
        s = self.s
        return (
            name not in sc.vars and name not in s.states and name not in s.options and name not in s.cards
            and any(name in x.members for x in s.enums.values())
        )

    def has(self, e: n.Binary, sc: Scope) -> X:
        a = self.expr(e.left, sc)
        match a.t:
            case CardT(kind) | PrintedT(kind) if isinstance(e.right, n.Name):
                slot = self.s.slot(kind, e.right.id)
                if slot is None:
                    known = [x for k in self.s.chain(kind) for x in k.slots]
                    return self.err("E105", e.right, f"kind `{kind}` has no slot `{e.right.id}`", near(e.right.id, known))
                self.uses.reads.add(("slot", slot[0].name, slot[1].name))
                return X("fills", (slot[0].name, slot[1].name, a, isinstance(a.t, CardT)), BOOL, e.span)
            case SetT(item):
                b = self.need(e.right, sc, item)
                return X("has", (a, b), BOOL, e.span)
            case LogT():
                b = self.need(e.right, sc, TextT())
                return X("log_has", (a, b), BOOL, e.span)
            case ErrorT():
                return a
        return self.err("E201", e.left, f"this is {show(a.t)}, but a set is needed", "for a list or a zone write `… is in …`")

    # ---- Calls

    def call(self, e: n.Call, sc: Scope) -> X:
        s, name = self.s, e.name.text
        if name in s.values:
            value = s.values[name]
            self.uses.reads.add(("value", name))
            args = self.args(e, [(p.name, p.type, p.default) for p in value.params], sc, f"value `{name}`")
            if args is None:
                return X("error", (), ERROR, e.span)
            return X("value", (name, *args), value.type, e.span)
        if name in s.effects:
            return self.err("E204", e, f"`{name}` is an effect: it gives nothing back", "call it as a statement")
        match name:
            case "count":
                xs = self.plain_args(e, 1, 1)
                if xs is None:
                    return X("error", (), ERROR, e.span)
                items = self.collection(xs[0], sc)
                return X("len", (items,), IntT(0, None), e.span) if not isinstance(items.t, ErrorT) else items
            case "min" | "max":
                xs = self.plain_args(e, 2, 8)
                if xs is None:
                    return X("error", (), ERROR, e.span)
                return self.least(name, [self.need(a, sc, INT) for a in xs], e)
            case "abs":
                xs = self.plain_args(e, 1, 1)
                if xs is None:
                    return X("error", (), ERROR, e.span)
                x = self.need(xs[0], sc, INT)
                return X("abs", (x,), IntT(0, None), e.span) if not isinstance(x.t, ErrorT) else x
            case "top":
                return self.top(e, sc)
            case "copies" if self.site.deck:
                xs = self.plain_args(e, 1, 1)
                if xs is None:
                    return X("error", (), ERROR, e.span)
                x = self.expr(xs[0], sc)
                deck = self.name(n.Name("deck", span=e.span), sc, None)
                if not isinstance(x.t, CardT | ErrorT):
                    return self.err("E201", xs[0], f"this is {show(x.t)}, but a card is needed")
                return X("copies", (x, deck), IntT(0, None), e.span)
            case "log" if self.site.test:
                xs = self.plain_args(e, 1, 1)
                if xs is None:
                    return X("error", (), ERROR, e.span)
                return X("log", (self.need(xs[0], sc, PLAYER),), LogT(), e.span)
            case "flaws" if self.site.test:
                xs = self.plain_args(e, 1, 1)
                if xs is None:
                    return X("error", (), ERROR, e.span)
                items = self.collection(xs[0], sc)
                t = self.item(items.t)
                if not isinstance(t, CardT | PrintedT):
                    return items if isinstance(items.t, ErrorT) else self.err("E201", xs[0], f"this is {show(items.t)}, but the cards of a deck are needed")
                return X("flaws", (items, isinstance(t, PrintedT)), LogT(), e.span)
        known = [*s.values, "count", "sum", "any", "all", "min", "max", "abs", "top"]
        return self.err("E101", e.name, f"no value is called `{name}`", near(name, known))

    def least(self, name: str, xs: list[X], e: n.Node) -> X:
        if any(isinstance(x.t, ErrorT) for x in xs):
            return X("error", (), ERROR, e.span)
        pick = min if name == "min" else max
        lows, highs = zip(*(bounds(x.t, self.s) for x in xs), strict=True)
        if name == "min":
            low = None if None in lows else min(lows)
            known = [h for h in highs if h is not None]
            high = pick(known) if known else None
        else:
            known = [low_ for low_ in lows if low_ is not None]
            low = pick(known) if known else None
            high = None if None in highs else max(highs)
        return X(name, tuple(xs), IntT(low, high), e.span)

    def top(self, e: n.Call, sc: Scope) -> X:
        xs = self.plain_args(e, 1, 2)
        if xs is None:
            return X("error", (), ERROR, e.span)
        items = self.collection(xs[0], sc)
        if isinstance(items.t, ErrorT):
            return items
        if len(xs) == 1:
            return X("top", (items,), OptT(self.item(items.t)), e.span)
        return X("topn", (items, self.need(xs[1], sc, IntT(0, None))), ListT(self.item(items.t)), e.span)

    def plain_args(self, e: n.Call, least: int, most: int) -> list[n.Expr] | None:
        for a in e.args:
            if a.name is not None:
                self.err("E202", a, f"`{e.name.text}` takes no named arguments")
                return None
        if not least <= len(e.args) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            self.err("E202", e, f"`{e.name.text}` takes {wanted} argument{'s' if wanted != '1' else ''}, not {len(e.args)}")
            return None
        return [a.value for a in e.args]

    def args(self, e: n.Call, params: list[tuple[str, Type, n.Expr | None]], sc: Scope, what: str) -> list[X] | None:
        """The arguments of a call in the order of the parameters, defaults filled in."""
        given: dict[str, n.Expr] = {}
        position = 0
        ok = True
        for a in e.args:
            if a.name is None:
                if position >= len(params):
                    self.err("E202", a, f"{what} takes {len(params)} argument{'s' if len(params) != 1 else ''}, not {len(e.args)}")
                    return None
                name = params[position][0]
                position += 1
            else:
                name = a.name.text
                if name not in [p[0] for p in params]:
                    self.err("E105", a.name, f"{what} has no parameter `{name}`", near(name, [p[0] for p in params]))
                    ok = False
                    continue
            if name in given:
                self.err("E302", a, f"argument `{name}` is given twice")
                ok = False
            given[name] = a.value
        out: list[X] = []
        for name, t, default in params:
            if name in given:
                out.append(self.need(given[name], sc, t))
            elif default is not None:
                out.append(self.need(default, Scope(), t))
            else:
                self.err("E202", e, f"{what} needs an argument `{name}` ({show(t)})")
                ok = False
        return out if ok else None

    def aggregate(self, e: n.Aggregate, sc: Scope) -> X:
        op = e.op.text
        if op not in ("count", "any", "all", "sum"):
            return self.err("E101", e.op, f"`{op}` does not go through a list", "`count`, `any`, `all` and `sum` do")
        with self.each(e.var, e.source, sc) as (v, src, inner):
            w, inner = self.where(e.where, inner)
            if op in ("count", "any"):
                if e.body is not None:
                    return self.err("E202", e.body, f"`{op}` takes no term before `for`", f"write `{op}(x in S where …)`")
                if w is None:
                    return self.err("E202", e, f"`{op}` needs a condition", "write `count(S)` or `S is not empty` without one")
                return X(op, (v, src, w), IntT(0, None) if op == "count" else BOOL, e.span)
            if e.body is None:
                return self.err("E202", e, f"`{op}` needs a term before `for`", f"write `{op}(… for x in S)`")
            if op == "all":
                b, _, _ = self.cond(e.body, inner)
                return X("all", (b, v, src, w), BOOL, e.span)
            b = self.need(e.body, inner, INT)
            if isinstance(b.t, ErrorT):
                return b
            low, _ = bounds(b.t, self.s)
            return X("sum", (b, v, src, w), IntT(0, None) if low is not None and low >= 0 else INT, e.span)

    def random(self, e: n.Random, count: n.Expr | None, source: n.Expr, sc: Scope) -> X:
        if not self.chance_ok:
            return self.err("E204", e, f"chance has no place in {self.site.words}", "draw it first in a statement: `let x = random from …`")
        items = self.collection(source, sc)
        if isinstance(items.t, ErrorT):
            return items
        item = self.item(items.t)
        if count is not None:
            k = self.need(count, sc, IntT(0, None))
            return X("sample", (items, k), ListT(item), e.span)
        sure = items.op in ("players", "elements") or (items.op == "list" and bool(items.args[0]))
        return X("pick", (items,), item if sure else OptT(item), e.span)


FaceTypes = type(FACE)

__all__ = ["BoolT", "Expressions", "FieldSym", "Site", "Uses"]
