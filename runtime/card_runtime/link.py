"""Fits generated code to the set of packages that are loaded together.

What no loaded card modifies, hears or replaces needs no test for it, and a small value that nothing modifies is
written out where it is read. The code of a package is made without knowing what will be loaded beside it; this is
where it becomes known. The rules are fitted to all that cards do, a card's own code to the rules alone: so what one
card does can change without linking all others again (`code`).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TypeAlias

from card_runtime.dispatch import dispatch
from card_runtime.drawing import answer
from card_runtime.fusion import Filter, about_memo, filters, forget, fuse
from card_runtime.never import deeds, omit
from card_runtime.outcomes import mark
from card_runtime.peephole import find_bearers, shorten, spare
from card_runtime.printed import keep
from card_runtime.tabling import tabulate
from card_runtime.texts import Deeds, Facts, Uses
from card_runtime.trees import Replace, Rewriter, copied, of_logs, reads_value, walk
from card_runtime.unfold import repeat, settle, settle_cards, unfold
from card_runtime.whereabouts import locate, owner

MOST_NODES = 90


def link(modules: Sequence[ast.Module], facts: Facts, quiet: bool = False) -> None:
    """Rewrite modules in place, all as rules; `quiet`: only the direct form, for matches of which no logs are kept."""
    Linker(modules, facts, quiet, reduce(or_, map(deeds, modules), Deeds())).rules(Uses())


class Linker:
    """Rewrites the code of a game in place: `modules`, which hold its rules, together (`rules`, which is told what all
    cards use), and what each card does by itself (`cards`), before or after that. `done`: by all code that is
    loaded."""

    def __init__(self, modules: Sequence[ast.Module], facts: Facts, quiet: bool, done: Deeds) -> None:
        self.modules, self.facts, self.quiet, self.done = modules, facts, quiet, done
        self._fit(modules)
        self.values = _small_values(modules)
        self._write_out(modules)
        self.lists = filters(modules) if quiet else {}
        self.lists_of_cards = {name: found.copy() for name, found in self.lists.items()}

    def cards(self, module: ast.Module) -> None:
        """Rewrite what cards do."""
        modules = [module]
        self._fit(modules)
        self._write_out(modules)
        if self.quiet:
            self._shorten(modules, self.lists_of_cards)
            spare(modules)
            locate(modules, self.facts.homes)
            answer(modules)
            settle_cards(module, self.facts.homes)
        else:
            dispatch(modules)

    def rules(self, uses: Uses) -> None:
        """Rewrite the rules; `uses`: of all cards."""
        modules, facts = self.modules, self.facts
        if not self.quiet:
            dispatch(modules)
            return
        self._shorten(modules, self.lists, rules=True)
        forget(modules, uses.reads)
        unfold(modules, dict(facts.parts), uses.calls)
        spare(modules)
        repeat(modules)
        locate(modules, facts.homes)
        answer(modules)
        mark(modules)
        settle(modules, facts.homes)

    def _fit(self, modules: Sequence[ast.Module]) -> None:
        """Leave out what cannot happen."""
        if self.quiet:
            omit(modules, self.done)
        for module in modules:
            if self.quiet:
                module.body = [s for s in module.body if not _of_steps(s)]
            _Trim(self.facts, self.quiet).visit(module)
        find_bearers(modules)

    def _write_out(self, modules: Sequence[ast.Module]) -> None:
        """Write small values out where they are read."""
        for module in modules:
            inline, share = _Inline(self.values), _Share()
            for f in module.body:
                if any(map(_may_be_written_out, walk(f))):
                    inline.visit(f)
                    share.visit(f)

    def _shorten(self, modules: Sequence[ast.Module], lists: Mapping[str, Filter], rules: bool = False) -> None:
        fuse(modules, lists)
        keep(modules)
        if rules:
            tabulate(modules, self.facts.listed, lambda cards: owner(cards, self.facts.homes))
        shorten(modules)


def _may_be_written_out(n: ast.AST) -> bool:
    """Whether this is a value that is read, or an entry of a list."""
    return reads_value(n) or (isinstance(n, ast.Name) and n.id == "entry_from")


def _small_values(modules: Sequence[ast.Module]) -> dict[str, _Value]:
    """The values that are written out where they are read."""
    values: dict[str, _Value] = {}
    for module in modules:
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("v_") and (value := _small(node)) is not None:
                values[node.name] = value
    inline = _Inline(values)
    for _ in range(4):  # values read values; four levels written out are enough
        inline.changed = False
        for name, value in values.items():
            values[name] = _Value(value.params, inline.visit(copied(value.body)), value.uses, value.modified)
        if not inline.changed:
            break
    return {name: v for name, v in values.items() if sum(1 for _ in ast.walk(v.body)) <= 2 * MOST_NODES}


def _of_steps(s: ast.stmt) -> bool:
    """Whether this is a function of the step form, or its size."""
    match s:
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]):
            return name.startswith("s_")
    return False


class _Trim(Rewriter):
    """Drops `if m.REGISTRY: …` where the registry stays empty, looks for the key at once where all entries have one,
    and drops what is told to logs."""

    def __init__(self, facts: Facts, quiet: bool) -> None:
        self.facts = facts
        self.quiet = quiet
        self.keys: dict[str, ast.expr] = {}
        self.dropped = False

    def block(self, stmts: list[ast.stmt]) -> list[ast.stmt]:
        """The statements as they are after this visit."""
        holder = ast.Module(body=stmts, type_ignores=[])
        self.generic_visit(holder)
        return holder.body

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        out = self.fitted(node)
        self.dropped = self.dropped or out is not node
        return out

    def fitted(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        match node.test:
            case ast.Compare() as test if self.quiet and of_logs(test):
                return self.block(node.orelse)
            case ast.BoolOp(op=ast.And(), values=[test, *_]) if self.quiet and of_logs(test):
                return self.block(node.orelse)
            case ast.BoolOp(op=ast.Or(), values=[test, *rest]) as tests if self.quiet and of_logs(test):
                tests.values = rest
                if len(rest) == 1:
                    node.test = rest[0]
                self.generic_visit(node)
            case ast.Attribute() as test if (name := _registry(test)) and not node.orelse:
                if name not in self.facts.used:
                    return None
                self.generic_visit(node)
                if name in self.keys:
                    node.test = _keyed(test, self.keys.pop(name))
            case ast.BoolOp(op=ast.And(), values=[ast.Attribute() as test, _]) if (name := _registry(test)):
                if name not in self.facts.used:
                    return None
                self.generic_visit(node)
                if name in self.keys:
                    assert isinstance(node.test, ast.BoolOp)
                    node.test.values[0] = _keyed(test, self.keys.pop(name))
            case _:
                self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`m.R.get(key) or m.R[None]`."""
        self.generic_visit(node)
        match node:
            case ast.BoolOp(
                op=ast.Or(),
                values=[ast.Call(func=ast.Attribute(value=ast.Attribute() as registry, attr="get"), args=[key]), _],
            ) if (name := _registry(registry)) in self.facts.keyed and name is not None:
                self.keys[name] = key
                return ast.copy_location(ast.Subscript(value=registry, slice=key, ctx=ast.Load()), node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.dropped = False
        self.generic_visit(node)
        for n in walk(node) if self.dropped else ():
            if isinstance(n, ast.If | ast.For | ast.While | ast.FunctionDef) and not n.body:
                n.body = [ast.copy_location(ast.Pass(), n)]
        return node


def _registry(node: ast.Attribute) -> str | None:
    """The name of the registry that an expression reads."""
    of_match = isinstance(node.value, ast.Name) and node.value.id == "m"
    return node.attr if of_match and node.attr[:2] in ("v_", "t_", "i_") else None


def _keyed(registry: ast.Attribute, key: ast.expr) -> ast.expr:
    """Whether the registry has entries for the key."""
    return ast.copy_location(ast.Compare(left=copied(key), ops=[ast.In()], comparators=[registry]), registry)


Known: TypeAlias = Mapping[str, ast.Call]
"""Readings of values that were surely made before, by their text."""


class _Share(Rewriter):
    """Computes a value once where an expression reads it twice: the first reading is given a name.

    Parts that are evaluated on a condition see what is known before them and keep what they learn to themselves;
    lambdas and comprehensions are left alone."""

    def __init__(self) -> None:
        self.names: dict[ast.Call, str] = {}
        self.again: dict[ast.Call, ast.Call] = {}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.stmt):
            for x in ast.iter_child_nodes(node):
                if isinstance(x, ast.expr) and sum(map(reads_value, walk(x))) > 1:
                    self.look(x, {})
        return super().generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if node in self.again:
            return ast.copy_location(ast.Name(id=self.names[self.again[node]], ctx=ast.Load()), node)
        super().generic_visit(node)
        if node in self.names:
            target = ast.copy_location(ast.Name(id=self.names[node], ctx=ast.Store()), node)
            return ast.copy_location(ast.NamedExpr(target=target, value=node), node)
        return node

    def look(self, node: ast.AST, known: Known) -> tuple[Known, Known]:
        """Go through an expression in order of evaluation; what is known after it, and what if it is true."""
        match node:
            case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return known, known
            case ast.BoolOp(values=[head, *rest]):
                which = 1 if isinstance(node.op, ast.And) else 0
                after = self.look(head, known)
                inner = after[which]
                for x in rest:
                    inner = self.look(x, inner)[which]
                return after[0], inner if which else after[0]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known, if_true = self.look(test, known)
                self.look(body, if_true)
                self.look(orelse, known)
                return known, known
            case ast.Compare(left=left, comparators=[right, *rest]):
                known = self.look(right, self.look(left, known)[0])[0]
                for x in rest:
                    self.look(x, known)
                return known, known
        for child in ast.iter_child_nodes(node):
            known = self.look(child, known)[0]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("v_"):
            text = ast.dump(node)
            first = known.get(text)
            if first is None:
                known = {**known, text: node}
            else:
                self.again[node] = first
                self.names.setdefault(first, f"y_{len(self.names)}")
        return known, known


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that may be written out; with `modified`, only while that does not hold."""

    params: tuple[str, ...]
    body: ast.expr
    uses: Mapping[str, int]
    modified: ast.expr | None


def _small(node: ast.FunctionDef) -> _Value | None:
    """The expression of a value that is one, or None. What it remembers, and what modifies it, only matters when there
    is something."""
    stmts = [s for s in node.body if not about_memo(s)]
    modified: ast.expr | None = None
    match stmts:
        case [ast.Assign(targets=[ast.Name(id="x")], value=body), ast.Return(value=ast.Name(id="x"))]:
            pass
        case [
            ast.Assign(targets=[ast.Name(id="x")], value=body),
            ast.If(test=test),
            ast.Return(),
        ] if _reads_registry(test):
            modified = copied(test)  # the rules are rewritten after this, and cards look at it later
        case _:
            return None
    if sum(1 for _ in ast.walk(body)) > MOST_NODES:
        return None
    if any(isinstance(n, ast.comprehension | ast.Lambda | ast.NamedExpr) for n in ast.walk(body)):
        return None
    params = tuple(a.arg for a in node.args.args[1:])
    uses = {p: sum(isinstance(n, ast.Name) and n.id == p for n in ast.walk(body)) for p in params}
    return _Value(params, body, uses, modified)


def _reads_registry(test: ast.expr) -> bool:
    of = test.comparators[0] if isinstance(test, ast.Compare) else test
    return isinstance(of, ast.Attribute) and _registry(of) is not None


class _Inline(Rewriter):
    """Writes small values out where they are called: an argument read twice must be a plain name or constant."""

    def __init__(self, values: Mapping[str, _Value]) -> None:
        self.values = values
        self.changed = False

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """What was written out before is called only where it is modified: there it stays a call."""
        match node.body:
            case ast.Call(func=ast.Name(id=name)) if name in self.values and any(
                isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(node.test)
            ):
                node.orelse = self.visit(node.orelse)
                return node
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "entry_from":
            return _entry(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self.values or node.keywords:
            return node
        value = self.values[node.func.id]
        args = dict(zip(value.params, node.args[1:], strict=True))
        twice = 1 if value.modified is None else 0
        if any(value.uses[p] > twice and not _plain(a) for p, a in args.items()):
            return node
        self.changed = True
        out = Replace(args).visit(copied(value.body))
        if value.modified is not None:
            out = ast.IfExp(test=Replace(args).visit(copied(value.modified)), body=node, orelse=out)
        for n in ast.walk(out):
            if isinstance(n, ast.expr) and n is not node:
                n.lineno, n.end_lineno, n.col_offset, n.end_col_offset = node.lineno, node.lineno, 0, 0
        assert isinstance(out, ast.expr)
        return out


def _entry(node: ast.Call) -> ast.AST:
    """`entry_from([2, 3, 6], i)` for a written-out list is plain indexing; beyond its end Python says so itself."""
    match node.args:
        case [ast.List(elts=elts), index] if all(isinstance(e, ast.Constant) for e in elts):
            at = {"lineno": node.lineno, "col_offset": 0, "end_lineno": node.lineno, "end_col_offset": 0}
            return ast.Subscript(value=ast.Tuple(elts=elts, ctx=ast.Load(), **at), slice=index, ctx=ast.Load(), **at)
    return node


def _plain(a: ast.expr) -> bool:
    match a:
        case ast.Name() | ast.Constant():
            return True
        case ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant()):
            return True
    return False
