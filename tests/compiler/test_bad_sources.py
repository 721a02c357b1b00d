"""Bad sources, through the command line: findings with a place; never a traceback, a partial output, or the loss of an
earlier build."""

from __future__ import annotations

import os

import pytest

MUCH = 10_000_000 if os.environ.get("CARDC_LONG") else 500_000
"""Bytes of a huge file."""


def commands(path: str) -> list[tuple[str, ...]]:
    return [
        ("check", path),
        ("build", path),
        ("build", path, "-o", "build/g"),
        ("test", path),
        ("play", path, "--seed", "1"),
        ("sim", path, "-n", "2"),
        ("fmt", "--check", path),
        ("explain", path, "one"),
    ]


CONTENTS: dict[str, tuple[bytes | str, str]] = {
    "empty": ("", ""),
    "only a comment": ("// nothing\n", ""),
    "binary": (bytes(range(256)) * 40, "E004"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(200)), "E004"),
    "not UTF-8": ('card x "Caf\xe9" : unit {}\n'.encode("latin-1"), "E004"),
    "UTF-16": ('card x "X" : unit {}\n'.encode("utf-16"), "E004"),
    "UTF-16 without BOM": ('card x "X" : unit {}\n'.encode("utf-16-le"), "E004"),
    "NUL bytes": ('card x "X"\0 : unit {}\n', "E004"),
    "an unclosed brace": ('card x "X" : unit {\n  power: 2\n\ncard y "Y" : unit {}\n', "E002"),
    "a brace too many": ('card x "X" : unit { } }\n', "E00"),
    "an unclosed string": ('card x "X : unit {}\n', "E002"),
    "a string at the end of the file": ('card x "', "E002"),
    "an escape at the end of the file": ('card x "\\', "E002"),
    "10,000 parentheses": (f"value v(): int = {'(' * 10_000}1{')' * 10_000}\n", "E005"),
    "10,000 unclosed parentheses": (f"value v(): int = {'(' * 10_000}1\n", "E00"),
    "10,000 brackets": (f"value v(): int = count({'[' * 10_000}{']' * 10_000})\n", "E005"),
    "10,000 signs": (f"value v(): int = {'-' * 10_000}1\n", "E005"),
    "10,000 nots": (f"value v(): bool = {'not ' * 10_000}true\n", "E005"),
    "10,000 blocks": (f"effect e() {'{ if true ' * 10_000}{{ }}{'}' * 10_000}\n", "E00"),
    "10,000 elses": (f"effect e() {{ {'if true { } else ' * 10_000} {{ }} }}\n", "E00"),
    "10,000 conditions": (f"value v(): int = {'if true then 1 else ' * 10_000} 1\n", "E005"),
    "10,000 members": (f"value v(): int = players{'.opponent' * 10_000}\n", "E005"),
    "10,000 questions": (f"state v: int{'?' * 10_000} = none\n", "E00"),
    "10,000 lists": (f"state v: {'list of ' * 10_000}int = []\n", "E005"),
    "10,000 terms": (f"value v(): int = {' + '.join(['1'] * 10_000)}\n", "E005"),
    "an integer of 5,000 digits": (f"value v(): int = {'9' * 5_000}\n", "E006"),
    "an integer of 5,000 digits as a field": (f'card x "X" : unit {{ power: {"9" * 5_000} }}\n', "E006"),
    "a size of 15 digits": ("zone z: shared list of unit at most 999999999999999, all see\n", ""),
    "a grid of 15 digits": ("board b: grid 999999 by 999999 of space { units: shared list of unit, all see }\n", "E"),
    "a row of 15 digits": ("board b: 999999999999999 of space { units: shared list of unit, all see }\n", "E"),
    "a decklist of 15 digits": ('decklist d "D" { 999999999999999 one }\n', "E"),
    "megabytes on one line": ("value v(): int = " + "1 + " * (MUCH // 4) + "1\n", "E005"),
    "megabytes of blanks": (" " * MUCH, ""),
    "megabytes of one name": ("value " + "v" * MUCH + "(): int = 1\n", ""),
    "megabytes in a string": ('card x "' + "x" * MUCH + '" : unit { nonsense }\n', "E304"),
    "megabytes of a comment": ("//" + "x" * MUCH, ""),
    "megabytes of stray words": ("x y " * (MUCH // 4), "E003"),
    "a card named by code": ("card __import__('os') \"X\" : unit {}\n", "E001"),
    "a card named by a text": ("card \"__import__('os')\" : unit {}\n", "E001"),
    "another language": ("import os\nprint('hello')\n", "E003"),
    "HTML": ("<!DOCTYPE html>\n<html><body>card</body></html>\n", "E003"),
    "a merge conflict": ('<<<<<<< HEAD\ncard x "X" : unit {}\n=======\n>>>>>>> other\n', "E003"),
    "a control character": ('card x "X" : unit {\x1b[31m}\n', "E001"),
    "very many broken declarations": ("card\n" * (MUCH // 100), "E00"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_bad_file(shell, name):
    content, code = CONTENTS[name]
    shell.write("g/bad.card", content)
    legal = not code
    for args in (
        ("check", "g"),
        ("build", "g", "-o", "build/g"),
        ("fmt", "--check", "g/bad.card"),
        ("ast", "g/bad.card"),
    ):
        if legal:
            done = shell.run(*args)
            said = done.stdout + done.stderr
            assert done.returncode in (0, 1) and "Traceback" not in said and "internal error" not in said, said[-500:]
            if args[0] in ("check", "build"):
                assert done.returncode == 0 or "error[" in said, said[-500:]
            continue
        if args[0] in ("fmt", "ast") and code not in ("E001", "E002", "E003", "E004", "E005", "E006", "E00"):
            assert "Traceback" not in shell.run(*args).stderr  # it can be read, it only means nothing
            continue
        said = shell.refused(*args, status=(1,))
        if args[0] == "check":
            assert f"[{code}" in said, said[-500:]


@pytest.mark.parametrize("head", ["game ", "game \t\n", "expansion \n", "\ufeffgame  // a game\n"], ids=repr)
def test_a_package_of_which_the_name_lacks(shell, head):
    """The place where a package is written is told by its name, before anything is parsed."""
    shell.write("lone/x.card", head)
    for args in (("check", "lone"), ("build", "lone"), ("build", "lone", "-o", "build/lone")):
        assert "error[E001]" in shell.refused(*args, status=(1,))


@pytest.mark.parametrize("args", [*commands("g"), ("ast", "g/bad.card"), ("check", "g/bad.card")], ids=" ".join)
def test_every_command_meets_a_bad_file(shell, args):
    shell.write("g/bad.card", 'card x "X" : unit {\x00')
    shell.refused(*args)


def test_findings_of_many_broken_declarations_are_all_told_and_the_healthy_ones_checked(shell):
    shell.write(
        "g/bad.card", "".join(f'card x{i} "X" : unit {{ power: ) }}\n' for i in range(50)) + "value v(): int = w\n"
    )
    said = shell.refused("check", "g", status=(1,))
    assert said.count("error[E001]") == 50 and "error[E101]" in said and "\n51 errors\n" in said


@pytest.mark.parametrize(
    ("content", "say"),
    [
        ("", "E008"),
        ("{", "E008"),
        ("[" * 100_000, "E008"),
        ("null", "E008"),
        ("[1, 2]", "E008"),
        ('[{"node": "CardDecl"}]', "E008"),
        ('{"node": 1e999}', "E008"),
        (b"\xff\xfe", "E004"),
        ('[{"node": "GameDecl", "node": 3}]', "E008"),
        ('{"x": ' * 5_000 + "1" + "}" * 5_000, "E008"),
        ('["' + "\\ud800" * 10 + '"]', "E008"),
        ("9" * 5_000, "E00"),
    ],
    ids=range(12),
)
def test_a_bad_tree(shell, content, say):
    shell.write("g/bad.card.json", content)
    assert f"[{say}" in shell.refused("check", "g", status=(1,))
    shell.refused("build", "g", "-o", "build/g", status=(1,))
