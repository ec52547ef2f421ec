"""The monotonic clock, passed in wherever time matters, and its twin that only moves when told to.

Wall time is another matter and has its own module: a monotonic stamp says in which order things happened,
never on which day.
"""

import asyncio
import heapq
import time
from typing import Protocol

PASSES = 20
"""Turns of the loop given to whoever was woken before virtual time moves on: enough to run a chain of
callbacks, tasks and queues to its end."""


class MonotonicClock(Protocol):
    def monotonic_ns(self) -> int:
        """CLOCK_MONOTONIC in nanoseconds: the clock that the kernel stamps edges with."""
        ...


class Clock(MonotonicClock, Protocol):
    async def sleep_until(self, ns: int) -> None: ...


class RealClock:
    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    async def sleep_until(self, ns: int) -> None:
        while (wait_ns := ns - time.monotonic_ns()) > 0:
            await asyncio.sleep(wait_ns / 1_000_000_000)


class VirtualClock:
    """Stands still until it is advanced, so that a scenario gives the same record every time."""

    def __init__(self, start_ns: int = 0) -> None:
        self._now_ns = start_ns
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = 0

    def monotonic_ns(self) -> int:
        return self._now_ns

    async def sleep_until(self, ns: int) -> None:
        if ns <= self._now_ns:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._arrivals += 1
        heapq.heappush(self._sleepers, (ns, self._arrivals, woken))
        await woken

    async def advance(self, ns: int) -> None:
        await self.advance_to(self._now_ns + ns)

    async def advance_to(self, ns: int) -> None:
        """Wake sleepers in the order of their deadlines; each runs, and may sleep again, before the next."""
        if ns < self._now_ns:
            raise ValueError(f"time does not run back: it is {self._now_ns} ns, asked for {ns} ns")
        await self._let_others_run()
        while self._sleepers and self._sleepers[0][0] <= ns:
            deadline_ns, _, woken = heapq.heappop(self._sleepers)
            if woken.cancelled():
                continue
            self._now_ns = max(self._now_ns, deadline_ns)
            woken.set_result(None)
            await self._let_others_run()
        self._now_ns = ns
        await self._let_others_run()

    @staticmethod
    async def _let_others_run() -> None:
        for _ in range(PASSES):
            await asyncio.sleep(0)
