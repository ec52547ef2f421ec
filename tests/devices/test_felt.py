"""What is built into the table, on mock pins."""

from typing import Any

import pytest

from firmware.devices.clock import VirtualClock
from firmware.devices.edges import Edge
from firmware.devices.faults import DeviceFault
from firmware.devices.felt import BetSensor, Door, FloorKey, Lamp, LockOutButton
from firmware.devices.pins import InputLine, OutputLine
from firmware.devices.simulated_pins import SimulatedPins

MS = 1_000_000
SETTLE = 30 * MS


@pytest.fixture
def pins() -> SimulatedPins:
    return SimulatedPins(VirtualClock())


def input_line(pins: SimulatedPins, line: str, pin: int, post: Any = lambda event: None) -> InputLine:
    return InputLine(pins, line, pin, pull="up", active_high=False, post=post, clock=VirtualClock())


def test_a_bet_sensor_sees_a_chip(pins: SimulatedPins) -> None:
    sensor = BetSensor(3, input_line(pins, "seat_3_sensor", 5))
    assert not sensor.chip_present()
    pins.drive(5, False, 1)
    assert sensor.chip_present()


def test_a_lock_out_button_has_its_lamp(pins: SimulatedPins) -> None:
    lamp = Lamp(OutputLine(pins, "lockout_lamp", 6, active_high=True))
    button = LockOutButton(input_line(pins, "lockout_button", 5), lamp)
    pins.drive(5, False, 1)
    button.lamp.show(True)
    assert button.down()
    assert lamp.lit()


def test_a_lamp_that_does_not_follow_is_a_fault(pins: SimulatedPins) -> None:
    class ShortedLine(OutputLine):
        def read_back(self) -> bool:
            return False

    lamp = Lamp(ShortedLine(pins, "seat_2_lamp", 6, active_high=True))
    with pytest.raises(DeviceFault, match=r"^seat_2_lamp: the lamp's pin does not follow when switched on: check"):
        lamp.show(True)


def test_a_key_counts_when_it_has_come_to_rest(pins: SimulatedPins) -> None:
    edges: list[Edge] = []
    key = FloorKey(input_line(pins, "floor_key", 5, edges.append), SETTLE)
    for high, at_ns in ((False, 100 * MS), (True, 101 * MS), (False, 102 * MS)):
        pins.drive(5, high, at_ns)
    assert [key.feed(edge) for edge in edges][-1] == 132 * MS
    assert not key.turned(131 * MS)
    assert key.turned(132 * MS)


def test_a_door_open_at_power_up_is_open(pins: SimulatedPins) -> None:
    pins.set_level(5, False)
    door = Door(input_line(pins, "door", 5), SETTLE)
    assert door.stands_open(0)
    assert not door.contradicts()
    pins.set_level(5, True)
    assert door.contradicts()
