"""`c is k`, where a local holds a printed card that somebody has named, or that chance has drawn."""

from pathlib import Path

import pytest
from cardc import pipeline
from cardc.account import account, find_card
from cardc.testing import run_tests

GAME = """game tiny "Tiny" { version: "1.0.0"  players: 2 }
player { points: 0 or more = 0, score }
kind unit { power: 0..9 = 1  form big(level: 1..2 = 1)  slot comes: effect in hand }
zone hand: each player list of unit, owner sees
zone pile: shared list of unit, all see
effect call(p: player) {
  p choose call k: unit in catalog "Name a card" {
    for each c in p.opponent.hand where c is k { move c to pile }
    p.points += count(c in pile where c is not k) * top_power()
  }
}
effect drawn(p: player) { let k = random from catalog  p.points = count(c in pile where c is k) }
effect grow(u: unit) { for each f in u.forms { u.form = f } }
value top_power(): int = max(sum(u.power for u in pile where u is cub), 1)
flow {
  call(players[0])
  drawn(players[1])
  for each u in pile { grow(u)  run_it(u) }
  win players[0]
}
effect run_it(u: unit) { if u is in hand { run u.comes } }
card cub "Cub" : unit {}
card bear "Bear" : unit { power: 2  form big(level: 2) { power: 5 } }
card asker "Asker" : unit {
  comes { you choose call k: unit in catalog "Call" { for each c in you.hand where c is k { move c to pile } } }
}
"""
TESTS = """
test "all copies of the card that is named, and no others" {
  given { let a = new cub  let b = new bear  let c = new bear  opponent.hand = [a, b, c]  pile = [cub] }
  when call(me)
  me chooses call(bear)
  expect b is in pile and c is in pile and a is in hand and me.points == 1
}
test "a card in another form is the card that is named" {
  given { let b = new bear  opponent.hand = [b] }
  when grow(b)
  expect b.power == 5
  when call(me)
  me chooses call(bear)
  expect b is in pile and me.points == 0
}
test "the card that chance has drawn" {
  given { pile = [cub, cub, bear]  chance pick k = cub }
  when drawn(me)
  expect me.points == 2
}
"""


def findings(text: str) -> list[tuple[str, str]]:
    return [(f.code, f.message) for f in pipeline.analyse([("g.card", text.encode())], None).findings]


def test_what_is_named_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME + TESTS)
    outcome, results = run_tests(tmp_path)
    assert [f.message for f in outcome.findings] == []
    assert [(r.title, r.message) for r in results if not r.passed] == [] and len(results) == 3


def test_in_words() -> None:
    checked = pipeline.analyse([("g.card", GAME.encode())], None)
    assert checked.symbols is not None
    card = find_card(checked.symbols, "asker")
    assert card is not None
    text = "\n".join(line for _, line in account(checked.symbols, card, "Tiny"))
    assert "if c is k" in text or "where c is k" in text


@pytest.mark.parametrize(
    ("effect", "code", "said"),
    [
        (
            'p choose call k: unit in catalog, c: unit in p.opponent.hand where c is k "Call" { move c to pile }',
            "E501", "the options tell the name of a card that their chooser cannot see",
        ),
        ("let k = p.points  for each c in pile where c is k { move c to pile }", "E101", "no kind is called `k`"),
        (
            "for each k in catalog { for each c in pile where c == k { move c to pile } }",
            "E201", "a card of the match is never the printed card itself",
        ),
    ],
)  # fmt: skip
def test_what_is_not(effect: str, code: str, said: str) -> None:
    assert (code, said) in findings(GAME + f"effect _odd(p: player) {{ {effect} }}\n")
