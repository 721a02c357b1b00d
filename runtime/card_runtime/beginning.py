"""What a match is begun with, as it came from a caller or a record: whether it is of the shape that is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from card_runtime.errors import InputError, nearest, quoted, shown, written
from card_runtime.library import GREATEST
from card_runtime.model import SEATS, Model
from card_runtime.sight import named

Deck: TypeAlias = str | Sequence[str]
"""A decklist's name or a list of card ids."""
Decks: TypeAlias = Sequence[Deck | None]
"""One a seat; None is the game's own."""

LONGEST_SEED = 10_000
"""How many bits a seed may have: its digits are to be written and read in a record."""


@dataclass(slots=True)
class GameOption:
    """An option of a game, as a form for its settings needs it.

    `default`: as `Game.start` takes it. `values`: the words there are, or False and True; None for a number, which lies
    between `low` and `high` (None: no bound)."""

    name: str
    help: str
    default: Any
    values: list[Any] | None
    low: int | None
    high: int | None


def options_of(model: Model) -> list[GameOption]:
    """The options that a game declares, in their order."""
    out = []
    for o in model.options:
        t, values = o.type, None
        if t["t"] == "enum":
            values = list(named(model.enums, t["of"]).members)
        elif t["t"] == "bool":
            values = [False, True]
        default = values[o.default] if values is not None else o.default
        out.append(GameOption(o.name, o.help, default, values, t.get("lo"), t.get("hi")))
    return out


def check(decks: Any, options: Any, inputs: Any, cards: Any) -> None:
    """Raise InputError where one of them is something else than `Game.start` takes; what they hold is not looked at."""
    if decks is not None:
        if not isinstance(decks, list | tuple) or len(decks) != SEATS:
            raise InputError(f"`decks` is a list of {SEATS}, one a seat, not {shown(decks)}")
        for seat, deck in enumerate(decks):
            if deck is not None:
                check_deck(deck, f"the deck of player {seat} is a decklist's name, a list of card ids, or None")
    check_named("options", options)
    check_named("inputs", inputs)
    if cards is not None and not (isinstance(cards, list | tuple) and all(isinstance(c, Mapping) for c in cards)):
        raise InputError(f"`cards` is a list of printed cards as the game's schema has them, not {shown(cards)}")


def check_named(name: str, given: Any) -> None:
    """Raise InputError where they are no values by name; None is none."""
    if given is not None and not (isinstance(given, Mapping) and _words(list(given))):
        raise InputError(f"`{name}` are values by name, not {shown(given)}")


def check_deck(deck: Any, rule: str = "a deck is a decklist's name or a list of card ids") -> None:
    """Raise InputError where a deck is neither."""
    if not (isinstance(deck, str) or _words(deck)):
        raise InputError(f"{rule}, not {shown(deck)}")


def check_seed(seed: Any, *, text: bool = False) -> None:
    """Raise InputError where it is no seed: a whole number or, where that is said, text."""
    if text and isinstance(seed, str):
        if not seed.isascii():
            raise InputError(f"the seed {shown(seed)} has letters beyond ASCII: give others")
        return
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise InputError(f"the seed {shown(seed)} is no whole number" + (" and no text" if text else ""))
    if seed.bit_length() > LONGEST_SEED:
        raise InputError(f"the seed has more than {LONGEST_SEED} bits: give a smaller one")


def check_limits(**limits: Any) -> None:
    """Raise InputError where one of them is neither a count nor None."""
    for name, limit in limits.items():
        if limit is not None and (type(limit) is not int or limit < 0):
            raise InputError(f"`{name}` is a whole number from 0 on, or None for no limit, not {shown(limit)}")


def check_bots(bots: Any, names: Sequence[str]) -> None:
    """Raise InputError unless a bot of these names is said for each seat."""
    if not isinstance(bots, list | tuple):
        raise InputError(f"`bots` is a list of {SEATS} names, one a seat, of {quoted(names)}, not {shown(bots)}")
    for name in bots:
        if name not in names:
            called = written(name) if isinstance(name, str) else shown(name)
            raise InputError(f"no bot is called {called}: there are {quoted(names)}")
    if len(bots) != SEATS:
        raise InputError(f"bots are named for {SEATS} seats, not {len(bots)}")


def coded(model: Model, value: Any, t: dict[str, Any], what: str) -> Any:
    """A value of this type, as generated code has it. Raises InputError where it is none; `what` it is, in words."""
    match t["t"]:
        case "int":
            low, high = t["lo"], t["hi"]
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(f"{what} is a whole number, not {shown(value)}")
            if abs(value) > GREATEST:
                raise InputError(f"{what} has more digits than the {len(str(GREATEST))} that a number may have")
            if (isinstance(low, int) and value < low) or (isinstance(high, int) and value > high):
                raise InputError(
                    f"{what} is {low if low is not None else '…'}..{high if high is not None else '…'}, not {value}"
                )
            return value
        case "bool":
            if not isinstance(value, bool):
                raise InputError(f"{what} is true or false, not {shown(value)}")
            return value
        case "enum":
            members = named(model.enums, t["of"]).members
            if value not in members:
                raise InputError(f"{what} is one of {quoted(members)}, not {shown(value)}")
            return members.index(value)
        case "optional":
            return None if value is None else coded(model, value, t["of"], what)
        case "form":
            found = [i for i, c in enumerate(model.cards) if c.id == value and c.form == t["of"]]
            if not found:
                forms = [c.id for c in model.cards if c.form == t["of"]]
                near = quoted(nearest(str(value)[:99] if isinstance(value, str) else "", forms))
                raise InputError(f"{what} is a form such as {near}, not {shown(value)}")
            return found[0]
        case "set":
            if not isinstance(value, list | tuple):
                raise InputError(f"{what} is a list of words, not {shown(value)}")
            mask = 0
            for v in value:
                mask |= 1 << coded(model, v, t["of"], what)
            return mask
    raise InputError(f"{what} cannot be given")


def _words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)
