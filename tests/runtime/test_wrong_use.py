"""What a host gives wrongly is said in one line, before anything happens."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from cardc import pipeline

GAME = """
game g "G" { version: "1"  players: 2 }
kind unit {}
zone pile: shared list of unit, nobody sees
state first: player = players[0]
setup {
  copy cub to pile
  copy cub to pile
  shuffle pile
  first = random from players
}
value size(): 0..9 = count(pile)
flow { first choose go "Go" { tie } }
card cub "Cub" : unit {}
"""


class Fixed:
    """A source of chance: `shuffle` gives what it is told, `pick` too."""

    def __init__(self, order: Any, picked: Any) -> None:
        self.order, self.picked = order, picked

    def shuffle(self, name: str, items: list[Any]) -> Any:
        return items if self.order is None else self.order

    def pick(self, name: str, items: list[Any]) -> Any:
        return self.picked


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rt.Game:
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "g.card").write_text(GAME)
    outcome, where = pipeline.build(folder, folder / "built")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"chance": Fixed}, "`chance` is an object with `shuffle(name, items)` and `pick(name, items)`"),
        ({"chance": 5}, "`chance` is an object with `shuffle(name, items)` and `pick(name, items)`"),
        ({"log_limit": -3}, "`log_limit` is a whole number from 0 on, or None for no limit, not -3"),
        ({"undo_limit": 1.5}, "`undo_limit` is a whole number from 0 on, or None for no limit, not 1.5"),
        ({"undo_limit": True}, "`undo_limit` is a whole number from 0 on, or None for no limit, not True"),
        ({"chance": Fixed(None, 7)}, 'the chance source gave 7 for "pick first": give one of the items'),
        ({"chance": Fixed(None, False)}, 'the chance source gave False for "pick first": give one of the items'),
        ({"chance": Fixed(True, 0)}, 'the chance source gave True for "shuffle pile": give a list of the items'),
        ({"chance": Fixed([10**5000], 0)}, 'the chance source gave a huge int for "shuffle pile": give the same items'),
        ({"chance": Fixed([None], 0)}, 'the chance source gave None for "shuffle pile": give the same items'),
        ({"chance": Fixed([], 0)}, 'the chance for "shuffle pile" is [], which is no order of 2 items'),
    ],
)
def test_start(game: rt.Game, given: dict[str, Any], said: str) -> None:
    with pytest.raises(rt.InputError) as told:
        game.start(seed=1, **given)
    assert str(told.value) == said


def test_chance_of_a_saved_match(game: rt.Game) -> None:
    match = game.start(seed=1)
    for call in (lambda: game.restore(match.to_json(), chance=5), lambda: game.replay(match.record, chance=5)):
        with pytest.raises(rt.InputError, match="`chance` is an object with"):
            call()


@pytest.mark.parametrize("bots", [("random",), ("random",) * 3, ("greedy",), ()])
def test_bots_of_a_playout(game: rt.Game, bots: tuple[str, ...]) -> None:
    with pytest.raises(rt.InputError) as told:
        game.playout(1, bots)
    assert str(told.value) == f"bots are named for 2 seats, not {len(bots)}"


def test_arguments_of_a_value(game: rt.Game) -> None:
    with pytest.raises(rt.InputError, match=r"^size takes 0 arguments \(no argument\), not 1$"):
        game.start(seed=1).get("size", 3)


HUGE = 10**5000
"""A number of more digits than Python writes out."""
LONG = pytest.param(HUGE, id="huge")


def said(call: Any, *, of: type[rt.CardError] = rt.InputError) -> str:
    with pytest.raises(of) as told:
        call()
    assert type(told.value) is of
    assert "\n" not in str(told.value)
    return str(told.value)


# ---- load


@pytest.mark.parametrize("path", [None, 5, b"x", [], {}, LONG])
def test_what_is_no_path_is_not_loaded(path: Any) -> None:
    assert "the folder of a built game is a str or a Path, not " in said(lambda: rt.load(path), of=rt.LoadError)


@pytest.mark.parametrize("expansions", [None, "", "one", Path("one"), {"one": 1}, 5])
def test_expansions_are_a_list(expansions: Any) -> None:
    told = said(lambda: rt.load("game", expansions=expansions), of=rt.LoadError)
    assert told == f"`expansions` is a list of folders, not {expansions!r}"


# ---- Beginning


@pytest.mark.parametrize("seed", [None, 1.5, True, "", "7", b"x", [], LONG])
def test_a_seed_is_a_whole_number_wherever_a_match_begins(game: rt.Game, seed: Any) -> None:
    def record() -> dict[str, Any]:
        return {**game.start(seed=1).record, "seed": seed}

    told = said(lambda: game.start(seed))
    assert told.startswith("the seed ")
    assert said(lambda: game.playout(seed)) == told
    assert said(lambda: game.playout(seed, ("random", "random"))) == told
    assert said(lambda: game.playout_state(seed)) == told
    assert said(lambda: game.replay(record()), of=rt.SaveError).endswith(told)
    if not isinstance(seed, str):
        assert said(lambda: game.start(1).determinise(0, seed)).startswith("the seed ")


def test_a_copy_is_drawn_from_a_seed_that_is_told(game: rt.Game) -> None:
    match = game.start(1)
    assert match.determinise(0, "a").state_hash() == match.determinise(0, "a").state_hash()
    assert said(lambda: match.determinise(0, None)) == "the seed None is no whole number and no text"  # type: ignore[arg-type]
    assert said(lambda: match.determinise(0, "\ud800")).startswith("the seed ")


@pytest.mark.parametrize("given", ["", [], (), "length", 5])
@pytest.mark.parametrize("name", ["options", "inputs"])
def test_values_by_name_are_a_mapping_even_if_empty(game: rt.Game, name: str, given: Any) -> None:
    told = f"`{name}` are values by name, not {given!r}"
    assert said(lambda: game.start(1, **{name: given})) == told
    assert said(lambda: game.playout(1, **{name: given})) == told
    if name == "options":
        assert said(lambda: game.check_deck([], given)) == told


ODD_WORDS = ["\ud800", "a\nb", "\0", "x" * 3_000_000, "a b" * 300_000]


@pytest.mark.parametrize("word", ODD_WORDS, ids=lambda word: ascii(word)[:9])
def test_what_anybody_may_say_is_told_in_one_short_line_that_can_be_sent(game: rt.Game, word: str) -> None:
    """A host hands on what its players send: words that are huge cost no time, and all can be written."""
    match = game.start(1)
    told = [
        said(lambda: match.choose(word), of=rt.IllegalChoice),
        said(lambda: match.choose([word]), of=rt.IllegalChoice),
        said(lambda: match.get(word)),
        said(lambda: game.start(1, options={word: 1})),
        said(lambda: game.start(1, inputs={word: [1, 1]})),
        said(lambda: game.playout(1, [word, word])),
        said(lambda: game.restore(word), of=rt.SaveError),
        said(lambda: game.replay({**match.record, "game": dict.fromkeys(("id", "version", "build"), word)}),
             of=rt.SaveError),
    ]  # fmt: skip
    for text in told:
        assert len(text.encode()) < 400, text


def test_a_game_without_decks_checks_none(game: rt.Game) -> None:
    assert said(lambda: game.check_deck(["cub"])) == "G has no decks: there is nothing to check"


@pytest.mark.parametrize("bots", [None, 5, "random", "greedy", {"random": 1, "greedy": 2}, LONG])
def test_bots_are_a_list_of_names(game: rt.Game, bots: Any) -> None:
    assert said(lambda: game.playout(1, bots)).startswith('`bots` is a list of 2 names, one a seat, of "random", ')
    assert said(lambda: game.playout_state(1, bots)) == said(lambda: game.playout(1, bots))


def test_what_a_match_was_begun_with_may_change(tmp_path: Path) -> None:
    text = """
game g "G" { version: "1"  players: 2 }
kind unit {}
zone hand: each player list of unit, owner sees
deck { unit into hand }
flow { players[0] choose go "Go" { tie } }
card cub "Cub" : unit {}
"""
    (tmp_path / "g.card").write_text(text)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    decks = [["cub", "cub"], ["cub", "cub"]]
    match = rt.load(where).start(1, decks)
    decks[0].append("nothing")
    assert match.record["decks"] == [["cub", "cub"], ["cub", "cub"]]


# ---- In a match


@pytest.mark.parametrize("seat", [2, -1, True, "0", 1.0, [], LONG])
def test_seats(game: rt.Game, seat: Any) -> None:
    match = game.start(1)
    for ask in (match.view, match.log, match.forfeit, match.timeout, match.determinise):
        assert said(lambda ask=ask: ask(seat)).startswith("there is no seat ")


@pytest.mark.parametrize("index", [1, -1, LONG, True, None, "go", 0.0])
def test_one_option(game: rt.Game, index: Any) -> None:
    decision = game.start(1).decision
    assert decision is not None
    assert said(lambda: decision.option(index), of=rt.IllegalChoice).startswith("there is no option ")


def test_one_option_of_a_question_that_is_over(game: rt.Game) -> None:
    match = game.start(1)
    decision = match.decision
    assert decision is not None
    match.choose(0)
    assert "was answered before its options were read" in said(lambda: decision.option(0), of=rt.CardError)


def test_a_number_too_long_is_no_choice(game: rt.Game) -> None:
    match = game.start(1)
    for answer in (HUGE, [HUGE], -HUGE):
        told = said(lambda answer=answer: match.choose(answer), of=rt.IllegalChoice)
        assert told.startswith("there is no option a huge int; legal: 0 to 0")


@pytest.mark.parametrize("name", [None, 5, b"size", [], {}, "x" * 500, LONG])
def test_names_of_what_is_read(game: rt.Game, name: Any) -> None:
    match = game.start(1)
    for ask in (match.get, match.why):
        assert said(lambda ask=ask: ask(name)).startswith("what is read is told by its name")


@pytest.mark.parametrize("given", [LONG, "9" * 5000, "#" + "9" * 5000, "cub#" + "9" * 5000, None, [], {}, b""])
def test_arguments_of_what_is_read(tmp_path: Path, given: Any) -> None:
    text = GAME + "value same(n: int): int = n\nvalue one(u: unit): int = 0\nvalue his(p: player): int = 0\n"
    (tmp_path / "g.card").write_text(text)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    match = rt.load(where).start(1)
    for name in ("same", "one", "his"):
        for ask in (match.get, match.why):
            assert len(said(lambda ask=ask, name=name: ask(name, given))) < 200


def test_why_of_what_is_not_computed(game: rt.Game) -> None:
    match = game.start(1)
    for name in ("first", "pile"):
        assert said(lambda name=name: match.why(name)).startswith(f'"{name}" is not computed, so no steps lead to it')
    assert said(lambda: match.why("sise")) == 'the game has no value "sise"; nearest: "size"'


def test_bots_of_play(game: rt.Game) -> None:
    def bot(decision: rt.Decision) -> object:
        return 0

    for bots in ((), (bot,), (bot, bot, bot), (bot, None), ("random", "random")):
        assert said(lambda bots=bots: rt.play(game.start(1), *bots)).startswith("`play` takes 2 bots, one a seat")
    assert said(lambda: rt.play(None, bot, bot)).startswith("`play` takes a match")  # type: ignore[arg-type]
    assert rt.play(game.start(1), bot, bot).winner is None


def test_ctrl_c_leaves_the_match_as_it_was(game: rt.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    match = game.start(1)
    before = match.to_json()

    def stopped(m: Any, index: Any) -> None:
        m.turn = 1
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("card_runtime.driver.answer", stopped)
        with pytest.raises(KeyboardInterrupt):
            match.choose(0)
    assert match.to_json() == before


def test_an_option_is_told_by_its_id(game: rt.Game) -> None:
    match = game.start(1)
    assert match.decision is not None
    option = match.decision.options[0]
    for answer in (option, [option]):
        told = said(lambda answer=answer: match.choose(answer), of=rt.IllegalChoice)
        assert told.startswith("a choice is an index or an id, not the option itself: give its `id`; legal: 0 to 0")


def test_code_is_kept_beside_the_game_also_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.card").write_text(GAME)
    outcome, where = pipeline.build(tmp_path, tmp_path / "built")
    assert outcome.files is not None, outcome.findings
    monkeypatch.chdir(where)
    game = rt.load(".")
    kept = set((where / "cache").iterdir())
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    game.playout(1)
    assert not list(other.iterdir())
    assert kept < set((where / "cache").iterdir())


def wrecked(value: Any) -> None:
    """Change everything in JSON values."""
    for x in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        wrecked(x)
    if isinstance(value, dict):
        value["wrecked"] = True
    elif isinstance(value, list):
        value.append("wrecked")


def test_lists_deep_in_lists(game: rt.Game) -> None:
    deep: Any = []
    for _ in range(3000):
        deep = [deep]
    match = game.start(1)
    calls: list[Callable[[], Any]] = [
        lambda: game.start(deep), lambda: game.start(1, decks=deep), lambda: game.start(1, options=deep),
        lambda: game.check_deck(deep), lambda: game.playout(1, deep), lambda: match.view(deep), lambda: match.log(deep),
        lambda: match.forfeit(deep), lambda: match.determinise(0, deep), lambda: match.view(0, values=deep),
        lambda: match.get("size", deep),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(rt.InputError):
            call()
    with pytest.raises(rt.IllegalChoice):
        match.choose(deep)
    with pytest.raises(rt.LoadError):
        rt.load(deep)
    with pytest.raises(rt.SaveError):
        game.replay(deep)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("size", "`values` are names of values in a list, not 'size'"),
        (7, "`values` are names of values in a list, not 7"),
        ([None], "`values` are names of values in a list, not [None]"),
        (["sise"], 'views show no value called sise: there are "size"'),
    ],
)
def test_values_of_a_view(game: rt.Game, values: Any, said: str) -> None:
    match = game.start(1)
    with pytest.raises(rt.InputError) as e:
        match.view(0, values=values)
    assert str(e.value) == said
    assert match.view(0, values=["size"]) == match.view(0, values={"size"}) == match.view(0)
    assert match.view(0, values=())["values"] == {}


def test_what_a_match_gives_may_be_changed(game: rt.Game) -> None:
    match, other = game.start(1), game.start(1)
    for step in (0, 1):
        for seat in (0, 1, None):
            wrecked(match.view(seat))
            wrecked(match.log(seat))
        wrecked(match.record)
        if match.decision is not None:
            for option in match.decision.options:
                wrecked(option.value)
        assert match.to_json() == other.to_json()
        assert [match.view(seat) for seat in (0, 1, None)] == [other.view(seat) for seat in (0, 1, None)]
        if step == 0:
            clone = match.clone()
            match.choose(0)
            other.choose(0)
            assert "wrecked" not in match.to_json() + clone.to_json()


# ---- Copies, and other processes


def test_copies_of_a_match_are_independent(game: rt.Game) -> None:
    match = game.start(1)
    for other in (copy.copy(match), copy.deepcopy({"of": [match]})["of"][0]):
        other.choose(0)
        assert other.decision is None and match.decision is not None
        assert other.state.game is game
    assert copy.deepcopy(game) is game


def test_what_cannot_be_pickled_says_how_it_is_sent(game: rt.Game) -> None:
    match = game.start(1)
    assert "`load` it in the other process" in said(lambda: pickle.dumps(game))
    assert "give its `to_json()` to `Game.restore`" in said(lambda: pickle.dumps(match))
    assert "its `options` can" in said(lambda: pickle.dumps(match.decision))
    assert match.decision is not None
    assert pickle.loads(pickle.dumps(match.decision.options)) == match.decision.options


def test_options_can_be_kept_in_sets(game: rt.Game) -> None:
    one, other = game.start(1).decision, game.start(1).decision
    assert one is not None and other is not None
    assert {*one.options} == {*other.options}


# ---- Records


@pytest.mark.parametrize(
    ("changed", "fact"),
    [
        ({"seed": "x"}, "what the record begins with does not fit this game: the seed 'x'"),
        ({"decks": 5}, "what the record begins with does not fit this game: `decks`"),
        ({"options": {"x": 1}}, "what the record begins with does not fit this game: no option"),
        ({"cards": [{}]}, "what the record begins with does not fit this game: card 0"),
        ({"start": None}, "the record lacks log"),
        ({"chance": 5}, "the chance of the record is no list"),
        ({"chance": "nope"}, "the chance of the record is no list"),
        ({"chance": [None]}, "the chance of the record is no list"),
        ({"chance": [["shuffle pile"]]}, "the chance of the record is no list"),
        ({"chance": [["shuffle pile", "x"]]}, "the chance of the record is no list"),
        ({"chance": []}, "what the record begins with does not fit this game: the recorded chance ends"),
        ({"chance": [["shuffle pile", [0, 0]]]}, "what the record begins with does not fit this game: the chance for"),
        ({"choices": [{"forfeit": 5}]}, "the choices of the record"),
        ({"choices": [{"forfeit": True}]}, "the choices of the record"),
    ],
)
def test_an_edited_record(game: rt.Game, changed: dict[str, Any], fact: str) -> None:
    record = {**game.start(1).record, **changed}
    assert said(lambda: game.replay(record), of=rt.SaveError).startswith(fact)


def test_limits_of_a_replay(game: rt.Game) -> None:
    match = game.start(1)
    match.choose(0)
    for name in ("log_limit", "undo_limit"):
        told = said(lambda name=name: game.replay(match.record, **{name: -1}))
        assert told == f"`{name}` is a whole number from 0 on, or None for no limit, not -1"
    assert "nothing to undo" in said(game.replay(match.record, undo_limit=0).undo, of=rt.IllegalChoice)


LYING = """
game lying "Lying" { version: "1"  players: 2 }
kind unit { power: 0..9 = 2 }
zone hand: each player list of unit, owner sees
board lanes: 2 of lane { worth: 0..9 = 3  units: each player list of unit, all see }
value might(u: unit in lanes): int = u.power + u.lane.worth
value held(u: unit in hand): bool = u.power > 1
setup {
  copy cub to players[0].hand
  copy bear to lanes[1].units[players[1]]
}
flow {
  for each u in lanes.units where might(u) > 9 or any(v in players.hand where held(v)) { players[0] choose go "Go" {} }
  tie
}
card cub "Cub" : unit {}
card bear "Bear" : unit {}
"""


def test_a_card_that_does_not_lie_where_a_value_needs_it(game_of: Callable[[str], rt.Game]) -> None:
    match = game_of(LYING).start(1)
    assert match.get("might", "bear") == 5
    assert [step["after"] for step in match.why("might", "bear")] == [5]
    assert match.get("held", "cub") is True
    for ask in (match.get, match.why):
        assert said(lambda ask=ask: ask("might", "cub")) == (
            "u of might is a card of kind unit in lanes, and cub lies elsewhere"
        )
        assert said(lambda ask=ask: ask("held", "bear")) == (
            "u of held is a card of kind unit in hand, and bear lies elsewhere"
        )
