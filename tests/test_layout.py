"""The shape of the repository that CONTRIBUTING.md promises."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = [
    path
    for folder in ("grammar", "compiler", "runtime", "benchmarks", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not any(part.startswith(".") or part == "build" for part in path.relative_to(ROOT).parts)
]


def test_there_are_modules() -> None:
    assert len(MODULES) > 100


# An engine written by hand is one file, a whole game to be read beside its rules, and knows no other module.
ENGINES = ROOT / "benchmarks" / "engines"


def test_modules_are_no_longer_than_can_be_read() -> None:
    long = {str(p.relative_to(ROOT)): lines for p in MODULES if p.parent != ENGINES and (lines := _lines(p)) > 700}
    assert not long
    assert not [p for p in MODULES if "utils" in p.stem]


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_of_the_product_knows_a_game() -> None:
    """What games are called is in `cards/`, and in the texts that show them."""
    games = {folder.name for folder in (ROOT / "cards").iterdir() if folder.is_dir()}
    assert games >= {"vughex", "moonga", "moonlight", "monsteria", "locm"}
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in MODULES
        if path.is_relative_to(ROOT / "compiler") or path.is_relative_to(ROOT / "runtime")
        for name in games
        if name in path.read_text(encoding="utf-8").lower()
    ]
    assert not found
