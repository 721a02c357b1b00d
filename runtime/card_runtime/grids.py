"""Grids: boards whose elements have neighbours, rows and columns, and, where they float, an outline that play settles.

A floating grid lives on a plane large enough for every way it can grow from its middle, where its first card lies.
Nothing that a player sees or does depends on where on the plane that is: coordinates shown are relative to the present
outline (the box around what is occupied).
A line is a number: a row is its `y`, a column is `rows + x`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from card_runtime.state import State

Box: TypeAlias = tuple[int, int, int, int]
"""Least and greatest `x`, least and greatest `y` of the plane."""


@dataclass(slots=True)
class Grid:
    """The static side of a grid. Elements are `y * columns + x` of the plane; `places`: of each part its first place
    and places an element; `span`: the first of all its places, and how many they are; `lines`: the elements of each."""

    board: str
    width: int
    height: int
    floating: bool
    either: bool
    columns: int
    rows: int
    places: tuple[tuple[int, int], ...]
    near: tuple[tuple[int, ...], ...] = ()
    span: tuple[int, int] = (0, 0)
    lines: tuple[frozenset[int], ...] = ()
    layouts: dict[bytes, Layout] = field(default_factory=dict)
    outlines: dict[Box | None, Outline] = field(default_factory=dict)

    @property
    def middle(self) -> int:
        return self.rows // 2 * self.columns + self.columns // 2


def grid_of(board: Any) -> Grid | None:
    """The grid that a board of the model is, or None."""
    if board.height is None:
        return None
    columns, rows = plane(board.width, board.height, board.floating, board.either)
    places = tuple((p.first, 2 if p.each else 1) for p in board.parts)
    near = tuple(
        tuple(
            j * columns + i
            for i, j in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
            if 0 <= i < columns and 0 <= j < rows
        )
        for y in range(rows)
        for x in range(columns)
    )
    span = places[0][0], columns * rows * sum(n for _, n in places)
    lines = (
        *(frozenset(range(y * columns, (y + 1) * columns)) for y in range(rows)),
        *(frozenset(range(x, columns * rows, columns)) for x in range(columns)),
    )
    return Grid(
        board.name, board.width, board.height, board.floating, board.either, columns, rows, places, near, span, lines
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
    """What follows from the box around what lies on a grid."""

    box: Box | None
    spaces: list[int]
    rows: list[int]
    columns: list[int]
    corners: list[int]
    settled: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """What follows from which elements are occupied. Its lists are shared: nobody changes them.

    `key` has a byte for each place, `after` the layout that comes of a card's arrival in a place; `alone` is what a
    match with no other grid keeps of it."""

    key: bytes
    taken: list[int]
    adjacent: list[int]
    full: bool
    outline: Outline
    after: dict[int, Layout]
    alone: dict[str, Layout]


MOST_LAYOUTS = 1 << 14
"""How many layouts of a grid are remembered."""


def layout(m: State, g: Grid) -> Layout:
    """The present layout; kept in `m.layout` until a card moves."""
    first, count = g.span
    found = _known(g, bytes(map(bool, m.places[first : first + count])))
    m.layout = {**m.layout, g.board: found} if m.layout else found.alone  # never changed in place: states share it
    return found


def _known(g: Grid, key: bytes) -> Layout:
    found = g.layouts.get(key)
    if found is None:
        if len(g.layouts) >= MOST_LAYOUTS:
            g.layouts.clear()
        found = g.layouts[key] = _measured(g, key)
        found.alone[g.board] = found
    return found


def arrived(m: State, place: int) -> None:
    """A card has come from a zone to `place`; the layouts that are known become those after that."""
    known = m.layout or {}
    for board, old in known.items():
        after = old.after.get(place)
        if after is None:
            g = m.game.grids[board]
            i = place - g.span[0]
            after = old
            if 0 <= i < g.span[1] and not old.key[i]:
                after = _known(g, old.key[:i] + b"\1" + old.key[i + 1 :])
            old.after[place] = after
        if after is not old:
            m.layout = {**known, board: after} if len(known) > 1 else after.alone


def _measured(g: Grid, key: bytes) -> Layout:
    count = g.columns * g.rows
    (first, _), *_ = g.places
    if len(key) == count:
        taken = [e for e, lies in enumerate(key) if lies]
    else:
        taken = [e for e in range(count) if any([any(key[start - first + e * n :][:n]) for start, n in g.places])]
    outline = _outline(g, taken)
    if not taken:
        return Layout(key, taken, outline.spaces, False, outline, {}, {})
    near = g.near
    beside = {n for e in taken for n in near[e]}
    beside.difference_update(taken)
    adjacent = [e for e in outline.spaces if e in beside]
    return Layout(key, taken, adjacent, len(taken) == g.width * g.height, outline, {}, {})


def _outline(g: Grid, taken: list[int]) -> Outline:
    box: Box | None = None
    if not g.floating:
        box = 0, g.width - 1, 0, g.height - 1
    elif taken:
        columns = g.columns
        xs = [e % columns for e in taken]
        box = min(xs), max(xs), taken[0] // columns, taken[-1] // columns
    if box not in g.outlines:
        g.outlines[box] = _drawn(g, box)
    return g.outlines[box]


def _drawn(g: Grid, box: Box | None) -> Outline:
    if box is None:
        return Outline(None, [g.middle], [], [], [], False)
    x0, x1, y0, y1 = box
    spaces = [
        y * g.columns + x
        for y in range(g.rows)
        for x in range(g.columns)
        if _fits(g, max(x, x1) - min(x, x0) + 1, max(y, y1) - min(y, y0) + 1)
    ]
    corners = sorted({y * g.columns + x for y in (y0, y1) for x in (x0, x1)})
    columns = list(range(g.rows + x0, g.rows + x1 + 1))
    size = (x1 - x0 + 1, y1 - y0 + 1)
    settled = size == (g.width, g.height) or (g.either and size == (g.height, g.width))
    return Outline(box, spaces, list(range(y0, y1 + 1)), columns, corners, settled)


def _fits(g: Grid, w: int, h: int) -> bool:
    return (w <= g.width and h <= g.height) or (g.either and w <= g.height and h <= g.width)


# ---- What the language reads


def occupied(m: State, g: Grid) -> list[int]:
    """The elements on which a card lies, in row-major order."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).taken


def box(m: State, g: Grid) -> Box | None:
    """The outline; None where nothing lies on a floating grid. A grid that does not float is its own outline."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).outline.box


def spaces(m: State, g: Grid) -> list[int]:
    """The spaces that are occupied or could be without breaking the limit, in row-major order; an empty floating grid
    has one."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).outline.spaces


def adjacent(m: State, g: Grid) -> list[int]:
    """The free spaces beside occupied ones, in row-major order; all spaces of an empty grid."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).adjacent


def rows(m: State, g: Grid) -> list[int]:
    """The rows of the outline, as lines."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).outline.rows


def columns(m: State, g: Grid) -> list[int]:
    """The columns of the outline, as lines."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).outline.columns


def corners(m: State, g: Grid) -> list[int]:
    """The corners of the outline, each once, in row-major order."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).outline.corners


def settled(m: State, g: Grid) -> bool:
    """Whether the outline is as large as it may get in both directions."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).outline.settled


def full(m: State, g: Grid) -> bool:
    """Whether all spaces that the grid can have are occupied."""
    return ((m.layout and m.layout.get(g.board)) or layout(m, g)).full


def near(g: Grid, e: int) -> tuple[int, ...]:
    """The orthogonal neighbours of an element on the plane."""
    return g.near[e]


def at_xy(m: State, g: Grid, x: int, y: int) -> int | None:
    """The space at `x`, `y`, if it is one now; on a floating grid (in tests) counted from its middle."""
    if g.floating:
        x, y = x + g.columns // 2, y + g.rows // 2
    if not (0 <= x < g.columns and 0 <= y < g.rows):
        return None
    e = y * g.columns + x
    return e if not g.floating or e in spaces(m, g) else None


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
    b = box(m, g)
    x0, y0 = (g.columns // 2, g.rows // 2) if b is None else (b[0], b[2])
    return e % g.columns - x0, e // g.columns - y0


def element_at(m: State, g: Grid, x: int, y: int) -> int | None:
    """The element at such coordinates, if the plane has it."""
    b = box(m, g)
    x0, y0 = (g.columns // 2, g.rows // 2) if b is None else (b[0], b[2])
    x, y = x + x0, y + y0
    return y * g.columns + x if 0 <= x < g.columns and 0 <= y < g.rows else None
