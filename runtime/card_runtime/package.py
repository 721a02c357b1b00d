"""Reads a built package: a folder with a manifest that has the digest of each file."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from card_runtime.errors import LoadError

FORMAT = 1


def read_package(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the files it names, checked. Raises LoadError."""
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
    except FileNotFoundError as e:
        there = "is no built game: it has no manifest.json" if folder.is_dir() else "does not exist"
        raise LoadError(f"{folder} {there}; `cardc build` makes one") from e
    except (OSError, ValueError) as e:
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
            raise LoadError(f"the manifest of {folder} names a file outside it: {name}")
        try:
            data = path.read_bytes()
        except OSError as e:
            raise LoadError(f"{path} is missing or cannot be read: build the game again") from e
        if sha256(data).hexdigest() != digest:
            raise LoadError(f"{path} is damaged, its digest does not fit the manifest: build the game again")
        files[str(name)] = data
    for needed in ("data.json", "schema.json", "lines.json"):
        if needed not in files:
            raise LoadError(f"{folder} has no {needed}: build the game again")
    build = sha256(json.dumps(manifest["files"], sort_keys=True).encode()).hexdigest()
    return {**manifest["identity"], "build": build}, files
