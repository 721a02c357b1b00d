"""`cardc import`: any table and any mapping, and the pages that tell of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cardc.importer.mapping import _CARDS, _ID, _TABLE, _TAKE, read_mapping
from cardc.importer.run import Given, import_table
from cardc.source import Source
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "import"
GAME = (DATA / "tiny.card").read_text()
MAPPING = (DATA / "map.toml").read_text()
HEAD = "id,name,cost,power,words\n"
TABLE = HEAD + "wolf,Wolf,3,2,guard+ward\nbear,Big Bear,5,0,\n"


# ---- Any table

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Cf", "Zl", "Zp", "Cn"]), min_size=1)
ROWS = st.lists(
    st.tuples(
        st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True).map("u_".__add__),
        TEXT,
        st.integers(0, 9),
        st.integers(-99, 99),
        st.sets(st.sampled_from(["guard", "ward", "lethal"])).map(sorted),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row[0],
)
SEPARATORS = st.sampled_from([",", ";", "\t", "|"])


def delimited(rows, separator: str, quoted: bool) -> bytes:
    def cell(value) -> str:
        text = "+".join(value) if isinstance(value, list) else str(value)
        if quoted or any(c in text for c in f'{separator}"\n'):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [HEAD.strip().split(","), *rows]
    return "\n".join(separator.join(map(cell, line)) for line in lines).encode()


def imported(table: bytes, old: bytes | None):
    files = [("tiny.card", GAME.encode())] + ([] if old is None else [("units.card", old)])
    return import_table(Given("t", "t", table), Given("m", "m", MAPPING.encode()), files, None, "")


@settings(max_examples=30, deadline=None)
@given(ROWS, ROWS, SEPARATORS, st.booleans(), st.booleans())
def test_fuzz_a_second_import_gives_what_a_first_would(first, second, separator, quoted, keep):
    """Whatever the rows, the cards say what they say, and coming from another table gives the same cards."""
    mapping = MAPPING.replace('title = "name"', 'title = { column = "name", keep = true }')
    files = [("tiny.card", GAME.encode())]

    def get(rows, old: bytes | None):
        have = files if old is None else [*files, ("units.card", old)]
        done = import_table(
            Given("t", "t", delimited(rows, separator, quoted)), Given("m", "m", mapping.encode()), have, None, ""
        )
        assert done.text is not None, done.findings
        return done

    one, two = get(first, None).text, get(second, None).text
    assert get(first, one.encode()).text == one
    again = get(second, one.encode()).text
    assert again == two
    rows = {row[0]: row for row in second}
    for line in two.replace("\n  ", " ").replace("\n}", " }").split("\n\n", 1)[1].splitlines():
        id = line.split()[1]
        assert f"cost: {rows[id][2]}" in line
        assert (f"power: {rows[id][3]} " in line) == (rows[id][3] != 0)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["t.csv", "t.json"]))
def test_fuzz_no_table_makes_a_traceback(data, name):
    for head in (b"", HEAD.encode(), b"[{"):
        done = import_table(
            Given(name, name, head + data), Given("m", "m", MAPPING.encode()), [("tiny.card", GAME.encode())], None, ""
        )
        assert done.text is not None or done.findings


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_fuzz_no_mapping_makes_a_traceback(text):
    for head in ("", MAPPING, "[cards]\n", "[fields]\n"):
        done = import_table(
            Given("t.csv", "t.csv", TABLE.encode()),
            Given("m", "m", (head + text).encode("utf-8", "replace")),
            [("tiny.card", GAME.encode())],
            None,
            "",
        )
        assert done.text is not None or done.findings


@pytest.mark.parametrize("page", ["compiler/IMPORT.md", "grammar/card_grammar/pages/E701.md"])
def test_the_documentation_names_every_key(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for keys in (_TABLE, _CARDS, _TAKE, _ID):
        for key in keys:
            assert f"`{key}`" in text or f"\n{key} = " in text, key


def test_the_mapping_in_the_documentation_is_one():
    text = (ROOT / "compiler" / "IMPORT.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    mapping, found = read_mapping(Source("IMPORT.md", example))
    assert mapping is not None and not found


PAGE = '[cards]\nfile = "units.card"\nid = { column = "nr", prefix = "u" }\ntitle = "name"\nkind = { value = "unit" }\n'
TYPED = PAGE.replace('{ value = "unit" }', '{ column = "type", words = { Creature = "unit" } }')


@pytest.mark.parametrize("code", ["E701", "E702", "E703", "E704", "E705", "E706", "W751", "W752"])
def test_the_page_of_a_finding_shows_it(code):
    text = (ROOT / "grammar" / "card_grammar" / "pages" / f"{code}.md").read_text(encoding="utf-8")
    wrong, right = (
        part.split("```")[0].split("\n", 1)[1] for part in text.split("```csv" if code != "E701" else "```toml")[1::1]
    )

    def codes(example: str, before: str = "") -> set[str]:
        mapping = before + (TYPED if ",type," in example else PAGE) + '[fields]\ncost = "cost"\n'
        table = HEAD if code == "E701" else example
        how = example if code == "E701" else mapping
        given = Given("t.csv", "t.csv", table.encode()), Given("m", "m", how.encode())
        return {f.code for f in import_table(*given, [("tiny.card", GAME.encode())], None, "").findings}

    assert code in codes(wrong)
    assert code not in codes(right, '[table]\nignore = ["power"]\n' if code == "W752" else "")
    if code != "E701":
        assert not codes(right, '[table]\nignore = ["power"]\n' if code == "W752" else "")
