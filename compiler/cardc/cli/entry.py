"""From the arguments of the process to a command, and from whatever happens there to an exit status."""

from __future__ import annotations

import errno
import io
import os
import sys

import click

from cardc import __version__

# Name: what it does, and an example. The module `cardc.cli.NAME` holds the command, under the name `command`.
_COMMANDS = {
    "new": ("Begin a game, or an expansion of one.", "cardc new tower"),
    "check": ("Say what is wrong with a game or an expansion.", "cardc check my_game"),
    "build": ("Check it and write the package that runs.", "cardc build my_game -o build/my_game"),
    "test": ("Run its tests.", "cardc test my_game --rules my_game/RULES.md"),
    "play": ("Play it on this terminal.", "cardc play my_game --seed 7"),
    "sim": ("Play it many times and count the results.", "cardc sim my_game -n 1000 --seed 1"),
    "deck": ("Check decks against the rules of a game.", "cardc deck check mine.txt --for my_game"),
    "lock": ("Keep the ids of a release for ever.", "cardc lock my_game"),
    "diff": ("Say what changed between two versions, and what that breaks.", "cardc diff git:HEAD my_game --breaking"),
    "lint": ("Say what is probably not meant.", "cardc lint my_game --strict"),
    "fmt": ("Bring its files into their canonical form.", "cardc fmt my_game --check"),
    "import": (
        "Write cards from a table.",
        "cardc import cards.csv --for my_game --map cards.toml",
    ),
    "explain": ("Explain a finding, or what a card does.", "cardc explain E001; cardc explain my_game my_card"),
    "ast": ("Write a file's syntax tree as JSON.", "cardc ast my_game/frame.card"),
}
# The module of `cardc.cli` where it is not called like the command.
_MODULES = {"check": "build", "test": "tests", "import": "importing"}

_DISK = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EIO})
"""What the system says of a file that is open already."""


class _Commands(click.Group):
    """The commands, each imported only when it is called; their list needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        from importlib import import_module

        module = import_module(f"cardc.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        command.epilog = f"Example: {_COMMANDS[cmd_name][1]}"
        command.short_help = _COMMANDS[cmd_name][0]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], _COMMANDS, n=1)
            ctx.fail(f"no command is called {args[0]}" + (f": did you mean {near[0]}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (does, _) in _COMMANDS.items()])
        with formatter.section("Examples"):
            for _, example in _COMMANDS.values():
                formatter.write(f"{' ' * formatter.current_indent}{example}\n")


@click.command(
    cls=_Commands,
    epilog="Exit status: 0 done, 1 findings or failed tests, 2 wrong usage, 3 an internal error.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="cardc %(version)s")
def cardc() -> None:
    """Make card games from .card files: check, build, test and play them.

    `cardc COMMAND --help` tells what a command takes."""


def run(args: list[str]) -> int:
    """Run a command and return its exit status; no exception leaves this but those of the interpreter's end."""
    _stand_in()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(args)
        sys.stdout.flush()
        return status
    except (KeyboardInterrupt, click.Abort):
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read has gone. Python flushes once more at its end, into nothing.
        if isinstance(sys.stdout, io.TextIOWrapper):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if isinstance(error, OSError) and (error.filename is not None or error.errno in _DISK):
            return _stopped(error)
        return _internal_error(error, args)


def _stand_in() -> None:
    """Let streams that are closed (`cardc … >&-`) read and write nothing: Python has none then, and whatever file is
    opened first would get what is meant for them."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)  # the least free number, which mostly is that of the stream
            setattr(sys, name, open(nothing, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115


def _stopped(error: OSError) -> int:
    """The system refused something: a file, or room for what was to be said."""
    if error.filename is None:
        _discard(sys.stdout)
    what = "the output" if error.filename is None else error.filename
    return _refuse(f"cardc: cannot use {what}: {(error.strerror or type(error).__name__).lower()}")


def _discard(stream: object) -> None:
    """Let a stream that takes nothing any more write into nothing: Python flushes it once more at its end."""
    if isinstance(stream, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(args: list[str]) -> int:
    try:
        with cardc.make_context("cardc", args) as context:
            status = cardc.invoke(context)
            return status if isinstance(status, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "cardc"
        return _refuse(f"{command}: {error.format_message().rstrip('.')} (see {command} --help)")
    except click.ClickException as error:
        return _refuse(f"cardc: {error.format_message()}")
    except Exception as error:
        from cardc.package import UsageError

        if isinstance(error, UsageError):
            return _refuse(f"cardc: {error}")
        raise


def _refuse(why: str) -> int:
    from cardc.cli.output import complain

    try:
        complain(why)
    except OSError:  # nobody can be told
        _discard(sys.stderr)
    return 2


def _internal_error(error: Exception, args: list[str]) -> int:
    """A bug: one line for the user, the rest in a file to send."""
    import platform
    import tempfile
    import traceback

    from cardc.cli.output import complain

    said = str(error).strip().splitlines() or [""]
    line = f"internal error: {type(error).__name__}: {said[0]}".rstrip(": ")
    report = "\n".join(
        [
            f"cardc {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"arguments: {args!r}",
            f"folder: {os.getcwd()!r}",
            "",
            "".join(traceback.format_exception(error)),
        ]
    )
    try:
        handle, path = tempfile.mkstemp(prefix="cardc-report-", suffix=".txt")
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
    except OSError:
        complain(f"{line} (a report could not be written)")
    else:
        complain(f"{line} (this is a bug of cardc; a report to send is in {path})")
    return 3
