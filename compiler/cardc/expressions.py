"""Checks expressions and elaborates them into `cardc.ir.X`.

Assumes collected symbols. Establishes: every name resolved, every type known, optionals tested, places known where they
are read, enum members found by the expected type. Illegal from here on: an `X` of type `ErrorT` that has no finding.
"""

from __future__ import annotations

from msgspec.structs import replace

from cardc import nodes as n
from cardc.advice import ELSEWHERE, ENDED, player_here, unknown_name
from cardc.calls import Calls
from cardc.elaborate import Key, Site, Uses
from cardc.findings import Edit, Fix
from cardc.ir import Place, X, const, number
from cardc.operators import failed
from cardc.phrases import a
from cardc.report import Suggestion, listed, near
from cardc.scope import Scope, bounds, join
from cardc.types import (
    BOOL,
    FACE,
    INT,
    NONE,
    PLAYER,
    BoardT,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    ErrorT,
    IntT,
    ListT,
    OptT,
    PrintedT,
    SetT,
    TextT,
    Type,
    strip,
)

_NARROWED = frozenset({n.Name, n.Member, n.Index, n.Call})
"""Of these more may be known than their type says."""


class Expressions(Calls):
    """Elaborates the expressions of one declaration. `site` says where the code stands."""

    def expr(self, e: n.Expr, sc: Scope, want: Type | None = None) -> X:
        x = self.plain(e, sc, want)
        if type(e) in _NARROWED and type(x.t) is not ErrorT:
            known = sc.known(e)
            if known is not None and not isinstance(known, ErrorT):
                return replace(x, t=known)
        return x

    def plain(self, e: n.Expr, sc: Scope, want: Type | None) -> X:
        # Exact types, as everywhere where much is asked: `isinstance` costs six times as much where it says no.
        if type(e) is n.Name:
            return self.name(e, sc, want)
        if type(e) is n.Member:
            return self.member(e, sc)
        if type(e) is n.Number:
            return number(e.value, e.span)
        if type(e) is n.Binary:
            return self.test(e, sc).x if e.op in ("and", "or") else self.binary(e, sc)
        if type(e) is n.Index:
            return self.index(e, sc)
        if type(e) is n.Call:
            return self.call(e, sc)
        if type(e) is n.Is:
            return self.test(e, sc).x
        return self.rarer(e, sc, want)

    def rarer(self, e: n.Expr, sc: Scope, want: Type | None) -> X:
        """What is met less often."""
        match e:
            case n.Truth(value):
                return const(value, BOOL, e.span)
            case n.Nothing():
                return const(None, want if isinstance(want, OptT) else NONE, e.span)
            case n.Text(value):
                return const(value, TextT(), e.span) if self.site.test else self.text_here(e, sc, want)
            case n.Method():
                return self.method(e, sc, put=self.site.test and isinstance(want, ElementT))
            case n.Aggregate():
                return self.aggregate(e, sc)
            case n.Listing():
                return self.listing(e, sc, want)
            case n.The():
                return self.the(e, sc)
            case n.ListLit():
                return self.list_lit(e, sc, want)
            case n.Unary("-", inner):
                return self.minus(e, inner, sc)
            case n.Unary():
                return self.test(e, sc).x
            case n.IfExpr():
                return self.either(e, sc, want)
            case n.Random():
                return self.random(e, sc, want)
            case n.New(ident):
                return self.new(ident, e)
        raise AssertionError(e)

    def text_here(self, e: n.Text, sc: Scope, want: Type | None) -> X:
        """The finding of a text where the rules have no use for one."""
        inner = strip(want) if want is not None else None
        if isinstance(inner, ErrorT):
            return failed(e)
        help, fix = "texts stand in labels, reasons, help and tests", None
        if isinstance(inner, EnumT) and e.value in self.s.enums[inner.name].members:
            help = f"a word stands without quotation marks: `{e.value}`"
            fix = Fix(f"write `{e.value}`", (Edit(self.source, *e.span, e.value),), safe=True)
        elif inner == PLAYER:
            help = f"say which player: `{player_here(sc, False) or 'players[0]'}`"
        return self.err("E204", e, "a text has no meaning here", help, fix=fix)

    def minus(self, e: n.Unary, inner: n.Expr, sc: Scope) -> X:
        a = self.need(inner, sc, INT)
        if isinstance(a.t, ErrorT):
            return a
        low, high = bounds(a.t, self.s)
        t = IntT(None if high is None else -high, None if low is None else -low)
        if a.op == "const":
            assert isinstance(a.args[0], int)
            return const(-a.args[0], t, e.span)
        return X("neg", (a,), t, e.span)

    def either(self, e: n.IfExpr, sc: Scope, want: Type | None) -> X:
        """`if c then a else b`."""
        c, yes, no = self.cond(e.cond, sc)
        a, b = self.expr(e.then, yes, want), self.expr(e.other, no, want)
        if any(isinstance(x.t, ErrorT) for x in (c, a, b)):
            return failed(e)
        if isinstance(a.t, BoardT) or isinstance(b.t, BoardT):
            a, b = self.as_list(a) or a, self.as_list(b) or b
        joined = join(a.t, b.t, self.s)
        if joined is None:
            return self.err("E201", e.other, f"this is {self.say(b.t)}, but the other branch is {self.say(a.t)}")
        if isinstance(joined, SetT):
            a, b = (const(0, joined, x.span) if isinstance(x.t, EmptyT) else x for x in (a, b))
        return X("if", (self.tested(e, c), a, b), joined, e.span)

    # ---- Names

    def name(self, e: n.Name, sc: Scope, want: Type | None) -> X:
        s, name = self.s, e.id
        if name in sc.vars:
            var = sc.vars[name]
            self.used.add(var.name)
            return X("var", (var,), var.type, e.span)
        wanted = strip(want) if want is not None else None
        if isinstance(wanted, EnumT) and wanted.name in s.enums and name in s.enums[wanted.name].members:
            return const(s.enums[wanted.name].members.index(name), wanted, e.span)
        if name in ("up", "down") and (wanted is None or wanted == FACE):
            return const(name == "up", FACE, e.span)
        if name == "players":
            return X("players", (), ListT(PLAYER), e.span)
        if self.site.test and name in ("me", "opponent"):
            return const(0 if name == "me" else 1, PLAYER, e.span)
        if name in s.options:
            self.uses.reads.add(("option", name))
            return X("option", (name,), s.options[name].type, e.span)
        if name == "catalog" or name in s.states or name in s.boards or name in s.zones:
            return self.settled_name(e, sc, want) if self.site.fixed else self.thing(e, sc, want)
        if name in s.cards:
            self.uses.reads.add(("card", name))
            card = s.cards[name]
            if card.kind not in s.kinds:
                return failed(e)  # its kind has a finding
            return X("printed", (card.index,), PrintedT(card.kind), e.span)
        if name in s.decklists:
            self.uses.reads.add(("decklist", name))
            return X("decklist", (name,), ListT(PrintedT(s.root_kind())), e.span)
        return self.nameless(e, sc, want)

    def settled_name(self, e: n.Name, sc: Scope, want: Type | None) -> X:
        """A name that a match gives its meaning, where no match has begun. The elements of a row are always there."""
        if e.id in self.s.boards and self.s.boards[e.id].grid is None:
            return self.thing(e, sc, want)
        return self.err("E204", e, f"{self.site.words} is settled before a match begins, when there is no `{e.id}` yet")

    def thing(self, e: n.Name, sc: Scope, want: Type | None) -> X:
        """State, boards, zones, the catalog."""
        s, name = self.s, e.id
        if name == "catalog":
            if self.site.deck:
                return self.err("E204", e, "a deck is judged by its own cards", "read `deck`")
            return X("catalog", (), ListT(PrintedT(s.root_kind())), e.span)
        if self.site.deck:
            return self.err("E204", e, f"a deck is judged before a match begins, when there is no `{name}` yet")
        if name in s.states:
            self.uses.reads.add(("state", name))
            return X("state", (name,), s.states[name].type, e.span)
        if name in s.boards:
            self.uses.reads.add(("board", name))
            return X("one_board" if s.boards[name].size is None else "board", (name,), BoardT(name), e.span)
        self.uses.reads.add(("zone", name))
        if s.zones[name].place.each:
            help = f"say whose: `{player_here(sc, self.site.test) or 'p'}.{name}`, or `players.{name}` for both"
            return self.err("E201", e, f"each player has {a(name)} of his own", help)
        return self.place_value(Place(name, None, None, None), e)

    def nameless(self, e: n.Name, sc: Scope, want: Type | None) -> X:
        """The finding of a name that has no meaning here."""
        s, name = self.s, e.id
        if want is not None and isinstance(strip(want), ErrorT):
            return failed(e)  # what is wanted has a finding
        enums = [x.name.split("·")[-1] for x in s.enums.values() if name in x.members]
        if enums:
            message = f"`{name}` is a member of `{enums[0]}`"
            if want is not None:
                help = f"write `… has {name}`" if isinstance(strip(want), SetT) else None
                return self.err("E201", e, f"{message}, but {self.say(want)} is needed", help)
            help = f"a member is found by the type that its place expects; a set is asked by `… has {name}`"
            return self.err("E107", e, f"{message}, which is not expected here", help)
        if name in s.values or name in s.effects:
            return self.err("E107", e, f"`{name}` is called with parentheses", f"write `{name}(…)`")
        if name in ("self", "you", "source"):
            help = "a frame names cards and players by its locals"
            if self.site.test:
                help = "players are `me` and `opponent`; a card is named by `let c = new …`"
            elif self.site.fixed:
                help = "only the default of a `state` of a kind reads the card it belongs to"
            return self.err("E204", e, f"`{name}` has no meaning in {self.site.words}", help)
        if name in ("me", "opponent"):
            return self.of_tests(e, player_here(sc, False))
        if name in ("up", "down"):
            return self.err("E201", e, f"`{name}` is a face, but {self.say(want) if want else 'a value'} is needed")
        if name in s.kinds or name in s.elements or name in s.enums or name in ("player", "int", "bool"):
            if name in self.report.broken:
                return failed(e)  # another thing that is called so has a finding
            help = self.of_local(name, sc) or self.for_type(name)
            return self.err("E107", e, f"`{name}` is a type, not a value", help)
        if name == "deck":
            if name in self.report.broken:
                return failed(e)  # what is called so has a finding
            return self.err(
                "E204", e, "`deck` is read in the requirements of a deck only", "`p.decklist` is a player's deck"
            )
        known: list[str] = [*sc.vars, *s.states, *s.options, *s.boards, *s.zones, *s.cards, *s.decklists, "players"]
        inner = strip(want) if want is not None else None
        if isinstance(inner, EnumT):
            known = [*s.enums[inner.name].members, *sc.vars]
            message = f"{self.say(inner).replace('a word of ', '')} has no member `{name}`"
            help = near(name, known) or f"it has {listed(s.enums[inner.name].members)}"
            return self.unknown("E101", e, name, message, help)
        help = self.of_local(name, sc) or near(name, known) or unknown_name(name, sc.vars)
        if self.site.test and (name in ENDED or name == "log"):
            help = ENDED.get(name, "say whose: `log(me)`")
        return self.unknown("E101", e, name, f"nothing is called `{name}` here", help)

    def of_local(self, name: str, sc: Scope) -> str | None:
        """A local that has such a member, the innermost one; what is meant by a card's own words is told otherwise."""
        if "self" in sc.vars and name in ELSEWHERE:
            return None
        inner = [v for v in reversed(sc.vars) if v not in ("self", "you", "source")]
        own = [v for v in ("self", "you") if v in sc.vars]
        if self.site.test and self.has_member(PLAYER, name):
            return Suggestion(name, [f"me.{name}"])
        owner = next((v for v in [*inner, *own] if self.has_member(sc.vars[v].type, name)), None)
        return None if owner is None else Suggestion(name, [f"{owner}.{name}"])

    def of_tests(self, e: n.Name, player: str | None) -> X:
        """The finding of a player's name in tests; `player` is how one is called here."""
        help, fix = "elsewhere players have names of their own", None
        if player is not None:
            here = player if e.id == "me" else f"{player}.opponent"
            help = f"say which player: `{here}`"
            if player == "you":
                help, fix = f"write `{here}`", Fix(f"write `{here}`", (Edit(self.source, *e.span, here),), safe=True)
        return self.err("E204", e, f"`{e.id}` stands for a player in tests only", help, fix=fix)

    def new(self, ident: n.Ident, e: n.Expr) -> X:
        if not self.site.test:
            return self.err("E204", e, "`new` is for tests", "a frame makes cards with `copy … to …`")
        card = self.s.cards.get(ident.text)
        if card is None:
            help = near(ident.text, self.s.cards)
            return self.unknown("E101", ident, ident.text, f"no card is called `{ident.text}`", help)
        self.uses.reads.add(("card", ident.text))
        if card.kind not in self.s.kinds:
            return failed(e)  # its kind has a finding
        return X("new", (card.index,), CardT(card.kind), e.span)

    def for_type(self, name: str) -> str | None:
        """What may be meant where a type stands for a value."""
        s = self.s
        if name in s.enums and s.enums[name].members:
            words = list(s.enums[name].members)
            every = f"; `value …(): list of {name} = [{words[0]}, …]` lists them" if len(words) > 1 else ""
            return f"its words are {listed(words)}{every}"
        if name in s.kinds:
            return f"`… is {name}` asks for the kind of a card"
        if name in s.elements:
            return f"`{s.elements[name]}` is the board that has them"
        return "`players` are both of them" if name == "player" else None

    # ---- Lists written out

    def list_lit(self, e: n.ListLit, sc: Scope, want: Type | None) -> X:
        want = strip(want) if want is not None else None
        if not e.items:
            if isinstance(want, SetT):
                return const(0, want, e.span)
            return X("list", ((),), want if isinstance(want, ListT) else EmptyT(), e.span)
        if isinstance(want, SetT):
            return self.set_lit(e, want, sc)
        wanted = want.item if isinstance(want, ListT) else None
        if wanted is None and all(type(i) is n.Name and self.only_member(i.id, sc) for i in e.items):
            return self.words_alone(e)
        xs = [self.expr(i, sc, wanted) for i in e.items]
        if wanted is not None:
            xs = [self.coerce(x, wanted, i) for x, i in zip(xs, e.items, strict=True)]
        if any(isinstance(x.t, ErrorT) for x in xs):
            return failed(e)
        t: Type = xs[0].t if wanted is None else wanted
        for i, x in zip(e.items[1:], xs[1:], strict=True):
            joined = join(t, x.t, self.s) if wanted is None else wanted
            if joined is None:
                return self.err("E201", i, f"this is {self.say(x.t)}, but the list began with {self.say(t)}")
            t = joined
        return X("list", (tuple(xs),), ListT(t), e.span)

    def words_alone(self, e: n.ListLit) -> X:
        """The finding of a list of nothing but members of enums, where no type is expected."""
        words = [i.id for i in e.items if isinstance(i, n.Name)]
        enum = next(x.name for x in self.s.enums.values() if words[0] in x.members)
        help = f"a value gives it a type: `value …(): list of {enum} = [{', '.join(words)}]`"
        return self.err("E107", e, f"`{words[0]}` is a member of `{enum}`, which is not expected here", help)

    def set_lit(self, e: n.ListLit, want: SetT, sc: Scope) -> X:
        members = [self.need(i, sc, want.item) for i in e.items]
        if any(isinstance(m.t, ErrorT) for m in members):
            return failed(e)
        mask = 0
        for i, m in zip(e.items, members, strict=True):
            if m.op == "const":
                assert isinstance(m.args[0], int)
                if mask >> m.args[0] & 1:
                    self.err("E302", i, "this member is in the set already", "remove it")
                mask |= 1 << m.args[0]
        if all(m.op == "const" for m in members):
            return const(mask, want, e.span)
        return X("set", (tuple(members),), want, e.span)


__all__ = ["Expressions", "Key", "Site", "Uses"]
