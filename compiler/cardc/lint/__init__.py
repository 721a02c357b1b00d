"""The rules of `cardc lint`, one a module: `CODE` is its diagnostic, `find` looks for it.

A rule looks at a package without errors and says what may be meant and is probably not. It never runs in `check` or
`build`: whether a game is well made is its author's to judge, with the levels of `lint { … }`.
"""

from __future__ import annotations

from cardc.findings import Finding
from cardc.lint import (
    long_text,
    meeting_triggers,
    missing_art,
    missing_credit,
    naming,
    never_played,
    no_prompt,
    same_card,
    strictly_better,
    unfilled,
    unused_word,
)
from cardc.lint.package import Package

RULES = (
    naming, unused_word, unfilled, no_prompt, never_played, same_card, strictly_better, meeting_triggers, long_text,
    missing_art, missing_credit,
)  # fmt: skip


def find(package: Package) -> list[Finding]:
    """What the rules that are not off have found, in source order, at their own levels."""
    on = [rule for rule in RULES if package.settings.levels.get(rule.CODE) != "off"]
    return sorted((f for rule in on for f in rule.find(package)), key=Finding.key)
