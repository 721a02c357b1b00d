"""Odd input that must work: odd bytes, odd names, odd texts, and much of everything. CARDC_LONG: all of it."""

from __future__ import annotations

import builtins
import json
import keyword
import os
import random
import re
import unicodedata
from pathlib import Path

import card_runtime as rt
import pytest
from card_grammar.tables import load_tables
from card_runtime.bots import Random
from cardc import pipeline
from cardc.__main__ import main

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))
ODD = Path(__file__).with_name("odd_game.card").read_text()


def build(folder: Path, files: dict[str, bytes | str]) -> rt.Game:
    """The game of these files, loaded; an assertion fails where they have errors."""
    source = folder / "source"
    for path, content in files.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_bytes(content.encode() if isinstance(content, str) else content)
    outcome, where = pipeline.build(source, folder / "built")
    errors = [f"{f.code} {f.message}" for f in outcome.findings if f.severity == "error"]
    assert outcome.files is not None, errors
    return rt.load(where)


def played(game: rt.Game, seeds=range(3)) -> list:
    """Whole matches both ways, with all that is shown of them; saved and taken up again on the way."""
    told = []
    for seed in seeds:
        match, bots = game.start(seed=seed), [Random(seed), Random(seed + 1)]
        while (decision := match.decision) is not None:
            ids = [option.id for option in decision.options]
            assert len(set(ids)) == len(ids)
            match.choose(bots[decision.player](decision))
        again = game.restore(match.to_json())
        assert again.state_hash() == game.replay(match.record).state_hash() == match.state_hash()
        views = [match.view(s) for s in (0, 1, None)]
        json.dumps(views)
        # Lines of files are left out: blank lines move them.
        logs = [[{k: v for k, v in r.items() if k != "line"} for r in match.log(s)] for s in (0, 1, None)]
        told.append([match.result, views, logs, game.playout(seed=seed)])
    return told


# ---- Odd bytes


VUGHEX = {p.relative_to(ROOT / "cards" / "vughex").as_posix(): p.read_bytes()
          for p in sorted((ROOT / "cards" / "vughex").rglob("*.card"))}  # fmt: skip
BYTES = {
    "BOM": lambda data: b"\xef\xbb\xbf" + data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "BOM and CRLF": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "no newline at the end": lambda data: data.rstrip(b"\n"),
    "CRLF but none at the end": lambda data: data.rstrip(b"\n").replace(b"\n", b"\r\n"),
    "blank lines at both ends": lambda data: b"\n\n\r\n \t\n" + data + b"\n \r\n\t",
    "form feeds and tabs": lambda data: data.replace(b"\n\n", b"\n\f\n\t\n").replace(b"  ", b"\t"),
    "a comment at the end without a newline": lambda data: data + b"// the end",
}


@pytest.fixture(scope="module")
def vughex(tmp_path_factory):
    game = build(tmp_path_factory.mktemp("vughex"), VUGHEX)
    return game, played(game)


@pytest.mark.parametrize("change", BYTES.values(), ids=BYTES)
def test_odd_bytes_mean_the_same(tmp_path, vughex, change):
    game = build(tmp_path, {path: change(data) for path, data in VUGHEX.items()})
    assert played(game) == vughex[1]
    same = [[(x.id, x.title, x.fields, x.flags) for x in g.cards] for g in (game, vughex[0])]
    assert same[0] == same[1]


def test_findings_stand_in_their_line_whatever_ends_lines(tmp_path, capsys):
    text = 'game g "G" { version: "1" }\nvalue a(): int = 1\nvalue b(): int = c\n'
    for name, content in {"lf": text, "crlf": text.replace("\n", "\r\n"), "bom": "\ufeff" + text}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "g.card").write_bytes(content.encode())
        assert main(["check", str(tmp_path / name)]) == 1
        assert f"{name}/g.card:3:18\n" in capsys.readouterr().out


# ---- Odd names


WORDS = sorted(
    {
        *keyword.kwlist,
        *keyword.softkwlist,
        *(n for n in dir(builtins) if not n.startswith("_")),
        *re.findall(
            r"\w+",
            """__init__ __class__ __name__ __builtins__ __import__ __dict__ __slots__ __doc__ __debug__ __file__ _ __
            m f pc x k_ a_ s_ c_ e_ i_ o_ n_ z_ l_ fn_ b_ t_ v_ r_ q_ D_ K at d own known age game places clock turn
            memo
            obs ask steps depth reset cards stop_0 turn_1 o_1 n_1 i_1 hold release fire done call tick run_step entry
            only
            both EXPORTS ELEMENT SEAT SEATS_FROM MOST_STEPS shuffled remember State Over start sub caps base forms
            borrowed by_slot printed statics used using lasting held""",
        ),
    }
    - load_tables().reserved
)
HOLES = sorted(set(re.findall(r"@(\d+)@", ODD)), key=int)


def filled(names: dict[str, str]) -> str:
    return re.sub(r"@(\w+)@", lambda found: names[found[1]], ODD)


def built_in(tmp_path) -> set[str]:
    """The words that the language has already (E103): they are refused, with a finding."""
    refused = set()
    for word in WORDS:
        source = tmp_path / "words" / word
        source.mkdir(parents=True)
        (source / "g.card").write_text(f'game g "G" {{}}\nkind {word} {{}}\nvalue {word}(): int = 1\n')
        refused |= {word} if any(f.code == "E103" for f in pipeline.check(source).findings) else set()
    return refused


@pytest.mark.parametrize("seed", range(40 if LONG else 10))
def test_any_word_can_be_any_name(tmp_path, seed):
    rng = random.Random(seed)
    refused = built_in(tmp_path)
    assert {"int", "self", "players"} & set(WORDS) <= refused and len(refused) < 20
    words = [w for w in WORDS if w not in refused]
    chosen = rng.sample(words, len(HOLES))
    game = build(tmp_path, {"odd.card": filled({**dict(zip(HOLES, chosen, strict=True)), "game": rng.choice(words)})})
    plain = filled({**{hole: f"n{hole}" for hole in HOLES}, "game": "g"})
    other = build(tmp_path / "plain", {"odd.card": plain})
    # Names change nothing but the order of what is sorted by them, which nothing here is.
    assert [t[0].reason for t in played(game)] == [t[0].reason for t in played(other)]


def test_one_word_in_every_namespace(tmp_path):
    """Values, effects, members, verbs and things of the table may be called alike."""
    game = build(tmp_path, {"g.card": """
game strength "Strength" { version: "1"  players: 2 }
player { strength: 0 or more = 0 }
kind unit {
  strength: 0..9 = 1
  slot aura: static in table
}
zone deck: each player list of unit, owner sees
zone strength_: shared list of unit, all see
board table { units: each player list of unit, all see }
value strength(strength_of: unit): int = strength_of.strength
effect power(p: player) { p.strength += 1 }
setup { for each p in players { for each c in catalog { copy c to p.deck } } }
flow {
  alternate p from players[0] as turn {
    p choose strength u: unit in p.deck "Strength" {
      move u to table.units[p]
      p.strength += strength(u)
      power(p)
    }
    if p.deck is empty { tie }
  }
}
card strength "Strength" : unit { strength: 2  aura { strength(self) += self.strength } }
card power_of "Power" : unit {}
"""})  # fmt: skip
    assert played(game)[0][0].winner is None


def test_a_zone_and_a_member_that_cannot_be_told_apart_are_refused(tmp_path):
    (tmp_path / "g.card").write_text('game g "G" {}\nenum a { b }\nzone a: shared list of k, all see\nkind k {}\n')
    codes = {f.code for f in pipeline.check(tmp_path).findings}
    assert "E102" in codes


# ---- Odd texts


TEXTS = [
    r"\"", r"\\", r"\\\"", r"a\nb", "'", "'''", "`", "{{ 7 * 7 }}", "{% for x in y %}", "{# c #}", "{%- raw -%}", "}}",
    "#@12", "x  #@12", "# -*- coding: latin-1 -*-", "%s %(x)s %", "{0} {x!r}", "__import__('os')", "${HOME} $(ls) `ls`",
    r"\\u0041", r"\\N{BULLET}", "a\u2028b\u2029c", "\u202eright to left\u202c", "\u05e9\u05dc\u05d5\u05dd",
    "\u0627\u0644\u0633\u0644\u0627\u0645", "e\u0301\u0302\u0303\u0304" * 8, "Z\u0351\u036f\u0342A", "\ufeffx",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f3f3\ufe0f\u200d\U0001f308", "\ufb01 \xbd \xb2 \u212a",
    "<b>&amp;</b>", "]]>", "--", "/* */", "//", "//x", "; rm -rf /", "[bold red]x[/]", "NUL", " x ", "\xa0x",
    "long " * 4000,
]  # fmt: skip


def with_texts(text: str) -> str:
    odd = filled({**{hole: f"n{hole}" for hole in HOLES}, "game": "g"})
    return re.sub(r'"(Odd|An option|A choice of words|Enough|Play|Empty|One|Two)"', lambda _: f'"{text}"', odd)


def value(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_any_text_is_text_and_no_code(tmp_path, text, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = build(tmp_path, {"odd.card": with_texts(text)})
    assert game.model.game.title == value(text)
    assert {c.title for c in game.cards} == {value(text)}
    result, views, logs, _ = played(game, range(1))[0]
    assert result.reason == value(text)
    assert game.start().view(0)["decision"]["options"][0]["label"].startswith(value(text))
    assert views and logs
    assert main(["play", str(tmp_path / "source"), "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    odd = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")}
    assert odd <= set("\n\u200c\u200d"), "nothing on the screen may move the cursor or turn the text round"
    assert main(["sim", str(tmp_path / "source"), "-n", "2"]) == 0
    shown = capsys.readouterr().out
    assert {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")} <= set("\n\u200c\u200d")


@pytest.mark.parametrize("text", ["a\u0000b", "a\u001bb", "a\u0085b", r"\x41", r"\u0041", r"\ud800", "a\rb"])
def test_what_cannot_stand_in_a_text_is_told(tmp_path, text):
    (tmp_path / "g.card").write_bytes(with_texts(text).encode())
    findings = pipeline.check(tmp_path).findings
    assert findings and {f.code for f in findings} <= {"E001", "E002", "E004", "E108"}


NAMES = ["{{ x }}", "a'b\"c", "#@12", "x\rimport os", "x\nimport os", "\xe9 \u202e", "-", "%s", "a\\b", "con", " ", "\u2028"]  # noqa: E501


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
@pytest.mark.parametrize("where", ["file", "folder"])
def test_odd_names_of_files(tmp_path, name, where, capsys):
    text = filled({**{hole: f"n{hole}" for hole in HOLES}, "game": "g"})
    frame, cards = text.split("card n42", 1)
    file = tmp_path / "source" / (f"{name}.card" if where == "file" else f"{name}/x.card")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("card n42" + cards)
    (tmp_path / "source" / "frame.card").write_text(frame)
    status = main(["build", str(tmp_path / "source"), "-o", str(tmp_path / "built")])
    out, err = capsys.readouterr()
    if set(name) & set("\\\r\n\u2028"):
        assert (status, out, err.count("\n")) == (2, "", 1) and "rename it" in err
        assert not (tmp_path / "built").exists()
    else:
        assert status == 0, (out, err)
        played(rt.load(tmp_path / "built"))


# ---- Much of everything


def cost(calls, folder: Path, count: int, make) -> int:
    files = {"frame.card": filled({**{hole: f"n{hole}" for hole in HOLES}, "game": "g"}), "many.card": make(count)}
    for path, text in files.items():
        folder.mkdir(exist_ok=True)
        (folder / path).write_text(text)

    def build() -> None:
        outcome, _ = pipeline.build(folder, folder.with_suffix(".built"))
        assert outcome.files is not None, outcome.findings[:3]

    return calls(build)


def cards(count: int) -> str:
    slots = ["", "  n17 { n24(self.n21) += 1 }", "  n18 { self.n21.n22 += 1 }"]
    return "".join(f'card c{i} "Card {i}" : n12 {{ n13: {i % 10}{slots[i % 3]} }}\n' for i in range(count))


def values(count: int) -> str:
    return "".join(f"value w{i}(a: 0 or more): int = a + {f'w{i - 1}(a)' if i % 50 else 1}\n" for i in range(count))


@pytest.mark.parametrize("make", [cards, values])
def test_thirty_thousand_declarations_in_one_file(tmp_path, make, calls):
    few, more = (cost(calls, tmp_path / str(count), count, make) for count in (500, 2_000))
    assert few < more < 4.5 * few
    cost(lambda run: run(), tmp_path / "many", 30_000, make)


def test_a_card_with_thousands_of_lines(tmp_path):
    lines = "".join(f"    n24(self.n21) += {i}  // line {i}\n" for i in range(1, 1_001))
    effects = "".join(f"    self.n21.n22 += {i}\n" for i in range(1, 1_001))
    fields = "".join(f"  f{i}: 0 or more = 0\n" for i in range(3_000))
    given = "".join(f"  f{i}: {i}\n" for i in range(3_000))
    text = filled({**{hole: f"n{hole}" for hole in HOLES}, "game": "g"})
    game = build(tmp_path, {
        "frame.card": text.replace(": n12 {", ": plain {").replace("kind n12 {", "kind plain : n12 {}\nkind n12 {"),
        "wide.card": f"kind wide : n12 {{\n{fields}}}\n",
        "long.card": f'card wide_one "W" : wide {{\n{given}  n17 {{\n{lines}  }}\n  n18 {{\n{effects}  }}\n}}\n',
    })  # fmt: skip
    card = next(c for c in game.cards if c.id == "wide_one")
    assert len(card.fields) == 3_000 and card.fields["f2999"] == 2_999
    played(game, range(1))


def test_nesting_as_deep_as_is_legal(tmp_path):
    parentheses = "(" * 60 + "1" + ")" * 60
    conditions = "".join(f"if players[0].n9 > {i} {{ " for i in range(60)) + "players[0].n9 += 1" + " }" * 60
    loops = "".join(f"for each q{i} in players {{ " for i in range(12)) + "players[0].n9 += 1" + " }" * 12
    ifs = "".join(f"if a == {i} then {i} else " for i in range(60)) + "0"
    chain = " + ".join(["a"] * 2_000)
    less = "a" + " - 1" * 1_900
    ands = " and ".join(f"a != {i}" for i in range(2_000))
    calls = "d0(" * 60 + "1" + ")" * 60
    others = " else ".join(f"if a == {i} {{ players[0].n9 += {i + 1} }}" for i in range(60))
    game = build(tmp_path, {
        "frame.card": filled({**{hole: f"n{hole}" for hole in HOLES}, "game": "g"}),
        "deep.card": f"""
value d0(a: 0 or more): 0 or more = a + 1
value d1(): int = {parentheses}
value d3(a: 0 or more): int = {ifs}
value d4(a: 0 or more): int = {chain}
value d5(a: 0 or more): bool = {ands}
value d6(): 0 or more = {calls}
value d7(a: 0 or more): int = {less}
effect deep_ifs() {{ {conditions} }}
effect deep_loops() {{ {loops} }}
effect nested(a: 0 or more) {{ {others} }}
""",
        "use.card": """
card deep "Deep" : n12 {
  n18 {
    deep_ifs()  deep_loops()  nested(d6() - 30)
    self.n16 += d1() + d3(3) + d4(1) + d7(1900)
    if d5(3) { self.n16 += 1 }
  }
}
""",
    })  # fmt: skip
    match = game.start(seed=1)
    assert [match.get("d1"), match.get("d6"), match.get("d4", 2), match.get("d3", 59)] == [1, 61, 4_000, 59]
    assert match.get("d7", 5) == -1_895
    assert match.get("d5", 2) is False and match.get("d5", 2_000) is True
    played(game, range(2))
