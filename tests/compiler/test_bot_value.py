"""`bot value`: what a game says that bots play for."""

import json

from cardc import pipeline
from cardc.package import MANIFEST

FRAME = """
game g "G" { version: "1"  players: 2 }
player { life: 0..20 = 20, score }
kind unit { power: 0..9 = 1 }
zone hand: each player list of unit, owner sees
setup { for each p in players { copy cub to p.hand } }
flow {
  loop as turn {
    for each p in players {
      p choose hit c: unit in p.hand "Hit" { p.opponent.life -= c.power  if p.opponent.life == 0 { win p "Life" } }
    }
  }
}
card cub "Cub" : unit { power: 2 }
"""


def findings(more: str) -> list[tuple[str, str]]:
    checked = pipeline.analyse([("g.card", (FRAME + more).encode())], None)
    return [(f.code, f.source.text[f.start : f.end]) for f in checked.findings]


def test_it_is_a_value_that_counts_as_used_and_stands_in_the_package() -> None:
    text = FRAME + "bot value lead(p: player): int = p.life - p.opponent.life\n"
    checked = pipeline.analyse([("g.card", text.encode())], None)
    assert checked.findings == ()
    data = json.loads(pipeline.package_files([("g.card", text.encode())], checked)["data.json"])
    assert data["bot"] == "lead" and [v["name"] for v in data["values"]] == ["lead"]
    plain = pipeline.analyse([("g.card", FRAME.encode())], None)
    assert json.loads(pipeline.package_files([("g.card", FRAME.encode())], plain)["data.json"])["bot"] is None


def test_it_is_a_number_of_one_player() -> None:
    assert findings("bot value lead(): int = 1\n") == [("E201", "lead")]
    assert findings("bot value lead(p: player, n: int): int = p.life + n\n") == [("E201", "lead")]
    assert findings("bot value lead(u: unit): int = u.power\n") == [("E201", "lead")]
    assert findings("bot value lead(p: player): bool = p.life > 3\n") == [("E201", "bool")]
    assert findings("bot value lead(p: player): 0..20 = p.life\n") == []


def test_a_game_has_one() -> None:
    two = "bot value a(p: player): int = p.life\nbot value b(p: player): int = p.life\n"
    assert findings(two) == [("E108", "b")]


def test_bot_is_no_reserved_word() -> None:
    assert findings("value bot(p: player): int = p.life\nbot value lead(p: player): int = bot(p)\n") == []


def test_an_expansion_cannot_have_one() -> None:
    files = [("g.card", FRAME.encode())]
    whole = pipeline.analyse(files, None)
    built = json.loads(pipeline.package_files(files, whole)[MANIFEST])
    base = (files, {**built["identity"], "build": pipeline.build_digest(built["files"])})
    more = b'expansion x "X" for g { version: "1" }\nbot value more(p: player): int = p.life\n'
    checked = pipeline.analyse([("x.card", more)], base)
    assert [f.code for f in checked.findings if f.severity == "error"] == ["E110"]


def test_what_only_it_reads_is_for_bots_too() -> None:
    more = (
        "bot value lead(p: player): int = standing(p) - standing(p.opponent)\n"
        "value standing(p: player): int = worth(p) + armour(p)\n"
        "value worth(p: player): int = count(p.hand)\n"
        "value armour(p: player): int = 2\n"
        "effect hurt(p: player, n: int) { p.life -= n - armour(p) }\n"
    )
    text = FRAME.replace("p.opponent.life -= c.power", "hurt(p.opponent, c.power)") + more
    text += 'test "t" { expect worth(me) == 0 }\n'
    files = [("g.card", text.encode())]
    checked = pipeline.analyse(files, None)
    assert [f for f in checked.findings if f.severity == "error"] == []
    values = json.loads(pipeline.package_files(files, checked)["data.json"])["values"]
    assert [v["name"] for v in values if v["bots"]] == ["lead", "standing", "worth"]
