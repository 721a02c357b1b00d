"""What cards do is linked when they do it. Linked code is kept beside a package by parts, and taken from there only
where it is just what would be made."""

from __future__ import annotations

import ast
import gc
import json
import marshal
import random
import runpy
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from card_runtime import LoadError, code, digests, link, load
from card_runtime.bots import Random
from card_runtime.match import state_hash
from card_runtime.texts import Facts, Texts
from card_runtime.trees import mapped
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
    """What was linked: `rules`, or a card."""
    found: list[str] = []

    class Noted(link.Linker):
        def rules(self, uses: Any) -> None:
            found.append("rules")
            super().rules(uses)

        def cards(self, module: ast.Module) -> None:
            first = module.body[0]
            assert isinstance(first, ast.FunctionDef)
            found.append(first.name.removeprefix("s_")[2:].partition("·")[0])
            super().cards(module)

    monkeypatch.setattr(link, "Linker", Noted)
    return found


def kept(package: Path) -> list[Path]:
    return sorted(p for p in (package / "cache").glob("*.bin") if "-" in p.name)


def played(package: Path) -> tuple[Any, ...]:
    game = load(package)
    results = tuple(game.playout_state(seed=seed).result for seed in range(5))
    game.keep()
    return results


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


def test_cards_are_linked_that_do_something_and_no_others(corpus: Path, linked: list[str]) -> None:
    game = load(corpus / "game")
    match, bot = game.start(1), Random(1)
    assert linked == ["rules"]  # and no card, though all lie in the match
    linked.clear()
    m, played = match._m, set()
    held = [z.first + seat for z in game.model.zones if z.name in ("deck", "hand") for seat in (0, 1)]
    few = 0
    while match.decision is not None:
        match.choose(bot(match.decision))
        played |= {m.printed[d].id for d, at in zip(m.d, m.at, strict=True) if at not in held}
        assert len(linked) == len({*linked}) and {*linked} <= played
        few += 0 < len(linked) < 24
    assert few > 3


def test_games_in_many_threads_link_alike(corpus: Path, linked: list[str]) -> None:
    alone = load(corpus / "game")
    ends = [state_hash(alone.playout_state(seed)) for seed in range(40)]
    linked.clear()
    game = load(corpus / "game")
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(lambda seed: state_hash(game.playout_state(seed)), range(40))] == ends
    assert len(linked) == len({*linked}) == 24


def test_a_save_that_waits_for_a_card_goes_on_where_that_was_not_linked(corpus: Path) -> None:
    for number in range(12):
        change(corpus, number, ARRIVALS[5])
    game = load(corpus / "game")
    match, bot = game.start(3), Random(3)
    while not any(str(f[0]).startswith("s_r_") for f in match._m.frames):
        assert match.decision is not None
        match.choose(bot(match.decision))
    other = load(corpus / "game").restore(match.to_json())
    for one in (match, other):
        bot = Random(4)
        while one.decision is not None:
            one.choose(bot(one.decision))
    assert match.state_hash() == other.state_hash()


def test_what_is_no_code_of_a_card_is_told_when_it_does_something(corpus: Path) -> None:
    for file in (corpus / "game" / "parts").glob("*.py"):
        file.write_text(file.read_text().replace("(m, l_self):", "(m, l_self:"))
    manifest = corpus / "game" / "manifest.json"
    document = json.loads(manifest.read_text())
    document["files"] |= {
        name: sha256((corpus / "game" / name).read_bytes()).hexdigest() for name in document["files"]
    }
    manifest.write_text(json.dumps(document))
    game = load(corpus / "game")
    with pytest.raises(LoadError) as caught:
        for seed in range(20):
            game.playout(seed)
    assert str(caught.value).endswith("is no code: build the game again")


def test_a_game_that_is_let_go_keeps_what_it_linked(corpus: Path, linked: list[str]) -> None:
    game = load(corpus / "game")
    game.playout(1)
    del game
    gc.collect()
    linked.clear()
    load(corpus / "game").playout(1)
    assert linked == []


def test_much_that_was_linked_is_kept_at_once(corpus: Path, linked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "MOST_UNKEPT", 1)
    game = load(corpus / "game")
    game.playout(1)
    linked.clear()
    load(corpus / "game").playout(1)
    assert linked == [] and game.id == "corpus"


def test_after_a_change_of_a_card_only_its_part_is_linked(corpus: Path, linked: list[str]) -> None:
    change(corpus, 3, "heal(you, 6)")
    played(corpus / "game")
    cards = {card for card in linked if card != "rules"}
    linked.clear()
    change(corpus, 3, "heal(you, 7)")
    result = played(corpus / "game")
    assert "unit_00006" in linked and len({*linked}) < len(cards) / 2
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


def functions(texts: Texts, facts: Facts, folder: Path | None, quiet: bool) -> dict[str, bytes]:
    """The code of all functions, with all that cards do."""
    space: dict[str, Any] = {}
    linked = code.Linked(texts, facts, code.Kept(folder, "g", texts), space, quiet)
    for name in texts.home:
        if not (quiet and name.startswith("s_")):
            linked.function(name)
    linked.kept.flush()
    return {name: marshal.dumps(f.__code__) for name, f in space.items() if hasattr(f, "__code__")}


def code_of(package: Path, folder: Path | None, quiet: bool) -> dict[str, bytes]:
    game = load(package)
    return functions(game.texts, game._facts(), folder, quiet)


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

    def linked(card: str, folder: Path | None) -> dict[str, bytes]:
        texts = [(RULES, "rules.card"), (card, "fox.card")]
        made = [[(text, shown, [1] * text.count("\n"))] for text, shown in texts]
        return functions(Texts(made), Facts(frozenset(), frozenset()), folder, quiet=True)

    idle, reads = linked(IDLE, tmp_path), linked(READS, tmp_path)
    assert (idle, reads) == (linked(IDLE, None), linked(READS, None))
    assert idle["v_power"] != reads["v_power"]


def test_what_is_not_wanted_any_more_goes(corpus: Path) -> None:
    change(corpus, 3, "heal(you, 6)")
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
    here = Path(digests.__file__).parent
    for file in here.glob("*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(digests, "__file__", str(tmp_path / "digests.py"))
    digests.runtime_digest.cache_clear()
    try:
        seen = {digests.runtime_digest()}
        for name in ("link.py", "library.py", "code.py"):
            (tmp_path / name).write_text((tmp_path / name).read_text() + "# changed\n")
            digests.runtime_digest.cache_clear()
            seen.add(digests.runtime_digest())
        assert len(seen) == 4
    finally:
        digests.runtime_digest.cache_clear()


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
    both, direct = (mapped(text, "cards.card", table, direct=direct) for direct in (False, True))
    found = {s.name: s for s in both.body if hasattr(s, "name")}
    assert list(found) == ["r_a", "s_r_a", "r_b", "s_r_b"] and len(both.body) == 6
    assert [(s.name, s.lineno, s.body[0].lineno) for s in direct.body] == [("r_a", 10, 20), ("r_b", 100, 110)]
    assert [ast.dump(s, include_attributes=True) for s in direct.body] == [
        ast.dump(found[name], include_attributes=True) for name in ("r_a", "r_b")
    ]
