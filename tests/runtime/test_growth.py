"""Numbers and lists that grow without end: both forms come to the same defined outcome."""

from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from card_runtime.match import state_hash
from cardc import pipeline

GAME = """
game g "G" {{ version: "1"  players: 2 }}
player {{ n: int = 2, score  start: int = 0, input }}
kind unit {{}}
zone pile: each player list of unit, all see
state more: 0 or more = 1
state kept: list of unit = []
value square(n: int): int = n * n
setup {{ for each p in players {{ copy cub to p.pile }} }}
flow {{
  {body}
  for each p in players {{
    if p.start > 0 {{ p.n = p.start }}
    p choose go "Go" when more > 0 or kept is empty {{}}
  }}
  tie "So"
}}
card cub "Cub" : unit {{}}
"""
MOST = 999_999_999_999_999


def load(folder: Path, body: str) -> rt.Game:
    (folder / "g.card").write_text(GAME.format(body=body))
    outcome, where = pipeline.build(folder, folder / "built")
    assert not [f.message for f in outcome.findings if f.severity == "error"]
    return rt.load(where)


def both(game: rt.Game) -> rt.Match:
    """A match in steps, which ends like a playout and can be saved."""
    match = game.start(1)
    while match.decision is not None:
        match = game.restore(match.to_json())
        match.choose(0)
    assert match.state_hash() == state_hash(game.playout_state(1, ask=lambda seat, n: 0))
    return match


@pytest.mark.parametrize(
    ("body", "n"),
    [
        ("repeat 60 { players[0].n *= players[0].n }", MOST),
        ("repeat 20000 { players[0].n += players[0].n }", MOST),
        ("repeat 99 { players[0].n *= -9 }", -MOST),
        ("repeat 60 { players[0].n = square(square(players[0].n)) }", MOST),
        ("repeat 9 { more *= 9999 }  players[0].n = 0 - more", -MOST),
        ("players[0].n = 999999999999999", MOST),
        ("players[0].n -= 999999999999999", 2 - MOST),
    ],
)
def test_numbers_end_at_15_digits(tmp_path: Path, body: str, n: int) -> None:
    """Squared, doubled, with a sign, through a value; a product that fits is exact."""
    assert both(load(tmp_path, body)).result == rt.Result(None, "So", ({"n": n}, {"n": 2}))


def test_a_list_that_grows_without_end_stops_the_match(tmp_path: Path) -> None:
    """Doubled, and two more: 2, 6, 14 … 16382 entries after 13 times, 32766 after 14."""
    result = both(load(tmp_path, "repeat 14 { kept = kept + kept + players.pile }")).result
    assert result is not None and result.reason == "stopped: a list has more than 20000 entries"
    assert both(load(tmp_path, "repeat 13 { kept = kept + kept + players.pile }")).result == rt.Result(
        None, "So", ({"n": 2}, {"n": 2})
    )


@pytest.mark.parametrize("given", [MOST + 1, -MOST - 1, 10**5000], ids=["over", "under", "huge"])
def test_inputs_have_no_more_digits(tmp_path: Path, given: Any) -> None:
    game = load(tmp_path, "players[0].n = 1")
    with pytest.raises(rt.InputError, match="has more digits than the 15 that a number may have"):
        game.start(1, inputs={"start": [given, 0]})
    assert game.start(1, inputs={"start": [MOST, 0]}).get("start", 0) == MOST
