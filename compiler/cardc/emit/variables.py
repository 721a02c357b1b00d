"""Which locals a piece of code reads."""

from __future__ import annotations

from msgspec import Struct

from cardc.ir import LOOPS, CPick, Place, SAlternate, SFor, SLet, Stmt, STogetherEach, Var, X


def free_variables(stmts: tuple[Stmt, ...]) -> list[Var]:
    """The locals read and not bound in these statements, in order of first use."""
    used: dict[str, Var] = {}
    bound: set[str] = set()
    todo: list[object] = [stmts]
    while todo:
        top = todo.pop()
        match top:
            case X("var", args):
                var = args[0]
                assert isinstance(var, Var)
                used.setdefault(var.name, var)
            case X(op, args):
                if op in LOOPS:
                    bound.update(a.name for a in args if isinstance(a, Var))
                todo.extend(reversed([a for a in args if not isinstance(a, Var)]))
            case Place(_, _, element, seat):
                todo.extend((seat, element))
            case tuple():
                todo.extend(reversed(top))
            case Struct() if not isinstance(top, Var):
                if isinstance(top, SLet | SFor | SAlternate | STogetherEach | CPick):
                    bound.add(top.var.name)
                captured = getattr(top, "captured", ())
                for v in captured:
                    used.setdefault(v.name, v)
                todo.extend(reversed([getattr(top, f) for f in top.__struct_fields__ if f != "captured"]))
            case _:
                pass
    return [v for name, v in used.items() if name not in bound]
