"""Virtual time moves only when told to, and everybody who waits for it wakes in order."""

import asyncio

import pytest

from firmware.devices.clock import RealClock, VirtualClock


def test_sleepers_wake_in_deadline_order_at_their_own_time() -> None:
    async def body() -> None:
        clock = VirtualClock(100)
        woken: list[tuple[str, int]] = []

        async def sleeper(name: str, ns: int) -> None:
            await clock.sleep_until(ns)
            woken.append((name, clock.monotonic_ns()))

        async with asyncio.TaskGroup() as group:
            for name, ns in (("late", 400), ("early", 200), ("also early", 200), ("past", 50)):
                group.create_task(sleeper(name, ns))
            await clock.advance_to(300)
            assert woken == [("past", 100), ("early", 200), ("also early", 200)]
            assert clock.monotonic_ns() == 300
            await clock.advance(100)
        assert woken[-1] == ("late", 400)

    asyncio.run(body())


def test_who_sleeps_again_is_woken_again_within_one_advance() -> None:
    async def body() -> None:
        clock = VirtualClock()
        ticks: list[int] = []

        async def beat() -> None:
            for _ in range(3):
                await clock.sleep_until(clock.monotonic_ns() + 10)
                ticks.append(clock.monotonic_ns())

        task = asyncio.create_task(beat())
        await clock.advance_to(100)
        assert ticks == [10, 20, 30]
        await task

    asyncio.run(body())


def test_a_sleeper_that_gave_up_does_not_hold_up_time() -> None:
    async def body() -> None:
        clock = VirtualClock()
        task = asyncio.create_task(clock.sleep_until(10))
        await clock.advance(1)
        task.cancel()
        await clock.advance_to(20)
        assert task.cancelled()
        assert clock.monotonic_ns() == 20

    asyncio.run(body())


def test_time_does_not_run_back() -> None:
    with pytest.raises(ValueError, match="does not run back"):
        asyncio.run(VirtualClock(5).advance_to(4))


def test_the_real_clock_never_wakes_early() -> None:
    async def body() -> None:
        clock = RealClock()
        deadline_ns = clock.monotonic_ns() + 2_000_000
        await clock.sleep_until(deadline_ns)
        assert clock.monotonic_ns() >= deadline_ns

    asyncio.run(body())
