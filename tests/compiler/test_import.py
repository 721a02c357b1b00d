"""`cardc import`: tables become cards, what is wrong in them is told at its cell, and what a hand has added stays."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from cardc.cli.entry import run

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "import"
GAME = (DATA / "tiny.card").read_text()
MAPPING = (DATA / "map.toml").read_text()
HEAD = "id,name,cost,power,words\n"
TABLE = HEAD + "wolf,Wolf,3,2,guard+ward\nbear,Big Bear,5,0,\n"
WOLF = 'card wolf "Wolf" : unit { cost: 3  power: 2  words: [guard, ward] }'
BEAR = 'card bear "Big Bear" : unit { cost: 5 }'


class Desk:
    """A game's folder, a table and a mapping on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.game = folder / "tiny"
        self.game.mkdir()
        (self.game / "tiny.card").write_text(GAME)
        (folder / "map.toml").write_text(MAPPING)
        self.file = self.game / "units.card"
        self.status = -1
        self.found: list[dict[str, object]] = []

    def read(self, table: str | bytes = TABLE, *, mapping: str | None = None, name: str = "t.csv", args=()) -> str:
        """Import a table; what the file holds then."""
        if mapping is not None:
            (self.folder / "map.toml").write_text(mapping)
        (self.folder / name).write_bytes(table if isinstance(table, bytes) else table.encode())
        self.again(name, *args)
        return self.file.read_text() if self.file.exists() else ""

    def again(self, name: str = "t.csv", *args: str) -> None:
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            self.status = run(["import", name, "--for", "tiny", "--map", "map.toml", "--format", "json", *args])
        finally:
            os.chdir(before)

    def cards(self) -> list[str]:
        """What stands behind the header."""
        return self.file.read_text().split("\n\n", 1)[1].splitlines()


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


@pytest.fixture
def findings(desk, capsys):
    """Import a table; the findings as (code, file, line, column, end column)."""

    def found(table: str | bytes, *, mapping: str | None = None, name: str = "t.csv"):
        capsys.readouterr()
        desk.read(table, mapping=mapping, name=name)
        said = json.loads(capsys.readouterr().out)["findings"]
        desk.found = said
        return [(f["code"], f["file"], f["line"], f["column"], f["end_column"]) for f in said]

    return found


# ---- Forms of tables


def test_a_table_becomes_cards(desk):
    text = desk.read()
    assert desk.status == 0
    assert text.startswith("// Written by `cardc import` from t.csv, as map.toml says.")
    assert desk.cards() == [WOLF, BEAR]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_out(desk, separator):
    desk.read(TABLE.replace(",", separator))
    assert desk.cards() == [WOLF, BEAR]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + TABLE.encode(),
        TABLE.replace("\n", "\r\n").encode(),
        b"sep=,\r\n" + TABLE.encode(),
        TABLE.rstrip("\n").encode(),
        (TABLE + "\n\n").encode(),
        TABLE.replace(",", " , ").encode(),
        TABLE.replace("0,\n", "0,,,\n").encode(),
        b'"id","name","cost","power","words"\n"wolf","Wolf","3","2","guard+ward"\n"bear","Big Bear","5","0",""\n',
    ],
    ids=["bom", "crlf", "sep", "no line end", "blank lines", "blanks", "empty cells behind", "quoted"],
)
def test_forms_of_delimited_tables(desk, data):
    desk.read(data)
    assert desk.cards() == [WOLF, BEAR]


def test_quoted_cells_hold_separators_and_quotes(desk):
    desk.read(HEAD + 'wolf,"Wolf, the ""Grey""",3,2,\n')
    assert desk.cards() == [r'card wolf "Wolf, the \"Grey\"" : unit { cost: 3  power: 2 }']


def test_where_quotes_are_ordinary_characters(desk):
    desk.read(HEAD + 'wolf,"Wolf" Grey,3,2,\n', mapping="[table]\nquotes = false\n" + MAPPING)
    assert desk.cards() == [r'card wolf "\"Wolf\" Grey" : unit { cost: 3  power: 2 }']


@pytest.mark.parametrize("encoding", ["utf-16", "windows-1252"])
def test_other_encodings(desk, encoding):
    table = (HEAD + "loup,Loup élancé,3,2,\n").encode(encoding)
    desk.read(table, mapping=f'[table]\nencoding = "{encoding}"\n' + MAPPING)
    assert desk.cards() == ['card loup "Loup élancé" : unit { cost: 3  power: 2 }']


def test_a_table_without_a_header(desk):
    table = "wolf;Wolf;3;2;guard+ward;a note\n"
    columns = '[table]\ncolumns = ["id", "name", "cost", "power", "words", "note"]\nignore = ["note"]\n'
    desk.read(table, mapping=columns + MAPPING)
    assert desk.cards() == [WOLF]


def test_json(desk):
    rows = [
        {"id": "wolf", "name": "Wolf", "stats": {"cost": 3, "power": 2}, "words": ["guard", "ward"], "weight": 0.5},
        {"id": "bear", "name": "Big Bear", "stats": {"cost": 5, "power": 0}, "words": [], "weight": 1e3},
    ]
    mapping = MAPPING.replace('"cost"', '"stats.cost"').replace('"power"', '"stats.power"')
    mapping = '[table]\nrows = "data.units"\nignore = ["weight"]\n' + mapping
    desk.read(json.dumps({"data": {"units": rows}}, indent=1), mapping=mapping, name="t.json")
    assert desk.status == 0
    assert desk.cards() == [WOLF, BEAR]


def test_an_expansion_gets_cards_for_the_kinds_of_its_game(desk, capsys):
    more = desk.folder / "more"
    more.mkdir()
    (more / "more.card").write_text('expansion more "More" for tiny { version: "1" }\n')
    (desk.folder / "t.csv").write_text(TABLE)
    args = ["--for", str(more), "--map", str(desk.folder / "map.toml"), "--base", str(desk.game)]
    assert run(["import", str(desk.folder / "t.csv"), *args]) == 0
    assert (more / "units.card").read_text().endswith(f"\n\n{WOLF}\n{BEAR}\n")


# ---- What the mapping can say

KINDS = """\
[cards]
file = "units.card"
id = { column = "name", slug = true }
title = "name"
kind = { column = "type", words = { Creature = "unit", Magic = "spell" } }

[fields]
cost = { column = "cost", words = { cheap = 1, dear = 9 } }
words = { column = "words", letters = { G = "guard", W = "ward", "-" = "" }, empty = [] }
colour = { column = "colour", optional = true }
big = { column = "big", words = { yes = true, no = false, "?" = "" }, optional = true }
"""


def test_a_kind_by_words_and_a_field_that_it_does_not_have(findings):
    table = "name,type,cost,words,colour,big\nSpark,Magic,cheap,,,\nRoar,Magic,dear,G,,\nOak,Tree,dear,G,,\n"
    assert findings(table, mapping=KINDS) == [
        ("E304", "t.csv", 2, 19, 20),
        ("E304", "t.csv", 3, 17, 18),
        ("E703", "t.csv", 4, 5, 9),
    ]


def test_flags_and_defaults_are_written_shortly(desk):
    desk.read(
        "name,type,cost,words,colour,big\n"
        "Night-Owl's Nest,Creature,cheap,GW,blue,yes\nElan,Creature,dear,--,red,no\nAsh,Creature,cheap,W,,?\n",
        mapping=KINDS,
    )
    assert desk.cards() == [
        'card night_owls_nest "Night-Owl\'s Nest" : unit { cost: 1  words: [guard, ward]  colour: blue  big }',
        'card elan "Elan" : unit { cost: 9 }',
        'card ash "Ash" : unit { cost: 1  words: [ward] }',
    ]


def test_texts_of_several_columns(desk):
    mapping = MAPPING.replace('id = "id"', 'id = { text = "{set}_{id}" }').replace(
        'title = "name"', 'title = { text = "{name} of {set}" }'
    )
    desk.read("set,id,name,cost,power,words\nking,7,Wolf,3,2,\n", mapping=mapping)
    assert desk.cards() == ['card king_7 "Wolf of king" : unit { cost: 3  power: 2 }']


def test_a_long_card_takes_several_lines(desk):
    desk.read(HEAD + f"wolf,{'Wolf ' * 19},3,2,guard+ward+lethal\n")
    *_, first, second, third = desk.file.read_text().splitlines()
    assert first.endswith(": unit {")
    assert second == "  cost: 3  power: 2  words: [guard, ward, lethal]"
    assert third == "}"


# ---- Findings, each at its cell


def test_the_games_own_findings_are_told_at_the_cell(desk, findings):
    found = findings(HEAD + "wolf,Wolf,12,2,guard\nbear,Bear,3,two,ward + gard\n")
    assert found == [
        ("E303", "t.csv", 2, 11, 13),
        ("E201", "t.csv", 3, 13, 16),
        ("E306", "t.csv", 3, 24, 28),
    ]
    assert desk.status == 1 and not desk.file.exists()


def test_an_unknown_kind_field_and_member(findings):
    mapping = MAPPING.replace('{ value = "unit" }', '"kind"').replace("power =", "powr =")
    found = findings("id,name,kind,cost,power,words\nwolf,Wolf,unt,3,2,\nbear,Bear,unit,3,2,\n", mapping=mapping)
    assert found == [("E101", "t.csv", 2, 11, 14), ("E304", "t.csv", 3, 18, 19)]


def test_a_field_that_a_card_needs_and_no_column_gives(findings):
    found = findings("id,name,power,words\nwolf,Wolf,2,\n", mapping=MAPPING.replace('cost = "cost"\n', ""))
    assert found == [("E301", "t.csv", 2, 1, 5)]


def test_json_findings_have_lines_and_columns(findings):
    text = '[\n  {"id": "wolf", "name": "Wolf", "cost": 12, "power": 2, "words": ["guard", "gard"]},\n  7\n]'
    assert findings(text, name="t.json") == [
        ("E303", "t.json", 2, 42, 44),
        ("E306", "t.json", 2, 78, 82),
        ("E702", "t.json", 3, 3, 4),
    ]


def test_duplicate_ids(desk, findings):
    found = findings(HEAD + "wolf,Wolf,3,2,\nbear,Bear,3,2,\nwolf,Other,3,2,\n")
    assert found == [("E705", "t.csv", 4, 1, 5)]
    label = desk.found[0]["labels"][0]
    assert (label["line"], label["column"]) == (2, 1)


@pytest.mark.parametrize("other", ["more.card", "zoo.card"])
def test_an_id_that_another_file_of_the_game_has(desk, findings, other):
    (desk.game / other).write_text('card bear "Bear" : unit { cost: 1 }\n')
    findings(TABLE)
    found = desk.found[0]
    places = [(at["file"], at["line"], at["column"]) for at in [found, *found["labels"]]]
    assert (found["code"], sorted(places)) == ("E102", [("t.csv", 3, 1), (f"tiny/{other}", 1, 6)])
    assert desk.status == 1 and not desk.file.exists()


def test_errors_elsewhere_do_not_stand_in_the_way(desk, capsys):
    (desk.game / "more.card").write_text('card owl "Owl" : unit { cost: 77 }\n')
    desk.read()
    assert desk.status == 0 and desk.cards() == [WOLF, BEAR]
    assert (
        run(["import", str(desk.folder / "t.csv"), "--for", str(desk.game), "--map", str(desk.folder / "map.toml")])
        == 0
    )
    assert "\n1 error in other files of " in capsys.readouterr().out


DIGITS = MAPPING.replace('id = "id"', 'id = { column = "id", prefix = "c"%s }')


def test_ids_that_have_lost_their_zeros_beside_others(desk, findings):
    found = findings(HEAD + "01047,Wolf,3,2,\n1048,Bear,3,2,\n11050,Fox,3,2,\n", mapping=DIGITS % "")
    assert found == [("E706", "t.csv", 3, 1, 5)]
    assert "`1048`" in str(desk.found[0]["message"])


def test_ids_that_have_lost_their_zeros_where_the_mapping_says_how_long_they_are(findings):
    found = findings(HEAD + "1047,Wolf,3,2,\n1048,Bear,3,2,\n11050,Fox,3,2,\n", mapping=DIGITS % ", digits = 5")
    assert found == [("E706", "t.csv", 2, 1, 5), ("E706", "t.csv", 3, 1, 5)]


def test_ids_that_have_lost_their_zeros_since_the_last_import(desk, findings):
    findings(HEAD + "01047,Wolf,3,2,\n01048,Bear,3,2,\n", mapping=DIGITS % "")
    before = desk.file.read_text()
    assert findings(HEAD + "1047,Wolf,3,2,\n1048,Bear,4,2,\n") == [
        ("E706", "t.csv", 2, 1, 5),
        ("E706", "t.csv", 3, 1, 5),
    ]
    assert desk.file.read_text() == before


def test_lost_zeros_are_given_back_where_the_mapping_says_so(desk):
    desk.read(HEAD + "1047,Wolf,3,2,\n11050,Fox,3,2,\n", mapping=DIGITS % ", digits = 5, pad = true")
    assert [line.split()[1] for line in desk.cards()] == ["c01047", "c11050"]


@pytest.mark.parametrize("eaten", ["1.05E+03", "5E+03", "7.0", "2-Jan", "Mar-03"])
def test_ids_that_became_numbers_and_dates(findings, eaten):
    assert findings(HEAD + f"{eaten},Wolf,3,2,\n") == [("E706", "t.csv", 2, 1, 1 + len(eaten))]


def test_smart_quotes_and_other_blanks_are_said_and_read_as_plain_ones(desk, findings):
    found = findings(HEAD + "wolf\u00a0,Wolf\u2019s \u201cden\u201d,3,\u22122\u202f,guard\u200b\n")
    assert found == [
        ("W751", "t.csv", 2, 5, 6),
        ("W751", "t.csv", 2, 11, 12),
        ("W751", "t.csv", 2, 22, 23),
        ("W751", "t.csv", 2, 31, 32),
    ]
    assert "a no-break space (U+00A0)" in str(desk.found[0]["message"])
    assert desk.status == 0
    assert desk.cards() == [r'card wolf "Wolf' + r"'s \"den\"" + '" : unit { cost: 3  power: -2  words: [guard] }']


def test_odd_characters_stay_in_a_title_where_the_mapping_says_so(desk, findings):
    mapping = MAPPING.replace('title = "name"', 'title = { column = "name", keep = true }')
    assert findings(HEAD + "wolf,Wolf\u2019s den,3,2,\n", mapping=mapping) == []
    assert desk.cards() == ['card wolf "Wolf\u2019s den" : unit { cost: 3  power: 2 }']


def test_a_whole_number_written_as_another(desk, findings):
    found = findings(HEAD + 'wolf,Wolf,3.0,+2,\nbear,Bear,2.5,1,\nfox,Fox,1,"1,000",\n')
    assert found == [
        ("W751", "t.csv", 2, 11, 14),
        ("E703", "t.csv", 3, 11, 14),
        ("E703", "t.csv", 4, 12, 17),
    ]


def test_empty_cells(findings):
    found = findings(HEAD + ",Wolf,3,2,\nbear,,3,2,\nfox,Fox,,2,\nowl,Owl,3,,\n")
    assert found == [
        ("E704", "t.csv", 2, 1, 2),
        ("E704", "t.csv", 3, 6, 7),
        ("E704", "t.csv", 4, 9, 10),
        ("E704", "t.csv", 5, 11, 12),
    ]


def test_a_blank_of_another_kind_is_empty(findings):
    found = findings(HEAD + "wolf,Wolf,\u00a0,2,\n")
    assert [code for code, *_ in found] == ["E704", "W751"]


def test_rows_that_do_not_fit(findings):
    found = findings(HEAD + "wolf,Wolf,3\nbear,Bear,3,2,guard,more\nfox,Fox,3,2,\n")
    assert found == [("E702", "t.csv", 2, 1, 12), ("E702", "t.csv", 3, 1, 25)]


def test_a_quote_that_is_not_closed(findings):
    assert findings(HEAD + 'wolf,"Wolf,3,2,\n')[0][:4] == ("E702", "t.csv", 2, 6)


def test_text_behind_a_quote(findings):
    assert findings(HEAD + 'wolf,"Wolf" grey,3,2,\n') == [("E702", "t.csv", 2, 12, 17)]


def test_columns_that_lack_or_are_there_twice_or_are_not_used(findings):
    assert findings("id,nam,cost,power,words\nwolf,Wolf,3,2,\n") == [("E702", "t.csv", 1, 1, 24)]
    assert findings("id,name,cost,power,words,cost\nwolf,Wolf,3,2,,4\n")[0] == ("E702", "t.csv", 1, 26, 30)
    assert findings("id,name,cost,power,words,art\nwolf,Wolf,3,2,,x\n") == [("W752", "t.csv", 1, 26, 29)]


@pytest.mark.parametrize("table", ["", "\n", HEAD])
def test_an_empty_table_drops_nothing(desk, findings, table):
    desk.read()
    before = desk.file.read_text()
    assert {code for code, *_ in findings(table)} == {"E702"}
    assert desk.file.read_text() == before


@pytest.mark.parametrize("text", ["", "{", "7", "[]", '[{"id": 1, "id": 2}]', "[{]", '{"rows": 1}'])
def test_json_that_is_no_table(findings, text):
    assert {code for code, *_ in findings(text, name="t.json")} == {"E702"}


def test_a_table_that_is_not_utf_8(findings):
    assert findings((HEAD + "wolf,Élan,3,2,\n").encode("latin-1")) == [("E004", "t.csv", 2, 6, 7)]
    mapping = '[table]\nencoding = "utf-16"\n' + MAPPING
    assert [code for code, *_ in findings(b"abc", mapping=mapping)] == ["E004"]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("[cards]", "[card]", 1),
        ('title = "name"\n', "", 1),
        ('title = "name"', "title = 7", 4),
        ('title = "name"', 'title = { colum = "name" }', 4),
        ('title = "name"', 'title = { column = "name", value = "x" }', 4),
        ('title = "name"', 'title = { column = "name", digits = 3 }', 4),
        ('"units.card"', '"../units.card"', 2),
        ('"units.card"', '"units.txt"', 2),
        ("[cards]", '[table]\nseparator = "::"\n[cards]', 2),
        ("[cards]", '[table]\nencoding = "klingon"\n[cards]', 2),
        ("[cards]", '[table]\nquotes = "no"\n[cards]', 2),
        ("[cards]", '[table]\ncolumns = ["a", "a"]\n[cards]', 2),
        ("[cards]", "[cards", 1),
        ('split = "+"', 'split = "+", words = {}, letters = {}', 10),
        ('split = "+"', 'letters = { AB = "x" }', 10),
        ("empty = []", "empty = 1.5", 10),
    ],
)
def test_mappings_that_are_none(desk, findings, old, new, line):
    found = findings(TABLE, mapping=MAPPING.replace(old, new))
    assert {code for code, *_ in found} == {"E701"}
    assert found[0][1] == "map.toml" and line in {at for _, _, at, _, _ in found}
    assert desk.status == 1 and not desk.file.exists()


# ---- Importing again


def test_importing_again_leaves_the_file_alone(desk):
    desk.read()
    os.utime(desk.file, ns=(1, 1))
    desk.again()
    assert desk.status == 0
    assert desk.file.stat().st_mtime_ns == 1


HAND = """\
// My notes.

// The wolf howls.
card wolf "Wolf" : unit {
  cost: 3      // cheap
  power: 2  words: [guard, ward]
  big
  shout { players[0].hand.foo() }
}  // the end

// Between.

card bear "Big Bear" : unit { cost: 5 }
// Last words.
"""


def by_hand() -> str:
    return HAND.replace("players[0].hand.foo()", "reveal self")


def test_what_a_hand_has_written_stays(desk):
    desk.file.write_text(by_hand())
    desk.read()
    assert desk.status == 0
    assert desk.file.read_text() == by_hand()


def test_only_what_changed_is_rewritten(desk, capsys):
    desk.file.write_text(by_hand())
    desk.read(HEAD + "wolf,Wolf,4,0,ward\nbear,Big Bear,5,-1,\n")
    assert json.loads(capsys.readouterr().out)["changed"] == ["wolf", "bear"]
    assert desk.file.read_text() == (
        by_hand()
        .replace("cost: 3 ", "cost: 4 ")
        .replace("power: 2  words: [guard, ward]", "words: [ward]")
        .replace("{ cost: 5 }", "{ cost: 5  power: -1 }")
    )


def test_a_new_title_kind_or_field_in_a_card_with_an_ability(desk):
    desk.file.write_text(by_hand())
    desk.read(HEAD + "wolf,Grey Wolf,3,2,\nbear,Big Bear,5,0,\n")
    expected = by_hand().replace('"Wolf"', '"Grey Wolf"').replace("power: 2  words: [guard, ward]", "power: 2")
    assert desk.file.read_text() == expected
    desk.read(HEAD + "wolf,Grey Wolf,3,2,lethal\nbear,Big Bear,5,0,\n")
    assert desk.file.read_text() == expected.replace("power: 2", "power: 2  words: [lethal]")


def test_new_rows_stand_in_their_place_and_cards_without_a_row_are_dropped(desk, capsys):
    desk.file.write_text(by_hand())
    desk.read(HEAD + "ant,Ant,1,0,\nwolf,Wolf,3,2,guard+ward\nfox,Fox,2,0,\n")
    said = json.loads(capsys.readouterr().out)
    assert (said["new"], said["changed"], said["dropped"]) == (["ant", "fox"], [], ["bear"])
    ant, fox = 'card ant "Ant" : unit { cost: 1 }\n', 'card fox "Fox" : unit { cost: 2 }\n'
    head, wolf = by_hand().split("// The wolf")
    wolf = "// The wolf" + wolf[: wolf.index("// Between")].rstrip("\n") + "\n"
    assert desk.file.read_text() == head + ant + wolf + fox + "// Last words.\n"


def test_rows_in_another_order_take_their_comments_along(desk):
    desk.file.write_text(by_hand())
    header, wolf, bear = HEAD, "wolf,Wolf,3,2,guard+ward\n", "bear,Big Bear,5,0,\n"
    desk.read(header + bear + wolf)
    text = desk.file.read_text()
    assert (
        text.index("// Between.") < text.index("card bear") < text.index("// The wolf howls.") < text.index("card wolf")
    )
    desk.read(header + wolf + bear)
    assert sorted(desk.file.read_text().split()) == sorted(by_hand().split())


def test_other_declarations_of_the_file_stay(desk):
    other = (
        "value double(u: unit): int = u.cost * 2\n\n"
        'test "t" {\n  given { let w = new wolf }\n  expect double(w) == 6\n}\n'
    )
    desk.read()
    desk.file.write_text(desk.file.read_text() + "\n" + other)
    desk.read(TABLE.replace("5,0", "6,0"))
    assert desk.status == 0
    assert desk.file.read_text().endswith("cost: 6 }\n\n" + other)


def test_line_ends_of_the_file_stay(desk):
    desk.file.write_bytes(by_hand().replace("\n", "\r\n").encode())
    desk.read(HEAD + "wolf,Wolf,3,2,guard+ward\nfox,Fox,2,0,\nbear,Big Bear,6,0,\n")
    data = desk.file.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") == by_hand().count("\n") + 1


def test_nothing_is_written_when_anything_is_wrong(desk, capsys):
    desk.read()
    before = desk.file.read_bytes()
    desk.read(HEAD + "wolf,Wolf,4,2,\nbear,Big Bear,55,0,\n")
    assert desk.status == 1 and desk.file.read_bytes() == before
    assert sorted(p.name for p in desk.game.iterdir()) == ["tiny.card", "units.card"]


def test_a_file_that_cannot_be_read_is_not_overwritten(desk, findings):
    desk.file.write_text("card wolf {{{\n")
    found = findings(TABLE)
    assert found and found[0][1] == "tiny/units.card"
    assert desk.file.read_text() == "card wolf {{{\n"


def test_a_write_that_fails_leaves_the_file_whole(desk, monkeypatch, capsys):
    desk.read()
    before = desk.file.read_bytes()

    def broken(a, b):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    desk.read(TABLE.replace("5,0", "6,0"))
    assert desk.status == 2 and desk.file.read_bytes() == before
    assert "no space left on device" in capsys.readouterr().err
    assert sorted(p.name for p in desk.game.iterdir()) == ["tiny.card", "units.card"]


# ---- The command


def test_check_writes_nothing(desk, capsys):
    desk.read(args=["--check"])
    assert desk.status == 1 and not desk.file.exists()
    desk.read()
    desk.again("t.csv", "--check")
    assert desk.status == 0


def test_what_the_command_says(desk, capsys, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(desk.folder)
    (desk.folder / "t.csv").write_text(TABLE)
    args = ["import", "t.csv", "--for", "tiny", "--map", "map.toml"]
    assert run(args) == 0
    assert capsys.readouterr().out.startswith("imported 2 cards into tiny/units.card: 2 new (")
    assert run(args) == 0
    assert capsys.readouterr().out.startswith("nothing changed: 2 cards in tiny/units.card (")
    (desk.folder / "t.csv").write_text(HEAD + "wolf,Wolf,4,2,guard+ward\n")
    assert run(args) == 0
    assert ": 1 changed, 1 without a row dropped (bear) (" in capsys.readouterr().out
    (desk.folder / "t.csv").write_text(HEAD + "wolf,Wolf,44,2,guard+ward\n")
    assert run(args) == 1
    out = capsys.readouterr().out
    assert "error[E303]: 44 is outside `0..9`\n --> t.csv:2:11\n" in out and "nothing was imported" in out


@pytest.mark.parametrize("missing", ["t.csv", "map.toml", "tiny"])
def test_what_is_not_there(desk, capsys, monkeypatch, missing):
    monkeypatch.chdir(desk.folder)
    (desk.folder / "t.csv").write_text(TABLE)
    path = desk.folder / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert run(["import", "t.csv", "--for", "tiny", "--map", "map.toml"]) == 2
    assert missing in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "mapping"), [("cardlist.txt", "cards.toml"), ("made-cards.json", "made.toml")], ids=["cards", "made"]
)
def test_the_cards_of_locm_are_what_their_tables_give(capsys, table, mapping):
    locm = ROOT / "cards" / "locm"
    data = ROOT / "tests" / "data" / "locm"
    assert run(["import", str(data / table), "--for", str(locm), "--map", str(locm / mapping), "--check"]) == 0


@pytest.mark.parametrize("form", ["text", "json", "github", "gitlab", "sarif", "junit"])
def test_every_format_tells_the_findings(desk, capsys, monkeypatch, form):
    monkeypatch.chdir(desk.folder)
    (desk.folder / "t.csv").write_text(HEAD + "wolf,Wolf,12,2,guard\n")
    assert run(["import", "t.csv", "--for", "tiny", "--map", "map.toml", "--format", form]) == 1
    out = capsys.readouterr().out
    assert "12 is outside `0..9`" in out and "t.csv" in out


# ---- What is wrong in many rows


def test_a_word_that_the_mapping_lacks_is_told_once_with_its_places(desk, findings):
    rows = "".join(f"c{i},Card {i},{'costly' if i != 3 else 'dear'},0,\n" for i in range(6))
    mapping = MAPPING.replace('cost = "cost"', 'cost = { column = "cost", words = { cheap = 1 } }')
    assert mapping != MAPPING
    assert findings(HEAD + rows, mapping=mapping) == [("E703", "t.csv", 2, 11, 17), ("E703", "t.csv", 5, 11, 15)]
    many, one = desk.found
    assert one["help"] == many["help"] == "the words are `cheap`: add it to `words` in the mapping"
    assert [(place["line"], place["text"]) for place in many["labels"]] == [
        (3, "and here"),
        (4, "and here"),
        (6, "and here, and in 1 more place"),
    ]


def test_a_kind_that_is_taken_for_a_column_is_told_how_it_is_one_for_all_cards(desk, findings):
    kind = next(line for line in MAPPING.splitlines() if line.startswith("kind"))
    assert findings(TABLE, mapping=MAPPING.replace(kind, 'kind = "unit"')) == [("E702", "t.csv", 1, 1, 25)]
    assert 'one for all cards is `kind = { value = "unit" }`' in str(desk.found[0]["help"])
    assert [code for code, *_ in findings(TABLE, mapping=MAPPING.replace(kind, ""))] == ["E701"]
    assert 'a kind for all cards is `kind = { value = "…" }`' in str(desk.found[0]["help"])
