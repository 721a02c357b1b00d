"""A match at a terminal: who is asked, what is shown to whom, and what the typed lines mean.

Knows the match only through the public API of `card_runtime` and the terminal only through a `Page`, so tests can play.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cardc.cli.table import Line, Painted, Shape, Style, changes, draw, options, places, spaced
from cardc.display import safe, wrap

if TYPE_CHECKING:
    from card_runtime.decision import Decision

Bot: TypeAlias = Callable[["Decision"], object]

HELP = """\
Choose by typing the number of an option, or the beginning of its words (`play oracle`) or any part that only it has.
  0 or nothing      decline, where that is allowed
  view              draw the table again
  log               what happened so far, as far as you may know it
  why NAME WHAT     how a number came about: why number lanes 2
  undo              take back your last choice
  save FILE         keep the match in a file; cardc play … --resume FILE goes on with it
  help, quit
Where a command is called like an option, write /log."""
_COLOURS: Mapping[Style, str] = {"head": "1", "you": "36", "them": "33", "dim": "2"}
_DETERMINISED = 4
"""How many guesses at the hidden cards must agree before `why` tells."""


@dataclass(frozen=True, slots=True)
class Page:
    """Where the match is shown. `read` gives the next line, None at the end of input; `clear` empties the screen."""

    write: Callable[[str], object]
    read: Callable[[str], str | None]
    columns: int = 80
    colour: bool = False
    terminal: bool = False

    def lines(self, lines: Iterable[Line]) -> None:
        for line in lines:
            pieces = line[1].pieces if isinstance(line[1], Painted) else (line,)
            self.write("".join(self._painted(*piece) for piece in pieces) + "\n")

    def _painted(self, style: Style, text: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour and style in _COLOURS and text else text

    def say(self, text: str, style: Style = "plain") -> None:
        """Write text of several lines, made safe."""
        self.lines((style, safe(line)) for line in text.split("\n"))

    def clear(self) -> None:
        """Take everything off the screen, also what scrolled out of it."""
        self.write("\x1b[2J\x1b[3J\x1b[H" if self.terminal else "\n" * 60)


class Left(Exception):
    """The humans leave: they said so, or the input ended."""


class Session:
    """One match between humans (bot None) and bots, a seat each."""

    def __init__(self, match: Any, shape: Shape, bots: Sequence[Bot | None], names: Sequence[str], page: Page) -> None:
        self.match = match
        self.shape = shape
        self.bots = bots
        self.names = names
        self.page = page
        self.humans = [seat for seat, bot in enumerate(bots) if bot is None]
        self._seen: dict[int | None, int] = {}
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
        self.page.lines(changes(self._new(seat), self.page.columns, most=10**9))

    def _show(self, seat: int | None) -> None:
        new = changes(self._new(seat), self.page.columns)
        if new:
            self.page.lines([("head", "What happened:"), *new, ("plain", "")])
        self.page.lines(draw(self.match.view(seat), self.shape, self.page.columns, self.names))

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
        self.page.say(f"{who} choose{'s' * (who != 'You')}: {decision.prompt}", "head")
        labels = [decision.options[i].label for i in indices]
        self.page.lines(options(labels, [i + 1 for i in indices], self.page.columns))
        if decision.optional:
            self.page.say("  0  nothing", "dim")

    def _meant(self, line: str, decision: Any) -> list[int] | None:
        """The answer that a line means; None, after saying why, where it means none or several."""
        wanted = " ".join(line.lower().split())
        count = decision.count
        if wanted.isascii() and wanted.isdigit():
            number = int(wanted) if len(wanted) < 10 else count + 1
            if 1 <= number <= count:
                return [number - 1]
            if number == 0 and decision.optional:
                return []
            least = 0 if decision.optional else 1
            self.page.say(f"There is no option {wanted}: type {least} to {count}, or help.")
            return None
        ids = [option.id.lower() for option in decision.options]
        if wanted in ids:
            return [ids.index(wanted)]
        found = [i for i in range(count) if ids[i].startswith(wanted)]
        if not found:
            labels = [option.label.lower() for option in decision.options]
            found = [i for i in range(count) if wanted in ids[i] or wanted in labels[i]]
        if not found and wanted in ("nothing", "decline") and decision.optional:
            return []
        if len(found) == 1:
            return found
        if found:
            self._question(decision, found)
        else:
            self.page.say(f"No option holds `{line}`: type 1 to {count}, or help.")
        return None

    # ---- Commands

    def _obey(self, line: str, decision: Any) -> bool:
        """Carry out a command; False if the line is none, also where an option begins with the same word."""
        word, _, rest = line.removeprefix("/").partition(" ")
        if not line.startswith("/") and any(o.id.split(" ")[0] == word.lower() for o in decision.options):
            return False
        match word.lower():
            case "help" | "?":
                self.page.say(HELP)
            case "view":
                self.page.lines(draw(self.match.view(decision.player), self.shape, self.page.columns, self.names))
                self._question(decision, range(decision.count))
            case "log":
                self.page.lines(changes(self.match.log(decision.player), self.page.columns, most=200))
            case "why":
                self._why(rest, decision.player)
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
        path = Path(name).expanduser()
        beside = path.with_name(f".{path.name}.new")
        try:
            beside.write_text(self.match.to_json(), encoding="utf-8")
            os.replace(beside, path)
        except (OSError, ValueError) as error:
            beside.unlink(missing_ok=True)
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self.page.say(f"{path} was not written: {reason.lower()}.")
        else:
            self.page.say(f"Saved; go on with --resume {path}")

    def _why(self, text: str, seat: int) -> None:
        """Tell how a value came about, as far as the seat can know it.

        The real match is not asked: where several guesses at what is hidden agree, nothing hidden took part."""
        import card_runtime as rt

        name, *args = arguments(text, {*self.shape.elements, *self.shape.elements.values(), "player"})
        if not name:
            self.page.say("Say what: why NAME WHAT, for example: why number lanes 2")
            return
        told = set()
        for seed in range(_DETERMINISED):
            guess = self.match.determinise(seat, seed=seed)
            seen = seen_cards(guess.view(seat), guess.view(None))
            try:
                tags = [self._card(arg, seen) for arg in args]
                told.add("\n".join(explained(name, args, guess.why(name, *tags))))
            except rt.InputError as error:
                told.add(f"{error}.")
        self.page.say(told.pop() if len(told) == 1 else f"{spaced(name)}: that depends on what you cannot see.")

    @staticmethod
    def _card(word: str, seen: Mapping[str, Sequence[str]]) -> str:
        """The tag of a card that is named by its id, with `#2` where several such cards are seen; else the word."""
        import card_runtime as rt

        name, _, number = word.partition("#")
        tags = seen.get(name.lower(), ())
        if not number and len(tags) > 1:
            several = f"{name}#1 to {name}#{len(tags)}, in the order of the table"
            raise rt.InputError(f"{name} is {len(tags)} cards: say {several}")
        if not tags or (number and not (number.isdigit() and 1 <= int(number) <= len(tags))):
            return word
        return tags[int(number or 1) - 1]


def seen_cards(view: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, list[str]]:
    """The tags that `whole` gives to the cards that `view` shows, by their ids, in the order of the table."""
    found: dict[str, list[str]] = {}
    for mine, all_of_it in zip(places(view), places(whole), strict=True):
        cards = mine.get("cards", ())
        if len(cards) == mine["count"]:
            for card, same in zip(cards, all_of_it.get("cards", ()), strict=True):
                if "card" in card:
                    found.setdefault(card["card"], []).append(same["tag"])
    return found


def arguments(text: str, prefixes: set[str]) -> list[str]:
    """Read `number lanes 2`, `number(lanes[2])`, `strength player 1, lane 0` as a name and its arguments."""
    words = re.sub(r"[(),]", " ", text).split()
    read: list[str] = []
    for i, word in enumerate(words):
        if i > 1 and word.isdigit() and words[i - 1] in prefixes:
            read[-1] += f" {word}"
        else:
            read.append(word)
    return read or [""]


def explained(name: str, args: Sequence[str], steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """The steps of a value, a line each: what it was after it, by what, and where that is written."""
    call = f"{name}({', '.join(args)})" if args else name
    lines = [f"{call} is {_value(steps[-1]['after'])}"]
    for step in steps:
        by = "" if step["op"] in ("base", "range") else f" ({step['op']})"
        lines.append(f"  {_value(step['after']):>6}  {step['what']}{by}  {step['file']}:{step['line']}")
    return lines


def _value(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def result_line(match: Any) -> str:
    """How the match ended, with the scores."""
    result = match.result
    how = "a tie" if result.winner is None else f"player {result.winner} wins"
    line = f"result: {how}" + (f" ({result.reason})" if result.reason else "")
    scores = [
        f"player {seat} {', '.join(f'{spaced(n)} {v}' for n, v in score.items())}"
        for seat, score in enumerate(result.scores)
        if score
    ]
    return "; ".join([line, *scores])


def introduction(view: Mapping[str, Any], title: str, seed: object, names: Sequence[str], columns: int) -> list[str]:
    """What is played, by whom, under which options, and how to play it again."""
    who = ", ".join(f"player {seat} is {name}" for seat, name in enumerate(names))
    chosen = ", ".join(f"{name} {_value(value)}" for name, value in view["options"].items())
    lines = [f"{title}, seed {seed} (--seed {seed} plays the same match): {who}"]
    if chosen:
        lines.append(f"options: {chosen}")
    return [part for line in lines for part in wrap(safe(line), columns)]
