"""Registries: the lines at work on a value or an event, found by its first argument.

Many lines concern one thing only: their own card (`power(self)`), its element (`lost(self.lane, …)`), its owner. Such
an entry has that thing as its key, so that reading the value of one card does not pass the lines of all others. A
registry is a dict: at None the entries without a key, and at each key that some entry has the entries with it together
with those without one, in order; with no entry at all it is empty. It is replaced, never changed, so clones share it.

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

NONE: Registry = {}
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
    if how == ELEMENT:
        return m.game.element[m.at[bearer]]
    if how == CARD:
        return bearer
    if how == OWNER:
        return m.own[bearer]
    return None if how == UNKEYED else bearer[how - CAPTURED]


def bucket(registry: Registry, keyed: bool, args: Sequence[Any]) -> tuple[Entry, ...]:
    """The entries that may concern these arguments, in order; `keyed`: whether the first can be a key."""
    if not registry:
        return ()
    return (registry.get(args[0]) if keyed else None) or registry[None]


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
    """Enter these lines of `card`."""
    age = m.age[card]
    for line in lines:
        enter(m, line, card, age)


def unregister(m: State, card: int, home: int) -> None:
    """Take them out again: before the card has another place, owner or printed card."""
    for line in lines_at(m, card, home):
        remove(m, line, card)


def enter(m: State, line: AbilityLine, bearer: Any, age: int) -> None:
    """Insert an entry at its place: by layer, priority, age, printed order."""
    name, how = line.registry, line.key
    key = m.game.element[m.at[bearer]] if how == ELEMENT else bearer if how == CARD else key_of(m, line, bearer)
    entry = ((line.layer, line.priority, age, line.order), bearer, line.fn, line)
    old = getattr(m, name)
    setattr(m, name, added(old, entry, key) if old or key is None else {None: (), key: (entry,)})


def added(old: Registry, entry: Entry, key: Any) -> Registry:
    """The registry with one more entry, which concerns the first argument `key` (None: any)."""
    if key is None:
        return {k: _inserted(entries, entry) for k, entries in (old or {None: ()}).items()}
    general = old[None] if old else ()
    return {None: (), **old, key: _inserted(old.get(key) or general, entry)}


def _inserted(entries: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    if not entries or entries[-1][0] < entry[0]:
        return (*entries, entry)
    out = list(entries)
    insort(out, entry, key=lambda e: e[0])
    return tuple(out)


def remove(m: State, line: AbilityLine, bearer: Any) -> None:
    """Take out the entry of a line and its bearer."""
    old: Registry = getattr(m, line.registry)
    key = key_of(m, line, bearer)
    if key is None:
        setattr(m, line.registry, kept(old, lambda e: e[3] is not line or e[1] != bearer))
    elif key in old:
        left = tuple([e for e in old[key] if e[3] is not line or e[1] != bearer])
        new = {**old, key: left}
        if len(left) == len(old[None]):
            del new[key]
        setattr(m, line.registry, new if len(new) > 1 or new[None] else NONE)


def kept(registry: Registry, test: Callable[[Entry], bool]) -> Registry:
    """The registry with those entries only for which the test holds."""
    general = tuple(filter(test, registry[None])) if registry else ()
    new = {None: general}
    for key, entries in registry.items():
        left = tuple(filter(test, entries))
        if len(left) > len(general):
            new[key] = left
    return new if general or len(new) > 1 else NONE


def entries_of(registry: Registry) -> list[Entry]:
    """All entries, each once, in order."""
    found = {id(e): e for entries in registry.values() for e in entries}
    return sorted(found.values(), key=lambda e: e[0])
