"""Clauses of cards and rules in plain words, for designers: from the tree to sentences.

Assumes declarations without errors; with broken ones it still says something. Every construct has its words here, and
nothing is left out: what a clause says is told whole. Pure. (The rules text on printed cards is another thing.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias, assert_never

from cardc import nodes as n
from cardc.symbols import EffectSym, Symbols, ValueSym
from cardc.types import BOOL

Step: TypeAlias = tuple[int, str]
"""A line of an outline: how deep it stands, and its words."""

_COMPARED = {
    "==": "is", "!=": "is not", ">=": "is at least", "<=": "is at most", ">": "is more than", "<": "is less than",
    "has": "has", "meets": "has something of", "sees": "sees",
}  # fmt: skip
_AMOUNTS = {
    "==": "exactly", "!=": "not exactly", ">=": "at least", "<=": "at most", ">": "more than", "<": "fewer than",
}  # fmt: skip
_ABOUT = {"self": "this card", "you": "its owner", "source": "the card it is printed on", "me": "player 0"}
_BINDING = {"or": 1, "and": 2, "==": 4, "!=": 4, ">=": 4, "<=": 4, ">": 4, "<": 4, "has": 4, "meets": 4, "sees": 4}
_NOT, _COMPARISON, _SUM, _PRODUCT, _PATH = 3, 4, 5, 6, 7


def spaced(name: str) -> str:
    """A name of the language as it stands in a sentence."""
    return name.strip("_").replace("_", " ") or name


def article(noun: str) -> str:
    """`a unit`, `an item`: by the sound, as far as the letters tell it."""
    an = noun[:1].lower() in "aeiou" and not re.match(r"(?i)uni|us[aeiu]|eu|one\b", noun)
    return f"{'an' if an else 'a'} {noun}"


class Words:
    """Says expressions, statements and lines of one game."""

    def __init__(self, s: Symbols) -> None:
        self.s = s
        members = [f for f in s.player.values()]
        members += [f for k in s.kinds.values() for f in (*k.fields.values(), *k.states.values())]
        members += [f for b in s.boards.values() for f in b.fields.values()]
        self.true_or_not = {"face_up", "face_down", *(f.name for f in members if f.type == BOOL)}

    # ---- Expressions

    def says(self, e: n.Expr, around: int = 0) -> str:
        """An expression in words; in parentheses where what stands around it binds stronger."""
        words, binding = self._says(e)
        return f"({words})" if binding < around else words

    def _says(self, e: n.Expr) -> tuple[str, int]:
        match e:
            case n.Number(value):
                return str(value), _PATH
            case n.Truth(value):
                return str(value).lower(), _PATH
            case n.Nothing():
                return "none", _PATH
            case n.Text(value):
                return f'"{value}"', _PATH
            case n.Name(id):
                return self.name(id), _PATH
            case n.Member(base, name) if name.text in self.true_or_not:
                return f"{self.says(base, _PATH)} is {spaced(name.text)}", _COMPARISON
            case n.Member(base, name):
                return self._member(self.says(base, _PATH), spaced(name.text)), _PATH
            case n.Index(n.Member(base, name), index) if self._is_part(name.text):
                where = "" if isinstance(base, n.Name) and base.id in self.s.boards else f" in {self.says(base, _PATH)}"
                return f"{self._owner(self.says(index))} {spaced(name.text)}{where}", _PATH
            case n.Index(n.Name(id), n.Number(value)) if id == "players":
                return f"player {value}", _PATH
            case n.Index(n.Name(id), index) if id in self.s.boards:
                return f"{spaced(self.s.boards[id].element or id)} {self.says(index, _PATH)}", _PATH
            case n.Index(base, index):
                return f"number {self.says(index, _PATH)} of {self.says(base, _PATH)}", _PATH
            case n.Call(name, args) if self._is_permission(name.text):
                return self._holds(name.text, args, "holds"), _COMPARISON
            case n.Call(name, args):
                return self._called(name.text, [self.says(a.value) for a in args]), _PATH
            case n.Method(base, name, args):
                given = ", ".join(self.says(a.value) for a in args)
                return f"{self._member(self.says(base, _PATH), spaced(name.text))} ({given})", _PATH
            case n.Aggregate(op, body, var, source, where):
                return self._aggregate(op.text, body, self._each(var.text, source, where)), _NOT
            case n.Listing(body, var, source, where):
                return f"{self.says(body, _SUM)} for each {self._each(var.text, source, where)}", _NOT
            case n.ListLit(items):
                return f"[{', '.join(self.says(i) for i in items)}]", _PATH
            case n.The(var, source, where):
                return f"the {self._each(var.text, source, where)}", _NOT
            case n.Random(count, source):
                some = "one" if count is None else self.says(count, _PATH)
                return f"{some} of {self.says(source, _PATH)} by chance", _NOT
            case n.Unary("not", n.Member(base, name)) if name.text in self.true_or_not:
                return f"{self.says(base, _PATH)} is not {spaced(name.text)}", _COMPARISON
            case n.Unary("not", n.Call(name, args)) if self._is_permission(name.text):
                return self._holds(name.text, args, "does not hold"), _COMPARISON
            case n.Unary("not", operand):
                return f"not {self.says(operand, _NOT)}", _NOT
            case n.Unary(op, operand):
                return f"{op}{self.says(operand, _PATH)}", _PATH
            case n.Binary(op, n.Call(n.Ident("count"), (n.Arg(None, of),)), right) if op in _AMOUNTS:
                return f"there are {_AMOUNTS[op]} {self.says(right, _SUM)} of {self.says(of, _SUM)}", _NOT
            case n.Binary(op, n.Aggregate(n.Ident("count"), None, var, source, where), right) if op in _AMOUNTS:
                some = self._each(var.text, source, where)
                return f"there are {_AMOUNTS[op]} {self.says(right, _SUM)} {some}", _NOT
            case n.Binary(op, left, right) if op in _COMPARED:
                # "u's owner is its owner" would be read as u's.
                other = "this card's owner" if right == n.Name("you", span=right.span) else self.says(right, _SUM)
                return f"{self.says(left, _SUM)} {_COMPARED[op]} {other}", _COMPARISON
            case n.Binary(op, left, right):
                binding = _BINDING.get(op, _PRODUCT if op in "*/" else _SUM)
                return f"{self.says(left, binding)} {op} {self.says(right, binding + 1)}", binding
            case n.Is(operand, negated, what, place):
                verb = "is not" if negated else "is"
                if what.text == "in" and place is not None:
                    return f"{self.says(operand, _SUM)} {verb} in {self.says(place, _SUM)}", _COMPARISON
                word = what.text
                if word not in ("none", "empty"):
                    word = "some player" if word == "player" else self._named(word)
                return f"{self.says(operand, _SUM)} {verb} {word}", _COMPARISON
            case n.IfExpr(cond, then, other):
                return f"{self.says(then, 1)} if {self.says(cond)}, else {self.says(other, 1)}", 0
            case n.New(name):
                return f"a new {self.name(name.text)}", _PATH
            case _:
                assert_never(e)

    def _named(self, word: str) -> str:
        """What something is asked to be: a kind or a card, or the card that a local holds."""
        s = self.s
        declared = word in s.cards or word in s.kinds or word in s.enums or word in s.forms or word in s.elements
        return article(spaced(word)) if declared else spaced(word)

    def _is_permission(self, name: str) -> bool:
        return name in self.s.values and self.s.values[name].type == BOOL

    def _holds(self, name: str, args: Sequence[n.Arg], verb: str) -> str:
        on = f" for {' and '.join(self.says(a.value) for a in args)}" if args else ""
        return f"{spaced(name)} {verb}{on}"

    def name(self, id: str) -> str:
        if id in _ABOUT:
            return _ABOUT[id]
        if id in self.s.cards:
            return self.s.cards[id].title
        return spaced(id)

    def _owner(self, who: str) -> str:
        return f"{who}'" if who.endswith("s") else f"{who}'s"

    def _member(self, base: str, name: str) -> str:
        return f"{self._owner(base)} {name}"

    def _is_part(self, name: str) -> bool:
        """Whether this is what lies somewhere for each player."""
        return any(name in b.parts and b.parts[name].each for b in self.s.boards.values())

    def _called(self, name: str, args: Sequence[str]) -> str:
        match name, args:
            case "count", [of]:
                return f"how many there are of {of}"
            case "sum" | "min" | "max", [of]:
                return f"the {_FOLDS[name]} of {of}"
            case "min" | "max", _:
                return f"the {_FOLDS[name]} of {', '.join(args)}"
            case "abs", [of]:
                return f"{of} without its sign"
            case "top", [of]:
                return f"the top card of {of}"
            case "top", [of, number]:
                return f"the top {number} cards of {of}"
            case "copies", [*_]:
                return f"how many copies of {' in '.join(args)}"
            case _, []:
                return f"the {spaced(name)}"
            case _:
                return f"the {spaced(name)} of {' and '.join(args)}"

    def _each(self, var: str, source: n.Expr, where: n.Expr | None) -> str:
        some = f"{spaced(var)} in {self.says(source, _SUM)}"
        return some if where is None else f"{some} where {self.says(where, 1)}"

    def _aggregate(self, op: str, body: n.Expr | None, each: str) -> str:
        match op:
            case "count":
                return f"how many {each}"
            case "any":
                return f"there is {article(each)}"
            case "all":
                return f"it holds for each {each}" if body is None else f"for each {each}, {self.says(body)}"
            case _:
                of = "" if body is None else f"{self.says(body, _SUM)} for each "
                return f"the {_FOLDS.get(op, op)} of {of}{each}"

    def type(self, t: n.TypeExpr) -> str:
        """A type in words."""
        match t:
            case n.NamedType(name, place):
                return spaced(name.text) if place is None else f"{spaced(name.text)} in {spaced(place.text)}"
            case n.RangeType(low, None):
                return f"{self.says(low)} or more"
            case n.RangeType(low, n.Node() as high):
                return f"{self.says(low)} to {self.says(high)}"
            case n.SetType(item):
                return f"set of {self.type(item)}"
            case n.ListType(item):
                return f"list of {self.type(item)}"
            case n.OptionalType(item):
                return f"{self.type(item)}, or none"
            case n.WordsType(members):
                return " or ".join(spaced(m.text) for m in members)
            case _:
                return "number"

    # ---- Calls that are compared: events and values

    def event(self, call: n.Call) -> str:
        """An event that is waited for: `lost, for this card's lane and its owner`; any where the parameter stands."""
        return self._compared(call, self.s.effects.get(call.name.text))

    def value(self, call: n.Call) -> str:
        """A value that is changed: `number, for this card's lane`."""
        return self._compared(call, self.s.values.get(call.name.text))

    def _compared(self, call: n.Call, of: EffectSym | ValueSym | None) -> str:
        name = spaced(call.name.text)
        params = [] if of is None else [p.name for p in of.params]
        said = []
        for i, arg in enumerate(call.args):
            param = arg.name.text if arg.name is not None else params[i] if i < len(params) else ""
            if arg.value == n.Name(param):
                said.append(f"any {spaced(param)}")
            else:
                said.append(self.says(arg.value))
        return name if not said else f"{name}, for {' and '.join(said)}"

    # ---- Statements and lines of abilities

    def lines(self, block: n.Block, deep: int = 0) -> list[Step]:
        """A block as an outline."""
        steps = [step for item in block.items for step in self.item(item, deep)]
        return steps or [(deep, "nothing happens")]

    def _then(self, head: str, body: n.Block, deep: int) -> list[Step]:
        """`head: what the body says`; the body in the same line where it is one."""
        inner = self.lines(body, deep + 1)
        if len(inner) == 1:
            return [(deep, f"{head}: {inner[0][1]}")]
        return [(deep, f"{head}:"), *inner]

    def item(self, item: n.Item, deep: int = 0) -> list[Step]:
        """A statement or a line of an ability as an outline."""
        says = self.says
        match item:
            case n.Let(name, value):
                return [(deep, f"remember {says(value)} as {spaced(name.text)}")]
            case n.Assign(n.Member(base, name), "=", n.Truth(value)) if name.text in self.true_or_not:
                return [(deep, f"{says(base, _PATH)} {'becomes' if value else 'is no longer'} {spaced(name.text)}")]
            case n.Assign(n.Member(base, name), "=", value) if name.text in self.true_or_not:
                return [(deep, f"{says(base, _PATH)} becomes {spaced(name.text)} or not: {says(value)}")]
            case n.Assign(target, op, value):
                return [(deep, _CHANGES[op].format(says(target), says(value, _SUM)))]
            case n.CallStmt(call):
                return [(deep, f"event {self.happening(call)}")]
            case n.Move(what, to, bottom, facing):
                where = f"the bottom of {says(to)}" if bottom else says(to)
                face = "" if facing is None else f", facing {says(facing)}"
                return [(deep, f"move {says(what)} to {where}{face}")]
            case n.Draw(count, source, to):
                return [(deep, f"draw {says(count)} from {says(source)} to {says(to)}")]
            case n.Copy(what, to):
                return [(deep, f"put a copy of {says(what)} into {says(to)}")]
            case n.Shuffle(what):
                return [(deep, f"shuffle {says(what)}")]
            case n.Reveal(what, to):
                return [(deep, f"show {says(what)}" + (" to all" if to is None else f" to {says(to)}"))]
            case n.Run(slot):
                return [(deep, f"carry out {says(slot)}")]
            case n.If(cond, then, other):
                steps = self._then(f"if {says(cond)}", then, deep)
                return steps if other is None else [*steps, *self._then("otherwise", other, deep)]
            case n.ForEach(var, source, start, where, by, body):
                head = f"for each {self._each(var.text, source, where)}"
                head += "" if start is None else f", beginning with {says(start)}"
                head += "" if by is None else f", in order of {says(by)}"
                return self._then(head, body, deep)
            case n.Repeat(count, _, body):
                return self._then(f"{says(count, _PATH)} times", body, deep)
            case n.Together(None, _, _, body):
                return self._then("at once, as one event", body, deep)
            case n.Together(var, source, start, body):
                assert var is not None and source is not None
                head = f"at once and in secret, each {self._each(var.text, source, None)}"
                head += "" if start is None else f", beginning with {says(start)}"
                return self._then(head, body, deep)
            case n.Loop(period, body):
                return self._then("again and again" + self._period(period), body, deep)
            case n.Alternate(var, start, period, cond, body):
                head = f"in turns, {spaced(var.text)} beginning with {says(start)}{self._period(period)}"
                return self._then(head + ("" if cond is None else f", while {says(cond)}"), body, deep)
            case n.While(cond, body):
                return self._then(f"while {says(cond)}", body, deep)
            case n.Stop():
                return [(deep, "stop the innermost loop or turn")]
            case n.Finish(kind, player, reason):
                why = "" if reason is None else f' ("{reason.value}")'
                if player is None:
                    return [(deep, f"the match is a tie{why}")]
                return [(deep, f"{says(player)} {'wins' if kind == 'win' else 'loses'} the match{why}")]
            case n.Choose(who, may, alternatives, other):
                steps = self._choice(says(who), may, alternatives, deep)
                return steps if other is None else [*steps, *self._then("if nothing is chosen", other, deep)]
            case n.Until(period, body):
                head = "from now on, until it was used once" if period is None else self._until(period)
                return [(deep, f"{head}:"), *self.lines(body, deep + 1)]
            case n.Exchange(slots, first, second):
                borne = ", ".join(spaced(slot.text) for slot in slots)
                return [(deep, f"{says(first)} and {says(second)} bear each other's {borne}")]
            case n.Modifier(call, op, by, when, priority):
                change = _MODIFIES[op].format(says(by, _SUM))
                return [(deep, f"{self.value(call)}: {change}{self._when(when)}{_priority(priority)}")]
            case n.On(call, when, priority, body, offers):
                head = f"after the event {self.event(call)}{self._when(when)}{_priority(priority)}"
                if body is None:
                    return [(deep, f"{head}:"), *self._choice("its owner", True, offers, deep + 1)]
                if not body.items:
                    return [(deep, f"{head}: nothing is done, but this counts as used")]
                return self._then(head, body, deep)
            case n.Instead(call, when, priority, body):
                head = f"instead of the event {self.event(call)}{self._when(when)}{_priority(priority)}"
                return self._then(head, body, deep)
            case n.Once(period, body):
                return [(deep, f"once in each {spaced(period.text)} only:"), *self.lines(body, deep + 1)]
            case _:
                assert_never(item)

    def happening(self, call: n.Call) -> str:
        """An event that is raised: `hurt, with player its owner, amount 1`."""
        effect = self.s.effects.get(call.name.text)
        params = [] if effect is None else [p.name for p in effect.params]
        said = []
        for i, arg in enumerate(call.args):
            param = arg.name.text if arg.name is not None else params[i] if i < len(params) else ""
            given = self.says(arg.value)
            said.append(given if given == spaced(param) or len(param) < 2 else f"{spaced(param)} {given}")
        return spaced(call.name.text) + (f", with {', '.join(said)}" if said else "")

    def _choice(self, who: str, may: bool, alternatives: Sequence[n.Alternative], deep: int) -> list[Step]:
        verb = "may choose" if may else "chooses"
        if len(alternatives) == 1:
            return self._then(f"{who} {verb} {self._alternative(alternatives[0])}", alternatives[0].body, deep)
        steps: list[Step] = [(deep, f"{who} {verb} one of these:")]
        for alternative in alternatives:
            steps += self._then(self._alternative(alternative), alternative.body, deep + 1)
        return steps

    def _alternative(self, a: n.Alternative) -> str:
        label = f'"{a.label.value}"' if a.label is not None else spaced(a.verb.text)
        picks = [self._pick(pick) for pick in a.picks]
        if not picks:
            return f"{label}{self._when(a.when)}"
        return f"{', and '.join(picks)} ({label}){self._when(a.when)}"

    def _pick(self, p: n.Pick) -> str:
        name = spaced(p.name.text)
        if p.type is None:
            words = f"whether {name}"
        else:
            what = self.type(p.type)
            words = f"{what} as {name}" if isinstance(p.type, n.RangeType) else f"{article(what)} {name}"
        if p.maybe and p.type is not None:
            words += " (or none)"
        words += "" if p.source is None else f" in {self.says(p.source, _SUM)}"
        return words + ("" if p.where is None else f" where {self.says(p.where, 1)}")

    def _when(self, when: n.Expr | None) -> str:
        return "" if when is None else f", if {self.says(when)}"

    @staticmethod
    def _period(period: n.Ident | None) -> str:
        return "" if period is None else f" (each is a {spaced(period.text)})"

    @staticmethod
    def _until(period: n.Ident) -> str:
        return f"from now on, until the {spaced(period.text)} is over"


_FOLDS = {"sum": "sum", "min": "least", "max": "greatest"}
_CHANGES = {"=": "set {0} to {1}", "+=": "add {1} to {0}", "-=": "take {1} from {0}", "*=": "multiply {0} by {1}"}
_MODIFIES = {"=": "it is {}", "+=": "{} more", "-=": "{} less", "*=": "times {}"}


def _priority(priority: int) -> str:
    return "" if priority == 0 else f" (priority {priority}: {'later' if priority > 0 else 'earlier'} than others)"
