"""L805: a card that can never be played: it never comes into a match, or no choice can take it from where it waits.

A choice takes a card if it picks one from a zone and the card's kind fits. It can never be this card where its
condition fails whatever the match is, as with a cost above all that a player can have."""

from __future__ import annotations

from collections.abc import Iterator

from card_runtime.depth import deep

from cardc import nodes as n
from cardc.findings import Finding
from cardc.ir import CAlt, CPick, Place, ValueBody, X
from cardc.lint.estimate import Estimate, Known
from cardc.lint.package import Package, finding
from cardc.nesting import walk
from cardc.searches import parts
from cardc.symbols import CardSym
from cardc.types import CardT, OptT

CODE = "L805"


def find(package: Package) -> Iterator[Finding]:
    comes = _Coming(package)
    with deep():
        picks = list(_picks(package))
        changed = {line.of for line in package.work.lines if line.kind == "modifier"}
        values = {v.name: v for v in package.work.values if v.name not in changed}
        for card in package.cards:
            if not comes.into_match(card):
                message = f"card `{card.name}` never comes into a match"
                help = "let `deck` or a `copy` bring cards of its kind, or name it in a rule"
                yield finding(CODE, card.source, card.ident, message, help)
            elif verbs := _refused(package, card, picks, values):
                known = " and ".join(f"`{verb}`" for verb in verbs)
                message = f"card `{card.name}` can never be chosen: the condition of {known} always fails for it"
                help = "change what is printed on it, or the condition"
                yield finding(CODE, card.source, card.ident, message, help)


class _Coming:
    """How cards come into a match: from decks, by being copied, by being named in a rule."""

    def __init__(self, package: Package) -> None:
        self.s = package.symbols
        self.kinds: set[str] = {x.kind.text for x in self.s.deck.into} if self.s.deck is not None else set()
        self.named: set[str] = set()
        for u in self.s.units:
            if isinstance(u.decl, n.TestDecl):
                continue
            nodes = walk(u.decl)
            self.named.update(x.id for x in nodes if isinstance(x, n.Name))
            if isinstance(u.decl, n.DecklistDecl):
                self.named.update(entry.card.text for entry in u.decl.entries)
            if any(isinstance(x, n.Name) and x.id == "catalog" for x in nodes):
                # which of the printed cards a rule takes is not looked at
                self.kinds.update(self.s.kinds)

    def into_match(self, card: CardSym) -> bool:
        return card.name in self.named or any(self.s.is_kind(card.kind, kind) for kind in self.kinds)


def _picks(package: Package) -> Iterator[tuple[CAlt, CPick]]:
    """The picks of cards from zones."""
    for site in package.work.sites:
        for alt in site.alts:
            for pick in alt.picks:
                if _card(pick) is not None and any(_zone(package, x) for x in parts(pick.source)):
                    yield alt, pick


def _card(pick: CPick) -> CardT | None:
    t = pick.type.item if isinstance(pick.type, OptT) else pick.type
    return t if isinstance(t, CardT) else None


def _zone(package: Package, x: X) -> bool:
    place = x.args[0] if x.op in ("place", "one") else None
    return isinstance(place, Place) and place.owner in package.symbols.zones


def _refused(
    package: Package, card: CardSym, picks: list[tuple[CAlt, CPick]], values: dict[str, ValueBody]
) -> list[str]:
    """The verbs that would take this card, if all of them refuse it. `values` are those that no card changes."""
    formed = {x.name.text for form in card.decl.lines if isinstance(form, n.CardForm) for x in form.lines}
    fields = {name: value for name, value in package.printed(card).items() if name not in formed}
    estimate = Estimate(package.symbols, card, fields, values)
    verbs: list[str] = []
    for alt, pick in picks:
        t = _card(pick)
        assert t is not None
        if not package.symbols.is_kind(card.kind, t.kind):
            continue
        known: dict[str, Known] = {pick.var.name: card}
        conditions = [alt.when, pick.where, *(p.where for p in alt.picks if not p.maybe)]
        if not any(c is not None and estimate.of(c, known) is False for c in conditions):
            return []
        verbs.append(alt.verb)
    return list(dict.fromkeys(verbs))
