"""Grids: boards whose elements have neighbours, rows and columns, and, where they float, an outline that play settles.

A floating grid lives on a plane whose edges are joined: left of its first column lies its last one. It is so large that
all spaces around any outline are different elements, so a grid has no edge to come to, however far it wanders as
cards come and go. Nothing that a player sees or does depends on where on the plane that is: coordinates shown are
relative to the present outline (the box around what is occupied), and so is every order.
A line is a number: a row is its `y`, a column is `rows + x`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from card_runtime.state import State

Box: TypeAlias = tuple[int, int, int, int]
"""Least and greatest `x`, least and greatest `y`; the greatest may lie beyond the last column or row, and go on with
the first."""


@dataclass(slots=True)
class Grid:
    """The static side of a grid. Elements are `y * columns + x` of the plane; `places`: of each part its first place
    and places an element; `span`: the first of all its places, and how many they are; `lines`: the elements of each;
    `kept`: the fields of its elements, if it floats."""

    board: str
    width: int
    height: int
    floating: bool
    either: bool
    columns: int
    rows: int
    places: tuple[tuple[int, int], ...]
    span: tuple[int, int] = (0, 0)
    lines: tuple[frozenset[int], ...] = ()
    kept: tuple[str, ...] = ()
    layouts: dict[bytes, Layout] = field(default_factory=dict)
    outlines: dict[Box | None, Outline] = field(default_factory=dict)

    @property
    def slot(self) -> str:
        """The slot of a state that holds the layout, as long as it is known."""
        return f"g_{self.board}"

    @property
    def middle(self) -> int:
        return self.rows // 2 * self.columns + self.columns // 2


def grid_of(board: Any) -> Grid | None:
    """The grid that a board of the model is, or None."""
    if board.height is None:
        return None
    columns, rows = plane(board.width, board.height, board.floating, board.either)
    places = tuple((p.first, 2 if p.each else 1) for p in board.parts)
    span = places[0][0], columns * rows * sum(n for _, n in places)
    lines = (
        *(frozenset(range(y * columns, (y + 1) * columns)) for y in range(rows)),
        *(frozenset(range(x, columns * rows, columns)) for x in range(columns)),
    )
    kept = tuple(f.name for f in board.fields) if board.floating else ()
    return Grid(
        board.name, board.width, board.height, board.floating, board.either, columns, rows, places, span, lines, kept
    )


def plane(width: int, height: int, floating: bool, either: bool) -> tuple[int, int]:
    """Columns and rows of the plane of such a grid."""
    if not floating:
        return width, height
    if either:
        width = height = max(width, height)
    return 2 * width - 1, 2 * height - 1


# ---- Where cards lie


@dataclass(frozen=True, slots=True)
class Outline:
    """What follows from the box around what lies on a grid. `at` has the spaces by their `x` and `y`, `near` the spaces
    beside each; `beyond` are the elements out of reach."""

    box: Box | None
    spaces: list[int]
    at: dict[tuple[int, int], int]
    near: dict[int, list[int]]
    beyond: list[int]
    rows: list[int]
    columns: list[int]
    corners: list[int]
    settled: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """What follows from which elements are occupied. Its lists are shared: nobody changes them.

    `key` has a byte for each place, `after` the layout that comes of a card's arrival in a place."""

    key: bytes
    taken: list[int]
    adjacent: list[int]
    full: bool
    outline: Outline
    after: dict[int, Layout]


MOST_LAYOUTS = 1 << 14
"""How many layouts of a grid are remembered."""


def present(m: State, g: Grid) -> Layout:
    """The present layout."""
    found: Layout | None = getattr(m, g.slot)
    return layout(m, g) if found is None else found


def layout(m: State, g: Grid) -> Layout:
    """The present layout, where it is not known; kept in the slot of the grid until a card moves."""
    first, count = g.span
    found = _known(g, bytes(map(bool, m.places[first : first + count])))
    setattr(m, g.slot, found)
    return found


def _known(g: Grid, key: bytes) -> Layout:
    found = g.layouts.get(key)
    if found is None:
        if len(g.layouts) >= MOST_LAYOUTS:
            g.layouts.clear()
        found = g.layouts[key] = _measured(g, key)
    return found


def arrived(g: Grid, old: Layout, place: int) -> Layout:
    """The layout after a card has come from elsewhere to `place`, where that did not happen before; `old.after` has it
    from now on."""
    i = place - g.span[0]
    after = old if old.key[i] else _known(g, old.key[:i] + b"\1" + old.key[i + 1 :])
    old.after[place] = after
    return after


def fade(m: State, g: Grid) -> None:
    """A card has come to a grid that floats or left it: what was kept on spaces that are out of reach now is forgotten,
    as nothing tells them from new ones."""
    if g.kept:
        _forget(m, g, present(m, g).outline.beyond)


def wander(m: State, g: Grid, before: Outline, e: int) -> None:
    """A card has gone to `e` from another space of a grid that floats, which had this outline: the plane is round, so
    if no other card lies there, an element in reach may be another space than before, of which nothing was kept."""
    after = present(m, g).outline
    was, now = ({e: xy for xy, e in outline.at.items()} for outline in (before, after))
    if e not in was:  # it came from where nobody could have put it
        _forget(m, g, after.spaces)
        return
    right, down = was[e][0] - now[e][0], was[e][1] - now[e][1]
    _forget(m, g, [e for (x, y), e in after.at.items() if before.at.get((x + right, y + down)) != e])


def _forget(m: State, g: Grid, elements: Iterable[int]) -> None:
    for name in g.kept:
        values = getattr(m, f"b_{g.board}·{name}")
        anew = m.game.code[f"d_element·{g.board}·{name}"](m)
        for e in elements:
            values[e] = anew


def _measured(g: Grid, key: bytes) -> Layout:
    count = g.columns * g.rows
    (first, _), *_ = g.places
    if len(key) == count:
        taken = [*compress(range(count), key)]
    else:
        taken = [e for e in range(count) if any([any(key[start - first + e * n :][:n]) for start, n in g.places])]
    outline = _outline(g, taken)
    if not taken:
        return Layout(key, taken, outline.spaces, False, outline, {})
    if outline.box is not None and (outline.box[1] >= g.columns or outline.box[3] >= g.rows):
        x0, _, y0, _ = outline.box
        taken.sort(key=lambda e: ((e // g.columns - y0) % g.rows, (e % g.columns - x0) % g.columns))
    beside = {n for e in taken for n in outline.near.get(e, ())}
    beside.difference_update(taken)
    adjacent = [e for e in outline.spaces if e in beside]
    return Layout(key, taken, adjacent, len(taken) == g.width * g.height, outline, {})


def _outline(g: Grid, taken: list[int]) -> Outline:
    box: Box | None = None
    if not g.floating:
        box = 0, g.width - 1, 0, g.height - 1
    elif taken:
        columns = g.columns
        box = *_run({e % columns for e in taken}, columns), *_run({e // columns for e in taken}, g.rows)
    if box not in g.outlines:
        g.outlines[box] = _drawn(g, box)
    return g.outlines[box]


def _run(used: set[int], size: int) -> tuple[int, int]:
    """The first and the last of the shortest run, round a circle of `size` numbers, that holds the used ones."""
    order = sorted(used)
    gaps = [after - before for before, after in pairwise((*order, order[0] + size))]
    widest = max(gaps)
    if gaps[-1] == widest:
        return order[0], order[-1]
    last = gaps.index(widest)
    return order[last + 1], order[last] + size


def _drawn(g: Grid, box: Box | None) -> Outline:
    if box is None:
        every = list(range(g.columns * g.rows))
        return Outline(None, [g.middle], {(g.columns // 2, g.rows // 2): g.middle}, {}, every, [], [], [], False)
    x0, x1, y0, y1 = box
    wide, high = (max(g.width, g.height),) * 2 if g.either else (g.width, g.height)
    at = {
        (x, y): y % g.rows * g.columns + x % g.columns
        for y in range(y1 - high + 1, y0 + high)
        for x in range(x1 - wide + 1, x0 + wide)
        if _fits(g, max(x, x1) - min(x, x0) + 1, max(y, y1) - min(y, y0) + 1)
    }
    near = {
        e: [at[beside] for beside in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if beside in at]
        for (x, y), e in at.items()
    }
    corners = [y % g.rows * g.columns + x % g.columns for y in _ends(y0, y1) for x in _ends(x0, x1)]
    columns = [g.rows + x % g.columns for x in range(x0, x1 + 1)]
    rows = [y % g.rows for y in range(y0, y1 + 1)]
    size = (x1 - x0 + 1, y1 - y0 + 1)
    settled = size == (g.width, g.height) or (g.either and size == (g.height, g.width))
    beyond = [e for e in range(g.columns * g.rows) if e not in near]
    return Outline(box, [*at.values()], at, near, beyond, rows, columns, corners, settled)


def _ends(first: int, last: int) -> tuple[int, ...]:
    return (first, last) if first < last else (first,)


def _fits(g: Grid, w: int, h: int) -> bool:
    return (w <= g.width and h <= g.height) or (g.either and w <= g.height and h <= g.width)


# ---- What the language reads


def occupied(m: State, g: Grid) -> list[int]:
    """The elements on which a card lies, in row-major order."""
    return present(m, g).taken


def box(m: State, g: Grid) -> Box | None:
    """The outline; None where nothing lies on a floating grid. A grid that does not float is its own outline."""
    return present(m, g).outline.box


def spaces(m: State, g: Grid) -> list[int]:
    """The spaces that are occupied or could be without breaking the limit, in row-major order; an empty floating grid
    has one."""
    return present(m, g).outline.spaces


def adjacent(m: State, g: Grid) -> list[int]:
    """The free spaces beside occupied ones, in row-major order; all spaces of an empty grid."""
    return present(m, g).adjacent


def rows(m: State, g: Grid) -> list[int]:
    """The rows of the outline, as lines."""
    return present(m, g).outline.rows


def columns(m: State, g: Grid) -> list[int]:
    """The columns of the outline, as lines."""
    return present(m, g).outline.columns


def corners(m: State, g: Grid) -> list[int]:
    """The corners of the outline, each once, in row-major order."""
    return present(m, g).outline.corners


def settled(m: State, g: Grid) -> bool:
    """Whether the outline is as large as it may get in both directions."""
    return present(m, g).outline.settled


def full(m: State, g: Grid) -> bool:
    """Whether all spaces that the grid can have are occupied."""
    return present(m, g).full


def near(m: State, g: Grid, e: int) -> list[int]:
    """The spaces beside one: above, left, right and below it."""
    return present(m, g).outline.near.get(e, [])


def at_xy(m: State, g: Grid, x: int, y: int) -> int | None:
    """The space at `x`, `y`, if it is one now; on a floating grid (in tests) counted from its middle."""
    if g.floating:
        x, y = x + g.columns // 2, y + g.rows // 2
    return present(m, g).outline.at.get((x, y))


def put_xy(g: Grid, x: int, y: int) -> int:
    """The element at `x`, `y` of the plane, where a test puts a card. Raises IndexError beyond the plane."""
    if g.floating:
        x, y = x + g.columns // 2, y + g.rows // 2
    if not (0 <= x < g.columns and 0 <= y < g.rows):
        raise IndexError(f"({x}, {y}) lies beyond the grid")
    return y * g.columns + x


# ---- How players speak of spaces


def shown(m: State, g: Grid, e: int) -> tuple[int, int]:
    """The coordinates of a space relative to the outline's upper left corner."""
    x0, x1, y0, y1 = box(m, g) or (g.columns // 2, g.columns // 2, g.rows // 2, g.rows // 2)
    return _from(e % g.columns, x0, x1, g.columns), _from(e // g.columns, y0, y1, g.rows)


def shown_line(m: State, g: Grid, line: int) -> tuple[bool, int]:
    """Whether a line is a row, and its number, counted from the outline's first."""
    x0, x1, y0, y1 = box(m, g) or (0, 0, 0, 0)
    if line < g.rows:
        return True, _from(line, y0, y1, g.rows)
    return False, _from(line - g.rows, x0, x1, g.columns)


def _from(i: int, first: int, last: int, size: int) -> int:
    """How far `i` lies behind `first`, the shorter way round the circle."""
    slack = max(0, (size - (last - first + 1)) // 2)
    return (i - first + slack) % size - slack


def element_at(m: State, g: Grid, x: int, y: int) -> int | None:
    """The element at such coordinates, if the plane has it."""
    x0, _, y0, _ = box(m, g) or (g.columns // 2, 0, g.rows // 2, 0)
    e = (y + y0) % g.rows * g.columns + (x + x0) % g.columns
    return e if shown(m, g, e) == (x, y) else None


def line_at(m: State, g: Grid, row: bool, number: int) -> int | None:
    """The row or column of the outline with that number, if there is one."""
    lines = rows(m, g) if row else columns(m, g)
    return lines[number] if 0 <= number < len(lines) else None
