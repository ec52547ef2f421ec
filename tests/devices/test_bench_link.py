"""The simulated hardware lives in another place than the controller, and outlives it."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from device_rigs import WIRES

from firmware.devices.clock import VirtualClock
from firmware.devices.edges import Edge
from firmware.devices.faults import DeviceFault
from firmware.devices.pin_names import DOOR, FLOOR_KEY, LOCKOUT_BUTTON, LOCKOUT_LAMP, seat_lamp_name
from firmware.devices.pins import InputLine, OutputLine
from firmware.devices.shoe import PermitReport
from firmware.devices.sim_link import BenchLost, SyncRequested
from firmware.devices.simulated_bench import PRESS_NS, SimulatedBench
from firmware.devices.simulated_board import SimulatedBoard
from firmware.rules.cards import parse_cards

START_NS = 9_000_000_000
NOON = datetime(2031, 2, 28, 12, tzinfo=UTC)


class Controller:
    """The least that answers a bench: its board, one line for every input, and what it was told."""

    def __init__(self, folder: Path, *, virtual: bool = True) -> None:
        self.events: list[object] = []
        self.clock = VirtualClock() if virtual else None
        self.board = SimulatedBoard(folder / "bench", WIRES, self.post, self.clock)
        self.lost = asyncio.Event()

    def post(self, event: object) -> None:
        self.events.append(event)
        if isinstance(event, SyncRequested):
            self.board.ack(event.id)
        if isinstance(event, BenchLost):
            self.lost.set()

    def input(self, line: str) -> InputLine:
        wire = WIRES[line]
        return InputLine(
            self.board.factory,
            line,
            wire.pin,
            pull="none",
            active_high=wire.active_high,
            post=self.post,
            clock=self.board.clock,
        )

    def edges(self) -> list[tuple[str, bool, int]]:
        return [event[:3] for event in self.events if isinstance(event, Edge)]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[SimulatedBench]:
    made = SimulatedBench(tmp_path / "bench", 2, start_ns=START_NS, utc=NOON)
    yield made
    made.close()


def play(folder: Path, body: Callable[[Controller], Awaitable[None]], *, virtual: bool = True) -> None:
    """One life of a controller."""

    async def life() -> None:
        controller = Controller(folder, virtual=virtual)
        await controller.board.connect()
        try:
            await body(controller)
        finally:
            await controller.board.close()

    asyncio.run(life())


def test_hands_at_the_table_become_edges_at_the_benchs_time(bench: SimulatedBench, tmp_path: Path) -> None:
    async def body(controller: Controller) -> None:
        lines = [controller.input(line) for line in ("seat_1_sensor", LOCKOUT_BUTTON, FLOOR_KEY, DOOR)]
        bench.chip_down(1)
        bench.advance(1_000)
        bench.chip_up(1)
        bench.turn_key(True)
        bench.door(True)
        bench.press_lockout()
        bench.chip_down(1, at_ns=START_NS + 1_500)
        await asyncio.to_thread(bench.sync)
        now_ns = START_NS + 1_000
        assert controller.edges() == [
            ("seat_1_sensor", True, START_NS),
            ("seat_1_sensor", False, now_ns),
            (FLOOR_KEY, True, now_ns),
            (DOOR, True, now_ns),
            (LOCKOUT_BUTTON, True, now_ns),
            (LOCKOUT_BUTTON, False, now_ns + PRESS_NS),
            ("seat_1_sensor", True, START_NS + 1_500),
        ]
        assert len(lines) == 4

    play(tmp_path, body)


def test_what_lies_on_the_felt_survives_the_controller_and_its_lamps_do_not(
    bench: SimulatedBench, tmp_path: Path
) -> None:
    async def first_life(controller: Controller) -> None:
        lamp = OutputLine(
            controller.board.factory,
            seat_lamp_name(1),
            WIRES[seat_lamp_name(1)].pin,
            active_high=WIRES[seat_lamp_name(1)].active_high,
        )
        lamp.set(True)
        bench.chip_down(1)
        await asyncio.to_thread(bench.sync)
        assert bench.lamps()[seat_lamp_name(1)]
        assert not bench.lamps()[LOCKOUT_LAMP]

    async def second_life(controller: Controller) -> None:
        assert controller.input("seat_1_sensor").level()
        assert controller.input("seat_2_sensor").level()
        assert not controller.input(DOOR).level()
        assert controller.edges() == []

    play(tmp_path, first_life)
    bench.wait_disconnected()
    assert not bench.lamps()[seat_lamp_name(1)]
    bench.chip_down(2)
    play(tmp_path, second_life)


def test_time_and_the_clock_chip_run_on_while_no_controller_is_there(bench: SimulatedBench, tmp_path: Path) -> None:
    async def set_the_time(controller: Controller) -> None:
        assert controller.board.rtc.read() == NOON
        controller.board.rtc.set(NOON + timedelta(days=1))
        await asyncio.to_thread(bench.sync)

    async def read_the_time(controller: Controller) -> None:
        assert controller.board.clock.monotonic_ns() == START_NS + 3_000_000_000
        assert controller.board.rtc.read() == NOON + timedelta(days=1, seconds=3)

    async def without_battery(controller: Controller) -> None:
        assert controller.board.rtc.read() is None

    play(tmp_path, set_the_time)
    bench.advance(3_000_000_000)
    play(tmp_path, read_the_time)
    bench.rtc.lose_battery()
    play(tmp_path, without_battery)


def test_a_permit_and_its_cards_survive_the_controller(bench: SimulatedBench, tmp_path: Path) -> None:
    cards = parse_cards(["4c", "Td"])

    async def issue(controller: Controller) -> None:
        await controller.board.shoe.permit(1, "deal", 2)
        bench.draw()
        await asyncio.to_thread(bench.sync)

    async def ask(controller: Controller) -> None:
        assert await controller.board.shoe.became_of(1) == PermitReport("done", cards)
        assert controller.events == []

    bench.shoe.load(cards)
    play(tmp_path, issue)
    bench.wait_disconnected()
    bench.draw()
    play(tmp_path, ask)


def test_an_advance_wakes_who_sleeps_before_the_sync_after_it_is_told(bench: SimulatedBench, tmp_path: Path) -> None:
    async def body(controller: Controller) -> None:
        async def sleeper() -> None:
            for _ in range(3):
                await controller.board.clock.sleep_until(controller.board.clock.monotonic_ns() + 10)
                controller.events.append(controller.board.clock.monotonic_ns() - START_NS)

        task = asyncio.create_task(sleeper())
        bench.advance(25)
        await asyncio.to_thread(bench.sync, 4)
        assert controller.events == [10, 20, SyncRequested(1, 4)]
        bench.advance(25)
        await task

    play(tmp_path, body)


def test_a_sync_that_the_controller_did_not_live_to_answer_is_a_fault(bench: SimulatedBench, tmp_path: Path) -> None:
    async def body(controller: Controller) -> None:
        controller.board.ack = lambda id: None  # type: ignore[method-assign]
        asked = asyncio.create_task(asyncio.to_thread(bench.sync))
        while not controller.events:
            await asyncio.sleep(0)
        await controller.board.close()
        with pytest.raises(DeviceFault, match="went away before it answered a sync"):
            await asked

    play(tmp_path, body)


def test_a_bench_that_goes_away_is_told_and_leaves_no_question_hanging(bench: SimulatedBench, tmp_path: Path) -> None:
    async def body(controller: Controller) -> None:
        controller.board.send = lambda message: None  # type: ignore[method-assign]
        question = asyncio.create_task(controller.board.shoe.became_of(1))
        await asyncio.sleep(0)
        await asyncio.to_thread(bench.close)
        await controller.lost.wait()
        with pytest.raises(DeviceFault, match="went away"):
            await question
        with pytest.raises(DeviceFault, match="not connected"):
            await controller.board.shoe.became_of(1)

    play(tmp_path, body)


def test_in_real_time_edges_carry_the_real_clock(tmp_path: Path) -> None:
    bench = SimulatedBench(tmp_path / "bench", 2, start_ns=None)

    async def body(controller: Controller) -> None:
        line = controller.input(DOOR)
        before_ns = controller.board.clock.monotonic_ns()
        bench.door(True)
        await asyncio.to_thread(bench.sync)
        ((_, _, at_ns),) = controller.edges()
        assert before_ns <= at_ns <= controller.board.clock.monotonic_ns()
        line.close()

    play(tmp_path, body, virtual=False)
    bench.close()


async def nothing(controller: Controller) -> None:
    raise AssertionError("the controller should not have come this far")


def test_no_bench_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DeviceFault, match=r"bench cannot be reached \(.*\): start the bench first$"):
        play(tmp_path, nothing)


def test_bench_and_controller_in_different_modes_are_refused(bench: SimulatedBench, tmp_path: Path) -> None:
    with pytest.raises(DeviceFault, match="do not agree on real or virtual time"):
        play(tmp_path, nothing, virtual=False)


def test_a_bench_with_more_seats_than_the_board_is_refused(tmp_path: Path) -> None:
    bench = SimulatedBench(tmp_path / "bench", 3, start_ns=START_NS)
    with pytest.raises(DeviceFault, match="has a line 'seat_3_sensor' that the board file does not"):
        play(tmp_path, nothing)
    bench.close()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"rubbish\n", "is not a message"),
        (b'{"op":"dance"}\n', "message 'dance' is not known"),
        (b'{"op":"edge","line":"no such line","level":true,"at_ns":1}\n', "cannot be understood"),
    ],
)
def test_a_bench_that_talks_rubbish_is_told_as_lost(tmp_path: Path, line: bytes, complaint: str) -> None:
    hello = b'{"op":"hello","now_ns":5,"utc":null,"levels":{},"real_time":false}\n'
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "bench"))
    server.listen()

    def talk() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(hello + line)
            connection.recv(1)

    async def body(controller: Controller) -> None:
        await controller.lost.wait()
        (lost,) = controller.events
        assert isinstance(lost, BenchLost)
        assert complaint in lost.reason

    talker = threading.Thread(target=talk)
    talker.start()
    play(tmp_path, body)
    talker.join()
    server.close()
