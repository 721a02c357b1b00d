"""Reads a built package: a folder with a manifest that has the digest of each file.

What a package declares is cut into parts, each a run of its `.card` files: a change leaves the other parts as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from card_runtime.errors import LoadError

FORMAT = 4
SPREAD = ("cards", "forms", "sites", "lines", "slots")
"""What of the data stands in the parts, not in `data.json`."""

Module = tuple[str, str, Sequence[int]]
"""The text of a module, the `.card` file it came from, and for each of its lines the line there."""


def read_package(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the files it names, checked. Raises LoadError."""
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
    except FileNotFoundError as e:
        there = "is no built game: it has no manifest.json" if folder.is_dir() else "does not exist"
        raise LoadError(f"{folder} {there}; `cardc build` makes one") from e
    except (OSError, ValueError, RecursionError) as e:
        raise LoadError(f"the manifest of {folder} cannot be read ({e}): build the game again") from e
    if (
        not isinstance(manifest, dict)
        or not isinstance(manifest.get("files"), dict)
        or not isinstance(manifest.get("identity"), dict)
    ):
        raise LoadError(f"the manifest of {folder} is damaged: build the game again")
    if manifest.get("format") != FORMAT:
        raise LoadError(
            f"{folder} has format {manifest.get('format')}, this runtime reads {FORMAT}: build the game again"
        )
    files: dict[str, bytes] = {}
    for name, digest in manifest["files"].items():
        path = folder / str(name)
        if ".." in Path(str(name)).parts or Path(str(name)).is_absolute():
            raise LoadError(f"the manifest of {folder} names a file outside it, {name}: build the game again")
        try:
            data = path.read_bytes()
        except (OSError, ValueError) as e:
            raise LoadError(f"{str(path)!a} is missing or cannot be read: build the game again") from e
        if sha256(data).hexdigest() != digest:
            raise LoadError(f"{path} is damaged, its digest does not fit the manifest: build the game again")
        files[str(name)] = data
    for needed in ("data.json", "schema.json"):
        if needed not in files:
            raise LoadError(f"{folder} has no {needed}: build the game again")
    build = sha256(json.dumps(manifest["files"], sort_keys=True).encode()).hexdigest()
    return {**manifest["identity"], "build": build}, files


def contents(files: Mapping[str, bytes], root: str = "") -> tuple[dict[str, Any], list[list[Module]]]:
    """The data of a package, put together from its parts, and the code of each part that has some; `root` goes before
    the paths of its sources."""
    data: dict[str, Any] = json.loads(files["data.json"])
    spread: dict[str, list[Any]] = {name: [] for name in SPREAD}
    parts: list[list[Module]] = []
    for name in _parts(files):
        part = json.loads(files[name])
        for of, found in spread.items():
            found += part[of]
        code = files[name.removesuffix("json") + "py"].decode("utf-8").split("\n")
        at = 0
        modules: list[Module] = []
        for path, _, table in part["files"]:
            if table:
                modules.append(("\n".join(code[at : at + len(table)]) + "\n", root + path, table))
                at += len(table)
        if at > len(code):
            raise ValueError(f"{name} tells of more code than there is")
        if modules:
            parts.append(modules)
    spread["cards"] += spread.pop("forms")
    whole = {**data, **spread}
    if root:
        for declared in ("values", "effects", "cards", "lines"):
            for one in whole[declared]:
                one["file"] = root + one["file"]
    return whole, parts


def sources(files: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    """The `.card` files that a package was built from, by path."""
    found = [file for name in _parts(files) for file in json.loads(files[name])["files"]]
    return [(path, text.encode("utf-8")) for path, text, _ in found]


def _parts(files: Mapping[str, bytes]) -> list[str]:
    return sorted(name for name in files if name.startswith("parts/") and name.endswith(".json"))


def declare(declared: dict[tuple[str, str], str], data: dict[str, Any], package: str) -> None:
    """Note what a package declares. Raises LoadError where another one has declared it."""
    if ("package", package) in declared:
        raise LoadError(f"expansion {package} is given twice")
    declared["package", package] = package
    names = [("card", c["id"]) for c in data["cards"]]
    for what, of in (("value", "values"), ("effect", "effects"), ("decklist", "decklists")):
        names += [(what, x["name"]) for x in data[of]]
    enums = [(e["enum"], e["members"]) for e in data.get("members", ())]
    enums += [(e["name"], e["members"]) for e in data.get("enums", ())]
    names += [(f"member of {enum}", name) for enum, members in enums for name in members]
    for what, name in names:
        first = declared.setdefault((what, name), package)
        if first != package:
            raise LoadError(f"{what} {name} is declared by {first} and by {package}: rename one")
