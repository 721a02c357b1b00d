"""Programs that are almost right: whatever the checker makes of them, it says it in findings, and what it accepts runs.

Declarations of games lose, repeat and change words. No input may raise an exception in a pass; what has no error is
emitted, compiled, and played in both forms, without an exception that is Python's. `CARDC_FUZZ=long` tries many more.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from card_grammar.tables import load_tables
from card_runtime import CardError, CardFault
from card_runtime.bots import Random
from card_runtime.game import Game
from cardc import pipeline
from cardc.findings import Finding
from cardc.fixing import mend
from cardc.formats import github, gitlab, junit, sarif
from cardc.formats import json as format_json
from cardc.formats.text import render
from cardc.package import UsageError
from cardc.testing import run_files

ROOT = Path(__file__).parents[2]
LONG = os.environ.get("CARDC_FUZZ") == "long"
ROUNDS, CASES = (400, 50) if LONG else (12, 10)
MOST_DECISIONS = 120

SARIF = jsonschema.Draft4Validator(
    json.loads((ROOT / "tests" / "data" / "sarif" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
)
TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[<>=!]=|[+*-]=|[^\sA-Za-z0-9_]')
WORDS = [
    *sorted(load_tables().reserved), "players", "catalog", "self", "you", "source", "me", "opponent", "owner",
    "face_up", "up", "down", "int", "bool", "player", "deck", "decklist", "index", "count", "any", "sum",
    "min", "copies", "log", "0", "1", "2", "9", "(", ")", "{", "}", "[", "]", ".", ",", ":", "=", "+=", "==", "<", ">=",
    "..", "?", "-", "_x",
]  # fmt: skip


def declarations(text: str) -> list[str]:
    """The text of each declaration: they begin in column 1."""
    return [d.strip() for d in re.split(r"^(?=[a-z])", re.sub(r"(?m)^ *//.*$", "", text), flags=re.M) if d.strip()]


def corpora() -> list[list[str]]:
    files = [ROOT / "grammar" / "scaffold.card", *sorted((ROOT / "tests" / "accept").glob("*.card"))]
    vughex = "".join(p.read_text() for p in sorted((ROOT / "cards" / "vughex").glob("*.card")))
    return [declarations(text) for text in [vughex, *(p.read_text() for p in files)]]


CORPORA = corpora()
VOCABULARY = sorted({t for decls in CORPORA for d in decls for t in TOKEN.findall(d)} | set(WORDS))
PATH = re.compile(r"[a-z_]+(?:\([^()\n]*\))?(?:\.[a-z_]+|\[[^\[\]\n]*\])*")
KEYWORDS = load_tables().reserved
CLASSES = [
    ["+", "-", "*"], ["==", "!=", "<", "<=", ">", ">="], ["+=", "-=", "*=", "="], ["and", "or"],
    ["true", "false", "none"], ["any", "all", "count"], ["min", "max"], ["up", "down"], ["shared", "each player"],
    ["win", "lose"], ["all see", "owner sees", "nobody sees"], ["static", "effect"],
    ["each player list of", "each player one", "shared list of"],
]  # fmt: skip


def mutated(decls: list[str], rng: random.Random) -> str:
    """A game of which one to three declarations are changed a little; now and then one is left out or comes twice."""
    out = list(decls)
    paths = sorted({p for d in decls for p in PATH.findall(d) if p not in KEYWORDS})
    for _ in range(rng.choice((1, 1, 2, 3))):
        i = rng.randrange(1, len(out))
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            change = rng.choice((reworded, reworded, replaced, replaced, replaced, lined, carried, carried, broken))
            out[i] = change(out[i], decls if change is carried else paths, rng)
    if rng.random() < 0.15:
        del out[rng.randrange(1, len(out))]
    if rng.random() < 0.1:
        out.append(out[rng.randrange(len(out))])
    return "\n".join(out) + "\n"


def replaced(text: str, paths: list[str], rng: random.Random) -> str:
    """Something that is named becomes something else that is named."""
    found = [m for m in PATH.finditer(text) if m[0] not in KEYWORDS and m.start()]
    if not found:
        return text
    m = rng.choice(found)
    return text[: m.start()] + rng.choice(paths) + text[m.end() :]


def reworded(text: str, paths: list[str], rng: random.Random) -> str:
    """A number, an operator or a word becomes another of its class."""
    found = [m for m in TOKEN.finditer(text) if m[0].isdigit() or any(m[0] in c for c in CLASSES)]
    if not found:
        return text
    m = rng.choice(found)
    others = ["0", "1", "2", "7", "99"] if m[0].isdigit() else next(c for c in CLASSES if m[0] in c)
    return text[: m.start()] + rng.choice(others) + text[m.end() :]


def lined(text: str, paths: list[str], rng: random.Random) -> str:
    """A line is left out, comes twice or changes its place."""
    lines = text.split("\n")
    whole = [i for i, line in enumerate(lines) if i and line.count("{") == line.count("}") and line.startswith(" ")]
    if not whole:
        return text
    i, j = rng.choice(whole), rng.choice(whole)
    match rng.randrange(3):
        case 0:
            del lines[i]
        case 1:
            lines.insert(j, lines[i])
        case _:
            lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def carried(text: str, decls: list[str], rng: random.Random) -> str:
    """A line, or a statement, of another declaration comes in."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if i and line.startswith("  ")]
    other = rng.choice(decls)
    found = re.findall(r"(?m)^ +\S.*[^{,]$|\{ ([^{}]+) \}", other) if rng.random() < 0.3 else other.split("\n")[1:-1]
    whole = [x for x in found if x.count("{") == x.count("}") and x.count("(") == x.count(")") and x.strip()]
    if not places or not whole:
        return text
    lines.insert(rng.choice(places), rng.choice(whole))
    return "\n".join(lines)


def broken(text: str, paths: list[str], rng: random.Random) -> str:
    """Any word goes, comes again, or becomes any other."""
    tokens = TOKEN.findall(text)
    at = rng.randrange(1, len(tokens))
    match rng.randrange(4):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(at, tokens[at])
        case 2:
            tokens[at] = rng.choice(VOCABULARY)
        case _:
            begin = rng.randrange(1, len(tokens))
            tokens[at:at] = tokens[begin : begin + rng.randrange(1, 6)]
    return " ".join(tokens)


def cases(round: int) -> Iterator[str]:
    rng = random.Random(round)
    for _ in range(CASES):
        yield mutated(rng.choice(CORPORA), rng)


@pytest.mark.parametrize("round", range(ROUNDS))
def test_almost_right(round: int) -> None:
    for text in cases(round):
        try:
            accepted(text)
        except Exception as e:
            raise AssertionError(f"{type(e).__name__}: {e}\n{text}") from e


def accepted(text: str) -> None:
    """Check a program, and play it where it has no error."""
    files = [("fuzz.card", text.encode())]
    try:
        checked = pipeline.analyse(files, None)
    except UsageError:
        return
    render(checked.findings)
    if checked.program is None:
        assert any(f.severity == "error" for f in checked.findings)
        return
    _, game, _ = run_files(files, None)  # its tests may fail
    if game is not None:
        game.limit = MOST_DECISIONS
        played(game)


def played(game: Game) -> None:
    """Play it in one go and step by step: a fault that is told is the game's, an exception of Python is not."""
    for seed in range(2):
        try:
            game.playout(seed)
        except CardError as e:
            assert isinstance(e, CardFault) is False or told(e), e
    try:
        match = game.start(seed=3)
        bot = Random(3)
        while (decision := match.decision) is not None:
            match.choose(bot(decision))
            match.view(0)
    except CardError as e:
        assert isinstance(e, CardFault) is False or told(e), e


def told(fault: CardError) -> bool:
    """Whether the message says what is wrong in the rules: a list that is too short, not an exception of Python."""
    return "the rules cannot be carried out" not in str(fault)


# ---- What is found: mended, and shown in every format


@pytest.mark.parametrize("round", range(ROUNDS // 4))
def test_what_is_mended_is_never_worse(round: int) -> None:
    for text in list(cases(1000 + round))[: CASES if LONG else 5]:
        files = [("fuzz.card", text.encode()), ("more.card", b"\xef\xbb\xbfvalue idel(): int = 1\r\n")]
        try:
            mended_well(files, unsafe=round % 2 == 0)
        except Exception as e:
            raise AssertionError(f"{type(e).__name__}: {e}\n{text}") from e


def looked(files: list[tuple[str, bytes]]) -> list[Finding]:
    return list(pipeline.linted(pipeline.analyse(files, None), lambda path: False).findings)


def mended_well(files: list[tuple[str, bytes]], unsafe: bool) -> None:
    """Only what was mended is different, no more declarations are beyond reading, and again finds nothing to do."""
    try:
        before = looked(files)
    except UsageError:
        return
    mended = mend(files, looked, unsafe)
    after = looked(mended.files)
    assert [render([f]) for f in after] == [render([f]) for f in mended.findings]
    assert bool(mended.changed(files)) == bool(mended.fixed)
    assert all(unsafe or f.finding.fix.safe for f in mended.fixed if f.finding.fix)
    unread = [[f for f in found if f.code.startswith("E0")] for found in (before, after)]
    assert len(unread[1]) <= len(unread[0])
    if not any(f.finding.code.startswith("E0") for f in mended.fixed):
        errors = [{(f.code, f.message) for f in found if f.severity == "error"} for found in (before, after)]
        assert errors[1] <= errors[0]
    assert mend(mended.files, looked, unsafe).fixed == ()
    shown_well(after)


def shown_well(findings: list[Finding]) -> None:
    """Every format takes any findings; what it gives can be read by those it is for."""
    root = "a b/<&>'/"
    assert github.render(findings, root=root).count("\n") >= len(findings)
    assert len(json.loads(gitlab.render(findings, root=root))) == len(findings)
    assert len(json.loads(format_json.render(findings, root=root))["findings"]) == len(findings)
    document = json.loads(sarif.render(findings, root=root))
    assert not list(SARIF.iter_errors(document))
    assert len(ElementTree.fromstring(junit.render(findings, root=root))) == len(findings)
    text = render(findings, root=root)
    assert all(f"[{f.code}]: " in text for f in findings)
