"""Mends findings that say how: their edits are tried, and what breaks nothing is kept.

Assumes the files of a package and what looks at them. Establishes: every edit that is kept has made its finding go away
and has made no new error, and no file reads worse than it did; all else is as it was. Pure: nothing is read or written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from cardc.findings import Edit, Finding
from cardc.package import UsageError
from cardc.read import decode

if TYPE_CHECKING:
    from cardc.opening import Files

MOST_ROUNDS = 100
"""A declaration that cannot be read tells one thing at a time, and what only something unused has used comes next."""
MOST_LOOKS = 100
"""How often a package is looked at in search of the fixes that break it."""

_Key: TypeAlias = tuple[str, str, str]


class Fixed(Struct, frozen=True):
    """A finding that was mended, and where it stood when it was."""

    finding: Finding
    title: str


class Mended(Struct, frozen=True):
    """The files as they are now, what was done to them, and what is still found."""

    files: Files
    fixed: tuple[Fixed, ...]
    findings: tuple[Finding, ...]

    def changed(self, before: Files) -> Files:
        """The files that differ."""
        old = dict(before)
        return [(path, data) for path, data in self.files if old[path] != data]


def mend(
    files: Files,
    look: Callable[[Files], Sequence[Finding]],
    unsafe: bool,
    wanted: Callable[[Finding], bool] = lambda f: True,
) -> Mended:
    """Apply the safe fixes of the wanted findings, or all of them, until there are none left that can be."""
    return _Mender(files, look, unsafe, wanted).run()


class _Mender:
    def __init__(
        self,
        files: Files,
        look: Callable[[Files], Sequence[Finding]],
        unsafe: bool,
        wanted: Callable[[Finding], bool],
    ) -> None:
        self.files = files
        self.look = look
        self.unsafe = unsafe
        self.wanted = wanted
        self.looks = 0
        self.findings = look(files)
        self.held = files, self.findings
        """The files with all fixes that were found to hold so far, and what is found in them."""
        self.refused: set[_Key] = set()
        self.texts = {path for path, _ in files if not path.endswith(".json")}

    def run(self) -> Mended:
        fixed: list[Fixed] = []
        for _ in range(MOST_ROUNDS):
            todo = self.chosen()
            if not todo:
                break
            kept = self.settle([], todo)
            if kept:
                self.files, self.findings = self.held
                fixed += [Fixed(f, f.fix.title) for f in kept if f.fix is not None]
        return Mended(self.files, tuple(fixed), tuple(self.findings))

    def chosen(self) -> list[Finding]:
        """The fixes of this round: in source order, those that do not touch one before them. First it must be read."""
        possible = [f for f in self.findings if self.possible(f)]
        taken: dict[str, list[tuple[int, int]]] = {}
        out: list[Finding] = []
        for f in [f for f in possible if _reads(f)] or possible:
            edits = f.fix.edits if f.fix is not None else ()
            if any(e.start <= end and start <= e.end for e in edits for start, end in taken.get(e.source.path, ())):
                continue
            for e in edits:
                taken.setdefault(e.source.path, []).append((e.start, e.end))
            out.append(f)
        return out

    def possible(self, f: Finding) -> bool:
        if f.fix is None or not (self.unsafe or f.fix.safe) or not self.wanted(f) or _key(f) in self.refused:
            return False
        return all(e.source.path in self.texts for e in f.fix.edits)

    def settle(self, kept: list[Finding], todo: list[Finding]) -> list[Finding]:
        """The fixes of `todo` that can be made together with those that are kept; others are refused."""
        if self.looks >= MOST_LOOKS:
            self.refused.update(map(_key, todo))
            return kept
        if self.holds([*kept, *todo]):
            return [*kept, *todo]
        if len(todo) == 1:
            self.refused.add(_key(todo[0]))
            return kept
        half = len(todo) // 2
        return self.settle(self.settle(kept, todo[:half]), todo[half:])

    def holds(self, fixes: list[Finding]) -> bool:
        """Whether these fixes, made together, mend what they are for and break nothing; what is then `held`."""
        self.looks += 1
        files = applied(self.files, fixes)
        if files == self.files:
            return False
        try:
            found = self.look(files)
        except UsageError:  # it is no package any more
            return False
        if not self.mended(fixes, found):
            return False
        self.held = files, found
        return True

    def mended(self, fixes: list[Finding], found: Sequence[Finding]) -> bool:
        """Whether what is found after these fixes is better than what was found before."""
        before, after = Counter(map(_key, self.findings)), Counter(map(_key, found))
        still = {(*_key(f), f.start) for f in found}
        for key, number in Counter(map(_key, fixes)).items():
            if after[key] > before[key] - number and any(
                (*key, _moved(f, fixes)) in still for f in fixes if _key(f) == key
            ):
                return False
        worse = {key for key in after if after[key] > before[key]} & {_key(f) for f in found if f.severity == "error"}
        if not any(_reads(f) for f in fixes):
            return not worse
        # What could not be read before may hold errors of its own, which only show when it is read; a declaration that
        # cannot be read has one finding, so that the next one may follow.
        return sum(map(_reads, found)) <= sum(map(_reads, self.findings))


def applied(files: Files, fixes: Iterable[Finding]) -> Files:
    """The files with these fixes made, which do not overlap."""
    edits: dict[str, list[Edit]] = {}
    for f in fixes:
        for e in f.fix.edits if f.fix is not None else ():
            edits.setdefault(e.source.path, []).append(e)
    return [(path, _edited(path, data, edits) if path in edits else data) for path, data in files]


def _edited(path: str, data: bytes, edits: Mapping[str, list[Edit]]) -> bytes:
    source, _ = decode(path, data)
    if source is None:
        return data
    out: list[str] = []
    at = 0
    for e in sorted(edits[path], key=lambda e: (e.start, e.end)):
        out += [source.text[at : e.start], e.text]
        at = e.end
    text = "".join([*out, source.text[at:]]).encode("utf-8", "surrogatepass")
    return (b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b"") + text


def _reads(f: Finding) -> bool:
    """Whether a finding says that something cannot be read."""
    return f.code.startswith("E0")


def _moved(f: Finding, fixes: Iterable[Finding]) -> int:
    """Where the place of a finding is when these fixes are made."""
    edits = [e for x in fixes if x.fix is not None for e in x.fix.edits if e.source.path == f.source.path]
    return f.start + sum(len(e.text) - (e.end - e.start) for e in edits if e.start < f.start)


def _key(f: Finding) -> _Key:
    """What a finding is, wherever it has moved."""
    return f.source.path, f.code, f.message
