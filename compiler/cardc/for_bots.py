"""Which values are for bots alone: a table that people look at leaves them out."""

from __future__ import annotations

from cardc import nodes as n
from cardc.nesting import walk
from cardc.symbols import Symbols


def for_bots(s: Symbols) -> frozenset[str]:
    """The `bot value`, and each value that nothing reads but values for bots; tests and modifiers do not count."""
    if s.bot is None:
        return frozenset()
    readers: dict[str, set[str]] = {}
    for u in s.units:
        if isinstance(u.decl, n.TestDecl):
            continue
        reader = u.decl.name.text if isinstance(u.decl, n.ValueDecl) else ""
        changed: set[int] = set()
        for node in walk(u.decl):
            match node:
                case n.Modifier(call, _):
                    changed.add(id(call))
                case n.Call(name, _) if id(node) not in changed:
                    readers.setdefault(name.text, set()).add(reader)
                case _:
                    pass
    found = {s.bot}
    while more := [name for name in s.values if name not in found and readers.get(name, {""}) <= found]:
        found.update(more)
    return frozenset(found)
