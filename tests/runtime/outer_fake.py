"""A small game by hand, in the shapes of runtime/INTERNALS.md, for tests of the runtime's outer layer without a
compiler.

Two seats play units from hidden hands into three lanes (sneaky ones face down). It stands in for State, Game and
driver.
"""

from __future__ import annotations

import random
from types import SimpleNamespace as NS

INT = {"t": "int", "lo": None, "hi": None}
BOOL = {"t": "bool"}
PLAYER = {"t": "player"}
LANE = {"t": "element", "of": "lanes"}
UNIT = {"t": "card", "of": "unit", "in": "lanes"}
THING = {"t": "card", "of": "thing"}
SIDE = {"t": "enum", "of": "side"}


def optional(t):
    return {"t": "optional", "of": t}


def many(t):
    return {"t": "list", "of": t}


def decl(name, type=INT, **more):
    return NS(name=name, type=type, default=None, help=None, **more)


def place_decl(name, kind, sight, each=False, most=None, first=0):
    return NS(name=name, each=each, one=False, kind=kind, most=most, sight=sight, first=first, help=None)


KINDS = [
    NS(
        name="thing",
        base=None,
        fields=[decl("power")],
        flags=[decl("sneaky")],
        states=[decl("silenced", BOOL)],
        slots=[],
    ),
    NS(
        name="unit",
        base="thing",
        fields=[],
        flags=[],
        states=[decl("vigor", sight="all"), decl("mood", optional(SIDE), sight="owner")],
        slots=[NS(name="aura", nature="static", board="lanes"), NS(name="entry", nature="effect", board="lanes")],
    ),
    NS(name="item", base="thing", fields=[], flags=[], states=[], slots=[]),
]
ZONES = [
    place_decl("pile", "thing", "nobody", first=0),
    place_decl("hand", "thing", "owner", each=True, first=1),
    place_decl("stack", "thing", "top", first=3),
    place_decl("waste", "thing", "all", first=4),
]
UNITS = place_decl("units", "unit", "all", each=True, most=2, first=5)
BOARDS = [NS(name="lanes", element="lane", size=3, fields=[decl("holder", optional(PLAYER))], parts=[UNITS])]
PILE, HAND, STACK, WASTE, LANES = 0, 1, 3, 4, 5

CARDS = [
    NS(id="plague", title="the Plague", kind="unit", power=3, sneaky=False),
    NS(id="shadow", title="the Shadow", kind="unit", power=5, sneaky=True),
    NS(id="crowd", title="the Crowd", kind="unit", power=4, sneaky=False),
    NS(id="cub", title="a Cub", kind="unit", power=1, sneaky=True),
    NS(id="potion", title="the Potion", kind="item", power=0, sneaky=False),
    NS(id="bomb", title="the Bomb", kind="unit", power=9, sneaky=False),
]
PLAGUE, SHADOW, CROWD, CUB, POTION, BOMB = range(6)


def line(card, kind, of, fn, until=None, layer=0, at=1):
    return NS(
        card=CARDS[card].id, slot="aura", kind=kind, of=of, layer=layer, priority=0, order=0, fn=fn, until=until,
        file="fake.card", line=at,
    )  # fmt: skip


LINES = [
    line(PLAGUE, "modifier", "number", "m_plague", layer=0, at=10),
    line(SHADOW, "modifier", "number", "m_shadow", layer=1, at=11),
    line(POTION, "modifier", "number", "m_potion", until=True, layer=1, at=12),
    line(CROWD, "on", "resolved", "l_crowd", at=13),
    line(POTION, "instead", "hurt", "l_potion", until=True, at=14),
]


def value(name, params, type, at=1):
    return NS(name=name, params=[NS(name=n, type=t) for n, t in params], type=type, file="values.card", line=at)


VALUES = [
    value("number", [("l", LANE)], {"t": "int", "lo": 0, "hi": 9}, at=3),
    value("power", [("u", UNIT)], INT),
    value("total", [], INT),
    value("bid_of", [("p", PLAYER)], INT),
    value("top_power", [], INT),
    value("top_card", [], optional(THING)),
    value("gap", [("l", LANE), ("p", PLAYER)], INT),
    value("held", [("p", PLAYER)], many(THING)),
]

SITES = [
    NS(
        may=False, file="fake.card", line=20,
        alternatives=[
            NS(
                verb="play",
                label="Play a card",
                picks=[NS(name="c", type=THING, maybe=False), NS(name="l", type=LANE, maybe=False),
                       NS(name="boosted", type=BOOL, maybe=True)],
            ),
            NS(verb="end", label=None, picks=[]),
        ],
    ),
    NS(
        may=True, file="fake.card", line=21,
        alternatives=[
            NS(verb="mark", label="Mark a card",
               picks=[NS(name="u", type=THING, maybe=False), NS(name="p", type=PLAYER, maybe=False),
                      NS(name="e", type=SIDE, maybe=False), NS(name="n", type=INT, maybe=False),
                      NS(name="t", type=optional(THING), maybe=True)]),
        ],
    ),
]  # fmt: skip

MODEL = NS(
    game=NS(id="fake", title="Fake", version="1.0.0", players=2, limit=None),
    options=[decl("length")],
    enums=[NS(name="side", open=False, members=["sun", "full_moon"], columns={})],
    kinds=KINDS,
    zones=ZONES,
    boards=BOARDS,
    player=[decl("damage", marks=["score"]), decl("side", SIDE, marks=[]), decl("bid", marks=["owner"])],
    state=[decl("face", SIDE, sight="all"), decl("latest", optional(THING), sight="all")],
    values=VALUES,
    effects=[],
    lines=LINES,
    sites=SITES,
    periods=["match", "round"],
    unseen=[NS(kind="unit", place=["lanes"], fn="u_sneaky")],
    cards=CARDS,
)


def places():
    found = [
        NS(zone="pile", seat=None, sight="nobody", most=None),
        NS(zone="hand", seat=0, sight="owner", most=None),
        NS(zone="hand", seat=1, sight="owner", most=None),
        NS(zone="stack", seat=None, sight="top", most=None),
        NS(zone="waste", seat=None, sight="all", most=None),
    ]
    for p in found:
        p.board = p.part = p.element = None
        p.tracked = False
    for element in range(3):
        for seat in range(2):
            found.append(NS(zone=None, board="lanes", part="units", element=element, seat=seat, sight="all", most=2,
                            tracked=True))  # fmt: skip
    return found


# ---- Generated code


def v_number(m, lane):
    x = lane + 1
    for _key, card, fn, _line in m.v_number:
        x = fn(m, card, x, lane)
    return max(0, min(9, x))


def lane_of(m, card):
    return (m.at[card] - LANES) // 2


def m_plague(m, card, x, lane):
    return 0 if m.up[card] and not m.c_thing_silenced[card] and lane == lane_of(m, card) else x


def m_shadow(m, card, x, lane):
    return x - 2 if m.up[card] and not m.c_thing_silenced[card] and lane == lane_of(m, card) else x


def m_potion(m, card, x, lane):
    return x + 1


CODE = {
    "v_number": v_number,
    "v_power": lambda m, u: m.D_thing_power[m.d[u]] + v_number(m, lane_of(m, u)),
    "v_total": lambda m: sum(m.p_damage),
    "v_bid_of": lambda m, p: m.p_bid[p],
    "v_top_power": lambda m: m.D_thing_power[m.d[m.places[PILE][-1]]],
    "v_top_card": lambda m: m.places[PILE][-1],
    "v_gap": lambda m, lane, p: v_number(m, lane) - p,
    "v_held": lambda m, p: list(m.places[HAND + p]),
    "m_plague": m_plague,
    "m_shadow": m_shadow,
    "m_potion": m_potion,
    "u_sneaky": lambda m, card: m.up[card] or m.D_thing_sneaky[m.d[card]],
}


class Game:
    def __init__(self, build="b1", code=None):
        self.model = MODEL
        self.places = places()
        self.sites = SITES
        self.cards = CARDS
        self.code = dict(CODE, **(code or {}))
        self.build = build

    def start(self, seed=0, decks=None, options=None, inputs=None, cards=None, chance=None, log_limit=None,
              undo_limit=None):  # fmt: skip
        from card_runtime.match import Match, Tape
        from card_runtime.observer import Observer

        m = State(self)
        m.seed = seed
        m.obs = Observer(2, log_limit)
        if chance is not None:
            m.chance = chance if isinstance(chance, Tape) else Tape(chance)
        for d in [PLAGUE, SHADOW, CROWD, CUB, CUB, POTION, SHADOW, CROWD, CUB, PLAGUE] * 2:
            m.make(d, PILE)
        shuffle(m, PILE)
        for seat in (0, 1):
            for _ in range(4):
                m.move(m.places[PILE][-1], HAND + seat, own=seat)
        m.frames = [["flow", 0]]
        header = {"seed": seed, "decks": decks, "options": options or {}, "inputs": inputs or {}, "cards": cards or []}
        return Match(m, header, undo_limit=undo_limit)


FLAT = ("d", "at", "own", "up", "known", "age", "c_thing_silenced", "c_unit_vigor", "c_unit_mood", "p_damage", "p_side",
        "p_bid", "k_p_bid", "b_lanes_holder", "periods", "places", "decks", "frames", "lasting", "s_face", "s_latest",
        "o_length", "clock", "turn", "seed", "draws", "wait", "answer", "result")  # fmt: skip


def deep(value):
    if isinstance(value, list):
        return [deep(v) for v in value]
    return value


class State:
    def __init__(self, game):
        self.game = game
        self.D_thing_power = [c.power for c in CARDS]
        self.D_thing_sneaky = [c.sneaky for c in CARDS]
        self.K = [[k.name for k in KINDS].index(c.kind) for c in CARDS]
        for name in FLAT:
            setattr(self, name, [])
        self.places = [[] for _ in game.places]
        self.p_damage, self.p_side, self.p_bid, self.k_p_bid = [0, 0], [0, 1], [1, 2], [0, 0]
        self.b_lanes_holder = [None, None, None]
        self.periods, self.decks = [0, 1], [[], []]
        self.s_face, self.s_latest, self.o_length = 0, None, 2
        self.clock, self.turn, self.seed, self.draws = 0, 0, 0, 0
        self.wait = self.answer = self.result = self.obs = self.chance = None
        self.v_number = []

    def clone(self):
        m = object.__new__(State)
        m.__dict__.update({k: deep(v) if k in FLAT else v for k, v in self.__dict__.items()})
        m.v_number = list(self.v_number)
        return m

    def to_data(self):
        data = {k: deep(getattr(self, k)) for k in FLAT}
        if self.wait:
            data["wait"] = [*self.wait[:2], [list(o) for o in self.wait[2]], self.wait[3]]
        return data

    @classmethod
    def from_data(cls, game, data):
        m = cls(game)
        for k in FLAT:
            setattr(m, k, deep(data[k]))
        if m.wait:
            m.wait = (*m.wait[:2], [tuple(o) for o in m.wait[2]], m.wait[3])
        m.result = m.result and tuple(m.result)
        m.rebuild()
        return m

    def reset(self, card):
        d = self.d[card]
        self.c_thing_silenced[card] = False
        self.c_unit_vigor[card] = CARDS[d].power if CARDS[d].kind == "unit" else None
        self.c_unit_mood[card] = None

    def rebuild(self):
        self.v_number = []
        for card, at in enumerate(self.at):
            if at >= LANES:
                for i, entry in enumerate(LINES[:2]):
                    if entry.card == CARDS[self.d[card]].id:
                        self.v_number.append(((entry.layer, self.age[card]), card, self.game.code[entry.fn], i))
        self.v_number += [((1, 99), card, self.game.code["m_potion"], 2) for card in self.lasting]
        self.v_number.sort(key=lambda e: e[0])

    # ---- What the kernel does

    def make(self, d, place, up=True, own=None):
        card = len(self.d)
        seat = self.game.places[place].seat
        for name, v in (("d", d), ("at", place), ("own", seat if own is None else own), ("up", up), ("known", 0),
                        ("age", self.clock), ("c_thing_silenced", False), ("c_unit_vigor", None),
                        ("c_unit_mood", None)):  # fmt: skip
            getattr(self, name).append(v)
        self.reset(card)
        self.places[place].append(card)
        self.clock += 1
        self.age[card] = self.clock
        if self.obs is not None:
            self.obs.moved(self, card, -1, place)
        self.rebuild()
        return card

    def move(self, card, place, up=True, own=None, bottom=False):
        seen = self.obs.before(self, card) if self.obs is not None else 0
        source = self.at[card]
        if len(self.places[place]) == self.game.places[place].most:
            self.obs.failed(self, card, place)
            return
        self.places[source].remove(card)
        self.places[place].insert(0 if bottom else len(self.places[place]), card)
        seat = self.game.places[place].seat if own is None else own
        self.at[card], self.up[card], self.known[card] = place, up, 0
        self.own[card] = self.own[card] if seat is None else seat
        self.clock += 1
        self.age[card] = self.clock
        if self.obs is not None:
            self.obs.moved(self, card, source, place, seen)
        self.rebuild()

    def reveal(self, card, mask=3):
        seen = self.obs.before(self, card)
        self.known[card] |= mask
        if self.at[card] >= LANES:
            self.up[card] = True
        self.obs.revealed(self, card, mask, seen)


def table():
    """An empty state with an observer, to be filled by hand."""
    from card_runtime.observer import Observer

    m = State(Game())
    m.obs = Observer(2)
    return m


def shuffle(m, place):
    cards = m.places[place]
    for card in cards:
        m.known[card] = 0
    if m.chance is not None:
        cards[:] = m.chance.shuffle(m.game.places[place].zone, list(cards))
    else:
        random.Random(f"{m.seed} {m.draws}").shuffle(cards)
    m.draws += 1
    if m.obs is not None:
        m.obs.shuffled(m, place)


# ---- The driver


def options(m, seat):
    found = [
        (0, card, lane, False)
        for card in m.places[HAND + seat]
        if m.K[m.d[card]] == 1
        for lane in range(3)
        if len(m.places[LANES + lane * 2 + seat]) < 2
    ]
    return [*found, (1,)]


def advance(m):
    frame = m.frames[-1]
    if m.answer is not None:
        option, m.answer, seat = m.answer, None, m.turn
        if option[0] == 0:
            _, card, lane, _ = option
            m.move(card, LANES + lane * 2 + seat, up=not CARDS[m.d[card]].sneaky)
            if m.d[card] == BOMB:
                raise ZeroDivisionError("a card's fault")
            m.p_damage[1 - seat] += 1
            if m.obs is not None:
                m.obs.changed(m, ("player", "damage", 1 - seat), m.p_damage[1 - seat])
        elif m.places[PILE]:
            shuffle(m, PILE)
            m.move(m.places[PILE][-1], HAND + seat, own=seat)
        frame[1] += 1
    if frame[1] == 8:
        m.result, m.frames = (None, "played out"), []
        if m.obs is not None:
            m.obs.ended(m)
        return
    m.turn = frame[1] % 2
    m.wait = (m.turn, 0, options(m, m.turn), False)


def answer(m, option):
    m.answer, m.wait = option, None


def reask(m):
    seat, site, _, may = m.wait
    m.wait = (seat, site, options(m, seat), may)


def run(m, effect, *args):
    m.game.code[f"e_{effect}"](m, *args)


driver = NS(advance=advance, answer=answer, reask=reask, run=run)
