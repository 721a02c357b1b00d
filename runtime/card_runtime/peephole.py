"""Small rewrites of the code of playouts, each of a few statements or one expression; what they do stays the same."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Sequence

from card_runtime.spelling import truth
from card_runtime.trees import Replace, Rewriter, copied, expression, nested, parsed, placed, walk

ALL_SEATS = 3
MOVING = frozenset({"draw", "move", "move_places"})
ONE_DIGIT = 10**9
RUN = """\
m.depth = deep_ = m.depth + 1
m.steps = steps_ = m.steps + 1
if deep_ > MOST_DEPTH or steps_ > MOST_STEPS: too_deep(m, None)
run_ = {ability}.quiet
run_(m, {card})
m.depth = deep_ - 1
"""
"""`events.run`, without logs."""
RUN_OUTERMOST = """\
m.depth = 1
m.steps = steps_ = m.steps + 1
if steps_ > MOST_STEPS: too_deep(m, None)
run_ = {ability}.quiet
run_(m, {card})
m.depth = 0
"""
"""The same in the course of the match, where no ability is at work."""
FIELDS = ("p_", "s_", "o_")
"""Slots that `MOVING` leaves as they are begin so."""


def find_bearers(modules: Sequence[ast.Module]) -> None:
    """In conditions and modifiers: find the card whose ability a card bears once, and without a search while no
    abilities are exchanged; in blocks: only where it is asked for."""
    for module in modules:
        for f in module.body:
            if isinstance(f, ast.FunctionDef) and f.name[:2] in ("m_", "q_"):
                _Bearers(f).visit(f)
            elif isinstance(f, ast.FunctionDef) and f.name[:2] == "a_":
                f.body = [s for s in f.body if not _unread_source(s, f)] or [ast.copy_location(ast.Pass(), f)]


def shorten(modules: Sequence[ast.Module]) -> None:
    """Rewrite expressions, in place; before effects are written out."""
    for module in modules:
        for f in module.body:
            if isinstance(f, ast.FunctionDef):
                _Shorten().visit(f)


def spare(modules: Sequence[ast.Module]) -> None:
    """Rewrite statements, in place; after effects are written out."""
    for module in modules:
        _Spare().visit(module)


def _unread_source(s: ast.stmt, f: ast.FunctionDef) -> bool:
    """Whether a statement finds the card whose ability this is, for nobody."""
    match s:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="lender"))):
            return not any(isinstance(n, ast.Name) and n.id == name and n is not s.targets[0] for n in walk(f))
    return False


class _Bearers(Rewriter):
    def __init__(self, f: ast.FunctionDef) -> None:
        self.names: dict[str, str] = {}
        self.head: list[ast.stmt] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body = [*self.head, *node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="lender"), args=[_, ast.Name(id=bearer), ast.Constant()]):
                text = ast.unparse(node)
                if text not in self.names:
                    self.names[text] = f"lender_{len(self.names)}"
                    self.head += parsed(f"{self.names[text]} = {text} if m.borrowed else {bearer}", node)
                return ast.copy_location(ast.Name(id=self.names[text], ctx=ast.Load()), node)
        self.generic_visit(node)
        return node


class _Bits(Rewriter):
    """Whether a set has what is fixed: `x >> 3 & 1 == 1`."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Compare(
                left=ast.BinOp(
                    left=ast.BinOp(left=bits, op=ast.RShift(), right=ast.Constant(value=int(n))),
                    op=ast.BitAnd(),
                    right=ast.Constant(value=1),
                ),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value=1)],
            ):
                return expression(f"({ast.unparse(bits)}) & {1 << n} != 0", node)
        return node


class _Shorten(_Bits):
    """What generated code says in one way for all, said in the way that costs least."""

    def __init__(self) -> None:
        self.made = 0

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return _Bits().generic_visit(node)  # names given inside would be those of the function around it

    visit_GeneratorExp = visit_SetComp = visit_DictComp = visit_Lambda = visit_ListComp  # type: ignore[assignment]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The cards of two places; the card of a place for one; and `any` and `sum` over what may be none."""
        match node:
            case ast.Call(
                func=ast.Name(id="both"), args=[_, ast.BinOp(left=ast.Constant(value=int(first)), right=more)]
            ) if not any(isinstance(n, ast.Call | ast.NamedExpr) for n in walk(more)):
                place = f"({ast.unparse(more)})"
                return expression(f"m.places[{first} + {place}] + m.places[{first + 1} + {place}]", node)
            case ast.Call(func=ast.Name(id="only"), args=[cards]):
                name = self.name()
                self.generic_visit(node)
                return expression(f"{name}[0] if ({name} := {ast.unparse(cards)}) else None", node)
            case ast.Call(
                func=ast.Name(id="any" | "sum" as word),
                args=[
                    ast.ListComp(
                        elt=each,
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=var),
                                iter=ast.Call(func=ast.Name(id="known"), args=[value]),
                                ifs=[],
                            )
                        ],
                    )
                ],
            ):
                name = self.name()
                inner = Replace({var: ast.Name(id=name, ctx=ast.Load())}).visit(copied(each))
                there = f"({name} := {ast.unparse(value)}) is not None"
                if word == "sum":
                    found = expression(f"({ast.unparse(inner)}) if {there} else 0", node)
                else:
                    held = f"{'' if truth(inner) else 'bool'}({ast.unparse(inner)})"
                    found = expression(f"{there} and {held}", node)
                self.generic_visit(found)
                return found
            case ast.Call(func=ast.Name(id="max" | "at_least" | "min" | "at_most" as word), args=[x, end]):
                # no call for the greater of two numbers
                over = ">" if word in ("max", "at_least") else "<"
                if isinstance(x, ast.Constant):
                    x, end = end, x
                name = self.name()
                other = ast.unparse(end)
                if not isinstance(end, ast.Constant | ast.Name):
                    other = self.name()
                    end = ast.NamedExpr(target=ast.Name(id=other, ctx=ast.Store()), value=end)
                found = expression(
                    f"{name} if ({name} := {ast.unparse(x)}) {over} ({ast.unparse(end)}) else {other}", node
                )
                self.generic_visit(found)
                return found
        self.generic_visit(node)
        return node

    def name(self) -> str:
        self.made += 1
        return f"z_{self.made}"

    def visit_For(self, node: ast.For) -> ast.AST:
        """Modifiers are as they are in playouts."""
        self.generic_visit(node)
        match node.target:
            case ast.Tuple(elts=[ast.Name(id="_"), ast.Name(id="s_"), ast.Name(id="fn_"), ast.Name(id="_")]):
                node.target.elts[2:] = reversed(node.target.elts[2:])
                node.body = [*parsed("fn_ = fn_.quiet", node), *node.body]
        return node


class _Spare(Rewriter):
    """What has no effect is not done."""

    def __init__(self) -> None:
        self.flow = self.outermost = False

    def visit_If(self, node: ast.If) -> ast.AST:
        """A truth that is only tested needs not be made one."""
        self.generic_visit(node)
        node.test = tested(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = tested(node.test)
        match node:
            case ast.IfExp(body=ast.Constant(value=False), orelse=ast.Constant(value=True)):
                return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=node.test), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A truth without the call of a class."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
                return placed(ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)), node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.flow = node.name == "flow"
        self.outermost = node.name in ("flow", "setup")
        self.generic_visit(node)
        named = Counter(n.id for n in walk(node) if isinstance(n, ast.Name))
        for n in walk(node):
            for block in ("body", "orelse"):
                if isinstance(stmts := getattr(n, block, None), list):
                    setattr(n, block, _counted(_put_at_once(stmts), named))
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        """`reveal_state` of given players to all; cards of a place that may be empty; `together`, in which mostly
        nothing is heard; what a card's effect slot says."""
        match node.value:
            case ast.Call(func=ast.Name(id="run"), args=[_, ast.Name(id=ability), card, _]):
                how = RUN_OUTERMOST if self.outermost else RUN
                return parsed(how.format(ability=ability, card=ast.unparse(card)), node)
            case ast.Call(func=ast.Name(id="finish"), args=[_, winner, reason]) if self.flow:
                return parsed(f"m.result = {ast.unparse(winner)}, {ast.unparse(reason)}\nreturn", node)
            case ast.Call(func=ast.Name(id="hold")):
                return parsed("m.held.append([])", node)
            case ast.Call(func=ast.Name(id="release")):
                return parsed("if m.held[-1]: release(m)\nelse: m.held.pop()", node)
            case ast.Call(func=ast.Name(id="move_places"), args=[_, ast.Tuple(elts=[cards]), _]) if _silent(cards):
                return ast.copy_location(ast.If(test=copied(cards), body=[node], orelse=[]), node)
            case ast.Call(
                func=ast.Name(id="reveal_state"),
                args=[_, ast.Constant(value=str(field)), ast.Tuple(elts=players), ast.Constant(value=3)],
            ):
                return [
                    s
                    for p in players
                    for s in parsed(f"m.h_{field}[{ast.unparse(p)}] = {ALL_SEATS}", node)
                ]
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop that does nothing but tell listeners is left out while nobody listens, and a list that is only gone
        through is not made."""
        match node.iter:
            case ast.ListComp(elt=ast.Name(id=item), generators=loops) if (
                isinstance(node.target, ast.Name) and node.target.id == item and _apart(node.iter, node.body)
            ):
                out: ast.AST = self.visit(placed(nested(loops, node.body)[0], node))
                return out
            case _:
                pass
        heard = _heard([node])
        if heard:
            test = " or ".join(f"m.{name}" for name in sorted(heard))
            return ast.copy_location(ast.If(test=expression(test, node), body=[node], orelse=[]), node)
        self.generic_visit(node)
        return node


_COMPARED = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def tested(x: ast.expr) -> ast.expr:
    """A test without `not not`; whether there is something, without counting it; bits, whatever they are; what is one
    number or another, without looking at the one that is fixed; whether a number is huge, only where it is large:
    Python compares what fits one of its digits at a fraction of the cost."""
    match x:
        case ast.Compare(left=ast.Name() as number, ops=[ast.Lt() | ast.Gt() as op], comparators=[end]):
            match end:
                case ast.Constant(value=int(n)) if n > ONE_DIGIT:
                    large: ast.expr = ast.Constant(value=ONE_DIGIT)
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(n))) if n > ONE_DIGIT:
                    large = ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=ONE_DIGIT))
                case _:
                    return x
            first = ast.Compare(left=copied(number), ops=[op], comparators=[large])
            if isinstance(op, ast.Gt) == isinstance(end, ast.Constant):
                return placed(ast.BoolOp(op=ast.And(), values=[first, x]), x)
        case ast.Compare(
            left=ast.BinOp(op=ast.BitAnd()) as bits, ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]
        ):
            return bits
        case ast.Compare(
            left=ast.IfExp(test=test, body=body, orelse=ast.Constant(value=int(one))),
            ops=[op],
            comparators=[ast.Constant(value=int(other)) as limit],
        ) if (compared := _COMPARED.get(type(op))) is not None:
            rest = ast.Compare(left=body, ops=[op], comparators=[limit])
            if compared(one, other):
                without = ast.UnaryOp(op=ast.Not(), operand=test)
                return placed(ast.BoolOp(op=ast.Or(), values=[tested(without), rest]), x)
            return placed(ast.BoolOp(op=ast.And(), values=[tested(test), rest]), x)
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
            return tested(inner)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            x.operand = tested(inner)
        case ast.BoolOp(values=values):
            x.values = [tested(v) for v in values]
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[items]), ops=[ast.GtE()], comparators=[ast.Constant(value=1)]
        ):
            return items
    return x


def _put_at_once(stmts: list[ast.stmt]) -> list[ast.stmt]:
    """A value that is computed, and then put somewhere, is put there at once; it is not read again (`n_` never is)."""
    out: list[ast.stmt] = []
    for s in stmts:
        match s:
            case ast.Assign(targets=[_], value=ast.Name(id=name)) if (
                name.split("·")[0] == "n_" and out and isinstance(out[-1], ast.Assign)
            ):
                given = out[-1].targets[0]
                if isinstance(given, ast.Name) and given.id == name:
                    s.value = out.pop().value  # type: ignore[attr-defined]
            case _:
                pass
        out.append(s)
    return out


def _counted(stmts: list[ast.stmt], named: Counter[str]) -> list[ast.stmt]:
    """Whether there is an option without picks is asked where options are counted: `o = 1 if … else 0`, and then
    `n = before + o`."""
    flags: dict[str, ast.Assign] = {}
    gone: set[ast.stmt] = set()
    for s in stmts:
        match s:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.IfExp(test=test, body=ast.Constant(value=1), orelse=ast.Constant(value=0)),
            ) if named[name] == 2 and not any(isinstance(n, ast.NamedExpr) for n in walk(test)):
                flags[name] = s
            case ast.Assign(targets=[ast.Name()], value=ast.Name(id=name)) if name in flags:
                flag = flags.pop(name)
                gone.add(flag)
                s.value = flag.value
            case ast.Assign(
                targets=[ast.Name()],
                value=ast.BinOp(left=ast.Name() as before, op=ast.Add(), right=ast.Name(id=name)) as total,
            ) if name in flags:
                flag = flags.pop(name)
                gone.add(flag)
                assert isinstance(flag.value, ast.IfExp)
                total.right = flag.value.body
                s.value = ast.IfExp(test=flag.value.test, body=total, orelse=copied(before))
                ast.copy_location(s.value, s)
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith(("o_", "n_")):
                pass  # other options, and how many there are
            case _:
                flags.clear()  # what is done here may change what was asked
    return [s for s in stmts if s not in gone]


def _apart(found: ast.ListComp, body: Sequence[ast.stmt]) -> bool:
    """Whether what is done with the items of a list surely changes nothing that the list was made from."""
    read: set[str] = set()
    names: set[str] = set()
    for n in walk(found):
        match n:
            case ast.Attribute(value=ast.Name(id="m"), attr=slot):
                read.add(slot)
            case ast.Name(id=name):
                names.add(name)
            case ast.Call() | ast.NamedExpr() | ast.Lambda():
                return False
    for n in (n for s in body for n in walk(s)):
        match n:
            case ast.Call(func=ast.Name(id=name)) if name in MOVING:
                if not all(slot.startswith(FIELDS) for slot in read):
                    return False
            case ast.Call() | ast.NamedExpr() | ast.Break() | ast.Return() | ast.Delete():
                return False
            case ast.Attribute(value=ast.Name(id="m"), attr=slot, ctx=ast.Store()):
                if slot in read:
                    return False
            case ast.Subscript(value=value, ctx=ast.Store()):
                if not (isinstance(value, ast.Attribute) and value.attr not in read):
                    return False
            case ast.Name(id=name, ctx=ast.Store()):
                if name in names:
                    return False
    return True


def _heard(stmts: Sequence[ast.stmt]) -> set[str] | None:
    """The registries whose listeners are told, where this is all that happens; None where more does."""
    found: set[str] = set()
    for s in stmts:
        match s:
            case ast.Pass():
                continue
            case ast.For(body=body, orelse=[]) if (inner := _heard(body)) is not None and _silent(s.iter):
                found |= inner
            case ast.If(test=test, body=[ast.Continue()], orelse=[]) if _silent(test):
                continue
            case ast.If(
                test=ast.Compare(ops=[ast.In()], comparators=[ast.Attribute(attr=name)]) | ast.Attribute(attr=name),
                body=[ast.Expr(value=ast.Call(func=ast.Name(id="fire"), args=[_, _, entries, _]))],
                orelse=[],
            ) if name.startswith("t_") and name in ast.unparse(entries):
                found.add(name)
            case _:
                return None
    return found


def _silent(x: ast.expr) -> bool:
    """Whether an expression surely changes nothing and cannot fail: there is no call in it."""
    return not any(isinstance(n, ast.Call | ast.NamedExpr | ast.BinOp) and not _plain_sum(n) for n in walk(x))


def _plain_sum(x: ast.AST) -> bool:
    return isinstance(x, ast.BinOp) and isinstance(x.op, ast.Add | ast.Sub)
