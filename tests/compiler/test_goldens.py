"""Golden pairs: `tests/reject` with what is found, `tests/accept` with the code that is made.

`CARDC_BLESS=1 pytest tests/compiler/test_goldens.py` writes what is missing or different; read it before committing it.
A case is a file, or a folder with the files of a package, or one with the folders `expansion` and `game`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from card_grammar.diagnostics import DIAGNOSTICS
from cardc import pipeline
from cardc.emit.module import emit
from cardc.formats.text import render
from cardc.package import read_folder
from cardc.testing import run_files

TESTS = Path(__file__).parents[1]
REJECT, ACCEPT = TESTS / "reject", TESTS / "accept"
BLESS = bool(os.environ.get("CARDC_BLESS"))

Files = list[tuple[str, bytes]]


def cases(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.is_dir() or p.suffix == ".card")


def files_of(case: Path) -> Files:
    if (case / "expansion").is_dir():
        return read_folder(case / "expansion")
    return read_folder(case) if case.is_dir() else [(case.name, case.read_bytes())]


def with_crlf(files: Files) -> Files:
    return [(path, data.replace(b"\n", b"\r\n")) for path, data in files]


def analysed(case: Path, files: Files) -> pipeline.Checked:
    base = None
    if (case / "expansion").is_dir():
        base = pipeline.prepare(case / "expansion", case / "game")[1]
    checked = pipeline.analyse(files, base)
    if pipeline.has_decks(checked):
        checked = pipeline.decks_kept(checked, pipeline.package_files(files, checked), base)
    if case.name.startswith("L"):
        checked = pipeline.linted(checked, lambda path: path == "art/drawn.png")
    return checked


def compare(path: Path, found: str) -> None:
    """Compare with the golden file, or write it."""
    if BLESS:
        path.write_text(found, encoding="utf-8", newline="\n")
    assert path.exists(), f"{path.name} is missing: run with CARDC_BLESS=1, and read it"
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", cases(REJECT), ids=lambda p: p.name)
def test_reject(case: Path) -> None:
    files = files_of(case)
    checked = analysed(case, files)
    code = case.name[:4]
    assert code in [f.code for f in checked.findings]
    compare(case.parent / f"{case.stem}.expected", render(checked.findings))
    if code != "E004":  # which tells of a byte, not of a place
        again = analysed(case, with_crlf(files))
        assert render(again.findings) == render(checked.findings), "the same under CRLF"


@pytest.mark.parametrize("case", cases(ACCEPT), ids=lambda p: p.name)
def test_accept(case: Path) -> None:
    files = files_of(case)
    checked = analysed(case, files)
    assert render(checked.findings) == ""
    assert checked.program is not None and checked.symbols is not None
    compare(case.parent / f"{case.stem}.py.expected", emitted(checked))
    assert emitted(analysed(case, with_crlf(files))) == emitted(checked), "the same under CRLF"
    _, game, results = run_files(files, None)
    assert game is not None and not [r.message for r in results if not r.passed]
    for seed in range(4):
        game.playout(seed=seed)  # no fault


def emitted(checked: pipeline.Checked) -> str:
    assert checked.program is not None and checked.symbols is not None
    return "".join(module.text.rstrip("\n") + "\n" for module in emit(checked.symbols, checked.program))


# ---- Completeness


def orphans() -> Iterator[Path]:
    for folder, suffix in ((REJECT, ".expected"), (ACCEPT, ".py.expected")):
        known = {case.stem for case in cases(folder)}
        for path in folder.iterdir():
            if path.name.endswith(suffix) and path.name.removesuffix(suffix) not in known:
                yield path


def test_no_golden_is_left_over() -> None:
    assert not list(orphans())


def test_every_code_has_a_golden() -> None:
    """All but those of tables that are imported, which have tests of their own."""
    shown = {case.name[:4] for case in cases(REJECT)}
    assert sorted(code for code in set(DIAGNOSTICS) - shown if not code.startswith(("E7", "W75", "W607"))) == []
    assert sorted(shown - set(DIAGNOSTICS)) == []
