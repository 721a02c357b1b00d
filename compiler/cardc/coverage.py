"""Which clauses of which cards and rules the tests reach, and whether their conditions were true and false there.

A clause with a condition counts two points, one for each of its outcomes; any other counts one, for having run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from cardc.bench import Hits
from cardc.probes import Clause


class Seen(Struct, frozen=True):
    """A clause, how often it ran, and how often its condition was true and false."""

    clause: Clause
    ran: int
    true: int
    false: int

    @property
    def points(self) -> int:
        return 1 if self.clause.condition is None else 2

    @property
    def covered(self) -> int:
        if self.clause.condition is None:
            return int(self.ran > 0)
        return int(self.true > 0) + int(self.false > 0)

    def gap(self) -> str | None:
        """What no test has shown."""
        c = self.clause
        if self.covered == self.points:
            return None
        if not self.covered:
            return f"never {'runs' if c.whole and not self.ran else 'tested'}: {c.text}"
        return f"never {'false' if self.true else 'true'}: {c.condition}"


class Coverage(Struct, frozen=True):
    """The clauses of a package in the order of its files."""

    seen: tuple[Seen, ...]

    @property
    def points(self) -> int:
        return sum(s.points for s in self.seen)

    @property
    def covered(self) -> int:
        return sum(s.covered for s in self.seen)

    @property
    def percent(self) -> int:
        """Rounded down: 100 is all."""
        return percent(self.covered, self.points)

    def owners(self) -> dict[str, list[Seen]]:
        out: dict[str, list[Seen]] = {}
        for s in self.seen:
            out.setdefault(s.clause.of, []).append(s)
        return out


def percent(part: int, whole: int) -> int:
    return 100 * part // whole if whole else 100


def coverage(clauses: Sequence[Clause], hits: Iterable[Hits]) -> Coverage:
    """What the runs of tests saw, taken together."""
    total: Hits = {}
    for one in hits:
        for number, (no, yes) in one.items():
            seen = total.setdefault(number, [0, 0])
            seen[0] += no
            seen[1] += yes
    rows = []
    for i, clause in enumerate(clauses):
        false, true = total.get(2 * i + 1, (0, 0))
        rows.append(Seen(clause, sum(total.get(2 * i, (0, 0))), true, false))
    return Coverage(tuple(sorted(rows, key=lambda s: (s.clause.path, s.clause.line, s.clause.column))))


def lines(found: Coverage, root: str) -> list[str]:
    """A line for each card or rule, with what is missing below it, and one for all."""
    owners = found.owners()
    if not owners:
        return ["coverage: there is no clause to run"]
    width = max(len(name) for name in owners)
    out = []
    for name, rows in owners.items():
        points, covered = sum(s.points for s in rows), sum(s.covered for s in rows)
        out.append(f"{name:<{width}}  {covered:3} of {points:3}  {percent(covered, points):3} %")
        out += [f"  {root}{s.clause.path}:{s.clause.line}: {gap}" for s in rows if (gap := s.gap()) is not None]
    return [*out, f"coverage: {found.covered} of {found.points}, {found.percent} %"]


def data(found: Coverage, root: str) -> dict[str, object]:
    """The same for tools."""
    return {
        "points": found.points,
        "covered": found.covered,
        "percent": found.percent,
        "of": [
            {
                "of": name,
                "points": sum(s.points for s in rows),
                "covered": sum(s.covered for s in rows),
                "clauses": [
                    {
                        "file": root + s.clause.path, "line": s.clause.line, "column": s.clause.column,
                        "text": s.clause.text, "condition": s.clause.condition,
                        "ran": s.ran if s.clause.whole else None,
                        "true": s.true if s.clause.condition is not None else None,
                        "false": s.false if s.clause.condition is not None else None,
                    }
                    for s in rows
                ],
            }
            for name, rows in found.owners().items()
        ],
    }  # fmt: skip
