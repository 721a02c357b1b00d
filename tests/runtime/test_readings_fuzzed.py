"""Any code does the same after `readings.share`: code drawn at random, run before and after on the same match."""

from __future__ import annotations

import ast
import random
from textwrap import indent

import pytest
from card_runtime.readings import share

HOMES = ((0, 2, 2), (2, 6, 2))
LISTS = ("d", "at", "c_n", "p_n", "D_k", "K")


class Match:
    """As much of a state as this code reads and writes."""

    def __init__(self):
        self.d, self.at, self.c_n = [0, 1, 2, 3, 1, 0], [0, 1, 2, 3, 4, 5], [3, 1, 0, 2, 2, 1]
        self.p_n, self.D_k, self.K = [2, 1], [1, 0, 3, 2], [0, 2, 1, 3]
        self.places = [[0], [1], [2], [3], [4], [5]]
        self.s_a, self.s_b, self.clock, self.memo, self.steps = 0, 1, 0, None, 0

    def told(self):
        return {name: repr(value) for name, value in vars(self).items()}


def e_stir(m, n):
    m.d[n % 6] = (m.d[n % 6] + 1) % 4
    m.p_n[n % 2] += 1
    m.s_b += 1
    m.places[n % 6].append(n % 6)


def move(m, card, to, up=None):
    m.at[card % 6] = to % 6
    m.c_n[card % 6] = 0
    m.places[to % 6].append(card % 6)


def v_sum(m, n):
    return sum(m.p_n) + m.c_n[n % 6] + len(m.places[n % 6]) + m.s_a


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def number(self, depth=0):
        pick, sub = self.rng.randrange(12 if depth < 3 else 4), depth + 1
        match pick:
            case 0 | 1:
                return self.rng.choice(("l_a", "l_b", "l_p", "l_c"))
            case 2:
                return str(self.rng.randrange(4))
            case 3:
                return self.rng.choice(("m.s_a", "m.s_b", "m.clock"))
            case 4 | 5 | 6:
                return self.entry(sub)
            case 7:
                return f"({self.number(sub)} {self.rng.choice('+-*')} {self.number(sub)})"
            case 8:
                return f"({self.number(sub)} if {self.test(sub)} else {self.number(sub)})"
            case 9:
                return f"v_sum(m, {self.rng.choice(('l_a', 'l_c', '1'))})"
            case 10:
                more = f" + {self.place(sub)}" if self.rng.random() < 0.3 else ""
                return f"len({self.place(sub)}{more})"
            case _:
                return f"({self.rng.choice(('l_a', 'l_b'))} := {self.number(sub)} % 4)"

    def entry(self, depth=0):
        kind = self.rng.randrange(4)
        if kind == 0:
            return f"m·{self.rng.choice(('D_k', 'K'))}[m·d[l_c]]"
        if kind == 1:
            return f"m·p_n[{self.rng.choice(('l_p', '1 - l_p', '0', '1'))}]"
        return f"m·{self.rng.choice(('d', 'at', 'c_n'))}[{self.rng.choice(('l_c', 'l_p', '3', 'm·d[l_c]'))}]"

    def place(self, depth=0):
        return f"m·places[{self.rng.choice(('l_p', '2 + l_p', '4 + (1 - l_p)', '3', '2 + (1 - 0)'))}]"

    def test(self, depth=0):
        a, b = self.number(depth + 1), self.number(depth + 1)
        plain = f"{a} {self.rng.choice(('<', '==', '>='))} {b}"
        match self.rng.randrange(5):
            case 0 if depth < 3:
                return f"({plain} {self.rng.choice(('and', 'or'))} {self.test(depth + 1)})"
            case 1:
                return f"not {plain}"
            case 2:
                return f"{plain} < {self.number(depth + 1)}"
            case _:
                return plain

    def block(self, depth, loops):
        return "\n".join(self.statement(depth, loops) for _ in range(self.rng.randrange(1, 5)))

    def statement(self, depth, loops):
        pick = self.rng.randrange(16 if depth < 3 else 9)
        match pick:
            case 0 | 1:
                return f"{self.rng.choice(('l_a', 'l_b'))} = {self.number()}"
            case 2:
                return f"l_c = {self.number()} % 6\nl_p = {self.number()} % 2"
            case 3:
                slot = self.rng.choice(("d", "at", "c_n"))
                return f"m·{slot}[{self.rng.choice(('l_c', 'l_p', '3', 'm·d[l_c]'))}] = {self.number()} % 4"
            case 4:
                player, sign = self.rng.choice(("l_p", "1 - l_p", "0")), self.rng.choice(("=", "+="))
                return f"m·p_n[{player}] {sign} {self.number()} % 9"
            case 5:
                return f"m.{self.rng.choice(('s_a', 's_b', 'clock'))} = {self.number()} % 9"
            case 6:
                return f"m.clock = m·at[l_c] = ({self.number()}) % 6"
            case 7:
                return self.rng.choice((f"e_stir(m, {self.number()})", f"move(m, l_c, {self.number()})"))
            case 8:
                return f"{self.place()}.append({self.number()} % 6)"
            case 9 | 10 | 11:
                other = f"\nelse:\n{indent(self.block(depth + 1, loops), '    ')}" if self.rng.random() < 0.5 else ""
                return f"if {self.test()}:\n{indent(self.block(depth + 1, loops), '    ')}{other}"
            case 12:
                body = indent(self.block(depth + 1, True), "    ")
                source = self.rng.choice(("(0, 1)", f"[*{self.place()}]"))
                return f"for {self.rng.choice(('l_a', 'l_x'))} in {source}:\n{body}"
            case 13:
                body = indent(self.block(depth + 1, True), "    ")
                return f"turns_{depth} = 0\nwhile turns_{depth} < 3:\n    turns_{depth} += 1\n{body}"
            case 14:
                body, other = indent(self.block(depth + 1, False), "    "), indent(self.block(depth + 1, False), "    ")
                return f"try:\n{body}\nexcept IndexError:\n{other}"
            case _:
                return self.rng.choice(("break", "continue")) if loops else f"l_b = {self.number()}"


def run(tree):
    space = {"e_stir": e_stir, "move": move, "v_sum": v_sum}
    exec(compile(ast.fix_missing_locations(tree), "code", "exec"), space)
    m = Match()
    try:
        found = space["flow"](m, 1, 0, 1, 2)
    except (IndexError, OverflowError) as error:
        found = type(error).__name__
    return found, m.told()


@pytest.mark.parametrize("seed", range(200))
def test_code_does_the_same(seed):
    writer = Writer(random.Random(seed))
    body = "\n".join(writer.block(0, False) for _ in range(4))
    heads = "\n".join(f"m·{name} = m.{name}" for name in (*LISTS, "places"))
    body = indent(f"{heads}\n{body}\nreturn l_a, l_b, l_p, l_c", "    ")
    text = f"def flow(m, l_a, l_b, l_p, l_c):\n{body}"
    expected = run(ast.parse(text))
    tree = ast.parse(text)
    share(tree.body[0], HOMES)
    assert run(tree) == expected, f"{text}\n\nbecame\n\n{ast.unparse(tree)}"
