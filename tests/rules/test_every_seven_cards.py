"""All 133,784,560 hands of seven cards, counted with our tables and compared with the counts and edges of the notes.

A hand is four suit masks. Masks of a suit that agree in number of cards and in longest run are one class, so a few
thousand combinations of classes, each weighed by how many hands it stands for, are the whole deck.
"""

import random
from collections import Counter
from itertools import combinations, product
from math import comb, prod

import pytest
from hcf_rounds import make_game

from firmware.rules.cards import DECK, RANKS, SUITS, card_text, rank_of, suit_of
from firmware.rules.hands import (
    FLUSH,
    LANE,
    RUN_ACE_HIGH,
    RUN_ACE_LOW,
    bits_of,
    evaluate,
    flush_strength,
    has_four_of_a_kind,
    straight_flush_length,
)

ALL = comb(52, 7)


@pytest.fixture(scope="module")
def counted():
    """Hands by (longest flush, longest run ace high, longest run ace low)."""
    classes = Counter()
    example = {}
    for mask in range(LANE + 1):
        cards = FLUSH[mask] >> 13
        if cards <= 7:
            kind = cards, RUN_ACE_HIGH[mask], RUN_ACE_LOW[mask]
            classes[kind] += 1
            example[kind] = mask
    by_cards = {number: [kind for kind in classes if kind[0] == number] for number in range(8)}
    totals = Counter()
    for first, second, third in product(range(8), repeat=3):
        fourth = 7 - first - second - third
        if fourth < 0:
            continue
        for kinds in product(*(by_cards[number] for number in (first, second, third, fourth))):
            bits = sum(example[kind] << 16 * lane for lane, kind in enumerate(kinds))
            found = flush_strength(bits) >> 13, *(straight_flush_length(bits, low) for low in (False, True))
            totals[found] += prod(classes[kind] for kind in kinds)
    return totals


def by(counted, place):
    totals = Counter()
    for key, number in counted.items():
        totals[key[place]] += number
    return totals


def test_every_hand_is_counted_once(counted):
    assert sum(counted.values()) == ALL == 133_784_560


def test_MD_HCF_06_C_the_longest_flush_of_every_hand(counted):
    assert by(counted, 0) == {
        7: 6_864,
        6: 267_696,
        5: 3_814_668,
        4: 26_137_540,
        3: 78_881_088,
        2: 24_676_704,
    }


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param(1, {7: 28, 6: 1_416, 5: 36_000, 4: 615_480, 3: 7_940_748}, id="ace high only"),
        pytest.param(2, {7: 32, 6: 1_592, 5: 39_960, 4: 676_196, 3: 8_642_932}, id="ace low and high"),
    ],
)
def test_MD_HCF_06_E_the_longest_straight_flush_of_every_hand(counted, place, expected):
    found = by(counted, place)
    assert {length: number for length, number in found.items() if length >= 3} == expected


@pytest.fixture(scope="module")
def fours_of_a_kind():
    """All hands with four of a kind by longest run: (ace high, ace low)."""
    found = Counter()
    for rank in range(13):
        four = bits_of(DECK[4 * rank : 4 * rank + 4])
        others = [card for card in DECK if rank_of(card) != rank]
        for three in combinations(others, 3):
            bits = four | bits_of(three)
            assert has_four_of_a_kind(bits)
            found[straight_flush_length(bits, False), straight_flush_length(bits, True)] += 1
    return found


def test_MD_HCF_12_C_7_e_four_of_a_kind_is_held_by_13_times_48_over_3_hands(fours_of_a_kind):
    assert sum(fours_of_a_kind.values()) == 13 * comb(48, 3) == 224_848


FLUSH_EDGES = {
    "A": "7.81", "B": "5.30", "C": "4.79", "D": "7.53", "E": "10.62", "F": "11.08", "G": "9.60", "H": "14.22",
    "I": "5.05", "J": "4.05", "K": "7.29", "L": "8.96", "M": "7.93", "N": "6.78", "O": "8.06",
}  # fmt: skip
STRAIGHT_EDGES = {  # ace high only, ace low and high
    "A": ("20.51", "13.09"),
    "B": ("14.24", "6.35"),
    "C": ("14.61", "6.64"),
    "D": ("14.28", "6.27"),
    "E": ("15.58", "7.76"),
    "F": ("15.25", "7.39"),
    "G": ("15.85", "8.49"),
}


def edge(returned):
    """The house's share of a 1-unit wager over all hands, in percent with two places, rounded half up."""
    hundredths = (2 * 10_000 * (ALL - returned) + ALL) // (2 * ALL)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def to_one(game, wager, hands):
    """Units paid back over all hands, stakes of winners included."""
    return sum(
        number * (verdict.profit + 1)
        for held, number in hands
        if (verdict := game.bonus_verdict(wager, held, 1)).result == "win"
    )


@pytest.mark.parametrize("letter", FLUSH_EDGES)
def test_MD_HCF_12_B_the_edge_of_every_flush_bonus_table_is_that_of_the_notes(counted, letter):
    suited = {length: evaluate([*DECK[0 : 4 * length : 4], *other_suits(7 - length)], False) for length in range(2, 8)}
    hands = [(suited[length], number) for length, number in by(counted, 0).items()]
    assert edge(to_one(make_game({"flush_bonus": letter}), "flush_bonus", hands)) == FLUSH_EDGES[letter]


def other_suits(number):
    """So many cards that are no clubs, no more than two of a suit, and do not run on."""
    return [DECK[RANKS.index(text[0]) * 4 + SUITS.index(text[1])] for text in ("Ad", "Jd", "Ah", "Jh", "As")[:number]]


@pytest.mark.parametrize("ace_low", [False, True])
@pytest.mark.parametrize("letter", STRAIGHT_EDGES)
def test_MD_HCF_12_C_the_edge_of_every_straight_flush_bonus_table_is_that_of_the_notes(
    counted, fours_of_a_kind, letter, ace_low
):
    game = make_game({"straight_flush_bonus": letter})
    runs = by(counted, 1 + ace_low)
    fours = by(fours_of_a_kind, int(ace_low))
    examples = {3: "3c4c5cKd9hJs7d", 4: "3c4c5c6cKd9hJs", 5: "3c4c5c6c7cKd9h", 6: "3c4c5c6c7c8cKd", 7: "3c4c5c6c7c8c9c"}
    with_four = {1: "8c8d8h8sKcQd2h", 3: "8c8d8h8s9cTc2d", 4: "8c8d8h8s9cTcJc"}
    hands = [(named(text), runs[length] - fours[length]) for length, text in examples.items()]
    hands += [(named(with_four[length]), fours[length]) for length in (3, 4)]
    hands.append((named(with_four[1]), fours[1] + fours[2]))
    assert edge(to_one(game, "straight_flush_bonus", hands)) == STRAIGHT_EDGES[letter][ace_low]


def named(text):
    cards = [DECK[RANKS.index(text[at]) * 4 + SUITS.index(text[at + 1])] for at in range(0, 14, 2)]
    return evaluate(cards, False)


# --- an evaluator that shares nothing with ours ----------------------------------------------------------------


def naive_flush(cards):
    """Every suit's ranks from the top; the longest, then the highest card by card."""
    suits = [sorted((rank_of(card) for card in cards if suit_of(card) == suit), reverse=True) for suit in range(4)]
    return max((len(ranks), ranks) for ranks in suits)


def windows(order):
    """Every stretch of up to seven neighbouring ranks, longest first."""
    return [order[start : start + size] for size in range(7, 0, -1) for start in range(len(order) - size + 1)]


STRETCHES = {False: windows(RANKS), True: windows("A" + RANKS)}


def naive_run(cards, ace_low):
    names = {card_text(card) for card in cards}
    return next(
        len(ranks) for ranks in STRETCHES[ace_low] for suit in SUITS if all(rank + suit in names for rank in ranks)
    )


@pytest.fixture(scope="module")
def random_hands():
    rng = random.Random(20_000)
    hands = [rng.sample(DECK, 7) for _ in range(19_000)]
    for _ in range(1_000):  # long suits are rare: deal some from two suits and some from one
        suits = rng.sample(range(4), rng.choice((1, 2)))
        hands.append(rng.sample([card for card in DECK if suit_of(card) in suits], 7))
    return hands


def test_every_evaluation_agrees_with_an_independent_evaluator(random_hands):
    for cards in random_hands:
        length, ranks = naive_flush(cards)
        for ace_low in (False, True):
            ours = evaluate(cards, ace_low)
            assert ours.length == length, cards
            assert [rank for rank in range(12, -1, -1) if ours.strength >> rank & 1] == ranks, cards
            assert ours.straight == naive_run(cards, ace_low), cards


def test_every_comparison_agrees_with_an_independent_evaluator(random_hands):
    for one, other in zip(random_hands, reversed(random_hands), strict=True):
        ours = evaluate(one, False).strength, evaluate(other, False).strength
        theirs = naive_flush(one), naive_flush(other)
        assert (ours[0] > ours[1], ours[0] == ours[1]) == (theirs[0] > theirs[1], theirs[0] == theirs[1])
