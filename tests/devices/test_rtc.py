"""The clock chip through the kernel's interface, and its twin."""

import asyncio
import errno
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware.devices import rtc
from firmware.devices.clock import VirtualClock
from firmware.devices.faults import DeviceFault
from firmware.devices.rtc import LinuxRtc, SimulatedRtc

NOON = datetime(2031, 2, 28, 12, 0, 5, tzinfo=UTC)


class Chip:
    """Answers as the kernel's driver does: linux/rtc.h's requests and its nine ints."""

    def __init__(self, *, battery_flags: int | None = 0, fields: tuple[int, ...] = (5, 0, 12, 28, 1, 131)) -> None:
        self.battery_flags = battery_flags
        self.fields = fields
        self.written: tuple[int, ...] | None = None

    def __call__(self, descriptor: int, request: int, argument: bytes) -> bytes:
        if request == rtc.RTC_VL_READ:
            if self.battery_flags is None:
                raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
            return struct.pack("I", self.battery_flags)
        if request == rtc.RTC_SET_TIME:
            self.written = rtc.RTC_TIME.unpack(argument)
            return argument
        assert request == rtc.RTC_RD_TIME
        return rtc.RTC_TIME.pack(*self.fields, 0, 0, 0)


@pytest.fixture
def device(tmp_path: Path) -> str:
    (tmp_path / "rtc0").touch()
    return str(tmp_path / "rtc0")


@pytest.mark.parametrize("battery_flags", [0, None, 0b00010, 0b01000])
def test_the_chip_gives_utc_when_its_battery_holds_or_is_not_watched(device: str, battery_flags: int | None) -> None:
    clock = LinuxRtc(device, Chip(battery_flags=battery_flags))
    assert clock.read() == NOON
    assert clock.problem is None


@pytest.mark.parametrize("battery_flags", [rtc.VL_DATA_INVALID, rtc.VL_BATTERY_EMPTY])
def test_a_chip_whose_battery_failed_gives_nothing_and_says_so(device: str, battery_flags: int) -> None:
    clock = LinuxRtc(device, Chip(battery_flags=battery_flags))
    assert clock.read() is None
    assert clock.problem == f"clock {device}: its battery failed: replace the battery, then set the time"


def test_a_chip_that_was_never_set_gives_nothing(device: str) -> None:
    clock = LinuxRtc(device, Chip(fields=(0, 0, 0, 0, 0, 70)))
    assert clock.read() is None
    assert "gives no valid time" in str(clock.problem)


def test_a_missing_chip_gives_nothing_and_cannot_be_set(tmp_path: Path) -> None:
    clock = LinuxRtc(str(tmp_path / "none"))
    assert clock.read() is None
    assert "cannot be opened (No such file or directory)" in str(clock.problem)
    with pytest.raises(DeviceFault, match="cannot be set"):
        clock.set(NOON)


def test_a_file_that_is_no_chip_gives_nothing(device: str) -> None:
    clock = LinuxRtc(device)
    assert clock.read() is None
    assert "gives no valid time" in str(clock.problem)


def test_setting_writes_what_reading_gives_back(device: str) -> None:
    chip = Chip()
    LinuxRtc(device, chip).set(datetime.fromisoformat("2031-12-31T19:00:59-05:00"))
    assert chip.written == (59, 0, 0, 1, 0, 132, 0, 0, 0)
    assert LinuxRtc(device, Chip(fields=chip.written[:6])).read() == datetime(2032, 1, 1, 0, 0, 59, tzinfo=UTC)


def test_the_twin_counts_whole_seconds_and_loses_its_battery() -> None:
    clock = VirtualClock(7)
    twin = SimulatedRtc(clock, NOON)
    asyncio.run(clock.advance(61_999_999_999))
    assert twin.read() == datetime(2031, 2, 28, 12, 1, 6, tzinfo=UTC)
    twin.lose_battery()
    assert twin.read() is None
    assert "set the time" in str(twin.problem)
    twin.set(NOON)
    assert twin.read() == NOON
    assert twin.problem is None
