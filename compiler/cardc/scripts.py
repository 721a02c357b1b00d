"""Checks in-language tests and elaborates them into steps.

Assumes collected symbols. Establishes: every step is a list of pure functions of the match and the test's locals so
far; what is given can be put there. A test knows what it places: where a card lies is not asked of it, but looked up
when the test runs.
"""

from __future__ import annotations

from msgspec.structs import replace

from cardc import nodes as n
from cardc.display import plural
from cardc.ir import CAlt, CPick, Function, Place, Shown, Step, Test, Var, X
from cardc.report import Report, near, there_are
from cardc.scope import Scope, bounds
from cardc.searches import key, parts
from cardc.statements import Statements
from cardc.typenames import find_twice
from cardc.types import (
    BOOL,
    ERROR,
    INT,
    PLAYER,
    BoardT,
    BoolT,
    CardT,
    ElementT,
    EmptyT,
    EnumT,
    ErrorT,
    FormT,
    IntT,
    LineT,
    ListT,
    LogT,
    NoneT,
    OptT,
    PlayerT,
    PrintedT,
    SetT,
    SlotT,
    TextT,
    Type,
    strip,
    to_data,
)


def shown_name(pick: CPick) -> str:
    """The name of a pick as its author wrote it."""
    return pick.var.name.rsplit("_", 1)[0]


def _target(x: X) -> object:
    """What tells apart the places and fields that are given."""
    place = x.args[0] if x.args else None
    if isinstance(place, Place):
        return place.owner, place.part, *(None if at is None else key(at) for at in (place.element, place.seat))
    return key(x)


class Scripts(Statements):
    """Elaborates one `test`."""

    steps: list[Step]
    locals: list[Var]
    written_fns = 0
    acted = False
    said: dict[object, n.Node]
    """What one `given` says, each with where it says so."""

    def test_decl(
        self, decl: n.TestDecl, unit: str, title: str, at: n.Node, columns: tuple[n.Ident, ...] = ()
    ) -> Test:
        """The test that a declaration or a row of its table is; no local may have the name of one of `columns`."""
        self.unit = unit
        self.steps, self.locals, self.written_fns = [], [], 0
        sc = Scope()
        for column in columns:
            sc = sc.bind(column.text, Var(column.text, ERROR))
        lets: list[tuple[n.Ident, Var]] = []
        expects = False
        find_twice(self.report, self.source, decl.covers, "rule", "E302")
        for item in decl.items:
            expects = expects or self.can_fail(item)
            sc = self.step(item, sc, lets)
        if not expects:
            help = "add `expect …`, or `… cannot choose …`: what a test expects is what it shows"
            self.err("E409", decl.title, "this test expects nothing", help)
        for ident, var in lets:
            self.unused(ident, var, "local")
        covers = tuple(c.text for c in decl.covers)
        return Test(title, covers, self.source.path, self.line(at), tuple(self.steps))

    def can_fail(self, item: n.TestItem) -> bool:
        return isinstance(item, n.Expect | n.ExpectEnd) or (isinstance(item, n.Answer) and item.negated)

    # ---- Parts

    def text(self, node: n.Node) -> str:
        return " ".join(self.source.text[node.span[0] : node.span[1]].split())

    def fn(self, x: X, node: n.Node) -> Function:
        self.written_fns += 1
        return Function(f"{self.unit}_{self.written_fns}", tuple(self.locals), x, self.source.path, self.line(node))

    def put(
        self,
        kind: str,
        node: n.Node,
        names: tuple[str | None, ...] = (),
        xs: tuple[X, ...] = (),
        shown: tuple[Shown, ...] = (),
    ) -> None:
        if not any(isinstance(x.t, ErrorT) for x in xs):
            fns = tuple(self.fn(x, node) for x in xs)
            self.steps.append(Step(kind, self.line(node), self.text(node), names, fns, shown))

    def let_step(self, item: n.Let, sc: Scope, lets: list[tuple[n.Ident, Var]]) -> Scope:
        x = self.expr(item.value, sc)
        if isinstance(x.t, BoardT):
            x = self.as_list(x) or x
        t = x.t
        if isinstance(t, PrintedT):
            message = "this is a printed card, not one in the match"
            x = self.err("E201", item.value, message, f"write `new {self.text(item.value)}`")
            t = x.t
        elif isinstance(t, NoneT | EmptyT | SlotT):
            x = self.err("E201", item.value, f"this is {self.say(t)}, which cannot be kept in a local")
            t = x.t
        var, sc = self.local(item.name, t, sc)
        self.put("let", item, (item.name.text,), (x,))
        self.locals.append(var)
        lets.append((item.name, var))
        return sc

    def step(self, item: n.TestItem, sc: Scope, lets: list[tuple[n.Ident, Var]]) -> Scope:
        match item:
            case n.Given(items):
                self.said = {}
                for g in items:
                    sc = self.given(g, sc, lets)
            case n.Let():
                return self.let_step(item, sc, lets)
            case n.WhenCall(call):
                self.acted = True
                self.when_call(call, sc)
            case n.WhenPart(part):
                self.acted = True
                self.when_part(item, part)
            case n.Answer():
                self.answered(item)
                self.answer(item, sc)
            case n.Expect(cond):
                self.expect(item, cond, sc)
            case n.ExpectEnd():
                self.expect_end(item, sc)
        return sc

    def answered(self, item: n.Answer) -> None:
        if not self.acted:
            self.err("E204", item, "nothing has asked anybody yet", "write `when …` first")

    def expect(self, item: n.Expect, cond: n.Expr, sc: Scope) -> None:
        x = self.coerce(self.expr(cond, sc, BOOL), BOOL, cond)
        if x.op == "const":
            self.err("E209", cond, "this expectation does not depend on the match", "expect something of the match")
        elif not isinstance(x.t, ErrorT):
            self.put("expect", item, (), (x,), self.shown(cond, x, sc))

    def expect_end(self, item: n.ExpectEnd, sc: Scope) -> None:
        reason = item.reason.value if item.reason else None
        if item.kind == "no":
            self.put("open", item)
        elif item.player is None:
            self.put("tie", item, (reason,))
        else:
            who = self.need(item.player, sc, PLAYER)
            if item.kind == "lose" and not isinstance(who.t, ErrorT):
                who = X("opponent", (who,), PLAYER, who.span)
            self.put("win", item, (reason,), (who,))

    # ---- Given

    def given(
        self, g: n.GivenOption | n.GivenChance | n.Let | n.Assign, sc: Scope, lets: list[tuple[n.Ident, Var]]
    ) -> Scope:
        match g:
            case n.Let():
                return self.let_step(g, sc, lets)
            case n.GivenOption(name, value):
                self.option(name, value, g, sc)
            case n.GivenChance(name, value):
                self.given_chance(name, value, g, sc)
            case n.Assign(target, _, value):
                self.set(target, value, g, sc)
        return sc

    def option(self, name: n.Ident, value: n.Expr, node: n.Node, sc: Scope) -> None:
        if self.acted:
            self.err("E204", node, "an option is settled before anything happens", "give it where the test begins")
            return
        option = self.s.options.get(name.text)
        if option is None:
            help = near(name.text, self.s.options)
            self.unknown("E101", name, name.text, f"no option is called `{name.text}`", help)
            return
        x = self.exact(value, sc, option.type)
        if x is None or self.said_twice(("option", name.text), name):
            return
        if x.op != "const":
            self.err("E201", value, "an option is given as a constant", "write the number or the word")
        else:
            self.put("option", node, (name.text,), (x,))

    def given_chance(self, name: n.Ident, value: n.Expr, node: n.Node, sc: Scope) -> None:
        verb, *words = name.text.split(" ")
        if verb == "shuffle":
            self.given_shuffle(name, words, value, node, sc)
        elif verb == "pick":
            self.given_pick(name, words, value, node, sc)
        else:
            self.err("E101", name, f"no chance is called `{verb}`", "chance is `shuffle ZONE` or `pick NAME`")

    def given_shuffle(self, name: n.Ident, words: list[str], value: n.Expr, node: n.Node, sc: Scope) -> None:
        zone = self.s.zones.get(words[0])
        if zone is None:
            help = near(words[0], self.s.zones)
            self.unknown("E101", name, words[0], f"no zone is called `{words[0]}`", help)
            return
        if zone.place.each and words[1:] not in ([], ["0"], ["1"]):
            help = f"write `shuffle {zone.name} 0` for that of the first player"
            self.err("E202", name, f"there is no player {words[1]}", help)
            return
        if not zone.place.each and words[1:]:
            self.err("E202", name, f"zone `{zone.name}` is shared, so it has no number", f"write `shuffle {zone.name}`")
            return
        if not isinstance(value, n.ListLit):
            self.err("E201", value, "a shuffle is given by the cards on top, topmost first, in brackets")
            return
        xs = self.cards(value, sc)
        if xs is not None:
            self.put("chance", node, (name.text, *self.card_words(xs)), tuple(xs))

    def given_pick(self, name: n.Ident, words: list[str], value: n.Expr, node: n.Node, sc: Scope) -> None:
        if words[1:]:
            self.err("E202", name, "a pick has no number", f"write `pick {words[0]}`")
            return
        known = self.uses.chances
        if words[0] not in known:
            help = near(words[0], known) or "a pick is named after the local or field that it fills"
            self.unknown("E101", name, words[0], f"nothing called `{words[0]}` is filled by chance", help)
            return
        wanted = known[words[0]]
        x = self.expr(value, sc, wanted)
        if isinstance(x.t, ErrorT):
            return
        if not self.answerable(x.t, wanted):
            help = f"where different things are drawn as `{words[0]}`, call them by names of their own"
            self.wanted(value, x, self.say(wanted), help)
            return
        # a bare id stands for a card of the match that it is printed on, where one is drawn
        printed = isinstance(x.t, PrintedT) and isinstance(strip(wanted), CardT)
        self.put("chance", node, (name.text, "printed" if printed else "value"), (x,))

    def card_words(self, xs: list[X]) -> tuple[str, ...]:
        return tuple("card" if isinstance(c.t, CardT) else "printed" for c in xs)

    def set(self, target: n.Expr, value: n.Expr, node: n.Node, sc: Scope) -> None:
        """`given` puts something somewhere."""
        known = frozenset(self.uses.reads)
        x = self.expr(target, sc)
        if isinstance(x.t, ErrorT) or self.said_twice(_target(x), target):
            return
        if (found := self.location(x)) is not None:
            where, t = found
            if where not in known:
                self.uses.reads.discard(where)
            v = self.exact(value, sc, t)
            if v is not None:
                owner = x.args[-1] if isinstance(x.args[-1], X) else X("const", (None,), PLAYER)
                self.put("set", node, where, (owner, v))
            return
        base = x.args[0] if x.args else None
        match x.op:
            case "place" | "one":
                self.fill(x, value, node, sc)
            case "own_decklist":
                xs = self.cards(value, sc)
                if xs is not None and isinstance(base, X):
                    self.put("decklist", node, self.card_words(xs), (base, *xs))
            case "face_up" if isinstance(base, X):
                self.put("face", node, (), (base, self.need(value, sc, BOOL)))
            case "not" if isinstance(base, X) and base.op == "face_up":
                card = base.args[0]
                v = self.need(value, sc, BOOL)
                assert isinstance(card, X)
                self.put("face", node, (), (card, v if isinstance(v.t, ErrorT) else X("not", (v,), BOOL, v.span)))
            case "owner" if isinstance(base, X):
                self.put("owner", node, (), (base, self.need(value, sc, PLAYER)))
            case _:
                help = "given are options, chance, state, cards in their places, faces and owners"
                if x.op == "option":
                    help = f"write `option {base} = …`"
                elif x.op in ("parts", "parts_of"):
                    help = f"say which place, and whose: `….{x.args[1]}[me] = […]`"
                self.err("E208", target, "this is nothing that `given` can set", help)

    def said_twice(self, what: object, node: n.Node) -> bool:
        """A finding for what one `given` has said already."""
        first = self.said.setdefault(what, node)
        if first is not node:
            label = (self.source, first, "the first time")
            self.err("E302", node, f"`{self.text(node)}` is given twice", "say it once", [label])
        return first is not node

    def exact(self, value: n.Expr, sc: Scope, t: Type) -> X | None:
        """What is given is not brought into a range: it is in it, or it is wrong."""
        v = self.need(value, sc, t)
        if isinstance(v.t, ErrorT):
            return None
        inner = v.args[0] if v.op == "clamp" else v
        assert isinstance(inner, X)
        if v.op == "clamp" and isinstance(v.t, IntT) and isinstance(inner.t, IntT):
            low, high = bounds(v.t, self.s)
            least, most = bounds(inner.t, self.s)
            below = low is not None and most is not None and most < low
            if below or (high is not None and least is not None and least > high):
                what = str(least) if least == most else "this"
                self.err("E303", value, f"{what} is outside {self.say(v.t)}")
                return None
        return inner

    def cards(self, value: n.Expr, sc: Scope) -> list[X] | None:
        items = value.items if isinstance(value, n.ListLit) else (value,)
        out = []
        for i in items:
            x = self.expr(i, sc)
            if not isinstance(x.t, CardT | PrintedT):
                self.wanted(i, x, "a card")
                return None
            out.append(x)
        return out

    def fill(self, x: X, value: n.Expr, node: n.Node, sc: Scope) -> None:
        place = x.args[0]
        assert isinstance(place, Place)
        xs = self.cards(value, sc)
        if xs is None:
            return
        for c in xs:
            assert isinstance(c.t, CardT | PrintedT)
            if not self.holds(place, c.t.kind, value):
                return
        items = value.items if isinstance(value, n.ListLit) else (value,)
        placed: dict[str, n.Expr] = {}
        for c, item in zip(xs, items, strict=True):
            first = placed.setdefault(c.args[0].name, item) if isinstance(c.args[0], Var) else item
            if first is not item:
                label = (self.source, first, "the first time")
                help = "a card lies there once: remove it, or make another one: `let d = new …`"
                self.err("E302", item, f"`{self.text(item)}` is put there twice", help, [label])
                return
        most = self.spec(place).most
        if isinstance(most, int) and len(xs) > most:
            self.err("E303", value, f"this place holds at most {plural(most, 'card')}, not {len(xs)}")
            return
        self.put("put", node, self.card_words(xs), (X("place_id", (place,), INT), *xs))

    # ---- What happens

    def when_call(self, call: n.Call, sc: Scope) -> None:
        name = call.name.text
        effect = self.s.effects.get(name)
        if effect is None:
            help = "a value is read in `expect`" if name in self.s.values else near(name, self.s.effects)
            if any(a.verb == name for choice in self.sites for a in choice.alts):
                help = f"it is a verb of choices: `me chooses {name}(…)`"
            help = help or there_are(self.s.effects)
            self.unknown("E101", call.name, name, f"no effect is called `{name}`", help)
            return
        self.uses.reads.add(("effect", effect.name))
        args = self.args(call, effect.params, sc, f"effect `{effect.name}`")
        if args is not None:
            self.put("call", call, (effect.name,), tuple(args))

    def when_part(self, item: n.WhenPart, part: str) -> None:
        wanted = n.SetupDecl if part == "setup" else n.FlowDecl
        if not any(isinstance(u.decl, wanted) for u in self.s.units) and part not in self.report.broken:
            self.err("E108", item, f"the game has no `{part}`")
            return
        self.put(part, item)

    def answer(self, item: n.Answer, sc: Scope) -> None:
        who = self.need(item.who, sc, PLAYER)
        if item.verb is None:
            self.put("decline", item, (), (who,))
            return
        verb = item.verb.text
        alts = [a for choice in self.sites for a in choice.alts if a.verb == verb]
        if not alts:
            known = [a.verb for choice in self.sites for a in choice.alts]
            help = near(verb, known) or there_are(known)
            if verb in ("none", "nothing", "pass") and not item.negated:
                help = "write `chooses nothing`"
            self.unfit("E101", item.verb, f"no choice has an alternative `{verb}`", help)
            return
        groups: dict[tuple[tuple[str | None, ...], tuple[X, ...]], list[str]] = {}
        for choice in self.sites:
            for alt in choice.alts:
                if alt.verb == verb and (found := self.tried(item, sc, alt)) is not None:
                    # a choice that stands elsewhere in the package is known by the picks of its alternative
                    site = choice.site or "·" + ",".join(shown_name(p) for p in alt.picks)
                    groups.setdefault(found, []).append(site)
        if not groups:
            self.picks_given(item, sc, verb, alts)
            return
        # which of the choices that have this verb is meant, only the match can tell
        names: list[str | None] = []
        xs: list[X] = []
        for (words, values), sites in groups.items():
            names += [" ".join(sites), str(len(values)), *words]
            xs += values
        self.put("refuse" if item.negated else "choose", item, (verb, *names), (who, *xs))

    def tried(
        self, item: n.Answer, sc: Scope, alt: CAlt
    ) -> tuple[tuple[str | None, ...], tuple[X, ...]] | None:
        """What an answer means for one alternative; None where it does not fit it."""
        kept, self.report = self.report, Report(self.report.broken)
        found = self.picks_given(item, sc, alt.verb, [alt])
        tried, self.report = self.report, kept
        if found is None or tried.errors:
            return None
        self.report.extend(tried.findings())
        return found

    def picks_given(
        self, item: n.Answer, sc: Scope, verb: str, alts: list[CAlt]
    ) -> tuple[tuple[str | None, ...], tuple[X, ...]] | None:
        """The picks of an answer to one of these alternatives, by name and what is given for them; None after a
        finding."""
        names: list[str | None] = []
        xs: list[X] = []
        for i, a in enumerate(item.args):
            pick = self.picked(a, i, verb, alts)
            if pick is None:
                return None
            wanted = strip(pick.type)
            x = self.expr(a.value, sc, wanted)
            left_out = isinstance(x.t, NoneT) and isinstance(pick.type, OptT)
            if not left_out and not self.answerable(x.t, wanted, item.negated):
                self.wanted(a, x, self.say(wanted))
                return None
            name = shown_name(pick)
            if name in names[::2]:
                self.err("E302", a, f"pick `{name}` is given twice", "remove one")
                return None
            names += [name, "printed" if isinstance(x.t, PrintedT) else "value"]
            xs.append(x)
        return tuple(names), tuple(xs)

    def picked(self, a: n.Arg, i: int, verb: str, alts: list[CAlt]) -> CPick | None:
        """The pick that an argument of an answer is for."""
        if a.name is not None:
            name = a.name.text
            found = [p for alt in alts for p in alt.picks if shown_name(p) == name]
            if not found:
                known = {shown_name(p) for alt in alts for p in alt.picks}
                self.unfit("E105", a.name, f"alternative `{verb}` has no pick `{name}`", near(name, known))
        else:
            found = [alt.picks[i] for alt in alts if i < len(alt.picks)]
            if not found:
                most = max(len(alt.picks) for alt in alts)
                self.unfit("E202", a, f"alternative `{verb}` has {plural(most, 'pick')}, not {i + 1}")
        return found[0] if found else None

    def unfit(self, code: str, node: n.Node, message: str, help: str | None = None) -> None:
        """An answer that fits no choice; which there are is not known while something is broken."""
        if not self.report.broken:
            self.err(code, node, message, help)

    def answerable(self, t: Type, wanted: Type, refused: bool = False) -> bool:
        """Whether an answer may be meant for a pick; that a card is refused can be said of any card."""
        inner = strip(t)
        match wanted, inner:
            case _, ErrorT():
                return False
            case CardT(), CardT() | PrintedT():
                return refused or self.s.related(wanted.kind, inner.kind)
            case (IntT(), IntT()) | (PlayerT(), PlayerT()):
                return True
            case PrintedT(), PrintedT():
                return self.s.related(wanted.kind, inner.kind)
        return inner == wanted

    # ---- What a failure shows

    def shown(self, e: n.Expr, x: X, sc: Scope) -> tuple[Shown, ...]:
        """The sides of comparisons and the values called, outermost first, each once."""
        out: dict[str, Shown] = {}
        for p in parts(x):
            sides = [p] if p.op == "value" else [a for a in p.args[1:] if isinstance(a, X)] if p.op == "cmp" else []
            if p.op in ("inplace", "inlist", "inplaces", "has", "isnone", "notnone", "empty"):
                sides = [a for a in p.args[:1] if isinstance(a, X)]
            if p.op in ("sees", "log_has", "flaws"):
                sides = [a for a in p.args[:2] if isinstance(a, X) and not isinstance(a.t, PlayerT)]
            for side in sides:
                if side.op in ("const", "error", "clamp") or side.span == (0, 0):
                    continue
                bound = {v.name for v in self.locals}
                if any(
                    q.op == "var" and isinstance(q.args[0], Var) and q.args[0].name not in bound for q in parts(side)
                ):
                    continue
                text = " ".join(self.source.text[side.span[0] : side.span[1]].split())
                t = _shown_type(side.t)
                if text in out or t is None:
                    continue
                value = None
                if side.op == "value":
                    value = (str(side.args[0]), tuple(self.fn(a, e) for a in side.args[1:] if isinstance(a, X)))
                if p.op in _OF_PLACES and isinstance(side.t, CardT):
                    t = {**t, "lies": True}
                out[text] = Shown(text, t, self.fn(replace(side), e), value)
        return tuple(out.values())


_OF_PLACES = frozenset({"inplace", "inlist", "inplaces", "sees"})
"""What depends on where a card lies."""


def _shown_type(t: Type) -> dict[str, object] | None:
    """How a value of the type is written where a test fails; None where it is not."""
    match t:
        case TextT():
            return {"t": "text"}
        case LogT():
            return {"t": "log"}
        case ListT(item) | OptT(item):
            inner = _shown_type(item)
            return None if inner is None else {"t": "list" if isinstance(t, ListT) else "optional", "of": inner}
        case IntT() | BoolT() | EnumT() | SetT() | PlayerT() | CardT() | PrintedT() | ElementT() | LineT() | FormT():
            return to_data(t)
        case _:
            return None
