"""Packages that are loaded together: what each declares stays its own, and what clashes is told in one line."""

from __future__ import annotations

from pathlib import Path

import card_runtime as rt
import pytest
from cardc import pipeline
from cardc.cli.play import source_line, source_lines
from cardc.package import UsageError
from cardc.testing import run_tests

BASE = """
game base "Base" { version: "VERSION"  players: 2 }
open enum hue { red, green }
kind thing { hue: hue  slot aura: static in table }
zone hand: each player list of thing, all see
board table { things: each player list of thing, all see }
value reds(p: player): list of thing = [c for c in p.hand where c.hue == red]
value total(p: player): int = count(reds(p)) + count(reds(p))
state seen: int = 0
effect look(p: player) { for each c in p.hand where total(p) > 0 and c.hue == red { seen += total(p) } }
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
flow {
  repeat 3 {
    players[0] choose lay c: thing in players[0].hand { move c to table.things[players[0]]  look(players[0]) }
  }
  if seen > 0 { win players[0] "seen" }
  tie "blind"
}
deck { thing into hand  require "Two things" count(deck) == 2 }
card apple "Apple" : thing { hue: red }
card leaf "Leaf" : thing { hue: green }
decklist plain "Plain" { 1 apple, 1 leaf }
"""

MORE = """
expansion NAME "More" for base { version: "1" }
extend enum hue { HUE }
value VALUE(p: player): int = count(c in p.hand where c.hue == HUE)
card CARD "Card" : thing { hue: HUE  aura { total(p) += VALUE(p) + VALUE(p) when VALUE(p) > 0 } }
test "what is remembered is not mixed up" {
  given {
    me.hand = [apple, apple, apple, CARD]
    table.things[me] = [CARD]
  }
  expect total(me) == 8
  when look(me)
  expect seen == 24
}
"""


def write(folder: Path, text: str, **names: str) -> Path:
    folder.mkdir()
    for name, to in names.items():
        text = text.replace(name, to)
    (folder / "all.card").write_text(text)
    return folder


@pytest.fixture
def built(tmp_path):
    """Builds packages from names: `built("blue", HUE="blue", …)`."""
    base = write(tmp_path / "base", BASE, VERSION="1.0.0")
    outcome, game = pipeline.build(base, tmp_path / "built" / "base")
    assert outcome.files is not None, outcome.findings

    def build(name: str, **names: str) -> Path:
        defaults = {"HUE": f"{name}_hue", "VALUE": f"{name}_count", "CARD": f"{name}_card"} | names
        folder = write(tmp_path / name, MORE, NAME=name, **defaults)
        outcome, where = pipeline.build(folder, tmp_path / "built" / name, base=game)
        assert outcome.files is not None, [f.message for f in outcome.findings]
        return where

    build.base, build.tmp = game, tmp_path
    return build


def test_values_of_an_expansion_are_remembered_apart(built):
    built("blue")
    outcome, results = run_tests(built.tmp / "blue", base=built.base)
    assert not [f for f in outcome.findings if f.severity == "error"]
    assert [r.message for r in results] == [""]


def test_locals_of_the_base_hide_nothing_of_an_expansion(built):
    """Whoever writes an expansion need not know what the rules of the game call their locals."""
    text = """
expansion odd "Odd" for base { version: "1" }
card c "C" : thing { hue: red }
card p "P" : thing { hue: red  aura { total(you) += 10 } }
decklist count_of_p "P" { 1 p, 1 c }
test "both are cards like others" {
  given { me.hand = [c, c, apple]  table.things[me] = [p] }
  expect total(me) == 16
  when look(me)
  expect seen == 48
}
"""
    folder = write(built.tmp / "odd", text)
    outcome, results = run_tests(folder, base=built.base)
    assert [f.message for f in outcome.findings] == []
    assert [r.message for r in results] == [""]
    outcome, where = pipeline.build(folder, built.tmp / "built" / "odd", base=built.base)
    match = rt.load(built.base, expansions=[where]).start(1, decks=["count_of_p", None])
    match.choose("lay p")
    assert match.get("total", "me") > 10
    (folder / "more.card").write_text("effect own(c: player) { for each p in c.hand { look(c) } }\n")
    outcome, _ = run_tests(folder, base=built.base)  # its own locals do
    assert [f.message for f in outcome.findings if f.code == "E104"] == [
        "parameter `c` hides another name", "local `p` hides another name",
    ]  # fmt: skip


def test_two_expansions_play_together(built):
    game = rt.load(built.base, expansions=[built("blue"), built("gold")])
    deck = ["blue_card", "gold_card"]
    match = game.start(1, decks=[deck, None])
    assert {o.id for o in match.decision.options} >= {"lay blue_card", "lay gold_card"}
    assert match.get("blue_count", "me") == 2  # of the deck and of the catalog
    match.choose("lay blue_card")
    assert game.restore(match.to_json()).state_hash() == match.state_hash()


def test_places_say_of_which_package_they_are(built):
    """The three packages have a file `all.card` each."""
    game = rt.load(built.base, expansions=[built("blue"), built("gold")])
    match = game.start(1, decks=[["gold_card", "blue_card"], None])
    match.choose("lay gold_card")
    steps = match.why("total", "me")
    at = [line for line, text in enumerate(MORE.splitlines(), 1) if "aura" in text]
    assert [(s["card"], s["file"], s["line"]) for s in steps] == [
        (None, "all.card", 8),
        ("gold_card#1", "gold/all.card", at[0]),
    ]
    line = source_line(source_lines(game.folders))
    assert line("all.card", 8) == "value total(p: player): int = count(reds(p)) + count(reds(p))"
    assert line("gold/all.card", 4) == "value gold_count(p: player): int = count(c in p.hand where c.hue == gold_hue)"
    assert line("blue/all.card", 4) == "value blue_count(p: player): int = count(c in p.hand where c.hue == blue_hue)"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"CARD": "blue_card"}, "card blue_card is declared by blue and by gold: rename one"),
        ({"VALUE": "blue_count"}, "value blue_count is declared by blue and by gold: rename one"),
        ({"HUE": "blue_hue"}, "member of hue blue_hue is declared by blue and by gold: rename one"),
    ],
)
def test_a_clash_of_two_expansions(built, names, said):
    with pytest.raises(rt.LoadError) as error:
        rt.load(built.base, expansions=[built("blue"), built("gold", **names)])
    assert str(error.value) == said


def test_an_expansion_given_twice(built):
    blue = built("blue")
    with pytest.raises(rt.LoadError, match="expansion blue is given twice"):
        rt.load(built.base, expansions=[blue, blue])


@pytest.mark.parametrize(
    ("names", "code"), [({"CARD": "apple"}, "E109"), ({"VALUE": "total"}, "E109"), ({"HUE": "red"}, "E102")]
)
def test_a_clash_with_the_base(built, names, code):
    defaults = {"HUE": "blue", "VALUE": "blue_count", "CARD": "blue_card"} | names
    folder = write(built.tmp / "blue", MORE, NAME="blue", **defaults)
    outcome, _ = pipeline.build(folder, built.tmp / "built" / "blue", base=built.base)
    assert outcome.files is None and code in [f.code for f in outcome.findings]


def test_another_version_of_the_base(built):
    blue = built("blue")
    (built.tmp / "base" / "all.card").write_text(BASE.replace("VERSION", "1.1.0"))
    _, newer = pipeline.build(built.tmp / "base", built.tmp / "built" / "newer")
    with pytest.raises(rt.LoadError) as error:
        rt.load(newer, expansions=[blue])
    assert str(error.value) == (
        "expansion blue was not built on this base 1.1.0 but on base 1.0.0: build it again on this one"
    )


def test_another_build_of_the_same_version(built):
    blue = built("blue")
    (built.tmp / "base" / "all.card").write_text(BASE.replace("VERSION", "1.0.0").replace("Leaf", "A leaf"))
    _, other = pipeline.build(built.tmp / "base", built.tmp / "built" / "other")
    with pytest.raises(rt.LoadError, match=r"this base 1\.0\.0 but on another build of it"):
        rt.load(other, expansions=[blue])


def test_another_game(built):
    blue = built("blue")
    other = write(built.tmp / "else", BASE.replace("game base", "game other"), VERSION="1.0.0")
    _, game = pipeline.build(other, built.tmp / "built" / "other")
    with pytest.raises(rt.LoadError, match="expansion blue is for base, not for other"):
        rt.load(game, expansions=[blue])
    outcome, _ = pipeline.build(built.tmp / "blue", built.tmp / "built" / "again", base=game)
    assert [f.code for f in outcome.findings] == ["E111"]  # and nothing about all that is missing therefore


def test_no_base(built):
    folder = write(built.tmp / "alone", MORE, NAME="alone", HUE="blue", VALUE="blues", CARD="blue_card")
    with pytest.raises(UsageError, match="builds on base: say where that is with `--base`"):
        pipeline.build(folder, built.tmp / "built" / "alone")
    with pytest.raises(rt.LoadError, match="is no game but an expansion"):
        rt.load(built("blue"))


def test_a_deck_with_cards_that_are_not_loaded(built):
    game = rt.load(built.base)
    (said,) = game.check_deck(["apple", "blue_card"])
    assert said.startswith("no card is called blue_card")
    with pytest.raises(rt.InputError, match="no card is called blue_card"):
        game.start(1, decks=[["apple", "blue_card"], None])
