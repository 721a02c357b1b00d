"""The tests of a package and what they run on, as plain data: built in memory once, run here or in other processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from cardc.emit.module import emit_tests
from cardc.emit.text import Module
from cardc.ir import Test
from cardc.opening import Base, Files
from cardc.pipeline import InMemory, Outcome, analyse, built_whole, in_memory, outcome_of, package_files
from cardc.probes import Clause, Probes
from cardc.types import CardT


class Suite(Struct, frozen=True):
    """`packages` as `Game` takes them, the functions of the tests, the tests, the clauses that have probes, and the
    printed cards that have an owner in every match."""

    packages: tuple[InMemory, ...]
    modules: tuple[Module, ...]
    tests: tuple[Test, ...]
    clauses: tuple[Clause, ...] = ()
    owned: frozenset[int] = frozenset()

    def load(self) -> Any:
        """The game, with the functions of the tests among its code."""
        from card_runtime.depth import deep
        from card_runtime.game import Game
        from card_runtime.trees import mapped

        game = Game(Path("."), list(self.packages))
        with deep():
            for module in self.modules:
                exec(compile(mapped(module.text, module.path, module.lines), module.path, "exec"), game.code)
        return game

    def numbers(self, filter: str | None = None, path: str | None = None) -> list[int]:
        """Which tests have `filter` in their title, and stand in the file `path`."""
        return [
            i
            for i, t in enumerate(self.tests)
            if (filter is None or filter.lower() in t.title.lower()) and (path is None or t.path == path)
        ]


def suite_of(files: Files, on: Base | None, probes: Probes | None = None) -> tuple[Outcome, Suite | None]:
    """Check and build the files in memory; no suite where there are errors. With `probes`, its code has
    them."""
    checked, built = built_whole(files, on)
    if checked.program is None or checked.symbols is None:
        return outcome_of(files, checked, None), None
    outcome = outcome_of(files, checked, built)
    if probes is not None:
        checked = analyse(files, on, probes)
        built = package_files(files, checked)
    assert checked.program is not None and checked.symbols is not None
    modules = emit_tests(checked.symbols, checked.program)
    clauses = () if probes is None else tuple(probes.clauses)
    s = checked.symbols
    owned = frozenset(c.index for c in s.cards.values() if c.kind in s.kinds and s.owned(CardT(c.kind)))
    return outcome, Suite(tuple(in_memory(built, on)), tuple(modules), checked.program.tests, clauses, owned)
