"""What a command costs before it does anything: `cardc --version` and `cardc --help` against a bare Python."""

import subprocess
import sys
import tempfile
import time

from bytecode import environment

SAMPLES = 9
COMMANDS = {
    "bare Python": ["-c", "pass"],
    "cardc --version": ["-m", "cardc", "--version"],
    "cardc --help": ["-m", "cardc", "--help"],
    "import card_runtime": ["-c", "import card_runtime"],
}


def least(arguments: list[str], bytecode: str) -> float:
    """Seconds, of the quickest run; with their bytecode kept in a folder."""
    times = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment(bytecode))
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as bytecode:
        bare = least(COMMANDS["bare Python"], bytecode)
        for name, arguments in COMMANDS.items():
            taken = least(arguments, bytecode)
            print(f"{name:20} {taken * 1000:6.0f} ms   {taken / bare:.1f} times a bare Python")


if __name__ == "__main__":
    main()
