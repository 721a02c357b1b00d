"""Options that several commands take, declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])

PATH = click.Path(path_type=Path, readable=False)
"""Whether a path can be read is found, and told, by whoever reads it."""


def path_argument(default: str | None = ".") -> Callable[[_F], _F]:
    return click.argument("path", type=PATH, default=default, required=default is None)


def base_option(function: _F) -> _F:
    return click.option(
        "--base", metavar="DIR", type=PATH, help="The game that an expansion builds on."
    )(function)


def quiet_option(function: _F) -> _F:
    return click.option("-q", "--quiet", is_flag=True, help="Print nothing but findings.")(function)


def format_option(function: _F) -> _F:
    return click.option(
        "--format", "format_", type=click.Choice(["text", "json", "github", "gitlab", "sarif", "junit"]),
        default="text", show_default=True,
        help="How findings and results are printed.",
    )(function)


def strict_option(function: _F) -> _F:
    return click.option("--strict", is_flag=True, help="Let warnings fail the command too.")(function)


def fix_options(function: _F) -> _F:
    for option in (
        click.option("--unsafe-fixes", is_flag=True, help="Mend also what can be meant in another way."),
        click.option("--fix", is_flag=True, help="Mend in the files what can be meant in one way only."),
    ):
        function = option(function)
    return function


def watch_option(function: _F) -> _F:
    return click.option("--watch", is_flag=True, help="Run again whenever the sources change, until Ctrl-C.")(function)


def match_options(function: _F) -> _F:
    """`--seed --option --deck --bot`: how a match begins and who plays it."""
    for option in (
        click.option(
            "--bot", "bots", metavar="SEAT=NAME", multiple=True, help="Who plays a seat, 0 or 1; may be given twice."
        ),
        click.option(
            "--deck", "decks", metavar="SEAT=NAME", multiple=True,
            help="The deck of a seat: a decklist's name, or a file (see `cardc deck --help`).",
        ),
        click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="A rule left to the table."),
        click.option("--seed", type=int, metavar="N", help="What chance grows from: the same seed, the same match."),
    ):
        function = option(function)
    return function
