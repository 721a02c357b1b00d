"""Processes that share work leave Ctrl-C, which a terminal sends to all of them, to who began them."""

import multiprocessing.util
import os
import signal
import subprocess
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cardc import bench, pool
from cardc.pipeline import build
from cardc.simulate.local import Processes
from cardc.suite import suite_of

GAME = b"""game g "G" { version: "1"  players: 2 }
flow { tie }
test "one" { when flow  expect tie }
test "two" { when flow  expect tie }
"""


def suite_of_a_game(folder: Path) -> None:
    _, suite = suite_of([("g.card", GAME)], None)
    assert suite is not None
    assert len(bench.each(suite, bench.run_one, [0, 1], 2)) == 2


def playouts(folder: Path) -> None:
    (folder / "g.card").write_bytes(GAME)
    workers = Processes(2, (build(folder, folder / "built")[1], []), {"bots": ("random", "random")})
    try:
        assert workers.result(workers.submit(range(3))).counts.total() == 3
    finally:
        workers.close()


def parts_of_a_package(folder: Path) -> None:
    worker = pool._start()
    worker.kill()
    worker.communicate()


def copies_for_parts(folder: Path) -> None:
    if not pool._may_be_copied():
        pytest.skip("a process is not copied here")
    pool.Processes([[], []], [], None, False).close()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back")
@pytest.mark.parametrize("work", [suite_of_a_game, playouts, parts_of_a_package, copies_for_parts])
def test_ctrl_c_is_kept_from_processes_that_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Path], None]
) -> None:
    masks: list[bool] = []

    def watched(begin: Callable[..., Any]) -> Callable[..., Any]:
        def watching(*args: Any, **more: Any) -> Any:
            masks.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
            return begin(*args, **more)

        return watching

    monkeypatch.setattr(subprocess, "Popen", watched(subprocess.Popen))
    monkeypatch.setattr(os, "fork", watched(os.fork))
    monkeypatch.setattr(multiprocessing.util, "spawnv_passfds", watched(multiprocessing.util.spawnv_passfds))
    work(tmp_path)
    assert masks and all(masks)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("work", [suite_of_a_game, playouts])
def test_ctrl_c_waits_until_processes_are_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Path], None]
) -> None:
    whole, ended = ProcessPoolExecutor.shutdown, []

    def shutdown(pool: ProcessPoolExecutor, *args: Any, **more: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        whole(pool, *args, **more)
        ended.append(True)

    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", shutdown)
    with pytest.raises(KeyboardInterrupt):
        work(tmp_path)
    assert ended == [True]
