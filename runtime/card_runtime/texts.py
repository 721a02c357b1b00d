"""The code of a game before it is linked: which function stands where, what of it is whose, and what cards use and do
of the rules.

All this is told from the text alone, as a game may have any number of cards, and most of them lie in no match: only
those that come to do something are ever parsed (`code`)."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import TypeAlias

from card_runtime.model import MOVERS, OF_CARDS, RULES
from card_runtime.package import Module

Part: TypeAlias = Sequence[Module]
At: TypeAlias = tuple[int, int]
"""A module, as its part and its place in it."""

_DEF = re.compile(r"^def ([^(\n]+)", re.MULTILINE)
STEPS = re.compile(r"^def s_.*?(?=^def |\Z)", re.MULTILINE | re.DOTALL)
"""A function of the step form, and its size."""


class Texts:
    """The text of all parts that are loaded together. `home`: in which module each function of a card stands; `rules`
    and `cards`: the parts that hold rules, and those that hold nothing but what single cards do."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self._digests: dict[int, str] = {}
        self.home: dict[str, At] = {}
        self.rules: list[int] = []
        self.cards: list[int] = []
        for i, part in enumerate(parts):
            names = [_DEF.findall(text) for text, _, _ in part]
            if all(map(OF_CARDS.match, (name for found in names for name in found))):
                self.cards.append(i)
                for j, found in enumerate(names):
                    self.home.update(dict.fromkeys(found, (i, j)))
            else:
                self.rules.append(i)

    def digest(self, i: int) -> str:
        """The SHA-256 of a part."""
        if i not in self._digests:
            self._digests[i] = _digest(self.parts[i])
        return self._digests[i]

    def unit(self, at: At, card: str) -> Module:
        """The functions of one card, which stand in this module, with their lines."""
        text, shown, table = self.parts[at[0]][at[1]]
        texts: list[str] = []
        lines: list[int] = []
        for name, start, end in _functions(text):
            if bearer_of(name) == card:
                first, last = text.count("\n", 0, start), text.count("\n", 0, end)
                texts.append(text[start:end])
                lines += table[first:last]
        return "".join(texts), shown, lines

    def traits(self, i: int) -> Traits:
        """What the cards of a part use and do of the rules in playouts."""
        found = Traits()
        for text, shown, _ in self.parts[i]:
            found |= traits(STEPS.sub("", text), shown)
        return found


def bearer_of(name: str) -> str:
    """The card whose function has this name."""
    found = OF_CARDS.match(name)
    assert found is not None
    return name[found.end() :].partition("·")[0]


def _functions(text: str) -> Iterator[tuple[str, int, int]]:
    """The functions of a module: their names, and from where to where each goes, with what stands behind it."""
    found = [*_DEF.finditer(text)]
    for at, after in zip(found, [*found[1:], None], strict=True):
        yield at[1], at.start(), len(text) if after is None else after.start()


def _digest(part: Part) -> str:
    digest = sha256()
    for text, shown, table in part:
        digest.update(f"{len(text)} {len(table)} {shown}\0".encode() + text.encode())
        digest.update(array("Q", table).tobytes())
    return digest.hexdigest()


# ---- What is known of code before it is linked


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the registries (`v_…`, `t_…`, `i_…`): those that some loaded line can enter, all others stay
    empty for ever; and those of them in which every entry has a key. The slots whose values are lists. Of each part of
    a board, its first place and how many places an element has there; of each zone and part, see `whereabouts`."""

    used: frozenset[str]
    keyed: frozenset[str]
    listed: frozenset[str] = frozenset()
    parts: tuple[tuple[int, int], ...] = ()
    homes: tuple[tuple[int, int, int], ...] = ()

    def key(self) -> str:
        names = ";".join(",".join(sorted(names)) for names in (self.used, self.keyed, self.listed))
        return names + repr((self.parts, self.homes))


@dataclass(frozen=True, slots=True)
class Uses:
    """What code needs of the rules: the values that it reads, and in how many places it calls each function (2 is two
    or more)."""

    reads: frozenset[str] = frozenset()
    calls: Mapping[str, int] = field(default_factory=dict)

    def __or__(self, other: Uses) -> Uses:
        calls = Counter(self.calls) + Counter(other.calls)
        return Uses(self.reads | other.reads, {name: min(times, 2) for name, times in sorted(calls.items())})


@dataclass(frozen=True, slots=True)
class Deeds:
    """What code does where no logs are kept: whether it shows cards to one seat, turns some face down, and lets
    anything last."""

    shows: bool = False
    turns: bool = False
    lasts: bool = False

    def __or__(self, other: Deeds) -> Deeds:
        return Deeds(self.shows or other.shows, self.turns or other.turns, self.lasts or other.lasts)


@dataclass(frozen=True, slots=True)
class Traits:
    """What code needs of the rules, and what it does."""

    uses: Uses = field(default_factory=Uses)
    deeds: Deeds = field(default_factory=Deeds)

    def __or__(self, other: Traits) -> Traits:
        return Traits(self.uses | other.uses, self.deeds | other.deeds)


_READS = re.compile(r"\bv_[\w·]+")
_CALLS = re.compile(rf"\b((?:{'|'.join(RULES)})[\w·]*)\(")
_MOVES = re.compile(rf"\b(?:move|move_all|(?:{'|'.join(MOVERS)})[\w·]*)\(")
_PLAINLY_UP = re.compile(rf"^ *(?:move|move_all|(?:{'|'.join(MOVERS)})[\w·]*)\([^\n]*, (?:True|None)\)$")
_TURNED = re.compile(r"^.*\.up\[.*\] = (?!True$).*$", re.MULTILINE)


def traits(text: str, shown: str) -> Traits:
    """Those of the direct form of code. What is read and called may be more than is left when it is linked."""
    calls = {name: min(times, 2) for name, times in sorted(Counter(_CALLS.findall(text)).items())}
    done = reduce(or_, (_deeds(text[start:end], shown) for _, start, end in _functions(text)), Deeds())
    return Traits(Uses(frozenset(_READS.findall(text)), calls), done)


def _deeds(text: str, shown: str) -> Deeds:
    """What a function does: from its tree, unless that is plain to see."""
    shows, lasts = "reveal(" in text, "lasting(" in text
    if ((shows or lasts) and "m.obs" in text) or _TURNED.search(text) or not all(map(_plainly_up, _moving(text))):
        from card_runtime.never import deeds  # what works on trees is loaded where there is something to work on
        from card_runtime.trees import tree

        return deeds(tree(text, shown))
    return Deeds(shows, False, lasts)


def _moving(text: str) -> Iterator[str]:
    """The lines that call what moves cards."""
    for found in _MOVES.finditer(text):
        yield text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.start())]


def _plainly_up(line: str) -> bool:
    """Whether all that a line does is to move cards that then lie face up, or as they lay."""
    return len(_MOVES.findall(line)) == 1 and _PLAINLY_UP.match(line) is not None
