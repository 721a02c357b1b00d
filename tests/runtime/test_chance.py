"""Shuffles and draws: the same as in the plainest way, however they are made; every order is as likely."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from card_runtime import chance
from card_runtime.chance import SHUFFLE, below, key, keys, sample, shuffle, word


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    monkeypatch.setattr(chance, "_asked", {})
    monkeypatch.setattr(chance, "_orders", {})


def match(seed=5):
    return SimpleNamespace(keys=keys(seed), draws=[0, 0, 0], chance=None)


def shuffled(m, items):
    shuffle(m, SHUFFLE, items)
    return items


def shuffled_plainly(m, items):
    """As it has always been told: a word for so many items as leave 40 bits of it, item by item."""
    out = items.copy()
    i = len(out) - 1
    serves = 88 // (len(out) or 1).bit_length()
    while i > 0:
        m.draws[SHUFFLE] += 1
        w = word(key(m, SHUFFLE), m.draws[SHUFFLE])
        for _ in range(min(serves, i)):
            w, j = divmod(w, i + 1)
            out[i], out[j] = out[j], out[i]
            i -= 1
    return out


def drawn_plainly(m, items, count):
    out = []
    w = 0
    for _ in range(min(count, len(items))):
        if w < 1 << 64:
            m.draws[SHUFFLE] += 1
            w = word(key(m, SHUFFLE), m.draws[SHUFFLE])
        w, i = divmod(w, len(items))
        out.append(items.pop(i))
    return out


@pytest.mark.parametrize("n", [*range(34), 40, 60, 127, 128, 129, 500])
def test_a_shuffle_is_the_same_each_time_it_is_made_and_when_it_is_spelt_out(n):
    one, other = match(), match()
    for _ in range(chance.OFTEN + 3):
        assert shuffled(one, [*range(n)]) == shuffled_plainly(other, [*range(n)])
        assert one.draws == other.draws
    assert (n in chance._orders) == (n <= chance.MOST_SPELT)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 60, 160, 1023, 1024, 4000, 70_000])
@pytest.mark.parametrize("count", [-1, 0, 1, 2, 3, 11, 60, 200])
def test_a_draw_is_the_same_as_item_by_item(n, count):
    for seed in range(24):
        one, other = match(seed), match(seed)
        items = range(n)
        assert sample(one, SHUFFLE, "", items, count) == drawn_plainly(other, [*items], count)
        assert one.draws == other.draws


@pytest.mark.parametrize("count", [3, 12])
@pytest.mark.parametrize("first", [7, (1 << 64) + 5, (1 << 64) * 40, (1 << 94) - 1, 1 << 94])
def test_a_word_that_has_become_small_serves_no_more(monkeypatch, first, count):
    words = {1: first, 2: (1 << 64) * 40, 3: 7, 4: (1 << 100) - 1}
    monkeypatch.setattr(chance, "word", lambda _, n: words.get(n, n << 90))
    monkeypatch.setitem(globals(), "word", chance.word)
    one, other = match(), match()
    assert sample(one, SHUFFLE, "", [*range(60)], count) == drawn_plainly(other, [*range(60)], count)
    assert one.draws == other.draws


def test_every_order_is_as_likely():
    m = match()
    found = Counter(tuple(shuffled(m, [1, 2, 3])) for _ in range(6000))
    assert len(found) == 6
    assert max(found.values()) < 1150
    assert min(found.values()) > 850


def test_streams_of_a_seed_differ():
    assert len({key(match(), stream) for stream in range(3)} | {key(match(6), 0)}) == 4
    m = match()
    assert [below(m, 2, 10) for _ in range(3)] == [word(key(match(), 2), n) % 10 for n in (1, 2, 3)]
