"""Two kinds with a slot of one name on one board: an exchanged ability works once."""

from pathlib import Path

from cardc.testing import run_tests

GAME = """
game g "G" { version: "1"  players: 2 }
kind thing { attack: 0..9 }
kind spell : thing { slot capacity: static in arena }
kind charm : thing { slot capacity: static in arena }
board arena {
  spells: each player one spell, all see
  charms: each player one charm, all see
}
value attack(s: thing): int = s.attack
effect swap(a: spell in arena, b: spell in arena) { exchange capacity of a with b }
flow { win players[0] "so" }
card plain "Plain" : spell { attack: 3  capacity { attack(self) += 1 } }
card bold "Bold" : spell { attack: 5 }
card ring "Ring" : charm { attack: 0  capacity { attack(self) += 2 } }
test "exchanged" {
  given {
    let a = new plain
    let b = new bold
    let c = new ring
    arena.spells[me] = a
    arena.spells[opponent] = b
    arena.charms[me] = c
  }
  when swap(a, b)
  expect attack(a) == 3 and attack(b) == 6 and attack(c) == 2
}
"""


def test_an_exchanged_ability_works_once(tmp_path: Path) -> None:
    (tmp_path / "g.card").write_text(GAME)
    outcome, results = run_tests(tmp_path)
    assert not [f for f in outcome.findings if f.severity == "error"]
    assert [r.message for r in results] == [""]
