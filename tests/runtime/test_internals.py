"""`runtime/INTERNALS.md` names what there is: the keys of a built package, and the slots of a state."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from card_runtime.state import State
from cardc import pipeline

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "runtime" / "INTERNALS.md").read_text()
NAMED = ("args", "columns", "fields", "filled", "slots")
"""Where these are mappings, their keys are names that authors gave."""


def keys(value: Any) -> set[str]:
    """Those of all things in a collection, but for types."""
    if isinstance(value, list):
        return {key for x in value for key in keys(x)}
    if not isinstance(value, dict) or "t" in value:
        return set()
    inner = [x for key, x in value.items() if not (key in NAMED and isinstance(x, dict))]
    return {*value, *keys(inner)}


@pytest.mark.parametrize("name", ["moonga", "moonlight", "locm"])
def test_the_page_names_all_that_a_package_holds(name: str, tmp_path: Path) -> None:
    outcome, where = pipeline.build(ROOT / "cards" / name, tmp_path / "built")
    assert outcome.files is not None
    section = PAGE[PAGE.index("## The package") : PAGE.index("Types: `")]
    for path in [where / "data.json", *sorted((where / "parts").glob("*.json"))]:
        for collection, value in json.loads(path.read_text()).items():
            told = " ".join(re.findall(rf"`{collection}`.*\n(?:  .*)?", section))
            assert told, collection
            missing = {key for key in keys(value) if not re.search(rf"\b{key}\b", told)}
            assert not missing, (collection, missing)


def test_the_page_names_each_slot_of_a_state() -> None:
    missing = [slot for slot in State.__slots__ if f"`m.{slot}`" not in PAGE]
    assert not missing
