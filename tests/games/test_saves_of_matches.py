"""A match of each game is saved in the middle and goes on in another process as it does here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from cardc.__main__ import main

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.name for path in (ROOT / "cards").iterdir() if path.is_dir())

# What a program does that is given a save; it finishes the match as `finished` does.
SCRIPT = """
import json, sys
from pathlib import Path
import card_runtime as rt
from card_runtime.bots import Random

match = rt.load(sys.argv[1]).restore(Path(sys.argv[2]).read_text(encoding="utf-8"))
choose = Random(99)
while match.decision is not None:
    match.choose(choose(match.decision))
result = match.result
told = [match.log(seat) for seat in (0, 1, None)], [match.view(seat) for seat in (0, 1, None)]
print(json.dumps([result.winner, result.reason, result.scores, match.state_hash(), match.record, told]))
"""


def stepped(match: rt.Match, bot: Random, most: int | None = None) -> int:
    n = 0
    while match.decision is not None and (most is None or n < most):
        match.choose(bot(match.decision))
        n += 1
    return n


def finished(match: rt.Match) -> Any:
    """How a match goes on, and all that can be read of it then."""
    stepped(match, Random(99))
    result = match.result
    assert result is not None
    told = [match.log(seat) for seat in (0, 1, None)], [match.view(seat) for seat in (0, 1, None)]
    return [result.winner, result.reason, result.scores, match.state_hash(), match.record, told]


def elsewhere(built: Path, save: Path, hash_seed: str) -> Any:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", SCRIPT, str(built), str(save)]
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_there_are_games() -> None:
    assert {"vughex", "moonga", "moonlight", "monsteria", "locm"} <= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_goes_on_in_another_process(name: str, tmp_path: Path) -> None:
    built, save = tmp_path / name, tmp_path / "match.json"
    assert main(["build", str(ROOT / "cards" / name), "-o", str(built), "--quiet"]) == 0
    game = rt.load(built)
    length = stepped(game.start(7), Random(1))
    match = game.start(7)
    assert stepped(match, Random(1), length // 2) == length // 2 > 3
    save.write_text(match.to_json(), encoding="utf-8")
    here = json.loads(json.dumps(finished(match)))
    assert elsewhere(built, save, "1") == here
    assert elsewhere(built, save, "4711") == here


def test_a_new_user_changes_a_card_and_plays_on(tmp_path: Path) -> None:
    """A card is changed, the game built, a match saved, and gone on with; a save of the game before is refused."""
    source, built = tmp_path / "vughex", tmp_path / "built"
    source.mkdir()
    for file in (ROOT / "cards" / "vughex").glob("*.card"):
        source.joinpath(file.name).write_bytes(file.read_bytes())
    assert main(["build", str(source), "-o", str(built), "--quiet"]) == 0
    before = rt.load(built).start(3)
    units = source / "units.card"
    text = units.read_text(encoding="utf-8")
    assert 'card maze "the Maze" : unit {\n  power: 4\n' in text
    units.write_text(text.replace('"the Maze" : unit {\n  power: 4\n', '"the Maze" : unit {\n  power: 5\n'))
    assert main(["build", str(source), "-o", str(built), "--quiet"]) == 0
    game = rt.load(built)
    assert next(card.fields["power"] for card in game.cards if card.id == "maze") == 5
    with pytest.raises(rt.SaveError, match="load that build"):
        game.restore(before.to_json())
    match = game.start(3)
    stepped(match, Random(5), 9)
    save = tmp_path / "match.json"
    save.write_text(match.to_json(), encoding="utf-8")
    assert elsewhere(built, save, "2") == json.loads(json.dumps(finished(match)))
