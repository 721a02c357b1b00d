"""Registries: the lines at work on a value or an event, found by its first argument.

Many lines concern one thing only: their own card (`power(self)`), its element (`lost(self.lane, …)`), its owner. Such
an entry has that thing as its key, so that reading the value of one card does not pass the lines of all others. A
registry is a dict: at None the entries without a key, if there are any, and at each key that some entry has the entries
with it together with those without one, in order.

A key only sorts out what cannot match: the code of a line still tests all of its arguments.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from card_runtime.model import AbilityLine
    from card_runtime.state import State

Entry: TypeAlias = tuple[tuple[int, ...], Any, Callable[..., Any], "AbilityLine"]
"""Sort key (layer, priority, age, printed order), bearer, code, line."""
Registry: TypeAlias = dict[Any, tuple[Entry, ...]]

UNKEYED, CARD, ELEMENT, OWNER = range(4)
"""How the key of a line is found, as `key` of an `AbilityLine`; CAPTURED + i is the i-th of the captured locals."""
CAPTURED = 4


def keyable(params: Sequence[Any]) -> bool:
    """Whether the first of these parameters (as the model has them) can be a key."""
    if not params:
        return False
    t = params[0].type
    return (t["of"]["t"] if t["t"] == "optional" else t["t"]) in ("card", "element", "player")


def key_of(m: State, line: AbilityLine, bearer: Any) -> Any:
    """The first argument that the line of this bearer concerns; None: any."""
    how = line.key
    if how == UNKEYED:
        return None
    if how >= CAPTURED:
        return bearer[how - CAPTURED]
    if how == CARD:
        return bearer
    return m.own[bearer] if how == OWNER else m.game.element[m.at[bearer]]


def bucket(registry: Registry, keyed: bool, args: Sequence[Any]) -> tuple[Entry, ...]:
    """The entries that may concern these arguments, in order; `keyed`: whether the first can be a key."""
    return (registry.get(args[0]) if keyed else None) or registry.get(None, ())


def lender(m: State, card: int, slot: str) -> int:
    """The card whose ability `card` bears in a slot: itself, unless they were exchanged."""
    lent = m.borrowed.get(card)
    return card if lent is None else lent.get(slot, card)


def lines_at(m: State, card: int, home: int) -> Sequence[AbilityLine]:
    """The lines that `card` brings to `home` (a zone or a board; -1: nowhere)."""
    if home < 0:
        return ()
    if card in m.borrowed:
        slots = m.game.static_slots.get(home, ())
        return [x for slot in slots for x in m.by_slot[m.d[lender(m, card, slot)]].get(slot, ())]
    brought = m.statics[home]
    return () if brought is None else brought[m.d[card]] or ()


def register(m: State, card: int, home: int) -> None:
    """Enter the lines that `card` brings to `home`, where it lies, into the registries."""
    bring(m, card, lines_at(m, card, home))


def bring(m: State, card: int, lines: Iterable[AbilityLine]) -> None:
    """Enter these lines of `card`: `enter` for each, written out."""
    age = m.age[card]
    for line in lines:
        key = card if line.key == CARD else key_of(m, line, card)
        registry: Registry = getattr(m, line.registry)
        entry = ((line.layer, line.priority, age, line.order), card, line.fn, line)
        if registry and (key is None or key in registry or None in registry):
            add(registry, entry, key)
        else:
            registry[key] = (entry,)


def take(m: State, card: int, lines: Iterable[AbilityLine]) -> None:
    """Take these lines of `card` out again."""
    for line in lines:
        remove(m, line, card)


def unregister(m: State, card: int, home: int) -> None:
    """Take them out again: before the card has another place, owner or printed card."""
    take(m, card, lines_at(m, card, home))


def enter(m: State, line: AbilityLine, bearer: Any, age: int) -> None:
    """Insert an entry at its place: by layer, priority, age, printed order."""
    entry = ((line.layer, line.priority, age, line.order), bearer, line.fn, line)
    add(getattr(m, line.registry), entry, key_of(m, line, bearer))


def add(registry: Registry, entry: Entry, key: Any) -> None:
    """Insert an entry that concerns the first argument `key` (None: any)."""
    if key is None:
        registry.setdefault(None, ())
        for k, entries in registry.items():
            registry[k] = _inserted(entries, entry)
    else:
        registry[key] = _inserted(registry.get(key) or registry.get(None, ()), entry)


def _inserted(entries: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    if not entries or entries[-1][0] < entry[0]:
        return (*entries, entry)
    out = list(entries)
    insort(out, entry, key=lambda e: e[0])
    return tuple(out)


def remove(m: State, line: AbilityLine, bearer: Any) -> None:
    """Take out the entry of a line and its bearer."""
    registry: Registry = getattr(m, line.registry)
    key = bearer if line.key == CARD else key_of(m, line, bearer)
    entries = registry.get(key, ())
    if len(entries) == 1 and (key is not None or len(registry) == 1):
        del registry[key]  # it is alone: so nobody's entry is without a key, or all are
    elif key is None:
        keep(registry, lambda e: e[3] is not line or e[1] != bearer)
    elif entries:
        left = tuple([e for e in entries if e[3] is not line or e[1] != bearer])
        if len(left) > len(registry.get(None, ())):
            registry[key] = left
        else:
            del registry[key]


def keep(registry: Registry, test: Callable[[Entry], bool]) -> None:
    """Take out the entries for which the test does not hold."""
    general = tuple(filter(test, registry.pop(None, ())))
    for key, entries in [*registry.items()]:
        left = tuple(filter(test, entries))
        if len(left) > len(general):
            registry[key] = left
        else:
            del registry[key]
    if general:
        registry[None] = general


def entries_of(registry: Registry) -> list[Entry]:
    """All entries, each once, in order."""
    found = {id(e): e for entries in registry.values() for e in entries}
    return sorted(found.values(), key=lambda e: e[0])
