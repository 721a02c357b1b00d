"""Compiles a package's generated code, with its line numbers mapped to the `.card` files, and keeps the result.

It is kept beside the package by parts: the rules in one piece, and what cards do part by part, each under a digest of
all that it was made of (`Kept`). So after a change of one card nothing else is linked again. A built game is Python
code, so load only what you trust.
"""

from __future__ import annotations

import ast
import re
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from functools import cache, reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

from card_runtime import stored
from card_runtime.collector import paused
from card_runtime.faults import deep
from card_runtime.link import Facts, Linker, Uses
from card_runtime.never import Deeds, deeds, idle
from card_runtime.package import Module
from card_runtime.trees import decided, walk

Part: TypeAlias = Sequence[Module]
_OF_RULES = re.compile(r"^def (?![abmoqrs]_)", re.MULTILINE)
"""Functions of anything but cards: values, effects, the course of a match, what moves cards."""


@cache
def runtime_digest() -> str:
    """The SHA-256 of this runtime: it links code, and puts its own into it. What another has linked is linked anew."""
    digest = sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def compiled(
    parts: Sequence[Part], facts: Facts, folder: Path | None, name: str, quiet: bool = False
) -> list[CodeType]:
    """The linked code of all parts that are loaded together, kept in `folder` under the `name` of this set of packages.

    Raises ValueError where a text is no code."""
    kept = Kept(folder, f"{name} {quiet}")
    with paused(), deep():
        found = _Parts(parts, facts, quiet, kept).compiled()
    kept.tidy()
    return [code for codes in found for code in codes]


class _Parts:
    """Links what has to be linked: first what cards do, then the rules, which depend on what cards use of them."""

    def __init__(self, parts: Sequence[Part], facts: Facts, quiet: bool, kept: Kept) -> None:
        self.parts, self.facts, self.quiet, self.kept = parts, facts, quiet, kept
        self.texts = [_digest(part) for part in parts]
        of_rules = [any(_OF_RULES.search(text) for text, _, _ in part) for part in parts]
        self.cards_at = [i for i, yes in enumerate(of_rules) if not yes]
        self.rules_at = [i for i, yes in enumerate(of_rules) if yes]
        self.modules = [module for i in self.rules_at for module in parts[i]]
        """Those of the rules."""
        self.done = Deeds()
        """Of cards, in playouts."""
        self.linker: Linker | None = None

    def compiled(self) -> list[list[CodeType]]:
        if self.quiet:
            self.done = reduce(or_, (self.kept.deeds(self.texts[i], self.parts[i]) for i in self.cards_at), Deeds())
        rules = [self.texts[i] for i in self.rules_at]
        ground = _key(runtime_digest(), self.quiet, self.facts.key(), self.done, *rules)
        out: dict[int, list[CodeType]] = {}
        uses = Uses()
        for i in self.cards_at:
            key = _key(ground, self.texts[i])
            found = self.kept.read(key, len(self.parts[i])) or self.cards(i, key)
            out[i] = found[0]
            uses |= found[1]
        key = _key(ground, sorted(uses.reads), sorted(uses.calls.items()))
        kept = self.kept.read(key, len(self.modules))
        codes = iter(self.rules(uses, key) if kept is None else kept[0])
        out |= {i: [next(codes) for _ in self.parts[i]] for i in self.rules_at}
        return [out[i] for i in range(len(self.parts))]

    def linked(self) -> Linker:
        """The linker that knows the rules."""
        if self.linker is None:
            trees = [mapped(*module) for module in self.modules]
            done = reduce(or_, map(deeds, trees), self.done) if self.quiet else self.done
            self.linker = Linker(trees, self.facts, self.quiet, done)
        return self.linker

    def cards(self, i: int, key: str) -> tuple[list[CodeType], Uses]:
        codes: list[CodeType] = []
        uses = Uses()
        for module in self.parts[i]:
            tree = mapped(*module, direct=self.quiet)
            uses |= self.linked().cards(tree)
            codes.append(_code(tree, module))
        self.kept.write(key, codes, uses)
        return codes, uses

    def rules(self, uses: Uses, key: str) -> list[CodeType]:
        linker = self.linked()
        linker.rules(uses)
        codes = [_code(tree, module) for tree, module in zip(linker.modules, self.modules, strict=True)]
        self.kept.write(key, codes, Uses())
        return codes


class Kept:
    """Linked code in files of a folder, of one set of packages in one form; nothing is kept without a folder.

    A file holds the code of one part with what it uses of the rules. `deeds` are kept in one file for all parts, by
    their texts. What is missing or damaged is made again."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self.folder = folder
        self.family = sha256(name.encode()).hexdigest()[:8]
        self.wanted: set[str] = set()
        self.made = False
        self._deeds: dict[str, Deeds] = {}
        self._known: Mapping[str, Sequence[bool]] | None = None

    def path(self, key: str) -> Path | None:
        name = f"{self.family}-{key}.{sys.implementation.cache_tag}.bin"
        self.wanted.add(name)
        return None if self.folder is None else self.folder / name

    def read(self, key: str, count: int) -> tuple[list[CodeType], Uses] | None:
        """The code of so many modules, and what it uses."""
        path = self.path(key)
        match None if path is None else stored.read(path):
            case ([*codes], [*reads], dict(calls)) if list(map(type, codes)) == [CodeType] * count:
                return codes, Uses(frozenset(reads), calls)
        return None

    def write(self, key: str, codes: list[CodeType], uses: Uses) -> None:
        self.made = True
        if (path := self.path(key)) is not None:
            stored.write(path, (codes, sorted(uses.reads), dict(uses.calls)))

    def deeds(self, text: str, part: Part) -> Deeds:
        """What the code of a part does; read off the code where it is not known."""
        if self._known is None:
            path = self.path("deeds")
            found = None if path is None else stored.read(path)
            self._known = found if isinstance(found, dict) else {}
        match self._known.get(text):
            case [bool(shows), bool(turns), bool(lasts)]:
                done = Deeds(shows, turns, lasts)
            case _:
                telling = [(code, shown) for code, shown, _ in part if not idle(code)]
                done = reduce(or_, (deeds(_tree(code, shown)) for code, shown in telling), Deeds())
                self.made = True
        self._deeds[text] = done
        return done

    def tidy(self) -> None:
        """Keep what cards do, if anything was made, and no file that is not wanted any more."""
        if not self.made or self.folder is None:
            return
        if self._deeds and (path := self.path("deeds")) is not None:
            stored.write(path, {text: astuple(done) for text, done in sorted(self._deeds.items())})
        for path in self.folder.glob(f"{self.family}-*.{sys.implementation.cache_tag}.bin"):
            if path.name not in self.wanted:
                path.unlink(missing_ok=True)


def _key(*of: Any) -> str:
    return sha256("\0".join(map(str, of)).encode()).hexdigest()[:32]


def _digest(part: Part) -> str:
    digest = sha256()
    for text, shown, table in part:
        digest.update(f"{len(text)} {len(table)} {shown}\0".encode() + text.encode())
        digest.update(array("Q", table).tobytes())
    return digest.hexdigest()


def _code(tree: ast.Module, module: Module) -> CodeType:
    return compile(decided(tree), module[1], "exec", dont_inherit=True)


_STEPS = re.compile(r"^def s_.*?(?=^def |\Z)", re.MULTILINE | re.DOTALL)
"""A function of the step form, and its size."""


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def mapped(text: str, shown: str, table: Sequence[int], direct: bool = False) -> ast.Module:
    """The tree of the module, or of its direct form alone, with its lines replaced. Raises ValueError."""
    tree = _tree(_STEPS.sub(_blank, text) if direct else text, shown)
    lines = [1, *table]
    for node in walk(tree):
        if isinstance(node, _PLACED):
            node.lineno = node.end_lineno = lines[node.lineno] if node.lineno < len(lines) else 1
            node.col_offset = node.end_col_offset = 0
    return tree


_PLACED = (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.excepthandler, ast.alias)


def _tree(text: str, shown: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as e:
        raise ValueError(f"what was made from {shown} is no code") from e
