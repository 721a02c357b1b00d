"""What the grammar says of a tree and the types of its nodes do not; for trees that no text was read for."""

from __future__ import annotations

from cardc import nodes as n


def fault(node: n.Node) -> tuple[str, str] | None:
    """The first field of a node that no text could have filled so, and what is wrong with it."""
    match node:
        case n.WordsType(members=()):
            return "members", "an enum written in place has members"
        case n.RangeType(low, high):
            for name, bound in (("low", low), ("high", high)):
                if bound is not None and not _bound(bound):
                    return name, "a bound is a number, a negative number or a name"
        case n.Is(_, _, what, place) if (what.text == "in") != (place is not None):
            return "place", "`is in` has a place, and nothing else has"
        case n.Choose(who) | n.Answer(who) if not _target(who):
            return "who", "who chooses is a name, a call, or what follows one with `.` or `[…]`"
        case n.Choose(alternatives=()):
            return "alternatives", "a choice has alternatives"
        case n.Answer(_, negated, None, args) if negated or args:
            return "verb", "an answer without a verb is neither negated nor has it arguments"
        case n.Assign(target) if not _target(target) or isinstance(target, n.Call):
            return "target", "what is assigned is a name, or what follows a name or call with `.` or `[…]`"
        case n.Together(None, source, start) if source is not None or start is not None:
            return "var", "`together` over nothing has no variable"
        case n.Together(n.Ident(), None):
            return "source", "`together each` has a list"
        case n.Finish(kind, player) | n.ExpectEnd(kind, player) if (kind in ("win", "lose")) != (player is not None):
            return "player", "`win` and `lose` name a player, nothing else does"
        case n.ExpectEnd("no", _, n.Text()):
            return "reason", "no result has no reason"
        case n.Pick(maybe, _, type_, source):
            return _pick_fault(maybe, type_, source)
        case n.On(_, _, _, body, offers) if (body is None) != bool(offers):
            return "offers", "`on` has either a body or offers"
        case n.Given(items):
            if any(isinstance(item, n.Assign) and item.op != "=" for item in items):
                return "items", "`given` sets with `=`"
        case n.EnumDecl(_, open_, True, columns, members) if open_ or columns or not members:
            return "extends", "`extend enum` only adds members"
        case n.EnumDecl(columns=fields) if not all(map(_plain, fields)):
            return "columns", "a column has no marks and no help"
        case (
            n.ValueDecl(params=fields) | n.EffectDecl(params=fields)
            | n.SlotDecl(params=fields) | n.FormDecl(params=fields)
        ) if not all(map(_plain, fields)):
            return "params", "a parameter has no marks and no help"
        case n.PlaceSpec(_, True, _, n.Node()):
            return "most", "a place for one card has no `at most`"
        case n.BoardDecl(_, size, height, floating, either, element):
            if (size is None) != (element is None):
                return "element", "a board of several places names their element"
            if (height is None and floating) or (height is not None and size is None) or (either and not floating):
                return "height", "only a grid has a height, floats, or fits either way"
    return None


def _pick_fault(maybe: bool, type_: n.TypeExpr | None, source: n.Expr | None) -> tuple[str, str] | None:
    match type_:
        case None if not maybe:
            return "type", "a pick without `maybe` has a type"
        case None if source is not None:
            return "type", "a pick from a list has a type"
        case None | n.NamedType(_, None) | n.RangeType(_, n.Node()):
            return None
        case _:
            return "type", "a pick's type is a name or a range"


def _plain(field: n.Field) -> bool:
    return not field.marks and field.help is None


def _bound(expr: n.Expr) -> bool:
    match expr:
        case n.Number() | n.Name() | n.Unary("-", n.Number()):
            return True
        case _:
            return False


def _target(expr: n.Expr) -> bool:
    while isinstance(expr, n.Member | n.Index | n.Method):
        expr = expr.base
    return isinstance(expr, n.Name | n.Call)
