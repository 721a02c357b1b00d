"""What happened in a match, drawn for a terminal: from records of `Match.log` to lines of text.

Pure, as `cardc.cli.table`. Cards that go the same way one after the other are told in one line, turns and other periods
stand as headings, and who looks is called "you".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from cardc.cli.table import Line
from cardc.display import clip, safe, wrap

Record: TypeAlias = Mapping[str, Any]

_VERBS = {"chooses": "choose", "declines": "decline", "forfeits": "forfeit", "wins": "win", "has": "have", "is": "are"}


def changes(
    records: Iterable[Record], columns: int = 80, most: int = 14, seat: int | None = None, within: bool = False
) -> list[Line]:
    """The last records of a log as `seat` reads them, in lines; how much there was before is said.

    `most` bounds the entries, each of a line or more. `within`: they go on with a period that was told before."""
    entries = list(_entries(records))
    lines: list[Line] = []
    if len(entries) > most:
        lines.append(("dim", f"  ({len(entries) - most} more before: log)"))
    inner = "  " if within else ""
    for heading, text in entries[-most:]:
        text = safe(as_seen(text, seat))
        inner = "" if heading else inner
        first, *rest = wrap(text, columns - 2 - len(inner), columns - 4 - len(inner))
        lines.append(("dim" if heading else "plain", clip(f"  {inner}{first}", columns)))
        lines += [("plain", clip(f"    {inner}{more}", columns)) for more in rest]
        inner = "  " if heading else inner
    return lines


def as_seen(text: str, seat: int | None) -> str:
    """The text of a record as `seat` reads it: "Your hand", not "Player 0's hand"; others keep their names."""
    if seat is None:
        return text

    def replaced(found: re.Match[str]) -> str:
        capital, owns, verb = found["capital"], found["owns"], found["verb"]
        you = "You" if capital == "P" else "you"
        if owns:
            return f"{you}r"
        return f"{you} {_VERBS[verb]}" if verb else you

    verbs = "|".join(_VERBS)
    return re.sub(rf"\b(?P<capital>[Pp])layer {seat}\b(?:(?P<owns>'s)| (?P<verb>{verbs})\b)?", replaced, text)


def heads(record: Record) -> bool:
    """Whether a record is a heading of those after it."""
    return record.get("kind") in ("turn", "period") and bool(record.get("text"))


def _entries(records: Iterable[Record]) -> Iterable[tuple[bool, str]]:
    """What is told, entry by entry, and whether it is a heading."""
    group: list[Record] = []
    for record in records:
        if not record.get("text"):
            continue
        if group and not _joins(group, record):
            yield _told(group)
            group = []
        group.append(record)
    if group:
        yield _told(group)


def _joins(group: list[Record], record: Record) -> bool:
    """Whether a record is told together with those before it."""
    last = group[-1]
    if last.get("kind") == "turn":
        return record.get("kind") == "period"
    if last.get("kind") == "period":
        return False
    return bool(_way(record) == _way(last) if _way(record) else record["text"] == last["text"])


def _way(record: Record) -> tuple[Any, Any] | None:
    """Where a card went."""
    return (record["kind"], record["route"]) if record.get("kind") in ("move", "make") and "route" in record else None


def _told(group: list[Record]) -> tuple[bool, str]:
    first = group[0]
    text = str(first["text"])
    if first.get("kind") == "turn":
        player = f"player {first['player']}"
        return True, f"{group[1]['text']}: {player}" if len(group) > 1 else text
    if first.get("kind") == "period":
        return True, text
    if len(group) == 1:
        return False, text
    if _way(first) is None:
        return False, f"{text} ({len(group)} times)"
    names = [str(r["name"]) for r in group if "name" in r]
    unknown = len(group) - len(names)
    if unknown:
        names.append(f"{unknown} {'hidden ' if 'tag' in next(r for r in group if 'name' not in r) else ''}cards")
    if unknown == 1:
        names[-1] = names[-1].removesuffix("s")
    said = ", ".join(names)
    return False, f"{said[:1].upper()}{said[1:]}: {first['route']}"
