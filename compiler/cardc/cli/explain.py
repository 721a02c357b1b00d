"""`cardc explain`."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardc.cli.options import base_option
from cardc.cli.output import Output, Target, page_width, status_of
from cardc.package import MANIFEST, UsageError

if TYPE_CHECKING:
    from cardc.source import Source
    from cardc.symbols import Symbols


@click.command("explain")
@click.argument("what", metavar="[CODE | GAME]", required=False)
@click.argument("card", required=False)
@base_option
def explain_command(what: str | None, card: str | None, base: Path | None) -> int:
    """Explain a finding, or a card.

    CODE is like E001: what the finding means, what is wrong, what is right; without it all are listed, and with the
    beginning of codes, like L8, those. With GAME (a
    folder, or a built game) and a CARD of it, by its id or title: what the card does, clause by clause, and which rules
    it touches; without CARD, the cards are listed."""
    if what is not None and (card is not None or Path(what).is_dir() or Path(what).suffix == ".card"):
        return _explain_card(Path(what), card, base)
    return _explain_code(what)


def _explain_code(code: str | None) -> int:
    import card_grammar
    from card_grammar.diagnostics import DIAGNOSTICS

    if code is None:
        for known in DIAGNOSTICS.values():
            print(f"{known.code}  {known.severity:7}  {known.summary}")
        return 0
    if some := [d for d in DIAGNOSTICS.values() if d.code.startswith(code.upper()) and d.code != code.upper()]:
        for known in some:
            print(f"{known.code}  {known.severity:7}  {known.summary}")
        return 0
    by_name = {d.name: d.code for d in DIAGNOSTICS.values()}
    key = by_name.get(code.lower().replace("_", "-"), code.upper())
    if key not in DIAGNOSTICS:
        near = [by_name[name] for name in get_close_matches(code.lower(), list(by_name), n=3)]
        near += [c for c in get_close_matches(key, list(DIAGNOSTICS), n=3, cutoff=0.4) if c not in near]
        what = "finding" if code[1:].isdigit() or Path(code).exists() else "finding or folder"
        raise UsageError(f"no {what} is called {code}" + (f"; there are {', '.join(near[:3])}" if near else ""))
    assert card_grammar.__file__ is not None
    page = Path(card_grammar.__file__).parent / "pages" / f"{key}.md"
    if page.exists():
        print(page.read_text(encoding="utf-8").rstrip())
    else:
        found = DIAGNOSTICS[key]
        print(f"# {found.code} {found.name}\n\n{found.summary}")
    return 0


def _explain_card(path: Path, name: str | None, base: Path | None) -> int:
    from cardc import pipeline
    from cardc.account import account, find_card
    from cardc.display import safe, wrap

    if (path / MANIFEST).is_file():
        root = ""
        files, _ = pipeline.base_of(path)
        on = None if base is None else pipeline.base_of(base)
    else:
        target = Target.of(path)
        root = target.root
        files, on = pipeline.prepare(target.folder, base)
    checked = pipeline.analyse(files, on)
    if checked.program is None or checked.symbols is None:
        output = Output.of()
        output.findings(checked.findings, root)
        output.say(f"nothing is explained: {path} has errors")
        return status_of(checked.findings, strict=True)
    s, title = checked.symbols, checked.identity["title"]
    if name is None:
        _list(s, title)
        return 0
    card = find_card(s, name)
    if card is None:
        raise UsageError(f"{title} has no card called {name}{_near(s, name)}")

    def place(source: Source, line: int) -> str:
        own = any(source.path == path for path, _ in files)
        return f"{root if own else ''}{source.path}:{line}"

    columns = min(page_width(), 120)
    title = title if card.own or on is None else on[1]["title"]
    for deep, text in account(s, card, title, place):
        indent = "  " * deep
        first, *rest = wrap(safe(text), columns - len(indent), columns - len(indent) - 4)
        print(f"{indent}{first}".rstrip())
        for more in rest:
            print(f"{indent}    {more}")
    return 0


def _list(s: Symbols, title: str) -> None:
    from cardc.display import pad, safe, width

    room = max((width(card.name) for card in s.cards.values()), default=0)
    print(f"{safe(title)} has {len(s.cards)} cards; `cardc explain GAME CARD` tells of one.")
    for card in s.cards.values():
        print(f"  {pad(card.name, room)}  {safe(card.title)}, {card.kind.replace('_', ' ')}")


def _near(s: Symbols, name: str) -> str:
    """The cards that were perhaps meant."""
    called = {card.name.lower(): card.name for card in s.cards.values()}
    called |= {card.title.lower(): card.name for card in s.cards.values()}
    near = get_close_matches(name.lower(), list(called), n=5, cutoff=0.5)
    found = list(dict.fromkeys(called[n] for n in near))[:3]
    return f"; near are {', '.join(f'{id} ({s.cards[id].title})' for id in found)}" if found else ""
