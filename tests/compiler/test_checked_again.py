"""`check` goes by what the last build left: it says what a look at the whole says, does only what has changed, and
writes nothing."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from cardc import building, incremental, parts, pipeline, separate, survey
from cardc.findings import plain_finding

CORPUS = Path(__file__).parents[2] / "benchmarks" / "corpus.py"
UNUSED = "  arrival { let spare = 1 heal(you, 2) }\n"
WRONG = "  arrival { heal(nobody, 2) }\n"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of some parts, built into the default folder."""
    monkeypatch.setattr(parts, "ONE_IN", 2)
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(CORPUS))["write"](tmp_path / "corpus", 24, 2)
    pipeline.build(tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many files with cards are read, by part."""
    found: list[int] = []
    read = separate.parse_files

    def noted(files: tuple[parts.File, ...], own: bool) -> object:
        found.append(len(files))
        return read(files, own=own)

    monkeypatch.setattr(separate, "parse_files", noted)
    yield found


def as_one(folder: Path) -> list[object]:
    return [plain_finding(f) for f in pipeline.analyse(pipeline.prepare(folder, None)[0], None).findings]


def said(folder: Path) -> list[object]:
    return [plain_finding(f) for f in pipeline.check(folder).findings]


def add(folder: Path, line: str) -> None:
    """A card with this line, in a file of its own."""
    (folder / "more.card").write_text(f'card more "More" : unit {{\n  cost: 1\n  power: 2\n  color: red\n{line}}}\n')


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(p): (p.stat().st_mtime_ns, p.stat().st_ino) for p in sorted(folder.rglob("*"))}


def test_what_was_just_built_is_not_read_again(
    corpus: Path, parsed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the rules."""
    monkeypatch.setattr(incremental, "build_parts", lambda *_: pytest.fail("something was built"))
    outcome = pipeline.check(corpus)
    assert (outcome.findings, outcome.cards, outcome.title) == ((), 24, "Corpus")
    assert parsed == []


def test_findings_of_the_build_are_told_again(corpus: Path, parsed: list[int]) -> None:
    add(corpus, UNUSED)
    built = [plain_finding(f) for f in pipeline.build(corpus)[0].findings]
    assert built
    parsed.clear()
    assert said(corpus) == built
    assert parsed == []


@pytest.mark.parametrize("line", [UNUSED, WRONG, "  swift\n"])
def test_what_has_changed_is_checked_as_in_the_whole(corpus: Path, parsed: list[int], line: str) -> None:
    files = len(list(corpus.iterdir()))
    add(corpus, line)
    assert said(corpus) == as_one(corpus)
    assert 0 < sum(parsed) < files


def test_what_a_card_gives_to_an_effect_is_judged_by_what_the_rules_choose(corpus: Path, parsed: list[int]) -> None:
    guess = "effect guess(p: player, u: unit) { p may choose guess n: 1..9 where n < u.power { p.life += n } }\n"
    (corpus / "guess.card").write_text(guess)
    pipeline.build(corpus)
    files = len(list(corpus.iterdir()))
    parsed.clear()
    add(corpus, "  arrival { for each u in you.hand { guess(you, u) } }\n")
    assert said(corpus) == as_one(corpus) == []
    assert 0 < sum(parsed) < files
    add(corpus, "  arrival { for each u in you.opponent.hand { guess(you, u) } }\n")
    found = said(corpus)
    assert found == as_one(corpus) and ["E501" in str(f) for f in found] == [True]


def test_nothing_is_written(corpus: Path, tmp_path: Path) -> None:
    for line in (UNUSED, WRONG):
        add(corpus, line)
        before = snapshot(tmp_path)
        pipeline.check(corpus)
        assert snapshot(tmp_path) == before


def test_without_a_build_all_is_checked(corpus: Path, tmp_path: Path) -> None:
    add(corpus, WRONG)
    os.rename(tmp_path / "build", tmp_path / "elsewhere")
    assert said(corpus) == as_one(corpus)
    assert not (tmp_path / "build").exists()


def test_a_file_that_changes_meanwhile_is_seen(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was looked at is not what is read, so it is looked at again."""
    monkeypatch.setattr(parts, "ONE_IN", 1000)  # one part: to check one file, all are read
    monkeypatch.setattr(survey, "TICK", -survey.TICK)  # and no clock has a say in what rests
    (corpus / "more.card").write_text("// more\n")
    pipeline.build(corpus)
    file = sorted(corpus.glob("cards_*.card"))[0]
    text = file.read_text()
    file.write_text(text.replace("power: ", "power: 1", 1))
    before = building._as_before(corpus, None)
    for other in corpus.glob("cards_*.card"):
        other.write_text(f"{other.read_text()}\n// more\n")
    file.write_text(text.replace("cost: ", "price: ", 1))
    monkeypatch.setattr(building, "_as_before", lambda folder, out: before)
    anew = building._anew
    again: list[Path] = []

    def noted(folder: Path, out: Path | None, base: Path | None) -> building.Job:
        again.append(folder)
        return anew(folder, out, base)

    monkeypatch.setattr(building, "_anew", noted)
    assert said(corpus) == as_one(corpus) != []
    assert again == [corpus]
