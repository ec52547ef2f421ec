"""The controller's end of the bench link: bench messages become mock pins, shoe events and the passing of time,
so that everything above the pins runs exactly as it does on copper."""

import asyncio
import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from firmware.devices.clock import Clock, RealClock, VirtualClock
from firmware.devices.edges import Post
from firmware.devices.faults import DeviceFault
from firmware.devices.rtc import SimulatedRtc
from firmware.devices.shoe import PermitRefused, PermitReport, Purpose
from firmware.devices.sim_link import (
    BenchLost,
    Message,
    SyncRequested,
    decode,
    encode,
    report_from,
    shoe_event,
)
from firmware.devices.simulated_pins import SimulatedPins


class PinUse(Protocol):
    """As the board file gives a line."""

    @property
    def pin(self) -> int: ...

    @property
    def active_high(self) -> bool: ...


class SimulatedBoard:
    """Everything here runs on the controller's loop. `clock` None: the bench keeps real time."""

    def __init__(
        self, socket_path: Path, pins: Mapping[str, PinUse], post: Post, clock: VirtualClock | None = None
    ) -> None:
        self._path = socket_path
        self._post = post
        self._virtual = clock
        self.clock: Clock = clock or RealClock()
        self.factory = SimulatedPins(self.clock)
        self.factory.on_write = self._pin_written
        self.shoe = BenchShoe(self)
        self.rtc: SimulatedRtc = BenchRtc(self, None)
        self._pin_of = {line: use.pin for line, use in pins.items()}
        self._active_high = {line: use.active_high for line, use in pins.items()}
        self._line_of = {pin: line for line, pin in self._pin_of.items()}
        self._asked = 0
        self._replies: dict[int, asyncio.Future[Message]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._listener: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """When this returns, the pins read what lies on the felt and time runs as the bench's."""
        try:
            reader, self._writer = await asyncio.open_unix_connection(self._path)
        except OSError as error:
            raise DeviceFault(
                f"simulated bench: {self._path} cannot be reached ({error.strerror}): start the bench first"
            ) from None
        try:
            await self._take_hello(decode(await reader.readline()))
        except DeviceFault:
            await self.close()
            raise
        self._listener = asyncio.create_task(self._listen(reader))

    async def _take_hello(self, hello: Message) -> None:
        if hello["op"] != "hello" or hello["real_time"] != (self._virtual is None):
            raise DeviceFault(
                "simulated bench: bench and controller do not agree on real or virtual time: start both in one mode"
            )
        if self._virtual is not None:
            await self._virtual.advance_to(hello["now_ns"])
        for line, level in hello["levels"].items():
            self._set_level(line, level)
        utc = hello["utc"]
        self.rtc = BenchRtc(self, None if utc is None else datetime.fromisoformat(utc))

    def ack(self, id: int) -> None:
        self.send({"op": "ack", "id": id})

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
            self._listener = None
        if self._writer is not None:
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()
            self._writer = None
        self.factory.close()

    def send(self, message: Message) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(encode(message))

    async def ask(self, message: Message) -> Message:
        if self._listener is None or self._listener.done():
            raise DeviceFault("simulated bench: not connected: start the bench and then the controller")
        self._asked += 1
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._replies[self._asked] = reply
        self.send({**message, "id": self._asked})
        return await reply

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        reason = "simulated bench: went away: start bench and controller anew"
        try:
            while line := await reader.readline():
                await self._handle(decode(line))
        except (OSError, DeviceFault) as error:
            reason = str(error)
        except (KeyError, ValueError, TypeError) as error:
            reason = f"simulated bench: sent what cannot be understood ({error}): start bench and controller anew"
        for asked in self._replies.values():
            if not asked.done():
                asked.set_exception(DeviceFault(reason))
        self._replies.clear()
        self._post(BenchLost(reason))

    async def _handle(self, message: Message) -> None:
        match message["op"]:
            case "edge":
                line = message["line"]
                high = message["level"] == self._active_high[line]
                self.factory.drive(self._pin_of[line], high, message["at_ns"])
            case "level":
                self._set_level(message["line"], message["level"])
            case "advance":
                if self._virtual is None:
                    raise DeviceFault("simulated bench: real time cannot be advanced: use virtual time")
                await self._virtual.advance_to(message["to_ns"])
            case "shoe":
                self._post(shoe_event(message))
            case "reply":
                asked = self._replies.pop(message["id"])
                if not asked.done():
                    asked.set_result(message)
            case "sync":
                self._post(SyncRequested(message["id"], message["keys"]))
            case other:
                raise DeviceFault(f"simulated bench: message {other!r} is not known: use one version for both")

    def _set_level(self, line: str, level: bool) -> None:
        if line not in self._pin_of:
            raise DeviceFault(
                f"simulated bench: has a line {line!r} that the board file does not: use the same seats for both"
            )
        self.factory.set_level(self._pin_of[line], level == self._active_high[line])

    def _pin_written(self, pin: int, high: bool) -> None:
        line = self._line_of[pin]
        self.send({"op": "lamp", "line": line, "on": high == self._active_high[line]})


class BenchShoe:
    """The shoe on the bench."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._board = board

    async def permit(self, number: int, purpose: Purpose, cards: int) -> PermitReport:
        return await self._ask({"op": "shoe_permit", "number": number, "purpose": purpose, "cards": cards})

    async def became_of(self, number: int) -> PermitReport:
        return await self._ask({"op": "shoe_report", "number": number})

    async def acknowledge(self, number: int) -> None:
        await self._ask({"op": "shoe_acknowledge", "number": number})

    async def _ask(self, message: Message) -> PermitReport:
        reply = await self._board.ask(message)
        if "refused" in reply:
            raise PermitRefused(reply["refused"])
        return report_from(reply)


class BenchRtc(SimulatedRtc):
    """The clock chip on the bench: what is set here is still set when the controller comes back."""

    def __init__(self, board: SimulatedBoard, utc: datetime | None) -> None:
        super().__init__(board.clock, utc)
        self._board = board

    def set(self, utc: datetime) -> None:
        super().set(utc)
        self._board.send({"op": "rtc_set", "utc": utc.astimezone(UTC).isoformat()})
