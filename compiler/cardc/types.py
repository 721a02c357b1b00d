"""The types of the language, their order, and how they are said to an author and written into a package."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

Bound: TypeAlias = int | str | None
"""A bound of a range: a number, the name of an option, or none at all."""


class IntT(Struct, frozen=True):
    low: Bound = None
    high: Bound = None


class BoolT(Struct, frozen=True):
    pass


class EnumT(Struct, frozen=True):
    name: str


class PlayerT(Struct, frozen=True):
    pass


class CardT(Struct, frozen=True):
    """A card of a kind; `where` is the zone or board on which it is known to lie."""

    kind: str
    where: str | None = None


class PrintedT(Struct, frozen=True):
    """A printed card: an entry of `catalog`, a card by its name."""

    kind: str


class ElementT(Struct, frozen=True):
    """An element of a board, as a lane of `lanes`."""

    board: str


class LineT(Struct, frozen=True):
    """A row or a column of a grid."""

    board: str


class FormT(Struct, frozen=True):
    """A form of a printed card."""

    name: str


class ListT(Struct, frozen=True):
    item: Type


class SetT(Struct, frozen=True):
    item: EnumT | FormT


class OptT(Struct, frozen=True):
    item: Type


class NoneT(Struct, frozen=True):
    """The type of `none` where nothing more is known."""


class FaceT(Struct, frozen=True):
    """`up`, `down`."""


class TextT(Struct, frozen=True):
    pass


class LogT(Struct, frozen=True):
    """`log(p)` and `flaws(cards)`, in tests."""


class BoardT(Struct, frozen=True):
    """A board as a whole: a collection of its elements."""

    name: str


class SlotT(Struct, frozen=True):
    """`c.placement`, to be run."""

    kind: str
    name: str
    filled: bool = False


class EmptyT(Struct, frozen=True):
    """The type of `[]`."""


class ErrorT(Struct, frozen=True):
    """Something was found already; fits everywhere."""


Type: TypeAlias = (
    IntT
    | LineT
    | FormT
    | BoolT
    | EnumT
    | PlayerT
    | CardT
    | PrintedT
    | ElementT
    | ListT
    | SetT
    | OptT
    | NoneT
    | FaceT
    | TextT
    | LogT
    | BoardT
    | SlotT
    | EmptyT
    | ErrorT
)

INT, BOOL, PLAYER, NONE, FACE, ERROR = IntT(), BoolT(), PlayerT(), NoneT(), FaceT(), ErrorT()


def show(t: Type) -> str:
    """The type in the words of the language."""
    match t:
        case IntT(None, None):
            return "int"
        case IntT(low, None):
            return f"{low} or more"
        case IntT(None, high):
            return f"a number up to {high}"
        case IntT(low, high):
            return f"the number {low}" if low == high else f"{low}..{high}"
        case BoolT():
            return "bool"
        case EnumT(name):
            return name
        case PlayerT():
            return "player"
        case CardT(kind, where):
            word = "card" if kind == "*" else kind
            return f"{word} in {where}" if where else word
        case PrintedT(kind):
            return "printed card" if kind == "*" else f"printed {kind}"
        case ElementT(board):
            return f"element of {board}"
        case LineT(board):
            return f"line of {board}"
        case FormT(name):
            return name
        case ListT(item):
            return f"list of {show(item)}"
        case SetT(item):
            return f"set of {show(item)}"
        case OptT(item):
            return f"{show(item)}?"
        case NoneT():
            return "none"
        case FaceT():
            return "up or down"
        case TextT():
            return "text"
        case LogT():
            return "log"
        case BoardT(name):
            return f"board {name}"
        case SlotT(_, name, _):
            return f"slot {name}"
        case EmptyT():
            return "empty list"
        case ErrorT():
            return "unknown"


def to_data(t: Type) -> dict[str, object]:
    """The type as it is written into a package."""
    match t:
        case IntT(low, high):
            return {"t": "int", "lo": low, "hi": high}
        case BoolT():
            return {"t": "bool"}
        case EnumT(name):
            return {"t": "enum", "of": name}
        case PlayerT():
            return {"t": "player"}
        case CardT(kind, where):
            return {"t": "card", "of": kind} if where is None else {"t": "card", "of": kind, "in": where}
        case PrintedT(kind):
            return {"t": "printed", "of": kind}
        case ElementT(board):
            return {"t": "element", "of": board}
        case LineT(board):
            return {"t": "line", "of": board}
        case FormT(name):
            return {"t": "form", "of": name}
        case ListT(item):
            return {"t": "list", "of": to_data(item)}
        case SetT(item):
            return {"t": "set", "of": to_data(item)}
        case OptT(item):
            return {"t": "optional", "of": to_data(item)}
        case _:
            raise AssertionError(f"no package type for {t}")


def optional(t: Type) -> Type:
    """`T?`; what may be none already stays as it is."""
    return t if isinstance(t, OptT | NoneT | ErrorT) else OptT(t)


def strip(t: Type) -> Type:
    """The type without `?`."""
    return t.item if type(t) is OptT else t


def placed(t: Type) -> str | None:
    """The zone or board that the type says a card lies on, also within lists and `?`."""
    if type(t) is CardT:
        return t.where
    return placed(t.item) if type(t) is ListT or type(t) is OptT else None


def unplaced(t: Type, lost: Callable[[CardT], bool] = lambda t: True) -> Type:
    """The type without what it says of where cards lie, for those that are `lost`; `t` itself if it says nothing."""
    if type(t) is CardT:
        return CardT(t.kind) if t.where is not None and lost(t) else t
    if type(t) is ListT or type(t) is OptT:
        less = unplaced(t.item, lost)
        return t if less is t.item else type(t)(less)
    return t
