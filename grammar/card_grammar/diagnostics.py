"""The registry of diagnostics: one code each, never reused, with a page in `pages/` (wrong, right, why).

E0xx reading, E1xx names, E2xx types, E3xx cards and decks, E4xx semantics of play, E5xx visibility, W6xx warnings,
E7xx and W7xx tables that are imported, L8xx what `cardc lint` finds.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Severity: TypeAlias = Literal["error", "warning", "note"]
Level: TypeAlias = Literal["off", "note", "warning", "error"]
"""How a package wants a rule to be told."""


class Diagnostic(Struct, frozen=True):
    """A kind of finding: its code, its short name, its severity where nothing else is said, and a one-line summary."""

    code: str
    name: str
    severity: Severity
    summary: str


_ALL = (
    Diagnostic("E001", "syntax", "error", "The text does not follow the grammar."),
    Diagnostic("E002", "unclosed", "error", "A brace, parenthesis, bracket or string is not closed."),
    Diagnostic("E003", "stray-text", "error", "Text in column 1 begins no declaration."),
    Diagnostic("E004", "encoding", "error", "The file is not UTF-8 text."),
    Diagnostic("E005", "too-deep", "error", "An expression nests more than 64 deep."),
    Diagnostic("E006", "number-too-large", "error", "A number has more than 15 digits."),
    Diagnostic("E007", "reserved-word", "error", "A reserved word is used as a name."),
    Diagnostic("E008", "ast-json", "error", "A .card.json file does not follow the schema of the AST."),
    Diagnostic("E101", "unknown-name", "error", "A name is not declared."),
    Diagnostic("E102", "declared-twice", "error", "A name is declared twice."),
    Diagnostic("E103", "built-in-name", "error", "A declaration takes a name that the language has already."),
    Diagnostic("E104", "hidden-name", "error", "A local or parameter would hide another name."),
    Diagnostic("E105", "unknown-member", "error", "There is no such member."),
    Diagnostic("E107", "wrong-use-of-name", "error", "A name is used as something that it is not."),
    Diagnostic("E108", "package-shape", "error", "A package lacks a part, or has one too many."),
    Diagnostic("E109", "declared-by-base", "error", "An expansion declares a name of its base game."),
    Diagnostic("E110", "frame-is-fixed", "error", "An expansion would change the frame of its game."),
    Diagnostic("E111", "wrong-base", "error", "An expansion is built on a game that it is not for."),
    Diagnostic("E112", "id-reused", "error", "An id that was released is used for something else."),
    Diagnostic("E113", "lock-file", "error", "A line of ids.lock tells of no released id."),
    Diagnostic("E201", "wrong-type", "error", "A value of one type stands where another is needed."),
    Diagnostic("E202", "wrong-arguments", "error", "A call has too few, too many or unknown arguments."),
    Diagnostic("E203", "optional-untested", "error", "What may be none is used without a test."),
    Diagnostic("E204", "wrong-place", "error", "A construct stands where it has no meaning."),
    Diagnostic("E205", "place-unknown", "error", "It is not known that a card lies where it must."),
    Diagnostic("E206", "index-outside", "error", "An index lies outside what it indexes."),
    Diagnostic("E207", "no-event", "error", "A card listens to, or replaces, something that is not an effect."),
    Diagnostic("E208", "not-assignable", "error", "Something is assigned that never changes that way."),
    Diagnostic("E209", "dead-clause", "error", "A condition is always or never true, or a clause can have no effect."),
    Diagnostic("E210", "bad-range", "error", "A range or a size is impossible."),
    Diagnostic("E211", "enum-data", "error", "A member of an enum has too many values, or lacks one."),
    Diagnostic("E301", "missing", "error", "A field or a default is missing."),
    Diagnostic("E302", "given-twice", "error", "Something is given twice."),
    Diagnostic("E303", "out-of-range", "error", "A number is outside its range."),
    Diagnostic("E304", "unknown-field", "error", "A card has a field, flag or slot that its kind does not know."),
    Diagnostic("E305", "kind-without-cards", "error", "A card is of a kind that others extend."),
    Diagnostic("E306", "unknown-member-of-enum", "error", "A field names no member of its enum."),
    Diagnostic("E307", "deck-breaks-rules", "error", "A ready-made deck breaks the rules of its game."),
    Diagnostic("E401", "circle-of-values", "error", "Values need each other."),
    Diagnostic("E402", "circle-of-effects", "error", "Effects call each other in a circle."),
    Diagnostic("E403", "loop-without-decision", "error", "A loop of the flow holds no decision."),
    Diagnostic("E404", "flow-ends", "error", "The flow can reach its end without a result."),
    Diagnostic("E405", "nothing-to-choose", "error", "A choice can never have an option."),
    Diagnostic("E406", "too-many-options", "error", "A choice can have more than 4096 options."),
    Diagnostic("E407", "secret-choice-late", "error", "Something is written before a secret choice."),
    Diagnostic("E408", "verb-twice", "error", "Two alternatives of a choice have one verb."),
    Diagnostic("E409", "test-without-expectation", "error", "A test expects nothing."),
    Diagnostic("E501", "visibility-breach", "error", "Options tell their chooser what he cannot see."),
    Diagnostic("E502", "hidden-told", "error", "What all see is made of hidden state that nothing reveals."),
    Diagnostic("W601", "unused", "warning", "Something is declared and never used."),
    Diagnostic("W602", "never-read", "warning", "State is set and never read."),
    Diagnostic("W603", "never-set", "warning", "State is read and never set."),
    Diagnostic("W604", "circle-of-events", "warning", "A card can set off itself again."),
    Diagnostic("W605", "suppression", "warning", "A `// lint off` names no rule, or gives no reason."),
    Diagnostic("W606", "unused-suppression", "warning", "A `// lint off` hides nothing."),
    Diagnostic("W607", "stale-baseline", "warning", "A baseline expects what is found no more."),
    Diagnostic("W608", "kept-hidden", "warning", "What depends on hidden cards is kept while somebody chooses."),
    Diagnostic("L801", "naming", "warning", "A name is not written in small letters with `_` between words."),
    Diagnostic("L802", "unused-word", "warning", "Nothing names a word of an enum."),
    Diagnostic("L803", "unfilled", "note", "The frame has room for something that no card brings."),
    Diagnostic("L804", "no-prompt", "warning", "An alternative of a choice has no text of its own for its player."),
    Diagnostic("L805", "never-played", "warning", "A card can never be played."),
    Diagnostic("L806", "same-card", "warning", "Two cards differ in nothing but their names."),
    Diagnostic("L807", "strictly-better", "warning", "A card is nowhere worse than another, and better somewhere."),
    Diagnostic("L808", "meeting-triggers", "note", "Two cards hear one event, and one sets what the other reads."),
    Diagnostic("L809", "long-text", "warning", "A text is longer than it may be."),
    Diagnostic("L810", "missing-art", "warning", "A card has no picture."),
    Diagnostic("L811", "missing-credit", "warning", "A card does not say who made it."),
    Diagnostic("E701", "import-mapping", "error", "The mapping of an import does not follow its form."),
    Diagnostic("E702", "table-shape", "error", "A table, or a row of it, does not have the form it should."),
    Diagnostic("E703", "table-cell", "error", "A cell of a table is not what its card needs."),
    Diagnostic("E704", "empty-cell", "error", "A cell of a table is empty, and a card needs it."),
    Diagnostic("E705", "table-id-twice", "error", "Two rows of a table have the same id."),
    Diagnostic("E706", "changed-id", "error", "A spreadsheet has changed an id in a table."),
    Diagnostic("W751", "odd-characters", "warning", "A cell of a table was read as something plainer."),
    Diagnostic("W752", "unused-column", "warning", "No card takes anything from a column of a table."),
)

DIAGNOSTICS: dict[str, Diagnostic] = {d.code: d for d in _ALL}

RULES: dict[str, str] = {d.name.replace("-", "_"): d.code for d in _ALL if d.code.startswith(("W6", "L8"))}
"""The codes of what a package may judge as it likes, by the names that it has in the language. All else is settled:
what is wrong in the language stays wrong."""
