"""One mistake, one finding: what is wrong is told where it is, and nothing is told of what follows from it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from card_grammar.tables import load_tables
from cardc import fixing, pipeline
from cardc.__main__ import main
from cardc.lint.naming import declared
from cardc.nesting import walk
from cardc.parse import parse_file
from cardc.source import Source

ROOT = Path(__file__).parents[2]
SCAFFOLD = (ROOT / "grammar" / "scaffold.card").read_text()
LONG = os.environ.get("CARDC_FUZZ") == "long"
TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[<>=!]=|[+*-]=|[^\sA-Za-z0-9_]')
DECLARED = {
    name.span
    for decl in parse_file(Source("scaffold.card", SCAFFOLD))[0]
    for node in walk(decl)
    for name in declared(node)
}
# The word that begins it, and what a declaration says of itself.
USES = [m for m in TOKEN.finditer(SCAFFOLD) if m.span() not in DECLARED]
NAMES = [m for m in USES if re.fullmatch(r"[a-z_]+", m[0]) and m[0] not in load_tables().reserved]


def found(text: str) -> list[tuple[str, int, str]]:
    findings = pipeline.analyse([("scaffold.card", text.encode())], None).findings
    return [(f.code, f.source.line(f.start), f.message) for f in findings]


def changed(m: re.Match[str], to: str) -> str:
    return SCAFFOLD[: m.start()] + to + SCAFFOLD[m.end() :]


def some(tokens: list[re.Match[str]], part: int) -> list:
    chosen = tokens if LONG else tokens[::5][part::2]
    return [pytest.param(m, id=f"{SCAFFOLD.count(chr(10), 0, m.start()) + 1}-{m[0]}") for m in chosen]


@pytest.mark.parametrize("m", some(NAMES, 0))
def test_fuzz_a_misspelt_name(m):
    said = found(changed(m, m[0] + "q"))
    assert len(said) == 1 and said[0][1] == SCAFFOLD.count("\n", 0, m.start()) + 1, said


@pytest.mark.parametrize("m", some(USES, 1))
def test_fuzz_a_word_that_comes_twice(m):
    assert len(found(changed(m, f"{m[0]} {m[0]}"))) <= 1


@pytest.mark.parametrize("m", some([m for m in USES if m[0].isdigit()], 0))
def test_fuzz_a_truth_in_place_of_a_number(m):
    assert len(found(changed(m, "true"))) == 1


GAME = """game tiny "Tiny" { version: "1.0.0"  players: 2 }
player { points: 0 or more = 0, score }
kind unit { power: 0..9  slot aura: static in table  slot entry: effect in table }
zone hand: each player list of unit, owner sees
board table { units: each player list of unit, all see }
value weight(u: unit in table): int = u.power
effect enter(u: unit in hand) {
  move u to table.units[u.owner]
  u.owner.points += weight(u)
  run u.entry
}
setup { for each p in players { copy cub to p.hand } }
flow {
  for each p in players { p choose play u: unit in p.hand "Play" { enter(u) } }
  tie "Done"
}
card cub "Cub" : unit { power: 1  aura { weight(self) += 1 }  entry { you.points += 1 } }
test "a cub enters" {
  given { let c = new cub  me.hand = [c] }
  when enter(c)
  expect c is in table and weight(c) == 2 and me.points == 3
}
"""


@pytest.mark.parametrize(
    "before, after, code",
    [
        ("players: 2 }", "player: 2 }", "E105"),
        ("{ power: 1 ", "{ powr: 1 ", "E304"),
        ("{ power: 1 ", "{ power ", "E304"),
        ("hand: each player list of unit", "hand: each player list of untis", "E101"),
        ("{ units: each player list of unit", "{ units: each player list of untis", "E101"),
        ("entry: effect in table", "entry: effect in tables", "E101"),
        ("aura: static in table", "aura: static in deck", "E101"),
        ("move u to table.units", "move u to tabel.units", "E101"),
        ("move u to table", "mvoe(u)  run u.entry  move u to table", "E101"),
        ("board table { units", "baord table { units", "E003"),
        ("board table { units", "board table { units 3", "E001"),
        ("flow {", "flwo {", "E003"),
        ("flow {", "flow", "E001"),
        ("effect enter(u: unit in hand) {", "effect enter(u: unit in hand)", "E001"),
        ("{ enter(u) } }", "{ enter(u) } } }", "E001"),
        ("u: unit in table", "u: unti in table", "E101"),
        ('"Cub" : unit', '"Cub" : untt', "E101"),
        ("flow {\n", "flow\n{\n", "E003"),
        ("flow {\n", "flow {\n/* a comment */\n", "E003"),
        ("0 or more = 0, score", 'string = "none", score', "E101"),
        ("  run u.entry", "  loop { u.owner.points += 1 }", "E204"),
        ("aura { weight(self) += 1 }", "aura { on draw(you) { you.points += 1 } }", "E007"),
        ('"Cub" : unit', '"Cub\nof the East" : unit', "E002"),
    ],
)
def test_what_follows_from_it_is_not_told(before, after, code):
    assert before in GAME and not found(GAME)
    assert [c for c, _, _ in found(GAME.replace(before, after, 1))] == [code]


def test_a_name_that_is_wrong_several_times_in_a_declaration_is_told_once_and_mended_everywhere():
    text = GAME + "effect _e(p: player) { p.pionts += 1  p.opponent.pionts -= p.pionts  p.pionts = 2  p.pionts = 3 }\n"
    text += "effect _f(p: player) { p.pionts += 1 }\n"
    checked = pipeline.analyse([("g.card", text.encode())], None)
    assert [f.message for f in checked.findings] == ["a player has no member `pionts`"] * 2
    assert [x.text for x in checked.findings[0].labels] == ["and here"] * 3, "not more than can be read"

    def look(files):
        return pipeline.analyse(files, None).findings

    mended = fixing.mend([("g.card", text.encode())], look, True)
    assert mended.files[0][1].decode() == text.replace("pionts", "points") and not mended.findings


def test_a_declaration_that_is_misspelt_is_told_once_in_each_file():
    cards = "".join(f'card c{i} "{i}" : unit {{ power: {i} }}\n' for i in range(1, 9))
    files = [("cards.card", cards), ("g.card", GAME.replace("kind unit {", "kind unti {"))]
    found = pipeline.analyse([(path, text.encode()) for path, text in files], None).findings
    assert [(f.source.path, f.message) for f in found] == [
        ("cards.card", "no kind is called `unit`"),
        ("g.card", "no kind is called `unit`"),
    ]
    assert [[label.text for label in f.labels] for f in found] == [
        ["and here", "and here", "and here, and in 4 more places"],
        ["and here", "and here", "and here, and in 2 more places"],
    ]
    assert all(f.fix is not None and len(f.fix.edits) == n for f, n in zip(found, (8, 6), strict=True))

    def look(files):
        return pipeline.analyse(files, None).findings

    mended = fixing.mend([(path, text.encode()) for path, text in files], look, True)
    assert not mended.findings and all(b"unti" in text for _, text in mended.files)
    files[0] = ("cards.card", cards[: cards.index("card c4")])
    found = pipeline.analyse([(path, text.encode()) for path, text in files], None).findings
    assert [f.source.path for f in found] == ["cards.card"] * 3 + ["g.card"], "each may be a slip of its own"


@pytest.mark.parametrize(
    "before, after, code", [("enum hue { red", "enum hue { rde", "E306"), ("  hue:", "  heu:", "E105")]
)
def test_a_word_or_a_field_that_all_cards_have_is_told_once(before, after, code):
    text = GAME.replace("kind unit { power: 0..9", "kind unit { power: 0..9  hue: hue = green")
    text += "enum hue { red, green }\neffect _show(u: unit) { if u.hue == green { u.owner.points = 1 } }\n"
    text += "".join(f'card c{i} "{i}" : unit {{ power: {i}  hue: red }}\n' for i in range(1, 9))
    assert not found(text)
    assert [c for c, _, _ in found(text.replace(before, after, 1))] == [code]


def test_an_extended_kind_is_told_once_in_each_file():
    text = GAME + 'kind hero : unit {}\ncard bear "Bear" : unit { power: 2 }\ncard lynx "Lynx" : unit { power: 2 }\n'
    assert [(c, line) for c, line, _ in found(text)] == [("E305", text[: text.index("card cub")].count("\n") + 1)]


def test_mistakes_of_several_declarations_are_told_in_source_order():
    text = GAME.replace("flow {", "flow { nothing_such()").replace("value weight", "value weihgt")
    text = text.replace("points: 0", "pts: 0")
    lines = [line for _, line, _ in found(text)]
    assert len(lines) >= 4 and lines == sorted(lines)


def test_what_no_code_does_is_only_told_where_all_code_is_right():
    text = GAME + "unseen u: unit in table where u.power > 1\n"
    assert [c for c, _, _ in found(text)] == ["E209"]
    assert [c for c, _, _ in found(text.replace("run u.entry", "run u.enrty"))] == ["E105"]


def test_what_broken_code_may_do_is_not_missed_elsewhere():
    """A loop holds no decision because the effect that asks cannot be read, or is misspelt where it is called."""
    text = GAME.replace("""  for each p in players { p choose play u: unit in p.hand "Play" { enter(u) } }
  tie "Done"
""", "  loop { turn(players[0])  if players[0].hand is empty { stop } }\n  tie \"Done\"\n")  # fmt: skip
    text += 'effect turn(p: player) { p choose play u: unit in p.hand "Play" { enter(u) } }\n'
    assert not found(text)
    for before, after, code in (
        ("u: unit in p.hand", "u: unit inn p.hand", "E001"),
        ("turn(players", "trun(players", "E101"),
    ):
        assert [c for c, _, _ in found(text.replace(before, after, 1))] == [code]
    assert [c for c, _, _ in found(text.replace("{ turn(players[0])  if", "{ if"))] == ["E403"]


FRAME = """\
game g "G" { version: "1"  players: 2 }
player { gold: 0..9 = 3 }
enum mood { calm, gay }
kind piece {
  price: 0..9 = 1
  state tired: bool = false
  slot act: effect in stage
  slot aura: static in stage when not self.tired
}
zone hand: each player list of piece, all see
board stage { row: shared list of piece, all see }
state leader: player? = none
value best(): piece? = the x in stage.row where x.price > 3
value price(c: piece): 0 or more = c.price
effect pay(p: player, n: int) { p.gold -= n }
flow { for each x in stage.row { run x.act  leader = x.owner }  tie }
"""
BESIDE = """\
card a "A" : piece { act { for each x in best() { move x to stage.row  pay(you, price(x)) } } }
card b "B" : piece { price: 2  aura { price(c) -= 1  on pay(you, n) when leader is player { you.gold += n } } }
card c "C" : piece { act { until end of match { price(c) += 1 } for each x in stage.row { x.tired = true } } }
"""
OF_FRAME = [m for m in TOKEN.finditer(FRAME) if m.start() > FRAME.index("player {")]


@pytest.mark.parametrize("to", ["", "!"])
def test_fuzz_cards_in_files_of_their_own_beside_a_wrong_frame(to, tmp_path, capsys):
    """Of each word that is left out, or is something else, the same is told as where all stands in one file."""
    (tmp_path / "cards.card").write_text(BESIDE)
    for m in OF_FRAME:
        text = FRAME[: m.start()] + to + FRAME[m.end() :]
        (tmp_path / "frame.card").write_text(text)
        status = main(["check", str(tmp_path), "--format", "json"])
        assert status < 3, (m.start(), m[0])
        told = json.loads(capsys.readouterr().out)["findings"]
        at_once = pipeline.analyse([("cards.card", BESIDE.encode()), ("frame.card", text.encode())], None).findings
        assert sorted((f["code"], f["message"]) for f in told) == sorted((f.code, f.message) for f in at_once), m[0]
