"""The LALR tables of `card.lark`: made by Lark once, read without Lark ever after.

`python -m card_grammar.tables` writes `tables.json` next to the grammar; `load_tables` reads it. Lark decides
everything (states, the order of terminals, which children a rule keeps); this module only writes its decisions down.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from lark import Lark

FORMAT = 1
END = "$END"
"""The name of the terminal that ends every text; its number is the number of terminals."""

_HERE = os.path.dirname(os.path.abspath(__file__))
GRAMMAR_PATH = os.path.join(_HERE, "card.lark")
TABLES_PATH = os.path.join(_HERE, "tables.json")
_KEYWORD_ENDS = r"(?![A-Za-z0-9_])(?!\s*:)"

TerminalKind: TypeAlias = Literal["word", "sign", "pattern"]


class Terminal(NamedTuple):
    """A terminal: a keyword (`text` is the word), a sign (its text) or a pattern (its regular expression)."""

    name: str
    kind: TerminalKind
    text: str


class Rule(NamedTuple):
    """A production and what becomes of its children.

    `symbols` are terminals (their numbers) and nonterminals (`~number`). The child plan is Lark's: `keep` lists
    (child, splice its children, Nones before it), then come `nones` more; with `expand`, a single child stands for
    the whole. `name` is the alias, or the nonterminal's own name.
    """

    origin: int
    name: str
    symbols: tuple[int, ...]
    keep: tuple[tuple[int, bool, int], ...]
    nones: int
    expand: bool


class State(NamedTuple):
    """A state: shifts (terminal, state), gotos (nonterminal, state), reductions (rule, its lookahead terminals)."""

    shifts: list[list[int]]
    gotos: list[list[int]]
    reductions: list[tuple[int, list[int]]]


class Tables(Struct, frozen=True, eq=False):
    """All that a parser needs. Terminals stand in the order in which a lexer tries them; state 0 is the start."""

    grammar: str
    terminals: tuple[Terminal, ...]
    ignored: tuple[int, ...]
    name: int
    nonterminals: tuple[str, ...]
    start: int
    rules: tuple[Rule, ...]
    states: tuple[State, ...]
    reserved: frozenset[str]

    @property
    def end(self) -> int:
        """The number of the terminal that ends every text."""
        return len(self.terminals)


@cache
def load_tables() -> Tables:
    """Read `tables.json`."""
    with open(TABLES_PATH, encoding="utf-8") as file:
        data: dict[str, Any] = json.load(file)
    if data["format"] != FORMAT:
        raise ValueError(f"tables.json has format {data['format']}, not {FORMAT}")
    shifts, gotos, lookaheads = data["shifts"], data["gotos"], data["lookaheads"]
    return Tables(
        grammar=data["grammar"],
        terminals=tuple(Terminal(*t) for t in data["terminals"]),
        ignored=tuple(data["ignored"]),
        name=data["name"],
        nonterminals=tuple(data["nonterminals"]),
        start=data["start"],
        rules=tuple(
            Rule(origin, name, tuple(symbols), tuple((i, bool(s), n) for i, s, n in keep), nones, bool(expand))
            for origin, name, symbols, keep, nones, expand in data["rules"]
        ),
        states=tuple(
            State(shifts[s], gotos[g], [(r[k], lookaheads[r[k + 1]]) for k in range(0, len(r), 2)])
            for s, g, *r in data["states"]
        ),
        reserved=frozenset(data["RESERVED"]),
    )


# ---- Making them


def grammar_hash(text: str) -> str:
    """The hash by which the tables know their grammar: of its text with LF line ends."""
    from hashlib import sha256

    return sha256(text.encode("utf-8")).hexdigest()


def read_grammar() -> str:
    """The text of `card.lark`."""
    with open(GRAMMAR_PATH, encoding="utf-8") as file:
        return file.read()


def load_lark(text: str, **options: Any) -> Lark:
    """Load the grammar with Lark as strictly as it can: a conflict or a collision of terminals is an error."""
    from lark import Lark

    return Lark(text, parser="lalr", lexer="contextual", strict=True, maybe_placeholders=True, **options)


def make_tables(text: str) -> dict[str, Any]:
    """Compute the tables of a grammar, as the value that `tables.json` holds; the same on every run."""
    from lark.parsers.lalr_analysis import Shift

    lark = load_lark(text)
    terminals, ignored, name = _terminals(lark)
    number = {t[0]: i for i, t in enumerate(terminals)} | {END: len(terminals)}
    rules = list(lark.rules)
    rule_number = {r: i for i, r in enumerate(rules)}
    nonterminals: dict[str, int] = {}
    for r in rules:
        nonterminals.setdefault(r.origin.name, len(nonterminals))

    table: Any = lark.parser.parser._parse_table
    start = "start"
    order = {table.start_states[start]: 0}
    queue = [table.start_states[start]]
    for state in queue:  # grows as it is walked: a state's number depends on the grammar only
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is Shift and symbol != END and argument not in order:
                order[argument] = len(order)
                queue.append(argument)

    shifts: dict[str, int] = {}
    gotos: dict[str, int] = {}
    lookaheads: dict[str, int] = {}
    states: list[list[int]] = []
    reserved: set[int] = set()
    for state in queue:
        row: Mapping[str, tuple[Any, Any]] = table.states[state]
        accepted = {number[s] for s in row if s in number}
        if name in accepted:
            reserved.update(t for t in accepted if t < len(terminals) and terminals[t][1] == "word")
        by_rule: dict[int, list[int]] = {}
        for symbol, (action, argument) in row.items():
            if action is not Shift:
                by_rule.setdefault(rule_number[argument], []).append(number[symbol])
        moves = {s: order[a] for s, (action, a) in row.items() if action is Shift and s != END}
        entry = [
            _intern(shifts, sorted([number[s], to] for s, to in moves.items() if s in number)),
            _intern(gotos, sorted([nonterminals[s], to] for s, to in moves.items() if s in nonterminals)),
        ]
        for index, symbols in sorted(by_rule.items()):
            entry += [index, _intern(lookaheads, sorted(symbols))]
        states.append(entry)
    return {
        "format": FORMAT,
        "grammar": grammar_hash(text),
        "RESERVED": sorted(terminals[t][2] for t in reserved),
        "terminals": terminals,
        "ignored": ignored,
        "name": name,
        "nonterminals": list(nonterminals),
        "start": nonterminals[start],
        "rules": [_rule(r, number, nonterminals) for r in rules],
        "lookaheads": [json.loads(k) for k in lookaheads],
        "shifts": [json.loads(k) for k in shifts],
        "gotos": [json.loads(k) for k in gotos],
        "states": states,
    }


def _intern(known: dict[str, int], value: list[Any]) -> int:
    return known.setdefault(json.dumps(value), len(known))


def _terminals(lark: Lark) -> tuple[list[list[str]], list[int], int]:
    """The terminals in the order in which Lark's lexer tries them, the ignored ones, and the one that is a name."""
    import re

    from lark.lexer import PatternStr

    found = sorted(lark.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    terminals: list[list[str]] = []
    words: list[str] = []
    for t in found:
        keyword = re.fullmatch("([A-Za-z_]+)" + re.escape(_KEYWORD_ENDS), t.pattern.value)
        if keyword and not t.pattern.flags:
            words.append(keyword[1])
            terminals.append([t.name, "word", keyword[1]])
        elif isinstance(t.pattern, PatternStr) and not t.pattern.flags:
            terminals.append([t.name, "sign", t.pattern.value])
        else:
            terminals.append([t.name, "pattern", t.pattern.to_regexp()])
    kinds = [kind for _, kind, _ in terminals]
    if "word" in kinds[len(words) :]:
        raise ValueError("a keyword of the grammar has a lower priority than something else")
    patterns = [(i, text) for i, (_, kind, text) in enumerate(terminals) if kind == "pattern"]
    names = [i for i, text in patterns if all(re.fullmatch(text, word) for word in words)]
    if len(names) != 1:
        raise ValueError("the grammar must have exactly one terminal that every keyword matches")
    if any(re.compile(text).groups for _, text in patterns):
        raise ValueError("a pattern of the grammar has a group; write (?:…)")
    signs = [text for _, kind, text in terminals if kind == "sign"]
    if any(re.fullmatch(text, sign) for _, text in patterns for sign in signs):
        raise ValueError("a sign of the grammar is also matched by a pattern")  # Lark would prefer the sign
    return terminals, [i for i, t in enumerate(terminals) if t[0] in lark.ignore_tokens], names[0]


def _rule(rule: Any, number: Mapping[str, int], nonterminals: Mapping[str, int]) -> list[Any]:
    from lark.parse_tree_builder import maybe_create_child_filter

    plan = maybe_create_child_filter(rule.expansion, rule.options.keep_all_tokens, False, rule.options.empty_indices)
    if plan is None:
        keep, nones = [(i, False, 0) for i in range(len(rule.expansion))], 0
    elif len(plan.args) == 2:
        keep, nones = plan.args
    else:
        keep, nones = [(i, splice, 0) for i, splice in plan.args[0]], 0
    return [
        nonterminals[rule.origin.name],
        rule.alias or rule.options.template_source or rule.origin.name,
        [number[s.name] if s.is_term else ~nonterminals[s.name] for s in rule.expansion],
        [[i, int(splice), before] for i, splice, before in keep],
        nones,
        int(bool(rule.options.expand1 and not rule.alias)),
    ]


def dump_tables(tables: Mapping[str, Any]) -> str:
    """Write the tables as JSON, an entry a line."""
    parts = []
    for key, value in tables.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            lines = ",\n".join(json.dumps(v, separators=(",", ":")) for v in value)
            parts.append(f"{json.dumps(key)}: [\n{lines}\n]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> int:
    """Write `tables.json`."""
    text = dump_tables(make_tables(read_grammar()))
    with open(TABLES_PATH, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
