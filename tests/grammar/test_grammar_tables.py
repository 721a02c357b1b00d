"""The grammar is sound, and what was made from it is fresh."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from card_grammar import tables
from card_grammar.tables import END, GRAMMAR_PATH, TABLES_PATH, load_lark, load_tables, make_tables, read_grammar
from lark.exceptions import GrammarError


def test_the_tables_are_those_of_the_grammar() -> None:
    # Loading is strict: a conflict or a collision of terminals would be an error here.
    made = tables.dump_tables(make_tables(read_grammar()))
    assert made == Path(TABLES_PATH).read_text(encoding="utf-8"), "run: python -m card_grammar.tables"
    assert json.loads(made)["grammar"] == tables.grammar_hash(read_grammar())


@pytest.mark.parametrize("seed", ["0", "7"])
def test_the_tables_do_not_depend_on_the_hash_seed(seed: str) -> None:
    code = "from card_grammar.tables import *; print(dump_tables(make_tables(read_grammar())), end='')"
    env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
    made = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout
    assert made.decode("utf-8").splitlines() == Path(TABLES_PATH).read_text(encoding="utf-8").splitlines()


def test_a_conflict_is_refused() -> None:
    with pytest.raises(GrammarError):
        load_lark('start: a | b\na: "x"\nb: "x"\n')


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("NAME: /[A-Za-z_][A-Za-z0-9_]*/", "NAME: /[A-Z]+/"), "exactly one terminal"),
        (("_ZONE.2:", "_ZONE.-1:"), "lower priority"),
        (("INT: /[0-9]+/", "INT: /([0-9])+/"), "has a group"),
        (('OVER: "/"', 'OVER: "7"'), "also matched by a pattern"),
    ],
)
def test_a_grammar_that_the_lexer_could_not_follow_is_refused(change: tuple[str, str], message: str) -> None:
    changed = read_grammar().replace(*change)
    assert changed != read_grammar()
    with pytest.raises(ValueError, match=message):
        make_tables(changed)


def test_the_reserved_words_are_keywords_where_a_name_could_stand() -> None:
    t = load_tables()
    expected = set()
    for state in t.states:
        accepted = {x for x, _ in state.shifts} | {x for _, those in state.reductions for x in those}
        if t.name in accepted:
            expected |= {t.terminals[x].text for x in accepted - {t.end} if t.terminals[x].kind == "word"}
    assert t.reserved == expected
    assert {"from", "if", "not", "where"} <= t.reserved
    assert not {"card", "zone", "end", "more"} & t.reserved


def test_the_loaded_tables_are_whole() -> None:
    t = load_tables()
    assert t.terminals[t.name].name == "NAME"
    assert END not in {x.name for x in t.terminals}
    assert {t.terminals[i].name for i in t.ignored} == {"WS", "COMMENT"}
    for rule in t.rules:
        assert all(-len(t.nonterminals) <= s < len(t.terminals) for s in rule.symbols)
        assert all(0 <= i < len(rule.symbols) for i, _, _ in rule.keep)
    for state in t.states:
        assert all(0 <= to < len(t.states) for _, to in state.shifts + state.gotos)
        assert all(0 <= rule < len(t.rules) for rule, _ in state.reductions)


def test_an_unknown_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.json"
    path.write_text('{"format": 0}', encoding="utf-8")
    monkeypatch.setattr(tables, "TABLES_PATH", str(path))
    with pytest.raises(ValueError, match="format 0"):
        load_tables.__wrapped__()


def test_loading_the_tables_imports_no_lark() -> None:
    code = "import sys, card_grammar.tables as t; t.load_tables(); assert 'lark' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_keyword_ends_at_a_word_boundary_and_is_never_followed_by_a_colon() -> None:
    text = Path(GRAMMAR_PATH).read_text(encoding="utf-8")
    words = re.findall(r"^_?([A-Z]+)\.2: /(.*)/$", text, re.MULTILINE)
    assert len(words) == sum(t.kind == "word" for t in load_tables().terminals)
    for name, regex in words:
        assert regex == name.lower() + r"(?![A-Za-z0-9_])(?!\s*:)"
