"""Other libraries beside this one: `make peers`.

Makes an environment of its own, `.venv-peers`, builds the games that are measured, and runs `measure.py` there, so all
of it runs under one Python. What is not to be had here is said, and left out.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = ROOT / ".venv-peers"
PYTHON = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
NEEDED = (3, 12)
"""What gym-locm needs; the others make do with less."""
GAMES = ("locm", "vughex")


def interpreter() -> str | None:
    """The first Python found that is new enough and can make an environment."""
    named = [os.environ.get("PYTHON", ""), sys.executable]
    found = [f"python3.{minor}" for minor in (12, 13, 14)]
    pyenv = sorted(Path.home().glob(".pyenv/versions/3.1[2-4].*/bin/python"))
    test = f"import sys, venv, ensurepip; sys.exit(sys.version_info < {NEEDED})"
    for candidate in [*named, *found, *map(str, pyenv)]:
        path = shutil.which(candidate)
        if path and subprocess.run([path, "-c", test], capture_output=True).returncode == 0:
            return path
    return None


def environment() -> None:
    """Make the environment, or take it as it is."""
    if not PYTHON.exists():
        python = interpreter()
        if python is None:
            python = sys.executable
            print("no Python 3.12 or newer was found, so gym-locm is not measured; name one: make peers PYTHON=…")
        subprocess.run([python, "-m", "venv", str(FOLDER)], check=True)
    pip = [str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#") and subprocess.run([*pip, line], stderr=subprocess.DEVNULL).returncode:
            print(f"{line} cannot be installed here, so it is not measured: {' '.join([*pip, line])} says why")


def main() -> None:
    from cardc.pipeline import build

    environment()
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            build(ROOT / "cards" / game, Path(folder) / game)
        # The runtime needs nothing but Python; the benchmark has the engines written by hand.
        paths = os.pathsep.join(str(ROOT / name) for name in ("runtime", "benchmarks"))
        env = {**os.environ, "PYTHONPATH": paths, "CUDA_VISIBLE_DEVICES": ""}
        sys.exit(subprocess.run([str(PYTHON), str(HERE / "measure.py"), folder], env=env).returncode)


if __name__ == "__main__":
    main()
