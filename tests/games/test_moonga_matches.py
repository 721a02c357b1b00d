"""Many random matches of Moonga with its expansion: accounts that must balance at every decision, what nobody may see,
and what comes with a match and out of it.

CARDC_LONG=1 plays 10,000 matches in each way to choose instead of some hundred.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime.bots import Random
from cardc import pipeline
from cardc.cli.table import Shape, draw
from cardc.cli.why import Why

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CARDC_LONG"))
MATCHES = 10_000 if LONG else 150
MODES = ["alternate", "simultaneous"]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    outcome, base = pipeline.build(ROOT / "cards" / "moonga", out / "moonga")
    assert outcome.files is not None, outcome.findings
    outcome, densara = pipeline.build(ROOT / "cards" / "moonga" / "densara", out / "densara", base=base)
    assert outcome.files is not None, outcome.findings
    return rt.load(base, expansions=[densara])


@pytest.fixture(scope="module")
def spells(game):
    return [c.id for c in game.cards if c.kind == "attack_spell" and c.base is None]


@pytest.fixture(scope="module")
def supports(game):
    return [c.id for c in game.cards if c.kind == "support_spell"]


HEAVY = ["aodh_light", "demon_protector", "ember_drake", "phoenix", "storm_caller", "war_dancer", "wild_boar"]


def decks(rng, spells, supports, heavy=False):
    return [[*rng.sample(HEAVY if heavy else spells, 4), rng.choice(supports)] for _ in (0, 1)]


# ---- Accounts


class Book:
    """What the answers of a round and the full log say about power and health, against the state."""

    def __init__(self, match) -> None:
        self.match = match
        self.power = [8, 8]
        self.health = [20, 20]
        self.answers = [None, None]
        self.read = 0
        self.seen = Counter()

    def answer(self, seat, option) -> None:
        """Note what a player has chosen and what it costs: power, what is invested, health."""
        m = self.match.state
        _, s, switched, boosted, form, n, _ = option
        printed = m.d[s]
        cast = m.D_attack_spell·cast[printed]
        assert 0 <= n <= 4
        if cast > self.power[seat]:
            assert (switched, boosted, form) == (False, False, None)
            self.answers[seat] = (None, n, 0)
            self.seen["failed"] += 1
            return
        price, blood = cast, 0
        if switched:
            price += m.D_attack_spell·switch·cost[printed]
        if boosted:
            price += m.D_attack_spell·boost·cost[printed]
        if form is not None and m.D_evolution·pay[form] == 0:
            price += m.D_evolution·cost[form]
        elif form is not None:
            blood = m.D_evolution·cost[form]
        assert price + n <= self.power[seat]
        assert blood == 0 or blood < self.health[seat]
        self.answers[seat] = (price, n, blood)
        for name, chosen in (("switched", switched), ("boosted", boosted), ("evolved", form is not None)):
            self.seen[name] += chosen

    def check(self) -> None:
        """What must hold at every decision, and after the last one."""
        m = self.match.state
        assert all(0 <= p <= 8 for p in m.p_power)
        assert all(0 <= n <= 4 for n in m.p_invested)
        if m.result is None:
            assert all(h > 0 for h in m.p_health)
        assert all(h >= 0 for h in m.p_health)
        if None not in self.answers:
            self.round()
        assert list(m.p_power) == self.power and list(m.p_health) == self.health

    def round(self) -> None:
        """Read the log of a fight: payments come first, then each wound, each healing, each effect on power."""
        records = self.match.log(None)[self.read :]
        self.read += len(records)
        due = [[], []]
        bloods = [[], []]
        for seat, (price, n, blood) in enumerate(self.answers):
            due[seat] = [paid for paid in ([n] if price is None else [price, n]) if paid]  # what stays is not told
            bloods[seat] = [blood] if blood else []
        direct, dealt = [0, 0], Counter()
        for record, after in zip(records, [*records[1:], {}], strict=True):
            if record["kind"] != "change":
                continue
            field, value, seat = record["field"], record["value"], record.get("player")
            if field == "power":
                if due[seat]:
                    assert value == self.power[seat] - due[seat].pop(0)
                else:  # at most two points at once, and never out of 0..8
                    assert abs(value - self.power[seat]) <= 2
                    self.seen["power"] += value != self.power[seat]
                self.power[seat] = value
            elif field == "health" and after.get("field") in ("direct", "dealt"):
                if after["field"] == "direct":
                    taken = after["value"] - direct[seat]
                    direct[seat] = after["value"]
                else:
                    taken = after["value"] - dealt[after["tag"]]
                    dealt[after["tag"]] = after["value"]
                assert taken >= 0 and value == max(self.health[seat] - taken, 0)
                self.seen["wound"] += taken > 0
                self.health[seat] = value
            elif field == "health":
                if bloods[seat]:
                    assert value == self.health[seat] - bloods[seat].pop()
                else:
                    assert value >= self.health[seat]  # the Guardian too only gives back what was taken
                    self.seen["healing"] += value > self.health[seat]
                self.health[seat] = value
        assert due == bloods == [[], []]
        self.answers = [None, None]


@pytest.mark.parametrize("choice", MODES)
def test_power_and_health_balance_at_every_decision(game, spells, supports, choice):
    seen = Counter()
    for seed in range(MATCHES):
        rng = random.Random(f"{choice} {seed}")
        options = {"choice": choice, "ko": rng.choice(["end_of_round", "on_damage"])}
        options["change_order"] = rng.choice(["first_chooser", "second_chooser"])
        heavy = seed % 3 == 0  # so that some are knocked out
        match = game.start(seed, decks=decks(rng, spells, supports, heavy), options=options)
        book = Book(match)
        book.check()
        while match.decision is not None:
            m = match.state
            seat, options_here = m.wait[0], m.wait[2]
            index = rng.randrange(len(options_here))
            book.answer(seat, options_here[index])
            match.choose(index)
            book.check()
        assert match.result.reason in ("K-O", "Double K-O", "More health", "Equal health")
        assert match.state.decisions in (2, 4, 6, 8)
        assert sorted(s["xp"] for s in match.result.scores) in ([1, 5], [3, 3])
        seen += book.seen
        seen[match.result.reason] += 1
    rare = {"failed", "switched", "boosted", "evolved", "power", "wound", "healing", "K-O", "More health"}
    assert rare <= {name for name, n in seen.items() if n > 0}, seen


def truth(m):
    """The state, without who was shown the hidden state of cards: in playouts nobody looks, so it is not kept."""
    return {name: value for name, value in m.to_data().items() if name != "known"}


@pytest.mark.parametrize("choice", MODES)
def test_playouts_end_as_stepped_matches_do(game, spells, supports, choice):
    for seed in range(MATCHES // 5):
        beginning = {"decks": decks(random.Random(seed), spells, supports), "options": {"choice": choice}}
        whole = game.playout_state(seed, **beginning)
        match = game.start(seed, **beginning)
        choose = Random(seed)
        while match.decision is not None:
            match.choose(choose(match.decision))
        assert truth(whole) == truth(match.state), seed
        assert game.replay(match.record).state_hash() == match.state_hash()


def test_saving_at_every_decision_changes_nothing(game, spells, supports):
    for seed in range(20):
        options = {"choice": MODES[seed % 2]}
        match = game.start(seed, decks=decks(random.Random(seed), spells, supports), options=options)
        again = match.clone()
        rng = random.Random(seed)
        while match.decision is not None:
            n = rng.randrange(match.decision.count)
            again = game.restore(again.to_json())
            match.choose(n)
            again.choose(n)
            assert again.state_hash() == match.state_hash()
        assert again.result == match.result


# ---- Secrets


def known(match, seat):
    """All that a seat is told: its view, its log, and what it is asked."""
    decision = match.decision
    asked = None
    if decision is not None and decision.player == seat:
        asked = (decision.prompt, decision.options)
    return match.view(seat), match.log(seat), asked


@pytest.mark.parametrize("choice", MODES)
def test_what_the_first_has_chosen_is_not_to_be_told(game, spells, supports, choice):
    """All answers of the first chooser that differ in secret parts only look alike to the other."""
    compared = 0
    for seed in range(12 if LONG else 4):
        match = game.start(seed, decks=decks(random.Random(seed), spells, supports), options={"choice": choice})
        choose = Random(seed)
        while match.decision is not None:
            mover = match.decision.player
            if match.state.decisions % 2 == 0:
                looks = {}
                for option in match.decision.options:
                    other = match.clone()
                    other.choose(option.id)
                    assert other.decision.player == 1 - mover
                    public = option.value["picks"]["s"] if choice == "alternate" else None
                    first = looks.setdefault(public, known(other, 1 - mover))
                    assert known(other, 1 - mover) == first, option.id
                    compared += 1
                assert len(looks) == (len(match.state.places[mover]) if choice == "alternate" else 1)
            match.choose(choose(match.decision))
    assert compared > 200


@pytest.mark.parametrize("choice", MODES)
def test_a_support_spell_is_secret_until_it_is_used(game, spells, supports, choice):
    """Two matches that differ in the support spell of one player only: the other cannot tell until it is used."""
    told_apart = 0
    for seed in range(30 if LONG else 10):
        rng = random.Random(seed)
        mine, theirs = decks(rng, spells, supports)
        others = [*theirs[:4], rng.choice([s for s in supports if s != theirs[4]])]
        one = game.start(seed, decks=[mine, theirs], options={"choice": choice})
        two = game.start(seed, decks=[mine, others], options={"choice": choice})
        used, between = False, False
        while one.decision is not None:
            if used and not between:
                assert known(one, 0) != known(two, 0)
                told_apart += 1
                break
            assert known(one, 0) == known(two, 0)
            index = rng.randrange(one.decision.count)
            assert one.decision.count == two.decision.count
            used = used or (one.decision.player == 1 and one.decision.options[index].value["picks"]["t"] is not None)
            between = one.state.decisions % 2 == 0
            one.choose(index)
            two.choose(index)
    assert told_apart >= 5


def test_why_tells_nothing_of_what_is_invested_before_both_have_chosen(game):
    match = next(m for m in (game.start(seed, decks=["pack", "ascent"]) for seed in range(9)) if m.decision.player == 0)
    match.choose("play snow_wolf - - - 3 pack_call")
    why = Why(match)
    hidden = "that depends on what you cannot see."
    for value in ("attack snow_wolf", "defense snow_wolf", "lead opponent", "promise snow_wolf"):
        (told,) = why(value, 1)
        assert told.endswith(hidden)
    assert why("attack snow_wolf", 0)[0] == "attack (Snow Wolf) is 9"
    assert why("damage snow_wolf", 1)[0] == "damage (Snow Wolf) is 3"
    assert why("invested opponent", 1) == ["You cannot see player 0's invested"]


@pytest.mark.parametrize("choice", MODES)
def test_nobody_can_tell_a_match_from_one_in_which_all_he_cannot_see_is_other(game, spells, supports, choice):
    locked = 0
    for seed in range(60 if LONG else 15):
        match = game.start(seed, decks=decks(random.Random(seed), spells, supports), options={"choice": choice})
        choose = Random(seed)
        while match.decision is not None:
            for seat in (0, 1):
                guess = match.determinise(seat, seed=seed + match.state.decisions)
                assert known(guess, seat) == known(match, seat)
                locked += guess.state_hash() != match.state_hash()
            match.choose(choose(match.decision))
    assert locked > 0


def test_the_fight_shows_everything(game):
    mine = ["kraken", "aodh_light", "phoenix", "wild_boar", "ward_of_light"]
    theirs = ["hollow_oak", "aodh_dark", "ice_mirror", "moon_pool", "silence"]
    match = game.start(1, decks=[mine, theirs], options={"choice": "simultaneous"})
    first = match.decision.player
    ids = {0: "play kraken - - evolution 3 1 ward_of_light", 1: "play hollow_oak - boosted - 2 -"}
    match.choose(ids[first])
    match.choose(ids[1 - first])
    for seat in (0, 1):
        shown = [r for r in match.log(seat) if r["kind"] == "show"]
        told = {(r.get("card", r.get("player")), r["field"]): r["value"] for r in shown}
        assert told["kraken", "evolved"] == "kraken/3" and told["hollow_oak", "boosted"] is True
        assert told[0, "invested"] == 1 and told[1, "invested"] == 2
        assert any(r.get("card") == "ward_of_light" for r in match.log(seat))


def test_the_table_shows_both_hands_and_what_the_first_chooser_has_played(game):
    """Your own cards lie below, the opponent's above; what he has invested cannot be read off his spell."""
    match = next(m for m in (game.start(seed, decks=["pack", "ascent"]) for seed in range(9)) if m.decision.player == 0)
    shape = Shape.of(game.model)
    match.choose("play snow_wolf - - - 3 pack_call")
    lines = [text for _, text in draw(match.view(1), shape, 200)]
    assert "  Snow Wolf (attack 6, defense 4, damage 3, blow 0)" in lines
    above, below = (next(i for i, line in enumerate(lines) if line.startswith(who)) for who in ("Player 0", "You"))
    assert above < lines.index("arena") < below
    held = "Pack Leader (attack 5, defense 5, damage 3), Burrower (attack 6, defense 5, damage 3)"
    assert held in lines[above + 1] and not any("Pack Call" in line for line in lines)
    assert any("Green Sentinel (clan lymronia" in line for line in lines[below:])


# ---- What comes with a match, and what comes out


@pytest.mark.parametrize(("kind", "reason"), [("forfeit", "Gave up"), ("timeout", "Time")])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("choice", MODES)
def test_giving_up_and_time(game, kind, reason, seat, choice):
    inputs = {"ranking": [1000, 1100]}
    for answered in range(4):
        match = game.start(5, options={"choice": choice}, inputs=inputs)
        choose = Random(5)
        for _ in range(answered):
            match.choose(choose(match.decision))
        getattr(match, kind)(seat)
        assert (match.result.winner, match.result.reason) == (1 - seat, reason)
        lost, won = match.result.scores[seat], match.result.scores[1 - seat]
        moved = 15 if seat == 1 else 5
        assert lost == {"xp": -5, "coins": 0, "points": -moved} and won == {"xp": 5, "coins": 3, "points": moved}
        again = game.replay(match.record)
        assert again.result == match.result and again.state_hash() == match.state_hash()
        match.undo()
        assert match.result is None and match.decision is not None


def test_the_first_to_exceed_the_time_has_lost(game):
    match = game.start(5)
    match.timeout(1)
    with pytest.raises(rt.CardError):
        match.timeout(0)
    assert match.result.winner == 0


def test_the_collection_says_which_evolutions_are_offered(game):
    def offered(*owned):
        inputs = {"collection": [list(owned), list(owned)]}
        match = game.start(3, decks=["ascent", "ascent"], inputs=inputs)
        return {p["e"] for p in (o.value["picks"] for o in match.decision.options) if p["e"] is not None}

    assert offered() == set()
    assert offered("phoenix/2", "inquisitor/3") == {"phoenix/2"}
    assert offered("phoenix/2", "phoenix/3") == {"phoenix/2", "phoenix/3"}
    everything = game.start(3, decks=["ascent", "ascent"]).decision.options
    assert len({p["e"] for p in (o.value["picks"] for o in everything)}) == 9
    with pytest.raises(rt.InputError):
        game.start(3, inputs={"collection": [["phoenix/4"], None]})


def test_decks_are_judged_in_the_words_of_the_game(game):
    assert all(game.check_deck(d.name) == [] for d in game.decks)
    assert {d.name for d in game.decks} == {"seasons", "pack", "mirrors", "ascent", "spirits"}
    assert game.check_deck(["aodh_light", "aodh_light", "kraken", "silence", "hush"]) == [
        "A deck has four attack spells",
        "A deck has one support spell",
        "The same attack spell is not twice in a deck",
    ]
    (said,) = game.check_deck(["aodh_light", "phoenix", "kraken", "kraken/2", "silence"])
    assert said == "kraken/2 is a form of kraken: a deck has the card itself"
    with pytest.raises(rt.InputError, match="A deck has one support spell"):
        game.start(1, decks=[["aodh_light", "phoenix", "kraken", "aodh_dark"], None])


def test_base_and_expansion_in_one_match(game):
    match = game.start(2, decks=["spirits", "mirrors"])
    choose = Random(2)
    while match.decision is not None:
        match.choose(choose(match.decision))
    assert match.result is not None
    spent = {card["card"] for card in match.view(None)["zones"]["spent"][0]["cards"]}
    assert spent & {"spirit_drum", "totem_guard", "elder"}
