"""Grids that float: the outline, its lines and corners, and that nobody can tell where on the plane it lies."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from types import SimpleNamespace as NS

import pytest
from card_runtime import InputError, grids, layouts, load
from card_runtime.bots import Random
from card_runtime.driver import play_through
from card_runtime.match import state_hash
from card_runtime.sight import element_key
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
            moved.forget_layouts()
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


def test_a_card_on_a_grid_is_told_by_where_it_lies(tmp_path):
    lift = """or lift w: wolf in territory.wolves "Lift" { move w to p.hand }"""
    text = (HERE / "grid.card").read_text()
    at = text.index("    if corner(s)")
    end = text.index("  }\n", at) + len("  }\n")
    (tmp_path / "grid.card").write_text(text[:end] + f"    {lift}\n" + text[end:])
    outcome, where = build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, [f.message for f in outcome.findings]
    match = load(where).start(1)
    match.choose(0)
    match.choose("place one territory 1,0")
    labels = [o.label for o in match.decision.options if o.id.startswith("lift")]
    assert labels == ["Lift: One in space 0,0", "Lift: One in space 1,0"]


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
        found = getattr(m, f"g_{board}")
        return found.taken, found.adjacent, found.full, found.outline

    def play_one(seed):
        draw = random.Random(seed)
        m = game._fresh(seed, None, {}, {}, None)

        def ask(seat, n):
            nonlocal asked
            asked += 1
            again = m.clone()
            again.forget_layouts()
            for board, grid in game.grids.items():
                grids.layout(again, grid)
                if getattr(m, f"g_{board}") is not None:
                    assert told(m, board) == told(again, board)
            if draw.random() < 0.3:  # otherwise it is left for the next move
                m.forget_layouts()
            return int(draw.random() * n)

        m.ask = ask
        play_through(m)
        assert m.result is not None and m.result[1] == "Enough"

    asked = 0
    for seed in range(20):
        play_one(seed)
    assert asked > 400


# What is told of what leaves a grid, and of what is kept on it

ROWS = """
game rows "Rows" { version: "1.0.0"  players: 2 }
kind stone { weight: 1..9 }
zone hand: each player list of stone, owner sees
zone bag: shared list of stone, nobody sees
board land: floating grid 4 by 3 either way of spot { marks: 0..9 = 0  pile: shared list of stone, all see }
value heavy(l: line): 0 or more = sum(x.weight for x in land.pile where x.spot is in l)
value mine(p: player, l: line): 0 or more = sum(x.weight for x in land.pile where x.owner == p and x.spot is in l)
setup { for each p in players { for each c in catalog { repeat 9 { copy c to p.hand } } } }
flow {
  alternate p from players[0] as turn {
    p choose
      put x: stone in p.hand, s: spot in land.adjacent "Put" { move x to s.pile }
      or mark s: spot in land "Mark" { s.marks += 1 }
      or take x: stone in land.pile "Take" { move x to p.hand }
      or sweep "Sweep" { move land.pile to bag }
      or carry x: stone in land.pile, s: spot in land "Carry" { move x to s.pile }
      or stop "Stop" { tie "Stopped" }
  }
}
card pebble "Pebble" : stone { weight: 2 }
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    (folder / "rows.card").write_text(ROWS)
    outcome, where = build(folder, folder / "built")
    assert outcome.files is not None, [f.message for f in outcome.findings]
    return load(where)


def l_shape(game):
    """Three stones: at 0,0, 0,1 and, put first, 1,1."""
    match = game.start(1)
    for answer in ("put pebble land 0,0", "put pebble land -1,0", "put pebble land 0,-1"):
        match.choose(answer)
    return match


def last(match, kind):
    return [(r["from"], r["text"]) for r in match.log(0) if r["kind"] == kind and "from" in r][-1]


def test_a_space_is_called_as_it_was_before_its_card_left(rows):
    match = l_shape(rows)
    match.choose(next(o.id for o in match.decision.options if o.label == "Take: Pebble in spot 1,1"))
    assert match.view(0)["boards"]["land"]["width"] == 1
    where = {"board": "land", "element": "1,1", "part": "pile"}
    assert last(match, "move") == (where, "Pebble: from spot 1,1 to player 1's hand")
    match = l_shape(rows)
    match.choose(next(o.id for o in match.decision.options if o.label == "Take: Pebble in spot 0,0"))
    assert match.view(0)["boards"]["land"]["height"] == 1
    where = {"board": "land", "element": "0,0", "part": "pile"}
    assert last(match, "move") == (where, "Pebble: from spot 0,0 to player 1's hand")


@pytest.mark.parametrize(
    ("marked", "carried", "kept"),
    [
        ("-1,-3", "-2,2", {}),  # five rows away then, which is two on a plane of seven
        ("-1,-3", "-1,-3", {"0,0": 1}),
        ("1,0", "1,1", {"0,-1": 1}),
        ("3,0", "-1,0", {}),
        ("2,0", "-1,0", {"3,0": 1}),
    ],
)
def test_what_is_kept_of_a_space_goes_where_it_comes_out_of_reach_of_the_only_stone(rows, marked, carried, kept):
    match = rows.start(1)
    match.choose("put pebble land 0,0")
    match.choose(f"mark land {marked}")
    match.choose(f"carry pebble land {carried}")
    state = match.state
    found = {element_key(state, "land", i): n for i, n in enumerate(state.b_land·marks) if n}
    assert found == kept


def test_what_leaves_many_spaces_at_once_comes_from_the_board(rows):
    match = l_shape(rows)
    match.choose("sweep")
    told = [(r["from"]["element"], r["text"]) for r in match.log(1) if r.get("to") == {"zone": "bag"}]
    assert told == [(at, "Pebble: from the land to the bag") for at in ("0,0", "0,1", "1,1")]


def test_what_is_kept_on_a_space_is_told_by_its_place_in_the_outline(rows):
    match = l_shape(rows)
    match.choose("mark land 0,1")
    (record,) = [r for r in match.log(0) if r["kind"] == "change"]
    assert record["text"] == "Spot 0,1: marks 1" and record["element"] == "0,1"


def test_values_of_lines_are_in_the_view(rows):
    values = l_shape(rows).view(1)["values"]
    assert values["heavy"] == {"row 0": 2, "row 1": 4, "column 0": 4, "column 1": 2}
    assert values["mine"] == {
        "0": {"row 0": 2, "row 1": 2, "column 0": 2, "column 1": 2},
        "1": {"row 0": 0, "row 1": 2, "column 0": 2, "column 1": 0},
    }
    assert rows.start(1).view(0)["values"]["heavy"] == {}


def test_lines_are_asked_for_by_their_numbers(rows):
    match = l_shape(rows)
    assert match.get("heavy", "row 1") == match.get("heavy", "column 0") == 4
    assert match.get("mine", "opponent", "row 0") == 0
    assert match.why("heavy", "row 0")[-1]["after"] == 2
    for wrong in ("row 2", "column -1", "row", "2", 0):
        with pytest.raises(InputError, match="row or column of land that there is now"):
            match.get("heavy", wrong)


def test_on_a_wider_plane_all_is_the_same(rows, game, tmp_path, wider_planes):
    """Not only views: options and their order, logs, what values are, records and results."""
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "rows.card").write_text(ROWS)
    wider_planes(4, 6)
    for here, source in ((rows, tmp_path / "rows"), (game, HERE)):
        outcome, where = build(source, tmp_path / f"{here.id} built")
        assert outcome.files is not None
        there = load(where)
        (a,), (b,) = here.grids.values(), there.grids.values()
        assert (b.columns, b.rows) == (a.columns + 4, a.rows + 6)
        for seed in range(48):
            one, other = here.start(seed), there.start(seed)
            bot = Random(seed)
            for _ in range(40):
                if one.decision is None:
                    break
                assert one.decision.options == other.decision.options
                for seat in (None, 0, 1):
                    assert one.view(seat) == other.view(seat) and one.log(seat) == other.log(seat)
                choice = bot(one.decision)
                one.choose(choice)
                other.choose(choice)
            assert one.result == other.result and one.record["choices"] == other.record["choices"]


def test_a_grid_that_wanders_has_no_edge(rows):
    """A stone is put to the right of the last one, which is then taken: always the same may be done, and nothing comes
    back that was kept on spaces left behind."""

    def marks():
        return [s["fields"]["marks"] for s in match.view(0)["boards"]["land"]["spaces"]]

    match = rows.start(1)
    match.choose(0)
    for _ in range(20):
        at = [o.id.split("land ")[1].split(" ")[0] for o in match.decision.options if o.id.startswith("put")]
        assert list(dict.fromkeys(at)) == ["0,-1", "-1,0", "1,0", "0,1"]
        assert sum(o.id.startswith("mark") for o in match.decision.options) == 7 * 5 + 5 * 7 - 5 * 5
        match.choose("mark land 1,0")
        match.choose("put pebble land 1,0")
        assert marks()[1] == 1
        match.choose(next(o.id for o in match.decision.options if o.label == "Take: Pebble in spot 0,0"))
        assert marks() == [1]


def test_playouts_forget_what_stepped_matches_forget(rows):
    marked = 0
    for seed in range(40):
        match = rows.start(seed)
        bot = Random(seed)
        while match.decision is not None:
            match.choose(bot(match.decision))
        whole = rows.playout_state(seed)
        assert state_hash(whole) == match.state_hash(), seed
        marked += sum(whole.b_land·marks)
    assert marked > 40


SIZES = [
    (1, 1, False), (2, 1, False), (2, 1, True), (2, 2, False), (3, 2, True), (4, 3, False),
    (4, 3, True), (5, 1, True)
]


@pytest.mark.parametrize(("width", "height", "either"), SIZES)
def test_a_floating_grid_against_an_endless_plane(width, height, either):
    """Cards come and go at random; what the grid says is what is true of the same cells on a plane without end."""
    parts = [NS(first=0, each=False)]
    board = NS(name="land", width=width, height=height, floating=True, either=either, parts=parts, fields=[])
    g = grids.grid_of(board)
    m = NS(places=[[] for _ in range(g.columns * g.rows)], g_land=None)
    draw = random.Random(width * 10 + height)

    def fits(cells):
        w, h = (max(c) - min(c) + 1 for c in zip(*cells, strict=True))
        return (w <= width and h <= height) or (either and w <= height and h <= width)

    def element(x, y):
        return (y + g.rows // 2) % g.rows * g.columns + (x + g.columns // 2) % g.columns

    def shown(found):
        return [grids.shown(m, g, e) for e in found]

    cells, farthest = set(), 0
    for _ in range(300):
        m.g_land = None
        if not cells:
            assert shown(grids.adjacent(m, g)) == shown(grids.spaces(m, g)) == [(0, 0)]
            assert grids.near(m, g, g.middle) == [] and not grids.settled(m, g) and not grids.full(m, g)
            cells.add((0, 0))
            m.places[g.middle].append(1)
            continue
        xs, ys = zip(*cells, strict=True)
        x0, y0, w, h = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        farthest = max(farthest, *map(abs, (*xs, *ys)))
        around = [(x, y) for y in range(y0 - 6, y0 + 12) for x in range(x0 - 6, x0 + 12) if fits({(x, y), *cells})]

        def beside(cell, among):
            x, y = cell
            return [c for c in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if c in among]

        free = [c for c in around if c not in cells and beside(c, cells)]

        def from_corner(found, x0=x0, y0=y0):
            return [(x - x0, y - y0) for x, y in found]

        assert shown(grids.spaces(m, g)) == from_corner(around)
        assert shown(grids.occupied(m, g)) == from_corner(c for c in around if c in cells)
        assert shown(grids.adjacent(m, g)) == from_corner(free)
        for c in around:
            assert shown(grids.near(m, g, element(*c))) == from_corner(beside(c, around))
            assert grids.element_at(m, g, *from_corner([c])[0]) == element(*c)
        assert shown(grids.corners(m, g)) == [(x, y) for y in sorted({0, h - 1}) for x in sorted({0, w - 1})]
        assert [grids.shown_line(m, g, line) for line in grids.rows(m, g)] == [(True, y) for y in range(h)]
        assert [grids.shown_line(m, g, line) for line in grids.columns(m, g)] == [(False, x) for x in range(w)]
        assert grids.settled(m, g) == ((w, h) == (width, height) or (either and (h, w) == (width, height)))
        assert grids.full(m, g) == (len(cells) == width * height)
        wanders = draw.random() < 0.5  # to the right and down
        if free and draw.random() < (0.9 if len(cells) == 1 else 0.5):
            cell = max(free) if wanders else draw.choice(free)
            cells.add(cell)
            m.places[element(*cell)].append(1)
        else:
            cell = min(cells) if wanders else draw.choice(sorted(cells))
            cells.remove(cell)
            m.places[element(*cell)].clear()
            if not cells:
                m.places = [[] for _ in m.places]
    assert farthest > 2 * max(width, height) or width * height == 1


def test_playouts_read_a_layout_without_a_call():
    asked = "grid_full(m, GRID_tiles), grid_corners(m, GRID_tiles), grid_near(m, GRID_tiles, 3)"
    tree = ast.parse(f"def e_f(m): return {asked}")
    layouts.read(tree.body[0])
    assert ast.unparse(tree.body[0]) == ast.unparse(
        ast.parse(
            "def e_f(m): return (m.g_tiles or grid_layout(m, GRID_tiles)).full,"
            " (m.g_tiles or grid_layout(m, GRID_tiles)).outline.corners,"
            " grid_near(m, GRID_tiles, 3)"
        )
    )


@pytest.mark.parametrize("name", sorted(layouts.FIELDS))
def test_what_is_read_of_a_layout_is_what_the_language_reads(game, name):
    tree = ast.parse(f"def f(m): return grid_{name}(m, GRID_territory)")
    layouts.read(tree.body[0])
    grid = game.grids["territory"]
    space = {"GRID_territory": grid, "grid_layout": grids.layout}
    exec(compile(ast.fix_missing_locations(tree), "f", "exec"), space)
    for match in play(game, 3):
        m = match.state
        m.forget_layouts()
        expected = getattr(grids, name)(m, grid)
        assert space["f"](m) == expected
        m.forget_layouts()
        assert space["f"](m) == expected == space["f"](m)
