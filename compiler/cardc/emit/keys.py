"""What a line of an ability concerns by the first argument of its value or event: the key of its registry entry."""

from __future__ import annotations

from cardc.emit.expressions import SELF, YOU
from cardc.ir import AbilityLine, Var, X
from cardc.types import CardT, ElementT, OptT, PlayerT, Type

UNKEYED, CARD, ELEMENT, OWNER, CAPTURED = range(5)
"""As `card_runtime.registry` has them; CAPTURED + i is the i-th of the captured locals."""


def keyable(params: tuple[Var, ...]) -> bool:
    """Whether the first argument can be a key."""
    return bool(params) and isinstance(_plain(params[0].type), CardT | ElementT | PlayerT)


def _plain(t: Type) -> Type:
    return t.item if isinstance(t, OptT) else t


def key_of(line: AbilityLine) -> int:
    """How the line finds its key; UNKEYED where it may concern any first argument."""
    fn = line.value if line.kind == "modifier" else line.body
    skip = 1 if line.until is None else len(line.captured)
    if fn is None or line.cond is None or not keyable(fn.params[skip:]):
        return UNKEYED
    first = X("var", (fn.params[skip],), fn.params[skip].type)
    for c in _conjuncts(line.cond.body):
        if c.op == "cmp" and c.args[0] == "==":
            left, right = c.args[1:]
            for one, other in ((left, right), (right, left)):
                if isinstance(one, X) and isinstance(other, X) and one.op == "var" and one.args == first.args:
                    found = _thing(line, other)
                    if found != UNKEYED:
                        return found
    return UNKEYED


def _thing(line: AbilityLine, x: X) -> int:
    """What an expression is to the bearer: itself, its element, its owner, or what the line captured."""
    name = x.args[0].name if x.op == "var" and isinstance(x.args[0], Var) else None
    if line.until is not None:
        names = [v.name for v in line.captured]
        return CAPTURED + names.index(name) if name in names else UNKEYED
    if name is not None:
        return {SELF: CARD, YOU: OWNER}.get(name, UNKEYED)
    of = x.args[-1]
    if isinstance(of, X) and of.op == "var" and isinstance(of.args[0], Var) and of.args[0].name == SELF:
        return {"element_of": ELEMENT, "owner": OWNER}.get(x.op, UNKEYED)
    return UNKEYED


def _conjuncts(x: X) -> list[X]:
    out: list[X] = []
    todo = [x]
    while todo:
        top = todo.pop()
        if top.op == "and":
            todo.extend(p for p in top.args if isinstance(p, X))
        else:
            out.append(top)
    return out
