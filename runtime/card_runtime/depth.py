"""How deep Python may recurse while a game runs or is compiled; apart from `faults`, so that builds import no games."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEEP = 20_000
"""Python's limit of recursion while a game runs or is compiled; how deep either goes has limits of its own."""

_lock = threading.Lock()
_running = 0
_usual = 0


def dive() -> None:
    """Let Python recurse as deep as a game may need, until `surface` is called as often as this."""
    global _running, _usual
    with _lock:
        if _running == 0:
            _usual = sys.getrecursionlimit()
            if _usual < DEEP:
                sys.setrecursionlimit(DEEP)
        _running += 1


def surface() -> None:
    """A game stops running."""
    global _running
    with _lock:
        _running -= 1
        if _running == 0 and _usual < DEEP:
            sys.setrecursionlimit(_usual)


@contextmanager
def deep() -> Iterator[None]:
    """`dive`, and `surface` in the end."""
    dive()
    try:
        yield
    finally:
        surface()
