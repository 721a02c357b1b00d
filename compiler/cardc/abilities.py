"""Checks the slots of cards and elaborates them into bodies and lines of abilities.

Assumes collected symbols. Establishes: a static slot holds lines only, an effect slot statements only; every line knows its value
or effect, its condition (place, slot, arguments, `when`, limit) and its order. Arguments are compared, never bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardc import nodes as n
from cardc.ir import AbilityLine, Body, Function, SChoose, SLet, Stmt, SUntil, Var, X
from cardc.report import near
from cardc.scope import Scope
from cardc.statements import Statements
from cardc.symbols import ParamSym, SlotSym
from cardc.types import BOOL, PLAYER, CardT, ErrorT, IntT, NoneT, OptT, Type, show

LAYERS = {"=": 0, "+=": 1, "-=": 1, "*=": 2}


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds the lines being checked: their scope, the condition of their slot, their limits."""

    scope: Scope
    active: tuple[X, ...]
    slot: str
    once: tuple[int, str] | None = None
    until: tuple[int | None, str] | None = None
    captured: tuple[Var, ...] = ()


class Abilities(Statements):
    """Elaborates one slot of one card."""

    order = 0
    self_var: Var
    printed_card = ""
    """The id of the printed card, or of the form, that has the slot; `card` is the beginning of names in its code."""

    def static_slot(self, card: str, kind: str, slot: SlotSym, body: n.Block) -> None:
        sc = self.open(card, kind, slot)
        active: list[X] = []
        low, high = self.place_range(slot.board)
        active.append(X("inplaces", (X("var", (self.self_var,), self.self_var.type), low, high), BOOL))
        if slot.when is not None:
            with_source = self.source
            self.source = slot.source
            x, sc, _ = self.cond(slot.when, sc)
            self.source = with_source
            active.append(x)
        self.block_lines(body, Frame(sc, tuple(active), slot.name))

    def effect_slot(self, card: str, kind: str, slot: SlotSym, body: n.Block) -> Body:
        sc = self.open(card, kind, slot)
        stmts, _ = self.block(body, sc)
        return Body(f"{card}·{slot.name}", (self.self_var,), self.with_you(stmts), self.source.path, self.line(body))

    def open(self, card: str, kind: str, slot: SlotSym) -> Scope:
        self.card = card
        self.slot_name = slot.name
        self.self_var = Var("self", CardT(kind, slot.board))
        self.you = Var("you", PLAYER)
        self.source_var = Var("source", CardT(kind, slot.board))
        return Scope({"self": self.self_var, "you": self.you, "source": self.source_var}, {})

    def with_you(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The statements, begun with what `you` and `source` are, where they are read."""
        line = stmts[0].line if stmts else 1
        me = X("var", (self.self_var,), self.self_var.type)
        if self.source_var.name in self.used:
            lent = self.slot_name in self.s.exchanged
            source = X("lender", (me, self.slot_name), self.source_var.type) if lent else me
            stmts = (SLet(self.source_var, source, line), *stmts)
        if self.you.name in self.used:
            stmts = (SLet(self.you, X("owner", (me,), PLAYER), line), *stmts)
        return stmts

    # ---- Lines

    def block_lines(self, body: n.Block, frame: Frame) -> list[int]:
        made: list[int] = []
        for item in body.items:
            match item:
                case n.Modifier():
                    made += self.modifier(item, frame)
                case n.On():
                    made += self.on(item, frame)
                case n.Instead():
                    made += self.instead(item, frame)
                case n.Once(period, inner):
                    if frame.once is not None:
                        self.err("E204", item, "`once per` stands inside another one", "one limit is enough")
                    if period.text not in self.s.periods:
                        self.err("E101", period, f"no period is called `{period.text}`", near(period.text, self.s.periods) or "a period is named by `as` on a loop")
                        continue
                    index = self.s.periods.index(period.text)
                    self.order += 1
                    key = f"{self.card}.{frame.slot}.{self.order}"
                    lines = self.block_lines(inner, replace(frame, once=(index, key)))
                    if lines and not any(self.lines[i].kind != "modifier" for i in lines):
                        self.err("E209", item, "nothing in this block uses it up, so the limit never matters", "add the `on` that counts as its use")
                    made += lines
                case _:
                    self.err(
                        "E204", item, "a statement has no place among the lines of an ability",
                        "lines are `value(…) = …`, `on EVENT(…) { … }`, `instead of EVENT(…) { … }`, `once per … { … }`",
                    )
        return made

    def add(
        self, unit: str, kind: str, of: str, item: n.Modifier | n.On | n.Instead, frame: Frame, cond: Function | None, layer: int = 0,
        value: Function | None = None, body: Body | None = None, offer: SChoose | None = None, op: str = "",
    ) -> list[int]:
        order = int(unit.rsplit("·", 1)[1])
        self.lines.append(
            AbilityLine(
                unit, self.printed_card or self.card or "", frame.slot, kind, of, layer, item.priority, order, cond, value, op, body, offer,
                frame.once, frame.until, frame.captured, self.source.path, self.line(item),
            )
        )
        return [len(self.lines) - 1]

    def name_of(self, frame: Frame) -> str:
        self.order += 1
        return f"{self.card}·{frame.slot}·{self.order}"

    def arguments(
        self, call: n.Call, params: list[ParamSym], what: str, frame: Frame, placed: bool
    ) -> tuple[list[Var], Scope, list[X]] | None:
        """The parameters as locals, the scope that has them, and the comparisons the arguments ask for."""
        for a in call.args:
            if a.name is not None:
                self.err("E202", a, f"{what} takes its arguments in order")
                return None
        if len(call.args) != len(params):
            names = ", ".join(p.name for p in params)
            self.err("E202", call, f"{what} takes {len(params)} argument{'s' if len(params) != 1 else ''}, not {len(call.args)}", f"write `{call.name.text}({names})`; a parameter's own name means any")
            return None
        variables, sc = [], frame.scope
        for p in params:
            t: Type = p.type
            if not placed:
                t = replace(t, where=None) if isinstance(t, CardT) else t
            var = self.fresh(p.name, t)
            variables.append(var)
            if p.name in frame.scope.vars and p.name not in ("self", "you", "source"):
                self.err("E104", call, f"parameter `{p.name}` of {what} hides a local of that name", "give the local another name")
            sc = sc.bind(p.name, var)
        tests: list[X] = []
        for a, p, var in zip(call.args, params, variables, strict=True):
            if a.value == n.Name(p.name):
                continue
            x = self.expr(a.value, sc, p.type)
            if isinstance(x.t, ErrorT):
                return None
            if isinstance(x.t, NoneT) or (x.op == "const" and x.args[0] is None):
                self.err("E209", a, "an argument that is none matches nothing", "leave the parameter's name to mean any")
                return None
            wanted = p.type.item if isinstance(p.type, OptT) else p.type
            inner = x.t.item if isinstance(x.t, OptT) else x.t
            if isinstance(wanted, CardT):
                wanted = replace(wanted, where=None)
            checked = self.coerce(replace(x, t=replace(inner, where=None) if isinstance(inner, CardT) else inner), wanted if not isinstance(wanted, IntT) else IntT(), a.value)
            if isinstance(checked.t, ErrorT):
                return None
            tests.append(X("cmp", ("==", X("var", (var,), p.type), x), BOOL, a.span))
            if isinstance(inner, CardT) and inner.where and isinstance(var.type, CardT) and a.value == n.Name("self"):
                sc = sc.know(n.Name(p.name), inner)
        return variables, sc, tests

    def condition(self, name: str, frame: Frame, params: list[Var], tests: list[X], when: n.Expr | None, sc: Scope) -> tuple[Function | None, Scope, bool]:
        parts = [*frame.active, *tests]
        if when is not None:
            x, sc, _ = self.cond(when, sc)
            if isinstance(x.t, ErrorT):
                return None, sc, False
            parts.append(x)
        if frame.once is not None:
            parts.append(X("unused", frame.once, BOOL))
        if not parts:
            return None, sc, True
        body = parts[0]
        for p in parts[1:]:
            body = X("and", (body, p), BOOL)
        holder = frame.captured if frame.until is not None else (self.self_var,)
        return Function(f"q_{name}", (*holder, *params), body, self.source.path, 0), sc, True

    def modifier(self, item: n.Modifier, frame: Frame) -> list[int]:
        name = item.call.name.text
        value = self.s.values.get(name)
        if value is None:
            what = "an effect" if name in self.s.effects else "no value"
            self.err("E101" if what == "no value" else "E201", item.call.name, f"`{name}` is {what}", near(name, self.s.values) or "only values are modified")
            return []
        self.uses.writes.add(("value", name))
        if item.op != "=" and not isinstance(value.type, IntT):
            self.err("E201", item, f"`{item.op}` does not fit {show(value.type)}", "write `=`")
            return []
        got = self.arguments(item.call, value.params, f"value `{name}`", frame, placed=True)
        if got is None:
            return []
        params, sc, tests = got
        unit = self.name_of(frame)
        frame_parts = frame if frame.until is not None else replace(frame, active=frame.active[1:])
        cond, sc, ok = self.condition(unit, frame_parts, params, tests, item.when, sc)
        want: Type = value.type if item.op == "=" else IntT()
        if item.op == "=" and isinstance(want, IntT):
            want = IntT()
        x = self.need(item.value, sc, want)
        if not ok or isinstance(x.t, ErrorT):
            return []
        holder = frame.captured if frame.until is not None else (self.self_var,)
        fn = Function(f"m_{unit}", (*holder, *params), x, self.source.path, self.line(item))
        return self.add(unit, "modifier", name, item, frame, cond, LAYERS[item.op], fn, op=item.op)

    def event(self, call: n.Call, frame: Frame, placed: bool) -> tuple[list[Var], Scope, list[X]] | None:
        name = call.name.text
        effect = self.s.effects.get(name)
        if effect is None:
            if name in self.s.values:
                self.err("E207", call.name, f"`{name}` is a value, not an event", "only effects are events; a value is modified: `" + name + "(…) = …`")
            else:
                self.err("E207", call.name, f"no effect is called `{name}`", near(name, self.s.effects))
            return None
        self.uses.reads.add(("event", name))
        return self.arguments(call, effect.params, f"effect `{name}`", frame, placed)

    def line_body(self, unit: str, body: n.Block, frame: Frame, params: list[Var], sc: Scope) -> Body:
        saved, self.calls = self.calls, set()
        stmts, _ = self.block(body, sc)
        self.line_calls.append((unit, frozenset(self.calls)))
        saved |= self.calls
        self.calls = saved
        if frame.until is not None:
            return Body(f"a_{unit}", (*frame.captured, *params), stmts, self.source.path, self.line(body))
        return Body(f"a_{unit}", (self.self_var, *params), self.with_you(stmts), self.source.path, self.line(body))

    line_calls: list[tuple[str, frozenset[str]]]

    def on(self, item: n.On, frame: Frame) -> list[int]:
        got = self.event(item.call, frame, placed=False)
        if got is None:
            return []
        params, sc, tests = got
        unit = self.name_of(frame)
        cond, sc, ok = self.condition(unit, frame, params, tests, item.when, sc)
        if not ok:
            return []
        if item.body is not None:
            body = self.line_body(unit, item.body, frame, params, sc)
            return self.add(unit, "on", item.call.name.text, item, frame, cond, body=body)
        self.asks = True
        who = X("var", (self.you,), PLAYER)
        saved, self.calls = self.calls, set()
        alts = self.alternatives(item.offers, who, sc)
        self.line_calls.append((unit, frozenset(self.calls)))
        self.calls |= saved
        offer = self.site_of(who, True, alts, (), self.line(item))
        holder = frame.captured if frame.until is not None else (self.self_var,)
        body = Body(f"a_{unit}", (*holder, *params), (), self.source.path, self.line(item))
        return self.add(unit, "offer", item.call.name.text, item, frame, cond, body=body, offer=offer)

    def instead(self, item: n.Instead, frame: Frame) -> list[int]:
        got = self.event(item.call, frame, placed=True)
        if got is None:
            return []
        params, sc, tests = got
        unit = self.name_of(frame)
        cond, sc, ok = self.condition(unit, frame, params, tests, item.when, sc)
        if not ok:
            return []
        body = self.line_body(unit, item.body, frame, params, sc)
        return self.add(unit, "instead", item.call.name.text, item, frame, cond, body=body)

    # ---- Lasting lines

    def lasting(self, item: n.Until, period: n.Ident | None, body: n.Block, sc: Scope, line: int) -> tuple[list[Stmt], Scope]:
        captured = tuple(sc.vars.values())
        for v in captured:
            self.used.add(v.name)
        index = None if period is None else self.s.periods.index(period.text)
        self.order += 1
        key = f"{self.card}.{self.unit}.{self.order}"
        frame = Frame(sc, (), self.unit.removeprefix(f"{self.card}·"), until=(index, key), captured=captured)
        lines = self.block_lines(body, frame)
        if period is None and lines and all(self.lines[i].kind == "modifier" for i in lines):
            self.err("E209", item, "nothing in this block uses it up, so it lasts for ever", "add the `on` or `instead of` that counts as its use")
        return [SUntil(index, tuple(lines), captured, line)], sc
