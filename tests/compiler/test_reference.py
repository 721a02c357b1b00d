"""`grammar/REFERENCE.md`: every example checks and its tests pass; every misuse gives the code it names; no construct
is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from card_grammar.diagnostics import DIAGNOSTICS
from card_grammar.tables import load_tables
from cardc.nesting import walk
from cardc.parse import parse_file
from cardc.pipeline import base_for
from cardc.source import Source
from cardc.testing import run_files

GRAMMAR = Path(__file__).parents[2] / "grammar"
TEXT = (GRAMMAR / "REFERENCE.md").read_text(encoding="utf-8")
SCAFFOLD = (GRAMMAR / "scaffold.card").read_bytes()
EXAMPLES = [(m[1].split(), m[2]) for m in re.finditer(r"```card([^\n]*)\n(.*?)\n```", TEXT, re.DOTALL)]


def run(words: list[str], example: str, tmp_path: Path):
    if example.startswith("game "):
        return run_files([("example.card", example.encode())], None)
    if "expansion" in words:
        (tmp_path / "scaffold.card").write_bytes(SCAFFOLD)
        head = 'expansion more "More" for tiny { version: "1.0.0" }\n'
        files = [("example.card", (head + example).encode())]
        return run_files(files, base_for(tmp_path, files, tmp_path))
    return run_files([("example.card", example.encode()), ("scaffold.card", SCAFFOLD)], None)


@pytest.mark.parametrize(("words", "example"), EXAMPLES, ids=[e.split("\n")[0][:50] for _, e in EXAMPLES])
def test_example(words, example, tmp_path):
    outcome, game, results = run(words, example, tmp_path)
    codes = {f.code for f in outcome.findings}
    wanted = [w.removeprefix("misuse=") for w in words if w.startswith("misuse=")]
    if wanted:
        assert wanted[0] in codes
        return
    assert not [f.message for f in outcome.findings if DIAGNOSTICS[f.code].severity == "error"]
    assert game is not None and all(r.passed for r in results), [r.message for r in results]
    for seed in range(3):
        assert not game.playout(seed).reason.startswith("stopped: a fault")


def test_every_construct_has_an_example():
    """Each kind of node that a text can have stands in some example or in the scaffold."""
    corpus, findings = parse_file(Source("", (Path(__file__).parent / "front_corpus.card").read_text(encoding="utf-8")))
    assert not findings
    everything = {type(x).__name__ for d in corpus for x in walk(d)}
    shown = set()
    for text in [SCAFFOLD.decode(), *(e for words, e in EXAMPLES if not any("misuse" in w for w in words))]:
        shown |= {type(x).__name__ for d in parse_file(Source("", text))[0] for x in walk(d)}
    left_out = {"ExpansionDecl"}  # its head is put in front of the examples
    assert everything - shown - left_out == set()


def test_reserved_words_are_listed():
    listed = set(re.findall(r"`([a-z]+)`", TEXT.split("## Reserved words")[1]))
    assert listed == set(load_tables().reserved)
