"""What follows a dot, and what stands in brackets behind something: members of players, cards, boards and
collections."""

from __future__ import annotations

from collections.abc import Iterable

from cardc import nodes as n
from cardc.advice import OF_LISTS, of_member
from cardc.conditions import Conditions
from cardc.elaborate import untested
from cardc.ir import Place, X, const, number
from cardc.report import listed, near
from cardc.scope import Scope, bounds
from cardc.symbols import CARD_MEMBERS, GRID_MEMBERS, PLAYER_MEMBERS, SPACE_MEMBERS, KindSym, plane
from cardc.types import (
    BOOL,
    INT,
    PLAYER,
    BoardT,
    CardT,
    ElementT,
    EnumT,
    ErrorT,
    FormT,
    IntT,
    LineT,
    ListT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SlotT,
    Type,
    optional,
    strip,
)

_RELATIVE = "place things relative to each other: `neighbors`, `rows`, `corners`, `adjacent`"


class Members(Conditions):
    # ---- Dots

    def member(self, e: n.Member, sc: Scope) -> X:
        if self.site.test and isinstance(e.base, n.Method):
            return self.member_of(self.method(e.base, sc, put=True), e.name, e)
        return self.member_of(self.expr(e.base, sc), e.name, e)

    def member_of(self, base: X, name: n.Ident, e: n.Node) -> X:
        if type(base.t) is CardT:
            return self.card_member(base, base.t, name, e)
        if type(base.t) is PlayerT:
            return self.player_member(base, name, e)
        if type(base.t) is ElementT:
            return self.element_member(base, base.t.board, name, e)
        match base.t:
            case ErrorT():
                return base
            case PrintedT(kind):
                return self.printed_member(base, kind, name, e)
            case FormT(form):
                params = self.s.forms[form].params
                if name.text in params:
                    self.uses.reads.add(("form", form, name.text))
                    return X("dfield", (form, name.text, base), params[name.text].type, e.span)
                return self.no_member(name, f"form `{form}`", params)
            case SlotT():
                return self.slot_member(base, base.t, name, e)
            case EnumT(enum):
                columns = self.s.enums[enum].columns
                if name.text in columns:
                    self.uses.reads.add(("column", enum, name.text))
                    return X("column", (enum, name.text, base), columns[name.text], e.span)
                if not columns and self.s.enums[enum].members:
                    word = next(iter(self.s.enums[enum].members))
                    help = f"what words have is a column: `enum {enum} ({name.text}: TYPE) {{ {word}(…) … }}`"
                    return self.unknown("E105", name, name.text, f"`{enum}` has no member `{name.text}`", help)
                return self.no_member(name, f"`{enum}`", columns)
            case BoardT(board) if self.s.boards[board].grid is not None and name.text in GRID_MEMBERS:
                self.uses.reads.add(("board", board))
                return self.grid_member(board, name.text, e)
            case BoardT(board) if base.op == "one_board":
                return self.element_member(number(0, base.span), board, name, e)
            case BoardT() | ListT():
                return self.dotted(base, name, e)
            case OptT() if base.op == "one":
                return self.dotted(base, name, e)
            case OptT() | NoneT():
                what = f"this is {self.say(base.t)}, so it has no `{name.text}` for certain"
                if isinstance(base.t, NoneT):
                    return self.err("E201", e, f"this is none, so it has no `{name.text}`")
                return self.err("E203", e, what, untested(base))
        return self.no_member(name, self.say(base.t), ())

    def no_member(self, name: n.Ident, what: str, known: Iterable[str]) -> X:
        known = list(known)
        help = near(name.text, known)
        if name.text in (*GRID_MEMBERS, *SPACE_MEMBERS):
            of = "a grid" if name.text in GRID_MEMBERS else "a space of a grid"
            help = f"only {of} has `{name.text}`: `board land: grid 4 by 3 of space {{ … }}`"
        elif help is None and of_member(name.text):
            help = of_member(name.text)
        elif help is None and known:
            help = f"it has {listed(known)}"
        return self.unknown("E105", name, name.text, f"{what} has no member `{name.text}`", help)

    def has_member(self, t: Type, name: str) -> bool:
        """Whether what is of this type has such a member; of cards also where only some kinds have it."""
        s = self.s
        match strip(t):
            case CardT(kind):
                parts = name in self.kind_parts(kind) or self.below(kind, name) is not None
                return parts or name in CARD_MEMBERS or name in s.elements
            case PrintedT(kind):
                return s.field(kind, name) is not None or self.below(kind, name) is not None
            case PlayerT():
                return name in s.player or (name in s.zones and s.zones[name].place.each) or name in PLAYER_MEMBERS
            case ElementT(board):
                return name in s.boards[board].fields or name in s.boards[board].parts
            case EnumT(enum):
                return name in s.enums[enum].columns
            case FormT(form):
                return name in s.forms[form].params
        return False

    def slot_member(self, base: X, t: SlotT, name: n.Ident, e: n.Node) -> X:
        """`s.boost.cost`, once it is known that `s` fills the slot; `s.capacity.source`, the card whose ability it
        bears."""
        card = base.args[2]
        assert isinstance(card, X)
        slot = self.s.kinds[t.kind].slots[t.name]
        if name.text == "source" and isinstance(card.t, CardT):
            if t.name not in self.s.exchanged:
                return X(card.op, card.args, card.t, e.span)
            return X("lender", (card, t.name), CardT(card.t.kind, slot.board), e.span)
        if name.text not in slot.params:
            return self.no_member(name, f"slot `{t.name}`", [*slot.params, "source"])
        if not t.filled:
            return self.err(
                "E203", e, f"it is not known that this card has `{t.name}`, so it has no `{name.text}` for certain",
                f"test it first: `if … has {t.name} then … else …`",
            )  # fmt: skip
        self.uses.reads.add(("slotarg", t.kind, t.name, name.text))
        op = "field" if isinstance(card.t, CardT) else "dfield"
        return X(op, (f"{t.kind}·{t.name}", name.text, card), slot.params[name.text].type, e.span)

    def player_member(self, base: X, name: n.Ident, e: n.Node) -> X:
        s, text = self.s, name.text
        if text in s.player:
            self.uses.reads.add(("player", text))
            return X("player", (text, base), s.player[text].type, e.span)
        if text in s.zones and s.zones[text].place.each:
            self.uses.reads.add(("zone", text))
            return self.place_value(Place(text, None, None, base), e)
        if text == "opponent":
            if base.op == "const" and isinstance(base.args[0], int):
                return const(1 - base.args[0], PLAYER, e.span)
            return X("opponent", (base,), PLAYER, e.span)
        if text == "decklist":
            if s.deck is None and "deck" not in self.report.broken:
                return self.err("E105", name, "the game declares no `deck`, so no player has a decklist")
            return X("own_decklist", (base,), ListT(CardT(s.root_kind())), e.span)
        if text in s.zones:
            return self.err("E105", name, f"zone `{text}` is shared, so no player has one", f"write `{text}`")
        known = [*s.player, *(z for z, sym in s.zones.items() if sym.place.each), *sorted(PLAYER_MEMBERS)]
        return self.no_member(name, "a player", known)

    def kind_parts(self, kind: str) -> list[str]:
        return [x for k in self.s.chain(kind) for x in self.own_parts(k)]

    def own_parts(self, k: KindSym) -> list[str]:
        return [*k.fields, *k.states, *k.slots]

    def card_member(self, base: X, t: CardT, name: n.Ident, e: n.Node) -> X:
        s, text = self.s, name.text
        if found := s.field(t.kind, text):
            kind, field = found
            self.uses.reads.add(("field", kind.name, text))
            return X("field", (kind.name, text, base), field.type, e.span)
        if found := s.state(t.kind, text):
            kind, field = found
            self.uses.reads.add(("cardstate", kind.name, text))
            return X("card", (kind.name, text, base), field.type, e.span)
        if slot := s.slot(t.kind, text):
            return X("slot", (slot[0].name, text, base), SlotT(slot[0].name, text), e.span)
        form = s.form(t.kind)
        if form is not None and text == "forms":
            return X("forms", (base,), ListT(FormT(form.name)), e.span)
        if form is not None and text == "form":
            return X("form", (base,), OptT(FormT(form.name)), e.span)
        match text:
            case "owner":
                owner = PLAYER if self.site.test or s.owned(t) else optional(PLAYER)
                return X("owner", (base,), owner, e.span)
            case "face_up":
                return X("face_up", (base,), BOOL, e.span)
            case "face_down":
                return X("not", (X("face_up", (base,), BOOL, e.span),), BOOL, e.span)
        if text in s.elements:
            return self.element_of(base, t, text, e)
        below = self.below(t.kind, text)
        if below is not None:
            help = f"`{below.name}` has it; test it first: `if … is {below.name} {{ … }}`"
            return self.unknown(
                "E105", name, text, f"{self.kind_words(t.kind)} has no member `{text}` for certain", help
            )
        known = [*self.kind_parts(t.kind), *sorted(CARD_MEMBERS), *s.elements]
        more = [x for k in s.kinds.values() if s.is_kind(k.name, t.kind) for x in self.own_parts(k)]
        if near(text, [*known, *more]) is not None:
            known = [*known, *more]
        return self.no_member(name, self.kind_words(t.kind), known)

    def below(self, kind: str, member: str) -> KindSym | None:
        """A kind that extends `kind`, or one of all, and has such a member."""
        s = self.s
        found = [k for k in s.kinds.values() if s.is_kind(k.name, kind)]
        return next((k for k in found if member in k.fields or member in k.states or member in k.slots), None)

    def element_of(self, base: X, t: CardT, text: str, e: n.Node) -> X:
        """`u.lane`: where a card lies on a board."""
        board = self.s.elements[text]
        if t.where == board or self.site.test:
            base = base if t.where == board else self.lying(base, board)
            return X("element_of", (board, base), ElementT(board), e.span)
        return self.err(
            "E205", e, f"it is not known that this card lies in `{board}`, so it has no `{text}` for certain",
            f"test it: `if … is in {board} {{ … }}`, or read `{text}` before a statement that may move it",
        )  # fmt: skip

    def printed_member(self, base: X, kind: str, name: n.Ident, e: n.Node) -> X:
        s, text = self.s, name.text
        found = s.field(kind, text)
        if found is None and (slot := s.slot(kind, text)) is not None:
            return X("slot", (slot[0].name, text, base), SlotT(slot[0].name, text), e.span)
        if found is None:
            if s.state(kind, text) or text in CARD_MEMBERS or text in s.elements:
                help = "only a card in a match has state, an owner, a face and a place"
                return self.err("E105", name, f"a printed card has no `{text}`", help)
            below = self.below(kind, text)
            if below is not None:
                help = f"`{below.name}` has it; test it first: `if … is {below.name} {{ … }}`"
                message = f"{self.say(base.t)} has no member `{text}` for certain"
                return self.unknown("E105", name, text, message, help)
            return self.no_member(name, self.say(base.t), [f for k in s.chain(kind) for f in k.fields])
        self.uses.reads.add(("field", found[0].name, text))
        return X("dfield", (found[0].name, text, base), found[1].type, e.span)

    def element_member(self, base: X, board: str, name: n.Ident, e: n.Node) -> X:
        sym, text = self.s.boards[board], name.text
        if text in sym.fields:
            self.uses.reads.add(("element", board, text))
            return X("element", (board, text, base), sym.fields[text].type, e.span)
        if text in sym.parts:
            self.uses.reads.add(("part", board, text))
            part = sym.parts[text]
            if part.each:
                return X("parts", (board, text, base), ListT(CardT(part.kind, board)), e.span)
            return self.place_value(Place(board, text, base, None), e)
        if text == "neighbors" and sym.grid is not None:
            return X("near", (board, base), ListT(ElementT(board)), e.span)
        if text in ("row", "column") and sym.grid is not None:
            return X("line_of", (board, text, base), LineT(board), e.span)
        if text == "index" and sym.size is not None and sym.grid is None:
            return X("index_of", (base,), IntT(0, sym.count - 1), e.span)
        more = [*SPACE_MEMBERS] if sym.grid is not None else ["index"] if sym.size is not None else []
        known = [*sym.fields, *sym.parts, *more]
        return self.no_member(name, f"`{sym.element or board}`", known)

    # ---- Grids

    def grid_member(self, board: str, name: str, e: n.Node) -> X:
        t: Type = BOOL
        if name in ("rows", "columns"):
            t = ListT(LineT(board))
        elif name in ("corners", "adjacent"):
            t = ListT(ElementT(board))
        return X("grid", (name, board), t, e.span)

    def method(self, e: n.Method, sc: Scope, put: bool = False) -> X:
        """`territory.at(x, y)`; with `put` the space where a test puts something, which need not be one yet."""
        base = self.expr(e.base, sc)
        if isinstance(base.t, ErrorT):
            return base
        grid = self.s.boards[base.t.name].grid if isinstance(base.t, BoardT) else None
        if not isinstance(base.t, BoardT) or grid is None or e.name.text != "at":
            called = e.name.text
            if self.as_list(base) is not None and called in OF_LISTS:
                return self.err("E105", e.name, f"a list has no `{called}` to call", OF_LISTS[called])
            help = "a grid has `at(x, y)`" if isinstance(base.t, BoardT) else None
            if called in self.s.values or called in self.s.effects:
                help = f"what it works on stands between the parentheses: `{called}(…)`"
            message = f"{self.say(base.t)} has nothing to call named `{called}`"
            return self.unknown("E105", e.name, called, message, help or "only a grid has: `at(x, y)`")
        board = base.t.name
        if grid[2] and not self.site.test:
            return self.err(
                "E204", e, f"`{board}` floats: where it begins is not fixed, so `at` has no meaning here",
                _RELATIVE,
            )  # fmt: skip
        if any(a.name is not None for a in e.args) or len(e.args) != 2:
            return self.err("E202", e, f"`at` takes 2 arguments, not {len(e.args)}", "write `at(x, y)`")
        x, y = (self.need(a.value, sc, INT) for a in e.args)
        if isinstance(x.t, ErrorT) or isinstance(y.t, ErrorT):
            return X("error", (), x.t if isinstance(x.t, ErrorT) else y.t, e.span)
        if put or not grid[2]:
            for i, size, a in zip((x, y), plane(*grid), e.args, strict=True):
                first = -(size // 2) if grid[2] else 0
                low, high = bounds(i.t, self.s)
                if (low is not None and low >= first + size) or (high is not None and high < first):
                    known = f"{first} to {first + size - 1}"
                    what = "column" if i is x else "row"
                    message = f"this {what} is {self.say(i.t)}, but `{board}` has {known}"
                    return self.err("E206", a, message, None if first else "they count from 0")
        if put:
            return X("put_xy", (board, x, y), ElementT(board), e.span)
        return X("at_xy", (board, x, y), OptT(ElementT(board)), e.span)

    def dotted(self, base: X, name: n.Ident, e: n.Node) -> X:
        """A dot on a collection maps and joins in order."""
        items = self.as_collection(base, e)
        item = self.item(items.t)
        if isinstance(item, ErrorT):
            return items
        if isinstance(item, ElementT) and items.op == "elements":
            part = self.s.boards[item.board].parts.get(name.text)
            if part is not None:
                self.uses.reads.add(("part", item.board, name.text))
                return X("parts", (item.board, name.text, None), ListT(CardT(part.kind, item.board)), e.span)
        if name.text in OF_LISTS and not self.has_member(item, name.text):
            return self.err("E105", name, f"a list has no member `{name.text}`", OF_LISTS[name.text])
        v = self.fresh("it", item)
        inner = self.member_of(X("var", (v,), item, base.span), name, e)
        if isinstance(inner.t, ErrorT):
            return inner
        if isinstance(inner.t, SlotT):
            return self.err("E201", e, f"a list has no slot `{name.text}`", "go through it with `for each`")
        as_list = self.as_list(inner)
        if as_list is not None:
            return X("join", (as_list, v, items), ListT(self.item(as_list.t)), e.span)
        return X("comp", (inner, v, items, None), ListT(inner.t), e.span)

    def place_value(self, place: Place, e: n.Node) -> X:
        """The cards in a place."""
        sym = self.s.place(place.owner, place.part)
        t = CardT(sym.kind, place.owner)
        if sym.one:
            return X("one", (place,), OptT(t), e.span)
        return X("place", (place,), ListT(t), e.span)

    # ---- Brackets

    def index(self, e: n.Index, sc: Scope) -> X:
        base = self.expr(e.base, sc)
        match base.t:
            case ErrorT():
                return base
            case BoardT(board) if (grid := self.s.boards[board].grid) is not None:
                way = _RELATIVE if grid[2] and not self.site.test else f"write `{board}.at(x, y)`"
                return self.err("E206", e, f"`{board}` is a grid: its spaces have no numbers", way)
            case BoardT(board) if base.op == "board":
                size = self.s.boards[board].count
                return self.bounded(self.need(e.index, sc, INT), size, ElementT(board), board, e)
            case ListT(item) if base.op == "parts":
                return self.seat_part(base, item, e, sc)
            case ListT(item) if base.op == "join" and isinstance(of := base.args[0], X) and of.op == "parts":
                of_one = self.seat_part(of, item, e, sc)
                lying = self.as_list(of_one)
                return of_one if lying is None else X("join", (lying, *base.args[1:]), base.t, e.span)
            case ListT(PlayerT()) if base.op == "players":
                return self.bounded(self.need(e.index, sc, INT), 2, PLAYER, "players", e)
            case ListT(item):
                i = self.expr(e.index, sc, INT)
                if isinstance(i.t, PlayerT) and base.op == "place":
                    message = "this place is shared, so it has no part for each player"
                    return self.err("E206", e.index, message, "leave out `[…]`")
                i = self.coerce(i, INT, e.index)
                if isinstance(i.t, ErrorT):
                    return i
                low, high = bounds(i.t, self.s)
                if high is not None and high < 0:
                    return self.err("E206", e.index, f"there is no entry {high}", "entries count from 0")
                most = self.most(base)
                if most is not None and low is not None and low >= most:
                    return self.err(
                        "E206", e.index, f"there is no entry {low} in a list of {most}", "entries count from 0"
                    )
                return X("at", (base, i, self.line(e)), item, e.span)
        return self.wanted(e.base, base, "a list, a board or `players`", "brackets take an entry of one of these")

    def seat_part(self, base: X, item: Type, e: n.Index, sc: Scope) -> X:
        """`l.units[p]`: the part of one player."""
        seat = self.need(e.index, sc, PLAYER)
        board, part, element = base.args
        assert isinstance(board, str) and isinstance(part, str)
        if not self.s.boards[board].parts[part].each:
            message = f"`{part}` is shared, so it has no part for each player"
            return self.err("E206", e.index, message, "leave out `[…]`")
        if isinstance(seat.t, ErrorT):
            return seat
        if element is None:
            return X("parts_of", (board, part, seat), ListT(item), e.span)
        assert isinstance(element, X)
        return self.place_value(Place(board, part, element, seat), e)

    def bounded(self, i: X, size: int, t: Type, what: str, e: n.Index) -> X:
        """An index whose range must lie within `size`."""
        if isinstance(i.t, ErrorT):
            return i
        low, high = bounds(i.t, self.s)
        if low is None or high is None or low < 0 or high >= size:
            return self.err(
                "E206", e.index, f"this index is {self.say(i.t)}, but `{what}` has 0 to {size - 1}",
                "indices count from 0; use a number or a type with that range",
            )  # fmt: skip
        return X(i.op, i.args, t, e.span)
