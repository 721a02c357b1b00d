"""Programs that are made up at random, from a seed, and hold nearly everything that the language has.

To a frame of zones, boards, states and kinds come values, effects, units and relics that are drawn by types from the
rules of `odd_rules`, and a flow in which players play cards and in which each effect comes about. Abilities hear of
effects, replace them, change values, ask, and last until something ends; there are questions with several picks, to all
at once in secret, forms, exchanges, chance, and cards face down. In every other program cards begin in shared places,
so that they may belong to nobody.

The compiler judges what was drawn: a declaration with an error gives way to another draft or is left out, until the
program has none. Left out are: decks, mulligans and other setups than the frame's, expansions, marks of the text of
cards, and the tests of the language.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import odd_rules as rules
from card_runtime.game import Game
from cardc.testing import run_files

Scope = dict[str, str]
"""What is known, with types: locals, and paths as `x.holder` that a test has narrowed."""

MOST_ROUNDS = 14
"""How often a program is compiled until what is left of it is taken to have an error of its own."""

HOLE = re.compile(r"<([^<>\s=][^<>]*)>|\$([a-z]+)")
DRAWN = re.compile(r"(.*?)(?: as ([a-z]+))?(?: except (.+?))?(?: with (.+))?")
ASSIGNED = re.compile(r"[a-z0-9_.\[\]]+ [+*-]?= |let ")
"""Statements after which every card is where it was."""

PARAMETERS = ("player", *rules.WRITTEN)
RESULTS = ("int", "int", "bool", "bool", "player", "units", "things", "color", "someone")
RANGES = ("int", "int", "int", "int", "0..5", "0 or more", "-2..3", "0..goal")


@dataclass(frozen=True)
class Program:
    """What was made up, and the game that it is."""

    text: str
    game: Game


@dataclass
class Part:
    """A declaration that was drawn, with what may take its place: other drafts."""

    name: str
    drafts: list[str]


class Writer:
    """Draws code. Where something cannot be drawn, as an expression of a type that no local has, LookupError says so
    and something else is tried."""

    def __init__(self, seed: int, strays: bool) -> None:
        self.rng = random.Random(seed)
        self.you = "someone" if strays else "player"
        self.more = rules.STRAY if strays else rules.OWNED
        self.values: dict[str, tuple[list[str], str]] = {}
        self.effects: dict[str, Scope] = dict(rules.EVENTS)
        self.number = 0
        self.constructs: dict[str, Callable[[Scope, int], str]] = {
            "block": self.block, "body": self.block, "lines": self.lines, "call": self.call, "let": self.let,
            "choose": self.choose, "until": self.until,
        }  # fmt: skip

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def new(self) -> str:
        self.number += 1
        return f"x{self.number}"

    # ---- Rules

    def draw(self, kind: str, scope: Scope, fuel: int) -> str:
        """An expression of a type, or a part of a statement: a local, the call of a value, or by a rule; without fuel
        only by simple ones."""
        known = [name for name, t in scope.items() if t in rules.NARROWER.get(kind, (kind,))]
        rich = rules.RICH.get(kind, ()) if fuel > 0 else ()
        some = (*rules.SIMPLE.get(kind, ()), *self.more.get(kind, ()), *rich)
        if known and (not some or self.chance(0.35)):
            return self.rng.choice(known)
        called = [name for name, (_, result) in self.values.items() if result == kind]
        if called and fuel > 1 and self.chance(0.3):
            return self.called(self.rng.choice(called), scope, fuel - 1)
        try:
            return self.attempt(some, scope, fuel - 1)
        except LookupError:
            if known:
                return self.rng.choice(known)
            raise

    def attempt(self, some: Sequence[str], scope: Scope, fuel: int) -> str:
        """By one of the rules by which something can be drawn here."""
        for rule in self.rng.sample(some, len(some)):
            try:
                return self.fill(rule, scope, fuel)
            except LookupError:
                continue
        raise LookupError

    def fill(self, rule: str, scope: Scope, fuel: int, names: dict[str, str] | None = None) -> str:
        """The text of a rule, its holes filled from the left to the right. `names` takes up what `$x` stands for."""
        given = {} if names is None else names

        def filled(found: re.Match[str]) -> str:
            if found[1] is not None:
                return self.hole(found[1], scope, fuel, given)
            if found[2] not in given:
                given[found[2]] = self.new()
            return given[found[2]]

        return HOLE.sub(filled, rule)

    def hole(self, text: str, scope: Scope, fuel: int, names: dict[str, str]) -> str:
        parts = DRAWN.fullmatch(text)
        assert parts is not None
        what, name, other, more = parts.groups()
        if what == "body":
            scope = weaker(scope)
        if more is not None:
            pairs = [pair.split(": ") for pair in more.split(", ")]
            scope = {**scope, **{self.fill(x, scope, fuel, names): t for x, t in pairs}}
        if "|" in what:
            made = self.fill(self.rng.choice(what.split("|")), scope, fuel, names)
        elif what in self.constructs:
            made = self.constructs[what](scope, fuel - 1)
        elif other is None:
            made = self.draw(what, scope, min(fuel, 2))
        else:
            made = self.other(self.fill(other, scope, fuel, names), what, scope, min(fuel, 2))
        if name is not None:
            names[name] = made
        return made

    def other(self, than: str, kind: str, scope: Scope, fuel: int) -> str:
        """Something else: the compiler rejects what compares or assigns a thing with itself."""
        for _ in range(4):
            if (made := self.draw(kind, scope, fuel)) != than:
                return made
        raise LookupError

    def called(self, name: str, scope: Scope, fuel: int) -> str:
        types = self.values[name][0] if name in self.values else self.effects[name].values()
        return f"{name}({', '.join(self.draw(t, scope, fuel) for t in types)})"

    # ---- Statements

    def block(self, scope: Scope, fuel: int) -> str:
        return f"{{ {self.lines(scope, fuel)} }}"

    def lines(self, scope: Scope, fuel: int) -> str:
        scope, made = dict(scope), []
        for _ in range(self.rng.randint(1, 3)):
            try:
                made.append(self.statement(scope, fuel))
            except LookupError:
                continue
            if not ASSIGNED.match(made[-1]):
                scope.update(weaker(scope))
        return "  ".join(made)

    def statement(self, scope: Scope, fuel: int) -> str:
        simple, rich = rules.SIMPLE["statement"], (*rules.RICH["statement"], *self.more.get("statement", ()))
        # Half of them hold others, though there are fewer rules for these.
        return self.attempt(rich if fuel > 0 and self.chance(0.5) else simple, scope, fuel)

    def call(self, scope: Scope, fuel: int) -> str:
        return self.called(self.rng.choice(list(self.effects)), scope, 1)

    def let(self, scope: Scope, fuel: int) -> str:
        t, rule = self.rng.choice(rules.LETS)
        text, x = self.fill(rule, scope, 2), self.new()
        scope[x] = t
        return f"let {x} = {text}"

    def choose(self, scope: Scope, fuel: int) -> str:
        alternatives = [self.alternative(i, scope, fuel) for i in range(self.rng.choice((1, 1, 2, 3)))]
        other = f" else {self.block(scope, fuel)}" if self.chance(0.2) else ""
        return self.fill(f"<actor> <|may >choose {' or '.join(alternatives)}{other}", scope, 1)

    def alternative(self, number: int, scope: Scope, fuel: int) -> str:
        inner, picks = dict(scope), []
        for _ in range(self.rng.choice((0, 1, 1, 2, 3, 3))):
            names: dict[str, str] = {}
            rule, known = self.rng.choice(rules.PICKS)
            try:
                picks.append(self.fill(rule, inner, 2, names))
            except LookupError:
                continue
            inner |= {self.fill(x, inner, 0, names): t for x, t in known.items()}
        when = f" when {self.draw('bool', scope, 1)}" if self.chance(0.3) else ""
        return f'v{number} {", ".join(picks)} "V{number}"{when} {self.block(inner, fuel)}'

    # ---- Lines of abilities

    def until(self, scope: Scope, fuel: int) -> str:
        """What lasts, of a card."""
        if "self" not in scope:
            raise LookupError
        end = self.rng.choice(("used", "end of turn", "end of round", "end of match"))
        return f"until {end} {{ {self.one_or_two(scope, 0.3)} }}"

    def one_or_two(self, scope: Scope, share: float) -> str:
        """A line, and with some chance another."""
        return "\n    ".join(self.line(scope) for _ in range(2 if self.chance(share) else 1))

    def line(self, scope: Scope) -> str:
        return self.changed(scope) if self.values and self.chance(0.45) else self.hearing(scope)

    def changed(self, scope: Scope) -> str:
        """A line that changes a value; which takes no lists, as these are not compared as a whole."""
        values = [x for x in self.values.items() if not {"units", "things"} & set(x[1][0])]
        name, (types, t) = self.rng.choice(values)
        given = ", ".join(self.draw(p, scope, 1) for p in types)
        sign = self.rng.choice(("=", "+=", "-=", "*=")) if t == "int" else "="
        return f"{name}({given}) {sign} {self.draw(t, scope, 2)}{self.when(scope, 0.4)}{self.priority()}"

    def hearing(self, scope: Scope) -> str:
        """A line that hears of an effect, or comes instead of it."""
        event, params = self.rng.choice(list(self.rng.choice((rules.EVENTS, self.effects)).items()))
        heard = f"{event}({', '.join(self.parameter(x, t, scope) for x, t in params.items())})"
        inner = {**scope, **weaker(params)}
        when, body = self.when(inner, 0.5), self.block(inner, 2)
        once, go = f"once per {self.rng.choice(('match', 'round', 'turn'))}", f"may go{self.new()}"
        match self.rng.randrange(6):
            case 0:
                return f"instead of {heard}{when}{self.priority()} {body}"
            case 1:
                return f"{once} {{ instead of {heard}{when} {body} }}"
            case 2:
                return f'on {heard}{when} {go} "Go" {body}'
            case 3:
                asked = f"{self.new()}: unit in {self.draw('units', scope, 1)}"
                return f'{once} {{ on {heard} {go} {asked} "Go"{when} {body} }}'
            case 4:
                return f"{once} {{ on {heard}{when} {body} }}"
        return f"on {heard}{when}{self.priority()} {body}"

    def parameter(self, name: str, t: str, scope: Scope) -> str:
        """A name for what is heard, or what it must be."""
        if t == "int" and self.chance(0.15):
            return str(self.rng.randrange(3))
        own = {"player": "you", "placed": "self"}.get(t)
        return own if own is not None and scope.get(own) == t and self.chance(0.3) else name

    def when(self, scope: Scope, share: float) -> str:
        return f" when {self.draw('bool', scope, 1)}" if self.chance(share) else ""

    def priority(self) -> str:
        return f" priority {self.rng.choice((-1, 1, 2))}" if self.chance(0.2) else ""

    # ---- Declarations

    def params(self) -> tuple[Scope, str]:
        scope = {self.new(): self.rng.choice(PARAMETERS) for _ in range(self.rng.randrange(4))}
        return scope, ", ".join(f"{name}: {rules.WRITTEN[t]}" for name, t in scope.items())

    def value(self) -> Part:
        scope, params = self.params()
        name, t = f"val{self.new()}", self.rng.choice(RESULTS)
        written = self.rng.choice(RANGES) if t == "int" else rules.WRITTEN[t]
        text = f"value {name}({params}): {written} = {self.draw(t, scope, 3)}"
        self.values[name] = (list(scope.values()), t)
        return Part(name, [text])

    def effect(self) -> Part:
        scope, params = self.params()
        name = f"eff{self.new()}"
        text = f"effect {name}({params}) {self.block(scope, 3)}"
        self.effects[name] = scope
        return Part(name, [text])

    def unit(self, name: str) -> str:
        scope = {"self": "placed", "you": self.you}
        lasts = self.until(scope, 0) if self.chance(0.5) else ""
        lines = [
            f"cost: {self.rng.randrange(3)}  power: {self.rng.randrange(5)}",
            self.fill("color: <red|green|blue>  tribes: [<|beasts|ghosts|spirits, ghosts>] <|quick>", {}, 0),
            f"arrival {{ {self.lines(scope, 2)}  {lasts} }}" if self.chance(0.8) else "",
            f"presence {{ {self.one_or_two(scope, 0.5)} }}" if self.chance(0.8) else "",
            f"drum({self.rng.choice((1, 2, 3))}) {{ {self.line(scope)} }}" if self.chance(0.4) else "",
            f"inkling {{ {self.line({**scope, 'self': 'unit'})} }}" if self.chance(0.3) else "",
            self.form(scope) if self.chance(0.6) else "",
            "form evo(level: 3) { cost: 0 }" if self.chance(0.25) else "",
        ]
        return card(name, "unit", *lines)

    def form(self, scope: Scope) -> str:
        presence = f"presence {{ {self.line(scope)} }}" if self.chance(0.7) else ""
        arrival = f"arrival {self.block(scope, 1)}" if self.chance(0.4) else ""
        level = self.rng.choice((1, 2))
        return f"form evo(level: {level}) {{ power: {self.rng.randrange(6)}  {presence}  {arrival} }}"

    def relic(self, name: str) -> str:
        scope = {"self": "bedded", "you": self.you}
        aura = f"aura {{ {self.line(scope)} }}" if self.chance(0.8) else ""
        return card(name, "relic", f"charm: {self.rng.choice((0, 1, 2))}", aura, f"use {self.block(scope, 2)}")

    def drafts(self, make: Callable[[str], str], name: str, plain: str, most: int) -> Part:
        """A card with several drafts, of which the last is plain."""
        made = []
        for _ in range(most):
            try:
                made.append(make(name))
            except LookupError:
                continue
        return Part(name, [*made, plain])

    def keep(self, names: set[str]) -> None:
        """Forget the values and effects that are not among these: they were in error."""
        self.values = {name: signature for name, signature in self.values.items() if name in names}
        self.effects = {name: params for name, params in self.effects.items() if name in names or name in rules.EVENTS}

    # ---- The flow

    def flow(self, effects: Sequence[str]) -> str:
        """A flow in which each of these effects comes about."""
        calls = [self.brought_about(self.effects[name], name) for name in effects]
        asked = "\n  ".join(f'p may choose go "Do" {{ {call} }} or no "Leave it" {{}}' for call in calls)
        turn = f"moment(p, storms)\n  {rules.TURN}\n  {asked}\n  if p != first {{ stop }}"
        return f"flow {{ repeat 3 as round {{ alternate p from first as turn {{\n  {turn}\n}} }} tie }}"

    def brought_about(self, params: Scope, name: str) -> str:
        """The call of an effect, for each of the cards and places that it may be given."""
        given, before, tests = [], [], []
        for t in params.values():
            if t in rules.ARGUMENTS:
                given.append(self.rng.choice(rules.ARGUMENTS[t]))
                continue
            given.append(x := self.new())
            before.append(f"for each {x} in {self.rng.choice(rules.SOURCES[t])} {{ ")
            if t in rules.WEAKER:  # Earlier calls in the loop may have moved it.
                tests.append(f"{x} is in {'lanes' if t == 'placed' else 'yard'}")
        if tests:
            before.append(f"if {' and '.join(tests)} {{ ")
        return f"{''.join(before)}{name}({', '.join(given)}){' }' * len(before)}"


def weaker(scope: Scope) -> Scope:
    """What is known still where cards may have been moved."""
    return {x: rules.WEAKER.get(t, t) for x, t in scope.items()}


def card(name: str, kind: str, *lines: str) -> str:
    inner = "".join(f"\n  {line}" for line in lines if line)
    return f'card {name} "{name.title()}" : {kind} {{{inner}\n}}'


def made_up(seed: int) -> Program | None:
    """The program of a seed, None where what is left over without declarations in error has errors still."""
    writer = Writer(seed, strays := seed % 2 == 1)
    frame = rules.FRAME + rules.SETUP.replace("STRAYS", rules.STRAYS if strays else "")
    bare = [card(name, "unit", "power: 1") for name in rules.UNITS] + [card(name, "relic") for name in rules.RELICS]
    made = settled(frame + "\n".join(bare), writer, several(writer.value, 9))
    if made is None:
        return None
    made = settled(frame + "\n".join(bare), writer, [*made[0], *several(writer.effect, 12)])
    if made is None:
        return None
    made = settled(frame, writer, made[0] + cards(writer))
    return None if made is None else made[1]


def several(make: Callable[[], Part], most: int) -> list[Part]:
    parts = []
    for _ in range(most):
        with suppress(LookupError):
            parts.append(make())
    return parts


def cards(writer: Writer) -> list[Part]:
    units = [writer.drafts(writer.unit, name, card(name, "unit", "power: 1"), 8) for name in rules.UNITS]
    return units + [writer.drafts(writer.relic, name, card(name, "relic"), 6) for name in rules.RELICS]


def settled(frame: str, writer: Writer, parts: list[Part]) -> tuple[list[Part], Program] | None:
    """The parts that are left when those in error are taken away, and the program that they make."""
    for _ in range(MOST_ROUNDS):
        writer.keep({part.name for part in parts})
        flow = writer.flow([part.name for part in parts if part.name in writer.effects])
        text = "\n".join([frame, *(part.drafts[0] for part in parts), flow, ""])
        outcome, game, _ = run_files([("made_up.card", text.encode())], None)
        if game is not None:
            return parts, Program(text, game)
        if not reject(text, parts, [f.start for f in outcome.findings if f.severity == "error"]):
            return None
        parts = [part for part in parts if part.drafts]
    return None


def reject(text: str, parts: list[Part], errors: list[int]) -> bool:
    """Take away the drafts in which errors lie; whether there are such."""
    places = [(text.index(part.drafts[0]), part) for part in parts]
    wrong = [part for at, part in places if any(at <= start < at + len(part.drafts[0]) for start in errors)]
    for part in wrong:
        del part.drafts[0]
    return bool(wrong)
