"""From the bytes of a file to its text, or to a finding that says why there is none."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardc.findings import Finding
from cardc.source import Source

_OTHERS = ((BOM_UTF32_LE, "UTF-32"), (BOM_UTF32_BE, "UTF-32"), (BOM_UTF16_LE, "UTF-16"), (BOM_UTF16_BE, "UTF-16"))
_ADVICE = "save the file as UTF-8"


def decode(path_shown: str, data: bytes, base: bool = False) -> tuple[Source | None, list[Finding]]:
    """Decode a file: UTF-8, with a BOM (which is dropped) or without. Anything else is one E004."""
    for bom, name in _OTHERS:
        if data.startswith(bom):
            return None, [_refused(path_shown, data, 0, f"the file is {name}, not UTF-8")]
    body = data.removeprefix(BOM_UTF8)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        place = error.start + len(data) - len(body)
        message = f"byte {place} (0x{body[error.start]:02X}), in line {line}, is not UTF-8"
        return None, [_refused(path_shown, body, error.start, message)]
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        message = f"line {line} holds a NUL character, so the file is not text"
        return None, [_refused(path_shown, body, len(text[:nul].encode("utf-8")), message)]
    return Source(path_shown, text, base), []


def _refused(path: str, body: bytes, offset: int, message: str) -> Finding:
    """The finding at a byte of a file, with what can be shown of the file as its source."""
    start = len(body[:offset].decode("utf-8", "replace"))
    text = body.decode("utf-8", "replace").replace("\0", "\ufffd")
    return Finding("E004", Source(path, text), start, min(start + 1, len(text)), message, _ADVICE)


class Sources:
    """The sources of a package, and of the game it builds on, by path; each is made once, when it is asked for."""

    def __init__(
        self,
        content: Callable[[str], bytes],
        base: tuple[Sequence[tuple[str, bytes]], Mapping[str, Any]] | None,
        made: dict[str, Source],
    ) -> None:
        self.content = content
        self.base = base
        self.made = made

    def __call__(self, path: str) -> Source:
        if path not in self.made:
            self.made[path] = self._read(path)
        return self.made[path]

    def _read(self, path: str) -> Source:
        data, base = self.content(path), False
        if self.base is not None:
            files, identity = self.base
            data, base = next(((own, True) for p, own in files if f"{identity['id']}/{p}" == path), (data, False))
        source, findings = decode(path, data, base)
        return findings[0].source if source is None else source
