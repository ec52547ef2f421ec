"""Lock-out is decided by edge time: proven by a race, and the proof by a planted fault."""

import pytest
from lockout_race import DecidedByArrival, run_race


def test_a_thousand_presses_are_decided_right_outside_the_resolution_and_late_inside_it() -> None:
    result = run_race(1_000, seed=20)
    print(result)
    assert result.wrong == 0, result
    assert result.inside_resolution > 500


def test_planted_fault_lock_out_decided_by_arrival_time_is_caught() -> None:
    result = run_race(200, seed=20, lockout_class=DecidedByArrival)
    print("planted fault, decided by arrival:", result)
    assert result.wrong > 0


@pytest.mark.slow
def test_ten_thousand_presses_are_decided_right_outside_the_resolution_and_late_inside_it() -> None:
    result = run_race(10_000, seed=21)
    print(result)
    assert result.wrong == 0, result
