"""What a designer meant who wrote what stands in other languages, or left out what this one wants: help, and a fix.

Looks at the tokens around the place where a declaration stops making sense, and at what could have stood there. Nothing
here decides what is right: that has been decided, and this says the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cardc.findings import Edit, Fix
from cardc.report import removed
from cardc.source import Source


@dataclass(frozen=True, slots=True)
class Place:
    """Where it stops: the words and signs with their offsets, which of them it is, and what could stand there.

    `could` has words and signs by their text, and `NAME`, `STRING`, `INT`."""

    source: Source
    texts: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    at: int
    could: frozenset[str]

    @property
    def text(self) -> str:
        return self.texts[self.at] if self.at < len(self.texts) else ""

    @property
    def before(self) -> str:
        return self.texts[self.at - 1] if self.at else ""

    @property
    def after(self) -> str:
        return self.texts[self.at + 1] if self.at + 1 < len(self.texts) else ""

    @property
    def first(self) -> str:
        """The word with which the declaration begins."""
        return self.texts[0] if self.texts else ""

    def joined(self, i: int) -> bool:
        """Whether token `i` follows the one before it without a gap."""
        return self.ends[i - 1] == self.starts[i]

    def named(self) -> bool:
        """Whether it is a name, or a word that may be one."""
        return self.text[:1].isalpha() or self.text[:1] == "_"

    def put(self, title: str, text: str, *, safe: bool, until: int = 0, back: int = 0) -> Fix:
        """Write `text` in place of this token, of `back` tokens before it and of `until` tokens behind it."""
        start, end = self.starts[self.at - back], self.ends[self.at + until]
        return Fix(title, (Edit(self.source, start, end, text),), safe)

    def leave_out(self) -> Fix:
        """Take this token away."""
        return Fix("leave it out", (removed(self.source, self.starts[self.at], self.ends[self.at]),), safe=True)

    def insert(self, title: str, text: str, *, safe: bool) -> Fix:
        """Write `text` behind the token before this one."""
        behind = self.ends[self.at - 1]
        return Fix(title, (Edit(self.source, behind, behind, text),), safe)


Meant = tuple[str, Fix | None]


def meant(p: Place) -> Meant | None:
    """The help and the fix for what stands there, if it is one of these."""
    return next((found for idiom in _IDIOMS if (found := idiom(p)) is not None), None)


_WHO_SEES = "say who sees the cards: `, all see`, `, all see top`, `, owner sees` or `, nobody sees`"


def cut_short(p: Place) -> str | None:
    """What a declaration lacks that ends too early."""
    return _WHO_SEES if p.first in ("zone", "board") and "," in p.could else None


# ---- Signs


def _sign(p: Place) -> Meant | None:
    match p.text, p.after:
        case "=", ">" if p.joined(p.at + 1):
            return "write `>=`", p.put("write `>=`", ">=", safe=True, until=1)
        case "=", "<" if p.joined(p.at + 1):
            return "write `<=`", p.put("write `<=`", "<=", safe=True, until=1)
        case (("+" | "-") as sign), other if sign == other and "+=" in p.could and p.joined(p.at + 1):
            better = f" {sign}= 1"
            return f"write `{better.strip()}`", p.put(f"write `{better.strip()}`", better, safe=True, until=1)
        case "/", "*" if p.joined(p.at + 1):
            return "a comment begins with `//` and ends with its line", None
        case "-", _ if ".." in p.could and p.before.isdigit():
            return "a range is written with `..`", p.put("write `..`", "..", safe=True)
        case ",", _ if p.first in ("card", "kind", "player", "game", "board") and _innermost(p) == "{":
            return "nothing stands between lines", p.put("leave it out", "", safe=True)
    return None


def _equals(p: Place) -> Meant | None:
    if p.text == "=" and ":" in p.could and p.first in ("card", "game", "expansion", "lint"):
        edit = Edit(p.source, p.ends[p.at - 1], p.ends[p.at], ":")
        return f"write `{p.before}: …`", Fix(f"write `{p.before}:`", (edit,), safe=True)
    if p.text == "==" and "=" in p.could:
        return "`=` stores, `==` compares", p.put("write `=`", "=", safe=False)
    if p.text in ("+", "-", "*") and f"{p.text}=" in p.could and "=" in p.could:
        return f"`{p.text}=` changes what is stored", p.put(f"write `{p.text}=`", f"{p.text}=", safe=False)
    return None


# ---- Words


def _words(p: Place) -> Meant | None:
    match p.text:
        case "then" if "{" in p.could:
            return "a block follows the condition", p.leave_out()
        case "times" if "{" in p.could and "repeat" in p.texts[: p.at]:
            return "a block follows the number", p.leave_out()
        case "choose" | "may" if p.before in ("{", "}", ")"):
            return "say who: `you choose …`, `p choose …`", None
        case "in" if ":" in p.could:
            return f"say of which kind it is: `{p.before}: KIND in …`", None
    if p.before in ("elif", "elsif", "elseif") and not p.joined(p.at):
        return "write `else if`", p.put("write `else if`", f"else if {p.text}", safe=True, back=1)
    if p.before in ("return", "break", "continue"):
        return f"`{p.before}` is no word of the language; `stop` leaves a loop", None
    if p.before == "for" and "each" in p.could:
        return "write `for each`", p.insert("write `for each`", " each", safe=True)
    return None


# ---- What is missing


def _missing(p: Place) -> Meant | None:
    if p.could == {"STRING"} and p.named():
        return f'write it as a text: `"{p.text}"`', p.put(f'write `"{p.text}"`', f'"{p.text}"', safe=False)
    if p.first == "card" and p.text == "{" and p.could == {":"}:
        return 'say of which kind it is: `card ID "Title" : KIND { … }`', None
    if "(" in p.could and p.at == 2 and p.first == "effect" and p.text == "{":
        return f"write `{p.before}()`", p.insert(f"write `{p.before}()`", "()", safe=True)
    if "(" in p.could and p.at > 1 and p.texts[p.at - 2] in ("on", "of"):
        return f"write `{p.before}(…)`", None
    if p.first == "enum" and "," in p.could and p.named():
        return "a comma stands between words", p.insert("put a comma between them", ",", safe=True)
    unseen = p.first in ("zone", "board") and "," in p.could and p.text not in ("all", "owner", "nobody")
    if unseen and p.at > 1 and p.texts[p.at - 2] in ("of", "one", "most"):
        return _WHO_SEES, None
    if "shared" in p.could and "each" in p.could:
        return "say whose it is: `shared …` or `each player …`", None
    if p.could == {":"} and p.text in (")", ",", "="):
        owner = p.before if p.before != ")" else f"{p.texts[1]}(…)"
        return f"say its type: `{owner}: TYPE`", None
    return None


def _called(p: Place) -> Meant | None:
    """A name with what it works on behind it."""
    if "+=" in p.could and "(" in p.could and (p.named() or p.text[:1].isdigit()) and not p.joined(p.at):
        return f"what is called has parentheses: `{p.before}(…)`", None
    return None


_IDIOMS: tuple[Callable[[Place], Meant | None], ...] = (_sign, _equals, _words, _missing, _called)


def _innermost(p: Place) -> str:
    """The bracket that is open here."""
    stack: list[str] = []
    for text in _brackets(p.texts[: p.at]):
        if text in "([{":
            stack.append(text)
        elif stack:
            stack.pop()
    return stack[-1] if stack else ""


def _brackets(texts: Iterable[str]) -> Iterable[str]:
    return (t for t in texts if t in ("(", ")", "[", "]", "{", "}"))
