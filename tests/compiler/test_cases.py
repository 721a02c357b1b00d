"""Tests over a table: one test a row, named by its values, told at its line."""

import json
from pathlib import Path

import pytest
from cardc.__main__ import main
from cardc.suite import suite_of
from cardc.testing import run_files

GAME = """\
game tiny "Tiny" { version: "1"  players: 2 }
option goal: 1..9 = 3 "Points to win"
enum color { red, blue }
player { points: 0..9 = 0, score }
kind unit { power: 0..9  color: color = red }
zone hand: each player list of unit, owner sees
value worth(u: unit): int = u.power + (if u.color == blue then goal else 0)
effect add(p: player, n: int) { p.points += n }
setup { for each c in catalog { copy c to players[0].hand } }
flow { loop { players[0] choose play u: unit in players[0].hand "Play" { add(players[0], worth(u))  win players[0] } } }
card cub "Cub" : unit { power: 1 }
card bear "Bear" : unit { power: 4  color: blue }
"""
LINES = GAME.count("\n")


def run(test: str):
    return run_files([("tiny.card", (GAME + test).encode())], None)


def findings(test: str) -> list[tuple[str, int, str]]:
    outcome, _, _ = run(test)
    return [(f.code, f.source.line(f.start) - LINES, f.message) for f in outcome.findings]


def test_each_row_is_a_test_of_its_own():
    outcome, _, results = run(
        """\
test "points stop at nine" covers T-1 {
  given each (before, more, after) {
    (0, 1, 1),
    (5, 7, 8),
    (2, -3, 0)
  }
  given { me.points = before }
  when add(me, more)
  expect me.points == after
}
"""
    )
    assert outcome.tests == 3
    assert [(r.title, r.line - LINES, r.passed, r.covers) for r in results] == [
        ("points stop at nine (before: 0, more: 1, after: 1)", 3, True, ("T-1",)),
        ("points stop at nine (before: 5, more: 7, after: 8)", 4, False, ("T-1",)),
        ("points stop at nine (before: 2, more: -3, after: 0)", 5, True, ("T-1",)),
    ]
    # 5 + 7 stops at 9
    assert results[1].message.splitlines() == [
        f"tiny.card:{LINES + 9}: expect me.points == after",
        "  expected this to hold, but it does not",
        "    me.points is 9",
    ]


def test_values_may_be_cards_members_players_options_and_sums():
    _, _, results = run(
        """\
test "worth" {
  given each (who, g, hue, sum, owner) {
    (cub, 5, red, 0 + 1, me), (bear, 2, blue, 4 + 2, opponent)
  }
  given { option goal = g  let c = new who  owner.hand = [c] }
  expect worth(c) == sum and c.color == hue and c is who and c.owner == owner
}
"""
    )
    assert [(r.passed, r.message) for r in results] == [(True, ""), (True, "")]
    assert results[1].title == "worth (who: bear, g: 2, hue: blue, sum: 4 + 2, owner: opponent)"


def test_a_value_is_put_in_as_a_whole():
    _, _, results = run(
        """\
test "twice" {
  given each (n, twice) { (1 + 2, 6) }
  expect 2 * n == twice and me.points == 0
}
"""
    )
    assert [r.passed for r in results] == [True]


def test_a_filter_finds_rows_by_their_values():
    test = 'test "t" {\n  given each (n) { (1), (2) }\n  expect me.points < n\n}\n'
    suite = suite_of([("tiny.card", (GAME + test).encode())], None)[1]
    assert suite is not None
    assert suite.numbers("n: 2") == [1] and suite.numbers("t (") == [0, 1]


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ("(n, m) { (1, 2), (1) }", ("E202", 2, "this row has 1 value, and there are 2 columns")),
        ("(n, m) { (1, 2), (1, 2) }", ("E302", 2, "this row says what another says")),
        ("(n, n) { (1, 2) }", ("E302", 2, "column `n` is given twice")),
        ("(me, m) { (1, 2) }", ("E103", 2, "`me` is a built-in name")),
        ("(cub, m) { (1, 2) }", ("E104", 2, "column `cub` hides another name")),
        ("(n, m) { (1, 12) }", ("E303", 2, "12 is outside `0..9`")),
        ("(n, m) { (1, red) }", ("E201", 2, "`red` is a member of `color`, but `0..9` is needed")),
    ],
)
def test_what_is_wrong_with_a_table(table, wanted):
    test = f'test "t" {{\n  given each {table}\n  given {{ me.points = m }}\n  expect me.points > n\n}}\n'
    if "n, m" not in table:
        test = test.replace("> n", "> 0")
    found = findings(test)
    assert found == [wanted] or (wanted in found and wanted[0] == "E302")


def test_a_column_that_nothing_reads_is_a_warning():
    assert findings('test "t" {\n  given each (n, m) { (1, 2) }\n  expect me.points < n\n}\n') == [
        ("W601", 2, "column `m` is not used")
    ]


def test_a_local_cannot_have_the_name_of_a_column():
    found = findings('test "t" {\n  given each (n) { (1) }\n  let n = me.points\n  expect me.points < n\n}\n')
    assert ("E104", 3, "local `n` hides another local") in found


def test_new_wants_a_card_in_every_row():
    test = 'test "t" {\n  given each (c) { (cub), (3) }\n  given { let x = new c }\n  expect x.power == 1\n}\n'
    found = findings(test)
    assert ("E201", 2, "`new …` wants the name of a card, and this is none") in found


def test_the_command_tells_the_line_of_the_row(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.card").write_text(
        GAME + 'test "t" {\n  given each (n) {\n    (0),\n    (1)\n  }\n  expect me.points == n\n}\n'
    )
    assert main(["test", "."]) == 1
    out = capsys.readouterr().out
    assert f"failed: t (n: 1)\n  --> tiny.card:{LINES + 4}\n  tiny.card:{LINES + 6}: expect me.points == n\n" in out
    assert out.endswith("1 passed, 1 failed\n")
    assert main(["check", ".", "--format", "text"]) == 0
    assert "2 cards, 2 tests" in capsys.readouterr().out
    main(["test", ".", "--format", "json"])
    rows = json.loads(capsys.readouterr().out)["tests"]
    assert [(r["title"], r["line"] - LINES) for r in rows] == [("t (n: 0)", 3), ("t (n: 1)", 4)]
