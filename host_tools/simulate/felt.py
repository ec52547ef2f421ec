"""What lies on the felt, as the people around it see it: kept by the simulation, never asked of the controller."""

from collections.abc import Iterable

from firmware.rules.cards import Card

DEALER = 0
"""The dealer's place among the hands."""


class Felt:
    def __init__(self) -> None:
        self.hands: dict[int, list[Card]] = {}
        self.chips: set[int] = set()
        """Seats with a progressive chip on the sensor."""
        self.collected: set[int] = set()
        """Seats whose chip the dealer has taken in this round."""
        self._face_up: set[int] = set()

    def gather(self) -> None:
        """All cards go back for the next shuffle."""
        self.hands.clear()
        self.collected.clear()
        self._face_up.clear()

    def deal(self, place: int, cards: Iterable[Card]) -> None:
        self.hands.setdefault(place, []).extend(cards)

    def turn_up(self, place: int) -> None:
        self._face_up.add(place)

    def cards_out(self) -> int:
        return sum(len(cards) for cards in self.hands.values())

    def face_down(self) -> set[Card]:
        """Cards that nobody but their holder may know."""
        return {card for place, cards in self.hands.items() if place not in self._face_up for card in cards}
