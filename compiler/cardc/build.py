"""The builders of the AST: one for each rule of the grammar, called when the parser reduces it.

A builder gets the children that Lark would give it (`card_grammar.tables.Rule`) and the span from the first token to
the last. A child is what its own builder made; None where an optional part is missing; the text of a name, number,
string or sign; an `Ident` for any other word that the grammar keeps (`each`, `win`, `V-9`).
A builder that refuses its children raises `Refusal`, which the parser turns into the declaration's finding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from cardc import nodes as n
from cardc.literals import Refusal, integer, string

Children: TypeAlias = Sequence[Any]
Builder: TypeAlias = Callable[[Children, n.Span], Any]
T = TypeVar("T")

BUILDERS: dict[str, Builder | None] = {}
"""By rule. None: the rule's only child stands for it (parentheses)."""

NESTING: set[str] = set()
"""The rules that build expressions and types: what they nest is counted."""


def rule(*names: str) -> Callable[[Builder], Builder]:
    """Register the builder of these rules."""

    def register(builder: Builder) -> Builder:
        for name in names:
            BUILDERS[name] = builder
        return builder

    return register


def expression(*names: str) -> Callable[[Builder], Builder]:
    """Register the builder of these rules, which build an expression or a type."""
    NESTING.update(names)
    return rule(*names)


def direct(cls: type[n.Node]) -> Builder:
    """The builder of a rule whose children are the fields of a node, in order."""
    make: Callable[..., n.Node] = cls
    if len(cls.__struct_defaults__) == 1:  # only the span's; a call without a star takes half as long
        match len(cls.__struct_fields__) - 1:
            case 1:
                return lambda c, span: make(c[0], span=span)
            case 2:
                return lambda c, span: make(c[0], c[1], span=span)
            case 3:
                return lambda c, span: make(c[0], c[1], c[2], span=span)
    return lambda c, span: make(*c, span=span)


def _all(cls: type[T], children: Children) -> tuple[T, ...]:
    return tuple(c for c in children if isinstance(c, cls))


def _present(children: Children) -> tuple[Any, ...]:
    return tuple(c for c in children if c is not None)


# ---- Names and literals

BUILDERS["ident"] = direct(n.Ident)
BUILDERS["name"] = direct(n.Name)


@rule("number")
def number(c: Children, span: n.Span) -> n.Number:
    return n.Number(integer(c[0], span[0]), span=span)


@rule("text")
def text(c: Children, span: n.Span) -> n.Text:
    return n.Text(string(c[0], span[0]), span=span)


@expression("negative")
def negative(c: Children, span: n.Span) -> n.Unary:
    return n.Unary("-", c[0], span=span)


@rule("most", "period", "priority")
def only(c: Children, span: n.Span) -> Any:
    return c[0]


@rule("picks", "params", "columns", "marks")
def several(c: Children, span: n.Span) -> tuple[Any, ...]:
    return tuple(c)


@rule("open", "bot", "may", "not_word")
def present(c: Children, span: n.Span) -> bool:
    return True


# ---- Packages and vocabulary

BUILDERS["setting"] = direct(n.Setting)
BUILDERS["option"] = direct(n.OptionDecl)
BUILDERS["state"] = direct(n.StateDecl)
BUILDERS["card_state"] = direct(n.StateDecl)
BUILDERS["flag"] = direct(n.FlagDecl)
BUILDERS["field"] = direct(n.Field)


BUILDERS["lint_setting"] = direct(n.LintSetting)


@rule("lint")
def lint(c: Children, span: n.Span) -> n.LintDecl:
    return n.LintDecl(tuple(c), span=span)


@rule("game")
def game(c: Children, span: n.Span) -> n.GameDecl:
    return n.GameDecl(c[0], c[1], tuple(c[2:]), span=span)


@rule("expansion")
def expansion(c: Children, span: n.Span) -> n.ExpansionDecl:
    return n.ExpansionDecl(c[0], c[1], c[2], tuple(c[3:]), span=span)


@rule("enum")
def enum(c: Children, span: n.Span) -> n.EnumDecl:
    return n.EnumDecl(c[1], c[0] is not None, False, c[2] or (), _all(n.EnumMember, c[3:]), span=span)


@rule("extend_enum")
def extend_enum(c: Children, span: n.Span) -> n.EnumDecl:
    return n.EnumDecl(c[0], False, True, (), tuple(c[1:]), span=span)


@rule("enum_member")
def enum_member(c: Children, span: n.Span) -> n.EnumMember:
    return n.EnumMember(c[0], _present(c[1:]), span=span)


@rule("player")
def player(c: Children, span: n.Span) -> n.PlayerDecl:
    return n.PlayerDecl(tuple(c), span=span)


@rule("mark")
def mark(c: Children, span: n.Span) -> n.Ident:
    text = " ".join(word.text for word in c)
    return n.Ident(f"{text} is better" if text in ("high", "low") else text, span=span)


@rule("kind")
def kind(c: Children, span: n.Span) -> n.KindDecl:
    states = tuple(s.field for s in _all(n.StateDecl, c))
    return n.KindDecl(
        c[0], c[1], _all(n.Field, c), _all(n.FlagDecl, c), states, _all(n.SlotDecl, c), _all(n.FormDecl, c),
        span=span
    )  # fmt: skip


@rule("slot")
def slot(c: Children, span: n.Span) -> n.SlotDecl:
    name, params, nature, _, place, when, help = c
    return n.SlotDecl(name, params or (), nature.text, place, when, help, span=span)


BUILDERS["form"] = direct(n.FormDecl)


# ---- Where cards are, values, decks, cards

BUILDERS["zone"] = direct(n.ZoneDecl)
BUILDERS["board_place"] = direct(n.BoardPlace)
BUILDERS["deck_into"] = direct(n.DeckInto)
BUILDERS["deck_rule"] = direct(n.DeckRule)
BUILDERS["card_field"] = direct(n.CardField)
BUILDERS["card_flag"] = direct(n.CardFlag)


@rule("value")
def value(c: Children, span: n.Span) -> n.ValueDecl:
    name, params, type, body = c[1:]
    return n.ValueDecl(name, params, type, body, bot=c[0] is not None, span=span)


@rule("card_slot")
def card_slot(c: Children, span: n.Span) -> n.CardSlot:
    return n.CardSlot(c[0], c[1] or (), c[2], span=span)


@rule("slot_args")
def slot_args(c: Children, span: n.Span) -> tuple[n.Arg, ...]:
    return _present(c)


@rule("card_form")
def card_form(c: Children, span: n.Span) -> n.CardForm:
    return n.CardForm(c[0], c[1], tuple(c[2:]), span=span)


@rule("board")
def board(c: Children, span: n.Span) -> n.BoardDecl:
    size, height, floating, either, element = c[1] or (None, None, False, False, None)
    members = c[2:]
    return n.BoardDecl(
        c[0], size, height, floating, either, element, _all(n.Field, members), _all(n.BoardPlace, members), span=span
    )


@rule("row")
def row(c: Children, span: n.Span) -> tuple[int, None, bool, bool, n.Ident]:
    return c[0].value, None, False, False, c[1]


@rule("grid")
def grid(c: Children, span: n.Span) -> tuple[int, int, bool, bool, n.Ident]:
    return c[0].value, c[1].value, False, False, c[2]


@rule("floating_grid")
def floating_grid(c: Children, span: n.Span) -> tuple[int, int, bool, bool, n.Ident]:
    return c[0].value, c[1].value, True, c[2] is not None, c[3]


@rule("either")
def either(c: Children, span: n.Span) -> bool:
    return True


@rule("place")
def place(c: Children, span: n.Span) -> n.PlaceSpec:
    whose, form, item, *most, sight = c
    return n.PlaceSpec(whose.text == "each", form.text == "one", item, most[0] if most else None, sight, span=span)


def _sight(name: str) -> Builder:
    return lambda c, span: name


BUILDERS["all_see"] = _sight("all")
BUILDERS["all_see_top"] = _sight("top")
BUILDERS["owner_sees"] = _sight("owner")
BUILDERS["nobody_sees"] = _sight("nobody")


@rule("unseen")
def unseen(c: Children, span: n.Span) -> n.UnseenDecl:
    name, item, _, where, cond = c
    return n.UnseenDecl(name, item, where, cond, span=span)


@rule("effect")
def effect(c: Children, span: n.Span) -> n.EffectDecl:
    return n.EffectDecl(c[1], c[2], c[3], span=span)


@rule("param")
def param(c: Children, span: n.Span) -> n.Field:
    return n.Field(c[0], c[1], c[2], (), None, span=span)


@rule("setup")
def setup(c: Children, span: n.Span) -> n.SetupDecl:
    return n.SetupDecl(c[1], span=span)


@rule("flow")
def flow(c: Children, span: n.Span) -> n.FlowDecl:
    return n.FlowDecl(c[1], span=span)


@rule("deck")
def deck(c: Children, span: n.Span) -> n.DeckDecl:
    return n.DeckDecl(_all(n.DeckInto, c), _all(n.DeckRule, c), span=span)


@rule("decklist")
def decklist(c: Children, span: n.Span) -> n.DecklistDecl:
    return n.DecklistDecl(c[0], c[1], _present(c[2:]), span=span)


@rule("entry")
def entry(c: Children, span: n.Span) -> n.DecklistEntry:
    return n.DecklistEntry(c[0].value, c[1], span=span)


@rule("card")
def card(c: Children, span: n.Span) -> n.CardDecl:
    return n.CardDecl(c[0], c[1], c[2], tuple(c[3:]), span=span)


# ---- Types


@expression("named_type")
def named_type(c: Children, span: n.Span) -> n.NamedType:
    return n.NamedType(c[0], c[2] if len(c) > 1 else None, span=span)


def _bound(child: Any) -> n.Expr:
    bound: n.Expr = n.Name(child.text, span=child.span) if isinstance(child, n.Ident) else child
    return bound


@expression("range_type")
def range_type(c: Children, span: n.Span) -> n.RangeType:
    return n.RangeType(_bound(c[0]), _bound(c[1]), span=span)


@expression("open_range")
def open_range(c: Children, span: n.Span) -> n.RangeType:
    return n.RangeType(_bound(c[0]), None, span=span)


@expression("words_type")
def words_type(c: Children, span: n.Span) -> n.WordsType:
    return n.WordsType(tuple(c), span=span)


@expression("list_type")
def list_type(c: Children, span: n.Span) -> n.ListType:
    return n.ListType(c[1], span=span)


expression("optional_type")(direct(n.OptionalType))
expression("set_type")(direct(n.SetType))

# ---- Statements

BUILDERS["let"] = direct(n.Let)
BUILDERS["draw"] = direct(n.Draw)
BUILDERS["copy"] = direct(n.Copy)
BUILDERS["shuffle"] = direct(n.Shuffle)
BUILDERS["reveal"] = direct(n.Reveal)
BUILDERS["run"] = direct(n.Run)
BUILDERS["repeat"] = direct(n.Repeat)
BUILDERS["loop"] = direct(n.Loop)
BUILDERS["alternate"] = direct(n.Alternate)
BUILDERS["while"] = direct(n.While)
BUILDERS["until_end"] = direct(n.Until)
BUILDERS["once"] = direct(n.Once)


def _plain(call: n.Call | n.Aggregate) -> n.Call:
    """A call that is none of a search through a list."""
    if isinstance(call, n.Call):
        return call
    message = f"`{call.op.text}` goes through a list, which tells something and does nothing"
    raise Refusal("E001", *call.span, message, "expected the call of an effect or a value")


@rule("call_stmt")
def call_stmt(c: Children, span: n.Span) -> n.CallStmt:
    return n.CallStmt(_plain(c[0]), span=span)


@rule("block")
def block(c: Children, span: n.Span) -> n.Block:
    return n.Block(tuple(c), span=span)


@rule("assign")
def assign(c: Children, span: n.Span) -> n.Assign | n.Modifier:
    target, op, value, when, priority = c
    if isinstance(target, n.Call):
        return n.Modifier(target, op, value, when, _priority(priority), span=span)
    if when is not None or priority is not None:
        start, end = (priority if when is None else when).span
        word = "priority" if when is None else "when"
        message = f"an assignment to something other than a value's call has no `{word}`"
        raise Refusal("E001", start, end, message, "`if` makes a statement depend on a condition")
    return n.Assign(target, op, value, span=span)


def _priority(child: n.Number | n.Unary | None) -> int:
    match child:
        case n.Number(value):
            return value
        case n.Unary(_, n.Number(value)):
            return -value
        case _:
            return 0


@rule("move")
def move(c: Children, span: n.Span) -> n.Move:
    return n.Move(c[0], c[2], c[1] is not None, c[3], span=span)


@rule("if")
def if_(c: Children, span: n.Span) -> n.If:
    cond, then, other = c
    if isinstance(other, n.If):
        other = n.Block((other,), span=other.span)
    return n.If(cond, then, other, span=span)


@rule("for_each")
def for_each(c: Children, span: n.Span) -> n.ForEach:
    _, var, _, source, start, where, by, body = c
    return n.ForEach(var, source, start, where, by, body, span=span)


@rule("together")
def together(c: Children, span: n.Span) -> n.Together:
    return n.Together(None, None, None, c[0], span=span)


@rule("together_each")
def together_each(c: Children, span: n.Span) -> n.Together:
    _, var, _, source, start, body = c
    return n.Together(var, source, start, body, span=span)


@rule("exchange")
def exchange(c: Children, span: n.Span) -> n.Exchange:
    return n.Exchange(tuple(c[:-2]), c[-2], c[-1], span=span)


@rule("stop")
def stop(c: Children, span: n.Span) -> n.Stop:
    return n.Stop(span=span)


@rule("finish_player")
def finish_player(c: Children, span: n.Span) -> n.Finish:
    return n.Finish(c[0].text, c[1], c[2], span=span)


@rule("finish_tie")
def finish_tie(c: Children, span: n.Span) -> n.Finish:
    return n.Finish("tie", None, c[0], span=span)


@rule("choose")
def choose(c: Children, span: n.Span) -> n.Choose:
    return n.Choose(c[0], c[1] is not None, _all(n.Alternative, c), c[-1], span=span)


@rule("alternative")
def alternative(c: Children, span: n.Span) -> n.Alternative:
    verb, picks, label, when, body = c
    return n.Alternative(verb, picks or (), label, when, body, span=span)


@rule("pick")
def pick(c: Children, span: n.Span) -> n.Pick:
    name, type_, _, source, where = c
    return n.Pick(False, name, type_, source, where, span=span)


@rule("maybe_pick")
def maybe_pick(c: Children, span: n.Span) -> n.Pick:
    name, type_, _, source, where = c
    return n.Pick(True, name, type_, source, where, span=span)


@rule("until_used")
def until_used(c: Children, span: n.Span) -> n.Until:
    return n.Until(None, c[0], span=span)


@rule("on")
def on(c: Children, span: n.Span) -> n.On:
    return n.On(_plain(c[0]), c[1], _priority(c[2]), c[3], (), span=span)


@rule("on_may")
def on_may(c: Children, span: n.Span) -> n.On:
    return n.On(_plain(c[0]), c[1], _priority(c[2]), None, _all(n.Alternative, c), span=span)


@rule("instead")
def instead(c: Children, span: n.Span) -> n.Instead:
    return n.Instead(_plain(c[0]), c[1], _priority(c[2]), c[3], span=span)


# ---- Expressions

expression("if_expr")(direct(n.IfExpr))
expression("random")(direct(n.Random))
expression("member")(direct(n.Member))
expression("index")(direct(n.Index))


@expression("method")
def method(c: Children, span: n.Span) -> n.Method:
    return n.Method(c[0], c[1], _present(c[2:]), span=span)


expression("new")(direct(n.New))
BUILDERS["group"] = None
NESTING.add("group")


@expression("the")
def the(c: Children, span: n.Span) -> n.The:
    var, _, source, where = c
    return n.The(var, source, where, span=span)


@expression("binary")
def binary(c: Children, span: n.Span) -> n.Binary:
    left, op, right = c
    return n.Binary(op if isinstance(op, str) else op.text, left, right, span=span)


@expression("minus")
def minus(c: Children, span: n.Span) -> n.Unary:
    return n.Unary("-", c[0], span=span)


@expression("not_")
def not_(c: Children, span: n.Span) -> n.Unary:
    return n.Unary("not", c[0], span=span)


@expression("is_", "is_word")
def is_(c: Children, span: n.Span) -> n.Is:
    return n.Is(c[0], c[1] is not None, c[2], span=span)


@expression("is_in")
def is_in(c: Children, span: n.Span) -> n.Is:
    operand, negated, word, where = c
    return n.Is(operand, negated is not None, word, where, span=span)


@rule("true")
def true(c: Children, span: n.Span) -> n.Truth:
    return n.Truth(True, span=span)


@rule("false")
def false(c: Children, span: n.Span) -> n.Truth:
    return n.Truth(False, span=span)


@rule("none")
def none(c: Children, span: n.Span) -> n.Nothing:
    return n.Nothing(span=span)


@expression("list_lit")
def list_lit(c: Children, span: n.Span) -> n.ListLit:
    return n.ListLit(_present(c), span=span)


@expression("listing")
def listing(c: Children, span: n.Span) -> n.Listing:
    body, var, _, source, where = c
    return n.Listing(body, var, source, where, span=span)


@expression("call")
def call(c: Children, span: n.Span) -> n.Call:
    return n.Call(c[0], _present(c[1:]), span=span)


@expression("count_call")
def count_call(c: Children, span: n.Span) -> n.Aggregate:
    op, var, _, source, where = c
    return n.Aggregate(op, None, var, source, where, span=span)


@expression("fold_call")
def fold_call(c: Children, span: n.Span) -> n.Aggregate:
    op, body, var, _, source, where = c
    return n.Aggregate(op, body, var, source, where, span=span)


@rule("arg")
def arg(c: Children, span: n.Span) -> n.Arg:
    return n.Arg(None, c[0], span=span)


BUILDERS["named_arg"] = direct(n.Arg)

# ---- Tests

BUILDERS["given_option"] = direct(n.GivenOption)
BUILDERS["expect"] = direct(n.Expect)


@rule("test")
def test(c: Children, span: n.Span) -> n.TestDecl:
    return n.TestDecl(c[0], c[1] or (), tuple(c[3:]), c[2], span=span)


@rule("cases")
def cases(c: Children, span: n.Span) -> n.Cases:
    columns = tuple(x for x in c[1:] if isinstance(x, n.Ident))
    return n.Cases(columns, _all(n.CaseRow, c), span=span)


@rule("case_row")
def case_row(c: Children, span: n.Span) -> n.CaseRow:
    return n.CaseRow(_present(c), span=span)


BUILDERS["covers"] = several


@rule("given")
def given(c: Children, span: n.Span) -> n.Given:
    return n.Given(tuple(c), span=span)


@rule("given_chance")
def given_chance(c: Children, span: n.Span) -> n.GivenChance:
    stream, what, which, value = c
    words = [stream.text, what.text] + ([] if which is None else [str(which.value)])
    last = what if which is None else which
    return n.GivenChance(n.Ident(" ".join(words), span=(stream.span[0], last.span[1])), value, span=span)


@rule("given_assign")
def given_assign(c: Children, span: n.Span) -> n.Assign:
    target, op, value = c
    if op != "=":
        raise Refusal("E001", *span, f"`{op}` is not expected in `given`", "`given` sets with `=`")
    if isinstance(target, n.Call):
        message = f"`{target.name.text}(…)` is a call, and `given` cannot set it"
        raise Refusal("E001", *target.span, message, "`given` sets what a situation holds: places, fields and state")
    return n.Assign(target, op, value, span=span)


@rule("when_call")
def when_call(c: Children, span: n.Span) -> n.WhenCall:
    return n.WhenCall(_plain(c[0]), span=span)


@rule("when_part")
def when_part(c: Children, span: n.Span) -> n.WhenPart:
    return n.WhenPart(c[0].text, span=span)


@rule("chooses")
def chooses(c: Children, span: n.Span) -> n.Answer:
    return n.Answer(c[0], False, c[1], _present(c[2:]), span=span)


@rule("cannot_choose")
def cannot_choose(c: Children, span: n.Span) -> n.Answer:
    return n.Answer(c[0], True, c[1], _present(c[2:]), span=span)


@rule("chooses_nothing")
def chooses_nothing(c: Children, span: n.Span) -> n.Answer:
    return n.Answer(c[0], False, None, (), span=span)


@rule("expect_player")
def expect_player(c: Children, span: n.Span) -> n.ExpectEnd:
    return n.ExpectEnd(c[0].text, c[1], c[2], span=span)


@rule("expect_tie")
def expect_tie(c: Children, span: n.Span) -> n.ExpectEnd:
    return n.ExpectEnd("tie", None, c[0], span=span)


@rule("expect_none")
def expect_none(c: Children, span: n.Span) -> n.ExpectEnd:
    return n.ExpectEnd("no", None, None, span=span)
