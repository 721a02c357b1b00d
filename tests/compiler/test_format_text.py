"""Findings as text: golden pages."""

import tracemalloc

import pytest
from cardc.display import width
from cardc.findings import Finding, Label
from cardc.formats.text import render, summary
from cardc.source import Source


def _warning(monkeypatch: pytest.MonkeyPatch) -> None:
    from card_grammar.diagnostics import DIAGNOSTICS, Diagnostic

    monkeypatch.setitem(DIAGNOSTICS, "W699", Diagnostic("W699", "for-tests", "warning", "For tests."))


def page(text: str, *spans: str, message: str = "`x` is wrong", help: str | None = None, **options: object) -> str:
    """The page of a finding at the first span, with labels at the others."""
    source = Source("frame.card", text)
    places = [(text.index(s), text.index(s) + len(s)) for s in spans]
    labels = tuple(Label(source, start, end, f"label {i}") for i, (start, end) in enumerate(places[1:], 1))
    return render([Finding("E001", source, *places[0], message, help, labels)], **options)  # type: ignore[arg-type]


def test_a_finding_with_help_and_labels() -> None:
    text = 'game g "G" {\n  players: 2\n}\n\n\n\neffect x() {\n  q\n}\n'
    assert page(text, "q", "players", "effect x", help="write `z`", root="cards/g/") == (
        "error[E001]: `x` is wrong\n"
        " --> cards/g/frame.card:8:3\n"
        "  |\n"
        "2 |   players: 2\n"
        "  |   ------- label 1\n"
        "...\n"
        "7 | effect x() {\n"
        "  | -------- label 2\n"
        "8 |   q\n"
        "  |   ^\n"
        "  = help: write `z`\n"
        "\n"
    )


def test_marks_on_one_line_and_a_line_between() -> None:
    assert page("a b c\nd\ne f\n", "b", "c", "f") == (
        "error[E001]: `x` is wrong\n"
        " --> frame.card:1:3\n"
        "  |\n"
        "1 | a b c\n"
        "  |   ^\n"
        "  |     - label 1\n"
        "2 | d\n"
        "3 | e f\n"
        "  |   - label 2\n"
        "\n"
    )


def test_a_label_in_another_file() -> None:
    here, there = Source("a.card", "card one\n"), Source("more/b.card", "\n" * 11 + "card one\n")
    finding = Finding("E001", here, 5, 8, "twice", None, (Label(there, 16, 19, "first here"),))
    assert render([finding], root="g/") == (
        "error[E001]: twice\n"
        "  --> g/a.card:1:6\n"
        "   |\n"
        " 1 | card one\n"
        "   |      ^^^\n"
        "  ::: g/more/b.card:12:6\n"
        "   |\n"
        "12 | card one\n"
        "   |      --- first here\n"
        "\n"
    )


def test_short_and_long_spans_over_lines() -> None:
    short = "effect x {\n  a\n}\n"
    assert page(short, "effect x {\n  a\n}") == (
        "error[E001]: `x` is wrong\n"
        " --> frame.card:1:1\n"
        "  |\n"
        "1 | effect x {\n"
        "  | ^^^^^^^^^^\n"
        "2 |   a\n"
        "3 | }\n"
        "  | ^\n"
        "\n"
    )
    long = "effect x {\n" + "  a\n" * 9 + "  b }\n"
    assert page(long, long) == (
        "error[E001]: `x` is wrong\n"
        "  --> frame.card:1:1\n"
        "   |\n"
        " 1 | effect x {\n"
        "   | ^^^^^^^^^^\n"
        "...\n"
        "11 |   b }\n"
        "   |   ^^^\n"
        "\n"
    )


def test_tabs_wide_and_combining_characters_stay_aligned() -> None:
    lines = page('\t"日本" e\u0301\u202e bad\n', "bad").splitlines()
    assert lines[1] == " --> frame.card:1:11"
    assert lines[3] == '1 |     "日本" e\u0301<U+202E> bad'
    before, after = lines[3].split("bad")[0], lines[4].split("^")[0]
    assert width(before) == width(after)
    assert lines[4].endswith("^^^")


def test_a_long_line_is_cut_around_the_span_and_shown_again_for_a_far_label() -> None:
    text = "a" * 300 + " oops " + "b" * 300 + " far\n"
    assert page(text, "oops", "far", columns=40) == (
        "error[E001]: `x` is wrong\n"
        " --> frame.card:1:302\n"
        "  |\n"
        "1 | ...aaaaaaaaaaaa oops bbbbbbbbbbbb...\n"
        "  |                 ^^^^\n"
        "1 | ...bbbbbbbbbbbb far\n"
        "  |                 --- label 1\n"
        "\n"
    )


@pytest.mark.parametrize("columns", [20, 40, 81])
def test_no_line_of_source_is_wider_than_the_page(columns: int) -> None:
    for text in ("日" * 500, "x" * 500, "\u202e" * 200, "\t" * 200, "e\u0301" * 300):
        for at in (0, 3, 99, len(text)):
            source = Source("a.card", text)
            for end in (at, min(at + 5, len(text)), len(text)):
                for line in render([Finding("E001", source, at, end, "m")], columns=columns).splitlines()[3:]:
                    assert width(line) <= max(columns, 24), line


@pytest.mark.parametrize(
    ("text", "start", "end", "place"),
    [
        ("", 0, 0, "1:1"),
        ("abc", 3, 3, "1:4"),
        ("abc\n", 4, 4, "2:1"),
        ("abc\r\ndef\r\n", 3, 5, "1:4"),
        ("abc\r\ndef", 5, 8, "2:1"),
        ("abc", 2, 99, "1:3"),
        ("abc", 99, 120, "1:4"),
        ("\n\n", 0, 2, "1:1"),
    ],
)
def test_spans_at_the_edges(text: str, start: int, end: int, place: str) -> None:
    shown = render([Finding("E001", Source("a.card", text), start, end, "m")])
    assert f" --> a.card:{place}\n" in shown
    assert "\r" not in shown
    assert ("^" in shown) == bool(text)


def test_nothing_of_the_author_steers_the_terminal() -> None:
    source = Source("a\x1b.card", "x \x1b[2J\x07 y\n")
    finding = Finding("E001", source, 2, 3, "`\x1b[2J` \u202e", "try\x07", (Label(source, 0, 1, "\x1bx"),))
    shown = render([finding])
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_colours_are_the_only_difference() -> None:
    plain = page("a b\n", "b", "a", help="h")
    coloured = page("a b\n", "b", "a", help="h", colour=True)
    assert "\x1b[1;31merror[E001]\x1b[0m" in coloured
    import re

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_a_finding_on_a_line_of_10_mb_costs_little() -> None:
    source = Source("a.card", "x" * 10_000_000)
    tracemalloc.start()
    try:
        for i in range(100):
            assert "xxxx" in render([Finding("E001", source, i * 1000, i * 1000 + 4, "m")])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 1_000_000  # The line itself is never copied.


def test_summary_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    _warning(monkeypatch)
    source = Source("a.card", "x")
    error = Finding("E001", source, 0, 1, "m")
    warning = Finding("W699", source, 0, 1, "m")
    assert summary([]) == ""
    assert summary([error]) == "1 error"
    assert summary([warning, error, error]) == "2 errors, 1 warning"
    assert summary([warning, warning]) == "2 warnings"
    assert render([warning]).startswith("warning[W699]: m\n")


def test_a_label_that_has_no_room_behind_its_underline_stands_before_it():
    shown = page(f"first{' ' * 40}last\n", "first", "last", columns=53).splitlines()
    assert shown[-4].endswith(f"first{' ' * 40}last")
    assert shown[-2] == f"  | {' ' * 37}label 1 ----"
    assert all(width(line) <= 53 for line in shown)
    assert page(f"first{' ' * 40}last\n", "first", "last", columns=65).splitlines()[-2].endswith("---- label 1")
