"""Decks that players keep in files: a card a line (`3 cub`), or JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from cardc.package import UsageError, read_file

MOST = 100_000
"""More cards than this are no deck, but a slip of the hand."""
_LINE = re.compile(r"(?:([0-9]+)[ \t]*[xX]?[ \t]+)?(\S+|[^\s\d-].*)$")
"""A card's id, or what looks like a title, for which the id may be told."""
_COMMENT = re.compile(r"(?:^|\s)(?:#|//).*")
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FORM = "a deck is a list of card ids, or an object with their counts"


class Deck(Struct, frozen=True):
    """`cards` has a card's id for each copy; `lines` the line on which a card is first named; `wrong` the lines that
    name none, with what is wrong there (line 0 where the file has no lines, as JSON)."""

    cards: tuple[str, ...]
    lines: dict[str, int]
    wrong: tuple[tuple[int, str], ...]


def is_deck_file(name: str) -> bool:
    """Whether a deck named on the command line is a file, rather than a decklist of the game."""
    return _ID.fullmatch(name) is None


def read_deck(path: Path) -> Deck:
    """Read a deck. Raises UsageError where the file cannot be read, or is no deck at all."""
    try:
        text = read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: it is not UTF-8") from None
    return _of_json(path, text) if path.suffix == ".json" else _of_lines(text)


def whole_deck(path: Path) -> list[str]:
    """Read a deck without a fault in its form. Raises UsageError at the first one."""
    deck = read_deck(path)
    for line, what in deck.wrong:
        raise UsageError(f"{path}:{line}: {what}" if line else f"{path}: {what}")
    return list(deck.cards)


def _of_lines(text: str) -> Deck:
    cards: list[str] = []
    lines: dict[str, int] = {}
    wrong: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = _COMMENT.sub("", line).strip()
        if not line:
            continue
        found = _LINE.match(line)
        if found is None:
            wrong.append((number, f"`{line[:60]}` is not a count and a card's id, as in `2 cub`"))
            continue
        count = found[1] or "1"
        if len(count) > 6 or int(count) + len(cards) > MOST:
            wrong.append((number, f"more than {MOST:,} cards are no deck"))
            continue
        cards += [found[2]] * int(count)
        lines.setdefault(found[2], number)
    return Deck(tuple(cards), lines, tuple(wrong))


def _of_json(path: Path, text: str) -> Deck:
    """A deck of JSON: it has no lines that could be told, so what is wrong in it is named."""
    try:
        data = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        raise UsageError(f"cannot read {path}:{error.lineno}: it is not JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise UsageError(f"cannot read {path}: it is not JSON") from None
    if isinstance(data, _Pairs):
        counts = list(data)
    elif isinstance(data, list):
        counts = [(card, 1) for card in data]
    else:
        raise UsageError(f"cannot read {path}: {_FORM}")
    cards: list[str] = []
    named: set[str] = set()
    wrong: list[tuple[int, str]] = []
    for number, (card, count) in enumerate(counts, 1):
        if not isinstance(card, str):
            wrong.append((0, f"{_FORM}: entry {number} is neither"))
        elif card in named and isinstance(data, _Pairs):
            wrong.append((0, f"`{card}` has two counts"))
        elif type(count) is not int or count < 0:
            wrong.append((0, f"the count of `{card}` is not 0, 1, 2 …"))
        elif count + len(cards) > MOST:
            wrong.append((0, f"more than {MOST:,} cards are no deck"))
        else:
            cards += [card] * count
            named.add(card)
    return Deck(tuple(cards), {}, tuple(wrong))


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON, with keys that are named twice."""
