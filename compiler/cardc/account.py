"""The account of a card: what it does, clause by clause in words, and the rules of the frame that it touches.

Assumes a package without errors (`pipeline.analyse`). Pure: lines of text come out, each with how deep it stands. What
a clause names of the frame is told with its place: values with their formula and who else changes or reads them, events
with where they happen and who else waits for them, fields and states with their help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from cardc import nodes as n
from cardc.nesting import walk
from cardc.source import Source
from cardc.symbols import CardSym, FieldSym, KindSym, SlotSym, Symbols, Unit
from cardc.types import PLAYER, CardT, show, strip
from cardc.wording import Step, Words, article, spaced

_LONGEST = 100
_MOST = 6
"""Places and cards that are named; of more the number is told."""


Place: TypeAlias = Callable[[Source, int], str]
Places: TypeAlias = dict[str, list[tuple[Unit, n.Node]]]


class _Rules(Struct):
    """What the clauses of a card name, in the order in which they do."""

    values: dict[str, None] = field(default_factory=dict)
    events: dict[str, None] = field(default_factory=dict)
    members: dict[str, set[str]] = field(default_factory=dict)  # with whose they are: see `_owner`
    names: dict[str, None] = field(default_factory=dict)
    periods: dict[str, None] = field(default_factory=dict)


class Survey:
    """Where the frame and the cards change and read values, raise and await events, run slots, begin periods.

    Each is by name: the declarations with the first node in each, in the order of the package; tests are left out."""

    def __init__(self, s: Symbols) -> None:
        self.changes: Places = {}
        self.reads: Places = {}
        self.raises: Places = {}
        self.awaits: Places = {}
        self.runs: Places = {}
        self.begins: Places = {}
        for u in s.units:
            if not isinstance(u.decl, n.TestDecl):
                self._look(u)

    def _look(self, u: Unit) -> None:
        compared: set[int] = set()
        for node in walk(u.decl):
            match node:
                case n.Modifier(call, _):
                    compared.add(id(call))
                    self._note(self.changes, call.name.text, u, node)
                case n.On(call, _) | n.Instead(call, _):
                    compared.add(id(call))
                    self._note(self.awaits, call.name.text, u, node)
                case n.CallStmt(call):
                    compared.add(id(call))
                    self._note(self.raises, call.name.text, u, node)
                case n.Call(name, _) if id(node) not in compared:
                    self._note(self.reads, name.text, u, node)
                case n.Run(n.Member(_, name)):
                    self._note(self.runs, name.text, u, node)
                case n.Loop(period) | n.Repeat(_, period) | n.Alternate(_, _, period) if period is not None:
                    self._note(self.begins, period.text, u, node)
                case _:
                    pass

    @staticmethod
    def _note(places: Places, name: str, u: Unit, node: n.Node) -> None:
        found = places.setdefault(name, [])
        if not found or found[-1][0] is not u:
            found.append((u, node))


def find_card(s: Symbols, wanted: str) -> CardSym | None:
    """The card of that id or title, whatever the case, with or without an article."""
    low = " ".join(wanted.lower().split())
    for card in s.cards.values():
        title = card.title.lower()
        first, _, rest = title.partition(" ")
        if low in (card.name.lower(), title) or (first in ("the", "a", "an") and low == rest):
            return card
    return None


def account(
    s: Symbols, card: CardSym, game: str, place: Place | None = None, survey: Survey | None = None
) -> list[Step]:
    """The account of a card of the game with the title `game`.

    `place` says a place, from a file and a line; `survey` is made once where many cards are asked about."""
    say = place or (lambda source, line: f"{source.path}:{line}")
    return _Account(s, card, say, survey or Survey(s)).lines(game)


class _Account:
    def __init__(self, s: Symbols, card: CardSym, place: Place, survey: Survey) -> None:
        self.s = s
        self.survey = survey
        self.card = card
        self.place_of = place
        self.words = Words(s)
        self.kinds = s.chain(card.kind)
        self.rules = _Rules()

    def lines(self, game: str) -> list[Step]:
        card, decl = self.card, self.card.decl
        lines: list[Step] = [
            (0, f"{card.title} ({card.name}) is {article(spaced(card.kind))} of {game}, {self.at(card.source, decl)}")
        ]
        lines += self.printed(decl.lines)
        for line in decl.lines:
            match line:
                case n.CardSlot():
                    lines += self.slot(line, card.source, 0)
                case n.CardForm():
                    lines += self.form(line, card.source)
                case _:
                    pass
        if not any(isinstance(line, n.CardSlot | n.CardForm) for line in decl.lines):
            lines += [(0, ""), (0, "It has no ability of its own: it does what every such card does.")]
        return lines + self.touched()

    def at(self, source: Source, node: n.Node) -> str:
        return self.place_of(source, source.line(node.span[0]))

    # ---- What is printed

    def printed(self, lines: Sequence[n.CardLine]) -> list[Step]:
        """Its fields and flags with the help of their kind; those that are not said, with their default."""
        given = {line.name.text: line.value for line in lines if isinstance(line, n.CardField)}
        flags = {line.name.text for line in lines if isinstance(line, n.CardFlag)}
        told: list[Step] = []
        for kind in reversed(self.kinds):
            for name, member in kind.fields.items():
                if member.flag and name not in flags:
                    continue
                value = given.get(name, member.default)
                said = spaced(name) if member.flag else f"{spaced(name)} {self._literal(value)}"
                if name not in given and not member.flag:
                    said += " (the default)"
                told.append((1, self._with_help(said, member)))
        return [(0, ""), (0, "Printed on it"), *told] if told else []

    def _literal(self, value: n.Expr | None) -> str:
        match value:
            case None:
                return "none"
            case n.ListLit(items):
                return ", ".join(self._literal(item) for item in items) or "none"
            case n.Name(id):
                return spaced(id)
            case _:
                return self.words.says(value)

    def _with_help(self, said: str, member: FieldSym | SlotSym) -> str:
        help = f": {member.help}" if member.help else ""
        return f"{said}{help}, {self.at(member.source, member.ident)}"

    # ---- Slots and forms

    def slot(self, line: n.CardSlot, source: Source, deep: int) -> list[Step]:
        found = self.s.slot(self.card.kind, line.name.text)
        head = spaced(line.name.text)
        if found is None:
            return [(0, ""), (deep, head), *self.clauses(line.body, source, deep)]
        _, slot = found
        if line.args:
            names = list(slot.params)
            given = [
                f"{spaced(a.name.text if a.name else names[i] if i < len(names) else '')} {self.words.says(a.value)}"
                for i, a in enumerate(line.args)
            ]
            head += f" ({', '.join(given)})"
        board = spaced(slot.board)
        if slot.nature == "static":
            head += f": holds as long as the card lies in {board}"
            head += "" if slot.when is None else f", if {self.words.says(slot.when)}"
            if slot.when is not None:
                self.note(slot.when)
        else:
            runs = self.where(self.survey.runs, slot.name)
            head += f": is carried out with the card in {board}"
            head += f", by {runs}" if runs else ", and nothing carries it out"
        lines: list[Step] = [(0, ""), (deep, head)]
        lines.append((deep + 1, self._with_help("In the rules", slot)))
        if slot.name in self.s.exchanged:
            lines.append((deep + 1, "Cards may come to bear each other's: then `this card` is the one that bears it"))
        return lines + self.clauses(line.body, source, deep)

    def clauses(self, body: n.Block, source: Source, deep: int) -> list[Step]:
        """The clauses of a slot, numbered."""
        self.note(body)
        lines: list[Step] = []
        for number, item in enumerate(body.items, 1):
            (first, *rest) = self.words.item(item, deep + 1)
            clause = f"{number}. {first[1][:1].upper()}{first[1][1:]}"
            colon = ":" if clause.endswith(":") else ""
            lines.append((deep + 1, f"{clause.removesuffix(':')}, {self.at(source, item)}{colon}"))
            lines += [(at + 1, text) for at, text in rest]
        return lines or [(deep + 1, "Nothing: it is there, and does nothing")]

    def form(self, form: n.CardForm, source: Source) -> list[Step]:
        sym = self.s.form(self.card.kind)
        names = [] if sym is None else list(sym.params)
        given = [
            f"{spaced(a.name.text if a.name else names[i] if i < len(names) else '')} {self.words.says(a.value)}"
            for i, a in enumerate(form.args)
        ]
        told = f"Form {spaced(form.name.text)}" + (f" ({', '.join(given)})" if given else "")
        told += f", {self.at(source, form)}: what it says takes the place of the card's own"
        lines: list[Step] = [(0, ""), (0, told)]
        for line in form.lines:
            match line:
                case n.CardField(name, value):
                    lines.append((1, f"{spaced(name.text)} {self._literal(value)}, {self.at(source, line)}"))
                case n.CardFlag(name):
                    lines.append((1, f"{spaced(name.text)}, {self.at(source, line)}"))
                case n.CardSlot():
                    lines += self.slot(line, source, 1)[1:]
                case _:
                    pass
        return lines

    # ---- What the clauses touch

    def note(self, part: n.Node) -> None:
        """Note the names that a clause uses."""
        rules, owners = self.rules, self._owners(part)
        for node in walk(part):
            match node:
                case n.Call(name, _) if name.text in self.s.values:
                    rules.values[name.text] = None
                case n.Call(name, _) if name.text in self.s.effects:
                    rules.events[name.text] = None
                case n.Member(base, name) | n.Method(base, name, _):
                    rules.members.setdefault(name.text, set()).add(_owner(base, owners))
                case n.Name(id):
                    rules.names[id] = None
                case n.Once(period, _) | n.Until(n.Ident() as period, _):
                    rules.periods[period.text] = None
                case _:
                    pass

    def _owners(self, part: n.Node) -> dict[str, str]:
        """What the locals of a part are, as far as it says: `player` or `card`."""
        owners = {"you": "player", "players": "player", "self": "card", "source": "card"}

        def put(name: str, what: str) -> None:
            owners[name] = what if owners.get(name, what) == what else ""  # a name may be used twice

        for node in walk(part):
            match node:
                case n.Pick(name=name, type=n.NamedType(kind)):
                    put(name.text, "player" if kind.text == "player" else "card" if kind.text in self.s.kinds else "")
                case n.ForEach(var, source):
                    put(var.text, _owner(source, owners))
                case n.Modifier(call, _) | n.On(call, _) | n.Instead(call, _):
                    heard = self.s.values.get(call.name.text) or self.s.effects.get(call.name.text)
                    for param in heard.params if heard else ():
                        t = strip(param.type)
                        put(param.name, "player" if t == PLAYER else "card" if isinstance(t, CardT) else "")
                case _:
                    pass
        return owners

    def touched(self) -> list[Step]:
        """The rules of the frame that the clauses use."""
        lines: list[Step] = []
        for name in self.rules.values:
            lines += self.touched_value(name)
        for name in self.rules.events:
            lines += self.touched_event(name)
        for name, whose in self.rules.members.items():
            lines += self.touched_member(name, whose)
        for name in self.rules.names:
            lines += self.touched_name(name)
        for name in self.rules.periods:
            begun = self.where(self.survey.begins, name)
            lines.append((1, f"period {spaced(name)}: begun by {begun or 'the match itself'}"))
        return [(0, ""), (0, "What it touches"), *lines] if lines else []

    def touched_value(self, name: str) -> list[Step]:
        value = self.s.values[name]
        lines: list[Step] = [(1, f"value {self._declared(value.source, value.decl)}")]
        changed = self.cards(self.survey.changes, name)
        if changed:
            lines.append((2, f"other cards that change it: {self._some(changed)}"))
        read = self.where(self.survey.reads, name)
        lines.append((2, f"read by {read or 'nothing but this card'}"))
        return lines

    def touched_event(self, name: str) -> list[Step]:
        effect = self.s.effects[name]
        lines: list[Step] = [(1, f"event {self._declared(effect.source, effect.decl)}")]
        raised = self.where(self.survey.raises, name)
        lines.append((2, f"happens in {raised or 'no rule and no other card'}"))
        waits = self.cards(self.survey.awaits, name)
        if waits:
            lines.append((2, f"other cards that wait for it: {self._some(waits)}"))
        return lines

    def touched_member(self, name: str, owners: set[str]) -> Iterator[Step]:
        """A field or state of the frame by its name, and by whose it is where all clauses say so; what is printed on
        the card was told before."""
        s = self.s
        unsure = "" in owners
        owned: list[tuple[str, FieldSym]] = []
        if name in s.player and (unsure or "player" in owners):
            owned.append(("of each player", s.player[name]))
        boards = [b for b in s.boards.values() if name in b.fields and unsure]
        owned += [(f"of each {spaced(b.element or b.name)}", b.fields[name]) for b in boards]
        kinds = [k for k in s.kinds.values() if unsure or "card" in owners]
        owned += [(f"of each {spaced(k.name)}", k.states[name]) for k in kinds if name in k.states]
        owned += [
            (f"printed on each {spaced(k.name)}", k.fields[name])
            for k in kinds if name in k.fields and not self._mine(k)
        ]  # fmt: skip
        for whose, member in owned:
            hidden = ", which its owner alone sees" if member.secret else ""
            what = "field" if whose.startswith("printed") else "state"
            yield 1, self._with_help(f"{what} {spaced(name)}, {whose}{hidden}, {show(member.type)}", member)

    def _mine(self, kind: KindSym) -> bool:
        return any(kind is mine for mine in self.kinds)

    def touched_name(self, name: str) -> Iterator[Step]:
        s = self.s
        if name in s.states:
            state = s.states[name]
            yield 1, self._with_help(f"state {spaced(name)} of the match, {show(state.type)}", state)
        elif name in s.options:
            option = s.options[name]
            yield 1, f"option {spaced(name)}: {option.help}, {self.at(option.source, option.ident)}"
        elif name in s.zones:
            zone = s.zones[name]
            help = f": {zone.place.help}" if zone.place.help else ""
            yield 1, f"zone {spaced(name)}, which {_SEEN[zone.place.sight]}{help}, {self.at(zone.source, zone.ident)}"
        elif name in s.cards and name != self.card.name:
            card = s.cards[name]
            yield 1, f"card {card.title}, {self.at(card.source, card.decl)}"

    def _declared(self, source: Source, decl: n.ValueDecl | n.EffectDecl) -> str:
        """A value with its formula, an effect with its parameters, as they are written."""
        start = decl.name.span[0]
        end = decl.body.span[1] if isinstance(decl, n.ValueDecl) else decl.body.span[0]
        text = " ".join(line.split("//")[0].strip() for line in source.text[start:end].splitlines())
        text = " ".join(text.split())
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
        return f"{text}, {self.at(source, decl)}"

    # ---- Where something stands

    def where(self, places: Places, name: str) -> str:
        """The declarations of the frame in which it stands, each with its place, and the other cards."""
        frame = [(u, node) for u, node in places.get(name, ()) if not isinstance(u.decl, n.CardDecl)]
        found = list(dict.fromkeys(f"{self._titled(u)} ({self.at(u.source, node)})" for u, node in frame))
        cards = self.cards(places, name)
        if not cards:
            return self._some(found)
        by = f"{'card' if len(cards) == 1 else 'cards'} {self._some(cards)}"
        return f"{self._some(found)}; {by}" if found else by

    def cards(self, places: Places, name: str) -> list[str]:
        """The titles of the other cards in which it stands."""
        decls = [u.decl for u, _ in places.get(name, ())]
        return [d.title.value for d in decls if isinstance(d, n.CardDecl) and d is not self.card.decl]

    @staticmethod
    def _titled(u: Unit) -> str:
        match u.decl:
            case n.ValueDecl(name):
                return f"value {spaced(name.text)}"
            case n.EffectDecl(name):
                return f"effect {spaced(name.text)}"
            case n.SetupDecl():
                return "the setup"
            case n.FlowDecl():
                return "the flow"
            case n.DeckDecl():
                return "the rules of decks"
            case n.KindDecl(name):
                return f"kind {spaced(name.text)}"
            case n.UnseenDecl():
                return "a rule of what may lie unseen"
            case _:
                return "another declaration"

    @staticmethod
    def _some(found: Sequence[str]) -> str:
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        return ", ".join(found[:_MOST]) + more


def _owner(base: n.Expr, owners: Mapping[str, str]) -> str:
    """Whose a member is, by what stands before it: a `player`'s, a `card`'s; empty where that is not plain to see."""
    match base:
        case n.Name(id):
            return owners.get(id, "")
        case n.Member(_, n.Ident("owner" | "opponent")) | n.Index(n.Name("players"), _):
            return "player"
        case _:
            return ""


_SEEN = {"all": "all see", "owner": "its owner sees", "nobody": "nobody sees", "top": "all see the top of"}
