"""A match that is drawn again asks what it asks: it does not go on without the question and come back to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from card_runtime.bots import Random
from card_runtime.game import Game
from card_runtime.match import Match
from card_runtime.sight import sees
from cardc.testing import run_files

GAME = """
game again "Again" { version: "1"  players: 2 }
kind unit { flag quick }
player { turns: 0..99 = 0 }
zone deck: each player list of unit, nobody sees
zone hand: each player list of unit, owner sees
setup {
  for each p in players {
    for each c in catalog { copy c to p.deck }
    shuffle p.deck
    draw 4 from p.deck to p.hand
  }
}
flow {
  loop {
    for each u in players[1].hand {
      players[1] may choose show "Show it" when u.quick { players[0].turns += 1 }
      players[1].turns += 1
    }
    if players[1].turns > 7 { stop }
  }
  tie
}
card fox "Fox" : unit { quick }
card ox "Ox" : unit {}
card elk "Elk" : unit {}
card owl "Owl" : unit { quick }
card hen "Hen" : unit {}
card cat "Cat" : unit {}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    outcome, game, _ = run_files([("again.card", GAME.encode())], None)
    assert game is not None, outcome.findings
    return game


def known(match: Match) -> object:
    return match.view(0), match.log(0)


def test_what_is_asked_of_another_is_asked_where_it_was(game: Game) -> None:
    """The other cards may not be asked about: then other turns would have gone by."""
    asked = 0
    for seed in range(6):
        match = game.start(seed)
        while match.decision is not None:
            for draw in range(8):
                other = match.determinise(0, draw)
                assert known(other) == known(match)
                assert other.decision is not None and other.decision.player == match.decision.player
            asked += 1
            match.choose(0)
    assert asked > 6


def test_an_offer_of_a_hidden_card_is_made_where_it_was() -> None:
    """A unit bears the ability of one that lies face down: only where that is drawn as what it is there is an offer."""
    source = Path(__file__).parents[1] / "accept" / "lines_of_abilities.card"
    outcome, game, _ = run_files([("lines.card", source.read_bytes())], None)
    assert game is not None, outcome.findings
    match = game.start(14)
    bots = [Random(14), Random(64)]
    offers = 0
    while (decision := match.decision) is not None:
        if match.state.frames[-1][0] == "·offer":
            offers += 1
            for draw in range(4):
                other = match.determinise(decision.player, draw)
                for index in range(decision.count):
                    other.clone().choose(index)
                seat = decision.player
                assert (other.view(seat), other.log(seat)) == (match.view(seat), match.log(seat))
        match.choose(bots[decision.player](decision))
    assert offers > 5


def test_what_a_seen_card_bears_of_one_that_is_not_seen_is_not_told() -> None:
    """Abilities are exchanged with cards that lie face down: neither the values of a view nor what logs say of a line
    that acts tells which cards these are."""
    source = Path(__file__).parents[1] / "accept" / "lines_of_abilities.card"
    outcome, game, _ = run_files([("lines.card", source.read_bytes())], None)
    assert game is not None, outcome.findings
    lent = 0
    for seed in range(12):
        match, bots = game.start(seed), [Random(seed), Random(seed + 500)]
        while (decision := match.decision) is not None:
            m = match.state
            for seat in (0, 1):
                bears = [(bearer, *x) for bearer, slots in m.borrowed.items() for x in slots.items()]
                unseen = [x for x in bears if sees(m, seat, x[0]) and not sees(m, seat, x[2])]
                for bearer, slot, lender in unseen:
                    lines = m.by_slot[m.d[lender]].get(slot, ())
                    if not lines:
                        continue
                    lent += 1
                    copy = match.clone()
                    copy.state.obs.ability(copy.state, bearer, lines[0])
                    assert copy.log(seat) == match.log(seat)
                    assert len(copy.log(None)) == len(match.log(None)) + 1
                if unseen:
                    assert match.determinise(seat, seed).view(seat) == match.view(seat)
            match.choose(bots[decision.player](decision))
    assert lent > 100
