"""Matches whose state was read back from a text. Whoever has written that may have made it by hand, and what the locals
of running code hold is known to that code alone (`soundness`): what then goes wrong in the runtime is told as a fault
of the text, and not as one of the runtime."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from card_runtime.decision import Decision
from card_runtime.errors import CardError, IllegalChoice, InputError, SaveError
from card_runtime.faults import of_host
from card_runtime.match import Match

T = TypeVar("T")


def _guarded(method: Callable[..., T]) -> Callable[..., T]:
    """A method that raises SaveError instead of errors of Python that are not the host's."""

    @wraps(method)
    def guarded(self: Any, *args: Any, **named: Any) -> T:
        try:
            return method(self, *args, **named)
        except CardError:
            raise
        except Exception as error:
            if of_host(error):
                raise
            why = f"{type(error).__name__}: {error}"
            raise SaveError(f"the saved match held a state that no match comes to ({why}): take another") from error

    return guarded


class ResumedDecision(Decision):
    """An open question of such a match."""

    __slots__ = ()


class Resumed(Match):
    """A match whose state was read back."""

    __slots__ = ()

    @property
    def decision(self) -> Decision | None:
        if self._decision is None and self._m.wait is not None:
            self._decision = ResumedDecision(self._m)
        return self._decision

    def _go_back(self, target: int) -> None:
        """Also a record that does not lead to this state leaves the match as it is."""
        before = self._m, self._entries, self._kept.copy()
        try:
            super()._go_back(target)
        except Exception as error:
            self._m, self._entries, self._kept = before
            if isinstance(error, IllegalChoice | InputError):
                raise SaveError(f"the record of the saved match does not lead to it: {error}") from error
            raise


for _owner, _names in (
    (ResumedDecision, ("__init__", "_build", "made", "value")),
    (Resumed, ("choose", "clone", "determinise", "forfeit", "get", "log", "state_hash", "timeout", "to_json", "undo")),
    (Resumed, ("view", "why")),
):
    for _name in _names:
        setattr(_owner, _name, _guarded(getattr(_owner, _name)))
