"""Plays built card games: `load` one, `start` a match, `choose`, `view`, save and replay; `playout` for whole matches
in one go."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from card_runtime.beginning import GameOption
    from card_runtime.bots import bot
    from card_runtime.chance import Source
    from card_runtime.decision import Decision, Option
    from card_runtime.errors import CardError, CardFault, IllegalChoice, InputError, LoadError, SaveError
    from card_runtime.game import Game, load
    from card_runtime.match import Match, Result, play
    from card_runtime.model import PrintedCard

__all__ = [
    "CardError",
    "CardFault",
    "Decision",
    "Game",
    "GameOption",
    "IllegalChoice",
    "InputError",
    "LoadError",
    "Match",
    "Option",
    "PrintedCard",
    "Result",
    "SaveError",
    "Source",
    "bot",
    "load",
    "play",
]

_OF = {
    "beginning": ("GameOption",),
    "bots": ("bot",),
    "chance": ("Source",),
    "decision": ("Decision", "Option"),
    "errors": ("CardError", "CardFault", "IllegalChoice", "InputError", "LoadError", "SaveError"),
    "game": ("Game", "load"),
    "match": ("Match", "Result", "play"),
    "model": ("PrintedCard",),
}
"""The public names by module. They are imported when they are first asked for: who only builds needs none of them."""


def __getattr__(name: str) -> Any:
    for module, names in _OF.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"card_runtime.{module}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
