"""When a package is built again, and when it is left alone."""

import sys
from pathlib import Path

import pytest
from cardc import building, package, pipeline
from cardc.emit import template
from jinja2 import Environment

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


def test_the_template_is_not_asked_again_where_only_cards_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = b'kind unit { power: 0..9 }\nzone heap: shared list of unit, all see\nvalue two(): int = 1 + 1\n'
    (tmp_path / "g.card").write_bytes(GAME + rules)
    (tmp_path / "one.card").write_bytes(b'card one "One" : unit { power: 1 }\n')
    filled: list[int] = []
    real = template.template
    monkeypatch.setattr(template, "template", lambda: filled.append(1) or real())
    pipeline.build(tmp_path, tmp_path / "built")
    assert filled
    filled.clear()
    (tmp_path / "one.card").write_bytes(b'card one "One" : unit { power: 2 }\n')
    pipeline.build(tmp_path, tmp_path / "built")
    assert not filled
    (tmp_path / "g.card").write_bytes(GAME + rules.replace(b"1 + 1", b"1 + 2"))
    assert not pipeline.build(tmp_path, tmp_path / "built")[0].fresh
    assert filled


def test_the_template_is_compiled_once_and_again_where_what_was_kept_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[object] = []
    real = Environment.compile
    monkeypatch.setattr(Environment, "compile", lambda *a, **k: compiled.append(a) or real(*a, **k))
    monkeypatch.setattr(template, "_kept_in", lambda: tmp_path / "kept" / "template")
    fill = template.template.__wrapped__
    kept = tmp_path / "kept" / "template"
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    fill()
    assert len(compiled) == 1 and not kept.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert [bool(fill()) and len(compiled) for _ in range(3)] == [2, 2, 2]
    for damage in (kept.read_bytes()[:-1], b""):
        kept.write_bytes(damage)
        before = len(compiled)
        assert [bool(fill()) and len(compiled) for _ in range(2)] == [before + 1] * 2
    monkeypatch.setattr(template, "TEMPLATE", tmp_path / "code.py.j2")
    template.TEMPLATE.write_text("another")
    assert fill().render() == "another"
