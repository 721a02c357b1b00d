"""The formatter and the differ on programs that no author would write: derived from the grammar at random, and shipped
ones laid out at random or damaged. `CARDC_FUZZ=long` tries many more.

Formatting keeps the tree, every word and every comment in its order, and changes nothing when it is done again.
"""

from __future__ import annotations

import os
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from card_grammar.tables import Tables, load_tables
from cardc.differ import compare, read, saves_break
from cardc.formatting import format_lines, format_text
from cardc.parse import parse_file
from cardc.source import Source

ROOT = Path(__file__).parents[2]
LONG = os.environ.get("CARDC_FUZZ") == "long"
SEEDS = range(400 if LONG else 25)
TOKEN = re.compile(
    r'//[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|\b[A-Z]+-[0-9]+[a-z]?\b|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[=!<>]=|[+\-*]=|[^\s\w]'
)
NAMES = ["cub", "p", "l", "power", "lanes", "hand", "u", "me", "self", "big_bear2", "_x"]
TEXTS = ['"A text"', '"// no comment"', '"quoted \\"word\\""', '"ünï { ("', '""']
COMMENTS = ["// said", '// "half', "// } ) ]", "//", "// é {"]


class Grammar:
    """Random derivations of a declaration, as the parser's tables have the grammar."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.rules: dict[int, list[tuple[int, ...]]] = {}
        for rule in tables.rules:
            self.rules.setdefault(rule.origin, []).append(rule.symbols)
        self.height: dict[int, int] = {}
        changed = True
        while changed:
            changed = False
            for origin, alternatives in self.rules.items():
                heights = [h for symbols in alternatives if (h := self.of(symbols)) is not None]
                if heights and min(heights) < self.height.get(origin, 10**6):
                    self.height[origin] = min(heights)
                    changed = True

    def of(self, symbols: tuple[int, ...]) -> int | None:
        """How many levels of rules these symbols need at least."""
        heights = [self.height.get(~s) for s in symbols if s < 0]
        return None if None in heights else 1 + max([0, *(h for h in heights if h is not None)])

    def derive(self, rng: random.Random, budget: int) -> list[str]:
        out: list[str] = []
        todo: list[tuple[int, int]] = [(~self.tables.start, budget)]
        while todo:
            symbol, left = todo.pop()
            if symbol >= 0:
                out.append(self.token(symbol, rng))
                continue
            alternatives = self.rules[~symbol]
            fitting = [a for a in alternatives if (self.of(a) or 0) <= left]
            if not fitting or len(out) > 150:
                fitting = sorted(alternatives, key=lambda a: (self.of(a) or 0, len(a)))[:1]
            chosen = rng.choice(fitting)
            todo += [(s, left - 1) for s in reversed(chosen)]
        return out

    def token(self, number: int, rng: random.Random) -> str:
        terminal = self.tables.terminals[number]
        match terminal.name:
            case "NAME":
                return rng.choice(NAMES)
            case "INT":
                return rng.choice(["0", "1", "12"])
            case "STRING":
                return rng.choice(TEXTS)
            case "RULE":
                return rng.choice(["V-9", "LC-21", "M-31b"])
            case "COMPARE":
                return rng.choice(["==", "!=", "<=", ">=", "<", ">"])
            case "CHANGE":
                return rng.choice(["+=", "-=", "*="])
        return terminal.text


GRAMMAR = Grammar(load_tables())
FILES = [*sorted((ROOT / "cards").rglob("*.card")), *sorted((ROOT / "tests" / "accept").glob("*.card"))]


def laid_out(tokens: list[str], rng: random.Random, comments: bool) -> str:
    """The tokens with blanks, line ends and comments in between; the first one stands in column 1, and no other."""
    out = [tokens[0]]
    for before, token in pairwise(tokens):
        gap = rng.choice([" ", " ", " ", "  ", "\t ", "\n  ", "\n\n\n "])
        if comments and token != ":" and rng.random() < 0.1:  # a word before a colon is a name, not a keyword
            gap = rng.choice([" ", "\n  "]) + rng.choice(COMMENTS) + "\n "
        elif token in ".,)]" and before not in "-" and rng.random() < 0.5:
            gap = ""
        if before.startswith("//"):
            gap = "\n  "
        out += [gap, token]
    return "".join(out) + "\n"


def pieces(text: str) -> list[str]:
    """All words, signs, texts and comments, in order."""
    return [t.rstrip() for t in TOKEN.findall(text)]


def check_form(text: str) -> None:
    """`text` parses; its canonical form says the same, and is its own."""
    source = Source("x.card", text)
    once, findings = format_text(source)
    assert once is not None and not findings
    assert parse_file(Source("x.card", once))[0] == parse_file(source)[0]
    assert pieces(once) == pieces(text)
    assert format_text(Source("x.card", once))[0] == once
    assert not re.search(r"[ \t]+$", once, re.M) and "\n\n\n" not in once and once.endswith("\n")
    at = text.count("\n") // 2 + 1
    part, _ = format_lines(source, at, at)
    assert part is not None and parse_file(Source("x.card", part))[0] == parse_file(source)[0]


def derived(seed: int) -> str | None:
    """A text derived from the grammar that the parser takes: it refuses what is too deep, or a number too large."""
    rng = random.Random(seed)
    tokens = [GRAMMAR.derive(rng, rng.randint(6, 16)) for _ in range(rng.randint(1, 3))]
    text = "".join(laid_out(t, rng, rng.random() < 0.5) for t in tokens)
    return None if parse_file(Source("x.card", text))[1] else text


def test_fuzz_most_derived_texts_parse():
    texts = [derived(seed) for seed in range(200)]
    assert sum(t is not None for t in texts) > 120
    kinds = {type(d).__name__ for t in texts if t is not None for d in parse_file(Source("x.card", t))[0]}
    assert {"CardDecl", "EffectDecl", "TestDecl", "KindDecl", "EnumDecl", "ValueDecl", "BoardDecl"} <= kinds


@pytest.mark.parametrize("block", range(0, len(SEEDS), 25))
def test_fuzz_the_form_of_derived_texts(block: int):
    for seed in range(block * 8, (block + 25) * 8):
        text = derived(seed)
        if text is not None:
            check_form(text)


def declarations(text: str) -> list[str]:
    return [d for d in re.split(r"^(?=[a-z])", text, flags=re.M) if d[:1].isalpha()]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_fuzz_the_form_of_shipped_texts_laid_out_anew(path: Path):
    for seed in SEEDS[: 12 if LONG else 1]:
        rng = random.Random(f"{path.name} {seed}")
        for decl in declarations(path.read_text(encoding="utf-8")):
            check_form(laid_out(pieces(decl), rng, comments=rng.random() < 0.5))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_fuzz_damaged_texts_stay_or_get_a_form(path: Path):
    whole = path.read_text(encoding="utf-8")
    for seed in SEEDS[: 100 if LONG else 2]:
        rng = random.Random(f"{path.name} {seed}")
        at = rng.randrange(len(whole))
        put = rng.choice(["", "{", "}", '"', "\x0c", "//", "\ud7ff", "é", "(", "0x"])
        text = whole[:at] + put + whole[at + rng.randint(0, 3) :]
        form, findings = format_text(Source("x.card", text))
        assert (form is None) == any(f.severity == "error" for f in findings)
        if form is not None:
            assert format_text(Source("x.card", form))[0] == form
            assert parse_file(Source("x.card", form))[0] == parse_file(Source("x.card", text))[0]


# ---- The differ


def version(rng: random.Random) -> bytes:
    """A file of declarations: some derived, some shipped, some of them damaged."""
    out = []
    for _ in range(rng.randint(1, 6)):
        if rng.random() < 0.5:
            out.append(derived(rng.randrange(400)) or "")
        else:
            decls = declarations(rng.choice(FILES[:12]).read_text(encoding="utf-8"))
            decl = rng.choice(decls)
            if rng.random() < 0.7:
                words = TOKEN.findall(decl)
                i = rng.randrange(len(words))
                words[i] = rng.choice([*NAMES, "3", "", "{", words[rng.randrange(len(words))]])
                decl = laid_out([w for w in words if w], rng, comments=False)
            out.append(decl)
    return "".join(out).encode()


@pytest.mark.parametrize("block", range(0, len(SEEDS), 25))
def test_fuzz_the_differ(block: int):
    for seed in range(block, block + 25):
        rng = random.Random(seed)
        old, new = (read([("x.card", version(rng))]) for _ in range(2))
        found = compare(old, new)
        assert compare(old, new) == found
        assert compare(old, old) == [] and compare(new, new) == []
        changed = {k for k in old.decls.keys() | new.decls.keys()
                   if k not in old.decls or k not in new.decls or old.decls[k].decl != new.decls[k].decl}  # fmt: skip
        for name in changed:
            told = [c for c in found if c.what == name or c.what.startswith((f"{name}, ", "requirement ", "id "))]
            assert told, name
        assert bool(found) <= saves_break(old, new)
        assert all("\n" not in c.line() for c in found)


def test_fuzz_a_layout_is_no_difference():
    for path in FILES[:12]:
        rng = random.Random(path.name)
        for decl in declarations(path.read_text(encoding="utf-8")):
            text = laid_out(pieces(decl), rng, comments=True)
            old, new = read([("x.card", decl.encode())]), read([("x.card", text.encode())])
            assert compare(old, new) == []
