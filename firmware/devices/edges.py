"""What a line tells the controller: that it changed, and when the kernel saw it change."""

from collections.abc import Callable
from typing import NamedTuple


class Edge(NamedTuple):
    """Decisions use `at_ns`; `arrived_ns` is when our own code got round to it, kept for the record."""

    line: str
    level: bool
    """True: the line became active (a chip lies there, a button is down, a door stands open)."""
    at_ns: int
    arrived_ns: int


Post = Callable[[object], None]
"""Where devices leave their events. Called from reader threads too, so it must be thread-safe, quick and
must not raise: an exception in it would end lgpio's only reader thread and with it every line."""
