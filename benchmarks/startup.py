"""What a command costs before it does anything: `cardc --version` and `cardc --help` against a bare Python."""

import subprocess
import sys
import time

SAMPLES = 9
COMMANDS = {
    "bare Python": ["-c", "pass"],
    "cardc --version": ["-m", "cardc", "--version"],
    "cardc --help": ["-m", "cardc", "--help"],
    "import card_runtime": ["-c", "import card_runtime"],
}


def least(arguments: list[str]) -> float:
    times = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    bare = least(COMMANDS["bare Python"])
    for name, arguments in COMMANDS.items():
        taken = least(arguments)
        print(f"{name:20} {taken * 1000:6.0f} ms   {taken / bare:.1f} times a bare Python")


if __name__ == "__main__":
    main()
