"""`feltlock simulate`: a table with simulated players and a simulated dealer, to watch."""

import random
import secrets
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from firmware.config.problems import ConfigError
from firmware.config.table_file import TableFile, load_table
from firmware.controller.arguments import Arguments
from firmware.controller.people import PeopleError
from firmware.devices.faults import DeviceFault
from firmware.terminal.screen_text import meter_text
from host_tools.bench_table import BenchTable, TableEnded
from host_tools.simulate.display import Display, display_for
from host_tools.simulate.pace import Pace, PaceError
from host_tools.simulate.simulation import Simulation, Stuck
from host_tools.simulate.staff import staff_of
from host_tools.simulate.table_side import TableSide

DEFAULT_TABLE = Path(__file__).parent / "tables" / "md-high-card-flush.toml"
DEFAULT_STATE = Path("var/simulated")
INTERRUPT_FOLLOWS_S = 0.3
"""Ctrl-C reaches the controller too, and may end it before this process has heard of it."""


def run(args: list[str]) -> int:
    parser = Arguments(
        prog="feltlock simulate", description="A table with simulated people, until Ctrl-C. Its journal is kept."
    )
    parser.add_argument("table", nargs="?", type=Path, default=DEFAULT_TABLE, help="table file on a simulated board")
    parser.add_argument("--pace", default="normal", help="slow, normal, fast, or seconds for an action")
    parser.add_argument("--rounds", type=int, metavar="N", help="end after N rounds")
    parser.add_argument("--seed", type=int, metavar="N", help="the same cards, players and slips again")
    parser.add_argument("--state", type=Path, default=DEFAULT_STATE, help=f"journal and accounts ({DEFAULT_STATE})")
    parser.add_argument("--plain", action="store_true", help="lines instead of a screen")
    options = parser.parse_args(args)
    if options.rounds is not None and options.rounds < 1:
        return _complain(f"--rounds {options.rounds}: play at least 1 round")
    try:
        pace = Pace.parse(options.pace)
        table_file = load_table(options.table)
    except PaceError as error:
        return _complain(str(error))
    except ConfigError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 1
    if table_file.board.pin_factory != "mock":
        return _complain(
            f"{options.table}: simulated people play on a simulated board; this one has real pins: "
            f"name a table file whose board has pin_factory = \"mock\", or use 'feltlock run'"
        )
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    return _simulate(table_file, options.state, pace, options.rounds, seed, display_for(sys.stdout, options.plain))


def _simulate(table_file: TableFile, state: Path, pace: Pace, rounds: int | None, seed: int, display: Display) -> int:
    try:
        state.mkdir(parents=True, exist_ok=True)
        staff = staff_of(state)
    except PeopleError as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{state}: journal and accounts cannot be kept there ({error.strerror}): use --state DIR")
    table = BenchTable(
        table_file.path,
        state,
        table_file.board.seats,
        utc=datetime.now(UTC),
        real_time=pace.real_time,
        screen="json",
    )
    simulation = Simulation(table, table_file.submission.seats, staff, display, pace, random.Random(seed))
    with Interrupts() as interrupts:
        try:
            problem = _play(simulation, rounds)
        finally:
            interrupts.ignore()
            try:
                display.close()
            finally:
                table.close()
        if problem is not None:
            return _complain(problem)
        print(_closing_line(simulation.side, state), flush=True)
        return 0


def _play(simulation: Simulation, rounds: int | None) -> str | None:
    """What went wrong, if anything. Being told to end is no mishap."""
    try:
        simulation.play(rounds)
    except KeyboardInterrupt:
        return None
    except TableEnded as ended:
        try:
            time.sleep(INTERRUPT_FOLLOWS_S)
        except KeyboardInterrupt:
            return None
        return _last_words(str(ended))
    except (Stuck, DeviceFault) as mishap:
        return str(mishap)
    return None


class Interrupts:
    """Ctrl-C, or being told to end, stops the play once; the putting away that follows is not to be disturbed."""

    def __init__(self) -> None:
        self._ignored = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> "Interrupts":
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def ignore(self) -> None:
        self._ignored = True

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if not self._ignored:
            self._ignored = True
            raise KeyboardInterrupt


def _last_words(output: str) -> str:
    """The controller's own line on why it ended; what it showed before that is no reason."""
    words = [line for line in output.splitlines() if line.strip() and not line.startswith("{")]
    if not words:
        return "the controller's process ended without a word"
    return words[-1].removeprefix("feltlock: ")


def _closing_line(side: TableSide, state: Path) -> str:
    rounds = f"{side.rounds_closed} round{'' if side.rounds_closed == 1 else 's'} played"
    meters = ", ".join(f"meter {meter_text(meter)}" for meter in side.meters()) or "no meter seen"
    return (
        f"feltlock: {rounds}, {meters}; the journal is {state / 'journal.db'}. Now try: feltlock recall {state}"
        f" | feltlock replay {state} 1 | feltlock meters {state} --prove"
    )


def _complain(line: str) -> int:
    print(f"feltlock: {line}", file=sys.stderr)
    return 1
