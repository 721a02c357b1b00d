"""`--quiet` prints nothing but findings, whatever a command has done."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cardc.__main__ import main

VUGHEX = Path(__file__).parents[2] / "cards" / "vughex"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of Vughex, which is changed."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(VUGHEX, tmp_path / "v", ignore=shutil.ignore_patterns("build", "*.lock"))
    return Path("v")


@pytest.mark.parametrize("quiet", [[], ["-q"], ["--quiet"]])
def test_ids_that_are_released_and_files_that_are_formatted(
    game: Path, capsys: pytest.CaptureFixture[str], quiet: list[str]
) -> None:
    units = game / "units.card"
    text = units.read_bytes()
    units.write_bytes(text + b"\n\n\n")
    assert main(["fmt", "v", *quiet]) == 0 and units.read_bytes() == text
    assert capsys.readouterr().out.startswith("" if quiet else "changed v/units.card\nchanged 1 of ")
    assert main(["lock", "v", "--check", *quiet]) == 1
    assert "released card oracle" in capsys.readouterr().out  # what is not up to date is what was asked for
    assert main(["lock", "v", *quiet]) == 0
    out = capsys.readouterr().out
    assert out == "" if quiet else "released card oracle" in out


@pytest.mark.parametrize("quiet", [[], ["-q"]])
def test_what_was_fixed(game: Path, capsys: pytest.CaptureFixture[str], quiet: list[str]) -> None:
    units = game / "units.card"
    text = units.read_text()
    units.write_text(text.replace("power: 2", "power = 2", 1))
    assert main(["check", "v", "--fix", *quiet]) == 0 and units.read_text() == text
    out = capsys.readouterr().out
    assert out == "" if quiet else out.startswith("fixed v/units.card:")
