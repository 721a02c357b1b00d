"""Many playouts, counted: the same for the same seeds, however the work is shared."""

import json
import os
from collections import Counter
from pathlib import Path
from types import SimpleNamespace as NS
from typing import Any

import card_runtime as rt
import pytest
from cardc.__main__ import main
from cardc.cli import sim
from cardc.package import UsageError, write_file
from cardc.simulate import work


class Game:
    """Ends by the seed alone: every fifth match is a tie."""

    model = NS(game=NS(title="A Game", version="1.0.0"), deck=NS(), decklists=[NS(name="pack")])
    id, build = "a_game", "a_build"

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def keep(self) -> None:
        """There is no code."""

    def playout(self, **call: Any) -> Any:
        self.calls.append(call)
        seed = call["seed"]
        if seed == 666:
            raise rt.CardError("frame.card:3: a card that runs in circles")
        return NS(winner=None if seed % 5 == 0 else seed % 2, reason=("Damage", "Too many \x1b turns")[seed % 5 == 0])


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    made = Game()
    monkeypatch.setattr(sim, "load", lambda paths: made)
    (tmp_path / "manifest.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return made


def test_counts_by_winner_and_reason(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", ".", "-n", "20", "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [" ".join(line.split()) for line in lines[:-1]] == [
        "player 0 wins 8 40.0 %",
        "Damage 8 40.0 %",
        "player 1 wins 8 40.0 %",
        "Damage 8 40.0 %",
        "no winner 4 20.0 %",
        "Too many ␛ turns 4 20.0 %",
    ]
    assert lines[-1].startswith("played A Game 1.0.0 20 times, seeds 1 to 20, ")
    assert err == ""
    assert game.calls[0] == {"seed": 1, "bots": ("random", "random")}
    assert [call["seed"] for call in game.calls] == list(range(1, 21))


def test_json_and_settings(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--option", "length=1", "--option", "ante=true", "--option", "order=up", "--deck", "1=pack"]
    assert main(["sim", ".", "-n", "3", "--seed", "4", "--format", "json", "--bot", "1=greedy", *settings]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.pop("seconds") >= 0 and found.pop("playouts_per_second") > 0
    assert found == {
        "version": 1,
        "playouts": 3,
        "complete": True,
        "resumed": 0,
        "seeds": [4, 6],
        "bots": ["random", "greedy"],
        "results": [
            {"winner": 0, "reason": "Damage", "count": 2},
            {"winner": None, "reason": "Too many \x1b turns", "count": 1},
        ],
    }
    assert game.calls[0] == {
        "seed": 4,
        "bots": ("random", "greedy"),
        "options": {"length": 1, "ante": True, "order": "up"},
        "decks": [None, "pack"],
    }


def test_quiet_prints_the_counts_alone(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", ".", "-n", "4", "--quiet"]) == 0
    assert "played" not in capsys.readouterr().out


def test_a_fault_names_the_seed(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", ".", "-n", "50", "--seed", "650"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "cardc: the match with seed 666: frame.card:3: a card that runs in circles\n")


def test_a_stopped_run_tells_what_it_has_and_goes_on(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = game.playout

    def stopped(**call: Any) -> Any:
        if call["seed"] == 25:
            raise KeyboardInterrupt
        return whole(**call)

    command = ["sim", ".", "-n", "30", "--resume", "kept.json", "--format", "json"]
    monkeypatch.setattr(game, "playout", stopped)
    assert main(command) == 130
    out, err = capsys.readouterr()
    assert err == "cardc: stopped after 20 of 30 matches; they are kept in kept.json, and the same command goes on\n"
    found = json.loads(out)
    assert (found["playouts"], found["complete"], found["resumed"], found["seeds"]) == (20, False, 0, [0, 29])
    assert sum(entry["count"] for entry in found["results"]) == 20
    monkeypatch.setattr(game, "playout", whole)
    game.calls.clear()
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["playouts"], found["complete"], found["resumed"]) == (30, True, 20)
    assert [call["seed"] for call in game.calls] == list(range(20, 30))  # none is played twice
    assert {(e["winner"], e["reason"]): e["count"] for e in found["results"]} == {
        (0, "Damage"): 12,
        (1, "Damage"): 12,
        (None, "Too many \x1b turns"): 6,
    }
    assert main(["sim", ".", "-n", "30", "--resume", "kept.json"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("played A Game 1.0.0 30 times, seeds 0 to 29, 30 of them before (")


def test_a_stop_without_a_file_says_how_to_have_one(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(**call: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(game, "playout", stopped)
    assert main(["sim", ".", "-n", "30"]) == 130
    out, err = capsys.readouterr()
    line = "cardc: stopped after 0 of 30 matches; with --resume FILE they can be gone on with\n"
    assert (out, err) == ("", line)


def test_a_fault_keeps_what_was_played_before(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sim", ".", "-n", "50", "--seed", "650", "--resume", "kept.json"]
    assert main(command) == 1
    assert json.loads(Path("kept.json").read_bytes())["done"] == [[650, 666]]
    game.calls.clear()
    assert main(command) == 1
    assert [call["seed"] for call in game.calls] == [666]
    assert capsys.readouterr().err.count("the match with seed 666") == 2


def test_results_of_other_matches_are_refused_in_one_line(
    game: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*more: str) -> str:
        before = Path("kept.json").read_bytes()
        assert main(["sim", ".", "--resume", "kept.json", *more]) == 2
        assert Path("kept.json").read_bytes() == before
        err = capsys.readouterr().err
        begin, end = "cardc: kept.json holds results of ", ": name another file, or remove it to begin again\n"
        assert err.startswith(begin) and err.endswith(end) and err.count("\n") == 1
        return err.removeprefix(begin).removesuffix(end)

    assert main(["sim", ".", "--resume", "kept.json", "-n", "20", "--option", "length=1"]) == 0
    capsys.readouterr()
    same = ["-n", "20", "--option", "length=1"]
    assert refused("-n", "20") == 'matches with other options ({"length": 1}, not {})'
    assert refused("-n", "10", *same[2:]) == "the seeds 0 to 19, not only of 0 to 9"
    assert refused(*same, "--seed", "1") == "the seeds 0 to 19, not only of 1 to 20"
    assert (
        refused(*same, "--bot", "1=greedy")
        == 'matches with other bots (["random", "random"], not ["random", "greedy"])'
    )
    assert refused(*same, "--deck", "0=wolves") == 'matches with other decks (null, not ["wolves", null])'
    with monkeypatch.context() as other:
        mine = work.runtime_digest()[:12]
        other.setattr(work, "runtime_digest", lambda: "0123456789abcdef")
        assert refused(*same) == f"cardc 0.1.0 ({mine}), and this is 0.1.0 (0123456789ab)"
    game.build = "other"
    assert refused(*same) == "another build of A Game 1.0.0"
    game.id = "another"
    assert refused(*same) == "another game (A Game 1.0.0)"


@pytest.mark.parametrize(
    "text",
    [
        "card x {}",
        "[]",
        "{}",
        "\xff",
        '{"version": 1, "done": [[0, 2]], "results": []}',
        '{"version": 1, "done": [[0, 2], [1, 3]], "results": [{"winner": 0, "reason": "", "count": 4}]}',
        '{"version": 1, "done": [[0, true]], "results": [{"winner": 0, "reason": "", "count": 1}]}',
        '{"version": 1, "done": [], "results": [{"winner": "0", "reason": "", "count": 0}]}',
        '{"version": 9, "done": [], "results": []}',
    ],
)
def test_a_file_of_something_else_stays_as_it_is(game: Game, capsys: pytest.CaptureFixture[str], text: str) -> None:
    Path("notes.txt").write_text(text, encoding="latin-1")
    assert main(["sim", ".", "--resume", "notes.txt"]) == 2
    assert Path("notes.txt").read_text(encoding="latin-1") == text
    assert capsys.readouterr().err == "cardc: notes.txt holds no results of `cardc sim`: name another file\n"


def test_what_cannot_be_written_is_told_before_anything_is_played(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sim", ".", "--resume", "manifest.json/kept.json"]) == 2
    assert capsys.readouterr().err == "cardc: cannot read manifest.json/kept.json: not a directory\n"
    Path("sub").mkdir()
    assert main(["sim", ".", "--resume", "sub"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert game.calls == []


def test_a_cluster_has_workers_of_its_own(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", ".", "--cluster", "tcp://127.0.0.1:1", "--jobs", "2"]) == 2
    assert capsys.readouterr().err == (
        "cardc: --jobs is for processes of this machine: a cluster has workers of its own\n"
    )


def test_what_the_game_does_not_take_is_wrong_usage(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuses(**call: Any) -> Any:
        raise rt.InputError('the game has no option "lenght"')

    monkeypatch.setattr(game, "playout", refuses)
    assert main(["sim", ".", "--option", "lenght=1"]) == 2
    assert capsys.readouterr().err == 'cardc: the game has no option "lenght"\n'


def test_a_damaged_package_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.json").write_text("{")
    assert main(["sim", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("cardc: ") and err.count("\n") == 1


def test_what_a_limit_has_stopped_is_one_whatever_cards_were_at_work() -> None:
    limit, deep = "stopped: it came to its limit", "stopped: too deep"
    sets = {"A, B": 1, "A (of C)": 4, "B": 2, "C": 2, "D": 1}
    counts = Counter({(None, f"{limit} ({cards})"): n for cards, n in sets.items()})
    counts += Counter({(None, f"{deep} (A)"): 3, (None, "Agreed (both)"): 1, (0, "Damage"): 5, (None, limit): 1})
    assert [" ".join(line.split()) for line in sim.table(counts)] == [
        "player 0 wins 5 25.0 %",
        "Damage 5 25.0 %",
        "no winner 15 75.0 %",
        "stopped: it came to its limit 11 55.0 %",
        "with A (of C) 4 20.0 %",
        "with B 2 10.0 %",
        "with C 2 10.0 %",
        "with 3 other sets of cards 3 15.0 %",
        "stopped: too deep (A) 3 15.0 %",
        "Agreed (both) 1 5.0 %",
    ]


def test_results_are_kept_in_a_regular_file(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    """A device may have no end, and what is written beside it would take its place."""
    os.mkfifo("pipe")
    assert main(["sim", ".", "--resume", "pipe"]) == 2
    assert capsys.readouterr().err == "cardc: cannot read pipe: not a regular file\n"
    with pytest.raises(UsageError, match=r"^cannot write pipe: not a regular file$"):
        write_file(Path("pipe"), b"text")
    assert Path("pipe").is_fifo()
