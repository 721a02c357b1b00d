"""The numbered rules of a game, as `RULES.md` lists them, and which of them no test covers.

A rule is a list item that begins with its number in bold: `- **V-9** The face flips each round.` Rules that live on the
table or in the box, not in the software, say so with `*(table)*` or `*(box)*`, and why; no test needs to cover them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from cardc.package import UsageError, read_file

_RULE = re.compile(r"\s*[-*+] +\*\*([A-Z]+-[0-9]+[a-z]?)\*\*:?\s*(.*)")
_ALMOST = re.compile(r"\s*(?:[-*+]|[0-9]+[.)]|#+) +[\W_]*([A-Z]+-[0-9]+[a-z]?)(?![A-Za-z0-9])")
_OTHER_ITEM = re.compile(r"\s*(?:[-*+]|[0-9]+[.)]) |#|\||>|</?[a-z]")
_FENCE = re.compile(r"\s*(```|~~~)")
_EXEMPT = re.compile(r"\*\((?:table|box)\)\*")


def rules_of(path: Path) -> dict[str, str]:
    """Read the rules of a Markdown file: their numbers, in order, and their texts, marks among them.

    Raises UsageError where it cannot be read, holds no rule, numbers two rules alike, or writes one in another way."""
    try:
        text = read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: not UTF-8 text") from None
    rules: dict[str, str] = {}
    almost: dict[str, int] = {}
    current: str | None = None
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced, current = not fenced, None
        elif fenced or not line.strip():
            current = None
        elif rule := _RULE.match(line):
            current = rule[1]
            if current in rules:
                raise UsageError(f"{path}:{number}: a second rule {current}")
            rules[current] = rule[2].strip()
        elif _OTHER_ITEM.match(line):
            current = None
            if written := _ALMOST.match(line):
                almost.setdefault(written[1], number)
        elif current is not None:
            rules[current] = f"{rules[current]} {line.strip()}".strip()
    for name, number in almost.items():
        if name not in rules:  # a list may well begin with one that has its place
            raise UsageError(f"{path}:{number}: rule {name} is not read: write `- **{name}** what it says`")
    if not rules:
        raise UsageError(f"{path} holds no rule: a rule is a list item `- **V-1** what it says`")
    return rules


def is_exempt(text: str) -> bool:
    """Whether a rule lives on the table or in the box."""
    return _EXEMPT.search(text) is not None


def uncovered(rules: Mapping[str, str], covered: Iterable[str]) -> dict[str, str]:
    """The rules, with their texts, that no test covers and one should."""
    have = set(covered)
    return {rule: text for rule, text in rules.items() if rule not in have and not is_exempt(text)}


def unknown(rules: Mapping[str, str], covered: Iterable[str]) -> list[str]:
    """The numbers that tests cover and the list lacks, in natural order."""
    return sorted(set(covered) - set(rules), key=_natural)


def _natural(rule: str) -> tuple[str, int, str]:
    letters, _, number = rule.partition("-")
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return letters, len(digits), number
