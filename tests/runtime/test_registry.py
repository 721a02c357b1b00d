"""Registries: what an entry concerns, that nothing of it stays behind, and that each copy of a match has its own."""

from __future__ import annotations

import pytest
from card_runtime.chance import SHUFFLE, shuffle
from card_runtime.registry import add, bucket, entries_of, keep


def entry(order, bearer):
    return ((0, 0, 0, order), bearer, None, None)


ANY, OF_7, ALSO_OF_7, OF_9 = entry(2, 1), entry(1, 7), entry(3, 7), entry(4, 9)


@pytest.fixture
def registry():
    found = {}
    for one, key in ((OF_7, 7), (ANY, None), (OF_9, 9), (ALSO_OF_7, 7)):
        add(found, one, key)
    return found


def test_entries_that_may_concern_a_thing_stand_in_order(registry):
    assert bucket(registry, True, (7,)) == (OF_7, ANY, ALSO_OF_7)
    assert bucket(registry, True, (9,)) == (ANY, OF_9)
    assert bucket(registry, True, (8,)) == (ANY,)
    assert bucket(registry, False, (7,)) == (ANY,)
    assert entries_of(registry) == [OF_7, ANY, ALSO_OF_7, OF_9]


def test_what_is_taken_out_leaves_nothing_behind(registry):
    keep(registry, lambda e: e is not ANY)
    assert registry == {7: (OF_7, ALSO_OF_7), 9: (OF_9,)}
    keep(registry, lambda e: e[1] != 7)
    assert registry == {9: (OF_9,)}
    assert bucket(registry, True, (7,)) == ()
    keep(registry, lambda e: False)
    assert not registry


def number(table, state, lane):
    return table.game.code["v_number"](state, lane)


def test_a_copy_of_a_match_has_registries_of_its_own(table):
    plague = table.make("plague", table.lanes)
    copy = table.m.clone()
    table.move(plague, table.waste)
    assert (number(table, table.m, 0), number(table, copy, 0)) == (1, 0)
    again = copy.clone()
    table.game.code["move"](again, plague, table.waste)
    assert (number(table, again, 0), number(table, copy, 0)) == (1, 0)


class Still:
    """As much of a state as a shuffle needs."""

    keys = (5, 6, 7)

    def __init__(self):
        self.draws = [0, 0, 0]


@pytest.mark.parametrize(("n", "words"), [(0, 0), (1, 0), (2, 1), (15, 1), (18, 1), (30, 2), (43, 3), (44, 4), (60, 5)])
def test_a_shuffle_draws_no_more_words_than_it_needs(n, words):
    """Numbers below `n` of `b` bits: a word of 128 bits serves 88 // b of them, and one less than `n` are needed."""
    m = Still()
    items = list(range(n))
    shuffle(m, SHUFFLE, items)
    assert sorted(items) == list(range(n))
    assert m.draws[SHUFFLE] == words


def test_each_order_is_as_likely():
    m = Still()
    counts = {}
    for _ in range(6000):
        order = [0, 1, 2]
        shuffle(m, SHUFFLE, order)
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1
    assert len(counts) == 6
    assert all(850 < n < 1150 for n in counts.values())
