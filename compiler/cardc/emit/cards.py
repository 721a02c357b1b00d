"""Statements about cards in the direct form: moving, drawing, copying and showing them."""

from __future__ import annotations

from cardc.emit.expressions import Writer
from cardc.emit.movers import alike, fades, leaf_kinds, leaver, makes, puts, slotted, states_of
from cardc.ir import Place, SDraw, SMove, X
from cardc.symbols import Symbols
from cardc.types import CardT, ListT


class CardStatements:
    """The part of `Direct` that writes these statements."""

    s: Symbols
    w: Writer
    depth: int

    def put(self, text: str) -> None:
        raise NotImplementedError

    def indent(self) -> None:
        raise NotImplementedError

    def dedent(self) -> None:
        raise NotImplementedError

    def move(self, s: SMove) -> None:
        w = self.w
        extra = ""
        if s.up is not None:
            extra += f", {w.x(s.up)}"
        elif s.bottom:
            extra += ", None"
        if s.bottom:
            extra += ", True"
        if not s.many and not s.bottom and (code := self.mover(s)) is not None:
            self.put(f"{code}(m, {w.x(s.what)}, {w.place_id(s.to)}, {'True' if s.up is None else w.x(s.up)})")
            return
        if s.many and not extra and isinstance(place := s.what.args[0] if s.what.op == "place" else None, Place):
            if s.to.part is not None and place.owner in self.s.zones and not slotted(self.s, place.owner):
                self.put(f"for c_ in [*{w.cards(place)}]: to_{s.to.owner}·{s.to.part}(m, c_, {w.place_id(s.to)}, True)")
                return
            off = self.emptied(place, s.to)
            if off is not None:
                self.put(f"z_ = {w.cards(place)}")
                self.put(f"if z_: {off}(m, z_[0], {w.place_id(s.to)}, True)")
                return
        if s.many and not extra and (lists := self.place_lists(s.what)) is not None:
            if not self.swept(s, lists):
                self.put(f"move_places(m, {lists}, {w.place_id(s.to)})")
            return
        if s.many and not extra and (off := self.comers(s)) is not None:
            self.put(f"if m.obs is not None: move_all(m, {w.x(s.what)}, {w.place_id(s.to)})")
            self.put("else:")
            self.indent()
            self.put(f"for c_ in [*{w.x(s.what)}]: {off}(m, c_, {w.place_id(s.to)}, True)")
            self.dedent()
            return
        self.put(f"{'move_all' if s.many else 'move'}(m, {w.x(s.what)}, {w.place_id(s.to)}{extra})")

    def comers(self, s: SMove) -> str | None:
        """The function that takes a card of a list into a zone off the only board where it may lie."""
        card = s.what.t.item if isinstance(s.what.t, ListT) else None
        if not isinstance(card, CardT) or s.to.part is not None:
            return None
        leaves = set(leaf_kinds(self.s, card.kind))
        boards = [
            b.name
            for b in self.s.boards.values()
            if any(not leaves.isdisjoint(leaf_kinds(self.s, part.kind)) for part in b.parts.values())
        ]
        if card.where in self.s.zones or len(boards) != 1 or card.where not in (None, boards[0]):
            return None
        return leaver(self.s, boards[0], s.to.owner, card.kind)

    def place_lists(self, x: X) -> str | None:
        """The lists of cards of whole places, where `x` is just those; else None."""
        w = self.w
        match x:
            case X("place", (Place() as place,)):
                return f"({w.cards(place)},)"
            case X("parts", (str(board), str(part), None)) if not w.floats(board):
                first, count = self.s.boards[board].parts[part], self.s.boards[board].count
                return f"m.places[{first.first}:{first.first + count * (2 if first.each else 1)}]"
            case X("join", (X("place", (Place(zone, None, None, X("var", (seat,))),)), var, X("players"))) if (
                seat == var
            ):
                first = self.s.zones[zone].place
                return f"m.places[{first.first}:{first.first + 2}]"
        return None

    def swept(self, s: SMove, lists: str) -> bool:
        """Write out a move of all cards of some places of one home to a zone that takes any number of cards; off a
        board, where all kinds there have the same states."""
        source = s.what.args[0] if s.what.op == "join" else s.what
        assert isinstance(source, X)
        at = source.args[0]
        owner, part = (at.owner, at.part) if isinstance(at, Place) else (str(at), str(source.args[1]))
        kinds = alike(self.s, self.s.place(owner, part).kind)
        board = self.s.boards.get(owner)
        if board is not None and (kinds is None or self.s.forms or self.s.exchanged):
            return False
        if owner == s.to.owner or not puts(self.s, s.to.owner) or (slotted(self.s, owner) and self.s.exchanged):
            return False
        put = self.put
        put(f"if m.obs is not None: move_places(m, {lists}, {self.w.place_id(s.to)})")
        put("else:")
        self.indent()
        put("swept_ = []")
        put(f"for there_ in {lists}:")
        self.indent()
        put("swept_ += there_")
        put("there_.clear()")
        self.dedent()
        put(f"to_ = {self.w.place_id(s.to)}")
        self.arrive("swept_", s.to)
        if board is not None and board.grid is not None:
            for line in (f"m.g_{board.name} = None", *fades(board)):
                put(line)
        if board is not None and kinds is not None and states_of(self.s, kinds):
            put(f"reset·{kinds}(m, swept_)")
        if slotted(self.s, owner):
            put("if swept_: unregister_all(m, swept_)")
        self.dedent()
        return True

    def emptied(self, place: Place, to: Place) -> str | None:
        """The function that takes the only card of a part off its board, into a zone."""
        if place.owner not in self.s.boards or to.part is not None:
            return None
        part = self.s.place(place.owner, place.part)
        return leaver(self.s, place.owner, to.owner, part.kind) if part.most == 1 else None

    def mover(self, s: SMove) -> str | None:
        """The function that does no more than this move of one card needs, or None."""
        card, to = s.what.t, s.to
        home = card.where if isinstance(card, CardT) else None
        if not isinstance(card, CardT):
            return None
        if home in self.s.zones and not slotted(self.s, home):
            own = isinstance(to.seat, X) and to.seat.op == "owner" and to.seat.args == (s.what,)
            return f"to_{to.owner}" + ("" if to.part is None else f"·{to.part}") + ("·own" if own else "")
        if home in self.s.boards and to.part is None and (off := leaver(self.s, home, to.owner, card.kind)) is not None:
            return off
        return f"put_{to.owner}" if puts(self.s, to.owner) else None

    def draw(self, s: SDraw) -> None:
        w, to, source = self.w, s.to, s.source
        count = s.count.args[0] if s.count.op == "const" else None
        plain = all(p.owner in self.s.zones and not slotted(self.s, p.owner) for p in (source, to))
        if plain and count == 1:
            self.put(f"one_{to.owner}(m, {w.place_id(source)}, {w.place_id(to)})")
        elif plain and isinstance(count, int) and count > 1 and source.owner != to.owner:
            self.dealt(count, source, to)
        elif plain and count is None:
            self.put(f"count_ = {w.x(s.count)}")
            self.put(f"if count_ == 1: one_{to.owner}(m, {w.place_id(source)}, {w.place_id(to)})")
            self.put(f"elif count_ > 1: draw(m, count_, {w.place_id(source)}, {w.place_id(to)})")
        else:
            self.put(f"draw(m, {w.x(s.count)}, {w.place_id(source)}, {w.place_id(to)})")

    def dealt(self, count: int, source: Place, to: Place) -> None:
        """Write out the drawing of some cards, as many as there are, from a zone into one that has room for them."""
        w, put = self.w, self.put
        most = self.s.zones[to.owner].place.most
        full = "" if most is None else f" or len({w.cards(to)}) + {count} > {w.bound_text(most)}"
        put(f"if m.obs is not None{full}: draw(m, {count}, {w.place_id(source)}, {w.place_id(to)})")
        put("else:")
        self.indent()
        put(f"there_ = {w.cards(source)}")
        put(f"to_ = {w.place_id(to)}")
        put(f"drawn_ = there_[:{-count - 1}:-1]")
        put(f"del there_[{-count}:]")
        self.arrive("drawn_", to)
        self.dedent()

    def arrive(self, cards: str, to: Place) -> None:
        """Cards that were taken out of where they lay come into the place `to_` of a zone, face up."""
        put = self.put
        put(f"for c_ in {cards}:")
        self.indent()
        put("m.at[c_] = to_")
        put("m.up[c_] = True")
        if self.s.zones[to.owner].place.each:
            put("m.own[c_] = SEAT[to_]")
        self.dedent()
        put(f"m.places[to_] += {cards}")
        put("if m.known:")
        self.indent()
        put(f"for c_ in {cards}: m.known.pop(c_, None)")
        self.dedent()

    def copy(self, what: X, many: bool, to: Place) -> None:
        w = self.w
        text = w.x(what)
        item = what.t
        while hasattr(item, "item"):
            item = item.item
        if type(item) is CardT:
            text = f"[m.d[c_] for c_ in {text}]" if many else f"m.d[{text}]"
            if self.s.forms and not many:
                text = f"m.base[{text}]"  # a new card has no other form yet
        if not many and makes(self.s, to.owner):
            self.put(f"new_{to.owner}(m, {text}, {w.place_id(to)})")
        else:
            self.put(f"copy_cards(m, {text if many else f'[{text}]'}, {w.place_id(to)})")

    def reveal(self, what: X, to: X | None) -> None:
        w = self.w
        mask = "3" if to is None else f"1 << {w.x(to)}"
        if what.op == "secret":
            self.put(f"reveal_state(m, {what.args[0]!r}, {w.sub(what.args[1])}, {mask})")
        elif to is None and self.seen_by_all(what):
            self.put(f"if m.obs is not None: reveal(m, {w.x(what)}, 3)")
            self.put("else:")
            self.indent()
            if what.op == "list" and isinstance(what.args[0], tuple) and len(what.args[0]) == 1:
                self.put(f"m.up[{w.sub(what.args[0][0])}] = True")
            else:
                self.put(f"for c_ in {w.x(what)}: m.up[c_] = True")
            self.dedent()
        else:
            self.put(f"reveal(m, {w.x(what)}, {mask})")

    def seen_by_all(self, cards: X) -> bool:
        """Whether these cards surely lie on parts of a board that all see."""
        if cards.op == "parts":
            part = self.s.boards[str(cards.args[0])].parts[str(cards.args[1])]
            return part.sight == "all"
        item = cards.t.item if isinstance(cards.t, ListT) else cards.t
        board = self.s.boards.get(item.where or "") if isinstance(item, CardT) else None
        return board is not None and all(part.sight == "all" for part in board.parts.values())
