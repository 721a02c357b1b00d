"""Reads the types that declarations write.

Assumes that options, enums, kinds, zones and boards are known by name. A type that cannot be read is `ERROR`, and has
its finding.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardc import nodes as n
from cardc.phrases import say
from cardc.report import Report, near, there_are
from cardc.source import Source
from cardc.symbols import EnumSym, Symbols
from cardc.types import (
    BOOL,
    ERROR,
    INT,
    PLAYER,
    BoolT,
    Bound,
    CardT,
    ElementT,
    EnumT,
    FormT,
    IntT,
    LineT,
    ListT,
    OptT,
    SetT,
    Type,
    placed,
)


def find_twice(report: Report, source: Source, idents: Iterable[n.Ident], what: str, code: str = "E102") -> None:
    """A finding for each name that comes again."""
    seen: dict[str, n.Ident] = {}
    said, help = ("declared", "give one of them another name") if code == "E102" else ("given", "remove one")
    for i in idents:
        if i.text in seen:
            report.add(
                code,
                source,
                i,
                f"{what} `{i.text}` is {said} twice",
                help,
                [(source, seen[i.text], f"first {said} here")],
            )
        seen.setdefault(i.text, i)


class TypeNames:
    """Reads types in the file `source`."""

    def __init__(self, s: Symbols, report: Report, source: Source) -> None:
        self.s = s
        self.report = report
        self.source = source

    def err(self, code: str, node: n.Node, message: str, help: str | None = None) -> Type:
        self.report.add(code, self.source, node, message, help)
        return ERROR

    # ---- Ranges

    def bound(self, e: n.Expr) -> Bound:
        match e:
            case n.Number(value):
                return value
            case n.Unary("-", n.Number(value)):
                return -value
            case n.Name(id):
                found = self.s.options.get(id)
                if found is None:
                    help = near(id, self.s.options) or "a bound is a number or an option"
                    self.report.unknown("E101", self.source, e, id, f"no option is called `{id}`", help)
                elif not isinstance(found.type, IntT):
                    if found.type != ERROR:
                        self.err("E201", e, f"option `{id}` is {say(found.type, self.s)}, but a bound is a number")
                else:
                    return id
        return None

    def range(self, t: n.RangeType) -> Type:
        low, high = self.bound(t.low), None if t.high is None else self.bound(t.high)
        if low is None or (t.high is not None and high is None):
            return ERROR
        s = self.s
        least = s.option_bound(low, False) if isinstance(low, str) else low
        most = s.option_bound(high, True) if isinstance(high, str) else high
        if least is not None and most is not None and least > most:
            text = self.source.text[t.span[0] : t.span[1]]
            return self.err("E210", t, f"the range `{text}` is empty", "the lower bound comes first")
        return IntT(low, high)

    # ---- Types

    def type(self, t: n.TypeExpr) -> Type:
        match t:
            case n.NamedType(name, place):
                if name.text == "line" and name.text not in (*self.s.kinds, *self.s.enums, *self.s.elements):
                    return self.line_type(name, place)
                base = self.named(name)
                if place is None:
                    return base
                if isinstance(base, CardT):
                    return self.located(base, place)
                if base != ERROR:
                    self.err("E201", t, f"`{name.text}` is no kind of card, so it lies nowhere")
                return ERROR
            case n.RangeType():
                return self.range(t)
            case n.SetType(item):
                inner = self.type(item)
                if isinstance(inner, EnumT | FormT):
                    return SetT(inner)
                if inner != ERROR:
                    self.err("E201", t, "a set holds members of an enum", "use `list of` for other things")
                return ERROR
            case n.ListType(item):
                inner = self.type(item)
                return ERROR if inner == ERROR else ListT(inner)
            case n.OptionalType(item):
                inner = self.type(item)
                return ERROR if inner == ERROR else OptT(inner)
            case n.WordsType():
                return self.err(
                    "E204",
                    t,
                    "words in braces are the type of an option, or of an argument of a slot or a form",
                    "declare an `enum`",
                )

    def words(self, t: n.WordsType, name: str, own: bool) -> Type:
        """Words in braces are an enum of their own."""
        find_twice(self.report, self.source, t.members, "word")
        members = list(dict.fromkeys(m.text for m in t.members))
        ident = n.Ident(name, span=t.span)
        self.s.enums[name] = EnumSym(name, self.source, ident, own, False, members, {}, {})
        return EnumT(name)

    def argument(self, t: n.TypeExpr, name: str, own: bool) -> Type:
        """The type of what cards give to a slot or a form: printed, like a field."""
        return self.words(t, name, own) if isinstance(t, n.WordsType) else self.type(t)

    def option(self, t: n.TypeExpr, option: str, own: bool) -> Type:
        """The type of an option, which may be some words."""
        if isinstance(t, n.WordsType):
            return self.words(t, option, own)
        if isinstance(t, n.RangeType) and any(isinstance(b, n.Name) for b in (t.low, t.high)):
            return self.err("E204", t, "an option bounds the range of another option", "write numbers")
        found = self.type(t)
        if isinstance(found, IntT | EnumT | BoolT) or found == ERROR:
            return found
        return self.err(
            "E201",
            t,
            f"an option cannot be {say(found, self.s)}",
            "an option is a number, a `bool`, an enum or some words",
        )

    def kept(self, t: n.TypeExpr) -> Type:
        """The type of what is stored: where a card lies may change meanwhile."""
        found = self.type(t)
        if placed(found) is not None:
            what = f"a card may leave `{placed(found)}` while it is stored"
            return self.err("E201", t, what, "leave out `in …`, and test `is in` where it is read")
        return found

    def column(self, t: n.TypeExpr) -> Type:
        """The type of an enum's column."""
        found = self.type(t)
        inner = found.item if isinstance(found, OptT) else found
        if isinstance(inner, IntT | BoolT | EnumT | SetT) or found == ERROR:
            return found
        return self.err(
            "E201",
            t,
            f"a column cannot hold {say(found, self.s)}",
            "a column holds numbers, bools, members of enums or sets of them",
        )

    def named(self, name: n.Ident) -> Type:
        s = self.s
        match name.text:
            case "int":
                return INT
            case "bool":
                return BOOL
            case "player":
                return PLAYER
            case text if text in s.kinds:
                return CardT(text)
            case text if text in s.enums and text not in s.options:
                return EnumT(text)
            case text if text in s.forms:
                return FormT(text)
            case text if text in s.elements:
                return ElementT(s.elements[text])
            case text:
                known = ["int", "bool", "player", *s.kinds, *s.named_enums(), *s.forms, *s.elements]
                help = near(text, known) or there_are(known)
                if text.lower() in ("string", "str", "text"):
                    help = "texts are no values: use the words of an `enum`; a card's title is behind its id"
                elif text.lower() in ("integer", "number", "float", "double"):
                    help = "numbers are `int`, or a range such as `0..9` or `0 or more`"
                elif text == "boolean":
                    help = "write `bool`"
                self.report.unknown("E101", self.source, name, text, f"no type is called `{text}`", help)
                return ERROR

    def line_type(self, name: n.Ident, place: n.Ident | None) -> Type:
        """`line`: a row or column of the only grid; `line in land`: of that grid."""
        grids = [b.name for b in self.s.boards.values() if b.grid is not None]
        if place is not None and place.text in grids:
            return LineT(place.text)
        if place is None and len(grids) == 1:
            return LineT(grids[0])
        if place is not None:
            known = near(place.text, grids)
            self.report.unknown("E101", self.source, place, place.text, f"no grid is called `{place.text}`", known)
        elif grids:
            self.err("E201", name, "there is more than one grid", f"say which one's lines: `line in {grids[0]}`")
        elif not self.report.broken:
            self.err("E101", name, "there is no grid, so there are no lines")
        return ERROR

    def located(self, base: CardT, place: n.Ident) -> Type:
        s = self.s
        if place.text not in s.zones and place.text not in s.boards:
            help = near(place.text, [*s.zones, *s.boards]) or there_are([*s.zones, *s.boards])
            self.report.unknown(
                "E101", self.source, place, place.text, f"no zone or board is called `{place.text}`", help
            )
            return ERROR
        held = [k for k in s.kind_in(place.text) if k in s.kinds]
        if held and not any(s.related(k, base.kind) for k in held):
            return self.err("E201", place, f"`{place.text}` holds no `{base.kind}`")
        return CardT(base.kind, place.text)
