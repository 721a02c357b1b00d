"""How deep a tree is, and what is too deep; walks without recursion, so any tree can be measured.

After these checks a recursive pass is safe: an expression or type has at most `MAX_DEPTH` levels, and so have blocks.
A chain (`a + b + c …`: a binary operator of `CHAINED` whose left operand has the same operator) is one level of at
most `MAX_CHAIN` terms: a pass must walk it with a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from cardc import nodes as n
from cardc.literals import Refusal

MAX_DEPTH = 64
MAX_CHAIN = 2_000
CHAINED = frozenset({"and", "or", "+", "-"})

_TYPES: tuple[type[n.Node], ...] = get_args(n.TypeExpr)
_NESTING: tuple[type[n.Node], ...] = get_args(n.Expr) + _TYPES
_PLAIN = frozenset({str, int, bool, type(None)})


class _Fields(dict[type[n.Node], tuple[str, ...]]):
    """By class, the fields that may hold nodes."""

    def __missing__(self, cls: type[n.Node]) -> tuple[str, ...]:
        types = {name: t for base in reversed(cls.__mro__) for name, t in getattr(base, "__annotations__", {}).items()}
        plain = {"span", *(name for name, t in types.items() if t in ("str", "int", "bool"))}
        found = self[cls] = tuple(name for name in cls.__struct_fields__ if name not in plain)
        return found


_fields = _Fields()


def children(node: n.Node) -> Iterator[n.Node]:
    """The nodes directly below a node, in the order of its fields."""
    for name in _fields[type(node)]:
        value = getattr(node, name)
        if type(value) is tuple:
            yield from value
        elif type(value) not in _PLAIN:
            yield value


def walk(root: n.Node) -> list[n.Node]:
    """All nodes of a tree, each before those below it."""
    found = [root]
    for node in found:
        for name in _fields[type(node)]:
            value = getattr(node, name)
            if type(value) is tuple:
                found += value
            elif type(value) not in _PLAIN:
                found.append(value)
    return found


def check_expressions(root: n.Node, groups: Mapping[int, int]) -> None:
    """Raise a Refusal if an expression or type is too deep. `groups` counts parentheses by `id` of what they hold."""
    levels: dict[int, int] = {}
    terms: dict[int, int] = {}
    for node in reversed(walk(root)):
        level = max((levels[id(child)] for child in children(node)), default=-1)
        if not isinstance(node, _NESTING):
            levels[id(node)] = level
            continue
        level += 1
        if isinstance(node, n.Binary) and node.op in CHAINED:
            terms[id(node)] = 2
            if isinstance(node.left, n.Binary) and node.left.op == node.op:
                terms[id(node)] = 1 + terms[id(node.left)]
                level = max(levels[id(node.left)], 1 + levels[id(node.right)])
            if terms[id(node)] > MAX_CHAIN:
                raise Refusal("E005", *node.span, f"the expression has more than {MAX_CHAIN} terms in a row")
        level += groups.get(id(node), 0)
        if level > MAX_DEPTH:
            noun = "type" if isinstance(node, _TYPES) else "expression"
            help = "name a part of it with `let` or `value`" if noun == "expression" else None
            raise Refusal("E005", *node.span, f"the {noun} nests more than {MAX_DEPTH} deep", help)
        levels[id(node)] = level


def check_blocks(root: n.Node) -> None:
    """Raise a Refusal if blocks, of statements or of a card's form, nest too deep."""
    levels: dict[int, int] = {}
    for node in reversed(walk(root)):
        level = max((levels[id(child)] for child in children(node)), default=0)
        level += isinstance(node, n.Block | n.CardForm)
        if level > MAX_DEPTH:
            message = f"the block nests more than {MAX_DEPTH} deep"
            raise Refusal("E005", *node.span, message, "make a part of it an `effect`")
        levels[id(node)] = level
