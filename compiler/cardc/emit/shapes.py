"""The shapes of the functions that cards consist of, as the template gives them for stand-ins.

A build writes them for each card, so the template is filled once for each shape, and what it came to is kept where
Python keeps compiled modules: whoever builds again fills no template for cards, and imports no Jinja."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from typing import TypeAlias

from card_runtime import stored
from msgspec import Struct

from cardc.emit.units import Unit

TEMPLATE = Path(__file__).parent / "templates" / "code.py.j2"
MARK = "  #@"
"""In the template it stands between a line of code and the number of its line in the `.card` file."""
BODY = "\0"
"""Stands where the lines of a body do; no code holds it."""
_HERE = "\1"
"""Stands on both sides of the name of what a unit has there."""
OF_CARDS = frozenset({"body", "function", "modifier", "step"})
Shape: TypeAlias = tuple[tuple[str, ...] | None, ...]
"""Lines of code, as text and names of what a unit has, in turns; None stands for the lines of the body."""


class _StandIn(Struct):
    """A unit that has of everything its name."""

    shape: str
    cond: str
    line: str = f"{_HERE}line{_HERE}"
    name: str = f"{_HERE}name{_HERE}"
    head: str = f"{_HERE}head{_HERE}"
    result: str = f"{_HERE}result{_HERE}"
    frame: str = f"{_HERE}frame{_HERE}"


def shape_of(u: Unit) -> Shape:
    """That of a function of cards."""
    return _shapes()[u.shape, bool(u.cond)]


@cache
def _shapes() -> dict[tuple[str, bool], Shape]:
    source = sha256(TEMPLATE.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    path = Path(cache_from_source(str(TEMPLATE.with_name("shapes.j2"))))
    match stored.read(path):
        case (str(made_of), dict(texts)) if made_of == source:
            pass
        case _:
            texts = {(shape, cond): _text(shape, cond) for shape in sorted(OF_CARDS) for cond in (False, True)}
            if not sys.dont_write_bytecode:
                stored.write(path, (source, texts))
    return {key: tuple(map(_line, text.split("\n"))) for key, text in texts.items()}


def _text(shape: str, cond: bool) -> str:
    from cardc.emit.template import template

    unit = _StandIn(shape, f"{_HERE}cond{_HERE}" if cond else "")
    found = template().render(u=unit, body=f"{BODY}\n").removesuffix("\n")
    return found.replace(f"{MARK}{unit.line}", "")


def _line(text: str) -> tuple[str, ...] | None:
    return None if text == BODY else tuple(text.split(_HERE))
