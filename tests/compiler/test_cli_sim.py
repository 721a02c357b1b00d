"""Many playouts, counted: the same for the same seeds, however the work is shared."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace as NS
from typing import Any

import card_runtime as rt
import pytest
from cardc.__main__ import main
from cardc.cli import sim
from cardc.package import UsageError

ROOT = Path(__file__).parents[2]


class Game:
    """Ends by the seed alone: every fifth match is a tie."""

    model = NS(game=NS(title="A Game", version="1.0.0"))

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

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


@pytest.fixture(scope="module")
def vughex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real game, built."""
    out = tmp_path_factory.mktemp("built") / "vughex"
    assert main(["build", str(ROOT / "cards" / "vughex"), "-o", str(out), "--quiet"]) == 0
    return out


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_counts_do_not_depend_on_the_jobs(vughex: Path, jobs: int) -> None:
    paths = (vughex, [])
    call = {"bots": ("random", "random")}
    seeds = range(5, 205)
    progress: Counter[str] = Counter()

    def advance(more: int) -> None:
        progress["done"] += more

    alone = sim.count(sim.load(paths), paths, call, seeds, 1, advance)
    shared = sim.count(sim.load(paths), paths, call, seeds, jobs, advance)
    assert alone == shared and alone.total() == 200
    assert progress["done"] == 400


def test_wrong_settings_come_back_from_the_processes(vughex: Path) -> None:
    paths = (vughex, [])
    call = {"bots": ("random", "random"), "options": {"no_such_option": 1}}
    with pytest.raises(UsageError, match="no_such_option"):
        sim.count(sim.load(paths), paths, call, range(200), 2, lambda more: None)
