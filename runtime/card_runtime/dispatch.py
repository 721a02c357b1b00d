"""How a step function finds the block to go on with: by halves, and blocks that only follow another are joined to it.

`def s_x(m, f)` comes as `pc = f[1]`, then `while True:` with a chain `if pc == 0: … elif pc == 1: …`, whose blocks end
with `return`, or with `continue` after `pc` was set. Blocks that a frame may go on with keep their numbers, as matches
are saved with them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from card_runtime.trees import placed, walk

Blocks: TypeAlias = dict[int, list[ast.stmt]]


def dispatch(modules: Iterable[ast.Module]) -> None:
    """Rewrite the step functions of modules in place."""
    for module in modules:
        for f in module.body:
            match f:
                case ast.FunctionDef(name=name, body=[ast.Assign(), ast.While(body=[ast.If() as chain]) as loop]) if (
                    name.startswith("s_")
                ):
                    blocks = dict(_blocks(chain))
                    kept = {0, *_entries(blocks)}
                    _skip(blocks, kept)
                    _join(blocks, kept)
                    loop.body = _halves(sorted(blocks.items()))


def _blocks(chain: ast.If) -> Iterator[tuple[int, list[ast.stmt]]]:
    at: ast.stmt = chain
    while True:
        match at:
            case ast.If(test=ast.Compare(comparators=[ast.Constant(value=int(number))]), body=body, orelse=rest):
                yield number, body
                if not rest:
                    return
                (at,) = rest
            case _:
                raise ValueError("a step function has other blocks than it should have")


def _entries(blocks: Blocks) -> Iterator[int]:
    """The blocks that a frame may go on with: `f[1] = 7`, and those that ask, as a question may be asked again
    (`driver.reask`)."""
    for number, block in blocks.items():
        for n in (n for s in block for n in walk(s)):
            match n:
                case ast.Assign(
                    targets=[ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant(value=1))],
                    value=ast.Constant(value=int(later)),
                ):
                    yield later
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="m"), attr="wait")]):
                    yield number


def _jumps(s: ast.stmt) -> Iterator[tuple[ast.Constant, int]]:
    """Where `pc` is set to."""
    for n in walk(s):
        match n:
            case ast.Assign(targets=[ast.Name(id="pc")], value=value):
                for x in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
                    match x:
                        case ast.Constant(value=int(number)):
                            yield x, number


def _goes_on(block: Sequence[ast.stmt]) -> int | None:
    """The block that comes after this one in any case."""
    match block:
        case [*_, ast.Assign(targets=[ast.Name(id="pc")], value=ast.Constant(value=int(number))), ast.Continue()]:
            return number
    return None


def _skip(blocks: Blocks, kept: set[int]) -> None:
    """Jump to where a block without anything else would jump."""
    empty = {n: to for n, block in blocks.items() if len(block) == 2 and (to := _goes_on(block)) is not None}
    for block in blocks.values():
        for s in block:
            for jump, to in _jumps(s):
                seen = set()
                while to in empty and to not in seen:
                    seen.add(to)
                    to = empty[to]
                jump.value = to
    for n in empty.keys() - kept:
        del blocks[n]


def _join(blocks: Blocks, kept: set[int]) -> None:
    """Write a block after the only one that jumps to it, if that always does."""
    jumps = Counter(to for block in blocks.values() for s in block for _, to in _jumps(s))
    for n in sorted(blocks):
        while n in blocks and (to := _goes_on(blocks[n])) is not None:
            if to == n or to in kept or jumps[to] != 1 or _again(blocks[to]):
                break
            blocks[n] = blocks[n][:-2] + blocks.pop(to)


def _again(block: Sequence[ast.stmt]) -> bool:
    """Whether the block may begin once more by `continue` alone."""
    before: ast.stmt | None = None
    for s in block:
        if isinstance(s, ast.Continue) and not (before is not None and any(_jumps(before))):
            return True
        if isinstance(s, ast.If) and (_again(s.body) or _again(s.orelse)):
            return True
        before = s
    return False


def _halves(blocks: Sequence[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    if len(blocks) == 1:
        return blocks[0][1]
    middle = len(blocks) // 2
    number, of = blocks[middle]
    test = placed(ast.Compare(ast.Name("pc", ast.Load()), [ast.Lt()], [ast.Constant(number)]), of[0])
    return [ast.copy_location(ast.If(test, _halves(blocks[:middle]), _halves(blocks[middle:])), of[0])]
