"""gpiozero's mock pins, stamped by our clock and driven with a stated time.

The bench must be able to say when an edge happened, not only that it did: a reader that lags, edges that
overtake one another and an edge that got lost are what the lock-out has to survive.
"""

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from firmware.devices.clock import MonotonicClock

PinWritten = Callable[[int, bool], None]
"""Pin number and electrical level of an output that was written."""


def _unwatched(pin: int, high: bool) -> None:
    """A bench that looks at no lamp."""


class StampedPin(MockPin):  # type: ignore[misc]
    """What the bench drives wins over the pull resistor, as it does on copper."""

    def __init__(self, factory: Any, info: Any) -> None:
        self._driven_high: bool | None = None
        self._driven_at_ns: int | None = None
        super().__init__(factory, info)

    def drive_level(self, high: bool) -> None:
        self._driven_high = self._state = high

    def drive_edge(self, high: bool, at_ns: int) -> None:
        """An edge that arrives after a later one is reported all the same, but the level stays the later one's."""
        if self._driven_at_ns is None or at_ns >= self._driven_at_ns:
            self._driven_at_ns = at_ns
            self.drive_level(high)
        if self._when_changed is not None:
            PiPin._call_when_changed(self, at_ns / 1_000_000_000, high)

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._driven_high is not None:
            self._state = self._driven_high

    def _change_state(self, value: bool) -> bool:
        """MockPin remembers every change for ever; a table that runs for weeks cannot."""
        changed = bool(self._state != value)
        self._state = value
        return changed

    def _set_state(self, value: int) -> None:
        super()._set_state(value)
        self.factory.on_write(self._number, bool(value))


class SimulatedPins(MockFactory):  # type: ignore[misc]
    def __init__(self, clock: MonotonicClock) -> None:
        super().__init__(revision="c03111", pin_class=StampedPin)
        self._clock = clock
        self.on_write: PinWritten = _unwatched

    def ticks(self) -> float:
        return self._clock.monotonic_ns() / 1_000_000_000

    def drive(self, pin: int, high: bool, at_ns: int) -> None:
        """An edge, stamped `at_ns`, reported now: now may be later than the stamp."""
        self.pin(pin).drive_edge(high, at_ns)

    def set_level(self, pin: int, high: bool) -> None:
        """The level changes and nobody reports it: power-up with a chip in place, or a lost edge."""
        self.pin(pin).drive_level(high)
