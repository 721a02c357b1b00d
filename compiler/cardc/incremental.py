"""Builds a package by its parts: those that nothing has touched since the last build are taken over from it.

The frame is always read and checked. A part of cards is done again if its files have changed, if the frame or the shape
of the whole has, or if it speaks of a card, a choice or a chance that has come, gone or changed; what the parts mean
together follows from their facts. Raises Unsure where facts do not suffice to word a finding: then the package has to
be looked at as one (`cardc.pipeline.analyse`), which finds the same and takes longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from card_runtime.depth import deep
from msgspec import Struct, field

from cardc import nodes as n
from cardc.check import Checker
from cardc.emit.module import emit, modifier_readings, shared_values
from cardc.facts import Alternative, Facts, alternatives_of, facts_of
from cardc.findings import Finding, findings_of, plain_finding
from cardc.ir import Program
from cardc.model_data import frame_files, spread_data
from cardc.opening import Base, check_released, head_of, open_package, rows
from cardc.package import LOCK, MANIFEST, PackageFiles, compiler_digest, manifest_of
from cardc.parts import Part, SourceFile, content_of, cut, part_files, paths_of
from cardc.pool import HeldParts, Known, Numbered, Pool, pool, workers_for
from cardc.read import Sources
from cardc.report import Report, Unsure
from cardc.searches import parts
from cardc.separate import Counts, Declared, Done
from cardc.shape import Shape
from cardc.sight import Reading
from cardc.suppress import Suppression, hidden, read_suppressions
from cardc.symbols import Unit

SAMPLE, FEW = 3, 16
"""So many parts, of at least `FEW` times as many, tell what the others will share before they are all checked."""


class Entry(Struct):
    """A part as it was built: where its files are in the package, by its number there."""

    number: int
    declared: Declared
    done: Done


class State(Struct):
    """What the last build has left. Its parts were checked against `frame` and `shape`, and emitted with `shares`;
    `filled`: see `cardc.emit.text.render`."""

    frame: str = ""
    shape: Any = None
    shares: frozenset[str] = frozenset()
    readings: frozenset[Reading] = frozenset()
    verbs: dict[str, list[Alternative]] = field(default_factory=dict)
    chances: dict[str, Any] = field(default_factory=dict)
    filled: dict[str, str] = field(default_factory=dict)
    parts: dict[bytes, Entry] = field(default_factory=dict)

    def plain(self) -> tuple[Any, ...]:
        parts = {
            digest: (e.number, e.declared.plain(), e.done.plain())
            for digest, e in self.parts.items()
        }
        return self.frame, self.shape, self.shares, self.readings, self.verbs, self.chances, self.filled, parts

    @staticmethod
    def of(plain: Any) -> State:
        """The state that was written so; an empty one if it was not."""
        try:
            frame, shape, shares, readings, verbs, chances, filled, parts = plain
            entries = {
                digest: Entry(number, Declared(*declared), Done.of(*done))
                for digest, (number, declared, done) in parts.items()
            }
            return State(frame, shape, shares, readings, verbs, chances, filled, entries)
        except (TypeError, ValueError, AttributeError):
            return State()


class Built(Struct):
    """What a build by parts has come to. Without a `program` there are errors, and no files and no state; some files
    may still be with the processes that made them, which end when nobody holds these files any more."""

    findings: tuple[Finding, ...]
    frame: Checker
    program: Program | None
    identity: dict[str, Any]
    cards: int
    tests: int
    counts: Counts
    files: PackageFiles | None = None
    state: State | None = None
    decks: list[str] = field(default_factory=list)
    """The files that are enough to judge the package's decks by the rules of its game."""


class _Again(Exception):
    """More parts have to be done again than was thought: those with these numbers, or all if there is none."""

    def __init__(self, numbers: Iterable[int] | None = None) -> None:
        self.numbers = None if numbers is None else set(numbers)


def build_parts(
    files: Sequence[SourceFile], base: Base | None, state: State, old: Path, workers: int | None = None
) -> Built:
    """Build a package of which `state` was left, in the folder `old`. Raises UsageError, Unsure, `parts.Changed`, and
    `parts.Lost`.

    `workers`: in how many processes cards are checked; None: as many as are worth it."""
    job = _Job(files, base, state, old, workers)
    while True:
        try:
            with deep():
                return job.run()
        except _Again as more:
            if more.numbers is None:
                job.state = State()
            else:
                job.forced |= more.numbers


class _Job:
    """One build. `forced`: parts that have to be done again, whatever is kept of them."""

    def __init__(
        self, files: Sequence[SourceFile], base: Base | None, state: State, old: Path, workers: int | None
    ) -> None:
        self.files = files
        self.base = base
        self.state = state
        self.old = old
        self.workers = workers
        self.forced: set[int] = set()
        self.again: dict[int, tuple[bytes, bytes]] = {}
        """The files of parts that were emitted once more."""
        self.counts = Counts()
        self.parts: list[Part] = cut(files)
        self.digests = [_digest(part) for part in self.parts]
        own = [file for part in self.parts if part.frame for file in part.files if file.path != LOCK]
        self.frame_files = [(file.path, file.content) for file in own]
        self.opened = open_package(self.frame_files, base)
        if self.opened.stopped:
            raise Unsure
        build = "" if base is None else base[1]["build"]
        frame = [compiler_digest(), build, *(f"{file.path}\0{file.digest.hex()}" for file in own)]
        self.key = sha256("\0".join(frame).encode("utf-8", "surrogateescape")).hexdigest()

    # ---- What is done again

    def kept(self) -> dict[int, Entry]:
        """The parts that may stay as they are, as far as their own files and the frame tell."""
        if self.state.frame != self.key:
            return {}
        found = {}
        for number, part in enumerate(self.parts):
            entry = None if part.frame else self.state.parts.get(self.digests[number])
            if entry is not None and number not in self.forced:
                found[number] = entry
        return found

    def pool(self, numbers: Iterable[int], workers: int | None = None) -> Pool:
        parts: list[Numbered] = [(number, self.parts[number].contents()) for number in numbers]
        workers = workers or self.workers or workers_for(parts)
        return pool(parts, self.opened, self.frame_files, self.base, min(workers, max(1, len(parts))))

    def speaking(self, words: set[str], among: Mapping[int, Entry]) -> set[int]:
        """Of the kept parts those in whose text one of these words stands."""
        if not words:
            return set()
        pattern = re.compile(b"\\b(?:" + b"|".join(re.escape(w.encode("utf-8")) for w in sorted(words)) + b")\\b")
        return {
            number
            for number in among
            if any(pattern.search(content) is not None for _, content in self.parts[number].contents())
        }

    def run(self) -> Built:
        kept = self.kept()
        dirty = [number for number, part in enumerate(self.parts) if not part.frame and number not in kept]
        batches = self.pool(dirty)
        try:
            return self.built(kept, batches)
        except BaseException:
            batches.close()
            raise

    def built(self, kept: dict[int, Entry], batches: Pool) -> Built:
        state = self.state
        declared = dict(batches.parse())
        self.names_changed(kept, declared)
        every = dict(sorted({**{number: e.declared for number, e in kept.items()}, **declared}.items()))
        shape = [d.shape for d in every.values()]
        joined = _joined(shape)
        if kept and joined != state.shape:
            raise _Again
        broken = sorted({w for d in every.values() for w in d.broken})
        known = Known([c for d in every.values() for c in d.cards], joined, broken)
        if len({*(c[0] for c in known.cards)}) < len(known.cards):
            raise Unsure
        batches.know(known)
        frame = known.frame(self.opened)
        released = [(file.path, file.content) for file in self.files if file.path == LOCK]
        if released:
            check_released(released, [*self.opened.parsed.units, *_stubs(frame)], frame.report)
        own = frame.own_program()
        guess = state.shares if kept else self.guess(batches, frame, own, len(declared))
        done = dict(batches.check(frame, guess))
        facts, whole = self.facts(kept, done, frame, own)
        self.check_tests(kept, every, batches, frame, whole, done)
        for d in done.values():
            facts.reads |= d.facts.reads  # those of tests too
        frame.whole(facts)
        readings = self.see(kept, batches, frame)
        _, shares = shared_values(own.values, whole.readings)
        self.shares_changed(kept, known, frame, whole, guess, shares, done)
        self.counted(batches)
        return self.finished(batches, kept, every, done, frame, facts, _Rest(joined, shares, readings, whole))

    def names_changed(self, kept: Mapping[int, Entry], declared: Mapping[int, Declared]) -> None:
        """Parts that speak of cards that have come, gone or changed their kind are done again."""
        if not kept:
            return
        same = {id(e) for e in kept.values()}
        before = {c[:2] for e in self.state.parts.values() if id(e) not in same for c in e.declared.cards}
        now = {c[:2] for d in declared.values() for c in d.cards}
        if more := self.speaking({name for name, _ in before ^ now}, kept):
            raise _Again(more)

    def guess(self, batches: Pool, frame: Checker, own: Program, parts: int) -> frozenset[str]:
        """What values are probably shared, told by the frame and, in a large package, by some of its parts."""
        whole = _own_facts(frame, own)
        if few := min(SAMPLE, parts // FEW):
            for facts in batches.sample(frame, few):
                whole.join(facts)
                whole.join(facts)  # where there is one there are more
        return shared_values(own.values, whole.readings)[1]

    def facts(
        self, kept: Mapping[int, Entry], done: Mapping[int, Done], frame: Checker, own: Program
    ) -> tuple[Facts, Facts]:
        """The facts of all parts of cards, and those of the whole package."""
        facts = Facts()
        for _, found in sorted({**{number: e.done for number, e in kept.items()}, **done}.items()):
            facts.join(found.facts)
        whole = _own_facts(frame, own)
        whole.join(facts)
        return facts, whole

    def check_tests(
        self,
        kept: Mapping[int, Entry],
        every: Mapping[int, Declared],
        batches: Pool,
        frame: Checker,
        whole: Facts,
        done: dict[int, Done],
    ) -> None:
        """Check tests, which may speak of the choices and chances of all cards."""
        titles = [u.decl.title.value for u in self.opened.parsed.units if isinstance(u.decl, n.TestDecl)]
        titles += [title for d in every.values() for title in d.titles]
        if not titles:
            return
        if len(set(titles)) < len(titles):
            raise Unsure
        verbs = _verbs(whole.alternatives)
        mine = _verbs(alternatives_of(frame.work.sites))
        others = _verbs(x for found in (*done.values(), *(e.done for e in kept.values()))
                        for x in found.facts.alternatives)  # fmt: skip
        if any(len(found) > 1 and verb in mine and verb in others for verb, found in verbs.items()):
            raise Unsure  # which comes first is told by their files alone
        words = _differing(verbs, self.state.verbs)
        words |= {name.split()[-1] for name in _differing(whole.chances, self.state.chances)}
        tested = {number: e for number, e in kept.items() if e.declared.tests}
        if tested and (more := self.speaking(words, tested)):
            raise _Again(more)
        done.update(batches.tests(frame, whole))
        frame.tests()

    def see(self, kept: Mapping[int, Entry], batches: Pool, frame: Checker) -> frozenset[Reading]:
        """All readings of values by which options tell something; modifiers in any part tell nothing more."""
        seen = {*frame.sight.done, *batches.readings()}
        if kept:
            if not seen <= self.state.readings:
                raise _Again
            seen = {*self.state.readings}
        while more := batches.see(frame, seen) - seen:
            if kept:
                raise _Again
            seen |= more
        return frozenset(seen)

    def shares_changed(
        self,
        kept: Mapping[int, Entry],
        known: Known,
        frame: Checker,
        whole: Facts,
        guess: frozenset[str],
        shares: frozenset[str],
        done: dict[int, Done],
    ) -> None:
        """Emit again what was emitted with a wrong guess."""
        wrong = {("value", name) for name in guess ^ shares}
        if more := [number for number, e in kept.items() if not wrong.isdisjoint(e.done.facts.reads)]:
            raise _Again(more)
        again = [number for number, d in done.items() if not wrong.isdisjoint(d.facts.reads)]
        if not again:
            return
        batches = self.pool(again)
        try:
            batches.parse()
            batches.know(known)
            done.update(batches.check(frame, shares))
            done.update(batches.tests(frame, whole))
            self.again = {number: batches.files(number) for number in again if done[number].digests is not None}
            self.counted(batches)
        finally:
            batches.close()

    def counted(self, batches: Pool) -> None:
        counts = batches.counts()
        self.counts.parsed += counts.parsed
        self.counts.checked += counts.checked
        self.counts.emitted += counts.emitted

    # ---- What comes out

    def finished(
        self,
        batches: Pool,
        kept: Mapping[int, Entry],
        every: Mapping[int, Declared],
        done: Mapping[int, Done],
        frame: Checker,
        facts: Facts,
        rest: _Rest,
    ) -> Built:
        whole = {number: done[number] if number in done else kept[number].done for number in every}
        findings = self.findings(frame, every, whole)
        units = self.opened.parsed.units
        cards = sum(isinstance(u.decl, n.CardDecl) for u in units) + sum(len(d.cards) for d in every.values())
        tests = sum(rows(u.decl) for u in units if isinstance(u.decl, n.TestDecl))
        tests += sum(d.tests for d in every.values())
        errors = any(f.severity == "error" for f in findings)
        program = None if errors else frame.own_program()
        built = Built(findings, frame, program, self.opened.identity, cards, tests, self.counts)
        if program is None:
            batches.close()
            return built
        made: dict[str, bytes] = {}
        held: dict[int, tuple[str, str]] = {}
        links: dict[str, str] = {}
        digests: dict[str, str] = {}
        state = State(self.key, rest.shape, rest.shares, rest.readings, _verbs(rest.whole.alternatives),
                      rest.whole.chances, {**self.state.filled} if self.state.frame == self.key else {})  # fmt: skip
        modules = {module.path: module for module in emit(frame.s, program, facts.readings, state.filled)}
        data = spread_data(frame.s, program)
        for number, part in enumerate(self.parts):
            names = paths_of(number)
            if part.frame:
                files = part_files(part.contents(), modules, data)
                made.update(zip(names, files, strict=True))
                digests.update((name, sha256(content).hexdigest()) for name, content in zip(names, files, strict=True))
                continue
            if number in kept:
                links.update(zip(names, paths_of(kept[number].number), strict=True))
            elif number in self.again:
                made.update(zip(names, self.again[number], strict=True))
            else:
                held[number] = names
            found = whole[number].digests
            assert found is not None
            digests.update(zip(names, found, strict=True))
            state.parts[self.digests[number]] = Entry(number, every[number], whole[number])
        of_frame = frame_files(frame.s, program, self.opened.identity["title"], head_of(units))
        made |= of_frame
        digests |= {name: sha256(content).hexdigest() for name, content in of_frame.items()}
        made[MANIFEST] = manifest_of(digests, self.opened.identity)
        built.files, built.state = PackageFiles(made, self.old, links, HeldParts(batches, held)), state
        built.decks = self.of_decks(built.files, every, frame, program)
        return built

    def of_decks(
        self, files: PackageFiles, every: Mapping[int, Declared], frame: Checker, program: Program
    ) -> list[str]:
        """The files that matter to the package's decks: those of the frame, and of the cards that decks list."""
        if _of_all_cards(program):
            return list(files)
        listed = {entry.card.text for d in frame.s.decklists.values() if d.own for entry in d.decl.entries}
        unlisted = [number for number, d in every.items() if not any(card[0] in listed for card in d.cards)]
        without = {path for number in unlisted for path in paths_of(number)}
        return [name for name in files if name not in without]

    def findings(
        self, frame: Checker, every: Mapping[int, Declared], done: Mapping[int, Done]
    ) -> tuple[Finding, ...]:
        """All findings of the package, as it wants them told."""
        source = Sources(content_of(self.files), self.base, {u.source.path: u.source for u in self.opened.parsed.units})
        report = Report()
        report.extend(findings_of(map(plain_finding, frame.report.all()), source))
        for number, d in every.items():
            report.extend(findings_of((*d.findings, *done[number].findings), source))
        found = report.findings()
        if not any(f.severity == "error" for f in found):
            held, wrong = read_suppressions(dict.fromkeys(u.source for u in self.opened.parsed.units))
            for d in every.values():
                held += [Suppression(source(path), *rest) for path, *rest in d.suppressions]
                wrong += findings_of(d.idle, source)
            found = [*hidden(found, held, lambda code: code.startswith("W")), *wrong]
        return tuple(sorted(frame.settings.told(found), key=Finding.key))


class _Rest(Struct):
    """What a build leaves for the next one, besides its parts."""

    shape: Any
    shares: frozenset[str]
    readings: frozenset[Reading]
    whole: Facts


def _of_all_cards(program: Program) -> bool:
    """Whether rules of decks may look at cards that are in no deck."""
    values = {value.name: value.body for value in program.values}
    todo = [rule.body for _, rule in program.rules]
    while todo:
        for x in parts(todo.pop()):
            if x.op in ("catalog", "printed", "new", "iscard"):
                return True
            if x.op == "value" and (body := values.pop(str(x.args[0]), None)) is not None:
                todo.append(body)
    return False


def _stubs(frame: Checker) -> Iterator[Unit]:
    """The cards of all parts, as far as they are known."""
    for sym in frame.others.cards:
        title, kind = n.Text(sym.title, span=sym.ident.span), n.Ident(sym.kind, span=sym.ident.span)
        yield Unit(n.CardDecl(sym.ident, title, kind, (), span=sym.ident.span), sym.source, True)


def _own_facts(frame: Checker, own: Program) -> Facts:
    """The facts of the frame; what modifiers read is that of the package's own."""
    facts = facts_of(frame)
    facts.readings = modifier_readings(own.lines)
    return facts


def _digest(part: Part) -> bytes:
    """The digest of the files of a part."""
    paths = "\0".join([file.path for file in part.files])
    return sha256(paths.encode("utf-8", "surrogateescape") + b"".join([file.digest for file in part.files])).digest()


def _joined(shapes: Iterable[Any]) -> Any:
    """The shape of all parts together, as plain data; the order is that of the parts."""
    columns: list[dict[Any, None]] = [{} for _ in Shape.__struct_fields__]
    for shape in shapes:
        for column, found in zip(columns, shape, strict=True):
            column.update(dict.fromkeys(tuple(x) if isinstance(x, list) else x for x in found))
    return tuple(list(column) for column in columns)


def _verbs(alternatives: Iterable[Alternative]) -> dict[str, list[Alternative]]:
    """The alternatives by verb, each once."""
    found: dict[str, list[Alternative]] = {}
    for alternative in dict.fromkeys(alternatives):
        found.setdefault(alternative[0], []).append(alternative)
    return found


def _differing(now: Mapping[str, Any], before: Mapping[str, Any]) -> set[str]:
    """The names under which the two do not hold the same."""
    return {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
