"""Which runtime this is, for what is kept of its work; a module of its own, as builds import no games."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path


@cache
def runtime_digest() -> str:
    """The SHA-256 of this runtime: it links code, puts its own into it, and plays. What came of another one is linked,
    built or played anew."""
    digest = sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
