"""`why` at the table of a real game: what can be asked, in which words, and that it tells no secret."""

from collections.abc import Callable

import card_runtime as rt
import pytest
from cardc import pipeline
from cardc.cli.play import source_line, source_lines
from cardc.cli.why import Why

GAME = """
game g "G" { version: "1"  players: 2 }
option limit: 1..9 = 5 "How high it goes"
player { life: 0..20 = 20, score  plan: 0..9 = 0, owner sees }
kind unit {
  power: 0..9 = 0
  flag swift
  state marks: 0..9 = 0
  slot aura: static in lanes when self.face_up
  slot entry: effect in lanes
}
zone hand: each player list of unit, owner sees
board lanes: 2 of lane { level: 0..9 = 1  keeper: player? = none  units: each player list of unit, all see }
state storm: bool = false
value number(l: lane): int = l.level
value power(u: unit in lanes): 0 or more = u.power * number(u.lane)  // a comment
value strength(p: player, l: lane): int = sum(power(u) for u in l.units[p])
effect enter(u: unit in hand, l: lane) {
  move u to l.units[u.owner] facing (if u.swift then down else up)
  run u.entry
}
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
flow {
  loop as round {
    alternate p from players[0] as turn while any(q in players where q.hand is not empty) {
      p choose play u: unit in p.hand, l: lane in lanes "Play" { enter(u, l) }
    }
    storm = not storm
    if strength(players[0], lanes[0]) > limit { win players[0] "Strong" }
    tie "Weak"
  }
}
card cub "a Cub" : unit { power: 2 }
card moon_wolf "the Wolf of the moon" : unit {
  power: 3
  swift
  entry { self.lane.level += 2  you.opponent.life -= 1  you.plan = 3  self.marks = 2  self.lane.keeper = you }
}
card horn "the Horn" : unit { aura { number(self.lane) += 4 } }
"""
Asked = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    folder = tmp_path_factory.mktemp("why")
    (folder / "game.card").write_text(GAME)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files, outcome.findings
    return rt.load(where)


@pytest.fixture
def match(game: rt.Game) -> rt.Match:
    """Lane 0: player 0's Cub and Horn, and player 1's Wolf, face down."""
    match = game.start(seed=1)
    for answer in ("play cub lanes 0", "play moon_wolf lanes 0", "play horn lanes 0"):
        match.choose(answer)
    return match


@pytest.fixture
def ask(match: rt.Match) -> Asked:
    why = Why(match, source_line(source_lines(match.state.game.folders)))
    return lambda asked: why(asked, 0)


def test_a_value_with_its_base_and_each_card_that_changes_it(ask: Asked) -> None:
    assert ask("number lane 0") == [
        "number (lane 0) is 7",
        "       3  in the rules, game.card:15: value number(l: lane): int = l.level",
        "       7  the Horn, game.card:39: card horn \"the Horn\" : unit { aura { number(self.lane) += 4 } }",
    ]
    assert ask("power the Cub") == [
        "power (a Cub) is 14",
        "      14  in the rules, game.card:16: value power(u: unit in lanes): 0 or more = u.power * number(u.lane)",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "strength me lane 0",
        "strength(me, lanes[0])",
        "strength lane 0 you",
        "strength 0 0",
        "strength of player 0 in lane 0",
    ],
)
def test_arguments_in_many_words(ask: Asked, words: str) -> None:
    assert ask(words)[0] == "strength (you, lane 0) is 14"


def test_what_is_left_out_stands_for_all(ask: Asked) -> None:
    assert [line for line in ask("number") if line.startswith("number")] == [
        "number (lane 0) is 7", "number (lane 1) is 1",
    ]  # fmt: skip
    assert [line for line in ask("power") if line.startswith("power")] == [
        "power (a Cub) is 14", "power (the Horn) is 0",
    ]  # fmt: skip


def test_what_depends_on_hidden_cards_is_not_told(match: rt.Match) -> None:
    why = Why(match)
    assert why("strength opponent lane 0", 0) == ["strength (player 1, lane 0): that depends on what you cannot see."]
    assert why("strength me lane 0", 1)[0] == "strength (you, lane 0) is 21"
    assert why("plan opponent", 0) == ["You cannot see player 1's plan"]
    assert why("plan me", 1) == ["Your plan is 3. It was set:", "  round 1, turn 2: You: plan 3"]
    assert why("power wolf of the moon", 0) == ["power of the Wolf of the moon is 3: printed on the card, game.card:34"]
    assert why("marks wolf of the moon", 1)[0] == "Marks of the Wolf of the moon is 2. It was set:"


def test_what_is_kept_with_when_it_was_set(ask: Asked) -> None:
    assert ask("life me") == ["Your life is 19. It was set:", "  round 1, turn 2: You: life 19"]
    assert ask("life opponent") == ["Player 1's life is 20, as when the match began"]
    assert ask("level lane 0") == ["Level of lane 0 is 3. It was set:", "  round 1, turn 2: Lane 0: level 3"]
    assert ask("keeper lane 0")[0] == "Keeper of lane 0 is player 1. It was set:"
    assert ask("storm") == ["Storm is false, as when the match began"]
    assert ask("marks cub") == ["Marks of a Cub is 0, as when the match began"]


def test_what_is_printed_counted_or_an_option(ask: Asked) -> None:
    assert ask("swift wolf of the moon") == ["swift of the Wolf of the moon is true: printed on the card, game.card:34"]
    assert ask("hand me") == ["your hand is 1: so many cards lie there"]
    assert len(ask("hand")) == 2
    assert ask("limit") == ["limit is 5: an option of this match. How high it goes."]
    assert ask("turn") == ["turn is 4: so many have begun"]


def test_what_is_not_understood(ask: Asked) -> None:
    first, names = ask("")
    assert first == "Say what, for example: why number lane 0"
    assert "number" in names and "life" in names and "hand" in names
    assert ask("nmber lane 0") == ["Nothing here is called nmber; near are number, plan, hand (why: all of them)."]
    assert ask("wolf of the moon")[0].startswith("Say what of it, such as: why ")
    assert ask("wolf of the moon")[0].endswith("; card wolf of the moon shows it.")
    assert ask("number lane 7") == ["What is lane 7? Say a lane (lane 0)."]
    assert ask("power wolf of the moon lane") == ["What is wolf of the moon lane? Say a card by its name in lanes."]
    assert ask("storm xyz") == ["What is xyz? Say nothing more."]
    assert ask("marks horn#3")[0].startswith("What is horn#3?")


def test_every_name_that_can_be_asked_is_answered(match: rt.Match) -> None:
    why = Why(match)
    names = why("", 0)[1].removeprefix("There are ").rstrip(".").split(", ")
    assert len(names) > 12
    for name in names:
        for seat in (0, 1):
            lines = why(name, seat)
            assert lines and not lines[0].startswith("Nothing"), name


def test_several_cards_of_one_name_are_told_apart(game: rt.Game) -> None:
    match = game.start(seed=1)
    for answer in ("play cub lanes 0", "play cub lanes 1", "play horn lanes 0"):
        match.choose(answer)
    why = Why(match)
    assert [line for line in why("power cub", 0) if line.startswith("power")] == [
        "power (a Cub) is 10", "power (a Cub) is 2",
    ]  # fmt: skip
    assert why("power cub#2", 0)[0] == "power (a Cub) is 2" == why("power a cub 2", 0)[0]
    assert why("power cub#1", 0)[0] == "power (a Cub) is 10"


GRID = """
game g "G" { version: "1"  players: 2 }
kind wolf { value: 0..9 }
zone hand: each player list of wolf, owner sees
board land: floating grid 3 by 2 either way of space { pile: shared list of wolf, all see top }
value total(p: player, l: line): int = sum(w.value for w in shown() where w.owner == p and w.space is in l)
value winner(l: line): player? =
  the p in players
    where total(p, l) > total(p.opponent, l)
value shown(): list of wolf in land = [top(s.pile) for s in land where top(s.pile) is not none]
value best(): wolf? = the w in shown() where w.value > 1
value corner(s: space): bool = s is in land.corners
value spot(): space? = the s in land.adjacent where corner(s)
value room(): list of space = land.corners
setup { for each p in players { for each c in catalog { repeat 2 { copy c to p.hand } } } }
flow {
  alternate p from players[0] as turn while not land.full {
    p choose put w: wolf in p.hand, s: space in land.adjacent "Put" { move w to s.pile }
      or cover w: wolf in p.hand, s: space in land where s.pile is not empty "Cover" { move w to s.pile }
  }
  tie "Full"
}
card cub "a Cub" : wolf { value: 1 }
card hunter "the Hunter" : wolf { value: 2 }
"""


@pytest.fixture
def ask_of_grid(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """One row: player 0's Cub, and player 1's Hunter to the left of it."""
    folder = tmp_path_factory.mktemp("grid")
    (folder / "game.card").write_text(GRID)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files, outcome.findings
    match = rt.load(where).start(seed=1)
    for answer in ("put cub land 0,0", "put hunter land -1,0"):
        match.choose(answer)
    why = Why(match, source_line(source_lines(match.state.game.folders)))
    return lambda asked: why(asked, 0)


def test_lines_of_a_grid(ask_of_grid: Asked) -> None:
    assert ask_of_grid("total me row 0")[0] == "total (you, row 0) is 1"
    assert ask_of_grid("total(opponent, column 0)")[0] == "total (player 1, column 0) is 2"
    assert ask_of_grid("winner row 0") == [
        "winner (row 0) is player 1",
        "  player 1  in the rules, game.card:7: value winner(l: line): player? = the p in players where total(p, l) > "
        "total(p.opponent, l)",
    ]
    assert [line for line in ask_of_grid("winner") if line.startswith("winner")] == [
        "winner (row 0) is player 1", "winner (column 0) is player 1", "winner (column 1) is you",
    ]  # fmt: skip
    assert ask_of_grid("total me") == [
        line for key in ("row 0", "column 0", "column 1") for line in ask_of_grid(f"total me {key}")
    ]
    assert "that there is now" in ask_of_grid("winner row 1")[0]
    assert ask_of_grid("winner wall") == ["What is wall? Say a line (row 0, column 0)."]


def test_spaces_of_a_grid(ask_of_grid: Asked) -> None:
    assert ask_of_grid("corner space -1,0")[0] == "corner (space -1,0) is false"
    assert [line for line in ask_of_grid("corner") if line.startswith("corner")] == [
        "corner (space 0,0) is true", "corner (space 1,0) is true",
    ]  # fmt: skip
    assert ask_of_grid("spot")[0] == "spot is none"
    assert ask_of_grid("room")[0] == "room is space 0,0, space 1,0"


def test_cards_that_all_see_are_named_though_hidden_ones_are_called_alike(ask_of_grid: Asked) -> None:
    assert ask_of_grid("shown")[0] == "shown is the Hunter, a Cub"
    assert ask_of_grid("best")[0] == "best is the Hunter"


def test_a_source_that_goes_on_for_long_is_cut() -> None:
    text = ["value far(p: player): int =", "  1  // one", "  + 2", "  + 3", "  + 4", "", "value near(): int =", "  1"]
    text += ["  + 2", "  + 3"]
    told = source_line(lambda file: text)
    assert told("g.card", 1) == "value far(p: player): int = 1 + 2 + 3 …"
    assert told("g.card", 7) == "value near(): int = 1 + 2 + 3"
