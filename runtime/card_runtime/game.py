"""A built game: loading it, starting matches, checking decks, playing matches in one go."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from card_runtime import beginning, match, own_cards
from card_runtime import decks as decks_of
from card_runtime.beginning import Deck, Decks, GameOption, coded
from card_runtime.binding import REGISTRIES, card_tables, find_pausing, lines_of, slots_of, tie
from card_runtime.bots import NAMES, bot
from card_runtime.chance import Source, keys
from card_runtime.code import Kept, Linked, Steps
from card_runtime.collector import paused
from card_runtime.decision import Asked
from card_runtime.driver import at_random, begin, counted, no_ask, play_through
from card_runtime.errors import InputError, LoadError, nearest, quoted, shown, written
from card_runtime.faults import located
from card_runtime.grids import grid_of
from card_runtime.library import EXPORTS
from card_runtime.match import Match, Result, result_of
from card_runtime.model import SEATS, Event, Model, PrintedCard, extend, read_model
from card_runtime.observer import Observer
from card_runtime.outcomes import Prototype
from card_runtime.package import contents, declare
from card_runtime.registry import UNKEYED, Maker, keyable
from card_runtime.sight import Type, declarations, lets_see
from card_runtime.soundness import check, check_running
from card_runtime.spoken import holders
from card_runtime.state import State, load_state, state_class
from card_runtime.tabling import Tables
from card_runtime.texts import Facts, Texts
from card_runtime.view import shown_over

RANDOM = ("random", "random")
MOST_PROTOTYPES = 256
"""So many states before a match's first move are kept, to begin others with the same decks and options."""


class Game:
    """A built game with its expansions. Made by `load`; holds nothing that a match changes.

    `id`, `version`, `build` say which it is; `players`: how many seats. `cards`: its printed cards, with `id`, `title`,
    `kind`, `fields`, `flags`. `decks`: its decklists, with `name`, `title`, `entries` of `[count, card id]`. `options`:
    `GameOption`s. `schema`: the JSON Schema of its cards. These four are copies, made when they are first
    asked for: who changes them changes no match."""

    def __init__(self, folder: Path, packages: list[tuple[dict[str, Any], dict[str, bytes], Path]]) -> None:
        manifest, files, _ = packages[0]
        self.folders: dict[str, Path] = {"": folder}  # Of each package, by what goes before the paths of its sources.
        data, parts = contents(files)
        self.model: Model = read_model(data)
        self.build = sha256("".join(m["build"] for m, _, _ in packages).encode()).hexdigest()[:32]
        self._schema: dict[str, Any] = json.loads(files["schema.json"])
        declared: dict[tuple[str, str], str] = {}
        declare(declared, data, manifest["id"])
        for m, fs, where in packages[1:]:
            self._fits(m, manifest)
            self.folders[root := f"{m['id']}/"] = where
            data, more = contents(fs, root)
            parts += more
            declare(declared, data, m["id"])
            extend(self.model, data, m["id"])
        self.id: str = self.model.game.id
        self.version: str = self.model.game.version
        self.players: int = SEATS
        self.limit: int = self.model.game.limit
        self.places = self.model.places
        self.sites = self.model.sites
        self.grids = {b.name: g for b in self.model.boards if (g := grid_of(b)) is not None}
        self.fading = {name: grid for name, grid in self.grids.items() if grid.kept}
        self._statics()
        self.code: dict[str, Any] = {**EXPORTS, "__name__": f"card game {self.id}"}
        self._constants()
        self.texts = Texts(parts)
        # The working folder may be another when more is kept there.
        self._kept_in = packages[-1][2].absolute() / "cache", "+".join(m["id"] for m, _, _ in packages)
        self._logged = self._linked(self.code)
        self.steps = Steps(self._logged)
        self._quiet: Linked | None = None
        self._making = threading.Lock()
        self._bind()
        self._choices = Tables()
        self._prototypes: dict[Any, Prototype] = {}
        self.asked: dict[str, Asked] = {}
        self.declared = declarations(self.model)
        self.place_names: dict[int, tuple[str, dict[str, Any]]] = {}
        self._defaults = self._options({})

    # ---- What it declares

    @cached_property
    def cards(self) -> list[PrintedCard]:
        return [card.copy() for card in self.model.cards]

    @cached_property
    def decks(self) -> list[Any]:
        return deepcopy(self.model.decklists)

    @cached_property
    def options(self) -> list[GameOption]:
        return beginning.options_of(self.model)

    @cached_property
    def schema(self) -> dict[str, Any]:
        return deepcopy(self._schema)

    @cached_property
    def holders(self) -> list[tuple[str, Type, bool]]:
        """The attributes of states that hold cards."""
        return holders(self)

    @cached_property
    def viewed(self) -> list[tuple[Any, tuple[str, ...]]]:
        """The values that views show, and over what."""
        return [(value, over) for value in self.model.values if (over := shown_over(value)) is not None]

    # ---- Loading

    def _fits(self, manifest: dict[str, Any], base: dict[str, Any]) -> None:
        of = manifest.get("base") or {}
        if of.get("id") != base["id"]:
            raise LoadError(
                f"expansion {manifest['id']} is for {of.get('id')}, not for {base['id']}: load it with its game"
            )
        if of.get("build") != base["build"]:
            same = of.get("version") == base["version"]
            other = "another build of it" if same else f"{base['id']} {of.get('version')}"
            raise LoadError(
                f"expansion {manifest['id']} was not built on this {base['id']} {base['version']} but on {other}: "
                "build it again on this one"
            )

    def _statics(self) -> None:
        """Tables over places: capacity, seat, home (zone or board), and which ways of moving are simple."""
        homes: dict[str, int] = {}
        for p in self.places:
            homes.setdefault(p.zone or p.board or "", len(homes))
        self.homes = homes
        self.home = tuple(homes[p.zone or p.board or ""] for p in self.places)
        self.seat = tuple(p.seat for p in self.places)
        self.is_board = tuple(p.board is not None for p in self.places)
        slotted = {homes[s.board] for k in self.model.kinds for s in k.slots if s.nature == "static"}
        self.plain = tuple(not b and h not in slotted for b, h in zip(self.is_board, self.home, strict=True))
        self.swift = tuple(plain and p.capacity is None for plain, p in zip(self.plain, self.places, strict=True))
        self.static_slots: dict[int, list[str]] = {}
        for k in self.model.kinds:
            for s in k.slots:
                here = self.static_slots.setdefault(homes[s.board], []) if s.nature == "static" else None
                if here is not None and s.name not in here:  # two kinds may have slots of one name
                    here.append(s.name)
        kinds = {k.name: k for k in self.model.kinds}
        self.chains: dict[str, list[Any]] = {}
        for name in kinds:
            self.chains[name] = []
            at: str | None = name
            while at is not None:
                self.chains[name].append(kinds[at])
                at = kinds[at].base
        self.ancestry = {name: frozenset(k.name for k in chain) for name, chain in self.chains.items()}
        self.secrets = tuple(
            tuple((owner.name, s.name) for owner in self.chains[k.name] for s in owner.states if s.secret)
            for k in self.model.kinds
        )
        self.states = {
            name: tuple((s, f"c_{k.name}·{s.name}") for k in chain for s in k.states)
            for name, chain in self.chains.items()
        }
        self.sole = tuple(not any(k.base == p.kind for k in self.model.kinds) for p in self.places)
        self.has_forms = bool(self.model.forms)
        self.ages = tuple(not p for p in self.plain)
        self.slotted = tuple(p.index for p in self.places if homes[p.zone or p.board or ""] in slotted)
        self.element = tuple(p.element or 0 for p in self.places)
        self.open = tuple(p.sight == "all" for p in self.places)
        self.topped = tuple(p.sight == "top" for p in self.places)
        self.followed = tuple(p.tracked for p in self.places)
        self.lets_see = tuple(map(lets_see, self.places))

    def _constants(self) -> None:
        m, code = self.model, self.code
        code["ELEMENT"] = self.element
        code["SEAT"] = self.seat
        code["PLAIN"] = (*self.plain, False)  # the last for cards that lie nowhere, whose place is -1
        for name, home in self.homes.items():
            code[f"HOME_{name}"] = home
        for e in m.enums:
            code[f"COUNT_{e.name}"] = len(e.members)
            for i, name in enumerate(e.members):
                code[f"M_{e.name}·{name}"] = i
            for column, values in e.columns.items():
                code[f"N_{e.name}·{column}"] = tuple(values)
        index = {c.id: i for i, c in enumerate(m.cards) if c.base is None}
        for name, i in index.items():
            code[f"C_{name}"] = i
        for name, grid in self.grids.items():
            code[f"GRID_{name}"] = grid
        for d in m.decklists:
            code[f"DECKLIST_{d.name}"] = [index[card] for count, card in d.entries for _ in range(count)]
        self.index = index
        self.enum_members = {e.name: e.members for e in m.enums}

    def _linked(self, space: dict[str, Any], quiet: bool = False) -> Linked:
        """One form of the code, run in `space`."""
        folder, name = self._kept_in
        return Linked(self.texts, self._facts(), Kept(folder, f"{name} {quiet}", self.texts), space, quiet)

    def keep(self) -> None:
        """Keep beside the package what was linked of its code; else that is done as the process ends."""
        for linked in (self._logged, self._quiet):
            if linked is not None:
                linked.kept.flush()

    def _facts(self) -> Facts:
        keys: dict[str, bool] = {}
        for x in self.model.lines:
            name = REGISTRIES.get(x["kind"], "t_") + x["of"]
            keys[name] = keys.get(name, True) and x["key"] != UNKEYED
        m = self.model
        typed = [(f"c_{k.name}·{s.name}", s.type) for k in m.kinds for s in k.states]
        typed += [(f"p_{f.name}", f.type) for f in m.player] + [(f"s_{s.name}", s.type) for s in m.state]
        typed += [(f"b_{b.name}·{f.name}", f.type) for b in m.boards for f in b.fields]
        listed = frozenset(name for name, t in typed if t["t"] == "list")
        parts = tuple((part.first, 2 if part.each else 1) for b in m.boards for part in b.parts)
        first = [(p.first, 1, p.each) for p in m.zones]
        first += [(p.first, b.size or 1, p.each) for b in m.boards for p in b.parts]
        homes = tuple((at, at + count * (2 if each else 1), 2 if each else 1) for at, count, each in first)
        return Facts(frozenset(keys), frozenset(name for name, keyed in keys.items() if keyed), listed, parts, homes)

    def quiet(self) -> dict[str, Any]:
        """The direct form for matches of which no logs are kept; made when it is first wanted."""
        if self._quiet is None:
            with self._making:  # games may be played in many threads
                self._quiet = self._quiet or self._made_quiet()
        return self._quiet.space

    @paused()
    def _made_quiet(self) -> Linked:
        space = {name: x for name, x in self.code.items() if name not in self.texts.home}
        linked = self._linked({**space, "__name__": f"card game {self.id} without logs"}, quiet=True)
        tie(self, linked)
        return linked

    def _bind(self) -> None:
        """Tie events, lines and slots to their code, and find what can pause."""
        m, code = self.model, self.code
        self.events: dict[str, Event] = {}
        for e in m.effects:
            event = Event(
                e.name,
                code[f"e_{e.name}"],
                f"s_e_{e.name}",
                len(e.params),
                f"t_{e.name}",
                f"i_{e.name}",
                tuple(e.calls),
                tuple(e.runs),
                e.asks,
                keyable(e.params),
            )
            self.events[e.name] = event
            code[f"E_{e.name}"] = event
        self.lines = lines_of(self, Maker(self.element))
        self.slot_code = slots_of(self)
        code.update({f"L_{name}": line for name, line in self.lines.items()})
        tie(self, self._logged)
        find_pausing(self)
        self._slots()

    def _slots(self) -> None:
        """The class of states and the tables by printed card."""
        m = self.model
        every = [f"v_{v.name}" for v in m.values] + [f"{p}_{e.name}" for e in m.effects for p in ("t", "i")]
        used = {line.registry for line in self.lines.values()}
        self.registries = tuple(name for name in every if name in used)
        per_card = [f"c_{k.name}·{s.name}" for k in m.kinds for s in k.states]
        per_player = [f"p_{f.name}" for f in m.player]
        scalar = [f"s_{s.name}" for s in m.state]
        elements = [f"b_{b.name}·{f.name}" for b in m.boards for f in b.fields]
        options = [f"o_{o.name}" for o in m.options]
        self.saved = tuple([*per_card, *per_player, *scalar, *elements])
        tables = [f"D_{k.name}·{f.name}" for k in m.kinds for f in [*k.fields, *k.flags]]
        tables += [f"D_{f.name}·{a.name}" for f in m.forms for a in f.fields]
        for k in m.kinds:
            for s in k.slots:
                tables += [f"H_{k.name}·{s.name}", *(f"D_{k.name}·{s.name}·{a.name}" for a in s.params)]
        tables += [f"{x}_{name}" for name, home in self.homes.items() if home in self.static_slots for x in "BT"]
        runs = [f"S_{k.name}·{s.name}" for k in m.kinds for s in k.slots if s.nature == "effect"]
        unused, shared = [name for name in every if name not in used], [*options, *tables, *runs, *scalar]
        scores = [f.name for f in m.player if "score" in f.marks]
        self.secrets_of_players = secrets = sorted(f.name for f in m.player if f.secret)
        fields = [*per_player, *elements]
        slots = [g.slot for g in self.grids.values()]
        self.state_class = state_class(self.registries, unused, per_card, shared, fields, secrets, scores, slots)
        self._per_card = tuple(per_card)
        self._get_lists = attrgetter("d", "at", *per_card)
        self.resets = [self.code.get(f"reset·{k.name}") for k in m.kinds]
        self.tables = card_tables(self, m.cards)

    def card_lists(self, m: State) -> list[list[Any]]:
        """The lists, one entry a card, of each state of a kind."""
        return list(self._get_lists(m)[2:])

    # ---- Matches

    def start(
        self,
        seed: int = 0,
        decks: Decks | None = None,
        options: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        *,
        chance: Source | None = None,
        cards: Sequence[Mapping[str, Any]] | None = None,
        log_limit: int | None = None,
        undo_limit: int | None = None,
    ) -> Match:
        """Begin a match and run it to its first question.

        `seed`: any int. `decks`: for each seat a decklist's name, a list of card ids, or None for the default.
        `options`: by name, members as words. `inputs`: player fields marked `input`, each a list of one value a seat.
        `chance`: an object with the methods of `card_runtime.Source`. `cards`: printed cards of this match, as
        `schema` has them; they are without abilities, and take the place of the game's own. `log_limit`: how many
        records of the log are kept, `undo_limit`: how many choices can be undone; None: all. Raises InputError."""
        beginning.check_seed(seed)
        beginning.check_limits(log_limit=log_limit, undo_limit=undo_limit)
        given = match.tape(chance)
        try:
            m = self._fresh(seed, decks, options, inputs, cards)
        except Exception as error:
            located(self, error)
        # The record has copies of its own: what the caller gave may change.
        header = match.plain(
            {"seed": seed, "decks": decks, "options": options or {}, "inputs": inputs or {}, "cards": cards}
        )
        m.chance = given
        m.obs = Observer(log_limit)
        m.obs.tags.watch(m)
        begin(m)
        return Match(m, header, undo_limit=undo_limit)

    def playout(
        self,
        seed: int = 0,
        bots: Sequence[str] = RANDOM,
        *,
        decks: Decks | None = None,
        options: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        cards: Sequence[Mapping[str, Any]] | None = None,
    ) -> Result:
        """Play one whole match between two bots, "random" or "greedy": in its direct form if both are random.

        They draw from generators of their own, seeded alike; the other arguments are those of `start`. Raises
        InputError."""
        if bots is not RANDOM:
            beginning.check_bots(bots, NAMES)
            if any(name != "random" for name in bots):
                return self._stepped(seed, bots, decks=decks, options=options, inputs=inputs, cards=cards)
        found = result_of(self._played(seed, (decks, options, inputs, cards)))
        assert found is not None
        return found

    def _stepped(self, seed: int, bots: Sequence[str], **beginning: Any) -> Result:
        """Play one match step by step, between bots that look at it."""
        played = self.start(seed, **beginning, log_limit=0, undo_limit=0)
        return match.play(played, *(bot(name, played, f"{seed}/{seat}") for seat, name in enumerate(bots)))

    def playout_state(
        self,
        seed: int = 0,
        bots: Sequence[str] = RANDOM,
        *,
        decks: Decks | None = None,
        options: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        cards: Sequence[Mapping[str, Any]] | None = None,
        ask: Callable[[int, int], int] | None = None,
    ) -> State:
        """Like `playout`, but gives the final state; `ask(seat, n)` may answer instead of the bots (declining is the
        last of `n`). Nobody looks at it: to whom hidden state of cards on an open board was revealed is not kept."""
        if bots is not RANDOM:
            beginning.check_bots(bots, NAMES)
            if any(name != "random" for name in bots):
                raise InputError('no bot of these playouts is called "greedy": there is "random"; `playout` has both')
        return self._played(seed, (decks, options, inputs, cards), ask)

    def _played(self, seed: int, given: tuple[Any, ...], ask: Callable[[int, int], int] | None = None) -> State:
        """The final state of a playout; `given`: the arguments of `_prototype`."""
        beginning.check_seed(seed)
        try:
            m, begun = self._begun(seed, given)
        except Exception as error:
            located(self, error)
        m.ask = counted(m, ask) if ask is not None else at_random(m, seed)
        play_through(m, begun)
        m.ask, m.draw, m.left = no_ask, None, None  # the bot knows the match: no cycle is to keep it
        return m

    def restore(self, text: str, *, chance: Source | None = None) -> Match:
        """Take up a saved match, the text of `to_json`, where it was; `chance` is the source it was played with, if it
        was. Raises SaveError where the text is damaged, edited or of another build."""
        return match.restore(self, text, chance=chance)

    def replay(
        self,
        record: Mapping[str, Any],
        *,
        chance: Source | None = None,
        log_limit: int | None = None,
        undo_limit: int | None = None,
    ) -> Match:
        """Play the `record` of a match again; `chance` goes on where recorded chance ends, the limits are those of
        `start`. Raises SaveError where it is no record, or does not fit the game."""
        return match.replay(self, record, chance=chance, log_limit=log_limit, undo_limit=undo_limit)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: Any) -> Game:
        """Itself, as nothing changes it: what holds a game can be copied."""
        return self

    def __reduce__(self) -> Any:
        raise InputError("a game is code, which cannot be pickled: `load` it in the other process")

    # ---- Fresh states

    def _fresh(
        self,
        seed: int,
        decks: Decks | None,
        options: Mapping[str, Any] | None,
        inputs: Mapping[str, Any] | None,
        cards: Sequence[Mapping[str, Any]] | None,
    ) -> State:
        m = self._prototype(decks, options, inputs, cards).state.clone()
        m.seed, m.keys = seed, keys(seed)
        return m

    def _begun(self, seed: int, given: tuple[Any, ...]) -> tuple[State, bool]:
        """A state for a playout, and whether its setup is over."""
        prototype = self._prototype(*given)
        drawn = keys(seed)
        after = prototype.after(self.quiet().get("setup"), drawn)
        m = (after or prototype.state).clone()
        m.seed, m.keys = seed, drawn
        return m, after is not None

    def _prototype(
        self,
        decks: Decks | None,
        options: Mapping[str, Any] | None,
        inputs: Mapping[str, Any] | None,
        cards: Sequence[Mapping[str, Any]] | None,
    ) -> Prototype:
        if decks is not None or options is not None or inputs is not None or cards is not None:
            beginning.check(decks, options, inputs, cards)
        chosen = self._options(options) if options else self._defaults
        if cards is not None or inputs:
            return Prototype(self._new_state(chosen, decks, inputs or {}, cards), False)
        key: Any = None
        if options or decks is not None:
            key = (*chosen.values(), _hashable(decks))
        prototype = self._prototypes.get(key)
        if prototype is None:
            prototype = Prototype(self._new_state(chosen, decks, {}, None), True)
            if len(self._prototypes) >= MOST_PROTOTYPES:
                self._prototypes.clear()
            self._prototypes[key] = prototype
        return prototype

    def _options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options, as generated code has them. Raises InputError."""
        names = [o.name for o in self.model.options]
        for name in given:
            if name not in names:
                near = quoted(nearest(name, names))
                raise InputError(f"no option is called {written(name)}: there are {near}")
        return {
            o.name: coded(self.model, given[o.name], o.type, f"option {o.name}") if o.name in given else o.default
            for o in self.model.options
        }

    def _new_state(
        self, options: dict[str, Any], decks: Any, inputs: Mapping[str, Any], cards: Sequence[Mapping[str, Any]] | None
    ) -> State:
        m = self.bare_state(options, None if cards is None else own_cards.tables(self, cards))
        self._inputs(m, inputs)
        decks_of.put(self, m, decks, options)
        return m

    def bare_state(self, options: dict[str, Any], tables: dict[str, Any] | None = None) -> State:
        """A state before anything was dealt or given; `options` as generated code has them. `tables`: those of cards
        that the match brings along."""
        model, code = self.model, self.code
        m = self.state_class()
        m.game = self
        for name, table in (tables or self.tables).items():
            setattr(m, name, table)
        for name, value in options.items():
            setattr(m, f"o_{name}", value)
        m.blank()
        m.places = [[] for _ in self.places]
        m.d, m.at, m.own, m.up, m.known, m.age = [], [], [], [], {}, []
        m.clock, m.turn, m.seed, m.keys, m.draws = 0, None, 0, keys(0), [0, 0, 0]
        m.periods = [0 for _ in model.periods]
        m.periods[0] = 1
        m.used, m.using, m.lasting, m.next_lasting, m.held = {}, [], [], 0, []
        m.frames, m.wait, m.answer, m.result = [], None, None, None
        m.chance, m.obs, m.ends, m.steps, m.depth, m.decisions, m.failed = None, None, 0, 0, 0, 0, False
        m.ask, m.draw, m.left = no_ask, None, None
        m.memo = None
        m.forget_layouts()
        m.borrowed = {}
        m.tables = self._choices if tables is None else Tables()  # other cards, other options
        m.decks = [[] for _ in range(SEATS)]
        m.caps = self._caps(m)
        for name in self._per_card:
            setattr(m, name, [])
        for s in model.state:
            setattr(m, f"s_{s.name}", code[f"d_state·{s.name}"](m))
        for f in model.player:
            setattr(m, f"p_{f.name}", [code[f"d_player·{f.name}"](m) for _ in range(SEATS)])
        for b in model.boards:
            for f in b.fields:
                setattr(
                    m, f"b_{b.name}·{f.name}", [code[f"d_element·{b.name}·{f.name}"](m) for _ in range(b.size or 1)]
                )
        return m

    def _caps(self, m: State) -> tuple[int | None, ...]:
        """How many cards each place has room for, by the options of the match."""
        return tuple(getattr(m, f"o_{p.capacity}") if isinstance(p.capacity, str) else p.capacity for p in self.places)

    def _inputs(self, m: State, inputs: Mapping[str, Any]) -> None:
        declared = {f.name: f for f in self.model.player if "input" in f.marks}
        for name, values in inputs.items():
            if name not in declared:
                raise InputError(f"no input is called {written(name)}: the game takes {quoted(declared)}")
            if not isinstance(values, list | tuple) or len(values) != SEATS:
                raise InputError(f"input {name} is a list of {SEATS} values, one a seat, not {shown(values)}")
            setattr(m, f"p_{name}", [coded(self.model, v, declared[name].type, f"input {name}") for v in values])

    def check_deck(self, deck: Deck, options: Mapping[str, Any] | None = None) -> list[str]:
        """The requirements that a deck (a decklist's name or a list of card ids) breaks in a match with these options,
        in the game's words; empty when it is legal. Raises InputError."""
        beginning.check_deck(deck)
        beginning.check_named("options", options)
        return decks_of.check(self, deck, self._options(options or {}))


def from_data(game: Game, data: dict[str, Any]) -> State:
    """A state read back. Raises SaveError."""
    cards = data.get("cards")
    tables = None if cards is None else own_cards.tables(game, cards)
    m = game.bare_state({o.name: o.default for o in game.model.options}, tables)
    load_state(m, data)
    m.caps = game._caps(m)
    m.keys = keys(m.seed)
    check(m)
    m.rebuild()
    check_running(m)
    return m


def _hashable(decks: Any) -> Any:
    """Decks as part of a key: names and ids are told apart by how they are held."""
    if isinstance(decks, list | tuple):
        return tuple([tuple(d) if isinstance(d, list | tuple) else d for d in decks])
    return decks


@paused()
def load(path: str | Path, expansions: Sequence[str | Path] = ()) -> Game:
    """Load a built game from its folder, with expansions built on it from theirs. Raises LoadError, which names what
    is wrong and with what."""
    from card_runtime.package import read_package

    if not isinstance(expansions, list | tuple):
        raise LoadError(f"`expansions` is a list of folders, not {shown(expansions)}")
    for p in (path, *expansions):
        if not isinstance(p, str | Path):
            raise LoadError(f"the folder of a built game is a str or a Path, not {shown(p)}")
    packages = [(*read_package(Path(p)), Path(p)) for p in (path, *expansions)]
    if packages[0][0].get("kind") != "game":
        raise LoadError(f"{path} is no game but an expansion: load its game, with `expansions=[…]`")
    for manifest, _, where in packages[1:]:
        if manifest.get("kind") != "expansion":
            raise LoadError(f"{where} is a game, not an expansion")
    try:
        return Game(Path(path), packages)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as e:
        raise LoadError(
            f"{path} is damaged or was built by another version ({type(e).__name__}: {e}): build it again"
        ) from e
