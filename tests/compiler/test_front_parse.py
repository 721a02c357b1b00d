"""The parser reads what Lark reads, builds the tree of it, and says where it cannot."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from card_grammar.tables import Rule, Tables, load_lark, load_tables, read_grammar
from cardc import nodes as n
from cardc.ast_schema import node_classes
from cardc.build import BUILDERS, Builder
from cardc.findings import Finding
from cardc.nesting import walk
from cardc.parse import Misparse, Parser, parse_decl, parse_file
from cardc.source import Source
from cardc.split import split
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

CORPUS = Path(__file__).with_name("front_corpus.card").read_text(encoding="utf-8")


def chunks(text: str) -> list[str]:
    found, findings = split(Source("corpus.card", text))
    assert not findings
    return [text[chunk.start : chunk.end] for chunk in found]


def decl(text: str) -> Any:
    tree, findings = parse_decl(Source("t.card", text), 0, len(text))
    assert not findings, findings
    return tree


def expr(text: str) -> Any:
    return decl(f"value v(): int = {text}").body


def stmt(text: str) -> Any:
    return decl(f"effect e() {{ {text} }}").body.items[0]


def finding(text: str) -> tuple[Finding, str]:
    """The one finding of a declaration, and the text at its place."""
    _, findings = parse_decl(Source("t.card", text), 0, len(text))
    assert len(findings) == 1
    found = findings[0]
    assert 0 <= found.start <= found.end <= len(text)
    return found, text[found.start : found.end]


# ---- Against Lark


class TreeBuilders(Mapping[str, Builder]):
    """Builders that make what Lark's trees say: the rule's name and its children."""

    def __getitem__(self, name: str) -> Builder:
        return lambda children, span: (name, [c.text if isinstance(c, n.Ident) else c for c in children])

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


@cache
def tree_parser() -> Parser:
    return Parser(load_tables(), TreeBuilders(), ())


@cache
def lark_parser() -> Lark:
    return load_lark(read_grammar())


def from_lark(node: Any) -> Any:
    match node:
        case Tree(data=str(name), children=children) | Tree(data=Token(value=name), children=children):
            return str(name), [from_lark(child) for child in children]
        case Token():
            return str(node)
        case _:
            return node


def read_by_both(text: str) -> tuple[Any, Any]:
    """The trees of a declaration as Lark and we make them; None where there is none."""
    try:
        theirs = from_lark(lark_parser().parse(text).children[0])
    except UnexpectedInput:
        theirs = None
    parsed = tree_parser().parse(text, 0, len(text))
    return theirs, None if isinstance(parsed, Misparse) else parsed.tree


@pytest.mark.parametrize("text", chunks(CORPUS), ids=lambda text: " ".join(text.split()[:2]))
def test_the_corpus_reads_as_with_lark(text: str) -> None:
    theirs, ours = read_by_both(text)
    assert theirs is not None
    assert ours == theirs


def sentence(tables: Tables, rng: random.Random, used: set[int], wanted: int) -> str:
    """A random sentence of the grammar in which rule `wanted` is used."""
    costs = rule_costs(tables)
    by_origin: dict[int, list[int]] = {}
    for i, rule in enumerate(tables.rules):
        by_origin.setdefault(rule.origin, []).append(i)
    path = path_to(tables, wanted)
    work: list[tuple[int, int]] = [(~tables.start, 30)]
    words: list[str] = []
    while work:
        symbol, budget = work.pop()
        if symbol >= 0:
            words.append(sample(tables, symbol, rng))
            continue
        if path and tables.rules[path[0]].origin == ~symbol:
            i = path.pop(0)
        else:
            options = by_origin[~symbol]
            least = min(costs[i] for i in options)
            i = rng.choice([i for i in options if costs[i] <= max(least, budget)])
        used.add(i)
        rule = tables.rules[i]
        work.extend((s, budget // 2) for s in reversed(rule.symbols))
    return join(words, rng)


@cache
def rule_costs(tables: Tables) -> list[int]:
    """How deep the shallowest tree of each rule is."""
    costs = [10**6] * len(tables.rules)
    best = [10**6] * len(tables.nonterminals)
    for _ in range(60):
        for i, rule in enumerate(tables.rules):
            costs[i] = 1 + max((best[~s] for s in rule.symbols if s < 0), default=0)
            best[rule.origin] = min(best[rule.origin], costs[i])
    return costs


@cache
def parents(tables: Tables) -> dict[int, int]:
    """For each nonterminal, a rule that leads to it from the start."""
    found: dict[int, int] = {tables.start: -1}
    queue = [tables.start]
    for origin in queue:
        for i, rule in enumerate(tables.rules):
            if rule.origin == origin:
                for symbol in rule.symbols:
                    if symbol < 0 and ~symbol not in found:
                        found[~symbol] = i
                        queue.append(~symbol)
    return found


def path_to(tables: Tables, rule: int) -> list[int]:
    path = [rule]
    while (before := parents(tables)[tables.rules[path[0]].origin]) >= 0:
        path.insert(0, before)
    return path


def sample(tables: Tables, terminal: int, rng: random.Random) -> str:
    found = tables.terminals[terminal]
    if found.kind != "pattern":
        return found.text
    pool = {
        "NAME": ["a", "b_2", "Card", "order", "iffy", "tox", "_", "V", "end", "all", "more"],
        "INT": ["0", "7", "123456789012345"],
        "STRING": ['""', '"a // b"', r'"\"\\\n"', '"é{("'],
        "RULE": ["V-9", "LC-21", "M-31b"],
        "CHANGE": ["+=", "-=", "*="],
        "COMPARE": ["==", "!=", "<", "<=", ">", ">="],
    }
    return rng.choice(pool[found.name])


def join(words: list[str], rng: random.Random) -> str:
    text = ""
    for word in words:
        glued = text and word and (text[-1].isalnum() or text[-1] == "_") and (word[0].isalnum() or word[0] == "_")
        gap = rng.choice([" ", "\n ", "\r\n\t", " // a comment ( \n ", "\f "])
        text += word if not glued and rng.random() < 0.3 and text[-1:] not in "/+-*=<>!.-" else gap + word
    return text.strip()


def test_random_sentences_of_every_rule_read_as_with_lark() -> None:
    tables = load_tables()
    rng = random.Random(4)
    used: set[int] = set()
    read = 0
    for rule in list(range(len(tables.rules))) * 2:
        text = sentence(tables, rng, used, rule)
        theirs, ours = read_by_both(text)
        # A word such as `end` may stand where it is a keyword: then neither reads it, or both read it otherwise.
        assert ours == theirs, text
        read += ours is not None
    assert used == set(range(len(tables.rules)))
    assert read > len(tables.rules)


def test_random_changes_of_the_corpus_read_as_with_lark() -> None:
    rng = random.Random(5)
    texts = chunks(CORPUS)
    pool = [word for text in texts for word in text.split()]
    pool += ["draw :", "if:", "V-9", "V-9ab", "..", "a.b", "x-=1", "/", "\\"]
    for _ in range(1_500):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 2)):
            cut = rng.randrange(len(text) + 1)
            end = min(len(text), cut + rng.choice([0, 0, 1, 5]))
            text = text[:cut] + rng.choice(["", " ", rng.choice(pool), f" {rng.choice(pool)} "]) + text[end:]
        theirs, ours = read_by_both(text)
        assert ours == theirs, text


# ---- Trees


def test_the_corpus_has_every_rule_and_every_kind_of_node() -> None:
    decls, findings = parse_file(Source("corpus.card", CORPUS))
    assert findings == []
    assert {type(node).__name__ for decl in decls for node in walk(decl)} == set(node_classes())
    used: set[str] = set()

    class Watching(TreeBuilders):
        def __getitem__(self, name: str) -> Builder:
            return lambda children, span: used.add(name)

    parser = Parser(load_tables(), Watching(), ())
    for text in chunks(CORPUS):
        assert not isinstance(parser.parse(text, 0, len(text)), Misparse)
    passing = {rule.name for rule in load_tables().rules if all(builds_nothing(r) for r in same_name(rule))}
    assert {rule.name for rule in load_tables().rules} - passing == used
    assert used == set(BUILDERS)


def same_name(rule: Rule) -> list[Rule]:
    return [r for r in load_tables().rules if r.name == rule.name]


def builds_nothing(rule: Rule) -> bool:
    return rule.name.startswith("__") or (rule.expand and len(rule.keep) == 1) or rule.origin == load_tables().start


def test_spans_go_from_the_first_token_to_the_last() -> None:
    decls, _ = parse_file(Source("corpus.card", CORPUS))
    for tree in decls:
        for node in walk(tree):
            start, end = node.span
            text = CORPUS[start:end]
            assert text and text == text.strip()
            match node:
                case n.Ident(said) | n.Name(said):
                    assert " ".join(text.split()) == said
                case n.Number(value):
                    assert int(text) == value
                case n.Text():
                    assert text[0] == text[-1] == '"'
                case n.Block():
                    assert text[0] == "{" or text.startswith("if ")
                    assert text[-1] == "}"
                case n.Truth() | n.Nothing():
                    assert text in ("true", "false", "none")
                case _:
                    pass
            for child in walk(node)[1:]:
                assert start <= child.span[0] <= child.span[1] <= end


def test_crlf_and_lf_give_the_same_tree() -> None:
    unix, _ = parse_file(Source("a.card", CORPUS))
    windows, findings = parse_file(Source("a.card", CORPUS.replace("\n", "\r\n")))
    assert findings == []
    assert windows == unix


def name(text: str) -> n.Name:
    return n.Name(text)


def ident(text: str) -> n.Ident:
    return n.Ident(text)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 - 3", n.Binary("-", n.Binary("+", n.Number(1), n.Number(2)), n.Number(3))),
        ("1 + 2 * 3", n.Binary("+", n.Number(1), n.Binary("*", n.Number(2), n.Number(3)))),
        ("a - -b", n.Binary("-", name("a"), n.Unary("-", name("b")))),
        ("not a and b or c", n.Binary("or", n.Binary("and", n.Unary("not", name("a")), name("b")), name("c"))),
        ("a has b", n.Binary("has", name("a"), name("b"))),
        ("(a)", name("a")),
        ("-a.b[1]", n.Unary("-", n.Index(n.Member(name("a"), ident("b")), n.Number(1)))),
        ("a is none", n.Is(name("a"), False, ident("none"))),
        ("a is not empty", n.Is(name("a"), True, ident("empty"))),
        ("a is not unit", n.Is(name("a"), True, ident("unit"))),
        ("a is not in b", n.Is(name("a"), True, ident("in"), name("b"))),
        ("f(1, x: none)", n.Call(ident("f"), (n.Arg(None, n.Number(1)), n.Arg(ident("x"), n.Nothing())))),
        ("f()", n.Call(ident("f"), ())),
        ("a.f(1)", n.Method(name("a"), ident("f"), (n.Arg(None, n.Number(1)),))),
        ("count(x in s)", n.Aggregate(ident("count"), None, ident("x"), name("s"), None)),
        ("sum(x for x in s where t)", n.Aggregate(ident("sum"), name("x"), ident("x"), name("s"), name("t"))),
        ("[x for x in s]", n.Listing(name("x"), ident("x"), name("s"), None)),
        ("[]", n.ListLit(())),
        ("[1, 2,]", n.ListLit((n.Number(1), n.Number(2)))),
        ("the x in s where t", n.The(ident("x"), name("s"), name("t"))),
        ("random from s", n.Random(None, name("s"))),
        ("random 2 from s", n.Random(n.Number(2), name("s"))),
        ("new oracle", n.New(ident("oracle"))),
        ("if a then true else false", n.IfExpr(name("a"), n.Truth(True), n.Truth(False))),
        (r'"a\"b\\c\nd"', n.Text('a"b\\c\nd')),
        ("tox", name("tox")),
        ("top(x)", n.Call(ident("top"), (n.Arg(None, name("x")),))),
        ("a.draw", n.Member(name("a"), ident("draw"))),
        ("000000000000007", n.Number(7)),
    ],
)
def test_expressions(text: str, tree: n.Expr) -> None:
    assert expr(text) == tree


NO_BLOCK = n.Block(())


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a.b = 1", n.Assign(n.Member(name("a"), ident("b")), "=", n.Number(1))),
        ("f(x) += 1", n.Modifier(n.Call(ident("f"), (n.Arg(None, name("x")),)), "+=", n.Number(1), None, 0)),
        ("f() = 1 when a priority -2", n.Modifier(n.Call(ident("f"), ()), "=", n.Number(1), name("a"), -2)),
        ("f().a = 1", n.Assign(n.Member(n.Call(ident("f"), ()), ident("a")), "=", n.Number(1))),
        ("f()", n.CallStmt(n.Call(ident("f"), ()))),
        ("move a to bottom of b facing up", n.Move(name("a"), name("b"), True, name("up"))),
        ("move a to b", n.Move(name("a"), name("b"), False, None)),
        ("if a {}", n.If(name("a"), NO_BLOCK, None)),
        ("if a {} else {}", n.If(name("a"), NO_BLOCK, NO_BLOCK)),
        ("if a {} else if b {}", n.If(name("a"), NO_BLOCK, n.Block((n.If(name("b"), NO_BLOCK, None),)))),
        (
            "for each x in s from p where c by k {}",
            n.ForEach(ident("x"), name("s"), name("p"), name("c"), name("k"), NO_BLOCK),
        ),
        ("together {}", n.Together(None, None, None, NO_BLOCK)),
        ("together each p in s from q {}", n.Together(ident("p"), name("s"), name("q"), NO_BLOCK)),
        ("repeat 2 as r {}", n.Repeat(n.Number(2), ident("r"), NO_BLOCK)),
        ("loop as r {}", n.Loop(ident("r"), NO_BLOCK)),
        ("alternate p from q as t while c {}", n.Alternate(ident("p"), name("q"), ident("t"), name("c"), NO_BLOCK)),
        ("win p.q", n.Finish("win", n.Member(name("p"), ident("q")), None)),
        ('tie "so"', n.Finish("tie", None, n.Text("so"))),
        ("until used {}", n.Until(None, NO_BLOCK)),
        ("until end of turn {}", n.Until(ident("turn"), NO_BLOCK)),
        ("once per turn {}", n.Once(ident("turn"), NO_BLOCK)),
        ("on e() {}", n.On(n.Call(ident("e"), ()), None, 0, NO_BLOCK, ())),
        (
            "on e() when a priority 2 may v {}",
            n.On(
                n.Call(ident("e"), ()), name("a"), 2, None, (n.Alternative(ident("v"), (), None, None, NO_BLOCK),)
            ),
        ),
        ("instead of e() {}", n.Instead(n.Call(ident("e"), ()), None, 0, NO_BLOCK)),
        (
            "p may choose v x: 0..n, maybe y where c \"V\" when t {} else {}",
            n.Choose(
                name("p"),
                True,
                (
                    n.Alternative(
                        ident("v"),
                        (
                            n.Pick(False, ident("x"), n.RangeType(n.Number(0), name("n")), None, None),
                            n.Pick(True, ident("y"), None, None, name("c")),
                        ),
                        n.Text("V"),
                        name("t"),
                        NO_BLOCK,
                    ),
                ),
                NO_BLOCK,
            ),
        ),
    ],
)  # fmt: skip
def test_statements(text: str, tree: n.Item) -> None:
    assert stmt(text) == tree


def test_declarations() -> None:
    assert decl("open enum e (a: int) { x(1), y }") == n.EnumDecl(
        ident("e"),
        True,
        False,
        (n.Field(ident("a"), n.NamedType(ident("int")), None, (), None),),
        (n.EnumMember(ident("x"), (n.Number(1),)), n.EnumMember(ident("y"), ())),
    )
    assert decl("bot value v(p: player): int = 1") == n.ValueDecl(
        ident("v"), (n.Field(ident("p"), n.NamedType(ident("player")), None, (), None),), n.NamedType(ident("int")),
        n.Number(1), True,
    )  # fmt: skip
    assert not decl("value v(): int = 1").bot
    assert decl("extend enum e { x }") == n.EnumDecl(ident("e"), False, True, (), (n.EnumMember(ident("x"), ()),))
    assert decl('state s: -3..3 = 0, owner sees "h"').field == n.Field(
        ident("s"),
        n.RangeType(n.Unary("-", n.Number(3)), n.Number(3)),
        n.Number(0),
        (ident("owner sees"),),
        n.Text("h"),
    )
    kind = decl("kind k : b { flag f  a: int  state s: bool  slot t: static in z when c  d: int }")
    assert [f.name.text for f in kind.fields] == ["a", "d"]
    assert [f.name.text for f in kind.states] == ["s"]
    assert [f.name.text for f in kind.flags] == ["f"]
    assert kind.slots == (n.SlotDecl(ident("t"), (), "static", ident("z"), name("c"), None),)
    assert kind.base == ident("b")
    place = decl("zone z: each player list of u at most 2, owner sees").place
    assert place == n.PlaceSpec(True, False, ident("u"), n.Number(2), "owner")
    assert decl("zone z: shared one u, all see top").place == n.PlaceSpec(False, True, ident("u"), None, "top")
    board = decl("board b: 3 of e { f: int  p: shared list of u, nobody sees }")
    assert (board.size, board.element) == (3, ident("e"))
    assert [p.place.sight for p in board.places] == ["nobody"]
    board = decl("board b: floating grid 4 by 3 either way of e { }")
    assert (board.size, board.height, board.floating, board.either) == (4, 3, True, True)
    assert decl("board b { }").size is None
    assert decl("value v(p: 0 or more): set of x? = y").type == n.OptionalType(n.SetType(n.NamedType(ident("x"))))
    given = "given { chance shuffle d 1 = [] }"
    test = decl(f'test "t" covers V-9, LC-21 {{ {given} me cannot choose x(1) expect no result }}')
    assert [rule.text for rule in test.covers] == ["V-9", "LC-21"]
    assert test.items[0].items[0].name == ident("shuffle d 1")
    assert test.items[1] == n.Answer(name("me"), True, ident("x"), (n.Arg(None, n.Number(1)),))
    assert test.items[2] == n.ExpectEnd("no", None, None)


def test_a_card_keeps_the_order_of_its_lines() -> None:
    lines = decl('card c "C" : k { draw: 1 s { } fast on: 2 }').lines
    assert [type(line) for line in lines] == [n.CardField, n.CardSlot, n.CardFlag, n.CardField]
    assert [line.name.text for line in lines] == ["draw", "s", "fast", "on"]


# ---- Findings


@pytest.mark.parametrize(
    ("text", "at", "message", "help"),
    [
        ("value f(): int = = 3", "=", "`=` is not expected here", "expected an expression"),
        ("value f(): int =", "=", "the declaration ends too early", "expected an expression"),
        ("card 3", "3", "`3` is not expected here", "expected a name"),
        ('card x "X" : u { power 3 }', "3", "`3` is not expected here", None),
        ("effect f() { x y }", "y", "`y` is not expected here", None),
        ("effect f() { hurt(1 }", "}", "`}` is not expected here", "expected `for`, `)`, `,` or an operator"),
        ("state x: ]", "]", "`]` is not expected here", "nothing is open that it could close"),
        ("foo", "foo", "`foo` is not expected here", "expected a declaration"),
        ('effect f() { "a" }', '"a"', "a string is not expected here", "expected a statement or `}`"),
        ("value f(): int = 1.5", "5", "`5` is not expected here", "numbers are whole"),
        ("zone z: shared list of u, foo", "foo", "`foo` is not expected here", "expected `all`, `nobody` or `owner`"),
        ("effect f() { draw from a to b }", "from", None, "say how many: `draw 1 from … to …`"),
        ('test "t" covers V1 {}', "V1", "`V1` is not expected here", "expected a rule such as `V-9`"),
        ("effect f() {} }", "}", "`}` is not expected here", "nothing is open that it could close"),
        ("", "", "there is no declaration", "expected a declaration"),
        ("effect f() { x = 3; }", ";", "the character `;` is not used in the language", None),
        ("effect f() { x = 3 \u0007 }", "\u0007", "the character U+0007 is not used in the language", None),
        ("effect f() { x = 3 \u200b }", "\u200b", "the character U+200B is not used in the language", None),
        ("effect f() { x = \u201ca\u201d }", "\u201c", "the character `\u201c` is not used in the language", None),
        (r'option a: int = 1 "x\q"', r"\q", r"`\q` is not an escape of the language", None),
        (r'option a: int = 1 "\\\t"', r"\t", r"`\t` is not an escape of the language", None),
        ('option a: int = 1 "x\u0001"', "\u0001", "the character U+0001 is not allowed in a string", None),
        ("effect f() { a.b += 1 when c }", "c", None, "`if` makes a statement depend on a condition"),
        ("effect f() { a = 1 priority 3 }", "3", None, "`if` makes a statement depend on a condition"),
        ('test "t" { given { a += 1 } }', "a += 1", "`+=` is not expected in `given`", "`given` sets with `=`"),
        ('test "t" { given { f(x) = 1 } }', "f(x)", "`f(…)` is a call, and `given` cannot set it", None),
    ],
)
def test_syntax(text: str, at: str, message: str | None, help: str | None) -> None:
    found, place = finding(text)
    assert found.code == "E001"
    assert place == at
    assert message is None or found.message == message
    assert help is None or found.help == help


def test_a_help_names_at_most_six_things() -> None:
    texts = ["effect f() { x = 3 ]", "card", "kind k { ]", "effect f() { for each x in y ] }", "board b { a: ]", "]"]
    for found, _ in map(finding, texts):
        assert found.help is not None
        assert found.help.count(",") + found.help.count(" or ") <= 5
        assert "_" not in found.help


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ('card x "X" : u {\n  power: 2\n', '{'),
        ("value f(): int = ((1 + 2)", "("),
        ("value f(): list of int = [1, 2", "["),
        ("effect f() {\n  if a {\n    b()\n}", "{"),
        ('card x "X" : u {\n  s { draw 1 from a to b\n  t { stop }\n}', "{"),
    ],
)
def test_unclosed(text: str, opened: str) -> None:
    found, place = finding(text)
    assert found.code == "E002"
    assert found.message == f"`{opened}` is still open where the declaration ends"
    (label,) = found.labels
    assert text[label.start : label.end] == opened
    assert place == text.rstrip()[-1]


def test_the_brace_that_is_not_closed_is_found_by_its_indentation() -> None:
    text = 'card x "X" : u {\n  s { draw 1 from a to b\n  t { stop }\n}'
    found, _ = finding(text)
    assert found.source.line(found.labels[0].start) == 2


def test_a_wrong_closing_bracket_shows_the_one_that_is_open() -> None:
    found, _ = finding("effect f() { hurt(1 }")
    (label,) = found.labels
    assert (label.start, label.text) == (17, "`(` is open")


def test_an_unclosed_string() -> None:
    found, place = finding('card x "X : u {\n  power: 2\n}')
    assert (found.code, place, found.message) == ("E002", '"X : u {', "the string is not closed")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("value f(): int = " + "(" * 10_000 + "x" + ")" * 10_000, "x"),
        ("value f(): int = " + "not " * 10_000 + "x", None),
        ("value f(): int = " + "-" * 10_000 + "x", None),
        ("value f(): int = a" + ".b" * 10_000, None),
        ("value f(): int = a" + "[0]" * 10_000, None),
        ("value f(): int = " + "f(" * 10_000 + ")" * 10_000, None),
        ("value f(): int = " + "[" * 10_000 + "]" * 10_000, None),
        ("value f(): int = " + "if a then b else " * 10_000 + "c", None),
        ("value f(): int = " + "if a then " * 65 + "b" + " else c" * 65, None),
        ("value f(): int = 1" + " * 1" * 65, None),
        ("value f(): int = " + "1 + (" * 40 + "1" + ")" * 40, None),
        ("value f(): " + "set of " * 10_000 + "int = 1", None),
        ("value f(): int = 1" + " + 1" * 2_000, None),
        ("value f(): int = a" + " and a" * 5_000, None),
        ("effect f() { a = " + "(" * 65 + "x" + ")" * 65 + " }", "x"),
        ("effect f() " + "{ if a " * 65 + "{}" + "}" * 65, None),
        ("effect f() " + "{ if a " * 10_000 + "{}" + "}" * 10_000, None),
        ("effect f() { if a {} " + "else if a {} " * 64 + "}", None),
        ('card c "C" : k { ' + "form f() { " * 10_000 + "}" * 10_001, None),
        ("value f(): int = a" + ".b()" * 10_000, None),
    ],
    ids=lambda text: (text or "")[11:30],
)
def test_too_deep(text: str, place: str | None) -> None:
    found, at = finding(text)
    assert found.code == "E005"
    assert place in (None, at)


@pytest.mark.parametrize(
    "text",
    [
        "value f(): int = " + "(" * 64 + "x" + ")" * 64,
        "value f(): int = " + "not " * 64 + "x",
        "value f(): int = a" + ".b" * 64,
        "value f(): int = 1" + " * 1" * 64,
        "value f(): int = 1" + " + 1" * 1_999,
        "value f(): int = a" + " or a" * 1_999,
        "value f(): int = (a" + " and a" * 1_999 + ") or b" + " or (1 - 2) - 3 == 0" * 900,
        "value f(): " + "set of " * 64 + "int = 1",
        "value f(): list of int = [" + "1, " * 20_000 + "]",
        "effect f() " + "{ if a " * 63 + "{}" + "}" * 63,
        "effect f() { if a {} " + "else if a {} " * 62 + "}",
        "effect f() { " + "if a { b = (1 + 2) } " * 5_000 + "}",
        "effect f() { a = f(" + "(a.b + 1), " * 3_000 + ") }",
    ],
    ids=lambda text: text[11:30],
)
def test_deep_enough(text: str) -> None:
    assert parse_decl(Source("t.card", text), 0, len(text))[1] == []


def test_an_open_nest_is_not_closed_rather_than_too_deep() -> None:
    assert finding("value f(): int = " + "(" * 10_000)[0].code == "E002"
    assert finding("value f(): int = " + "(" * 10_000 + "]" * 10_000)[0].code in ("E001", "E002")


def test_a_number_has_at_most_15_digits() -> None:
    assert expr("123456789012345") == n.Number(123456789012345)
    found, at = finding("value f(): int = 1234567890123456")
    assert (found.code, at) == ("E006", "1234567890123456")
    assert finding("value f(): int = " + "9" * 100_000)[0].code == "E006"
    assert finding("zone z: shared list of u at most 1234567890123456, all see")[0].code == "E006"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("effect from() {}", "from"),
        ("value top(): int = 1", "top"),
        ("effect f() { let the = 3 }", "the"),
        ("effect f() { for each where in x {} }", "where"),
        ("enum if { a }", "if"),
        ("enum e { a, none }", "none"),
        ("option o: { true, a } = a \"h\"", "true"),
        ("enum e { a, if }", "if"),
        ("extend enum e { random }", "random"),
        ("option not: int = 3 \"h\"", "not"),
        ("state new: int", "new"),
        ("state draw: int", "draw"),
        ("kind k { slot on: static in z }", "on"),
        ("kind k { flag stop }", "stop"),
        ("zone random: shared list of u, all see", "random"),
        ("effect f(a: int, the: int) {}", "the"),
        ("effect f() { p choose v none: 0..3 {} }", "none"),
        ('card x "X" : when {}', "when"),
        ("effect f() { let from x }", "from"),
    ],
)  # fmt: skip
def test_a_reserved_word_is_no_name(text: str, word: str) -> None:
    found, at = finding(text)
    assert (found.code, at, found.message) == ("E007", word, f"`{word}` is a reserved word")


@pytest.mark.parametrize(
    "text",
    [
        "kind k { draw: int  if: bool }",
        'card x "X" : u { draw: 1  if: true  on: 2 }',
        "value f(p: int): int = p.draw + p.if.not",
        "effect f() { p choose draw { } or move c: u in h { } }",
        'test "t" { given { chance shuffle pile = [] } me chooses draw  me cannot choose move(draw: 1) }',
        "zone draw: each player list of u, all see",
        "value f(): int = g(if: 1, not : 2)",
        "value end(): int = all + score",
        'option o: { tie, alternate } = tie "h"',
        "open enum e (n: int) { in(1), move(2), end(3) }",
        "effect f() { if o == tie { tie } else { g(win)  x = draw  draw 1 from a to b } }",
    ],
)
def test_a_reserved_word_is_a_name_where_nothing_else_can_be_meant(text: str) -> None:
    assert parse_decl(Source("t.card", text), 0, len(text))[1] == []


def test_a_declaration_named_by_a_reserved_word_is_still_read() -> None:
    text = "effect from() {}"
    tree, findings = parse_decl(Source("t.card", text), 0, len(text))
    assert isinstance(tree, n.EffectDecl)
    assert len(findings) == 1


def test_a_part_of_a_text_keeps_the_places_of_the_text() -> None:
    text = "garbage ( state s: int = 1 garbage"
    tree, findings = parse_decl(Source("t.card", text), 10, 26)
    assert findings == []
    assert tree is not None
    assert tree.span == (10, 26)
    _, findings = parse_decl(Source("t.card", text), 10, 24)
    assert text[findings[0].start : findings[0].end] == "="


def test_reading_imports_neither_lark_nor_jsonschema() -> None:
    code = (
        "import sys; from cardc.parse import parse_file; from cardc.source import Source; import cardc.ast_json\n"
        "assert not parse_file(Source('a', 'state s: int'))[1]; assert parse_file(Source('a', 'state s int'))[1]\n"
        "assert not {'lark', 'jsonschema', 'jinja2', 'click'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
