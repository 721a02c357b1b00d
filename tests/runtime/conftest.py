"""The game Duel, built once, and tables of it that are set by hand."""

from __future__ import annotations

from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime import moves
from card_runtime.observer import Observer
from cardc import pipeline


class Table:
    """An empty match of Duel with an observer.

    The first places are `pile`, `hand` (by seat), `stack`, `waste`, and `lanes` (by lane and seat)."""

    def __init__(self, game):
        self.game = game
        self.m = game._new_state({o.name: o.default for o in game.model.options}, None, {}, None)
        self.m.obs = Observer()
        for zone in game.model.zones:
            setattr(self, zone.name, zone.first)
        self.lanes = game.model.boards[0].parts[0].first

    def make(self, printed, place, up=True, own=None):
        """A new card, by its printed id, put into a place."""
        card = moves.new_card(self.m, self.game.index[printed], own)
        moves.move(self.m, card, place, up)
        return card

    def move(self, card, place, up=True):
        moves.move(self.m, card, place, up)

    def reveal(self, card, seats=3):
        moves.reveal(self.m, [card], seats)

    def shuffle(self, place):
        moves.shuffle(self.m, place)

    def become(self, card, printed):
        """Make a card another one, as if it had always been that."""
        self.m.d[card] = self.game.index[printed]
        moves.reset(self.m, card)
        self.m.rebuild()

    def ask(self, options, seat=0, site="flow·1", optional=False):
        self.m.wait = (seat, site, options, optional)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The folder of the built game."""
    out = tmp_path_factory.mktemp("build") / "duel"
    outcome, where = pipeline.build(Path(__file__).with_name("duel"), out)
    assert outcome.files is not None, outcome.findings
    return where


@pytest.fixture
def duel(built):
    """The game, loaded anew, so that a test may change it."""
    return rt.load(built)


@pytest.fixture
def table(duel):
    return Table(duel)
