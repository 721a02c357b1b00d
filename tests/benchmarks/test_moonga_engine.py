"""The hand-written Moonga engine against values worked out by hand from the rules."""

import importlib.util
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "engines" / "moonga.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hand_written_moonga", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


moonga = load()


class First:
    """Chance by plan: this seat chooses first."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def pick(self, name: str, items: list[int]) -> int:
        assert (name, items) == ("pick first", [0, 1])
        return self.seat


FILLERS = ("glass_golem", "aodh_light", "cinder_twins", "mischievous_fairy", "burrower")
"""Spells that are in a deck to make four; they share neither element nor group with what is looked at, where a test
says nothing else."""


def match(mine: str, theirs: str, first: int = 0, collections: Any = (None, None), **options: Any) -> Any:
    """A match between decks given as words; a deck is filled up, with Sudden Shield if it has no support spell."""
    decks = []
    for words, collection in zip((mine, theirs), collections, strict=True):
        cards = words.split()
        if not any(card in moonga.SUPPORT_INDEX for card in cards):
            cards.append("sudden_shield")
        cards += [card for card in FILLERS if card not in cards][: 5 - len(cards)]
        decks.append(moonga.Deck(cards, collection))
    return moonga.Moonga(Random(0), tuple(decks), chance=First(first), **options)


def options(m: Any, spell: str) -> list[dict[str, Any]]:
    return [option for option in m.decision()[1] if option["spell"] == spell]


def take(m: Any, spell: str, n: int = 0, *flags: str, level: int | None = None) -> None:
    wanted = {
        "spell": spell,
        "supported": "supported" in flags,
        "switched": "switched" in flags,
        "boosted": "boosted" in flags,
        "level": level,
        "invested": n,
    }
    m.choose(m.decision()[1].index(wanted))


def hurt(m: Any) -> tuple[int, int]:
    return 20 - m.health[0], 20 - m.health[1]


# ---- The round


def test_the_beginning() -> None:
    m = match("tide_serpent", "stone_kin")
    assert m.health == [20, 20] and m.power == [8, 8] and m.seat == m.first == 0
    assert {option["invested"] for option in options(m, "tide_serpent")} == {0, 1, 2, 3, 4}


def test_equal_numbers_do_no_damage() -> None:
    m = match("demon_protector", "stone_kin")  # 8/3/5 for 1; 6/6/2
    take(m, "demon_protector", 0)
    take(m, "stone_kin", 2)
    assert hurt(m) == (2, 2)  # 8 > 8 is false: 2 direct damage instead; 8 > 3
    assert m.power == [7, 6]


def test_investing_raises_attack_and_defense() -> None:
    m = match("tide_serpent", "stone_kin")  # 6/5/4, no earth: no spring; 6/6/2
    take(m, "tide_serpent", 1)
    take(m, "stone_kin", 0)
    assert hurt(m) == (0, 4)  # 7 > 6; 6 > 6 is false
    assert m.power == [7, 8]


def test_the_first_chooser_alternates_and_spells_are_spent() -> None:
    m = match("tide_serpent", "stone_kin", first=1)
    take(m, "stone_kin")
    assert m.seat == 0 and m.snapshot()["arena"][1]["spell"] == "stone_kin"
    take(m, "tide_serpent")
    assert m.seat == m.first == 0
    assert not options(m, "tide_serpent") and m.snapshot()["spent"] == [["tide_serpent"], ["stone_kin"]]


def test_a_secret_choice_shows_nothing() -> None:
    m = match("tide_serpent", "stone_kin", choice="simultaneous")
    before = m.snapshot()
    take(m, "tide_serpent", 3)
    assert m.snapshot() == before and m.seat == 1


@pytest.mark.parametrize(("mine", "lost"), [(2, 0), (3, 5)])
def test_vectors_of_the_rules(mine: int, lost: int) -> None:
    m = match("wild_boar", "daryen_guard")  # 6/4/5 against 5/7/4
    take(m, "wild_boar", mine)
    take(m, "daryen_guard", 1)
    assert hurt(m) == (0, lost)


def test_four_rounds_then_health_decides() -> None:
    m = match("tide_serpent", "stone_kin")
    take(m, "tide_serpent", 1)
    take(m, "stone_kin")
    for _ in range(6):
        m.choose(next(i for i, o in enumerate(m.decision()[1]) if not o["invested"] and not o["level"]))
    assert m.decision() is None and m.round == 4
    assert m.reason in ("More health", "Equal health")


# ---- Costs


def test_at_most_four_beside_the_cast_cost() -> None:
    m = match("paladin", "stone_kin")  # cast 2, boost 1
    assert max(option["invested"] for option in options(m, "paladin")) == 4
    take(m, "paladin", 4, "boosted")
    take(m, "stone_kin")
    assert m.power[0] == 1


def test_the_rest_limits_what_is_invested() -> None:
    m = match("durstor_golem", "stone_kin")  # cast 5, boost 1
    found = options(m, "durstor_golem")
    assert {o["invested"] for o in found if not o["boosted"]} == {0, 1, 2, 3}
    assert {o["invested"] for o in found if o["boosted"]} == {0, 1, 2}


def test_a_spell_that_cannot_be_paid_fails() -> None:
    m = match("devourer durstor_golem", "stone_kin tide_serpent")
    take(m, "devourer", 0)
    take(m, "stone_kin", 0)
    assert m.power[0] == 2 and hurt(m) == (2, 7)
    take(m, "tide_serpent")
    found = options(m, "durstor_golem")
    assert not any(o["boosted"] for o in found) and {o["invested"] for o in found} == {0, 1, 2}
    take(m, "durstor_golem", 2)
    assert m.power[0] == 0 and hurt(m) == (6, 7)  # 0/0/0: the serpent's 6 > 0


def test_the_support_works_with_a_failed_spell() -> None:
    m = match("devourer durstor_golem", "stone_kin moon_pool")
    take(m, "devourer")
    take(m, "stone_kin")
    take(m, "moon_pool", 0)
    take(m, "durstor_golem", 0, "supported")
    assert hurt(m) == (2 + 3, 7)  # 4 > 0 + 3


def test_evolutions_of_kraken_are_paid_in_health() -> None:
    m = match("kraken", "guardian")
    assert {o["level"] for o in options(m, "kraken")} == {None, 2, 3}
    take(m, "kraken", 0, level=3)  # 10/8/7, opposing attack -2
    take(m, "guardian", 0)
    assert m.health == [16, 20]  # 7 damage, and the Guardian restores what was lost
    assert m.power == [5, 7]


def test_no_evolution_for_a_failing_spell_or_without_it_in_the_collection() -> None:
    m = match("kraken devourer", "stone_kin tide_serpent", collections=({("kraken", 3)}, None))
    assert {o["level"] for o in options(m, "kraken")} == {None}  # level 3 needs level 2
    m = match("kraken", "stone_kin", collections=({("kraken", 2)}, None))
    assert {o["level"] for o in options(m, "kraken")} == {None, 2}
    m = match("kraken devourer", "stone_kin tide_serpent")
    take(m, "devourer")
    take(m, "stone_kin")
    take(m, "tide_serpent")
    assert {o["level"] for o in options(m, "kraken")} == {None}


def test_health_is_never_paid_to_the_last() -> None:
    m = match("phoenix", "stone_kin")
    m.health[0] = 3
    m._ask(0)
    assert {o["level"] for o in options(m, "phoenix")} == {None, 2}
    m.health[0] = 4
    m._ask(0)
    assert {o["level"] for o in options(m, "phoenix")} == {None, 2, 3}


# ---- Affinities


@pytest.mark.parametrize(
    ("mine", "spell", "lost"),
    [
        ("tide_serpent", "tide_serpent", 0),  # 6 > 7
        ("tide_serpent rootwarden", "tide_serpent", 4),  # spring, with earth: 8 > 7
        ("ember_drake", "ember_drake", 0),  # 7 > 7
        ("brood_mother ember_drake", "brood_mother", 0),  # one mate: 6 > 7
    ],
)
def test_affinities_against_a_defense_of_seven(mine: str, spell: str, lost: int) -> None:
    m = match(mine, "frozen_knight")  # 6/7/2
    take(m, spell)
    take(m, "frozen_knight")
    assert 20 - m.health[1] == lost


def test_summer_needs_water() -> None:
    for mine, lost in (("ember_drake", 4), ("ember_drake tide_serpent", 6)):
        m = match(mine, "stone_kin")
        take(m, "ember_drake")
        take(m, "stone_kin")
        assert 20 - m.health[1] == lost


def test_the_element_of_the_support_never_counts() -> None:
    m = match("ember_drake healing_spring", "stone_kin")
    take(m, "ember_drake")
    take(m, "stone_kin")
    assert 20 - m.health[1] == 4


def test_group_affinity_counts_each_mate_once() -> None:
    # beasts and humans: the serpent, the hound and the Storm Caller share one each: 3 + 3
    m = match("pack_leader tide_serpent lava_hound storm_caller", "glass_golem")
    take(m, "pack_leader", 4)
    take(m, "glass_golem", 0)
    assert 20 - m.health[1] == 0  # 9 > 9
    m = match("pack_leader tide_serpent lava_hound storm_caller", "frost_queen")
    take(m, "pack_leader", 2)
    take(m, "frost_queen", 0)
    assert 20 - m.health[1] == 6


# ---- Exchange and cancel


def test_an_exchanged_season_adapts_to_its_bearer() -> None:
    # The serpent's spring goes to the Salamander: fire, so summer, and water is in that deck. 5 + 2 > 5.
    m = match("mirror_salamander coral_knight", "tide_serpent rootwarden")
    take(m, "mirror_salamander")
    take(m, "tide_serpent")
    assert hurt(m) == (0, 3)  # the serpent bears the Salamander's: spring, so its defense is 4


def test_a_dark_bearer_has_no_season() -> None:
    m = match("aodh_dark rootwarden", "tide_serpent rootwarden")
    take(m, "aodh_dark")
    take(m, "tide_serpent")
    assert hurt(m) == (4, 6)  # 7 > 5; 6 > 4


def test_the_second_exchanger_finds_his_exchange_gone() -> None:
    m = match("aodh_dark", "moon_pool")
    take(m, "aodh_dark")
    take(m, "moon_pool")
    assert m.bears == [1, 0]


def test_a_support_exchanges_back() -> None:
    m = match("aodh_dark", "tide_serpent false_mirror")
    take(m, "aodh_dark")
    take(m, "tide_serpent", 0, "supported")
    assert m.bears == [0, 1]


def test_change_order() -> None:
    for order, bears in (("first_chooser", [1, 0]), ("second_chooser", [0, 1])):
        m = match("aodh_dark", "dawn_herald", change_order=order)
        take(m, "aodh_dark")
        take(m, "dawn_herald")
        assert m.bears == bears  # the Herald's cancel comes first, or finds itself exchanged


def test_what_was_cancelled_stays_cancelled_with_its_new_bearer() -> None:
    m = match("stone_kin silence", "storm_caller false_mirror")
    take(m, "stone_kin", 0, "supported")
    take(m, "storm_caller", 0, "boosted", "supported")
    # cancelled, then exchanged: the Stone Kin bears nothing that works
    assert hurt(m) == (0, 2) and not m.abilities[1] and m.bears == [1, 0]


def test_the_steadfast_are_neither_exchanged_nor_cancelled() -> None:
    m = match("aodh_dark silence", "sun_lancer")
    take(m, "aodh_dark", 0, "supported")
    take(m, "sun_lancer")
    assert m.bears == [0, 1] and len(m.abilities[1]) == 1
    assert hurt(m) == (3, 6)  # 5 + 1 > 4; 7 > 6


# ---- Damage


def test_prevention_takes_direct_damage_too() -> None:
    m = match("angel_protector", "demon_protector")
    take(m, "angel_protector", 0)
    take(m, "demon_protector", 0)  # 8 > 8 is false: 2 direct damage, both prevented
    assert hurt(m) == (0, 3)  # 4 > 3


def test_a_wholly_prevented_attack_has_dealt_nothing() -> None:
    m = match("green_sentinel", "drain_wraith", first=1)
    take(m, "drain_wraith", 4)  # 10/8/3
    take(m, "green_sentinel", 0, level=3)  # 7/9/4, 4 prevented
    assert hurt(m) == (0, 0) and m.power == [5, 4]


def test_the_guardian_and_direct_damage() -> None:
    m = match("guardian", "phoenix")
    take(m, "guardian")
    take(m, "phoenix", 0, level=3)  # 8/6/6 for 3 health, 2 direct
    assert hurt(m) == (2, 3)


def test_the_cloak_halves_the_first_wound_only() -> None:
    m = match("tide_serpent dusk_cloak", "phoenix")
    take(m, "tide_serpent", 0, "supported")
    take(m, "phoenix", 0, level=3)
    assert hurt(m) == (3 + 2, 3)


def test_thorns_and_leech() -> None:
    m = match("thorn_shade", "night_leech")  # 5/6/2; 5/5/4
    take(m, "thorn_shade", 1)
    take(m, "night_leech", 4)  # 9 > 7; 6 > 9 is false
    assert hurt(m) == (4, 2) and m.power == [7, 5]


# ---- Ends


def both_out(**options: Any) -> Any:
    m = match("demon_protector", "demon_protector", **options)
    m.health = [5, 5]
    take(m, "demon_protector")
    take(m, "demon_protector")
    return m


def test_a_knock_out_of_both() -> None:
    m = both_out()
    assert (m.winner, m.reason) == (-1, "Double K-O") and m.xp == [3, 3] and m.coins == [1, 1]
    m = both_out(competition=False)
    assert m.xp == [0, 0] and m.coins == [0, 0]
    m = both_out(double_ko="first_attacker")
    assert (m.winner, m.reason) == (0, "K-O") and m.xp == [5, 1] and m.coins == [3, 0]


def test_healing_comes_before_the_knock_out_unless_damage_is_looked_at() -> None:
    for ko, winner in (("end_of_round", None), ("on_damage", 1)):
        m = match("stone_kin healing_spring", "tide_serpent rootwarden", ko=ko)
        m.health[0] = 4
        take(m, "stone_kin", 0, "supported")
        take(m, "tide_serpent", 0)
        assert m.health[0] == (3 if winner is None else 0)
        assert (m.winner if m.reason else None) == winner


def test_rewards_follow_the_ranking() -> None:
    m = match("demon_protector", "stone_kin", rankings=(1000, 1200))
    m.health[1] = 2
    take(m, "demon_protector")
    take(m, "stone_kin", 2)
    assert (m.winner, m.reason, m.points) == (0, "K-O", [20, -20])
    m = match("demon_protector", "stone_kin")
    m.forfeit(0)
    assert (m.winner, m.xp, m.coins, m.points) == (1, [-5, 5], [0, 3], [-10, 10])


# ---- As a whole


def random_deck(rng: Random, spells: int = 999, supports: int = 999) -> Any:
    names = [spell.name for spell in moonga.SPELLS[:spells]]
    return moonga.Deck([*rng.sample(names, 4), rng.choice([name for name, _ in moonga.SUPPORTS[:supports]])])


@pytest.mark.parametrize("choice", ["alternate", "simultaneous"])
def test_random_matches_end_with_sound_accounts(choice: str) -> None:
    rng = Random(11)
    for _ in range(300):
        m = moonga.Moonga(rng, (random_deck(rng), random_deck(rng)), choice=choice)
        decisions = 0
        while m.legal():
            decisions += 1
            assert len(m.moves) == len(set(m.moves)) <= 480
            assert all(0 <= p <= 8 for p in m.power) and all(h > 0 for h in m.health)
            m.apply(rng.choice(m.moves))
        assert decisions <= 8 and m.reason
        assert sorted(m.xp) == ([3, 3] if m.winner == -1 else [1, 5])


def test_a_copy_goes_on_by_itself() -> None:
    rng = Random(5)
    for _ in range(50):
        m = moonga.Moonga(rng, (random_deck(rng), random_deck(rng)))
        for _ in range(rng.randrange(5)):
            if m.moves:
                m.apply(rng.choice(m.moves))
        if not m.moves:
            continue
        before, twin = m.snapshot(), m.copy()
        moonga.play(twin, (moonga.random_bot(rng), moonga.spender_bot(rng)))
        assert m.snapshot() == before and m.moves and not twin.moves


def test_a_deck_is_four_different_spells_and_a_support() -> None:
    for cards in (moonga.PACK[:4], (*moonga.PACK[:3], "burrower", "pack_call"), (*moonga.PACK, "guardian")):
        with pytest.raises(ValueError):
            moonga.Deck(cards)
