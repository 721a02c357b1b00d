"""The .card files below here are corpora and goldens of the compiler's tests, not games with tests of their own."""

import sys
from collections.abc import Callable

import pytest

collect_ignore_glob = ["*.card", "**/*.card"]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of CI, and with colours: what a test says otherwise it sets itself."""
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


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
