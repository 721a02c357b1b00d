"""The command `cardc`. Nothing is imported before it is needed: `--version` is answered at once."""

from __future__ import annotations

import sys


def main(args: list[str] | None = None) -> int:
    """Run the command line `args` (default: that of the process) and return the exit status.

    0 done, 1 findings or failed tests, 2 wrong usage, 3 an internal error, 130 interrupted, 141 a closed pipe."""
    ended_by_this = args is None
    if ended_by_this:
        import gc

        gc.set_threshold(50_000)  # What is imported stays alive: to look through it again and again finds nothing.
    args = sys.argv[1:] if args is None else args
    if args == ["--version"]:
        from cardc import __version__

        try:
            print(f"cardc {__version__}", flush=True)
            return 0
        except OSError:
            pass  # `run` tries once more, and says what is wrong
    try:
        from cardc.cli.entry import run

        status = run(args)
        if ended_by_this:
            gc.freeze()  # Python need not look once more through all that is alive.
        return status
    except KeyboardInterrupt:  # before the command, or after its end
        print(file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
