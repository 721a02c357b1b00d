"""A question to a human: its options as they are shown, and which of them a typed line means. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cardc.cli.table import Line
from cardc.display import clip, pad, safe, width, wrap

MANY = 7
"""Beyond so many options they are drawn as a table, or in columns."""
_WORD = re.compile(r"-?\d+,-?\d+|[^\s,:]+")
"""A space of a grid, by its column and row, is one word."""
_ROWS = 15
"""Beyond so many lines only what options begin with is shown, once for all that begin alike."""


def shown(
    decision: Any, indices: Sequence[int], columns: int = 80, most: int = 60, facts: Sequence[str] = ()
) -> list[Line]:
    """The options of these indices with their numbers, which are counted from 1.

    `facts`: what is to be said of each where they are few."""
    values = own_numbers(decision)
    if values is not None:
        return _as_numbers([values[i] for i in indices], columns)
    labels = _labels(decision, indices)
    numbers = [i + 1 for i in indices]
    if any(facts):
        return _with_facts(labels, numbers, facts, columns)
    lines = listed(labels, numbers, columns, most)
    if len(labels) > MANY:
        tables = by_alternative(labels, numbers, columns) or lines
        lines = matrix(labels, numbers, columns) or min(lines, tables, key=len)
    return (grouped(labels, numbers, columns) if len(lines) > _ROWS else []) or lines


def own_numbers(decision: Any) -> list[int] | None:
    """What each option is chosen by where all of them are numbers, such as an amount to pay: that number itself, as a
    count of them beside it would be taken for it. None elsewhere, also where 0 would mean to decline, too."""
    labels = _labels(decision, range(decision.count))
    if not all(label.isascii() and label.isdigit() for label in labels):
        return None
    values = [int(label) for label in labels]
    alike = len(set(values)) < len(values)
    return None if alike or (decision.optional and 0 in values) else values


def _labels(decision: Any, indices: Sequence[int]) -> list[str]:
    """What the options say beyond the question."""
    labels = [str(decision.options[i].label) for i in indices]
    asked = f"{decision.prompt}: "
    if all(label.startswith(asked) for label in labels):
        return [label.removeprefix(asked) for label in labels]
    return labels


def _as_numbers(values: Sequence[int], columns: int) -> list[Line]:
    text = spans(values)
    return [("plain", f"  {line}") for line in wrap(text, columns - 2, columns - 2)]


def spans(values: Sequence[int]) -> str:
    """Numbers in words: `0 to 4`, `0, 2 to 6`."""
    runs: list[list[int]] = []
    for value in sorted(values):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )


def _with_facts(labels: Sequence[str], numbers: Sequence[int], facts: Sequence[str], columns: int) -> list[Line]:
    size = len(str(max(numbers)))
    lines: list[Line] = []
    for label, number, fact in zip(labels, numbers, facts, strict=True):
        text = f"{safe(label)} ({safe(fact)})" if fact else safe(label)
        first, *rest = wrap(text, columns - size - 4, columns - size - 8)
        lines.append(("plain", f"  {number:>{size}}  {first}"))
        lines += [("plain", f"{' ' * (size + 8)}{more}") for more in rest]
    return lines


def listed(labels: Sequence[str], numbers: Sequence[int], columns: int = 80, most: int = 60) -> list[Line]:
    """Numbered options, in as many columns as the page holds when there are many of them."""
    options = list(zip(numbers, labels, strict=True))[:most]
    size = len(str(max(numbers, default=0)))
    cells = [f"{number:>{size}}  {safe(label)}" for number, label in options]
    widest = max(map(width, cells), default=0)
    across = max(min((columns - 2) // (min(widest, columns - 2) + 3), 3), 1) if len(cells) > MANY else 1
    room = (columns - 2) // across - (3 if across > 1 else 0)
    down = -(-len(cells) // across)
    lines: list[Line] = []
    for row in range(down):
        parts = [pad(clip(cell, room), room) for cell in cells[row::down]]
        lines.append(("plain", ("  " + "   ".join(parts)).rstrip()))
    if len(numbers) > most:
        lines.append(("dim", f"  and {len(numbers) - most} more: type a part of one to see those that hold it"))
    return lines


def grouped(labels: Sequence[str], numbers: Sequence[int], columns: int) -> list[Line]:
    """One line for all options that begin alike, with the first and the last of their numbers.

    Empty where they have no beginnings in common, or too many."""
    parts = [safe(label).split(", ") for label in labels]
    deep = 1
    while deep < max(map(len, parts)) and all(part[:deep] == parts[0][:deep] for part in parts):
        deep += 1
    groups: list[tuple[list[str], list[int]]] = []
    for part, number in zip(parts, numbers, strict=True):
        if not groups or groups[-1][0] != part[:deep]:
            groups.append((part[:deep], []))
        groups[-1][1].append(number)
    if not 1 < len(groups) <= min(_ROWS, len(labels) // 2):
        return []
    size = len(str(max(numbers)))
    lines: list[Line] = []
    for beginning, found in groups:
        several = len(found) > 1
        span = f"{found[0]:>{size}} to {found[-1]:<{size}}" if several else f"{found[0]:>{size}}{' ' * (size + 4)}"
        lines.append(("plain", clip(f"  {span}  {', '.join(beginning)}{', …' * several}", columns)))
    word = next((b[-1].rpartition(": ")[2] for b, found in groups if len(found) > 1), "")
    lines.append(("dim", clip(f"  type words to see those that hold them, such as: {word.lower()}", columns)))
    return lines


def matrix(labels: Sequence[str], numbers: Sequence[int], columns: int, most: int = 24) -> list[Line]:
    """Options that differ in their last part, such as the lane, as a table: that part across, the rest down.

    Empty where they do not make one that fits."""
    rows: list[tuple[str, dict[str, int]]] = []
    across: list[str] = []
    for label, number in zip(labels, numbers, strict=True):
        row, comma, column = safe(label).rpartition(", ")
        if not comma:
            return []
        if not rows or rows[-1][0] != row or column in rows[-1][1]:
            rows.append((row, {}))
        rows[-1][1][column] = number
        if column not in across:
            across.append(column)
    size = len(str(max(numbers)))
    rooms = [max(width(column), size) for column in across]
    first = max(width(row) for row, _ in rows)
    whole = 2 + first + sum(room + 2 for room in rooms)
    if len(across) < 2 or 2 * len(rows) > len(labels) or len(rows) > most or whole > columns:
        return []

    def line(row: str, cells: Sequence[str]) -> str:
        right = "".join("  " + " " * (room - width(cell)) + cell for cell, room in zip(cells, rooms, strict=True))
        return f"  {pad(row, first)}{right}".rstrip()

    lines: list[Line] = [("dim", line("", across))]
    lines += [("plain", line(row, [str(found.get(c, "-")) for c in across])) for row, found in rows]
    return lines


def by_alternative(labels: Sequence[str], numbers: Sequence[int], columns: int) -> list[Line]:
    """The options of each alternative as a table of their own, or listed; empty where none makes a table."""
    groups: list[tuple[str, list[str], list[int]]] = []
    for label, number in zip(labels, numbers, strict=True):
        alternative = label.partition(": ")[0]
        if not groups or groups[-1][0] != alternative:
            groups.append((alternative, [], []))
        groups[-1][1].append(label)
        groups[-1][2].append(number)
    tables = [matrix(of, which, columns) for _, of, which in groups]
    if not any(tables):
        return []
    return [
        line
        for table, (_, of, which) in zip(tables, groups, strict=True)
        for line in table or listed(of, which, columns)
    ]


def meant(line: str, decision: Any) -> list[int]:
    """The indices of the options that typed words may mean, best reading first: the whole id, its beginning, words that
    each begin a word of an id or label, a part of one."""
    wanted = " ".join(line.lower().split())
    ids = [str(option.id).lower() for option in decision.options]
    labels = [str(option.label).lower() for option in decision.options]
    every = range(len(ids))
    return (
        [i for i in every if ids[i] == wanted]
        or [i for i in every if ids[i].startswith(wanted)]
        or [i for i in every if _holds(f"{ids[i]} {labels[i]}", _WORD.findall(wanted))]
        or [i for i in every if wanted in ids[i] or wanted in labels[i]]
    )


def _holds(text: str, typed: Sequence[str]) -> bool:
    words = _WORD.findall(text)
    return all(any(word.startswith(part) for word in words) for part in typed)
