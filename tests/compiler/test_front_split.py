"""Files are cut at their declarations, so that each broken one costs one finding and no other."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cardc import nodes as n
from cardc.findings import Finding
from cardc.parse import parse_file
from cardc.read import decode
from cardc.source import Source
from cardc.split import split
from hypothesis import given, settings
from hypothesis import strategies as st

CORPUS = Path(__file__).with_name("front_corpus.card").read_text(encoding="utf-8")
A = 'card a "A" : unit {\n  power: 1\n}\n'
B = 'card b "B" : unit { power: 2 }\n'
C = "state c: int = 3\n"


def titles(text: str) -> list[str]:
    chunks, _ = split(Source("t.card", text))
    return [chunk.keyword if chunk.name is None else f"{chunk.keyword} {chunk.name}" for chunk in chunks]


def codes(text: str) -> list[tuple[str, int]]:
    """The findings of a file: code and line."""
    source = Source("t.card", text)
    _, findings = parse_file(source)
    for finding in findings:
        assert 0 <= finding.start <= finding.end <= len(text)
    assert findings == sorted(findings, key=Finding.key)
    return [(finding.code, source.line(finding.start)) for finding in findings]


def names(text: str) -> list[str]:
    decls, _ = parse_file(Source("t.card", text))
    return [getattr(decl, "name", None) and decl.name.text for decl in decls]  # type: ignore[union-attr]


# ---- Healthy files


def test_chunks_are_trimmed_and_know_their_titles() -> None:
    rest = 'open enum g { x }\nextend enum g { y }\ntest "t" { }\n// end'
    text = f"// head\n\n{A}// between\n  // indented\n\n{B}{rest}"
    chunks, findings = split(Source("t.card", text))
    assert findings == []
    assert [text[chunk.start : chunk.end] for chunk in chunks] == [
        A.strip(), B.strip(), "open enum g { x }", "extend enum g { y }", 'test "t" { }',
    ]  # fmt: skip
    assert titles(text) == ["card a", "card b", "open enum g", "extend enum g", "test"]


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "// nothing\n", "// nothing", "\f\n", "\r\n\r\n"])
def test_a_file_of_nothing(text: str) -> None:
    assert split(Source("t.card", text)) == ([], [])
    assert parse_file(Source("t.card", text)) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        A + B,
        (A + B).strip(),
        (A + B).replace("\n", "\r\n"),
        A + "\f\n" + B,
        A + "\n\n// x }\n" + B,
        A.replace("\n", "\n\n") + B,
        A.replace("power: 1", 'power: 1 // } "'),
        A.replace('"A"', '"}{(//"') + B,
        'card x "X" : unit {\n  s {\n    if a {\n}\n  }\n}\n' + B,
    ],
)
def test_healthy_files(text: str) -> None:
    assert codes(text) == []
    assert len(titles(text)) == len(names(text)) == text.count("card ")


# ---- Broken ones


@pytest.mark.parametrize(
    ("text", "findings", "healthy"),
    [
        # a closing brace is missing before a real declaration
        ('card x "X" : unit {\n  power: 1\n' + B, [("E002", 2)], ["b"]),
        ("effect f(\n" + B, [("E002", 1)], ["b"]),
        # a line inside starts in column 1: one finding, and the rest is read
        ('card x "X" : unit {\npower: 1\n  diamonds: 2\n}\n' + B, [("E003", 2)], ["x", "b"]),
        ('card x "X" : unit {\npower: 1\ndiamonds: 2\ns { stop }\n}\n' + B, [("E003", 2)], ["x", "b"]),
        ("kind k {\n  state: int\nstate: int\n}\n" + B, [("E003", 3)], ["k", "b"]),
        ("kind k {\n  a: int\nstate b: bool = false\n  c: int\n}\n" + B, [("E003", 3)], ["k", "b"]),
        ("effect f(\na: int,\nb: int\n) { }\n" + B, [("E003", 2)], ["f", "b"]),
        ("value f(): int =\nif a then b else c\n" + B, [("E003", 2)], ["f", "b"]),
        ('effect f() {\n"a"\n}\n' + B, [("E003", 2)], ["b"]),
        # what begins no declaration
        ('crad x "X" : unit {\n  power: 1\n}\n' + B, [("E003", 1)], ["b"]),
        ('crad x "X" : u {\n  power: 1\n}\ncrad y "Y" : u {\n  power: 1\n}\n' + B, [("E003", 1), ("E003", 4)], ["b"]),
        ("stat a: int\nstat b: int\n" + B, [("E003", 1), ("E003", 2)], ["b"]),
        ("once\nthere was\n\na card\n" + B, [("E003", 1), ("E003", 4)], ["b"]),
        (A + "}\n" + B, [("E003", 4)], ["a", "b"]),
        (A + "*** a\nb c\nd\n" + B, [("E003", 4)], ["a", "b"]),
        ("  indented\n" + B, [("E003", 1)], ["b"]),
        ("  indented", [("E003", 1)], []),
        ("\u00e9t\u00e9\n" + B, [("E003", 1)], ["b"]),
        # what belongs to the declaration before
        (A + "  more\n" + B, [("E001", 4)], ["b"]),
        (A + "   " + B, [("E001", 4)], []),
        # a brace too few here, and one too many there
        ("kind k {\n  a: int\n" + B + "}\n" + C, [("E002", 2)], ["b", None]),
        # characters that may stand nowhere
        (A + "// \u0007\n" + B, [("E001", 4)], ["a", "b"]),
        ('card x "\u0007" : unit {}\n' + B, [("E001", 1)], ["b"]),
        ("card x \u0000 : unit {}\n" + B, [("E001", 1)], ["b"]),
        ('card x "X" : unit { // \u0001\n }\n' + B, [("E001", 1)], ["x", "b"]),
        ("\u0007\n" + B, [("E003", 1)], ["b"]),
        (A + "\u001b[31m\n" + B, [("E003", 4)], ["a", "b"]),
    ],
)
def test_each_broken_declaration_has_one_finding(
    text: str, findings: list[tuple[str, int]], healthy: list[str]
) -> None:
    assert codes(text) == findings
    assert names(text) == healthy
    windows = text.replace("\n", "\r\n")
    assert (codes(windows), names(windows)) == (findings, healthy)


def test_the_words_of_findings() -> None:
    def said(text: str) -> tuple[str, str | None]:
        (finding,) = split(Source("t.card", text))[1]
        return finding.message, finding.help

    assert said('card x "X" : unit {\npower: 1\n}')[0] == "a line inside `card x` starts in column 1"
    assert said('test "t" {\nexpect a\n}')[0] == "a line inside `test` starts in column 1"
    assert said("crad x {}") == ("`crad` begins no declaration", "the nearest word that does is `card`")
    assert said("}") == ("`}` closes nothing", "remove it, or open what it closes")
    at_the_end = "only declarations start there: write it at the end of the line before"
    assert said('card x "X" : unit\n{\n  power: 1\n}') == ("a line inside `card x` starts in column 1", at_the_end)
    assert said("- x")[1] == "a declaration begins with a word such as `card`, `value` or `test`"
    assert said("\u0007")[0] == "U+0007 begins no declaration"


BREAKS = {
    "brace": lambda text: text.rstrip()[:-1].rstrip() if text.rstrip().endswith("}") else text + " =",
    "sign": lambda text: text.replace(" ", " = = ", 1),
    "string": lambda text: text.replace('"', "'", 1) if '"' in text else text + " (",
    "word": lambda text: "x" + text,
    "character": lambda text: text.replace(" ", " \u0007 ", 1),
    "column": lambda text: re.sub("\n +", "\n", text, count=1) if re.search("\n +[a-z]+[(:]", text) else "%" + text,
    "escape": lambda text: text.replace('"', r'"\x', 1) if '"' in text else text + " )",
    "number": lambda text: text + " ]" if '"' in text else re.sub(" [0-9]+|$", " " + "9" * 16, text, count=1),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_n_broken_declarations_give_n_findings(kind: str) -> None:
    source = Source("corpus.card", CORPUS)
    texts = [CORPUS[c.start : c.end] for c in split(source)[0]]
    rng = random.Random(kind)
    for count in [1, 2, 5, len(texts)]:
        broken = set(rng.sample(range(len(texts)), count))
        if kind == "string":  # a sign in the middle of a comment or string would not break it
            broken = {i for i in broken if "//" not in texts[i]}
        file = "\n\n".join(BREAKS[kind](text) if i in broken else text for i, text in enumerate(texts))
        decls, findings = parse_file(Source("t.card", file))
        assert len(findings) == len(broken), [(f.code, f.message) for f in findings]
        healthy, _ = parse_file(Source("t.card", "\n\n".join(t for i, t in enumerate(texts) if i not in broken)))
        assert [d for d in decls if d in healthy] == healthy


def test_many_declarations_take_linear_time(calls: Callable[[Callable[[], object]], int]) -> None:
    def cost(count: int, one: str) -> int:
        source = Source("t.card", one * count)
        return calls(lambda: split(source))

    open_ = 'card x "X" : unit {\n  power: 1\n'
    stray = ["crad x {\n", "}\n", "( x\n", "// x\n", "a: int = 3\n\n", "x\n"]
    for one in [A, open_, f"{A}}}\nfoo\n", f"{open_}}}\n}}\n", *stray]:
        cost(1, one)
        small, large = cost(300, one), cost(3_000, one)
        assert small < large < 11 * small, one
        split(Source("t.card", one * 30_000))


# ---- Bytes


def test_decode() -> None:
    for data in [A.encode(), b"\xef\xbb\xbf" + A.encode()]:
        assert decode("x.card", data) == (None, []) or decode("x.card", data)[0].text == A  # type: ignore[union-attr]
    source, findings = decode("x.card", b"\xef\xbb\xbf" + A.encode() + B.encode())
    assert source is not None and not findings
    assert source.path == "x.card"
    assert names(source.text) == ["a", "b"]
    assert decode("x.card", b"")[0] is not None


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"card a\n  \xff", 2, "byte 9 (0xFF), in line 2, is not UTF-8"),
        (b"\xef\xbb\xbf\xe9", 1, "byte 3 (0xE9), in line 1, is not UTF-8"),
        ("caf\u00e9".encode("latin-1"), 1, "byte 3 (0xE9), in line 1, is not UTF-8"),
        (b"a\n\xc3\xa9\n\x00b", 3, "line 3 holds a NUL character, so the file is not text"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 1, "byte 0 (0x89), in line 1, is not UTF-8"),
        ("card".encode("utf-16"), 1, "the file is UTF-16, not UTF-8"),
        ("card".encode("utf-32"), 1, "the file is UTF-32, not UTF-8"),
        (b"\xed\xa0\x80", 1, "byte 0 (0xED), in line 1, is not UTF-8"),
    ],
)
def test_what_is_not_utf_8(data: bytes, line: int, message: str) -> None:
    source, findings = decode("x.card", data)
    assert source is None
    (finding,) = findings
    assert (finding.code, finding.message) == ("E004", message)
    assert finding.source.line(finding.start) == line
    assert 0 <= finding.start <= finding.end <= len(finding.source.text)


# ---- Anything at all

SIGNS = ["\n", "\n  ", " ", "//", '"', "\r\n", "\f", "\u0007", "\u00e9", "V-9"]
WORDS = [*sorted(set(re.findall(r"\w+|[^\w\s]", CORPUS))), *SIGNS]
soups = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join) | st.lists(st.sampled_from(WORDS)).map("".join)
texts = st.text() | soups | st.text(alphabet='\n{}()[]"/\\ a:=', max_size=80)


def check(text: str) -> None:
    source = Source("t.card", text)
    chunks, _ = split(source)
    place = 0
    for chunk in chunks:
        assert place <= chunk.start < chunk.end
        assert chunk.start == 0 or text[chunk.start - 1] == "\n"
        place = chunk.end
    decls, findings = parse_file(source)
    assert len(decls) <= len(chunks)
    for finding in findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.message
        source.column(finding.start)
    if decls == [] and re.search(r"^(?!//)\S", text, re.MULTILINE):
        assert findings


@given(texts)
@settings(deadline=None)
def test_no_text_raises(text: str) -> None:
    check(text)


@given(st.integers(), st.data())
@settings(max_examples=150, deadline=None)
def test_no_change_of_a_healthy_file_raises(seed: int, data: st.DataObject) -> None:
    rng = random.Random(seed)
    text = CORPUS
    start = rng.randrange(len(text))
    text = text[text.rfind("\n", 0, start) + 1 : start + 2_000]
    for _ in range(data.draw(st.integers(1, 4))):
        cut = rng.randrange(len(text) + 1)
        text = text[:cut] + data.draw(texts) + text[cut + rng.choice([0, 1, 7, 60]) :]
    check(text)


@given(st.binary() | texts.map(str.encode) | texts.map(lambda text: text.encode("utf-16")))
@settings(deadline=None)
def test_no_bytes_raise(data: bytes) -> None:
    source, findings = decode("x.card", data)
    assert (source is None) == bool(findings)
    if source is not None:
        check(source.text)


def test_a_tree_has_no_place_that_its_declaration_has_not() -> None:
    decls, _ = parse_file(Source("t.card", A + B + C))
    assert [type(d) for d in decls] == [n.CardDecl, n.CardDecl, n.StateDecl]
    assert decls[1].span == (len(A), len(A + B) - 1)
