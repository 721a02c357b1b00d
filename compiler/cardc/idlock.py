"""The ids that a package has released, kept in `ids.lock` beside its sources: none is ever used for something else.

One id a line, sorted, so that two branches merge line by line. A card's line has its kind and its name, and says `gone`
where the card is no more; it may come back as the same card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cardc import nodes as n
from cardc.report import Report
from cardc.source import Source
from cardc.symbols import Unit

_HEAD = "# The ids that were released. None is ever used for something else; `cardc lock` writes this file.\n"
_LINE = re.compile(r'(card|kind) ([A-Za-z_][A-Za-z0-9_]*)(?:: ([A-Za-z_][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)")?( gone)?')


class Released(Struct, frozen=True):
    """A released id: `what` is `card` or `kind`; a card's kind and title as they were last."""

    what: str
    id: str
    kind: str | None
    title: str | None
    gone: bool = False
    line: int = 0

    def text(self) -> str:
        detail = "" if self.kind is None else f": {self.kind} {_quoted(self.title or '')}"
        return f"{self.what} {self.id}{detail}{' gone' if self.gone else ''}\n"

    def same(self, other: Released) -> bool:
        """Whether the other may be this one, which was gone, come back."""
        return self.what == other.what == "card" and (self.kind, self.title) == (other.kind, other.title)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


def read_lock(source: Source) -> tuple[dict[str, Released], list[int]]:
    """The released ids of a lock file, and the lines that are none. Of two lines for one id, the one that is not gone
    counts: one branch has dropped what another has kept."""
    found: dict[str, Released] = {}
    wrong: list[int] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        line = line.rstrip()
        if not line or line.startswith("#"):
            continue
        m = _LINE.fullmatch(line)
        if m is None or (m[1] == "card") != (m[3] is not None):
            wrong.append(number)
            continue
        entry = Released(m[1], m[2], m[3], None if m[4] is None else _plain(m[4]), m[5] is not None, number)
        other = found.get(entry.id)
        if other is None or (other.gone and not entry.gone):
            found[entry.id] = entry
        elif other.what != entry.what or other.kind != entry.kind:
            wrong.append(number)
    return found, wrong


def declared(units: Iterable[Unit]) -> dict[str, tuple[Released, Unit, n.Ident]]:
    """The ids of cards and kinds that a package itself declares."""
    out: dict[str, tuple[Released, Unit, n.Ident]] = {}
    for u in units:
        match u.decl:
            case n.CardDecl(name, title, kind) if u.own:
                out.setdefault(name.text, (Released("card", name.text, kind.text, title.value), u, name))
            case n.KindDecl(name) if u.own:
                out.setdefault(name.text, (Released("kind", name.text, None, None), u, name))
    return out


def check_lock(source: Source, units: Sequence[Unit], report: Report) -> None:
    """Findings for ids that are used again, and for lines that are none of a lock file."""
    released, wrong = read_lock(source)
    for number in wrong:
        at = _line(source, number)
        help = "write `card ID: KIND \"Name\"` or `kind ID`; where two branches were merged, keep the lines of both"
        report.add("E113", source, at, "this line tells of no released id, or not what another tells", help)
    here = declared(units)
    for u in units:
        name = getattr(u.decl, "name", None)
        other = isinstance(u.decl, n.OptionDecl | n.EnumDecl | n.ZoneDecl | n.BoardDecl | n.DecklistDecl)
        if other and u.own and isinstance(name, n.Ident) and name.text in released and name.text not in here:
            _reused(report, u.source, name, released[name.text], source, "something else")
    for id, (now, u, name) in here.items():
        then = released.get(id)
        if then is None:
            continue
        if then.what != now.what or then.kind != now.kind:
            _reused(report, u.source, name, then, source, f"a card of kind `{now.kind}`" if now.kind else "a kind")
        elif then.gone and not then.same(now):
            _reused(report, u.source, name, then, source, f"another {now.what}")


def _reused(report: Report, source: Source, name: n.Ident, then: Released, lock: Source, now: str) -> None:
    was = f"a {then.what}" if then.title is None else f"the `{then.kind}` {_quoted(then.title)}"
    gone = ", which is gone," if then.gone else ""
    report.add(
        "E112", source, name, f"`{name.text}` was released as {was}{gone} and is now {now}",
        "give this one an id of its own: decks and saved matches know the old one by it",
        [(lock, _line(lock, then.line), "released here")],
    )  # fmt: skip


def _line(source: Source, number: int) -> n.Ident:
    """A line of a lock file as a place of a finding."""
    start = sum(len(line) + 1 for line in source.text.split("\n")[: number - 1])
    text = source.line_text(number)
    return n.Ident(text, span=(start, start + len(text)))


def locked(released: dict[str, Released], units: Iterable[Unit]) -> str:
    """The text of the lock file after a release of what the package declares now."""
    here = {id: entry for id, (entry, _, _) in declared(units).items()}
    entries = {id: here.get(id) or replace(then, gone=True) for id, then in released.items()} | here
    return _HEAD + "".join(e.text() for e in sorted(entries.values(), key=lambda e: (e.what, e.id)))
