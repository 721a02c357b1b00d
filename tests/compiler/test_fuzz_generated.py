"""Programs that are made up: what the checker accepts is compiled and plays alike in both forms, without a fault.

A frame that has something of everything gets values, effects, cards and a flow that are drawn at random, by types. What
has an error is left out, until what is left has none. Then playouts and matches that are stepped, saved and restored on
the way must end in the same state, and what a seat sees must not change when the rest is drawn again.
`CARDC_FUZZ=long` tries many more.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable

import pytest
from card_runtime.bots import Random
from card_runtime.game import Game
from card_runtime.match import Match, state_hash
from card_runtime.state import State
from cardc.testing import run_files

LONG = os.environ.get("CARDC_FUZZ") == "long"
ROUNDS = 400 if LONG else 8
MOST_DECISIONS = 60

FRAME = """
game odd "Odd" { version: "1.0.0"  players: 2  limit: 60 }

option goal: 2..9 = 3 "Points that win"

enum color (worth: 0..3) { red(0), green(1), blue(3) }
open enum tribe { beasts, spirits, ghosts }

player {
  points: 0..goal = 0, score
  mana: 0..9 = 3
  bid: 0..4 = 1, owner sees
  tribes: set of tribe = []
}

kind unit {
  cost: 0..9 = 1
  power: 0..9
  color: color = red
  tribes: set of tribe = []
  flag quick
  state wounds: 0 or more = 0
  state mark: color = self.color
  slot arrival: effect in lanes
  slot presence: static in lanes when self.face_up
}

zone deck: each player list of unit, nobody sees
zone hand: each player list of unit at most 5, owner sees
zone gone: shared list of unit, all see

board lanes: 3 of lane {
  holder: player? = players[1]
  depth: 0..5 = 1
  units: each player list of unit at most 2, all see
}

state first: player = players[0]
state storms: 0..20 = 0
state sky: color = green
state kept: list of unit = []

effect moment(p: player, n: int) {}
effect hit(u: unit in lanes, n: 0 or more) {
  u.wounds += n
  if u.wounds > u.power { move u to gone }
}
effect gain(p: player, n: int) { p.points += n }
"""

SETUP = """
setup {
  for each p in players {
    for each c in catalog { copy c to p.deck }
    shuffle p.deck
    draw 3 from p.deck to p.hand
    for each u in top(p.hand) { move u to lanes[1].units[p] }
  }
  first = random from players
}
"""

Scope = dict[str, str]
"""Locals with their types."""


CARDS = ("cub", "bear", "elk")
WORDS = {
    "int": "int", "bool": "bool", "player": "player", "unit": "unit", "placed": "unit in lanes", "lane": "lane",
    "color": "color", "units": "list of unit", "someone": "player?",
}  # fmt: skip
PICKED = {"int": "0..3", "lane": "lane in lanes", "color": "color", "player": "player"}


class Maker:
    """Draws code. Types: `int bool player unit placed lane color`, `units` for a list of them, `someone` for a
    player or none."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.values: dict[str, tuple[list[str], str]] = {}
        self.effects: dict[str, list[str]] = {
            "hit": ["placed", "int"], "gain": ["player", "int"], "moment": ["player", "int"],
        }  # fmt: skip
        self.number = 0

    def pick(self, *options: Callable[[], str]) -> str:
        return self.rng.choice(options)()

    def new(self) -> str:
        self.number += 1
        return f"x{self.number}"

    def of(self, sc: Scope, *types: str) -> list[str]:
        return [name for name, t in sc.items() if t in types]

    # ---- Expressions

    def expr(self, t: str, sc: Scope, fuel: int) -> str | None:
        """An expression of a type, None where there is none."""
        known = self.of(sc, t, "placed") if t == "unit" else self.of(sc, t)
        if known and (t in ("unit", "placed") or self.rng.random() < 0.35):
            return self.rng.choice(known)
        called = [name for name, (_, result) in self.values.items() if result == t]
        if called and fuel > 1 and self.rng.random() < 0.25:
            return self.call(self.rng.choice(called), sc, fuel)
        return {
            "int": self.int_, "bool": self.bool_, "player": self.player, "units": self.units, "lane": self.lane,
            "color": self.color, "someone": self.someone,
            "unit": lambda sc, fuel: None, "placed": lambda sc, fuel: None,
        }[t](sc, fuel)  # fmt: skip

    def must(self, t: str, sc: Scope, fuel: int) -> str:
        found = self.expr(t, sc, fuel)
        if found is None:
            raise LookupError
        return found

    def call(self, name: str, sc: Scope, fuel: int) -> str:
        params = self.values[name][0] if name in self.values else self.effects[name]
        return f"{name}({', '.join(self.must(t, sc, fuel - 1) for t in params)})"

    def int_(self, sc: Scope, fuel: int) -> str:
        e = lambda t: self.must(t, sc, fuel - 1)  # noqa: E731
        simple = [
            lambda: str(self.rng.choice((0, 1, 1, 2, 3, 7))),
            lambda: f"{e('player')}.{self.rng.choice(('mana', 'points', 'bid'))}",
            lambda: self.rng.choice(("storms", "goal", "sky.worth")),
            lambda: f"{self.must('unit', sc, 0)}.{self.rng.choice(('power', 'cost', 'wounds', 'color.worth'))}",
            lambda: f"{e('lane')}.{self.rng.choice(('index', 'depth'))}",
        ]
        if fuel <= 0:
            return self.attempt(simple[0], *simple)
        x = self.new()
        inner = {**sc, x: "unit"}
        return self.attempt(
            *simple,
            lambda: f"count({e('units')})",
            lambda: f"count({x} in {e('units')} where {self.must('bool', inner, fuel - 1)})",
            lambda: f"sum({self.must('int', inner, fuel - 1)} for {x} in {e('units')})",
            lambda: f"({e('int')} {self.rng.choice('+-*')} {e('int')})",
            lambda: f"({e('int')} / {self.rng.choice((2, 3))})",
            lambda: f"{self.rng.choice(('min', 'max'))}({e('int')}, {e('int')})",
            lambda: f"abs({e('int')})",
            lambda: f"-{e('int')}",
            lambda: f"(if {e('bool')} then {e('int')} else {e('int')})",
        )

    def open(self, sc: Scope, fuel: int) -> str:
        """A number that is not written out."""
        for _ in range(4):
            found = self.must("int", sc, fuel - 1)
            if not found.isdigit():
                return found
        return "storms"

    def bool_(self, sc: Scope, fuel: int) -> str:
        e = lambda t: self.must(t, sc, fuel - 1)  # noqa: E731
        simple = [
            lambda: f"{self.open(sc, fuel)} {self.rng.choice(('==', '!=', '<', '>'))} {e('int')}",
            lambda: f"{self.other('', 'player', sc)} == {e('player')}",
            lambda: f"{self.must('unit', sc, 0)}.{self.rng.choice(('quick', 'face_up'))}",
            lambda: f"{e('color')} {self.rng.choice(('==', '!='))} {self.rng.choice(('red', 'green', 'blue'))}",
            lambda: f"{self.must('unit', sc, 0)}.tribes {self.rng.choice(('has beasts', 'meets [beasts, ghosts]'))}",
            lambda: f"{e('player')}.tribes {self.rng.choice(('has spirits', 'meets [spirits]', '!= []'))}",
            lambda: f"{e('lane')}.holder {self.rng.choice(('is none', 'is not none', '== first'))}",
            lambda: f"{e('someone')} {self.rng.choice(('is none', 'is not none', '== first'))}",
            lambda: f"{self.must('unit', sc, 0)} is {self.rng.choice(('cub', 'bear'))}",
            lambda: f"{self.must('unit', sc, 0)} has {self.rng.choice(('arrival', 'presence'))}",
        ]
        if fuel <= 0:
            return self.attempt(*simple)
        x = self.new()
        inner = {**sc, x: "unit"}
        return self.attempt(
            *simple,
            lambda: f"{e('units')} is {self.rng.choice(('empty', 'not empty'))}",
            lambda: f"{self.must('unit', sc, 0)} is in {e('units')}",
            lambda: f"any({x} in {e('units')} where {self.must('bool', inner, fuel - 1)})",
            lambda: f"all({self.must('bool', inner, fuel - 1)} for {x} in {e('units')})",
            lambda: f"({e('bool')} and {e('bool')})",
            lambda: f"({e('bool')} or {e('bool')})",
            lambda: f"not ({e('bool')})",
        )

    def player(self, sc: Scope, fuel: int) -> str:
        return self.attempt(
            lambda: self.rng.choice(("first", "players[0]", "players[1]")),
            lambda: f"{self.rng.choice(self.of(sc, 'player') or ['first'])}.opponent",
            lambda: f"{self.rng.choice(self.of(sc, 'placed') or self.of(sc, 'unit'))}.owner",
        )

    def someone(self, sc: Scope, fuel: int) -> str:
        return self.attempt(
            lambda: "none", lambda: self.must("player", sc, fuel), lambda: f"{self.must('lane', sc, 0)}.holder"
        )

    def lane(self, sc: Scope, fuel: int) -> str:
        return self.attempt(
            lambda: f"lanes[{self.rng.randrange(3)}]", lambda: f"{self.rng.choice(self.of(sc, 'placed'))}.lane"
        )

    def color(self, sc: Scope, fuel: int) -> str:
        return self.attempt(
            lambda: "sky", lambda: f"{self.must('unit', sc, 0)}.{self.rng.choice(('color', 'mark'))}"
        )

    def units(self, sc: Scope, fuel: int) -> str:
        e = lambda t: self.must(t, sc, fuel - 1)  # noqa: E731
        simple = [
            lambda: f"{e('player')}.{self.rng.choice(('hand', 'deck'))}",
            lambda: self.rng.choice(("gone", "kept", "lanes.units", "players.hand")),
            lambda: f"{e('lane')}.units[{e('player')}]",
            lambda: f"lanes.units[{e('player')}]",
        ]
        if fuel <= 0:
            return self.attempt(*simple)
        x = self.new()
        inner = {**sc, x: "unit"}
        return self.attempt(
            *simple,
            lambda: f"[{x} for {x} in {e('units')} where {self.must('bool', inner, fuel - 1)}]",
            lambda: f"top({e('units')}, {e('int')})",
            lambda: f"top({e('units')})",
            lambda: f"(kept + {e('units')})",
            lambda: f"[{self.must('unit', sc, 0)}]",
        )

    def attempt(self, *options: Callable[[], str]) -> str:
        """One of the options that can be made."""
        for option in self.rng.sample(options, len(options)):
            try:
                return option()
            except (LookupError, IndexError):
                continue
        raise LookupError

    # ---- Statements

    def block(self, sc: Scope, fuel: int, most: int = 3) -> str:
        sc = dict(sc)
        made = []
        for _ in range(self.rng.randint(1, most)):
            try:
                text = self.statement(sc, fuel)
            except LookupError:
                continue
            made.append(text)
            if not re.match(r"[a-z0-9_.\[\]]+ [+*-]?= |let ", text):
                sc = self.moved(sc)
        return "{ " + "  ".join(made) + " }"

    def moved(self, sc: Scope) -> Scope:
        """What is known after a statement: cards may have been moved."""
        return {x: "unit" if t == "placed" else t for x, t in sc.items()}

    def statement(self, sc: Scope, fuel: int) -> str:
        e = lambda t, f=2: self.must(t, sc, min(fuel, f))  # noqa: E731
        simple = [
            lambda: f"{e('player')}.{self.rng.choice(('mana', 'points', 'bid'))} {self.sign()} {e('int')}",
            lambda: f"storms {self.sign()} {e('int')}",
            lambda: f"first = {self.other('first', 'player', sc)}",
            lambda: f"sky = {self.other('sky', 'color', sc)}",
            lambda: f"kept = {e('units')}",
            lambda: f"{e('player')}.tribes {self.rng.choice(('+=', '-='))} [{self.rng.choice(('beasts', 'ghosts'))}]",
            lambda: f"{e('lane')}.holder = {self.rng.choice(('none', e('player')))}",
            lambda: f"{e('lane')}.depth {self.sign()} {e('int')}",
            lambda: f"{self.must('unit', sc, 0)}.wounds {self.sign()} {e('int')}",
            lambda: f"{self.must('unit', sc, 0)}.mark = {e('color')}",
            lambda: f"move {self.must('unit', sc, 0)} to {self.bottom()}{self.place(sc)}",
            lambda: f"move {e('units')} to {self.bottom()}{self.place(sc)}",
            lambda: f"draw {self.rng.choice((1, 1, 2))} from {e('player')}.deck to {e('player')}.hand",
            lambda: f"shuffle {e('player')}.deck",
            lambda: f"reveal {e('player')}.{self.rng.choice(('hand', 'deck'))}",
            lambda: f"reveal top({e('player')}.deck, {e('int')}) to {e('player')}",
            lambda: f"copy {self.rng.choice(CARDS)} to {e('player')}.{self.rng.choice(('hand', 'deck'))}",
            lambda: self.call(self.rng.choice(list(self.effects)), sc, 2),
            lambda: self.let(sc),
            lambda: f"run {self.rng.choice(self.of(sc, 'placed'))}.arrival",
        ]
        if fuel <= 0:
            return self.attempt(*simple)
        return self.attempt(
            *simple,
            lambda: f"if {e('bool')} {self.block(sc, fuel - 1)}",
            lambda: f"if {e('bool')} {self.block(sc, fuel - 1)} else {self.block(sc, fuel - 1)}",
            lambda: self.each(sc, fuel),
            lambda: self.each(sc, fuel),
            lambda: self.tested(sc, fuel),
            lambda: self.tested(sc, fuel),
            lambda: f"repeat {self.rng.choice(('2', e('int')))} {self.block(sc, fuel - 1)}",
            lambda: f"together {{ {self.call(self.rng.choice(list(self.effects)), sc, 2)} {self.block(sc, 1)[1:]}",
            lambda: f"exchange presence of {self.placed(sc)} with {self.placed(sc)}",
            lambda: self.choose(sc, fuel),
            lambda: self.choose(sc, fuel),
        )

    def tested(self, sc: Scope, fuel: int) -> str:
        """A block that goes by what a test has shown, of a holder or of a number."""
        if self.rng.random() < 0.3:
            number = self.attempt(lambda: "storms", lambda: f"{self.must('player', sc, 1)}.mana")
            change = f"{number} {self.rng.choice(('+=', '-='))} {self.rng.choice((1, 2, 7))}"
            block = self.block(sc, fuel - 1)[1:-1]
            test = f"{number} {self.rng.choice('<>')} {self.rng.randrange(8)}"
            return f"if {test} {{ {block} {change}  {change} }}"
        holder = self.rng.choice([*self.of(sc, "someone"), f"{self.must('lane', sc, 1)}.holder"])
        return f"if {holder} is player {self.block({**sc, holder: 'player'}, fuel - 1)}"

    def placed(self, sc: Scope) -> str:
        return self.rng.choice(self.of(sc, "placed"))

    def sign(self) -> str:
        return self.rng.choice(("=", "+=", "-=", "*="))

    def place(self, sc: Scope) -> str:
        return self.attempt(
            lambda: f"{self.must('player', sc, 1)}.{self.rng.choice(('hand', 'deck'))}",
            lambda: "gone",
            lambda: f"{self.must('lane', sc, 1)}.units[{self.must('player', sc, 1)}]",
        )

    def bottom(self) -> str:
        return self.rng.choice(("", "", "", "bottom of "))

    def other(self, target: str, t: str, sc: Scope) -> str:
        """What is assigned: something else than what is there."""
        for _ in range(4):
            found = self.must(t, sc, 2)
            if found != target:
                return found
        raise LookupError

    def let(self, sc: Scope) -> str:
        t = self.rng.choice(("int", "units", "player", "lane", "bool", "color"))
        text = self.must(t, sc, 2)
        if t == "player" and self.rng.random() < 0.3:
            text = "random from players"
        x = self.new()
        sc[x] = t
        return f"let {x} = {text}"

    def each(self, sc: Scope, fuel: int) -> str:
        x = self.new()
        if self.rng.random() < 0.3:
            t, source = self.rng.choice((("player", "players"), ("lane", "lanes")))
        else:
            source = self.must("units", sc, 2)
            t = "placed" if source.startswith("lane") or ".units" in source else "unit"
        inner = {**sc, x: t}
        where = f" where {self.must('bool', inner, 1)}" if self.rng.random() < 0.4 else ""
        if t == "lane" and self.rng.random() < 0.5:
            where, inner = f" where {x}.holder is player", {**inner, f"{x}.holder": "player"}
        by = f" by {self.must('int', inner, 1)}" if self.rng.random() < 0.2 else ""
        return f"for each {x} in {source}{where}{by} {self.block(inner, fuel - 1)}"

    def choose(self, sc: Scope, fuel: int) -> str:
        alts = []
        for i in range(self.rng.choice((1, 1, 2, 3))):
            inner, picks = dict(sc), []
            for _ in range(self.rng.choice((0, 1, 1, 2))):
                x = self.new()
                kind = self.rng.choice(("unit", "unit", "int", "lane", "color", "player"))
                source = f"unit in {self.must('units', inner, 1)}" if kind == "unit" else PICKED[kind]
                inner[x] = "placed" if kind == "unit" and ".units" in source else kind
                where = f" where {self.must('bool', inner, 1)}" if self.rng.random() < 0.4 else ""
                if kind == "lane" and self.rng.random() < 0.5:
                    where, inner = f" where {x}.holder is player", {**inner, f"{x}.holder": "player"}
                picks.append(f"{x}: {source}{where}")
            when = f" when {self.must('bool', sc, 1)}" if self.rng.random() < 0.3 else ""
            alts.append(f'v{i} {", ".join(picks)} "V{i}"{when} {self.block(inner, fuel - 1)}')
        may = self.rng.choice(("", "may "))
        other = f" else {self.block(sc, fuel - 1)}" if self.rng.random() < 0.2 else ""
        return f"{self.must('player', sc, 1)} {may}choose {' or '.join(alts)}{other}"

    # ---- Declarations

    def params(self) -> tuple[list[str], Scope, str]:
        kinds = ("player", "player", "int", "unit", "placed", "lane", "someone")
        types = [self.rng.choice(kinds) for _ in range(self.rng.randrange(4))]
        sc = {self.new(): t for t in types}
        return types, sc, ", ".join(f"{name}: {WORDS[t]}" for name, t in sc.items())

    def value(self) -> str:
        types, sc, text = self.params()
        name, t = f"val{self.new()}", self.rng.choice(("int", "bool", "player", "units", "color", "int"))
        made = f"value {name}({text}): {WORDS[t]} = {self.must(t, sc, 3)}"
        self.values[name] = (types, t)
        return made

    def effect(self) -> str:
        types, sc, text = self.params()
        name = f"eff{self.new()}"
        made = f"effect {name}({text}) {self.block(sc, 3)}"
        self.effects[name] = types
        return made

    def line(self, sc: Scope) -> str:
        """A line of a static slot, or of what lasts."""
        def heard(params: list[str], names: list[str]) -> tuple[str, Scope]:
            args = [self.rng.choice((x, x, "you" if t == "player" else "self" if t == "placed" else x))
                    for x, t in zip(names, params, strict=True)]  # fmt: skip
            types = ["unit" if t == "placed" else t for t in params]
            return ", ".join(args), {**sc, **dict(zip(names, types, strict=True))}

        names = {"hit": ["u", "n"], "gain": ["p", "n"], "moment": ["p", "n"]}
        event = self.rng.choice(list(names))
        if self.values and self.rng.random() < 0.4:
            value = self.rng.choice(list(self.values))
            types, t = self.values[value]
            args = ", ".join(self.must(p, sc, 1) for p in types)
            op = self.rng.choice(("=", "+=", "-=", "*=")) if t == "int" else "="
            return f"{value}({args}) {op} {self.must(t, sc, 2)}"
        args, inner = heard(self.effects[event], names[event])
        when = f" when {self.must('bool', inner, 1)}" if self.rng.random() < 0.5 else ""
        body = self.block(inner, 2)
        match self.rng.randrange(4):
            case 0:
                return f"instead of {event}({args}){when} {body}"
            case 1:
                return f'on {event}({args}) may go{self.number} "Go"{when} {body}'
            case 2:
                return f"once per {self.rng.choice(('match', 'round', 'turn'))} {{ on {event}({args}){when} {body} }}"
        return f"on {event}({args}){when} {body}"

    def card(self, name: str) -> str:
        sc = {"self": "placed", "you": "player"}
        try:
            last = f"until {self.rng.choice(('used', 'end of turn'))} {{ {self.line(sc)} }}"
            last = self.rng.choice(("", last))
            arrival = f"  arrival {{ {self.block(sc, 2)[1:-1]} {last} }}"
            presence = f"  presence {{ {self.line(sc)} {self.line(sc) if self.rng.random() < 0.5 else ''} }}"
        except LookupError:
            arrival = presence = ""
        flags = self.rng.choice(("quick", ""))
        color = self.rng.choice(("red", "green", "blue"))
        data = f"power: {self.rng.randrange(5)}  color: {color}  tribes: [beasts] {flags}"
        return f'card {name} "{name.title()}" : unit {{ {data}\n{arrival}\n{presence} }}'

    def flow(self, effects: list[str]) -> str:
        """A flow in which each of these effects comes about."""
        calls = [self.called(name) for name in effects]
        asked = "  ".join(f'p may choose go "Do" {{ {c} }} or no "Leave it" {{}}' for c in calls)
        body = asked or 'p choose pass "Pass" {}'
        turn = f"alternate p from first as turn {{ {body}  if p != first {{ stop }} }}"
        return f"flow {{ repeat 2 as round {{ {turn} }} tie }}"

    def called(self, name: str) -> str:
        args, loops = [], ""
        for t in self.effects[name]:
            x = self.new()
            args.append({"player": self.rng.choice(("p", "p.opponent")), "int": str(self.rng.randrange(4)),
                         "someone": self.rng.choice(("p", "none", "players[0]")),
                         "lane": f"lanes[{self.rng.randrange(3)}]"}.get(t, x))  # fmt: skip
            if t in ("unit", "placed"):
                loops += f"for each {x} in {'lanes.units' if t == 'placed' else 'p.hand'} {{ "
        tests = [x for x, t in zip(args, self.effects[name], strict=True) if t == "placed"]
        tested = f"if {' and '.join(f'{x} is in lanes' for x in tests)} {{ " if tests else ""
        call = f"{loops}{tested}{name}({', '.join(args)})"
        return call + " }" * call.count("{")


def accepted(seed: int) -> tuple[str, Game] | None:
    """A program without errors: declarations with errors are left out, cards with errors become bare."""
    m = Maker(seed)
    made: list[Callable[[], str]] = [*[m.value] * 5, *[m.effect] * 9, *[lambda n=n: m.card(n) for n in CARDS]]
    left = []
    for make in made:
        try:
            left.append(make())
        except LookupError:
            continue
    for _ in range(10):
        names = [re.split(r"[ ({]", d)[1] for d in left]
        spare = [f'card {n} "{n.title()}" : unit {{ power: 1 }}' for n in CARDS if n not in names]
        flow = m.flow([n for n in names if n.startswith("eff")])
        text = FRAME + SETUP + "\n".join([*left, *spare, flow]) + "\n"
        outcome, game, _ = run_files([("made.card", text.encode())], None)
        if game is not None:
            return text, game
        wrong = {f.start for f in outcome.findings if f.severity == "error"}
        places = [(text.index(d), d) for d in left]
        bad = [d for at, d in places if any(at <= start < at + len(d) for start in wrong)]
        if not bad:
            return None
        left = [d for d in left if d not in bad]
    return None


@pytest.mark.parametrize("round", range(ROUNDS))
def test_made_up(round: int) -> None:
    found = accepted(round)
    if found is None:
        return
    text, game = found
    try:
        for seed in range(3):
            alike(game, seed)
    except Exception as e:
        raise AssertionError(f"{type(e).__name__}: {e}\n{text}") from e


def alike(game: Game, seed: int) -> None:
    """Both forms end alike, whatever is done to a stepped match on the way."""
    played = game.playout_state(seed)
    in_range(played)
    whole = state_hash(played)
    match, bot = game.start(seed), Random(seed)
    other = random.Random(seed)
    while (decision := match.decision) is not None:
        for seat in range(2):
            drawn = match.determinise(seat, seed)
            assert known(drawn, seat) == known(match, seat), "what a seat knows when the rest is drawn again"
        if other.random() < 0.2:
            match = game.restore(match.to_json())
            decision = match.decision
            assert decision is not None
        if other.random() < 0.2:
            before = match.state_hash()
            match.choose(0)
            match.undo()
            assert match.state_hash() == before, "undo"
            decision = match.decision
            assert decision is not None
        match.choose(bot(decision))
    assert match.state_hash() == whole, "a playout and a match in steps"
    assert game.replay(match.record).state_hash() == whole, "a replay"


def known(match: Match, seat: int) -> tuple[object, ...]:
    """What a seat knows of a match: its view, its log and its options."""
    decision = match.decision
    options = [o.id for o in decision.options] if decision is not None and decision.player == seat else None
    return match.view(seat), match.log(seat), options


def in_range(m: State) -> None:
    """What is stored lies in its range, whatever was left out as needless on the way."""
    kept = {"storms": [m.s_storms], "mana": m.p_mana, "bid": m.p_bid, "points": m.p_points}
    kept["depth"] = getattr(m, "_".join(("b", "lanes·depth")))
    most = {"storms": 20, "mana": 9, "bid": 4, "points": m.o_goal, "depth": 5}
    assert all(0 <= n <= most[name] for name, numbers in kept.items() for n in numbers), kept
