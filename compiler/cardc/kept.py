"""What is kept while somebody chooses, and depends on what not all players see: a search through elaborated bodies.

A match that is drawn anew for a player has other hidden cards; what its rules had read of the cards before, and still
go by, is the old. Nothing is wrong with the match itself, so this is a warning. Kept are locals, the lists that loops
go through, counts of `repeat`, and arguments, where they are read after somebody may have been asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct
from msgspec.structs import astuple

from cardc import nodes as n
from cardc.choices import Origin
from cardc.graphs import Bodies, may_ask
from cardc.ir import SCall, SFor, SIf, SLet, SRepeat, Stmt, STogether, STogetherEach, Var, X
from cardc.report import Report
from cardc.searches import blocks, parts
from cardc.sight import Known, Sight
from cardc.source import Source


class Kept(Struct, frozen=True):
    """A body to be searched; `origins` of its locals."""

    source: Source
    stmts: tuple[Stmt, ...]
    origins: Mapping[str, Origin]


class Keeping:
    """Searches bodies; `bodies` are those of effects, `asking` the effects that may ask."""

    def __init__(self, sight: Sight, bodies: Bodies, asking: Set[str], report: Report) -> None:
        self.sight, self.bodies, self.asking, self.report = sight, bodies, asking, report
        self.params: dict[str, frozenset[int]] = {}

    def search(self, kept: Kept) -> None:
        self.kept = kept
        self.block(kept.stmts)

    # ---- What is read after a question

    def late(self, stmts: Iterable[Stmt]) -> set[str]:
        """The locals that are read where somebody may have been asked since the first of these statements."""
        found: set[str] = set()
        asked = False
        for s in stmts:
            found |= names(s) if asked else self.late_in(s)
            asked = asked or may_ask((s,), self.asking)
        return found

    def late_in(self, s: Stmt) -> set[str]:
        if not may_ask((s,), self.asking):
            return set()
        match s:
            case SIf(_, then, other):
                return self.late(then) | self.late(other)
            case SCall(effect, args):
                kept = self.kept_params(effect)
                return set().union(*(names(a) for i, a in enumerate(args) if i in kept))
            case SFor(body=body) | SRepeat(body=body) | STogether(body=body) | STogetherEach(body=body):
                return names(body)
        return names(s)

    def kept_params(self, effect: str) -> frozenset[int]:
        """Which parameters of an effect are read after it may have asked."""
        if effect not in self.params:
            self.params[effect] = frozenset()  # effects that call each other in a circle have their finding
            params, stmts = self.bodies[effect]
            late = self.late(stmts)
            self.params[effect] = frozenset(i for i, p in enumerate(params) if p.name in late)
        return self.params[effect]

    # ---- What is kept

    def block(self, stmts: tuple[Stmt, ...]) -> None:
        if not may_ask(stmts, self.asking):
            return
        for i, s in enumerate(stmts):
            if type(s) is SLet and (found := self.hidden(s.value)) and s.var.name in self.late(stmts[i + 1 :]):
                self.tell(s.value, f"`{s.var.name.rsplit('_', 1)[0]}`", found)
            if may_ask((s,), self.asking):
                self.asks(s)
            for inner in blocks(s):
                self.block(inner)

    def asks(self, s: Stmt) -> None:
        """A statement that may ask, and what it goes by itself."""
        match s:
            case SFor(var, source, where, by):
                at = self.known(source)
                inside = at.bind(var, self.sight.level(source, at), self.sight.mine(source, at))
                for x in (source, where, by):
                    if x is not None and (found := self.sight.read(x, at if x is source else inside)):
                        self.tell(x, "what this loop goes through", found)
                        break
            case SRepeat(count) if found := self.hidden(count):
                self.tell(count, "how often this goes round", found)
            case SCall(effect, args):
                for i in sorted(self.kept_params(effect)):
                    if found := self.hidden(args[i]):
                        self.tell(args[i], "this argument", found)

    def known(self, x: X) -> Known:
        """What all players know: nothing is anybody's own, what was shown was shown to all."""
        return Known(shown=self.shown(x), origins=self.kept.origins)

    def shown(self, x: X) -> frozenset[tuple[tuple[object, ...], tuple[object, ...] | None]]:
        return next((o.shown for o in self.kept.origins.values() if o.x is x), frozenset())

    def hidden(self, x: X) -> str | None:
        return self.sight.read(x, self.known(x))

    def tell(self, x: X, what: str, found: str) -> None:
        message = f"{what} depends on {found} that not all players see, and is kept while somebody chooses"
        help = "read it after the choice, or in it, or reveal it right before; a match that is drawn anew keeps the old"
        self.report.add("W608", self.kept.source, n.Name("", span=x.span), message, help)


def names(root: object) -> set[str]:
    """The locals that are read anywhere in statements or expressions."""
    found: set[str] = set()
    todo = [root]
    while todo:
        top = todo.pop()
        if isinstance(top, X):
            found.update(p.args[0].name for p in parts(top) if p.op == "var" and isinstance(p.args[0], Var))
        elif isinstance(top, tuple):
            todo.extend(top)
        elif isinstance(top, Struct):
            todo.extend(astuple(top))
    return found
