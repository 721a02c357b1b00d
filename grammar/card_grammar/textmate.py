"""The TextMate grammar of `.card` files, made of the words of `card.lark`: what editors colour.

`python -m card_grammar.textmate` writes it to standard output; a test compares it with the file of the VS Code
extension. A highlighter does not know where it is in a declaration, so a word that is a keyword somewhere is coloured
everywhere but after a dot and before a colon, where only members stand.
"""

from __future__ import annotations

import json
import sys

from card_grammar.tables import load_tables

SCOPE = "source.card"

OPERATORS = frozenset(["and", "or", "not", "is", "in", "has", "meets", "sees", "as"])
CONSTANTS = frozenset(["true", "false", "none", "empty"])
BUILT_IN = ("self", "you", "source", "me", "opponent", "players", "catalog", "match")
TYPES = ("int", "bool")


def keywords() -> frozenset[str]:
    """All words of the grammar."""
    return frozenset(t.text for t in load_tables().terminals if t.kind == "word")


def declarations() -> frozenset[str]:
    """The words that begin a declaration."""
    tables = load_tables()
    first = [tables.terminals[t] for t, _ in tables.states[0].shifts]
    return frozenset(t.text for t in first if t.kind == "word")


def _words(scope: str, words: frozenset[str] | tuple[str, ...], ends: str = r"(?!\s*:)") -> dict[str, str]:
    return {"name": f"{scope}.card", "match": rf"\b(?:{'|'.join(sorted(words))})\b{ends}"}


def grammar() -> dict[str, object]:
    """The grammar as the value that its file holds."""
    words = keywords()
    begin = declarations()
    control = words - begin - OPERATORS - CONSTANTS
    patterns: list[dict[str, object]] = [
        {"name": "comment.line.double-slash.card", "match": r"//.*$"},
        {
            "name": "string.quoted.double.card",
            "match": r'"(?:[^"\\]|\\.)*"',
        },
        {  # what has an id of its own: its word, the id
            "match": r"^(extend enum|open enum|bot value|"
            + "|".join(sorted(begin - {"extend", "open", "bot", "test", "lint"}))
            + r")\s+([A-Za-z_][A-Za-z0-9_]*)",
            "captures": {
                "1": {"name": "storage.type.card"},
                "2": {"name": "entity.name.type.card"},
            },
        },
        {"name": "storage.type.card", "match": rf"^(?:{'|'.join(sorted(begin))})\b(?!\s*:)"},
        {"match": r"\.\s*[A-Za-z_][A-Za-z0-9_]*", "name": "variable.other.member.card"},
        {"match": r"\b[A-Za-z_][A-Za-z0-9_]*(?=\s*:)", "name": "variable.other.property.card"},
        {"name": "constant.other.rule.card", "match": r"\b[A-Z]+-[0-9]+[a-z]?\b"},
        {"name": "constant.numeric.card", "match": r"\b[0-9]+\b"},
        {"name": "keyword.operator.card", "match": r"\.\.|[-+*]=|[=!<>]=|[-+*/=<>?]"},
        dict(_words("keyword.operator.word", OPERATORS)),
        dict(_words("constant.language", CONSTANTS)),
        dict(_words("variable.language", BUILT_IN)),
        dict(_words("support.type", TYPES)),
        dict(_words("keyword.control", control | begin)),
        {"name": "entity.name.function.card", "match": r"\b[A-Za-z_][A-Za-z0-9_]*(?=\()"},
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Card",
        "scopeName": SCOPE,
        "fileTypes": ["card"],
        "patterns": patterns,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n")
