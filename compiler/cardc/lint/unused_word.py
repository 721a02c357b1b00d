"""L802: a word of an enum that nothing names: no card, no rule, no test. Expansions may name those of open enums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cardc import nodes as n
from cardc.findings import Finding
from cardc.lint.package import Package, finding
from cardc.nesting import walk

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
                yield finding(CODE, units[i].source, member.name, message, "remove it, or begin its name with `_`")
