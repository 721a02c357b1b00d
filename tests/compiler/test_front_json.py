"""The AST as JSON: there and back, and everything that a `.card.json` file may have wrong."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from card_grammar.diagnostics import DIAGNOSTICS
from cardc import json_text
from cardc import nodes as n
from cardc.ast_json import MOST_FINDINGS, SCHEMA_PATH, from_json, parse_json, to_json
from cardc.ast_schema import _WORDS, make_schema, node_classes, shapes
from cardc.findings import Finding
from cardc.nesting import walk
from cardc.parse import parse_file
from cardc.source import Source
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

CORPUS = Path(__file__).with_name("front_corpus.card").read_text(encoding="utf-8")


def parsed(text: str) -> tuple[list[n.Decl], Source]:
    source = Source("t.card", text)
    decls, findings = parse_file(source)
    assert findings == []
    return decls, source


def value_of(text: str) -> Any:
    return json.loads(json_text.write(to_json(*parsed(text))))


def spans(decls: list[n.Decl]) -> list[tuple[int, int]]:
    return [node.span for decl in decls for node in walk(decl)]


def read(text: str) -> tuple[list[n.Decl], list[Finding]]:
    return parse_json(Source("t.card.json", text))


# ---- There and back


def test_the_schema_is_that_of_the_nodes() -> None:
    made = json_text.write(make_schema())
    assert made == Path(SCHEMA_PATH).read_text(encoding="utf-8"), "run: python -m cardc.ast_json"
    Draft202012Validator.check_schema(json.loads(made))


def test_the_schema_never_guesses_which_node_is_meant() -> None:
    text = Path(SCHEMA_PATH).read_text(encoding="utf-8")
    assert "oneOf" not in text
    assert "anyOf" not in text
    for name, part in make_schema()["$defs"].items():
        if name in node_classes():
            assert part["additionalProperties"] is False
            assert list(part["properties"]) == ["node", *(field.name for field in shapes()[name]), "span"]


def test_the_corpus_comes_back_as_it_was() -> None:
    decls, source = parsed(CORPUS)
    value = json.loads(json_text.write(to_json(decls, source)))
    assert value["format"] == 1
    assert value["file"] == "t.card"
    back, findings = from_json(value, "t.card.json")
    assert findings == []
    assert back == decls
    assert spans(back) == spans(decls)


def test_the_corpus_is_valid_by_plain_jsonschema() -> None:
    validator = Draft202012Validator(json.loads(Path(SCHEMA_PATH).read_text(encoding="utf-8")))
    value = value_of(CORPUS)
    assert list(validator.iter_errors(value)) == []
    value["declarations"][0]["name"]["text"] = "a b"
    (error,) = validator.iter_errors(value)
    assert list(error.absolute_path) == ["declarations", 0, "name", "text"]


def test_a_file_is_read_with_places_in_itself() -> None:
    text = json_text.write(to_json(*parsed(CORPUS)))
    decls, findings = read(text)
    assert findings == []
    assert decls == parsed(CORPUS)[0]
    for decl in decls:
        for node in walk(decl):
            start, end = node.span
            assert text[start:end].startswith("{") and json.loads(text[start:end])["node"] == type(node).__name__


def test_spans_and_the_name_of_the_file_may_be_left_out() -> None:
    name = {"node": "Ident", "text": "x"}
    number = {"node": "NamedType", "name": name}
    field = {"node": "Field", "name": name, "type": number, "default": None, "marks": [], "help": None}
    decls, findings = from_json({"format": 1, "declarations": [{"node": "StateDecl", "field": field}]}, "x")
    assert findings == []
    assert decls == parsed("state x: x")[0]
    assert decls[0].span == (0, 0)


def test_every_word_of_the_schema_is_one_that_the_parser_makes() -> None:
    made: dict[tuple[str, str], set[str]] = {}
    for decl in parsed(CORPUS)[0]:
        for node in walk(decl):
            for field in shapes()[type(node).__name__]:
                content = getattr(node, field.name)
                for item in content if field.many else (content,):
                    said = item.text if isinstance(item, n.Ident) else item
                    made.setdefault((type(node).__name__, field.name), set()).add(said if isinstance(said, str) else "")
    for key, words in _WORDS.items():
        assert made[key] == set(words), key


def test_a_long_chain_comes_back() -> None:
    decls, source = parsed("value f(): int = 1" + " + 1" * 1_999)
    text = json_text.write(to_json(decls, source))
    back, findings = read(text)
    assert findings == []
    assert json_text.write(to_json(back, source)).count('"Binary"') == 1_999


# ---- Findings

CARD = 'card x "X" : u { a: 1 + 2 s { if a { b = f(c) } p choose v n: 0..3 { } } }'


def at(value: Any, path: list[str | int]) -> Any:
    for key in path:
        value = value[key]
    return value


DECL: list[str | int] = ["declarations", 0]
LINE: list[str | int] = [*DECL, "lines", 0, "value"]
BLOCK: list[str | int] = [*DECL, "lines", 1, "body", "items"]
ITEMS = "/declarations/0/lines/1/body/items"
LEAF = {"node": "Nothing"}


@pytest.mark.parametrize(
    ("path", "key", "new", "pointer", "phrase"),
    [
        (DECL, "kind", ..., "/declarations/0", "`kind` is missing in `CardDecl`"),
        (DECL, "extra", 1, "/declarations/0/extra", "`extra` is no field of `CardDecl`"),
        (DECL, "name", 5, "/declarations/0/name", "`5` stands where an object is needed"),
        (DECL, "lines", {}, "/declarations/0/lines", "an object stands where a list is needed"),
        (DECL, "lines", [LEAF], "/declarations/0/lines/0/node", "`Nothing` may not stand here"),
        (DECL, "node", "Foo", "/declarations/0/node", "`Foo` may not stand here"),
        (DECL, "span", [1], "/declarations/0/span", "a list of 1 stands where a list of 2 is needed"),
        (DECL, "span", [1, "x"], "/declarations/0/span/1", "`x` stands where a whole number is needed"),
        (DECL, "span", [-1, 2], "/declarations/0/span/0", "-1 is too small"),
        ([*DECL, "name"], "text", "a b", "/declarations/0/name/text", "`a b` is not a name"),
        ([*DECL, "name"], "text", "a\n", "/declarations/0/name/text", "the string is not a name"),
        ([*DECL, "name"], "text", "\u00e9", "/declarations/0/name/text", "`\u00e9` is not a name"),
        ([*DECL, "name"], "text", None, "/declarations/0/name/text", "`null` stands where a string is needed"),
        ([*DECL, "title"], "value", "\u0007", "/declarations/0/title/value", "the string holds a character that"),
        (LINE, "op", "**", "/declarations/0/lines/0/value/op", "`**` is none of the words for it"),
        (LINE, "left", {"node": "Block", "items": []}, "/declarations/0/lines/0/value/left/node", "`Block` may not"),
        (LINE, "left", {"node": "Name", "id": "if"}, "/declarations/0/lines/0/value/left/id", "`if` is not a name of"),
        (LINE, "left", {"node": "Number", "value": -1}, "/declarations/0/lines/0/value/left/value", "-1 is too small"),
        (LINE, "left", {"node": "Number", "value": True}, "/declarations/0/lines/0/value/left/value", "`true` stands"),
        (LINE, "left", {"node": ["Name"]}, "/declarations/0/lines/0/value/left/node", "a list may not stand here"),
        (LINE, "left", [[[]]], "/declarations/0/lines/0/value/left", "a list stands where an object is needed"),
        ([], "format", 2, "/format", "`2` stands where `1` is needed"),
        ([], "declarations", ..., "", "`declarations` is missing in the object"),
        ([], "more", None, "/more", "`more` is no field of the object"),
        # forms that no text has
        ([*BLOCK, 0, "then", "items", 0], "target", LEAF, f"{ITEMS}/0/then/items/0/target", "what is assigned"),
        ([*BLOCK, 1], "alternatives", [], f"{ITEMS}/1/alternatives", "a choice has alternatives"),
        ([*BLOCK, 1], "who", LEAF, f"{ITEMS}/1/who", "who chooses is a name"),
        (
            [*BLOCK, 1, "alternatives", 0, "picks", 0],
            "type",
            None,
            f"{ITEMS}/1/alternatives/0/picks/0/type",
            "a pick without `maybe` has a type",
        ),
    ],
)  # fmt: skip
def test_what_the_schema_forbids(path: list[str | int], key: str, new: Any, pointer: str, phrase: str) -> None:
    value = value_of(CARD)
    if new is ...:
        del at(value, path)[key]
    else:
        at(value, path)[key] = new
    decls, (finding,) = from_json(value, "t.card.json")
    assert decls == []
    assert finding.code == "E008"
    assert finding.message.startswith(phrase)
    assert finding.message.endswith(f", at `{pointer}`" if pointer else ", at the root")
    shown = finding.source.text[finding.start : finding.end]
    assert json.loads(shown) == at(value, [int(k) if k.isdigit() else k for k in pointer.split("/")[1:]])


@pytest.mark.parametrize(
    "item",
    [
        {"node": "Finish", "kind": "win", "player": None, "reason": None},
        {"node": "Finish", "kind": "tie", "player": LEAF, "reason": None},
        {"node": "Finish", "kind": "no", "player": None, "reason": None},
        {"node": "Together", "var": None, "source": LEAF, "start": None, "body": {"node": "Block", "items": []}},
        {"node": "Let", "name": {"node": "Ident", "text": "a"},
         "value": {"node": "Is", "operand": LEAF, "negated": False, "what": {"node": "Ident", "text": "in"}}},
        {"node": "On", "call": {"node": "Call", "name": {"node": "Ident", "text": "a"}, "args": []}, "when": None,
         "priority": 0, "body": None, "offers": []},
        {"node": "Modifier", "call": {"node": "Call", "name": {"node": "Ident", "text": "a"}, "args": []}, "op": "=",
         "value": LEAF, "when": None, "priority": 10**15},
        {"node": "GivenOption", "name": {"node": "Ident", "text": "a"}, "value": LEAF},
    ],
    ids=lambda item: item["node"],
)  # fmt: skip
def test_statements_that_no_text_has(item: Any) -> None:
    block = {"node": "Block", "items": [item]}
    decls, (finding,) = from_json({"format": 1, "declarations": [{"node": "SetupDecl", "body": block}]}, "t")
    assert decls == []
    assert finding.code in ("E008", "E006")


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        ("", "E008", "", "the JSON ends too early"),
        ("[", "E008", "[", "the JSON ends too early"),
        ("[]", "E008", "[]", "a list stands where an object is needed, at the root"),
        ("nul", "E008", "nul", "`nul` is not JSON"),
        ('{"a": 1, "a": 2}', "E008", '"a"', "the key `a` is given twice"),
        ('{"a": 1.5}', "E008", "1.5", "`1.5` is not a whole number"),
        ('{"a": 1e3}', "E008", "1e3", "`1e3` is not a whole number"),
        ('{"a": NaN}', "E008", "NaN", "`NaN` is not JSON"),
        ('{"a": 007}', "E008", "007", "`007` is not a JSON number"),
        ('{"a": 1234567890123456}', "E006", "1234567890123456", "the number has 16 digits; 15 are the most"),
        ('{"a": "\\ud800"}', "E008", '"\\ud800"', "the JSON string has a wrong escape"),
        ('{"a": "x}', "E008", '"x}', "the JSON string is not closed, or holds a control character"),
        ("{'a': 1}", "E008", "'", "the character `'` is not JSON"),
        ('{"a": 1} x', "E008", "x", "`x` is not expected in the JSON here"),
        ('{"a": [1, 2,]}', "E008", "]", "`]` is not expected in the JSON here"),
        ('{"a": [1 2]}', "E008", "2", "`2` is not expected in the JSON here"),
        ('{"a" 1}', "E008", "1", "`1` is not expected in the JSON here"),
        ('{"a": ]', "E008", "]", "`]` is not expected in the JSON here"),
        ("[}", "E008", "}", "`}` is not expected in the JSON here"),
    ],
)
def test_what_is_not_json(text: str, code: str, place: str, message: str) -> None:
    decls, (finding,) = read(text)
    assert decls == []
    assert (finding.code, text[finding.start : finding.end], finding.message) == (code, place, message)


def test_one_wrong_declaration_does_not_hide_the_others() -> None:
    value = value_of(CORPUS)
    count = len(value["declarations"])
    for i in (3, 10, 40):
        del value["declarations"][i]["node"]
    decls, findings = from_json(value, "t.card.json")
    assert len(decls) == count - 3
    assert [finding.message.rpartition("/")[2].strip("`") for finding in findings] == ["3", "10", "40"]


def test_there_is_an_end_of_findings() -> None:
    decls, findings = from_json({"format": 1, "declarations": [{}] * 10_000}, "t")
    assert decls == []
    assert MOST_FINDINGS <= len(findings) <= MOST_FINDINGS + 10


def nested(depth: int, wrap: Any) -> Any:
    value: Any = {"node": "Name", "id": "a"}
    for _ in range(depth):
        value = wrap(value)
    return value


def in_value(body: Any) -> Any:
    value = value_of("value f(): int = 1")
    value["declarations"][0]["body"] = body
    return value


@pytest.mark.parametrize("depth", [65, 20_000])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: {"node": "Unary", "op": "not", "operand": x},
        lambda x: {"node": "ListLit", "items": [x]},
        lambda x: {"node": "Binary", "op": "+", "left": {"node": "Nothing"}, "right": x},
        lambda x: {"node": "Binary", "op": "*", "left": x, "right": {"node": "Nothing"}},
    ],
)
def test_json_can_be_no_deeper_than_text(depth: int, wrap: Any) -> None:
    decls, (finding,) = from_json(in_value(nested(depth, wrap)), "t")
    assert decls == []
    assert finding.code == "E005"
    assert from_json(in_value(nested(64, wrap)), "t")[1] == []


def test_json_has_no_longer_chains_than_text() -> None:
    def wrap(x: Any) -> Any:
        return {"node": "Binary", "op": "and", "left": x, "right": {"node": "Nothing"}}

    assert from_json(in_value(nested(1_999, wrap)), "t")[1] == []
    assert [f.code for f in from_json(in_value(nested(2_000, wrap)), "t")[1]] == ["E005"]


def test_json_has_no_deeper_blocks_than_text() -> None:
    def blocks(depth: int) -> Any:
        value: Any = {"node": "Block", "items": []}
        for _ in range(depth - 1):
            value = {"node": "Block", "items": [{"node": "Loop", "period": None, "body": value}]}
        return {"format": 1, "declarations": [{"node": "FlowDecl", "body": value}]}

    assert from_json(blocks(64), "t")[1] == []
    assert [f.code for f in from_json(blocks(65), "t")[1]] == ["E005"]


def test_json_that_is_deep_where_nothing_deep_belongs() -> None:
    deep = "[" * 50_000 + "]" * 50_000
    assert [f.code for f in read(deep)[1]] == ["E008"]
    assert [f.code for f in read('{"format": 1, "declarations": ' + deep + "}")[1]] == ["E008"]
    assert len(read('{"a":' * 50_000 + "1" + "}" * 50_000)[1]) > 0


def test_the_diagnostic_is_registered() -> None:
    assert DIAGNOSTICS["E008"].name == "ast-json"


def test_jsonschema_is_imported_when_it_is_needed() -> None:
    code = "import sys, cardc.ast_json; assert 'jsonschema' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- Anything at all


def test_json_text_reads_what_it_writes_and_what_json_writes() -> None:
    rng = random.Random(1)

    def some(depth: int) -> Any:
        match rng.randrange(8 if depth else 5):
            case 0:
                return rng.choice([None, True, False])
            case 1:
                return rng.randrange(-(10**15) + 1, 10**15)
            case 2 | 3 | 4:
                return rng.choice(["", "a", '"\\', "\u00e9\n\t\u2028", "\U0001f600", "/~"])
            case 5:
                return [some(depth - 1) for _ in range(rng.randrange(4))]
            case _:
                return {f"k{i}/~": some(depth - 1) for i in range(rng.randrange(4))}

    for _ in range(300):
        value = some(5)
        for text in [json_text.write(value), json.dumps(value), json.dumps(value, indent=1)]:
            again, place = json_text.read(text)
            assert again == value == json.loads(text)
            assert json.loads(text[place.start : place.end]) == value
            check_places(again, place, text)


def check_places(value: Any, place: json_text.Place, text: str) -> None:
    assert json.loads(text[place.start : place.end]) == value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        below = place.items[key]
        assert below.pointer() == place.pointer() + "/" + str(key).replace("~", "~0").replace("/", "~1")
        check_places(item, below, text)


KEYS = ["node", "id", "span", "left", "op", "name", "text", "items"]
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15) + 1, 10**15 - 1) | st.text(max_size=5)
    | st.sampled_from(["Name", "Binary", "Block", "a", "=", "win"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
)  # fmt: skip


def places_of(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [p for key, item in items for p in places_of(item, (*path, key))]


WHOLE = value_of(CORPUS)
PLACES = [place for place in places_of(WHOLE) if len(place) > 2]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_change_of_a_healthy_value_raises(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(PLACES))
    one = copy.deepcopy(WHOLE["declarations"][path[1]])
    value = {"format": 1, "declarations": [one]}
    holder = at(value, ["declarations", 0, *path[2:-1]]) if len(path) > 2 else one
    other = at(WHOLE, list(data.draw(st.sampled_from(PLACES))))
    holder[path[-1]] = data.draw(st.one_of(values, st.just(copy.deepcopy(other))))
    decls, findings = from_json(value, "t.card.json")
    assert bool(decls) != bool(findings)
    for finding in findings:
        assert finding.code in ("E005", "E006", "E008")
        assert 0 <= finding.start < finding.end <= len(finding.source.text)
    if decls:
        assert json.loads(json_text.write(to_json(decls, Source("x", ""))))["declarations"] is not None


@given(values)
@settings(deadline=None)
def test_no_value_raises(value: Any) -> None:
    from_json(value, "t.card.json")
    from_json({"format": 1, "declarations": [value]}, "t.card.json")


@given(st.text() | st.text(alphabet='{}[]",: \\u0aettrueflsn', max_size=40))
@settings(deadline=None)
def test_no_text_raises(text: str) -> None:
    read(text)


def test_nodes_that_say_the_same_are_equal_wherever_they_stand_and_cannot_be_changed():
    here, there = (n.Call(n.Ident("wound", span=(at, at + 5)), (), span=(at, at + 7)) for at in (3, 40))
    other = n.Call(n.Ident("heal", span=(3, 8)), (), span=(3, 10))
    assert here == there and hash(here) == hash(there) and len({here, there, other}) == 2
    assert n.Nothing(span=(1, 2)) == n.Nothing() != n.Name("none")
    with pytest.raises(AttributeError):
        here.name = other
