"""Work that is shared: whoever plays, in whatever order it comes back, and whoever is lost, the counts are those of the
seeds."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace as NS
from typing import Any

import card_runtime as rt
import pytest
from cardc.__main__ import main
from cardc.cli.matches import load
from cardc.package import UsageError
from cardc.simulate import work
from cardc.simulate.local import Here, Processes
from cardc.simulate.share import Fault, WorkersLost, share
from cardc.simulate.tally import Kept, Tally, take_up
from cardc.simulate.work import Part

ROOT = Path(__file__).parents[2]
ABOUT = {"cardc": "1", "game": "g", "title": "G", "build": "b", "settings": {}}


def won(seed: int) -> tuple[int, str]:
    return seed % 2, "odd" if seed % 3 else "even"


def part(seeds: range, fault: str | None = None) -> Part:
    return Part(seeds, Counter(map(won, seeds)), fault)


class Shuffled:
    """Workers that play any part of a piece and come back in any order; of 100 pieces `lose` are lost at first, and a
    seed in `faults` ends its piece."""

    room = 5

    def __init__(self, seed: int, lose: int = 0, faults: frozenset[int] = frozenset(), most_losses: int = 2) -> None:
        self.random = random.Random(seed)
        self.lose, self.faults, self.most_losses = lose, faults, most_losses
        self.open: list[tuple[Future[Part], range]] = []
        self.most = 0
        self.lost: Counter[int] = Counter()

    def submit(self, seeds: range) -> Future[Part]:
        future: Future[Part] = Future()
        self.open.append((future, seeds))
        self.most = max(self.most, len(self.open))
        return future

    def wait(self, futures: Any, *_: Any) -> Any:
        """Some of them come back."""
        self.random.shuffle(self.open)
        for _ in range(self.random.randint(1, len(self.open))):
            future, seeds = self.open.pop()
            if not future.set_running_or_notify_cancel():
                continue
            if self.lost[seeds.start] < self.most_losses and self.random.randrange(100) < self.lose:
                self.lost[seeds.start] += 1
                future.set_exception(WorkersLost())
                continue
            played = seeds[: self.random.randint(1, len(seeds))]
            bad = next((i for i, seed in enumerate(played) if seed in self.faults), None)
            future.set_result(part(played) if bad is None else part(played[:bad], f"circle {played[bad]}"))
        return {future for future in futures if future.done()}, set()

    def result(self, piece: Future[Part]) -> Part:
        return piece.result()

    def trouble(self) -> str | None:
        return None

    def close(self) -> None:
        pass


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Tally]:
    """Has seeds played by shuffled workers."""

    def run(workers: Shuffled, seeds: range, tally: Tally | None = None) -> Tally:
        tally = tally or Tally()
        monkeypatch.setattr("cardc.simulate.share.wait", workers.wait)
        share(workers, tally.missing(seeds), 7, tally.add, lambda line: pytest.fail(line))
        return tally

    return run


@pytest.mark.parametrize("seed", range(20))
def test_any_order_any_cut_and_any_loss_give_the_same_counts(run: Callable[..., Tally], seed: int) -> None:
    seeds = range(-50, 450)
    workers = Shuffled(seed, lose=seed % 3 * 10)
    tally = run(workers, seeds)
    assert tally.counts == Counter(map(won, seeds))
    assert tally.done == [seeds]
    assert workers.most <= workers.room
    assert (workers.lost.total() > 0) == (workers.lose > 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_fault_with_the_least_seed_is_told(run: Callable[..., Tally], seed: int) -> None:
    """Also if one of a later seed is found first."""
    with pytest.raises(Fault, match=r"^the match with seed 33: circle 33$"):
        run(Shuffled(seed, faults=frozenset({33, 34, 40, 41, 60, 100})), range(0, 200))


def test_a_piece_whose_workers_are_lost_each_time_is_no_accident(run: Callable[..., Tally]) -> None:
    with pytest.raises(UsageError, match=r"^whoever plays the seeds 0 to 6 is ended from outside, 3 times by now"):
        run(Shuffled(1, lose=100, most_losses=3), range(0, 7))


def test_seeds_that_are_counted_are_not_played_again(run: Callable[..., Tally]) -> None:
    tally = Tally()
    for done in (range(10, 20), range(0, 5), range(5, 7)):
        tally.add(part(done))
    assert tally.done == [range(0, 7), range(10, 20)]
    assert list(tally.missing(range(0, 30))) == [range(7, 10), range(20, 30)]
    assert run(Shuffled(3), range(0, 30), tally=tally).counts == Counter(map(won, range(0, 30)))


def test_a_tally_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    kept = take_up(path, ABOUT, range(0, 100))
    for done in (range(50, 60), range(0, 9)):
        kept.add(part(done))
    kept.write()
    again = take_up(path, ABOUT, range(0, 100))
    assert again.tally.counts == Counter(map(won, [*range(0, 9), *range(50, 60)]))
    assert again.tally.done == [range(0, 9), range(50, 60)]
    assert [p.name for p in tmp_path.iterdir()] == ["kept.json"]


def test_a_write_that_is_broken_off_leaves_the_file_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.json"
    kept = take_up(path, ABOUT, range(0, 100))
    before = path.read_bytes()
    kept.add(part(range(0, 9)))

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(UsageError, match=r"kept\.json: no space left on device$"):
        kept.write()
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["kept.json"]


def test_the_file_is_written_while_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardc.simulate import tally as module

    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    path = tmp_path / "kept.json"
    kept = Kept(path, Tally(), ABOUT)
    kept.add(part(range(0, 5)))
    assert not path.exists()
    now[0] += 1.0
    kept.add(part(range(5, 9)))
    assert json.loads(path.read_bytes())["done"] == [[0, 9]]


@pytest.fixture(params=[signal.default_int_handler, signal.SIG_IGN], ids=["usual", "ignored"])
def interrupts(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether Ctrl-C means something: a shell lets what it puts into the background ignore it."""
    before = signal.signal(signal.SIGINT, request.param)
    yield request.param is signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is request.param
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_in_the_midst_of_counting_waits(interrupts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else there were counts without their seeds, and the same seeds counted twice after going on."""
    kept = Kept(None, Tally(), ABOUT)
    whole = kept.tally.add

    def add(part: Part) -> None:
        signal.raise_signal(signal.SIGINT)
        whole(part)

    monkeypatch.setattr(kept.tally, "add", add)
    with pytest.raises(KeyboardInterrupt) if interrupts else nullcontext():
        kept.add(part(range(0, 9)))
    assert kept.tally.counts.total() == kept.tally.total == 9


def test_a_worker_reports_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def playout(seed: int) -> Any:
        now[0] += 0.2
        return NS(winner=seed % 2, reason="")

    monkeypatch.setattr(work, "perf_counter", lambda: now[0])
    kept: list[float] = []
    found = work.play(NS(playout=playout, keep=lambda: kept.append(now[0])), {}, range(10, 100))
    assert found == Part(range(10, 13), Counter({(0, ""): 2, (1, ""): 1}), None)
    assert kept == [now[0]]  # what was linked, as a worker may be ended at any time


# ---- Real processes


@pytest.fixture(scope="module")
def vughex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real game, built."""
    out = tmp_path_factory.mktemp("built") / "vughex"
    assert main(["build", str(ROOT / "cards" / "vughex"), "-o", str(out), "--quiet"]) == 0
    return out


CALL = {"bots": ("random", "random")}


def played(workers: Any, seeds: range, advance: Callable[[Part], None] = lambda part: None) -> Tally:
    tally = Tally()

    def add(part: Part) -> None:
        tally.add(part)
        advance(part)

    try:
        share(workers, [seeds], 20, add, lambda line: pytest.fail(line))
    finally:
        workers.close()
    return tally


def test_processes_count_as_this_one_does_even_if_one_is_killed(vughex: Path) -> None:
    seeds = range(5, 405)
    alone = played(Here(load((vughex, [])), CALL), seeds)
    assert alone.counts.total() == 400
    killed = []

    def kill(part: Part) -> None:
        if not killed:
            victim = multiprocessing.active_children()[0]
            killed.append(victim.pid)
            victim.kill()

    shared = played(Processes(2, (vughex, []), CALL), seeds, kill)
    assert killed and shared.counts == alone.counts and shared.done == [seeds]


def test_wrong_settings_come_back_from_the_processes(vughex: Path) -> None:
    call = {**CALL, "options": {"no_such_option": 1}}
    with pytest.raises(UsageError, match="no_such_option"):
        played(Processes(2, (vughex, []), call), range(200))


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to a group of processes")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_played(vughex: Path, tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "kept.json"
    command = [sys.executable, "-m", "cardc", "sim", str(vughex), "-n", "100000000", "--resume", str(path)]
    process = subprocess.Popen(
        [*command, "--jobs", jobs], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not (path.exists() and json.loads(path.read_bytes())["done"]):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    document = json.loads(path.read_bytes())
    seeds = [seed for first, end in document["done"] for seed in range(first, end)]
    line = f"stopped after {len(seeds)} of 100000000 matches; they are kept in {path}, and the same command goes on"
    assert (process.returncode, err) == (130, f"cardc: {line}\n")
    assert out.startswith("player 0 wins") and "Traceback" not in out
    game = rt.load(vughex)
    counts = Counter((result.winner, result.reason) for result in (game.playout(seed=seed) for seed in seeds))
    assert {(e["winner"], e["reason"]): e["count"] for e in document["results"]} == counts
