"""Plain data and compiled code kept in a file beside a package, to be had again at less cost than it was made at.

A file is the SHA-256 of its payload, then the payload as `marshal` writes it: its digest is checked before that is
read, as damaged marshal data can crash the interpreter. It guards against damage, not malice. What is missing or
damaged is as if it had never been there.
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


def read(path: Path) -> Any:
    """What is kept there, or None."""
    try:
        data = path.read_bytes()
        if len(data) < _DIGEST or sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        return marshal.loads(memoryview(data)[_DIGEST:])
    except (OSError, ValueError, EOFError, TypeError):
        return None


def write(path: Path, value: Any) -> None:
    """Keep it, whole or not at all; where nothing can be written, nothing is kept."""
    payload = marshal.dumps(value)
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
