"""For playouts: where cards lie, and whose they are, as far as the code itself shows it.

A card that is found in a place lies there, and has its seat's owner, until something may have moved it. So its place
and its owner need not be looked up, an owner that stays needs not be written, and a test of where it is may be decided.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from card_runtime.tabling import PURE, first_picks
from card_runtime.trees import Rewriter, expression, walk

Homes: TypeAlias = Sequence[tuple[int, int, int]]
"""Of each zone and each part of a board: its first place, the one behind its last, and how many places an element has
there, one a seat (2) or one for both (1)."""

STAY = PURE | frozenset(
    {"zip", "sorted", "bool", "int", "tuple", "lender", "form_of", "pick", "sample", "shuffle", "reveal", "hold"}
    | {"reveal_state", "set_form", "exchange", "lasting", "end_period", "tick", "too_deep", "undrawn", "unused", "ask_"}
    | {"both", "unregister_all", "copy_cards", "new_card", "product", "bounded", "sees", "fn_", "copies", "finish"}
    | {"arrived", "bring_", "passes", "take_"}
)
"""What is called and moves no card; and so are values and look-ups, whose names begin so: """
STAY_TOO = ("v_", "k_", "grid_", "q_")
LOCALS = "l_"
"""How the names of the language's own locals begin: one that is the index of a place is a seat, not its number."""
METHODS = frozenset({"append", "ask", "clear", "draw", "get", "keep", "pop", "remove", "setdefault"})


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: a number and what is added to it, as text."""

    base: int
    terms: tuple[str, ...]

    def text(self) -> str:
        return " + ".join([*([str(self.base)] if self.base or not self.terms else []), *self.terms])

    def mentions(self, name: str) -> bool:
        return any(_mentions(t, name) for t in self.terms)


def _mentions(text: str, name: str) -> bool:
    return name in _WORD.findall(text)


_WORD = re.compile(r"[^\W\d][\w·]*")
Content: TypeAlias = Spot | tuple[Spot | None, ...] | None
"""Where the cards of a list lie; or, of a list of tuples, the first ones in them; None of an empty list."""


@dataclass
class Known:
    """What is known of locals: where a card lies and whose it is; which place a number or a list is; what is in a
    list."""

    lies: dict[str, Spot] = field(default_factory=dict)
    owns: dict[str, str] = field(default_factory=dict)
    ids: dict[str, Spot] = field(default_factory=dict)
    places: dict[str, Spot] = field(default_factory=dict)
    lists: dict[str, Content] = field(default_factory=dict)
    true: dict[str, bool] = field(default_factory=dict)
    """Conditions that were tested, and nothing has been written since."""

    def parts(self) -> tuple[dict[str, object], ...]:
        return self.lies, self.owns, self.ids, self.places, self.lists, self.true  # type: ignore[return-value]

    def copy(self) -> Known:
        return Known(*(dict(p) for p in self.parts()))  # type: ignore[arg-type]

    def forget(self, name: str) -> None:
        """The local is given another value."""
        for text in [text for text in self.true if _mentions(text, name)]:
            del self.true[text]
        for part in self.parts():
            part.pop(name, None)
            for key in [k for k, x in part.items() if _tells_of(x, name)]:
                del part[key]

    def moved(self) -> None:
        """Any card may have been moved."""
        self.lies.clear()
        self.owns.clear()
        self.lists = {name: None for name, x in self.lists.items() if x is None}

    def common(self, other: Known) -> Known:
        """What is known on both ways."""
        both = Known()
        for mine, theirs, out in zip(self.parts(), other.parts(), both.parts(), strict=True):
            for name, x in mine.items():
                if name in theirs:
                    if theirs[name] == x:
                        out[name] = x
                    elif mine is self.lists and (x is None or theirs[name] is None):
                        out[name] = x or theirs[name]
        return both


def _tells_of(x: object, name: str) -> bool:
    if isinstance(x, tuple):
        return any(_tells_of(part, name) for part in x)
    return x.mentions(name) if isinstance(x, Spot) else isinstance(x, str) and _mentions(x, name)


def locate(modules: Sequence[ast.Module], homes: Homes) -> None:
    """Rewrite functions in place."""
    for module in modules:
        for f in module.body:
            if isinstance(f, ast.FunctionDef):
                f.body, _ = _Locate(homes).block(f.body, Known())
                f.body = f.body or [ast.copy_location(ast.Pass(), f)]


def owner(cards: ast.expr, homes: Homes) -> str | None:
    """Whose the cards of a list are, where a local says so."""
    to = _Locate(homes)
    sure, spot = to.content(cards, Known())
    seat = to.seat(spot) if sure and isinstance(spot, Spot) else None
    return seat if seat is not None and seat.startswith(LOCALS) else None


class _Locate:
    def __init__(self, homes: Homes) -> None:
        self.homes = homes
        self.growing: frozenset[str] = frozenset()
        """Lists that the loops around go on adding to: what is in them is known only behind these."""

    # ---- Places

    def spot(self, x: ast.expr, known: Known) -> Spot | None:
        """The place that an index is, made of numbers and locals."""
        base, todo = 0, [x]
        terms: list[str] = []
        while todo:
            match part := todo.pop():
                case ast.BinOp(left=left, op=ast.Add(), right=right):
                    todo += [right, left]
                case ast.Constant(value=int(n)):
                    base += n
                case ast.BinOp(left=ast.Constant(value=int(n)), op=ast.Mult(), right=ast.Constant(value=int(k))):
                    base += n * k
                case ast.BinOp(left=ast.Constant(value=int(n)), op=ast.Sub(), right=ast.Constant(value=int(k))):
                    base += n - k
                case ast.Name(id=name) if name in known.ids:
                    base += known.ids[name].base
                    terms += known.ids[name].terms
                case ast.Name(id=name) if part is not x or name.startswith(LOCALS):
                    terms.append(name)
                case (
                    ast.BinOp(left=ast.Name(), op=ast.Mult(), right=ast.Constant(value=2))
                    | ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=ast.Name())
                ):
                    terms.append(f"({ast.unparse(part)})")
                case _:
                    return None
        return Spot(base, tuple(sorted(terms)))

    def home(self, spot: Spot) -> tuple[int, int, int] | None:
        return next((h for h in self.homes if h[0] <= spot.base < h[1]), None)

    def seat(self, spot: Spot) -> str | None:
        """The seat of a place, where it is known."""
        home = self.home(spot)
        if home is None or home[2] == 1:
            return None
        seats = [t for t in spot.terms if not t.endswith("* 2)")]
        rest = (spot.base - home[0]) % 2
        return str(rest) if not seats else seats[0] if len(seats) == 1 and not rest else None

    def content(self, x: ast.expr, known: Known) -> tuple[bool, Content]:
        """Whether it is known what is in a list, and what."""
        match x:
            case ast.Name(id=name) if name in known.places:
                return True, known.places[name]
            case ast.Name(id=name) if name in known.lists and name not in self.growing:
                return True, known.lists[name]
            case ast.List(elts=[ast.Starred(value=inner)]) | ast.Subscript(value=inner, slice=ast.Slice()):
                return self.content(inner, known)
            case ast.List(elts=[]) | ast.Tuple(elts=[]):
                return True, None
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr="places"), slice=index):
                spot = self.spot(index, known)
                return spot is not None and self.home(spot) is not None, spot
            case ast.ListComp(elt=ast.Name(id=item), generators=[ast.comprehension(target=ast.Name(id=var), iter=of)]):
                return self.content(of, known) if item == var else (False, None)
            case ast.IfExp(body=body, orelse=orelse):
                (sure, one), (sure_too, other) = self.content(body, known), self.content(orelse, known)
                return sure and sure_too and (one is None or other is None or one == other), one or other
        return False, None

    # ---- Statements

    def block(self, stmts: list[ast.stmt], known: Known | None) -> tuple[list[ast.stmt], Known | None]:
        """The statements rewritten, and what is known after them; None where their end is not reached."""
        out: list[ast.stmt] = []
        for s in stmts:
            if known is None:
                break
            done, known = self.statement(s, known)
            out += done
        return out, known

    def statement(self, s: ast.stmt, known: Known) -> tuple[list[ast.stmt], Known | None]:
        match s:
            case ast.If():
                return self.branches(s, known)
            case ast.For() | ast.While():
                return self.loop(s, known)
            case ast.Try():
                return self.attempt(s, known)
        self.named(s, known)
        self.called(s, known)
        _Look(self, known).visit(s)
        if not (isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)):
            known.true.clear()
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.given(name, value, known)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                self.unpacked(names, value, known)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Attribute(attr="at"), slice=ast.Name(id=card))], value=value
            ):
                self.put(card, self.spot(value, known), known)
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="at"))]):
                known.moved()
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Attribute(attr="own"), slice=ast.Name(id=card))], value=value
            ):
                text = ast.unparse(value)
                if known.owns.get(card) == text:
                    return [], known
                known.owns.pop(card, None)
                if isinstance(value, ast.Name | ast.Constant):
                    known.owns[card] = text
            case ast.AugAssign(target=ast.Name(id=name)):
                known.forget(name)
            case ast.Expr(value=ast.Call(func=ast.Name(id="finish"))) | ast.Return() | ast.Break() | ast.Continue():
                return [s], None
        return [s], known

    def named(self, s: ast.AST, known: Known) -> None:
        """Forget what is said of locals that an expression gives other values."""
        for n in walk(s):
            if isinstance(n, ast.NamedExpr):
                known.forget(n.target.id)

    def called(self, s: ast.AST, known: Known) -> None:
        """Forget what calls may change; note what lists are given."""
        for n in walk(s):
            if isinstance(n, ast.Call) and not _pure(n):
                known.true.clear()
            match n:
                case ast.Call(func=ast.Name(id="move"), args=[_, ast.Name(id=card), *_]):
                    self.put(card, None, known)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item]):
                    self.appended(name, item, known)
                case ast.Call() if _moves(n):
                    known.moved()

    def appended(self, name: str, item: ast.expr, known: Known) -> None:
        if name not in known.lists:
            return
        new: Content = None
        match item:
            case ast.Name(id=card) if card in known.lies:
                new = known.lies[card]
            case ast.Tuple(elts=elts):
                new = tuple(known.lies.get(x.id) if isinstance(x, ast.Name) else None for x in elts)
        if new is None or known.lists[name] not in (None, new):
            del known.lists[name]
        else:
            known.lists[name] = new

    def put(self, card: str, spot: Spot | None, known: Known) -> None:
        """A card is put into a place: so may other locals be that stand for the same card."""
        old = known.lies.pop(card, None)
        owner = known.owns.get(card)
        home = None if old is None else self.home(old)

        def apart(other: Spot) -> bool:
            return home is not None and self.home(other) not in (None, home)

        for name in [name for name, x in known.lies.items() if not apart(x)]:
            del known.lies[name]
        for name in [name for name in known.owns if name not in known.lies]:
            del known.owns[name]
        for name, x in list(known.lists.items()):
            spots = x if isinstance(x, tuple) else (x,)
            if not all(s is None or apart(s) for s in spots):
                del known.lists[name]
        if spot is not None and self.home(spot) is not None:
            known.lies[card] = spot
            if owner is not None:
                known.owns[card] = owner

    def found(self, card: str, spot: Spot | None, known: Known) -> None:
        """A local stands for a card that lies in a place."""
        if spot is not None and not spot.mentions(card):
            known.lies[card] = spot
            seat = self.seat(spot)
            if seat is not None:
                known.owns[card] = seat

    def given(self, name: str, value: ast.expr, known: Known) -> None:
        before = known.copy()
        known.forget(name)
        match value:
            case ast.Name(id=other):
                for part, old in zip(known.parts(), before.parts(), strict=True):
                    if other in old and not _tells_of(old[other], name):
                        part[name] = old[other]
                return
            case ast.Subscript(value=ast.Name() as items, slice=index) if not isinstance(index, ast.Slice):
                sure, content = self.content(items, before)
                if sure and isinstance(content, Spot):
                    self.found(name, content, known)
                return
            case ast.Call(func=ast.Attribute(value=ast.Name() as items, attr="pop"), args=[]):
                sure, content = self.content(items, before)
                if sure and isinstance(content, Spot):
                    self.found(name, content, known)
                return
            case ast.Subscript(value=ast.Attribute(attr="places"), slice=index) if not isinstance(index, ast.Slice):
                spot = self.spot(index, before)
                if spot is not None and self.home(spot) is not None and not spot.mentions(name):
                    known.places[name] = spot
                return
        sure, content = self.content(value, before)
        if sure:
            if not _tells_of(content, name):
                known.lists[name] = content
        elif isinstance(value, ast.BinOp | ast.Constant):
            spot = self.spot(value, before)
            if spot is not None and not spot.mentions(name):
                known.ids[name] = spot

    def unpacked(self, names: list[ast.expr], value: ast.expr, known: Known) -> None:
        content: Content = None
        if isinstance(value, ast.Subscript):
            _, content = self.content(value.value, known)
        for n in names:
            for inner in walk(n):
                if isinstance(inner, ast.Name):
                    known.forget(inner.id)
        if isinstance(content, tuple):
            for n, spot in zip(names, content, strict=False):
                if isinstance(n, ast.Name):
                    self.found(n.id, spot, known)

    # ---- Branches and loops

    def branches(self, s: ast.If, known: Known) -> tuple[list[ast.stmt], Known | None]:
        self.named(s.test, known)
        self.called(s.test, known)
        s.test = _Look(self, known).test(s.test)
        if isinstance(s.test, ast.Constant):
            return self.block(s.body if s.test.value else s.orelse, known)
        inside = known.copy()
        if not any(isinstance(n, ast.Call | ast.NamedExpr) for n in walk(s.test)):
            inside.true[ast.unparse(s.test)] = True
            known.true[ast.unparse(s.test)] = False
        s.body, one = self.block(s.body, inside)
        s.orelse, other = self.block(s.orelse, known)
        if not s.body:
            s.body = [ast.copy_location(ast.Pass(), s)]
        return [s], other if one is None else one if other is None else one.common(other)

    def loop(self, s: ast.For | ast.While, known: Known) -> tuple[list[ast.stmt], Known | None]:
        if isinstance(s, ast.For):
            self.named(s.iter, known)
            self.called(s.iter, known)
            s.iter = _Look(self, known).visit(s.iter)
        sure, content = self.content(s.iter, known) if isinstance(s, ast.For) else (False, None)
        stored = {n.id for n in _walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        grown = {name for n in _walk(s) for name in _appended(n)} & set(known.lists)
        before = {name: known.lists[name] for name in grown}
        var = s.target.id if isinstance(s, ast.For) and isinstance(s.target, ast.Name) else None
        done = [n for inner in s.body for n in walk(inner)]
        put = {card for n in done if (card := _put_card(n)) is not None}
        others = bool(put - {var}) or any(isinstance(n, ast.Call) and _moves(n) and _put_card(n) is None for n in done)
        for name in (*stored, *grown):
            known.forget(name)
        known.true.clear()
        if others or put:
            known.moved()  # where only what is gone through is moved, other locals may stand for the same card
        inside = known.copy()
        for name in grown:
            inside.lists[name] = None
        around = self.growing
        anew = {t.id for x in s.body if isinstance(x, ast.Assign) for t in x.targets if isinstance(t, ast.Name)}
        self.growing |= grown - anew
        steady = sure and isinstance(content, Spot) and not any(content.mentions(name) for name in stored)
        if var is not None and steady and not others:
            assert isinstance(content, Spot)
            self.found(var, content, inside)
        if isinstance(s, ast.While):
            self.named(s.test, inside)
            s.test = _Look(self, inside).visit(s.test)
        s.body, end = self.block(s.body, inside)
        self.growing = around
        leaves = any(isinstance(n, ast.Break | ast.Continue) for n in done)
        for name in grown:
            after = end.lists.get(name, ()) if end is not None and not leaves else ()
            if after != () and not any(_tells_of(after, n) for n in stored) and before[name] in (None, after):
                known.lists[name] = after
        if not s.body:
            s.body = [ast.copy_location(ast.Pass(), s)]
        return [s], known

    def attempt(self, s: ast.Try, known: Known) -> tuple[list[ast.stmt], Known | None]:
        """Options that are looked up: their first picks come from a place."""
        picks = first_picks(s)
        known.true.clear()
        for n in walk(s):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                known.forget(n.id)
        if any((isinstance(n, ast.Call) and _moves(n)) or _put_card(n) is not None for n in walk(s)):
            known.moved()
        s.body, _ = self.block(s.body, known.copy())
        for handler in s.handlers:
            handler.body, _ = self.block(handler.body, known.copy())
        if picks is not None:
            sure, content = self.content(picks[1], known)
            if sure and isinstance(content, Spot):
                known.lists[picks[0]] = (content,)
        return [s], known


def _walk(s: ast.For | ast.While) -> Iterator[ast.AST]:
    """What a loop does again and again."""
    yield from ast.walk(s.target if isinstance(s, ast.For) else s.test)
    for inner in s.body:
        yield from ast.walk(inner)


def _appended(n: ast.AST) -> Iterable[str]:
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
            return (name,)
    return ()


def _put_card(n: ast.AST) -> str | None:
    """The local whose card is put somewhere here; "" where it is not known which."""
    match n:
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="at"), slice=ast.Name(id=card))]):
            return card
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="at"))]):
            return ""
        case ast.Call(func=ast.Name(id="move"), args=[_, ast.Name(id=card), *_]):
            return card
    return None


def _pure(n: ast.Call) -> bool:
    """Whether a call surely changes nothing."""
    return isinstance(n.func, ast.Name) and (n.func.id in PURE or n.func.id.startswith("v_"))


def _moves(n: ast.Call) -> bool:
    """Whether a call may move cards."""
    match n.func:
        case ast.Name(id=name):
            return name.split("·")[0] not in STAY and not name.startswith(STAY_TOO)
        case ast.Attribute(attr=name):
            return name not in METHODS
    return True


class _Look(Rewriter):
    """Writes into an expression what is known."""

    def __init__(self, to: _Locate, known: Known) -> None:
        self.to = to
        self.known = known

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self.inside(node)

    visit_GeneratorExp = visit_SetComp = visit_DictComp = visit_ListComp  # type: ignore[assignment]

    def inside(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> ast.AST:
        around, self.known = self.known, self.known.copy()
        for loop in node.generators:
            loop.iter = self.visit(loop.iter)
            sure, content = self.to.content(loop.iter, self.known)
            for n in walk(loop.target):
                if isinstance(n, ast.Name):
                    self.known.forget(n.id)
            if sure and isinstance(content, Spot) and isinstance(loop.target, ast.Name):
                self.to.found(loop.target.id, content, self.known)
            loop.ifs = [self.visit(x) for x in loop.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.visit(getattr(node, name)))
        self.known = around
        return node

    def test(self, x: ast.expr) -> ast.expr:
        """A condition, of which counts only whether it holds."""
        return self.known_to_hold(self.visit(x))

    def known_to_hold(self, x: ast.expr) -> ast.expr:
        held = self.known.true.get(ast.unparse(x)) if self.known.true else None
        return x if held is None else ast.copy_location(ast.Constant(value=held), x)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        match node:
            case ast.Compare(
                left=ast.Constant(value=int(low)),
                ops=[ast.LtE(), ast.Lt()],
                comparators=[
                    ast.Subscript(value=ast.Attribute(attr="at"), slice=ast.Name(id=card)),
                    ast.Constant(value=int(high)),
                ],
            ) if card in self.known.lies and (home := self.to.home(self.known.lies[card])) is not None:
                if low <= home[0] and home[1] <= high:
                    return ast.copy_location(ast.Constant(value=True), node)
                if home[1] <= low or high <= home[0]:
                    return ast.copy_location(ast.Constant(value=False), node)
        self.generic_visit(node)
        return self.known_to_hold(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        known = self.known
        match node:
            case ast.Subscript(value=ast.Attribute(attr="own"), slice=ast.Name(id=card), ctx=ast.Load()) if (
                card in known.owns
            ):
                return expression(known.owns[card], node)
            case ast.Subscript(value=ast.Name(id="SEAT"), slice=index):
                spot = self.to.spot(index, known)
                seat = None if spot is None else self.to.seat(spot)
                if seat is not None:
                    return expression(seat, node)
            case ast.Subscript(
                value=ast.Attribute(attr="places"),
                slice=ast.Subscript(value=ast.Attribute(attr="at"), slice=ast.Name(id=card)),
            ) if card in known.lies:
                spot = known.lies[card]
                same = next((name for name, x in known.places.items() if x == spot), None)
                return expression(same or f"m.places[{spot.text()}]", node)
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        ends = isinstance(node.op, ast.Or)
        values = [x for x in node.values[:-1] if not (isinstance(x, ast.Constant) and bool(x.value) is not ends)]
        values.append(node.values[-1])
        for i, x in enumerate(values):
            if isinstance(x, ast.Constant) and bool(x.value) is ends:
                values = values[: i + 1]
                break
        node.values = values
        return values[0] if len(values) == 1 else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        node.operand = self.test(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.copy_location(ast.Constant(value=not node.operand.value), node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self.test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node
