"""The options of a choice in the direct form: as few passes over as few cards as can be.

Assumes that conditions are pure; the order of options is that of `Options.stepped`. Establishes:

- Alternatives that begin with a pick from one collection share a pass over it (a scan), and what all of them demand is
  tested once a card.
- A pick from all of a board goes element by element where what follows looks at the card's element: what depends on
  nothing else is computed once an element, and only where a card gets that far.
- Where no pick looks at another, the options are a plain product, which is counted and never formed; its later picks
  are listed only where the first has something.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, field

from cardc.emit.expressions import FEW, Writer, nested
from cardc.emit.options import COMPUTED, Options
from cardc.ir import CAlt, CPick, SChoose, Var, X
from cardc.searches import Key, key, mentions, parts
from cardc.symbols import Symbols
from cardc.types import BOOL, BoolT, CardT, EnumT, IntT, ListT, PlayerT, PrintedT, SetT

MOST_LOOPS = 2
"""So many picks are loops inside each other; more stay one expression, which `card_runtime.tabling` looks up."""

_ATOMS = frozenset({"var", "const", "option", "player", "opponent", "field", "dfield", "card", "iskind"})
_SIMPLE = frozenset({"cmp", "and", "or", "not", "add", "sub", "mul", "div", "neg", "has", "meets", "min", "max", "abs"})


class Output(Protocol):
    def put(self, text: str) -> None: ...
    def indent(self) -> None: ...
    def dedent(self) -> None: ...


class Lists(Struct, frozen=True):
    """`counts`: how many options each alternative has; `unpacks`: how an answer's number `[i_]` reaches its locals."""

    counts: list[str]
    unpacks: list[str | None]


class Lister(Struct, frozen=True):
    """One list that a scan makes: of what `var` goes through where `conds` hold, each with all answers to `rest`."""

    name: str
    var: Var
    conds: list[X]
    rest: tuple[CPick, ...]


class Scan(Struct):
    source: X
    when: X | None
    listers: list[Lister] = field(default_factory=list)


class Scans:
    def __init__(self, s: Symbols, writer: Writer, options: Options, out: Output) -> None:
        self.s = s
        self.w = writer
        self.options = options
        self.out = out

    def lists(self, s: SChoose, k: int) -> Lists:
        """Write the statements that list the options of all alternatives."""
        scans: dict[tuple[Key, Key], Scan] = {}
        whole: dict[int, str] = {}
        for i, alt in enumerate(s.alts):
            name = f"o_{k}_{i}"
            if not alt.picks:
                continue
            text = self.whole(alt, name)
            if text is not None:
                whole[i] = text
                continue
            product = independent(alt)
            pick = alt.picks[0]
            source, kinds = self.domain(pick)
            lister = Lister(
                f"{name}_0" if product else name,
                pick.var,
                kinds + ([] if pick.where is None else self.w.flat(pick.where, "and")),
                () if product else alt.picks[1:],
            )
            group = (key(source), ("always",) if alt.when is None else key(alt.when))
            scans.setdefault(group, Scan(source, alt.when)).listers.append(lister)
        for n, scan in enumerate(scans.values()):
            self.scan(scan, f"{k}_{n}")
        counts: list[str] = []
        unpacks: list[str | None] = []
        for i, alt in enumerate(s.alts):
            name = f"o_{k}_{i}"
            when = None if alt.when is None else self.w.x(alt.when)
            if not alt.picks:
                if when:
                    self.out.put(f"{name} = 1 if {when} else 0")
                counts.append(name if when else "1")
                unpacks.append(None)
            elif independent(alt):
                if i in whole:
                    self.out.put(f"{name}_0 = {whole[i]} if {when} else ()" if when else f"{name}_0 = {whole[i]}")
                unpacks.append(self.product(alt, name))
                counts.append(name)
            else:
                if i in whole:
                    self.out.put(f"{name} = {whole[i]} if {when} else ()" if when else f"{name} = {whole[i]}")
                counts.append(f"len({name})")
                unpacks.append(f"{', '.join(self.w.where(p.var) for p in alt.picks)} = {name}[i_]")
        return Lists(counts, unpacks)

    def whole(self, alt: CAlt, name: str) -> str | None:
        """The list of an alternative's options (of its first pick, in a product) where no scan makes it."""
        pick = alt.picks[0]
        product = independent(alt)
        if product and pick.where is None and pick.source.op != "filter":
            return self.w.x(pick.source)
        if pick.source.op in ("elements", "players") and pick.where is not None and (product or len(alt.picks) == 1):
            return self.options.filtered(pick, self.w.x(pick.source), [], pick.where)
        if product:
            return None
        short = self.options.short(alt, name)
        if short is not None:
            return short
        if pick.maybe or len(alt.picks) > MOST_LOOPS:
            before: list[tuple[str, str]] = []
            text = self.options.one(alt, before, name, "")
            for listed, items in before:
                self.out.put(f"{listed} = {items}" + ("" if alt.when is None else f" if {self.w.x(alt.when)} else ()"))
            return text
        return None

    def domain(self, pick: CPick) -> tuple[X, list[X]]:
        """What a pick goes through, and the test of its kind, which stands before other conditions."""
        source = pick.source
        if source.op != "filter":
            return source, []
        inner, kinds, cards = source.args
        assert isinstance(inner, X)
        return inner, [X("iskind", (X("var", (pick.var,), pick.var.type), kinds, cards, False), BOOL)]

    # ---- One pass

    def scan(self, scan: Scan, label: str) -> None:
        for lister in scan.listers:
            self.out.put(f"{lister.name} = []")
        if scan.when is not None:
            self.out.put(f"if {self.w.x(scan.when)}:")
            self.out.indent()
        first = scan.listers[0].var
        card = self.w.bind(first)
        for lister in scan.listers:
            self.w.fixed[lister.var.name] = card
        board = self.board(scan)
        if board is None:
            self.at_once(scan, card, label)
        else:
            self.by_element(scan, card, label, *board)
        for lister in scan.listers:
            del self.w.fixed[lister.var.name]
        self.w.release(first)
        if scan.when is not None:
            self.out.dedent()

    def common(self, scan: Scan) -> list[str]:
        """The conditions that all lists of a scan share and that may be tested first: they stand first, or they can be
        computed for whatever the scan goes through."""
        texts = [[self.w.x(c) for c in lister.conds] for lister in scan.listers]
        if len(texts) == 1:
            return []
        found: list[str] = []
        var, t = scan.listers[0].var, scan.source.t
        for cond, text in zip(scan.listers[0].conds, texts[0], strict=True):
            if all(text in others for others in texts[1:]):
                first = all(others[: len(found) + 1] == [*found, text] for others in texts)
                if first or self.certain(cond, var, t.item if isinstance(t, ListT) else None):
                    found.append(text)
        return found

    def certain(self, cond: X, var: Var, item: object) -> bool:
        """Whether a condition can be computed for every `item`, whatever else holds of it."""
        kind = item.kind if isinstance(item, CardT | PrintedT) else None
        chain = [] if kind is None else [k.name for k in self.s.chain(kind)]
        for x in parts(cond):
            match x.op:
                case "var":
                    v = x.args[0]
                    if v != var and not isinstance(v.type, IntT | BoolT | PlayerT | CardT | PrintedT):  # type: ignore[attr-defined]
                        return False
                case "player":
                    if not isinstance(self.s.player[str(x.args[0])].type, IntT | BoolT | EnumT | SetT):
                        return False
                case "field" | "dfield" | "card":
                    of = x.args[2]
                    ours = isinstance(of, X) and of.op == "var" and of.args[0] == var and x.args[0] in chain
                    if not ours or not isinstance(x.t, IntT | BoolT | EnumT | SetT):
                        return False
                case op if op not in _ATOMS and op not in _SIMPLE:
                    return False
        return True

    def at_once(self, scan: Scan, card: str, label: str) -> None:
        common = self.common(scan)
        before = [self.before(lister, lister.rest) for lister in scan.listers]
        for lists in before:
            for name, text in lists.values():
                self.out.put(f"{name} = {text}")
        tests = [self.kinds_first([c for c in x.conds if self.w.x(c) not in common], x.var) for x in scan.listers]
        texts = [common, *([self.w.x(c) for c in conds] for _, conds in tests)]
        steady = self.steady_reads(scan)
        for i, read in enumerate(steady):
            self.out.put(f"r_{label}_{i} = {read}")
            texts = [[t.replace(read, f"r_{label}_{i}") for t in conds] for conds in texts]
        depth = self.loop(card, self.w.x(scan.source), label)
        depth += self.test(texts[0])
        looked = sum(kinds is not None for kinds, _ in tests) > 1
        if looked:
            self.out.put(f"k_ = m.K[m.d[{card}]]")
        earlier: set[int] = set()
        for lister, (kinds, _), conds, lists in zip(scan.listers, tests, texts[1:], before, strict=True):
            if kinds is not None:
                apart = bool(earlier) and looked and earlier.isdisjoint(kinds)
                earlier = earlier | {*kinds} if apart else {*kinds}
                of_kind = self.w.kind_test("k_" if looked else f"m.K[m.d[{card}]]", kinds)
                inner = self.test([of_kind, *conds], "elif" if apart else "if")
            else:
                earlier = set()
                inner = self.test(conds)
            self.append(lister, card, lists, label)
            self.out_of(inner)
        self.out_of(depth)

    def kinds_first(self, conds: list[X], var: Var) -> tuple[tuple[int, ...] | None, list[X]]:
        """The kinds that a card must be of for these conditions (None: of any), and the other conditions. Its kind can
        be looked at whatever else holds of a card."""
        kinds: set[int] | None = None
        left: list[X] = []
        for c in conds:
            match c.args[0] if c.op == "not" else c:
                case X("iskind", (X("var", (of,)), tuple(these), True, False)) if (
                    of == var and (c.op == "iskind" or kinds is not None)
                ):
                    rest = None if kinds is None else kinds - {*these} if c.op == "not" else kinds & {*these}
                    kinds = {*these} if rest is None else rest
                case _:
                    left.append(c)
        return (None if kinds is None else tuple(sorted(kinds))), left

    def steady_reads(self, scan: Scan) -> list[str]:
        """Fields of players that conditions of a scan read again for each card, though they stay the same."""
        found: dict[str, None] = {}
        variables = [lister.var for lister in scan.listers]
        for x in (p for lister in scan.listers for c in lister.conds for p in parts(c)):
            if x.op == "player" and isinstance(x.args[1], X) and not any(mentions(x, v) for v in variables):
                seat = x.args[1]
                of = seat.args[0] if seat.op == "opponent" else seat
                if isinstance(of, X) and of.op in ("var", "const") and isinstance(of.t, PlayerT):
                    found[self.w.x(x)] = None
        return [*found]

    def append(self, lister: Lister, card: str, lists: dict[int, tuple[str, str]], label: str) -> None:
        """Put one card into a list, with each answer to the picks after it."""
        depth, names = 0, [card]
        earlier = [lister.var]
        for j, pick in enumerate(lister.rest):
            if pick.maybe:
                self.out.put(f"{self.options.maybe(pick)}:")
                self.out.indent()
                depth += 1
            else:
                _, rest = self.options.split(pick, earlier)
                conds = [] if rest is None else [rest]
                if j in lists:
                    src = lists[j][0]
                else:
                    source, kinds = self.domain(pick)
                    src = self.w.x(source)
                    conds = kinds + ([] if pick.where is None else [pick.where])
                name = self.w.bind(pick.var)
                depth += self.loop(name, src, f"{label}_{j + 1}")
                depth += self.test([self.w.x(c) for c in conds])
            earlier.append(pick.var)
            names.append(self.w.var(pick.var))
        item = names[0] if len(names) == 1 else f"({', '.join(names)})"
        self.out.put(f"{lister.name}.append({item})")
        self.out_of(depth)
        self.w.release(*earlier[1:])

    def before(self, lister: Lister, rest: tuple[CPick, ...]) -> dict[int, tuple[str, str]]:
        """By number, the later picks whose collection is worth listing before the loops: its name and its list."""
        found = {}
        earlier = [lister.var]
        for j, pick in enumerate(rest):
            alone, _ = self.options.split(pick, earlier)
            steady = not pick.maybe and all(self.steady(pick.source, v) for v in earlier)
            if steady and (alone is not None or pick.source.op in COMPUTED):
                src, kinds = self.options.domain(pick)
                if alone is not None or kinds:
                    src = self.options.filtered(pick, src, kinds, alone)
                found[j] = (f"{lister.name}_{j + 1}", src)
            earlier.append(pick.var)
        return found

    def steady(self, x: X, var: Var) -> bool:
        """Whether an expression stays the same while a loop goes through `var`, or through those of an element."""
        return not mentions(x, var) or (var.name in self.w.elements and looks_at_element(x, var))

    # ---- A board, element by element

    def board(self, scan: Scan) -> tuple[str, str, X | None] | None:
        """The board, part and seat of a source that is worth going through element by element."""
        seat: X | None = None
        match scan.source:
            case X("parts_of", (str(board), str(part), X() as of)):
                seat = of
            case X("parts", (str(board), str(part), None)):
                pass
            case _:
                return None
        if not 1 < self.s.boards[board].count <= FEW or self.s.boards[board].grid is not None:
            return None
        for lister in scan.listers:
            of_rest = [x for p in lister.rest[:1] for x in (p.source, p.where) if x is not None]
            if any(looks_at_element(x, lister.var) for x in (*lister.conds, *of_rest)):
                return board, part, seat
        return None

    def by_element(self, scan: Scan, card: str, label: str, board: str, part: str, seat: X | None) -> None:
        sym, count = self.s.boards[board].parts[part], self.s.boards[board].count
        element = f"e_{label}"
        self.out.put(f"for {element} in {tuple(range(count))!r}:")
        self.out.indent()
        if seat is not None:
            src = f"m.places[{sym.first} + {element} * 2 + {self.w.x(seat)}]"
        elif sym.each:
            src = f"m.places[{sym.first} + {element} * 2] + m.places[{sym.first + 1} + {element} * 2]"
        else:
            src = f"m.places[{sym.first} + {element}]"
        for lister in scan.listers:
            self.w.elements[lister.var.name] = element
        alike: dict[str, list[Lister]] = {}
        for lister in scan.listers:
            alike.setdefault(self.w.x(lister.conds[0]) if lister.conds else "", []).append(lister)
        for n, listers in enumerate(alike.values()):
            self.of_element(listers, card, src, f"{label}_{n}")
        for lister in scan.listers:
            del self.w.elements[lister.var.name]
        self.out_of(1)

    def of_element(self, listers: list[Lister], card: str, src: str, label: str) -> None:
        """Lists that begin with the same condition, for the cards `src` of one element."""
        cards = f"z_{label}"
        shared = self.of_each_card(listers)
        if shared:
            self.out.put(f"{cards} = []")
            depth = self.loop(card, src, label)
            depth += self.test(shared)
            self.out.put(f"{cards}.append({card})")
            self.out_of(depth)
        else:
            self.out.put(f"{cards} = {src}")
        self.out.put(f"if {cards}:")
        self.out.indent()
        for lister in listers:
            conds = lister.conds[len(shared) :]
            once: list[X] = []
            while conds and self.steady(conds[0], lister.var):
                once.append(conds.pop(0))
            depth = self.test([self.w.x(c) for c in once])
            lists = self.before(lister, lister.rest)
            for name, text in lists.values():
                self.out.put(f"{name} = {text}")
            if conds or lister.rest:
                depth += self.loop(card, cards, label)
                depth += self.test([self.w.x(c) for c in conds])
                self.append(lister, card, lists, label)
            else:
                self.out.put(f"{lister.name} += {cards}")
            self.out_of(depth)
        self.out_of(1)

    def of_each_card(self, listers: list[Lister]) -> list[str]:
        """The conditions with which these lists begin alike, before any that all of an element has in common."""
        found: list[str] = []
        for conds in zip(*(lister.conds for lister in listers), strict=False):
            texts = {self.w.x(c) for c in conds}
            if len(texts) > 1 or self.steady(conds[0], listers[0].var):
                break
            found += texts
        return found

    # ---- Products

    def product(self, alt: CAlt, name: str) -> str:
        """Each pick's list alone; the number of an option tells the place in each, the last pick changing fastest."""
        self.out.put(f"{name} = len({name}_0)")
        self.out.put(f"if {name}:")
        self.out.indent()
        names = [f"{name}_{j}" for j in range(len(alt.picks))]
        for pick, listed in zip(alt.picks[1:], names[1:], strict=True):
            src, kinds = self.options.domain(pick)
            if pick.where is not None or kinds:
                src = self.options.filtered(pick, src, kinds, pick.where)
            self.out.put(f"{listed} = {src}")
            self.out.put(f"n{listed} = len({listed})")
        self.out.put(f"{name} *= {' * '.join(f'n{x}' for x in names[1:])}")
        self.out.dedent()
        steps = []
        for j, (pick, listed) in enumerate(zip(alt.picks, names, strict=True)):
            after = [f"n{x}" for x in names[j + 1 :]]
            index = "[i_]"
            if after:
                index = f"{index} // {after[0] if len(after) == 1 else '(' + ' * '.join(after) + ')'}"
            if j > 0:
                index = f"{index} % n{listed}"
            steps.append(f"{self.w.where(pick.var)} = {listed}[{index}]")
        return "; ".join(steps)

    # ---- Output

    def loop(self, name: str, src: str, label: str) -> int:
        """Begin a loop over a list; how many levels deeper what follows stands."""
        lists = nested(src)
        if lists is None:
            self.out.put(f"for {name} in {src}:")
            self.out.indent()
            return 1
        self.out.put(f"for s_{label} in {lists}:")
        self.out.indent()
        self.out.put(f"for {name} in s_{label}:")
        self.out.indent()
        return 2

    def test(self, conds: list[str], word: str = "if") -> int:
        if not conds:
            return 0
        text = " and ".join(conds) if len(conds) > 1 else conds[0]
        self.out.put(f"{word} {text}:")
        self.out.indent()
        return 1

    def out_of(self, depth: int) -> None:
        for _ in range(depth):
            self.out.dedent()


def independent(alt: CAlt) -> bool:
    """Whether no pick looks at another."""
    if len(alt.picks) < 2 or any(p.maybe for p in alt.picks):
        return False
    return not any(
        mentions(x, other.var)
        for j, pick in enumerate(alt.picks)
        for other in alt.picks[:j]
        for x in (pick.source, pick.where)
        if x is not None
    )


def looks_at_element(x: X, var: Var) -> bool:
    """Whether an expression looks at nothing of the card `var` but the element it lies at."""
    found = of_element = 0
    for p in parts(x):
        if p.op == "var" and p.args[0] == var:
            found += 1
        if p.op == "element_of" and isinstance(p.args[1], X) and p.args[1].op == "var" and p.args[1].args[0] == var:
            of_element += 1
    return 0 < found == of_element
