"""What the options of a choice tell their chooser: a search for reads of what he cannot see.

Assumes elaborated code of the whole package. A card may be hidden by its place or by its face; what is asked of such a
card, of the hidden state of others, or of a value that asks either, is a breach. Its owner, place and face are public,
but not those of the card that lies on top, or at another place, of what is hidden and shared.
A local is judged by what it was made of, a parameter by what it was given where that is said (`cardc.given` does); else
it is taken as seen, as is what state refers to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from cardc.choices import Origin, Shown, Told
from cardc.ir import LOOPS, AbilityLine, CPick, Place, ValueBody, Var, X
from cardc.searches import Key, key, parts_of
from cardc.symbols import Symbols
from cardc.types import ERROR

Argument: TypeAlias = "tuple[X, Known]"
"""What a parameter was given, and what is known where that was."""
Reading: TypeAlias = tuple[object, ...]
"""A reading of a value: its name and what is known of its arguments. Plain data."""

OWN = X("own", (), ERROR)
"""Stands for anything that is the chooser's, or himself."""
SEEN, BY_FACE, BY_PLACE, BY_ORDER = range(4)
"""How a card is hidden; by the order of those of both players: also whose it is, and how it lies."""
_KINDS = frozenset({"iskind", "iscard"})
_OF_ORDER = {"owner": "whose a card is", "face_up": "how a card lies"}


class Known(Struct, frozen=True):
    """What is known at a point: how cards in locals are hidden, which are the chooser's, which expressions are the
    chooser, what parameters were given."""

    hidden: Mapping[str, int] = field(default_factory=dict)
    owned: frozenset[str] = frozenset()
    chooser: frozenset[Key] = frozenset()
    shown: Shown = frozenset()
    origins: Mapping[str, Origin] = field(default_factory=dict)
    given: Mapping[str, Argument] = field(default_factory=dict)

    def is_shown(self, what: Key) -> bool:
        """Whether these cards, or this hidden state, were shown to the chooser."""
        return any(x == what and (seat is None or seat in self.chooser) for x, seat in self.shown)

    def then(self, origin: Origin) -> Known:
        """What was known when a local was made."""
        return replace(self, shown=self.shown | origin.shown)

    def bind(self, var: Var, level: int, owned: bool) -> Known:
        more = self.owned | {var.name} if owned else self.owned - {var.name}
        return replace(self, hidden={**self.hidden, var.name: level}, owned=more)

    def face_up(self, names: Iterable[str]) -> Known:
        """These cards lie face up: only their place can hide them."""
        up = {name: SEEN for name in names if self.hidden.get(name) == BY_FACE}
        return replace(self, hidden={**self.hidden, **up}) if up else self


def way_out(breach: str) -> str:
    """What a choice may go by instead of what was found."""
    if breach.startswith(tuple(_OF_ORDER.values())):
        return "choose by how many there are of all that lie there"
    return "choose by what is public (owner, place, face)"


def _argument(x: X, at: Known) -> Argument | None:
    """What a parameter was given, if this is one of which that is known."""
    match x.op, x.args:
        case "var", (Var(name, _),):
            return at.given.get(name)
    return None


def faces(x: X, holds: bool) -> list[str]:
    """The locals that lie face up where `x` holds (or does not)."""
    match x.op, x.args:
        case "face_up", (X("var", (Var(name, _),)),) if holds:
            return [name]
        case "not", (X() as inner,):
            return faces(inner, not holds)
        case (("and" | "or"), (X() as a, X() as b)) if (x.op == "and") == holds:
            return [*faces(a, holds), *faces(b, holds)]
    return []


class Sight:
    """Judges choices. `values` are the bodies of values, `lines` all lines of abilities."""

    def __init__(self, s: Symbols, values: Sequence[ValueBody], lines: Sequence[AbilityLine]) -> None:
        self.s = s
        self.values = {v.name: v for v in values}
        self.modifiers: dict[str, list[AbilityLine]] = {}
        for line in lines:
            if line.kind == "modifier":
                self.modifiers.setdefault(line.of, []).append(line)
        self.done: dict[Reading, str | None] = {}
        self.levels: dict[object, int] = {}

    def breach(self, told: Told, given: Mapping[str, Argument]) -> str | None:
        """What is told to the chooser and not his to know, in words; `given`: what the parameters around it were."""
        chooser = self.choosers(key(told.chooser), told.origins)
        at = Known(chooser=chooser, shown=told.shown, origins=told.origins, given=given)
        for p in told.picks:
            at = self.picked(p, at)
        return self.read(told.x, at)

    def choosers(self, seat: Key, origins: Mapping[str, Origin]) -> frozenset[Key]:
        """What names the chooser, where this does: the owner of a card is the player in whose place it lay."""
        you, owner = ("var", "you"), ("owner", ("var", "self"))
        match seat:
            case ("owner", ("var", str(card))) if card in origins:
                match origins[card].x:
                    case X("place" | "one", (Place(_, _, _, X() as whose),)):
                        return frozenset({seat, key(whose)})
        return frozenset({you, owner} if seat in (you, owner) else {seat})

    def picked(self, p: CPick, at: Known) -> Known:
        at = at.bind(p.var, self.level(p.source, at), self.mine(p.source, at))
        return at if p.where is None else at.face_up(faces(p.where, True))

    # ---- Who is who

    def is_chooser(self, seat: object, at: Known) -> bool:
        if not isinstance(seat, X):
            return False
        if key(seat) in at.chooser:
            return True
        if seat.op == "own":
            return True
        if (argument := _argument(seat, at)) is not None:
            return self.is_chooser(*argument)
        return seat.op == "owner" and isinstance(seat.args[0], X) and self.mine(seat.args[0], at)

    def mine(self, x: X, at: Known) -> bool:
        """Whether this card, or these cards, are the chooser's for certain."""
        match x.op, x.args:
            case "own", _:
                return True
            case "var", (Var(name, _),):
                if name in at.owned or ("owner", key(x)) in at.chooser:
                    return True
                if name in at.given:
                    return self.mine(*at.given[name])
                return name not in at.hidden and name in at.origins and self.mine(at.origins[name].x, at)
            case (("place" | "one"), (Place(_, _, _, seat),)):
                return self.is_chooser(seat, at)
            case "parts_of", (_, _, seat):
                return self.is_chooser(seat, at)
            case "own_decklist", (seat,):
                return self.is_chooser(seat, at)
            case (("top" | "topn" | "at" | "optlist" | "filter"), (X() as inner, *_)):
                return self.mine(inner, at)
            case "the", (_, X() as inner, _):
                return self.mine(inner, at)
        return False

    # ---- What is hidden

    def level(self, x: X, at: Known) -> int:
        """How this card, or some of these cards, may be hidden from the chooser."""
        if at.shown and at.is_shown(key(x)):
            return SEEN
        match x.op, x.args:
            case "var", (Var(name, _),):
                if name in at.given:
                    return self.level(*at.given[name])
                if name not in at.hidden and name in at.origins:
                    return self.level(at.origins[name].x, at.then(at.origins[name]))
                return at.hidden.get(name, SEEN)
            case (("place" | "one"), (Place(owner, part, _, seat),)):
                return self.of_place(owner, part, self.is_chooser(seat, at))
            case "parts", (str(board), str(part), _):
                return self.of_place(board, part, False)
            case "parts_of", (str(board), str(part), seat):
                return self.of_place(board, part, self.is_chooser(seat, at))
            case "own_decklist", (seat,):
                return SEEN if self.is_chooser(seat, at) else BY_PLACE
            case "top", (X("place", (Place(owner, part, _, seat),)),) if self.s.place(owner, part).sight == "top":
                return BY_FACE if owner in self.s.faces and not self.is_chooser(seat, at) else SEEN
            case (("top" | "topn" | "at"), (X("place", (Place(owner),)) as place, *_)) if self.shared(owner):
                level = self.level(place, at)
                return BY_ORDER if level == BY_PLACE else level
            case (("top" | "topn" | "at" | "optlist" | "filter" | "pick" | "sample"), (X() as inner, *_)):
                return self.level(inner, at)
            case "the", (Var() as var, X() as source, where):
                inside = at.bind(var, self.level(source, at), False)
                if isinstance(where, X):
                    inside = inside.face_up(faces(where, True))
                return inside.hidden[var.name]
            case "comp", (X() as body, Var() as var, X() as source, where):
                inside = at.bind(var, self.level(source, at), self.mine(source, at))
                return self.level(body, inside.face_up(faces(where, True)) if isinstance(where, X) else inside)
            case "join", (X() as body, Var() as var, X() as source):
                return self.level(body, at.bind(var, self.level(source, at), self.mine(source, at)))
            case (("concat" | "list"), args):
                return max((self.level(a, at) for a in parts_of(args)), default=SEEN)
            case "if", (_, X() as a, X() as b):
                return max(self.level(a, at), self.level(b, at))
            case "value", (str(name), *args) if name in self.values:
                return self.of_value(name, args, at)
        return SEEN

    def of_value(self, name: str, args: Sequence[object], at: Known) -> int:
        memo = (name, *self.statuses(args, at))
        if memo not in self.levels:
            self.levels[memo] = SEEN  # a value that needs itself has its finding
            value = self.values[name]
            self.levels[memo] = self.level(value.body, self.inside(value.params, self.statuses(args, at)))
        return self.levels[memo]

    def of_place(self, owner: str, part: str | None, mine: bool) -> int:
        sight = self.s.place(owner, part).sight
        if sight in ("nobody", "top") or (sight == "owner" and not mine):
            return BY_PLACE
        return BY_FACE if owner in self.s.faces and not mine else SEEN

    def shared(self, zone: str) -> bool:
        """Whether this is a zone of both players."""
        return zone in self.s.zones and not self.s.zones[zone].place.each

    # ---- What is read

    def read(self, x: X, at: Known) -> str | None:
        """What `x` reads that is hidden from the chooser, in words, or None."""
        if x.op in ("and", "or"):
            return self.chain(x, at)
        match x.op, x.args:
            case "if", (X() as cond, X() as a, X() as b):
                return (
                    self.read(cond, at)
                    or self.read(a, at.face_up(faces(cond, True)))
                    or self.read(b, at.face_up(faces(cond, False)))
                )
            case (("field" | "card"), (str(kind), str(name), X() as card)):
                if self.level(card, at) or (x.op == "card" and self.secret(kind, name, card, at)):
                    return f"`{name}` of a card"
            case (("owner" | "face_up"), (X() as card,)) if self.level(card, at) == BY_ORDER:
                return _OF_ORDER[x.op]
            case op, (X() as card, *_) if op in _KINDS and self.level(card, at):
                return "the name of a card" if op == "iscard" else "the kind of a card"
            case "player", (str(name), X() as seat) if self.s.player[name].secret and not self.is_chooser(seat, at):
                if not at.is_shown(("player", name, key(seat))) and not at.is_shown(("player", name, None)):
                    return f"`{name}` of another player"
            case "var", (Var(name, _),) if name in at.given:
                return self.read(*at.given[name])
            case "var", (Var(name, _),) if name in at.origins and name not in at.hidden:
                origin = at.origins[name]
                return None if origin.one_of else self.read(origin.x, at.then(origin))
            case "fills", (_, str(name), X() as card, _) if self.level(card, at):
                return f"whether a card has `{name}`"
            case "value", (str(name), *args) if name in self.values:
                return self.each(args, at) or self.through(name, args, at)
            case op, args if op in LOOPS:
                return self.bound(x, at)
        return self.each(x.args, at)

    def chain(self, x: X, at: Known) -> str | None:
        """A chain of `and` or `or`, without recursion along it."""
        spine: list[X] = []
        first = x
        while first.op == x.op:
            left, right = first.args
            assert isinstance(left, X) and isinstance(right, X)
            spine.append(right)
            first = left
        for operand in (first, *reversed(spine)):
            found = self.read(operand, at)
            if found is not None:
                return found
            at = at.face_up(faces(operand, x.op == "and"))
        return None

    def secret(self, kind: str, name: str, card: X, at: Known) -> bool:
        sym = self.s.kinds[kind].states[name]
        return sym.secret and not self.mine(card, at) and not self.is_chooser(X("owner", (card,), sym.type), at)

    def each(self, args: object, at: Known) -> str | None:
        return next((found for a in parts_of(args) if (found := self.read(a, at)) is not None), None)

    def bound(self, x: X, at: Known) -> str | None:
        """Searches: what they go through, then their conditions and terms with the local."""
        body: object = x.args[0] if x.op in ("comp", "comp_set", "join", "all", "sum") else None
        rest = x.args[1:] if body is not None else x.args
        var, source = rest[0], rest[1]
        where = rest[2] if len(rest) > 2 else None
        assert isinstance(var, Var) and isinstance(source, X)
        if (found := self.read(source, at)) is not None:
            return found
        inside = at.bind(var, self.level(source, at), self.mine(source, at))
        if isinstance(where, X):
            if (found := self.read(where, inside)) is not None:
                return found
            inside = inside.face_up(faces(where, True))
        return self.read(body, inside) if isinstance(body, X) else None

    # ---- Values

    def statuses(self, args: Sequence[object], at: Known) -> tuple[object, ...]:
        """What matters of the arguments of a value."""
        out: list[object] = []
        for a in args:
            assert isinstance(a, X)
            other = X("opponent", (a,), a.t)
            owner = X("owner", (a,), a.t)
            out.append((self.level(a, at), self.mine(a, at), self.is_chooser(a, at), key(other) in at.chooser,
                        key(owner) in at.chooser))  # fmt: skip
        return (*out, frozenset(k for k in at.chooser if k[0] == "const"))

    def inside(self, params: Sequence[Var], statuses: Sequence[object]) -> Known:
        """What is known in the body of a value."""
        *found, fixed = statuses
        assert isinstance(fixed, frozenset)
        chooser: set[Key] = set(fixed)
        inner = Known()
        for var, status in zip(params, found, strict=True):
            assert isinstance(status, tuple)
            level, mine, same, other, owner = status
            inner = inner.bind(var, level, mine)
            me = ("var", var.name)
            chooser.update([k for k, yes in ((me, same), (("opponent", me), other), (("owner", me), owner)) if yes])
        return replace(inner, chooser=frozenset(chooser))

    def through(self, name: str, args: Sequence[object], at: Known) -> str | None:
        """What the value reads, and what modifies it."""
        return self.visit((name, *self.statuses(args, at)))

    def visit(self, reading: Reading) -> str | None:
        """What a reading of a value reads that is hidden from the chooser."""
        if reading not in self.done:
            self.done[reading] = None  # a value that needs itself has its finding
            name, *statuses = reading
            assert isinstance(name, str)
            body = self.values[name]
            found = self.read(body.body, self.inside(body.params, statuses))
            for line in self.modifiers.get(name, ()):
                for fn in (line.cond, line.value):
                    if found is None and fn is not None:
                        own = len(fn.params) - len(body.params)
                        found = self.read(fn.body, self.inside(fn.params[own:], statuses))
            self.done[reading] = found if found is None or "through" in found else f"{found} (through `{name}`)"
        return self.done[reading]
