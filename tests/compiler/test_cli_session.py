"""A match at a terminal: what typed lines do, and what is shown to whom."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace as NS
from typing import Any

import card_runtime as rt
import pytest
from cardc.cli.session import Page, Session, Told, introduction, result_line
from cardc.cli.table import Painted, Shape
from cardc.display import width

SHAPE = Shape("A Game", elements={"lanes": "lane"}, over={"number": "lanes"})
WORDS = ("play oracle lanes 0", "play oracle lanes 1", "play plague lanes 0", "log off")
LABELS = ("Play: the Oracle, lane 0", "Play: the Oracle, lane 1", "Play: the Plague, lane 0", "Log \x1boff")


class Match:
    """Seats choose in turn, `length` times; what was chosen is the state."""

    def __init__(
        self, length: int = 4, optional: bool = False, words: Iterable[str] = WORDS, labels: Sequence[str] = (),
        prompt: str = "Play / Log off",
    ) -> None:  # fmt: skip
        self.labels = labels or LABELS
        self.prompt = prompt
        self.length = length
        self.optional = optional
        self.words = tuple(words)
        self.chosen: list[list[int]] = []
        self._decision: Any = None

    @property
    def decision(self) -> Any:
        if len(self.chosen) == self.length:
            return None
        if self._decision is None:
            said = zip(self.words, self.labels, strict=False)
            options = tuple(NS(id=id, label=label, value=None) for id, label in said)
            self._decision = NS(
                player=len(self.chosen) % 2, prompt=self.prompt, options=options, count=len(options),
                optional=self.optional,
            )  # fmt: skip
        return self._decision

    def choose(self, answer: list[int]) -> None:
        self.chosen.append(answer)
        self._decision = None

    def undo(self) -> None:
        if not self.chosen:
            raise rt.IllegalChoice("there is nothing to undo: no choice was made yet")
        self.chosen.pop()
        self._decision = None

    def log(self, seat: int | None) -> list[dict[str, Any]]:
        return [
            {"n": n, "text": f"seat {(n - 1) % 2} chose {c if seat in (None, (n - 1) % 2) else 'in secret'}"}
            for n, c in enumerate(self.chosen, 1)
        ]

    def view(self, seat: int | None) -> dict[str, Any]:
        card = {"tag": "#1", "card": "oracle", "name": "the Oracle", "kind": "unit", "owner": 0, "face_up": True}
        hidden = {"tag": "#2", "hidden": True, "owner": 1}
        shown = {**card, "tag": "#2", "card": "plague", "name": "the Plague"}
        units = {"count": 2, "cards": [card, shown if seat is None else hidden]}
        return {
            "seat": seat, "turn": 0, "periods": {}, "state": {}, "values": {"number": {"0": 4}},
            "options": {"long": True},
            "players": [{"seat": s, "fields": {}} for s in (0, 1)],
            "zones": {"hand": [{"count": 1}, {"count": 1}]},
            "boards": {"lanes": [{"fields": {}, "parts": {"units": units}}] * 2},
        }  # fmt: skip

    def to_json(self) -> str:
        return "saved"

    @property
    def result(self) -> Any:
        return NS(winner=1, reason="Damage", scores=({"damage": 2}, {}))


class Why:
    """Repeats what was asked."""

    def __call__(self, asked: str, seat: int) -> list[str]:
        return [f"{asked} for {seat}", "  because \x1b " + "x" * 90]

    def example(self) -> str:
        return "why power NAME"


def play(
    lines: Iterable[str], match: Match | None = None, humans: tuple[int, ...] = (0,), colour: bool = False,
    rows: int | None = None,
) -> tuple[Match, str, bool]:  # fmt: skip
    """Play with lines that are typed; the end of input follows them."""
    match = match or Match()
    shown: list[str] = []
    typed = iter(lines)

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        shown.append(f"{prompt}{'<end>' if line is None else line}\n")
        return line

    bots = [None if seat in humans else (lambda decision: [3]) for seat in (0, 1)]
    names = ["human" if seat in humans else "random" for seat in (0, 1)]
    page = Page(shown.append, read, columns=80, rows=rows, colour=colour, terminal=colour)
    ended = Session(match, SHAPE, bots, names, page, Told(Why(), lambda asked: [f"{asked} is a card"])).run()
    return match, "".join(shown), ended


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("1", [0]),
        ("03", [2]),
        ("play plague", [2]),
        ("PLAY  Plague  lanes 0", [2]),
        ("play oracle lanes 1", [1]),
        ("plague", [2]),
        ("the plague", [2]),
        ("log", [3]),
        ("log off", [3]),
    ],
)
def test_an_option_by_number_by_its_beginning_or_by_a_part_of_it(line: str, means: list[int]) -> None:
    match, _, _ = play([line])
    assert match.chosen == [means, [3]]


@pytest.mark.parametrize("line", ["0", "5", "9" * 30, "play", "oracle", "zzz", "", "-1", "nothing", "¹"])
def test_what_means_no_option_or_several_is_asked_again(line: str) -> None:
    match, shown, ended = play([line, "2"])
    assert match.chosen[0] == [1]
    assert not ended
    if line == "play":
        assert shown.count("  3  Play: the Plague, lane 0\n") == 3
    if line == "oracle":
        again = shown.split("> oracle\n")[1].split("> 2")[0]
        assert "  2  Play: the Oracle, lane 1\n" in again and "Plague" not in again
    if line in ("zzz", "¹"):
        assert f"No option holds `{line}`" in shown


@pytest.mark.parametrize("line", ["0", "nothing", "decline"])
def test_declining(line: str) -> None:
    match, shown, _ = play([line], Match(optional=True))
    assert match.chosen[0] == []
    assert "  0  nothing\n" in shown


def test_a_whole_match_against_a_bot() -> None:
    match, shown, ended = play(["1", "2"])
    assert ended and match.chosen == [[0], [3], [1], [3]]
    assert shown.count("You choose: Play / Log off\n") == 2
    assert "What happened:\n  seat 0 chose [0]\n  seat 1 chose in secret\n" in shown
    assert "  seat 0 chose [1]\n" in shown.split("> 2\n")[1]
    assert "the Plague (" not in shown and "\x1b" not in shown


def test_on_a_low_page_boards_stand_next_to_the_question() -> None:
    for rows, last in ((None, False), (50, False), (24, True)):
        _, shown, _ = play([], rows=rows)
        table = shown[: shown.index("You choose:")]
        assert (table.index("\nYou:") < table.index("lane 0")) == last


def test_bots_alone_tell_the_course_once_and_then_the_table() -> None:
    match, shown, ended = play([], Match(100), humans=())
    assert ended and len(match.chosen) == 100
    assert shown.count("seat 0 chose [3]") == shown.count("seat 1 chose [3]") == 50
    course, _, table = shown.partition("\n\n")
    assert "lane" not in course and "lane 0" in table and "chose" not in table


def test_what_bots_do_in_a_period_stands_further_in_wherever_it_is_told_in_pieces() -> None:
    class Turns(Match):
        def log(self, seat: int | None) -> list[dict[str, Any]]:
            records = [{**record, "n": record["n"] + 1} for record in super().log(seat)]
            return [{"n": 1, "kind": "period", "text": "Turn 1"}, *records]

    _, shown, _ = play([], Turns(40), humans=())
    course = shown.partition("\n\n")[0].splitlines()
    assert course[0] == "  Turn 1" and len(course) == 41
    assert all(line.startswith("    seat") for line in course[1:])


def test_the_end_of_input_and_quitting() -> None:
    for lines in ([], ["1"], ["quit"], ["/quit"], ["exit"]):
        _, _, ended = play(lines)
        assert not ended


def test_undo_goes_back_to_ones_own_choice() -> None:
    match, shown, _ = play(["1", "undo", "3", "quit"])
    assert match.chosen == [[2], [3]]
    match, shown, _ = play(["undo", "1", "quit"])
    assert "there is nothing to undo: no choice was made yet." in shown
    assert match.chosen == [[0], [3]]


def test_commands(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    _, shown, _ = play(
        ["1", "/log", f"save {path}", "save", f"save {tmp_path}/no/where", "view", "help", "?", "/nonsense", "quit"]
    )
    after = shown.split("> /log\n")[1]
    assert after.startswith("  seat 0 chose [0]\n  seat 1 chose in secret\n> save ")
    assert path.read_text() == "saved"
    assert [p.name for p in tmp_path.iterdir()] == ["match.json"]
    assert "Say where to" in after and "was not written: no such file" in after
    assert after.split("> view\n")[1].startswith("A Game  your turn\n")
    assert after.count("save FILE      keep the match") == 2
    assert "There is no command /nonsense" in after


@pytest.mark.parametrize("name", [".", "/", "~nobody-of-that-name/x", "..", "\0"])
def test_where_no_match_can_be_saved_the_match_goes_on(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    match, shown, _ = play([f"save {name}", "1"])
    assert "was not written" in shown.split("> save")[1] and match.chosen[0] == [0]
    assert not list(tmp_path.iterdir())


def test_only_a_saved_match_is_saved_over(tmp_path: Path) -> None:
    path = tmp_path / "game.card"
    for text, written in (("card x {}", False), ("[1]", False), ("", True), ('{"build":"", "checksum":""}', True)):
        path.write_text(text)
        _, shown, _ = play([f"save {path}"])
        assert path.read_text() == ("saved" if written else text)
        assert (f"{path} was not written: it is there, and no saved match." in shown) != written


def test_why_is_answered_to_who_asks() -> None:
    _, shown, _ = play(["why number lane 2", "1", "help", "quit"], humans=(0,))
    assert "number lane 2 for 0\n  because ␛\n      xxx" in shown
    assert max(map(len, shown.splitlines())) < 100
    assert "(why power NAME)" in shown


def test_two_humans_hand_the_screen_over() -> None:
    match, shown, ended = play(["", "1", "", "2", "", "3", "", "log", "quit"], Match(9), humans=(0, 1), colour=True)
    assert match.chosen == [[0], [1], [2], [3]]
    assert not ended
    clear = "\x1b[2J\x1b[3J\x1b[H"
    first, second = shown.split(clear)[1:3]
    assert "Player 0 chooses" in first and "seat 0 chose" not in first
    assert second.startswith("Player 1, it is your turn: press Enter")
    assert "seat 0 chose in secret" in shown.split(clear)[3] and "seat 0 chose [0]" not in shown.split(clear)[3]
    _, plain, _ = play(["", "1", ""], Match(9), humans=(0, 1))
    assert "\x1b" not in plain and "\n" * 50 in plain


def test_the_end_of_input_at_the_hand_over() -> None:
    _, _, ended = play([], humans=(0, 1))
    assert not ended


def test_only_the_page_colours() -> None:
    _, plain, _ = play(["1"])
    _, coloured, _ = play(["1"], colour=True)
    assert "\x1b" not in plain
    assert "\x1b[1m" in coloured and "␛off" in coloured


def test_pieces_of_a_line_have_colours_of_their_own() -> None:
    line = Painted.of([("dim", "| "), ("you", "mine"), ("plain", " and "), ("them", "theirs"), ("plain", "  ")], 60)
    for colour, wanted in (
        (False, "| mine and theirs\n"),
        (True, "\x1b[2m| \x1b[0m\x1b[36mmine\x1b[0m and \x1b[33mtheirs\x1b[0m\n"),
    ):
        written: list[str] = []
        Page(written.append, lambda _: None, colour=colour).lines([("plain", line)])
        assert written == [wanted]


def test_first_and_last_lines() -> None:
    assert introduction(Match().view(None), "A Game 1.0", 7, ["human", "random"], 200, 0) == [
        "A Game 1.0: you are player 0, player 1 is random",
        "seed 7 (--seed 7 plays the same match)",
        "options: long true",
    ]
    assert introduction(Match().view(None), "A Game", 7, ["human", "random"], 30, 0)[:3] == [
        "A Game: you are player 0,", "    player 1 is random", "seed 7 (--seed 7 plays the",
    ]  # fmt: skip
    assert introduction(Match().view(None), "A Game 1.0", 7, ["human", "human"], 200)[0] == (
        "A Game 1.0: player 0 is human, player 1 is human"
    )
    assert result_line(Match()) == "result: player 1 wins (Damage); player 0: damage 2"
    assert result_line(Match(), 0) == "result: player 1 wins (Damage); you: damage 2"
    assert result_line(Match(), 1) == "result: you win (Damage); player 0: damage 2"
    tie = NS(result=NS(winner=None, reason="", scores=({}, {})))
    assert result_line(tie) == "result: a tie"


def test_the_help_fits_the_page() -> None:
    _, shown, _ = play(["help"])
    told = shown.split("> help\n")[1].split("> <end>")[0].splitlines()
    assert told[0].startswith("Choose by") and len(told) > 8
    assert all(width(line) <= 80 for line in told)


def test_options_that_look_alike_need_no_number() -> None:
    match, _, _ = play(["play the plague"], Match(labels=["Play: the Plague", "Play: the Plague", "Log off", "Rest"]))
    assert match.chosen[0] == [0]


def test_a_number_is_typed_as_it_is() -> None:
    bid = {"words": ["bid 0", "bid 1", "bid 2"], "labels": ["Bid: 0", "Bid: 1", "Bid: 2"], "prompt": "Bid"}
    for line, means in (("0", 0), ("2", 2), ("bid 1", 1)):
        match, shown, _ = play([line], Match(1, **bid))
        assert match.chosen == [[means]] and "You choose: Bid\n  0 to 2\n" in shown
    match, shown, _ = play(["3", "x"], Match(1, **bid))
    assert not match.chosen
    assert "There is no option 3: type 0 to 2, or help." in shown and "type 0 to 2, or help." in shown.split("> x")[1]


def test_a_long_question_is_left_out_where_the_options_say_it() -> None:
    prompt = " / ".join(f"Do something that is number {i}" for i in range(4))
    _, shown, _ = play([], Match(prompt=prompt))
    assert "You choose:\n" in shown and prompt not in shown


def test_what_is_written_on_a_card() -> None:
    _, shown, _ = play(["card the Plague", "/card"])
    assert "> card the Plague\nthe Plague is a card\n" in shown and "> /card\n is a card\n" in shown
