"""For playouts: what no loaded code ever does needs not be undone. Where no rule shows cards to one seat, nobody knows
more of a card than its place shows; where none turns a card face down, all lie face up; where nothing lasts, nothing
ends with a period."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from card_runtime.model import MOVERS
from card_runtime.texts import Deeds
from card_runtime.trees import Rewriter, of_logs


def deeds(module: ast.Module) -> Deeds:
    """What the code of a module does."""
    done = _Done()
    done.visit(module)
    return Deeds(done.shows, done.turns, done.lasts)


def omit(modules: Sequence[ast.Module], done: Deeds) -> None:
    """Rewrite functions of all forms, in place; `done`: by all code that is loaded."""
    omits = _Omit(done)
    for module in modules:
        omits.visit(module)


class _Done(ast.NodeVisitor):
    def __init__(self) -> None:
        self.mover = False
        self.shows = False
        self.turns = False
        self.lasts = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.mover = node.name.startswith(MOVERS)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if of_logs(node.test):
            for s in node.orelse:
                self.visit(s)
        else:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id="reveal"):
                self.shows = True
            case ast.Name(id="lasting"):
                self.lasts = True
            case ast.Name(id=name) if name in ("move", "move_all") or name.startswith(MOVERS):
                self.turns |= any(not self.up(x) for x in node.args[3:4]) or any(k.arg == "up" for k in node.keywords)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        match node.targets:
            case [ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr="up"))]:
                self.turns |= not self.up(node.value)
        self.generic_visit(node)

    def up(self, x: ast.expr) -> bool:
        """Whether a card surely is, or stays, face up. The functions that move cards hand on what they are told."""
        match x:
            case ast.Constant(value=True | None):
                return True
            case ast.Name(id="up"):
                return self.mover
        return False


class _Omit(Rewriter):
    def __init__(self, done: Deeds) -> None:
        self.done = done

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        match node.test:
            case ast.Attribute(value=ast.Name(id="m"), attr="known") if not self.done.shows and not node.orelse:
                return None
            case ast.BinOp(left=ast.Attribute(value=ast.Name(id="m"), attr="ends")) if not self.done.lasts:
                return None
        self.generic_visit(node)
        if not node.body:
            node.body = [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_For(self, node: ast.For) -> ast.AST | None:
        self.generic_visit(node)
        if not node.body:
            if not any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(node.iter)):
                return None
            node.body = [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr="up"))] if not self.done.turns:
                return None
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr="up"), ctx=ast.Load()) if (
                not self.done.turns
            ):
                return ast.copy_location(ast.Constant(value=True), node)
        return node
