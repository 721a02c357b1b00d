"""`cardc explain GAME CARD`: each clause in words, with the rules it touches and where they stand."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cardc import nodes as n
from cardc import pipeline
from cardc.__main__ import main
from cardc.account import Survey, account, find_card
from cardc.nesting import walk
from cardc.parse import parse_file
from cardc.source import Source
from cardc.symbols import Symbols
from cardc.wording import Words, article

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.name for path in (ROOT / "cards").iterdir() if any(path.glob("*.card")))

GAME = """
game g "The Game" { version: "1"  players: 2 }
option limit: 1..9 = 5 "How much is enough"
enum color { red, blue }
player { life: 0..20 = 20, score "At 0 the match is lost"  bid: 0..9 = 0, owner sees }
kind unit {
  power: 0..9 = 0 "What it is worth"
  color: color
  flag swift "It comes unseen"
  state tired: bool = false
  slot aura: static in lanes when self.face_up and not self.tired "While it stands"
  slot entry: effect in lanes "When it comes"
  form grown(level: 2..3) "Its later self"
}
zone hand: each player list of unit, owner sees
zone pile: shared list of unit, nobody sees "The rest"
board lanes: 2 of lane { level: 0..9 = 1 "Its height"  units: each player list of unit, all see }
value power(u: unit in lanes): 0 or more = u.power  // the base
  + u.lane.level
value free(p: player): bool = count(p.hand) < limit
value strength(p: player): int = sum(power(u) for u in lanes.units[p])
effect hurt(target: player, amount: 0 or more) {
  target.life -= amount
  if target.life == 0 { win target.opponent "Life" }
}
effect rested() {}
effect enter(u: unit in hand, l: lane) {
  move u to l.units[u.owner]
  run u.entry
}
setup { for each c in catalog { copy c to pile }  for each p in players { draw 2 from pile to p.hand } }
flow {
  loop as round {
    for each p in players where free(p) {
      p choose play u: unit in p.hand, l: lane in lanes "Play" { enter(u, l) }
    }
    for each p in players where strength(p) > strength(p.opponent) { hurt(p.opponent, 1) }
  }
}
card drummer "the Drummer" : unit {
  color: red
  aura {
    power(u) += 2 when u.owner == you and u != self and u.lane == self.lane priority -1
    free(you) = true
    once per round { on hurt(you, amount) when amount >= 2 { hurt(you.opponent, 1) } }
    instead of hurt(you, amount) when not self.swift {}
    on enter(u, self.lane) may rest "Rest" { self.tired = true }
  }
}
card herald "the Herald" : unit {
  power: 3  color: blue  swift
  entry {
    you may choose tire u: unit in self.lane.units[you.opponent] where not u.tired "Tire one" { u.tired = true }
      or rest "Rest" when you.life < 5 { rested() } else { draw 1 from pile to you.hand }
    until end of round { power(self) *= 2 }
    for each p in players { p.bid = 0 }
  }
  form grown(level: 2) { power: 5  aura { power(self) = 7 } }
}
card plain "A Plain One" : unit { color: blue }
"""

Told = Callable[[str], list[str]]


def symbols(files: list[tuple[str, bytes]]) -> Symbols:
    checked = pipeline.analyse(files, None)
    assert checked.symbols is not None
    assert [f.message for f in checked.findings if f.severity == "error"] == []
    return checked.symbols


@pytest.fixture(scope="module")
def told() -> Told:
    s = symbols([("game.card", GAME.encode())])

    def tell(name: str) -> list[str]:
        card = find_card(s, name)
        assert card is not None
        return ["  " * deep + text for deep, text in account(s, card, "The Game")]

    return tell


def line(text: str) -> str:
    """The place of the first line that holds the text."""
    return f"game.card:{next(i for i, line in enumerate(GAME.splitlines(), 1) if text in line)}"


def test_what_is_printed_with_the_help_of_the_kind(told: Told) -> None:
    lines = told("herald")
    assert lines[0] == f"the Herald (herald) is a unit of The Game, {line('card herald')}"
    assert f"  power 3: What it is worth, {line('  power: 0..9')}" in lines
    assert f"  color blue, {line('  color: color')}" in lines
    assert f"  swift: It comes unseen, {line('flag swift')}" in lines
    assert f"  power 0 (the default): What it is worth, {line('  power: 0..9')}" in told("drummer")
    assert not any(text.startswith("  swift") for text in told("drummer"))


def test_clauses_of_an_ability(told: Told) -> None:
    lines = told("drummer")
    works = "if this card is face up and this card is not tired"
    start = lines.index(f"aura: holds as long as the card lies in lanes, {works}")
    assert lines[start + 1 : start + 9] == [
        f"  In the rules: While it stands, {line('slot aura')}",
        "  1. Power, for any u: 2 more, if u's owner is this card's owner and u is not this card and u's lane is"
        f" this card's lane (priority -1: earlier than others), {line('power(u) += 2')}",
        f"  2. Free, for its owner: it is true, {line('free(you) = true')}",
        f"  3. Once in each round only, {line('once per round')}:",
        "      after the event hurt, for its owner and any amount, if amount is at least 2: event hurt, with target"
        " its owner's opponent, amount 1",
        "  4. Instead of the event hurt, for its owner and any amount, if this card is not swift: nothing happens,"
        f" {line('instead of hurt')}",
        f"  5. After the event enter, for any u and this card's lane, {line('may rest')}:",
        '      its owner may choose "Rest": this card becomes tired',
    ]


def test_clauses_of_an_effect(told: Told) -> None:
    lines = told("herald")
    start = lines.index(f"entry: is carried out with the card in lanes, by effect enter ({line('run u.entry')})")
    assert lines[start + 2 : start + 10] == [
        f"  1. Its owner may choose one of these, {line('you may choose tire')}:",
        "      a unit u in its owner's opponent's units in this card's lane where u is not tired"
        ' ("Tire one"): u becomes tired',
        '      "Rest", if its owner\'s life is less than 5: event rested',
        "    if nothing is chosen: draw 1 from pile to its owner's hand",
        f"  2. From now on, until the round is over, {line('until end of round')}:",
        "      power, for this card: times 2",
        f"  3. For each p in players: set p's bid to 0, {line('p.bid = 0')}",
        "",
    ]


def test_forms(told: Told) -> None:
    lines = told("herald")
    instead = "what it says takes the place of the card's own"
    start = lines.index(f"Form grown (level 2), {line('form grown(level: 2) {')}: {instead}")
    assert lines[start + 1] == f"  power 5, {line('form grown(level: 2) {')}"
    assert lines[start + 2].startswith("  aura: holds as long as")
    assert f"    1. Power, for this card: it is 7, {line('form grown(level: 2) {')}" in lines


def test_what_the_clauses_touch(told: Told) -> None:
    lines = told("drummer")
    touched = lines[lines.index("What it touches") :]
    assert f"  value power(u: unit in lanes): 0 or more = u.power + u.lane.level, {line('value power')}" in touched
    assert "    other cards that change it: the Herald" in touched
    assert f"    read by value strength ({line('value strength')})" in touched
    assert f"  value free(p: player): bool = count(p.hand) < limit, {line('value free')}" in touched
    assert f"    read by the flow ({line('where free(p)')})" in touched
    assert f"  event hurt(target: player, amount: 0 or more), {line('effect hurt')}" in touched
    assert f"    happens in the flow ({line('hurt(p.opponent, 1)')})" in touched
    assert f"  state tired, of each unit, bool, {line('state tired')}" in touched
    assert f"  period round: begun by the flow ({line('loop as round')})" in touched
    herald = told("herald")
    assert f"  state life, of each player, 0..20: At 0 the match is lost, {line('life: 0..20')}" in herald
    assert f"  state bid, of each player, which its owner alone sees, 0..9, {line('bid: 0..9')}" in herald
    assert f"  zone pile, which nobody sees: The rest, {line('zone pile')}" in herald


def test_a_card_without_abilities(told: Told) -> None:
    lines = told("a plain one")
    assert "It has no ability of its own: it does what every such card does." in lines
    assert "What it touches" not in lines


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_every_game_is_told_whole(game: str) -> None:
    folder = ROOT / "cards" / game
    files, on = pipeline.prepare(folder, None)
    checked = pipeline.analyse(files, on)
    s = checked.symbols
    assert s is not None and s.cards
    survey = Survey(s)
    for card in s.cards.values():
        text = "\n".join(words for _, words in account(s, card, "G", survey=survey))
        assert card.title in text and "None" not in text.replace(card.title, "")
        for slot in walk(card.decl):
            if isinstance(slot, n.CardSlot):
                for number, item in enumerate(slot.body.items, 1):
                    assert f"{number}. " in text
                    assert f"{card.source.path}:{card.source.line(item.span[0])}" in text
        for node in walk(card.decl):
            if isinstance(node, n.Call) and node.name.text in s.values:
                assert f"value {node.name.text}(" in text
            if isinstance(node, n.Call) and node.name.text in s.effects:
                assert f"event {node.name.text}(" in text


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_every_game_has_words(game: str) -> None:
    files, on = pipeline.prepare(ROOT / "cards" / game, None)
    s = pipeline.analyse(files, on).symbols
    assert s is not None
    words = Words(s)
    for u in s.units:
        for node in walk(u.decl):
            if isinstance(node, n.Block):
                assert all(text for _, text in words.lines(node))


def test_every_construct_has_words() -> None:
    source = Source("corpus.card", (Path(__file__).with_name("front_corpus.card")).read_text(encoding="utf-8"))
    declarations, _ = parse_file(source)
    words = Words(Symbols())
    items = [node for decl in declarations for node in walk(decl) if isinstance(node, n.Block)]
    assert len(items) > 20
    for block in items:
        for _, text in words.lines(block):
            assert text and "Ident(" not in text and "span" not in text


def test_articles() -> None:
    assert [article(w) for w in ("unit", "item", "user", "umbrella", "one shot", "oracle", "euro")] == [
        "a unit", "an item", "a user", "an umbrella", "a one shot", "an oracle", "a euro",
    ]  # fmt: skip


# ---- The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my game").mkdir()
    (tmp_path / "my game" / "game.card").write_text(GAME)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def test_a_folder_and_a_built_game_are_explained_alike(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "my game", "The Drummer"]) == 0
    first = capsys.readouterr().out
    assert "my game/game.card:" in first and all(len(row) <= 100 for row in first.splitlines())
    assert main(["build", "my game", "-o", "out", "-q"]) == 0
    capsys.readouterr()
    assert main(["explain", "out", "drummer"]) == 0
    second = capsys.readouterr().out
    assert "my game" not in second
    assert "".join(second.split()) == "".join(first.replace("my game/", "").split())


def test_an_unknown_card_is_told_with_the_nearest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "my game", "drumer"]) == 2
    assert capsys.readouterr().err == (
        "cardc: The Game has no card called drumer; near are drummer (the Drummer)\n"
    )
    assert main(["explain", "my game", "zzz\x1b"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "near" not in err and "\x1b" not in err


def test_without_a_card_the_cards_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "my game"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("The Game has 3 cards") and "  herald   the Herald, unit\n" in out


def test_a_game_with_errors_is_not_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "my game" / "game.card").write_text(GAME + "value x(): int = nothing_there()\n")
    assert main(["explain", "my game", "drummer"]) == 1
    out = capsys.readouterr().out
    assert "E101" in out and "nothing is explained" in out


def test_an_expansion_names_its_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "winter", "--expansion-of", "my game", "-q"]) == 0
    assert main(["explain", "winter", "new_unit", "--base", "my game"]) == 0
    assert "New card (new_unit) is a unit of Winter, winter/cards.card:" in capsys.readouterr().out
    assert main(["explain", "winter", "drummer", "--base", "my game"]) == 0
    assert main(["explain", "winter", "new_unit"]) == 2
    assert main(["explain", "nowhere", "drummer"]) == 2


def test_findings_are_still_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "E101"]) == 0
    assert main(["explain"]) == 0
    assert main(["explain", "E999"]) == 2


SAME_NAMES = """
game g "The Game" { version: "1"  players: 2 }
player { coins: 0..99 = 0  rank: 0..9 = 0 }
kind thing {}
kind coin : thing { coins: 1..3 }
kind hero : thing { slot deed: effect in table  slot aura: static in table  state rank: 0..9 = 0 }
zone hand: each player list of thing, owner sees
zone table: each player list of thing, all see
effect paid(p: player, by: thing) {}
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
flow {
  for each p in players { for each h in p.hand { move h to p.table  if h is hero { run h.deed }  paid(p, h) } }
  tie
}
card penny "Penny" : coin { coins: 1 }
card miser "Miser" : hero {
  deed {
    you.coins += 2
    you.opponent.coins -= 1
    self.rank *= 3
    you may choose fall q: player in players "Fall" { q.coins = 0 }
  }
  aura { on paid(p, by) when p.coins > 3 { p.coins = 3 } }
}
card thief "Thief" : hero { deed { for each c in you.table where c is coin { you.coins += c.coins } } }
"""


def test_members_of_one_name_are_told_by_whose_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.card").write_text(SAME_NAMES)
    touched = {}
    for card in ("miser", "thief"):
        assert main(["explain", str(tmp_path), card]) == 0
        lines = capsys.readouterr().out.splitlines()
        touched[card] = [line.split(", ")[:2] for line in lines if line.startswith(("  state ", "  field "))]
        if card == "miser":
            assert [line.split(",")[0] for line in lines if line.startswith(("  1.", "  2.", "  3."))][:3] == [
                "  1. Add 2 to its owner's coins",
                "  2. Take 1 from its owner's opponent's coins",
                "  3. Multiply this card's rank by 3",
            ]
    assert touched["miser"] == [["  state coins", "of each player"], ["  state rank", "of each hero"]]
    assert touched["thief"] == [["  state coins", "of each player"], ["  field coins", "printed on each coin"]]
