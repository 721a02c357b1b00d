"""A match as its host drives it: questions and answers, views and logs, going back, saving, and playing again.

A match is its state and the record of what was entered; undo, `replay` and `restore` need nothing else. States for
going back are clones taken every `EVERY` entries; what lies between is played again.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from card_runtime import determine, driver, query
from card_runtime.beginning import check_limits, check_seed
from card_runtime.decision import Decision
from card_runtime.errors import CardError, IllegalChoice, InputError, SaveError, nearest, quoted, shown, written
from card_runtime.faults import located
from card_runtime.observer import Observer
from card_runtime.sight import Seat
from card_runtime.view import view as project

if TYPE_CHECKING:
    from card_runtime.observer import Record
    from card_runtime.state import State

FORMAT = 2
"""The format of records and saved matches."""

EVERY = 32
"""Entries between two states that are kept for going back."""

INPUTS = ("forfeit", "timeout")
HEADER = ("seed", "decks", "options", "inputs", "cards")
"""How a match began, in its record."""

Entry: TypeAlias = list[int] | dict[str, int]
"""One line of a record: the index of an option, `[]` for declining, or `{"forfeit": seat}`, `{"timeout": seat}`."""


class Result(NamedTuple):
    """How a match ended. `winner` is None for a tie; `scores` has, for each seat, its fields marked `score`."""

    winner: int | None
    reason: str
    scores: tuple[dict[str, int], ...]


def result_of(m: State) -> Result | None:
    """The result of a state; None while the match goes on."""
    if m.result is None:
        return None
    return Result(m.result[0], m.result[1] or "", m.scores())


def canonical(value: Any) -> str:
    """JSON with one spelling for equal values: sorted keys, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: Any) -> str:
    return blake2b(canonical(value).encode("ascii"), digest_size=16).hexdigest()


def state_hash(m: State) -> str:
    """A digest of the state proper, equal for equal states on any machine; logs and the record are no part of it."""
    return digest(m.to_data())


# ---- Chance from outside


def tape(chance: Any) -> Tape | None:
    """Chance as a caller gave it. Raises InputError."""
    if chance is None or isinstance(chance, Tape):
        return chance
    if isinstance(chance, type) or not all(callable(getattr(chance, name, None)) for name in ("shuffle", "pick")):
        raise InputError("`chance` is an object with `shuffle(name, items)` and `pick(name, items)`")
    return Tape(chance)


class Tape:
    """Chance that a caller supplies, remembered: it stands in `m.chance`, and plays again what was drawn before.

    `source` has `shuffle(name, items)`, giving the items in a new order, and `pick(name, items)`, giving one of them;
    None: there is only what was recorded. `outcomes` are `[name, positions]` (a shuffle) or `[name, position]`,
    JSON-able."""

    __slots__ = ("at", "outcomes", "source")

    def __init__(self, source: Any, outcomes: list[Any] | None = None, at: int = 0) -> None:
        self.source = source
        self.outcomes: list[Any] = [] if outcomes is None else outcomes
        self.at = at

    def clone(self) -> Tape:
        """One that goes on from here by itself; both ask the same source."""
        return Tape(self.source, list(self.outcomes), self.at)

    def shuffle(self, name: str, items: list[Any]) -> list[Any]:
        """The items in the order that the source gives. Raises InputError if that is not an order of these items."""

        def ask() -> list[int]:
            left = list(range(len(items)))
            order = []
            given = self.source.shuffle(name, list(items))
            if not isinstance(given, Iterable):
                raise InputError(f'the chance source gave {shown(given)} for "{name}": give a list of the items')
            for item in given:
                position = next((i for i in left if items[i] == item), None)
                if position is None:
                    raise InputError(f'the chance source gave {shown(item)} for "{name}": give the same items')
                left.remove(position)
                order.append(position)
            return order

        order = self._next(name, ask)
        if not isinstance(order, list) or sorted(order) != list(range(len(items))):
            raise InputError(f'the chance for "{name}" is {order!r}, which is no order of {len(items)} items')
        return [items[i] for i in order]

    def pick(self, name: str, items: list[Any]) -> Any:
        """The item that the source picks. Raises InputError if it is none of them."""

        def ask() -> int:
            picked = self.source.pick(name, list(items))
            if picked not in items or (isinstance(picked, bool) and not isinstance(items[0], bool)):
                raise InputError(f'the chance source gave {shown(picked)} for "{name}": give one of the items')
            return items.index(picked)

        position = self._next(name, ask)
        if type(position) is not int or not 0 <= position < len(items):
            raise InputError(f'the chance for "{name}" is {position!r}, no place among {len(items)} items')
        return items[position]

    def _next(self, name: str, ask: Callable[[], Any]) -> Any:
        if self.at == len(self.outcomes):
            if self.source is None:
                raise InputError(f'the recorded chance ends before "{name}": give the source it was played with')
            self.outcomes.append([name, ask()])
        recorded, outcome = self.outcomes[self.at]
        if recorded != name:
            raise InputError(f'the recorded chance has "{recorded}" in the place of "{name}": it is of another match')
        self.at += 1
        return outcome


# ---- The match


@dataclass(slots=True)
class _Kept:
    """A state to go back to: before the entry of this index."""

    index: int
    state: State


class Match:
    """One match of a game. Made by `Game.start`, `Game.restore`, `Game.replay`, `clone` and `determinise`.

    `header` says how it began, in JSON values: `seed`, `decks`, `options`, `inputs`, `cards`; None: in the midst of
    another match, with `state`. `state` may stand before its first question, with its observer and its tape (`Tape`)
    in it."""

    __slots__ = ("_decision", "_entries", "_floor", "_header", "_kept", "_m", "_number", "_start", "_undo_limit")

    def __init__(self, state: State, header: dict[str, Any] | None, *, undo_limit: int | None = None) -> None:
        self._m = state
        self._header = header
        self._entries: list[Entry] = []
        self._undo_limit = undo_limit
        self._floor = 0
        self._number = 0
        self._kept: deque[_Kept] = deque()
        self._decision: Decision | None = None
        _run(state)
        self._keep()
        self._start = None if header is not None else self._kept[0].state

    # ---- Reading

    @property
    def state(self) -> State:
        """The state itself, for tools: reading it is free of promises, writing it breaks the record."""
        return self._m

    @property
    def decision(self) -> Decision | None:
        """The open question; None when the match is over."""
        if self._decision is None and self._m.wait is not None:
            self._decision = Decision(self._m)
        return self._decision

    @property
    def number(self) -> int:
        """The number of the open question: no other of this match has it, also where choices are taken back, and the
        match is saved and goes on elsewhere."""
        return self._number

    @property
    def result(self) -> Result | None:
        """How the match ended; None while it goes on."""
        return result_of(self._m)

    def view(self, seat: Seat, *, values: Collection[str] | None = None) -> dict[str, Any]:
        """All that `seat` may know now, as JSON values; None: everything. Raises InputError.

        `values`: the names of the values that are worked out, which is most of the time; None: all that views show,
        `()`: none."""
        return project(self._m, self._seat(seat), self._shown(values))

    def log(self, seat: Seat, *, since: int = 0) -> list[Record]:
        """What `seat` may know of what happened, oldest first, each record with its `text` and its number `n`; `since`:
        only what comes after the record of that number. Raises InputError."""
        check_limits(since=since)
        return [] if self._m.obs is None else self._m.obs.log(self._seat(seat), since)

    def get(self, name: str, *args: Any) -> Any:
        """A value, state or field of the game by its name in the .card file, as JSON values, with full sight.

        Arguments are Python values or text: a player as a seat, "me" (seat 0), "opponent" (seat 1) or "player 1"; an
        element as an index or "lanes[2]"; a card by its printed id if there is one such card, else "plague#2" (the
        second made), or by its tag in `view(None)`; a member of an enum by its name. Raises InputError."""
        try:
            return query.get(self._m, name, *args)
        except Exception as error:
            located(self._m.game, error)

    def why(self, name: str, *args: Any) -> list[dict[str, Any]]:
        """The steps by which a value came about: its base, each modifier that was active, in order, its range if that
        cut something off. Arguments are those of `get`, with full sight.

        A step is `{"what", "card", "file", "line", "op", "before", "after"}`: `what` is "base", a card's title or
        "range", `card` the bearer or None, `op` "base", "=", "+=", "-=", "*=" or "range"; `before` is None for the
        base. Raises InputError."""
        try:
            return query.why(self._m, name, *args)
        except Exception as error:
            located(self._m.game, error)

    def state_hash(self) -> str:
        """A digest of the state, equal for equal states on any machine."""
        return state_hash(self._m)

    @property
    def record(self) -> dict[str, Any]:
        """How to play this match again: JSON values, independent of this object."""
        game = self._m.game
        record = {
            "format": FORMAT,
            "game": {"id": game.id, "version": game.version, "build": game.build},
            **(self._header or {}),
            "choices": self._entries,
        }
        if self._start is not None:
            obs = self._start.obs
            record |= {"start": self._start.to_data(), "log": None if obs is None else obs.to_data()}
        if isinstance(self._m.chance, Tape):
            record["chance"] = self._m.chance.outcomes
        return plain(record)

    # ---- Playing

    def choose(self, answer: object, *, at: int | None = None) -> None:
        """Answer the open question: an option's index or id, or a list of these; `[]` declines where `min` is 0. `at`:
        the `number` of the question that is meant, for answers that may come late; None: the open one.

        Whoever may give it answers for the seat that is asked, `decision.player`: a host of several players looks
        there first. Raises IllegalChoice, which leaves the match as it was and names options of that seat, so it is
        for no other to read."""
        decision = self.decision
        if decision is None:
            raise IllegalChoice("the match is over, there is nothing to choose: undo() goes back")
        if at is not None and at != self._number:
            raise IllegalChoice(f"this answers question {shown(at)}, but {self._number} is open: look at it again")
        index = decision.resolve(answer)
        self._enter([] if index is None else [index])

    def forfeit(self, seat: int) -> None:
        """Say that `seat` gives up: the game's effect `forfeit` answers, else the other seat wins.

        Raises IllegalChoice when the match is over, InputError for a wrong seat."""
        self._input("forfeit", seat)

    def timeout(self, seat: int) -> None:
        """Say that `seat` has run out of time: the game's effect `timeout` answers, else the other seat wins.

        Raises IllegalChoice when the match is over, InputError for a wrong seat."""
        self._input("timeout", seat)

    def _input(self, kind: str, seat: int) -> None:
        if self._seat(seat) is None:
            raise InputError(f"{kind} is of a seat, not of None")
        if self._m.result is not None:
            raise IllegalChoice(f"the match is over, {kind} of player {seat} comes too late: undo() goes back")
        self._enter({kind: seat})

    def _enter(self, entry: Entry) -> None:
        """Carry out an entry and note it. If a card fails at it, the match is as it was before."""
        before = len(self._entries)
        try:
            self._carry_out(entry)
        except BaseException:  # Ctrl-C too
            self._go_back(before)
            raise
        self._entries.append(entry)
        self._number += 1
        if self._undo_limit is not None:
            self._floor = max(self._floor, len(self._entries) - self._undo_limit)
        if len(self._entries) % EVERY == 0:
            self._keep()

    def _carry_out(self, entry: Entry) -> None:
        m = self._m
        if isinstance(entry, dict):
            ((kind, seat),) = entry.items()
            _answer_input(m, kind, seat)
        else:
            decision = self.decision
            if decision is None:
                raise IllegalChoice("the match is over, there is nothing to choose")
            index = decision.resolve(entry)
            if m.obs is not None:
                m.obs.chosen(m, decision, index)
            decision.close()
            assert m.wait is not None
            driver.answer(m, None if index is None else m.wait[2][index])
            _run(m)
        self._forget_decision()

    def _forget_decision(self) -> None:
        if self._decision is not None:
            self._decision.close()
            self._decision = None

    # ---- Going back

    def undo(self) -> None:
        """Take back the last entry: a choice, a forfeit or a timeout. Raises IllegalChoice if there is none."""
        if len(self._entries) <= self._floor:
            limit = f"no choice further back is kept, as undo_limit is {self._undo_limit}"
            raise IllegalChoice(f"there is nothing to undo: {limit if self._entries else 'no choice was made yet'}")
        self._go_back(len(self._entries) - 1)
        self._number += 1

    def _go_back(self, target: int) -> None:
        """Bring the state to where it was before the entry of index `target`, or after the last one."""
        self._forget_decision()
        entries = self._entries
        while self._kept and self._kept[-1].index > target:
            self._kept.pop()
        tape = self._m.chance
        if not self._kept:
            limit = None if self._m.obs is None else self._m.obs.limit
            fresh = replay(self._m.game, {**self.record, "choices": []}, log_limit=limit)
            self._kept.append(_Kept(0, fresh._m))
        start = self._kept[-1].index
        self._m = _clone(self._kept[-1].state)
        if isinstance(tape, Tape):
            self._m.chance = Tape(tape.source, tape.outcomes, self._m.chance.at)
        self._entries = entries[:start]
        for entry in entries[start:target]:
            self._carry_out(entry)
            self._entries.append(entry)
        if isinstance(tape, Tape):
            del tape.outcomes[self._m.chance.at :]

    def _keep(self) -> None:
        """Keep the present state for going back, and drop those that lie before all that can be undone."""
        self._kept.append(_Kept(len(self._entries), _clone(self._m)))
        while len(self._kept) > 1 and self._kept[1].index <= self._floor:
            self._kept.popleft()

    # ---- Copies

    def clone(self) -> Match:
        """An independent copy, with its log and all that can be undone."""
        copy = object.__new__(type(self))
        copy._m = _clone(self._m)
        copy._header = self._header
        copy._start = self._start
        copy._entries = self._entries.copy()
        copy._undo_limit = self._undo_limit
        copy._floor = self._floor
        copy._number = self._number
        copy._kept = self._kept.copy()
        copy._decision = None
        return copy

    def __copy__(self) -> Match:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> Match:
        return self.clone()

    def __reduce__(self) -> Any:
        raise InputError("a match cannot be pickled: give its `to_json()` to `Game.restore` in the other process")

    def determinise(self, seat: int, seed: int | str = 0) -> Match:
        """A copy in which all that `seat` cannot know is drawn again from `seed`.

        Its record begins with the copy, it holds no log but that of `seat`, and its chance is its own, not that of a
        source. Raises InputError."""
        if self._seat(seat) is None:
            raise InputError("determinise is for a seat, not for None")
        check_seed(seed, text=True)
        try:
            return type(self)(determine.determinise(self._m, seat, seed), None, undo_limit=self._undo_limit)
        except Exception as error:
            located(self._m.game, error)

    def to_json(self) -> str:
        """The match as text, for `Game.restore`: the state, the record and the logs, with a checksum."""
        body = {
            "format": FORMAT,
            "build": self._m.game.build,
            "state": self._m.to_data(),
            "chance_at": self._m.chance.at if isinstance(self._m.chance, Tape) else None,
            "record": self.record,
            "observer": None if self._m.obs is None else self._m.obs.to_data(),
            "undo_limit": self._undo_limit,
            "undo_floor": self._floor,
            "number": self._number,
        }
        return canonical({**body, "checksum": digest(body)})

    def _seat(self, seat: Seat) -> Seat:
        players = self._m.game.players
        if seat is None or (type(seat) is int and 0 <= seat < players):
            return seat
        raise InputError(f"there is no seat {shown(seat)}: seats are 0 to {players - 1}, None has full sight")

    def _shown(self, values: Any) -> Collection[str] | None:
        if values is None:
            return None
        if not isinstance(values, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in values):
            raise InputError(f"`values` are names of values in a list, not {shown(values)}")
        names = [value.name for value, _ in self._m.game.viewed]
        for name in values:
            if name not in names:
                near = quoted(nearest(name, names))
                raise InputError(f"views show no value called {written(name)}: there are {near}")
        return values


def _run(m: State) -> None:
    """Let the match go on to its next question or its end."""
    if m.wait is None and m.result is None:
        driver.advance(m)


def _clone(m: State) -> State:
    copy = m.clone()
    copy.obs = None if m.obs is None else m.obs.clone()
    if isinstance(m.chance, Tape):
        copy.chance = m.chance.clone()
    return copy


def _answer_input(m: State, kind: str, seat: int) -> None:
    """What a forfeit or a timeout does: the game's effect of that name, else the other seat wins."""
    if m.obs is not None:
        m.obs.input(m, kind, seat)
    if f"e_{kind}" in m.game.code:
        driver.run(m, kind, seat)
        if m.result is None:
            driver.reask(m)
    else:
        m.result = (1 - seat, kind)
        driver.over(m)


def plain(record: dict[str, Any]) -> dict[str, Any]:
    """A copy in JSON values, independent of what was given."""
    found: dict[str, Any] = json.loads(json.dumps(record, default=dict))
    return found


# ---- Records and saved matches


def replay(
    game: Any, record: Any, *, chance: Any = None, log_limit: int | None = None, undo_limit: int | None = None
) -> Match:
    """Play a record again; `chance` goes on where recorded chance ends.

    Raises SaveError if it is no record, or does not fit the game."""
    tape(chance)  # what cannot serve is told now
    check_limits(log_limit=log_limit, undo_limit=undo_limit)
    _check_record(game, record)
    match: Match
    if "start" in record:
        if record["game"]["build"] != game.build:
            raise SaveError(
                f"the record begins amid a match of build {written(str(record['game']['build']))}: load that build, "
                "with the expansions it had"
            )
        from card_runtime.resumed import Resumed  # that module imports this one

        match = Resumed(_state(game, record["start"], record["log"]), None, undo_limit=undo_limit)
    else:
        recorded = record.get("chance")
        try:
            match = game.start(
                seed=record["seed"],
                decks=record["decks"],
                options=record["options"],
                inputs=record["inputs"],
                cards=record["cards"],
                chance=chance if recorded is None else Tape(chance, list(recorded)),
                log_limit=log_limit,
                undo_limit=undo_limit,
            )
        except InputError as error:
            raise SaveError(f"what the record begins with does not fit this game: {error}") from error
    for i, entry in enumerate(record["choices"]):
        try:
            match._enter(entry)
        except (IllegalChoice, InputError) as error:
            raise SaveError(f"entry {i} of the record ({entry}) does not fit this game: {error}") from error
    return match


def _check_record(game: Any, record: Any) -> None:
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise SaveError(f"this is no record of format {FORMAT}: give the `record` of a match")
    missing = [key for key in ("game", "choices") if key not in record]
    if "start" not in record:
        missing += [key for key in HEADER if key not in record]
    elif "log" not in record:
        missing.append("log")
    if missing:
        raise SaveError(f"the record lacks {', '.join(missing)}: give the whole `record` of a match")
    of = record["game"]
    if not isinstance(of, dict) or not {"id", "version", "build"} <= of.keys():
        raise SaveError("the record does not say of which game it is: give the whole `record` of a match")
    if of["id"] != game.id:
        raise SaveError(f"the record is of the game {written(str(of['id']))}, not of {game.id}: load that game")
    if not isinstance(record["choices"], list) or not all(map(_is_entry, record["choices"])):
        raise SaveError("the choices of the record are not lists of option numbers: give the `record` of a match")
    chance = record.get("chance")
    if chance is not None and not (isinstance(chance, list) and all(map(_is_outcome, chance))):
        raise SaveError("the chance of the record is no list of names and outcomes: give the `record` of a match")


def _is_entry(entry: Any) -> bool:
    if isinstance(entry, list):
        return len(entry) <= 1 and all(type(i) is int for i in entry)
    if not isinstance(entry, dict) or len(entry) != 1:
        return False
    ((kind, seat),) = entry.items()
    return kind in INPUTS and type(seat) is int and seat in (0, 1)


def _is_outcome(outcome: Any) -> bool:
    """Whether it is the name of a random event with a place, or with places."""
    if not isinstance(outcome, list) or len(outcome) != 2 or not isinstance(outcome[0], str):
        return False
    places = outcome[1]
    return type(places) is int or (isinstance(places, list) and all(type(place) is int for place in places))


def _whole(number: str) -> int:
    """A match knows whole numbers only."""
    raise ValueError(f"{number} is no whole number")


def restore(game: Any, text: str, *, chance: Any = None) -> Match:
    """Take up a saved match where it was. `chance` is the source it was played with, if it was. Raises SaveError."""
    tape(chance)  # what cannot serve is told now
    try:
        saved = json.loads(text, parse_float=_whole, parse_constant=_whole)
    except (ValueError, TypeError, RecursionError) as error:
        raise SaveError(f"the saved match is not whole JSON ({error}): take another copy") from error
    if not isinstance(saved, dict) or "format" not in saved or "checksum" not in saved:
        raise SaveError("this is no saved match: give the text of `to_json`")
    if saved["format"] != FORMAT:
        of = written(str(saved["format"]))
        raise SaveError(f"the saved match has format {of}, not {FORMAT}: use the runtime that wrote it")
    checksum = saved.pop("checksum")
    try:
        whole = digest(saved) == checksum
    except ValueError:
        whole = False
    if not whole:
        raise SaveError("the saved match was damaged or edited: its checksum does not fit; take another copy")
    try:
        match = _resume(game, saved, chance)
        for seat in (None, *range(game.players)):  # what is unsound shows when it is looked at: better now than in play
            match.view(seat)
            match.log(seat)
        return match
    except SaveError:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise SaveError(f"the saved match cannot be read ({why}): it was not written by `to_json`") from error


def _resume(game: Any, saved: dict[str, Any], chance: Any) -> Match:
    record = saved["record"]
    if saved["build"] != game.build:
        of = written(f"{record['game']['id']} {record['game']['version']}")
        raise SaveError(
            f"the match was saved by build {written(str(saved['build']))} of {of}, "
            f"this is build {game.build} of {game.id} {game.version}: load that build, with the expansions it had"
        )
    from card_runtime.resumed import Resumed  # that module imports this one

    _check_record(game, record)
    check_limits(undo_limit=saved["undo_limit"])
    state = _state(game, saved["state"], saved["observer"])
    if "chance" in record:
        at = saved["chance_at"]
        if type(at) is not int or not 0 <= at <= len(record["chance"]):
            raise SaveError("the saved match does not say how much of its chance was used: use an undamaged copy")
        state.chance = Tape(chance, record["chance"], at)
    header = None if "start" in record else {key: record[key] for key in HEADER}
    match = Resumed(state, header, undo_limit=saved["undo_limit"])
    if header is None:
        match._start = _state(game, record["start"], record["log"])
    match._kept.clear()
    match._entries = record["choices"]
    match._floor, match._number = saved["undo_floor"], saved["number"]
    if not (type(match._floor) is int and 0 <= match._floor <= len(match._entries) and type(match._number) is int):
        raise SaveError("the saved match does not say how far it goes back: use an undamaged copy")
    match._keep()
    return match


def _state(game: Any, data: dict[str, Any], log: dict[str, Any] | None) -> State:
    """A state read back, with its observer. Raises SaveError."""
    from card_runtime.game import from_data  # games make matches, so that module imports this one

    try:
        state = from_data(game, data)
        state.obs = None if log is None else Observer.from_data(log)
    except SaveError:
        raise
    except Exception as error:
        raise SaveError(f"the state of the match is unsound ({error}): use an undamaged copy") from error
    return state


def play(match: Match, *bots: Callable[[Decision], object]) -> Result:
    """Let bots play a match to its end, one a seat; a bot gets the decision and gives an answer for `choose`.

    Raises InputError unless there is a bot for each seat, and what `choose` raises."""
    if not isinstance(match, Match):
        raise InputError(f"`play` takes a match, as `start` gives it, and a bot for each seat, not {shown(match)}")
    players = match.state.game.players
    if len(bots) != players or not all(map(callable, bots)):
        raise InputError(f"`play` takes {players} bots, one a seat, each a function from a decision to an answer")
    while (decision := match.decision) is not None:
        match.choose(bots[decision.player](decision))
    result = match.result
    if result is None:
        raise CardError("the match stopped without a question and without a result")
    return result
