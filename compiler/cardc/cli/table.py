"""The table of a match, drawn for a terminal: from `Match.view` to lines of text, for any game.

Pure: nothing is read, printed or remembered. All text of the author is made safe here. Whose view it is sits at the
bottom, the other players above; what the view leaves out is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from cardc.display import clip, pad, safe, width, wrap

Style: TypeAlias = Literal["plain", "head", "you", "them", "dim"]
Line: TypeAlias = tuple[Style, str]
View: TypeAlias = Mapping[str, Any]
Type: TypeAlias = Mapping[str, Any]

_NARROWEST = 20
_GAP = " | "
_KEPT = "\uf8ff"
"""Stands for a space at which a line is not broken; no text of an author holds it (it is for private use)."""
_WIDEST_SPACE = 22
"""How many cells a space of a grid takes at most."""


class Painted(str):
    """A line whose `pieces` have styles of their own; together they are the line."""

    pieces: tuple[Line, ...]

    @staticmethod
    def of(pieces: Iterable[Line], columns: int) -> Painted:
        """Join pieces into a line of at most `columns` cells, without spaces at its end."""
        kept: list[Line] = []
        left = columns
        for style, text in pieces:
            text = clip(text, left, "")
            left -= width(text)
            kept.append((style, text))
        while kept and not kept[-1][1].rstrip():
            kept.pop()
        if kept:
            kept[-1] = (kept[-1][0], kept[-1][1].rstrip())
        line = Painted("".join(text for _, text in kept))
        line.pieces = tuple(kept)
        return line


class Shape(Struct, frozen=True):
    """What a game declares and a view does not tell: the titles of things and the types of values.

    `types` is by `player.damage`, `state.face`, `lanes.holder`, `unit.silenced`, `value.number`; `over` says of a value
    what it is of: `player`, a board's name, `card`, `player in lanes`, `line of land`, or `player in line of land`;
    `elements` names the elements of boards; `printed` holds what is printed on each card, its fields and flags;
    `aliases` says of a value that is another one, or a state, unless a card changes it which one that is, and `plain`
    of one that is a number then which number; `begins` which number a state is for
    every new card; `cards` holds the title and the kind of each card; `unshown` are values that are for bots."""

    title: str
    types: Mapping[str, Type] = field(default_factory=dict)
    over: Mapping[str, str] = field(default_factory=dict)
    elements: Mapping[str, str] = field(default_factory=dict)
    printed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    plain: Mapping[str, int] = field(default_factory=dict)
    begins: Mapping[str, int] = field(default_factory=dict)
    cards: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    unshown: frozenset[str] = frozenset()

    @staticmethod
    def of(model: Any) -> Shape:
        """Read the model of a loaded game."""
        types: dict[str, Type] = {f"player.{f.name}": f.type for f in model.player}
        types |= {f"state.{s.name}": s.type for s in model.state}
        types |= {f"{b.name}.{f.name}": f.type for b in model.boards for f in b.fields}
        begins: dict[str, int] = {}
        kinds = {kind.name: kind for kind in model.kinds}
        for kind in model.kinds:
            base = kind
            while base is not None:
                types |= {f"{kind.name}.{s.name}": s.type for s in (*base.fields, *base.states)}
                numbers = {s.name: getattr(s, "default", None) for s in base.states}
                begins |= {f"{kind.name}.{name}": number for name, number in numbers.items() if number is not None}
                base = kinds.get(base.base)
        types |= {f"value.{v.name}": v.type for v in model.values}
        over = {}
        for value in model.values:
            if len(value.params) == 1:
                t = value.params[0].type
                over[value.name] = _whole(t) if t["t"] in ("element", "line") else t["t"]
            elif [p.type["t"] for p in value.params].count("player") == 1 and len(value.params) == 2:
                t = next(p.type for p in value.params if p.type["t"] != "player")
                if t["t"] in ("element", "line"):
                    over[value.name] = f"player in {_whole(t)}"
        elements = {b.name: b.element or b.name for b in model.boards}
        printed = {card.id: {**card.fields, **dict.fromkeys(card.flags, True)} for card in model.cards}
        aliases = {v.alias: v.name for v in model.values if getattr(v, "alias", None) is not None}
        plain = {v.name: v.plain for v in model.values if getattr(v, "plain", None) is not None}
        unshown = frozenset(v.name for v in model.values if getattr(v, "bots", False))
        cards = {card.id: (str(card.title), str(card.kind)) for card in model.cards}
        return Shape(model.game.title, types, over, elements, printed, aliases, plain, begins, cards, unshown)


def draw(
    view: View, shape: Shape, columns: int = 80, players: Sequence[str] = (), boards_last: bool = False
) -> list[Line]:
    """Draw the whole table, `columns` cells wide. `players` says who plays each seat (`random`, `human`).

    `boards_last`: below all else, for a page so low that its top may be out of sight."""
    table = _Table(view, shape, columns, players)
    lines: list[Line] = [("head", table.heading())]
    seats = table.seats_from_above()
    for seat in seats[:-1]:
        lines += table.player(seat)
    lines += [] if boards_last else table.boards()
    lines += table.middle()
    for seat in seats[-1:]:
        lines += table.player(seat)
    lines += table.boards() if boards_last else []
    return [(style, text if isinstance(text, Painted) else text.rstrip()) for style, text in lines]


def printed_facts(view: View, shape: Shape, card: str) -> str:
    """What is printed on the card with this id."""
    return ", ".join(_Table(view, shape, 80, ()).printed_facts(card, shape.cards[card][1]))


def places(view: View) -> Iterator[Mapping[str, Any]]:
    """All places of a view, those of the boards first, in one order for all views of a match."""
    for board in view["boards"].values():
        for element in board["spaces"] if "spaces" in board else _each(board):
            for place in element["parts"].values():
                yield from _each(place)
    for zone in view["zones"].values():
        yield from _each(zone)


def spaced(name: str) -> str:
    """A name of the language as it stands in a sentence."""
    return safe(name.replace("_", " "))


class _Table:
    def __init__(self, view: View, shape: Shape, columns: int, players: Sequence[str]) -> None:
        self.view = view
        self.shape = shape
        self.columns = columns
        self.players = players
        self.names = {
            card["tag"]: str(card.get("name", "a hidden card"))
            for place in places(view)
            for card in place.get("cards", ())
            if card.get("tag") is not None
        }

    # ---- Words

    def who(self, seat: int) -> str:
        return "you" if seat == self.view["seat"] else f"player {seat}"

    def style_of(self, seat: int | None) -> Style:
        """The colour of a player's things: the one who looks has his own; where nobody does, the first seat has it."""
        if seat is None:
            return "plain"
        return "you" if seat == (self.view["seat"] or 0) else "them"

    def said(self, value: Any, t: Type | None) -> str:
        """A value, as far as its type is known; empty for what is not worth saying: none, false, nothing."""
        if value is None or value is False or value == []:
            return ""
        kind = t["t"] if t is not None else ""
        if t is not None and kind in ("optional", "list", "set"):
            if isinstance(value, list):
                said = [self.said(v, t["of"]) for v in value]
                return ", ".join(s or "no" for s in said) if any(said) else ""
            return self.said(value, t["of"])
        if kind == "player" and isinstance(value, int):
            return self.who(value)
        if kind == "card":
            return safe(self.names.get(value, "a hidden card"))
        if value is True:
            return "yes"
        if isinstance(value, list):
            return ", ".join(self.said(v, None) for v in value)
        return spaced(str(value)) if kind == "enum" else safe(str(value))

    def facts(self, owner: str, fields: Mapping[str, Any]) -> list[str]:
        """Each field that says something: `damage 1`, and `silenced` for what is true."""
        facts = []
        for name, value in fields.items():
            said = self.said(value, self.shape.types.get(f"{owner}.{name}"))
            if said:
                facts.append(spaced(name) if value is True else f"{spaced(name)} {said}")
        return facts

    def values(self, over: str, *keys: str) -> dict[str, Any]:
        """The values of a player, an element, a card or a player there that say something which the table does not show
        anyway."""
        shown = {}
        for name, known in self.view["values"].items():
            if self.shape.over.get(name) == over and self.tells(name):
                for key in keys:
                    known = known.get(key) if isinstance(known, dict) else None
                if known is not None and known != self.shape.plain.get(name):
                    shown[name] = known
        return self.without_twins(shown)

    def without_twins(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out each value that another one is the same as, where no card has made a difference."""
        aliases = self.shape.aliases
        return {
            name: value
            for name, value in values.items()
            if not (name in aliases and aliases[name] in values and values[aliases[name]] == value)
        }

    def tells(self, value: str) -> bool:
        """Whether a value belongs on the table: no permission, which the options show, nothing for bots, no list."""
        t = self.shape.types.get(f"value.{value}")
        return value not in self.shape.unshown and not self.lists(value) and (t is None or t["t"] != "bool")

    def lists(self, value: str) -> bool:
        """Whether a value is a list, of cards or places, which the table shows, or a table of numbers of the rules; or
        where something lies."""
        t = self.shape.types.get(f"value.{value}")
        return t is not None and t["t"] in ("list", "element", "line")

    def name(self, card: Mapping[str, Any]) -> str:
        return "a hidden card" if card.get("hidden") else safe(str(card["name"]))

    def card_facts(self, card: Mapping[str, Any]) -> list[str]:
        if card.get("hidden"):
            return []
        kind = str(card["kind"])
        values = self.values("card", str(card.get("tag")))
        values = {name: v for name, v in values.items() if not self.itself(name, v, card)}
        facts = self.facts("value", {**self.unknown(card), **values})
        state, begins = card.get("state", {}), self.shape.begins
        facts += self.facts(kind, {name: v for name, v in state.items() if begins.get(f"{kind}.{name}", ...) != v})
        facts = list(dict.fromkeys(facts))  # a value and a state may be called alike
        if not card.get("face_up", True):
            facts.append("face down")
        return facts

    def unknown(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """What is printed on a card where rules work out what it is now, and who looks cannot know that."""
        printed = self.shape.printed.get(str(card.get("card")), {})
        known, tag = self.view["values"], str(card.get("tag"))
        return {
            name: value
            for name, value in printed.items()
            if self.shape.over.get(name) == "card" and self.tells(name) and tag not in (known.get(name) or ())
        }

    def itself(self, value: str, of: Any, card: Mapping[str, Any]) -> bool:
        """Whether a value of a card is that card."""
        t = self.shape.types.get(f"value.{value}")
        while t is not None and t["t"] == "optional":
            t = t["of"]
        return t is not None and t["t"] == "card" and of == card.get("tag")

    def card(self, card: Mapping[str, Any]) -> str:
        facts = self.card_facts(card)
        return f"{self.name(card)} ({', '.join(facts)})" if facts else self.name(card)

    def printed_facts(self, card: str, kind: str) -> list[str]:
        fields = self.shape.printed.get(card, {})
        return self.facts(kind, {name: value for name, value in fields.items() if value != 0})

    def printed(self, card: Mapping[str, Any]) -> str:
        """A card with what is printed on it: numbers that are not 0, flags."""
        facts = self.printed_facts(str(card.get("card")), str(card.get("kind")))
        return f"{self.name(card)} ({', '.join(facts)})" if facts else self.name(card)

    def place(self, place: Mapping[str, Any], printed: bool = False) -> list[str]:
        """Its cards as far as they are seen, and how many there are beside them."""
        cards = place.get("cards", [])
        names = _counted(self.printed(card) if printed else self.card(card) for card in cards)
        unseen = place["count"] - len(cards)
        if unseen:
            names.append(f"{unseen} card{'s' * (unseen > 1)}" if not names else f"{unseen} more")
        return names or ["none"]

    # ---- Parts of the table

    def heading(self) -> str:
        parts = [safe(self.shape.title)]
        parts += [
            f"{spaced(name)} {number}" for name, number in self.view["periods"].items() if name != "match" and number
        ]
        turn = self.view["turn"]
        if turn is not None:
            parts.append("your turn" if turn == self.view["seat"] else f"player {turn}'s turn")
        return clip("  ".join(parts), self.columns)

    def seats_from_above(self) -> list[int]:
        """The others first, beginning after the one who looks, who comes last."""
        seats = [player["seat"] for player in self.view["players"]]
        at = self.view["seat"]
        return seats if at is None else [s for s in seats if s != at] + [at]

    def player(self, seat: int) -> list[Line]:
        style = self.style_of(seat)
        fields = next(p["fields"] for p in self.view["players"] if p["seat"] == seat)
        title = self.who(seat)
        if seat < len(self.players) and seat != self.view["seat"]:
            title += f" ({safe(self.players[seat])})"
        facts = self.facts("player", fields) + self.facts("value", self.values("player", str(seat)))
        lines: list[Line] = [(style, line) for line in self._wrapped(title.capitalize() + ": ", facts)]
        zones = {name: zone[seat] for name, zone in self.view["zones"].items() if isinstance(zone, list)}
        counted = [f"{spaced(n)} {place['count']}" for n, place in zones.items() if not place.get("cards")]
        for name, place in zones.items():
            if place.get("cards"):
                held = self.place(place, printed=seat == self.view["seat"])
                lines += [(style, line) for line in self._held(f"  {spaced(name)}: ", held)]
        if counted:
            lines += [("dim", line) for line in self._wrapped("  ", counted)]
        return lines

    def middle(self) -> list[Line]:
        """What belongs to nobody: the match's own state, values and shared zones."""
        values = {
            name: value
            for name, value in self.view["values"].items()
            if name not in self.shape.over and not isinstance(value, dict) and self.tells(name)
            if value != self.shape.plain.get(name)
        }
        twins = {of for of, name in self.shape.aliases.items() if values.get(name) == self.view["state"].get(of)}
        facts = self.facts("state", {name: v for name, v in self.view["state"].items() if name not in twins})
        facts += self.facts("value", self.without_twins(values))
        zones = {name: zone for name, zone in self.view["zones"].items() if not isinstance(zone, list)}
        facts += [f"{spaced(name)} {zone['count']}" for name, zone in zones.items() if not zone.get("cards")]
        lines: list[Line] = [("plain", line) for line in self._wrapped("", facts)] if facts else []
        for name, zone in zones.items():
            if zone.get("cards"):
                lines += [("plain", line) for line in self._held(f"{spaced(name)}: ", self.place(zone))]
        return lines

    def boards(self) -> list[Line]:
        lines: list[Line] = []
        for name, board in self.view["boards"].items():
            rule: Line = ("dim", "-" * self.columns)
            if "spaces" in board:
                lines += [rule, *self._grid(name, board)]
                continue
            elements = _each(board)
            if len(elements) == 1:
                lines.append(rule)
                for style, part in self._element(name, elements[0], None):
                    lines += [(style, line) for text in part for line in _indented(text, self.columns)]
                continue
            across = max(min((self.columns + len(_GAP)) // (_NARROWEST + len(_GAP)), len(elements)), 1)
            across = -(-len(elements) // -(-len(elements) // across))  # As even rows as there can be.
            for first in range(0, len(elements), across):
                lines.append(rule)
                row = range(first, min(first + across, len(elements)))
                lines += self._row(name, [(i, elements[i]) for i in row])
        return [*lines, ("dim", "-" * self.columns)] if lines else []

    def _row(self, board: str, elements: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Line]:
        """Elements side by side, their parts at one height."""
        room = (self.columns + len(_GAP)) // len(elements) - len(_GAP)
        cells = [
            [
                (style, [line for text in part for line in _indented(text, room)])
                for style, part in self._element(board, element, index)
            ]
            for index, element in elements
        ]
        lines: list[Line] = []
        for parts in zip(*cells, strict=True):
            for i in range(max(len(part) for _, part in parts)):
                pieces: list[Line] = []
                for style, part in parts:
                    pieces += [("dim", _GAP)] * bool(pieces)
                    pieces.append((style, pad(part[i] if i < len(part) else "", room)))
                lines.append(("plain", Painted.of(pieces, self.columns)))
        return lines

    def _element(self, board: str, element: Mapping[str, Any], index: int | None) -> list[tuple[Style, list[str]]]:
        """An element in parts, each a list of lines; all elements of a board have the same parts."""
        element_name = spaced(self.shape.elements.get(board, board))
        facts = self.facts(board, element["fields"])
        facts += self.facts("value", self.values(board, str(index or 0)))
        head = [element_name if index is None else f"{element_name} {index}"]
        head += wrap(", ".join(facts), self.columns) if index is None and facts else facts
        parts: list[tuple[Style, list[str]]] = [("plain", head)]
        named = len(element["parts"]) > 1
        told: set[int] = set()
        for seat in self.seats_from_above():
            for name, place in element["parts"].items():
                if isinstance(place, list):
                    title = f"{self.who(seat)}, {spaced(name)}:" if named else f"{self.who(seat)}:"
                    if seat not in told:
                        facts = self.facts("value", self.values(f"player in {board}", str(seat), str(index or 0)))
                        title += f" {', '.join(facts)}" if facts else ""
                        told.add(seat)
                    parts.append((self.style_of(seat), [title, *self._listed(place[seat])]))
        for name, place in element["parts"].items():
            if not isinstance(place, list):
                parts.append(("plain", [f"{spaced(name)}:", *self._listed(place)]))
        return parts

    # ---- Grids

    def _grid(self, name: str, board: Mapping[str, Any]) -> list[Line]:
        """A grid as a board: its outline, with the columns and rows numbered as options name them."""
        across = board["width"]
        if not board["spaces"]:
            return [("plain", f"{spaced(name)}: empty")]
        label = len(str(board["height"] - 1)) + 1
        room = max(min((self.columns - label - 1) // across - 3, _WIDEST_SPACE), 4)
        rule: Line = ("dim", " " * label + f"+{'-' * (room + 2)}" * across + "+")
        numbers = "".join(f"  {pad(str(x), room)} " for x in range(across))
        lines: list[Line] = [("plain", spaced(name)), ("dim", " " * label + numbers), rule]
        for y in range(board["height"]):
            cells = [self._space(name, space, room) for space in board["spaces"] if space["y"] == y]
            for i in range(max(map(len, cells))):
                pieces: list[Line] = [("dim", pad(str(y) if i == 0 else "", label))]
                for cell in cells:
                    style, text = cell[i] if i < len(cell) else ("plain", "")
                    pieces += [("dim", "| "), (style, pad(clip(text, room), room + 1))]
                lines.append(("plain", Painted.of([*pieces, ("dim", "|")], self.columns)))
            lines.append(self._below(rule[1], label, self._along(name, f"row {y}")))
        for key in (f"column {x}" for x in range(across)):
            if told := self._along(name, key):
                text = f"{key}: {''.join(piece for _, piece in told)}"
                if width(text) > self.columns:
                    lines += [("plain", line) for line in self._wrapped("", text.split(", "))]
                else:
                    lines.append(("plain", Painted.of([("plain", f"{key}: "), *told], self.columns)))
        return lines

    def _below(self, rule: str, label: int, told: Sequence[Line]) -> Line:
        """The rule below a row, with what is told of the row: beyond the rule, too, as far as the page goes."""
        if not told:
            return ("dim", rule)
        size = width("".join(text for _, text in told))
        room = self.columns - label - 3
        if size > room:
            told, size = [("plain", clip("".join(text for _, text in told), room))], room
        behind = len(rule) - (label + 4 + size)
        rest = f" {'-' * (behind - 1)}+" if behind > 0 else ""
        return ("plain", Painted.of([("dim", rule[:label] + "+- "), *told, ("dim", rest)], self.columns))

    def _along(self, board: str, line: str) -> list[Line]:
        """What the values of a row or column tell, those of players first; nothing where all are 0 or none."""
        found: list[tuple[Style, str, Mapping[str, Any]]] = [
            (self.style_of(seat), self.who(seat) + " ", self.values(f"player in line of {board}", str(seat), line))
            for seat in self.seats_from_above()
        ]
        found.append(("plain", "", self.values(f"line of {board}", line)))
        if not any(value for *_, values in found for value in values.values()):
            return []
        pieces: list[Line] = []
        for style, who, values in found:
            if facts := self.facts("value", values):
                if pieces:
                    pieces.append(("plain", "; "))
                pieces.append((style, who + ", ".join(facts)))
        return pieces

    def _space(self, board: str, space: Mapping[str, Any], room: int) -> list[Line]:
        """What lies on a space: of each part its topmost card in full and the names of others; its column and row
        where nothing lies."""
        key = f"{space['x']},{space['y']}"
        lines: list[Line] = []
        for name, parts in space["parts"].items():
            for place in _each(parts):
                if place["count"] and len(space["parts"]) > 1:
                    lines.append(("dim", f"{spaced(name)}:"))
                lines += self._pile(place, room)
        if not lines:
            lines.append(("dim", key))
        facts = self.facts(board, space["fields"]) + self.facts("value", self.values(board, key))
        return lines + [("plain", line) for line in _in_lines(facts, room)]

    def _pile(self, place: Mapping[str, Any], room: int) -> list[Line]:
        cards = place.get("cards", [])
        unseen = place["count"] - len(cards)
        lines: list[Line] = []
        if cards:
            top = cards[-1]
            style = self.style_of(top.get("owner"))
            owner = [self.who(top["owner"])] if top.get("owner") is not None else []
            lines += [(style, line) for line in wrap(self.name(top), room)]
            lines += [(style, line) for line in _in_lines(owner + self.card_facts(top), room)]
        others = _counted(map(self.name, cards[-2::-1])) + [f"{unseen} card{'s' * (unseen > 1)}"] * bool(unseen)
        if others:
            lines += [("dim", line) for line in wrap("+ " + ", ".join(others), room)]
        return lines

    def _listed(self, place: Mapping[str, Any]) -> list[str]:
        cards = place.get("cards", [])
        lines = [f"  {card}" for card in _counted(map(self.card, cards))]
        unseen = place["count"] - len(cards)
        return [*lines, f"  {unseen} card{'s' * (unseen > 1)}"] if unseen else lines or ["  -"]

    def _held(self, title: str, cards: Sequence[str]) -> list[str]:
        """Cards of a place, one after the other; each in lines of its own where much is printed on them."""
        if len(cards) < 2 or sum(map(width, cards)) <= len(cards) * self.columns // 2:
            return self._wrapped(title, cards)
        inner = " " * (len(title) - len(title.lstrip()) + 2)
        room = self.columns - len(inner)
        lines = [title.rstrip()]
        for card in cards:
            first, *rest = wrap(card, room, room - 4)
            lines += [inner + first, *(f"{inner}    {more}" for more in rest)]
        return lines

    def _wrapped(self, title: str, parts: Sequence[str]) -> list[str]:
        """A title and parts, in lines; the second and later ones stand further in. A part is broken only where it does
        not fit alone."""
        bare = title.lstrip(" ")
        outer = " " * (len(title) - len(bare))
        room = self.columns - len(outer)
        kept = [part.replace(" ", _KEPT) if width(part) < room - 4 else part for part in parts]
        first, *rest = [clip(line, room) for line in wrap(f"{bare}{', '.join(kept)}", room, room - 4)]
        return [(outer + first).replace(_KEPT, " "), *(f"{outer}    {line}".replace(_KEPT, " ") for line in rest)]


def _counted(cards: Iterable[str]) -> list[str]:
    """Cards in their order; of those in a row that look alike, how many there are."""
    runs = [(card, len([*same])) for card, same in groupby(cards)]
    return [f"{n} \u00d7 {card}" if n > 1 else card for card, n in runs]


def _whole(t: Type) -> str:
    """What a value of an element or a line is of."""
    return f"line of {t['of']}" if t["t"] == "line" else str(t["of"])


def _each(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else [thing]


def _in_lines(facts: Sequence[str], room: int) -> list[str]:
    """Facts in lines of `room` cells, a line broken within a fact only where it does not fit alone."""
    lines: list[str] = []
    for fact in facts:
        joined = f"{lines[-1]}, {fact}" if lines else fact
        if lines and width(joined) <= room:
            lines[-1] = joined
        else:
            lines += wrap(fact, room)
    return lines


def _indented(text: str, room: int) -> list[str]:
    """A line in a column of `room` cells; what does not fit goes on below it, further in."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    first, *rest = wrap(text.lstrip(" "), room - len(indent), room - len(indent) - 2)
    return [clip(indent + first, room), *(clip(f"{indent}  {line}", room) for line in rest)]
