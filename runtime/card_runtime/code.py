"""Compiles a package's generated code, with its line numbers mapped to the `.card` files, and keeps the result.

The cache beside the package is keyed by the source, by this runtime and by this Python. A built game is Python code, so
load only what you trust.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType

from card_runtime import stored
from card_runtime.collector import paused
from card_runtime.faults import deep
from card_runtime.link import Facts, link
from card_runtime.package import Module


@cache
def runtime_digest() -> str:
    """The SHA-256 of this runtime: it links code, and puts its own into it. What another has linked is linked anew."""
    digest = sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def compiled(modules: Sequence[Module], facts: Facts, cache: Path | None, quiet: bool = False) -> list[CodeType]:
    """The linked code of all modules that are loaded together. Raises ValueError where a text is no code."""
    parts = [runtime_digest(), "quiet" if quiet else "", sys.implementation.cache_tag or "", facts.key()]
    parts += [part for text, shown, table in modules for part in (shown, text, repr(list(table)))]
    name = sha256("\0".join(parts).encode()).hexdigest()[:32]
    kept = None if cache is None else cache / f"{name}.{sys.implementation.cache_tag}.bin"
    if kept is not None and (found := _read(kept)) is not None and len(found) == len(modules):
        return found
    with paused(), deep():
        code = _compile(modules, facts, quiet)
    if kept is not None:
        stored.write(kept, code)
    return code


def _compile(modules: Sequence[Module], facts: Facts, quiet: bool) -> list[CodeType]:
    trees = [mapped(text, table, shown) for text, shown, table in modules]
    link(trees, facts, quiet)
    return [compile(tree, shown, "exec", dont_inherit=True) for tree, (_, shown, _) in zip(trees, modules, strict=True)]


def mapped(text: str, table: Sequence[int], shown: str) -> ast.Module:
    """The tree of the module with its lines replaced. Raises ValueError."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as e:
        raise ValueError(f"what was made from {shown} is no code") from e
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.excepthandler | ast.keyword | ast.alias):
            at = node.lineno - 1
            line = table[at] if 0 <= at < len(table) else 1
            node.lineno, node.end_lineno = line, line
            node.col_offset, node.end_col_offset = 0, 0
    return tree


def _read(path: Path) -> list[CodeType] | None:
    code = stored.read(path)
    return code if isinstance(code, list) and all(isinstance(c, CodeType) for c in code) else None
