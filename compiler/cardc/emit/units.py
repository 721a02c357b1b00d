"""What the template is filled with: one unit for each function, and the lines of its body."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

Line: TypeAlias = tuple[str, int]
"""A line of code as it is indented, and its line in the `.card` file."""


def indented(depth: int, text: str, line: int) -> Line:
    return "    " * depth + text, line


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
    cards: tuple[tuple[int, str], ...] = ()
    key: str = ""
    room: str = ""

    @property
    def lines(self) -> list[Line]:
        """The lines of the body, after those that give what was captured its names."""
        if not self.captured:
            return self.body
        return [indented(1, f"{', '.join(self.captured)}, _ = e_", self.line), *self.body]

    def entries(self, registry: str) -> str:
        """The entries of a registry that may concern the first argument."""
        keyed = f"m.{registry}.get({self.first}) or " if self.first else ""
        return f"{keyed}m.{registry}.get(None, ())"

    @property
    def frame(self) -> str:
        """What is said of the frames of a step function: how long they are, and where a local of them is a card, or a
        list of cards, that has to be of a certain kind."""
        size = f"{self.name}.size = {self.size}"
        return f"{size}; {self.name}.cards = {self.cards!r}" if self.cards else size

    @property
    def head(self) -> str:
        """The function's name and parameters."""
        return f"{self.name}({', '.join(self.params)})"
