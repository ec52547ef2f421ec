"""What can happen in a round: one small record a thing, told by a sensor, a reader or a person's touch.

Events are what the journal keeps and what a script is re-run over, so each goes to JSON and comes back the same.
`BY` says whose word it takes: a floorperson's decision needs a floorperson's PIN and the key switch.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from firmware.rules.cards import Card, card_text, parse_card

DEALER, FLOORPERSON, DEVICE = "dealer", "floorperson", "device"


@dataclass(frozen=True)
class Event:
    BY: ClassVar[str] = DEALER

    @property
    def kind(self) -> str:
        return type(self).__name__


@dataclass(frozen=True)
class ShoeLoaded(Event):
    """The cards are shuffled, cut and in the shoe."""


@dataclass(frozen=True)
class WagerKeyed(Event):
    """The dealer touched a seat's wager; `cents` None means that it is there and nobody said how much."""

    seat: int
    wager: str
    cents: int | None = None


@dataclass(frozen=True)
class WagerCleared(Event):
    seat: int
    wager: str


@dataclass(frozen=True)
class BoxesShared(Event):
    """Neighbouring boxes that one player bets on."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class LockedOut(Event):
    """The lock-out button, with what each progressive sensor read at that moment."""

    BY: ClassVar[str] = DEVICE
    readings: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class AnteAnswered(Event):
    """Whether an Ante lies at a seat whose progressive chip came in time."""

    seat: int
    down: bool


@dataclass(frozen=True)
class ChipsCounted(Event):
    count: int


@dataclass(frozen=True)
class ChipStruck(Event):
    """A floorperson takes a seat out of the progressive because its chip was not there."""

    BY: ClassVar[str] = FLOORPERSON
    seat: int
    reason: str


@dataclass(frozen=True)
class CardDealt(Event):
    """The shoe let one card out; None when it could not read it."""

    BY: ClassVar[str] = DEVICE
    card: Card | None


@dataclass(frozen=True)
class FeltStated(Event):
    """How many cards lie on the felt, when shoe and controller both lost power and nobody else knows."""

    BY: ClassVar[str] = FLOORPERSON
    cards: int


@dataclass(frozen=True)
class DealConfirmed(Event):
    """The dealer has dealt from a shoe that reads nothing."""


@dataclass(frozen=True)
class StubRacked(Event):
    pass


@dataclass(frozen=True)
class StubCounted(Event):
    cards: int


@dataclass(frozen=True)
class HandsCounted(Event):
    """Cards in each hand, the dealer's as seat 0."""

    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Folded(Event):
    seat: int


@dataclass(frozen=True)
class Raised(Event):
    seat: int
    cents: int | None = None


@dataclass(frozen=True)
class ForfeitsTaken(Event):
    pass


@dataclass(frozen=True)
class DealerShown(Event):
    """The dealer's hand face up; `cards` only where no reader knows them."""

    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class HandShown(Event):
    seat: int
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class RaiseCut(Event):
    """The part of a raise above the cap goes back, with a floorperson looking on (note X-03)."""

    BY: ClassVar[str] = FLOORPERSON
    seat: int


@dataclass(frozen=True)
class SeatSettled(Event):
    """What the dealer was told to pay or take for each wager, and did; None where only odds were told."""

    seat: int
    told: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class HitVerified(Event):
    """The dealer has checked the winning hand and the seat's light."""

    seat: int


@dataclass(frozen=True)
class HitValidated(Event):
    BY: ClassVar[str] = FLOORPERSON
    seat: int


@dataclass(frozen=True)
class HitRefused(Event):
    BY: ClassVar[str] = FLOORPERSON
    seat: int
    reason: str


@dataclass(frozen=True)
class HitPresented(Event):
    """After a refusal the dealer shows the hand once more."""

    seat: int


@dataclass(frozen=True)
class HitDenied(Event):
    """The refusal stands: no award."""

    BY: ClassVar[str] = FLOORPERSON
    seat: int
    reason: str


@dataclass(frozen=True)
class HitPaid(Event):
    seat: int


@dataclass(frozen=True)
class EnvyPaid(Event):
    from_seat: int


@dataclass(frozen=True)
class DifferenceResolved(Event):
    """A floorperson has put right what was paid before an entry was corrected."""

    BY: ClassVar[str] = FLOORPERSON
    seat: int
    note: str


@dataclass(frozen=True)
class CardsRacked(Event):
    pass


@dataclass(frozen=True)
class RoundVoided(Event):
    BY: ClassVar[str] = FLOORPERSON
    clause: str
    reason: str


@dataclass(frozen=True)
class WagersReturned(Event):
    pass


KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__subclasses__()}


def event_json(event: Event) -> dict[str, Any]:
    body = asdict(event)
    if "card" in body:
        body["card"] = None if body["card"] is None else card_text(body["card"])
    if isinstance(body.get("cards"), tuple):
        body["cards"] = [card_text(card) for card in body["cards"]]
    return {"kind": event.kind} | body


def event_from_json(data: dict[str, Any]) -> Event:
    kind = KINDS[data["kind"]]
    values = {field.name: _value(field.name, data[field.name]) for field in fields(kind)}
    return kind(**values)


def _value(name: str, value: Any) -> Any:
    if name == "card":
        return None if value is None else parse_card(value)
    if isinstance(value, list):
        if name == "cards":
            return tuple(parse_card(text) for text in value)
        return tuple(tuple(item) if isinstance(item, list) else item for item in value)
    return value
