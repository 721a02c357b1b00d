"""Makes a game with any number of cards of about 15 lines, for measuring builds: the same number, the same bytes."""

from __future__ import annotations

import random
from pathlib import Path

FRAME = """\
game corpus "Corpus" { version: "1.0.0"  players: 2 }

enum color { red, green, blue, white }

player {
  life: 0 or more = 30, score
  mana: 0..20 = 20
}

kind unit {
  cost: 0..9
  power: 0..20
  armor: 0..20 = 0
  color: color
  tags: set of color = []
  flag swift "Strikes as it comes"
  state wounds: 0 or more = 0
  slot arrival: effect in lanes "Once, when the unit comes"
  slot presence: static in lanes "As long as it lies there"
}

zone deck: each player list of unit, nobody sees
zone hand: each player list of unit, owner sees
zone gone: shared list of unit, all see

board lanes: 3 of lane { units: each player list of unit at most 3, all see }

value might(u: unit in lanes): 0 or more = u.power + (if u.swift then 1 else 0)
value shell(u: unit in lanes): 0 or more = u.armor + (if u.tags has white then 1 else 0)
value total(p: player, l: lane): 0 or more = sum(might(u) for u in l.units[p])

effect hurt(p: player, amount: 0 or more) {
  p.life -= amount
  if p.life == 0 { win p.opponent "Life" }
}
effect heal(p: player, amount: 0 or more) { p.life += amount }
effect wound(u: unit in lanes, amount: 0 or more) {
  u.wounds += amount
  if u.wounds > shell(u) { move u to gone }
}
effect summon(u: unit in hand, l: lane) {
  move u to l.units[u.owner]
  if u is in lanes { run u.arrival }
}

setup {
  for each p in players {
    let cards = random 20 from catalog
    copy cards to p.deck
    draw 4 from p.deck to p.hand
  }
}

flow {
  repeat 30 as round {
    alternate p from players[0] as turn {
      p.mana = 9
      draw 1 from p.deck to p.hand
      loop {
        p may choose summon u: unit in p.hand, l: lane in lanes
          where u.cost <= p.mana and count(l.units[p]) < 3 "Summon a unit" {
          p.mana -= u.cost
          summon(u, l)
        } else { stop }
      }
      for each l in lanes { hurt(p.opponent, max(total(p, l) - total(p.opponent, l), 0)) }
      if p == players[1] { stop }
    }
  }
  tie "Thirty rounds"
}
"""

ARRIVALS = (
    "hurt(you.opponent, {n})",
    "heal(you, {n})",
    "for each u in self.lane.units where u != self {{ wound(u, {n}) }}",
    "let l = self.lane\n    for each u in l.units[you.opponent] where shell(u) < {n} {{ wound(u, {n}) }}",
    'you may choose strike u: unit in lanes.units[you.opponent] "Strike a unit" {{ wound(u, {n}) }}',
)
PRESENCES = (
    "might(self) += {n} when self.lane.units[you.opponent] is not empty",
    "shell(u) += {n} when u.owner == you and u.lane == self.lane",
    "might(u) -= 1 when u.owner != you and u.color == {c}",
    "on wound(u, amount) when u.owner == you and amount > {n} {{ heal(you, 1) }}",
    "on summon(u, l) when u.owner == you and u.color == {c} {{ hurt(you.opponent, 1) }}",
)
COLORS = ("red", "green", "blue", "white")


def card(i: int, chance: random.Random) -> str:
    """The text of card `i`."""
    n, c = chance.randint(1, 4), chance.choice(COLORS)
    tags = ", ".join(chance.sample(COLORS, chance.randint(0, 2)))
    swift = "  swift\n" if chance.random() < 0.2 else ""
    arrival = chance.choice(ARRIVALS).format(n=n, c=c)
    presence = chance.choice(PRESENCES).format(n=n, c=c)
    return (
        f'// Number {i} of the corpus.\ncard unit_{i:05d} "Unit number {i}" : unit {{\n  cost: {chance.randint(0, 9)}\n'
        f"  power: {chance.randint(0, 9)}\n  armor: {chance.randint(0, 5)}\n  color: {c}\n  tags: [{tags}]\n{swift}"
        f"  arrival {{\n    {arrival}\n  }}\n  presence {{\n    {presence}\n  }}\n}}\n"
    )


def write(folder: Path, cards: int, per_file: int) -> None:
    """Write the game into `folder`, `per_file` cards a file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "frame.card").write_text(FRAME, encoding="utf-8")
    chance = random.Random(1)
    for start in range(0, cards, per_file):
        text = "\n".join(card(i, chance) for i in range(start, min(start + per_file, cards)))
        (folder / f"cards_{start:05d}.card").write_text(text, encoding="utf-8")
