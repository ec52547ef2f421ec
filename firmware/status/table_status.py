"""What a screen may know about the table. Cards that are not face up are not in here: they are left out where this
is made, so no page and no log has to remember to hide them."""

from dataclasses import asdict, dataclass
from typing import Any

from firmware.rules.money import dollars


@dataclass(frozen=True)
class SeatStatus:
    seat: int
    chip: bool
    """The progressive sensor sees a chip, or its wager was accepted."""
    wagers: dict[str, int | None]
    cards: str = ""
    hand: str = ""
    folded: bool = False
    verdicts: tuple[str, ...] = ()


@dataclass(frozen=True)
class FaultStatus:
    code: str
    line: str


@dataclass(frozen=True)
class MeterStatus:
    name: str
    shown: int
    pending: int

    @property
    def text(self) -> str:
        """`main $5,000.00 (PENDING $12,346.27)`."""
        pending = f" (PENDING {dollars(self.pending)})" if self.pending else ""
        return f"{self.name} {dollars(self.shown)}{pending}"


@dataclass(frozen=True)
class TableStatus:
    table: str
    game: str
    round: int
    state: str
    who: str
    says: str
    clause: str
    keys: tuple[str, ...]
    confirm: bool
    """Whether the confirm key is the way on."""
    seat: int | None
    dealer: str | None
    dealer_cards: str
    dealer_hand: str
    locked: bool
    accepted: int
    seats: tuple[SeatStatus, ...]
    meters: tuple[MeterStatus, ...]
    faults: tuple[FaultStatus, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
