"""Matches: choosing, undo, records, saving, inputs, determinise."""

from __future__ import annotations

import json
import random

import pytest
from card_runtime.bots import Random
from card_runtime.determine import determinise
from card_runtime.errors import CardError, IllegalChoice, InputError, SaveError
from card_runtime.match import EVERY, Result, Tape, play, replay, restore


def snapshot(match):
    return match.state_hash(), [match.log(s) for s in (0, 1, None)], [match.view(s) for s in (0, 1, None)]


def test_a_match_and_its_result(game):
    match = game.start(seed=3)
    assert match.result is None and match.decision.player == 0
    result = play(match, Random(1), Random(2))
    assert match.decision is None
    assert isinstance(result, Result) and result == match.result
    assert result.winner is None and result.reason == "played out"
    assert [set(s) for s in result.scores] == [{"damage"}, {"damage"}]
    assert match.log(0)[-1]["text"] == "The match is a tie: played out"
    with pytest.raises(IllegalChoice, match="over"):
        match.choose(0)


def test_an_answer_is_known_to_its_chooser(game):
    match = game.start(seed=3)
    match.choose(match.decision.options[0].id)
    kinds = [[r["kind"] for r in match.log(s)] for s in (0, 1, None)]
    assert "choice" in kinds[0] and "choice" not in kinds[1] and "choice" in kinds[2]


def test_a_wrong_answer_changes_nothing(game):
    match = game.start(seed=3)
    before = snapshot(match)
    for wrong in (True, -1, 99, "play", [], [0, 1]):
        with pytest.raises(IllegalChoice):
            match.choose(wrong)
    assert snapshot(match) == before and match.record["choices"] == []


def test_a_fault_in_a_card_leaves_the_match_as_it_was(game, fake):
    match = game.start(seed=3)
    match.choose(0)
    seat = match.decision.player
    for m in (match.state, match._kept[0].state):
        for card in m.places[fake.HAND + seat]:
            m.d[card] = fake.BOMB
    match.state.wait = (seat, 0, fake.options(match.state, seat), False)
    with pytest.raises(ZeroDivisionError):
        match.choose(0)
    assert len(match.record["choices"]) == 1 and match.decision.player == seat
    assert len(match.state.places[fake.HAND + seat]) == 4


def test_undo_goes_back_exactly(game):
    match = game.start(seed=5)
    before = []
    rng = random.Random(0)
    while match.decision is not None:
        before.append(snapshot(match))
        match.choose(int(rng.random() * match.decision.count))
    while before:
        match.undo()
        assert snapshot(match) == before.pop()
    with pytest.raises(IllegalChoice, match="nothing to undo: no choice"):
        match.undo()


def test_undo_limit_bounds_what_is_kept(game):
    match = game.start(seed=5, undo_limit=2)
    play(match, Random(1), Random(2))
    match.undo()
    match.undo()
    with pytest.raises(IllegalChoice, match="at most 2 choices"):
        match.undo()


def test_checkpoints_are_kept_every_so_often(game, fake, monkeypatch):
    def forever(m):
        frame = m.frames[-1]
        frame[1] += m.answer is not None
        m.answer, m.turn = None, frame[1] % 2
        m.wait = (m.turn, 0, [(1,)], False)

    monkeypatch.setattr(fake.driver, "advance", forever)
    match = game.start(undo_limit=EVERY, log_limit=10)
    for _ in range(10 * EVERY + 3):
        match.choose(0)
    assert [k.index for k in match._kept] == [9 * EVERY, 10 * EVERY]
    assert len(match.log(0)) == 10
    for _ in range(EVERY):
        match.undo()
    assert match.state.frames[-1][1] == 9 * EVERY + 3
    with pytest.raises(IllegalChoice):
        match.undo()


def test_clones_go_their_own_way(game):
    match = game.start(seed=5)
    match.choose(0)
    copy = match.clone()
    before = snapshot(match)
    assert snapshot(copy) == before
    copy.choose(1)
    copy.choose(0)
    assert snapshot(match) == before
    copy.undo()
    copy.undo()
    assert snapshot(copy) == before
    assert copy.record == match.record


def test_replay(game):
    match = game.start(seed=8, options={"length": 1})
    play(match, Random(1), Random(2))
    record = json.loads(json.dumps(match.record))
    assert record["format"] == 1 and record["game"] == {"id": "fake", "version": "1.0.0", "build": "b1"}
    assert snapshot(replay(game, record)) == snapshot(match)


def test_unread_options_are_not_made_up_later(game):
    match = game.start(seed=3)
    decision = match.decision
    match.choose(0)
    with pytest.raises(CardError):
        _ = decision.options


# ---- Saving


def test_a_saved_match_goes_on_exactly(game):
    match = game.start(seed=4)
    for _ in range(3):
        match.choose(0)
    text = match.to_json()
    again = restore(game, text)
    assert snapshot(again) == snapshot(match) and again.to_json() == text
    again.choose(0)
    match.choose(0)
    assert snapshot(again) == snapshot(match) and again.record == match.record
    for _ in range(4):
        again.undo()
        match.undo()
        assert snapshot(again) == snapshot(match)


@pytest.mark.parametrize(
    ("change", "say"),
    [
        (lambda t: t[: len(t) // 2], "not whole JSON"),
        (lambda t: "[" * 99999, "not whole JSON"),
        (lambda t: "[]", "no saved match"),
        (lambda t: "{}", "no saved match"),
        (lambda t: t.replace('"seed":4', '"seed":5'), "damaged or edited"),
        (lambda t: t.replace('"format":1', '"format":2'), "format 2"),
        (lambda t: t.replace('"undo_limit":null', '"undo_limit":NaN'), "damaged or edited"),
    ],
)
def test_a_damaged_save_is_refused(game, change, say):
    text = game.start(seed=4).to_json()
    assert change(text) != text
    with pytest.raises(SaveError) as e:
        restore(game, change(text))
    assert say in str(e.value) and "\n" not in str(e.value)


def test_a_save_of_another_build_is_refused(game, fake):
    with pytest.raises(SaveError, match=r"saved by build b1 of fake 1\.0\.0, this is build b2 .*: load that build"):
        restore(fake.Game("b2"), game.start(seed=4).to_json())


@pytest.mark.parametrize(
    ("change", "say"),
    [
        (lambda r: 3, "no record of format 1"),
        (lambda r: {**r, "format": 9}, "no record of format 1"),
        (lambda r: {k: v for k, v in r.items() if k != "seed"}, "lacks seed"),
        (lambda r: {**r, "game": {**r["game"], "id": "chess"}}, "of the game chess, not of fake"),
        (lambda r: {**r, "choices": [[0], [999]]}, "entry 1 of the record"),
        (lambda r: {**r, "choices": [["end"]]}, "not lists of option numbers"),
        (lambda r: {**r, "choices": [{"forfeit": 7}]}, "not lists of option numbers"),
    ],
)
def test_a_wrong_record_is_refused(game, change, say):
    with pytest.raises(SaveError) as e:
        replay(game, change(game.start(seed=4).record))
    assert say in str(e.value) and "\n" not in str(e.value)


# ---- Inputs


@pytest.mark.parametrize("kind", ["forfeit", "timeout"])
def test_without_an_effect_the_other_seat_wins(game, kind):
    match = game.start(seed=4)
    match.choose(0)
    before = snapshot(match)
    getattr(match, kind)(0)
    assert (match.result.winner, match.result.reason) == (1, kind) and match.decision is None
    assert match.state.frames == []
    assert match.record["choices"][-1] == {kind: 0}
    assert snapshot(replay(game, match.record)) == snapshot(match)
    assert [r["kind"] for r in match.log(1)[-2:]] == [kind, "end"]
    with pytest.raises(IllegalChoice, match="too late"):
        match.forfeit(1)
    match.undo()
    assert snapshot(match) == before


def test_an_effect_answers_a_timeout(game, fake):
    def punish(m, p):
        for card in list(m.places[fake.HAND + p]):
            m.move(card, fake.WASTE)

    match = fake.Game(code={"e_timeout": punish}).start(seed=4)
    assert match.decision.count > 1
    match.timeout(0)
    assert match.result is None and match.decision.player == 0 and [o.id for o in match.decision.options] == ["end"]
    for wrong in (2, -1, True, None, "0"):
        with pytest.raises(InputError):
            match.timeout(wrong)


# ---- Supplied chance


class Source:
    def __init__(self):
        self.asked = 0

    def shuffle(self, name, items):
        self.asked += 1
        return sorted(items, key=lambda i: (i * 7 + self.asked) % 31)

    def pick(self, name, items):
        return items[-1]


def test_supplied_chance_is_recorded(game):
    source = Source()
    match = game.start(chance=source)
    snapshots = []
    while match.decision is not None:
        snapshots.append(snapshot(match))
        match.choose(match.decision.count - 1)
    asked = source.asked
    assert asked > 1 and [name for name, _ in match.record["chance"]] == ["pile"] * asked
    assert snapshot(replay(game, json.loads(json.dumps(match.record)))) == snapshot(match)
    for _ in range(3):
        match.undo()
        snapshots = snapshots[: len(match.record["choices"]) + 1]
        assert snapshot(match) == snapshots[-1]
    assert source.asked == asked and len(match.record["chance"]) == asked - 3
    again = restore(game, match.to_json(), chance=source)
    again.choose(again.decision.count - 1)
    assert source.asked == asked + 1
    again.undo()
    assert snapshot(again) == snapshots[-1]
    again.choose(again.decision.count - 1)
    with pytest.raises(InputError, match="give the source it was played with"):
        restore(game, match.to_json()).choose("end")


def test_wrong_chance_is_refused():
    class Wrong:
        def shuffle(self, name, items):
            return items[1:]

        def pick(self, name, items):
            return 99

    with pytest.raises(InputError, match="no order of 3"):
        Tape(Wrong()).shuffle("pile", [1, 2, 3])
    with pytest.raises(InputError, match="99"):
        Tape(Wrong()).pick("first", [0, 1])
    with pytest.raises(InputError, match="of another match"):
        Tape(None, [["deck", [0]]]).shuffle("pile", [1])
    assert Tape(None, [["pile", [1, 0, 2]]]).shuffle("pile", [5, 5, 6]) == [5, 5, 6]


# ---- Determinise


def test_determinise_keeps_all_that_the_seat_knows(game, fake):
    changed = mixed = 0
    for seed in range(20):
        match = game.start(seed=seed)
        bots = Random(seed), Random(seed + 1)
        while match.decision is not None:
            for seat in (0, 1):
                copy = match.determinise(seat, seed)
                assert copy.view(seat) == match.view(seat)
                assert copy.log(seat) == match.log(seat)
                assert copy.log(1 - seat) == copy.log(None) == []
                assert sorted(copy.state.d) == sorted(match.state.d)
                changed += copy.state.d != match.state.d
                mixed += copy.state.places[fake.PILE] != match.state.places[fake.PILE]
                registry = copy.state.v_number
                copy.state.rebuild()
                assert copy.state.v_number == registry
                assert copy.decision.player == match.decision.player
                assert copy.state.wait[2] == fake.options(copy.state, copy.decision.player)
                for place in fake.LANES, fake.LANES + 1:
                    for card in copy.state.places[place]:
                        assert copy.state.up[card] or fake.CARDS[copy.state.d[card]].sneaky
                for card, d in enumerate(copy.state.d):
                    printed = fake.CARDS[d]
                    assert copy.state.c_unit_vigor[card] == (printed.power if printed.kind == "unit" else None)
                assert match.determinise(seat, seed).state_hash() == copy.state_hash()
                play(copy, Random(1), Random(2))
            match.choose(bots[match.decision.player](match.decision))
    assert changed > 200 and mixed > 200


def test_the_record_of_a_determinised_match_holds_no_secret(game):
    match = game.start(seed=2)
    match.choose(0)
    copy = match.determinise(0, 5)
    record = copy.record
    assert "seed" not in record and record["choices"] == []
    copy.choose(0)
    assert snapshot(replay(game, copy.record)) == snapshot(copy)
    assert snapshot(restore(game, copy.to_json())) == snapshot(copy)
    copy.undo()
    with pytest.raises(IllegalChoice):
        copy.undo()
    assert copy.state.seed != match.state.seed


def test_decks_and_marked_cards_keep_theirs(fake, game, monkeypatch):
    m = fake.table()
    m.decks = [[], []]
    for seat in (0, 1):
        for d in (fake.PLAGUE, fake.CROWD, fake.POTION) if seat else (fake.SHADOW, fake.CUB, fake.CUB):
            m.decks[seat].append(m.make(d, fake.PILE if seat == 0 else fake.HAND + 1, own=seat))
    marked = m.decks[1][0]
    m.c_thing_silenced[marked] = True
    seen = set()
    for seed in range(40):
        c = determinise(m, 0, seed)
        assert sorted(c.d[i] for i in m.decks[1]) == [fake.PLAGUE, fake.CROWD, fake.POTION]
        assert c.d[marked] != fake.POTION and c.c_thing_silenced[marked]
        assert sum(c.c_thing_silenced) == 1
        seen.add(tuple(c.d[i] for i in m.decks[1]))
    assert len(seen) == 4


def test_a_rule_that_cannot_be_met_keeps_the_truth(fake, game):
    m = fake.table()
    m.make(fake.CROWD, fake.LANES + 1, up=False, own=1)  # against the rule
    m.make(fake.PLAGUE, fake.HAND + 1, own=1)
    assert determinise(m, 0, 3).d == m.d


def test_owners_keep_their_cards_without_a_shared_hidden_place(fake, game, monkeypatch):
    zones = [z for z in fake.ZONES if z.name in ("hand", "waste")]
    monkeypatch.setattr(fake.MODEL, "zones", [*zones, fake.place_decl("pile", "thing", "all")])
    m = fake.table()
    m.make(fake.SHADOW, fake.HAND + 1, own=1)
    m.make(fake.SHADOW, fake.HAND + 1, own=1)
    m.own[m.make(fake.CUB, fake.LANES, up=False)] = None
    for seed in range(10):
        assert determinise(m, 0, seed).d == m.d


# ---- Bots


def test_the_random_bot_draws_as_a_playout_does(game, fake):
    m = fake.table()
    m.wait = (0, 0, [(1,)] * 3, True)
    from card_runtime.decision import Decision

    rng = random.Random("7")
    bot, decision = Random(7), Decision(m)
    for _ in range(50):
        index = int(rng.random() * 4)
        assert bot(decision) == ([index] if index < 3 else [])
