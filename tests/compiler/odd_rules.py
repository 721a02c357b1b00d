"""What programs that are made up consist of: the frame they share, and rules by which code for it is drawn.

A rule is a piece of text with holes, and stands under the type or the construct that it makes:

- `<player>` is an expression of that type, or the construct of that name, drawn by its own rules or by `odd_games`;
- `<red|blue>` is one of these words, and `<>` never means a comparison, which has a space or `=` after its `<`;
- `$x` is a name that is new in each use of a rule, and the same throughout it;
- `<unit as u>` lets `$u` stand for what was drawn; `<player except $a>` draws something else than that;
- `<bool with $x: unit>` is drawn where `$x` is known to be a unit.

Types that have no rules, as `unit`, are those that only a local can have. The rules need not be right: what the
compiler rejects is left out.
"""

from __future__ import annotations

Rules = dict[str, tuple[str, ...]]

FRAME = """
game odd "Odd" { version: "1.0.0"  players: 2  limit: 70 }

option goal: 2..9 = 7 "Points that win"
option cap: 1..4 = 2 "Room"
option tempo: { slow, fast } = slow "Tempo"
option wild: bool = false "Wild"

enum color (worth: 0..3, warm: bool) { red(0, true), green(1, false), blue(3, true) }
open enum tribe { beasts, spirits, ghosts }

player {
  points: 0..goal = 0, score
  mana: 0..9 = 3
  bid: 0..4 = 1, owner sees
  tribes: set of tribe = []
  pal: player? = none
  fav: color = green
  hidden: color = blue, owner sees
  debt: int = 0
}

kind thing {
  cost: 0..9 = 1
  state marks: 0..7 = 0
  state tinge: color = red
}
kind unit : thing {
  power: 0..9
  color: color = red
  tribes: set of tribe = []
  flag quick
  state wounds: 0 or more = 0
  state mind: 0..9 = self.power, owner sees
  slot arrival: effect in lanes
  slot presence: static in lanes when self.face_up
  slot drum(beat: 1..3): static in lanes when self.wounds < 3
  slot inkling: static in hand when self.cost > 0
  form evo(level: 1..3, price: 0..4 = 1)
}
kind relic : thing {
  charm: -3..3 = 0
  slot aura: static in yard
  slot use: effect in yard
}

zone deck: each player list of thing, nobody sees
zone hand: each player list of thing at most 6, owner sees
zone gone: shared list of thing, all see
zone well: each player list of thing at most 4, all see top
zone pit: each player list of thing, all see top
zone ring: each player one relic, all see
zone attic: shared list of unit, nobody sees

board lanes: 3 of lane {
  holder: player? = players[1]
  depth: 0..5 = 1
  units: each player list of unit at most cap, all see
}
board yard: grid 3 by 2 of plot {
  grown: 0..5 = 0
  beds: shared list of thing at most 2, all see top
}
board land: floating grid 3 by 2 either way of spot {
  lies: shared one thing, all see
}

state first: player = players[0]
state storms: 0..20 = 0
state sky: color = green
state kept: list of unit = []
state last: unit? = none
state focus: lane = lanes[1]

effect timeout(p: player) {
  p.mana -= 1
  draw 1 from p.deck to p.hand
  for each u in top(p.hand) { if u is unit and count(focus.units[p]) < cap { move u to focus.units[p] facing down } }
  shuffle p.deck
  storms += 1
  if storms > 15 { lose p "Slow" }
}
effect forfeit(p: player) {
  move p.hand to p.deck
  p.bid = 3
  p.hidden = red
  reveal p.deck to p.opponent
  shuffle p.deck
  if storms > 9 { win p.opponent }
  storms += 1
}
effect moment(p: player, n: int) {}
effect hit(u: unit in lanes, n: 0 or more) {
  u.wounds += n
  if u.wounds > u.power { move u to gone }
}
effect gain(p: player, n: int) { p.points += n }
effect shift(t: thing, p: player) { if count(p.hand) < 6 { move t to p.hand } }
"""

EVENTS = {
    "hit": {"u": "placed", "n": "int"},
    "gain": {"p": "player", "n": "int"},
    "moment": {"p": "player", "n": "int"},
    "shift": {"t": "thing", "p": "player"},
}
"""The effects of the frame that abilities hear of."""

SETUP = """
setup {
  for each p in players {
    for each c in catalog { repeat 2 { copy c to p.deck } }
    shuffle p.deck
    draw 4 from p.deck to p.hand
    draw 2 from p.deck to p.pit
    for each u in top(p.deck, 3) { if u is unit and count(lanes[1].units[p]) < cap { move u to lanes[1].units[p] } }
  }
  STRAYS
  for each t in top(players[0].deck, 1) { for each s in yard.at(0, 0) { move t to s.beds } }
  for each t in top(players[1].deck, 1) { for each s in land where s.lies is empty { move t to s.lies } }
  first = random from players
}
"""
STRAYS = """for each c in catalog { copy c to gone }
  for each c in catalog where c is unit { copy c to attic }
  for each p in players {
    for each u in top(attic, 2) { if count(lanes[0].units[p]) < cap { move u to lanes[0].units[p] } }
  }"""
"""Cards that begin in shared places belong to nobody."""

TURN = """p may choose
    play u: unit in p.hand, l: lane in lanes where count(l.units[p]) < cap, maybe boosted where u.cost < p.mana "Play" {
      move u to l.units[p] facing (if boosted then down else up)
      run u.arrival
    }
    or bed t: thing in p.hand, s: plot in yard where count(s.beds) < 2 "Bed" {
      move t to s.beds
      if t is relic and t is in yard { run t.use }
    }
    or lie t: thing in p.hand, s: spot in land where s.lies is empty "Lie" { move t to s.lies }
  gain(p, 1)
  for each t in top(p.pit) { shift(t, p) }
  for each u in lanes.units[p] { if u is in lanes { hit(u, 0) } }"""

UNITS = ("cub", "bear", "elk", "owl")
RELICS = ("cup", "bell")

WRITTEN = {
    "int": "int", "bool": "bool", "player": "player", "someone": "player?", "color": "color", "tribes": "set of tribe",
    "lane": "lane", "plot": "plot", "spot": "spot", "unit": "unit", "placed": "unit in lanes", "thing": "thing",
    "bedded": "thing in yard", "units": "list of unit", "things": "list of thing",
}  # fmt: skip
"""Types of parameters and values, as programs write them. Beside these there are

- `open`, `shade` and `some tribes`: a number, a color and tribes that are not written out;
- `actor` and `site`: a player and a lane with which a statement may begin;
- `some player`: one that may be none;
- `front` and `beds`: lists of cards that lie on a board; `some units` and `some things`: those, or one card or none;
- `just unit` and `just thing`: what is not known to be anything more;
- `band`: a row or column of the yard.
"""

NARROWER = {
    "unit": ("unit", "placed"), "thing": ("thing", "unit", "placed", "bedded"), "just unit": ("unit",),
    "just thing": ("thing",), "open": ("int",), "actor": ("player",), "site": ("lane",), "shade": ("color",),
    "some tribes": ("tribes",), "some player": ("someone",), "some units": ("units",), "some things": ("things",),
}  # fmt: skip
"""Whose locals may stand for a type, where it is not only those of the type itself."""

WEAKER = {"placed": "unit", "bedded": "thing"}
"""What is known of a card that may have been moved meanwhile."""

NUMBERS = (
    "<player>.<mana|points|bid|debt|fav.worth>",
    "<storms|goal|sky.worth|cap|focus.index>",
    "<unit>.<power|cost|wounds|color.worth|mind|marks|tinge.worth>",
    "<thing>.<cost|marks>",
    "<lane>.<index|depth>",
    "<plot>.grown",
)

SIMPLE: Rules = {
    "int": ("<0|1|1|2|3|7>", *NUMBERS),
    "open": NUMBERS,
    "counter": ("storms", "<actor>.mana"),
    "bool": (
        "<open> <order> <int>",
        "<player as a> <equal> <player except $a>",
        "<shade as a> <equal> <color except $a>",
        "<lane as a> <equal> <lane except $a>",
        "<unit as a> <equal> <unit except $a>",
        "<thing as a> <equal> <thing except $a>",
        "<unit>.<quick|face_up|face_down>",
        "<unit>.tribes <has beasts|meets [beasts, ghosts]>",
        "<player>.tribes <has spirits|meets [spirits]|!= []>",
        "<some player> <is none|is not none|== first>",
        "<unit> is <cub|bear|elk|owl>",
        "<unit> has <arrival|presence|drum|inkling>",
        "<thing> is <unit|relic>",
        "<thing> is in <lanes|yard|gone|hand|land|deck|attic>",
        "<some tribes> <has ghosts|has beasts|meets [spirits, beasts]>",
        "<some tribes> meets <tribes>",
        "<shade> is in <[red, blue]|[green, red]|[blue]>",
        "<wild|tempo == fast|tempo == slow|land.full|land.settled|land.lies is empty|sky.warm>",
        "<last is none|last is cub>",
        "<band> == yard.rows[0]",
    ),
    "order": ("==", "!=", "<", ">", "<=", ">="),
    "equal": ("==", "!="),
    "player": ("<first|players[0]|players[1]>", "<first|players[0]>.opponent"),
    "actor": ("<first|players[0]|players[1]>", "first.opponent"),
    "someone": ("none", "<player>", "<lane>.holder", "<player>.pal"),
    "some player": ("<site>.holder", "<actor>.pal"),
    "lane": ("lanes[<0|1|2>]", "focus", "<placed>.lane"),
    "site": ("lanes[<0|1|2>]", "focus", "<placed>.lane"),
    "plot": ("<bedded>.plot",),
    "color": ("<shade>", "<shade>", "<shade>", "<sky|sky|red|green|blue>"),
    "shade": ("sky", "<unit>.<color|tinge>", "<player>.<fav|fav|fav|hidden>"),
    "tribes": ("<some tribes>", "<some tribes>", "[<beasts|spirits|ghosts|beasts, ghosts>]"),
    "some tribes": ("<unit>.tribes", "<player>.tribes"),
    "front": ("lanes.units", "<lane>.units[<player>]", "lanes.units[<player>]"),
    "units": ("<kept|attic>", "<front>", "<front>", "[$x for $x in <player>.<hand|deck|well|pit> where $x is unit]"),
    "some units": ("<units>", "<units>", "<units>", "last"),
    "beds": ("yard.beds", "<plot>.beds", "<plot>.neighbors.beds"),
    "things": (
        "<player>.<hand|hand|deck|well|pit>",
        "<gone|players.hand|players.deck|land.lies|players.well|players.pit>",
        "<beds>",
        "<spot>.neighbors.lies",
    ),
    "some things": ("<things>", "<things>", "<things>", "<player>.ring"),
    # Parts of statements
    "where": ("", "", " where <bool>"),
    "by": ("", "", "", "", "", "", " by <open>", " by -<open>"),
    "from": ("", " from <player>"),
    "facing": ("", "", "", " facing down", " facing up", " facing (if <bool> then up else down)"),
    "for units": ("<player>.<hand|deck|well|pit>", "<gone|attic>", "<lane>.units[<player>]", "<for things>"),
    "for things": ("<player>.<hand|deck|well|pit>", "gone", "<plot>.beds", "<spot>.lies"),
    "slots": ("presence", "drum", "presence, drum"),
    "statement": (
        "<actor>.<mana|points|bid|debt> <sign> <int>",
        "storms <sign> <int>",
        "<site>.depth <sign> <int>",
        "<plot>.grown <sign> <int>",
        "<unit>.<wounds|mind|marks> <sign> <int>",
        "<thing>.marks <sign> <int>",
        "first = <player except first>",
        "sky = <color except sky>",
        "focus = <lane except focus>",
        "last = <unit>",
        "kept = <units>",
        "kept = <units>",
        "for each $x in <some units> { last = $x }",
        "<actor>.tribes <+=|-=|=> <tribes>",
        "<actor>.tribes <+=|-=> [<beasts|ghosts>]",
        "<actor>.<fav|hidden> = <color>",
        "<actor>.pal = <someone>",
        "<site>.holder = none",
        "<site>.holder = <player>",
        "<thing>.tinge = <color>",
        "move <unit> to <|||bottom of ><for units><facing>",
        "move <thing> to <|||bottom of ><for things><facing>",
        "move <some units> to <|||bottom of ><for units>",
        "move <some things> to <|||bottom of ><for things>",
        "move <unit> to <lane>.units[<player>]<facing>",
        "move <unit> to <unit>.owner.hand",
        "move [$x for $x in <some things> where $x is relic] to <player>.ring",
        "for each $x in <some things> where $x is relic { move $x to <player>.ring }",
        "draw <1|1|2> from <player>.<deck|well|pit> to <player>.hand",
        "draw <int> from <player>.deck to <player>.<hand|well|pit>",
        "draw <1|2|3> from <player>.<well|pit|pit> to <player>.<deck|pit>",
        "draw <1|2> from attic to <player>.hand",
        "shuffle <player>.<deck|well|pit|hand>",
        "shuffle <attic|gone>",
        "reveal <player>.<hand|deck|bid|hidden|well|pit>",
        "reveal <player>.<hand|deck|bid|hidden|well|pit> to <player>",
        "reveal <thing>",
        "reveal top(<player>.deck, <int>) to <player>",
        "copy <cub|bear|elk|owl|cup|bell> to <player>.<hand|deck|well|pit>",
        "copy <cub|bear|elk|owl> to <lane>.units[<player>]",
        # Without bounds, cards that are copied in a loop would double again and again.
        "copy <thing> to <player>.<hand|well>",
        "if storms < 9 { storms += 1 copy <thing> to <player>.<deck|pit> }",
        "copy <some things> to <player>.<hand|well>",
        "copy top(<things>, 2) to <player>.<deck|pit>",
        "<call>",
        "<let>",
        "run <placed>.arrival",
        "run <bedded>.use",
        "if <just thing as t> is relic and $t is in yard { run $t.use }",
        "if <just unit as u> is in lanes { run $u.arrival }",
        "if <just unit as u> is in lanes and <just unit as v except $u> is in lanes { exchange <slots> of $u with $v }",
        "if <just thing as t> is unit { if $t is in lanes { hit($t, <int>) } }",
        "for each $f in <unit as u>.forms where $f.level <order> <int> { $u.form = $f }",
        'if <bool> { <win|lose> <player> "End" }',
        "storms += 1",
    ),
    "sign": ("=", "+=", "-=", "*="),
}

RICH: Rules = {
    "int": (
        "count(<some units>)",
        "count(<some things>)",
        "count(last)",
        "count($x in <some units> where <bool with $x: unit>)",
        "count($x in <some things> where <bool with $x: thing>)",
        "sum(<int with $x: unit> for $x in <some units>)",
        "sum(<int with $x: thing> for $x in <some things>)",
        "sum(<int with $x: unit> for $x in <some units> where <bool with $x: unit>)",
        "sum(<int with $x: thing> for $x in <some things> where <bool with $x: thing>)",
        "(<int> <+|-|*> <int>)",
        "(<int> / <2|3>)",
        "<min|max>(<int>, <int>)",
        "abs(<int>)",
        "-<int>",
        "(if <bool> then <int as a> else <int except $a>)",
        "count(<plot>.<neighbors|beds>)",
        "(if <unit as u> has drum then $u.drum.beat else <int>)",
        "sum($x.level for $x in <unit>.forms)",
        "count($x in yard where $x.beds is not empty and $x is in yard.<rows[0]|rows[1]|columns[2]>)",
        "count($x in land.<rows|columns> where any($s in land where $s.lies is not empty and $s is in $x))",
        "count(<land|land.corners>)",
    ),
    "bool": (
        "<some units> is <empty|not empty>",
        "<some things> is <empty|not empty>",
        "<unit> is in <some units>",
        "any($x in <some units> where <bool with $x: unit>)",
        "any($x in <some things> where <bool with $x: thing>)",
        "any($x in yard.<rows|columns> where <bool with $x: band>)",
        "all(<bool with $x: unit> for $x in <some units>)",
        "all(<bool with $x: thing> for $x in <some things>)",
        "(<bool> <and|or> <bool>)",
        "(<bool> <and|or> <bool>)",
        "not (<bool>)",
        "(if <bool> then <bool as a> else <bool except $a>)",
    ),
    "someone": (
        "(the $x in players where <bool with $x: player>)",
        "(if <bool> then <someone as a> else <someone except $a>)",
    ),
    "player": ("<player>.opponent", "(if <bool> then <player as a> else <player except $a>)"),
    "lane": ("(if <bool> then <lane as a> else <lane except $a>)",),
    "color": ("(if <bool> then <color as a> else <color except $a>)",),
    "tribes": ("(<some tribes> <+|-> <tribes>)", "(if <bool> then <tribes as a> else <tribes except $a>)"),
    "front": ("[$x for $x in <front> where <bool with $x: placed>]",),
    "units": (
        "[$x for $x in <some units> where <bool with $x: unit>]",
        "top(<some units>, <int>)",
        "top(<some units>)",
        "(<units> + <units>)",
        "[<unit>]",
        "[<unit>, <unit>]",
        "(if <bool> then <units as a> else <units except $a>)",
    ),
    "some units": ("(the $x in <units> where <bool with $x: unit>)",),
    "some things": ("(the $x in <things> where <bool with $x: thing>)",),
    "things": (
        "[$x for $x in <some things> where <bool with $x: thing>]",
        "top(<some things>, <int>)",
        "top(<some things>)",
        "(<things> + <things>)",
        "[<thing>]",
        "(if <bool> then <things as a> else <things except $a>)",
    ),
    "statement": (
        "if <bool> <block>",
        "if <bool> <block> else <block>",
        # What a test has shown holds within.
        "if <counter as n> <order> <0|1|2|3|4|5|6|7> { <lines> $n <+=|-=> <1|2|7> }",
        "if <counter as n> <order> <0|2|4|7> { <lines> $n += <1|2|7 as d>  $n += $d }",
        "if <counter as n> <order> <0|2|4|7> { <lines> $n -= <1|2|7 as d>  $n -= $d }",
        "if <some player as h> is player <block with $h: player>",
        "if <some player as h> is player <block with $h: player>",
        "if <some player as h> is player <block with $h: player>",
        "if <just thing as t> is unit <block with $t: unit>",
        "if <just unit as u> is in lanes <block with $u: placed>",
        "if <just thing as t> is in yard <block with $t: bedded>",
        # Loops
        "for each $x in players<from><where with $x: player><by with $x: player> <block with $x: player>",
        "for each $x in lanes<where with $x: lane><by with $x: lane> <block with $x: lane>",
        "for each $x in lanes where $x.holder is player <block with $x: lane, $x.holder: player>",
        "for each $x in <yard|yard.corners><where with $x: plot><by with $x: plot> <body with $x: plot>",
        "for each $x in land<where with $x: spot><by with $x: spot> <block with $x: spot>",
        "for each $x in <some units><where with $x: unit><by with $x: unit> <body with $x: unit>",
        "for each $x in <front><where with $x: placed><by with $x: placed> <body with $x: placed>",
        "for each $x in <some things><where with $x: thing><by with $x: thing> <body with $x: thing>",
        "for each $x in <some things> where $x is unit<by with $x: unit> <body with $x: unit>",
        "for each $x in <beds><where with $x: bedded><by with $x: bedded> <body with $x: bedded>",
        "repeat 2 <body>",
        "repeat <int> <body>",
        "repeat 3 { <lines> if <bool> { stop } <lines> }",
        # Events at once, and abilities that change cards
        "together { <call> <lines> }",
        "together { <call> <call> }",
        "exchange <slots> of <placed as u> with <placed except $u>",
        "for each $x in <front> { for each $y in <front> where $y != $x { exchange <slots> of $x with $y } }",
        "<until>",
        "<until>",
        # Questions
        "<choose>",
        "<choose>",
        "<choose>",
        "<secret>",
    ),
    "secret": (
        "together each $x in players<from> { $x <|may >choose sec $n: 0..4<where with $x: player, $n: int> "
        '"Secret" { $x.bid <+=|=> $n <more with $x: player, $n: int> } }',
        "together each $x in players<from> { $x <|may >choose "
        'sec $n: thing in $x.hand<where with $x: player, $n: thing> "Secret" { '
        "move $n to <for things with $x: player><facing> <more with $x: player, $n: thing> } }",
        "together each $x in players<from> { $x <|may >choose sec $n: color<where with $x: player, $n: color> "
        '"Secret" { $x.hidden = $n <more with $x: player, $n: color> } }',
    ),
    "more": ("", "<lines>"),
}
RICH["open"] = RICH["int"]

OWNED: Rules = {"player": ("<placed>.owner", "<thing>.owner"), "actor": ("<placed>.owner",)}
"""More rules where each card belongs to a player."""

STRAY: Rules = {
    "someone": ("<thing>.owner", "<thing>.owner"),
    "statement": (
        "for each $x in <thing>.owner <body with $x: player>",
        "for each $x in <someone> <body with $x: player>",
        "if <thing as t>.owner is player <block with $t.owner: player>",
    ),
}
"""More rules where cards may belong to nobody."""

PICKS: tuple[tuple[str, dict[str, str]], ...] = (
    ("$x: unit in <units><where with $x: unit>", {"$x": "unit"}),
    ("$x: unit in <front><where with $x: placed>", {"$x": "placed"}),
    ("maybe $x: unit in <units><where with $x: unit>", {}),
    ("$x: thing in <things><where with $x: thing>", {"$x": "thing"}),
    ("$x: thing in <things> where $x is unit", {"$x": "unit"}),
    ("$x: thing in yard.beds<where with $x: bedded>", {"$x": "bedded"}),
    ("maybe $x: thing in <things><where with $x: thing>", {}),
    ("$x: <0..3|0..cap><where with $x: int>", {"$x": "int"}),
    ("$x: lane in lanes<where with $x: lane>", {"$x": "lane"}),
    ("$x: lane in lanes where $x.holder is player", {"$x": "lane", "$x.holder": "player"}),
    ("$x: color<where with $x: color>", {"$x": "color"}),
    ("$x: player in players<where with $x: player>", {"$x": "player"}),
    ("$x: plot in yard<where with $x: plot>", {"$x": "plot"}),
    ("$x: plot in yard where count($x.beds) < 2", {"$x": "plot"}),
    ("$x: spot in land<where with $x: spot>", {"$x": "spot"}),
    ("maybe $x<where>", {"$x": "bool"}),
    ("$x: unit in catalog", {}),
    ("$x: unit in catalog where $x.power > <0|1|2|3>", {}),
)
"""What an alternative asks for, and what is known after it."""

LETS = (
    ("int", "<int>"), ("int", "random from [1, 2, 3]"), ("units", "<units>"), ("units", "random <1|2|3> from <units>"),
    ("things", "<things>"), ("things", "random <1|2|3> from <things>"), ("player", "<player>"),
    ("player", "random from players"), ("lane", "<lane>"), ("bool", "<bool>"), ("color", "<color>"),
    ("someone", "<someone>"),
)  # fmt: skip

ARGUMENTS: Rules = {
    "player": ("p", "p.opponent"), "int": ("0", "1", "2", "3"), "someone": ("p", "none", "players[0]"),
    "some player": ("<site>.holder", "<actor>.pal"),
    "lane": ("lanes[0]", "lanes[1]", "lanes[2]"), "color": ("sky", "p.fav"), "units": ("kept", "lanes.units", "attic"),
    "things": ("gone", "p.hand", "yard.beds"), "bool": ("wild", "storms > 3"), "tribes": ("p.tribes", "[beasts]"),
}  # fmt: skip
"""What a turn gives to effects."""

SOURCES: Rules = {
    "unit": ("kept", "lanes.units", "attic"), "placed": ("lanes.units",), "thing": ("p.hand",), "plot": ("yard",),
    "bedded": ("yard.beds",), "spot": ("land",),
}  # fmt: skip
"""Where a turn finds what it cannot name for them."""
