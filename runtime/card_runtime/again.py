"""For playouts: what the rules read twice, with nothing written in between, they read once.

Only readings with which statements of one block begin are compared; more of them come to light as values are written
out, so this is done before each level of that.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from card_runtime.trees import copied, walk

HARMLESS = (ast.Assign, ast.AugAssign, ast.If, ast.For, ast.Expr, ast.Pass, ast.Break)
PURE = frozenset({"len", "range"})


def share(f: ast.FunctionDef, count: int) -> int:
    """Rewrite a function in place; `count`: how many names were given in it before, and then after."""
    sharing = _Share(count)
    sharing.function(f)
    return sharing.count


class _Share:
    def __init__(self, count: int) -> None:
        self.count = count

    def function(self, f: ast.FunctionDef) -> None:
        for node in [f, *(n for n in ast.walk(f) if isinstance(n, ast.If | ast.For | ast.While))]:
            for part in ("body", "orelse"):
                stmts = getattr(node, part, None)
                if stmts:
                    setattr(node, part, self.block(stmts))

    def block(self, stmts: list[ast.stmt]) -> list[ast.stmt]:
        """A block with the readings of each of its stretches shared."""
        out: list[ast.stmt] = []
        stretch: list[ast.stmt] = []
        for s in stmts:
            if _pure(s):
                stretch.append(s)
            else:
                out += self.stretch([*stretch, *([s] if isinstance(s, ast.If) else [])])
                if not isinstance(s, ast.If):
                    out.append(s)
                stretch = []
        return out + self.stretch(stretch)

    def stretch(self, stmts: list[ast.stmt]) -> list[ast.stmt]:
        """Statements that write nothing but locals; the last one may write after it has read."""
        stored = {n.id for s in stmts for n in walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        found = [(s, holder, part, call) for s in stmts for holder, part, call in _begins(s)]
        found = [x for x in found if not any(isinstance(n, ast.Name) and n.id in stored for n in walk(x[3]))]
        times = Counter(ast.dump(call) for *_, call in found)
        names: dict[str, str] = {}
        before: dict[int, ast.stmt] = {}
        for s, holder, part, call in found:
            text = ast.dump(call)
            if times[text] < 2:
                continue
            if text not in names:
                names[text] = f"again_{self.count}"
                self.count += 1
                target = ast.copy_location(ast.Name(id=names[text], ctx=ast.Store()), call)
                before[id(s)] = ast.copy_location(ast.Assign(targets=[target], value=copied(call)), call)
            setattr(holder, part, ast.copy_location(ast.Name(id=names[text], ctx=ast.Load()), call))
        return [t for s in stmts for t in ((before[id(s)], s) if id(s) in before else (s,))]


def _begins(s: ast.stmt) -> Iterator[tuple[ast.AST, str, ast.Call]]:
    """The reading of a value with which a statement begins, with what holds it."""
    holder: ast.AST = s
    part = "test" if isinstance(s, ast.If) else "value"
    x = getattr(s, part, None)
    if isinstance(s, ast.If) and isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.Not):
        holder, part, x = x, "operand", x.operand
    match x:
        case ast.Call(func=ast.Name(id=name)) if isinstance(s, ast.If | ast.Assign) and name.startswith("v_"):
            yield holder, part, x


def _pure(s: ast.stmt) -> bool:
    """Whether a statement writes nothing but locals and lists in them, and always comes to its end."""
    for n in walk(s):
        match n:
            case ast.stmt() if not isinstance(n, HARMLESS):
                return False
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                return False
            case ast.Call(func=ast.Name(id=name)) if name in PURE or name.startswith("v_"):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")) if name != "m":
                pass
            case ast.Call():
                return False
    return not isinstance(s, ast.Break)
