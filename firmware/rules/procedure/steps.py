"""A step is what the procedure waits for: who does what next, in the dealer's words, on which clause.

A script yields steps and is sent the events that satisfy them. `verify` answers whether an event would, with the
sentence to show if not; nothing changes until the event is fed.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from firmware.rules.procedure.events import Event
from firmware.rules.verdicts import Refusal

Check = Callable[[Event], Refusal | None]


def _anything(_event: Event) -> Refusal | None:
    return None


@dataclass(frozen=True)
class Step:
    state: str
    who: str
    says: str
    clause: str
    takes: tuple[type[Event], ...]
    confirm: Event | None = None
    """What the dealer's confirm key means here."""
    keys: tuple[str, ...] = ()
    """What else can be keyed, as the screen shows it."""
    seat: int | None = None
    check: Check = field(default=_anything, repr=False, compare=False)

    def verify(self, event: Event) -> Refusal | None:
        if not isinstance(event, self.takes):
            return Refusal(f"not now. Next: {self.says}", self.clause)
        return self.check(event)


Script = Generator[Step, Event, None]
"""Yields what it waits for; ends when the round is closed."""


class VoidRound(Exception):
    """Thrown into a script when a round cannot go on."""

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(reason)
        self.clause = clause
        self.reason = reason
