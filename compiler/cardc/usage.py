"""Warns of what is declared and never used, read and never set, set and never read. Each package answers for its own."""

from __future__ import annotations

from cardc.expressions import Uses
from cardc.report import Report
from cardc.symbols import Sym, Symbols


def check_usage(s: Symbols, uses: Uses, report: Report) -> None:
    def warn(code: str, sym: Sym, message: str, help: str) -> None:
        if sym.own and not sym.name.startswith("_"):
            report.add(code, sym.source, sym.ident, message, help)

    def state(key: tuple[str, ...], sym: Sym, what: str, given: bool = False, told: bool = False) -> None:
        read, written = key in uses.reads or told, key in uses.writes or given
        if not read and not written:
            warn("W601", sym, f"{what} `{sym.name}` is not used", "remove it, or begin its name with `_`")
        elif not read:
            warn("W602", sym, f"{what} `{sym.name}` is set and never read", "remove it, or let something depend on it")
        elif not written:
            warn("W603", sym, f"{what} `{sym.name}` is read and never set", "set it somewhere, or make it a printed field or an option")

    for name, st in s.states.items():
        state(("state", name), st, "state")
    for name, f in s.player.items():
        state(("player", name), f, "player field", given="input" in f.marks, told="score" in f.marks)
    for b in s.boards.values():
        for name, f in b.fields.items():
            state(("element", b.name, name), f, "field of a board")
        if ("board", b.name) not in uses.reads:
            warn("W601", b, f"board `{b.name}` is not used", "remove it")
    for k in s.kinds.values():
        for name, f in k.states.items():
            state(("cardstate", k.name, name), f, "state of a kind")
        for name, f in k.fields.items():
            if ("field", k.name, name) not in uses.reads:
                warn("W601", f, f"{'flag' if f.flag else 'field'} `{name}` of kind `{k.name}` is not used", "let a rule read it, or a test if it is only there to be looked at")
        for name, slot in k.slots.items():
            if slot.nature == "effect" and ("slot", k.name, name) not in uses.reads:
                warn("W601", slot, f"slot `{name}` is never run", f"write `run c.{name}` where the rules say so")
    for name, o in s.options.items():
        if ("option", name) not in uses.reads and not _bounds(s, name):
            warn("W601", o, f"option `{name}` changes nothing", "let a rule read it")
    for name, z in s.zones.items():
        if ("zone", name) not in uses.reads:
            warn("W601", z, f"zone `{name}` is not used", "remove it")
    for name, v in s.values.items():
        if ("value", name) not in uses.reads and not v.decl.bot:
            warn("W601", v, f"value `{name}` is not used", "remove it, or begin its name with `_`")
    answered = {"timeout", "forfeit"}
    for name, e in s.effects.items():
        if ("effect", name) not in uses.reads and name not in answered:
            warn("W601", e, f"effect `{name}` is never called", "remove it, or begin its name with `_`")


def _bounds(s: Symbols, option: str) -> bool:
    """Whether the option bounds some range or place."""
    types = [f.type for f in [*s.states.values(), *s.player.values()]]
    types += [f.type for b in s.boards.values() for f in b.fields.values()]
    types += [f.type for k in s.kinds.values() for f in [*k.fields.values(), *k.states.values()]]
    types += [t for v in [*s.values.values(), *s.effects.values()] for t in [p.type for p in v.params]]
    types += [v.type for v in s.values.values()]
    places = [z.place for z in s.zones.values()] + [p for b in s.boards.values() for p in b.parts.values()]
    return any(option in (getattr(t, "low", None), getattr(t, "high", None)) for t in types) or any(p.most == option for p in places)
