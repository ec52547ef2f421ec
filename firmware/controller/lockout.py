"""Lock-out: which progressive chips lay on their sensors when the dealer pressed the button.

Decided by the times the kernel stamped on the edges, never by when our own code got round to them. The press
is the first edge of a press that proved stable; a chip's stay is the run that its first edge began. Nothing
is decided before one settle window has passed after the press and every reader has reported past it.

What lies closer to the press than the board's edge resolution counts as after it: a chip placed then is not in
time, and a chip lifted then was lifted too late to take the wager back.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from firmware.devices.edges import Edge
from firmware.devices.presence import PresenceTracker, Stay


class Reading(StrEnum):
    IN_TIME = "in time"
    LATE = "late"
    ABSENT = "absent"
    LIFTED = "lifted"
    """Was there while betting was open, and gone before the press."""
    CONTRADICTION = "contradiction"
    """The level read back is not where the line's edges left it."""
    STUCK = "stuck"
    """Not seen clear since the lock-out before, at which its chip was accepted."""


class PressMeaning(StrEnum):
    LOCK_OUT = "lock-out"
    ALREADY_LOCKED = "already locked"


class Press(NamedTuple):
    at_ns: int
    meaning: PressMeaning


class SeatReading(NamedTuple):
    seat: int
    reading: Reading
    changed_ns: int | None
    """The edge that the reading rests on: when the chip came or was lifted; None: so since before we looked."""
    pressed_ns: int
    level: bool
    """As read back."""

    @property
    def accepted(self) -> bool:
        return self.reading is Reading.IN_TIME


class LockOut:
    """Lives from start to power-off; `begin` first, then one `open_betting` a round."""

    def __init__(
        self,
        sensor_lines: Mapping[str, int],
        button_line: str,
        *,
        settle_ns: int,
        edge_resolution_ns: int,
        report_delay_ns: int,
    ) -> None:
        self._seat_of = dict(sensor_lines)
        self._button_line = button_line
        self._settle_ns = settle_ns
        self._resolution_ns = edge_resolution_ns
        self._delay_ns = report_delay_ns
        self._sensors = {seat: PresenceTracker(settle_ns) for seat in sensor_lines.values()}
        self._button = PresenceTracker(settle_ns)
        self.begin(dict.fromkeys(self._sensors, False), button_down=False, at_ns=0)

    def begin(
        self, levels: Mapping[int, bool], *, button_down: bool, at_ns: int, must_clear: Iterable[int] = ()
    ) -> None:
        """From levels alone, as after a start. `must_clear`: seats whose chip was accepted at the last lock-out
        and which no record says were clear since."""
        for seat, tracker in self._sensors.items():
            tracker.begin(levels[seat])
        self._button.begin(button_down)
        self._started_ns = at_ns
        self._reported_ns = at_ns
        self._betting_open = False
        self._opened_ns = at_ns
        self._pressed_ns: int | None = None
        self._decided_to_ns: int | None = None
        self._presses_until_ns = at_ns - 1
        self._untold: list[Press] = []
        self._must_clear: dict[int, int | None] = dict.fromkeys(must_clear)
        self._overdue: list[Edge] = []

    def open_betting(self, at_ns: int) -> None:
        self._betting_open = True
        self._opened_ns = at_ns
        self._pressed_ns = self._decided_to_ns = None

    def feed(self, edge: Edge) -> None:
        """Edges of other lines are nobody's business here."""
        tracker = self._tracker_of(edge.line)
        if tracker is None or edge.at_ns < self._started_ns:
            return
        in_time_to_count = tracker.feed(edge.level, edge.at_ns)
        if not in_time_to_count or (self._decided_to_ns is not None and edge.at_ns <= self._decided_to_ns):
            self._overdue.append(edge)
        self._forget(edge.arrived_ns - self._delay_ns)

    def reported_to(self, ns: int) -> None:
        """A reader that knows how far it has reported says so, instead of being given the report delay."""
        self._reported_ns = max(self._reported_ns, ns)

    def presses(self, now_ns: int) -> list[Press]:
        """Presses that have proved stable since last asked."""
        self._prove_presses(now_ns)
        told, self._untold = self._untold, []
        return told

    def overdue(self) -> list[Edge]:
        """Edges since last asked that came after the decision they should have been part of: the reader is slower
        than the board file's report_delay allows, which is a fault of the board and not of a player."""
        told, self._overdue = self._overdue, []
        return told

    def check_at_ns(self, now_ns: int) -> int | None:
        """When to look again; None: nothing is under way."""
        self._prove_presses(now_ns)
        waits = []
        if self._pressed_ns is not None and self._decided_to_ns is None:
            waits.append(self._horizon_ns(self._pressed_ns))
        run = self._button.last_run()
        if run is not None and run.last_ns + self._settle_ns > self._known_to_ns(now_ns):
            waits.append(run.last_ns + self._settle_ns)
        return min(waits) + self._delay_ns if waits else None

    def decidable(self, now_ns: int) -> bool:
        self._prove_presses(now_ns)
        return (
            self._pressed_ns is not None
            and self._decided_to_ns is None
            and self._known_to_ns(now_ns) >= self._horizon_ns(self._pressed_ns)
        )

    def decide(self, levels: Mapping[int, bool], now_ns: int) -> dict[int, SeatReading]:
        """Every seat, in the order of the stamps. `levels`: every sensor's line as read back now."""
        if not self.decidable(now_ns) or self._pressed_ns is None:
            raise RuntimeError("lock-out asked to decide before its readers have reported past the press")
        pressed_ns = self._pressed_ns
        horizon_ns = self._horizon_ns(pressed_ns)
        found = [self._read_seat(seat, levels[seat], pressed_ns, horizon_ns) for seat in self._sensors]
        self._must_clear = {
            seat: accepted_at_ns
            for seat, accepted_at_ns in self._must_clear.items()
            if self._is_stuck(seat, self._sensors[seat].stays(horizon_ns)[-1])
        }
        self._must_clear |= {reading.seat: pressed_ns for reading in found if reading.accepted}
        self._decided_to_ns = horizon_ns
        found.sort(key=lambda reading: (reading.changed_ns is not None, reading.changed_ns or 0, reading.seat))
        return {reading.seat: reading for reading in found}

    def never_cleared(self, now_ns: int) -> frozenset[int]:
        """Seats that must be seen clear before a chip there can count again."""
        known_ns = self._known_to_ns(now_ns)
        return frozenset(
            seat for seat in self._must_clear if self._is_stuck(seat, self._sensors[seat].stays(known_ns)[-1])
        )

    def _read_seat(self, seat: int, level: bool, pressed_ns: int, horizon_ns: int) -> SeatReading:
        tracker = self._sensors[seat]
        stays = tracker.stays(horizon_ns)
        before = [stay for stay in stays if self._before_press(stay, pressed_ns)]
        at_press, after = before[-1], stays[len(before) :]

        def reading(reading: Reading, changed_ns: int | None) -> SeatReading:
            return SeatReading(seat, reading, changed_ns, pressed_ns, level)

        if tracker.contradicts(level):
            return reading(Reading.CONTRADICTION, stays[-1].since_ns)
        if at_press.level:
            stuck = self._is_stuck(seat, at_press)
            return reading(Reading.STUCK if stuck else Reading.IN_TIME, at_press.since_ns)
        if after:
            return reading(Reading.LATE, after[0].since_ns)
        if level:
            arriving = tracker.last_run()
            return reading(Reading.LATE, None if arriving is None else arriving.first_ns)
        lifted = at_press.since_ns is not None and at_press.since_ns > self._opened_ns
        return reading(Reading.LIFTED if lifted else Reading.ABSENT, at_press.since_ns)

    def _before_press(self, stay: Stay, pressed_ns: int) -> bool:
        return stay.since_ns is None or pressed_ns - stay.since_ns > self._resolution_ns

    def _is_stuck(self, seat: int, stay: Stay) -> bool:
        """The same stay as at the lock-out that accepted it: one that began since then was seen clear before it."""
        if seat not in self._must_clear or not stay.level:
            return False
        accepted_at_ns = self._must_clear[seat]
        return stay.since_ns is None or (accepted_at_ns is not None and self._before_press(stay, accepted_at_ns))

    def _horizon_ns(self, pressed_ns: int) -> int:
        """Edges up to here decide. A run that began in time and bounces on across the press is given one more
        settle window to come to rest; after that the state before it stands."""
        horizon_ns = pressed_ns + self._settle_ns
        furthest_ns = horizon_ns + self._settle_ns
        for tracker in self._sensors.values():
            run = tracker.run_across(pressed_ns, furthest_ns)
            if run is not None and pressed_ns - run.first_ns > self._resolution_ns:
                horizon_ns = max(horizon_ns, min(run.last_ns + self._settle_ns, furthest_ns))
        return horizon_ns

    def _prove_presses(self, now_ns: int) -> None:
        for stay in self._button.stays(self._known_to_ns(now_ns)):
            if not stay.level or stay.since_ns is None or stay.since_ns <= self._presses_until_ns:
                continue
            self._presses_until_ns = stay.since_ns
            locks = self._betting_open and stay.since_ns >= self._opened_ns
            if locks:
                self._betting_open = False
                self._pressed_ns = stay.since_ns
            meaning = PressMeaning.LOCK_OUT if locks else PressMeaning.ALREADY_LOCKED
            self._untold.append(Press(stay.since_ns, meaning))

    def _known_to_ns(self, now_ns: int) -> int:
        return max(now_ns - self._delay_ns, self._reported_ns)

    def _tracker_of(self, line: str) -> PresenceTracker | None:
        if line == self._button_line:
            return self._button
        seat = self._seat_of.get(line)
        return None if seat is None else self._sensors[seat]

    def _forget(self, known_ns: int) -> None:
        """Never past a press that is still to be decided, nor past one that may yet prove to be one."""
        self._prove_presses(known_ns + self._delay_ns)
        if self._pressed_ns is not None and self._decided_to_ns is None:
            return
        run = self._button.open_run(known_ns)
        if run is not None:
            known_ns = run.first_ns
        for tracker in (self._button, *self._sensors.values()):
            tracker.forget_before(known_ns - self._resolution_ns)
