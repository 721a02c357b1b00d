"""What the commands share: where they print, how much, and how they name things."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cardc.display import safe
from cardc.package import LOCK, SOURCES, UsageError, package_of

if TYPE_CHECKING:
    from cardc.findings import Finding
    from cardc.pipeline import Outcome
    from cardc.testing import TestResult


def complain(text: str) -> None:
    """One line on standard error."""
    print(safe(text), file=sys.stderr)


def in_colour() -> bool:
    """Whether standard output shows colours: a terminal, and nobody said no."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def moves_cursor() -> bool:
    """Whether standard output can be cleared: a terminal that knows how."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def page_width() -> int:
    """The cells in a line: those of the terminal, always 100 in a pipe."""
    return max(shutil.get_terminal_size((100, 24)).columns, 40) if sys.stdout.isatty() else 100


def page_height() -> int | None:
    """The lines of the terminal, None in a pipe."""
    return shutil.get_terminal_size((100, 24)).lines if sys.stdout.isatty() else None


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


class Output(Struct, frozen=True):
    """What a run prints on standard output: findings always, what it did unless it is to be quiet."""

    format: str
    quiet: bool
    started: float

    @staticmethod
    def of(format: str = "text", quiet: bool = False) -> Output:
        return Output(format, quiet or in_ci(), perf_counter())

    def anew(self) -> Output:
        """The same for a run that begins now."""
        return Output(self.format, self.quiet, perf_counter())

    def findings(
        self,
        findings: Sequence[Finding],
        root: str,
        more: dict[str, Any] | None = None,
        results: Sequence[TestResult] = (),
    ) -> None:
        """Print the findings: as text with their counts, as JSON with `more` fields, or as another tool reads them.

        `results` are test results, for the formats that have room for them."""
        if self.format == "json":
            from cardc.formats import json as format_json

            sys.stdout.write(format_json.render(findings, root=root, more=more))
        elif self.format == "junit":
            from cardc.formats import junit

            sys.stdout.write(junit.render(findings, root=root, results=results))
        elif self.format == "github":
            from cardc.formats import github

            sys.stdout.write(github.render(findings, root=root, results=results))
        elif self.format in ("gitlab", "sarif"):
            from importlib import import_module

            sys.stdout.write(import_module(f"cardc.formats.{self.format}").render(findings, root=root))
        elif findings:
            from cardc.formats import text

            sys.stdout.write(text.render(findings, root=root, colour=in_colour(), columns=page_width()))
            print(text.summary(findings))

    def say(self, line: str) -> None:
        """Print what always stands in the text format."""
        if self.format == "text":
            print(safe(line))

    def note(self, line: str) -> None:
        """Say what was done to one thing; nothing when quiet."""
        if not self.quiet:
            self.say(line)

    def tell(self, line: str) -> None:
        """Say in one line what was done, with the time it took; nothing when quiet."""
        self.note(f"{line} ({perf_counter() - self.started:.2f} s)")


class Target(Struct, frozen=True):
    """What a command was called with: a package, and the one file of it that is asked about, if any."""

    folder: Path
    file: str | None

    @staticmethod
    def of(path: Path) -> Target:
        """Find the package of a file; a folder is taken as it is. Raises UsageError where there is none."""
        if path.is_dir():
            return Target(path, None)
        if not path.exists():
            raise UsageError(f"no such file or folder: {path}")
        folder = package_of(path)
        if not path.name.endswith(SOURCES) and path.name != LOCK:
            raise UsageError(f"{path} is no .card file")
        file = Path(os.path.abspath(path)).relative_to(folder).as_posix()
        return Target(folder if path.is_absolute() else Path(os.path.relpath(folder)), file)

    def __str__(self) -> str:
        """How the folder is called in a line."""
        return "this folder" if self.root == "" else str(self.folder)

    @property
    def root(self) -> str:
        """What stands before the paths of the package's files, seen from where the command runs."""
        root = self.folder.as_posix()
        return "" if root == "." else root.rstrip("/") + "/"

    def shown(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that were asked for."""
        return [f for f in findings if self.asked(f)]

    def elsewhere(self, findings: Sequence[Finding]) -> str:
        """How many errors there are in files that were not asked about; empty where there are none."""
        from cardc.formats.text import summary

        more = summary(f for f in findings if f.severity == "error" and not self.asked(f))
        return f"{more} in other files of {self.folder}" if more else ""

    def asked(self, finding: Finding) -> bool:
        """Whether it is of the file that was asked about."""
        return self.file is None or finding.source.path == self.file


def name_of(outcome: Outcome, folder: Path) -> str:
    """The title and version of a package, `Tiny 1.0.0`; the folder's name where it does not say."""
    return f"{outcome.title or folder.absolute().name} {outcome.version}".rstrip()


def title_of_game(game: Any) -> str:
    """The title and version of a loaded game."""
    declared = game.model.game
    return f"{declared.title} {declared.version}" if declared.version else str(declared.title)


def status_of(findings: Sequence[Finding], strict: bool) -> int:
    """0 or 1; notes never fail a command."""
    return int(any(f.severity == "error" or (strict and f.severity == "warning") for f in findings))


@contextmanager
def progress(number: int, quiet: bool, what: str = "matches", done: int = 0) -> Iterator[Callable[[int], None]]:
    """A bar on standard error if that is a terminal, else nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda more: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True, markup=False)
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(what, total=number, completed=done)
        yield lambda more: bar.advance(task, more)
