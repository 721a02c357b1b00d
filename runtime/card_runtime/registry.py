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
Bring: TypeAlias = "Callable[[State, Any, int], None]"
Take: TypeAlias = "Callable[[State, Any], None]"
Ways: TypeAlias = "tuple[Bring | None, Take | None]"

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
    return () if brought is None else brought[m.d[card]]


def register(m: State, card: int, home: int) -> None:
    """Enter the lines that `card` brings to `home`, where it lies, into the registries."""
    bring(m, card, lines_at(m, card, home), m.age[card])


def bring(m: State, bearer: Any, lines: Iterable[AbilityLine], age: int) -> None:
    """Enter these lines of a bearer."""
    for line in lines:
        enter = line.enter
        enter(m, bearer, age)


def take(m: State, bearer: Any, lines: Iterable[AbilityLine]) -> None:
    """Take these lines of a bearer out again."""
    for line in lines:
        leave = line.leave
        leave(m, bearer)


def unregister(m: State, card: int, home: int) -> None:
    """Take them out again: before the card has another place, owner or printed card."""
    take(m, card, lines_at(m, card, home))


WAYS = """
def ways(line):
    def enter(m, bearer, age):
        {found}
        entries = m.{registry}
        entry = ((line.layer, line.priority, age, line.order), bearer, line.fn, line)
        if not entries{or_new}: entries[{key}] = (entry,)
        elif {alone} and entries[{key}][-1][0] < entry[0]: entries[{key}] += (entry,)
        else: add(entries, entry, {key})
    def leave(m, bearer):
        {found}
        found = m.{registry}.pop({key}, ())
        if len(found) != 1{or_others}: out(m.{registry}, found, line, bearer, {key})
    return enter, leave
"""
KEYLESS = {"new": "", "alone": "len(entries) == 1 and None in entries", "others": " or m.{registry}"}
KEYED = {"new": " or ({key} not in entries and None not in entries)", "alone": "{key} in entries", "others": ""}
MAYBE_KEYED = {
    "new": " or (key is not None and key not in entries and None not in entries)",
    "alone": "key in entries and (key is not None or len(entries) == 1)",
    "others": " or (key is None and m.{registry})",
}
"""When an entry is the first with its key, when only entries of this key get it, and when others may hold it: of a line
without a key, with one, and with one that may be None, as a card may have no owner."""
KEYS = {UNKEYED: "None", CARD: "bearer"}
FOUND = {ELEMENT: "key = ELEMENT[m.at[bearer]]", OWNER: "key = m.own[bearer]"}


class Maker:
    """Makes for each line how a bearer's entry of it is entered, by layer, priority, age and printed order, and how it
    is taken out: written out for each registry and kind of key, as it is done all the time."""

    def __init__(self, elements: Sequence[int]) -> None:
        self.elements = elements
        self.makers: dict[tuple[str, int], Callable[..., Any]] = {}

    def of(self, line: AbilityLine) -> tuple[Bring, Take]:
        shape = line.registry, line.key
        if shape not in self.makers:
            key = KEYS.get(line.key, "key")
            found = FOUND.get(line.key, f"key = bearer[{line.key - CAPTURED}]")
            space: dict[str, Any] = {"add": add, "out": _out, "ELEMENT": self.elements}
            tests = {UNKEYED: KEYLESS, CARD: KEYED}.get(line.key, MAYBE_KEYED)
            names = {"registry": line.registry, "key": key}
            new, alone, others = (tests[name].format(**names) for name in ("new", "alone", "others"))
            found = found if key == "key" else ""
            exec(WAYS.format(found=found, or_new=new, alone=alone, or_others=others, **names), space)
            self.makers[shape] = space["ways"]
        made: tuple[Bring, Take] = self.makers[shape](line)
        return made


def ways_of(lines: Sequence[AbilityLine]) -> Ways:
    """How a card brings these lines, and how it takes them back: None where there are none."""
    if len(lines) < 2:
        return (lines[0].enter, lines[0].leave) if lines else (None, None)
    return lambda m, bearer, age: bring(m, bearer, lines, age), lambda m, bearer: take(m, bearer, lines)


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


def _out(registry: Registry, found: tuple[Entry, ...], line: AbilityLine, bearer: Any, key: Any) -> None:
    """Take out the entry of a line and its bearer; `found`: the entries with its key, which were taken out."""
    left = tuple([e for e in found if e[3] is not line or e[1] != bearer])
    if key is None and registry:  # it is in all others, too
        registry[None] = found
        keep(registry, lambda e: e[3] is not line or e[1] != bearer)
    elif len(left) > len(registry.get(None, ())):
        registry[key] = left


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
