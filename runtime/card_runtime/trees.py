"""Small work on syntax trees, for what rewrites generated code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from card_runtime.texts import STEPS

T = TypeVar("T", bound=ast.AST)

_LEAVES = frozenset({"ctx", "op", "ops", "id", "attr", "kind", "type_comment"})


class _Fields(dict[type, tuple[str, ...]]):
    """The fields of a kind of node in which others may stand that are rewritten; of what is no node, none."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        self[cls] = found = tuple(name for name in getattr(cls, "_fields", ()) if name not in _LEAVES)
        return found


_FIELDS = _Fields()


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, in no certain order, but for contexts and operators: like `ast.walk`, in half the
    time."""
    todo: list[Any] = [root]
    while todo:
        node = todo.pop()
        if node is None:
            continue
        yield node
        for name in _FIELDS[type(node)]:
            found = getattr(node, name, None)
            if isinstance(found, ast.AST):
                todo.append(found)
            elif type(found) is list:
                todo += found


class Rewriter(ast.NodeTransformer):
    """Like its base, in half the time: contexts and operators are not visited, and what visits a kind of node is looked
    up once."""

    _visitors: ClassVar[dict[type, Callable[[Any, Any], Any]]] = {}

    def __init_subclass__(cls) -> None:
        cls._visitors = {}

    def visit(self, node: ast.AST) -> Any:
        cls = type(node)
        visitor = self._visitors.get(cls)
        if visitor is None:
            found: Callable[[Any, Any], Any] = getattr(type(self), f"visit_{cls.__name__}", type(self).generic_visit)
            self._visitors[cls] = visitor = found
        return visitor(self, node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name in _FIELDS[type(node)]:
            old = getattr(node, name, None)
            if isinstance(old, ast.AST):
                new = self.visit(old)
                if new is None:
                    delattr(node, name)
                elif new is not old:
                    setattr(node, name, new)
            elif type(old) is list and old:
                out: list[Any] = []
                for x in old:
                    new = self.visit(x) if isinstance(x, ast.AST) else x
                    if isinstance(new, list):
                        out += new
                    elif new is not None or x is None:
                        out.append(new)
                old[:] = out
        return node

    def visit_Constant(self, node: ast.Constant) -> Any:
        return node


class Replace(Rewriter):
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
    for n in walk(tree):
        if isinstance(n, ast.stmt | ast.expr | ast.arg):
            ast.copy_location(n, at)
    return tree


def placed(tree: T, at: ast.AST) -> T:
    """The tree, in the place of `at` where it has none of its own."""
    for n in walk(tree):
        if isinstance(n, ast.stmt | ast.expr) and not hasattr(n, "lineno"):
            ast.copy_location(n, at)
    return tree


def reads_value(n: ast.AST) -> bool:
    """Whether this is the call of a value."""
    match n:
        case ast.Call(func=ast.Name(id=name)):
            return name.startswith("v_")
    return False


def assigned(name: str, x: ast.expr) -> ast.Assign:
    """`name = x`; what is new has no place."""
    return ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=x)


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


def decided(tree: ast.Module) -> ast.Module:
    """The tree, in which a number that was written in the place of a name is not asked whether it is none: the answer
    stands there. Python warns of such a question, and whoever plays would read it."""
    if any(type(n) is ast.Compare and _of_literal(n) for n in walk(tree)):
        _Decide().visit(tree)
    return tree


class _Decide(Rewriter):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if not _of_literal(node):
            return node
        none = isinstance(node.left, ast.Constant) and node.left.value is None
        return ast.copy_location(ast.Constant(value=none == isinstance(node.ops[0], ast.Is)), node)


def _of_literal(n: ast.AST) -> bool:
    """Whether this asks something written out whether it is none. Python works sums out before it looks."""
    match n:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return _literal(left)
    return False


def _literal(x: ast.expr) -> bool:
    match x:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=one):
            return _literal(one)
        case ast.BinOp(left=one, right=other):
            return _literal(one) and _literal(other)
    return False


# ---- From text


def mapped(text: str, shown: str, table: Sequence[int], direct: bool = False) -> ast.Module:
    """The tree of the module, or of its direct form alone, with its lines replaced. Raises ValueError."""
    found = tree(STEPS.sub(_blank, text) if direct else text, shown)
    lines = [1, *table]
    for node in walk(found):
        if isinstance(node, _PLACED):
            node.lineno = node.end_lineno = lines[node.lineno] if node.lineno < len(lines) else 1
            node.col_offset = node.end_col_offset = 0
    return found


_PLACED = (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.excepthandler, ast.alias)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def tree(text: str, shown: str) -> ast.Module:
    """Raises ValueError."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as e:
        raise ValueError(f"what was made from {shown} is no code") from e
