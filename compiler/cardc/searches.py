"""Small searches over trees and elaborated code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardc import nodes as n
from cardc.ir import Place, Var, X
from cardc.nesting import walk
from cardc.types import ListT

Key = tuple[object, ...]


def moves(body: n.Node) -> bool:
    """Whether a card may move while this runs."""
    return any(isinstance(x, n.CallStmt | n.Run | n.Move | n.Draw | n.Choose | n.Shuffle) for x in walk(body))


def changes(body: n.Node) -> bool:
    """Whether anything that a test may have read may change while this runs."""
    return moves(body) or any(isinstance(x, n.Assign | n.Copy | n.Reveal | n.Exchange | n.Until) for x in walk(body))


def writes(body: n.Node) -> frozenset[str] | None:
    """The names of the state that is written while this runs, or None where more may happen than that."""
    if moves(body) or any(isinstance(x, n.Copy | n.Exchange | n.Until) for x in walk(body)):
        return None
    names = set()
    for x in walk(body):
        match x:
            case n.Assign(n.Name(name)) | n.Assign(n.Member(_, n.Ident(name))):
                names.add(name)
    return None if "form" in names else frozenset(names)


def parts(x: X) -> Iterable[X]:
    """`x` and every expression in it."""
    todo: list[object] = [x]
    while todo:
        top: Any = todo.pop()
        cls = type(top)
        if cls is X:
            yield top
            todo += top.args
        elif cls is tuple:
            todo += top
        elif cls is Place:
            todo += (top.element, top.seat)


def values_in(x: X) -> list[str]:
    """The names of the values that an expression reads, each as often as it stands there."""
    return [str(p.args[0]) for p in parts(x) if p.op == "value"]


def grows(x: X) -> bool:
    """Whether this is a list that may be longer than those it is made of."""
    if not isinstance(x.t, ListT):
        return False
    return any(p.op in ("concat", "join") or (p.op == "value" and isinstance(p.t, ListT)) for p in parts(x))


def mentions(x: X, var: Var) -> bool:
    return any(p.op == "var" and p.args[0] == var for p in parts(x))


def key(x: X) -> Key:
    """An expression without its types; the opponent of the opponent is the player himself."""
    if x.op == "var":
        var = x.args[0]
        assert isinstance(var, Var)
        return ("var", var.name)
    inner = x.args[0] if x.args else None
    if x.op == "opponent" and isinstance(inner, X) and inner.op == "opponent":
        back = inner.args[0]
        assert isinstance(back, X)
        return key(back)
    return (x.op, *(key(a) if isinstance(a, X) else a for a in x.args))


def parts_of(args: object) -> Iterable[X]:
    """The expressions directly in the arguments of one."""
    todo = [args]
    while todo:
        top = todo.pop()
        match top:
            case X():
                yield top
            case Place(_, _, element, seat):
                todo.extend((seat, element))
            case tuple() | list():
                todo.extend(reversed(top))
