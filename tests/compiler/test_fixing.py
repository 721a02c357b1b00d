"""Fixes: what is mended, what is refused, and that nothing else is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cardc import fixing, pipeline
from cardc.__main__ import main
from cardc.findings import Edit, Finding, Fix
from cardc.source import Source

GAME = """game tiny "Tiny" { version: "1.0.0"  players: 2 }
enum tribe { beasts, birds }
player { points: 0 or more = 0, score }
kind unit {
  power: 0..9 = 0
  tribes: set of tribe = []
  flag quick
  slot aura: static in hand
}
zone hand: each player list of unit, owner sees
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
effect dusk(p: player) {}
effect gain(p: player, n: int) { p.points += n }
value might(u: unit): int = if u.quick or u.tribes meets [beasts, birds] then u.power else 0
flow {
  for each p in players { p choose show u: unit in p.hand "Show" { dusk(p)  gain(p, might(u)) } }
  tie "Done"
}
card cub "Cub" : unit { aura { on dusk(you) { gain(you, 1) } } }
"""


def look(files):
    return pipeline.analyse(files, None).findings


def mended(text: str, unsafe: bool) -> str:
    """What becomes of the text beside the game; None where nothing does."""
    done = fixing.mend([("a.card", text.encode()), ("g.card", GAME.encode())], look, unsafe)
    assert dict(done.files)["g.card"] == GAME.encode()
    return dict(done.files)["a.card"].decode()


SAFE = [
    ('card fox "Fox" : unit { quick: true }', 'card fox "Fox" : unit { quick }'),
    ('card fox "Fox" : unit { power: 1  quick: false }', 'card fox "Fox" : unit { power: 1 }'),
    ('card fox "Fox" : unit {\n  quick: false\n  power: 1\n}', 'card fox "Fox" : unit {\n  power: 1\n}'),
    ('card fox "Fox" : unit { quick  power: 1  quick }', 'card fox "Fox" : unit { quick  power: 1 }'),
    ('card fox "Fox" : unit { quick  quick  quick }', 'card fox "Fox" : unit { quick }'),
    ('card fox "Fox" : unit { power 3  tribes birds }', 'card fox "Fox" : unit { power: 3  tribes: [birds] }'),
    ("effect _e { gain(players[0], 1) }", "effect _e() { gain(players[0], 1) }"),
    ("effect _e(p player, n: int) { gain(p, n) }", "effect _e(p: player, n: int) { gain(p, n) }"),
    ("effect _e(player p) { gain(p, 1) }", "effect _e(p: player) { gain(p, 1) }"),
    ("effect _e(p: player) { int n = p.points  gain(p, n) }", "effect _e(p: player) { let n = p.points  gain(p, n) }"),
    ("effect _e(p: player) { p.points++  p.points--\n}", "effect _e(p: player) { p.points += 1  p.points -= 1\n}"),
    ("effect _e(p: player) { if p.points => 1 then { gain(p, 1) } }",
     "effect _e(p: player) { if p.points >= 1 { gain(p, 1) } }"),
    ("effect _e(p: player) { if p.points > 1 { gain(p, 1) } elif p.points > 0 { gain(p, 2) } }",
     "effect _e(p: player) { if p.points > 1 { gain(p, 1) } else if p.points > 0 { gain(p, 2) } }"),
    ("effect _e() { for p in players { gain(p, 1) }  repeat 2 times { gain(players[0], 1) } }",
     "effect _e() { for each p in players { gain(p, 1) }  repeat 2 { gain(players[0], 1) } }"),
    ("enum _size { small large huge }", "enum _size { small, large, huge }"),
    ('card fox "Fox" : unit { power = 3, quick }', 'card fox "Fox" : unit { power: 3 quick }'),
    ('card fox "Fox" : unit { tribes: birds }', 'card fox "Fox" : unit { tribes: [birds] }'),
    ('card fox "Fox" : unit { tribes: [birds, beasts, birds] }', 'card fox "Fox" : unit { tribes: [birds, beasts] }'),
    ('card fox "Fox" : unit { tribes: [birds, birds, birds] }', 'card fox "Fox" : unit { tribes: [birds] }'),
    ("effect _e(p: player) { p.points = 1; p.points = 2;\n}", "effect _e(p: player) { p.points = 1 p.points = 2\n}"),
    ("effect _e(p: player) { p.points = 1;p.points = 2 }", "effect _e(p: player) { p.points = 1 p.points = 2 }"),
    ("value _v(p: player): int = p.points \u2212 1 \u00d7 2", "value _v(p: player): int = p.points - 1 * 2"),
    (
        "value _v(p: player): bool = p.points\u22651&&p.points \u2264 3 || p.points = 9",
        "value _v(p: player): bool = p.points>=1 and p.points <= 3 or p.points == 9",
    ),
    ("decklist d \u201cA deck\u201d { 1 cub }", 'decklist d "A deck" { 1 cub }'),
    ("decklist d \u201cA \\ deck\u201d { 1 cub }", "decklist d \u201cA \\ deck\u201d { 1 cub }"),
    ("effect _e(p: player) { p.points = 1, gain(p, 1) }", "effect _e(p: player) { p.points = 1 gain(p, 1) }"),
    ("effect _e(p: player) { p wins }\neffect _f() { tie() }", "effect _e(p: player) { win p }\neffect _f() { tie }"),
    ("effect _e(p: player) { if p.points is 2 { gain(p, 1) } }",
     "effect _e(p: player) { if p.points == 2 { gain(p, 1) } }"),
    ("effect _e(u: unit, p: player) { move u to top of p.hand }", "effect _e(u: unit, p: player) { move u to p.hand }"),
    ("effect _e(u: unit, p: player) { move u to p.hand face down }",
     "effect _e(u: unit, p: player) { move u to p.hand facing down }"),
    ("effect _e(u: unit, p: player) { return u to p.hand }", "effect _e(u: unit, p: player) { move u to p.hand }"),
    ("effect _e(p: player) { p.points =+ 1  p.points := 2  set p.points = 1 }",
     "effect _e(p: player) { p.points += 1  p.points = 2  p.points = 1 }"),
    ("effect _e(p: player) { if p is players[0] or p is not players[1] { gain(p, 1) } }",
     "effect _e(p: player) { if p == players[0] or p != players[1] { gain(p, 1) } }"),
    ('card fox "Fox" : unit { aura { instead gain(you, n) {}  after dusk(you) { gain(you, 1) } } }',
     'card fox "Fox" : unit { aura { instead of gain(you, n) {}  on dusk(you) { gain(you, 1) } } }'),
    ('effect _e(p: player) { p choose one "One" { gain(p, 1) } else two "Two" { gain(p, 2) } }',
     'effect _e(p: player) { p choose one "One" { gain(p, 1) } or two "Two" { gain(p, 2) } }'),
    ('test "a": {\n  given { players[0].points: 3 }\n  when dusk(me) then assert me.points == 3\n}',
     'test "a" {\n  given { players[0].points = 3 }\n  when dusk(me) expect me.points == 3\n}'),
    ('test "a" {\n  when flow\n  me declines\n  expect log(me) contains "Done"\n}',
     'test "a" {\n  when flow\n  me chooses nothing\n  expect log(me) has "Done"\n}'),
    ('test "a" {\n  given each (n, m) { (1, 2) (2, 4) }\n  expect n * 2 == m\n}',
     'test "a" {\n  given each (n, m) { (1, 2), (2, 4) }\n  expect n * 2 == m\n}'),
    ("effect _e(p: player) { when p.points > 1 { gain(p, 1) } }",
     "effect _e(p: player) { if p.points > 1 { gain(p, 1) } }"),
    ('enum _size = { "small", large }', "enum _size { small, large }"),
    ('card fox "Fox" : unit { tribes: [birds beasts] }', 'card fox "Fox" : unit { tribes: [birds, beasts] }'),
    ('card fox "Fox" : unit { tribes: birds, beasts }', 'card fox "Fox" : unit { tribes: birds, beasts }'),
    ('card fox "Fox" : unit { aura { might(u) += 1 where u.quick } }',
     'card fox "Fox" : unit { aura { might(u) += 1 when u.quick } }'),
    ("value _v(p: player): list of unit = [u in p.hand where u.quick]",
     "value _v(p: player): list of unit = [u for u in p.hand where u.quick]"),
    ("value _v(p: player): unit? = the u in p.hand with u.quick",
     "value _v(p: player): unit? = the u in p.hand where u.quick"),
    ("zone _z: shared stack of unit max 3, public", "zone _z: shared list of unit at most 3, all see"),
    ("state _s: int 0\nstate _t: set of tribe = {}", "state _s: int = 0\nstate _t: set of tribe = []"),
    ("value _v(): int = 1  // lint off unused: it is meant", "value _v(): int = 1"),
    ("// lint off unused: it is meant\n\nvalue _v(): int = 1", "value _v(): int = 1"),
    (
        "value v(): int = 1  // lint off unused, never_read: it is meant",
        "value v(): int = 1  // lint off unused: it is meant",
    ),
    (
        "value v(): int = 1  // lint off never_read, unused: it is meant",
        "value v(): int = 1  // lint off unused: it is meant",
    ),
]  # fmt: skip


@pytest.mark.parametrize("text, better", SAFE)
def test_safe_fixes(text, better):
    assert mended(text + "\n", unsafe=False) == better + "\n"
    crlf = (text + "\n").replace("\n", "\r\n")
    assert mended(crlf, unsafe=False) == (better + "\n").replace("\n", "\r\n")


UNSAFE = [
    ("effect _e(p: player) { gian(p, 1) }", "effect _e(p: player) { gain(p, 1) }"),
    ("vlaue _v(): int = 1", "value _v(): int = 1"),
    ("card fox Fox : unit {}", 'card fox "Fox" : unit {}'),
    ("effect _e(p: player) { p.points + 1 }", "effect _e(p: player) { p.points += 1 }"),
    ("effect _e(p: player) { p.points == 1 }", "effect _e(p: player) { p.points = 1 }"),
    ("value _v(): int = 1 # one", "value _v(): int = 1 // one"),
    ("value _v(p: player): bool = !(p.points > 9)", "value _v(p: player): bool = not (p.points > 9)"),
    ("value _v(a: bool, b: bool): bool = a & b", "value _v(a: bool, b: bool): bool = a and b"),
    ('card fox "Fox" : unti { power: 3 }', 'card fox "Fox" : unit { power: 3 }'),
    ('card fox "Fox" : unit { powr: 3 }', 'card fox "Fox" : unit { power: 3 }'),
    ('card fox "Fox" : unit { tribes: [brids] }', 'card fox "Fox" : unit { tribes: [birds] }'),
    ("value v(): int = 1\n\nvalue _w(): int = 2", "value _w(): int = 2"),
    ("value _w(): int = 2\n\nvalue v(): int = w()\n\nvalue w(): int = 2", "value _w(): int = 2\n"),
    ("state s: int = 1\nzone z: shared list of unit, all see", ""),
    ("effect _e(p: player, n: int) { gain(p, 1) }", "effect _e(p: player, _n: int) { gain(p, 1) }"),
    ("effect _e() { let a = 1  for each p in players {} }", None),
    ("value _v(u: unit): int = power", "value _v(u: unit): int = u.power"),
    ('effect n() { tie }\ntest "over" {\n  when n\n  expect tie\n}',
     'effect n() { tie }\ntest "over" {\n  when n()\n  expect tie\n}'),
    ("effect _e() { let a = 1  gain(players[0], 1) }", "effect _e() { let _a = 1  gain(players[0], 1) }"),
]  # fmt: skip


@pytest.mark.parametrize("text, better", UNSAFE)
def test_unsafe_fixes(text, better):
    assert mended(text + "\n", unsafe=False) == text + "\n"
    if better is not None:
        assert mended(text + "\n", unsafe=True) == (better + "\n" if better else "")


def test_a_field_that_is_not_used_goes_if_nothing_gives_it():
    text = 'kind rock { weight: 0..9 = 1  flag big }\nzone z: shared list of rock, all see\n'
    text += "value _n(): int = count(z)\neffect _fill() { copy stone to z }\n"
    rock = 'card stone "Stone" : rock {}\n'
    game = GAME.replace("in catalog", "in catalog where c is unit").encode()
    done = fixing.mend([("a.card", (text + rock).encode()), ("g.card", game)], look, True)
    assert dict(done.files)["a.card"].decode() == text.replace("{ weight: 0..9 = 1  flag big }", "{ }") + rock
    rock = rock.replace("{}", "{ big }")
    done = fixing.mend([("a.card", (text + rock).encode()), ("g.card", game)], look, True)
    assert dict(done.files)["a.card"].decode() == text.replace("weight: 0..9 = 1  ", "") + rock
    assert [f.message for f in done.findings] == ["flag `big` of kind `rock` is not used"]


def test_a_fix_that_would_break_something_is_not_made():
    """The nearest name is that of a value with other arguments: what stands there is not made worse."""
    text = "effect _e(p: player) { if mihgt(1) == 1 { gain(p, 1) }  gian(p, 2) }\n"
    assert mended(text, unsafe=True) == text.replace("gian", "gain")


def test_what_overlaps_is_mended_in_rounds():
    source = Source("a.card", "abcdef")
    seen: list[bytes] = []

    def look_at(files):
        seen.append(files[0][1])
        text = files[0][1].decode()
        now = Source("a.card", text)
        found = []
        for word, better in (("bc", "B"), ("cd", "C"), ("ef", "E")):
            if word in text:
                at = text.index(word)
                fix = Fix(better, (Edit(now, at, at + len(word), better),), safe=True)
                found.append(Finding("W601", now, at, at + 2, word, fix=fix))
        return found

    done = fixing.mend([("a.card", source.text.encode())], look_at, False)
    assert done.files == [("a.card", b"aBdE")]
    assert [f.title for f in done.fixed] == ["B", "E"]


def test_a_fix_that_mends_nothing_is_made_once_at_most():
    def look_at(files):
        text = files[0][1].decode()
        now = Source("a.card", text)
        return [Finding("W601", now, 0, 1, "always", fix=Fix("add", (Edit(now, 0, 0, "x"),), safe=True))]

    done = fixing.mend([("a.card", b"a")], look_at, False)
    assert done.files == [("a.card", b"a")] and done.fixed == ()


def test_a_name_is_written_well_wherever_it_stands():
    text = "effect GainLuck(p: player) { p.points += 1 }  // GainLuck\n"
    text += 'card fox "GainLuck" : unit { aura { on GainLuck(you) { gain(you, 1) } } }\n'
    text += "effect _e() { GainLuck(players[0])  for each Q in players { GainLuck(Q) } }\n"
    text += 'effect Taken() { gain(players[0], 1) }\neffect taken() { Taken() }\neffect _f() { taken() }\n'
    files = [("a.card", text.encode()), ("g.card", GAME.encode())]

    def lint(some):
        return pipeline.linted(pipeline.analyse(some, None), lambda path: False).findings

    done = fixing.mend(files, lint, True)
    better = text.replace("effect GainLuck", "effect gain_luck").replace("on GainLuck", "on gain_luck")
    better = better.replace("{ GainLuck", "{ gain_luck").replace("Q in", "q in").replace("(Q)", "(q)")
    assert dict(done.files)["a.card"].decode() == better
    assert [f.message.split()[0] for f in done.findings] == ["`Taken`"], "the better name is another one's"
    assert fixing.mend(files, lint, False).files == files


# ---- The command


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.card").write_bytes(text.encode())
    return folder


def test_files_are_mended_on_disk(tmp_path, capsys):
    fox = '\ufeffcard fox "Fox" : unit { quick: true }\r\neffect _e(p: player) { gian(p, 1) }\r\n'
    folder = write(tmp_path, g=GAME, a=fox)
    (folder / "a.card").chmod(0o640)
    assert main(["check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert out.endswith("2 errors\ncan be mended: 1 by `--fix`, 1 by `--unsafe-fixes`\n")
    assert (folder / "a.card").read_bytes() == fox.encode(), "a look changes nothing"
    assert main(["check", str(folder), "--fix"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"fixed {folder}/a.card:1: E304: write `quick`\nerror[E101]: ")
    assert out.endswith("1 error\ncan be mended: 1 by `--unsafe-fixes`\n")
    assert main(["check", str(folder), "--unsafe-fixes"]) == 0
    assert capsys.readouterr().out.startswith(f"fixed {folder}/a.card:2: E101: write `gain`\nchecked Tiny 1.0.0: ")
    better = fox.replace("quick: true", "quick").replace("gian", "gain")
    assert (folder / "a.card").read_bytes() == better.encode()
    assert (folder / "a.card").stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in folder.iterdir()) == ["a.card", "g.card"]


def test_only_the_file_that_is_named_is_mended(tmp_path):
    fox = 'card fox "Fox" : unit {{ quick: true }}\n'
    folder = write(tmp_path, g=GAME, a=fox.format(), b=fox.format().replace("fox", "wolf"))
    assert main(["check", str(folder / "b.card"), "--fix"]) == 0
    assert (folder / "a.card").read_text() == fox.format()
    assert (folder / "b.card").read_text() == 'card wolf "Fox" : unit { quick }\n'


def test_a_base_game_is_never_mended(tmp_path):
    (tmp_path / "base").mkdir()
    base = write(tmp_path / "base", g=GAME, a="value idle(): int = 1\n")
    (tmp_path / "more").mkdir()
    head = 'expansion more "More" for tiny { version: "1.0.0" }\n'
    more = write(tmp_path / "more", a=head + "value idle2(): int = 1\n")
    assert main(["lint", str(more), "--base", str(base), "--unsafe-fixes"]) == 0
    assert (base / "a.card").read_text() == "value idle(): int = 1\n"
    assert (more / "a.card").read_text() == head


def test_json_tells_what_was_and_what_could_be_mended(tmp_path, capsys):
    folder = write(tmp_path, g=GAME, a='card fox "Fox" : unit { quick: true }\neffect _e(p: player) { gian(p, 1) }\n')
    main(["check", str(folder), "--format", "json", "--fix"])
    document = json.loads(capsys.readouterr().out)
    file = f"{folder}/a.card"
    assert document["fixed"] == [{"file": file, "line": 1, "code": "E304", "title": "write `quick`"}]
    fix = document["findings"][0]["fix"]
    assert (fix["title"], fix["safe"]) == ("write `gain`", False)
    (edit,) = fix["edits"]
    assert (edit["file"], edit["line"], edit["column"], edit["end_column"], edit["text"]) == (file, 2, 24, 28, "gain")
    main(["check", str(folder), "--format", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": {"startLine": 2, "startColumn": 24, "endLine": 2, "endColumn": 28},
         "insertedContent": {"text": "gain"}}
    ]  # fmt: skip


def test_a_file_that_cannot_be_written_is_one_line(tmp_path, capsys, monkeypatch):
    folder = write(tmp_path, g=GAME, a='card fox "Fox" : unit { quick: true }\n')

    def refuse(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cardc.package.os.replace", refuse)
    assert main(["check", str(folder), "--fix"]) == 2
    assert capsys.readouterr().err == f"cardc: cannot write {folder}/a.card: no space left on device\n"
    assert (folder / "a.card").read_text() == 'card fox "Fox" : unit { quick: true }\n'
    assert sorted(p.name for p in folder.iterdir()) == ["a.card", "g.card"]


def test_watching_and_mending_do_not_go_together(tmp_path, capsys):
    assert main(["check", str(write(tmp_path, g=GAME)), "--fix", "--watch"]) == 2
    assert "leave out --fix" in capsys.readouterr().err


def test_settings_and_fields_are_mended_too():
    text = GAME.replace('version: "1.0.0" ', "version: 1.0 ").replace("flag quick", "keyword quick")
    text = text.replace("points: 0 or more = 0, score", "points: 0 or more = 0, score, gold: 0..9 = 0")
    text = text.replace("power: 0..9 = 0", "int power = 0")
    done = fixing.mend([("g.card", text.encode())], look, False)
    better = GAME.replace("1.0.0", "1.0").replace("score }", "score gold: 0..9 = 0 }")
    better = better.replace("power: 0..9 = 0", "power: int = 0")
    assert dict(done.files)["g.card"].decode() == better
