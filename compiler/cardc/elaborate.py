"""The ground of all elaboration: findings, locals, and bringing an expression to the type that is needed.

Assumes collected symbols. An `X` of type `ErrorT` has its finding already; it fits everywhere, so one mistake is told
once.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from cardc import nodes as n
from cardc.findings import Edit, Fix
from cardc.ir import Place, Var, X, const
from cardc.phrases import say
from cardc.probes import Spot
from cardc.report import Report
from cardc.scope import Scope, bounds, fits
from cardc.source import Source
from cardc.symbols import ANY, BUILT_IN_NAMES, Symbols
from cardc.types import (
    ERROR,
    BoardT,
    BoolT,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    ErrorT,
    IntT,
    ListT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    Type,
    strip,
)

Key = tuple[str, ...]
Origin = tuple[Source, n.Node, str, Type]
"""Why a type is needed: the declaration that says so, the name that it declares, and its type."""
MOST_FORMS = 8
MAY_BE_NONE = "test it first, `if … is not none { … }` or `… is not none and …`, or go through it: `for each`"


class Uses(Struct):
    """What code reads, sets and calls: keys such as `("player", "damage")`, `("value", "power")`.

    `chances` has the type of what is drawn under each name (`let offer = random from …`)."""

    reads: set[Key] = field(default_factory=set)
    writes: set[Key] = field(default_factory=set)
    chances: dict[str, Type] = field(default_factory=dict)


class Site(Struct):
    """Where code stands: what it may do. `fixed`: it is settled before a match begins, and reads nothing of one.
    `spot`: its clauses have probes."""

    words: str
    test: bool = False
    deck: bool = False
    fixed: bool = False
    spot: Spot | None = None


class Elaborator:
    """What the elaboration of one declaration knows. `site` says where the code stands."""

    def __init__(self, symbols: Symbols, report: Report, source: Source, uses: Uses, site: Site) -> None:
        self.s = symbols
        self.report = report
        self.source = source
        self.uses = uses
        self.site = site
        self.counter = 0
        self.used: set[str] = set()
        self.params: set[str] = set()
        self.chance: str | None = None
        """What a chance drawn here is named after; None where chance has no place."""
        self.bound: dict[str, n.Ident] = {}
        """Where locals are declared, by the names of their variables."""
        self.origin: Origin | None = None
        """Why a type is needed, for what is being brought to it."""
        self.lost = False
        """Whether a move or a condition has a finding: what is known from there on follows from what is mended, so that
        nothing is told of what is not."""

    # ---- Findings

    def err(
        self,
        code: str,
        node: n.Node,
        message: str,
        help: str | None = None,
        labels: Iterable[tuple[Source, n.Node, str]] = (),
        fix: Fix | None = None,
    ) -> X:
        if code not in ("E203", "E205") or not self.lost:
            self.report.add(code, self.source, node, message, help, labels, fix)
        return X("error", (), ERROR, node.span)

    def unknown(self, code: str, node: n.Node, name: str, message: str, help: str | None = None) -> X:
        self.report.unknown(code, self.source, node, name, message, help)
        return X("error", (), ERROR, node.span)

    def say(self, t: Type) -> str:
        """The type in the words of the game."""
        return say(t, self.s)

    def wanted(self, node: n.Node, x: X, need: str, help: str | None = None) -> X:
        """The finding that `x` is not what is needed."""
        if isinstance(x.t, ErrorT):
            return x
        if isinstance(x.t, OptT | NoneT):
            return self.none_here(node, x, need)
        message = f"this is {self.say(x.t)}, but {need} is needed"
        if x.op == "owner":  # that every card has one follows from what no code does
            self.report.add_late("E201", self.source, node, message, help)
            return X("error", (), ERROR, node.span)
        return self.err("E201", node, message, help)

    def none_here(self, node: n.Node, x: X, need: str) -> X:
        if isinstance(x.t, NoneT):
            help = "only a type with `?` has none"
            return self.err("E201", node, f"this is none, but {need} is needed", help, self.needed_by())
        message = f"this is {self.say(x.t)}, which may be none, but {need} is needed"
        return self.err("E203", node, message, untested(x), self.needed_by())

    def line(self, node: n.Node) -> int:
        return self.source.line(node.span[0])

    def tested(self, clause: n.Node, condition: X) -> X:
        """The condition of a clause of a card, with its probe where it has one."""
        return condition if self.site.spot is None else self.site.spot.tested(clause, condition)

    # ---- Locals

    def fresh(self, name: str, t: Type) -> Var:
        """A local of its own; no parameter has its name."""
        self.counter += 1
        while f"{name}_{self.counter}" in self.params:
            self.counter += 1
        return Var(f"{name}_{self.counter}", t)

    def local(self, ident: n.Ident, t: Type, sc: Scope) -> tuple[Var, Scope]:
        """Bind a new local; nothing in scope may have its name."""
        name = ident.text
        if name in BUILT_IN_NAMES:
            self.err("E103", ident, f"`{name}` is a built-in name", "choose another name")
            return self.fresh(name, t), sc
        if first := self.s.hidden(name, self.source):
            self.err(
                "E104", ident, f"local `{name}` hides another name", "choose another name",
                [(first.source, first.ident, "this one")],
            )  # fmt: skip
        elif name in sc.vars:
            outer = self.bound.get(sc.vars[name].name)
            labels = [] if outer is None else [(self.source, outer, "this one")]
            self.err("E104", ident, f"local `{name}` hides another local", "choose another name", labels)
        var = self.fresh(name, t)
        self.bound[var.name] = ident
        return var, sc.bind(name, var)

    def unused(self, ident: n.Ident, var: Var, what: str) -> None:
        if var.name not in self.used and not ident.text.startswith("_"):
            help = "remove it, or begin its name with `_`"
            at = ident.span[0]
            fix = Fix(f"call it `_{ident.text}`", (Edit(self.source, at, at, "_"),))
            self.report.add("W601", self.source, ident, f"{what} `{ident.text}` is not used", help, fix=fix)

    # ---- Types

    def coerce(self, x: X, want: Type, node: n.Node) -> X:
        """`x` where a `want` is needed."""
        s = self.s
        if x.t == want:
            return x
        if type(x.t) is IntT and type(want) is IntT:
            return self.saturated(x, want, node)
        if type(x.t) is BoardT and type(want) is not BoardT:
            x = self.as_list(x) or x
        if fits(x.t, want, s):
            inner = strip(want)
            if type(inner) is IntT and type(x.t) is IntT:
                return self.saturated(x, inner, node)
            if type(inner) is SetT and type(x.t) is EmptyT:
                return const(0, inner, x.span)
            return x
        if isinstance(x.t, OptT | NoneT) and not isinstance(want, OptT):
            return self.none_here(node, x, self.say(want))
        if isinstance(x.t, CardT) and isinstance(want, CardT) and s.is_kind(x.t.kind, want.kind):
            if self.site.test and want.where is not None:
                return self.lying(x, want.where)
            return self.err(
                "E205", node, f"it is not known that this card lies in `{want.where}`",
                f"test it: `if … is in {want.where} {{ … }}`, or read what is needed before it may move",
                self.needed_by(),
            )  # fmt: skip
        help = None
        if isinstance(x.t, CardT) and isinstance(want, CardT) and s.is_kind(want.kind, x.t.kind):
            help = f"test it first: `if … is {want.kind} {{ … }}`"
        if isinstance(x.t, PrintedT) and isinstance(want.item if isinstance(want, OptT) else want, CardT):
            help = "name one: `let c = new …`" if self.site.test else "`copy … to …` makes cards that are in the match"
        if isinstance(x.t, EnumT) and isinstance(want, IntT):
            numbers = [name for name, t in s.enums[x.t.name].columns.items() if isinstance(t, IntT)]
            help = f"words have no order, but a column of numbers: `….{numbers[0]}`" if numbers else (
                f"words have no order: give them a column of numbers, `enum {x.t.name} (NAME: int) {{ … }}`"
            )
        message = f"this is {self.say(x.t)}, but {self.say(want)} is needed"
        return self.err("E201", node, message, help or advice(x.t, want), self.needed_by())

    def needed_by(self) -> tuple[tuple[Source, n.Node, str], ...]:
        """Why the type is needed, as a label."""
        return () if self.origin is None else (self.label_of(self.origin),)

    def label_of(self, origin: Origin) -> tuple[Source, n.Node, str]:
        source, node, name, t = origin
        return source, node, f"`{name}` is {self.say(t)}"

    def lying(self, x: X, where: str) -> X:
        """A card of a test, which knows where it has put it; if it lies elsewhere, the test fails."""
        assert isinstance(x.t, CardT)
        return X("lying", (x, *self.place_range(where), where), replace(x.t, where=where), x.span)

    def place_range(self, where: str) -> tuple[int, int]:
        """The place ids of a zone or a board: from, and up to but not including."""
        s = self.s
        if where in s.boards:
            return s.boards[where].low, s.boards[where].high
        z = s.zones[where].place
        return z.first, z.first + (2 if z.each else 1)

    def saturated(self, x: X, want: IntT, node: n.Node) -> X:
        """`x` brought into the range of `want`, where it might leave it. A constant outside is a mistake."""
        if not isinstance(x.t, IntT) or (x.t.low, x.t.high) == (want.low, want.high):
            return x
        low, high = bounds(x.t, self.s)
        wlow, whigh = bounds(want, self.s)
        if x.op == "const" and low is not None and not self.site.test:
            below = wlow is not None and low < wlow
            if below or (whigh is not None and low > whigh):
                return self.err("E303", node, f"{low} is outside {self.say(want)}", None, self.needed_by())
        below = low is None or wlow is None or low < wlow or type(want.low) is str
        above = high is None or whigh is None or high > whigh or type(want.high) is str
        clip_low = want.low if below else None
        clip_high = want.high if above else None
        if clip_low is None and clip_high is None:
            return x
        return X("clamp", (x, clip_low, clip_high), want, x.span)

    # ---- Lists

    def item(self, t: Type) -> Type:
        match t:
            case ListT(item) | OptT(item):
                return item
            case BoardT(name):
                return ElementT(name)
        return ERROR

    def as_list(self, x: X) -> X | None:
        """`x` as a list, or None if it is no collection."""
        match x.t:
            case ListT() | EmptyT():
                return x
            case OptT(item):
                return X(
                    "place" if x.op == "one" else "optlist", x.args if x.op == "one" else (x,), ListT(item), x.span
                )
            case BoardT(name) if self.s.boards[name].grid is not None:
                return X("spaces", (name,), ListT(ElementT(name)), x.span)
            case BoardT(name):
                return X("elements", (name, self.s.boards[name].count), ListT(ElementT(name)), x.span)
        return None

    def as_collection(self, x: X, node: n.Node) -> X:
        """`x` as something to go through."""
        if isinstance(x.t, ErrorT):
            return x
        items = self.as_list(x)
        if items is None:
            help = "`has` tells whether a member is in a set" if isinstance(x.t, SetT) else None
            if isinstance(x.t, CardT | PlayerT | ElementT):
                help = "it is one, and is there for certain: use it as it is, or as a list, `[…]`"
            return self.wanted(node, x, "a list, a zone or a board", help)
        if isinstance(items.t, EmptyT):
            return self.err("E209", node, "this list is always empty", "remove it, and what goes through it")
        return items

    def most(self, x: X) -> int | None:
        """The greatest length of a list, where places and boards bound it."""
        s = self.s
        match x.op, x.args:
            case (("players" | "players_from"), _):
                return 2
            case "elements", (_, int(count)):
                return count
            case "spaces", (str(board),):
                return s.boards[board].count
            case (("near", _) | ("grid", ("corners", _))):
                return 4
            case "grid", (str(name), str(board)):
                width, height, _, either = s.boards[board].grid or (0, 0, False, False)
                if name == "adjacent":
                    return s.boards[board].count
                return max(width, height) if either else height if name == "rows" else width
            case "forms", _:
                return MOST_FORMS
            case (("place" | "one"), (Place(owner, part),)):
                limit = s.place(owner, part).most
                return s.option_bound(limit, True) if isinstance(limit, str) else limit
            case (("parts" | "parts_of"), (str(board), str(part), element)):
                place = s.boards[board].parts[part]
                limit = s.option_bound(place.most, True) if isinstance(place.most, str) else place.most
                seats = 2 if place.each and x.op == "parts" else 1
                places = s.boards[board].count if x.op == "parts_of" or element is None else 1
                return None if limit is None else limit * seats * places
            case "optlist", _:
                return 1
            case "list", (tuple(items),):
                return len(items)
            case "filter", (X() as inner, *_):
                return self.most(inner)
            case "comp", (_, _, X() as inner, _):
                return self.most(inner)
        return None

    def kind_words(self, kind: str) -> str:
        return "a card" if kind == ANY else f"`{kind}`"

    # ---- What the next layers add

    def expr(self, e: n.Expr, sc: Scope, want: Type | None = None) -> X:
        raise NotImplementedError

    def need(self, e: n.Expr, sc: Scope, want: Type, origin: Origin | None = None) -> X:
        """Elaborate `e` where a `want` is needed; `origin` says why."""
        x = self.expr(e, sc, want)
        kept, self.origin = self.origin, origin
        try:
            return self.coerce(x, want, e)
        finally:
            self.origin = kept

    def collection(self, e: n.Expr, sc: Scope) -> X:
        """Elaborate `e` where something to go through is needed."""
        return self.as_collection(self.expr(e, sc), e)


def untested(x: X) -> str:
    """What to do about something that may be none."""
    if isinstance(x.t, OptT) and isinstance(x.t.item, PlayerT):
        v = x.args[0] if x.op == "var" else None
        if x.op == "owner" or (isinstance(v, Var) and v.name == "you"):
            return "a card that was in no place of a player yet has no owner: test it, `if … is player { … }`"
    return MAY_BE_NONE


def advice(have: Type, want: Type) -> str | None:
    """How a value of one type becomes one of another, where there is a plain way."""
    match have, want:
        case IntT(), BoolT():
            return "compare it, as in `… > 0`"
        case BoolT(), IntT():
            return "write `if … then 1 else 0`"
        case IntT(), PlayerT():
            return "players are `players[0]` and `players[1]`"
        case CardT(), PlayerT():
            return "`.owner` is the player whose card it is"
        case ListT(IntT()), IntT():
            return "`sum(… for x in …)` adds them up; `any(x in … where …)` compares each of them"
        case ListT(), IntT():
            return "`count(…)` says how many there are"
        case ListT() | BoardT(), BoolT():
            return "write `… is not empty`"
        case ListT(), EnumT() | OptT():
            return "take one: `the x in …` is the first, or none"
        case ListT(), CardT() | PlayerT() | ElementT():
            return "take one: `the x in … where …` is the first, or none"
        case CardT() | PlayerT() | ElementT() | EnumT(), ListT() | SetT():
            return "write it in brackets: `[…]`"
    return None
