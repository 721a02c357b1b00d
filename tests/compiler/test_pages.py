"""The pages of `cardc explain`: each diagnostic has one, its wrong example gives the code, its right one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from card_grammar.diagnostics import DIAGNOSTICS
from cardc.pipeline import analyse, base_for, decks_kept, linted, package_files

GRAMMAR = Path(__file__).parents[2] / "grammar"
PAGES = GRAMMAR / "card_grammar" / "pages"
SCAFFOLD = (GRAMMAR / "scaffold.card").read_bytes()
EXAMPLE = re.compile(r"```card\n(.*?)\n```", re.DOTALL)


def codes(example: str, tmp_path: Path) -> set[str]:
    """The codes found in an example: alone where it is a game, else beside the scaffold, or as an expansion of it."""
    text = example.encode()
    if example.startswith("game "):
        files, on = [("example.card", text)], None
    elif example.startswith("//"):
        (tmp_path / "scaffold.card").write_bytes(SCAFFOLD)
        head = b"" if "\nexpansion " in example else b'expansion more "More" for tiny { version: "1.0.0" }\n'
        files = [("example.card", head + text)]
        on = base_for(tmp_path, files, tmp_path)
    else:
        files, on = [("example.card", text), ("scaffold.card", SCAFFOLD)], None
    checked = analyse(files, on)
    if checked.program is not None and on is None:
        checked = decks_kept(checked, package_files(files, checked))
    return {f.code for f in linted(checked, lambda path: False).findings}


@pytest.mark.parametrize("code", sorted(DIAGNOSTICS))
def test_page(code, tmp_path):
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    d = DIAGNOSTICS[code]
    assert text.startswith(f"# {code} {d.name}\n\n")
    assert "Wrong:" in text and len(text.rstrip().rsplit("\n\n", 1)[1]) > 20
    examples = EXAMPLE.findall(text)
    if not examples:
        assert code in ("E004", "E008", "E112", "E113", "W607") or code.startswith(("E7", "W7")), (
            "only what is no text of the language has none"
        )
        return
    wrong, right = examples
    assert code in codes(wrong, tmp_path)
    found = codes(right, tmp_path)
    assert code not in found
    assert not {c for c in found if DIAGNOSTICS[c].severity == "error"}


def test_no_page_is_left_over():
    assert {p.stem for p in PAGES.glob("*.md")} == set(DIAGNOSTICS)


def test_the_scaffold_is_clean():
    assert analyse([("scaffold.card", SCAFFOLD)], None).findings == ()
