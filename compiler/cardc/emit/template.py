"""The template of functions; as Python does with modules, what it was compiled to is kept."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

from card_runtime import stored
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.bccache import Bucket

from cardc.emit.shapes import TEMPLATE


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
