"""Author text on a terminal."""

import pytest
from cardc.display import clip, pad, safe, width, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a    b"),
        ("a\x1b[31mred\x1b[0m", "a␛[31mred␛[0m"),
        ("one\ntwo\r", "one␊two␍"),
        ("\x7f\x85", "␡<U+0085>"),
        ("ab\u202ecd\u2066", "ab<U+202E>cd<U+2066>"),
        ("\u2028\ufeff\u00ad", "<U+2028><U+FEFF><U+00AD>"),
        ("\ud800", "<U+D800>"),
        ("café e\u0301 日本 👩\u200d👩\u200d👧", "café e\u0301 日本 👩\u200d👩\u200d👧"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_safe_shows_what_would_steer_or_reorder(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_no_control_or_bidi_character_passes() -> None:
    every = "".join(chr(c) for c in range(0x3000))
    shown = safe(every)
    assert not set(shown) & {chr(c) for c in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), 0x200E, 0x200F)}


def test_width_counts_cells() -> None:
    assert width("abc") == 3
    assert width("日本") == 4
    assert width("e\u0301") == 1
    assert width("") == 0


def test_clip_never_splits_a_wide_character_over_the_edge() -> None:
    assert clip("日本語日本語", 8) == "日本..."
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdefg", 6) == "abc..."
    assert width(clip("日" * 50, 11)) <= 11


def test_pad_and_wrap() -> None:
    assert pad("日", 4) == "日  "
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("unbreakable", 4) == ["unbreakable"]
    assert wrap("", 4) == [""]
