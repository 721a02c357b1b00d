"""Small games, each for one thing that no game that ships does; stepped matches and playouts do it alike."""

from __future__ import annotations

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from card_runtime.match import state_hash

UNITS = """\
game g "G" { version: "1"  players: 2 }
player { points: 0 or more = 0, score }
kind unit { power: 0..9 = 1 }
card cub "Cub" : unit { power: 1 }
card wolf "Wolf" : unit { power: 2 }
card elk "Elk" : unit { power: 3 }
"""


def both(game: rt.Game, *answers: int, seed: int = 1) -> rt.Match:
    """The match with these answers; the playout with them ends in the same state."""
    match = game.start(seed)
    for answer in answers:
        match.choose(answer)
    assert match.result is not None
    left = list(answers)
    assert state_hash(game.playout_state(seed, ask=lambda seat, n: left.pop(0))) == match.state_hash()
    return match


def test_copies_of_cards_that_a_loop_goes_through(game_of):
    game = game_of(
        UNITS
        + """
zone hand: each player list of unit, owner sees
zone twins: each player list of unit, all see
setup { copy elk to players[0].hand  copy wolf to players[0].hand }
flow {
  for each u in players[0].hand { copy u to players[0].twins }
  for each c in catalog { copy c to players[1].twins }
  players[0] choose quit "Quit" { tie }
}
"""
    )
    match = both(game, 0)
    assert match.get("twins", 0) == ["elk#2", "wolf#2"]
    assert match.get("twins", 1) == ["cub", "wolf#3", "elk#3"]


def test_a_copy_of_a_card_in_another_form_is_as_printed(game_of):
    kind = "power: 0..9 = 1  state left: 0..9 = self.power  form grown(level: 1..2) }"
    card = "power: 2  form grown(level: 1) { power: 5 } }"
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", kind).replace("power: 2 }", card)
        + """
zone hand: each player list of unit, owner sees
zone pile: shared list of unit, nobody sees
zone few: each player list of unit at most 3, all see
board lanes: 2 of lane { units: each player list of unit, all see }
effect spread(u: unit) {
  copy u to players[0].hand
  copy u to pile
  copy u to players[0].few
  copy u to lanes[1].units[players[0]]
  copy lanes[0].units to players[1].hand
}
setup { copy wolf to lanes[0].units[players[0]] }
flow {
  for each u in lanes.units[players[0]] { for each f in u.forms { u.form = f }  spread(u) }
  players[0] choose quit "Quit" { tie }
}
"""
    )
    match = both(game, 0)
    assert match.get("power", "wolf/1") == 5
    assert [match.get(name, f"wolf#{n}") for n in range(1, 6) for name in ("power", "left")] == [2, 2] * 5


def test_what_lasts_may_hold_a_list(game_of):
    """As an offer, as a replacement that is saved in the midst of it, and in a match that is drawn again."""
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot power_up: effect in table }").replace(
            "power: 3 }",
            """power: 3
  power_up {
    let few = [u for u in you.hand where u.power > 1]
    let theirs = (the u in top(you.opponent.deck))
    until end of round {
      on rise(p) when p == you may pick u: unit in few "Pick" { you.points += u.power }
      instead of gain(p, n) when p == you { you choose more v: unit in few "More" { p.points += n + v.power } }
      worth(u) += count(few) when u == theirs
    }
  }
}""",
        )
        + """
zone hand: each player list of unit, owner sees
zone deck: each player list of unit, nobody sees
board table { cards: each player list of unit, all see }
value worth(u: unit): int = u.power
effect rise(p: player) {}
effect gain(p: player, n: int) { p.points += n }
setup {
  for each p in players {
    for each c in catalog { copy c to p.hand  copy c to p.deck }
    shuffle p.deck
  }
}
flow {
  repeat 1 as round {
    players[0] choose play u: unit in players[0].hand where u.power == 3 "Play" {
      move u to table.cards[players[0]]
      for each c in table.cards[players[0]] { run c.power_up }
    }
    rise(players[0])
    gain(players[0], 1)
  }
  tie
}
"""
    )
    match = game.start(1)
    match.choose("play elk")
    assert [o.id for o in match.decision.options] == ["pick wolf"]
    match = game.restore(match.to_json())
    for seed in range(9):
        assert match.determinise(0, seed).decision.options == match.decision.options
    match.choose("pick wolf")
    match.choose([])
    assert [o.id for o in match.decision.options] == ["more wolf"]
    saved = match.to_json()
    assert game.restore(saved).to_json() == saved
    match.choose(0)
    assert match.get("points", 0) == 2 + 1 + 2


def test_drawn_again_a_card_that_rules_still_speak_of_is_of_its_kind(game_of):
    """Where it has gone out of sight: in a local, in state, as an argument of an event that is replaced. What is said
    of all things may be any of them."""
    game = game_of(
        """
game g "G" { version: "1"  players: 2 }
player { points: 0 or more = 0, score }
kind thing { cost: 0..9 = 1 }
kind unit : thing { power: 1..9 }
kind relic : thing { charm: 1..9  slot aura: static in table }
zone hand: each player list of thing, owner sees
board table { things: each player list of thing, all see }
state last: unit? = none
state lost: list of unit = []
state any: thing? = none
effect bounce(u: unit, t: thing) {
  move u to u.owner.hand
  move t to t.owner.hand
  last = u
  lost = [u]
  any = t
  players[1] choose stay "Stay" {} or leave "Leave" {}
  players[0].points += u.power
  back(u)
}
effect back(u: unit) {}
effect score(n: int) { players[0].points += n }
setup {
  for each c in catalog { repeat 2 { copy c to players[0].hand } }
  copy stone to table.things[players[1]]
}
flow {
  players[0] choose play u: unit in players[0].hand, t: thing in players[0].hand where t != u "Play" {
    move u to table.things[players[0]]
    move t to table.things[players[0]]
    bounce(u, t)
  }
  for each u in last { players[0].points += 10 * u.power }
  for each u in lost { players[0].points += 100 * u.power }
  tie
}
card cub "Cub" : unit { power: 1 }
card wolf "Wolf" : unit { power: 2 }
card elk "Elk" : unit { power: 3 }
card stone "Stone" : relic {
  charm: 4
  aura { instead of back(u) { players[1] choose mark "Mark" { score(1000 * u.power) } or miss "Miss" {} } }
}
card bell "Bell" : relic { charm: 5 }
"""
    )
    match = game.start(1)
    match.choose("play wolf stone")
    for at in range(2):
        points = set()
        anything = set()
        for seed in range(40):
            copy = match.determinise(1, seed)
            anything.add(game.model.kinds[copy.state.K[copy.state.d[copy.state.s_any]]].name)
            before = copy.get("points", 0)
            while copy.decision is not None:
                copy.choose(0)
            points.add(copy.get("points", 0) - before)
        assert points == ({1111, 2222, 3333} if at == 0 else {1110, 2220, 3330})
        assert anything == {"unit", "relic"}
        match.choose("stay" if at == 0 else "mark")


def test_cards_drawn_to_where_they_lie(game_of):
    """The first one is on top again, so the order stays."""
    game = game_of(
        UNITS
        + """
zone pile: each player list of unit, all see
effect deal(p: player, q: player, n: int) { draw n from p.pile to q.pile }
setup { for each p in players { for each c in catalog { copy c to p.pile } } }
flow {
  deal(players[0], players[0], 2)
  deal(players[1], players[0], 2)
  players[0] choose quit "Quit" { tie }
}
"""
    )
    match = both(game, 0)
    assert match.get("pile", 0) == ["cub#1", "wolf#1", "elk#1", "elk#2", "wolf#2"]
    assert match.get("pile", 1) == ["cub#2"]


def test_room_that_an_option_gives_is_there_in_a_restored_match(game_of):
    game = game_of(
        UNITS
        + """
option room: 1..5 = 1 "Cards in a hand"
zone pile: each player list of unit, nobody sees
zone hand: each player list of unit at most room, owner sees
setup { for each p in players { for each c in catalog { copy c to p.pile } } }
flow { loop { players[0] choose take { draw 1 from players[0].pile to players[0].hand } or quit { tie } } }
"""
    )
    match = game.start(1, options={"room": 2})
    for again in (game.restore(match.to_json()), game.replay(match.determinise(0, seed=1).record)):
        for _ in range(3):
            again.choose("take")
        assert len(again.get("hand", 0)) == 2


def test_a_bearer_without_an_owner_takes_its_modifier_along(game_of):
    """Entered before and after a line of the same value that concerns a player."""
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot aura: static in table }")
        + """
zone hand: each player list of unit, all see
board table { all: shared list of unit, all see  own: each player list of unit, all see }
value worth(p: player): int = 1
setup {
  copy free to table.all
  copy owned to table.own[players[1]]
  copy free to table.all
}
flow {
  players[0] choose go { for each u in table.all { move u to players[1].hand } }
  players[0] choose go { move table.own[players[1]] to players[1].hand }
  players[0] choose quit { tie }
}
card free "Free" : unit { aura { worth(you) += 5 } }
card owned "Owned" : unit { aura { worth(you) += 1 } }
"""
    )
    match = game.start(1)
    worths = []
    while match.decision is not None:
        again = game.restore(match.to_json())
        assert again.get("worth", 1) == match.get("worth", 1)
        worths.append(match.get("worth", 1))
        match.choose(0)
    assert worths == [2, 2, 1]


LISTENERS = (
    UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot aura: static in table  form calm(n: 1..2) }")
    + """
board table { own: each player list of unit, all see }
effect ping(q: player) {}
setup { copy hush to table.own[players[0]]  copy loud to table.own[players[0]]  copy mute to table.own[players[0]] }
flow { repeat 2 { players[0] choose go { ping(players[0]) } }  tie }
card loud "Loud" : unit {
  aura { on ping(you) { you.points += 10 } }
  form calm(n: 1) { aura { on ping(you) { you.points += 1 } } }
}
card mute "Mute" : unit { aura { on ping(you.opponent) { you.points += 1 } } }
"""
)


@pytest.mark.parametrize(
    ("does", "points"),
    [
        ("for each f in u.forms { u.form = f }", 1),
        ("for each v in table.own[you] { if u is loud and v is mute { exchange aura of u with v } }", 0),
        ("if u is cub { lose you }", 20),
    ],
)
def test_what_a_listener_has_taken_away_is_not_heard(game_of, does, points):
    """`hush` is the first to hear. In its form `loud` does not have the line that heard, and the second time hears with
    another one; what it has exchanged is given back the second time before `mute`, which has it then, has its turn."""
    hush = f"card hush \"Hush\" : unit {{ aura {{ on ping(you) {{ for each u in table.own[you] {{ {does} }} }} }} }}\n"
    game = game_of(LISTENERS + hush)
    assert both(game, 0, 0).get("points", 0) == points


def test_many_remembered_values_are_told_apart(game_of):
    """More of them than fit one byte."""
    many = 300
    values = "\n".join(
        f"value w{i}(u: unit): int = count(v in table.own[u.owner] where v.power > {i % 3}) + {i}" for i in range(many)
    )
    game = game_of(
        f"""{UNITS}
board table {{ own: each player list of unit, all see }}
{values}
value whole(u: unit): int = {" + ".join(f"w{i}(u) + w{i}(u)" for i in range(many))}
setup {{ for each c in catalog {{ copy c to table.own[players[0]] }} }}
flow {{
  players[0].points = sum(whole(u) for u in table.own[players[0]])
  players[0] choose quit {{ tie }}
}}
"""
    )
    one = sum((3, 2, 1)[i % 3] + i for i in range(many))
    assert both(game, 0).get("points", 0) == 3 * 2 * one


def test_a_copy_of_large_decks_is_drawn_again(game_of):
    """Which card can be which is found by search, as deep as a deck has cards."""
    game = game_of(
        UNITS.replace("elk", "boar")
        + """
zone hand: each player list of unit, owner sees
zone pile: each player list of unit, nobody sees
deck { unit into pile }
unseen u: unit in hand where u.power < 3
unseen u: unit in pile where not u is wolf
setup { for each p in players { for each u in p.pile { if u is wolf { move u to p.hand } } } }
flow { players[0] choose quit { tie } }
decklist x "X" { 1 wolf, 1 cub, 1 boar }
"""
    )
    deck = ["wolf", *["cub"] * 900, *["boar"] * 900]
    match = game.start(1, decks=[deck, deck])
    for seed in range(4):
        assert match.determinise(0, seed).get("hand", 1) == ["wolf#2"]


def test_cards_in_a_form_are_called_as_they_are_told(game_of):
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  form grown(n: 1..2) }").replace(
            "power: 2 }", "power: 2  form grown(n: 1) { power: 7 } }"
        )
        + """
zone hand: each player list of unit, owner sees
value might(u: unit): int = u.power
setup { for each c in catalog { copy c to players[0].hand }  copy wolf to players[0].hand }
flow {
  for each u in top(players[0].hand) { for each f in u.forms { u.form = f } }
  players[0] choose quit { tie }
}
"""
    )
    match = game.start(1)
    told = match.get("hand", 0)
    assert [match.get("might", card) for card in told] == [1, 2, 3, 7]
    assert told[1] == "wolf" and told[3].startswith("wolf/")


def test_spaces_where_a_player_has_something(game_of):
    """A space where only the other one has something is none of them, though something lies in its only part."""
    game = game_of(
        UNITS
        + """
board yard: grid 3 by 2 of plot { beds: each player list of unit, all see }
value mine(p: player): int = count(s in yard where s.beds[p] is not empty)
value elks(p: player): bool = all(top(s.beds[p]) is elk for s in yard where s.beds[p] is not empty)
setup {
  for each s in yard.at(0, 0) { copy cub to s.beds[players[0]] }
  for each s in yard.at(1, 0) { copy elk to s.beds[players[1]] }
}
flow {
  if elks(players[1]) { players[0].points = mine(players[0]) }
  players[0] choose quit { tie }
}
"""
    )
    match = both(game, 0)
    assert [match.get("mine", seat) for seat in (0, 1)] == [1, 1]
    assert [match.get("elks", seat) for seat in (0, 1)] == [False, True]
    assert match.get("points", 0) == 1


@pytest.mark.parametrize(("face", "named"), [("", " (Cub)"), (" facing down", "")])
def test_the_reason_of_a_match_without_end_names_no_card_that_lies_face_down(game_of, face, named):
    game = game_of(
        UNITS.replace("players: 2 }", "players: 2  limit: 4 }").split("card wolf")[0]
        + f"""
zone hand: each player list of unit, owner sees
board table {{ row: each player list of unit, all see }}
setup {{ for each p in players {{ copy cub to p.hand }} }}
flow {{
  loop {{ players[0] choose lay u: unit in players[0].hand {{ move u to table.row[players[0]]{face} }} or rest {{}} }}
}}
"""
    )
    match = both(game, 0, 0, 0, 0)
    assert match.result.reason == f"stopped: the match has come to its limit of 4 decisions{named}"


@pytest.mark.parametrize("grid", ["grid 3 by 2 of plot", "floating grid 3 by 2 of plot"])
def test_all_that_a_player_has_on_a_grid(game_of, grid):
    game = game_of(
        UNITS
        + f"""
board yard: {grid} {{ beds: each player list of unit, all see }}
value might(p: player): int = sum(u.power for u in yard.beds[p])
setup {{
  for each p in players {{ for each s in yard {{ if count(yard.beds) < 3 {{ copy elk to s.beds[p] }} }} }}
  for each s in yard {{ if count(yard.beds) < 4 {{ copy cub to s.beds[players[1]] }} }}
}}
flow {{
  players[0] choose
    take u: unit in yard.beds[players[0]] {{ players[0].points = u.power + might(players[0]) + 10 * might(players[1]) }}
  tie
}}
"""
    )
    match = game.start(1)
    lying = [match.get("might", seat) for seat in (0, 1)]
    match = both(game, 0)
    assert match.get("points", 0) == 3 + lying[0] + 10 * lying[1]
    beds = [u for s in match.view(None)["boards"]["yard"]["spaces"] for u in s["parts"]["beds"][0]["cards"]]
    assert 3 * len(beds) == lying[0] > 0


def stepped(game: rt.Game, seed: int) -> rt.Match:
    """A random match step by step; the playout of the seed ends in the same state."""
    match, bot = game.start(seed), Random(seed)
    while match.decision is not None:
        match.choose(bot(match.decision))
    assert state_hash(game.playout_state(seed)) == match.state_hash(), seed
    return match


def test_a_form_that_fills_an_effect_slot(game_of):
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot pray: effect in shrine  form broken(level: 1..2) }")
        + """
zone shrine: each player list of unit, all see
value few(): list of int = [5]
setup { copy lamp to players[0].shrine }
flow {
  for each u in players[0].shrine { run u.pray }
  for each u in players[0].shrine { for each f in u.forms where f.level == 1 { u.form = f } }
  loop { for each u in players[0].shrine { run u.pray }  players[0] choose go {} or quit { tie } }
}
card lamp "Lamp" : unit {
  pray { you.points += 10 }
  form broken(level: 1) { pray { you.points += 1  if you.points > 11 { you.points += few()[you.points] } } }
}
"""
    )
    assert both(game, 1).get("points", 0) == 11
    match = game.start(1)
    with pytest.raises(rt.CardFault, match=r"\(Lamp.*\): an index lies outside its list"):
        match.choose("go")


OFFERS = """
board yard { units: each player list of unit, all see }
effect tick(p: player) {}
"""


def test_secret_choices_in_the_block_of_an_offer(game_of):
    game = game_of(
        UNITS.replace("points: 0 or more = 0, score }", "points: 0 or more = 0, score  bid: 0..4 = 0, owner sees }")
        .replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot aura: static in yard }")
        + OFFERS
        + """
setup { for each p in players { copy lamp to p.hand  move p.hand to yard.units[p] } }
zone hand: each player list of unit, all see
flow { repeat 3 { for each p in players { tick(p) } } tie }
card lamp "Lamp" : unit {
  aura { on tick(p) may go "Go" { together each x in players { x choose sec n: 0..4 { x.bid = n  x.points += n } } } }
}
"""
    )
    assert len({stepped(game, seed).get("points", 0) for seed in range(8)}) > 3


def test_whose_an_offer_is_stays_as_it_was(game_of):
    """The bearer is given to the other player, and then, by the same words, to the same one."""
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot aura: static in yard }")
        + OFFERS
        + """
zone hand: each player list of unit, owner sees
setup { copy lamp to yard.units[players[0]] }
flow { tick(players[1])  players[0] choose a {} or b {}  tie }
card lamp "Lamp" : unit {
  aura {
    on tick(p) may go "Go" {
      move self to you.opponent.hand
      move self to you.opponent.hand
      you choose v {} or z {}
      you.points += 1
    }
  }
}
"""
    )
    ends = set()
    for seed in range(8):
        match = stepped(game, seed)
        ends.add((match.get("points", 0), *(len(match.get("hand", seat)) for seat in (0, 1))))
    assert ends == {(0, 0, 0), (1, 0, 1)}


def test_conditions_of_two_parts_where_playouts_write_searches_out(game_of):
    """Of nobody's unit nothing is true; a union has what either has."""
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  clans: set of clan }\nenum clan { dawn, dusk, noon }")
        .replace("power: 1", "power: 1  clans: [dawn]")
        .replace("power: 2", "power: 2  clans: [dusk]")
        .replace("power: 3", "power: 3  clans: []")
        + """
zone hand: each player list of unit, all see
value foe(u: unit): unit? = the f in u.owner.opponent.hand where f.power > u.power
value beaten(u: unit): bool = any(f in foe(u) where f.power > 2 or u.power > 1)
value allied(u: unit, v: unit, c: clan): bool = u.clans + v.clans has c
setup {
  copy wolf to players[0].hand
  for each c in catalog { copy c to players[1].hand }
}
flow {
  for each p in players {
    for each u in p.hand {
      if beaten(u) { p.points += 1 }
      if any(f in foe(u) where f.power > 2 or u.power > 1) { p.points += 10 }
      for each v in p.opponent.hand {
        if allied(u, v, dawn) { p.points += 100 }
        if allied(u, v, dusk) { p.points += 1000 }
        if (u.clans + v.clans) has noon { p.points += 10000 }
      }
    }
  }
  players[0] choose quit { tie }
}
"""
    )
    match = both(game, 0)
    # the wolf's foe is the elk; the cub's foe is the wolf, which is not strong enough; wolf and elk have none
    assert match.get("points", 0) == 11 + 100 + 3000
    assert match.get("points", 1) == 100 + 3000


def test_an_event_about_a_list_that_two_may_answer(game_of):
    game = game_of(
        UNITS.replace("power: 0..9 = 1 }", "power: 0..9 = 1  slot aura: static in yard }")
        + """
board yard { units: each player list of unit, all see }
effect tick(us: list of unit) {}
setup { repeat 2 { copy lamp to yard.units[players[0]] } }
flow { tick(yard.units)  tie }
card lamp "Lamp" : unit { aura { on tick(us) may go "Go" { you.points += count(us) } } }
"""
    )
    points = {stepped(game, seed).get("points", 0) for seed in range(12)}  # either may go until nobody goes any more
    assert len(points) > 2 and all(n % 2 == 0 for n in points)


def test_a_remembered_value_of_a_list(game_of):
    game = game_of(
        UNITS
        + """
board yard { units: each player list of unit, all see }
value strong(us: list of unit): int = count(u in us where u.power > 1)
value mine(p: player): int = strong(yard.units[p])
value others(p: player): int = strong(yard.units) - mine(p)
setup { for each p in players { for each c in catalog { copy c to yard.units[p] } } }
flow {
  if others(players[0]) + mine(players[1]) > 1 { players[0].points = others(players[0]) + 10 * mine(players[1]) }
  players[0] choose quit { tie }
}
"""
    )
    assert both(game, 0).get("points", 0) == 22


def test_options_whose_first_pick_may_be_left_out(game_of):
    game = game_of(
        UNITS
        + """
state rich: bool = false
flow {
  for each p in players {
    p choose a maybe x where not rich, n: 0..2, y: 0..2 { if x { p.points += n + y } }
    rich = true
  }
  tie
}
"""
    )
    assert len({stepped(game, seed).get("points", 0) for seed in range(30)}) == 5
