"""What a designer meant who declared something as elsewhere, or left out what a declaration wants: help, and a fix."""

from __future__ import annotations

from cardc.stopping import Meant, Place, innermost

ONE_OF = "chance takes one of a list: `let x = random from [1, 2, 3]`"
_WHO_SEES = "say who sees the cards: `, all see`, `, all see top`, `, owner sees` or `, nobody sees`"


def cut_short(p: Place) -> str | None:
    """What a declaration lacks that ends too early."""
    if p.first in ("zone", "board") and "," in p.could:
        return _WHO_SEES
    if p.before == ")" and "from" in p.could and "random" in p.texts:
        return ONE_OF
    if p.first == "option" and "STRING" in p.could:
        return "say for whoever plays what it decides, in a text at the end"
    return None


def entries(p: Place) -> Meant | None:
    """A card and its count in a decklist."""
    if p.first != "decklist":
        return None
    if "," in p.could and p.text.isdigit():
        return "a comma stands between cards", p.insert("put a comma between them", ",", safe=True)
    if "," in p.could and p.named() and p.before == "x" and p.texts[p.at - 2].isdigit():
        return f"write `{p.texts[p.at - 2]} {p.text}`", p.put("leave out the `x`", f" {p.text}", safe=True, back=1)
    if p.could == {"NAME"} and p.text[:1] == '"':
        return "a card is named by its id, not by its title", None
    if "INT" in p.could and p.named():
        return f"the count comes first: `1 {p.text}`", None
    return None


def named(p: Place) -> Meant | None:
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
    if p.first == "enum" and p.text[:1] == '"' and "NAME" in p.could:
        return "words stand without quotation marks", p.put("leave them out", p.text[1:-1], safe=True)
    if p.first == "enum" and "NAME" in p.could and p.text.isdigit():
        return "a word begins with a letter", None
    if p.first == "enum" and "(" in p.could and (p.text == "=" or p.text.isdigit()):
        return f"numbers of words are a column: `enum {p.texts[1]} (NAME: TYPE) {{ {p.before}(…) }}`", None
    if p.first == "kind" and p.could == {":"} and p.named() and p.before in ("keyword", "ability"):
        return f"write `flag {p.text}`", p.put(f"write `flag {p.text}`", f"flag {p.text}", safe=True, back=1)
    if p.first == "lint" and p.at == 1 and p.text == "off":
        return "one line is let be by a comment behind it: `// lint off RULE: reason`", None
    typed = p.first in ("value", "effect") and innermost(p.texts[: p.at]) == "("
    typed = typed or (p.first in ("kind", "player", "state") and p.before in ("int", "bool"))
    if p.could == {":"} and p.named() and typed and p.before[:1].isalpha():
        if not (types := [word for word in (p.before, p.text) if p.is_type(word)]):
            return "say its type: `NAME: TYPE`", None
        name = p.text if p.before in types else p.before
        written = f"{name}: {types[0]}"
        return f"write `{written}`", p.put(f"write `{written}`", written, safe=True, back=1)
    if not p.could and p.first != "test" and p.text in _DECLARED:
        above = p.source.line(p.starts[p.at]) > p.source.line(p.starts[p.at - 1])
        return "a declaration begins in column 1" if above else "each declaration begins on a line of its own", None
    return None


_TITLED = frozenset({"game", "expansion", "card", "decklist"})
_DECLARED = frozenset(
    {"card", "kind", "zone", "board", "value", "effect", "state", "enum", "option", "test", "decklist"}
)


def missing(p: Place) -> Meant | None:
    if p.could == {"STRING"} and p.named():
        return f'write it as a text: `"{p.text}"`', p.put(f'write `"{p.text}"`', f'"{p.text}"', safe=False)
    if p.first == "card" and p.text == "{" and p.could == {":"}:
        return 'say of which kind it is: `card ID "Title" : KIND { … }`', None
    if "(" in p.could and p.at == 2 and p.first == "effect" and p.text == "{":
        return f"write `{p.before}()`", p.insert(f"write `{p.before}()`", "()", safe=True)
    if "(" in p.could and p.at > 1 and p.texts[p.at - 2] in ("on", "of") and p.text not in (".", "=="):
        if p.text not in ("{", "}", "when", "may", "priority"):
            return f"what is heard is the call of an effect: `{p.texts[p.at - 2]} EVENT(…)`", None
        return f"write `{p.before}(…)`", None
    if p.first == "enum" and "," in p.could and p.named():
        return "a comma stands between words", p.insert("put a comma between them", ",", safe=True)
    constant = p.text.isdigit() or p.text in ("true", "false", "none")
    if "=" in p.could and constant and p.first in ("state", "player", "kind", "option") and "in" not in p.texts:
        return f"write `= {p.text}`", p.insert(f"write `= {p.text}`", " =", safe=True)
    if p.first in ("zone", "board") and (found := _place_declared(p)) is not None:
        return found
    unseen = p.first in ("zone", "board") and "," in p.could and p.text not in ("all", "owner", "nobody")
    if unseen and p.at > 1 and p.texts[p.at - 2] in ("of", "one", "most"):
        return _WHO_SEES, None
    if "shared" in p.could and "each" in p.could:
        return "say whose it is: `shared …` or `each player …`", None
    if p.could == {":"} and p.text in (")", ",", "="):
        owner = p.before if p.before != ")" else f"{p.texts[1]}(…)"
        return f"say its type: `{owner}: TYPE`", None
    return None


_SEEN = {
    **dict.fromkeys(("public", "visible", "open", "everyone", "both"), "all see"),
    **dict.fromkeys(("private", "mine"), "owner sees"),
    **dict.fromkeys(("hidden", "secret", "unseen"), "nobody sees"),
}


def _place_declared(p: Place) -> Meant | None:
    """What a zone or a board says in other words."""
    if p.could == {"list", "one"} and p.after == "of":
        return "write `list`: it grows at its end, which is its top", p.put("write `list`", "list", safe=True)
    if p.could == {"list", "one"} and p.named():
        return f"write `list of {p.text}`, or `one {p.text}` where one card at most lies", None
    if p.text in ("max", "maximum", "upto") and "at" in p.could:
        return "write `at most`", p.put("write `at most`", "at most", safe=True)
    if p.text in (sees := {"see", "sees"}) and not p.could.isdisjoint(sees):
        (written,) = sees - {p.text}
        return f"write `{p.before} {written}`", p.put(f"write `{written}`", written, safe=True)
    if p.could == {"all", "owner", "nobody"} and p.text in _SEEN:
        return f"write `{_SEEN[p.text]}`", p.put(f"write `{_SEEN[p.text]}`", _SEEN[p.text], safe=True)
    if p.could == {":"} and p.text == "{" and p.first == "zone":
        return f"write `zone {p.before}: shared list of KIND, all see`", None
    if p.first == "board" and p.could == {"of"} and p.before.isdigit():
        return f"say what each is called: `{p.before} of NAME`", None
    if p.first == "board" and p.at == 3 and p.text in ("each", "shared"):
        return f"whose the cards are is said inside: `board {p.texts[1]}: … {{ NAME: {p.text} … }}`", None
    return None
