"""The static tables of a game, read from `data.json` of a package and of its expansions."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

SEATS = 2
MOVERS = ("to_", "off_", "put_", "one_", "new_")
"""How the names of generated functions begin that move and make single cards (`cardc.emit.movers`)."""
RULES = ("e_", *MOVERS)
"""The same of effects, and of what moves and makes cards for them."""
OF_CARDS = re.compile(r"(?:s_)?[abmoqr]_|s_")
"""The same of functions of cards; then comes the card, up to the first `·`. All others are of the rules: values,
effects, the course of a match, what moves cards."""
_PLAIN = frozenset({"type", "columns", "fields_", "slots_", "values"})


def named(value: Any) -> Any:
    """JSON objects as objects with attributes; types stay dicts."""
    if isinstance(value, dict):
        return SimpleNamespace(**{k: v if k in _PLAIN else named(v) for k, v in value.items()})
    if isinstance(value, list):
        return [named(v) for v in value]
    return value


@dataclass(frozen=True, slots=True)
class Place:
    """One place: a zone (of a seat, or shared) or a part of a board's element."""

    index: int
    zone: str | None
    board: str | None
    part: str | None
    element: int | None
    seat: int | None
    sight: str
    capacity: int | str | None
    tracked: bool
    kind: str

    @property
    def name(self) -> str:
        """How chance calls it: `pile`, `deck 1`."""
        base = self.zone if self.zone is not None else f"{self.board} {self.element or 0} {self.part}"
        return base if self.seat is None else f"{base} {self.seat}"


@dataclass(slots=True)
class Event:
    """An effect as an event. `keyed`: whether its first argument can be a key of registries."""

    name: str
    fn: Callable[..., Any]
    step: str
    params: int
    heard: str
    replaced: str
    calls: tuple[str, ...]
    runs: tuple[str, ...]
    asks: bool
    keyed: bool
    pauses: bool = False


@dataclass(slots=True, eq=False)
class AbilityLine:
    """A line of a card's ability, with its code. `key`: see `card_runtime.registry`; `cards`: which of what a lasting
    line has captured are cards."""

    name: str
    card: str
    slot: str
    kind: str
    of: str
    layer: int
    priority: int
    order: int
    key: int
    cards: tuple[int, ...]
    file: str
    line: int
    once: tuple[int, str] | None
    until: tuple[int | None, str] | None
    op: str
    registry: str
    step: str | None
    site: str | None
    calls: tuple[str, ...]
    runs: tuple[str, ...]
    asks: bool
    pauses: bool = False
    fn: Callable[..., Any] = field(init=False)
    """The code of its block, or of what it modifies."""
    cond: Callable[..., Any] = field(init=False)
    """Whether it holds."""
    options: Callable[..., Any] | None = field(init=False)
    """What it offers."""
    quiet: Callable[..., Any] = field(init=False)
    """`fn` for matches without logs."""
    holds: Callable[..., Any] = field(init=False)
    """`cond` for matches without logs."""
    enter: Callable[[Any, Any, int], None] = field(init=False)
    """Enters the line of a bearer into its registry, by age."""
    leave: Callable[[Any, Any], None] = field(init=False)
    """Takes it out again."""


@dataclass(slots=True, eq=False)
class SlotCode:
    """What an effect slot of one card does."""

    step: str | None
    calls: tuple[str, ...]
    runs: tuple[str, ...]
    asks: bool
    pauses: bool = False
    fn: Callable[..., Any] = field(init=False)
    quiet: Callable[..., Any] = field(init=False)
    """`fn` for matches without logs."""


@dataclass(slots=True)
class PrintedCard:
    """A printed card: an entry of `game.cards`.

    `file`, `line`: where it is declared; `package`: the expansion it is of, empty for the game's own. `fields` and
    `flags`: what is printed, in JSON values. `slots`: the names of the lines of its abilities, by slot; `filled`: what
    its slots were given, as costs. Of a form, `base`: the id of its card, `form`: of which kind, `args`: what it was
    given."""

    id: str
    title: str
    kind: str
    file: str
    line: int
    fields: dict[str, Any]
    flags: list[str]
    slots: dict[str, list[str]]
    package: str = ""
    filled: dict[str, dict[str, Any]] = field(default_factory=dict)
    base: str | None = None
    form: str | None = None
    args: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> PrintedCard:
        """One that may be changed."""
        return replace(
            self,
            fields=deepcopy(self.fields),
            flags=[*self.flags],
            slots=deepcopy(self.slots),
            filled=deepcopy(self.filled),
            args=deepcopy(self.args),
        )


@dataclass(slots=True)
class Model:
    """All declarations, as `runtime/INTERNALS.md` lists them; expansions add to the lists of their game."""

    game: Any
    options: list[Any]
    enums: list[Any]
    kinds: list[Any]
    zones: list[Any]
    boards: list[Any]
    player: list[Any]
    state: list[Any]
    values: list[Any]
    effects: list[Any]
    cards: list[PrintedCard]
    decklists: list[Any]
    deck: Any
    sites: dict[str, Any]
    lines: list[Any]
    slots: list[Any]
    periods: list[str]
    unseen: list[Any]
    forms: list[Any]
    exchanged: list[str]
    bot: str | None
    places: list[Place] = field(default_factory=list)


def read_model(data: dict[str, Any]) -> Model:
    """The model of a base game. Raises KeyError or TypeError for data that is none."""
    cards = [PrintedCard(**c) for c in data["cards"]]
    m = Model(
        named(data["game"]),
        named(data["options"]),
        named(data["enums"]),
        named(data["kinds"]),
        named(data["zones"]),
        named(data["boards"]),
        named(data["player"]),
        named(data["state"]),
        named(data["values"]),
        named(data["effects"]),
        cards,
        named(data["decklists"]),
        named(data["deck"]),
        {s["name"]: named(s) for s in data["sites"]},
        data["lines"],
        data["slots"],
        list(data["periods"]),
        named(data["unseen"]),
        named(data["forms"]),
        list(data["exchanged"]),
        data.get("bot"),
    )
    m.places = _places(m)
    states = [state for kind in m.kinds for state in kind.states]
    for decl in (*m.player, *m.state, *states):  # `secret`: only the owner sees it, by `owner sees`
        decl.secret = getattr(decl, "sight", "all") == "owner" or "owner" in getattr(decl, "marks", ())
    return m


def extend(m: Model, data: dict[str, Any], package: str) -> None:
    """Add what an expansion declares."""
    for members in data["members"]:
        enum = next(e for e in m.enums if e.name == members["enum"])
        enum.members.extend(members["members"])
        for column, values in members["columns"].items():
            enum.columns[column].extend(values)
    m.values.extend(named(data["values"]))
    m.effects.extend(named(data["effects"]))
    m.cards.extend(PrintedCard(**{**c, "package": package}) for c in data["cards"])
    m.decklists.extend(named(data["decklists"]))
    m.sites.update({s["name"]: named(s) for s in data["sites"]})
    m.lines.extend(data["lines"])
    m.slots.extend(data["slots"])


def _places(m: Model) -> list[Place]:
    places: list[Place] = []
    for z in m.zones:
        for seat in range(SEATS) if z.each else (None,):
            places.append(Place(z.first + (seat or 0), z.name, None, None, None, seat, z.sight, z.most, False, z.kind))
    for b in m.boards:
        for p in b.parts:
            for e in range(b.size or 1):
                for seat in range(SEATS) if p.each else (None,):
                    index = p.first + (e * SEATS + (seat or 0) if p.each else e)
                    places.append(
                        Place(index, None, b.name, p.name, e if b.size else None, seat, p.sight, p.most, True, p.kind)
                    )
    places.sort(key=lambda p: p.index)
    return places


def encode(value: Any, t: dict[str, Any], m: Model) -> Any:
    """A printed field's JSON value as generated code has it: members as indices, sets as bits."""
    match t["t"]:
        case "enum":
            return _member(m, t["of"], value)
        case "set":
            mask = 0
            for v in value:
                mask |= 1 << _member(m, t["of"]["of"], v)
            return mask
        case "list":
            return [encode(v, t["of"], m) for v in value]
        case "optional":
            return None if value is None else encode(value, t["of"], m)
    return value


def _member(m: Model, enum: str, value: Any) -> int:
    members: list[str] = next(e for e in m.enums if e.name == enum).members
    return value if isinstance(value, int) else members.index(value)
