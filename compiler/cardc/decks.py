"""Checks the deck declaration and ready-made decks.

Establishes: requirements are conditions over `deck`, the list of its cards; a decklist names known cards that have a
zone to start in. Whether a decklist keeps the requirements is found by running them (`cardc.pipeline`), as a deck of a
player is.
"""

from __future__ import annotations

from cardc import nodes as n
from cardc.expressions import Expressions, Uses
from cardc.ir import Function, Var
from cardc.phrases import a
from cardc.report import Report, listed, near, there_are
from cardc.scope import Scope
from cardc.source import Source
from cardc.symbols import Symbols
from cardc.types import CardT, ErrorT, ListT

MOST_COPIES = 1000


def check_deck(decl: n.DeckDecl, s: Symbols, uses: Uses, report: Report, ex: Expressions) -> list[tuple[str, Function]]:
    source = ex.source
    kinds = _starts(decl, s, uses, report, source)
    if not decl.into:
        help = "write `KIND into ZONE`"
        report.add("E301", source, decl, "the deck does not say which kind starts in which zone", help)
    if not kinds:
        return []
    root: str | None = kinds[0]
    for k in kinds[1:]:
        root = s.join_kinds(root, k) if root else None
    var = Var("deck", ListT(CardT(root or s.root_kind())))
    sc = Scope({"deck": var})
    out = []
    seen: dict[str, n.Text] = {}
    for i, rule in enumerate(decl.rules):
        message = rule.message.value
        if message in seen:
            report.add(
                "E302", source, rule.message, "two requirements have this message", "tell them apart",
                [(source, seen[message], "the other one")],
            )  # fmt: skip
        seen.setdefault(message, rule.message)
        x, _, _ = ex.cond(rule.cond, sc)
        if not isinstance(x.t, ErrorT):
            out.append((message, Function(f"deck_{i}", (var,), x, source.path, source.line(rule.span[0]))))
    return out


def _starts(decl: n.DeckDecl, s: Symbols, uses: Uses, report: Report, source: Source) -> list[str]:
    """The kinds that start somewhere; each once, in a zone of each player that holds it."""
    kinds: dict[str, n.Ident] = {}
    for entry in decl.into:
        kind, name = entry.kind.text, entry.zone.text
        if kind not in s.kinds:
            help = near(kind, s.kinds) or there_are(s.kinds)
            report.unknown("E101", source, entry.kind, kind, f"no kind is called `{kind}`", help)
            continue
        zone = s.zones.get(name)
        if zone is None:
            report.unknown("E101", source, entry.zone, name, f"no zone is called `{name}`", near(name, s.zones))
        else:
            uses.reads.add(("zone", name))
            if not zone.place.each:
                help = "a deck starts in a zone of each player"
                report.add("E201", source, entry.zone, f"zone `{name}` is shared, so no deck can start there", help)
            elif zone.place.kind in s.kinds and not s.is_kind(kind, zone.place.kind):
                report.add("E201", source, entry.zone, f"zone `{name}` holds `{zone.place.kind}`, not `{kind}`")
        if kind in kinds:
            report.add(
                "E302", source, entry, f"`{kind}` starts in two zones", "remove one",
                [(source, kinds[kind], "first said here")],
            )  # fmt: skip
        kinds.setdefault(kind, entry.kind)
    return list(kinds)


def check_decklist(decl: n.DecklistDecl, s: Symbols, uses: Uses, report: Report, source: Source) -> None:
    seen: dict[str, n.Ident] = {}
    starts = [] if s.deck is None else [e.kind.text for e in s.deck.into]
    for entry in decl.entries:
        name = entry.card.text
        card = s.cards.get(name)
        if card is None:
            report.unknown("E101", source, entry.card, name, f"no card is called `{name}`", near(name, s.cards))
        elif name in seen:
            report.add(
                "E302", source, entry.card, f"card `{name}` is listed twice", "add the two counts",
                [(source, seen[name], "first listed here")],
            )  # fmt: skip
        elif starts and card.kind in s.kinds and not any(s.is_kind(card.kind, k) for k in starts):
            message = f"`{name}` is {a(card.kind)}, and no such card starts in a deck"
            report.add("E307", source, entry.card, message, f"a deck holds {listed(starts)}")
        seen.setdefault(name, entry.card)
        uses.reads.add(("card", name))
        if not 1 <= entry.count <= MOST_COPIES:
            help = None if entry.count else "leave the card out"
            report.add("E303", source, entry, f"a count of {entry.count} is outside 1..{MOST_COPIES}", help)
    if not decl.entries:
        report.add("E301", source, decl.name, f"decklist `{decl.name.text}` lists no card", "write `2 CARD, 4 CARD`")
