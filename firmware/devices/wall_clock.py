"""The time of day for records: what the clock chip said at the start, plus what has gone by since.

The chip is read once: two readings of a chip that counts whole seconds could let records run backwards.
"""

from datetime import UTC, datetime, timedelta

from firmware.devices.clock import MonotonicClock
from firmware.devices.faults import DeviceFault
from firmware.devices.rtc import RealTimeClock

CHIP_COUNTS = timedelta(seconds=1)
"""A chip counts whole seconds, so it may read that much less than the last record."""


class WallClock:
    """`not_before`: the time of the last record, or of the software's build; a clock behind it is wrong."""

    def __init__(self, rtc: RealTimeClock, clock: MonotonicClock, not_before: datetime) -> None:
        self._rtc = rtc
        self._clock = clock
        self._not_before = not_before.astimezone(UTC)
        reading = rtc.read()
        self._as_of_ns = clock.monotonic_ns()
        self.problem: str | None = None
        if reading is None:
            self.problem = rtc.problem or "the clock gives no time: set the time"
        elif reading + CHIP_COUNTS < self._not_before:
            self.problem = (
                f"the clock says {_text(reading)}, which is before {_text(self._not_before)}, already recorded: "
                "set the time"
            )
        self._utc = self._not_before if reading is None or self.problem else max(reading, self._not_before)

    @property
    def not_before(self) -> datetime:
        return self._not_before

    @property
    def trusted(self) -> bool:
        return self.problem is None

    def now(self) -> datetime:
        """UTC. Without a trusted clock it still runs on from the last record, so that records keep their order."""
        return self._utc + timedelta(microseconds=(self._clock.monotonic_ns() - self._as_of_ns) // 1000)

    def now_text(self) -> str:
        return self.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def set(self, utc: datetime) -> None:
        """The time counts at once; a `DeviceFault` afterwards says that the chip did not take it."""
        if utc.tzinfo is None:
            raise ValueError("a time to set needs its zone")
        if utc < self._not_before:
            raise DeviceFault(
                f"the time cannot be set to {_text(utc)}: records already stand at {_text(self._not_before)}: "
                "give a later time"
            )
        self._utc = utc.astimezone(UTC)
        self._as_of_ns = self._clock.monotonic_ns()
        self.problem = None
        self._rtc.set(self._utc)


def _text(utc: datetime) -> str:
    return utc.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
