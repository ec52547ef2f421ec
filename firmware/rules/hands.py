"""What seven cards are worth: the longest flush, the longest straight flush, four of a kind.

A hand is one integer made of the cards' `BIT`s, so a suit is a 13-bit mask and every question about it is a
table look-up. A flush is compared by its length, then by its own cards from the top (MD-HCF-06.D, note MD-11):
for masks of equal length the larger number is the one with the highest card that the other lacks, so a flush's
strength is simply `length << 13 | mask`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from firmware.rules.cards import BIT, RANK_NAMES, Card

LANE = 0x1FFF
LENGTH_NAMES = ("no", "one", "two", "three", "four", "five", "six", "seven")
NINE_TO_ACE_MASK = 0b1111110000000


def _longest_run(mask: int) -> int:
    """Length of the longest run of neighbouring ranks."""
    length = 0
    while mask:
        mask &= mask << 1
        length += 1
    return length


def _with_low_ace(mask: int) -> int:
    """The mask moved up one place, its ace standing below the two as well."""
    return mask << 1 | mask >> 12


FLUSH = tuple(mask.bit_count() << 13 | mask for mask in range(LANE + 1))
RUN_ACE_HIGH = tuple(_longest_run(mask) for mask in range(LANE + 1))
RUN_ACE_LOW = tuple(_longest_run(_with_low_ace(mask)) for mask in range(LANE + 1))


def bits_of(cards: Iterable[Card]) -> int:
    bits = 0
    for card in cards:
        bits |= BIT[card]
    return bits


def flush_strength(bits: int) -> int:
    """The longest flush as a number that compares as the rules compare hands; suits never break a tie."""
    best = FLUSH[bits & LANE]
    other = FLUSH[bits >> 16 & LANE]
    if other > best:
        best = other
    other = FLUSH[bits >> 32 & LANE]
    if other > best:
        best = other
    other = FLUSH[bits >> 48]
    return other if other > best else best


def flush_high_rank(strength: int) -> int:
    return (strength & LANE).bit_length() - 1


def flush_name(strength: int) -> str:
    """`three-card flush, nine high`."""
    high = RANK_NAMES[flush_high_rank(strength)]
    return f"{LENGTH_NAMES[strength >> 13]}-card flush, {high} high"


def straight_flush_length(bits: int, ace_low: bool) -> int:
    """Cards of the longest run within one suit; one or two are no hand, but are counted all the same."""
    run = RUN_ACE_LOW if ace_low else RUN_ACE_HIGH
    return max(run[bits & LANE], run[bits >> 16 & LANE], run[bits >> 32 & LANE], run[bits >> 48])


def has_suited_nine_to_ace(bits: int) -> bool:
    """Suited 9-10-J-Q-K-A, which Maryland's progressive tables D and E name apart (MD-HCF-12.E.1.d.ii)."""
    return any(bits >> lane & NINE_TO_ACE_MASK == NINE_TO_ACE_MASK for lane in (0, 16, 32, 48))


def has_four_of_a_kind(bits: int) -> bool:
    return bool(bits & bits >> 16 & bits >> 32 & bits >> 48 & LANE)


class FlushHand(NamedTuple):
    """What a set of seven cards holds for every wager of a flush game."""

    bits: int
    strength: int
    straight: int

    @property
    def length(self) -> int:
        return self.strength >> 13

    @property
    def name(self) -> str:
        return flush_name(self.strength)


def evaluate(cards: Iterable[Card], ace_low: bool) -> FlushHand:
    bits = bits_of(cards)
    return FlushHand(bits, flush_strength(bits), straight_flush_length(bits, ace_low))
