"""Searches over the whole package: circles of values, effects and events; loops that never ask; flows that end.

Assumes elaborated code. Establishes: values are computed in finitely many steps, named effects do not call each other
in a circle, every loop of a flow holds a decision, a match ends by `win`, `lose` or `tie`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from cardc import nodes as n
from cardc.ir import (
    SAlternate,
    SCall,
    SChoose,
    SFinish,
    SFor,
    SIf,
    SLet,
    SLoop,
    SRepeat,
    SRun,
    SStop,
    Stmt,
    STogether,
    STogetherEach,
    Var,
    X,
)
from cardc.report import Report
from cardc.searches import blocks
from cardc.source import Source

Bodies: TypeAlias = Mapping[str, tuple[tuple[Var, ...], tuple[Stmt, ...]]]
"""The bodies of effects, with their parameters."""

MOST_CALLS = 20
"""How deep calls are followed to a secret choice."""


class Spot(Struct, frozen=True):
    """A place to point at."""

    source: Source
    node: n.Node
    own: bool


Heard: TypeAlias = tuple[str, str, frozenset[str], Spot]
"""A line that listens: the event, the card, what it calls, and where it stands."""


Listening: TypeAlias = tuple[str, frozenset[str]]
"""What matters of a line that listens: the event, and what the line calls."""
Far: TypeAlias = tuple[str, str, n.Span]
"""A line that listens, in a part of the package that is not at hand: its card, its file and the place there."""


def circle(graph: Mapping[str, Set[str]], starts: list[str]) -> list[str] | None:
    """The first circle found from `starts`, as names in order, or None. Iterative: graphs may be deep."""
    done: set[str] = set()
    for start in starts:
        if start in done:
            continue
        path: list[str] = [start]
        on_path = {start}
        todo = [iter(sorted(graph.get(start, ())))]
        while todo:
            nxt = next(todo[-1], None)
            if nxt is None:
                todo.pop()
                node = path.pop()
                on_path.discard(node)
                done.add(node)
            elif nxt in on_path:
                return path[path.index(nxt) :]
            elif nxt not in done:
                path.append(nxt)
                on_path.add(nxt)
                todo.append(iter(sorted(graph.get(nxt, ()))))
    return None


def value_circles(
    graph: dict[str, set[str]],
    closers: dict[tuple[str, str], list[tuple[str, Spot]]],
    spots: dict[str, Spot],
    report: Report,
) -> None:
    """Refuse each circle of values; `closers` names the modifiers behind an edge."""
    graph = {k: set(v) for k, v in graph.items()}
    help = "read a printed field instead, or store one of them in a state first"
    while found := circle(graph, sorted(graph)):
        edges = list(zip(found, [*found[1:], found[0]], strict=True))
        path = " → ".join(f"`{f}`" for f in [*found, found[0]])
        by_edge = [closers[e] for e in edges if closers.get(e)]
        mine = [own for modifiers in by_edge if (own := [c for c in modifiers if c[1].own])]
        # Modifiers of one edge are wrong each for itself, those of several together: the edge with the fewest is told.
        told = min(mine, key=len) if mine else [c for modifiers in by_edge for c in modifiers][-1:]
        others = [modifiers[0] for modifiers in by_edge if modifiers[0] not in told and told[0] not in modifiers]
        labels = [(spot.source, spot.node, f"and with card `{card}`") for card, spot in others]
        for card, spot in told:
            message = f"with card `{card}` these values need each other: {path}"
            alone = f"`{found[0]}(…) += …` begins from what the value is, as `-=` and `*=` do"
            report.add("E401", spot.source, spot.node, message, alone if len(found) == 1 else help, labels)
        if not by_edge:
            spot = spots[found[0]]
            report.add("E401", spot.source, spot.node, f"these values need each other: {path}", help)
        for a, b in edges:
            graph[a].discard(b)


def effect_circles(graph: dict[str, set[str]], spots: dict[str, Spot], report: Report) -> None:
    graph = {k: set(v) for k, v in graph.items()}
    while found := circle(graph, sorted(graph)):
        spot = spots[found[0]]
        path = " → ".join(f"`{f}`" for f in [*found, found[0]])
        help = "use `repeat` or `for each`; only abilities may come back to their event"
        report.add("E402", spot.source, spot.node, f"these effects call each other: {path}", help)
        for a, b in zip(found, [*found[1:], found[0]], strict=True):
            graph[a].discard(b)


def event_circles(
    calls: Mapping[str, Set[str]], heard: list[Heard], far: Mapping[Listening, Sequence[Far]], report: Report
) -> None:
    """Warn of each line whose work raises, through named effects and other lines, the event it listens to."""
    reach: dict[str, set[str]] = {k: set(v) for k, v in calls.items()}
    for event, work in (*((event, work) for event, _, work, _ in heard), *far):
        reach.setdefault(event, set()).update(work)

    @cache
    def reaches(start: frozenset[str], goal: str) -> bool:
        seen: set[str] = set()
        todo = list(start)
        while todo:
            at = todo.pop()
            if at == goal:
                return True
            if at not in seen:
                seen.add(at)
                todo.extend(reach.get(at, ()))
        return False

    def tell(event: str, card: str, spot: Spot) -> None:
        message = f"what card `{card}` does on `{event}` can raise `{event}` again"
        help = "put it under `once per …`; without that, only the limit on depth ends it"
        report.add("W604", spot.source, spot.node, message, help)

    for event, card, work, spot in heard:
        if spot.own and reaches(work, event):
            tell(event, card, spot)
    for (event, work), lines in far.items():
        if reaches(work, event):
            for card, path, span in lines:
                tell(event, card, Spot(Source(path, ""), n.Ident("", span=span), True))


def falls(stmts: tuple[Stmt, ...]) -> bool:
    """Whether control can reach the end of these statements."""
    for s in stmts:
        match s:
            case SFinish() | SStop():
                return False
            case SLoop(None, _, body) | SAlternate(_, _, None, _, body):
                if not stops(body):
                    return False
            case SIf(_, then, other) if other and not falls(then) and not falls(other):
                return False
            case STogether(body) if not falls(body):
                return False
            case SChoose(may=may, alts=alts, other=other) if not any(falls(a.body) for a in alts):
                offered = not may and any(not a.picks and a.when is None for a in alts)
                if offered or (other and not falls(other)):
                    return False
    return True


def stops(stmts: tuple[Stmt, ...]) -> bool:
    """Whether a `stop` in these statements leaves the loop around them."""
    for s in stmts:
        match s:
            case SStop():
                return True
            case SIf(_, then, other) if stops(then) or stops(other):
                return True
            case SFor(body=body) | STogether(body=body) if stops(body):
                return True
            case SChoose(alts=alts, other=other) if stops(other) or any(stops(a.body) for a in alts):
                return True
    return False


_ASK = frozenset({SChoose, SRun, STogetherEach})


def may_ask(stmts: tuple[Stmt, ...], asking: Set[str]) -> bool:
    """Whether these statements may hold a decision; `asking` are the effects that may. A slot may, whatever cards fill
    it."""
    for s in stmts:
        if type(s) is SCall:
            if s.effect in asking:
                return True
        elif type(s) in _ASK or any([may_ask(block, asking) for block in blocks(s)]):
            return True
    return False


def raises(stmts: tuple[Stmt, ...]) -> bool:
    """Whether these statements may raise an event: call an effect, or run a slot, which may."""
    for s in stmts:
        match s:
            case SCall() | SRun():
                return True
            case SIf(_, then, other) if raises(then) or raises(other):
                return True
            case SChoose(alts=alts, other=other) if raises(other) or any(raises(a.body) for a in alts):
                return True
            case (
                SFor(body=body)
                | SRepeat(body=body)
                | STogether(body=body)
                | STogetherEach(body=body)
                | SLoop(body=body)
                | SAlternate(body=body)
            ) if raises(body):
                return True
    return False


def secret_start(
    stmts: tuple[Stmt, ...], who: Var, effects: Bodies, depth: int = 0
) -> str | None:
    """What is wrong with how the body of `together each` begins, or None: after locals, each in turn makes one
    choice."""
    late = "`together each` does not begin with the choice that all make in secret"
    other = f"in `together each` somebody other than `{shown(who)}` may choose"
    for s in stmts:
        match s:
            case SLet():
                continue
            case SChoose(X("var", (var,))) if var == who:
                return None
            case SChoose():
                return other
            case SCall(effect, args) if depth < MOST_CALLS and effect in effects:
                params, body = effects[effect]
                inner = next(
                    (p for p, a in zip(params, args, strict=False) if a.op == "var" and a.args[0] == who), None
                )
                if inner is None:
                    return other if any(isinstance(x, SChoose) for x in body) else late
                found = secret_start(body, inner, effects, depth + 1)
                return other if found is not None and found != late else found
            case _:
                return late
    return late


def shown(var: Var) -> str:
    """The name of a local as its author wrote it."""
    return re.sub(r"_[0-9]+$", "", var.name)
