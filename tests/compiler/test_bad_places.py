"""Folders and outputs that are bad, several builds at once, and killed ones: one line and exit status 2, never the loss
of an earlier build. CARDC_LONG: more kills."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import card_runtime as rt
import pytest
from cardc import package, pipeline

LONG = bool(os.environ.get("CARDC_LONG"))


# ---- Folders and paths

PATHS = {
    "no such folder": lambda s: "nowhere",
    "an empty folder": lambda s: str(s.write("empty/x.txt", "").parent),
    "a folder without a game": lambda s: str(s.write("cards/x.card", 'card one "One" : unit {}\n').parent),
    "a file of another kind": lambda s: str(s.write("notes.txt", "notes")),
    "a device": lambda s: "/dev/null",
    "an empty name": lambda s: "",
    "a very long name": lambda s: "x" * 5_000,
    "a name with a line break": lambda s: "no\nwhere",
    "a name that is not UTF-8": lambda s: "no\udcffwhere",
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("command", ["check", "build", "test", "play", "sim", "diff", "explain"])
def test_a_bad_path(shell, name, command):
    path = PATHS[name](shell)
    args = {"diff": ("diff", path, "build/g"), "explain": ("explain", path, "one")}.get(command, (command, path))
    status = (1, 2) if name in ("an empty name",) else (2,)
    shell.refused(*args, status=status)


def test_links_that_go_round(shell):
    (shell.folder / "g" / "again").symlink_to(shell.folder / "g")
    (shell.folder / "g" / "up").symlink_to("..")
    assert shell.run("check", "g").returncode == 0
    (shell.folder / "g" / "loop.card").symlink_to("loop.card")
    assert "too many levels of symbolic links" in shell.refused("check", "g", status=(2,))
    (shell.folder / "self").symlink_to("self")
    for command in ("check", "build", "play"):
        shell.refused(command, "self", status=(2,))
    (shell.folder / "g" / "loop.card").unlink()
    (shell.folder / "g" / "gone.card").symlink_to("nowhere.card")
    assert "no such file" in shell.refused("build", "g", "-o", "build/g", status=(2,))


def test_a_pipe_among_the_sources(shell):
    os.mkfifo(shell.folder / "g" / "pipe.card")
    assert "not a regular file" in shell.refused("check", "g", status=(2,))


def as_nobody() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


@pytest.fixture
def public(shell):
    """The shell's folder, open to others: pytest's own are closed."""
    open_ = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    shutil.copytree(shell.folder, open_, dirs_exist_ok=True)
    subprocess.run(["chmod", "-R", "a+rwX", str(open_)], check=True)
    shell.folder, shell.reports = open_, open_ / "tmp"
    shell.env["TMPDIR"] = str(shell.reports)
    # The interpreter may lie where only root reads: what is imported is so before the user changes.
    yield shell
    subprocess.run(["chmod", "-R", "u+rwX", str(open_)], check=True)
    shutil.rmtree(open_)


AS_NOBODY = """
import importlib, os, pkgutil, sys
import card_grammar, card_runtime, cardc, jinja2, jsonschema, rich.console, rich.progress
for package in (card_grammar, card_runtime, cardc):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.endswith(("__main__", "pytest_plugin")):
            importlib.import_module(found.name)
from cardc.__main__ import main
from cardc.emit.template import template
from cardc.parse import card_parser
template(), card_parser()
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sys.exit(main(sys.argv[1:]))
"""


def refused_to_others(shell, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, *args],
        cwd=shell.folder,
        env=shell.env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 2, said
    assert done.stdout == "" and done.stderr.count("\n") == 1 and "permission denied" in said, said
    return said


@pytest.mark.parametrize("closed", ["g", "g/sub", "g/cards.card"])
def test_what_may_not_be_read(public, closed):
    public.write("g/sub/more.card", 'card three "Three" : unit {}\n')
    (public.folder / closed).chmod(0)
    for args in (("check", "g"), ("build", "g")):
        refused_to_others(public, *args)
    (public.folder / closed).chmod(0o755)


def test_what_may_not_be_written(public):
    public.write("g/sub/more.card", 'card three "Three" : unit {}\n')
    subprocess.run(["chmod", "-R", "a-w", str(public.folder / "build")], check=True)
    refused_to_others(public, "build", "g", "-o", "build/g")
    assert public.content(public.folder / "build" / "g") == public.whole
    subprocess.run(["chmod", "-R", "a+w", str(public.folder / "build")], check=True)
    (public.folder / "match.json").write_text("{}")
    (public.folder / "match.json").chmod(0)
    refused_to_others(public, "play", "build/g", "--resume", "match.json")


def test_a_folder_that_may_not_be_written_is_no_reason_not_to_play(public):
    public.folder.chmod(0o555)
    (public.folder / "build").chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, "sim", "g", "-n", "3"],
        cwd=public.folder,
        env=public.env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_full_disk(shell):
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    shell.write("g/more.card", "".join(f'card c{i} "Card {i}" : unit {{}}\n' for i in range(200)))
    assert "file too large" in shell.refused("build", "g", "-o", "build/g", status=(2,), limit=full)
    assert sorted(p.name for p in (shell.folder / "build").iterdir()) == ["g"]
    shell.refused("build", "g", "-o", "build/new", status=(2,), limit=full)
    assert not (shell.folder / "build" / "new").exists()


@pytest.mark.parametrize("command", ["fmt", "lock", "check --unsafe-fixes", "lint --write-baseline=base.json"])
def test_a_full_disk_spoils_no_source(shell, command):
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    wrong = "value loose(): int = numbr()\n" if "check" in command else ""
    more = "".join(f'card c{i} "Card {i}" : unit{{power:{i % 9}}}\n' for i in range(20))
    shell.write("g/more.card", f"value number(): int = 1\n{wrong}{more}")
    before = shell.content(shell.folder / "g")
    name, *flags = command.split()
    done = shell.run(name, "g", *flags, limit=full)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert "file too large" in done.stderr and done.stderr.count("\n") == 1
    assert shell.content(shell.folder / "g") == before and not (shell.folder / "base.json").exists()


@pytest.mark.parametrize(
    "args",
    [
        ("check", "g"),
        ("play", "g", "--seed", "1"),
        ("sim", "g", "-n", "2"),
        ("ast", "g/cards.card"),
        ("--version",),
        ("--help",),
    ],
)
def test_an_output_that_is_full(shell, args):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cardc", *args],
            cwd=shell.folder,
            env=shell.env,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "cardc: cannot use the output: no space left on device\n")


@pytest.mark.parametrize("args", ["check nowhere", "frob", "check --frob", "sim g -n 2 --option no=1"])
@pytest.mark.parametrize("full", ["2>/dev/full", ">/dev/full 2>/dev/full"])
def test_nobody_can_be_told_what_is_wrong(shell, args, full):
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m cardc {args} {full}"], cwd=shell.folder, env=shell.env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("args", ["check g", "play g --seed 1", "sim g -n 2", "build g -o out", "explain E001"])
def test_streams_that_are_closed(shell, args, closed):
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m cardc {args} {closed}"], cwd=shell.folder, env=shell.env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (">&-" not in closed.split())
    if args.startswith("build"):
        assert json.loads((shell.folder / "out" / "manifest.json").read_text())["identity"]["id"]


@pytest.mark.parametrize(
    ("place", "say"),
    [
        ("g", "holds no built game"),
        ("notes.txt", "it is a file"),
        ("notes.txt/x", ""),
        ("x" * 300, "too long"),
        ("/", ""),
        ("", ""),
        ("busy", "not empty"),
    ],
)
def test_a_bad_output(shell, place, say):
    shell.write("notes.txt", "years of work")
    shell.write("busy/thesis.txt", "years of work")
    shell.write("g/more.card", 'card three "Three" : unit {}\n')
    before = shell.content(shell.folder / "g")
    if place == "":
        done = shell.run("build", "g", "-o", "")
        assert done.returncode in (0, 2)
        return
    assert say in shell.refused("build", "g", "-o", place, status=(2,))
    assert shell.content(shell.folder / "g") == before
    assert (shell.folder / "notes.txt").read_text() == (shell.folder / "busy" / "thesis.txt").read_text()


# ---- Several at once, and hard ends


def test_several_builds_into_one_folder(shell):
    more = ["".join(f'card c{i} "Card {i} of {n}" : unit {{}}\n' for i in range(n * 40)) for n in range(1, 3)]
    for n, text in enumerate(more):
        shutil.copytree(shell.folder / "g", shell.folder / f"g{n}")
        shell.write(f"g{n}/more.card", text)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "cardc", "build", f"g{n % 2}", "-o", "build/g"],
            cwd=shell.folder,
            env=shell.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(4)
    ]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
    game = rt.load(shell.folder / "build" / "g")
    assert len(game.cards) in (42, 82)
    assert sorted(p.name for p in (shell.folder / "build").iterdir()) == ["g"]


def test_a_build_that_another_one_comes_before(shell, monkeypatch):
    """What it would have kept of the earlier package is gone when it comes to write."""
    for i in range(12):
        shell.write(f"g/set{i:02}/cards.card", "".join(f'card s{i}_{n} "S {n}" : unit {{}}\n' for n in range(40)))
    shutil.copytree(shell.folder / "g", shell.folder / "other")
    for i in range(12):
        shell.write(f"other/set{i:02}/cards.card", f'card o{i} "O" : unit {{}}\n')
    out = shell.folder / "build" / "g"
    assert shell.run("build", "g", "-o", "build/g").returncode == 0
    shell.write("g/cards.card", 'card one "Uno" : unit {}\n')
    write, before = package.write_package, []

    def late(where, files, kept, held):
        if not before:
            before.append(len(kept or {}))
            pipeline.build(shell.folder / "other", out)
        return write(where, files, kept, held)

    monkeypatch.setattr(package, "write_package", late)
    _, where = pipeline.build(shell.folder / "g", out)
    assert before[0] > 0, "nothing was to be kept"
    cards = {card.id: card.title for card in rt.load(where).cards}
    assert len(cards) == 1 + 12 * 40 and cards["one"] == "Uno"


def test_builds_killed_at_random_moments(shell):
    """The package that was there before, or the new one, loads after every kill."""
    out = shell.folder / "build" / "g"
    rng = random.Random(5)
    usual = 0.6
    loaded = set()
    for i in range(200 if LONG else 10):
        shell.write("g/more.card", f'card three "Three {i}" : unit {{}}\n')
        process = subprocess.Popen(
            [sys.executable, "-m", "cardc", "build", "g", "-o", "build/g"],
            cwd=shell.folder,
            env=shell.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        started = time.monotonic()
        try:
            process.communicate(timeout=usual * (0.3 + rng.random()))
            usual = 0.5 * usual + 0.5 * (time.monotonic() - started)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            usual *= 1.02
        game = rt.load(out)
        loaded.add(next((c.title for c in game.cards if c.id == "three"), None))
        game.playout(seed=1)
    assert len(loaded) > 1 or not LONG
    shell.write("g/more.card", 'card three "The last" : unit {}\n')
    assert shell.run("build", "g", "-o", "build/g").returncode == 0
    assert {c.title for c in rt.load(out).cards} == {"One", "Two", "The last"}
    assert sorted(p.name for p in out.parent.iterdir()) == ["g"], "the next build cleans up"


@pytest.mark.parametrize("moment", [0.0, 0.05, 0.3, 0.8])
def test_interrupted(shell, moment):
    shell.write("g/more.card", "".join(f'card c{i} "Card {i}" : unit {{}}\n' for i in range(3_000)))
    begun = "import sys; from cardc.__main__ import main; print('begun', flush=True); sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", begun, "build", "g", "-o", "build/g"],
        cwd=shell.folder,
        env=shell.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    time.sleep(moment)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if process.returncode != 0:
        assert process.returncode in (130, -signal.SIGINT), (process.returncode, out, err)
        assert "Traceback" not in err
    assert len(rt.load(shell.folder / "build" / "g").cards) in (2, 3_002)  # the one before, or the new one
