"""Linked code is kept beside a package by parts, and taken from there only where it is just what would be made."""

from __future__ import annotations

import ast
import random
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from card_runtime import code, load
from card_runtime.bots import Random
from card_runtime.link import Facts
from card_runtime.match import state_hash
from cardc import parts
from cardc.pipeline import build

CORPUS = Path(__file__).parents[2] / "benchmarks" / "corpus.py"
ARRIVALS = (
    "hurt(you.opponent, 7)",
    "heal(you, might(self))",
    "let l = self.lane\n    for each u in l.units[you.opponent] where shell(u) < 3 { wound(u, total(you, l)) }",
    "for each u in self.lane.units where u != self { move u to gone }",
    "for each u in you.hand { reveal u to you.opponent }",
    'you may choose strike u: unit in lanes.units[you.opponent] "Strike a unit" { wound(u, 2) }',
    "for each u in you.hand { move u to gone facing down }",
    "until end of turn { might(self) += 3 }",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a game of some parts, and its package."""
    folder = tmp_path_factory.mktemp("kept")
    runpy.run_path(str(CORPUS))["write"](folder / "corpus", 24, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "ONE_IN", 2)  # every second file ends its part
        build(folder / "corpus", folder / "game")
    yield folder


@pytest.fixture
def corpus(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(parts, "ONE_IN", 2)
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was linked: `rules`, or the file of a module of cards."""
    found: list[str] = []
    mapped = code.mapped

    class Noted(code.Linker):
        def rules(self, uses: Any) -> None:
            found.append("rules")
            super().rules(uses)

    def noted(text: str, shown: str, table: Any, **how: Any) -> Any:
        if shown.startswith("cards_"):
            found.append(shown)
        return mapped(text, shown, table, **how)

    monkeypatch.setattr(code, "Linker", Noted)
    monkeypatch.setattr(code, "mapped", noted)
    return found


def kept(package: Path) -> list[Path]:
    return sorted(p for p in (package / "cache").glob("*.bin") if "-" in p.name)


def played(package: Path) -> tuple[Any, ...]:
    game = load(package)
    return tuple(game.playout_state(seed=seed).result for seed in range(5))


def afresh(package: Path) -> tuple[Any, ...]:
    """How matches end where nothing is kept."""
    alone = package.with_name("alone")
    shutil.copytree(package, alone, ignore=shutil.ignore_patterns("cache"))
    result = played(alone)
    shutil.rmtree(alone)
    return result


def change(folder: Path, number: int, arrival: str) -> None:
    """Give the first card of a file another arrival, and build."""
    file = sorted((folder / "corpus").glob("cards_*.card"))[number]
    head, _, rest = file.read_text().partition("  arrival {\n")
    after = rest.partition("\n  }\n")[2]
    file.write_text(f"{head}  arrival {{\n    {arrival}\n  }}\n{after}")
    outcome, _ = build(folder / "corpus", folder / "game")
    assert outcome.files is not None, outcome.findings


def test_a_second_load_links_nothing(corpus: Path, linked: list[str]) -> None:
    first = played(corpus / "game")
    assert linked.count("rules") == 2  # for matches with logs, and for playouts
    linked.clear()
    assert played(corpus / "game") == first
    assert linked == []


def test_after_a_change_of_a_card_only_its_part_is_linked(corpus: Path, linked: list[str]) -> None:
    played(corpus / "game")
    files = {path for path in linked if path != "rules"}
    linked.clear()
    change(corpus, 3, "heal(you, 7)")
    result = played(corpus / "game")
    assert "cards_00006.card" in linked and len({*linked}) < len(files) / 2
    assert "rules" not in linked
    assert result == afresh(corpus / "game")


def test_after_a_change_of_the_rules_all_is_linked(corpus: Path, linked: list[str]) -> None:
    played(corpus / "game")
    every = {*linked}
    linked.clear()
    frame = corpus / "corpus" / "frame.card"
    frame.write_text(frame.read_text().replace("p.life += amount", "p.life += amount + 1"))
    build(corpus / "corpus", corpus / "game")
    result = played(corpus / "game")
    assert {*linked} == every
    assert result == afresh(corpus / "game")


def code_of(package: Path, folder: Path | None, quiet: bool) -> list[CodeType]:
    game = load(package)
    return code.compiled(game.parts, game._facts(), folder, "g", quiet)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_is_what_would_be_made(corpus: Path, seed: int) -> None:
    """Whatever changes, and whatever was kept before: what cards do changes what is true of the rules, too."""
    chance = random.Random(seed)
    package, cache = corpus / "game", corpus / "kept"
    cache.mkdir()
    for _ in range(4):
        change(corpus, chance.randrange(12), chance.choice(ARRIVALS))
        for quiet in (False, True):
            assert code_of(package, cache, quiet) == code_of(package, None, quiet)


@pytest.mark.parametrize("arrival", ARRIVALS)
def test_whatever_cards_do_playouts_and_matches_in_steps_end_alike(corpus: Path, arrival: str) -> None:
    """The rules omit only what no card does, though no card is linked with them."""
    for number in range(0, 12, 2):
        change(corpus, number, arrival)
    game = load(corpus / "game")
    for seed in range(6):
        played = state_hash(game.playout_state(seed=seed))
        match, bot = game.start(seed), Random(seed)
        while match.decision is not None:
            match.choose(bot(match.decision))
        assert match.state_hash() == played


RULES = """
def v_power(m, l_c):
    k_ = m.memo
    if k_ is not None:
        i_ = l_c * 256 + 0
        if i_ in k_: return k_[i_]
    x = sum([lines_of(m, l_o) for l_o in m.places[l_c]])
    if k_ is not None: k_[i_] = x
    return x
def e_fight(m):
    for l_c in m.places[0]:
        m.memo = {}
        n_ = v_power(m, l_c)
        m.memo = None
        m.c_blow[l_c] = n_
"""
READS = "def r_fox·arrival(m, l_self):\n    m.s_seen = v_power(m, l_self)\n"
IDLE = "def r_fox·arrival(m, l_self):\n    m.s_seen = 1\n"


def test_the_rules_are_linked_again_when_cards_use_other_things_of_them(tmp_path: Path) -> None:
    """A value that the rules read once is not remembered, unless a card reads it, too."""

    def linked(card: str, folder: Path | None) -> list[CodeType]:
        texts = [(RULES, "rules.card"), (card, "fox.card")]
        made = [[(text, shown, [1] * text.count("\n"))] for text, shown in texts]
        return code.compiled(made, Facts(frozenset(), frozenset()), folder, "g", quiet=True)

    idle, reads = linked(IDLE, tmp_path), linked(READS, tmp_path)
    assert (idle, reads) == (linked(IDLE, None), linked(READS, None))
    assert idle[0] != reads[0]


def test_what_is_not_wanted_any_more_goes(corpus: Path) -> None:
    played(corpus / "game")
    before = kept(corpus / "game")
    change(corpus, 3, "heal(you, 7)")
    played(corpus / "game")
    after = kept(corpus / "game")
    assert len(after) == len(before)
    assert {*after} != {*before}


def test_damaged_code_is_linked_anew(corpus: Path, linked: list[str]) -> None:
    first = played(corpus / "game")
    for path in kept(corpus / "game"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    linked.clear()
    assert played(corpus / "game") == first
    assert linked.count("rules") == 2


def test_code_of_another_runtime_is_linked_anew(
    corpus: Path, linked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an update, or while somebody works on the linker."""
    first = played(corpus / "game")
    linked.clear()
    monkeypatch.setattr(code, "runtime_digest", lambda: "another")
    assert played(corpus / "game") == first
    assert linked.count("rules") == 2


def test_the_digest_is_of_all_that_links_or_is_put_into_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(code.__file__).parent
    for file in here.glob("*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(code, "__file__", str(tmp_path / "code.py"))
    code.runtime_digest.cache_clear()
    try:
        seen = {code.runtime_digest()}
        for name in ("link.py", "library.py", "code.py"):
            (tmp_path / name).write_text((tmp_path / name).read_text() + "# changed\n")
            code.runtime_digest.cache_clear()
            seen.add(code.runtime_digest())
        assert len(seen) == 4
    finally:
        code.runtime_digest.cache_clear()


def test_where_nothing_can_be_kept_a_game_is_played_all_the_same(corpus: Path) -> None:
    package = corpus / "game"
    first = played(package)
    shutil.rmtree(package / "cache")
    (package / "cache").write_text("in the way")
    assert played(package) == first
    assert (package / "cache").read_text() == "in the way"


def test_code_for_playouts_is_of_the_direct_form_alone_on_the_same_lines() -> None:
    steps = "def s_r_{0}(m, f):\n    pass\ns_r_{0}.size = 4\n\n\n"
    text = "".join(f"def r_{name}(m):\n    pass\n\n\n{steps.format(name)}" for name in "ab")
    table = [line * 10 for line in range(1, text.count("\n") + 2)]
    both, direct = (code.mapped(text, "cards.card", table, direct=direct) for direct in (False, True))
    found = {s.name: s for s in both.body if hasattr(s, "name")}
    assert list(found) == ["r_a", "s_r_a", "r_b", "s_r_b"] and len(both.body) == 6
    assert [(s.name, s.lineno, s.body[0].lineno) for s in direct.body] == [("r_a", 10, 20), ("r_b", 100, 110)]
    assert [ast.dump(s, include_attributes=True) for s in direct.body] == [
        ast.dump(found[name], include_attributes=True) for name in ("r_a", "r_b")
    ]
