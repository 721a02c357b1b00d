"""What the runtime raises. A message is one line: what is wrong, where, and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

COMPARED = 100
"""How many names are compared letter by letter, those that share most words with what was said."""
HEARD = 200
"""How many letters of that are compared."""


class CardError(Exception):
    """The base of all that this package raises on purpose."""


class LoadError(CardError):
    """A built game that cannot be loaded: missing, damaged, or of another format."""


class SaveError(CardError):
    """A saved match or a record that cannot be taken up: damaged, edited, or of another build."""


class IllegalChoice(CardError):
    """An answer, an undo or an input that the match does not allow now. The match is as it was."""


class InputError(CardError):
    """An argument the game does not know or cannot take: an option, a seat, a name, a value."""


def written(text: str, most: int = 60) -> str:
    """A word as it was said, in a message of one line: cut where it is long, what cannot be written by its code."""
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return cut if cut.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)


def nearest(wanted: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The `most` names that are most like `wanted`, best first; equal ones stay in their order. Who says a lot is
    heard at its beginning: comparing takes the longer the more is said."""
    wanted = wanted[:HEARD]
    said = set(wanted.split())
    close = sorted(names, key=lambda name: -len(said.intersection(name.split())))[:COMPARED]
    return sorted(close, key=lambda name: -SequenceMatcher(None, wanted, name).ratio())[:most]


def quoted(names: Iterable[str]) -> str:
    """`"a", "b"`; `none` when there is none."""
    return ", ".join(f'"{name}"' for name in names) or "none"


def shown(value: object, most: int = 60) -> str:
    """What was given instead of what was asked for, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an int with more digits than Python writes out, or lists deep in lists
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 3]}…"


class CardFault(CardError):
    """A fault inside a card or a frame: the message begins with the `.card` file and line, and names the card.

    `file`, `line`, and `card`: its title, None where the rules of the frame are at fault."""

    def __init__(self, message: str, file: str | None = None, line: int = 0, card: str | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.card = card


class Over(Exception):
    """Raised by `win`, `lose` and `tie` to leave all running code; the result is in the state."""


class Overrun(Exception):
    """A limit was exceeded; `line` is the ability line at work, if one was."""

    def __init__(self, message: str, line: Any = None) -> None:
        super().__init__(message)
        self.line = line


class Endless(Overrun):
    """The match has come to its limit of decisions."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the match has come to its limit of {limit} decisions")
