"""The running controller measured from outside: how long a chip waits for its lamp, and how much memory it takes."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from firmware.config.table_file import load_table
from firmware.controller.people import PeopleFile, make_account
from firmware.devices.pin_names import seat_lamp_name
from host_tools.bench_table import BenchTable

TABLE = Path(__file__).parents[1] / "simulate" / "tables" / "md-high-card-flush.toml"
CHIPS = 40
PIN = "4711"


class TableFigures(NamedTuple):
    edge_to_lamp_ms: float
    """Median, from the edge on the bench to the lamp's pin, through debounce and journal commit."""
    settle_ms: float
    """The part of it that the debounce waits for by design."""
    memory_mb: float
    bare_python_mb: float


def measure() -> TableFigures:
    table_file = load_table(TABLE)
    with tempfile.TemporaryDirectory(prefix="figures-") as folder:
        state = Path(folder)
        PeopleFile(state / "people.json").add(make_account("dealer-1", "dealer", PIN))
        table = BenchTable(TABLE, state, table_file.board.seats, real_time=True)
        try:
            table.start()
            for line in (f"sign on dealer-1 {PIN}", "deck one", "confirm"):
                table.key(line)
                table.sync()
            waits = [_chip_to_lamp(table, 1 + number % 6, on=number % 12 < 6) for number in range(CHIPS)]
            memory = _resident_mb(table.pid)
        finally:
            table.close()
    return TableFigures(statistics.median(waits) * 1000, table_file.board.settle_ns / 1e6, memory, _bare_python_mb())


def _chip_to_lamp(table: BenchTable, seat: int, on: bool) -> float:
    started = time.monotonic()
    if on:
        table.bench.chip_down(seat)
    else:
        table.bench.chip_up(seat)
    line = seat_lamp_name(seat)
    while table.bench.lamps()[line] != on:
        if time.monotonic() - started > 5:
            raise RuntimeError(f"the lamp of seat {seat} did not follow its chip")
        time.sleep(0.0002)
    waited = time.monotonic() - started
    table.sync()
    return waited


def _resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS")


def _bare_python_mb() -> float:
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as bare:
        time.sleep(0.3)
        return _resident_mb(bare.pid)
