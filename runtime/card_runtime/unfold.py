"""Writes the rules of a game out, for playouts: effects where they are raised, values where they are read, searches as
loops, loops over a few fixed things, and what is read of the match again and again.

Done for the rules only, which are run all the time; what single cards do stays as it is, as there may be many.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from card_runtime import layouts, readings
from card_runtime.again import share
from card_runtime.hoist import Parts, hoist
from card_runtime.model import RULES
from card_runtime.spelling import collect, spell
from card_runtime.tabling import PURE
from card_runtime.trees import Replace, Rewriter, assigned, copied, parsed, placed, reads_value, walk
from card_runtime.unroll import unroll
from card_runtime.whereabouts import Homes

MOST_REPEATED = 1000
"""So large a body of a loop over the two players, in nodes of its tree, is written twice."""
MOST_DOUBLED = 30
"""The same of a loop over two places."""
MOST_EMBEDDED = 1000
"""So large an effect, in nodes of its tree, is still written out where it is raised."""
MOST_TESTED = 60
"""So large conditions are tested before an effect is raised that does nothing without them."""
MOST_OF_VALUE = 200
"""The same of a value."""
MOST_LEVELS = 4
"""So deep values and effects are written out in each other."""
MOST_LOOPS = 16
"""So many loops stand inside each other where something is written out; Python refuses more than twenty."""

STEADY = ("B_", "D_", "S_", "T_", "c_", "p_", "b_", "h_", "o_", "v_", "t_", "i_")
FOUND = ("o_", "x", "through_")
"""How the names of lists begin that are made of what is found."""
LISTS = frozenset(
    {"K", "age", "at", "base", "d", "decks", "draw", "known", "own", "periods", "places", "statics", "tables"}
    | {"up"}
)
"""What is never replaced in a match while code runs: these, and slots that begin so."""


def unfold(
    modules: Sequence[ast.Module],
    parts: Parts = MappingProxyType({}),
    elsewhere: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Spell out searches, and write effects and values out, in linked modules, in place; `parts`: see `hoist`;
    `elsewhere`: in how many places other code calls functions."""
    rules, values = _functions(modules, RULES, ("flow", "setup")), _functions(modules, ("v_",))
    for f in rules.values():
        f.body = _without_return(f.body)
    for f in (*values.values(), *rules.values()):
        spell(f)
    for f in values.values():
        hoist(f, parts)
    whole = {name: copied(f) for name, f in values.items()}
    embed = _Embed({}, values, frozenset())
    for name in values:
        embed.done(name)
    raised = called(modules) + Counter(elsewhere)
    embed = _Embed(rules, whole, frozenset(name for name, times in raised.items() if times == 1))
    for name in rules:
        embed.done(name)
    guard, flat = _Guard(rules), _Flat(embed)
    for f in rules.values():
        guard.visit(f)
        flat.visit(f)


def repeat(modules: Sequence[ast.Module]) -> None:
    """Write small loops over both players out in the rules, in place."""
    for f in _functions(modules, RULES, ("flow", "setup")).values():
        _Repeat().visit(f)


def settle(modules: Sequence[ast.Module], homes: Homes = ()) -> None:
    """Write out loops over a few things, and what is read again and again, in place: the last that is done."""
    rules, values = _functions(modules, RULES, ("flow", "setup")), _functions(modules, ("v_",))
    for name, f in {**rules, **values}.items():
        layouts.read(f)
        unroll(f)
        collect(f)
        if name in rules or loops(f):
            _settle(f)
            readings.share(f, homes)


def settle_cards(module: ast.Module, homes: Homes = ()) -> None:
    """The same of what single cards do."""
    for f in module.body:
        if isinstance(f, ast.FunctionDef):
            unroll(f)
            collect(f)
            if loops(f):
                _settle(f)
            readings.share(f, homes)


def _functions(
    modules: Sequence[ast.Module], begin: tuple[str, ...], names: tuple[str, ...] = ()
) -> dict[str, ast.FunctionDef]:
    """The functions whose names begin so, or are these."""
    functions = (f for m in modules for f in m.body if isinstance(f, ast.FunctionDef))
    return {f.name: f for f in functions if f.name.startswith(begin) or f.name in names}


def _without_return(stmts: list[ast.stmt]) -> list[ast.stmt]:
    """`if …: return` at the beginning as a condition of what follows."""
    for i, s in enumerate(stmts):
        match s:
            case ast.If(test=test, body=[ast.Return(value=None)], orelse=[]) if stmts[i + 1 :]:
                s.test = ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=test), s)
                s.body = _without_return(stmts[i + 1 :])
                return stmts[: i + 1]
    return stmts


def called(modules: Sequence[ast.Module]) -> Counter[str]:
    """In how many places code calls each function."""
    calls = (n.func for m in modules for n in walk(m) if isinstance(n, ast.Call))
    return Counter(func.id for func in calls if isinstance(func, ast.Name))


class _Embed(Rewriter):
    """Writes small effects, and those raised at one place only, out where they are raised, and small values that are
    statements where a statement begins with reading them: `x = v_…(m, …)`, `if not v_…(m, …): …`."""

    def __init__(
        self, rules: Mapping[str, ast.FunctionDef], values: Mapping[str, ast.FunctionDef], once: frozenset[str]
    ) -> None:
        self.rules = rules
        self.values = values
        self.once = once
        self.finished: dict[str, bool] = {}
        self.count = 0
        self.shared = 0
        self.last = True
        self.simple = {name for name, f in values.items() if not any(map(reads_value, walk(f)))}
        self.depth = 0

    def done(self, name: str) -> bool:
        """See to it that what this code raises and reads is written out; whether it may be written out itself."""
        if name not in self.finished:
            self.finished[name] = False  # in work: what raises itself is left alone
            f = self.rules.get(name) or self.values[name]
            around, self.depth = self.depth, 0
            if name in self.rules:
                self.by_levels(f)
            elif not self.rules:
                self.generic_visit(f)
            self.depth = around
            nodes = [*ast.walk(f)]
            most, returns = (MOST_EMBEDDED, 0) if name in self.rules else (MOST_OF_VALUE, 1)
            small = len(nodes) <= most or name in self.once
            self.finished[name] = small and sum(isinstance(n, ast.Return) for n in nodes) == returns
        return self.finished[name]

    def by_levels(self, f: ast.FunctionDef) -> None:
        """Write out what the rules raise and read, then what that raises and reads; what is then read twice, once.
        Values that read no others come last, as what reads them brings more readings of them to light."""
        outer = self.last
        self.last = False
        for _ in range(MOST_LEVELS):
            before = self.count
            self.shared = share(f, self.shared)
            self.generic_visit(f)
            if self.count == before:
                break
        self.shared = share(f, self.shared)
        self.last = True
        self.generic_visit(f)
        self.last = outer

    def fits(self, f: ast.FunctionDef) -> bool:
        """Whether the loops of a function may stand where we are."""
        return self.depth + loops(f) <= MOST_LOOPS

    def visit_For(self, node: ast.For) -> ast.AST:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        match node.value:
            case ast.Call(func=ast.Name(id=name), args=[_, *args]) if (
                name in self.rules and self.done(name) and self.fits(self.rules[name])
            ):
                return self.written_out(self.rules[name], args)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        node.value, before = self.read(node.value)
        return [*before, node]

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
            node.test.operand, before = self.read(node.test.operand)
        else:
            node.test, before = self.read(node.test)
        return [*before, node]

    def read(self, x: ast.expr) -> tuple[ast.expr, list[ast.stmt]]:
        """An expression, and what must stand before it: the code of the value that it is, if that is small."""
        match x:
            case ast.Call(func=ast.Name(id=name), args=[_, *args]) if (
                name in self.values and self.done(name) and self.fits(self.values[name])
                and (self.last or name not in self.simple)
            ):
                *before, last = self.written_out(self.values[name], args)
                assert isinstance(last, ast.Return) and last.value is not None
                match last.value, before:
                    case ast.Name(id=given), [*_, ast.Assign(targets=[ast.Name(id=same)], value=found)] if (
                        same == given and not any(isinstance(n, ast.ListComp) for n in ast.walk(found))
                    ):
                        return found, before[:-1]
                return last.value, before
            case ast.BinOp(left=left) if not any(isinstance(n, ast.Call) for n in ast.walk(left)):
                x.right, before = self.read(x.right)
                return x, before
        return x, []

    def written_out(self, f: ast.FunctionDef, args: list[ast.expr]) -> list[ast.stmt]:
        """The body with names of its own; arguments that are names or constants stand for the parameters."""
        self.count += 1
        value = f.name in self.values
        stored = {n.id for n in walk(f) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        stored |= {a.arg for n in walk(f) if isinstance(n, ast.Lambda) for a in n.args.args}
        names: dict[str, ast.expr] = {x: ast.Name(id=f"{x}·{self.count}") for x in stored}
        out: list[ast.stmt] = []
        for param, arg in zip([a.arg for a in f.args.args[1:]], args, strict=True):
            if param not in stored and (
                isinstance(arg, ast.Name | ast.Constant) or (value and (opponent(arg) or _read_once(f, param, arg)))
            ):
                names[param] = arg
            else:
                names[param] = ast.Name(id=f"{param}·{self.count}")
                target = ast.copy_location(ast.Name(id=f"{param}·{self.count}", ctx=ast.Store()), arg)
                out.append(ast.copy_location(ast.Assign(targets=[target], value=arg), arg))
        return out + [Replace(names).visit(copied(s)) for s in f.body if not isinstance(s, ast.Pass)]


def wanted(body: list[ast.stmt]) -> list[ast.expr]:
    """The conditions under one of which statements do anything; none where they always may."""
    found: list[ast.expr] = []
    for s in body:
        match s:
            case ast.If(test=test, orelse=[]):
                found.append(test)
            case ast.For(
                iter=ast.ListComp(
                    elt=ast.Name(id=item),
                    generators=[ast.comprehension(target=ast.Name(id=var), iter=ast.Tuple(elts=elts), ifs=[test])],
                )
            ) if item == var and all(isinstance(e, ast.Constant) for e in elts):
                found += [Replace({var: e}).visit(copied(test)) for e in elts]
            case _:
                return []
    tested = {ast.dump(test) for test in found}
    found = [t for t in found if not (isinstance(t, ast.BoolOp) and any(ast.dump(x) in tested for x in t.values))]
    sizes = sum(1 for test in found for _ in ast.walk(test))
    pure = not any(isinstance(n, ast.Call | ast.NamedExpr) for test in found for n in ast.walk(test))
    return found if pure and sizes <= MOST_TESTED else []


def _read_once(f: ast.FunctionDef, param: str, arg: ast.expr) -> bool:
    """Whether a value reads a parameter once at most, and it costs less to compute it there."""
    again = (ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp, ast.Lambda)
    if any(isinstance(n, (ast.Call, ast.NamedExpr, *again)) for n in ast.walk(arg)):
        return False
    nodes = [*ast.walk(f)]
    return not any(isinstance(n, again) for n in nodes) and (
        sum(isinstance(n, ast.Name) and n.id == param for n in nodes) <= 1
    )


def opponent(x: ast.expr) -> bool:
    """Whether this is `1 - p`."""
    match x:
        case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=ast.Name()):
            return True
    return False


def loops(node: ast.AST) -> int:
    """How many loops stand inside each other."""
    return isinstance(node, ast.For | ast.While) + max(map(loops, ast.iter_child_nodes(node)), default=0)


class _Guard(Rewriter):
    """Tests beforehand whether an effect that is raised does anything at all."""

    def __init__(self, rules: Mapping[str, ast.FunctionDef]) -> None:
        self.wanted = {name: (f, tests) for name, f in rules.items() if (tests := wanted(f.body))}

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(func=ast.Name(id=name), args=[_, *args]) if name in self.wanted and all(
                isinstance(a, ast.Name | ast.Constant) for a in args
            ):
                f, tests = self.wanted[name]
                names = dict(zip([a.arg for a in f.args.args[1:]], args, strict=True))
                found = [Replace(names).visit(copied(t)) for t in tests]
                test = found[0] if len(found) == 1 else ast.BoolOp(op=ast.Or(), values=found)
                return placed(ast.If(test=test, body=[node], orelse=[]), node)
        return node


class _Flat(ast.NodeTransformer):
    """Writes an expression that reads modified values out as statements, and with it the values."""

    def __init__(self, embed: _Embed) -> None:
        self.embed = embed

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.IfExp() as x) if any(
                map(self.modified, ast.walk(x))
            ):
                return [placed(s, node) for s in self.given(name, x)]
        return node

    def modified(self, n: ast.AST) -> bool:
        """Whether this is `v_…(m, …) if m.v_… else …` of a small value."""
        match n:
            case ast.IfExp(test=test, body=ast.Call(func=ast.Name(id=name), args=[_, *args])):
                return (
                    any(isinstance(x, ast.Attribute) and x.attr == name for x in ast.walk(test))
                    and name in self.embed.values
                    and all(isinstance(a, ast.Name | ast.Constant) for a in args)
                    and self.embed.done(name)
                )
        return False

    def given(self, name: str, x: ast.expr) -> list[ast.stmt]:
        """`name = x` as statements."""
        match x:
            case ast.IfExp(test=ast.BoolOp(op=ast.And(), values=tests), body=body, orelse=ast.Constant() as other):
                then = self.given(name, body)
                for test in reversed(tests):
                    before: list[ast.stmt] = []
                    if isinstance(test, ast.Compare):
                        test.left, before = self.read(test.left)
                        if len(test.comparators) == 1:
                            test.comparators[0], more = self.read(test.comparators[0])
                            before += more
                    then = [*before, ast.If(test=test, body=then, orelse=[])]
                return [assigned(name, other), *then]
        x, before = self.read(x)
        return [*before, assigned(name, x)]

    def read(self, x: ast.expr) -> tuple[ast.expr, list[ast.stmt]]:
        match x:
            case ast.IfExp(body=ast.Call(func=ast.Name(id=value), args=[_, *args])) if self.modified(x):
                *before, last = self.embed.written_out(self.embed.values[value], args)
                assert isinstance(last, ast.Return) and last.value is not None
                return last.value, before
        return x, []


def _leaves(s: ast.AST) -> bool:
    """Whether a statement of a loop may leave this loop, or go on with its next."""
    if isinstance(s, ast.Break | ast.Continue):
        return True
    inner = s.orelse if isinstance(s, ast.For | ast.While) else ast.iter_child_nodes(s)
    return any(_leaves(n) for n in inner if isinstance(n, ast.stmt | ast.excepthandler | ast.match_case))


class _Repeat(Rewriter):
    """Writes loops over both players twice, and those over two places one after the other where nothing moves and
    they are small, or it matters whose the cards are, which is known then."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        match node:
            case ast.For(
                target=ast.Name(id=var), iter=ast.Tuple(elts=[ast.Constant(value=0), ast.Constant(value=1)] as seats)
            ):
                return _for_both(node, var, seats)
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=var), ast.Name() as x]),
                iter=ast.Call(
                    func=ast.Name(id="zip"),
                    args=[
                        ast.Tuple(elts=[ast.Constant(value=0), ast.Constant(value=1)] as seats), ast.Name(id=answers)
                    ],
                ),
            ):
                answer = assigned(x.id, ast.parse(f"{answers}[{var}]", mode="eval").body)
                return _for_both(node, var, seats, answer)
            case ast.For(target=ast.Name(id=var), iter=ast.BinOp(left=one, op=ast.Add(), right=other), orelse=[]) if (
                _place(one) and _place(other)
            ):
                inner = [n for s in node.body for n in ast.walk(s)]
                if (
                    (len(inner) <= MOST_DOUBLED or any(_owner_of(n, var) for n in inner))
                    and len(inner) <= MOST_REPEATED
                    and not any(map(_leaves, node.body))
                    and all(map(_stays, node.body))
                ):
                    again = copied(node)
                    node.iter, again.iter = one, other
                    return [node, again]
        return node


def _for_both(node: ast.For, var: str, seats: Sequence[ast.expr], *first: ast.stmt) -> list[ast.stmt] | ast.For:
    """The body of a loop over both players twice, after what comes `first`; or the loop where it is too large or may be
    left."""
    inner = [n for s in node.body for n in ast.walk(s)]
    if len(inner) > MOST_REPEATED or any(map(_leaves, node.body)) or any(isinstance(n, ast.Lambda) for n in inner):
        return node
    return [placed(Replace({var: seat}).visit(copied(s)), node) for seat in seats for s in (*first, *node.body)]


def _place(x: ast.expr) -> bool:
    """Whether this is the list of a place."""
    match x:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr="places"), slice=index):
            return not isinstance(index, ast.Slice)
    return False


def _owner_of(n: ast.AST, card: str) -> bool:
    match n:
        case ast.Subscript(value=ast.Attribute(attr="own"), slice=ast.Name(id=name)):
            return name == card
    return False


def _stays(s: ast.stmt) -> bool:
    """Whether a statement surely leaves all cards where they lie."""
    for n in walk(s):
        match n:
            case ast.Call(func=ast.Name(id=name)) if name in PURE or name.split("·")[0] == "fn_" or reads_value(n):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")) if name.startswith(FOUND):
                pass
            case ast.Call(func=ast.Attribute(attr="get")):
                pass
            case ast.Call() | ast.Delete() | ast.Attribute(attr="places", ctx=ast.Store()):
                return False
            case ast.Subscript(value=ast.Attribute(attr="places") | ast.Name(), ctx=ast.Store()):
                return False
    return True


def _settle(f: ast.FunctionDef) -> None:
    """Read what stays the same, and is read in loops or often, once into a local: where it is wanted first."""
    weights: Counter[str] = Counter()
    _weigh(f, 1, weights)
    often = sorted(name for name, weight in weights.items() if weight > 2)
    homes: dict[str, tuple[list[ast.stmt], ast.stmt]] = {}
    _find_homes(f.body, frozenset(often), homes)
    _Settle(frozenset(often)).visit(f)
    for name in often:
        block, first = homes[name]
        at = next(i for i, s in enumerate(block) if s is first)
        block[at:at] = parsed(f"m·{name} = m.{name}", first)


def _find_homes(
    block: list[ast.stmt], names: frozenset[str], homes: dict[str, tuple[list[ast.stmt], ast.stmt]]
) -> None:
    """For each slot the innermost block, in no loop, that holds all readings of it, and its first with one."""
    read = [_reads(s) & names for s in block]
    times = Counter(name for found in read for name in found)
    for s, found in zip(block, read, strict=True):
        here = frozenset(name for name in found if times[name] == 1)
        if isinstance(s, ast.If) and here:
            test, body, orelse = _reads(s.test), _reads(*s.body), _reads(*s.orelse)
            for inner, reading, other in ((s.body, body, orelse), (s.orelse, orelse, body)):
                _find_homes(inner, here & reading - test - other, homes)
        homes |= {name: (block, s) for name in found if name not in homes}


def _reads(*nodes: ast.AST) -> frozenset[str]:
    """The slots that are read and stay the same."""
    return frozenset(n.attr for node in nodes for n in walk(node) if _steady(n))  # type: ignore[attr-defined]


def _weigh(node: ast.AST, weight: int, weights: Counter[str]) -> None:
    inner = weight
    if isinstance(node, ast.For | ast.While | ast.comprehension | ast.ListComp | ast.GeneratorExp):
        inner *= 4
    if _steady(node):
        assert isinstance(node, ast.Attribute)
        weights[node.attr] += weight
    for n in ast.iter_child_nodes(node):
        once = isinstance(node, ast.For) and n is node.iter
        _weigh(n, weight if once else inner, weights)


def _steady(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="m"), attr=name, ctx=ast.Load()):
            return name in LISTS or name.startswith(STEADY)
    return False


class _Settle(Rewriter):
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _steady(node) and node.attr in self.names:
            return ast.copy_location(ast.Name(id=f"m·{node.attr}", ctx=ast.Load()), node)
        self.generic_visit(node)
        return node
