"""Printed cards that a match brings along: they are data, and take the place of those of its game."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from card_runtime.binding import card_tables
from card_runtime.errors import InputError
from card_runtime.faults import card_of
from card_runtime.model import PrintedCard

if TYPE_CHECKING:
    from card_runtime.game import Game


def tables(game: Game, cards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The tables of a match whose cards come as data. Raises InputError."""
    try:
        import jsonschema
    except ImportError as error:
        raise InputError("`cards` are checked by jsonschema, which is missing: pip install jsonschema") from error
    if not cards:
        raise InputError("`cards` is empty: give the printed cards of the match, or None for those of the game")
    # A number like 1.0 is an integer to JSON Schema, but not to the rules.
    draft = jsonschema.Draft202012Validator
    types = draft.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    types = types.redefine("object", lambda _, value: isinstance(value, Mapping))
    validator = jsonschema.validators.extend(draft, type_checker=types)(game._schema)  # type: ignore[no-untyped-call]
    printed = []
    for i, c in enumerate(cards):
        try:
            wrong = next(iter(validator.iter_errors(c)), None)
        except ValueError as error:
            raise InputError(f"card {i} of the match has a number with too many digits") from error
        if wrong is not None:
            raise InputError(
                f"card {i} of the match does not follow the game's schema: {wrong.message} at {wrong.json_path}"
            )
        flags = [name for name, v in c["fields"].items() if v is True]
        fields = {name: deepcopy(v) for name, v in c["fields"].items() if not isinstance(v, bool) or v is False}
        printed.append(PrintedCard(c["id"], c["title"], c["kind"], "(cards of the match)", i + 1, fields, flags, {}))
    for name in named(game):
        at = game.index[name]
        if at >= len(printed) or printed[at].id != name:
            raise InputError(f"the rules name the card {name}: it must be card {at} of the match, as it is in the game")
    return card_tables(game, printed)


def as_given(printed: Sequence[PrintedCard]) -> list[dict[str, Any]]:
    """The cards of a match as `tables` takes them."""
    return [
        {"id": c.id, "title": c.title, "kind": c.kind, "fields": {**c.fields, **dict.fromkeys(c.flags, True)}}
        for c in printed
    ]


def named(game: Game) -> list[str]:
    """The cards that the rules name, in printed order. What abilities name does not count: data has none."""
    found = set()
    for i in game.texts.rules:
        for text, _, _ in game.texts.parts[i]:
            for node in ast.parse(text).body:
                if not (isinstance(node, ast.FunctionDef) and card_of(game, node.name)):
                    found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id.startswith("C_")}
    return [name for name in game.index if f"C_{name}" in found]
