"""An installed cardc has its bytecode; so have the commands that are measured, once they have run with this."""

import os


def environment(folder: str) -> dict[str, str]:
    """The environment for commands of Python that keep their bytecode in a folder."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**found, "PYTHONPYCACHEPREFIX": folder}
