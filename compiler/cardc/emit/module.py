"""Turns a `Program` into Python source, one module for each `.card` file.

Assumes a checked program. Establishes: deterministic text, each line mapped to its line of the `.card` file, constants
by `repr`,
names mangled. What the functions are called is the contract of `runtime/INTERNALS.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from cardc.emit.choices import captured_by
from cardc.emit.direct import Direct
from cardc.emit.expressions import SELF, SOURCE, YOU, Writer
from cardc.emit.keys import keyable
from cardc.emit.movers import Movers
from cardc.emit.options import Options
from cardc.emit.steps import Steps, pauses
from cardc.emit.text import Module, render
from cardc.emit.units import Line, Unit, indented
from cardc.facts import join_readings
from cardc.ir import (
    LOOPS,
    AbilityLine,
    Body,
    Function,
    Program,
    SChoose,
    Stmt,
    ValueBody,
    Var,
    X,
)
from cardc.nodes import ExpansionDecl
from cardc.searches import mentions, parts, values_in
from cardc.symbols import Symbols
from cardc.types import CardT, ElementT, IntT, LineT, ListT, PlayerT


class Emitter:
    """Writes the functions of `program`. `remembered` and `shares`: see `shared_values`."""

    def __init__(self, s: Symbols, program: Program, remembered: Sequence[str], shares: frozenset[str]) -> None:
        self.s = s
        self.program = program
        self.remembered = remembered
        self.shares = shares
        self.units: dict[str, list[Unit]] = {}
        self.expansion = any(u.own and isinstance(u.decl, ExpansionDecl) for u in s.units)

    # ---- Pieces

    def plain(self, v: Var) -> str:
        return f"l_{v.name}"

    def ability(self, captured: tuple[Var, ...], slot: str = "") -> Callable[[Var], str]:
        """How code of an ability reaches its locals: `you` and `source` are read off the bearer, unless captured."""

        def where(v: Var) -> str:
            if not captured and v.name == YOU:
                return f"m.own[l_{SELF}]"
            if not captured and v.name == SOURCE:
                return self.lender(f"l_{SELF}", slot)
            return f"l_{v.name}"

        return where

    def lender(self, bearer: str, slot: str) -> str:
        """The card whose ability a bearer has in a slot."""
        return f"lender(m, {bearer}, {slot!r})" if slot in self.s.exchanged else bearer

    def writer(self, where: Any = None, stream: int = 2) -> Writer:
        return Writer(self.s, where or self.plain, stream)

    def add(self, path: str, unit: Unit) -> None:
        self.units.setdefault(path, []).append(unit)

    def direct_body(self, stmts: tuple[Stmt, ...], stream: int = 2, where: Any = None) -> list[Line]:
        d = Direct(self.s, self.writer(where, stream), self.shares)
        for s in stmts:
            d.stmt(s)
        return d.out

    def step(
        self,
        name: str,
        params: tuple[Var, ...],
        stmts: tuple[Stmt, ...],
        path: str,
        line: int,
        event: str | None = None,
        stream: int = 2,
    ) -> None:
        st = Steps(self.s, params, stream, self.shares)
        out = st.finish(stmts, event)
        self.add(path, Unit("step", name, ["m", "f"], line, out, size=st.slots.size, cards=st.slots.cards(self.s)))
        self.secret(st, path, stream)

    def secret(self, st: Steps, path: str, stream: int = 2) -> None:
        """The bodies of the secret choices in some steps."""
        for s in st.secret:
            self.step(f"s_{s.code}", (*captured_by(s), s.var), s.body, path, s.line, stream=stream)

    # ---- Declarations

    def value(self, v: ValueBody) -> None:
        params = ["m", *(self.plain(p) for p in v.params)]
        w = self.writer()
        body, clamped = v.body, False
        if body.op == "clamp" and isinstance(v.type, IntT):
            inner = body.args[0]
            assert isinstance(inner, X)
            body, clamped = inner, True
        out: list[Line] = []
        if body.op == "the" and not (isinstance(body.args[1], X) and body.args[1].op == "players"):
            var, source, where = body.args
            assert isinstance(var, Var) and isinstance(source, X) and (where is None or isinstance(where, X))
            src = w.counted(w.x(source), source, where)
            name = w.bind(var)
            out = [indented(1, "x = None", v.line), indented(1, f"for {name} in {src}:", v.line)]
            depth = 2
            if where is not None:
                out.append(indented(2, f"if {w.x(where)}:", v.line))
                depth = 3
            out += [indented(depth, f"x = {name}", v.line), indented(depth, "break", v.line)]
        else:
            out = [indented(1, f"x = {w.x(body)}", v.line)]
        clamp: list[str] = []
        if isinstance(v.type, IntT):
            if v.type.low is not None:
                clamp.append(f"if x < {w.bound_text(v.type.low)}: x = {w.bound_text(v.type.low)}")
            if v.type.high is not None:
                clamp.append(f"if x > {w.bound_text(v.type.high)}: x = {w.bound_text(v.type.high)}")
        key = ""
        if v.name in self.remembered:
            index = v.name if self.expansion else self.remembered.index(v.name)
            key = memo_key(index, v.params, len(self.remembered))
        self.add(
            v.path,
            Unit(
                "value",
                f"v_{v.name}",
                params,
                v.line,
                out,
                key=key,
                registry=f"v_{v.name}",
                args=", ".join(["m", "s_", "x", *params[1:]]),
                first=params[1] if keyable(v.params) else "",
                clamp=clamp if clamped else [],
                clamp_modified=[] if clamped else clamp,
            ),
        )

    def body(self, b: Body) -> None:
        stream = 0 if b.name == "setup" else 2
        lines = self.direct_body(b.stmts, stream)
        if b.event is None:
            self.add(b.path, Unit("body", b.name, ["m"], b.line, lines or [indented(1, "pass", b.line)]))
            self.step(f"s_{b.name}", (), b.stmts, b.path, b.line, stream=stream)
            return
        args = "".join(f"{self.plain(p)}, " for p in b.params)
        self.add(
            b.path,
            Unit(
                "effect",
                f"e_{b.name}",
                ["m", *(self.plain(p) for p in b.params)],
                b.line,
                lines,
                replaced=f"i_{b.name}",
                heard=f"t_{b.name}",
                event=b.name,
                args=args,
                first=self.plain(b.params[0]) if keyable(b.params) else "",
            ),
        )
        self.step(f"s_e_{b.name}", b.params, b.stmts, b.path, b.line, event=b.name)

    def function(self, f: Function) -> None:
        w = self.writer(self.ability(()))
        self.add(
            f.path, Unit("function", f.name, ["m", *(self.plain(p) for p in f.params)], f.line, result=w.x(f.body))
        )

    def holder(self, line: AbilityLine) -> tuple[list[str], list[str], int]:
        """The parameter that holds the bearer or what was captured; the captured names; how many of a function's
        params they are."""
        if line.until is not None:
            return ["e_"], [self.plain(v) for v in line.captured], len(line.captured)
        return [f"l_{SELF}"], [], 1

    def line(self, line: AbilityLine) -> None:
        head, captured, skip = self.holder(line)
        where = self.ability(line.captured, line.slot)
        w = self.writer(where)
        cond = None if line.cond is None else w.x(line.cond.body)
        if line.kind == "modifier":
            assert line.value is not None
            value = w.x(line.value.body)
            times = f"x * {value}" if line.value.body.op == "const" else f"product(x, {value})"
            result = {"=": value, "+=": f"x + {value}", "-=": f"x - {value}", "*=": times}[line.op]
            params = ["m", *head, "x", *(self.plain(p) for p in line.value.params[skip:])]
            self.add(
                line.path,
                Unit("modifier", f"m_{line.name}", params, line.line, captured=captured, cond=cond, result=result),
            )
            return
        assert line.body is not None
        params = ["m", *head, *(self.plain(p) for p in line.body.params[skip:])]
        self.add(
            line.path, Unit("function", f"q_{line.name}", params, line.line, captured=captured, result=cond or "True")
        )
        if line.offer is not None:
            self.offer(line, line.offer, params, captured, skip)
            return
        lines = self.direct_body(line.body.stmts)
        lines = lines or [indented(1, "pass", line.line)]
        self.add(line.path, Unit("body", line.body.name, params, line.line, lines, captured))
        if pauses(line.body.stmts):
            self.step(f"s_{line.body.name}", line.body.params, line.body.stmts, line.path, line.line)

    def offer(self, line: AbilityLine, offer: SChoose, params: list[str], captured: list[str], skip: int) -> None:
        assert line.body is not None
        w = self.writer(self.ability(line.captured, line.slot))
        assigned, listed = Options(self.s, w).stepped(offer.alts, 0)
        lists = [indented(1, f"{name} = {text}", line.line) for name, text in assigned]
        self.add(line.path, Unit("function", f"o_{line.name}", params, line.line, lists, captured, result=listed))
        d = Direct(self.s, self.writer(self.ability(line.captured, line.slot) if line.captured else None), self.shares)
        if not line.captured:  # who the bearer's owner is, and whose ability this is, stays as it was at the beginning
            d.at = line.line
            d.put(f"l_{YOU} = m.own[l_{SELF}]")
            d.put(f"l_{SOURCE} = {self.lender(f'l_{SELF}', line.slot)}")
        for i, alt in enumerate(offer.alts):
            d.at = alt.line
            d.put(f"{'elif' if i else 'if'} a_[0] == {i}:")
            d.indent()
            if alt.picks:
                targets = "".join(f"{d.w.where(p.var)}, " for p in alt.picks)
                d.put(f"_, {targets.removesuffix(', ')} = a_")
            elif not alt.body:
                d.put("pass")
            for s in alt.body:
                d.stmt(s)
            d.dedent()
        self.add(line.path, Unit("body", f"b_{line.name}", [*params, "a_"], line.line, d.out, captured))
        if not any(pauses(a.body) for a in offer.alts):
            return
        answer = Var("a·", IntT())
        st = Steps(self.s, (*line.body.params, answer), 2, self.shares)
        if not line.captured:
            st.at = line.line
            bearer = st.w.where(Var(SELF, IntT()))
            st.put(f"{st.w.where(Var(YOU, IntT()))} = m.own[{bearer}]")
            st.put(f"{st.w.where(Var(SOURCE, IntT()))} = {self.lender(bearer, line.slot)}")
        after = st.label()
        starts = [st.label() for _ in offer.alts]
        for i, (alt, start) in enumerate(zip(offer.alts, starts, strict=True)):
            st.put(f"{'elif' if i else 'if'} {st.w.where(answer)}[0] == {i}:")
            st.indent()
            if alt.picks:
                targets = "".join(f"{st.w.where(p.var)}, " for p in alt.picks)
                st.put(f"_, {targets.removesuffix(', ')} = {st.w.where(answer)}")
            st.put(f"pc = {start}")
            st.dedent()
        st.put("continue")
        for alt, start in zip(offer.alts, starts, strict=True):
            st.start(start)
            st.write(alt.body)
            st.goto(after)
        st.start(after)
        out = st.finish((), None)
        slots = st.slots
        unit = Unit("step", f"s_b_{line.name}", ["m", "f"], line.line, out, size=slots.size, cards=slots.cards(self.s))
        self.add(line.path, unit)
        self.secret(st, line.path)

    # ---- All

    def run(self) -> None:
        p = self.program
        movers = Movers(self)
        movers.run()
        for v in p.values:
            self.value(v)
        for b in p.bodies:
            self.body(b)
        self.cards()
        for _, fn in p.rules:
            self.function(fn)
        for _, _, fn in p.unseen:
            self.function(fn)
        for key, fn in p.defaults:
            if key[0] != "cardstate":
                self.function(fn)
        movers.resets()

    def cards(self) -> None:
        """What cards do, and what lasts."""
        for slot in self.program.slots:
            b = slot.body
            lines = self.direct_body(b.stmts)
            self.add(
                b.path, Unit("body", f"r_{b.name}", ["m", f"l_{SELF}"], b.line, lines or [indented(1, "pass", b.line)])
            )
            if pauses(b.stmts):
                self.step(f"s_r_{b.name}", b.params, b.stmts, b.path, b.line)
        for line in self.program.lines:
            self.line(line)

    def modules(self, filled: dict[str, str] | None = None) -> list[Module]:
        """The source of all files; `filled`: see `cardc.emit.text.render`."""
        filled = {} if filled is None else filled
        return [render(path, self.units[path], filled) for path in sorted(self.units)]


Readings: TypeAlias = dict[str, dict[str, int]]
"""How often modifiers of a value read each other value, by name."""


def modifier_readings(lines: Iterable[AbilityLine]) -> Readings:
    """What the modifiers among these lines read."""
    found: Readings = {}
    for line in lines:
        if line.kind == "modifier":
            of = found.setdefault(line.of, {})
            for f in (line.cond, line.value):
                for name in values_in(f.body) if f is not None else ():
                    of[name] = of.get(name, 0) + 1
    return found


def shared_values(values: Sequence[ValueBody], modifiers: Readings) -> tuple[list[str], frozenset[str]]:
    """The values worth remembering within one computation, and those whose computation reads one of them.

    Worth it: it reads values or goes through a list, and code of values and modifiers reads it in two places or
    more, or in one that reads it again for other arguments of its own."""
    reads: dict[str, list[str]] = {v.name: values_in(v.body) for v in values}
    for v in values:
        if v.params:
            reads[v.name] += regardless(v.body, frozenset(v.params))
    looping = {
        v.name
        for v in values
        if any(q.op in LOOPS for q in parts(v.body))
    }
    sites: dict[str, int] = {}
    for names in reads.values():
        for name in names:
            sites[name] = sites.get(name, 0) + 1
    for of, read in modifiers.items():
        reads.setdefault(of, []).extend(read)
        for name, times in read.items():
            sites[name] = sites.get(name, 0) + times
    remembered = [v.name for v in values if sites.get(v.name, 0) >= 2 and (reads[v.name] or v.name in looping)]
    shares = set(remembered)
    while more := {v for v, names in reads.items() if v not in shares and not shares.isdisjoint(names)}:
        shares |= more
    return remembered, frozenset(shares)


def regardless(x: X, given: frozenset[Var]) -> list[str]:
    """The values that an expression reads with arguments that do not depend on what is `given`."""
    parts_of = [a for a in x.args if isinstance(a, X)]
    if x.op == "value":
        found = [str(x.args[0])] if not any(mentions(a, v) for a in parts_of for v in given) else []
        return found + [name for a in parts_of for name in regardless(a, given)]
    var = next((a for a in x.args if isinstance(a, Var)), None)
    if var is not None and x.op in LOOPS:
        source = x.args[x.args.index(var) + 1]
        assert isinstance(source, X)
        if any(mentions(source, v) for v in given):
            given |= {var}
    return [name for a in parts_of for name in regardless(a, given)]


def memo_key(index: int | str, params: tuple[Var, ...], among: int) -> str:
    """The key of a value and its arguments, `among` so many values: one int where the arguments are small ints. Those
    of an expansion are told apart by name: packages that are loaded together know nothing of each other's numbers."""
    names = [f"tuple(l_{p.name})" if isinstance(p.type, ListT) else f"l_{p.name}" for p in params]
    if isinstance(index, str):
        return f"({', '.join([repr(index), *names])},)"
    if not names:
        return repr(index)
    if len(names) <= 2 and all(isinstance(p.type, PlayerT | ElementT | CardT | LineT) for p in params):
        inner = names[0] if len(names) == 1 else f"({names[0]} * 1048576 + {names[1]})"
        return f"{inner} * {max(among, 256)} + {index}"
    return f"({index}, {', '.join(names)})"


def emit(
    s: Symbols, program: Program, elsewhere: Readings | None = None, filled: dict[str, str] | None = None
) -> list[Module]:
    """The modules of a package. `elsewhere`: what modifiers read in parts of it that are not at hand; `filled`: see
    `cardc.emit.text.render`."""
    modifiers = modifier_readings(program.lines)
    join_readings(modifiers, elsewhere or {})
    emitter = Emitter(s, program, *shared_values(program.values, modifiers))
    emitter.run()
    return emitter.modules(filled)


def emit_cards(s: Symbols, program: Program, shares: frozenset[str]) -> list[Module]:
    """The modules of files that hold nothing but cards, of which `program` is made; `shares` are of the whole."""
    emitter = Emitter(s, program, (), shares)
    emitter.cards()
    return emitter.modules()


def emit_tests(s: Symbols, program: Program) -> list[Module]:
    """The functions of tests; they are no part of a package."""
    emitter = Emitter(s, program, (), frozenset())
    for t in program.tests:
        for step in t.steps:
            for fn in (*step.fns, *(x.fn for x in step.shown), *(f for x in step.shown if x.value for f in x.value[1])):
                emitter.function(fn)
    return emitter.modules()
