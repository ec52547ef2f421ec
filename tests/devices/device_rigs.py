"""The places where one contract suite runs: on mock pins and a shoe in this process, and over the bench's link."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from firmware.devices.clock import VirtualClock
from firmware.devices.edges import Edge
from firmware.devices.pin_names import is_lamp, pin_names
from firmware.devices.pins import InputLine, OutputLine
from firmware.devices.shoe import Shoe
from firmware.devices.sim_link import SyncRequested
from firmware.devices.simulated_bench import SimulatedBench
from firmware.devices.simulated_board import SimulatedBoard
from firmware.devices.simulated_pins import SimulatedPins
from firmware.devices.simulated_shoe import ShoeMechanism, SimulatedShoe

SEATS = 2
START_NS = 5_000_000_000


@dataclass(frozen=True)
class Wire:
    pin: int
    active_high: bool


# Every second line is wired active-low, so that no test passes by luck of polarity.
WIRES = {name: Wire(4 + number, number % 2 == 0) for number, name in enumerate(pin_names(SEATS))}


@dataclass
class Rig:
    clock: VirtualClock
    pins: SimulatedPins
    shoe: Shoe
    mechanism: ShoeMechanism
    drive: Callable[[str, bool, int], None]
    lose_edge: Callable[[str, bool], None]
    lamp_seen: Callable[[str], bool]
    settle: Callable[[], Awaitable[None]]
    """Until all that was done on the far side has arrived on ours, and the other way round."""
    events: list[object] = field(default_factory=list)

    def input(self, line: str) -> InputLine:
        wire = WIRES[line]
        return InputLine(
            self.pins,
            line,
            wire.pin,
            pull="down" if wire.active_high else "up",
            active_high=wire.active_high,
            post=self.events.append,
            clock=self.clock,
        )

    def output(self, line: str) -> OutputLine:
        assert is_lamp(line)
        return OutputLine(self.pins, line, WIRES[line].pin, active_high=WIRES[line].active_high)

    def edges(self) -> list[Edge]:
        return [event for event in self.events if isinstance(event, Edge)]


@asynccontextmanager
async def in_process() -> AsyncIterator[Rig]:
    clock = VirtualClock(START_NS)
    pins = SimulatedPins(clock)
    events: list[object] = []
    shoe = SimulatedShoe(events.append)
    written: dict[int, bool] = {}
    pins.on_write = written.__setitem__

    def lamp_seen(line: str) -> bool:
        return written[WIRES[line].pin] == WIRES[line].active_high

    async def settle() -> None:
        await asyncio.sleep(0)

    yield Rig(
        clock,
        pins,
        shoe,
        shoe.mechanism,
        drive=lambda line, level, at_ns: pins.drive(WIRES[line].pin, level == WIRES[line].active_high, at_ns),
        lose_edge=lambda line, level: pins.set_level(WIRES[line].pin, level == WIRES[line].active_high),
        lamp_seen=lamp_seen,
        settle=settle,
        events=events,
    )
    pins.close()


@asynccontextmanager
async def over_the_link() -> AsyncIterator[Rig]:
    with tempfile.TemporaryDirectory() as folder:
        bench = SimulatedBench(Path(folder) / "bench", SEATS, start_ns=START_NS)
        clock = VirtualClock()
        events: list[object] = []

        def post(event: object) -> None:
            if isinstance(event, SyncRequested):
                board.ack(event.id)
            else:
                events.append(event)

        board = SimulatedBoard(Path(folder) / "bench", WIRES, post, clock)
        await board.connect()
        try:
            yield Rig(
                clock,
                board.factory,
                board.shoe,
                bench.shoe,
                drive=lambda line, level, at_ns: bench.raw_edges(line, [(level, at_ns)]),
                lose_edge=bench.lose_edge,
                lamp_seen=lambda line: bench.lamps()[line],
                settle=lambda: asyncio.to_thread(bench.sync),
                events=events,
            )
        finally:
            await board.close()
            bench.close()


RIGS = {"in process": in_process, "over the link": over_the_link}


def on(rig_name: str, body: Callable[[Rig], Awaitable[None]]) -> None:
    async def run() -> None:
        async with RIGS[rig_name]() as rig:
            await body(rig)

    asyncio.run(run())
