"""Makes pytest collect the tests of `.card` packages: one item a test, named by its title.

Loaded by every pytest run in the environment, so nothing of the compiler is imported before a `.card` file with tests
is met. A package is built once a process, when the first of its files is collected. Golden folders (`tests/accept`,
`tests/reject`) are left out, and so are files that are in no package.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cardc.pipeline import Outcome
    from cardc.testing import TestResult

_GOLDEN = frozenset({"accept", "reject"})
_SHOWN = pytest.StashKey[set[Path]]()
_RUNS = pytest.StashKey[dict[Path, "tuple[Outcome, list[TestResult]]"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where the games are that expansions build on."""
    what = "the game, its folder or as it was built, of expansions that do not lie in it"
    group = parser.getgroup("cardc")
    group.addoption("--cardc-base", metavar="DIR", action="append", default=[], help=f"{what}; may be repeated")
    parser.addini("cardc_base", f"{what}; several stand on a line each", type="paths", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a `.card` file that holds tests and is in a package."""
    if file_path.suffix != ".card":
        return None
    folders = file_path.parts[:-1]
    if any(above == "tests" and name in _GOLDEN for above, name in pairwise(folders)):
        return None
    try:
        text = file_path.read_bytes()
    except OSError:
        return None
    if not (text.startswith(b"test ") or b"\ntest " in text):
        return None
    from cardc.package import UsageError, package_of

    try:
        package = package_of(file_path)
    except UsageError:
        return None
    return CardFile.from_parent(parent, path=file_path, package=package)


class CardFile(pytest.File):
    """A `.card` file with tests."""

    def __init__(self, *, package: Path, **rest: Any) -> None:
        super().__init__(**rest)
        self.package = package

    def collect(self) -> Iterator[CardItem]:
        """The tests of this file; a package with errors is one error of collection."""
        from cardc.display import safe

        outcome, results = self._run()
        errors = [f for f in outcome.findings if f.severity == "error"]
        if errors:
            from cardc.formats import text

            shown = self.config.stash.setdefault(_SHOWN, set())
            if self.package in shown:
                raise self.CollectError(f"{self._root()} has errors, which its first file shows")
            shown.add(self.package)
            raise self.CollectError(text.render(errors, root=self._root()) + text.summary(errors))
        file = self.path.relative_to(self.package).as_posix()
        titles: dict[str, int] = {}
        for result in results:
            if result.path == file:
                title = safe(result.title)
                titles[title] = titles.get(title, 0) + 1
                again = f" #{titles[title]}" if titles[title] > 1 else ""
                yield CardItem.from_parent(self, name=title + again, result=result)

    def _run(self) -> tuple[Outcome, list[TestResult]]:
        """The run of the whole package, shared by its files."""
        runs = self.config.stash.setdefault(_RUNS, {})
        if self.package not in runs:
            from cardc.package import UsageError

            try:
                runs[self.package] = self._run_on()
            except UsageError as error:
                raise self.CollectError(str(error).replace("`--base`", "`--cardc-base`")) from None
        return runs[self.package]

    def _run_on(self) -> tuple[Outcome, list[TestResult]]:
        """The run of a package, on the game among those given that it is for. Raises UsageError."""
        from cardc.package import declares_game, game_around, read_folder
        from cardc.testing import run_tests

        bases = [self.config.invocation_params.dir / base for base in self.config.getoption("cardc_base")]
        bases += self.config.getini("cardc_base")
        if not bases or declares_game(read_folder(self.package)) or game_around(self.package):
            return run_tests(self.package)
        for base in bases:
            ran = run_tests(self.package, base)
            if not any(finding.code == "E111" for finding in ran[0].findings):  # it is for another game
                break
        return ran

    def _root(self) -> str:
        here = self.config.invocation_params.dir
        folder = self.package.relative_to(here) if self.package.is_relative_to(here) else self.package
        return folder.as_posix() + "/"


class CardItem(pytest.Item):
    """One test of a game, already run."""

    def __init__(self, *, result: TestResult, **rest: Any) -> None:
        super().__init__(**rest)
        self.result = result

    def runtest(self) -> None:
        if not self.result.passed:
            raise CardTestFailed(self.result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was expected and got, in the words of the test; no Python is shown."""
        if isinstance(excinfo.value, CardTestFailed):
            from cardc.display import safe

            lines = [f"{self.path}:{self.result.line}", *self.result.message.splitlines()]
            return "\n".join(map(safe, lines))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.result.line - 1, self.name


class CardTestFailed(Exception):
    """A test in the language failed."""

    def __init__(self, result: TestResult) -> None:
        super().__init__(result.message)
        self.result = result
