"""Step functions after linking: the same blocks run in the same order, and frames may go on where they could."""

import ast
import random
from types import SimpleNamespace as NS

from card_runtime.dispatch import dispatch


def chain(blocks):
    """A step function as it is emitted, of blocks given by their lines."""
    text = "def s_x(m, f):\n    pc = f[1]\n    while True:\n"
    for number, lines in sorted(blocks.items()):
        text += f"        {'elif' if number else 'if'} pc == {number}:\n"
        text += "".join(f"            {line}\n" for line in lines)
    return text


def linked(text):
    tree = ast.parse(text)
    dispatch([tree])
    return ast.unparse(ast.fix_missing_locations(tree))


class Notes(list):
    """What blocks say; a function that goes round and round is stopped."""

    def append(self, note):
        assert len(self) < 1000
        super().append(note)


def trace(text, frame):
    """What a step function notes, from each pause on, and the frames that it leaves."""
    space = {}
    exec(text, space)
    m = NS(notes=Notes(), wait=None)
    left = []
    for _ in range(60):
        m.wait = None
        if space["s_x"](m, frame):
            break
        left.append(list(frame))
    return m.notes, left


LOOP = {
    0: ["f[2] = 0", "pc = 1", "continue"],
    1: ["if f[2] >= 3:", "    pc = 5", "    continue", "f[2] += 1", "m.notes.append('round')", "pc = 2", "continue"],
    2: ["m.wait = f[2]", "f[1] = 3", "return"],
    3: ["m.notes.append('answered')", "pc = 4 if f[2] % 2 else 6", "continue"],
    4: ["m.notes.append('odd')", "pc = 7", "continue"],
    5: ["m.notes.append('over')", "return True"],
    6: ["pc = 7", "continue"],
    7: ["pc = 1", "continue"],
}


def test_blocks_run_as_before():
    text = chain(LOOP)
    assert trace(linked(text), ["x", 0, None]) == trace(text, ["x", 0, None])
    assert trace(text, ["x", 0, None])[0] == ["round", "answered", "odd", "round", "answered", "round", "answered",
                                              "odd", "over"]  # fmt: skip


def test_a_question_may_be_asked_again():
    """`driver.reask` goes back to the block that asks, which stands before the one that takes the answer."""
    text = linked(chain(LOOP))
    assert trace(text, ["x", 2, 3]) == trace(chain(LOOP), ["x", 2, 3]) != ([], [])


def test_blocks_are_found_by_halves():
    blocks = {n: [f"m.notes.append({n})", f"f[1] = {n + 1}", "return"] for n in range(40)}
    blocks[40] = ["return True"]
    text = linked(chain(blocks))
    assert "pc ==" not in text
    tree = ast.parse(text).body[0]

    def depth(s):
        return 1 + max(map(depth, [*s.body, *s.orelse]), default=0) if isinstance(s, ast.If) else 0

    assert max(map(depth, tree.body[1].body)) == 6
    assert trace(text, ["x", 0])[0] == list(range(40))


def test_what_only_jumps_is_skipped_and_what_only_follows_is_joined():
    text = linked(chain(LOOP))
    assert "pc = 4 if f[2] % 2 else 1\n" in text
    assert "pc = 6" not in text and "pc = 7" not in text
    one = {0: ["m.notes.append(0)", "pc = 1", "continue"], 1: ["m.notes.append(1)", "pc = 2", "continue"],
           2: ["return True"]}  # fmt: skip
    assert linked(chain(one)) == (
        "def s_x(m, f):\n    pc = f[1]\n    while True:\n        m.notes.append(0)\n        m.notes.append(1)\n"
        "        return True"
    )


def test_a_block_that_begins_once_more_by_itself_stays_one():
    again = "if f[2] < 2: f[2] += 1; m.notes.append('again'); continue"
    blocks = {0: ["f[2] = 0", "pc = 1", "continue"], 1: [again, "return True"]}
    assert trace(linked(chain(blocks)), ["x", 0, None]) == (["again", "again"], [])


def test_blocks_that_only_jump_in_a_circle_end_nothing():
    blocks = {0: ["f[1] = 1", "return"], 1: ["return True"], 2: ["pc = 3", "continue"], 3: ["pc = 2", "continue"]}
    assert trace(linked(chain(blocks)), ["x", 0])[1] == [["x", 1]]


def test_any_function_goes_the_same_way():
    """Made-up blocks: pauses, jumps forth and back that count down, and blocks without anything else."""
    for seed in range(200):
        rng = random.Random(seed)
        n = rng.randrange(2, 12)
        blocks = {n: ["return True"]}
        for i in range(n):
            to = rng.randrange(n + 1)
            then = rng.choice(
                [
                    ["pc = {}", "continue"],
                    ["f[1] = {}", "return"],
                    [f"pc = {rng.randrange(n + 1)} if f[2] % 2 else {{}}", "continue"],
                    ["m.wait = 1", f"f[1] = {i + 1}", "return"],
                ]
            )
            count = ["f[2] -= 1", f"if f[2] < 0: pc = {n}; continue"]
            work = rng.choice([[*count, f"m.notes.append({i})"], count, [f"m.notes.append({i})", *count]])
            blocks[i] = [*work, *(line.format(to) for line in then)]
            if rng.random() < 0.3 and i:
                blocks[i] = [f"pc = {rng.randrange(i + 1, n + 1)}", "continue"]
        text = chain(blocks)
        assert trace(linked(text), ["x", 0, 25]) == trace(text, ["x", 0, 25]), (seed, text)
