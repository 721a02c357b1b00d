"""Which bracket closes which. A closing one ends whatever is still open inside; one that meets nothing is ignored."""

from __future__ import annotations

OPENERS = frozenset("([{")
CLOSERS = {")": "(", "]": "[", "}": "{"}


class Brackets:
    """The brackets that are open at a place of a text, each with the place where it opened."""

    def __init__(self) -> None:
        self.open: list[tuple[str, int]] = []
        self._count = dict.fromkeys(OPENERS, 0)

    def meet(self, text: str, place: int) -> int | None:
        """Take account of a token; where the bracket opened that it closes, if it does."""
        if text in OPENERS:
            self.open.append((text, place))
            self._count[text] += 1
            return None
        opener = CLOSERS.get(text)
        if opener is None or not self._count[opener]:
            return None
        while True:
            last, opened = self.open.pop()
            self._count[last] -= 1
            if last == opener:
                return opened
