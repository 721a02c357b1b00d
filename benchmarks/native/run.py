"""What a native build would bring: `make native`. Needs a C compiler.

The generated code of a game, as it is linked for playouts, and the kernel of the runtime are compiled by Cython, in an
environment of its own, `.venv-native`: first as they are, without any type, then with the state of a match as a class
of C whose fields are read without a look-up. Playouts are measured with none, with the code and with both compiled,
each in a process of its own under the same Python; they must end in the same states.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = ROOT / ".venv-native"
PYTHON = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
GAME = "vughex"
ROUNDS = 4
KERNEL = ("moves", "events", "library", "registry", "chance", "driver")
"""The modules of the runtime whose functions run in playouts of this game."""

SETUP = """
import sys
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import setup

Options.error_on_unknown_names = False  # the constants of a game are put into its module when it is loaded
names = sys.argv.pop(1).split(",")
directives = {"language_level": 3, "binding": True}
modules = cythonize(names, compiler_directives=directives, include_path=["."])
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


def source(game: Any) -> str:
    """The code of a game as it runs in playouts, as text."""
    from card_runtime import link
    from card_runtime import trees as syntax

    trees = [syntax.mapped(*module) for part in game.texts.parts for module in part]
    link.link(trees, game._facts(), True)
    return "\n\n".join(ast.unparse(tree) for tree in trees) + "\n"


class Types(ast.NodeTransformer):
    """Takes all types from functions, which mean something else to Cython; says that `m` is the state, if so wanted."""

    def __init__(self, state: bool) -> None:
        self.state = state

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
            arg.annotation = ast.Name("NativeState") if self.state and arg.arg == "m" else None
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return ast.Pass() if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)


def retyped(text: str, state: bool) -> str:
    """A module without types, or with that of the state."""
    tree = Types(state).visit(ast.parse(text))
    if state:
        after = sum(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body[:2])
        after += isinstance(tree.body[0], ast.Expr)  # its docstring
        tree.body[after:after] = ast.parse("from cython.cimports.native_state import NativeState").body
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def with_state(folder: Path, game: Any) -> None:
    """Write the class of C, and make it the base of the runtime's."""
    names = dict.fromkeys(name for kind in game.state_class.__mro__ for name in getattr(kind, "__slots__", ()))
    fields = "".join(f"    cdef public object {name}\n" for name in names)
    (folder / "native_state.pxd").write_text(f"cdef class NativeState:\n{fields}", encoding="utf-8")
    (folder / "native_state.pyx").write_text("cdef class NativeState:\n    pass\n", encoding="utf-8")
    path = folder / "card_runtime" / "state.py"
    text = path.read_text(encoding="utf-8")
    start = text.index("    __slots__ = (")
    text = text[:start] + "    __slots__ = ()\n" + text[text.index("    )\n", start) + 6 :]
    text = text.replace("class State:", "from native_state import NativeState\nclass State(NativeState):")
    path.write_text(text.replace('{"__slots__": slots,', '{"__slots__": (),'), encoding="utf-8")


def compiled(folder: Path, names: list[str]) -> None:
    """Compile modules where they are."""
    run = subprocess.run(
        [str(PYTHON), "-c", SETUP, ",".join(names)], cwd=folder, capture_output=True, text=True
    )  # fmt: skip
    if run.returncode:
        sys.exit(f"{', '.join(names)} cannot be compiled:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")


def measured(place: Path, *what: str) -> float:
    """The microseconds of a playout, with the runtime and the modules of this folder."""
    command = [str(PYTHON), str(HERE / "measure.py"), *what]
    env = {**os.environ, "PYTHONPATH": str(place)}
    run = subprocess.run(command, env=env, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"what was compiled does not play:\n{run.stderr[-2000:]}")
    return float(run.stdout)


def main() -> None:
    from card_runtime import load
    from cardc.pipeline import build

    environment()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        game = load(build(ROOT / "cards" / GAME, folder / GAME)[1])
        kinds = {"as it is": (0, 0), "code compiled": (1, 0), "code and kernel compiled": (2, 0)}
        kinds["both, the state as a class of C"] = (2, 1)
        runs: dict[str, tuple[Any, ...]] = {}
        for number, (name, (parts, state)) in enumerate(kinds.items()):
            place = folder / str(number)
            shutil.copytree(ROOT / "runtime" / "card_runtime", place / "card_runtime")
            if state:
                with_state(place, game)
                compiled(place, ["native_state.pyx"])
            (place / "native_game.py").write_text(retyped(source(game), bool(state)), encoding="utf-8")
            if parts >= 1:
                compiled(place, ["native_game.py"])
            if parts >= 2:
                for module in KERNEL:
                    path = place / "card_runtime" / f"{module}.py"
                    path.write_text(retyped(path.read_text(encoding="utf-8"), bool(state)), encoding="utf-8")
                compiled(place, [f"card_runtime/{module}.py" for module in KERNEL])
            runs[name] = (place, str(folder / GAME), *(["native_game"] if parts else []))
        runs["the engine written by hand"] = (folder, str(ROOT / "benchmarks" / "engines" / f"{GAME}.py"))
        # In turns, as what else runs on the machine changes.
        rounds = [{name: measured(*run) for name, run in runs.items()} for _ in range(ROUNDS)]
        rows = {name: min(times[name] for times in rounds) for name in runs}
    print(f"{GAME}, random playouts, microseconds each")
    for name, taken in rows.items():
        print(f"{name:34} {taken:8.1f}   {taken / rows['as it is']:.2f}")


if __name__ == "__main__":
    main()
