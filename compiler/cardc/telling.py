"""What all may see and is made of hidden state that nothing reveals: a search through elaborated bodies.

Assumes the whole of a package is known by its shape (`cardc.shape`): where anything reveals that state, when it does so
is a matter of the rules, and of the swap test (`cardc.leaks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardc import nodes as n
from cardc.ir import SAssign, Stmt, ValueBody, Var, X
from cardc.kept import Kept
from cardc.report import Report
from cardc.searches import blocks, parts
from cardc.symbols import Symbols


class Telling:
    """Searches bodies; `values` are the bodies of values."""

    def __init__(self, s: Symbols, values: Sequence[ValueBody], report: Report) -> None:
        self.s, self.report = s, report
        self.values = {v.name: v.body for v in values}
        self.found: dict[str, frozenset[str]] = {}

    def search(self, kept: Kept) -> None:
        self.kept = kept
        self.block(kept.stmts)

    def block(self, stmts: Iterable[Stmt]) -> None:
        for s in stmts:
            if type(s) is SAssign and self.public(s.target):
                for name in sorted(self.secrets(s.value)):
                    message = f"all see this, and it tells `{name}`, which only its owner sees and nothing reveals"
                    help = f"reveal it first, `reveal players.{name}`, or let its owner alone see this too"
                    self.report.add("E502", self.kept.source, n.Name("", span=s.value.span), message, help)
            for inner in blocks(s):
                self.block(inner)

    def public(self, target: X) -> bool:
        """Whether all see what is assigned; state of cards is seen by who sees the card."""
        name = str(target.args[0])
        return (
            target.op == "element"
            or (target.op == "state" and not self.s.states[name].secret)
            or (target.op == "player" and not self.s.player[name].secret)
        )

    def secrets(self, x: X) -> frozenset[str]:
        """The hidden fields of players that `x` is made of, and that nothing reveals."""
        found: set[str] = set()
        for p in parts(x):
            match p.op, p.args:
                case "player", (str(name), *_) if self.s.player[name].secret and name not in self.s.revealed:
                    found.add(name)
                case "value", (str(name), *_) if name in self.values:
                    found |= self.of_value(name)
                case "var", (Var(name, _),) if name in self.kept.origins and not self.kept.origins[name].one_of:
                    found |= self.secrets(self.kept.origins[name].x)
        return frozenset(found)

    def of_value(self, name: str) -> frozenset[str]:
        if name not in self.found:
            self.found[name] = frozenset()  # a value that needs itself has its finding
            self.found[name] = self.secrets(self.values[name])
        return self.found[name]
