"""L803: what the frame has room for and no card brings: a slot, cards of a kind, somebody who waits for a moment."""

from __future__ import annotations

from collections.abc import Iterator

from cardc import nodes as n
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.nesting import walk
from cardc.symbols import ANSWERED, Sym

CODE = "L803"


def find(package: Package) -> Iterator[Finding]:
    s = package.symbols
    filled: set[tuple[str, str]] = set()
    awaited: set[str] = set()
    called: set[str] = set()
    for u in s.units:
        for node in walk(u.decl):
            if isinstance(node, n.On | n.Instead):
                awaited.add(node.call.name.text)
            elif isinstance(node, n.CallStmt):
                called.add(node.call.name.text)
    for card in s.cards.values():
        for node in walk(card.decl):
            if isinstance(node, n.CardSlot) and (found := s.slot(card.kind, node.name.text)) is not None:
                filled.add((found[0].name, node.name.text))
    kinds = {card.kind for card in s.cards.values()}
    for kind in s.kinds.values():
        if not any(leaf.name in kinds for leaf in s.leaves(kind.name)):
            if not kind.children and _asked(kind):
                yield _tell(kind, f"there is no card of kind `{kind.name}`", "write one, or remove the kind")
            continue
        for slot in kind.slots.values():
            if (kind.name, slot.name) not in filled and _asked(slot):
                message = f"no card fills slot `{slot.name}` of kind `{kind.name}`"
                yield _tell(slot, message, "fill it, or remove it")
    for effect in s.effects.values():
        # one that is never called has a finding for that
        moment = not effect.decl.body.items and effect.name in called
        if moment and effect.name not in awaited | ANSWERED and _asked(effect):
            yield _tell(effect, f"no card waits for the moment `{effect.name}`", "remove it, or let a card hear it")


def _asked(sym: Sym) -> bool:
    return sym.own and not sym.name.startswith("_")


def _tell(sym: Sym, message: str, help: str) -> Finding:
    return finding(CODE, sym.source, sym.ident, message, help)
