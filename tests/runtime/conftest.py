"""The hand-made game for tests of the runtime's outer layer."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("outer_fake", Path(__file__).with_name("outer_fake.py"))
assert _spec is not None and _spec.loader is not None
_fake = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fake)


@pytest.fixture
def fake():
    """The module outer_fake."""
    return _fake


@pytest.fixture
def game(monkeypatch):
    """A game of outer_fake, its state and its driver in the places of the real ones."""
    from card_runtime import determine, match

    monkeypatch.setattr(match, "driver", _fake.driver)
    monkeypatch.setattr(determine, "driver", _fake.driver)
    monkeypatch.setattr(match, "State", _fake.State)
    return _fake.Game()
