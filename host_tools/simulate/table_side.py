"""The only way the simulated people touch the table: pins, shoe and keypad. What they learn comes from its screen."""

import json
from typing import NamedTuple

from firmware.devices.simulated_shoe import GateShut
from firmware.rules.cards import Card
from firmware.status.table_status import MeterStatus, TableStatus
from firmware.terminal.screen_text import as_status
from host_tools.bench_table import BenchTable
from host_tools.simulate.display import Display
from host_tools.simulate.pace import Pace
from host_tools.simulate.staff import Person


class Said(NamedTuple):
    tone: str
    text: str


class TableSide:
    def __init__(self, table: BenchTable, display: Display, pace: Pace) -> None:
        self._table = table
        self._display = display
        self._pace = pace
        self._status: TableStatus | None = None
        self.said: list[Said] = []
        """What the table said to the last thing done."""
        self.rounds_closed = 0

    @property
    def status(self) -> TableStatus:
        assert self._status is not None, "the table is on and has shown its screen"
        return self._status

    def meters(self) -> tuple[MeterStatus, ...]:
        """As last shown; none if the screen was never lit."""
        return self._status.meters if self._status is not None else ()

    def look(self) -> None:
        """Wait until the table has dealt with what was done, then read its screen."""
        self._table.sync()
        self.said = []
        shown: TableStatus | None = None
        for line in self._table.output():
            shown = self._read(line) or shown
        if shown is not None:
            self._status = shown
            self._display.show(shown)

    def _read(self, line: str) -> TableStatus | None:
        try:
            message = json.loads(line)
        except ValueError:
            self._display.tell(f"# {line}")
            return None
        if "status" in message:
            return as_status(message["status"])
        self.said.append(Said(message["tone"], message["say"]))
        self.rounds_closed += message["say"] == "round closed"
        self._display.say(message["tone"], message["say"], message["clause"])
        return None

    def tell(self, text: str, actions: float = 0.5) -> None:
        """What a bystander sees, for whoever watches."""
        self._display.tell(f"* {text}")
        self._pause(actions)

    def _pause(self, actions: float) -> None:
        self._pace.pause(self._table.bench, actions)

    # --- hands on the table -------------------------------------------------------------------------------------

    def key(self, line: str) -> None:
        self._key(line, f"{self._dealer_name()} keys: {line}")

    def sign(self, what: str, person: Person) -> None:
        self._key(f"{what} {person.name} {person.pin}", f"{person.name} keys: {what} {person.name} ****")

    def by(self, person: Person, line: str) -> None:
        self._key(f"by {person.name} {person.pin} {line}", f"{person.name} keys: {line}")

    def _key(self, line: str, shown: str) -> None:
        """A bystander sees `shown`: no PIN."""
        self._display.tell(f"* {shown}")
        self._table.key(line)
        self.look()
        self._pause(1)

    def _dealer_name(self) -> str:
        return self.status.dealer or "the dealer"

    def confirm(self) -> None:
        self.key("confirm")

    def chip(self, seat: int, down: bool) -> None:
        if down:
            self._table.bench.chip_down(seat)
        else:
            self._table.bench.chip_up(seat)
        self._felt_moved()

    def press_lockout(self) -> None:
        self._table.bench.press_lockout()
        self._felt_moved()

    def wait(self) -> None:
        self._felt_moved()

    def turn_key(self, on: bool) -> None:
        self._table.bench.turn_key(on)
        self._felt_moved()

    def close_door(self) -> None:
        self._table.bench.door(False)
        self._felt_moved()

    def _felt_moved(self) -> None:
        self._pace.settle(self._table.bench)
        self.look()
        self._pause(0.4)

    def load_shoe(self, cards: list[Card]) -> None:
        self._table.bench.shoe.load(cards)

    def cards_in_shoe(self) -> int:
        return self._table.bench.shoe.remaining()

    def draw(self) -> tuple[Card, ...]:
        """What is then in the dealer's hand; nothing where the gate is shut."""
        try:
            cards = self._table.bench.draw()
        except GateShut:
            self.tell("the shoe's gate is shut")
            return ()
        self.look()
        self._pause(0.25)
        return cards

    def cut_power(self, shoe_too: bool) -> None:
        """The plug is pulled, and put back."""
        both = " of table and shoe" if shoe_too else ""
        self._table.cut_power(shoe_too)
        self._display.tell(f"# POWER CUT{both}: the screen is dark, chips and cards stay where they are")
        self._display.dark()
        self._pause(4)
        self._display.tell("* the power comes back")
        self._table.start()
        self.look()
        self._pause(3)
