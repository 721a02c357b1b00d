"""Collects declarations into `Symbols`: names, types of members, kinds and places.

Assumes parsed declarations, each alone. Establishes: every name is declared once, every member has a type, kinds form trees,
places have ids. Bodies, defaults and conditions are unread. Illegal from here on: asking the AST what a name means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardc import nodes as n
from cardc.report import Report, near
from cardc.source import Source
from cardc.symbols import (
    BUILT_IN_CALLS,
    BUILT_IN_NAMES,
    SEATS,
    BoardSym,
    CardSym,
    DecklistSym,
    EffectSym,
    EnumSym,
    FieldSym, FormSym,
    KindSym,
    OptionSym,
    ParamSym,
    PlaceSym,
    SlotSym,
    Sym,
    Symbols,
    Unit,
    ValueSym,
    ZoneSym,
)
from cardc.types import (
    BOOL,
    ERROR,
    INT,
    PLAYER,
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
    show,
)

_EXPANDABLE = (n.CardDecl, n.ValueDecl, n.EffectDecl, n.DecklistDecl, n.TestDecl, n.ExpansionDecl)


class Collector:
    def __init__(self, report: Report) -> None:
        self.s = Symbols()
        self.report = report
        self.names: dict[str, Sym] = {}
        self.calls: dict[str, Sym] = {}
        self.next_place = 0

    # ---- Names

    def declare(self, space: dict[str, Sym], sym: Sym) -> bool:
        built_in = BUILT_IN_CALLS if space is self.calls else BUILT_IN_NAMES
        # each player's own `deck` is never named alone, so it hides nothing from the deck declaration
        own_deck = sym.name == "deck" and isinstance(sym, ZoneSym) and sym.place.each
        if sym.name in built_in and not own_deck:
            self.report.add("E103", sym.source, sym.ident, f"`{sym.name}` is a built-in name", "choose another name")
            return False
        first = space.get(sym.name)
        if first is not None:
            code = "E102" if first.own == sym.own else "E109"
            what = "is declared twice" if code == "E102" else "is declared by the base game"
            self.report.add(
                code, sym.source, sym.ident, f"`{sym.name}` {what}", "give one of them another name",
                [(first.source, first.ident, "first declared here")],
            )
            return False
        space[sym.name] = sym
        return True

    def unique(self, source: Source, idents: Iterable[n.Ident], what: str) -> None:
        seen: dict[str, n.Ident] = {}
        for i in idents:
            if i.text in seen:
                self.report.add(
                    "E102", source, i, f"{what} `{i.text}` is declared twice", "give one of them another name",
                    [(source, seen[i.text], "first declared here")],
                )
            seen.setdefault(i.text, i)

    # ---- Types

    def bound(self, e: n.Expr, source: Source) -> Bound:
        match e:
            case n.Number(value):
                return value
            case n.Unary("-", n.Number(value)):
                return -value
            case n.Name(id):
                found = self.s.options.get(id)
                if found is None:
                    self.report.add("E101", source, e, f"no option is called `{id}`", near(id, self.s.options))
                    return None
                if not isinstance(found.type, IntT):
                    self.report.add("E201", source, e, f"option `{id}` is not a number", "use a numeric option as a bound")
                    return None
                return id
        raise AssertionError(e)

    def type(self, t: n.TypeExpr, source: Source, words: str | None = None) -> Type:
        match t:
            case n.NamedType(name, place):
                base = self.named(name, source)
                if place is None:
                    return base
                if not isinstance(base, CardT):
                    if base != ERROR:
                        self.report.add("E201", source, t, f"`{name.text}` is not a kind of card, so it lies nowhere")
                    return ERROR
                return self.located(base, place, source)
            case n.RangeType(low, high):
                lo = self.bound(low, source)
                hi = None if high is None else self.bound(high, source)
                if isinstance(lo, int) and isinstance(hi, int) and lo > hi:
                    self.report.add("E210", source, t, f"the range {lo}..{hi} is empty", f"write {hi}..{lo}")
                    return ERROR
                return IntT(lo, hi)
            case n.SetType(item):
                inner = self.type(item, source)
                if isinstance(inner, EnumT | FormT):
                    return SetT(inner)
                if inner != ERROR:
                    self.report.add("E201", source, t, "a set holds members of an enum", "use `list of` for other things")
                return ERROR
            case n.ListType(item):
                inner = self.type(item, source)
                return ERROR if inner == ERROR else ListT(inner)
            case n.OptionalType(item):
                inner = self.type(item, source)
                return ERROR if inner == ERROR else OptT(inner)
            case n.WordsType(members):
                if words is None:
                    self.report.add("E204", source, t, "words in braces are the type of an option only", "declare an `enum`")
                    return ERROR
                self.unique(source, members, "word")
                ident = n.Ident(words, span=t.span)
                self.s.enums[words] = EnumSym(words, source, ident, True, False, [m.text for m in members], {}, {})
                return EnumT(words)

    def named(self, name: n.Ident, source: Source) -> Type:
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
            case "line" if grids := [b.name for b in s.boards.values() if b.grid is not None]:
                return LineT(grids[0])
            case text:
                known = ["int", "bool", "player", *s.kinds, *s.enums, *s.elements]
                self.report.add("E101", source, name, f"no type is called `{text}`", near(text, known))
                return ERROR

    def located(self, base: CardT, place: n.Ident, source: Source) -> Type:
        s = self.s
        if place.text not in s.zones and place.text not in s.boards:
            self.report.add(
                "E101", source, place, f"no zone or board is called `{place.text}`", near(place.text, [*s.zones, *s.boards])
            )
            return ERROR
        if not any(s.is_kind(k, base.kind) or s.is_kind(base.kind, k) for k in s.kind_in(place.text)):
            self.report.add("E201", source, place, f"`{place.text}` holds no `{base.kind}`")
            return ERROR
        return CardT(base.kind, place.text)

    def field(self, f: n.Field, source: Source, own: bool, allowed: Sequence[str]) -> FieldSym:
        marks = tuple(m.text.split()[0] for m in f.marks)
        for m in f.marks:
            if m.text.split()[0] not in allowed:
                self.report.add("E204", source, m, f"`{m.text}` has no meaning here", "remove it")
        self.unique(source, f.marks, "mark")
        help = f.help.value if f.help else None
        return FieldSym(
            f.name.text, source, f.name, own, self.type(f.type, source), f.default, help, "owner" in marks, marks
        )

    def params(self, fields: Sequence[n.Field], source: Source) -> list[ParamSym]:
        self.unique(source, [f.name for f in fields], "parameter")
        for f in fields:
            if f.name.text in BUILT_IN_NAMES:
                self.report.add("E103", source, f.name, f"`{f.name.text}` is a built-in name", "choose another name")
            elif f.name.text in self.names:
                first = self.names[f.name.text]
                self.report.add(
                    "E104", source, f.name, f"parameter `{f.name.text}` hides another name", "choose another name",
                    [(first.source, first.ident, "this one")],
                )
        return [ParamSym(f.name.text, self.type(f.type, source), f.default) for f in fields]

    # ---- Places

    def spec(self, p: n.PlaceSpec, source: Source, slots: int) -> PlaceSym:
        each = p.each
        if p.kind.text not in self.s.kinds:
            self.report.add("E101", source, p.kind, f"no kind is called `{p.kind.text}`", near(p.kind.text, self.s.kinds))
        most: int | str | None = 1 if p.one else None
        if p.most is not None:
            match p.most:
                case n.Number(value):
                    most = value
                case n.Name():
                    bound = self.bound(p.most, source)
                    most = bound if isinstance(bound, str) else None
                case _:
                    self.report.add("E201", source, p.most, "`at most` takes a number or an option")
        if p.sight == "owner" and not each:
            self.report.add(
                "E501", source, p, "a shared place has no owner who sees it", "write `all see` or `nobody sees`, or `each player`"
            )
        first = self.next_place
        self.next_place += slots * (SEATS if each else 1)
        return PlaceSym(each, p.one, p.kind.text, most, p.sight, first)

    # ---- The passes over declarations

    def run(self, units: list[Unit]) -> None:
        self.s.units = units
        self.frame_rules(units)
        for u in units:
            self.first(u)
        self.kind_tree()
        for u in units:
            self.second(u)
        for u in units:
            self.third(u)
        self.shape(units)

    def frame_rules(self, units: list[Unit]) -> None:
        own = [u for u in units if u.own]
        heads = [u for u in own if isinstance(u.decl, n.GameDecl | n.ExpansionDecl)]
        for u in heads[1:]:
            self.report.add("E108", u.source, u.decl, "a package has one `game` or `expansion`", "move one to a folder of its own")
        expansion = bool(heads) and isinstance(heads[0].decl, n.ExpansionDecl)
        for u in own:
            if expansion and not isinstance(u.decl, _EXPANDABLE):
                if isinstance(u.decl, n.EnumDecl) and u.decl.extends:
                    continue
                self.report.add(
                    "E110", u.source, u.decl, "an expansion cannot change the frame of its game",
                    "an expansion adds cards, values, effects, decklists, tests and members of open enums",
                )
            if expansion and isinstance(u.decl, n.ValueDecl) and u.decl.bot:
                self.report.add(
                    "E110", u.source, u.decl.name, "an expansion cannot change what bots play for",
                    "leave `bot` out: the game's own `bot value` holds for the expansion too",
                )
        for kind, word in ((n.PlayerDecl, "player"), (n.SetupDecl, "setup"), (n.FlowDecl, "flow"), (n.DeckDecl, "deck")):
            found = [u for u in units if isinstance(u.decl, kind)]
            for u in found[1:]:
                self.report.add(
                    "E102", u.source, u.decl, f"`{word}` is declared twice", "a game has one",
                    [(found[0].source, found[0].decl, "first declared here")],
                )
            if kind is n.FlowDecl and not found and heads and not expansion:
                self.report.add(
                    "E108", heads[0].source, heads[0].decl, "the game has no `flow`", "declare how a match runs: `flow { … }`"
                )

    def first(self, u: Unit) -> None:
        """Names of options, enums and kinds."""
        s, source, own = self.s, u.source, u.own
        match u.decl:
            case n.OptionDecl(name, t, _, help):
                sym = OptionSym(name.text, source, name, own, ERROR, None, help.value)
                if self.declare(self.names, sym):
                    s.options[name.text] = sym
                    sym.type = self.type(t, source, words=name.text)
                    if not isinstance(sym.type, IntT | EnumT) and sym.type not in (BOOL, ERROR):
                        self.report.add("E201", source, t, "an option is a number, a bool or one of some words")
                        sym.type = ERROR
            case n.EnumDecl(name, open, False, _, members):
                enum = EnumSym(name.text, source, name, own, open, [m.name.text for m in members], {}, {})
                if self.declare(self.names, enum):
                    s.enums[name.text] = enum
                    self.unique(source, [m.name for m in members], "member")
            case n.KindDecl(name, base, forms=forms):
                kind = KindSym(name.text, source, name, own, base.text if base else None, len(s.kinds), {}, {}, {})
                if self.declare(self.names, kind):
                    s.kinds[name.text] = kind
                    for f in forms:
                        form = FormSym(f.name.text, source, f.name, own, name.text, {}, f.help.value if f.help else None)
                        if self.declare(self.names, form):
                            s.forms[form.name] = form

    def kind_tree(self) -> None:
        s = self.s
        for u in s.units:
            if not isinstance(u.decl, n.KindDecl) or u.decl.base is None or s.kinds.get(u.decl.name.text) is None:
                continue
            base, kind = u.decl.base, s.kinds[u.decl.name.text]
            if base.text not in s.kinds:
                self.report.add("E101", u.source, base, f"no kind is called `{base.text}`", near(base.text, s.kinds))
                kind.base = None
            elif kind.name == base.text or any(k.name == kind.name for k in s.chain(base.text)):
                self.report.add("E102", u.source, base, f"`{kind.name}` extends itself")
                kind.base = None
            else:
                s.kinds[base.text].children.append(kind.name)

    def second(self, u: Unit) -> None:
        """Zones and boards, enum columns, members of players and kinds."""
        s, source, own = self.s, u.source, u.own
        match u.decl:
            case n.EnumDecl(name, _, False, columns):
                enum = s.enums.get(name.text)
                if enum is not None and enum.ident is name:
                    self.unique(source, [c.name for c in columns], "column")
                    for c in columns:
                        enum.columns[c.name.text] = self.type(c.type, source)
            case n.EnumDecl(name, _, True, _, members):
                enum = s.enums.get(name.text)
                if enum is None:
                    self.report.add("E101", source, name, f"no enum is called `{name.text}`", near(name.text, s.enums))
                elif not enum.open:
                    self.report.add(
                        "E110", source, name, f"enum `{name.text}` is not open", "only an `open enum` grows",
                        [(enum.source, enum.ident, "declared here")],
                    )
                else:
                    for m in members:
                        if m.name.text in enum.members:
                            self.report.add("E102", source, m.name, f"member `{m.name.text}` is declared twice")
                        else:
                            enum.members.append(m.name.text)
            case n.PlayerDecl(fields):
                self.unique(source, [f.name for f in fields], "field")
                for f in fields:
                    s.player.setdefault(f.name.text, self.field(f, source, own, ("score", "input", "owner")))
            case n.StateDecl(f):
                sym = self.field(f, source, own, ())
                if self.declare(self.names, sym):
                    s.states[sym.name] = sym
            case n.ZoneDecl(name, place, help):
                zone = ZoneSym(name.text, source, name, own, self.spec(place, source, 1))
                zone.place.help = help.value if help else None
                if self.declare(self.names, zone):
                    s.zones[name.text] = zone
            case n.BoardDecl():
                self.board(u.decl, source, own)
            case _:
                pass

    def board(self, decl: n.BoardDecl, source: Source, own: bool) -> None:
        s = self.s
        name, element, fields, places = decl.name, decl.element, decl.fields, decl.places
        size, height = decl.size, decl.height
        if size is not None and not 1 <= size * (height or 1) <= 64:
            message = f"board `{name.text}` has {size * (height or 1)} places"
            self.report.add("E210", source, name, message, "a board has 1 to 64")
            size, height = max(1, min(size, 8)), None if height is None else max(1, min(height, 8))
        low = self.next_place
        grid = None if size is None or height is None else (size, height, decl.floating, decl.either)
        board = BoardSym(name.text, source, name, own, element.text if element else None, size, {}, {}, low, low, grid)
        if not self.declare(self.names, board):
            return
        s.boards[name.text] = board
        if element is not None and self.declare(self.names, Sym(element.text, source, element, own)):
            s.elements[element.text] = name.text
        self.unique(source, [*(f.name for f in fields), *(p.name for p in places)], "member")
        if not places:
            self.report.add("E108", source, name, f"board `{name.text}` has no place for cards", "add one: `units: each player list of …, all see`")
        for p in places:
            board.parts[p.name.text] = self.spec(p.place, source, board.count)
            board.parts[p.name.text].help = p.help.value if p.help else None
        board.high = self.next_place
        for f in fields:
            board.fields[f.name.text] = self.field(f, source, own, ())

    def third(self, u: Unit) -> None:
        """Members of kinds, callables, cards: all types are known now."""
        s, source, own = self.s, u.source, u.own
        match u.decl:
            case n.KindDecl():
                self.kind(u.decl, source, own)
            case n.ValueDecl(name, params, t, _):
                value = ValueSym(name.text, source, name, own, self.params(params, source), self.type(t, source), u.decl)
                if self.declare(self.calls, value):
                    s.values[name.text] = value
                    if u.decl.bot:
                        self.bot(value)
            case n.EffectDecl(name, params, _):
                effect = EffectSym(name.text, source, name, own, self.params(params, source), u.decl)
                if self.declare(self.calls, effect):
                    s.effects[name.text] = effect
            case n.CardDecl(name, title, kind, _):
                card = CardSym(name.text, source, name, own, title.value, kind.text, u.decl, len(s.cards))
                if self.declare(self.names, card):
                    s.cards[name.text] = card
            case n.DecklistDecl(name, title, _):
                decklist = DecklistSym(name.text, source, name, own, title.value, u.decl)
                if self.declare(self.names, decklist):
                    s.decklists[name.text] = decklist
            case _:
                pass

    def bot(self, value: ValueSym) -> None:
        """What greedy bots maximise: one number of a player."""
        source, ident = value.source, value.ident
        if self.s.bot is not None:
            first = self.s.values[self.s.bot]
            self.report.add(
                "E108", source, ident, "the game has two values for bots", "leave `bot` out of one of them",
                [(first.source, first.ident, "the other one")],
            )
            return
        self.s.bot = value.name
        if [p.type for p in value.params] not in ([PLAYER], [ERROR]):
            self.report.add(
                "E201", source, ident, f"a `bot value` tells how well one player does, but `{value.name}` does not take one player",
                f"write `bot value {value.name}(p: player): int = …`",
            )
        elif not isinstance(value.type, IntT) and value.type != ERROR:
            self.report.add(
                "E201", source, value.decl.type, f"a `bot value` is a number, but `{value.name}` is {show(value.type)}",
                f"write `bot value {value.name}(p: player): int = …`",
            )

    def kind(self, decl: n.KindDecl, source: Source, own: bool) -> None:
        s = self.s
        kind = s.kinds.get(decl.name.text)
        if kind is None or kind.ident is not decl.name:
            return
        fixed = {"owner", "face_up", "face_down", *(s.elements)}
        for ident in [*(f.name for f in decl.fields), *(f.name for f in decl.flags), *(f.name for f in decl.states),
                      *(x.name for x in decl.slots)]:
            first = next(
                (x for k in s.chain(kind.name) for group in (k.fields, k.states, k.slots) if (x := group.get(ident.text))), None
            )
            if ident.text in fixed:
                self.report.add("E103", source, ident, f"every card has `{ident.text}` already", "choose another name")
            elif first is not None:
                self.report.add(
                    "E102", source, ident, f"member `{ident.text}` is declared twice in this kind", "a member is declared once in a chain of kinds",
                    [(first.source, first.ident, "first declared here")],
                )
            else:
                self.member(kind, decl, ident, source, own)
        for form in decl.forms:
            self.form(kind, form, source, own)

    def form(self, kind: KindSym, decl: n.FormDecl, source: Source, own: bool) -> None:
        s, name = self.s, decl.name.text
        form = s.forms.get(name)
        if form is None or form.ident is not decl.name:
            return
        first = next((f for f in s.forms.values() if f is not form and s.is_kind(kind.name, f.kind)), None)
        if first is not None:
            self.report.add(
                "E102", source, decl.name, f"cards of kind `{kind.name}` have two forms", "a kind has one form",
                [(first.source, first.ident, "the other one")],
            )
        if not decl.params:
            self.report.add("E108", source, decl.name, f"form `{name}` has no argument to tell a card's forms apart", "write `form evolution(level: 2..3)`")
        form.params = self.arguments_of(name, decl.params, source, own)

    def arguments_of(self, owner: str, params: Sequence[n.Field], source: Source, own: bool) -> dict[str, FieldSym]:
        """The arguments that cards give to a slot or a form; words in braces are an enum of their own."""
        self.unique(source, [p.name for p in params], "argument")
        out = {}
        for p in params:
            t = self.type(p.type, source, words=f"{owner}·{p.name.text}")
            out[p.name.text] = FieldSym(p.name.text, source, p.name, own, t, p.default, None)
        return out

    def member(self, kind: KindSym, decl: n.KindDecl, ident: n.Ident, source: Source, own: bool) -> None:
        s = self.s
        for f in decl.fields:
            if f.name is ident:
                kind.fields[ident.text] = self.field(f, source, own, ())
        for flag in decl.flags:
            if flag.name is ident:
                help = flag.help.value if flag.help else None
                kind.fields[ident.text] = FieldSym(ident.text, source, ident, own, BOOL, n.Truth(False), help, flag=True)
        for f in decl.states:
            if f.name is ident:
                kind.states[ident.text] = self.field(f, source, own, ("owner",))
        for slot in decl.slots:
            if slot.name is ident:
                if slot.place.text not in s.zones and slot.place.text not in s.boards:
                    self.report.add(
                        "E101", source, slot.place, f"no zone or board is called `{slot.place.text}`",
                        near(slot.place.text, [*s.zones, *s.boards]),
                    )
                    continue
                help = slot.help.value if slot.help else None
                params = self.arguments_of(ident.text, slot.params, source, own)
                kind.slots[ident.text] = SlotSym(
                    ident.text, source, ident, own, slot.nature, slot.place.text, slot.when, help, params
                )

    # ---- Facts that follow from the shape of the code

    def shape(self, units: list[Unit]) -> None:
        s = self.s
        for u in units:
            for node in walk(u.decl):
                match node:
                    case n.Copy(_, to):
                        where = self.place_name(to)
                        if where is not None and not self.each(where):
                            s.shared_kinds.update(s.kind_in(where))
                    case n.Move(_, to, _, facing) if facing is not None and facing != n.Name("up"):
                        where = self.place_name(to)
                        if where is not None:
                            s.faces.add(where)
                    case n.Exchange(slots):
                        s.exchanged.update(i.text for i in slots)
                    case n.Loop(name) | n.Repeat(_, name) | n.Alternate(_, _, name):
                        if name is not None and name.text not in s.periods:
                            s.periods.append(name.text)
                    case _:
                        pass

    def place_name(self, e: n.Expr) -> str | None:
        """The zone or board that a place expression speaks of."""
        match e:
            case n.Name(id):
                return id if id in self.s.zones or id in self.s.boards else None
            case n.Index(base, _):
                return self.place_name(base)
            case n.Member(base, name):
                if name.text in self.s.zones:
                    return name.text
                return next((b.name for b in self.s.boards.values() if name.text in b.parts), None)
        return None

    def each(self, where: str) -> bool:
        s = self.s
        return s.zones[where].place.each if where in s.zones else all(p.each for p in s.boards[where].parts.values())


def walk(node: object) -> Iterable[n.Node]:
    """Every node below and including `node`, parents first; for searches only."""
    todo = [node]
    while todo:
        top = todo.pop()
        if isinstance(top, n.Node):
            yield top
            todo.extend(getattr(top, name) for name in reversed(top.__dataclass_fields__) if name != "span")
        elif isinstance(top, tuple):
            todo.extend(reversed(top))


def collect(units: list[Unit], report: Report) -> Symbols:
    collector = Collector(report)
    collector.run(units)
    return collector.s


def type_of(s: Symbols, t: n.TypeExpr, source: Source, report: Report | None = None) -> Type:
    """The type that `t` says, after collection; findings go to `report`, or nowhere where they were told already."""
    collector = Collector(report or Report())
    collector.s = s
    return collector.type(t, source)
