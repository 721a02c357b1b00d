"""Bots: greedy is told by the game what to play for, and knows no more than its seat."""

from collections import Counter
from pathlib import Path
from textwrap import dedent

import card_runtime as rt
import pytest
from card_runtime.bots import Greedy, Random
from cardc import pipeline

CARDS = Path(__file__).parents[2] / "cards"

# Both bid one card of their hand in secret; the higher one wins the round, and it goes on for three rounds.
BIDS = """
game bids "Bids" { version: "1"  players: 2 }
player { won: 0 or more = 0, score  bid: 0..9 = 0 }
kind coin { worth: 1..9  flag bad }
zone hand:  each player list of coin, owner sees
zone purse: shared list of coin, nobody sees
zone spent: shared list of coin, all see
bot value lead(p: player): int = p.won - p.opponent.won
setup {
  for each c in catalog { copy c to purse }
  shuffle purse
  for each p in players { draw 3 from purse to p.hand }
}
flow {
  repeat 3 as round {
    together each p in players {
      p choose bid c: coin in p.hand where not c.bad "Bid" { p.bid = c.worth  move c to spent }
    }
    for each p in players where p.bid > p.opponent.bid { p.won += 1 }
  }
  for each p in players where p.won > p.opponent.won { win p "More rounds" }
  tie "Even"
}
"""
BIDS += "".join(f'card c{i} "Coin {i}" : coin {{ worth: {i} }}\n' for i in range(1, 9))


@pytest.fixture(scope="module")
def vughex(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    _, where = pipeline.build(CARDS / "vughex", tmp_path_factory.mktemp("built") / "vughex")
    return rt.load(where)


def built(folder: Path, text: str) -> rt.Game:
    folder.mkdir()
    (folder / "game.card").write_text(dedent(text))
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files, outcome.findings
    return rt.load(where)


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    return built(tmp_path_factory.mktemp("games") / "bids", BIDS)


def test_greedy_beats_random(vughex: rt.Game) -> None:
    wins: Counter[bool] = Counter()
    for seed in range(120):
        seat = seed % 2
        bots = ["random", "random"]
        bots[seat] = "greedy"
        wins[vughex.playout(seed, bots).winner == seat] += 1
    # Even bots would win 78 of 120 once in 1,500 such tests.
    assert wins[True] >= 78


def test_greedy_is_the_same_for_the_same_seed(vughex: rt.Game) -> None:
    def course(seed: int) -> list[object]:
        match = vughex.start(seed=3)
        rt.play(match, Greedy(match, seed), Random(1))
        choices: list[object] = match.record["choices"]
        return choices

    assert course(5) == course(5)
    assert course(5) != course(6)


def test_a_win_goes_before_any_value_and_a_loss_comes_last(tmp_path: Path) -> None:
    text = """
        game dare "Dare" { version: "1"  players: 2 }
        player { points: 0..9 = 0, score }
        bot value lead(p: player): int = p.points
        effect take(p: player, n: int) {
          p.points = n
          if n == 9 { lose p "Too many" }
          if n == ENOUGH { win p "Enough" }
        }
        flow { loop as turn { for each p in players { p choose take n: 1..9 "Take" { take(p, n) } } } }
        """
    for enough, wanted in ((3, 3), (10, 8)):
        match = built(tmp_path / str(enough), text.replace("ENOUGH", str(enough))).start(seed=1)
        assert match.decision is not None
        match.choose(Greedy(match, 1)(match.decision))
        assert match.get("points", 0) == wanted


def test_greedy_leaves_the_match_alone(vughex: rt.Game) -> None:
    match = vughex.start(seed=1)
    before = match.state_hash(), match.to_json()
    assert match.decision is not None
    Greedy(match, 0)(match.decision)
    assert (match.state_hash(), match.to_json()) == before


def test_greedy_answers_alike_whatever_is_hidden(vughex: rt.Game) -> None:
    for seed in range(6):
        match = vughex.start(seed=seed)
        for _ in range(6):
            decision = match.decision
            assert decision is not None
            other = match.determinise(decision.player, seed=99)
            assert other.decision is not None and other.view(None) != match.view(None)
            assert Greedy(other, 7)(other.decision) == Greedy(match, 7)(decision)
            match.choose(Random(1)(decision))


def test_a_secret_answer_is_not_known_to_whom_it_is_hidden(bids: rt.Game) -> None:
    match = bids.start(seed=2)
    answers = set()
    for first in range(3):
        clone = match.clone()
        assert clone.decision is not None and clone.decision.secret
        clone.choose(first)
        assert clone.decision is not None and clone.decision.player == 1 and clone.decision.secret
        answers.add(tuple(Greedy(clone, 3, guesses=5)(clone.decision)))
    assert len(answers) == 1


def test_secret_answers_of_others_are_drawn_again(bids: rt.Game) -> None:
    match = bids.start(seed=2)
    match.choose(0)
    seen = set()
    for seed in range(60):
        guess = match.determinise(1, seed=seed)
        assert guess.view(1) == match.view(1) and guess.decision is not None
        guess.choose(0)
        seen.add(guess.get("bid", 0))
    mine = {int(c["card"][1:]) for c in match.view(1)["zones"]["hand"][1]["cards"]}
    assert seen == set(range(1, 9)) - mine


def test_a_secret_question_says_so(vughex: rt.Game) -> None:
    decision = vughex.start(seed=1).decision
    assert decision is not None and not decision.secret


def test_bots_by_name_for_a_match_of_the_host(vughex: rt.Game) -> None:
    """They play as those of `playout` do, which have a seed for each seat."""
    match = vughex.start(3, log_limit=0, undo_limit=0)
    bots = [rt.bot(name, match, f"3/{seat}") for seat, name in enumerate(("greedy", "random"))]
    assert rt.play(match, *bots) == vughex.playout(3, ("greedy", "random"))
    for name, said in ("clever", "no bot is called 'clever': there are \"random\", \"greedy\""), (None, "called None"):
        with pytest.raises(rt.InputError) as e:
            rt.bot(name, match)
        assert said in str(e.value)
    with pytest.raises(rt.InputError, match="is no whole number and no text"):
        rt.bot("random", match, 1.5)


def test_a_game_without_a_value_for_bots(duel: rt.Game) -> None:
    with pytest.raises(rt.InputError, match="no `bot value`"):
        duel.playout(1, ["random", "greedy"])
    with pytest.raises(rt.InputError, match="no bot is called clever"):
        duel.playout(1, ["random", "clever"])


@pytest.mark.parametrize("seed", [2**9999, -(2**9999), 2**128, -1], ids=["longest", "least", "129 bits", "-1"])
def test_any_seed_of_a_match_serves_its_bots(vughex: rt.Game, seed: int) -> None:
    assert vughex.playout(seed) == vughex.playout(seed)
    stepped = vughex.start(seed)
    rt.play(stepped, Random(seed), Random(f"{seed}/1"))
    assert stepped.result is not None
    assert vughex.playout(seed, ["greedy", "random"]).winner in (0, 1)
