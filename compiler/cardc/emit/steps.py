"""Statements as a state machine: `def s_x(m, f)` over a frame `[code, pc, locals…]`.

Blocks are numbered; a block ends where code may pause or jump. Statements that cannot pause are written in their
direct form, with
locals in the frame. `done(m, f)` pops the frame and tells the listeners of its event.
"""

from __future__ import annotations

from cardc.emit.choices import captured_by, conditions
from cardc.emit.direct import Direct
from cardc.emit.expressions import Writer
from cardc.emit.units import Line, indented
from cardc.ir import (
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
from cardc.searches import blocks
from cardc.symbols import ANY, Symbols
from cardc.types import CardT, ListT, OptT

_PAUSING = frozenset({SChoose, SRun, SCall, STogetherEach, STogether})
_DIRECT = frozenset({SLet, SAssign, SMove, SDraw, SCopy, SShuffle, SReveal, SFinish, SUntil, SForm, SExchange})
"""What is the same in the direct form."""
_BREAKING = frozenset({SStop, SRepeat, SLoop, SAlternate})


def pauses(stmts: tuple[Stmt, ...]) -> bool:
    """Whether these statements may pause in some set of packages: they ask, run a slot, or raise an event."""
    for s in stmts:
        if type(s) in _PAUSING:
            return True
        for block in blocks(s):
            if pauses(block):
                return True
    return False


class Slots(dict[str, int]):
    """Where the locals of a step function lie in its frame, in the order in which they are met; `kinds`: of what kind
    those are that are cards."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: dict[int, str] = {}

    def __missing__(self, name: str) -> int:
        self[name] = found = self.size
        return found

    @property
    def size(self) -> int:
        """The length of a frame: its code, its pc, and the locals."""
        return 2 + len(self)

    def where(self, v: Var) -> str:
        slot = self[v.name]
        t = v.type
        while type(t) is OptT or type(t) is ListT:
            t = t.item
        if type(t) is CardT:
            self.kinds[slot] = t.kind
        return f"f[{slot}]"

    def cards(self, s: Symbols) -> tuple[tuple[int, str], ...]:
        """The locals that are cards of a kind that not all cards are of, by slot."""
        any_card = s.root_kind()
        return tuple([(slot, kind) for slot, kind in sorted(self.kinds.items()) if kind not in (any_card, ANY)])


class Steps(Direct):
    """Writes one step function."""

    def __init__(
        self,
        s: Symbols,
        params: tuple[Var, ...],
        stream: int,
        shares: frozenset[str],
    ) -> None:
        self.slots = Slots()
        for p in params:
            self.slots.where(p)
        super().__init__(s, Writer(s, self.slots.where, stream), shares)
        self.blocks: list[list[Line]] = [[]]
        self.out = self.blocks[0]
        self.depth = 3
        self.exits: list[int] = []
        self.secret: list[STogetherEach] = []
        """What is met of `together each`: its bodies are step functions of their own."""

    def temporary(self, word: str) -> str:
        self.flags += 1
        return f"f[{self.slots[f'·{word}{self.flags}']}]"

    # ---- Blocks

    def label(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def start(self, label: int) -> None:
        self.out = self.blocks[label]
        self.depth = 3

    def goto(self, label: int) -> None:
        self.put(f"pc = {label}")
        self.put("continue")

    def write(self, stmts: tuple[Stmt, ...]) -> None:
        for s in stmts:
            self.stmt(s)

    # ---- Statements that may pause or jump

    def stmt(self, s: Stmt) -> None:
        if type(s) in _DIRECT:
            super().stmt(s)
            return
        self.at = s.line
        if type(s) is SChoose:
            self.choose_step(s)
        elif type(s) is SCall:
            after = self.label()
            self.put(f"f[1] = {after}")
            values = "".join([f"{self.w.kept(a)}, " for a in s.args])
            self.put(f"if call(m, E_{s.effect}, ({values})): return")
            self.goto(after)
            self.start(after)
        else:
            self.larger(s)

    def larger(self, s: Stmt) -> None:
        """What has blocks, and what is met less often."""
        match s:
            case SRun(slot, card):
                after = self.label()
                self.put(f"f[1] = {after}")
                self.put(
                    f"if run_step(m, m.S_{slot}[m.d[{self.w.x(card)}]], {self.w.x(card)}, "
                    f"{slot.split('·')[1]!r}): return"
                )
                self.goto(after)
                self.start(after)
            case SStop():
                self.goto(self.exits[-1])
                self.start(self.label())
            case SIf(cond, then, other) if self.breaks(then) or self.breaks(other):
                yes, after = self.label(), self.label()
                no = self.label() if other else after
                self.put(f"pc = {yes} if {self.whole(self.w.x(cond), cond)} else {no}")
                self.put("continue")
                for start, branch in ((yes, then), (no, other)):
                    if branch:
                        self.start(start)
                        self.write(branch)
                        self.goto(after)
                self.start(yes) if not then else None
                if not then:
                    self.goto(after)
                self.start(after)
            case SFor(body=body) if self.breaks(body):
                self.for_step(s)
            case SRepeat(count, period, body):
                self.repeat_step(self.w.x(count), period, body)
            case SLoop(cond, period, body):
                self.loop_step(cond, period, body)
            case SAlternate():
                self.alternate_step(s)
            case STogether(body):
                self.put("hold(m)")
                self.write(body)
                self.at = s.line
                after = self.label()
                self.put(f"f[1] = {after}")
                self.put("if release_step(m): return")
                self.goto(after)
                self.start(after)
            case STogetherEach():
                self.secret.append(s)
                after = self.label()
                self.put(f"f[1] = {after}")
                values = "".join(f"{self.w.where(v)}, " for v in captured_by(s))
                self.put(f"together_step(m, {'s_' + s.code!r}, {self.w.x(s.source)}, ({values}))")
                self.put("return")
                self.start(after)
            case _:
                super().stmt(s)

    def breaks(self, stmts: tuple[Stmt, ...]) -> bool:
        """Whether these statements need blocks of their own."""
        if pauses(stmts):
            return True
        for s in stmts:
            if type(s) in _BREAKING or (type(s) is SFor and self.breaks(s.body)):
                return True
            if type(s) is SIf and (self.breaks(s.then) or self.breaks(s.other)):
                return True
        return False

    def for_step(self, s: SFor) -> None:
        items, index = self.temporary("list"), self.temporary("index")
        head, after = self.label(), self.label()
        self.put(f"{items} = [*{self.listed(s)}]")
        self.put(f"{index} = 0")
        self.goto(head)
        self.start(head)
        self.put(f"if {index} >= len({items}):")
        self.depth += 1
        self.goto(after)
        self.depth -= 1
        self.put(f"{self.w.where(s.var)} = {items}[{index}]")
        self.put(f"{index} += 1")
        if not self.w.short(s.source):
            self.tick()
        guard = self.guard(s)
        if guard is not None:
            self.put(f"if not {guard}: continue")
        self.write(s.body)
        self.goto(head)
        self.start(after)

    def repeat_step(self, count: str, period: int | None, body: tuple[Stmt, ...]) -> None:
        left = self.temporary("left")
        self.put(f"{left} = {count}")
        self.loop_step(None, period, body, left)

    def loop_step(self, cond: X | None, period: int | None, body: tuple[Stmt, ...], left: str | None = None) -> None:
        """`left`: where the number of rounds that are left is counted down."""
        head, after = self.label(), self.label()
        leave = self.label() if period is not None else after
        self.goto(head)
        self.start(head)
        if cond is not None or left is not None:
            self.put(f"if {left} <= 0:" if cond is None else f"if not {self.whole(self.w.x(cond), cond)}:")
            self.depth += 1
            self.goto(after)
            self.depth -= 1
        if left is not None:
            self.put(f"{left} -= 1")
        self.tick()
        self.begin_period(period)
        self.exits.append(leave)
        self.write(body)
        self.exits.pop()
        self.end_here(period)
        self.goto(head)
        if period is not None:
            self.start(leave)
            self.end_here(period)
            self.goto(after)
        self.start(after)

    def end_here(self, period: int | None) -> None:
        if period is not None:
            self.put(f"end_period(m, {period})")

    def alternate_step(self, s: SAlternate) -> None:
        w = self.w
        kept = self.temporary("turn")
        head, after, leave = self.label(), self.label(), self.label()
        var = w.where(s.var)
        self.put(f"{kept} = m.turn")
        w.chance = s.var.name.rsplit("_", 1)[0]
        self.put(f"{var} = {w.x(s.start)}")
        self.goto(head)
        self.start(head)
        if s.cond is not None:
            self.put(f"if not {self.whole(w.x(s.cond), s.cond)}:")
            self.depth += 1
            self.goto(after)
            self.depth -= 1
        self.tick()
        self.put(f"m.turn = {var}")
        self.put(f"if m.obs is not None: m.obs.turn(m, {var})")
        self.begin_period(s.period)
        self.exits.append(leave)
        self.write(s.body)
        self.exits.pop()
        self.end_here(s.period)
        self.put(f"{var} = 1 - {var}")
        self.goto(head)
        self.start(leave)
        self.end_here(s.period)
        self.goto(after)
        self.start(after)
        self.put(f"m.turn = {kept}")

    # ---- Choices

    def choose_step(self, s: SChoose) -> None:
        w = self.w
        self.flags += 1
        k = self.flags
        assigned, listed = self.options.stepped(s.alts, k)
        asking = self.label()
        self.goto(asking)
        self.start(asking)
        read = conditions(s.alts)
        with self.remembering(*read):
            for name, text in assigned:
                self.put(f"{name} = {text}")
            self.put(f"o_{k} = {listed}")
        answered = self.label()
        assert answered == asking + 1  # `driver.reask` goes back by one
        after = self.label()
        other = self.label() if s.other else after
        site = s.site
        self.put(f"if not o_{k}:")
        self.depth += 1
        self.put(f"skip(m, {w.x(s.who)}, {site!r})")
        self.goto(other)
        self.depth -= 1
        self.put(f"f[1] = {answered}")
        self.put(f"m.wait = ({w.x(s.who)}, {site!r}, o_{k}, {s.may})")
        self.put("return")
        self.start(answered)
        self.put("a_ = m.answer")
        starts = [self.label() for _ in s.alts]
        if s.may:
            self.put(f"if a_ is None: pc = {other}")
        word = "elif" if s.may else "if"
        for i, (alt, start) in enumerate(zip(s.alts, starts, strict=True)):
            self.put(f"{word} a_[0] == {i}:")
            word = "elif"
            self.depth += 1
            if alt.picks:
                targets = "".join(f"{w.where(p.var)}, " for p in alt.picks)
                self.put(f"_, {targets.removesuffix(', ')} = a_")
            self.put(f"pc = {start}")
            self.depth -= 1
        self.put("continue")
        for alt, start in zip(s.alts, starts, strict=True):
            self.start(start)
            self.write(alt.body)
            self.goto(after)
        if s.other:
            self.start(other)
            self.write(s.other)
            self.goto(after)
        self.start(after)

    # ---- The function

    def finish(self, stmts: tuple[Stmt, ...], event: str | None) -> list[Line]:
        """The whole function body: the dispatch over `pc`, depth 1 on."""
        self.write(stmts)
        self.put(f"done(m, E_{event}, f)" if event is not None else "m.frames.pop()")
        self.put("return")
        out = [indented(1, "pc = f[1]", self.at), indented(1, "while True:", self.at)]
        for i, block in enumerate(self.blocks):
            if block:
                out.append(indented(2, f"{'if' if i == 0 else 'elif'} pc == {i}:", block[0][1]))
                out.extend(block)
        return out
