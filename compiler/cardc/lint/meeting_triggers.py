"""L808: two cards wait for one event, and what one sets the other sets or reads: their order decides.

State of the match, of players, of places and of cards is looked at; what is only added to on both sides is the same in
any order. Triggers of different priorities have an order that somebody chose; triggers that both wait for an event of
the card itself never wait for the same one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from card_runtime.depth import deep
from msgspec import Struct
from msgspec.structs import astuple

from cardc import nodes as n
from cardc.findings import Finding
from cardc.ir import AbilityLine, Place, SAssign, SCall, X
from cardc.lint.package import Package, finding
from cardc.nesting import walk
from cardc.source import Source

CODE = "L808"

_STATE = frozenset({"state", "player", "element", "card"})
Keys = frozenset[tuple[str, ...]]


class _Work(Struct, frozen=True):
    """What code does to state: what it sets, what it only adds to, what it reads."""

    sets: Keys = frozenset()
    adds: Keys = frozenset()
    reads: Keys = frozenset()

    def __or__(self, other: _Work) -> _Work:
        return _Work(self.sets | other.sets, self.adds | other.adds, self.reads | other.reads)

    def meets(self, other: _Work) -> Keys:
        mine = self.sets & (other.sets | other.adds | other.reads) | self.adds & (other.sets | other.reads)
        return mine | other.sets & (self.adds | self.reads) | other.adds & self.reads


class _Heard(Struct):
    """Lines that wait for one event at one priority, do the same to state, and ask for the card itself at the same
    places: the first one, and the first of another card."""

    priority: int
    own: frozenset[int]
    work: _Work
    lines: list[tuple[int, AbilityLine]]


def find(package: Package) -> Iterator[Finding]:
    heads = _heads(package)
    with deep():
        reader = _Reader(package)
        heard: dict[str, dict[object, _Heard]] = {}
        for number, line in enumerate(package.work.lines):
            if line.kind != "on" or line.body is None or line.name not in heads:
                continue
            work = reader.statements(line.body.stmts)
            if line.cond is not None:
                work |= _Work(reads=reader.expression(line.cond.body))
            own = frozenset(i for i, arg in enumerate(heads[line.name].args) if arg.value == n.Name("self"))
            here = _Heard(line.priority, own, work, [(number, line)])
            alike = heard.setdefault(line.of, {})
            if package.work.spots[line.name].own and (found := _meeting(line, here, alike.values())):
                yield _tell(package, line, *found)
            known = alike.setdefault((line.priority, own, work), here)
            if known is not here and len(known.lines) == 1 and _card(known.lines[0][1]) != _card(line):
                known.lines.append((number, line))


def _meeting(line: AbilityLine, here: _Heard, alike: Iterable[_Heard]) -> tuple[AbilityLine, Keys] | None:
    """The first of the earlier lines that this one meets, and in what. Two that ask for the card itself at one place
    never wait for the same event."""
    found: list[tuple[int, AbilityLine, Keys]] = []
    for other in alike:
        if other.priority == here.priority and not other.own & here.own and (keys := here.work.meets(other.work)):
            first = next(((i, x) for i, x in other.lines if _card(x) != _card(line)), None)
            if first is not None:
                found.append((*first, keys))
    if not found:
        return None
    _, first_line, keys = min(found, key=lambda x: x[0])
    return first_line, keys


def _tell(package: Package, line: AbilityLine, other: AbilityLine, keys: Keys) -> Finding:
    names = " and ".join(f"`{key[-1]}`" for key in sorted(keys))
    both = f"cards `{_card(other)}` and `{_card(line)}` both wait for `{line.of}`"
    message = f"{both}, and their order decides over {names}"
    help = "give them priorities, if the order matters: `on … priority 1 { … }`"
    spot, label = package.work.spots[line.name], package.work.spots[other.name]
    return finding(CODE, spot.source, spot.node, message, help, ((label.source, label.node, "the other one"),))


def _card(line: AbilityLine) -> str:
    """The card whose line it is, or whose form's."""
    return line.card.split("/")[0]


def _heads(package: Package) -> dict[str, n.Call]:
    """The heads of lines, by their names in the code."""
    calls: dict[tuple[Source, n.Span], n.Call] = {}
    for u in package.symbols.units:
        if isinstance(u.decl, n.CardDecl):
            calls |= {(u.source, node.call.span): node.call for node in walk(u.decl) if isinstance(node, n.On)}
    spots = package.work.spots
    return {name: calls[spot.source, spot.node.span] for name, spot in spots.items()
            if (spot.source, spot.node.span) in calls}  # fmt: skip


class _Reader:
    """Finds what code does to state, through the effects it calls and the values it reads."""

    def __init__(self, package: Package) -> None:
        self.bodies = {b.event: b.stmts for b in package.work.bodies if b.event}
        self.values = {v.name: v.body for v in package.work.values}
        self.effects: dict[str, _Work] = {}
        self.computed: dict[str, Keys] = {}

    def effect(self, name: str) -> _Work:
        if name not in self.effects:
            self.effects[name] = _Work()  # effects do not call each other in a circle
            self.effects[name] = self.statements(self.bodies.get(name, ()))
        return self.effects[name]

    def value(self, name: str) -> Keys:
        if name not in self.computed:
            self.computed[name] = frozenset()
            body = self.values.get(name)
            self.computed[name] = frozenset() if body is None else self.expression(body)
        return self.computed[name]

    def statements(self, node: object) -> _Work:
        """The work of statements, or of anything that holds some."""
        work = _Work()
        todo = [node]
        while todo:
            match todo.pop():
                case SAssign(target, value):
                    work |= self._assigned(target, value)
                case SCall(effect, args):
                    work |= self.effect(effect)
                    todo.extend(args)
                case X() as x:
                    work |= _Work(reads=self.expression(x))
                case tuple() as several:
                    todo.extend(several)
                case Struct() as other:
                    todo.extend(astuple(other))
                case _:
                    pass
        return work

    def _assigned(self, target: X, value: X) -> _Work:
        """`p.x += n` adds if nothing else of `x` is read; what names the place is read."""
        key = frozenset({_key(target)})
        reads = self.expression(*[a for a in target.args if isinstance(a, X)])
        sum_ = value.args[0] if value.op == "clamp" else value
        if isinstance(sum_, X) and sum_.op in ("add", "sub") and _same(sum_.args[0], target):
            added = sum_.args[1]
            assert isinstance(added, X)
            return _Work(adds=key, reads=reads | self.expression(added))
        return _Work(sets=key, reads=reads | self.expression(value))

    def expression(self, *xs: X) -> Keys:
        found: set[tuple[str, ...]] = set()
        todo: list[object] = list(xs)
        while todo:
            match todo.pop():
                case X(op, args) as x:
                    if op in _STATE:
                        found.add(_key(x))
                    elif op == "value":
                        found |= self.value(str(args[0]))
                    todo.extend(args)
                case Place(_, _, element, seat):
                    todo.extend((element, seat))
                case tuple() as several:
                    todo.extend(several)
                case _:
                    pass
        return frozenset(found)


def _key(x: X) -> tuple[str, ...]:
    return (x.op, *(a for a in x.args if isinstance(a, str)))


def _same(a: object, b: X) -> bool:
    return isinstance(a, X) and (a.op, a.args) == (b.op, b.args)
