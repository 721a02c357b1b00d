"""`cardc new`: what it makes is whole, whatever it is called, and it overwrites nothing."""

import os
import re
import subprocess
import sys
from pathlib import Path

import card_runtime as rt
import pytest
from card_grammar.tables import load_tables
from cardc import pipeline, starter
from cardc.__main__ import main
from cardc.testing import run_tests

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.name for path in (ROOT / "cards").iterdir() if any(path.glob("*.card")))
ODD = [
    "tower", "class", "None", "__init__", "__class__", "self", "for", "game", "test", "player", "fighter", "hills",
    "Moon Court", "2048", "été à la mer", "月", "!!!", 'say "so"', "back\\slash", "{{ x }}", "{% raw %}", "a{b}c",
    "$(reboot)", "'; --", "# hash", "x" * 200, ".hidden", "moon-court", "CON", "a.card", "new_game",
    "build", "New game", "עברית", "e\u0301",
]  # fmt: skip


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)


def whole(folder: Path, base: Path | None = None) -> tuple[int, int]:
    """Check a package, run its tests; how many cards and tests it has."""
    outcome = pipeline.check(folder, base)
    assert outcome.findings == (), [f.message for f in outcome.findings]
    _, results = run_tests(folder, base)
    assert [r.message for r in results if not r.passed] == []
    return outcome.cards, len(results)


@pytest.mark.parametrize("name", ODD)
def test_a_new_game_is_whole_and_plays(name: str, tmp_path: Path) -> None:
    assert main(["new", "--", name]) == 0
    folder = tmp_path / name
    cards, tests = whole(folder)
    assert cards >= 7 and tests >= 7
    outcome, where = pipeline.build(folder, tmp_path / "out")
    game = rt.load(where)
    assert outcome.title == starter.title(name) == game.model.game.title
    for seed in range(5):
        result = game.playout(seed=seed)
        assert not result.reason.startswith("stopped")
    assert game.playout(1, ["greedy", "random"]).reason


@pytest.mark.parametrize("name", ["winter", "for", "__init__", "Ice { and } fire"])
def test_a_new_expansion_of_a_new_game(name: str, tmp_path: Path) -> None:
    assert main(["new", "tower"]) == 0
    assert main(["new", name, "--expansion-of", "tower"]) == 0
    assert whole(tmp_path / name, tmp_path / "tower") == (1, 1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("built", [False, True], ids=["folder", "built"])
def test_a_new_expansion_of_each_game_is_whole(game: str, built: bool, tmp_path: Path) -> None:
    base = ROOT / "cards" / game
    if built:
        _, base = pipeline.build(base, tmp_path / "base")
    assert main(["new", "winter", "--expansion-of", str(base)]) == 0
    cards, tests = whole(tmp_path / "winter", base)
    assert cards == 1 and tests == 1


def test_it_says_what_was_made_and_what_to_do_next(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["new", "games/Moon Court"]) == 0
    said = capsys.readouterr().out
    made = sorted(path.name for path in (tmp_path / "games" / "Moon Court").iterdir())
    assert made == ["cards.card", "moon_court.card", "tests.card"]
    assert all(name in said for name in made)
    commands = re.findall(r"^  cardc (\w+) '(.*)'( banner)?  ", said, re.MULTILINE)
    assert [command for command, _, _ in commands] == ["play", "check", "test", "explain"]
    for command, where, more in commands:
        assert main([command, where, *more.split()]) == 0
    assert main(["new", "quiet", "--quiet"]) == 0


def test_the_next_steps_of_an_expansion_name_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "tower", "-q"]) == 0
    assert main(["new", "tower/winter", "--expansion-of", "tower"]) == 0
    assert "cardc test tower/winter --base tower  " in capsys.readouterr().out
    for command in ("test", "sim"):  # they find the game around it
        assert main([command, "tower/winter"]) == 0
    assert main(["test", "tower"]) == 0


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("full", "file", ".."):
        assert main(["new", name]) == 2
        err = capsys.readouterr().err
        assert "nothing was written" in err and err.count("\n") == 1
    assert (tmp_path / "file").read_text() == "mine" and os.listdir(tmp_path / "full") == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    assert main(["new", "empty"]) == 0
    assert main(["new", "empty"]) == 2


def test_the_current_folder_if_it_is_empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tower").mkdir()
    monkeypatch.chdir(tmp_path / "tower")
    assert main(["new", "."]) == 0
    assert (tmp_path / "tower" / "tower.card").is_file()
    assert main(["check"]) == 0


@pytest.mark.parametrize("name", ["", "/", "a\nb", "a\x1bb", "\u202eabc", "x" * 300, "no\x00zero"])
def test_what_is_no_name(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["new", name]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "\x1b" not in err and "\u202e" not in err
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_game_to_expand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["new", "tower", "-q"]) == 0
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "g.card").write_text('game g "G" { version: "1" }\n')
    assert main(["new", "winter", "--expansion-of", "tower", "-q"]) == 0
    for base in ("nowhere", "broken", "winter"):
        assert main(["new", "summer", "--expansion-of", base]) == 2, base
        err = capsys.readouterr().err
        assert err.startswith("cardc: ") and err.count("\n") == 1
    assert main(["new", "other/Tower", "--expansion-of", "tower"]) == 2
    assert "a name of its own" in capsys.readouterr().err
    assert not (tmp_path / "summer").exists() and not (tmp_path / "other").exists()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    """As another user: tests run as root, whom no permission stops."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to become another user")
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    tmp_path.chmod(0o755)
    program = (  # The first one imports all that the other user may not be able to read.
        "import os, sys; from cardc.__main__ import main; main(['new', '-q', sys.argv[1]]); "
        "os.setuid(65534); sys.exit(main(['new', sys.argv[2]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "first"), str(locked / "tower")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"cardc: cannot write {locked / 'tower'}: permission denied\n"
    assert os.listdir(locked) == []


def test_a_base_is_for_expansions_and_a_package_says_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "tower", "-q"]) == main(["new", "bridge", "-q"]) == 0
    for command in ("check", "build", "test", "lint", "play", "sim", "lock"):
        assert main([command, "tower", "--base", "bridge"]) == 2
        assert capsys.readouterr() == ("", "cardc: tower is a game: --base is for expansions\n")
    (Path("tower") / "tower.card").unlink()
    assert main(["check", "tower"]) == 2
    said = "no file declares a `game` or an `expansion` (cards.card, tests.card); `cardc new` begins one"
    assert capsys.readouterr().err == f"cardc: {said}\n"
    os.chdir("bridge")
    Path("odd.card").write_text("value x: int = 1\n")
    assert main(["test"]) == 1
    assert "no test was run: this folder has errors\n" in capsys.readouterr().out


def test_a_folder_of_packages_says_which(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("tower", "bridge"):
        assert main(["new", name, "-q"]) == 0
    assert main(["check"]) == main(["play"]) == main(["diff", "tower", "."]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "cardc: . is no package, but holds some: name one of bridge, tower\n" * 3)
    (Path("tower") / "cards.card").write_text('card   giant "Giant":fighter{power:5}\n')
    assert main(["fmt", "--check"]) == 1
    assert capsys.readouterr().out.startswith("would change tower/cards.card\nwould change 1 of 6 files")


def test_ids_are_no_reserved_words_and_titles_are_readable() -> None:
    for word in sorted(load_tables().reserved):
        assert starter.identifier(word) not in load_tables().reserved
    assert [starter.identifier(n) for n in ("Moon Court", "été", "2048", "月", "__init__", "for", "-x-")] == [
        "moon_court", "ete", "game_2048", "game", "__init__", "for_game", "x",
    ]  # fmt: skip
    assert [starter.title(n) for n in ("moon-court", "Moon Court", "moon_court", "LOCM", "月")] == [
        "Moon court", "Moon Court", "Moon court", "LOCM", "月",
    ]  # fmt: skip


def test_the_template_is_a_package_of_its_own() -> None:
    template = Path(starter.__file__).parent / "templates" / "game"
    assert whole(template) == (8, 7)
    assert set(starter.game_files("tower")) == {"tower.card", "cards.card", "tests.card"}
    assert "New game" not in "".join(starter.game_files("tower").values())


def test_an_expansion_begins_with_all_that_its_cards_may_have() -> None:
    assert main(["new", "storm", "--expansion-of", str(ROOT / "cards" / "moonga")]) == 0
    lines = Path("storm", "cards.card").read_text().splitlines()
    assert lines[0] == "// What an attack spell may have:"
    assert "//   switch(cost: …) { … }  Instead of the capacity" in lines
    assert "//   form evolution(level: …, pay: …, cost: …) { … }  What it does not say again stays" in lines
