"""An open question as its chooser meets it: options with stable ids, labels and values; and what an answer means.

Built from `m.wait` and the game's `sites`; nothing here changes the match. Options are named when they are first read,
so a bot that answers by number costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from card_runtime import sight
from card_runtime.driver import secret
from card_runtime.errors import CardError, IllegalChoice, InputError, nearest, quoted, shown, written

if TYPE_CHECKING:
    from card_runtime.state import State

SHOWN = 4
"""How many legal ids a message names."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer.

    `id` is stable (`play plague lanes 2`), `label` is for people, `value` is JSON:
    `{"verb": str | None, "picks": {name: value}}`, where a card is the chooser's tag of it (`#12`, or None; in
    `view(None)` and `log(None)` the tag that it has there)."""

    id: str
    label: str
    value: dict[str, Any] = field(hash=False)


class Decision:
    """The open question of a match.

    `player`: the seat that chooses. `prompt`: text. `min`, `max`: how many options an answer has (0 or 1, and 1).
    `count`: how many options there are. `secret`: nothing of the answer shows until all who are asked at once have
    given theirs. Read `options` before the question is answered: unread ones are gone then."""

    __slots__ = (
        "_alternatives", "_closed", "_m", "_options", "_tuples", "count", "max", "min", "player", "prompt", "secret",
    )  # fmt: skip

    def __init__(self, m: State) -> None:
        assert m.wait is not None
        seat, site, tuples, optional = m.wait
        self._m = m
        about = asked_at(m.game, site)
        self._alternatives = about.alternatives
        self._tuples = tuples
        self._options: tuple[Option, ...] | None = None
        self._closed = False
        self.player: int = seat
        self.prompt = about.prompt
        self.count = len(tuples)
        self.min = 0 if optional else 1
        self.max = 1
        self.secret = secret(m)

    @property
    def optional(self) -> bool:
        """Whether the seat may decline: answer `[]`."""
        return self.min == 0

    @property
    def options(self) -> tuple[Option, ...]:
        """All options, in the order of the match. Raises CardError if they were never read and the question is over."""
        if self._options is None:
            self._open()
            self._options = self._build()
        return self._options

    def option(self, index: int) -> Option:
        """One option, without building the others; its id may then lack its ` #2`. Raises IllegalChoice where there
        is none of that index, CardError as `options`."""
        if type(index) is not int or not 0 <= index < self.count:
            raise IllegalChoice(f"there is no option {shown(index)}: they are 0 to {self.count - 1}")
        if self._options is None:
            self._open()
        return self._options[index] if self._options is not None else self.made(index)

    def _open(self) -> None:
        if self._closed:
            raise CardError("this decision was answered before its options were read: read `options` first")

    def __reduce__(self) -> Any:
        raise InputError("a decision is part of its match and cannot be pickled: its `options` can")

    def close(self) -> None:
        """Say that the match goes on: the state that the options are named after is no more."""
        self._closed = True

    def resolve(self, answer: object) -> int | None:
        """The index of the option that `answer` means; None declines.

        An answer is an index, an option's id, or a list of at most one of these. Raises IllegalChoice."""
        if isinstance(answer, list | tuple):
            if not answer:
                if self.min:
                    raise IllegalChoice(f"[] declines, but player {self.player} must choose; {self._way_out('')}")
                return None
            if len(answer) > self.max:
                raise IllegalChoice(
                    f"{len(answer)} options were given, but player {self.player} chooses one; {self._way_out('')}"
                )
            answer = answer[0]
        if isinstance(answer, bool):
            raise IllegalChoice(f"a choice is an index or an id, not {answer}; {self._way_out('')}")
        if isinstance(answer, int):
            if not 0 <= answer < self.count:
                raise IllegalChoice(f"there is no option {shown(answer)}; {self._way_out('')}")
            return answer
        if isinstance(answer, str):
            for i, option in enumerate(self.options):
                if option.id == answer:
                    return i
            said = f'"{written(answer)}"'
            raise IllegalChoice(f"{said} is not an option of player {self.player}; {self._way_out(answer)}")
        what = "the option itself: give its `id`" if isinstance(answer, Option) else f"a {type(answer).__name__}"
        raise IllegalChoice(f"a choice is an index or an id, not {what}; {self._way_out('')}")

    def _way_out(self, wanted: str) -> str:
        """Which answers are legal: the nearest ids first, the first ones where nothing was said."""
        ids = [option.id for option in self.options]
        near = nearest(wanted, ids, SHOWN) if wanted else ids[:SHOWN]
        more = f" and {len(ids) - len(near)} more" if len(ids) > len(near) else ""
        none = ", or [] to decline" if self.min == 0 else ""
        return f"legal: 0 to {self.count - 1}, or an id ({quoted(near)}{more}){none}"

    def _build(self) -> tuple[Option, ...]:
        counts: Counter[str] = Counter()
        options = []
        for index in range(self.count):
            option = self.made(index)
            counts[option.id] += 1
            if counts[option.id] > 1:
                option = Option(f"{option.id} #{counts[option.id]}", option.label, option.value)
            options.append(option)
        return tuple(options)

    def made(self, index: int) -> Option:
        """One option, made anew: nobody else has it."""
        m, seat = self._m, self.player
        alternative, *values = self._tuples[index]
        form = self._alternatives[alternative]
        tokens = [form.verb] if form.verb else []
        said = []
        for pick, value in zip(form.picks, values, strict=True):
            tokens.append(sight.token(m, seat, pick.type, value, pick.name))
            text = _pick_words(m, seat, pick, value)
            if text:
                said.append(text)
        label = alternative_label(form)
        if said:
            label = f"{label}: {', '.join(said)}" if label else sight.sentence(", ".join(said))
        return Option(" ".join(tokens) or "-", label, self.value(index, seat))

    def value(self, index: int, viewer: sight.Seat) -> dict[str, Any]:
        """The value of an option, made anew, with the tags of cards that `viewer` has: the chooser, or None."""
        m = self._m
        alternative, *values = self._tuples[index]
        form = self._alternatives[alternative]
        picks = {
            pick.name: sight.data(m, pick.type, value, lambda card: sight.tag(m, viewer, card))
            for pick, value in zip(form.picks, values, strict=True)
        }
        return {"verb": form.verb, "picks": picks}


def alternative_label(form: Any) -> str:
    """The label its author gave it, or its verb; empty where it has neither."""
    return str(form.label or sight.sentence(sight.spaced(form.verb or "")))


class Asked(NamedTuple):
    """What is asked at a site, whoever is asked. `prompt`: the labels of its alternatives, each once."""

    alternatives: Sequence[Any]
    prompt: str


def asked_at(game: Any, site: str | tuple[str, ...]) -> Asked:
    """What is asked at a site; a question that joins several offers names the site of each."""
    if isinstance(site, str):
        found: Asked | None = game.asked.get(site)
        if found is None:
            found = game.asked[site] = _asked(game.sites[site].alternatives)
        return found
    return _asked([a for name in site for a in game.sites[name].alternatives])


def _asked(forms: Sequence[Any]) -> Asked:
    labels = dict.fromkeys(label for label in map(alternative_label, forms) if label)
    return Asked(forms, " / ".join(labels) or "Choose")


def _pick_words(m: State, seat: int, pick: Any, value: Any) -> str:
    """One pick in a label; empty for what was left out. A hidden card on a board is told by where it lies, and so is
    any card on a grid, where many may be alike."""
    if value is None or value is False:
        return ""
    kind = pick.type["of"]["t"] if pick.type["t"] == "optional" else pick.type["t"]
    if kind == "bool":
        return sight.spaced(pick.name)
    if kind == "card":
        name = sight.card_name(m, seat, value)
        on_grid = m.at[value] >= 0 and m.game.places[m.at[value]].board in m.game.grids
        if on_grid or (not sight.sees(m, seat, value) and sight.tracked(m, value)):
            return f"{name} in {sight.place_name(m, m.at[value])}"
        return name
    return sight.words(m, seat, pick.type, value)
