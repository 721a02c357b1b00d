"""Who sees what, and what things are called before a seat.

Assumes a `State` as INTERNALS.md describes it and changes nothing. Everything that is shown to a seat (options, logs,
views) gets its names and its values from here, so that a secret has one place to be kept. A seat of None sees
everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from card_runtime.grids import shown, shown_line
from card_runtime.model import SEATS

if TYPE_CHECKING:
    from card_runtime.model import Place
    from card_runtime.state import State

Seat: TypeAlias = int | None
What: TypeAlias = tuple[Any, ...]
"""Of which field or state: `("player", field, seat)`, `("state", name)`, `("card", kind, state, card)` or
`("element", board, field, element)`."""
Type: TypeAlias = dict[str, Any]
"""A type as data.json writes it: `{"t": "int", "lo": 0, "hi": 8}`, `{"t": "optional", "of": …}`, …"""


# ---- Sight


EVERYBODY = (1 << SEATS) - 1
SEES_TOP, SEES_OWN = -1, -2
"""Of a place, instead of a mask of seats: all see its top card; who owns a card sees it."""


def lets_see(place: Place) -> int:
    """The seats that see a card that lies face up in a place, as a bit mask; or how to tell which they are."""
    match place.sight:
        case "all":
            return EVERYBODY
        case "owner":
            return SEES_OWN if place.seat is None else 1 << place.seat
        case "top":
            return SEES_TOP
        case _:
            return 0


def eyes(m: State, card: int) -> int:
    """The seats that see the face of `card` now, as a bit mask: its place and its face let them, or it was shown to
    them.

    A card that lies nowhere (`m.at` is negative) is seen by nobody."""
    shown = m.known.get(card, 0) if m.known else 0
    at = m.at[card]
    if at < 0:
        return shown
    lets: int = m.game.lets_see[at]
    if lets < 0:
        lets = _lets_see_card(m, card, lets)
    if m.up[card]:
        return shown | lets
    own = m.own[card]
    return shown if own is None else shown | lets & 1 << own


def _lets_see_card(m: State, card: int, how: int) -> int:
    """The seats that its place lets see `card` if it lies face up, where that does not follow from the place alone."""
    if how == SEES_TOP:
        return EVERYBODY if m.places[m.at[card]][-1] == card else 0
    own = m.own[card]
    return 0 if own is None else 1 << own


def sees(m: State, seat: Seat, card: int) -> bool:
    """Whether `seat` sees the face of `card` now."""
    return seat is None or eyes(m, card) >> seat & 1 == 1


def lies_open(m: State, card: int) -> bool:
    """Whether a card lies face up where all see it."""
    at = m.at[card]
    if at < 0 or not m.up[card]:
        return False
    lets: int = m.game.lets_see[at]
    return (_lets_see_card(m, card, lets) if lets < 0 else lets) == EVERYBODY


def tracked(m: State, card: int) -> bool:
    """Whether every seat can follow the card by eye where it lies, also face down: on boards."""
    at = m.at[card]
    return at >= 0 and bool(m.game.followed[at])


def sees_player(m: State, seat: Seat, decl: Any, player: int) -> bool:
    """Whether `seat` may know the field `decl` of `player`."""
    if not decl.secret or seat is None or seat == player:
        return True
    shown: list[int] = getattr(m, f"h_{decl.name}")
    return bool(shown[player] >> seat & 1)


def sees_state(m: State, seat: Seat, decl: Any, card: int) -> bool:
    """Whether `seat` may know the state `decl` of `card`: never if it does not see the card."""
    return sees(m, seat, card) and (not decl.secret or sees_secrets(m, seat, card))


def sees_secrets(m: State, seat: Seat, card: int) -> bool:
    """Whether `seat` may know the hidden states of a card that it sees: they are its owner's, until it is revealed."""
    return seat is None or seat == m.own[card] or m.known.get(card, 0) >> seat & 1 == 1


def declarations(model: Any) -> dict[What, Any]:
    """What declares each field and state, by what is the same of it for all seats, cards and elements."""
    return {
        **{("player", f.name): f for f in model.player},
        **{("state", s.name): s for s in model.state},
        **{("card", k.name, s.name): s for k in model.kinds for s in k.states},
        **{("element", b.name, f.name): f for b in model.boards for f in b.fields},
    }


def declared(m: State, what: What) -> Any:
    """The declaration of a field or state."""
    return m.game.declared[what if what[0] == "state" else what[:-1]]


def knows(m: State, seat: Seat, what: What, decl: Any) -> bool:
    """Whether `seat` may know the value of a field or state, which `decl` declares."""
    match what:
        case ("player", _, player):
            return sees_player(m, seat, decl, player)
        case ("card", _, _, card):
            return sees_state(m, seat, decl, card)
        case ("element", *_):
            return True
    return seat is None or not decl.secret


def card_state(m: State, kind: str, name: str) -> list[Any]:
    """A state of all cards; `kind` declares it."""
    values: list[Any] = getattr(m, f"c_{kind}·{name}")
    return values


# ---- Static tables


def named(items: Sequence[Any], name: str) -> Any:
    """The item of that name."""
    return next(item for item in items if item.name == name)


def kind_of(m: State, card: int) -> str:
    """The name of the card's kind."""
    return str(m.game.model.kinds[m.K[m.d[card]]].name)


def is_kind(game: Any, kind: str, base: str) -> bool:
    """Whether cards of `kind` are cards of `base`."""
    return base in game.ancestry[kind]


# ---- Names


def spaced(name: str) -> str:
    """A name of the language as it stands in a sentence."""
    return name.replace("_", " ")


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def card_id(m: State, card: int) -> str:
    """The printed id of a card, whoever sees it."""
    return str(m.printed[m.d[card]].id)


def title(m: State, card: int) -> str:
    """The printed title of a card, whoever sees it."""
    return str(m.printed[m.d[card]].title)


def source_title(m: State, printed: str) -> str:
    """The title of a printed card by its id; the id if the match has no such card."""
    return next((str(c.title) for c in m.printed if c.id == printed), printed)


def card_name(m: State, seat: Seat, card: int) -> str:
    """The card's title if the seat sees it, else "a hidden card"."""
    return title(m, card) if sees(m, seat, card) else "a hidden card"


def tag(m: State, seat: Seat, card: int) -> str | None:
    """The name by which `seat` can follow the card (`#12`), None where it cannot or nothing keeps such names.

    Full sight follows every card, by its number in the match."""
    if seat is None:
        return f"#{card}"
    found = None if m.obs is None else m.obs.tags.tag(seat, card)
    return None if found is None else f"#{found}"


def element_key(m: State, board: str, index: int) -> str:
    """How players call an element: `2`, and on a grid its column and row, `1,0` (relative to the outline where it
    floats)."""
    grid = m.game.grids.get(board)
    if grid is None:
        return str(index)
    x, y = shown(m, grid, index)
    return f"{x},{y}"


def line_name(m: State, board: str, line: int) -> str:
    """`row 1`, `column 0`, counted from the outline's first."""
    is_row, number = shown_line(m, m.game.grids[board], line)
    return f"{'row' if is_row else 'column'} {number}"


def element_name(m: State, board: str, index: int) -> str:
    """`lane 2`, `space 1,0`; the board's name where its elements have none."""
    decl = named(m.game.model.boards, board)
    return (
        f"the {spaced(board)}"
        if decl.size is None
        else f"{spaced(decl.element or board)} {element_key(m, board, index)}"
    )


def place_name(m: State, place: int) -> str:
    """`player 1's hand`, `the pile`, `lane 2`, `player 0's attack in the arena`."""
    return called(m, place)[0]


def place_data(m: State, place: int) -> dict[str, Any]:
    """`{"zone": "hand", "player": 1}`, `{"board": "lanes", "element": 2, "part": "units", "player": 0}`; to be read."""
    return called(m, place)[1]


def called(m: State, place: int) -> tuple[str, dict[str, Any]]:
    """The name and the data of a place; worked out once, but on grids, whose spaces change their names."""
    found: tuple[str, dict[str, Any]] | None = m.game.place_names.get(place)
    if found is None:
        found = _place_name(m, place), _place_data(m, place)
        if m.game.places[place].board not in m.game.grids:
            m.game.place_names[place] = found
    return found


def _place_name(m: State, place: int) -> str:
    p = m.game.places[place]
    if p.zone is not None:
        return f"the {spaced(p.zone)}" if p.seat is None else f"player {p.seat}'s {spaced(p.zone)}"
    assert p.board is not None and p.part is not None
    where = element_name(m, p.board, p.element or 0)
    if len(named(m.game.model.boards, p.board).parts) == 1:
        return where
    return f"the {spaced(p.part)} in {where}" if p.seat is None else f"player {p.seat}'s {spaced(p.part)} in {where}"


def _place_data(m: State, place: int) -> dict[str, Any]:
    p = m.game.places[place]
    data: dict[str, Any] = {"zone": p.zone} if p.zone is not None else {"board": p.board}
    if p.board is not None:
        if p.element is not None and named(m.game.model.boards, p.board).size is not None:
            grid = m.game.grids.get(p.board)
            data["element"] = p.element if grid is None else element_key(m, p.board, p.element)
        data["part"] = p.part
    if p.seat is not None:
        data["player"] = p.seat
    return data


# ---- Values


def members(game: Any, enum: str) -> Sequence[str]:
    found: Sequence[str] = named(game.model.enums, enum).members
    return found


def _set_members(m: State, t: Type, bits: int) -> list[str]:
    if t["of"]["t"] == "form":
        return [m.printed[i].id for i in range(bits.bit_length()) if bits >> i & 1]
    game = m.game
    return [name for i, name in enumerate(members(game, t["of"]["of"])) if bits >> i & 1]


def words(m: State, seat: Seat, t: Type, value: Any) -> str:
    """A value in a sentence, as far as `seat` sees it; no card that the seat does not see is named."""
    if value is None:
        return "none"
    match t["t"]:
        case "bool":
            return "true" if value else "false"
        case "enum":
            return spaced(members(m.game, t["of"])[value])
        case "player":
            return f"player {value}"
        case "card":
            return card_name(m, seat, value)
        case "printed" | "form":
            return str(m.printed[value].title)
        case "line":
            return line_name(m, t["of"], value)
        case "element":
            return element_name(m, t["of"], value)
        case "list":
            return ", ".join(words(m, seat, t["of"], v) for v in value) or "nothing"
        case "set":
            return ", ".join(spaced(name) for name in _set_members(m, t, value)) or "nothing"
        case "optional":
            return words(m, seat, t["of"], value)
        case _:
            return str(value)


def data(m: State, t: Type, value: Any, card: Callable[[int], Any]) -> Any:
    """A value as JSON: members by name, players as seats, elements as `lanes[2]`, cards as `card` says."""
    if value is None or t["t"] == "int":
        return value
    match t["t"]:
        case "bool":
            return bool(value)
        case "enum":
            return members(m.game, t["of"])[value]
        case "card":
            return card(value)
        case "printed" | "form":
            return m.printed[value].id
        case "line":
            return line_name(m, t["of"], value)
        case "element":
            return f"{t['of']}[{element_key(m, t['of'], value)}]"
        case "list":
            return [data(m, t["of"], v, card) for v in value]
        case "set":
            return _set_members(m, t, value)
        case "optional":
            return data(m, t["of"], value, card)
        case _:
            return value


def token(m: State, seat: Seat, t: Type, value: Any, name: str) -> str:
    """A picked value in the id of an option: one or two words without secrets, `-` for what was left out.

    `name` is the name of the pick, which stands for a true `bool`."""
    if value is None:
        return "-"
    match t["t"]:
        case "bool":
            return name if value else "-"
        case "enum":
            return str(members(m.game, t["of"])[value])
        case "player":
            return f"player {value}"
        case "card":
            return card_id(m, value) if sees(m, seat, value) else "hidden"
        case "printed":
            return str(m.printed[value].id)
        case "form":
            return f"{t['of']} {str(m.printed[value].id).split('/')[1]}"
        case "line":
            return line_name(m, t["of"], value)
        case "element":
            return f"{t['of']} {element_key(m, t['of'], value)}"
        case "list":
            return ",".join(token(m, seat, t["of"], v, name) for v in value) or "-"
        case "set":
            return ",".join(_set_members(m, t, value)) or "-"
        case "optional":
            return token(m, seat, t["of"], value, name)
        case _:
            return str(value)
