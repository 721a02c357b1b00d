"""The command line over a pipeline that is faked: exit statuses, what is printed where, and what is imported when."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import cardc
import pytest
from card_grammar.diagnostics import DIAGNOSTICS, Diagnostic
from cardc.__main__ import main
from cardc.findings import Finding
from cardc.package import UsageError
from cardc.source import Source

SOURCE = Source("frame.card", 'game g "G" {}\nvalue x(): int = y\n')
OTHER = Source("units/a.card", "card a\n")
ERROR = Finding("E001", SOURCE, 31, 32, "`y` is not known")
ELSEWHERE = Finding("E001", OTHER, 0, 4, "`a` is not whole")
WARNING = Finding("W699", SOURCE, 20, 21, "`x` is not used")


@dataclass
class Outcome:
    findings: tuple[Finding, ...] = ()
    files: dict[str, bytes] | None = field(default_factory=dict)
    sources: int = 2
    cards: int = 15
    tests: int = 2
    fresh: bool = False
    title: str = "A Game"
    version: str = "1.2.0"


@dataclass
class Result:
    title: str
    path: str = "tests.card"
    line: int = 3
    passed: bool = True
    message: str = ""
    covers: tuple[str, ...] = ()
    seconds: float = 0.001


class Fake:
    """What the fake pipeline gives, and what it was asked."""

    def __init__(self) -> None:
        self.outcome: Outcome | Exception = Outcome()
        self.results: list[Result] = []
        self.calls: list[tuple[Any, ...]] = []

    def _answer(self, *call: object) -> Outcome:
        self.calls.append(call)
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome

    def check(self, folder: Path, base: Path | None = None) -> Outcome:
        return self._answer("check", folder, base)

    def build(self, folder: Path, out: Path | None = None, base: Path | None = None) -> tuple[Outcome, Path]:
        return self._answer("build", folder, out, base), out or Path("build/g")

    def run_tests(
        self, folder: Path, base: Path | None = None, filter: str | None = None
    ) -> tuple[Outcome, list[Result]]:
        return self._answer("test", folder, base, filter), self.results


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    made = Fake()
    for name in ("pipeline", "testing"):
        module = ModuleType(f"cardc.{name}")
        for function in (made.check, made.build, made.run_tests):
            setattr(module, function.__name__, function)
        monkeypatch.setitem(sys.modules, f"cardc.{name}", module)
        monkeypatch.setattr(cardc, name, module, raising=False)
    monkeypatch.setitem(DIAGNOSTICS, "W699", Diagnostic("W699", "for-tests", "warning", "For tests."))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g" / "units").mkdir(parents=True)
    (tmp_path / "g" / "frame.card").write_text(SOURCE.text)
    (tmp_path / "g" / "units" / "a.card").write_text(OTHER.text)
    return made


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: str) -> tuple[int, str, str]:
        status = main(list(args))
        out, err = capsys.readouterr()
        return status, re.sub(r"\(\d+\.\d\d s\)", "(TIME)", out), err

    return call


# ---- check and build


def test_check_of_a_clean_package(fake: Fake, run: Run) -> None:
    assert run("check", "g") == (0, "checked A Game 1.2.0: 15 cards, 2 tests, no findings (TIME)\n", "")
    assert fake.calls == [("check", Path("g"), None)]


def test_findings_are_shown_and_counted(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome((WARNING, ERROR), files=None)
    status, out, err = run("check", "g")
    assert status == 1 and err == ""
    assert "warning[W699]: `x` is not used\n --> g/frame.card:2:7\n" in out
    assert out.endswith("  |                  ^\n\n1 error, 1 warning\n")


def test_warnings_fail_only_where_that_is_asked(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome((WARNING,))
    assert run("check", "g")[0] == 0
    assert run("check", "g", "--strict")[0] == 1
    assert run("build", "g")[0] == 0
    assert run("build", "g", "--strict")[0] == 1


def test_build_says_what_it_did(fake: Fake, run: Run) -> None:
    assert run("build", "g") == (0, "built A Game 1.2.0: 15 cards, 2 tests in build/g (TIME)\n", "")
    assert run("build", "g", "-o", "out")[1] == "built A Game 1.2.0: 15 cards, 2 tests in out (TIME)\n"
    assert run("build", "g", "--base", "b")[0] == 0
    assert fake.calls == [("build", Path("g"), out, base) for out, base in (
        (None, None), (Path("out"), None), (None, Path("b")),
    )]  # fmt: skip
    fake.outcome = Outcome(fresh=True, cards=1, tests=1)
    assert run("build", "g")[1] == "nothing changed: A Game 1.2.0 in build/g (TIME)\n"
    fake.outcome = Outcome(cards=1, tests=1, title="", version="")
    assert run("build", "g")[1] == "built g: 1 card, 1 test in build/g (TIME)\n"


def test_build_of_a_broken_package(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome((ERROR,), files=None)
    status, out, _ = run("build", "g")
    assert status == 1
    assert out.endswith("\n1 error\nnothing was built (TIME)\n")


@pytest.mark.parametrize("quiet", [["--quiet"], ["-q"], []])
def test_quiet_and_ci_print_findings_only(
    fake: Fake, run: Run, monkeypatch: pytest.MonkeyPatch, quiet: list[str]
) -> None:
    if not quiet:
        monkeypatch.setenv("CI", "true")
    assert run("check", "g", *quiet) == (0, "", "")
    assert run("build", "g", *quiet) == (0, "", "")
    fake.outcome = Outcome((ERROR,), files=None)
    assert run("build", "g", *quiet)[1].endswith("^\n\n1 error\n")


def test_a_file_shows_its_own_findings(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome((ERROR, ELSEWHERE), files=None)
    status, out, _ = run("check", "g/units/a.card")
    assert status == 1 and "g/units/a.card:1:1" in out and "frame.card" not in out
    assert fake.calls == [("check", Path("g"), None)]
    fake.outcome = Outcome((ERROR,), files=None)
    for quiet, said in ([], "checked units/a.card: 15 cards, 2 tests, no findings (TIME)\n"), (["--quiet"], ""):
        assert run("check", "g/units/a.card", *quiet) == (0, f"1 error in other files of g\n{said}", "")
    assert "other files" not in run("check", "g")[1]
    status, out, _ = run("build", "g/units/a.card")
    assert (status, out) == (1, "1 error in other files of g\nnothing was built (TIME)\n")


def test_the_folder_where_one_stands(fake: Fake, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.outcome = Outcome((ERROR,), files=None)
    monkeypatch.chdir("g")
    assert " --> frame.card:2:18\n" in run("check")[1]
    monkeypatch.chdir("units")
    assert " --> ../frame.card:2:18\n" in run("check", "../frame.card")[1]
    assert " --> ../frame.card:2:18\n" in run("check", "../units/../frame.card")[1]
    path = Path.cwd().parent / "frame.card"
    assert f" --> {path.as_posix()}:2:18\n" in run("check", str(path))[1]


def test_json(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome((ERROR,), files=None)
    status, out, err = run("check", "g", "--format", "json")
    assert (status, err) == (1, "")
    assert json.loads(out)["findings"][0]["file"] == "g/frame.card"
    fake.outcome = Outcome()
    status, out, err = run("build", "g", "--format", "json")
    assert (status, err) == (0, "")
    counts = {"errors": 0, "warnings": 0, "notes": 0}
    assert json.loads(out) == {"version": 1, "findings": [], **counts, "package": "build/g"}


# ---- test


def test_tests_that_pass(fake: Fake, run: Run) -> None:
    fake.results = [Result("a"), Result("b")]
    assert run("test", "g") == (0, "2 passed, 0 failed\n", "")
    assert run("test", "g", "--filter", "x")[0] == 0
    assert fake.calls == [("test", Path("g"), None, None), ("test", Path("g"), None, "x")]


def test_failures_are_shown_in_full(fake: Fake, run: Run) -> None:
    fake.results = [Result("a"), Result("b \x1b[2J", passed=False, message="expected 1\n\ngot \x1b[31m2")]
    status, out, _ = run("test", "g")
    assert status == 1
    assert out == (
        "failed: b ␛[2J\n  --> g/tests.card:3\n  expected 1\n\n  got ␛[31m2\n\n1 passed, 1 failed\n"
    )


def test_a_run_without_tests_fails(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome(tests=0)
    status, out, _ = run("test", "g")
    assert (status, out) == (
        1, "no test was run: g has none, so nothing is shown to work\n0 passed, 0 failed\n",
    )  # fmt: skip
    fake.outcome = Outcome(tests=7)
    status, out, _ = run("test", "g", "--filter", "zz")
    assert (status, out) == (1, "no test was run: no title in g holds `zz`\n0 passed, 0 failed\n")
    fake.results = [Result("a")]
    assert run("test", "g/units/a.card")[0] == 1
    fake.results = [Result("a", path="units/a.card"), Result("b", passed=False)]
    assert run("test", "g/units/a.card")[:2] == (0, "1 passed, 0 failed\n")


def test_errors_keep_tests_from_running(fake: Fake, run: Run) -> None:
    fake.outcome = Outcome((ERROR,), files=None)
    status, out, _ = run("test", "g")
    assert status == 1
    assert out.endswith("\n1 error\nno test was run: g has errors\n0 passed, 0 failed\n")


def test_rules_that_no_test_covers(fake: Fake, run: Run) -> None:
    Path("RULES.md").write_text("- **V-1** one\n- **V-2** two\n- **V-3** *(box)* three\n")
    fake.results = [Result("a", covers=("V-1", "V-3"))]
    status, out, _ = run("test", "g", "--rules", "RULES.md")
    assert (status, out) == (1, "RULES.md: no test covers V-2: two\n1 passed, 0 failed\n")
    fake.results = [Result("a", covers=("V-1", "V-2", "V-9"))]
    status, out, _ = run("test", "g", "--rules", "RULES.md")
    assert (status, out) == (1, "RULES.md: lacks V-9, which a test covers\n1 passed, 0 failed\n")
    status, out, _ = run("test", "g", "--rules", "RULES.md", "--format", "json")
    found = json.loads(out)
    assert status == 1 and (found["uncovered"], found["unknown_rules"]) == ({}, ["V-9"])
    assert (found["passed"], found["failed"], found["tests"][0]["covers"]) == (1, 0, ["V-1", "V-2", "V-9"])
    fake.results = [Result("a", covers=("V-1", "V-2"))]
    assert run("test", "g", "--rules", "RULES.md")[0] == 0
    assert run("test", "g", "--rules", "NONE.md")[0] == 2


# ---- explain


def test_explain(run: Run) -> None:
    status, out, _ = run("explain", "e001")
    assert status == 0 and "E001" in out
    assert run("explain", "syntax")[1] == out
    status, out, err = run("explain", "E0011")
    assert (status, out) == (2, "") and err.startswith("cardc: no finding is called E0011; there are E00")
    assert run("explain", "zzz") == (2, "", "cardc: no finding or folder is called zzz\n")
    status, out, _ = run("explain", "l8")
    assert status == 0 and [line.split()[0] for line in out.splitlines()] == [c for c in DIAGNOSTICS if c[:2] == "L8"]
    status, out, _ = run("explain")
    assert status == 0 and all(code in out for code in DIAGNOSTICS)


# ---- Wrong usage, bugs, and being stopped


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["biuld", "g"], "cardc: no command is called biuld: did you mean build? (see cardc --help)"),
        (["zzz"], "cardc: no command is called zzz (see cardc --help)"),
        (["--colour", "check"], "--colour"),
        (["check", "nowhere"], "cardc: no such file or folder: nowhere"),
        (["check", "g", "--colour"], "--colour"),
        (["check", "g", "h"], "(see cardc check --help)"),
        (["check", "g", "--format", "xml"], "xml"),
        (["sim", "g", "-n", "0"], "-n"),
        (["sim", "g", "-n", "many"], "-n"),
        (["sim", "g", "-n", "9" * 20], "-n"),
        (["sim", "g", "--format", "sarif"], "'text', 'json'"),
        (["sim", "g", "--bot", "0=human"], "cardc: no bot is called human: there are random, greedy"),
        (["fmt", "g", "--range", "1:2"], "cardc: --range takes one file"),
        (["sim", "g", "--bot", "2=random"], "cardc: --bot takes SEAT=NAME with a seat from 0 to 1, not `2=random`"),
        (["sim", "g", "--bot", "0=random", "--bot", "0=random"], "twice"),
        (["sim", "g", "--option", "length"], "cardc: --option takes NAME=VALUE, not `length`"),
        (["sim", "g", "--option", "a=1", "--option", "a=2"], "twice"),
        (["play", "g", "--bot", "0=chess"], "cardc: no bot is called chess: there are random, greedy, and human"),
        (["explain", "a", "b"], "cardc: no such file or folder: a"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(fake: Fake, run: Run, args: list[str], said: str) -> None:
    status, out, err = run(*args)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert fake.calls == []


def test_what_the_pipeline_cannot_read_is_one_line(fake: Fake, run: Run) -> None:
    fake.outcome = UsageError("no .card file in g\x1b[2J")
    for command in ("check", "build", "test", "sim", "play"):
        assert run(command, "g") == (2, "", "cardc: no .card file in g␛[2J\n")


def test_a_file_that_no_package_reads_is_refused(fake: Fake, run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text('game g "G" { version: "1"  players: 2 }\nflow { tie }\n')
    (tmp_path / "RULES.md").write_text("")
    for command in ("check", "lint", "build", "test"):
        status, out, err = run(command, str(tmp_path / "RULES.md"))
        assert (status, out, fake.calls) == (2, "", []) and err.endswith("RULES.md is no .card file\n")


def test_no_command_shows_the_help(run: Run) -> None:
    status, out, err = run()
    assert status == 2 and "Commands:" in out + err


def test_a_bug_is_one_line_and_a_report(fake: Fake, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fake.outcome = KeyError("number\nof things")
    status, out, err = run("check", "g")
    assert (status, out) == (3, "")
    assert err.count("\n") == 1 and err.startswith("internal error: KeyError: 'number")
    found = re.search(r"is in (.*)\)$", err)
    assert found is not None
    report = Path(found[1]).read_text()
    assert "Traceback" in report and cardc.__version__ in report and "['check', 'g']" in report


def test_a_bug_where_no_report_can_be_written(fake: Fake, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    fake.outcome = RecursionError()
    status, _, err = run("check", "g")
    assert status == 3 and err == "internal error: RecursionError (a report could not be written)\n"


def test_interrupted(fake: Fake, run: Run) -> None:
    fake.outcome = KeyboardInterrupt()  # type: ignore[assignment]
    assert run("check", "g") == (130, "", "\n")


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_text("x")
    script = (
        "import sys\nfrom cardc.__main__ import main\nfor _ in range(2000):\n"
        "    if status := main(['explain']):\n        break\nsys.exit(status)"
    )
    command = f'"{sys.executable}" -c "$SCRIPT" | head -n 1 > /dev/null; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env={**os.environ, "SCRIPT": script}, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "141\n"


def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    (tmp_path / "a.card").write_bytes(b"x")
    done = subprocess.run(
        [sys.executable, "-m", "cardc", "check", "d\u00e9j\u00e0 \u202e"],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("cardc: no such file or folder: d\\xe9j\\xe0 <U+202E>")


# ---- Start-up


def test_the_version_imports_nothing() -> None:
    script = (
        "import sys\nbefore = set(sys.modules)\nfrom cardc.__main__ import main\nstatus = main(['--version'])\n"
        "print(sorted(set(sys.modules) - before), file=sys.stderr)\nsys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"cardc {cardc.__version__}\n")
    assert set(re.findall(r"'([\w.]+)'", done.stderr)) <= {"__future__", "cardc", "cardc.__main__"}


def test_help_shows_every_command_and_imports_none() -> None:
    script = (
        "import sys\nfrom cardc.__main__ import main\nstatus = main(['--help'])\n"
        "print(sorted(sys.modules), file=sys.stderr)\nsys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    for command in ("new", "build", "check", "test", "play", "sim", "explain", "ast"):
        assert f"\n  {command} " in done.stdout
        assert f"\n  cardc {command} " in done.stdout
    loaded = set(re.findall(r"'([\w.]+)'", done.stderr))
    heavy = ("rich", "lark", "jinja2", "jsonschema", "card_runtime", "cardc.pipeline", "cardc.package", "cardc.cli.b")
    assert "cardc.cli.entry" in loaded
    assert not {name for name in loaded if name.startswith(heavy)}


@pytest.mark.parametrize("command", ["new", "build", "check", "test", "play", "sim", "explain", "ast"])
def test_each_command_has_help_with_an_example(run: Run, command: str) -> None:
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"Example: cardc {command} " in " ".join(out.split())


@pytest.mark.parametrize(
    ("args", "most"),
    [
        (["--version"], ["__main__", "cardc", "cardc.__main__"]),
        (["--help"], ["__main__", "cardc", "cardc.__main__", "cardc.cli", "cardc.cli.entry", "click"]),
    ],
)
def test_starting_imports_no_more_than_it_needs(args: list[str], most: list[str]) -> None:
    """What takes long at the start is importing."""
    script = f"import sys; from cardc.__main__ import main; main({args!r}); print(*sys.modules, file=sys.stderr)"
    plain = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    ours = {name for name in plain.stderr.split() if name.split(".")[0] not in sys.stdlib_module_names}
    ours -= {name for name in ours if name.startswith(("click.", "_distutils", "__editable"))}
    assert ours <= set(most)
