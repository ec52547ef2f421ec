"""What holds for every input and output line, wherever its pins are."""

import pytest
from device_rigs import RIGS, START_NS, WIRES, Rig, on

from firmware.devices.edges import Edge
from firmware.devices.faults import DeviceFault
from firmware.devices.pin_names import DOOR, LOCKOUT_LAMP, seat_lamp_name, seat_sensor_name
from firmware.devices.pins import InputLine, OutputLine

every_rig = pytest.mark.parametrize("rig_name", RIGS)
every_sensor = pytest.mark.parametrize("line", [seat_sensor_name(1), seat_sensor_name(2)])


@every_rig
@every_sensor
def test_an_edge_carries_its_line_level_and_the_stamp_of_the_driver(rig_name: str, line: str) -> None:
    async def body(rig: Rig) -> None:
        sensor = rig.input(line)
        rig.drive(line, True, START_NS - 700)
        rig.drive(line, False, START_NS + 1)
        await rig.settle()
        assert rig.edges() == [
            Edge(line, True, START_NS - 700, START_NS),
            Edge(line, False, START_NS + 1, START_NS),
        ]
        sensor.close()

    on(rig_name, body)


@every_rig
def test_a_lagging_reader_reports_the_old_stamp_and_its_own_arrival(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        sensor = rig.input(DOOR)
        await rig.clock.advance(80_000_000)
        rig.drive(DOOR, True, START_NS)
        await rig.settle()
        assert rig.edges() == [Edge(DOOR, True, START_NS, START_NS + 80_000_000)]
        sensor.close()

    on(rig_name, body)


@every_rig
@every_sensor
def test_every_raw_edge_of_a_bounce_is_delivered(rig_name: str, line: str) -> None:
    async def body(rig: Rig) -> None:
        sensor = rig.input(line)
        for number in range(11):
            rig.drive(line, number % 2 == 0, START_NS + number * 1000)
        await rig.settle()
        assert [(edge.level, edge.at_ns - START_NS) for edge in rig.edges()] == [
            (number % 2 == 0, number * 1000) for number in range(11)
        ]
        sensor.close()

    on(rig_name, body)


@every_rig
@every_sensor
def test_a_level_is_read_back_as_it_is_with_or_without_an_edge(rig_name: str, line: str) -> None:
    async def body(rig: Rig) -> None:
        sensor = rig.input(line)
        assert not sensor.level()
        rig.lose_edge(line, True)
        await rig.settle()
        assert sensor.level()
        assert rig.edges() == []
        rig.drive(line, False, START_NS)
        await rig.settle()
        assert not sensor.level()
        sensor.close()

    on(rig_name, body)


@every_rig
@every_sensor
def test_a_chip_that_lies_there_at_power_up_is_seen_by_level(rig_name: str, line: str) -> None:
    async def body(rig: Rig) -> None:
        rig.lose_edge(line, True)
        await rig.settle()
        sensor = rig.input(line)
        assert sensor.level()
        sensor.close()

    on(rig_name, body)


@every_rig
def test_an_edge_that_arrives_after_a_later_one_leaves_the_later_level(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        sensor = rig.input(DOOR)
        rig.drive(DOOR, False, START_NS + 20)
        rig.drive(DOOR, True, START_NS + 10)
        await rig.settle()
        assert [edge.at_ns - START_NS for edge in rig.edges()] == [20, 10]
        assert not sensor.level()
        sensor.close()

    on(rig_name, body)


@every_rig
@pytest.mark.parametrize("line", [seat_lamp_name(1), seat_lamp_name(2), LOCKOUT_LAMP])
def test_a_lamp_is_dark_when_opened_then_follows_and_reads_back(rig_name: str, line: str) -> None:
    async def body(rig: Rig) -> None:
        lamp = rig.output(line)
        assert not lamp.read_back()
        for on_or_off in (True, False, True):
            lamp.set(on_or_off)
            await rig.settle()
            assert lamp.read_back() == on_or_off
            assert rig.lamp_seen(line) == on_or_off
        lamp.close()

    on(rig_name, body)


@every_rig
def test_a_pin_is_claimed_once_and_free_again_when_closed(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        door = rig.input(DOOR)
        with pytest.raises(DeviceFault, match=r"second: GPIO\d+ is already claimed by another line"):
            OutputLine(rig.pins, "second", WIRES[DOOR].pin, active_high=True)
        with pytest.raises(DeviceFault, match="already claimed"):
            rig.input(DOOR)
        door.close()
        door.close()
        rig.drive(DOOR, True, START_NS)
        await rig.settle()
        assert rig.edges() == []
        rig.input(DOOR).close()

    on(rig_name, body)


@every_rig
def test_a_number_that_is_no_pin_is_a_fault_in_one_line(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        with pytest.raises(DeviceFault, match=r"^door: GPIO77 cannot be used .*choose another pin") as fault:
            InputLine(rig.pins, DOOR, 77, pull="none", active_high=True, post=rig.events.append, clock=rig.clock)
        assert "\n" not in str(fault.value)

    on(rig_name, body)
