"""`cardc fmt`."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import click

from cardc.cli.options import PATH, quiet_option
from cardc.cli.output import Output, in_colour, page_width
from cardc.package import UsageError, find_packages, read_file, read_folder, write_file


@click.command("fmt")
@click.argument("paths", nargs=-1, type=PATH)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where a file is not in the canonical form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option(
    "--range", "lines", metavar="FIRST:LAST", help="Only the declarations that touch these lines of the one file named."
)
@quiet_option
def fmt_command(paths: tuple[Path, ...], check: bool, diff: bool, lines: str | None, quiet: bool) -> int:
    """Bring .card files into their canonical form: the files named, and those of the packages in folders named.

    `-` formats standard input to standard output. A file that does not parse stays as it is."""
    output = Output.of("text", quiet)
    wanted = _range(lines) if lines is not None else None
    if wanted is not None and (len(paths) != 1 or paths[0].is_dir()):
        raise UsageError("--range takes one file")
    if paths == (Path("-"),):
        text, bad = _formatted("(standard input)", sys.stdin.buffer.read(), wanted)
        if text is not None:
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()
        return int(bad)
    changed, failed, seen = 0, False, 0
    for path, data in _files(paths or (Path("."),)):
        seen += 1
        text, bad = _formatted(path.as_posix(), data, wanted)
        failed = failed or bad
        if text is None or text == data:
            continue
        changed += 1
        if diff:
            sys.stdout.write(_diff(path, data, text))
        elif check:
            print(f"would change {path}")
        else:
            write_file(path, text)
            output.note(f"changed {path}")
    verb = "would change" if check or diff else "changed"
    output.tell(f"{verb} {changed} of {seen} file{'s' if seen != 1 else ''}")
    return int(failed or ((check or diff) and changed > 0))


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition(":")
    if not (first.isdecimal() and (last or first).isdecimal()) or int(first) < 1 or int(last or first) < int(first):
        raise UsageError(f"--range takes FIRST:LAST, lines from 1, not {text}")
    return int(first), int(last or first)


def _files(paths: tuple[Path, ...]) -> list[tuple[Path, bytes]]:
    found: dict[Path, bytes] = {}
    for path in paths:
        if path.is_dir():
            files = _sources(path) or [source for package in find_packages(path) for source in _sources(package)]
            if not files:
                raise UsageError(f"{path} holds no .card file")
            found.update(files)
        elif not path.exists():
            raise UsageError(f"no such file or folder: {path}")
        else:
            found[path] = read_file(path)
    return list(found.items())


def _sources(folder: Path) -> list[tuple[Path, bytes]]:
    return [(folder / name, data) for name, data in read_folder(folder) if name.endswith(".card")]


def _formatted(path: str, data: bytes, lines: tuple[int, int] | None) -> tuple[bytes | None, bool]:
    """The canonical bytes, or None after findings on standard error; and whether there were any."""
    from cardc.formats import text
    from cardc.formatting import format_lines, format_text
    from cardc.read import decode

    source, findings = decode(path, data)
    result = None
    if source is not None:
        result, more = format_text(source) if lines is None else format_lines(source, *lines)
        findings = [*findings, *more]
    if findings:
        sys.stderr.write(text.render(findings, colour=in_colour() and sys.stderr.isatty(), columns=page_width()))
    if result is None:
        return None, True
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    return mark + result.encode(), False


def _diff(path: Path, old: bytes, new: bytes) -> str:
    a, b = (x.decode("utf-8").splitlines(keepends=True) for x in (old, new))
    lines = difflib.unified_diff(a, b, path.as_posix(), f"{path.as_posix()} (formatted)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
