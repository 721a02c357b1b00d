"""For playouts: searches are loops, as a comprehension is a function of its own (before Python 3.12), and what it
shares with the one around it costs more there; and a list that is made for one look at it costs more than the look."""

from __future__ import annotations

import ast

from card_runtime.tabling import PURE
from card_runtime.trees import Rewriter, assigned, copied, nested, placed, reads_value, walk


def spell(f: ast.FunctionDef) -> None:
    """Write what is computed from lists that are made for it as loops, in place."""
    _Fresh().visit(f)
    _Spell().visit(f)


def collect(f: ast.FunctionDef) -> None:
    """Write lists that are made as loops, in place."""
    _Collect().visit(f)


class _Collect(Rewriter):
    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return collected(node)


class _Fresh(Rewriter):
    """A list of all that is in a list that was just made is this list."""

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.List(elts=[ast.Starred(value=made)]) if _made(made):
                return made
        return node


def _made(x: ast.expr) -> bool:
    match x:
        case ast.IfExp(body=body, orelse=other):
            return _made(body) and _made(other)
    return isinstance(x, ast.List | ast.ListComp)


class _Spell(Rewriter):
    """Writes searches as statements before the one that they stand in, if that comes to them in any case and nothing is
    written before."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        done = spelt(node)
        return [*self.before(node, "value"), node] if done == [node] else done

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        return [*self.before(node, "value"), node]

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        return [*self.before(node, "value"), node]

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        self.generic_visit(node)
        return self.tested(node)

    def tested(self, node: ast.If) -> list[ast.stmt]:
        match node:
            case ast.If(test=ast.BoolOp(op=ast.And() as both, values=[first, *rest]), orelse=[]) if any(
                map(_searches, rest)
            ):
                test = rest[0] if len(rest) == 1 else ast.BoolOp(op=both, values=rest)
                node.test, node.body = first, self.tested(placed(ast.If(test=test, body=node.body, orelse=[]), node))
        return [*self.before(node, "test"), node]

    def before(self, s: ast.stmt, part: str) -> list[ast.stmt]:
        """The searches of a part of a statement, which gets names for them."""
        x: ast.expr = getattr(s, part)
        if not _searches(x) or not _orderly(x):
            return []
        out: list[ast.stmt] = []
        setattr(s, part, self.named(x, out))
        return [placed(t, s) for t in out]

    def named(self, x: ast.expr, out: list[ast.stmt]) -> ast.expr:
        match x:
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                pass
            case ast.IfExp():
                x.test = self.named(x.test, out)
            case ast.BoolOp():
                x.values[0] = self.named(x.values[0], out)
            case ast.Call(args=[ast.ListComp()]) if (
                len(search := spelt(placed(assigned(name := f"found_{self.count}", x), x))) > 1
            ):
                self.count += 1
                out += search
                return ast.copy_location(ast.Name(id=name, ctx=ast.Load()), x)
            case _:
                for field, value in ast.iter_fields(x):
                    if isinstance(value, ast.expr):
                        setattr(x, field, self.named(value, out))
                    elif isinstance(value, list):
                        value[:] = [self.named(v, out) if isinstance(v, ast.expr) else v for v in value]
        return x


def _searches(x: ast.AST) -> bool:
    return any(isinstance(n, ast.ListComp) for n in walk(x))


def _orderly(x: ast.expr) -> bool:
    """Whether it is the same which part of an expression is computed first: nothing is written, but by what is called
    last."""
    for n in walk(x):
        match n:
            case ast.NamedExpr():
                return False
            case ast.Call(func=ast.Name(id=name)) if name in PURE or reads_value(n):
                pass
            case ast.Call() if n is not x:
                return False
    return True


def collected(s: ast.stmt) -> list[ast.stmt]:
    """`x = [y for …]` as a loop."""
    match s:
        case ast.Assign(targets=[ast.Name(id=name) as x], value=ast.ListComp(elt=elt, generators=loops)):
            add = ast.Attribute(value=ast.Name(id=name, ctx=ast.Load()), attr="append", ctx=ast.Load())
            begin = ast.Assign(targets=[x], value=ast.List(elts=[], ctx=ast.Load()))
            more = nested(loops, [ast.Expr(value=ast.Call(func=add, args=[elt], keywords=[]))])
            return [placed(t, s) for t in (begin, *more)]
    return [s]


def spelt(s: ast.stmt) -> list[ast.stmt]:
    """`x = sum([y for …])`, `any`, `all` and `len` of such a list, and `x = … if … else …`, as statements: a list that
    is made for one look at it costs more than the look."""
    match s:
        case ast.Assign(targets=[ast.Name() as x], value=ast.IfExp(test=test, body=body, orelse=other)) if any(
            isinstance(n, ast.ListComp) for n in ast.walk(s)
        ):
            then, otherwise = (spelt(ast.Assign(targets=[copied(x)], value=one)) for one in (body, other))
            out: list[ast.stmt] = [ast.If(test=test, body=then, orelse=otherwise)]
        case ast.Assign(
            targets=[ast.Name() as x], value=ast.Call(func=ast.Name(id="bool"), args=[inner])
        ) if truth(inner):
            out = spelt(ast.Assign(targets=[x], value=inner))
        case ast.Assign(
            targets=[ast.Name() as x], value=ast.BoolOp(op=ast.And(), values=[*first_ones, last_one]) as both
        ) if len(then := spelt(ast.Assign(targets=[copied(x)], value=last_one))) > 1:
            head = first_ones[0] if len(first_ones) == 1 else ast.BoolOp(op=both.op, values=first_ones)
            again = ast.Name(id=x.id, ctx=ast.Load())
            out = [ast.Assign(targets=[x], value=head), ast.If(test=again, body=then, orelse=[])]
        case ast.Assign(
            targets=[ast.Name() as x],
            value=ast.Call(func=ast.Name(id=word), args=[ast.ListComp(elt=elt, generators=loops)]),
        ) if word in ("sum", "len") or (word in ("any", "all") and len(loops) == 1):
            last: list[ast.stmt]
            if word in ("sum", "len"):
                more = elt if word == "sum" else ast.Constant(value=1)
                first, last = 0, [ast.AugAssign(target=x, op=ast.Add(), value=more)]
            else:
                first = word == "all"
                found = ast.Assign(targets=[x], value=ast.Constant(value=not first))
                test = ast.UnaryOp(op=ast.Not(), operand=elt) if first else elt
                last = [ast.If(test=test, body=[found, ast.Break()], orelse=[])]
            out = [ast.Assign(targets=[copied(x)], value=ast.Constant(value=first)), *nested(loops, last)]
        case _:
            return [s]
    return [placed(t, s) for t in out]


def truth(x: ast.expr) -> bool:
    """Whether an expression is True or False, whatever it reads."""
    match x:
        case ast.Call(func=ast.Name(id="any" | "all" | "bool")) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(map(truth, values))
    return False
