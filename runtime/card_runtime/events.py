"""The life of an event: replaced, carried out, observed; what lasts; periods and limits. Generated code calls these.

Each has a direct form, which goes on at once, and a step form, which pushes frames (`[code, pc, …]`) and lets
`driver.advance` run them.
Frames of the kernel's own begin with `·`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from card_runtime.errors import Over, Overrun
from card_runtime.registry import Entry, bring, bucket, lender, register, take

if TYPE_CHECKING:
    from card_runtime.model import AbilityLine, Event, SlotCode
    from card_runtime.state import Frame, State

MOST_STEPS = 100_000
MOST_DEPTH = 100
Args = tuple[Any, ...]
T = TypeVar("T")


# ---- Limits


def tick(m: State) -> None:
    """Count a step of a loop; the count begins anew at each decision."""
    m.steps += 1
    if m.steps > MOST_STEPS:
        too_much(m, None)


def passes(m: State, items: Sequence[T]) -> Sequence[T]:
    """What a search goes through, each a step, as something that may take long is asked of each."""
    m.steps += len(items)
    if m.steps > MOST_STEPS:
        too_much(m, None)
    return items


def deeper(m: State) -> None:
    """Count a level of abilities that set off each other."""
    m.depth = depth = m.depth + 1
    m.steps = steps = m.steps + 1
    if depth > MOST_DEPTH or steps > MOST_STEPS:
        too_much(m, None)


def too_much(m: State, line: AbilityLine | None) -> None:
    """Stop the match: a limit was exceeded by this ability."""
    if m.steps > MOST_STEPS:
        raise Overrun(f"more than {MOST_STEPS} steps without a decision")
    raise Overrun(f"abilities set off each other more than {MOST_DEPTH} deep", line)


# ---- Conditions of lines


def unused(m: State, source: int, period: int, name: str) -> bool:
    """Whether the limit `name` of a bearer is not used up in the running period."""
    return m.used.get((source, name)) != m.periods[period]


# What stands in an attribute is called from a local below: called from the attribute, it would be sought as a method.


def use(m: State, line: AbilityLine, bearer: Any) -> None:
    """A line with a limit has run; what lasts until used ends."""
    if line.once is not None:
        period, name = line.once
        source = lender(m, bearer, line.slot) if isinstance(bearer, int) else bearer[2]
        m.used[source, name] = m.periods[period]
    if line.until is not None and line.until[0] is None:
        end_used(m, bearer)


def owner_of(m: State, line: AbilityLine, bearer: Any) -> int:
    """`you` of a line: captured with what lasts, else the bearer's owner."""
    if isinstance(bearer, tuple):
        you: int = bearer[1]
        return you
    return m.own[bearer] or 0


def trigger_order(m: State, entries: Sequence[Entry]) -> list[Entry]:
    """The player of the innermost running `alternate` first, then seat order; in a player by priority, age, printed
    order."""
    if len(entries) < 2:
        return list(entries)
    first = m.turn or 0
    return sorted(entries, key=lambda e: ((owner_of(m, e[3], e[1]) - first) % 2, e[0]))


# ---- Direct form


def replaced(m: State, entries: Sequence[Entry], args: Args) -> bool:
    """Run the first `instead of` that holds and is not at work already; tell whether there was one."""
    for _, bearer, _, line in entries if len(entries) < 2 else replacement_order(m, entries):
        key = (bearer, line.name)
        if key not in m.using and holds(m, line, bearer, args):
            begin_line(m, line, bearer)
            m.using.append(key)
            try:
                code_of(m, line)(m, bearer, *args)
            finally:
                m.using.remove(key)
                m.depth -= 1
            return True
    return False


def replacement_order(m: State, entries: Sequence[Entry]) -> Sequence[Entry]:
    """By priority, then in trigger order."""
    if len(entries) < 2:
        return entries
    first = m.turn or 0
    return sorted(entries, key=lambda e: (e[3].priority, (owner_of(m, e[3], e[1]) - first) % 2, e[0]))


def begin_line(m: State, line: AbilityLine, bearer: Any) -> None:
    # `deeper`, written out here, in `carry_out` and in `run`, as each ability of a playout begins so
    m.depth = depth = m.depth + 1
    m.steps = steps = m.steps + 1
    if depth > MOST_DEPTH or steps > MOST_STEPS:
        too_much(m, line)
    if line.once is not None or line.until is not None:
        use(m, line, bearer)
    if m.obs is not None:
        m.obs.ability(m, bearer if isinstance(bearer, int) else bearer[0], line)


def code_of(m: State, code: AbilityLine | SlotCode) -> Callable[..., Any]:
    """The direct form: where no logs are kept, the one that tells them nothing."""
    return code.quiet if m.obs is None else code.fn


def holds(m: State, line: AbilityLine, bearer: Any, args: Args) -> bool:
    """Whether a line of this bearer hears, offers at or takes the place of an event with these arguments."""
    test = line.holds if m.obs is None else line.cond
    found: bool = test(m, bearer, *args)
    return found


def holding(m: State, entries: Sequence[Entry], args: Args) -> list[Entry]:
    """Those of the entries whose lines hear an event with these arguments."""
    found = []
    quiet = m.obs is None
    for entry in entries:
        test = entry[3].holds if quiet else entry[3].cond
        if test(m, entry[1], *args):
            found.append(entry)
    return found


def fire(m: State, event: Event, entries: Sequence[Entry], args: Args) -> None:
    """Tell the listeners (the entries that may concern `args`) of an event that has happened, or keep it where
    `together` holds them back."""
    if m.held:
        m.held[-1].append((event.name, args))
        return
    found: list[Entry] = []
    if m.obs is None and len(args) == 1:  # most events are of one thing
        arg = args[0]
        for entry in entries:
            test = entry[3].holds
            if test(m, entry[1], arg):
                found.append(entry)
    else:
        found = holding(m, entries, args)
    if len(found) > 1:
        run_batch(m, _in_order(m, [(entry, args) for entry in found]))
    elif found:
        _, bearer, _, line = found[0]
        carry_out(m, line, bearer, args)


def batch(m: State, happened: Sequence[tuple[Event, Args]]) -> list[tuple[AbilityLine, Any, Args]]:
    """The lines that hear these events, in trigger order over all of them; offers of one player to one event are
    one."""
    return _in_order(
        m, [(e, args) for event, args in happened for e in holding(m, hearing(m, event, args), args)]
    )  # fmt: skip


def hearing(m: State, event: Event, args: Args) -> Sequence[Entry]:
    """The listeners that an event with these arguments may concern."""
    registry = getattr(m, event.heard)
    return bucket(registry, event.keyed, args) if registry else ()


def _in_order(m: State, found: list[tuple[Entry, Args]]) -> list[tuple[AbilityLine, Any, Args]]:
    if len(found) > 1:
        first = m.turn or 0
        found.sort(key=lambda f: ((owner_of(m, f[0][3], f[0][1]) - first) % 2, f[0][0]))
    elif found:
        ((_, bearer, _, line), args) = found[0]
        return [(line, bearer, args)]
    out: list[tuple[AbilityLine, Any, Args]] = []
    offered: set[tuple[str, int, Args]] = set()
    for (_, bearer, _, line), args in found:
        if line.kind == "offer":
            key = (line.of, owner_of(m, line, bearer), frozen(args))
            if key in offered:
                continue
            offered.add(key)
        out.append((line, bearer, args))
    return out


def frozen(value: Any) -> Any:
    """What can be a key in the place of arguments or a bearer: lists in them, which locals may hold, as tuples."""
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def run_batch(m: State, lines: Sequence[tuple[AbilityLine, Any, Args]]) -> None:
    """Carry out lines that were just found to hold; all but the first are tested again as their turn comes."""
    first = True
    for line, bearer, args in lines:
        if first or line.kind == "offer" or (active(m, line, bearer) and holds(m, line, bearer, args)):
            carry_out(m, line, bearer, args)
        first = False


def carry_out(m: State, line: AbilityLine, bearer: Any, args: Args) -> None:
    """Carry out what a line does, or offer it."""
    if line.kind == "offer":
        offer(m, line.of, owner_of(m, line, bearer), args)
        return
    if m.obs is not None:
        begin_line(m, line, bearer)
        line.fn(m, bearer, *args)
        m.depth -= 1
        return
    m.depth = depth = m.depth + 1
    m.steps = steps = m.steps + 1
    if depth > MOST_DEPTH or steps > MOST_STEPS:
        too_much(m, line)
    if line.once is not None or line.until is not None:
        use(m, line, bearer)
    do = line.quiet
    do(m, bearer, *args)
    m.depth = depth - 1


def active(m: State, line: AbilityLine, bearer: Any) -> bool:
    """Whether the bearer still has the line: since its batch was made a lasting one may have ended, and a card may
    have another form or have exchanged what it bears."""
    if line.until is not None:
        return any(e[2] == bearer and line.name in e[1] for e in m.lasting)
    return line in m.by_slot[m.d[lender(m, bearer, line.slot)]].get(line.slot, ())


def offers(m: State, of: str, player: int, args: Args) -> list[tuple[Any, ...]]:
    """All that a player is offered at an event: `(line, bearer, alternative, pick, …)`."""
    out: list[tuple[Any, ...]] = []
    for _, bearer, _, line in trigger_order(m, hearing(m, m.game.events[of], args)):
        if line.options is not None and owner_of(m, line, bearer) == player and holds(m, line, bearer, args):
            out.extend((line, bearer, *option) for option in line.options(m, bearer, *args))
    return out


def offer(m: State, of: str, player: int, args: Args) -> None:
    """Offer until declined or nothing is left."""
    while options := offers(m, of, player, args):
        i = m.ask(player, len(options) + 1)
        if i == len(options):
            return
        line, bearer, *option = options[i]
        begin_line(m, line, bearer)
        code_of(m, line)(m, bearer, *args, tuple(option))
        m.depth -= 1


def run(m: State, ability: SlotCode, card: int, name: str) -> None:
    """Carry out what a card's effect slot says."""
    m.depth = depth = m.depth + 1
    m.steps = steps = m.steps + 1
    if depth > MOST_DEPTH or steps > MOST_STEPS:
        too_much(m, None)
    if m.obs is None:
        ability.quiet(m, card)
    else:
        m.obs.ran(m, card, name)
        ability.fn(m, card)
    m.depth = depth - 1


def hold(m: State) -> None:
    m.held.append([])


def release(m: State) -> None:
    """The end of `together`: all that happened inside is heard as one batch."""
    happened = m.held.pop()
    if not happened:
        return
    if m.held:
        m.held[-1].extend(happened)
    else:
        run_batch(m, batch(m, [(m.game.events[name], args) for name, args in happened]))


# ---- Step form


def call(m: State, event: Event, args: Args) -> bool:
    """Raise an event from a step function; True where a frame was pushed, so that the caller must return."""
    if not event.pauses:
        event.fn(m, *args)
        return False
    replacing = getattr(m, event.replaced)
    for _, bearer, _, line in replacement_order(m, bucket(replacing, event.keyed, args)) if replacing else ():
        key = (bearer, line.name)
        if key not in m.using and holds(m, line, bearer, args):
            begin_line(m, line, bearer)
            m.using.append(key)
            m.frames.append(["·instead", 0, line.name, bearer, args])
            return True
    push(m, event.step, args)
    return True


def push(m: State, code: str, args: Sequence[Any]) -> None:
    size: int = m.game.steps[code].size
    m.frames.append([code, 0, *args, *[None] * (size - 2 - len(args))])


def done(m: State, event: Event, f: Frame) -> None:
    """The end of an effect's body: tell its listeners."""
    m.frames.pop()
    if getattr(m, event.heard):
        args = tuple(f[2 : 2 + event.params])
        if m.held:
            m.held[-1].append((event.name, args))
        else:
            push_batch(m, batch(m, [(event, args)]))


def push_batch(m: State, lines: Sequence[tuple[AbilityLine, Any, Args]]) -> bool:
    if not lines:
        return False
    m.frames.append(["·batch", 0, [(line.name, bearer, args) for line, bearer, args in lines]])
    return True


def release_step(m: State) -> bool:
    happened = m.held.pop()
    if m.held:
        m.held[-1].extend(happened)
        return False
    return push_batch(m, batch(m, [(m.game.events[name], args) for name, args in happened]))


def run_step(m: State, ability: SlotCode | None, card: int, name: str) -> bool:
    if ability is None:
        return False
    if not ability.pauses or ability.step is None:
        run(m, ability, card, name)
        return False
    deeper(m)
    if m.obs is not None:
        m.obs.ran(m, card, name)
    m.frames.append(["·shallower", 0])
    push(m, ability.step, (card,))
    return True


def push_line(m: State, line: AbilityLine, bearer: Any, args: Args, extra: Args = ()) -> None:
    """Carry out a line's block: at once where it cannot pause."""
    if not line.pauses or line.step is None:
        line.fn(m, bearer, *args, *extra)
        return
    head = (bearer,) if isinstance(bearer, int) else bearer[:-1]
    push(m, line.step, (*head, *args, *extra))


def _instead(m: State, f: Frame) -> None:
    """`[·instead, pc, line, bearer, args]`: the block runs, then its mark goes."""
    line = m.game.lines[f[2]]
    if f[1] == 0:
        f[1] = 1
        push_line(m, line, f[3], f[4])
        return
    m.frames.pop()
    m.using.remove((f[3], line.name))
    m.depth -= 1


def _batch(m: State, f: Frame) -> None:
    """`[·batch, next, lines]`: each is tested again as its turn comes."""
    if f[1] >= len(f[2]):
        m.frames.pop()
        return
    name, bearer, args = f[2][f[1]]
    f[1] += 1
    line = m.game.lines[name]
    if line.kind == "offer":
        m.frames.append(["·offer", 0, line.of, owner_of(m, line, bearer), args])
    elif active(m, line, bearer) and holds(m, line, bearer, args):
        begin_line(m, line, bearer)
        m.frames.append(["·shallower", 0])
        push_line(m, line, bearer, args)


def _shallower(m: State, f: Frame) -> None:
    m.frames.pop()
    m.depth -= 1


def _offer(m: State, f: Frame) -> None:
    """`[·offer, pc, event, player, args]`: ask, carry out, ask again until declined or nothing is left."""
    options = offers(m, f[2], f[3], f[4])
    sites: list[str] = []
    flat: list[tuple[Any, ...]] = []
    starts: dict[tuple[str, Any], int] = {}
    offset = 0
    for line, bearer, *rest in options:
        key = (line.name, frozen(bearer))
        if key not in starts:
            starts[key] = offset
            sites.append(line.site)
            offset += len(m.game.sites[line.site].alternatives)
        flat.append((starts[key] + rest[0], *rest[1:]))
    if f[1] == 0:
        if options:
            f[1] = 1
            m.wait = (f[3], tuple(sites), flat, True)
        else:
            m.frames.pop()
        return
    f[1] = 0
    if m.answer is None:
        m.frames.pop()
        return
    line, bearer, *option = options[flat.index(m.answer)]
    begin_line(m, line, bearer)
    m.frames.append(["·shallower", 0])
    push_line(m, line, bearer, f[4], (tuple(option),))


# ---- Lasting lines and periods


def lasting(m: State, lines: Sequence[AbilityLine], names: tuple[str, ...], env: Args, period: int | None) -> None:
    """Let lines of these names live on without their card, with what they captured; a serial at its end makes each
    bearer unlike all others."""
    m.next_lasting = serial = m.next_lasting + 1
    m.clock = age = m.clock + 1
    env += (serial,)
    m.lasting.append((age, names, env, period))
    if period is not None:
        m.ends |= 1 << period
    bring(m, env, lines, age)


def end_used(m: State, bearer: Any) -> None:
    """End what lasts until it is used."""
    serial = bearer[-1]
    for i, (_, names, env, _) in enumerate(m.lasting):
        if env[-1] == serial:
            del m.lasting[i]
            take(m, env, _named(m, names))
            return


def end_period(m: State, period: int) -> None:
    """End what lasts to the end of this period: also what began before it, when no such period was running."""
    if m.ends >> period & 1:
        ended = [entry for entry in m.lasting if entry[3] == period]
        m.lasting = [entry for entry in m.lasting if entry[3] != period]
        for _, names, env, _ in ended:
            take(m, env, _named(m, names))
        m.ends ^= 1 << period


def _named(m: State, names: Iterable[str]) -> Iterable[AbilityLine]:
    return map(m.game.lines.__getitem__, names)


def finish(m: State, winner: int | None, reason: str) -> NoReturn:
    """End the match at once."""
    m.result = (winner, reason)
    raise Over


def skip(m: State, seat: int, site: str) -> None:
    if m.obs is not None:
        m.obs.skipped(m, seat, site)


def rebuild(m: State) -> None:
    """Make the registries anew, what is known of what lasts, and how deep abilities are that wait in the midst."""
    m.forget_lines()
    m.depth = _levels(m.frames)
    m.ends = sum({1 << period for _, _, _, period in m.lasting if period is not None})
    for card in sorted(range(len(m.d)), key=lambda c: m.age[c]):
        if m.at[card] >= 0:
            register(m, card, m.game.home[m.at[card]])
    for age, names, env, _ in m.lasting:
        bring(m, env, _named(m, names), age)


def _levels(frames: Sequence[Frame]) -> int:
    """How many abilities run, whose frames lie on each other."""
    return sum(
        sum(map(_levels, f[3])) if f[0] == "·together" else f[0] in ("·shallower", "·instead") for f in frames
    )


def rename_bearers(frames: Sequence[Frame], new: Mapping[Any, Any]) -> None:
    """Give the lines that wait for their turn in a batch other bearers; `new` by the old ones, `frozen`."""
    for f in frames:
        if f[0] == "·batch":
            f[2] = [(name, new.get(frozen(bearer), bearer), args) for name, bearer, args in f[2]]
        elif f[0] == "·together":
            for stack in f[3]:
                rename_bearers(stack, new)


def load_frame(f: Frame) -> Frame:
    """A frame read back from JSON: arguments and bearers of kernel frames are tuples."""

    def bearer(b: Any) -> Any:
        return tuple(b) if isinstance(b, list) else b

    match f[0]:
        case "·instead":
            return [*f[:3], bearer(f[3]), tuple(f[4])]
        case "·batch":
            return [*f[:2], [(name, bearer(b), tuple(args)) for name, b, args in f[2]]]
        case "·offer":
            return [*f[:4], tuple(f[4])]
        case "·together":
            stacks = [[load_frame(g) for g in stack] for stack in f[3]]
            waits = [None if w is None else (w[0], w[1], [tuple(o) for o in w[2]], w[3]) for w in f[4]]
            return [*f[:3], stacks, waits, [tuple(a) if isinstance(a, list) else a for a in f[5]]]
    return f


KERNEL_FRAMES: dict[str, Callable[[Any, Any], None]] = {
    "·instead": _instead,
    "·batch": _batch,
    "·shallower": _shallower,
    "·offer": _offer,
}
