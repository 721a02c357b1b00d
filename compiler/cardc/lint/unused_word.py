"""L802: a word of an enum that nothing names: no card, no rule, no test. Expansions may name those of open enums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from cardc import nodes as n
from cardc.findings import Edit, Finding, Fix
from cardc.lint.package import Package, finding
from cardc.nesting import walk
from cardc.source import Source

CODE = "L802"


def find(package: Package) -> Iterator[Finding]:
    named: Counter[str] = Counter()
    offered: set[str] = set()
    enums: list[tuple[n.EnumDecl, int]] = []
    units = package.symbols.units
    for i, u in enumerate(units):
        if u.own and isinstance(u.decl, n.EnumDecl) and not u.decl.open:
            enums.append((u.decl, i))
        for node in walk(u.decl):
            if isinstance(node, n.Name):
                named[node.id] += 1
            elif isinstance(node, n.Ident):
                named[node.text] += 1
            elif isinstance(node, n.Pick) and isinstance(node.type, n.NamedType):
                offered.add(node.type.name.text)  # who chooses one of them may choose any
    for decl, i in enums:
        for member in decl.members:
            if named[member.name.text] == 1 and decl.name.text not in offered and member.name.text[0] != "_":
                message = f"nothing names the word `{member.name.text}` of `{decl.name.text}`"
                told = finding(CODE, units[i].source, member.name, message, "remove it, or begin its name with `_`")
                yield replace(told, fix=_without(decl, member, units[i].source))


def _without(decl: n.EnumDecl, member: n.EnumMember, source: Source) -> Fix | None:
    """Take the word away with the comma behind it, or before it where it is the last one."""
    at = [id(m) for m in decl.members].index(id(member))
    if len(decl.members) == 1:
        return None
    if at + 1 < len(decl.members):
        edit = Edit(source, member.span[0], decl.members[at + 1].span[0], "")
    else:
        edit = Edit(source, decl.members[at - 1].span[1], member.span[1], "")
    return Fix("remove it", (edit,))
