"""What editors and pull requests get: colours, snippets, problem matchers, hooks, a workflow. All is tried on real
files and real output."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from card_grammar import textmate
from card_grammar.tables import load_tables
from cardc.__main__ import main
from cardc.lexer import Lexer
from cardc.pipeline import analyse, base_for
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
CODE = ROOT / "editors" / "vscode"
SCAFFOLD = (ROOT / "grammar" / "scaffold.card").read_bytes()
PACKAGE = json.loads((CODE / "package.json").read_text())
SNIPPETS = json.loads((CODE / "snippets" / "card.json").read_text())


# ---- Colours


def test_the_grammar_is_made_from_the_language():
    made = json.dumps(textmate.grammar(), indent=2, ensure_ascii=False) + "\n"
    assert (CODE / "syntaxes" / "card.tmLanguage.json").read_text(encoding="utf-8") == made


def coloured(line: str) -> list[tuple[int, int, str]]:
    """The stretches of a line with their scopes, as an editor finds them: at each place, the pattern that matches
    first, of those that match there the one that is listed first."""
    patterns = [(re.compile(p["match"]), p) for p in textmate.grammar()["patterns"]]
    out, at = [], 0
    while at < len(line):
        found = [(m.start(), i, m) for i, (regex, _) in enumerate(patterns) if (m := regex.search(line, at))]
        if not found:
            break
        _, i, m = min(found, key=lambda f: f[:2])
        pattern = patterns[i][1]
        if "captures" in pattern:
            out += [(*m.span(int(g)), scope["name"]) for g, scope in pattern["captures"].items()]
        else:
            out.append((*m.span(), pattern["name"]))
        at = max(m.end(), at + 1)
    return out


FILES = [
    *sorted(ROOT.glob("cards/*/*.card")), ROOT / "grammar" / "scaffold.card",
    Path(__file__).parent / "front_corpus.card",
]  # fmt: skip


def scope_at(line: str, start: int, end: int) -> str:
    """The scope of a stretch that has one as a whole."""
    return next((scope for a, b, scope in coloured(line) if a <= start and end <= b), "")


@pytest.mark.parametrize("file", FILES, ids=[str(f.relative_to(ROOT)) for f in FILES])
def test_words_texts_numbers_and_comments_are_coloured_as_they_are_read(file: Path):
    tables = load_tables()
    lexer = Lexer(tables)
    words = textmate.keywords()
    # of the words that are not reserved, a declaration may be called by one
    coloured_words = ("keyword.", "storage.", "constant.language", "variable.language", "support.", "entity.name.type")
    for line in file.read_text(encoding="utf-8").splitlines():
        tokens = lexer.scan(line, 0, len(line))
        for terminal, start, end in zip(tokens.terminals, tokens.starts, tokens.ends, strict=True):
            text = line[start:end]
            kind = tables.terminals[terminal].name if terminal < len(tables.terminals) else ""
            scope = scope_at(line, start, end) if text else ""
            if kind == "STRING":
                assert scope == "string.quoted.double.card", line
            elif kind == "INT":
                assert scope in ("constant.numeric.card", "constant.other.rule.card"), line  # V-9
            elif line[:start].rstrip()[-1:] == "." and line[:start].rstrip()[-2:] != "..":
                assert scope in ("variable.other.member.card", ""), (line, text)
            elif text in words and not re.match(r"\s*:", line[end:]):
                assert scope.startswith(coloured_words), (line, text)
        comment = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: "x" * len(m[0]), line).find("//")
        if comment >= 0:
            assert scope_at(line, comment, len(line)) == "comment.line.double-slash.card", line


def test_every_word_of_the_language_has_a_colour_and_only_one():
    for word in sorted(textmate.keywords()):
        kinds = [scope for start, end, scope in coloured(f" {word} ") if (start, end) == (1, 1 + len(word))]
        assert len(kinds) == 1 and kinds[0].startswith(("keyword.", "constant.language")), word
        assert coloured(f"  {word}: 1")[0][2] == "variable.other.property.card", word  # a field may have any name
    assert textmate.keywords() >= textmate.declarations() | textmate.OPERATORS | textmate.CONSTANTS
    assert {"card", "test", "extend", "open", "bot", "setup"} <= textmate.declarations()


# ---- Snippets


def expanded(body: list[str]) -> str:
    """A snippet as it stands when nothing is typed into it."""
    text = "\n".join(body)
    defaults: dict[str, str] = {}

    def place(m: re.Match[str]) -> str:
        number, default, choices = m.groups()
        if choices is not None:
            default = choices.split(",")[0]
        if default is not None:
            defaults.setdefault(number, default)
        return defaults.get(number, "")

    text = re.sub(r"\$\{(\d+)(?::([^{}]*)|\|([^|]*)\|)\}", place, text)
    return re.sub(r"\$\{?(\d+)\}?", lambda m: defaults.get(m[1], ""), text).rstrip() + "\n"


SMALL = b"""\
game small "Small" { version: "1.0.0"  players: 2 }
kind unit { power: 0..9 }
zone hand: each player list of unit, owner sees
setup { for each p in players { copy cub to p.hand } }
flow { loop { players[0] choose play u: unit in players[0].hand where u.power > 0 "Play" { win players[0] } } }
card cub "Cub" : unit { power: 1 }
"""
"""A game that does not deal its whole catalog: another kind changes nothing for it."""


@pytest.mark.parametrize("name", SNIPPETS)
def test_every_snippet_builds(name: str, tmp_path: Path):
    snippet = SNIPPETS[name]
    text = expanded(snippet["body"])
    assert "$" not in text and snippet["description"] and snippet["prefix"]
    on = None
    if text.startswith("game "):
        files = [("snippet.card", text.encode())]
    elif text.startswith("expansion "):
        (tmp_path / "scaffold.card").write_bytes(SCAFFOLD)
        files = [("snippet.card", text.encode())]
        on = base_for(tmp_path, files, tmp_path)
    elif text.startswith("kind "):
        files = [("small.card", SMALL), ("snippet.card", text.encode())]
    else:
        files = [("scaffold.card", SCAFFOLD), ("snippet.card", text.encode())]
    found = analyse(files, on).findings
    assert [(f.code, f.message) for f in found if f.severity == "error"] == []


def test_snippets_are_in_the_canonical_form(tmp_path: Path, capsys):
    for snippet in SNIPPETS.values():
        (tmp_path / "s.card").write_text(expanded(snippet["body"]))
        assert main(["fmt", "--check", str(tmp_path / "s.card")]) == 0, snippet["prefix"]


def test_prefixes_are_told_apart():
    prefixes = [s["prefix"] for s in SNIPPETS.values()]
    assert len(set(prefixes)) == len(prefixes)


# ---- Problem matchers


def problems(name: str, output: str) -> list[dict[str, str]]:
    """What VS Code takes from an output: the patterns of a matcher match lines that follow one another."""
    matcher = next(m for m in PACKAGE["contributes"]["problemMatchers"] if m["name"] == name)
    patterns = matcher["pattern"]
    lines, out = output.splitlines(), []
    for i in range(len(lines) - len(patterns) + 1):
        matches = [re.search(p["regexp"], line) for p, line in zip(patterns, lines[i:], strict=False)]
        if all(matches):
            out.append(
                {key: m[group] for p, m in zip(patterns, matches, strict=True) for key, group in p.items()
                 if isinstance(group, int) and m is not None}
            )  # fmt: skip
    return out


BROKEN = SCAFFOLD.replace(b"\nsetup {", b"\nvalue odd(): int = nothing_here\nvalue idle(): int = 1\nsetup {", 1)


def test_findings_are_taken_from_real_output(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my game"
    folder.mkdir()
    (folder / "a.card").write_bytes(BROKEN)
    main(["check", "my game"])
    line = BROKEN.split(b"\n").index(b"value odd(): int = nothing_here") + 1
    assert problems("cardc", capsys.readouterr().out) == [
        {
            "severity": "error", "code": "E101", "message": "nothing is called `nothing_here` here",
            "file": "my game/a.card", "line": str(line), "column": "20",
        }
    ]  # fmt: skip
    (folder / "a.card").write_bytes(BROKEN.replace(b"nothing_here", b"2"))
    main(["check", "my game"])
    found = problems("cardc", capsys.readouterr().out)
    assert [(p["severity"], p["line"]) for p in found] == [("warning", str(line)), ("warning", str(line + 1))]


def test_failed_tests_are_taken_from_real_output(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = b'test "a cub is strong" {\n  given { let c = new cub }\n  expect c.power > 5\n}\n'
    (tmp_path / "a.card").write_bytes(SCAFFOLD + test)
    main(["test", "."])
    line = (SCAFFOLD + test).split(b"\n").index(b'test "a cub is strong" {') + 1
    assert problems("cardc-test", capsys.readouterr().out) == [
        {"message": "a cub is strong", "file": "a.card", "line": str(line)}
    ]


def test_the_watch_begins_and_ends_with_lines_that_are_said():
    matcher = next(m for m in PACKAGE["contributes"]["problemMatchers"] if m["name"] == "cardc-watch")
    source = (ROOT / "compiler" / "cardc" / "cli" / "watching.py").read_text()
    said = [re.sub(r"\{[^}]*\}", "my game", x) for x in re.findall(r'output\.say\(f?"([^"]*)"\)', source)]
    assert len(said) == 2
    for key, line in (("beginsPattern", "the sources changed"), ("endsPattern", "watching my game; Ctrl-C ends it")):
        assert line in said and re.search(matcher["background"][key], line)


def test_the_extension_names_files_that_are_there():
    contributes = PACKAGE["contributes"]
    named = [contributes[x][0]["path"] for x in ("grammars", "snippets")]
    assert all((CODE / path).is_file() for path in [*named, contributes["languages"][0]["configuration"]])
    assert contributes["grammars"][0]["scopeName"] == textmate.SCOPE
    import cardc

    assert PACKAGE["version"] == cardc.__version__
    tasks = json.loads(re.search(r"```json\n(.*?)```", (CODE / "README.md").read_text(), re.DOTALL)[1])
    matchers = {f"${m['name']}" for m in contributes["problemMatchers"]}
    for task in tasks["tasks"]:
        wanted = task["problemMatcher"]
        assert set([wanted] if isinstance(wanted, str) else wanted) <= matchers
        assert main([*task["args"][:1], "--help"]) == 0


# ---- Hooks and the workflow


def test_the_hooks_run(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.card").write_bytes(SCAFFOLD + b'test "t" { given { let c = new cub }  expect c.power == 1 }\n')
    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [h["id"] for h in hooks] == ["cardc-fmt", "cardc-check", "cardc-lint", "cardc-test"]
    for hook in hooks:
        assert {"id", "name", "entry", "language", "files"} <= hook.keys() and hook["language"] == "python"
        assert re.search(hook["files"], "units/a.card") and not re.search(hook["files"], "a.md")
        command, *args = shlex.split(hook["entry"])
        assert command == "cardc"
        assert main([*args, *(["a.card"] if hook.get("pass_filenames", True) else [])]) == 0, hook["id"]
    (tmp_path / "a.card").write_bytes(BROKEN)
    assert main(shlex.split(hooks[1]["entry"])[1:]) == 1


WORKFLOW = ROOT / "editors" / "github" / "cards.yml"


def test_the_workflow_is_one():
    call = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(WORKFLOW)]
    run = subprocess.run(call, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_workflow_runs_and_annotates(tmp_path: Path):
    job = YAML(typ="safe").load(WORKFLOW.read_text())["jobs"]["validate"]
    steps = {s["name"]: s["run"] for s in job["steps"] if "run" in s and "pip" not in s["run"]}
    assert list(steps) == ["Check", "Test", "Form", "What changes, and what that breaks"]
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "cardc"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardc "$@"\n')
    tool.chmod(0o755)
    repo = tmp_path / "repo"
    (repo / "game").mkdir(parents=True)
    (repo / "game" / "game.card").write_bytes(SCAFFOLD)
    head = 'expansion more "More" for tiny { version: "1.0.0" }\n'
    wolf = 'card wolf "Wolf" : unit { power: 2 }\n'
    test = 'test "a wolf is worth two" {\n  given { let w = new wolf }\n  expect w.power == 2\n}\n'
    (repo / "more.card").write_text(head + wolf + test)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, **job["env"], "CI": "true", "GITHUB_BASE_REF": "main", "PATH": path}

    def shell(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-ec", command], cwd=repo, env=env, capture_output=True, text=True)

    who = "git -c user.name=a -c user.email=a@b"
    begin = f"git init -q -b main; git add -A; {who} commit -qm one; git update-ref refs/remotes/origin/main HEAD"
    assert shell(begin).returncode == 0
    for name, command in steps.items():
        run = shell(command)
        assert run.returncode == 0, (name, run.stdout, run.stderr)
    (repo / "more.card").write_text(head + wolf.replace("power: 2", "power: 3") + test)
    run = shell(steps["Test"])
    assert run.returncode == 1
    assert run.stdout.startswith(
        "::error file=more.card,line=3,title=failed%3A a wolf is worth two::more.card:5: expect w.power == 2%0A"
    )
    assert run.stdout.endswith("0 passed, 1 failed\n")
    (repo / "more.card").write_text(head + wolf.replace("power: 2", "power: 22") + test)
    run = shell(steps["Check"])
    assert run.returncode == 1
    assert run.stdout.startswith("::error file=more.card,line=2,col=34,endColumn=36,title=E303::")
    (repo / "more.card").write_text(head + wolf.replace("wolf", "elk") + test.replace("wolf", "elk"))
    run = shell(steps["What changes, and what that breaks"])
    assert run.returncode == 1 and "removed card wolf: Wolf [breaks decks, expansions]" in run.stdout
