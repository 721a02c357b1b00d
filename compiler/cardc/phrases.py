"""How types are said in findings: what an author could write stands in backquotes."""

from __future__ import annotations

from cardc.symbols import ANY, Symbols
from cardc.types import (
    BoardT,
    CardT,
    EmptyT,
    EnumT,
    ErrorT,
    FaceT,
    IntT,
    ListT,
    LogT,
    NoneT,
    OptT,
    PrintedT,
    SlotT,
    TextT,
    Type,
    show,
)

_LIKE_CONSONANTS = ("uni", "use", "usu", "ut", "eu", "ewe", "one", "once")


def say(t: Type, s: Symbols) -> str:
    """A phrase for a type, such as `unit in lanes`, a printed card, none."""
    match t:
        case IntT(int(low), int(high)) if low == high:
            return f"the number {low}"
        case CardT(kind, None) if kind == ANY:
            return "a card"
        case PrintedT(kind):
            return "a printed card" if kind == ANY else f"a printed `{kind}`"
        case ListT(PrintedT() | CardT(_, None) as item) if isinstance(item, PrintedT) or item.kind == ANY:
            return f"a list of {say(item, s).removeprefix('a ')}" + ("s" if item.kind == ANY else "")
        case OptT(PrintedT() as item):
            return f"{say(item, s)} or none"
        case OptT(CardT(kind, None)) if kind == ANY:
            return "a card or none"
        case EnumT(name) if name in s.options or "·" in name:
            return f"a word of `{name.split('·')[-1]}`"
        case NoneT():
            return "none"
        case FaceT():
            return "a face (`up` or `down`)"
        case TextT():
            return "a text"
        case LogT():
            return "a log"
        case EmptyT():
            return "an empty list"
        case BoardT(name):
            return f"board `{name}`"
        case SlotT(_, name):
            return f"slot `{name}`"
        case ErrorT():
            return "something else"
    return f"`{named(show(t), s)}`"


def a(name: str) -> str:
    """A name with its article, as it is spoken: a `unit`, an `item`."""
    vowel = name[:1] in "aeiou" and not name.startswith(_LIKE_CONSONANTS)
    return f"an `{name}`" if vowel else f"a `{name}`"


def named(text: str, s: Symbols) -> str:
    """The words of a type with the names that elements and lines have."""
    for element, board in s.elements.items():
        text = text.replace(f"element of {board}", element)
    grids = [b.name for b in s.boards.values() if b.grid is not None]
    for board in grids:
        text = text.replace(f"line of {board}", "line" if len(grids) == 1 else f"line in {board}")
    return text
