"""What is built into the table, by its everyday names. A switch or sensor says what it sees; what that means
for a wager is decided elsewhere."""

from firmware.devices.edges import Edge
from firmware.devices.faults import DeviceFault
from firmware.devices.pins import InputLine, OutputLine
from firmware.devices.presence import PresenceTracker

LONGEST_LAG = 100
"""Settle times after which no edge of a switch can still be on its way."""


class BetSensor:
    """Sees whether a progressive chip lies at a seat. It cannot see how much it is worth."""

    def __init__(self, seat: int, line: InputLine) -> None:
        self.seat = seat
        self.line = line

    def chip_present(self) -> bool:
        return self.line.level()


class Lamp:
    def __init__(self, line: OutputLine) -> None:
        self.line = line

    def show(self, on: bool) -> None:
        """A lamp tells a player that the wager counts: one that does not follow is a fault, not a detail."""
        self.line.set(on)
        if self.line.read_back() != on:
            raise DeviceFault(
                f"{self.line.line}: the lamp's pin does not follow when switched {'on' if on else 'off'}: "
                "check the lamp's wiring for a short"
            )

    def lit(self) -> bool:
        return self.line.read_back()


class LockOutButton:
    """The dealer's button that ends betting, and the lamp in it."""

    def __init__(self, line: InputLine, lamp: Lamp) -> None:
        self.line = line
        self.lamp = lamp

    def down(self) -> bool:
        return self.line.level()


class Switch:
    """A switch that people turn: what counts is where it came to rest."""

    def __init__(self, line: InputLine, settle_ns: int) -> None:
        self.line = line
        self._tracker = PresenceTracker(settle_ns, line.level())

    def feed(self, edge: Edge) -> int:
        """Gives the time from which `on` can answer with this edge taken in."""
        self._tracker.forget_before(edge.at_ns - LONGEST_LAG * self._tracker.settle_ns)
        self._tracker.feed(edge.level, edge.at_ns)
        return edge.at_ns + self._tracker.settle_ns

    def on(self, now_ns: int) -> bool:
        return self._tracker.at(now_ns).level

    def contradicts(self) -> bool:
        return self._tracker.contradicts(self.line.level())


class FloorKey(Switch):
    """The floorperson's key switch: on means a key is here, never whose."""

    def turned(self, now_ns: int) -> bool:
        return self.on(now_ns)


class Door(Switch):
    """The cabinet door: the line is active while the door stands open."""

    def stands_open(self, now_ns: int) -> bool:
        return self.on(now_ns)
