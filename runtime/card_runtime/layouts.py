"""For playouts: what the layout of a grid says is read where it is asked, without a call."""

from __future__ import annotations

import ast

from card_runtime.trees import Rewriter, expression

FIELDS = {
    "adjacent": "adjacent",
    "columns": "outline.columns",
    "corners": "outline.corners",
    "full": "full",
    "occupied": "taken",
    "rows": "outline.rows",
    "settled": "outline.settled",
    "spaces": "outline.spaces",
}
"""Where a layout has what the functions of `grids` with these names give."""


def read(f: ast.FunctionDef) -> None:
    """Rewrite a function in place."""
    _Read().visit(f)


class _Read(Rewriter):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="m"), ast.Name(id=grid)]) if (
                name.startswith("grid_") and name[5:] in FIELDS
            ):
                known = f"m.g_{grid.removeprefix('GRID_')}"
                return expression(f"({known} or grid_layout(m, {grid})).{FIELDS[name[5:]]}", node)
        self.generic_visit(node)
        return node
