"""Meters are never stored: they are what the postings of all records add up to."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.ledger.faults import JournalFault
from firmware.ledger.records import JSON, Record
from firmware.rules.money import whole_cents
from firmware.rules.postings import ACCOUNTS, balanced

HITS_KEPT = 25
NEVER_NEGATIVE = ("meter", "pending")


class Hit(NamedTuple):
    """A paid hit; `amount` in cents, `number` as the controller numbered it."""

    number: str
    record: int
    utc: str
    round: int | None
    seat: int
    amount: int
    hand: str
    clause: str


@dataclass(slots=True)
class MeterAccount:
    """One meter: the balance of each of its accounts in units, and its counters."""

    balances: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ACCOUNTS, 0))
    wagers_in: int = 0
    hits: int = 0
    total_paid: int = 0
    last_hits: deque[Hit] = field(default_factory=lambda: deque(maxlen=HITS_KEPT))


@dataclass(slots=True)
class MeterBook:
    """The fold. Apply every record once, in order, and it stands where the table stands."""

    _meters: dict[str, MeterAccount] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[Record]) -> "MeterBook":
        book = cls()
        for record in records:
            book.apply(record)
        return book

    def apply(self, record: Record) -> None:
        for account, meter, units in record.postings:
            self._meter(meter).balances[account] += units
        decisions = record.body.get("decisions")
        for decision in decisions if isinstance(decisions, list) else ():
            if isinstance(decision, dict):
                self._count(record, decision)

    def meters(self) -> tuple[str, ...]:
        return tuple(sorted(self._meters))

    def account(self, meter: str) -> MeterAccount:
        """A meter that was never posted to stands at nothing."""
        return self._meters.get(meter) or MeterAccount()

    def balance(self, account: str, meter: str) -> int:
        return self.account(meter).balances[account]

    def shown(self, meter: str) -> int:
        """What the sign shows, in cents."""
        return whole_cents(self.balance("meter", meter))

    def sums(self) -> dict[str, int]:
        """Each account over all meters, in units."""
        return {account: sum(meter.balances[account] for meter in self._meters.values()) for account in ACCOUNTS}

    def _meter(self, meter: str) -> MeterAccount:
        return self._meters.setdefault(meter, MeterAccount())

    def _count(self, record: Record, decision: Mapping[str, JSON]) -> None:
        kind = decision.get("kind")
        if kind not in ("contribution", "contribution_reversed", "hit_paid"):
            return
        meter = self._meter(_text(record, decision, "meter"))
        if kind == "contribution":
            meter.wagers_in += 1
        elif kind == "contribution_reversed":
            meter.wagers_in -= 1
        else:
            amount = _number(record, decision, "amount")
            meter.hits += 1
            meter.total_paid += amount
            meter.last_hits.append(
                Hit(
                    _text(record, decision, "hit"),
                    record.seq,
                    record.utc,
                    record.round,
                    _number(record, decision, "seat"),
                    amount,
                    _text(record, decision, "hand"),
                    _text(record, decision, "clause"),
                )
            )


class Proof(NamedTuple):
    """Whether the money is all there; if not, the first record at which it was not, and why."""

    records: int
    sums: dict[str, int]
    offending: int | None = None
    problem: str | None = None

    @property
    def holds(self) -> bool:
        return self.offending is None


def prove(records: Iterable[Record]) -> Proof:
    """Every record sums to zero, so does everything together, and nothing is paid that was not there."""
    book, count = MeterBook(), 0
    for record in records:
        count += 1
        book.apply(record)
        problem = _problem(book, record)
        if problem is not None:
            return Proof(count, book.sums(), record.seq, problem)
    return Proof(count, book.sums())


def _problem(book: MeterBook, record: Record) -> str | None:
    if not balanced(record.postings):
        total = sum(posting.units for posting in record.postings)
        return f"its postings sum to {total} units instead of zero"
    for meter in book.meters():
        if book.account(meter).wagers_in < 0:
            return f"meter {meter} would have taken {book.account(meter).wagers_in} wagers"
    for _, meter, _ in record.postings:
        for account in NEVER_NEGATIVE:
            if book.balance(account, meter) < 0:
                return f"account {account} of meter {meter} falls to {book.balance(account, meter)} units"
    return None


def _text(record: Record, decision: Mapping[str, JSON], name: str) -> str:
    value = decision.get(name)
    if not isinstance(value, str):
        raise _unreadable(record, decision, name)
    return value


def _number(record: Record, decision: Mapping[str, JSON], name: str) -> int:
    value = decision.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unreadable(record, decision, name)
    return value


def _unreadable(record: Record, decision: Mapping[str, JSON], name: str) -> JournalFault:
    return JournalFault(
        "unreadable",
        f"record {record.seq}: decision {decision.get('kind')!r} has no usable {name!r}: "
        "install the software version that wrote it",
        record.seq,
    )
