"""What a chooser can see, and what code may move: searches over elaborated code."""

from __future__ import annotations

from collections.abc import Iterable

from cardc import nodes as n
from cardc.declare import walk
from cardc.ir import Place, Var, X
from cardc.symbols import Symbols


def moves(body: n.Node) -> bool:
    """Whether a card may move while this runs."""
    return any(isinstance(x, n.CallStmt | n.Run | n.Move | n.Draw | n.Choose | n.Shuffle) for x in walk(body))


def parts(x: X) -> Iterable[X]:
    """`x` and every expression in it."""
    todo: list[object] = [x]
    while todo:
        top = todo.pop()
        match top:
            case X(_, args):
                yield top
                todo.extend(args)
            case Place(_, _, element, seat):
                todo.extend((element, seat))
            case tuple():
                todo.extend(top)


def mentions(x: X, var: Var) -> bool:
    return any(p.op == "var" and p.args[0] == var for p in parts(x))


def may_be_hidden(source: X, chooser: X, s: Symbols) -> bool:
    """Whether a card of this list may be one that the chooser cannot see."""
    for p in parts(source):
        if p.op in ("place", "one"):
            place = p.args[0]
            assert isinstance(place, Place)
            sym = s.place(place.owner, place.part)
            if sym.sight == "nobody" or sym.sight == "top":
                return True
            if sym.sight == "owner" and place.seat != chooser:
                return True
            if place.owner in s.faces and place.seat != chooser:
                return True
        elif p.op in ("parts", "parts_of"):
            board = str(p.args[0])
            sym = s.boards[board].parts[str(p.args[1])]
            own = p.op == "parts_of" and p.args[2] == chooser
            if sym.sight == "nobody" or (not own and (sym.sight == "owner" or board in s.faces)) or sym.sight == "top":
                return True
    return False


def shown(where: X, var: Var) -> bool:
    """Whether the condition asks that the card be face up."""
    if where.op == "and":
        return any(shown(a, var) for a in where.args if isinstance(a, X))
    return where.op == "face_up" and isinstance(where.args[0], X) and where.args[0].op == "var" and where.args[0].args[0] == var


def hidden_read(where: X, var: Var, source: X, chooser: X, s: Symbols) -> str | None:
    """What the condition reads of a card that its chooser may not see, in words, or None."""
    if not may_be_hidden(source, chooser, s) or shown(where, var):
        return None
    for p in parts(where):
        about = any(isinstance(a, X) and a.op == "var" and a.args[0] == var for a in p.args)
        if not about:
            continue
        match p.op:
            case "field" | "card":
                return f"`{p.args[1]}` of a card"
            case "iskind" | "iscard":
                return "the kind of a card"
            case "value":
                return f"`{p.args[0]}` of a card"
    return None


def secret_read(where: X, chooser: X, s: Symbols) -> str | None:
    """What the condition reads of hidden state of others, in words, or None."""
    for p in parts(where):
        if p.op == "player" and s.player[str(p.args[0])].secret and p.args[1] != chooser:
            return f"`{p.args[0]}` of another player"
        if p.op == "card":
            sym = s.kinds[str(p.args[0])].states[str(p.args[1])]
            owner = p.args[2]
            if sym.secret and not (isinstance(owner, X) and isinstance(owner.t, object) and _owned_by(owner, chooser)):
                return f"`{p.args[1]}` of a card"
    return None


def _owned_by(card: X, chooser: X) -> bool:
    return any(p.op in ("place", "one") and isinstance(p.args[0], Place) and p.args[0].seat == chooser for p in parts(card))
