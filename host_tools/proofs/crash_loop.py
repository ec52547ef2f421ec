"""Kill the running table at random points, over and over; nothing may be lost or doubled.

The kill comes while an action is in flight, so it lands before, in or after the commit. Afterwards the journal is
held against what was told and seen in the room: an accepted wager, a paid award, a card out of the shoe.

    python -m host_tools.proofs.crash_loop --kills 200 --seed 1
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.config.table_file import load_table
from firmware.controller.table_state import ROUND_EVENT
from firmware.ledger.meters import MeterBook, prove
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import Record
from firmware.ledger.verification import verify_journal
from firmware.rules.cards import card_text
from firmware.rules.money import UNITS_PER_CENT
from host_tools.proofs.random_table import RandomTable

TABLE = Path(__file__).parents[1] / "simulate" / "tables" / "md-high-card-flush.toml"
CONTROLLER = ("-m", "firmware.controller")
LONGEST_WAIT_MS = 6
OFTEN, SELDOM = 0.3, 0.03
"""How likely a step is cut; a deal has so many cards that it would take most of the kills."""


@dataclass
class CrashReport:
    kills: int = 0
    rounds: int = 0
    problems: list[str] = field(default_factory=list)
    in_flight: Counter[str] = field(default_factory=Counter)

    def table(self) -> str:
        lines = [f"{'killed while the table waited for':<36} kills"]
        lines += [f"  {state:<34} {count:>5}" for state, count in self.in_flight.most_common()]
        lines.append(f"kills {self.kills}, rounds {self.rounds}, problems {len(self.problems)}")
        return "\n".join(lines + self.problems[:20])


def crash_loop(kills: int, seed: int, program: tuple[str, ...] = CONTROLLER, table_file: Path = TABLE) -> CrashReport:
    report = CrashReport()
    table = load_table(table_file)
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        state = Path(folder)
        room = RandomTable(table_file, state, table.board.seats, seed, program)
        try:
            _play(room, state, kills, report)
            room.table.end()
        finally:
            room.table.close()
        _judge(room, state / "journal.db", table.submission.meters["main"].initial, report)
    return report


def _play(room: RandomTable, state: Path, kills: int, report: CrashReport) -> None:
    room.table.start()
    room.look()
    while report.kills < kills and not report.problems:
        if room.random.random() < (SELDOM if room.state == "dealing" else OFTEN):
            _kill_in_flight(room, state, report)
        else:
            room.step()
            room.table.sync()
            room.look()
        if sys.stdout.isatty():
            print(f"\r{report.kills} of {kills} kills, round {room.status['round']} ", end="", flush=True)


def _kill_in_flight(room: RandomTable, state: Path, report: CrashReport) -> None:
    """After a restart either the action happened whole, or it did not happen at all."""
    before, said = _entries(state), room.status["says"]
    report.kills += 1
    report.in_flight[room.state] += 1
    room.step()
    time.sleep(room.random.uniform(0, LONGEST_WAIT_MS) / 1000)
    room.table.cut_power()
    room.look()
    room.table.start()
    room.look()
    happened = _entries(state) - before
    if happened == 0 and room.status["says"] != said and room.state != "permit unknown":
        report.problems.append(f"nothing recorded, yet the step changed from {said!r} to {room.status['says']!r}")


def _entries(state: Path) -> int:
    with JournalReader.open_readonly(state / "journal.db") as journal:
        return journal.head().seq - sum(1 for _ in journal.read(types=["started"]))


def _judge(room: RandomTable, path: Path, initial: int, report: CrashReport) -> None:
    report.problems += [finding.text for finding in verify_journal(path)]
    with JournalReader.open_readonly(path) as journal:
        records = list(journal.read())
    decisions = [(record, decision) for record in records for decision in _decisions(record)]
    report.rounds = max((record.round or 0 for record in records), default=0)
    _judge_wagers(room, decisions, report)
    _judge_awards(room, decisions, report)
    _judge_cards(room, records, report)
    proof = prove(records)
    if not proof.holds:
        report.problems.append(f"record {proof.offending}: {proof.problem}")
    _judge_meter(records, decisions, initial, report)


def _decisions(record: Record) -> list[dict[str, Any]]:
    found: Any = record.body.get("decisions", [])
    return list(found)


def _judge_wagers(room: RandomTable, decisions: list[Any], report: CrashReport) -> None:
    contributions = [(record, decision) for record, decision in decisions if decision["kind"] == "contribution"]
    booked = Counter((record.round, decision["seat"]) for record, decision in contributions)
    report.problems += [f"contribution {key} booked {count} times" for key, count in booked.items() if count > 1]
    unbooked = [key for key in room.accepted_told if key not in booked]
    report.problems += [f"wager {key} was told accepted and is not booked" for key in unbooked]


def _judge_awards(room: RandomTable, decisions: list[Any], report: CrashReport) -> None:
    paid = Counter(decision["hit"] for _, decision in decisions if decision["kind"] == "hit_paid")
    report.problems += [f"hit {hit} paid {count} times" for hit, count in paid.items() if count > 1]
    report.problems += [f"hit {hit} was told paid and is not recorded" for hit in room.paid_told if hit not in paid]


def _judge_cards(room: RandomTable, records: list[Record], report: CrashReport) -> None:
    """The shoe let out exactly the cards that are recorded, in their order; the last round may be unfinished."""
    for number, cards in room.drawn.items():
        own = [record for record in records if record.type == ROUND_EVENT and record.round == number]
        events: list[Any] = [record.body["event"] for record in own]
        read = [event["card"] for event in events if event and event["kind"] == "CardDealt"]
        if read != [card_text(card) for card in cards]:
            message = f"round {number}: {len(cards)} cards drawn, {len(read)} recorded, or in another order"
            report.problems.append(message)


def _judge_meter(records: list[Record], decisions: list[Any], initial: int, report: CrashReport) -> None:
    """Start + 20 cents a wager - awards from the meter + resets, added up by hand."""
    units = initial * UNITS_PER_CENT
    for _, decision in decisions:
        if decision["kind"] == "contribution":
            units += 20 * UNITS_PER_CENT
        elif decision["kind"] == "contribution_reversed":
            units -= 20 * UNITS_PER_CENT
        elif decision["kind"] in ("hit_locked", "hit_reversed") and decision["pays"].startswith("100%"):
            sign = 1 if decision["kind"] == "hit_reversed" else -1
            units += sign * (decision["amount"] - initial) * UNITS_PER_CENT
    shown = MeterBook.of(records).balance("meter", "main")
    if shown != units:
        report.problems.append(f"the meter stands at {shown} units, added up by hand it is {units}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = crash_loop(options.kills, options.seed)
    print(("\n" if sys.stdout.isatty() else "") + report.table())
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
