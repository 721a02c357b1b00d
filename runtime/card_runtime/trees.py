"""Small work on syntax trees, for what rewrites generated code."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T", bound=ast.AST)


class Replace(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, args: Mapping[str, ast.expr]) -> None:
        self.args = args

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.args.get(node.id)
        if found is None:
            return node
        out = copied(found)
        if isinstance(out, ast.Name):
            out.ctx = node.ctx
        return ast.copy_location(out, node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        found = self.args.get(node.arg)
        if isinstance(found, ast.Name):
            node.arg = found.id
        return node


def copied(node: T) -> T:
    """A deep copy; trees are small."""
    fields = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            fields[name] = copied(value)
        elif isinstance(value, list):
            fields[name] = [copied(v) if isinstance(v, ast.AST) else v for v in value]  # type: ignore[assignment]
        else:
            fields[name] = value
    new = type(node)(**fields)
    for name in node._attributes:
        if hasattr(node, name):
            setattr(new, name, getattr(node, name))
    return new


def parsed(text: str, at: ast.AST) -> list[ast.stmt]:
    """The statements of a text, in the place of `at`."""
    return [relocated(s, at) for s in ast.parse(text).body]


def expression(text: str, at: ast.AST) -> ast.expr:
    """The expression of a text, in the place of `at`."""
    return relocated(ast.parse(f"({text})", mode="eval").body, at)


def relocated(tree: T, at: ast.AST) -> T:
    """The tree, all of it in the place of `at`."""
    for n in ast.walk(tree):
        if isinstance(n, ast.stmt | ast.expr | ast.arg):
            ast.copy_location(n, at)
    return tree


def placed(tree: T, at: ast.AST) -> T:
    """The tree, in the place of `at` where it has none of its own."""
    for n in ast.walk(tree):
        if isinstance(n, ast.stmt | ast.expr) and not hasattr(n, "lineno"):
            ast.copy_location(n, at)
    return tree


def nested(loops: Sequence[ast.comprehension], body: list[ast.stmt]) -> list[ast.stmt]:
    """The loops of a comprehension around statements; what is new has no place."""
    for loop in reversed(loops):
        for test in reversed(loop.ifs):
            body = [ast.If(test=test, body=body, orelse=[])]
        body = [ast.For(target=loop.target, iter=loop.iter, body=body, orelse=[])]
    return body


def of_logs(test: ast.expr) -> bool:
    """Whether this asks for logs: `m.obs is not None`."""
    match test:
        case ast.Compare(left=ast.Attribute(value=ast.Name(id="m"), attr="obs"), ops=[ast.IsNot()]):
            return True
    return False
