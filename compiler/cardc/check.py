"""Checks a package and elaborates it into `cardc.ir.Program`.

Assumes parsed declarations of the package and of the package it builds on. Establishes what `grammar/REFERENCE.md` says
of findings: the modules named after parts of the language do the work, this one drives them and looks at the whole.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from cardc import graphs
from cardc import nodes as n
from cardc.abilities import Abilities
from cardc.cards import CardCheck, check_field_types
from cardc.cases import cases
from cardc.choices import Given, Told
from cardc.decks import check_deck, check_decklist
from cardc.declare import collect
from cardc.elaborate import Key, Site, Uses
from cardc.expressions import Expressions
from cardc.facts import Facts, Others
from cardc.for_bots import for_bots
from cardc.given import Giving
from cardc.graphs import Bodies
from cardc.ir import AbilityLine, Body, Function, Program, SChoose, SlotBody, Stmt, Test, ValueBody, Var, X
from cardc.kept import Keeping, Kept
from cardc.lint_settings import Settings, read_settings
from cardc.probes import Probes, Spot
from cardc.report import Report, Unsure, near
from cardc.scope import Scope
from cardc.scripts import Scripts
from cardc.searches import values_in
from cardc.settled import Settled
from cardc.sight import Sight
from cardc.source import Source
from cardc.statements import Statements
from cardc.symbols import ANSWERED, CardSym, FieldSym, ParamSym, Symbols, Unit
from cardc.telling import Telling
from cardc.types import BOOL, PLAYER, CardT, EnumT, ErrorT, Type
from cardc.usage import Usage

FormCard: TypeAlias = tuple[str, str, str, object, dict[str, object], dict[str, object]]


class Work(Struct):
    """What the checks of single declarations leave for the checks of the whole."""

    sites: list[SChoose] = field(default_factory=list)
    site_paths: list[str] = field(default_factory=list)
    lines: list[AbilityLine] = field(default_factory=list)
    values: list[ValueBody] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    slots: list[SlotBody] = field(default_factory=list)
    rules: list[tuple[str, Function]] = field(default_factory=list)
    unseen: list[tuple[str, str, Function]] = field(default_factory=list)
    cards: dict[str, dict[str, object]] = field(default_factory=dict)
    forms: list[FormCard] = field(default_factory=list)
    filled: dict[str, dict[str, dict[str, object]]] = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    calls: dict[str, set[str]] = field(default_factory=dict)
    loops: list[tuple[Source, n.Node, tuple[Stmt, ...]]] = field(default_factory=list)
    secret: list[tuple[Source, n.Node, Var, tuple[Stmt, ...]]] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    lines_seen: int = 0
    line_work: dict[str, frozenset[str]] = field(default_factory=dict)
    spots: dict[str, graphs.Spot] = field(default_factory=dict)


class Checker:
    """Checks the declarations `units`; of cards that stand elsewhere in the package only what `others` say is known."""

    def __init__(
        self, units: list[Unit], report: Report, probes: Probes | None = None, others: Others | None = None
    ) -> None:
        self.units = units
        self.probes = probes
        self.report = report
        self.others = others or Others()
        self.s: Symbols = collect(units, report, self.others.cards, self.others.shape)
        self.uses = Uses()
        self.work = Work()
        self.settled = Settled(self.s, report, self.uses)
        self.card_check = CardCheck(self.s, report, {})
        self.settings = Settings()
        self.titles: dict[str, tuple[Source, n.Text]] = {}
        self.sight = Sight(self.s, (), ())

    def run(self) -> Program:
        self.declarations()
        self.tests()
        self.whole(Facts())
        return self.own_program()

    def declarations(self) -> None:
        """All but tests."""
        check_field_types(self.s, self.report)
        for u in self.units:
            self.settled.unit(u)
        for u in self.units:
            self.unit(u)

    def tests(self) -> None:
        for u in self.units:
            if isinstance(u.decl, n.TestDecl) and u.own:
                self.test(u.decl, u.source)

    def fork(self, report: Report) -> Checker:
        """A checker of cards and tests that stand elsewhere in the package; what this one knows is checked already."""
        new = object.__new__(Checker)
        new.units, new.probes, new.report, new.others = [], self.probes, report, self.others
        new.s, new.settled, new.settings = self.s, self.settled, self.settings
        new.uses, new.work, new.titles = Uses(), Work(), {}
        new.card_check = CardCheck(self.s, report, self.card_check.kinds)
        return new

    def own_program(self) -> Program:
        """What this package itself declares, of all that was elaborated."""
        w = self.work
        own = {u.source.path for u in self.units if u.own}
        sites = tuple((c, path) for c, path in zip(w.sites, w.site_paths, strict=True) if path in own)
        return Program(
            tuple(v for v in w.values if v.path in own), tuple(b for b in w.bodies if b.path in own),
            tuple(x for x in w.slots if x.body.path in own), tuple(x for x in w.lines if x.path in own), sites,
            tuple(r for r in w.rules if r[1].path in own), tuple(x for x in w.unseen if x[2].path in own),
            tuple(d for d in self.settled.defaults if d[1].path in own), w.cards, tuple(w.tests),
            tuple(w.forms), w.filled,
        )  # fmt: skip

    def expressions(self, source: Source, words: str, *, deck: bool = False) -> Expressions:
        return Expressions(self.s, self.report, source, self.uses, Site(words, deck=deck))

    def done(self, checker: Statements, unit: str, source: Source, stmts: tuple[Stmt, ...] = ()) -> None:
        """Take over what the check of a declaration has left."""
        w = self.work
        w.site_paths += [source.path] * (len(w.sites) - len(w.site_paths))
        w.calls.setdefault(unit, set()).update(checker.calls)
        w.given += checker.passed
        w.loops.extend((source, node, stmts) for node, stmts in checker.flow_loops)
        w.secret.extend((source, node, who, stmts) for node, who, stmts in checker.secret_bodies)
        if checker.own:
            made = [stmts] + [line.body.stmts for line in w.lines[w.lines_seen :] if line.body is not None]
            made += [(line.offer,) for line in w.lines[w.lines_seen :] if line.offer is not None]
            w.kept.extend(Kept(source, body, checker.origins) for body in made if body)
        w.lines_seen = len(w.lines)

    # ---- One declaration

    def unit(self, u: Unit) -> None:
        s, source, w = self.s, u.source, self.work
        match u.decl:
            case n.ValueDecl(name, _, _, body) if name.text in s.values and s.values[name.text].decl is u.decl:
                self.value(name.text, body, source)
            case n.EffectDecl(name) if name.text in s.effects and s.effects[name.text].decl is u.decl:
                self.effect(u.decl, u)
            case n.SetupDecl(body) | n.FlowDecl(body):
                self.part(body, "setup" if isinstance(u.decl, n.SetupDecl) else "flow", u)
            case n.CardDecl(name) if name.text in s.cards and s.cards[name.text].decl is u.decl:
                self.card(name.text)
            case n.DeckDecl() if s.deck is u.decl:
                deck = self.expressions(source, "a requirement of the deck", deck=True)
                w.rules.extend(check_deck(u.decl, s, self.uses, self.report, deck))
            case n.DecklistDecl(name) if name.text in s.decklists and s.decklists[name.text].decl is u.decl:
                check_decklist(u.decl, s, self.uses, self.report, source)
            case n.UnseenDecl():
                self.unseen(u.decl, source)
            case _:
                pass

    def bind(self, ex: Expressions, params: list[ParamSym]) -> tuple[Scope, tuple[Var, ...]]:
        """The parameters as locals of a body."""
        variables = tuple(Var(p.name, p.type) for p in params)
        ex.params = {p.name for p in params}
        sc = Scope()
        for var, p in zip(variables, params, strict=True):
            sc = sc.bind(var.name, var)
            if p.spot is not None:
                ex.bound[var.name] = p.spot[1]
        return sc, variables

    def value(self, name: str, body: n.Expr, source: Source) -> None:
        value = self.s.values[name]
        ex = self.expressions(source, f"value `{name}`")
        if self.probes is not None and value.own and name not in for_bots(self.s):
            ex.site.spot = Spot(self.probes, f"value {name}", source)
        sc, params = self.bind(ex, value.params)
        x = ex.need(body, sc, value.type, (source, value.decl.type, name, value.type))
        if value.type == BOOL and x.op != "const" and not isinstance(x.t, ErrorT):
            x = ex.tested(value.decl, x)
        self.work.values.append(ValueBody(name, params, x, value.type, source.path, source.line(body.span[0])))

    def statements(self, u: Unit, unit: str, words: str, of: str) -> Statements:
        spot = Spot(self.probes, of, u.source) if self.probes and u.own else None
        st = Statements(self.s, self.report, u.source, self.uses, Site(words, spot=spot))
        st.prepare(unit, self.work.sites, self.work.lines, self.work.told, u.own)
        return st

    def effect(self, decl: n.EffectDecl, u: Unit) -> None:
        name, source = decl.name.text, u.source
        st = self.statements(u, f"e_{name}", f"effect `{name}`", f"effect {name}")
        st.secret = name in self.s.secret_effects
        sc, params = self.bind(st, self.s.effects[name].params)
        stmts, _ = st.block(decl.body, sc)
        if decl.body.items:
            idents = {f.name.text: f.name for f in decl.params}
            for var in params:
                st.unused(idents[var.name], var, "parameter")
        line = source.line(decl.body.span[0])
        self.work.bodies.append(Body(name, params, stmts, source.path, line, name))
        self.done(st, name, source, stmts)

    def part(self, body: n.Block, word: str, u: Unit) -> None:
        """`setup` or `flow`."""
        source = u.source
        if any(b.name == word and b.event is None for b in self.work.bodies):
            return  # a second one has its finding
        st = self.statements(u, word, f"`{word}`", word)
        st.in_flow = word == "flow"
        stmts, _ = st.block(body, Scope())
        self.work.bodies.append(Body(word, (), stmts, source.path, source.line(body.span[0])))
        self.done(st, word, source, stmts)
        if word == "setup":
            st.idle(body, "`setup`")
        elif graphs.falls(stmts):
            message = "the flow can reach its end without `win`, `lose` or `tie`"
            help = "end it with one of them, or play on in a `loop`"
            last = body.items[-1] if body.items else None
            if type(last) is n.CallStmt:  # which may be an end, but nothing is known of what cards make of it
                help += f"; the call of `{last.call.name.text}` is no end, for cards may take its place"
            self.report.add("E404", source, body, message, help)

    def card(self, name: str) -> None:
        w, sym = self.work, self.s.cards[name]
        given = self.card_check.card(sym)
        if given is None:
            return
        w.cards[name] = given
        self.slots(sym, sym.decl.lines, name, name)
        keys: dict[object, n.Node] = {}
        for line in sym.decl.lines:
            if type(line) is n.CardForm:
                self.form(sym, line, keys)

    def slots(self, sym: CardSym, lines: tuple[n.CardLine, ...], printed: str, unit: str) -> None:
        """The slots that a card, or one of its forms, fills. `printed` is its id, `unit` begins the names in its
        code."""
        s, w = self.s, self.work
        filled = w.filled.setdefault(printed, {})
        for line in lines:
            if type(line) is not n.CardSlot or line.name.text in filled:
                continue
            found = s.slot(sym.kind, line.name.text)
            if found is None:
                continue
            kind, slot = found
            what = f"slot `{slot.name}`"
            filled[slot.name] = self.constants(line.args, slot.params, what, line.name, sym.source)
            self.uses.writes.add(("slot", kind.name, slot.name))
            spot = Spot(self.probes, f"card {printed}", sym.source) if self.probes and sym.own else None
            ab = Abilities(s, self.report, sym.source, self.uses, Site(what, spot=spot))
            ab.prepare(f"{unit}·{slot.name}", w.sites, w.lines, w.told, sym.own)
            ab.line_calls, ab.heads, ab.printed_card = [], {}, printed
            stmts: tuple[Stmt, ...] = ()
            if slot.nature == "static":
                ab.static_slot(unit, sym.kind, slot, line.body)
            else:
                w.slots.append(SlotBody(printed, slot.name, ab.effect_slot(unit, sym.kind, slot, line.body)))
                stmts = w.slots[-1].body.stmts
                w.calls.setdefault(f"·{slot.name}", set()).update(ab.calls)
            w.line_work.update(dict(ab.line_calls))
            w.spots.update({name: graphs.Spot(sym.source, node, sym.own) for name, node in ab.heads.items()})
            self.done(ab, f"{printed}.{slot.name}", sym.source, stmts)
        if not filled:
            del w.filled[printed]

    def constants(
        self, args: tuple[n.Arg, ...], params: dict[str, FieldSym], what: str, at: n.Node, source: Source
    ) -> dict[str, object]:
        """The arguments that a card gives to a slot or a form."""
        if not args and not params:
            return {}
        ex = Expressions(self.s, self.report, source, self.uses, Site(what, fixed=True))
        call = n.Call(n.Ident(what, span=at.span), args, span=at.span)
        wanted = [ParamSym(p.name, p.type, p.default, (p.source, p.ident)) for p in params.values()]
        xs = ex.args(call, wanted, Scope(), what)
        out: dict[str, object] = {}
        for x, p in zip(xs or (), params.values(), strict=False):
            if x.op == "const":
                out[p.name] = x.args[0]
            else:
                self.report.add("E201", source, at, f"`{p.name}` is no constant", "write the number or the word itself")
        return out

    def form(self, sym: CardSym, line: n.CardForm, keys: dict[object, n.Node]) -> None:
        """Another side of a card, known by the first argument of its form."""
        s, w = self.s, self.work
        form = s.form(sym.kind)
        name = line.name.text
        if form is None or form.name != name:
            help = near(name, [form.name] if form else [])
            self.report.unknown("E304", sym.source, line.name, name, f"kind `{sym.kind}` has no form `{name}`", help)
            return
        args = self.constants(line.args, form.params, f"form `{name}`", line.name, sym.source)
        first = next(iter(form.params.values()), None)
        if first is None or first.name not in args:
            return
        value = args[first.name]
        key: object = value
        if isinstance(first.type, EnumT) and isinstance(value, int):
            key = s.enums[first.type.name].members[value]
        if key in keys:
            self.report.add(
                "E302", sym.source, line.name, f"two forms have the {first.name} {key}",
                "forms of a card differ in their first argument", [(sym.source, keys[key], "the other one")],
            )  # fmt: skip
            return
        keys[key] = line.name
        if not line.lines:
            self.report.add(
                "E209", sym.source, line.name, "this form changes nothing", "say what differs, or leave it out"
            )
        for inner in line.lines:
            if isinstance(inner, n.CardForm):
                help = "forms stand side by side in the card"
                self.report.add("E204", sym.source, inner.name, "a form stands inside a form", help)
        printed = f"{sym.name}/{key}"
        given = self.card_check.lines(sym, line.lines, line.name, whole=False)
        self.slots(sym, line.lines, printed, f"{sym.name}·{key}")
        w.forms.append((printed, sym.name, form.name, key, args, given))

    def unseen(self, decl: n.UnseenDecl, source: Source) -> None:
        s = self.s
        found = self.settled.types(source).type(n.NamedType(decl.kind, decl.place, span=decl.kind.span))
        if not isinstance(found, CardT) or found.where is None:
            return
        ex = self.expressions(source, "`unseen`")
        if found.where not in s.faces and not self.hides(found.where):
            message = f"every card in `{found.where}` is seen by all, so nothing lies there unseen"
            self.report.add_late("E209", source, decl.place, message, "remove it")
        var, sc = ex.local(decl.name, found, Scope())
        x, _, _ = ex.cond(decl.cond, sc)
        ex.unused(decl.name, var, "card")
        line = source.line(decl.cond.span[0])
        fn = Function(f"unseen_{len(self.work.unseen)}", (var,), x, source.path, line)
        self.work.unseen.append((decl.kind.text, decl.place.text, fn))

    def hides(self, where: str) -> bool:
        s = self.s
        places = [s.zones[where].place] if where in s.zones else list(s.boards[where].parts.values())
        return not places or any(p.sight != "all" for p in places)

    def test(self, decl: n.TestDecl, source: Source) -> None:
        first = self.titles.setdefault(decl.title.value, (source, decl.title))
        if first[1] is not decl.title:
            self.report.add(
                "E102", source, decl.title, "another test has this title", "tell them apart",
                [(first[0], first[1], "the other one")],
            )  # fmt: skip
        uses = Uses(chances=self.uses.chances | self.others.chances)
        for case in cases(decl, source, self.s, self.report):
            st = Scripts(self.s, self.report, source, uses, Site("a test", test=True))
            unit = f"test_{len(self.work.tests)}"
            st.prepare(unit, self.others.sites or self.work.sites, [], [])
            columns = () if decl.cases is None else decl.cases.columns
            self.work.tests.append(st.test_decl(case.decl, unit, case.title, case.at, columns))
        self.uses.reads.update(
            key for key in uses.reads if key[0] in ("effect", "value", "card", "field", "slotarg", "form", "column")
        )

    # ---- The whole

    def whole(self, facts: Facts) -> None:
        """What only the whole package tells; `facts` are of its cards that stand elsewhere. Raises Unsure.

        What is added here must be asked of those cards too: by their facts, or where they are (`cardc.separate`)."""
        self.circles(facts)
        asking, bodies = self.asking(), self.bodies()
        self.endings(asking, bodies)
        for name in sorted(ANSWERED & self.s.effects.keys()):
            self.answered(name, name in asking)
        self.sight = Sight(self.s, self.work.values, self.work.lines)
        giving = Giving(self.sight, bodies, self.work.told, self.work.given)
        giving.search(self.work.told, self.work.given, self.report)
        keeping = Keeping(self.sight, bodies, asking, self.report)
        telling = Telling(self.s, self.work.values, self.report)
        for kept in self.work.kept:
            keeping.search(kept)
            telling.search(kept)
        self.settings = read_settings(self.units, self.s, self.report)
        self.uses.reads.update(("field", k.name, self.settings.credit) for k in self.s.kinds.values()
                               if self.settings.credit in k.fields)  # fmt: skip
        Usage(self.s, Uses(self.uses.reads | facts.reads, self.uses.writes | facts.writes), self.report).check()

    def bodies(self) -> Bodies:
        """The bodies of effects, with their parameters."""
        return {b.event: (b.params, b.stmts) for b in self.work.bodies if b.event}

    def asking(self) -> set[str]:
        """The effects that may ask somebody."""
        bodies, asking = self.bodies(), set[str]()
        while more := {e for e, (_, stmts) in bodies.items() if e not in asking and graphs.may_ask(stmts, asking)}:
            asking |= more
        return asking

    def endings(self, asking: set[str], bodies: Bodies) -> None:
        """Loops end, and secret choices come first."""
        for source, node, stmts in self.work.loops:
            if not graphs.may_ask(stmts, asking):
                help = "ask somebody inside it, or use `for each`, or `repeat`, which `stop` leaves"
                self.report.add("E403", source, node, "this loop holds no decision, so it may never end", help)
        for source, node, who, stmts in self.work.secret:
            wrong = graphs.secret_start(stmts, who, bodies)
            if wrong is not None:
                help = "put other statements in front of `together each`, or into the block of the choice"
                self.report.add("E407", source, node, wrong, help)

    def answered(self, name: str, asks: bool) -> None:
        """`timeout` and `forfeit` are called by the host of a match, with the player."""
        sym = self.s.effects[name]
        types: list[Type] = [p.type for p in sym.params]
        if types != [PLAYER] and not any(isinstance(t, ErrorT) for t in types):
            help = f"write `effect {name}(p: player) {{ … }}`"
            message = f"effect `{name}` answers the host of a match, who gives it one player"
            self.report.add("E202", sym.source, sym.ident, message, help)
        if asks:
            message = f"effect `{name}` may ask somebody, but nobody answers the host of a match"
            self.report.add("E204", sym.source, sym.ident, message, "end the match, or let it go on")

    def line_reads(self, line: AbilityLine) -> set[str]:
        """The values that a modifier reads, its condition and that of its slot."""
        s = self.s
        reads: set[str] = set()
        for fn in (line.cond, line.value):
            reads |= set() if fn is None else set(values_in(fn.body))
        when = s.slot(s.cards[line.card.split("/")[0]].kind, line.slot)
        if when is not None and when[1].when is not None:
            reads |= self.settled.conditions.get((when[0].name, line.slot), set())
        return reads

    def circles(self, facts: Facts) -> None:
        s, w = self.s, self.work
        spots = {v.name: graphs.Spot(v.source, v.ident, v.own) for v in s.values.values()}
        graph = {v.name: set(values_in(v.body)) for v in w.values}
        alone = {name: frozenset(reads) for name, reads in graph.items()}
        closers: dict[tuple[str, str], list[tuple[str, graphs.Spot]]] = {}
        for line in w.lines:
            if line.kind != "modifier":
                continue
            reads = self.line_reads(line)
            for r in sorted(reads - alone.get(line.of, frozenset())):
                closers.setdefault((line.of, r), []).append((line.card, w.spots[line.name]))
            graph.setdefault(line.of, set()).update(reads)
        if facts.edges:
            for of, read in facts.edges:
                graph.setdefault(of, set()).add(read)
            if graphs.circle(graph, sorted(graph)):
                raise Unsure  # the cards that close it are elsewhere
        graphs.value_circles(graph, closers, spots, self.report)
        effect_spots = {e.name: graphs.Spot(e.source, e.ident, e.own) for e in s.effects.values()}
        graphs.effect_circles({k: v for k, v in w.calls.items() if k in s.effects}, effect_spots, self.report)
        calls = {name: w.calls.get(name, set()) | facts.calls.get(name, set()) for name in {**w.calls, **facts.calls}}
        graphs.event_circles(calls, self.heard(), facts.heard, self.report)

    def heard(self) -> list[graphs.Heard]:
        """The lines that listen without a limit: to which event, of which card, and what they do."""
        w = self.work
        return [
            (x.of, x.card, w.line_work.get(x.name, frozenset()), w.spots[x.name])
            for x in w.lines
            if x.kind in ("on", "offer") and x.once is None and x.until is None
        ]


__all__ = ["Checker", "Key", "X"]
