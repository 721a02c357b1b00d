"""Findings as text, in the manner of rustc: the fact, the place, the lines with the span underlined, the way out.

Author text is made safe for a terminal. Columns count characters; underlines are placed by cells, so wide and combining
characters and tabs stay aligned. A line longer than the page is cut around what is underlined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from cardc.display import cells_of, plural, safe, safe_character, width
from cardc.findings import Finding
from cardc.source import Source

# A span over more lines than this is shown by its first and last ones.
_WHOLE_SPAN = 4
_CUT = "..."
_COLOURS = {"error": "1;31", "warning": "1;33", "note": "1;36", "place": "1;34", "label": "36", "fact": "1"}


class _Mark(Struct, frozen=True):
    """A part of one line that is underlined; `text` is written behind the underline."""

    start: int
    end: int
    text: str
    primary: bool


# An offset on a line, and the marks on it; a span is start, end, label, primary.
_Line: TypeAlias = tuple[int, list[_Mark]]
_Span: TypeAlias = tuple[int, int, str, bool]


class _Paint:
    """Colours, or none."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, colour: str, text: str) -> str:
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.on and text else text


def render(findings: Iterable[Finding], *, root: str = "", colour: bool = False, columns: int = 100) -> str:
    """Return all findings, a blank line after each; empty when there are none.

    `root` stands before each path (`my_game/`); `columns` is the width of the page in cells."""
    paint = _Paint(colour)
    return "".join("\n".join(_finding(f, root, paint, columns)) + "\n\n" for f in findings)


def summary(findings: Iterable[Finding]) -> str:
    """Return `2 errors, 1 warning, 3 notes`, or the empty text."""
    severities = [f.severity for f in findings]
    parts = [plural(severities.count(s), s) for s in ("error", "warning", "note") if s in severities]
    return ", ".join(parts)


def _finding(finding: Finding, root: str, paint: _Paint, columns: int) -> Iterator[str]:
    first, *rest = finding.message.split("\n")
    head = paint(finding.severity, f"{finding.severity}[{finding.code}]")
    yield f"{head}{paint('fact', ': ' + safe(first))}"
    yield from (safe(line) for line in rest)

    places: dict[int, tuple[Source, list[_Span]]] = {}
    spans = [(finding.source, finding.start, finding.end, "", True)]
    spans += [(label.source, label.start, label.end, label.text, False) for label in finding.labels]
    for source, start, end, text, primary in spans:
        start = min(max(start, 0), len(source.text))
        end = min(max(end, start), len(source.text))
        places.setdefault(id(source), (source, []))[1].append((start, end, text, primary))
    pages = [(source, _lines(source, of_source), of_source[0][0]) for source, of_source in places.values()]
    gutter = max(len(str(max(lines))) for _, lines, _ in pages)

    for i, (source, lines, at) in enumerate(pages):
        arrow = "::: " if i else "--> "
        place = f"{source.seen_from(root)}:{source.line(at)}:{source.column(at)}"
        yield " " * gutter + paint("place", arrow) + safe(place)
        if source.text:
            yield from _excerpt(source, lines, gutter, paint, columns, finding.severity)
    if finding.help is not None:
        first, *rest = finding.help.split("\n")
        yield f"{' ' * gutter} {paint('place', '=')} {paint('fact', 'help')}: {safe(first)}"
        yield from (" " * (gutter + 9) + safe(line) for line in rest)


def _lines(source: Source, spans: Sequence[_Span]) -> dict[int, _Line]:
    """The lines that are shown, by number, with what is underlined on each."""
    text = source.text
    lines: dict[int, _Line] = {}
    for start, end, label, primary in spans:
        while end > start and text[end - 1] in "\r\n":
            end -= 1
        first = source.line(start)
        last = source.line(max(end - 1, start))
        if first == last:
            lines.setdefault(first, (start, []))[1].append(_Mark(start, end, label, primary))
            continue
        begin = end - source.column(end - 1)
        if last - first < _WHOLE_SPAN:
            at = start
            for line in range(first + 1, last):
                at = text.index("\n", at) + 1
                lines.setdefault(line, (at, []))
        while begin < end - 1 and text[begin] in " \t":
            begin += 1
        line_end = text.index("\n", start)
        lines.setdefault(first, (start, []))[1].append(_Mark(start, max(line_end, start + 1), "", primary))
        lines.setdefault(last, (begin, []))[1].append(_Mark(begin, end, label, primary))
    return lines


def _excerpt(
    source: Source, lines: dict[int, _Line], gutter: int, paint: _Paint, columns: int, severity: str
) -> Iterator[str]:
    room = max(columns - gutter - 3, 20)
    yield f"{' ' * gutter} {paint('place', '|')}"
    previous = None
    for line in sorted(lines):
        if previous is not None and line > previous + 2:
            yield paint("place", _CUT)
        elif previous is not None and line == previous + 2:
            between = source.text.index("\n", lines[previous][0]) + 1
            yield from _row(source.text, line - 1, (between, []), gutter, paint, room, severity)
        yield from _row(source.text, line, lines[line], gutter, paint, room, severity)
        previous = line


def _row(
    text: str, number: int, line: _Line, gutter: int, paint: _Paint, room: int, severity: str
) -> Iterator[str]:
    """A line of the source and a row under it for each mark; shown again for marks that the cut leaves out."""
    bar = paint("place", "|")
    at, marks = line
    left = sorted(marks, key=lambda m: (not m.primary, m.start, m.end))
    while True:
        window = _window(text, at, left[0] if left else None, room)
        yield f"{paint('place', str(number).rjust(gutter))} {bar} {window.text}".rstrip()
        inside = [m for m in left if window.holds(m)] or left[:1]
        for mark in inside:
            begin, cells = window.place(mark)
            sign = "^" if mark.primary else "-"
            said = safe(mark.text)
            colour = severity if mark.primary else "label"
            under = f"{sign * cells} {said}".rstrip()
            if begin + cells + 1 + width(said) > room and width(said) < begin:  # it fits before the underline only
                under, begin = f"{said} {sign * cells}", begin - width(said) - 1
            yield f"{' ' * gutter} {bar} {' ' * begin}{paint(colour, under)}"
        left = [m for m in left if m not in inside]
        if not left:
            return


class _Window(Struct, frozen=True):
    """The part of a line that is shown: offsets `start` to `end`, and the cell at which each character begins."""

    text: str
    start: int
    end: int
    cells: tuple[int, ...]

    def holds(self, mark: _Mark) -> bool:
        return self.start <= mark.start and mark.end <= max(self.end, mark.start + 1) and mark.start <= self.end

    def place(self, mark: _Mark) -> tuple[int, int]:
        """The cell where the underline of `mark` begins, and its length of at least one."""
        start = min(max(mark.start, self.start), self.end)
        end = min(max(mark.end, start), self.end)
        at = self.cells[start - self.start]
        return at, max(self.cells[end - self.start] - at, 1)


def _window(text: str, at: int, mark: _Mark | None, room: int) -> _Window:
    """Cut the line that holds `at` to `room` cells, around the mark if there is one.

    Looks at no more of the line than can be shown: a line may be 10 MB long."""
    at, until = (mark.start, mark.end) if mark is not None else (at, at)
    lowest, highest = max(at - 2 * room, 0), at + 2 * room
    begin = text.rfind("\n", lowest, at) + 1 or lowest
    stop = text.find("\n", at, highest)
    stop = min(highest, len(text)) if stop < 0 else stop
    whole = (begin == 0 or text[begin - 1] == "\n") and (stop == len(text) or text[stop] == "\n")
    if stop > at and text[stop - 1] == "\r" and text[stop : stop + 1] == "\n":
        stop -= 1
    sizes = [_size(c) for c in text[begin:stop]]
    start, end = begin, stop
    if not whole or sum(sizes) > room:
        budget = room - 2 * len(_CUT)
        before = (budget - min(sum(sizes[at - begin : until - begin]), budget * 3 // 4)) // 2
        start = at
        while start > begin and sizes[start - 1 - begin] <= before:
            start -= 1
            before -= sizes[start - begin]
        budget -= sum(sizes[start - begin : at - begin])
        end = at
        while end < stop and sizes[end - begin] <= budget:
            budget -= sizes[end - begin]
            end += 1
    cut_left = start > 0 and text[start - 1] != "\n"
    cut_right = text[end : end + 1] not in ("", "\n") and text[end : end + 2] != "\r\n"
    cells = [len(_CUT) if cut_left else 0]
    for size in sizes[start - begin : end - begin]:
        cells.append(cells[-1] + size)
    shown = "".join(safe_character(c) for c in text[start:end])
    return _Window(_CUT * cut_left + shown + _CUT * cut_right, start, end, tuple(cells))


def _size(c: str) -> int:
    shown = safe_character(c)
    return cells_of(c) if shown == c else len(shown)
