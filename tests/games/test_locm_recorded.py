"""Legends of Code and Magic against its referee: 260 recorded games of two versions, every state, command and result.

`tests/data/locm/README.md` tells where the records come from and what stands in a line. Chance comes from the record:
the seeds of the draft and of the shuffles, or the triples that the game was given. What differs is named by game,
turn, player and field. No recorded state was found to contradict the written rules.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import card_runtime as rt
import pytest
from cardc import pipeline

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "locm"
FILES = {
    "consistency-dataset-v1.2": (100, 6000, 1401, 2739, 17162),
    "consistency-dataset-v1.5": (100, 200, 1695, 5128, 73),
    "referee-random-v1.2": (30, 1800, 1097, 1339, None),
    "referee-random-v1.5": (30, 60, 906, 899, None),
}
"""Games, deck states, battle states, performed commands, illegal commands (None: not told in advance)."""

KINDS = ("creature", "green_item", "red_item", "blue_item")
LETTERS = "BCDGLW"
WORDS = ("breakthrough", "charge", "drain", "guard", "lethal", "ward")


# ---- The records


@dataclass
class Game:
    """One recorded game."""

    name: str
    version: str
    states: list[list[list[str]]]
    answers: list[list[str]]
    summaries: list[str]
    asked: list[int]  # the frames in which a player was sent a state
    scores: tuple[int, int]
    keys: dict[str, str]

    @property
    def deck_answers(self) -> int:
        return 30 if self.version == "v1_2" else 1


@cache
def lines_of(file: str) -> list[str]:
    with gzip.open(DATA / f"{file}.txt.gz", "rt", encoding="utf-8") as f:
        return [line for line in f if line.strip()]


def read(file: str, index: int) -> Game:
    line = lines_of(file)[index]
    end = line.rindex("}") + 1
    record = json.loads(line[:end])
    keys = dict(word.split("=", 1) for word in line[end:].split() if "=" in word)
    version = "v1_2" if file.endswith("v1.2") else "v1_5"
    texts = [[s for s in record["errors"][p] if s and s.strip()] for p in "01"]
    if version == "v1_5":  # the log has cut the one long state in two
        texts = [[a + b, *rest] for a, b, *rest in texts]
    states = [[[row.strip() for row in s.strip().split("\n")] for s in of] for of in texts]
    answers = [[a for a in record["outputs"][p] if a and a.strip()] for p in "01"]
    summaries = [text or "" for text in record["summaries"]]
    asked = [i for i in range(len(summaries)) if any((record["errors"][p][i] or "").strip() for p in "01")]
    return Game(
        f"{file} {index}",
        version,
        states,
        answers,
        summaries,
        asked,
        (record["scores"]["0"], record["scores"]["1"]),
        keys,
    )


def told(game: Game, calls: int) -> Iterator[tuple[list[str], int]]:
    """What the referee says of each call: the performed commands, and how many were illegal."""
    begins = game.asked[-calls:]
    for begin, end in zip(begins, [*begins[1:], len(game.summaries)], strict=True):
        text = "\n".join(game.summaries[begin:end])
        performed = re.findall(r"Player \$\d performed action: (.*)", text)
        more = re.findall(r"Performed another (\d+) illegalActions", text)
        illegal = text.count("Action is not legal:") + sum(map(int, more))
        yield [p.strip() for p in performed], illegal


# ---- Chance


class Java:
    """`java.util.Random`."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self, n: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - n)

    def below(self, n: int) -> int:
        r = self.bits(31)
        if n & (n - 1) == 0:
            return (n * r) >> 31
        while r - r % n + n - 1 >= 1 << 31:
            r = self.bits(31)
        return r % n

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        out = list(items)
        for i in range(len(out), 1, -1):
            j = self.below(i)
            out[i - 1], out[j] = out[j], out[i - 1]
        return out


def drawn(seed: int) -> tuple[list[int], list[list[int]]]:
    """The numbers of the 60 cards of a draft, and its 30 triples."""
    java = Java(seed)
    pool: list[int] = []
    while len(pool) < 60:
        if (i := java.below(160)) not in pool:
            pool.append(i)
    triples = []
    for _ in range(30):
        triple: list[int] = []
        while len(triple) < 3:
            if (i := java.below(60)) not in triple:
                triple.append(i)
        triples.append([pool[i] + 1 for i in triple])
    return [i + 1 for i in pool], triples


@dataclass
class Recorded:
    """Chance as the record has it. `decks`: the referee's ids in the order of each deck, from the top (LC-6, LC-72)."""

    version: str
    seeds: tuple[int, int]
    printed: dict[int, int]
    picks: dict[str, list[int]]
    decks: list[list[int]] = field(default_factory=lambda: [[], []])

    @staticmethod
    def of(game: Game, printed: dict[int, int]) -> Recorded:
        keys = game.keys
        seeds = (int(keys["shufflePlayer0Seed"]), int(keys["shufflePlayer1Seed"]))
        picks: dict[str, list[int]] = {}
        if "predefinedDraftIds" in keys:
            triples = [[int(n) for n in t.split("_")] for t in keys["predefinedDraftIds"].split(",")]
            picks = {f"pick {name}": [t[i] for t in triples] for i, name in enumerate(("first", "second", "third"))}
        elif game.version == "v1_2":
            pool, triples = drawn(int(keys["draftChoicesSeed"]))
            picks = {"pick pool": pool, "pick triple": [n for t in triples for n in t]}
        return Recorded(game.version, seeds, printed, picks)

    def pick(self, name: str, items: Sequence[int]) -> int:
        return self.printed[self.picks[name].pop(0)]

    def shuffle(self, name: str, items: Sequence[Any]) -> list[Any]:
        """The items stand from the bottom; so do those that are given back."""
        seat = int(name.removeprefix("shuffle deck "))
        order = Java(self.seeds[seat]).shuffled(range(len(items)))
        if self.version == "v1_2":
            self.decks[seat] = [2 * i + seat + 1 for i in range(len(items))]
        else:
            self.decks[seat] = [30 * seat + i + 1 for i in order]
        return [items[i] for i in reversed(order)]


# ---- Our states in the referee's words


@dataclass
class Table:
    """A match as the referee would tell it."""

    match: rt.Match
    version: str
    chance: Recorded

    def __post_init__(self) -> None:
        m = self.match.state
        model = m.game.model
        self.zone = {z.name: z.first for z in model.zones}
        self.units = model.boards[0].parts[0].first
        self.kind = [k.name for k in model.kinds]
        self.verbs = [a.verb for a in m.game.sites["flow·1"].alternatives]
        self.ids: dict[int, int] = {}

    def identify(self) -> None:
        """Say which card bears which id, once the decks are shuffled; hands hold their first cards in order."""
        m = self.match.state
        for seat in (0, 1):
            hand, deck = (m.places[self.zone[z] + seat] for z in ("hand", "deck"))
            self.ids |= dict(zip([*hand, *reversed(deck)], self.chance.decks[seat], strict=True))

    def id(self, card: int) -> int:
        """Copies are made one by one after the 60 cards of the decks (LC-72)."""
        return self.ids[card] if card in self.ids else 61 + card - 60

    def row(self, card: int, location: int, lane: int = -1) -> str:
        m, on_board = self.match.state, location != 0 or lane >= 0
        d = m.d[card]
        if on_board:
            attack, life, words = m.c_creature·power[card], m.c_creature·life[card], m.c_creature·words[card]
            effects = [self.match.get(f"shown_{name}", f"#{card}") for name in ("my_health", "opp_health", "draw")]
        else:
            return self.printed_row(d, self.id(card), lane)
        return self.join(d, self.id(card), location, attack, life, words, effects, lane)

    def printed_row(self, d: int, id: int, lane: int = -1) -> str:
        m = self.match.state
        attack, life, words = (getattr(m, f"D_playable·{f}")[d] for f in ("attack", "defense", "keywords"))
        effects = [getattr(m, f"D_playable·{f}")[d] for f in ("my_health", "opp_health", "draw")]
        return self.join(d, id, 0, attack, life, words, effects, lane)

    def join(
        self, d: int, id: int, location: int, attack: int, life: int, words: int, effects: list[int], lane: int
    ) -> str:
        m = self.match.state
        kind = KINDS.index(self.kind[m.K[d]])
        letters = "".join(c if words >> i & 1 else "-" for i, c in enumerate(LETTERS))
        area = [m.D_playable·area[d]] if self.version == "v1_5" else []
        parts = [
            m.D_playable·number[d],
            id,
            location,
            kind,
            m.D_playable·cost[d],
            attack,
            life,
            letters,
            *effects,
            *area,
            lane,
        ]
        return " ".join(map(str, parts))

    def header(self, seat: int, zone: str, due: tuple[int, int], locked: int = 0) -> list[str]:
        m = self.match.state
        out = []
        for p, draw, more in ((seat, due[0], 0), (1 - seat, due[1], locked)):
            rune = [m.p_rune[p]] if self.version == "v1_2" else []
            cards = len(m.places[self.zone[zone] + p]) + more
            out.append(" ".join(map(str, [m.p_health[p], m.p_max_mana[p], cards, *rune, draw])))
        return out

    def battle(self, seat: int, last: list[str]) -> list[str]:
        m = self.match.state
        lines = self.header(seat, "deck", (m.p_due[seat], 1 + m.p_extra[1 - seat]))
        hands = [m.places[self.zone["hand"] + p] for p in (0, 1)]
        lines += [f"{len(hands[1 - seat])} {len(last)}", *last]
        rows = [self.row(card, 0) for card in hands[seat]]
        for p, location in ((seat, 1), (1 - seat, -1)):
            there = [(m.age[card], card, lane) for lane in (0, 1) for card in m.places[self.units + 2 * lane + p]]
            rows += [self.row(card, location, lane) for _, card, lane in sorted(there)]
        return [*lines, str(len(rows)), *rows]

    def draft(self, seat: int) -> list[str]:
        """The offer. The second player is asked when the first has locked his choice: the referee counts it already."""
        m = self.match.state
        lines = self.header(seat, "chosen", (0, 0), seat)
        offer = [option[1] for option in m.wait[2]]
        return [*lines, "0 0", str(len(offer)), *(self.printed_row(d, -1) for d in offer)]

    def construction(self, seat: int) -> list[str]:
        m = self.match.state
        offer = [option[1] for option in m.wait[2] if option[0] == 0]
        return [*self.header(seat, "chosen", (0, 0)), "0 0", str(len(offer)), *(self.printed_row(d, -1) for d in offer)]

    # ---- Commands

    def option(self, command: str) -> tuple[Any, ...] | None:
        """The option that a command means, legal or not; None: it speaks of a card that is nowhere."""
        card_of = {self.id(card): card for card in range(len(self.match.state.d))}
        match command.split():
            case ["SUMMON", id, lane]:
                found = ("summon", card_of.get(int(id)), int(lane))
            case ["ATTACK", id, "-1"]:
                found = ("rush", card_of.get(int(id)))
            case ["ATTACK", id, target]:
                found = ("attack", card_of.get(int(id)), card_of.get(int(target)))
            case ["USE", id, "-1"]:
                found = ("blast", card_of.get(int(id)))
            case ["USE", id, target]:
                card = card_of.get(int(id))
                green = card is not None and self.kind[self.match.state.K[self.match.state.d[card]]] == "green_item"
                found = ("use" if green else "hex", card, card_of.get(int(target)))
            case _:
                raise AssertionError(command)
        return None if None in found else (self.verbs.index(found[0]), *found[1:])

    def perform(self, command: str) -> str | None:
        """Carry out a command if it is legal; the referee's line about it, else None."""
        wait, option = self.match.state.wait, self.option(command)
        if wait is None or option not in wait[2]:
            return None
        number = self.match.state.D_playable·number[self.match.state.d[option[1]]]
        self.match.choose(wait[2].index(option))
        return f"{number} {command}"


HEADER = ("health", "max mana", "deck size", "next rune", "draw")
ROW = (
    *["number", "id", "location", "type", "cost", "attack", "defence", "keywords"],
    "my health",
    "opp health",
    "draw",
    "area",
    "lane",
)


def named(lines: list[str], version: str) -> dict[str, str]:
    """The fields of a state by their names."""
    heads = [h for h in HEADER if version == "v1_2" or h != "next rune"]
    rows = [r for r in ROW if version == "v1_5" or r != "area"]
    out = {}
    for who, line in zip(("own", "other's"), lines, strict=False):
        out |= {f"{who} {name}": word for name, word in zip(heads, line.split(), strict=False)}
    hand, count = lines[2].split()
    out |= {"other's hand": hand, "commands": count}
    out |= {f"command {i}": line for i, line in enumerate(lines[3 : 3 + int(count)])}
    at = 3 + int(count)
    out["cards"] = lines[at]
    for i, line in enumerate(lines[at + 1 :]):
        out |= {f"card {i} {name}": word for name, word in zip(rows, line.split(), strict=False)}
    return out


def compare(where: str, ours: list[str], theirs: list[str], version: str) -> None:
    if ours == theirs:
        return
    a, b = named(ours, version), named(theirs, version)
    names = [name for name in {**b, **a} if a.get(name) != b.get(name)]
    different = [f"{name}: recorded {b.get(name)}, here {a.get(name)}" for name in names]
    pytest.fail(f"{where}: " + ("; ".join(different[:6]) or f"recorded {theirs}, here {ours}"))


# ---- Replaying


def made_cards(game: Game) -> list[dict[str, Any]]:
    """The cards of a match of 1.5, as its players were shown them."""
    cards = []
    for row in game.states[0][0][4:]:
        number, _, _, kind, cost, attack, defense, letters, mine, theirs, draw, area, _ = row.split()
        fields: dict[str, Any] = {
            "number": int(number),
            "cost": int(cost),
            "attack": int(attack),
            "defense": int(defense),
            "keywords": [word for word, c in zip(WORDS, letters, strict=True) if c != "-"],
            "my_health": int(mine),
            "opp_health": int(theirs),
            "draw": int(draw),
            "area": int(area),
            "made": True,
        }
        cards.append({"id": f"m{number}", "title": f"Card {number}", "kind": KINDS[int(kind)], "fields": fields})
    return cards


def begin(built: rt.Game, game: Game) -> Table:
    bounds: dict[str, Any] = {"log_limit": 0, "undo_limit": 0}
    if game.version == "v1_2":
        numbers = {c.fields["number"]: i for i, c in enumerate(built.cards) if "made" not in c.flags}
        chance = Recorded.of(game, numbers)
        options = {"version": "v1_2", "triples": "open" if "predefinedDraftIds" in game.keys else "drawn"}
        match = built.start(0, options=options, chance=chance, **bounds)
    else:
        chance = Recorded.of(game, {})
        match = built.start(0, options={"version": "v1_5"}, chance=chance, cards=made_cards(game), **bounds)
    return Table(match, game.version, chance)


def build_decks(table: Table, game: Game) -> int:
    """The draft or the construction; the number of states compared."""
    match, count = table.match, 0
    if game.version == "v1_2":
        for k in range(30):
            for p in (0, 1):
                compare(f"{game.name}, draft {k}, player {p}", table.draft(p), game.states[p][k], game.version)
                count += 1
                answer = game.answers[p][k].split()
                match.choose(int(answer[1]) if answer[0] == "PICK" else 0)
        return count
    chosen = [[int(c.split()[1]) for c in game.answers[p][0].split(";")] for p in (0, 1)]
    assert [len(c) for c in chosen] == [30, 30], game.name
    for k in range(30):
        for p in (0, 1):
            if k == 0:
                where = f"{game.name}, construction, player {p}"
                compare(where, table.construction(p), game.states[p][0], game.version)
                count += 1
            m = match.state
            options = [m.D_playable·number[option[1]] for option in m.wait[2] if option[0] == 0]
            match.choose(options.index(chosen[p][k]))
    return count


def battle(table: Table, game: Game) -> tuple[int, int, int]:
    """Replay all calls; the numbers of states, performed and illegal commands."""
    match, first = table.match, game.deck_answers
    table.identify()
    states = [of[30 if game.version == "v1_2" else 1 :] for of in game.states]
    last: list[str] = []
    performed_in_all = illegal_in_all = 0
    calls = sum(map(len, states))
    for call, (performed, not_legal) in enumerate(told(game, calls)):
        p, turn = call % 2, call // 2
        where = f"{game.name}, turn {turn}, player {p}"
        compare(where, table.battle(p, last), states[p][turn], game.version)
        last, illegal = [], 0
        if match.result is None:
            assert match.state.wait[0] == p, f"{where}: player {match.state.wait[0]} is asked"
            for command in game.answers[p][first + turn].split(";"):
                if not command.strip() or command.strip() == "PASS" or match.result is not None:
                    continue
                line = table.perform(command.strip())
                if line is None:
                    illegal += 1
                else:
                    last.append(line)
        ours = [line.split(" ", 1)[1] for line in last]
        assert ours == performed, f"{where}, commands: recorded {performed}, here {ours}"
        if match.result is None:
            assert illegal == not_legal, f"{where}, illegal commands: recorded {not_legal}, here {illegal}"
            match.choose("pass")
        performed_in_all += len(performed)
        illegal_in_all += not_legal
        if match.result is not None:  # a player may also fall when the next turn begins, in a state of its own
            falls_next = call == calls - 2 and match.state.turn == 1 - p
            assert call == calls - 1 or falls_next, f"{where}: the match is over here"
    assert match.result is not None, f"{game.name}: the match goes on after its end"
    scores = tuple(s["points"] for s in match.result.scores)
    assert scores == game.scores, f"{game.name}, scores: recorded {game.scores}, here {scores}"
    return calls, performed_in_all, illegal_in_all


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    outcome, where = pipeline.build(ROOT / "cards" / "locm", tmp_path_factory.mktemp("built") / "locm")
    assert outcome.files is not None, outcome.findings
    return rt.load(where)


@pytest.mark.parametrize("file", FILES)
def test_every_recorded_state(built, file):
    games, deck_states, battle_states, performed, illegal = FILES[file]
    assert len(lines_of(file)) == games
    counts = [0, 0, 0, 0]
    for index in range(games):
        game = read(file, index)
        table = begin(built, game)
        counts[0] += build_decks(table, game)
        for i, n in enumerate(battle(table, game)):
            counts[1 + i] += n
    assert counts[:3] == [deck_states, battle_states, performed]
    assert illegal is None or counts[3] == illegal
