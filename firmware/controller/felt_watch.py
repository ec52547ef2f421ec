"""Watching the felt: every edge goes to the lock-out decision and to the debounced view of chips and switches."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from firmware.config.board_file import BoardFile
from firmware.controller import table_state as rec
from firmware.controller.hardware import Hardware
from firmware.controller.lockout import LockOut, PressMeaning, SeatReading
from firmware.devices.edges import Edge
from firmware.devices.pin_names import DOOR, FLOOR_KEY, LOCKOUT_BUTTON, seat_sensor_name

if TYPE_CHECKING:
    from firmware.controller.controller import Controller


class Change(Protocol):
    async def record(self, table: "Controller") -> None: ...


@dataclass(frozen=True)
class ChipChange:
    seat: int
    present: bool

    async def record(self, table: "Controller") -> None:
        await table.note(rec.SENSOR, {"seat": self.seat, "present": self.present})
        if not self.present:
            await table.clear_fault("sensor-stuck", f"seat {self.seat}")
        elif table.run is not None and table.run.table.locked_out and self.seat not in table.run.table.accepted:
            clause = table.game.rulebook.clause("02.C.2")
            await table.note(rec.LATE_BET, {"seat": self.seat, "clause": clause})
            table.screen.say("refused", f"seat {self.seat}: chip after lock-out, not accepted: hand it back", clause)


@dataclass(frozen=True)
class DoorChange:
    stands_open: bool

    async def record(self, table: "Controller") -> None:
        await table.note(rec.DOOR, {"open": self.stands_open})
        if self.stands_open:
            await table.raise_fault("door-open", "")
        else:
            await table.clear_fault("door-open", "")


@dataclass(frozen=True)
class KeyChange:
    turned: bool

    async def record(self, table: "Controller") -> None:
        await table.note(rec.FLOOR_KEY, {"turned": self.turned})


@dataclass(frozen=True)
class SecondPress:
    at_ns: int

    async def record(self, table: "Controller") -> None:
        await table.note(rec.SECOND_PRESS, {"pressed_ns": self.at_ns})
        if table.run is not None and table.run.table.locked_out:
            table.screen.say("refused", "already locked out", table.game.rulebook.clause("08.C.1"))
        else:
            table.screen.say("refused", "no bets are open to lock out", table.game.rulebook.clause("08.C.1"))


@dataclass(frozen=True)
class OverdueEdge:
    line: str

    async def record(self, table: "Controller") -> None:
        await table.raise_fault("edges-overdue", self.line)


class FeltWatch:
    def __init__(self, board: BoardFile, hardware: Hardware) -> None:
        self._hardware = hardware
        self._lines = {seat_sensor_name(seat): seat for seat in hardware.sensors}
        self._lockout = LockOut(
            self._lines,
            LOCKOUT_BUTTON,
            settle_ns=board.settle_ns,
            edge_resolution_ns=board.edge_resolution_ns,
            report_delay_ns=board.report_delay_ns,
        )
        self._wakes: set[int] = set()
        self._chips = dict.fromkeys(hardware.sensors, False)
        self._door: bool | None = None
        self._key = False

    def begin(self, must_clear: frozenset[int], betting: bool) -> None:
        """From levels alone: stamps of an earlier boot mean nothing now."""
        now_ns = self._hardware.clock.monotonic_ns()  # before the levels: an edge in between is then not dropped
        levels = {seat: sensor.chip_present() for seat, sensor in self._hardware.sensors.items()}
        down = self._hardware.button.down()
        self._lockout.begin(levels, button_down=down, at_ns=now_ns, must_clear=must_clear)
        if betting:
            self._lockout.open_betting(now_ns)

    def feed(self, edge: Edge) -> None:
        self._lockout.feed(edge)
        if edge.line in self._lines:
            self._wakes.add(self._hardware.chips[self._lines[edge.line]].feed(edge))
        elif edge.line == DOOR:
            self._wakes.add(self._hardware.door.feed(edge))
        elif edge.line == FLOOR_KEY:
            self._wakes.add(self._hardware.floor_key.feed(edge))

    def open_betting(self) -> None:
        self._lockout.open_betting(self._hardware.clock.monotonic_ns())

    def wake_at_ns(self, now_ns: int) -> int | None:
        check_ns = self._lockout.check_at_ns(now_ns)
        waits = list(self._wakes)
        if check_ns is not None:
            waits.append(check_ns)
        return min(waits) if waits else None

    def chip(self, seat: int) -> bool:
        return self._chips[seat]

    def key_turned(self) -> bool:
        return self._key

    def never_cleared(self) -> frozenset[int]:
        return self._lockout.never_cleared(self._hardware.clock.monotonic_ns())

    def changes(self, now_ns: int) -> list[Change]:
        """What came to rest otherwise than it was, and presses that meant nothing."""
        self._wakes = {wake for wake in self._wakes if wake > now_ns}
        found: list[Change] = []
        for seat, chip in self._hardware.chips.items():
            present = chip.on(now_ns)
            if present != self._chips[seat]:
                self._chips[seat] = present
                found.append(ChipChange(seat, present))
        if (door := self._hardware.door.stands_open(now_ns)) != self._door:
            self._door = door
            found.append(DoorChange(door))
        if (key := self._hardware.floor_key.turned(now_ns)) != self._key:
            self._key = key
            found.append(KeyChange(key))
        presses = self._lockout.presses(now_ns)
        found += [SecondPress(press.at_ns) for press in presses if press.meaning is PressMeaning.ALREADY_LOCKED]
        found += [OverdueEdge(edge.line) for edge in self._lockout.overdue()]
        return found

    def lock_out(self, now_ns: int) -> dict[int, SeatReading] | None:
        """Every seat's reading, once the press and every reader's report are past."""
        if not self._lockout.decidable(now_ns):
            return None
        levels = {seat: sensor.chip_present() for seat, sensor in self._hardware.sensors.items()}
        return self._lockout.decide(levels, now_ns)
