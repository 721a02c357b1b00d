"""What the checks of a part of a package leave for the checks of the whole, and what a part has to know of the others.

Facts are plain data: they pass between processes and are kept beside a built package, while trees and elaborated code
stay where they were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from msgspec import Struct, field
from msgspec.structs import astuple

from cardc import types
from cardc.ir import FALSE, CAlt, CPick, SChoose, Var
from cardc.report import Unsure
from cardc.shape import Shape

if TYPE_CHECKING:
    from cardc.check import Checker
    from cardc.elaborate import Key
    from cardc.graphs import Far, Listening
    from cardc.symbols import CardSym
    from cardc.types import Type

Plain: TypeAlias = tuple[Any, ...]
Alternative: TypeAlias = tuple[str, tuple[tuple[str, Plain], ...]]
"""The verb of an alternative, and the name and type of each of its picks."""
_TYPES: tuple[type[Any], ...] = get_args(types.Type)
_NUMBERS = {cls: i for i, cls in enumerate(_TYPES)}


def plain_type(t: Any) -> Any:
    """A type as plain data; what is no type stays as it is."""
    number = _NUMBERS.get(type(t))
    if number is None:
        return t
    return (number, *map(plain_type, astuple(t)))


def type_of(plain: Any) -> Type:
    """The type that `plain_type` has written."""
    number, *rest = plain
    found: Type = _TYPES[number](*(type_of(x) if isinstance(x, tuple) else x for x in rest))
    return found


class Facts(Struct):
    """Facts of checked cards and tests.

    `reads`, `writes`: see `cardc.elaborate.Uses`. `edges`: the values that modifiers of a value read, with the
    conditions of their slots. `calls`: what slots of a name call. `heard`: the lines that listen without a limit.
    `readings`: see `cardc.emit.module`. `chances`: what is drawn by chance, by name. `alternatives`: of all choices."""

    reads: set[Key] = field(default_factory=set)
    writes: set[Key] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)
    calls: dict[str, set[str]] = field(default_factory=dict)
    heard: dict[Listening, list[Far]] = field(default_factory=dict)
    readings: dict[str, dict[str, int]] = field(default_factory=dict)
    chances: dict[str, Plain] = field(default_factory=dict)
    alternatives: dict[Alternative, None] = field(default_factory=dict)

    def join(self, other: Facts) -> None:
        """Add the facts of another part. Raises Unsure where two parts draw different things under one name."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.edges |= other.edges
        for name, called in other.calls.items():
            self.calls.setdefault(name, set()).update(called)
        for listening, lines in other.heard.items():
            self.heard.setdefault(listening, []).extend(lines)
        join_readings(self.readings, other.readings)
        for name, drawn in other.chances.items():
            if self.chances.setdefault(name, drawn) != drawn:
                raise Unsure
        self.alternatives |= other.alternatives

    def plain(self) -> Plain:
        return astuple(self)


def join_readings(into: dict[str, dict[str, int]], more: Mapping[str, Mapping[str, int]]) -> None:
    """Add up how often modifiers of a value read each other value."""
    for of, read in more.items():
        here = into.setdefault(of, {})
        for name, times in read.items():
            here[name] = here.get(name, 0) + times


class Others(Struct):
    """What a check knows of the cards that stand elsewhere in the package: that they are there, and what follows from
    their shape; for tests, all that is drawn by chance and all choices of the package."""

    cards: Sequence[CardSym] = ()
    shape: Shape = field(default_factory=Shape)
    chances: dict[str, Type] = field(default_factory=dict)
    sites: list[SChoose] = field(default_factory=list)


def facts_of(checker: Checker) -> Facts:
    """The facts of what a checker has checked."""
    from cardc.emit.module import modifier_readings

    w = checker.work
    facts = Facts(set(checker.uses.reads), set(checker.uses.writes))
    facts.edges = {(x.of, read) for x in w.lines if x.kind == "modifier" for read in checker.line_reads(x)}
    facts.calls = {name: set(called) for name, called in w.calls.items() if name.startswith("·")}
    for event, card, work, spot in checker.heard():
        facts.heard.setdefault((event, work), []).append((card, spot.source.path, spot.node.span))
    facts.readings = modifier_readings(w.lines)
    facts.chances = {name: plain_type(t) for name, t in checker.uses.chances.items()}
    facts.alternatives = alternatives_of(w.sites)
    return facts


def alternatives_of(sites: Iterable[SChoose]) -> dict[Alternative, None]:
    """What matters to tests of the alternatives of choices, each once."""
    found: dict[Alternative, None] = {}
    for site in sites:
        for alt in site.alts:
            found[alt.verb, tuple((p.var.name.rsplit("_", 1)[0], plain_type(p.type)) for p in alt.picks)] = None
    return found


def site_of(alternatives: Iterable[Alternative]) -> SChoose:
    """A choice of these alternatives, as tests look at it."""
    alts = []
    for verb, picks in alternatives:
        found = []
        for name, plain in picks:
            t = type_of(plain)
            found.append(CPick(Var(f"{name}_0", t), FALSE, True, None, None, False, t))
        alts.append(CAlt(verb, tuple(found), None, None, (), 0))
    return SChoose(FALSE, True, tuple(alts), (), "", 0)
