"""Declarations made from the grammar itself: each is read without a finding about its form, comes back alike from its
canonical text, and whatever it means is said in findings; what is accepted runs. `CARDC_FUZZ=long` makes many more."""

from __future__ import annotations

import os
import random
import re
from functools import cache
from pathlib import Path

import pytest
from card_grammar.tables import load_tables
from card_runtime import CardError
from card_runtime.bots import Random
from cardc import pipeline
from cardc.formats.text import render
from cardc.formatting import format_text
from cardc.parse import parse_file
from cardc.source import Source
from cardc.testing import run_files

ROOT = Path(__file__).parents[2]
ROUNDS, CASES, RUN = (600, 60, 20) if os.environ.get("CARDC_FUZZ") == "long" else (8, 60, 3)
FRAME = (ROOT / "grammar" / "scaffold.card").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"[a-z_]+", re.sub(r'"[^"]*"', "", FRAME))) - load_tables().reserved)
PATTERNS = {
    "NAME": lambda rng: rng.choice(NAMES),
    "STRING": lambda rng: rng.choice(['"a text"', '""', r'"q\\"', '"{{ x }} {% y %} ${z}"']),
    "RULE": lambda rng: rng.choice(["V-9", "LC-21a"]),
    "INT": lambda rng: rng.choice(["0", "1", "2", "3", "9", "12"]),
    "COMPARE": lambda rng: rng.choice(["==", "!=", "<=", ">=", "<", ">"]),
    "CHANGE": lambda rng: rng.choice(["+=", "-=", "*="]),
}


@cache
def heights() -> tuple[dict[int, int], dict[int, list[tuple[int, ...]]]]:
    """How deep the lowest tree of each nonterminal is, and its rules."""
    tables = load_tables()
    rules: dict[int, list[tuple[int, ...]]] = {}
    for rule in tables.rules:
        rules.setdefault(rule.origin, []).append(rule.symbols)
    low: dict[int, int] = {}
    while len(low) < len(rules):
        for origin, bodies in rules.items():
            known = [max((low[~s] for s in body if s < 0), default=0) for body in bodies if _known(body, low)]
            if known and origin not in low:
                low[origin] = min(known) + 1
    return low, rules


def _known(body: tuple[int, ...], low: dict[int, int]) -> bool:
    return all(~symbol in low for symbol in body if symbol < 0)


def declaration(rng: random.Random) -> str:
    """A declaration that the grammar makes, in one line."""
    tables = load_tables()
    low, rules = heights()
    words: list[str] = []

    most = rng.choice((10, 30, 80, 150))  # words before it comes to an end as soon as it can

    def height(body: tuple[int, ...]) -> int:
        return max((low[~s] for s in body if s < 0), default=0)

    def write(symbol: int) -> None:
        if symbol >= 0:
            terminal = tables.terminals[symbol]
            words.append(PATTERNS[terminal.name](rng) if terminal.kind == "pattern" else terminal.text)
            return
        bodies = rules[~symbol]
        for inner in rng.choice(bodies) if len(words) < most else min(bodies, key=height):
            write(inner)

    write(~tables.start)
    return " ".join(words)


@pytest.mark.parametrize("round", range(ROUNDS))
def test_what_the_grammar_makes(round: int) -> None:
    rng = random.Random(round)
    made = [text for _ in range(CASES) if len(text := declaration(rng)) < 4_000]
    for text in made:
        try:
            read(text)
        except Exception as e:
            raise AssertionError(f"{type(e).__name__}: {e}\n{text}") from e
    healthy = checked("\n".join(made))
    for text in [text for i, text in enumerate(made, 1) if i in healthy][:RUN]:
        try:
            run(text)
        except Exception as e:
            raise AssertionError(f"{type(e).__name__}: {e}\n{text}") from e


def read(text: str) -> None:
    source = Source("made.card", text + "\n")
    decls, findings = parse_file(source)
    told = {f.code for f in findings}
    assert not told & {"E002", "E003", "E004"}, render(findings)
    if not told:
        canonical, _ = format_text(source)
        assert canonical is not None
        assert parse_file(Source("made.card", canonical))[0] == decls


def checked(text: str) -> set[int]:
    """Check declarations, a line each, beside those of a game; the lines in which nothing is wrong."""
    files = [("frame.card", FRAME.encode()), ("made.card", text.encode())]
    found = pipeline.analyse(files, None).findings
    render(found)
    wrong = {f.source.line(f.start) for f in found if f.severity == "error" and f.source.path == "made.card"}
    return set(range(1, text.count("\n") + 2)) - wrong


def run(text: str) -> None:
    files = [("frame.card", FRAME.encode()), ("made.card", text.encode())]
    _, game, _ = run_files(files, None)
    if game is not None:
        game.limit = 60
        played(game)


def played(game: object) -> None:
    try:
        game.playout(1)
        match = game.start(seed=2)
        bot = Random(2)
        while (decision := match.decision) is not None:
            match.choose(bot(decision))
    except CardError as error:
        assert "the rules cannot be carried out" not in str(error), error
