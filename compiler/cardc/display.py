"""Author text on a terminal: what would steer or reorder it is made visible, and widths are measured in cells."""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width

# Joiners shape letters and emoji and move nothing; all other format characters (bidi controls among them) are shown.
_JOINERS = frozenset("\u200c\u200d")
_SHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_TAB = "    "


def safe(text: str) -> str:
    """Make control and bidi characters of `text` visible; the result is one line and moves no cursor.

    C0 controls become their pictures (`␛`), a tab four spaces, everything else `<U+202E>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(safe_character(c) for c in text)


def safe_character(c: str) -> str:
    if c == "\t":
        return _TAB
    if c < " ":
        return chr(0x2400 + ord(c))
    if c == "\x7f":
        return "\u2421"
    if category(c) in _SHOWN and c not in _JOINERS:
        return f"<U+{ord(c):04X}>"
    return c


def width(text: str) -> int:
    """The cells that `text`, already safe, takes: 2 for wide characters, 0 for what combines."""
    if text.isascii():
        return len(text)
    return sum(cells_of(c) for c in text)


def cells_of(c: str) -> int:
    if combining(c) or c in _JOINERS or category(c) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(c) in ("W", "F") else 1


def clip(text: str, cells: int, more: str = "...") -> str:
    """`text`, already safe, cut to at most `cells` cells; `more` marks the cut."""
    if width(text) <= cells:
        return text
    room = max(cells - width(more), 0)
    kept = 0
    used = 0
    for c in text:
        used += cells_of(c)
        if used > room:
            break
        kept += 1
    return text[:kept] + more[:cells]


def pad(text: str, cells: int) -> str:
    """`text`, already safe, filled up with spaces to `cells` cells."""
    return text + " " * (cells - width(text))


def wrap(text: str, cells: int, later: int | None = None) -> list[str]:
    """`text`, already safe, in lines of at most `cells` cells, broken at spaces; a longer word stands alone.

    `later` is the room of the lines after the first, if they have another."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width(longer) > (later if lines and later is not None else cells):
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def plural(number: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
