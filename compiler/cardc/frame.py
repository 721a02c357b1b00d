"""Checks the shape of a package: head, settings, parts that are there once, what an expansion declares, empty texts.

Establishes: one `game` with a flow, or one `expansion` that leaves the frame alone; every text says something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from cardc import nodes as n
from cardc.nesting import walk
from cardc.report import Report, listed, near
from cardc.source import Source
from cardc.symbols import SEATS, Unit
from cardc.typenames import find_twice

_EXPANDABLE = (n.CardDecl, n.ValueDecl, n.EffectDecl, n.DecklistDecl, n.TestDecl, n.ExpansionDecl, n.LintDecl)
_ONCE = (
    (n.PlayerDecl, "player"), (n.SetupDecl, "setup"), (n.FlowDecl, "flow"), (n.DeckDecl, "deck"), (n.LintDecl, "lint"),
)  # fmt: skip
MOST_DECISIONS = 10**9
_BLANK = re.compile(r'"(?:\s|\\n)*"')


def check_frame(units: Sequence[Unit], report: Report) -> None:
    own = [u for u in units if u.own]
    heads = [u for u in own if isinstance(u.decl, n.GameDecl | n.ExpansionDecl)]
    expansion = bool(heads) and isinstance(heads[0].decl, n.ExpansionDecl)
    for u in heads[1:]:
        report.add(
            "E108", u.source, u.decl, "a package has one `game` or `expansion`", "move one to a folder of its own",
            [(heads[0].source, heads[0].decl, "the first one")],
        )  # fmt: skip
    for u in own:
        if expansion:
            _expands(u, report)
        elif isinstance(u.decl, n.EnumDecl) and u.decl.extends:
            report.add(
                "E204",
                u.source,
                u.decl,
                "`extend enum` has no place in a game",
                "write the member into the enum itself",
            )
        if isinstance(u.decl, n.GameDecl | n.ExpansionDecl):
            _settings(u.decl, u.source, report)
        check_texts(u, report)
    for kind, word in _ONCE:
        found = [u for u in units if isinstance(u.decl, kind) and (u.own or not expansion)]
        for u in found[1:]:
            report.add(
                "E102", u.source, u.decl, f"`{word}` is declared twice", "a package has one",
                [(found[0].source, found[0].decl, "first declared here")],
            )  # fmt: skip
        if kind is n.FlowDecl and not found and heads and not expansion and not near("flow", report.broken):
            report.add(
                "E108",
                heads[0].source,
                heads[0].decl,
                "the game has no `flow`",
                "declare how a match runs: `flow { … }`",
            )


def _expands(u: Unit, report: Report) -> None:
    if isinstance(u.decl, n.ValueDecl) and u.decl.bot:
        report.add(
            "E110", u.source, u.decl.name, "an expansion cannot change what bots play for",
            "leave `bot` out: the game's own `bot value` holds for the expansion too",
        )  # fmt: skip
    if isinstance(u.decl, _EXPANDABLE) or (isinstance(u.decl, n.EnumDecl) and u.decl.extends):
        return
    if isinstance(u.decl, n.GameDecl):
        return  # a second head has its finding
    report.add(
        "E110", u.source, u.decl, "an expansion cannot change the frame of its game",
        "an expansion adds cards, values, effects, decklists, tests and members of open enums",
    )  # fmt: skip


# ---- Settings


def _settings(decl: n.GameDecl | n.ExpansionDecl, source: Source, report: Report) -> None:
    """Each setting is known, is there once, and has a value that means something."""
    game = isinstance(decl, n.GameDecl)
    checks: dict[str, Callable[[n.Setting], tuple[str, str, str | None] | None]] = {"version": _version}
    if game:
        checks |= {"players": _players, "limit": _limit}
    find_twice(report, source, [x.name for x in decl.settings], "setting", "E302")
    for setting in decl.settings:
        name = setting.name.text
        if name not in checks:
            word = "a game" if game else "an expansion"
            help = near(name, checks) or f"the settings are {listed(checks)}"
            report.add("E105", source, setting.name, f"{word} has no setting `{name}`", help)
        elif (wrong := checks[name](setting)) is not None:
            report.add(wrong[0], source, setting.value, wrong[1], wrong[2])
    given = {x.name.text for x in decl.settings}
    examples = {"version": '"1.0.0"', "players": str(SEATS)}
    odd = given - checks.keys()  # what is misspelt has its finding
    missing = [name for name in examples if name in checks and name not in given and not near(name, odd)]
    if missing:
        wanted = " and no ".join(f"`{name}`" for name in missing)
        help = "add `" + "  ".join(f"{name}: {examples[name]}" for name in missing) + "`"
        report.add("E301", source, decl.name, f"`{decl.name.text}` has no setting {wanted}", help)


def _version(setting: n.Setting) -> tuple[str, str, str | None] | None:
    if isinstance(setting.value, n.Text):
        return None
    return "E201", "this is a number, but a version is a text", 'write `version: "1.0.0"`'


def _players(setting: n.Setting) -> tuple[str, str, str | None] | None:
    if isinstance(setting.value, n.Number) and setting.value.value == SEATS:
        return None
    return "E303", f"a game is for {SEATS} players", f"write `players: {SEATS}`"


def _limit(setting: n.Setting) -> tuple[str, str, str | None] | None:
    if isinstance(setting.value, n.Number) and 1 <= setting.value.value <= MOST_DECISIONS:
        return None
    return "E303", f"the limit is a number of decisions, from 1 to {MOST_DECISIONS}", "write `limit: 1000`"


# ---- Texts


def check_texts(u: Unit, report: Report) -> None:
    """Labels, titles, reasons, messages and helps are not empty."""
    if not u.source.path.endswith(".json") and _BLANK.search(u.source.text, *u.decl.span) is None:
        return  # most declarations have no text that may be empty, and need no walk
    fields = {id(node.default) for node in walk(u.decl) if isinstance(node, n.Field)}  # no text, and told as such
    for node in walk(u.decl):
        if isinstance(node, n.Text) and not node.value.strip() and id(node) not in fields:
            report.add(
                "E301", u.source, node, "this text is empty", "say something, or leave it out where it may be left out"
            )
