"""Shuffles and draws: the same as in the plainest way, however they are made; every order is as likely."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import pytest
from card_runtime import chance
from card_runtime.chance import SHUFFLE, below, key, keys, sample, shuffle, word


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    monkeypatch.setattr(chance, "_asked", {})
    monkeypatch.setattr(chance, "_spelt", {})


def match(seed=5):
    return SimpleNamespace(keys=keys(seed), draws=[0, 0, 0], chance=None)


def shuffled(m, items):
    shuffle(m, SHUFFLE, items)
    return items


def drawn_plainly(m, items, count):
    """Item by item, each with the last that is left; a word serves for so many as leave 40 bits of it."""
    out = list(items)
    last = len(out) - 1
    serves = 88 // (len(out) or 1).bit_length()
    while last > 0 and len(out) - 1 - last < count:
        m.draws[SHUFFLE] += 1
        w = word(key(m.keys, SHUFFLE), m.draws[SHUFFLE])
        for _ in range(min(serves, last, count - (len(out) - 1 - last))):
            w, i = divmod(w, last + 1)
            out[i], out[last] = out[last], out[i]
            last -= 1
    return out


@pytest.mark.parametrize("n", [*range(34), 40, 60, 127, 128, 129, 500])
def test_a_shuffle_is_the_same_each_time_it_is_made_and_when_it_is_spelt_out(n):
    one, other = match(), match()
    for _ in range(chance.OFTEN + 3):
        assert shuffled(one, [*range(n)]) == drawn_plainly(other, range(n), n)
        assert one.draws == other.draws
    assert ((n, n) in chance._spelt) == (n <= chance.MOST_STEPS)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 60, 160, 1023, 1024, 4000, 70_000])
@pytest.mark.parametrize("count", [-1, 0, 1, 2, 3, 11, 60, 200])
def test_a_draw_is_the_same_as_item_by_item(n, count):
    for seed in range(24):
        one, other = match(seed), match(seed)
        found = sample(one, SHUFFLE, "", range(n), count)
        assert found == drawn_plainly(other, range(n), count)[n - min(max(count, 0), n) :]
        assert one.draws == other.draws


@pytest.mark.parametrize("n", [4, 5, 6])
def test_three_at_once_are_the_same_as_item_by_item(n):
    """Also where the second or third is one that has changed its place."""
    found = Counter()
    for seed in range(3000):
        three = sample(match(seed), SHUFFLE, "", range(n), 3)
        assert three == drawn_plainly(match(seed), range(n), 3)[n - 3 :]
        found[tuple(three)] += 1
    assert len(found) == n * (n - 1) * (n - 2)


def test_no_more_ways_are_spelt_out_than_are_kept(monkeypatch):
    monkeypatch.setattr(chance, "MOST_SPELT", 2)
    for n in (3, 5, 4, 3):
        for seed in range(chance.OFTEN + 2):
            one, other = match(seed), match(seed)
            assert shuffled(one, [*range(n)]) == drawn_plainly(other, range(n), n)
    assert [*chance._spelt] == [(3, 3), (5, 5)]
    assert len(chance._asked) == 2


def test_every_order_is_as_likely():
    m = match()
    found = Counter(tuple(shuffled(m, [1, 2, 3])) for _ in range(6000))
    assert len(found) == 6
    assert max(found.values()) < 1150
    assert min(found.values()) > 850


def test_streams_of_a_seed_differ():
    assert len({key(match().keys, stream) for stream in range(3)} | {key(match(6).keys, 0)}) == 4
    m = match()
    assert [below(m, 2, 10) for _ in range(3)] == [word(key(match().keys, 2), n) % 10 for n in (1, 2, 3)]


@pytest.mark.parametrize("n", [2, 3, 7, 10, 52])
@pytest.mark.parametrize("how", ["seeds", "words", "streams"])
def test_numbers_that_follow_each_other_are_even_and_know_nothing_of_each_other(how, n):
    """Pairs of the first numbers of two seeds, of two words of a stream, of two streams of a seed."""
    pairs = 100 * n * n
    if how == "seeds":
        first = [below(match(seed), SHUFFLE, n) for seed in range(pairs + 1)]
        found = Counter(pairwise(first))
    elif how == "words":
        m = match()
        drawn = [below(m, SHUFFLE, n) for _ in range(pairs + 1)]
        found = Counter(pairwise(drawn))
    else:
        found = Counter((below(m, 1, n), below(m, 2, n)) for m in map(match, range(pairs)))
    chi = sum((found[i, j] - 100) ** 2 / 100 for i in range(n) for j in range(n))
    freedom = n * n - 1
    assert abs(chi - freedom) < 4.5 * (2 * freedom) ** 0.5


def test_each_bit_of_a_seed_turns_each_bit_of_the_first_words_as_often_as_not():
    tries = 400
    for bit in (0, 1, 5, 17, 31, 63):
        turned = [0] * 128
        for seed in range(0, 3 * tries, 3):
            one, other = keys(seed), keys(seed ^ 1 << bit)
            apart = word(key(one, 0), 1) ^ word(key(other, 0), 1)
            for i in range(128):
                turned[i] += apart >> i & 1
        assert all(abs(n - tries / 2) < 6 * (tries / 4) ** 0.5 for n in turned), bit


@pytest.mark.parametrize(
    "seed", [-1, -(1 << 127), 1 << 128, (1 << 128) + 1, 1 << 9000], ids=["-1", "least", "129 bits", "one more", "long"]
)
def test_any_whole_number_is_a_seed(seed):
    assert key(keys(seed), 0) not in {key(keys(s), 0) for s in (0, 1, seed + 1, -seed, seed & (1 << 128) - 1)}


def test_lots_of_a_bot_are_even():
    found = Counter(x % 6 for seed in range(40) for n in range(3) for x in chance.lot(seed, n))
    drawn = sum(found.values())
    assert drawn == 40 * (chance.FEW + chance.SOME + chance.MANY)
    assert all(abs(found[i] - drawn / 6) < 4.5 * (drawn * 5 / 36) ** 0.5 for i in range(6))
