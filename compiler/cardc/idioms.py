"""What a designer meant who wrote what stands in other languages, or left out what this one wants: help, and a fix.

Looks at the tokens around the place where a declaration stops making sense, and at what could have stood there. Nothing
here decides what is right: that has been decided, and this says the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from cardc.findings import Edit, Fix
from cardc.report import removed
from cardc.source import Source


class Place(Struct, frozen=True):
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

    def leave_out(self, *, safe: bool = True) -> Fix:
        """Take this token away."""
        return Fix("leave it out", (removed(self.source, self.starts[self.at], self.ends[self.at]),), safe)

    def insert(self, title: str, text: str, *, safe: bool) -> Fix:
        """Write `text` behind the token before this one."""
        behind = self.ends[self.at - 1]
        return Fix(title, (Edit(self.source, behind, behind, text),), safe)


Meant = tuple[str, Fix | None]


def meant(p: Place) -> Meant | None:
    """The help and the fix for what stands there, if it is one of these."""
    return next((found for idiom in _IDIOMS if (found := idiom(p)) is not None), None)


_CLOSES = "nothing is open that it could close"
_COMMENT = "a comment begins with `//` and ends with its line"
_OF_THE_KIND = "fields, states and slots are declared by the kind: a card gives and fills them"
_WHO_SEES = "say who sees the cards: `, all see`, `, all see top`, `, owner sees` or `, nobody sees`"


def cut_short(p: Place) -> str | None:
    """What a declaration lacks that ends too early."""
    if p.first in ("zone", "board") and "," in p.could:
        return _WHO_SEES
    if p.first == "option" and "STRING" in p.could:
        return "say for whoever plays what it decides, in a text at the end"
    return None


_ENDS = {"win": "win", "wins": "win", "won": "win", "lose": "lose", "loses": "lose", "lost": "lose"}
_STATEMENTS = frozenset({"copy", "draw", "exchange", "if", "move", "repeat", "reveal", "run", "shuffle"})


def _of_tests(p: Place) -> Meant | None:
    """What a test says in other words."""
    if p.first != "test":
        return None
    if p.text == "(" and p.after == ")" and p.before in ("setup", "flow") and p.texts[p.at - 2] == "when":
        return f"write `when {p.before}`", p.put("leave out the brackets", "", safe=True, until=1)
    if p.text in ("chance", "option") and "expect" in p.could:
        return f"it is given: `given {{ {p.text} … }}`", None
    if (p.before == "when" and p.text in _STATEMENTS) or [*p.texts[p.at - 2 : p.at + 1]] == ["when", "for", "each"]:
        return "`when` runs an effect, `setup` or `flow`: statements stand in an effect", None
    for i in (p.at - 1, p.at - 2):
        end = _ENDS.get(p.texts[i], "") if i > 1 else ""
        said = end == p.texts[i] and i == p.at - 2 and p.before != "expect"  # `expect win me`
        if end and not said and "expect" in p.texts[i - 2 : i]:
            return f"say who: `expect {end} me`, `expect {end} opponent`", None
    return None


def _form(p: Place) -> Meant | None:
    """A field in a block behind named arguments: only a form has both."""
    if p.first != "card" or p.text != ":" or [*p.texts[p.at - 3 : p.at - 1]] != [")", "{"]:
        return None
    opens = max((i for i in range(p.at - 3) if p.texts[i] == "("), default=0)
    if p.texts[opens + 2] != ":" or opens < 2:
        return None
    name, at = p.texts[opens - 1], p.starts[opens - 1]
    title = f"write `form {name}(…) {{ … }}`"
    return f"another side of a card is a form: {title}", Fix(title, (Edit(p.source, at, at, "form "),), safe=True)


# ---- Signs


def _sign(p: Place) -> Meant | None:
    match p.text, p.after:
        case "=", ">" if p.joined(p.at + 1):
            return "write `>=`", p.put("write `>=`", ">=", safe=True, until=1)
        case ">", _ if p.before == "<" and p.joined(p.at):
            return "write `!=`", p.put("write `!=`", "!=", safe=True, back=1)
        case ("<" | ">" | "<=" | ">=" | "==" | "!="), _ if "and" in p.could and p.text not in p.could:
            return "one comparison at a time: `… < … and … < …`", None
        case "=", "<" if p.joined(p.at + 1):
            return "write `<=`", p.put("write `<=`", "<=", safe=True, until=1)
        case (("+" | "-") as sign), other if sign == other and "+=" in p.could and p.joined(p.at + 1):
            better = f" {sign}= 1"
            return f"write `{better.strip()}`", p.put(f"write `{better.strip()}`", better, safe=True, until=1)
        case "/", "*" if p.joined(p.at + 1):
            return _COMMENT, None
        case "*", _ if p.before == "/" and p.joined(p.at):
            return _COMMENT, None
        case ("-" | "to"), _ if ".." in p.could and p.before.isdigit():
            return "a range is written with `..`", p.put("write `..`", "..", safe=True)
        case ".", _ if p.before == ".." and p.joined(p.at):
            return "a range is written with `..`", p.leave_out()
        case "..", _ if p.before.isdigit() and p.first == "game":
            return "a setting is one number", None
        case "..", _ if p.before.isdigit():
            return "a range is a type: a list is written out, `[1, 2, 3]`", None
        case "?", _ if "+" in p.could:
            return "write `if … then … else …`", None
        case "}", _ if not p.could:
            return _CLOSES, p.leave_out(safe=False)
        case (")" | "]"), _ if innermost(p.texts[: p.at]) != {")": "(", "]": "["}[p.text]:
            return _CLOSES, p.leave_out(safe=False)
        case "{", _ if p.before == ":" and p.first == "card" and _listed(p):
            return f"a list of words stands in brackets: `{p.texts[p.at - 2]}: […]`", None
        case "{", _ if p.before == ":" and p.first == "card":
            fix = Fix("leave out the colon", (Edit(p.source, p.starts[p.at - 1], p.ends[p.at - 1], ""),), safe=True)
            return f"a slot has no colon: `{p.texts[p.at - 2]} {{ … }}`", fix
        case "{", _ if p.first == "value" and (p.before == "=" or "=" in p.could):
            return "a value is an expression, `= …`: statements stand in effects", None
        case ",", _ if p.first in ("card", "kind", "player", "game", "board") and innermost(p.texts[: p.at]) == "{":
            return "nothing stands between lines", p.put("leave it out", "", safe=True)
    return None


def _equals(p: Place) -> Meant | None:
    if p.text == "=" and ":" in p.could and p.first in ("card", "game", "expansion", "lint"):
        edit = Edit(p.source, p.ends[p.at - 1], p.ends[p.at], ":")
        return f"write `{p.before}: …`", Fix(f"write `{p.before}:`", (edit,), safe=True)
    if p.text == "=" and p.first == "card" and p.at > 3 and p.texts[p.at - 4] in ("state", "flag"):
        return _OF_THE_KIND, None
    if p.text == "==" and "=" in p.could:
        return "`=` stores, `==` compares", p.put("write `=`", "=", safe=False)
    if p.text in ("+", "-", "*") and f"{p.text}=" in p.could and "=" in p.could:
        return f"`{p.text}=` changes what is stored", p.put(f"write `{p.text}=`", f"{p.text}=", safe=False)
    return None


def _listed(p: Place) -> bool:
    """Whether nothing but names stands in the braces that open here."""
    inside = list(p.texts[p.at + 1 :])
    until = inside.index("}") if "}" in inside else 0
    return all(t == "," or (t[0].isalpha() and t not in ("tie", "stop")) for t in inside[:until])


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
        if p.text in ("all", "every"):
            return "write `for each`", p.put("write `for each`", "each", safe=True)
        return "write `for each`", p.insert("write `for each`", " each", safe=True) if p.after == "in" else None
    return None


_CONDITION = "a condition stands behind what it is for, and before its block: `… when …`"
_ONE_OF = "chance takes one of a list: `let x = random from [1, 2, 3]`"


def _conditions(p: Place) -> Meant | None:
    """`if`, `when` and `where` in places of each other."""
    if p.text == "if" and "when" in p.could:
        return "write `when`", p.put("write `when`", "when", safe=True)
    if p.text in ("if", "when") and "where" in p.could:
        return "write `where`", p.put("write `where`", "where", safe=True)
    if p.text == "when" and "for" in p.could and "move" in p.could:  # where a statement could begin
        if p.at > 1 and p.texts[p.at - 2] == "priority":
            return "`when` stands before `priority`", None
        return _CONDITION, None
    if p.text == "where" and "when" in p.could and p.before[:1] == '"':
        return "`where` stands behind its pick, before the label; `when` is for the whole alternative", None
    if p.text == "where" and _folded(p):
        return f"name what is looked at: `{_folded(p)}(x in … where …)`", None
    if p.text[:1] == '"' and "{" in p.could and _last(p, "when") > 0 and _last(p, "choose") > 0:
        return "a pick's condition is said with `where`; `when` stands behind the label", None
    last = _last(p, "if")
    behind = last > 0 and p.texts[last - 1] not in ("{", "}", "else", "=", "(", "+=", "-=", "*=")
    if p.text == "}" and "{" in p.could and behind and p.first == "card":
        return "a line's condition is said with `when`; `if … { … }` stands around statements", None
    return None


def _in(p: Place) -> Meant | None:
    """`in`, `from`, `to` and `into` in places of each other."""
    if p.text in ("into", "in") and "to" in p.could:
        return "write `to`", p.put("write `to`", "to", safe=True)
    if p.text == "in" and "is" in p.could:
        if _folded(p):
            return f"name what is looked at: `{_folded(p)}(… for x in …)`", None
        return "write `is in`", p.put("write `is in`", "is in", safe=True)
    if p.text in ("contains", "includes") and "is" in p.could:
        return "say it the other way round: `x is in …`", None
    if p.text in ("from", "of") and "in" in p.could and "to" not in p.could:
        return "write `in`", p.put("write `in`", "in", safe=True)
    if p.text == "from" and p.at > 1 and p.texts[p.at - 2] == "move" and p.before.isdigit():
        return f"several from the top are drawn: `draw {p.before} from … to …`", None
    if "from" in p.could and p.at > 1 and p.texts[p.at - 2] == "draw":
        return f"say where from and where to: `draw {p.before} from … to …`", None
    return None


def _folded(p: Place) -> str:
    """The name of the fold whose parenthesis is open here."""
    depth = 0
    for i in range(p.at - 1, 0, -1):
        depth += (p.texts[i] == ")") - (p.texts[i] == "(")
        if depth < 0:
            return p.texts[i - 1] if p.texts[i - 1] in ("count", "sum", "any", "all", "min", "max") else ""
    return ""


def _last(p: Place, word: str) -> int:
    """The last place of a word before this one that no block follows; 0 if there is none."""
    for i in range(p.at - 1, 0, -1):
        if p.texts[i] in ("{", "}"):
            return 0
        if p.texts[i] == word:
            return i
    return 0


_FOREIGN = {
    "foreach": ("for each", True), "var": ("let", True), "const": ("let", True), "def": ("let", False),
    "whenever": ("on", True), "replace": ("instead of", False),
}  # fmt: skip
"""Words with which statements begin elsewhere, what is written here, and whether it stands in their place."""


def _begun(p: Place) -> Meant | None:
    """A statement or a line that begins as elsewhere."""
    if p.text == "chooses" and "choose" in p.could:
        return "write `choose`", p.put("write `choose`", "choose", safe=True)
    if p.before == "may" and p.could == {"choose"}:
        return 'what may be declined is a choice: `… may choose VERB "…" { … }`', None
    if p.text == "or" and p.before == ")" and "choose" in p.could:
        return 'of two things one is chosen: `… choose VERB "…" { … } or VERB "…" { … }`', None
    if p.text == "each" and "for" in p.could:
        return "write `for each x in … { … }`", None
    if p.before in _FOREIGN and p.named() and "+=" in p.could:
        better, alike = _FOREIGN[p.before]
        fix = p.put(f"write `{better}`", f"{better} {p.text}", safe=True, back=1) if alike else None
        return f"write `{better}`", fix
    if p.text == ":" and p.at > 1 and p.texts[p.at - 2] in ("choose", "or"):
        return f"an alternative begins with its verb: `choose VERB {p.before}: …`", None
    if p.text[:1] == '"' and "choose" in p.could and p.at > 1 and p.texts[p.at - 2] == "}":
        return f"alternatives are joined by `or`: `… or {p.before} {p.text} {{ … }}`", None
    if p.text == "." and p.at > 1 and p.texts[p.at - 2] == "..":
        return "a bound is a number or an option: narrow it down by `where`", None
    if p.text == ":" and p.at > 1 and p.texts[p.at - 2] == "flag":
        return f"a flag has no type: `flag {p.before}`", None
    if p.could == {"in"} and p.before in ("static", "effect"):
        return f"say where the slot works: `{p.before} in PLACE`", None
    if p.text == ":" and p.at > 1 and p.texts[p.at - 2] == "let":
        return f"a local takes the type of what it is: `let {p.before} = …`", None
    if p.first == "card" and "form" in p.could and p.text in ("slot", "state", "flag"):
        return _OF_THE_KIND, None
    if p.first == "card" and "form" in p.could and p.text in ("when", "on", "instead", "if", "at", "effect", "until"):
        return "what a card does stands in a slot of its kind: `SLOT { … }`", None
    if p.text == "at" and "on" in p.could:
        return "a moment is an effect of the rules, which cards hear: `on EVENT(…) { … }`", None
    if p.text == "cannot" and p.first == "card":
        return "what shall not happen is taken over by nothing: `instead of EVENT(…) when … {}`", None
    if p.text == "nothing" and "{" in p.could:
        return "an empty block does nothing: `{}`", p.put("write `{}`", "{}", safe=True)
    if p.text == "}" and "{" in p.could and _last(p, "until") > 1 and p.texts[_last(p, "until") - 1] != "{":
        return "lines that live on stand in a block: `until … { … }`", None
    if p.at > 1 and p.texts[p.at - 2] == "on" and p.text in (".", "==", "[") and "(" in p.could:
        return "`on` hears the call of an effect: `on EVENT(…) when … { … }`", None
    if p.text == "," and _called_random(p):
        return _ONE_OF, None
    return None


def _called_random(p: Place) -> bool:
    return p.at > 2 and list(p.texts[p.at - 3 : p.at - 1]) == ["random", "("]


# ---- What is missing


def _entries(p: Place) -> Meant | None:
    """A card and its count in a decklist."""
    if p.first != "decklist":
        return None
    if "," in p.could and p.text.isdigit():
        return "a comma stands between cards", p.insert("put a comma between them", ",", safe=True)
    if "," in p.could and p.named() and p.before == "x" and p.texts[p.at - 2].isdigit():
        return f"write `{p.texts[p.at - 2]} {p.text}`", p.put("leave out the `x`", f" {p.text}", safe=True, back=1)
    if "INT" in p.could and p.named():
        return f"the count comes first: `1 {p.text}`", None
    return None


def _named(p: Place) -> Meant | None:
    """The name, the title or the text with which a declaration, or a part of it, begins."""
    if p.text == "-" and p.at == 2 and p.joined(p.at) and p.joined(p.at + 1):
        return "a name has letters, digits and `_`", None
    if p.could == {"NAME"} and p.text.isdigit() and p.after[:1].isalpha() and p.joined(p.at + 1):
        return "a name begins with a letter", None
    if p.could == {"NAME"} and p.at == 1 and p.text[:1] == '"' and p.first in _TITLED:
        return f"say its id first: `{p.first} ID {p.text} …`", None
    if p.could == {"STRING"} and p.at == 2 and p.text in (":", "{"):
        return f'say its title: `{p.first} {p.before} "Title" …`', None
    if p.could == {"STRING"} and p.before == "require":
        return 'say what a breach is called: `require "…" …`', None
    if p.text == "at" and p.could == {"all", "owner", "nobody"}:
        return "`at most …` stands before the comma", None
    if p.first == "option" and "=" in p.could and p.text[:1] == '"':
        return "an option has a default: `= …`", None
    if p.could == {":"} and p.named() and p.first in ("value", "effect") and p.before[:1].isalpha():
        swapped = f"{p.text}: {p.before}"
        return f"write `{swapped}`", p.put(f"write `{swapped}`", swapped, safe=True, back=1)
    if not p.could and p.first not in ("test",) and p.text in _DECLARED:
        return "each declaration begins on a line of its own", None
    return None


_TITLED = frozenset({"game", "expansion", "card", "decklist"})
_DECLARED = frozenset(
    {"card", "kind", "zone", "board", "value", "effect", "state", "enum", "option", "test", "decklist"}
)


def _missing(p: Place) -> Meant | None:
    if p.could == {"STRING"} and p.named():
        return f'write it as a text: `"{p.text}"`', p.put(f'write `"{p.text}"`', f'"{p.text}"', safe=False)
    if p.first == "card" and p.text == "{" and p.could == {":"}:
        return 'say of which kind it is: `card ID "Title" : KIND { … }`', None
    if "(" in p.could and p.at == 2 and p.first == "effect" and p.text == "{":
        return f"write `{p.before}()`", p.insert(f"write `{p.before}()`", "()", safe=True)
    if "(" in p.could and p.at > 1 and p.texts[p.at - 2] in ("on", "of") and p.text not in (".", "=="):
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
    argument = p.named() or p.text[:1].isdigit() or p.text == '"'
    if "," in p.could and ")" in p.could and argument and innermost(p.texts[: p.at]) == "(":
        return "a comma stands between arguments", p.insert("put a comma between them", ",", safe=True)
    member = p.at > 1 and p.texts[p.at - 2] == "."
    if "+=" in p.could and "(" in p.could and not member and (p.named() or p.text[:1].isdigit()) and not p.joined(p.at):
        return f"what is called has parentheses: `{p.before}(…)`", None
    return None


_IDIOMS: tuple[Callable[[Place], Meant | None], ...] = (
    _of_tests, _form, _sign, _equals, _words, _conditions, _in, _begun, _entries, _named, _missing, _called
)  # fmt: skip


def innermost(texts: Iterable[str]) -> str:
    """The bracket that is open behind these words and signs."""
    stack: list[str] = []
    for text in _brackets(texts):
        if text in "([{":
            stack.append(text)
        elif stack:
            stack.pop()
    return stack[-1] if stack else ""


def _brackets(texts: Iterable[str]) -> Iterable[str]:
    return (t for t in texts if t in ("(", ")", "[", "]", "{", "}"))
