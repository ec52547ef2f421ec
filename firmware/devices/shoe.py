"""The card shoe: it gives cards only under a numbered permit, and can always say what became of one.

A permit is journalled before it is issued. The shoe acts once on each number and keeps the result until it is
acknowledged, so that after a restart of either side no card is dealt twice and none is forgotten.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from firmware.devices.faults import DeviceFault
from firmware.rules.cards import Card

Purpose = Literal["deal", "burn", "count"]
PermitState = Literal["unknown", "waiting", "active", "done"]
ShoeFaultKind = Literal["jam", "empty", "double feed", "face up"]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    permit: int
    index: int
    """0 for the first card under the permit."""
    card: Card | None
    """None: a card came out and could not be read."""


@dataclass(frozen=True, slots=True)
class ShoeFault:
    kind: ShoeFaultKind
    permit: int


class PermitReport(NamedTuple):
    state: PermitState
    """`unknown`: never heard of, acknowledged long since, or forgotten in a power cut; `waiting`: the gate is open
    and no card has come; `active`: some have; `done`: all have, and the gate is shut."""
    drawn: tuple[Card | None, ...]


class PermitRefused(DeviceFault):
    """The shoe did not act on a permit, and says why."""


class Shoe(Protocol):
    """Cards arrive as `CardDrawn` and trouble as `ShoeFault`, through the sink that the shoe was given."""

    async def permit(self, number: int, purpose: Purpose, cards: int) -> PermitReport:
        """Open the gate for so many cards. The same number again moves nothing and answers what has become of it."""
        ...

    async def became_of(self, number: int) -> PermitReport: ...

    async def acknowledge(self, number: int) -> None:
        """The result is journalled: the shoe may let it go. Shuts the gate on a permit that is not used up."""
        ...
