"""The crash loop: nothing lost, nothing doubled; and the proof of the proof, against planted faults."""

import pytest

from host_tools.proofs.crash_loop import run_crash_loop
from host_tools.proofs.planted import Outcome, run_planted
from host_tools.proofs.staged import FAULTS


def test_twelve_power_cuts_at_random_points_lose_and_double_nothing() -> None:
    report = run_crash_loop(12, seed=5)
    print(report)
    assert report.problems == []
    assert report.kills == 12
    assert report.rounds >= 3
    assert sum(report.in_flight.values()) == 12


@pytest.mark.slow
def test_two_hundred_power_cuts_at_random_points_lose_and_double_nothing() -> None:
    report = run_crash_loop(200, seed=20)
    print(report)
    assert report.problems == []
    assert report.kills == 200
    assert report.hits_paid > 20
    assert len(report.in_flight) > 10


def test_every_fault_that_must_be_found_is_planted() -> None:
    assert set(FAULTS) == {
        "synchronous-off",
        "effect-before-commit",
        "contribution-again-at-recovery",
        "contribution-in-its-own-transaction",
        "lock-out-by-arrival",
        "lock-out-ahead-of-queued-edges",
        "correction-without-a-record",
        "correction-over-the-old-record",
        "last-event-forgotten",
    }


@pytest.mark.parametrize("fault", list(FAULTS))
def test_planted_fault_is_caught(fault: str) -> None:
    outcome = run_planted(fault)
    print(outcome)
    assert outcome.found
    assert "AttributeError" not in outcome.found  # caught as itself, not as a plant that no longer fits


def test_a_fault_that_goes_unnoticed_is_shown_as_missed() -> None:
    assert "MISSED at kill 100" in str(Outcome("some-fault", 100, ""))
