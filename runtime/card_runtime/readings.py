"""For playouts: what a function has read, and nothing has changed since, it does not look up again.

Followed are the places of a match (their lists stay the same, whatever lies in them), what is printed, entries of cards
and players, and sums of locals. Reading one again costs three to five bytecodes, a local one; so the first reading is
given a name where the later ones, by the loops and conditions that they stand in, are worth it. What was just written
is read from the local that was written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from card_runtime.sides import EACH, LOOPED, SIDE, TESTED, Sides, number, parts
from card_runtime.tabling import PURE
from card_runtime.trees import Rewriter, copied, walk
from card_runtime.whereabouts import Homes

PRINTED = ("B_", "D_", "H_", "S_", "T_")
ENTRIES = ("c_", "p_", "b_")
LASTING = frozenset({"K", "base", "places"})
"""Lists of the match with entries that stay as they are: these, and those that begin with PRINTED."""
CHANGING = frozenset({"age", "at", "d", "own", "up"})
"""The same of those that are written: these, and those that begin with ENTRIES."""
FIELDS = ("p_", "s_")
"""How the names of slots begin that belong to players and to the match."""
SINGLE = ("s_", "clock")
"""How the names of slots begin that are followed and are no lists."""
CONSTANT = frozenset({"ELEMENT", "PLAIN", "SEAT", "SEATS_FROM"})
HARMLESS = PURE | frozenset(
    {"arrived", "bool", "copies", "int", "lender", "passes", "pick", "sample", "shuffle", "sorted", "tick"}
    | {"too_deep", "tuple", "undrawn", "unregister_all", "zip"}
)
"""What is called and writes nothing that is followed; and so are values and look-ups, whose names begin so: """
HARMLESS_TOO = ("v_", "k_", "grid_", "q_", "fn_", "bring_", "take_")
PURELY = PURE | frozenset({"arrived", "bool", "copies", "int", "lender", "sorted", "tuple", "zip"})
"""What is called and writes nothing at all; and so are: """
PURELY_TOO = ("v_", "k_", "fn_")
ANY = "·any"
"""What a value of the game reads: it may be any slot, and what lies in places. """
UNREAD = frozenset({"depth", "memo", "steps"})
"""Slots that no value reads."""
VALUE = 20
"""What reading one costs at least, in bytecodes."""
MOVING = frozenset({"copy_cards", "draw", "exchange", "move", "move_all", "move_places", "set_form"})
"""What writes entries of cards and elements, and no field of players or of the match."""
METHODS = frozenset({"append", "ask", "clear", "draw", "get", "keep", "pop", "remove", "setdefault"})
"""Methods that do: of lists, which only grow or lose what lies in places, and of what keeps registries."""
TRIES = 4
NAMING = 2
"""What it costs to give a reading a name, in bytecodes."""

def share(f: ast.FunctionDef, homes: Homes = ()) -> None:
    """Rewrite a function in place."""
    _Plain().visit(f)
    Sides(homes).function(f)
    steady = _Steady()
    f.body = steady.block(f.body, frozenset(), frozenset(), frozenset())
    refused: set[ast.AST] = set()
    count = steady.count
    for _ in range(TRIES):
        found = _Find(refused)
        found.block(f.body, {}, 1.0)
        before = len(refused)
        accepted = found.accepted(count)
        count += len(accepted)
        _Write(accepted).visit(f)
        if len(refused) == before:
            return


class _Plain(Rewriter):
    """Works sums of numbers out, so that the same place is named alike, and counts a period by writing what is read,
    which is less than to write in place."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        found = number(node)
        return node if found is None else ast.copy_location(ast.Constant(value=found), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        match node.target:
            case ast.Subscript(value=slot, slice=ast.Constant()) as target if _slot(slot) == "periods":
                read = ast.copy_location(ast.Subscript(value=slot, slice=target.slice, ctx=ast.Load()), node)
                value = ast.copy_location(ast.BinOp(left=read, op=node.op, right=node.value), node)
                return ast.copy_location(ast.Assign(targets=[target], value=value), node)
        return node


# ---- What is followed


@dataclass(frozen=True, slots=True)
class Reading:
    """An expression that is followed: its text, what it follows from, what it costs; of an entry its `slot` and
    `index`; whether it is a list, whose content may change."""

    text: str
    names: frozenset[str]
    slots: frozenset[str]
    cost: int
    slot: str = ""
    index: str = ""
    listed: bool = False


def _slot(x: ast.expr) -> str | None:
    """The name of the slot of the match that an expression is."""
    match x:
        case ast.Attribute(value=ast.Name(id="m"), attr=name):
            return name
        case ast.Name(id=name) if name.startswith("m·"):
            return name[2:]
    return None


def reading(x: ast.AST) -> Reading | None:
    """What an expression reads, if that is followed; or if it is the part of one that is."""
    match x:
        case ast.Name(id=name) if not name.startswith("m·") and name != "m":
            return Reading(name, frozenset({name}), frozenset(), 1)
        case ast.Constant(value=int(n)):
            return Reading(str(n), frozenset(), frozenset(), 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
            one, other = reading(left), reading(right)
            if one is None or other is None or one.listed or other.listed:
                return None
            sign = "+" if isinstance(op, ast.Add) else "-" if isinstance(op, ast.Sub) else "*"
            return Reading(
                f"({one.text} {sign} {other.text})",
                one.names | other.names,
                one.slots | other.slots,
                one.cost + other.cost + 1,
            )
        case ast.Subscript(value=value, slice=index):
            at = reading(index)
            if at is None:
                return None
            slot = _slot(value)
            if slot is None:
                if not isinstance(value, ast.Name) or not (value.id in CONSTANT or value.id.startswith(SIDE)):
                    return None
                if value.id.startswith(SIDE):
                    return Reading(f"{value.id}[{at.text}]", at.names, at.slots, at.cost + 2, listed=True)
                return Reading(f"{value.id}[{at.text}]", at.names, at.slots, at.cost + 2)
            cost = at.cost + (2 if isinstance(value, ast.Name) else 3)
            if slot in LASTING or slot.startswith(PRINTED):
                return Reading(f"{slot}[{at.text}]", at.names, at.slots, cost, listed=slot == "places")
            if slot in CHANGING or slot.startswith(ENTRIES):
                return Reading(f"{slot}[{at.text}]", at.names, at.slots | {slot}, cost, slot, at.text)
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="m"), *args], keywords=[]) if name.startswith("v_"):
            found = [reading(a) for a in args]
            given = [r for r in found if r is not None and not r.listed]
            if len(given) < len(args):
                return None
            names = frozenset(n for r in given for n in r.names)
            return Reading(f"{name}({[r.text for r in given]})", names, frozenset({ANY}), VALUE, listed=True)
        case ast.Attribute(value=ast.Name(id="m"), attr=slot) if slot.startswith(SINGLE):
            return Reading(f"m.{slot}", frozenset(), frozenset({slot}), 2, slot)
    return None


def _followed(x: ast.AST) -> Reading | None:
    """What an expression reads, if that is worth a name."""
    match x:
        case ast.Subscript(ctx=ast.Load()) | ast.BinOp() | ast.Attribute(ctx=ast.Load()) | ast.Call():
            found = reading(x)
            return found if found is not None and (found.names or found.slots or "[" in found.text) else None
    return None


def _apart(one: str, other: str) -> bool:
    """Whether two indices surely differ: two numbers, or a player and the other one."""
    return (one.isdigit() and other.isdigit() and one != other) or one == f"(1 - {other})" or other == f"(1 - {one})"


@dataclass
class Effects:
    """What code may change of what is followed: locals, slots, those of cards and elements, or any slot; and whether
    it writes anything else."""

    names: set[str]
    slots: set[str]
    any: bool = False
    cards: bool = False
    more: bool = False

    def call(self, call: ast.Call) -> None:
        """What a call may change."""
        if isinstance(call.func, ast.Name) and call.func.id in MOVING:
            self.cards = True
        else:
            self.any |= not _harmless(call)
        self.more |= not _pure(call)


def _effects(nodes: Iterable[ast.AST]) -> Effects:
    found = Effects(set(), set())
    for node in nodes:
        for n in walk(node):
            match n:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    found.names.add(name)
                case ast.Attribute(ctx=ast.Store() | ast.Del()) if n.attr not in UNREAD:
                    found.slots.add(n.attr)
                case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                    if slot := _slot(value):
                        found.slots.add(slot)
                    found.more = True
                case ast.Call():
                    found.call(n)
    return found


def _harmless(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name):
            return name in HARMLESS or name.startswith(HARMLESS_TOO)
        case ast.Attribute(attr=name):
            return name in METHODS
    return False


def _pure(call: ast.Call) -> bool:
    """Whether a call writes nothing but a list of options, or of what a value finds."""
    match call.func:
        case ast.Name(id=name):
            return name in PURELY or name.startswith(PURELY_TOO)
        case ast.Attribute(value=ast.Name(id=name), attr="append"):
            return name.startswith(("o_", "x"))
        case ast.Attribute(attr="get"):
            return True
    return False


# ---- What is read again


Entry: TypeAlias = "frozenset[ast.AST] | ast.expr"
"""Where a reading has got its name (expressions, and statements that write it), or the local or constant that it is."""
Held: TypeAlias = dict[str, tuple[Reading, Entry]]
"""The readings that hold, by their text."""


def _lose(held: Held, effects: Effects) -> None:
    gone = [
        text
        for text, (r, entry) in held.items()
        if not effects.names.isdisjoint(r.names)
        or not effects.slots.isdisjoint(r.slots)
        or (effects.any and r.slots)
        or (effects.cards and not all(slot.startswith(FIELDS) for slot in r.slots))
        or (ANY in r.slots and (effects.slots or effects.more))
        or (isinstance(entry, ast.Name) and entry.id in effects.names)
    ]
    for text in gone:
        del held[text]


def _common(one: Held | None, other: Held | None) -> Held | None:
    """What holds on both ways; None: a way whose end is not reached."""
    if one is None or other is None:
        return other if one is None else one
    both: Held = {}
    for text, (r, entry) in one.items():
        if text in other:
            theirs = other[text][1]
            if isinstance(entry, frozenset) and isinstance(theirs, frozenset):
                both[text] = r, entry | theirs
            elif isinstance(entry, ast.expr) and isinstance(theirs, ast.expr) and ast.dump(entry) == ast.dump(theirs):
                both[text] = r, entry
    return both


Ways: TypeAlias = tuple[Held, Held, Held]
"""What holds after an expression, if it is true, if it is false."""


class _Find:
    """Goes through a function as it runs, and notes what is read again, where it was read first, and what each costs
    by its weight. `refused`: readings that are left as they are."""

    def __init__(self, refused: set[ast.AST]) -> None:
        self.refused = refused
        self.again: list[tuple[ast.expr, Reading, Entry, float]] = []
        self.weights: dict[ast.AST, float] = {}

    def accepted(self, count: int) -> dict[ast.AST, ast.expr | list[str]]:
        """What to write for what is read again, and names for where it is read first. What is not worth it is refused,
        so that what it holds may be read again itself. `count`: how many names were given before."""
        group: dict[ast.AST, ast.AST] = {}

        def root(x: ast.AST) -> ast.AST:
            while group.setdefault(x, x) is not x:
                x = group[x]
            return x

        for _, _, entry, _ in self.again:
            if isinstance(entry, frozenset):
                first, *others = entry
                for other in others:
                    group[root(other)] = root(first)
        profit: dict[ast.AST, float] = {}
        for _, r, entry, weight in self.again:
            if isinstance(entry, frozenset):
                at = root(next(iter(entry)))
                profit[at] = profit.get(at, 0) + weight * (r.cost - 1)
        for origin in group:
            if root(origin) in profit:
                profit[root(origin)] -= self.weights[origin] * NAMING
        self.refused |= {origin for origin in group if profit.get(root(origin), 1) <= 0}
        out: dict[ast.AST, ast.expr | list[str]] = {}
        names: dict[str, str] = {}
        for node, r, entry, _ in self.again:
            if isinstance(entry, frozenset) and profit[root(next(iter(entry)))] <= 0:
                self.refused.add(node)
            elif isinstance(entry, frozenset):
                name = names.setdefault(r.text, f"same_{count + len(names)}")
                for origin in entry:
                    given = out.setdefault(origin, [])
                    assert isinstance(given, list)
                    if name not in given:
                        given.append(name)
                out[node] = ast.Name(id=name, ctx=ast.Load())
            else:
                out[node] = entry
        return out

    # ---- Expressions

    def look(self, x: ast.AST | None, held: Held, weight: float) -> Ways:
        match x:
            case None | ast.Constant() | ast.Name():
                return held, held, held
            case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                _lose(held, _effects([x]))
                return held, held, held
            case ast.BoolOp(op=op, values=[head, *rest]):
                after, true, false = self.look(head, held, weight)
                stays = dict(after)
                inner = true if isinstance(op, ast.And) else false
                for y in rest:
                    weight *= TESTED
                    inner, true, false = self.look(y, dict(inner), weight)
                    inner = true if isinstance(op, ast.And) else false
                both = _common(stays, inner) or {}
                return both, (inner if isinstance(op, ast.And) else both), (both if isinstance(op, ast.And) else inner)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                _, true, false = self.look(test, held, weight)
                one = self.look(body, dict(true), weight * TESTED)[0]
                other = self.look(orelse, dict(false), weight * TESTED)[0]
                both = _common(one, other) or {}
                return both, both, both
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                after, true, false = self.look(operand, held, weight)
                return after, false, true
            case ast.Compare(left=left, comparators=[right, *rest]):
                held = self.look(left, held, weight)[0]
                held = self.look(right, held, weight)[0]
                for y in rest:
                    held = _common(held, self.look(y, dict(held), weight)[0]) or {}
                return held, held, held
            case ast.NamedExpr(target=target, value=value):
                held = self.look(value, held, weight)[0]
                self.given(target.id, value, held)
                return held, held, held
            case ast.Call(func=func, args=args, keywords=keywords) if _followed(x) is None or x in self.refused:
                for y in (func.value if isinstance(func, ast.Attribute) else func, *args, *(k.value for k in keywords)):
                    held = self.look(y, held, weight)[0]
                effects = Effects(set(), set())
                effects.call(x)
                _lose(held, effects)
                return held, held, held
        r = None if x in self.refused else _followed(x)
        if r is not None and r.text in held:
            assert isinstance(x, ast.expr)
            self.again.append((x, r, held[r.text][1], weight))
            return held, held, held
        for part in ast.iter_child_nodes(x):
            if isinstance(part, ast.expr):
                held = self.look(part, held, weight)[0]
        if r is not None:
            self.weights[x] = weight
            held[r.text] = r, frozenset({x})
        return held, held, held

    # ---- Statements

    def block(self, stmts: Sequence[ast.stmt], held: Held | None, weight: float) -> Held | None:
        """What holds after statements; None where their end is not reached."""
        for s in stmts:
            if held is None:
                break
            held = self.statement(s, held, weight)
        return held

    def statement(self, s: ast.stmt, held: Held, weight: float) -> Held | None:
        match s:
            case ast.Assign(targets=targets, value=value):
                held = self.look(value, held, weight)[0]
                for target in targets:
                    held = self.target(target, held, weight)
                for target in targets:
                    self.stored(s, target, value, held, weight)
            case ast.AugAssign(target=target, value=value):
                held = self.target(target, held, weight)
                held = self.look(value, held, weight)[0]
                _lose(held, _effects([target]))
            case ast.If(test=test, body=body, orelse=orelse):
                _, true, false = self.look(test, held, weight)
                true, false = dict(true), dict(false)
                one = self.block(body, true, weight * TESTED)
                other = self.block(orelse, false, weight * TESTED) if orelse else false
                return _common(one, other)
            case ast.For(target=target, iter=source, body=body, orelse=orelse):
                held = self.look(source, held, weight)[0]
                _lose(held, _effects([target, *body]))
                self.block(body, dict(held), weight * LOOPED)
                return self.block(orelse, held, weight)
            case ast.While(test=test, body=body, orelse=orelse):
                _lose(held, _effects([test, *body]))
                _, true, false = self.look(test, dict(held), weight * LOOPED)
                self.block(body, dict(true), weight * LOOPED)
                return self.block(orelse, held, weight)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
                _lose(held, _effects([s]))
                self.block([*body, *orelse], dict(held), weight)
                for handler in handlers:
                    self.block(handler.body, dict(held), weight * TESTED)
                return self.block(finalbody, held, weight)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self.look(getattr(s, "value", None), held, weight)
                return None
            case ast.Expr(value=value):
                return self.look(value, held, weight)[0]
            case ast.Pass():
                return held
            case _:
                _lose(held, _effects([s]))
                if any(isinstance(n, ast.FunctionDef | ast.With | ast.Match) for n in walk(s)):
                    held.clear()
        return held

    def target(self, target: ast.expr, held: Held, weight: float) -> Held:
        """What is read to find what is written."""
        match target:
            case ast.Subscript(value=value, slice=index):
                held = self.look(value, held, weight)[0]
                return self.look(index, held, weight)[0]
            case ast.Attribute(value=value):
                return self.look(value, held, weight)[0]
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                for y in elts:
                    held = self.target(y, held, weight)
        return held

    def stored(self, s: ast.Assign, target: ast.expr, value: ast.expr, held: Held, weight: float) -> None:
        if isinstance(target, ast.Name):
            self.given(target.id, value, held)
            return
        r = None if isinstance(target, ast.Tuple | ast.List) else reading(target)
        if r is None or not r.slot:
            _lose(held, _effects([target]))
            return
        for text in [
            t
            for t, (x, _) in held.items()
            if ANY in x.slots or (r.slot in x.slots and not (x.slot == r.slot and _apart(x.index, r.index)))
        ]:
            del held[text]
        index = reading(target.slice) if isinstance(target, ast.Subscript) else None
        if index is not None and r.slot in index.slots:
            return  # it may be another entry now
        also = next((t for t in s.targets if isinstance(t, ast.Name)), None)
        match value:
            case ast.Name() | ast.Constant():
                held[r.text] = r, value
            case _ if also is None:
                self.weights[s] = weight
                held[r.text] = r, frozenset({s})

    def given(self, name: str, value: ast.expr, held: Held) -> None:
        """A local is given a value: it may stand for what was read."""
        r = None if value in self.refused else _followed(value)
        _lose(held, Effects({name}, set()))
        if r is not None and r.text in held and held[r.text][1] == frozenset({value}):
            held[r.text] = r, ast.Name(id=name, ctx=ast.Load())


class _Write(Rewriter):
    """Puts what is known in the place of what is read again, and gives what is read first its names."""

    def __init__(self, found: Mapping[ast.AST, ast.expr | list[str]]) -> None:
        self.found = found

    def visit(self, node: ast.AST) -> ast.AST:
        found = self.found.get(node, [])
        if isinstance(found, ast.expr):
            return ast.copy_location(copied(found), node)
        new: ast.AST = super().visit(node)
        for name in found:
            target = ast.copy_location(ast.Name(id=name, ctx=ast.Store()), node)
            if isinstance(new, ast.Assign):
                new.targets.insert(0, target)
            else:
                assert isinstance(new, ast.expr)
                new = ast.copy_location(ast.NamedExpr(target=target, value=new), node)
        return new


# ---- What stays the same in a loop


class _Steady:
    """Gives names before a loop to what follows from a player or a card that stays the same in it, where the loop is
    sure to read it often enough: places and sums, and entries of cards that the loop does not write. Nothing can fail
    there: the player is one, as a list of players was asked for him before, and the card was found in a place, or asked
    for its owner by what the loop goes through."""

    def __init__(self) -> None:
        self.count = 0

    def block(
        self, stmts: list[ast.stmt], players: frozenset[str], known: frozenset[str], cards: frozenset[str]
    ) -> list[ast.stmt]:
        """`players`, `cards`: the locals that surely are some; `known`: texts that have a name already."""
        out: list[ast.stmt] = []
        for s in stmts:
            effects = _effects([s])
            stored = effects.names
            if isinstance(s, ast.For | ast.While):
                inside = players - stored
                here = (cards | _asked(s.iter) if isinstance(s, ast.For) else cards) - stored
                made = self.before(s, inside, known, here, effects)
                out += made.values()
                if isinstance(s, ast.For) and isinstance(s.target, ast.Name):
                    steady = {s.target.id} - _effects(s.body).names
                    inside |= steady if _of_seats(s.iter) else set()
                    source = reading(s.iter)
                    here |= steady if source is not None and source.listed and not source.slots else set()
                s.body = self.block(s.body, inside, known | made.keys(), here)
            elif isinstance(s, ast.If):
                s.body = self.block(s.body, players, known, cards)
                s.orelse = self.block(s.orelse, players, known, cards)
            players -= stored
            cards -= stored
            if isinstance(s, ast.Assign | ast.AugAssign):
                targets = s.targets if isinstance(s, ast.Assign) else [s.target]
                players |= {name for t in targets for name in _indexed(t)}
            out.append(s)
        return out

    def before(
        self,
        loop: ast.For | ast.While,
        players: frozenset[str],
        known: frozenset[str],
        cards: frozenset[str],
        effects: Effects,
    ) -> dict[str, ast.stmt]:
        gains: dict[str, float] = {}
        found: dict[str, tuple[Reading, ast.expr]] = {}

        def steady(x: ast.AST, r: Reading) -> bool:
            if not r.slots:
                return bool(r.names) and r.names <= players
            kept = not effects.any and not effects.cards and r.slots.isdisjoint(effects.slots)
            return kept and r.names <= cards and _of_card(x)

        def weigh(node: ast.AST, weight: float) -> None:
            r = _followed(node)
            if r is not None and steady(node, r):
                assert isinstance(node, ast.expr)
                gains[r.text] = gains.get(r.text, 0) + weight * (r.cost - 1)
                found.setdefault(r.text, (r, node))
                return
            for n, often in parts(node, weight):
                weigh(n, often)

        for s in loop.body if players or cards else ():
            weigh(s, LOOPED * (EACH if isinstance(loop, ast.For) else 1))
        made: dict[str, ast.stmt] = {}
        for text, (r, x) in found.items():
            if text not in known and gains[text] > r.cost + 1:
                target = ast.copy_location(ast.Name(id=f"same_{self.count}", ctx=ast.Store()), x)
                made[text] = ast.copy_location(ast.Assign(targets=[target], value=copied(x)), x)
                self.count += 1
        return made


def _asked(x: ast.expr) -> frozenset[str]:
    """The locals that surely are cards, as an expression reads an entry of them whatever happens."""
    match x:
        case ast.Subscript(value=value, slice=index):
            slot = _slot(value) or ""
            found = _asked(value) | _asked(index)
            return found | {index.id} if slot in CHANGING and isinstance(index, ast.Name) else found
        case ast.BinOp(left=left, right=right):
            return _asked(left) | _asked(right)
    return frozenset()


def _of_card(x: ast.AST) -> bool:
    """Whether this reads an entry of a card, or what is printed on one."""
    match x:
        case ast.Subscript(value=value, slice=ast.Name()):
            slot = _slot(value) or ""
            return slot in CHANGING or slot.startswith("c_")
        case ast.Subscript(value=value, slice=ast.Subscript(value=inner, slice=ast.Name())):
            slot = _slot(value) or ""
            return (slot.startswith("D_") or slot in ("K", "base")) and _slot(inner) == "d"
    return False


def _of_seats(x: ast.expr) -> bool:
    """Whether this goes through players."""
    match x:
        case ast.Subscript(value=ast.Name(id="SEATS_FROM")):
            return True
        case ast.Tuple(elts=elts):
            return all(isinstance(e, ast.Constant) and e.value in (0, 1) for e in elts)
    return False


def _indexed(target: ast.expr) -> Iterator[str]:
    """The local whose entry of a list of players is written."""
    match target:
        case ast.Subscript(value=value, slice=ast.Name(id=name)) if (_slot(value) or "").startswith("p_"):
            yield name
