"""Expressions as Python text.

Every name of an author is mangled: a prefix says what it is (`l_` local, `v_` value, `D_` printed field, …), and `·`
joins two
names, which no name of the language holds. Constants are written by `repr`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardc.ir import LOOPS, Place, Var, X, gone_through
from cardc.scope import bounds
from cardc.searches import parts
from cardc.symbols import Symbols, plane
from cardc.types import CardT, EnumT, IntT, ListT, SetT

SELF, YOU, SOURCE = "self", "you", "source"
_OVER = frozenset({"any", "the", "count", "all", "sum"})
_OFTEN = frozenset({"cmp", "and", "or", "add", "sub"})
_SIGNS = {"mul": "*", "div": "//", "union": "|"}
FEW = 8
"""So many elements of a board are written out."""
SHORT = 64
"""A list of so many is short: to go through it counts no steps."""
_SHORT = frozenset({"players", "players_from", "optlist", "list", "members", "forms", "near"})
_SLOW = frozenset({"value", "copies", "flaws"})
MOST_TERMS = 200
"""So many terms of a sum stand in a row."""

NEW_LISTS = frozenset(
    {"var", "state", "player", "element", "card", "comp", "join", "list", "filter", "topn", "parts_of", "span"}
    | {"concat", "sample"}
)
"""What gives a list that nothing changes any more."""


JOINED = "[c_ {each} for c_ in {body}]"


def nested(src: str) -> str | None:
    """The list of lists that a list written as text joins, or None where it is another."""
    inner = src.removeprefix("[c_ for z_ in ").removesuffix(" for c_ in z_]")
    return inner if len(inner) == len(src) - 28 and " for " not in inner else None


def through(name: str, src: str) -> str:
    """The `for` of a comprehension over a list; all cards of a board are not put into a list of their own for it."""
    lists = nested(src)
    return f"for {name} in {src}" if lists is None else f"for z_ in {lists} for {name} in z_"


class Writer:
    """Writes expressions of one body. `where` tells how a local is reached; locals of comprehensions are plain
    names."""

    def __init__(self, s: Symbols, where: Callable[[Var], str], stream: int = 2) -> None:
        self.s = s
        self.where = where
        self.stream = stream
        self.chance = "it"
        self.bound: dict[str, int] = {}
        self.fixed: dict[str, str] = {}
        self.elements: dict[str, str] = {}  # by local, the element that its card is known to lie at
        self.sure: list[str] = []  # places that are known to hold something

    # ---- Locals

    def bind(self, var: Var) -> str:
        self.bound[var.name] = self.bound.get(var.name, 0) + 1
        return f"l_{var.name}"

    def release(self, *variables: Var) -> None:
        for v in variables:
            self.bound[v.name] -= 1

    def var(self, var: Var) -> str:
        if var.name in self.fixed:
            return self.fixed[var.name]
        return f"l_{var.name}" if self.bound.get(var.name) else self.where(var)

    # ---- Places

    def place_id(self, p: Place) -> str:
        sym = self.s.place(p.owner, p.part)
        terms: list[str] = []
        offset = sym.first
        if p.element is not None:
            if p.element.op == "const":
                assert isinstance(p.element.args[0], int)
                offset += p.element.args[0] * (2 if sym.each else 1)
            else:
                e = self.x(p.element)
                terms.append(f"{e} * 2" if sym.each else e)
        if p.seat is not None:
            if p.seat.op == "const":
                assert isinstance(p.seat.args[0], int)
                offset += p.seat.args[0]
            elif (seat := self.x(p.seat)).isdigit():
                offset += int(seat)
            else:
                terms.append(seat)
        if offset or not terms:
            terms.insert(0, repr(offset))
        return " + ".join(terms)

    def cards(self, p: Place) -> str:
        return f"m.places[{self.place_id(p)}]"

    def floats(self, board: str) -> bool:
        grid = self.s.boards[board].grid
        return grid is not None and grid[2]

    def in_order(self, board: str, places: Sequence[str]) -> str:
        """The cards in these places of each space `e_` of a grid that floats, in the order of its outline."""
        cards = " + ".join(f"m.places[{place}]" for place in places)
        return f"[c_ for e_ in grid_occupied(m, GRID_{board}) for c_ in {cards}]"

    def parts(self, board: str, part: str, element: object) -> str:
        """All cards in a part: of every element, or of one."""
        sym = self.s.boards[board].parts[part]
        width = 2 if sym.each else 1
        if element is None:
            low, high = sym.first, sym.first + self.s.boards[board].count * width
            if self.floats(board):
                return self.in_order(board, [f"{low + seat} + e_{' * 2' * sym.each}" for seat in range(width)])
            if high - low == 1:
                return f"m.places[{low}]"
            return f"[c_ for z_ in m.places[{low}:{high}] for c_ in z_]"
        assert isinstance(element, X)
        if element.op == "const":
            assert isinstance(element.args[0], int)
            low = sym.first + element.args[0] * width
            return f"(m.places[{low}] + m.places[{low + 1}])" if width == 2 else f"m.places[{low}]"
        e = self.x(element)
        if element.op == "var" and width == 2:
            first = f"{sym.first} + {e} * 2" if sym.first else f"{e} * 2"
            return f"(m.places[{first}] + m.places[{sym.first + 1} + {e} * 2])"
        return f"both(m, {sym.first} + {e} * 2)"

    # ---- Constants

    def member(self, enum: str, index: int) -> str:
        """A member of an enum: its index, or a name bound when packages are loaded, where expansions add members."""
        if self.s.enums[enum].open:
            return f"M_{enum}·{self.s.enums[enum].members[index]}"
        return repr(index)

    def const(self, x: X) -> str:
        value = x.args[0]
        if type(x.t) is EnumT and value is not None:
            assert isinstance(value, int)
            return self.member(x.t.name, value)
        if type(x.t) is SetT and type(x.t.item) is EnumT and self.s.enums[x.t.item.name].open:
            assert isinstance(value, int)
            bits = [i for i in range(value.bit_length()) if value >> i & 1]
            return "(" + (" | ".join(f"1 << {self.member(x.t.item.name, i)}" for i in bits) or "0") + ")"
        return f"({value!r})" if type(value) is int and value < 0 else repr(value)

    # ---- Comprehensions

    def for_both(self, x: X, var: Var) -> tuple[str, str]:
        """`x` for each of the two players, written out: there is no loop worth its cost."""
        out = []
        for seat in ("0", "1"):
            self.fixed[var.name] = seat
            out.append(self.x(x))
        del self.fixed[var.name]
        return out[0], out[1]

    def over_players(self, op: str, body: X | None, var: Var, where: X | None) -> str | None:
        """A search or a count over `players`, or None where it is neither."""
        if op in ("any", "the", "count"):
            if where is None:
                return None
            a, b = self.for_both(where, var)
            return {"any": f"({a} or {b})", "the": f"(0 if {a} else 1 if {b} else None)", "count": f"(({a}) + ({b}))"}[
                op
            ]
        if where is not None or body is None:
            return None
        a, b = self.for_both(body, var)
        return f"({a} and {b})" if op == "all" else f"({a} + {b})"

    def short(self, source: X) -> bool:
        """Whether a list is short, whatever a match comes to."""
        match source:
            case X("place", (Place(owner, part),)):
                most = self.s.place(owner, part).most
                return isinstance(most, int) and most <= SHORT
            case X("parts" | "parts_of", (str(board), str(part), *_)):
                most = self.s.boards[board].parts[part].most
                return isinstance(most, int) and most * self.s.boards[board].count <= SHORT
            case X("elements", (_, size)):
                return int(str(size)) <= SHORT
            case X("filter", (X() as inner, *_)):
                return self.short(inner)
        return source.op in _SHORT

    def slow(self, *of: X | None) -> bool:
        """Whether any of these may go through a list that is not short."""
        inside = (p for x in of if x is not None for p in parts(x))
        return any(p.op in _SLOW or (p.op in LOOPS and not self.short(gone_through(p))) for p in inside)

    def counted(self, src: str, source: X, *asked: X | None) -> str:
        """What a search goes through: its length counts as steps where what is asked of each may be slow."""
        return f"passes(m, {src})" if not self.short(source) and self.slow(*asked) else src

    def comp(self, body: X | None, var: Var, source: X, where: X | None, form: str) -> str:
        src = self.counted(self.x(source), source, body, where)
        name = self.bind(var)
        sure = [self.x(place) for place in self.holding(where)]
        if source.op == "spaces":
            board = str(source.args[0])
            held = [body] if body is not None and form == JOINED else self.holding(where)
            if any([self.lies_on(place, board, var) for place in held]):
                src = self.counted(f"grid_occupied(m, GRID_{board})", source, body, where)
                lists = [2 if part.each else 1 for part in self.s.boards[board].parts.values()]
                if lists == [1] and where is not None and len(self.flat(where, "and")) == 1:
                    where = None  # what is occupied holds something in its only list
        cond = f" if {self.x(where)}" if where is not None else ""
        each = through(name, src)
        self.sure.extend(sure)
        text = form.format(body=self.x(body) if body is not None else name, each=each, cond=cond)
        del self.sure[len(self.sure) - len(sure) :]
        self.release(var)
        return text

    def holding(self, where: X | None) -> list[X]:
        """The places that hold something wherever a condition holds."""
        found = []
        for test in self.flat(where, "and") if where is not None else ():
            inner = test.args[0] if test.op == "not" else None
            if not isinstance(inner, X) or inner.op not in ("empty", "isnone"):
                continue
            place = inner.args[0]
            if inner.op == "isnone" and isinstance(place, X) and place.op == "top":
                place = place.args[0]
            if isinstance(place, X) and place.op == "place":
                found.append(place)
        return found

    def lies_on(self, x: X, board: str, var: Var) -> bool:
        """Whether this is a place on the space `var` of a grid."""
        place = x.args[0] if x.op == "place" else None
        if not isinstance(place, Place) or place.owner != board:
            return False
        at = place.element
        return isinstance(at, X) and at.op == "var" and at.args[0] == var

    def line_of(self, board: str, which: str, element: str) -> str:
        """The row or column that a space lies in; rows come first."""
        grid = self.s.boards[board].grid
        assert grid is not None
        columns, rows = plane(*grid)
        return f"({element} // {columns})" if which == "row" else f"({rows} + {element} % {columns})"

    # ---- Expressions

    def x(self, x: X) -> str:
        op, a = x.op, x.args
        if op == "var":  # nearly half of all there is
            return self.var(a[0])  # type: ignore[arg-type]
        if op == "const":
            return self.const(x)
        if op in _OFTEN:
            return self.operator(x)
        if op in _OVER:
            head, (over, source, where) = (a[:1], a[1:]) if op in ("all", "sum") else ((None,), a)
            assert isinstance(over, Var) and isinstance(source, X)
            if source.op == "players":
                text = self.over_players(op, head[0], over, where)  # type: ignore[arg-type]
                if text is not None:
                    return text
        match op:
            case "option":
                return f"m.o_{a[0]}"
            case "state":
                return f"m.s_{a[0]}"
            case "player":
                return f"m.p_{a[0]}[{self.sub(a[1])}]"
            case "element":
                return f"m.b_{a[0]}·{a[1]}[{self.sub(a[2])}]"
            case "card":
                return f"m.c_{a[0]}·{a[1]}[{self.sub(a[2])}]"
            case "field":
                return f"m.D_{a[0]}·{a[1]}[m.d[{self.sub(a[2])}]]"
            case "dfield":
                return f"m.D_{a[0]}·{a[1]}[{self.sub(a[2])}]"
            case "face_up":
                return f"m.up[{self.sub(a[0])}]"
            case "owner":
                return f"m.own[{self.sub(a[0])}]"
            case "element_of":
                if isinstance(a[1], X) and a[1].op == "var" and a[1].args[0].name in self.elements:  # type: ignore[attr-defined]
                    return self.elements[a[1].args[0].name]  # type: ignore[attr-defined]
                return f"ELEMENT[m.at[{self.sub(a[1])}]]"
            case "index_of":
                return self.sub(a[0])
            case "column":
                return f"N_{a[0]}·{a[1]}[{self.sub(a[2])}]"
            case "opponent":
                seat = self.sub(a[0])
                return repr(1 - int(seat)) if seat.isdigit() else f"(1 - {seat})"
            case "own_decklist":
                return f"m.decks[{self.sub(a[0])}]"
            case "players":
                return "(0, 1)"
            case "players_from":
                return f"SEATS_FROM[{self.sub(a[0])}]"
            case "elements":
                size = int(str(a[1]))
                return f"range({size})" if size > FEW else repr(tuple(range(size)))
            case "fills":
                printed = f"m.d[{self.sub(a[2])}]" if a[3] else self.sub(a[2])
                return f"m.H_{a[0]}·{a[1]}[{printed}]"
            case "forms":
                return f"m.forms[m.base[m.d[{self.sub(a[0])}]]]"
            case "form":
                return f"form_of(m, {self.sub(a[0])})"
            case "lender":
                return f"lender(m, {self.sub(a[0])}, {a[1]!r})"
            case "spaces":
                return f"grid_spaces(m, GRID_{a[0]})"
            case "near":
                return f"grid_near(m, GRID_{a[0]}, {self.sub(a[1])})"
            case "grid":
                return f"grid_{a[0]}(m, GRID_{a[1]})"
            case "line_of":
                return self.line_of(str(a[0]), str(a[1]), self.sub(a[2]))
            case "in_line":
                return f"({self.sub(a[1])} in GRID_{a[0]}.lines[{self.sub(a[2])}])"
            case "at_xy":
                return f"grid_at_xy(m, GRID_{a[0]}, {self.sub(a[1])}, {self.sub(a[2])})"
            case "put_xy":
                return f"grid_put_xy(GRID_{a[0]}, {self.sub(a[1])}, {self.sub(a[2])})"
            case "catalog":
                return "m.catalog"
            case "printed":
                return self.card_name(a[0])  # type: ignore[arg-type]
            case "decklist":
                return f"DECKLIST_{a[0]}"
            case "place":
                return self.cards(a[0])  # type: ignore[arg-type]
            case "one":
                return f"only({self.cards(a[0])})"  # type: ignore[arg-type]
            case "place_id":
                return self.place_id(a[0])  # type: ignore[arg-type]
            case "parts":
                return self.parts(str(a[0]), str(a[1]), a[2])
            case "parts_of":
                sym = self.s.boards[str(a[0])].parts[str(a[1])]
                count, seat = self.s.boards[str(a[0])].count, self.sub(a[2])
                if self.floats(str(a[0])):
                    return self.in_order(str(a[0]), [f"{sym.first} + e_ * 2 + {seat}"])
                if count == 2 and len(seat) < 16:  # two lanes: adding two lists costs less than going through them
                    return f"(m.places[{sym.first} + {seat}] + m.places[{sym.first + 2} + {seat}])"
                end = sym.first + count * 2
                return f"[c_ for z_ in m.places[{sym.first} + {seat}:{end}:2] for c_ in z_]"
            case "span":
                return f"[c_ for z_ in m.places[{a[0]}:{a[1]}] for c_ in z_]"
            case "optlist":
                return f"known({self.sub(a[0])})"
            case "comp":
                return self.comp(a[0], a[1], a[2], a[3], "[{body} {each}{cond}]")  # type: ignore[arg-type]
            case "comp_set":
                return self.comp(a[0], a[1], a[2], a[3], "sum({{1 << ({body}) {each}{cond}}})")  # type: ignore[arg-type]
            case "join":
                return self.comp(a[0], a[1], a[2], None, JOINED)  # type: ignore[arg-type]
            case "the":
                return self.comp(None, a[0], a[1], a[2], "next(({body} {each}{cond}), None)")  # type: ignore[arg-type]
            case "count":
                return self.comp(None, a[0], a[1], a[2], "len([1 {each}{cond}])")  # type: ignore[arg-type]
            case "any":
                return self.quantified(None, a[0], a[1], a[2], "any")  # type: ignore[arg-type]
            case "all":
                return self.quantified(a[0], a[1], a[2], a[3], "all")  # type: ignore[arg-type]
            case "sum":
                return self.comp(a[0], a[1], a[2], a[3], "sum([{body} {each}{cond}])")  # type: ignore[arg-type]
            case "list":
                items = [self.sub(i) for i in a[0]]  # type: ignore[attr-defined]
                return "[" + ", ".join(items) + "]"
            case "set":
                return "(" + " | ".join(f"1 << {self.sub(i)}" for i in a[0]) + ")"  # type: ignore[attr-defined]
            case "filter":
                of = "m.K[m.d[c_]]" if a[2] else "m.K[c_]"
                return f"[c_ for c_ in {self.sub(a[0])} if {self.kind_test(of, a[1])}]"
            case "range":
                low, high = a
                assert isinstance(low, X) and isinstance(high, X)
                whole = high.op == "const" and isinstance(high.args[0], int)
                stop = repr(high.args[0] + 1) if whole else f"{self.x(high)} + 1"  # type: ignore[operator]
                return f"range({self.x(low)}, {stop})"
            case "members":
                enum = str(a[0])
                many = f"COUNT_{enum}" if self.s.enums[enum].open else repr(len(self.s.enums[enum].members))
                if a[1] is None:
                    return f"range({many})"
                return f"[e_ for e_ in range({many}) if {self.sub(a[1])} >> e_ & 1]"
        return self.operator(x)

    def operator(self, x: X) -> str:
        a = x.args
        if x.op == "cmp":
            op = str(a[0])
            left, right = a[1], a[2]
            assert isinstance(left, X) and isinstance(right, X)
            return f"({self.x(left)} {op} {self.x(right)})"
        if x.op in ("and", "or"):
            return "(" + f" {x.op} ".join([self.x(p) for p in self.flat(x, x.op)]) + ")"
        if x.op in ("add", "sub"):
            return self.sum(x)
        if x.op == "concat":
            return "[" + ", ".join(f"*{self.sub(p)}" for p in a) + "]"
        if x.op == "mul" and not any(isinstance(p, X) and (p.op == "const" or self.bounded(p)) for p in a):
            return f"product({self.sub(a[0])}, {self.sub(a[1])})"
        if x.op in _SIGNS:
            return f"({self.sub(a[0])} {_SIGNS[x.op]} {self.sub(a[1])})"
        match x.op:
            case "minus":
                return f"({self.sub(a[0])} & ~{self.sub(a[1])})"
            case "neg":
                return f"(-{self.sub(a[0])})"
            case "not":
                inner = a[0]
                assert isinstance(inner, X)
                return self.negated(inner)
            case "probe":
                return f"probe({a[0]}, {self.sub(a[1])})"
            case "if":
                return f"({self.sub(a[1])} if {self.sub(a[0])} else {self.sub(a[2])})"
            case "isnone" | "notnone":
                return self.none_test(a[0], x.op == "isnone")
            case "empty":
                return f"(not {self.contents(a[0])})"
            case "iskind":
                of = f"m.K[m.d[{self.sub(a[0])}]]" if a[2] else f"m.K[{self.sub(a[0])}]"
                test = self.kind_test(of, a[1])
                return f"({self.sub(a[0])} is not None and {test})" if a[3] else f"({test})"
            case "iscard":
                card = self.sub(a[1]) if isinstance(a[1], X) else self.card_name(a[1])  # type: ignore[arg-type]
                printed = f"m.d[{self.sub(a[0])}]" if a[2] else self.sub(a[0])
                test = f"m.base[{printed}] == {card}" if a[2] and self.s.forms else f"{printed} == {card}"
                return f"({self.sub(a[0])} is not None and {test})" if a[3] else f"({test})"
            case "inplace":
                return f"(m.at[{self.sub(a[0])}] == {self.place_id(a[1])})"  # type: ignore[arg-type]
            case "lying":
                return f"lying(m, {self.sub(a[0])}, {a[1]}, {a[2]}, {a[3]!r})"
            case "inplaces":
                return f"({a[1]} <= m.at[{self.sub(a[0])}] < {a[2]})"
            case "inlist":
                return f"({self.sub(a[0])} in {self.sub(a[1])})"
            case "has":
                return f"({self.sub(a[0])} >> {self.sub(a[1])} & 1 == 1)"
            case "meets":
                return f"({self.sub(a[0])} & {self.sub(a[1])} != 0)"
            case "clamp":
                if a[1] is not None and a[2] is not None:
                    return f"within({self.sub(a[0])}, {self.bound_text(a[1])}, {self.bound_text(a[2])})"
                if a[1] is not None:
                    return f"at_least({self.sub(a[0])}, {self.bound_text(a[1])})"
                return f"at_most({self.sub(a[0])}, {self.bound_text(a[2])})"
            case "min" | "max" | "abs":
                return f"{x.op}({', '.join(self.sub(i) for i in a)})"
            case "len":
                return f"len({self.sub(a[0])})"
            case "top":
                items = self.sub(a[0])
                return f"{items}[-1]" if items in self.sure else f"top({items})"
            case "topn":
                return f"topmost({self.sub(a[0])}, {self.sub(a[1])})"
            case "at":
                index = a[1]
                assert isinstance(index, X)
                sure = isinstance(index.t, IntT) and isinstance(index.t.low, int) and index.t.low >= 0
                return f"{'entry_from' if sure else 'entry'}({self.sub(a[0])}, {self.x(index)})"
            case "value":
                return f"v_{a[0]}({', '.join(['m', *(self.sub(i) for i in a[1:])])})"
            case "pick":
                return f"pick(m, {self.stream}, {'pick ' + self.chance!r}, {self.sub(a[0])})"
            case "sample":
                return f"sample(m, {self.stream}, {'pick ' + self.chance!r}, {self.sub(a[0])}, {self.sub(a[1])})"
            case "copies":
                return f"copies(m, {self.sub(a[0])}, {self.sub(a[1])})"
            case "unused":
                return f"unused(m, {self.where(Var(SOURCE, CardT('')))}, {a[0]!r}, {a[1]!r})"
            case "new":
                return f"new_card(m, {self.card_name(a[0])})"  # type: ignore[arg-type]
            case "sees":
                return f"sees(m, {self.sub(a[0])}, {self.sub(a[1])})"
            case "log":
                return f"texts(m, {self.sub(a[0])})"
            case "flaws":
                return f"flaws(m, {self.sub(a[0])}, {a[1]})"
            case "log_has":
                return f"told({self.sub(a[0])}, {self.sub(a[1])})"
        raise AssertionError(x.op)

    def bounded(self, x: X) -> bool:
        """Whether a number is known to lie between two others."""
        return None not in bounds(x.t, self.s)

    def kept(self, x: X) -> str:
        """`x` where it is kept while cards move: a list is what it was then, not what lies in a place now."""
        text = self.x(x)
        return f"[*{text}]" if type(x.t) is ListT and x.op not in NEW_LISTS else text

    def sum(self, x: X) -> str:
        """A chain of `+` and `-`, flat; a long one in groups, as some CPythons take no long chain of operators."""
        out: list[str] = []
        while x.op in ("add", "sub"):
            left, right = x.args
            assert isinstance(left, X)
            out.append(f" {'+' if x.op == 'add' else '-'} {self.sub(right)}")
            x = left
        terms = [self.x(x), *reversed(out)]
        groups = ["".join(terms[i : i + MOST_TERMS]) for i in range(0, len(terms), MOST_TERMS)]
        return f"({' + '.join([groups[0], *(f'(0{group})' for group in groups[1:])])})"

    def sub(self, a: object) -> str:
        assert isinstance(a, X), a
        return self.x(a)

    def flat(self, x: X, op: str) -> list[X]:
        """The operands of a chain of one operator, without recursion along it."""
        out: list[X] = []
        todo = [x]
        while todo:
            top = todo.pop()
            if top.op == op:
                todo.extend(reversed([p for p in top.args if isinstance(p, X)]))
            else:
                out.append(top)
        return out

    def quantified(self, body: X | None, var: Var, source: X, where: X | None, word: str) -> str:
        if word == "any":
            assert where is not None
            return self.comp(where, var, source, None, "any([{body} {each}])")
        return self.comp(body, var, source, where, "all([{body} {each}{cond}])")

    def negated(self, x: X) -> str:
        match x.op:
            case "inlist":
                return f"({self.sub(x.args[0])} not in {self.sub(x.args[1])})"
            case "isnone" | "notnone":
                return self.none_test(x.args[0], x.op == "notnone")
            case "empty":
                return f"(not not {self.contents(x.args[0])})"
        return f"(not {self.x(x)})"

    def contents(self, a: object) -> str:
        """A list of which only matters whether it is empty."""
        assert isinstance(a, X)
        text = self.x(a)
        if a.op == "parts" and a.args[2] is None and text.startswith("[c_ for z_ in "):
            return "any(" + text.removeprefix("[c_ for z_ in ").removesuffix(" for c_ in z_]") + ")"
        return text

    def none_test(self, a: object, none: bool) -> str:
        """Whether something is none. Hidden state is compared by `==`, which what stands for the unknown can refuse."""
        assert isinstance(a, X)
        if a.op == "top" and isinstance(a.args[0], X) and a.args[0].op == "place":
            return f"({'not' if none else 'not not'} {self.x(a.args[0])})"
        if self.secret(a):
            return f"({self.x(a)} {'==' if none else '!='} None)"
        return f"({self.x(a)} {'is' if none else 'is not'} None)"

    def secret(self, x: X) -> bool:
        if x.op == "player":
            return self.s.player[str(x.args[0])].secret
        return x.op == "card" and self.s.kinds[str(x.args[0])].states[str(x.args[1])].secret

    def kind_test(self, of: str, kinds: object) -> str:
        assert isinstance(kinds, tuple)
        return f"{of} == {kinds[0]}" if len(kinds) == 1 else f"{of} in {kinds!r}"

    def card_name(self, index: int) -> str:
        return f"C_{self.s.card_names[index]}"

    def bound_text(self, bound: object) -> str:
        return f"m.o_{bound}" if isinstance(bound, str) else repr(bound)
