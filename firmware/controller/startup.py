"""From files to a running table: read, self-test, recover, and only then speak.

A journal that is not whole stops the start with one line that says what to do. The table never guesses.
"""

import asyncio
import contextlib
import hashlib
import os
import signal
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from firmware.config.table_file import TableFile
from firmware.controller.controller import UNIT, Controller
from firmware.controller.desk import Desk
from firmware.controller.hardware import open_hardware
from firmware.controller.people import PeopleFile
from firmware.controller.table_state import STARTED, TableState, parse_utc
from firmware.devices.edges import Post
from firmware.devices.faults import DeviceFault
from firmware.devices.sim_link import BenchLost
from firmware.devices.wall_clock import WallClock
from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.keys import UnitKey
from firmware.ledger.records import CHECKPOINT, NewRecord
from firmware.ledger.witness import FileWitness
from firmware.ledger.writer import LedgerWriter
from firmware.terminal.screens import Screen
from firmware.version import RELEASED, VERSION, software_digest


@dataclass(frozen=True)
class Places:
    """Where a table keeps what must outlive it."""

    folder: Path
    witness: Path

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    @property
    def key(self) -> Path:
        return self.folder / "unit.key"

    @property
    def people(self) -> Path:
        return self.folder / "people.json"


def places_of(table: TableFile, state_folder: Path | None) -> Places:
    """`state_folder` stands in for the board file's storage, for a simulated table or a bench."""
    if state_folder is not None:
        return Places(state_folder, state_folder / "witness")
    return Places(table.board.storage_directory, table.board.witness)


def fingerprint_of(table: TableFile) -> tuple[str, dict[str, str]]:
    """One short name for software, rulebook and table file together, and the parts it is made of."""
    parts = {
        "software": software_digest(),
        "rulebook": table.submission.rulebook.digest,
        "table": table.digest,
        "board": table.board.digest,
    }
    return hashlib.sha256("".join(parts.values()).encode()).hexdigest()[:16], parts


async def run_table(
    table: TableFile,
    places: Places,
    screen: Screen,
    bench_socket: Path | None = None,
    keypad: str | None = None,
    real_time: bool = False,
) -> None:
    """Until the process is told to end, or its simulated bench goes away."""
    board = table.board
    if board.pin_factory == "mock" and bench_socket is None:
        ways = "use 'feltlock simulate', or 'feltlock run TABLE --script FILE'"
        raise DeviceFault(f"{board.path}: the board is simulated: {ways}")
    places.folder.mkdir(parents=True, exist_ok=True)
    inbox: asyncio.Queue[object] = asyncio.Queue()
    post = _post_into(inbox)
    fingerprint, parts = fingerprint_of(table)
    boot = os.urandom(8).hex()
    witness = FileWitness(places.witness)
    journal = _open_journal(table, places, witness)
    hardware = await open_hardware(board, table.submission.seats, post, places.folder, bench_socket, real_time, keypad)
    try:
        wall = WallClock(hardware.rtc, hardware.clock, _not_before(journal))
        if journal is None:
            key = UnitKey.load_or_create(places.key)
            journal = Journal.create(
                places.journal, table.table_id, key, utc=wall.now_text(), boot=boot, fingerprint=fingerprint
            )
        state = TableState()
        for record in journal.read():
            state.apply(record)
        witness_gone = witness.read() is None and journal.last(CHECKPOINT) is not None
        journal.begin_boot(boot, fingerprint)
        writer = LedgerWriter(journal, witness)
        try:
            desk = Desk(places.people)
            controller = Controller(table, hardware, writer, state, desk, wall, screen, fingerprint, inbox)
            await controller.commit([_started(table, places, wall, parts)])
            if witness_gone:
                await controller.raise_fault("witness-gone", str(places.witness))
            for warning in table.warnings:
                screen.say("fault", str(warning))
            await controller.work()
        finally:
            writer.close()
    finally:
        await hardware.close()


def _post_into(inbox: "asyncio.Queue[object]") -> Post:
    """The way in for every reader's thread, and for the system's wish that the process end."""
    loop = asyncio.get_running_loop()

    def post(event: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended; so has the table
            loop.call_soon_threadsafe(inbox.put_nowait, event)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, post, BenchLost("ended"))
    return post


def _open_journal(table: TableFile, places: Places, witness: FileWitness) -> Journal | None:
    """The table's journal, verified; None for a new table. One that only the witness remembers is no new table."""
    if places.journal.exists():
        return Journal.open(places.journal, table.table_id, UnitKey.load_or_create(places.key), witness)
    if witness.read() is not None:
        raise JournalFault(
            "missing",
            f"journal {places.journal} is gone, but {places.witness} remembers one: put the storage card back, "
            "or have the table set up anew by technician and floorperson",
        )
    return None


def _started(table: TableFile, places: Places, wall: WallClock, parts: dict[str, str]) -> NewRecord:
    """What runs from now on, whole enough to run any round again from the journal alone."""
    people = PeopleFile(places.people).load()
    body: dict[str, Any] = {
        "version": VERSION,
        "clock_trusted": wall.trusted,
        "people": {name: account.role for name, account in people.items()},
        "table_file": table.path.read_text(),
        "board_file": table.board.path.read_text(),
    }
    return NewRecord(STARTED, UNIT, body | parts)


def _not_before(journal: Journal | None) -> datetime:
    last = None if journal is None else list(journal.read(first=journal.head().seq))[-1]
    return max(RELEASED, parse_utc(last.utc)) if last else RELEASED
