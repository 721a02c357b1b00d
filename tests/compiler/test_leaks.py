"""The swap test finds what tells hidden things, wherever it is planted, and nothing in games that tell nothing."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import card_runtime as rt
import pytest
from card_runtime import sight, view
from card_runtime.decision import Decision
from card_runtime.observer import Observer
from card_runtime.tags import Tags
from cardc import leaks, pipeline
from cardc.__main__ import main

ROOT = Path(__file__).parents[2]
DUEL = (ROOT / "tests" / "runtime" / "duel" / "duel.card").read_text()
LONG = bool(os.environ.get("CARDC_LONG"))


def build(folder: Path, text: str) -> rt.Game:
    (folder / "source").mkdir(parents=True)
    (folder / "source" / "duel.card").write_text(text)
    outcome, where = pipeline.build(folder / "source", folder / "built")
    assert outcome.files is not None, [f"{f.code} {f.message}" for f in outcome.findings]
    return rt.load(where)


@pytest.fixture(scope="module")
def game(tmp_path_factory) -> rt.Game:
    return build(tmp_path_factory.mktemp("duel"), DUEL)


def found(game, matches=12, most=1) -> leaks.Leak:
    report = leaks.search(game, range(matches), most=most)
    assert report.leaks, "nothing was found"
    assert not report.faults
    return report.leaks[0]


# ---- Games that tell nothing


def test_a_game_that_tells_nothing(game):
    report = leaks.search(game, range(12))
    assert (report.leaks, report.faults, report.matches) == ([], [], 12)
    assert report.decisions > 60 and report.swaps > 1000
    short = leaks.search(game, range(2), every=2, length=5)
    assert (short.matches, short.decisions) == (2, 4)


# How many matches of each shipped game are tested, and at which of their decisions: every one, but where
# matches are long and much is hidden only with CARDC_LONG.
SHIPPED = sorted(p.parent.name for p in ROOT.glob("cards/*/*.card") if "\ngame " in "\n" + p.read_text())
SHARE = {"vughex": (200, 1), "moonga": (200, 1), "moonlight": (200, 1), "locm": (200, 1), "monsteria": (16, 8)}


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_tell_nothing(name, part, tmp_path):
    outcome, where = pipeline.build(ROOT / "cards" / name, tmp_path / name)
    assert outcome.files is not None, outcome.findings
    matches, every = (200, 1) if LONG else SHARE.get(name, (8, 4))
    report = leaks.search(rt.load(where), range(part, matches, 4), every=every, length=None if LONG else 800)
    assert not report.leaks, "\n".join(line for leak in report.leaks for line in leak.lines())
    assert not report.faults
    assert report.matches == len(range(part, matches, 4)) and report.decisions >= report.matches


# ---- Planted in the runtime


def test_a_log_line_that_names_a_hidden_card(game, monkeypatch):
    def card(m, card, knows, tag):
        return {"card": sight.card_id(m, card), "name": sight.title(m, card)}

    monkeypatch.setattr(Observer, "_card", staticmethod(card))
    leak = found(game)
    assert leak.what == "record" and leak.before != leak.after


def test_a_log_text_that_names_a_hidden_card(game, monkeypatch):
    moved = Observer.moved

    def telling(self, m, card, source, target, left=None, seen=0):
        moved(self, m, card, source, target, left, seen)
        self._tell_all({"kind": "note", "text": f"{sight.title(m, card)} has moved"})

    monkeypatch.setattr(Observer, "moved", telling)
    leak = found(game)
    assert leak.what == "record" and leak.where.endswith(".text") and "has moved" in leak.before


@pytest.mark.parametrize("hook", ["chosen", "skipped"])
def test_an_answer_told_to_the_other(game, monkeypatch, hook):
    monkeypatch.setattr(Observer, hook, lambda self, m, *args: self._tell_all({"kind": hook, "text": f"{args}"}))
    if hook == "skipped":  # Duel skips nothing by itself
        monkeypatch.setattr(Observer, "turn", lambda self, m, seat: self.skipped(m, seat, "flow·1"))
    leak = found(game)
    assert leak.what == "record" and "not told to this player" in leak.after


def test_an_ability_of_an_unseen_card(game, monkeypatch):
    turn = Observer.turn

    def telling(self, m, seat):
        turn(self, m, seat)
        self.ran(m, m.places[0][0], "entry")

    monkeypatch.setattr(Observer, "turn", telling)
    monkeypatch.setattr(
        Observer, "ran", lambda self, m, card, slot: self._tell_all({"text": f"{sight.title(m, card)}: {slot}"})
    )
    assert found(game).what == "record"


def test_hidden_state_in_the_log(game, monkeypatch):
    changes = Observer.changes

    def telling(self, m, what, value):
        changes(self, m, what, value)
        self._tell_all({"text": f"{what[1]} is {value}"})

    monkeypatch.setattr(Observer, "changes", telling)
    leak = found(game)
    assert (leak.what, leak.decision, leak.seat, leak.before) == ("record", 0, 0, "bid is 2")


def test_an_option_list_that_differs(game, monkeypatch):
    build_ = Decision._build

    def telling(self):
        m = self._m
        pile = m.places[0]
        return build_(self)[:-1] if pile and sight.title(m, pile[-1]) < "t" else build_(self)

    monkeypatch.setattr(Decision, "_build", telling)
    assert found(game).where.startswith("decision.options")


def test_a_label_that_names_a_hidden_card(game, monkeypatch):
    make = Decision.made

    def telling(self, index):
        option = make(self, index)
        pile = self._m.places[0]
        return rt.Option(option.id, f"{option.label} before {sight.title(self._m, pile[-1])}", option.value)

    monkeypatch.setattr(Decision, "made", telling)
    leak = found(game)
    assert leak.where == "decision.options[0].label" and " before " in leak.before


def test_a_prompt_that_tells(game, monkeypatch):
    init = Decision.__init__

    def telling(self, m):
        init(self, m)
        self.prompt += str(sum(c * (card + 1) for card, c in enumerate(m.d)))

    monkeypatch.setattr(Decision, "__init__", telling)
    assert found(game).where == "decision.prompt"


def test_an_id_that_survives_a_shuffle(tmp_path, monkeypatch):
    again = "move p.hand to pile  shuffle pile\n        draw 4"
    game = build(tmp_path, DUEL.replace("shuffle pile\n        draw 1", again))
    assert not leaks.search(game, range(6)).leaks
    update = Tags.update

    def keeping(self, m, cards):
        kept = [self.of(seat).copy() for seat in (0, 1)]
        update(self, m, cards)
        for seat, tags in enumerate(kept):
            self.of(seat).update(tags)

    monkeypatch.setattr(Tags, "update", keeping)
    leak = found(game)
    assert leak.what == "tags" and leak.before == "follows a card that is out of sight"


def test_tags_that_stay_with_cards_shuffled_face_down(tmp_path, monkeypatch):
    """Face down on a board every card has a tag; after a shuffle nobody may know which is which."""
    text = DUEL.replace("shuffle pile\n        draw 1", "shuffle lanes[0].units[p]\n        draw 1")
    text = text.replace("facing (if c.sneaky then down else up)", "facing down").replace("        run c.entry\n", "")
    game = build(tmp_path, text)
    assert not leaks.search(game, range(10)).leaks
    monkeypatch.setattr(Tags, "shuffled", lambda self, m, place: None)
    assert found(game, 30).what == "tags"


def test_an_order_that_tells(game, monkeypatch):
    place = view._place

    def sorted_place(m, seat, where, told):
        kept = m.places[where]
        m.places[where] = sorted(kept, key=lambda card: m.printed[m.d[card]].title)
        try:
            return place(m, seat, where, told)
        finally:
            m.places[where] = kept

    monkeypatch.setattr(view, "_place", sorted_place)
    leak = found(game, 40)
    assert leak.what in ("view", "outcome") and ("cards" in leak.where)


def test_an_order_of_numbers_that_tells(game, monkeypatch):
    """The number of a card in the match tells where it came from."""
    card = view._card

    def numbered(m, seat, number, told):
        found = card(m, seat, number, told)
        return found if found is not None else {"number": number} if m.at[number] == 0 else None

    monkeypatch.setattr(view, "_card", numbered)
    assert found(game).where.startswith("zones.pile.cards")


def test_a_count_that_may_not_be_known(game, monkeypatch):
    place = view._place

    def counting(m, seat, where, told):
        return {**place(m, seat, where, told), "units": sum(sight.kind_of(m, c) == "unit" for c in m.places[where])}

    monkeypatch.setattr(view, "_place", counting)
    assert found(game).where.endswith(".units")


def test_a_value_of_hidden_cards_in_the_view(game, monkeypatch):
    monkeypatch.setattr(view, "masked", lambda m, seat: m.clone())
    assert found(game).where.startswith("values.")


def test_the_number_of_options_of_another(tmp_path, monkeypatch):
    text = DUEL.replace("play c: unit in p.hand,", "play c: unit in p.hand where c.power > 2,")
    game = build(tmp_path, text)
    shown = view._decision

    def counting(m, seat):
        return {**(shown(m, seat) or {}), "count": m.wait and len(m.wait[2])}

    monkeypatch.setattr(view, "_decision", counting)
    assert found(game).where == "decision.count"


# ---- Planted in a frame, where the checker does not look


def planted(tmp_path, old: str, new: str) -> rt.Game:
    assert old in DUEL
    return build(tmp_path, DUEL.replace(old, new))


def caught(tmp_path, text: str) -> leaks.Leak | None:
    """What the swap test finds in this frame; None where the checker refuses it already."""
    try:
        game = build(tmp_path, text)
    except AssertionError as error:
        assert "E501" in str(error) or "E502" in str(error)
        return None
    return found(game, 30)


def test_options_that_read_hidden_state_through_a_value(tmp_path):
    text = DUEL.replace("players[1].bid = 2", "players[1].bid = 4  players[0].bid = 4")
    free = "where count(l.units[p]) < 2"
    text = text.replace(f"{free},", f"{free} and (l.index > 0 or rich(p.opponent)),")
    leak = caught(tmp_path, text + "value rich(p: player): bool = p.bid > 3\n")
    assert leak is None or (leak.what == "view" and leak.where.startswith("decision.options"))


def test_hidden_state_that_is_written_into_public_state(tmp_path):
    leak = caught(tmp_path, DUEL.replace("turns += 1", "turns += 1  players[0].damage = players[1].bid"))
    assert leak is None or leak.what == "outcome"
    shown = "turns += 1  reveal players.bid  players[0].damage = players[1].bid"
    assert not leaks.search(build(tmp_path / "shown", DUEL.replace("turns += 1", shown)), range(10)).leaks


def test_a_hidden_card_whose_ability_shows(tmp_path):
    """Played face down, the Sage changes a number for all to see."""
    game = planted(tmp_path, "facing (if c.sneaky then down else up)", "facing down")
    leak = found(game)
    assert leak.what == "outcome" and leak.where == "values.number.0"


def test_public_state_that_counts_hidden_cards(tmp_path):
    strong = "hurt(p.opponent, count(x in p.opponent.hand where x.power > 2))"
    game = planted(tmp_path, "hurt(p.opponent, if boosted then 2 else 1)", strong)
    leak = found(game)
    assert leak.what == "outcome"


def test_options_from_a_list_made_of_hidden_cards(tmp_path):
    secret = (
        "    let strong = [x for x in p.opponent.hand where x.power > 2]\n    p may choose peek x: thing in strong {}\n"
    )
    leak = caught(tmp_path, DUEL.replace("    p choose\n      play", f"{secret}    p choose\n      play"))
    assert leak is None or leak.what == "outcome"


def test_cards_face_down_in_an_order_that_their_fields_give(tmp_path):
    text = DUEL.replace("facing (if c.sneaky then down else up)", "facing down").replace("        run c.entry\n", "")
    assert "shuffle pile\n        draw 1" in text
    ordered = "for each x in lanes[0].units[p] by x.power { move x to lanes[0].units[p] }"
    game = build(tmp_path, text.replace("shuffle pile\n        draw 1", f"{ordered}  draw 1"))
    assert found(game, 30).what == "outcome"


# ---- The report


def test_a_report_says_all_that_is_needed():
    leak = leaks.Leak(7, 12, 1, "view", "zones.hand[0].count", "5", "4", " (length=3)")
    assert "\n".join(leak.lines()) == """\
leak: seed 7, decision 12, player 1 (length=3)
  what it is shown depends on what player 1 cannot know
  at zones.hand[0].count:
    as it is:          5
    otherwise hidden:  4"""


def test_the_command(tmp_path, capsys):
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "duel.card").write_text(DUEL)
    (tmp_path / "bad").mkdir()
    strong = "hurt(p.opponent, count(x in p.opponent.hand where x.power > 2))"
    (tmp_path / "bad" / "duel.card").write_text(DUEL.replace("hurt(p.opponent, if boosted then 2 else 1)", strong))
    assert main(["test", str(tmp_path / "good"), "--leaks", "--matches", "2", "--quiet"]) == 0
    said = capsys.readouterr().out
    passed = r"hidden information: 2 matches, \d+ decisions, \d+ exchanges: nobody is told what is hidden\n"
    assert re.search(passed, said)
    assert said.endswith("\n1 passed, 0 failed\n")
    assert main(["test", str(tmp_path / "bad"), "--leaks", "--seed", "3"]) == 1
    said = capsys.readouterr().out
    assert "failed: hidden information: " in said and "bad/duel.card:4\n" in said
    assert re.search(
        r"  leak: seed \d, decision \d+, player [01]( \(length=\d+\))?\n"
        r"    what it is shown after the answer `play .*` depends on what player [01] cannot know\n"
        r"    at players\[[01]\]\.fields\.damage:\n"
        r"      as it is:          \d+\n"
        r"      otherwise hidden:  \d+\n",
        said,
    )
    assert said.endswith("\n0 passed, 1 failed\n")
    assert main(["test", str(tmp_path / "bad"), "--leaks", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["failed"] == 1 and document["leaks"]["matches"] >= 1
    assert document["leaks"]["leaks"][0].keys() >= {"seed", "decision", "seat", "where", "before", "after"}
    (tmp_path / "bad" / "more.card").write_text("value x(): int = y\n")
    assert main(["test", str(tmp_path / "bad"), "--leaks"]) == 1
    assert capsys.readouterr().out.endswith("has errors\n0 passed, 0 failed\n")


@pytest.mark.parametrize("more", ["--coverage", "--mutate"])
def test_beside_what_looks_at_clauses(tmp_path, capsys, more):
    (tmp_path / "duel.card").write_text(DUEL + 'test "a player begins" { given { } expect players[0].damage == 0 }\n')
    main(["test", str(tmp_path), "--leaks", "--matches", "2", more])
    said = capsys.readouterr().out
    assert "nobody is told what is hidden" in said
    assert said.endswith("\n2 passed, 0 failed\n")


def test_a_match_that_cannot_go_on_is_told(game, monkeypatch):
    def broken(m, *args):
        raise rt.CardFault("duel.card:9: it breaks")

    broken.size = game.steps["s_flow"].size
    monkeypatch.setitem(game.steps, "s_flow", broken)
    report = leaks.search(game, [4])
    assert report.faults == ["seed 4: duel.card:9: it breaks"] and not report.leaks


def test_differences_have_paths():
    one = {"a": [1, {"b": 2}], "c": 3, "e": 5}
    other = {"a": [1, {"b": 4}, 9], "d": 3, "e": 5}
    assert list(leaks.differences(one, other)) == [
        ("a[1].b", 2, 4),
        ("a[2]", "(nothing)", 9),
        ("c", 3, "(nothing)"),
        ("d", "(nothing)", 3),
    ]
    assert list(leaks.differences([], [])) == []


def test_other_values_are_legal_and_other():
    rng = random.Random(1)
    m = type("M", (), {"o_length": 3})()
    for _ in range(20):
        assert leaks._another(m, {"t": "int", "lo": 0, "hi": "length"}, 3, rng) in (1, 2)
        assert leaks._another(m, {"t": "int", "lo": 0, "hi": None}, 0, rng) in (1, 2)
    assert leaks._another(m, {"t": "int", "lo": 2, "hi": 2}, 2, rng) == 2
    assert leaks._another(m, {"t": "bool"}, True, rng) is False


MARKS = """
game g "G" { version: "1"  players: 2  limit: 12 }
kind piece { state mark: 0..5 = 0, owner sees }
zone deck: each player list of piece, nobody sees
zone hand: each player list of piece, owner sees
board table { row: each player list of piece, all see }
state sum: int = 0
setup { for each p in players { for each c in catalog { copy c to p.deck }  shuffle p.deck } }
flow {
  alternate p from players[0] as turn {
    p choose
      take "Take" when p.deck is not empty { draw 1 from p.deck to p.hand }
      or put x: piece in p.hand "Put" { move x to table.row[p] }
      or mark x: piece in table.row[p], n: 0..5 where n != x.mark "Mark" { x.mark = n }
      or rest "Rest" { SUM }
  }
}
card one "One" : piece {}
card two "Two" : piece {}
"""


def test_hidden_state_of_a_card_that_cannot_have_another_yet(tmp_path):
    """A card of a deck is as new; one on a board may have any mark."""
    assert not leaks.search(build(tmp_path / "new", MARKS.replace("SUM", "")), range(12)).leaks
    told = MARKS.replace("SUM", "sum = sum(x.mark for x in table.row[p])")
    assert leaks.search(build(tmp_path / "told", told), range(12)).leaks
