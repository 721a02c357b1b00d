"""Decks in files: what is against the rules of a game, said at the line, and played from the file."""

import json
from pathlib import Path

import pytest
from cardc.__main__ import main

GAME = """game g "G" { version: "1"  players: 2 }
kind unit { power: 0..9 = 1 }
zone hand: each player list of unit, owner sees
zone heap: shared list of unit, all see
option large: bool = false "Decks of three"
deck {
  unit into hand
  require "A deck has two cards, or three" count(deck) == (if large then 3 else 2)
  require "No two of a kind" all(copies(c) == 1 for c in deck)
}
flow { alternate p from players[0] {
  p choose play u: unit in p.hand "Play" { move u to heap }
  if p.hand is empty { win p "Empty" }
} }
card one "One" : unit {}
card two "Two" : unit {}
card three "Three" : unit {}
card four "The fourth one" : unit {}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "g.card").write_text(GAME)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[str], str]:
    status = main(["deck", "check", "--for", "game", *args])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.txt", "one\ntwo\n"),
        ("d.txt", "\ufeff// mine\r\n1 one # good\r\n\r\n1x two // better"),
        ("d.txt", "1 X one\n0 three\n 1\ttwo "),
        ("d.json", '["two", "one"]'),
        ("d.json", '{"one": 1, "two": 1, "three": 0}'),
    ],
)
def test_the_forms_of_a_deck(folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    Path(name).write_text(text, newline="")
    assert check(capsys, name) == (0, [f"{name}: 2 cards, a legal deck of G 1"], "")


def test_each_broken_requirement_of_each_deck_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text("3 one\n")
    Path("b.txt").write_text("one\n\n2 tow\n1 2 3\n9999999 one\nONE\n2 The Fourth One\n")
    Path("c.txt").write_text("one\ntwo\n")
    status, out, err = check(capsys, "a.txt", "b.txt", "c.txt")
    assert (status, err) == (1, "")
    assert out == [
        "a.txt: A deck has two cards, or three",
        "a.txt: No two of a kind",
        "b.txt:3: no card is called `tow`: did you mean `two`?",
        "b.txt:4: `1 2 3` is not a count and a card's id, as in `2 cub`",
        "b.txt:5: more than 100,000 cards are no deck",
        "b.txt:6: no card is called `ONE`: its id is `one`",
        "b.txt:7: no card is called `The Fourth One`: its id is `four`",
        "c.txt: 2 cards, a legal deck of G 1",
    ]
    assert check(capsys, "a.txt", "--option", "large=true")[1] == ["a.txt: No two of a kind"]
    assert main(["deck", "check", "--for", "game", "a.txt", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "game": "G 1",
        "decks": [
            {
                "file": "a.txt",
                "cards": 3,
                "broken": [
                    {"line": None, "message": "A deck has two cards, or three"},
                    {"line": None, "message": "No two of a kind"},
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("d.txt", None, "cannot read d.txt: no such file or directory"),
        ("d.txt", b"\xff\xfe", "cannot read d.txt: it is not UTF-8"),
        ("d.json", b"[1,\n 2", "cannot read d.json:2: it is not JSON (Expecting ',' delimiter)"),
        ("d.json", b"7", "cannot read d.json: a deck is a list of card ids, or an object with their counts"),
        ("d.json", b"[" * 100_000, "cannot read d.json: it is not JSON"),
    ],
)
def test_what_is_no_deck(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    assert check(capsys, name) == (2, [], f"cardc: {said}\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('["one", 2]', "a deck is a list of card ids, or an object with their counts: entry 2 is neither"),
        ('{"one": "1"}', "the count of `one` is not 0, 1, 2 …"),
        ('{"one": 1e99}', "the count of `one` is not 0, 1, 2 …"),
        ('{"one": true}', "the count of `one` is not 0, 1, 2 …"),
        ('{"one": -1}', "the count of `one` is not 0, 1, 2 …"),
        ('{"one": 1, "one": 1}', "`one` has two counts"),
        ('{"one": 99999999}', "more than 100,000 cards are no deck"),
    ],
)
def test_what_is_wrong_in_a_deck_of_json_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    Path("d.json").write_text(content)
    assert check(capsys, "d.json") == (1, [f"d.json: {said}"], "")
    assert main(["sim", "game", "--deck", "0=d.json", "--deck", "1=d.json"]) == 2
    assert capsys.readouterr().err == f"cardc: d.json: {said}\n"


def test_a_game_without_decks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GAME[: GAME.index("deck {")] + GAME[GAME.index("flow {") :]
    (folder / "game" / "g.card").write_text(text)
    Path("d.txt").write_text("one")
    assert check(capsys, "d.txt") == (2, [], "cardc: G 1 has no decks\n")
    for command in ("play", "sim"):
        assert main([command, "game", "--deck", "0=d.txt"]) == 2
        assert capsys.readouterr().err == "cardc: G 1 has no decks: leave `--deck` out\n"


def test_decks_are_played_from_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text("one\ntwo")
    Path("b.json").write_text('["two", "three"]')
    Path("c.deck").write_text("two\nthree")
    Path("mine").write_text("two\nthree")
    play = ["sim", "game", "-n", "5", "--deck", "0=a.txt", "--deck"]
    for name in ("c.deck", "./mine"):
        assert main([*play, f"1={name}"]) == 0
    capsys.readouterr()
    assert main([*play, "1=mine"]) == 2
    assert capsys.readouterr().err == "cardc: no decklist is called mine; the file of that name is `./mine`\n"
    assert main([*play, "1=./b.json"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["player", "0", "wins"]
    Path("b.json").write_text('["two"]')
    assert main([*play, "1=b.json"]) == 2
    assert "the deck of player 1 breaks the rules: A deck has two cards, or three" in capsys.readouterr().err
    Path("a.txt").write_text("one\n1 2 3")
    assert main([*play, "1=b.json"]) == 2
    assert capsys.readouterr().err == "cardc: a.txt:2: `1 2 3` is not a count and a card's id, as in `2 cub`\n"


def test_without_a_decklist_decks_are_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text("one\ntwo")
    for command in ("play", "sim"):
        for args, files in (((), "--deck 0=FILE --deck 1=FILE"), (("--deck", "1=a.txt"), "--deck 0=FILE")):
            assert main([command, "game", *args]) == 2
            said = f"G 1 has no ready-made deck: say who plays which, {files}, or declare a `decklist`"
            assert capsys.readouterr().err == f"cardc: {said}\n"
    with (folder / "game" / "g.card").open("a") as file:
        file.write('decklist pair "A pair" { 1 one, 1 two }\n')
    assert main(["sim", "game", "-n", "2", "--deck", "1=a.txt"]) == 0


def test_matches_that_look_for_leaks_need_decks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "game", "--leaks"]) == 2
    said = "--leaks plays with the decks of the game, and it has none: declare a `decklist`"
    assert capsys.readouterr() == ("", f"cardc: {said}\n")
