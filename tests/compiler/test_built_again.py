"""When a package is built again, and when it is left alone."""

from pathlib import Path

import pytest
from cardc import building, package, pipeline

GAME = b'game g "G" { version: "1"  players: 2 }\nflow { tie }\n'


def test_nothing_is_done_twice(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_bytes(GAME)
    out = tmp_path / "built"
    assert [pipeline.build(tmp_path, out)[0].fresh for _ in range(2)] == [False, True]
    (tmp_path / "g.card").write_bytes(GAME.replace(b"tie", b'tie "So"'))
    assert [pipeline.build(tmp_path, out)[0].fresh for _ in range(2)] == [False, True]


def test_another_compiler_of_the_same_version_builds_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.card").write_bytes(GAME)
    out = tmp_path / "built"
    pipeline.build(tmp_path, out)
    with monkeypatch.context() as changed:
        changed.setattr(building, "compiler_digest", lambda: "0" * 64)
        assert [pipeline.build(tmp_path, out)[0].fresh for _ in range(2)] == [False, True]
    assert not pipeline.build(tmp_path, out)[0].fresh


def test_a_compiler_is_known_by_its_code_and_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever decides over the bytes of a package is counted; what Python leaves beside it is not."""
    folder = tmp_path / "cardc"
    (folder / "emit").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "emit" / "code.py.j2").write_text("a")
    monkeypatch.setattr(package, "import_module", lambda name: type("M", (), {"__file__": str(folder / "__init__.py")}))
    digest = package.compiler_digest.__wrapped__
    first = digest()
    (folder / "x.pyc").write_text("")
    assert digest() == first
    (folder / "emit" / "code.py.j2").write_text("b")
    assert digest() != first
