"""Everything wired to the board, opened by the names of the board file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.config.board_file import BoardFile, PinLine
from firmware.devices.clock import Clock, RealClock, VirtualClock
from firmware.devices.edges import Post
from firmware.devices.faults import DeviceFault
from firmware.devices.felt import BetSensor, Door, FloorKey, Lamp, LockOutButton, Switch
from firmware.devices.keypad import Keypad
from firmware.devices.pin_names import (
    DOOR,
    FLOOR_KEY,
    LOCKOUT_BUTTON,
    LOCKOUT_LAMP,
    seat_lamp_name,
    seat_sensor_name,
)
from firmware.devices.pins import InputLine, OutputLine, open_pin_factory
from firmware.devices.rtc import LinuxRtc, RealTimeClock
from firmware.devices.shoe import Shoe
from firmware.devices.simulated_board import SimulatedBoard


@dataclass
class Hardware:
    clock: Clock
    rtc: RealTimeClock
    sensors: dict[int, BetSensor]
    chips: dict[int, Switch]
    """The same sensors, debounced for the seat lamps; lock-out is decided on the edges themselves."""
    seat_lamps: dict[int, Lamp]
    button: LockOutButton
    floor_key: FloorKey
    door: Door
    shoe: Shoe | None
    keypad: Keypad
    bench: SimulatedBoard | None
    lines: list[InputLine | OutputLine]

    async def close(self) -> None:
        self.keypad.close()
        for line in self.lines:
            line.close()
        if self.bench is not None:
            await self.bench.close()


async def open_hardware(
    board: BoardFile,
    seats: int,
    post: Post,
    work_folder: Path,
    bench_socket: Path | None,
    real_time: bool,
    keypad: str | None,
) -> Hardware:
    """On mock pins the hardware lives at the other end of a bench socket; otherwise it is the board's own."""
    bench: SimulatedBoard | None = None
    if board.pin_factory == "mock":
        assert bench_socket is not None
        bench = SimulatedBoard(bench_socket, board.pins, post, None if real_time else VirtualClock())
        await bench.connect()
        clock, factory = bench.clock, bench.factory
        rtc: RealTimeClock = bench.rtc
        shoe: Shoe | None = bench.shoe if board.shoe == "reading" else None
    else:
        if board.shoe == "reading":
            raise DeviceFault(f'{board.path}: no driver for a reading shoe in this version: write kind = "plain"')
        clock, shoe = RealClock(), None
        factory = open_pin_factory(board.pin_factory, clock, work_folder)
        rtc = LinuxRtc(board.rtc)
    return _wire(board, seats, post, clock, factory, rtc, shoe, bench, keypad or board.keypad)


def _wire(
    board: BoardFile,
    seats: int,
    post: Post,
    clock: Clock,
    factory: Any,
    rtc: RealTimeClock,
    shoe: Shoe | None,
    bench: SimulatedBoard | None,
    keypad: str,
) -> Hardware:
    lines: list[InputLine | OutputLine] = []

    def pin(name: str) -> PinLine:
        return board.pins[name]

    def read(name: str) -> InputLine:
        use = pin(name)
        line = InputLine(factory, name, use.pin, pull=use.pull, active_high=use.active_high, post=post, clock=clock)
        lines.append(line)
        return line

    def light(name: str) -> Lamp:
        line = OutputLine(factory, name, pin(name).pin, active_high=pin(name).active_high)
        lines.append(line)
        return Lamp(line)

    numbers = range(1, seats + 1)
    sensors = {seat: BetSensor(seat, read(seat_sensor_name(seat))) for seat in numbers}
    return Hardware(
        clock=clock,
        rtc=rtc,
        sensors=sensors,
        chips={seat: Switch(sensor.line, board.settle_ns) for seat, sensor in sensors.items()},
        seat_lamps={seat: light(seat_lamp_name(seat)) for seat in numbers},
        button=LockOutButton(read(LOCKOUT_BUTTON), light(LOCKOUT_LAMP)),
        floor_key=FloorKey(read(FLOOR_KEY), board.settle_ns),
        door=Door(read(DOOR), board.settle_ns),
        shoe=shoe,
        keypad=Keypad(keypad, post, clock),
        bench=bench,
        lines=lines,
    )
