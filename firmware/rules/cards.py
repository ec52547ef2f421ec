"""Cards as small integers, written `4c`, `Td`, `Ah`: rank then suit.

A card is `rank * 4 + suit`, 0 to 51, so that a deck is `range(52)` and sorting is by rank. `BIT` gives each
card its place in a 64-bit hand: one 16-bit lane a suit, one bit a rank, which is what the evaluator reads.
"""

from collections.abc import Iterable, Sequence
from typing import NewType

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
DECK: tuple[Card, ...] = tuple(Card(number) for number in range(52))
BIT: tuple[int, ...] = tuple(1 << (16 * (number % 4) + number // 4) for number in range(52))

_BY_TEXT = {rank + suit: Card(4 * r + s) for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_TEXT = {card: text for text, card in _BY_TEXT.items()}


class CardError(ValueError):
    """What was written is not a card, or a card stands where it cannot."""


def parse_card(text: str) -> Card:
    try:
        return _BY_TEXT[text]
    except (KeyError, TypeError):
        raise CardError(
            f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, such as 'Td'"
        ) from None


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts)


def card_text(card: Card) -> str:
    return _TEXT[card]


def cards_text(cards: Sequence[Card | None]) -> str:
    """`4c Kd ??`: a card nobody has seen yet is written `??`."""
    return " ".join("??" if card is None else _TEXT[card] for card in cards)


def rank_of(card: Card) -> int:
    """0 for a two up to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    return card & 3
