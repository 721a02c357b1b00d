"""What stays the same while a value goes through cards, for playouts.

A card that a loop finds in a place of a board lies at that element: `ELEMENT[m.at[c]]` need not be looked up. And a
value that reads nothing of what the loop goes through is computed once, when it is first wanted: values write nothing,
so it cannot change in between.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from card_runtime.trees import Rewriter, copied, parsed, placed

Parts = Mapping[int, int]
"""The first place of each part of a board, and how many places an element has there (1 or 2)."""


def hoist(f: ast.FunctionDef, parts: Parts) -> None:
    """Rewrite a value in place."""
    _Lies(parts).visit(f)
    names = _Names()
    f.body = names.block(f.body)


class _Lies(Rewriter):
    """Puts the element in the place of looking it up."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.known: dict[str, ast.expr] = {}

    def visit_For(self, node: ast.For) -> ast.AST:
        return self.within(node, [(node.target, node.iter)])

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self.within(node, [(g.target, g.iter) for g in node.generators])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self.within(node, [(g.target, g.iter) for g in node.generators])

    def within(self, node: ast.AST, loops: list[tuple[ast.expr, ast.expr]]) -> ast.AST:
        around = dict(self.known)
        for target, source in loops:
            if isinstance(target, ast.Name):
                self.known.pop(target.id, None)
                found = element(source, self.parts)
                if found is not None:
                    self.known[target.id] = found
        self.generic_visit(node)
        self.known = around
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(
                value=ast.Name(id="ELEMENT"),
                slice=ast.Subscript(value=ast.Attribute(attr="at"), slice=ast.Name(id=card)),
            ) if card in self.known:
                return ast.copy_location(copied(self.known[card]), node)
        self.generic_visit(node)
        return node


def element(source: ast.expr, parts: Parts) -> ast.expr | None:
    """The element `e` where the source is `m.places[FIRST + e * 2 + seat]` or `m.places[FIRST + e]` of a board."""
    match source:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr="places"), slice=index):
            pass
        case _:
            return None
    first, twice, rest = 0, [], []
    todo = [index]
    while todo:
        match todo.pop():
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                todo += [right, left]
            case ast.Constant(value=int(number)):
                first += number
            case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=2)):
                twice.append(left)
            case other:
                rest.append(other)
    seat = parts.get(first) == 2 or (not rest and parts.get(first - 1) == 2)
    found = twice if len(twice) == 1 and len(rest) < 2 and seat else []
    if not twice and len(rest) == 1 and parts.get(first) == 1:
        found = rest
    return found[0] if found and isinstance(found[0], ast.Name | ast.Constant) else None


class _Names:
    """Gives names to what is computed once."""

    def __init__(self) -> None:
        self.count = 0

    def block(self, stmts: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in stmts:
            if isinstance(s, ast.For):
                out += self.before(s)
            elif isinstance(s, ast.If):
                s.body, s.orelse = self.block(s.body), self.block(s.orelse)
            out.append(s)
        return out

    def before(self, loop: ast.For) -> list[ast.stmt]:
        """Name the steady values of a loop; what must stand before it."""
        changing = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        once = _Once(changing, self.count)
        for s in loop.body:
            once.visit(s)
        self.count += len(once.names)
        loop.body = self.block(loop.body)
        return [s for name in once.names.values() for s in parsed(f"{name} = None", loop)]


class _Once(Rewriter):
    """`v_number(m, l)` becomes `(h if h is not None else (h := v_number(m, l)))`."""

    def __init__(self, changing: set[str], count: int) -> None:
        self.changing = changing
        self.count = count
        self.names: dict[str, str] = {}

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        return node if node.target.id.startswith("h_") else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        steady = all(isinstance(a, ast.Constant | ast.Name) for a in node.args)
        steady = steady and not any(isinstance(a, ast.Name) and a.id in self.changing for a in node.args)
        if not steady or not isinstance(node.func, ast.Name) or not node.func.id.startswith("v_"):
            return node
        name = self.names.setdefault(ast.dump(node), f"h_{self.count + len(self.names)}")
        is_there = ast.Compare(
            left=ast.Name(id=name, ctx=ast.Load()), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
        )
        compute = ast.NamedExpr(target=ast.Name(id=name, ctx=ast.Store()), value=node)
        return placed(ast.IfExp(test=is_there, body=ast.Name(id=name, ctx=ast.Load()), orelse=compute), node)
