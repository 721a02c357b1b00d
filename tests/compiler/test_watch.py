"""`--watch`: runs again when the sources change, and at no other time; survives what editors do; ends by Ctrl-C."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from cardc.cli import watching

GAME = """\
game tiny "Tiny" { version: "1"  players: 2 }
player { points: 0..9 = 0, score }
kind unit { power: 0..9 }
zone hand: each player list of unit, owner sees
setup { for each c in catalog { copy c to players[0].hand } }
flow { loop { players[0] choose play u: unit in players[0].hand "Play" { score(u.power)  win players[0] "So" } } }
effect score(n: 0..9) { players[0].points += n }
card cub "Cub" : unit { power: 1 }
test "a cub is weak" {
  given { let c = new cub }
  expect c.power < 5
}
"""
READY = "; Ctrl-C ends it"


class Watch:
    """A command that watches, and the lines it writes."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardc", *args, "--watch"], cwd=folder, text=True, env={**os.environ, "CI": ""},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.lines: Queue[str] = Queue()
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def run(self) -> list[str]:
        """The lines of the next run."""
        out: list[str] = []
        while not (out and out[-1].endswith(READY)):
            out.append(self.lines.get(timeout=60))
        return [line for line in out[:-1] if line != "the sources changed"]

    def still(self) -> bool:
        """Whether nothing is written for a while of several looks."""
        try:
            self.lines.get(timeout=1.5)
        except Empty:
            return True
        return False

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=60)
        self.reader.join(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "tiny.card").write_text(GAME)
    return tmp_path


@pytest.fixture
def watches() -> Iterator[list[Watch]]:
    started: list[Watch] = []
    yield started
    for watch in started:
        if watch.process.poll() is None:
            watch.process.kill()
            watch.process.wait()
            watch.reader.join(timeout=60)
        assert watch.process.stdout is not None
        watch.process.stdout.close()


def test_check_runs_again_when_a_source_changes(folder: Path, watches: list[Watch]) -> None:
    shutil.copytree(folder / "tiny", folder / "kept")
    watch = Watch(folder, "check", "tiny")
    watches.append(watch)
    file = folder / "tiny" / "tiny.card"
    assert "1 card, 1 test, no findings" in watch.run()[-1]
    os.utime(file)
    (folder / "tiny" / "notes.txt").write_text("no source")
    assert watch.still()  # not a byte of a source is another
    file.write_text(GAME.replace("power: 1 }", "power: }"))
    assert any(line.startswith("error[E001]") for line in watch.run())
    file.write_text(GAME)
    assert "no findings" in watch.run()[-1]
    shutil.rmtree(folder / "tiny")
    assert watch.run() == ["cardc: tiny does not exist"]
    shutil.copytree(folder / "kept", folder / "tiny")
    assert "no findings" in watch.run()[-1]
    assert watch.end() == 130


def test_test_runs_again_and_fails_again(folder: Path, watches: list[Watch]) -> None:
    watch = Watch(folder, "test", "tiny")
    watches.append(watch)
    assert watch.run() == ["1 passed, 0 failed"]
    (folder / "tiny" / "tiny.card").write_text(GAME.replace("power: 1", "power: 7"))
    out = watch.run()
    assert out[0] == "failed: a cub is weak" and out[-1] == "0 passed, 1 failed"
    assert watch.end() == 130


def test_looks_are_at_times_and_sizes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watching.Watch(folder / "tiny", None, [folder / "RULES.md"])
    reads: list[str] = []
    monkeypatch.setattr(watching, "_contents", lambda place: reads.append(place.name) or [])
    before = watch.look()
    (folder / "tiny" / "notes.txt").write_text("no source")
    (folder / "tiny" / ".hidden.card").write_text("")
    assert watch.look() == before and not reads
    seen = [before]
    (folder / "tiny" / "deep" / "er").mkdir(parents=True)
    seen.append(watch.look())
    (folder / "tiny" / "deep" / "er" / "more.card").write_text("// more\n")
    seen.append(watch.look())
    (folder / "tiny" / "loop").symlink_to(folder / "tiny", target_is_directory=True)
    (folder / "tiny" / "ids.lock").write_text("")
    seen.append(watch.look())
    (folder / "RULES.md").write_text("- **V-1** A rule.\n")
    seen.append(watch.look())
    os.utime(folder / "tiny" / "tiny.card", (1, 1))
    seen.append(watch.look())
    shutil.rmtree(folder / "tiny")
    seen.append(watch.look())
    assert all(a != b for a, b in pairwise(seen)) and not reads


def test_a_change_is_one_of_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was only touched is read, and found to be what it was."""
    watch = watching.Watch(folder / "tiny", None, [])
    file = folder / "tiny" / "tiny.card"
    steps = iter([lambda: os.utime(file, (1, 1)), lambda: None, lambda: file.write_text(GAME + "// more\n")])
    looks: list[float] = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        if seconds >= watching.PAUSE:
            next(steps)()

    monkeypatch.setattr(watching.time, "sleep", sleep)
    watch.wait()
    # a pause, the touch settles; two pauses, the change settles
    assert [round(x, 1) for x in looks] == [0.3, 0.1, 0.3, 0.3, 0.1]
