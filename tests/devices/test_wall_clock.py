"""The time of day for records, and whether to believe it."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from firmware.devices.clock import VirtualClock
from firmware.devices.faults import DeviceFault
from firmware.devices.rtc import SimulatedRtc
from firmware.devices.wall_clock import WallClock

BUILD = datetime(2031, 1, 1, tzinfo=UTC)
NOON = datetime(2031, 2, 28, 12, tzinfo=UTC)


def test_it_is_the_chips_time_plus_what_has_gone_by() -> None:
    clock = VirtualClock(1)
    wall = WallClock(SimulatedRtc(clock, NOON), clock, BUILD)
    asyncio.run(clock.advance(1_250_000_000))
    assert wall.trusted
    assert wall.now_text() == "2031-02-28T12:00:01.250Z"


def test_without_a_chip_it_is_not_trusted_but_records_keep_their_order() -> None:
    clock = VirtualClock()
    wall = WallClock(SimulatedRtc(clock, None), clock, NOON)
    assert not wall.trusted
    assert "set the time" in str(wall.problem)
    asyncio.run(clock.advance(5_000_000_000))
    assert wall.now() == NOON + timedelta(seconds=5)


def test_a_chip_less_than_its_own_second_behind_the_last_record_is_trusted_and_records_keep_their_order() -> None:
    clock = VirtualClock()
    wall = WallClock(SimulatedRtc(clock, NOON), clock, NOON + timedelta(milliseconds=999))
    assert wall.trusted
    assert wall.now() == NOON + timedelta(milliseconds=999)


def test_a_chip_behind_the_last_record_is_not_trusted() -> None:
    clock = VirtualClock()
    wall = WallClock(SimulatedRtc(clock, NOON - timedelta(seconds=2)), clock, NOON)
    assert not wall.trusted
    assert wall.problem == (
        "the clock says 2031-02-28 11:59:58 UTC, which is before 2031-02-28 12:00:00 UTC, already recorded: "
        "set the time"
    )
    assert wall.now() == NOON
    assert WallClock(SimulatedRtc(clock, NOON), clock, NOON).trusted


def test_a_set_time_is_trusted_and_reaches_the_chip() -> None:
    clock = VirtualClock()
    chip = SimulatedRtc(clock, None)
    wall = WallClock(chip, clock, BUILD)
    wall.set(NOON)
    assert wall.trusted
    assert wall.now() == NOON
    assert chip.read() == NOON


def test_a_time_before_the_last_record_is_refused_and_nothing_changes() -> None:
    clock = VirtualClock()
    wall = WallClock(SimulatedRtc(clock, None), clock, NOON)
    with pytest.raises(DeviceFault, match="give a later time"):
        wall.set(NOON - timedelta(seconds=1))
    assert not wall.trusted
    assert wall.now() == NOON


def test_a_chip_that_does_not_take_the_time_is_told_and_the_time_counts_until_the_power_goes() -> None:
    class DeadChip(SimulatedRtc):
        def set(self, utc: datetime) -> None:
            raise DeviceFault("clock: cannot be set")

    clock = VirtualClock()
    wall = WallClock(DeadChip(clock, None), clock, BUILD)
    with pytest.raises(DeviceFault, match="cannot be set"):
        wall.set(NOON)
    assert wall.trusted
    assert wall.now() == NOON
