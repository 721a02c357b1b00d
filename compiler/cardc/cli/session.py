"""A match at a terminal: who is asked, what is shown to whom, and what the typed lines mean.

Knows the match only through the public API of `card_runtime` and the terminal only through a `Page`, so tests can play.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct

from cardc.cli import question
from cardc.cli.course import as_seen, changes, heads
from cardc.cli.table import Line, Painted, Shape, Style, draw, printed_facts, spaced
from cardc.cli.why import said
from cardc.display import safe, wrap

if TYPE_CHECKING:
    from card_runtime.decision import Decision

Bot: TypeAlias = Callable[["Decision"], object]


class Asked(Protocol):
    """Answers `why` to a seat, in lines (`cardc.cli.why.Why`)."""

    def __call__(self, asked: str, seat: int) -> list[str]: ...

    def example(self) -> str: ...


HELP = (
    ("0 or nothing", "decline, where that is allowed"),
    ("view", "draw the table again"),
    ("log", "what happened so far, as far as you may know it; log 20: the last 20"),
    ("why NAME WHAT", "how a number came about ({example}); why: what can be asked"),
    ("card NAME", "what is written on a card"),
    ("undo", "take back your last choice"),
    ("save FILE", "keep the match in a file; cardc play … --resume FILE goes on with it"),
    ("help, quit", "this; leave the match"),
)
_HIGH = 40
"""On a page of fewer lines boards are drawn last, next to the question."""
_COLOURS: Mapping[Style, str] = {"head": "1", "you": "36", "them": "33", "dim": "2"}


class Page(Struct, frozen=True):
    """Where the match is shown. `read` gives the next line, None at the end of input; `clear` empties the screen.

    `rows`: how many lines of it are in sight; None: all."""

    write: Callable[[str], object]
    read: Callable[[str], str | None]
    columns: int = 80
    rows: int | None = None
    colour: bool = False
    terminal: bool = False

    def lines(self, lines: Iterable[Line]) -> None:
        for line in lines:
            pieces = line[1].pieces if isinstance(line[1], Painted) else (line,)
            self.write("".join(self._painted(*piece) for piece in pieces) + "\n")

    def _painted(self, style: Style, text: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour and style in _COLOURS and text else text

    @property
    def low(self) -> bool:
        """Whether the top of a table may well be out of sight when a question stands below it."""
        return self.rows is not None and self.rows < _HIGH

    def say(self, text: str, style: Style = "plain") -> None:
        """Write text of several lines, made safe."""
        self.lines((style, safe(line)) for line in text.split("\n"))

    def clear(self) -> None:
        """Take everything off the screen, also what scrolled out of it."""
        self.write("\x1b[2J\x1b[3J\x1b[H" if self.terminal else "\n" * 60)


class Told(Struct, frozen=True):
    """Answers what is asked about the match: `why`, and `card` by its name, in lines."""

    why: Asked
    card: Callable[[str], Sequence[str]]


class Left(Exception):
    """The humans leave: they said so, or the input ended."""


class Session:
    """One match between humans (bot None) and bots, a seat each."""

    def __init__(
        self, match: Any, shape: Shape, bots: Sequence[Bot | None], names: Sequence[str], page: Page, told: Told,
    ) -> None:  # fmt: skip
        self.match = match
        self.shape = shape
        self.bots = bots
        self.names = names
        self.page = page
        self.told = told
        self.humans = [seat for seat, bot in enumerate(bots) if bot is None]
        self._seen: dict[int | None, int] = {}
        self._within = False
        """Whether a turn or another period has been told where bots play alone: what comes after stands further in."""
        self._facing: int | None = None

    def run(self) -> bool:
        """Play until the end (True), or until the humans leave (False)."""
        try:
            self._play()
        except Left:
            return False
        if self.humans:
            self.page.say("")
            self._show(self.humans[0] if len(self.humans) == 1 else None)
        else:
            self._tell_new(None)
            self.page.say("")
            self.page.lines(draw(self.match.view(None), self.shape, self.page.columns, self.names))
        return True

    def _play(self) -> None:
        asked = 0
        while (decision := self.match.decision) is not None:
            bot = self.bots[decision.player]
            if bot is None:
                self._ask(decision)
                continue
            self.match.choose(bot(decision))
            asked += 1
            # A log is copied when it is read: now and then is enough where nobody waits for it.
            if not self.humans and asked % 32 == 0:
                self._tell_new(None)

    # ---- Showing

    def _new(self, seat: int | None) -> list[Mapping[str, Any]]:
        """The records that were written since the last question to this seat."""
        records: list[Mapping[str, Any]] = self.match.log(seat)
        seen = self._seen.get(seat, 0)
        last = records[-1]["n"] if records else 0
        self._seen[seat] = last
        # After an undo there may be fewer records than were seen.
        return [r for r in records if r["n"] > seen] if last >= seen else []

    def _tell_new(self, seat: int | None) -> None:
        new = self._new(seat)
        self.page.lines(changes(new, self.page.columns, 10**9, seat, self._within))
        self._within = self._within or any(heads(record) for record in new)

    def _show(self, seat: int | None) -> None:
        new = changes(self._new(seat), self.page.columns, seat=seat)
        if new:
            self.page.lines([("head", "What happened:"), *new, ("plain", "")])
        view = self.match.view(seat)
        self.page.lines(draw(view, self.shape, self.page.columns, self.names, self.page.low))

    def _hand_over(self, seat: int) -> None:
        """Let the other player come to the screen without seeing what the last one saw."""
        if len(self.humans) < 2 or self._facing == seat:
            return
        if self._facing is not None:
            self.page.clear()
        self._read(f"Player {seat}, it is your turn: press Enter when only you can see the screen. ")
        self.page.clear()
        self._facing = seat

    # ---- Asking

    def _read(self, prompt: str) -> str:
        line = self.page.read(prompt)
        if line is None:
            raise Left
        return line.strip()

    def _ask(self, decision: Any) -> None:
        """Put a decision to a human until it is answered, or the match has gone back."""
        seat = decision.player
        self._hand_over(seat)
        self.page.say("")
        self._show(seat)
        self._question(decision, range(decision.count))
        while self.match.decision is decision:
            line = self._read("> ")
            if line and not self._obey(line, decision):
                answer = self._meant(line, decision)
                if answer is not None:
                    self.match.choose(answer)

    def _question(self, decision: Any, indices: Sequence[int]) -> None:
        who = f"Player {decision.player}" if len(self.humans) > 1 else "You"
        head = f"{who} choose{'s' * (who != 'You')}:"
        alternatives = " / " in decision.prompt  # then each option says which one it is of
        if not alternatives or len(head) + len(decision.prompt) < self.page.columns:
            head += f" {decision.prompt}"
        self.page.say(head, "head")
        facts = self._facts(decision, indices) if len(indices) <= question.MANY else ()
        self.page.lines(question.shown(decision, indices, self.page.columns, facts=facts))
        if decision.optional:
            self.page.say("  0  nothing", "dim")

    def _facts(self, decision: Any, indices: Sequence[int]) -> list[str]:
        """For each option what is printed on the card that it would make: it lies nowhere on the table."""
        view = self.match.view(decision.player)
        facts = []
        for option in map(decision.options.__getitem__, indices):
            picks = option.value.get("picks", {}).values() if isinstance(option.value, dict) else ()
            made = [p for p in picks if isinstance(p, str) and self.shape.cards.get(p, ("\n",))[0] in option.label]
            facts.append(printed_facts(view, self.shape, made[0]) if len(made) == 1 else "")
        return facts

    def _meant(self, line: str, decision: Any) -> list[int] | None:
        """The answer that a line means; None, after saying why, where it means none or several."""
        wanted = " ".join(line.lower().split())
        count = decision.count
        values = question.own_numbers(decision) or range(1, count + 1)
        if wanted.isascii() and wanted.isdigit():
            number = int(wanted) if len(wanted) < 10 else -1
            if number in values:
                return [values.index(number)]
            if number == 0 and decision.optional:
                return []
            there = question.spans([*([0] if decision.optional else ()), *values])
            self.page.say(f"There is no option {wanted}: type {there}, or help.")
            return None
        found = question.meant(wanted, decision)
        if not found and wanted in ("nothing", "decline") and decision.optional:
            return []
        if found and len({decision.options[i].label for i in found}) == 1:
            return found[:1]  # one of several that look alike: it makes no difference to who chooses
        if found:
            self._question(decision, found)
        else:
            self.page.say(f"No option holds `{line}`: type {question.spans(values)}, or help.")
        return None

    # ---- Commands

    def _obey(self, line: str, decision: Any) -> bool:
        """Carry out a command; False if the line is none, also where an option begins with the same word."""
        word, _, rest = line.removeprefix("/").partition(" ")
        if not line.startswith("/") and any(o.id.split(" ")[0] == word.lower() for o in decision.options):
            return False
        match word.lower():
            case "help" | "?":
                self._help()
            case "view":
                self.page.lines(draw(self.match.view(decision.player), self.shape, self.page.columns, self.names))
                self._question(decision, range(decision.count))
            case "log":
                most = int(rest) if rest.isascii() and rest.strip().isdigit() and len(rest) < 7 else 200
                self.page.lines(changes(self.match.log(decision.player), self.page.columns, most, decision.player))
            case "why":
                for told in self.told.why(rest, decision.player):
                    self.page.lines(("plain", part) for part in self._wrapped(told))
            case "card":
                for told in self.told.card(rest.strip()):
                    self.page.lines(("plain", part) for part in self._wrapped(told))
            case "undo":
                self._undo()
            case "save":
                self._save(rest.strip())
            case "quit" | "exit":
                raise Left
            case _:
                if line.startswith("/"):
                    self.page.say(f"There is no command {line}: type help.")
                    return True
                return False
        return True

    def _help(self) -> None:
        room = max(len(typed) for typed, _ in HELP) + 2
        self.page.say("Choose by the number of an option, or by words of it that no other option has.")
        for typed, does in HELP:
            lines = wrap(does.replace("{example}", self.told.why.example()), self.page.columns - room - 2)
            for i, line in enumerate(lines):
                self.page.say(f"  {typed if i == 0 else '':{room}}{line}")
        self.page.say("Where a command is called like an option, write /log.")

    def _undo(self) -> None:
        """Go back to the last choice of a human."""
        import card_runtime as rt

        try:
            self.match.undo()
            while self.match.decision is None or self.bots[self.match.decision.player] is not None:
                self.match.undo()
        except rt.IllegalChoice as error:
            self.page.say(f"{error}.")

    def _save(self, name: str) -> None:
        if not name:
            self.page.say("Say where to: save FILE.")
            return
        path = Path(name)
        try:
            path = path.expanduser()
            if path.exists() and not _saved(path):
                self.page.say(f"{path} was not written: it is there, and no saved match.")
                return
            beside = path.with_name(f".{path.name}.new")
            try:
                beside.write_text(self.match.to_json(), encoding="utf-8")
                os.replace(beside, path)
            finally:
                beside.unlink(missing_ok=True)
        except (OSError, ValueError, RuntimeError) as error:  # the last: nobody's home
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self.page.say(f"{path} was not written: {reason.lower()}.")
        else:
            self.page.say(f"Saved; go on with --resume {path}")

    def _wrapped(self, line: str) -> list[str]:
        """A line, made safe, in lines of the page; those after the first stand further in."""
        line = safe(line)
        bare = line.lstrip(" ")
        outer = " " * (len(line) - len(bare))
        first, *rest = wrap(bare, self.page.columns - len(outer), self.page.columns - len(outer) - 4)
        return [outer + first, *(f"{outer}    {more}" for more in rest)]


def _saved(path: Path) -> bool:
    """Whether a file may be replaced by a saved match: it is one, or empty."""
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else "0"
        return not text or bool({"build", "checksum"} <= json.loads(text).keys())
    except (ValueError, RecursionError, AttributeError):
        return False


def result_line(match: Any, seat: int | None = None) -> str:
    """How the match ended, with the scores, as `seat` reads it."""
    result = match.result
    how = "a tie" if result.winner is None else f"player {result.winner} wins"
    line = f"result: {how}" + (f" ({result.reason})" if result.reason else "")
    scores = [
        f"player {player}: {', '.join(f'{spaced(n)} {v}' for n, v in score.items())}"
        for player, score in enumerate(result.scores)
        if score
    ]
    return safe(as_seen("; ".join([line, *scores]), seat))


def introduction(
    view: Mapping[str, Any], title: str, seed: object, names: Sequence[str], columns: int, alone: int | None = None
) -> list[str]:
    """What is played, by whom, under which options, and how to play it again; `alone` is the seat of the one human."""
    who = [f"player {seat} is {name}" for seat, name in enumerate(names) if seat != alone]
    if alone is not None:
        who.insert(0, f"you are player {alone}")
    chosen = ", ".join(f"{spaced(name)} {spaced(said(value))}" for name, value in view["options"].items())
    lines = [f"{title}: {', '.join(who)}", f"seed {seed} (--seed {seed} plays the same match)"]
    if chosen:
        lines.append(f"options: {chosen}")
    shown = [wrap(safe(line), columns, columns - 4) for line in lines]
    return [part for first, *rest in shown for part in (first, *(f"    {more}" for more in rest))]
