"""Fits generated code to the set of packages that are loaded together.

What no loaded card modifies, hears or replaces needs no test for it, and a small value that nothing modifies is
written out where it is
read. The code of a package is made without knowing what will be loaded beside it; this is where it becomes known.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

MOST_NODES = 90
T = TypeVar("T", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Facts:
    """The registries (`v_…`, `t_…`, `i_…`) that some loaded line can enter; all others stay empty for ever."""

    used: frozenset[str]

    def key(self) -> str:
        return ",".join(sorted(self.used))


def link(modules: Sequence[ast.Module], facts: Facts) -> None:
    """Rewrite the modules in place."""
    for module in modules:
        _Trim(facts).visit(module)
    values: dict[str, _Value] = {}
    for module in modules:
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("v_") and (value := _small(node)) is not None:
                values[node.name] = value
    inline = _Inline(values)
    for _ in range(4):  # values read values; four levels written out are enough
        inline.changed = False
        for name, value in values.items():
            values[name] = _Value(value.params, inline.visit(_copy(value.body)), value.uses, value.registry)
        if not inline.changed:
            break
    values = {name: v for name, v in values.items() if sum(1 for _ in ast.walk(v.body)) <= 2 * MOST_NODES}
    for module in modules:
        _Inline(values).visit(module)


class _Trim(ast.NodeTransformer):
    """Drops `if m.REGISTRY: …` where the registry stays empty."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def visit_If(self, node: ast.If) -> ast.AST | None:
        test = node.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            test = test.values[0]
        if (
            isinstance(test, ast.Attribute)
            and isinstance(test.value, ast.Name)
            and test.value.id == "m"
            and test.attr[:2] in ("v_", "t_", "i_")
            and test.attr not in self.facts.used
            and not node.orelse
        ):
            return None
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        if not node.body:
            node.body = [ast.Pass(lineno=node.lineno, col_offset=0, end_lineno=node.lineno, end_col_offset=0)]
        return node


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that may be written out; with `registry`, only while nothing is in it."""

    params: tuple[str, ...]
    body: ast.expr
    uses: Mapping[str, int]
    registry: str | None


def _small(node: ast.FunctionDef) -> _Value | None:
    """The expression of a value that is one, or None. What it remembers, and what modifies it, only matters when there
    is something."""
    stmts = [s for s in node.body if not _about_memo(s)]
    registry: object = None
    match stmts:
        case [ast.Assign(targets=[ast.Name(id="x")], value=body), ast.Return(value=ast.Name(id="x"))]:
            pass
        case [
            ast.Assign(targets=[ast.Name(id="x")], value=body),
            ast.If(test=ast.Attribute(attr=registry)),
            ast.Return(),
        ]:
            pass
        case _:
            return None
    if sum(1 for _ in ast.walk(body)) > MOST_NODES:
        return None
    if any(isinstance(n, ast.comprehension | ast.Lambda | ast.NamedExpr) for n in ast.walk(body)):
        return None
    params = tuple(a.arg for a in node.args.args[1:])
    uses = {p: sum(isinstance(n, ast.Name) and n.id == p for n in ast.walk(body)) for p in params}
    return _Value(params, body, uses, None if registry is None else str(registry))


def _about_memo(s: ast.stmt) -> bool:
    match s:
        case ast.Assign(targets=[ast.Name(id="k_")]):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="k_"))):
            return True
    return False


class _Inline(ast.NodeTransformer):
    """Writes small values out where they are called: an argument read twice must be a plain name or constant."""

    def __init__(self, values: Mapping[str, _Value]) -> None:
        self.values = values
        self.changed = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "entry_from":
            return _entry(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self.values or node.keywords:
            return node
        value = self.values[node.func.id]
        args = dict(zip(value.params, node.args[1:], strict=True))
        twice = 1 if value.registry is None else 0
        if any(value.uses[p] > twice and not _plain(a) for p, a in args.items()):
            return node
        self.changed = True
        out = _Replace(args).visit(_copy(value.body))
        if value.registry is not None:
            test = ast.Attribute(value=ast.Name(id="m", ctx=ast.Load()), attr=value.registry, ctx=ast.Load())
            out = ast.IfExp(test=test, body=node, orelse=out)
        for n in ast.walk(out):
            if isinstance(n, ast.expr) and n is not node:
                n.lineno, n.end_lineno, n.col_offset, n.end_col_offset = node.lineno, node.lineno, 0, 0
        assert isinstance(out, ast.expr)
        return out


def _entry(node: ast.Call) -> ast.AST:
    """`entry_from([2, 3, 6], i)` for a written-out list is plain indexing; beyond its end Python says so itself."""
    match node.args:
        case [ast.List(elts=elts), index] if all(isinstance(e, ast.Constant) for e in elts):
            at = {"lineno": node.lineno, "col_offset": 0, "end_lineno": node.lineno, "end_col_offset": 0}
            return ast.Subscript(value=ast.Tuple(elts=elts, ctx=ast.Load(), **at), slice=index, ctx=ast.Load(), **at)
    return node


def _plain(a: ast.expr) -> bool:
    match a:
        case ast.Name() | ast.Constant():
            return True
        case ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant()):
            return True
    return False


class _Replace(ast.NodeTransformer):
    def __init__(self, args: Mapping[str, ast.expr]) -> None:
        self.args = args

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.args.get(node.id)
        return node if found is None else _copy(found)


def _copy(node: T) -> T:
    """A deep copy; trees are small."""
    fields = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            fields[name] = _copy(value)
        elif isinstance(value, list):
            fields[name] = [_copy(v) if isinstance(v, ast.AST) else v for v in value]  # type: ignore[assignment]
        else:
            fields[name] = value
    new = type(node)(**fields)
    for name in node._attributes:
        if hasattr(node, name):
            setattr(new, name, getattr(node, name))
    return new
