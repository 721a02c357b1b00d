"""What a match's values and fields are, by their names in the .card files, and why. With full sight.

Arguments are Python values or text: a player as a seat, "me" (seat 0), "opponent" (seat 1) or "player 1"; an element as
an index, "lanes[2]" or "lanes 2"; a line as "row 0" or "column 2"; a card by its printed id if one such card is in the
match, else "plague#2" (the second made), or by its tag in `view(None)`; a member of an enum by its name; none as
None or "none".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from card_runtime import sight
from card_runtime.errors import InputError, nearest, quoted, shown, written
from card_runtime.grids import element_at, line_at
from card_runtime.library import GREATEST
from card_runtime.registry import add, keyable
from card_runtime.view import active, can_tell

if TYPE_CHECKING:
    from card_runtime.model import AbilityLine
    from card_runtime.state import State

PLAYERS = {"me": 0, "opponent": 1}
_PLAYER = re.compile(r"(?:player )?(\d+)|players\[(\d+)\]")
_SPACE = re.compile(r"(?:(\w+)[ \[])?(-?\d+), ?(-?\d+)\]?")
_ELEMENT = re.compile(r"(?:([a-z_][a-z0-9_]*) )?(\d+)|([a-z_][a-z0-9_]*)\[(\d+)\]")
_LINE = re.compile(r"(row|column) (\d+)")
_CARD = re.compile(r"#(\d+)|([a-z_][a-z0-9_]*(?:/\w+)?)(?:#(\d+))?")

LONGEST = 200
"""No argument has more letters."""

PLAYER: sight.Type = {"t": "player"}

Change: TypeAlias = tuple[Any, "AbilityLine", Any, Any]
"""What a modifier did: its bearer, its line, the value before and after."""


def _cut(word: str) -> str:
    return f'"{written(word)}"' if len(word) <= LONGEST else shown(word)


# ---- Cards by name


def card_word(m: State, card: int) -> str:
    """A card's printed id; with `#2`, `#3`, … by age of the cards if several such cards are in the match (`#1` too)."""
    same = [c for c, d in enumerate(m.d) if d == m.d[card]]
    name = sight.card_id(m, card)
    return name if len(same) == 1 else f"{name}#{same.index(card) + 1}"


def find_card(m: State, word: str) -> int:
    """The card that a word means. Raises InputError."""
    found = _CARD.fullmatch(word) if len(word) <= LONGEST else None
    if found is None:
        raise InputError(f'{_cut(word)} is no card: say its id ("plague"), "plague#2", or its tag ("#12")')
    number, name, nth = found.groups()
    if number is not None:
        if int(number) < len(m.d):
            return int(number)
        raise InputError(f'there is no card "{word}": the tags of this match are #0 to #{len(m.d) - 1}')
    same = [card for card in range(len(m.d)) if sight.card_id(m, card) == name]
    if not same:
        ids = sorted({sight.card_id(m, card) for card in range(len(m.d))})
        raise InputError(f'no card "{name}" is in the match; nearest: {quoted(nearest(name, ids))}')
    if nth is not None:
        if 1 <= int(nth) <= len(same):
            return same[int(nth) - 1]
        raise InputError(f'there is no card "{word}": the match has {name}#1 to {name}#{len(same)}')
    if len(same) > 1:
        raise InputError(f'"{name}" are {len(same)} cards: say {name}#1 to {name}#{len(same)}')
    return same[0]


# ---- Arguments


def argument(m: State, t: sight.Type, value: Any, what: str) -> Any:
    """An argument in the numbers of the state. `what` names it in errors. Raises InputError."""
    game = m.game
    kind = t["t"]
    if kind == "optional":
        return None if value in (None, "none") else argument(m, t["of"], value, what)
    if abs(value) > GREATEST if isinstance(value, int) else isinstance(value, str) and len(value) > LONGEST:
        raise InputError(f"{what} is {_wanted(game, t)}, not {shown(value)}")
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if kind == "bool" and str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    if kind == "int" and re.fullmatch(r"-?\d+", text):
        return int(text)
    if kind == "player":
        found = _PLAYER.fullmatch(text)
        seat = PLAYERS.get(text, -1) if found is None else int(found[1] or found[2])
        if 0 <= seat < game.players:
            return seat
    if kind == "element" and t["of"] in game.grids:
        if (at := _SPACE.fullmatch(text)) and at[1] in (None, t["of"], sight.named(game.model.boards, t["of"]).element):
            element = element_at(m, game.grids[t["of"]], int(at[2]), int(at[3]))
            if element is not None:
                return element
    elif kind == "element" and (found := _ELEMENT.fullmatch(text)):
        board = sight.named(game.model.boards, t["of"])
        index = int(found[2] or found[4])
        if (found[1] or found[3]) in (None, board.name, board.element) and index < (board.size or 1):
            return index
    if kind == "line" and (counted := _LINE.fullmatch(text)):
        line = line_at(m, game.grids[t["of"]], counted[1] == "row", int(counted[2]))
        if line is not None:
            return line
    if kind == "card" and isinstance(value, str):
        card = find_card(m, text)
        if sight.is_kind(game, sight.kind_of(m, card), t["of"]):
            if "in" in t and not _lies_in(m, card, t["in"]):
                raise InputError(f"{what} is {_wanted(game, t)} in {t['in']}, and {card_word(m, card)} lies elsewhere")
            return card
    if kind == "printed":
        for i, printed in enumerate(m.printed):
            if printed.id == text:
                return i
    if kind == "enum" and text in sight.members(game, t["of"]):
        return sight.members(game, t["of"]).index(text)
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        if kind == "list":
            return [argument(m, t["of"], item, what) for item in items]
        if kind == "set":
            return sum(1 << argument(m, t["of"], item, what) for item in set(items))
    raise InputError(f"{what} is {_wanted(game, t)}, not {shown(value)}")


def _lies_in(m: State, card: int, where: str) -> bool:
    """Whether a card lies in this zone or on this board."""
    at = m.at[card]
    place = m.game.places[at] if at >= 0 else None
    return place is not None and where in (place.zone, place.board)


def _wanted(game: Any, t: sight.Type) -> str:
    """A type in the words of an error, with examples."""
    match t["t"]:
        case "int":
            return "a number"
        case "bool":
            return "true or false"
        case "player":
            return f'a player (0 to {game.players - 1}, "me", "player 1")'
        case "element":
            if t["of"] in game.grids:
                return f'a space of {t["of"]} ("0,0" is the upper left one)'
            size = sight.named(game.model.boards, t["of"]).size or 1
            return f'an element of {t["of"]} (0 to {size - 1}, "{t["of"]}[0]")'
        case "line":
            return f'a row or column of {t["of"]} that there is now ("row 0", "column 0")'
        case "card" | "printed":
            return f"a card of kind {t['of']}"
        case "enum":
            return f"one of {quoted(sight.members(game, t['of']))}"
        case _:
            return f"a {t['t']}"


def _arguments(m: State, name: str, params: list[tuple[str, sight.Type]], args: tuple[Any, ...]) -> list[Any]:
    if len(args) != len(params):
        wanted = ", ".join(f"{p}: {_wanted(m.game, t)}" for p, t in params) or "no argument"
        raise InputError(f"{name} takes {len(params)} argument{'s' * (len(params) != 1)} ({wanted}), not {len(args)}")
    return [argument(m, t, arg, f"{p} of {name}") for (p, t), arg in zip(params, args, strict=True)]


# ---- get


def get(m: State, name: str, *args: Any) -> Any:
    """Read a value, state, option, field or place, as JSON: members by name, players as seats, elements as `lanes[2]`.

    Looks for a value of that name, then for what is not called: state, option, player field or zone (argument: the
    player), field or part of a board's element (element, then player), state or field of a card (card). A dot before
    the name (`.attack`) passes the values over. Cards are printed ids (`card_word`), places lists of them. Raises
    InputError."""
    game = m.game
    model = game.model
    word = _name(name).removeprefix(".")
    for value in model.values:
        if value.name == word and word == name:
            fn, m.steps = game.code[f"v_{name}"], 0
            return _json(m, value.type, fn(m, *_arguments(m, name, [(p.name, p.type) for p in value.params], args)))
    for prefix, decls in (("s", model.state), ("o", model.options)):
        for decl in decls:
            if decl.name == word:
                _arguments(m, name, [], args)
                return _json(m, decl.type, getattr(m, f"{prefix}_{word}"))
    for decl in model.player:
        if decl.name == word:
            (seat,) = _arguments(m, name, [("player", PLAYER)], args)
            return _json(m, decl.type, getattr(m, f"p_{word}")[seat])
    for zone in model.zones:
        if zone.name == word:
            (seat,) = (
                _arguments(m, name, [("player", PLAYER)], args) if zone.each else (*_arguments(m, name, [], args), 0)
            )
            return [card_word(m, card) for card in m.places[zone.first + seat]]
    found = _of_board(m, name, word, args) or _of_card(m, name, word, args)
    if found is None:
        raise InputError(f'the game has no "{written(name)}"; nearest: {quoted(nearest(word, _names(game)))}')
    return found[0]


def _name(name: Any) -> str:
    if not isinstance(name, str) or len(name) > LONGEST:
        raise InputError(f'what is read is told by its name in the .card files, as "power", not by {shown(name)}')
    return name


def _json(m: State, t: sight.Type, value: Any) -> Any:
    return sight.data(m, t, value, lambda card: card_word(m, card))


def _of_board(m: State, name: str, word: str, args: tuple[Any, ...]) -> tuple[Any] | None:
    """A field or a part of the elements of a board."""
    for board in m.game.model.boards:
        params = [] if board.size is None else [(board.element or "element", {"t": "element", "of": board.name})]
        for decl in board.fields:
            if decl.name == word:
                (index,) = _arguments(m, name, params, args) or [0]
                return (_json(m, decl.type, getattr(m, f"b_{board.name}·{word}")[index]),)
        for part in board.parts:
            if part.name == word:
                found = _arguments(m, name, params + ([("player", PLAYER)] if part.each else []), args)
                index = found[0] if params else 0
                place = index * m.game.players + found[-1] if part.each else index
                return ([card_word(m, card) for card in m.places[part.first + place]],)
    return None


def _of_card(m: State, name: str, word: str, args: tuple[Any, ...]) -> tuple[Any] | None:
    """A state, a printed field or a flag of a card."""
    having = [k for k in m.game.model.kinds if any(d.name == word for d in (*k.fields, *k.flags, *k.states))]
    if not having:
        return None
    if len(args) != 1 or not isinstance(args[0], str):
        raise InputError(f'{name} belongs to a card: give the card, as "plague" or "plague#2"')
    card = find_card(m, args[0])
    for kind in m.game.chains[sight.kind_of(m, card)]:
        for state in kind.states:
            if state.name == word:
                return (_json(m, state.type, sight.card_state(m, kind.name, word)[card]),)
        for field in kind.fields:
            if field.name == word:
                return (_json(m, field.type, getattr(m, f"D_{kind.name}·{word}")[m.d[card]]),)
        if any(flag.name == word for flag in kind.flags):
            return (bool(getattr(m, f"D_{kind.name}·{word}")[m.d[card]]),)
    raise InputError(f"{name} belongs to cards of {quoted(k.name for k in having)}, and {args[0]} is none")


def _names(game: Any) -> list[str]:
    model = game.model
    flat = [d.name for decls in (model.values, model.state, model.options, model.player, model.zones) for d in decls]
    flat += [d.name for board in model.boards for d in (*board.fields, *board.parts)]
    flat += [d.name for kind in model.kinds for d in (*kind.fields, *kind.flags, *kind.states)]
    return list(dict.fromkeys(flat))


# ---- why


def why(m: State, name: str, *args: Any) -> list[dict[str, Any]]:
    """How a value came about: its base, each modifier that was active, in order, and the range if it cut something off;
    the base of a value that no card of the game modifies lies in its range.

    A step is `{"what", "card", "file", "line", "op", "before", "after"}`: what is "base", a card's title or "range";
    `card` the bearer (`card_word`; None but for modifiers), `op` "base", "=", "+=", "-=", "*=" or "range"; `before` is
    None for the base. Raises InputError."""
    game = m.game
    value = next((v for v in game.model.values if v.name == _name(name)), None)
    if value is None and name in _names(game):
        raise InputError(f'"{name}" is not computed, so no steps lead to it: `get` reads it')
    if value is None:
        raise InputError(
            f'the game has no value "{written(name)}"; nearest: '
            f"{quoted(nearest(name, [v.name for v in game.model.values]))}"
        )
    given = _arguments(m, name, [(p.name, p.type) for p in value.params], args)
    c = m.clone()
    c.obs, c.steps = None, 0
    bases: list[Any] = []
    changes: list[Change] = []
    if f"v_{name}" in game.registries:
        _listen(c, f"v_{name}", given[0] if keyable(value.params) else None, bases, changes)
    result = game.code[f"v_{name}"](c, *given)

    def step(what: str, card: str | None, decl: Any, op: str, before: Any, after: Any) -> dict[str, Any]:
        return {
            "what": what,
            "card": card,
            "file": decl.file,
            "line": decl.line,
            "op": op,
            "before": None if op == "base" else _json(m, value.type, before),
            "after": _json(m, value.type, after),
        }

    x = bases[0] if bases else result
    steps = [step("base", None, value, "base", None, x)]
    for bearer, line, before, after in changes:
        card = card_word(m, bearer) if isinstance(bearer, int) else line.card
        steps.append(step(sight.source_title(m, line.card), card, line, line.op, before, after))
        x = after
    if x != result:
        steps.append(step("range", None, value, "range", x, result))
    return steps


def knows(m: State, seat: int, name: str, *args: Any) -> bool:
    """Whether a seat can tell a value of the game: whether nothing hidden from it is read. Raises InputError."""
    value = sight.named(m.game.model.values, name)
    return can_tell(m, seat, name, _arguments(m, name, [(p.name, p.type) for p in value.params], args))


def _listen(c: State, registry: str, key: Any, bases: list[Any], changes: list[Change]) -> None:
    """Let a registry tell what passes through it: the base to `bases`, what active entries do to `changes`."""

    def base(m: State, card: Any, x: Any, *args: Any) -> Any:
        bases.append(x)
        return x

    def told(fn: Callable[..., Any], line: AbilityLine) -> Callable[..., Any]:
        def listening(m: State, card: Any, x: Any, *args: Any) -> Any:
            after = fn(m, card, x, *args)
            if after != x or active(fn, m, card, args):
                changes.append((card, line, x, after))
            return after

        return listening

    heard = {
        at: tuple((key, card, told(fn, line), line) for key, card, fn, line in entries)
        for at, entries in getattr(c, registry).items()
    }
    first: Any = ((), -1, base, None)
    add(heard, first, key)
    setattr(c, registry, heard)
