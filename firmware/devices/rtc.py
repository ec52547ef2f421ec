"""The battery-backed clock chip: the only thing in the table that knows the date after a power cut."""

import errno
import fcntl
import os
import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

from firmware.devices.clock import MonotonicClock
from firmware.devices.faults import DeviceFault

# From linux/rtc.h: struct rtc_time is nine ints (second to isdst), the year counted from 1900, the month from 0.
RTC_TIME = struct.Struct("9i")
RTC_RD_TIME = 0x80247009
RTC_SET_TIME = 0x4024700A
RTC_VL_READ = 0x80047013
VL_DATA_INVALID = 0b00001
VL_BATTERY_EMPTY = 0b00100

Ioctl = Callable[[int, int, bytes], bytes]


class RealTimeClock(Protocol):
    @property
    def problem(self) -> str | None:
        """Why the last reading gave nothing."""
        ...

    def read(self) -> datetime | None:
        """UTC; None when the chip lost its battery, was never set or cannot be reached."""
        ...

    def set(self, utc: datetime) -> None: ...


def _ioctl(descriptor: int, request: int, argument: bytes) -> bytes:
    return bytes(fcntl.ioctl(descriptor, request, argument))


class LinuxRtc:
    """Through the kernel's driver, so that every clock chip it knows will do."""

    def __init__(self, path: str = "/dev/rtc0", ioctl: Ioctl = _ioctl) -> None:
        self._path = path
        self._ioctl = ioctl
        self.problem: str | None = None

    def read(self) -> datetime | None:
        self.problem = None
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            return self._nothing(f"cannot be opened ({error.strerror}): check the clock chip and its overlay")
        try:
            if self._battery_failed(descriptor):
                return self._nothing("its battery failed: replace the battery, then set the time")
            second, minute, hour, day, month, year, *_ = RTC_TIME.unpack(
                self._ioctl(descriptor, RTC_RD_TIME, bytes(RTC_TIME.size))
            )
            return datetime(year + 1900, month + 1, day, hour, minute, second, tzinfo=UTC)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            return self._nothing(f"gives no valid time ({reason}): set the time")
        finally:
            os.close(descriptor)

    def _battery_failed(self, descriptor: int) -> bool:
        try:
            answer = self._ioctl(descriptor, RTC_VL_READ, bytes(4))
        except OSError as error:
            if error.errno in (errno.ENOTTY, errno.EINVAL, errno.ENOSYS):
                return False  # this chip does not watch its battery
            raise
        return bool(struct.unpack("I", answer)[0] & (VL_DATA_INVALID | VL_BATTERY_EMPTY))

    def _nothing(self, reason: str) -> datetime | None:
        self.problem = f"clock {self._path}: {reason}"
        return None

    def set(self, utc: datetime) -> None:
        utc = utc.astimezone(UTC)
        fields = (utc.second, utc.minute, utc.hour, utc.day, utc.month - 1, utc.year - 1900, 0, 0, 0)
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                self._ioctl(descriptor, RTC_SET_TIME, RTC_TIME.pack(*fields))
            finally:
                os.close(descriptor)
        except OSError as error:
            raise DeviceFault(
                f"clock {self._path}: cannot be set ({error.strerror}): the time holds until the power goes; "
                "check the clock chip"
            ) from None


class SimulatedRtc:
    """A chip whose battery can be taken out."""

    def __init__(self, clock: MonotonicClock, utc: datetime | None) -> None:
        self._clock = clock
        self._utc = utc
        self._as_of_ns = clock.monotonic_ns()

    @property
    def problem(self) -> str | None:
        return None if self._utc is not None else "simulated clock: its battery failed: set the time"

    def read(self) -> datetime | None:
        if self._utc is None:
            return None
        elapsed = timedelta(microseconds=(self._clock.monotonic_ns() - self._as_of_ns) // 1000)
        return (self._utc + elapsed).replace(microsecond=0)

    def set(self, utc: datetime) -> None:
        self._utc = utc.astimezone(UTC)
        self._as_of_ns = self._clock.monotonic_ns()

    def lose_battery(self) -> None:
        self._utc = None
