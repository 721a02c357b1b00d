"""Checks the deck declaration and ready-made decks.

Establishes: requirements are conditions over `deck`, the list of its cards; a decklist names known cards. Whether a decklist keeps the
requirements is found by running them (`cardc.pipeline`), as a deck of a player is.
"""

from __future__ import annotations

from cardc import nodes as n
from cardc.expressions import Expressions, Uses
from cardc.ir import Function, Var
from cardc.report import Report, near
from cardc.scope import Scope
from cardc.source import Source
from cardc.symbols import Symbols
from cardc.types import CardT, ErrorT, ListT


def check_deck(decl: n.DeckDecl, s: Symbols, report: Report, ex: Expressions) -> list[tuple[str, Function]]:
    source = ex.source
    kinds: list[str] = []
    for entry in decl.into:
        if entry.kind.text not in s.kinds:
            report.add("E101", source, entry.kind, f"no kind is called `{entry.kind.text}`", near(entry.kind.text, s.kinds))
            continue
        zone = s.zones.get(entry.zone.text)
        if zone is None:
            report.add("E101", source, entry.zone, f"no zone is called `{entry.zone.text}`", near(entry.zone.text, s.zones))
        elif not zone.place.each:
            report.add("E201", source, entry.zone, f"zone `{zone.name}` is shared, so a deck cannot start there", "a deck starts in a zone of each player")
        elif zone.place.kind in s.kinds and not s.is_kind(entry.kind.text, zone.place.kind):
            report.add("E201", source, entry.zone, f"zone `{zone.name}` holds `{zone.place.kind}`, not `{entry.kind.text}`")
        kinds.append(entry.kind.text)
    if not decl.into:
        report.add("E301", source, decl, "the deck does not say which kind starts in which zone", "write `KIND into ZONE`")
        return []
    root: str | None = kinds[0] if kinds else None
    for k in kinds[1:]:
        root = s.join_kinds(root, k) if root else None
    if root is None:
        if kinds:
            report.add("E201", source, decl, "the kinds of a deck have no kind in common", "let them extend one kind")
        return []
    var = Var("deck", ListT(CardT(root)))
    sc = Scope({"deck": var}, {})
    out = []
    for i, rule in enumerate(decl.rules):
        x, _, _ = ex.cond(rule.cond, sc)
        if not isinstance(x.t, ErrorT):
            out.append((rule.message.value, Function(f"deck_{i}", (var,), x, source.path, source.line(rule.span[0]))))
    return out


def check_decklist(decl: n.DecklistDecl, s: Symbols, uses: Uses, report: Report, source: Source) -> None:
    seen: dict[str, n.Ident] = {}
    for entry in decl.entries:
        if entry.card.text not in s.cards:
            report.add("E101", source, entry.card, f"no card is called `{entry.card.text}`", near(entry.card.text, s.cards))
        elif entry.card.text in seen:
            report.add("E302", source, entry.card, f"card `{entry.card.text}` is listed twice", "add the two counts", [(source, seen[entry.card.text], "first listed here")])
        seen.setdefault(entry.card.text, entry.card)
        uses.reads.add(("card", entry.card.text))
        if not 1 <= entry.count <= 1000:
            report.add("E303", source, entry, f"a count of {entry.count} is outside 1..1000")
