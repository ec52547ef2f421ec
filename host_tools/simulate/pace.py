"""How fast the simulated people work. The controller never waits for them, nor knows."""

import math
from typing import NamedTuple

from firmware.devices.simulated_bench import SimulatedBench

SECONDS = {"slow": 1.2, "normal": 0.45}
FAST = "fast"
LONGEST_S = 60.0
SETTLED_NS = 100_000_000
"""After this a chip or a key has stopped bouncing, with time to spare."""


class PaceError(ValueError):
    pass


class Pace(NamedTuple):
    action_s: float
    real_time: bool

    @classmethod
    def parse(cls, text: str) -> "Pace":
        if text == FAST:
            return cls(SECONDS["normal"], real_time=False)
        try:
            seconds = SECONDS[text] if text in SECONDS else float(text)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= LONGEST_S:
            raise PaceError(
                f"--pace {text}: choose slow, normal, fast, or seconds for an action from 0 to {LONGEST_S:.0f}"
            )
        return cls(seconds, real_time=True)

    def settle(self, bench: SimulatedBench) -> None:
        bench.advance(SETTLED_NS)

    def pause(self, bench: SimulatedBench, actions: float) -> None:
        """In virtual time the same seconds go by, only nobody waits for them."""
        bench.advance(round(self.action_s * actions * 1_000_000_000))
