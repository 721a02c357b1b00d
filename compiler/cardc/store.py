"""What a build keeps beside its package, in `cache/`, so that the next one does only what has changed.

A file of it is the SHA-256 of its payload, then the payload as `marshal` writes it: plain data, and whole or not at
all. What is missing, damaged or of another compiler is as if it had never been there: the build is then a first one.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

_DIGEST = 32


def read(path: Path, key: str) -> Any:
    """The plain data that was written under this key, or None."""
    try:
        data = path.read_bytes()
        if len(data) < _DIGEST or sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        found = marshal.loads(memoryview(data)[_DIGEST:])
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return found[1] if isinstance(found, tuple) and len(found) == 2 and found[0] == key else None


def write(path: Path, key: str, value: Any) -> None:
    """Write plain data, whole or not at all; where nothing can be written, nothing is kept."""
    payload = marshal.dumps((key, value))
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as f:
                f.write(sha256(payload).digest())
                f.write(payload)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
