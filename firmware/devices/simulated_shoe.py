"""The shoe's twin: deals a given or a seeded deck, and fails on request."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware.devices.edges import Post
from firmware.devices.shoe import CardDrawn, PermitRefused, PermitReport, Purpose, ShoeFault
from firmware.rules.cards import DECK, Card


class GateShut(Exception):
    """The hand that pulled found the gate shut: no permit is open."""


@dataclass(slots=True)
class _Permit:
    purpose: Purpose
    cards: int
    drawn: list[Card | None] = field(default_factory=list)

    def report(self) -> PermitReport:
        if len(self.drawn) >= self.cards:
            return PermitReport("done", tuple(self.drawn))
        return PermitReport("active" if self.drawn else "waiting", tuple(self.drawn))


class ShoeMechanism:
    """What the simulated shoe does, without the question of who asks: in this process or over the bench's link."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._cards: list[Card] = []
        self._jammed = False
        self._next_unread = False
        self._next_double = False
        self._next_face_up = False
        self.lose_power()

    def lose_power(self) -> None:
        """Cards stay where they are; every permit and result is forgotten and the gate falls shut."""
        self._permits: dict[int, _Permit] = {}
        self._last = 0
        self._open: int | None = None

    def load(self, cards: Sequence[Card]) -> None:
        """The first card given is the first to come out."""
        self._cards = list(cards)

    def load_seeded(self, seed: int) -> None:
        cards = list(DECK)
        random.Random(seed).shuffle(cards)
        self.load(cards)

    def remaining(self) -> int:
        return len(self._cards)

    def gate_open(self) -> bool:
        return self._open is not None

    def permit(self, number: int, purpose: Purpose, cards: int) -> PermitReport:
        known = self._permits.get(number)
        if known is not None:
            if (known.purpose, known.cards) != (purpose, cards):
                raise PermitRefused(
                    f"shoe: permit {number} was issued to {known.purpose} {known.cards} cards, "
                    f"not to {purpose} {cards}: issue a new number"
                )
            return known.report()
        if number <= self._last:
            raise PermitRefused(
                f"shoe: permit {number} is not newer than {self._last}, the last one acted on: issue a new number"
            )
        if self._open is not None:
            raise PermitRefused(
                f"shoe: permit {self._open} is still open: finish or acknowledge it before permit {number}"
            )
        if cards < 1:
            raise PermitRefused(f"shoe: permit {number} is for {cards} cards: a permit is for one card or more")
        self._permits[number] = _Permit(purpose, cards)
        self._last = self._open = number
        return self._permits[number].report()

    def became_of(self, number: int) -> PermitReport:
        permit = self._permits.get(number)
        return PermitReport("unknown", ()) if permit is None else permit.report()

    def acknowledge(self, number: int) -> None:
        self._permits.pop(number, None)
        if self._open == number:
            self._open = None

    def draw(self) -> tuple[Card, ...]:
        """The dealer's hand pulls. Gives what is then in the hand, which is more than the shoe may have read."""
        if self._open is None:
            raise GateShut("shoe: the gate is shut: no permit is open")
        number = self._open
        if self._jammed:
            self._post(ShoeFault("jam", number))
            return ()
        if not self._cards:
            self._post(ShoeFault("empty", number))
            return ()
        in_hand = [self._come_out(number, read=not self._next_unread)]
        self._next_unread = False
        if self._next_double and self._cards:
            self._next_double = False
            in_hand.append(self._come_out(number, read=False))
            self._post(ShoeFault("double feed", number))
        if self._next_face_up:
            self._next_face_up = False
            self._post(ShoeFault("face up", number))
        return tuple(in_hand)

    def _come_out(self, number: int, *, read: bool) -> Card:
        permit = self._permits[number]
        card = self._cards.pop(0)
        permit.drawn.append(card if read else None)
        if len(permit.drawn) >= permit.cards:
            self._open = None
        self._post(CardDrawn(number, len(permit.drawn) - 1, card if read else None))
        return card

    def jam(self, jammed: bool = True) -> None:
        self._jammed = jammed

    def misread_next(self) -> None:
        self._next_unread = True

    def double_feed_next(self) -> None:
        """Two cards come out as one: the second lies unread under the first."""
        self._next_double = True

    def face_up_next(self) -> None:
        self._next_face_up = True


class SimulatedShoe:
    """The twin in this process. `mechanism` is the side that the bench's hand touches."""

    def __init__(self, post: Post) -> None:
        self.mechanism = ShoeMechanism(post)

    async def permit(self, number: int, purpose: Purpose, cards: int) -> PermitReport:
        return self.mechanism.permit(number, purpose, cards)

    async def became_of(self, number: int) -> PermitReport:
        return self.mechanism.became_of(number)

    async def acknowledge(self, number: int) -> None:
        self.mechanism.acknowledge(number)
