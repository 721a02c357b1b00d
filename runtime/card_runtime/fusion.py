"""For playouts: values that are lists, and are only gone through, are not made; what is cheap to compute anew is not
remembered."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from card_runtime.tabling import PURE
from card_runtime.trees import Replace, Rewriter, copied, placed


def filters(modules: Sequence[ast.Module]) -> dict[str, Filter]:
    """The values of these modules that are filtered lists."""
    values = (f for m in modules for f in m.body if isinstance(f, ast.FunctionDef) and f.name.startswith("v_"))
    return {f.name: found for f in values if (found := _filter(f)) is not None}


def fuse(modules: Sequence[ast.Module], lists: Mapping[str, Filter]) -> None:
    """Where a comprehension goes through a value that is a filtered list, go through what that filters; in place."""
    for module in modules:
        _Fuse(lists).visit(module)


def forget(modules: Sequence[ast.Module], elsewhere: Collection[str] = ()) -> None:
    """Take from values what they remember, in place: from those that read no others, and from those that are read but
    once. What reads others, or is modified, may cost any amount, and that again for each time it is read.
    `elsewhere`: the values that other code reads."""
    functions = [f for m in modules for f in m.body if isinstance(f, ast.FunctionDef)]
    values = {f.name: f for f in functions if f.name.startswith("v_")}
    sites: dict[str, list[str | None]] = {name: [None] for name in elsewhere}
    noted: set[str] = set()
    for f in functions:
        if f.name not in values:
            _note_sites(f, f.name, sites)
    while new := [f for name, f in values.items() if name in sites and name not in noted]:
        for f in new:  # a value that nobody reads, reads nothing
            _note_sites(f, f.name, sites)
            noted.add(f.name)
    for name, f in values.items():
        called = {n.func.id if isinstance(n.func, ast.Name) else "" for n in ast.walk(f) if isinstance(n, ast.Call)}
        if called <= PURE or _once(name, sites):
            f.body = [s for s in f.body if not about_memo(s)]
    if not any(about_memo(s) for f in values.values() for s in f.body):
        for module in modules:
            _NoMemo().visit(module)


def _note_sites(node: ast.AST, where: str | None, sites: dict[str, list[str | None]]) -> None:
    """Note for each value where it is read: in which function, or None where that may be any number of times."""
    for n in ast.iter_child_nodes(node):
        if isinstance(n, ast.Name) and n.id.startswith("v_"):
            sites.setdefault(n.id, []).append(where)
        often = isinstance(n, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda) or (
            isinstance(n, ast.For | ast.While) and not any(map(_begins_memo, ast.walk(n)))
        )
        _note_sites(n, None if often else where, sites)


def _begins_memo(n: ast.AST) -> bool:
    """Whether what is computed from here on is remembered anew."""
    match n:
        case ast.Assign(targets=[ast.Attribute(attr="memo")], value=ast.Dict()):
            return True
    return False


def _once(name: str, sites: Mapping[str, Sequence[str | None]]) -> bool:
    """Whether a value is read at most once in all that is computed in one go: at one place, of the rules or of a value
    of which that is true. Modifiers and conditions of cards may run any number of times in one go."""
    match sites.get(name, ()):
        case [str(where)] if where != name:
            return _once(where, sites) if where.startswith("v_") else where.startswith("e_") or where == "flow"
    return False


class _NoMemo(Rewriter):
    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        match node.targets:
            case [ast.Attribute(value=ast.Name(id="m"), attr="memo")]:
                return None
        return node


@dataclass(frozen=True, slots=True)
class Filter:
    """A value `[o for o in … if …]`."""

    params: tuple[str, ...]
    loop: ast.comprehension
    item: str

    def copy(self) -> Filter:
        """The same, whatever becomes of the value's own code."""
        return Filter(self.params, copied(self.loop), self.item)


def _filter(f: ast.FunctionDef) -> Filter | None:
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
            return Filter(tuple(a.arg for a in f.args.args[1:]), loop, item)
    return None


def about_memo(s: ast.stmt) -> bool:
    """Whether a statement of a value only looks up or keeps what was computed before."""
    match s:
        case ast.Assign(targets=[ast.Name(id="k_")]):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="k_"))):
            return True
    return False


class _Fuse(Rewriter):
    def __init__(self, lists: Mapping[str, Filter]) -> None:
        self.lists = lists

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.comprehension(
                target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id=value), args=[_, *args])
            ) if (found := self.lists.get(value)) and all(isinstance(a, ast.Name | ast.Constant) for a in args):
                names = {**dict(zip(found.params, args, strict=True)), found.item: ast.Name(id=name, ctx=ast.Load())}
                if name not in {a.id for a in args if isinstance(a, ast.Name)}:
                    node.iter = placed(Replace(names).visit(copied(found.loop.iter)), node.iter)
                    node.ifs = [
                        *(placed(Replace(names).visit(copied(x)), node.iter) for x in found.loop.ifs),
                        *node.ifs,
                    ]
        return node
