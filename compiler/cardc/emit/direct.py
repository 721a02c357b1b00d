"""Statements as direct Python: structured control flow, questions answered on the spot by `m.ask`.

Used for playouts, and by the step form for whatever cannot ask. Lines are `Line`s: depth, text, line of the card file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf

from cardc.emit.choices import Choices
from cardc.emit.expressions import Writer, through
from cardc.emit.options import Options
from cardc.emit.scans import Scans
from cardc.emit.units import Line
from cardc.ir import (
    Place,
    SAlternate,
    SAssign,
    SCall,
    SChoose,
    SCopy,
    SDraw,
    SExchange,
    SFinish,
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
)
from cardc.literals import GREATEST
from cardc.scope import bounds
from cardc.searches import grows, mentions, values_in
from cardc.symbols import Symbols
from cardc.types import IntT, PrintedT

STORED = frozenset({"card", "dfield", "element", "field", "player", "state"})
"""What reads a number that was brought into its range when it was stored."""
FIXED = re.compile(r"\((\d(?:, \d){1,3})\)")
"""A written-out collection of a few numbers."""
_NOTHING = nullcontext()


class Direct(Choices):
    """Writes statements. Subclasses change how locals are reached and what calls and questions become."""

    def __init__(self, s: Symbols, writer: Writer, shares: frozenset[str]) -> None:
        self.s = s
        self.shares = shares
        self.w = writer
        self.out: list[Line] = []
        self.depth = 1
        self.at = 1
        self.loops: list[str | None] = []
        self.flags = 0
        self.counted = set()

    # ---- What lists options; made where it is used, so that nothing holds itself

    @property
    def options(self) -> Options:
        return Options(self.s, self.w)

    @property
    def scans(self) -> Scans:
        return Scans(self.s, self.w, self.options, self)

    # ---- Output

    def put(self, text: str) -> None:
        self.out.append(("    " * self.depth + text, self.at))

    def indent(self) -> None:
        self.depth += 1

    def dedent(self) -> None:
        self.depth -= 1

    def body(self, stmts: tuple[Stmt, ...]) -> None:
        """Statements one level deeper; never empty."""
        self.indent()
        before = len(self.out)
        for s in stmts:
            self.stmt(s)
        if len(self.out) == before:
            self.put("pass")
        self.dedent()

    # ---- Values that share work

    def shared(self, *xs: X) -> bool:
        """Whether these expressions, in one statement, read values that share work."""
        return bool(self.shares) and any(not self.shares.isdisjoint(values_in(x)) for x in xs)

    def remembering(self, *xs: X) -> AbstractContextManager[None]:
        """Around the statements that compute `xs`, in which nothing is written: what values come to is remembered
        where that saves work."""
        return self._remembering() if self.shared(*xs) else _NOTHING

    @contextmanager
    def _remembering(self) -> Iterator[None]:
        self.put("m.memo = {}")
        yield
        self.put("m.memo = None")

    def whole(self, text: str, *xs: X) -> str:
        """`text`, made of `xs`, or the name under which it was computed just before."""
        if not self.shared(*xs):
            return text
        with self.remembering(*xs):
            self.put(f"w_ = {text}")
        return "w_"

    # ---- Statements

    def stmt(self, s: Stmt) -> None:
        self.at = s.line
        w = self.w
        match s:
            case SLet(var, value):
                w.chance = var.name.rsplit("_", 1)[0]
                with self.remembering(value):
                    self.put(f"{self.target(var)} = {w.kept(value)}")
            case SAssign():
                self.assign(s)
            case SCall(effect, args):
                self.put(f"e_{effect}({', '.join(['m', *(w.kept(a) for a in args)])})")
            case SRun(slot, card):
                self.put(f"a_ = m.S_{slot}[m.d[{w.x(card)}]]")
                self.put(f"if a_ is not None: run(m, a_, {w.x(card)}, {slot.split('·')[1]!r})")
            case SMove():
                self.move(s)
            case SDraw():
                self.draw(s)
            case SCopy(what, many, to):
                self.copy(what, many, to)
            case SShuffle(what):
                self.put(f"shuffle(m, {w.place_id(what)})")
            case SReveal(what, to):
                self.reveal(what, to)
            case SIf(cond, then, other):
                self.put(f"if {self.whole(w.x(cond), cond)}:")
                self.body(then)
                if other:
                    self.put("else:")
                    self.body(other)
            case SFor():
                self.for_each(s)
            case SRepeat(X("const", (1,)), period, body) if not _stops(body):
                self.begin_period(period)
                self.dedent()
                self.body(body)
                self.end_period(period)
                self.indent()
            case SRepeat(count, period, body):
                self.loop_head(f"for _ in range({w.x(count)}):", period, body)
            case STogether(body):
                self.put("hold(m)")
                for inner in body:
                    self.stmt(inner)
                self.at = s.line
                self.put("release(m)")
            case STogetherEach():
                self.together(s)
            case SLoop(cond, period, body):
                self.loop_head("while True:", period, body, cond)
            case SAlternate():
                self.alternate(s)
            case SStop():
                self.stop()
            case SFinish(winner, reason):
                self.put(f"finish(m, {'None' if winner is None else w.x(winner)}, {reason!r})")
            case SChoose():
                self.choose(s)
            case SUntil():
                self.until(s)
            case SForm(card, form):
                self.put(f"set_form(m, {w.x(card)}, {w.x(form)})")
            case SExchange(slots, first, second):
                self.put(f"exchange(m, {slots!r}, {w.x(first)}, {w.x(second)})")

    def target(self, var: Var) -> str:
        return self.w.where(var)

    def assign(self, s: SAssign) -> None:
        w, t = self.w, s.target
        w.chance = str(t.args[1] if t.op in ("element", "card") else t.args[0])
        value = s.value
        place = w.x(t)
        inner, low, high = value.args if value.op == "clamp" else (value, None, None)
        assert isinstance(inner, X)
        if w.secret(t) and t.op == "player":
            self.put(f"m.h_{t.args[0]}[{w.sub(t.args[1])}] = 0")
        with self.remembering(inner):
            self.put(f"n_ = {f'bounded({w.kept(inner)})' if grows(inner) else w.kept(inner)}")
        if isinstance(s.type, IntT):
            self.saturate(inner, low, high)
        match t.op:
            case "state":
                what = f"('state', {t.args[0]!r})"
            case "player":
                what = f"('player', {t.args[0]!r}, {w.sub(t.args[1])})"
            case "element":
                what = f"('element', {t.args[0]!r}, {t.args[1]!r}, {w.sub(t.args[2])})"
            case _:
                what = f"('card', {t.args[0]!r}, {t.args[1]!r}, {w.sub(t.args[2])})"
        self.put(f"if m.obs is not None and {place} != n_: m.obs.changes(m, {what}, n_)")
        self.put(f"{place} = n_")

    def saturate(self, inner: X, low: object, high: object) -> None:
        """Bring the number `n_` into its range; where there is no bound, to as many digits as a number may have."""
        w = self.w
        least, most = reach(inner, self.s)
        under = w.bound_text(low) if low is not None else None if least >= -GREATEST else str(-GREATEST)
        over = w.bound_text(high) if high is not None else None if most <= GREATEST else str(GREATEST)
        word = "if"
        for sign, end in (("<", under), (">", over)):
            if end is not None:
                self.put(f"{word} n_ {sign} {end}:")
                self.depth += 1
                self.put(f"n_ = {end}")
                self.depth -= 1
                word = "elif"

    # ---- Loops

    def listed(self, s: SFor) -> str:
        """What a `for each` goes through, computed once."""
        w = self.w
        src = w.x(s.source)
        name = w.bind(s.var)
        if s.where is not None:
            text = f"[{name} {through(name, w.counted(src, s.source, s.where))} if {w.x(s.where)}]"
        elif self.single(s):
            text = src
        elif s.source.op in ("place", "own_decklist", "catalog", "parts") and not src.startswith(("[", "(")):
            text = f"[*{src}]"
        else:
            text = src
        if s.by is not None:
            text = f"sorted({text}, key=lambda {name}: {w.x(s.by)})"
        w.release(s.var)
        return self.whole(text, *(x for x in (s.source, s.where, s.by) if x is not None))

    def single(self, s: SFor) -> bool:
        """Whether a loop goes through a place for one card: that lies there when its turn comes, and is the last."""
        place = s.source.args[0] if s.source.op == "place" else None
        return isinstance(place, Place) and s.where is None and self.s.place(place.owner, place.part).most == 1

    def ranked(self, s: SFor) -> str | None:
        """A few fixed things in the order of a value, each after that value; None where a loop goes through others."""
        things = FIXED.fullmatch(self.w.x(s.source))
        if s.by is None or s.where is not None or things is None:
            return None
        pairs = []
        for thing in things[1].split(", "):
            self.w.fixed[s.var.name] = thing
            pairs.append(f"({self.w.x(s.by)}, {thing})")
        del self.w.fixed[s.var.name]
        return self.whole(f"sorted(({', '.join(pairs)}))", s.by)

    def guard(self, s: SFor) -> str | None:
        if s.guard is None or self.single(s):
            return None
        if s.guard in self.s.boards:
            low, high = self.s.boards[s.guard].low, self.s.boards[s.guard].high
        else:
            z = self.s.zones[s.guard].place
            low, high = z.first, z.first + (2 if z.each else 1)
        return f"{low} <= m.at[{self.w.where(s.var)}] < {high}"

    def for_each(self, s: SFor) -> None:
        if self.copied(s):
            return
        if s.source.op == "optlist" and s.where is None:
            self.at_most_once(s)
            return
        ranked = self.ranked(s)
        if ranked is None:
            self.put(f"for {self.target(s.var)} in {self.listed(s)}:")
        else:
            self.put(f"for _, {self.target(s.var)} in {ranked}:")
        if not self.w.short(s.source):
            self.indent()
            self.tick_unless_asked(s.body)
            self.dedent()
        guard = self.guard(s)
        if guard is not None:
            self.indent()
            self.put(f"if not {guard}: continue")
            self.dedent()
        self.loops.append("for")
        self.body(s.body)
        self.loops.pop()
        self.after_for(s.body)

    def at_most_once(self, s: SFor) -> None:
        """A loop over what may be none is a test; a `stop` inside leaves the loop around it."""
        value = s.source.args[0]
        assert isinstance(value, X)
        with self.remembering(value):
            self.put(f"{self.target(s.var)} = {self.w.x(value)}")
        self.put(f"if {self.target(s.var)} is not None:")
        guard = self.guard(s)
        if guard is not None:
            self.indent()
            self.put(f"if {guard}:")
            self.body(s.body)
            self.dedent()
        else:
            self.body(s.body)

    def copied(self, s: SFor) -> bool:
        """A loop that only copies the printed cards that it goes through is one `copy`."""
        if s.guard is not None or type(s.var.type) is not PrintedT:
            return False
        match s.body:
            case (SCopy(X("var", (v,)), False, to),) if (
                v == s.var and not mentions(X("place_id", (to,), IntT()), s.var)
            ):
                self.put(f"copy_cards(m, {self.listed(s)}, {self.w.place_id(to)})")
                return True
        return False

    def after_for(self, body: tuple[Stmt, ...]) -> None:
        """Where a `stop` inside must leave a loop further out, leave this one's parents too."""
        if _stops(body):
            flag = self.flag()
            self.put(f"if {flag}: break")

    def flag(self) -> str:
        depth = max((i for i, x in enumerate(self.loops) if x != "for"), default=0)
        return f"stop_{depth}"

    def loop_head(self, head: str, period: int | None, body: tuple[Stmt, ...], cond: X | None = None) -> None:
        nested = _stops_nested(body)
        self.loops.append("loop")
        if nested:
            self.put(f"{self.flag()} = False")
        self.put(head)
        self.indent()
        if cond is not None:
            self.put(f"if not {self.whole(self.w.x(cond), cond)}: break")
        self.tick_unless_asked(body)
        self.begin_period(period)
        self.dedent()
        self.body(body)
        self.end_period(period)
        self.loops.pop()
        if period is not None and _stops(body):
            self.put(f"end_period(m, {period})")

    def tick(self) -> None:
        self.put("m.steps += 1")
        self.put("if m.steps > MOST_STEPS: tick(m)")

    def tick_unless_asked(self, body: tuple[Stmt, ...]) -> None:
        """Count a pass of a loop. A question begins the count anew: where each pass asks one, the pass is counted only
        if there turns out to be nothing to choose."""
        asked = questions(body)
        if asked is None:
            self.tick()
        else:
            self.counted.update(map(id, asked))

    def begin_period(self, period: int | None) -> None:
        if period is not None:
            self.put(f"m.periods[{period}] += 1")
            self.put(f"if m.obs is not None: m.obs.period(m, {period})")

    def end_period(self, period: int | None) -> None:
        if period is not None:
            self.indent()
            self.put(f"if m.ends & {1 << period}: end_period(m, {period})")
            self.dedent()

    def alternate(self, s: SAlternate) -> None:
        w = self.w
        self.flags += 1
        kept = f"turn_{self.flags}"
        self.put(f"{kept} = m.turn")
        w.chance = s.var.name.rsplit("_", 1)[0]
        self.put(f"{self.target(s.var)} = {w.x(s.start)}")
        self.loops.append("loop")
        if _stops_nested(s.body):
            self.put(f"{self.flag()} = False")
        self.put("while True:")
        self.indent()
        if s.cond is not None:
            self.put(f"if not {self.whole(w.x(s.cond), s.cond)}: break")
        self.tick_unless_asked(s.body)
        self.put(f"m.turn = {w.where(s.var)}")
        self.put(f"if m.obs is not None: m.obs.turn(m, {w.where(s.var)})")
        self.begin_period(s.period)
        self.dedent()
        self.body(s.body)
        self.end_period(s.period)
        self.indent()
        self.put(f"{self.target(s.var)} = 1 - {w.where(s.var)}")
        self.dedent()
        self.loops.pop()
        if s.period is not None and _stops(s.body):
            self.put(f"end_period(m, {s.period})")
        self.put(f"m.turn = {kept}")

    def stop(self) -> None:
        if self.loops and self.loops[-1] == "for":
            self.put(f"{self.flag()} = True")
        self.put("break")

    def until(self, s: SUntil) -> None:
        lines, names = ("".join(text.format(name) for name in s.lines) for text in ("L_{}, ", "'{}', "))
        values = "".join(f"{self.w.where(v)}, " for v in s.captured)
        self.put(f"lasting(m, ({lines}), ({names}), ({values}), {s.period!r})")


def reach(x: X, s: Symbols) -> tuple[float, float]:
    """Between what a number lies: what is stored has no more digits than a number may have."""
    low, high = bounds(x.t, s)
    end = GREATEST if x.op in STORED else inf
    least, most = -end if low is None else low, end if high is None else high
    if x.op in ("add", "sub"):
        (al, ah), (bl, bh) = (reach(a, s) for a in x.args if isinstance(a, X))
        ends = (al + bl, ah + bh) if x.op == "add" else (al - bh, ah - bl)
        return max(least, ends[0]), min(most, ends[1])
    return least, most


def questions(body: tuple[Stmt, ...], inner: bool = False) -> list[SChoose] | None:
    """The choices of which each pass of a loop comes to one, unless it leaves the loop before; None where a pass may
    come to none. `inner`: the loop stands in the one that is asked about, which goes on when it is left."""
    for s in body:
        match s:
            case SChoose():
                return [s]
            case SIf(_, then, other):
                found = [questions(then, inner), questions(other, inner)]
                if any(found) and all(
                    q or _leaves(branch, inner) for q, branch in zip(found, (then, other), strict=True)
                ):
                    return [choice for q in found for choice in q or ()]
            case SLoop(None, _, inside) if (asked := questions(inside, True)) is not None:
                return asked
        if inner and _stops((s,)):
            return None
    return None


def _leaves(stmts: tuple[Stmt, ...], inner: bool) -> bool:
    """Whether these statements end a pass so that no other one follows."""
    return bool(stmts) and isinstance(stmts[-1], SFinish if inner else SFinish | SStop)


def _stops(stmts: tuple[Stmt, ...]) -> bool:
    from cardc.graphs import stops

    return stops(stmts)


def _stops_nested(stmts: tuple[Stmt, ...]) -> bool:
    """Whether a `stop` of this loop stands inside a `for each`."""
    for s in stmts:
        match s:
            case SFor(body=body) if _stops(body):
                return True
            case SIf(_, then, other) if _stops_nested(then) or _stops_nested(other):
                return True
            case STogether(body=body) if _stops_nested(body):
                return True
            case SChoose(alts=alts, other=other) if _stops_nested(other) or any(_stops_nested(a.body) for a in alts):
                return True
    return False
