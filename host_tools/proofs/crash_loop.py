"""The crash loop: random rounds on the running table, and the power goes at random instants.

    python -m host_tools.proofs.crash_loop [--kills 200] [--seed 1]

Three kinds of end, drawn at random: `outside` (killed while a touch is on its way, wherever that lands), `before`
and `after` (the power goes just before or just after one of its commits). Now and then the shoe loses power too.
An outside bookkeeper knows only what was seen, and holds the journal against it after every kill.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.controller.table_state import decisions_of
from host_tools.bench_table import TableEnded
from host_tools.proofs.bookkeeper import Bookkeeper
from host_tools.proofs.random_floor import RandomFloor
from host_tools.proofs.staged import NO_FAULT
from host_tools.proofs.watched_table import WatchedTable, hire

OUTSIDE, BEFORE, AFTER = "outside", "before", "after"
ENDS = (OUTSIDE, BEFORE, AFTER)
MOST_ACTIONS = 60
LONGEST_FLIGHT_S = 0.006
OUTSIDE_A_ROUND = ("closed", "no deck", "loading", "stopped", "held")
WHERE = ("state", "who", "says", "clause", "seat")


@dataclass
class CrashReport:
    kills: int = 0
    rounds: int = 0
    actions: int = 0
    hits_paid: int = 0
    in_flight: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        return [*self.lost, *self.doubled, *self.wrong]

    def __str__(self) -> str:
        lines = [f"kills {self.kills} ({', '.join(f'{end} {count}' for end, count in sorted(self.ends.items()))})"]
        lines += [f"rounds {self.rounds}, actions {self.actions}, hits paid {self.hits_paid}"]
        lines += ["in flight when the power went:"]
        lines += [f"  {count:>5}  {state}" for state, count in sorted(self.in_flight.items())]
        lines += [f"lost {len(self.lost)}, doubled {len(self.doubled)}, wrong {len(self.wrong)}"]
        return "\n".join([*lines, *(f"  {problem}" for problem in self.problems[:10])])


class CrashLoop:
    def __init__(self, state: Path, seed: int, fault: str = NO_FAULT, ends: tuple[str, ...] = ENDS) -> None:
        self._random = random.Random(seed)
        self._ends = ends
        self._end_file = state / "end"
        self._end_file.write_text("")
        hire(state)
        self._books = Bookkeeper(state)
        program = ("-m", "host_tools.proofs.staged", fault, str(self._end_file))
        self._table = WatchedTable(state, program=program)
        self._floor = RandomFloor(self._table, self._books.seen, seed)
        self._before: dict[str, Any] = {}
        self._recorded = 0
        self._told = 0
        self._heard = 0
        self.report = CrashReport()

    def run(self, kills: int) -> CrashReport:
        """Stops at the first kill that left something wrong."""
        try:
            self._table.bench.turn_key(True)
            while self.report.kills < kills and not self.report.problems:
                self._one_life()
                self._progress(kills)
            if not self.report.problems:
                self._end_file.write_text("")
                self._wake()
        finally:
            self._table.close()
            self._close_books()
        return self.report

    # --- one life, from power on to power cut ---------------------------------------------------------------

    def _one_life(self) -> None:
        end = self._random.choice(self._ends)
        actions = self._random.randint(1, MOST_ACTIONS)
        self._end_file.write_text("" if end == OUTSIDE else f"{end} {self._random.randint(1, MOST_ACTIONS)}")
        alive = woke = self._wake()
        while alive and not self.report.problems:
            actions -= 1
            alive = self._act(kill=end == OUTSIDE and actions <= 0)
        self.report.kills += 1
        self.report.ends[end] += 1
        if self._table.status:
            self.report.in_flight[self._table.status["state"]] += 1
        self._table.cut(shoe_too=self._random.random() < 0.1)
        self._hear()
        if woke:
            self._look_at_words()
        self._look_at_gate()
        self._audit()

    def _act(self, kill: bool) -> bool:
        """One touch. False: the power is gone, by our hand or by a staged end."""
        try:
            action = self._floor.next_action()
            self._before, self._recorded = self._table.view(), self._table.round_records()
            self._told = len(self._table.told)
            self.report.actions += 1
            action.send()
            if kill:
                time.sleep(self._random.random() * LONGEST_FLIGHT_S)
                return False
            self._table.settle()
        except TableEnded as ended:
            self._look_at_end(ended)
            return False
        except RuntimeError as error:
            self.report.wrong.append(str(error))
        self._hear()
        return True

    def _wake(self) -> bool:
        """Power on. False: it went again while the table was coming up."""
        try:
            self._table.start()
        except TableEnded as ended:
            self._look_at_end(ended)
            return False
        self._hear()
        self._stands_where_it_stood()
        return True

    def _look_at_end(self, ended: TableEnded) -> None:
        """A staged end comes without a word; a table that ends for another reason says which."""
        words = [line for line in str(ended).splitlines() if not line.startswith("{")]
        if words or not self._end_file.read_text():
            self.report.wrong.append(f"the table ended by itself: {words[-1] if words else 'without a word'}")

    # --- what is held against what --------------------------------------------------------------------------

    def _hear(self) -> None:
        for line in self._table.said[self._heard :]:
            self._books.seen.hear(self._table.status.get("round", 0), line)
        self._heard = len(self._table.said)

    def _stands_where_it_stood(self) -> None:
        """The next step is the one before the touch in flight or the one after it, as the journal says."""
        before, now = self._before, self._table.view()
        if now["faults"]:
            self.report.wrong.append(f"after the power cut: {now['faults'][0]['line']}")
        if not before or before["state"] in OUTSIDE_A_ROUND:
            return
        unchanged = self._table.round_records() == self._recorded
        if "permit unknown" in (before["state"], now["state"]):
            # The same cards lie on the felt, but whom the table asks has changed; asked twice, the answer is the same.
            stands = not unchanged or all(before[name] == now[name] for name in before if name not in WHERE)
        else:
            stands = unchanged == (before == now)
        if not stands:
            what = "nothing was recorded" if unchanged else "a touch was recorded"
            self.report.wrong.append(
                f"{what}, but the table went from {before['state']!r} ({before['says']}) "
                f"to {now['state']!r} ({now['says']})"
            )

    def _look_at_words(self) -> None:
        """What a round's touch led to may be told only once it is recorded."""
        told = self._table.told[self._told :]
        in_round = self._before and self._before["state"] not in OUTSIDE_A_ROUND
        if in_round and told and self._table.round_records() == self._recorded:
            self.report.wrong.append(f"told, and not recorded: {told[0]}")

    def _look_at_gate(self) -> None:
        if not self._table.journal.exists() or not self._table.bench.shoe.gate_open():
            return
        records = self._table.records("round_event")
        decisions = [each for record in records for each in decisions_of(record)]
        if not any(decision["kind"] == "permit" for decision in decisions[-1:]) and not self._is_dealing(records):
            self.report.wrong.append("the shoe's gate is open, and the journal knows no permit for it")

    @staticmethod
    def _is_dealing(records: list[Any]) -> bool:
        return bool(records) and (records[-1].body["event"] or {}).get("kind") in ("CardDealt", "RoundVoided")

    def _audit(self) -> None:
        if self._table.journal.exists() and not self.report.problems:
            self._books.audit()
            self._note_books()

    def _close_books(self) -> None:
        self._audit()
        self.report.rounds = len(self._table.records("round_opened"))
        self.report.hits_paid = len(self._books.seen.paid)

    def _note_books(self) -> None:
        self.report.lost += self._books.lost
        self.report.doubled += self._books.doubled
        self.report.wrong += self._books.wrong

    def _progress(self, kills: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{self.report.kills} of {kills} kills", end="", file=sys.stderr, flush=True)


def run_crash_loop(kills: int, seed: int, fault: str = NO_FAULT, ends: tuple[str, ...] = ENDS) -> CrashReport:
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        return CrashLoop(Path(folder), seed, fault, ends).run(kills)


def main(args: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Kill the running table at random points.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(args)
    report = run_crash_loop(options.kills, options.seed)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    print(report)
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
