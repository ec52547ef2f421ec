"""One sleeper for the next thing that time alone decides."""

import asyncio
from collections.abc import Sequence

from firmware.devices.clock import Clock


class Tick:
    """A time that something waited for has come."""


class Alarm:
    """Rings by putting a `Tick` into the inbox, one at a time."""

    def __init__(self, clock: Clock, inbox: "asyncio.Queue[object]") -> None:
        self._clock = clock
        self._inbox = inbox
        self._sleeper: asyncio.Task[None] | None = None
        self.overdue = False
        """Something is due already and only waits for its turn."""
        self.queued = False
        """A tick lies in the inbox."""

    def set(self, wakes_ns: Sequence[int], now_ns: int) -> None:
        if self._sleeper is not None and not self._sleeper.done():
            self._sleeper.cancel()
        self.overdue = bool(wakes_ns) and min(wakes_ns) <= now_ns
        if wakes_ns:
            self._sleeper = asyncio.create_task(self._ring(min(wakes_ns)))

    def ring_now(self) -> None:
        if not self.queued:
            self.queued = True
            self._inbox.put_nowait(Tick())

    def answered(self) -> None:
        self.queued = False

    async def _ring(self, wake_ns: int) -> None:
        await self._clock.sleep_until(wake_ns)
        self.ring_now()
