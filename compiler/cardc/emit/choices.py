"""Choices in the direct form: options are listed and numbered through, and the answer's number tells what follows."""

from __future__ import annotations

from contextlib import AbstractContextManager

from cardc.emit.cards import CardStatements
from cardc.emit.scans import Lists, Scans
from cardc.emit.variables import free_variables
from cardc.ir import (
    CAlt,
    SAlternate,
    SCall,
    SChoose,
    SFor,
    SIf,
    SLet,
    SLoop,
    SRepeat,
    SRun,
    Stmt,
    STogether,
    STogetherEach,
    Var,
    X,
)
from cardc.types import OptT


class Choices(CardStatements):
    """The part of `Direct` that writes choices, one player's or all players' at once."""

    at: int
    flags: int
    loops: list[str | None]
    counted: set[int]  # choices that count the pass of the loop around them, by identity

    @property
    def scans(self) -> Scans:
        raise NotImplementedError

    def stmt(self, s: Stmt) -> None:
        raise NotImplementedError

    def body(self, stmts: tuple[Stmt, ...]) -> None:
        raise NotImplementedError

    def remembering(self, *xs: X) -> AbstractContextManager[None]:
        raise NotImplementedError

    def target(self, var: Var) -> str:
        raise NotImplementedError

    def tick(self) -> None:
        raise NotImplementedError

    # ---- Of one player

    def choose(self, s: SChoose) -> None:
        """Number all options through; the answer's number tells the alternative. Declining is the number after the
        last."""
        w = self.w
        self.flags += 1
        k = self.flags
        with self.remembering(*conditions(s.alts)):
            lists = self.scans.lists(s, k)
        if len(s.alts) == 1 and not s.may and not s.other and s.alts[0].picks:
            count = lists.counts[0]
            self.put(f"if {count.removeprefix('len(').removesuffix(')')}:")
            self.indent()
            self.put("ask_ = m.ask")
            self.put(f"i_{k} = ask_({w.x(s.who)}, {count})")
            self.alternative(s.alts[0], lists.unpacks[0], f"i_{k}")
            self.dedent()
            if id(s) in self.counted:
                self.put("else:")
                self.indent()
                self.tick()
                self.dedent()
            return
        ends = self.number(k, lists.counts)
        sure = self.ask(s, k, ends[-1])
        last = s.alts[-1] if sure and not s.may and len(s.alts) > 1 else None
        for alt, end, start, unpack in zip(s.alts, ends, [None, *ends], lists.unpacks, strict=False):
            self.at = alt.line
            self.put("else:" if alt is last else f"{'if' if start is None else 'elif'} i_{k} < {end}:")
            self.indent()
            self.alternative(alt, unpack, f"i_{k}" if start is None else f"i_{k} - {start}")
            self.dedent()
        if s.other and last is None:
            self.put("else:")
            self.body(s.other)

    def number(self, k: int, counts: list[str]) -> list[str]:
        """Number all options through: where those of each alternative end."""
        ends: list[str] = []
        for i, count in enumerate(counts):
            end = f"n_{k}_{i}" if ends or count.startswith("len(") else count
            if end != count:
                self.put(f"{end} = {f'{ends[-1]} + {count}' if ends else count}")
            ends.append(end)
        return ends

    def ask(self, s: SChoose, k: int, total: str) -> bool:
        """Let `i_k` be the number of the answer, 0 where there is nothing to choose; whether there surely is something,
        as an alternative stands alone and always open."""
        self.put("ask_ = m.ask")
        asked = f"i_{k} = ask_({self.w.x(s.who)}, {total}{' + 1' if s.may else ''})"
        sure = any(not alt.picks and alt.when is None for alt in s.alts)
        if sure:
            self.put(asked)
        elif id(s) in self.counted:
            self.put(f"if {total}: {asked}")
            self.put("else:")
            self.indent()
            self.put(f"i_{k} = 0")
            self.tick()
            self.dedent()
        else:
            self.put(f"{asked} if {total} else 0")
        return sure

    def alternative(self, alt: CAlt, unpack: str | None, index: str) -> None:
        if unpack is not None:
            self.unpack(unpack, index)
        elif not alt.body:
            self.put("pass")
        for s in alt.body:
            self.stmt(s)

    def unpack(self, unpack: str, index: str) -> None:
        self.put(unpack.replace("[[i_]", f"[({index})" if " " in index else f"[{index}").replace("[i_]", f"[{index}]"))

    # ---- Of all players at once

    def together(self, s: STogetherEach) -> None:
        """Secret choices: all are answered before any is carried out. Where the choice does not stand last in the
        body, the step form runs, answered on the spot."""
        if all(isinstance(x, SLet) for x in s.body[:-1]) and s.body and isinstance(s.body[-1], SChoose):
            self.together_here(s, s.body[:-1], s.body[-1])
            return
        w = self.w
        captured = captured_by(s)
        values = "".join(f"{w.where(v)}, " for v in captured)
        self.put(f"together(m, {'s_' + s.code!r}, {w.x(s.source)}, ({values}))")

    def together_here(self, s: STogetherEach, lets: tuple[Stmt, ...], choice: SChoose) -> None:
        """One loop for the answers, which are kept with what the lets hold; one to carry them out."""
        w = self.w
        self.flags += 1
        k = self.flags
        held = raises((choice,))
        kept = [x.var for x in lets if isinstance(x, SLet)]
        self.put(f"a_{k} = []")
        self.put(f"for {self.target(s.var)} in {w.x(s.source)}:")
        self.indent()
        for x in lets:
            self.stmt(x)
        self.at = choice.line
        with self.remembering(*conditions(choice.alts)):
            lists = self.scans.lists(choice, k)
        only = len(choice.alts) == 1 and not choice.may
        picks = choice.alts[0].picks
        sure = [p for p in picks if not p.maybe and not isinstance(p.type, OptT)]
        if only and not kept and not choice.other and len(picks) == len(sure) == 1:
            self.one_each(s, choice, k, lists, held)
            return
        ends = self.number(k, lists.counts)
        self.ask(choice, k, ends[-1])
        for i, (alt, end, start, unpack) in enumerate(
            zip(choice.alts, ends, [None, *ends], lists.unpacks, strict=False)
        ):
            test = end if only else f"i_{k} < {end}"
            self.put(f"{'if' if start is None else 'elif'} {test}:")
            self.indent()
            if unpack is not None:
                self.unpack(unpack, f"i_{k}" if start is None else f"i_{k} - {start}")
            names = "".join(f"{w.where(v)}, " for v in (*(pick.var for pick in alt.picks), *kept))
            self.put(f"a_{k}.append(({i}, {names}))")
            self.dedent()
        self.put(f"else: a_{k}.append((-1, {''.join(f'{w.where(v)}, ' for v in kept)}))")
        self.dedent()
        if held:
            self.put("hold(m)")
        self.put(f"for {self.target(s.var)}, b_{k} in zip({w.x(s.source)}, a_{k}):")
        self.indent()
        self.loops.append("for")
        for i, alt in enumerate(choice.alts):
            self.at = alt.line
            self.put(f"{'elif' if i else 'if'} b_{k}[0] == {i}:")
            self.indent()
            self.carry_out(kept, tuple(pick.var for pick in alt.picks), alt.body, f"b_{k}")
            self.dedent()
        if choice.other:
            self.put("else:")
            self.indent()
            self.carry_out(kept, (), choice.other, f"b_{k}")
            self.dedent()
        self.loops.pop()
        self.dedent()
        if held:
            self.put("release(m)")

    def one_each(self, s: STogetherEach, choice: SChoose, k: int, lists: Lists, held: bool) -> None:
        """Secret choices of one thing each: what was picked is all that is kept, None where there was nothing."""
        alt, count, unpack = choice.alts[0], lists.counts[0], lists.unpacks[0]
        var = alt.picks[0].var
        assert unpack is not None
        self.put(f"if {count.removeprefix('len(').removesuffix(')')}:")
        self.indent()
        self.put("ask_ = m.ask")
        self.put(f"i_{k} = ask_({self.w.x(choice.who)}, {count})")
        self.unpack(unpack, f"i_{k}")
        self.put(f"a_{k}.append({self.w.where(var)})")
        self.dedent()
        self.put(f"else: a_{k}.append(None)")
        self.dedent()
        if held:
            self.put("hold(m)")
        self.put(f"for {self.target(s.var)}, {self.target(var)} in zip({self.w.x(s.source)}, a_{k}):")
        self.indent()
        self.loops.append("for")
        self.at = alt.line
        self.put(f"if {self.w.where(var)} is not None:")
        self.body(alt.body)
        self.loops.pop()
        self.dedent()
        if held:
            self.put("release(m)")

    def carry_out(self, kept: list[Var], picks: tuple[Var, ...], body: tuple[Stmt, ...], answer: str) -> None:
        names = "".join(f"{self.target(v)}, " for v in (*picks, *kept))
        if names:
            self.put(f"_, {names.removesuffix(', ')} = {answer}")
        elif not body:
            self.put("pass")
        for x in body:
            self.stmt(x)


def conditions(alts: tuple[CAlt, ...]) -> list[X]:
    """The expressions that the options of a choice are made of."""
    found = [x for a in alts for p in a.picks for x in (p.source, p.where)] + [a.when for a in alts]
    return [x for x in found if x is not None]


def raises(stmts: tuple[Stmt, ...]) -> bool:
    """Whether these statements may raise events, so that what hears them must wait for the end of a `together`."""
    for s in stmts:
        match s:
            case SCall() | SRun() | STogether() | STogetherEach():
                return True
            case SIf(_, then, other) if raises(then) or raises(other):
                return True
            case SFor(body=body) | SRepeat(body=body) | SLoop(body=body) | SAlternate(body=body) if raises(body):
                return True
            case SChoose(alts=alts, other=other) if raises(other) or any(raises(a.body) for a in alts):
                return True
    return False


def captured_by(s: STogetherEach) -> list[Var]:
    """The locals from outside that the body reads, in order of first use."""
    return [v for v in free_variables(s.body) if v.name != s.var.name]
