"""`why` at the table: how a number that is shown came about, as far as the one who asks can know it.

Knows the match only through the public API of `card_runtime`. The real match is never asked for what may be hidden:
where several guesses at the hidden cards agree, nothing hidden took part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from cardc.cli.course import as_seen
from cardc.cli.table import places, spaced

_GUESSES = 24
"""How many guesses at the hidden cards must agree. They know no more than the seat: too few would tell no secret, but
tell as sure what is not."""
_MOST = 6
"""How many things are told of at once where it was not said which is meant."""
_FILLERS = frozenset({"of", "in", "for", "at", "on", "the", "and", "is", "to"})
_MINE = frozenset({"me", "you", "my", "your", "i", "mine"})
_THEIRS = frozenset({"opponent", "them", "they", "his", "her", "their"})

Text: TypeAlias = Callable[[str, int], str | None]
"""The text of a line of a .card file, None where it is not at hand."""


class Unclear(Exception):
    """What was asked is not understood; the text says why."""


class Seen(Struct, frozen=True):
    """A card that the seat sees: its id, title and kind, the zone or board where it lies, its tags in the seat's view
    and in a whole view."""

    id: str
    title: str
    kind: str
    where: str
    mine: str | None
    tag: str
    state: Mapping[str, Any]


class Arg(Struct, frozen=True):
    """What a word means: for the runtime, and as it is told again."""

    value: Any
    said: str


class Why:
    """Answers `why` in one match. `text` gives lines of the sources."""

    def __init__(self, match: Any, text: Text = lambda file, line: None) -> None:
        self.match = match
        self.game = match.state.game
        self.model = self.game.model
        self.text = text
        self.elements = {b.name: b.element or b.name for b in self.model.boards}

    def __call__(self, asked: str, seat: int) -> list[str]:
        """The answer, in lines."""
        try:
            return self._answer(asked, seat)
        except Unclear as error:
            return [str(error)]

    def _answer(self, asked: str, seat: int) -> list[str]:
        words = re.sub(r"[(),\[\]]", " ", asked).replace("'s ", " ").split()
        if not words:
            return [f"Say what, for example: {self.example()}", *self._askable()]
        names = {name.lower(): name for name in self._names()}
        for count in range(len(words), 0, -1):
            name = names.get("_".join(words[:count]).lower())
            if name is not None:
                return self._about(name, words[count:], seat)
        from card_runtime.errors import nearest

        asked = " ".join(words).lower()
        card = next((c for c in self.model.cards if asked in (c.id.lower().replace("_", " "), *_called(c.title))), None)
        if card is not None:
            raise Unclear(f"Say what of it, such as: {self.example().replace('NAME', asked)}; card {asked} shows it.")
        near = ", ".join(spaced(names[n]) for n in nearest("_".join(words).lower(), list(names)))
        raise Unclear(f"Nothing here is called {words[0]}; near are {near} (why: all of them).")

    def _about(self, name: str, words: list[str], seat: int) -> list[str]:
        """The first thing of that name to which the other words fit."""
        refused: Unclear | None = None
        cards = list(self._seen(self.match, seat))
        for tell in (self._value, self._kept, self._of_element, self._of_card, self._rest):
            try:
                if (lines := tell(name, words, seat, cards)) is not None:
                    return lines
            except Unclear as error:
                refused = refused or error
        raise refused or Unclear(f"{spaced(name)} says nothing about that.")

    def example(self) -> str:
        """Something that can be asked in this game."""
        said = {"player": "me", "element": "0", "card": "NAME"}
        for kind in ("element", "player", "card"):
            for value in self.model.values:
                if len(value.params) == 1 and value.params[0].type["t"] == kind and not value.bots:
                    t = value.params[0].type
                    if kind == "element":
                        where = spaced(self.elements[t["of"]])
                        return f"why {spaced(value.name)} {where} {'0,0' if t['of'] in self.game.grids else '0'}"
                    return f"why {spaced(value.name)} {said[kind]}"
        return next((f"why {spaced(name)}" for name in self._names()), "why")

    # ---- Names

    def _names(self) -> Iterator[str]:
        model = self.model
        for decls in (model.values, model.player, model.state, model.options, model.zones):
            yield from (d.name for d in decls)
        for board in model.boards:
            yield from (f.name for f in board.fields)
        for kind in model.kinds:
            yield from (d.name for d in (*kind.fields, *kind.flags, *kind.states))
        yield from (p for p in model.periods if p != "match")

    def _askable(self) -> list[str]:
        names = [spaced(name) for name in dict.fromkeys(self._names()) if not name.startswith("_")]
        return [f"There are {', '.join(names)}."]

    # ---- What words mean

    def _seen(self, match: Any, seat: int) -> Iterator[Seen]:
        """The cards that the seat sees, in the order of the table, with their tags in a whole view of `match`."""
        mine, whole = match.view(seat), match.view(None)
        homes = self._homes(mine)
        for where, place, same in zip(homes, places(mine), places(whole), strict=True):
            cards = place.get("cards", ())
            if len(cards) != place["count"]:
                continue
            for card, known in zip(cards, same.get("cards", ()), strict=True):
                if "card" in card:
                    yield Seen(
                        card["card"], str(card["name"]), card["kind"], where, card.get("tag"), known["tag"],
                        card.get("state", {}),
                    )  # fmt: skip

    @staticmethod
    def _homes(view: Mapping[str, Any]) -> list[str]:
        """The zone or board of each of `places(view)`."""
        homes: list[str] = []
        for group in ("boards", "zones"):
            for name, thing in view[group].items():
                alone = {"boards": {}, "zones": {}} | {group: {name: thing}}
                homes += [name] * sum(1 for _ in places(alone))
        return homes

    def _read(self, params: Sequence[Any], words: Sequence[str], seat: int, cards: Sequence[Seen]) -> list[list[Arg]]:
        """All arguments that the words may mean; what they leave out stands for all there is. Raises Unclear."""
        left = list(words)
        found: list[list[Arg] | None] = [None] * len(params)
        for bare in (False, True):
            for i, param in enumerate(params):
                if found[i] is None:
                    found[i] = self._take(param.type, left, seat, cards, bare)
        while left and left[0].lower() in _FILLERS:
            left.pop(0)
        if any(word.lower() not in _FILLERS for word in left):
            name = " ".join(left).lower()
            unseen = next((c.title for c in self.model.cards if name in (c.id.lower(), *_called(c.title))), None)
            if unseen is not None:
                where = next((f" in {spaced(p.type['in'])}" for p in params if "in" in p.type), "")
                raise Unclear(f"You see no card called {unseen}{where}.")
            wanted = " and ".join(self._wanted(p.type) for p in params) or "nothing more"
            raise Unclear(f"What is {' '.join(left)}? Say {wanted}.")
        read: list[list[Arg]] = [[]]
        for param, args in zip(params, found, strict=True):
            possible = self._all(param.type, seat, cards) if args is None else args
            if not possible:
                raise Unclear(f"Say {self._wanted(param.type)}: there is none on the table.")
            read = [[*before, arg] for before in read for arg in possible]
        if len(read) > _MOST:
            raise Unclear(f"Say which: {' and '.join(self._wanted(p.type) for p in params)}.")
        return read

    def _wanted(self, t: Mapping[str, Any]) -> str:
        match t["t"]:
            case "optional":
                return self._wanted(t["of"])
            case "player":
                return "a player (me, opponent)"
            case "element":
                name = self.elements[t["of"]]
                return f"a {spaced(name)} ({spaced(name)} {'0,0' if t['of'] in self.game.grids else '0'})"
            case "line":
                return "a line (row 0, column 0)"
            case "card":
                return f"a card by its name{' in ' + spaced(t['in']) if 'in' in t else ''}"
            case "int":
                return "a number"
            case _:
                return f"a {t['t']}"

    def _take(
        self, t: Mapping[str, Any], words: list[str], seat: int, cards: Sequence[Seen], bare: bool
    ) -> list[Arg] | None:
        """Take the words that say such an argument out of `words`; `bare`: a number alone is one."""
        for at in range(len(words)):
            for length in range(len(words) - at, 0, -1):
                args = self._meant(t, [w.lower() for w in words[at : at + length]], seat, cards, bare)
                if args:
                    del words[at : at + length]
                    return args
        return None

    def _meant(
        self, t: Mapping[str, Any], words: Sequence[str], seat: int, cards: Sequence[Seen], bare: bool
    ) -> list[Arg] | None:
        numbers = [w for w in words if re.fullmatch(r"-?\d+", w, re.ASCII)]
        first, rest = words[0], list(words[1:])
        match t["t"]:
            case "optional":
                return self._meant(t["of"], words, seat, cards, bare)
            case "player":
                if not rest and first in _MINE:
                    return [self._player(seat, seat)]
                if not rest and first in _THEIRS:
                    return [self._player(1 - seat, seat)]
                named = rest if first in ("player", "players") else list(words) if bare else []
                if len(named) == 1 and named[0] in [str(s) for s in range(self.game.players)]:
                    return [self._player(int(named[0]), seat)]
            case "element":
                names = {t["of"], self.elements[t["of"]]}
                named = rest if first in names else list(words) if bare else []
                size = 2 if t["of"] in self.game.grids else 1
                if named and named == numbers and len(named) == size:
                    key = ",".join(named)
                    board = next(b for b in self.model.boards if b.name == t["of"])
                    if size == 2 or 0 <= int(key) < (board.size or 1):
                        return [Arg(key, f"{spaced(self.elements[t['of']])} {key}")]
            case "line":
                if first in ("row", "column") and rest and rest == numbers[:1]:
                    return [Arg(f"{first} {rest[0]}", f"{first} {rest[0]}")]
            case "card":
                return self._cards(t, words, cards)
            case "int" if bare and not rest and re.fullmatch(r"-?\d+", first):
                return [Arg(int(first), first)]
            case "enum" if not rest:
                members = next(e.members for e in self.model.enums if e.name == t["of"])
                return [Arg(first, first)] if first in members else None
        return None

    @staticmethod
    def _player(player: int, seat: int) -> Arg:
        return Arg(player, "you" if player == seat else f"player {player}")

    @staticmethod
    def _whose(player: int, seat: int) -> str:
        return "your" if player == seat else f"player {player}'s"

    def _cards(self, t: Mapping[str, Any], words: Sequence[str], cards: Sequence[Seen]) -> list[Arg] | None:
        """Cards by id or title, with `#2` or `2` where several are called alike."""
        name, _, number = " ".join(words).partition("#")
        name = name.strip()
        fitting = [c for c in self._of(t, cards) if name in (c.id.lower(), *_called(c.title))]
        if not fitting and not number and len(words) > 1 and words[-1].isdigit():
            return self._cards(t, [*words[:-1], f"#{words[-1]}"], cards)
        if number:
            fitting = fitting[int(number) - 1 : int(number)] if number.isascii() and number.isdigit() else []
        return [Arg(c, c.title) for c in fitting] or None

    def _of(self, t: Mapping[str, Any], cards: Sequence[Seen]) -> list[Seen]:
        return [c for c in cards if t.get("in", c.where) == c.where and t["of"] in self.game.ancestry[c.kind]]

    def _all(self, t: Mapping[str, Any], seat: int, cards: Sequence[Seen]) -> list[Arg]:
        match t["t"]:
            case "player":
                return [self._player(p, seat) for p in range(self.game.players)]
            case "element" if t["of"] not in self.game.grids:
                board = next(b for b in self.model.boards if b.name == t["of"])
                return [Arg(str(i), f"{spaced(self.elements[t['of']])} {i}") for i in range(board.size or 1)]
            case "element":
                keys = [f"{s['x']},{s['y']}" for s in self.match.view(seat)["boards"][t["of"]]["spaces"]]
                return [Arg(key, f"{spaced(self.elements[t['of']])} {key}") for key in keys]
            case "line":
                grid = self.match.view(seat)["boards"][t["of"]]
                keys = [f"row {y}" for y in range(grid["height"])] + [f"column {x}" for x in range(grid["width"])]
                return [Arg(key, key) for key in keys]
            case "card":
                return [Arg(c, c.title) for c in self._of(t, cards)]
            case _:
                return []

    # ---- Values

    def _value(self, name: str, words: Sequence[str], seat: int, cards: Sequence[Seen]) -> list[str] | None:
        decl = next((v for v in self.model.values if v.name == name), None)
        if decl is None:
            return None
        lines: list[str] = []
        for args in self._read(decl.params, words, seat, cards):
            lines += self._told(decl, args, seat)
        return lines

    def _told(self, decl: Any, args: Sequence[Arg], seat: int) -> list[str]:
        """How a value came about, where nothing hidden is read and all guesses agree."""
        import card_runtime as rt
        from card_runtime.query import knows

        name = decl.name
        said = [arg.said for arg in args]
        call = f"{spaced(name)} ({', '.join(said)})" if said else spaced(name)
        here = [a.value.tag if isinstance(a.value, Seen) else a.value for a in args]
        try:
            if not knows(self.match.state, seat, name, *here):
                return [f"{call}: that depends on what you cannot see."]
        except rt.InputError as error:
            return [f"{error}."]
        told = set()
        for seed in range(_GUESSES):
            guess = self.match.determinise(seat, seed=seed)
            again = {c.mine: c.tag for c in self._seen(guess, seat)}
            try:
                given = [again[a.value.mine] if isinstance(a.value, Seen) else a.value for a in args]
                told.add(tuple(self._steps(call, guess.why(name, *given), decl.type, seat)))
            except (rt.InputError, KeyError) as error:
                told.add((f"{error}.",))
            if len(told) > 1:
                break
        return list(told.pop()) if len(told) == 1 else [f"{call}: that depends on what you cannot see."]

    def _steps(self, call: str, steps: Sequence[Mapping[str, Any]], t: Mapping[str, Any], seat: int) -> list[str]:
        """The steps of a value, a line each: what it was after it, by what, and where that is written."""
        titles = {card.id: str(card.title) for card in self.model.cards}

        def title(word: str) -> str:
            return titles.get(word.split("#")[0], word)

        words = [self._said(step["after"], t, seat, title) for step in steps]
        lines = [f"{call} is {words[-1]}"]
        for step, word in zip(steps, words, strict=True):
            line = f"  {word:>6}  {'in the rules' if step['op'] == 'base' else step['what']}"
            if step["op"] == "range":
                line = f"  {word:>6}  as far as its range goes"
            line += f", {step['file']}:{step['line']}"
            text = None if step["op"] == "range" else self.text(step["file"], step["line"])
            lines.append(f"{line}: {text}" if text else line)
        return lines

    # ---- What is kept, printed or counted

    def _kept(self, name: str, words: Sequence[str], seat: int, cards: Sequence[Seen]) -> list[str] | None:
        """Fields of players, state of the match, options."""
        view = self.match.view(seat)
        if any(f.name == name for f in self.model.player):
            lines = []
            for (arg,) in self._read([_Param({"t": "player"})], words, seat, cards):
                fields = view["players"][arg.value]["fields"]
                whose = self._whose(arg.value, seat)
                if name not in fields:
                    lines.append(f"You cannot see {whose} {spaced(name)}")
                else:
                    t = next(f.type for f in self.model.player if f.name == name)
                    value = self._said(fields[name], t, seat)
                    lines += self._set(f"{whose} {spaced(name)}", value, name, {"player": arg.value}, seat)
            return lines
        if name in view["state"]:
            self._read([], words, seat, cards)
            t = next(s.type for s in self.model.state if s.name == name)
            return self._set(spaced(name), self._said(view["state"][name], t, seat), name, {}, seat)
        option = next((o for o in self.model.options if o.name == name), None)
        if option is None:
            return None
        return [f"{spaced(name)} is {said(view['options'][name])}: an option of this match. {option.help}."]

    def _of_element(self, name: str, words: Sequence[str], seat: int, cards: Sequence[Seen]) -> list[str] | None:
        board = next((b for b in self.model.boards if any(f.name == name for f in b.fields)), None)
        if board is None or board.name in self.game.grids:
            return None
        shown = self.match.view(seat)["boards"][board.name]
        elements = shown if isinstance(shown, list) else [shown]
        lines = []
        for (arg,) in self._read([_Param({"t": "element", "of": board.name})], words, seat, cards):
            value = elements[int(arg.value)]["fields"][name]
            t = next(f.type for f in board.fields if f.name == name)
            what = {"board": board.name, "element": int(arg.value)}
            lines += self._set(f"{spaced(name)} of {arg.said}", self._said(value, t, seat), name, what, seat)
        return lines

    def _of_card(self, name: str, words: Sequence[str], seat: int, cards: Sequence[Seen]) -> list[str] | None:
        kinds = [
            k.name for k in self.model.kinds if any(d.name == name for d in (*k.fields, *k.flags, *k.states))
        ]
        if not kinds:
            return None
        t = {"t": "card", "of": kinds[0]}
        lines = []
        for (arg,) in self._read([_Param(t)], words, seat, cards):
            card = arg.value
            if name in card.state:
                t = next(s.type for k in self.model.kinds for s in k.states if s.name == name)
                value = self._said(card.state[name], t, seat)
                lines += self._set(f"{spaced(name)} of {card.title}", value, name, {"tag": card.mine}, seat)
            else:
                lines.append(self._printed(name, card))
        return lines

    def _printed(self, name: str, card: Seen) -> str:
        decl = next(c for c in self.model.cards if c.id == card.id)
        value = True if name in decl.flags else decl.fields.get(name)
        if value is None:
            members = (m for k in self.model.kinds for m in (*k.fields, *k.flags) if m.name == name)
            value = getattr(next(members), "default", False) or 0
        return f"{spaced(name)} of {card.title} is {said(value)}: printed on the card, {decl.file}:{decl.line}"

    def _rest(self, name: str, words: Sequence[str], seat: int, cards: Sequence[Seen]) -> list[str] | None:
        """Zones and periods, which are counted."""
        view = self.match.view(seat)
        if name in view["zones"]:
            zone = view["zones"][name]
            if not isinstance(zone, list):
                self._read([], words, seat, cards)
                return [f"{spaced(name)} is {zone['count']}: so many cards lie there"]
            return [
                f"{self._whose(arg.value, seat)} {spaced(name)} is {zone[arg.value]['count']}: so many cards lie there"
                for (arg,) in self._read([_Param({"t": "player"})], words, seat, cards)
            ]
        if name in view["periods"]:
            return [f"{spaced(name)} is {view['periods'][name]}: so many have begun"]
        return None

    def _set(self, what: str, value: str, name: str, of: Mapping[str, Any], seat: int) -> list[str]:
        """What is kept from one moment to the next, and when it was set."""
        head = f"{what[:1].upper()}{what[1:]} is {value}"
        now: dict[str, int] = {}
        told = []
        for record in self.match.log(seat):
            if record.get("kind") == "period":
                now[record["period"]] = record["number"]
            is_set = record.get("kind") in ("change", "show") and record.get("field") == name
            if is_set and of.items() <= record.items():
                when = ", ".join(f"{spaced(period)} {number}" for period, number in now.items())
                told.append(f"  {when or 'at the beginning'}: {as_seen(record['text'], seat)}")
        if not told:
            return [f"{head}, as when the match began"]
        return [f"{head}. It was set:", *told[-_MOST:]]

    def _said(
        self, value: Any, t: Mapping[str, Any], seat: int, card: Callable[[str], str] | None = None
    ) -> str:
        """A value in words; `card` gives the title of a card from what stands for it, which is its tag otherwise."""
        if t["t"] in ("optional", "list", "set"):
            if isinstance(value, list):
                return ", ".join(self._said(v, t["of"], seat, card) for v in value) or "nothing"
            return self._said(value, t["of"], seat, card) if value is not None else "none"
        if t["t"] == "player" and isinstance(value, int):
            return self._player(value, seat).said
        if t["t"] == "card" and value is not None:
            if card is not None:
                return card(value)
            return next((c.title for c in self._seen(self.match, seat) if c.mine == value), "a hidden card")
        if t["t"] == "element" and isinstance(value, str):
            board, _, key = value.removesuffix("]").partition("[")
            return f"{spaced(self.elements.get(board, board))} {key}"
        return spaced(value) if isinstance(value, str) else said(value)


class _Param(Struct, frozen=True):
    type: Mapping[str, Any]


def _called(title: str) -> tuple[str, ...]:
    """What a card may be called: its title, with and without its first word where that is an article."""
    low = title.lower()
    first, _, rest = low.partition(" ")
    return (low, rest) if first in ("the", "a", "an") and rest else (low,)


def said(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
