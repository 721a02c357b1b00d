"""Decks that players keep in files: a card a line (`3 cub`), or JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from cardc.package import UsageError, read_file

MOST = 100_000
"""More cards than this are no deck, but a slip of the hand."""
_LINE = re.compile(r"(?:([0-9]+)[ \t]*[xX]?[ \t]+)?([^\s#]+)$")
_COMMENT = re.compile(r"(?:^|\s)(?:#|//).*")
_SUFFIXES = (".txt", ".json")


@dataclass(frozen=True, slots=True)
class Deck:
    """`cards` has a card's id for each copy; `lines` the line on which a card is first named; `wrong` the lines that
    name none, with what is wrong there."""

    cards: tuple[str, ...]
    lines: dict[str, int]
    wrong: tuple[tuple[int, str], ...]


def is_deck_file(name: str) -> bool:
    """Whether a deck named on the command line is a file, rather than a decklist of the game."""
    return name.endswith(_SUFFIXES) or "/" in name or "\\" in name


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
        raise UsageError(f"{path}:{line}: {what}")
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
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"cannot read {path}: it is not JSON") from None
    match data:
        case list() if all(isinstance(x, str) for x in data) and len(data) <= MOST:
            return Deck(tuple(data), {}, ())
        case dict() if all(type(x) is int and 0 <= x <= MOST for x in data.values()) and sum(data.values()) <= MOST:
            return Deck(tuple(card for card, count in data.items() for _ in range(count)), {}, ())
    raise UsageError(f"cannot read {path}: a deck is a list of card ids, or an object with their counts")
