"""Linked code is kept beside a package, and taken from there only where it is just what would be made."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from card_runtime import code, load
from cardc.pipeline import build

DUEL = Path(__file__).parent / "duel"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(DUEL, tmp_path_factory.mktemp("kept") / "duel")[1]


@pytest.fixture
def package(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "duel", ignore=shutil.ignore_patterns("cache"))
    return tmp_path / "duel"


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One entry for each time that code was linked: whether for playouts."""
    found: list[bool] = []
    link = code.link

    def noted(trees: Any, facts: Any, quiet: bool = False) -> None:
        found.append(quiet)
        link(trees, facts, quiet)

    monkeypatch.setattr(code, "link", noted)
    return found


def kept(package: Path) -> list[Path]:
    return sorted((package / "cache").glob("*.bin"))


def played(package: Path) -> Any:
    return load(package).playout_state(seed=1).result


def test_a_second_load_links_nothing(package: Path, linked: list[bool]) -> None:
    first = played(package)
    done = list(linked)
    assert done and kept(package)
    assert played(package) == first
    assert linked == done


def test_damaged_code_is_linked_anew(package: Path, linked: list[bool]) -> None:
    first = played(package)
    for path in kept(package):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    linked.clear()
    assert played(package) == first
    assert linked


def test_code_of_another_runtime_is_linked_anew(
    package: Path, linked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an update, or while somebody works on the linker."""
    first = played(package)
    linked.clear()
    monkeypatch.setattr(code, "runtime_digest", lambda: "another")
    assert played(package) == first
    assert linked


def test_the_digest_is_of_all_that_links_or_is_put_into_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(code.__file__).parent
    for file in here.glob("*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(code, "__file__", str(tmp_path / "code.py"))
    code.runtime_digest.cache_clear()
    try:
        seen = {code.runtime_digest()}
        for name in ("link.py", "library.py", "code.py"):
            (tmp_path / name).write_text((tmp_path / name).read_text() + "# changed\n")
            code.runtime_digest.cache_clear()
            seen.add(code.runtime_digest())
        assert len(seen) == 4
    finally:
        code.runtime_digest.cache_clear()


def test_where_nothing_can_be_kept_a_game_is_played_all_the_same(package: Path, linked: list[bool]) -> None:
    first = played(package)
    shutil.rmtree(package / "cache")
    (package / "cache").write_text("in the way")
    assert played(package) == first
    assert (package / "cache").read_text() == "in the way"
