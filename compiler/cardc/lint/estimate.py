"""What an expression can be when a card's printed fields are known: a number's least and greatest, a condition's truth.

Assumes elaborated code. Sound: what it says of an expression holds in every match; where it knows nothing it says the
type's own range. Values are followed where no card changes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cardc.ir import ValueBody, Var, X
from cardc.scope import bounds
from cardc.symbols import CardSym, Symbols
from cardc.types import IntT

_DEEPEST = 8
"""How far values are followed into values."""


class Range(Struct, frozen=True):
    """A number between two others; None is no bound."""

    low: int | None
    high: int | None


# A number, a truth, the card in question, a word; None where nothing is known.
Known = Range | bool | CardSym | str | None
ANY = Range(None, None)


class Estimate:
    """Estimates for one card. `fields` are its printed fields that no form changes; `values` those no card changes."""

    def __init__(
        self, s: Symbols, card: CardSym, fields: Mapping[str, object], values: Mapping[str, ValueBody]
    ) -> None:
        self.s = s
        self.card = card
        self.fields = fields
        self.values = values

    def of(self, x: X, known: Mapping[str, Known], depth: int = 0) -> Known:
        found = self._of(x, known, depth)
        if isinstance(x.t, IntT):
            low, high = bounds(x.t, self.s)
            return _meet(found if isinstance(found, Range) else ANY, Range(low, high))
        return found

    def _of(self, x: X, known: Mapping[str, Known], depth: int) -> Known:
        match x.op, x.args:
            case "const", (bool() as truth,):
                return truth
            case "const", (int() as number,):
                return Range(number, number) if isinstance(x.t, IntT) else None
            case "var", (Var(name, _),):
                return known.get(name)
            case "field", (_, str(name), X() as card) if self.of(card, known, depth) is self.card:
                return _printed(self.fields.get(name))
            case "iskind", (X() as card, tuple() as kinds, *_) if self.of(card, known, depth) is self.card:
                return self.s.kinds[self.card.kind].index in kinds
            case "not", (X() as a,):
                holds = self.of(a, known, depth)
                return not holds if isinstance(holds, bool) else None
            case ("and" | "or") as op, (X(), X()):
                return self._chain(op, x, known, depth)
            case "cmp", (str(op), X() as a, X() as b):
                return _compare(op, self.of(a, known, depth), self.of(b, known, depth))
            case "clamp", (X() as a, *_):
                return self.of(a, known, depth)
            case ("add" | "sub") as op, (X() as a, X() as b):
                return _sum(op, self.of(a, known, depth), self.of(b, known, depth))
            case "if", (X() as cond, X() as a, X() as b):
                holds = self.of(cond, known, depth)
                if isinstance(holds, bool):
                    return self.of(a if holds else b, known, depth)
                return _join(self.of(a, known, depth), self.of(b, known, depth))
            case "value", (str(name), *args) if name in self.values and depth < _DEEPEST:
                body = self.values[name]
                inner = {
                    p.name: self.of(a, known, depth) for p, a in zip(body.params, args, strict=True) if isinstance(a, X)
                }
                return self.of(body.body, inner, depth + 1)
        return None

    def _chain(self, op: str, x: X, known: Mapping[str, Known], depth: int) -> Known:
        """A chain of `and` or `or`, without recursion along it."""
        decides = op == "or"
        sure = True
        part: object = x
        while isinstance(part, X):
            last = part if part.op != op else part.args[1]
            assert isinstance(last, X)
            truth = self.of(last, known, depth)
            if truth is decides:
                return decides
            sure = sure and isinstance(truth, bool)
            part = part.args[0] if part.op == op else None
        return (not decides) if sure else None


def _printed(value: object) -> Known:
    if isinstance(value, bool) or value is None:
        return value
    return Range(value, value) if isinstance(value, int) else None


def _meet(a: Range, b: Range) -> Range:
    lows = [x for x in (a.low, b.low) if x is not None]
    highs = [x for x in (a.high, b.high) if x is not None]
    return Range(max(lows, default=None), min(highs, default=None))


def _join(a: Known, b: Known) -> Known:
    if isinstance(a, Range) and isinstance(b, Range):
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        return Range(low, high)
    return a if a == b else None


def _sum(op: str, a: Known, b: Known) -> Known:
    if not isinstance(a, Range) or not isinstance(b, Range):
        return None
    if op == "sub":
        b = Range(None if b.high is None else -b.high, None if b.low is None else -b.low)
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return Range(low, high)


def _compare(op: str, a: Known, b: Known) -> bool | None:
    """What a comparison comes to for all numbers of the ranges, if for all the same."""
    if not isinstance(a, Range) or not isinstance(b, Range):
        return None
    if op in (">", ">="):
        op, a, b = ("<" if op == ">" else "<="), b, a
    below = a.high is not None and b.low is not None and (a.high < b.low or (op == "<=" and a.high == b.low))
    above = a.low is not None and b.high is not None and (a.low > b.high or (op == "<" and a.low == b.high))
    if op in ("<", "<="):
        return True if below else False if above else None
    apart = (a.high is not None and b.low is not None and a.high < b.low) or (
        a.low is not None and b.high is not None and a.low > b.high
    )
    same = a.low is not None and a.low == a.high == b.low == b.high
    if op == "==":
        return False if apart else True if same else None
    return True if apart else False if same else None
