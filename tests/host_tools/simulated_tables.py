"""A simulated table in virtual time, with somebody watching."""

import random
import re
from collections.abc import Callable
from pathlib import Path

from firmware.config.table_file import load_table
from firmware.rules.cards import card_text
from firmware.status.table_status import TableStatus
from host_tools.bench_table import BenchTable
from host_tools.simulate.command import DEFAULT_TABLE
from host_tools.simulate.felt import Felt
from host_tools.simulate.pace import Pace
from host_tools.simulate.simulation import Simulation
from host_tools.simulate.staff import staff_of

CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")


class Watcher:
    """A display that shows nothing and calls whoever wants to know."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.on_show: Callable[[TableStatus], None] = lambda status: None

    def open(self) -> None: ...

    def say(self, tone: str, text: str, clause: str | None) -> None:
        self.lines.append(text)

    def tell(self, line: str) -> None:
        self.lines.append(line)

    def show(self, status: TableStatus) -> None:
        self.on_show(status)

    def dark(self) -> None: ...

    def close(self) -> None: ...


class OverheardTable(BenchTable):
    """Keeps every line the controller prints, and calls `on_line` with it before anybody acts on it."""

    on_line: Callable[[str], None] = staticmethod(lambda line: None)

    def output(self) -> list[str]:
        lines = super().output()
        for line in lines:
            self.on_line(line)
        return lines


def simulated(state: Path, seed: int, watcher: Watcher) -> tuple[Simulation, OverheardTable]:
    table_file = load_table(DEFAULT_TABLE)
    staff = staff_of(state)
    table = OverheardTable(table_file.path, state, table_file.board.seats, screen="json")
    pace, chance = Pace.parse("fast"), random.Random(seed)
    return Simulation(table, table_file.submission.seats, staff, watcher, pace, chance), table


def leaked(line: str, felt: Felt) -> set[str]:
    """Cards named in a line that lie face down on the felt."""
    return set(CARD.findall(line)) & {card_text(card) for card in felt.face_down()}
