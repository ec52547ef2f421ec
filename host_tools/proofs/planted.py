"""Proof that the proofs work: the crash loop, run against a table with a fault in it, must find every one.

python -m host_tools.proofs.planted
"""

import sys
from collections.abc import Iterator
from typing import NamedTuple

from host_tools.proofs.crash_loop import AFTER, BEFORE, run_crash_loop
from host_tools.proofs.staged import FAULTS, NO_FAULT

ENDS = (BEFORE, AFTER)
"""Only staged ends, so that a run is the same every time."""
MOST_KILLS = 100
SEED = 6


class Outcome(NamedTuple):
    fault: str
    kills: int
    found: str
    """What the bookkeeper or the table itself said; empty: the fault went unnoticed."""

    def __str__(self) -> str:
        return f"{self.fault:<36} {'caught' if self.found else 'MISSED'} at kill {self.kills:>2}  {self.found}"


def run_planted(fault: str, kills: int = MOST_KILLS) -> Outcome:
    report = run_crash_loop(kills, SEED, fault, ENDS)
    return Outcome(fault, report.kills, report.problems[0] if report.problems else "")


def run_all() -> Iterator[Outcome]:
    for fault in FAULTS:
        yield run_planted(fault)


def main() -> int:
    missed = 0
    for outcome in run_all():
        print(outcome, flush=True)
        missed += not outcome.found
    sound = run_planted(NO_FAULT, kills=40)
    print(f"{'no fault':<36} {'FOUND ' + sound.found if sound.found else 'nothing found'} in {sound.kills} kills")
    return 1 if missed or sound.found else 0


if __name__ == "__main__":
    sys.exit(main())
