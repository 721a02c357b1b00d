"""Checks a package and elaborates it into `cardc.ir.Program`.

Assumes parsed declarations of the package and of the package it builds on. Establishes what `language.md` promises of the checker:
the modules named after parts of the language do the work, this one drives them and looks at the package as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from cardc import graphs
from cardc import nodes as n
from cardc.abilities import Abilities
from cardc.cards import CardCheck, check_field_types
from cardc.decks import check_deck, check_decklist
from cardc.declare import Collector, type_of
from cardc.expressions import Expressions, Site, Uses
from cardc.ir import AbilityLine, Body, Function, Program, SChoose, SlotBody, Test, ValueBody, Var, X
from cardc.report import Report, near
from cardc.scope import Scope
from cardc.scripts import Scripts
from cardc.sight import parts
from cardc.source import Source
from cardc.statements import Statements
from cardc.symbols import CardSym, FieldSym, Symbols, Unit
from cardc.types import BOOL, CardT, EnumT, ErrorT, show
from cardc.usage import check_usage


FormCard: TypeAlias = tuple[str, str, str, object, dict[str, object], dict[str, object]]


@dataclass(slots=True)
class Work:
    """What the checks of single declarations leave for the checks of the whole."""

    sites: list[tuple[SChoose, str]] = field(default_factory=list)
    site_paths: list[str] = field(default_factory=list)
    lines: list[AbilityLine] = field(default_factory=list)
    values: list[ValueBody] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    slots: list[SlotBody] = field(default_factory=list)
    defaults: list[tuple[tuple[str, ...], Function]] = field(default_factory=list)
    rules: list[tuple[str, Function]] = field(default_factory=list)
    unseen: list[tuple[str, str, Function]] = field(default_factory=list)
    cards: dict[str, dict[str, object]] = field(default_factory=dict)
    forms: list[FormCard] = field(default_factory=list)
    filled: dict[str, dict[str, dict[str, object]]] = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    value_reads: dict[str, set[str]] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    loops: list[tuple[Source, n.Node, tuple[object, ...]]] = field(default_factory=list)
    secret: list[tuple[Source, n.Node, tuple[object, ...]]] = field(default_factory=list)
    line_work: dict[str, frozenset[str]] = field(default_factory=dict)
    asking: set[str] = field(default_factory=set)


class Checker:
    def __init__(self, units: list[Unit], report: Report, parsed_whole: bool = True) -> None:
        self.units = units
        self.parsed_whole = parsed_whole
        self.report = report
        collector = Collector(report)
        collector.run(units)
        self.s: Symbols = collector.s
        self.uses = Uses()
        self.work = Work()

    def run(self) -> Program:
        check_field_types(self.s, self.report)
        for u in self.units:
            if not isinstance(u.decl, n.TestDecl):
                self.unit(u)
        for u in self.units:
            if isinstance(u.decl, n.TestDecl) and u.own:
                self.test(u.decl, u.source)
        self.whole()
        if self.parsed_whole:
            check_usage(self.s, self.uses, self.report)
        return self.own_program()

    def own_program(self) -> Program:
        """What this package itself declares, of all that was elaborated."""
        w = self.work
        own = {u.source.path for u in self.units if u.own}
        sites = tuple((c, name, path) for (c, name), path in zip(w.sites, w.site_paths, strict=True) if path in own)
        return Program(
            tuple(v for v in w.values if v.path in own), tuple(b for b in w.bodies if b.path in own),
            tuple(x for x in w.slots if x.body.path in own), tuple(x for x in w.lines if x.path in own), sites,
            tuple(r for r in w.rules if r[1].path in own), tuple(x for x in w.unseen if x[2].path in own),
            tuple(d for d in w.defaults if d[1].path in own), w.cards, tuple(w.tests), tuple(w.forms), w.filled,
        )

    def expressions(self, source: Source, words: str, *, deck: bool = False) -> Expressions:
        return Expressions(self.s, self.report, source, self.uses, Site(words, deck=deck))

    def done(self, checker: Statements, unit: str, source: Source, path: str) -> None:
        w = self.work
        w.site_paths.extend(path for _ in range(len(w.sites) - len(w.site_paths)))
        w.calls.setdefault(unit, set()).update(checker.calls)
        w.loops.extend((source, node, stmts) for node, stmts in checker.flow_loops)
        w.secret.extend((source, node, stmts) for node, stmts in checker.secret_bodies)

    # ---- One declaration

    def unit(self, u: Unit) -> None:
        s, source, w = self.s, u.source, self.work
        match u.decl:
            case n.ValueDecl(name, _, _, body) if name.text in s.values and s.values[name.text].decl is u.decl:
                self.value(name.text, body, source)
            case n.EffectDecl(name, _, body) if name.text in s.effects and s.effects[name.text].decl is u.decl:
                effect = s.effects[name.text]
                st = self.statements(source, f"e_{name.text}", f"effect `{name.text}`")
                sc, params = Scope(), []
                for p in effect.params:
                    var = Var(p.name, p.type)
                    params.append(var)
                    sc = sc.bind(p.name, var)
                self.defaults_of(name.text, source, u.decl.params)
                stmts, _ = st.block(body, sc)
                if body.items:
                    for f, var in zip(u.decl.params, params, strict=True):
                        st.unused(f.name, var, "parameter")
                w.bodies.append(Body(name.text, tuple(params), stmts, source.path, source.line(body.span[0]), name.text))
                self.done(st, name.text, source, source.path)
            case n.SetupDecl(body) | n.FlowDecl(body):
                word = "setup" if isinstance(u.decl, n.SetupDecl) else "flow"
                st = self.statements(source, word, f"`{word}`")
                st.in_flow = word == "flow"
                stmts, _ = st.block(body, Scope())
                w.bodies.append(Body(word, (), stmts, source.path, source.line(body.span[0])))
                self.done(st, word, source, source.path)
                if word == "flow" and graphs.falls(stmts):
                    self.report.add("E404", source, u.decl.body, "the flow can reach its end without `win`, `lose` or `tie`", "end it with one of them, or play on in a `loop`")
            case n.CardDecl(name) if name.text in s.cards and s.cards[name.text].decl is u.decl:
                self.card(name.text)
            case n.OptionDecl(name, _, default, _) if name.text in s.options:
                option = s.options[name.text]
                x = self.expressions(source, "an option").need(default, Scope(), option.type)
                if x.op == "clamp":
                    self.report.add("E303", source, default, "the default is outside the range of the option")
                elif x.op == "const":
                    option.default = x.args[0]
                elif not isinstance(x.t, ErrorT):
                    self.report.add("E201", source, default, "the default of an option is a constant")
            case n.StateDecl(f) if f.name.text in s.states:
                self.default(("state", f.name.text), f, source)
            case n.PlayerDecl(fields):
                for f in fields:
                    self.default(("player", f.name.text), f, source)
            case n.BoardDecl(name=name, fields=fields) if name.text in s.boards:
                for f in fields:
                    self.default(("element", name.text, f.name.text), f, source)
            case n.KindDecl(name=name, states=states) if name.text in s.kinds:
                self.kind(u.decl, source)
            case n.EnumDecl(name, _, _, columns, members) if name.text in s.enums:
                self.columns(name.text, members, source)
            case n.DeckDecl():
                w.rules.extend(check_deck(u.decl, s, self.report, self.expressions(source, "`deck`", deck=True)))
            case n.DecklistDecl(name) if name.text in s.decklists and s.decklists[name.text].decl is u.decl:
                check_decklist(u.decl, s, self.uses, self.report, source)
            case n.UnseenDecl(name, kind, place, cond):
                self.unseen(name, kind, place, cond, source)
            case _:
                pass

    def statements(self, source: Source, unit: str, words: str) -> Statements:
        st = Statements(self.s, self.report, source, self.uses, Site(words))
        st.prepare(unit, self.work.sites, self.work.lines)
        return st

    def value(self, name: str, body: n.Expr, source: Source) -> None:
        value = self.s.values[name]
        ex = self.expressions(source, f"value `{name}`")
        sc, params = Scope(), []
        for p in value.params:
            var = Var(p.name, p.type)
            params.append(var)
            sc = sc.bind(p.name, var)
        self.defaults_of(name, source, value.decl.params)
        x = ex.need(body, sc, value.type)
        for f, var in zip(value.decl.params, params, strict=True):
            ex.unused(f.name, var, "parameter") if value.own and not self.modified_with(name) else None
        self.work.value_reads[name] = {str(p.args[0]) for p in parts(x) if p.op == "value"}
        self.work.values.append(ValueBody(name, tuple(params), x, value.type, source.path, source.line(body.span[0])))

    def modified_with(self, name: str) -> bool:
        """A value without use of its parameters makes sense as a permission that cards bend."""
        return True

    def defaults_of(self, name: str, source: Source, fields: tuple[n.Field, ...]) -> None:
        for f in fields:
            if f.default is not None:
                t = type_of(self.s, f.type, source)
                x = self.expressions(source, "a default").need(f.default, Scope(), t)
                if x.op not in ("const", "error"):
                    self.report.add("E201", source, f.default, f"the default of `{f.name.text}` is not a constant")

    def default(self, key: tuple[str, ...], f: n.Field, source: Source, extra: Scope | None = None, params: tuple[Var, ...] = ()) -> None:
        s = self.s
        sym = {
            "state": lambda: s.states[key[1]], "player": lambda: s.player[key[1]],
            "element": lambda: s.boards[key[1]].fields[key[2]], "cardstate": lambda: s.kinds[key[1]].states[key[2]],
        }[key[0]]()
        if sym.ident is not f.name:
            return
        if f.default is None:
            self.report.add("E301", source, f.name, f"`{f.name.text}` has no default", "write `= …`: a match begins with it")
            return
        x = self.expressions(source, "a default").need(f.default, extra or Scope(), sym.type)
        if x.op == "clamp" and isinstance(x.args[0], X) and x.args[0].op == "const" and not isinstance(getattr(sym.type, "high", None), str):
            self.report.add("E303", source, f.default, f"the default is outside the range of `{f.name.text}`")
        if not isinstance(x.t, ErrorT) or x.op != "error":
            name = "d_" + "·".join(key)
            self.work.defaults.append((key, Function(name, params, x, source.path, source.line(f.span[0]))))

    def kind(self, decl: n.KindDecl, source: Source) -> None:
        name = decl.name.text
        for f in decl.fields:
            sym = self.s.kinds[name].fields.get(f.name.text)
            if f.default is not None and sym is not None and sym.ident is f.name:
                x = self.expressions(source, "a printed field").need(f.default, Scope(), sym.type)
                if x.op == "clamp":
                    self.report.add("E303", source, f.default, f"the default is outside the range of `{f.name.text}`")
                elif x.op not in ("const", "error") and x.args != ((),):
                    self.report.add("E201", source, f.default, "the default of a printed field is a constant")
        me = Var("self", CardT(name))
        for f in decl.states:
            if f.name.text in self.s.kinds[name].states:
                self.default(("cardstate", name, f.name.text), f, source, Scope({"self": me}, {}), (me,))
        for slot in decl.slots:
            if slot.when is not None and slot.name.text in self.s.kinds[name].slots:
                if slot.nature == "effect":
                    self.report.add("E204", source, slot.when, "an effect slot has no condition: the frame says when it runs", "test before `run`")
                    continue
                sc = Scope({"self": Var("self", CardT(name, slot.place.text)), "you": Var("you", _PLAYER), "source": Var("source", CardT(name, slot.place.text))}, {})
                self.expressions(source, "a slot").cond(slot.when, sc)

    def columns(self, name: str, members: tuple[n.EnumMember, ...], source: Source) -> None:
        enum = self.s.enums[name]
        if enum.source is not source and not enum.open:
            return
        for m in members:
            columns = list(enum.columns.items())
            if len(m.values) > len(columns):
                self.report.add("E211", source, m, f"`{m.name.text}` has {len(m.values)} values, but the enum has {len(columns)} columns")
                continue
            for (column, t), v in zip(columns, m.values, strict=False):
                x = self.expressions(source, "an enum").need(v, Scope(), t)
                if x.op == "clamp":
                    self.report.add("E303", source, v, f"this is outside the range of column `{column}`")
                elif x.op not in ("const", "error"):
                    self.report.add("E201", source, v, "the data of a member is a constant")
                else:
                    enum.values.setdefault(column, [None] * len(enum.members))
                    enum.values[column] += [None] * (len(enum.members) - len(enum.values[column]))
                    enum.values[column][enum.members.index(m.name.text)] = x.args[0] if x.op == "const" else None
            for column, _ in columns[len(m.values) :]:
                f = self.column_default(name, column)
                if f is None:
                    self.report.add("E211", source, m, f"`{m.name.text}` has no value for column `{column}`", f"write `{m.name.text}(…)`")
                    continue
                x = self.expressions(source, "an enum").need(f, Scope(), enum.columns[column])
                enum.values.setdefault(column, [None] * len(enum.members))
                enum.values[column] += [None] * (len(enum.members) - len(enum.values[column]))
                enum.values[column][enum.members.index(m.name.text)] = x.args[0] if x.op == "const" else None

    def column_default(self, enum: str, column: str) -> n.Expr | None:
        for u in self.units:
            if isinstance(u.decl, n.EnumDecl) and not u.decl.extends and u.decl.name.text == enum:
                return next((c.default for c in u.decl.columns if c.name.text == column), None)
        return None

    def unseen(self, name: n.Ident, kind: n.Ident, place: n.Ident, cond: n.Expr, source: Source) -> None:
        t = type_of(self.s, n.NamedType(kind, place, span=kind.span), source, self.report)
        if isinstance(t, ErrorT):
            return
        ex = self.expressions(source, "`unseen`")
        var, sc = ex.local(name, t, Scope())
        x, _, _ = ex.cond(cond, sc)
        ex.unused(name, var, "card")
        fn = Function(f"unseen_{len(self.work.unseen)}", (var,), x, source.path, source.line(cond.span[0]))
        self.work.unseen.append((kind.text, place.text, fn))

    def card(self, name: str) -> None:
        s, w, sym = self.s, self.work, self.s.cards[name]
        if not hasattr(self, "cards"):
            self.cards = CardCheck(s, self.report, {})
        given = self.cards.card(sym)
        if given is None:
            return
        w.cards[name] = given
        self.slots(sym, sym.decl.lines, name, name)
        keys: dict[object, n.Node] = {}
        for line in sym.decl.lines:
            if isinstance(line, n.CardForm):
                self.card_form(sym, line, keys)

    def slots(self, sym: CardSym, lines: tuple[n.CardLine, ...], printed: str, unit: str) -> None:
        """The slots that a card, or one of its forms, fills. `printed` is its id, `unit` the beginning of names in its code."""
        s, w = self.s, self.work
        for line in lines:
            if not isinstance(line, n.CardSlot):
                continue
            found = s.slot(sym.kind, line.name.text)
            if found is None:
                continue
            kind, slot = found
            w.filled.setdefault(printed, {})[slot.name] = self.constants(
                line.args, slot.params, f"slot `{slot.name}`", line.name, sym.source
            )
            self.uses.writes.add(("slot", kind.name, slot.name))
            ab = Abilities(s, self.report, sym.source, self.uses, Site(f"slot `{slot.name}`"))
            ab.prepare(f"{unit}·{slot.name}", w.sites, w.lines)
            ab.line_calls = []
            ab.printed_card = printed
            if slot.nature == "static":
                ab.static_slot(unit, sym.kind, slot, line.body)
            else:
                w.slots.append(SlotBody(printed, slot.name, ab.effect_slot(unit, sym.kind, slot, line.body)))
            w.line_work.update(dict(ab.line_calls))
            self.done(ab, f"{printed}.{slot.name}", sym.source, sym.source.path)

    def constants(
        self, args: tuple[n.Arg, ...], params: dict[str, FieldSym], what: str, at: n.Node, source: Source
    ) -> dict[str, object]:
        """The arguments that a card gives to a slot or a form."""
        ex = self.expressions(source, what)
        call = n.Call(n.Ident(what, span=at.span), args, span=at.span)
        xs = ex.args(call, [(p.name, p.type, p.default) for p in params.values()], Scope(), what)
        out: dict[str, object] = {}
        for x, p in zip(xs or (), params.values(), strict=False):
            if x.op == "clamp":
                self.report.add("E303", source, at, f"`{p.name}` is outside {show(p.type)}")
            elif x.op == "const":
                out[p.name] = x.args[0]
            elif x.op != "error":
                self.report.add("E201", source, at, f"`{p.name}` is not a constant")
        return out

    def card_form(self, sym: CardSym, line: n.CardForm, keys: dict[object, n.Node]) -> None:
        s, w = self.s, self.work
        form = s.form(sym.kind)
        if form is None or form.name != line.name.text:
            known = [form.name] if form else []
            self.report.add("E304", sym.source, line.name, f"kind `{sym.kind}` has no form `{line.name.text}`", near(line.name.text, known))
            return
        args = self.constants(line.args, form.params, f"form `{form.name}`", line.name, sym.source)
        first = next(iter(form.params.values()), None)
        if first is None or first.name not in args:
            return
        value = args[first.name]
        key = s.enums[first.type.name].members[value] if isinstance(first.type, EnumT) and isinstance(value, int) else value
        if key in keys:
            self.report.add(
                "E302", sym.source, line.name, f"two forms have the {first.name} {key}", "forms of a card differ in their first argument",
                [(sym.source, keys[key], "the other one")],
            )
            return
        keys[key] = line.name
        for inner in line.lines:
            if isinstance(inner, n.CardForm):
                self.report.add("E204", sym.source, inner, "a form stands inside a form", "forms stand side by side in the card")
        printed = f"{sym.name}/{key}"
        given = self.cards.lines(sym, line.lines, line.name, whole=False)
        self.slots(sym, line.lines, printed, f"{sym.name}·{key}")
        w.forms.append((printed, sym.name, form.name, key, args, given))

    def test(self, decl: n.TestDecl, source: Source) -> None:
        st = Scripts(self.s, self.report, source, Uses(), Site("a test", test=True))
        st.prepare(f"test_{len(self.work.tests)}", self.work.sites, [])
        self.work.tests.append(st.test_decl(decl, f"test_{len(self.work.tests)}"))
        for key in st.uses.reads:
            if key[0] in ("effect", "value", "card", "field"):  # a field may be there to be looked at only
                self.uses.reads.add(key)

    # ---- The whole

    def whole(self) -> None:
        s, w = self.s, self.work
        spots = {v.name: graphs.Spot(v.source, v.ident, v.own) for v in s.values.values()}
        by_path = {u.source.path: u.source for u in self.units}
        graph = {k: set(v) for k, v in w.value_reads.items()}
        closers: dict[tuple[str, str], list[tuple[str, graphs.Spot]]] = {}
        for line in w.lines:
            if line.kind != "modifier":
                continue
            reads = {str(p.args[0]) for f in (line.cond, line.value) if f is not None for p in parts(f.body) if p.op == "value"}
            spot = self.spot(line, by_path)
            for r in reads - graph.get(line.of, set()):
                closers.setdefault((line.of, r), []).append((line.card, spot))
            graph.setdefault(line.of, set()).update(reads)
        graphs.value_circles(graph, closers, spots, self.report)
        effect_spots = {e.name: graphs.Spot(e.source, e.ident, e.own) for e in s.effects.values()}
        calls = {k: v for k, v in w.calls.items() if k in s.effects}
        graphs.effect_circles(calls, effect_spots, self.report)
        heard = [
            (x.of, x.card, w.line_work.get(x.name, frozenset()), self.spot(x, by_path))
            for x in w.lines if x.kind in ("on", "offer") and x.once is None and x.until is None
        ]
        graphs.event_circles(w.calls, heard, self.report)
        stmts = {b.event: b.stmts for b in w.bodies if b.event}
        asking: set[str] = set()
        while True:
            more = {e for e, body in stmts.items() if e not in asking and graphs.may_ask(body, asking)}
            if not more:
                break
            asking |= more
        for source, node, body in w.loops:
            if not graphs.may_ask(body, asking):  # type: ignore[arg-type]
                self.report.add("E403", source, node, "this loop holds no decision, so nothing ends it for certain", "ask somebody inside it, or use `repeat` or `for each`")
        for source, node, body in w.secret:
            if not graphs.secret_start(body, stmts):  # type: ignore[arg-type]
                self.report.add("E407", source, node, "`together each` must begin with its one secret choice", "put what is written before the choice in front of `together each`, or into the block of the choice")

    def spot(self, line: AbilityLine, by_path: dict[str, Source]) -> graphs.Spot:
        source = by_path[line.path]
        own = self.s.cards[line.card].own if line.card in self.s.cards else True
        start = source._lines()[line.line - 1]
        text = source.line_text(line.line)
        lead = len(text) - len(text.lstrip())
        return graphs.Spot(source, n.Ident(line.of, span=(start + lead, start + len(text))), own)


from cardc.types import PLAYER as _PLAYER  # noqa: E402

__all__ = ["BOOL", "Checker"]
