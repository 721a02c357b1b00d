"""`cardc deck`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cardc.cli.matches import Unbuilt, built, load, settings
from cardc.cli.options import PATH, base_option, quiet_option
from cardc.cli.output import Output, title_of_game
from cardc.package import UsageError


@click.group("deck")
def deck_command() -> None:
    """Work with decks that are kept in files.

    A deck file has a card a line, `3 cub`, `3x cub` or `cub`, and comments after `#` or `//`; a `.json` file has a list
    of ids, or an object with their counts. `cardc play` and `sim` take such files, too: `--deck 0=mine.txt`."""


@deck_command.command(
    "check", short_help="Say what is against the rules.", epilog="Example: cardc deck check mine.txt --for my_game"
)
@click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True)
@click.option(
    "--for", "path", metavar="GAME", type=PATH, default=".",
    help="The game, or the expansion with its --base; the current folder if not said.",
)  # fmt: skip
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="A rule left to the table.")
@base_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@quiet_option
def check(
    files: tuple[Path, ...], path: Path, options: tuple[str, ...], base: Path | None, format_: str, quiet: bool
) -> int:
    """Say which requirements of the game each deck breaks, in the game's words."""
    import card_runtime as rt

    from cardc.deckfile import read_deck
    from cardc.display import plural
    from cardc.report import near

    output = Output.of(format_, quiet)
    try:
        game = load(built(path, base, output))
    except Unbuilt:
        return 1
    if game.model.deck is None:
        raise UsageError(f"{title_of_game(game)} has no decks")
    known = [card.id for card in game.cards]
    titles = {card.title.lower(): card.id for card in game.cards}
    found: list[dict[str, Any]] = []
    for file in files:
        deck = read_deck(file)
        broken = [*deck.wrong]
        for card in dict.fromkeys(deck.cards):
            if card not in known:
                titled = titles.get(card.lower()) or titles.get(f"the {card.lower()}")
                hint = f"its id is `{titled}`" if titled else near(card, known)
                broken.append((deck.lines.get(card, 0), f"no card is called `{card}`" + (f": {hint}" if hint else "")))
        if not broken:
            try:
                broken = [(0, message) for message in game.check_deck(list(deck.cards), settings(options))]
            except rt.InputError as error:
                raise UsageError(str(error)) from None
        found.append(
            {
                "file": str(file),
                "cards": len(deck.cards),
                "broken": [{"line": line or None, "message": text} for line, text in sorted(broken)],
            }
        )
    if format_ == "json":
        print(json.dumps({"game": title_of_game(game), "decks": found}, indent=2, ensure_ascii=False))
    for deck_found in found:
        for one in deck_found["broken"]:
            place = f"{deck_found['file']}:{one['line']}" if one["line"] else deck_found["file"]
            output.say(f"{place}: {one['message']}")
        if not deck_found["broken"] and not output.quiet:
            cards = plural(deck_found["cards"], "card")
            output.say(f"{deck_found['file']}: {cards}, a legal deck of {title_of_game(game)}")
    return int(any(one["broken"] for one in found))
