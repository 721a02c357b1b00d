"""Streams of randomness: a key and a counter each, so that a state holds nothing but small integers.

Word `n` of a stream is a 128-bit number: the stream's key and `n` steps of a Weyl sequence, multiplied by itself with
some bits turned over, the halves of the product put together (as `wyrand` does with 64 bits). The draws and shuffles
here are the runtime's own, as Python keeps only `random()` the same across versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b, shake_128
from itertools import chain, count
from struct import Struct
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
OFTEN, MOST_STEPS, MOST_SPELT = 8, 128, 512
"""What was drawn so often, and is at most so many draws, is spelt out; at most so many ways of drawing are."""
T = TypeVar("T")


class Source(Protocol):
    """Chance supplied by the caller: another engine's record, a stacked deck."""

    def shuffle(self, name: str, items: list[Any]) -> Sequence[Any]:
        """Give a list of the items (printed ids, bottom first) in their new order."""

    def pick(self, name: str, items: list[Any]) -> Any:
        """Give one of the items: players as seats, elements and members of an enum as indexes, cards as the numbers of
        their tags in `view(None)`, printed cards by their places among the printed cards."""


Keys: TypeAlias = list[Any]
"""The keys of the streams of a match, 128 bits each, made when they are wanted; last, its seed in as many bits."""


def keys(seed: int) -> Keys:
    """Those of a seed (any int)."""
    if not 0 <= seed <= _MASK:
        seed = hashed(b"%d" % seed)
    return [None, None, None, seed]


def hashed(data: bytes) -> int:
    """128 bits that stand for more of them, or for text."""
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "big")


def key(keys: Keys, stream: int) -> int:
    """The key of a stream; ask for it where there is none yet. Seeds are often 0, 1, 2, so it is mixed twice."""
    x = (keys[-1] + (stream + 1) * _WEYL) & _MASK
    x = ((x ^ (x >> 64)) * _MIX1) & _MASK
    x = ((x ^ (x >> 59)) * _MIX2) & _MASK
    found: int = x ^ (x >> 64)
    keys[stream] = found
    return found


def word(stream_key: int, n: int) -> int:
    """The `n`-th 128-bit word of a stream."""
    x = stream_key + n * _WEYL & _MASK
    x *= x ^ _MIX1
    return (x ^ x >> 128) & _MASK


def below(m: State, stream: int, n: int) -> int:
    """A number from 0 to `n` - 1."""
    m.draws[stream] += 1
    return word(m.keys[stream] or key(m.keys, stream), m.draws[stream]) % n


def shuffle(m: State, stream: int, items: list[Any]) -> None:
    """Put the items in a new order, in place."""
    n = len(items)
    draw = _spelt.get((n, n)) or _way(n, n)
    m.draws[stream] = draw(items, m.keys[stream] or key(m.keys, stream), m.draws[stream])


def sample(m: State, stream: int, name: str, items: Sequence[T], count: int) -> list[T]:
    """`count` different items at random, fewer where there are not so many."""
    if m.chance is not None:
        return _supplied(m.chance, name, items, count)
    n = len(items)
    if count == 3 < n < MOST_AT_ONCE:  # a draft takes three all the time: they are taken without a copy of the items
        m.draws[stream] = words = m.draws[stream] + 1
        w = (m.keys[stream] or key(m.keys, stream)) + words * _WEYL & _MASK
        w *= w ^ _MIX1  # as `word`
        rest = ((w ^ w >> 128) & _MASK) % (n * (n - 1) * (n - 2))
        i = rest % n
        rest //= n
        j = rest % (n - 1)
        k = rest // (n - 1)
        last = items[-1]  # it lies at `i` then, and the one before it at `j`
        first, second = items[i], last if j == i else items[j]
        if k == j:
            return [last if i == n - 2 else items[-2], second, first]
        return [last if k == i else items[k], second, first]
    out = list(items)
    count = min(max(count, 0), n)
    draw = _spelt.get((n, count)) or _way(n, count)
    m.draws[stream] = draw(out, m.keys[stream] or key(m.keys, stream), m.draws[stream])
    return out[n - count :]


MOST_AT_ONCE = 1 << 10
"""The numbers of orders of three of fewer items stay below one digit."""
Way: TypeAlias = Callable[[list[Any], int, int], int]
"""How to draw, in place: each item changes places with the last of those that are left. With the items, the key of the
stream and how many of its words have been used; gives how many have been then."""


def _way(n: int, count: int) -> Way:
    """The way to draw so many of `n` items: spelt out where that is often done."""
    if count <= MOST_STEPS and len(_spelt) < MOST_SPELT:
        _asked[n, count] = asked = _asked.get((n, count), 0) + 1
        if asked == OFTEN:
            _spelt[n, count] = way = _spell(n, count)
            return way
    return partial(_drawn, count)


_asked: dict[tuple[int, int], int] = {}
_spelt: dict[tuple[int, int], Way] = {}
"""Ways that are spelt out; and how often was drawn so many of so many items."""


def _drawn(count: int, out: list[Any], stream_key: int, words: int) -> int:
    """Draw; how many words of the stream have been used then."""
    for groups in _served(len(out), count):
        words += 1
        w = word(stream_key, words)
        for product, lasts in groups:
            w, rest = divmod(w, product)
            for last in lasts:
                rest, i = divmod(rest, last + 1)
                out[i], out[last] = out[last], out[i]
    return words


def _served(n: int, count: int) -> Iterator[list[tuple[int, list[int]]]]:
    """For each word, which draws of `count` from `n` items it serves: as many as leave 40 bits of it, so that all are
    equally likely for all purposes. Each is said by the place of the last item that is left, in groups whose numbers
    of items multiply to what fits one digit of Python's, as numbers of more digits are slow to divide."""
    serves = 88 // (n or 1).bit_length()
    last = n - 1
    stop = max(n - count, 1) - 1  # the last item of all changes places with itself
    while last > stop:
        end = max(last - serves, stop)
        groups = []
        while last > end:
            product, lasts = 1, []
            while last > end and product * (last + 1) < ONE_DIGIT:
                product *= last + 1
                lasts.append(last)
                last -= 1
            groups.append((product, lasts))
        yield groups


def _spell(n: int, count: int) -> Way:
    """`_drawn` for so many of so many items, without loops."""
    lines = ["def drawn(out, key, words):"]
    for groups in _served(n, count):
        lines += [f"    w = key + (words := words + 1) * {_WEYL} & {_MASK}"]
        lines += [f"    w *= w ^ {_MIX1}", f"    w = (w ^ w >> 128) & {_MASK}"]  # as `word`
        for product, lasts in groups:
            lines.append(f"    w, r = divmod(w, {product})")
            for last in lasts:
                lines += [f"    i = r % {last + 1}", f"    r //= {last + 1}"] if last != lasts[-1] else ["    i = r"]
                lines += ["    x = out[i]", f"    out[i] = out[{last}]", f"    out[{last}] = x"]
    space: dict[str, Any] = {}
    exec("\n".join([*lines, "    return words"]), space)
    made: Way = space["drawn"]
    return made


def _supplied(source: Source, name: str, items: Sequence[T], count: int) -> list[T]:
    """Items that the supplied source picks one by one."""
    left = list(items)
    out: list[T] = []
    for _ in range(min(count, len(left))):
        out.append(source.pick(name, list(left)))
        left.remove(out[-1])
    return out


FEW, SOME, MANY = 16, 42, 126
_few, _some, _many = (Struct(f"<{n}I").unpack for n in (FEW, SOME, MANY))


def lot(seed: int, n: int) -> tuple[int, ...]:
    """The `n`-th lot of the 32-bit numbers that bots of a seed draw: few at first, as a match may be short."""
    if n == 0:
        return _few(blake2b(b"%d" % seed).digest())
    drawn = shake_128(b"%d,%d" % (seed, n))  # gives 42 numbers at a step
    return _some(drawn.digest(4 * SOME)) if n == 1 else _many(drawn.digest(4 * MANY))


def numbers(seed: int) -> Iterator[int]:
    """All of them."""
    return chain.from_iterable(map(partial(lot, seed), count()))
