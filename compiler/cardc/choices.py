"""Choices: who chooses, what there is to pick, and what the options tell their chooser.

What the options tell (`cardc.sight`) can be judged only when all values and cards are elaborated: here it is noted.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from cardc import nodes as n
from cardc.ir import CAlt, CPick, SChoose, Stmt, Var, X, const
from cardc.moving import Moving
from cardc.phrases import a
from cardc.report import near, there_are
from cardc.scope import Scope, bounds, fits
from cardc.searches import Key
from cardc.source import Source
from cardc.types import (
    BOOL,
    ERROR,
    INT,
    PLAYER,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    ErrorT,
    FormT,
    IntT,
    ListT,
    PrintedT,
    SetT,
    Type,
    optional,
    unplaced,
)

MOST_OPTIONS = 4096
DECLINING = "nothing"


Shown = frozenset[tuple[Key, Key | None]]


class Origin(Struct, frozen=True):
    """What a local was made of, and what had been shown then (`cardc.scope`); `one_of`: it is one of that list."""

    x: X
    shown: Shown
    one_of: bool = False


class Told(Struct, frozen=True):
    """Something that decides which options there are: what was picked before it, the chooser, and the locals around."""

    source: Source
    node: n.Node
    chooser: X
    picks: tuple[CPick, ...]
    x: X
    kind: str
    """`source` (what is picked from), `kind`, `where` or `when`."""
    shown: Shown = frozenset()
    origins: Mapping[str, Origin] = field(default_factory=dict)
    unit: str = ""
    """The code in which this stands."""


class Given(Struct, frozen=True):
    """What an effect is given where it is called: with what was shown, and the locals around. `unit`: see `Told`."""

    source: Source
    effect: str
    args: tuple[X, ...]
    shown: Shown
    origins: Mapping[str, Origin]
    unit: str


class Choices(Moving):
    unit: str = ""
    """The name of the code in the emitted module."""
    asks = False
    site_count = 0
    secret = False
    """Whether a choice here may be one of a `together each`: what its options were made of may be changed, by others
    who chose with it, before its block runs."""
    sites: list[SChoose]
    told: list[Told]
    origins: dict[str, Origin]

    def block(self, b: n.Block, sc: Scope) -> tuple[tuple[Stmt, ...], Scope]:
        raise NotImplementedError

    def site_of(self, who: X, may: bool, alts: tuple[CAlt, ...], other: tuple[Stmt, ...], line: int) -> SChoose:
        self.site_count += 1
        choice = SChoose(who, may, alts, other, f"{self.unit}·{self.site_count}", line)
        self.sites.append(choice)
        return choice

    # ---- Alternatives

    def alternatives(self, alts: tuple[n.Alternative, ...], who: X, sc: Scope) -> tuple[CAlt, ...]:
        seen: dict[str, n.Ident] = {}
        out = []
        for alt in alts:
            if alt.verb.text == DECLINING:
                self.err("E103", alt.verb, f"`{DECLINING}` is what declines a choice", "choose another verb")
            if alt.verb.text in seen:
                self.err(
                    "E408", alt.verb, f"two alternatives are called `{alt.verb.text}`",
                    "an alternative is known by its verb",
                    [(self.source, seen[alt.verb.text], "the other one")],
                )  # fmt: skip
            seen.setdefault(alt.verb.text, alt.verb)
            out.append(self.alternative(alt, who, sc))
        return tuple(out)

    def alternative(self, a: n.Alternative, who: X, sc: Scope) -> CAlt:
        when, inner, _ = self.cond(a.when, sc) if a.when is not None else (None, sc, sc)
        if when is not None and a.when is not None:
            self.tells(a.when, who, (), when, "when", sc)
        picks: list[CPick] = []
        named: list[tuple[n.Ident, Var]] = []
        size = 1
        for p in a.picks:
            pick, inner, count = self.pick(p, who, inner, tuple(picks))
            if pick is not None:
                picks.append(pick)
                named.append((p.name, pick.var))
                size *= max(count, 1)
        if size > MOST_OPTIONS:
            message = f"this alternative can have {size} options; the most is {MOST_OPTIONS}"
            self.err("E406", a.verb, message, "narrow a range, or ask in two choices")
        body, _ = self.block(a.body, inner.forget_tests() if self.secret else inner)
        for ident, var in named:
            self.unused(ident, var, "pick")
        label = a.label.value if a.label else None
        when = None if when is None else self.tested(a, when)
        return CAlt(a.verb.text, tuple(picks), label, when, body, self.line(a))

    def tells(self, node: n.Node, who: X, picks: tuple[CPick, ...], x: X, kind: str, sc: Scope) -> None:
        if not isinstance(who.t, ErrorT) and not isinstance(x.t, ErrorT):
            self.told.append(Told(self.source, node, who, picks, x, kind, sc.shown, self.origins, self.unit))

    # ---- Picks

    def pick(self, p: n.Pick, who: X, sc: Scope, before: tuple[CPick, ...]) -> tuple[CPick | None, Scope, int]:
        """One pick, the scope in which later picks and the block see it, and how much there is to pick where that is
        known."""
        found = self.domain(p, sc)
        if found is None:
            v, sc = self.local(p.name, ERROR, sc)
            self.used.add(v.name)
            if p.where is not None:
                self.cond(p.where, sc)
            return None, sc, 1
        domain, t, count = found
        shown = optional(t) if p.maybe and p.type is not None else t
        var, after = self.local(p.name, shown, sc)
        inner = after if shown == t else after.know(n.Name(p.name.text), t)
        where = None
        if p.where is not None:
            where, inner, _ = self.cond(p.where, inner)
            if isinstance(where.t, ErrorT):
                where = None
        pick = CPick(var, domain, True, None, where, p.maybe, shown)
        self.options(p, who, before, pick, sc)
        self.origins[var.name] = Origin(domain, sc.shown, one_of=True)
        if where is not None:
            pick = replace(pick, where=self.tested(p, where))
        return pick, inner if shown == t else after, count

    def options(self, p: n.Pick, who: X, before: tuple[CPick, ...], pick: CPick, sc: Scope) -> None:
        """Note what decides over the options: the list, the condition, and the kind where several kinds lie there."""
        source = pick.source
        if source.op == "filter":
            unfiltered, kinds, cards = source.args
            assert isinstance(unfiltered, X)
            source = unfiltered
            card = X("var", (pick.var,), pick.var.type, p.span)
            kind = X("iskind", (card, kinds, cards, False), BOOL, p.span)
            seen = kind if pick.where is None else X("and", (pick.where, kind), BOOL, p.span)
            self.tells(p, who, (*before, replace(pick, source=source, where=None)), seen, "kind", sc)
        if p.source is not None:
            self.tells(p.source, who, before, source, "source", sc)
        elif source.op == "range" and p.type is not None:
            self.tells(p.type, who, before, source, "source", sc)
        if p.where is not None and pick.where is not None:
            self.tells(p.where, who, (*before, replace(pick, source=source, where=None)), pick.where, "where", sc)

    def domain(self, p: n.Pick, sc: Scope) -> tuple[X, Type, int] | None:
        """What is picked from as a list, the type of one of it, and how many there are at most (1 if that is not
        known); None after a finding."""
        words = None  # what a list of words written out is to be
        if isinstance(p.source, n.ListLit) and isinstance(p.type, n.NamedType) and p.type.name.text in self.s.enums:
            words = ListT(EnumT(p.type.name.text))
        source = None if p.source is None else self.pickable(p.source, sc, words)
        if source is not None and isinstance(source.t, ErrorT):
            if isinstance(p.type, n.NamedType):
                self.choosable(p.type.name)
            return None
        match p.type:
            case None:
                both = X("list", ((const(False, BOOL), const(True, BOOL)),), ListT(BOOL))
                return both, BOOL, 2
            case n.RangeType(low, high):
                if p.source is not None:
                    self.err("E204", p.source, "a number is picked from its range", "leave out `in …`, or use `where`")
                    return None
                return self.range_domain(p, p.type, low, high, sc)
            case n.NamedType(name):
                return self.named_domain(p, name, source)
        raise AssertionError(p)

    def pickable(self, e: n.Expr, sc: Scope, want: Type | None) -> X:
        x = self.expr(e, sc, want)
        if isinstance(x.t, ErrorT | SetT):
            return x
        if isinstance(x.t, EmptyT):
            message = "this list is always empty, so nothing can be chosen from it"
            return self.err("E405", e, message, "name what to choose from")
        return self.as_list(x) or self.wanted(e, x, "a list, a zone, a board or a set")

    def range_domain(
        self, p: n.Pick, t: n.RangeType, low: n.Expr, high: n.Expr | None, sc: Scope
    ) -> tuple[X, Type, int] | None:
        if high is None:
            self.err("E406", t, "a choice of a number needs an upper bound")
            return None
        lo, hi = self.need(low, sc, INT), self.need(high, sc, INT)
        if isinstance(lo.t, ErrorT) or isinstance(hi.t, ErrorT):
            return None
        least, _ = bounds(lo.t, self.s)
        _, most = bounds(hi.t, self.s)
        if least is None or most is None:
            self.err("E406", t, "the range of this choice has no bound", "bound it by a number, or by what has a range")
            return None
        if least > most:
            self.err("E405", t, "this range is empty, so there is nothing to choose", "the lower bound comes first")
            return None
        number = IntT(least, most)
        return X("range", (lo, hi), ListT(number), p.span), number, most - least + 1

    def named_domain(self, p: n.Pick, name: n.Ident, source: X | None) -> tuple[X, Type, int] | None:
        s, text = self.s, name.text
        if text in s.named_enums():
            return self.member_domain(p, text, source)
        if text == "player":
            if source is None:
                source = X("players", (), ListT(PLAYER))
            return self.listed(p, source, PLAYER, text)
        if text in s.forms:
            return self.missing(p, text) if source is None else self.listed(p, source, FormT(text), text)
        if text in s.elements:
            element = ElementT(s.elements[text])
            if source is None:
                return self.missing(p, text)
            return self.listed(p, source, element, text)
        if not self.choosable(name):
            return None
        if source is None:
            return self.missing(p, text)
        return self.card_domain(p, text, source)

    def choosable(self, name: n.Ident) -> bool:
        """Whether this is a type of what can be chosen; else it has a finding."""
        known = [*self.s.kinds, *self.s.named_enums(), *self.s.forms, *self.s.elements, "player"]
        if name.text in known:
            return True
        help = near(name.text, known) or there_are(known)
        if name.text in self.s.cards:
            help = f"write `… : {self.s.cards[name.text].kind} in … where … is {name.text}`"
        if name.text in ("int", "bool"):
            help = "write a range, as in `n: 0..4`" if name.text == "int" else "write `maybe` and a name"
        self.unknown("E101", name, name.text, f"`{name.text}` is nothing that can be chosen", help)
        return False

    def missing(self, p: n.Pick, text: str) -> tuple[X, Type, int] | None:
        self.err("E201", p, f"it is not said from what {a(text)} is chosen", f"write `{p.name.text}: {text} in …`")
        return None

    def member_domain(self, p: n.Pick, enum: str, source: X | None) -> tuple[X, Type, int] | None:
        t = EnumT(enum)
        self.uses.reads.add(("enum", enum))
        members = len(self.s.enums[enum].members)
        if members == 0 and not self.s.enums[enum].open:
            return None  # the enum has its finding
        if source is None or source.t == SetT(t):
            return X("members", (enum, source), ListT(t), p.span), t, members
        return self.listed(p, source, t, enum)

    def no_choice(self, p: n.Pick, source: X, word: str) -> None:
        """The finding that nothing of this type can be chosen from such a list."""
        item = self.say(unplaced(self.item(source.t)))
        help = f"write `{p.name.text}: {item[1:-1]} in …`" if item[:1] == item[-1:] == "`" else None
        message = f"this is {self.say(source.t)}, so no `{word}` can be chosen from it"
        self.err("E405", p.source or p, message, help)

    def listed(self, p: n.Pick, source: X, t: Type, word: str) -> tuple[X, Type, int] | None:
        """A pick from a list of what is no card."""
        item = self.item(source.t)
        if isinstance(source.t, SetT) or not fits(item, t, self.s) or isinstance(item, CardT):
            self.no_choice(p, source, word)
            return None
        return source, t, self.most(source) or 1

    def card_domain(self, p: n.Pick, kind: str, source: X) -> tuple[X, Type, int] | None:
        s = self.s
        item = self.item(source.t)
        if not isinstance(item, CardT | PrintedT):
            self.no_choice(p, source, kind)
            return None
        if item.kind in s.kinds and s.is_kind(item.kind, kind):
            return source, item, self.most(source) or 1
        if not s.is_kind(kind, item.kind):
            self.no_choice(p, source, kind)
            return None
        t = replace(item, kind=kind)
        kinds = tuple(k.index for k in s.leaves(kind))
        filtered = X("filter", (source, kinds, isinstance(item, CardT)), ListT(t), p.span)
        return filtered, t, self.most(source) or 1
