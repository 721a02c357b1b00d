"""`cardc sim --cluster`: a real scheduler and real workers, on this machine's loopback.

Left out where `distributed`, which the extra `cardc[cluster]` brings, is not installed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cardc.__main__ import main
from cardc.cli.matches import load
from cardc.package import UsageError
from cardc.simulate.cluster import lacks, packed, play_sent
from cardc.simulate.work import play, player

ROOT = Path(__file__).parents[2]

pytest.importorskip("distributed", reason="the extra cardc[cluster] is not installed")

# Plays on a cluster from Python, and when the first matches are counted, ends one worker: it is stopped first, so that
# it surely has a piece that it will never finish.
SCRIPT = """
import json, os, signal, sys, threading
from pathlib import Path
from cardc.simulate.cluster import Cluster
from cardc.simulate.share import share
from cardc.simulate.tally import Tally, results

address, game, victim = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
tally, ended = Tally(), []

def add(part):
    tally.add(part)
    if not ended:
        ended.append(tally.total)
        os.kill(victim, signal.SIGSTOP)
        threading.Timer(1.0, os.kill, (victim, signal.SIGKILL)).start()

workers = Cluster(address, (game, []), {"bots": ("random", "random")})
share(workers, [range(2000)], 20, add, print)
workers.close()
print(json.dumps({"ended": ended, "done": [[s.start, s.stop] for s in tally.done], "results": results(tally.counts)}))
"""


@pytest.fixture(scope="module")
def vughex(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "vughex"
    assert main(["build", str(ROOT / "cards" / "vughex"), "-o", str(out), "--quiet"]) == 0
    return out


class Dask:
    """A scheduler and its workers, as processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        while not file.exists() or not file.read_bytes().endswith(b"}"):
            assert self.processes[0].poll() is None, (folder / "log").read_text()
            time.sleep(0.05)
        self.address = json.loads(file.read_bytes())["address"]

    def start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments]
        with (self.folder / "log").open("ab") as log:
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))
        return self.processes[-1]

    def worker(self) -> subprocess.Popen[bytes]:
        folder = str(self.folder / "scratch")
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder]
        return self.start("worker", self.address, "--host", "127.0.0.1", *options)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    made = Dask(tmp_path)
    yield made
    for process in made.processes:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def sim(vughex: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `cardc sim`."""

    def sim(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cardc", "sim", str(vughex), *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    return sim


@pytest.fixture(scope="module")
def alone(sim: Callable[..., subprocess.CompletedProcess[str]]) -> object:
    """What 2,000 matches come to in one process."""
    return json.loads(sim("-n", "2000", "--format", "json").stdout)["results"]


@pytest.mark.skipif(os.name != "posix", reason="a process is stopped by a signal")
def test_a_worker_that_is_killed_half_way_changes_nothing(dask: Dask, vughex: Path, alone: object) -> None:
    victim, _ = dask.worker(), dask.worker()
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, dask.address, str(vughex), str(victim.pid)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["ended"] and found["ended"][0] < 2000
    assert victim.wait() == -signal.SIGKILL
    assert found["done"] == [[0, 2000]] and found["results"] == alone


def test_the_command_counts_as_one_process_does_and_goes_on(
    dask: Dask, sim: Callable[..., subprocess.CompletedProcess[str]], alone: object, tmp_path: Path
) -> None:
    kept = ["--resume", str(tmp_path / "kept.json")]
    assert sim("-n", "700", "--jobs", "2", *kept).returncode == 0
    dask.worker()
    run = sim("-n", "2000", "--cluster", dask.address, *kept, "--format", "json")
    assert (run.returncode, run.stderr) == (0, "")
    found = json.loads(run.stdout)
    assert (found["playouts"], found["complete"], found["resumed"]) == (2000, True, 700)
    assert found["results"] == alone
    run = sim("-n", "100", "--cluster", dask.address, "--option", "lenght=1")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("cardc: no option is called lenght") and run.stderr.count("\n") == 1


def test_a_scheduler_that_goes_away_is_one_line_and_what_was_played_is_kept(
    dask: Dask, vughex: Path, tmp_path: Path
) -> None:
    dask.worker()
    path = tmp_path / "kept.json"
    command = [sys.executable, "-m", "cardc", "sim", str(vughex), "-n", "100000000", "--resume", str(path)]
    process = subprocess.Popen(
        [*command, "--cluster", dask.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not (path.exists() and json.loads(path.read_bytes())["done"]):
        time.sleep(0.05)
    dask.processes[0].kill()
    out, err = process.communicate()
    total = sum(entry["count"] for entry in json.loads(path.read_bytes())["results"])
    assert (process.returncode, out) == (2, "")
    assert err == (
        f"cardc: the Dask scheduler at {dask.address} has gone; {total} of 100000000 matches are kept in {path}\n"
    )


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("nowhere", "--cluster takes the address of a scheduler such as tcp://10.0.0.1:8786, not nowhere"),
        ("foo://a:1", "--cluster takes the address of a scheduler such as tcp://10.0.0.1:8786, not foo://a:1"),
        ("tls://a:1", "tls://a:1 needs certificates: name them in Dask's settings, under distributed.comm.tls"),
    ],
)
def test_addresses_that_cannot_be(
    sim: Callable[..., subprocess.CompletedProcess[str]], address: str, line: str
) -> None:
    run = sim("-n", "100", "--cluster", address)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"cardc: {line}\n")


def test_a_worker_of_another_version_is_told(vughex: Path) -> None:
    archive = packed([vughex])
    with pytest.raises(
        UsageError, match=r"^a worker of the cluster has cardc \S+ \(\w{12}\), and this is 0\.0\.0: install the same$"
    ):
        play_sent("0.0.0", "digest", archive, {}, range(1))


def test_expansions_are_sent_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moonga, built, call = ROOT / "cards" / "moonga", [tmp_path / "moonga", tmp_path / "densara"], {}
    assert main(["build", str(moonga), "-o", str(built[0]), "--quiet"]) == 0
    assert main(["build", str(moonga / "densara"), "--base", str(built[0]), "-o", str(built[1]), "--quiet"]) == 0
    monkeypatch.setattr("cardc.simulate.work.SLICE", 1e9)
    here = play(load((built[0], built[1:])), call, range(5))
    assert play_sent(player(), "digest", packed(built), call, range(5)) == here
    assert play_sent(player(), "another", packed(built[:1]), call, range(5)) == play(
        load((built[0], [])), call, range(5)
    )


def test_a_cluster_without_cardc_is_told_from_a_bug() -> None:
    """The scheduler says it in this form, a worker without the outer error."""
    missing = ModuleNotFoundError("No module named 'cardc'")
    outer = RuntimeError("Error during deserialization of the task graph.")
    outer.__cause__ = missing
    assert lacks(outer) == lacks(missing) == "No module named 'cardc'"
    assert lacks(RuntimeError("a bug")) is None
    assert lacks(AttributeError("'NoneType' object has no attribute 'x'")) is None
