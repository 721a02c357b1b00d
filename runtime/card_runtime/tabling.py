"""Tables of the options of a choice, for playouts: what can be chosen with a card is worked out once for what it
follows from.

The options of `s: spell in p.hand, maybe boosted where …, n: 0..4 where …` are, for each spell of the hand, all that
may follow it. If this part reads nothing but printed cards, options of the match and a few numbers of players and
cards, it is looked up by these; else it is left as it is. The tables belong to a game (`Tables`): matches share them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from card_runtime.trees import Replace, Rewriter, copied, relocated

MOST_KEPT = 200_000
"""So many options are kept at most: some tens of megabytes."""
FEWEST_PICKS = 3
"""A choice of fewer picks is enumerated as quickly as it is looked up."""

PRINTED = ("D_", "H_")
FIXED = frozenset({"K", "base", "forms"})
"""Slots with what is printed, which stays the same: these, and those that begin so."""
ENTRIES = ("c_", "p_", "b_")
LISTS = frozenset({"at", "d", "own", "up"})
"""Slots that are lists of plain values: these, and those that begin so."""
PURE = frozenset(
    {"abs", "all", "any", "at_least", "at_most", "entry", "entry_from", "known", "len", "list", "max", "min", "only"}
    | {"product", "range", "sum", "top", "topmost", "within"}
)
"""Functions whose result follows from their arguments."""
CONSTANTS = ("N_", "HOME_", "COUNT_")


class Tables(dict[Any, dict[Any, Any]]):
    """The tables of a game, by choice and what its options follow from beside the first pick.

    Of one choice, options that are equal are the same object, and so are lists of them: what is read all the time then
    lies in a tenth of the memory, most of it in the caches of a processor."""

    def __init__(self) -> None:
        self.once: dict[str, tuple[dict[Any, Any], dict[Any, list[Any]]]] = {}
        self.kept = 0

    def __missing__(self, key: Any) -> dict[Any, Any]:
        table = self[key] = {}
        return table

    def keep(self, choice: str, table: dict[Any, Any], key: Any, found: list[Any]) -> list[Any]:
        """Note the options of a first pick; the tables begin anew when there are too many."""
        once, lists = self.once.setdefault(choice, ({}, {}))
        same = tuple([once.setdefault(option, option) for option in found])
        options = lists.get(same)
        if options is None:
            options = lists[same] = list(same)
            self.kept += len(options)
        self.kept += 1
        if self.kept > MOST_KEPT:
            self.clear()
            self.once.clear()
            self.kept = 0
        table[key] = options
        return options


def tabulate(
    modules: Sequence[ast.Module],
    listed: Collection[str],
    owner: Callable[[ast.expr], str | None] = lambda _: None,
) -> None:
    """Rewrite linked modules in place; `listed`: the slots whose values are lists themselves; `owner`: whose the cards
    of a place are."""
    functions = {f.name: f for m in modules for f in m.body if isinstance(f, ast.FunctionDef)}
    reader = _Reader(functions, listed)
    made = 0
    for module in modules:
        more: list[ast.stmt] = []
        for f in module.body:
            if isinstance(f, ast.FunctionDef) and (f.name.startswith("e_") or f.name in ("flow", "setup")):
                tabulator = _Tabulator(reader, made, owner)
                tabulator.visit(f)
                made += len(tabulator.made)
                more += tabulator.made
        module.body += more


class _Unsteady(Exception):
    """An expression reads what no key can hold."""


@dataclass
class _Reads:
    """What an expression follows from: variables of the code around it, and values of the match, by their text.
    `passed`: variables that it reads only to find such values."""

    names: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    values: dict[str, ast.expr] = field(default_factory=dict)


class _Tabulator(Rewriter):
    """Puts a look-up where the options of a choice of several picks are enumerated."""

    def __init__(self, reader: _Reader, made: int, owner: Callable[[ast.expr], str | None]) -> None:
        self.reader = reader
        self.owner = owner
        self.count = made
        self.made: list[ast.FunctionDef] = []

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.ListComp(elt=elt, generators=[ast.comprehension(target=ast.Name(id=first)) as head, *picks]),
            ) if name.startswith("o_") and len(picks) + 1 >= FEWEST_PICKS:
                rest = ast.ListComp(elt=elt, generators=picks)
                try:
                    reads = self.reader.reads([*head.ifs, rest])
                except _Unsteady:
                    return node
                out = self.looked_up(name, first, head, rest, reads)
                relocated(self.made[-1], node)
                return [relocated(s, node) for s in out]
        return node

    def looked_up(
        self, name: str, first: str, head: ast.comprehension, rest: ast.ListComp, reads: _Reads
    ) -> list[ast.stmt]:
        """The statements that collect the options, and a function (the last one `made`) that works out those of one
        first pick."""
        reads = _owned(reads, first, self.owner(head.iter))
        mine = [text for text, x in reads.values.items() if first in _names(x)]
        around = sorted(reads.names - {first})
        function = f"k_{self.count + len(self.made)}"
        params = ", ".join(["m", first, *sorted((reads.names | reads.passed) - {first})])
        text = f"def {function}({params}): return {ast.unparse(rest)}"
        if head.ifs:
            text += f" if {' and '.join(f'({ast.unparse(x)})' for x in head.ifs)} else []"
        made = ast.parse(text).body[0]
        assert isinstance(made, ast.FunctionDef)
        self.made.append(made)
        shared = [repr(function), *around, *(t for t in reads.values if t not in mine)]
        key = ", ".join([first, *mine])
        source = f"({ast.unparse(head.iter)})"
        at = f"({key})" if mine else key
        return ast.parse(
            f"try:\n"
            f"    {name} = []\n"
            f"    table_ = m.tables[{', '.join(shared)},]\n"
            f"    try:\n"
            f"        for {first} in {source}: {name} += table_[{at}]\n"
            f"    except KeyError:\n"
            f"        {name} = []\n"
            f"        for {first} in {source}:\n"
            f"            key_ = {at}\n"
            f"            some_ = table_.get(key_)\n"
            f"            if some_ is None: some_ = m.tables.keep({function!r}, table_, key_, {function}({params}))\n"
            f"            {name} += some_\n"
            # a guard that is not reached here may keep from what cannot be read, and a list is no key
            f"except (IndexError, TypeError): {name} = [x_ for {first} in {source} for x_ in {function}({params})]\n"
        ).body


def _owned(reads: _Reads, first: str, owner: str | None) -> _Reads:
    """What is read, where it is known whose the first picks are."""
    if owner is None:
        return reads
    found = _Reads(set(reads.names), reads.passed)
    for text, x in reads.values.items():
        text = text.replace(f"m.own[{first}]", owner)
        if text == owner:
            found.names.add(text)
        else:
            found.values[text] = x if first not in _names(x) else ast.parse(text, mode="eval").body
    return found


def first_picks(s: ast.Try) -> tuple[str, ast.expr] | None:
    """The list of options that are looked up here, and where their first picks come from."""
    match s.body:
        case [
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
            ast.Assign(value=ast.Subscript(value=ast.Attribute(attr="tables"))),
            ast.Try(body=[ast.For(iter=source)]),
        ]:
            return name, source
    return None


class _Reader:
    """Finds what expressions and values follow from. Raises _Unsteady."""

    def __init__(self, functions: Mapping[str, ast.FunctionDef], listed: Collection[str]) -> None:
        self.functions = functions
        self.listed = listed
        self.values: dict[str, _Reads | None] = {}

    def reads(self, parts: Iterable[ast.expr]) -> _Reads:
        reads = _Reads()
        for x in parts:
            self.look(x, frozenset(), reads)
        return reads

    def look(self, node: ast.AST, inner: frozenset[str], reads: _Reads) -> None:
        """`inner`: the variables that the expression itself goes through."""
        match node:
            case ast.Constant() | ast.expr_context() | ast.operator() | ast.boolop() | ast.cmpop() | ast.unaryop():
                return
            case ast.Name(id=name):
                if name not in inner and not name.startswith(CONSTANTS):
                    reads.names.add(name)
            case ast.Attribute(value=ast.Name(id="m"), attr=slot):
                if slot.startswith(("o_", "s_")) and slot not in self.listed:
                    reads.values[ast.unparse(node)] = node
                elif not (slot.startswith(PRINTED) or slot in FIXED):
                    raise _Unsteady
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="m"), attr=slot), slice=at) if (
                slot in LISTS or slot in ("places", "decks") or slot.startswith(ENTRIES)
            ):
                self.entry(node, slot, at, inner, reads)
            case ast.Call(func=ast.Name(id="passes"), args=[_, items]):
                self.look(items, inner, reads)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                if name in PURE:
                    self.all(args, inner, reads)
                else:
                    self.value(name, args[1:], inner, reads)
            case ast.ListComp(elt=elt, generators=loops) | ast.GeneratorExp(elt=elt, generators=loops):
                for loop in loops:
                    self.look(loop.iter, inner, reads)
                    inner |= {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
                    self.all(loop.ifs, inner, reads)
                self.look(elt, inner, reads)
            case (
                ast.BoolOp() | ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.IfExp() | ast.Tuple() | ast.List()
                | ast.Starred() | ast.Subscript()
            ):  # fmt: skip
                self.all(ast.iter_child_nodes(node), inner, reads)
            case _:
                raise _Unsteady

    def all(self, nodes: Iterable[ast.AST], inner: frozenset[str], reads: _Reads) -> None:
        for x in nodes:
            self.look(x, inner, reads)

    def entry(self, node: ast.AST, slot: str, at: ast.expr, inner: frozenset[str], reads: _Reads) -> None:
        """An entry of a list of the match: its place must be known beforehand."""
        if slot in self.listed or _names(at) & inner:
            raise _Unsteady
        place = _Reads()
        self.look(at, inner, place)
        reads.passed |= place.names | place.passed
        text = ast.unparse(node)
        if slot in ("places", "decks"):
            text = f"tuple({text})"
        parsed = ast.parse(text, mode="eval").body
        reads.values[text] = parsed

    def value(self, name: str, args: list[ast.expr], inner: frozenset[str], reads: _Reads) -> None:
        """A value of the game: what its expression follows from, with these arguments."""
        if name not in self.values:
            self.values[name] = None  # one that reads itself is left alone
            self.values[name] = self.of_function(name)
        found = self.values[name]
        if found is None:
            raise _Unsteady
        self.all(args, inner, reads)
        given = dict(zip([a.arg for a in self.functions[name].args.args[1:]], args, strict=True))
        for x in found.values.values():
            new = Replace(given).visit(copied(x))
            if _names(new) & inner:
                raise _Unsteady
            reads.values[ast.unparse(new)] = new

    def of_function(self, name: str) -> _Reads | None:
        f = self.functions.get(name)
        if f is None or not name.startswith("v_"):
            return None
        match f.body:
            case [ast.Assign(targets=[ast.Name(id="x")], value=body), ast.Return(value=ast.Name(id="x"))]:
                pass
            case _:
                return None
        try:
            found = self.reads([body])
        except _Unsteady:
            return None
        return found if found.names <= {a.arg for a in f.args.args} else None


def _names(x: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(x) if isinstance(n, ast.Name)}
