"""Programs that are made up, in which cards are moved in branches, loops and choices: where the checker takes a card to
lie on a board, it does.

What the checker refuses is left out. All that takes a `unit in lanes` is made to look whether the card lies there.
"""

from __future__ import annotations

import ast
import builtins
import re

import pytest
from card_runtime import trees
from card_runtime.bots import Random
from card_runtime.state import State

from . import test_fuzz_generated as generated

ROUNDS = 400 if generated.LONG else 8
SEEN = "effect seen(u: unit in lanes) { u.wounds += u.lane.index }\n"


class Mover(generated.Maker):
    """Draws code that often goes on with a card that may have been moved, and tests where cards lie."""

    def moved(self, sc: generated.Scope) -> generated.Scope:
        return super().moved(sc) if self.rng.random() < 0.35 else sc

    def bool_(self, sc: generated.Scope, fuel: int) -> str:
        units = self.of(sc, "unit")
        if units and self.rng.random() < 0.15:
            return f"{self.rng.choice(units)} is in lanes"
        return super().bool_(sc, fuel)

    def statement(self, sc: generated.Scope, fuel: int) -> str:
        lying, units = self.of(sc, "placed"), self.of(sc, "unit")
        roll = self.rng.random()
        if lying and roll < 0.2:
            x = self.rng.choice(lying)
            return self.attempt(
                lambda: f"seen({x})",
                lambda: f"run {x}.arrival",
                lambda: f"move {x} to {self.place(sc)}",
                lambda: f"if {self.must('bool', sc, 1)} {{ move {x} to {self.place(sc)} }}",
            )
        if units and roll < 0.3:
            x = self.rng.choice(units)
            return f"if {x} is in lanes {self.block({**sc, x: 'placed'}, fuel - 1)}"
        return super().statement(sc, fuel)


@pytest.mark.parametrize("round", range(ROUNDS))
def test_a_card_lies_where_it_is_taken_to_lie(round: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes: dict[str, list[int]] = {}
    """Which arguments of what is called are units in lanes."""

    def look(m: State, name: str, args: tuple[int, ...]) -> None:
        first = m.game.model.boards[0].parts[0].first
        for i in lanes.get(name, ()):
            assert m.at[args[i]] >= first, f"argument {i} of {name} lies elsewhere"

    made, looking = trees.tree, []

    def watched(text: str, shown: str) -> ast.Module:
        tree = made(text, shown)
        for f in tree.body:
            if isinstance(f, ast.FunctionDef) and f.name[:2] in ("e_", "v_"):
                args = "".join(f"{a.arg}, " for a in f.args.args[1:])
                (call,) = ast.parse(f"look_(m, {f.name[2:]!r}, ({args}))").body
                f.body.insert(0, call)
                looking.append(f.name)
                for node in ast.walk(call):
                    ast.copy_location(node, f.body[1])
        return tree

    monkeypatch.setattr(trees, "tree", watched)
    monkeypatch.setattr(builtins, "look_", look, raising=False)
    monkeypatch.setattr(generated, "Maker", Mover)
    monkeypatch.setattr(generated, "FRAME", generated.FRAME + SEEN)
    found = generated.accepted(round)
    if found is None:
        return
    text, game = found
    for name, params in re.findall(r"^(?:effect|value) (\w+)\((.+?)\)", text, re.MULTILINE):
        lanes[name] = [i for i, p in enumerate(params.split(", ")) if p.endswith(": unit in lanes")]
    assert lanes["seen"] == [0]
    for seed in range(4):
        match, bot = game.start(seed), Random(seed)
        assert "e_seen" in looking
        try:
            while match.decision is not None:
                match.choose(bot(match.decision))
        except Exception as e:
            raise AssertionError(f"{e.__cause__ or e}\n{text}") from e
