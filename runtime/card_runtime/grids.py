"""Grids: boards whose elements have neighbours, rows and columns, and, where they float, an outline that play settles.

A floating grid lives on a plane large enough for every way it can grow from its middle, where its first card lies.
Nothing that a player
sees or does depends on where on the plane that is: coordinates shown are relative to the present outline (the box
around what is occupied).
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
    and places an element."""

    board: str
    width: int
    height: int
    floating: bool
    either: bool
    columns: int
    rows: int
    places: tuple[tuple[int, int], ...]
    near: tuple[tuple[int, ...], ...] = ()
    spaces_of: dict[Box, list[int]] = field(default_factory=dict)

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
    return Grid(board.name, board.width, board.height, board.floating, board.either, columns, rows, places, near)


def plane(width: int, height: int, floating: bool, either: bool) -> tuple[int, int]:
    """Columns and rows of the plane of such a grid."""
    if not floating:
        return width, height
    if either:
        width = height = max(width, height)
    return 2 * width - 1, 2 * height - 1


# ---- The outline


def occupied(m: State, g: Grid) -> list[int]:
    """The elements on which a card lies, in row-major order."""
    count = g.columns * g.rows
    (first, each), *others = g.places
    if not others and each == 1:
        return [e for e, cards in enumerate(m.places[first : first + count]) if cards]
    found: set[int] = set()
    for start, n in g.places:
        found.update(i // n for i, cards in enumerate(m.places[start : start + count * n]) if cards)
    return sorted(found)


def box(m: State, g: Grid) -> Box | None:
    """The outline; None where nothing lies on a floating grid. A grid that does not float is its own outline."""
    if not g.floating:
        return 0, g.width - 1, 0, g.height - 1
    memo = m.memo
    if memo is not None and g.board in memo:
        found: Box | None = memo[g.board]
        return found
    taken = occupied(m, g)
    out: Box | None = None
    if taken:
        xs = [e % g.columns for e in taken]
        out = min(xs), max(xs), taken[0] // g.columns, taken[-1] // g.columns
    if memo is not None:
        memo[g.board] = out
    return out


def _fits(g: Grid, w: int, h: int) -> bool:
    return (w <= g.width and h <= g.height) or (g.either and w <= g.height and h <= g.width)


def spaces(m: State, g: Grid) -> list[int]:
    """The spaces that are occupied or could be without breaking the limit, in row-major order; an empty floating grid
    has one."""
    if not g.floating:
        return list(range(g.columns * g.rows))
    b = box(m, g)
    if b is None:
        return [g.middle]
    found = g.spaces_of.get(b)
    if found is None:
        x0, x1, y0, y1 = b
        found = [
            y * g.columns + x
            for y in range(g.rows)
            for x in range(g.columns)
            if _fits(g, max(x, x1) - min(x, x0) + 1, max(y, y1) - min(y, y0) + 1)
        ]
        g.spaces_of[b] = found
    return found[:]


def rows(m: State, g: Grid) -> list[int]:
    """The rows of the outline, as lines."""
    b = box(m, g)
    return [] if b is None else list(range(b[2], b[3] + 1))


def columns(m: State, g: Grid) -> list[int]:
    """The columns of the outline, as lines."""
    b = box(m, g)
    return [] if b is None else list(range(g.rows + b[0], g.rows + b[1] + 1))


def corners(m: State, g: Grid) -> list[int]:
    """The corners of the outline, each once, in row-major order."""
    b = box(m, g)
    if b is None:
        return []
    x0, x1, y0, y1 = b
    return sorted({y * g.columns + x for y in (y0, y1) for x in (x0, x1)})


def settled(m: State, g: Grid) -> bool:
    """Whether the outline is as large as it may get in both directions."""
    b = box(m, g)
    if b is None:
        return False
    size = (b[1] - b[0] + 1, b[3] - b[2] + 1)
    return size == (g.width, g.height) or (g.either and size == (g.height, g.width))


def full(m: State, g: Grid) -> bool:
    """Whether all spaces that the grid can have are occupied."""
    return len(occupied(m, g)) == g.width * g.height


def near(g: Grid, e: int) -> tuple[int, ...]:
    """The orthogonal neighbours of an element on the plane."""
    return g.near[e]


def in_line(g: Grid, e: int, line: int) -> bool:
    return e // g.columns == line if line < g.rows else e % g.columns == line - g.rows


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
