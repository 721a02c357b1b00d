"""Collects the findings of a pass; knows how to suggest near names.

One mistake gives one finding: nothing is said of a name that a declaration with a finding of its own may have declared
(`broken`), what a declaration says wrong several times is told once, and there are no warnings beside errors, as what
is unused may only be misspelt elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from cardc.findings import Edit, Finding, Fix, Label
from cardc.nodes import Node
from cardc.source import Source

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FAR = 0.15
"""How much more like a name the nearest one is than the next, for it to be the one that was meant."""
_BLANK_LINE = re.compile(r"[ \t\r]*\n")


class Suggestion(str):
    """Help that names what was perhaps meant. `best` is the name that is by far the nearest, if one is."""

    best: str | None

    def __new__(cls, name: str, found: list[str]) -> Suggestion:
        made = super().__new__(cls, "did you mean " + " or ".join(f"`{f}`" for f in found) + "?")
        first, *others = found
        alone = not others or _likeness(name, first) - _likeness(name, others[0]) >= _FAR
        made.best = first if alone else None
        return made


def _likeness(a: str, b: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, a, b).ratio()


def near(name: str, known: Iterable[str]) -> str | None:
    """`did you mean …?` with at most three names that look like `name` (a `Suggestion`), or None."""
    from difflib import get_close_matches

    found = get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)
    return Suggestion(name, found) if found else None


def there_are(known: Iterable[str]) -> str | None:
    """What there is where nothing is near."""
    names = sorted(set(known))
    return f"there {'is' if len(names) == 1 else 'are'} {listed(names)}" if names else None


def meant(source: Source, start: int, end: int, help: str | None) -> Fix | None:
    """The fix of a suggestion: its name in place of the one that stands there."""
    best = help.best if isinstance(help, Suggestion) else None
    if best is None or _NAME.fullmatch(source.text, start, end) is None:
        return None
    return Fix(f"write `{best}`", (Edit(source, start, end, best),))


def removed(source: Source, start: int, end: int) -> Edit:
    """The edit that takes a piece of text away, with its lines where it has them for itself, else with a gap."""
    text = source.text
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip():
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        if not text[end:stop].strip():
            stop = min(stop + 1, len(text))
            before = text.rfind("\n", 0, max(line - 1, 0)) + 1
            blank = _BLANK_LINE.match(text, stop)
            if blank is not None and not text[before:line].strip():
                stop = blank.end()  # of the blank lines on both sides one stays
            return Edit(source, line, stop, "")
    while end < len(text) and text[end] in " \t":
        end += 1
    least = 0 if text[end : end + 1] in ("", "\r", "\n") else 1 if text[end] == "}" else 2
    while start > least and text[start - 1] in " \t" and (least == 0 or (least == 1 and text[start - 2] in " \t")):
        start -= 1
    return Edit(source, start, end, "")


def listed(names: Iterable[str], most: int = 8) -> str:
    """The names in backquotes, not more than `most` of them."""
    names = list(names)
    return ", ".join(f"`{name}`" for name in names[:most]) + (" …" if len(names) > most else "")


class Unsure(Exception):
    """What is known of the parts of a package does not suffice to word a finding: all of it must be looked at."""


class Report:
    """The findings so far; one at most for each place and code."""

    def __init__(self, broken: Iterable[str] = ()) -> None:
        self._found: dict[tuple[str, int, int, str], Finding] = {}
        self.broken = set(broken)
        """The words of declarations that could not be read, and names whose own declaration has a finding."""
        self._late: list[Finding] = []

    def add(
        self,
        code: str,
        source: Source,
        node: Node,
        message: str,
        help: str | None = None,
        labels: Iterable[tuple[Source, Node, str]] = (),
        fix: Fix | None = None,
    ) -> None:
        start, end = node.span
        finding = Finding(
            code,
            source,
            start,
            end,
            message,
            help,
            tuple(Label(s, at.span[0], at.span[1], text) for s, at, text in labels),
            fix=fix or meant(source, start, end, help),
        )
        self._found.setdefault((source.path, start, end, code), finding)

    def add_late(self, code: str, source: Source, node: Node, message: str, help: str | None = None) -> None:
        """Like `add`, for what is wrong because no code does something: told where nothing else is wrong, as what is
        wrong elsewhere may do it."""
        self._late.append(Finding(code, source, *node.span, message, help))

    def withdraw(self, code: str, source: Source, node: Node) -> bool:
        """Take a finding back that turns out to be a part of another; whether it was there."""
        return self._found.pop((source.path, *node.span, code), None) is not None

    def unknown(self, code: str, source: Source, node: Node, name: str, message: str, help: str | None = None) -> None:
        """Like `add`, for a name that nothing declares; nothing is said where a broken declaration may declare it."""
        if name not in self.broken:
            self.add(code, source, node, message, help)

    def extend(self, findings: Iterable[Finding]) -> None:
        for f in findings:
            self._found.setdefault((f.source.path, f.start, f.end, f.code), f)

    @property
    def errors(self) -> bool:
        return any(f.severity == "error" for f in self._found.values())

    def findings(self) -> list[Finding]:
        """In source order; warnings only where there is no error."""
        if not self.errors:
            self.extend(self._late)
        found = sorted(self._found.values(), key=Finding.key)
        reserved = {(f.source.path, f.start, f.end) for f in found if f.code == "E007"}
        if reserved:  # a word that cannot be a name is no name of anything
            found = [f for f in found if f.code == "E007" or (f.source.path, f.start, f.end) not in reserved]
        if any(f.code.startswith(("E0", "E1")) for f in found):
            found = [f for f in found if f.code not in _OF_ALL_CODE]
        return _gathered(_joined([f for f in found if f.severity == "error"] if self.errors else found))

    def spoil(self, name: str) -> None:
        """Say nothing of a name elsewhere: its own declaration has a finding."""
        self.broken.add(name)

    def all(self) -> list[Finding]:
        """All of them, in source order."""
        return sorted(self._found.values(), key=Finding.key)

    def __len__(self) -> int:
        return len(self._found)


_NAMES = frozenset({"E101", "E105"})
_MISSING = _NAMES | {"E207", "E304", "E306"}
_OF_ALL_CODE = frozenset({"E209", "E307", "E403", "E407", "E501", "E502"})
"""What may only be so because code cannot be read, or a name is misspelt: told where nothing of that is wrong."""
_MOST_PLACES = 3


def _joined(findings: list[Finding]) -> list[Finding]:
    """The findings, with what a declaration says wrong of one name told at its first place, and the others shown."""
    out: list[Finding] = []
    first: dict[tuple[str, int, str, str], int] = {}
    for f in findings:
        key = (f.source.path, f.source.declaration(f.start)[0], f.code, f.message)
        if f.code == "E305":  # one kind, though each of its cards is in the way
            key = (f.source.path, 0, f.code, f.message)
        if f.code not in (*_NAMES, "E305") or key not in first:
            first.setdefault(key, len(out))
            out.append(f)
            continue
        at = first[key]
        labels, fix = out[at].labels, out[at].fix
        if len(labels) < _MOST_PLACES:
            labels = (*labels, Label(f.source, f.start, f.end, "and here"))
        if fix is not None and f.fix is not None:
            fix = replace(fix, edits=(*fix.edits, *f.fix.edits))
        out[at] = replace(out[at], labels=labels, fix=fix)
    return out


MOST_ALIKE = 3
"""In so many declarations of a file a name may be misspelt; in more of them its own declaration is."""


def with_places(first: Finding, others: Sequence[Finding]) -> Finding:
    """The finding with the places of others that say the same."""
    labels = [*first.labels, *(Label(f.source, f.start, f.end, "and here") for f in others)][:_MOST_PLACES]
    more = len(others) + len(first.labels) - len(labels)
    if more:  # the message stays the same, as fixes are known by it
        where = f"and here, and in {more} more place{'s' if more > 1 else ''}"
        labels[-1] = replace(labels[-1], text=where)
    return replace(first, labels=tuple(labels))


def _gathered(findings: list[Finding]) -> list[Finding]:
    """The findings, with a name that is missing all over a file told there once: what is wrong is its declaration."""
    missing: dict[tuple[str, str], list[Finding]] = {}
    for f in findings:
        if f.code in _MISSING:
            missing.setdefault((f.source.path, f.source.text[f.start : f.end]), []).append(f)
    told = {id(f): f for f in findings}
    for first, *others in missing.values():
        if len(others) < MOST_ALIKE:
            continue
        fix = first.fix
        if fix is not None and all(f.fix is not None for f in others):
            fix = replace(fix, edits=(*fix.edits, *(edit for f in others if f.fix is not None for edit in f.fix.edits)))
        told[id(first)] = replace(with_places(first, others), fix=fix)
        for f in others:
            del told[id(f)]
    return list(told.values())
