"""Pauses the garbage collector while trees grow: they are large, hold no cycles, and make it look at everything again
and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 100_000
"""So many objects take more than some milliseconds to look through."""
FEW = 1000
"""So many objects are frozen by Python itself; where there are more, a host has frozen what it had, and it stays so."""


@contextmanager
def paused() -> Iterator[None]:
    """No collection inside, unless the caller had it off already; then nothing changes. Of what was made much stays,
    so where it is a lot it is old at once, and not looked through before the next full collection."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if gc.get_count()[0] > MANY and gc.get_freeze_count() < FEW:
                gc.freeze()  # all are put aside, and back, among the oldest
                gc.unfreeze()
            gc.enable()
