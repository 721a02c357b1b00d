"""`// lint off RULE: reason`: an author's word that what a rule finds on a line is meant.

At the end of a line it speaks of that line, on a line of its own of the next one that says something. It names rules of
`cardc.lint_settings`, never an error of the language; one that names none, gives no reason, or hides nothing is itself
a finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from card_grammar.diagnostics import DIAGNOSTICS, RULES
from msgspec import Struct

from cardc.findings import Edit, Finding, Fix
from cardc.report import near, removed
from cardc.source import Source

_OWN = ("W605", "W606")
"""What is said of suppressions is not suppressed."""
_MAYBE = re.compile(r"//[ \t]*lint[ \t]+off\b")
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|//[^\n]*')
_OFF = re.compile(r"//[ \t]*lint[ \t]+off\b(?P<rules>[^:\n]*)(?P<reason>:[^\n]*)?")
_RULE = re.compile(r"[^\s,]+")
_SAYS = re.compile(r"^[ \t\f\r]*(?!//)[^ \t\f\r\n]", re.MULTILINE)


class Suppression(Struct, frozen=True):
    """One rule that is hidden on one line. `start` to `end` is the rule's name, `comment` the whole comment."""

    source: Source
    start: int
    end: int
    comment: tuple[int, int]
    code: str
    line: int
    named: int
    """How many rules the comment names."""


def read_suppressions(sources: Iterable[Source]) -> tuple[list[Suppression], list[Finding]]:
    """The suppressions in these files that hold, and what is wrong with the others."""
    held: list[Suppression] = []
    findings: list[Finding] = []
    for source in sources:
        if source.path.endswith(".json") or _MAYBE.search(source.text) is None:
            continue
        for token in _TOKEN.finditer(source.text):
            comment = _OFF.match(source.text, token.start())
            if comment is not None:
                for item in _read(source, comment):
                    (held if isinstance(item, Suppression) else findings).append(item)  # type: ignore[arg-type]
    return held, findings


def _read(source: Source, comment: re.Match[str]) -> Iterator[Suppression | Finding]:
    start, end = comment.start(), comment.start() + len(comment[0].rstrip())
    rules = list(_RULE.finditer(source.text, comment.start("rules"), comment.end("rules")))
    if not rules:
        help = "write `// lint off naming: why it is meant`"
        yield Finding("W605", source, start, end, "this `lint off` names no rule", help)
        return
    if not (comment["reason"] or "").removeprefix(":").strip():
        said = ", ".join(rule[0] for rule in rules)
        help = f"say why it is meant: `// lint off {said}: …`"
        yield Finding("W605", source, start, end, "this `lint off` gives no reason", help)
        return
    line = _line(source, start)
    for rule in rules:
        code = RULES.get(rule[0])
        if code is None or code in _OWN:
            yield Finding("W605", source, rule.start(), rule.end(), *_unknown(rule[0]))
        else:
            yield Suppression(source, rule.start(), rule.end(), (start, end), code, line, len(rules))


def _unknown(name: str) -> tuple[str, str | None]:
    """The fact and the help for a name that is no rule."""
    known = [rule for rule, code in RULES.items() if code not in _OWN]
    if name in DIAGNOSTICS or name.replace("_", "-") in {d.name for d in DIAGNOSTICS.values()}:
        by_code = next((rule for rule in known if RULES[rule] == name), None)
        help = "only rules of lint are hidden: `cardc explain` lists them"
        help = f"write its name: `{by_code}`" if by_code else help
        return f"`{name}` is not the name of a rule that can be hidden", help
    return f"no rule of lint is called `{name}`", near(name, known) or "`cardc explain` lists the rules"


def _line(source: Source, start: int) -> int:
    """The line of which a comment at `start` speaks."""
    line = source.line(start)
    if source.line_text(line)[: source.column(start) - 1].strip():
        return line
    following = _SAYS.search(source.text, start)
    return line if following is None else source.line(following.end() - 1)


def hidden(
    findings: Sequence[Finding], suppressions: Sequence[Suppression], ran: Callable[[str], bool]
) -> list[Finding]:
    """The findings that no suppression hides, and each suppression that hides nothing, of the rules that ran."""
    by_line: dict[tuple[int, str, int], list[Suppression]] = {}
    for s in suppressions:
        by_line.setdefault((id(s.source), s.code, s.line), []).append(s)
    used: set[int] = set()
    kept: list[Finding] = []
    for f in findings:
        found = by_line.get((id(f.source), f.code, f.source.line(f.start))) if suppressions else None
        if found is None:
            kept.append(f)
        else:
            used.update(id(s) for s in found[:1])
    idle = [s for s in suppressions if ran(s.code) and id(s) not in used]
    return [*kept, *(_idle(s) for s in idle)]


def _idle(s: Suppression) -> Finding:
    name = s.source.text[s.start : s.end]
    message = f"rule `{name}` finds nothing here, so nothing is hidden"
    help = "remove this `lint off`, or the rule from it"
    return Finding("W606", s.source, s.start, s.end, message, help, fix=_without(s))


def _without(s: Suppression) -> Fix:
    """The comment without this rule; without itself where it names no other."""
    text, (start, end) = s.source.text, s.comment
    names = list(_RULE.finditer(text, start, text.index(":", s.end)))[-s.named :]
    i = next(i for i, name in enumerate(names) if name.start() == s.start)
    if len(names) == 1:
        return Fix("remove the comment", (removed(s.source, start, end),), safe=True)
    at, to = (s.start, names[i + 1].start()) if i == 0 else (names[i - 1].end(), s.end)
    return Fix("remove the rule from it", (Edit(s.source, at, to, ""),), safe=True)
