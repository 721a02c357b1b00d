"""What effects are given that choose by it: a search for calls whose arguments the chooser does not see.

Inside an effect its parameters are taken as seen, and as the chooser's. Here the options of its choices are judged
again for each call, by what is given there, also where that is passed on from effect to effect. What a line of a card
hears of an event is taken as seen, and as another player's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from cardc import nodes as n
from cardc.choices import Given, Origin, Told
from cardc.graphs import Bodies
from cardc.ir import Var, X
from cardc.report import Report
from cardc.searches import Key, key, parts
from cardc.sight import OWN, Argument, Known, Sight, way_out

MOST_CALLS = 8
"""How deep calls are followed to a choice."""

Way: TypeAlias = "tuple[tuple[Given, ...], Told]"
"""Calls, from the outermost, and what they lead to."""


class Found(Struct, frozen=True):
    """What a call tells by way of options: which argument, what of it, and the options."""

    argument: X
    what: str
    told: Told


class Giving:
    """Judges options, and calls that lead to some. `bodies`, `told` and `given` are of the effects, or of more."""

    def __init__(self, sight: Sight, bodies: Bodies, told: Iterable[Told], given: Iterable[Given]) -> None:
        self.sight = sight
        self.params = {_unit(name): [p.name for p in params] for name, (params, _) in bodies.items()}
        self.told: dict[str, list[Told]] = {}
        for t in told:
            self.told.setdefault(t.unit, []).append(t)
        self.calls: dict[str, list[Given]] = {}
        for g in given:
            self.calls.setdefault(g.unit, []).append(g)
        self.known: dict[str, list[Way]] = {}

    def search(self, told: Iterable[Told], given: Iterable[Given], report: Report) -> None:
        """Tell of all of these options, and of these calls, that tell what their chooser cannot see."""
        for t in told:
            what = self.alone(t)
            if what is not None:
                message = f"the options tell {what} that their chooser cannot see"
                help = f"{way_out(what)}, or reveal it to the chooser right before"
                report.add("E501", t.source, t.node, message, help)
        for g in given:
            found = self.breach(g)
            if found is not None:
                report.add(
                    "E501", g.source, n.Name("", span=found.argument.span),
                    f"the options that this leads to tell {found.what} that their chooser cannot see",
                    "give what the chooser can see, or reveal it to the chooser right before",
                    [(found.told.source, found.told.node, "the options go by it")],
                )  # fmt: skip

    def alone(self, told: Told) -> str | None:
        """What options tell their chooser and is not his to know, whatever an effect around them is given."""
        return self.sight.breach(told, self.best(told.unit, key(told.chooser)))

    def best(self, unit: str, chooser: Key | None) -> dict[str, Argument]:
        """The best that the effect with this body can be given: the chooser and what is his, but the other player where
        the chooser is said to be the opponent."""
        params = self.params.get(unit, ())
        return {name: (OWN, Known()) for name in params if chooser != ("opponent", ("var", name))}

    def breach(self, given: Given) -> Found | None:
        """What this call tells its chooser and is not his to know."""
        for calls, told in self.ways(given.effect):
            what = self.followed((given, *calls), told)
            if what is not None:
                return Found(self.hidden(given, calls, told), what, told)
        return None

    def ways(self, effect: str) -> list[Way]:
        """The choices that go by what the effect is given, with the calls that lead to them. Those that tell too much
        whatever it is given have findings of their own."""
        if effect not in self.known:
            self.known[effect] = []  # effects that call each other in a circle have their finding
            unit = _unit(effect)
            params = {*self.params.get(unit, ())}
            found: list[Way] = [
                ((), t) for t in self.told.get(unit, ()) if not params.isdisjoint(_goes_by(t))
                and self.alone(t) is None
            ]  # fmt: skip
            for g in self.calls.get(unit, ()):
                if not params.isdisjoint(_names(g.args, g.origins)):
                    found += [
                        ((g, *calls), t) for calls, t in self.ways(g.effect)
                        if len(calls) + 1 < MOST_CALLS and self.followed((g, *calls), t) is None
                    ]  # fmt: skip
            self.known[effect] = found
        return self.known[effect]

    def followed(self, calls: Sequence[Given], told: Told) -> str | None:
        """What is told by these options after these calls."""
        *_, last = self.contexts(calls, told)
        return self.sight.breach(told, self.arguments(calls[-1], last))

    def contexts(self, calls: Sequence[Given], told: Told) -> list[Known]:
        """What is known where each of these calls stands."""
        chooser: Key | None = key(told.chooser)
        choosers: list[Key | None] = []
        inside = told.origins
        for g in reversed(calls):
            if chooser is not None:
                chooser = _outside(chooser, self.args(g), inside)
            choosers.append(chooser)
            inside = g.origins
        out: list[Known] = []
        given: Mapping[str, Argument] = self.best(calls[0].unit, chooser)
        for g, seat in zip(calls, reversed(choosers), strict=True):
            seats = frozenset() if seat is None else self.sight.choosers(seat, g.origins)
            out.append(Known(chooser=seats, shown=g.shown, origins=g.origins, given=given))
            given = self.arguments(g, out[-1])
        return out

    def hidden(self, given: Given, calls: Sequence[Given], told: Told) -> X:
        """The argument of which something is told: a hidden one, or else the player who is not the chooser."""
        at = self.contexts((given, *calls), told)[0]
        used = _names(calls[0].args, calls[0].origins) if calls else _goes_by(told)
        args = [x for name, x in self.args(given).items() if name in used]
        hidden = (x for x in args if self.sight.level(x, at) or self.sight.read(x, at))
        others = (x for x in args if not self.sight.is_chooser(x, at))
        return next(hidden, None) or next(others, args[0])

    def arguments(self, given: Given, at: Known) -> dict[str, Argument]:
        return {name: (x, at) for name, x in self.args(given).items()}

    def args(self, given: Given) -> dict[str, X]:
        """What each parameter is given."""
        return dict(zip(self.params[_unit(given.effect)], given.args, strict=True))


def _unit(effect: str) -> str:
    """The name of the code of an effect."""
    return f"e_{effect}"


def _goes_by(told: Told) -> set[str]:
    """The locals and parameters that decide over these options."""
    sources = [x for p in told.picks for x in (p.source, p.where) if x is not None]
    return _names((told.x, *sources), told.origins)


def _names(xs: Iterable[X], origins: Mapping[str, Origin]) -> set[str]:
    """The locals and parameters that expressions read, and those that their locals were made of."""
    found: set[str] = set()
    todo = [*xs]
    while todo:
        for p in parts(todo.pop()):
            if p.op == "var" and isinstance(var := p.args[0], Var) and var.name not in found:
                found.add(var.name)
                if var.name in origins:
                    todo.append(origins[var.name].x)
    return found


def _outside(seat: Key, arguments: Mapping[str, X], origins: Mapping[str, Origin]) -> Key | None:
    """A player in the words of who calls; None where that cannot be said."""
    match seat:
        case ("var", str(name)) if name in arguments:
            return key(arguments[name])
        case ("var", str(name)):
            origin = origins.get(name)
            return None if origin is None or origin.one_of else _outside(key(origin.x), arguments, origins)
        case ("opponent", tuple(inner)):
            outer = _outside(inner, arguments, origins)
            if outer is not None and outer[0] == "opponent" and isinstance(outer[1], tuple):
                return outer[1]
            return None if outer is None else ("opponent", outer)
        case ("owner", tuple(inner)):
            outer = _outside(inner, arguments, origins)
            return None if outer is None else ("owner", outer)
    return seat if all(isinstance(part, str | int | None) for part in seat) else None
