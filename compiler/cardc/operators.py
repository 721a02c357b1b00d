"""Operators: arithmetic and its ranges, comparison, sets."""

from __future__ import annotations

from msgspec.structs import replace

from cardc import nodes as n
from cardc.ir import X, const
from cardc.members import Members
from cardc.report import near
from cardc.scope import Scope, bounds, join
from cardc.searches import key
from cardc.types import (
    BOOL,
    ERROR,
    INT,
    PLAYER,
    BoardT,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    ErrorT,
    FaceT,
    IntT,
    ListT,
    LogT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    SlotT,
    TextT,
    Type,
    strip,
)

_WORDS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


def failed(e: n.Node) -> X:
    """What stands for an expression that has its finding."""
    return X("error", (), ERROR, e.span)


class Operators(Members):
    def binary(self, e: n.Binary, sc: Scope) -> X:
        match e.op:
            case "==" | "!=":
                return self.equality(e, sc)
            case "<" | "<=" | ">" | ">=":
                if isinstance((a := self.need(e.left, sc, INT)).t, ErrorT):
                    return failed(e)
                b = self.need(e.right, sc, INT)
                return failed(e) if isinstance(b.t, ErrorT) else self.compare(e, a, b)
            case "has":
                return self.has(e, sc)
            case "meets":
                return self.meets(e, sc)
            case "sees":
                return self.sees(e, sc)
            case "+" | "-":
                return self.chain(e, sc)
        return self.arithmetic(e, self.need(e.left, sc, INT), self.need(e.right, sc, INT))

    # ---- Arithmetic

    def chain(self, e: n.Binary, sc: Scope) -> X:
        """A chain of `+` and `-`, without recursion along it."""
        spine: list[n.Binary] = []
        first: n.Expr = e
        while isinstance(first, n.Binary) and first.op in ("+", "-"):
            spine.append(first)
            first = first.left
        a = self.expr(first, sc)
        for node in reversed(spine):
            a = self.plus(node, a, sc)
        return a

    def plus(self, e: n.Binary, a: X, sc: Scope) -> X:
        if isinstance(a.t, SetT):
            b = self.need(e.right, sc, a.t)
            return b if isinstance(b.t, ErrorT) else X("union" if e.op == "+" else "minus", (a, b), a.t, e.span)
        one = isinstance(a.t, OptT) and isinstance(a.t.item, CardT | PrintedT)
        if one or isinstance(a.t, ListT | BoardT | EmptyT):
            return self.lists(e, self.as_list(a) or a, sc)
        if isinstance(a.t, ErrorT):
            self.expr(e.right, sc)  # what it should be is not known
            return failed(e)
        return self.arithmetic(e, self.coerce(a, INT, e.left), self.need(e.right, sc, INT))

    def lists(self, e: n.Binary, a: X, sc: Scope) -> X:
        """One list behind the other: what lies in two places lies in none that is known. What may be none is a list of
        one at most."""
        b = self.expr(e.right, sc, a.t)
        if isinstance(b.t, ErrorT):
            return b
        items = self.as_list(b)
        if items is None:
            one = isinstance(b.t, CardT | PrintedT | PlayerT | ElementT)
            return self.wanted(e.right, b, "a list", "write it between brackets: `[…]`" if one else None)
        if e.op == "-":
            help = "`[x for x in … where x is not in …]` leaves out what another list has"
            return self.err("E201", e, "a list is not taken from another", help)
        joined = join(a.t, items.t, self.s)
        if joined is None:
            return self.err("E201", e.right, f"this is {self.say(b.t)}, but the list began with {self.say(a.t)}")
        return X("concat", (a, items), joined, e.span)

    def arithmetic(self, e: n.Binary, a: X, b: X) -> X:
        if isinstance(a.t, ErrorT) or isinstance(b.t, ErrorT):
            return failed(e)
        if e.op == "/" and (b.op != "const" or not isinstance(b.args[0], int) or b.args[0] < 1):
            return self.err("E201", e.right, "division takes a positive number written out", "`x / 2` rounds down")
        return X(_WORDS[e.op], (a, b), self.range_of(e.op, a, b), e.span)

    def range_of(self, op: str, a: X, b: X) -> IntT:
        """The range of the result, as far as it is known."""
        al, ah = bounds(a.t, self.s)
        bl, bh = bounds(b.t, self.s)
        match op:
            case "+":
                return IntT(
                    None if al is None or bl is None else al + bl, None if ah is None or bh is None else ah + bh
                )
            case "-":
                return IntT(
                    None if al is None or bh is None else al - bh, None if ah is None or bl is None else ah - bl
                )
            case "/":
                assert bl is not None
                return IntT(None if al is None else al // bl, None if ah is None else ah // bl)
        if al is not None and ah is not None and bl is not None and bh is not None:
            ends = [x * y for x in (al, ah) for y in (bl, bh)]
            return IntT(min(ends), max(ends))
        if al is not None and bl is not None and al >= 0 and bl >= 0:
            return IntT(al * bl, None)
        return INT

    # ---- Comparison

    def compare(self, e: n.Binary, a: X, b: X) -> X:
        """Compare numbers; a comparison that their ranges decide is a constant."""
        surely = self.surely(e.op, a, b)
        if surely is not None and (not self.site.test or a.op == b.op == "const"):
            return const(surely, BOOL, e.span)
        return X("cmp", (e.op, a, b), BOOL, e.span)

    def surely(self, op: str, a: X, b: X) -> bool | None:
        inf = float("inf")
        (al, ah), (bl, bh) = bounds(a.t, self.s), bounds(b.t, self.s)
        lo_a, hi_a = (-inf if al is None else al), (inf if ah is None else ah)
        lo_b, hi_b = (-inf if bl is None else bl), (inf if bh is None else bh)
        match op:
            case "<":
                return True if hi_a < lo_b else False if lo_a >= hi_b else None
            case "<=":
                return True if hi_a <= lo_b else False if lo_a > hi_b else None
            case ">":
                return True if lo_a > hi_b else False if hi_a <= lo_b else None
            case ">=":
                return True if lo_a >= hi_b else False if hi_a < lo_b else None
        apart, same = hi_a < lo_b or lo_a > hi_b, lo_a == hi_a == lo_b == hi_b
        if op == "==":
            return False if apart else True if same else None
        return True if apart else False if same else None

    def equality(self, e: n.Binary, sc: Scope) -> X:
        a, b = self.sides(e, sc)
        at, bt = strip(a.t), strip(b.t)
        if type(a.t) is IntT and type(b.t) is IntT:
            return self.compare(e, a, b)
        if type(a.t) is ErrorT or type(b.t) is ErrorT:
            return failed(e)
        if type(at) is NoneT or type(bt) is NoneT:
            return self.err("E204", e, "none is not compared", "write `… is none` or `… is not none`")
        if isinstance(at, CardT | PrintedT) and isinstance(bt, CardT | PrintedT):
            return self.same_card(e, a, b, at, bt)
        joined = join(at, bt, self.s)
        if joined is None:
            help = None
            if isinstance(at, ListT) and isinstance(bt, ListT):
                help = "compare `count(…)`, or ask for each: `any(c in … where c is …)`"
            elif isinstance(at, ElementT) and isinstance(bt, IntT):
                help = "compare `….index`, its number"
            message = f"this is {self.say(b.t)}, which is never equal to {self.say(a.t)}"
            return self.err("E201", e.right, message, help)
        if isinstance(joined, ListT | BoardT | SlotT | EmptyT | LogT):
            empty = isinstance(at, EmptyT) or isinstance(bt, EmptyT)
            help = "write `… is empty`" if empty else "compare `count(…)`, or go through it"
            return self.err("E201", e, f"{self.say(a.t)} is not compared as a whole", help)
        if type(at) is EmptyT:
            a = const(0, bt, a.span)
        if type(bt) is EmptyT:
            b = const(0, at, b.span)
        if a.op == b.op == "const":
            return const((a.args[0] == b.args[0]) == (e.op == "=="), BOOL, e.span)
        if a == b:
            return const(e.op == "==", BOOL, e.span)
        if key(a) == key(X("opponent", (b,), b.t)):
            return const(e.op != "==", BOOL, e.span)
        return X("cmp", (e.op, a, b), BOOL, e.span)

    def sides(self, e: n.Binary, sc: Scope) -> tuple[X, X]:
        """Both sides; the member of an enum, a face or a set is read as the other side wants it."""
        if type(e.left) is n.ListLit or (type(e.left) is n.Name and self.only_member(e.left.id, sc)):
            b = self.expr(e.right, sc)
            return self.expr(e.left, sc, self.of_words(b.t)), b
        a = self.expr(e.left, sc)
        return a, self.expr(e.right, sc, self.of_words(a.t))

    def of_words(self, t: Type) -> Type | None:
        inner = strip(t)
        return inner if isinstance(inner, EnumT | FaceT | SetT | ErrorT) else None

    def same_card(self, e: n.Binary, a: X, b: X, at: CardT | PrintedT, bt: CardT | PrintedT) -> X:
        if type(at) is not type(bt):
            card = e.right if isinstance(bt, PrintedT) else e.left
            name = card.id if isinstance(card, n.Name) else "…"
            help = f"write `… is {name}`"
            return self.err("E201", card, "a card of the match is never the printed card itself", help)
        if not self.s.related(at.kind, bt.kind):
            return self.err("E201", e.right, f"this is {self.say(b.t)}, which is never equal to {self.say(a.t)}")
        if a == b:
            return const(e.op == "==", BOOL, e.span)
        return X("cmp", (e.op, a, b), BOOL, e.span)

    # ---- Sets, and words of tests

    def has(self, e: n.Binary, sc: Scope) -> X:
        a = self.expr(e.left, sc)
        match a.t:
            case CardT(kind) | PrintedT(kind) if isinstance(e.right, n.Name):
                return self.fills(e, a, kind, e.right)
            case SetT(item):
                b = self.need(e.right, sc, item)
                return b if isinstance(b.t, ErrorT) else X("has", (a, b), BOOL, e.span)
            case LogT():
                b = self.need(e.right, sc, TextT())
                return b if isinstance(b.t, ErrorT) else X("log_has", (a, b), BOOL, e.span)
        help = "for a list or a zone write `… is in …`" if isinstance(a.t, ListT | BoardT) else None
        if help and isinstance(e.right, n.Name) and e.right.id in self.s.cards:
            help = f"write `any(c in … where c is {e.right.id})`"
        return self.wanted(e.left, a, "a set", help)

    def fills(self, e: n.Binary, a: X, kind: str, name: n.Name) -> X:
        """`s has boost`: whether a card fills a slot."""
        slot = self.s.slot(kind, name.id)
        if slot is None:
            known = [x for k in self.s.chain(kind) for x in k.slots]
            message = f"{self.kind_words(kind)} has no slot `{name.id}`"
            return self.unknown("E105", name, name.id, message, near(name.id, known))
        self.uses.reads.add(("slot", slot[0].name, slot[1].name))
        return X("fills", (slot[0].name, slot[1].name, a, isinstance(a.t, CardT)), BOOL, e.span)

    def meets(self, e: n.Binary, sc: Scope) -> X:
        a = self.expr(e.left, sc)
        if not isinstance(a.t, SetT):
            return self.wanted(e.left, a, "a set")
        b = self.need(e.right, sc, a.t)
        return b if isinstance(b.t, ErrorT) else X("meets", (a, b), BOOL, e.span)

    def sees(self, e: n.Binary, sc: Scope) -> X:
        if not self.site.test:
            help = "who sees a card is a matter of its zone and its face"
            return self.err("E204", e, "`sees` is for tests", help)
        who = self.need(e.left, sc, PLAYER)
        card = self.expr(e.right, sc)
        if not isinstance(card.t, CardT):
            return self.wanted(e.right, card, "a card", "name it: `let c = new …`")
        return who if isinstance(who.t, ErrorT) else X("sees", (who, replace(card)), BOOL, e.span)

    # ---- Ranges of functions

    def least(self, name: str, xs: list[X], e: n.Node) -> X:
        """`min` and `max`."""
        if any(isinstance(x.t, ErrorT) for x in xs):
            return failed(e)
        lows, highs = zip(*(bounds(x.t, self.s) for x in xs), strict=True)
        known_lows = [low for low in lows if low is not None]
        known_highs = [high for high in highs if high is not None]
        if name == "min":
            low = min(known_lows) if len(known_lows) == len(lows) else None
            high = min(known_highs) if known_highs else None
        else:
            low = max(known_lows) if known_lows else None
            high = max(known_highs) if len(known_highs) == len(highs) else None
        return X(name, tuple(xs), IntT(low, high), e.span)

    def absolute(self, x: X, e: n.Node) -> X:
        if isinstance(x.t, ErrorT):
            return x
        low, high = bounds(x.t, self.s)
        most = None if low is None or high is None else max(abs(low), abs(high))
        return X("abs", (x,), IntT(0, most), e.span)
