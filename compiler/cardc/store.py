"""What a build keeps beside its package, in `cache/`, so that the next one does only what has changed.

What is of another compiler is as if it had never been there, as what is damaged: the build is then a first one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from card_runtime import stored


def read(path: Path, key: str) -> Any:
    """The plain data that was written under this key, or None."""
    found = stored.read(path)
    return found[1] if isinstance(found, tuple) and len(found) == 2 and found[0] == key else None


def write(path: Path, key: str, value: Any) -> None:
    """Write plain data, whole or not at all; where nothing can be written, nothing is kept."""
    stored.write(path, (key, value))
