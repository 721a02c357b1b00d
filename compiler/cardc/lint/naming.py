"""L801: names are small letters, digits and `_` between words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardc import nodes as n
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.nesting import walk

CODE = "L801"
_GOOD = re.compile(r"_*[a-z][a-z0-9]*(?:_[a-z0-9]+)*|_+")
_WORDS = re.compile(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[0-9]*|[0-9]+")


def find(package: Package) -> Iterator[Finding]:
    for u in package.own:
        for node in walk(u.decl):
            for name in declared(node):
                if not _GOOD.fullmatch(name.text):
                    better = written_well(name.text)
                    message = f"`{name.text}` is not written in small letters with `_` between words"
                    yield finding(CODE, u.source, name, message, f"write `{better}`" if better else None)


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
