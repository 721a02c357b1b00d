"""`cardc play` with a real game: through pipes, saved and taken up again."""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from cardc.__main__ import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def vughex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "vughex"
    assert main(["build", str(ROOT / "cards" / "vughex"), "-o", str(out), "--quiet"]) == 0
    return out


def play(where: Path, *args: str, typed: str = "") -> tuple[int, str, str]:
    command = [sys.executable, "-m", "cardc", "play", *args]
    env = {**os.environ, "TERM": "xterm"}
    done = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=where, env=env, check=False)
    return done.returncode, done.stdout, done.stderr


def test_two_bots_through_a_pipe_are_the_same_for_the_same_seed(vughex: Path, tmp_path: Path) -> None:
    first = play(tmp_path, str(vughex), "--seed", "7")
    status, out, err = first
    assert (status, err) == (0, "")
    assert "seed 7 " in out.splitlines()[1]
    assert out.splitlines()[-1].startswith("result: ")
    assert "\x1b" not in out
    assert play(tmp_path, str(vughex), "--seed", "7") == first
    status, out, _ = play(tmp_path, str(vughex), "--seed", "7", "--quiet")
    assert status == 0 and out.startswith("result: ") and out.count("\n") == 1


def test_the_last_table_stands_before_the_result(tmp_path: Path) -> None:
    """A grid of which a side is four spaces long, as Moonlight's is when its last round was counted."""
    status, out, err = play(tmp_path, str(ROOT / "cards" / "moonlight"), "--seed", "7")
    assert (status, err) == (0, "") and "\x1b" not in out
    table = out[out.index("\nMoonlight  round ") :].splitlines()[1:]
    rules = [i for i, line in enumerate(table) if re.fullmatch(r"  \+-.*-\+", line)]
    across, down = table[rules[0]].count("+") - 1, len(rules) - 1
    assert sorted((across, down)) == [3, 4]
    for y, (above, below) in enumerate(pairwise(rules)):
        assert table[above + 1].startswith(f"{y} | ")
        assert all(line.count("|") == across + 1 for line in table[above + 1 : below])
    assert all("player 0 total" in table[i] and "player 1 total" in table[i] for i in rules[1:])
    assert any("line winner player" in table[i] for i in rules[1:])
    assert table[-2].startswith("  ") and table[-1].startswith("result: player ")


def test_a_folder_is_built_below_the_current_one(tmp_path: Path) -> None:
    status, out, err = play(tmp_path, str(ROOT / "cards" / "vughex"), "--seed", "1", "--option", "length=1")
    assert (status, err) == (0, "") and "length 1" in out
    assert (tmp_path / "build" / "vughex" / "manifest.json").is_file()


def test_a_human_whose_input_ends_leaves_cleanly(vughex: Path, tmp_path: Path) -> None:
    for typed in ("", "help\nview\nwhy number lanes 1\n", "quit\n"):
        status, out, err = play(tmp_path, str(vughex), "--seed", "7", "--bot", "0=human", typed=typed)
        assert (status, err) == (0, "")
        assert out.endswith("left before the end; the seed was 7\n")


def test_saved_and_taken_up_again(vughex: Path, tmp_path: Path) -> None:
    status, out, err = play(tmp_path, str(vughex), "--seed", "7", "--bot", "0=human", typed="1\nsave match.json\n1\n")
    assert (status, err) == (0, "") and "Saved" in out
    status, out, _ = play(tmp_path, str(vughex), "--resume", "match.json", "--bot", "0=human", typed="log\n")
    assert status == 0 and "  You choose: " in out and "The match goes on after " in out
    first = play(tmp_path, str(vughex), "--resume", "match.json")
    assert first[0] == 0 and "result: " in first[1] and play(tmp_path, str(vughex), "--resume", "match.json") == first


@pytest.mark.parametrize("content", ["", "{}", "[]", "\0", "null", '{"state": {}}', "[" * 100_000])
def test_a_file_that_is_no_saved_match(vughex: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    status, out, err = play(tmp_path, str(vughex), "--resume", "bad.json")
    assert (status, out) == (2, "")
    assert err.startswith("cardc: bad.json: ") and err.count("\n") == 1


def test_a_damaged_save_and_wrong_settings(vughex: Path, tmp_path: Path) -> None:
    play(tmp_path, str(vughex), "--seed", "7", "--bot", "0=human", typed="save match.json\n")
    saved = json.loads((tmp_path / "match.json").read_text())
    saved["record"]["seed"] = 8
    (tmp_path / "match.json").write_text(json.dumps(saved))
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for args in (
        ("--resume", "match.json"),
        ("--resume", "nowhere.json"),
        ("--resume", "binary"),
        ("--resume", "."),
        ("--resume", "match.json", "--seed", "1"),
        ("--option", "length=9"),
        ("--option", "lenght=1"),
        ("--deck", "0=none"),
        ("--seed", "x"),
    ):
        status, out, err = play(tmp_path, str(vughex), *args)
        assert (status, out, err.count("\n")) == (2, "", 1), args
