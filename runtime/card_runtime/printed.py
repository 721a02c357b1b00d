"""For playouts: a list of printed cards that follows from what is printed alone is made once, not once a match.

The lists belong to a game, as the tables of `tabling` do; nothing changes them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from card_runtime.tabling import PRINTED
from card_runtime.trees import Rewriter, expression

FIXED = frozenset({"K", "base"})


def keep(modules: Sequence[ast.Module]) -> None:
    """Rewrite `[c for c in m.catalog if …]`, in place."""
    for module in modules:
        _Keep().visit(module)


class _Keep(Rewriter):
    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        match node:
            case ast.ListComp(
                elt=ast.Name(id=item),
                generators=[
                    ast.comprehension(
                        target=ast.Name(id=var),
                        iter=ast.Attribute(value=ast.Name(id="m"), attr="catalog"),
                        ifs=[_, *_] as tests,
                    )
                ],
            ) if item == var and all(_follows(x, var) for x in tests):
                text = ast.unparse(node)
                return expression(f"m.tables[{text!r}].get(0) or m.tables[{text!r}].setdefault(0, {text})", node)
        self.generic_visit(node)
        return node


def _follows(x: ast.expr, var: str) -> bool:
    """Whether an expression reads nothing but what is printed on the card `var`."""
    for n in ast.walk(x):
        match n:
            case ast.Name(id=name) if name not in (var, "m") and not name.startswith(("C_", "M_")):
                return False
            case ast.Attribute(attr=slot) if not slot.startswith(PRINTED) and slot not in FIXED:
                return False
            case ast.Call() | ast.comprehension() | ast.Lambda() | ast.NamedExpr():
                return False
    return True
