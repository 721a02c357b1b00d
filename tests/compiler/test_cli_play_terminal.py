"""`cardc play` on a terminal: Ctrl-C and the end of input leave it cleanly, wherever they come; two share a screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from cardc.__main__ import main

ROOT = Path(__file__).parents[2]
TAKE_TERMINAL = """
import os, sys
os.open(os.ttyname(0), os.O_RDWR)  # a session without a terminal takes the first it opens
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
PROMPT = "> "
INTERRUPT, END = b"\x03", b"\x04"


@pytest.fixture(scope="module")
def vughex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "vughex"
    assert main(["build", str(ROOT / "cards" / "vughex"), "-o", str(out), "--quiet"]) == 0
    return out


class Terminal:
    """A command on a terminal of its own, of 80 columns and 24 rows."""

    def __init__(self, folder: Path, *args: str, **env: str) -> None:
        self.fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CI", "COLUMNS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, "-m", "cardc", *args], stdin=inner, stdout=inner, stderr=inner,
            cwd=folder, env={**inherited, "TERM": "xterm-256color", **env}, start_new_session=True,
        )  # fmt: skip
        os.close(inner)
        self.shown = ""
        self.read = 0

    def until(self, text: str) -> str:
        """Read until this is shown; what was shown since the last time, up to and with it."""
        while (found := self.shown.find(text, self.read)) < 0:
            piece = self._piece()
            assert piece, f"{text!r} was never shown:\n{self.shown[-2000:]}"
            self.shown += piece
        before, self.read = self.read, found + len(text)
        return self.shown[before : self.read]

    def _piece(self) -> str:
        ready, _, _ = select.select([self.fd], [], [], 60)
        try:
            return os.read(self.fd, 65536).decode() if ready else ""
        except OSError:
            return ""  # whoever was at the other side is gone

    def type(self, text: str | bytes) -> None:
        os.write(self.fd, text if isinstance(text, bytes) else f"{text}\r".encode())

    def ended(self, key: bytes | None = None) -> tuple[int, str]:
        """The exit status, and what was shown in the end.

        A key is pressed again where nothing comes of it: Python loses a Ctrl-C between a prompt and the wait for its
        answer."""
        piece = "?"
        for _ in range(20 if key is not None else 0):
            while piece and select.select([self.fd], [], [], 3)[0]:
                piece = self._piece()
                self.shown += piece
            if not piece or self.process.poll() is not None:  # it may have left its terminal and not ended yet
                break
            self.type(key)
        while piece := self._piece():
            self.shown += piece
        return self.process.wait(60), self.shown[self.read :].replace("\r", "")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[object]:
    opened: list[Terminal] = []

    def open_(*args: str, **env: str) -> Terminal:
        opened.append(Terminal(tmp_path, *args, **env))
        return opened[-1]

    yield open_
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        os.close(one.fd)


HOW = {"Ctrl-C": (INTERRUPT, 130), "Ctrl-D": (END, 0)}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("humans", [1, 2])
def test_leaving_at_a_question(terminal, vughex, how, humans):
    match = terminal("play", str(vughex), "--seed", "7", *(["--bot", "1=human"] if humans == 2 else []))
    if humans == 2:
        match.until("press Enter when only you can see the screen. ")
        match.type("")
    match.until(PROMPT)
    key, status = HOW[how]
    match.type(key)
    left, last = match.ended(key)
    assert left == status
    assert last.endswith("\nleft before the end; the seed was 7\n") and "Traceback" not in match.shown


@pytest.mark.parametrize("how", HOW)
def test_leaving_where_the_screen_is_handed_over(terminal, vughex, how):
    match = terminal("play", str(vughex), "--seed", "7", "--bot", "1=human")
    match.until("press Enter when only you can see the screen. ")
    key, status = HOW[how]
    match.type(key)
    left, last = match.ended(key)
    assert left == status and "left before the end; the seed was 7" in last and "Traceback" not in last


def test_interrupted_where_nobody_is_asked(terminal, vughex):
    match = terminal("sim", str(vughex), "-n", "1000000")
    match.until("/1000000")
    match.type(INTERRUPT)
    status, _ = match.ended(INTERRUPT)
    assert status == 130 and "Traceback" not in match.shown


def test_a_screen_that_is_handed_over_shows_nothing_of_the_other(terminal, vughex):
    match = terminal("play", str(vughex), "--seed", "8", "--bot", "1=human")
    match.until("Player 1, it is your turn: press Enter")
    match.type("")
    first = match.until(PROMPT)
    hand = set(re.findall(r"^  \d  (the \w+)", first.replace("\r", ""), re.MULTILINE))
    assert len(hand) == 5
    match.type("0")
    match.until("\x1b[2J\x1b[3J")  # the screen, and what scrolled out of it
    match.until("Player 0, it is your turn: press Enter")
    match.type("")
    second = match.until(PROMPT)
    assert "Player 0 chooses: Replace one card" in second
    assert not [card for card in hand if card in second]


def test_colours_for_terminals_unless_they_are_not_wanted(terminal, vughex):
    match = terminal("play", str(vughex), "--seed", "7")
    assert "\x1b[36m" in match.until(PROMPT)
    plain = terminal("play", str(vughex), "--seed", "7", NO_COLOR="1")
    assert "\x1b[" not in plain.until(PROMPT).replace("\x1b[?2004h", "")
