"""`cardc play`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import click

from cardc.cli.matches import SEATS, Unbuilt, asked, beginning, built, by_seat, load
from cardc.cli.options import PATH, base_option, match_options, path_argument, quiet_option
from cardc.cli.output import Output, complain, in_colour, moves_cursor, page_height, page_width, title_of_game
from cardc.cli.session import Bot, Page, Session, Told, introduction, result_line
from cardc.display import wrap
from cardc.package import UsageError, read_file

HUMAN = "human"
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//.*')
_GOES_ON = 4
"""How many lines of a source are told at most."""


@click.command("play")
@path_argument()
@match_options
@click.option(
    "--resume", metavar="FILE", type=PATH, help="Go on with a match that `save` has kept."
)
@base_option
@quiet_option
def play_command(
    path: Path, seed: int | None, options: tuple[str, ...], decks: tuple[str, ...], bots: tuple[str, ...],
    resume: Path | None, base: Path | None, quiet: bool,
) -> int:
    """Play the game in PATH (a folder, or a built game) on this terminal: you in seat 0 against a bot.

    Where there is no terminal two bots play, and the course of the match is printed, and how the table looks at its
    end. --bot 1=human is for two
    players at one screen. While playing, type help."""
    import card_runtime as rt

    players = _players(by_seat("--bot", bots), sys.stdin.isatty())
    settings = asked(options, decks)
    try:
        game = load(built(path, base, Output.of(quiet=True)))
    except Unbuilt:
        return 1
    try:
        if resume is not None:
            if seed is not None or options or decks:
                raise UsageError("--resume goes on with a match as it is; --seed, --option, --deck are for a new one")
            match = game.restore(_read(resume))
        else:
            match = game.start(**_start(game, seed, settings))
    except rt.SaveError as error:
        raise UsageError(f"{resume}: {error}") from None
    except rt.InputError as error:
        raise UsageError(str(error)) from None
    return _play(game, match, players, quiet)


def _play(game: Any, match: Any, players: list[str], quiet: bool) -> int:
    import card_runtime as rt
    from card_runtime.bots import bot

    from cardc.cli.cardtext import CardText
    from cardc.cli.table import Shape
    from cardc.cli.why import Why

    record = match.record
    seed = record.get("seed")
    done = len(record["choices"])
    try:
        made: list[Bot | None] = [
            None if name == HUMAN else bot(name, match, f"{seed}/{seat}/{done}") for seat, name in enumerate(players)
        ]
    except rt.InputError as error:
        raise UsageError(str(error)) from None
    silent = quiet and HUMAN not in players
    page = Page(
        write=(lambda text: None) if silent else sys.stdout.write,
        read=_line,
        columns=min(page_width(), 120),
        rows=page_height(),
        colour=in_colour(),
        terminal=moves_cursor(),
    )
    alone = players.index(HUMAN) if players.count(HUMAN) == 1 else None
    title = title_of_game(game)
    page.lines(("dim", line) for line in introduction(match.view(None), title, seed, players, page.columns, alone))
    if done:
        page.say(f"The match goes on after {done} choices.", "dim")
    if HUMAN in players:
        page.say("Type help for what can be typed.", "dim")
        if sys.stdin.isatty():
            import readline  # noqa: F401  (lines can be edited and called back)
    try:
        lines = source_lines(game.folders)
        told = Told(Why(match, source_line(lines)), CardText(game.model.cards, lines))
        ended = Session(match, Shape.of(game.model), made, players, page, told).run()
    except rt.CardError as error:
        complain(f"cardc: the match with seed {seed} cannot go on: {error}")
        return 1
    except KeyboardInterrupt:
        print(f"\nleft before the end; the seed was {seed}")
        return 130
    last = result_line(match, alone) if ended else f"left before the end; the seed was {seed}"
    print("\n    ".join(wrap(last, page.columns, page.columns - 4)) if page.rows else last)
    return 0


def _players(named: dict[int, str], terminal: bool) -> list[str]:
    from card_runtime.bots import NAMES

    players = [HUMAN if terminal else "random", "random"]
    for seat, name in named.items():
        if name not in (HUMAN, *NAMES):
            raise UsageError(f"no bot is called {name}: there are {', '.join(NAMES)}, and {HUMAN}")
        players[seat] = name
    return players[:SEATS]


def _start(game: Any, seed: int | None, settings: tuple[dict[str, Any], dict[int, str]]) -> dict[str, Any]:
    if seed is None:
        import secrets

        seed = secrets.randbelow(1_000_000)
    return {"seed": seed, **beginning(game, *settings)}


def _read(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {path}: it is no saved match") from None


def source_lines(folders: Mapping[str, Path]) -> Callable[[str], Sequence[str]]:
    """Gives the lines of the sources that built packages hold. `folders`: see `Game.folders`."""

    @cache
    def texts() -> dict[str, list[str]]:
        import card_runtime as rt
        from card_runtime.package import read_package, sources

        found: dict[str, list[str]] = {}
        for root, folder in folders.items():
            # A package that was built again, or is gone: places are named without their text.
            with suppress(rt.LoadError):
                for path, text in sources(read_package(folder)[1]):
                    found[root + path] = text.decode("utf-8-sig", "replace").splitlines()
        return found

    return lambda file: texts().get(file, ())


def source_line(lines: Callable[[str], Sequence[str]]) -> Callable[[str, int], str | None]:
    """Gives one line of a source, without comments, and those further in that go on with it."""

    def text(file: str, line: int) -> str | None:
        found = lines(file)[line - 1 :] if line > 0 else ()
        if not found:
            return None
        first, *rest = (_COMMENT.sub(lambda m: m[1] or "", text).rstrip() for text in found[: _GOES_ON + 1])
        said = [first.strip()]
        deep = len(first) - len(first.lstrip())
        for more in rest:
            if said[-1].endswith("{") or len(more) - len(more.lstrip()) <= deep:
                break
            said.append(more.strip() if len(said) < _GOES_ON else "…")
        return " ".join(said)

    return text


def _line(prompt: str) -> str | None:
    """The next line of input; None at its end."""
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
