"""The state of a match: one slotted object of ints and flat lists (see `runtime/INTERNALS.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from card_runtime.errors import SaveError
from card_runtime.model import SEATS

if TYPE_CHECKING:
    from card_runtime.chance import Keys
    from card_runtime.game import Game
    from card_runtime.model import AbilityLine
    from card_runtime.observer import Observer
    from card_runtime.tabling import Tables

Frame: TypeAlias = list[Any]
Wait: TypeAlias = tuple[int, Any, list[tuple[Any, ...]], bool]

SAVED = (
    "places",
    "d",
    "at",
    "own",
    "up",
    "known",
    "age",
    "clock",
    "turn",
    "periods",
    "used",
    "using",
    "lasting",
    "seed",
    "draws",
    "frames",
    "wait",
    "result",
    "held",
    "decks",
    "next_lasting",
    "decisions",
)


class State:
    """What every game has. A game's class adds a slot for each of its fields and registries (`state_class`)."""

    __slots__ = (
        "K",
        "age",
        "answer",
        "ask",
        "at",
        "base",
        "borrowed",
        "by_slot",
        "caps",
        "catalog",
        "chance",
        "clock",
        "d",
        "decisions",
        "decks",
        "depth",
        "draw",
        "draws",
        "ends",
        "failed",
        "forms",
        "frames",
        "game",
        "held",
        "keys",
        "known",
        "lasting",
        "left",
        "memo",
        "next_lasting",
        "obs",
        "own",
        "periods",
        "places",
        "printed",
        "result",
        "seed",
        "statics",
        "steps",
        "tables",
        "turn",
        "up",
        "used",
        "using",
        "wait",
    )

    game: Game
    places: list[list[int]]
    d: list[int]
    at: list[int]
    own: list[int | None]
    up: list[bool]
    known: dict[int, int]
    age: list[int]
    clock: int
    turn: int | None
    periods: list[int]
    used: dict[tuple[Any, str], int]
    using: list[tuple[Any, str]]
    lasting: list[tuple[int, tuple[str, ...], tuple[Any, ...], int | None]]
    next_lasting: int
    ends: int
    seed: int
    keys: Keys
    draws: list[int]
    chance: Any
    frames: list[Frame]
    wait: Wait | None
    answer: tuple[Any, ...] | None
    result: tuple[int | None, str] | None
    held: list[list[tuple[str, tuple[Any, ...]]]]
    decks: list[list[int]]
    obs: Observer | None
    steps: int
    depth: int
    failed: bool
    decisions: int
    ask: Callable[[int, int], int]
    draw: Iterator[int] | None
    left: tuple[int, Iterator[int]] | None
    K: list[int]
    catalog: list[int]
    printed: list[Any]
    statics: list[list[tuple[AbilityLine, ...]] | None]
    caps: tuple[int | None, ...]
    memo: dict[Any, Any] | None
    tables: Tables
    base: list[int]
    forms: list[list[int]]
    by_slot: list[dict[str, tuple[AbilityLine, ...]]]
    borrowed: dict[int, dict[str, int]]

    def clone(self) -> State:
        """An independent copy; static tables are shared. Each game has its own, written out by `state_class`."""
        raise NotImplementedError

    def blank(self) -> None:
        """Give a new state its registries, which are empty, and nothing secret that was shown; written out likewise."""
        raise NotImplementedError

    def forget_lines(self) -> None:
        """Empty all registries; written out likewise."""
        raise NotImplementedError

    def forget_layouts(self) -> None:
        """A card has moved: how grids are laid out is to be found anew; written out likewise."""
        raise NotImplementedError

    def more_cards(self, n: int) -> None:
        """Lengthen the lists of the states of cards; written out likewise."""
        raise NotImplementedError

    def scores(self) -> tuple[dict[str, int], ...]:
        """For each seat, its fields marked `score`; written out likewise."""
        raise NotImplementedError

    # ---- Saving

    def to_data(self) -> dict[str, Any]:
        """The state as plain JSON values: everything from which the match goes on, nothing derived."""
        out: dict[str, Any] = {name: getattr(self, name) for name in SAVED}
        out["used"] = [[list(k) if isinstance(k, tuple) else k, name, n] for (k, name), n in self.used.items()]
        out["known"] = [[card, mask] for card, mask in sorted(self.known.items())]
        out["borrowed"] = [[card, dict(sorted(slots.items()))] for card, slots in sorted(self.borrowed.items())]
        masks = [(name, getattr(self, f"h_{name}")) for name in self.game.secrets_of_players]
        out["shown"] = [[f"p_{name}", i, mask] for name, found in masks for i, mask in enumerate(found) if mask]
        out["fields"] = {name: getattr(self, name) for name in self.game.saved}
        out["options"] = {o.name: getattr(self, f"o_{o.name}") for o in self.game.model.options}
        if self.printed is not self.game.tables["printed"]:
            from card_runtime.own_cards import as_given

            out["cards"] = as_given(self.printed)
        return out

    def rebuild(self) -> None:
        """Make what is not saved anew: from where the cards lie, their ages, what lasts, and what runs."""
        from card_runtime.events import rebuild

        rebuild(self)


def _copy_frame(f: Frame) -> Frame:
    """A frame's lists are never changed in place, but for the stacks that `together each` keeps in its frame."""
    if f[0] == "·together":
        return [*f[:3], [[_copy_frame(g) for g in stack] for stack in f[3]], f[4][:], f[5][:]]
    return f[:]


SHARED = (
    "K",
    "answer",
    "ask",
    "base",
    "by_slot",
    "caps",
    "catalog",
    "chance",
    "clock",
    "decisions",
    "decks",
    "depth",
    "ends",
    "forms",
    "game",
    "keys",
    "next_lasting",
    "printed",
    "result",
    "seed",
    "statics",
    "steps",
    "tables",
    "turn",
    "wait",
)
COPIED = ("age", "at", "d", "draws", "lasting", "own", "periods", "up", "using")
KEPT = {
    "places": "[*map(copy_list, m.places)]",
    "known": "m.known.copy() if m.known else {}",
    "borrowed": "m.borrowed",
    "used": "m.used.copy() if m.used else {}",
    "held": "[h.copy() for h in m.held] if m.held else []",
    "frames": "[copy_frame(f) if f[0] == '·together' else f.copy() for f in m.frames] if m.frames else []",
    "memo": "None",
    "draw": "None",
    "left": "None",
    "obs": "None",
    "failed": "False",
}
"""How a clone comes by each of the slots that every game has: the same object, a copy of a list, or as written."""


def state_class(
    registries: Sequence[str],
    unused: Sequence[str],
    per_card: Sequence[str],
    shared: Sequence[str],
    listed: Sequence[str],
    secrets: Sequence[str],
    scores: Sequence[str],
    grids: Sequence[str] = (),
) -> type[State]:
    """The class of a game's states: slots for the registries that lines enter (for the others, what is in them), for
    lists with an entry a card, for what clones share or copy, and for the layouts of `grids`. What goes through slots
    is written out: search takes millions of clones. `secrets`: the fields of players that only their owner sees;
    `scores`: those of a result."""
    shown = [f"h_{name}" for name in secrets]
    copied = (*COPIED, *per_card, *listed, *shown)
    text = ["def clone(m):", "    c = new(cls)"]
    text += [f"    c.{name} = m.{name}" for name in (*SHARED, *shared, *grids)]
    text += [f"    c.{name} = m.{name}.copy() if m.{name} else {{}}" for name in registries]
    text += [f"    c.{name} = m.{name}.copy()" for name in copied]
    text += [f"    c.{name} = {value}" for name, value in KEPT.items()]
    text += ["    return c", "def blank(m):", *(f"    m.{name} = {{}}" for name in registries)]
    text += [*(f"    m.{name} = [0] * {SEATS}" for name in shown), "    return"]
    text += ["def forget_lines(m):", *(f"    m.{name}.clear()" for name in registries), "    return"]
    text += ["def forget_layouts(m):", *(f"    m.{name} = None" for name in grids), "    return"]
    text += ["def more_cards(m, n):", "    blank = [None] * n", *(f"    m.{name} += blank" for name in per_card)]
    seats = (", ".join(f"{name!r}: m.p_{name}[{seat}]" for name in scores) for seat in (0, 1))
    text += ["def scores(m):", f"    return ({', '.join(f'{{{fields}}}' for fields in seats)})"]
    space: dict[str, Any] = {"new": State.__new__, "copy_frame": _copy_frame, "copy_list": list.copy}
    exec("\n".join(text), space)
    written = ("clone", "blank", "forget_lines", "forget_layouts", "more_cards", "scores")
    methods = {name: space[name] for name in written}
    slots = (*registries, *per_card, *shared, *listed, *shown, *grids)
    space["cls"] = cls = type("State", (State,), {"__slots__": slots, **methods, **{name: {} for name in unused}})
    return cls


def load_state(m: State, data: dict[str, Any]) -> None:
    """Fill a fresh state of the same game with what `to_data` gave, read back from JSON."""
    try:
        for name in SAVED:
            setattr(m, name, data[name])
        m.used = {(tuple(k) if isinstance(k, list) else k, name): n for k, name, n in data["used"]}
        for name in m.game.secrets_of_players:
            masks = {i: mask for field, i, mask in data["shown"] if field == f"p_{name}"}
            setattr(m, f"h_{name}", [masks.get(seat, 0) for seat in range(SEATS)])
        m.borrowed = {card: slots for card, slots in data["borrowed"]}
        m.known = {card: mask for card, mask in data["known"]}
        m.using = [(tuple(k) if isinstance(k, list) else k, name) for k, name in data["using"]]
        m.lasting = [(i, tuple(lines), tuple(env), period) for i, lines, env, period in data["lasting"]]
        m.held = [[(name, tuple(args)) for name, args in h] for h in data["held"]]
        m.frames = [_load_frame(f) for f in data["frames"]]
        w = data["wait"]
        m.wait = (
            None
            if w is None
            else (w[0], tuple(w[1]) if isinstance(w[1], list) else w[1], [tuple(o) for o in w[2]], w[3])
        )
        m.result = None if data["result"] is None else (data["result"][0], data["result"][1])
        for name in m.game.saved:
            setattr(m, name, data["fields"][name])
        for o in m.game.model.options:
            setattr(m, f"o_{o.name}", data["options"][o.name])
    except (KeyError, TypeError, ValueError, IndexError) as e:
        raise SaveError("the save does not hold a whole state of this game; use an undamaged copy") from e


def _load_frame(f: Frame) -> Frame:
    """JSON makes lists of tuples; frames hold tuples in known places only."""
    from card_runtime.events import load_frame

    return load_frame(f)
