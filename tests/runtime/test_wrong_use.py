"""What a host gives wrongly is said in one line, before anything happens."""

from typing import Any

import card_runtime as rt
import pytest
from cardc import pipeline

GAME = """
game g "G" { version: "1"  players: 2 }
kind unit {}
zone pile: shared list of unit, nobody sees
state first: player = players[0]
setup {
  copy cub to pile
  copy cub to pile
  shuffle pile
  first = random from players
}
value size(): 0..9 = count(pile)
flow { first choose go "Go" { tie } }
card cub "Cub" : unit {}
"""


class Fixed:
    """A source of chance: `shuffle` gives what it is told, `pick` too."""

    def __init__(self, order: Any, picked: Any) -> None:
        self.order, self.picked = order, picked

    def shuffle(self, name: str, items: list[Any]) -> Any:
        return items if self.order is None else self.order

    def pick(self, name: str, items: list[Any]) -> Any:
        return self.picked


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "g.card").write_text(GAME)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"chance": 5}, "`chance` is an object with `shuffle(name, items)` and `pick(name, items)`"),
        ({"log_limit": -3}, "`log_limit` is a whole number from 0 on, or None for no limit, not -3"),
        ({"undo_limit": 1.5}, "`undo_limit` is a whole number from 0 on, or None for no limit, not 1.5"),
        ({"undo_limit": True}, "`undo_limit` is a whole number from 0 on, or None for no limit, not True"),
        ({"chance": Fixed(None, 7)}, 'the chance source gave 7 for "pick first": give one of the items'),
        ({"chance": Fixed([], 0)}, 'the chance for "shuffle pile" is [], which is no order of 2 items'),
    ],
)
def test_start(game: rt.Game, given: dict[str, Any], said: str) -> None:
    with pytest.raises(rt.InputError) as told:
        game.start(seed=1, **given)
    assert str(told.value) == said


def test_chance_of_a_saved_match(game: rt.Game) -> None:
    match = game.start(seed=1)
    for call in (lambda: game.restore(match.to_json(), chance=5), lambda: game.replay(match.record, chance=5)):
        with pytest.raises(rt.InputError, match="`chance` is an object with"):
            call()


@pytest.mark.parametrize("bots", [("random",), ("random",) * 3, ("greedy",), ()])
def test_bots_of_a_playout(game: rt.Game, bots: tuple[str, ...]) -> None:
    with pytest.raises(rt.InputError) as told:
        game.playout(1, bots)
    assert str(told.value) == f"bots are named for 2 seats, not {len(bots)}"


def test_arguments_of_a_value(game: rt.Game) -> None:
    with pytest.raises(rt.InputError, match=r"^size takes 0 arguments \(no argument\), not 1$"):
        game.start(seed=1).get("size", 3)
