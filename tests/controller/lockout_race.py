"""The lock-out race: chips come and go within milliseconds of the press, bouncing, and are reported late and out of
order. Every decision is held against when the chip truly moved.

Run by hand: python tests/controller/lockout_race.py [tries [seed]]
"""

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from firmware.controller.lockout import LockOut, Reading
from firmware.devices.edges import Edge
from firmware.devices.pin_names import LOCKOUT_BUTTON, seat_sensor_name
from firmware.devices.pins import InputLine
from firmware.devices.simulated_pins import SimulatedPins

MS = 1_000_000
SETTLE_NS = 30 * MS
RESOLUTION_NS = 1 * MS
REPORT_DELAY_NS = 20 * MS
WIDEST_GAP_NS = 5 * MS
SEATS = range(1, 7)
TRY_NS = 10_000 * MS


class DecidedByArrival(LockOut):
    """The planted fault: takes the time at which Python got round to an edge for the time it happened."""

    def feed(self, edge: Edge) -> None:
        super().feed(edge._replace(at_ns=edge.arrived_ns))


@dataclass(frozen=True)
class RaceResult:
    tries: int
    decisions: int
    inside_resolution: int
    wrong: int
    first_wrong: str

    def __str__(self) -> str:
        return (
            f"lock-out race: {self.tries} presses, {self.decisions} seats decided "
            f"({self.inside_resolution} inside the resolution of {RESOLUTION_NS / MS:g} ms), "
            f"{self.wrong} wrong{': ' + self.first_wrong if self.wrong else ''}"
        )


class RaceClock:
    now_ns = 0

    def monotonic_ns(self) -> int:
        return self.now_ns


class Race:
    """Six sensors and the button, each wired active-low, on mock pins through the lines that run on copper."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._clock = RaceClock()
        self._pins = SimulatedPins(self._clock)
        self._pin_of = {LOCKOUT_BUTTON: 4} | {seat_sensor_name(seat): 10 + seat for seat in SEATS}
        self._feed: Callable[[Edge], None] = lambda edge: None
        self._lines = {
            line: InputLine(self._pins, line, pin, pull="up", active_high=False, post=self._arrived, clock=self._clock)
            for line, pin in self._pin_of.items()
        }

    def _arrived(self, event: object) -> None:
        assert isinstance(event, Edge)
        self._feed(event)

    def _levels(self) -> dict[int, bool]:
        return {seat: self._lines[seat_sensor_name(seat)].level() for seat in SEATS}

    def _gap_ns(self) -> int:
        """How long before the press: many inside the resolution and at its very edge."""
        kind = self._random.randrange(4)
        if kind == 0:
            return self._random.randint(-RESOLUTION_NS, RESOLUTION_NS)
        if kind == 1:
            return RESOLUTION_NS + self._random.randint(-2, 2)
        return self._random.randint(-WIDEST_GAP_NS, WIDEST_GAP_NS)

    def _bouncing(self, line: str, level: bool, first_ns: int) -> list[tuple[int, str, bool]]:
        stamps = sorted(self._random.sample(range(1, 4 * MS), 2 * self._random.randrange(4)))
        edges = [(first_ns, line, level)]
        edges += [(first_ns + stamp_ns, line, level == (number % 2 == 1)) for number, stamp_ns in enumerate(stamps)]
        return edges

    def one_press(self, number: int, lockout_class: type[LockOut]) -> list[tuple[int, int, Reading, Reading | None]]:
        """Seat, gap, the reading that is right and the one that was given; None: the press was never decided."""
        start_ns = number * TRY_NS
        press_ns = start_ns + TRY_NS // 2
        down_before = {seat: self._random.random() < 0.4 for seat in SEATS}
        for line, pin in self._pin_of.items():
            self._pins.drive(pin, True, start_ns)
            if line != LOCKOUT_BUTTON and down_before[int(line.split("_")[1])]:
                self._pins.drive(pin, False, start_ns + 1)

        lockout = lockout_class(
            {seat_sensor_name(seat): seat for seat in SEATS},
            LOCKOUT_BUTTON,
            settle_ns=SETTLE_NS,
            edge_resolution_ns=RESOLUTION_NS,
            report_delay_ns=REPORT_DELAY_NS,
        )
        lockout.begin(self._levels(), button_down=False, at_ns=start_ns + 1)
        lockout.open_betting(start_ns + MS)

        gaps = {seat: self._gap_ns() for seat in SEATS}
        edges = self._bouncing(LOCKOUT_BUTTON, True, press_ns)
        for seat, gap_ns in gaps.items():
            edges += self._bouncing(seat_sensor_name(seat), not down_before[seat], press_ns - gap_ns)
        arrivals = sorted(
            (at_ns + self._random.randrange(REPORT_DELAY_NS), at_ns, line, level) for at_ns, line, level in edges
        )
        self._feed = lockout.feed
        for arrived_ns, at_ns, line, level in arrivals:
            self._clock.now_ns = arrived_ns
            self._pins.drive(self._pin_of[line], not level, at_ns)
        self._feed = lambda edge: None

        now_ns = max(press_ns, self._clock.now_ns)
        while (check_ns := lockout.check_at_ns(now_ns)) is not None and check_ns > now_ns:
            now_ns = check_ns
        readings = lockout.decide(self._levels(), now_ns) if lockout.decidable(now_ns) else {}
        found = []
        for seat, gap_ns in gaps.items():
            moved_in_time = gap_ns > RESOLUTION_NS
            if down_before[seat]:
                right = Reading.LIFTED if moved_in_time else Reading.IN_TIME
            else:
                right = Reading.IN_TIME if moved_in_time else Reading.LATE
            given = readings[seat].reading if readings else None
            found.append((seat, gap_ns, right, given))
        return found


def run_race(tries: int, seed: int, lockout_class: type[LockOut] = LockOut) -> RaceResult:
    race = Race(seed)
    decisions = inside = wrong = 0
    first_wrong = ""
    for number in range(1, tries + 1):
        for seat, gap_ns, right, given in race.one_press(number, lockout_class):
            decisions += 1
            inside += abs(gap_ns) <= RESOLUTION_NS
            if given != right:
                wrong += 1
                first_wrong = first_wrong or (
                    f"press {number}, seat {seat}, {gap_ns} ns before the press: {given}, should be {right}"
                )
    return RaceResult(tries, decisions, inside, wrong, first_wrong)


if __name__ == "__main__":
    tries = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    true, planted = run_race(tries, seed), run_race(tries, seed, DecidedByArrival)
    print(true)
    print("planted fault, decided by arrival:", planted)
    sys.exit(1 if true.wrong or not planted.wrong else 0)
