"""L801: names are small letters, digits and `_` between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from cardc import nodes as n
from cardc.findings import Edit, Finding, Fix
from cardc.lint.package import Package, finding
from cardc.nesting import walk
from cardc.source import Source

CODE = "L801"
Places: TypeAlias = dict[str, list[tuple[Source, int, int]]]

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|//[^\n]*|[A-Za-z_][A-Za-z0-9_]*')
_GOOD = re.compile(r"_*[a-z][a-z0-9]*(?:_[a-z0-9]+)*|_+")
_WORDS = re.compile(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[0-9]*|[0-9]+")


def find(package: Package) -> Iterator[Finding]:
    places: Places = {}
    for u in package.own:
        for node in walk(u.decl):
            for name in declared(node):
                if not _GOOD.fullmatch(name.text):
                    better = written_well(name.text)
                    message = f"`{name.text}` is not written in small letters with `_` between words"
                    told = finding(CODE, u.source, name, message, f"write `{better}`" if better else None)
                    places = places or _places(package)
                    yield replace(told, fix=_renamed(name.text, better, places))


def _places(package: Package) -> Places:
    """Where the package itself has its words, outside of texts and comments."""
    found: Places = {}
    for source in dict.fromkeys(u.source for u in package.own):
        for m in _TOKEN.finditer(source.text):
            if m[0][0] not in '"/':
                found.setdefault(m[0], []).append((source, m.start(), m.end()))
    return found


def _renamed(name: str, better: str, places: Places) -> Fix | None:
    """Write the better name wherever the other one stands, if it means nothing yet."""
    if not better or better in places:
        return None
    edits = tuple(Edit(source, start, end, better) for source, start, end in places.get(name, ()))
    return Fix(f"call it `{better}` everywhere", edits) if edits else None


def written_well(name: str) -> str:
    """The name in small letters with `_` between its words; empty where it has none."""
    words = "_".join(_WORDS.findall(name)).lower()
    hidden = "_" if name.startswith("_") else ""
    return hidden + words if words and not words[0].isdigit() else ""


def declared(node: n.Node) -> tuple[n.Ident, ...]:
    """The names that a node declares."""
    match node:
        case (
            n.GameDecl(name) | n.ExpansionDecl(name) | n.OptionDecl(name) | n.KindDecl(name) | n.FlagDecl(name)
            | n.SlotDecl(name) | n.FormDecl(name) | n.Field(name) | n.EnumMember(name) | n.ZoneDecl(name)
            | n.BoardPlace(name) | n.ValueDecl(name) | n.EffectDecl(name) | n.DecklistDecl(name) | n.UnseenDecl(name)
            | n.CardDecl(name) | n.Let(name) | n.Alternative(name)
        ):  # fmt: skip
            return (name,)
        case n.EnumDecl(name, extends=False):
            return (name,)
        case n.BoardDecl(name, element=element):
            return (name,) if element is None else (name, element)
        case n.WordsType(names):
            return names
        case n.Pick(_, name):
            return (name,)
        case n.ForEach(var) | n.Aggregate(_, _, var) | n.Listing(_, var) | n.The(var):
            return (var,)
        case n.Together(n.Ident() as var):
            return (var,)
        case n.Alternate(var, _, period):
            return (var,) if period is None else (var, period)
        case n.Repeat(_, n.Ident() as period) | n.Loop(n.Ident() as period):
            return (period,)
    return ()
