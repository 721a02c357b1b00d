"""Streams of randomness: a key and a counter each, so that a state holds nothing but small integers.

Word `n` of a stream is a 128-bit mix of the stream's key and `n` (two rounds of xor-shift and multiply over a Weyl
sequence). The draws and
shuffles here are the runtime's own, as Python keeps only `random()` the same across versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from card_runtime.state import State

STREAMS = ("setup", "shuffle", "effect")
SETUP, SHUFFLE, EFFECT = range(3)
_MASK = (1 << 128) - 1
_WEYL = 0x9E3779B97F4A7C15F39CC0605CEDC835
_MIX1 = 0xDA942042E4DD58B5C2B2AE3D27D4EB4F
_MIX2 = 0x2545F4914F6CDD1D9E3779B185EBCA87
T = TypeVar("T")


class Source(Protocol):
    """Chance supplied by the caller: another engine's record, a stacked deck."""

    def shuffle(self, name: str, items: Sequence[Any]) -> Sequence[Any]:
        """Give the items (printed ids, bottom first) in their new order."""

    def pick(self, name: str, items: Sequence[Any]) -> Any:
        """Give one of the items."""


def keys(seed: int) -> bytes:
    """The keys of the streams of a match's seed (any int), 16 bytes each."""
    return blake2b(str(seed).encode(), digest_size=48).digest()


def key(m: State, stream: int) -> int:
    """The key of a stream."""
    return int.from_bytes(m.keys[16 * stream : 16 * stream + 16], "big")


def word(stream_key: int, n: int) -> int:
    """The `n`-th 128-bit word of a stream."""
    x = (stream_key + n * _WEYL) & _MASK
    x = ((x ^ (x >> 64)) * _MIX1) & _MASK
    x = ((x ^ (x >> 59)) * _MIX2) & _MASK
    return x ^ (x >> 64)


def below(m: State, stream: int, n: int) -> int:
    """A number from 0 to `n` - 1."""
    m.draws[stream] += 1
    return word(key(m, stream), m.draws[stream]) % n


def shuffled(m: State, stream: int, items: list[T]) -> list[T]:
    """The items in a new order. A word serves as many items as leave 40 bits of it, so every order stays equally likely
    for all purposes."""
    out = items.copy()
    i = len(out) - 1
    serves = 88 // (i + 1 or 1).bit_length()
    stream_key = key(m, stream)
    while i > 0:
        m.draws[stream] += 1
        w = word(stream_key, m.draws[stream])
        for i in range(i, max(i - serves, 0), -1):  # noqa: B020 - goes on where it stopped
            w, j = divmod(w, i + 1)
            out[i], out[j] = out[j], out[i]
        i -= 1
    return out


def drawn(m: State, stream: int, items: list[T], count: int) -> list[T]:
    """`count` of the items, or all, in random order; they are taken out of the list. One word serves while it is
    large."""
    out = []
    w, stream_key = 0, key(m, stream)
    for _ in range(min(count, len(items))):
        if w < 1 << 64:
            m.draws[stream] += 1
            w = word(stream_key, m.draws[stream])
        w, i = divmod(w, len(items))
        out.append(items.pop(i))
    return out
