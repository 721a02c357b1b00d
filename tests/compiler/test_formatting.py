"""`cardc fmt`: one form, the same tree, comments kept, nothing lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cardc.formatting import format_lines, format_text
from cardc.parse import parse_file
from cardc.source import Source
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "cards").rglob("*.card")), Path(__file__).parent / "front_corpus.card"]

MESSY = """\
// first
card   plague "the Plague":unit{power:3 combat{number( self . lane )=0}}   // a card


kind thing:base{
 cost:0 .. 9 "What it costs"
   strength :int=-1   "How strong"   // it is
 flag   quick
 state ready:bool=false}
enum rarity(cost:0..10){common(1),rare( 3 )}
effect go(p:player){
 p may choose play c:unit in p.hand,
 l:lane in lanes where free(p,l)and not(c.cost>p.mana-1) "Play"{enter(c,l)
 // inside
}
 or pass{
 stop}
 else{ stop }
 let x=if p.a==-1 then 1
 else 2
 if x>1 {  }else  if x>0{hurt(p,1)}else{hurt(p,- x)}
}
test "one"covers V-9,LC-21{given{me.a=V-9}expect me.a==1
}"""

NEAT = """\
// first
card plague "the Plague" : unit { power: 3  combat { number(self.lane) = 0 } }  // a card

kind thing : base {
  cost: 0..9          "What it costs"
  strength: int = -1  "How strong"  // it is
  flag quick
  state ready: bool = false }
enum rarity (cost: 0..10) { common(1), rare(3) }
effect go(p: player) {
  p may choose play c: unit in p.hand,
    l: lane in lanes where free(p, l) and not (c.cost > p.mana - 1) "Play" { enter(c, l)
      // inside
    }
    or pass {
      stop }
  else { stop }
  let x = if p.a == -1 then 1
    else 2
  if x > 1 {} else if x > 0 { hurt(p, 1) } else { hurt(p, -x) }
}
test "one" covers V-9, LC-21 { given { me.a = V - 9 }  expect me.a == 1
}
"""


def formatted(text: str) -> str:
    out, findings = format_text(Source("x.card", text))
    assert out is not None, [f.message for f in findings]
    return out


def test_the_form():
    assert formatted(MESSY) == NEAT


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_formatting_again_changes_nothing_and_means_the_same(path):
    text = path.read_text(encoding="utf-8")
    once = formatted(text)
    assert formatted(once) == once
    assert parse_file(Source("x.card", once))[0] == parse_file(Source("x.card", text))[0]
    assert comments(once) == comments(text)


def comments(text: str) -> list[str]:
    return [line[line.index("//") :].rstrip() for line in text.splitlines() if "//" in line and '"' not in line]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_spaces_inside_lines_do_not_matter(data):
    """Blanks widened, or spread where two tokens meet, give the same canonical text."""
    path = data.draw(st.sampled_from(FILES))
    lines = path.read_text(encoding="utf-8").splitlines()
    start = data.draw(st.integers(0, max(len(lines) - 60, 0)))
    while start and not (lines[start][:1].isalpha()):
        start -= 1
    end = start + 1
    while end < len(lines) and (end < start + 60 or not lines[end][:1].isalpha()):
        end += 1
    text = "\n".join(lines[start:end]) + "\n"
    if format_text(Source("x.card", text))[0] is None:
        return
    changed = []
    for line in text.splitlines():
        if '"' not in line and "//" not in line:
            lead = len(line) - len(line.lstrip())
            width = data.draw(st.integers(1, 3))
            body = line.lstrip().replace(" ", " " * width).replace(", ", ",")
            line = (" " * data.draw(st.integers(1, 6)) if lead else "") + body
        changed.append(line + " " * data.draw(st.integers(0, 2)))
    assert formatted("\n".join(changed)) == formatted(text)


def test_line_ends_and_marks_are_the_files_own():
    assert formatted(MESSY.replace("\n", "\r\n")) == NEAT.replace("\n", "\r\n")
    assert formatted("") == "" and formatted("// only a comment") == "// only a comment\n"


def test_a_range_touches_its_declarations_only():
    text = "enum a{x}\n\nenum b{y}\n\nenum c{z}\n"
    out, _ = format_lines(Source("x.card", text), 3, 3)
    assert out == "enum a{x}\n\nenum b { y }\n\nenum c{z}\n"


def cardc(*args: object, stdin: bytes = b"", cwd: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "cardc", *map(str, args)], input=stdin, capture_output=True, cwd=cwd)


def test_the_command(tmp_path):
    file = tmp_path / "a.card"
    file.write_text("enum a{x}\n")
    run = cardc("fmt", tmp_path, "--check")
    assert run.returncode == 1 and b"would change" in run.stdout and file.read_text() == "enum a{x}\n"
    run = cardc("fmt", "a.card", "--diff", cwd=tmp_path)
    assert run.returncode == 1 and b"-enum a{x}\n+enum a { x }\n" in run.stdout
    assert cardc("fmt", file).returncode == 0 and file.read_text() == "enum a { x }\n"
    assert cardc("fmt", file, "--check").returncode == 0
    assert cardc("fmt", "-", stdin=b"\xef\xbb\xbfenum a{x}").stdout == b"\xef\xbb\xbfenum a { x }\n"


def test_what_does_not_parse_stays_as_it_is(tmp_path):
    file = tmp_path / "a.card"
    file.write_text("enum a{x}\nenum b {{\n")
    run = cardc("fmt", file)
    assert run.returncode == 1 and b"error[E00" in run.stderr and file.read_text() == "enum a{x}\nenum b {{\n"
    assert cardc("fmt", tmp_path / "nothing.card").returncode == 2
    assert cardc("fmt", file, "--range", "x").returncode == 2
