"""Checks in-language tests and elaborates them into steps.

Assumes collected symbols. Establishes: every step is a list of pure functions of the match and the test's locals so far; what is
given can be put there. A test knows what it places: where a card lies is not asked of it.
"""

from __future__ import annotations

from dataclasses import replace

from cardc import nodes as n
from cardc.ir import Function, Place, Shown, Step, Test, Var, X
from cardc.report import near
from cardc.scope import Scope, bounds
from cardc.sight import parts
from cardc.statements import Statements
from cardc.types import (
    BOOL,
    INT,
    PLAYER,
    CardT,
    EnumT,
    ErrorT,
    IntT,
    ListT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    TextT,
    Type,
    show,
    strip,
)


class Scripts(Statements):
    """Elaborates one `test`."""

    steps: list[Step]
    locals: list[Var]
    count = 0

    def test_decl(self, decl: n.TestDecl, unit: str) -> Test:
        self.unit = unit
        self.steps, self.locals, self.count = [], [], 0
        sc = Scope()
        lets: list[tuple[n.Ident, Var]] = []
        acts = expects = False
        for item in decl.items:
            acts = acts or isinstance(item, n.WhenCall | n.WhenPart)
            expects = expects or isinstance(item, n.Expect | n.ExpectEnd) or (isinstance(item, n.Answer) and item.negated)
            sc = self.step(item, sc, lets)
        if not expects:
            self.err("E409", decl.title, "this test expects nothing", "add `expect …`: a test that cannot fail shows nothing")
        for ident, var in lets:
            self.unused(ident, var, "local")
        covers = tuple(c.text for c in decl.covers)
        return Test(decl.title.value, covers, self.source.path, self.line(decl), tuple(self.steps))

    # ---- Parts

    def text(self, node: n.Node) -> str:
        return " ".join(self.source.text[node.span[0] : node.span[1]].split())

    def fn(self, x: X, node: n.Node) -> Function:
        self.count += 1
        return Function(f"{self.unit}_{self.count}", tuple(self.locals), x, self.source.path, self.line(node))

    def put(self, kind: str, node: n.Node, names: tuple[str | None, ...] = (), xs: tuple[X, ...] = (), shown: tuple[Shown, ...] = ()) -> None:
        if any(isinstance(x.t, ErrorT) and x.op == "error" for x in xs):
            return
        self.steps.append(Step(kind, self.line(node), self.text(node), names, tuple(self.fn(x, node) for x in xs), shown))

    def let(self, item: n.Let, sc: Scope, lets: list[tuple[n.Ident, Var]]) -> Scope:
        x = self.expr(item.value, sc)
        t = x.t
        if isinstance(t, PrintedT):
            self.err("E201", item.value, "this is a printed card, not one in the match", f"write `new {self.text(item.value)}`")
        step_x = x
        var, sc = self.local(item.name, t, sc)
        self.put("let", item, (item.name.text,), (step_x,))
        self.locals.append(var)
        lets.append((item.name, var))
        return sc

    def step(self, item: n.TestItem, sc: Scope, lets: list[tuple[n.Ident, Var]]) -> Scope:
        match item:
            case n.Given(items):
                for g in items:
                    sc = self.given(g, sc, lets)
            case n.Let():
                return self.let(item, sc, lets)
            case n.WhenCall(call):
                self.when_call(call, sc)
            case n.WhenPart(part):
                self.put(part, item)
            case n.Answer():
                self.answer(item, sc)
            case n.Expect(cond):
                x = self.coerce(self.expr(cond, sc, BOOL), BOOL, cond)
                if x.op == "const":
                    self.err("E209", cond, "this expectation is always the same", "expect something of the match")
                    return sc
                if not isinstance(x.t, ErrorT):
                    self.put("expect", item, (), (x,), self.shown(cond, x, sc))
            case n.ExpectEnd(kind, player, reason):
                if kind == "no":
                    self.put("open", item)
                elif player is None:
                    self.put("tie", item, (reason.value if reason else None,))
                else:
                    who = self.need(player, sc, PLAYER)
                    if kind == "lose":
                        who = X("opponent", (who,), PLAYER, who.span)
                    self.put("win", item, (reason.value if reason else None,), (who,))
        return sc

    def given(self, g: n.GivenOption | n.GivenChance | n.Let | n.Assign, sc: Scope, lets: list[tuple[n.Ident, Var]]) -> Scope:
        s = self.s
        match g:
            case n.Let():
                return self.let(g, sc, lets)
            case n.GivenOption(name, value):
                option = s.options.get(name.text)
                if option is None:
                    self.err("E101", name, f"no option is called `{name.text}`", near(name.text, s.options))
                    return sc
                x = self.need(value, sc, option.type)
                if x.op == "clamp":
                    self.err("E303", value, f"this is outside {show(option.type)}")
                    return sc
                self.put("option", g, (name.text,), (x,))
            case n.GivenChance(name, value):
                self.chance(name, value, g, sc)
            case n.Assign(target, op, value):
                if op != "=":
                    self.err("E204", g, f"`{op}` has no place in `given`", "write `=`")
                    return sc
                self.set(target, value, g, sc)
        return sc

    def chance(self, name: n.Ident, value: n.Expr, node: n.Node, sc: Scope) -> None:
        verb = name.text.split(" ")[0]
        if verb == "shuffle":
            zone = name.text.split(" ")[1]
            if zone not in self.s.zones:
                self.err("E101", name, f"no zone is called `{zone}`", near(zone, self.s.zones))
                return
            if not isinstance(value, n.ListLit):
                self.err("E201", value, "a shuffle is given by the cards on top, topmost first, in brackets")
                return
            xs = tuple(self.expr(v, sc) for v in value.items)
            for v, x in zip(value.items, xs, strict=True):
                if not isinstance(x.t, CardT | PrintedT | ErrorT):
                    self.err("E201", v, f"this is {show(x.t)}, but a card is needed")
                    return
            self.put("chance", node, (name.text, *("card" if isinstance(x.t, CardT) else "printed" for x in xs)), xs)
        elif verb == "pick":
            x = self.expr(value, sc)
            self.put("chance", node, (name.text, "card" if isinstance(x.t, CardT) else "value"), (x,))
        else:
            self.err("E204", name, f"no chance is called `{verb}`", "chance is `shuffle ZONE` or `pick NAME`")

    def set(self, target: n.Expr, value: n.Expr, node: n.Node, sc: Scope) -> None:
        s = self.s
        known = frozenset(self.uses.reads)
        x = self.expr(target, sc)
        if isinstance(x.t, ErrorT):
            return
        if x.op in ("place", "one"):
            self.fill(x, value, node, sc)
            return
        if x.op == "own_decklist":
            xs = self.cards(value, sc)
            if xs is not None:
                base = x.args[0]
                assert isinstance(base, X)
                self.put("decklist", node, tuple("card" if isinstance(c.t, CardT) else "printed" for c in xs), (base, *xs))
            return
        found = self.location(x)
        if found is not None:
            key, t = found
            if key not in known:
                self.uses.reads.discard(key)
            v = self.exact(value, sc, t)
            if v is None:
                return
            owner = x.args[-1] if isinstance(x.args[-1], X) else X("const", (None,), PLAYER)
            self.put("set", node, key, (owner, v))
            return
        if x.op == "face_up" or (x.op == "not" and isinstance(x.args[0], X) and x.args[0].op == "face_up"):
            v = self.need(value, sc, BOOL)
            inner = x if x.op == "face_up" else x.args[0]
            assert isinstance(inner, X)
            if x.op == "not":
                v = X("not", (v,), BOOL, v.span)
            self.put("face", node, (), (inner.args[0], v))  # type: ignore[arg-type]
            return
        if x.op == "owner":
            self.put("owner", node, (), (x.args[0], self.need(value, sc, PLAYER)))  # type: ignore[arg-type]
            return
        self.err("E208", target, "this cannot be given", "given are options, chance, state, cards in their places, faces and owners")
        _ = s

    def exact(self, value: n.Expr, sc: Scope, t: Type) -> X | None:
        """What is given is not brought into a range: it is in it, or it is wrong."""
        v = self.need(value, sc, t)
        inner = v.args[0] if v.op == "clamp" else v
        assert isinstance(inner, X)
        if v.op == "clamp" and isinstance(t, IntT) and isinstance(inner.t, IntT):
            low, high = bounds(t, self.s)
            least, most = bounds(inner.t, self.s)
            if (low is not None and (most is not None and most < low)) or (high is not None and least is not None and least > high):
                self.err("E303", value, f"this is outside {show(t)}")
                return None
        return inner

    def cards(self, value: n.Expr, sc: Scope) -> list[X] | None:
        items = value.items if isinstance(value, n.ListLit) else (value,)
        out = []
        for i in items:
            x = self.expr(i, sc)
            if not isinstance(x.t, CardT | PrintedT):
                if not isinstance(x.t, ErrorT):
                    self.err("E201", i, f"this is {show(x.t)}, but a card is needed")
                return None
            out.append(x)
        return out

    def fill(self, x: X, value: n.Expr, node: n.Node, sc: Scope) -> None:
        place = x.args[0]
        assert isinstance(place, Place)
        xs = self.cards(value, sc)
        if xs is None:
            return
        for c in xs:
            assert isinstance(c.t, CardT | PrintedT)
            self.holds(place, c.t.kind, value)
        most = self.s.place(place.owner, place.part).most
        if isinstance(most, int) and len(xs) > most:
            self.err("E303", value, f"this place holds at most {most}")
            return
        self.put("put", node, tuple("card" if isinstance(c.t, CardT) else "printed" for c in xs), (X("place_id", (place,), INT), *xs))

    def when_call(self, call: n.Call, sc: Scope) -> None:
        effect = self.s.effects.get(call.name.text)
        if effect is None:
            self.err("E101", call.name, f"no effect is called `{call.name.text}`", near(call.name.text, self.s.effects))
            return
        self.uses.reads.add(("effect", effect.name))
        args = self.args(call, [(p.name, p.type, p.default) for p in effect.params], sc, f"effect `{effect.name}`")
        if args is not None:
            self.put("call", call, (effect.name,), tuple(args))

    def answer(self, item: n.Answer, sc: Scope) -> None:
        who = self.need(item.who, sc, PLAYER)
        if item.verb is None:
            self.put("decline", item, (), (who,))
            return
        alts = [a for choice, _ in self.sites for a in choice.alts if a.verb == item.verb.text]
        if not alts:
            known = [a.verb for choice, _ in self.sites for a in choice.alts]
            self.err("E101", item.verb, f"no choice has an alternative `{item.verb.text}`", near(item.verb.text, known))
            return
        names: list[str | None] = []
        xs: list[X] = []
        for i, a in enumerate(item.args):
            name = a.name.text if a.name else None
            picks = [p for alt in alts for p in alt.picks if (p.var.name.rsplit("_", 1)[0] == name if name else alt.picks.index(p) == i)]
            if not picks:
                what = f"pick `{name}`" if name else f"pick {i + 1}"
                self.err("E202", a, f"`{item.verb.text}` has no {what}", near(name, {p.var.name.rsplit("_", 1)[0] for alt in alts for p in alt.picks}) if name else None)
                return
            wanted = strip(picks[0].type)
            x = self.expr(a.value, sc, wanted)
            if isinstance(x.t, ErrorT):
                return
            left_out = isinstance(x.t, NoneT) and isinstance(picks[0].type, OptT)
            if not left_out and not self.answerable(x.t, wanted):
                self.err("E201", a, f"this is {show(x.t)}, but {show(wanted)} is needed")
                return
            names.append(picks[0].var.name.rsplit("_", 1)[0])
            names.append("printed" if isinstance(x.t, PrintedT) else "value")
            xs.append(x)
        self.put("refuse" if item.negated else "choose", item, (item.verb.text, *names), (who, *xs))

    def answerable(self, t: Type, wanted: Type) -> bool:
        inner = strip(t)
        match wanted, inner:
            case CardT(), CardT() | PrintedT():
                return True
            case (IntT(), IntT()) | (PlayerT(), PlayerT()):
                return True
            case PrintedT(), PrintedT():
                return True
        return inner == wanted

    # ---- What a failure shows

    def shown(self, e: n.Expr, x: X, sc: Scope) -> tuple[Shown, ...]:
        """The sides of comparisons and the values called, outermost first, each once."""
        out: dict[str, Shown] = {}
        for p in parts(x):
            sides = [p] if p.op == "value" else [a for a in p.args[1:] if isinstance(a, X)] if p.op == "cmp" else []
            if p.op in ("inplace", "inlist", "inplaces", "has", "isnone", "notnone", "empty"):
                sides = [a for a in p.args[:1] if isinstance(a, X)]
            for side in sides:
                if side.op in ("const", "error", "clamp") or side.span == (0, 0):
                    continue
                bound = {v.name for v in self.locals}
                if any(q.op == "var" and isinstance(q.args[0], Var) and q.args[0].name not in bound for q in parts(side)):
                    continue
                text = " ".join(self.source.text[side.span[0] : side.span[1]].split())
                if text in out or not isinstance(side.t, IntT | PlayerT | CardT | EnumT | OptT | ListT | SetT | TextT | type(BOOL)):
                    continue
                value = None
                if side.op == "value":
                    value = (str(side.args[0]), tuple(self.fn(a, e) for a in side.args[1:] if isinstance(a, X)))
                out[text] = Shown(text, self.fn(replace(side), e), value)
        return tuple(out.values())
