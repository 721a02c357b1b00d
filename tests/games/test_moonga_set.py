"""The set `core` holds what it must: enough cards, every mechanism on three or more, known names only where said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cardc.__main__ import main

CARDS = Path(__file__).parents[2] / "cards" / "moonga"
KNOWN = {
    "Aodh the Light",
    "Aodh the Dark",
    "Angel Protector of the Light",
    "Demon Protector of the Darkness",
    "Mischievous Fairy",
    "Guardian of the Source of Life",
}


def cards(folder: Path) -> dict[str, str]:
    """The text of each card, by its title and kind."""
    found = {}
    for path in sorted(folder.glob("*.card")):
        text = re.sub(r"//.*", "", path.read_text())
        for title, kind, body in re.findall(r'(?m)^card \w+ "([^"]*)" : (\w+) \{(.*?)^\}', text, re.S):
            found[title, kind] = body
    return found


CORE = cards(CARDS / "core")
DENSARA = cards(CARDS / "densara")


def test_enough_cards() -> None:
    kinds = [kind for _, kind in CORE]
    assert kinds.count("attack_spell") >= 40 and kinds.count("support_spell") >= 10
    assert len(DENSARA) >= 15


@pytest.mark.parametrize(
    "words",
    [
        r"capacity \{",
        r"switch(\(\d\))? \{",
        r"boost\(\d\) \{",
        r"level: 2",
        r"level: 3",
        r"level: 3[^}]*capacity \{",  # an evolution with another capacity
        r"pay: power",
        r"pay: health",
        r"cast: [1-8]",
        r"cast: [4-8]",  # which easily fails
        r"elemental\(self\)",
        r"seasonal\(self\)",
        r"group_affinity\(self\)",
        r"ether\(self, earth\)",
        r"ether\(self, water\)",
        r"ether\(self, fire\)",
        r"ether\(self, ice\)",
        r"exchange_capacities",
        r"cancel_capacity",
        r"protect\(you",
        r"hurt\(you\.opponent",
        r"on aftermath",
        r"(charge|drain)\(you",
        r"on struck",
    ],
)
def test_every_mechanism_is_on_three_cards(words: str) -> None:
    assert sum(bool(re.search(words, body, re.S)) for body in CORE.values()) >= 3


@pytest.mark.parametrize("element", ["water", "fire", "earth", "ice"])
def test_every_season_and_an_exchanger_of_each_element(element: str) -> None:
    of = [body for (_, kind), body in CORE.items() if kind == "attack_spell" and f"element: {element}" in body]
    assert sum("seasonal(self)" in body for body in of) >= 3
    assert any("exchange_capacities" in body for body in of)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"exchange_capacities", r"level: 3"),
        (r"exchange_capacities", r"elemental\("),
        (r"exchange_capacities", r"seasonal\("),
        (r"exchange_capacities", r"group_affinity\("),
        (r"exchange_capacities", r"ether\("),
        (r"boost\(\d\) \{ once per round \{ on changing", r"exchange_capacities"),
        (r"switch \{ once per round \{ on changing", r"exchange_capacities"),
        (r"boost", r"cast: [4-8]"),
        (r"boost", r"cancel_capacity"),
        (r"level: 2", r"cancel_capacity"),
        (r"level: 2", r"cast: [1-8]"),
        (r"level: 2", r"boost"),
        (r"level: 2", r"switch"),
        (r"instead of exchange_capacities", r"instead of cancel_capacity"),
    ],
)
def test_mechanisms_meet_on_a_card(one: str, other: str) -> None:
    assert any(re.search(one, body) and re.search(other, body) for body in CORE.values())


def test_what_evolves_has_a_level_2_and_a_level_3() -> None:
    levels = [re.findall(r"form evolution\(level: (\d)", body) for body in (CORE | DENSARA).values()]
    assert {"".join(found) for found in levels} == {"", "23"}


def test_support_spells_exchange_and_cancel() -> None:
    supports = [body for (_, kind), body in CORE.items() if kind == "support_spell"]
    assert sum("exchange_capacities" in body for body in supports) >= 3
    assert sum("cancel_capacity" in body for body in supports) >= 2


def test_invented_cards_are_marked() -> None:
    assert {title for title, _ in CORE} >= KNOWN
    for path in [*(CARDS / "core").glob("*.card"), CARDS / "densara" / "densara.card"]:
        comment = path.read_text().split("\n\n")[0]
        assert "nvented" in comment, path
        here = [title for title in KNOWN if f'"{title}"' in path.read_text()]
        assert all(title in " ".join(comment.split()) for title in here), path


def test_a_clash_with_the_base_game_points_into_the_base_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ex").mkdir()
    lines = ['expansion ex "Ex" for moonga { version: "0.1.0" }', "extend enum group { bogs }"]
    lines += ['card kraken "Kraken" : support_spell {', "  clan: tides  rarity: common  element: ice  groups: []", "}"]
    Path("ex", "ex.card").write_text("\n".join(lines) + "\n")
    for _ in range(2):  # the second time from what is remembered
        assert main(["check", "ex", "--base", str(CARDS)]) == 1
        told = capsys.readouterr().out
        assert "E109" in told and "--> ex/ex.card:3:6" in told and "::: moonga/core/water.card:" in told
    assert main(["check", "ex", "--base", str(CARDS), "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["file"], finding["labels"][0]["file"]] == ["ex/ex.card", "moonga/core/water.card"]
