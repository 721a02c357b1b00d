"""Reads, checks and emits parts of a package that hold nothing but cards and tests, each part apart from the others.

Assumes parts as `cardc.parts.cut` makes them, and a `Checker` of the frame that knows the names of all cards. What
leaves a batch is plain data, so a batch may be in another process (`cardc.pool`). Order of calls: `parse`, `sample`
if need be, `check`, `tests`, then `see`. Raises Unsure where a finding would have to be worded with what stands in
other parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import Any, TypeAlias

from card_runtime.depth import deep
from msgspec import Struct, field
from msgspec.structs import astuple

from cardc import nodes as n
from cardc.check import Checker, Work
from cardc.emit.module import emit_cards
from cardc.facts import Facts, facts_of
from cardc.findings import PlainFinding, plain_finding
from cardc.frame import check_texts
from cardc.given import Giving
from cardc.ir import AbilityLine, Program
from cardc.kept import Keeping
from cardc.model_data import spread_data
from cardc.opening import Parsed, parse_files, rows
from cardc.parts import File, part_files
from cardc.report import Report, Unsure
from cardc.searches import key
from cardc.shape import shape_of
from cardc.sight import Reading, Sight
from cardc.source import Source
from cardc.suppress import read_suppressions
from cardc.symbols import CardSym
from cardc.telling import Telling

Named: TypeAlias = tuple[str, str, str, str, int, int]
"""A card: its name, its kind, its title, its file, and the place of its name there."""


HELD = 6_000_000
"""The trees of so many bytes of sources are held from reading to checking; those of more are made twice."""


class Declared(Struct):
    """What a part says as far as it is read, and not checked. `suppressions`: fields of `cardc.suppress.Suppression`,
    with the path in the place of the source."""

    cards: list[Named] = field(default_factory=list)
    tests: int = 0
    titles: list[str] = field(default_factory=list)
    shape: tuple[list[Any], ...] = ()
    findings: list[PlainFinding] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    suppressions: list[tuple[Any, ...]] = field(default_factory=list)
    idle: list[PlainFinding] = field(default_factory=list)
    """What is said of suppressions, if there are no errors."""

    def plain(self) -> tuple[Any, ...]:
        return astuple(self)


class Done(Struct):
    """What became of a part: its facts, its findings, and the digests of its files in the package (None after
    errors)."""

    facts: Facts
    findings: list[PlainFinding]
    digests: tuple[str, str] | None

    def plain(self) -> tuple[Any, ...]:
        return self.facts.plain(), self.findings, self.digests

    @staticmethod
    def of(facts: tuple[Any, ...], findings: list[PlainFinding], digests: tuple[str, str] | None) -> Done:
        """What was written so."""
        return Done(Facts(*facts), findings, digests)


class _Work(Struct):
    """A part at work. Its trees are dropped as soon as may be: those of many cards need much memory. `made`: its files
    in the package."""

    files: tuple[File, ...]
    parsed: Parsed | None = None
    checker: Checker | None = None
    done: Done | None = None
    made: tuple[bytes, bytes] | None = None


class Counts(Struct):
    """How much was done, in declarations: for tests of what is left alone."""

    parsed: int = 0
    checked: int = 0
    emitted: int = 0


class Batch:
    """Some parts of a package, by number. `expands`: the package is an expansion."""

    def __init__(self, parts: Sequence[tuple[int, tuple[File, ...]]], expands: bool) -> None:
        self.work = {number: _Work(files) for number, files in parts}
        self.expands = expands
        self.counts = Counts()
        self.searches: _Searches | None = None
        self.modifiers: dict[object, AbilityLine] = {}
        self.held = 0

    # ---- Reading

    def parse(self) -> list[tuple[int, Declared]]:
        """Read all declarations."""
        with deep():
            return [(number, self._parse(work)) for number, work in self.work.items()]

    def _parse(self, work: _Work) -> Declared:
        parsed = parse_files(work.files, own=True)
        self.counts.parsed += len(parsed.units)
        self.held += sum(len(content) for _, content in work.files)
        if self.held <= HELD:
            work.parsed = parsed
        report = Report()
        shape = shape_of(parsed.units, self.expands, report)
        for u in parsed.units:
            check_texts(u, report)
        found = Declared(findings=[plain_finding(f) for f in (*parsed.findings, *report.findings())])
        found.broken = sorted(parsed.broken)
        found.shape = tuple(map(list, astuple(shape)))
        for u in parsed.units:
            match u.decl:
                case n.CardDecl(name, title, kind):
                    found.cards.append((name.text, kind.text, title.value, u.source.path, *name.span))
                case n.TestDecl(title=named):
                    found.titles.append(named.value)
                    found.tests += rows(u.decl)
                case _:
                    raise Unsure  # it is of the frame
        held, idle = read_suppressions(dict.fromkeys(u.source for u in parsed.units))
        found.suppressions = [(s.source.path, *astuple(s)[1:]) for s in held]
        found.idle = [plain_finding(f) for f in idle]
        return found

    # ---- Checking

    def sample(self, frame: Checker, few: int) -> list[Facts]:
        """Check so many parts before the others: their facts."""
        works = list(self.work.values())
        chosen = [works[i * len(works) // few] for i in range(few)] if few < len(works) else works
        found = []
        with deep():
            for work in chosen:
                known = self._bind(work, frame)
                found.append(self._check(work, frame).facts)
                self._forget(known)
        return found

    def check(self, frame: Checker, shares: frozenset[str]) -> list[tuple[int, Done]]:
        """Check and emit all cards; `shares`: see `cardc.emit.module.shared_values`. What came of the parts."""
        out = []
        broken = frame.report.errors or frame.report.broken  # cards may speak of what is
        with deep():
            for number, work in self.work.items():
                known = self._bind(work, frame)
                done = work.done or self._check(work, frame)
                if not broken:
                    self._emit(work, done, shares)
                self._forget(known)
                self._drop(work)
                out.append((number, done))
        return out

    def _check(self, work: _Work, frame: Checker) -> Done:
        """Check the cards of a part."""
        assert work.parsed is not None
        searches = self.searches = self.searches or _Searches(frame)
        checker = work.checker = frame.fork(Report(frame.report.broken))
        for u in work.parsed.units:
            if isinstance(u.decl, n.CardDecl):
                checker.unit(u)
                self.counts.checked += 1
        searches.search(checker)
        for line in checker.work.lines:
            if line.kind == "modifier":
                self.modifiers.setdefault(_what(line), line)
        work.done = Done(facts_of(checker), [plain_finding(f) for f in checker.report.all()], None)
        return work.done

    def _emit(self, work: _Work, done: Done, shares: frozenset[str]) -> None:
        """Emit the cards of a part that was checked."""
        parsed, checker = work.parsed, work.checker
        assert parsed is not None and checker is not None
        if not checker.report.errors and not parsed.findings:
            first, second = work.made = self._emitted(work, checker, shares)
            done.digests = sha256(first).hexdigest(), sha256(second).hexdigest()

    def _bind(self, work: _Work, frame: Checker) -> list[tuple[CardSym, Source]]:
        """Put the declarations of a part in the place of what was known of them; with that."""
        work.parsed = work.parsed or parse_files(work.files, own=True)
        known = []
        for u in work.parsed.units:
            if isinstance(u.decl, n.CardDecl):
                sym = frame.s.cards[u.decl.name.text]
                known.append((sym, sym.source))
                sym.decl, sym.source, sym.ident = u.decl, u.source, u.decl.name
        return known

    def _forget(self, known: list[tuple[CardSym, Source]]) -> None:
        """Leave of declarations what was known before."""
        nothing: Any = None
        for sym, source in known:
            sym.decl, sym.source = nothing, source

    def _drop(self, work: _Work) -> None:
        """Leave of a part that is emitted what its tests need."""
        assert work.parsed is not None and work.checker is not None
        work.parsed.units = [u for u in work.parsed.units if isinstance(u.decl, n.TestDecl)]
        work.checker.work = Work()
        if not work.parsed.units:
            work.parsed = work.checker = None

    def _emitted(self, work: _Work, checker: Checker, shares: frozenset[str]) -> tuple[bytes, bytes]:
        """The files of a part."""
        w = checker.work
        sites = tuple(zip(w.sites, w.site_paths, strict=True))
        program = Program((), (), tuple(w.slots), tuple(w.lines), sites, (), (), (), w.cards, (), tuple(w.forms),
                          w.filled)  # fmt: skip
        modules = {module.path: module for module in emit_cards(checker.s, program, shares)}
        self.counts.emitted += len(w.cards)
        return part_files(work.files, modules, spread_data(checker.s, program))

    def tests(self, frame: Checker) -> list[tuple[int, Done]]:
        """Check the tests, for which `frame.others` must know all chances and choices. The parts that have some."""
        out = []
        with deep():
            for number, work in self.work.items():
                parsed, checker, done = work.parsed, work.checker, work.done
                if parsed is None or checker is None or done is None:
                    continue
                for u in parsed.units:
                    assert isinstance(u.decl, n.TestDecl)
                    checker.test(u.decl, u.source)
                    self.counts.checked += 1
                done.facts.reads |= checker.uses.reads
                done.findings = [plain_finding(f) for f in checker.report.all()]
                if checker.report.errors:
                    done.digests = work.made = None
                work.parsed = work.checker = None
                out.append((number, done))
        return out

    # ---- Its files

    def files(self, number: int) -> tuple[bytes, bytes]:
        """The files of a part in the package."""
        made = self.work[number].made
        assert made is not None
        return made

    def write(self, folder: Path, paths: Mapping[int, tuple[str, str]]) -> None:
        """Write the files of these parts under these paths in a folder."""
        for number, names in paths.items():
            for name, content in zip(names, self.files(number), strict=True):
                (folder / name).write_bytes(content)

    # ---- What options tell

    def readings(self) -> set[Reading]:
        """The readings of values that were met so far."""
        return set() if self.searches is None else set(self.searches.sight.done)

    def see(self, frame: Checker, readings: Iterable[Reading]) -> set[Reading]:
        """Look at what modifiers of this batch read in these readings of values; all readings that are met.

        Raises Unsure where one reads what is hidden, and the frame alone does not."""
        alone = Sight(frame.s, frame.work.values, frame.work.lines)
        sight = Sight(frame.s, frame.work.values, [*frame.work.lines, *self.modifiers.values()])
        for reading in sorted(readings, key=repr):
            if alone.visit(reading) is None and sight.visit(reading) is not None:
                raise Unsure
        return {*sight.done, *alone.done}


class _Searches:
    """What is searched in what was checked of a part, by what the frame knows."""

    def __init__(self, frame: Checker) -> None:
        self.sight = Sight(frame.s, frame.work.values, frame.work.lines)
        self.asking, self.bodies = frame.asking(), frame.bodies()
        self.giving = Giving(self.sight, self.bodies, frame.work.told, frame.work.given)
        self.keeping = Keeping(self.sight, self.bodies, self.asking, frame.report)
        self.telling = Telling(frame.s, frame.work.values, frame.report)

    def search(self, checker: Checker) -> None:
        """Find what is told only of what is checked. Raises Unsure."""
        checker.endings(self.asking, self.bodies)
        for told in checker.work.told:
            if self.giving.alone(told) is not None:
                raise Unsure
        if any(map(self.giving.breach, checker.work.given)):
            raise Unsure
        self.keeping.report = self.telling.report = checker.report
        for kept in checker.work.kept:
            self.keeping.search(kept)
            self.telling.search(kept)


def _what(line: AbilityLine) -> object:
    """What a modifier reads, and of which value; many cards have the same one."""
    return (
        line.of,
        *((tuple(v.name for v in fn.params), key(fn.body)) if fn else None for fn in (line.cond, line.value)),
    )


def card_syms(cards: Sequence[Named]) -> list[CardSym]:
    """What is known of cards whose declarations are not at hand."""
    if not cards:
        return []
    names, kinds, titles, paths, starts, ends = zip(*cards, strict=True)
    files = dict.fromkeys(paths)
    sources = dict(zip(files, map(Source, files, repeat("")), strict=True))
    idents = [n.Ident(name, span=span) for name, span in zip(names, zip(starts, ends, strict=True), strict=True)]
    unknown: Any = None
    found = map(
        CardSym, names, map(sources.__getitem__, paths), idents, repeat(True), titles, kinds, repeat(unknown), repeat(0)
    )
    return list(found)
