"""Pauses the garbage collector while trees grow: they are large, hold no cycles, and make it look at everything again
and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No collection inside, unless the caller had it off already; then nothing changes."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
