"""Statements that move, make, shuffle and show cards, and that run their slots."""

from __future__ import annotations

from msgspec.structs import replace

from cardc import nodes as n
from cardc.expressions import Expressions
from cardc.ir import Place, SCopy, SDraw, SExchange, SMove, SReveal, SRun, SShuffle, Stmt, X
from cardc.report import near
from cardc.scope import Scope
from cardc.searches import Key, key
from cardc.symbols import ANY, PlaceSym
from cardc.typenames import find_twice
from cardc.types import (
    ERROR,
    FACE,
    PLAYER,
    BoardT,
    CardT,
    ErrorT,
    IntT,
    ListT,
    PlayerT,
    PrintedT,
    SlotT,
)

Done = tuple[list[Stmt], Scope]


class Moving(Expressions):
    own = True
    """Whether the code is of the package that is checked, not of its base."""
    card: str | None = None
    calls: set[str]
    """The effects that the code calls, and `·SLOT` for the slots that it runs."""
    runs: set[str]

    # ---- Places

    def place(self, e: n.Expr, sc: Scope) -> Place | None:
        """A single place."""
        x = self.expr(e, sc)
        if x.op in ("place", "one"):
            place = x.args[0]
            assert isinstance(place, Place)
            return place
        if not isinstance(x.t, ErrorT):
            whose = x.op in ("parts", "parts_of")
            help = "say whose part it is: `l.units[p]`" if whose else "name a zone or a part of a board"
            self.wanted(e, x, "one place", help)
        return None

    def spec(self, place: Place) -> PlaceSym:
        return self.s.place(place.owner, place.part)

    def holds(self, place: Place, kind: str, node: n.Node) -> bool:
        """Whether a place can hold every card of `kind`; else there is a finding."""
        s, wanted = self.s, self.spec(place).kind
        if wanted not in s.kinds or (kind not in s.kinds and kind != ANY) or s.is_kind(kind, wanted):
            return True
        wider = s.is_kind(wanted, kind)
        help = f"test it first: `if … is {wanted} {{ … }}`" if wider else None
        other = "every card" if kind == ANY else f"every `{kind}`" if wider else f"`{kind}`"
        self.err("E201", node, f"`{place.part or place.owner}` holds `{wanted}`, not {other}", help)
        return False

    # ---- Moving

    def move(self, item: n.Move, sc: Scope, line: int) -> Done:
        s = self.s
        what = self.expr(item.what, sc)
        to = self.place(item.to, sc)
        up = None if item.facing is None else self.need(item.facing, sc, FACE)
        if isinstance(what.t, ErrorT) or to is None or (up is not None and isinstance(up.t, ErrorT)):
            self.lost = True
            return [], sc.forget_tests()
        many = not isinstance(what.t, CardT)
        if many:
            items = self.as_list(what)
            if items is None or not isinstance(self.item(items.t), CardT):
                help = "to make new cards write `copy … to …`" if isinstance(what.t, PrintedT) else None
                self.wanted(item.what, what, "a card or a list of cards", help)
                self.lost = True
                return [], sc
            what, t = items, self.item(items.t)
        else:
            t = what.t
        assert isinstance(t, CardT)
        self.holds(to, t.kind, item.what)
        if item.bottom and self.spec(to).most == 1:
            self.err("E209", item.to, "a place for one card has no bottom", "leave out `bottom of`")
        if up is not None:
            assert item.facing is not None
            self.turned(item.facing, to)
            if up.op == "const" and up.args[0] and not self.keeps_face(what, to):
                up = None
        after = sc.forget_places(t.kind, s).forget_tests()
        if not many and isinstance(item.what, n.Name):
            after = after.know(item.what, replace(t, where=to.owner))
        if what.op == "var":
            after = self.into_sight(after.hide(key(what)), key(what), to, up is not None or self.keeps_face(what, to))
        return [SMove(what, many, to, item.bottom, up, line)], after

    def into_sight(self, sc: Scope, what: Key, to: Place, turned: bool) -> Scope:
        """What is known of who sees cards that have moved; `turned`: they may lie face down."""
        sight = self.spec(to).sight
        seat = None if to.seat is None else key(to.seat)
        if sight == "all" and not turned:
            return sc.show(what, None)
        return sc.show(what, seat) if seat is not None and sight in ("all", "owner") else sc

    def keeps_face(self, what: X, to: Place) -> bool:
        """Whether a card may come from the board it goes to, so that it keeps its face where none is said."""
        t = self.item(what.t) if isinstance(what.t, ListT) else what.t
        return to.owner in self.s.boards and not (isinstance(t, CardT) and t.where not in (None, to.owner))

    def turned(self, facing: n.Expr, to: Place) -> None:
        """An expansion turns no face down where the base game reads cards as if all lay face up."""
        if self.own and self.s.base_game and to.owner not in self.s.faces:
            self.err(
                "E110", facing, f"in the base game nothing lies face down in `{to.owner}`",
                "its choices read the cards there; use a place where it puts cards face down itself",
            )  # fmt: skip

    def draw(self, item: n.Draw, sc: Scope, line: int) -> Done:
        k = self.need(item.count, sc, IntT(0, None))
        src, dst = self.place(item.source, sc), self.place(item.to, sc)
        if k.op == "const" and k.args[0] == 0:
            self.err("E209", item.count, "this draws no card", "remove it")
        if src is None or dst is None or isinstance(k.t, ErrorT):
            return [], sc.forget_tests()
        if src == dst:
            self.err("E209", item, "the cards are drawn from where they go", "name two places")
        kind = self.spec(src).kind
        self.holds(dst, kind, item.to)
        return [SDraw(k, src, dst, line)], sc.forget_places(kind, self.s).forget_tests()

    def copy(self, item: n.Copy, sc: Scope, line: int) -> Done:
        what, to = self.expr(item.what, sc), self.place(item.to, sc)
        if isinstance(what.t, ErrorT) or to is None:
            return [], sc.forget_tests()
        many = not isinstance(what.t, CardT | PrintedT)
        if many:
            items = self.as_list(what)
            inner = ERROR if items is None else self.item(items.t)
            if items is None or not isinstance(inner, CardT | PrintedT):
                self.wanted(item.what, what, "a card or a list of cards")
                return [], sc
            what = items
        else:
            inner = what.t
        assert isinstance(inner, CardT | PrintedT)
        if what.op == "decklist":
            self.list_holds(str(what.args[0]), to, item.what)
        else:
            self.holds(to, inner.kind, item.what)
        self.made(to, item)
        return [SCopy(what, many, to, line)], sc.forget_tests()

    def list_holds(self, name: str, to: Place, node: n.Node) -> None:
        """Each card of a ready-made deck must fit the place."""
        s = self.s
        for entry in s.decklists[name].decl.entries:
            card = s.cards.get(entry.card.text)
            if card is not None and card.kind in s.kinds and not self.holds(to, card.kind, node):
                return

    def made(self, to: Place, item: n.Copy) -> None:
        """An expansion makes no cards without an owner where the base game counts on one."""
        s, spec = self.s, self.spec(to)
        if self.own and s.base_game and not spec.each and not any(s.related(spec.kind, k) for k in s.shared_kinds):
            self.err(
                "E110", item, f"in the base game every `{spec.kind}` has an owner, and here it would have none",
                "copy it to a place of a player, and move it from there",
            )  # fmt: skip

    def shuffle(self, item: n.Shuffle, sc: Scope, line: int) -> Done:
        place = self.place(item.what, sc)
        if place is None:
            return [], sc.forget_tests()
        if self.spec(place).most == 1:
            self.err("E209", item, "a place for one card has no order to shuffle", "remove it")
        return [SShuffle(place, line)], replace(sc.forget_tests(), shown=frozenset())

    # ---- Showing

    def reveal(self, item: n.Reveal, sc: Scope, line: int) -> Done:
        seat = None if item.to is None else self.need(item.to, sc, PLAYER)
        if seat is not None and isinstance(seat.t, ErrorT):
            return [], sc
        hidden = self.secret_state(item.what, sc)
        to = None if seat is None else key(seat)
        if hidden is not None:
            name, whose = hidden.args
            assert isinstance(whose, X)
            one = whose.args[0][0] if whose.op == "list" else None  # type: ignore[index]
            return [SReveal(hidden, seat, line)], sc.forget_tests(()).show(
                ("player", name, None if one is None else key(one)), to
            )
        x = self.expr(item.what, sc)
        if isinstance(x.t, ErrorT):
            return [], sc
        if isinstance(x.t, BoardT):
            board = self.s.boards[x.t.name]
            kind = next((p.kind for p in board.parts.values()), ANY)
            x = X("span", (board.low, board.high), ListT(CardT(kind, board.name)), x.span)
        what = x
        if isinstance(x.t, CardT):
            x = X("list", ((x,),), ListT(x.t), x.span)
        items = self.as_list(x)
        if items is None or not isinstance(self.item(items.t), CardT):
            help = "who sees a card sees its state: reveal the card" if x.op == "card" else None
            self.wanted(item.what, x, "a card, a list of cards or hidden state of players", help)
            return [], sc
        if self.seen(items):
            self.err("E209", item, "everybody sees these cards already", "remove it")
        elif seat is not None and self.sees_own(items, seat):
            self.err("E209", item, "this player sees these cards already", "remove it")
        return [SReveal(items, seat, line)], sc.forget_tests(()).show(key(items), to).show(key(what), to)

    def sees_own(self, items: X, seat: X) -> bool:
        """Whether these cards lie where this player sees his own."""
        match items.op, items.args:
            case ("place" | "one"), (Place(owner, part, _, X() as whose), *_):
                return self.s.place(owner, part).sight in ("all", "owner") and key(whose) == key(seat)
        return False

    def seen(self, items: X) -> bool:
        """Whether all these cards lie face up where all see them, and have no state to be shown."""
        kind = self.item(items.t)
        if isinstance(kind, CardT) and self.has_secrets(kind.kind):
            return False
        match items.op, items.args:
            case (("place" | "one"), (Place(owner, part), *_)):
                return self.s.place(owner, part).sight == "all" and owner not in self.s.faces
            case (("parts" | "parts_of"), (str(board), str(part), *_)):
                return self.s.boards[board].parts[part].sight == "all" and board not in self.s.faces
            case "span", (int(low), _):
                board_sym = next(b for b in self.s.boards.values() if b.low == low)
                return board_sym.name not in self.s.faces and all(p.sight == "all" for p in board_sym.parts.values())
        return False

    def has_secrets(self, kind: str) -> bool:
        """Whether cards of a kind may have state that only their owner sees."""
        s = self.s
        return any(f.secret for k in s.kinds.values() if s.related(k.name, kind) for f in k.states.values())

    def secret_state(self, e: n.Expr, sc: Scope) -> X | None:
        """`players.invested`, `p.invested`: hidden state to be shown."""
        if not isinstance(e, n.Member):
            return None
        sym = self.s.player.get(e.name.text)
        if sym is None or not sym.secret:
            return None
        base = self.expr(e.base, sc)
        if isinstance(base.t, PlayerT):
            return X("secret", (e.name.text, X("list", ((base,),), ListT(PLAYER))), ERROR, e.span)
        if base.op == "players":
            return X("secret", (e.name.text, base), ERROR, e.span)
        return None

    # ---- Running slots

    def exchange(self, item: n.Exchange, sc: Scope, line: int) -> Done:
        """Two cards bear each other's abilities."""
        s = self.s
        a, b = self.expr(item.first, sc), self.expr(item.second, sc)
        for x, node in ((a, item.first), (b, item.second)):
            if not isinstance(x.t, CardT):
                self.wanted(node, x, "a card")
                return [], sc
        assert isinstance(a.t, CardT) and isinstance(b.t, CardT)
        if key(a) == key(b):
            self.err("E209", item, "a card bears its own abilities already", "name two cards")
        find_twice(self.report, self.source, item.slots, "slot", "E302")
        for ident in item.slots:
            found, other = s.slot(a.t.kind, ident.text), s.slot(b.t.kind, ident.text)
            if found is None or other is None:
                kind = a.t.kind if found is None else b.t.kind
                known = [x for k in s.chain(kind) for x in k.slots]
                message = f"{self.kind_words(kind)} has no slot `{ident.text}`"
                self.unknown("E105", ident, ident.text, message, near(ident.text, known))
                return [], sc
            if found[0].name != other[0].name:
                message = f"slot `{ident.text}` of `{a.t.kind}` is not that of `{b.t.kind}`"
                self.err("E201", item.second, message, "exchange abilities of cards of one kind")
                return [], sc
            if found[1].nature != "static":
                self.err("E204", ident, f"slot `{ident.text}` is run, not held, so it cannot be exchanged")
                return [], sc
            for x, node in ((a, item.first), (b, item.second)):
                if isinstance(x.t, CardT) and x.t.where != found[1].board and not self.site.test:
                    message = f"it is not known that this card lies in `{found[1].board}`, where the slot works"
                    self.err("E205", node, message, f"test it first: `if … is in {found[1].board} {{ … }}`")
                    return [], sc
            self.uses.reads.add(("slot", found[0].name, ident.text))
        return [SExchange(tuple(i.text for i in item.slots), a, b, line)], sc.forget_tests()

    def run(self, item: n.Run, sc: Scope, line: int) -> Done:
        after = sc.forget_places(None, self.s).forget_tests()
        x = self.expr(item.slot, sc)
        if isinstance(x.t, ErrorT):
            return [], after
        if not isinstance(x.t, SlotT):
            self.wanted(item.slot, x, "a slot", "write `run c.SLOT`")
            return [], after
        sym = self.s.kinds[x.t.kind].slots[x.t.name]
        card = x.args[2]
        assert isinstance(card, X)
        if sym.nature != "effect":
            self.err(
                "E204", item.slot, f"slot `{x.t.name}` is static: it holds, it is not run",
                "leave it out: it holds as long as the card lies where the slot works",
                labels=[(sym.source, sym.ident, "declared here")],
            )  # fmt: skip
        elif not (isinstance(card.t, CardT) and card.t.where == sym.board):
            self.err(
                "E205", item.slot, f"it is not known that this card lies in `{sym.board}`, where the slot works",
                f"move it there just before, or test `is in {sym.board}`",
            )  # fmt: skip
        self.runs.add(x.t.name)
        self.calls.add(f"·{x.t.name}")
        self.uses.reads.add(("slot", x.t.kind, x.t.name))
        return [SRun(f"{x.t.kind}·{x.t.name}", card, line)], after
