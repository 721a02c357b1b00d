"""What is worked out when a game is loaded: lines and slots with their code, which code can pause, and the tables by
printed card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from card_runtime.code import Later, Linked
from card_runtime.model import AbilityLine, Event, PrintedCard, SlotCode, encode
from card_runtime.registry import Maker, Ways, ways_of

if TYPE_CHECKING:
    from card_runtime.game import Game

ABSENT = object()
Brought: TypeAlias = list[tuple[AbilityLine, ...]]
"""By printed card: the lines that such a card brings to one zone or board."""


REGISTRIES = {"modifier": "v_", "instead": "i_"}
"""How the registries of lines begin, by kind of line; of all others with `t_`."""
FUNCTIONS = {"modifier": "m_", "offer": "b_"}
"""How the names of the functions of lines begin, by kind of line; of all others with `a_`."""


def lines_of(game: Game, ways: Maker) -> dict[str, AbilityLine]:
    """The lines of abilities, by name, without their code."""
    found: dict[str, AbilityLine] = {}
    for raw in game.model.lines:
        name, kind = raw["name"], raw["kind"]
        step = f"s_{line_function(kind, name)}"
        found[name] = line = AbilityLine(
            name,
            raw["card"],
            raw["slot"],
            kind,
            raw["of"],
            raw["layer"],
            raw["priority"],
            raw["order"],
            raw["key"],
            tuple(raw["cards"]),
            raw["file"],
            raw["line"],
            tuple(raw["once"]) if raw["once"] else None,
            tuple(raw["until"]) if raw["until"] else None,
            raw["op"],
            REGISTRIES.get(kind, "t_") + raw["of"],
            step if _there(game, step) else None,
            raw["site"],
            tuple(raw["calls"]),
            tuple(raw["runs"]),
            raw["asks"],
        )
        line.enter, line.leave = ways.of(line)
    return found


def slots_of(game: Game) -> dict[tuple[str, str], SlotCode]:
    """What the effect slots of cards do, by card and slot, without their code."""
    found: dict[tuple[str, str], SlotCode] = {}
    for raw in game.model.slots:
        step = f"s_{slot_function(raw['card'], raw['slot'])}"
        found[raw["card"], raw["slot"]] = SlotCode(
            step if _there(game, step) else None, tuple(raw["calls"]), tuple(raw["runs"]), raw["asks"]
        )
    return found


def slot_function(card: str, slot: str) -> str:
    """The function of an effect slot of a card, or of a form (`lamp/2`)."""
    return f"r_{card.replace('/', '·')}·{slot}"


def line_function(kind: str, name: str) -> str:
    """The function of a line."""
    return FUNCTIONS.get(kind, "a_") + name


def _there(game: Game, name: str) -> bool:
    return name in game.texts.home or name in game.code


def tie(game: Game, linked: Linked) -> None:
    """Give lines and slots their functions in one form: in that with logs also what stands for the other, until that is
    made. Raises KeyError where there is none."""
    quiet = linked.quiet

    def function(name: str, of: AbilityLine | SlotCode, attribute: str) -> Any:
        return Later(linked, name, of, attribute) if name in game.texts.home else linked.space[name]

    for name, line in game.lines.items():
        holds = _there(game, f"q_{name}")
        fn = line_function(line.kind, name)
        if quiet:
            line.quiet = function(fn, line, "quiet")
            line.holds = function(f"q_{name}", line, "holds") if holds else _always
        else:
            line.fn = line.quiet = function(fn, line, "fn")
            line.cond = line.holds = function(f"q_{name}", line, "cond") if holds else _always
            line.options = function(f"o_{name}", line, "options") if _there(game, f"o_{name}") else None
    for (card, slot), x in game.slot_code.items():
        x.quiet = function(slot_function(card, slot), x, "quiet" if quiet else "fn")
        if not quiet:
            x.fn = x.quiet


def _always(*_: Any) -> bool:
    return True


def find_pausing(game: Game) -> None:
    """Code pauses if it asks, raises an event that pauses, or runs a slot of which some card's code pauses; an event
    also if a line hears it that pauses or offers something. Least fixed point, over what differs among all code."""
    heard: dict[str, set[Asking]] = {name: {_asking(event)} for name, event in game.events.items()}
    for line in game.lines.values():
        if line.kind != "modifier":
            heard[line.of].add(OFFERS if line.kind == "offer" else _asking(line))
    slots: dict[str, set[Asking]] = {}
    for (_, slot), code in game.slot_code.items():
        slots.setdefault(slot, set()).add(_asking(code))
    events: set[str] = set()
    ran: set[str] = set()

    def pauses(asking: Asking) -> bool:
        asks, calls, runs = asking
        return asks or not events.isdisjoint(calls) or not ran.isdisjoint(runs)

    before = -1
    while before < (before := len(events) + len(ran)):
        events |= {name for name, every in heard.items() if any(map(pauses, every))}
        ran |= {slot for slot, every in slots.items() if any(map(pauses, every))}
    for event in game.events.values():
        event.pauses = event.name in events
    known: dict[Asking, bool] = {}
    every: list[AbilityLine | SlotCode] = [*game.lines.values(), *game.slot_code.values()]
    for x in every:
        asking = _asking(x)
        if asking not in known:
            known[asking] = pauses(asking)
        x.pauses = known[asking]


Asking: TypeAlias = tuple[bool, tuple[str, ...], tuple[str, ...]]
"""Whether code asks, which events it raises, which slots it runs."""
OFFERS: Asking = (True, (), ())


def _asking(x: Event | AbilityLine | SlotCode) -> Asking:
    return x.asks, x.calls, x.runs


def card_tables(game: Game, cards: Sequence[PrintedCard]) -> dict[str, Any]:
    """Everything by printed card: kinds, fields, slots, static lines."""
    m = game.model
    order = {k.name: i for i, k in enumerate(m.kinds)}
    chains = game.chains
    out: dict[str, Any] = {
        "K": [order[c.kind] for c in cards],
        "catalog": [i for i, c in enumerate(cards) if c.base is None],
        "printed": list(cards),
    }
    count = len(cards)
    column: list[Any]
    of_kind: dict[str, list[tuple[int, PrintedCard]]] = {k.name: [] for k in m.kinds}
    for i, c in enumerate(cards):
        for k in chains[c.kind]:
            of_kind[k.name].append((i, c))
    for k in m.kinds:
        for f in k.fields:
            default = None if f.default is None else encode(f.default, f.type, m)
            out[f"D_{k.name}·{f.name}"] = column = [None] * count
            plainly = f.type["t"] in ("int", "bool")
            for i, c in of_kind[k.name]:
                value = c.fields.get(f.name, ABSENT)
                column[i] = default if value is ABSENT else value if plainly else encode(value, f.type, m)
        for f in k.flags:
            out[f"D_{k.name}·{f.name}"] = column = [None] * count
            for i, c in of_kind[k.name]:
                column[i] = f.name in c.flags
        for s in k.slots:
            if s.nature == "effect":
                out[f"S_{k.name}·{s.name}"] = column = [None] * count
                for i, c in of_kind[k.name]:
                    column[i] = game.slot_code.get((c.id, s.name))
    places = {c.id: i for i, c in enumerate(cards)}
    out["base"] = [i if c.base is None else places[c.base] for i, c in enumerate(cards)]
    forms: dict[str | None, list[int]] = {}
    for i, c in enumerate(cards):
        forms.setdefault(c.base, []).append(i)
    out["forms"] = [forms.get(c.id, []) for c in cards]
    for f in m.forms:
        for a in f.fields:
            out[f"D_{f.name}·{a.name}"] = [c.args.get(a.name) if c.form == f.name else None for c in cards]
    for k in m.kinds:
        for s in k.slots:
            out[f"H_{k.name}·{s.name}"] = [s.name in c.filled and k in chains[c.kind] for c in cards]
            for a in s.params:
                out[f"D_{k.name}·{s.name}·{a.name}"] = [c.filled.get(s.name, {}).get(a.name) for c in cards]
    out["by_slot"] = [{slot: tuple(game.lines[n] for n in names) for slot, names in c.slots.items()} for c in cards]
    statics: list[Brought | None] = [
        [()] * len(cards) if home in game.static_slots else None for home in game.homes.values()
    ]
    for i, c in enumerate(cards):
        for k in chains[c.kind]:
            for s in k.slots:
                names = c.slots.get(s.name, [])
                if s.nature == "static" and names:
                    brought = statics[game.homes[s.board]]
                    assert brought is not None
                    brought[i] += tuple(game.lines[n] for n in names)
    out["statics"] = statics
    found: dict[tuple[AbilityLine, ...], Ways] = {}
    for name, home in game.homes.items():
        brought = statics[home]
        if brought is not None:
            ways = [found.get(lines) or found.setdefault(lines, ways_of(lines)) for lines in brought]
            out[f"B_{name}"], out[f"T_{name}"] = [bring for bring, _ in ways], [take for _, take in ways]
    return out
