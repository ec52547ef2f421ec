"""The table as its journal tells it: a fold over records, the same at start as in play.

What outlives a round is kept here as plain data: who is signed on, which deck is out and since when, how long ago
the stub was counted, faults, failures to sign in. Of rounds only the open one is kept, with its records, so that
its script can be run again.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from firmware.controller.faults import Fault
from firmware.ledger.meters import MeterBook
from firmware.ledger.records import Record
from firmware.rules.money import percent
from firmware.rules.submission import MeterTerms

STARTED = "started"
SIGNED_ON, SIGNED_OFF, SIGN_IN_REFUSED, UNLOCKED = "signed_on", "signed_off", "sign_in_refused", "account_unlocked"
PROVED = "person_proved"
"""A right PIN after wrong ones."""
DECK_OPENED = "deck_opened"
METER_STARTED, METER_TERMS = "meter_started", "meter_terms"
TIME_SET = "time_set"
ROUND_OPENED, ROUND_EVENT, CORRECTION, REFUSED = "round_opened", "round_event", "correction", "refused"
ROUND_ADOPTED = "round_adopted"
FAULT_RAISED, FAULT_CLEARED = "fault_raised", "fault_cleared"
SENSOR, LATE_BET, SECOND_PRESS = "sensor", "late_bet", "second_press"
DOOR, FLOOR_KEY = "door", "floor_key"


def decisions_of(record: Record) -> list[dict[str, Any]]:
    """What a record says was decided; a record of another kind decided nothing."""
    found: Any = record.body.get("decisions", ())
    return list(found)


@dataclass(frozen=True)
class Deck:
    name: str
    opened: datetime
    clock_trusted: bool


@dataclass
class TableState:
    dealer: str | None = None
    deck: Deck | None = None
    rounds_played: int = 0
    rounds_since_stub_count: int = 0
    next_permit: int = 1
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    open_round: list[Record] = field(default_factory=list)
    round_files: tuple[str, str] = ("", "")
    """Table file and board file that the open round was begun under."""
    files: tuple[str, str] = ("", "")
    must_clear: frozenset[int] = frozenset()
    meters: MeterBook = field(default_factory=MeterBook)
    meter_terms: dict[str, dict[str, Any]] = field(default_factory=dict)
    last_utc: str | None = None
    head: int = 0

    def apply(self, record: Record) -> None:
        self.head = record.seq
        self.last_utc = record.utc
        self.meters.apply(record)
        handler = HANDLERS.get(record.type)
        if handler is not None:
            handler(self, record, record.body)
        for decision in decisions_of(record):
            self._decision(decision)

    def _started(self, record: Record, body: Any) -> None:
        self.files = (body["table_file"], body["board_file"])

    def _signed_on(self, record: Record, body: Any) -> None:
        self.dealer = record.person
        self.failures.pop(record.person, None)

    def _signed_off(self, record: Record, body: Any) -> None:
        self.dealer = None

    def _sign_in_refused(self, record: Record, body: Any) -> None:
        self.failures[body["name"]] += 1

    def _person_proved(self, record: Record, body: Any) -> None:
        self.failures.pop(record.person, None)

    def _account_unlocked(self, record: Record, body: Any) -> None:
        self.failures.pop(body["name"], None)

    def _deck_opened(self, record: Record, body: Any) -> None:
        self.deck = Deck(body["deck"], parse_utc(record.utc), body["clock_trusted"])
        self.rounds_since_stub_count = 0

    def _meter_terms(self, record: Record, body: Any) -> None:
        self.meter_terms[body["meter"]] = {name: value for name, value in body.items() if name != "was"}

    def _fault_raised(self, record: Record, body: Any) -> None:
        fault = Fault(body["code"], body["detail"], record.utc)
        self.faults[fault.code, fault.detail] = fault

    def _fault_cleared(self, record: Record, body: Any) -> None:
        self.faults.pop((body["code"], body["detail"]), None)

    def _sensor(self, record: Record, body: Any) -> None:
        if not body["present"]:
            self.must_clear -= {body["seat"]}

    def _round_opened(self, record: Record, body: Any) -> None:
        self.open_round = [record]
        self.round_files = self.files
        self.rounds_played = body["facts"]["number"]

    def _round_event(self, record: Record, body: Any) -> None:
        self.open_round.append(record)
        if "must_clear" in body:
            self.must_clear = frozenset(body["must_clear"])

    def _decision(self, decision: dict[str, Any]) -> None:
        kind = decision["kind"]
        if kind == "permit":
            self.next_permit = decision["number"] + 1
        elif kind == "accepted":
            self.must_clear |= {decision["seat"]}
        elif kind == "voided" and decision["removes_deck"]:
            self.deck = None
        elif kind == "closed":
            self.rounds_since_stub_count = 0 if decision["stub_counted"] else self.rounds_since_stub_count + 1
            self.open_round = []


HANDLERS: dict[str, Callable[[TableState, Record, Any], None]] = {
    STARTED: TableState._started,
    SIGNED_ON: TableState._signed_on,
    SIGNED_OFF: TableState._signed_off,
    SIGN_IN_REFUSED: TableState._sign_in_refused,
    PROVED: TableState._person_proved,
    UNLOCKED: TableState._account_unlocked,
    DECK_OPENED: TableState._deck_opened,
    METER_STARTED: TableState._meter_terms,
    METER_TERMS: TableState._meter_terms,
    FAULT_RAISED: TableState._fault_raised,
    FAULT_CLEARED: TableState._fault_cleared,
    SENSOR: TableState._sensor,
    ROUND_OPENED: TableState._round_opened,
    ROUND_EVENT: TableState._round_event,
    CORRECTION: TableState._round_event,
    ROUND_ADOPTED: TableState._round_event,
}
"""Record types that change what the table knows; the others are kept for whoever reads the journal."""


def terms_json(terms: MeterTerms) -> dict[str, Any]:
    """How a meter starts, grows and resets, as its first record keeps it. Amounts are cents."""
    return {
        "wager": terms.wager,
        "stake": terms.stake,
        "rate": percent(terms.rate),
        "initial": terms.initial,
        "reset": terms.reset,
        "limit": terms.limit,
    }


def parse_utc(text: str) -> datetime:
    return datetime.fromisoformat(text)


def utc_text(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
