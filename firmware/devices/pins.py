"""Input and output lines on gpiozero, with the pin factory named and never guessed.

gpiozero's own fallback would quietly pick another driver with another edge resolution; which driver stamps
the edges decides who was in time, so the board file names it and nothing else is tried.
"""

import os
from pathlib import Path
from typing import Any, Literal

from gpiozero import GPIOPinInUse, InputDevice, OutputDevice
from gpiozero.exc import PinUnknownPi

from firmware.devices.clock import MonotonicClock
from firmware.devices.edges import Edge, Post
from firmware.devices.faults import DeviceFault
from firmware.devices.simulated_pins import SimulatedPins

Pull = Literal["up", "down", "none"]

_GPIOZERO_PULL: dict[str, bool | None] = {"up": True, "down": False, "none": None}


def open_pin_factory(name: str, clock: MonotonicClock, work_folder: Path) -> Any:
    """`work_folder` must be writable: lgpio keeps a named pipe there for as long as it runs."""
    match name:
        case "lgpio":
            return _open_lgpio(work_folder)
        case "rpigpio":
            return _open_rpigpio()
        case "mock":
            return SimulatedPins(clock)
    raise DeviceFault(
        f'pin factory {name!r} is not known: the board file\'s pin_factory is "lgpio", "rpigpio" or "mock"'
    )


def _open_lgpio(work_folder: Path) -> Any:
    here = Path.cwd()
    try:
        work_folder.mkdir(parents=True, exist_ok=True)
        os.environ["LG_WD"] = str(work_folder)
        try:
            import lgpio
            from gpiozero.pins.lgpio import LGPIOFactory
        finally:
            os.chdir(here)  # lgpio's import moves the whole process into LG_WD
    except ImportError:
        raise DeviceFault(
            "pin factory lgpio: the lgpio package is not installed: run `make setup` on Python 3.11 or 3.12"
        ) from None
    except OSError as error:
        raise DeviceFault(
            f"pin factory lgpio: its work folder {work_folder} cannot be used ({error.strerror}): "
            "make the storage directory writable"
        ) from None
    try:
        return LGPIOFactory()
    except PinUnknownPi:
        raise DeviceFault(
            "pin factory lgpio: this machine does not say that it is a Raspberry Pi: run on the table's board, "
            'or name pin_factory = "mock" in the board file to simulate one'
        ) from None
    except lgpio.error:
        raise DeviceFault(
            "pin factory lgpio: the GPIO chip cannot be opened: check that /dev/gpiochip0 exists and that this "
            "user is in the group gpio"
        ) from None


def _open_rpigpio() -> Any:
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        return RPiGPIOFactory()
    except ImportError:
        raise DeviceFault(
            "pin factory rpigpio: RPi.GPIO is not installed: install feltlock[rpigpio], or name "
            'pin_factory = "lgpio" in the board file'
        ) from None
    except (RuntimeError, PinUnknownPi):
        raise DeviceFault(
            "pin factory rpigpio: RPi.GPIO runs on a Raspberry Pi only: run on the table's board, or name "
            'pin_factory = "mock" in the board file to simulate one'
        ) from None


class InputLine:
    """Every raw edge of one pin, with the kernel's stamp. Debounce is ours alone: the mock has none and each
    driver's differs, so the drivers' own is switched off."""

    def __init__(
        self, factory: Any, line: str, pin: int, *, pull: Pull, active_high: bool, post: Post, clock: MonotonicClock
    ) -> None:
        self.line = line
        self._active_high = active_high
        self._post = post
        self._clock = clock
        with_pull = _GPIOZERO_PULL[pull]
        try:
            self._device = InputDevice(
                pin,
                pull_up=with_pull,
                active_state=active_high if with_pull is None else None,
                pin_factory=factory,
            )
            self._device.pin.bounce = None
            self._device.pin.edges = "both"
            self._device.pin.when_changed = self._changed
        except Exception as error:  # each driver has its own kinds
            raise _claim_fault(line, pin, error) from None

    def _changed(self, ticks: float, state: int) -> None:
        self._post(
            Edge(
                self.line,
                bool(state) == self._active_high,
                round(ticks * 1_000_000_000),
                self._clock.monotonic_ns(),
            )
        )

    def level(self) -> bool:
        """What the line reads now, whatever its edges said."""
        return bool(self._device.pin.state) == self._active_high

    def close(self) -> None:
        if not self._device.closed:
            self._device.pin.when_changed = None
            self._device.close()


class OutputLine:
    """A lamp's pin: dark when opened."""

    def __init__(self, factory: Any, line: str, pin: int, *, active_high: bool) -> None:
        self.line = line
        try:
            self._device = OutputDevice(pin, active_high=active_high, initial_value=False, pin_factory=factory)
        except Exception as error:
            raise _claim_fault(line, pin, error) from None

    def set(self, on: bool) -> None:
        self._device.value = on

    def read_back(self) -> bool:
        return bool(self._device.value)

    def close(self) -> None:
        if not self._device.closed:
            self._device.close()


def _claim_fault(line: str, pin: int, error: Exception) -> DeviceFault:
    if isinstance(error, GPIOPinInUse):
        return DeviceFault(
            f"{line}: GPIO{pin} is already claimed by another line: give each line of [pins] in the board file "
            "a pin of its own"
        )
    return DeviceFault(f"{line}: GPIO{pin} cannot be used ({error}): choose another pin in the board file")
