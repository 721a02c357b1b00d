"""How `play` and `sim` come to a match: the game is built and loaded, and the settings are read."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardc.cli.output import Output, Target, name_of, status_of, title_of_game
from cardc.package import MANIFEST, UsageError, game_around

if TYPE_CHECKING:
    import card_runtime as rt

SEATS = 2


class Unbuilt(Exception):
    """The package has errors, which have been shown."""


def is_built(path: Path) -> bool:
    return (path / MANIFEST).is_file()


def built(path: Path, base: Path | None, output: Output) -> tuple[Path, list[Path]]:
    """Return the built game that PATH means and the built expansions to load with it, building what needs to be built.

    A game is built into `build/<game id>` below the current folder, or into a temporary folder where that cannot be
    written. Warnings are left to `check`. Raises Unbuilt after showing what is wrong."""
    whole = _built(path, base, output)
    if base is None:
        if not _is_expansion(whole):
            return whole, []
        base = None if is_built(path) else game_around(Target.of(path).folder)
        if base is None:
            raise UsageError(f"{path} is an expansion: say with --base DIR which game it is for")
    return _built(base, None, output), [whole]


def _built(path: Path, base: Path | None, output: Output) -> Path:
    if is_built(path):
        return path
    from cardc import pipeline

    target = Target.of(path)
    out = None
    if not os.access(".", os.W_OK):
        out = Path(tempfile.mkdtemp(prefix="cardc-"), "game")
        atexit.register(shutil.rmtree, out.parent, ignore_errors=True)
    outcome, where = pipeline.build(target.folder, out, base)
    if status_of(outcome.findings, strict=False):
        output.findings(outcome.findings, target.root)
        output.tell(f"{name_of(outcome, target.folder)} was not built")
        raise Unbuilt
    return where


def _is_expansion(package: Path) -> bool:
    try:
        return bool(json.loads((package / MANIFEST).read_bytes())["identity"]["kind"] == "expansion")
    except (OSError, ValueError, LookupError, TypeError):
        return False  # Damaged: loading it says so.


def load(paths: tuple[Path, list[Path]]) -> rt.Game:
    """Load a built game. Raises UsageError where it is damaged or of another format."""
    import card_runtime as rt

    game, expansions = paths
    try:
        return rt.load(game, expansions=expansions) if expansions else rt.load(game)
    except rt.LoadError as error:
        raise UsageError(str(error)) from None


def asked(options: Iterable[str], decks: Iterable[str]) -> tuple[dict[str, Any], dict[int, str]]:
    """What `--option` and `--deck` say, before it is known which game it is for. Raises UsageError."""
    return settings(options), by_seat("--deck", decks)


def beginning(game: rt.Game, chosen: dict[str, Any], named: dict[int, str]) -> dict[str, Any]:
    """The arguments of `Game.start` and `Game.playout` that `--option` and `--deck` mean."""
    read: dict[str, Any] = {}
    if chosen:
        read["options"] = chosen
    if named:
        if game.model.deck is None:
            raise UsageError(f"{title_of_game(game)} has no decks: leave `--deck` out")
        read["decks"] = [_deck(game, named[seat]) if seat in named else None for seat in range(SEATS)]
    if game.model.deck is not None and not game.model.decklists and len(named) < SEATS:
        files = " ".join(f"--deck {seat}=FILE" for seat in range(SEATS) if seat not in named)
        raise UsageError(
            f"{title_of_game(game)} has no ready-made deck: say who plays which, {files}, or declare a `decklist`"
        )
    return read


def _deck(game: rt.Game, name: str) -> str | list[str]:
    """A decklist's name, or the cards that a deck file lists."""
    from cardc.deckfile import is_deck_file, whole_deck

    if is_deck_file(name):
        return whole_deck(Path(name))
    if Path(name).is_file() and name not in [d.name for d in game.model.decklists]:
        raise UsageError(f"no decklist is called {name}; the file of that name is `./{name}`")
    return name


def settings(pairs: Iterable[str]) -> dict[str, Any]:
    """Read `NAME=VALUE` pairs: `true` and `false`, whole numbers, and words. The game checks what they mean."""
    read: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"--option takes NAME=VALUE, not `{pair}`")
        if name in read:
            raise UsageError(f"--option sets {name} twice")
        read[name] = _value(value)
    return read


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else text


def by_seat(option: str, pairs: Iterable[str]) -> dict[int, str]:
    """Read `SEAT=NAME` pairs."""
    read: dict[int, str] = {}
    for pair in pairs:
        seat, _, name = pair.partition("=")
        if seat not in [str(s) for s in range(SEATS)] or not name:
            raise UsageError(f"{option} takes SEAT=NAME with a seat from 0 to {SEATS - 1}, not `{pair}`")
        if int(seat) in read:
            raise UsageError(f"{option} names seat {seat} twice")
        read[int(seat)] = name
    return read
