"""A match as one seat may know it: the projection that a table, a bot or a page shows.

`view` gives plain JSON values. Derived values are computed on a masked clone (`masked`), in which everything that the
seat cannot see is poison; so a value is shown only where nothing hidden was read for it, and the same whatever is
hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from card_runtime import sight
from card_runtime.decision import Decision
from card_runtime.grids import Grid, box, columns, occupied, rows
from card_runtime.registry import add, keep, key_of
from card_runtime.sight import Seat

if TYPE_CHECKING:
    from card_runtime.model import AbilityLine
    from card_runtime.registry import Entry
    from card_runtime.state import State


class Unknown(Exception):
    """Something hidden was read. Never leaves this package."""


class Poison:
    """Stands for a hidden value: whatever is done with it raises Unknown. Only `is` and `type` cannot be caught."""

    __slots__ = ()

    def _unknown(self, *args: object) -> NoReturn:
        raise Unknown

    __lt__ = __le__ = __gt__ = __ge__ = _unknown
    __bool__ = __len__ = __iter__ = __next__ = __contains__ = __getitem__ = __call__ = _unknown
    __int__ = __float__ = __index__ = __neg__ = __pos__ = __abs__ = __invert__ = _unknown
    __add__ = __sub__ = __mul__ = __floordiv__ = __truediv__ = __mod__ = __divmod__ = __pow__ = _unknown
    __radd__ = __rsub__ = __rmul__ = __rfloordiv__ = __rtruediv__ = __rmod__ = __rdivmod__ = __rpow__ = _unknown
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = _unknown
    __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = _unknown

    def __eq__(self, other: object) -> NoReturn:
        raise Unknown

    def __ne__(self, other: object) -> NoReturn:
        raise Unknown

    def __hash__(self) -> NoReturn:
        raise Unknown

    def __getattr__(self, name: str) -> NoReturn:
        raise Unknown


POISON = Poison()


# ---- Masking


def masked(m: State, seat: Seat) -> State:
    """A clone for computing values, in which all that `seat` cannot see is poison. It must not be played on.

    Poison are: printed cards and states of unseen cards, hidden state of others. Unseen cards of a place that is not
    followed by eye stand in the order of their numbers, so where they are not alike in it poison is, too, whose each is
    and how it lies. Modifiers of unseen cards are replaced by those that any card lying there could have: one that
    would be active raises Unknown. So the clone depends only on what the seat may know."""
    c = m.clone()
    c.obs, c.steps = None, 0
    if seat is None:
        return c
    cards = range(len(m.d))
    hidden = [not sight.sees(m, seat, card) for card in cards]
    lists: list[list[Any]] = [c.d, *m.game.card_lists(c)]
    for values in lists:
        for card in cards:
            if hidden[card]:
                values[card] = POISON
    _mask_state(m, c, seat)
    of_order: list[list[Any]] = [c.own, c.up]
    for place, decl in enumerate(m.game.places):
        if not decl.tracked:
            unseen = sorted(card for card in m.places[place] if hidden[card])
            for values in of_order:
                if len({values[card] for card in unseen}) > 1:
                    for card in unseen:
                        values[card] = POISON
            ordered = iter(unseen)
            c.places[place] = [next(ordered) if hidden[card] else card for card in m.places[place]]
    _mask_modifiers(m, c, hidden)
    return c


def _mask_state(m: State, c: State, seat: int) -> None:
    """Hidden state of players, of cards that are seen, and of the match."""
    model = m.game.model
    for decl in model.player:
        values = getattr(c, f"p_{decl.name}")
        for player in range(len(values)):
            if not sight.sees_player(m, seat, decl, player):
                values[player] = POISON
    for decl in model.state:
        if decl.secret:
            setattr(c, f"s_{decl.name}", POISON)
    for kind in model.kinds:
        for decl in (s for s in kind.states if s.secret):
            values = sight.card_state(c, kind.name, decl.name)
            for card in range(len(values)):
                if not sight.sees_state(m, seat, decl, card):
                    values[card] = POISON


def _mask_modifiers(m: State, c: State, hidden: list[bool]) -> None:
    """Of unseen cards, and of seen ones that bear what an unseen card lent them (`exchange`)."""
    lent = {(b, slot) for b, slots in m.borrowed.items() for slot, source in slots.items() if hidden[source]}
    possible: dict[int, list[AbilityLine]] = {}
    probes: dict[str, list[tuple[Entry, Any]]] = {}
    for card in sorted({*(card for card, unseen in enumerate(hidden) if unseen), *(bearer for bearer, _ in lent)}):
        at = m.at[card]
        if at < 0:
            continue
        if at not in possible:
            possible[at] = list(_possible(m, at))
        for line in possible[at]:
            if hidden[card] or (card, line.slot) in lent:
                probe: Entry = ((), card, _guarded(line.fn), line)
                probes.setdefault(line.registry, []).append((probe, key_of(m, line, card)))
    for name in m.game.registries:
        if name.startswith("v_"):
            registry = getattr(c, name)
            keep(
                registry,
                lambda entry: entry[3].until is not None
                or not (hidden[entry[1]] or (entry[1], entry[3].slot) in lent),
            )
            for probe, key in probes.get(name, ()):
                add(registry, probe, key)


def _possible(m: State, place: int) -> Iterator[AbilityLine]:
    """The modifiers that a card lying in `place` could have."""
    home, holds = m.game.home[place], m.game.places[place].kind
    for printed, lines in zip(m.printed, m.statics[home] or (), strict=False):
        if sight.is_kind(m.game, printed.kind, holds):
            yield from (line for line in lines if line.kind == "modifier")


def _guarded(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The modifier as one that raises Unknown where it is active and leaves the value alone where it is not."""

    def guarded(m: State, card: int, x: Any, *args: Any) -> Any:
        if active(fn, m, card, args):
            raise Unknown
        return x

    return guarded


def active(fn: Callable[..., Any], m: State, card: Any, args: tuple[Any, ...]) -> bool:
    """Whether a modifier does anything to its value: it is given a poison, and hands it back only if not."""
    probe = Poison()
    try:
        return fn(m, card, probe, *args) is not probe
    except Unknown:
        return True


def holds_poison(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(holds_poison, value))
    return isinstance(value, Poison)


# ---- The view


def view(m: State, seat: Seat, values: Collection[str] | None = None) -> dict[str, Any]:
    """What `seat` may know of the match, as JSON values; None: everything. `values`: the names of those that are
    worked out; None: all.

    `game`, `seat`, `turn` (the seat whose turn it is, or None), `periods` {name: number}, `options` and `state` {name:
    value}, `players` [{seat, fields}], `zones` {name: place, or a list of places by seat}, `boards` {name: element, or
    a list of them} with `fields` and `parts` (as zones), or {width, height, spaces} of a grid, each space with its `x`
    and `y` in the outline, `values` {name: value, {seat, index, tag or line: value}, or {seat: {index or line: value}}
    of a player and an element or a line} (of a grid an index is `1,0`, a line `row 0` or `column 2`), `decision`,
    `result`.

    A place is {count, cards}; a seen card is {tag, card, name, kind, owner, face_up, state}, one
    that is not seen but followed by eye is {tag, hidden: true, owner}; others are only counted. A value that is not
    known is left out."""
    game = m.game
    model = game.model

    def told(t: sight.Type, value: Any) -> Any:
        return sight.data(m, t, value, lambda card: sight.tag(m, seat, card))

    return {
        "game": game.id,
        "seat": seat,
        "turn": m.turn,
        "periods": {name: m.periods[i] for i, name in enumerate(model.periods)},
        "options": {o.name: told(o.type, getattr(m, f"o_{o.name}")) for o in model.options},
        "state": {
            s.name: told(s.type, getattr(m, f"s_{s.name}")) for s in model.state if seat is None or not s.secret
        },
        "players": [
            {
                "seat": player,
                "fields": {
                    f.name: told(f.type, getattr(m, f"p_{f.name}")[player])
                    for f in model.player
                    if sight.sees_player(m, seat, f, player)
                },
            }
            for player in range(game.players)
        ],
        "zones": {z.name: _parts(m, seat, z, z.first, told) for z in model.zones},
        "boards": {b.name: _board(m, seat, b, told) for b in model.boards},
        "values": {} if values is not None and not values else _values(m, seat, told, values),
        "decision": _decision(m, seat),
        "result": None if m.result is None else {"winner": m.result[0], "reason": m.result[1]},
    }


Told = Callable[[sight.Type, Any], Any]


def _board(m: State, seat: Seat, board: Any, told: Told) -> Any:
    seats = m.game.players
    grid = m.game.grids.get(board.name)
    if grid is not None:
        return _grid(m, seat, board, grid, told)
    elements = [
        {
            "fields": {f.name: told(f.type, getattr(m, f"b_{board.name}·{f.name}")[i]) for f in board.fields},
            "parts": {p.name: _parts(m, seat, p, p.first + i * (seats if p.each else 1), told) for p in board.parts},
        }
        for i in range(1 if board.size is None else board.size)
    ]
    return elements[0] if board.size is None else elements


def _grid(m: State, seat: Seat, board: Any, grid: Grid, told: Told) -> dict[str, Any]:
    """A grid by its outline: width, height, and its spaces in row-major order with their coordinates."""
    outline = box(m, grid)
    if outline is None:
        return {"width": 0, "height": 0, "spaces": []}
    x0, x1, y0, y1 = outline
    seats = m.game.players
    spaces = []
    for y in range(y0, y1 + 1):
        for x in range(x0, x1 + 1):
            i = y % grid.rows * grid.columns + x % grid.columns
            spaces.append(
                {
                    "x": x - x0,
                    "y": y - y0,
                    "fields": {f.name: told(f.type, getattr(m, f"b_{board.name}·{f.name}")[i]) for f in board.fields},
                    "parts": {
                        p.name: _parts(m, seat, p, p.first + i * (seats if p.each else 1), told) for p in board.parts
                    },
                }
            )
    return {"width": x1 - x0 + 1, "height": y1 - y0 + 1, "spaces": spaces}


def _parts(m: State, seat: Seat, decl: Any, first: int, told: Told) -> Any:
    """A shared place, or the places of all seats, from its place id on."""
    if not decl.each:
        return _place(m, seat, first, told)
    return [_place(m, seat, first + player, told) for player in range(m.game.players)]


def _place(m: State, seat: Seat, place: int, told: Told) -> dict[str, Any]:
    cards = [c for c in (_card(m, seat, card, told) for card in m.places[place]) if c is not None]
    count = len(m.places[place])
    return {"count": count, "cards": cards} if cards or not count else {"count": count}


def _card(m: State, seat: Seat, card: int, told: Told) -> dict[str, Any] | None:
    if not sight.sees(m, seat, card):
        if not sight.tracked(m, card):
            return None
        return {"tag": sight.tag(m, seat, card), "hidden": True, "owner": m.own[card]}
    kind = sight.kind_of(m, card)
    secrets = sight.sees_secrets(m, seat, card)
    return {
        "tag": sight.tag(m, seat, card),
        "card": sight.card_id(m, card),
        "name": sight.title(m, card),
        "kind": kind,
        "owner": m.own[card],
        "face_up": bool(m.up[card]),
        "state": {
            s.name: told(s.type, getattr(m, slot)[card])
            for s, slot in m.game.states[kind]
            if secrets or not s.secret
        },
    }


def _decision(m: State, seat: Seat) -> dict[str, Any] | None:
    """The open question: to others than its chooser only who chooses, not even among how many options."""
    if m.wait is None:
        return None
    if seat is not None and seat != m.wait[0]:
        return {"player": m.wait[0]}
    decision = Decision(m)
    return {
        "player": decision.player,
        "prompt": decision.prompt,
        "min": decision.min,
        "max": decision.max,
        "options": [
            {"id": o.id, "label": o.label, "value": o.value if seat is not None else decision.value(i, None)}
            for i, o in enumerate(decision.options)
        ],
    }


def _values(m: State, seat: Seat, told: Told, wanted: Collection[str] | None) -> dict[str, Any]:
    """The values over nothing, players, elements of a board, lines of a grid, seen cards on boards, and players with
    elements or lines."""
    c = masked(m, seat)
    found: dict[str, Any] = {}
    listed: dict[tuple[str, ...], list[Argument]] = {}
    for value, over in m.game.viewed:
        if wanted is not None and value.name not in wanted:
            continue
        fn = m.game.code[f"v_{value.name}"]
        known: dict[str, Any] = {}
        if over not in listed:
            arguments = _pairs if len(over) == 2 else _arguments
            listed[over] = list(arguments(m, seat, value.params))
        for keys, args in listed[over]:
            c.steps = 0
            try:
                result = fn(c, *args)
            except Exception:  # Unknown, or a fault: what cannot be computed is not shown
                continue
            if not holds_poison(result):
                inner = known
                for key in keys[:-1]:
                    inner = inner.setdefault(key, {})
                inner[keys[-1]] = told(value.type, result)
        if value.params:
            found[value.name] = known
        elif known:
            found[value.name] = known[""]
    return found


def shown_over(value: Any) -> tuple[str, ...] | None:
    """The types of a value's parameters, None where views do not show it."""
    kinds = [p.type["t"] for p in value.params]
    paired = sorted(kinds) in (["element", "player"], ["line", "player"])
    if not paired and (len(kinds) > 1 or not {"player", "element", "line", "card"}.issuperset(kinds)):
        return None
    return tuple(repr(p.type) for p in value.params)


def can_tell(m: State, seat: Seat, name: str, args: Sequence[Any]) -> bool:
    """Whether a seat can tell a value for arguments that are numbers of the state."""
    try:
        return not holds_poison(m.game.code[f"v_{name}"](masked(m, seat), *args))
    except Exception:  # Unknown, or a fault
        return False


Argument: TypeAlias = tuple[tuple[str, ...], tuple[Any, ...]]
"""The keys of a value in the view, and the arguments it is computed with."""


def _pairs(m: State, seat: Seat, params: Sequence[Any]) -> Iterator[Argument]:
    """A player and an element or a line, whichever comes first; the player's key is the outer one."""
    first = params[0].type["t"] == "player"
    player, element = params if first else params[::-1]
    for (outer,), who in _arguments(m, seat, [player]):
        for (inner,), where in _arguments(m, seat, [element]):
            yield (outer, inner), (*who, *where) if first else (*where, *who)


def _arguments(m: State, seat: Seat, params: Sequence[Any]) -> Iterator[Argument]:
    """The arguments for which a value of at most one parameter is shown."""
    if not params:
        yield ("",), ()
        return
    t = params[0].type
    match t["t"]:
        case "player":
            yield from (((str(player),), (player,)) for player in range(m.game.players))
        case "element":
            grid = m.game.grids.get(t["of"])
            size = sight.named(m.game.model.boards, t["of"]).size
            elements = range(1 if size is None else size) if grid is None else occupied(m, grid)
            yield from (((sight.element_key(m, t["of"], i),), (i,)) for i in elements)
        case "line":
            grid = m.game.grids[t["of"]]
            for line in (*rows(m, grid), *columns(m, grid)):
                yield (sight.line_name(m, t["of"], line),), (line,)
        case "card":
            for card, at in enumerate(m.at):
                where = None if at < 0 else m.game.places[at].board
                if where is None or t.get("in", where) != where or not sight.sees(m, seat, card):
                    continue
                key = sight.tag(m, seat, card)
                if key is not None and sight.is_kind(m.game, sight.kind_of(m, card), t["of"]):
                    yield (key,), (card,)
