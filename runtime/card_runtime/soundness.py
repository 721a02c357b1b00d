"""Whether a state that was read back can be one of the game: every number stands for something, every card lies where
it says. Nothing is said about whether play could have come to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from card_runtime.chance import STREAMS
from card_runtime.decision import alternatives
from card_runtime.events import KERNEL_FRAMES
from card_runtime.model import SEATS

if TYPE_CHECKING:
    from card_runtime.state import Frame, State

ALL = (1 << SEATS) - 1


def check(m: State) -> None:
    """Raise ValueError or another error of Python where the state is unsound."""
    _cards(m)
    for name in ("clock", "next_lasting", "decisions", "seed"):
        _that(_is_int(getattr(m, name)), name)
    _that(m.turn is None or _is_seat(m.turn), "turn")
    _that(_ints(m.periods) and len(m.periods) == len(m.game.model.periods), "periods")
    _that(_ints(m.draws) and len(m.draws) == len(STREAMS) and min(m.draws) >= 0, "draws")
    _that(len(m.decks) == SEATS and all(_is_card(m, c) for deck in m.decks for c in deck), "decks")
    for name, t, values in _fields(m):
        _that(all(_fits(m, t, v) for v in values), name)
    for (bearer, name), serial in m.used.items():
        _that(isinstance(name, str) and _is_int(serial) and isinstance(bearer, int | tuple), "used")
    for name in m.game.secrets_of_players:
        _that(all(_is_int(mask) and mask & ~ALL == 0 for mask in getattr(m, f"h_{name}")), "shown")
    for _, lines, env, period in m.lasting:
        _that(all(line in m.game.lines for line in lines) and len(env) > 2, "lasting")
        _that(period is None or 0 <= period < len(m.periods), "lasting")
    _that(all(line in m.game.lines for _, line in m.using), "using")
    _that(all(event in m.game.events for held in m.held for event, _ in held), "held")
    _frames(m, m.frames)
    if m.wait is not None:
        _wait(m, m.wait)
    if m.result is not None:
        _that((m.result[0] is None or _is_seat(m.result[0])) and isinstance(m.result[1], str), "result")
    _that((m.wait is None) == (m.result is not None), "wait")


def _that(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"`{what}` is unsound")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ints(values: Any) -> bool:
    return isinstance(values, list) and all(map(_is_int, values))


def _is_seat(value: Any) -> bool:
    return _is_int(value) and 0 <= value < SEATS


def _is_card(m: State, value: Any) -> bool:
    return _is_int(value) and 0 <= value < len(m.d)


def _cards(m: State) -> None:
    n = len(m.d)
    for name in ("d", "at", "own", "up", "age"):
        values = getattr(m, name)
        _that(isinstance(values, list) and len(values) == n, name)
    _that(_ints(m.d) and all(0 <= d < len(m.printed) for d in m.d), "d")
    _that(_ints(m.at) and all(-1 <= at < len(m.game.places) for at in m.at), "at")
    _that(all(own is None or _is_seat(own) for own in m.own), "own")
    _that(all(isinstance(up, bool) for up in m.up), "up")
    _that(_ints(m.age), "age")
    _that(len(m.places) == len(m.game.places), "places")
    found = 0
    for place, cards in enumerate(m.places):
        _that(isinstance(cards, list) and all(_is_card(m, c) and m.at[c] == place for c in cards), "places")
        _that(len(set(cards)) == len(cards), "places")
        found += len(cards)
    _that(found == sum(at >= 0 for at in m.at), "places")
    _that(all(_is_card(m, card) and _is_int(mask) and mask & ~ALL == 0 for card, mask in m.known.items()), "known")
    for card, slots in m.borrowed.items():
        _that(_is_card(m, card) and all(_is_card(m, lender) for lender in slots.values()), "borrowed")


def _fields(m: State) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    """The name, the type and the values of every state and field."""
    model = m.game.model
    for kind in model.kinds:
        for s in kind.states:
            values = getattr(m, f"c_{kind.name}·{s.name}")
            _that(isinstance(values, list) and len(values) == len(m.d), s.name)
            yield s.name, s.type, [v for v in values if v is not None]  # cards of other kinds have none
    for f in model.player:
        values = getattr(m, f"p_{f.name}")
        _that(isinstance(values, list) and len(values) == SEATS, f.name)
        yield f.name, f.type, values
    for s in model.state:
        yield s.name, s.type, [getattr(m, f"s_{s.name}")]
    for o in model.options:
        yield o.name, o.type, [getattr(m, f"o_{o.name}")]
    for board in model.boards:
        for f in board.fields:
            values = getattr(m, f"b_{board.name}·{f.name}")
            _that(isinstance(values, list) and len(values) == (board.size or 1), f.name)
            yield f.name, f.type, values


def _fits(m: State, t: dict[str, Any], value: Any) -> bool:
    match t["t"]:
        case "optional":
            return value is None or _fits(m, t["of"], value)
        case "list":
            return isinstance(value, list) and all(_fits(m, t["of"], v) for v in value)
        case "bool":
            return isinstance(value, bool)
        case "player":
            return _is_seat(value)
        case "card":
            return _is_card(m, value)
        case "printed" | "form":
            return _is_int(value) and 0 <= value < len(m.printed)
        case "enum":
            return _is_int(value) and 0 <= value < len(m.game.enum_members[t["of"]])
        case _:
            return _is_int(value)


def _frames(m: State, frames: list[Frame]) -> None:
    for f in frames:
        if f[0] not in KERNEL_FRAMES:
            _that(f[0].startswith("s_") and len(f) == m.game.step(f[0]).size, "frames")
        _that(_is_int(f[1]) and f[1] >= 0, "frames")
        match f[0]:
            case "·instead":
                _that(f[2] in m.game.lines, "frames")
            case "·batch":
                _that(all(line in m.game.lines for line, _, _ in f[2]), "frames")
            case "·offer":
                _that(f[2] in m.game.events and _is_seat(f[3]), "frames")
            case "·together":
                _that(_is_int(f[2]) and 0 <= f[2] <= len(f[3]), "frames")
                _that(isinstance(f[5], list) and len(f[5]) == len(f[3]), "frames")
                for stack, wait in zip(f[3], f[4], strict=True):
                    _frames(m, stack)
                    if wait is not None:
                        _wait(m, wait)


def _wait(m: State, wait: tuple[Any, ...]) -> None:
    seat, site, options, optional = wait
    _that(_is_seat(seat) and isinstance(optional, bool) and len(options) + optional > 0, "wait")
    forms = alternatives(m.game, site)
    for option in options:
        _that(_is_int(option[0]) and 0 <= option[0] < len(forms), "wait")
        for pick, value in zip(forms[option[0]].picks, option[1:], strict=True):
            _that(value is None or _fits(m, pick.type, value), "wait")
