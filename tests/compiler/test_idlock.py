"""`ids.lock`: what was released keeps its id."""

import json
from pathlib import Path

import pytest
from cardc.__main__ import main
from cardc.idlock import locked, read_lock
from cardc.pipeline import analyse
from cardc.source import Source
from hypothesis import given, settings
from hypothesis import strategies as st

FRAME = """\
game tiny "Tiny" { version: "1"  players: 2 }
kind unit { power: 0..9 }
zone hand: each player list of unit, owner sees
setup { for each c in catalog { copy c to players[0].hand } }
flow { loop { players[0] choose play u: unit in players[0].hand where u.power > 0 "Play" { win players[0] } } }
"""
HEAD = "# The ids that were released. None is ever used for something else; `cardc lock` writes this file.\n"


class Package:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys

    def cards(self, *lines: str) -> None:
        (self.folder / "tiny.card").write_text(FRAME + "".join(line + "\n" for line in lines))

    def run(self, *args: str) -> tuple[int, str]:
        status = main([*args[:1], str(self.folder), *args[1:]])
        return status, self.capsys.readouterr().out

    @property
    def lock(self) -> str:
        return (self.folder / "ids.lock").read_text()


@pytest.fixture
def tiny(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CI", "1")
    return Package(tmp_path, capsys)


CUB = 'card cub "Cub" : unit { power: 1 }'
BEAR = 'card bear "Bear \\"Big\\"" : unit { power: 3 }'


def test_a_release_writes_what_there_is_sorted(tiny):
    tiny.cards(CUB, BEAR)
    assert tiny.run("lock")[0] == 0
    assert tiny.lock == HEAD + 'card bear: unit "Bear \\"Big\\""\ncard cub: unit "Cub"\nkind unit\n'
    before = tiny.lock
    assert tiny.run("lock", "--check")[0] == 0 and tiny.run("lock")[0] == 0
    assert tiny.lock == before


def test_what_is_gone_is_remembered_and_may_come_back(tiny):
    tiny.cards(CUB, BEAR)
    tiny.run("lock")
    tiny.cards(CUB)
    assert tiny.run("check")[0] == 0
    status, out = tiny.run("lock", "--check")
    assert status == 1 and out.startswith('gone card bear: unit "Bear \\"Big\\""\n')
    assert "gone" not in tiny.lock.removeprefix(HEAD)
    assert tiny.run("lock")[0] == 0
    assert 'card bear: unit "Bear \\"Big\\"" gone\n' in tiny.lock
    tiny.cards(CUB, 'card bear "A Bear" : unit { power: 3 }')
    status, out = tiny.run("check")
    assert status == 1 and "error[E112]" in out
    assert tiny.run("build", "-o", str(tiny.folder / "out"))[0] == 1
    assert tiny.run("lock")[0] == 1 and "gone" in tiny.lock
    tiny.cards(CUB, BEAR)
    assert tiny.run("check")[0] == 0 and tiny.run("lock")[0] == 0
    assert 'card bear: unit "Bear \\"Big\\""\n' in tiny.lock


def test_a_card_may_change_its_name_and_what_it_says(tiny):
    tiny.cards(CUB)
    tiny.run("lock")
    tiny.cards('card cub "The Cub" : unit { power: 9 }')
    assert tiny.run("check")[0] == 0 and tiny.run("lock")[0] == 0
    assert 'card cub: unit "The Cub"\n' in tiny.lock


def test_a_build_sees_a_lock_that_changed(tiny):
    tiny.cards(CUB)
    out = str(tiny.folder / "out")
    assert tiny.run("build", "-o", out)[0] == 0
    (tiny.folder / "ids.lock").write_text('card cub: spell "Cub"\n')
    status, text = tiny.run("build", "-o", out)
    assert status == 1 and "`cub` was released as the `spell`" in text


def test_two_branches_merge_line_by_line():
    ours = HEAD + 'card bear: unit "Bear" gone\ncard cub: unit "Cub"\nkind unit\n'
    merged = ours.replace("kind unit\n", 'card bear: unit "Bear"\nkind unit\nkind unit\n')
    found, wrong = read_lock(Source("ids.lock", merged))
    assert wrong == [] and not found["bear"].gone
    units = analyse([("tiny.card", (FRAME + CUB + "\n").encode())], None).units
    assert locked(found, units) == ours


@pytest.mark.parametrize("title", ['a "b"', "back\\slash", "\u2028 line", "ünï ✓"])
def test_titles_are_read_as_they_were_written(title):
    text = title.replace("\\", "\\\\").replace('"', '\\"')
    source = f'{FRAME}card cub "{text}" : unit {{ power: 1 }}\n'.encode()
    units = analyse([("tiny.card", source)], None).units
    once = locked({}, units)
    found, wrong = read_lock(Source("ids.lock", once))
    assert wrong == [] and (found["cub"].title, locked(found, units)) == (title, once)


def test_json(tiny):
    tiny.cards(CUB)
    out = json.loads(tiny.run("lock", "--format", "json")[1])
    assert (out["added"], out["gone"], out["written"]) == (["cub", "unit"], [], True)
    out = json.loads(tiny.run("lock", "--format", "json")[1])
    assert (out["added"], out["gone"], out["written"]) == ([], [], False)


def test_nothing_is_released_of_a_package_with_errors(tiny):
    tiny.cards('card cub "Cub" : unit { power: 12 }')
    assert tiny.run("lock")[0] == 1
    assert not (tiny.folder / "ids.lock").exists()


WORDS = st.sampled_from(
    ["card", "kind", "cub", "unit", "bear:", '"Cub"', '"', "gone", "#", "\n", "\r\n", "\t", "<<<<<<<", "=", "é", "\\"]
)


@given(st.lists(WORDS, max_size=40), st.binary(max_size=3))
@settings(max_examples=80, deadline=None)
def test_fuzz_no_lock_file_makes_a_traceback(words, tail):
    """Each of its lines is a released id, or is told; what is read is written again as it is."""
    data = " ".join(words).encode() + tail
    found = analyse([("ids.lock", data), ("tiny.card", (FRAME + CUB + "\n").encode())], None).findings
    assert all(f.code in ("E004", "E112", "E113") for f in found if f.severity == "error")
    if "E004" in {f.code for f in found}:
        return  # no text
    source = Source("ids.lock", data.decode("utf-8-sig"))
    released, wrong = read_lock(source)
    assert {source.line(f.start) for f in found if f.code == "E113"} == set(wrong)
    text = "".join(entry.text() for entry in released.values())
    again, none = read_lock(Source("ids.lock", text))
    assert none == [] and [e.text() for e in again.values()] == [e.text() for e in released.values()]
