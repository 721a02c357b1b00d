"""What follows for a whole game from the shape of its code: where cards may lie face down or have no owner, which
abilities may be exchanged, which effects may ask in secret, what is revealed, what its
periods are.

Assumes parsed declarations. What is found is plain data, so that it can be kept and put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import astuple

from cardc import nodes as n
from cardc.nesting import walk
from cardc.report import Report
from cardc.symbols import Symbols, Unit

_SOUGHT = ("as", "copy", "facing", "exchange", "reveal", "together")
_WORDS = re.compile(rf"\b(?:{'|'.join(_SOUGHT)})\b")

Where = tuple[str, str]
"""A place as code names it: `zone` (a zone or board) or `member` (a zone of each player, or a part of a board), and its
name."""


class Shape(Struct):
    """`copies`: where cards are made; `downs`: where cards are moved face down; `secret`: effects called in `together
    each`; `revealed`: the members that are revealed; `periods`: those of the frame. All in order of first mention.
    `of_cards`: the periods that cards name, which come after the others by name, wherever the cards stand."""

    copies: dict[Where, None] = field(default_factory=dict)
    downs: dict[Where, None] = field(default_factory=dict)
    exchanged: dict[str, None] = field(default_factory=dict)
    secret: dict[str, None] = field(default_factory=dict)
    revealed: dict[str, None] = field(default_factory=dict)
    periods: dict[str, None] = field(default_factory=dict)
    of_cards: dict[str, None] = field(default_factory=dict)

    def join(self, other: Shape) -> None:
        for mine, more in zip(astuple(self), astuple(other), strict=True):
            mine.update(more)

    def add_to(self, s: Symbols) -> None:
        """Settle what this shape means for a game."""
        for where in self.copies:
            for name in _places(where, s):
                if not _each(name, s):
                    s.shared_kinds.update(s.kind_in(name))
        for where in self.downs:
            s.faces.update(_places(where, s))
        s.exchanged.update(self.exchanged)
        s.revealed.update(self.revealed)
        todo = [name for name in self.secret if name in s.effects]
        while todo:
            name = todo.pop()
            if name not in s.secret_effects:
                s.secret_effects.add(name)
                todo += [called for called in _called(s.effects[name].decl.body) if called in s.effects]
        s.periods += [name for name in self.periods if name not in s.periods]
        s.periods += sorted(self.of_cards.keys() - set(s.periods))


def shape_of(units: Iterable[Unit], expands: bool, report: Report) -> Shape:
    """The shape of these declarations. `expands`: they are of an expansion and its game, whose own code was checked
    with what the game alone says of places."""
    found = Shape()
    for u in units:
        if isinstance(u.decl, n.TestDecl) or not _may_matter(u):
            continue
        frame = not (u.own and expands)
        for node in walk(u.decl):
            match node:
                case n.Copy(_, to) if frame and (where := _where(to)) is not None:
                    found.copies[where] = None
                case n.Move(_, to, _, facing) if (
                    frame and facing is not None and facing != n.Name("up") and (where := _where(to)) is not None
                ):
                    found.downs[where] = None
                case n.Exchange(slots):
                    found.exchanged.update((i.text, None) for i in slots)
                case n.Reveal(n.Member(_, name)):
                    found.revealed[name.text] = None
                case n.Together(n.Ident(), _, _, body):
                    found.secret.update((name, None) for name in _called(body))
                case n.Loop(name) | n.Repeat(_, name) | n.Alternate(_, _, name) if name is not None:
                    if name.text == "match":
                        report.add("E103", u.source, name, "`match` is a built-in period", "choose another name")
                    else:
                        (found.of_cards if isinstance(u.decl, n.CardDecl) else found.periods)[name.text] = None
                case _:
                    pass
    return found


def _called(body: n.Block) -> list[str]:
    """The effects that a block names."""
    return [node.call.name.text for node in walk(body) if isinstance(node, n.CallStmt)]


def _may_matter(u: Unit) -> bool:
    """Whether a declaration has a word that matters here; most cards have none, and need no walk."""
    if u.source.path.endswith(".json"):
        return True
    text, (start, end) = u.source.text, u.decl.span
    if all([text.find(part, start, end) < 0 for part in _SOUGHT]):  # much quicker than the pattern
        return False
    return _WORDS.search(text, start, end) is not None


def _where(e: n.Expr) -> Where | None:
    """The place that an expression names, whichever of its elements."""
    while isinstance(e, n.Index):
        e = e.base
    match e:
        case n.Name(id):
            return "zone", id
        case n.Member(_, name):
            return "member", name.text
    return None


def _places(where: Where, s: Symbols) -> list[str]:
    """The zones and boards that are meant."""
    of, name = where
    if of == "zone":
        return [name] if name in s.zones or name in s.boards else []
    if name in s.zones:
        return [name]
    return [b.name for b in s.boards.values() if name in b.parts]


def _each(name: str, s: Symbols) -> bool:
    return s.zones[name].place.each if name in s.zones else all(p.each for p in s.boards[name].parts.values())
