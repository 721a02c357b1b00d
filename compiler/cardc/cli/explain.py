"""`cardc explain`."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import click

from cardc.package import UsageError


@click.command("explain")
@click.argument("code", required=False)
def explain_command(code: str | None) -> int:
    """Explain a finding: what it means, what is wrong, what is right. CODE is like E001; without it, all are listed."""
    import card_grammar
    from card_grammar.diagnostics import DIAGNOSTICS

    if code is None:
        for known in DIAGNOSTICS.values():
            print(f"{known.code}  {known.severity:7}  {known.summary}")
        return 0
    by_name = {d.name: d.code for d in DIAGNOSTICS.values()}
    key = by_name.get(code.lower(), code.upper())
    if key not in DIAGNOSTICS:
        near = [by_name[name] for name in get_close_matches(code.lower(), list(by_name), n=3)]
        near += [c for c in get_close_matches(key, list(DIAGNOSTICS), n=3, cutoff=0.4) if c not in near]
        raise UsageError(f"no finding is called {code}" + (f"; there are {', '.join(near[:3])}" if near else ""))
    assert card_grammar.__file__ is not None
    page = Path(card_grammar.__file__).parent / "pages" / f"{key}.md"
    if page.exists():
        print(page.read_text(encoding="utf-8").rstrip())
    else:
        found = DIAGNOSTICS[key]
        print(f"# {found.code} {found.name}\n\n{found.summary}")
    return 0
