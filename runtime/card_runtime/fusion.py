"""For playouts: values that are lists, and are only gone through, are not made; what is cheap to compute anew is not
remembered."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from card_runtime.tabling import PURE
from card_runtime.trees import Replace, copied


def fuse(modules: Sequence[ast.Module]) -> None:
    """Where a comprehension goes through a value that is a filtered list, go through what that filters; in place."""
    lists: dict[str, _Filter] = {}
    for f in (f for m in modules for f in m.body if isinstance(f, ast.FunctionDef) and f.name.startswith("v_")):
        if (found := _filter(f)) is not None:
            lists[f.name] = found
    for module in modules:
        _Fuse(lists).visit(module)


def forget(modules: Sequence[ast.Module]) -> None:
    """Take from values that read no others what they remember; in place. What reads others, or is modified, may cost
    any amount, and that again for each time it is read."""
    for f in (f for m in modules for f in m.body if isinstance(f, ast.FunctionDef) and f.name.startswith("v_")):
        called = {n.func.id if isinstance(n.func, ast.Name) else "" for n in ast.walk(f) if isinstance(n, ast.Call)}
        if called <= PURE:
            f.body = [s for s in f.body if not about_memo(s)]


@dataclass(frozen=True, slots=True)
class _Filter:
    """A value `[o for o in … if …]`."""

    params: tuple[str, ...]
    loop: ast.comprehension
    item: str


def _filter(f: ast.FunctionDef) -> _Filter | None:
    """What a value filters; what it remembers does not matter, as it is computed at one place only."""
    body = [s for s in f.body if not about_memo(s)]
    match body:
        case [
            ast.Assign(
                targets=[ast.Name(id="x")],
                value=ast.ListComp(
                    elt=ast.Name(id=item),
                    generators=[ast.comprehension(target=ast.Name(id=target)) as loop],
                ),
            ),
            ast.Return(value=ast.Name(id="x")),
        ] if item == target and not any(
            isinstance(n, ast.comprehension | ast.Lambda | ast.NamedExpr)
            for x in (loop.iter, *loop.ifs)
            for n in ast.walk(x)
        ):
            return _Filter(tuple(a.arg for a in f.args.args[1:]), loop, item)
    return None


def about_memo(s: ast.stmt) -> bool:
    """Whether a statement of a value only looks up or keeps what was computed before."""
    match s:
        case ast.Assign(targets=[ast.Name(id="k_")]):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="k_"))):
            return True
    return False


def _in_place(x: ast.expr, at: ast.expr) -> ast.expr:
    for n in ast.walk(x):
        if isinstance(n, ast.expr) and not hasattr(n, "lineno"):
            ast.copy_location(n, at)
    return x


class _Fuse(ast.NodeTransformer):
    def __init__(self, lists: Mapping[str, _Filter]) -> None:
        self.lists = lists

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.comprehension(
                target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id=value), args=[_, *args])
            ) if (found := self.lists.get(value)) and all(isinstance(a, ast.Name | ast.Constant) for a in args):
                names = {**dict(zip(found.params, args, strict=True)), found.item: ast.Name(id=name, ctx=ast.Load())}
                if name not in {a.id for a in args if isinstance(a, ast.Name)}:
                    node.iter = _in_place(Replace(names).visit(copied(found.loop.iter)), node.iter)
                    node.ifs = [
                        *(_in_place(Replace(names).visit(copied(x)), node.iter) for x in found.loop.ifs),
                        *node.ifs,
                    ]
        return node
