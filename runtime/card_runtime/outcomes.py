"""For playouts: what `setup` makes of a match is worked out once for each outcome of chance, where these are few.

Many games only make their cards there and pick who begins. Such a setup asks nobody, shuffles nothing and tells no
listener; so what it makes follows from the state before it and from what it picks, one item at a time.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from card_runtime.chance import SETUP, Keys, key, word
from card_runtime.tabling import PURE
from card_runtime.trees import parsed, walk

if TYPE_CHECKING:
    from card_runtime.state import State

FEW = 16
"""So many states are kept after a setup, one for each outcome and each pick on the way to it."""
CALLED = PURE | frozenset({"copy_cards", "draw", "move", "move_all", "move_places", "passes", "tick", "unregister_all"})
"""What such a setup may call; and functions whose names begin so (values, and what moves, makes and resets cards): """
CALLED_TOO = ("v_", "bring_", "take_", "new_", "off_", "put_", "reset·", "to_")
METHODS = frozenset({"append", "clear", "get", "pop", "remove", "setdefault"})


def mark(modules: Sequence[ast.Module]) -> None:
    """Note of a setup that is linked that its outcomes can be kept: `setup.only_picks = True`, in place."""
    for module in modules:
        for f in module.body.copy():
            if isinstance(f, ast.FunctionDef) and f.name == "setup" and _only_picks(f):
                module.body += parsed("setup.only_picks = True", f)


def _only_picks(setup: ast.FunctionDef) -> bool:
    for node in walk(setup):
        match node:
            case ast.Call(func=ast.Name(id="pick"), args=[_, ast.Constant(value=stream), *_]):
                if stream != SETUP:
                    return False
            case ast.Call(func=ast.Name(id=name)):
                if not (name in CALLED or name.startswith(CALLED_TOO)):
                    return False
            case ast.Call(func=ast.Attribute(attr=name)):
                if name not in METHODS:
                    return False
            case ast.Call() | ast.Attribute(attr="ask" | "draw" | "memo" | "result"):
                return False
    return True


class Prototype:
    """The state that matches of the same decks and options begin with, which nobody changes; and what a setup makes of
    it, by what it picks: after so many picks either how many items the next one has, or the state in the end, or None
    where it cannot be kept. `kept`: for other matches, too."""

    def __init__(self, state: State, kept: bool) -> None:
        self.state, self.kept = state, kept
        self.found: dict[tuple[int, ...], State | int | None] = {}

    def after(self, setup: Callable[[State], None] | None, keys: Keys) -> State | None:
        """The state after the setup of a match with these keys, for the caller to clone, if it is kept."""
        if setup is None or not self.kept or not hasattr(setup, "only_picks"):
            return None
        found = self.found
        picked: tuple[int, ...] = ()
        while True:
            if picked not in found:
                found[picked] = self._run(setup, picked) if len(found) < FEW else None
            then = found[picked]
            if not isinstance(then, int):
                return then
            picked += (word(keys[SETUP] or key(keys, SETUP), len(picked) + 1) % then,)

    def _run(self, setup: Callable[[State], None], picked: tuple[int, ...]) -> State | int | None:
        m = self.state.clone()
        m.chance = _Given(picked)
        try:
            setup(m)
        except _Asked as more:
            return more.items
        except Exception:  # it is told where a match is played that meets it
            return None
        m.chance = None
        m.draws[SETUP] = len(picked)
        return m


class _Asked(Exception):
    """One more pick is needed."""

    def __init__(self, items: int) -> None:
        self.items = items


class _Given:
    """Chance that is known up to a pick."""

    def __init__(self, picked: tuple[int, ...]) -> None:
        self.left = list(picked)

    def pick(self, name: str, items: list[Any]) -> Any:
        if not self.left:
            raise _Asked(len(items))
        return items[self.left.pop(0)]
