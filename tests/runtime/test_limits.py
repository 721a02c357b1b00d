"""Cards that go wrong: every limit ends the match in its defined outcome and names the cards, stepped as in one go;
every fault says its file, line and card."""

from __future__ import annotations

import re
import sys
import threading
import traceback
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime import events, faults, observer
from card_runtime.match import result_of, state_hash
from cardc import pipeline
from cardc.__main__ import main

SOURCE = Path(__file__).with_name("trouble")
CARDS = (SOURCE / "cards.card").read_text()

STOPPED = {
    "echo": "abilities set off each other more than 100 deep (the Echo)",
    "ping": "abilities set off each other more than 100 deep (the Ping, the Pong)",
    "again": "abilities set off each other more than 100 deep (the Again)",
    "spring": "abilities set off each other more than 100 deep (the Spring)",
    "flood": "more than 20000 cards were made (the Flood)",
    "burst": "more than 20000 cards were made (the Burst)",
    "choice": "a choice has more than 4096 options (the Choice)",
    "pairs": "a choice has more than 4096 options (the Pairs)",
    "walk": "more than 100000 steps without a decision (the Walk)",
    "loops": "more than 100000 steps without a decision (the Loops)",
    "count": "more than 100000 steps without a decision (the Count)",
    "far": "more than 100000 steps without a decision (the Far)",
    "mirror": "the match has come to its limit of 500 decisions",
    "circle": "the match has come to its limit of 500 decisions",
    "pong": "the match has come to its limit of 500 decisions",
}
FAULTS = {
    "index": ("cards.card", "entry { you.hits += numbers()[3", "the Index"),
    "inside": ("frame.card", "effect look", "the Inside"),
    "heard": ("cards.card", "aura { on moment(you) { you.hits += third(9)", "the Heard"),
    "modify": ("cards.card", "aura { third(n) += numbers()", "the Modifier"),
    "asked": ("cards.card", "entry { you choose a n: 0..4", "the Asked"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    outcome, where = pipeline.build(SOURCE, tmp_path_factory.mktemp("trouble") / "built")
    assert outcome.files is not None, outcome.findings
    return where


@pytest.fixture
def game(built):
    return rt.load(built)


def step(game, card):
    """A match in which both play this card, always."""
    match = game.start(seed=1)
    while (decision := match.decision) is not None:
        ids = [o.id for o in decision.options[:30]]
        match.choose(f"play {card}" if f"play {card}" in ids else 0)
    return match


def in_one_go(game, card):
    """The same match in its direct form."""
    states = []
    begun = game._begun

    def watched(*args):
        state, set_up = begun(*args)
        states.append(state)
        return state, set_up

    def ask(seat, n):
        m = states[-1]
        ids = [m.printed[m.d[c]].id for c in m.places[game.model.zones[0].first + seat]]
        return ids.index(card) if n == len(ids) and card in ids else 0

    game._begun = watched
    return game.playout_state(seed=1, ask=ask)


@pytest.mark.parametrize("card", STOPPED)
def test_every_limit_has_its_outcome(game, card):
    match = step(game, card)
    assert match.result == rt.Result(None, f"stopped: {STOPPED[card]}", match.result.scores)
    assert match.decision is None
    assert [r["kind"] for r in match.log(0)[-1:]] == ["end"]
    state = in_one_go(game, card)
    assert result_of(state) == match.result
    assert state_hash(state) == match.state_hash()


def test_a_match_that_runs_on_logs_no_more_than_a_long_one(game):
    begun, match = game.start(seed=1), step(game, "walk")
    for seat in (0, 1, None):
        log = match.log(seat)
        assert len(log) == len(begun.log(seat)) + observer.MOST_AT_ONCE + 2
        assert [r["kind"] for r in log[-2:]] == ["cut", "end"]
        assert [r["n"] for r in log] == list(range(1, len(log) + 1))
    silent = game.start(seed=1, log_limit=0)
    silent.choose("play walk")
    assert (silent.result, silent.state_hash()) == (match.result, match.state_hash())
    match.undo()
    assert match.log(0) == begun.log(0)


LOOP = """
game g "G" { version: "1"  players: 2 }
kind unit {}
zone hand: each player list of unit, owner sees
setup { copy cub to players[0].hand }
flow { loop as round { players[0] choose go c: unit in players[0].hand "Go" { move c to players[1].hand } } }
card cub "Cub" : unit {}
"""


def test_a_loop_whose_choices_have_run_out(tmp_path):
    (tmp_path / "g.card").write_text(LOOP)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    match = rt.load(where).start(seed=1)
    match.choose(0)
    assert match.result is not None and match.result.reason.startswith("stopped: more than 100000 steps")
    for seat in (0, 1, None):
        assert len(match.log(seat)) < observer.MOST_AT_ONCE + 10
    assert len(match.to_json()) < 10_000_000
    assert rt.load(where).restore(match.to_json()).log(None) == match.log(None)


def test_every_answer_has_room_in_the_log_anew(game, monkeypatch):
    def told(match):
        """For each viewer, what was told of each answer."""
        chunks = []
        for answer in [None, "play pong", "play flood", "play pong"]:
            before = [0 if answer is None else len(match.log(seat)) for seat in (0, 1, None)]
            if answer is not None:
                match.choose(answer)
            chunks.append([match.log(seat)[n:] for seat, n in zip((0, 1, None), before, strict=True)])
        return [[[(r["kind"], r["text"]) for r in log] for log in logs] for logs in chunks]

    whole = told(game.start(seed=1))
    most = 4
    monkeypatch.setattr(observer, "MOST_AT_ONCE", most)
    cut = told(game.start(seed=1))
    end = ("cut", "More happens here than a log keeps")
    assert cut == [[log if len(log) <= most else [*log[:most], end] for log in logs] for logs in whole]
    assert any(len(log) <= most for logs in whole for log in logs)
    assert sum(log[-1] == end for logs in cut for log in logs) > 4


def place_of(card):
    file, text, title = FAULTS[card]
    lines = (SOURCE / file).read_text().splitlines()
    found = [i for i, line in enumerate(lines, 1) if text in line]
    assert len(found) == 1
    return file, found[0], title


@pytest.mark.parametrize("how", [step, in_one_go])
@pytest.mark.parametrize("card", FAULTS)
def test_every_fault_says_where(game, card, how):
    file, line, title = place_of(card)
    with pytest.raises(rt.CardFault) as caught:
        how(game, card)
    error = caught.value
    assert str(error) == f"{file}:{line} ({title}): an index lies outside its list"
    assert (error.file, error.line, error.card) == (file, line, title)
    assert f'File "{file}", line {line}, in ' in "".join(traceback.format_exception(error))


def test_a_fault_leaves_the_match_as_it_was(game):
    match = game.start(seed=1)
    before = match.state_hash(), match.log(None), match.record
    with pytest.raises(rt.CardFault):
        match.choose("play index")
    assert (match.state_hash(), match.log(None), match.record) == before
    match.choose("play pong")


def test_values_that_fault(game):
    match = game.start(seed=1)
    assert match.get("third", 1) == 3
    for ask in (match.get, match.why):
        with pytest.raises(rt.CardFault, match=r"^frame\.card:\d+: an index lies outside its list$") as caught:
            ask("third", 5)
        assert caught.value.card is None


def test_who_looks_at_a_match_has_steps_of_its_own(game, monkeypatch):
    """A value that asks something of each card of a hand can be read again and again."""
    cards = len(game.cards)
    monkeypatch.setattr(events, "MOST_STEPS", cards)
    match = game.start(seed=1)
    for _ in range(3):
        assert match.get("in_company", 0) == cards
        assert match.why("in_company", 0)[-1]["after"] == cards
        assert match.view(0)["values"]["in_company"] == {"0": cards, "1": cards}
    match.state.steps = cards
    assert match.view(1)["values"]["in_company"] == {"0": cards, "1": cards}
    monkeypatch.setattr(events, "MOST_STEPS", cards - 1)
    assert match.view(0)["values"]["in_company"] == {}


def test_a_value_that_faults_is_not_shown(tmp_path):
    text = (SOURCE / "frame.card").read_text()
    (tmp_path / "frame.card").write_text(text + "value wrong(p: player): int = numbers()[count(p.hand)]\n")
    (tmp_path / "cards.card").write_text(CARDS)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None
    match = rt.load(where).start(seed=1)
    assert match.view(0)["values"]["wrong"] == {} and match.view(None)["values"]["wrong"] == {}


def test_faults_of_the_host_stay_what_they_are(game):
    class Source:
        def shuffle(self, name, items):
            raise ValueError("mine")

        def pick(self, name, items):
            raise ValueError("mine")

    def host(m):
        raise ValueError("mine")

    game.code["v_third"] = lambda m, n: host(m)
    with pytest.raises(ValueError, match="mine"):
        game.start(seed=1).get("third", 1)
    error = ValueError("no traceback")
    assert faults.fault(game, error) is error
    wrong = rt.InputError("no")
    assert faults.fault(game, wrong) is wrong


def test_the_depth_of_recursion_comes_back(game):
    before = sys.getrecursionlimit()
    step(game, "echo")
    in_one_go(game, "echo")
    assert sys.getrecursionlimit() == before
    threads = [threading.Thread(target=step, args=(game, "echo")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.getrecursionlimit() == before


def test_deep_chains_of_effects_in_deep_abilities_end_alike(tmp_path):
    """A hundred abilities deep, thirty effects each: more frames than Python allows by itself."""
    frame = (SOURCE / "frame.card").read_text()
    chain = "".join(f"effect e{i}(p: player) {{ e{i + 1}(p) }}\n" for i in range(30))
    (tmp_path / "frame.card").write_text(frame + chain + "effect e30(p: player) { hit(p) }\n")
    card = 'card far "the Far" : trick { aura { on hit(you) { e0(you) } } entry { e0(you) } }'
    (tmp_path / "cards.card").write_text(card)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    match = step(game, "far")
    assert match.result.reason == "stopped: abilities set off each other more than 100 deep (the Far)"
    state = in_one_go(game, "far")
    assert (result_of(state), state_hash(state)) == (match.result, match.state_hash())


def test_a_match_that_is_restored_in_deep_abilities_ends_as_it_would_have(tmp_path):
    """At each question, of an ability, of one that replaces an event, and of all players at once."""
    (tmp_path / "frame.card").write_text((SOURCE / "frame.card").read_text())
    (tmp_path / "cards.card").write_text(
        """card well "the Well" : trick {
  aura { instead of healed(p) { p choose bear "Bear" { hit(p) } or wait "Wait" {} } }
  entry {
    healed(you)
    together each p in players { p choose bid n: 0..1 "Bid" { p.hits += n } }
    you choose dig "Dig" { if self is in table { run self.entry } } or rest "Rest" {}
  }
}
"""
    )
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    game = rt.load(where)
    depths = {}
    for saved in (False, True):
        match = game.start(seed=1)
        depths[saved] = []
        while match.decision is not None:
            if saved:
                match = game.restore(match.to_json())
            depths[saved].append(match.state.depth)
            match.choose(0)
        assert match.result.reason == "stopped: abilities set off each other more than 100 deep (the Well)"
    # The first card is played; then each level asks in what replaces an event, two players at once, and to dig. What
    # replaces the event of the hundredth level would be one too deep.
    whole = [0] + [deep for level in range(1, 100) for deep in (level + 1, level, level, level)]
    assert depths[True] == depths[False] == whole


# ---- By the commands


@pytest.fixture
def one(tmp_path, monkeypatch):
    """A folder with a game of one card, by its name."""

    def make(card, more=""):
        start = CARDS.index(f"card {card} ")
        end = CARDS.find("\ncard ", start)
        others = 'card pong "the Pong" : trick {}\n' if card != "pong" else ""
        text = CARDS[start : end if end > 0 else len(CARDS)]
        folder = tmp_path / card
        folder.mkdir(exist_ok=True)
        (folder / "frame.card").write_text((SOURCE / "frame.card").read_text())
        (folder / "cards.card").write_text(others + text + "\n" + more)
        return str(folder)

    monkeypatch.chdir(tmp_path)
    return make


@pytest.mark.parametrize("card", ["echo", "again", "flood", "choice"])
def test_limits_in_sim_and_play(one, card, capsys):
    reason = f"stopped: {STOPPED[card]}"
    assert main(["sim", one(card), "-n", "3"]) == 0
    said = capsys.readouterr().out
    assert "no winner" in said and reason[:30] in said
    assert main(["play", one(card), "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert reason in said.replace("\n", " ").replace("  ", " ")


def test_a_match_without_end_names_no_card_that_is_in_a_hand_again(one, capsys):
    """What is named lies open (`test_small_games`)."""
    assert main(["play", one("mirror"), "--seed", "1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "result: a tie (stopped: the match has come to its limit of 500 decisions);" in said
    assert main(["sim", one("mirror"), "-n", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "no winner                                        3  100.0 %",
        "  stopped: the match has come to its             3  100.0 %",
        "    limit of 500 decisions",
    ]


def test_faults_in_sim_and_play(one, capsys):
    where = r"cards.card:3 (the Index): an index lies outside its list"
    assert main(["sim", one("index"), "-n", "3"]) == 1
    out, err = capsys.readouterr()
    assert f"the match with seed 0: {where}" in out + err
    assert main(["play", one("index"), "--seed", "1"]) == 1
    out, err = capsys.readouterr()
    assert where in err and "Traceback" not in out + err


def test_a_test_that_comes_to_a_limit_fails_unless_it_expects_that(one, capsys):
    folder = one(
        "echo",
        """
test "told" {
  given { let e = new echo  table.tricks[me] = [e] }
  when hit(me)
  expect true
}
test "expected" {
  given { let e = new echo  table.tricks[me] = [e] }
  when hit(me)
  expect tie
}
test "by its words" {
  given { let e = new echo  table.tricks[me] = [e] }
  when hit(me)
  expect tie "stopped: abilities set off each other more than 100 deep (the Echo)"
}
""".replace("expect true", "expect me.hits == 101"),
    )
    assert main(["test", folder]) == 1
    said = capsys.readouterr().out
    assert "failed: told\n" in said and said.count("failed:") == 1
    assert re.search(r"cards\.card:\d+: hit\(me\)\n +the match was stopped: abilities .* \(the Echo\)\n", said)
    assert said.endswith("2 passed, 1 failed\n")


def test_faults_in_tests(one, capsys):
    folder = one(
        "index",
        """
test "in a card" {
  given { let e = new index  table.tricks[me] = [e]  me.hits = 9 }
  when look(7)
  expect me.hits == 9
}
test "in the expectation" {
  given { me.hits = 5 }
  when moment(me)
  expect numbers()[me.hits] == 2
}
""",
    )
    assert main(["test", folder]) == 1
    said = capsys.readouterr().out
    assert "frame.card:24: an index lies outside its list" in said
    assert "cards.card:15: expect numbers()[me.hits] == 2" in said
    assert "cards.card:15: there is no entry 5 in a list of 3" in said
    assert said.endswith("0 passed, 2 failed\n")
