"""Packages that are damaged, foreign or older: refused in one line that says the way out. CARDC_LONG: more damage."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import card_runtime as rt
import pytest
from cardc.package import FORMAT

LONG = bool(os.environ.get("CARDC_LONG"))


def damaged(package: Path, to: Path, change: Callable[[Path], object]) -> Path:
    shutil.copytree(package, to)
    change(to)
    return to


def sealed(folder: Path) -> None:
    """Make the manifest fit what was changed, as whoever edits a package would."""
    path = folder / "manifest.json"
    document = json.loads(path.read_text())
    document["files"] = {name: sha256((folder / name).read_bytes()).hexdigest() for name in document["files"]}
    path.write_text(json.dumps(document))


def edit(name: str, old: str, new: str, seal: bool = True) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))
        if seal:
            sealed(folder)

    return change


def code(package: Path) -> Path:
    """The first part that has code."""
    return next(path for path in sorted((package / "parts").glob("*.py")) if path.stat().st_size)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no manifest": lambda d: (d / "manifest.json").unlink(),
    "an empty manifest": lambda d: (d / "manifest.json").write_text(""),
    "half a manifest": lambda d: (d / "manifest.json").write_text((d / "manifest.json").read_text()[:200]),
    "a manifest of lists": lambda d: (d / "manifest.json").write_text("[]"),
    "a manifest of another program": lambda d: (d / "manifest.json").write_text('{"name": "web", "icons": []}'),
    "a manifest deep in lists": lambda d: (d / "manifest.json").write_text("[" * 100_000),
    "an older format": edit("manifest.json", f'"format": {FORMAT}', '"format": 0', seal=False),
    "a newer format": edit("manifest.json", f'"format": {FORMAT}', '"format": 99', seal=False),
    "a format that is a list": edit("manifest.json", f'"format": {FORMAT}', '"format": [1]', seal=False),
    "a manifest with odd paths": edit("manifest.json", '"data.json"', '"../data.json"', seal=False),
    "a manifest with a NUL in a path": edit("manifest.json", '"data.json"', '"data\\u0000.json"', seal=False),
    "a manifest with a folder for a file": edit("manifest.json", '"data.json"', '"parts"', seal=False),
    "no data": lambda d: (d / "data.json").unlink(),
    "data of another length": lambda d: (d / "data.json").write_bytes((d / "data.json").read_bytes()[:-9]),
    "a bit changed": lambda d: code(d).write_bytes(b"#" + code(d).read_bytes() + b" "),
    "a folder in the place of a file": lambda d: ((d / "data.json").unlink(), (d / "data.json").mkdir()),
    "data that is no JSON, sealed": lambda d: ((d / "data.json").write_text("{"), sealed(d)),
    "data that is a list, sealed": lambda d: ((d / "data.json").write_text("[]"), sealed(d)),
    "data that is empty, sealed": lambda d: ((d / "data.json").write_text("{}"), sealed(d)),
    "data without kinds, sealed": edit("data.json", '"kinds"', '"kings"'),
    "data with a number for a name, sealed": edit("data.json", '"name":"unit"', '"name":7'),
    "a part without cards, sealed": edit("parts/00000.json", '"cards"', '"carts"'),
    "a part with a card of no kind, sealed": edit("parts/00000.json", '"kind":"unit"', '"kind":"tinu"'),
    "a part that is a list, sealed": lambda d: ((d / "parts" / "00000.json").write_text("[]"), sealed(d)),
    "a part that is deep, sealed": lambda d: ((d / "parts" / "00000.json").write_text("[" * 100_000), sealed(d)),
    "code that is no Python, sealed": lambda d: (code(d).write_text("def ("), sealed(d)),
    "code that is not UTF-8, sealed": lambda d: (code(d).write_bytes(b"\xff"), sealed(d)),
    "code that is empty, sealed": lambda d: (code(d).write_text(""), sealed(d)),
    "code with NUL, sealed": lambda d: (code(d).write_bytes(b"\0"), sealed(d)),
    "a schema that is no JSON, sealed": lambda d: ((d / "schema.json").write_text("x"), sealed(d)),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_package(package, tmp_path, name):
    folder = damaged(package, tmp_path / "game", DAMAGE[name])
    with pytest.raises(rt.LoadError) as caught:
        rt.load(folder)
    assert str(folder) in str(caught.value) and "\n" not in str(caught.value)
    assert re.search(r"build|makes", str(caught.value)), "it says the way out"


@pytest.mark.parametrize(
    "name",
    [
        "half a manifest",
        "an older format",
        "no data",
        "code that is no Python, sealed",
        "data that is empty, sealed",
        "a manifest of another program",
    ],
)
def test_commands_with_a_damaged_package(shell, tmp_path, name):
    folder = damaged(shell.folder / "build" / "g", shell.folder / "damaged", DAMAGE[name])
    for args in (
        ("play", "damaged"),
        ("sim", "damaged", "-n", "2"),
        ("diff", "damaged", "build/g"),
        ("explain", "damaged", "one"),
        ("check", "g", "--base", "damaged"),
    ):
        if args[0] == "check":
            shell.write("x/x.card", 'expansion x "X" for g { version: "1" }\ncard three "Three" : unit {}\n')
            args = ("check", "x", "--base", "damaged")
        done = shell.run(*args)
        said = done.stdout + done.stderr
        assert done.returncode in (0, 1, 2) and "Traceback" not in said and "internal error" not in said, (args, said)
        if args[0] in ("play", "sim"):
            assert done.returncode == 2 and done.stderr.count("\n") == 1, (args, said)
    if "sealed" in name:
        return  # its manifest says that it is whole
    before = shell.content(folder)
    done = shell.run("build", "g", "-o", "damaged")  # it is a package, so it is made whole again
    if name == "a manifest of another program":
        assert done.returncode == 2 and shell.content(folder) == before
    else:
        assert done.returncode == 0, done.stderr
        rt.load(folder)


def test_a_package_damaged_anywhere(package, tmp_path):
    """Any byte changed, any file cut short: the package is refused, or it is whole to the last byte that counts."""
    rng = random.Random(3)
    names = sorted(
        p.relative_to(package).as_posix()
        for p in package.rglob("*")
        if p.is_file() and p.stat().st_size and "cache" not in p.parts
    )
    folder = tmp_path / "game"
    shutil.copytree(package, folder)
    for _ in range(2_000 if LONG else 150):
        name = rng.choice(names)
        whole = (folder / name).read_bytes()
        at = rng.randrange(len(whole))
        if rng.random() < 0.3:
            (folder / name).write_bytes(whole[:at])
        else:
            (folder / name).write_bytes(whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :])
        try:
            game = rt.load(folder)
        except rt.LoadError as error:
            assert "\n" not in str(error)
        else:  # in the manifest: a blank, or the identity
            assert name == "manifest.json"
            game.playout(seed=1)
        (folder / name).write_bytes(whole)
    rt.load(folder)


def test_a_damaged_cache_is_made_anew(package, tmp_path):
    folder = tmp_path / "game"
    shutil.copytree(package, folder)
    rt.load(folder).playout(seed=1)
    kept = sorted((folder / "cache").iterdir())
    assert kept
    rng = random.Random(4)
    for path in kept:
        whole = path.read_bytes()
        for _ in range(20):
            at = rng.randrange(len(whole))
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert rt.load(folder).playout(seed=1).reason == "Empty"
        path.write_bytes(b"")
        assert rt.load(folder).playout(seed=1).reason == "Empty"
        path.write_bytes(whole[:40])
        assert rt.load(folder).playout(seed=1).reason == "Empty"
        path.unlink()
        path.mkdir()
        assert rt.load(folder).playout(seed=1).reason == "Empty"


def test_an_older_package_is_built_anew(shell):
    out = shell.folder / "build" / "g"
    manifest = json.loads((out / "manifest.json").read_text())
    assert "nothing changed" in shell.run("build", "g").stdout
    for change in ({"cardc": "0.0.1"}, {"compiler": "other"}):
        manifest["identity"] |= change
        (out / "manifest.json").write_text(json.dumps(manifest))
        assert "built G 1" in shell.run("build", "g").stdout, change
        assert shell.content(out) == shell.whole
