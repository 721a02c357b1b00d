"""`cardc diff`: what changed, in words, and what it breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cardc.differ import compare, read

FRAME = """\
game tiny "Tiny" { version: "1.0.0"  players: 2 }
option goal: 1..9 = 3 "Points to win"
player { points: 0..9 = 0, score }
enum color { red, blue }
kind unit { power: 0..9  color: color = red  flag quick  slot play: effect in stage }
zone hand: each player list of unit, owner sees
board stage { cards: each player list of unit, all see }
value worth(u: unit): int = u.power
effect score(p: player, n: int) { p.points += n  if p.points >= goal { win p "Goal" } }
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
flow {
  alternate p from players[0] {
    p choose play u: unit in p.hand "Play" { move u to stage.cards[p]  run u.play  score(p, worth(u)) }
    else { tie "Out of cards" }
  }
}
"""
CARDS = """\
card cub "Cub" : unit { power: 1  play { score(you, 1) } }  // small
card bear "Bear" : unit { power: 3  quick }
test "a cub is worth one" {
  given { let c = new cub }
  expect worth(c) == 1
}
"""


def changes(old: str, new: str, frame: tuple[str, str] = (FRAME, FRAME)) -> list[str]:
    files = zip(frame, (old, new), strict=True)
    sides = [read([("frame.card", f.encode()), ("cards.card", c.encode())]) for f, c in files]
    return [c.line() for c in compare(*sides)]


def test_comments_and_spaces_are_no_change():
    assert changes(CARDS, CARDS.replace("  // small", "").replace("power: 1", "power:1")) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("power: 3", "power: 4", "changed card bear: power: `3` is now `4` [breaks saves]"),
        ("  quick", "", "changed card bear: quick: no longer `yes` [breaks saves]"),
        ("score(you, 1)", "score(you, 2)",
         "changed card cub: play, clause 1: `score(you, 1)` is now `score(you, 2)` [breaks saves]"),
        ('"Cub"', '"The Cub"', "changed card cub: its name: `Cub` is now `The Cub`"),
        ('card bear "Bear" : unit { power: 3  quick }\n', "",
         "removed card bear: Bear [breaks saves, decks, expansions]"),
        ("card bear", "card wolf", "added card wolf: Bear [breaks saves]"),
    ],
)  # fmt: skip
def test_cards(old, new, line):
    assert line in changes(CARDS, CARDS.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("= u.power", "= u.power + 1",
         "changed value worth: `value worth(u: unit): int = u.power` is now "
         "`value worth(u: unit): int = u.power + 1` [breaks saves]"),
        ("score(p: player, n: int)", "score(p: player, n: 0..9)",
         "changed effect score: its parameters [breaks saves, expansions]"),
        ("red, blue", "red, blue, green", "added enum color, member green [breaks saves]"),
        ("red, blue", "red", "removed enum color, member blue [breaks saves, expansions]"),
        ("flag quick", "flag quick  weight: 0..9", "added kind unit, weight [breaks saves, expansions]"),
        ("flag quick", "flag quick  weight: 0..9 = 0", "added kind unit, weight [breaks saves]"),
        ('version: "1.0.0"', 'version: "1.0.1"',
         'changed package tiny: `game tiny "Tiny" { version: "1.0.0" players: 2 }` is now '
         '`game tiny "Tiny" { version: "1.0.1" players: 2 }`'),
    ],
)  # fmt: skip
def test_frames(old, new, line):
    assert line in changes(CARDS, CARDS, (FRAME, FRAME.replace(old, new)))


def cardc(*args: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "cardc", *map(str, args)], capture_output=True, text=True, cwd=cwd)


@pytest.fixture
def folders(tmp_path):
    for name, cards in (("old", CARDS), ("new", CARDS.replace("power: 1", "power: 2"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "frame.card").write_text(FRAME)
        (tmp_path / name / "cards.card").write_text(cards)
    return tmp_path


def test_the_command_runs_the_tests_of_both(folders):
    run = cardc("diff", "old", "new", cwd=folders)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "changed card cub: power: `1` is now `2` [breaks saves]",
        "outcome test 'a cub is worth one': it now fails",
        "1 changed, 1 outcomes",
    ]
    assert cardc("diff", "old", "old", cwd=folders).stdout == "nothing changed\n"


def test_breaking_levels(folders):
    assert cardc("diff", "old", "new", "--breaking", cwd=folders).returncode == 0
    assert cardc("diff", "old", "new", "--breaking", "saves", cwd=folders).returncode == 1
    assert cardc("diff", "old", "new", "--breaking", "everything", cwd=folders).returncode == 2
    run = cardc("diff", "old", "new", "--format", "json", "--breaking", "saves", cwd=folders)
    report = json.loads(run.stdout)
    assert report["breaking"] == 1 and report["changes"][0]["breaks"] == ["saves"]


def test_built_packages_and_commits(folders):
    assert cardc("build", "old", "-o", "built", cwd=folders).returncode == 0
    assert "power: `1` is now `2`" in cardc("diff", "built", "new", cwd=folders).stdout

    def git(*args: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *args], cwd=folders, check=True, capture_output=True)

    git("init", "-q")
    git("add", "new")
    git("commit", "-qm", "one")
    (folders / "new" / "cards.card").write_text(CARDS.replace("power: 1", "power: 5"))
    assert "power: `2` is now `5`" in cardc("diff", "git:HEAD", "new", "--no-tests", cwd=folders).stdout
    run = cardc("diff", "git:nothing", "new", cwd=folders)
    assert run.returncode == 2 and "git:nothing cannot be read" in run.stderr
