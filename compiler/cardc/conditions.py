"""Conditions: what is tested, what is known where the test holds and where it does not, and tests that decide
nothing."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cardc import nodes as n
from cardc.advice import called_so
from cardc.elaborate import Elaborator
from cardc.ir import Place, X, const
from cardc.nesting import walk
from cardc.phrases import a
from cardc.report import near
from cardc.scope import Scope, bounds, fits
from cardc.types import (
    BOOL,
    CardT,
    ElementT,
    EnumT,
    ErrorT,
    FormT,
    IntT,
    LineT,
    ListT,
    LogT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    SlotT,
    Type,
    strip,
)

_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_NARROWED = frozenset({n.Name, n.Member, n.Index, n.Call})
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Test(Struct, frozen=True):
    """A condition, and the scopes where it holds and where it does not."""

    x: X
    yes: Scope
    no: Scope


class Conditions(Elaborator):
    def cond(self, e: n.Expr, sc: Scope) -> tuple[X, Scope, Scope]:
        """Elaborate a condition; give also what is known where it holds and where it does not."""
        test = self.test(e, sc)
        x = self.coerce(test.x, BOOL, e)
        self.decides(x, e, "this condition", "remove it, or what it guards")
        if isinstance(x.t, ErrorT) and any(_shows(node) for node in walk(e)):
            self.lost = True  # what it would have shown is not known
        return x, test.yes, test.no

    def decides(self, x: X, e: n.Expr, what: str, help: str) -> None:
        if x.op == "const" and x.t == BOOL:
            word = "always" if x.args[0] else "never"
            self.err("E209", e, f"{what} {word} holds", help)

    def test(self, e: n.Expr, sc: Scope) -> Test:
        if type(e) is n.Binary:
            if e.op in ("and", "or"):
                return self.joined(e, sc)
            x = self.expr(e, sc, BOOL)
            if e.op in _NEGATED:
                return self.weighed(e.op, e.left, e.right, x, sc)
            if e.op == "has" and x.op == "fills" and type(e.right) is n.Name:
                known = n.Member(e.left, n.Ident(e.right.id, span=e.right.span), span=e.span)
                return Test(x, sc.know(known, SlotT(str(x.args[0]), str(x.args[1]), True)), sc)
            return Test(x, sc, sc)
        if type(e) is n.Is:
            found = self.is_test(e, sc)
            return self.negated(found, e) if e.negated else found
        if type(e) is n.Unary and e.op == "not":
            found = self.test(e.operand, sc)
            return self.negated(replace(found, x=self.coerce(found.x, BOOL, e.operand)), e)
        return Test(self.expr(e, sc, BOOL), sc, sc)

    def weighed(self, op: str, left: n.Expr, right: n.Expr, x: X, sc: Scope) -> Test:
        """A comparison: where numbers are compared, each side is known to lie in a narrower range."""
        yes = no = sc
        a, b = (x.args[1], x.args[2]) if x.op == "cmp" else (None, None)
        if type(a) is X and type(b) is X and type(a.t) is IntT and type(b.t) is IntT:
            for e, t, sign, other in ((left, a.t, op, b.t), (right, b.t, _MIRRORED[op], a.t)):
                if type(e) in _NARROWED and not self.site.test:
                    yes = self.narrowed(e, t, sign, other, yes)
                    no = self.narrowed(e, t, _NEGATED[sign], other, no)
        return Test(x, yes, no)

    def narrowed(self, e: n.Expr, t: IntT, op: str, other: IntT, sc: Scope) -> Scope:
        """What is known of `e`, a number of type `t`, where it compares like this with a number of another type."""
        (low, high), (least, most) = bounds(t, self.s), bounds(other, self.s)
        if op == "!=":
            if least is None or least != most:
                return sc
            least, most = (least + 1 if least == low else None), (most - 1 if most == high else None)
        if op in (">", "<="):
            least, most = (None if least is None else least + 1, None) if op == ">" else (None, most)
        elif op in ("<", ">="):
            least, most = (None, None if most is None else most - 1) if op == "<" else (least, None)
        above = least is not None and (low is None or least > low)
        below = most is not None and (high is None or most < high)
        if not above and not below:
            return sc
        return sc.know(e, IntT(least if above else t.low, most if below else t.high))

    def negated(self, found: Test, e: n.Expr) -> Test:
        x = found.x
        if isinstance(x.t, ErrorT):
            return found
        if x.op == "const":
            return Test(const(not x.args[0], BOOL, e.span), found.no, found.yes)
        return Test(X("not", (x,), BOOL, e.span), found.no, found.yes)

    def joined(self, e: n.Binary, sc: Scope) -> Test:
        """A chain of `and` or of `or`, without recursion along it: each operand is read where those before it held (or
        did not)."""
        spine: list[n.Binary] = []
        first: n.Expr = e
        while isinstance(first, n.Binary) and first.op == e.op:
            spine.append(first)
            first = first.left
        found = self.test(first, sc)
        x, yes, no = self.part(found.x, first), found.yes, found.no
        for node in reversed(spine):
            more = self.test(node.right, yes if e.op == "and" else no)
            b = self.part(more.x, node.right)
            x = X("error", (), b.t, node.span) if isinstance(b.t, ErrorT) else X(e.op, (x, b), x.t, node.span)
            yes, no = (more.yes, sc) if e.op == "and" else (sc, more.no)
        return Test(x, yes, no)

    def part(self, x: X, e: n.Expr) -> X:
        x = self.coerce(x, BOOL, e)
        self.decides(x, e, "this part of the condition", "remove it")
        return x

    # ---- `is`

    def is_test(self, e: n.Is, sc: Scope) -> Test:
        """What `x is …` tells, as if there were no `not`."""
        s = self.s
        x = self.expr(e.operand, sc, self.word_of(e, sc))

        def plain(result: X) -> Test:
            return Test(result, sc, sc)

        if isinstance(x.t, ErrorT):
            return plain(x)
        if e.place is not None:
            return self.in_test(e, e.place, x, sc)
        word = e.what.text
        match word:
            case "none":
                if isinstance(x.t, OptT):
                    return Test(X("isnone", (x,), BOOL, e.span), sc, sc.know(e.operand, x.t.item))
                if isinstance(x.t, NoneT):
                    return plain(const(True, BOOL, e.span))
                return plain(self.err("E209", e, f"this is {self.say(x.t)}, which is never none", "remove the test"))
            case "empty":
                items = x if isinstance(x.t, LogT) else self.as_list(x)
                if items is None:
                    help = "write `… == []` for a set" if isinstance(x.t, SetT) else None
                    return plain(self.wanted(e.operand, x, "a list, a zone or a board", help))
                return plain(X("empty", (items,), BOOL, e.span))
            case "player":
                return self.something(e, x, sc, PlayerT())
        inner = strip(x.t)
        if word in s.named_enums():
            return self.something(e, x, sc, EnumT(word))
        if word in s.forms:
            return self.something(e, x, sc, FormT(word))
        if word in s.elements:
            return self.something(e, x, sc, ElementT(s.elements[word]))
        if word in s.cards and isinstance(inner, CardT | PrintedT):
            return self.card_test(e, x, sc, inner)
        printed = strip(sc.vars[word].type) if word in sc.vars else None
        if isinstance(printed, PrintedT) and isinstance(inner, CardT):
            return self.named_test(e, x, sc, inner, printed)
        if word not in s.kinds:
            help = called_so(word, s) or near(word, ["none", "empty", "player", *s.kinds, *s.cards])
            if word in sc.vars:
                help = "`is` asks for a kind, for a card by its id, or for a printed card in a local"
            if any(word in enum.members for enum in s.enums.values()):
                help = f"a member of an enum is compared: `… == {word}`"
            return plain(self.unknown("E101", e.what, word, f"no kind is called `{word}`", help))
        if not isinstance(inner, CardT | PrintedT):
            return plain(self.wanted(e.operand, x, "a card"))
        return self.kind_test(e, x, sc, inner)

    def something(self, e: n.Is, x: X, sc: Scope, wanted: Type) -> Test:
        """`w is player`, `m is side`: whether there is one."""
        if x.t == OptT(wanted):
            return Test(X("notnone", (x,), BOOL, e.span), sc.know(e.operand, wanted), sc)
        if x.t == wanted:
            return Test(self.err("E209", e, f"this is {self.say(x.t)} in any case", "remove the test"), sc, sc)
        return Test(self.err("E201", e.operand, f"this is {self.say(x.t)}, never {self.say(wanted)}"), sc, sc)

    def card_test(self, e: n.Is, x: X, sc: Scope, inner: CardT | PrintedT) -> Test:
        card = self.s.cards[e.what.text]
        self.uses.reads.add(("card", card.name))
        if card.kind in self.s.kinds and not self.s.is_kind(card.kind, inner.kind):
            return Test(self.err("E209", e, f"`{card.name}` is {a(card.kind)}, never {self.say(inner)}"), sc, sc)
        args = (x, card.index, isinstance(inner, CardT), isinstance(x.t, OptT))
        return Test(X("iscard", args, BOOL, e.span), sc.know(e.operand, inner), sc)

    def named_test(self, e: n.Is, x: X, sc: Scope, inner: CardT, printed: PrintedT) -> Test:
        """`c is k`: whether it is the printed card that a local holds, which somebody has named or drawn, if any."""
        var = sc.vars[e.what.text]
        self.used.add(var.name)
        if not self.s.related(printed.kind, inner.kind):
            return Test(self.err("E209", e, f"{self.say(printed)} is never {self.say(inner)}"), sc, sc)
        args = (x, X("var", (var,), var.type, e.what.span), True, isinstance(x.t, OptT))
        return Test(X("iscard", args, BOOL, e.span), sc.know(e.operand, inner), sc)

    def kind_test(self, e: n.Is, x: X, sc: Scope, inner: CardT | PrintedT) -> Test:
        s, word = self.s, e.what.text
        joined = s.is_kind(inner.kind, word)
        if not joined and not s.is_kind(word, inner.kind):
            return Test(self.err("E209", e, f"{a(inner.kind)} is never {a(word)}", "test for another kind"), sc, sc)
        if joined and not isinstance(x.t, OptT):
            return Test(self.err("E209", e, f"{a(inner.kind)} always is {a(word)}", "remove the test"), sc, sc)
        known = sc.know(e.operand, inner if joined else replace(inner, kind=word))
        if joined:
            return Test(X("notnone", (x,), BOOL, e.span), known, sc)
        kinds = tuple(k.index for k in s.leaves(word))
        args = (x, kinds, isinstance(inner, CardT), isinstance(x.t, OptT))
        return Test(X("iskind", args, BOOL, e.span), known, sc)

    # ---- `is in`

    def only_member(self, name: str, sc: Scope) -> bool:
        """Whether a name can be nothing but a member of an enum."""
        return (
            name not in sc.vars and name not in self.s.names and any(name in x.members for x in self.s.enums.values())
        )

    def word_of(self, e: n.Is, sc: Scope) -> Type | None:
        """The enum of a word that is looked for in a list or a set of its words."""
        if e.place is None or type(e.operand) is not n.Name or not self.only_member(e.operand.id, sc):
            return None
        t = self.expr(e.place, sc).t
        return t.item if isinstance(t, ListT | SetT) and isinstance(t.item, EnumT) else None

    def in_test(self, e: n.Is, place: n.Expr, x: X, sc: Scope) -> Test:
        s = self.s
        if isinstance(place, n.Name) and place.id not in sc.vars and (place.id in s.boards or place.id in s.zones):
            self.uses.reads.add(("board" if place.id in s.boards else "zone", place.id))
            if not isinstance(x.t, CardT):
                return Test(self.wanted(e.operand, x, "a card"), sc, sc)
            held = [k for k in s.kind_in(place.id) if k in s.kinds]
            if held and not any(s.related(k, x.t.kind) for k in held):
                return Test(self.err("E209", e, f"{a(x.t.kind)} never lies in `{place.id}`", "remove the test"), sc, sc)
            if x.t.where is not None and x.t.where != place.id:
                message = f"this card lies in `{x.t.where}`, so never in `{place.id}`"
                return Test(self.err("E209", e, message, "remove the test"), sc, sc)
            if x.t.where == place.id and not self.site.test and not self.limited(place.id):
                return Test(
                    self.err("E209", e, f"this card lies in `{place.id}` in any case", "remove the test"), sc, sc
                )
            known = sc.know(e.operand, replace(x.t, where=place.id))
            low, high = self.place_range(place.id)
            return Test(X("inplaces", (x, low, high), BOOL, e.span), known, sc)
        words = strip(x.t)  # the words of a list written out are those of what is looked for
        p = self.expr(place, sc, ListT(words) if isinstance(words, EnumT) else None)
        if p.op in ("place", "one") and isinstance(x.t, CardT):
            target = p.args[0]
            assert isinstance(target, Place)
            held = [s.place(target.owner, target.part).kind]
            if held[0] in s.kinds and not s.related(held[0], x.t.kind):
                return Test(self.err("E209", e, f"{a(x.t.kind)} never lies here"), sc, sc)
            known = sc.know(e.operand, replace(x.t, where=target.owner))
            return Test(X("inplace", (x, target), BOOL, e.span), known, sc)
        if isinstance(p.t, LineT):
            if x.t != ElementT(p.t.board):
                return Test(self.wanted(e.operand, x, f"a space of `{p.t.board}`"), sc, sc)
            return Test(X("in_line", (p.t.board, x, p), BOOL, e.span), sc, sc)
        items = self.as_collection(p, place)
        if isinstance(items.t, ErrorT):
            return Test(items, sc, sc)
        item = self.item(items.t)
        if not fits(x.t, item, s) and not fits(item, x.t, s):
            if isinstance(x.t, CardT) and isinstance(item, CardT) and s.related(x.t.kind, item.kind):
                pass  # a card of a wider kind, or one of which less is known
            else:
                message = f"this is {self.say(x.t)}, but the list holds {self.say(item)}"
                named = isinstance(x.t, PrintedT) and isinstance(item, CardT)
                help = "a card of the match is never the printed one: `any(c in … where c is …)`" if named else None
                if isinstance(x.t, CardT) and isinstance(item, PrintedT):
                    help = "ask for each of them by name: `… is ID or … is ID`"
                return Test(self.err("E201", e.operand, message, help), sc, sc)
        known = sc
        if isinstance(item, CardT) and isinstance(x.t, CardT) and item.where:
            known = sc.know(e.operand, replace(x.t, where=item.where))
        return Test(X("inlist", (x, items), BOOL, e.span), known, sc)

    def limited(self, where: str) -> bool:
        """Whether a move there may fail, so that asking after it makes sense."""
        s = self.s
        places = [s.zones[where].place] if where in s.zones else list(s.boards[where].parts.values())
        return any(p.most is not None for p in places)


def _shows(node: n.Node) -> bool:
    """Whether a part of a condition tells something of what it asks about: where it lies, what it is, what it has."""
    return isinstance(node, n.Is) or (isinstance(node, n.Binary) and node.op == "has")
