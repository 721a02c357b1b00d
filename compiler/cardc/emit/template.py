"""Fills the template of modules; as Python does with modules, what it was compiled to is kept."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

from card_runtime import stored
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.bccache import Bucket
from msgspec import Struct

from cardc.emit.units import Line, Unit

TEMPLATE = Path(__file__).parent / "templates" / "code.py.j2"
_MARK = "  #@"
"""Stands between a line of code and the number of its line in the `.card` file."""
_BODY = "\0"
"""Stands where the lines of a body do; no code holds it."""


class Module(Struct, frozen=True):
    """The source of one file, and for each of its lines the line of the `.card` file."""

    path: str
    text: str
    lines: tuple[int, ...]


class Bytecode(BytecodeCache):
    """Keeps compiled templates where Python keeps compiled modules. Jinja tells those of other sources, and of other
    versions of Python or its own, apart."""

    def load_bytecode(self, bucket: Bucket) -> None:
        found = stored.read(_kept_in())
        if isinstance(found, bytes):
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            stored.write(_kept_in(), bucket.bytecode_to_string())


def _kept_in() -> Path:
    return Path(cache_from_source(str(TEMPLATE)))


@cache
def template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE.parent),
        bytecode_cache=Bytecode(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(TEMPLATE.name)


def render(path: str, units: list[Unit]) -> Module:
    """The template filled; the marks at line ends become the line table."""
    bodies: list[list[Line]] = []

    def place(body: list[Line]) -> str:
        bodies.append(body)
        return _BODY

    raw = template().render(path=path if path.isprintable() else ascii(path), units=units, place=place)
    text: list[str] = []
    table: list[int] = []
    before, *after = raw.split(_BODY)
    _marked(before, text, table)
    for body, piece in zip(bodies, after, strict=True):
        text.pop()  # a body begins where the line before it ends
        table.pop()
        text += ["    " * x.depth + x.text for x in body]
        table += [x.line for x in body]
        _marked(piece, text, table)
    return Module(path, "\n".join(text), tuple(table))


def _marked(piece: str, text: list[str], table: list[int]) -> None:
    """Add lines of code and, from the marks at their ends, those of the `.card` file; none has that of the line
    before it."""
    for line in piece.split("\n"):
        code, mark, number = line.rpartition(_MARK)
        if mark and number.isdecimal():
            text.append(code)
            table.append(int(number))
        else:
            text.append(line)
            table.append(table[-1] if table else 1)
