"""Ctrl-C comes between any two steps of Python; here it is made to wait."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def held() -> Iterator[None]:
    """Let Ctrl-C take effect afterwards, not in the midst of what must be done whole."""
    ignored = signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None)  # as in the background of a shell
    if ignored or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def let_go(pool: Executor) -> None:
    """End a pool of processes: one that is left half way waits for them for ever."""
    with held():
        pool.shutdown(cancel_futures=True)


@contextmanager
def not_inherited() -> Iterator[None]:
    """Keep Ctrl-C from processes that are begun meanwhile. They would die of it, with a traceback, before they can look
    after it themselves."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
