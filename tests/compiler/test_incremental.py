"""Builds by parts: the same bytes and findings as a package looked at as one, whatever changed and wherever it is
made; what has not changed is left alone, and a damaged cache harms nobody."""

from __future__ import annotations

import os
import random
import runpy
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from card_runtime.game import Game
from cardc import building, incremental, parts, pipeline, pool, separate, survey
from cardc.findings import plain_finding
from cardc.report import Unsure

PATH = Path(__file__).parents[2] / "benchmarks" / "corpus.py"

CARD = """card extra_{n} "Extra" : unit {{
  cost: 1
  power: 2
  color: red
  {line}
}}
"""
LINES = (
    "swift",
    "presence { might(u) += shell(u) when u.owner == you }",
    "presence { shell(u) += might(u) when u.owner == you }",  # a circle of values, with the one before
    'arrival { you may choose nudge u: unit in lanes.units[you.opponent] "Nudge" { wound(u, 1) } }',
    'arrival { you choose peek u: unit in you.opponent.hand where u.power > 1 "Peek" { heal(you, 1) } }',
    'arrival { let strong = [u for u in you.opponent.hand where u.power > 1] '
    'you may choose look u: unit in strong "Look" { heal(you, 1) } }',
    'arrival { let swift = count(u in you.hand where u.swift) you may choose rest "Rest" {} heal(you, swift) }',
    "presence { on heal(you, amount) { hurt(you, 1) } on hurt(you, amount) { heal(you, 1) } }",
    "arrival { for each unit_00003 in self.lane.units { wound(unit_00003, 1) } }",
    "arrival { let spare = 1 heal(you, 2) }  // lint off unused: for later",
    'arrival { copy unit_00003 to gone let luck = random from [you, you.opponent] hurt(luck, 1) }',
    "arrival { repeat 2 as storm { heal(you, 1) } }",
    "power: 3",
    """arrival {
    let dear = count(c in you.opponent.hand where c.cost > 3)
    you may choose nudge u: unit in lanes.units[you.opponent] "Nudge" { wound(u, 1) }
    hurt(you, dear)
  }""",
    "presence { might(u) += count(c in you.opponent.hand where c.cost > 3) when u.owner == you }",
    """arrival {
    let mine = might(self)
    you may choose nudge u: unit in lanes.units[you.opponent] "Nudge" { wound(u, 1) }
    hurt(you, mine)
  }""",
    'arrival { ""',
)
TESTS = (
    'test "tops {n}" {{ given {{ me.life = 29 }} when heal(me, 1) expect me.life == 30 }}\n',
    'test "of the drawn {n}" {{ given {{ chance pick luck = me }} expect me.life == 30 }}\n',
    'test "of a choice {n}" {{ when flow me chooses nudge(unit_00001) expect me.life == 30 }}\n',
)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second file ends its part."""
    monkeypatch.setattr(parts, "ONE_IN", 2)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    runpy.run_path(str(PATH))["write"](tmp_path / "corpus", 24, 2)
    return tmp_path / "corpus"


def whole(folder: Path) -> tuple[list[object], dict[str, bytes] | None]:
    """The findings and the files of a package that is looked at as one."""
    files, on = pipeline.prepare(folder, None)
    checked = pipeline.analyse(files, on)
    found = [plain_finding(f) for f in checked.findings]
    return found, None if checked.program is None else pipeline.package_files(files, checked)


def sources(folder: Path) -> list[parts.SourceFile]:
    return [parts.SourceFile.of(path, content) for path, content in pipeline.prepare(folder, None)[0]]


def on_disk(out: Path) -> dict[str, bytes]:
    found = (path for path in out.rglob("*") if path.is_file() and "cache" not in path.parts)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in found}


def same(folder: Path, out: Path) -> bool:
    """Build; it must be as if it were built as one. Whether there were no errors."""
    outcome, _ = pipeline.build(folder, out)
    findings, files = whole(folder)
    assert [plain_finding(f) for f in outcome.findings] == findings
    if files is not None:
        assert on_disk(out) == files
    return files is not None


def change(folder: Path, chance: random.Random) -> None:
    """Change something, as an author might."""
    found = sorted(folder.glob("cards_*.card"))
    path = chance.choice(found)
    text = path.read_text()
    match chance.randrange(8):
        case 0:
            path.write_text(text.replace("power: ", "power: 1", 1))
        case 1:
            path.write_text("\n// Nothing but a remark.\n" + text)
        case 2:
            cut = [m for m in range(len(text)) if text.startswith("card ", m)]
            path.write_text(text[: cut[-1]] if cut else text)
        case 3 | 4:
            added = CARD.format(n=chance.randrange(4), line=chance.choice(LINES))
            (folder / f"cards_9{chance.randrange(6)}.card").write_text(added)
        case 5:
            added = chance.choice(TESTS).format(n=chance.randrange(3))
            (folder / f"cards_8{chance.randrange(6)}.card").write_text(added)
        case 6 if len(found) > 6:
            path.unlink()
        case _:
            frame = folder / "frame.card"
            frame.write_text(frame.read_text().replace("life: 0 or more = 30", "life: 0 or more = 31"))


@pytest.mark.parametrize("seed", range(4))
def test_a_build_after_changes_is_as_a_first_one(corpus: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    out, good = tmp_path / "out", tmp_path / "good"
    for step in range(10):
        if step and good.exists() and chance.random() < 0.5:
            shutil.rmtree(corpus)
            shutil.copytree(good, corpus)
        for _ in range(chance.randrange(1, 3) if step else 0):
            change(corpus, chance)
        if same(corpus, out):
            shutil.rmtree(good, ignore_errors=True)
            shutil.copytree(corpus, good)


@pytest.mark.parametrize("line", LINES)
def test_each_kind_of_card_beside_the_others(corpus: Path, tmp_path: Path, line: str) -> None:
    """First and later, and with what it meets in another part."""
    same(corpus, tmp_path / "out")
    for n, other in enumerate((line, LINES[1], LINES[7])):
        (corpus / f"cards_9{n}.card").write_text(CARD.format(n=n, line=other) + TESTS[2].format(n=n))
        same(corpus, tmp_path / "out")
        shutil.rmtree(tmp_path / "new", ignore_errors=True)
        same(corpus, tmp_path / "new")


@pytest.mark.parametrize("copied", [True, False])
def test_any_number_of_processes_makes_the_same(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copied: bool
) -> None:
    """Whether they are copies of this one, or begun anew; what parts share is told by a few of them."""
    if copied and not hasattr(os, "fork"):
        pytest.skip("a process cannot be copied here")
    monkeypatch.setattr(pool, "workers_for", None)
    monkeypatch.setattr(pool, "_may_be_copied", lambda: copied)
    monkeypatch.setattr(incremental, "FEW", 1)
    (corpus / "cards_90.card").write_text(CARD.format(n=0, line=LINES[7]) + TESTS[0].format(n=0))
    (corpus / "cards_91.card").write_text(CARD.format(n=1, line=LINES[3]) + TESTS[2].format(n=0))
    findings, made = whole(corpus)
    for workers in (1, 2, 3):
        built = incremental.build_parts(sources(corpus), None, incremental.State(), tmp_path, workers)
        assert [plain_finding(f) for f in built.findings] == findings
        assert built.files is not None and dict(built.files) == made
        built.files.write(tmp_path / str(workers))
        assert on_disk(tmp_path / str(workers)) == made
        assert (built.counts.parsed, built.counts.checked) == (28, 28)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_emitted_by_a_wrong_guess_is_emitted_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(incremental._Job, "guess", lambda *_: frozenset({"shell", "might"}))
    made = whole(corpus)[1]
    built = incremental.build_parts(sources(corpus), None, incremental.State(), tmp_path, workers)
    assert built.files is not None and dict(built.files) == made
    assert built.counts.emitted > 24


def test_trees_that_are_made_twice_make_the_same(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(separate, "HELD", 0)
    (corpus / "cards_90.card").write_text(CARD.format(n=0, line=LINES[7]) + TESTS[0].format(n=0))
    assert same(corpus, tmp_path / "out")


@pytest.mark.parametrize("begin", ["_start", "_Copy"])
def test_processes_that_cannot_be_begun_are_done_without(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: str
) -> None:
    begun: list[str] = []

    def dead(*_: object) -> object:
        begun.append(begin)
        raise OSError("no more processes")

    monkeypatch.setattr(pool, begin, dead)
    monkeypatch.setattr(pool, "_may_be_copied", lambda: begin == "_Copy")
    monkeypatch.setattr(incremental, "workers_for", lambda parts: 2)
    assert same(corpus, tmp_path / "out")
    assert begun


@pytest.mark.parametrize("step", ["parse", "know", "check", "counts", "write"])
def test_a_process_that_dies_is_done_without(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    killed: list[int] = []
    real = pool.Processes.tell

    def tell(self: pool.Processes, message: Any, whom: Any = None) -> None:
        if message[0] == step and not killed:
            killed.append(1)
            self.workers[1].kill()
        real(self, message, whom)

    monkeypatch.setattr(pool.Processes, "tell", tell)
    monkeypatch.setattr(incremental, "workers_for", lambda parts: 2)
    assert same(corpus, tmp_path / "out")
    assert killed


def test_a_package_that_is_only_checked_leaves_no_process(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[pool.Processes] = []
    real = pool.Processes.parse

    def parse(self: pool.Processes) -> list[tuple[int, separate.Declared]]:
        begun.append(self)
        return real(self)

    monkeypatch.setattr(pool.Processes, "parse", parse)
    monkeypatch.setattr(incremental, "workers_for", lambda parts: 2)
    pipeline.check(corpus)
    workers = begun[0].workers
    assert len(workers) == 2
    begun.clear()
    assert not workers


# ---- What is left alone


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[incremental.Built]]:
    """All builds by parts, with their counts."""
    found: list[incremental.Built] = []
    real = incremental.build_parts

    def build(*args: object) -> incremental.Built:
        found.append(real(*args))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(incremental, "build_parts", build)
    yield found


def test_only_the_part_that_changed_is_done_again(
    corpus: Path, tmp_path: Path, counted: list[incremental.Built]
) -> None:
    assert same(corpus, tmp_path / "out")
    path = corpus / "cards_00006.card"
    path.write_text(path.read_text().replace("power: ", "power: 1", 1))
    assert same(corpus, tmp_path / "out")
    (mine,) = [part for part in parts.cut(sources(corpus)) if path.name in [file.path for file in part.files]]
    cards = 2 * len(mine.files)
    first, second = (b.counts for b in counted)
    assert (first.parsed, first.checked, first.emitted) == (24, 24, 24)
    assert (second.parsed, second.checked, second.emitted) == (cards, cards, cards) and cards < 12


def test_who_speaks_of_a_card_is_looked_at_when_it_goes(
    corpus: Path, tmp_path: Path, counted: list[incremental.Built]
) -> None:
    (corpus / "cards_90.card").write_text(CARD.format(n=0, line="arrival { copy unit_00003 to gone }"))
    assert same(corpus, tmp_path / "out")
    path = corpus / "cards_00002.card"
    path.write_text(path.read_text()[: path.read_text().index("card unit_00003")])
    assert not same(corpus, tmp_path / "out")
    assert [f.message for f in counted[-1].findings] == ["nothing is called `unit_00003` here"]


def test_nothing_is_built_where_nothing_changed(
    corpus: Path, tmp_path: Path, counted: list[incremental.Built], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline.build(corpus, tmp_path / "out")
    outcome, _ = pipeline.build(corpus, tmp_path / "out")
    assert outcome.fresh and len(counted) == 1 and outcome.cards == 24


def test_decks_are_judged_by_the_cards_that_they_list(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of many cards is not loaded to count those of a deck; what is wrong is told as ever."""
    loaded: list[int] = []
    real = Game.__init__

    def init(game: Game, folder: Path, packages: list[Any]) -> None:
        loaded.append(sum(name.endswith(".py") for name in packages[0][1]))
        real(game, folder, packages)

    monkeypatch.setattr(Game, "__init__", init)
    rules = 'deck {\n  unit into deck\n  require "Too dear" sum(c.cost for c in deck) < 30\n}\n'
    (corpus / "decks.card").write_text(rules + 'decklist small "Small" { 2 unit_00003 }\n')
    assert same(corpus, tmp_path / "out")
    assert len(parts.cut(sources(corpus))) > 4 and loaded == [2]  # the frame with the decks, and one part of cards
    large = ", ".join(f"20 unit_{i:05d}" for i in range(6))
    lists = f'decklist small "Small" {{ 2 unit_00003 }}\ndecklist large "Large" {{ {large} }}\n'
    (corpus / "decks.card").write_text(rules + lists)
    outcome, _ = pipeline.build(corpus, tmp_path / "out")
    assert [f.message for f in outcome.findings] == ["deck `large` breaks a rule: Too dear"]
    (corpus / "decks.card").write_text(
        rules.replace("sum", "many() > 20 and sum") + 'value many(): 0 or more = count(catalog)\n'
        'decklist a "A" { 2 unit_00003 }\n'
    )
    outcome, _ = pipeline.build(corpus, tmp_path / "out")
    assert [f.message for f in outcome.findings] == []
    assert loaded[-1] == len(parts.cut(sources(corpus)))


def test_released_ids_are_kept_in_parts_too(corpus: Path, tmp_path: Path) -> None:
    assert same(corpus, tmp_path / "out")
    (corpus / "ids.lock").write_text('card unit_00003: unit "Unit number 3"\ncard unit_00004: spell "Bolt"\n')
    assert not same(corpus, tmp_path / "out")
    (corpus / "ids.lock").write_text('card unit_00003: unit "Another"\ncard lost: unit "Lost" gone\n')
    assert same(corpus, tmp_path / "out")
    (corpus / "cards_90.card").write_text('card lost "Found" : unit { cost: 1  power: 2  color: red }\n')
    assert not same(corpus, tmp_path / "out")


# ---- What is not read again


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sources that are read."""
    found: list[str] = []
    real = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.suffix == ".card":
            found.append(path.name)
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    return found


def rest(folder: Path) -> None:
    """As if nobody had touched the files for a minute."""
    for path in folder.rglob("*.card"):
        os.utime(path, ns=(path.stat().st_mtime_ns - 60 * 10**9,) * 2)


@pytest.fixture
def rested(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus that was built after it had rested: the clock of the survey is an hour ahead."""
    real = time.time_ns
    monkeypatch.setattr(survey.time, "time_ns", lambda: real() + 3600 * 10**9)
    rest(corpus)
    pipeline.build(corpus, tmp_path / "out")
    return corpus


def test_files_at_rest_are_not_read_again(rested: Path, tmp_path: Path, read: list[str]) -> None:
    outcome, _ = pipeline.build(rested, tmp_path / "out")
    assert outcome.fresh and read == []


def test_of_what_changed_no_more_is_read_than_its_part(rested: Path, tmp_path: Path, read: list[str]) -> None:
    path = rested / "cards_00006.card"
    path.write_text(path.read_text().replace("power: ", "power: 1", 1))
    (mine,) = [part for part in parts.cut(sources(rested)) if path.name in [file.path for file in part.files]]
    read.clear()
    outcome, _ = pipeline.build(rested, tmp_path / "out")
    assert not outcome.fresh
    assert set(read) == {"frame.card", *(file.path for file in mine.files)} and len(set(read)) < 12
    assert same(rested, tmp_path / "out")


def test_files_that_had_not_rested_are_read_again(corpus: Path, tmp_path: Path, read: list[str]) -> None:
    """They may have been written twice in one tick of the clock."""
    pipeline.build(corpus, tmp_path / "out")
    read.clear()
    path = corpus / "cards_00006.card"
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"// Number", b"// number", 1))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    outcome, _ = pipeline.build(corpus, tmp_path / "out")
    assert not outcome.fresh and path.name in read


@pytest.mark.parametrize("how", ("touched", "replaced", "added", "renamed", "below", "package below", "link", "gone"))
def test_whatever_happens_to_files_is_seen(rested: Path, tmp_path: Path, how: str) -> None:
    path = rested / "cards_00006.card"
    extra = CARD.format(n=7, line="swift")
    match how:
        case "touched":
            os.utime(path)
        case "replaced":  # with all its times
            before = path.stat()
            new = path.with_name("new")
            new.write_bytes(path.read_bytes().replace(b"// Number", b"// number", 1))
            os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
            new.replace(path)
        case "added":
            (rested / "aaa.card").write_text(extra)
        case "renamed":
            path.rename(rested / "zzz.card")
        case "below":
            (rested / "below").mkdir()
            (rested / "below" / "a.card").write_text(extra)
        case "package below":
            (rested / "below").mkdir()
            (rested / "below" / "a.card").write_text(extra)
            assert same(rested, tmp_path / "out")
            (rested / "below" / "b.card").write_text('expansion more "More" for corpus { version: "1" }')
        case "link":
            (tmp_path / "elsewhere").mkdir()
            (tmp_path / "elsewhere" / "a.card").write_text(extra)
            (rested / "link").symlink_to(tmp_path / "elsewhere")
        case "gone":
            path.unlink()
    assert same(rested, tmp_path / "out")
    outcome, _ = pipeline.build(rested, tmp_path / "out")
    assert outcome.fresh


def test_a_file_that_changes_while_it_is_built_is_looked_at_again(
    rested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its status was looked at before, its content is read after."""
    path = rested / "cards_00006.card"
    path.write_text(path.read_text().replace("power: ", "power: 1", 1))
    (mine,) = [part for part in parts.cut(sources(rested)) if path.name in [file.path for file in part.files]]
    other = next(rested / file.path for file in mine.files if file.path != path.name)
    real = building.look

    def look(*args: object) -> object:
        found = real(*args)  # type: ignore[arg-type]
        other.write_text(other.read_text().replace("power: ", "power: 1", 1))
        return found

    monkeypatch.setattr(building, "look", look)
    assert same(rested, tmp_path / "out")


# ---- A cache that is not as it was left


def cache(out: Path) -> list[Path]:
    return [out / "cache" / name for name in ("sources.bin", "build.bin")]


@pytest.mark.parametrize("which", (0, 1))
@pytest.mark.parametrize("how", ("gone", "short", "flipped", "empty", "other", "folder"))
def test_a_damaged_cache_is_as_none(corpus: Path, tmp_path: Path, which: int, how: str) -> None:
    out = tmp_path / "out"
    pipeline.build(corpus, out)
    path = cache(out)[which]
    data = path.read_bytes()
    path.unlink()
    match how:
        case "short":
            path.write_bytes(data[: len(data) // 2])
        case "flipped":
            path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
        case "empty":
            path.write_bytes(b"")
        case "other":
            building.store.write(path, building.compiler_digest(), {"of": "something else"})
        case "folder":
            path.mkdir()
    change(corpus, random.Random(0))
    assert same(corpus, out)
    assert same(corpus, out)


def test_a_damaged_part_is_not_taken_over(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    pipeline.build(corpus, out)
    part = sorted((out / "parts").glob("*.py"))[2]
    part.write_bytes(part.read_bytes() + b"\n")
    assert same(corpus, out)


def test_a_package_of_another_build_is_not_taken_over(corpus: Path, tmp_path: Path) -> None:
    """What a kill between package and cache leaves: the cache tells of another package than the one it lies in."""
    out = tmp_path / "out"
    pipeline.build(corpus, out)
    before = [path.read_bytes() for path in cache(out)]
    path = corpus / "cards_00006.card"
    path.write_text(path.read_text().replace("power: ", "power: 1", 1))
    pipeline.build(corpus, out)
    for path, data in zip(cache(out), before, strict=True):
        path.write_bytes(data)
    assert same(corpus, out)


def test_what_facts_cannot_word_is_looked_at_as_one(corpus: Path) -> None:
    """Two cards in two parts close a circle of values, which the finding tells at both."""
    for n in (1, 2):
        (corpus / f"cards_9{n}.card").write_text(CARD.format(n=n, line=LINES[n]))
    with pytest.raises(Unsure):
        incremental.build_parts(sources(corpus), None, incremental.State(), corpus)
