"""`cardc lint` and `lint { … }`: which rules run, how they are told, what fails the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from card_grammar.diagnostics import DIAGNOSTICS, RULES
from cardc import lint, pipeline
from cardc.__main__ import main

ROOT = Path(__file__).parents[2]
GAME = """game tiny "Tiny" { version: "1.0.0"  players: 2 }
player { points: 0 or more = 0, score }
kind unit { power: 0..9 = 0  slot aura: static in hand }
zone hand: each player list of unit, owner sees
setup { for each p in players { for each c in catalog { copy c to p.hand } } }
effect dusk(p: player) {}
flow {
  for each p in players { p choose show u: unit in p.hand "Show" { dusk(p)  p.points += u.power } }
  tie "Done"
}
card cub "Cub" : unit { aura { on dusk(you) { you.points += 1 } } }
"""
TWINS = 'card fox "Fox" : unit {}\ncard wolf "Wolf" : unit {}\n'
UNUSED = "value idle(): int = 1\n"


def package(tmp_path: Path, text: str) -> Path:
    (tmp_path / "g.card").write_text(text)
    return tmp_path


def found(tmp_path: Path, text: str, command=pipeline.lint) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in command(package(tmp_path, text)).findings]


def test_a_plain_game_is_clean(tmp_path, capsys):
    assert main(["lint", str(package(tmp_path, GAME)), "--strict"]) == 0
    assert capsys.readouterr().out.startswith("linted Tiny 1.0.0: 1 card, 0 tests, no findings (")


def test_each_rule_has_a_module_and_each_module_a_code():
    assert sorted(rule.CODE for rule in lint.RULES) == [code for code in DIAGNOSTICS if code.startswith("L8")]
    for rule in lint.RULES:
        name = rule.__name__.rsplit(".", 1)[1]
        assert RULES[name] == rule.CODE and rule.__doc__.startswith(f"{rule.CODE}: ")


@pytest.mark.parametrize("level, status, strict", [("off", 0, 0), ("note", 0, 0), ("warning", 0, 1), ("error", 1, 1)])
def test_a_package_says_how_a_rule_is_told(tmp_path, capsys, level, status, strict):
    folder = str(package(tmp_path, GAME + TWINS + f"lint {{ same_card: {level} }}\n"))
    assert main(["lint", folder]) == status
    out = capsys.readouterr().out
    assert out.startswith(f"{level}[L806]: " if level != "off" else "linted ")
    assert main(["lint", folder, "--strict"]) == strict
    assert main(["check", folder, "--strict"]) == 0, "check does not look for what only lint does"


@pytest.mark.parametrize("level, status", [("off", 0), ("note", 0), ("warning", 0), ("error", 1)])
def test_warnings_of_check_have_levels_too(tmp_path, capsys, level, status):
    folder = str(package(tmp_path, GAME + UNUSED + f"lint {{ unused: {level} }}\n"))
    assert main(["check", folder]) == status
    assert capsys.readouterr().out.startswith(f"{level}[W601]: " if level != "off" else "checked ")
    assert main(["build", folder, "-o", str(tmp_path / "built")]) == status
    assert (tmp_path / "built").exists() == (status == 0)


def test_lint_tells_what_check_does_and_its_own_in_source_order(tmp_path):
    text = GAME + TWINS + UNUSED + 'card hare "Hare" : unit {}\n'
    assert found(tmp_path, text) == [("L806", "warning"), ("W601", "warning"), ("L806", "warning")]


def test_direction_and_settings_of_lint_break_no_expansion(tmp_path, capsys):
    game = GAME.replace("power: 0..9 = 0 ", "power: 0..9 = 0, high is better ") + "lint { unused: off }\n"
    for name, text in (("old", GAME), ("new", game)):
        (tmp_path / name).mkdir()
        package(tmp_path / name, text)
    assert main(["diff", str(tmp_path / "old"), str(tmp_path / "new")]) == 0
    out = capsys.readouterr().out
    assert "changed kind unit, power" in out and "breaks" not in out


def test_a_rule_is_explained_by_the_name_it_has_in_a_package(capsys):
    assert main(["explain", "strictly_better"]) == 0
    assert capsys.readouterr().out.startswith("# L807 strictly-better\n")


def test_an_error_is_told_alone(tmp_path):
    assert found(tmp_path, GAME + TWINS + UNUSED + "value bad(): int = nothing_such\n") == [("E101", "error")]


def test_the_formats_know_notes(tmp_path, capsys):
    more = "effect dawn(p: player) {}\neffect day(p: player) { dawn(p) }\nlint { unused: off }\n"
    folder = str(package(tmp_path, GAME + more))
    main(["lint", folder, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert (document["errors"], document["warnings"], document["notes"]) == (0, 0, 1)
    assert document["findings"][0]["name"] == "unfilled" and document["findings"][0]["severity"] == "note"
    main(["lint", folder, "--format", "github"])
    assert capsys.readouterr().out.startswith("::notice file=")
    main(["lint", folder, "--format", "gitlab"])
    assert json.loads(capsys.readouterr().out)[0]["severity"] == "info"
    main(["lint", folder, "--format", "sarif"])
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["level"] == "note"
    main(["lint", folder])
    assert capsys.readouterr().out.endswith("\n1 note\n")


def test_the_settings_of_a_game_are_not_those_of_its_expansions(tmp_path):
    (tmp_path / "base").mkdir()
    base = package(tmp_path / "base", GAME + TWINS + "lint { same_card: error }\n")
    text = 'expansion more "More" for tiny { version: "1.0.0" }\ncard hare "Hare" : unit {}\n'
    (tmp_path / "more").mkdir()
    more = package(tmp_path / "more", text)
    outcome = pipeline.lint(more, base)
    assert [(f.code, f.severity, f.message) for f in outcome.findings] == [
        ("L806", "warning", "card `hare` is the same as card `fox`")
    ]
    more = package(tmp_path / "more", text + "lint { same_card: off }\n")
    assert pipeline.lint(more, base).findings == ()


def test_a_better_card_of_the_base_game_is_told_at_the_own_card(tmp_path):
    game = GAME.replace("power: 0..9 = 0 ", "power: 0..9 = 0, high is better ")
    (tmp_path / "base").mkdir()
    base = package(tmp_path / "base", game + 'card fox "Fox" : unit { power: 1 }\n')
    text = 'expansion more "More" for tiny { version: "1.0.0" }\ncard hare "Hare" : unit { power: 2 }\n'
    (tmp_path / "more").mkdir()
    outcome = pipeline.lint(package(tmp_path / "more", text), base)
    assert [f.source.path for f in outcome.findings] == ["g.card"]
    assert outcome.findings[0].message.startswith("card `hare` is in nothing worse than card `fox`")


def test_a_picture_is_looked_for_in_the_folder_of_the_package(tmp_path):
    text = GAME + 'lint { art: "art/*.png" }\n'
    assert found(tmp_path, text) == [("L810", "warning")]
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "cub.png").write_bytes(b"")
    assert found(tmp_path, text) == []


def test_a_level_survives_a_build_that_does_nothing(tmp_path):
    (tmp_path / "g").mkdir()
    folder = package(tmp_path / "g", GAME + UNUSED + "lint { unused: note }\n")
    for fresh in (False, True):
        outcome, _ = pipeline.build(folder, tmp_path / "built")
        assert outcome.fresh == fresh and [f.severity for f in outcome.findings] == ["note"]


def test_settings_change_nothing_that_is_built_but_themselves(tmp_path):
    (tmp_path / "g").mkdir()
    plain, _ = pipeline.build(package(tmp_path / "g", GAME), tmp_path / "built")
    quiet, _ = pipeline.build(package(tmp_path / "g", GAME + "lint { naming: off }\n"), tmp_path / "built")
    differ = {path for path in {*plain.files, *quiet.files} if plain.files.get(path) != quiet.files.get(path)}
    # the part holds the source itself, next to the data of its cards
    assert differ == {"manifest.json", "parts/00000.json"}
    assert plain.files["parts/00000.py"] == quiet.files["parts/00000.py"]


# ---- What is meant


OFF = "// lint off same_card: as it should be"


@pytest.mark.parametrize(
    "lines",
    [
        f'card wolf "Wolf" : unit {{}}  {OFF}',
        f'{OFF}\ncard wolf "Wolf" : unit {{}}',
        f'   {OFF}\n// and more\n\ncard wolf "Wolf" : unit {{}}',
        'card wolf "Wolf // lint off naming" : unit {} //lint off  same_card :x',
    ],
)
def test_a_line_can_be_meant(tmp_path, lines):
    for end in ("\n", "\r\n"):
        text = GAME + 'card fox "Fox" : unit {}\n' + lines + "\n"
        (tmp_path / "g.card").write_bytes(text.replace("\n", end).encode())
        assert pipeline.lint(tmp_path).findings == ()


@pytest.mark.parametrize(
    "lines, codes",
    [
        (f'card wolf "Wolf" : unit {{\n  {OFF}\n}}', ["L806", "W606"]),
        (f'card wolf "Wolf" : unit {{}}\n{OFF}', ["L806", "W606"]),
        ('card wolf "Wolf" : unit {}  // lint off same_card', ["L806", "W605"]),
        (f'card wolf "Wolf" : unit {{}}  {OFF} {OFF}', []),
        ('card wolf "Wolf" : unit {}  // lint off same_card, same_card: twice', ["W606"]),
        ('card wolf "Wolf" : unit {}  // lint offends', ["L806"]),
        ('card wolf "Wolf // lint off same_card: no" : unit {}', ["L806"]),
    ],
)
def test_what_is_meant_stands_on_the_line_and_has_a_reason(tmp_path, lines, codes):
    text = GAME + 'card fox "Fox" : unit {}\n' + lines + "\n"
    assert [code for code, _ in found(tmp_path, text)] == codes


def test_check_leaves_alone_what_only_lint_finds(tmp_path):
    text = GAME + "value a(): int = 1  // lint off unused, naming: for expansions\n"
    assert found(tmp_path, text, pipeline.check) == []
    assert found(tmp_path, text) == [("W606", "warning")]


def test_an_error_cannot_be_meant(tmp_path):
    text = GAME + "value a(): int = b  // lint off unknown_name: it is meant\n"
    assert found(tmp_path, text) == [("E101", "error")], "warnings wait until there are no errors"


def test_what_is_meant_in_a_game_is_not_looked_at_for_its_expansions(tmp_path):
    (tmp_path / "base").mkdir()
    base = package(tmp_path / "base", GAME + "value a(): int = 1  // lint off unused\n")
    (tmp_path / "more").mkdir()
    more = package(tmp_path / "more", 'expansion more "More" for tiny { version: "1.0.0" }\n')
    assert pipeline.lint(more, base).findings == ()


# ---- Taking up lint late


def run(capsys, *args: object) -> tuple[int, str]:
    status = main([str(a) for a in args])
    got = capsys.readouterr()
    return status, got.out + got.err


def test_a_baseline_leaves_out_what_was_there(tmp_path, capsys):
    (tmp_path / "g").mkdir()
    folder, file = package(tmp_path / "g", GAME + TWINS + UNUSED), tmp_path / "known.json"
    assert run(capsys, "lint", folder, "--write-baseline", file)[1].startswith(f"wrote 2 findings to {file} (")
    assert json.loads(file.read_text()) == {
        "version": 1,
        "findings": [
            {"file": "g.card", "in": "card wolf", "code": "L806",
             "message": "card `wolf` is the same as card `fox`"},
            {"file": "g.card", "in": "value idle", "code": "W601", "message": "value `idle` is not used"},
        ],
    }  # fmt: skip
    assert run(capsys, "lint", folder, "--baseline", file, "--strict")[0] == 0
    package(folder, "// moved\n\n" + UNUSED + GAME + 'card hare "Hare" : unit {}\n' + TWINS)
    status, out = run(capsys, "lint", folder, "--baseline", file, "--strict")
    # the twins are now twins of the hare, which is a new finding and an old one that has gone
    assert status == 1 and "card `fox` is the same as card `hare`" in out and out.count("[L806]") == 2
    assert "[W601]" not in out and out.count("[W607]") == 1
    package(folder, GAME)
    status, out = run(capsys, "lint", folder, "--baseline", file)
    assert status == 0 and out.count("warning[W607]") == 2
    assert "--> " + str(folder) + "/../known.json:3:3\n" in out
    assert "the baseline expects W601 in g.card, and it is found no more: value `idle` is not used" in out
    assert run(capsys, "lint", folder, "--write-baseline", file)[0] == 0
    assert file.read_text() == '{"version": 1, "findings": []}\n'


def test_a_baseline_counts(tmp_path, capsys):
    """Two locals of one name in one declaration: one of them mended, one is still known, and a third is new."""
    (tmp_path / "g").mkdir()
    once = "{ let a = 1  gain(p, 1) }"
    body = "effect gain(p: player, n: int) {{ p.points += n }}\n"
    body += "effect _e(p: player) {{ if p.points > 1 {0} else {1} }}\n"
    file, folder = tmp_path / "g" / "known.json", package(tmp_path / "g", GAME + body.format(once, once))
    run(capsys, "lint", folder, "--write-baseline", file)
    assert [e.get("count", 1) for e in json.loads(file.read_text())["findings"]] == [2]
    assert run(capsys, "lint", folder, "--baseline", file)[1].startswith("linted ")
    package(folder, GAME + body.format(once, "{ gain(p, 2) }"))
    assert "expects W601 in g.card, and it" in run(capsys, "lint", folder, "--baseline", file)[1]
    package(folder, GAME + body.format("{ if p.points > 2 " + once + " else " + once + " }", once))
    status, out = run(capsys, "lint", folder, "--baseline", file, "--strict")
    assert status == 1 and out.count("warning[W601]") == 1


def test_errors_are_in_no_baseline(tmp_path, capsys):
    (tmp_path / "g").mkdir()
    folder, file = package(tmp_path / "g", GAME + UNUSED), tmp_path / "known.json"
    run(capsys, "lint", folder, "--write-baseline", file)
    package(folder, GAME + UNUSED + "value bad(): int = nothing_such\n")
    status, out = run(capsys, "lint", folder, "--baseline", file)
    assert status == 1 and out.count("[E101]") == 1 and "[W607]" not in out, "warnings wait, so nothing is gone"
    other = tmp_path / "other.json"
    status, out = run(capsys, "lint", folder, "--write-baseline", other)
    assert status == 1 and "[E101]" in out and "no baseline was written" in out and not other.exists()


def test_a_rule_that_is_an_error_can_be_known(tmp_path, capsys):
    (tmp_path / "g").mkdir()
    folder, file = package(tmp_path / "g", GAME + TWINS + "lint { same_card: error }\n"), tmp_path / "known.json"
    assert run(capsys, "lint", folder, "--write-baseline", file)[0] == 0
    assert run(capsys, "lint", folder)[0] == 1
    assert run(capsys, "lint", folder, "--baseline", file)[0] == 0


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 1}', '{"version": 1, "findings": [{}]}', '{"version": 1, "findings": 3}', "\xff",
     '{"version": 1, "findings": [{"file": 1, "in": "", "code": "", "message": ""}]}', "[" * 9999,
     '{"version": 1, "findings": [{"file": "", "in": "", "code": "", "message": "", "count": 0}]}'],
)  # fmt: skip
def test_what_is_no_baseline_is_one_line(tmp_path, capsys, text):
    (tmp_path / "g").mkdir()
    file = tmp_path / "known.json"
    file.write_text(text, encoding="latin-1")
    status, out = run(capsys, "lint", package(tmp_path / "g", GAME), "--baseline", file)
    assert status == 2 and out.count("\n") == 1 and "known.json" in out


def test_baselines_and_usage(tmp_path, capsys):
    (tmp_path / "g").mkdir()
    folder = package(tmp_path / "g", GAME)
    assert run(capsys, "lint", folder, "--baseline", tmp_path / "none.json")[0] == 2
    assert run(capsys, "lint", folder, "--write-baseline", tmp_path / "x", "--fix")[0] == 2
    assert run(capsys, "lint", folder / "g.card", "--write-baseline", tmp_path / "x")[0] == 2
    (tmp_path / "v.json").write_text('{"version": 2, "findings": []}')
    assert "another version" in run(capsys, "lint", folder, "--baseline", tmp_path / "v.json")[1]
