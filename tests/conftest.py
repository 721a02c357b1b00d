"""The .card files below here are corpora and goldens of the compiler's tests, not games with tests of their own."""

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import card_runtime as rt
import pytest
from cardc import pipeline

collect_ignore_glob = ["*.card", "**/*.card"]


def pytest_configure() -> None:
    """Let Ctrl-C mean something to the processes that tests begin and interrupt: a shell has what it puts into the
    background ignore it, and that is inherited."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of CI, and with colours: what a test says otherwise it sets itself."""
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def game_of(tmp_path: Path) -> Callable[[str], rt.Game]:
    """Builds a game of one file, and loads it."""

    def loaded(text: str) -> rt.Game:
        (tmp_path / "g.card").write_text(text)
        outcome, where = pipeline.build(tmp_path, tmp_path / "built")
        assert outcome.files is not None, outcome.findings
        return rt.load(where)

    return loaded


@pytest.fixture
def calls() -> Callable[[Callable[[], object]], int]:
    """Counts the calls, of Python's functions and of C's, while something runs: its cost, the same on every machine."""

    def count(run: Callable[[], object]) -> int:
        made = 0

        def profile(frame: object, event: str, argument: object) -> None:
            nonlocal made
            made += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(profile)
        try:
            run()
        finally:
            sys.setprofile(before)
        return made

    return count


@pytest.fixture
def wider_planes(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Lets floating grids that are built and loaded from then on lie on a plane with so many more columns and rows, so
    that everything on them lies elsewhere."""
    from card_runtime import grids
    from cardc import members, symbols
    from cardc.emit import expressions

    plane = grids.plane

    def widen(columns: int, rows: int) -> None:
        def wider(width: int, height: int, floating: bool, either: bool) -> tuple[int, int]:
            wide, high = plane(width, height, floating, either)
            return (wide + columns, high + rows) if floating else (wide, high)

        for module in (grids, symbols, members, expressions):
            monkeypatch.setattr(module, "plane", wider)

    return widen
