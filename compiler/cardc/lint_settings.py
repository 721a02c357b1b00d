"""What a package says in its `lint { … }`: how rules are told, and what some of them look for.

Assumes parsed declarations and collected symbols. Establishes: each setting names a rule and a level, or something that
a rule looks for, and is there once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from card_grammar.diagnostics import DIAGNOSTICS, RULES, Level
from msgspec import Struct, field
from msgspec.structs import replace

from cardc import nodes as n
from cardc.findings import Finding
from cardc.report import Report, listed, near, there_are
from cardc.source import Source
from cardc.symbols import Symbols, Unit
from cardc.typenames import find_twice

LEVELS: tuple[Level, ...] = get_args(Level)
TITLE_LENGTH, TEXT_LENGTH = 40, 120


class Settings(Struct, frozen=True):
    """`levels` by code; `art` is a path with a `*` for the id of the card; `credit` is a printed field."""

    levels: Mapping[str, Level] = field(default_factory=dict)
    title_length: int = TITLE_LENGTH
    text_length: int = TEXT_LENGTH
    art: str | None = None
    credit: str | None = None

    def told(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings as the package wants them: without those that are off, the others at their levels."""
        out = []
        for f in findings:
            level = self.levels.get(f.code)
            if level is None:
                out.append(f)
            elif level != "off":
                out.append(replace(f, level=level))
        return out


def read_settings(units: Sequence[Unit], s: Symbols, report: Report) -> Settings:
    """What the package itself says; the settings of a game do not hold for its expansions."""
    levels: dict[str, Level] = {}
    found: dict[str, int | str] = {}
    for u in units:
        if u.own and isinstance(u.decl, n.LintDecl):
            find_twice(report, u.source, [x.name for x in u.decl.settings], "setting", "E302")
            for setting in u.decl.settings:
                code = RULES.get(setting.name.text)
                if code is not None:
                    level = _level(setting, u.source, report)
                    if level is not None:
                        levels.setdefault(code, level)
                elif (value := _value(setting, s, u.source, report)) is not None:
                    found.setdefault(setting.name.text, value)
    return Settings(levels, **found)  # type: ignore[arg-type]


def _level(setting: n.LintSetting, source: Source, report: Report) -> Level | None:
    value = setting.value
    if isinstance(value, n.Ident) and value.text in LEVELS:
        return value.text
    help = near(value.text, LEVELS) if isinstance(value, n.Ident) else None
    help = help or f"the levels are {listed(LEVELS)}"
    report.add("E201", source, value, f"this is no level for `{setting.name.text}`", help)
    return None


def _value(setting: n.LintSetting, s: Symbols, source: Source, report: Report) -> int | str | None:
    """The value of a setting that is no rule; None after a finding."""
    match setting.name.text, setting.value:
        case ("title_length" | "text_length"), n.Number(number) if number > 0:
            return number
        case ("title_length" | "text_length"), value:
            report.add("E201", source, value, "a length is a number of signs, from 1", "write it: `title_length: 30`")
        case "art", n.Text(path) if "*" in path and not path.startswith("/") and ".." not in path and "\\" not in path:
            return path
        case "art", value:
            help = 'write `art: "art/*.png"`: the `*` stands for the id of the card'
            report.add("E201", source, value, "this names no picture of each card in the package's folder", help)
        case "credit", n.Ident(name):
            fields = [f for k in s.kinds.values() for f in k.fields]
            if name in fields:
                return name
            message = f"no kind has a printed field `{name}`"
            report.unknown("E101", source, setting.value, name, message, near(name, fields) or there_are(fields))
        case "credit", value:
            report.add("E201", source, value, "the credit is a printed field", "write its name: `credit: illustrator`")
        case name, _:
            known = [*RULES, "title_length", "text_length", "art", "credit"]
            help = near(name, known) or "`cardc explain` lists the rules of lint"
            if name.replace("_", "-") in {d.name for d in DIAGNOSTICS.values()}:
                help = "it is no rule of lint: what is wrong in the language stays wrong"
            report.add("E105", source, setting.name, f"`lint` has no rule or setting `{name}`", help)
    return None
