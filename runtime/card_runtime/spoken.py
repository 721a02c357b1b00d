"""Of which cards a state speaks besides saying where they lie, and of what kind they have to be for that.

Rules go on with a card that they hold, also where it has gone out of sight: in state and fields, as an argument of what
has happened or runs, in a local of code that waits for an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from card_runtime.sight import Type
    from card_runtime.state import Frame, State

Said: TypeAlias = Iterator[tuple[int, str]]
"""Cards, each with a kind."""


def spoken_of(m: State) -> dict[int, frozenset[str]]:
    """The kinds that a card has to be of, by card."""
    found: dict[int, set[str]] = {}
    for card, kind in _all(m):
        found.setdefault(card, set()).add(kind)
    return {card: frozenset(kinds) for card, kinds in found.items()}


def holders(game: Any) -> list[tuple[str, Type, bool]]:
    """The attributes of a state that hold cards, with the type of what they hold, and whether that is one of a list."""
    model = game.model
    every = [(f"c_{k.name}·{s.name}", s.type, True) for k in model.kinds for s in k.states]
    every += [(f"p_{f.name}", f.type, True) for f in model.player]
    every += [(f"s_{s.name}", s.type, False) for s in model.state]
    every += [(f"b_{b.name}·{f.name}", f.type, True) for b in model.boards for f in b.fields]
    return [(name, t, many) for name, t, many in every if _holds_cards(t)]


def _holds_cards(t: Type) -> bool:
    while t["t"] in ("optional", "list"):
        t = t["of"]
    return bool(t["t"] == "card")


def _all(m: State) -> Said:
    for name, t, many in m.game.holders:
        value = getattr(m, name)
        for one in value if many else (value,):
            yield from _typed(t, one)
    for held in m.held:
        for event, args in held:
            yield from _arguments(m, event, args)
    yield from _frames(m, m.frames)


def _typed(t: Type, value: Any) -> Said:
    if value is None:
        return
    match t["t"]:
        case "optional":
            yield from _typed(t["of"], value)
        case "list":
            for one in value:
                yield from _typed(t["of"], one)
        case "card":
            yield value, t["of"]


def _arguments(m: State, event: str, args: Sequence[Any]) -> Said:
    params = next(e.params for e in m.game.model.effects if e.name == event)
    for param, arg in zip(params, args, strict=True):
        yield from _typed(param.type, arg)


def _frames(m: State, frames: Iterable[Frame]) -> Said:
    for f in frames:
        match f:
            case ["·shallower", *_]:
                pass
            case ["·instead", _, line, _, args]:
                yield from _arguments(m, m.game.lines[line].of, args)
            case ["·batch", _, lines]:
                for line, _, args in lines:
                    yield from _arguments(m, m.game.lines[line].of, args)
            case ["·offer", _, event, _, args]:
                yield from _arguments(m, event, args)
            case ["·together", _, _, stacks, *_]:
                for stack in stacks:
                    yield from _frames(m, stack)
            case [code, *_]:
                for slot, kind in getattr(m.game.steps[code], "cards", ()):
                    yield from ((card, kind) for card in _cards(f[slot]))


def _cards(value: Any) -> Iterator[int]:
    """The cards that a local holds."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _cards(one)
    elif value is not None:
        yield value
