"""Dataclasses that only the type checker keeps from being changed.

A frozen dataclass sets each of its fields by a call, which takes three times as long as an assignment; trees and types
of large packages are made by the million. So what `mypy` takes for `dataclass(frozen=True, slots=True)` is, when it
runs, a plain one with the same equality and hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen, slots, eq=True):
        assert frozen
        return dataclass(slots=slots, eq=eq, unsafe_hash=eq)


__all__ = ["record"]
