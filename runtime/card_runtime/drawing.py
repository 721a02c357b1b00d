"""For playouts: questions that chance answers are answered where the rules ask them, without a call.

The answers come from an iterator that gives as many as a match may have decisions, so none has to be counted."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from card_runtime.trees import Rewriter, parsed

MOST_OPTIONS = 4096


def answer(modules: Sequence[ast.Module]) -> None:
    """Rewrite `i = m.ask(seat, n)` and `i = m.ask(seat, n) if n else 0`, in place. While `m.draw` is None somebody else
    answers, and `m.ask` is called as before."""
    for module in modules:
        _Answer().visit(module)


class _Answer(Rewriter):
    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt] | None:
        test: ast.expr | None = None
        none: ast.expr | None = None
        match node:
            case ast.Assign(targets=[ast.Name()], value=ast.Attribute(value=ast.Name(id="m"), attr="ask")):
                return None  # `ask_`, for the call that is no more
            case ast.Assign(
                targets=[ast.Name() as i],
                value=ast.IfExp(test=test, body=ast.Call(func=func, args=[seat, n]), orelse=none),
            ) if _asks(func):
                pass
            case ast.Assign(targets=[ast.Name() as i], value=ast.Call(func=func, args=[seat, n])) if _asks(func):
                pass
            case _:
                return node
        count = n.id if isinstance(n, ast.Name) else "many_"
        lines = [
            *([] if isinstance(n, ast.Name) else [f"many_ = {ast.unparse(n)}"]),
            "if m.draw is None:",
            f"    {i.id} = m.ask({ast.unparse(seat)}, {count})",
            "else:",
            "    m.steps = 0",
            f"    if {count} > {MOST_OPTIONS}: undrawn(m)",
            "    for drawn_ in m.draw: break",
            "    else: undrawn(m)",
            f"    {i.id} = drawn_ % {count}",
        ]
        if test is not None and none is not None:
            lines = [f"if {ast.unparse(test)}:", *(f"    {line}" for line in lines)]
            lines += ["else:", f"    {i.id} = {ast.unparse(none)}"]
        return parsed("\n".join(lines), node)


def _asks(func: ast.expr) -> bool:
    match func:
        case ast.Attribute(value=ast.Name(id="m"), attr="ask"):
            return True
        case ast.Name(id=name):
            return name.split("·")[0] == "ask_"
    return False
