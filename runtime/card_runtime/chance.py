"""Streams of randomness: a key and a counter each, so that a state holds nothing but small integers.

Word `n` of a stream is a 128-bit mix of the stream's key and `n` (two rounds of xor-shift and multiply over a Weyl
sequence). The draws and
shuffles here are the runtime's own, as Python keeps only `random()` the same across versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from card_runtime.state import State

STREAMS = ("setup", "shuffle", "effect")
SETUP, SHUFFLE, EFFECT = range(3)
_MASK = (1 << 128) - 1
_WEYL = 0x9E3779B97F4A7C15F39CC0605CEDC835
_MIX1 = 0xDA942042E4DD58B5C2B2AE3D27D4EB4F
_MIX2 = 0x2545F4914F6CDD1D9E3779B185EBCA87
ONE_DIGIT = 1 << 30
"""What the digits of Python's whole numbers stay below."""
LARGE = 1 << 64
"""A word that is not so large serves no more."""
OFTEN = 8
MOST_SPELT = 128
"""Shuffles of so many items are spelt out when so many have been made."""
T = TypeVar("T")


class Source(Protocol):
    """Chance supplied by the caller: another engine's record, a stacked deck."""

    def shuffle(self, name: str, items: list[Any]) -> Sequence[Any]:
        """Give a list of the items (printed ids, bottom first) in their new order."""

    def pick(self, name: str, items: list[Any]) -> Any:
        """Give one of the items: players as seats, elements and members of an enum as indexes, cards as the numbers of
        their tags in `view(None)`, printed cards by their places among the printed cards."""


Keys: TypeAlias = list[Any]
"""The keys of the streams of a match's seed, 128 bits each, made when they are wanted; last, all of them in one."""


def keys(seed: int) -> Keys:
    """Those of a seed (any int)."""
    return [None, None, None, int.from_bytes(blake2b(str(seed).encode(), digest_size=48).digest(), "big")]


def key(m: State, stream: int) -> int:
    """The key of a stream; ask for it where `m.keys` has none."""
    found: int = m.keys[-1] >> 256 - 128 * stream & _MASK
    m.keys[stream] = found
    return found


def word(stream_key: int, n: int) -> int:
    """The `n`-th 128-bit word of a stream."""
    x = (stream_key + n * _WEYL) & _MASK
    x = ((x ^ (x >> 64)) * _MIX1) & _MASK
    x = ((x ^ (x >> 59)) * _MIX2) & _MASK
    return x ^ (x >> 64)


def below(m: State, stream: int, n: int) -> int:
    """A number from 0 to `n` - 1."""
    m.draws[stream] += 1
    return word(m.keys[stream] or key(m, stream), m.draws[stream]) % n


def shuffle(m: State, stream: int, items: list[Any]) -> None:
    """Put the items in a new order, in place. A word serves as many items as leave 40 bits of it, so every order stays
    equally likely for all purposes."""
    n = len(items)
    orders = _orders.get(n)
    if orders is None:
        _asked[n] = asked = _asked.get(n, 0) + 1
        orders = _spelt(n) if asked == OFTEN and n <= MOST_SPELT else _order
        if orders is not _order:
            _orders[n] = orders
    m.draws[stream] = orders(items, m.keys[stream] or key(m, stream), m.draws[stream])


def _order(out: list[Any], stream_key: int, drawn: int) -> int:
    """Shuffle in place; how many words of the stream have been drawn then."""
    for groups in _served(len(out)):
        drawn += 1
        w = word(stream_key, drawn)
        for product, places in groups:
            w, rest = divmod(w, product)
            for i in places:
                rest, j = divmod(rest, i + 1)
                out[i], out[j] = out[j], out[i]
    return drawn


def _served(n: int) -> Iterator[list[tuple[int, list[int]]]]:
    """For each word of a shuffle of `n` items: the places that it serves, from the last one, in groups whose numbers of
    items multiply to what fits one digit of Python's, as numbers of more digits are slow to divide."""
    serves = 88 // (n or 1).bit_length()
    i = n - 1
    while i > 0:
        end = max(i - serves, 0)
        groups = []
        while i > end:
            product, places = 1, []
            while i > end and product * (i + 1) < ONE_DIGIT:
                product *= i + 1
                places.append(i)
                i -= 1
            groups.append((product, places))
        yield groups


_asked: dict[int, int] = {}
"""How often so many items were shuffled; and how that is done where it was often:"""
_orders: dict[int, Callable[[list[Any], int, int], int]] = {}


def _spelt(n: int) -> Callable[[list[Any], int, int], int]:
    """`_order` for so many items, without loops."""
    lines = ["def order(out, key, drawn):"]
    for groups in _served(n):
        lines += ["    drawn += 1", "    w = word(key, drawn)"]
        for product, places in groups:
            lines.append(f"    w, r = divmod(w, {product})")
            for i in places:
                lines += [f"    j = r % {i + 1}", f"    r //= {i + 1}"] if i != places[-1] else ["    j = r"]
                lines += ["    x = out[j]", f"    out[j] = out[{i}]", f"    out[{i}] = x"]
    space: dict[str, Any] = {"word": word}
    exec("\n".join([*lines, "    return drawn"]), space)
    made: Callable[[list[Any], int, int], int] = space["order"]
    return made


def sample(m: State, stream: int, name: str, items: Sequence[T], count: int) -> list[T]:
    """`count` different items at random, fewer where there are not so many. One word serves while it is large."""
    if m.chance is not None:
        return _supplied(m.chance, name, items, count)
    n = len(items)
    if count == 3 < n < MOST_AT_ONCE:  # a draft takes three all the time
        first = m.draws[stream] + 1
        w = word(m.keys[stream] or key(m, stream), first)
        if w >= LARGE * ONE_DIGIT:  # it serves all three: it is divided once, and nothing is taken out of a list
            m.draws[stream] = first
            rest = w % (n * (n - 1) * (n - 2))
            i = rest % n
            rest //= n
            j = rest % (n - 1)
            k = rest // (n - 1)
            if j >= i:  # the second is counted without the first, the third without both
                j += 1
                if k >= i:
                    k += 1
                    if k >= j:
                        k += 1
            elif k >= j:
                k += 1
                if k >= i:
                    k += 1
            return [items[i], items[j], items[k]]
    left_over = list(items)
    out: list[T] = []
    add, take = out.append, left_over.pop
    w = 0
    for left in range(n, n - min(count, n), -1):
        if w < LARGE:
            m.draws[stream] += 1
            w = word(m.keys[stream] or key(m, stream), m.draws[stream])
        w, i = divmod(w, left)
        add(take(i))
    return out


MOST_AT_ONCE = 1 << 10
"""The numbers of orders of three of fewer items stay below one digit."""


def _supplied(source: Source, name: str, items: Sequence[T], count: int) -> list[T]:
    """Items that the supplied source picks one by one."""
    left = list(items)
    out: list[T] = []
    for _ in range(min(count, len(left))):
        out.append(source.pick(name, list(left)))
        left.remove(out[-1])
    return out
