"""Small searches over trees and elaborated code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from cardc import nodes as n
from cardc.ir import Place, SChoose, Stmt, Var, X
from cardc.nesting import walk
from cardc.types import ListT

Key = tuple[object, ...]

_MOVING = frozenset({n.CallStmt, n.Run, n.Move, n.Draw, n.Choose, n.Shuffle})
_CHANGING = _MOVING | {n.Assign, n.Copy, n.Reveal, n.Exchange, n.Until}
_UNSURE = _MOVING | {n.Copy, n.Exchange, n.Until}
_BLOCKS = {
    cls: tuple(name for name in ("then", "other", "body") if name in cls.__struct_fields__) for cls in get_args(Stmt)
}


def moves(body: n.Node) -> bool:
    """Whether a card may move while this runs."""
    return not _MOVING.isdisjoint(map(type, walk(body)))


def changes(body: n.Node) -> bool:
    """Whether anything that a test may have read may change while this runs."""
    return not _CHANGING.isdisjoint(map(type, walk(body)))


def writes(body: n.Node) -> frozenset[str] | None:
    """The names of the state that is written while this runs, or None where more may happen than that."""
    if not _UNSURE.isdisjoint(map(type, walk(body))):
        return None
    names = set()
    for x in walk(body):
        match x:
            case n.Assign(n.Name(name)) | n.Assign(n.Member(_, n.Ident(name))):
                names.add(name)
    return None if "form" in names else frozenset(names)


def blocks(s: Stmt) -> list[tuple[Stmt, ...]]:
    """The blocks of a statement."""
    found: list[tuple[Stmt, ...]] = [getattr(s, name) for name in _BLOCKS[type(s)]]
    return found + [alt.body for alt in s.alts] if type(s) is SChoose else found


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
    return (x.op, *[key(a) if type(a) is X else a for a in x.args])


def parts_of(args: object) -> Iterable[X]:
    """The expressions directly in the arguments of one."""
    todo = [args]
    while todo:
        top = todo.pop()
        if type(top) is X:
            yield top
        elif type(top) is Place:
            todo.extend((top.seat, top.element))
        elif isinstance(top, tuple | list):
            todo.extend(reversed(top))
