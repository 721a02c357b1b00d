"""What the template is filled with: one unit for each function, and the lines of its body."""

from __future__ import annotations

from msgspec import Struct, field


class Line(Struct, frozen=True):
    depth: int
    text: str
    line: int


class Unit(Struct):
    """One function for the template; what each shape reads is in the template."""

    shape: str
    name: str
    params: list[str]
    line: int
    body: list[Line] = field(default_factory=list)
    captured: list[str] = field(default_factory=list)
    cond: str | None = None
    result: str = ""
    registry: str = ""
    replaced: str = ""
    heard: str = ""
    event: str = ""
    args: str = ""
    first: str = ""
    before: list[str] = field(default_factory=list)
    clamp: list[str] = field(default_factory=list)
    clamp_modified: list[str] = field(default_factory=list)
    size: int = 0
    key: str = ""
    room: str = ""

    @property
    def lines(self) -> list[Line]:
        """The lines of the body, after those that give what was captured its names."""
        return [Line(1, f"{', '.join(self.captured)}, _ = e_", self.line), *self.body] if self.captured else self.body

    def entries(self, registry: str) -> str:
        """The entries of a registry that may concern the first argument."""
        keyed = f"m.{registry}.get({self.first}) or " if self.first else ""
        return f"{keyed}m.{registry}.get(None, ())"

    @property
    def head(self) -> str:
        """The function's name and parameters."""
        return f"{self.name}({', '.join(self.params)})"
