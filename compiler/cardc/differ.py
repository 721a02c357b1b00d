"""What changed between two versions of a package, in the words of its game, and what that breaks.

Assumes two packages that parse. Establishes a list of changes in a fixed order. A change can break decks (a card is
gone, a ready-made deck is no longer legal) and expansions (a name they may use is gone or differs). A saved match is of
one build, so every difference breaks those; that is told once, of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from cardc import nodes as n
from cardc.clause_diff import Texts, blocks, said
from cardc.parse import parse_file
from cardc.source import Source

Breaks: TypeAlias = Literal["saves", "decks", "expansions"]
LEVELS: tuple[Breaks, ...] = ("saves", "decks", "expansions")
_DECKS: tuple[Breaks, ...] = ("decks",)
_EXPANSIONS: tuple[Breaks, ...] = ("expansions",)
_BOTH: tuple[Breaks, ...] = ("decks", "expansions")


class Change(Struct, frozen=True):
    """`kind` is added, removed, changed, reused or outcome; `what` the thing (`card plague`); `text` what is different
    about it."""

    kind: str
    what: str
    text: str
    breaks: tuple[Breaks, ...] = ()

    def line(self) -> str:
        broken = f" [breaks {', '.join(self.breaks)}]" if self.breaks else ""
        detail = f": {self.text}" if self.text else ""
        return f"{self.kind} {self.what}{detail}{broken}"


class Written(Struct, frozen=True):
    """A declaration, and the text of its file."""

    decl: n.Decl
    file: str

    @property
    def text(self) -> str:
        return said(self.file, self.decl)


class Side(Struct):
    """One version. `tests`: by title whether they pass, None where they did not run; `illegal`: what its decks break;
    `errors` and `reused`: what the checker finds, the latter by id; `expansions`: what became of those of its game."""

    files: dict[str, bytes] = field(default_factory=dict)
    decls: dict[str, Written] = field(default_factory=dict)
    tests: dict[str, bool] | None = None
    illegal: dict[str, list[str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    reused: dict[str, str] = field(default_factory=dict)
    expansions: dict[str, Side] = field(default_factory=dict)


def read(files: Iterable[tuple[str, bytes]]) -> Side:
    """The declarations of a version's files; what does not parse is left to the checker."""
    from cardc.ast_json import parse_json

    side = Side(files=dict(files))
    for path, data in sorted(side.files.items()):
        source = Source(path, data.decode("utf-8-sig", "replace"))
        if not path.endswith((".card", ".json")):
            continue
        for d in (parse_json if path.endswith(".json") else parse_file)(source)[0]:
            name = named(d)
            if name is not None:
                side.decls[name] = Written(d, source.text)
    return side


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
        n.ValueDecl: "value", n.EffectDecl: "effect", n.DecklistDecl: "decklist", n.CardDecl: "card",
    }.get(type(d), type(d).__name__.removesuffix("Decl").lower())  # fmt: skip
    ident = getattr(d, "name", None)
    return f"{word} {ident.text}" if isinstance(ident, n.Ident) else word


# Gone or different, these can be missed by an expansion.
_USED_BY_EXPANSIONS = ("enum ", "kind ", "zone ", "board ", "value ", "effect ", "state ", "option ", "player", "card ")


def saves_break(old: Side, new: Side) -> bool:
    """Whether a match that was saved with the old version does not load in the new one."""
    return old.files != new.files


def compare(old: Side, new: Side) -> list[Change]:
    """All changes: cards first, then the frame, decks, tests and expansions, each in the order of their names."""
    out: list[Change] = []
    names = sorted({*old.decls, *new.decls}, key=lambda x: (not x.startswith("card "), x))
    for name in names:
        a, b = old.decls.get(name), new.decls.get(name)
        if a is None and b is not None:
            out.append(Change("added", name, _title(b.decl)))
        elif b is None and a is not None:
            out.append(Change("removed", name, _title(a.decl), _removing(name)))
        elif a is not None and b is not None and a.decl != b.decl:
            out += changed(name, a, b)
    for id, message in sorted(new.reused.items()):
        if id not in old.reused:
            out.append(Change("reused", f"id {id}", message, _BOTH))
    out += decks(old, new)
    out += outcomes(old, new)
    for name, there in sorted(new.expansions.items()):
        if name in old.expansions:
            out += outcomes(old.expansions[name], there, f" of expansion {name}", f"expansion {name}")
    return out


def _title(d: n.Decl) -> str:
    title = getattr(d, "title", None)
    return title.value if isinstance(title, n.Text) else ""


def _removing(name: str) -> tuple[Breaks, ...]:
    if name.startswith("decklist "):
        return _DECKS
    if name.startswith("card "):
        return _BOTH
    return _EXPANSIONS if name.startswith(_USED_BY_EXPANSIONS) else ()


def changed(name: str, old: Written, new: Written) -> Iterator[Change]:
    texts = Texts(old.file, new.file)
    match old.decl, new.decl:
        case n.CardDecl() as a, n.CardDecl() as b:
            yield from cards(name, a, b, texts)
        case n.ValueDecl() as a, n.ValueDecl() as b:
            same = [p.type for p in a.params] == [p.type for p in b.params] and a.type == b.type
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`", () if same else _EXPANSIONS)
        case n.EffectDecl() as a, n.EffectDecl() as b:
            if a.params != b.params:
                same = [(p.type, p.default) for p in a.params] == [(p.type, p.default) for p in b.params]
                was, now = (", ".join(said(t, p) for p in d.params) for t, d in ((old.file, a), (new.file, b)))
                yield Change("changed", name, f"parameters `({was})` are now `({now})`", () if same else _EXPANSIONS)
            yield from _inside(name, a.body, b.body, texts)
        case (n.SetupDecl() as a, n.SetupDecl() as b) | (n.FlowDecl() as a, n.FlowDecl() as b):
            yield from _inside(name, a.body, b.body, texts)
        case n.EnumDecl() as a, n.EnumDecl() as b:
            yield from enums(name, a, b, texts)
        case n.KindDecl() as a, n.KindDecl() as b:
            yield from kinds(name, a, b, texts)
        case n.PlayerDecl() as a, n.PlayerDecl() as b:
            yield from _members(name, {f.name.text: f for f in a.fields}, {f.name.text: f for f in b.fields}, texts)
        case n.DeckDecl() as a, n.DeckDecl() as b:
            yield from requirements(a, b, texts)
        case n.DecklistDecl() as a, n.DecklistDecl() as b:
            yield from decklist(name, a, b)
        case (n.ZoneDecl() | n.BoardDecl() | n.OptionDecl() | n.StateDecl()), _:
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`", _EXPANSIONS)
        case _:
            yield Change("changed", name, f"`{old.text}` is now `{new.text}`")


def _inside(name: str, a: n.Block, b: n.Block, texts: Texts) -> Iterator[Change]:
    for line in blocks(a, b, "", texts):
        yield Change("changed", name, line.removeprefix(": ").removeprefix(", "))


# ---- Cards


def cards(name: str, a: n.CardDecl, b: n.CardDecl, texts: Texts) -> Iterator[Change]:
    """Field by field and clause by clause."""
    if a.kind != b.kind or (a.title != b.title and not set(a.lines) & set(b.lines)):
        text = f"it was the {a.kind.text} {a.title.value!r}, and is the {b.kind.text} {b.title.value!r}"
        yield Change("reused", f"id {name.removeprefix('card ')}", text, _BOTH if a.kind != b.kind else _DECKS)
    if a.title != b.title:
        yield Change("changed", name, f"its name: `{a.title.value}` is now `{b.title.value}`")
    for text in card_lines(a.lines, b.lines, "", texts):
        yield Change("changed", name, text)


def card_lines(a: tuple[n.CardLine, ...], b: tuple[n.CardLine, ...], where: str, texts: Texts) -> Iterator[str]:
    old, new = {_key(x, texts.old): x for x in a}, {_key(x, texts.new): x for x in b}
    for key in [*old, *(k for k in new if k not in old)]:
        x, y = old.get(key), new.get(key)
        if x == y:
            continue
        match x, y:
            case n.CardField(_, was), n.CardField(_, now):
                yield f"{where}{key}: `{said(texts.old, was)}` is now `{said(texts.new, now)}`"
            case n.CardSlot() as was, n.CardSlot() as now:
                if was.args != now.args:
                    old_args, new_args = (
                        ", ".join(said(t, arg) for arg in s.args) for t, s in ((texts.old, was), (texts.new, now))
                    )
                    yield f"{where}{key}: `({old_args})` is now `({new_args})`"
                yield from blocks(was.body, now.body, f"{where}{key}", texts)
            case n.CardForm() as was, n.CardForm() as now:
                yield from card_lines(was.lines, now.lines, f"{where}{key}, ", texts)
            case None, (n.CardFlag() | n.CardForm()):
                yield f"{where}now {key}"
            case (n.CardFlag() | n.CardForm()), None:
                yield f"{where}no longer {key}"
            case None, _ if y is not None:
                yield f"{where}now `{said(texts.new, y)}`"
            case _, None if x is not None:
                yield f"{where}no longer `{said(texts.old, x)}`"
            case _ if x is not None and y is not None:
                yield f"{where}`{said(texts.old, x)}` is now `{said(texts.new, y)}`"


def _key(line: n.CardLine, text: str) -> str:
    if isinstance(line, n.CardForm):
        return f"{line.name.text} ({', '.join(said(text, a) for a in line.args)})"
    return line.name.text


# ---- The frame


def enums(name: str, a: n.EnumDecl, b: n.EnumDecl, texts: Texts) -> Iterator[Change]:
    old, new = {m.name.text: m for m in a.members}, {m.name.text: m for m in b.members}
    for m in old:
        if m not in new:
            yield Change("removed", f"{name}, member {m}", "", _EXPANSIONS)
        elif old[m] != new[m]:
            was, now = said(texts.old, old[m]), said(texts.new, new[m])
            yield Change("changed", f"{name}, member {m}", f"`{was}` is now `{now}`")
    for m in new:
        if m not in old:
            yield Change("added", f"{name}, member {m}", "")
    if a.columns != b.columns:
        yield Change("changed", name, "its columns", _EXPANSIONS)
    if a.open != b.open:
        yield Change("changed", name, "it is open" if b.open else "it is no longer open", () if b.open else _EXPANSIONS)
    if sorted(old) == sorted(new) and list(old) != list(new):
        yield Change("changed", name, "the order of its members")


Member: TypeAlias = n.Field | n.FlagDecl | n.SlotDecl | n.FormDecl


def members(kind: n.KindDecl) -> dict[str, Member]:
    out: dict[str, Member] = {f.name.text: f for f in (*kind.fields, *kind.states)}
    out |= {f.name.text: f for f in kind.flags}
    out |= {x.name.text: x for x in kind.slots}
    return out | {f.name.text: f for f in kind.forms}


def kinds(name: str, a: n.KindDecl, b: n.KindDecl, texts: Texts) -> Iterator[Change]:
    """Member by member: a new field without a default breaks the cards of expansions."""
    needed = {f.name.text for f in b.fields if f.default is None}
    yield from _members(name, members(a), members(b), texts, needed)
    if (a.base and a.base.text) != (b.base and b.base.text):
        was, now = (f"extends `{x.text}`" if x else "extends nothing" for x in (a.base, b.base))
        yield Change("changed", name, f"it {was.replace('extends', 'extended')}, and now {now}", _EXPANSIONS)


def _members(
    name: str, old: dict[str, Member] | dict[str, n.Field], new: dict[str, Member] | dict[str, n.Field], texts: Texts,
    needed: Iterable[str] = (),
) -> Iterator[Change]:  # fmt: skip
    for m, was in old.items():
        now = new.get(m)
        if now is None:
            yield Change("removed", f"{name}, {m}", "", _EXPANSIONS)
        elif was != now:
            text = f"`{said(texts.old, was)}` is now `{said(texts.new, now)}`"
            yield Change("changed", f"{name}, {m}", text, () if _played(was) == _played(now) else _EXPANSIONS)
    for m in new:
        if m not in old:
            yield Change("added", f"{name}, {m}", "", _EXPANSIONS if m in needed else ())


def _played(member: Member | n.Field) -> Member | n.Field:
    """The member without what only lint reads."""
    if not isinstance(member, n.Field):
        return member
    return replace(member, marks=tuple(m for m in member.marks if not m.text.endswith("is better")))


# ---- Decks, tests, expansions


def requirements(a: n.DeckDecl, b: n.DeckDecl, texts: Texts) -> Iterator[Change]:
    """What a legal deck is: a requirement that is new or another can make a player's own deck illegal."""
    old, new = {r.message.value: r for r in a.rules}, {r.message.value: r for r in b.rules}
    for message, rule in old.items():
        if message not in new:
            yield Change("removed", f"requirement {message!r}", "")
        elif rule != new[message]:
            text = f"`{said(texts.old, rule.cond)}` is now `{said(texts.new, new[message].cond)}`"
            yield Change("changed", f"requirement {message!r}", text, _DECKS)
    for message, rule in new.items():
        if message not in old:
            yield Change("added", f"requirement {message!r}", f"`{said(texts.new, rule.cond)}`", _DECKS)
    if a.into != b.into:
        was, now = ("; ".join(said(t, x) for x in d.into) for t, d in ((texts.old, a), (texts.new, b)))
        yield Change("changed", "deck", f"`{was}` is now `{now}`", _DECKS)


def decklist(name: str, a: n.DecklistDecl, b: n.DecklistDecl) -> Iterator[Change]:
    if a.title != b.title:
        yield Change("changed", name, f"its name: `{a.title.value}` is now `{b.title.value}`")
    old, new = ({e.card.text: e.count for e in d.entries} for d in (a, b))
    for card in [*old, *(c for c in new if c not in old)]:
        was, now = old.get(card, 0), new.get(card, 0)
        if was != now:
            yield Change("changed", name, f"{now} {card} instead of {was}")


def decks(old: Side, new: Side) -> Iterator[Change]:
    for name, flaws in sorted(new.illegal.items()):
        if flaws and not old.illegal.get(name):
            yield Change("outcome", f"decklist {name}", "no longer legal: " + "; ".join(flaws), _DECKS)


def outcomes(old: Side, new: Side, of: str = "", what: str = "package") -> Iterator[Change]:
    """What became of a package and its tests."""
    expansion = what != "package"
    if new.errors and not old.errors:
        more = f", and {len(new.errors) - 1} more" if len(new.errors) > 1 else ""
        breaks = _EXPANSIONS if expansion else _BOTH
        yield Change("outcome", what, f"it no longer checks: {new.errors[0]}{more}", breaks)
    elif old.errors and not new.errors:
        yield Change("outcome", what, "it checks now")
    if old.tests is None or new.tests is None:
        return
    for title in sorted({*old.tests, *new.tests}):
        a, b = old.tests.get(title), new.tests.get(title)
        test = f"test {title!r}{of}"
        if a is not None and b is not None and a != b:
            breaks = _EXPANSIONS if expansion and not b else ()
            yield Change("outcome", test, f"it now {'passes' if b else 'fails'}", breaks)
        elif a is None and b is not None:
            yield Change("added", test, "" if b else "it fails")
        elif b is None:
            yield Change("removed", test, "")
