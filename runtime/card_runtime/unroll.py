"""For playouts: which of a few fixed things are meant is decided without a loop, and without a list where one is only
looked at."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence, Set

from card_runtime.trees import Replace, Rewriter, assigned, copied, placed, relocated, walk

MOST_UNROLLED = 4
MOST_DECIDED = 3
"""Which of so many things hold is decided by a tree with a leaf for each answer,"""
MOST_TEST = 60
"""if what is asked of each has so many nodes."""


def unroll(f: ast.FunctionDef) -> None:
    """Rewrite a function in place."""
    _Unroll(_looked_at(f)).visit(f)


class _Unroll(Rewriter):
    """Writes out `x = [v for v in (0, 1, 2) if …]`: there is no loop worth its cost, nor a list, where `looked_at` says
    that it is not put to another use. What a loop goes through is given a name first."""

    def __init__(self, looked_at: Set[str]) -> None:
        self.looked_at = looked_at
        self.count = 0

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if not isinstance(node.iter, ast.ListComp):
            return node
        self.count += 1
        name = f"through_{self.count}"
        listed = placed(assigned(name, node.iter), node)
        node.iter = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), node)
        done = self.visit_Assign(listed)
        return [*(done if isinstance(done, list) else [listed]), node]

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
                tests = [Replace({var: e}).visit(copied(test)) for e in elts]
                made = name.startswith("through_") or name in self.looked_at
                if made and len(elts) <= MOST_DECIDED and len([*walk(test)]) <= MOST_TEST:
                    return [relocated(s, node) for s in _decided(name, tests, elts)]
                out: list[ast.stmt] = [ast.parse(f"{name} = []").body[0]]
                for one, e in zip(tests, elts, strict=True):
                    add = ast.parse(f"{name}.append({ast.unparse(e)})").body
                    out.append(ast.If(test=one, body=add, orelse=[]))
                return [relocated(s, node) for s in out]
        return node


def _decided(
    name: str, tests: Sequence[ast.expr], elts: Sequence[ast.expr], found: Sequence[ast.expr] = ()
) -> list[ast.stmt]:
    """`name = (…)` of those whose tests hold, after those that were found."""
    if not tests:
        return [assigned(name, ast.Tuple(elts=[copied(e) for e in found], ctx=ast.Load()))]
    (test, *tests), (e, *elts) = tests, elts
    then, other = _decided(name, tests, elts, [*found, e]), _decided(name, tests, elts, found)
    return [ast.If(test=copied(test), body=then, orelse=other)]


def _looked_at(f: ast.FunctionDef) -> set[str]:
    """The locals of which nothing is asked but an entry, their length, or what is in them one after the other."""
    uses: Counter[str] = Counter()
    looks: Counter[str] = Counter()
    for n in walk(f):
        match n:
            case ast.Name(id=name, ctx=ast.Load()) | ast.AugAssign(target=ast.Name(id=name)):
                uses[name] += 1
            case ast.Subscript(value=ast.Name(id=name), slice=index, ctx=ast.Load()):
                looks[name] += not isinstance(index, ast.Slice)
            case (
                ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])
                | (ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)))
                | ast.If(test=ast.Name(id=name))
            ):
                looks[name] += 1
    return {name for name, n in uses.items() if looks[name] == n}
