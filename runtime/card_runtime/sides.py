"""For playouts: the places of both players, put together where code often asks for that of one of them; and how often
the parts of code are done, as far as it can be guessed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from card_runtime.trees import Rewriter, parsed
from card_runtime.whereabouts import LOCALS, Homes

SIDE = "side_"
PUT_TOGETHER = 12
"""What it costs to put the places of both players together, in bytecodes, and what it must be worth."""
ROUNDS = 4.0
"""So often a loop of a match goes round, at least; """
LOOPED = 2.0
"""so much more often what stands in one is done than what stands right before it, as this may be a loop, too; """
EACH = 2.0
"""the same of what is done with each of some things, once more; """
TESTED = 0.5
"""and what stands under a condition."""


class Sides(Rewriter):
    """Finds the place of a player among two instead of all, `side_4[l_p]` for `m·places[4 + l_p]`, in a function that
    asks often enough for the two to be put together at its beginning."""

    def __init__(self, homes: Homes) -> None:
        self.homes = homes
        self.wanted: frozenset[int] = frozenset()

    def function(self, f: ast.FunctionDef) -> None:
        weights: dict[int, float] = {}
        for s in f.body:
            self.weigh(s, 1.0, weights)
        self.wanted = frozenset(first for first, weight in weights.items() if weight * 2 > PUT_TOGETHER)
        if not self.wanted:
            return
        self.generic_visit(f)
        made = ["m·places = m.places"] if not any(map(_names_places, f.body)) else []
        for first in sorted(self.wanted):
            made.append(f"{SIDE}{first} = m·places[{first}], m·places[{first + 1}]")
        at = next((i + 1 for i, s in enumerate(f.body) if _names_places(s)), 0)
        f.body[at:at] = parsed("\n".join(made), f.body[0])

    def weigh(self, node: ast.AST, weight: float, weights: dict[int, float]) -> None:
        found = self.side(node)
        if found is not None:
            weights[found[0]] = weights.get(found[0], 0) + weight
        for n, often in parts(node, weight, ROUNDS):
            self.weigh(n, often, weights)

    def side(self, x: ast.AST) -> tuple[int, ast.expr] | None:
        """The first of the two places, and the player."""
        match x:
            case ast.Subscript(value=ast.Name(id="m·places"), slice=index, ctx=ast.Load()):
                pass
            case _:
                return None
        match index:
            case ast.Name():
                first, player = 0, index
            case ast.BinOp(left=left, op=ast.Add(), right=player) if (n := number(left)) is not None:
                first = n
            case _:
                return None
        of_two = any(a <= first < b and each == 2 and (first - a) % 2 == 0 for a, b, each in self.homes)
        return (first, player) if of_two and (_player(player) or "").startswith(LOCALS) else None

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        found = self.side(node)
        if found is not None and found[0] in self.wanted:
            name = ast.copy_location(ast.Name(id=f"{SIDE}{found[0]}", ctx=ast.Load()), node)
            return ast.copy_location(ast.Subscript(value=name, slice=found[1], ctx=node.ctx), node)
        return self.generic_visit(node)


def _player(x: ast.expr) -> str | None:
    """The local that a player, or the other one, is told by."""
    match x:
        case ast.Name(id=name):
            return name
        case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=ast.Name(id=name)):
            return name
    return None


def number(x: ast.expr) -> int | None:
    """The number that a sum or product of numbers is."""
    match x:
        case ast.Constant(value=int(n)):
            return n
        case ast.BinOp(left=left, op=op, right=right):
            one, other = number(left), number(right)
            if one is None or other is None:
                return None
            match op:
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.Mult():
                    return one * other
    return None


def _names_places(s: ast.stmt) -> bool:
    match s:
        case ast.Assign(targets=[ast.Name(id="m·places")]):
            return True
    return False


def parts(node: ast.AST, weight: float, looped: float = LOOPED) -> Iterator[tuple[ast.AST, float]]:
    """What stands in a statement or expression, with how often it is done; what has names of its own is left out."""
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            yield test, weight
            for s in (*body, *orelse):
                yield s, weight * TESTED
        case ast.For(iter=source, body=body, orelse=orelse):
            yield source, weight
            for s in body:
                yield s, weight * looped * EACH
            for s in orelse:
                yield s, weight
        case ast.While():
            for n in ast.iter_child_nodes(node):
                yield n, weight * looped
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield test, weight
            yield body, weight * TESTED
            yield orelse, weight * TESTED
        case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            pass
        case _:
            for n in ast.iter_child_nodes(node):
                yield n, weight
