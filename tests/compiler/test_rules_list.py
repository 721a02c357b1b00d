"""The numbered rules of RULES.md."""

from pathlib import Path

import pytest
from cardc.package import UsageError
from cardc.rules import is_exempt, rules_of, uncovered, unknown

RULES = """\
# Rules

An **V-99** in a sentence is no rule.

- **V-1** A player wins by causing
  the opponent damage.
- **V-2**: *(table)* Cards are shuffled by hand: the software does it.
- not a rule
* **V-3** One is the sun.
  - **V-3a** The other is the moon.
- **V-4** Three cards *(box)*, as they are printed.

This goes on elsewhere.

```
- **V-50** in an example
```

1. V-10 in another kind of list
- **V-10** The last
## End
"""


def test_rules_of(tmp_path: Path) -> None:
    path = tmp_path / "RULES.md"
    path.write_bytes(b"\xef\xbb\xbf" + RULES.replace("\n", "\r\n").encode())
    rules = rules_of(path)
    assert rules == {
        "V-1": "A player wins by causing the opponent damage.",
        "V-2": "*(table)* Cards are shuffled by hand: the software does it.",
        "V-3": "One is the sun.",
        "V-3a": "The other is the moon.",
        "V-4": "Three cards *(box)*, as they are printed.",
        "V-10": "The last",
    }
    assert [r for r in rules if is_exempt(rules[r])] == ["V-2", "V-4"]
    assert uncovered(rules, ["V-1", "V-3a"]) == {"V-3": "One is the sun.", "V-10": "The last"}
    assert unknown(rules, ["V-2", "V-11", "V-9", "V-1", "A-7"]) == ["A-7", "V-9", "V-11"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"nothing here\n", "holds no rule"),
        (b"- **V-1** a\n- **V-1** b\n", "RULES.md:2: a second rule V-1"),
        (b"- **V-1** a\n- V-2 b\n", r"RULES.md:2: rule V-2 is not read: write `- \*\*V-2\*\* what it says`"),
        (b"# Rules\n\n1. V-1: a\n", "RULES.md:3: rule V-1 is not read"),
        (b"- **V-1** a\n## V-2 Second\n", "RULES.md:2: rule V-2 is not read"),
        (b"- **V-1** a\n* __V-2__ b\n", "RULES.md:2: rule V-2 is not read"),
        (b"\xff\xfe\x00", "not UTF-8"),
    ],
)
def test_a_list_that_cannot_serve(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "RULES.md"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        rules_of(path)


def test_a_rule_that_has_its_place_may_begin_other_lines(tmp_path: Path) -> None:
    path = tmp_path / "RULES.md"
    path.write_text("## V-1 and V-2\n\n- **V-1** a\n- **V-2** b\n\nOpen:\n- V-1 is hard\n- ask of V-9\n")
    assert list(rules_of(path)) == ["V-1", "V-2"]


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        rules_of(tmp_path / "RULES.md")
    with pytest.raises(UsageError, match="directory"):
        rules_of(tmp_path)
