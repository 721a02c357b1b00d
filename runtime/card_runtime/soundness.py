"""Whether a state that was read back can be one of the game: every number stands for something, every card lies where
it says, and what runs waits where its code waits. Nothing is said about whether play could have come to it: what the
locals of running code hold is known to that code alone, so a forged state may still come to a fault."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from card_runtime.chance import STREAMS
from card_runtime.decision import asked_at
from card_runtime.determine import offered
from card_runtime.events import KERNEL_FRAMES, frozen
from card_runtime.model import SEATS

if TYPE_CHECKING:
    from card_runtime.state import Frame, State

ALL = (1 << SEATS) - 1


def check(m: State) -> None:
    """Raise ValueError or another error of Python where the state is unsound, as far as nothing runs."""
    _cards(m)
    for name in ("clock", "next_lasting", "decisions", "seed"):
        _that(_is_int(getattr(m, name)), name)
    _that(m.decisions >= 0, "decisions")
    _that(m.turn is None or _is_seat(m.turn), "turn")
    _that(_ints(m.periods) and len(m.periods) == len(m.game.model.periods), "periods")
    _that(_ints(m.draws) and len(m.draws) == len(STREAMS) and min(m.draws) >= 0, "draws")
    _that(len(m.decks) == SEATS and all(_is_card(m, c) for deck in m.decks for c in deck), "decks")
    for name, t, values in _fields(m):
        _that(all(_fits(m, t, v) for v in values), name)
    for (bearer, name), serial in m.used.items():
        _that(isinstance(name, str) and _is_int(serial) and isinstance(bearer, int | tuple), "used")
    for name in m.game.secrets_of_players:
        _that(all(_is_int(mask) and mask & ~ALL == 0 for mask in getattr(m, f"h_{name}")), "shown")
    for age, lines, env, period in m.lasting:
        _that(_is_int(age) and bool(lines) and all(line in m.game.lines for line in lines), "lasting")
        _that(period is None or (_is_int(period) and 0 <= period < len(m.periods)), "lasting")
        _that(_is_bearer(m, env), "lasting")
        for i in m.game.lines[lines[0]].cards:
            _that(env[i] is None or _is_card(m, env[i]), "lasting")
    if m.result is not None:
        _that((m.result[0] is None or _is_seat(m.result[0])) and isinstance(m.result[1], str), "result")


def check_running(m: State) -> None:
    """The same for what runs and what is asked; the state is sound, and its registries are made."""
    for held in m.held:
        for event, args in held:
            _that(_is_event(m, event, args), "held")
    at_work: Counter[Any] = Counter()
    _frames(m, m.frames, at_work)
    _that(Counter(map(frozen, m.using)) == at_work, "using")
    _that(len(m.held) >= sum(f[0] == "·together" for f in m.frames), "held")
    if m.wait is not None:
        _wait(m, m.wait, m.frames)
    _that((m.wait is None) == (m.result is not None), "wait")


def _that(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"`{what}` is unsound")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ints(values: Any) -> bool:
    return isinstance(values, list) and all(map(_is_int, values))


def _is_seat(value: Any) -> bool:
    return _is_int(value) and 0 <= value < SEATS


def _is_card(m: State, value: Any) -> bool:
    return _is_int(value) and 0 <= value < len(m.d)


def _cards(m: State) -> None:
    n = len(m.d)
    for name in ("d", "at", "own", "up", "age"):
        values = getattr(m, name)
        _that(isinstance(values, list) and len(values) == n, name)
    _that(_ints(m.d) and all(0 <= d < len(m.printed) for d in m.d), "d")
    _that(_ints(m.at) and all(-1 <= at < len(m.game.places) for at in m.at), "at")
    _that(all(own is None or _is_seat(own) for own in m.own), "own")
    _that(all(isinstance(up, bool) for up in m.up), "up")
    _that(_ints(m.age), "age")
    _that(len(m.places) == len(m.game.places), "places")
    found = 0
    for place, cards in enumerate(m.places):
        _that(isinstance(cards, list) and all(_is_card(m, c) and m.at[c] == place for c in cards), "places")
        _that(len(set(cards)) == len(cards), "places")
        found += len(cards)
    _that(found == sum(at >= 0 for at in m.at), "places")
    _that(all(_is_card(m, card) and _is_int(mask) and mask & ~ALL == 0 for card, mask in m.known.items()), "known")
    for card, slots in m.borrowed.items():
        _that(_is_card(m, card) and all(_is_card(m, lender) for lender in slots.values()), "borrowed")


def _fields(m: State) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    """The name, the type and the values of every state and field."""
    model = m.game.model
    for kind in model.kinds:
        for s in kind.states:
            values = getattr(m, f"c_{kind.name}·{s.name}")
            _that(isinstance(values, list) and len(values) == len(m.d), s.name)
            has = [kind.name in m.game.ancestry[model.kinds[m.K[d]].name] for d in m.d]
            _that(all(value is None for value, its in zip(values, has, strict=True) if not its), s.name)
            yield s.name, s.type, [value for value, its in zip(values, has, strict=True) if its]
    for f in model.player:
        values = getattr(m, f"p_{f.name}")
        _that(isinstance(values, list) and len(values) == SEATS, f.name)
        yield f.name, f.type, values
    for s in model.state:
        yield s.name, s.type, [getattr(m, f"s_{s.name}")]
    for o in model.options:
        yield o.name, o.type, [getattr(m, f"o_{o.name}")]
    for board in model.boards:
        for f in board.fields:
            values = getattr(m, f"b_{board.name}·{f.name}")
            _that(isinstance(values, list) and len(values) == (board.size or 1), f.name)
            yield f.name, f.type, values


def _fits(m: State, t: dict[str, Any], value: Any) -> bool:
    match t["t"]:
        case "optional":
            return value is None or _fits(m, t["of"], value)
        case "list":
            return isinstance(value, list) and all(_fits(m, t["of"], v) for v in value)
        case "bool":
            return isinstance(value, bool)
        case "player":
            return _is_seat(value)
        case "card":
            return _is_card(m, value)
        case "printed" | "form":
            return _is_int(value) and 0 <= value < len(m.printed)
        case "enum":
            return _is_int(value) and 0 <= value < len(m.game.enum_members[t["of"]])
        case "element":
            size = next(b.size for b in m.game.model.boards if b.name == t["of"])
            return _is_int(value) and 0 <= value < (size or 1)
        case "line":
            grid = m.game.grids[t["of"]]
            return _is_int(value) and 0 <= value < grid.rows + grid.columns
        case "set":
            members = m.printed if t["of"]["t"] == "form" else m.game.enum_members[t["of"]["of"]]
            return _is_int(value) and 0 <= value < 1 << len(members)
        case _:
            return _is_int(value)


def _is_bearer(m: State, value: Any) -> bool:
    """Whether it is a card, or what a lasting line has captured: its card, its player, more, and a serial."""
    if isinstance(value, tuple):
        return len(value) > 2 and _is_card(m, value[0]) and _is_seat(value[1]) and _is_int(value[-1])
    return _is_card(m, value)


def _is_event(m: State, name: str, args: Sequence[Any]) -> bool:
    """Whether there is such an event, and these are arguments for it."""
    params = next((e.params for e in m.game.model.effects if e.name == name), None)
    if params is None or not isinstance(args, tuple) or len(args) != len(params):
        return False
    return all(_fits(m, p.type, arg) for p, arg in zip(params, args, strict=True))


# ---- What runs


def _frames(m: State, frames: list[Frame], at_work: Counter[Any]) -> None:
    """Check frames, and count the replacements among them."""
    for f in frames:
        if f[0] not in KERNEL_FRAMES:
            _that(f[0].startswith("s_") and len(f) == m.game.steps[f[0]].size, "frames")
            _that(_is_int(f[1]) and f[1] in stops(m.game, f[0]) and _is_plain(f[2:]), "frames")
            continue
        match f:
            case ["·shallower", 0]:
                pass
            case ["·instead", 1, name, bearer, args]:
                _that(_is_line(m, name, "instead", bearer, args), "frames")
                at_work[frozen((bearer, name))] += 1
            case ["·batch", int(at), [*lines]]:
                _that(0 <= at <= len(lines), "frames")
                _that(all(_is_line(m, name, "on offer", bearer, args) for name, bearer, args in lines), "frames")
            case ["·offer", 0 | 1, event, seat, args]:
                _that(_is_event(m, event, args) and _is_seat(seat), "frames")
            case ["·together", int(stage), int(at), [*stacks], [*waits], [*answers]]:
                _that(0 < stage < 3 and 0 <= at <= len(stacks) == len(waits) == len(answers), "frames")
                for stack, wait, answer in zip(stacks, waits, answers, strict=True):
                    _frames(m, stack, at_work)
                    if stage == 1:  # the stacks go on, one after the other
                        continue
                    if wait is not None:
                        _wait(m, wait, stack)
                    _that(answer is None or (answer is True if wait is None else _answers(wait, answer)), "frames")
            case _:
                _that(False, "frames")


def _is_plain(value: Any) -> bool:
    """Whether it can be what a local holds."""
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, int)


def _is_line(m: State, name: str, kinds: str, bearer: Any, args: Any) -> bool:
    line = m.game.lines[name]
    return line.kind in kinds and _is_bearer(m, bearer) and _is_event(m, line.of, args)


def _answers(wait: tuple[Any, ...], answer: Any) -> bool:
    return bool(wait[3]) if answer is True else answer in wait[2]


def _wait(m: State, wait: tuple[Any, ...], frames: list[Frame]) -> None:
    """Check a question, and that the frames are where it is asked."""
    seat, site, options, optional = wait
    _that(_is_seat(seat) and isinstance(optional, bool) and len(options) + optional > 0, "wait")
    forms = asked_at(m.game, site).alternatives
    for option in options:
        _that(_is_int(option[0]) and 0 <= option[0] < len(forms), "wait")
        for pick, value in zip(forms[option[0]].picks, option[1:], strict=True):
            _that(_fits(m, pick.type, value) or (value is None and pick.maybe), "wait")
    f = frames[-1]
    match f:
        case ["·together", 2, at, _, waits, _]:
            _that(waits[at] == wait, "wait")
        case ["·offer", 1, *_]:
            _that(offered(m, f) == wait, "wait")
        case [str(name), pc, *_] if name not in KERNEL_FRAMES:
            _that(stops(m.game, name)[pc] == (site, optional), "wait")
        case _:
            _that(False, "wait")


_DEF = "\ndef {}(m, f):\n"
_STOP = re.compile(r"^ +f\[1\] = (\d+)\n(?: +m\.wait = \(.*, '([^']*)', \w+, (True|False)\)$)?", re.MULTILINE)


def stops(game: Any, name: str) -> dict[int, tuple[str, bool] | None]:
    """The numbers of the blocks with which a step function begins or goes on after a pause, as its text has them; for
    those that take an answer, the site of the question and whether it can be declined."""
    texts, start = game.texts, _DEF.format(name)
    at = texts.home.get(name)
    modules = [texts.parts[at[0]][at[1]]] if at else [module for i in texts.rules for module in texts.parts[i]]
    text = next(text for text, _, _ in modules if start in f"\n{text}")
    body = f"\n{text}".partition(start)[2].partition(f"\n{name}.size = ")[0]
    return {0: None} | {int(pc): (site, may == "True") if site else None for pc, site, may in _STOP.findall(body)}
