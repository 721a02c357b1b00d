"""Playouts and builds do not become dearer unseen: counts against their ceilings, which nothing else on the machine
moves. `benchmarks/counters.py` tells what is counted and how ceilings are set."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def counters() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))  # for its corpus
    try:
        spec = importlib.util.spec_from_file_location("benchmark_counters", BENCHMARKS / "counters.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(BENCHMARKS))
    return module


def test_nothing_has_become_dearer(counters: ModuleType) -> None:
    """In a process of its own: what other tests have run would be warm already."""
    most = counters.ceilings()
    if most is None:
        pytest.skip(f"no ceilings for Python {counters.PYTHON}: python benchmarks/counters.py --bless makes them")
    command = [sys.executable, str(BENCHMARKS / "counters.py"), "--json"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert set(found) == {"locm", "monsteria", "moonga", "moonlight", "vughex", "builds"}
    dearer = counters.above(found, most)
    assert not dearer, "\n".join([*dearer, "if it is worth it: python benchmarks/counters.py --bless"])


def test_what_is_above_its_ceiling_or_has_none_is_named(counters: ModuleType) -> None:
    found = {"tower": {"calls": 12.1, "bytecodes": 100.0, "kept": 0.0}, "other": {"calls": 1.0}}
    most = {"tower": {"calls": 12.0, "bytecodes": 100.0, "kept": 0.0}}
    assert counters.above(found, most) == ["tower: calls 12.1, the ceiling is 12.0", "other: calls has no ceiling"]


def test_what_is_counted(counters: ModuleType) -> None:
    def twice() -> int:
        return len("a") + len("b")

    # itself, and each len; the profile's own end is counted, too, in some versions
    assert 3 <= counters.calls(twice) <= 4
    one, two = (counters.bytecodes(lambda n=n: [n for _ in range(1000 * n)]) for n in (1, 2))
    assert 2.0 <= (two - one) / 1000 <= 8.0  # a round of such a loop has some four bytecodes


def test_what_a_match_leaves_behind_is_counted(counters: ModuleType) -> None:
    heap: list[list[int]] = []
    assert counters._kept(lambda: None, 10) < 1
    assert 1 <= counters._kept(lambda: heap.extend([len(heap) + i] for i in range(10)), 10) < 4


def test_ceilings_are_blessed_for_one_python_only(
    counters: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ceilings.json"
    path.write_text('{"2.7": {"old": {"calls": 1.0}}}')
    monkeypatch.setattr(counters, "CEILINGS", path)
    monkeypatch.setattr(counters, "PYTHON", "3.99")
    assert counters.ceilings() is None
    found = {"tower": {"calls": 100.0, "kept": 0.0}}
    counters.bless(found)
    assert json.loads(path.read_text())["2.7"] == {"old": {"calls": 1.0}}
    assert counters.above(found, counters.ceilings()) == []
    assert counters.above({"tower": {"calls": 115.0, "kept": 9.0}}, counters.ceilings()) == [
        "tower: calls 115.0, the ceiling is 111.0",
        "tower: kept 9.0, the ceiling is 4.0",
    ]
