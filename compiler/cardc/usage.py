"""Warns of what is declared and never used, read and never set, set and never read. Each package answers for its
own."""

from __future__ import annotations

from collections.abc import Iterator

from cardc import nodes as n
from cardc.elaborate import Key, Uses
from cardc.findings import Fix
from cardc.report import Report, removed
from cardc.source import Source
from cardc.symbols import ANSWERED, PlaceSym, Sym, Symbols
from cardc.types import IntT, ListT, OptT, Type


class Usage:
    def __init__(self, s: Symbols, uses: Uses, report: Report) -> None:
        self.s = s
        self.uses = uses
        self.report = report
        self.declared: dict[int, tuple[Source, n.Span]] = {}
        """What can be removed, by the identity of its name."""

    def check(self) -> None:
        self.stored()
        self.kinds()
        self.places()
        self.called()
        self.vocabulary()

    def warn(self, code: str, sym: Sym, message: str, help: str) -> None:
        if sym.own and not sym.name.startswith("_"):
            fix = self.removal(sym) if code == "W601" else None
            self.report.add(code, sym.source, sym.ident, message, help, fix=fix)

    def removal(self, sym: Sym) -> Fix | None:
        """Take away a declaration, or a field with what cards give for it."""
        if not self.declared:
            for u in self.s.units:
                if u.own and not isinstance(u.decl, n.CardDecl | n.TestDecl):
                    self.declared |= {id(name): (u.source, span) for name, span in _removable(u.decl, u.source)}
        found = self.declared.get(id(sym.ident))
        return None if found is None else Fix("remove it", (removed(found[0], *found[1]),))

    def read(self, *key: str) -> bool:
        return key in self.uses.reads

    # ---- What is stored

    def state(self, key: Key, sym: Sym, what: str, given: bool = False, told: bool = False, of: str = "") -> None:
        what = f"{what} `{sym.name}`{of}"
        read, written = key in self.uses.reads or told, key in self.uses.writes or given
        if not read and not written:
            self.warn("W601", sym, f"{what} is not used", "remove it, or begin its name with `_`")
        elif not read:
            self.warn("W602", sym, f"{what} is set and never read", "remove it, or let something depend on it")
        elif not written:
            help = "set it somewhere, or make it a printed field or an option"
            self.warn("W603", sym, f"{what} is read and never set", help)

    def stored(self) -> None:
        for name, st in self.s.states.items():
            self.state(("state", name), st, "state")
        for name, f in self.s.player.items():
            self.state(("player", name), f, "player field", given="input" in f.marks, told="score" in f.marks)
        for b in self.s.boards.values():
            for name, f in b.fields.items():
                self.state(("element", b.name, name), f, "field", of=f" of `{b.element or b.name}`")

    # ---- Kinds

    def kinds(self) -> None:
        for k in self.s.kinds.values():
            for name, f in k.states.items():
                self.state(("cardstate", k.name, name), f, "state", of=f" of kind `{k.name}`")
            for name, f in k.fields.items():
                if not self.read("field", k.name, name):
                    word = "flag" if f.flag else "field"
                    help = "let a rule read it, or a test if it is only there to be looked at"
                    self.warn("W601", f, f"{word} `{name}` of kind `{k.name}` is not used", help)
            for name, slot in k.slots.items():
                if slot.nature == "effect" and not self.read("slot", k.name, name):
                    self.warn(
                        "W601", slot, f"slot `{name}` is never run", f"write `run c.{name}` where the rules say so"
                    )

                for argument in slot.params.values():
                    if not self.read("slotarg", k.name, name, argument.name):
                        message = f"argument `{argument.name}` of slot `{name}` is not used"
                        self.warn("W601", argument, message, "let a rule read it, or begin its name with `_`")
        for form in self.s.forms.values():
            for argument in list(form.params.values())[1:]:
                if not self.read("form", form.name, argument.name):
                    message = f"argument `{argument.name}` of form `{form.name}` is not used"
                    self.warn("W601", argument, message, "let a rule read it, or begin its name with `_`")

    # ---- Places

    def places(self) -> None:
        for name, z in self.s.zones.items():
            if not self.read("zone", name):
                self.warn("W601", z, f"zone `{name}` is not used", "remove it, or begin its name with `_`")
        for b in self.s.boards.values():
            used = [p for p in b.parts if self.read("part", b.name, p)]
            if not used and not self.read("board", b.name):
                self.warn("W601", b, f"board `{b.name}` is not used", "remove it, or begin its name with `_`")

    # ---- Values and effects

    def called(self) -> None:
        for name, v in self.s.values.items():
            if not self.read("value", name) and not v.decl.bot:
                self.warn("W601", v, f"value `{name}` is not used", "remove it, or begin its name with `_`")
        for name, e in self.s.effects.items():
            if not self.read("effect", name) and name not in ANSWERED:
                self.warn("W601", e, f"effect `{name}` is never called", "remove it, or begin its name with `_`")

    # ---- Options and enums

    def vocabulary(self) -> None:
        for name, o in self.s.options.items():
            if not self.read("option", name) and not self.bounds(name):
                self.warn("W601", o, f"option `{name}` changes nothing", "let a rule read it")
        named = [t for t in self.types()]
        for name in self.s.named_enums():
            e = self.s.enums[name]
            if not any(_mentions(t, name) for t in named) and not self.read("enum", name):
                self.warn("W601", e, f"enum `{name}` is not used", "remove it, or begin its name with `_`")
            for column in e.columns:
                if not self.read("column", name, column):
                    help = "let a rule read it, or begin its name with `_`"
                    sym = Sym(column, e.source, e.column_idents[column], e.own)
                    self.warn("W601", sym, f"column `{column}` of enum `{name}` is not used", help)

        for name, d in self.s.decklists.items():
            if self.s.deck is None and not self.read("decklist", name):
                what = "write `deck { KIND into ZONE }` in the game, or `copy` the cards in its `setup`"
                self.warn("W601", d, f"decklist `{name}` is not used: the game has no `deck`", what)

    def bounds(self, option: str) -> bool:
        """Whether the option bounds some range or place."""
        s = self.s
        places: list[PlaceSym] = [z.place for z in s.zones.values()] + [
            p for b in s.boards.values() for p in b.parts.values()
        ]
        return any(_bounded(t, option) for t in self.types()) or any(p.most == option for p in places)

    def types(self) -> list[Type]:
        """All types that declarations write."""
        s = self.s
        types = [f.type for f in [*s.states.values(), *s.player.values()]]
        types += [f.type for b in s.boards.values() for f in b.fields.values()]
        types += [f.type for k in s.kinds.values() for f in [*k.fields.values(), *k.states.values()]]
        types += [p.type for v in s.values.values() for p in v.params]
        types += [p.type for e in s.effects.values() for p in e.params]
        types += [t for e in s.enums.values() for t in e.columns.values()]
        types += [o.type for o in s.options.values()]
        types += [f.type for k in s.kinds.values() for x in k.slots.values() for f in x.params.values()]
        types += [f.type for x in s.forms.values() for f in x.params.values()]
        return types + [v.type for v in s.values.values()]


def _removable(decl: n.Decl, source: Source) -> Iterator[tuple[n.Ident, n.Span]]:
    """The names whose declarations stand alone, each with what declares it."""
    match decl:
        case (
            n.ValueDecl(name) | n.EffectDecl(name) | n.ZoneDecl(name) | n.BoardDecl(name) | n.OptionDecl(name)
            | n.EnumDecl(name)
        ):  # fmt: skip
            yield name, decl.span
        case n.StateDecl(field):
            yield field.name, decl.span
    match decl:
        case n.PlayerDecl(fields) | n.BoardDecl(fields=fields):
            yield from ((f.name, f.span) for f in fields)
        case n.KindDecl(fields=fields, flags=flags, states=states):
            yield from ((f.name, f.span) for f in fields)
            yield from ((f.name, f.span) for f in flags)
            for f in states:  # a state's field begins behind the word `state`
                yield f.name, (source.text.rindex("state", 0, f.span[0]), f.span[1])


def _bounded(t: Type, option: str) -> bool:
    if isinstance(t, ListT | OptT):
        return _bounded(t.item, option)
    return isinstance(t, IntT) and option in (t.low, t.high)


def _mentions(t: Type, enum: str) -> bool:
    inner = getattr(t, "item", None)
    return getattr(t, "name", None) == enum if inner is None else _mentions(inner, enum)
