"""Collects declarations into `Symbols`: names, types of members, kinds and places.

Assumes parsed declarations, each alone. Establishes: every name is declared once, every member has a type, kinds form
trees, places have ids. Bodies, defaults and conditions are unread. Illegal from here on: asking the AST what a name
means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardc import nodes as n
from cardc.frame import check_frame
from cardc.phrases import say
from cardc.report import Report, Unsure, near, there_are
from cardc.shape import Shape, shape_of
from cardc.source import Source
from cardc.symbols import (
    BUILT_IN_CALLS,
    BUILT_IN_NAMES,
    CARD_MEMBERS,
    ELEMENT_MEMBERS,
    GRID_MEMBERS,
    PLAYER_MEMBERS,
    SEATS,
    SPACE_MEMBERS,
    BoardSym,
    CardSym,
    DecklistSym,
    EffectSym,
    EnumSym,
    FieldSym,
    FormSym,
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
from cardc.typenames import TypeNames, find_twice
from cardc.types import BOOL, ERROR, PLAYER, BoolT, EnumT, ErrorT, IntT, OptT, SetT

MOST_ELEMENTS = 64


class Collector:
    def __init__(self, report: Report) -> None:
        self.s = Symbols()
        self.report = report
        self.calls: dict[str, Sym] = {}
        self.next_place = 0

    def run(self, units: list[Unit], cards: Sequence[CardSym], shape: Shape) -> None:
        self.s.units = units
        self.s.base_files = frozenset(u.source.path for u in units if not u.own)
        self.s.base_game = bool(self.s.base_files)
        check_frame(units, self.report)
        for u in units:
            self.name(u)
        self.elsewhere(cards)
        self.kind_tree()
        self.s.chains = {kind: self.s.chain(kind) for kind in self.s.kinds}
        for u in units:
            self.vocabulary(u)
        for u in units:
            self.places(u)
        for u in units:
            self.members(u)
        whole = shape_of(units, self.s.base_game, self.report)
        whole.join(shape)
        whole.add_to(self.s)

    # ---- Names

    def elsewhere(self, cards: Sequence[CardSym]) -> None:
        """Cards whose declarations are not at hand. Raises Unsure where a name is not theirs alone."""
        s = self.s
        named = {card.name: card for card in cards}
        if len(named) < len(cards) or not named.keys().isdisjoint({*s.names, *BUILT_IN_NAMES}):
            raise Unsure
        for index, card in enumerate(cards, len(s.cards)):
            card.index = index
        s.names.update(named)
        s.cards.update(named)
        s.card_names += named

    def declare(self, space: dict[str, Sym], sym: Sym, free: bool = False) -> bool:
        built_in = BUILT_IN_CALLS if space is self.calls else BUILT_IN_NAMES
        if sym.name in built_in and not free:
            help = "choose another name"
            for name in (sym.name, "form", "forms") if isinstance(sym, FormSym) else (sym.name,):
                self.report.spoil(name)
            if sym.name == "deck":
                help += ", such as `pile`: a requirement reads `deck`; what each player has may be called so"
            self.report.add("E103", sym.source, sym.ident, f"`{sym.name}` is a built-in name", help)
            return False
        first = space.get(sym.name)
        if first is not None:
            code = "E102" if first.own == sym.own else "E109"
            what = "is declared twice" if code == "E102" else "is declared by the base game"
            if type(first) is not type(sym):  # which of them is meant elsewhere is not known
                self.report.spoil(sym.name)
            self.report.add(
                code, sym.source, sym.ident, f"`{sym.name}` {what}", "give one of them another name",
                [(first.source, first.ident, "first declared here")],
            )  # fmt: skip
            return False
        space[sym.name] = sym
        return True

    def name(self, u: Unit) -> None:
        """The name of a declaration; what it says is read when all names are known."""
        s, source, own = self.s, u.source, u.own
        match u.decl:
            case n.OptionDecl(name, _, _, help):
                option = OptionSym(name.text, source, name, own, ERROR, None, help.value)
                if self.declare(s.names, option):
                    s.options[name.text] = option
            case n.EnumDecl(name, open, False, _, members):
                enum = EnumSym(name.text, source, name, own, open, [], {}, {})
                if self.declare(s.names, enum):
                    s.enums[name.text] = enum
                    find_twice(self.report, source, [m.name for m in members], "member")
                    enum.members.extend(dict.fromkeys(m.name.text for m in members))
            case n.KindDecl(name, base, forms=forms):
                kind = KindSym(name.text, source, name, own, base.text if base else None, len(s.kinds), {}, {}, {})
                if self.declare(s.names, kind):
                    s.kinds[name.text] = kind
                    for f in forms:
                        form_help = f.help.value if f.help else None
                        form = FormSym(f.name.text, source, f.name, own, name.text, {}, form_help)
                        if self.declare(s.names, form):
                            s.forms[form.name] = form
            case n.ZoneDecl(name, place):
                # each player's own `deck` is never named alone, so it hides nothing from the deck declaration
                self.declare(s.names, Sym(name.text, source, name, own), free=name.text == "deck" and place.each)
            case n.BoardDecl(name=name, element=element):
                fresh = self.declare(s.names, Sym(name.text, source, name, own))
                if fresh and element is not None and self.declare(s.names, Sym(element.text, source, element, own)):
                    s.elements[element.text] = name.text
            case n.StateDecl(field):
                self.declare(s.names, Sym(field.name.text, source, field.name, own))
            case n.CardDecl(name, title, kind):
                card = CardSym(name.text, source, name, own, title.value, kind.text, u.decl, len(s.cards))
                if self.declare(s.names, card):
                    s.cards[name.text] = card
                    s.card_names.append(name.text)
            case n.DecklistDecl(name, title):
                decklist = DecklistSym(name.text, source, name, own, title.value, u.decl)
                if self.declare(s.names, decklist):
                    s.decklists[name.text] = decklist
            case n.ValueDecl(name):
                value = ValueSym(name.text, source, name, own, [], ERROR, u.decl)
                if self.declare(self.calls, value):
                    s.values[name.text] = value
            case n.EffectDecl(name):
                effect = EffectSym(name.text, source, name, own, [], u.decl)
                if self.declare(self.calls, effect):
                    s.effects[name.text] = effect
            case n.DeckDecl():
                s.deck = s.deck or u.decl
            case _:
                pass

    def first(self, name: n.Ident) -> bool:
        """Whether this is the declaration that gives the name its meaning."""
        found = self.s.names.get(name.text)
        return found is not None and found.ident is name

    def kind_tree(self) -> None:
        s = self.s
        for u in s.units:
            if not isinstance(u.decl, n.KindDecl) or u.decl.base is None or not self.first(u.decl.name):
                continue
            base, kind = u.decl.base, s.kinds[u.decl.name.text]
            if base.text not in s.kinds:
                help = near(base.text, s.kinds)
                help = help or there_are(s.kinds)
                self.report.unknown("E101", u.source, base, base.text, f"no kind is called `{base.text}`", help)
                kind.base = None
            elif any(k.name == kind.name for k in s.chain(base.text)):
                self.report.add("E102", u.source, base, f"kind `{kind.name}` extends itself")
                kind.base = None
            elif not (s.base_game and u.own):  # an expansion has no kinds, and has a finding for it
                s.kinds[base.text].children.append(kind.name)

    # ---- Options and enums

    def vocabulary(self, u: Unit) -> None:
        s, source = self.s, u.source
        types = TypeNames(s, self.report, source)
        match u.decl:
            case n.OptionDecl(name, t) if self.first(name):
                s.options[name.text].type = types.option(t, name.text, u.own)
            case n.EnumDecl(name, open, False, columns, members) if self.first(name):
                find_twice(self.report, source, [c.name for c in columns], "column")
                for c in columns:
                    s.enums[name.text].columns.setdefault(c.name.text, types.column(c.type))
                    s.enums[name.text].column_idents.setdefault(c.name.text, c.name)
                if not members and not open:
                    self.report.add(
                        "E301", source, name, f"enum `{name.text}` has no members", "list them in the braces"
                    )
            case n.EnumDecl(name, _, True, _, members):
                self.grow(name, members, source)
            case _:
                pass

    def grow(self, name: n.Ident, members: tuple[n.EnumMember, ...], source: Source) -> None:
        """`extend enum`: the members of an expansion."""
        if not self.s.base_game:
            return  # it has its finding
        known = self.s.named_enums()
        enum = self.s.enums.get(name.text) if name.text in known else None
        if enum is None:
            self.report.unknown(
                "E101", source, name, name.text, f"no enum is called `{name.text}`", near(name.text, known)
            )
            return
        if not enum.open:
            self.report.add(
                "E110", source, name, f"enum `{name.text}` is not open", "only an `open enum` grows",
                [(enum.source, enum.ident, "declared here")],
            )  # fmt: skip
            for m in members:
                self.report.spoil(m.name.text)
            return
        for m in members:
            if m.name.text in enum.members:
                self.report.add(
                    "E102", source, m.name, f"member `{m.name.text}` is declared twice", "give it another name",
                    [(enum.source, enum.ident, "the enum has it already")],
                )  # fmt: skip
            else:
                enum.members.append(m.name.text)

    # ---- Zones and boards

    def places(self, u: Unit) -> None:
        s, source, own = self.s, u.source, u.own
        match u.decl:
            case n.ZoneDecl(name, place, help) if self.first(name):
                zone = ZoneSym(name.text, source, name, own, self.spec(place, source, 1, help))
                if place.kind.text in s.kinds:
                    s.names[name.text] = s.zones[name.text] = zone
                else:
                    del s.names[name.text]
                    self.report.spoil(name.text)
            case n.BoardDecl(name) if self.first(name):
                self.board(u.decl, source, own)
            case _:
                pass

    def spec(self, p: n.PlaceSpec, source: Source, slots: int, help: n.Text | None) -> PlaceSym:
        kind = p.kind.text
        if kind not in self.s.kinds:
            other = near(kind, self.s.kinds) or there_are(self.s.kinds)
            self.report.unknown("E101", source, p.kind, kind, f"no kind is called `{kind}`", other)
        if p.sight == "owner" and not p.each:
            self.report.add(
                "E204", source, p, "a shared place has no owner who sees it",
                "write `all see` or `nobody sees`, or make it a place of `each player`",
            )  # fmt: skip
        first = self.next_place
        self.next_place += slots * (SEATS if p.each else 1)
        most = 1 if p.one else None if p.most is None else self.most(p.most, source)
        return PlaceSym(p.each, p.one, kind, most, p.sight, first, help.value if help else None)

    def most(self, e: n.Expr, source: Source) -> int | str | None:
        """What `at most` says: a number or an option."""
        if not isinstance(e, n.Number | n.Name | n.Unary):
            self.report.add("E201", source, e, "`at most` takes a number or an option")
            return None
        bound = TypeNames(self.s, self.report, source).bound(e) if not isinstance(e, n.Unary) else -1
        least = self.s.option_bound(bound, False) if isinstance(bound, str) else bound
        if bound is None:
            return None
        if isinstance(bound, str) and (least is None or least < 0):
            self.report.add("E210", source, e, f"option `{bound}` may be below 0, but a place holds 0 cards or more")
        elif isinstance(bound, int) and bound < 1:
            self.report.add("E210", source, e, "a place for no cards holds nothing", "write at least 1")
        else:
            return bound
        return None

    def board(self, decl: n.BoardDecl, source: Source, own: bool) -> None:
        s, name, size, height = self.s, decl.name, decl.size, decl.height
        if size is not None and not 1 <= size * (1 if height is None else height) <= MOST_ELEMENTS:
            message = f"board `{name.text}` has {size * (1 if height is None else height)} places"
            self.report.add("E210", source, name, message, f"a board has 1 to {MOST_ELEMENTS} of them")
            size, height = max(1, min(size, 8)), None if height is None else max(1, min(height, 8))
        grid = None if size is None or height is None else (size, height, decl.floating, decl.either)
        low = self.next_place
        element = decl.element.text if decl.element is not None else None
        board = BoardSym(name.text, source, name, own, element, size, {}, {}, low, low, grid)
        s.names[name.text] = s.boards[name.text] = board
        members = [*(f.name for f in decl.fields), *(p.name for p in decl.places)]
        find_twice(self.report, source, members, "member")
        for m in members:
            if m.text in ELEMENT_MEMBERS or (grid is not None and m.text in (*GRID_MEMBERS, *SPACE_MEMBERS, "at")):
                self.taken(m, source, "a board")
        if not decl.places:
            help = "add one: `units: each player list of …, all see`"
            self.report.add("E108", source, name, f"board `{name.text}` has no place for cards", help)
        for p in decl.places:
            spec = self.spec(p.place, source, board.count, p.help)
            if p.place.kind.text in s.kinds:
                board.parts.setdefault(p.name.text, spec)
            else:
                self.report.spoil(p.name.text)
        board.high = self.next_place

    def taken(self, ident: n.Ident, source: Source, what: str) -> None:
        self.report.add("E103", source, ident, f"{what} has `{ident.text}` already", "choose another name")

    # ---- Members of players, kinds and boards; parameters

    def members(self, u: Unit) -> None:
        """All types are known now."""
        s, source, own = self.s, u.source, u.own
        match u.decl:
            case n.PlayerDecl(fields):
                self.player(fields, source, own)
            case n.StateDecl(f) if self.first(f.name):
                state = self.field(f, source, own, ())
                s.names[state.name] = s.states[state.name] = state
            case n.BoardDecl(name=name, fields=fields) if self.first(name):
                for f in fields:
                    if f.name.text not in s.boards[name.text].parts:
                        s.boards[name.text].fields.setdefault(f.name.text, self.field(f, source, own, ()))
            case n.KindDecl(name) if self.first(name):
                self.kind(u.decl, source, own)
            case n.ValueDecl(name, params, t) if (
                s.values.get(name.text) is not None and s.values[name.text].ident is name
            ):
                value = s.values[name.text]
                value.params, value.type = self.params(params, source), TypeNames(s, self.report, source).type(t)
                if u.decl.bot:
                    self.bot(value)
            case n.EffectDecl(name, params) if (
                s.effects.get(name.text) is not None and s.effects[name.text].ident is name
            ):
                s.effects[name.text].params = self.params(params, source)
            case _:
                pass

    def field(self, f: n.Field, source: Source, own: bool, allowed: Sequence[str]) -> FieldSym:
        marks = tuple(m.text.split()[0] for m in f.marks)
        for m, word in zip(f.marks, marks, strict=True):
            if word not in allowed:
                self.report.add("E204", source, m, f"`{m.text}` has no meaning here", "remove it")
        find_twice(self.report, source, f.marks, "mark", "E302")
        help = f.help.value if f.help else None
        t = TypeNames(self.s, self.report, source).kept(f.type)
        return FieldSym(f.name.text, source, f.name, own, t, f.default, help, "owner" in marks, marks)

    def player(self, fields: tuple[n.Field, ...], source: Source, own: bool) -> None:
        s = self.s
        find_twice(self.report, source, [f.name for f in fields], "field")
        for f in fields:
            name = f.name.text
            zone = s.zones.get(name)
            if name in PLAYER_MEMBERS:
                self.taken(f.name, source, "a player")
            elif zone is not None and zone.place.each:
                self.report.add(
                    "E102", source, f.name, f"`{name}` is also a zone of each player", "give one of them another name",
                    [(zone.source, zone.ident, "the zone")],
                )  # fmt: skip
            else:
                sym = self.field(f, source, own, ("score", "input", "owner"))
                if s.player.setdefault(name, sym) is sym:
                    self.marked(f, sym, source)

    def directed(self, f: n.Field, sym: FieldSym, source: Source) -> None:
        """What can be better: a number, in one direction."""
        marks = [m for m in f.marks if m.text.endswith("is better")]
        if marks and not isinstance(sym.type, IntT | ErrorT):
            message = f"{say(sym.type, self.s)} is neither high nor low"
            self.report.add("E201", source, marks[0], message, "only numbers have a direction: remove it")
        elif len({m.text for m in marks}) > 1:
            message = f"`{f.name.text}` cannot be better both high and low"
            self.report.add("E302", source, marks[1], message, "remove one")

    def marked(self, f: n.Field, sym: FieldSym, source: Source) -> None:
        """What a score and an input can be."""
        t = sym.type.item if isinstance(sym.type, OptT) else sym.type
        if t == ERROR:
            return
        if "score" in sym.marks and not isinstance(sym.type, IntT):
            self.report.add("E201", source, f.type, f"a score is a number, not {say(sym.type, self.s)}")
        if "input" in sym.marks and not isinstance(t, IntT | BoolT | EnumT | SetT):
            self.report.add(
                "E201", source, f.type, f"an input cannot be {say(sym.type, self.s)}",
                "who starts a match can give numbers, bools, members of enums and sets of them",
            )  # fmt: skip

    def params(self, fields: Sequence[n.Field], source: Source) -> list[ParamSym]:
        find_twice(self.report, source, [f.name for f in fields], "parameter")
        for f in fields:
            name = f.name.text
            if name in BUILT_IN_NAMES:
                self.report.add("E103", source, f.name, f"`{name}` is a built-in name", "choose another name")
            elif first := self.s.hidden(name, source):
                self.report.add(
                    "E104", source, f.name, f"parameter `{name}` hides another name", "choose another name",
                    [(first.source, first.ident, "this one")],
                )  # fmt: skip
        types = TypeNames(self.s, self.report, source)
        found = {f.name.text: ParamSym(f.name.text, types.type(f.type), f.default, (source, f.name))
                 for f in reversed(fields)}  # fmt: skip
        return [found[name] for name in dict.fromkeys(f.name.text for f in fields)]

    def bot(self, value: ValueSym) -> None:
        """What greedy bots maximise: one number of a player."""
        s, source, ident = self.s, value.source, value.ident
        help = f"write `bot value {value.name}(p: player): int = …`"
        if s.base_game and value.own:
            return  # it has its finding
        if s.bot is not None:
            first = s.values[s.bot]
            self.report.add(
                "E108", source, ident, "the game has two values for bots", "leave `bot` out of one of them",
                [(first.source, first.ident, "the other one")],
            )  # fmt: skip
            return
        s.bot = value.name
        if [p.type for p in value.params] not in ([PLAYER], [ERROR]):
            message = f"a `bot value` tells how well one player does, but `{value.name}` does not take one player"
            self.report.add("E201", source, ident, message, help)
        elif not isinstance(value.type, IntT) and value.type != ERROR:
            message = f"a `bot value` is a number, but `{value.name}` is {say(value.type, self.s)}"
            self.report.add("E201", source, value.decl.type, message, help)

    def kind(self, decl: n.KindDecl, source: Source, own: bool) -> None:
        s = self.s
        kind = s.kinds[decl.name.text]
        for f in decl.fields:
            if self.member(kind, f.name, source):
                field = kind.fields[f.name.text] = self.field(f, source, own, ("high", "low"))
                self.directed(f, field, source)
        for flag in decl.flags:
            if self.member(kind, flag.name, source):
                help = flag.help.value if flag.help else None
                default = n.Truth(False, span=flag.name.span)
                kind.fields[flag.name.text] = FieldSym(
                    flag.name.text, source, flag.name, own, BOOL, default, help, flag=True
                )
        for f in decl.states:
            if self.member(kind, f.name, source):
                kind.states[f.name.text] = self.field(f, source, own, ("owner",))
        for slot in decl.slots:
            if not self.member(kind, slot.name, source) or not self.works(kind, slot, source):
                self.report.spoil(slot.name.text)
            else:
                help = slot.help.value if slot.help else None
                params = self.arguments(slot.name.text, slot.params, source, own)
                kind.slots[slot.name.text] = SlotSym(
                    slot.name.text, source, slot.name, own, slot.nature, slot.place.text, slot.when, help, params
                )
        for form in decl.forms:
            self.form(kind, form, source, own)

    def form(self, kind: KindSym, decl: n.FormDecl, source: Source, own: bool) -> None:
        s, name = self.s, decl.name.text
        form = s.forms.get(name)
        if form is None or form.ident is not decl.name:
            return
        kinds = [kind.name, *(k.name for k in self.below(kind)), *(k.name for k in s.chain(kind.name))]
        first = next((f for f in s.forms.values() if f is not form and f.kind in kinds), None)
        if first is not None and list(s.forms).index(first.name) < list(s.forms).index(name):
            self.report.add(
                "E102", source, decl.name, f"cards of kind `{kind.name}` have two forms", "a kind has one form",
                [(first.source, first.ident, "the other one")],
            )  # fmt: skip
        if not decl.params:
            help = f"write `form {name}(level: 2..3)`"
            self.report.add(
                "E301", source, decl.name, f"form `{name}` has no argument to tell a card's forms apart", help
            )
        form.params = self.arguments(name, decl.params, source, own)

    def arguments(self, owner: str, params: Sequence[n.Field], source: Source, own: bool) -> dict[str, FieldSym]:
        """The arguments that cards give to a slot or a form; words in braces are an enum of their own."""
        find_twice(self.report, source, [p.name for p in params], "argument")
        types = TypeNames(self.s, self.report, source)
        out: dict[str, FieldSym] = {}
        for p in params:
            if p.name.text not in out:
                t = types.argument(p.type, f"{owner}·{p.name.text}", own)
                out[p.name.text] = FieldSym(p.name.text, source, p.name, own, t, p.default, None)
        return out

    def member(self, kind: KindSym, ident: n.Ident, source: Source) -> bool:
        """Whether a member of a kind may have this name: neither it, nor those it extends or that extend it, have
        it."""
        if ident.text in CARD_MEMBERS or ident.text in self.s.elements:
            self.taken(ident, source, "every card")
            return False
        for k in (*self.s.chain(kind.name), *self.below(kind)):
            for group in (k.fields, k.states, k.slots):
                first: Sym | None = group.get(ident.text)
                if first is not None:
                    self.report.add(
                        "E102", source, ident, f"member `{ident.text}` is declared twice in one chain of kinds",
                        "declare it once, in the kind that the others extend",
                        [(first.source, first.ident, "first declared here")],
                    )  # fmt: skip
                    return False
        return True

    def below(self, kind: KindSym) -> Iterable[KindSym]:
        for name in kind.children:
            yield self.s.kinds[name]
            yield from self.below(self.s.kinds[name])

    def works(self, kind: KindSym, slot: n.SlotDecl, source: Source) -> bool:
        """Whether the slot's place exists and such a card can lie there."""
        s, where = self.s, slot.place.text
        if where not in s.zones and where not in s.boards:
            help = near(where, [*s.zones, *s.boards]) or there_are([*s.zones, *s.boards])
            self.report.unknown("E101", source, slot.place, where, f"no zone or board is called `{where}`", help)
            return False
        held = [k for k in s.kind_in(where) if k in s.kinds]
        if held and not any(s.related(k, kind.name) for k in held):
            self.report.add(
                "E201",
                source,
                slot.place,
                f"no `{kind.name}` ever lies in `{where}`",
                "a slot works where its card can lie",
            )
            return False
        return True


def collect(units: list[Unit], report: Report, cards: Sequence[CardSym], shape: Shape) -> Symbols:
    """The symbols of `units`. `cards` and `shape` are of declarations that are not among them: those of other parts of
    the package.

    Raises Unsure where a name of theirs is taken."""
    collector = Collector(report)
    collector.run(units, cards, shape)
    return collector.s
