"""Packages as pytest collects them, with a faked run of their tests."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = '''
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import cardc
from cardc.findings import Finding
from cardc.package import UsageError
from cardc.source import Source

@dataclass
class Result:
    title: str
    path: str
    line: int
    passed: bool = True
    message: str = ""
    covers: tuple = ()
    seconds: float = 0.0

@dataclass
class Outcome:
    findings: tuple = ()

def run_tests(folder, base=None, filter=None):
    with open(Path(__file__).with_name("runs"), "a") as file:
        file.write(folder.name + "\\n")
    if folder.name == "broken":
        source = Source("frame.card", 'game broken "B" {}\\n')
        return Outcome((Finding("E001", source, 0, 4, "all wrong"),)), []
    if folder.name == "lost":
        raise UsageError("the base game is nowhere")
    message = "expected number(l) == 3\\ngot 2\\nwhy: base 2  frame.card:3"
    return Outcome(), [
        Result("one works", "tests.card", 2),
        Result("two \\x1b[2J fails", "tests.card", 4, False, message),
        Result("one works", "tests.card", 6),
        Result("deep", "units/more.card", 1),
    ]

testing = ModuleType("cardc.testing")
testing.run_tests = run_tests
sys.modules["cardc.testing"] = cardc.testing = testing
'''
TESTS = b'test "one" {}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two packages with tests, and all that must be left alone."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    files = {
        "cards/good/frame.card": b'game good "G" {}\n',
        "cards/good/tests.card": b'// tests\ntest "one works" {}\n',
        "cards/good/units/more.card": TESTS,
        "cards/good/units/cards.card": b"card x\n// a test \n",
        "tests/accept/x.card": b'game x "X" {}\n' + TESTS,
        "tests/reject/deep/x.card": b'game x "X" {}\n' + TESTS,
        "elsewhere/contact.card": b"BEGIN:VCARD\n" + TESTS,
        "test_python.py": b"def test_it():\n    pass\n",
    }
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    return tmp_path


def run(project: Path, *args: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *args]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_each_test_is_an_item_and_each_package_runs_once(project: Path) -> None:
    status, out = run(project, "-v")
    assert status == 1
    assert "cards/good/tests.card::one works PASSED" in out
    assert "cards/good/tests.card::one works #2 PASSED" in out
    assert "cards/good/units/more.card::deep PASSED" in out
    assert "test_python.py::test_it PASSED" in out
    assert "1 failed, 4 passed" in out
    assert (project / "runs").read_text() == "good\n"
    assert "VCARD" not in out and "accept" not in out and "reject" not in out


def test_a_failure_shows_its_message_and_no_python(project: Path) -> None:
    _, out = run(project, "cards")
    assert f"{project}/cards/good/tests.card:4\nexpected number(l) == 3\ngot 2\nwhy: base 2  frame.card:3\n" in out
    assert "Traceback" not in out and ".py:" not in out and "CardTestFailed" not in out
    assert "\x1b" not in out
    status, out = run(project, "cards/good/tests.card", "-k", "works")
    assert status == 0 and "2 passed, 1 deselected" in out


def test_a_package_with_errors_is_told_once(project: Path) -> None:
    for name in ("broken", "lost"):
        for path in ("frame", "more"):
            (project / "cards" / name).mkdir(exist_ok=True)
            (project / "cards" / name / f"{path}.card").write_bytes(f'game {name} "B" {{}}\n'.encode() + TESTS)
    status, out = run(project, "cards/broken")
    assert status == 2
    assert "error[E001]: all wrong\n --> cards/broken/frame.card:1:1\n" in out
    assert out.count("all wrong") == 1
    assert "cards/broken/ has errors" in out
    assert "Traceback" not in out
    assert (project / "runs").read_text() == "broken\n"
    status, out = run(project, "cards/lost/frame.card")
    assert status == 2 and "the base game is nowhere" in out and "Traceback" not in out


def test_expansions_that_do_not_lie_in_their_game(tmp_path: Path) -> None:
    """`--cardc-base`, or `cardc_base` in the settings, names the games; each expansion takes its own."""
    frame = 'game NAME "G" { version: "1"  players: 2 }\nkind unit { power: 0..9 }\n'
    frame += "zone hand: each player list of unit, all see\n"
    for name, power in ("sun", 3), ("moon", 5):
        (tmp_path / "games" / name).mkdir(parents=True)
        flow = "setup { for each c in catalog { copy c to players[0].hand } }\nflow { tie }\n"
        (tmp_path / "games" / name / "frame.card").write_text(frame.replace("NAME", name) + flow)
        (tmp_path / "more" / f"of_{name}").mkdir(parents=True)
        (tmp_path / "more" / f"of_{name}" / "cards.card").write_text(
            f'expansion of_{name} "E" for {name} {{ version: "1" }}\ncard cub "Cub" : unit {{ power: {power} }}\n'
            f'test "of {name}" {{ given {{ let c = new cub }} expect c.power == {power} }}\n'
        )
    games = [f"--cardc-base=games/{name}" for name in ("sun", "moon")]
    status, out = run(tmp_path, "more", "-v")
    assert status == 2 and "expansion of_sun builds on sun: say where that is with `--cardc-base`" in out
    status, out = run(tmp_path, "more", *games, "-v")
    assert status == 0 and "of_sun/cards.card::of sun PASSED" in out and "of_moon/cards.card::of moon PASSED" in out
    status, out = run(tmp_path, "more", games[0])
    assert status == 2 and "the expansion is for `moon`, but the base game is `sun`" in out
    (tmp_path / "pytest.ini").write_text("[pytest]\ncardc_base = games/sun\n  games/moon\n")
    status, out = run(tmp_path, "more")
    assert status == 0 and "2 passed" in out


def test_nothing_is_imported_where_no_card_is_collected(project: Path) -> None:
    (project / "conftest.py").write_text(
        "import sys\n\ndef pytest_sessionfinish():\n    print(sorted(m for m in sys.modules if m.startswith('card')))\n"
    )
    status, out = run(project, "test_python.py", "elsewhere", "-s")
    assert "1 passed" in out
    assert "['cardc', 'cardc.package', 'cardc.pytest_plugin']" in out
    status, out = run(project, "test_python.py", "-s")
    assert status == 0 and "['cardc', 'cardc.pytest_plugin']" in out
