"""The README's first game in ten minutes, done as it is written there: what is typed, written and run, and what is said
then."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from cardc.__main__ import main

README = Path(__file__).parents[2] / "README.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\(\d+\.\d\d s\)")
DECLARATION = re.compile(r"^(?=\w)", re.MULTILINE)


def section(title: str) -> str:
    text = README.read_text(encoding="utf-8")
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def write(file: Path, declarations: str) -> None:
    """Put declarations into a file: at the place of the one that is called so, or at the end.

    What stands before one that is replaced goes before it."""
    text = file.read_text()
    waiting = ""
    for declaration in filter(None, DECLARATION.split(declarations)):
        name = re.match(r'\w+ (\w+|".*?")', declaration)
        assert name is not None, declaration
        old = re.search(rf"^{re.escape(name[0])}\b[^\n]*\n", text, re.MULTILINE)
        if old is None:
            waiting += declaration
        else:
            assert declaration.count("\n") == 1, "only what stands on one line can be replaced"
            text = text[: old.start()] + waiting + declaration + text[old.end() :]
            waiting = ""
    file.write_text(text + ("\n" + waiting if waiting else ""))


def fits(expected: str, said: str) -> bool:
    """Whether output is what was expected; a line `…` stands for any lines."""
    pattern = "".join(".*?" if line == "…\n" else re.escape(line) for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, said, re.DOTALL) is not None


def run(command: str) -> str:
    words = shlex.split(command)
    if words[0] == "cd":
        os.chdir(words[1])
        return ""
    assert words[0] == "cardc", command
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        main(words[1:])
    return TIME.sub("(0.00 s)", said.getvalue())


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("CI", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)
    parts = BLOCK.split(section("Your first game in ten minutes"))
    steps = list(zip(parts[::3], parts[1::3], parts[2::3], strict=False))
    assert len(steps) >= 9
    printed = ""
    for before, language, block in steps:
        if language == "card":
            write(Path(re.findall(r"`(\w+\.card)`", before)[-1]), block)
        elif language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(block, "README.md", "exec"), {"__name__": "tutorial"})
            printed = out.getvalue()
        elif block.startswith("$ "):
            for typed in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, expected = typed.partition("\n")
                said = run(command)
                assert said or command.startswith("cd "), command
                if expected:
                    assert fits(TIME.sub("(0.00 s)", expected), said), f"$ {command}\n{said}"
        else:
            assert printed == block


def test_the_finding_in_the_readme_is_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the line as it was misspelt: with that line in its file, this is what `check` says."""
    (shown,) = [block for block in BLOCK.findall(README.read_text(encoding="utf-8")) if block[1].startswith("error[")]
    place = re.search(r"--> (\S+):(\d+):", shown[1])
    line = re.search(r"^\d+ \| (.*)$", shown[1], re.MULTILINE)
    assert place is not None and line is not None
    shutil.copytree(README.parent / "cards" / "vughex", tmp_path / "vughex")
    file = tmp_path / "vughex" / place[1]
    lines = file.read_text().splitlines()
    right = lines[int(place[2]) - 1]
    assert sorted(right) != sorted(line[1]) and right.replace("number", "numbr") == line[1]
    lines[int(place[2]) - 1] = line[1]
    file.write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path / "vughex")
    assert run("cardc check").startswith(shown[1])
