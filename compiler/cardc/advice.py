"""The way out of a finding, where it depends on what is known at its place. Words only: nothing is decided here."""

from __future__ import annotations

from collections.abc import Mapping

from cardc import nodes as n
from cardc.ir import Var
from cardc.report import listed
from cardc.scope import Scope
from cardc.symbols import Symbols
from cardc.types import PLAYER

LINES = "lines are `value(…) = …`, `on EVENT(…) { … }`, `instead of EVENT(…) { … }` and `once per … { … }`"

ELSEWHERE = {
    **dict.fromkeys(("this", "it"), "`self` is the card that bears the ability"),
    **dict.fromkeys(("owner", "controller", "player1", "i"), "`you` is the player whose card it is"),
    "target": "let somebody choose it: `you choose VERB c: KIND in … { … }`",
}
_EVERYWHERE = {
    **dict.fromkeys(("all", "everyone", "both"), "`players` are both of them"),
    **dict.fromkeys(("null", "nil", "None", "undefined"), "write `none`"),
    "True": "write `true`",
    "False": "write `false`",
}
_COUNTS = frozenset({"size", "length", "len", "number", "amount"})
_COUNTED = "`count(…)` says how many there are"
GREATEST = "one of a list is `the x in S where all(v(x) >= v(y) for y in S)`"
_MOVED = "cards are moved: `move … to …`"
OF_LISTS = {
    **dict.fromkeys(("count", *_COUNTS), _COUNTED),
    **dict.fromkeys(("top", "last", "peek"), "`top(…)` is the last of a list, or none"),
    "first": "`the x in …` is the first of a list, or none",
    **dict.fromkeys(("empty", "is_empty", "isEmpty"), "write `… is empty`"),
    **dict.fromkeys(("contains", "includes", "has"), "write `x is in …`"),
    **dict.fromkeys(("sum", "total"), "`sum(… for x in …)` adds them up"),
    **dict.fromkeys(("max", "min", "highest", "lowest"), GREATEST),
    **dict.fromkeys(("filter", "select", "map"), "`[… for x in … where …]` makes a list of another"),
    **dict.fromkeys(("any", "all"), "`any(x in … where …)` and `all(… for x in …)` go through a list"),
    "random": "a statement draws it: `let x = random from …`",
    "shuffle": "a statement does it: `shuffle …`",
    **dict.fromkeys(("add", "push", "append", "insert", "remove", "pop", "discard"), _MOVED),
    "draw": "a statement does it: `draw 1 from … to …`",
}
"""What lists are asked for as their members in other languages, and how it is said here."""
ENDED = dict.fromkeys(
    ("winner", "loser", "result", "over", "ended", "finished", "won", "lost"),
    "an end is expected by `expect win me`, `expect lose me` or `expect tie`, and none by `expect no result`",
)
_OTHERS = frozenset({"other", "enemy", "rival", "foe", "adversary"})
_OTHER = "the other player is `….opponent`"


def player_here(sc: Scope, test: bool) -> str | None:
    """How a player is called at a place: `you` on a card, `me` in a test, or a local."""
    if test:
        return "me"
    players = [name for name, var in sc.vars.items() if var.type == PLAYER]
    return "you" if "you" in sc.vars else next(iter(players), None)


def unknown_name(name: str, known: Mapping[str, Var]) -> str:
    """What may be meant by a name that nothing has and that is like none."""
    if name in ELSEWHERE and "self" in known:
        return ELSEWHERE[name]
    if name in _EVERYWHERE:
        return _EVERYWHERE[name]
    if not known:
        return "declare it, or name what is declared"
    return f"known here: {listed(known)}, and what is declared"


def _printed_on(field: str, s: Symbols) -> str | None:
    """The first kind of cards that declares a printed field."""
    return next((kind.name for kind in s.kinds.values() if field in kind.fields), None)


def called(name: str, s: Symbols) -> str | None:
    """What may be meant by the call of something that is no value."""
    if name in _COUNTS:
        return _COUNTED
    if name == "empty":
        return "write `… is empty`"
    if name in ("first", "last", "filter", "select", "map"):
        return OF_LISTS[name]
    if name in _OTHERS:
        return _OTHER
    if name == "next":
        return f"{_OTHER}; which word comes next is said by `if … then … else …`"
    if name == "clamp":
        return "a range saturates what is stored; else `max(low, min(high, …))`"
    if _printed_on(name, s) is not None:
        return f"`{name}` is printed on the card: write `….{name}`"
    if name in s.player:
        return f"each player has a `{name}`: write `….{name}`"
    return None


def of_member(name: str) -> str | None:
    """What may be meant by a member that no list and no card has."""
    if name in _OTHERS:
        return _OTHER
    if name in _COUNTS:
        return _COUNTED
    return _ASKED if name in ("title", "name", "id", "kind", "type") else None


_ASKED = "`… is CARD` asks which card it is, by its id, `… is KIND` of which kind"


def called_so(title: str, s: Symbols) -> str | None:
    """Which card may be meant by its title, or a part of it, in place of its id."""
    found = next((card.name for card in s.cards.values() if title.lower() in (card.title.lower(), card.name)), None)
    return None if found is None else f"a card is named by its id: `{found}`"


def modified(name: str, s: Symbols) -> str:
    """What to do about a modifier of something that is no value."""
    kind = _printed_on(name, s)
    if kind is None:
        return "only values are modified"
    return f"what is printed stays: let the rules read a value, `value {name}(c: {kind}): int = c.{name}`"


def line_for(item: n.Item, s: Symbols) -> str:
    """What to write among the lines of an ability in place of a statement."""
    match item:
        case n.If():
            return "a condition stands behind its line: `… when …`"
        case n.ForEach():
            return "a line holds for all that its condition lets: `value(c) += … when …`"
        case n.Assign(target=n.Member(name=n.Ident(name)) | n.Name(id=name)) if name in s.values:
            return f"a value is modified by its call: `{name}(…) {item.op} …`"
        case n.Assign():
            return "what is stored changes when something happens: `on EVENT(…) { … }`, or in a slot of effects"
        case n.Choose(may=may):
            offered = "say when it is offered: `on EVENT(…) may VERB …`"
            return offered if may else f"{offered}, or `on EVENT(…) {{ you choose … }}`"
        case n.CallStmt(n.Call(name=n.Ident(name))):
            return f"say when it happens: `on EVENT(…) {{ {name}(…) }}`; a slot of effects does it once"
    return LINES
