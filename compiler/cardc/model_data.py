"""The data of a package as the runtime reads it: `data.json`, and that of its parts (see `runtime/INTERNALS.md`)."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from card_runtime.package import SPREAD
from msgspec import Struct

from cardc import nodes as n
from cardc.cards import schema
from cardc.emit.keys import key_of
from cardc.for_bots import for_bots
from cardc.ir import (
    AbilityLine,
    Body,
    Program,
    SCall,
    SChoose,
    SRun,
    Stmt,
    STogetherEach,
    X,
)
from cardc.parts import compact
from cardc.searches import blocks
from cardc.symbols import FieldSym, PlaceSym, SlotSym, Symbols
from cardc.types import BOOL, CardT, ErrorT, IntT, OptT, PlayerT, Type, strip, to_data

DEFAULT_LIMIT = 100_000


class Reach(Struct, frozen=True):
    """What code may set off: effects called, slots run, whether it asks itself."""

    calls: list[str]
    runs: list[str]
    asks: bool


def reach(stmts: tuple[Stmt, ...]) -> Reach:
    calls: dict[str, None] = {}
    runs: dict[str, None] = {}
    asks = False
    todo: list[Stmt] = list(stmts)
    while todo:
        s = todo.pop(0)
        if type(s) is SCall:
            calls[s.effect] = None
        elif type(s) is SRun:
            runs[s.slot.split("·")[1]] = None
        elif type(s) is SChoose:
            asks = True
            todo += [x for a in s.alts for x in a.body] + list(s.other)
        else:
            asks = asks or type(s) is STogetherEach
            for block in blocks(s):
                todo += block
    return Reach(list(calls), list(runs), asks)


def _type(t: Type) -> dict[str, object]:
    return {"t": "int", "lo": None, "hi": None} if isinstance(t, ErrorT) else to_data(t)


def _field(f: FieldSym, default: object = None) -> dict[str, Any]:
    return {"name": f.name, "type": _type(f.type), "default": default, "help": f.help}


def _place(name: str, p: PlaceSym) -> dict[str, Any]:
    return {
        "name": name,
        "each": p.each,
        "one": p.one,
        "kind": p.kind,
        "most": p.most,
        "sight": p.sight,
        "first": p.first,
        "help": p.help,
    }


def printed(e: n.Expr | None) -> object:
    """The default of a printed field as a JSON value."""
    match e:
        case n.Number(value) | n.Truth(value):
            return value
        case n.Name(id):
            return id
        case n.Unary("-", n.Number(value)):
            return -value
        case n.ListLit(items):
            return [printed(i) for i in items]
    return None


def settings(decl: n.GameDecl | n.ExpansionDecl) -> dict[str, object]:
    return {x.name.text: x.value.value for x in decl.settings}


def alias(s: Symbols, decl: n.ValueDecl) -> str | None:
    """The value, or the state, that this one is as long as no card changes it: `value number(l: lane): int =
    printed(l)`."""
    match decl.body:
        case n.Name(name) if name in s.states and not decl.params:
            return name
        case n.Call(name, args) if args and [a.value for a in args] == [n.Name(p.name.text) for p in decl.params]:
            return None if any(a.name is not None for a in args) else name.text
    return None


def model_data(s: Symbols, p: Program, head: n.GameDecl | n.ExpansionDecl) -> dict[str, Any]:
    """The data of the package's own declarations, but for what its parts hold; an expansion's has members of open enums
    instead of the frame."""
    own_values = {v.name for v in s.values.values() if v.own}
    own_effects = {e.name for e in s.effects.values() if e.own}
    bodies = {b.event: b for b in p.bodies}
    bots = for_bots(s)
    shared = {
        "values": [
            {
                "name": v.name,
                "params": [{"name": q.name, "type": _type(q.type)} for q in v.params],
                "type": _type(v.type),
                "alias": alias(s, v.decl),
                "plain": v.decl.body.value if isinstance(v.decl.body, n.Number) else None,
                "bots": v.name in bots,
                "file": v.source.path,
                "line": v.source.line(v.ident.span[0]),
            }
            for v in s.values.values()
            if v.name in own_values
        ],
        "effects": [_effect(s, bodies, name) for name in s.effects if name in own_effects],
        "decklists": [
            {"name": d.name, "title": d.title, "entries": [[e.count, e.card.text] for e in d.decl.entries]}
            for d in s.decklists.values()
            if d.own
        ],
    }
    given = settings(head)
    identity = {
        "id": head.name.text,
        "title": head.title.value,
        "version": str(given.get("version", "0")),
        "players": 2,
        "limit": given.get("limit", DEFAULT_LIMIT),
    }
    if isinstance(head, n.ExpansionDecl):
        return {"game": identity, "members": _members(s), **shared}
    return {
        "game": identity,
        "options": [
            {"name": o.name, "type": _type(o.type), "default": o.default, "help": o.help} for o in s.options.values()
        ],
        "enums": [
            {
                "name": e.name,
                "open": e.open,
                "members": e.members,
                "columns": {c: e.values.get(c, []) for c in e.columns},
            }
            for e in s.enums.values()
        ],
        "kinds": [
            {
                "name": k.name,
                "base": k.base,
                "fields": [_field(f, printed(f.default)) for f in k.fields.values() if not f.flag],
                "flags": [{"name": f.name, "type": {"t": "bool"}, "help": f.help} for f in k.fields.values() if f.flag],
                "states": [_card_state(f) for f in k.states.values()],
                "slots": [_slot(x) for x in k.slots.values()],
            }
            for k in s.kinds.values()
        ],
        "zones": [_place(z.name, z.place) for z in s.zones.values()],
        "boards": [
            {
                "name": b.name,
                "element": b.element,
                "size": b.count if b.grid is not None else b.size,
                "width": b.grid[0] if b.grid is not None else None,
                "height": b.grid[1] if b.grid is not None else None,
                "floating": b.grid is not None and b.grid[2],
                "either": b.grid is not None and b.grid[3],
                "fields": [_field(f) for f in b.fields.values()],
                "parts": [_place(name, part) for name, part in b.parts.items()],
            }
            for b in s.boards.values()
        ],
        "player": [{**_field(f), "marks": list(f.marks)} for f in s.player.values()],
        "state": [{**_field(f), "sight": "all"} for f in s.states.values()],
        "deck": _deck(s, p),
        "periods": s.periods,
        "forms": [
            {
                "name": f.name,
                "kind": f.kind,
                "fields": [_field(a, _default(a)) for a in f.params.values()],
                "help": f.help,
            }
            for f in s.forms.values()
        ],
        "exchanged": sorted(s.exchanged),
        "bot": s.bot,
        "unseen": [{"kind": kind, "place": [place], "fn": fn.name} for kind, place, fn in p.unseen],
        **shared,
    }


def frame_files(
    s: Symbols, p: Program, title: str, head: n.GameDecl | n.ExpansionDecl
) -> dict[str, bytes]:
    """The files of a package besides its parts, by path."""
    return {
        "data.json": compact(model_data(s, p, head)),
        "schema.json": (json.dumps(schema(title, s), indent=1) + "\n").encode(),
    }


def spread_data(s: Symbols, p: Program) -> dict[str, dict[str, list[Any]]]:
    """What the files of a package hold of its parts' data, by path."""
    abilities = _abilities(p)
    found: dict[str, dict[str, list[Any]]] = {}

    def add(path: str, what: str, item: dict[str, Any]) -> None:
        found.setdefault(path, {name: [] for name in SPREAD})[what].append(item)

    for name in p.cards:
        if s.cards[name].own:
            add(s.cards[name].source.path, "cards", _card(s, p, abilities, name))
    for form in p.forms:
        if s.cards[form[1]].own:
            add(s.cards[form[1]].source.path, "forms", _form(s, p, abilities, form))
    for c, path in p.sites:
        add(path, "sites", _site(c, path))
    for line in p.lines:
        add(line.path, "lines", _line(line))
    for slot in p.slots:
        of = {"card": slot.card, "slot": slot.slot, **_reach(reach(slot.body.stmts))}
        add(slot.body.path, "slots", of)
    return found


def _slot(x: SlotSym) -> dict[str, Any]:
    return {
        "name": x.name,
        "nature": x.nature,
        "board": x.board,
        "help": x.help,
        "params": [_field(a, _default(a)) for a in x.params.values()],
    }


def _default(f: FieldSym) -> object:
    return None if f.default is None else printed(f.default)


def _card_state(f: FieldSym) -> dict[str, Any]:
    """A state of cards, with the number it begins with, if it is one for all cards."""
    number = f.default.value if isinstance(f.default, n.Number) else None
    return {**_field(f, number), "sight": "owner" if f.secret else "all"}


def _reach(r: Reach) -> dict[str, Any]:
    return {"calls": r.calls, "runs": r.runs, "asks": r.asks}


def _effect(s: Symbols, bodies: dict[str | None, Body], name: str) -> dict[str, Any]:
    e = s.effects[name]
    body = bodies.get(name)
    return {
        "name": name,
        "params": [{"name": q.name, "type": _type(q.type)} for q in e.params],
        "file": e.source.path,
        "line": e.source.line(e.ident.span[0]),
        **_reach(reach(body.stmts if body else ())),
    }


Abilities: TypeAlias = dict[str, list[tuple[str, str]]]
"""The lines of each printed card, as slot and name."""


def _abilities(p: Program) -> Abilities:
    found: Abilities = {}
    for line in p.lines:
        if line.until is None:
            found.setdefault(line.card, []).append((line.slot, line.name))
    return found


def _card(
    s: Symbols,
    p: Program,
    abilities: Abilities,
    name: str,
    printed: str | None = None,
    lines: dict[str, object] | None = None,
) -> dict[str, Any]:
    """The data of a card; with `printed` and `lines`, what one of its forms says itself."""
    c = s.cards[name]
    given = dict(p.cards.get(name, {}) if lines is None else lines)
    printed = printed or name
    flags = [f for f, v in given.items() if v is True and (found := s.field(c.kind, f)) and found[1].flag]
    slots: dict[str, list[str]] = {}
    for slot, line in abilities.get(printed, ()):
        slots.setdefault(slot, []).append(line)
    return {
        "id": name,
        "title": c.title,
        "kind": c.kind,
        "file": c.source.path,
        "line": c.source.line(c.ident.span[0]),
        "fields": {f: v for f, v in given.items() if f not in flags},
        "flags": flags,
        "slots": slots,
        "filled": p.filled.get(printed, {}),
    }


def _form(
    s: Symbols,
    p: Program,
    abilities: Abilities,
    form: tuple[str, str, str, object, dict[str, object], dict[str, object]],
) -> dict[str, Any]:
    """A form as a printed card: what it does not say again is its card's."""
    printed, card, name, key, args, given = form
    base = _card(s, p, abilities, card)
    own = _card(s, p, abilities, card, printed, given)
    return {
        **base,
        "id": printed,
        "title": f"{base['title']} ({name.replace('_', ' ')} {key})",
        "fields": {**base["fields"], **own["fields"]},
        "flags": list(dict.fromkeys([*base["flags"], *own["flags"]])),
        "slots": {k: v for k, v in {**base["slots"], **own["slots"]}.items()}
        | {slot: own["slots"].get(slot, []) for slot in own["filled"]},
        "filled": {**base["filled"], **own["filled"]},
        "base": card,
        "form": name,
        "args": args,
    }


def _pick_type(t: Type) -> dict[str, object]:
    return to_data(OptT(strip(t))) if isinstance(t, OptT) else to_data(t)


def _site(c: SChoose, path: str) -> dict[str, Any]:
    return {
        "name": c.site,
        "may": c.may,
        "file": path,
        "line": c.line,
        "alternatives": [
            {
                "verb": a.verb,
                "label": a.label,
                "picks": [
                    {"name": q.var.name.rsplit("_", 1)[0], "type": _pick_type(q.type), "maybe": q.maybe}
                    for q in a.picks
                ],
            }
            for a in c.alts
        ],
    }


def _line(x: AbilityLine) -> dict[str, Any]:
    stmts: tuple[Stmt, ...] = () if x.body is None else x.body.stmts
    if x.offer is not None:
        stmts = tuple(st for a in x.offer.alts for st in a.body)
    return {
        "name": x.name,
        "card": x.card,
        "slot": x.slot,
        "kind": x.kind,
        "of": x.of,
        "layer": x.layer,
        "priority": x.priority,
        "order": x.order,
        "key": key_of(x),
        "cards": [i for i, v in enumerate(x.captured) if isinstance(strip(v.type), CardT)],
        "op": x.op,
        "once": x.once,
        "until": x.until,
        "site": None if x.offer is None else x.offer.site,
        "file": x.path,
        "line": x.line,
        **_reach(reach(stmts)),
    }


def _deck(s: Symbols, p: Program) -> dict[str, Any] | None:
    decl = next((u.decl for u in s.units if isinstance(u.decl, n.DeckDecl)), None)
    if decl is None:
        return None
    return {
        "into": [[e.kind.text, e.zone.text] for e in decl.into],
        "rules": [{"message": message, "fn": fn.name} for message, fn in p.rules],
    }


def _members(s: Symbols) -> list[dict[str, Any]]:
    out = []
    for u in s.units:
        if u.own and isinstance(u.decl, n.EnumDecl) and u.decl.extends and u.decl.name.text in s.enums:
            e = s.enums[u.decl.name.text]
            names = [m.name.text for m in u.decl.members]
            at = [e.members.index(x) for x in names]
            out.append(
                {"enum": e.name, "members": names, "columns": {c: [e.values[c][i] for i in at] for c in e.columns}}
            )
    return out


__all__ = ["BOOL", "IntT", "PlayerT", "X", "model_data"]
