"""The options of a choice as list comprehensions, for the step form; `scans` lists them for the direct form.

An option is one answer to all picks. A condition that reads one pick only filters that pick's domain once, before the
product is formed; so a choice of a card and a lane tests each lane once, not once a card.
"""

from __future__ import annotations

from cardc.emit.expressions import Writer, through
from cardc.ir import CAlt, CPick, Place, Var, X
from cardc.searches import mentions
from cardc.symbols import Symbols
from cardc.types import BOOL

COMPUTED = frozenset({"value", "comp", "filter", "concat", "grid", "near", "spaces"})
"""Sources that are worth computing once, not once an option of the picks before."""


class Options:
    def __init__(self, s: Symbols, writer: Writer) -> None:
        self.s = s
        self.w = writer

    def split(self, pick: CPick, earlier: list[Var]) -> tuple[X | None, X | None]:
        """The condition's part that sees no earlier pick, and the rest."""
        if pick.where is None:
            return None, None
        alone: list[X] = []
        rest: list[X] = []
        for c in self.w.flat(pick.where, "and"):
            (rest if any(mentions(c, v) for v in earlier) else alone).append(c)
        # what follows a test may rest on it: keep the order, and move nothing in front of what it needs
        if rest and alone and pick.where is not None:
            first_rest = min(self.w.flat(pick.where, "and").index(c) for c in rest)
            flat = self.w.flat(pick.where, "and")
            alone, rest = flat[:first_rest], flat[first_rest:]
        return _all(alone), _all(rest)

    def loops(self, alt: CAlt, assigned: list[tuple[str, str]], prefix: str) -> tuple[str, list[Var]]:
        """The `for … if …` part of the comprehension; lists worth computing once go to `assigned`."""
        w = self.w
        text: list[str] = []
        earlier: list[Var] = []
        for j, pick in enumerate(alt.picks):
            depends = any(mentions(pick.source, v) for v in earlier)
            alone, rest = self.split(pick, earlier)
            if pick.maybe:
                text.append(self.maybe(pick))
                earlier.append(pick.var)
                continue
            src, kinds = self.domain(pick)
            if j > 0 and not depends and (alone is not None or pick.source.op in COMPUTED):
                listed = f"{prefix}_{j}"
                if alone is not None or kinds:
                    src = self.filtered(pick, src, kinds, alone)
                assigned.append((listed, src))
                src, kinds, alone = listed, [], None
            name = w.bind(pick.var)
            conds = kinds + [w.x(c) for c in (alone, rest) if c is not None]
            text.append(through(name, src) + (" if " + " and ".join(conds) if conds else ""))
            earlier.append(pick.var)
        return " ".join(text), earlier

    def domain(self, pick: CPick) -> tuple[str, list[str]]:
        """What a pick goes through, and the test of its kind, which stands before other conditions."""
        w, source = self.w, pick.source
        if source.op != "filter" or pick.maybe:
            return w.x(source), []
        inner, kinds, cards = source.args
        assert isinstance(inner, X)
        name = w.bind(pick.var)
        w.release(pick.var)
        return w.sub(inner), [w.kind_test(f"m.K[m.d[{name}]]" if cards else f"m.K[{name}]", kinds)]

    def filtered(self, pick: CPick, src: str, kinds: list[str], where: X | None) -> str:
        w = self.w
        name = w.bind(pick.var)
        conds = kinds + ([w.x(where)] if where is not None else [])
        w.release(pick.var)
        return f"[{name} {through(name, src)} if {' and '.join(conds)}]"

    def maybe(self, pick: CPick) -> str:
        w = self.w
        if pick.type == BOOL:
            if pick.where is None:
                name = w.bind(pick.var)
                return f"for {name} in (False, True)"
            cond = w.x(pick.where)
            name = w.bind(pick.var)
            return f"for {name} in ((False, True) if {cond} else (False,))"
        src = w.x(pick.source)
        name = w.bind(pick.var)
        cond = f" if {w.x(pick.where)}" if pick.where is not None else ""
        return f"for {name} in (None, *[{name} {through(name, src)}{cond}])"

    def one(self, alt: CAlt, assigned: list[tuple[str, str]], prefix: str, head: str) -> str:
        """The list of an alternative's options; each is a tuple that begins with `head`, or bare where there is
        none."""
        w = self.w
        if not head and len(alt.picks) == 1 and alt.picks[0].where is None and not alt.picks[0].maybe:
            return w.x(alt.picks[0].source)
        loops, bound = self.loops(alt, assigned, prefix)
        names = [w.var(v) for v in bound]
        w.release(*bound)
        if head:
            item = f"({head}, " + "".join(f"{x}, " for x in names) + ")"
        else:
            item = names[0] if len(names) == 1 else f"({', '.join(names)})"
        return f"[{item} {loops}]"

    def short(self, alt: CAlt, prefix: str) -> str | None:
        """The options where no list need be made: all of a collection, or the one card of a place for one."""
        w, pick = self.w, alt.picks[0]
        if len(alt.picks) > 1 or pick.maybe:
            return None
        if pick.where is None:
            return w.x(pick.source)
        place = pick.source.args[0] if pick.source.op == "place" else None
        if not isinstance(place, Place) or self.s.place(place.owner, place.part).most != 1:
            return None
        source, here = w.x(pick.source), f"{prefix}_z"
        name = w.bind(pick.var)
        cond = w.x(pick.where)
        w.release(pick.var)
        return f"({here} if ({here} := {source}) and ({name} := {here}[0]) is not None and {cond} else ())"

    def stepped(self, alts: tuple[CAlt, ...], k: int) -> tuple[list[tuple[str, str]], str]:
        """Assignments, and the expression of the whole list of `(alternative, pick, …)`."""
        assigned: list[tuple[str, str]] = []
        terms: list[str] = []
        for i, alt in enumerate(alts):
            when = self.w.x(alt.when) if alt.when is not None else None
            if not alt.picks:
                terms.append(f"([({i},)] if {when} else [])" if when else f"[({i},)]")
                continue
            pre: list[tuple[str, str]] = []
            listed = self.one(alt, pre, f"o_{k}_{i}", repr(i))
            if when:
                pre = [(n, f"{t} if {when} else []") for n, t in pre]
                listed = f"({listed} if {when} else [])"
            assigned.extend(pre)
            terms.append(listed)
        return assigned, " + ".join(terms)


def _all(conds: list[X]) -> X | None:
    if not conds:
        return None
    out = conds[0]
    for c in conds[1:]:
        out = X("and", (out, c), BOOL)
    return out
