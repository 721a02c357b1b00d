"""What `cardc new` writes: the files of a small whole game, or of an expansion of one.

Pure but for reading the template, which is a package of its own (`templates/game`) that checks, passes its tests and
plays. All that comes out is a package without findings, whatever its name is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from card_grammar.tables import load_tables

LONGEST = 40
"""Signs in an id."""
VERSION = "0.1.0"

_TEMPLATE_ID, _TEMPLATE_TITLE = "new_game", "New game"


def identifier(name: str) -> str:
    """The id that a package of this name has: ASCII letters, digits and `_`, and no reserved word."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    id = re.sub(r"[^A-Za-z0-9_]+", "_", plain)
    if id != plain or not re.search(r"[A-Za-z0-9]", id):
        id = id.strip("_")
    id = id[:LONGEST].lower()
    if not id or id[0].isdigit():
        id = f"game_{id}".rstrip("_")
    return f"{id}_game" if id in load_tables().reserved else id


def title(name: str) -> str:
    """The title that a package of this name has: `moon-court` is `Moon court`, `Moon Court` stays."""
    words = " ".join(re.split(r"[-_\s]+", name)).strip() or name
    return words if words != words.lower() else words[:1].upper() + words[1:]


def game_files(name: str) -> dict[str, str]:
    """The files of a new game, by their paths in its folder."""
    id, called = identifier(name), title(name)
    found = {}
    for entry in sorted(files("cardc").joinpath("templates", "game").iterdir(), key=lambda entry: entry.name):
        text = entry.read_text(encoding="utf-8")
        text = text.replace(f'game {_TEMPLATE_ID} "{_TEMPLATE_TITLE}"', f"game {id} {quoted(called)}")
        text = text.replace(f"// {_TEMPLATE_TITLE}:", f"// {called}:")
        found[entry.name.replace(_TEMPLATE_ID, id)] = text
    return found


def expansion_files(name: str, base: Mapping[str, Any]) -> dict[str, str]:
    """The files of a new expansion with one card; `base` is the data of the game that it is for (`data.json`)."""
    id, called, game = identifier(name), title(name), base["game"]
    head = f"// {called}: an expansion of {game['title']}.\n"
    head += "// It may add cards, values, effects, decks, tests, members of open enums;"
    head += " the game itself stays as it is.\n\n"
    head += f'expansion {id} {quoted(called)} for {game["id"]} {{ version: "{VERSION}" }}\n'
    found = {f"{id}.card": head}
    kind = _kind(base)
    if kind is None:
        return found
    card = _unused(f"new_{kind['name']}", base)
    fields = _fields(kind, base)
    lines = "".join(f"  {field}: {value}\n" for field, value in fields.items())
    body = f"{{\n{lines}}}" if lines else "{}"
    found["cards.card"] = f'{_help(kind, base)}\ncard {card} "New card" : {kind["name"]} {body}\n'
    given = f"  given {{ let c = new {card} }}\n"
    expected = [f"c.{field} == {value}" for field, value in fields.items()]
    expectation = " and ".join(expected) or f"count(c in catalog where c == {card}) == 1"
    found["tests.card"] = (
        f'test "the new card is what is printed on it" {{\n{given if expected else ""}  expect {expectation}\n}}\n'
    )
    return found


def quoted(text: str) -> str:
    """A string of the language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# ---- A card of a game


def _kind(base: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The kind of which there are most cards; else the first that can have cards."""
    extended = {kind["base"] for kind in base["kinds"]}
    kinds = [kind for kind in base["kinds"] if kind["name"] not in extended]
    number = {kind["name"]: sum(card["kind"] == kind["name"] for card in base["cards"]) for kind in kinds}
    return max(kinds, key=lambda kind: number[kind["name"]], default=None)


def _chain(kind: Mapping[str, Any] | None, base: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The kind and those it extends, the first of them first."""
    if kind is not None:
        yield from _chain(next((k for k in base["kinds"] if k["name"] == kind["base"]), None), base)
        yield kind


def _fields(kind: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, str]:
    """Fields for a new card: what the plainest card of the kind has printed, and the least of what it must have."""
    cards = [card for card in base["cards"] if card["kind"] == kind["name"] and card.get("base") is None]
    plain = min(cards, key=lambda card: (len(card["filled"]), len(card["slots"])), default=None)
    printed: Mapping[str, Any] = {} if plain is None else plain["fields"]
    found = {}
    for link in _chain(kind, base):
        for field in link["fields"]:
            value = printed.get(field["name"])
            if value is None and field["default"] is None:
                value = _least(field["type"], base)
            said = None if value is None else _said(value)
            if said is not None:
                found[field["name"]] = said
    return found


def _least(t: Mapping[str, Any], base: Mapping[str, Any]) -> Any:
    match t["t"]:
        case "int":
            return t["lo"] if isinstance(t["lo"], int) else 1
        case "bool":
            return False
        case "enum":
            return next((e["members"][0] for e in base["enums"] if e["name"] == t["of"] and e["members"]), None)
        case "set" | "list":
            return []
        case _:
            return None


def _said(value: Any) -> str | None:
    """A printed value as it is written in a .card file; None where it is more than a word."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, list):
        items = [_said(item) for item in value]
        return None if None in items else f"[{', '.join(map(str, items))}]"
    return None


def _unused(wanted: str, base: Mapping[str, Any]) -> str:
    """A name that the game does not have."""
    parts = ("options", "enums", "kinds", "zones", "boards", "state", "values", "effects", "decklists", "forms")
    taken = {declared["name"] for part in parts for declared in base[part]}
    taken |= {card["id"] for card in base["cards"]} | {board["element"] for board in base["boards"]}
    return next(name for name in (wanted, *(f"{wanted}_{i}" for i in range(2, 10**6))) if name not in taken)


def _help(kind: Mapping[str, Any], base: Mapping[str, Any]) -> str:
    """What a card of this kind can have, as a comment."""
    title = kind["name"].replace("_", " ")
    lines = [f"// What {'an' if title[0] in 'aeiouAEIOU' else 'a'} {title} may have:"]
    for link in _chain(kind, base):
        for field in link["fields"]:
            lines.append(f"//   {field['name']}: …" + _help_of(field))
        for flag in link["flags"]:
            lines.append(f"//   {flag['name']}" + _help_of(flag))
        for slot in link["slots"]:
            lines.append(f"//   {slot['name']}{_given(slot['params'])} {{ … }}" + _help_of(slot))
        for form in base["forms"]:
            if form["kind"] == link["name"]:
                lines.append(f"//   form {form['name']}{_given(form['fields'])} {{ … }}" + _help_of(form))
    return "\n".join(lines) + "\n"


def _help_of(member: Mapping[str, Any]) -> str:
    return f"  {member['help']}" if member["help"] else ""


def _given(params: Sequence[Mapping[str, Any]]) -> str:
    """What a card gives a slot or a form, in brackets; nothing where there is nothing to give."""
    return f"({', '.join(param['name'] + ': …' for param in params)})" if params else ""
