"""The garbage collector rests while much is made that stays."""

from __future__ import annotations

import gc

import pytest
from card_runtime import collector
from card_runtime.collector import paused


@pytest.mark.parametrize("on", [True, False])
def test_it_goes_on_as_it_was(on: bool) -> None:
    (gc.enable if on else gc.disable)()
    try:
        with paused():
            assert not gc.isenabled()
        assert gc.isenabled() == on
    finally:
        gc.enable()


@pytest.mark.parametrize("many", [0, 10**9])
def test_what_was_made_in_great_number_is_old_at_once(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MANY", many)
    gc.collect()
    with paused():
        made = [[i] for i in range(600)]  # fewer than begin a collection
    old = any(x is made[0] for x in gc.get_objects(generation=2))
    assert old == (many == 0) and gc.get_freeze_count() < collector.FEW


def test_what_the_host_has_frozen_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MANY", 0)
    kept = [[i] for i in range(collector.FEW)]
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with paused():
            made = [[i] for i in range(600)]
        assert gc.get_freeze_count() == frozen >= len(kept) and len(made) == 600
    finally:
        gc.unfreeze()
