"""`cardc diff`: what changed, in words, and what it breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cardc.cli.diff import _at_commit
from cardc.differ import compare, read
from cardc.package import own_files

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
        ("power: 3", "power: 4", "changed card bear: power: `3` is now `4`"),
        ("  quick", "", "changed card bear: no longer quick"),
        ("score(you, 1)", "score(you, 2)",
         "changed card cub: play: `score(you, 1)` is now `score(you, 2)`"),
        ('"Cub"', '"The Cub"', "changed card cub: its name: `Cub` is now `The Cub`"),
        ('card bear "Bear" : unit { power: 3  quick }\n', "",
         "removed card bear: Bear [breaks decks, expansions]"),
        ("card bear", "card wolf", "added card wolf: Bear"),
    ],
)  # fmt: skip
def test_cards(old, new, line):
    assert line in changes(CARDS, CARDS.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("= u.power", "= u.power + 1",
         "changed value worth: `value worth(u: unit): int = u.power` is now "
         "`value worth(u: unit): int = u.power + 1`"),
        ("score(p: player, n: int)", "score(p: player, n: 0..9)",
         "changed effect score: parameters `(p: player, n: int)` are now `(p: player, n: 0..9)` [breaks expansions]"),
        ("red, blue", "red, blue, green", "added enum color, member green"),
        ("red, blue", "red", "removed enum color, member blue [breaks expansions]"),
        ("flag quick", "flag quick  weight: 0..9", "added kind unit, weight [breaks expansions]"),
        ("flag quick", "flag quick  weight: 0..9 = 0", "added kind unit, weight"),
        ('version: "1.0.0"', 'version: "1.0.1"',
         'changed package tiny: `game tiny "Tiny" { version: "1.0.0" players: 2 }` is now '
         '`game tiny "Tiny" { version: "1.0.1" players: 2 }`'),
    ],
)  # fmt: skip
def test_frames(old, new, line):
    assert line in changes(CARDS, CARDS, (FRAME, FRAME.replace(old, new)))


HUNT = """\
card cub "Cub" : unit {
  power: 1
  play {
    score(you, 1)
    for each c in you.hand {
      if c.power > 2 { reveal c }
    }
  }
}
"""


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        # what comes first changes nothing that follows
        ("    score(you, 1)\n", "    reveal self\n    score(you, 1)\n", ["play: now also `reveal self`"]),
        ("    score(you, 1)\n", "", ["play: no longer `score(you, 1)`"]),
        ("c.power > 2", "c.power > 3", ["play, in `for each c in you.hand`: `if c.power > 2` is now `if c.power > 3`"]),
        ("{ reveal c }", "{ score(you, 1)  reveal c }",
         ["play, in `for each c in you.hand`, in `if c.power > 2`: now also `score(you, 1)`"]),
        ("in you.hand {", "in you.hand {  // all of them\n", []),
        ("power: 1\n", "power: 2  quick\n", ["power: `1` is now `2`", "now quick"]),
        ("  play {", "  play { // \"first\"\n    stop", ["play: now also `stop`"]),
    ],
)  # fmt: skip
def test_clauses_are_told_where_they_changed(old, new, lines):
    assert HUNT.count(old) == 1
    assert changes(HUNT, HUNT.replace(old, new)) == [f"changed card cub: {line}" for line in lines]


def test_the_inside_of_effects_setup_and_flow():
    found = changes(CARDS, CARDS, (FRAME, FRAME.replace("p.points += n ", "p.points += n + 1 ")))
    assert found == ["changed effect score: `p.points += n` is now `p.points += n + 1`"]
    found = changes(CARDS, CARDS, (FRAME, FRAME.replace("copy c to p.hand", "copy c to p.opponent.hand")))
    where = "in `for each p in players`, in `for each c in catalog`"
    assert found == [f"changed setup: {where}: `copy c to p.hand` is now `copy c to p.opponent.hand`"]
    found = changes(CARDS, CARDS, (FRAME, FRAME.replace('tie "Out of cards"', 'win p "Out of cards"')))
    assert len(found) == 1 and found[0].endswith('`tie "Out of cards"` is now `win p "Out of cards"`')


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        # another kind, or another name with nothing kept: another card under an old id
        ('cub "Cub" : unit { power: 1 ', 'cub "Cub" : trap { power: 1 ',
         "reused id cub: it was the unit 'Cub', and is the trap 'Cub' [breaks decks, expansions]"),
        ('bear "Bear" : unit { power: 3  quick }', 'bear "Den" : unit { power: 4 }',
         "reused id bear: it was the unit 'Bear', and is the unit 'Den' [breaks decks]"),
    ],
)  # fmt: skip
def test_ids_that_are_used_again(old, new, line):
    assert CARDS.count(old) == 1
    assert line in changes(CARDS, CARDS.replace(old, new))


def test_a_card_that_is_renamed_and_weakened_is_the_same_card():
    found = changes(CARDS, CARDS.replace('"Bear" : unit { power: 3', '"Old Bear" : unit { power: 2'))
    assert found == [f"changed card bear: {x}" for x in ("its name: `Bear` is now `Old Bear`", "power: `3` is now `2`")]


def test_decks():
    deck = 'deck {\n  unit into hand\n  require "Few" count(deck) <= 9\n}\ndecklist two "Two" { 2 cub, 1 bear }\n'
    old = (FRAME + deck, FRAME + deck.replace("<= 9", "<= 8").replace("2 cub, 1 bear", "1 cub, 1 fox"))
    assert changes(CARDS, CARDS, old) == [
        "changed requirement 'Few': `count(deck) <= 9` is now `count(deck) <= 8` [breaks decks]",
        "changed decklist two: 1 cub instead of 2",
        "changed decklist two: 0 bear instead of 1",
        "changed decklist two: 1 fox instead of 0",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("power: 0..9  color", "power: 0..12  color",
         "changed kind unit, power: `power: 0..9` is now `power: 0..12` [breaks expansions]"),
        ("{ red, blue }", "{ blue, red }", "changed enum color: the order of its members"),
        ("points: 0..9 = 0", "points: 0..9 = 1",
         "changed player, points: `points: 0..9 = 0, score` is now `points: 0..9 = 1, score` [breaks expansions]"),
        ("owner sees\nboard", "all see\nboard",
         "changed zone hand: `zone hand: each player list of unit, owner sees` is now "
         "`zone hand: each player list of unit, all see` [breaks expansions]"),
    ],
)  # fmt: skip
def test_members_of_the_frame(old, new, line):
    assert FRAME.count(old) == 1
    assert changes(CARDS, CARDS, (FRAME, FRAME.replace(old, new))) == [line]


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
        "changed card cub: power: `1` is now `2`",
        "outcome test 'a cub is worth one': it now fails",
        "1 changed, 1 outcome",
        "matches saved with the old version do not load in the new one",
    ]
    assert cardc("diff", "old", "old", cwd=folders).stdout == "nothing changed\n"


def test_breaking_levels(folders):
    assert cardc("diff", "old", "new", "--breaking", cwd=folders).returncode == 0
    assert cardc("diff", "old", "new", "--breaking", "saves", cwd=folders).returncode == 1
    assert cardc("diff", "old", "new", "--breaking", "everything", cwd=folders).returncode == 2
    run = cardc("diff", "old", "new", "--format", "json", "--breaking", "saves", cwd=folders)
    report = json.loads(run.stdout)
    assert report["saves"] is True and report["breaking"] == 0 and report["changes"][0]["breaks"] == []


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
    # a file is taken as it is, whatever its bytes, and links are none
    for name, data in (("odd.card", b"// \xff\r\n// no end"), ("empty.card", b""), ("n\u00e4me.card", b"// 1\n")):
        (folders / "new" / name).write_bytes(data)
    (folders / "new" / "link.card").symlink_to("cards.card")
    git("add", "new")
    git("commit", "-qm", "two")
    found = dict(_at_commit("HEAD", folders / "new"))
    assert found == {p.name: p.read_bytes() for p in (folders / "new").iterdir() if not p.is_symlink()}
    run = cardc("diff", "git:nothing", "new", cwd=folders)
    assert run.returncode == 2 and "git:nothing cannot be read" in run.stderr


def test_only_the_text_changed(folders):
    (folders / "new" / "cards.card").write_text(CARDS.replace("// small", "// tiny"))
    run = cardc("diff", "old", "new", cwd=folders)
    assert run.stdout == "only the text changed\nmatches saved with the old version do not load in the new one\n"
    assert run.returncode == 0 and cardc("diff", "old", "new", "--breaking", "saves", cwd=folders).returncode == 1


def test_a_version_with_errors_has_no_outcomes(folders):
    (folders / "new" / "cards.card").write_text(CARDS.replace("power: 1", "power: 12"))
    run = cardc("diff", "old", "new", "--breaking", cwd=folders)
    assert run.returncode == 1
    assert "outcome package: it no longer checks: cards.card:1: 12 is outside" in run.stdout
    assert "test" not in run.stdout


def test_a_released_id_that_is_used_again(folders):
    (folders / "new" / "ids.lock").write_text('card bear: unit "Brown Bear" gone\ncard cub: unit "Cub"\n')
    run = cardc("diff", "old", "new", "--breaking", "decks", cwd=folders)
    assert run.returncode == 1 and "reused id bear: `bear` was released as" in run.stdout


MORE = """\
expansion more "More" for tiny { version: "1" }
card wolf "Wolf" : unit { power: 2  play { score(you, worth(self)) } }
test "a wolf is worth two" {
  given { let w = new wolf }
  expect worth(w) == 2
}
"""


def test_expansions_are_tried_on_both(folders):
    (folders / "old" / "more").mkdir()
    (folders / "old" / "more" / "more.card").write_text(MORE)
    frame = folders / "new" / "frame.card"
    frame.write_text(FRAME.replace("int = u.power", "int = u.power + 1"))
    run = cardc("diff", "old", "new", "--breaking", "expansions", cwd=folders)
    assert run.returncode == 1
    assert run.stdout.endswith("\n1 of these breaks expansions\n")
    assert "outcome test 'a wolf is worth two' of expansion more: it now fails [breaks expansions]\n" in run.stdout
    frame.write_text(FRAME.replace("score(p: player, n: int)", "score(p: player, n: int, twice: bool)"))
    text = cardc("diff", "old", "new", cwd=folders).stdout
    assert "outcome package: it no longer checks" in text
    frame.write_text(FRAME.replace("score(p: player, n: int)", "score(p: player, n: int, twice: bool = false)"))
    assert "expansion more" not in cardc("diff", "old", "new", cwd=folders).stdout
    frame.write_text(FRAME.replace("worth(", "value_of("))
    cards = folders / "new" / "cards.card"
    cards.write_text(cards.read_text().replace("worth(", "value_of("))
    text = cardc("diff", "old", "new", cwd=folders).stdout
    assert "outcome expansion more: it no longer checks: more.card:2: no value is called `worth`" in text
    # the same, named: as when it lies elsewhere
    (folders / "old" / "more").rename(folders / "more")
    assert "outcome expansion more" in cardc("diff", "old", "new", "--expansion", "more", cwd=folders).stdout
    assert "outcome expansion more" not in cardc("diff", "old", "new", cwd=folders).stdout
    run = cardc("diff", "old", "new", "--expansion", "old", cwd=folders)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", "cardc: old is no expansion of tiny\n")


def test_a_commit_holds_only_the_files_of_the_package():
    files = [("a.card", b"game g"), ("more/m.card", b"expansion m"), ("x/y.card", b""), (".old/b.card", b""),
             ("more/deep/z.card", b""), ("ids.lock", b"")]  # fmt: skip
    assert [path for path, _ in own_files(files)] == ["a.card", "ids.lock", "x/y.card"]
