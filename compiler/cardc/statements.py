"""Checks statements and elaborates them into `cardc.ir` statements.

Assumes collected symbols. Establishes: every statement stands where it may, locals are used, places are known where needed and
forgotten after whatever can move a card, choices have options and ask for what their chooser may know.
"""

from __future__ import annotations

from dataclasses import replace

from cardc import nodes as n
from cardc import sight
from cardc.expressions import Expressions
from cardc.ir import (
    AbilityLine,
    CAlt,
    CPick,
    Place,
    SAlternate,
    SAssign,
    SCall,
    SChoose,
    SCopy,
    SDraw,
    SFinish,
    SExchange,
    SFor,
    SForm,
    SIf,
    SLet,
    SLoop,
    SMove,
    SRepeat,
    SReveal,
    SRun,
    SShuffle,
    SStop,
    Stmt,
    STogether,
    STogetherEach,
    SUntil,
    Var,
    X,
    const,
    number,
)
from cardc.report import near
from cardc.scope import Scope, bounds, fits
from cardc.types import (
    BOOL,
    ERROR,
    FACE,
    INT,
    PLAYER,
    BoardT,
    BoolT,
    CardT,
    ElementT,
    EnumT,
    FormT,
    ErrorT,
    IntT,
    ListT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    SlotT,
    Type,
    show,
    strip,
)

MOST_OPTIONS = 4096


class Statements(Expressions):
    """Elaborates the statements of one declaration, named `unit` in the emitted code."""

    unit: str = ""
    in_flow = False
    stops = 0
    asks = False
    site_count = 0
    calls: set[str]
    runs: set[str]
    sites: list[tuple[SChoose, str]]
    lines: list[AbilityLine]
    card: str | None = None
    flow_loops: list[tuple[n.Node, tuple[Stmt, ...]]]
    secret_bodies: list[tuple[n.Node, tuple[Stmt, ...]]]

    def prepare(self, unit: str, sites: list[tuple[SChoose, str]], lines: list[AbilityLine]) -> None:
        self.unit = unit
        self.calls, self.runs = set(), set()
        self.flow_loops, self.secret_bodies = [], []
        self.sites, self.lines = sites, lines

    # ---- Blocks

    def block(self, b: n.Block, sc: Scope) -> tuple[tuple[Stmt, ...], Scope]:
        """Elaborate the items of a block; locals of the block end with it, what was forgotten stays forgotten."""
        out: list[Stmt] = []
        inner = sc
        lets: list[tuple[n.Ident, Var]] = []
        for item in b.items:
            if out and isinstance(out[-1], SFinish | SStop):
                self.err("E209", item, "nothing runs after this ends", "remove it")
                break
            if isinstance(item, n.Let):
                self.chance_ok = True
                value = self.expr(item.value, inner)
                self.chance_ok = False
                t = value.t
                if isinstance(t, BoardT):
                    value = self.as_list(value, item.value) or value
                    t = value.t
                if isinstance(t, IntT):
                    t = replace(t)
                var, inner = self.local(item.name, t, inner)
                lets.append((item.name, var))
                out.append(SLet(var, value, self.line(item)))
                continue
            stmt, inner = self.item_stmt(item, inner)
            out.extend(stmt)
        for ident, var in lets:
            self.unused(ident, var, "local")
        outer = Scope(sc.vars, {e: t for e, t in sc.facts.items() if inner.facts.get(e) == t})
        for name, var in sc.vars.items():
            key = n.Name(name)
            if key in inner.facts and key not in sc.facts and isinstance(var.type, CardT) and inner.facts[key] == replace(var.type, where=None):
                outer = outer.know(key, inner.facts[key])
        return tuple(out), outer

    def item_stmt(self, item: n.Item, sc: Scope) -> tuple[list[Stmt], Scope]:
        line = self.line(item)
        match item:
            case n.Modifier() | n.On() | n.Instead() | n.Once():
                self.err(
                    "E204", item, f"a line of an ability has no place in {self.site.words}",
                    "such lines stand in static slots and in `until … { … }`",
                )
                return [], sc
            case n.Assign():
                return self.assign(item, sc)
            case n.CallStmt(call):
                return self.call_stmt(call, sc, line)
            case n.Move():
                return self.move(item, sc, line)
            case n.Draw(count, source, to):
                k = self.need(count, sc, IntT(0, None))
                src, dst = self.place(source, sc), self.place(to, sc)
                if src is None or dst is None or isinstance(k.t, ErrorT):
                    return [], sc
                self.holds(dst, self.s.place(src.owner, src.part).kind, to)
                sc = sc.forget_places(self.s.place(src.owner, src.part).kind, self.s).forget_tests()
                return [SDraw(k, src, dst, line)], sc
            case n.Copy(what, to):
                return self.copy(what, to, sc, line)
            case n.Shuffle(what):
                place = self.place(what, sc)
                return ([SShuffle(place, line)] if place else []), sc.forget_tests()
            case n.Reveal(what, to):
                return self.reveal(what, to, sc, line)
            case n.Run(slot):
                x = self.expr(slot, sc)
                if isinstance(x.t, ErrorT):
                    return [], sc
                if not isinstance(x.t, SlotT):
                    self.err("E201", slot, f"this is {show(x.t)}, but a slot is needed", "write `run c.SLOT`")
                    return [], sc
                sym = self.s.kinds[x.t.kind].slots[x.t.name]
                card = x.args[2]
                assert isinstance(card, X)
                if sym.nature != "effect":
                    self.err("E204", slot, f"slot `{x.t.name}` is static: it holds, it is not run", labels=[(sym.source, sym.ident, "declared here")])
                elif not (isinstance(card.t, CardT) and card.t.where == sym.board):
                    self.err("E205", slot, f"it is not known that this card lies on `{sym.board}`, where the slot works", f"move it there just before, or test `is in {sym.board}`")
                self.runs.add(x.t.name)
                self.uses.reads.add(("slot", x.t.kind, x.t.name))
                return [SRun(f"{x.t.kind}·{x.t.name}", card, line)], sc.forget_places(None, self.s).forget_tests()
            case n.If(cond, then, other):
                c, yes, no = self.cond(cond, sc)
                a, after_a = self.block(then, yes)
                b: tuple[Stmt, ...] = ()
                after_b = no
                if other is not None:
                    b, after_b = self.block(other, no)
                return [SIf(c, a, b, line)], self.meet(sc, after_a if not self.ends(a) else after_b, after_b if not self.ends(b) else after_a)
            case n.ForEach():
                return self.for_each(item, sc, line)
            case n.Repeat(count, period, body):
                k = self.need(count, sc, IntT(0, None))
                inner = self.loop_scope(body, sc)
                self.stops += 1
                stmts, _ = self.block(body, inner)
                self.stops -= 1
                return [SRepeat(k, self.period(period), stmts, line)], inner.forget_tests()
            case n.Together(var, source, start, body):
                return self.together(item, var, source, start, body, sc, line)
            case n.Loop() | n.Alternate() | n.While():
                return self.flow_loop(item, sc, line)
            case n.Stop():
                if not self.stops:
                    self.err("E204", item, "`stop` stands in no loop", "it leaves the innermost `loop`, `repeat`, `alternate` or `while`")
                return [SStop(line)], sc
            case n.Finish(kind, player, reason):
                return [self.finish(item, kind, player, reason, sc, line)], sc
            case n.Choose():
                return self.choose(item, sc, line)
            case n.Until(period, body):
                return self.until(item, period, body, sc, line)
            case n.Exchange():
                return self.exchange(item, sc, line)
            case n.Let():
                raise AssertionError
        raise AssertionError(item)

    def ends(self, stmts: tuple[Stmt, ...]) -> bool:
        return bool(stmts) and isinstance(stmts[-1], SFinish | SStop)

    def meet(self, sc: Scope, a: Scope, b: Scope) -> Scope:
        """What is known after two branches."""
        facts = {e: t for e, t in a.facts.items() if b.facts.get(e) == t}
        for name, var in sc.vars.items():
            key = n.Name(name)
            here = [s.facts.get(key, var.type) for s in (a, b)]
            if isinstance(var.type, CardT) and key not in facts:
                lost = next((t for t in here if isinstance(t, CardT) and t.where is None), None)
                if lost is not None:
                    facts[key] = replace(var.type, where=None)
        return Scope(sc.vars, facts).forget_tests()

    def loop_scope(self, body: n.Block, sc: Scope) -> Scope:
        """What is still known at each pass of a loop over `body`."""
        return sc.forget_places(None, self.s).forget_tests() if sight.moves(body) else sc.forget_tests()

    def period(self, ident: n.Ident | None) -> int | None:
        return None if ident is None else self.s.periods.index(ident.text)

    # ---- Writing

    def assign(self, item: n.Assign, sc: Scope) -> tuple[list[Stmt], Scope]:
        known = frozenset(self.uses.reads)
        target = self.expr(item.target, sc)
        line = self.line(item)
        if isinstance(target.t, ErrorT):
            return [], sc
        if target.op == "form" and item.op == "=":
            return self.set_form(item, target, sc, line)
        found = self.location(target)
        if found is None:
            self.not_assignable(item, target)
            return [], sc
        key, t = found
        if key not in known:
            self.uses.reads.discard(key)  # a target is elaborated like a read but is none
        self.uses.writes.add(key)
        value = self.written(item, target, t, sc)
        if value is None:
            return [], sc
        return [SAssign(target, value, t, line)], sc.forget_tests()

    def location(self, target: X) -> tuple[tuple[str, ...], Type] | None:
        """The key of what is written, and its declared type; None where nothing can be written."""
        s, a = self.s, [str(x) for x in target.args[:2]]
        match target.op:
            case "state":
                return ("state", a[0]), s.states[a[0]].type
            case "player":
                return ("player", a[0]), s.player[a[0]].type
            case "element":
                return ("element", a[0], a[1]), s.boards[a[0]].fields[a[1]].type
            case "card":
                return ("cardstate", a[0], a[1]), s.kinds[a[0]].states[a[1]].type
        return None

    def written(self, item: n.Assign, target: X, t: Type, sc: Scope) -> X | None:
        self.chance_ok = True
        try:
            if item.op == "=":
                x = self.need(item.value, sc, t)
            elif isinstance(t, IntT):
                v = self.need(item.value, sc, INT)
                op = {"+=": "+", "-=": "-", "*=": "*"}[item.op]
                x = self.arithmetic(n.Binary(op, item.target, item.value, span=item.span), replace(target, t=t), v)
                x = self.coerce(x, t, item.value)
            elif isinstance(t, SetT) and item.op in ("+=", "-="):
                v = self.need(item.value, sc, t)
                x = X("union" if item.op == "+=" else "minus", (target, v), t, item.span)
            else:
                self.err("E201", item.target, f"`{item.op}` does not fit {show(t)}", "write `=`")
                return None
        finally:
            self.chance_ok = False
        return None if isinstance(x.t, ErrorT) else x

    def set_form(self, item: n.Assign, target: X, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        card = target.args[0]
        assert isinstance(card, X)
        value = self.need(item.value, sc, target.t)
        if isinstance(value.t, ErrorT):
            return [], sc
        return [SForm(card, value, line)], sc.forget_tests()

    def exchange(self, item: n.Exchange, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        s = self.s
        a, b = self.expr(item.first, sc), self.expr(item.second, sc)
        for x, node in ((a, item.first), (b, item.second)):
            if not isinstance(x.t, CardT | ErrorT):
                self.err("E201", node, f"this is {show(x.t)}, but a card is needed")
                return [], sc
        if not isinstance(a.t, CardT) or not isinstance(b.t, CardT):
            return [], sc
        names = []
        for ident in item.slots:
            found, other = s.slot(a.t.kind, ident.text), s.slot(b.t.kind, ident.text)
            if found is None or other is None:
                kind = a.t.kind if found is None else b.t.kind
                known = [x for k in s.chain(kind) for x in k.slots]
                self.err("E105", ident, f"kind `{kind}` has no slot `{ident.text}`", near(ident.text, known))
                return [], sc
            if found[0].name != other[0].name:
                self.err("E201", item.second, "the two cards have no slot in common", "exchange abilities of cards of one kind")
                return [], sc
            if found[1].nature != "static":
                self.err("E204", ident, f"slot `{ident.text}` is run, not held, so it cannot be exchanged")
                return [], sc
            for x, node in ((a, item.first), (b, item.second)):
                assert isinstance(x.t, CardT)
                if x.t.where != found[1].board and not self.site.test:
                    self.err("E205", node, f"it is not known that this card lies on `{found[1].board}`, where the slot works")
            names.append(ident.text)
        return [SExchange(tuple(names), a, b, line)], sc.forget_tests()

    def not_assignable(self, item: n.Assign, target: X) -> None:
        what = {
            "field": "a printed field never changes", "option": "an option never changes during a match",
            "value": "a value is computed, not stored", "place": "cards are moved, not assigned", "one": "cards are moved, not assigned",
            "var": "a local never changes", "owner": "a card's owner follows from where it lies",
            "face_up": "a face is turned by `reveal` and `move … facing`", "not": "a face is turned by `reveal` and `move … facing`",
        }.get(target.op, "this cannot be assigned")
        help = {
            "field": "declare a `state` of the kind and change that", "var": "use another local",
            "place": "write `move … to …`", "one": "write `move … to …`",
        }.get(target.op)
        self.err("E208", item.target, what, help)

    def call_stmt(self, call: n.Call, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        s, name = self.s, call.name.text
        if name not in s.effects:
            if name in s.values:
                self.err("E204", call, f"`{name}` is a value: computing it does nothing", "use it in an expression")
            else:
                self.err("E101", call.name, f"no effect is called `{name}`", near(name, s.effects))
            return [], sc
        effect = s.effects[name]
        self.calls.add(name)
        self.uses.reads.add(("effect", name))
        args = self.args(call, [(p.name, p.type, p.default) for p in effect.params], sc, f"effect `{name}`")
        after = sc.forget_places(None, s).forget_tests()
        return ([SCall(name, tuple(args), line)] if args is not None else []), after

    # ---- Moving

    def place(self, e: n.Expr, sc: Scope) -> Place | None:
        """A single place."""
        x = self.expr(e, sc)
        if x.op in ("place", "one"):
            place = x.args[0]
            assert isinstance(place, Place)
            return place
        if not isinstance(x.t, ErrorT):
            help = "say whose part it is: `l.units[p]`" if x.op in ("parts", "parts_of") else "name a zone or a part of a board"
            self.err("E201", e, f"this is {show(x.t)}, but one place is needed", help)
        return None

    def holds(self, place: Place, kind: str, node: n.Node) -> None:
        s = self.s
        wanted = s.place(place.owner, place.part).kind
        if wanted not in s.kinds or kind not in s.kinds:
            return
        if not s.is_kind(kind, wanted):
            code_help = f"test it first: `if … is {wanted} {{ … }}`" if s.is_kind(wanted, kind) else None
            self.err("E201", node, f"this place holds `{wanted}`, not every `{kind}`", code_help)

    def move(self, item: n.Move, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        s = self.s
        what = self.expr(item.what, sc)
        to = self.place(item.to, sc)
        up = None if item.facing is None else self.need(item.facing, sc, FACE)
        if isinstance(what.t, ErrorT) or to is None or (up is not None and isinstance(up.t, ErrorT)):
            return [], sc
        many = not isinstance(what.t, CardT)
        if many:
            items = self.as_list(what, item.what)
            if items is None or not isinstance(self.item(items.t), CardT):
                self.err("E201", item.what, f"this is {show(what.t)}, but cards are needed", "to make new cards write `copy … to …`" if isinstance(what.t, PrintedT) else None)
                return [], sc
            what, t = items, self.item(items.t)
        else:
            t = what.t
        assert isinstance(t, CardT)
        self.holds(to, t.kind, item.what)
        if up is not None and up.op == "const" and up.args[0]:
            up = None
        after = sc.forget_places(t.kind, s).forget_tests()
        if not many:
            after = after.know(item.what, replace(t, where=to.owner)) if isinstance(item.what, n.Name) else after
        return [SMove(what, many, to, item.bottom, up, line)], after

    def copy(self, e: n.Expr, to_expr: n.Expr, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        what, to = self.expr(e, sc), self.place(to_expr, sc)
        if isinstance(what.t, ErrorT) or to is None:
            return [], sc
        many = not isinstance(what.t, CardT | PrintedT)
        if many:
            items = self.as_list(what, e)
            inner = None if items is None else self.item(items.t)
            if items is None or not isinstance(inner, CardT | PrintedT):
                self.err("E201", e, f"this is {show(what.t)}, but cards are needed")
                return [], sc
            what, t = items, inner
        else:
            t = what.t
        if what.op != "decklist" and t.kind in self.s.kinds:
            self.holds(to, t.kind, e)
        return [SCopy(what, many, to, line)], sc.forget_tests()

    def reveal(self, e: n.Expr, to: n.Expr | None, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        seat = None if to is None else self.need(to, sc, PLAYER)
        hidden = self.secret_state(e, sc)
        if hidden is not None:
            return [SReveal(hidden, seat, line)], sc.forget_tests()
        x = self.expr(e, sc)
        if isinstance(x.t, ErrorT):
            return [], sc
        if isinstance(x.t, BoardT):
            board = self.s.boards[x.t.name]
            low, high = board.low, board.high
            x = X("span", (low, high), ListT(CardT(next(iter(board.parts.values())).kind, board.name)), x.span)
        if isinstance(x.t, CardT):
            x = X("list", ((x,),), ListT(x.t), x.span)
        items = self.as_list(x, e)
        if items is None or not isinstance(self.item(items.t), CardT):
            self.err("E201", e, f"this is {show(x.t)}, but cards or hidden state are needed")
            return [], sc
        return [SReveal(items, seat, line)], sc.forget_tests()

    def secret_state(self, e: n.Expr, sc: Scope) -> X | None:
        """`players.invested`, `p.invested`: hidden state to be shown."""
        if not isinstance(e, n.Member):
            return None
        sym = self.s.player.get(e.name.text)
        if sym is None or not sym.secret:
            return None
        base = self.expr(e.base, sc)
        if isinstance(base.t, PlayerT):
            return X("secret", (e.name.text, X("list", ((base,),), ListT(PLAYER))), ERROR, e.span)
        if base.op == "players":
            return X("secret", (e.name.text, base), ERROR, e.span)
        return None

    # ---- Loops

    def for_each(self, item: n.ForEach, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        src = self.collection(item.source, sc)
        if item.start is not None:
            start = self.need(item.start, sc, PLAYER)
            if src.op == "players":
                src = X("players_from", (start,), ListT(PLAYER), src.span)
            elif not isinstance(src.t, ErrorT):
                self.err("E204", item.start, "`from` gives the first player of `players` only", "use `where` or `by` for other lists")
        t = self.item(src.t)
        moving = sight.moves(item.body)
        # what may be none runs at most once: nothing moves between passes
        base = sc if src.op == "optlist" else self.loop_scope(item.body, sc)
        var, inner = self.local(item.var, t, base)
        where, inner = self.where(item.where, inner)
        by = None if item.by is None else self.need(item.by, inner, INT)
        body, _ = self.block(item.body, inner)
        self.unused(item.var, var, "loop variable")
        guard = t.where if isinstance(t, CardT) and moving else None
        return [SFor(var, src, where, by, guard, body, line)], self.loop_scope(item.body, sc)

    def flow_loop(self, item: n.Loop | n.Alternate | n.While, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        if not self.in_flow:
            word = {n.Loop: "loop", n.Alternate: "alternate", n.While: "while"}[type(item)]
            self.err("E204", item, f"`{word}` has no place in {self.site.words}", "it stands in `flow`; elsewhere use `for each` or `repeat`")
        inner = self.loop_scope(item.body, sc)
        self.stops += 1
        out: Stmt
        match item:
            case n.Loop(period, body):
                stmts, _ = self.block(body, inner)
                out = SLoop(None, self.period(period), stmts, line)
            case n.While(cond, body):
                c, yes, _ = self.cond(cond, inner)
                stmts, _ = self.block(body, yes)
                out = SLoop(c, None, stmts, line)
            case n.Alternate(ident, start, period, cond_, body):
                self.chance_ok = True
                first = self.need(start, sc, PLAYER)
                self.chance_ok = False
                var, named = self.local(ident, PLAYER, inner)
                c2 = None
                if cond_ is not None:
                    c2, named, _ = self.cond(cond_, named)
                stmts, _ = self.block(body, named)
                out = SAlternate(var, first, c2, self.period(period), stmts, line)
        self.stops -= 1
        self.flow_loops.append((item, stmts))
        return [out], inner.forget_tests()

    def together(
        self, item: n.Together, var: n.Ident | None, source: n.Expr | None, start: n.Expr | None, body: n.Block, sc: Scope, line: int
    ) -> tuple[list[Stmt], Scope]:
        if var is None or source is None:
            stmts, after = self.block(body, sc)
            return [STogether(stmts, line)], after
        src = self.collection(source, sc)
        if start is not None:
            first = self.need(start, sc, PLAYER)
            src = X("players_from", (first,), ListT(PLAYER), src.span) if src.op == "players" else src
        if src.op not in ("players", "players_from") and not isinstance(src.t, ErrorT):
            self.err("E204", source, "`together each` goes through `players`")
        inner = self.loop_scope(body, sc)
        v, inner = self.local(var, PLAYER, inner)
        saved, self.stops = self.stops, 0
        stmts, _ = self.block(body, inner)
        self.stops = saved
        self.unused(var, v, "loop variable")
        self.secret_bodies.append((item, stmts))
        self.counter += 1
        return [STogetherEach(v, src, stmts, f"{self.unit}_{self.counter}", line)], sc.forget_places(None, self.s).forget_tests()

    def finish(self, item: n.Finish, kind: str, player: n.Expr | None, reason: n.Text | None, sc: Scope, line: int) -> Stmt:
        text = reason.value if reason else {"win": "Won", "lose": "Lost", "tie": "Tie"}[kind]
        if player is None:
            return SFinish(None, text, line)
        who = self.need(player, sc, PLAYER)
        if kind == "lose" and not isinstance(who.t, ErrorT):
            who = X("opponent", (who,), PLAYER, who.span)
        return SFinish(who, text, line)

    # ---- Choices

    def choose(self, item: n.Choose, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        self.asks = True
        who = self.need(item.who, sc, PLAYER)
        alts = self.alternatives(item.alternatives, who, sc)
        other, after_other = self.block(item.other, sc) if item.other is not None else ((), sc)
        choice = self.site_of(who, item.may, alts, other, line)
        after = sc
        for a in item.alternatives:
            if sight.moves(a.body):
                after = sc.forget_places(None, self.s)
        return [choice], self.meet(sc, after.forget_tests(), after_other)

    def site_of(self, who: X, may: bool, alts: tuple[CAlt, ...], other: tuple[Stmt, ...], line: int) -> SChoose:
        choice = SChoose(who, may, alts, other, len(self.sites), line)
        self.site_count += 1
        self.sites.append((choice, f"{self.unit}·{self.site_count}"))
        return choice

    def alternatives(self, alts: tuple[n.Alternative, ...], who: X, sc: Scope) -> tuple[CAlt, ...]:
        seen: dict[str, n.Ident] = {}
        out = []
        for a in alts:
            if a.verb.text in seen:
                self.err("E408", a.verb, f"two alternatives are called `{a.verb.text}`", "an alternative is known by its verb", [(self.source, seen[a.verb.text], "the other one")])
            seen[a.verb.text] = a.verb
            when, inner, _ = self.cond(a.when, sc) if a.when is not None else (None, sc, sc)
            if when is not None and a.when is not None:
                self.breach(sight.secret_read(when, who, self.s), a.when)
            picks: list[CPick] = []
            named: list[tuple[n.Ident, Var]] = []
            size = 1
            for p in a.picks:
                pick, inner, count = self.pick(p, who, inner)
                if pick is not None:
                    picks.append(pick)
                    named.append((p.name, pick.var))
                    size *= max(count, 1)
            if size > MOST_OPTIONS:
                self.err("E406", a.verb, f"this alternative can have {size} options; the most is {MOST_OPTIONS}", "narrow a range, or ask in two choices")
            body, _ = self.block(a.body, inner)
            for ident, var in named:
                self.unused(ident, var, "pick")
            out.append(CAlt(a.verb.text, tuple(picks), a.label.value if a.label else None, when, body, self.line(a)))
        return tuple(out)

    def pick(self, p: n.Pick, who: X, sc: Scope) -> tuple[CPick | None, Scope, int]:
        """One pick, the scope in which later picks and the block see it, and the size of its domain where it is known."""
        domain, t, count = self.domain(p, sc)
        if domain is None:
            _, sc = self.local(p.name, ERROR, sc)
            return None, sc, 1
        shown: Type = OptT(t) if p.maybe and p.type is not None else t
        var, after = self.local(p.name, shown, sc)
        inner = after if shown == t else after.know(n.Name(p.name.text), t)
        where = None
        if p.where is not None:
            where, inner, _ = self.cond(p.where, inner)
            self.breach(sight.secret_read(where, who, self.s), p.where)
            if isinstance(t, CardT):
                self.breach(sight.hidden_read(where, var, domain, who, self.s), p.where)
        if isinstance(t, CardT) and domain.op == "filter" and sight.may_be_hidden(domain, who, self.s) and not (
            where is not None and sight.shown(where, var)
        ):
            self.breach("the kind of a card", p)
        if shown == t:
            after = inner
        return CPick(var, domain, True, None, where, p.maybe, shown), after, count

    def breach(self, what: str | None, node: n.Node) -> None:
        if what is not None:
            self.err(
                "E501", node, f"the options tell {what} that their chooser cannot see",
                "choose by what is public (owner, place, face), or reveal the cards to the chooser first",
            )

    def domain(self, p: n.Pick, sc: Scope) -> tuple[X | None, Type, int]:
        s = self.s
        source = None if p.source is None else self.collection_or_set(p.source, sc)
        if source is not None and isinstance(source.t, ErrorT):
            return None, ERROR, 1
        match p.type:
            case None:
                return X("list", ((const(False, BOOL), const(True, BOOL)),), ListT(BOOL)), BOOL, 2
            case n.RangeType(low, high):
                lo, hi = self.range_bound(low, sc), self.range_bound(high, sc) if high is not None else None
                if lo is None or hi is None:
                    if high is None:
                        self.err("E406", p.type, "a choice of a number needs an upper bound")
                    return None, ERROR, 1
                least, _ = bounds(lo.t, s)
                _, most = bounds(hi.t, s)
                if least is None or most is None:
                    self.err("E406", p.type, "the range of this choice has no bound")
                    return None, ERROR, 1
                if least > most:
                    self.err("E405", p.type, "this range is empty: there is nothing to choose")
                    return None, ERROR, 1
                return X("range", (lo, hi), ListT(IntT(least, most)), p.span), IntT(least, most), most - least + 1
            case n.NamedType(name):
                return self.named_domain(p, name, source)
        raise AssertionError(p)

    def range_bound(self, e: n.Expr, sc: Scope) -> X | None:
        x = self.need(e, sc, INT)
        return None if isinstance(x.t, ErrorT) else x

    def collection_or_set(self, e: n.Expr, sc: Scope) -> X:
        x = self.expr(e, sc)
        if isinstance(x.t, ErrorT | SetT):
            return x
        return self.as_list(x, e) or self.err("E201", e, f"this is {show(x.t)}, but a list, a zone, a board or a set is needed")

    def named_domain(self, p: n.Pick, name: n.Ident, source: X | None) -> tuple[X | None, Type, int]:
        s, text = self.s, name.text
        if text == "player":
            return (source or X("players", (), ListT(PLAYER))), PLAYER, 2
        if text in s.enums:
            t = EnumT(text)
            if source is None:
                return X("members", (text, None), ListT(t), p.span), t, len(s.enums[text].members)
            if source.t == SetT(t):
                return X("members", (text, source), ListT(t), p.span), t, len(s.enums[text].members)
            self.err("E201", p.source or p, f"this is {show(source.t)}, but a set of {text} is needed")
            return None, ERROR, 1
        if source is None:
            self.err("E201", p, f"what `{text}` to choose from is not said", f"write `{p.name.text}: {text} in …`")
            return None, ERROR, 1
        item = self.item(source.t)
        if text in s.forms:
            if item != FormT(text):
                self.err("E405", p.source or p, f"this holds {show(item)}, so no `{text}` can be chosen")
                return None, ERROR, 1
            return source, item, 8
        if text in s.elements:
            element = ElementT(s.elements[text])
            if item != element:
                self.err("E405", p.source or p, f"this holds {show(item)}, so no `{text}` can be chosen")
                return None, ERROR, 1
            return source, element, s.boards[element.board].count
        if text not in s.kinds:
            self.err("E101", name, f"no kind is called `{text}`", near(text, [*s.kinds, *s.enums, *s.elements, "player"]))
            return None, ERROR, 1
        if not isinstance(item, CardT | PrintedT):
            self.err("E405", p.source or p, f"this holds {show(item)}, so no `{text}` can be chosen")
            return None, ERROR, 1
        if item.kind not in s.kinds or s.is_kind(item.kind, text):
            return source, item, self.size(source)
        if not s.is_kind(text, item.kind):
            self.err("E405", p.source or p, f"this holds `{item.kind}`, so no `{text}` can be chosen")
            return None, ERROR, 1
        t2 = replace(item, kind=text)
        kinds = tuple(k.index for k in s.leaves(text))
        return X("filter", (source, kinds, isinstance(item, CardT)), ListT(t2), p.span), t2, self.size(source)

    def size(self, source: X) -> int:
        """The greatest length of a list of cards where places bound it, else 1."""
        match source.op:
            case "place" | "one":
                place = source.args[0]
                assert isinstance(place, Place)
                most = self.s.place(place.owner, place.part).most
                return most if isinstance(most, int) else 1
            case "parts" | "parts_of":
                board, part = str(source.args[0]), str(source.args[1])
                most = self.s.boards[board].parts[part].most
                if not isinstance(most, int):
                    return 1
                each = 1 if source.op == "parts_of" or not self.s.boards[board].parts[part].each else 2
                elements = self.s.boards[board].count if source.op == "parts_of" or source.args[2] is None else 1
                return most * each * elements
        return 1

    # ---- Lasting

    def until(self, item: n.Until, period: n.Ident | None, body: n.Block, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        if period is not None and period.text not in self.s.periods:
            self.err("E101", period, f"no period is called `{period.text}`", near(period.text, self.s.periods) or "a period is named by `as` on a loop")
            return [], sc
        if self.card is None:
            self.err("E204", item, f"`until` has no place in {self.site.words}", "it stands in the slots of cards")
            return [], sc
        return self.lasting(item, period, body, sc, line)

    def lasting(self, item: n.Until, period: n.Ident | None, body: n.Block, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        raise NotImplementedError


__all__ = ["FACE", "BoolT", "SUntil", "Statements", "fits", "number", "strip"]
