"""Runs in-language tests: builds the package in memory, then takes each test step by step.

The kinds of steps are those of `cardc.scripts`: what is given (`option chance let set put face owner decklist`), what
happens (`call setup flow`),
answers (`choose decline refuse`), and expectations (`expect win tie open`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from card_runtime.collector import paused
from msgspec import Struct, field

from cardc.ir import Function, Step, Test
from cardc.opening import Base, Files
from cardc.pipeline import Outcome, prepare
from cardc.suite import suite_of

SEED = 1
PLAYERS = ("me", "opponent")
"""What a test calls the players."""
MOST_TOLD = 8
"""How many texts of a log a failed test shows."""
GIVEN = frozenset({"option", "chance", "let", "set", "put", "decklist", "face", "owner"})


class TestResult(Struct):
    """What became of one test. `message` says where it failed, what was expected, what was there, and why."""

    title: str
    path: str
    line: int
    passed: bool
    message: str
    covers: tuple[str, ...]
    seconds: float


class Failed(Exception):
    """The test fails here."""


class Deck(Struct):
    """Chance as a test gives it: the events it names, in turn; all others are drawn from the match's own streams."""

    events: dict[str, list[Any]] = field(default_factory=dict)
    match: Any = None

    def shuffle(self, name: str, items: Sequence[Any]) -> Sequence[Any]:
        given = self.events.get(name) or self.events.get(name.rsplit(" ", 1)[0] if name[-1].isdigit() else "")
        if not given:
            from card_runtime import chance

            out = list(items)
            chance.shuffle(self.match, chance.SHUFFLE, out)
            return out
        rest = list(items)
        tops = []
        for kind, what in given.pop(0):
            found = next(
                (x for x in rest if (x.card == what if kind == "card" else self.match.d[x.card] == what)), None
            )
            if found is None:
                title = self.match.game.model.cards[self.match.d[what] if kind == "card" else what].title
                raise Failed(f"  {title} is given for the top, and is not among the cards of `chance {name}`")
            rest = [x for x in rest if x is not found]  # alike cards have equal names
            tops.append(found)
        return [*rest, *reversed(tops)]

    def pick(self, name: str, items: Sequence[Any]) -> Any:
        given = self.events.get(name)
        if not given:
            from card_runtime import chance

            return items[chance.below(self.match, chance.EFFECT, len(items))]
        kind, what = given.pop(0)
        for x in items:
            if (self.match.d[x] if kind == "printed" else x) == what:
                return x
        raise Failed(f"  what `chance {name}` gives cannot be picked here")


class Runner:
    """Runs the tests of one package."""

    def __init__(self, game: Any, owned: frozenset[int] = frozenset()) -> None:
        self.game = game
        self.owned = owned
        """The printed cards that have an owner in every match."""
        self.fn = game.code
        self.stopped = False
        """Whether the last test came to a limit of the runtime."""

    def run(self, test: Test) -> TestResult:
        start = time.perf_counter()
        message = ""
        run = Run(self, test)
        self.stopped = False
        try:
            run.all()
        except Failed as e:
            step = run.step
            line = step.line if step is not None else test.line
            text = step.text if step is not None else ""
            message = f"{test.path}:{line}: {text}\n{e}".rstrip()
            self.stopped = run.stopped is not None
        except Exception as e:
            from card_runtime import CardError
            from card_runtime.errors import CardFault, Overrun
            from card_runtime.faults import fault

            self.stopped = isinstance(e, Overrun | RecursionError)
            found = fault(self.game, e)
            if not isinstance(found, CardError | Overrun):
                raise
            line, text = (run.step.line, run.step.text) if run.step is not None else (test.line, "")
            plain = isinstance(e, CardFault) and e.file is None  # what the test itself says is wrong, and no rule
            why = "" if plain else run.ownerless()
            message = f"{test.path}:{line}: {text}\n  {found}{why}"
        return TestResult(
            test.title, test.path, test.line, not message, message, test.covers, time.perf_counter() - start
        )


class Run:
    """One test as it runs."""

    def __init__(self, runner: Runner, test: Test) -> None:
        self.runner, self.game, self.test = runner, runner.game, test
        self.step: Step | None = None
        self.locals: list[Any] = []
        self.deck = Deck()
        self.m: Any = None
        self.pending: str | None = None
        self.stopped: Step | None = None
        self.loose: dict[int, Step] = {}
        """The cards that were put where their owner does not follow from the place, and by what."""

    def all(self) -> None:
        options: dict[str, Any] = {}
        self.m = self.fresh(options)
        for step in self.test.steps:
            if step.kind == "option":
                fn = step.fns[0]  # a constant: it reads no local
                options[str(step.names[0])] = self.runner.fn[fn.name](self.m, *[None] * len(fn.params))
        self.m = self.fresh(options)
        for step in self.test.steps:
            self.step = step
            if self.m.obs is None and step.kind not in GIVEN:
                self.watch()
            self.m.steps = 0
            getattr(self, f"do_{step.kind}")(step)
        self.step = self.stopped
        if self.stopped is not None:
            raise Failed(f"  the match was {self.m.result[1]}")
        if self.pending == "call" and self.m.wait is not None:
            raise Failed(f"  the test ends, but `{PLAYERS[self.m.wait[0]]}` still has to choose: {self.offered()}")
        left = next((name for name, given in self.deck.events.items() if given), None)
        if left is not None:
            raise Failed(f"  chance is given for `{left}`, but it is not drawn so often")

    def fresh(self, options: dict[str, Any]) -> Any:
        m = self.game.bare_state({o.name: options.get(o.name, o.default) for o in self.game.model.options})
        m.seed = SEED
        from card_runtime.chance import keys

        m.keys = keys(SEED)
        self.deck.match = m
        m.chance = self.deck
        return m

    def watch(self) -> None:
        """What is given lies there from the beginning: the log begins after it."""
        from card_runtime.observer import Observer

        self.m.obs = Observer()
        self.m.obs.tags.watch(self.m)

    def value(self, fn: Function) -> Any:
        """What a step's function gives now; a list is what it is now, not what lies in a place later."""
        found = self.runner.fn[fn.name](self.m, *self.locals[: len(fn.params)])
        return list(found) if isinstance(found, list) else found

    # ---- Given

    def do_option(self, step: Step) -> None:
        """Options were set before the match began."""

    def do_chance(self, step: Step) -> None:
        name = str(step.names[0])
        values = [self.value(f) for f in step.fns]
        if name.startswith("shuffle"):
            self.deck.events.setdefault(name, []).append(list(zip(step.names[1:], values, strict=True)))
        else:
            self.deck.events.setdefault(name, []).append((step.names[1], values[0]))

    def do_let(self, step: Step) -> None:
        self.locals.append(self.value(step.fns[0]))

    def do_set(self, step: Step) -> None:
        owner, value = self.value(step.fns[0]), self.value(step.fns[1])
        m, (kind, *names) = self.m, step.names
        if kind == "state":
            setattr(m, f"s_{names[0]}", value)
        elif kind == "player":
            getattr(m, f"p_{names[0]}")[owner] = value
        elif kind == "element":
            getattr(m, f"b_{names[0]}·{names[1]}")[owner] = value
        else:
            getattr(m, f"c_{names[0]}·{names[1]}")[owner] = value

    def card(self, kind: str | None, value: Any) -> int:
        new: int = value if kind == "card" else self.game.code["new_card"](self.m, value)
        return new

    def do_put(self, step: Step) -> None:
        place, *values = [self.value(f) for f in step.fns]
        for kind, value in zip(step.names, values, strict=True):
            card = self.card(kind, value)
            self.game.code["move"](self.m, card, place)
            if self.m.at[card] != place:
                raise Failed("  the place is full")
            if self.m.own[card] is None and self.m.d[card] in self.runner.owned:
                self.loose[card] = step

    def do_decklist(self, step: Step) -> None:
        seat, *values = [self.value(f) for f in step.fns]
        decks = [list(d) for d in self.m.decks]
        decks[seat] = [self.card(kind, value) for kind, value in zip(step.names, values, strict=True)]
        for card in decks[seat]:
            if self.m.own[card] is None:
                self.m.own[card] = seat
        self.m.decks = decks

    def do_face(self, step: Step) -> None:
        card, up = self.value(step.fns[0]), self.value(step.fns[1])
        self.m.up[card] = up

    def do_owner(self, step: Step) -> None:
        card, seat = self.value(step.fns[0]), self.value(step.fns[1])
        self.m.own[card] = seat

    def ownerless(self) -> str:
        """What a test should have said where its rules stumbled over a card without the owner that all such cards have
        in a match."""
        for card, step in self.loose.items():
            if self.m.own[card] is None:
                printed = self.game.model.cards[self.m.d[card]]
                fact = f"line {step.line} puts {printed.title} where its owner does not follow from the place"
                return f"\n  {fact}: name it, `let c = new {printed.id}`, and say whose it is, `c.owner = me`"
        return ""

    # ---- What happens

    def settled(self) -> None:
        if self.m.wait is not None and self.pending == "call":
            raise Failed(f"  `{PLAYERS[self.m.wait[0]]}` still has to choose: {self.offered()}")
        self.m.wait = None
        self.m.frames = []

    def go(self) -> None:
        """Let what has begun go on to its next question or its end."""
        from card_runtime.driver import advance

        if self.m.frames:
            self.m.failed = False
            advance(self.m, whole=False)
            self.happened()

    def happened(self) -> None:
        """See whether all went well."""
        if self.m.failed:
            refused = [str(r["text"]) for r in self.m.obs.log(None) if r.get("kind") == "fail"]
            fact = refused[-1] if refused else "A card was moved into a place that is full"
            raise Failed(f"  {fact}: the rules are to see that there is room before they move it")
        result = self.m.result
        if result is not None and str(result[1]).startswith("stopped: ") and self.stopped is None:
            self.stopped = self.step

    def do_call(self, step: Step) -> None:
        from card_runtime.driver import enter

        self.settled()
        self.pending = "call"
        args = tuple(self.value(f) for f in step.fns)
        self.m.failed = False
        enter(self.m, str(step.names[0]), args)
        self.happened()
        self.go()

    def part(self, name: str) -> None:
        from card_runtime.events import push

        self.settled()
        self.pending = name
        if f"s_{name}" not in self.game.code:
            raise Failed(f"  the game has no `{name}`")
        push(self.m, f"s_{name}", ())
        self.go()

    def do_setup(self, step: Step) -> None:
        self.part("setup")

    def do_flow(self, step: Step) -> None:
        self.part("flow")

    # ---- Answers

    def offered(self) -> str:
        from card_runtime.decision import Decision

        if self.m.wait is None:
            return "nothing"
        options = Decision(self.m).options
        return ", ".join(f"`{o.id}`" for o in options[:12]) + (" …" if len(options) > 12 else "")

    def matches(self, step: Step, option: tuple[Any, ...]) -> bool:
        site = self.m.wait[1]
        alternatives = [
            (s, a) for s in (site if isinstance(site, tuple) else (site,)) for a in self.game.sites[s].alternatives
        ]
        name, alt = alternatives[option[0]]
        known_by = {name, "·" + ",".join(p.name for p in alt.picks)}
        given = None if alt.verb != step.names[0] else self.given_for(step, known_by)
        if given is None:
            return False
        picks = dict(zip([p.name for p in alt.picks], option[1:], strict=True))
        for pick, (kind, fn) in given.items():
            have = picks[pick]
            if kind == "printed" and have is not None and self.is_card(alt, pick):
                have = self.m.d[have]
            if have != self.value(fn):
                return False
        return all(p.name in given or not p.maybe or picks[p.name] in (None, False) for p in alt.picks)

    def given_for(self, step: Step, known_by: set[str]) -> dict[str, tuple[str, Function]] | None:
        """What an answer gives for each pick, where this choice asks; None where it does not fit that choice."""
        names, fns = [str(x) for x in step.names[1:]], list(step.fns[1:])
        while names:
            sites, count = names[0].split(" "), int(names[1])
            if not known_by.isdisjoint(sites):
                words = names[2 : 2 + 2 * count]
                return dict(zip(words[::2], zip(words[1::2], fns, strict=False), strict=True))
            names, fns = names[2 + 2 * count :], fns[count:]
        return None

    def is_card(self, alt: Any, name: str | None) -> bool:
        t = next(p.type for p in alt.picks if p.name == name)
        return bool((t["of"] if t["t"] == "optional" else t)["t"] == "card")

    def do_choose(self, step: Step) -> None:
        seat = self.value(step.fns[0])
        found = self.legal(step, seat)
        if not found:
            asked = self.m.wait is None or self.m.wait[0] == seat
            fact = "this is not offered" if asked else f"`{PLAYERS[seat]}` is not asked"
            raise Failed(f"  {fact}; {self.who_waits()}")
        self.answer(found[0])

    def legal(self, step: Step, seat: int) -> list[tuple[Any, ...]]:
        if self.m.wait is None or self.m.wait[0] != seat:
            return []
        return [o for o in self.m.wait[2] if self.matches(step, o)]

    def who_waits(self) -> str:
        if self.m.wait is None:
            ended = self.m.result
            return "nobody has to choose" + (f": the match is over ({ended[1]})" if ended else "")
        return f"`{PLAYERS[self.m.wait[0]]}` has: {self.offered()}"

    def answer(self, option: tuple[Any, ...] | None) -> None:
        from card_runtime.decision import Decision
        from card_runtime.driver import answer

        decision = Decision(self.m)
        index = None if option is None else self.m.wait[2].index(option)
        self.m.obs.chosen(self.m, decision, index)
        decision.close()
        answer(self.m, option)
        self.go()

    def do_decline(self, step: Step) -> None:
        seat = self.value(step.fns[0])
        if self.m.wait is None or self.m.wait[0] != seat:
            raise Failed(f"  `{PLAYERS[seat]}` has nothing to decline; {self.who_waits()}")
        if not self.m.wait[3]:
            raise Failed(f"  `{PLAYERS[seat]}` cannot decline, but has: {self.offered()}")
        self.answer(None)

    def do_refuse(self, step: Step) -> None:
        seat = self.value(step.fns[0])
        if self.legal(step, seat):
            raise Failed("  this is offered")

    # ---- Expectations

    def do_expect(self, step: Step) -> None:
        if self.value(step.fns[0]):
            return
        lines = ["  expected this to hold, but it does not"]
        for s in step.shown:
            value = self.value(s.fn)
            if s.type["t"] == "log":
                lines += self.told(s.text, value)
                continue
            where = ""
            if s.type.get("lies"):
                down = ", face down" if not self.m.up[value] else ""
                where = f"{down}, in {self.place(self.m.at[value])}"
            lines.append(f"    {s.text} is {words(s.type, self.as_json(s.type, value))}{where}")
            if s.value is not None:
                lines += [f"      {x}" for x in self.why(s.value[0], [self.value(f) for f in s.value[1]])]
        if self.m.wait is not None and self.pending == "call":
            lines.append(f"    what was called has not ended: {self.who_waits()}")
        raise Failed("\n".join(lines))

    def told(self, text: str, told: list[str]) -> list[str]:
        """The last texts of a log."""
        if not told:
            return [f"    {text} is empty"]
        more = f", after {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
        return [f"    {text} has{more}:", *(f"      {line}" for line in told[-MOST_TOLD:])]

    def place(self, place: int) -> str:
        """Where a card lies, in the words of a test."""
        from card_runtime import sight

        if place < 0:
            return "no place"
        data = sight.place_data(self.m, place)
        seat = PLAYERS[data["player"]] if "player" in data else ""
        if "zone" in data:
            return f"{seat}.{data['zone']}" if seat else str(data["zone"])
        at = data.get("element", "")
        element = f".at({at.replace(',', ', ')})" if isinstance(at, str) and at else "" if at == "" else f"[{at}]"
        return f"{data['board']}{element}.{data['part']}" + (f"[{seat}]" if seat else "")

    def as_json(self, t: dict[str, Any], value: Any) -> Any:
        from card_runtime import query, sight

        return sight.data(self.m, t, value, lambda card: query.card_word(self.m, card))

    def why(self, name: str, args: list[Any]) -> list[str]:
        from card_runtime import query

        value = next(v for v in self.game.model.values if v.name == name)
        try:
            said = [self.as_json(p.type, arg) for p, arg in zip(value.params, args, strict=True)]
            steps = query.why(self.m, name, *said)
        except Exception:  # the explanation must not hide the failure
            return []
        t = value.type
        out = []
        for s in steps:
            before = "" if s["op"] == "base" else f"{words(t, s['before'])} → "
            where = f" ({s['file']}:{s['line']})" if s.get("file") else ""
            out.append(f"{s['what']}: {before}{words(t, s['after'])}{where}")
        return out

    def do_win(self, step: Step) -> None:
        seat = self.value(step.fns[0])
        self.ended(seat, step.names[0], f"`{PLAYERS[seat]}` to win")

    def do_tie(self, step: Step) -> None:
        self.stopped = None
        self.ended(None, step.names[0], "a tie")

    def ended(self, winner: int | None, reason: str | None, words: str) -> None:
        result = self.m.result
        if result is None:
            raise Failed(f"  expected {words}, but the match goes on; {self.who_waits()}")
        if result[0] != winner:
            got = "it is a tie" if result[0] is None else f"`{PLAYERS[result[0]]}` wins"
            raise Failed(f"  expected {words}, but {got} ({result[1]})")
        if reason is not None and result[1] != reason:
            raise Failed(f"  expected the reason `{reason}`, but it is `{result[1]}`")

    def do_open(self, step: Step) -> None:
        if self.m.result is not None:
            raise Failed(f"  expected no result, but the match is over: {self.m.result[1]}")


@paused()
def words(t: dict[str, Any], value: Any) -> str:
    """A value of a type, both as a package has them, in the words of a test."""
    if value is None:
        return "none"
    match t["t"]:
        case "optional":
            return words(t["of"], value)
        case "list" | "set":
            return f"[{', '.join(words(t['of'], v) for v in value)}]"
        case "player":
            return PLAYERS[value]
        case "bool":
            return "true" if value else "false"
    return str(value)


def run_tests(folder: Path, base: Path | None = None, filter: str | None = None) -> tuple[Outcome, list[TestResult]]:
    """Build the package in `folder` in memory and run its tests whose title holds `filter`. Raises UsageError."""
    outcome, _, results = run_files(*prepare(folder, base), filter)
    return outcome, results


def run_files(files: Files, on: Base | None, filter: str | None = None) -> tuple[Outcome, Any, list[TestResult]]:
    """Like `run_tests`, for files at hand and the game they build on; gives the loaded game too, None where there are
    errors."""
    outcome, suite = suite_of(files, on)
    if suite is None:
        return outcome, None, []
    runner = Runner(suite.load(), suite.owned)
    return outcome, runner.game, [runner.run(suite.tests[i]) for i in suite.numbers(filter)]
