"""The linked code of a game, and what of it is kept beside the package.

The rules are linked in one piece as a game is loaded, what a card does when it does something for the first time, as
most cards of a large game lie in no match. What was linked is kept by parts, each under a digest of all that it was
made of. A built game is Python code, so load only what you trust.
"""

from __future__ import annotations

import sys
import threading
import weakref
from functools import reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from card_runtime import stored
from card_runtime.collector import paused
from card_runtime.depth import deep
from card_runtime.digests import runtime_digest
from card_runtime.errors import LoadError
from card_runtime.events import KERNEL_FRAMES
from card_runtime.texts import At, Deeds, Facts, Texts, Traits, Uses, bearer_of

if TYPE_CHECKING:
    import ast

    from card_runtime.link import Linker
    from card_runtime.package import Module

MOST_UNKEPT = 64
"""The code of so many cards may be linked before it is kept; what is left is kept in the end."""


class Linked:
    """One form of the code of a game, `quiet` without logs, in `space`, where its functions find each other.

    The rules are there at once, what a card does from when a function of it is asked for. Raises ValueError where
    what was made of the rules is no code."""

    def __init__(self, texts: Texts, facts: Facts, kept: Kept, space: dict[str, Any], quiet: bool = False) -> None:
        self.texts, self.facts, self.kept, self.space, self.quiet = texts, facts, kept, space, quiet
        self._lock = threading.RLock()
        self._linker: Linker | None = None
        self._traits = reduce(or_, kept.traits(), Traits()) if quiet else Traits()
        rules = [texts.digest(i) for i in texts.rules]
        kept.ground = _key(runtime_digest(), quiet, facts.key(), self._traits.deeds, *rules)
        uses = self._traits.uses
        key = _key(kept.ground, sorted(uses.reads), sorted(uses.calls.items()))
        modules = [module for i in texts.rules for module in texts.parts[i]]
        for code in kept.rules(key, len(modules)) or self._rules(modules, key):
            exec(code, space)
        weakref.finalize(self, kept.flush)

    def function(self, name: str) -> Any:
        """A function of the game; what its card does is linked where that was not done yet. Raises KeyError, and
        LoadError where what was made of the card is no code."""
        found = self.space.get(name)
        if found is None:
            with self._lock:
                if name not in self.space:
                    self._card(self.texts.home[name], bearer_of(name))
            found = self.space[name]
        return found

    def _card(self, at: At, card: str) -> None:
        with paused(), deep():
            code = self.kept.card(at, card)
            if code is None:
                module = self.texts.unit(at, card)
                try:
                    tree = _mapped(module, self.quiet)
                except ValueError as e:
                    raise LoadError(f"{e}: build the game again") from e
                self._of_rules().cards(tree)
                code = _code(tree, module)
                self.kept.add(at, card, code)
            made: dict[str, Any] = {}
            exec(code, self.space, made)
            self.space.update(made)  # at once, as other threads may play

    def _rules(self, modules: list[Module], key: str) -> list[CodeType]:
        with paused(), deep():
            linker = self._of_rules()
            linker.rules(self._traits.uses)
            codes = [_code(tree, module) for tree, module in zip(linker.modules, modules, strict=True)]
        linker.modules = ()  # what cards look at is not there
        self.kept.keep_rules(key, codes)
        return codes

    def _of_rules(self) -> Linker:
        """The linker that knows the rules."""
        if self._linker is None:
            from card_runtime.link import Linker  # only where something has to be linked: it takes long to load
            from card_runtime.never import deeds

            trees = [_mapped(module) for i in self.texts.rules for module in self.texts.parts[i]]
            done = reduce(or_, map(deeds, trees), self._traits.deeds) if self.quiet else Deeds()
            self._linker = Linker(trees, self.facts, self.quiet, done)
        return self._linker


class Steps(dict[str, Any]):
    """What a frame runs, by its code: functions of the kernel, and the step functions of a game from when one is asked
    for. Raises as `Linked.function` does."""

    def __init__(self, linked: Linked) -> None:
        super().__init__(KERNEL_FRAMES)
        self._linked = linked

    def __missing__(self, name: str) -> Any:
        self[name] = found = self._linked.function(name)
        return found


class Later:
    """Stands in an attribute for a function of a card until it is called: then that is linked, and takes its place."""

    __slots__ = ("_attribute", "_linked", "_name", "_of")

    def __init__(self, linked: Linked, name: str, of: Any, attribute: str) -> None:
        self._linked, self._name, self._of, self._attribute = linked, name, of, attribute

    def __call__(self, *args: Any) -> Any:
        fn = self._linked.function(self._name)
        setattr(self._of, self._attribute, fn)
        return fn(*args)


class Kept:
    """Linked code in files of a folder, of one set of packages in one form; nothing is kept without a folder.

    A file holds the code of the rules, or that of those cards of a part that were linked; and one tells of all parts
    what they use and do of the rules. What is missing or damaged is made again. `ground`: the digest of all that what
    cards do is linked with."""

    def __init__(self, folder: Path | None, name: str, texts: Texts) -> None:
        self.folder = folder
        self.family = sha256(name.encode()).hexdigest()[:8]
        self.texts = texts
        self.ground = ""
        self._rules = ""
        self._traits = _key(runtime_digest(), "traits")
        self._cards: dict[int, dict[str, CodeType]] = {}
        self._changed: set[int] = set()
        self._unkept = 0
        self._tidy = True

    def rules(self, key: str, count: int) -> list[CodeType] | None:
        """The code of so many modules of the rules."""
        self._rules = key
        match self._read(key):
            case [*codes] if list(map(type, codes)) == [CodeType] * count:
                return codes
        return None

    def keep_rules(self, key: str, codes: list[CodeType]) -> None:
        self._write(key, codes)
        self._tidy = False

    def card(self, at: At, card: str) -> CodeType | None:
        """What a card does, of a module."""
        part, module = at
        if part not in self._cards:
            match self._read(self._part(part)):
                case dict(found) if {*map(type, found.values())} <= {CodeType}:
                    self._cards[part] = found
                case _:
                    self._cards[part] = {}
        return self._cards[part].get(f"{module} {card}")

    def add(self, at: At, card: str, code: CodeType) -> None:
        part, module = at
        self._cards[part][f"{module} {card}"] = code
        self._changed.add(part)
        self._unkept += 1
        if self._unkept == MOST_UNKEPT:
            self.flush()

    def flush(self) -> None:
        """Keep what was linked since the last time, and no file that is not wanted any more."""
        changed, self._changed, self._unkept = sorted(self._changed), set(), 0
        for part in changed:
            self._write(self._part(part), self._cards[part])
        if (changed or not self._tidy) and self.folder is not None:
            self._tidy = True
            keys = [self._traits, self._rules, *map(self._part, self.texts.cards)]
            wanted = {self._name(key) for key in keys}
            for path in self.folder.glob(f"{self.family}-*.{sys.implementation.cache_tag}.bin"):
                if path.name not in wanted:
                    path.unlink(missing_ok=True)

    def traits(self) -> list[Traits]:
        """Those of each part of cards; read off its text where they are not known."""
        found = self._read(self._traits)
        known = found if isinstance(found, dict) else {}
        all_known = True
        out: dict[str, Traits] = {}
        for i in self.texts.cards:
            match known.get(text := self.texts.digest(i)):
                case [[*reads], dict(calls), bool(shows), bool(turns), bool(lasts)]:
                    out[text] = Traits(Uses(frozenset(reads), calls), Deeds(shows, turns, lasts))
                case _:
                    out[text] = self.texts.traits(i)
                    all_known = False
        if not all_known:
            told = {
                text: [sorted(t.uses.reads), dict(t.uses.calls), t.deeds.shows, t.deeds.turns, t.deeds.lasts]
                for text, t in out.items()
            }
            self._write(self._traits, told)
        return list(out.values())

    def _part(self, i: int) -> str:
        """The key of the code of a part."""
        return _key(self.ground, self.texts.digest(i))

    def _name(self, key: str) -> str:
        return f"{self.family}-{key}.{sys.implementation.cache_tag}.bin"

    def _read(self, key: str) -> Any:
        return None if self.folder is None else stored.read(self.folder / self._name(key))

    def _write(self, key: str, value: Any) -> None:
        if self.folder is not None:
            stored.write(self.folder / self._name(key), value)


def _key(*of: Any) -> str:
    return sha256("\0".join(map(str, of)).encode()).hexdigest()[:32]


def _mapped(module: Module, direct: bool = False) -> ast.Module:
    from card_runtime.trees import mapped

    return mapped(*module, direct=direct)


def _code(tree: ast.Module, module: Module) -> CodeType:
    from card_runtime.trees import decided

    return compile(decided(tree), module[1], "exec", dont_inherit=True)
