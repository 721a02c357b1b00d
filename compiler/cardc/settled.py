"""Checks what is settled before a match begins: defaults, the data of enums, the conditions of slots.

Establishes: a default is there where a match needs one, lies in its range, and reads nothing of a match.
"""

from __future__ import annotations

from cardc import nodes as n
from cardc.display import plural
from cardc.elaborate import Key, Site, Uses
from cardc.expressions import Expressions
from cardc.ir import Function, Var, X
from cardc.report import Report
from cardc.scope import Scope
from cardc.searches import parts
from cardc.source import Source
from cardc.symbols import EnumSym, FieldSym, Symbols, Unit
from cardc.typenames import TypeNames
from cardc.types import PLAYER, CardT, ErrorT, Type, optional

_OF_A_MATCH = frozenset(
    {"state", "player", "element", "card", "place", "one", "parts", "parts_of", "span", "owner", "face_up"}
    | {"own_decklist", "value", "catalog"}
)


class Settled:
    def __init__(self, s: Symbols, report: Report, uses: Uses) -> None:
        self.s = s
        self.report = report
        self.uses = uses
        self.defaults: list[tuple[Key, Function]] = []
        self.conditions: dict[tuple[str, str], set[str]] = {}
        """The values that the condition of a slot reads, by kind and slot."""

    def unit(self, u: Unit) -> None:
        s, source = self.s, u.source
        match u.decl:
            case n.OptionDecl(name, _, default) if self.first(name):
                self.option(name.text, default, source)
            case n.StateDecl(f) if self.first(f.name):
                self.default(("state", f.name.text), f, s.states[f.name.text], source)
            case n.PlayerDecl(fields):
                for f in fields:
                    self.member_default(("player", f.name.text), f, s.player, source)
            case n.BoardDecl(name=name, fields=fields) if self.first(name):
                for f in fields:
                    self.member_default(("element", name.text, f.name.text), f, s.boards[name.text].fields, source)
            case n.KindDecl(name=name) if self.first(name):
                self.kind(u.decl, source)
            case n.EnumDecl(name, _, extends, columns, members) if (
                name.text in s.enums and name.text not in s.options and (extends or self.first(name))
            ):
                self.enum(s.enums[name.text], columns, members, source)
            case n.ValueDecl(_, params) | n.EffectDecl(_, params):
                for f in params:
                    if f.default is not None:
                        t = TypeNames(s, Report(), source).type(f.type)
                        self.constant(f.default, t, source, f"the default of `{f.name.text}`")
            case _:
                pass

    def first(self, name: n.Ident) -> bool:
        found = self.s.names.get(name.text)
        return found is not None and found.ident is name

    def types(self, source: Source) -> TypeNames:
        return TypeNames(self.s, self.report, source)

    def expressions(self, source: Source, words: str) -> Expressions:
        return Expressions(self.s, self.report, source, self.uses, Site(words, fixed=True))

    # ---- Constants

    def constant(self, e: n.Expr, t: Type, source: Source, what: str) -> X | None:
        """Elaborate what must be a constant; None after a finding."""
        ex = self.expressions(source, what)
        x = ex.need(e, Scope(), t)
        if isinstance(x.t, ErrorT):
            return None
        if not is_constant(x):
            ex.err("E201", e, f"{what} is no constant", "write the number, the word or the list itself")
            return None
        return x

    def option(self, name: str, default: n.Expr, source: Source) -> None:
        option = self.s.options[name]
        x = self.constant(default, option.type, source, f"the default of option `{name}`")
        if x is not None:
            option.default = x.args[0]

    def enum(
        self, enum: EnumSym, columns: tuple[n.Field, ...], members: tuple[n.EnumMember, ...], source: Source
    ) -> None:
        """The data of members: a value for each column, or the column's default."""
        for c in columns:
            if c.default is not None:
                self.constant(c.default, enum.columns[c.name.text], source, f"the default of column `{c.name.text}`")
                enum.defaults.setdefault(c.name.text, c.default)
        for column in enum.columns:
            enum.values.setdefault(column, []).extend([None] * (len(enum.members) - len(enum.values[column])))
        for m in members:
            if m.name.text in enum.members:
                self.data(enum, m, source)

    def data(self, enum: EnumSym, m: n.EnumMember, source: Source) -> None:
        names = list(enum.columns)
        index = enum.members.index(m.name.text)
        if len(m.values) > len(names):
            given, wanted = plural(len(m.values), "value"), plural(len(names), "column") if names else "no column"
            message = f"`{m.name.text}` has {given}, but enum `{enum.name}` has {wanted}"
            help = f"name what they are behind the enum: `enum {enum.name} (NAME: TYPE) {{ … }}`"
            self.report.add("E211", source, m, message, help)
            return
        for column, v in zip(names, m.values, strict=False):
            x = self.constant(v, enum.columns[column], source, "the data of a member")
            enum.values[column][index] = None if x is None else x.args[0]
        for column in names[len(m.values) :]:
            default = enum.defaults.get(column)
            if default is None:
                help = f"write `{m.name.text}(…)`, or give the column a default"
                self.report.add("E211", source, m, f"`{m.name.text}` has no value for column `{column}`", help)
                continue
            ex = Expressions(self.s, Report(), source, self.uses, Site("a default", fixed=True))
            x = ex.need(default, Scope(), enum.columns[column])
            enum.values[column][index] = x.args[0] if x.op == "const" else None

    # ---- Defaults

    def member_default(self, key: Key, f: n.Field, fields: dict[str, FieldSym], source: Source) -> None:
        sym = fields.get(f.name.text)
        if sym is not None and sym.ident is f.name:
            self.default(key, f, sym, source)

    def default(
        self, key: Key, f: n.Field, sym: FieldSym, source: Source, sc: Scope | None = None, params: tuple[Var, ...] = ()
    ) -> None:
        """What a match begins with."""
        if f.default is None:
            help = "write `= …`: a match begins with it"
            self.report.add("E301", source, f.name, f"`{f.name.text}` has no default", help)
            return
        ex = self.expressions(source, f"the default of `{f.name.text}`")
        x = ex.need(f.default, sc or Scope(), sym.type)
        if isinstance(x.t, ErrorT):
            return
        read = next((p for p in parts(x) if p.op in _OF_A_MATCH), None)
        if read is not None:
            message = f"the default of `{f.name.text}` is settled before a match begins, and reads something of a match"
            ex.err("E204", f.default, message, "read options and printed fields only, or set it in `setup`")
            return
        name = "d_" + "·".join(key)
        self.defaults.append((key, Function(name, params, x, source.path, source.line(f.span[0]))))

    # ---- Kinds

    def kind(self, decl: n.KindDecl, source: Source) -> None:
        kind = self.s.kinds[decl.name.text]
        for f in decl.fields:
            sym = kind.fields.get(f.name.text)
            if f.default is not None and sym is not None and sym.ident is f.name:
                self.constant(f.default, sym.type, source, f"the default of `{f.name.text}`")
        me = Var("self", CardT(kind.name))
        for f in decl.states:
            sym = kind.states.get(f.name.text)
            if sym is not None and sym.ident is f.name:
                key = ("cardstate", kind.name, f.name.text)
                self.default(key, f, sym, source, Scope({"self": me}), (me,))
        for slot in decl.slots:
            found = kind.slots.get(slot.name.text)
            if slot.when is not None and found is not None and found.ident is slot.name:
                self.condition(kind.name, slot, slot.when, source)
        for slot in decl.slots:
            self.argument_defaults(slot.params, source)
        for form in decl.forms:
            self.argument_defaults(form.params, source)

    def argument_defaults(self, params: tuple[n.Field, ...], source: Source) -> None:
        for p in params:
            if p.default is not None and not isinstance(p.type, n.WordsType):
                t = TypeNames(self.s, Report(), source).type(p.type)
                self.constant(p.default, t, source, f"the default of `{p.name.text}`")

    def condition(self, kind: str, slot: n.SlotDecl, when: n.Expr, source: Source) -> None:
        """When a static slot holds."""
        if slot.nature == "effect":
            message = "an effect slot has no condition: the frame says when it runs"
            self.report.add("E204", source, when, message, "test before `run`")
            return
        card = CardT(kind, slot.place.text)
        you = Var("you", PLAYER if self.s.owned(card) else optional(PLAYER))
        sc = Scope({"self": Var("self", card), "you": you, "source": Var("source", card)})
        ex = Expressions(self.s, self.report, source, self.uses, Site("the condition of a slot"))
        x, _, _ = ex.cond(when, sc)
        self.conditions[kind, slot.name.text] = {str(p.args[0]) for p in parts(x) if p.op == "value"}


def is_constant(x: X) -> bool:
    if x.op == "list":
        items = x.args[0]
        assert isinstance(items, tuple)
        return all(is_constant(i) for i in items)
    return x.op == "const"
