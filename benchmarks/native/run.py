"""What a native build would bring: `make native`. Needs a C compiler.

The generated code of a game, as it is linked for playouts, and the kernel of the runtime are compiled by Cython as they
are, without any type written beside them, in an environment of its own, `.venv-native`. Playouts are measured with
neither, with the code and with both compiled, each in a process of its own under the same Python.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = ROOT / ".venv-native"
PYTHON = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
GAME = "vughex"
KERNEL = ("moves", "events", "library", "registry", "chance", "driver", "grids", "state", "sight")
"""The modules of the runtime whose functions run in playouts."""

SETUP = """
import sys
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import setup

Options.error_on_unknown_names = False  # the constants of a game are put into its module when it is loaded
names = sys.argv.pop(1).split(",")
directives = {"language_level": 3, "annotation_typing": False, "binding": True}
modules = cythonize(names, compiler_directives=directives)
setup(name="native", script_args=["build_ext", "--inplace"], ext_modules=modules)
"""


def environment() -> None:
    if shutil.which("cc") is None and os.name != "nt":
        sys.exit("no C compiler (cc) was found, so nothing is measured")
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    pip = [str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    if subprocess.run([*pip, "-r", str(HERE / "requirements.txt")]).returncode:
        sys.exit("Cython cannot be installed here, so nothing is measured")


def source(game: Path) -> str:
    """The code of a built game as it runs in playouts, as text."""
    from card_runtime import code, link, load

    loaded = load(game)
    trees = [code.mapped(text, table, shown) for text, shown, table in loaded._modules]
    link.link(trees, loaded._facts(), True)
    return "\n\n".join(ast.unparse(tree) for tree in trees) + "\n"


def compiled(folder: Path, names: list[str]) -> None:
    """Compile modules where they are."""
    run = subprocess.run(
        [str(PYTHON), "-c", SETUP, ",".join(names)], cwd=folder, capture_output=True, text=True
    )  # fmt: skip
    if run.returncode:
        sys.exit(f"{', '.join(names)} cannot be compiled:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")


def main() -> None:
    from cardc.pipeline import build

    environment()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        build(ROOT / "cards" / GAME, folder / GAME)
        (folder / "native_game.py").write_text(source(folder / GAME), encoding="utf-8")
        for kind in ("plain", "native"):
            shutil.copytree(ROOT / "runtime" / "card_runtime", folder / kind / "card_runtime")
        compiled(folder, ["native_game.py"])
        compiled(folder / "native", [f"card_runtime/{name}.py" for name in KERNEL])

        def measured(kind: str, *what: str) -> float:
            paths = os.pathsep.join([str(folder / kind), str(folder)])
            command = [str(PYTHON), str(HERE / "measure.py"), *what]
            run = subprocess.run(
                command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True
            )  # fmt: skip
            return float(run.stdout)

        game = str(folder / GAME)
        rows = {
            "as it is": measured("plain", game),
            "code compiled": measured("plain", game, "native_game"),
            "code and kernel compiled": measured("native", game, "native_game"),
            "the engine written by hand": measured("plain", str(ROOT / "benchmarks" / "engines" / f"{GAME}.py")),
        }
    print(f"{GAME}, random playouts, microseconds each")
    for name, taken in rows.items():
        print(f"{name:28} {taken:8.1f}   {taken / rows['as it is']:.2f}")


if __name__ == "__main__":
    main()
