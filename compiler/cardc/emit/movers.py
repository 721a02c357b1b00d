"""Functions that move and make single cards, for places of which is known all that `card_runtime.moves` asks first.

Each does what `move`, `draw` or `copy_cards` does where no log is kept, no static slot works in either place, and there
is room; for all else it calls them. `Direct` decides which statements may use one:

- `to_ZONE(m, card, to, up)`, `to_BOARD·PART(…)`: from a zone; with `·own`, into a place of the card's owner.
- `off_BOARD·ZONE·KIND(m, card, to, up)`: off a board: the card's state goes back to its defaults, and what it brought
  is taken out; for all kinds with the states of this one.
- `put_ZONE(m, card, to, up)`: from wherever, at less cost from a zone.
- `one_ZONE(m, source, to)`: the top card of a zone.
- `new_ZONE(m, printed, to)`: a new card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardc.emit.expressions import SELF
from cardc.emit.units import Unit, indented
from cardc.ir import Function, X
from cardc.symbols import BoardSym, KindSym, PlaceSym, Symbols, ZoneSym

if TYPE_CHECKING:
    from cardc.emit.module import Emitter

MOST_STATES = 16
"""So many states of cards are written out where a card is made."""


def slotted(s: Symbols, home: str) -> bool:
    """Whether a static slot works in a zone or on a board. Where none does, cards keep no abilities of others either,
    that they must give back: these are exchanged where they work."""
    return any(x.nature == "static" and x.board == home for k in s.kinds.values() for x in k.slots.values())


def makes(s: Symbols, zone: str) -> bool:
    """Whether there is `new_ZONE`."""
    return zone in s.zones and not slotted(s, zone) and sum(len(k.states) for k in s.kinds.values()) <= MOST_STATES


def puts(s: Symbols, zone: str) -> bool:
    """Whether there is `put_ZONE`."""
    return zone in s.zones and not slotted(s, zone) and s.zones[zone].place.most is None


def leaver(s: Symbols, board: str, zone: str, kind: str) -> str | None:
    """The name of `off_BOARD·ZONE·KIND` for cards of this kind, or None: where not all that may be of it have the same
    states, or the zone asks for more."""
    first = alike(s, kind)
    if s.zones[zone].place.most is not None or slotted(s, zone) or first is None:
        return None
    leaves = [k.name for k in s.kinds.values() if not k.children]
    return f"off_{board}·{zone}·{next(name for name in leaves if states_of(s, name) == states_of(s, first))}"


def alike(s: Symbols, kind: str) -> str | None:
    """The first of the kinds that a card of this kind can be, or None where not all have the same states."""
    leaves = leaf_kinds(s, kind)
    return leaves[0] if all(states_of(s, name) == states_of(s, leaves[0]) for name in leaves) else None


def leaf_kinds(s: Symbols, kind: str) -> list[str]:
    """The kinds of which a card of `kind` can be, in order."""
    leaves = [k.name for k in s.kinds.values() if not k.children]
    return [name for name in leaves if kind in [k.name for k in s.chain(name)]]


def states_of(s: Symbols, kind: str) -> list[tuple[str, str]]:
    """The states of a kind's cards, those of the base kinds first."""
    return [(k.name, name) for k in reversed(s.chain(kind)) for name in k.states]


def fades(board: BoardSym) -> list[str]:
    """What a grid that floats forgets when a card comes or leaves."""
    return [f"fade(m, GRID_{board.name})"] if board.grid is not None and board.grid[2] and board.fields else []


class Movers:
    def __init__(self, emitter: Emitter) -> None:
        self.e = emitter
        self.s = emitter.s
        self.defaults: dict[tuple[str, ...], Function] = {
            key[1:]: fn for key, fn in emitter.program.defaults if key[0] == "cardstate"
        }

    def run(self) -> None:
        """For each zone and part of this package, what there is for it."""
        for z in self.s.zones.values():
            if z.own:
                self.mover(z.name, z, z.place, False)
                if not slotted(self.s, z.name):
                    self.unit("drawer", f"one_{z.name}", z, self.room(z.place), self.owned(z.place))
                if puts(self.s, z.name):
                    self.unit("leaver", f"put_{z.name}", z, "", self.owned(z.place)).cond = "not PLAIN[m.at[card]]"
                self.maker(z)
                self.leavers(z)
        for b in self.s.boards.values():
            for name, part in b.parts.items():
                if b.own:
                    self.mover(f"{b.name}·{name}", b, part, True)

    def unit(self, shape: str, name: str, of: ZoneSym | BoardSym, room: str, more: list[str]) -> Unit:
        line = of.source.line(of.ident.span[0])
        unit = Unit(shape, name, [], line, room=room, clamp=more)
        self.e.add(of.source.path, unit)
        return unit

    def room(self, place: PlaceSym) -> str:
        return "" if place.most is None else self.e.writer().bound_text(place.most)

    def owned(self, place: PlaceSym) -> list[str]:
        return ["m.own[card] = SEAT[to]"] if place.each else []

    def mover(self, name: str, to: ZoneSym | BoardSym, place: PlaceSym, board: bool) -> None:
        more = []
        works = slotted(self.s, to.name)
        if isinstance(to, BoardSym) and to.grid is not None:
            after = f"old_.after.get(to) or arrived(GRID_{to.name}, old_, to)"
            more += [f"old_ = m.g_{to.name}", f"if old_ is not None: m.g_{to.name} = {after}", *fades(to)]
        if board or works:
            more.append("m.clock = m.age[card] = m.clock + 1")
        if works:
            more += [f"bring_ = m.B_{to.name}[m.d[card]]", "if bring_ is not None: bring_(m, card, m.clock)"]
        self.unit("mover", f"to_{name}", to, self.room(place), self.owned(place) + more)
        if place.each:
            self.unit("mover", f"to_{name}·own", to, self.room(place), more)

    def leavers(self, zone: ZoneSym) -> None:
        """For each board, and the states that cards on it may have."""
        for board in self.s.boards.values():
            places = [*board.parts.values()]
            low = min(part.first for part in places)
            high = max(part.first + board.count * (2 if part.each else 1) for part in places)
            made = set()
            here = {kind for part in places for kind in leaf_kinds(self.s, part.kind)}
            for kind in (kind for kind in self.s.kinds if kind in here):
                name = leaver(self.s, board.name, zone.name, kind)
                if name is None or name in made:
                    continue
                made.add(name)
                more = self.owned(zone.place)
                if board.grid is not None:
                    more += [f"m.g_{board.name} = None", *fades(board)]
                if self.s.forms:
                    more.append("m.d[card] = m.base[m.d[card]]")
                for state, fn in self.states(self.s.kinds[kind]):
                    more += self.put(f"m.c_{state}[card] = ", fn, "")
                unit = self.unit("leaver", name, zone, "", more)
                lent = " or m.borrowed" if slotted(self.s, board.name) and self.s.exchanged else ""
                unit.cond = f"not {low} <= m.at[card] < {high}{lent}"
                if slotted(self.s, board.name):
                    unit.before = [
                        f"take_ = m.T_{board.name}[m.d[card]]",
                        "if take_ is not None: take_(m, card)",
                    ]

    def maker(self, zone: ZoneSym) -> None:
        if not makes(self.s, zone.name):
            return
        every = [f"{k.name}·{state}" for k in self.s.kinds.values() for state in k.states]
        more = self.unit("maker", f"new_{zone.name}", zone, self.room(zone.place), []).clamp
        kinds = [self.s.kinds[name] for name in leaf_kinds(self.s, zone.place.kind)]
        blank = [k for k in kinds if not self.states(k)]
        for i, kind in enumerate(k for k in kinds if k not in blank):
            own = dict(self.states(kind))
            indent = "" if len(kinds) == 1 else "    "
            if indent:
                more.append(f"{'elif' if i else 'if'} m.K[printed] == {kind.index}:")
            for name in every:
                lines = self.put(f"{indent}m.c_{name}.append(", own.get(name), ")")
                more += [text.replace("m.d[card]", "printed") for text in lines]
        if blank and every:
            alone = len(blank) == len(kinds)
            more += [] if alone else ["else:"]
            more += [f"{'' if alone else '    '}m.c_{name}.append(None)" for name in every]

    def put(self, head: str, fn: Function | None, tail: str) -> list[str]:
        """The lines that give a state its default."""
        if fn is None:
            return [f"{head}None{tail}"]
        w = self.e.writer(lambda _: "card")
        body = fn.body
        if body.op == "clamp" and isinstance(body.args[0], X):
            inner, low, high = body.args
            lead = head[: len(head) - len(head.lstrip())]
            out = [f"{lead}n_ = {w.sub(inner)}"]
            out += [] if low is None else [f"{lead}if n_ < {w.bound_text(low)}: n_ = {w.bound_text(low)}"]
            out += [] if high is None else [f"{lead}if n_ > {w.bound_text(high)}: n_ = {w.bound_text(high)}"]
            return [*out, f"{head}n_{tail}"]
        return [f"{head}{w.x(body)}{tail}"]

    def states(self, kind: KindSym) -> list[tuple[str, Function]]:
        """The states of a kind's cards and their defaults, those of the base kinds first."""
        found = [(f"{of}·{name}", self.defaults.get((of, name))) for of, name in states_of(self.s, kind.name)]
        return [(name, fn) for name, fn in found if fn is not None]

    def resets(self) -> None:
        """For each kind with state, the function that gives cards their defaults."""
        for kind in self.s.kinds.values():
            states = self.states(kind)
            if states and not kind.children:
                last = states[-1][1]
                w = self.e.writer()
                out = [indented(1, f"for l_{SELF} in cards_:", last.line)]
                out += [indented(2, f"m.c_{name}[l_{SELF}] = {w.x(fn.body)}", fn.line) for name, fn in states]
                self.e.add(last.path, Unit("body", f"reset·{kind.name}", ["m", "cards_"], last.line, out))
