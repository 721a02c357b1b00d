"""What changed between two blocks of statements or lines, clause by clause, in the author's own words.

Assumes two blocks that parse. Clauses that are the same are matched first, so one that is put in front does not change
all others. Where only the inside of a clause differs, it is the inside that is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardc import nodes as n

_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*')
_EMPTY = n.Block(())


class Texts(Struct, frozen=True):
    """The texts of the files in which the old and the new declaration stand."""

    old: str
    new: str


def said(text: str, node: n.Node) -> str:
    """What an author wrote, on one line and without comments."""
    return " ".join(_COMMENT.sub(lambda m: m[1] or " ", text[node.span[0] : node.span[1]]).split())


def blocks(old: n.Block, new: n.Block, where: str, texts: Texts) -> Iterator[str]:
    """The changes inside `where`."""
    a, b = old.items, new.items
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        both = min(j - i, m - k)
        for x, y in zip(a[i : i + both], b[k : k + both], strict=True):
            yield from _clause(x, y, where, texts)
        for x in a[i + both : j]:
            yield f"{where}: no longer `{said(texts.old, x)}`"
        for y in b[k + both : m]:
            yield f"{where}: now also `{said(texts.new, y)}`"


def _clause(old: n.Node, new: n.Node, where: str, texts: Texts) -> Iterator[str]:
    inner = _inside(old), _inside(new)
    if inner[0] and len(inner[0]) == len(inner[1]) and _bare(old) == _bare(new):
        for x, y in zip(*inner, strict=True):
            if x != y:
                yield from blocks(x, y, f"{where}, in `{_head(texts.new, new)}`", texts)
    elif inner[0] and inner[0] == inner[1] and type(old) is type(new):
        yield f"{where}: `{_head(texts.old, old)}` is now `{_head(texts.new, new)}`"
    else:
        yield f"{where}: `{said(texts.old, old)}` is now `{said(texts.new, new)}`"


def _inside(node: n.Node) -> list[n.Block]:
    """The blocks of a clause, those of its alternatives too."""
    out: list[n.Block] = []
    for name in (f for f in node.__struct_fields__ if f != "span"):
        value = getattr(node, name)
        if isinstance(value, n.Block):
            out.append(value)
        elif isinstance(value, tuple):
            out += [x.body for x in value if isinstance(x, n.Alternative)]
    return out


def _bare(node: n.Node) -> n.Node:
    """A clause without what its blocks hold."""
    changed: dict[str, Any] = {}
    for name in (f for f in node.__struct_fields__ if f != "span"):
        value = getattr(node, name)
        if isinstance(value, n.Block):
            changed[name] = _EMPTY
        elif isinstance(value, tuple) and any(isinstance(x, n.Alternative) for x in value):
            changed[name] = tuple(replace(x, body=_EMPTY) if isinstance(x, n.Alternative) else x for x in value)
    return replace(node, **changed)


def _head(text: str, node: n.Node) -> str:
    inner = _inside(node)
    end = min(b.span[0] for b in inner) if inner else node.span[1]
    return said(text, n.Ident("", span=(node.span[0], end)))
