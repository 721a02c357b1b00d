"""Plays built card games: `load` one, `start` a match, `choose`, `view`, save and replay; `playout` for whole matches
in one go."""

from __future__ import annotations

from card_runtime.chance import Source
from card_runtime.decision import Decision, Option
from card_runtime.errors import CardError, CardFault, IllegalChoice, InputError, LoadError, SaveError
from card_runtime.game import Game, load
from card_runtime.match import Match, Result, play

__all__ = [
    "CardError",
    "CardFault",
    "Decision",
    "Game",
    "IllegalChoice",
    "InputError",
    "LoadError",
    "Match",
    "Option",
    "Result",
    "SaveError",
    "Source",
    "load",
    "play",
]
