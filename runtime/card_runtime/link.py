"""Fits generated code to the set of packages that are loaded together.

What no loaded card modifies, hears or replaces needs no test for it, and a small value that nothing modifies is
written out where it is read. The code of a package is made without knowing what will be loaded beside it; this is
where it becomes known.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

MOST_NODES = 90
MOST_UNROLLED = 4
T = TypeVar("T", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the registries (`v_…`, `t_…`, `i_…`): those that some loaded line can enter, all others stay
    empty for ever; and those of them in which every entry has a key."""

    used: frozenset[str]
    keyed: frozenset[str]

    def key(self) -> str:
        return ",".join(sorted(self.used)) + ";" + ",".join(sorted(self.keyed))


def link(modules: Sequence[ast.Module], facts: Facts, quiet: bool = False) -> None:
    """Rewrite the modules in place; `quiet`: only the direct form, for matches of which no logs are kept."""
    for module in modules:
        if quiet:
            module.body = [s for s in module.body if not _of_steps(s)]
        _Trim(facts, quiet).visit(module)
    values: dict[str, _Value] = {}
    for module in modules:
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("v_") and (value := _small(node)) is not None:
                values[node.name] = value
    inline = _Inline(values)
    for _ in range(4):  # values read values; four levels written out are enough
        inline.changed = False
        for name, value in values.items():
            values[name] = _Value(value.params, inline.visit(_copy(value.body)), value.uses, value.modified)
        if not inline.changed:
            break
    values = {name: v for name, v in values.items() if sum(1 for _ in ast.walk(v.body)) <= 2 * MOST_NODES}
    for module in modules:
        _Inline(values).visit(module)
        if quiet:
            _Unroll().visit(module)


def _of_steps(s: ast.stmt) -> bool:
    """Whether this is a function of the step form, or its size."""
    match s:
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]):
            return name.startswith("s_")
    return False


class _Trim(ast.NodeTransformer):
    """Drops `if m.REGISTRY: …` where the registry stays empty, looks for the key at once where all entries have one,
    and drops what is told to logs."""

    def __init__(self, facts: Facts, quiet: bool) -> None:
        self.facts = facts
        self.quiet = quiet
        self.keys: dict[str, ast.expr] = {}

    def visit_If(self, node: ast.If) -> ast.AST | None:
        match node.test:
            case ast.Compare(left=ast.Attribute(value=ast.Name(id="m"), attr="obs")) if self.quiet and not node.orelse:
                return None
            case ast.Attribute() as test if (name := _registry(test)) and not node.orelse:
                if name not in self.facts.used:
                    return None
                self.generic_visit(node)
                if name in self.keys:
                    node.test = _keyed(test, self.keys.pop(name))
            case ast.BoolOp(op=ast.And(), values=[ast.Attribute() as test, _]) if (name := _registry(test)):
                if name not in self.facts.used:
                    return None
                self.generic_visit(node)
                if name in self.keys:
                    assert isinstance(node.test, ast.BoolOp)
                    node.test.values[0] = _keyed(test, self.keys.pop(name))
            case _:
                self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`m.R.get(key) or m.R[None]`."""
        self.generic_visit(node)
        match node:
            case ast.BoolOp(
                op=ast.Or(),
                values=[ast.Call(func=ast.Attribute(value=ast.Attribute() as registry, attr="get"), args=[key]), _],
            ) if (name := _registry(registry)) in self.facts.keyed and name is not None:
                self.keys[name] = key
                return ast.copy_location(ast.Subscript(value=registry, slice=key, ctx=ast.Load()), node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        for n in ast.walk(node):
            if isinstance(n, ast.If | ast.For | ast.While | ast.FunctionDef) and not n.body:
                n.body = [ast.copy_location(ast.Pass(), n)]
        return node


def _registry(node: ast.Attribute) -> str | None:
    """The name of the registry that an expression reads."""
    of_match = isinstance(node.value, ast.Name) and node.value.id == "m"
    return node.attr if of_match and node.attr[:2] in ("v_", "t_", "i_") else None


def _keyed(registry: ast.Attribute, key: ast.expr) -> ast.expr:
    """Whether the registry has entries for the key."""
    return ast.copy_location(ast.Compare(left=_copy(key), ops=[ast.In()], comparators=[registry]), registry)


class _Unroll(ast.NodeTransformer):
    """Writes out `x = [v for v in (0, 1, 2) if …]`: there is no loop worth its cost."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.ListComp(
                    elt=ast.Name(id=item),
                    generators=[ast.comprehension(target=ast.Name(id=var), iter=ast.Tuple(elts=elts), ifs=[test])],
                ),
            ) if (
                item == var
                and len(elts) <= MOST_UNROLLED
                and all(isinstance(e, ast.Constant) for e in elts)
                and not any(isinstance(n, ast.Lambda | ast.comprehension | ast.NamedExpr) for n in ast.walk(test))
            ):
                out: list[ast.stmt] = [ast.parse(f"{name} = []").body[0]]
                for e in elts:
                    one = ast.parse(f"if x: {name}.append({ast.unparse(e)})").body[0]
                    assert isinstance(one, ast.If)
                    one.test = _Replace({var: e}).visit(_copy(test))
                    out.append(one)
                for s in out:
                    for n in ast.walk(s):
                        if isinstance(n, ast.stmt | ast.expr):
                            ast.copy_location(n, node)
                return out
        return node


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that may be written out; with `modified`, only while that does not hold."""

    params: tuple[str, ...]
    body: ast.expr
    uses: Mapping[str, int]
    modified: ast.expr | None


def _small(node: ast.FunctionDef) -> _Value | None:
    """The expression of a value that is one, or None. What it remembers, and what modifies it, only matters when there
    is something."""
    stmts = [s for s in node.body if not _about_memo(s)]
    modified: ast.expr | None = None
    match stmts:
        case [ast.Assign(targets=[ast.Name(id="x")], value=body), ast.Return(value=ast.Name(id="x"))]:
            pass
        case [
            ast.Assign(targets=[ast.Name(id="x")], value=body),
            ast.If(test=test),
            ast.Return(),
        ] if _reads_registry(test):
            modified = test
            pass
        case _:
            return None
    if sum(1 for _ in ast.walk(body)) > MOST_NODES:
        return None
    if any(isinstance(n, ast.comprehension | ast.Lambda | ast.NamedExpr) for n in ast.walk(body)):
        return None
    params = tuple(a.arg for a in node.args.args[1:])
    uses = {p: sum(isinstance(n, ast.Name) and n.id == p for n in ast.walk(body)) for p in params}
    return _Value(params, body, uses, modified)


def _reads_registry(test: ast.expr) -> bool:
    of = test.comparators[0] if isinstance(test, ast.Compare) else test
    return isinstance(of, ast.Attribute) and _registry(of) is not None


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
        twice = 1 if value.modified is None else 0
        if any(value.uses[p] > twice and not _plain(a) for p, a in args.items()):
            return node
        self.changed = True
        out = _Replace(args).visit(_copy(value.body))
        if value.modified is not None:
            out = ast.IfExp(test=_Replace(args).visit(_copy(value.modified)), body=node, orelse=out)
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
