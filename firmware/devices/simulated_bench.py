"""The simulated table's hardware: what lies on the felt and in the shoe, whether a controller is there or not.

Used by scenario scripts and simulated players. They touch what a person could touch, and look at what a person
could see: the lamps, and the cards in the hand that drew them.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from firmware.devices.clock import MonotonicClock, RealClock
from firmware.devices.faults import DeviceFault
from firmware.devices.pin_names import DOOR, FLOOR_KEY, LOCKOUT_BUTTON, is_lamp, pin_names, seat_sensor_name
from firmware.devices.rtc import SimulatedRtc
from firmware.devices.shoe import CardDrawn, PermitRefused, PermitReport, ShoeFault
from firmware.devices.sim_link import Message, decode, encode, report_fields, shoe_message
from firmware.devices.simulated_shoe import ShoeMechanism
from firmware.rules.cards import Card

PRESS_NS = 120_000_000
"""How long a hand holds a button down."""
ANSWER_WITHIN_S = 60.0


class _BenchTime:
    """Virtual time as the bench keeps it: it runs on while no controller is there to follow it."""

    def __init__(self, start_ns: int) -> None:
        self.now_ns = start_ns

    def monotonic_ns(self) -> int:
        return self.now_ns


class SimulatedBench:
    """A server for one controller at a time. `start_ns` None: real time, which is only waited for."""

    def __init__(
        self,
        socket_path: Path,
        seats: int,
        *,
        start_ns: int | None = 1_000_000_000,
        utc: datetime | None = None,
    ) -> None:
        self._virtual = None if start_ns is None else _BenchTime(start_ns)
        self._clock: MonotonicClock = self._virtual or RealClock()
        self._state = threading.Condition(threading.RLock())
        self._levels = {line: False for line in pin_names(seats) if not is_lamp(line)}
        self._level_at_ns = dict.fromkeys(self._levels, 0)
        self._lamps = {line: False for line in pin_names(seats) if is_lamp(line)}
        self._synced = self._acked = 0
        self._connection: socket.socket | None = None
        self.rtc = SimulatedRtc(self._clock, utc)
        self.shoe = ShoeMechanism(self._shoe_says)
        """For loading it and making it fail; a card is drawn with `draw`."""
        self._path = socket_path
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(socket_path))
        self._server.listen(1)
        self._thread = threading.Thread(target=self._serve, name="bench", daemon=True)
        self._thread.start()

    # What a person can do at the table

    def chip_down(self, seat: int, at_ns: int | None = None) -> None:
        self._edge(seat_sensor_name(seat), True, at_ns)

    def chip_up(self, seat: int, at_ns: int | None = None) -> None:
        self._edge(seat_sensor_name(seat), False, at_ns)

    def press_lockout(self, at_ns: int | None = None, hold_ns: int | None = PRESS_NS) -> None:
        """`hold_ns` passes before the hand lets go; None: it stays down until `release_lockout`."""
        self._edge(LOCKOUT_BUTTON, True, at_ns)
        if hold_ns is not None:
            self.advance(hold_ns)
            self.release_lockout()

    def release_lockout(self, at_ns: int | None = None) -> None:
        self._edge(LOCKOUT_BUTTON, False, at_ns)

    def turn_key(self, on: bool) -> None:
        self._edge(FLOOR_KEY, on, None)

    def door(self, stands_open: bool) -> None:
        self._edge(DOOR, stands_open, None)

    def draw(self) -> tuple[Card, ...]:
        """The dealer's hand at the shoe: what is then in it."""
        with self._state:
            return self.shoe.draw()

    def lamps(self) -> dict[str, bool]:
        with self._state:
            return dict(self._lamps)

    # What only a bench can do

    def raw_edges(self, line: str, edges: Iterable[tuple[bool, int]]) -> None:
        """Level and stamp, reported in the order given, which need not be the order of the stamps."""
        for level, at_ns in edges:
            self._edge(line, level, at_ns)

    def lose_edge(self, line: str, level: bool) -> None:
        """The line changes and nothing reports it."""
        with self._state:
            self._levels[line] = level
            self._send({"op": "level", "line": line, "level": level})

    def now_ns(self) -> int:
        return self._clock.monotonic_ns()

    def advance(self, ns: int) -> None:
        if self._virtual is None:
            time.sleep(ns / 1_000_000_000)
            return
        with self._state:
            self._virtual.now_ns += ns
            self._send({"op": "advance", "to_ns": self._virtual.now_ns})

    def sync(self, keys: int = 0) -> None:
        """Waits until the controller has handled all that was sent before, and `keys` keyed lines in all."""
        with self._state:
            self._synced += 1
            id = self._synced
            self._send({"op": "sync", "id": id, "keys": keys})
            self._wait(lambda: self._acked >= id or self._connection is None, "did not answer a sync")
            if self._acked < id:
                raise DeviceFault("simulated bench: the controller went away before it answered a sync")

    def connected(self) -> bool:
        with self._state:
            return self._connection is not None

    def wait_connected(self) -> None:
        with self._state:
            self._wait(lambda: self._connection is not None, "did not connect")

    def wait_disconnected(self) -> None:
        with self._state:
            self._wait(lambda: self._connection is None, "did not end")

    def close(self) -> None:
        with self._state:
            if self._connection is not None:
                with contextlib.suppress(OSError):
                    self._connection.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.close()
        self._path.unlink(missing_ok=True)

    def _edge(self, line: str, level: bool, at_ns: int | None) -> None:
        with self._state:
            stamp_ns = self.now_ns() if at_ns is None else at_ns
            if stamp_ns >= self._level_at_ns[line]:
                self._level_at_ns[line] = stamp_ns
                self._levels[line] = level
            self._send({"op": "edge", "line": line, "level": level, "at_ns": stamp_ns})

    def _wait(self, until: Callable[[], bool], complaint: str) -> None:
        if not self._state.wait_for(until, ANSWER_WITHIN_S):
            raise DeviceFault(f"simulated bench: the controller {complaint} within {ANSWER_WITHIN_S:.0f} s")

    # The link

    def _send(self, message: Message) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):  # a controller that died is noticed where it is read
                self._connection.sendall(encode(message))

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                self._greet(connection)
                with contextlib.suppress(OSError, DeviceFault), connection.makefile("rb") as lines:
                    for line in lines:
                        self._handle(decode(line))
                with self._state:
                    self._connection = None
                    self._lamps = dict.fromkeys(self._lamps, False)  # nobody feeds them any more
                    self._state.notify_all()

    def _greet(self, connection: socket.socket) -> None:
        with self._state:
            utc = self.rtc.read()
            self._connection = connection
            self._send(
                {
                    "op": "hello",
                    "now_ns": self.now_ns(),
                    "utc": None if utc is None else utc.isoformat(),
                    "levels": self._levels,
                    "real_time": self._virtual is None,
                }
            )
            self._state.notify_all()

    def _handle(self, message: Message) -> None:
        with self._state:
            match message["op"]:
                case "lamp":
                    self._lamps[message["line"]] = message["on"]
                case "ack":
                    self._acked = max(self._acked, message["id"])
                case "rtc_set":
                    self.rtc.set(datetime.fromisoformat(message["utc"]).astimezone(UTC))
                case _:
                    self._send({"op": "reply", "id": message["id"], **self._ask_shoe(message)})
            self._state.notify_all()

    def _ask_shoe(self, message: Message) -> Message:
        number = message["number"]
        try:
            if message["op"] == "shoe_permit":
                return report_fields(self.shoe.permit(number, message["purpose"], message["cards"]))
            if message["op"] == "shoe_acknowledge":
                self.shoe.acknowledge(number)
                return report_fields(PermitReport("unknown", ()))
            return report_fields(self.shoe.became_of(number))
        except PermitRefused as refusal:
            return {"refused": str(refusal)}

    def _shoe_says(self, event: object) -> None:
        if isinstance(event, CardDrawn | ShoeFault):
            with self._state:
                self._send(shoe_message(event))
