"""Checks statements and elaborates them into `cardc.ir` statements.

Assumes collected symbols. Establishes: every statement stands where it may and does something, locals are used, places
are known where needed and forgotten after whatever can move a card, loops go round.
"""

from __future__ import annotations

from msgspec.structs import replace

from cardc import nodes as n
from cardc.choices import Choices, Given, Origin, Told
from cardc.findings import Fix
from cardc.graphs import falls, raises
from cardc.ir import (
    AbilityLine,
    SAlternate,
    SAssign,
    SCall,
    SChoose,
    SFinish,
    SFor,
    SForm,
    SIf,
    SLet,
    SLoop,
    SRepeat,
    SStop,
    Stmt,
    STogether,
    STogetherEach,
    Var,
    X,
)
from cardc.moving import Done
from cardc.report import near, removed
from cardc.scope import Scope
from cardc.searches import changes, key, moves, writes
from cardc.symbols import BUILT_IN_NAMES, FieldSym
from cardc.types import (
    INT,
    PLAYER,
    BoardT,
    CardT,
    EmptyT,
    ErrorT,
    IntT,
    ListT,
    LogT,
    NoneT,
    SetT,
    SlotT,
    Type,
    placed,
    unplaced,
)

_FLOW_WORDS = {n.Loop: "loop", n.Alternate: "alternate", n.While: "while"}


class Statements(Choices):
    """Elaborates the statements of one declaration, named `unit` in the emitted code."""

    in_flow = False
    loops = 0
    """How many loops around the code a `stop` may leave."""
    held: str | None = None
    """The construct around the code that a `stop` cannot leave."""
    open_periods: tuple[str, ...] = ()
    lines: list[AbilityLine]
    flow_loops: list[tuple[n.Node, tuple[Stmt, ...]]]
    secret_bodies: list[tuple[n.Node, Var, tuple[Stmt, ...]]]
    passed: list[Given]

    def prepare(
        self, unit: str, sites: list[SChoose], lines: list[AbilityLine], told: list[Told], own: bool = True
    ) -> None:
        self.unit, self.own = unit, own
        self.calls, self.runs = set(), set()
        self.flow_loops, self.secret_bodies, self.passed = [], [], []
        self.sites, self.lines, self.told = sites, lines, told
        self.origins = {}

    def made_of(self, x: X, sc: Scope) -> None:
        """Note what had been shown where something without a name is kept."""
        if x.op not in ("const", "var"):
            self.origins[f"·{len(self.origins)}"] = Origin(x, sc.shown)

    # ---- Blocks

    def block(self, b: n.Block, sc: Scope) -> tuple[tuple[Stmt, ...], Scope]:
        """Elaborate the items of a block; locals of the block end with it, what is known of others stays: where a
        card was moved to, and what was forgotten."""
        out: list[Stmt] = []
        inner = sc
        lets: list[tuple[n.Ident, Var]] = []
        for item in b.items:
            if out and not falls((out[-1],)):
                self.err("E209", item, "this is never reached: what stands before it does not go on", "remove it")
                break
            if type(item) is n.Let:
                inner = self.let(item, inner, out, lets)
                continue
            stmts, inner = self.item_stmt(item, inner)
            out.extend(stmts if self.site.spot is None else self.site.spot.guarded(item, stmts))
        for ident, var in lets:
            self.unused(ident, var, "local")
        facts = {e: t for e, t in sc.facts.items() if inner.facts.get(e) == t}
        types = {name: t for name, t in inner.types.items() if sc.vars.get(name) is inner.vars[name]}
        return tuple(out), Scope(sc.vars, types, facts, inner.shown)

    def idle(self, b: n.Block, what: str, help: str = "remove it") -> None:
        """A finding for a block that does nothing."""
        if not b.items:
            self.err("E209", b, f"{what} does nothing", help)

    def let(self, item: n.Let, sc: Scope, out: list[Stmt], lets: list[tuple[n.Ident, Var]]) -> Scope:
        self.chance = item.name.text
        value = self.expr(item.value, sc)
        self.chance = None
        if isinstance(value.t, BoardT):
            value = self.as_list(value) or value
        t: Type = value.t
        if isinstance(t, NoneT | EmptyT | SlotT | LogT):
            help = "a list is made at once, `[… for x in …]`, or kept in a `state`" if isinstance(t, EmptyT) else None
            self.err("E201", item.value, f"this is {self.say(t)}, which cannot be kept in a local", help)
            t = ErrorT()
        var, sc = self.local(item.name, t, sc)
        self.origins[var.name] = Origin(value, sc.shown)
        lets.append((item.name, var))
        out.append(SLet(var, value, self.line(item)))
        return sc

    def item_stmt(self, item: n.Item, sc: Scope) -> Done:
        line = self.line(item)
        if type(item) is n.CallStmt:
            return self.call_stmt(item.call, sc, line)
        if type(item) is n.Choose:
            return self.choose(item, sc, line)
        if type(item) is n.ForEach:
            return self.for_each(item, sc, line)
        if type(item) is n.If:
            return self.branch(item, sc, line)
        return self.rarer_stmt(item, sc, line)

    def rarer_stmt(self, item: n.Item, sc: Scope, line: int) -> Done:
        """What is met less often."""
        match item:
            case n.Modifier() | n.On() | n.Instead() | n.Once():
                self.err(
                    "E204", item, f"a line of an ability has no place in {self.site.words}",
                    "such lines stand in static slots and in `until … { … }`",
                )  # fmt: skip
                return [], sc
            case n.Assign():
                return self.assign(item, sc)
            case n.Move():
                return self.move(item, sc, line)
            case n.Draw():
                return self.draw(item, sc, line)
            case n.Copy():
                return self.copy(item, sc, line)
            case n.Shuffle():
                return self.shuffle(item, sc, line)
            case n.Reveal():
                return self.reveal(item, sc, line)
            case n.Run():
                return self.run(item, sc, line)
            case n.Exchange():
                return self.exchange(item, sc, line)
            case n.Repeat():
                return self.repeat(item, sc, line)
            case n.Together(None):
                return self.together(item, sc, line)
            case n.Together():
                return self.together_each(item, sc, line)
            case n.Loop() | n.Alternate() | n.While():
                return self.flow_loop(item, sc, line)
            case n.Stop():
                return self.stop(item, sc, line)
            case n.Finish():
                return [self.finish(item, sc, line)], sc
            case n.Until():
                return self.until(item, sc, line)
        raise AssertionError(item)

    # ---- Branches

    def branch(self, item: n.If, sc: Scope, line: int) -> Done:
        c, yes, no = self.cond(item.cond, sc)
        a, after_a = self.block(item.then, yes)
        b: tuple[Stmt, ...] = ()
        after_b = no
        if item.other is not None:
            b, after_b = self.block(item.other, no)
            self.idle(item.other, "this `else`")
        self.idle(item.then, "this block", "remove it, or turn the condition round" if item.other else "remove it")
        on_a = after_a if falls(a) else after_b
        on_b = after_b if falls(b) else after_a
        return [SIf(self.tested(item, c), a, b, line)], self.meet(sc, on_a, on_b)

    def meet(self, sc: Scope, a: Scope, b: Scope) -> Scope:
        """What is known after two branches."""
        types: dict[str, Type] = {}
        for name, var in sc.vars.items():
            one, other = a.type_of(name), b.type_of(name)
            if one == other:
                types[name] = one
            elif placed(var.type) is not None and (placed(one), placed(other)) != (placed(var.type),) * 2:
                types[name] = unplaced(var.type)  # one of them was moved
        return Scope(sc.vars, types, {}, a.shown & b.shown)

    def loop_scope(self, body: n.Block, sc: Scope) -> Scope:
        """What is still known at each pass of a loop over `body`."""
        return sc.forget_places(None, self.s).forget_tests() if moves(body) else sc.forget_tests(writes(body))

    def period(self, ident: n.Ident | None) -> int | None:
        """The index of a period that a loop names."""
        if ident is None or ident.text not in self.s.periods:
            return None
        if ident.text in self.open_periods:
            self.err("E104", ident, f"period `{ident.text}` hides the one around it", "choose another name")
        return self.s.periods.index(ident.text)

    # ---- Writing

    def is_new(self, name: str, sc: Scope) -> bool:
        """Whether nothing has such a name, nor one like it: what is assigned to it begins a local."""
        s = self.s
        if name in sc.vars or name in s.names or name in BUILT_IN_NAMES or self.only_member(name, sc):
            return False
        return self.of_local(name, sc) is None and near(name, [*sc.vars, *s.states]) is None and name not in s.player

    def assign(self, item: n.Assign, sc: Scope) -> Done:
        known = frozenset(self.uses.reads)
        if isinstance(item.target, n.Name) and item.op == "=" and self.is_new(name := item.target.id, sc):
            self.unknown("E101", item.target, name, f"nothing is called `{name}` here", f"write `let {name} = …`")
            return [], sc.forget_tests()
        target = self.expr(item.target, sc)
        if isinstance(target.t, ErrorT):
            return [], sc.forget_tests()
        if target.op == "form" and item.op == "=":
            return self.set_form(item, target, sc)
        found = self.location(target)
        if found is None:
            self.not_assignable(item, target)
            return [], sc
        where, t = found
        if where[0] == "player" and "input" in self.s.player[where[1]].marks:
            help = "declare another field, and begin it with this one in `setup`"
            self.err("E208", item.target, "an input stays as it was given when the match began", help)
            return [], sc
        if where not in known:
            self.uses.reads.discard(where)  # a target is elaborated like a read but is none
        self.uses.writes.add(where)
        value = self.written(item, target, t, where, sc)
        if value is None:
            return [], sc.forget_tests()
        if key(value) == key(target):
            fix = Fix("remove it", (removed(self.source, *item.span),))
            self.err("E209", item, "this assigns what is there already", "remove it", fix=fix)
        return [SAssign(target, value, t, self.line(item))], sc.forget_tests((where[-1],))

    def set_form(self, item: n.Assign, target: X, sc: Scope) -> Done:
        """`c.form = …`: a card shows another of its sides."""
        card = target.args[0]
        assert isinstance(card, X)
        value = self.need(item.value, sc, target.t)
        if isinstance(value.t, ErrorT):
            return [], sc.forget_tests()
        return [SForm(card, value, self.line(item))], sc.forget_tests()

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

    def declared(self, where: tuple[str, ...]) -> FieldSym:
        """What declares a location, by its key."""
        s = self.s
        match where:
            case ("state", name):
                return s.states[name]
            case ("player", name):
                return s.player[name]
            case ("element", board, name):
                return s.boards[board].fields[name]
        return s.kinds[where[1]].states[where[2]]

    def written(self, item: n.Assign, target: X, t: Type, where: tuple[str, ...], sc: Scope) -> X | None:
        """The new value of a location."""
        self.chance = name = where[-1]
        sym = self.declared(where)
        origin = (sym.source, sym.ident, name, t)
        try:
            if item.op == "=":
                x = self.need(item.value, sc, t, origin)
            elif isinstance(t, IntT):
                v = self.need(item.value, sc, INT, origin)
                self.changes(item, v)
                op = {"+=": "+", "-=": "-", "*=": "*"}[item.op]
                sum_ = n.Binary(op, item.target, item.value, span=item.span)
                x = self.coerce(self.arithmetic(sum_, replace(target, t=t), v), t, item.value)
            elif isinstance(t, SetT) and item.op in ("+=", "-="):
                v = self.need(item.value, sc, t, origin)
                x = (
                    v
                    if isinstance(v.t, ErrorT)
                    else X("union" if item.op == "+=" else "minus", (target, v), t, item.span)
                )
            else:
                message = f"`{item.op}` does not fit {self.say(t)}"
                name = self.source.text[slice(*item.target.span)]
                help = f"write `{name} = {name} + …`" if isinstance(t, ListT) and item.op == "+=" else "write `=`"
                self.err("E201", item.target, message, help, [self.label_of(origin)])
                return None
        finally:
            self.chance = None
        return None if isinstance(x.t, ErrorT) else x

    def changes(self, item: n.Assign | n.Modifier, v: X) -> None:
        """A finding for what adds nothing or multiplies by one."""
        if item.op != "=" and v.op == "const" and v.args[0] == (1 if item.op == "*=" else 0):
            self.err("E209", item.value, f"`{item.op} {v.args[0]}` changes nothing", "remove it")

    def not_assignable(self, item: n.Assign, target: X) -> None:
        what = {
            "field": "a printed field never changes", "dfield": "a printed field never changes",
            "option": "an option never changes during a match", "value": "a value is computed, not stored",
            "place": "cards are moved, not assigned", "one": "cards are moved, not assigned",
            "parts": "cards are moved, not assigned", "parts_of": "cards are moved, not assigned",
            "var": "a local never changes", "owner": "a card's owner follows from where it lies",
            "face_up": "a face is not assigned", "not": "a face is not assigned",
            "comp": "a list of many is not assigned at once", "join": "a list of many is not assigned at once",
            "column": "the data of an enum never changes", "slot": "what a slot holds is printed on the card",
            "own_decklist": "a player's deck is settled before the match",
        }.get(target.op, "this is not stored, so it cannot be assigned")  # fmt: skip
        help = {
            "field": "declare a `state` of the kind and change that",
            "var": "use another local, `sum(… for x in …)`, or a `state`",
            "place": "write `move … to …`", "one": "write `move … to …`", "comp": "use `for each`",
            "value": "a card changes it in a static slot",
            "option": "declare a `state`, begin it with the option in `setup`, and change that",
            "owner": "move the card to a place of the other player",
            "face_up": "`reveal` turns it up, `move … to … facing down` turns it down",
            "not": "`reveal` turns it up, `move … to … facing down` turns it down",
        }.get(target.op)  # fmt: skip
        self.err("E208", item.target, what, help)

    def call_stmt(self, call: n.Call, sc: Scope, line: int) -> Done:
        s, name = self.s, call.name.text
        after = sc.forget_places(None, s).forget_tests()
        if name not in s.effects:
            if name in s.values:
                self.err("E204", call, f"`{name}` is a value: computing it does nothing", "use it in an expression")
            else:
                help = near(name, s.effects) or f"declare it: `effect {name}(…) {{ … }}`"
                self.unknown("E101", call.name, name, f"no effect is called `{name}`", help)
            self.lost = True
            return [], after
        effect = s.effects[name]
        self.calls.add(name)
        self.uses.reads.add(("effect", name))
        args = self.args(call, effect.params, sc, f"effect `{name}`")
        for x in args or ():
            self.made_of(x, sc)
        if args:
            self.passed.append(Given(self.source, name, tuple(args), sc.shown, self.origins, self.unit))
        return ([SCall(name, tuple(args), line)] if args is not None else []), after

    # ---- Loops

    def for_each(self, item: n.ForEach, sc: Scope, line: int) -> Done:
        drawn = isinstance(item.source, n.Name) and item.source.id == "random" and item.start is not None
        if drawn:
            help = "draw it first: `let x = random from …`"
            src = self.err("E204", item.source, "chance is drawn only where a statement stores it", help)
        else:
            src = self.collection(item.source, sc)
        if item.start is not None and not drawn:
            start = self.need(item.start, sc, PLAYER)
            if src.op == "players":
                src = X("players_from", (start,), ListT(PLAYER), src.span)
            elif not isinstance(src.t, ErrorT):
                help = "use `where` or `by` for other lists"
                self.err("E204", item.start, "`from` says which of `players` comes first", help)
        t = self.item(src.t)
        base = self.loop_scope(item.body, sc)
        var, inner = self.local(item.var, t, base)
        self.origins[var.name] = Origin(src, sc.shown, one_of=True)
        where, inner = self.where(item.where, inner)
        if changes(item.body):
            inner = inner.forget_tests(writes(item.body))  # an earlier pass may have changed it
        where = None if where is None else self.tested(item, where)
        by = None if item.by is None else self.need(item.by, inner, INT)
        if by is not None and by.op == "const":
            assert item.by is not None
            self.err("E209", item.by, "this is the same for all, so it orders nothing", "remove it")
        self.idle(item.body, "this loop")
        body, _ = self.block(item.body, inner)
        self.unused(item.var, var, "loop variable")
        listed = inner.types.get(item.var.text, t)
        guard = listed.where if isinstance(listed, CardT) and moves(item.body) else None
        return [SFor(var, src, where, by, guard, body, line)], base.forget_tests(writes(item.body))

    def repeat(self, item: n.Repeat, sc: Scope, line: int) -> Done:
        k = self.need(item.count, sc, IntT(0, None))
        self.made_of(k, sc)
        if k.op == "const" and k.args[0] == 0:
            self.err("E209", item.count, "this loop never goes round", "remove it")
        self.idle(item.body, "this loop")
        inner = self.loop_scope(item.body, sc)
        stmts = self.looped(item.body, inner, item.period)
        return [SRepeat(k, self.period(item.period), stmts, line)], inner.forget_tests(writes(item.body))

    def looped(self, body: n.Block, sc: Scope, period: n.Ident | None) -> tuple[Stmt, ...]:
        """The body of a loop that a `stop` may leave."""
        kept = self.loops, self.held, self.open_periods
        self.loops, self.held = self.loops + 1, None
        if period is not None:
            self.open_periods = (*self.open_periods, period.text)
        stmts, _ = self.block(body, sc)
        self.loops, self.held, self.open_periods = kept
        return stmts

    def closed(self, body: n.Block, sc: Scope, word: str) -> tuple[tuple[Stmt, ...], Scope]:
        """A block out of which no `stop` leads."""
        kept = self.loops, self.held
        self.loops, self.held = 0, word
        out = self.block(body, sc)
        self.loops, self.held = kept
        return out

    def flow_loop(self, item: n.Loop | n.Alternate | n.While, sc: Scope, line: int) -> Done:
        if not self.in_flow:
            help = "it stands in `flow`; elsewhere use `for each`, or `repeat`, which `stop` leaves"
            self.err("E204", item, f"`{_FLOW_WORDS[type(item)]}` has no place in {self.site.words}", help)
        inner = self.loop_scope(item.body, sc)
        out: Stmt
        match item:
            case n.Loop(period, body):
                stmts = self.looped(body, inner, period)
                out = SLoop(None, self.period(period), stmts, line)
            case n.While(cond, body):
                c, yes, _ = self.cond(cond, inner)
                stmts = self.looped(body, yes, None)
                out = SLoop(self.tested(item, c), None, stmts, line)
            case n.Alternate(ident, start, period, cond_, body):
                self.chance = ident.text
                first = self.need(start, sc, PLAYER)
                self.chance = None
                var, named = self.local(ident, PLAYER, inner)
                c2 = None
                if cond_ is not None:
                    c2, named, _ = self.cond(cond_, named)
                    c2 = self.tested(item, c2)
                stmts = self.looped(body, named, period)
                self.unused(ident, var, "loop variable")
                out = SAlternate(var, first, c2, self.period(period), stmts, line)
        if self.in_flow:
            self.flow_loops.append((item, stmts))
        return [out], inner.forget_tests()

    def stop(self, item: n.Stop, sc: Scope, line: int) -> Done:
        if self.held is not None:
            self.err("E204", item, f"`stop` cannot leave {self.held}", "put the loop it leaves inside")
            return [], sc
        if not self.loops:
            help = "it leaves the innermost `loop`, `repeat`, `alternate` or `while`"
            self.err("E204", item, "`stop` stands in no loop", help)
            return [], sc
        return [SStop(line)], sc

    # ---- Together

    def together(self, item: n.Together, sc: Scope, line: int) -> Done:
        self.idle(item.body, "this block")
        before = len(self.report)
        stmts, after = self.closed(item.body, sc, "`together`")
        if stmts and not raises(stmts) and len(self.report) == before:
            message = "nothing in this block calls an effect or runs a slot, so nothing is heard together"
            self.err("E209", item, message, "leave out `together`")
        return [STogether(stmts, line)], after

    def together_each(self, item: n.Together, sc: Scope, line: int) -> Done:
        assert item.var is not None and item.source is not None
        src = self.collection(item.source, sc)
        if src.op != "players" and not isinstance(src.t, ErrorT):
            self.err(
                "E204", item.source, "`together each` goes through `players`", "write `together each p in players`"
            )
        if item.start is not None:
            src = X("players_from", (self.need(item.start, sc, PLAYER),), ListT(PLAYER), src.span)
        inner = self.loop_scope(item.body, sc)
        v, inner = self.local(item.var, PLAYER, inner)
        self.asks = True
        kept, self.secret = self.secret, True
        stmts, _ = self.closed(item.body, inner, "`together each`")
        self.secret = kept
        self.unused(item.var, v, "loop variable")
        if src.op in ("players", "players_from"):
            self.secret_bodies.append((item, v, stmts))
        self.counter += 1
        code = f"{self.unit}_{self.counter}"
        return [STogetherEach(v, src, stmts, code, line)], sc.forget_places(None, self.s).forget_tests()

    # ---- Ends and choices

    def finish(self, item: n.Finish, sc: Scope, line: int) -> Stmt:
        default = {"win": "Won", "lose": "Lost", "tie": "Tie"}[item.kind]
        text = item.reason.value if item.reason else default
        if item.player is None:
            return SFinish(None, text, line)
        who = self.need(item.player, sc, PLAYER)
        if item.kind == "lose" and not isinstance(who.t, ErrorT):
            who = X("opponent", (who,), PLAYER, who.span)
        return SFinish(who, text, line)

    def choose(self, item: n.Choose, sc: Scope, line: int) -> Done:
        self.asks = True
        who = self.need(item.who, sc, PLAYER)
        alts = self.alternatives(item.alternatives, who, sc)
        other: tuple[Stmt, ...] = ()
        after_other = sc
        if item.other is not None:
            other, after_other = self.block(item.other, sc)
            self.idle(item.other, "this `else`")
            sure = next((a for a in item.alternatives if not a.picks and a.when is None), None)
            if sure is not None and not item.may:
                self.err(
                    "E209", item.other, f"`{sure.verb.text}` is always offered, so this never runs", "remove it",
                    [(self.source, sure.verb, "without picks and condition")],
                )  # fmt: skip
        choice = self.site_of(who, item.may, alts, other, line)
        moved = any(moves(a.body) for a in item.alternatives)
        after = sc.forget_places(None, self.s) if moved else sc
        return [choice], self.meet(sc, after.forget_tests(), after_other)

    # ---- What abilities add

    def until(self, item: n.Until, sc: Scope, line: int) -> Done:
        self.err("E204", item, f"`until` has no place in {self.site.words}", "it stands in the slots of cards")
        return [], sc


__all__ = ["Statements"]
