"""Runs a match: step by step to its next question, or in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import length_hint
from typing import TYPE_CHECKING, Any, NoReturn

from card_runtime.chance import lot
from card_runtime.depth import dive, surface
from card_runtime.drawing import MOST_OPTIONS
from card_runtime.errors import Endless, Over, Overrun
from card_runtime.events import KERNEL_FRAMES, call, push, release_step
from card_runtime.faults import settle

if TYPE_CHECKING:
    from card_runtime.state import Frame, State, Wait



def advance(m: State, whole: bool = True) -> None:
    """Go on until a question is open or the match is over; not `whole`: or until there is nothing more to run.

    Raises CardFault."""
    steps, frames = m.game.steps, m.frames
    m.steps = 0
    dive()
    try:
        while m.wait is None:
            if not frames:
                if not whole:
                    return
                raise Overrun("the flow has come to its end without a result")
            f = frames[-1]
            steps[f[0]](m, f)
            frames = m.frames
        if m.decisions >= m.game.limit:
            raise Endless(m.game.limit)
        if len(m.wait[2]) + m.wait[3] > MOST_OPTIONS:
            raise Overrun(f"a choice has more than {MOST_OPTIONS} options")
    except Exception as error:
        settle(m, error)
    finally:
        surface()


def over(m: State) -> None:
    """The match has a result: nothing more will run."""
    if m.frames or m.held or m.using:  # mostly there is nothing left, and playouts are short
        m.frames, m.held, m.using = [], [], []
    m.wait = None
    m.depth = 0
    if m.obs is not None:
        m.obs.ended(m)


def stopped(m: State, why: Overrun, cards: Iterable[str] = ()) -> None:
    """A limit was exceeded: the match ends as a tie whose reason names the cards at work, by their printed ids."""
    titles = [next((c.title for c in m.printed if c.id == card), card) for card in cards]
    names = f" ({', '.join(titles)})" if titles else ""
    m.result = (None, f"stopped: {why}{names}")
    over(m)


def answer(m: State, option: tuple[Any, ...] | None) -> None:
    """Store the answer to the open question; `advance` goes on with it."""
    m.answer = option
    m.wait = None
    m.decisions += 1
    m.steps = 0


def run(m: State, name: str, *args: Any) -> None:
    """Call an effect from outside, in the midst of a match; it must end the match or let it go on, and cannot ask."""
    m.steps = 0
    dive()
    try:
        m.game.code[f"e_{name}"](m, *args)
    except Exception as error:
        settle(m, error)
    finally:
        surface()


def enter(m: State, name: str, args: tuple[Any, ...]) -> None:
    """Begin an effect from outside, which may ask: `advance` goes on with it. Raises CardFault."""
    m.steps = 0
    dive()
    try:
        call(m, m.game.events[name], args)
    except Exception as error:
        settle(m, error)
    finally:
        surface()


def reask(m: State) -> None:
    """Enumerate the open question anew, after the state has changed under it: the frame that asked asks again."""
    if m.wait is None or not m.frames:
        return
    f = m.frames[-1]
    if f[0] == "·together":
        _ask_again(m, range(f[2], len(f[3])))
        f[1] = 0
    else:
        f[1] -= 1  # the block that asks stands before the one that takes the answer
    m.wait = None
    advance(m)


def secret(m: State) -> bool:
    """Whether the open question is one of several that are answered in secret."""
    return m.wait is not None and bool(m.frames) and m.frames[-1][0] == "·together"


def reask_others(m: State, seat: int, draw: Callable[[], float]) -> None:
    """Enumerate the secret questions of all but `seat` anew, and draw those answers from them that are locked.

    `draw` gives a number from 0 to below 1. The question of `seat` stays as it is."""
    f = m.frames[-1]
    asked = m.wait
    assert asked is not None
    others = [i for i, wait in enumerate(f[4]) if wait is not None and wait[0] != seat]
    _ask_again(m, others)
    for i in others:
        if i < f[2] and (wait := f[4][i]) is not None:
            n = int(draw() * (len(wait[2]) + wait[3]))
            f[5][i] = wait[2][n] if n < len(wait[2]) else True
    m.wait = asked
    if asked[0] != seat:
        m.wait = None
        f[1] = 0
        advance(m)


def _ask_again(m: State, which: Iterable[int]) -> None:
    """Run the stacks of a `together each` that wait at their question up to it again."""
    f = m.frames[-1]
    outer = m.frames
    for i in which:
        if f[4][i] is not None:
            m.wait = None
            m.frames = f[3][i]
            m.frames[-1][1] -= 1
            until_wait(m)
            f[4][i] = m.wait
    m.frames = outer


def begin(m: State) -> None:
    """Push `setup` and `flow`: a match begins."""
    if "s_flow" in m.game.code:
        push(m, "s_flow", ())
    if "s_setup" in m.game.code:
        push(m, "s_setup", ())


# ---- `together each`: secret choices


def together_step(m: State, code: str, seats: Sequence[int], captured: tuple[Any, ...]) -> None:
    """Run a stack of frames for each seat up to its one choice, then ask; `[·together, stage, at, stacks, waits,
    answers]`.

    Stage 0: the seats answer one by one; nothing of an answer reaches the state. Stage 1: the stacks go on in order."""
    outer, m.frames = m.frames, []
    stacks: list[list[Frame]] = []
    waits: list[Wait | None] = []
    held, m.held = m.held, [[]]
    for seat in seats:
        m.frames = []
        push(m, code, (*captured, seat))
        until_wait(m)
        stacks.append(m.frames)
        waits.append(m.wait)
        m.wait = None
    m.frames, m.held = outer, held
    m.held.append([])
    m.frames.append(["·together", 0, 0, stacks, waits, [None] * len(stacks)])


def until_wait(m: State) -> None:
    steps = m.game.steps
    while m.wait is None and m.frames:
        f = m.frames[-1]
        steps[f[0]](m, f)


def _together(m: State, f: Frame) -> None:
    _, stage, at, stacks, waits, answers = f
    if stage == 2:  # a seat has answered
        answers[at] = True if m.answer is None else m.answer
        f[1], f[2] = 0, at + 1
    elif stage == 0:
        while f[2] < len(stacks) and waits[f[2]] is None:
            f[2] += 1
        if f[2] < len(stacks):
            f[1] = 2
            m.wait = waits[f[2]]
        else:
            f[1], f[2] = 1, 0
    elif at < len(stacks):
        f[2] += 1
        if stacks[at]:
            m.answer = None if answers[at] is True else answers[at]
            m.frames.extend(stacks[at])
            f[3] = [*stacks[:at], [], *stacks[at + 1 :]]
    else:
        m.frames.pop()
        release_step(m)


KERNEL_FRAMES["·together"] = _together


def together(m: State, code: str, seats: Sequence[int], captured: tuple[Any, ...]) -> None:
    """The direct form: the same frames, each question answered at once."""
    outer, m.frames = m.frames, []
    together_step(m, code, seats, captured)
    while m.frames:
        until_wait(m)
        if m.wait is not None:
            seat, _, options, optional = m.wait
            m.wait = None
            i = m.ask(seat, len(options) + optional)
            m.answer = options[i] if i < len(options) else None
    m.frames = outer


# ---- In one go


def play_through(m: State, begun: bool = False) -> None:
    """Run a whole match in its direct form, questions answered by `m.ask`; `begun`: from the end of its setup."""
    code = m.game.quiet()
    dive()
    try:
        if not begun and "setup" in code:
            code["setup"](m)
        code["flow"](m)
        if m.result is None:
            raise Overrun("the flow has come to its end without a result")
        over(m)
    except Over:
        over(m)
    except Exception as error:
        settle(m, error)
    finally:
        surface()
    if m.left is not None:
        m.decisions = drawn_decisions(m)


# ---- Who answers


def no_ask(seat: int, n: int) -> int:
    """`m.ask` while nobody plays."""
    raise AssertionError("a question in direct form without anyone to answer it")


def at_random(m: State, seed: int) -> Callable[[int, int], int]:
    """Answers for `m.ask`, evenly drawn as the bots of this seed do; the rules draw them themselves."""
    m.left = m.game.limit, iter(())
    m.draw = draw = chain.from_iterable(_lots(m, seed))

    def ask(seat: int, n: int) -> int:
        m.steps = 0
        if n <= MOST_OPTIONS:
            for drawn in draw:
                return drawn % n
        undrawn(m)

    return ask


def _lots(m: State, seed: int) -> Iterator[Iterator[int]]:
    """What is drawn, lot by lot, up to the limit of decisions; `m.left` says what is left of both."""
    left, n = m.game.limit, 0
    while left > 0:
        found = lot(seed, n)[:left]
        left -= len(found)
        n += 1
        drawn = iter(found)
        m.left = left, drawn
        yield drawn


def drawn_decisions(m: State) -> int:
    """How many decisions a random bot has made."""
    assert m.left is not None
    left, drawn = m.left
    return m.game.limit - left - length_hint(drawn)


def undrawn(m: State) -> NoReturn:
    """A question is not asked: there are no more answers, or too many options. Raises Overrun."""
    m.decisions = drawn_decisions(m) + 1
    too_much(m, m.game.limit)


def counted(m: State, inner: Callable[[int, int], int]) -> Callable[[int, int], int]:
    """Answers for `m.ask` that somebody else gives."""
    limit = m.game.limit

    def ask(seat: int, n: int) -> int:
        m.steps = 0
        m.decisions = count = m.decisions + 1
        if count > limit or n > MOST_OPTIONS:
            too_much(m, limit)
        return inner(seat, n)

    return ask


def too_much(m: State, limit: int) -> NoReturn:
    """A question that has just been counted is not asked. Raises Overrun."""
    m.decisions -= 1
    if m.decisions >= limit:
        raise Endless(limit)
    raise Overrun(f"a choice has more than {MOST_OPTIONS} options")
