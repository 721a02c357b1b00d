"""What numbers and strings mean, and what is refused in them; the same for text and for `.card.json`."""

from __future__ import annotations

import re

MAX_DIGITS = 15
GREATEST = 10**MAX_DIGITS - 1
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
"""Control characters other than the blanks of the language (tab, line feed, form feed, carriage return)."""

_ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_REFUSED = re.compile(rf"{CONTROL.pattern}|\r|\\[^\"\\n]", re.DOTALL)


class Refusal(Exception):
    """A builder's or reader's finding on its way out: code, place, message and help. Never leaves its pass."""

    def __init__(self, code: str, start: int, end: int, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.start = start
        self.end = end
        self.message = message
        self.help = help


def character_name(character: str) -> str:
    """A character as shown in a message: itself in backquotes, or `U+XXXX` when it cannot be seen."""
    if character.isprintable() and not character.isspace() and character != "`":
        return f"`{character}`"
    return f"U+{ord(character):04X}"


def integer(text: str, start: int) -> int:
    """The value of a number's text. Raises a Refusal beyond 15 digits."""
    if len(text) > MAX_DIGITS:
        message = f"the number has {len(text)} digits; {MAX_DIGITS} are the most"
        raise Refusal("E006", start, start + len(text), message)
    return int(text)


def string(text: str, start: int) -> str:
    """The value of a string's text with its quotes. Raises a Refusal on an unknown escape or a control character."""
    if "\\" not in text and text.isprintable():
        return text[1:-1]
    refused = _REFUSED.search(_ESCAPE.sub(_blank_escape, text))
    if refused is not None:
        place = start + refused.start()
        found = refused[0]
        if found[0] == "\\":
            shown = f"`{found}`" if found.isprintable() else f"`\\` before {character_name(found[1])}"
            advice = 'the escapes are `\\"`, `\\\\` and `\\n`'
            raise Refusal("E001", place, place + 2, f"{shown} is not an escape of the language", advice)
        message = f"the character {character_name(found)} is not allowed in a string"
        raise Refusal("E001", place, place + 1, message)
    return _ESCAPE.sub(lambda m: _ESCAPES[m[1]], text[1:-1])


def _blank_escape(match: re.Match[str]) -> str:
    return "  " if match[1] in _ESCAPES else match[0]
