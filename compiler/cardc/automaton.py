"""The parser's states, made from the tables and a set of builders, in the form in which they run fastest.

A state is a `Row`: by terminal, the next row (shift), a `Reduction`, or `ACCEPT`; by `~nonterminal`, what follows a
reduction to it (`After`). Rules that only pass their child on (`?sum: product`) are never carried out: `After` knows
where they lead for each terminal that may come next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

from card_grammar.tables import Rule, Tables

from cardc.build import Builder

Row: TypeAlias = dict[int, Any]
Keep: TypeAlias = Callable[[list[Any]], Any]

Reduction: TypeAlias = tuple[int, int, Keep | None, Builder | None, int]
"""(symbols, key of the nonterminal in a row, choice of the children, builder, tokens from which it may be too deep)."""

ACCEPT = "accept"
_NEVER = 1 << 60


class After(dict[int, tuple[Row, Any]]):
    """What follows a reduction: by the next terminal, the row that is reached and its action there; made on demand."""

    __slots__ = ("base", "to")

    def __init__(self, base: Row, to: Row) -> None:
        self.base = base
        self.to = to

    def __missing__(self, terminal: int) -> tuple[Row, Any]:
        row = self.to
        action = row.get(terminal)
        while type(action) is tuple and action[0] == 1 and action[3] is None:
            row = self.base[action[1]].to
            action = row.get(terminal)
        self[terminal] = row, action
        return row, action


class Automaton:
    """The rows of a grammar for one set of builders. `limit`: more tokens than this may nest too deep."""

    def __init__(
        self, tables: Tables, builders: Mapping[str, Builder | None], nesting: frozenset[str], limit: int
    ) -> None:
        self.tables = tables
        kept = {r.symbols[i] for r in tables.rules for i, _, _ in r.keep}
        self.kept_words = frozenset(
            t for t, terminal in enumerate(tables.terminals) if t in kept and terminal.kind == "word"
        )
        self.words = sum(terminal.kind == "word" for terminal in tables.terminals)
        reductions = [
            ACCEPT if r.origin == tables.start
            else (len(r.symbols), ~r.origin, _keep(r), _builder(r, builders), limit if r.name in nesting else _NEVER)
            for r in tables.rules
        ]  # fmt: skip
        rows: list[Row] = [{} for _ in tables.states]
        for row, state in zip(rows, tables.states, strict=True):
            for rule, lookahead in state.reductions:
                row.update(dict.fromkeys(lookahead, reductions[rule]))
            for terminal, to in state.shifts:
                row[terminal] = rows[to]
            for nonterminal, to in state.gotos:
                row[~nonterminal] = After(row, rows[to])
        self.start = rows[0]


def _builder(rule: Rule, builders: Mapping[str, Builder | None]) -> Builder | None:
    if rule.name.startswith("__"):
        return _collect if len(rule.symbols) > 1 else _begin
    if rule.expand and len(rule.keep) == 1 and not rule.nones:
        return None if len(rule.symbols) > 1 or rule.symbols[0] < 0 else _only
    return builders[rule.name]


def _only(children: Any, span: object) -> Any:
    return children[0]


def _begin(children: Any, span: object) -> Any:
    return list(children)


def _collect(children: Any, span: object) -> Any:
    return children


def _keep(rule: Rule) -> Keep | None:
    """How a reduction gets the rule's children from its symbols; None: they are all children."""
    plan, nones, count = rule.keep, rule.nones, len(rule.symbols)
    if not nones and not any(splice or before for _, splice, before in plan):
        indices = [i for i, _, _ in plan]
        first = indices[0] if indices else 0
        end = first + len(indices)
        if len(indices) == count:
            return None
        return itemgetter(slice(first, end)) if indices == list(range(first, end)) else itemgetter(*indices)

    def keep(symbols: list[Any]) -> list[Any]:
        children: list[Any] = []
        for i, splice, before in plan:
            if before:
                children += [None] * before
            if not splice:
                children.append(symbols[i])
            elif children:
                children += symbols[i]
            else:
                children = symbols[i]  # a list that nothing else holds: a long list grows in place
        if nones:
            children += [None] * nones
        return children

    return keep
