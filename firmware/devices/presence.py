"""The debounce that Feltlock owns: from raw edges to when a thing came, went, or only wobbled.

A run is a row of edges each less than the settle time after the one before. A run that comes to rest in the
other state began that state at its *first* edge, because that is when the chip touched the felt; a run that
comes back to the state before it leaves that state unbroken, because nothing was taken away. The drivers'
own debounce cannot do this: it reports the end of the bouncing, and each driver does it differently.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import NamedTuple


class Stay(NamedTuple):
    """A state the line came to rest in. `since_ns` None: it was so before we first looked."""

    level: bool
    since_ns: int | None


class Run(NamedTuple):
    first_ns: int
    last_ns: int
    level: bool
    """Of its last edge."""


class Presence(NamedTuple):
    level: bool
    since_ns: int | None
    settling: bool
    """Edges are still coming: `level` is the state before them, which stands until they come to rest."""


class PresenceTracker:
    """One line. Edges may arrive in any order; stamps decide."""

    def __init__(self, settle_ns: int, level: bool = False) -> None:
        self.settle_ns = settle_ns
        self.begin(level)

    def begin(self, level: bool) -> None:
        """From the level alone, as after a start: stamps of an earlier boot mean nothing now."""
        self._before = Stay(level, None)
        self._last_level = level
        self._edges: list[tuple[int, int, bool]] = []
        self._arrivals = 0
        self._forgotten_ns = 0

    def feed(self, level: bool, at_ns: int) -> bool:
        """False: the edge is older than what was already forgotten, and can change nothing any more."""
        if at_ns < self._forgotten_ns:
            return False
        self._arrivals += 1  # two edges with one stamp keep the order in which the driver gave them
        insort(self._edges, (at_ns, self._arrivals, level))
        return True

    def contradicts(self, level_read_back: bool) -> bool:
        """An edge was lost, or the line is broken: what it reads is not where its edges left it."""
        return level_read_back != (self._edges[-1][2] if self._edges else self._last_level)

    def at(self, ns: int) -> Presence:
        stay = self.stays(ns)[-1]
        return Presence(stay.level, stay.since_ns, self.open_run(ns) is not None)

    def stays(self, until_ns: int) -> list[Stay]:
        """Every state the line has rested in, oldest first, seen from `until_ns`."""
        stays = [self._before]
        for run in self._runs(until_ns):
            if run.last_ns + self.settle_ns <= until_ns and run.level != stays[-1].level:
                stays.append(Stay(run.level, run.first_ns))
        return stays

    def last_run(self, until_ns: int | None = None) -> Run | None:
        runs = list(self._runs(until_ns))
        return runs[-1] if runs else None

    def open_run(self, at_ns: int) -> Run | None:
        """The run that has not come to rest by then."""
        last = self.last_run(at_ns)
        return last if last is not None and last.last_ns + self.settle_ns > at_ns else None

    def run_across(self, ns: int, until_ns: int) -> Run | None:
        """The run that began before `ns` and went on after it."""
        for run in self._runs(until_ns):
            if run.first_ns < ns < run.last_ns:
                return run
        return None

    def forget_before(self, ns: int) -> None:
        """Keep only the outcome of what had come to rest by then, so that a chattering sensor fills no memory.
        No edge older than `ns` may still be on its way."""
        self._forgotten_ns = max(self._forgotten_ns, ns)
        if not self._edges:
            return
        open_run = self.open_run(ns)
        self._before = self.stays(ns)[-1]
        first_kept = (ns + 1,) if open_run is None else (open_run.first_ns,)
        gone = bisect_left(self._edges, first_kept)
        if gone:
            self._last_level = self._edges[gone - 1][2]
            del self._edges[:gone]

    def _runs(self, until_ns: int | None) -> Iterator[Run]:
        """From edges stamped up to `until_ns`, or from all."""
        first_ns = last_ns = 0
        level = False
        begun = False
        for at_ns, _, edge_level in self._edges:
            if until_ns is not None and at_ns > until_ns:
                break
            if begun and at_ns - last_ns >= self.settle_ns:
                yield Run(first_ns, last_ns, level)
                begun = False
            if not begun:
                first_ns, begun = at_ns, True
            last_ns, level = at_ns, edge_level
        if begun:
            yield Run(first_ns, last_ns, level)
