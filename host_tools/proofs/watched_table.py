"""A bench table with somebody watching: what its screen showed, and what the journal holds."""

import json
from pathlib import Path
from typing import Any

from firmware.config.table_file import load_table
from firmware.controller.people import PeopleFile, make_account
from firmware.controller.table_state import CORRECTION, ROUND_EVENT
from firmware.devices.pin_names import seat_lamp_name
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import Record
from host_tools.bench_table import BenchTable, TableEnded

TABLE = Path(__file__).parents[1] / "simulate" / "tables" / "md-high-card-flush.toml"
MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND
PEOPLE = (("dealer-1", "dealer", "4711"), ("floor-1", "floorperson", "2580"), ("technician-1", "technician", "9090"))
BY_FLOORPERSON = "by floor-1 2580"


def hire(state: Path) -> None:
    """The accounts of everybody who works at a watched table."""
    people = PeopleFile(state / "people.json")
    for name, role, pin in PEOPLE:
        people.add(make_account(name, role, pin))


class WatchedTable:
    """`status` is what the screen shows; `said` all that it said, and of that `told` what it said was done."""

    def __init__(
        self, state: Path, *, table_file: Path = TABLE, program: tuple[str, ...] = ("-m", "firmware.controller")
    ) -> None:
        self.state = state
        self.journal = state / "journal.db"
        self.status: dict[str, Any] = {}
        self.said: list[str] = []
        self.told: list[str] = []
        self.printed: list[str] = []
        self.table = BenchTable(table_file, state, load_table(table_file).board.seats, screen="json", program=program)
        self.bench = self.table.bench

    # --- power ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Raises TableEnded, with what it said, when the table does not come up."""
        try:
            self.table.start()
        except TableEnded as ended:
            self._read(str(ended).splitlines())
            raise
        self.look()

    def cut(self, shoe_too: bool = False) -> None:
        self.table.cut_power(shoe_too)
        self.look()

    def restart(self, shoe_too: bool = False) -> None:
        self.cut(shoe_too)
        self.start()

    def close(self) -> None:
        self.table.close()

    # --- what people do -------------------------------------------------------------------------------------

    def keys(self, *lines: str) -> list[str]:
        """Key lines one by one; gives what was said to the last."""
        said: list[str] = []
        for line in lines:
            self.table.key(line)
            said = self.settle()
        return said

    def by_floorperson(self, line: str) -> list[str]:
        return self.keys(f"{BY_FLOORPERSON} {line}")

    def wait(self, ns: int = SECOND) -> list[str]:
        self.bench.advance(ns)
        return self.settle()

    def turn_key(self, on: bool = True) -> None:
        self.bench.turn_key(on)
        self.wait()

    def lock_out(self, *chips: int) -> list[str]:
        """Chips down, time to settle, and the button."""
        for seat in chips:
            self.bench.chip_down(seat)
        self.wait()
        self.bench.press_lockout()
        said = self.settle()
        return said + self.wait()

    def lift(self, *seats: int) -> None:
        for seat in seats:
            self.bench.chip_up(seat)
        self.wait()

    def draw(self, cards: int = 1) -> list[str]:
        said: list[str] = []
        for _ in range(cards):
            self.bench.draw()
            said += self.settle()
        return said

    def settle(self) -> list[str]:
        """Wait until all is handled; gives what was said meanwhile."""
        known = len(self.said)
        try:
            self.table.sync()
        except TableEnded as ended:
            self._read(str(ended).splitlines())
            raise
        self.look()
        return self.said[known:]

    # --- what anybody can see -------------------------------------------------------------------------------

    def look(self) -> None:
        self._read(self.table.output())

    def _read(self, lines: list[str]) -> None:
        for line in lines:
            self.printed.append(line)
            try:
                shown = json.loads(line)
            except ValueError:
                continue  # cut off in the middle, or a plain line of a table that did not come up
            if "status" in shown:
                self.status = shown["status"]
            else:
                self.said.append(shown["say"])
                if shown["tone"] == "told":
                    self.told.append(shown["say"])

    @property
    def step(self) -> tuple[str, str]:
        return self.status["state"], self.status["says"]

    def lamps(self) -> list[int]:
        lit = self.bench.lamps()
        return [seat for seat in range(1, 8) if lit[seat_lamp_name(seat)]]

    def view(self) -> dict[str, Any]:
        """What must be the same after a power cut. Chips while bets are open are read again, so not those."""
        status = self.status
        seats = [
            {name: seat[name] for name in ("seat", "wagers", "cards", "hand", "folded", "verdicts")}
            | {"accepted": seat["chip"] and status["locked"]}
            for seat in status["seats"]
        ]
        kept = ("round", "state", "who", "says", "clause", "seat", "dealer", "dealer_cards", "locked", "accepted")
        return {name: status[name] for name in (*kept, "meters", "faults")} | {"seats": seats}

    # --- what the journal holds -----------------------------------------------------------------------------

    def records(self, *types: str) -> list[Record]:
        with JournalReader.open_readonly(self.journal) as journal:
            return list(journal.read(types=types or None))

    def round_records(self) -> int:
        """How much has been recorded of rounds: their events and corrections."""
        return len(self.records(ROUND_EVENT, CORRECTION))
