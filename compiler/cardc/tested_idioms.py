"""What a designer meant who wrote a test as tests are written elsewhere: help, and a fix."""

from __future__ import annotations

from cardc.stopping import Meant, Place, innermost, opened

ENDS = {"win": "win", "wins": "win", "won": "win", "lose": "lose", "loses": "lose", "lost": "lose"}
STATEMENTS = frozenset({"copy", "draw", "exchange", "if", "move", "repeat", "reveal", "run", "shuffle"})


_STEPS = frozenset({"expect", "given", "let", "me", "opponent", "when", "}"})
"""What can stand behind a step of a test."""
_BY_END = "an end is expected by its name: `expect win me`, `expect lose me` or `expect tie`"
_NOT_RUN = "`when` runs an effect, `setup` or `flow`: statements stand in an effect"


def of_tests(p: Place) -> Meant | None:
    """What a test says in other words."""
    return (_rows(p) or _given(p) or _answered(p) or _stepped(p)) if p.first == "test" else None


def _rows(p: Place) -> Meant | None:
    """The title of a test, and its table."""
    if p.text == "{" and p.at == 1:
        return 'say its title: `test "…" {`', None
    if p.text == ":" and p.at == 2:
        return "leave out the colon", p.put("leave out the colon", "", safe=True)
    if [*p.texts[p.at - 2 : p.at]] == ["given", "each"]:
        return f"columns stand in parentheses: `given each ({p.text})`", None
    if p.text == "each" and p.before == "given":
        return "`given each` stands first in a test", None
    if p.text == "in" and p.could == {"{"}:
        return "rows stand in braces: `{ (…), (…) }`", None
    if p.text == "each" and p.before == "for":
        return "a table makes a test of each row: `given each (n) { (1), (2) }`", None
    if p.could == {"("} and p.before in ("{", ",") and "each" in p.texts[: p.at]:
        return f"a row stands in parentheses: `({p.text})`", None
    if p.text == "(" and p.before == ")" and "," in p.could:
        return "a comma stands between rows", p.insert("put a comma between them", ",", safe=True)
    return None


def _given(p: Place) -> Meant | None:
    """What is given."""
    if p.text in ("chance", "option") and "expect" in p.could:
        return f"it is given: `given {{ {p.text} … }}`", None
    if p.text == "random" and "chance" in p.could:
        return f"chance is given by what it fills: `chance pick {p.after} = …`", None
    if p.text == "=" and p.at > 1 and p.texts[p.at - 2] == "chance":
        return f"chance is `pick NAME` or `shuffle ZONE`: `chance pick {p.before} = …`", None
    if p.text == "." and [*p.texts[p.at - 3 : p.at - 1]] == ["chance", "shuffle"]:
        seat = {"me": " 0", "opponent": " 1"}.get(p.before, "")
        return f"a zone by its name, and a player by his number: `shuffle {p.after}{seat}`", None
    if innermost(p.texts[: p.at]) == "[" and p.before.isdigit() and p.named():
        return f"each card stands for itself: `[{p.text}, {p.text}]`", None
    if innermost(p.texts[: p.at]) == "[" and p.text == "facing":
        return f"a face is given by itself: `{p.before}.face_up = false`", None
    if "chance" not in p.could and innermost(p.texts[: p.at]) != "{":
        return None
    if p.text == ":" and "=" in p.could and "when" not in p.could:
        return "write `=`", p.put("write `=`", " =", safe=True)
    if p.text in ("in", "is") and "+=" in p.could:
        return f"cards are given by their place: `me.hand = [{p.before}]`", None
    if p.before in ("me", "opponent") and p.text in ("has", "have", "with"):
        return f"what is given is set: `{p.before}.… = …`", None
    return None


def _answered(p: Place) -> Meant | None:
    """Who chooses what."""
    if "cannot" in p.could and p.at > 3:  # the word behind the verb was read as the player of the next line
        before = [*p.texts[p.at - 4 : p.at]]
        if before[2] != "nothing" and (before[1] == "chooses" or before[:2] == ["cannot", "choose"]):
            return _answer(p, p.at - 3), None
    if p.text.isdigit() and p.at > 2 and p.texts[p.at - 2] in ("chooses", "choose"):
        return _answer(p, p.at - 2), None
    if p.before in ("chooses", "choose") and (p.text.isdigit() or p.text[:1] == '"'):
        return f"an answer is a verb and what is picked: `{p.before} VERB(…)`", None
    if p.could == {"choose"} and p.before == "cannot":
        return f"write `cannot choose {p.text}(…)`", None
    if p.text == "cannot" and p.after in ("see", "sees"):
        return f"write `not ({p.before} sees …)`", None
    if "chooses" in p.could and p.before in ("me", "opponent") and p.text in ("declines", "passes", "does"):
        fix = p.put("write `chooses nothing`", "chooses nothing", safe=True, until=int(p.after == "nothing"))
        return f"write `{p.before} chooses nothing`", fix
    if "chooses" in p.could and p.before in ("me", "opponent", "I") and p.named():
        return f"players answer: `{p.before.replace('I', 'me')} chooses VERB(…)`", None
    if p.text == "choose" and "when" in p.could:
        return "say who: `me chooses …`, `opponent chooses …`", None
    return None


def _answer(p: Place, chooses: int) -> str:
    """How what was chosen is written; its verb stands behind `chooses`."""
    verb, *rest = range(chooses + 1, len(p.texts))
    line, picks = p.source.line(p.starts[verb]), []
    for i in rest:
        if p.source.line(p.starts[i]) > line or p.texts[i] in _STEPS:
            break
        picks.append(p.texts[i])
    return f"what is picked stands in parentheses: `{p.texts[verb]}({', '.join(picks)})`"


def _stepped(p: Place) -> Meant | None:
    """What is run, and what is expected."""
    if p.text == "(" and p.after == ")" and p.before in ("setup", "flow") and p.texts[p.at - 2] == "when":
        return f"write `when {p.before}`", p.put("leave out the brackets", "", safe=True, until=1)
    if "cannot" in p.could and [*p.texts[p.at - 4 : p.at]] == ["expect", "not", "no", "result"]:
        return _BY_END, None
    if (p.before == "when" and p.text in STATEMENTS) or [*p.texts[p.at - 2 : p.at + 1]] == ["when", "for", "each"]:
        return _NOT_RUN, None
    if p.could == {"("} and p.texts[p.at - 2] == "when" and p.before in ("me", "opponent") and p.named():
        return f"an answer stands by itself: `{p.before} chooses VERB(…)`", None
    if p.could == {"("} and p.texts[p.at - 2] == "when" and p.text not in _STEPS:
        return _NOT_RUN, None
    if p.could == {"("} and p.texts[p.at - 2] == "when":
        call = f"{p.before}()"
        return f"an effect is run by its call: `when {call}`", p.insert(f"write `{call}`", "()", safe=False)
    if p.text == "and" and "when" in p.could:
        return "one effect at a time: `when …  when …`", None
    if p.text == "then" and "expect" in p.could:
        return "leave out `then`", p.leave_out()
    if p.before == "assert":
        return "write `expect`", p.put("write `expect`", f"expect {p.text}", safe=True, back=1)
    if p.text in ("to", "equals", "be") and "when" in p.could:
        return "two things are compared by `==`", None
    if p.before == "contains" and p.text[:1] == '"':
        return f"write `has {p.text}`", p.put("write `has`", f"has {p.text}", safe=True, back=1)
    if p.before == ")" and p.could >= {"cannot", "chooses"} and p.text in _STEPS and (name := _run(p)):
        return f"an effect is run by `when {name}(…)`", None
    for i in (p.at - 1, p.at - 2):
        end = ENDS.get(p.texts[i], "") if i > 1 else ""
        said = end == p.texts[i] and i == p.at - 2 and p.before != "expect"  # `expect win me`
        if end and not said and "expect" in p.texts[i - 2 : i]:
            return f"say who: `expect {end} me`, `expect {end} opponent`", None
    return None


def _run(p: Place) -> str:
    """The name of what is called where a step would begin."""
    i = opened(p, p.at - 1)
    return p.texts[i - 1] if i > 2 and p.texts[i - 2] not in ("when", ".") else ""
