"""What changed between two versions of a package, in the words of its game, and what that breaks.

Assumes two packages that build. Establishes a list of changes in a fixed order. A change can break saved matches (any
change of what runs:
a save is of one build), decks (a card is gone, a ready-made deck is no longer legal) and expansions (a name they may
use is gone or differs).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cardc import nodes as n
from cardc.formatting import Shape, Writer
from cardc.parse import parse_file
from cardc.source import Source

Breaks: TypeAlias = Literal["saves", "decks", "expansions"]
LEVELS: tuple[Breaks, ...] = ("saves", "decks", "expansions")


@dataclass(frozen=True, slots=True)
class Change:
    """`kind` is added, removed, changed or outcome; `what` the thing (`card plague`); `text` what is different about
    it."""

    kind: str
    what: str
    text: str
    breaks: tuple[Breaks, ...] = ()

    def line(self) -> str:
        broken = f" [breaks {', '.join(self.breaks)}]" if self.breaks else ""
        detail = f": {self.text}" if self.text else ""
        return f"{self.kind} {self.what}{detail}{broken}"


@dataclass(frozen=True, slots=True)
class Written:
    """A declaration, its canonical text, and the text of its file."""

    decl: n.Decl
    text: str
    file: str


@dataclass(slots=True)
class Side:
    """One version: its declarations by name, its tests by title with whether they pass, what its decks break."""

    decls: dict[str, Written] = field(default_factory=dict)
    tests: dict[str, bool] = field(default_factory=dict)
    illegal: dict[str, list[str]] = field(default_factory=dict)


def read(files: Iterable[tuple[str, bytes]]) -> Side:
    """The declarations of a version's files; what does not parse is left to the checker."""
    side = Side()
    for path, data in sorted(files):
        if not path.endswith(".card"):
            continue
        source = Source(path, data.decode("utf-8-sig", "replace"))
        for d in parse_file(source)[0]:
            name = named(d)
            if name is not None:
                side.decls[name] = Written(d, canonical(source.text[d.span[0] : d.span[1]]), source.text)
    return side


def canonical(text: str) -> str:
    """A declaration's text in canonical form, comments left out, on one line."""
    decls, _ = parse_file(Source("", text))
    writer = Writer(text, Shape(text, decls))
    writer.tokens = [t for t in writer.tokens if t.kind != "comment"]
    return " ".join(writer.run().split())


def named(d: n.Decl) -> str | None:
    """What a declaration is called in a report, or None for tests."""
    match d:
        case n.TestDecl():
            return None
        case n.GameDecl(name) | n.ExpansionDecl(name):
            return f"package {name.text}"
        case n.PlayerDecl():
            return "player"
        case n.SetupDecl():
            return "setup"
        case n.FlowDecl():
            return "flow"
        case n.DeckDecl():
            return "deck"
        case n.StateDecl(f):
            return f"state {f.name.text}"
        case n.UnseenDecl(_, kind, place, _):
            return f"unseen {kind.text} in {place.text}"
        case n.EnumDecl(name, _, True):
            return f"extend enum {name.text}"
    word = {
        n.OptionDecl: "option", n.EnumDecl: "enum", n.KindDecl: "kind", n.ZoneDecl: "zone", n.BoardDecl: "board",
        n.ValueDecl: "value",
        n.EffectDecl: "effect", n.DecklistDecl: "decklist", n.CardDecl: "card",
    }.get(type(d), type(d).__name__.removesuffix("Decl").lower())  # fmt: skip
    ident = getattr(d, "name", None)
    return f"{word} {ident.text}" if isinstance(ident, n.Ident) else word


# Gone or different, these can be missed by an expansion.
_USED_BY_EXPANSIONS = ("enum ", "kind ", "zone ", "board ", "value ", "effect ", "state ", "option ", "player", "card ")


def compare(old: Side, new: Side) -> list[Change]:
    """All changes: cards first, then the frame, decks and tests, each in the order of their names."""
    out: list[Change] = []
    names = sorted({*old.decls, *new.decls}, key=lambda x: (not x.startswith("card "), x))
    for name in names:
        a, b = old.decls.get(name), new.decls.get(name)
        if a is None and b is not None:
            out.append(Change("added", name, _title(b.decl), _adding(b.decl)))
        elif b is None and a is not None:
            out.append(Change("removed", name, _title(a.decl), _removing(name)))
        elif a is not None and b is not None and a.decl != b.decl:
            out += changed(name, a, b)
    out += decks(old, new)
    out += tests(old, new)
    return out


def _title(d: n.Decl) -> str:
    title = getattr(d, "title", None)
    return title.value if isinstance(title, n.Text) else ""


def _adding(d: n.Decl) -> tuple[Breaks, ...]:
    return ("saves",) if not isinstance(d, n.DecklistDecl) else ()


def _removing(name: str) -> tuple[Breaks, ...]:
    if name.startswith("decklist "):
        return ("decks",)
    broken: list[Breaks] = ["saves"]
    if name.startswith("card "):
        broken.append("decks")
    if name.startswith(_USED_BY_EXPANSIONS):
        broken.append("expansions")
    return tuple(broken)


def changed(name: str, old: Written, new: Written) -> Iterable[Change]:
    a, b = old.decl, new.decl
    match a, b:
        case n.CardDecl(), n.CardDecl():
            yield from cards(name, a, b, old.file, new.file)
        case n.ValueDecl(), n.ValueDecl():
            same = [p.type for p in a.params] == [p.type for p in b.params] and a.type == b.type
            breaks: tuple[Breaks, ...] = ("saves",) if same else ("saves", "expansions")
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`", breaks)
        case n.EffectDecl(), n.EffectDecl():
            same = [(p.type, p.default) for p in a.params] == [(p.type, p.default) for p in b.params]
            yield Change(
                "changed",
                name,
                "what it does" if same else "its parameters",
                ("saves",) if same else ("saves", "expansions"),
            )
        case n.EnumDecl(), n.EnumDecl():
            yield from enums(name, a, b)
        case n.KindDecl(), n.KindDecl():
            yield from kinds(name, a, b)
        case n.GameDecl() | n.ExpansionDecl(), n.GameDecl() | n.ExpansionDecl():
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`")
        case n.DecklistDecl(), n.DecklistDecl():
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`")
        case n.ZoneDecl() | n.BoardDecl() | n.PlayerDecl() | n.OptionDecl() | n.StateDecl(), _:
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`", ("saves", "expansions"))
        case _:
            yield Change("changed", name, "", ("saves",))


def cards(name: str, a: n.CardDecl, b: n.CardDecl, before: str, after: str) -> Iterable[Change]:
    """Field by field and clause by clause."""
    if a.title != b.title:
        yield Change("changed", name, f"its name: `{a.title.value}` is now `{b.title.value}`")
    if a.kind.text != b.kind.text:
        yield Change(
            "changed",
            name,
            f"its kind: {a.kind.text} is now {b.kind.text}; the id is used for another card",
            ("saves", "decks"),
        )
    old, new = lines(a, before), lines(b, after)
    for key in [*old, *(k for k in new if k not in old)]:
        x, y = old.get(key), new.get(key)
        if x == y:
            continue
        if x is None:
            yield Change("changed", name, f"{key}: now `{y}`", ("saves",))
        elif y is None:
            yield Change("changed", name, f"{key}: no longer `{x}`", ("saves",))
        else:
            yield Change("changed", name, f"{key}: `{x}` is now `{y}`", ("saves",))


def lines(card: n.CardDecl, text: str) -> dict[str, str]:
    """What a card says, by field, flag, slot and clause of a slot; `text` is that of its file."""

    def said(node: n.Node) -> str:
        return " ".join(text[node.span[0] : node.span[1]].split())

    out: dict[str, str] = {}
    for line in card.lines:
        match line:
            case n.CardField(name, value):
                out[name.text] = said(value)
            case n.CardFlag(name):
                out[name.text] = "yes"
            case n.CardSlot(name, args, body):
                if args:
                    out[f"{name.text}, arguments"] = ", ".join(said(a) for a in args)
                for i, item in enumerate(body.items):
                    out[f"{name.text}, clause {i + 1}"] = said(item)
                if not body.items:
                    out[name.text] = "{}"
            case n.CardForm(name, args, inner):
                head = f"{name.text} ({', '.join(said(a) for a in args)})"
                own = lines(n.CardDecl(card.name, card.title, card.kind, inner), text)
                out[head] = "yes"
                out |= {f"{head}, {k}": v for k, v in own.items()}
    return out


def enums(name: str, a: n.EnumDecl, b: n.EnumDecl) -> Iterable[Change]:
    old, new = [m.name.text for m in a.members], [m.name.text for m in b.members]
    for m in old:
        if m not in new:
            yield Change("removed", f"{name}, member {m}", "", ("saves", "expansions"))
    for m in new:
        if m not in old:
            yield Change("added", f"{name}, member {m}", "", ("saves",))
    if a.columns != b.columns:
        yield Change("changed", name, "its columns", ("saves", "expansions"))
    elif sorted(old) == sorted(new):
        yield Change("changed", name, "the order or the data of its members", ("saves",))


def members(kind: n.KindDecl) -> dict[str, n.Field | n.FlagDecl | n.SlotDecl | n.FormDecl]:
    out: dict[str, n.Field | n.FlagDecl | n.SlotDecl | n.FormDecl] = {
        f.name.text: f for f in (*kind.fields, *kind.states)
    }
    out |= {f.name.text: f for f in kind.flags}
    out |= {x.name.text: x for x in kind.slots}
    return out | {f.name.text: f for f in kind.forms}


def kinds(name: str, a: n.KindDecl, b: n.KindDecl) -> Iterable[Change]:
    """Member by member: a new field without a default breaks the cards of expansions."""
    before, after = members(a), members(b)
    for m in before:
        if m not in after:
            yield Change("removed", f"{name}, {m}", "", ("saves", "expansions"))
        elif before[m] != after[m]:
            yield Change("changed", f"{name}, {m}", "", ("saves", "expansions"))
    for m, member in after.items():
        if m not in before:
            needed = isinstance(member, n.Field) and member in b.fields and member.default is None
            yield Change("added", f"{name}, {m}", "", ("saves", "expansions") if needed else ("saves",))
    if (a.base and a.base.text) != (b.base and b.base.text):
        yield Change("changed", name, "what it extends", ("saves", "expansions"))


def decks(old: Side, new: Side) -> Iterable[Change]:
    for name, flaws in sorted(new.illegal.items()):
        if flaws and not old.illegal.get(name):
            yield Change("outcome", f"decklist {name}", "no longer legal: " + "; ".join(flaws), ("decks",))


def tests(old: Side, new: Side) -> Iterable[Change]:
    words = {True: "passes", False: "fails"}
    for title in sorted({*old.tests, *new.tests}):
        a, b = old.tests.get(title), new.tests.get(title)
        if a is not None and b is not None and a != b:
            yield Change("outcome", f"test {title!r}", f"it now {words[b]}")
        elif a is None and b is not None:
            yield Change("added", f"test {title!r}", "" if b else "it fails")
        elif b is None:
            yield Change("removed", f"test {title!r}", "")
