"""The swap test: whether a seat learns in a match what it may not know.

At every decision of random matches, and for each seat, what that seat does not see is exchanged for something else that
could be there, and all that it sees must stay the same: its view, its question with prompt, options and their ids, the
tags of its cards, its log, and digests of these. Three exchanges are made:

- where the match stands (`determinise`), with hidden state changed too, and the question asked again;
- while a record of the log is written;
- before an answer, of cards and hidden state that stay unseen while it is carried out: what follows must look the same.
  Where it makes other players be asked, or something hidden come to light, nothing is concluded from it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from card_runtime import CardError, determine, driver, sight
from card_runtime.bots import Random
from card_runtime.decision import Decision
from card_runtime.match import Match, digest
from card_runtime.model import SEATS
from card_runtime.observer import Left, Observer
from card_runtime.tags import Tags
from card_runtime.view import view
from msgspec import Struct, field

if TYPE_CHECKING:
    from card_runtime import Game
    from card_runtime.model import AbilityLine
    from card_runtime.state import State

SHOWN = 60
"""How many letters of a value a report shows."""


class Leak(Struct, frozen=True):
    """What a seat sees and may not know: where it stands in what the seat is shown, and both readings of it.

    `decision` counts from 1; 0 is before the first. `what`: "view", "tags", "log" (as they stand), "record" (of the
    log, as it is written) or "outcome" (of the answer to that decision)."""

    seed: int
    decision: int
    seat: int
    what: str
    where: str
    before: str
    after: str
    settings: str = ""
    answer: str = ""

    def lines(self) -> list[str]:
        """The report of it, for people."""
        when = "before the first decision" if self.decision == 0 else f"decision {self.decision}"
        told = {
            "view": "what it is shown",
            "tags": "the tags of its cards",
            "log": "its log",
            "record": "a line of its log, as it is written",
            "outcome": f"what it is shown after the answer `{self.answer}`",
        }[self.what]
        return [
            f"leak: seed {self.seed}, {when}, player {self.seat}{self.settings}",
            f"  {told} depends on what player {self.seat} cannot know",
            f"  {'at ' + self.where if self.where else 'there'}:",
            f"    as it is:          {self.before}",
            f"    otherwise hidden:  {self.after}",
        ]


class Report(Struct):
    """What a run of the swap test found; `faults` are matches that could not go on."""

    matches: int = 0
    decisions: int = 0
    swaps: int = 0
    leaks: list[Leak] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def search(
    game: Game, seeds: Iterable[int], *, most: int = 5, vary: bool = True, every: int = 1,
    length: int | None = None, advance: Callable[[int], object] = lambda matches: None,
) -> Report:  # fmt: skip
    """Play a random match from each seed and put it to the test at every decision, until `most` leaks are found.

    `vary`: matches with an odd seed have options and decks drawn at random. `every`: test only each decision of which
    the number is divisible by it. `length`: leave a match after so many decisions. `advance` is told how many matches
    are new."""
    report = Report()
    for seed in seeds:
        try:
            _Trial(game, seed, report, most, vary and bool(seed % 2), every).run(length)
        except CardError as error:
            report.faults.append(f"seed {seed}: {error}")
        report.matches += 1
        advance(1)
        if len(report.leaks) >= most:
            break
    return report


class _Enough(Exception):
    """As many leaks were found as were asked for."""


# ---- Observers that look on


class Recorder(Observer):
    """An observer that notes which cards each seat has glimpsed, and who had nothing to choose."""

    __slots__ = ("glimpsed", "showed", "skips")

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Forget what was noted: a step begins."""
        self.glimpsed: list[set[int]] = [set() for _ in range(SEATS)]
        self.skips: list[tuple[int, Any]] = []
        self.showed = False

    def copy(self) -> Recorder:
        """A clone that notes things itself."""
        copy = Recorder()
        copy._logs = [log.clone() for log in self._logs]
        copy.tags = self.tags.clone()
        return copy

    def glimpse(self, m: State, card: int, seen: int) -> None:
        at = m.at[card]
        cards = [card] if at < 0 or m.game.places[at].sight != "top" else [card, m.places[at][-1]]
        for seat, found in enumerate(self.glimpsed):
            if seen >> seat & 1:
                found.add(card)
            found.update(c for c in cards if sight.sees(m, seat, c))

    def moved(self, m: State, card: int, source: int, target: int, left: Left = None, seen: int = 0) -> None:
        super().moved(m, card, source, target, left, seen)
        self.glimpse(m, card, seen)
        if source >= 0 and m.places[source] and m.game.places[source].sight == "top":
            self.glimpse(m, m.places[source][-1], 0)

    def revealed(self, m: State, card: int, seats: int, seen: int = 0) -> None:
        super().revealed(m, card, seats, seen)
        self.glimpse(m, card, seen)

    def shown(self, m: State, what: Any, value: Any) -> None:
        super().shown(m, what, value)
        self.showed = True

    def skipped(self, m: State, seat: int, site: str) -> None:
        super().skipped(m, seat, site)
        self.skips.append((seat, site))


def _watched(name: str) -> Any:
    """The hook `name`, told once more for each seat with other hidden cards."""

    def hook(self: Spy, m: State, *args: Any) -> None:
        if self.busy or self.off:
            getattr(Recorder, name)(self, m, *args)
            return
        tags = self.tags.clone()
        serials = [log.serial for log in self._logs]
        getattr(Recorder, name)(self, m, *args)
        self.busy = True
        try:
            for seat in range(SEATS):
                self.check(m, name, args, seat, tags, serials[seat])
        finally:
            self.busy = False

    return hook


class Spy(Recorder):
    """A recorder that tests each record as it is written."""

    __slots__ = ("busy", "off", "trial")

    def __init__(self, trial: _Trial) -> None:
        super().__init__()
        self.busy = self.off = False
        self.trial = trial

    def check(self, m: State, name: str, args: tuple[Any, ...], seat: int, tags: Tags, serial: int) -> None:
        told = _added(self, seat, serial)
        if _private(m, seat, name, args):
            if told:
                self.trial.found(seat, "record", "", told[0].get("text"), "(nothing: it is not told to this player)")
            return
        probe = Observer()
        probe.tags = tags.clone()
        hidden = _unseen(m, seat)
        if name in ("moved", "revealed") and args[-1] >> seat & 1:
            hidden.discard(args[0])
        kept, m.obs = _disguise(m, hidden, self.trial.rng), probe
        places = _reorder(m, args[0], hidden, self.trial.rng) if name == "shuffled" else None
        try:
            getattr(probe, name)(m, *_other_value(m, seat, name, args))
            again: Any = _added(probe, seat, 0)
        except Exception as error:
            again = [{"text": f"(it cannot be written: {type(error).__name__})"}]
        shown = probe.tags.of(seat).copy()
        order = [shown.get(card) for card in m.places[args[0]]] if places is not None else None
        _undisguise(m, kept)
        if places is not None:
            m.places[args[0]] = places
        m.obs = self
        self.trial.report.swaps += 1
        if told != again:
            self.trial.differ(seat, "record", told, again)
        mine = self.tags.of(seat)
        if order is not None:
            if order != [mine.get(card) for card in m.places[args[0]]]:
                self.trial.differ(seat, "tags", [mine.get(card) for card in m.places[args[0]]], order)
        elif mine != shown:
            self.trial.differ(seat, "tags", _by_card(mine), _by_card(shown))
        known = [card for card in mine if not (sight.tracked(m, card) or sight.sees(m, seat, card))]
        if known:
            self.trial.found(seat, "tags", f"#{mine[known[0]]}", "follows a card that is out of sight", "(no tag)")


HOOKS = (
    "moved", "shuffled", "revealed", "failed", "ability", "ran", "formed", "exchanged", "changes", "shown", "chosen",
    "skipped", "period", "turn", "input", "ended",
)  # fmt: skip
for _name in HOOKS:
    setattr(Spy, _name, _watched(_name))


def _private(m: State, seat: int, name: str, args: tuple[Any, ...]) -> bool:
    """Whether nothing may be told to the seat: answers are their choosers', abilities of unseen cards are secret."""
    match name:
        case "chosen":
            return bool(args[0].player != seat)
        case "skipped":
            return bool(args[0] != seat)
        case "ran" | "formed":
            return not sight.sees(m, seat, args[0])
        case "ability":
            line: AbilityLine = args[1]
            return line.until is None and not sight.sees(m, seat, args[0])
    return False


def _other_value(m: State, seat: int, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a hook with another value in the place of one that the seat may not know."""
    if name not in ("changes", "shown"):
        return args
    what, value = args
    decl = sight.declared(m, what)
    if sight.knows(m, seat, what, decl):
        return args
    return what, _another(m, decl.type, value, random.Random(0))


def _added(obs: Observer, seat: int, serial: int) -> list[dict[str, Any]]:
    """The records that were told to a seat since the serial (negative: the last ones), without their serials."""
    log = obs._logs[seat]
    return log.latest(-serial if serial < 0 else log.serial - serial)


def _by_card(tags: Mapping[int, int]) -> dict[str, str]:
    return {f"card {card}": f"#{tag}" for card, tag in sorted(tags.items())}


# ---- Other hidden things


def _unseen(m: State, seat: int) -> set[int]:
    return {card for card in range(len(m.d)) if not sight.sees(m, seat, card)}


def _disguise(m: State, hidden: set[int], rng: random.Random) -> list[int]:
    """Make each hidden card any other printed card, for as long as nothing is played; the true ones are returned."""
    kept = m.d
    others = m.catalog
    m.d = list(kept)
    if len(others) > 1:
        for card in sorted(hidden):
            found = others[int(rng.random() * len(others))]
            m.d[card] = found if found != kept[card] else others[others.index(found) - 1]
    return kept


def _undisguise(m: State, kept: list[int]) -> None:
    m.d = kept


def _reorder(m: State, place: int, hidden: set[int], rng: random.Random) -> list[int]:
    """Give the unseen cards of a place that was shuffled another order; the true one is returned."""
    kept: list[int] = m.places[place]
    unseen = [card for card in kept if card in hidden]
    rng.shuffle(unseen)
    turn = iter(unseen)
    m.places[place] = [next(turn) if card in hidden else card for card in kept]
    return kept


def _another(m: State, t: Mapping[str, Any], value: Any, rng: random.Random) -> Any:
    """Another value of a simple type, or the same where there is none."""
    match t["t"]:
        case "bool":
            return not value
        case "enum":
            count = len(sight.members(m.game, t["of"]))
            return (value + 1 + int(rng.random() * (count - 1))) % count if count > 1 else value
        case "player":
            return 1 - value
        case "int":
            low, high = (getattr(m, f"o_{x}") if isinstance(x, str) else x for x in (t["lo"], t["hi"]))
            near = [n for n in (value - 2, value - 1, value + 1, value + 2) if (low is None or n >= low)]
            near = [n for n in near if high is None or n <= high]
            return near[int(rng.random() * len(near))] if near else value
        case "optional":
            return None if value is not None else value
    return value


def _change_secrets(m: State, seat: int, rng: random.Random) -> bool:
    """Change the hidden state that the seat may not know; tell whether there is any."""
    model = m.game.model
    any_ = False
    for decl in (f for f in model.player if f.secret):
        values = getattr(m, f"p_{decl.name}")
        for player in range(m.game.players):
            if not sight.sees_player(m, seat, decl, player):
                values[player] = _another(m, decl.type, values[player], rng)
                any_ = True
    for decl in (s for s in model.state if s.secret):
        any_ = True
        setattr(m, f"s_{decl.name}", _another(m, decl.type, getattr(m, f"s_{decl.name}"), rng))
    states = [(kind.name, decl) for kind in model.kinds for decl in kind.states if decl.secret]
    known = _as_new(m) if states else []
    for kind, decl in states:
        values = sight.card_state(m, kind, decl.name)
        for card, value in enumerate(values):
            if value is not None and not known[card] and not sight.sees_state(m, seat, decl, card):
                values[card] = _another(m, decl.type, value, rng)
                any_ = True
    return any_


def _as_new(m: State) -> list[bool]:
    """For each card, whether its states are known to be those of a new one: what has left a board has no others, and
    mostly so has what has never been on one."""
    fresh = determine.States(m)
    zones = [at >= 0 and m.game.places[at].zone is not None for at in m.at]
    return [at < 0 or (zone and fresh.default(card)) for card, (at, zone) in enumerate(zip(m.at, zones, strict=True))]


# ---- One match


class _Trial:
    """One random match, tested at every decision."""

    def __init__(self, game: Game, seed: int, report: Report, most: int, varied: bool, every: int) -> None:
        self.game, self.seed, self.report, self.most, self.every = game, seed, report, most, every
        self.rng = random.Random(seed * 7919 + 1)
        self.decision = 0
        self.answer = ""
        self.beginning = _beginning(game, self.rng) if varied else {}

    def run(self, length: int | None) -> None:
        try:
            self._run(length)
        except _Enough:
            return

    def _run(self, length: int | None) -> None:
        game = self.game
        spy = Spy(self)
        m = game._fresh(self.seed, self.beginning.get("decks"), self.beginning.get("options", {}), {}, None)
        m.obs = spy
        spy.tags.watch(m)
        driver.begin(m)
        match = Match(m, {"seed": self.seed, "decks": None, "options": {}, "inputs": {}, "cards": None}, undo_limit=0)
        bot = Random(self.seed)
        seats = range(SEATS)
        for seat in seats:
            self.still(m, seat)
        while (decision := match.decision) is not None:
            if self.decision == length:
                return
            self.decision += 1
            tested = self.decision % self.every == 0
            spy.off = not tested
            answer = bot(decision)
            if not tested:
                match.choose(answer)
                continue
            self.report.decisions += 1
            assert m.wait is not None
            chosen = m.wait[2][answer[0]] if answer else None
            self.answer = decision.option(answer[0]).id if answer else "nothing"
            before = m.clone()
            before.obs = spy.copy()
            serials = [spy._logs[seat].serial for seat in seats]
            spy.begin()
            match.choose(answer)
            for seat in seats:
                self.after(m, before, chosen, seat, self.still(m, seat), serials[seat])

    # ---- What is compared

    def still(self, m: State, seat: int) -> dict[str, Any]:
        """Exchange what is hidden where the match stands, and compare; what the seat is shown is returned."""
        shown = view(m, seat)
        self.report.swaps += 1
        c = determine.determinise(m, seat, self.rng.getrandbits(48))
        _change_secrets(c, seat, self.rng)
        if c.wait is not None and c.wait[0] == seat:
            try:
                driver.reask(c)
            except Exception as error:
                why = f"(cannot be asked: {type(error).__name__}: {error})"
                self.found(seat, "view", "decision", "a question", why)
        again = view(c, seat)
        if shown != again:
            self.differ(seat, "view", shown, again)
        elif digest(shown) != digest(again):
            self.found(seat, "view", "", f"digest {digest(shown)}", f"digest {digest(again)}")
        assert m.obs is not None and c.obs is not None
        if m.obs.tags.of(seat) != c.obs.tags.of(seat):
            mine, other = (self._tagged(state, seat) for state in (m, c))
            if mine != other:
                self.differ(seat, "tags", mine, other)
        mine_log, other_log = m.obs._logs[seat], c.obs._logs[seat]
        if mine_log.serial != other_log.serial or _added(m.obs, seat, -3) != _added(c.obs, seat, -3):
            self.differ(seat, "log", mine_log.records(), other_log.records())
        return shown

    @staticmethod
    def _tagged(m: State, seat: int) -> dict[str, Any]:
        """The tags of a seat by where they are, as far as it sees where."""
        assert m.obs is not None
        tags = m.obs.tags.of(seat)
        found: dict[str, Any] = {}
        for place, cards in enumerate(m.places):
            held = [tags[card] for card in cards if card in tags]
            if held:
                found[sight.place_name(m, place)] = [f"#{tag}" for tag in held]
        return found

    def after(
        self, m: State, before: State, chosen: tuple[Any, ...] | None, seat: int, shown: dict[str, Any], serial: int
    ) -> None:
        """Exchange cards before the answer that the seat does not see until after it, and compare what follows."""
        spy = m.obs
        assert isinstance(spy, Recorder)
        c = before.clone()
        assert isinstance(before.obs, Recorder)
        recorder = before.obs.copy()
        c.obs = recorder
        seen_now = {card for card in range(len(c.d)) if sight.sees(m, seat, card)}
        hidden = [
            card
            for card in range(len(c.d))
            if c.at[card] >= 0
            and card not in spy.glimpsed[seat]
            and card not in seen_now
            and not sight.sees(c, seat, card)
        ]
        determine.redeal(c, hidden, self.rng)
        changed = {card for card in hidden if c.d[card] != before.d[card]}
        secrets = self.decision % 2 == 0 and not spy.showed and _change_secrets(c, seat, self.rng)
        if not changed and not secrets:
            return
        c.rebuild()
        self.report.swaps += 1
        if not self._follow(c, chosen):
            return
        if secrets and recorder.showed:
            return
        if any(card in recorder.glimpsed[seat] or sight.sees(c, seat, card) for card in changed):
            return
        if [s for s in spy.skips if s[0] != seat] != [s for s in recorder.skips if s[0] != seat]:
            return
        if _asked(m) != _asked(c) and {q[0] for q in (_asked(m), _asked(c)) if q is not None} != {seat}:
            return
        again = view(c, seat)
        if shown != again:
            self.differ(seat, "outcome", shown, again)
        told, told_again = _added(spy, seat, serial), _added(recorder, seat, serial)
        if told != told_again:
            self.differ(seat, "outcome", {"log": told}, {"log": told_again})

    def _follow(self, c: State, chosen: tuple[Any, ...] | None) -> bool:
        """Carry out the answer on a copy; False where nothing follows from it."""
        try:
            asked = c.wait
            assert asked is not None
            driver.reask(c)
            if c.wait is None or c.wait[:2] != asked[:2]:
                return False
            if chosen is not None and chosen not in c.wait[2]:
                return False
            decision = Decision(c)
            index = None if chosen is None else c.wait[2].index(chosen)
            assert c.obs is not None
            c.obs.chosen(c, decision, index)
            decision.close()
            driver.answer(c, chosen)
            driver.advance(c)
        except Exception:  # a fault in what cannot be, but the seat does not know that
            return False
        return True

    # ---- What is told

    def differ(self, seat: int, what: str, before: Any, after: Any) -> None:
        where, one, other = next(differences(before, after))
        self.found(seat, what, where, one, other)

    def found(self, seat: int, what: str, where: str, before: Any, after: Any) -> None:
        options = self.beginning.get("options")
        words = ", ".join(f"{name}={value}" for name, value in options.items()) if options else ""
        leak = Leak(
            self.seed, self.decision, seat, what, where, _short(before), _short(after), words and f" ({words})",
            self.answer if what == "outcome" else "",
        )  # fmt: skip
        self.report.leaks.append(leak)
        if len(self.report.leaks) >= self.most:
            raise _Enough


def _asked(m: State) -> tuple[Any, ...] | None:
    return None if m.wait is None else m.wait[:2]


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON-able values differ, each with its path: `zones.hand[1].count`."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            inner = f"{path}.{key}" if path else str(key)
            if key not in before or key not in after:
                yield inner, before.get(key, "(nothing)"), after.get(key, "(nothing)")
            else:
                yield from differences(before[key], after[key], inner)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        for i in range(max(len(before), len(after))):
            inner = f"{path}[{i}]"
            if i >= len(before) or i >= len(after):
                one, other = ("(nothing)" if i >= len(x) else x[i] for x in (before, after))
                yield inner, one, other
            else:
                yield from differences(before[i], after[i], inner)
    elif before != after:
        yield path, before, after


def _short(value: Any) -> str:
    text = str(value.get("text", value)) if isinstance(value, dict) else str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _beginning(game: Game, rng: random.Random) -> dict[str, Any]:
    """Options and decks at random, such that a match can begin with them."""
    for _ in range(10):
        options = {o.name: found for o in game.model.options if (found := _option(game, o.type, rng)) is not None}
        names = [d.name for d in game.model.decklists]
        decks = None
        if game.model.deck is not None and names:
            decks = [names[int(rng.random() * len(names))] for _ in range(game.players)]
        try:
            game._fresh(0, decks, options, {}, None)
        except CardError:
            continue
        return {"options": options, "decks": decks}
    return {}


def _option(game: Game, t: Mapping[str, Any], rng: random.Random) -> Any:
    match t["t"]:
        case "bool":
            return rng.random() < 0.5
        case "enum":
            members: Sequence[str] = sight.members(game, t["of"])
            return members[int(rng.random() * len(members))]
        case "int" if isinstance(t["lo"], int) and isinstance(t["hi"], int):
            return t["lo"] + int(rng.random() * (t["hi"] - t["lo"] + 1))
    return None
