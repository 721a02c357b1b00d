"""What a package and the package it builds on declare.

Three namespaces, told apart by position: members (after `.`, before `:`), callables (values and effects), and
everything
else. `Symbols` holds them; `collect` (cardc.declare) fills it. Place ids and kind indices are settled here.
"""

from __future__ import annotations

from msgspec import Struct, field

from cardc import nodes as n
from cardc.source import Source
from cardc.types import CardT, EnumT, IntT, Type

SEATS = 2
BUILT_IN_CALLS = frozenset({"count", "any", "all", "sum", "min", "max", "abs", "top", "copies", "log", "flaws"})
BUILT_IN_NAMES = frozenset(
    {"players", "catalog", "self", "source", "you", "me", "opponent", "player", "int", "bool", "up", "down", "deck"}
)
SPACE_MEMBERS = ("neighbors", "row", "column")
GRID_MEMBERS = ("rows", "columns", "corners", "adjacent", "settled", "full")
PLAYER_MEMBERS = frozenset({"opponent", "decklist"})
CARD_MEMBERS = frozenset({"owner", "face_up", "face_down"})
ELEMENT_MEMBERS = frozenset({"index"})
ANSWERED = frozenset({"timeout", "forfeit"})
"""Effects that the host of a match calls, if the game declares them."""

ANY = "*"
"""The kind of cards of which no kind is known: where kinds have no root in common."""


def plane(width: int, height: int, floating: bool, either: bool) -> tuple[int, int]:
    """Columns and rows of the plane on which a grid lies, as `card_runtime.grids` has it."""
    if not floating:
        return width, height
    if either:
        width = height = max(width, height)
    return 2 * width - 1, 2 * height - 1


class Sym(Struct):
    """A declared name, where it stands, and whether this package declares it."""

    name: str
    source: Source
    ident: n.Ident
    own: bool


class OptionSym(Sym):
    type: Type
    default: object
    help: str


class EnumSym(Sym):
    open: bool
    members: list[str]
    columns: dict[str, Type]
    values: dict[str, list[object]]
    column_idents: dict[str, n.Ident] = field(default_factory=dict)
    defaults: dict[str, n.Expr] = field(default_factory=dict)


class FieldSym(Sym):
    """A field or state of a player, a kind, a board element or the match. `secret`: only its owner sees it."""

    type: Type
    default: n.Expr | None
    help: str | None
    secret: bool = False
    marks: tuple[str, ...] = ()
    flag: bool = False


class SlotSym(Sym):
    nature: str
    board: str
    when: n.Expr | None
    help: str | None
    params: dict[str, FieldSym] = field(default_factory=dict)


class FormSym(Sym):
    """A form that cards of `kind` may have, such as an evolution."""

    kind: str
    params: dict[str, FieldSym]
    help: str | None


class KindSym(Sym):
    base: str | None
    index: int
    fields: dict[str, FieldSym]
    states: dict[str, FieldSym]
    slots: dict[str, SlotSym]
    children: list[str] = field(default_factory=list)


class PlaceSym(Struct):
    """A zone, or a part of a board: what it holds and who sees it. `first` is its first place id."""

    each: bool
    one: bool
    kind: str
    most: int | str | None
    sight: str
    first: int
    help: str | None = None


class ZoneSym(Sym):
    place: PlaceSym


class BoardSym(Sym):
    """A board; `grid` is its width, height, whether it floats, and whether it fits either way round."""

    element: str | None
    size: int | None
    fields: dict[str, FieldSym]
    parts: dict[str, PlaceSym]
    low: int
    high: int
    grid: tuple[int, int, bool, bool] | None = None

    @property
    def count(self) -> int:
        """How many elements it has; of a floating grid, those of the plane on which it grows."""
        if self.grid is not None:
            columns, rows = plane(*self.grid)
            return columns * rows
        return 1 if self.size is None else self.size


class ParamSym(Struct):
    """A parameter; `spot` is where it is declared."""

    name: str
    type: Type
    default: n.Expr | None
    spot: tuple[Source, n.Ident] | None = None


class ValueSym(Sym):
    params: list[ParamSym]
    type: Type
    decl: n.ValueDecl


class EffectSym(Sym):
    params: list[ParamSym]
    decl: n.EffectDecl


class CardSym(Sym):
    title: str
    kind: str
    decl: n.CardDecl
    index: int


class DecklistSym(Sym):
    title: str
    decl: n.DecklistDecl


class Unit(Struct):
    """A declaration in its file."""

    decl: n.Decl
    source: Source
    own: bool


class Symbols(Struct):
    units: list[Unit] = field(default_factory=list)
    options: dict[str, OptionSym] = field(default_factory=dict)
    enums: dict[str, EnumSym] = field(default_factory=dict)
    player: dict[str, FieldSym] = field(default_factory=dict)
    states: dict[str, FieldSym] = field(default_factory=dict)
    kinds: dict[str, KindSym] = field(default_factory=dict)
    zones: dict[str, ZoneSym] = field(default_factory=dict)
    boards: dict[str, BoardSym] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    values: dict[str, ValueSym] = field(default_factory=dict)
    effects: dict[str, EffectSym] = field(default_factory=dict)
    cards: dict[str, CardSym] = field(default_factory=dict)
    card_names: list[str] = field(default_factory=list)
    """The names of cards by index."""
    decklists: dict[str, DecklistSym] = field(default_factory=dict)
    names: dict[str, Sym] = field(default_factory=dict)
    """All that is neither a member nor called."""
    deck: n.DeckDecl | None = None
    periods: list[str] = field(default_factory=lambda: ["match"])
    bot: str | None = None
    """The value that greedy bots maximise."""
    forms: dict[str, FormSym] = field(default_factory=dict)
    exchanged: set[str] = field(default_factory=set)
    """Slots whose abilities may be exchanged."""
    revealed: set[str] = field(default_factory=set)
    """Members that something reveals."""
    secret_effects: set[str] = field(default_factory=set)
    """Effects that may ask in a `together each`: what they read before the answer may be changed by others before they
    go on."""
    shared_kinds: set[str] = field(default_factory=set)
    """Kinds of which cards are made in shared places, so that they may have no owner."""
    faces: set[str] = field(default_factory=set)
    """Zones and boards into which something moves face down."""
    chains: dict[str, list[KindSym]] = field(default_factory=dict)
    """See `chain`; told when all kinds are."""
    base_game: bool = False
    """Whether the package is an expansion: then these two sets are those of its game, whose code was checked with
    them."""
    base_files: frozenset[str] = frozenset()
    """The files of that game."""

    def hidden(self, name: str, source: Source) -> Sym | None:
        """What a local or a parameter of this name would hide in a file. Rules of a base game hide nothing of an
        expansion, of which they know nothing."""
        found = self.names.get(name)
        return None if found is not None and found.own and source.path in self.base_files else found

    def named_enums(self) -> list[str]:
        """The enums that have a name: not the words of options and of arguments."""
        return [e for e in self.enums if e not in self.options and "·" not in e]

    # ---- Kinds

    def chain(self, kind: str) -> list[KindSym]:
        """The kind and those it extends, nearest first."""
        if (known := self.chains.get(kind)) is not None:
            return known
        found: dict[str, KindSym] = {}
        name: str | None = kind
        while name is not None and name in self.kinds and name not in found:
            found[name] = self.kinds[name]
            name = found[name].base
        return list(found.values())

    def is_kind(self, kind: str, base: str) -> bool:
        return base == ANY or (kind == base and kind in self.kinds) or base in [k.name for k in self.chain(kind)]

    def related(self, a: str, b: str) -> bool:
        """Whether a card may be of both kinds."""
        return self.is_kind(a, b) or self.is_kind(b, a)

    def join_kinds(self, a: str, b: str) -> str | None:
        if ANY in (a, b):
            return ANY
        mine = [k.name for k in self.chain(a)]
        return next((k.name for k in self.chain(b) if k.name in mine), None)

    def leaves(self, kind: str) -> list[KindSym]:
        """The kinds that cards of `kind` can have."""
        if kind not in self.kinds:
            return [k for k in self.kinds.values() if not k.children]
        found = self.kinds[kind]
        if not found.children:
            return [found]
        return [leaf for child in found.children for leaf in self.leaves(child)]

    def field(self, kind: str, name: str) -> tuple[KindSym, FieldSym] | None:
        for k in self.chain(kind):
            if name in k.fields:
                return k, k.fields[name]
        return None

    def state(self, kind: str, name: str) -> tuple[KindSym, FieldSym] | None:
        for k in self.chain(kind):
            if name in k.states:
                return k, k.states[name]
        return None

    def form(self, kind: str) -> FormSym | None:
        """The form of cards of a kind; a chain of kinds has one at most."""
        names = [k.name for k in self.chain(kind)]
        return next((f for f in self.forms.values() if f.kind in names), None)

    def slot(self, kind: str, name: str) -> tuple[KindSym, SlotSym] | None:
        for k in self.chain(kind):
            if name in k.slots:
                return k, k.slots[name]
        return None

    # ---- Places

    def place(self, owner: str, part: str | None) -> PlaceSym:
        return self.zones[owner].place if part is None else self.boards[owner].parts[part]

    def kind_in(self, where: str) -> list[str]:
        """The kinds that a zone or a board holds."""
        if where in self.zones:
            return [self.zones[where].place.kind]
        return [p.kind for p in self.boards[where].parts.values()]

    def owned(self, t: CardT) -> bool:
        """Whether such a card has an owner for certain."""
        if t.where in self.zones and self.zones[t.where].place.each:
            return True
        if t.where in self.boards and all(p.each for p in self.boards[t.where].parts.values()):
            return True
        return not any(self.related(k, t.kind) for k in self.shared_kinds)

    def root_kind(self) -> str:
        """The kind that all cards are of."""
        roots = [k.name for k in self.kinds.values() if k.base is None]
        return roots[0] if len(roots) == 1 else ANY

    # ---- Bounds

    def option_bound(self, name: str, high: bool) -> int | None:
        """The least or greatest value of an option used as a bound."""
        found = self.options.get(name)
        if found is None or not isinstance(found.type, IntT):
            return None
        bound = found.type.high if high else found.type.low
        return bound if isinstance(bound, int) else None

    def columns(self, t: EnumT) -> dict[str, Type]:
        return self.enums[t.name].columns if t.name in self.enums else {}
