"""What a designer meant who wrote what stands in other languages, or left out what this one wants: help, and a fix.

Looks at the tokens around the place where a declaration stops making sense, and at what could have stood there. Nothing
here decides what is right: that has been decided, and this says the way out.
"""

from __future__ import annotations

from collections.abc import Callable

from cardc.advice import GREATEST
from cardc.declared_idioms import ONE_OF, entries, missing, named
from cardc.findings import Edit, Fix
from cardc.stopping import Meant, Place, folded, innermost, last, opened
from cardc.tested_idioms import ENDS, STATEMENTS, of_tests


def meant(p: Place) -> Meant | None:
    """The help and the fix for what stands there, if it is one of these."""
    return next((found for idiom in _IDIOMS if (found := idiom(p)) is not None), None)


_CLOSES = "nothing is open that it could close"
_COMMENT = "a comment begins with `//` and ends with its line"
_OF_THE_KIND = "fields, states and slots are declared by the kind: a card gives and fills them"


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
        case ("<" | ">" | "<=" | ">=" | "==" | "!="), _ if p.before in ("and", "or"):
            return f"say again what is compared: `… {p.before} x {p.text} …`", None
        case ("<" | ">" | "<=" | ">=" | "==" | "!="), _ if "and" in p.could and p.text not in p.could:
            return "one comparison at a time: `… < … and … < …`", None
        case "=", "<" if p.joined(p.at + 1):
            return "write `<=`", p.put("write `<=`", "<=", safe=True, until=1)
        case (("+" | "-") as sign), other if sign == other and "+=" in p.could and p.joined(p.at + 1):
            better = f" {sign}= 1"
            return f"write `{better.strip()}`", p.put(f"write `{better.strip()}`", better, safe=True, until=1)
        case "+", _ if p.before == "=" and p.joined(p.at):
            return "write `+=`", p.put("write `+=`", "+=", safe=True, back=1)
        case ":", "=" if "=" in p.could and p.joined(p.at + 1):
            return "write `=`", p.put("write `=`", "=", safe=True, until=1)
        case ("[" | "."), _ if p.at > 2 and "is" in (p.texts[p.at - 2], p.texts[p.at - 3]):
            return _compared(p)
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
        case ("?" | "{"), _ if (p.text == "?" and "+" in p.could) or "then" in p.could:
            return "write `if … then … else …`", None
        case "}", _ if not p.could:
            return _CLOSES, p.leave_out(safe=False)
        case "{", "}" if p.before == "=":
            return "an empty set or list is `[]`", p.put("write `[]`", "[]", safe=True, until=1)
        case "-", "-" if not p.could and p.joined(p.at + 1):
            return _COMMENT, None
        case ".", after if p.first in ("game", "expansion") and p.before.isdigit() and after.isdigit():
            text = f'"{p.before}.{after}"'
            return f"a version is a text: `{text}`", p.put(f"write `{text}`", text, safe=True, back=1, until=1)
        case (")" | "]"), _ if innermost(p.texts[: p.at]) != {")": "(", "]": "["}[p.text]:
            return _CLOSES, p.leave_out(safe=False)
        case "{", _ if p.before == ":" and p.first == "card" and _listed(p):
            return f"a list of words stands in brackets: `{p.texts[p.at - 2]}: […]`", None
        case "{", _ if p.before == ":" and p.first == "card":
            fix = Fix("leave out the colon", (Edit(p.source, p.starts[p.at - 1], p.ends[p.at - 1], ""),), safe=True)
            return f"a slot has no colon: `{p.texts[p.at - 2]} {{ … }}`", fix
        case "{", _ if p.first == "value" and (p.before == "=" or "=" in p.could):
            return "a value is an expression, `= …`: statements stand in effects", None
        case ",", _ if p.first == "card" and innermost(p.texts[: p.at]) == "{" and _goes_on(p):
            listed = f"{p.texts[p.at - 3]}: [{p.before}, {p.after}]"
            return f"nothing stands between lines, and several words in brackets: `{listed}`", None
        case ",", _ if p.at > 5 and [p.texts[p.at - 6], p.texts[p.at - 2]] == ["slot", "in"]:
            return "a slot works in one place: what works elsewhere is another slot", None
        case ",", _ if p.first in _LINES and innermost(p.texts[: p.at]) == "{":
            return "nothing stands between lines", p.put("leave it out", "", safe=True)
        case _, ":" if p.before == "," and "score" in p.could:
            edit = Edit(p.source, p.ends[p.at - 2], p.ends[p.at - 1], "")
            return "nothing stands between lines", Fix("leave out the comma", (edit,), safe=True)
        case "(", _ if "where" in p.could and p.at > 1 and p.texts[p.at - 2] == "..":
            return _BOUND, None
        case "(", _ if p.first == "card" and p.could == {"{"}:
            return "what a card is stands in braces: `{ … }`", None
        case "(", ")" if p.before in ("tie", "stop"):
            return f"write `{p.before}`", p.put("leave out the parentheses", "", safe=True, until=1)
    return None


def _compared(p: Place) -> Meant:
    """`is` before something that is no kind."""
    back = 2 if p.texts[p.at - 2] == "is" else 3
    sign = "==" if back == 2 else "!="
    edit = Edit(p.source, p.starts[p.at - back], p.ends[p.at - 2], sign)
    return f"`is` asks for a kind or a card: write `{sign}`", Fix(f"write `{sign}`", (edit,), safe=True)


def _equals(p: Place) -> Meant | None:
    if p.text == "=" and ":" in p.could and p.first in ("card", "game", "expansion", "lint"):
        edit = Edit(p.source, p.ends[p.at - 1], p.ends[p.at], ":")
        return f"write `{p.before}: …`", Fix(f"write `{p.before}:`", (edit,), safe=True)
    if p.text == "=" and p.first == "card" and p.at > 3 and p.texts[p.at - 4] in ("state", "flag"):
        return _OF_THE_KIND, None
    if p.text == "=" and p.first == "enum" and p.at == 2:
        return f"write `enum {p.before} {{ … }}`", p.leave_out()
    if p.text == "is" and "+=" in p.could and "=" in p.could:
        return "`=` stores", p.put("write `=`", "=", safe=False)
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


_LINES = frozenset({"card", "kind", "player", "game", "board", "effect", "setup", "flow", "test", "deck", "lint"})
"""What holds lines or statements, which stand behind each other without a sign."""
_BOUND = "a bound is a number or an option: narrow it down by `where`"


def _goes_on(p: Place) -> bool:
    """Whether what stands behind a comma goes on with a field's words: it is no field of its own."""
    behind = p.texts[p.at + 2] if p.at + 2 < len(p.texts) else ""
    words = p.before[:1].isalpha() and p.after[:1].isalpha()
    return words and p.texts[p.at - 2] == ":" and behind not in (":", "{", "(")


# ---- Words


def _words(p: Place) -> Meant | None:
    match p.text:
        case "then" if "{" in p.could:
            return "a block follows the condition", p.leave_out()
        case "times" if "{" in p.could and "repeat" in p.texts[: p.at]:
            return "a block follows the number", p.leave_out()
        case "random":
            return "chance is drawn first: `let x = random from …`", None
        case "set" if p.named() and p.after[:1].isalpha():
            return "leave out `set`", p.leave_out()
        case "desc" | "descending" | "asc" | "ascending" if "by" in p.texts[: p.at]:
            return "the least comes first; `by -…` begins with the greatest", None
        case "by" if "where" in p.could or folded(p):
            return GREATEST, None
        case "extends" if ":" in p.could and p.first == "kind":
            return "write `:`", p.put("write `:`", ":", safe=True)
        case "with" if "where" in p.could:
            return "write `where`", p.put("write `where`", "where", safe=True)
        case "as" if p.could >= {"by", "from"}:
            return "a period is a pass of `repeat`, `loop`, `alternate` or `while`, not of `for each`", None
        case "between" if "and" in p.could:
            return "say both bounds: `… >= … and … <= …`", None
        case "choose" if p.at > 3 and p.texts[p.at - 4] == "let":
            return "a choice is a statement: what is picked is known in its block", None
        case "choose" | "may" if p.before in ("{", "}", ")"):
            return "say who: `you choose …`, `p choose …`", None
        case "in" if ":" in p.could and p.texts[p.at - 2] == "slot":
            return f"say what it holds: `slot {p.before}: effect in …`, `slot {p.before}: static in …`", None
        case "in" if ":" in p.could:
            return f"say of which kind it is: `{p.before}: KIND in …`", None
    if p.before == "all" and p.named() and p.text != "sees":
        return "all of them are a list: `for each x in … { … }` goes through it", None
    if p.before == "face" and p.text in ("down", "up"):
        return f"write `facing {p.text}`", p.put(f"write `facing {p.text}`", f"facing {p.text}", safe=True, back=1)
    if p.text == "of" and p.before == "top" and p.texts[p.at - 2] != "to":
        return "the top card of a list is `top(…)`", None
    if p.text == "of" and p.before == "top" and p.after:
        fix = p.put("leave out `top of`", p.after, safe=True, back=1, until=1)
        return "cards are moved to the top: leave out `top of`", fix
    if p.before == "is" and p.text.isdigit():
        return f"write `== {p.text}`", p.put(f"write `== {p.text}`", f"== {p.text}", safe=True, back=1)
    if p.before == "is" and p.text[:1] == '"':
        return "`is` asks for a card by its id: `… is ID`", None
    if p.before in ("elif", "elsif", "elseif") and not p.joined(p.at):
        return "write `else if`", p.put("write `else if`", f"else if {p.text}", safe=True, back=1)
    if p.before == "return" and "to" in p.texts[p.at + 1 : p.at + 9]:
        return "write `move`", p.put("write `move`", f"move {p.text}", safe=True, back=1)
    if p.before in ("return", "break", "continue"):
        return f"`{p.before}` is no word of the language; `stop` leaves a loop", None
    if p.before == "for" and "each" in p.could:
        if p.text in ("all", "every"):
            return "write `for each`", p.put("write `for each`", "each", safe=True)
        return "write `for each`", p.insert("write `for each`", " each", safe=True) if p.after == "in" else None
    return None


_CONDITION = "a condition stands behind what it is for, and before its block: `… when …`"


def _conditions(p: Place) -> Meant | None:
    """`if`, `when` and `where` in places of each other."""
    if p.text == "when" and p.first in ("effect", "flow", "setup") and "for" in p.could and "move" in p.could:
        return "write `if`", p.put("write `if`", "if", safe=True)
    if p.text == "if" and p.first == "value" and "+" in p.could and "where" not in p.could:
        return "write `if … then … else …`", None
    if p.before == "else" and p.named() and "{" in p.could and p.after[:1] != '"' and p.first != "value":
        return "what depends on a condition stands in braces: `else { … }`", None
    if p.text == "if" and "when" in p.could:
        return "write `when`", p.put("write `when`", "when", safe=True)
    if p.text in ("if", "when") and "where" in p.could:
        return "write `where`", p.put("write `where`", "where", safe=True)
    if p.text == "when" and "for" in p.could and "move" in p.could:  # where a statement could begin
        if p.at > 1 and p.texts[p.at - 2] == "priority":
            return "`when` stands before `priority`", None
        return _CONDITION, None
    if p.text == "where" and "priority" in p.could:
        return "write `when`", p.put("write `when`", "when", safe=True)
    if p.text == "where" and p.first == "value" and not innermost(p.texts[: p.at]):
        return "some of a list are `[x for x in … where …]`", None
    if p.text == "where" and "move" in p.texts[p.at - 4 : p.at] and "to" in p.could:
        return "some of a list are gone through: `for each x in … where … { move x to … }`", None
    if p.text == "where" and "when" in p.could and p.before[:1] == '"':
        return "`where` stands behind its pick, before the label; `when` is for the whole alternative", None
    if p.text == "where" and last(p, "by") > last(p, "each") > 0:
        return "`where` stands before `by`", None
    if p.text == "where" and folded(p):
        return f"name what is looked at: `{folded(p)}(x in … where …)`", None
    if p.text[:1] == '"' and "{" in p.could and last(p, "when") > 0 and last(p, "choose") > 0:
        return "a pick's condition is said with `where`; `when` stands behind the label", None
    asked = last(p, "if")
    if p.text == "{" and p.before == "if" and p.texts[p.at - 2] == "else":
        return "write `else { … }`", p.put("leave out `if`", "{", safe=False, back=1)
    below = p.source.line(p.starts[p.at]) > p.source.line(p.starts[p.at - 1])
    bare = p.text == ":" or (p.named() and (below or (p.before == ")" and p.texts[asked + 1] == "(")))
    if asked and bare and "{" in p.could:
        return "what depends on a condition stands in braces: `if … { … }`", None
    behind = asked > 0 and p.texts[asked - 1] not in ("{", "}", "else", "=", "(", "+=", "-=", "*=")
    if p.text == "}" and "{" in p.could and behind and p.first != "card":
        return "`if … { … }` stands around what depends on it", None
    if p.text == "}" and "{" in p.could and behind:
        return "a line's condition is said with `when`; `if … { … }` stands around statements", None
    return None


def _in(p: Place) -> Meant | None:
    """`in`, `from`, `to` and `into` in places of each other."""
    if p.text == "in" and "into" in p.could:
        return "write `into`", p.put("write `into`", "into", safe=True)
    if p.text == "into" and last(p, "shuffle"):
        return "these are two statements: `move … to …`, and `shuffle …`", None
    if p.text == "in" and p.at > 1 and p.texts[p.at - 2] == "[" and "is" in p.could:
        fix = p.insert(f"write `{p.before} for {p.before} in`", f" for {p.before}", safe=True)
        return f"write `[{p.before} for {p.before} in …]`", fix
    if p.text in ("into", "in") and "to" in p.could:
        return "write `to`", p.put("write `to`", "to", safe=True)
    if p.text == "in" and "is" in p.could:
        if folded(p):
            return f"name what is looked at: `{folded(p)}(… for x in …)`", None
        return "write `is in`", p.put("write `is in`", "is in", safe=True)
    if p.text in ("contains", "includes") and "is" in p.could:
        return "say it the other way round: `x is in …`", None
    if p.text in ("from", "of") and "in" in p.could and "to" not in p.could:
        return "write `in`", p.put("write `in`", "in", safe=True)
    if p.text == "from" and p.at > 1 and p.texts[p.at - 2] == "move" and p.before.isdigit():
        return f"several from the top are drawn: `draw {p.before} from … to …`", None
    if p.text == "from" and p.before == "draw":
        return "say how many: `draw 1 from … to …`", p.insert("write `draw 1`", " 1", safe=False)
    if "to" in p.could and last(p, "draw") and "from" in p.texts[last(p, "draw") : p.at]:
        return "say where to: `draw … from … to …`", None
    if "of" in p.could and last(p, "exchange"):
        return "slots are exchanged, `exchange SLOT of … with …`; cards are moved, one after the other", None
    if "from" in p.could and p.before == ")" and [*p.texts[p.at - 4 : p.at - 2]] == ["draw", "("]:
        return f"say where from and where to: `draw {p.texts[p.at - 2]} from … to …`", None
    if "from" in p.could and p.at > 1 and p.texts[p.at - 2] == "draw":
        return f"say where from and where to: `draw {p.before} from … to …`", None
    return None


_FOREIGN = {
    "foreach": ("for each", True), "var": ("let", True), "const": ("let", True), "def": ("let", False),
    "whenever": ("on", True), "replace": ("instead of", False), "unless": ("if not (…)", False),
    "after": ("on", True), "before": ("instead of EVENT(…) { …  EVENT(…) }", False),
    "create": ("copy … to …", False), "prevent": ("instead of EVENT(…) {}", False),
    "switch": ("if … { … } else if … { … }", False), "match": ("if … { … } else if … { … }", False),
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
    if p.could == {"of"} and p.before == "instead":
        return "write `instead of`", p.insert("write `instead of`", " of", safe=True)
    if p.could == {"per"}:
        return "say how often: `once per turn { … }`, by the name of a period", None
    if p.could == {"{"} and p.at > 2 and [*p.texts[p.at - 3 : p.at - 1]] == ["once", "per"]:
        return "lines stand in a block: `once per … { … }`", None
    if p.could == {"end", "used"}:
        return "lines live on `until end of PERIOD`, or `until used`", None
    if p.first == "card" and p.could >= {"may", "priority", "when", "{"} and (p.named() or p.text == ":"):
        return "what it does stands in braces: `on … { … }`", None
    if p.text == "not" and p.first == "card" and "instead" in p.could:
        return "what is true or not is set: `value(…) = false when …`", None
    if p.text == "or" and p.before[:1] == '"' and "{" in p.could:
        return f'each alternative has a block of its own: `… {p.before} {{ … }} or …`', None
    if p.before == "else" and p.named() and p.after[:1] == '"':
        return "alternatives are joined by `or`", p.put("write `or`", f"or {p.text}", safe=True, back=1)
    if (p.text == "{" or p.text[:1] == '"') and p.before in ("choose", "or") and p.could == {"NAME"}:
        return f'an alternative begins with its verb: `{p.before} VERB "…" {{ … }}`', None
    several = p.text.isdigit() if p.before == "choose" else (p.before, p.text) == ("up", "to") and "choose" in p.texts
    if several:
        return "an answer picks one of each: ask again, `repeat … { p choose … }`, or let it have more picks", None
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
        return _BOUND, None
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
    until = last(p, "until")
    if p.could == {"{"} and until and p.texts[until + 1] == "end":
        return "lines that live on stand in a block: `until … { … }`", None
    if p.text == "}" and "{" in p.could and until > 1 and p.texts[until - 1] != "{":
        return "lines that live on stand in a block: `until … { … }`", None
    if p.at > 1 and p.texts[p.at - 2] == "on" and p.text in (".", "==", "[") and "(" in p.could:
        return "`on` hears the call of an effect: `on EVENT(…) when … { … }`", None
    if (p.text == "," and _called_random(p)) or ("from" in p.could and (p.before == "random" or _random_of(p))):
        return ONE_OF, None
    if p.text == "{" and p.before == ")" and p.first == "card" and "+=" in p.could and not _method(p):
        return "what is heard begins with `on`: `on EVENT(…) { … }`", None
    if p.text[:1] == '"' and p.first == "card" and "form" in p.could:
        return "a card has no text of its own: `cardc explain` tells what it does; a comment begins with `//`", None
    if p.text == ":" and p.first == "effect" and p.could == {"{"}:
        return "an effect gives nothing back: what is computed is a `value`", None
    if p.text == "," and folded(p) == "sum":
        return "write `sum(… for x in …)`", None
    return None


def _called_random(p: Place) -> bool:
    return p.at > 2 and list(p.texts[p.at - 3 : p.at - 1]) == ["random", "("]


def _random_of(p: Place) -> bool:
    """Whether `random(…)` ends here."""
    return p.before == ")" and p.texts[opened(p, p.at - 1) - 1] == "random"


def _called(p: Place) -> Meant | None:
    """A name with what it works on behind it."""
    if "," in p.could and "]" in p.could and p.named() and innermost(p.texts[: p.at]) == "[":
        return "a comma stands between what is listed", p.insert("put a comma between them", ",", safe=True)
    if "(" in p.could and p.named() and p.before in ("count", "sum", "any", "all") and not p.joined(p.at):
        inside = "… for x in …" if p.before == "sum" else "x in … where …"
        return f"what it goes through stands in parentheses: `{p.before}({inside})`", None
    if p.before == ")" and "+=" in p.could and (name := _method(p)):
        called = f"an effect is called by its name, with what it works on: `{name}(…)`; a slot is run: `run ….{name}`"
        return _METHODS.get(name, called), None
    argument = p.named() or p.text[:1].isdigit() or p.text == '"'
    if "," in p.could and ")" in p.could and argument and innermost(p.texts[: p.at]) == "(":
        return "a comma stands between arguments", p.insert("put a comma between them", ",", safe=True)
    member = p.at > 1 and p.texts[p.at - 2] == "."
    if "+=" in p.could and "(" in p.could and not member and (p.named() or p.text[:1].isdigit()) and not p.joined(p.at):
        if p.after == "=" and p.is_type(p.before):
            return f"write `let {p.text} = …`", p.put(f"write `let {p.text}`", f"let {p.text}", safe=True, back=1)
        if p.text in STATEMENTS:
            return f"a statement begins with `{p.text}`, and says behind it with what", None
        if p.text in ENDS:
            written = f"{ENDS[p.text]} {p.before}"
            return f"write `{written}`", p.put(f"write `{written}`", written, safe=True, back=1)
        if p.before in ("end", "finish", "stop") and p.text in ("game", "match", "the"):
            return "`win p`, `lose p` or `tie` ends the match", None
        if _local(p):
            return f"an effect is called with what it works on: `{p.text}({p.before}, …)`", None
        return f"what is called has parentheses: `{p.before}(…)`", None
    return None


_METHODS = {
    "shuffle": "write `shuffle …`",
    **dict.fromkeys(("add", "push", "append", "insert", "remove", "pop"), "cards are moved: `move … to …`"),
    "draw": "write `draw 1 from … to …`",
}


def _method(p: Place) -> str:
    """The name before the parentheses that end here, where it follows a dot."""
    depth = 0
    for i in range(p.at - 1, 1, -1):
        depth += (p.texts[i] == ")") - (p.texts[i] == "(")
        if not depth:
            return p.texts[i - 1] if p.texts[i - 2] == "." else ""
    return ""


def _local(p: Place) -> bool:
    """Whether the word before is a card or a player here: a parameter, a pick, what a loop goes through."""
    if p.before in ("you", "self", "me", "opponent"):
        return True
    declared = zip(p.texts, p.texts[1 : p.at - 1], strict=False)
    return any(
        (a == p.before and b == ":") or (b == p.before and a in ("each", "alternate", "let")) for a, b in declared
    )


_IDIOMS: tuple[Callable[[Place], Meant | None], ...] = (
    of_tests, _form, _sign, _equals, _words, _conditions, _in, _begun, entries, named, missing, _called
)  # fmt: skip
