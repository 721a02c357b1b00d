"""Coverage of clauses, changed clauses, and tests in several processes, on a game small enough to count by hand."""

import json
import shutil
from pathlib import Path

import pytest
from cardc import clauses, nodes
from cardc.__main__ import main
from cardc.bench import each, run_one
from cardc.coverage import coverage
from cardc.mutation import Mutant, mutants, mutate
from cardc.package import read_folder
from cardc.pipeline import analyse, package_files
from cardc.probes import Probes, condition_of
from cardc.suite import Suite, suite_of
from msgspec.structs import fields

FRAME = """\
game tiny "Tiny" { version: "1"  players: 2 }
player { points: 0 or more = 0, score }
kind unit { power: 0..9  slot play: effect in stage  slot aura: static in stage }
zone hand: each player list of unit, owner sees
board stage { cards: each player list of unit, all see }
value worth(u: unit in stage): int = u.power
effect score(p: player, n: int) { p.points += n }
effect enter(u: unit in hand) {
  move u to stage.cards[u.owner]
  run u.play
}
setup { for each c in catalog { copy c to players[0].hand } }
flow { loop { players[0] choose go "Go" { win players[0] "Gone" } } }
"""
CARDS = """\
card cub "Cub" : unit {
  power: 1
  play {
    score(you, 1)
    if you.points > 5 { score(you, 2) }
  }
}
card bear "Bear" : unit {
  power: 3
  aura { worth(u) += 1 when u.owner == you and u != self }
}
card echo "Echo" : unit {
  power: 0
  aura { on score(p, n) when n > 1 { score(p, n - 1) } }
}
card fox "Fox" : unit {
  power: 2
  play {
    you choose drop u: unit in stage.cards[you] where u.power > 2 "Drop" {
      move u to you.hand
    }
  }
}
"""
TESTS = """\
test "a cub scores" {
  given { let c = new cub  me.hand = [c] }
  when enter(c)
  expect me.points == 1
}
test "a bear helps its friends" {
  given { let c = new cub  stage.cards[me] = [c, bear] }
  expect worth(c) == 2
}
test "an echo" {
  given { stage.cards[me] = [echo] }
  when score(me, 3)
  expect me.points == 6
}
test "a fox drops a bear" {
  given { let b = new bear  let f = new fox  me.hand = [f]  stage.cards[me] = [b] }
  when enter(f)
  me chooses drop(b)
  expect b is in me.hand
}
"""


def files(cards: str = CARDS, tests: str = TESTS) -> list[tuple[str, bytes]]:
    return [("cards.card", cards.encode()), ("frame.card", FRAME.encode()), ("tests.card", tests.encode())]


def built(cards: str = CARDS, tests: str = TESTS) -> Suite:
    outcome, suite = suite_of(files(cards, tests), None, Probes())
    assert suite is not None, [f.message for f in outcome.findings]
    return suite


def seen_by(suite: Suite):
    runs = each(suite, run_one, suite.numbers(), 1)
    assert [r.message for r, _ in runs if not r.passed] == []
    return [hits for _, hits in runs]


CLAUSES = [c for c in vars(clauses).values() if isinstance(c, type) and issubclass(c, nodes.Node)]
CONDITIONS = [(c, f.name) for c in CLAUSES for f in fields(c) if f.name in ("cond", "when", "where")]


@pytest.mark.parametrize(("cls", "name"), CONDITIONS, ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_every_condition_of_a_clause_is_seen(cls, name):
    condition = nodes.Name("so")
    given = {f.name: condition if f.name == name else None for f in fields(cls) if f.name != "span"}
    assert condition_of(cls(**given)) is condition


def test_what_ran_and_what_was_true_and_false():
    suite = built()
    found = coverage(suite.clauses, seen_by(suite))
    rows = {(s.clause.path, s.clause.line, s.clause.text): s for s in found.seen}
    cub = rows["cards.card", 4, "score(you, 1)"]
    assert (cub.ran, cub.points, cub.covered, cub.gap()) == (1, 1, 1, None)
    branch = rows["cards.card", 5, "if you.points > 5 { … }"]
    assert (branch.ran, branch.true, branch.false) == (1, 0, 1)
    assert branch.gap() == "never true: you.points > 5"
    assert rows["cards.card", 5, "score(you, 2)"].gap() == "never runs: score(you, 2)"
    # a bear's line is read for the cub (true) in one test, and for no other card on the stage
    bear = rows["cards.card", 10, "worth(u) += 1 when u.owner == you and u != self"]
    assert bear.true > 0 and bear.gap() == "never false: u.owner == you and u != self"
    # 3 is more than 1, 2 is more than 1, 1 is not; each is asked when it is heard and again when it runs
    echo = rows["cards.card", 14, "on score(p, n) when n > 1 { … }"]
    assert echo.true > 0 and echo.false > 0 and echo.covered == 2
    # of the bear and the fox on the stage, one can be dropped
    pick = rows["cards.card", 19, "u: unit in stage.cards[you] where u.power > 2"]
    assert (pick.clause.whole, pick.true, pick.false, pick.gap()) == (False, 1, 1, None)
    assert rows["frame.card", 12, "for each c in catalog { … }"].gap() == "never runs: for each c in catalog { … }"


def test_points_are_counted_by_card():
    suite = built()
    owners = coverage(suite.clauses, seen_by(suite)).owners()
    counts = {name: (sum(s.covered for s in rows), sum(s.points for s in rows)) for name, rows in owners.items()}
    # cub: a call; an `if`, which was only false; a call in it
    assert counts["card cub"] == (2, 4)
    assert counts["card bear"] == (1, 2)
    # echo: the line's two outcomes, and the call in it
    assert counts["card echo"] == (3, 3)
    assert counts["effect enter"] == (2, 2)
    # `for each`, `copy`
    assert counts["setup"] == (0, 2)


def test_every_clause_has_its_mutants():
    suite = built()
    found = [(m.how, suite.clauses[m.clause].text) for m in mutants(suite.clauses)]
    assert found[:5] == [
        ("left out", "score(you, 1)"),
        ("left out", "if you.points > 5 { … }"),
        ("turned round", "if you.points > 5 { … }"),
        ("without condition", "if you.points > 5 { … }"),
        ("left out", "score(you, 2)"),
    ]
    # a pick cannot be left out
    pick = "u: unit in stage.cards[you] where u.power > 2"
    assert [how for how, text in found if text == pick] == ["turned round", "without condition"]


def verdicts(suite: Suite, jobs: int = 1):
    return mutate(suite, list(enumerate(seen_by(suite))), jobs)


def test_what_no_test_notices_survives():
    suite = built()
    of = {(v.mutant.how, suite.clauses[v.mutant.clause].text): v for v in verdicts(suite)}
    assert of["left out", "score(you, 1)"].state == "killed" and of["left out", "score(you, 1)"].by == "a cub scores"
    # the cub has 1 point, so the `if` does nothing: leaving it out changes nothing, turning it round does
    branch = "if you.points > 5 { … }"
    assert (of["left out", branch].state, of["left out", branch].tests) == ("survived", 1)
    assert of["turned round", branch].state == of["without condition", branch].state == "killed"
    assert of["left out", "score(you, 2)"].state == "unreached"
    # an echo that never stops comes to the runtime's limit
    echo = "on score(p, n) when n > 1 { … }"
    assert of["without condition", echo].state == "limit" and of["left out", echo].state == "killed"
    # the fox could drop the fox: no test says it cannot
    pick = "u: unit in stage.cards[you] where u.power > 2"
    assert of["without condition", pick].state == "survived" and of["turned round", pick].state == "killed"


def test_a_test_that_shows_it_kills_the_survivor():
    more = TESTS.replace("  me chooses drop(b)\n", "  me cannot choose drop(f)\n  me chooses drop(b)\n")
    suite = built(tests=more)
    pick = [v for v in verdicts(suite) if suite.clauses[v.mutant.clause].text.startswith("u: unit")]
    assert [v.state for v in pick] == ["killed", "killed"]


VALUES = """\
value quick(u: unit): bool = u.power > 1
value rank(u: unit): int = if quick(u) then 2 else 1
value strong(p: player): int = count(u in p.hand where u.power > 2)
value best(p: player): unit? = the u in p.hand where u.power == 3
value hope(p: player): int = if p.points > 3 then 9 else p.points
bot value lead(p: player): int = hope(p) - p.opponent.points
test "ranks" {
  given { let c = new cub  let b = new bear  me.hand = [c, b] }
  expect rank(b) == 2 and strong(me) == 1 and best(me) == b
}
"""


def test_conditions_of_values_are_clauses_but_for_those_of_bots():
    suite = built(tests=VALUES)
    hits = seen_by(suite)
    of = {name: rows for name, rows in coverage(suite.clauses, hits).owners().items() if name.startswith("value ")}
    assert list(of) == ["value quick", "value rank", "value strong", "value best"]
    assert {name: [s.gap() for s in rows] for name, rows in of.items()} == {
        "value quick": ["never false: u.power > 1"],  # of the bear only, which is quick
        "value rank": ["never false: quick(u)"],
        "value strong": [None],  # the cub is not, the bear is
        "value best": [None],
    }
    states = {
        (suite.clauses[v.mutant.clause].of, v.mutant.how): v.state for v in mutate(suite, list(enumerate(hits)), 1)
    }
    assert states["value quick", "turned round"] == states["value rank", "turned round"] == "killed"
    assert states["value quick", "without condition"] == states["value rank", "without condition"] == "unreached"
    assert states["value strong", "without condition"] == states["value best", "without condition"] == "killed"


def test_any_number_of_processes_gives_the_same():
    suite = built()
    assert verdicts(suite, jobs=2) == verdicts(suite, jobs=1)
    runs = [each(suite, run_one, suite.numbers(), jobs) for jobs in (1, 2)]
    assert [(r.title, r.passed, hits) for r, hits in runs[0]] == [(r.title, r.passed, hits) for r, hits in runs[1]]


def test_a_mutant_is_gone_after_it_was_judged():
    suite = built()
    assert verdicts(suite) == verdicts(suite)
    assert Mutant(0, "left out").probe == 0 and Mutant(3, "turned round").probe == 7


def test_without_probes_the_code_is_what_it_is():
    plain = package_files(files(), analyse(files(), None))
    probed = package_files(files(), analyse(files(), None, Probes()))
    assert not any(b"probe(" in data for data in plain.values())
    assert any(b"probe(" in data for data in probed.values())


ROOT = Path(__file__).parents[2]
ACCEPTED = sorted((ROOT / "tests" / "accept").glob("*.card"))
GAMES = [ROOT / "grammar" / "scaffold.card", *ACCEPTED, ROOT / "cards" / "vughex"]


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.name)
def test_probes_change_nothing(path):
    """The same tests pass, and random matches take the same course, whatever statements and lines there are."""
    source = read_folder(path) if path.is_dir() else [(path.name, path.read_bytes())]
    plain, probed = (suite_of(source, None, probes)[1] for probes in (None, Probes()))
    assert plain is not None and probed is not None and probed.clauses and not plain.clauses
    for runs in zip(*(each(s, run_one, s.numbers(), 1) for s in (plain, probed)), strict=True):
        (a, _), (b, _) = runs
        assert (a.title, a.passed, a.message) == (b.title, b.passed, b.message)
    games = plain.load(), probed.load()
    games[1].code["probe"] = lambda number, value: value
    for seed in range(5):
        one, two = (game.playout(seed=seed) for game in games)
        assert (one.winner, one.reason, one.scores) == (two.winner, two.reason, two.scores)
        matches = [game.start(seed=seed) for game in games]
        for _ in range(12):
            if matches[0].decision is None:
                break
            assert matches[0].decision.options == matches[1].decision.options
            for match in matches:
                match.choose(seed % len(match.decision.options))


# ---- The command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("clauses") / "tiny"
    path.mkdir()
    for name, data in files():
        (path / name).write_bytes(data)
    return path


@pytest.fixture
def cardc(capsys, monkeypatch):
    def call(folder: Path, *args: str) -> tuple[int, str]:
        monkeypatch.chdir(folder.parent)
        status = main(["test", folder.name, *args])
        return status, capsys.readouterr().out

    return call


def test_coverage_is_shown_by_card_and_gated(folder, cardc):
    status, text = cardc(folder, "--coverage")
    out = text.splitlines()
    assert (status, out[-1]) == (0, "4 passed, 0 failed")
    assert "card cub        2 of   4   50 %" in out
    assert out[out.index("card cub        2 of   4   50 %") + 1] == "  tiny/cards.card:5: never true: you.points > 5"
    # cub 2 of 4, bear 1 of 2, echo 3 of 3, fox 4 of 4, score 1 of 1, enter 2 of 2, setup 0 of 2, flow 0 of 3
    assert "coverage: 13 of 21, 61 %" in out
    assert cardc(folder, "--min-coverage", "61")[0] == 0
    status, text = cardc(folder, "--min-coverage", "62")
    assert status == 1 and "that is less than the 62 % asked for" in text


def test_coverage_as_json(folder, cardc):
    found = json.loads(cardc(folder, "--coverage", "--format", "json")[1])["coverage"]
    assert (found["points"], found["covered"], found["percent"]) == (21, 13, 61)
    fox = next(x for x in found["of"] if x["of"] == "card fox")
    assert [c["line"] for c in fox["clauses"]] == [19, 19, 20] and fox["clauses"][2]["ran"] == 1
    assert fox["clauses"][2]["condition"] is None and fox["clauses"][2]["true"] is None


def test_survivors_fail_the_run_until_they_are_allowed(folder, cardc):
    status, text = cardc(folder, "--mutate")
    assert status == 1
    assert "tiny/cards.card:5: `if you.points > 5 { … }` can be left out: none of 1 test notices" in text
    found = json.loads(cardc(folder, "--mutate", "--format", "json")[1])["mutation"]
    survivors = [m for m in found["mutants"] if m["state"] in ("survived", "unreached")]
    assert found["survivors"] == len(survivors)
    assert cardc(folder, "--mutate", "--max-survivors", str(len(survivors)))[0] == 0
    status, text = cardc(folder, "--mutate", "--max-survivors", str(len(survivors) - 1))
    assert status == 1 and f"more than the {len(survivors) - 1} allowed" in text


def test_nothing_is_changed_where_tests_fail_already(folder, tmp_path, cardc):
    shutil.copytree(folder, tmp_path / "tiny")
    (tmp_path / "tiny" / "tests.card").write_text(TESTS.replace("me.points == 1", "me.points == 2"))
    status, text = cardc(tmp_path / "tiny", "--mutate")
    assert status == 1 and "no clause was changed: tests fail without that" in text
    assert text.endswith("3 passed, 1 failed\n")


def test_jobs_change_nothing_but_the_time(folder, cardc):
    one, two = (cardc(folder, "-j", n, "--filter", "a", "--mutate") for n in ("1", "2"))
    assert one == two
    assert one[1].endswith("\n4 passed, 0 failed\n")
