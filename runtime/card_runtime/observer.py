"""What happened, as each seat may know it, and the tags by which a seat follows cards.

The kernel calls the hooks below, only where `m.obs` is not None, each right after the thing happened (`changes`: right
before). A hook writes one record for each viewer (every seat, and full sight as None): a JSON-able dict `{"n": serial,
"kind": …, "text": …, …}`, told from what that viewer sees at that moment. Texts fit titles in the singular and in the
plural; `route` is what follows the card in the text of a move. A record of which a seat may know nothing is left out,
and its own serial does not count it. Records are never changed once written.

Of what one answer sets off a log takes `MOST_AT_ONCE` records, then one of the kind `cut`; the end of the match is told
in any case. So a match that runs on until a limit stops it costs no more than a long one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from card_runtime import sight
from card_runtime.decision import asked_at
from card_runtime.model import SEATS
from card_runtime.registry import lender
from card_runtime.sight import Seat, What
from card_runtime.tags import Tags

if TYPE_CHECKING:
    from card_runtime.decision import Decision
    from card_runtime.model import AbilityLine
    from card_runtime.state import State

Record: TypeAlias = dict[str, Any]
Left: TypeAlias = tuple[str, Record] | None
"""The name and the data of the place that a card has left; None for one that was made."""

MOST_AT_ONCE = 20_000
"""As many as cards that a match may make: what ends by itself hardly ever writes more between two questions."""

_CUT: Record = {"kind": "cut", "text": "More happens here than a log keeps"}

_new = object.__new__
"""For clones, which are made by the million: all slots are filled in."""


class Log:
    """The records of one viewer, oldest first. Clones share one list until one of them goes its own way."""

    __slots__ = ("_end", "_items", "_start", "limit", "room", "serial")

    def __init__(self, limit: int | None) -> None:
        self._items: list[Record] = []
        self._start = 0
        self._end = 0
        self.limit = limit
        self.room = MOST_AT_ONCE + 1
        self.serial = 0

    def add(self, record: Record) -> None:
        """Keep the record, which has the next serial; beyond `limit` the oldest goes. Needs `room`, of which the last
        is for telling that there is no more."""
        self.serial += 1
        self.room -= 1
        if not self.room:
            record = _CUT
        if self._end != len(self._items) or self._start > 256 + (self.limit or 0):
            self._items = self._items[self._start : self._end]
            self._end -= self._start
            self._start = 0
        self._items.append(record)
        self._end += 1
        if self.limit is not None:
            self._start = max(self._start, self._end - self.limit)

    def records(self, since: int = 0) -> list[Record]:
        """Copies of those whose serials are greater than `since`, which the reader may change, with their serials: logs
        of several seats and matches share what they hold."""
        records = self.latest(max(self.serial - since, 0))
        return [{"n": n, **_copied(r)} for n, r in enumerate(records, self.serial - len(records) + 1)]

    def latest(self, count: int) -> list[Record]:
        """The last records, so many or as many as are kept, to be read; without serials."""
        return self._items[max(self._start, self._end - count) : self._end]

    def clone(self) -> Log:
        copy: Log = _new(Log)
        copy._items = self._items
        copy._start = self._start
        copy._end = self._end
        copy.limit = self.limit
        copy.room = self.room
        copy.serial = self.serial
        return copy

    def emptied(self) -> Log:
        """A log without records, whose serials go on."""
        copy = Log(self.limit)
        copy.serial = self.serial
        return copy


_NESTED = frozenset({dict, list})


def _copied(value: Any) -> Any:
    """JSON values, copied to the depth."""
    if type(value) is dict:
        return {k: _copied(v) if type(v) in _NESTED else v for k, v in value.items()}
    if type(value) is list:
        return [_copied(v) if type(v) in _NESTED else v for v in value]
    return value


def _of_cards(t: sight.Type) -> bool:
    """Whether values of this type have cards in them, which each seat calls by what it knows of them."""
    while t["t"] in ("optional", "list"):
        t = t["of"]
    return bool(t["t"] == "card")


class Observer:
    """Keeps a log for each seat and one for full sight, and each seat's tags.

    `limit` bounds the records of each log; None: unbounded; 0: none are made, which is much faster. Who lets one
    join a match that runs calls `tags.watch`."""

    __slots__ = ("_logs", "limit", "tags")

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.tags = Tags()
        self._logs = [Log(limit) for _ in range(SEATS + 1)]

    # ---- Reading

    def log(self, seat: Seat, since: int = 0) -> list[Record]:
        """The records that `seat` may read and whose serials are greater than `since`, oldest first."""
        return self._logs[SEATS if seat is None else seat].records(since)

    def clone(self) -> Observer:
        copy: Observer = _new(Observer)
        copy.limit = self.limit
        copy.tags = self.tags.clone()
        copy._logs = [log.clone() for log in self._logs] if self.limit != 0 else self._logs
        return copy

    def only(self, m: State, seat: int) -> Observer:
        """A clone for `m`, that holds nothing but what `seat` knows: the other logs and tags begin anew."""
        copy: Observer = _new(Observer)
        copy.limit = self.limit
        copy.tags = self.tags.only(m, seat)
        copy._logs = [log.clone() if viewer == seat else log.emptied() for viewer, log in enumerate(self._logs)]
        return copy

    def to_data(self) -> dict[str, Any]:
        return {
            "limit": self.limit,
            "logs": [{"serial": log.serial, "records": log.records()} for log in self._logs],
            **self.tags.to_data(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Observer:
        """An observer read back. Raises ValueError and others where it is unsound."""
        logs, limit = data["logs"], data["limit"]
        records = [record for log in logs for record in log["records"]]
        numbers = [*(log["serial"] for log in logs), *(record["n"] for record in records)]
        if limit is not None:
            numbers.append(limit)
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("what the logs are counted by are no numbers")
        if not all(type(record[key]) is str for record in records for key in ("kind", "text")):
            raise ValueError("what the logs tell has no text")
        if len(logs) != SEATS + 1:
            raise ValueError("the logs are not those of all seats")
        obs = cls(limit)
        obs.tags = Tags.from_data(data)
        for log, saved in zip(obs._logs, logs, strict=True):
            log._items = [{key: value for key, value in record.items() if key != "n"} for record in saved["records"]]
            log._end = len(log._items)
            log.serial = saved["serial"]
            if log.records() != saved["records"]:
                raise ValueError("the records of a log are not counted on")
        return obs

    # ---- Writing

    def _silent(self) -> bool:
        """Whether no log takes a record now."""
        if self.limit != 0:
            for log in self._logs:
                if log.room:
                    return False
        return True

    def _new_room(self) -> None:
        if self.limit != 0:
            for log in self._logs:
                log.room = MOST_AT_ONCE + 1

    def _tell(self, make: Callable[[Seat], Record | None]) -> None:
        if self.limit == 0:
            return
        for viewer, log in enumerate(self._logs):
            if log.room:
                record = make(viewer if viewer < SEATS else None)
                if record is not None:
                    log.add(record)

    def _tell_all(self, record: Record) -> None:
        self._tell(lambda seat: record)

    @staticmethod
    def _card(m: State, card: int, knows: bool, tag: str | None) -> Record:
        """How a record names a card: its id and title, or that it is hidden; its tag where there is one."""
        found: Record = {"card": sight.card_id(m, card), "name": sight.title(m, card)} if knows else {"hidden": True}
        if tag is not None:
            found["tag"] = tag
        return found

    # ---- Hooks: cards

    def leaving(self, m: State, cards: Sequence[int]) -> list[Left]:
        """Where cards lie that are about to leave, as `moved` tells it: what leaves a grid changes what its other
        spaces are called, so cards that leave several of them at once come from the board."""
        if self._silent():
            return [None] * len(cards)
        sources = [m.at[card] for card in cards]
        boards = [m.game.places[source].board for source in {*sources} if source >= 0]
        found: list[Left] = []
        for source in sources:
            if source < 0:
                found.append(None)
                continue
            board = m.game.places[source].board
            several = board is not None and board in m.game.grids and boards.count(board) > 1
            name, data = sight.called(m, source)
            found.append((f"the {sight.spaced(board or '')}" if several else name, data))
        return found

    def moved(self, m: State, card: int, source: int, target: int, left: Left = None, seen: int = 0) -> None:
        """A card has moved between places; `source` -1: it was made. `left`: what `leaving` gave of it, `seen`: the
        seats that saw it before, as a bit mask.

        A seat knows the card if it saw it before or sees it now; otherwise it is told that some card moved."""
        silent = self._silent()
        tags = [] if silent else [sight.tag(m, seat, card) for seat in range(SEATS)]
        self.tags.moved(m, card, source, target)
        if silent:
            return
        game = m.game
        followed = game.places[target].tracked or (source >= 0 and game.places[source].tracked)
        name, to = sight.called(m, target)
        if source == target:
            route = f"moved within {name}"
        elif left is not None:
            route = f"from {left[0]} to {name}"
        else:
            route = f"put into {name}"
        where = {"to": to} if left is None else {"from": left[1], "to": to}
        if game.places[target].tracked and not m.up[card]:
            route += ", face down"

        def make(seat: Seat) -> Record:
            knows = seat is None or bool(seen >> seat & 1) or sight.sees(m, seat, card)
            name = sight.title(m, card) if knows else "a hidden card" if followed else "a card"
            tag = (None if seat is None else tags[seat]) or sight.tag(m, seat, card)
            return {
                "kind": "make" if source < 0 else "move",
                **self._card(m, card, knows, tag),
                **where,
                "route": route,
                "text": sight.sentence(f"{name}: {route}"),
            }

        self._tell(make)

    def shuffled(self, m: State, place: int) -> None:
        """A place was shuffled: who does not see its cards has lost them from sight."""
        self.tags.shuffled(m, place)
        if self._silent():
            return
        text = f"Shuffled: {sight.place_name(m, place)}"
        self._tell_all({"kind": "shuffle", "place": sight.place_data(m, place), "text": text})

    def revealed(self, m: State, card: int, seats: int, seen: int = 0) -> None:
        """A card was shown to the seats of the mask `seats`; if all of them saw it, nothing is told.

        `seen`: the seats that saw it before, as a bit mask."""
        if seen & seats == seats:
            return
        self.tags.update(m, (card,))
        if self._silent():
            return
        shown = [seat for seat in range(SEATS) if seats >> seat & 1]
        to = "" if len(shown) == SEATS else f" to {', '.join(f'player {seat}' for seat in shown)}"
        at = m.at[card]
        place = sight.place_data(m, at) if at >= 0 else None

        def make(seat: Seat) -> Record:
            knows = sight.sees(m, seat, card)
            name = sight.title(m, card) if knows else "a card"
            if not knows and at >= 0:
                name = f"a card in {sight.place_name(m, at)}"
            return {
                "kind": "reveal",
                **self._card(m, card, knows, sight.tag(m, seat, card)),
                "to": shown,
                "place": place,
                "text": f"Shown{to}: {name}",
            }

        self._tell(make)

    def revealed_state(self, m: State, card: int, states: Sequence[tuple[str, str]]) -> None:
        """Hidden state was shown with its card: told where it is not what every new card has."""
        if self._silent():
            return
        lists: list[list[Any]] = m.game.card_lists(m)
        now = [values[card] for values in lists]
        fresh = m.game.resets[m.K[m.d[card]]]
        if fresh is not None:
            fresh(m, (card,))
        new = {state: getattr(m, f"c_{state[0]}·{state[1]}")[card] for state in states}
        for values, value in zip(lists, now, strict=True):
            values[card] = value
        for kind, name in states:
            value = getattr(m, f"c_{kind}·{name}")[card]
            if value != new[kind, name]:
                self.shown(m, ("card", kind, name, card), value)

    def failed(self, m: State, card: int, place: int) -> None:
        """A move did not happen, because its target is full."""
        route = f"cannot move to {sight.place_name(m, place)}, which is full"

        def make(seat: Seat) -> Record:
            knows = sight.sees(m, seat, card)
            tag = sight.tag(m, seat, card)
            name = sight.title(m, card) if knows else "a card" if tag is None else "a hidden card"
            named = self._card(m, card, knows, tag)
            to = sight.place_data(m, place)
            return {"kind": "fail", **named, "to": to, "text": sight.sentence(f"{name} {route}")}

        self._tell(make)

    def ability(self, m: State, card: int, line: AbilityLine) -> None:
        """A listener or a replacement runs. Told to those who see its bearer, and the card that lent it; to all if it
        lasts without (`until`)."""
        source = card if line.until is not None else lender(m, card, line.slot)
        name = sight.source_title(m, line.card)
        what = f"{'instead of' if line.kind == 'instead' else 'on'} {line.of}"
        text = sight.sentence(f"{name}: {sight.spaced(what)}")
        told = {"card": line.card, "name": name, "what": what, "file": line.file, "line": line.line, "text": text}

        def make(seat: Seat) -> Record | None:
            if sight.sees(m, seat, card) and sight.sees(m, seat, source):
                return {"kind": "ability", "tag": sight.tag(m, seat, card), **told}
            return {"kind": "ability", **told} if line.until is not None else None

        self._tell(make)

    def ran(self, m: State, card: int, slot: str) -> None:
        """A card's slot is run. Told to those who see the card: that it has such a slot may be a secret."""

        def make(seat: Seat) -> Record | None:
            if not sight.sees(m, seat, card):
                return None
            named = self._card(m, card, True, sight.tag(m, seat, card))
            text = sight.sentence(f"{sight.title(m, card)}: {sight.spaced(slot)}")
            return {"kind": "run", **named, "slot": slot, "text": text}

        self._tell(make)

    def formed(self, m: State, card: int) -> None:
        """A card has another form. Told to those who see it."""

        def make(seat: Seat) -> Record | None:
            if not sight.sees(m, seat, card):
                return None
            named = self._card(m, card, True, sight.tag(m, seat, card))
            return {"kind": "form", **named, "text": f"Now in this form: {sight.title(m, card)}"}

        self._tell(make)

    def exchanged(self, m: State, a: int, b: int, slots: tuple[str, ...]) -> None:
        """Two cards bear each other's abilities."""
        what = ", ".join(sight.spaced(x) for x in slots)

        def make(seat: Seat) -> Record:
            one, other = sight.card_name(m, seat, a), sight.card_name(m, seat, b)
            text = sight.sentence(f"{one} and {other} exchange: {what}")
            return {"kind": "exchange", "slots": list(slots), "text": text}

        self._tell(make)

    # ---- Hooks: state

    def changes(self, m: State, what: What, value: Any) -> None:
        """A field or state gets another value. Told to those who see it; a card's state to those who see the card."""
        self._state(m, what, value, "change")

    def shown(self, m: State, what: What, value: Any) -> None:
        """Hidden state was revealed (`reveal players.invested`); `m.h_…` says to whom."""
        self._state(m, what, value, "show")

    def _state(self, m: State, what: What, value: Any, kind: str) -> None:
        if self._silent():
            return
        decl = sight.declared(m, what)
        name = decl.name
        where, subject, card = self._subject(m, what)
        word = sight.spaced(name)

        def told(viewer: Seat) -> Record:
            if decl.type["t"] == "bool":
                said = word if value else f"not {word}"
            else:
                said = f"{word} {sight.words(m, viewer, decl.type, value)}"
            return {
                "field": name,
                "value": sight.data(m, decl.type, value, lambda card: sight.tag(m, viewer, card)),
                "text": sight.sentence(f"{'shown: ' * (kind == 'show')}{subject}{said}"),
            }

        same = None if _of_cards(decl.type) else told(None)  # most values are called alike before all
        whole = None if same is None or card is not None else {"kind": kind, **where, **same}

        def make(viewer: Seat) -> Record | None:
            if not sight.knows(m, viewer, what, decl):
                return None
            if whole is not None:
                return whole
            tag = None if card is None else sight.tag(m, viewer, card)
            tagged = {} if tag is None else {"tag": tag}
            return {"kind": kind, **where, **tagged, **(same or told(viewer))}

        self._tell(make)

    def _subject(self, m: State, what: What) -> tuple[Record, str, int | None]:
        """What has a field or state: its data but for a tag, its name in a text, and the card if it is one."""
        match what:
            case ("player", _, seat):
                return {"player": seat}, f"player {seat}: ", None
            case ("card", _, _, card):
                return self._card(m, card, True, None), f"{sight.title(m, card)}: ", card
            case ("element", board, _, element):
                key = sight.element_key(m, board, element) if board in m.game.grids else element
                return {"board": board, "element": key}, f"{sight.element_name(m, board, element)}: ", None
        return {}, "", None

    # ---- Hooks: choices and the course of the match

    def chosen(self, m: State, asked: Decision, index: int | None) -> None:
        """A seat has answered by an option (None: declined). Known to nobody else; what follows shows by itself."""
        self._new_room()
        if self._silent():
            return
        seat = asked.player
        record: Record = {"kind": "choice", "player": seat}
        if index is None:
            record |= {"declined": True, "text": f"Player {seat} declines: {asked.prompt}"}
        else:
            option = asked.made(index)
            record |= {**option.value, "text": f"Player {seat} chooses: {option.label}"}
        whole = record if index is None else {**record, **asked.value(index, None)}
        self._tell(lambda viewer: record if viewer == seat else whole if viewer is None else None)

    def skipped(self, m: State, seat: int, site: str) -> None:
        """A seat had nothing to choose. Known to nobody else: that there was no option may follow from hidden cards."""
        if self._silent():
            return
        about = asked_at(m.game, site).prompt
        record = {"kind": "skip", "player": seat, "text": f"Player {seat} has nothing to choose: {about}"}
        self._tell(lambda viewer: record if viewer in (seat, None) else None)

    def period(self, m: State, index: int) -> None:
        """A new pass of a named loop begins."""
        if self._silent():
            return
        name = m.game.model.periods[index]
        record = {"kind": "period", "period": name, "number": m.periods[index]}
        self._tell_all({**record, "text": sight.sentence(f"{sight.spaced(name)} {m.periods[index]}")})

    def turn(self, m: State, seat: int) -> None:
        if self._silent():
            return
        self._tell_all({"kind": "turn", "player": seat, "text": f"Player {seat}'s turn"})

    def input(self, m: State, kind: str, seat: int) -> None:
        """A seat has forfeited or run out of time, as the host says."""
        self._new_room()
        text = f"Player {seat} {'forfeits' if kind == 'forfeit' else 'is out of time'}"
        self._tell_all({"kind": kind, "player": seat, "text": text})

    def ended(self, m: State) -> None:
        assert m.result is not None
        self._new_room()
        winner, reason = m.result
        who = "The match is a tie" if winner is None else f"Player {winner} wins"
        self._tell_all(
            {"kind": "end", "winner": winner, "reason": reason, "text": f"{who}: {reason}" if reason else who}
        )
