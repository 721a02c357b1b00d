"""What the compiler's tests share: a folder in which commands run, with a game that is built already."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from cardc import pipeline
from cardc.__main__ import main

FRAME = """game g "G" { version: "1"  players: 2 }
kind unit { power: 0..9 = 1 }
zone hand: each player list of unit, owner sees
zone heap: shared list of unit, all see
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
flow {
  alternate p from players[0] {
    p choose play u: unit in p.hand "Play" { move u to heap }
    if p.hand is empty { tie "Empty" }
  }
}
"""
CARDS = 'card one "One" : unit { power: 2 }\ncard two "Two" : unit {}\n'
TEST = 'test "a test" {\n  when setup\n  expect count(me.hand) == 2\n}\n'


class Shell:
    """A folder in which commands run, with a game that is built already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports = folder / "tmp"
        self.reports.mkdir()
        self.write("g/frame.card", FRAME)
        self.write("g/cards.card", CARDS)
        self.write("g/tests.card", TEST)
        self.env = {**os.environ, "TMPDIR": str(self.reports), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self.env.pop("CI", None)
        roots = self.env.get("PYTHONPATH", "").split(os.pathsep)
        self.env["PYTHONPATH"] = os.pathsep.join(os.path.abspath(root) for root in roots if root)
        outcome, _ = pipeline.build(folder / "g", folder / "build" / "g")
        assert outcome.files is not None, outcome.findings
        self.whole = self.content(folder / "build" / "g")

    def write(self, path: str, content: bytes | str) -> Path:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def content(self, folder: Path) -> dict[str, bytes]:
        files = [p for p in folder.rglob("*") if p.is_file() and "cache" not in p.relative_to(folder).parts]
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}

    def run(
        self, *args: str, limit: Callable[[], None] | None = None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command: in this process, or with a limit in one of its own."""
        if limit is not None:
            return subprocess.run(
                [sys.executable, "-m", "cardc", *args], cwd=self.folder, env=self.env, input=stdin, capture_output=True,
                text=True, timeout=120, check=False, preexec_fn=limit, errors="backslashreplace",
            )  # fmt: skip
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(self.folder)
            patch.delenv("CI", raising=False)
            patch.setenv("NO_COLOR", "1")
            patch.setattr("tempfile.tempdir", str(self.reports))
            patch.setattr("sys.stdin", io.StringIO(stdin))
            status = main(list(args))
        return subprocess.CompletedProcess(args, status, out.getvalue(), err.getvalue())

    def refused(self, *args: str, status: tuple[int, ...] = (1, 2), limit: Callable[[], None] | None = None) -> str:
        """Run what must be refused; what was said is returned. The earlier build must be as it was."""
        done = self.run(*args, limit=limit)
        said = done.stdout + done.stderr
        assert done.returncode in status, (args, done.returncode, said[-2000:])
        assert "Traceback" not in said and "internal error" not in said, said
        assert not list(self.reports.iterdir()), "a report was written, so it was taken for a bug"
        if done.returncode == 2:
            assert done.stdout == "" and done.stderr.count("\n") == 1, (args, done.stdout, done.stderr)
        elif args[0] not in ("test", "diff", "explain"):
            place = r"(--> |^)\S.*:\d+(:\d+)?"
            assert re.search(place, said, re.MULTILINE) or "would change" in said, said
        assert self.content(self.folder / "build" / "g") == self.whole, "the earlier build has changed"
        return said


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built game that lasts; a test that changes it makes a copy."""
    return Shell(tmp_path_factory.mktemp("package")).folder / "build" / "g"
