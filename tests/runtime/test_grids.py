"""Grids that float: the outline, its lines and corners, and that nobody can tell where on the plane it lies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from card_runtime import grids, load
from card_runtime.bots import Random
from card_runtime.driver import play_through
from cardc.pipeline import build
from cardc.testing import run_tests

HERE = Path(__file__).parent / "grid"


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    outcome, where = build(HERE, tmp_path_factory.mktemp("grid") / "tiny")
    assert outcome.files is not None, outcome.findings
    return load(where)


def test_in_language():
    outcome, results = run_tests(HERE)
    assert not [f for f in outcome.findings if f.severity == "error"]
    assert results and all(r.passed for r in results), [r.message for r in results]


def play(game, seed):
    match = game.start(seed)
    bot = Random(seed)
    while match.decision is not None:
        yield match
        match.choose(bot(match.decision))
    yield match


def test_outline_against_a_plain_model(game):
    grid = game.grids["territory"]
    for seed in range(20):
        for match in play(game, seed):
            m = match.state
            cells = {(e % 7, e // 7) for e in range(49) if m.places[grid.places[0][0] + e]}
            if not cells:
                assert grids.spaces(m, grid) == grids.adjacent(m, grid) == [24] and grids.box(m, grid) is None
                assert grids.rows(m, grid) == grids.columns(m, grid) == grids.corners(m, grid) == []
                continue
            xs, ys = [x for x, _ in cells], [y for _, y in cells]
            w, h = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
            assert (w <= 4 and h <= 3) or (w <= 3 and h <= 4)
            assert len(grids.rows(m, grid)) == h and len(grids.columns(m, grid)) == w
            assert grids.settled(m, grid) == ({w, h} == {3, 4})
            assert grids.full(m, grid) == (len(cells) == 12)
            legal = []
            for y in range(7):
                for x in range(7):
                    a, b = max([x, *xs]) - min([x, *xs]) + 1, max([y, *ys]) - min([y, *ys]) + 1
                    if (a <= 4 and b <= 3) or (a <= 3 and b <= 4):
                        legal.append(y * 7 + x)
            assert grids.spaces(m, grid) == legal
            beside = {(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))} - cells
            assert grids.adjacent(m, grid) == [e for e in legal if (e % 7, e // 7) in beside]
            for line in grids.rows(m, grid):
                assert [(y * 7 + x in grid.lines[line]) for x, y in sorted(cells)] == [
                    y == line for _, y in sorted(cells)
                ]
            for line in grids.columns(m, grid):
                assert [(y * 7 + x in grid.lines[line]) for x, y in sorted(cells)] == [
                    x == line - 7 for x, _ in sorted(cells)
                ]


def test_where_it_lies_cannot_be_told(game):
    """The same play, begun elsewhere on the plane, looks the same to both seats."""
    grid = game.grids["territory"]
    first = grid.places[0][0]
    shift = random.Random(5)
    for seed in range(10):
        for match in play(game, seed):
            m = match.state
            taken = [e for e in range(49) if m.places[first + e]]
            if not taken:
                continue
            xs, ys = [e % 7 for e in taken], [e // 7 for e in taken]
            dx = shift.randint(-min(xs), 6 - max(xs))
            dy = shift.randint(-min(ys), 6 - max(ys))
            moved = m.clone()
            moved.obs = m.obs.clone()
            for e in taken:
                moved.places[first + e] = []
            for e in taken:
                place = first + e + dy * 7 + dx
                moved.places[place] = list(m.places[first + e])
                for card in moved.places[place]:
                    moved.at[card] = place
            moved.layout = None
            from card_runtime.view import view

            for seat in (0, 1):
                a, b = view(m, seat), view(moved, seat)
                a.pop("decision"), b.pop("decision")
                assert a == b


def test_spaces_are_called_by_their_place_in_the_outline(game):
    match = game.start(1)
    assert match.decision.options[0].id.endswith(" territory 0,0")
    match.choose(0)
    assert {" ".join(o.id.split(" ")[2:4]) for o in match.decision.options} == {
        "territory 0,-1", "territory -1,0", "territory 1,0", "territory 0,1",
    }  # fmt: skip
    assert match.view(0)["boards"]["territory"]["width"] == 1
    assert match.get("touching", "0,-1") is True and match.get("touching", "0,0") is False
    restored = game.restore(match.to_json())
    assert restored.state_hash() == match.state_hash()


PARTS = """
game parts "Parts" { version: "1.0.0"  players: 2 }
kind unit { power: 0..9 }
zone hand: each player list of unit, owner sees
board field: grid 3 by 2 of cell {
  mark: shared list of unit, all see
  units: each player list of unit, all see
}
value marked(): 0..6 = count(c in field where top(c.mark) is not none)
value manned(p: player): 0..6 = count(c in field where c.units[p] is not empty)
value room(): 0..6 = count(field.adjacent)
setup { for each c in catalog { copy c to players[0].hand } }
flow { loop { players[0] choose go "Go" { win players[0] "so" } } }
card a "A" : unit { power: 1 }

test "parts of a space are occupied each for itself" {
  given {
    let a1 = new a  let a2 = new a  let a3 = new a
    field.at(0, 0).mark = [a1]
    field.at(1, 0).units[opponent] = [a2]
    field.at(1, 0).units[me] = [a3]
  }
  expect marked() == 1 and manned(me) == 1 and manned(opponent) == 1
  expect room() == 3 and not field.full and field.settled
}

test "without cards all spaces are free" {
  expect room() == 6 and marked() == 0
}
"""


def test_grids_of_several_parts(tmp_path):
    (tmp_path / "parts.card").write_text(PARTS)
    outcome, results = run_tests(tmp_path)
    assert not [f for f in outcome.findings if f.severity == "error"], outcome.findings
    assert [r.message for r in results] == ["", ""]


TWO = """
game two "Two" { version: "1.0.0"  players: 2 }
kind unit { power: 0..9 }
zone hand: each player list of unit, owner sees
board left: floating grid 3 by 2 either way of space { pile: shared list of unit, all see }
board right: grid 2 by 2 of cell { pile: shared list of unit, all see }
effect put_left(u: unit in hand, s: space) { move u to s.pile }
effect put_right(u: unit in hand, c: cell) { move u to c.pile }
state turns: 0..99 = 0
value room(): int = count(left.adjacent) + 100 * count(right.adjacent)
setup { for each p in players { for each c in catalog { repeat 9 { copy c to p.hand } } } }
flow {
  alternate p from players[0] as turn {
    turns += 1
    if turns > 40 { win p "Enough" }
    p choose
      put_left u: unit in p.hand, s: space in left.adjacent "Left" when not left.full { put_left(u, s) }
      or put_right u: unit in p.hand, c: cell in right "Right" { put_right(u, c) }
      or take s: space in left where s.pile is not empty "Take" { move s.pile to p.hand }
  }
}
card a "A" : unit { power: 1 }
"""


def test_layouts_of_two_grids_follow_each_move(tmp_path):
    (tmp_path / "two.card").write_text(TWO)
    outcome, where = build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, [f.message for f in outcome.findings]
    game = load(where)

    def told(m, board):
        found = m.layout[board]
        return found.taken, found.adjacent, found.full, found.outline

    def play_one(seed):
        draw = random.Random(seed)
        m = game._fresh(seed, None, {}, {}, None)

        def ask(seat, n):
            nonlocal asked
            asked += 1
            again = m.clone()
            again.layout = None
            for board, grid in game.grids.items():
                grids.layout(again, grid)
                if m.layout and board in m.layout:
                    assert told(m, board) == told(again, board)
            if draw.random() < 0.3:  # otherwise it is left for the next move
                m.layout = None
            return int(draw.random() * n)

        m.ask = ask
        play_through(m)
        assert m.result is not None and m.result[1] == "Enough"

    asked = 0
    for seed in range(20):
        play_one(seed)
    assert asked > 400
