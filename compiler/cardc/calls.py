"""Calls of values and of what the language brings with it, searches through lists, and chance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cardc import nodes as n
from cardc.advice import GREATEST, called
from cardc.display import plural
from cardc.findings import Edit, Fix
from cardc.ir import Var, X
from cardc.operators import Operators, failed
from cardc.report import Report, near
from cardc.scope import Scope, bounds
from cardc.source import Source
from cardc.symbols import ParamSym
from cardc.types import (
    BOOL,
    ERROR,
    INT,
    PLAYER,
    CardT,
    EnumT,
    ErrorT,
    IntT,
    ListT,
    LogT,
    NoneT,
    OptT,
    PrintedT,
    SetT,
    Type,
    optional,
    strip,
)

FOLDS = ("count", "any", "all", "sum")


class Calls(Operators):
    # ---- Calls

    def call(self, e: n.Call, sc: Scope) -> X:
        s, name = self.s, e.name.text
        if name in s.values:
            value = s.values[name]
            self.uses.reads.add(("value", name))
            args = self.args(e, value.params, sc, f"value `{name}`")
            return failed(e) if args is None else X("value", (name, *args), value.type, e.span)
        if name in s.effects:
            return self.err("E204", e, f"`{name}` is an effect: it gives nothing back", "call it as a statement")
        match name:
            case "count":
                return self.count(e, sc)
            case "min" | "max":
                xs = self.plain_args(e, 2, 8)
                return failed(e) if xs is None else self.least(name, [self.need(a, sc, INT) for a in xs], e)
            case "abs":
                xs = self.plain_args(e, 1, 1)
                return failed(e) if xs is None else self.absolute(self.need(xs[0], sc, INT), e)
            case "top":
                return self.top(e, sc)
            case "copies" if self.site.deck:
                return self.copies(e, sc)
            case "log" if self.site.test:
                xs = self.plain_args(e, 1, 1)
                return failed(e) if xs is None else X("log", (self.need(xs[0], sc, PLAYER),), LogT(), e.span)
            case "flaws" if self.site.test:
                return self.flaws(e, sc)
            case "copies" | "log" | "flaws":
                where = "the requirements of a deck" if name == "copies" else "tests"
                return self.err("E204", e, f"`{name}` has a meaning in {where} only")
            case "sum" | "any" | "all":
                return self.err("E202", e, f"`{name}` goes through a list", f"write `{name}(… for x in …)`")
        if name in s.states or name in s.options or name in s.zones or name in s.boards:
            return self.err("E107", e.name, f"`{name}` is not called", f"write `{name}`, without parentheses")
        help = called(name, s) or near(name, [*s.values, *FOLDS, "top"]) or f"declare it: `value {name}(…): … = …`"
        return self.unknown("E101", e.name, name, f"no value is called `{name}`", help)

    def count(self, e: n.Call, sc: Scope) -> X:
        xs = self.plain_args(e, 1, 1)
        if xs is None:
            return failed(e)
        items = self.collection(xs[0], sc)
        if isinstance(items.t, ErrorT):
            return items
        most = self.most(items)
        fixed = items.op in ("players", "players_from", "elements", "list")
        return X("len", (items,), IntT(most if fixed else 0, most), e.span)

    def top(self, e: n.Call, sc: Scope) -> X:
        xs = self.plain_args(e, 1, 2)
        if xs is None:
            return failed(e)
        items = self.collection(xs[0], sc)
        if isinstance(items.t, ErrorT):
            return items
        if len(xs) == 1:
            return X("top", (items,), optional(self.item(items.t)), e.span)
        number = self.need(xs[1], sc, IntT(0, None))
        return number if isinstance(number.t, ErrorT) else X("topn", (items, number), ListT(self.item(items.t)), e.span)

    def copies(self, e: n.Call, sc: Scope) -> X:
        xs = self.plain_args(e, 1, 1)
        if xs is None:
            return failed(e)
        x = self.expr(xs[0], sc)
        deck = self.expr(n.Name("deck", span=e.span), sc, None)
        if not isinstance(x.t, CardT):
            return self.wanted(xs[0], x, "a card of the deck")
        return X("copies", (x, deck), IntT(0, None), e.span)

    def flaws(self, e: n.Call, sc: Scope) -> X:
        """`flaws([…])`: which requirements a deck breaks."""
        xs = self.plain_args(e, 1, 1)
        if xs is None:
            return failed(e)
        items = self.collection(xs[0], sc)
        t = self.item(items.t)
        if not isinstance(t, CardT | PrintedT):
            return self.wanted(xs[0], items, "the cards of a deck")
        return X("flaws", (items, isinstance(t, PrintedT)), LogT(), e.span)

    def plain_args(self, e: n.Call, least: int, most: int) -> list[n.Expr] | None:
        """The arguments of what the language brings with it, which have no names."""
        for a in e.args:
            if a.name is not None:
                fix = Fix("leave out the name", (Edit(self.source, a.span[0], a.value.span[0], ""),))
                self.err("E202", a, f"`{e.name.text}` takes no named arguments", "leave out the name", fix=fix)
                return None
        if not least <= len(e.args) <= most:
            wanted = plural(least, "argument") if least == most else f"{least} to {most} arguments"
            help = f"it compares numbers; {GREATEST}" if e.name.text in ("min", "max") else None
            self.err("E202", e, f"`{e.name.text}` takes {wanted}, not {len(e.args)}", help)
            return None
        return [a.value for a in e.args]

    def args(self, e: n.Call, params: list[ParamSym], sc: Scope, what: str) -> list[X] | None:
        """The arguments of a call in the order of the parameters, defaults filled in."""
        given = self.matched(e, params, what)
        if given is None:
            return None
        out: list[X] = []
        for p in params:
            if p.name in given:
                origin = None if p.spot is None else (*p.spot, p.name, p.type)
                out.append(self.need(given[p.name], sc, p.type, origin))
            elif p.default is not None:
                out.append(self.settled(p.default, p.type))
        wrong = [i for i, x in enumerate(out) if type(x.t) is ErrorT]
        if len(wrong) == 2 and all(a.name is None for a in e.args):
            self.swapped(e, params, given, (wrong[0], wrong[1]), sc, what)
        return None if wrong else out

    def swapped(
        self, e: n.Call, params: list[ParamSym], given: dict[str, n.Expr], two: tuple[int, int], sc: Scope, what: str
    ) -> None:
        """One finding where two arguments stand in each other's place."""
        (p, q), (a, b) = (params[i] for i in two), (given[params[i].name] for i in two)
        kept, self.report = self.report, Report()
        fits = not any(isinstance(self.need(x, sc, t.type).t, ErrorT) for x, t in ((a, q), (b, p)))
        self.report = kept
        if fits and all([self.report.withdraw("E201", self.source, x) for x in (a, b)]):
            text = self.source.text
            edits = Edit(self.source, *a.span, text[slice(*b.span)]), Edit(self.source, *b.span, text[slice(*a.span)])
            message = f"{what} takes `{p.name}` before `{q.name}`, and these stand the other way round"
            help = _form(e, [x.name for x in params])
            self.err("E202", e, message, help, _declared([p, q]), Fix("swap them", edits))

    def matched(self, e: n.Call, params: list[ParamSym], what: str) -> dict[str, n.Expr] | None:
        """Which parameter each argument is for."""
        given: dict[str, n.Expr] = {}
        names = [p.name for p in params]
        position = 0
        ok = True
        for a in e.args:
            if a.name is not None:
                name = a.name.text
                if name not in names:
                    self.unknown("E105", a.name, name, f"{what} has no parameter `{name}`", near(name, names))
                    ok = False
                    continue
            elif position < len(params):
                name = names[position]
                position += 1
            else:
                message = f"{what} takes {plural(len(params), 'argument')}, not {len(e.args)}"
                self.err("E202", a, message, _form(e, names), _declared(params))
                return None
            if name in given:
                self.err("E302", a, f"argument `{name}` is given twice", "remove one")
                ok = False
            given[name] = a.value
        if not ok:
            return None
        missing = [p for p in params if p.name not in given and p.default is None]
        if missing:
            wanted = " and ".join(f"`{p.name}` ({self.say(p.type)})" for p in missing)
            message = f"{what} needs {'an argument' if len(missing) == 1 else 'arguments'} {wanted}"
            self.err("E202", e, message, _form(e, names), _declared(missing))
        return None if missing else given

    def settled(self, e: n.Expr, t: Type) -> X:
        """A default, which has its findings where it is declared."""
        kept, self.report = self.report, Report()
        try:
            return self.need(e, Scope(), t)
        finally:
            self.report = kept

    # ---- Searches

    @contextmanager
    def each(self, var: n.Ident, source: n.Expr, sc: Scope) -> Iterator[tuple[Var, X, Scope]]:
        """Go through `source`: the local, the list, and the scope that has the local."""
        src = self.collection(source, sc)
        v, inner = self.local(var, self.item(src.t), sc)
        yield v, src, inner
        self.unused(var, v, "loop variable")

    def where(self, e: n.Expr | None, sc: Scope) -> tuple[X | None, Scope]:
        if e is None:
            return None, sc
        x, yes, _ = self.cond(e, sc)
        return x, yes

    def aggregate(self, e: n.Aggregate, sc: Scope) -> X:
        op = e.op.text
        if op not in FOLDS:
            known = "`count`, `any`, `all` and `sum` do"
            if op in ("max", "min"):
                most = f"the x in S where all(v(x) {'>=' if op == 'max' else '<='} v(y) for y in S)"
                known = f"it compares numbers, `{op}(a, b)`; one of a list is `{most}`"
            return self.unknown("E101", e.op, op, f"`{op}` does not go through a list", known)
        if op in ("count", "any"):
            if e.body is not None:
                return self.err("E202", e.body, f"`{op}` takes nothing before `for`", f"write `{op}(x in … where …)`")
            if e.where is None:
                return self.err(
                    "E202", e, f"`{op}` needs a condition", "write `count(…)` or `… is not empty` without one"
                )
        elif e.body is None:
            return self.err("E202", e, f"`{op}` needs a term before `for`", f"write `{op}(… for x in …)`")
        with self.each(e.var, e.source, sc) as (v, src, inner):
            w, inner = self.where(e.where, inner)
            if isinstance(src.t, ErrorT) or (w is not None and isinstance(w.t, ErrorT)):
                if e.body is not None:
                    self.expr(e.body, inner, BOOL if op == "all" else INT)
                return failed(e)
            w = None if w is None else self.tested(e, w)
            if e.body is None:
                return X(op, (v, src, w), IntT(0, self.most(src)) if op == "count" else BOOL, e.span)
            if op == "all":
                b, _, _ = self.cond(e.body, inner)
                return b if isinstance(b.t, ErrorT) else X("all", (b, v, src, w), BOOL, e.span)
            b = self.need(e.body, inner, INT)
            if isinstance(b.t, ErrorT):
                return b
            return X("sum", (b, v, src, w), self.total(b, src), e.span)

    def total(self, b: X, src: X) -> IntT:
        """The range of a sum."""
        low, high = bounds(b.t, self.s)
        most = self.most(src)
        least = None if low is None else 0 if low >= 0 else None if most is None else low * most
        return IntT(least, None if high is None or most is None else max(high, 0) * most)

    def listing(self, e: n.Listing, sc: Scope, want: Type | None) -> X:
        wanted = want.item if isinstance(want, OptT) else want
        with self.each(e.var, e.source, sc) as (v, src, inner):
            w, inner = self.where(e.where, inner)
            item = wanted.item if isinstance(wanted, ListT | SetT) else None
            b = self.expr(e.body, inner, item)
            if isinstance(src.t, ErrorT) or isinstance(b.t, ErrorT) or (w is not None and isinstance(w.t, ErrorT)):
                return failed(e)
            w = None if w is None else self.tested(e, w)
            if item is not None:
                b = self.coerce(b, item, e.body)
            if isinstance(wanted, SetT):
                return b if isinstance(b.t, ErrorT) else X("comp_set", (b, v, src, w), wanted, e.span)
            if isinstance(b.t, NoneT):
                return self.err("E201", e.body, "a list of nothing but none tells nothing")
            return b if isinstance(b.t, ErrorT) else X("comp", (b, v, src, w), ListT(b.t), e.span)

    def the(self, e: n.The, sc: Scope) -> X:
        with self.each(e.var, e.source, sc) as (v, src, inner):
            w, inner = self.where(e.where, inner)
            self.used.add(v.name)
            if isinstance(src.t, ErrorT) or (w is not None and isinstance(w.t, ErrorT)):
                return failed(e)
            t = inner.types.get(e.var.text, v.type)
            w = None if w is None else self.tested(e, w)
            return X("the", (v, src, w), optional(t), e.span)

    # ---- Chance

    def random(self, e: n.Random, sc: Scope, want: Type | None) -> X:
        if self.chance is None:
            help = "draw it first: `let x = random from …`"
            return self.err("E204", e, "chance is drawn only where a statement stores it", help)
        of = None if want is None else strip(want) if e.count is None else self.item(want)
        words = ListT(of) if isinstance(of, EnumT) else None  # what a list of words written out is to be
        items = self.as_collection(self.expr(e.source, sc, words), e.source)
        if isinstance(items.t, ErrorT):
            return items
        item = self.item(items.t)
        self.uses.chances[self.chance] = item
        if e.count is not None:
            k = self.need(e.count, sc, IntT(1, None))
            return k if isinstance(k.t, ErrorT) else X("sample", (items, k), ListT(item), e.span)
        sure = items.op in ("players", "players_from", "elements", "list")
        return X("pick", (items,), item if sure else optional(item), e.span)


__all__ = ["ERROR", "Calls"]


def _form(e: n.Call, names: list[str]) -> str:
    """How a call is written. What a card gives to a slot or a form is a call of its own name."""
    called = e.name.text.split("`")[1] if "`" in e.name.text else e.name.text
    return f"write `{called}({', '.join(names)})`"


def _declared(params: list[ParamSym]) -> list[tuple[Source, n.Node, str]]:
    """The places where parameters are declared."""
    return [(*p.spot, f"`{p.name}` is declared here") for p in params if p.spot is not None]
