"""Checks the slots of cards and elaborates them into bodies and lines of abilities.

Assumes collected symbols. Establishes: a static slot holds lines only, an effect slot statements only; every line knows
its value or effect, its condition (place, slot, arguments, `when`, limit) and its order. Arguments are compared, not
bound.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cardc import nodes as n
from cardc.advice import ELSEWHERE, line_for, modified
from cardc.display import plural
from cardc.findings import Edit, Fix
from cardc.ir import AbilityLine, Body, Function, SChoose, SLet, Stmt, SUntil, Var, X
from cardc.moving import Done
from cardc.report import near
from cardc.scope import Scope, bounds
from cardc.statements import Statements
from cardc.symbols import BUILT_IN_NAMES, ParamSym, SlotSym
from cardc.types import (
    BOOL,
    PLAYER,
    CardT,
    EnumT,
    ErrorT,
    IntT,
    ListT,
    NoneT,
    OptT,
    SetT,
    Type,
    optional,
    unplaced,
)

LAYERS = {"=": 0, "+=": 1, "-=": 1, "*=": 2}
class Frame(Struct, frozen=True):
    """What surrounds the lines being checked: their scope, the condition of their slot, their limits."""

    scope: Scope
    active: tuple[X, ...]
    slot: str
    once: tuple[int, str] | None = None
    until: tuple[int | None, str] | None = None
    captured: tuple[Var, ...] = ()

    @property
    def limited(self) -> bool:
        """Whether a line that only uses up a limit makes sense."""
        return self.once is not None or self.until is not None


class Heard(Struct, frozen=True):
    """A line's head: the parameters as locals, the scope that has them, and what the arguments ask for."""

    params: list[Var]
    scope: Scope
    tests: list[X]


def _is_self(e: n.Expr) -> bool:
    return type(e) is n.Name and e.id == "self"


class Abilities(Statements):
    """Elaborates one slot of one card."""

    order = 0
    self_var: Var
    source_var: Var
    you: Var
    printed_card = ""
    """The id of the printed card, or of the form, that has the slot; `card` is the beginning of names in its code."""
    slot_name = ""
    line_calls: list[tuple[str, frozenset[str]]]
    heads: dict[str, n.Node]

    def static_slot(self, card: str, kind: str, slot: SlotSym, body: n.Block) -> None:
        sc = self.open(card, kind, slot)
        low, high = self.place_range(slot.board)
        active = [X("inplaces", (X("var", (self.self_var,), self.self_var.type), low, high), BOOL)]
        if slot.when is not None:
            kept = self.source, self.report
            self.source, self.report = slot.source, type(self.report)()  # the kind has its findings
            x, sc, _ = self.cond(slot.when, sc)
            self.source, self.report = kept
            active.append(x)
        number = next(iter(slot.params), None)
        alone = f"what only rules read is a field of the kind: `{number}: …`" if number else "leave the slot out"
        self.idle(body, f"slot `{slot.name}`", alone)
        self.block_lines(body, Frame(sc, tuple(active), slot.name))

    def effect_slot(self, card: str, kind: str, slot: SlotSym, body: n.Block) -> Body:
        sc = self.open(card, kind, slot)
        self.idle(body, f"slot `{slot.name}`", "leave the slot out")
        stmts, _ = self.block(body, sc)
        return Body(f"{card}·{slot.name}", (self.self_var,), self.with_you(stmts), self.source.path, self.line(body))

    def open(self, card: str, kind: str, slot: SlotSym) -> Scope:
        self.card = card
        self.self_var = Var("self", CardT(kind, slot.board))
        self.you = Var("you", PLAYER if self.s.owned(CardT(kind, slot.board)) else optional(PLAYER))
        self.slot_name = slot.name
        self.event_vars: set[str] = set()
        self.source_var = Var("source", CardT(kind, slot.board))
        return Scope({"self": self.self_var, "you": self.you, "source": self.source_var})

    def with_you(self, stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The statements, begun with what `you` and `source` are, where they are read."""
        line = stmts[0].line if stmts else 1
        me = X("var", (self.self_var,), self.self_var.type)
        if self.source_var.name in self.used:
            lent = self.slot_name in self.s.exchanged
            source = X("lender", (me, self.slot_name), self.source_var.type) if lent else me
            stmts = (SLet(self.source_var, source, line), *stmts)
        if self.you.name in self.used:
            stmts = (SLet(self.you, X("owner", (me,), self.you.type), line), *stmts)
        return stmts

    # ---- Lines

    def block_lines(self, body: n.Block, frame: Frame) -> list[AbilityLine]:
        made: list[AbilityLine] = []
        for item in body.items:
            match item:
                case n.Modifier():
                    made += self.modifier(item, frame)
                case n.On():
                    made += self.on(item, frame)
                case n.Instead():
                    made += self.instead(item, frame)
                case n.Once():
                    made += self.once(item, frame)
                case _:
                    message = "a statement has no place among the lines of an ability"
                    self.err("E204", item, message, line_for(item, self.s))
        return made

    def once(self, item: n.Once, frame: Frame) -> list[AbilityLine]:
        if frame.once is not None:
            self.err("E204", item, "`once per` stands inside another one", "one limit is enough")
        index = self.known_period(item.period)
        if index is None:
            return []
        self.order += 1
        self.idle(item.body, "this block")
        before = len(self.report)
        lines = self.block_lines(item.body, replace(frame, once=(index, f"{self.card}.{frame.slot}.{self.order}")))
        if lines and len(self.report) == before and all(x.kind == "modifier" for x in lines):
            help = "add the `on` that counts as its use"
            self.err("E209", item, "nothing in this block uses it up, so the limit never matters", help)
        return lines

    def known_period(self, period: n.Ident) -> int | None:
        if period.text in self.s.periods:
            return self.s.periods.index(period.text)
        help = near(period.text, self.s.periods) or "a period is named by `as` on a loop; `match` is always one"
        self.unknown("E101", period, period.text, f"no period is called `{period.text}`", help)
        return None

    def add(
        self,
        unit: str,
        kind: str,
        item: n.Modifier | n.On | n.Instead,
        frame: Frame,
        cond: Function | None,
        value: Function | None = None,
        body: Body | None = None,
        offer: SChoose | None = None,
    ) -> list[AbilityLine]:
        order = int(unit.rsplit("·", 1)[1])
        self.heads[unit] = item.call
        op = item.op if isinstance(item, n.Modifier) else ""
        self.lines.append(
            AbilityLine(
                unit, self.printed_card, frame.slot, kind, item.call.name.text, LAYERS.get(op, 0), item.priority,
                order, cond, value, op, body, offer, frame.once, frame.until, frame.captured, self.source.path,
                self.line(item),
            )
        )  # fmt: skip
        return self.lines[-1:]

    def name_of(self, frame: Frame) -> str:
        self.order += 1
        return f"{self.card}·{frame.slot}·{self.order}"

    def holder(self, frame: Frame) -> tuple[Var, ...]:
        """What a line's functions take before the parameters: the bearer, or what was captured."""
        return frame.captured if frame.until is not None else (self.self_var,)

    # ---- Heads

    def head(self, call: n.Call, params: list[ParamSym], what: str, frame: Frame, placed: bool) -> Heard | None:
        """Read the arguments, which are compared. Those of an event that has happened lie where they lie now."""
        for a in call.args:
            if a.name is not None:
                fix = Fix("leave out the name", (Edit(self.source, a.span[0], a.value.span[0], ""),))
                message = f"{what} takes its arguments in order here"
                self.err("E202", a, message, "leave out the name", fix=fix)
                return None
        if len(call.args) != len(params):
            names = ", ".join(p.name for p in params)
            wanted = f"{plural(len(params), 'argument')}, not {len(call.args)}"
            help = f"write `{call.name.text}({names})`" + ("; a parameter's own name means any" if params else "")
            self.err("E202", call, f"{what} takes {wanted}", help)
            return None
        variables, sc = [], frame.scope
        for p in params:
            var = self.fresh(p.name, p.type if placed else unplaced(p.type))
            variables.append(var)
            outer = frame.scope.vars.get(p.name)
            # nobody can rename the parameters of an event, so those of an inner one hide those around it
            if outer is not None and p.name not in ("self", "you", "source") and outer.name not in self.event_vars:
                message = f"parameter `{p.name}` of {what} hides a local of that name"
                self.err("E104", call.name, message, "give the local another name")
            self.event_vars.add(var.name)
            sc = sc.bind(p.name, var)
        tests: list[X] = []
        for a, p, var in zip(call.args, params, variables, strict=True):
            if type(a.value) is n.Name and a.value.id == p.name:
                continue
            x = self.compared(a, p, frame)
            if x is None:
                return None
            tests.append(X("cmp", ("==", X("var", (var,), p.type), x), BOOL, a.span))
            if isinstance(x.t, CardT) and x.t.where and isinstance(var.type, CardT) and _is_self(a.value):
                sc = sc.know(n.Name(p.name), x.t)
        return Heard(variables, sc, tests)

    def known(self, name: str, t: Type, sc: Scope) -> bool:
        """Whether a name may mean something where a `t` is compared, or is told of in another way."""
        if name in sc.vars or name in self.s.names or name in ELSEWHERE or name in BUILT_IN_NAMES:
            return True
        return isinstance(t, EnumT | SetT) or any(name in enum.members for enum in self.s.enums.values())

    def is_type(self, name: str, sc: Scope) -> bool:
        """Whether a name can be nothing but a type."""
        s = self.s
        return name not in sc.vars and (name in s.kinds or name in s.elements or name in ("player", "int", "bool"))

    def compared(self, a: n.Arg, p: ParamSym, frame: Frame) -> X | None:
        """An argument with which the actual one is compared; None after a finding."""
        wanted = unplaced(p.type.item if isinstance(p.type, OptT) else p.type)
        if isinstance(a.value, n.Name) and not self.known(name := a.value.id, wanted, frame.scope):
            help = near(name, [*frame.scope.vars, *self.s.names]) or f"the parameter's own name means any: `{p.name}`"
            self.unknown("E101", a, name, f"nothing is called `{name}` here", help)
            return None
        if isinstance(a.value, n.Name) and self.is_type(name := a.value.id, frame.scope):
            self.err("E107", a, f"`{name}` is a type, not a value", f"the parameter's own name means any: `{p.name}`")
            return None
        x = self.expr(a.value, frame.scope, p.type)
        if isinstance(x.t, ErrorT):
            return None
        if isinstance(x.t, NoneT) or (x.op == "const" and x.args[0] is None):
            help = f"write `{p.name}` to mean any"
            self.err("E209", a, "an argument that is none matches nothing", help)
            return None
        if isinstance(wanted, ListT):
            self.err(
                "E201", a, f"{self.say(p.type)} is not compared as a whole", f"write `{p.name}`, and test it in `when`"
            )
            return None
        inner = unplaced(x.t.item if isinstance(x.t, OptT) else x.t)
        if isinstance(wanted, CardT) and isinstance(inner, CardT) and self.s.is_kind(wanted.kind, inner.kind):
            return x  # a card of a wider kind may be the one
        if isinstance(wanted, IntT) and isinstance(inner, IntT):
            (low, high), (least, most) = bounds(wanted, self.s), bounds(inner, self.s)
            apart = (most is not None and low is not None and most < low) or (
                least is not None and high is not None and least > high
            )
            if apart:
                message = f"`{p.name}` is {self.say(wanted)}, so this matches nothing"
                self.err("E209", a, message, f"write `{p.name}` to mean any")
                return None
            return x
        checked = self.coerce(replace(x, t=inner), wanted, a.value)
        return None if isinstance(checked.t, ErrorT) else x

    def condition(
        self, name: str, frame: Frame, heard: Heard, item: n.Modifier | n.On | n.Instead
    ) -> tuple[Function | None, Scope] | None:
        """When a line works, and what is known then; None after a finding."""
        parts, sc = [*frame.active, *heard.tests], heard.scope
        if item.when is not None:
            x, sc, _ = self.cond(item.when, sc)
            if isinstance(x.t, ErrorT):
                return None
            parts.append(self.tested(item, x))
        if frame.once is not None:
            parts.append(X("unused", frame.once, BOOL))
        if self.site.spot is not None:
            parts.append(self.site.spot.ran(item))
        if not parts:
            return None, sc
        body = parts[0]
        for p in parts[1:]:
            body = X("and", (body, p), BOOL)
        return Function(f"q_{name}", (*self.holder(frame), *heard.params), body, self.source.path, 0), sc

    # ---- Modifiers

    def modifier(self, item: n.Modifier, frame: Frame) -> list[AbilityLine]:
        name = item.call.name.text
        value = self.s.values.get(name)
        if value is None:
            if name in self.s.effects:
                message = f"`{name}` is an effect, and only values are modified"
                self.err("E201", item.call.name, message, f"listen to it: `on {name}(…) {{ … }}`")
            else:
                help = near(name, self.s.values) or modified(name, self.s)
                self.unknown("E101", item.call.name, name, f"no value is called `{name}`", help)
            return []
        self.uses.writes.add(("value", name))
        if item.op != "=" and not isinstance(value.type, IntT | ErrorT):
            self.err("E201", item, f"`{item.op}` does not fit {self.say(value.type)}", "write `=`")
            return []
        heard = self.head(item.call, value.params, f"value `{name}`", frame, placed=True)
        if heard is None:
            return []
        unit = self.name_of(frame)
        around = frame if frame.until is not None else replace(frame, active=frame.active[1:])
        found = self.condition(unit, around, heard, item)
        sc = heard.scope if found is None else found[1]
        want: Type = IntT() if isinstance(value.type, IntT) else value.type
        x = self.need(item.value, sc, want)
        self.changes(item, x)
        if found is None or isinstance(x.t, ErrorT):
            return []
        fn = Function(f"m_{unit}", (*self.holder(frame), *heard.params), x, self.source.path, self.line(item))
        return self.add(unit, "modifier", item, frame, found[0], value=fn)

    # ---- Events

    def event(self, call: n.Call, frame: Frame, placed: bool) -> Heard | None:
        name = call.name.text
        effect = self.s.effects.get(name)
        if effect is None:
            if name in self.s.values:
                help = f"only effects are events; a value is modified: `{name}(…) = …`"
                self.err("E207", call.name, f"`{name}` is a value, not an event", help)
            else:
                help = near(name, self.s.effects) or f"declare it: `effect {name}(…) {{}}`"
                self.unknown("E207", call.name, name, f"no effect is called `{name}`", help)
            return None
        self.uses.reads.add(("event", name))
        return self.head(call, effect.params, f"effect `{name}`", frame, placed)

    def line_body(self, unit: str, body: n.Block, frame: Frame, params: list[Var], sc: Scope) -> Body:
        saved, self.calls = self.calls, set()
        stmts, _ = self.closed(body, sc, "a line of an ability")
        self.line_calls.append((unit, frozenset(self.calls)))
        self.calls |= saved
        out = stmts if frame.until is not None else self.with_you(stmts)
        return Body(f"a_{unit}", (*self.holder(frame), *params), out, self.source.path, self.line(body))

    def on(self, item: n.On, frame: Frame) -> list[AbilityLine]:
        heard = self.event(item.call, frame, placed=False)
        if heard is None:
            return []
        unit = self.name_of(frame)
        found = self.condition(unit, frame, heard, item)
        if found is None:
            return []
        cond, sc = found
        if item.body is None:
            return self.offer(item, unit, frame, heard, cond, sc)
        if not frame.limited:
            self.idle(item.body, "this line")
        body = self.line_body(unit, item.body, frame, heard.params, sc)
        return self.add(unit, "on", item, frame, cond, body=body)

    def offer(
        self, item: n.On, unit: str, frame: Frame, heard: Heard, cond: Function | None, sc: Scope
    ) -> list[AbilityLine]:
        """`on EVENT(…) may …`: what `you` may do then."""
        self.asks = True
        who = X("var", (self.you,), PLAYER)
        if self.you.type != PLAYER:
            self.err("E203", item, "this card may have no owner, so it is not known to whom this is offered")
        saved, self.calls = self.calls, set()
        kept = self.loops, self.held
        self.loops, self.held = 0, "a line of an ability"
        alts = self.alternatives(item.offers, who, sc)
        self.loops, self.held = kept
        self.line_calls.append((unit, frozenset(self.calls)))
        self.calls |= saved
        offer = self.site_of(who, True, alts, (), self.line(item))
        body = Body(f"a_{unit}", (*self.holder(frame), *heard.params), (), self.source.path, self.line(item))
        return self.add(unit, "offer", item, frame, cond, body=body, offer=offer)

    def instead(self, item: n.Instead, frame: Frame) -> list[AbilityLine]:
        heard = self.event(item.call, frame, placed=True)
        if heard is None:
            return []
        unit = self.name_of(frame)
        found = self.condition(unit, frame, heard, item)
        if found is None:
            return []
        body = self.line_body(unit, item.body, frame, heard.params, found[1])
        return self.add(unit, "instead", item, frame, found[0], body=body)

    # ---- Lasting lines

    def until(self, item: n.Until, sc: Scope, line: int) -> Done:
        index = None
        if item.period is not None:
            index = self.known_period(item.period)
            if index is None:
                return [], sc
        sc_then = sc.forget_places(None, self.s).forget_tests()
        captured = tuple(sc.vars.values())
        self.used.update(v.name for v in captured)
        self.order += 1
        self.idle(item.body, "this block")
        frame = Frame(
            sc_then, (), self.unit.removeprefix(f"{self.card}·"),
            until=(index, f"{self.card}.{self.unit}.{self.order}"), captured=captured,
        )  # fmt: skip
        before = len(self.report)
        lines = self.block_lines(item.body, frame)
        modifiers = bool(lines) and all(x.kind == "modifier" for x in lines)
        if item.period is None and modifiers and len(self.report) == before:
            help = "add the `on` or `instead of` that counts as its use"
            self.err("E209", item, "nothing in this block uses it up, so it lasts for ever", help)
        return [SUntil(index, tuple(x.name for x in lines), captured, line)], sc.forget_tests()
