"""The outside bookkeeper: knows only what was seen at the table, and holds the journal against it."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.ledger.keys import UnitKey
from firmware.ledger.meters import MeterBook, prove
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import Record
from firmware.ledger.verification import verify_journal
from firmware.ledger.witness import FileWitness

UNITS_PER_CENT = 10_000
INITIAL = RESET = 500_000 * UNITS_PER_CENT
CONTRIBUTION = 20 * UNITS_PER_CENT


@dataclass
class Seen:
    """What people at the table saw. `drawn`: the cards that came out of the shoe, in order, per round."""

    accepted: set[tuple[int, int]] = field(default_factory=set)
    paid: set[str] = field(default_factory=set)
    envy: Counter[tuple[int, int]] = field(default_factory=Counter)
    corrected: int = 0
    drawn: dict[int, list[str]] = field(default_factory=dict)
    in_time: dict[int, set[int]] = field(default_factory=dict)
    """Seats whose chip truly lay there in time, with an Ante."""

    def hear(self, round: int, line: str) -> None:
        words = line.split()
        if line.endswith(": progressive accepted"):
            self.accepted.add((round, int(words[1][:-1])))
        elif line.startswith("hit ") and line.endswith(" paid"):
            self.paid.add(words[1][:-1])
        elif words[:1] == ["seat"] and words[2:3] == ["Envy"]:
            self.envy[round, int(words[1][:-1])] += 1
        elif line.startswith("corrected: "):
            self.corrected += 1


class Found:
    """The journal as the bookkeeper reads it."""

    def __init__(self, records: list[Record]) -> None:
        self.meter = 0
        self.contributions: Counter[tuple[int, int]] = Counter()
        self.booked: Counter[tuple[int, int]] = Counter()
        self.paid: Counter[str] = Counter()
        self.envy: Counter[tuple[int, int]] = Counter()
        self.corrections = 0
        self.dealt_out: set[int] = set()
        self.past_lock_out: set[int] = set()
        self.dealt: dict[int, list[str | None]] = {}
        self.wrong_amounts: list[str] = []
        for record in records:
            self._read(record)

    def _read(self, record: Record) -> None:
        body: Any = record.body
        number = record.round or 0
        if record.type == "meter_started":
            self.meter += INITIAL
        elif record.type == "correction":
            self.corrections += 1
        event = body.get("event") if record.type == "round_event" else None
        if event and event["kind"] == "CardDealt":
            self.dealt.setdefault(number, []).append(event["card"])
        elif event and event["kind"] == "FeltStated":
            dealt = self.dealt.setdefault(number, [])
            dealt += [None] * (event["cards"] - len(dealt))
        if event and event["kind"] in ("ChipsCounted", "CardDealt"):
            self.past_lock_out.add(number)
        if event and event["kind"] in ("StubRacked", "StubCounted"):
            self.dealt_out.add(number)
        for decision in body.get("decisions", ()):
            self._decision(number, decision)

    def _decision(self, number: int, decision: dict[str, Any]) -> None:
        kind, seat = decision["kind"], decision.get("seat", 0)
        if kind == "contribution":
            self.contributions[number, seat] += 1
            self.booked[number, seat] += 1
            self.meter += CONTRIBUTION
        elif kind == "contribution_reversed":
            self.contributions[number, seat] -= 1
            self.meter -= CONTRIBUTION
        elif kind in ("hit_locked", "hit_reversed"):
            self._hit(decision, 1 if kind == "hit_locked" else -1)
        elif kind == "hit_paid":
            self.paid[decision["hit"]] += 1
        elif kind == "envy_paid":
            self.envy[number, seat] += 1

    def _hit(self, decision: dict[str, Any], way: int) -> None:
        """A share of the meter leaves it, the whole meter brings the reset; a fixed award never touched it."""
        share, _, of_meter = decision["pays"].partition("% of ")
        if not of_meter:
            return
        amount = decision["amount"]
        if way > 0 and amount != self.meter // UNITS_PER_CENT * int(share) // 100:
            self.wrong_amounts.append(f"hit {decision['hit']} took {amount} cents of {self.meter} units")
        self.meter -= way * amount * UNITS_PER_CENT
        if share == "100":
            self.meter += way * RESET


class Bookkeeper:
    def __init__(self, state: Path) -> None:
        self._state = state
        self.seen = Seen()
        self.lost: list[str] = []
        self.doubled: list[str] = []
        self.wrong: list[str] = []

    @property
    def problems(self) -> list[str]:
        return [*self.lost, *self.doubled, *self.wrong]

    def audit(self) -> None:
        """Hold all of the journal against all that was seen."""
        path = self._state / "journal.db"
        key = UnitKey.load_or_create(self._state / "unit.key")
        for finding in verify_journal(path, key.public_hex, FileWitness(self._state / "witness")):
            self.wrong.append(finding.text)
        if self.wrong:
            return
        with JournalReader.open_readonly(path) as journal:
            records = list(journal.read())
        found = Found(records)
        self._money(records, found)
        self._wagers(found)
        self._awards(found)
        self._cards(found)
        if found.corrections < self.seen.corrected:
            self.lost.append(f"{self.seen.corrected} corrections were told, the journal has {found.corrections}")

    def _money(self, records: list[Record], found: Found) -> None:
        proof = prove(records)
        if proof.problem is not None:
            self.wrong.append(f"record {proof.offending}: {proof.problem}")
        on_meter = MeterBook.of(records).balance("meter", "main")
        if on_meter != found.meter:
            side = self.doubled if on_meter > found.meter else self.lost
            side.append(f"the meter holds {on_meter} units, wagers and awards make it {found.meter}")
        self.wrong += found.wrong_amounts

    def _wagers(self, found: Found) -> None:
        for (number, seat), times in found.booked.items():
            if times > 1:
                self.doubled.append(f"round {number}, seat {seat}: contribution booked {times} times")
        for number, seat in self.seen.accepted:
            if not found.booked[number, seat]:
                self.lost.append(f"round {number}, seat {seat}: accepted at the table, no contribution in the journal")
        for number in found.past_lock_out:
            booked = {seat for played, seat in found.booked if played == number}
            if number in self.seen.in_time and booked != self.seen.in_time[number]:
                self.wrong.append(
                    f"round {number}: chips of seats {sorted(self.seen.in_time[number])} lay there in time, "
                    f"accepted were {sorted(booked)}"
                )

    def _awards(self, found: Found) -> None:
        self.lost += [f"hit {hit} was paid, the journal does not know" for hit in self.seen.paid - set(found.paid)]
        self.doubled += [f"hit {hit} paid {times} times" for hit, times in found.paid.items() if times > 1]
        once = Counter(hit.rsplit("/", 1)[0] for hit in found.paid)
        self.doubled += [f"hit {place}: two awards for one hand" for place, times in once.items() if times > 1]
        for place, times in self.seen.envy.items():
            if found.envy[place] < times:
                self.lost.append(f"Envy of round {place[0]}, seat {place[1]} was paid, the journal does not know")

    def _cards(self, found: Found) -> None:
        """What the shoe let out is what the journal has, in order; a card that nobody read is at least counted.

        Until the deal is done a card may still be known to the shoe alone, or wait for the felt to be counted.
        """
        for number, cards in self.seen.drawn.items():
            dealt = found.dealt.get(number, [])
            for place, (true, known) in enumerate(zip(cards, dealt, strict=False), 1):
                if known is not None and known != true:
                    self.wrong.append(f"round {number}, card {place}: {true} came out, {known} is recorded")
                    break
            if len(dealt) > len(cards):
                self.doubled.append(f"round {number}: {len(cards)} cards came out, {len(dealt)} are recorded")
            elif len(dealt) < len(cards) and number in found.dealt_out:
                self.lost.append(f"round {number}: {len(cards)} cards came out, {len(dealt)} are recorded")
