"""Matches: choosing, undo, records, saving, inputs, supplied chance, determinise."""

from __future__ import annotations

import json
import random

import pytest
from card_runtime import driver, moves
from card_runtime.bots import Random, generator_seed
from card_runtime.chance import numbers
from card_runtime.decision import Decision
from card_runtime.determine import determinise
from card_runtime.errors import CardError, IllegalChoice, InputError, SaveError
from card_runtime.match import EVERY, Result, Tape, play, replay, restore, state_hash


def snapshot(match):
    return match.state_hash(), [match.log(s) for s in (0, 1, None)], [match.view(s) for s in (0, 1, None)]


def test_a_match_and_its_result(duel):
    match = duel.start(seed=3)
    assert match.result is None and match.decision.player == 0
    result = play(match, Random(1), Random(2))
    assert match.decision is None
    assert isinstance(result, Result) and result == match.result
    assert result.winner is None and result.reason == "Played out"
    assert [set(s) for s in result.scores] == [{"damage"}, {"damage"}]
    assert match.log(0)[-1]["text"] == "The match is a tie: Played out"
    with pytest.raises(IllegalChoice, match="over"):
        match.choose(0)


def test_a_playout_ends_as_the_same_match_step_by_step(duel):
    for seed in range(5):
        match, bot = duel.start(seed=seed), Random(seed)
        assert play(match, bot, bot) == duel.playout(seed=seed)
        assert match.state_hash() == state_hash(duel.playout_state(seed=seed))


def test_an_answer_is_known_to_its_chooser(duel):
    match = duel.start(seed=3)
    match.choose(match.decision.options[0].id)
    kinds = [[r["kind"] for r in match.log(s)] for s in (0, 1, None)]
    assert "choice" in kinds[0] and "choice" not in kinds[1] and "choice" in kinds[2]


def test_the_whole_log_calls_a_chosen_card_as_it_calls_all_cards(duel):
    """The chooser has names of his own for the cards that he follows."""
    for seed in range(5):
        match, bot = duel.start(seed=seed), Random(seed)
        play(match, bot, bot)
        names = {record["tag"]: record["card"] for record in match.log(None) if record["kind"] == "make"}
        chosen = [record for record in match.log(None) if record["kind"] == "choice" and record.get("verb") == "play"]
        assert chosen
        for record in chosen:
            title = record["text"].removeprefix(f"Player {record['player']} chooses: Play a card: ").split(",")[0]
            assert next(c.title for c in duel.cards if c.id == names[record["picks"]["c"]]) == title


def test_the_log_from_a_record_on(duel):
    match, bot = duel.start(seed=3, log_limit=9), Random(3)
    play(match, bot, bot)
    for seat in (0, 1, None):
        whole = match.log(seat)
        last = whole[-1]["n"]
        assert len(whole) == 9 and last > 20
        for since in (0, 1, last - 9, last - 8, last - 1, last, last + 5):
            assert match.log(seat, since=since) == [record for record in whole if record["n"] > since]
    for wrong in (-1, "1", True):
        with pytest.raises(InputError, match="`since` is a whole number from 0 on"):
            match.log(0, since=wrong)


def test_an_answer_to_another_question(duel):
    """Numbers of questions do not come again: not where choices are taken back, nor in a match that was saved."""
    match = duel.start(seed=3)
    numbers = [match.number]
    match.choose(0, at=match.number)
    numbers.append(match.number)
    match.undo()
    numbers.append(match.number)
    match = duel.restore(match.to_json())
    assert match.number == numbers[-1]
    match.choose(0)
    match.choose(0)
    numbers += [match.number, match.clone().number + 1]
    assert len(set(numbers)) == len(numbers)
    before = snapshot(match)
    for at in (*numbers[:3], 10**6, "1"):
        with pytest.raises(IllegalChoice, match=f"this answers question .*, but {match.number} is open: look at it"):
            match.choose(0, at=at)
    assert snapshot(match) == before
    match.choose(0, at=match.number)


def test_a_wrong_answer_changes_nothing(duel):
    match = duel.start(seed=3)
    before = snapshot(match)
    for wrong in (True, -1, 99, "play", [], [0, 1]):
        with pytest.raises(IllegalChoice):
            match.choose(wrong)
    assert snapshot(match) == before and match.record["choices"] == []


def test_a_fault_in_a_card_leaves_the_match_as_it_was(duel):
    match = duel.start(seed=3)
    match.choose(0)
    before = snapshot(match)

    good = duel.events["hurt"].fn

    def broken(m, *args):
        if m.s_turns > 1:
            m.p_damage[0] = 99
            raise ZeroDivisionError("a card's fault")
        good(m, *args)

    duel.events["hurt"].fn = broken
    with pytest.raises(ZeroDivisionError):
        match.choose(0)
    assert snapshot(match) == before and len(match.record["choices"]) == 1
    duel.events["hurt"].fn = good
    match.choose(0)
    assert len(match.record["choices"]) == 2


def test_undo_goes_back_exactly(duel):
    match = duel.start(seed=5)
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


def test_undo_limit_bounds_what_is_kept(duel):
    match = duel.start(seed=5, undo_limit=2)
    play(match, Random(1), Random(2))
    match.undo()
    match.undo()
    with pytest.raises(IllegalChoice, match="as undo_limit is 2"):
        match.undo()


def test_an_undo_limit_is_not_renewed_by_saving(duel):
    match = duel.start(seed=5, undo_limit=3)
    for _ in range(5):
        match.choose(0)
    match.undo()
    left = 2
    while left:
        match = duel.restore(match.to_json())
        match.undo()
        left -= 1
    match = duel.restore(match.to_json())
    with pytest.raises(IllegalChoice, match="as undo_limit is 3"):
        match.undo()
    assert len(match.record["choices"]) == 2


def test_checkpoints_are_kept_every_so_often(duel):
    match = duel.start(undo_limit=EVERY, log_limit=10)
    match.state.o_length = 10**6
    match._kept[0].state.o_length = 10**6
    for _ in range(10 * EVERY + 3):
        match.choose("end")
    assert [k.index for k in match._kept] == [9 * EVERY, 10 * EVERY]
    assert len(match.log(0)) == 10
    for _ in range(EVERY):
        match.undo()
    assert match.state.s_turns == 9 * EVERY + 4
    with pytest.raises(IllegalChoice):
        match.undo()


def test_clones_go_their_own_way(duel):
    match = duel.start(seed=5)
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


def test_replay(duel):
    match = duel.start(seed=8, options={"length": 5})
    play(match, Random(1), Random(2))
    record = json.loads(json.dumps(match.record))
    assert record["format"] == 2
    assert record["game"] == {"id": "duel", "version": "1.0.0", "build": duel.build}
    assert snapshot(replay(duel, record)) == snapshot(match)


def test_unread_options_are_not_made_up_later(duel):
    match = duel.start(seed=3)
    decision = match.decision
    match.choose(0)
    with pytest.raises(CardError):
        _ = decision.options


# ---- Saving


def test_a_saved_match_goes_on_exactly(duel):
    match = duel.start(seed=4)
    for _ in range(3):
        match.choose(0)
    text = match.to_json()
    again = restore(duel, text)
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
        (lambda t: t.replace('"format":2', '"format":3'), "format 3"),
        (lambda t: t.replace('"undo_limit":null', '"undo_limit":NaN'), "NaN is no whole number"),
    ],
)
def test_a_damaged_save_is_refused(duel, change, say):
    text = duel.start(seed=4).to_json()
    assert change(text) != text
    with pytest.raises(SaveError) as e:
        restore(duel, change(text))
    assert say in str(e.value) and "\n" not in str(e.value)


def test_a_save_of_another_build_is_refused(duel):
    text = duel.start(seed=4).to_json()
    duel.build = "other"
    with pytest.raises(SaveError, match=r"of duel 1\.0\.0, this is build other .*: load that build"):
        restore(duel, text)


@pytest.mark.parametrize(
    ("change", "say"),
    [
        (lambda r: 3, "no record of format 2"),
        (lambda r: {**r, "format": 9}, "no record of format 2"),
        (lambda r: {k: v for k, v in r.items() if k != "seed"}, "lacks seed"),
        (lambda r: {**r, "game": {**r["game"], "id": "chess"}}, "of the game chess, not of duel"),
        (lambda r: {**r, "choices": [[0], [999]]}, "entry 1 of the record"),
        (lambda r: {**r, "choices": [["end"]]}, "not lists of option numbers"),
        (lambda r: {**r, "choices": [{"forfeit": 7}]}, "not lists of option numbers"),
    ],
)
def test_a_wrong_record_is_refused(duel, change, say):
    with pytest.raises(SaveError) as e:
        replay(duel, change(duel.start(seed=4).record))
    assert say in str(e.value) and "\n" not in str(e.value)


# ---- Inputs


@pytest.mark.parametrize("kind", ["forfeit", "timeout"])
def test_without_an_effect_the_other_seat_wins(duel, kind):
    match = duel.start(seed=4)
    match.choose(0)
    before = snapshot(match)
    getattr(match, kind)(0)
    assert (match.result.winner, match.result.reason) == (1, kind) and match.decision is None
    assert match.state.frames == []
    assert match.record["choices"][-1] == {kind: 0}
    assert snapshot(replay(duel, match.record)) == snapshot(match)
    assert [r["kind"] for r in match.log(1)[-2:]] == [kind, "end"]
    with pytest.raises(IllegalChoice, match="too late"):
        match.forfeit(1)
    match.undo()
    assert snapshot(match) == before


def test_an_effect_answers_a_timeout(duel, monkeypatch):
    asked = []
    monkeypatch.setattr(driver, "reask", asked.append)
    duel.code["e_timeout"] = duel.code["e_burn"]
    match = duel.start(seed=4)
    match.timeout(0)
    assert match.result is None and match.state.places[1] == [] and match.decision.player == 0
    assert asked == [match.state]
    for wrong in (2, -1, True, None, "0"):
        with pytest.raises(InputError):
            match.timeout(wrong)


# ---- Supplied chance


class Source:
    def __init__(self):
        self.asked = 0

    def shuffle(self, name, items):
        self.asked += 1
        return sorted(items, key=lambda item: (hash(str(item)[1]) * 7 + self.asked) % 31)

    def pick(self, name, items):
        return items[-1]


def test_supplied_chance_is_recorded(duel):
    source = Source()
    match = duel.start(chance=source)
    snapshots = []
    while match.decision is not None:
        snapshots.append(snapshot(match))
        match.choose("end")
    asked = source.asked
    assert asked > 1 and [name for name, _ in match.record["chance"]] == ["shuffle pile"] * asked
    assert snapshot(replay(duel, json.loads(json.dumps(match.record)))) == snapshot(match)
    for _ in range(3):
        match.undo()
        snapshots = snapshots[: len(match.record["choices"]) + 1]
        assert snapshot(match) == snapshots[-1]
    assert source.asked == asked and len(match.record["chance"]) == asked - 3
    again = restore(duel, match.to_json(), chance=source)
    again.choose("end")
    assert source.asked == asked + 1
    again.undo()
    assert snapshot(again) == snapshots[-1]
    again.choose("end")
    assert source.asked == asked + 2
    with pytest.raises(InputError, match="give the source it was played with"):
        restore(duel, match.to_json()).choose("end")


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


def same_states(m, card):
    """Whether the states of a card are those of a new one."""
    states = [values[card] for values in m.game.card_lists(m)]
    for values in m.game.card_lists(m):
        values[card] = None
    moves.reset(m, card)
    return states == [values[card] for values in m.game.card_lists(m)]


def test_determinise_keeps_all_that_the_seat_knows(duel):
    changed = mixed = 0
    for seed in range(20):
        match, bot = duel.start(seed=seed), Random(seed)
        while match.decision is not None:
            for seat in (0, 1):
                copy = match.determinise(seat, seed)
                assert copy.view(seat) == match.view(seat)
                assert copy.log(seat) == match.log(seat)
                assert copy.log(1 - seat) == copy.log(None) == []
                assert sorted(copy.state.d) == sorted(match.state.d)
                changed += copy.state.d != match.state.d
                mixed += copy.state.places[0] != match.state.places[0]
                registry = copy.state.v_number
                copy.state.rebuild()
                assert copy.state.v_number == registry
                assert match.determinise(seat, seed).state_hash() == copy.state_hash()
                for card, d in enumerate(copy.state.d):
                    assert same_states(copy.state, card)
                    printed = copy.state.printed[d]
                    assert copy.state.at[card] < 5 or copy.state.up[card] or "sneaky" in printed.flags
                if copy.decision.player == seat:
                    play(copy, Random(1), Random(2))
            match.choose(bot(match.decision))
    assert changed > 200 and mixed > 100


def test_a_question_to_another_seat_is_asked_anew(duel, monkeypatch):
    asked = []
    monkeypatch.setattr(driver, "reask", asked.append)
    match = duel.start(seed=2)
    match.determinise(0, 1)
    assert asked == []
    copy = match.determinise(1, 1)
    assert asked == [copy.state]


def test_the_record_of_a_determinised_match_holds_no_secret(duel):
    match = duel.start(seed=2)
    match.choose(0)
    match.choose(0)
    copy = match.determinise(0, 5)
    record = copy.record
    assert "seed" not in record and record["choices"] == []
    copy.choose(0)
    assert snapshot(replay(duel, copy.record)) == snapshot(copy)
    assert snapshot(restore(duel, copy.to_json())) == snapshot(copy)
    copy.undo()
    with pytest.raises(IllegalChoice):
        copy.undo()
    assert copy.state.seed != match.state.seed and copy.state.keys != match.state.keys


def test_decks_and_marked_cards_keep_theirs(table):
    m = table.m
    for seat, deck in enumerate((("shadow", "cub", "cub"), ("plague", "crowd", "potion"))):
        place = table.pile if seat == 0 else table.hand + 1
        m.decks[seat] = [table.make(card, place) for card in deck]
    marked = m.decks[1][0]
    m.c_thing·silenced[marked] = True
    plague, crowd, potion = (table.game.index[c] for c in ("plague", "crowd", "potion"))
    seen = set()
    for seed in range(40):
        c = determinise(m, 0, seed)
        assert sorted(c.d[i] for i in m.decks[1]) == sorted([plague, crowd, potion])
        assert c.d[marked] != potion and sum(c.c_thing·silenced) == 1
        assert c.c_thing·silenced[marked]
        seen.add(tuple(c.d[i] for i in m.decks[1]))
    assert len(seen) == 4


def test_a_rule_that_cannot_be_met_keeps_the_truth(table):
    table.make("crowd", table.lanes + 1, up=False)  # against the rule
    table.make("plague", table.hand + 1)
    assert determinise(table.m, 0, 3).d == table.m.d


def test_owners_keep_their_cards_without_a_shared_hidden_place(table, monkeypatch):
    m, game = table.m, table.game
    monkeypatch.setattr(game.model, "zones", [z for z in game.model.zones if z.each or z.sight == "all"])
    table.make("shadow", table.hand + 1)
    table.make("shadow", table.hand + 1)
    m.own[table.make("cub", table.lanes, up=False)] = None
    for seed in range(10):
        assert determinise(m, 0, seed).d == m.d


def test_a_rule_over_several_hidden_cards(table):
    """A deal is drawn again until it holds; the rule says that no two cards of the other hand are alike."""
    m = table.m
    mine = [table.make(card, table.hand + 1) for card in ("shadow", "cub")]
    for card in ("shadow", "cub", "cub", "crowd"):
        table.make(card, table.pile)
    table.game.code["alone"] = lambda m, card: sum(m.d[c] == m.d[card] for c in m.places[table.hand + 1]) == 1
    rule = table.game.model.unseen[0]
    table.game.model.unseen.append(type(rule)(kind="thing", place=["hand"], fn="alone"))
    deals = {tuple(determinise(m, 0, seed).d[c] for c in mine) for seed in range(60)}
    assert len(deals) == 3 and all(a != b for a, b in deals)


# ---- Bots


def test_the_random_bot_draws_as_a_playout_does(table):
    table.ask([(1,)] * 3, optional=True)
    bot, decision = Random(7), Decision(table.m)
    drawn = numbers(generator_seed(7))
    for _ in range(50):
        index = next(drawn) % 4
        assert bot(decision) == ([index] if index < 3 else [])


def test_result_is_a_value():
    assert Result._fields == ("winner", "reason", "scores")
    assert Result(0, "Life", ()) == Result(0, "Life", ()) != Result(1, "Life", ())
